"""The function :func:`compare_sets`: systems on several test sets, such as languages."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from types import MappingProxyType

from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.inputs.numbers import thread_count
from truebleu.record import brief
from truebleu.significance.compare import documents_of, one_metric
from truebleu.significance.comparisons import AVERAGE, Comparisons
from truebleu.significance.design import ALPHA, RESAMPLES, SEED, Design, refuse_unknown
from truebleu.significance.means import MeanScore
from truebleu.significance.notes import Notes, add_units
from truebleu.significance.paired import resample
from truebleu.significance.progress import Steps
from truebleu.significance.resampling import Resampler, SetsResampler
from truebleu.significance.running import (
    Unconcluded,
    concluded,
    count_systems,
    finite_scores,
    pairs_of,
)
from truebleu.significance.units import chosen_units, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from typing import Any, Never

    from truebleu.metrics import Metric, MetricName, Stats
    from truebleu.significance.units import UnitsGiven

# Random numbers of sets are so far apart.
_SEEDS = 2**32


def compare_sets(
    sets: Mapping[str, Any],
    *,
    metrics: Metric | MetricName | None = None,
    baseline: str | None = None,
    units: UnitsGiven | Mapping[str, Iterable[Hashable]] = "auto",
    margin: float | None = None,
    alpha: float = ALPHA,
    n_resamples: int | None = RESAMPLES,
    seed: int | None = SEED,
    threads: int | None = None,
    **unknown: Never,
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
        `average`, which is tested.

    Raises
    ------
    InputError, InputTypeError, SettingsError, UnknownNameError
        As in :func:`truebleu.compare`, with the name of the set; also if there is no set, or if one
        is no pair of systems and references, or has other systems than the first.

    Warns
    -----
    SmallSampleWarning, SettingsWarning
        As in :func:`truebleu.compare`.

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
    refuse_unknown(compare_sets, unknown)
    threads = thread_count(threads)
    metric = one_metric(metrics, "compare_sets")
    of_sets = units if isinstance(units, Mapping) else None
    design = Design(
        baseline=baseline,
        units="auto" if of_sets is not None else units,
        margin=margin,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed,
    )
    _check_sets(sets, of_sets)
    counted: dict[str, dict[str, Stats]] = {}
    known: dict[str, Any] = {}
    with WarnOnce():
        for name, (systems, references) in sets.items():
            with named(name):
                texts, known[name] = documents_of(
                    references, (of_sets or {}).get(name, design.units)
                )
                counted[name] = count_systems(metric, systems, texts, None, threads)
    said = Notes()
    found = compare_counted_sets(metric, counted, known, of_sets or {}, design, threads, said)
    with WarnOnce():
        said.warn([AVERAGE, *counted])
    return found


def compare_counted_sets(
    metric: Metric,
    counted: Mapping[str, Mapping[str, Stats]],
    known: Mapping[str, Iterable[Hashable] | None],
    of_sets: Mapping[str, Iterable[Hashable]],
    design: Design,
    threads: int | None,
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
        with named(name):
            scores = finite_scores(metric, systems)
            given = of_sets.get(name, design.units)
            units = chosen_units(given, known.get(name), {name: metric}, {name: systems})
            tables = [*units.of(metric, systems).values()]
        add_units(said, units, design, name, tested=bool(pairs))
        seed = (design.seed + index * _SEEDS) % 2**64
        part = Resampler(tables, metric, seed, thread_count(threads), steps.add)
        outcomes = resample(part, first, [], design, steps, in_order=units.name == "segments")
        found.append(Unconcluded(scores, [], outcomes, units, name))
        parts.append(part)
        every.append(units)
    resampler = SetsResampler(parts, steps.add)
    scores = {name: MeanScore.of([each.scores[name] for each in found]) for name in first}
    outcomes = resample(resampler, first, pairs, design, steps, in_order=False)
    average = Unconcluded(
        scores,
        pairs,
        outcomes,
        together(every, " within sets"),
        AVERAGE,
        sets=len(counted),
    )
    of_average, *singles = concluded([average, *found], design, said)
    return Comparisons(
        comparisons=MappingProxyType(dict(zip(counted, singles, strict=True))),
        average=of_average,
        notes=said.of_all([AVERAGE, *counted]),
    )


@contextmanager
def named(name: str) -> Iterator[None]:
    """Let errors begin with the name of a set."""
    try:
        yield
    except TruebleuError as error:
        raise type(error)(f"{name}: {error}") from error


def _check_sets(sets: Any, units: Mapping[str, Any] | None) -> None:
    """Refuse what is no test sets with names, and documents of others."""
    if not isinstance(sets, Mapping):
        raise wrong_type("sets", sets, "a dict is needed, such as {'en-de': (systems, references)}")
    if not sets:
        raise InputError("there is no test set")
    for name, corpus in sets.items():
        sequences.check_name(name, "set")
        if name == AVERAGE:
            raise SettingsError(f"a set is called {AVERAGE}, as the mean of all is: rename it")
        if not isinstance(corpus, tuple | list) or len(corpus) != 2:
            raise InputTypeError(
                f"the set {name!r} is {brief(corpus)}; a pair of systems and references is needed"
            )
    if units is not None and (unknown := [*units.keys() - sets.keys()]):
        raise UnknownNameError(
            f"there are units of {written(unknown[0])}, but the sets are {', '.join(sets)}"
        )
