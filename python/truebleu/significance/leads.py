"""What comparisons say in sentences: who leads, how sure that is, and what holds for a margin."""

from __future__ import annotations

from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import FLOOR, decimals, greatest_p_value, p_value, percent
from truebleu.display.text import visible
from truebleu.display.words import english

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.display.blocks import Line
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
    if comparison is None or not comparison.pairs:
        return text
    if baseline is not None and baseline not in first:
        behind = [baseline]
    tested = [pairs_of(comparison, one) for one in first]
    pairs = {other: [each[other] for each in tested if other in each] for other in behind}
    if not all(len(several) == len(first) for several in pairs.values()):
        # Not all of the best were tested against those behind them.
        return text
    if comparison.margin is not None:
        return " ".join([text, *_on_margin(comparison, first, behind, pairs, called, say)])
    return " ".join([text, *_significance(comparison, first, behind, pairs, called, say)])


def pairs_of(comparison: Any, one: str) -> dict[str, Pair]:
    """Return the pairs of a system, which comes first, by the other; those that were tested."""
    found = {}
    for pair in comparison.pairs:
        if pair.one == one:
            found[pair.other] = pair
        elif pair.other == one:
            found[pair.one] = pair.mirrored()
    return found


def _rest(names: list[str], behind: list[str], say: Words) -> str:
    """Name the systems behind the best of which something is said."""
    if len(names) > _MOST_NAMES:
        others = say.count(len(behind), "other system")
        return say("{unsure} of the {others}", unsure=len(names), others=others)
    return say.listed([*map(visible, names)])


def _significance(
    comparison: Any,
    first: list[str],
    behind: list[str],
    pairs: Mapping[str, list[Pair]],
    called: str,
    say: Words,
) -> list[str]:
    """Say by how much the best lead those behind them, and if that is significant."""
    alpha = f"{comparison.alpha:g}"
    unsure = [name for name in behind if not all(pair.significant for pair in pairs[name])]
    undecided = [name for name in unsure if any(pair.undecided for pair in pairs[name])]
    rest = visible(behind[0]) if len(behind) == 1 else say("every other system")
    if undecided:
        rest = _rest(undecided, behind, say)
        verdict = say("could not be tested: too few units differ")
        if comparison.test == "welch":
            verdict = say("could not be tested: too few units")
    elif unsure:
        rest = _rest(unsure, behind, say)
        verdict = say("is not statistically significant (alpha {alpha})", alpha=alpha)
    else:
        several = [pair for name in behind for pair in pairs[name]]
        text = "is statistically significant (Holm-adjusted p {p}, alpha {alpha})"
        if comparison.n_tests == 1:
            text = "is statistically significant (p {p}, alpha {alpha})"
        verdict = say(text, p=_greatest(several), alpha=alpha)
    if len(first) > 1:
        return [f"{say('Their lead over {rest}', rest=rest)} {verdict}."]
    nearest = pairs[behind[0]][0]
    gap = _gap(comparison, nearest, called, say)
    if gap is None:
        return [f"{say('Its lead over {rest}', rest=rest)} {verdict}."]
    subject = say("this lead" if len(behind) == 1 else "its lead over {rest}", rest=rest)
    sentences = [say("{gap}; {lead} {verdict}.", gap=gap, lead=subject, verdict=verdict)]
    if nearest.only_uncorrected and not nearest.undecided:
        why = say.again(comparison.reason_for(nearest))
        sentences.append(say("The interval excludes 0: {said}.", said=why))
    return sentences


def _greatest(pairs: Sequence[Pair]) -> str:
    """Write the greatest adjusted p-value, rounded up, and mark it if it is at its floor."""
    greatest = max(pairs, key=lambda pair: pair.p_adjusted)
    return greatest_p_value(greatest.p_adjusted) + FLOOR * greatest.adjusted_at_floor


def _gap(comparison: Any, pair: Pair, called: str, say: Words) -> str | None:
    """Say by how much the best system leads the second; None if there is no interval."""
    metric = comparison.metric
    better = pair if metric.higher_is_better else pair.mirrored()
    if better.interval is None:
        return None
    ends = (better.interval.low, better.interval.high)
    low, high = (decimals(end, metric._form) for end in ends)
    to = "{low} to {high}" if "-" in low + high else "{low}–{high}"  # noqa: RUF001
    return say(
        "It leads {other} by {delta} {metric} ({level} CI {interval})",
        other=visible(pair.other),
        delta=decimals(better.delta, metric._form),
        metric=visible(called),
        level=percent(comparison.confidence_level),
        interval=say(to, low=low, high=high),
    )


def _on_margin(
    comparison: Any,
    first: list[str],
    behind: list[str],
    pairs: Mapping[str, list[Pair]],
    called: str,
    say: Words,
) -> list[str]:
    """Say what is shown of the best and those behind them for the margin, and by how much."""
    found = []
    if len(first) == 1:
        gap = _gap(comparison, pairs[behind[0]][0], called, say)
        found += [] if gap is None else [f"{gap}."]
    statements = [
        statement
        for name in behind
        for pair in pairs[name]
        if (statement := strongest(comparison, pair)) is not None
    ]
    if not statements:
        amount = f"{comparison.margin:g} {visible(called)}"
        return [*found, say("Nothing is shown for the margin of {amount}.", amount=amount)]
    for statement in statements[:_MOST_NAMES]:
        found.append(say("Shown: {said}.", said=say.again(statement)))
    return found


def better_first(comparison: Any, pair: Pair) -> Pair:
    """Return a pair with the system first that has the better score."""
    is_ahead = (pair.delta > 0) == comparison.metric.higher_is_better
    return pair if is_ahead or not pair.delta else pair.mirrored()


def verdict(comparison: Any, pair: Pair) -> str:
    """Say by how much the first system of a pair leads, and whether that is significant."""
    pair = better_first(comparison, pair)
    names = {name: comparison.systems[name].score for name in (pair.one, pair.other)}
    return said(names, comparison, called=comparison.metric.name)


def strongest(comparison: Any, pair: Pair) -> str | None:
    """Return the strongest statement on a pair that is shown; None if nothing is."""
    metric, alpha = comparison.metric, comparison.alpha
    pair = better_first(comparison, pair)
    amount = f"{comparison.margin or 0:g} {metric.name}"
    p = f"p = {p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor)}"
    is_within = pair.p_equivalent is not None and pair.p_equivalent < alpha
    within = f"{visible(pair.one)} and {visible(pair.other)} differ by less than {amount}"
    if is_within:
        return f"{within}, p = {p_value(pair.p_equivalent or 0)}"
    if pair.significant:
        return f"{visible(pair.one)} is better than {visible(pair.other)}, {p}"
    for one, other, p_side in (
        (pair.one, pair.other, pair.p_not_worse),
        (pair.other, pair.one, pair.p_not_better),
    ):
        if p_side is not None and p_side < alpha:
            text = f"{visible(one)} is at most {amount} worse than {visible(other)}"
            return f"{text}, p = {p_value(p_side)}"
    return None


def statements(comparison: Any, pair: Pair) -> Iterator[tuple[str, float]]:
    """Yield each statement on the margin, and its p-value; nothing without a margin."""
    amount = f"{comparison.margin or 0:g} {comparison.metric.name}"
    for text, p in (
        (f"{pair.one} is at most {amount} worse than {pair.other}", pair.p_not_worse),
        (f"{pair.other} is at most {amount} worse than {pair.one}", pair.p_not_better),
        (f"they differ by less than {amount}", pair.p_equivalent),
    ):
        if p is not None:
            yield text, p


def margin_block(comparison: Any, pairs: Sequence[Pair], *, plain: bool) -> Block:
    """Say which systems are at most so much worse than others, or differ by less."""
    amount, alpha = f"{comparison.margin:g} {comparison.metric.name}", comparison.alpha
    shown = [text for pair in pairs if (text := strongest(comparison, pair)) is not None]
    if len(shown) > _MOST_NAMES:
        shown[_MOST_NAMES:] = [f"{len(shown) - _MOST_NAMES} more"]
    write = str if plain else p_value
    rows = [
        ("", [pair.one, pair.other, *(write(p) for _, p in statements(comparison, pair))])
        for pair in pairs
    ]
    level = percent(float(1 - 2 * alpha)) if alpha < 0.5 else ""
    adjusted = f", adjusted by Holm's method for {comparison.n_tests} tests"
    lines: list[Line] = [
        Cell(f"Shown: {'; '.join(shown) or 'nothing'}.", "lead"),
        f"p of each statement, one-sided{adjusted * (comparison.n_tests > 1)}; what has a p below "
        f"alpha = {alpha!r} is shown, the rest is open",
        *[f"without adjustment, p is below alpha if the {level} interval is within the margin"]
        * bool(level),
    ]
    worse = [f"{name} at most {amount} worse" for name in ("A", "B")]
    header = ["A", "B", *worse, f"A and B within {amount}"]
    return Block(f"margin of {amount}", lines, header, rows, "llrrr")
