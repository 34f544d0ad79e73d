"""The function :func:`compare_unpaired`: corpora that share no segments, such as two weeks.

Source: Welch (1947), *The Generalization of "Student's" Problem When Several Different Population
Variances Are Involved*.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from truebleu.errors import WarnOnce
from truebleu.metrics.stats import Stats
from truebleu.significance.compare import begun
from truebleu.significance.design import OF_TESTS
from truebleu.significance.notes import Notes
from truebleu.significance.paired import Estimate, Outcome, Outcomes
from truebleu.significance.resampling import Resampler
from truebleu.significance.running import Unconcluded, concluded, pairs_of, resampled
from truebleu.significance.sets import count_parts, parts_of
from truebleu.significance.units import together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics import Metric, MetricName, Score
    from truebleu.significance.design import TestArguments
    from truebleu.significance.results import Comparison
    from truebleu.significance.units import Table


def compare_unpaired(
    corpora: Mapping[str, Any],
    *,
    metrics: Metric | MetricName | None = None,
    **how: Unpack[TestArguments],
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
        With the corpora as its systems. Errors and warnings are as in :func:`truebleu.compare`.

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
    taken = [name for name in OF_TESTS if name != "n_resamples"]
    metric, design, threads = begun(compare_unpaired, metrics, how, taken)
    if isinstance(corpora, Mapping):
        corpora = {
            name: (each, None) if isinstance(each, Stats) else each
            for name, each in corpora.items()
        }
    parts = {
        name: ({"": texts}, references)
        for name, (texts, references) in parts_of(corpora, "corpus", "this week", "hypotheses")
    }
    counted, known, of_corpora = count_parts(metric, parts, design.units, "corpus", threads)
    pairs = pairs_of(list(counted), design.baseline)
    design.plan(len(pairs))
    said = Notes()
    scores: dict[str, Score] = {}
    # The variance of each score, and its degrees of freedom.
    errors: dict[str, tuple[float, int]] = {}
    every = []
    for name, of_corpus in counted.items():
        of_units = of_corpora[name], known[name]
        score, units, tables = resampled(
            metric, {name: of_corpus[""]}, *of_units, said, design, name, tested=bool(pairs)
        )
        scores |= score
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
    signed = {"corpora": len(counted)}
    found = Unconcluded(scores, pairs, outcomes, together(every), test="welch", signed=signed)
    [comparison] = concluded([found], design, said)
    with WarnOnce():
        said.warn([*counted])
    return comparison.replace(notes=said.of_all([*counted]))


def _jackknife(metric: Metric, table: Table) -> tuple[float, int]:
    """Return the variance of a score, by leaving out each unit in turn, and its freedom.

    With few units of unequal length, such as 15 documents, it holds the level of the test; that of
    bootstrap samples is too small.
    """
    [left_out] = Resampler([table], metric).left_out()
    freedom = len(left_out) - 1
    return freedom / (freedom + 1) * float(((left_out - left_out.mean()) ** 2).sum()), freedom
