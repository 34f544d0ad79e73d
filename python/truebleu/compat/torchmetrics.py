"""torchmetrics' BLEU, chrF and TER, counted by the core.

States, tokenizers, formulas and checks are torchmetrics': its functions run, and only what they
call to count n-grams and edits is answered here.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import chain

import numpy as np
import torch
from torchmetrics.functional.text import bleu, chrf, sacre_bleu, ter

from truebleu._core import Engine, survey
from truebleu.compat import mistakes
from truebleu.compat.seams import Seam, answered, unchanged
from truebleu.errors import InputTypeError, LengthMismatchError, TruebleuError
from truebleu.metrics import core
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.chrf.pairs import Pairs
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.ter.metric import Ter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.metrics.core import CoreMetric

# Up to here, sums of whole numbers are exact in single precision, in whatever order they are added.
_EXACT = 1 << 24

# Up to here, a segment with a match has a score above 0 in single precision.
_MOST_OF_BETA = 1e6
_PRECISE = (torch.float32, torch.float64)

_SPLIT = bleu._tokenize_fn

# The tokenizers of the core, by the method of torchmetrics' tokenizer.
_TOKENIZERS = {
    "_tokenize_base": "none",
    "_tokenize_13a": "13a",
    "_tokenize_zh": "zh",
    "_tokenize_international": "intl",
    "_tokenize_char": "char",
}

_are_unchanged = unchanged(
    (bleu, "_count_ngram"),
    (sacre_bleu._SacreBLEUTokenizer, f"__call__ tokenize {' '.join(_TOKENIZERS)}"),
    (sacre_bleu._SacreBLEUTokenizer, "_tokenize_regex _is_chinese_char _lower"),
    (chrf, "_get_characters _get_words_and_punctuation _ngram_counts _get_ngram_matches"),
    (chrf, "_get_n_grams_counts_and_total_ngrams _calculate_sentence_level_chrf_score"),
    (ter, "_LevenshteinEditDistance _find_shifted_pairs _perform_shift _shift_words"),
)


@lru_cache(32)
def _bleu(max_order: int, tokenizer: Any) -> Bleu:
    return Bleu(
        tokenizer=tokenizer,
        max_order=max_order,
        smoothing="none",
        reference_length="closest-first",
    )


def bleu_score_update(original: Any) -> Callable[..., Any]:
    """Return what answers `_bleu_score_update`."""

    def update(
        preds: Any,
        target: Any,
        numerator: Any,
        denominator: Any,
        preds_len: Any,
        target_len: Any,
        n_gram: Any,
        tokenizer: Any,
    ) -> Any:
        states = preds_len, target_len, numerator, denominator
        row = _row_of_bleu(preds, target, states, n_gram, tokenizer)
        if row is None:
            return original(preds, target, *states[2:], *states[:2], n_gram, tokenizer)
        counts = row[0], row[1], row[2 : 2 + n_gram], row[2 + n_gram :]
        for state, count in zip(states, counts, strict=True):
            state.add_(torch.tensor(count, dtype=state.dtype, device=state.device))
        return preds_len, target_len

    return update


def _row_of_bleu(
    preds: Any, target: Any, states: tuple[Any, ...], n_gram: Any, tokenizer: Any
) -> list[int] | None:
    """Count a batch; None where torchmetrics has to decide."""
    _look_at(preds, target)
    known = _are_unchanged() and all(state.dtype in _PRECISE for state in states)
    if not known or not _are_lists(preds, target):
        return None

    def tokens(text: Any) -> Any:
        return tokenizer(text) if text else []

    hypotheses = [text or "" for text in preds]
    references = [[text or "" for text in several] for several in target]
    try:
        metric = _bleu(n_gram, _tokenizer(tokenizer, hypotheses, references))
        if metric.tokenizer == "pretokenized":
            hypotheses = [*map(tokens, hypotheses)]
            references = [[*map(tokens, several)] for several in references]
        [stats] = metric._count(Corpora([hypotheses], references), each=False)
    except (TypeError, TruebleuError):
        return None
    row: list[int] = memoryview(stats.data).cast("q").tolist()
    if max(float(state.max()) for state in states) + max(row) > _EXACT:
        return None
    _look_at_all(hypotheses, references, metric)
    return row


def _tokenizer(tokenizer: Any, hypotheses: list[Any], references: list[Any]) -> str:
    """Return the tokenizer of the core that splits this text as torchmetrics does."""
    method = _method(tokenizer)
    name = "none" if tokenizer is _SPLIT else _TOKENIZERS.get(method or "", "pretokenized")
    if name in ("none", "pretokenized"):
        return name
    # The core first removes whitespace at the end, as sacreBLEU does. For 13a, that makes a
    # difference after a hyphen.
    if (survey(hypotheses)[-1] or survey(references)[-1]) and (
        name != "13a" or any("-\n" in text for text in chain(hypotheses, *references))
    ):
        return "pretokenized"
    return name


def _method(tokenizer: Any) -> str | None:
    """Return the method by which torchmetrics' tokenizer splits text that stays as it is."""
    kind = sacre_bleu._SacreBLEUTokenizer
    if type(tokenizer) is kind and not tokenizer.lowercase:
        method: str = tokenizer.tokenize_fn.__name__
        return method
    if type(tokenizer) is partial and tokenizer.func == kind.tokenize:
        settings = tokenizer.keywords
        return None if settings["lowercase"] else kind._TOKENIZE_FN.get(settings["tokenize"])
    return None


def chrf_score_update(original: Any) -> Callable[..., Any]:
    """Return what answers `_chrf_score_update`."""
    best: Any = answered(
        chrf._calculate_sentence_level_chrf_score,
        _get_n_grams_counts_and_total_ngrams=_same,
        _get_ngram_matches=_same,
    )
    counting: Any = answered(
        original,
        _validate_inputs=lambda target, preds: (target, preds),
        _get_n_grams_counts_and_total_ngrams=_same,
        _calculate_sentence_level_chrf_score=best,
    )

    def update(preds: Any, target: Any, *others: Any) -> Any:
        pairs = _pairs(preds, target, *others)
        if pairs is None:
            return original(preds, target, *others)
        *totals, char_order, _, _, beta, _, _, scores = others
        counts = pairs.counts
        starts = np.flatnonzero(np.diff(pairs.segments, prepend=-1))
        most = max((float(each) for total in totals for each in total.values()), default=0)
        summed = counts.sum(axis=0, keepdims=True)
        if (
            scores is None
            and len(starts) == len(counts)
            and 0 <= beta <= _MOST_OF_BETA
            and most + summed.max() <= _EXACT
        ):
            # Segments in which something matches are counted in any case: they become one.
            is_matched = counts[:, :, 2].any(axis=1)
            counts = np.concatenate([summed - counts[~is_matched].sum(axis=0), counts[~is_matched]])
            starts = np.arange(len(counts))
        return counting(*_tensors(counts, starts, char_order), *others)

    return update


def _pairs(preds: Any, target: Any, *others: Any) -> Pairs | None:
    """Count the n-grams of a batch; None as above."""
    *_, char_order, word_order, _, _, lowercase, whitespace, _ = others
    _look_at(preds, target, strings=True)
    if not _are_unchanged() or torch.get_default_dtype() not in _PRECISE:
        return None
    references, hypotheses = chrf._validate_inputs(target, preds)
    if not _are_lists(hypotheses, references):
        return None
    try:
        metric = Chrf(
            char_order=char_order, word_order=word_order, lowercase=lowercase, whitespace=whitespace
        )
        pairs = Pairs(hypotheses, references, metric, only_spaces=not whitespace)
    except (TypeError, TruebleuError):
        return None
    _look_at_all(hypotheses, references, metric)
    return pairs


def _tensors(counts: Any, starts: Any, char_order: int) -> tuple[list[Any], list[list[Any]]]:
    """Return what torchmetrics makes of texts: of each hypothesis, and of its references.

    That is four mappings from orders to tensors: matches of characters and words, which hypotheses
    do not have, and all n-grams of both. `counts` has the shape (pairs, orders, 3), and `starts` is
    where each segment begins.
    """
    rows = torch.tensor(counts.transpose(2, 0, 1).tolist(), dtype=torch.get_default_dtype())
    of_texts, of_others, matches = (
        [
            (dict(enumerate(each[:char_order], 1)), dict(enumerate(each[char_order:], 1)))
            for each in map(torch.unbind, kind)
        ]
        for kind in rows
    )
    others = [(*shared, *own) for shared, own in zip(matches, of_others, strict=True)]
    ends = [*starts[1:].tolist(), len(counts)]
    return (
        [(None, None, *of_texts[start]) for start in starts.tolist()],
        [others[start:end] for start, end in zip(starts.tolist(), ends, strict=True)],
    )


def _same(counts: Any, *_: object) -> Any:
    return counts


def ter_update(original: Any) -> Callable[..., Any]:
    """Return what answers `_ter_update`: it looks at the corpus."""

    def update(preds: Any, target: Any, *others: Any) -> Any:
        _look_at(preds, target, strings=True)
        references, hypotheses = ter._validate_inputs(target, preds)
        if _are_lists(hypotheses, references):
            _look_at_all(hypotheses, references, Ter())
        return original(preds, target, *others)

    return update


@lru_cache(1)
def _ter() -> Engine:
    """Return what counts TER whose longest shifts move 9 words, instead of 10."""
    return Engine.ter(
        normalized=False,
        no_punct=False,
        asian_support=False,
        case_sensitive=True,
        short_blocks=True,
    )


def translation_edit_rate(original: Any) -> Callable[..., Any]:
    """Return what answers `_translation_edit_rate`, which counts the edits of a segment."""

    def rate(pred_words: Any, target_words: Any) -> Any:
        edits = _edits(pred_words, target_words)
        return original(pred_words, target_words) if edits is None else torch.tensor(edits)

    return rate


def _edits(pred_words: Any, target_words: Any) -> int | None:
    """Count the edits that turn words into others; None where torchmetrics has to decide."""
    if not (pred_words and target_words and _are_unchanged()):
        return None
    try:
        texts = [" ".join(words) for words in (pred_words, target_words)]
        rows, *_ = core.count(_ter(), texts[:1], texts[1:], None, 1, each=True)
    except (TypeError, TruebleuError):
        return None
    return sum(memoryview(rows).cast("q")[:4])


def _are_lists(preds: Any, target: Any) -> bool:
    """Whether a corpus can be read more than once, and each segment has references."""
    kinds = (list, tuple)
    return (
        isinstance(preds, kinds)
        and isinstance(target, kinds)
        and len(preds) == len(target) > 0
        and all(isinstance(several, kinds) and several for several in target)
    )


# What torchmetrics does not say.

say = partial(mistakes.say, "torchmetrics")


def _look_at(preds: Any, target: Any, *, strings: bool = False) -> None:
    """Look at the form of a corpus, in which `strings` may stand for a list with one."""
    try:
        lengths, first = (len(preds), len(target)), target[0]
    except (IndexError, KeyError, TypeError):
        return
    if isinstance(preds, str):
        lengths = 1, lengths[1]
    if not strings and isinstance(first, str):
        say(
            "target",
            "target[0] is a str, so its characters count as references; pass a list of references "
            "for each of preds, such as [[reference]]",
            InputTypeError,
        )
    elif not strings and isinstance(preds, str):
        say(
            "preds",
            "preds is a str, so its characters count as predictions; pass a list",
            InputTypeError,
        )
    elif not strings and lengths[0] != lengths[1]:
        say(
            "length",
            f"preds has {lengths[0]:,} segments and target has {lengths[1]:,}; what is left over "
            "is ignored",
            LengthMismatchError,
        )


def _look_at_all(preds: Any, target: Any, metric: CoreMetric[Any]) -> None:
    """Look at all references of a corpus: of text, or of tokens."""
    mistakes.check_empty("torchmetrics", target, "leave out those that are missing")
    mistakes.check_text("torchmetrics", preds, target, metric)
    mistakes.check_layout(
        "torchmetrics",
        target,
        lambda each: metric.corpus(preds, each).fraction,
        higher_is_better=metric.higher_is_better,
    )


SEAMS = [
    Seam(
        bleu,
        "_bleu_score_update",
        "preds target numerator denominator preds_len target_len n_gram tokenizer",
        "zip min _count_ngram",
        bleu_score_update,
    ),
    Seam(
        chrf,
        "_chrf_score_update",
        "preds target total_preds_char_n_grams total_preds_word_n_grams total_target_char_n_grams "
        "total_target_word_n_grams total_matching_char_n_grams total_matching_word_n_grams "
        "n_char_order n_word_order n_order beta lowercase whitespace sentence_chrf_score",
        "_validate_inputs _get_n_grams_counts_and_total_ngrams "
        "_calculate_sentence_level_chrf_score _sum_over_dicts",
        chrf_score_update,
    ),
    Seam(
        ter,
        "_ter_update",
        "preds target tokenizer total_num_edits total_tgt_length sentence_ter",
        "_validate_inputs _compute_sentence_statistics",
        ter_update,
    ),
    Seam(
        ter,
        "_translation_edit_rate",
        "pred_words target_words",
        "_LevenshteinEditDistance _shift_words _MAX_SHIFT_CANDIDATES tensor",
        translation_edit_rate,
    ),
    Seam(
        chrf,
        "_calculate_sentence_level_chrf_score",
        "targets pred_char_n_grams_counts pred_word_n_grams_counts pred_char_n_grams "
        "pred_word_n_grams n_char_order n_word_order n_order beta lowercase whitespace",
        "_get_n_grams_counts_and_total_ngrams _get_ngram_matches _calculate_fscore",
    ),
]
"""What is answered here, and what is only looked at, since the core counts in its place."""
