"""The terms of a report, each explained in a few sentences."""

from __future__ import annotations

from truebleu.display.formatting import FLOOR, percent
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.ter.metric import Ter
from truebleu.significance.design import RESAMPLING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.metric import Metric

# What every report explains, after the metric.
_COMMON = {
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
    "p": (
        "The probability of a difference at least this large if it made no difference which of the "
        "two systems had translated what. A large p-value does not show that there is no "
        f"difference. {FLOOR} marks the smallest p-value that so many trials can give: with more "
        "trials it can become smaller, and also larger. Randomization tests whether the outputs "
        "are interchangeable, which is more than equal scores. The bootstrap, with 200 or more "
        "segments (or documents, where these are resampled), tests for equal scores."
    ),
    "adjusted p": (
        "The p-value after Holm's correction for multiple tests. Test many pairs, and some will "
        "look significant by chance; the correction keeps the probability of even one such false "
        "alarm at or below alpha. A difference is called statistically significant if this is "
        "below alpha, {alpha} here. It is not corrected for testing under several metrics."
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
        "The score minus the score without the segment{of_two}. It is exact, not an estimate."
    ),
    "signature": (
        "Everything that the numbers depend on, such as settings, references, resampling, seed and "
        "version. Publish it with the scores; truebleu reads it back."
    ),
}

# What a report on BLEU explains as well.
_BLEU = {
    "p": (
        f"{_COMMON['p']} Where one system is shorter than the references and the other longer, "
        "randomization rejects systems of equal BLEU more often or less often than alpha says."
    ),
    "precision": (
        "The share of the n-grams of the output that occur in a reference. An n-gram is credited "
        "at most as often as it occurs in the one reference that has it most often."
    ),
    "n-gram": (
        "n tokens in a row: one token is an n-gram of order 1, four are one of order 4. Tokens are "
        "what the tokenizer named in the signature makes of the text."
    ),
    "clipped": (
        "Said of an n-gram that occurs in the output more often than in any one reference. The "
        "surplus is not credited, so repeating a good word earns nothing."
    ),
    "brevity penalty": (
        "1 if the output has at least as many tokens as the references, else exp(1 - references / "
        "output). Precision alone would favor outputs that say little."
    ),
    "length ratio": (
        "Tokens of the output divided by tokens of the references. Of several references of a "
        "segment, the signature says whose length counts; by default it is the closest."
    ),
}

# What a report on chrF explains as well, and one on TER.
_CHRF = {
    "precision": (
        "The share of the n-grams of the output that occur in the reference, averaged over the "
        "orders. If a segment has several references, only the one with the highest score counts."
    ),
    "recall": (
        "The share of the n-grams of the reference that occur in the output, averaged over the "
        "orders."
    ),
}
_TER = {
    "edits": (
        "Insertions, deletions and substitutions of words, and shifts of phrases, that turn the "
        "output into the reference. If a segment has several references, they are those of the "
        "reference with the fewest."
    ),
    "shifts": "Phrases of the output that were moved to another place, each counted as one edit.",
    "reference length": (
        "Words of the references; for a segment with several references, the mean of their lengths."
    ),
}

# For the columns of details, the terms that explain them.
_DETAILS_OF_BLEU = {"precisions": "precision", "BP": "brevity penalty", "ratio": "length ratio"}
_DETAILS_OF_CHRF = {"precision": "precision", "recall": "recall"}
_DETAILS_OF_TER = {"edits": "edits", "shifts": "shifts", "ref_len": "reference length"}

METRIC = "metric"
"""The key of the metric itself."""


def terms_of(
    metric: Metric, *, several: bool = True, alpha: float = RESAMPLING["alpha"]
) -> dict[str, tuple[str, str]]:
    """Return the terms of a report on a metric: for each key its name and explanation.

    Only a report on `several` systems speaks of A and B. `alpha` is that of its tests.
    """
    terms = {METRIC: (metric.name, _about(metric))}
    explained = _COMMON | _of(metric)[0]
    of_two = "; of two systems, the contribution to A minus that to B" if several else ""
    explained["contribution"] = explained["contribution"].replace("{of_two}", of_two)
    levels = {"{alpha}": f"{alpha:g}", "{level}": percent(1 - alpha)}
    for place, level in levels.items():
        explained = {name: about.replace(place, level) for name, about in explained.items()}
    return terms | {name: (name, about) for name, about in explained.items()}


def details_of(metric: Metric) -> dict[str, str]:
    """Return the term behind each column of details, where there is one."""
    return _of(metric)[1]


def _of(metric: Metric) -> tuple[dict[str, str], dict[str, str]]:
    """Return the terms of one metric, and the terms behind its columns."""
    if isinstance(metric, Bleu):
        return _BLEU, _DETAILS_OF_BLEU
    if isinstance(metric, Chrf):
        return _CHRF, _DETAILS_OF_CHRF
    return (_TER, _DETAILS_OF_TER) if isinstance(metric, Ter) else ({}, {})


def _about(metric: Metric) -> str:
    comparable = "Scores are comparable only on the same test set and with the same signature."
    if isinstance(metric, Bleu):
        return (
            "How much of the output occurs in the references, from 0 to 100: the geometric mean of "
            f"the n-gram precisions of orders 1 to {metric.max_order}, times the brevity penalty. "
            "Counts are summed over all segments first, so the score of a corpus is not the mean "
            f"of its segments' scores. {comparable}"
        )
    if isinstance(metric, Chrf):
        highest = {"characters": metric.char_order, "words": metric.word_order}
        orders = " and ".join(_orders(most, units) for units, most in highest.items() if most)
        return (
            "How much of the output occurs in the references and how much of the references in the "
            f"output, from 0 to 100: the F-score of {orders}, in which recall counts "
            f"{metric.beta:g} times as much as precision. Counts are summed over all segments "
            "first, so the score of a corpus is not the mean of its segments' scores. Higher is "
            f"better. {comparable}"
        )
    if isinstance(metric, Ter):
        return (
            "Translation edit rate: how many edits turn the output into the reference, per 100 "
            "words of the reference. An edit inserts, deletes or replaces a word, or shifts a "
            "phrase. Edits and lengths are summed over all segments first, so the score of a "
            "corpus is not the mean of its segments' scores. Lower is better, and a score may "
            f"exceed 100. {comparable}"
        )
    if isinstance(metric, SegmentScores):
        direction = "Higher" if metric.higher_is_better else "Lower"
        return (
            f"The average of segment scores that were computed elsewhere. {direction} is better. "
            f"{comparable}"
        )
    # The first paragraph of its docstring, if it has one of its own.
    about = (type(metric).__doc__ or "").strip().partition("\n\n")[0]
    direction = "Higher" if metric.higher_is_better else "Lower"
    return " ".join([*about.split(), f"{direction} is better. {comparable}"])


def _orders(highest: int, units: str) -> str:
    """Name the n-grams of some units up to an order."""
    return f"1 to {highest} {units} in a row" if highest > 1 else f"single {units}"
