"""Groups by keys of every type of Arrow: rows in are rows out, in every engine and entry."""

import contextlib
import datetime
import decimal
import io
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from pyarrow import feather
from truebleu import Bleu
from truebleu.cli import main
from truebleu.engines import arrow, tables
from truebleu.engines import pandas as frames
from truebleu.engines import polars as expressions
from truebleu.engines.duckdb import register

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]

# Keys, each of three rows, and a null. Keys of a type are as close together as it has values.
KEYS = 40
SOME = list(range(KEYS))


def numbers(kind, first=0):
    """Return consecutive whole numbers as values of a type."""
    width = pa.int32() if kind in (pa.date32(), pa.time32("s"), pa.time32("ms")) else pa.int64()
    return pa.array([first + i for i in SOME], width).cast(kind)


def whole(kind):
    """Return the largest whole numbers of a type."""
    return pa.array(
        [2 ** (kind.bit_width - pa.types.is_signed_integer(kind)) - 1 - i for i in SOME], kind
    )


def floats(kind):
    """Return consecutive floating-point numbers from 1."""
    width = kind.bit_width // 8
    bits = np.array([1], f"f{width}").view(f"i{width}") + np.arange(KEYS, dtype=f"i{width}")
    return pa.array(bits.view(f"f{width}"))


def decimals(kind):
    """Return decimals that use all digits of a type."""
    with decimal.localcontext(prec=80):
        unit = decimal.Decimal(1).scaleb(-kind.scale)
        top = decimal.Decimal(10) ** (kind.precision - kind.scale)
        return pa.array([top - (i + 1) * unit for i in SOME], kind)


def texts(kind):
    """Return texts, as bytes for a type that is not UTF-8."""
    made = [b"same beginning " + b"%03d" % i for i in SOME]
    if pa.types.is_fixed_size_binary(kind) or "binary" in str(kind):
        made = [b"\xff\0" + each for each in made]
    return (
        pa.array(made, kind)
        if "string" not in str(kind)
        else pa.array([m.decode() for m in made], kind)
    )


UNITS = ["s", "ms", "us", "ns"]
# A moment whose nanoseconds are no whole microsecond, in each unit.
NOW = 1_700_000_000_123_456_700
IN_UNITS = {unit: NOW // 1000 ** (3 - i) for i, unit in enumerate(UNITS)}
OF_DAY = {unit: 45_296_123_456_700 // 1000 ** (3 - i) for i, unit in enumerate(UNITS)}

PLAIN = {
    **{
        str(kind): whole(kind)
        for kind in (
            *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
            *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
        )
    },
    **{str(kind): floats(kind) for kind in (pa.float16(), pa.float32(), pa.float64())},
    **{
        str(kind): decimals(kind)
        for kind in (
            *(pa.decimal128(9, 2), pa.decimal128(38, 0), pa.decimal128(38, 38)),
            *(pa.decimal256(38, 2), pa.decimal256(41, 0), pa.decimal256(76, 30)),
        )
    },
    **{
        str(kind): texts(kind)
        for kind in (
            *(pa.string(), pa.large_string(), pa.string_view()),
            *(pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(20)),
        )
    },
    "date32": numbers(pa.date32(), 19_000),
    "date64": pa.array([86_400_000 * (19_000 + i) for i in SOME]).cast(pa.date64()),
    **{f"timestamp {unit}": numbers(pa.timestamp(unit), IN_UNITS[unit]) for unit in UNITS},
    **{
        f"timestamp {unit} {zone}": numbers(pa.timestamp(unit, zone), IN_UNITS[unit])
        for unit in UNITS
        for zone in ("UTC", "Europe/Berlin", "+05:30")
    },
    **{
        f"time {unit}": numbers((pa.time32 if i < 2 else pa.time64)(unit), OF_DAY[unit])
        for i, unit in enumerate(UNITS)
    },
    **{f"duration {unit}": numbers(pa.duration(unit), OF_DAY[unit]) for unit in UNITS},
}
DAYS = [*(datetime.date(9999, 12, 31) - datetime.timedelta(i) for i in range(KEYS - 1))]
KINDS = {
    **PLAIN,
    **{
        f"dictionary of {kind}": PLAIN[kind].dictionary_encode()
        for kind in (
            *("string", "int64", "double", "date32", "timestamp ns", "timestamp us UTC"),
            *("decimal256(41, 0)", "large_binary"),
        )
    },
    **{
        f"dictionary by {kind}": pa.DictionaryArray.from_arrays(
            pa.array(SOME, kind), PLAIN["string"]
        )
        for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.uint32(), pa.int64(), pa.uint64())
    },
    "run-end encoded": pa.RunEndEncodedArray.from_arrays([i + 1 for i in SOME], PLAIN["string"]),
    "uuid": pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([i.to_bytes(16) for i in SOME], pa.binary(16))
    ),
    # The last day, and what DuckDB takes for a day that never comes.
    "a last day": pa.array([*DAYS, None], pa.date32()).fill_null(
        pa.scalar(2**31 - 1, pa.int32()).cast(pa.date32())
    ),
    "a last moment": pa.array([2**63 - 1, *(253_402_300_799_999_999 - i for i in SOME[1:])]).cast(
        pa.timestamp("us")
    ),
}
SMALL = {
    "bool": pa.array([True, False]),
    "null": pa.nulls(1),
    "zeros and NaN": pa.array([0.0, float("nan"), 1.0]),
}
NESTED = {
    "struct": pa.array([{"a": i} for i in SOME]),
    "list": pa.array([[i] for i in SOME]),
    "large list": pa.array([[i] for i in SOME], pa.large_list(pa.int64())),
    "fixed-size list": pa.array([[i] for i in SOME], pa.list_(pa.int64(), 1)),
    "map": pa.array([[(str(i), i)] for i in SOME], pa.map_(pa.string(), pa.int64())),
    "interval": pa.array([(0, 0, i) for i in SOME], pa.month_day_nano_interval()),
}


def made(keys):
    """Return a table of three rows for each key, of as many words as its place."""
    places = [*range(len(keys))] * 3
    words = ["a " * (place + 1) for place in places]
    if pa.types.is_run_end_encoded(keys.type):
        values = keys.values.take(pa.array(places))
        column = pa.RunEndEncodedArray.from_arrays(range(1, len(words) + 1), values)
    else:
        # Arrow cannot take from views.
        column = pa.concat_arrays([keys] * 3)
    return pa.table({"k": column, "mt": words, "ref": words})


def by_arrow(table, _):
    return arrow.corpus_score(table, "mt", "ref", group_by="k")["hyp_len"].to_pylist()


def by_stream(table, _):
    reader = table.to_reader(max_chunksize=7)
    return arrow.corpus_score(reader, "mt", "ref", group_by="k")["hyp_len"].to_pylist()


def by_pandas(table, _):
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return frames.corpus_score(frame, "mt", "ref", group_by="k")["hyp_len"].tolist()


def by_plain_pandas(table, _):
    return frames.corpus_score(table.to_pandas(), "mt", "ref", group_by="k")["hyp_len"].tolist()


def by_polars(table, _):
    found = expressions.corpus_score(pl.from_arrow(table), "mt", "ref", group_by="k")
    return found["hyp_len"].to_list()


def by_lazy_polars(table, _):
    lazy = pl.from_arrow(table).lazy()
    found = expressions.corpus_score(lazy, "mt", "ref", group_by="k")
    return found.collect(engine="streaming")["hyp_len"].to_list()


def by_sql(table, _):
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", table)
        query = "SELECT bleu_sum(bleu_stats(mt, ref)).hyp_len FROM data GROUP BY k"
        return [length for (length,) in connection.sql(query).fetchall()]


def parquet(table, folder):
    pq.write_table(table, folder / "k.parquet")
    return str(folder / "k.parquet")


def feathered(table, folder):
    feather.write_feather(table, folder / "k.arrow")
    return str(folder / "k.arrow")


def of_groups(scores):
    return [score.hyp_len for score in scores.values()]


def by_parquet(table, folder):
    return of_groups(tables.corpus_score(parquet(table, folder), "mt", "ref", group_by="k"))


def by_arrow_file(table, folder):
    return of_groups(tables.corpus_score(feathered(table, folder), "mt", "ref", group_by="k"))


def with_stats(table):
    counted = arrow.stats(table, "mt", "ref")
    return counted.append_column("k", table["k"])


def by_stored_parquet(table, folder):
    return of_groups(tables.score_stats(parquet(with_stats(table), folder), group_by="k"))


def by_stored_arrow_file(table, folder):
    return of_groups(tables.score_stats(feathered(with_stats(table), folder), group_by="k"))


def by_command(table, folder):
    named = ["--hypothesis-column", "mt", "--reference-column", "ref", "--group-by", "k"]
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = main(["score", parquet(table, folder), *named, "--format", "json"])
    if code:
        raise truebleu.InputTypeError(error.getvalue())
    rows = json.loads(out.getvalue())
    assert len({json.dumps(row["k"]) for row in rows}) == len(rows)
    return [row["hyp_len"] for row in rows]


def by_spark(table, folder, spark):
    from truebleu.engines.spark import corpus_score

    found = corpus_score(spark.createDataFrame(table), "mt", "ref", group_by="k")
    return found.toArrow()["hyp_len"].to_pylist()


def by_spark_files(table, folder, spark):
    from truebleu.engines.spark import corpus_score_of_files

    found = corpus_score_of_files(spark, parquet(table, folder), "mt", "ref", group_by="k")
    return found.toArrow()["hyp_len"].to_pylist()


def by_ray(table, folder, ray):
    from truebleu.engines.ray import corpus_score

    data = ray.data.from_arrow([table.slice(0, 50), table.slice(50)])
    found = corpus_score(data, "mt", "ref", group_by="k", expected_groups=1)
    return [row["hyp_len"] for row in found.take_all()]


PARQUET = [by_parquet, by_stored_parquet, by_command]
ARROW_FILES = [by_arrow_file, by_stored_arrow_file]
PANDAS = [by_pandas, by_plain_pandas]
POLARS = [by_polars, by_lazy_polars]
ENTRIES = [by_arrow, by_stream, *PANDAS, *POLARS, by_sql, *PARQUET, *ARROW_FILES]

WIDE = [kind for kind in KINDS if "decimal256" in kind]
# What the library itself refuses to hold, before any row is scored.
IMPOSSIBLE = {
    **dict.fromkeys(POLARS, (*WIDE, "run-end encoded", *(k for k in KINDS if "+05:30" in k))),
    by_sql: (*WIDE, "halffloat"),
    by_pandas: ("a last day",),
    by_plain_pandas: ("a last day", "time ns"),
    **dict.fromkeys(PARQUET, ("run-end encoded",)),
}
# What is refused in our own words.
REFUSED = {
    **dict.fromkeys(PARQUET, tuple(kind for kind in WIDE if "38" not in kind)),
    **dict.fromkeys(ARROW_FILES, (*WIDE, "halffloat")),
}


def no_row_is_lost(entry, kind, folder, *session):
    """Check the words of each group: their number is that of no other key."""
    keys = (KINDS | SMALL)[kind]
    if kind in IMPOSSIBLE.get(entry, ()):
        with pytest.raises(BaseException) as caught:  # noqa: PT011  # A panic of Polars is no Exception.
            entry(made(keys), folder, *session)
        assert not isinstance(caught.value, truebleu.TruebleuError)
        return
    if kind in REFUSED.get(entry, ()):
        with pytest.raises((truebleu.InputError, truebleu.InputTypeError), match=r"\bk\b"):
            entry(made(keys), folder, *session)
        return
    found = entry(made(keys), folder, *session)
    assert sorted(found) == [3 * (place + 1) for place in range(len(keys))]


@pytest.mark.parametrize("kind", [*KINDS, *SMALL])
@pytest.mark.parametrize("entry", ENTRIES)
def test_no_row_is_lost(entry, kind, tmp_path):
    """There are as many groups as values of Arrow, and each has its own rows."""
    if (entry, kind) == (by_sql, "duration ns"):
        pytest.skip("DuckDB reads durations of Arrow in microseconds")
    no_row_is_lost(entry, kind, tmp_path)


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("entry", [by_arrow, by_stream, by_pandas, *PARQUET, *ARROW_FILES])
def test_keys_that_are_not_plain(entry, kind, tmp_path):
    """Lists, structs and the like are refused by name, as are intervals, which may be equal."""
    if entry in PARQUET and kind == "interval":
        pytest.skip("Parquet has no such type")
    with pytest.raises(truebleu.InputTypeError, match=r"column 'k' is a column of .*plain values"):
        entry(made(NESTED[kind]), tmp_path)


@pytest.mark.parametrize("kind", ["struct", "list", "map"])
def test_objects_that_are_not_plain(kind, tmp_path):
    """Columns of objects in pandas are refused as well."""
    with pytest.raises(
        truebleu.InputTypeError, match=r"pandas cannot group by 'k': .*plain values"
    ):
        by_plain_pandas(made(NESTED[kind]), tmp_path)


def test_keys_of_files_are_exact(tmp_path):
    """A value of Python if it has one that is equal; otherwise text."""
    path = parquet(made(KINDS["timestamp us Europe/Berlin"]), tmp_path)
    first = datetime.datetime(2023, 11, 14, 22, 13, 20, 123456, datetime.timezone.utc)
    found = list(tables.corpus_score(path, "mt", "ref", group_by="k"))
    assert found[0] == (first,)
    for kind, text in [
        ("timestamp ns", "2023-11-14 22:13:20.1234567"),
        ("timestamp ns Europe/Berlin", "2023-11-14 22:13:20.1234567+00"),
        ("time ns", "12:34:56.1234567"),
    ]:
        path = parquet(made(KINDS[kind]), tmp_path)
        assert next(iter(tables.corpus_score(path, "mt", "ref", group_by="k"))) == (text,)
    path = parquet(made(KINDS["a last day"]), tmp_path)
    days = list(tables.corpus_score(path, "mt", "ref", group_by="k"))
    assert days[-2:] == [(datetime.date(9999, 12, 31),), ("infinity",)]
    for path in (parquet, feathered):
        found = tables.corpus_score(
            path(made(KINDS["duration ns"]), tmp_path), "mt", "ref", group_by="k"
        )
        assert next(iter(found)) == (OF_DAY["ns"],)


@pytest.mark.parametrize(
    "keys",
    [
        ["12:00:00.1234567", "12:00:00.1234568", "12:00:00.12345678"],
        ["2020-01-01", "2020-01-02", "2020-01-03"],
        ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01 00:00:00Z"],
        ["6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"],
    ],
)
def test_strings_of_json(keys, tmp_path):
    """A string is a string, whatever it looks like, and so are two that mean the same."""
    path = tmp_path / "k.jsonl"
    rows = [{"k": key, "mt": "a", "ref": "a"} for key in keys]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = tables.corpus_score(str(path), "mt", "ref", group_by="k")
    assert sorted(found) == sorted((key,) for key in keys)


@pytest.mark.parametrize(("first", "groups"), [(-(2**63), 3), (2**64 - 3, 3), (2**64, 1)])
def test_numbers_of_json(first, groups, tmp_path):
    """Whole numbers of 64 bits are exact, and larger ones are read as floating-point numbers."""
    path = tmp_path / "k.jsonl"
    rows = [{"k": first + i, "mt": "a", "ref": "a"} for i in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = tables.corpus_score(str(path), "mt", "ref", group_by="k")
    assert list(found) == [(first + i,) for i in range(groups)]


def test_hypotheses_of_json_that_look_like_dates(tmp_path):
    """The same holds for texts, if all of them look like dates."""
    path = tmp_path / "k.jsonl"
    path.write_text('{"mt": "2020-01-01", "ref": "2020-01-02"}\n' * 2, "utf-8")
    want = Bleu().corpus(["2020-01-01"] * 2, ["2020-01-02"] * 2)
    assert tables.corpus_score(str(path), "mt", "ref") == want


DOCUMENTS = {
    "arrow": lambda table: table["k"],
    "polars": lambda table: pl.from_arrow(table)["k"],
    "pandas": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)["k"],
    "numpy": lambda table: table.to_pandas()["k"].to_numpy(),
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("a last")])
@pytest.mark.parametrize("library", DOCUMENTS)
def test_documents(library, kind):
    """Documents are told apart as groups are."""
    table = made(KINDS[kind])
    if library == "polars" and kind in IMPOSSIBLE[by_polars]:
        pytest.skip("Polars has no such type")
    if (library, kind) == ("numpy", "time ns"):
        pytest.skip("NumPy has no such type")
    stats = Bleu().stats(table["mt"], table["ref"])
    found, want = (
        truebleu.confidence_interval(stats, documents=documents, n_resamples=10)
        for documents in (DOCUMENTS[library](table), [*SOME] * 3)
    )
    assert found == want


@pytest.mark.parametrize("kind", ["a last day", "a last moment"])
def test_documents_that_python_cannot_hold(kind):
    """They are refused."""
    table = made(KINDS[kind])
    stats = Bleu().stats(table["mt"], table["ref"])
    with pytest.raises(truebleu.InputError, match="documents is a column that cannot be read"):
        truebleu.confidence_interval(stats, documents=table["k"])


# What every cluster takes; the rest depends on its own types.
TAKEN = {"int64", "double", "string", "date32", "decimal128(38, 0)", "dictionary of string", "bool"}


def no_row_is_lost_in_a_cluster(entry, folder, session, kinds=(*KINDS, *SMALL), rounded=()):
    """Check that types are grouped exactly or refused."""
    exact = set()
    for kind in kinds:
        keys = (KINDS | SMALL)[kind]
        try:
            found = entry(made(keys), folder, session)
        except Exception:  # Of any of four libraries.
            continue
        exact |= {kind} if len(found) == len(keys) else set()
        assert kind in rounded or sorted(found) == [3 * (place + 1) for place in range(len(keys))]
    assert exact >= TAKEN.intersection(kinds)


class TestSpark:
    """The same in Spark, of which one test starts it."""

    pytestmark = pytest.mark.slow

    @pytest.mark.parametrize("entry", [by_spark, by_spark_files])
    def test_no_row_is_lost(self, entry, spark, tmp_path):
        """A data frame of Spark holds microseconds, to which Spark rounds what it is made of."""
        rounded = [kind for kind in KINDS if kind.startswith(("timestamp ns", "time ns"))]
        rounded = rounded if entry is by_spark else ()
        no_row_is_lost_in_a_cluster(entry, tmp_path, spark, rounded=rounded)


class TestRay:
    """The same in Ray Data."""

    pytestmark = pytest.mark.slow

    def test_no_row_is_lost(self, ray, tmp_path, monkeypatch):
        """Blocks are tables of Arrow; each job takes seconds, so only a few types are tried."""
        # In tests alone, Ray refuses what it cannot send in the fastest way, such as views.
        monkeypatch.delenv("PYTEST_CURRENT_TEST")
        kinds = ["int64", "string_view", "timestamp ns UTC", "decimal256(41, 0)", "halffloat"]
        no_row_is_lost_in_a_cluster(by_ray, tmp_path, ray, kinds)
