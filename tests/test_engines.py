"""Every engine gives the score of the lists, whatever the batches, and refuses the same input."""

import importlib
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_text import FIRST, SIZE, TABLE, wanted
from truebleu import Bleu, SettingsError
from truebleu.engines import arrow, rows, tables
from truebleu.engines import duckdb as sql
from truebleu.engines import pandas as frames
from truebleu.engines import polars as expressions

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")


def by_pandas(table, hypothesis, references, group_by=None, **settings):
    frame = pd.DataFrame(table.to_pydict())
    found = frames.corpus_bleu(frame, hypothesis, references, group_by=group_by, **settings)
    return (
        found if group_by is None else _keyed(pa.Table.from_pandas(found.reset_index()), group_by)
    )


def by_arrow_pandas(table, hypothesis, references, group_by=None, **settings):
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    found = frames.corpus_bleu(frame, hypothesis, references, group_by=group_by, **settings)
    return (
        found if group_by is None else _keyed(pa.Table.from_pandas(found.reset_index()), group_by)
    )


def by_arrow(table, hypothesis, references, group_by=None, **settings):
    small = pa.Table.from_batches(table.to_batches(max_chunksize=7), table.schema)
    found = arrow.corpus_bleu(small, hypothesis, references, group_by=group_by, **settings)
    return found if group_by is None else _keyed(found, group_by)


def by_polars(table, hypothesis, references, group_by=None, **settings):
    frame = pl.from_arrow(table)
    found = expressions.corpus_bleu(frame, hypothesis, references, group_by=group_by, **settings)
    return found if group_by is None else _keyed(found.collect().to_arrow(), group_by)


def by_expression(table, hypothesis, references, group_by=None, **settings):
    references = [references] if isinstance(references, str) else references
    score = pl.col(hypothesis).bleu.corpus(*references, **settings)
    frame = pl.from_arrow(table).lazy()
    if group_by is None:
        return frame.select(score).collect().item()
    found = frame.group_by(group_by).agg(score.alias("bleu"))
    return _keyed(found.collect(engine="streaming").to_arrow(), group_by)


def by_sql(table, hypothesis, references, group_by=None, **settings):
    references = [references] if isinstance(references, str) else references
    lists = [name if name == "refs" else f"[{name}]" for name in references]
    given = references[0] if len(references) == 1 else f"list_concat({', '.join(lists)})"
    group_by = [group_by] if isinstance(group_by, str) else group_by or []
    with duckdb.connect() as connection:
        sql.register(connection, **settings)
        connection.register("data", table)
        chosen = ", ".join([*group_by, f"corpus_bleu({hypothesis}, {given}) AS bleu"])
        end = f"GROUP BY {', '.join(group_by)}" if group_by else ""
        found = connection.sql(f"SELECT {chosen} FROM data {end}").to_arrow_table()
    return _keyed(found, group_by) if group_by else found["bleu"][0].as_py()


def by_files(table, hypothesis, references, group_by=None, **settings):
    folder = by_files.folder
    pq.write_table(table.slice(0, 10), folder / "one.parquet")
    pq.write_table(table.slice(10), folder / "two.parquet", row_group_size=11)
    found = tables.corpus_bleu(str(folder), hypothesis, references, group_by=group_by, **settings)
    return found if group_by is None else {key: score.score for key, score in found.items()}


# Names that an engine, or a result, gives to columns of its own, and names like them.
INTERNAL = {
    *("last_key", "Last_Key", "last_key_", "rows", "rows_", "counted", "COUNTED", "given"),
    *("counted_", "group_0", "column_0", "truebleu_arrow", "truebleu_unit", "stats", "index"),
    *("data", "hypotheses", "references", "row_nr", "level_0", "0"),
}
RESERVED = {"key", "bleu", "segments", "hyp_len", "match_1", "total_4", "fewest_references"}


def _keyed(table, group_by):
    keys = [group_by] if isinstance(group_by, str) else group_by
    if isinstance(table, pd.DataFrame):
        table = pa.Table.from_pandas(table)
    return {tuple(row[key] for key in keys): row["bleu"] for row in table.to_pylist()}


ENGINES = [by_pandas, by_arrow_pandas, by_arrow, by_polars, by_expression, by_sql, by_files]


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    by_files.folder = tmp_path / "files"
    by_files.folder.mkdir()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("references", [["ref_a"], ["refs"], ["ref_a", "ref_b"], ["refs", "ref_b"]])
def test_corpus(engine, references):
    want = wanted(TABLE, references)
    found = engine(TABLE, "mt", references)
    # Expressions and SQL know numbers only.
    assert found == (want.score if isinstance(found, float) else want)
    if not isinstance(found, float):
        assert found.signature == want.signature


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("keys", ["system", ["system", "half"]])
@pytest.mark.parametrize("more", [{}, {"lowercase": True, "max_order": 2, "smoothing": "floor"}])
def test_groups(engine, keys, more):
    found = engine(TABLE, "mt", ["ref_a", "ref_b"], keys, **more)
    names = [keys] if isinstance(keys, str) else keys
    want = {}
    for key in {tuple(row[name] for name in names) for row in TABLE.to_pylist()}:
        chosen = [
            all(row[name] == part for name, part in zip(names, key, strict=True))
            for row in TABLE.to_pylist()
        ]
        want[key] = wanted(TABLE.filter(chosen), ["ref_a", "ref_b"], **more).score
    assert found == want


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", sorted(INTERNAL | RESERVED))
def test_names_of_groups(engine, name):
    """A group of any name is scored as under another, unless a result has the name."""
    if engine in (by_sql, by_expression) and (name in RESERVED or name in {"0", "references"}):
        pytest.skip("the user writes the names of results and quotes the others")
    want = engine(TABLE, "mt", ["ref_a"], "system")
    named = TABLE.rename_columns({"system": name})
    try:
        found = engine(named, "mt", ["ref_a"], name)
    except SettingsError as error:
        found = str(error)
    if isinstance(found, str):
        assert name in RESERVED
        assert "rename it" in found
    else:
        assert found == want


@pytest.mark.parametrize("tokenizer", ["ja-mecab", "char", str.split])
@pytest.mark.parametrize("references", [["ref_a"], ["refs"], ["ref_a", "ref_b"], ["refs", "ref_b"]])
@pytest.mark.parametrize("engine", ENGINES)
def test_tokenizers_of_every_kind(engine, references, tokenizer):
    table = TABLE.slice(2 * SIZE)
    want = wanted(table, references, tokenizer=tokenizer).score
    assert float(engine(table, "mt", references, tokenizer=tokenizer)) == want


def test_statistics_and_sentence_scores():
    bleu = Bleu(effective_order=True)
    second = TABLE["ref_b"].to_pylist()
    others = [[a, *filter(None, [b])] for a, b in zip(FIRST * 3, second, strict=True)]
    want = bleu.sentences(TABLE["mt"].to_pylist(), others).tolist()
    counted = bleu.stats(TABLE["mt"].to_pylist(), others).to_numpy().tolist()
    frame = pd.DataFrame(TABLE.to_pydict(), index=range(7, 7 + len(TABLE)))
    names = ["ref_a", "ref_b"]
    scores = frames.sentence_bleu(frame, "mt", names)
    assert (scores.tolist(), scores.index.tolist()) == (want, frame.index.tolist())
    stored = frames.stats(frame, "mt", names)
    assert stored["key"].eq(bleu.stats(["a"], ["a"]).key).all()
    assert stored.drop(columns="key").to_numpy().tolist() == counted
    assert arrow.sentence_bleu(TABLE, "mt", names).to_pylist() == want
    polars = pl.from_arrow(TABLE).lazy()
    found = polars.select(pl.col("mt").bleu.sentence("ref_a", pl.col("ref_b")))
    for engine in ("in-memory", "streaming"):
        assert found.collect(engine=engine)["mt"].to_list() == want
    table = polars.select(pl.col("mt").bleu.stats(*names)).unnest("mt").collect()
    assert table.columns[:3] == ["hyp_len", "ref_len", "match_1"]
    assert list(map(list, table.drop("key").rows())) == counted
    with duckdb.connect() as connection:
        sql.register(connection)
        connection.register("data", TABLE)
        query = "SELECT bleu(mt, [ref_a, ref_b]), bleu_stats(mt, [ref_a, ref_b]) FROM data"
        one, other = zip(*connection.sql(query).fetchall(), strict=True)
    assert list(one) == want
    assert [list(row.values())[:-1] for row in other] == counted
    assert {row["key"] for row in other} == set(table["key"]) == set(stored["key"])


@given(st.lists(st.integers(0, len(TABLE)), max_size=6), st.integers(1, 40))
@settings(deadline=None)
def test_any_batches_give_the_same_sums(cuts, most):
    plan = rows.Plan("mt", ["ref_a", "ref_b"], ["system"], bleu=Bleu())
    places = [0, *sorted(cuts), len(TABLE)]
    batches = []
    for start, stop in pairwise(places):
        batches += TABLE.slice(start, stop - start).to_batches(max_chunksize=most)
    whole = arrow.partial_sums(TABLE.combine_chunks().to_batches(), plan).sort_by("system")
    assert arrow.partial_sums(batches, plan).sort_by("system") == whole
    # Partitions are batches that were added up elsewhere.
    parts = [arrow.partial_sums([batch], plan) for batch in batches if len(batch)]
    assert arrow._join(parts, plan).sort_by("system") == whole


def test_many_groups_are_joined_along_the_way(monkeypatch):
    monkeypatch.setattr(arrow, "_SUMS", 8)
    plan = rows.Plan("mt", "ref_a", ["mt"], bleu=Bleu())
    batches = TABLE.to_batches(max_chunksize=3) * 5
    found = arrow.partial_sums(batches, plan)
    assert len(found) == len(set(TABLE["mt"].to_pylist()))
    assert sum(found["segments"].to_pylist()) == 5 * len(TABLE)


def test_groups_whose_names_are_encoded():
    """Batches may have dictionaries of their own."""
    parts = [
        pa.record_batch({"name": pa.array(keys).dictionary_encode(), "mt": keys, "ref": ["x", "y"]})
        for keys in (["x", "y"], ["z", "x"])
    ]
    reader = pa.RecordBatchReader.from_batches(parts[0].schema, parts)
    found = arrow.corpus_bleu(reader, "mt", "ref", group_by="name", max_order=1)
    assert found["name"].to_pylist() == ["x", "y", "z"]
    assert found["segments"].to_pylist() == [2, 1, 1]


# What is refused

BAD = pa.table(
    {
        "mt": ["a b", None],
        "ok": ["a b", "c"],
        "ref": ["a b", "c"],
        "none": pa.array([None, "c"]),
        "number": [1, 2],
        "lists": [["a"], ["b"]],
    }
)
REFUSED = [
    (
        ("missing", "ref"),
        truebleu.UnknownNameError,
        "there is no column 'missing'; the columns are ",
    ),
    (("ok", ["ref", "gone"]), truebleu.UnknownNameError, "there is no column 'gone'; the columns"),
    (("ok", "number"), truebleu.InputTypeError, "column 'number' is "),
    (("number", "ref"), truebleu.InputTypeError, "column 'number' is "),
    (("lists", "ref"), truebleu.InputTypeError, "a column of "),
    (("mt", "ref"), truebleu.InputTypeError, "column 'mt' has nulls; every hypothesis must be"),
    (("ok", "none"), truebleu.EmptyInputError, "no reference"),
    (("ok", []), truebleu.SettingsError, "references is empty"),
    (("ok", [3]), truebleu.InputTypeError, "references 3 is of type int; a name, as a str"),
    ((None, "ref"), truebleu.InputTypeError, "hypothesis None is of type NoneType"),
]


@pytest.mark.parametrize("engine", [by_arrow, by_arrow_pandas, by_polars, by_files])
@pytest.mark.parametrize(("names", "error", "message"), REFUSED)
def test_refused(engine, names, error, message):
    with pytest.raises(error) as caught:
        engine(BAD, *names)
    assert message in str(caught.value)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows(engine):
    # DuckDB has exceptions of its own, with our message.
    kinds = (truebleu.EmptyInputError, duckdb.Error)
    with pytest.raises(kinds, match="no rows to score"):
        engine(TABLE.slice(0, 0), "mt", "ref_a")


@pytest.mark.parametrize("engine", [by_arrow, by_pandas, by_polars, by_files, by_expression])
def test_a_smoothing_for_sentences_only(engine):
    with pytest.raises(truebleu.SettingsError, match="only defined for one sentence"):
        engine(TABLE, "mt", "ref_a", smoothing="method5")


def test_a_group_with_the_name_of_a_result():
    for name in ("segments", "key"):
        with pytest.raises(truebleu.SettingsError, match=f"a group cannot be called '{name}'"):
            arrow.corpus_bleu(TABLE, "mt", "ref_a", group_by=name)


def test_sums_of_no_rows():
    plan = rows.Plan("mt", "ref_a", ["system"], bleu=Bleu())
    some = arrow.partial_sums(TABLE.to_batches(), plan)
    none = arrow.partial_sums([], plan, schema=TABLE.schema)
    assert (none.schema, len(none)) == (some.schema, 0)
    assert arrow._join([none, some], plan) == some


def test_groups_of_lists():
    with pytest.raises(truebleu.InputTypeError, match="column 'refs' is a column of list<"):
        arrow.corpus_bleu(TABLE, "mt", "ref_a", group_by="refs")


def test_no_table():
    with pytest.raises(truebleu.InputTypeError, match="a table or a stream of Arrow is needed"):
        arrow.corpus_bleu([1], "mt", "ref_a")


def test_expressions_refuse():
    frame = pl.from_arrow(BAD)
    with pytest.raises(truebleu.SettingsError, match="there are no references"):
        frame.select(pl.col("ok").bleu.sentence())
    for name in ("sentence", "stats", "corpus"):
        with pytest.raises(truebleu.InputTypeError, match="column 'mt' has nulls"):
            frame.select(getattr(pl.col("mt").bleu, name)("ref"))
    own, other = (pl.col(name).filter(pl.col("number") > 1) for name in ("ok", "ref"))
    with pytest.raises(truebleu.EmptyInputError, match="or a group has none"):
        frame.lazy().group_by("number").agg(own.bleu.corpus(other)).collect()


def test_an_expression_counts_each_row_once(monkeypatch):
    """However many numbers a score is made of."""
    counted = []
    count = rows.count

    def counting(bleu, own, *others, **more):
        counted.append(len(own))
        return count(bleu, own, *others, **more)

    monkeypatch.setattr(rows, "count", counting)
    frame = pl.from_arrow(TABLE).lazy()
    frame.group_by("system").agg(pl.col("mt").bleu.corpus("ref_a")).collect(engine="streaming")
    assert sum(counted) == len(TABLE)


def test_sql_refuses():
    with duckdb.connect() as connection:
        sql.register(connection)
        connection.register("data", BAD)
        for query, message in (
            ("bleu(mt, ref)", "column 'hypotheses' has nulls"),
            ("bleu(ok, none)", "no reference: 'references' is null"),
            ("bleu(ok, number)", "column 'references' is a column of Int64"),
            ("bleu(ok)", "0 references given: one is needed"),
            ("bleu(ok, ref, ref)", "2 references given: one is needed, or a list"),
            ("corpus_bleu(mt, ref)", "column 'hypotheses' has nulls"),
            ("bleu_score(NULL)", "no rows to score"),
        ):
            with pytest.raises(duckdb.Error, match=message):
                connection.sql(f"SELECT {query} FROM data").fetchall()
        with pytest.raises(truebleu.SettingsError, match="has a function 'bleu' already"):
            sql.register(connection)
        with pytest.raises(truebleu.SettingsError, match="prefix is 'a b'; letters"):
            sql.register(connection, prefix="a b")
        sql.register(connection, prefix="sent_", smoothing="method5")
        assert connection.sql("SELECT sent_bleu('a b c d', 'a b c e')").fetchall()[0][0] > 0
        with pytest.raises(duckdb.Error, match="sent_corpus_bleu"):
            connection.sql("SELECT sent_corpus_bleu('a', 'a')")


# Extras

LIBRARIES = {
    "arrow": "pyarrow",
    "duckdb": "duckdb",
    "formats": "pyarrow",
    "pandas": "pandas",
    "polars": "polars",
    "ray": "ray",
    "spark": "pyspark",
    "tables": "duckdb",
}


@pytest.mark.parametrize("engine", LIBRARIES)
def test_a_missing_library(engine):
    """Each engine says which extra it needs; nothing else needs any of them."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[1:]))\n"
        "import truebleu\n"
        "assert truebleu.corpus_bleu(['a b c d'], ['a b c d']).score > 99\n"
        f"import truebleu.engines.{engine}\n"
    )
    libraries = sorted(set(LIBRARIES.values()))
    found = subprocess.run(
        [sys.executable, "-c", code, *libraries], capture_output=True, text=True, check=False
    )
    extra = {"formats": "duckdb", "tables": "duckdb"}.get(engine, engine)
    last = found.stderr.strip().splitlines()[-1]
    assert last.startswith("truebleu.errors.MissingExtraError: this needs ")
    assert last.endswith(f"pip install 'truebleu[{extra}]'")


def test_every_engine_has_a_test():
    folder = Path(truebleu.__file__).parent / "engines"
    names = {path.stem for path in folder.glob("*.py")} - {"__init__", "rows"}
    assert names == set(LIBRARIES)
    for name in names - {"ray", "spark"}:
        assert importlib.import_module(f"truebleu.engines.{name}")
