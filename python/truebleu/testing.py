"""Assertions about scores, for the tests of other projects."""

from __future__ import annotations

from math import isfinite, isnan
from numbers import Real

from truebleu.analysis.explain import segments_of
from truebleu.display import text
from truebleu.display.blocks import Block, Code
from truebleu.display.formatting import count, decimals
from truebleu.errors import SettingsError, written, wrong_type
from truebleu.inputs.numbers import real_number
from truebleu.metrics.explanation import influence_of
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import flag
from truebleu.significance.compare import compare, one_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics import BleuSettings, Metric, MetricName, Score, Stats
    from truebleu.significance.results import Comparison

__all__ = ["assert_not_worse", "assert_score"]


def assert_score(
    hypotheses: Iterable[Any],
    references: Any = None,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    show: int = 5,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score:
    """Raise AssertionError unless the score of a corpus is within bounds.

    The message shows the segments that lower the score most, or raise it if it is too high: leaving
    one of them out would change the score most. Under pytest, the traceback ends at the call.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :func:`truebleu.corpus_bleu` takes them.
    at_least, at_most : float, optional
        The bounds, on the scale of the score (0-100 for most metrics); a score that equals a bound
        is within it. At least one is needed.
    show : int, default 5
        How many segments the message shows, at most.
    metric : Metric or str, optional
        Instead of `settings`: the metric, or its name. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    Score
        If it is within the bounds.

    Raises
    ------
    AssertionError
        If it is not.
    SettingsError, InputTypeError
        If there is no bound, or `at_least` is below 1 on a scale of 0-100, or bounds and `show` are
        not valid; else as
        :func:`truebleu.corpus_bleu`, which also raises LengthMismatchError and EmptyInputError.

    Examples
    --------
    >>> from truebleu.testing import assert_score
    >>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
    >>> references = ["The cat sat on a mat.", "It rained the whole day."]
    >>> print(f"{assert_score(hypotheses, references, at_least=30):.2f}")
    34.95
    >>> assert_score(hypotheses, references, metric="chrf", at_least=60)
    Traceback (most recent call last):
        ...
    AssertionError: chrF2 = 56.38 is below at_least=60
    chrF2 = 56.38 (precision = 61.1 recall = 55.3)
    nrefs:1|case:mixed|eff:yes|nc:6|nw:0|beta:2|space:no|version:truebleu-0.1.0
    1 of 2 segments, those that lower the score most:
    segment 2 (hypotheses[1]): chrF2 = 43.76; 71.42 without it
      hypothesis: It rained all day.
      reference: It rained the whole day.
    """
    __tracebackhide__ = True
    _check_bounds(at_least, at_most, show)
    chosen = metric_of(metric, settings)
    _check_scale(at_least, chosen)
    texts, several = segments_of(chosen, hypotheses, references, reference_streams)
    stats = chosen.stats(texts, several, threads=threads)
    score = chosen.score(stats)
    # An undefined score is within no bounds.
    if at_least is not None and not score.score >= at_least:
        wrong, sign = f"below at_least={at_least}", 1
    elif at_most is not None and not score.score <= at_most:
        wrong, sign = f"above at_most={at_most}", -1
    else:
        return score
    number = decimals(score.score)
    if round(score.score, 2) == (at_least if sign > 0 else at_most):
        number = repr(score.score)  # Two decimals would look like the bound.
    lines = [f"{chosen.name} = {number} is {wrong}", score.format(), Code(score.signature)]
    lines += [score.reason] if score.reason else []
    shown = [Block("", lines), *_segment_blocks(chosen, score, stats, texts, several, sign, show)]
    raise AssertionError(text.plain(shown).removesuffix("\n"))


def assert_not_worse(
    hypotheses: Iterable[Any],
    baseline: Iterable[Any],
    references: Any = None,
    *,
    significantly: bool = False,
    possibly: bool = False,
    margin: float = 0.0,
    **how: Any,
) -> Comparison:
    """Raise AssertionError if a system is worse than a baseline on the same corpus.

    Parameters
    ----------
    hypotheses, baseline : iterable of str
        The outputs of the system and of the baseline.
    references
        As :func:`truebleu.corpus_bleu` takes them.
    significantly : bool, default False
        Raise only if the difference is significant.
    possibly : bool, default False
        Raise unless the system is shown to be at most `margin` worse (non-inferiority).
    margin : float, default 0
        Points of the score by which the system may be worse.
    **how
        Parameters of :func:`truebleu.compare`: `reference_streams`, `metrics` (one), `units`,
        `alpha`, and so on.

    Returns
    -------
    Comparison
        If the system is not worse.

    Raises
    ------
    AssertionError
        If it is; the message shows the comparison.
    SettingsError, InputError
        As :func:`truebleu.compare`; and if there are several metrics, or the margin is not a finite
        number from 0 up.

    Examples
    --------
    >>> from truebleu.testing import assert_not_worse
    >>> references = ["The cat sat on a mat.", "It rained the whole day."] * 40
    >>> old, new = ["The cat sat on a mat."] * 80, ["The cat sat on a mat.", "It rained."] * 40
    >>> comparison = assert_not_worse(new, old, references, significantly=True)
    >>> comparison.pair("system", "baseline").significant
    True
    """
    __tracebackhide__ = True
    how["metrics"] = one_metric(how.get("metrics"), "assert_not_worse")
    if "scores" in how:
        raise SettingsError("assert_not_worse takes one metric: leave out scores")
    flag("significantly", significantly)
    if flag("possibly", possibly) and significantly:
        raise SettingsError("significantly and possibly are opposites: choose one")
    how["baseline"] = "baseline"
    if possibly:
        how["margin"] = margin
    compared: Comparison = compare({"system": hypotheses, "baseline": baseline}, references, **how)
    worse = "significantly worse" if significantly else "possibly worse" if possibly else "worse"
    for pair in (
        compared.possible_regressions()
        if possibly
        else compared.regressions(significant=significantly, margin=margin)
    ):
        raise AssertionError(f"{compared.metric.name} is {worse}: {pair}\n{compared}")
    return compared


def _check_bounds(at_least: Any, at_most: Any, show: Any) -> None:
    bounds = {"at_least": at_least, "at_most": at_most}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    if not given:
        raise SettingsError("assert_score needs a bound: at_least, at_most, or both")
    for name, bound in given.items():
        if isinstance(bound, bool) or not isinstance(bound, Real):
            raise wrong_type(name, bound, "a number is needed")
        if not isfinite(real_number(bound)):
            raise SettingsError(f"{name} is {written(bound)}; a finite number is needed")
    if len(given) == 2 and at_least > at_most:
        raise SettingsError(f"no score is at least {at_least} and at most {at_most}")
    if isinstance(show, bool) or not isinstance(show, int) or show < 0:
        raise SettingsError(f"show is {written(show)}; a number of segments is needed, 0 or more")


def _check_scale(at_least: Any, metric: Metric) -> None:
    # This would hardly ever fail.
    if at_least is not None and 0 < at_least < 1 and metric.scale == 100:
        raise SettingsError(
            f"at_least is {at_least}, but {metric.name} is on the 0-100 scale; did you mean "
            f"{float(100 * at_least):g}?"
        )


def _segment_blocks(
    metric: Metric,
    score: Score,
    stats: Stats,
    texts: Sequence[Any],
    references: Sequence[Any],
    sign: int,
    show: int,
) -> list[Block]:
    """Show the segments that lower (`sign` 1) or raise (-1) the score most."""
    scores = memoryview(metric._row_scores(stats.data, segment=True)).cast("d")
    every = range(len(texts))
    influence = influence_of(metric, stats, score) if len(texts) > 1 else ()
    # What is undefined is sorted as 0.
    known = [0.0 if isnan(score) else score for score in scores]
    ranked = sorted(every, key=lambda segment: sign * known[segment])[:show]
    without = {place: change for place, change in enumerate(influence) if sign * change > 0}
    why = "with the lowest scores" if sign > 0 else "with the highest scores"
    if without:
        ranked = sorted(without, key=lambda segment: -sign * without[segment])[:show]
        why = "that lower the score most" if sign > 0 else "that raise the score most"
    if not ranked:
        return []
    blocks = [Block("", [f"{len(ranked)} of {count(len(texts), 'segment')}, those {why}:"])]
    for segment in ranked:
        heading = f"segment {segment + 1} (hypotheses[{segment}]): {metric.name} = "
        heading += decimals(scores[segment])
        if segment in without:
            heading += f"; {decimals(score.score + without[segment])} without it"
        given = references[segment]
        several = (
            [given] if isinstance(given, str) else [each for each in given if each is not None]
        )
        names = ["reference"]
        if len(several) > 1:
            names = [f"reference {number}" for number in range(1, len(several) + 1)]
        pairs = zip(["hypothesis", *names], [texts[segment], *several], strict=True)
        lines = [
            f"{name}: {item if isinstance(item, str) else ' '.join(map(str, item))}"
            for name, item in pairs
        ]
        blocks.append(Block(heading, lines))
    return blocks
