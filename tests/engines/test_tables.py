"""Files of tables: every format, on the command line too, and what is refused."""

import contextlib
import gzip
import json
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
import zstandard
from looping import looped
from pyarrow import feather, ipc
from tables_of_text import EXAMPLES, MATCHES, SYSTEMS, TABLE, lists_of, wanted
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, InputError, Metric
from truebleu.cli import main
from truebleu.engines import arrow, formats, table_sql, tables
from truebleu.engines.formats import FORMATS
from truebleu.engines.job import Job


def write(table, path):
    """Write a table as what its name says."""
    kind = path.suffix
    rows_ = table.to_pylist()
    if kind in {".parquet", ".pq"}:
        pq.write_table(table, path)
    elif kind == ".feather":
        feather.write_feather(table, path, compression="lz4")
    elif kind in {".arrow", ".ipc", ".arrows"}:
        make = ipc.new_stream if kind == ".arrows" else ipc.new_file
        with make(path, table.schema) as writer:
            writer.write_table(table, 5)
    elif kind in {".jsonl", ".ndjson"}:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows_), "utf-8")
    else:
        mark, quote = (",", '"') if kind == ".csv" else ("\t", "")
        cells = [table.column_names, *(map(str, row.values()) for row in rows_)]
        double = {'"': '""'} if quote else {}
        text = "".join(
            mark.join(quote + "".join(double.get(c, c) for c in cell) + quote for cell in row)
            + "\n"
            for row in cells
        )
        path.write_text(text, "utf-8")
    return str(path)


# Text that a reader might take for something else.
TRICKY = pa.table(
    {
        "id": ["007", "8", "9", "10", "11", "12"],
        "mt": ["2017-01-02", "3", 'he said "hi', "", "true", "a, b"],
        "ref": ["2017-01-02", "3", '\'he said" "hi"', "NULL", "null", "a, b and c; \\N"],
    }
)


@looped("suffix", list(FORMATS))
def test_every_format(suffix, tmp_path):
    path = write(TRICKY, tmp_path / f"a [1] 'b'{suffix}")
    want = wanted(TRICKY, ["ref"])
    assert tables.corpus_score(path, "mt", "ref") == want
    found = tables.corpus_score(path, "mt", "ref", group_by="id", where="ref <> 'null' -- not all")
    assert found["id"].to_pylist() == sorted(i for i in TRICKY["id"].to_pylist() if i != "11")
    with tables.Tables(path, 1) as opened:
        job = Job("mt", "ref", metric=Bleu())
        assert opened.stats(job) == Bleu().stats(TRICKY["mt"], TRICKY["ref"])
        assert arrow.scored(opened.sums(job), job) == want


def test_one_query_at_a_time(tmp_path):
    """A query does not take the rows of another that has not ended: it is refused."""
    path = tmp_path / "a.csv"
    path.write_text("mt,ref\n" + "a b c d,a b c d\n" * 9)
    counted = Job("mt", "ref", metric=Bleu())
    with tables.Tables(str(path), 1) as opened:
        expected = opened.sums(counted)
        stream = opened.read(counted)
        with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="open result"):
            pool.submit(opened.sums, counted).result()
        assert stream.read_all().num_rows == 9
        assert opened.sums(counted) == expected


def test_compressed_text(tmp_path):
    path = write(TRICKY, tmp_path / "a.csv")
    packed = tmp_path / "b.csv.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    assert tables.corpus_score(str(packed), "mt", "ref") == wanted(TRICKY, ["ref"])


def test_folders_patterns_and_their_keys(tmp_path):
    for system in SYSTEMS:
        folder = tmp_path / f"system={system}"
        folder.mkdir()
        part = TABLE.filter(pa.array([row == system for row in TABLE["system"].to_pylist()]))
        write(part.drop_columns("system"), folder / "part.parquet")
    want = wanted(TABLE, ["ref_a"])
    assert tables.corpus_score(str(tmp_path), "mt", "ref_a") == want
    assert tables.corpus_score(str(tmp_path / "*" / "*.parquet"), "mt", "ref_a") == want
    paths = [str(path) for path in tmp_path.rglob("*.parquet")]
    assert tables.corpus_score(paths, "mt", "ref_a") == want
    found = tables.corpus_score(str(tmp_path), "mt", "ref_a", group_by="system")
    assert found["system"].to_pylist() == ["medium", "strong", "weak"]


@pytest.mark.filterwarnings("ignore:.* times as long as:truebleu.SettingsWarning")
def test_columns_in_another_order(tmp_path):
    write(TRICKY, tmp_path / "a.csv")
    write(TRICKY.select(["ref", "mt", "id"]), tmp_path / "b.csv")
    twice = pa.concat_tables([TRICKY, TRICKY])
    assert tables.corpus_score(str(tmp_path), "mt", "ref") == wanted(twice, ["ref"])
    write(TRICKY, tmp_path / "a.arrow")
    write(TRICKY.select(["ref", "mt", "id"]), tmp_path / "b.arrow")
    with pytest.raises(truebleu.InputError, match="has other columns than"):
        tables.corpus_score(str(tmp_path / "*.arrow"), "mt", "ref")


def test_files_that_are_refused(tmp_path):
    def refused(error, message, path, **more):
        with pytest.raises(error) as caught:
            tables.corpus_score(path if isinstance(path, list) else str(path), "mt", "ref", **more)
        assert message in str(caught.value)

    good = write(TRICKY, tmp_path / "a.csv")
    refused(truebleu.SettingsError, "where 'x = 3': Binder Error", good, where="x = 3")
    refused(truebleu.SettingsError, "where '1; DROP x': Parser", good, where="1; DROP x")
    refused(truebleu.SettingsError, "where ') UNION (': Parser", good, where=") UNION (")
    refused(truebleu.EmptyInputError, "no rows to score", good, where="false")
    assert len(tables.corpus_score(good, "mt", "ref", where="false", group_by="id")) == 0
    refused(FileNotFoundError, "No such file", tmp_path / "b.csv")
    refused(FileNotFoundError, "No such file", tmp_path / "*.parquet")
    (tmp_path / "empty").mkdir()
    refused(FileNotFoundError, "No such file", tmp_path / "empty")
    (tmp_path / "text.txt").write_text("a\n")
    refused(truebleu.SettingsError, "must end in .parquet, .pq", tmp_path / "text.txt")
    write(TRICKY, tmp_path / "a.jsonl")
    refused(truebleu.SettingsError, "of several formats: .csv, .jsonl", tmp_path)
    for name in ("bad.parquet", "bad.arrow", "bad.jsonl"):
        (tmp_path / name).write_bytes(b"this is {nothing of the kind}\n" * 9)
        refused(truebleu.InputError, name, tmp_path / name)


def test_an_interrupt_is_one(tmp_path, monkeypatch):
    """Ctrl-C while a batch is counted is Ctrl-C."""
    path = write(TRICKY, tmp_path / "a.parquet")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(arrow, "count_columns", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tables.corpus_score(path, "mt", "ref")


HOSTILE = [
    "1=1); COPY (SELECT 1) TO 'written.csv'; --",
    "1=1); ATTACH 'written.db'; --",
    "1=1); COPY (SELECT 1) TO 'a.csv' (USE_TMP_FILE false); --",
    "1=1; COPY (SELECT 1) TO 'written.csv'",
    "1=1); SET threads = 1; SELECT (1=1",
    "1=1) GROUP BY (1",
    "1=1) UNION SELECT (1",
    "1=1 UNION SELECT 1",
    "1=1) ORDER BY (1",
    "1=1 ORDER BY 1",
    "1=1) LIMIT (1",
    "1=1;; SELECT 1",
    "PRAGMA database_list",
    "SET threads = 1",
    "INSTALL httpfs",
    "COPY (SELECT 1) TO 'written.csv'",
    "/* 1=1",
    "id = $1",
    "id = ?",
    "count(*) > 0",
    "EXISTS (SELECT 1)",
    "id IN (SELECT secret FROM 'other.csv')",
    "id IN (SELECT secret FROM read_csv('other.csv'))",
    "(SELECT content FROM read_text('other.csv')) <> ''",
    "(SELECT count(*) FROM read_blob('other.csv')) > 0",
    "(SELECT count(*) FROM glob('*')) > 0",
    "(SELECT count(*) FROM read_csv('https://example.org/a.csv')) > 0",
    "(SELECT count(*) FROM duckdb_settings()) > 0",
    "(SELECT count(*) FROM outside) > 0",
    "len(ARRAY(SELECT 1)) > 0",
    "1 = ANY (SELECT 1)",
    "(FROM query('SELECT 1')) > 0",
    "(WITH x AS (FROM 'other.csv') SELECT count(*) FROM x) > 0",
    "list_transform([1], lambda x: (SELECT count(*) FROM 'other.csv'))[1] > 0",
    "getenv('HOME') <> ''",
    "read_text('other.csv') <> ''",
    "glob('*') <> ''",
    "query('SELECT 1') = 1",
]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
@looped("where", HOSTILE)
def test_a_condition_is_one_expression(where, suffix, tmp_path, monkeypatch):
    """Anything else is refused before it runs: nothing is written, nothing else is read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("secret\n007\n")
    outside = TRICKY
    path = write(TRICKY, tmp_path / f"a{suffix}")
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(truebleu.SettingsError, match=r"^where "):
        tables.corpus_score(path, "mt", "ref", where=where)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert len(outside)


@looped(
    "where",
    [
        "id = '007'",
        "id = '007' -- not the others",
        "id IN ('007', '; -- )') /* not the others */",
        "id = '007' OR id = 'SUBQUERY \"class\":\"SUBQUERY\"'",
        "list_contains(list_transform(['007'], lambda x: x), id)",
        "CASE WHEN id LIKE '00%' THEN true ELSE false END",
        "id NOT BETWEEN '1' AND '9' AND length(mt) > 0",
        "regexp_matches(id, '^00') AND (ref IS NOT NULL)",
        '"id"::INT < 8',
    ],
)
def test_conditions_that_are_allowed(where, tmp_path):
    """Whatever is computed from a row is an expression."""
    path = write(TRICKY, tmp_path / "a.parquet")
    assert tables.corpus_score(path, "mt", "ref", where=where) == wanted(TRICKY[:1], ["ref"])


# Each of a few rows takes far more time and memory than there are.
BOMBS = [
    "length(repeat(mt, 100000000)) > 0",
    "len(range(length(mt) + 10000000)) > 0",
    "list_sum(list_transform(range(length(mt) + 1000000), lambda x: x * x)) > 0",
    "length(list_reduce(string_split(repeat('ab', 11), ''), lambda x, y: x || x || mt)) > 0",
]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("where", BOMBS)
def test_a_condition_that_takes_too_long(where, suffix, tmp_path, monkeypatch):
    """It is tried on more and more rows, and stopped after some seconds, with what to do."""
    monkeypatch.setattr(table_sql, "_SECONDS", 0.2)
    path = write(pa.concat_tables([TRICKY] * 200), tmp_path / f"a{suffix}")
    with pytest.raises(truebleu.SettingsError) as caught:
        tables.corpus_score(path, "mt", "ref", where=where)
    assert str(caught.value) == (
        f"where {where!r}: trying it on the first 1,024 rows took more than 0.2 seconds, so it was "
        "stopped; compute less for each row, or store what it computes as a column"
    )


def test_a_condition_that_is_interrupted(tmp_path, monkeypatch):
    """While a condition is tried, Ctrl-C is Ctrl-C, and no fault of the condition."""
    monkeypatch.setattr(table_sql, "_SECONDS", 300)
    path = write(pa.concat_tables([TRICKY] * 200), tmp_path / "a.parquet")
    over = threading.Event()
    with tables.Tables(path, 1) as opened:

        def interrupt():
            while not over.wait(0.1):
                opened.connection.interrupt()

        thread = threading.Thread(target=interrupt)
        # It begins with the condition, and goes on: between two queries, there is nothing to end.
        monkeypatch.setattr(table_sql, "_check", lambda *_: thread.start())
        with pytest.raises(KeyboardInterrupt):
            opened.sums(Job("mt", "ref", metric=Bleu()), where=BOMBS[2])
        over.set()
        thread.join()


@looped("suffix", FORMATS)
@looped("other", ["K", "k"])
def test_columns_that_sql_takes_for_one(suffix, other, tmp_path):
    """Columns whose names differ only in case, or not at all, are refused if one is used."""
    path = tmp_path / f"a{suffix}"
    rows_ = [["k", other, "mt", "ref"], ["1", "3", "a", "a"]]
    if suffix in {".jsonl", ".ndjson"}:
        if other == "k":
            return  # DuckDB refuses JSON with the same key twice.
        path.write_text(json.dumps(dict(zip(*rows_, strict=True))) + "\n", "utf-8")
    elif suffix in {".csv", ".tsv", ".tab"}:
        mark = "," if suffix == ".csv" else "\t"
        path.write_text("".join(mark.join(row) + "\n" for row in rows_), "utf-8")
    else:
        write(pa.table([[cell] for cell in rows_[1]], rows_[0]), path)
    assert tables.corpus_score(str(path), "mt", "ref", max_order=1).score == 100
    for how in (*({"group_by": name} for name in ("k", other, f"{other}_1")), {"where": "K = '3'"}):
        with pytest.raises(truebleu.InputError, match="differ at most in case, which SQL ignores"):
            tables.corpus_score(str(path), "mt", "ref", **how)


def test_only_the_files_that_are_named_are_readable(tmp_path, monkeypatch):
    """Should a query ask for another file all the same, DuckDB refuses; nothing unlocks it."""
    monkeypatch.chdir(tmp_path)
    path = write(TRICKY, tmp_path / "a [1].csv")
    write(TRICKY, tmp_path / "other.csv")
    outside = TRICKY
    with tables.Tables(path, 1) as opened:
        assert opened.columns() == dict.fromkeys(outside.column_names, "VARCHAR")
        for query in (
            *("FROM 'other.csv'", "FROM read_text('other.csv')", "FROM glob('*')"),
            *("FROM outside", "COPY (SELECT 1) TO 'written.csv'", "ATTACH 'written.db'"),
            *("LOAD httpfs", "SET enable_external_access = true"),
            *("SET lock_configuration = false", "SET allowed_paths = ['other.csv']"),
        ):
            with pytest.raises(duckdb.Error):
                opened.connection.execute(query).fetchall()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("suffix", [".csv.gz", ".csv.zst", ".jsonl.gz", ".jsonl.zst"])
def test_a_compressed_table_is_whole(suffix, tmp_path):
    """A table that is cut, or whose checksum is wrong, is never scored in part."""
    compress = zstandard.ZstdCompressor(write_checksum=True).compress
    compress = gzip.compress if suffix.endswith(".gz") else compress
    kind = suffix.partition(".")[2].partition(".")[0]
    lines = Path(write(TRICKY, tmp_path / f"a.{kind}")).read_bytes().splitlines(keepends=True)
    # The first stream ends with a line, so that the text of it is a table.
    one, other = (compress(b"".join(part)) for part in (lines[:3], lines[3:]))
    packed = tmp_path / f"b{suffix}"
    packed.write_bytes(one + other)
    assert tables.corpus_score(str(packed), "mt", "ref") == wanted(TRICKY, ["ref"])
    flipped = bytes([other[-5] ^ 1])
    for damaged in (
        one + other[:-1],
        one + other[:3],
        (one + other)[:-5] + flipped + other[-4:],
        one + b"garbage",
        b"",
    ):
        packed.write_bytes(damaged)
        with pytest.raises(OSError, match="damaged: "):
            tables.corpus_score(str(packed), "mt", "ref")


NAMES = [
    *("~t", "~", "~/t", "a//t", "./t", "a/../t", "%20", "a b"),
    *("s3:/t", "'\"", "é", "日本", "a\nb"),
]


@pytest.mark.parametrize("name", NAMES)
@looped("suffix", [".csv", ".parquet", ".arrow", ".jsonl"])
def test_every_name_of_a_file(name, suffix, tmp_path, monkeypatch):
    """A name means the file of that name, from the folder it is in and from elsewhere."""
    folder = tmp_path / suffix[1:]
    folder.mkdir()
    monkeypatch.chdir(folder)
    path = Path(name + suffix)
    Path("a").mkdir()
    path.parent.mkdir(parents=True, exist_ok=True)
    write(TRICKY, path.absolute())  # Not only DuckDB takes some names for others.
    want = wanted(TRICKY, ["ref"])
    for given in (f"{name}{suffix}", f"{name}{suffix}/", f"./{name}{suffix}", folder / path):
        assert tables.corpus_score(str(given), "mt", "ref") == want
    assert tables.corpus_score(f"{path.parent}/*{suffix}", "mt", "ref") == want
    assert tables.corpus_score(f"*{suffix}" if path.parent == Path() else ".", "mt", "ref") == want
    if path.parent == Path("~"):
        assert tables.corpus_score("~", "mt", "ref") == want


def test_a_name_that_is_not_utf_8(tmp_path, capsys):
    """DuckDB cannot open it: it is refused by name, alone, in a folder, and on the command line."""
    path = tmp_path / os.fsdecode(b"b\xff.csv")
    try:
        write(TRICKY, path)
    except OSError:
        pytest.skip("not on this system")
    for given in (path, tmp_path, tmp_path / "*.csv"):
        with pytest.raises(truebleu.InputError, match=r"b\\udcff\.csv': the name .* rename"):
            tables.corpus_score(str(given), "mt", "ref")
    assert main(["score", str(path), "--hypothesis-column", "mt", "--reference-column", "ref"]) == 1
    assert "must be UTF-8" in capsys.readouterr().err


NOT_SQL = [5, 1.5, True, b"1=1", [], ["1=1"], {}, "\ud800", "\udcff", "id = '\udcff'"]


@looped("where", NOT_SQL)
def test_a_condition_is_a_text(where, tmp_path, capsys):
    """What DuckDB does not take for SQL is refused as a setting."""
    path = write(TRICKY, tmp_path / "a.csv")
    with pytest.raises(truebleu.SettingsError, match=r"^where "):
        tables.corpus_score(path, "mt", "ref", where=where)
    if isinstance(where, str):
        options = ["--hypothesis-column", "mt", "--reference-column", "ref", "--where", where]
        assert main(["score", path, *options]) == 2
        # A lone surrogate is no argument at all.
        assert re.search("where |argument '.*' has a character", capsys.readouterr().err)


HIDDEN = [
    *("_temporary/0/part.parquet", "_SUCCESS.parquet", ".part.parquet", ".hidden/part.parquet"),
    *("key=1/_tmp.parquet", "key=1/.spark-staging/part.parquet", "_old/key=2/part.parquet"),
]


@pytest.mark.filterwarnings("ignore:.* times as long as:truebleu.SettingsWarning")
def test_files_that_are_none_of_the_table(tmp_path):
    """Of folders and patterns, names that begin with ``_`` or ``.`` are skipped."""
    table = TRICKY.drop_columns("id")
    for name in ["key=1/part.parquet", "_key=2/part.parquet", *HIDDEN]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(table, tmp_path / name)
    twice = wanted(pa.concat_tables([TRICKY, TRICKY]), ["ref"])
    for path in (tmp_path, tmp_path / "**" / "*.parquet", tmp_path / "*" / "*.parquet"):
        assert tables.corpus_score(str(path), "mt", "ref") == twice
    # What is named is meant.
    for name in HIDDEN:
        assert tables.corpus_score(str(tmp_path / name), "mt", "ref") == wanted(TRICKY, ["ref"])
    found = tables.corpus_score(str(tmp_path / "_temporary"), "mt", "ref")
    assert found == wanted(TRICKY, ["ref"])
    assert tables.corpus_score(str(tmp_path / "_S*.parquet"), "mt", "ref") == found
    for pattern, names in (
        ("[_]temporary/*/*.parquet", 1),
        ("_*/*/*.parquet", 2),
        ("[_]S*.parquet", 1),
        ("key=1/_tmp.p*", 1),
        ("**/[_]tmp.parquet", 1),
        ("_key=2/_*.parquet", 0),
        # What is any name means none that is hidden.
        ("?*/*.parquet", 2),
        ("[!a]*/*.parquet", 2),
        ("?*.parquet", 0),
    ):
        path = str(tmp_path / pattern)
        if not names:
            with pytest.raises(FileNotFoundError):
                tables.corpus_score(path, "mt", "ref")
            continue
        want = wanted(pa.concat_tables([TRICKY] * names), ["ref"])
        assert tables.corpus_score(path, "mt", "ref") == want, pattern
    (tmp_path / "empty").mkdir()
    write(table, tmp_path / "empty" / "_part.parquet")
    with pytest.raises(FileNotFoundError):
        tables.corpus_score(str(tmp_path / "empty"), "mt", "ref")


LOGS = {
    "Delta Lake": "_delta_log/00000000000000000000.json",
    "Iceberg": "metadata/v1.metadata.json",
    "Hudi": ".hoodie/hoodie.properties",
    "Spark's streams": "_spark_metadata/0",
}
LIBRARIES = {"Delta Lake": "deltalake", "Iceberg": "pyiceberg"}


@pytest.mark.parametrize("kind", LOGS)
@pytest.mark.parametrize("installed", [True, False])
def test_files_of_tables_with_a_log(kind, installed, tmp_path, capsys, monkeypatch):
    """They are refused, with the way to read the table; a file that is named is not."""
    monkeypatch.setattr(formats, "find_spec", lambda name: "found" if installed else None)
    (tmp_path / LOGS[kind]).parent.mkdir()
    (tmp_path / LOGS[kind]).write_text("{}")
    (tmp_path / "day=1").mkdir()
    for name in ("old.parquet", "day=1/new.parquet"):
        write(TRICKY, tmp_path / name)
    said = f"a table of {kind}: its log says which files count. "
    if kind not in LIBRARIES:
        said += "Read it with spark.read"
    elif installed:
        said += "Give the folder itself"
    else:
        said += f"To read it, pip install polars {LIBRARIES[kind]}"
    for path in ("*.parquet", "**/*.parquet", "day=1", "day=*/*.parquet"):
        with pytest.raises(truebleu.InputError, match=re.escape(said)):
            tables.corpus_score(str(tmp_path / path), "mt", "ref")
    named = str(tmp_path / "old.parquet")
    assert tables.corpus_score(named, "mt", "ref") == wanted(TRICKY, ["ref"])
    options = ["--hypothesis-column", "mt", "--reference-column", "ref"]
    # There is nothing in this log, should it be read.
    assert main(["score", str(tmp_path), *options]) == 1
    expected = f"truebleu: {tmp_path}" + ": " * (installed and kind in LIBRARIES)
    assert expected in capsys.readouterr().err


def test_tables_of_delta_lake(tmp_path, capsys):
    """What the log says is scored: not what was deleted, and not what is replaced."""
    deltalake = pytest.importorskip("deltalake")
    folder = str(tmp_path / "a")
    deltalake.write_deltalake(folder, pa.concat_tables([TABLE, TABLE]))
    deltalake.write_deltalake(folder, TABLE.slice(0, 100), mode="overwrite")
    deltalake.write_deltalake(folder, TABLE.slice(100), mode="append")
    assert tables.corpus_score(folder, "mt", ["ref_a", "refs"]) == wanted(TABLE, ["ref_a", "refs"])
    found = tables.corpus_score(folder, "mt", "ref_a", group_by="system", where="half = 0")
    assert found["system"].to_pylist() == ["medium", "strong", "weak"]
    options = ["--hypothesis-column", "mt", "--reference-column", "ref_a", "--score-only"]
    assert main(["score", folder, *options]) == 0
    assert capsys.readouterr().out == f"{wanted(TABLE, ['ref_a']).score:.2f}\n"
    with pytest.raises(truebleu.SettingsError, match="is given alone"):
        tables.corpus_score([folder, write(TABLE, tmp_path / "b.parquet")], "mt", "ref_a")


def test_tables_of_iceberg(tmp_path, monkeypatch):
    """The metadata file names the state; if there are several, only a catalog knows the current."""
    catalogs = pytest.importorskip("pyiceberg.catalog.memory")
    monkeypatch.setenv("POLARS_ICEBERG_PLANNER", "pyiceberg")
    catalog = catalogs.InMemoryCatalog("test", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("n")
    made = catalog.create_table("n.t", schema=TABLE.schema)
    made.append(TABLE.slice(0, 100))
    first = made.metadata_location.removeprefix("file://")
    made.append(TABLE.slice(100))
    last = made.metadata_location.removeprefix("file://")
    for location, rows_ in ((first, TABLE.slice(0, 100)), (last, TABLE)):
        assert tables.corpus_score(location, "mt", "ref_a") == wanted(rows_, ["ref_a"])
    folder = Path(last).parent.parent
    with pytest.raises(truebleu.InputError, match="only the catalog knows which is current"):
        tables.corpus_score(str(folder), "mt", "ref_a")
    Path(last).rename(folder / "metadata" / "v3.metadata.json")
    (folder / "metadata" / "version-hint.text").write_text("3\n")
    assert tables.corpus_score(str(folder), "mt", "ref_a") == wanted(TABLE, ["ref_a"])


def test_addresses(tmp_path):
    """What stands at an address is scored as the same files here, with the same conditions."""
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    boto3 = pytest.importorskip("boto3")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options = {
        "aws_endpoint_url": f"http://{host}:{port}",
        "aws_region": "us-east-1",
        "aws_access_key_id": "a",
        "aws_secret_access_key": "b",
        "aws_allow_http": "true",
    }
    try:
        keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
        client = boto3.client("s3", endpoint_url=options["aws_endpoint_url"], **keys)
        client.create_bucket(Bucket="pairs")
        for suffix in (".parquet", ".arrow", ".jsonl", ".csv"):
            write(TABLE.select(["system", "mt", "ref_a"]), tmp_path / f"t{suffix}")
            client.upload_file(str(tmp_path / f"t{suffix}"), "pairs", f"day=1/t{suffix}")
        for name in ("t.parquet", "*.parquet", "t.arrow", "t.jsonl"):
            given = (f"s3://pairs/day=1/{name}", "mt", "ref_a")
            found = tables.corpus_score(*given, storage_options=options)
            assert found == wanted(TABLE, ["ref_a"])
            more = {"group_by": "system", "where": "system <> 'weak'"}
            found = tables.corpus_score(*given, **more, storage_options=options)
            assert found == tables.corpus_score(tmp_path / "t.parquet", "mt", "ref_a", **more)
        with pytest.raises(truebleu.SettingsError, match="download it, or store it as Parquet"):
            tables.corpus_score("s3://pairs/day=1/t.csv", "mt", "ref_a", storage_options=options)
        with pytest.raises(truebleu.InputError, match=r"s3://pairs/none\.parquet: "):
            tables.corpus_score("s3://pairs/none.parquet", "mt", "r", storage_options=options)
    finally:
        server.stop()


# Rows, and statistics that are stored

METRICS = [Bleu(), ExactMatch(), Misses()]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.identifier)
@pytest.mark.parametrize("references", [["ref_a"], ["refs", "ref_b"]])
def test_rows_in_the_order_of_the_files(metric, references, tmp_path):
    """Rows are counted and scored one by one, file after file."""
    paths = [
        write(part, tmp_path / f"{name}.parquet")
        for name, part in (("b", MATCHES.slice(0, 100)), ("a", MATCHES.slice(100)))
    ]
    lists = lists_of(MATCHES, references)
    counted = tables.stats(paths, "mt", references, metric=metric)
    assert metric._stats_type.from_table(counted, metric).data == metric.stats(*lists).data
    found = tables.sentence_score(paths, "mt", references, metric=metric, threads=2)
    assert found.to_pylist() == metric.sentences(*lists).tolist()
    some = tables.stats(paths, "mt", references, metric=metric, where="half = 1")
    assert len(some) == sum(MATCHES["half"].to_pylist())
    # What cannot be added up can be counted and scored row by row.
    alone = {"smoothing": "method5"}
    found = tables.sentence_score(paths, "mt", references, **alone)
    assert found.to_pylist() == Bleu(**alone).sentences(*lists).tolist()
    assert len(tables.stats(paths, "mt", references, **alone)) == len(MATCHES)


def stored_in(folder, suffix, metric):
    """Write the statistics of a table, with its groups; return the path."""
    stored = arrow.stats(MATCHES, "mt", "ref_a", metric=metric)
    for name in ("half", "system"):
        stored = stored.add_column(0, name, MATCHES[name])
    return write(stored, folder / f"stored{suffix}")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.identifier)
@looped("suffix", list(FORMATS))
def test_stored_statistics(suffix, metric, tmp_path):
    """Statistics in files of any format are added up and scored as the texts would be."""
    path = stored_in(tmp_path, suffix, metric)
    want = wanted(MATCHES, ["ref_a"], metric)
    found = tables.score_stats(path, metric=metric)
    assert (found.score, found.row) == (want.score, want.row)
    assert found.signature == metric._scoped(segment=False).signature
    scores = tables.score_stats(path, group_by=["system"], where="half = 0", metric=metric)
    assert scores["system"].to_pylist() == ["medium", "strong", "weak"]
    for system, score in zip(scores["system"].to_pylist(), scores[metric.identifier], strict=True):
        rows_ = [row["system"] == system and row["half"] == 0 for row in MATCHES.to_pylist()]
        assert score.as_py() == wanted(MATCHES.filter(rows_), ["ref_a"], metric).score


def test_stored_statistics_of_others_are_refused(tmp_path):
    """Only whole numbers with the right key are added up."""
    path = stored_in(tmp_path, ".csv", ExactMatch())
    good = Path(path).read_text()
    metric = ExactMatch()

    def refused(error, message, text=good, path=path, metric=metric, **more):
        Path(path).write_text(text)
        with pytest.raises(error) as caught:
            tables.score_stats(path, metric=metric, **more)
        assert message in str(caught.value)

    refused(truebleu.StatsMismatchError, "these statistics have the key", metric=Misses())
    refused(truebleu.UnknownNameError, "no column 'hyp_len'; statistics are sto", metric=Bleu())
    refused(truebleu.UnknownNameError, "there is no column 'x'; the columns are", group_by="x")
    refused(truebleu.EmptyInputError, "no rows to score", where="false")
    assert len(tables.score_stats(path, metric=metric, where="false", group_by="half")) == 0
    refused(truebleu.SettingsError, "where 'x': Binder Error", where="x")
    refused(truebleu.SettingsError, "only defined for one", metric=Bleu(smoothing="method5"))
    header, first, *rest = good.splitlines(keepends=True)
    key = first.rpartition(",")[2].strip().strip('"')
    cells = first.replace('"', "").strip().split(",")
    for place, text, error, name in (
        (2, "1.5", truebleu.InputError, "matches"),
        (3, "", truebleu.InputError, "segments"),
        (3, "one", truebleu.InputError, "segments"),
        (4, "", truebleu.StatsMismatchError, "key"),
    ):
        changed = [*cells[:place], text, *cells[place + 1 :]]
        message = f"never null, but {name!r} has something else"
        refused(error, message, "".join([header, ",".join(changed) + "\n", *rest]))
    large = [*cells[:3], str(2**63 - 1), key]
    refused(truebleu.InputError, "int64", "".join([header, ",".join(large) + "\n", *rest]))
    negative = [*cells[:3], "-500", key]
    changed = "".join([header, ",".join(negative) + "\n", *rest])
    refused(truebleu.InputError, ", but counts are not negative", changed)
    floats = tmp_path / "floats.jsonl"
    refused(
        truebleu.InputError,
        "column 'matches' is of type DOUBLE",
        f'{{"matches": 1.0, "segments": 1, "key": {key}}}\n',
        str(floats),
    )


def test_any_metric_in_files(tmp_path):
    """A metric may have any fields, and count with a function of Python."""

    class Lengths(Metric):
        name, identifier = "Length", "length"
        fields = ('of "hypotheses"', "of references", "counted")

        def count(self, hypotheses, references):
            pairs = zip(hypotheses, references, strict=True)
            return [[len(text), len(several[0]), 7] for text, several in pairs]

        def scores(self, rows):
            return rows[:, 0] / rows[:, 1]

    path = write(TABLE, tmp_path / "a.parquet")
    found = tables.corpus_score(path, "mt", "ref_a", metric=Lengths(), group_by="system")
    assert len(found) == 3
    want = sum(map(len, TABLE["mt"].to_pylist()))
    assert sum(found['of "hypotheses"'].to_pylist()) == want

    class Fails(ExactMatch):
        def count(self, hypotheses, references):
            raise ZeroDivisionError("of this metric")

    with pytest.raises(ZeroDivisionError, match="of this metric"):
        tables.corpus_score(path, "mt", "ref_a", metric=Fails())
    stored = stored_in(tmp_path, ".parquet", Lengths())
    assert tables.score_stats(stored, metric=Lengths()).row["counted"] == 7 * len(TABLE)


# The command


def run(capsys, *arguments):
    """Run the command."""
    code = main([str(each) for each in arguments])
    return code, *capsys.readouterr()


def test_command(tmp_path, capsys):
    path = write(TABLE, tmp_path / "a.parquet")
    chosen = ["score", path, "--hypothesis-column", "mt", "--reference-column", "ref_a"]
    named = [*chosen, "--reference-column", "ref_b"]
    want = wanted(TABLE, ["ref_a", "ref_b"])
    assert run(capsys, *named, "--score-only") == (0, f"{want.score:.2f}\n", "")
    code, out, _ = run(capsys, *named, "--group-by", "system,half")
    header, *found, signature = out.splitlines()
    assert (code, header.split()[:3], len(found)) == (0, ["system", "half", "BLEU"], 6)
    assert found[0].split()[:2] == ["medium", "0"]
    assert signature == want.signature
    _, out, _ = run(
        capsys, *named, "--group-by", "half", "--where", "system = 'weak'", "--format", "json"
    )
    assert [entry["half"] for entry in json.loads(out)] == [0, 1]
    _, out, _ = run(
        capsys, *named, "--hypothesis-column", "ref_a", "--group-by", "half", "--format", "tsv"
    )
    cells = [line.split("\t")[:3] for line in out.splitlines()]
    assert cells[0] == ["system", "half", "BLEU"]
    assert [row[0] for row in cells[1:]] == ["mt", "mt", "ref_a", "ref_a"]
    assert [row[2] for row in cells[3:]] == ["100.00", "100.00"]
    _, out, _ = run(capsys, *named, "--confidence", "--n-resamples", "50")
    assert "alpha:0.05|bs:50|" in out
    files = [EXAMPLES / f"{name}.en" for name in ("system-weak", "reference-a")]
    _, by_lines, _ = run(
        capsys, "score", files[0], "-r", files[1], "--confidence", "--format", "json"
    )
    weak = ["--where", "system = 'weak'"]
    _, by_column, _ = run(capsys, *chosen, *weak, "--confidence", "--format", "json")
    one, other = json.loads(by_lines)[0], json.loads(by_column)[0]
    assert one.pop("system") != other.pop("system")
    assert one == other
    for form in ("markdown", "latex"):
        code, out, _ = run(capsys, *named, "--group-by", "system", "--format", form)
        assert code == 0
        assert "weak" in out


def test_several_columns_of_references(tmp_path, capsys):
    """Commas separate columns, unless they are part of a name; a space ends them."""
    rows = [{"a": "x y", "r": "x y z", "s": "x y", "t,u": "x"}]
    path = str(write(pa.Table.from_pylist(rows), tmp_path / "a.parquet"))
    score = ["score", path, "-m", "chrf", "-b", "--hypothesis-column", "a"]
    one, two = "--reference-column=r", "--reference-column=s"
    expected = run(capsys, *score, one, two)
    assert expected[:2] == (0, "100.00\n")
    assert run(capsys, *score, "--reference-column", "r,s") == expected
    assert run(capsys, *score, "--reference-column=t,u")[1] != expected[1]
    assert run(capsys, *score, "--reference-column", "t,u,s")[0] == 2
    assert run(capsys, *score[:-2], "--hypothesis-column", "a,s", one)[1].count("\n") == 2
    assert run(capsys, *score, "--reference-column", "r", "s") == (
        2,
        "",
        "truebleu: there is no table 's'; if it is a column, repeat the option: "
        "--reference-column r --reference-column s\n",
    )
    assert run(capsys, *score[:1], *score[2:], "--reference-column", "r", path)[0] == 0


UNQUOTED = {
    "system=weak": "system='weak'",
    "system = online-A": "system = 'online-A'",
    "system=weak one ": "system='weak one'",
    'system = "weak"': "system = 'weak'",
    "half = 1 and system <> weak": "half = 1 and system <> 'weak'",
}


@pytest.mark.parametrize("where", UNQUOTED)
def test_text_without_quotes_in_a_condition(where, tmp_path):
    """The message has the condition with the quotes that are missing, and that one is valid."""
    path = write(TABLE, tmp_path / "a.parquet")
    with pytest.raises(truebleu.SettingsError) as error:
        tables.corpus_score(path, "mt", "ref_a", where=where)
    quoted = f'the double quotes of the condition: "{UNQUOTED[where]}"'
    assert str(error.value).endswith(f"; text needs single quotes, within {quoted}")
    with contextlib.suppress(truebleu.EmptyInputError):
        tables.corpus_score(path, "mt", "ref_a", where=UNQUOTED[where])


def test_columns_that_a_condition_means(tmp_path):
    """A name that is almost a column is answered with that, and any other with all columns."""
    path = write(TABLE, tmp_path / "a.parquet")
    for where, said in (
        ("sytem = 'weak'", "; did you mean system?"),
        ("ref_a = systm", "; did you mean system?"),
        ("zzz = 3", f"; the columns are {', '.join(TABLE.column_names)}"),
    ):
        with pytest.raises(truebleu.SettingsError) as error:
            tables.corpus_score(path, "mt", "ref_a", where=where)
        assert str(error.value).endswith(said)


@pytest.mark.parametrize(
    "error",
    [
        duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"),
        pa.lib.ArrowMemoryError("malloc of size 64 failed"),
        pa.ArrowInvalid("Out of Memory Error: Failed to allocate block (bad allocation)"),
        OSError("Memory mapping file failed: Cannot allocate memory"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_too_little_memory(tmp_path, error):
    """Where DuckDB or Arrow find too little memory, it is not the table that is wrong."""
    pq.write_table(TABLE, tmp_path / "table.parquet")
    opened = tables.Tables(str(tmp_path / "table.parquet"), 1)
    with opened, pytest.raises(MemoryError, match=re.escape(str(error))), opened._explained():
        raise error
