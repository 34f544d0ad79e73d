"""sacreBLEU's score and signature of BLEU, and its formula, equal to the last bit."""

from __future__ import annotations

import math
import struct
import sys
from typing import Any

from truebleu._core import brevity_penalty
from truebleu.compat.errors import UnknownSmoothingError
from truebleu.compat.sacrebleu.metrics.base import Score, Signature

MAX_NGRAM_ORDER = 4

# The default parameter of each smoothing; None if it takes none.
SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}


def _home() -> Any:
    """Return the module in which sacreBLEU has this, and programs replace what it uses."""
    return sys.modules["truebleu.compat.sacrebleu.metrics.bleu"]


class BLEUSignature(Signature):
    """The signature of a BLEU score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        smooth = args["smooth_method"]
        default = _home().BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            value = args["smooth_value"]
            smooth += f"[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth,
        }


class _Component:
    """A component of a lazy score, computed with all others when it is first read.

    Unlike ``__getattr__``, this does not slow down reading the score.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, score: Any, owner: type | None = None) -> Any:
        if score is not None:
            components = score.__dict__
            if self._name in components:
                return components[self._name]
        kind = getattr(owner, "__name__", None)
        raise AttributeError(f"{kind!r} object has no attribute {self._name!r}")


# What an object has stored, which a property of its class may hide.
_DICT = Score.__dict__["__dict__"]


class BLEUScore(Score):
    """A BLEU score and its components, under sacreBLEU's names."""

    name = "BLEU"
    _mean = -1.0
    _ci = -1.0

    # What a lazy score is computed from; the core fills these slots.
    __slots__ = ("_row", "_settings")
    _row: bytes | None
    _settings: tuple[Any, ...]

    bp = _Component()
    counts = _Component()
    totals = _Component()
    precisions = _Component()
    prec_str = _Component()
    sys_len = _Component()
    ref_len = _Component()
    ratio = _Component()
    _verbose = _Component()

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {int(sys_len)} ref_len = {int(ref_len)})"
        )

    @classmethod
    def lazy(cls, score: float, row: bytes, settings: tuple[Any, ...]) -> BLEUScore:
        """Make a score from its row and settings; other components are computed when needed."""
        made: BLEUScore = cls.__new__(cls)
        made.score = score
        made._row = row
        made._settings = settings
        return made

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # That of object is no property.
        """All components, in sacreBLEU's order; those of a lazy score are computed first."""
        row = getattr(self, "_row", None)
        if row is not None:
            # Replaced at once, for other threads read it.
            _DICT.__set__(
                self, _DICT.__get__(score_row(row, *self._settings)) | _DICT.__get__(self)
            )
            self._row = None
        components: dict[str, Any] = _DICT.__get__(self)
        return components

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__


def score_row(row: bytes, method: str, value: Any, effective: bool, order: int) -> BLEUScore:
    """Score a row of statistics, given as little-endian int64."""
    hyp_len, ref_len, *counts = struct.unpack(f"<{2 + 2 * order}q", row)
    return compute_bleu(
        correct=counts[:order],
        total=counts[order:],
        sys_len=hyp_len,
        ref_len=ref_len,
        smooth_method=method,
        smooth_value=value,
        effective_order=effective,
        max_ngram_order=order,
    )


def perfect_scores(method: str, orders: int) -> tuple[float, ...] | None:
    """Return the perfect score of a sentence for each number of orders up to `orders`.

    None if 100 may also be the limit of a higher score: ``floor`` and ``add-k`` replace counts by
    any number.
    """
    if method in ("add-k", "floor"):
        return None
    logs = [math.log(100.0)] * orders
    return tuple(math.exp(sum(logs[:n]) / n) for n in range(1, orders + 1))


def compute_bleu(
    correct: Any,
    total: Any,
    sys_len: int,
    ref_len: int,
    smooth_method: str = "none",
    smooth_value: float | None = None,
    effective_order: bool = False,
    max_ngram_order: int = MAX_NGRAM_ORDER,
) -> BLEUScore:
    """Score counts; smoothing ``add-k`` modifies `correct` and `total` in place."""
    home = _home()
    made: type[BLEUScore] = home.BLEUScore
    defaults = home.BLEU.SMOOTH_DEFAULTS
    if smooth_method not in defaults:
        raise UnknownSmoothingError(
            f"unknown smooth_method {smooth_method!r}; choose one of {', '.join(defaults)}"
        )
    value: Any = defaults[smooth_method] if smooth_value is None else smooth_value
    penalty = brevity_penalty(sys_len, ref_len)
    precisions = [0.0] * max_ngram_order
    if not any(correct):
        return made(0.0, correct, total, precisions, penalty, sys_len, ref_len)
    halvings = 1.0
    orders = max_ngram_order
    for n in range(max_ngram_order):
        if smooth_method == "add-k" and n:
            correct[n] += value
            total[n] += value
        if total[n] == 0:
            break
        if effective_order:
            orders = n + 1
        if correct[n] != 0:
            precisions[n] = 100.0 * correct[n] / total[n]
        elif smooth_method == "exp":
            halvings *= 2
            precisions[n] = 100.0 / (halvings * total[n])
        elif smooth_method == "floor":
            precisions[n] = 100.0 * value / total[n]
    score = penalty * math.exp(sum([home.my_log(each) for each in precisions[:orders]]) / orders)
    return made(score, correct, total, precisions, penalty, sys_len, ref_len)
