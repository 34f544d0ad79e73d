"""Keys of groups and of units that are equal are one, whatever their bits, in every engine."""

import re

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import truebleu
from project import ROOT
from tables_of_text import KEYS, TABLE, keyed, wanted
from truebleu import Bleu
from truebleu.engines import arrow, tables
from truebleu.engines import pandas as frames
from truebleu.engines import polars as expressions
from truebleu.engines.duckdb import register

PAGE = ROOT / "docs" / "tables.md"

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]


def groups_of(table, by):
    """Return the groups of a result of Arrow as rows of keys, score and segments."""
    return [[*(row[name] for name in by), row["bleu"]] for row in table.to_pylist()]


def by_arrow(table, by):
    return groups_of(arrow.corpus_score(table, "mt", "ref_a", group_by=by), by)


def by_stream(table, by):
    return by_arrow(table.to_reader(max_chunksize=1), by)


def by_dictionary(table, by):
    return by_arrow(coded(table), by)


def by_pandas(table, by):
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    found = frames.corpus_score(frame, "mt", "ref_a", group_by=by).reset_index()
    return groups_of(pa.Table.from_pandas(found, preserve_index=False), by)


def by_pandas_dictionary(table, by):
    return by_pandas(coded(table), by)


def by_masked_pandas(table, by):
    numbers = table["k"].to_numpy(zero_copy_only=False)
    masked = pd.arrays.FloatingArray(numbers, np.array([key is None for key in KEYS]))
    frame = table.to_pandas().assign(k=masked)
    rows = list(frames.corpus_score(frame, "mt", "ref_a", group_by=by)["bleu"].items())
    keys = [key if isinstance(key, tuple) else (key,) for key, _ in rows]
    keys = [[None if part is pd.NA else part for part in key] for key in keys]
    return [[*key, score] for key, (_, score) in zip(keys, rows, strict=True)]


def by_polars(table, by):
    found = expressions.corpus_score(pl.from_arrow(table), "mt", "ref_a", group_by=by)
    return groups_of(found.to_arrow(), by)


def by_lazy_polars(table, by):
    lazy = pl.from_arrow(table).lazy()
    found = expressions.corpus_score(lazy, "mt", "ref_a", group_by=by)
    return groups_of(found.collect(engine="streaming").to_arrow(), by)


def by_expression(table, by):
    score = pl.col("mt").truebleu.corpus_score("ref_a").alias("bleu")
    return groups_of(pl.from_arrow(table).group_by(by).agg(score).to_arrow(), by)


def by_sql(table, by):
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", table)
        names = ", ".join(by)
        score = "bleu_corpus_score(mt, ref_a) AS bleu"
        query = f"SELECT {names}, {score} FROM data GROUP BY {names}"
        return groups_of(connection.sql(query).to_arrow_table(), by)


def by_files(table, by, folder):
    pq.write_table(table, folder / "k.parquet")
    scores = tables.corpus_score(str(folder / "k.parquet"), "mt", "ref_a", group_by=by)
    return [[*key, score.score] for key, score in scores.items()]


def by_spark(table, by, spark):
    from truebleu.engines.spark import corpus_score

    frame = spark.createDataFrame(table).repartition(4)
    return groups_of(corpus_score(frame, "mt", "ref_a", group_by=by).toArrow(), by)


def by_spark_files(table, by, spark, folder):
    from truebleu.engines.spark import corpus_score_of_files

    for number in range(3):
        part = table.slice(4 * number, 4)
        pq.write_table(coded(part) if number == 1 else part, folder / f"{number}.parquet")
    found = corpus_score_of_files(spark, folder, "mt", "ref_a", group_by=by)
    return groups_of(found.toArrow(), by)


def by_ray(table, by, ray):
    from truebleu.engines.ray import corpus_score

    data = ray.data.from_arrow([table.slice(0, 4), table.slice(4, 3), table.slice(7)])
    found = corpus_score(data, "mt", "ref_a", group_by=by, expected_groups=3_000)
    return groups_of(pa.Table.from_pylist(found.take_all()), by)


def coded(table):
    """Return the table with keys in a dictionary, in which equal ones are several."""
    return table.set_column(table.column_names.index("k"), "k", table["k"].dictionary_encode())


ENGINES = {
    "arrow": [by_arrow, by_stream, by_dictionary],
    "pandas": [by_pandas, by_pandas_dictionary, by_masked_pandas],
    "polars": [by_polars, by_lazy_polars, by_expression],
    "duckdb": [by_sql],
    "tables": [by_files],
    "spark": [by_spark, by_spark_files],
    "ray": [by_ray],
}
CASES = [
    pytest.param(
        engine, marks=pytest.mark.slow if name in ("spark", "ray") else (), id=engine.__name__
    )
    for name, engines in ENGINES.items()
    for engine in engines
]


def test_every_engine_is_tried():
    """No engine of the page is left out."""
    named = set(re.findall(r"(?m)^\| `engines\.(\w+)`", PAGE.read_text("utf-8")))
    assert named | {"tables"} == set(ENGINES)


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()], ids=str)
@pytest.mark.parametrize("engine", CASES)
def test_groups_of_floats(engine, kind, request, tmp_path):
    """0.0 and -0.0 are one group, every NaN is another, and null a third, in every engine."""
    given = {"spark": None, "ray": None, "folder": tmp_path}
    names = engine.__code__.co_varnames[2 : engine.__code__.co_argcount]
    more = [given[name] or request.getfixturevalue(name) for name in names]
    table = keyed(kind)
    both = table.append_column("half_2", pa.array([i // 5 for i in range(10)]))
    for chosen, by in ((table, ["k"]), (both, ["half_2", "k"])):
        found = {}
        for *key, score in engine(chosen, by, *more):
            name = (*key[:-1], readable(key[-1]))
            assert name not in found
            found[name] = score
        want = {}
        for row in range(10):
            name = (*(chosen[each][row].as_py() for each in by[:-1]), readable(KEYS[row]))
            want.setdefault(name, []).append(row)
        assert found == {
            name: wanted(chosen.take(at), ["ref_a"]).score for name, at in want.items()
        }


def readable(key):
    """Return a text for a key that is the same for equal ones."""
    return str(0.0 if key == 0 else key)


# Units of intervals


def unit_table():
    """Return the whole table, with keys that differ in bits and ones that do not."""
    keys = pa.chunked_array([keyed(pa.float64())["k"].combine_chunks()] * 22).slice(0, len(TABLE))
    numbers = pa.array([float(i % 90) for i in range(len(TABLE))])
    chosen = pa.array([i % 3 == 0 for i in range(len(TABLE))])
    return TABLE.append_column("k", pc.if_else(chosen, keys, numbers))


@pytest.mark.parametrize(
    "listed",
    [
        pa.Table.to_pylist,
        lambda table: table["k"],
        lambda table: pl.from_arrow(table)["k"],
        lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)["k"],
    ],
    ids=["list", "arrow", "polars", "pandas"],
)
def test_documents_of_floats(listed):
    """Documents of a list, or of a column of any library, are told apart by the same rule."""
    table = unit_table()
    documents = listed(table)
    if isinstance(documents, list):
        documents = [row["k"] for row in documents]
    stats = Bleu().stats(table["mt"], table["ref_a"])
    found = truebleu.confidence_interval(stats, documents=documents, n_resamples=100)
    names = [readable(key) for key in table["k"].to_pylist()]
    assert names.count("nan") > 1
    assert found == truebleu.confidence_interval(stats, documents=names, n_resamples=100)


def test_documents_without_values_of_numpy():
    """NaN of any type of float is one document."""
    documents = [np.float32("nan"), float("nan"), np.float64("nan"), 1.0, np.float32(1), -0.0, 0]
    stats = Bleu().stats(TABLE["mt"][:7], TABLE["ref_a"][:7])
    with pytest.warns(truebleu.SmallSampleWarning):
        found = truebleu.confidence_interval(stats, documents=documents, n_resamples=100)
    with pytest.warns(truebleu.SmallSampleWarning):
        want = truebleu.confidence_interval(stats, documents=[*"nnn1100"], n_resamples=100)
    assert found == want


@pytest.mark.slow
@pytest.mark.parametrize("units", [None, 40])
def test_units_of_spark(spark, units):
    """Each value is a unit, or has one by its hash: one for all zeros, NaNs and nulls."""
    from pyspark.sql import functions as F  # noqa: N812
    from truebleu.engines.spark import confidence_interval

    table = unit_table()
    frame = spark.createDataFrame(table).repartition(4)
    found = confidence_interval(frame, "mt", "ref_a", unit="k", units=units, n_resamples=100)
    keys = sorted({readable(key) for key in table["k"].to_pylist()}, key=place_in_spark)
    unit = {key: i for i, key in enumerate(keys)}
    if units:
        # What Spark makes of a value that is written as equal ones are.
        plain = spark.createDataFrame([(key,) for key in keys], ["key"])
        value = F.when(plain["key"] != "None", F.col("key").cast("double"))
        rows = plain.select("key", F.pmod(F.xxhash64(value), F.lit(units))).collect()
        unit = dict(map(tuple, rows))
    order = sorted(range(len(table)), key=lambda row: unit[readable(table["k"][row].as_py())])
    sorted_rows = table.take(order)
    stats = Bleu().stats(sorted_rows["mt"], sorted_rows["ref_a"])
    documents = [unit[readable(key)] for key in sorted_rows["k"].to_pylist()]
    assert len(set(documents)) == len(set(unit.values()))
    assert found == truebleu.confidence_interval(stats, documents=documents, n_resamples=100)


def place_in_spark(key):
    """Return where Spark sorts a value: null, numbers, NaN."""
    return -np.inf if key == "None" else np.inf if key == "nan" else float(key)
