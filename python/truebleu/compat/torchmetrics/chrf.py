"""torchmetrics' chrF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.compat.torchmetrics.base import Base
from truebleu.compat.torchmetrics.rules import Counted, Rules
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.chrf.pairs import Pairs

_EPSILON = 1e-16

# Segments that a thread counts at a time, so that their counts stay in the processor's cache.
_BLOCK = 1 << 13

# Characters of a segment with its references up to which texts are short: a block of them takes
# less than half a second.
_SHORT = 1 << 11

Block = tuple[NDArray[np.int64], NDArray[np.float32]]


class ChrfRules(Rules):
    """How torchmetrics counts chrF; 1.9 loses the reference of a segment without a match."""

    _lost = "a", "b", "total_target_char_1_grams"

    def __init__(
        self,
        n_char_order: int,
        n_word_order: int,
        beta: float,
        lowercase: bool,
        whitespace: bool,
        return_sentence_level_score: bool,
    ) -> None:
        orders = (("n_char_order", n_char_order, 1), ("n_word_order", n_word_order, 0))
        for name, order, least in orders:
            if not isinstance(order, int) or order < least:
                raise SettingsError(
                    f"Expected argument `{name}` to be an integer greater than or equal to "
                    f"{least}, not {order!r}"
                )
        if beta < 0:
            raise SettingsError(f"Expected argument `beta` to be 0 or greater, not {beta!r}")
        self.n_char_order = n_char_order
        self.factor = float(beta) ** 2
        self.whitespace = bool(whitespace)
        with self.made():
            self.chrf = Chrf(
                char_order=n_char_order,
                word_order=n_word_order,
                lowercase=bool(lowercase),
                whitespace=self.whitespace,
            )
        # Counts are kept one by one, under the names of the original.
        states = [
            f"total_{side}_{level}_{order}_grams"
            for side in ("preds", "target", "matching")
            for level, highest in (("char", n_char_order), ("word", n_word_order))
            for order in range(1, highest + 1)
        ]
        super().__init__(
            dict.fromkeys(states, ()),
            "sentence_chrf_score" if return_sentence_level_score else None,
            n_char_order=n_char_order,
            n_word_order=n_word_order,
            n_order=float(n_char_order + n_word_order),
            beta=beta,
            lowercase=lowercase,
            whitespace=whitespace,
            return_sentence_level_score=return_sentence_level_score,
        )

    def count_originally(self, preds: Any, target: Any, tokenizer: Any) -> Counted:
        """Count a batch with torchmetrics' own functions."""
        from torchmetrics.functional.text import chrf

        names = "n_char_order", "n_word_order", "n_order", "beta", "lowercase", "whitespace"
        settings = [self.settings[name] for name in names]
        scores: list[Any] = []
        *sums, _ = chrf._chrf_score_update(
            preds, target, *chrf._prepare_n_grams_dicts(*settings[:2]), *settings, scores
        )
        counts: list[Any] = [np.int64(int(count)) for orders in sums for count in orders.values()]
        counted = dict(zip(self.states, counts, strict=True))
        return counted, np.array(list(map(float, scores)), np.float32) if self.sentences else None

    def count_listed(self, hypotheses: Sequence[str], references: Sequence[Any]) -> Counted:
        """Count a batch: of each segment, the pair with the reference that has the best score."""
        # A segment without references is one in which nothing matches.
        lists = references if all(references) else [several or [""] for several in references]

        def count(start: int, threads: int | None = 1) -> Block:
            end = start + _BLOCK
            return self._count_block(hypotheses[start:end], lists[start:end], threads)

        starts = range(0, len(lists), _BLOCK)
        texts = sum(map(len, hypotheses)) + sum(len(text) for several in lists for text in several)
        # Ctrl-C does not end what other threads have begun: blocks of long texts are in turn.
        if len(starts) > 1 and texts <= _SHORT * len(lists):
            with ThreadPoolExecutor(thread_count(None)) as threads:
                blocks = list(threads.map(count, starts))
        else:
            blocks = [count(start, None) for start in starts]
        sums = np.sum([counted for counted, _ in blocks], axis=0)
        summed = dict(zip(self.states, sums.reshape(-1), strict=True))
        return summed, np.concatenate([scores for _, scores in blocks]) if self.sentences else None

    def _count_block(
        self, hypotheses: Sequence[str], references: Sequence[Any], threads: int | None
    ) -> Block:
        """Return sums of shape (3, orders), and the scores of the segments."""
        spaces = not self.whitespace
        pairs = Pairs(hypotheses, references, self.chrf, only_spaces=spaces, threads=threads)
        counts, scores = pairs.counts, np.zeros(0, np.float32)
        if self.sentences or len(counts) > len(references):
            scores = self._f_scores(*np.moveaxis(counts.astype(np.float32), 2, 0))
        if len(counts) > len(references):
            best = pairs.best(scores)
            counts, scores = counts[best], scores[best]
        sums = counts.sum(axis=0).T
        if not self.is_mended:
            # If no character matches, nothing does.
            sums[1] -= counts[counts[:, 0, 2] == 0, :, 1].sum(axis=0)
        return sums, scores

    def score(
        self, sums: Mapping[str, Any], floats: Callable[[Any], Any], library: ModuleType
    ) -> Any:
        """Score sums of counts."""
        counts = library.stack([floats(sums[name]) for name in self.states])
        return self._f_scores(*counts.reshape(3, 1, -1))[0]

    def _f_scores(self, hyp: Any, ref: Any, matches: Any) -> Any:
        """Score n-grams of hypotheses, references and both, as floats of shape (n, orders)."""
        # Where there are no n-grams, there are no matches.
        precisions, recalls = matches / hyp.clip(1), matches / ref.clip(1)
        below = (self.factor * precisions + recalls).clip(_EPSILON)
        scores = (1 + self.factor) * precisions * recalls / below
        # Sums of columns, one after the other; a sum of rows would add them in another order.
        characters = sum(scores[:, : self.n_char_order].T)
        words = sum(scores[:, self.n_char_order :].T)
        return (characters + words) / scores.shape[1]


class CHRFScore(Base):
    """chrF or chrF++ from 0 to 1, as the installed torchmetrics computes it, or else 1.9.

    Parameters are those of the original; by default, it is chrF++, with words up to order 2. The
    score has single precision. Like torchmetrics 1.9, it ignores the references of segments in
    which nothing matches, which raises the score. A setting outside its range is a SettingsError,
    which is a ValueError, too.
    """

    higher_is_better = True
    sentence_chrf_score: Any = None

    def __init__(
        self,
        n_char_order: int = 6,
        n_word_order: int = 2,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        settings = (lowercase, whitespace, return_sentence_level_score)
        super().__init__(ChrfRules(n_char_order, n_word_order, beta, *settings), **kwargs)
