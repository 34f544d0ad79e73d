"""torchmetrics' BLEU."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from truebleu._core import survey
from truebleu.compat.torchmetrics.base import Base
from truebleu.compat.torchmetrics.rules import Counted, Rules, as_list
from truebleu.errors import InputError, InputTypeError
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.settings import order
from truebleu.suggestions import unknown_name

TOKENIZERS = (
    *("none", "13a", "zh", "intl", "char"),
    *("ja-mecab", "ko-mecab", "flores101", "flores200"),
)


# Text in which it matters whether tokenization or lowercasing comes first: parts of entities, and
# letters that become two characters or depend on what follows. With other tokenizers, any may.
_CHANGING = {"13a": "[&<\u0130\u03a3]", "intl": "[\u0130\u03a3]", "char": "[\u0130\u03a3]"}


def check_tokenizer(tokenize: Any) -> None:
    """Raise an error if there is no such tokenizer."""
    if tokenize is not None and tokenize not in TOKENIZERS:
        raise unknown_name("tokenizer", tokenize, TOKENIZERS)


class BleuRules(Rules):
    """How torchmetrics counts BLEU: of two equally close reference lengths, the first counts."""

    # Without torch, there is nothing to gain from single precision.
    precision = "float64"

    def __init__(
        self,
        n_gram: int,
        smooth: bool,
        weights: Sequence[float] | None,
        tokenize: Any = None,
        lowercase: bool = False,
    ) -> None:
        if weights is not None and len(weights) != n_gram:
            raise InputError(
                f"List of weights has different weights than `n_gram`: {len(weights)} != {n_gram}"
            )
        with self.made():
            check_tokenizer(tokenize)
            self.bleu = Bleu(
                tokenizer=tokenize or "none",
                lowercase=bool(lowercase),
                max_order=order("n_gram", n_gram),
                smoothing="none",
                reference_length="closest-first",
            )
        self.smooth = smooth
        self.weights = [1 / n_gram] * n_gram if weights is None else list(weights)
        states: dict[str, tuple[int, ...]] = {"preds_len": (), "target_len": ()}
        states |= {"numerator": (n_gram,), "denominator": (n_gram,)}
        settings: dict[str, Any] = {"n_gram": n_gram, "smooth": smooth, "weights": self.weights}
        super().__init__(states, **settings, tokenize=tokenize, lowercase=lowercase)

    def differs(self, preds: Any, target: Any) -> bool:
        """Return whether a str is a list of its characters, or is tokenized in another way.

        torchmetrics lowercases after tokenization, and does not remove trailing whitespace first.
        """
        given = as_list(target, "target")
        kinds, *_, is_spaced = survey(given)
        if isinstance(preds, str) or any(issubclass(kind, str) for kind in kinds):
            return True
        tokenize, lowercase = self.settings["tokenize"], self.settings["lowercase"]
        if tokenize in (None, "none") or (tokenize == "char" and not lowercase):
            return False
        if not lowercase and kinds <= {list, tuple}:
            return is_spaced or survey(as_list(preds, "preds"))[-1]
        texts = [text for each in (preds, *given) for text in each if isinstance(text, str)]
        changing = re.compile(_CHANGING.get(tokenize, "."))
        return any(
            text[-1:].isspace() or (lowercase and text != text.lower() and changing.search(text))
            for text in texts
        )

    def tokenizer(self) -> Any:
        """Return torchmetrics' tokenizer; BLEUScore has none."""
        from torchmetrics.functional.text import sacre_bleu

        tokenize, lowercase = self.settings["tokenize"], self.settings["lowercase"]
        return None if tokenize is None else sacre_bleu._SacreBLEUTokenizer(tokenize, lowercase)

    def count_originally(self, preds: Any, target: Any, tokenizer: Any) -> Counted:
        """Count a batch with torchmetrics' own functions."""
        import torch
        from torchmetrics.functional.text import bleu

        counts = [torch.tensor(zeros, device="cpu") for zeros in self.states.values()]
        bleu._bleu_score_update(
            *(preds, target, *counts[2:], *counts[:2]),
            self.settings["n_gram"],
            tokenizer or bleu._tokenize_fn,
        )
        return dict(zip(self.states, [each.numpy() for each in counts], strict=True)), None

    def listed(
        self, preds: str | Sequence[str], target: Sequence[Any]
    ) -> tuple[Sequence[str], Sequence[Any]]:
        """Return a batch as predictions and the references of each; a str is one reference."""
        hypotheses = [preds] if isinstance(preds, str) else as_list(preds, "preds")
        return hypotheses, as_list(target, "target")

    def count_listed(self, hypotheses: Sequence[str], references: Sequence[Any]) -> Counted:
        """Count a batch."""
        try:
            data, _, _ = self.bleu._count_rows(hypotheses, references, None, None, each=False)
        except InputTypeError:
            # As in the original, anything empty is an empty text.
            lists = [
                [each] if isinstance(each, str) else as_list(each, f"target[{index}]")
                for index, each in enumerate(references)
            ]
            hypotheses = [text or "" for text in hypotheses]
            references = [[text or "" for text in own] for own in lists]
            data, _, _ = self.bleu._count_rows(hypotheses, references, None, None, each=False)
        row = np.frombuffer(data, "<i8").astype(np.int64)
        matches, totals = row[2:].reshape(2, -1)
        return dict(zip(self.states, (row[0], row[1], matches, totals), strict=True)), None

    def score(
        self, sums: Mapping[str, Any], floats: Callable[[Any], Any], library: ModuleType
    ) -> Any:
        """Score sums of counts; an order without matches makes the score 0."""
        hyp_len, ref_len, matches, totals = (floats(sums[name]) for name in self.states)
        if not matches.min():
            return matches.min()
        precisions = matches / totals
        if self.smooth:
            precisions[1:] = (matches[1:] + 1) / (totals[1:] + 1)
        mean = library.exp((floats(self.weights) * library.log(precisions)).sum())
        return mean if hyp_len > ref_len else library.exp(1 - ref_len / hyp_len) * mean


class BLEUScore(Base):
    """BLEU of text split at whitespace, from 0 to 1; parameters are those of the original.

    The score is 0 if any order has no match, even with `smooth`, which adds 1 to the matches and
    totals of orders above 1. If two references are equally close in length, the first one's length
    counts. A number of weights other than `n_gram` is an InputError.
    """

    higher_is_better = True

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(BleuRules(n_gram, smooth, weights), **kwargs)


class SacreBLEUScore(BLEUScore):
    """:class:`BLEUScore` with sacreBLEU's tokenizers, by default ``13a``.

    An unknown one is an UnknownNameError, which is a ValueError, too.
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        check_tokenizer(tokenize)
        Base.__init__(self, BleuRules(n_gram, smooth, weights, tokenize, lowercase), **kwargs)
