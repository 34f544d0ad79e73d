"""Parts of saved statistics: the rows, or the sum, of one metric, label and batch."""

from __future__ import annotations

from hashlib import sha256

from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    InputError,
    LengthMismatchError,
    SettingsError,
    wrong_type,
)
from truebleu.metrics.signatures import assert_comparable
from truebleu.metrics.storage import overflow
from truebleu.record import Record, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

    Label = tuple[object, ...]
    # The document of each segment by the names of its batch and of itself.
    UnitsOf = dict[tuple[str, str], str | None]

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


class Part(Record):
    """Statistics of one metric, label and batch: a row for each of `units`, or else their sum.

    The `label` has a value for each name in `header`, such as ``system``. Messages name `source`.
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
    source: str = ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Part):
            return NotImplemented
        return super(Part, self.replace(source="")).__eq__(other.replace(source=""))

    __hash__ = Record.__hash__

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from other parts of a named batch."""
        return self.metric, self.same_label, self.batch

    @property
    def same_label(self) -> frozenset[tuple[str, object]]:
        """What makes labels equal; NaN differs from itself."""
        same = ["nan" if str(value) == "nan" else value for value in self.label]
        return frozenset(zip(self.header, same, strict=True))

    @property
    def where(self) -> str:
        """What messages begin with: the file, if it is known."""
        return f"{self.source}: " * bool(self.source)

    @property
    def name(self) -> str:
        """The label as one text."""
        return ", ".join(map(str, self.label))

    def same_as(self, other: Part) -> bool:
        """Whether another part of this key has the same content, in any order of units."""
        if self.references and other.references and self.references != other.references:
            return False
        if self.units is None or other.units is None:
            return (self.segments, self.stats.sum()) == (other.segments, other.stats.sum())
        return self._by_unit() == other._by_unit()

    def _by_unit(self) -> dict[str, object]:
        documents = self.documents or (None,) * self.segments
        rows = zip(documents, self.stats, strict=True)
        found = zip(self.units or (), rows, strict=True)
        return {unit: (document, row.data) for unit, (document, row) in found}


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


def part_of_rows(
    metric: Metric,
    system: str,
    stats: Stats,
    units: Sequence[str] | None,
    documents: Sequence[str] | None,
    *,
    batch: str,
    references: str | None,
) -> Part:
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
        for index, each in enumerate(given or ()):
            if not 0 < len(each) <= LONGEST_NAME:
                raise InputError(
                    f"{what}[{index}] is {brief(each)}; a name of 1 to {LONGEST_NAME:,} characters "
                    "is needed"
                )
    names = tuple(units or map(str, range(1, len(stats) + 1)))
    check_units(names, system)
    return Part(
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


def check_units(names: Sequence[str], where: str) -> None:
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


def units_of(parts: Sequence[Part]) -> UnitsOf:
    """Return the document of each segment by batch and name; refuse sums, and a segment twice."""
    found: UnitsOf = {}
    for part in parts:
        if part.units is None:
            raise InputError(
                f"{part.where}there is only the sum of {part.name}: this needs a row per "
                "segment, which truebleu score --segment-stats and SavedStats write"
            )
        for number, unit in enumerate(part.units):
            if (part.batch, unit) in found:
                raise InputError(
                    f"{part.where}{part.name} has segment {unit!r}{of_batch(part.batch)} "
                    "twice: give each file a batch, or each system a name, of its own"
                )
            found[part.batch, unit] = part.documents[number] if part.documents else None
    return found


def references_of(parts: Sequence[Part]) -> dict[str, str | None]:
    """Return the checksum of the references of each batch."""
    return {part.batch: part.references for part in parts}


def in_batch(batch: str, name: str | None) -> str:
    r"""Write a name after that of its batch, in which a colon is ``\:``: no two are alike."""
    escaped = batch.replace("\\", r"\\").replace(":", r"\:")
    return f"{escaped}:{name}"


def of_batch(batch: str) -> str:
    """Say which batch something is of, if it has a name."""
    return f" in batch {batch!r}" * bool(batch)


def check_paired(
    first: tuple[str, UnitsOf],
    second: tuple[str, UnitsOf],
) -> None:
    """Refuse two systems whose segments, or documents, differ."""
    for (name, known), (other, others) in ((first, second), (second, first)):
        missing = next((unit for unit in known if unit not in others), None)
        if missing is not None:
            number = sum(unit not in others for unit in known)
            raise InputError(
                f"{other} has no segment {missing[1]!r}{of_batch(missing[0])}, but {name} has "
                f"({formatting.count(number, 'such segment')}): systems are compared on the same "
                "segments, paired by name"
            )
    (name, known), (other, others) = first, second
    for (batch, unit), document in known.items():
        if others[batch, unit] != document:
            raise InputError(
                f"segment {unit!r}{of_batch(batch)} is in document {document!r} for {name}, but "
                f"in {others[batch, unit]!r} for {other}: write both with the same documents"
            )


def other_content(before: Part, part: Part) -> InputError:
    """Return the error for a batch that comes again with other content."""
    sizes = f"{formatting.count(part.segments, 'segment')}, and {before.segments:,} before"
    return InputError(
        f"{part.where}batch {part.batch!r} of {part.name} differs from the one in "
        f"{before.source or 'memory'} ({part.metric}: {sizes}): replace=True or --replace takes "
        "the later one; data that came late needs a batch name of its own"
    )


def added_parts(parts: Sequence[Part]) -> Part:
    """Return the sum of parts; references are known if they are the same."""
    segments = sum(part.segments for part in parts)
    if segments > LARGEST:
        raise overflow()
    checksums = {part.references for part in parts}
    return parts[0].replace(
        stats=sum(part.stats for part in parts),
        segments=segments,
        references=checksums.pop() if len(checksums) == 1 else None,
        units=None,
        documents=None,
    )


def check_same(known: Metric, metric: Metric, first: str, source: str) -> None:
    """Refuse a metric whose settings differ from those of the metric in the `first` file."""
    if known.signature == metric.signature:
        return
    try:
        assert_comparable(known.signature, metric.signature)
    except SettingsError as error:
        raise SettingsError(
            f"{first} and {source} were counted with different settings: "
            f"{str(error).partition(': ')[2]}"
        ) from None
