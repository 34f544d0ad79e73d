"""BLEU as sacreBLEU 2.6.0 spells it, on truebleu's core."""

from __future__ import annotations

import logging
import struct
from itertools import repeat

from truebleu.compat.errors import (
    NoReferencesError,
    NotTextError,
    UnknownSmoothingError,
    UnknownTokenizerError,
)
from truebleu.compat.sacrebleu.metrics.base import Metric
from truebleu.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from truebleu.compat.sacrebleu.metrics.score import (
    MAX_NGRAM_ORDER,
    SMOOTH_DEFAULTS,
    BLEUScore,
    BLEUSignature,
    compute_bleu,
    compute_row,
    lazy_score,
)
from truebleu.compat.sacrebleu.tokenizers import TOKENIZERS, NativeTokenizer
from truebleu.errors import EmptyInputError, InputTypeError
from truebleu.inputs import sequences
from truebleu.metrics.bleu import Bleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu._core import Engine

sacrelogger = logging.getLogger("sacrebleu")

# What has been warned of; once is enough.
_warned: set[str] = set()


def _warn_once(*lines: str) -> None:
    if lines[0] not in _warned:
        _warned.add(lines[0])
        for line in lines:
            sacrelogger.warning(line)


class BLEU(Metric):
    """BLEU with sacreBLEU's arguments, its axis, its names and its floats.

    Parameters
    ----------
    lowercase, force, tokenize, smooth_method, smooth_value, max_ngram_order, effective_order, \
    trg_lang, references
        As in sacreBLEU 2.6.0.
    strict : bool, default True
        Refuse hypotheses and references that differ in number, and references that are one str;
        else cut off what is too much, as sacreBLEU does without a word.

    Raises
    ------
    UnknownTokenizerError, UnknownSmoothingError
        If there is no such thing; they are also a KeyError and an AssertionError.
    """

    SMOOTH_DEFAULTS = SMOOTH_DEFAULTS
    TOKENIZERS = TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature
    compute_bleu = staticmethod(compute_bleu)
    # Whether no subclass has changed how segments are counted.
    _own_counting = True

    def __init_subclass__(cls) -> None:
        """Notice a subclass that counts in another way."""
        super().__init_subclass__()
        cls._own_counting = all(getattr(cls, name) is getattr(BLEU, name) for name in _HOOKS)

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        """Keep the settings; see the class."""
        super().__init__()
        if smooth_method not in self.SMOOTH_DEFAULTS:
            raise UnknownSmoothingError(
                f"unknown smooth_method {smooth_method!r}; choose one of "
                f"{', '.join(self.SMOOTH_DEFAULTS)}"
            )
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        best = self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT)
        if tokenize is not None:
            if trg_lang in self._TOKENIZER_MAP and tokenize != best:
                language = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}[trg_lang]
                _warn_once(f"Consider using the {best!r} or 'spm' tokenizer for {language}.")
            best = tokenize
        if best not in TOKENIZERS:
            raise UnknownTokenizerError(
                f"unknown tokenizer {best!r}; choose one of {', '.join(TOKENIZERS)}"
            )
        self.tokenizer: Any = NativeTokenizer(best)
        self.tokenizer_signature = self.tokenizer.signature()
        self._strict = strict
        self._stale = True
        self._native: Bleu
        self._references: Sequence[Sequence[str | None]] | None = None
        self._own_cache: list[dict[str, Any]] | None = None
        if references is not None:
            self._references = references
            self._count([""] * min(map(len, references), default=0))
        self._take_settings()

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score a sentence.

        Parameters
        ----------
        hypothesis : str
        references : sequence of str

        Returns
        -------
        BLEUScore
        """
        if not self.effective_order:
            _warn_once("It is recommended to enable `effective_order` for sentence-level BLEU.")
        if self._stale:
            self._take_settings()
        direct = self._direct
        if direct and type(hypothesis) is str and type(references) in (list, tuple):
            try:
                score, row, several = direct(hypothesis, references)
            except TypeError:
                pass  # What is wrong is said below.
            else:
                if several:
                    self.__dict__["num_refs"] = several
                    if score == 100.0:
                        score = self._perfect(row)
                    return lazy_score(score, row, self._how)
        self._check_sentence_score_args(hypothesis, references)
        streams = [[reference] for reference in references]
        return self._aggregate_and_compute(self._extract_corpus_statistics([hypothesis], streams))

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
        references : sequence of sequences of str, or None
            Streams: each is a translation of the whole corpus. None for those that the metric was
            made with.
        n_bootstrap : int, default 1
            If more, so many samples for an interval.

        Returns
        -------
        BLEUScore
        """
        self._check_corpus_score_args(hypotheses, references)
        if n_bootstrap > 1:
            return self._score_with_interval(hypotheses, references, n_bootstrap)
        if self._stale:
            self._take_settings()
        if not (self._plain and (references or self._references)):
            stats = self._extract_corpus_statistics(hypotheses, references)
            return self._aggregate_and_compute(stats)
        row = self._count(hypotheses, references)
        score = self._engine.score(row)[0][0]
        return lazy_score(self._perfect(row) if score == 100.0 else score, row, self._how)

    def _score_with_interval(self, hypotheses: Any, references: Any, samples: int) -> BLEUScore:
        from truebleu.compat.sacrebleu.sampling import sampler_of, table_of

        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute([list(row) for row in stats])
        self.n_bootstrap = samples
        self.seed, sampler = sampler_of(self.engine())
        score.set_ci(sorted(sampler.bootstrap(table_of(stats), samples).tolist()))
        return score

    def __setattr__(self, name: str, value: Any) -> None:
        """Notice a change of settings: users may change attributes at any time."""
        super().__setattr__(name, value)
        if name in _WATCHED:
            self.__dict__["_stale"] = True

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy the settings, and make of them what counts when it is needed."""
        kept = {name: value for name, value in self.__dict__.items() if name not in _MADE}
        return kept | {"_stale": True}

    def _take_settings(self) -> None:
        tokenizer, order = self.tokenizer, self.max_ngram_order
        method, value, effective = self.smooth_method, self.smooth_value, self.effective_order
        self._how = method, value, effective, order
        self._plain = self._own_counting and isinstance(tokenizer, NativeTokenizer)
        self._native = Bleu(
            tokenizer=tokenizer.name if self._plain else "none",
            lowercase=bool(self.lowercase),
            max_order=order,
            smoothing=method,
            # sacreBLEU ignores a value where there is nothing to choose.
            smooth_value=value if self.SMOOTH_DEFAULTS[method] is not None else None,
            effective_order=bool(effective),
        )
        self._engine = self._native._engine
        self._direct = self._native._sentence if self._plain else None
        self._stale = False

    def engine(self) -> Engine:
        """Return what counts and scores under the settings of now."""
        if self._stale:
            self._take_settings()
        return self._engine

    def _perfect(self, row: bytes) -> float:
        """Score a perfect corpus as sacreBLEU does, a little above 100."""
        return compute_row(struct.unpack(f"<{len(row) // 8}q", row), *self._how).score

    def _count(self, hypotheses: Any, references: Any = None, *, each: bool = False) -> bytes:
        """Count a corpus in the core: the sum, or a row for each segment."""
        streams = references or self._references
        if not streams:
            raise NoReferencesError("there are no references, and none were given before")
        if self._stale:
            self._take_settings()
        if isinstance(hypotheses, str) or any(isinstance(stream, str) for stream in streams):
            self._refuse_str(hypotheses)
        if not self._strict:
            length = min(len(hypotheses), *map(len, streams))
            hypotheses = list(hypotheses[:length])
            streams = [list(stream[:length]) for stream in streams]
        own, others = sequences.segments(hypotheses, None, streams)
        try:
            rows, fewest, most = self._native._counting.corpus(own, others, None, None, each=each)
        except InputTypeError as error:
            raise NotTextError(str(error)) from error
        except EmptyInputError as error:
            raise NoReferencesError(str(error)) from error
        self.num_refs = most if fewest == most else -1
        self._warn_of_tokens(own)
        return rows

    def _refuse_str(self, hypotheses: Any) -> None:
        if self._strict:
            what = "hyps" if isinstance(hypotheses, str) else "refs"
            raise InputTypeError(
                f"`{what}` has a str where a list of str is needed, so every letter would be a "
                "segment: references are a list of lists, each a translation of the whole corpus"
            )

    def _warn_of_tokens(self, hypotheses: Any) -> None:
        if self._force or _TOKENS[0] in _warned:
            return
        if sum(map(str.endswith, hypotheses, repeat(" ."))) >= 100:
            _warn_once(*_TOKENS)

    def _preprocess_segment(self, sent: str) -> str:
        if self.lowercase:
            sent = sent.lower()
        tokens: str = self.tokenizer(sent.rstrip())
        return tokens

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        counts = None
        lengths = []
        for reference in refs:
            own, length = extract_all_word_ngrams(reference, 1, self.max_ngram_order)
            counts = own if counts is None else counts | own
            lengths.append(length)
        return {"ref_ngrams": counts, "ref_lens": lengths}

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        known, lengths = ref_kwargs["ref_ngrams"], ref_kwargs["ref_lens"]
        own, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        correct, total = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in own.items():
            total[len(ngram) - 1] += count
            if ngram in known:
                correct[len(ngram) - 1] += min(count, known[ngram])
        return [length, self._get_closest_ref_len(length, lengths), *correct, *total]

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        cache = []
        numbers = set()
        for several in zip(*references, strict=False):
            texts = [text for text in several if text is not None]
            numbers.add(len(texts))
            cache.append(
                self._extract_reference_info([self._preprocess_segment(text) for text in texts])
            )
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return cache

    @property
    def _ref_cache(self) -> list[dict[str, Any]] | None:
        """The references that the metric was made with, counted."""
        if self._own_cache is None and self._references is not None:
            self._own_cache = self._cache_references(self._references)
        return self._own_cache

    @_ref_cache.setter
    def _ref_cache(self, cache: list[dict[str, Any]] | None) -> None:
        self._references = None
        self._own_cache = cache

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[int]]:
        if self._stale:
            self._take_settings()
        if self._plain and (references or self._references):
            rows = self._count(hypotheses, references, each=True)
            width = 2 + 2 * self.max_ngram_order
            return [list(row) for row in struct.iter_unpack(f"<{width}q", rows)]
        cache = self._cache_references(references) if references else self._ref_cache
        if not cache:
            raise NoReferencesError("No references provided and the cache is empty.")
        self._warn_of_tokens(hypotheses)
        return [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), known)
            for hypothesis, known in zip(hypotheses, cache, strict=self._strict)
        ]

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        order = self.max_ngram_order
        return self.compute_bleu(
            correct=stats[2 : 2 + order],
            total=stats[2 + order :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=order,
        )

    def _aggregate_and_compute(self, stats: Any) -> BLEUScore:
        if len(stats) == 1:
            return self._compute_score_from_stats(stats[0])
        return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])


# What the native Bleu depends on.
_WATCHED = {
    *("tokenizer", "lowercase", "max_ngram_order"),
    *("smooth_method", "smooth_value", "effective_order"),
}

# What is made of the settings.
_MADE = {"_direct", "_engine", "_how", "_native", "_plain"}

_HOOKS = (
    "_preprocess_segment",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_get_closest_ref_len",
    "_cache_references",
    "_compute_score_from_stats",
    "_aggregate_and_compute",
    "compute_bleu",
)

_TOKENS = (
    "That's 100 lines that end in a tokenized period ('.')",
    "It looks like you forgot to detokenize your test data, which may hurt your score.",
    "If you insist your data is detokenized, or don't care, you can suppress this message with the "
    "`force` parameter.",
)
