"""The steps of TER under sacreBLEU's names, for programs that call them.

Edits of whole segments are counted by the core; what it does not return, such as the trace of a
distance, is computed in Python. A trace has one character per edit, in the order of the words:
a space where words are equal, ``s`` for a substitution, ``i`` for an insertion and ``d`` for a
deletion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from truebleu._core import Engine
from truebleu.compat.described import Described
from truebleu.compat.watched import Watched, is_unchanged, watch

# What BeamEditDistance is called with, and what it returns.
Distance = Callable[[list[Any]], tuple[int, str]]

_MAX_SHIFT_SIZE = 10
_MAX_SHIFT_DIST = 50
_MAX_SHIFT_CANDIDATES = 1000
_BEAM_WIDTH = 25
_INT_INFINITY = int(1e16)

_OP_INS = "i"
_OP_DEL = "d"
_OP_NOP = " "
_OP_SUB = "s"
_OP_UNDEF = "x"

_FLIP_OPS = str.maketrans(_OP_INS + _OP_DEL, _OP_DEL + _OP_INS)

# Splits text at whitespace and does nothing else.
_ENGINE = Engine.ter(normalized=False, no_punct=False, asian_support=False, case_sensitive=True)


def translation_edit_rate(words_hyp: Sequence[Any], words_ref: Sequence[Any]) -> tuple[int, int]:
    """Return the number of edits, shifts included, and the length of the reference."""
    if not is_unchanged(__name__):
        return _search(words_hyp, words_ref), len(words_ref)
    # The core reads text: each word is written as its number.
    numbers: dict[Any, str] = {}
    hypothesis, reference = (
        " ".join([numbers.setdefault(word, str(len(numbers))) for word in words])
        for words in (words_hyp, words_ref)
    )
    [(row, _, _)] = _ENGINE.count([[hypothesis]], [reference], 1, True, [])
    return sum(memoryview(row).cast("q")[:4]), len(words_ref)


def _search(words_hyp: Sequence[Any], words_ref: Sequence[Any]) -> int:
    """Count edits with the steps below, of which a program may have replaced some."""
    if not words_ref:
        return len(words_hyp)
    distance = BeamEditDistance(list(words_ref))
    words, shifts, tried = list(words_hyp), 0, 0
    while True:
        gain, shifted, tried = _shift(words, list(words_ref), distance, tried)
        if tried >= _MAX_SHIFT_CANDIDATES or gain <= 0:
            return shifts + distance(words)[0]
        words, shifts = shifted, shifts + 1


class BeamEditDistance(Described, metaclass=Watched):
    """Edit distance from the words of a reference, computed only near the diagonal."""

    def __init__(self, words_ref: list[Any]) -> None:
        self._words_ref = words_ref

    def __call__(self, words_hyp: list[Any]) -> tuple[int, str]:
        """Return the distance of a hypothesis, and the trace from the hypothesis."""
        columns = len(self._words_ref) + 1
        ratio = (columns - 1) / len(words_hyp) if words_hyp else 1
        beam = _BEAM_WIDTH
        if beam < ratio / 2:
            # Otherwise, the beams of two rows would not overlap.
            beam = math.ceil(ratio / 2 + beam)
        costs = list(range(columns))
        table = [[_OP_INS] * columns]
        for number, word in enumerate(words_hyp, 1):
            diagonal = math.floor(number * ratio)
            stop = columns if number == len(words_hyp) else min(columns, diagonal + beam)
            costs, ops = self._row(word, costs, range(max(0, diagonal - beam), stop))
            table.append(ops)
        return costs[-1], _trace(table)

    def _row(self, word: Any, above: list[int], beam: range) -> tuple[list[int], list[str]]:
        """Return the costs and the last edits of a row of the table, for one more word."""
        costs = [_INT_INFINITY] * len(above)
        ops = [_OP_UNDEF] * len(above)
        for column in beam:
            if column == 0:
                costs[0], ops[0] = above[0] + 1, _OP_DEL
                continue
            equal = word == self._words_ref[column - 1]
            choices = (
                (above[column - 1] + (not equal), _OP_NOP if equal else _OP_SUB),
                (above[column] + 1, _OP_DEL),
                (costs[column - 1] + 1, _OP_INS),
            )
            cost, op = min(choices, key=itemgetter(0))  # The first of equals.
            if cost < _INT_INFINITY:
                costs[column], ops[column] = cost, op
        return costs, ops


def _trace(table: list[list[str]]) -> str:
    """Follow the last edits back from the end of both texts."""
    row, column = len(table) - 1, len(table[0]) - 1
    found = []
    while row or column:
        op = table[row][column]
        if op == _OP_UNDEF:
            raise ValueError(f"unknown operation {op!r}: no path stays near the diagonal")
        found.append(op)
        row -= op != _OP_INS
        column -= op != _OP_DEL
    return "".join(reversed(found))


def _flip_trace(trace: str) -> str:
    return trace.translate(_FLIP_OPS)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """Turn a trace from the reference to the hypothesis into an alignment, and edited words.

    The alignment has, for each word of the reference, the last word of the hypothesis up to there,
    or -1. For the words of the reference, then of the hypothesis, 1 stands for an edit, else 0.
    """
    align: dict[int, int] = {}
    errors: dict[str, list[int]] = {"ref": [], "hyp": []}
    sides = {_OP_NOP: ("ref", "hyp"), _OP_SUB: ("ref", "hyp"), _OP_INS: ("hyp",), _OP_DEL: ("ref",)}
    for op in trace:
        if op not in sides:
            raise ValueError(f"unknown operation {op!r}")
        for side in sides[op]:
            errors[side].append(int(op != _OP_NOP))
        if "ref" in sides[op]:
            align[len(errors["ref"]) - 1] = len(errors["hyp"]) - 1
    return align, errors["ref"], errors["hyp"]


def _find_shifted_pairs(words_h: list[Any], words_r: list[Any]) -> Iterator[tuple[int, int, int]]:
    """Yield the starts and the length of each phrase that both texts have."""
    for start_h in range(len(words_h)):
        for start_r in range(len(words_r)):
            if abs(start_r - start_h) > _MAX_SHIFT_DIST:
                continue
            longest = min(_MAX_SHIFT_SIZE, len(words_h) - start_h, len(words_r) - start_r)
            for length in range(1, longest + 1):
                if words_h[start_h + length - 1] != words_r[start_r + length - 1]:
                    break
                yield start_h, start_r, length


def _perform_shift(words: list[Any], start: int, length: int, target: int) -> list[Any]:
    """Move a phrase in front of the word at `target`; words in between make room."""
    end = start + length
    phrase, without = words[start:end], words[:start] + words[end:]
    if target > end:
        target -= length
    elif target >= start:
        # Within itself or right behind, a phrase moves on by as many words.
        target = min(target, len(without))
    return without[:target] + phrase + without[target:]


def _targets(align: dict[int, int], start_r: int, length: int) -> Iterator[int]:
    """Yield the positions where the hypothesis may have the phrase at `start_r`."""
    last = None
    for position in range(start_r - 1, start_r + length):
        target = 0 if position == -1 else align[position] + 1
        if target != last:
            yield target
        last = target


def _shift(
    words_h: list[Any], words_r: list[Any], cached_ed: Distance, checked_candidates: int
) -> tuple[int, list[Any], int]:
    """Find the shift that reduces the distance most, after `checked_candidates` that were tried.

    Return by how much the distance falls, the shifted words, and the number of shifts tried so far.
    """
    distance, trace = cached_ed(words_h)
    align, ref_err, hyp_err = trace_to_alignment(_flip_trace(trace))
    best = None
    for start_h, start_r, length in _find_shifted_pairs(words_h, words_r):
        is_wrong = any(hyp_err[start_h : start_h + length])
        is_missing = any(ref_err[start_r : start_r + length])
        if not (is_wrong and is_missing) or start_h <= align[start_r] < start_h + length:
            continue
        for target in _targets(align, start_r, length):
            shifted = _perform_shift(words_h, start_h, length, target)
            gain = distance - cached_ed(shifted)[0]
            checked_candidates += 1
            # Of equal gains, the longest phrase, then the first one, then its first target.
            candidate = gain, length, -start_h, -target, shifted
            if best is None or candidate[:4] > best[:4]:
                best = candidate
        if checked_candidates >= _MAX_SHIFT_CANDIDATES:
            break
    if best is None:
        return 0, words_h, checked_candidates
    return best[0], best[4], checked_candidates


watch(__name__)
