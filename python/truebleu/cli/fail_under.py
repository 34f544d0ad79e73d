"""``--fail-under``: exit code 1 if a score is worse than a threshold."""

from __future__ import annotations

from truebleu.cli.options import metric_name
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError, TruebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from truebleu.metrics.base import Metric
    from truebleu.metrics.score import Score


def thresholds_from(options: Namespace, metrics: Sequence[Metric]) -> dict[str, float]:
    """Return the thresholds that the option sets, by the names of metrics.

    Parameters
    ----------
    options : Namespace
    metrics : sequence of Metric
        As ``-m`` names them, in its order.

    Raises
    ------
    SettingsError
        If something is not a finite number, a metric is not computed or is named twice, or a plain
        number could be meant for several metrics.
    """
    names = dict(zip(options.metrics or ["bleu"], metrics, strict=True))
    found: dict[str, float] = {}
    for text in options.fail_under or ():
        name, equals, number = text.rpartition("=")
        if not equals and len(names) > 1:
            several = " ".join(f"{each}={text}" for each in names)
            raise SettingsError(f"--fail-under {text}: say for which metric: {several}")
        name = metric_name(name) if equals else next(iter(names))
        if name not in names:
            raise SettingsError(
                f"--fail-under {text}: {name!r} is not computed; choose from {', '.join(names)}"
            )
        metric = names[name].name
        if metric in found:
            raise SettingsError(f"--fail-under {text}: {metric} has another threshold already")
        found[metric] = _number(number, text)
    return found


def refuse_worse(
    thresholds: dict[str, float], labels: Iterable[str], scores: Sequence[Sequence[Score]]
) -> None:
    """Say which scores are worse than the threshold of their metric, and raise an error if any is.

    Parameters
    ----------
    thresholds : dict of str to float
        By the name of the metric.
    labels : iterable of str
        What each score is of: a system, a group, or both.
    scores : sequence of sequence of Score
        For each metric the scores, as many as labels.

    Raises
    ------
    TruebleuError
        About the last score that is worse. Scores are compared before rounding.
    """
    worse = [
        _sentence(label, score, thresholds[score.metric.name])
        for several in scores
        for label, score in zip(labels, several, strict=True)
        if _is_worse(score.score, score, thresholds)
    ]
    if worse:
        from truebleu.cli.output import say

        for each in worse[:-1]:
            say(each)
        raise TruebleuError(worse[-1])


def _is_worse(number: float, score: Score, thresholds: dict[str, float]) -> bool:
    threshold = thresholds.get(score.metric.name)
    if threshold is None:
        return False
    return number < threshold if score.metric.higher_is_better else number > threshold


def _sentence(label: str, score: Score, threshold: float) -> str:
    """Say that a score is worse, with as many decimals as it takes to see it."""
    thresholds = {score.metric.name: threshold}
    shown = (decimals(score.score, f".{places}f") for places in range(2, 16))
    number = next((each for each in shown if _is_worse(float(each), score, thresholds)), "")
    side = "below" if score.metric.higher_is_better else "above"
    return (
        f"{label}: {score.metric.name} {number or repr(score.score)} is {side} {threshold:g} "
        "(--fail-under)"
    )


def _number(number: str, text: str) -> float:
    """Read a threshold."""
    try:
        found = float(number)
    except ValueError:
        found = float("nan")
    # Neither infinity nor what is no number is equal to itself minus itself.
    if found - found != 0:
        raise SettingsError(
            f"--fail-under {text}: {number!r} is not a number; files come before --fail-under"
        )
    # Such a threshold would hardly ever fail, and probably means another scale.
    if found < 0 or 0 < found < 1:
        raise SettingsError(
            f"--fail-under {text}: scores are from 0 to 100"
            + f"; did you mean {100 * found:g}?" * (found > 0)
        )
    return found
