"""Every way into the engines, called alike: a table of Arrow and names of columns, and a score.

With ``group_by``, an entry gives what its library has; :func:`groups` reads all of them.
"""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather
from tables_of_text import as_metric
from toy_metrics import ExactMatch
from truebleu.engines import arrow, polars
from truebleu.engines import duckdb as sql

# Those of the libraries themselves.
WARNINGS = [
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]
SLOW = [pytest.mark.slow, *WARNINGS]


def identifier(metric="bleu", **_):
    """Return the name of the column of scores."""
    return as_metric(metric).identifier


def listed(names):
    """Return one name, or several, as a list."""
    return [names] if isinstance(names, str) else list(names)


def by_arrow(table, *names, **more):
    return arrow.corpus_score(table, *names, **more)


def by_stream(table, *names, **more):
    return arrow.corpus_score(table.to_reader(max_chunksize=7), *names, **more)


def by_pandas(table, *names, **more):
    return arrow.corpus_score(table.to_pandas(types_mapper=pd.ArrowDtype), *names, **more)


def by_plain_pandas(table, *names, **more):
    return arrow.corpus_score(table.to_pandas(), *names, **more)


def by_pandas_of_lists(table, *names, **more):
    """Score a frame whose cells are objects of Python."""
    return arrow.corpus_score(pd.DataFrame(table.to_pydict()), *names, **more)


def by_polars(table, *names, **more):
    return arrow.corpus_score(pl.from_arrow(table), *names, **more)


def by_lazy_polars(table, *names, **more):
    return arrow.corpus_score(pl.from_arrow(table).lazy(), *names, **more)


def by_expression(table, hypothesis, references, group_by=None, **settings):
    """Give a number, for Polars knows no scores."""
    assert polars  # It gives expressions their namespace.
    score = pl.col(hypothesis).truebleu.corpus_score(*listed(references), **settings)
    frame = pl.from_arrow(table).lazy()
    if group_by is None:
        return frame.select(score).collect().item()
    found = frame.group_by(group_by).agg(score.alias(identifier(**settings)))
    return found.collect(engine="streaming")


def by_sql(table, hypothesis, references, group_by=None, **settings):
    """Give a number, for SQL knows no scores."""
    group_by, name = listed(group_by or []), identifier(**settings)
    with duckdb.connect() as connection:
        sql.register(connection, **settings)
        connection.register("data", table)
        score = f"{name}_corpus_score({hypothesis}, {in_sql(references)}) AS {name}"
        end = f"GROUP BY {', '.join(group_by)}" if group_by else ""
        chosen = ", ".join([*group_by, score])
        found = connection.sql(f"SELECT {chosen} FROM data {end}").to_arrow_table()
    return found if group_by else found[name][0].as_py()


def in_sql(references):
    """Write columns of references as SQL."""
    references = listed(references)
    lists = [name if name == "refs" else f"[{name}]" for name in references]
    return references[0] if len(references) == 1 else f"list_concat({', '.join(lists)})"


# Where a test keeps files: its own folder.
PLACE = {}


def parquet(table):
    """Write a file of Parquet."""
    pq.write_table(table, PLACE["folder"] / "a.parquet")
    return str(PLACE["folder"] / "a.parquet")


def arrow_file(table):
    """Write a file of Arrow."""
    feather.write_feather(table, PLACE["folder"] / "a.arrow")
    return str(PLACE["folder"] / "a.arrow")


def several_files(table):
    """Write a folder of Parquet files, the last of several row groups if it is long."""
    folder = PLACE["folder"] / "files"
    folder.mkdir(exist_ok=True)
    for number, part in enumerate((table.slice(0, 4), table.slice(4, 4), table.slice(8))):
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=50)
    return str(folder)


def by_parquet(table, *names, **more):
    return arrow.corpus_score(parquet(table), *names, **more)


def by_arrow_file(table, *names, **more):
    return arrow.corpus_score(arrow_file(table), *names, **more)


def by_files(table, *names, **more):
    return arrow.corpus_score(several_files(table), *names, **more)


def by_spark(table, *names, **more):
    from pyspark.sql import SparkSession
    from truebleu.engines.spark import corpus_score

    frame = SparkSession.active().createDataFrame(table).repartition(4)
    return corpus_score(frame, *names, **more)


def by_ray(table, *names, **more):
    """Score blocks of which one has few rows."""
    import ray
    from truebleu.engines.ray import corpus_score

    data = ray.data.from_arrow([table.slice(0, 4), table.slice(4, 3), table.slice(7)])
    return corpus_score(data, *names, **more)


# The engines of docs/tables.md, and lists of files.
PANDAS = [by_pandas, by_plain_pandas, by_pandas_of_lists]
ENTRIES = {
    "files": [by_files, by_parquet, by_arrow_file],
    "arrow": [by_arrow, by_stream, *PANDAS, by_polars, by_lazy_polars],
    "polars": [by_expression],
    "duckdb": [by_sql],
    "spark": [by_spark],
    "ray": [by_ray],
}
CLUSTERS = [*ENTRIES["spark"], *ENTRIES["ray"]]
LOCAL = [entry for several in ENTRIES.values() for entry in several if entry not in CLUSTERS]


def groups(found, by=(), name="bleu"):
    """Return the values of columns of a result, and that of one more, for each of its groups."""
    if hasattr(found, "toArrow"):
        found = found.toArrow()
    elif hasattr(found, "take_all"):
        # Once: with every execution, rows come in another order.
        found = pa.Table.from_pylist(found.take_all())
    columns = [column(found, each) for each in (*by, name)]
    return [(tuple(row[:-1]), row[-1]) for row in zip(*columns, strict=True)]


def column(found, name):
    """Return a column of a table of Polars or Arrow as a list."""
    return found[name].to_list() if isinstance(found, pl.DataFrame) else found[name].to_pylist()


def recorded(path):
    """Return a metric that writes down how many rows it is given at a time, wherever it runs."""
    path = str(path)

    class Recorded(ExactMatch):
        def count(self, hypotheses, references):
            with open(path, "a") as file:
                file.write(f"{len(hypotheses)}\n")
            return super().count(hypotheses, references)

    return Recorded()
