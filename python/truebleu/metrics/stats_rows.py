"""What statistics are kept as: arrays of rows, each of one metric, label and batch."""

from __future__ import annotations

from hashlib import sha256

from truebleu.display import formatting
from truebleu.errors import EmptyInputError, InputError, LengthMismatchError, wrong_type
from truebleu.metrics.storage import overflow
from truebleu.record import Record, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

    Label = tuple[object, ...]

LARGEST = (1 << 63) - 1
"""Of int64, in which numbers are stored."""

LONGEST_NAME = 1 << 10
"""Characters of the name of a unit, a document or a batch."""


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


class Rows(Record):
    """The rows of one metric, label and batch: one for each of `units`, or else their sum.

    The `label` has a value for each name in `header`, such as ``system``.
    """

    header: tuple[str, ...]
    label: Label
    metric: str
    batch: str
    references: str | None
    stats: Stats
    segments: int
    units: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None

    @property
    def label_key(self) -> frozenset[tuple[str, type, object]]:
        """What makes labels equal: names, types and values; here, NaN equals NaN."""
        pairs = zip(self.header, self.label, strict=True)
        return frozenset(
            (name, type(value), value if value == value else "nan")  # noqa: PLR0124
            for name, value in pairs
        )

    @property
    def name(self) -> str:
        """The label as one text."""
        return ", ".join(map(str, self.label))

    @property
    def of_system(self) -> tuple[str, str, object]:
        """The metric, the batch, and the system: what a file has all rows of, or none."""
        system = self.label[self.header.index("system")] if "system" in self.header else None
        return self.metric, self.batch, system

    def ordered(self) -> tuple[tuple[str, ...], tuple[str, ...] | None, bytes] | None:
        """Return units, documents and rows in the order of the names of units; None for a sum."""
        if self.units is None:
            return None
        order = sorted(range(len(self.units)), key=self.units.__getitem__)
        rows = self.stats.to_numpy()[order]
        documents = self.documents and tuple(self.documents[place] for place in order)
        return tuple(self.units[place] for place in order), documents, rows.tobytes()


def same_rows(one: Sequence[Rows], other: Sequence[Rows]) -> bool:
    """Whether a batch that comes again is the same: rows in any order, or their sums."""
    first, second = ({rows.label_key: rows for rows in each} for each in (one, other))
    return (
        len(one) == len(other)
        and first.keys() == second.keys()
        and all(_same(rows, second[key]) for key, rows in first.items())
    )


def _same(one: Rows, other: Rows) -> bool:
    if None not in (one.references, other.references) and one.references != other.references:
        return False
    if None not in (one.units, other.units):
        return one.ordered() == other.ordered()
    return (one.segments, one.stats.sum()) == (other.segments, other.stats.sum())


def listed_references(references: Iterable[Any]) -> list[list[Any]]:
    """Return the references of each segment, of which there may be one or several."""
    if isinstance(references, str) or not hasattr(references, "__iter__"):
        raise wrong_type("references", references, "the references of each segment are needed")
    several = []
    for index, each in enumerate(references):
        texts = [each] if each is None or isinstance(each, str | bytes) else each
        listed = list(texts) if hasattr(texts, "__iter__") else [texts]
        for text in listed:
            if text is not None and not isinstance(text, str):
                raise wrong_type(f"references[{index}]", text, "a str, or several, is needed")
        several.append(listed)
    return several


def checksum_of(several: Sequence[Sequence[Any]]) -> str:
    """Return the checksum of the references of each segment."""
    sets = max(map(len, several), default=1)
    digest = ReferenceChecksum()
    digest.add([[(*each, *[None] * sets)[n] for each in several] for n in range(sets)])
    return str(digest)


def rows_of_segments(
    metric: Metric,
    system: str,
    stats: Stats,
    units: Sequence[str] | None,
    documents: Sequence[str] | None,
    *,
    batch: str,
    references: str | None,
) -> Rows:
    """Return a row per segment of a system; raises LengthMismatchError for other lengths."""
    if not stats.data:
        raise EmptyInputError(f"{system} has no segments")
    metric.score(stats[:1])  # Raises StatsMismatchError for other settings.
    for what, given in (("units", units), ("documents", documents)):
        if given is not None and len(given) != len(stats):
            raise LengthMismatchError(
                f"{what} has {formatting.count(len(given), 'name')} for "
                f"{formatting.count(len(stats), 'segment')} of {system}; one per segment is needed"
            )
        check_names(what, given or ())
    names = tuple(units or map(str, range(1, len(stats) + 1)))
    check_unique(names, system)
    return Rows(
        header=("system",),
        label=(system,),
        metric=metric.identifier,
        batch=batch,
        references=references,
        stats=stats,
        segments=len(stats),
        units=names,
        documents=None if documents is None else tuple(documents),
    )


def check_names(what: str, names: Iterable[object]) -> None:
    """Refuse names of segments or documents that are no texts, or too long ones."""
    for index, each in enumerate(names):
        if not isinstance(each, str):
            raise wrong_type(f"{what}[{index}]", each, "a name, as a str, is needed")
        if not 0 < len(each) <= LONGEST_NAME:
            raise InputError(
                f"{what}[{index}] is {brief(each)}; a name of 1 to {LONGEST_NAME:,} characters "
                "is needed"
            )


def check_unique(names: Sequence[str], where: str) -> None:
    """Refuse two segments of one name."""
    seen: set[str] = set()
    for name in names if len(set(names)) < len(names) else ():
        if name in seen:
            raise InputError(f"{where} has segment {brief(name)} twice; each needs a name")
        seen.add(name)


def names_of_rows(what: str, given: Iterable[str] | None) -> list[str] | None:
    """Return the names of segments or documents as a list of str."""
    if given is None:
        return None
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise wrong_type(what, given, "a list of names is needed")
    names = list(given)
    for index, name in enumerate(names):
        if not isinstance(name, str):
            raise wrong_type(f"{what}[{index}]", name, "a name, as a str, is needed")
    return names


def added(several: Sequence[Rows]) -> Rows:
    """Return the sum of rows of one metric; references are known if they are the same."""
    segments = sum(rows.segments for rows in several)
    if segments > LARGEST:
        raise overflow()
    checksums = {rows.references for rows in several}
    return several[0].replace(
        stats=sum(rows.stats for rows in several),
        segments=segments,
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
