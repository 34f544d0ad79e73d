"""The terms of a report, each explained in a few sentences; a metric's own are in its folder."""

from __future__ import annotations

from truebleu.display.formatting import FLOOR, percent
from truebleu.display.words import Words, english
from truebleu.metrics.metric import Metric
from truebleu.significance.design import ALPHA

# What every report explains, after the metric.
_TERMS = {
    "interval": (
        "A confidence interval for the score on the population of segments that the test set is a "
        "sample of: at a confidence level of 95%, 95% of intervals built this way are meant to "
        "contain that score. It does not predict the score on another test set. It is computed "
        "from segments, or documents, resampled with replacement (bootstrap). Overlapping "
        "intervals do not show that two systems are equally good; the test looks at their "
        "difference. Intervals are not corrected for multiple comparisons, and adjusted p-values "
        "are: the interval of a difference can leave out 0 while its adjusted p-value is not "
        "below alpha."
    ),
    "adjusted p": (
        "The probability of a difference at least this large, in either direction, if the scores "
        "of the two systems were equal on the population of segments. A large p-value does not "
        f"show that there is no difference. {FLOOR} marks the smallest p-value that so many trials "
        "can give: with more trials it can become smaller, and also larger. It is adjusted by "
        "Holm's correction for multiple tests. Test many pairs, and some will "
        "look significant by chance; the correction keeps the probability of even one such false "
        "alarm at or below alpha. A difference is called statistically significant if this is "
        "below alpha, {alpha} here. The tests of all pairs under all metrics are corrected "
        "together."
    ),
    "rank": (
        "The ranks that the tests leave open: from 1 plus the number of significantly better "
        "systems to the number of all systems minus the number of significantly worse ones. The "
        "tests have alpha {alpha} for all pairs together, so the ranges are meant to contain all "
        "true ranks at once with a probability of at least {level}."
    ),
    "cluster": (
        "Every system above a line is significantly better (alpha {alpha}) than every system below "
        "it; the systems between two lines are a cluster. Systems within a cluster may differ too; "
        "see the pairs."
    ),
    "segment score": (
        "The score of a segment by itself. It is a rough number: it finds segments worth reading, "
        "and does not judge them."
    ),
    "contribution": (
        "The score minus the score without the segment. It is exact, not an estimate."
    ),
    "signature": (
        "Everything that the numbers depend on, such as settings, references, resampling, seed and "
        "version. Publish it with the scores; truebleu reads it back."
    ),
}

_OF_TWO = "Of two systems, it is the contribution to A minus that to B."
_COMPARABLE = "Scores are comparable only on the same test set and with the same signature."

METRIC = "metric"
"""The key of the metric itself."""


def terms_of(
    metric: Metric,
    say: Words = english,
    *,
    several: bool = True,
    ranked: bool = True,
    alpha: float = ALPHA,
) -> dict[str, tuple[str, str]]:
    """Return the names and explanations of the terms of a report, whose tests have `alpha`.

    Ranks and clusters are explained if systems are `ranked`.
    """
    about = metric._about
    summary = say.again(about.summary)
    terms = {METRIC: (metric.name, f"{summary} {say.again(_COMPARABLE)}")}
    explained = {name: [text] for name, text in _TERMS.items()}
    if several:
        explained["contribution"].append(_OF_TWO)
    if not ranked:
        del explained["rank"], explained["cluster"]
    explained |= {name: [text] for name, text in about.terms.items()}
    levels = {"{alpha}": f"{alpha:g}", "{level}": percent(1 - alpha)}
    for name, texts in explained.items():
        text = " ".join(say.again(each) for each in texts if each)
        for place, level in levels.items():
            text = text.replace(place, level)
        terms[name] = say.again(name), text
    return terms
