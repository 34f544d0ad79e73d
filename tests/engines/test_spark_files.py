"""Parquet files in Spark, read by Arrow: the scores of their rows, however they are cut."""

import datetime
import re
from functools import partial
from itertools import pairwise

import entries
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from looping import looped
from tables_of_text import MATCHES, SYSTEMS, TABLE, keyed, wanted
from toy_metrics import ExactMatch
from truebleu import Bleu
from truebleu.engines import arrow
from truebleu.engines.job import Job
from truebleu.engines.spark import files as parquet
from truebleu.engines.spark.columns import matching


def in_files(folder, table=TABLE, files=3, rows=11):
    """Write a table to several files, each of many row groups."""
    folder.mkdir(exist_ok=True)
    size = -(-len(table) // files)
    for number in range(files):
        part = table.slice(number * size, size)
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=rows)
    return str(folder)


class TestParts:
    """Files are cut into parts without reading them, and each row is in exactly one."""

    @pytest.mark.parametrize(("files", "rows"), [(1, 1_000), (1, 5), (3, 11), (30, 4)])
    @looped("size", [1, 300, 1_000, 5_000, 20_000, 1 << 24])
    def test_each_row_is_counted_once(self, tmp_path, monkeypatch, size, files, rows):
        """However large parts are, and wherever row groups begin."""
        monkeypatch.setattr(parquet, "_PART", size)
        monkeypatch.setattr(parquet, "_PARTS", 100)
        parts = parquet.parts_of(in_files(tmp_path / "t", files=files, rows=rows))
        job = Job("mt", ["ref_a"], metric=Bleu())
        same = partial(matching, exact=True)
        sums = [parquet.sums_of_part(part, job, same, {}) for part in parts]
        found = arrow.scored(arrow.join_sums([each for each in sums if len(each)], job), job)
        assert found.same_as(wanted(TABLE, ["ref_a"]))
        assert size > 1 or len(parts) > 1
        # Every byte of every file is in one part.
        pieces = sorted((piece.path, piece.start, piece.stop) for part in parts for piece in part)
        for path in {path for path, _, _ in pieces}:
            ranges = [(start, stop) for name, start, stop in pieces if name == path]
            assert ranges[0][0] == 0
            assert all(a[1] == b[0] for a, b in pairwise(ranges))

    @pytest.mark.parametrize("rows", [5, 30])
    def test_lists_of_dictionaries(self, tmp_path, rows):
        """Arrow cannot join those of several row groups, but each row group is read by itself."""
        texts = pa.array([text for text in TABLE["ref_a"].to_pylist() for _ in range(2)])
        ends = pa.array(range(0, len(texts) + 1, 2), pa.int32())
        lists = pa.ListArray.from_arrays(ends, texts.dictionary_encode())
        table = TABLE.set_column(TABLE.schema.get_field_index("ref_a"), "ref_a", lists)
        [part] = parquet.parts_of(in_files(tmp_path / "t", table, rows=rows))
        job, same = Job("mt", ["ref_a"], metric=Bleu()), partial(matching, exact=True)
        found = arrow.scored(parquet.sums_of_part(part, job, same, {}), job)
        assert found.score == wanted(TABLE, ["ref_a"]).score
        assert found.same_as(wanted(table, ["ref_a"]))

    def test_files_that_are_found(self, tmp_path):
        """Files of no bytes, hidden ones and marks of success are no part of a table."""
        folder = tmp_path / "t"
        path = in_files(folder)
        for name in ("_SUCCESS", ".0.parquet.crc", "_old.parquet", "empty.parquet"):
            (folder / name).touch()
        for given in (path, str(folder / "*.parquet"), f"file://{path}", [path], folder):
            parts = parquet.parts_of(given)
            names = {piece.path for part in parts for piece in part}
            assert names == {str(folder / f"{number}.parquet") for number in range(3)}
        assert parquet.parts_of(str(folder / "empty.parquet")) == []

    @looped(
        "name, message",
        [
            ("a.csv", "a.csv is not plain Parquet: score a data frame"),
            ("t/_delta_log/0.json", "is a table whose log says which files count: score a data"),
            ("t/_spark_metadata/0", "is a table whose log says which files count: score a data"),
            ("t/metadata/v1.metadata.json", "is a table whose log says which files count: score"),
        ],
    )
    @looped("scheme", ["", "file://"])
    def test_what_is_not_plain_parquet(self, tmp_path, name, message, scheme):
        """Nothing is scored of which only a log knows what counts."""
        path = in_files(tmp_path / "t") if name.startswith("t/") else str(tmp_path / name)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a,b\n")
        with pytest.raises(truebleu.InputError, match=message):
            parquet.parts_of(scheme + path)

    def test_what_is_not_there(self, tmp_path):
        """A folder without tables is no table."""
        for path in (
            str(tmp_path),
            f"file://{tmp_path}",
            str(tmp_path / "x"),
            f"file://{tmp_path}/x",
        ):
            with pytest.raises(FileNotFoundError):
                parquet.parts_of(path)
        with pytest.raises(truebleu.SettingsError, match="Arrow cannot open ftp://x/y"):
            parquet.parts_of("ftp://x/y")

    def test_files_that_cannot_be_scored(self, tmp_path):
        """Messages name the file, and the column that the user named."""
        job = Job("mt", "ref_a", ["system"], metric=Bleu())
        same = partial(matching, exact=False)

        def refused(error, message, path, job=job):
            [part] = parquet.parts_of(path)
            with pytest.raises(error, match=re.escape(message)):
                parquet.sums_of_part(part, job, same, {})

        path = in_files(tmp_path / "t", TABLE.drop_columns(["ref_a"]))
        refused(truebleu.UnknownNameError, "0.parquet: there is no column 'ref_a'; the col", path)
        path = in_files(tmp_path / "t", TABLE.append_column("MT", TABLE["mt"]))
        refused(truebleu.SettingsError, "0.parquet: 2 columns are called 'mt': rename one", path)
        holes = TABLE.set_column(2, "mt", [[None] * len(TABLE)]).cast(TABLE.schema)
        path = in_files(tmp_path / "t", holes)
        refused(truebleu.InputTypeError, "0.parquet: column 'mt' has nulls; every", path)
        (tmp_path / "t" / "0.parquet").write_bytes(b"PAR1" + b"x" * 50)
        refused(truebleu.InputError, "0.parquet: it cannot be read as plain Parquet", path)
        path = in_files(tmp_path / "system=a")
        refused(truebleu.SettingsError, "column 'system' is in the name of a folder", path)
        [part] = parquet.parts_of(in_files(tmp_path / "t"))
        in_files(tmp_path / "t", files=2)
        with pytest.raises(truebleu.InputError, match="the file has changed since scoring began"):
            parquet.sums_of_part(part, job, same, {"system": pa.string()})


@pytest.fixture(scope="module")
def engine(spark):
    from truebleu.engines import spark as module

    return module


class TestScores:
    """A job on files gives what one on a data frame of them gives, and the plain core."""

    pytestmark = entries.SLOW

    @pytest.mark.parametrize("metric", ["chrf++", ExactMatch()], ids=str)
    def test_any_metric(self, spark, engine, tmp_path, monkeypatch, metric):
        """All rows, and groups of them."""
        monkeypatch.setattr(parquet, "_PART", 10_000)
        path = in_files(tmp_path / "t", MATCHES)
        call = partial(engine.corpus_score_of_files, spark, path, metric=metric)
        want = wanted(MATCHES, ["refs", "ref_b"], metric)
        found = call("mt", ["refs", "ref_b"])
        assert found.same_as(want)
        groups = call("MT", "Ref_A", group_by=["half", "system"])
        name = groups.columns[2]
        assert groups.columns[:2] == ["half", "system"]
        scores = {(row["half"], row["system"]): row[name] for row in groups.collect()}
        frame = engine.corpus_score(
            spark.read.parquet(path), "mt", "ref_a", group_by=["half", "system"], metric=metric
        )
        assert groups.schema == frame.schema
        assert scores == {(row["half"], row["system"]): row[name] for row in frame.collect()}
        assert {system for _, system in scores} == set(SYSTEMS)

    def test_groups_of_any_value(self, spark, engine, tmp_path, monkeypatch):
        """Files may have other types of the same values, in another order."""
        monkeypatch.setattr(parquet, "_PART", 4_000)
        table = keyed(pa.float64())
        numbers = range(len(table))
        days = [None if i % 4 == 0 else datetime.date(2026, 1, 1 + i % 3) for i in numbers]
        for name, column in (
            ("day", pa.array(days)),
            ("number", pa.array([i % 3 for i in numbers], pa.uint32())),
            ("flag", pa.array([i % 2 == 0 for i in numbers])),
        ):
            table = table.append_column(name, column)
        folder = tmp_path / "t"
        in_files(folder, table, files=1, rows=2)
        coded = table
        for name in ("system", "k"):
            place = table.column_names.index(name)
            coded = coded.set_column(place, name, table[name].dictionary_encode())
        in_files(tmp_path / "u", coded.select(coded.column_names[::-1]), files=1)
        (tmp_path / "u" / "0.parquet").rename(folder / "1.parquet")
        # Spark has no unsigned numbers.
        place = table.column_names.index("number")
        signed = table.set_column(place, "number", table["number"].cast(pa.int64()))
        twice = pa.concat_tables([signed, signed])
        frame = spark.createDataFrame(twice)
        # Rows of the two files are one group only if all of these columns are equal.
        for by in ("k", ["day", "number", "flag", "system"]):
            found = engine.corpus_score_of_files(spark, folder, "mt", "ref_a", group_by=by)
            want = engine.corpus_score(frame, "mt", "ref_a", group_by=by)
            assert sorted(map(repr, found.collect())) == sorted(map(repr, want.collect()))

    def test_refused(self, spark, engine, tmp_path):
        """Before a job is started, or as an exception of this package."""
        path = in_files(tmp_path / "t")
        call = partial(engine.corpus_score_of_files, spark, path)
        with pytest.raises(truebleu.UnknownNameError, match="there is no column 'x'; the columns"):
            call("x", "ref_a")
        with pytest.raises(truebleu.InputTypeError, match="column 'half' is a column of Int64"):
            call("mt", "half")
        with pytest.raises(
            truebleu.InputTypeError, match=r"column 'refs' is of type list<.*: to g"
        ):
            call("mt", "ref_a", group_by="refs")
        with pytest.raises(truebleu.SettingsError, match="group_by column 'BLEU' clashes"):
            call("mt", "ref_a", group_by="BLEU")
        (tmp_path / "t" / "2.parquet").write_bytes(b"PAR1" + b"x" * 50)
        with pytest.raises(
            truebleu.InputError, match=r"2\.parquet: it cannot be read as plain Par"
        ):
            call("mt", "ref_a")
        for number in range(3):
            pq.write_table(TABLE.slice(0, 0), tmp_path / "t" / f"{number}.parquet")
        with pytest.raises(truebleu.EmptyInputError, match="there are no rows to score"):
            call("mt", "ref_a")
        assert call("mt", "ref_a", group_by="half").collect() == []
