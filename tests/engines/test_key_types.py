"""Groups by keys of every type of Arrow: rows in are rows out, in every engine and entry."""

import contextlib
import datetime
import decimal
import io
import json

import duckdb
import entries
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from looping import later
from truebleu import Bleu
from truebleu.cli import main
from truebleu.engines import arrow
from truebleu.engines.duckdb import register

pytestmark = entries.WARNINGS

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


def lengths_by(entry):
    """Make a function that returns the words of each group by an entry."""

    def lengths(table):
        found = entry(table, "mt", "ref", group_by="k")
        return [length for _, length in entries.groups(found, name="hyp_len")]

    return lengths


def sql(table):
    with duckdb.connect() as connection:
        register(connection)
        connection.register("data", table)
        query = "SELECT bleu_sum(bleu_stats(mt, ref)).hyp_len FROM data GROUP BY k"
        return [length for (length,) in connection.sql(query).fetchall()]


def stored_in(write):
    """Make a function that does so by statistics that are stored in a file."""

    def lengths(table):
        path = write(arrow.stats(table, "mt", "ref").append_column("k", table["k"]))
        return arrow.score_stats(path, group_by="k")["hyp_len"].to_pylist()

    return lengths


def command(table):
    named = ["--hypothesis-column", "mt", "--reference-column", "ref", "--group-by", "k"]
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = main(["score", entries.parquet(table), *named, "--format", "json"])
    if code:
        raise truebleu.InputTypeError(error.getvalue())
    rows = json.loads(out.getvalue())
    assert len({json.dumps(row["k"]) for row in rows}) == len(rows)
    return [row["hyp_len"] for row in rows]


PARQUET = {
    "files": lengths_by(entries.by_parquet),
    "stored in files": stored_in(entries.parquet),
    "command": command,
}
ARROW_FILES = {
    "Arrow files": lengths_by(entries.by_arrow_file),
    "stored in Arrow files": stored_in(entries.arrow_file),
}
ENTRIES = {
    "arrow": lengths_by(entries.by_arrow),
    "stream": lengths_by(entries.by_stream),
    "pandas": lengths_by(entries.by_pandas),
    "plain pandas": lengths_by(entries.by_plain_pandas),
    "polars": lengths_by(entries.by_polars),
    "lazy polars": lengths_by(entries.by_lazy_polars),
    "sql": sql,
    **PARQUET,
    **ARROW_FILES,
}

WIDE = [kind for kind in KINDS if "decimal256" in kind]
OF_POLARS = (*WIDE, "run-end encoded", *(k for k in KINDS if "+05:30" in k))
# What the library itself refuses to hold, before any row is scored.
IMPOSSIBLE = {
    "polars": OF_POLARS,
    "lazy polars": OF_POLARS,
    "sql": (*WIDE, "halffloat"),
    "plain pandas": ("a last day", "time ns"),
    **dict.fromkeys(PARQUET, ("run-end encoded",)),
}


def no_row_is_lost(name, kind):
    """Check the words of each group: their number is that of no other key."""
    keys = (KINDS | SMALL)[kind]
    if kind in IMPOSSIBLE.get(name, ()):
        with pytest.raises(BaseException) as caught:  # noqa: PT011  # A panic of Polars is no Exception.
            ENTRIES[name](made(keys))
        assert not isinstance(caught.value, truebleu.TruebleuError)
    else:
        found = ENTRIES[name](made(keys))
        assert sorted(found) == [3 * (place + 1) for place in range(len(keys))]


@pytest.mark.parametrize("name", ENTRIES)
def test_no_row_is_lost(name, subtests):
    """There are as many groups as values of Arrow, and each has its own rows."""
    kinds = (*KINDS, *SMALL)
    # Files of statistics are grouped as those of texts are.
    for kind in kinds[::3] if name.startswith("stored") else kinds:
        # DuckDB reads durations of Arrow in microseconds.
        if (name, kind) != ("sql", "duration ns"):
            with subtests.test(kind=kind):
                no_row_is_lost(name, kind)


@pytest.mark.parametrize("name", ["arrow", "stream", "pandas", *PARQUET, *ARROW_FILES])
def test_keys_that_are_not_plain(name, subtests):
    """Lists, structs and the like are refused by name, as are intervals, which may be equal."""
    message = r"column 'k' is a column of .*plain values"
    for kind, keys in NESTED.items():
        # Parquet has no intervals.
        if name not in PARQUET or kind != "interval":
            with subtests.test(kind=kind), pytest.raises(truebleu.InputTypeError, match=message):
                ENTRIES[name](made(keys))


@pytest.mark.parametrize("kind", ["struct", "list", "map"])
def test_objects_that_are_not_plain(kind):
    """Columns of objects in pandas are refused as well."""
    message = r"column .k. is a column of .*plain values|cannot be read as columns"
    with pytest.raises(truebleu.InputTypeError, match=message):
        ENTRIES["plain pandas"](made(NESTED[kind]))


def test_keys_of_files_are_exact():
    """Results have the values of the file, to the last digit."""
    for kind in ("timestamp us Europe/Berlin", "timestamp ns", "time ns", "duration ns", "date32"):
        for write in (entries.parquet, entries.arrow_file):
            found = arrow.corpus_score(write(made(KINDS[kind])), "mt", "ref", group_by="k")["k"]
            assert found.cast("int64" if "date" not in kind else "int32").to_pylist() == sorted(
                KINDS[kind].cast("int64" if "date" not in kind else "int32").to_pylist()
            ), kind


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        (["12:00:00.1234567", "12:00:00.1234568", "12:00:00.12345678"], 3),
        (["2020-01-01", "2020-01-02", "2020-01-03"], 3),
        (["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01 00:00:00Z"], 3),
        (["6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"], 2),
        *(([first + i for i in range(3)], 3) for first in (-(2**63), 2**64 - 3)),
        ([2**64 + i for i in range(3)], 3),
    ],
)
def test_keys_of_json(keys, groups, tmp_path):
    """All keys are text, whatever they mean: a number is what is written."""
    path = tmp_path / "k.jsonl"
    rows = [{"k": key, "mt": "a", "ref": "a"} for key in keys]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = arrow.corpus_score(str(path), "mt", "ref", group_by="k")
    assert found["k"].to_pylist() == sorted(map(str, keys[:groups]))


def test_hypotheses_of_json_that_look_like_dates(tmp_path):
    """The same holds for texts, if all of them look like dates."""
    path = tmp_path / "k.jsonl"
    path.write_text('{"mt": "2020-01-01", "ref": "2020-01-02"}\n' * 2, "utf-8")
    want = Bleu().corpus(["2020-01-01"] * 2, ["2020-01-02"] * 2)
    assert arrow.corpus_score(str(path), "mt", "ref") == want


DOCUMENTS = {
    "arrow": lambda table: table["k"],
    "polars": lambda table: pl.from_arrow(table)["k"],
    "pandas": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)["k"],
    "numpy": lambda table: table.to_pandas()["k"].to_numpy(),
}


@pytest.mark.parametrize("library", DOCUMENTS)
def test_documents(library, subtests):
    """Documents are told apart as groups are."""
    for kind, keys in KINDS.items():
        # What Python cannot hold is refused below.
        lacking = ("time ns",) if library == "numpy" else ()
        lacking = OF_POLARS if library == "polars" else lacking
        if kind in lacking or kind.startswith("a last"):
            continue
        table = made(keys)
        stats = Bleu().stats(table["mt"], table["ref"])
        found, expected = (
            truebleu.confidence_interval(stats, units=documents, n_resamples=39)
            for documents in (DOCUMENTS[library](table), [*SOME] * 3)
        )
        with subtests.test(kind=kind):
            assert found == expected


@pytest.mark.parametrize("kind", ["a last day", "a last moment"])
def test_documents_that_python_cannot_hold(kind):
    """They are refused."""
    table = made(KINDS[kind])
    stats = Bleu().stats(table["mt"], table["ref"])
    with pytest.raises(truebleu.InputError, match="units is a column that cannot be read"):
        truebleu.confidence_interval(stats, units=table["k"])


# What every cluster takes; the rest depends on its own types.
TAKEN = {"int64", "double", "string", "date32", "decimal128(38, 0)", "dictionary of string", "bool"}


# Each kind is a job of a second in Spark: of the sizes of a type, the extremes; of zones, one.
OF_SPARK = [
    *("int8", "int64", "uint8", "uint64", "halffloat", "float", "double"),
    *("decimal128(9, 2)", "decimal128(38, 0)", "decimal128(38, 38)", "decimal256(41, 0)"),
    *("string", "large_string", "string_view", "binary", "binary_view", "fixed_size_binary[20]"),
    *("date32", "date64", *(f"timestamp {unit}" for unit in UNITS)),
    *("timestamp us UTC", "timestamp ns Europe/Berlin", "time s", "time us", "time ns"),
    *("duration s", "duration us", "duration ns", "dictionary of string"),
    *("dictionary of timestamp ns", "dictionary by uint64", "run-end encoded", "uuid"),
    *("a last day", "a last moment", *SMALL),
]


def no_row_is_lost_in_a_cluster(entry, kinds, rounded=()):
    """Check that types are grouped exactly or refused."""
    exact = set()
    for kind in kinds:
        keys = (KINDS | SMALL)[kind]
        try:
            found = lengths_by(entry)(made(keys))
        except Exception:  # Of any of four libraries.
            continue
        exact |= {kind} if len(found) == len(keys) else set()
        assert kind in rounded or sorted(found) == [3 * (place + 1) for place in range(len(keys))]
    assert exact >= TAKEN.intersection(kinds)


@pytest.mark.slow
@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("entry", entries.ENTRIES["spark"])
@pytest.mark.parametrize("kinds", [OF_SPARK[::4], later(OF_SPARK)], ids=len)
def test_no_row_is_lost_in_spark(entry, kinds):
    """A data frame of Spark holds microseconds, to which Spark rounds what it is made of."""
    rounded = [kind for kind in KINDS if kind.startswith(("timestamp ns", "time ns"))]
    rounded = rounded if entry is entries.by_spark else ()
    no_row_is_lost_in_a_cluster(entry, kinds, rounded)


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_no_row_is_lost_in_ray(monkeypatch):
    """Blocks are tables of Arrow; each job takes seconds, so only a few types are tried."""
    # In tests alone, Ray refuses what it cannot send in the fastest way, such as views.
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    kinds = ["int64", "string_view", "timestamp ns UTC", "decimal256(41, 0)", "halffloat"]
    no_row_is_lost_in_a_cluster(entries.by_ray, kinds)
