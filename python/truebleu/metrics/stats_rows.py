"""What statistics are kept as: the rows of one system, metric and batch, or their sum."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import zip_longest
from types import MappingProxyType

from truebleu.display import formatting
from truebleu.errors import EmptyInputError, InputError, LengthMismatchError, wrong_type
from truebleu.inputs import sequences
from truebleu.record import Record, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

    Key = frozenset[tuple[str, type, object]]

# Characters of the name of a unit, a document or a batch.
_LONGEST = 1 << 10

# More segments than there are.
_MOST = 10**15


class ReferenceChecksum:
    """The checksum of references, which are added block by block: a set of lines after the other.

    That of one set is the SHA-256 of its lines, each with a line feed; that of several is the
    SHA-256 of their checksums in hexadecimal. The first 16 digits are kept.
    """

    def __init__(self) -> None:
        self._sets: list[Any] = []

    def add(self, streams: Iterable[Iterable[str | None]]) -> None:
        """Add lines of each set; a missing reference counts as an empty line."""
        for number, lines in enumerate(streams):
            if number == len(self._sets):
                self._sets.append(sha256())
            text = "".join(f"{line or ''}\n" for line in lines)
            self._sets[number].update(text.encode("utf-8", "surrogatepass"))

    def __str__(self) -> str:
        digests = [each.hexdigest() for each in self._sets]
        whole = digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()
        return whole[:16]


def checksum_of(several: Iterable[Sequence[str | None]]) -> str:
    """Return the checksum of the references of each segment."""
    digest = ReferenceChecksum()
    digest.add(zip_longest(*several))
    return str(digest)


class Rows(Record, init=False):
    """The rows of one metric, label and batch: one for each of `units`, or else their sum.

    The label is as ``{"system": "A", "domain": "news"}``. All that a file could not hold is refused
    here, or made what it will be after it was written and read.
    """

    label: Mapping[str, object]
    metric: str
    batch: str
    references: str | None
    stats: Stats
    segments: int
    units: tuple[str, ...] | None
    documents: tuple[str, ...] | None

    def __init__(
        self,
        *,
        label: Mapping[str, object],
        metric: str,
        batch: str,
        references: str | None,
        stats: Stats,
        segments: int,
        units: Iterable[object] | None = None,
        documents: Iterable[object] | None = None,
    ) -> None:
        kept = {str(name): _kept(value) for name, value in label.items()}
        self._fill(label=MappingProxyType(kept))
        self._fill(metric=metric, references=references, stats=stats)
        for what, text in (
            ("batch", batch),
            ("references", "" if references is None else references),
        ):
            if not isinstance(text, str):
                raise wrong_type(what, text, "a str is needed")
        self._fill(batch=_kept(batch))
        if len(self.batch) > _LONGEST:
            raise InputError(f"batch {brief(batch)} has more than {_LONGEST:,} characters")
        if not len(stats):
            raise EmptyInputError(f"{self.name} has no segments")
        if type(segments) is not int or not 0 < segments <= _MOST:
            raise InputError(
                f"segments is {brief(segments)}; a number from 1 to {_MOST:,} is needed"
            )
        self._fill(segments=segments, units=self._names("units", units))
        self._fill(documents=self._names("documents", documents))
        if self.units is not None and len(set(self.units)) < len(self.units):
            twice = next(unit for unit, number in Counter(self.units).items() if number > 1)
            raise InputError(f"{self.name} has segment {brief(twice)} twice; each needs a name")

    def _names(self, what: str, given: Iterable[object] | None) -> tuple[str, ...] | None:
        """Return the names of segments or documents; refuse what is no name of each row."""
        if given is None:
            return None
        names = tuple(names_of(what, given))
        if len(names) != len(self.stats):
            raise LengthMismatchError(
                f"{what} has {formatting.count(len(names), 'name')} for "
                f"{formatting.count(len(self.stats), 'segment')} of {self.name}; one per segment "
                "is needed"
            )
        if not "".join(names).isascii():
            names = tuple(map(_kept, names))
        lengths = [*map(len, names)]
        if not 0 < min(lengths) <= max(lengths) <= _LONGEST:
            index = next(n for n, size in enumerate(lengths) if not 0 < size <= _LONGEST)
            raise InputError(
                f"{what}[{index}] is {brief(names[index])}; a name of 1 to {_LONGEST:,} "
                "characters is needed"
            )
        return names

    @property
    def name(self) -> str:
        """The label as one text."""
        return ", ".join(map(str, self.label.values()))

    @property
    def label_key(self) -> Key:
        """What makes labels equal."""
        return key_of(self.label)


def key_of(label: Mapping[str, object]) -> Key:
    """Return what makes labels equal: names, types and values; here, NaN equals NaN."""
    return frozenset(
        (name, type(value), value if value == value else "nan")  # noqa: PLR0124
        for name, value in label.items()
    )


def _kept(value: Any) -> Any:
    """Return a value of a label, or a text, as a file can have it."""
    if value is None or isinstance(value, bool | int | float):
        return value
    # Bytes of a file's name that are not text cannot be stored.
    return str(value).encode("utf-8", "backslashreplace").decode()


def rows_of_segments(
    stats: Stats,
    metric: Metric,
    system: str,
    units: Iterable[object] | None,
    documents: Iterable[object] | None,
    *,
    batch: str,
    references: str | None,
) -> list[Rows]:
    """Return a row per segment of a system; raises LengthMismatchError for other lengths."""
    if stats.data:
        metric.score(stats[:1])  # Raises StatsMismatchError for other settings.
    rows = Rows(
        label={"system": system},
        metric=metric.identifier,
        batch=batch,
        references=references,
        stats=stats,
        segments=len(stats),
        units=[*map(str, range(1, len(stats) + 1))] if units is None else units,
        documents=documents,
    )
    return [rows]


def names_of(what: str, given: Iterable[object]) -> list[str]:
    """Return names as a list of str."""
    if isinstance(given, str):
        raise wrong_type(what, given, "a list of names is needed")
    names = sequences.as_list(given, what)
    sequences.check_texts(names, what)
    return names


def added(several: Sequence[Rows]) -> Rows:
    """Return the sum of rows of one metric; references are known if they are the same."""
    checksums = {rows.references for rows in several}
    return several[0].replace(
        stats=sum(rows.stats for rows in several),
        segments=sum(rows.segments for rows in several),
        references=checksums.pop() if len(checksums) == 1 else None,
        units=None,
        documents=None,
    )


def in_batch(batch: str, name: str | None) -> str:
    r"""Write a name after that of its batch, in which a colon is ``\:``: no two are alike."""
    escaped = batch.replace("\\", r"\\").replace(":", r"\:")
    return f"{escaped}:{name}"


def of_batch(batch: str) -> str:
    """Say which batch something is of, if it has a name."""
    return f" in batch {batch!r}" * bool(batch)
