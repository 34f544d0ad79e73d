"""Keys of groups and of units that are equal are one, whatever their bits, in every engine."""

import re

import entries
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import truebleu
from project import ROOT
from tables_of_text import KEYS, TABLE, keyed, wanted
from truebleu import Bleu
from truebleu.engines import arrow

PAGE = ROOT / "docs" / "tables.md"

pytestmark = entries.WARNINGS


def of_dictionary(entry):
    """Encode keys in a dictionary, in which equal ones are several."""

    def encoded(table, *names, **more):
        coded = table["k"].dictionary_encode()
        return entry(table.set_column(table.column_names.index("k"), "k", coded), *names, **more)

    return encoded


def by_masked_pandas(table, *names, **more):
    numbers = table["k"].to_numpy(zero_copy_only=False)
    masked = pd.arrays.FloatingArray(numbers, np.array([key is None for key in KEYS]))
    return arrow.corpus_score(table.to_pandas().assign(k=masked), *names, **more)


ENTRIES = [
    # Objects of pandas have no nulls beside NaN.
    *(each for each in entries.LOCAL if each not in entries.PANDAS[1:]),
    *map(of_dictionary, (entries.by_arrow, entries.by_pandas)),
    by_masked_pandas,
]


def test_every_engine_is_tried():
    """No engine of the page is left out."""
    named = set(re.findall(r"(?m)^\| `engines\.(\w+)`", PAGE.read_text("utf-8")))
    assert named | {"files"} == set(entries.ENTRIES)


def check_groups_of_floats(entry):
    """Check that 0.0 and -0.0 are one group, every NaN is another, and null a third."""
    for kind in (pa.float64(), pa.float32()):
        table = keyed(kind)
        both = table.append_column("half_2", pa.array([i // 5 for i in range(10)]))
        for chosen, by in ((table, ["k"]), (both, ["half_2", "k"])):
            found = entries.groups(entry(chosen, "mt", "ref_a", group_by=by), by)
            found = [((*others, readable(last)), score) for (*others, last), score in found]
            rows = {}
            for row in range(10):
                name = (*(chosen[each][row].as_py() for each in by[:-1]), readable(KEYS[row]))
                rows.setdefault(name, []).append(row)
            assert len(found) == len(rows)
            assert dict(found) == {
                name: wanted(chosen.take(at), ["ref_a"]).score for name, at in rows.items()
            }


@pytest.mark.parametrize("entry", ENTRIES)
def test_groups_of_floats(entry):
    """Equal keys are one group, in every engine."""
    check_groups_of_floats(entry)


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [*entries.ENTRIES["spark"], entries.by_ray],
    ids=["spark", "ray"],
)
def test_groups_of_floats_in_clusters(entry, start):
    """The same, also if the groups are spread over many tasks."""
    start(entry)
    check_groups_of_floats(entry)


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
    found = truebleu.confidence_interval(stats, units=documents, n_resamples=100)
    names = [readable(key) for key in table["k"].to_pylist()]
    assert names.count("nan") > 1
    assert found == truebleu.confidence_interval(stats, units=names, n_resamples=100)


def test_documents_without_values_of_numpy():
    """NaN of any type of float is one document."""
    documents = [np.float32("nan"), float("nan"), np.float64("nan"), 1.0, np.float32(1), -0.0, 0]
    stats = Bleu().stats(TABLE["mt"][:7], TABLE["ref_a"][:7])
    with pytest.warns(truebleu.SmallSampleWarning):
        found = truebleu.confidence_interval(stats, units=documents, n_resamples=100)
    with pytest.warns(truebleu.SmallSampleWarning):
        want = truebleu.confidence_interval(stats, units=[*"nnn1100"], n_resamples=100)
    assert found == want
