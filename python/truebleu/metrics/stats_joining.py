"""How saved statistics join: batches that are counted once, and systems that are paired by name."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import InputError, SettingsError
from truebleu.metrics.signatures import assert_comparable
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_rows import of_batch, same_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_rows import Rows

    # The document of each segment by the names of its batch and of itself.
    UnitsOf = dict[tuple[str, str], str | None]


class Batches:
    """Rows of several files; a batch with a name is one thing, which counts once.

    It is one thing for a metric and a system, or for all groups of another header: what comes again
    is the same, or another count of the same segments.
    """

    def __init__(self, *, replace: bool) -> None:
        self._replace = replace
        # By metric, batch and system, where they are from, and the rows; without a batch, a number.
        self._kept: dict[tuple[object, ...], tuple[str, list[Rows]]] = {}

    def add(self, source: str, rows: Iterable[Rows]) -> None:
        """Add the rows of a file."""
        coming: dict[tuple[object, ...], list[Rows]] = {}
        for each in rows:
            if each.batch:
                coming.setdefault(each.of_system, []).append(each)
            else:
                self._kept[(len(self._kept),)] = source, [each]
        for key, several in coming.items():
            known = [each for each in self._kept if each[:2] == key[:2]]
            other = next((each for each in known if self._is_other(each, several)), None)
            if other is None:
                self._kept.setdefault(key, (source, several))
                continue
            if not self._replace:
                raise self._conflict(self._kept[other], source, several)
            for other in known:
                if other != key and _headers(self._kept[other][1]) != _headers(several):
                    del self._kept[other]
            self._kept[key] = source, several

    def _is_other(self, key: tuple[object, ...], several: Sequence[Rows]) -> bool:
        """Whether what is kept under a key contradicts rows of the same metric and batch."""
        before = self._kept[key][1]
        if _headers(before) != _headers(several):
            return True
        return key == several[0].of_system and not same_rows(before, several)

    @staticmethod
    def _conflict(
        before: tuple[str, list[Rows]], source: str, several: Sequence[Rows]
    ) -> InputError:
        place, rows = before
        was, now = (sum(each.segments for each in group) for group in (rows, several))
        first, second = (", ".join(group[0].header) for group in (rows, several))
        by = f", by {second}, and by {first} there" * (first != second)
        name = f" of {several[0].name}" * (len(several) == 1)
        return InputError(
            f"{source}: batch {several[0].batch!r}{name} differs from the one in {place} "
            f"({several[0].metric}: {formatting.count(now, 'segment')}, and {was:,} there{by}): "
            "replace=True or --replace takes the later one as a whole; data that came late needs a "
            "batch name of its own"
        )

    def rows(self) -> list[Rows]:
        """Return what is kept, in the order in which it came."""
        return [each for _, several in self._kept.values() for each in several]


def _headers(several: Iterable[Rows]) -> set[frozenset[str]]:
    return {frozenset(rows.header) for rows in several}


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


def units_of(several: Sequence[Rows]) -> UnitsOf:
    """Return the document of each segment by batch and name; refuse sums, and a segment twice."""
    found: UnitsOf = {}
    for rows in several:
        if rows.units is None:
            raise InputError(
                f"there is only the sum of {rows.name}: this needs a row per segment, which "
                "truebleu score --segment-stats and SavedStats write"
            )
        keys = [(rows.batch, unit) for unit in rows.units]
        for key in keys if found else ():
            if key in found:
                raise InputError(
                    f"{rows.name} has segment {key[1]!r}{of_batch(rows.batch)} twice: give each "
                    "file a batch, or each system a name, of its own"
                )
        found.update(zip(keys, rows.documents or (None,) * len(keys), strict=True))
    return found


def paired(found: Mapping[str, Sequence[Rows]], first: str, known: UnitsOf) -> dict[str, Stats]:
    """Return the statistics of each system, in the order of the segments of the first."""
    order = list(known)
    paired_rows: dict[str, Stats] = {}
    for name, several in found.items():
        mine = units_of(several)
        if mine != known:
            _refuse_unpaired((first, known), (name, mine))
        joined = Stats.join([rows.stats for rows in several])
        if list(mine) != order:
            place = {unit: number for number, unit in enumerate(mine)}
            table = joined.to_numpy()[[place[unit] for unit in order]]
            joined = joined.with_data(table.tobytes(), joined.fewest, joined.most)
        paired_rows[name] = joined
    difference = other_references(found)
    if difference:
        raise InputError(
            f"{difference}; compare systems that were scored against the same references"
        )
    return paired_rows


def _refuse_unpaired(first: tuple[str, UnitsOf], second: tuple[str, UnitsOf]) -> None:
    """Say which segment, or document, two systems do not share."""
    for (name, known), (other, others) in ((first, second), (second, first)):
        missing = [unit for unit in known if unit not in others]
        if missing:
            nothing = "they share no segment, so " * (len(missing) == len(known))
            raise InputError(
                f"{nothing}{other} has no segment {missing[0][1]!r}{of_batch(missing[0][0])}, but "
                f"{name} has ({formatting.count(len(missing), 'such segment')}): systems are "
                "compared on the same segments, paired by name"
            )
    (name, known), (other, others) = first, second
    for (batch, unit), document in known.items():
        if others[batch, unit] != document:
            raise InputError(
                f"segment {unit!r}{of_batch(batch)} is in document {document!r} for {name}, but "
                f"in {others[batch, unit]!r} for {other}: write both with the same documents"
            )


def other_references(found: Mapping[str, Sequence[Rows]]) -> str:
    """Say which two systems differ in the references of a batch, or in its segments; or nothing."""
    # The first checksum, and the first numbers of references and segments, of each batch.
    checksums: dict[str, tuple[str, str]] = {}
    sizes: dict[str, tuple[tuple[int, int, int], str]] = {}
    for name, several in found.items():
        for rows in several:
            which = of_batch(rows.batch)
            if rows.references:
                known, first = checksums.setdefault(rows.batch, (rows.references, name))
                if known != rows.references:
                    return (
                        f"{name} and {first} have different references{which}: their checksums are "
                        f"{rows.references} and {known}"
                    )
            stats = rows.stats
            if stats.most > 0 and rows.units is not None:
                size = stats.fewest, stats.most, rows.segments
                before, first = sizes.setdefault(rows.batch, (size, name))
                if before != size:
                    return (
                        f"{name} and {first} have different references{which}: "
                        f"{_size(size)}, and {_size(before)}"
                    )
    return ""


def _size(size: tuple[int, int, int]) -> str:
    fewest, most, segments = size
    number = f"{most}" if fewest == most else f"{fewest} to {most}"
    return f"{number} for each of {formatting.count(segments, 'segment')}"


def refuse_unrelated(counted: Mapping[str, Stats]) -> None:
    """Refuse rows that are not of the same segments: the lengths of their references differ.

    Those of TER are a mean over all references. Under other metrics, they are the same for all
    systems only if each segment has one; chrF counts none for a hypothesis that is too short.
    """
    (first, known), *others = counted.items()
    of_ter = "ref_len_units" in known.fields
    if not (of_ter or all(stats.fewest == stats.most == 1 for stats in counted.values())):
        return
    places = [
        place
        for place, name in enumerate(known.fields)
        if name in ("ref_len", "ref_len_units")
        or (name.startswith("char") and name.endswith("_ref"))
    ]
    lengths = known.to_numpy()[:, places]
    for name, stats in others:
        mine = stats.to_numpy()[:, places]
        differ = ((mine != lengths) & (mine > 0) & (lengths > 0)).any(axis=1)
        if differ.any():
            number = formatting.count(int(differ.sum()), "row")
            raise InputError(
                f"{first!r} and {name!r} were scored against different references: in {number} of "
                f"{len(stats):,}, first in row {int(differ.argmax())} (from 0), the reference has "
                "another length. Only systems on the same segments can be compared; of different "
                "ones, such as those of two days, compare confidence_interval of each"
            )
