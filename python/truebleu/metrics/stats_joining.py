"""How saved statistics join: batches that are counted once, and systems that are paired by name."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import InputError, SettingsError
from truebleu.metrics.signatures import assert_comparable
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_rows import added, key_of, of_batch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_rows import Key, Rows

    # The document of each segment by the names of its batch and of itself.
    UnitsOf = dict[tuple[str, str], str | None]


def join_batches(
    files: Iterable[tuple[str, Iterable[Rows]]], *, replace: bool = False
) -> list[Rows]:
    """Return the rows of files; under a metric, a batch with a name is one thing and counts once.

    What comes again is the same, other systems, or another count of the same segments. That is
    refused, or replaces the batch as a whole.
    """
    kept: dict[object, tuple[str, list[Rows]]] = {}
    for source, several in files:
        coming: dict[object, list[Rows]] = {}
        for rows in several:
            # Without a name, each is a batch of its own.
            key = (rows.metric, rows.batch) if rows.batch else object()
            coming.setdefault(key, []).append(rows)
        for key, later in coming.items():
            first, earlier = kept.setdefault(key, (source, []))
            known = _by_system(earlier)
            if not earlier or _are_one(earlier, later):
                earlier += [rows for rows in later if _system_of(rows) not in known]
            elif replace:
                kept[key] = source, later
            else:
                raise _conflict(source, later, first, earlier)
    return [rows for _, several in kept.values() for rows in several]


def _system_of(rows: Rows) -> Key:
    return key_of({"system": rows.label.get("system")})


def _by_system(several: Iterable[Rows]) -> dict[Key, dict[Key, list[Rows]]]:
    """Return rows by system, and by label."""
    found: dict[Key, dict[Key, list[Rows]]] = {}
    for rows in several:
        labels = found.setdefault(_system_of(rows), {})
        labels.setdefault(rows.label_key, []).append(rows)
    return found


def _are_one(earlier: Sequence[Rows], later: Sequence[Rows]) -> bool:
    """Whether the rows of a batch do not contradict each other: all of a system, or none of it."""
    if len({frozenset(rows.label) for rows in (*earlier, *later)}) > 1:
        return False
    known = _by_system(earlier)
    return all(
        known[system].keys() == labels.keys()
        and all(_same(known[system][label], several) for label, several in labels.items())
        for system, labels in _by_system(later).items()
        if system in known
    )


def _same(earlier: Sequence[Rows], later: Sequence[Rows]) -> bool:
    """Whether rows of a label are the same, in any order, or have the same sum."""
    one, other = (each[0] if len(each) == 1 else added(each) for each in (earlier, later))
    if None not in (one.references, other.references) and one.references != other.references:
        return False
    if one.units is None or other.units is None:
        return (one.segments, one.stats.sum()) == (other.segments, other.stats.sum())
    known, coming = units_of([one]), units_of([other])
    return known == coming and one.stats == _in_order(other.stats, coming, known)


def _conflict(
    source: str, later: Sequence[Rows], first: str, earlier: Sequence[Rows]
) -> InputError:
    now, before = (sum(rows.segments for rows in each) for each in (later, earlier))
    labels, known = (", ".join(each[0].label) for each in (later, earlier))
    by = f", by {labels}, and by {known} there" * (labels != known)
    name = f" of {later[0].name}" * (len(later) == 1)
    return InputError(
        f"{source}: batch {later[0].batch!r}{name} differs from the one in {first} "
        f"({later[0].metric}: {formatting.count(now, 'segment')}, and {before:,} there{by}): "
        "replace=True or --replace takes the later one as a whole; data that came late needs a "
        "batch name of its own"
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


def units_of(several: Sequence[Rows]) -> UnitsOf:
    """Return the document of each segment by batch and name; refuse sums, and a segment twice."""
    found: UnitsOf = {}
    for rows in several:
        if rows.units is None:
            raise InputError(
                f"there is only the sum of {rows.name}: this needs a row per segment, which "
                "truebleu segments --stats-out and SavedStats write"
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


def check_units(several: Iterable[Rows]) -> None:
    """Refuse a label that has a segment twice, or a sum beside its segments."""
    found: dict[object, list[Rows]] = {}
    for rows in several:
        found.setdefault((rows.metric, rows.batch, rows.label_key), []).append(rows)
    for alike in found.values():
        if len(alike) > 1 and any(rows.units for rows in alike):
            units_of(alike)


def _in_order(stats: Stats, units: UnitsOf, wanted: UnitsOf) -> Stats:
    """Return the rows of these units in the order of others, which are the same."""
    if list(units) == list(wanted):
        return stats
    place = {unit: number for number, unit in enumerate(units)}
    return stats._take([place[unit] for unit in wanted])


def paired(found: Mapping[str, Sequence[Rows]], first: str, known: UnitsOf) -> dict[str, Stats]:
    """Return the statistics of each system, in the order of the segments of the first."""
    paired_rows: dict[str, Stats] = {}
    for name, several in found.items():
        mine = units_of(several)
        if mine != known:
            _refuse_unpaired((first, known), (name, mine))
        joined = Stats.join([rows.stats for rows in several])
        paired_rows[name] = _in_order(joined, mine, known)
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


def other_references(several: Iterable[Rows]) -> str:
    """Say which two systems differ in the references of a batch, or in its segments; or nothing."""
    # By metric, batch and group: a group has other segments than the next.
    batches: dict[tuple[str, str, Key], dict[object, list[Rows]]] = {}
    for rows in several:
        group = key_of({name: each for name, each in rows.label.items() if name != "system"})
        systems = batches.setdefault((rows.metric, rows.batch, group), {})
        systems.setdefault(_system_of(rows), []).append(rows)
    for (_, batch, _), systems in batches.items():
        # What the first system has that has as many files of the batch, or knows its size.
        known: dict[int, tuple[str, str]] = {}
        for parts in systems.values():
            name = parts[0].name
            checksums = sorted(rows.references or "" for rows in parts)
            said = {0: _size(parts)}
            if all(checksums):
                said[len(parts)] = f"checksum {', '.join(checksums)}"
            for what, mine in said.items():
                theirs, first = known.setdefault(what, (mine, name)) if mine else (mine, name)
                if mine != theirs:
                    return (
                        f"{name} and {first} have different references{of_batch(batch)}: {mine}, "
                        f"and {theirs}"
                    )
    return ""


def _size(parts: Sequence[Rows]) -> str:
    """Return how many references and segments there are; nothing if that is unknown."""
    fewest, most = min(each.stats.fewest for each in parts), max(each.stats.most for each in parts)
    if fewest < 0:
        return ""
    number = f"{most}" if fewest == most else f"{fewest} to {most}"
    segments = sum(rows.segments for rows in parts)
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
                "another length. Only systems on the same segments can be compared so; corpora "
                "that share none, such as two days, are compared by compare_unpaired"
            )
