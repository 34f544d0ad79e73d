"""A score, and everything it can say about itself."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import StatsMismatchError
from truebleu.metrics import signature
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.formula import Formula


class BleuScore(Frozen):
    """A BLEU score with all that it was made of.

    Immutable; ``float(score)`` is ``score.score``, and scores order by it. Two are equal if they
    come from the same statistics under the same settings.

    Made by :class:`truebleu.Bleu`, never by hand.
    """

    __slots__ = ("_formula", "_references", "_row", "_segment", "score")
    _formula: Formula
    _references: int | None
    _row: bytes
    _segment: bool
    score: float
    """From 0 to 100, as WMT reports it. With several lists of weights, that of the first."""

    def __init__(
        self,
        formula: Formula,
        score: float,
        row: bytes,
        references: int | None,
        segment: bool = False,  # noqa: FBT002  # A keyword costs a tenth of a sentence call.
    ) -> None:
        """Keep what the rest is computed from when asked for."""
        _set_formula(self, formula)
        _set_score(self, score)
        _set_row(self, row)
        _set_references(self, references)
        _set_segment(self, segment)

    @property
    def fraction(self) -> float:
        """The score from 0 to 1, as the paper writes it."""
        return self.score / 100

    @property
    def scores(self) -> tuple[float, ...]:
        """A score from 0 to 100 for each list of weights."""
        return tuple(self._formula.parts(self._row)[0])

    @property
    def precisions(self) -> tuple[float, ...]:
        """Modified precision of each order in percent, smoothed."""
        return tuple(self._formula.parts(self._row)[1])

    @property
    def precision_fractions(self) -> tuple[float, ...]:
        """Modified precision of each order from 0 to 1, smoothed; for 2 of 7 exactly ``2 / 7``."""
        return tuple(self._formula._engine.precision_fractions(self._row))

    @property
    def brevity_penalty(self) -> float:
        """From 0 to 1; 1 if the hypotheses are at least as long as the references."""
        return self._formula.parts(self._row)[2]

    @property
    def logs(self) -> tuple[float, ...]:
        """For each order its weight times the logarithm of its precision.

        With the logarithm of the brevity penalty they add up to that of ``fraction``. Minus
        infinity stands for an order that makes the score 0. With several lists of weights, those
        of the first.
        """
        from math import inf, log

        bleu = self._formula
        effective = bleu.parts(self._row)[3]
        weights = self._weights()
        kept = sum(weights[:effective])
        if not kept:
            return tuple(-inf if weight else 0.0 for weight in weights)
        # The effective orders share the weight of those that are left out.
        scale = sum(weights) / kept
        skipped = self.score and bleu._engine.skips_zeros
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
        """Clipped matches of each order, before smoothing."""
        return self._numbers()[2 : 2 + self._formula.max_order]

    @property
    def totals(self) -> tuple[int, ...]:
        """N-grams of the hypotheses of each order, before smoothing."""
        start = 2 + self._formula.counted_orders
        return self._numbers()[start : start + self._formula.max_order]

    @property
    def hyp_len(self) -> int:
        """Tokens in the hypotheses."""
        return self._numbers()[0]

    @property
    def ref_len(self) -> int:
        """Tokens in the references, in each segment those of the length that counts."""
        return self._numbers()[1]

    @property
    def ratio(self) -> float:
        """``hyp_len / ref_len``; 0 if the references are empty."""
        hyp_len, ref_len, *_ = self._numbers()
        return hyp_len / ref_len if ref_len else 0.0

    def under(self, bleu: Formula) -> BleuScore:
        """Score the same statistics under other settings.

        Parameters
        ----------
        bleu : Bleu
            One that counts as the Bleu of this score does. If its ``effective_order`` is None, it
            is applied if this is the score of a single segment.

        Returns
        -------
        BleuScore

        Raises
        ------
        StatsMismatchError
            If it counts otherwise.
        """
        if bleu.counting_key != self._formula.counting_key:
            raise StatsMismatchError(
                f"this score was counted under {self._formula.counting_key}, but the other Bleu "
                f"counts under {bleu.counting_key}"
            )
        bleu = bleu.for_segments if self._segment else bleu.for_corpora
        score = bleu.parts(self._row)[0][0]
        return BleuScore(bleu, score, self._row, self._references, self._segment)

    @property
    def signature(self) -> str:
        """Every choice that the number depends on."""
        return signature.write(self._formula, self._references)

    @property
    def reason(self) -> str | None:
        """Why the score is 0, in a sentence; None if it is not.

        A score of NLTK's ``method0`` has one where NLTK would give a number such as 1e-78 for 0.
        """
        if not self.hyp_len:
            return "The hypotheses are empty."
        found = zip(self._weights(), self.counts, self.totals, strict=True)
        missing = [
            (order, total)
            for order, (weight, count, total) in enumerate(found, 1)
            if weight and not count and (total or not self._formula.effective_order)
        ]
        # NLTK's method0 writes 1e-78 for 0.
        if self.score and not (missing and self._formula.smoothing == "method0"):
            return None
        if not any(self.counts):
            return "No word of the hypotheses occurs in their references."
        # Those that the smoothing has lifted are not to blame.
        precisions = self.precisions
        return self._reason_of([each for each in missing if not precisions[each[0] - 1]] or missing)

    def _reason_of(self, missing: list[tuple[int, int]]) -> str:
        """Say why orders without a match, each with its n-grams, make the score 0."""
        if missing:
            order, total = missing[0]
            if total:
                which = f"None of the {total:,} {order}-grams occurs"
                if total == 1:
                    which = f"The only {order}-gram does not occur"
                return (
                    f"{which} in the references, and smoothing {self._formula.smoothing!r} leaves "
                    "that at 0."
                )
            tokens = formatting.count(order, "token")
            return (
                f"No segment has {tokens}, so BLEU-{self._formula.max_order} is undefined; "
                "effective_order=True leaves the missing orders out."
            )
        if self.brevity_penalty:
            return "No segment is long enough for the orders that have a weight."
        return (
            f"The brevity penalty of {self.hyp_len:,} tokens against {self.ref_len:,} is too close "
            "to 0 for a float."
        )

    def _weights(self) -> tuple[float, ...]:
        """Return the weight of each order; with several lists, those of the first."""
        bleu = self._formula
        orders = bleu.max_order
        weights = bleu.weights[0] if bleu.weights else (1 / orders,) * orders
        return weights[:orders] + (0.0,) * (orders - len(weights))

    def _numbers(self) -> tuple[int, ...]:
        import struct

        return struct.unpack(f"<{len(self._row) // 8}q", self._row)

    def format(self, width: int = 2) -> str:
        """Write the score as sacreBLEU does.

        Parameters
        ----------
        width : int, default 2
            Decimals of the score.

        Returns
        -------
        str
        """
        precisions = "/".join(f"{precision:.1f}" for precision in self.precisions)
        return (
            f"BLEU = {self.score:.{width}f} {precisions} (BP = {self.brevity_penalty:.3f} "
            f"ratio = {self.ratio:.3f} hyp_len = {self.hyp_len} ref_len = {self.ref_len})"
        )

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

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __float__(self) -> float:
        """Return the score, from 0 to 100."""
        return self.score

    def __eq__(self, other: object) -> bool:
        """Compare statistics and settings."""
        if not isinstance(other, BleuScore):
            return NotImplemented
        own = (self._row, self._references, self._formula)
        return own == (other._row, other._references, other._formula)

    def __hash__(self) -> int:
        """Hash statistics and settings."""
        return hash((self._row, self._references, self._formula))

    def __lt__(self, other: BleuScore | float) -> bool:
        """Order by score."""
        return self.score < float(other)

    def __le__(self, other: BleuScore | float) -> bool:
        """Order by score."""
        return self.score <= float(other)

    def __gt__(self, other: BleuScore | float) -> bool:
        """Order by score."""
        return self.score > float(other)

    def __ge__(self, other: BleuScore | float) -> bool:
        """Order by score."""
        return self.score >= float(other)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle settings and statistics."""
        values = (self._formula, self.score, self._row, self._references, self._segment)
        return BleuScore, values

    def __str__(self) -> str:
        """Write the score as sacreBLEU does."""
        return self.format()

    def __repr__(self) -> str:
        """Show the score and what it depends on."""
        return f"<BleuScore {self.score!r} {self.signature}>"

    def _repr_html_(self) -> str:
        """Show the score as a small table in a notebook."""
        from html import escape

        from truebleu.display.render import opening

        orders = range(1, self._formula.max_order + 1)
        rows = zip(orders, self.counts, self.totals, self.precisions, strict=True)
        cells = "".join(
            f"<tr><td>{order}</td><td>{count:,} / {total:,}</td><td>{precision:.1f} %</td></tr>"
            for order, count, total, precision in rows
        )
        reason = f"<p>{escape(self.reason)}</p>" if self.reason else ""
        return (
            f"{opening()}<strong>BLEU = {self.score:.2f}</strong> (fraction {self.fraction:.4f}), "
            f"brevity penalty {self.brevity_penalty:.3f}, length {self.hyp_len:,} / "
            f"{self.ref_len:,} = {self.ratio:.3f}{reason}"
            "<table><thead><tr><th scope='col'>n</th><th scope='col'>matches</th>"
            f"<th scope='col'>precision</th></tr></thead><tbody>{cells}</tbody></table>"
            f"<small><code>{escape(self.signature)}</code></small></div>"
        )


# The slots' own setters: a score is made a million times, and __setattr__ refuses.
_set_formula, _set_score, _set_row, _set_references, _set_segment = (
    BleuScore.__dict__[name].__set__
    for name in ("_formula", "score", "_row", "_references", "_segment")
)
