"""What is resampled and swapped: segments, blocks of them, or documents; chosen once a call."""

from __future__ import annotations

from copy import copy
from numbers import Number

import numpy as np

from truebleu.display import formatting
from truebleu.errors import InputError, InputTypeError, LengthMismatchError
from truebleu.inputs import sequences
from truebleu.significance.dependence import block_length, inflations
from truebleu.significance.resampling import Resampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import Any, Literal

    from numpy.typing import NDArray

    from truebleu.metrics import Metric, Stats
    from truebleu.significance.inference import Floats

    UnitsGiven = Literal["auto", "segments"] | int | Iterable[Hashable]

    Table = NDArray[np.int64]

    # The statistics of each system, by the name of the metric.
    Counted = Mapping[str, Mapping[str, Stats]]

_NAN = float("nan")

# Of more segments, about so many blocks are resampled.
_MOST_SEGMENTS, _MANY_BLOCKS = 100_000, 10_000


class Units:
    """The units of a call: ``segments``, ``documents`` or ``blocks``.

    `numbers` are those of the unit of each segment, from 0; None if units are segments. Blocks have
    a `length`, in `segments`. `why` says how they were chosen.
    """

    def __init__(
        self, name: str, segments: int, why: str, *, numbers: Any = None, length: int = 0
    ) -> None:
        self.name, self.why, self.length, self.segments = name, why, length, segments
        self.numbers: NDArray[np.int64] | None = numbers
        self.count = segments if numbers is None else int(numbers.max(initial=-1)) + 1
        self.described, self.signed = name, name
        if length:
            self.described = f"blocks of {formatting.count(length, 'segment')}"
            self.signed = f"blocks-{length}"
        if self.count < 2:
            raise InputError(
                f"cannot resample {formatting.count(self.count, name.removesuffix('s'))}; at "
                "least 2 are needed"
            )

    def of(self, metric: Metric, counted: Mapping[str, Stats]) -> dict[str, Table]:
        """Return the rows of all units of each system; of averages, those that have a score."""
        numbers = self.numbers
        tables = {
            name: (stats if numbers is None else stats.sums(numbers, self.count)).to_numpy()
            for name, stats in counted.items()
        }
        if metric._is_average:
            known = np.any([table.any(axis=1) for table in tables.values()], axis=0)
            tables = {name: table[known] for name, table in tables.items()}
            if int(known.sum()) < 2:
                raise InputError(
                    f"cannot resample {formatting.count(int(known.sum()), 'score')}; at least 2 "
                    f"{self.name} with a score are needed"
                )
        return tables


def chosen_units(
    given: UnitsGiven,
    known: Iterable[Hashable] | None,
    metrics: Mapping[str, Metric],
    counted: Counted,
) -> Units:
    """Return the units that were given, or that the data ask for; documents may be `known`."""
    segments = len(next(iter(next(iter(counted.values())).values())))
    if isinstance(given, str) and given == "segments":
        return Units("segments", segments, "as asked for")
    if isinstance(given, int):
        return _blocks(given, segments, "as asked for")
    if not isinstance(given, str):
        return Units("documents", segments, "as given", numbers=_numbered(given, segments))
    if known is not None and int((numbers := _numbered(known, segments)).max(initial=0)):
        return Units("documents", segments, "as recorded in the data", numbers=numbers)
    return _by_the_data(segments, metrics, counted)


def _by_the_data(segments: int, metrics: Mapping[str, Metric], counted: Counted) -> Units:
    """Return segments, or blocks of those that are alike, or very many."""
    if segments > _MOST_SEGMENTS:
        # As many blocks say as much, in a hundredth of the time.
        length = -(-segments // _MANY_BLOCKS)
        return _blocks(length, segments, "because there are so many segments")
    found = [each for left in _left_out(metrics, counted) if (each := inflations(left)) is not None]
    length = max((block_length(inflated, segments) for inflated in found), default=1)
    if length > 1:
        return _blocks(length, segments, "auto")
    return Units("segments", segments, "auto")


def _left_out(metrics: Mapping[str, Metric], counted: Counted) -> list[Floats]:
    """Score all systems without each segment: a table for each set of segments that have scores.

    Those without would make the others seem alike: their influences are all the same.
    """
    found: dict[bytes, list[Floats]] = {}
    for name, systems in counted.items():
        tables = [stats.to_numpy() for stats in systems.values()]
        known = np.ones(len(tables[0]), bool)
        if metrics[name]._is_average:
            known = np.any([table.any(axis=1) for table in tables], axis=0)
            tables = [table[known] for table in tables]
        if len(tables[0]) > 1:
            left_out = Resampler(tables, metrics[name]).left_out()
            found.setdefault(known.tobytes(), []).append(left_out)
    return [np.concatenate(each) for each in found.values()]


def together(several: Sequence[Units], within: str = "") -> Units:
    """Return the units of several sets, or corpora, as one thing that notes and signatures name."""
    joint = copy(several[0])
    names, described, signed = (
        dict.fromkeys(getattr(each, what) for each in several)
        for what in ("name", "described", "signed")
    )
    joint.name = " and ".join(names)
    joint.described = " and ".join(described) + within
    joint.signed = "+".join(signed)
    joint.count = sum(each.count for each in several)
    return joint


def _blocks(length: int, segments: int, why: str) -> Units:
    """Put segments in a row together; what is left over makes some blocks longer."""
    count = max(1, segments // length)
    starts = np.arange(count) * segments // count
    numbers = np.searchsorted(starts, np.arange(segments), side="right") - 1
    return Units("blocks", segments, why, numbers=numbers, length=length)


def _numbered(labels: Iterable[Hashable], segments: int) -> NDArray[np.int64]:
    """Return numbers of documents, from 0 in the order in which they come."""
    listed = listed_labels("units", labels)
    if len(listed) != segments:
        raise LengthMismatchError(
            f"units has {formatting.count(len(listed), 'ID')} for "
            f"{formatting.count(segments, 'segment')}; one per segment is needed"
        )
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(each, len(numbers)) for each in listed], np.int64)


def listed_labels(name: str, labels: Any) -> list[Hashable]:
    """Return the labels of segments as a list, in which every NaN is the same one."""
    # A str is the IDs of its characters.
    ids = [*labels] if isinstance(labels, str) else sequences.as_list(labels, name)
    for index, each in enumerate(ids):
        try:
            hash(each)
        except TypeError:
            raise InputTypeError(
                f"{name}[{index}] is a {type(each).__name__}; an ID, such as a str, is needed"
            ) from None
        if isinstance(each, Number) and each != each:  # noqa: PLR0124  # NaN.
            ids[index] = _NAN
    return ids
