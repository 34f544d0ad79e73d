"""The function :func:`compare_sets`: systems on several test sets, such as languages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    UnknownNameError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.intake.texts import known_of
from truebleu.record import brief
from truebleu.significance.compare import begun
from truebleu.significance.comparisons import AVERAGE, Comparisons
from truebleu.significance.design import OF_TESTS
from truebleu.significance.means import MeanScore
from truebleu.significance.notes import Notes
from truebleu.significance.paired import resample
from truebleu.significance.resampling import Resampler, SetsResampler, Steps
from truebleu.significance.running import (
    Unconcluded,
    concluded,
    count_systems,
    named,
    pairs_of,
    resampled,
)
from truebleu.significance.units import together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics import Metric, MetricName, Stats
    from truebleu.significance.design import Design, TestArguments

_PLURALS = {"set": "sets", "corpus": "corpora"}

# Random numbers of sets are so far apart.
_SEEDS = 2**32


def compare_sets(
    sets: Mapping[str, Any],
    *,
    metrics: Metric | MetricName | None = None,
    **how: Unpack[TestArguments],
) -> Comparisons:
    """Compare systems on several test sets, such as languages, by the average over all of them.

    The claim is about the average, in which each set weighs the same: it has an interval and a
    test, whose samples and swaps are within sets. Of single sets there are scores and intervals.

    Parameters
    ----------
    sets : mapping of str to (systems, references)
        For the name of each set the systems and references, as :func:`truebleu.compare` takes them;
        references are None if the systems are statistics. All sets have the same systems.
    metrics : Metric or str, optional
        The metric, or its name. Default: BLEU.
    units : {"auto", "segments"}, int, or mapping of str to iterable, default "auto"
        As in :func:`truebleu.compare`; or for the name of a set the ID of each segment's document.
        With ``"auto"``, each set has the units that its data ask for.
    baseline, margin, alpha, n_resamples, seed, threads
        As in :func:`truebleu.compare`.

    Returns
    -------
    Comparisons
        A mapping from the name of each set to its :class:`Comparison`, without tests, and with an
        `average`, which is tested. Errors and warnings are as in :func:`truebleu.compare`.

    Examples
    --------
    >>> from truebleu import compare_sets
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d x", "f g h i j", "k l m n o"] * 40, ["a b x d e"] * 120
    >>> systems = {"good": good, "bad": bad}
    >>> found = compare_sets({"first": (systems, references), "second": (systems, references)})
    >>> pair = found.average.pair("good", "bad")
    >>> round(pair.delta, 2), pair.significant
    (87.63, True)
    """
    metric, design, threads = begun(compare_sets, metrics, how, OF_TESTS)
    parts = dict(parts_of(sets, "set", "en-de", "systems"))
    if AVERAGE in parts:
        raise SettingsError(f"a set is called {AVERAGE}, as the mean of all is: rename it")
    counted, known, of_sets = count_parts(metric, parts, design.units, "set", threads)
    said = Notes()
    found = compare_counted_sets(metric, counted, known, of_sets, design, threads, said)
    with WarnOnce():
        said.warn([AVERAGE, *counted])
    return found


def parts_of(given: Any, kind: str, example: str, what: str) -> Iterator[tuple[str, Any]]:
    """Yield the names of sets, or of corpora, and the two parts of each."""
    if not isinstance(given, Mapping):
        needed = f"a dict is needed, such as {{{example!r}: ({what}, references)}}"
        raise wrong_type(_PLURALS[kind], given, needed)
    if not given:
        raise InputError(f"there is no {kind} to compare")
    for name, part in given.items():
        sequences.check_name(name, kind)
        if not isinstance(part, tuple | list) or len(part) != 2:
            raise InputTypeError(
                f"the {kind} {name!r} is {brief(part)}; a pair of {what} and references is needed"
            )
        yield name, part


def count_parts(
    metric: Metric, parts: Mapping[str, Any], units: Any, kind: str, threads: int
) -> tuple[dict[str, dict[str, Stats]], dict[str, Any], Mapping[str, Any]]:
    """Count sets, or corpora; return also the known documents and the units of each."""
    by_name = units if isinstance(units, Mapping) else {}
    of_parts = {name: by_name.get(name, "auto") if by_name is units else units for name in parts}
    if others := [*by_name.keys() - parts.keys()]:
        raise UnknownNameError(
            f"there are units of {written(others[0])}, but the {_PLURALS[kind]} are "
            f"{', '.join(parts)}"
        )
    counted: dict[str, dict[str, Stats]] = {}
    known: dict[str, Any] = {}
    with WarnOnce():
        for name, (systems, references) in parts.items():
            with named(name):
                found = known_of(references, of_parts[name])
                known[name] = found.documents
                counted[name] = count_systems(metric, systems, found.references, None, threads)
    return counted, known, of_parts


def compare_counted_sets(
    metric: Metric,
    counted: Mapping[str, Mapping[str, Stats]],
    known: Mapping[str, Iterable[Hashable] | None],
    of_sets: Mapping[str, Iterable[Hashable]],
    design: Design,
    threads: int,
    said: Notes,
) -> Comparisons:
    """Compare systems by their statistics on each set; documents may be `known`."""
    first = list(next(iter(counted.values())))
    for name, systems in counted.items():
        if list(systems) != first:
            raise UnknownNameError(
                f"{name} has the systems {', '.join(systems)}, but the first set has "
                f"{', '.join(first)}: all sets need the same, in the same order"
            )
    pairs = pairs_of(first, design.baseline)
    design.plan(len(pairs))
    steps = Steps(len(counted) + 1)
    parts, every, found = [], [], []
    for index, (name, systems) in enumerate(counted.items()):
        given = of_sets.get(name, design.units)
        scores, units, tables = resampled(
            metric, systems, given, known.get(name), said, design, name, tested=bool(pairs)
        )
        seed = (design.seed + index * _SEEDS) % 2**64
        part = Resampler(tables, metric, seed, threads, steps.add)
        outcomes = resample(part, first, [], design, steps, in_order=units.name == "segments")
        found.append(Unconcluded(scores, [], outcomes, units, name))
        parts.append(part)
        every.append(units)
    resampler = SetsResampler(parts, steps.add)
    scores = {name: MeanScore.of([each.scores[name] for each in found]) for name in first}
    outcomes = resample(resampler, first, pairs, design, steps, in_order=False)
    units = together(every, " within sets")
    signed = {"sets": len(counted)}
    average = Unconcluded(scores, pairs, outcomes, units, AVERAGE, signed=signed)
    of_average, *singles = concluded([average, *found], design, said)
    return Comparisons(
        comparisons=MappingProxyType(dict(zip(counted, singles, strict=True))),
        average=of_average,
        notes=said.of_all([AVERAGE, *counted]),
    )
