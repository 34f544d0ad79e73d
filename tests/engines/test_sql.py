"""Functions in SQL work from every connection; whatever a user writes into SQL stays what it is."""

import gc
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from looping import looped
from tables_of_text import ANY_METRIC, MATCHES, TABLE, as_metric, wanted
from toy_metrics import ExactMatch
from truebleu import Bleu, Stats
from truebleu.cli import main
from truebleu.engines import arrow
from truebleu.engines.duckdb import register

SCORE = "bleu_corpus_score(mt, ref_a)"
WANT = wanted(TABLE, ["ref_a"]).score


class TestConnections:
    """The functions are there in every connection to a database, as long as it is open."""

    @looped("metric", ANY_METRIC)
    def test_cursors_of_a_database_in_memory(self, metric):
        """They have the functions of their connection, before they register and after."""
        name = as_metric(metric).identifier
        want = wanted(TABLE, ["ref_a"], metric).score
        with duckdb.connect() as connection:
            register(connection, metric=metric)
            connection.register("data", TABLE)
            connection.execute("CREATE TABLE t AS FROM data")
            cursor = connection.cursor()
            query = f"SELECT {name}_corpus_score(mt, ref_a) FROM t"
            assert cursor.execute(query).fetchone() == (want,)
            for _ in range(2):
                register(cursor, metric=metric)
                # Nothing is left unfinished on the connection.
                assert cursor.sql(query).fetchall() == [(want,)]

    def test_connections_to_one_file(self, tmp_path):
        """Each that has registered scores, also when the first is closed; nothing is stored."""
        path = str(tmp_path / "a.db")
        first, second = duckdb.connect(path), duckdb.connect(path)
        first.register("data", TABLE)
        first.execute("CREATE TABLE t AS FROM data")
        register(first)
        register(second)
        third = second.cursor()
        register(third)
        first.close()
        del first
        gc.collect()
        # Whatever takes the place of freed memory.
        others = [object() for _ in range(10_000)]
        for connection in (third, second):
            assert connection.execute(f"SELECT {SCORE} FROM t").fetchone() == (WANT,)
            connection.close()
        assert others
        with duckdb.connect(path) as again:
            found = again.execute("SELECT * FROM duckdb_functions() WHERE function_name ~ 'bleu'")
            assert found.fetchall() == []
            register(again)
            assert again.execute(f"SELECT {SCORE} FROM t").fetchone() == (WANT,)

    @pytest.mark.parametrize("in_memory", [True, False])
    def test_twenty_at_once(self, in_memory, tmp_path):
        """Threads that register and score different data do not disturb each other."""
        path = ":memory:" if in_memory else str(tmp_path / "a.db")
        parts = [TABLE.slice(10 * number, 10) for number in range(20)]
        with duckdb.connect(path) as connection:

            def score(part):
                cursor = connection.cursor() if in_memory else duckdb.connect(path)
                with cursor:
                    register(cursor)
                    cursor.register("part", part)
                    return cursor.execute(f"SELECT {SCORE} FROM part").fetchone()[0]

            with ThreadPoolExecutor(20) as pool:
                found = list(pool.map(score, parts))
        assert found == [wanted(part, ["ref_a"]).score for part in parts]

    def test_other_settings_need_a_prefix(self):
        """One name means one metric in a database, whichever connection registers it."""
        with duckdb.connect() as connection:
            register(connection)
            register(connection, metric=Bleu())
            for other in (connection, connection.cursor()):
                with pytest.raises(truebleu.SettingsError, match="for another metric or other set"):
                    register(other, tokenizer="char")
                register(other, prefix="c_", tokenizer="char")
            register(connection, prefix="sent_", smoothing="method5")
            query = "SELECT sent_bleu_segment_score('a b c d', 'a b c e')"
            assert connection.sql(query).fetchall()[0][0] > 0
            with pytest.raises(duckdb.Error, match="sent_bleu_corpus_score"):
                connection.sql("SELECT sent_bleu_corpus_score('a', 'a')")
            connection.create_function("ter_stats", lambda: 1, [], "INTEGER")
            with pytest.raises(truebleu.SettingsError, match="a function 'ter_stats' already"):
                register(connection, metric="ter")


@pytest.fixture
def connection():
    """Return a connection with functions for BLEU, and a table."""
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", TABLE)
        connection.execute("CREATE TABLE t AS SELECT row_number() OVER () AS day, * FROM data")
        yield connection


class TestSums:
    """What DuckDB's own sums give is scored as it is."""

    def test_sums_of_columns(self, connection):
        """A row of sums is scored, HUGEINT or not, whatever else is in the row."""
        query = """
            WITH counted AS (SELECT system, unnest(bleu_stats(mt, ref_a)) FROM t),
            sums AS (
                SELECT system, key, sum(COLUMNS(* EXCLUDE (system, key)))
                FROM counted GROUP BY system, key
            )
            SELECT system, bleu_score_stats(sums) FROM sums
        """
        for system, score in connection.execute(query).fetchall():
            rows = TABLE.filter(pa.compute.equal(TABLE["system"], system))
            assert score == wanted(rows, ["ref_a"]).score

    def test_windows(self, connection):
        """Statistics of a moving window are sums, too."""
        query = """
            WITH counted AS (SELECT day, unnest(bleu_stats(mt, ref_a)) FROM t),
            week AS (
                SELECT day, key, sum(COLUMNS(* EXCLUDE (day, key)))
                    OVER (ORDER BY day ROWS 6 PRECEDING)
                FROM counted
            )
            SELECT day, bleu_score_stats(week) FROM week ORDER BY day
        """
        found = connection.execute(query).fetchall()
        assert len(found) == len(TABLE)
        for day, score in found[:30]:
            start = max(0, day - 7)
            assert score == wanted(TABLE.slice(start, day - start), ["ref_a"]).score

    def test_chosen_and_distinct_rows(self, connection):
        """Without FILTER and DISTINCT, a CASE and a subquery do the same."""
        query = """
            SELECT bleu_score_stats(bleu_sum(CASE WHEN half = 0 THEN bleu_stats(mt, ref_a) END)),
                (SELECT bleu_corpus_score(mt, ref_a) FROM (SELECT DISTINCT mt, ref_a FROM t))
            FROM t
        """
        half = TABLE.filter(pa.compute.equal(TABLE["half"], 0))
        pairs = TABLE.select(["mt", "ref_a"])
        distinct = pairs.group_by(["mt", "ref_a"]).aggregate([])
        assert connection.execute(query).fetchone() == (
            wanted(half, ["ref_a"]).score,
            wanted(distinct, ["ref_a"]).score,
        )

    @looped(
        "query, message",
        [
            ("bleu_corpus_score(DISTINCT mt, ref_a)", "only applicable to window and aggregate"),
            ("bleu_corpus_score(mt, ref_a) FILTER (half = 0)", "only applicable to window and"),
            ("bleu_corpus_score(mt, ref_a) OVER ()", "exactly one aggregate function"),
            ("bleu_score_stats(1)", "statistics are a struct, but this is of type int32"),
            ("bleu_score_stats({hyp_len: 1})", "there is no column 'ref_len'"),
            ("bleu_segment_score(NULL::VARCHAR, ref_a)", "column 'hypotheses' has nulls"),
            ("bleu_corpus_score(NULL::VARCHAR, ref_a)", "column 'hypotheses' has nulls"),
            ("bleu_segment_score(mt, NULL::VARCHAR)", "no reference.*'references' is null"),
            ("bleu_segment_score(mt, half)", "column 'references' is a column of Int64"),
            ("bleu_segment_score(mt)", "0 references given: one is needed"),
            ("bleu_segment_score(mt, ref_a, ref_a)", "2 references given: one is needed, or a li"),
        ],
    )
    def test_what_is_refused(self, connection, query, message):
        """Nothing that is no sum of all rows is taken for one."""
        with pytest.raises(duckdb.Error, match=message):
            connection.execute(f"SELECT {query} FROM t").fetchall()

    def test_sums_as_tables(self, connection):
        """Decimals that are whole numbers are read as statistics; fractions and floats are not."""
        query = """
            SELECT key, sum(COLUMNS(* EXCLUDE key))
            FROM (SELECT unnest(bleu_stats(mt, ref_a)) FROM t) GROUP BY key
        """
        table = connection.sql(query).to_arrow_table()
        assert pa.types.is_decimal(table.schema.field("hyp_len").type)
        for found in (table, pl.from_arrow(table)):
            assert Bleu().score(Stats.from_table(found, like=Bleu())).score == WANT
        assert arrow.score_stats(connection.sql(query)).score == WANT
        columns = {name: table[name].to_numpy() for name in table.column_names}
        for wrong in (Decimal("1.5"), Decimal("NaN"), Decimal(2**63), None, 1.0):
            changed = columns | {"hyp_len": np.array([wrong], dtype=object)}
            with pytest.raises(truebleu.InputError, match=r"whole numbers|int64"):
                Stats.from_table(changed, like=Bleu())
        with pytest.raises(truebleu.InputError, match="float64"):
            Stats.from_table(connection.sql(query).df(), like=Bleu())

    def test_sums_in_files(self, connection, tmp_path):
        """Sums that are stored as decimals are added up; those stored as floats are refused."""
        query = "SELECT key, sum(COLUMNS(* EXCLUDE key)) FROM s GROUP BY key"
        connection.execute("CREATE TABLE s AS SELECT unnest(bleu_stats(mt, ref_a)) FROM t")
        path = str(tmp_path / "a.parquet")
        pq.write_table(connection.sql(query).to_arrow_table(), path)
        assert arrow.score_stats(path).score == WANT
        connection.execute(f"COPY ({query}) TO '{path}'")
        with pytest.raises(truebleu.InputError, match="of type double; cast sums to int64"):
            arrow.score_stats(path)


# What a user writes into SQL: names of columns, conditions, prefixes, names of metrics and fields.

NAMES = [
    *('"', "\"; COPY (SELECT 1) TO 'written.csv'; --", "a\", 'b", "(SELECT 1)", "count(*)", "*"),
    *("select", "x); DROP TABLE t; --", "/* a */ --", "?", "a\nb", "{a} %s \\ é 🦊"),
]
TEXTS = pa.table({"mt": ["a b c d", "a b c e"], "ref": ["a b c d"] * 2, "id": ["x", "y"]})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder, and fail if anything is written there that a test does not name."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert {path.name for path in tmp_path.iterdir()} <= {"a.parquet"}


@pytest.mark.parametrize("name", NAMES)
class TestNamesOfColumns:
    """A name is that of a column, whatever SQL it might be."""

    @pytest.mark.parametrize("place", ["mt", "ref", "id"])
    def test_columns_that_are_there(self, name, place, folder, capsys):
        """Hypotheses, references and groups are found by their names."""
        pq.write_table(TEXTS.rename_columns({place: name}), "a.parquet")
        names = {"mt": "mt", "ref": "ref", "id": "id", place: name}
        want = wanted(TEXTS, ["ref"])
        given = ("a.parquet", names["mt"], names["ref"])
        assert arrow.corpus_score(*given) == want
        found = arrow.corpus_score(*given, group_by=names["id"])
        assert found[names["id"]].to_pylist() == ["x", "y"]
        assert arrow.segment_score(*given)[0].as_py() == pytest.approx(100)
        columns = ["--hypothesis-column", names["mt"], "--reference-column", names["ref"]]
        assert main(["score", "a.parquet", *columns, "--score-only"]) == 0
        assert capsys.readouterr().out == f"{want.score:.2f}\n"

    def test_columns_that_are_missing(self, name, folder):
        """A name that no column has is refused before any query."""
        pq.write_table(TEXTS, "a.parquet")
        for names in ((name, "ref"), ("mt", name), ("mt", ["ref", name])):
            with pytest.raises(truebleu.errors.UnknownNameError, match="there is no column"):
                arrow.corpus_score("a.parquet", *names)
        for call in (arrow.corpus_score, arrow.score_stats):
            given = ["mt", "ref"] if call is arrow.corpus_score else []
            with pytest.raises(truebleu.errors.UnknownNameError, match="there is no column"):
                call("a.parquet", *given, group_by=["id", name])

    def test_fields_of_a_metric(self, name, folder):
        """The names of fields are quoted, in files and in SQL."""

        class Odd(ExactMatch):
            fields = (name.replace("\n", " "), "segments")

        want = wanted(MATCHES, ["ref_a"], ExactMatch()).score
        pq.write_table(MATCHES, "a.parquet")
        assert arrow.corpus_score("a.parquet", "mt", "ref_a", metric=Odd()).score == want
        with duckdb.connect() as connection:
            register(connection, metric=Odd())
            query = "SELECT exact_match_corpus_score(mt, ref_a) FROM 'a.parquet'"
            assert connection.execute(query).fetchone() == (want,)

    def test_prefixes_and_identifiers(self, name, folder):
        """They become parts of names of functions, and are refused unless they are plain."""

        class Odd(ExactMatch):
            identifier = f"{name} x"

        with duckdb.connect() as connection:
            for given in ({"prefix": f"{name} "}, {"prefix": f"{name})("}, {"metric": Odd()}):
                with pytest.raises(truebleu.SettingsError, match="letters, digits and _ are need"):
                    register(connection, **given)
