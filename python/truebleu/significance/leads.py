"""What comparisons say in sentences: who leads, how sure that is, and what holds for a margin."""

from __future__ import annotations

from math import inf

from truebleu.display.blocks import Block, Lead
from truebleu.display.formatting import decimals, greatest_p_value, p_value, percent
from truebleu.display.text import visible
from truebleu.display.words import english

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.display.words import Words
    from truebleu.metrics.score import Score
    from truebleu.significance.pair import Pair

# More names than that are counted, not listed.
_MOST_NAMES = 3


def said(
    scores: Mapping[str, Score],
    comparison: Any,
    *,
    called: str,
    say: Words = english,
    baseline: str | None = None,
) -> str:
    """Say in one or two sentences what came out of several systems."""
    metric = next(iter(scores.values())).metric
    sign = -1 if metric.higher_is_better else 1
    ranked = sorted(scores, key=lambda name: sign * scores[name].score)
    best = scores[ranked[0]].score
    first = [name for name in ranked if scores[name].score == best]
    behind = ranked[len(first) :]
    names = say.listed([*map(visible, first)])
    number = f"{decimals(best, metric._form)} {visible(called)}"
    if not behind:
        return say("{names} have the same score, {score}.", names=names, score=number)
    if metric.higher_is_better:
        text = "{names} has the highest score of {systems}: {score}."
    else:
        text = "{names} has the best (lowest) score of {systems}: {score}."
    if len(first) > 1:
        text = text.replace("has", "share", 1)
    systems = say.count(len(scores), "system")
    text = say(text, names=names, systems=systems, score=number)
    if comparison is None or comparison.undecided:
        return text
    # Without a baseline, one-sided tests are not of all leads.
    tested = comparison.alternative == "two-sided" or comparison.baseline is not None
    if baseline is not None and baseline not in first:
        behind = [baseline]
    more = _significance(comparison, first, behind, called, say) if tested else []
    return " ".join([text, *more])


def _significance(
    comparison: Any, first: list[str], behind: list[str], called: str, say: Words
) -> list[str]:
    """Say by how much the best lead those behind them, and if that is significant."""
    if comparison.baseline in first and len(first) > 1:
        # Not all of the best were tested against those behind them.
        return []
    if comparison.baseline in first and comparison.alternative != "two-sided":
        # A test of whether another one is better says nothing of a lead of the baseline.
        turned = comparison.pair(behind[0], first[0]).mirrored()
        gap = _gap(comparison, turned, called, say)
        return [] if gap is None else [f"{gap}."]
    pairs = {other: [comparison.pair(one, other) for one in first] for other in behind}
    unsure = [
        other for other, several in pairs.items() if not all(pair.significant for pair in several)
    ]
    alpha = f"{comparison.alpha:g}"
    rest = visible(behind[0]) if len(behind) == 1 else say("every other system")
    if unsure:
        rest = say.listed([*map(visible, unsure)])
        if len(unsure) > _MOST_NAMES:
            others = say.count(len(behind), "other system")
            rest = say("{unsure} of the {others}", unsure=len(unsure), others=others)
        verdict = say("is not statistically significant (alpha {alpha})", alpha=alpha)
    else:
        # Rounded up, none is greater.
        highest = max(pair.p_adjusted for several in pairs.values() for pair in several)
        p = greatest_p_value(highest)
        text = "is statistically significant (Holm-adjusted p {p}, alpha {alpha})"
        verdict = say(text, p=p, alpha=alpha)
    if len(first) > 1:
        return [f"{say('Their lead over {rest}', rest=rest)} {verdict}."]
    gap = _gap(comparison, pairs[behind[0]][0], called, say)
    if gap is None:
        return [f"{say('Its lead over {rest}', rest=rest)} {verdict}."]
    subject = say("this lead" if len(behind) == 1 else "its lead over {rest}", rest=rest)
    said = [say("{gap}; {lead} {verdict}.", gap=gap, lead=subject, verdict=verdict)]
    if pairs[behind[0]][0].only_uncorrected and not comparison._of_runs:
        why = say.again(comparison.reason_for(pairs[behind[0]][0]))
        said.append(say("The interval excludes 0: {said}.", said=why))
    return said


def _gap(comparison: Any, pair: Pair, called: str, say: Words) -> str | None:
    """Say by how much the best system leads the second; None if there is no interval."""
    metric = comparison.metric
    better = pair if metric.higher_is_better else pair.mirrored()
    if better.interval is None:
        return None
    ends = (better.interval.low, better.interval.high)
    low, high = (decimals(end, metric._form) for end in ends)
    to = "{low} to {high}" if "-" in low + high else "{low}–{high}"  # noqa: RUF001
    if inf in ends or -inf in ends:
        to = "at least {low}" if inf in ends else "at most {high}"
    return say(
        "It leads {other} by {delta} {metric} ({level} CI {interval})",
        other=visible(pair.other),
        delta=decimals(better.delta, metric._form),
        metric=visible(called),
        level=percent(comparison.confidence_level),
        interval=say(to, low=low, high=high),
    )


def statements(comparison: Any, pair: Pair, both: str) -> Iterator[tuple[str, float]]:
    """Yield each statement on the margin, and its p-value, too; nothing without a margin."""
    amount = f"{comparison.margin or 0:g} {comparison.metric.name}"
    for said, p in (
        (f"{pair.one} is at most {amount} worse than {pair.other}", pair.p_not_worse),
        (f"{pair.other} is at most {amount} worse than {pair.one}", pair.p_not_better),
        (f"{both} differ by less than {amount}", pair.p_equivalent),
    ):
        if p is not None:
            yield f"{said}, p = {p_value(p)}", p


def margin_block(comparison: Any, pairs: Sequence[Pair]) -> Block:
    """Say which systems are at most so much worse than others, or differ by less."""
    amount, alpha = f"{comparison.margin:g} {comparison.metric.name}", comparison.alpha
    shown: list[str] = []
    rows = []
    for pair in pairs:
        found = [*statements(comparison, pair, f"{pair.one} and {pair.other}")]
        # The last says the most.
        shown += [said for said, p in found if p < alpha][-1:]
        rows.append(("", [pair.one, pair.other, *(p_value(p) for _, p in found)]))
    if len(shown) > 3:
        shown[3:] = [f"{len(shown) - 3} more"]
    lines = [
        Lead(f"Shown: {'; '.join(shown) or 'nothing'}."),
        f"p of each statement, adjusted by Holm's method for {len(comparison.pairs)} tests; what "
        f"has a p below alpha = {alpha!r} is shown, the rest is open",
    ]
    worse = [f"{name} at most {amount} worse" for name in ("A", "B")]
    header = ["A", "B", *worse, f"A and B within {amount}"]
    return Block(f"margin of {amount}", lines, header, rows, "llrrr")
