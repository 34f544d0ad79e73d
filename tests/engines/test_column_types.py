"""Text of every type, and groups of every value, are the same in every engine."""

import re

import duckdb
import entries
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import truebleu.engines.polars  # noqa: F401  # It gives expressions their namespace.
from project import ROOT
from pyarrow import feather
from tables_of_text import TABLE, wanted
from truebleu import Bleu
from truebleu.engines import arrow
from truebleu.engines.duckdb import register
from truebleu.errors import UnknownNameError

PAGE = ROOT / "docs" / "tables.md"
ROWS = TABLE.slice(0, 20)
LISTS = ROWS["refs"].to_pylist()


def dictionary(column):
    """Encode a column of text in chunks that have dictionaries of their own."""
    parts = [column.slice(start, 7).combine_chunks() for start in (0, 7, 14)]
    return pa.chunked_array([part.dictionary_encode() for part in parts])


def of_lists(kind):
    """Return references as lists of a type."""
    return lambda _: pa.chunked_array([pa.array(LISTS[:9], kind), pa.array(LISTS[9:], kind)])


# How each type of the documented table is made in Arrow, from a column of strings or of lists.
TEXTS = {
    "string": lambda column: column,
    "large string": lambda column: column.cast(pa.large_string()),
    "string view": lambda column: column.cast(pa.string_view()),
    "dictionary": dictionary,
}
LIST_TYPES = {
    "list": of_lists(pa.list_(pa.string())),
    "large list": of_lists(pa.large_list(pa.large_string())),
    "list view": of_lists(pa.list_view(pa.string())),
    "fixed-size list": of_lists(pa.list_(pa.string(), 2)),
    "list of dictionaries": of_lists(pa.list_(pa.dictionary(pa.int16(), pa.string()))),
}


# What a library has no type for: it refuses the column itself.
OF_POLARS = (entries.by_polars, entries.by_lazy_polars, entries.by_expression)
IMPOSSIBLE = {(entry, "list view") for entry in (*OF_POLARS, entries.by_spark)}
IMPOSSIBLE |= {(entries.by_spark, "string view")}


def made(kind):
    """Return a table whose hypotheses or references are of a type."""
    if kind in TEXTS:
        texts = {"mt": ROWS["mt"], "ref": ROWS["ref_a"]}
        return pa.table({name: TEXTS[kind](column) for name, column in texts.items()})
    return pa.table({"mt": ROWS["mt"], "ref": LIST_TYPES[kind](None)})


def is_scored(entry, kind):
    """Return whether an entry scores a type, which it then does as lists are scored."""
    want = wanted(ROWS, ["ref_a" if kind in TEXTS else "refs"])
    if (entry, kind) in IMPOSSIBLE:
        with pytest.raises(Exception, match="not supported") as caught:
            entry(made(kind), "mt", "ref")
        assert type(caught.value).__module__.partition(".")[0] in ("polars", "pyspark")
        return False
    found = entry(made(kind), "mt", "ref")
    assert found == (want.score if isinstance(found, float) else want)
    return True


def documented(kind):
    """Return what the page says about a type, for each engine."""
    [header] = re.findall(r"(?m)^\| Arrow type \|.*", PAGE.read_text("utf-8"))
    [row] = re.findall(rf"(?m)^\| {kind} \|.*", PAGE.read_text("utf-8"))
    names, cells = ([cell.strip(" `") for cell in each.split("|")[3:-1]] for each in (header, row))
    assert names == ["lists", *entries.ENTRIES]
    return dict(zip(names, cells, strict=True))


def check_the_table(name, subtests):
    """Check that every entry of an engine scores every type, if the page says so."""
    for kind in (*TEXTS, *LIST_TYPES):
        for entry in entries.ENTRIES[name]:
            with subtests.test(kind=kind, entry=entry.__name__):
                # The page says it of the library.
                expected = "no" if (entry, kind) in IMPOSSIBLE else documented(kind)[name]
                assert expected == ("yes" if is_scored(entry, kind) else "no")


# Engines warn once in a process, of what they have seen in any call.
@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
@pytest.mark.parametrize("name", ["files", "arrow", "polars", "duckdb"])
def test_the_documented_table(name, subtests):
    """Every type of the page is scored by every engine, as the page says."""
    check_the_table(name, subtests)


@pytest.mark.parametrize("kind", [*TEXTS, *LIST_TYPES])
def test_types_of_lists(kind):
    """Columns of Arrow are lists of texts, too."""
    want = wanted(ROWS, ["ref_a" if kind in TEXTS else "refs"])
    assert documented(kind)["lists"] == "yes"
    assert Bleu().corpus(made(kind)["mt"], made(kind)["ref"]) == want


class TestSpark:
    """Types in data frames of Spark, and in Parquet files that its executors read."""

    pytestmark = entries.SLOW

    @pytest.mark.usefixtures("spark")
    def test_the_documented_table(self, subtests):
        """Data frames hold what the page says; files hold all types."""
        check_the_table("spark", subtests)

    @pytest.mark.parametrize("kind", ["STRING COLLATE UNICODE_CI", "VARCHAR(9000)", "CHAR(9000)"])
    def test_texts_of_spark(self, spark, kind):
        """Texts with a collation or a length are text, as columns and in arrays."""
        from truebleu.engines.spark import corpus_score

        spark.createDataFrame(pa.table(PAIRS)).createOrReplaceTempView("pairs")
        frame = spark.sql(f"SELECT mt::{kind} AS mt, ref::{kind} AS ref FROM pairs")
        assert corpus_score(frame, "mt", "ref") == WANT
        lists = frame.selectExpr("mt", "array(ref) AS ref")
        assert corpus_score(lists, "mt", "ref") == WANT

    @pytest.mark.parametrize("kind", ["category", "string"])
    def test_types_of_pandas(self, spark, kind):
        """Frames of pandas become columns of strings, if Spark takes them at all."""
        from truebleu.engines.spark import corpus_score

        frame = spark.createDataFrame(pd.DataFrame(PAIRS, dtype=kind))
        assert corpus_score(frame, "mt", "ref") == WANT


class TestRay:
    """Types in data sets of Ray."""

    pytestmark = entries.SLOW

    @pytest.mark.usefixtures("ray")
    def test_the_documented_table(self, monkeypatch, subtests):
        """Blocks are tables of Arrow, and hold what these do."""
        # In tests alone, Ray refuses what it cannot send in the fastest way, such as views.
        monkeypatch.delenv("PYTEST_CURRENT_TEST")
        check_the_table("ray", subtests)

    @pytest.mark.parametrize("kind", ["category", "string"])
    def test_types_of_pandas(self, ray, kind):
        """Blocks of pandas become tables of Arrow."""
        from truebleu.engines.ray import corpus_score

        data = ray.data.from_pandas(pd.DataFrame(PAIRS, dtype=kind))
        assert corpus_score(data, "mt", "ref") == WANT


PAIRS = {"mt": ROWS["mt"].to_pylist(), "ref": ROWS["ref_a"].to_pylist()}
WANT = wanted(ROWS, ["ref_a"])
WANT_OF_LISTS = wanted(ROWS, ["refs"])


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(sorted({*PAIRS["mt"], *PAIRS["ref"]}))])
def test_types_of_polars(kind):
    """Categorical and Enum are text, and Array is a list."""
    frame = pl.DataFrame(PAIRS, schema=dict.fromkeys(PAIRS, kind))
    assert arrow.corpus_score(frame, "mt", "ref") == WANT
    assert Bleu().corpus(frame["mt"], frame["ref"]) == WANT
    lists = frame.with_columns(pl.Series("ref", LISTS, pl.Array(pl.String, 2)))
    assert arrow.corpus_score(lists, "mt", "ref") == WANT_OF_LISTS
    score = pl.col("mt").truebleu.corpus_score("ref")
    assert lists.lazy().select(score).collect().item() == WANT_OF_LISTS.score
    assert frame.lazy().select(score).collect(engine="streaming").item() == WANT.score
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", frame)
        score = "SELECT bleu_corpus_score(mt, ref) FROM data"
        assert connection.execute(score).fetchone() == (WANT.score,)


@pytest.mark.parametrize("kind", ["category", "string", "str", object])
def test_types_of_pandas(kind):
    """Every type of text of pandas is text; a category that no row has is no group."""
    frame = pd.DataFrame(PAIRS, dtype=kind)
    assert arrow.corpus_score(frame, "mt", "ref") == WANT
    sides = pd.Categorical(["one"] * len(frame), ["none", "one"])
    assert len(arrow.corpus_score(frame.assign(side=sides), "mt", "ref", group_by="side")) == 1


def test_types_of_duckdb(tmp_path):
    """ENUM is text, and so are lists of it; ARRAY is a list."""
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", pa.table(PAIRS | {"refs": LISTS}))
        connection.execute("""
            CREATE TYPE texts AS ENUM (SELECT DISTINCT unnest([mt, ref]) FROM data);
            CREATE TABLE t AS SELECT mt::texts AS mt, ref::texts AS ref, [ref]::texts[] AS one,
                refs::VARCHAR[2] AS pair, [ref, mt]::texts[2] AS two FROM data
        """)
        for column, want in (("ref", WANT), ("one", WANT), ("pair", WANT_OF_LISTS)):
            found = connection.execute(f"SELECT bleu_corpus_score(mt, {column}) FROM t")
            assert found.fetchall() == [(want.score,)]
        found = connection.execute("SELECT bleu_corpus_score(mt, two) FROM t").fetchall()
        assert found[0][0] == pytest.approx(100)
        relation = connection.sql("FROM t")
        assert arrow.corpus_score(relation, "mt", "pair") == WANT_OF_LISTS
        assert arrow.corpus_score(relation, "mt", ["one", "ref"]).ref_len == WANT.ref_len
        feather.write_feather(relation.to_arrow_table(), tmp_path / "a.arrow")
    path = str(tmp_path / "a.arrow")
    assert arrow.corpus_score(path, "mt", "pair") == WANT_OF_LISTS
    mixed = wanted(
        pa.table({"mt": PAIRS["mt"], "ref": PAIRS["ref"], "refs": LISTS}), ["ref", "refs"]
    )
    assert arrow.corpus_score(path, "mt", ["one", "pair"]) == mixed
    texts, references = arrow.read_texts(path, ["mt"], ["ref", "pair"])
    assert texts == [PAIRS["mt"]]
    assert references == [[one, *several] for one, several in zip(PAIRS["ref"], LISTS, strict=True)]


class TestStreams:
    """Batches and data sets of Arrow, however small and whatever else they have."""

    @pytest.mark.parametrize("as_table", [True, False])
    @pytest.mark.parametrize("group_by", [None, "system"])
    def test_small_batches_are_joined(self, as_table, group_by, monkeypatch):
        """20,000 batches of one row are counted in few calls, and score as one batch."""
        calls = []
        count = arrow.count_columns

        def counting(*arguments, **more):
            calls.append(1)
            return count(*arguments, **more)

        monkeypatch.setattr(arrow, "count_columns", counting)
        table = pa.concat_tables([TABLE] * 93).slice(0, 20_000).combine_chunks()
        small = [table.slice(row, 1).to_batches()[0] for row in range(len(table))]
        want = arrow.corpus_score(table, "mt", "ref_a", group_by=group_by)
        calls.clear()
        given = pa.Table.from_batches(small) if as_table else None
        given = given or pa.RecordBatchReader.from_batches(table.schema, small)
        assert arrow.corpus_score(given, "mt", "ref_a", group_by=group_by) == want
        assert len(calls) <= 4

    @pytest.mark.parametrize("size", [1, 7, 16_384, 16_385, 65_536, 65_537, 140_000])
    def test_pieces_of_any_size(self, size):
        """No row is lost or counted twice, wherever batches begin and end."""
        table = pa.table({"mt": [str(i % 7) for i in range(140_000)], "ref": ["1"] * 140_000})
        want = arrow.stats(table, "mt", "ref", max_order=1)
        empty = table.schema.empty_table().to_batches() or [
            pa.RecordBatch.from_pylist([], schema=table.schema)
        ]
        if size < 100:
            table, want = table.slice(0, 5_000), want.slice(0, 5_000)
        batches = [*empty, *table.to_batches(max_chunksize=size), *empty]
        for given in (
            pa.RecordBatchReader.from_batches(table.schema, batches),
            pa.Table.from_batches(batches),
        ):
            assert arrow.stats(given, "mt", "ref", max_order=1).equals(want)

    def test_data_sets(self, tmp_path):
        """A data set, a part of one and a scanner are read as streams of the columns needed."""
        columns = TABLE.append_column("other", pa.array([b"\xff"] * len(TABLE)))
        for number in range(3):
            pq.write_table(columns.slice(72 * number, 72), tmp_path / f"{number}.parquet")
        found = ds.dataset(tmp_path)
        want = wanted(TABLE, ["ref_a"])
        for given in (found, found.scanner(), ds.dataset(columns)):
            assert arrow.corpus_score(given, "mt", "ref_a") == want
            assert arrow.segment_score(given, "mt", "ref_a").to_pylist()
        half = found.filter(ds.field("half") == 1)
        assert arrow.corpus_score(half, "mt", "ref_a") == wanted(
            TABLE.filter(pa.compute.equal(TABLE["half"], 1)), ["ref_a"]
        )
        groups = arrow.corpus_score(found, "mt", "ref_a", group_by="system")
        assert groups["segments"].to_pylist() == [72, 72, 72]
        with pytest.raises(UnknownNameError, match="no column 'x'; the columns are system, half"):
            arrow.corpus_score(found, "x", "ref_a")
        stored = arrow.stats(found, "mt", "ref_a")
        pq.write_table(stored, tmp_path / "stats")
        assert arrow.score_stats(ds.dataset(tmp_path / "stats")).score == want.score
