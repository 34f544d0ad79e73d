"""Files of tables: every format, on the command line too, and what is refused."""

import gzip
import json
import os
import re
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
import zstandard
from looping import looped
from pyarrow import feather, ipc
from tables_of_text import EXAMPLES, MATCHES, SYSTEMS, TABLE, lists_of, wanted
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Metric, Stats, errors
from truebleu.cli import main
from truebleu.engines import arrow, lakes
from truebleu.engines.files import FORMATS

# Toys are no text: their lines begin alike, or are those of another system.
pytestmark = pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)")


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
    assert arrow.corpus_score(path, "mt", "ref") == want
    found = arrow.corpus_score(path, "mt", "ref", group_by="id")
    assert found["id"].to_pylist() == sorted(TRICKY["id"].to_pylist())
    assert arrow.stats(path, "mt", "ref")["hyp_len"].to_pylist() == [
        row.hyp_len for row in map(Bleu().score, Bleu().stats(TRICKY["mt"], TRICKY["ref"]))
    ]


def test_compressed_text(tmp_path):
    path = write(TRICKY, tmp_path / "a.csv")
    packed = tmp_path / "b.csv.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    assert arrow.corpus_score(str(packed), "mt", "ref") == wanted(TRICKY, ["ref"])


def test_folders_patterns_and_their_keys(tmp_path):
    for system in SYSTEMS:
        folder = tmp_path / f"system={system}"
        folder.mkdir()
        part = TABLE.filter(pa.array([row == system for row in TABLE["system"].to_pylist()]))
        write(part.drop_columns("system"), folder / "part.parquet")
    want = wanted(TABLE, ["ref_a"])
    assert arrow.corpus_score(str(tmp_path), "mt", "ref_a") == want
    assert arrow.corpus_score(str(tmp_path / "*" / "*.parquet"), "mt", "ref_a") == want
    paths = [str(path) for path in tmp_path.rglob("*.parquet")]
    assert arrow.corpus_score(paths, "mt", "ref_a") == want
    found = arrow.corpus_score(str(tmp_path), "mt", "ref_a", group_by="system")
    assert found["system"].to_pylist() == ["medium", "strong", "weak"]


@pytest.mark.filterwarnings("ignore:.* times as long as:truebleu.SettingsWarning")
def test_columns_in_another_order(tmp_path):
    write(TRICKY, tmp_path / "a.csv")
    write(TRICKY.select(["ref", "mt", "id"]), tmp_path / "b.csv")
    twice = pa.concat_tables([TRICKY, TRICKY])
    assert arrow.corpus_score(str(tmp_path), "mt", "ref") == wanted(twice, ["ref"])
    write(TRICKY, tmp_path / "a.arrow")
    write(TRICKY.select(["ref", "mt", "id"]), tmp_path / "b.arrow")
    assert arrow.corpus_score(str(tmp_path / "*.arrow"), "mt", "ref") == wanted(twice, ["ref"])


def test_files_that_are_refused(tmp_path):
    def refused(error, message, path, **more):
        with pytest.raises(error) as caught:
            arrow.corpus_score(path if isinstance(path, list) else str(path), "mt", "ref", **more)
        assert message in str(caught.value)

    write(TRICKY, tmp_path / "a.csv")
    refused(FileNotFoundError, "No such file", tmp_path / "b.csv")
    refused(FileNotFoundError, "No such file", tmp_path / "*.parquet")
    (tmp_path / "empty").mkdir()
    refused(FileNotFoundError, "There is no table, whose name ends in .csv", tmp_path / "empty")
    (tmp_path / "text.txt").write_text("a\n")
    refused(truebleu.SettingsError, "must end in .csv, .tsv", tmp_path / "text.txt")
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
        arrow.corpus_score(path, "mt", "ref")


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
    assert arrow.corpus_score(str(packed), "mt", "ref") == wanted(TRICKY, ["ref"])
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
            arrow.corpus_score(str(packed), "mt", "ref")


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
        assert arrow.corpus_score(str(given), "mt", "ref") == want
    assert arrow.corpus_score(f"{path.parent}/*{suffix}", "mt", "ref") == want
    assert arrow.corpus_score(f"*{suffix}" if path.parent == Path() else ".", "mt", "ref") == want
    if path.parent == Path("~"):
        assert arrow.corpus_score("~", "mt", "ref") == want


def test_a_name_that_is_not_utf_8(tmp_path, capsys):
    """Text is read; what Arrow cannot open is refused by name, also on the command line."""
    path = tmp_path / os.fsdecode(b"b\xff.parquet")
    text = path.with_suffix(".csv")
    try:
        path.write_bytes(Path(write(TRICKY, tmp_path / "a.parquet")).read_bytes())
    except OSError:
        pytest.skip("not on this system")
    (tmp_path / "a.parquet").unlink()
    write(TRICKY, text)
    assert arrow.corpus_score(text, "mt", "ref") == wanted(TRICKY, ["ref"])
    text.unlink()
    for given in (path, tmp_path, tmp_path / "*.parquet"):
        with pytest.raises(truebleu.InputError, match=r"b\\udcff\.parquet': the name .* rename"):
            arrow.corpus_score(str(given), "mt", "ref")
    assert main(["score", str(path), "--hypothesis-column", "mt", "--reference-column", "ref"]) == 2
    assert "must be UTF-8" in capsys.readouterr().err


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
        assert arrow.corpus_score(str(path), "mt", "ref") == twice
    # What is named is meant.
    for name in HIDDEN:
        assert arrow.corpus_score(str(tmp_path / name), "mt", "ref") == wanted(TRICKY, ["ref"])
    found = arrow.corpus_score(str(tmp_path / "_temporary"), "mt", "ref")
    assert found == wanted(TRICKY, ["ref"])
    assert arrow.corpus_score(str(tmp_path / "_S*.parquet"), "mt", "ref") == found
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
                arrow.corpus_score(path, "mt", "ref")
            continue
        want = wanted(pa.concat_tables([TRICKY] * names), ["ref"])
        assert arrow.corpus_score(path, "mt", "ref") == want, pattern
    (tmp_path / "empty").mkdir()
    write(table, tmp_path / "empty" / "_part.parquet")
    with pytest.raises(FileNotFoundError):
        arrow.corpus_score(str(tmp_path / "empty"), "mt", "ref")


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
    monkeypatch.setattr(lakes, "find_spec", lambda name: "found" if installed else None)
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
        said += f"To read it, pip install {LIBRARIES[kind]}"
    for path in ("*.parquet", "**/*.parquet", "day=1", "day=*/*.parquet"):
        with pytest.raises(truebleu.InputError, match=re.escape(said)):
            arrow.corpus_score(str(tmp_path / path), "mt", "ref")
    named = str(tmp_path / "old.parquet")
    assert arrow.corpus_score(named, "mt", "ref") == wanted(TRICKY, ["ref"])
    options = ["--hypothesis-column", "mt", "--reference-column", "ref"]
    # There is nothing in this log, should it be read.
    assert main(["score", str(tmp_path), *options]) == 2
    expected = f"truebleu: {tmp_path}" + ": " * (installed and kind in LIBRARIES)
    assert expected in capsys.readouterr().err


def test_tables_of_delta_lake(tmp_path, capsys):
    """What the log says is scored: not what was deleted, and not what is replaced."""
    deltalake = pytest.importorskip("deltalake")
    folder = str(tmp_path / "a")
    deltalake.write_deltalake(folder, pa.concat_tables([TABLE, TABLE]))
    deltalake.write_deltalake(folder, TABLE.slice(0, 100), mode="overwrite")
    deltalake.write_deltalake(folder, TABLE.slice(100), mode="append")
    assert arrow.corpus_score(folder, "mt", ["ref_a", "refs"]) == wanted(TABLE, ["ref_a", "refs"])
    found = arrow.corpus_score(folder, "mt", "ref_a", group_by="system")
    assert found["system"].to_pylist() == ["medium", "strong", "weak"]
    options = ["--hypothesis-column", "mt", "--reference-column", "ref_a", "--score-only"]
    assert main(["score", folder, *options]) == 0
    assert capsys.readouterr().out == f"{wanted(TABLE, ['ref_a']).score:.2f}\n"
    with pytest.raises(truebleu.SettingsError, match="is given alone"):
        arrow.corpus_score([folder, write(TABLE, tmp_path / "b.parquet")], "mt", "ref_a")


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
        assert arrow.corpus_score(location, "mt", "ref_a") == wanted(rows_, ["ref_a"])
    folder = Path(last).parent.parent
    with pytest.raises(truebleu.InputError, match="only the catalog knows which is current"):
        arrow.corpus_score(str(folder), "mt", "ref_a")
    Path(last).rename(folder / "metadata" / "v3.metadata.json")
    (folder / "metadata" / "version-hint.text").write_text("3\n")
    assert arrow.corpus_score(str(folder), "mt", "ref_a") == wanted(TABLE, ["ref_a"])


def test_addresses(tmp_path):
    """What stands at an address is scored as the same files here, with the same conditions."""
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    boto3 = pytest.importorskip("boto3")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = "s3://a:b@pairs/{}?region=us-east-1&scheme=http&endpoint_override={}:{}"

    def at(path):
        return address.format(path, host, port)

    try:
        keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", **keys)
        client.create_bucket(Bucket="pairs")
        for suffix in (".parquet", ".arrow", ".jsonl", ".csv"):
            write(TABLE.select(["system", "mt", "ref_a"]), tmp_path / f"t{suffix}")
            client.upload_file(str(tmp_path / f"t{suffix}"), "pairs", f"day=1/t{suffix}")
        for name in ("day=1/t.parquet", "day=*/*.parquet", "day=1/t.arrow"):
            found = arrow.corpus_score(at(name), "mt", "ref_a", group_by=["day", "system"])
            assert set(found.column("day").to_pylist()) == {"1"}
            want = arrow.corpus_score(tmp_path / "t.parquet", "mt", "ref_a", group_by="system")
            assert found.drop_columns("day") == want
        with pytest.raises(truebleu.SettingsError, match="of several formats"):
            arrow.corpus_score(at("day=1"), "mt", "ref_a")
        with pytest.raises(truebleu.SettingsError, match="download it, or store it as Parquet"):
            arrow.corpus_score(at("day=1/t.csv"), "mt", "ref_a")
        with pytest.raises(FileNotFoundError, match=r"pairs/none\.parquet"):
            arrow.corpus_score(at("none.parquet"), "mt", "r")
        client.put_object(Bucket="pairs", Key="lake/_delta_log/0.json", Body=b"{}")
        client.put_object(Bucket="pairs", Key="lake/_delta_log/.keep", Body=b"")
        with pytest.raises(truebleu.InputError, match=r"is a table of Delta Lake: .* own library"):
            arrow.corpus_score(at("lake"), "mt", "r")
    finally:
        server.stop()


def test_keys_of_folders_are_text(tmp_path):
    """``day=01`` and ``day=1`` are two groups; a key may be a column of the files as well."""
    for key, rows in (("01", TRICKY.slice(0, 2)), ("1", TRICKY.slice(2))):
        (tmp_path / f"day={key}").mkdir()
        write(rows, tmp_path / f"day={key}" / "a.parquet")
    found = arrow.corpus_score(tmp_path, "mt", "ref", group_by="day")
    assert found["day"].to_pylist() == ["01", "1"]
    assert found["segments"].to_pylist() == [2, 4]
    both = tmp_path / "id=x%2Fy" / "a.parquet"
    both.parent.mkdir()
    write(TRICKY, both)
    with pytest.warns(truebleu.SettingsWarning, match="column 'id' has other values than"):
        assert len(arrow.corpus_score(both, "mt", "ref", group_by="id")) == len(TRICKY)
    write(TRICKY.set_column(0, "id", [["x/y"] * len(TRICKY)]), both)
    assert len(arrow.corpus_score(both, "mt", "ref", group_by="id")) == 1
    write(TRICKY.drop_columns("id"), both)
    assert arrow.corpus_score(both, "mt", "ref", group_by="id")["id"].to_pylist() == ["x/y"]
    for suffix in (".jsonl", ".csv"):
        text = write(TRICKY.drop_columns("id"), both.with_suffix(suffix))
        assert arrow.corpus_score(text, "mt", "ref", group_by="id")["id"].to_pylist() == ["x/y"]
    null = tmp_path / "id=__HIVE_DEFAULT_PARTITION__" / "a.parquet"
    null.parent.mkdir()
    write(TRICKY.drop_columns("id"), null)
    assert arrow.corpus_score(null, "mt", "ref", group_by="id")["id"].to_pylist() == [None]


@looped("suffix", [".parquet", ".arrow", ".arrows"])
def test_one_schema_for_all_files(suffix, tmp_path):
    """A column may be missing, all null, of another width, or encoded, whichever file is first."""
    names = ["mt", "ref"]
    parts = [
        TRICKY.select(names),
        TRICKY.select(names).append_column("k", pa.nulls(len(TRICKY))),
        TRICKY.select(names).append_column("k", TRICKY["id"].dictionary_encode()),
        TRICKY.select(names).append_column("k", TRICKY["id"].cast(pa.large_string())),
    ]
    paths = [write(part, tmp_path / f"{i}{suffix}") for i, part in enumerate(parts)]
    for order in (paths, paths[::-1], [paths[2], paths[0]]):
        found = arrow.corpus_score(order, *names, group_by="k", nulls="error")
        keys = [None if key is None else str(key) for key in found["k"].to_pylist()]
        assert sorted(filter(None, keys)) == sorted(TRICKY["id"].to_pylist())
        assert sum(found["segments"].to_pylist()) == len(TRICKY) * len(order)
    numbers = TRICKY.select(names).append_column("k", pa.array(range(len(TRICKY))))
    other = write(numbers, tmp_path / f"9{suffix}")
    with pytest.raises(
        truebleu.InputError, match=r"column 'k' is of type .*, and of type int64 in"
    ):
        arrow.corpus_score([paths[3], other], *names, group_by="k")


def test_fields_that_come_late(tmp_path):
    """A field of JSON may come late, or be missing in some files; in none, it is an error."""
    rows = [{"mt": "a b c d", "ref": "a b c d"}] * 200
    paths = []
    for number, late in enumerate(([{"mt": "a b c e", "ref": "a b c d", "who": "x"}], [])):
        paths.append(tmp_path / f"{number}.jsonl")
        text = "".join(json.dumps(row) + "\n" for row in [*rows, *late])
        paths[-1].write_text(text, "utf-8")
    for order in (paths, paths[::-1]):
        found = arrow.corpus_score(order, "mt", "ref", group_by="who")
        assert [*zip(found["who"].to_pylist(), found["segments"].to_pylist(), strict=True)] == [
            ("x", 1),
            (None, 400),
        ]
    with pytest.raises(errors.UnknownNameError, match="no column 'whom'"):
        arrow.corpus_score(paths, "mt", "ref", group_by="whom")
    assert arrow.segment_score(paths, "mt", "ref", keep="who")["who"].to_pylist().count("x") == 1


def test_labels_of_two_types(tmp_path):
    """1 and "1" are no one group: the second is named."""
    path = tmp_path / "a.jsonl"
    for one, other in ((1, "1"), ("1", 1), (True, "true")):
        rows = [{"mt": "a", "ref": "a", "g": each} for each in (one, None, other)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        with pytest.raises(truebleu.InputError, match=r"line 3: 'g' is .* of the type of those ab"):
            arrow.corpus_score(path, "mt", "ref", group_by="g")


def test_lists_that_come_late(tmp_path):
    """What is null in the first objects may be lists later."""
    rows = [{"mt": "a b c d", "refs": each} for each in [None] * 300 + [["a b c d", "x"]] * 2]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert arrow.corpus_score(path, "mt", "refs", nulls="skip").score == 100


def test_a_file_without_texts(tmp_path):
    """Of hypotheses, or of any reference: it is named, and never left out in silence."""
    paths = [write(TABLE, tmp_path / "1.parquet")]
    paths.append(write(TABLE.drop_columns("mt"), tmp_path / "2.parquet"))
    for nulls in ("error", "empty", "skip"):
        for names in (("mt", "ref_a"), ("ref_a", ["mt"])):
            with pytest.raises(errors.UnknownNameError, match=r"2\.parquet has no column 'mt'"):
                arrow.corpus_score(paths, *names, nulls=nulls)
    # Of several references, one may be missing.
    paths[1] = write(TABLE.drop_columns("ref_b"), tmp_path / "3.parquet")
    for given in (paths, paths[::-1]):
        assert arrow.corpus_score(given, "mt", ["ref_a", "ref_b"]).hyp_len > 0


def test_a_column_that_is_its_own_reference():
    """It is said as of lists."""
    with pytest.warns(truebleu.SettingsWarning, match="ref_a equals a reference in all 216 seg"):
        arrow.corpus_score(TABLE, "ref_a", "ref_a")


def test_columns_that_are_not_needed_are_not_read(tmp_path):
    """Of lazy frames and files, whatever the other columns hold."""

    def fails(_):
        raise AssertionError

    lazy = pl.from_arrow(TABLE).lazy()
    lazy = lazy.with_columns(pl.col("system").map_elements(fails, pl.String).alias("other"))
    assert arrow.corpus_score(lazy, "mt", "ref_a") == wanted(TABLE, ["ref_a"])
    with pytest.raises(Exception, match="python_udf"):
        arrow.corpus_score(lazy, "mt", "ref_a", group_by="other")


def test_frames_are_read_by_position():
    """The index of pandas is no column, and periods, which would be numbers, are refused."""
    frame = TABLE.to_pandas().set_index("half")
    assert arrow.corpus_score(frame, "mt", "ref_a") == wanted(TABLE, ["ref_a"])
    with pytest.raises(errors.UnknownNameError, match="no column 'half'"):
        arrow.corpus_score(frame, "mt", "ref_a", group_by="half")
    shuffled = TABLE.to_pandas().sample(frac=1, random_state=1)
    scores = arrow.segment_score(shuffled, "mt", "ref_a").to_pylist()
    assert scores == Bleu().segments(list(shuffled["mt"]), list(shuffled["ref_a"])).tolist()
    days = pd.period_range("2026-01-01", periods=len(TABLE), freq="D")
    with pytest.raises(truebleu.InputTypeError, match=r"'day' has periods.*\.astype\(str\)"):
        arrow.corpus_score(TABLE.to_pandas().assign(day=days), "mt", "ref_a", group_by="day")
    # What is null, in frames that hold views of strings, is masked in Arrow.
    views = pd.DataFrame({"mt": ["a b", None], "ref": ["a b", "c"], "k": ["x", "y"]})
    for kind in (pd.ArrowDtype(pa.string_view()), "string", object):
        found = arrow.corpus_score(views.astype(kind), "mt", "ref", group_by="k", nulls="skip")
        assert found["k"].to_pylist() == ["x"]


def test_columns_that_are_kept(tmp_path):
    """Scores of rows come with what they are to be joined by, nulls and all."""
    rows = pa.table({"id": [5, 6, 7], "mt": ["a b c d", None, "x"], "ref": ["a b c d"] * 3})
    for given in (rows, write(rows, tmp_path / "a.parquet"), pl.from_arrow(rows).lazy()):
        found = arrow.segment_score(given, "mt", "ref", keep=["id", "mt"], nulls="skip")
        assert found.column_names == ["id", "mt", "bleu"]
        assert found["id"].to_pylist() == [5, 6, 7]
        assert found["bleu"].to_pylist() == [100.0, None, 0.0]
    with pytest.raises(truebleu.SettingsError, match="'bleu' clashes"):
        arrow.segment_score(rows.rename_columns({"id": "bleu"}), "mt", "ref", keep="bleu")
    # Those of groups are none of this result.
    renamed = rows.rename_columns({"id": "segments"})
    found = arrow.segment_score(renamed, "mt", "ref", keep=["segments"] * 2, nulls="skip")
    assert found.column_names == ["segments", "bleu"]
    with pytest.raises(errors.UnknownNameError, match="no column 'it'"):
        arrow.segment_score(rows, "mt", "ref", keep="it")


def test_data_sets_of_hugging_face():
    """They are read in their own order, which need not be that of their table."""
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset(TABLE).shuffle(seed=3)
    assert arrow.corpus_score(data, "mt", "ref_a") == wanted(TABLE, ["ref_a"])
    scores = arrow.segment_score(data, "mt", "ref_a").to_pylist()
    assert scores == Bleu().segments(list(data["mt"]), list(data["ref_a"])).tolist()


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
    counted = arrow.stats(paths, "mt", references, metric=metric)
    assert Stats.from_table(counted, metric).data == metric.stats(*lists).data
    found = arrow.segment_score(paths, "mt", references, metric=metric, threads=2)
    assert found.to_pylist() == metric.segments(*lists).tolist()
    # What cannot be added up can be counted and scored row by row.
    alone = {"smoothing": "method5"}
    found = arrow.segment_score(paths, "mt", references, **alone)
    assert found.to_pylist() == Bleu(**alone).segments(*lists).tolist()
    assert len(arrow.stats(paths, "mt", references, **alone)) == len(MATCHES)


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
    found = arrow.score_stats(path, metric=metric)
    assert (found.score, found.row) == (want.score, want.row)
    assert found.signature == metric._scoped(segment=False).signature
    scores = arrow.score_stats(path, group_by=["half", "system"], metric=metric).slice(0, 3)
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
            arrow.score_stats(path, metric=metric, **more)
        assert message in str(caught.value)

    refused(truebleu.StatsMismatchError, "these statistics have the key", metric=Misses())
    refused(errors.UnknownNameError, "no column 'hyp_len'; statistics are sto", metric=Bleu())
    refused(errors.UnknownNameError, "there is no column 'x'; the columns are", group_by="x")
    empty = good.splitlines(keepends=True)[0]
    refused(errors.EmptyInputError, "no rows to score", empty)
    assert len(arrow.score_stats(path, metric=metric, group_by="half")) == 0
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
        message = f"{name!r} is not: Failed to parse string: {text!r}"
        refused(error, message, "".join([header, ",".join(changed) + "\n", *rest]))
    large = [*cells[:3], str(2**63 - 1), key]
    refused(truebleu.InputError, "int64", "".join([header, ",".join(large) + "\n", *rest]))
    negative = [*cells[:3], "-500", key]
    changed = "".join([header, ",".join(negative) + "\n", *rest])
    refused(truebleu.InputError, ", but counts are not negative", changed)
    floats = tmp_path / "floats.jsonl"
    refused(
        truebleu.InputError,
        "'matches' is not: Failed to parse string: '1.0'",
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
    found = arrow.corpus_score(path, "mt", "ref_a", metric=Lengths(), group_by="system")
    assert len(found) == 3
    want = sum(map(len, TABLE["mt"].to_pylist()))
    assert sum(found['of "hypotheses"'].to_pylist()) == want

    class Fails(ExactMatch):
        def count(self, hypotheses, references):
            raise ZeroDivisionError("of this metric")

    with pytest.raises(ZeroDivisionError, match="of this metric"):
        arrow.corpus_score(path, "mt", "ref_a", metric=Fails())
    stored = stored_in(tmp_path, ".parquet", Lengths())
    assert arrow.score_stats(stored, metric=Lengths()).row["counted"] == 7 * len(TABLE)


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
    code, out, _ = run(capsys, *named, "--group-by", "system", "half")
    header, *found, signature = out.splitlines()
    assert (code, header.split()[:4], len(found)) == (0, ["system", "half", "segments", "BLEU"], 6)
    assert found[0].split()[:2] == ["medium", "0"]
    assert signature == want.signature
    _, out, _ = run(capsys, *named, "--group-by", "half", "--format", "json")
    assert [entry["half"] for entry in json.loads(out)] == [0, 1]
    _, out, _ = run(
        capsys, *named, "--hypothesis-column", "ref_a", "--group-by", "half", "--format", "tsv"
    )
    cells = [line.split("\t")[:4] for line in out.splitlines()]
    assert cells[0] == ["system", "half", "segments", "BLEU"]
    assert [row[0] for row in cells[1:]] == ["mt", "mt", "ref_a", "ref_a"]
    assert [row[3] for row in cells[3:]] == ["100.0", "100.0"]
    _, out, _ = run(capsys, *named, "--confidence")
    assert "alpha:0.05|bs:10000|" in out
    files = [EXAMPLES / f"{name}.en" for name in ("system-weak", "reference-a")]
    _, by_lines, _ = run(
        capsys, "score", files[0], "-r", files[1], "--confidence", "--format", "json"
    )
    weak = write(TABLE.slice(2 * len(TABLE) // 3), tmp_path / "weak.parquet")
    _, by_column, _ = run(capsys, "score", weak, *chosen[2:], "--confidence", "--format", "json")
    one, other = json.loads(by_lines)[0], json.loads(by_column)[0]
    assert one.pop("system") != other.pop("system")
    assert one == other
    for form in ("markdown", "latex"):
        code, out, _ = run(capsys, *named, "--group-by", "system", "--format", form)
        assert code == 0
        assert "weak" in out


def test_several_columns_of_references(tmp_path, capsys):
    """The option is repeated, for a name may have commas; a space ends them."""
    rows = [{"a": "x y", "r": "x y z", "s": "x y", "t,u": "x"}]
    path = str(write(pa.Table.from_pylist(rows), tmp_path / "a.parquet"))
    score = ["score", path, "-m", "chrf", "-b", "--hypothesis-column", "a"]
    one, two = "--reference-column=r", "--reference-column=s"
    expected = run(capsys, *score, one, two)
    assert expected[:2] == (0, "100.00\n")
    assert run(capsys, *score, "--reference-column", "r,s")[0] == 2
    assert run(capsys, *score, "--reference-column=t,u")[1] != expected[1]
    assert run(capsys, *score, "--hypothesis-column=s", one)[1].count("\n") == 2
    assert run(capsys, *score, "--reference-column", "r", "s") == (
        2,
        "",
        "truebleu: s: No such file or directory\n",
    )
    assert run(capsys, *score[:1], *score[2:], "--reference-column", "r", path)[0] == 0
