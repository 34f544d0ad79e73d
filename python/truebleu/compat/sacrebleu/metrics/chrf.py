"""sacreBLEU 2.6.0's classes of chrF, computed by truebleu."""

from __future__ import annotations

import string
from functools import lru_cache

from truebleu._core import Engine, add_rows
from truebleu.compat.sacrebleu.metrics.base import Metric as Metric
from truebleu.compat.sacrebleu.metrics.base import Score as Score
from truebleu.compat.sacrebleu.metrics.base import Signature as Signature
from truebleu.compat.sacrebleu.metrics.base import common_attributes
from truebleu.compat.sacrebleu.metrics.helpers import (
    extract_all_char_ngrams as extract_all_char_ngrams,
)
from truebleu.compat.sacrebleu.metrics.helpers import extract_word_ngrams as extract_word_ngrams
from truebleu.compat.sacrebleu.utils import sum_of_lists as sum_of_lists
from truebleu.compat.watched import HOOKS, marks, watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from typing import Any

    from truebleu.compat.sacrebleu.metrics.base import SentenceContext

# Stands for a precision or recall that is undefined, as in chrF++.py.
_EPSILON = 1e-16

# The core counts orders up to here, and squares of beta are exact.
_LARGEST_ORDER, _LARGEST_BETA = 1000, 1e6


class CHRFSignature(Signature):
    """The signature of a chrF score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """A chrF score, under sacreBLEU's names; it is called after beta and the word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        # In sacreBLEU's order, which programs see in vars().
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}{'+' * word_order}", score)


# 2 and 2.0 are different betas in the name of the score.
@lru_cache(64, typed=True)
def sentence_context(char_order: int, word_order: int, beta: int) -> SentenceContext:
    """Return what the core needs to make scores of sentences."""
    return common_attributes(CHRFScore(0.0, char_order, word_order, beta))


_engine = lru_cache(64)(Engine.chrf)


class CHRF(Metric[CHRFScore]):
    """chrF with sacreBLEU's parameters, reference layout, names and floats.

    Parameters
    ----------
    char_order, word_order, beta, lowercase, whitespace, eps_smoothing, references
        As in sacreBLEU 2.6.0; see :class:`truebleu.Chrf`.
    strict : bool, optional
        As in :class:`BLEU`.
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _PUNCTS = frozenset(string.punctuation)
    _SIGNATURE_TYPE = CHRFSignature
    _DERIVED = ("_engine",)
    _HOOKS = (
        *HOOKS,
        *("_remove_punctuation", "_get_match_statistics", "_compute_f_score", "_PUNCTS"),
    )

    beta: Any
    char_order: int
    word_order: int
    order: int
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool
    # What counts and scores under the current settings, if anything in the core does.
    _engine: Engine | None = None

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        strict: bool | None = None,
    ) -> None:
        super().__init__(strict=strict)
        # Faster than one by one, by __setattr__.
        vars(self).update(
            beta=beta,
            char_order=char_order,
            word_order=word_order,
            order=char_order + word_order,
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
        )
        if references is not None:
            self._keep(references)

    def _core(self) -> Engine | None:
        if marks and self._mark is not marks[0]:
            self._compare()
        if self._settings_changed:
            self.__dict__.update(_engine=self._choose_core(), _settings_changed=False)
        return self._engine

    def _choose_core(self) -> Engine | None:
        orders = self.char_order, self.word_order
        if not (self._hooks_unchanged and all(isinstance(order, int) for order in orders)):
            return None
        if not isinstance(self.beta, int | float) or not abs(self.beta) <= _LARGEST_BETA:
            return None
        in_range = min(orders) >= 0 and max(orders) <= _LARGEST_ORDER
        if not in_range or not 0 < self.order == sum(orders):
            return None
        return _engine(
            char_order=self.char_order,
            word_order=self.word_order,
            squared_beta=self.beta**2,
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
        )

    def _sentence_context(self) -> SentenceContext:
        return sentence_context(self.char_order, self.word_order, self.beta)

    def _score_rows(self, engine: Engine, rows: bytes) -> CHRFScore:
        [score] = memoryview(engine.score_rows(add_rows(rows, engine.fields))).cast("d")
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    # The methods below keep sacreBLEU's names: subclasses override them, and other packages call
    # them.

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[int]:
        """Count the n-grams of the hypothesis, of the reference, and of both."""
        matches = sum(
            min(count, ref_ngrams[ngram])
            for ngram, count in hyp_ngrams.items()
            if ngram in ref_ngrams
        )
        # An order that the reference does not have costs no precision.
        hypothesis = sum(hyp_ngrams.values()) if ref_ngrams else 0
        return [hypothesis, sum(ref_ngrams.values()), matches]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """Split into words, and a punctuation mark off each: at its end, else at its start."""
        words = []
        for word in sent.split():
            at = 0
            if len(word) > 1:
                at = -1 if word[-1] in self._PUNCTS else int(word[0] in self._PUNCTS)
            words += [word[:at], word[at:]] if at else [word]
        return words

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _ngrams(self, text: str) -> list[Counter[str]]:
        """Count the n-grams of each order, those of characters first."""
        counts = extract_all_char_ngrams(text, self.char_order, self.whitespace)
        if self.word_order > 0:
            words = self._remove_punctuation(text)
            counts += [extract_word_ngrams(words, n + 1) for n in range(self.word_order)]
        return counts

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_ngrams": [self._ngrams(reference) for reference in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        counts = self._ngrams(hypothesis)
        best: list[int] = []
        best_score = -1.0
        for reference in ref_kwargs["ref_ngrams"]:
            stats: list[int] = []
            for of_hypothesis, of_reference in zip(counts, reference, strict=False):
                stats += self._get_match_statistics(of_hypothesis, of_reference)
            score = self._compute_f_score(stats)
            if score > best_score:
                best_score, best = score, stats
        return best

    def _compute_f_score(self, statistics: Any) -> float:
        """Score the counts of all orders, of any numeric type, as the core does."""
        factor: Any = self.beta**2
        total: Any = 0.0
        mean_precision: Any = 0.0
        mean_recall: Any = 0.0
        defined = 0
        for order in range(self.order):
            hyp, ref, match = statistics[3 * order : 3 * order + 3]
            precision = match / hyp if hyp > 0 else _EPSILON
            recall = match / ref if ref > 0 else _EPSILON
            weighted = factor * precision + recall
            total += (1 + factor) * precision * recall / weighted if weighted > 0 else _EPSILON
            if hyp > 0 and ref > 0:
                mean_precision += precision
                mean_recall += recall
                defined += 1
        if self.eps_smoothing:
            return 100 * total / self.order  # type: ignore[no-any-return]  # Any numeric type.
        if not defined:
            return 0.0
        mean_precision /= defined
        mean_recall /= defined
        if not mean_precision + mean_recall:
            return 0.0
        score = (1 + factor) * mean_precision * mean_recall
        return 100 * (score / (factor * mean_precision + mean_recall))  # type: ignore[no-any-return]

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        score = self._compute_f_score(stats)
        return CHRFScore(score, self.char_order, self.word_order, self.beta)


watch(__name__)
