"""A BLEU score and its parts."""

from __future__ import annotations

from truebleu.metrics.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.display.words import Words


class BleuScore(Score):
    """A BLEU score and its parts; see :class:`Score`.

    ``score`` is from 0 to 100, as WMT reports it; with several lists of weights, it is the score of
    the first list. Created by :class:`truebleu.Bleu`; do not create it yourself.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> score = truebleu.corpus_bleu(hypotheses, references)
    >>> score.counts, score.totals, score.brevity_penalty
    ((5, 3, 2, 1), (6, 5, 4, 3), 1.0)
    """

    __module__ = "truebleu"

    __slots__ = ()

    @property
    def scores(self) -> tuple[float, ...]:
        """The score from 0 to 100 under each list of weights."""
        return tuple(self._score()[0])

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified precision of each order, smoothed, in percent."""
        return tuple(self._score()[1])

    @property
    def precision_fractions(self) -> tuple[float, ...]:
        """Modified precision of each order, smoothed, from 0 to 1; 2 of 7 is exactly ``2 / 7``."""
        return tuple(self._parts[0]._core.precision_fractions(self._parts[1]))

    @property
    def brevity_penalty(self) -> float:
        """The brevity penalty, from 0 to 1; 1 if `hyp_len` is at least `ref_len`."""
        return self._score()[2]

    @property
    def weighted_log_precisions(self) -> tuple[float, ...]:
        """The weight of each order times the logarithm of its precision.

        Their sum plus the logarithm of the brevity penalty is the logarithm of ``fraction``. An
        order that makes the score 0 has minus infinity. With several lists of weights, the first
        one is used.
        """
        from math import inf, log

        bleu = self._parts[0]
        effective = self._score()[3]
        weights: tuple[float, ...] = bleu._order_weights
        effective_weight = sum(weights[:effective])
        if not effective_weight:
            return tuple(-inf if weight else 0.0 for weight in weights)
        # The effective orders share the weight of the orders that are left out.
        scale = sum(weights) / effective_weight
        skipped = self.score and bleu._core.skips_zeros
        logs = [0.0] * len(weights)
        for order, (weight, precision) in enumerate(
            zip(weights[:effective], self.precision_fractions, strict=False)
        ):
            if precision and weight:
                logs[order] = scale * weight * log(precision)
            elif weight and not skipped:
                logs[order] = -inf
        return tuple(logs)

    @property
    def counts(self) -> tuple[int, ...]:
        """Clipped n-gram matches of each order, before smoothing."""
        return self._numbers()[2 : 2 + self._parts[0].max_order]

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of n-grams of each order in the hypotheses, before smoothing."""
        start = 2 + self._parts[0]._counted_orders
        return self._numbers()[start : start + self._parts[0].max_order]

    @property
    def hyp_len(self) -> int:
        """Number of tokens in the hypotheses."""
        return self._numbers()[0]

    @property
    def ref_len(self) -> int:
        """The sum of the reference lengths; ``reference_length`` says which one a segment uses."""
        return self._numbers()[1]

    @property
    def _length(self) -> float:
        return self.ref_len

    @property
    def ratio(self) -> float:
        """``hyp_len / ref_len``; 0 if the references are empty."""
        hyp_len, ref_len, *_ = self._numbers()
        return hyp_len / ref_len if ref_len else 0.0

    def _reason(self, say: Words) -> str | None:
        if not self.hyp_len:
            return say("The hypotheses are empty.")
        bleu, _, _, segment = self._parts
        # Whether orders for which the hypothesis is too short are left out.
        skips = segment if bleu.effective_order is None else bleu.effective_order
        orders = zip(bleu._order_weights, self.counts, self.totals, strict=True)
        missing = [
            (order, total)
            for order, (weight, count, total) in enumerate(orders, 1)
            if weight and not count and (total or not skips)
        ]
        # NLTK's method0 gives a score such as 1e-78 instead of 0.
        if self.score and not (missing and bleu.smoothing == "method0"):
            return None
        if not any(self.counts):
            return say("No word of the hypotheses occurs in their references.")
        # Orders that the smoothing has raised above 0 are not the reason.
        precisions = self.precisions
        zeros = [each for each in missing if not precisions[each[0] - 1]]
        return self._reason_of(zeros or missing, say)

    def _reason_of(self, missing: list[tuple[int, int]], say: Words) -> str:
        """Explain why the score is 0, given the orders without a match and their totals."""
        if missing:
            order, total = missing[0]
            if total:
                return say(
                    "The only {order}-gram does not occur in the references, and smoothing "
                    "{smoothing} leaves that precision at 0."
                    if total == 1
                    else "None of the {total} {order}-grams occurs in the references, and "
                    "smoothing {smoothing} leaves that precision at 0.",
                    total=f"{total:,}",
                    order=order,
                    smoothing=repr(self._parts[0].smoothing),
                )
            return say(
                "No hypothesis has {order} or more tokens, so BLEU-{orders} is undefined: compute "
                "chrF for segments that are so short, and choose another tokenizer for text "
                "without spaces.",
                order=f"{order:,}",
                orders=len(self.counts),
            )
        if self.brevity_penalty:
            return say("No hypothesis is long enough for the orders with a nonzero weight.")
        return say(
            "The brevity penalty for {hyp_len} tokens against {ref_len} is too small for a float.",
            hyp_len=f"{self.hyp_len:,}",
            ref_len=f"{self.ref_len:,}",
        )

    def _score(self) -> tuple[list[float], list[float], float, int]:
        """Return scores, precisions in percent, brevity penalty and number of orders used."""
        bleu, row, _, segment = self._parts
        parts: tuple[list[float], list[float], float, int] = bleu._core.score(row, segment=segment)
        return parts

    def _summary(self) -> str:
        (_, precisions), *details = self.details().items()
        return f"{precisions} ({' '.join(f'{name} = {value}' for name, value in details)})"

    def details(self) -> dict[str, str]:
        """Return the cells that a table shows beside the score, by column header."""
        return {
            "precisions": "/".join(f"{precision:.1f}" for precision in self.precisions),
            "BP": f"{self.brevity_penalty:.3f}",
            "ratio": f"{self.ratio:.3f}",
            "hyp_len": str(self.hyp_len),
            "ref_len": str(self.ref_len),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "score": self.score,
            "fraction": self.fraction,
            "scores": list(self.scores),
            "precisions": list(self.precisions),
            "counts": list(self.counts),
            "totals": list(self.totals),
            "brevity_penalty": self.brevity_penalty,
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
            "signature": self.signature,
            "reason": self.reason,
        }


def field_names(width: int) -> tuple[str, ...]:
    """Return the names of the counts in a row of this width."""
    orders = range(1, width // 2)
    return (
        "hyp_len",
        "ref_len",
        *(f"match_{order}" for order in orders),
        *(f"total_{order}" for order in orders),
    )
