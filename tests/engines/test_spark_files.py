"""Parquet files in Spark, read by Arrow: the scores of their rows, however they are cut."""

import datetime
import re
from functools import partial

import entries
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from looping import looped
from tables_of_text import TABLE, keyed, wanted
from truebleu import Bleu, errors
from truebleu.engines import arrow
from truebleu.engines.job import Job
from truebleu.engines.spark import files as parquet

HOLES = TABLE.set_column(2, "mt", [[None] * len(TABLE)]).cast(TABLE.schema)


def in_files(folder, table=TABLE, files=3, rows=11):
    """Write a table to several files, each of many row groups."""
    folder.mkdir(exist_ok=True)
    size = -(-len(table) // files)
    for number in range(files):
        part = table.slice(number * size, size)
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=rows)
    return str(folder)


def parts_in(folder):
    """Cut the files in a folder, under the addresses that Spark has for them."""
    return parquet.parts_of(path.as_uri() for path in folder.glob("*.parquet"))


class TestParts:
    """Files are cut into parts without reading them, and each row is in exactly one."""

    @pytest.mark.parametrize(("files", "rows"), [(1, 1_000), (1, 5), (3, 11), (30, 4)])
    @looped("size", [100, 300, 1_000, 5_000, 20_000, 1 << 24])
    def test_each_row_is_counted_once(self, tmp_path, monkeypatch, size, files, rows):
        """However large parts are, and wherever row groups begin."""
        monkeypatch.setattr(parquet, "_PART", size)
        monkeypatch.setattr(parquet, "_PARTS", 100)
        folder = tmp_path / "ü 100%25"
        in_files(folder, files=files, rows=rows)
        parts = parts_in(folder)
        job = Job("mt", ["ref_a"], metric=Bleu())
        sums = [parquet.sums_of_part(part, job, {}, exact=True) for part in parts]
        found = arrow.scored(arrow.join_sums([each for each in sums if len(each)], job), job)
        assert found.same_as(wanted(TABLE, ["ref_a"]))
        assert 100 >= len(parts) > (size == 100)
        # Every share of every file is in one part.
        pieces = sorted((piece.path, *piece[2:]) for part in parts for piece in part)
        shares = {path: number for path, _, number in pieces}
        assert len(shares) == files
        assert pieces == [(path, i, n) for path, n in sorted(shares.items()) for i in range(n)]

    @pytest.mark.parametrize("rows", [5, 30])
    def test_lists_of_dictionaries(self, tmp_path, rows):
        """Arrow cannot join those of several row groups, but each row group is read by itself."""
        texts = pa.array([text for text in TABLE["ref_a"].to_pylist() for _ in range(2)])
        ends = pa.array(range(0, len(texts) + 1, 2), pa.int32())
        lists = pa.ListArray.from_arrays(ends, texts.dictionary_encode())
        table = TABLE.set_column(TABLE.schema.get_field_index("ref_a"), "ref_a", lists)
        in_files(tmp_path, table, rows=rows)
        [part] = parts_in(tmp_path)
        job = Job("mt", ["ref_a"], metric=Bleu())
        found = arrow.scored(parquet.sums_of_part(part, job, {}, exact=True), job)
        assert found.score == wanted(TABLE, ["ref_a"]).score
        assert found.same_as(wanted(table, ["ref_a"]))

    @looped("log", ["_delta_log/0.json", ".hoodie/x", "metadata/v1.metadata.json"])
    @looped("inside", ["0.parquet", "k=1/0.parquet"])
    def test_what_is_not_plain_parquet(self, tmp_path, log, inside):
        """Nothing is scored of which only a log knows what counts."""
        for name in (log, inside):
            (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / name).write_text("a")
        message = f"{tmp_path} is a table whose log says which files count: score a data"
        with pytest.raises(truebleu.InputError, match=message):
            parquet.parts_of([(tmp_path / inside).as_uri()])
        with pytest.raises(truebleu.SettingsError, match="Arrow cannot open ftp://x/y"):
            parquet.parts_of(["ftp://x/y"])

    def test_files_that_cannot_be_scored(self, tmp_path):
        """Messages name the file, and the column that the user named."""
        job = Job("mt", "ref_a", ["system"], metric=Bleu())

        def refused(error, message, table):
            in_files(tmp_path, table)
            [part] = parts_in(tmp_path)
            with pytest.raises(error, match=r"0\.parquet: .*" + re.escape(message)):
                parquet.sums_of_part(part, job, {}, exact=False)

        twice = TABLE.append_column("MT", TABLE["mt"])
        for error, message, table in (
            (errors.UnknownNameError, "no column 'ref_a'; the col", TABLE.drop(["ref_a"])),
            (truebleu.SettingsError, "2 columns are called", twice),
            (truebleu.InputTypeError, "column 'mt' has nulls; every", HOLES),
        ):
            refused(error, message, table)
        with pytest.raises(truebleu.SettingsError, match="column 'mt' is in the name of a folder"):
            parquet.parts_of(["file:///t/mt=a/0.parquet"], ["mt"])


class TestScores:
    """A job on files gives what one on a data frame of them gives, and the plain core."""

    pytestmark = entries.SLOW

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
            found = engine.corpus_score_of_files(spark, folder, "MT", "Ref_A", group_by=by)
            want = engine.corpus_score(frame, "mt", "ref_a", group_by=by)
            assert found.schema == want.schema
            assert sorted(map(repr, found.collect())) == sorted(map(repr, want.collect()))

    def test_refused(self, spark, engine, tmp_path):
        """Before a job is started, or as an exception of this package."""
        path = in_files(tmp_path / "t")
        call = partial(engine.corpus_score_of_files, spark, path)
        for error, message, columns in (
            (
                errors.UnknownNameError,
                "there is no column 'x'; the columns",
                ["x", "ref_a"],
            ),
            (truebleu.InputTypeError, "column 'half' is of type bigint; a", ["mt", "half"]),
            (truebleu.InputTypeError, "'refs' is of type array<string>: gr", ["mt", "mt", "refs"]),
        ):
            with pytest.raises(error, match=re.escape(message)):
                call(*columns[:2], group_by=columns[2:])
        (tmp_path / "t" / "2.parquet").write_bytes(b"PAR1" + b"x" * 50)
        message = r"2\.parquet: it cannot be read as plain Par|Spark cannot read it as Parquet"
        with pytest.raises(truebleu.InputError, match=message):
            call("mt", "ref_a")
        for number in range(3):
            pq.write_table(TABLE.slice(0, 0), tmp_path / "t" / f"{number}.parquet")
        with pytest.raises(errors.EmptyInputError, match="there are no rows to score"):
            call("mt", "ref_a")
        assert call("mt", "ref_a", group_by="half").collect() == []
        (tmp_path / "empty").mkdir()
        for missing in (tmp_path / "x", tmp_path / "empty"):
            with pytest.raises(FileNotFoundError, match="Spark cannot read it as Parquet: "):
                engine.corpus_score_of_files(spark, missing, "mt", "ref_a")
