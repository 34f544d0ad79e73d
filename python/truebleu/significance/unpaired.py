"""The function :func:`compare_unpaired`: corpora that share no segments, such as two weeks.

Source: Welch (1947), *The Generalization of "Student's" Problem When Several Different Population
Variances Are Involved*.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from truebleu.errors import (
    InputError,
    InputTypeError,
    UnknownNameError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.stats import Stats
from truebleu.record import brief
from truebleu.significance.compare import documents_of, one_metric
from truebleu.significance.design import ALPHA, SEED, Design, refuse_unknown
from truebleu.significance.notes import Notes, add_units
from truebleu.significance.paired import Outcome, Outcomes
from truebleu.significance.resampling import Resampler
from truebleu.significance.running import (
    Unconcluded,
    concluded,
    count_systems,
    finite_scores,
    pairs_of,
)
from truebleu.significance.sets import named
from truebleu.significance.student import Estimate
from truebleu.significance.units import chosen_units, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any, Never

    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.results import Comparison
    from truebleu.significance.units import Table, UnitsGiven


def compare_unpaired(
    corpora: Mapping[str, Any],
    *,
    metrics: Metric | MetricName | None = None,
    baseline: str | None = None,
    units: UnitsGiven | Mapping[str, Iterable[Hashable]] = "auto",
    margin: float | None = None,
    alpha: float = ALPHA,
    seed: int | None = SEED,
    threads: int | None = None,
    **unknown: Never,
) -> Comparison:
    """Compare the scores of corpora that have no segments in common, such as two weeks of traffic.

    Each corpus is a sample of its own; the segments of the same test set are paired, and
    :func:`truebleu.compare` finds much smaller differences between systems there. The test is
    Welch's t of the scores, whose standard errors are those of the units of each corpus, and the
    interval of a difference inverts it. Its p-value is at least that of a permutation test of so
    few units.

    Parameters
    ----------
    corpora : mapping of str to (hypotheses, references), or to Stats
        For the name of each corpus its texts, as :func:`truebleu.corpus_bleu` takes them, or the
        statistics of its segments.
    metrics : Metric or str, optional
        The metric, or its name. Default: BLEU.
    units : {"auto", "segments"}, int, or mapping of str to iterable, default "auto"
        As in :func:`truebleu.compare`; or for the name of a corpus the ID of each segment's
        document.
    baseline, margin, alpha, seed, threads
        As in :func:`truebleu.compare`.

    Returns
    -------
    Comparison
        With the corpora as its systems.

    Raises
    ------
    InputError, InputTypeError, SettingsError, UnknownNameError
        As in :func:`truebleu.compare`, with the name of the corpus; also if there is no corpus, or
        if one is no pair of hypotheses and references.

    Warns
    -----
    SmallSampleWarning, SettingsWarning
        As in :func:`truebleu.compare`.

    Examples
    --------
    >>> from truebleu import compare_unpaired
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> this, last = ["a b c d x", "f g h i j", "k l m n o"] * 40, ["a b c d e", "f g"] * 60
    >>> weeks = {"this": (this, references), "last": (last, ["a b c d e", "f g h i j"] * 60)}
    >>> pair = compare_unpaired(weeks, units="segments").pair("this", "last")
    >>> round(pair.delta, 2), pair.significant
    (24.08, True)
    """
    refuse_unknown(compare_unpaired, unknown)
    threads = thread_count(threads)
    metric = one_metric(metrics, "compare_unpaired")
    of_corpora: Any = units if isinstance(units, Mapping) else {}
    design = Design(
        baseline=baseline,
        units="auto" if of_corpora else units,
        margin=margin,
        alpha=alpha,
        seed=seed,
    )
    if not isinstance(corpora, Mapping):
        needed = "a dict is needed, such as {'this week': (hypotheses, references)}"
        raise wrong_type("corpora", corpora, needed)
    if not corpora:
        raise InputError("there is no corpus to compare")
    if unknown_units := [*of_corpora.keys() - corpora.keys()]:
        raise UnknownNameError(
            f"there are units of {written(unknown_units[0])}, but the corpora are "
            f"{', '.join(corpora)}"
        )
    counted: dict[str, Stats] = {}
    known: dict[str, Any] = {}
    with WarnOnce():
        for name, corpus in corpora.items():
            sequences.check_name(name, "corpus")
            texts, references = _parts(name, corpus)
            with named(name):
                given = of_corpora.get(name, design.units)
                references, known[name] = documents_of(references, given)
                found = count_systems(metric, {"": texts}, references, None, threads)
                counted[name] = found[""]
    said = Notes()
    comparison = compare_counted_unpaired(metric, counted, known, of_corpora, design, said)
    with WarnOnce():
        said.warn([*corpora])
    return comparison


def _parts(name: str, corpus: Any) -> tuple[Any, Any]:
    if isinstance(corpus, Stats):
        return corpus, None
    if not isinstance(corpus, tuple | list) or len(corpus) != 2:
        raise InputTypeError(
            f"the corpus {name!r} is {brief(corpus)}; a pair of hypotheses and references, or "
            "statistics, are needed"
        )
    return corpus[0], corpus[1]


def compare_counted_unpaired(
    metric: Metric,
    counted: Mapping[str, Stats],
    known: Mapping[str, Iterable[Hashable] | None],
    of_corpora: Any,
    design: Design,
    said: Notes,
) -> Comparison:
    """Compare corpora by their statistics; documents of each may be `known`."""
    pairs = pairs_of(list(counted), design.baseline)
    design.plan(len(pairs))
    scores = finite_scores(metric, counted)
    # The variance of each score, and its degrees of freedom.
    errors: dict[str, tuple[float, int]] = {}
    every = []
    for name, stats in counted.items():
        corpus = {name: stats}
        with named(name):
            given = of_corpora.get(name, design.units)
            units = chosen_units(given, known.get(name), {name: metric}, {name: corpus})
            tables = [*units.of(metric, corpus).values()]
        add_units(said, units, design, name, tested=bool(pairs))
        errors[name] = _jackknife(metric, tables[0])
        every.append(units)

    def estimate(one: str, *others: str) -> Estimate:
        value = scores[one].score - sum(scores[name].score for name in others)
        return Estimate.of(value, [errors[name] for name in (one, *others)])

    def test(*pair: str) -> Outcome:
        """Test a difference; few units cannot reject, as in a permutation test of both corpora."""
        units, others = (errors[name][1] + 1 for name in pair)
        return estimate(*pair).test(
            design,
            higher_is_better=metric.higher_is_better,
            smallest=min(Fraction(1), Fraction(2, comb(units + others, units))),
            differing=units + others,
        )

    outcomes = Outcomes(
        intervals={name: estimate(name).interval(design.level) for name in scores},
        tests=[test(*pair) for pair in pairs],
        effective_units={},
    )
    found = Unconcluded(
        scores,
        pairs,
        outcomes,
        together(every),
        test="welch",
        corpora=len(counted),
    )
    [comparison] = concluded([found], design, said)
    return comparison.replace(notes=said.of_all([*counted]))


def _jackknife(metric: Metric, table: Table) -> tuple[float, int]:
    """Return the variance of a score, by leaving out each unit in turn, and its freedom.

    With few units of unequal length, such as 15 documents, it holds the level of the test; that of
    bootstrap samples is too small.
    """
    [left_out] = Resampler([table], metric).left_out()
    freedom = len(left_out) - 1
    return freedom / (freedom + 1) * float(((left_out - left_out.mean()) ** 2).sum()), freedom
