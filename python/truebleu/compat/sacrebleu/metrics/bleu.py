"""sacreBLEU 2.6.0's class BLEU, computed by truebleu."""

from __future__ import annotations

from importlib import import_module

from truebleu._core import Observed
from truebleu.compat.errors import (
    NotAWholeNumberError,
    UnknownSmoothingError,
    UnknownTokenizerError,
)
from truebleu.compat.sacrebleu import tokenizers
from truebleu.compat.sacrebleu.metrics.arguments import (
    has_warned_of_tokenized,
    warn_of_tokenized,
    warn_once,
)
from truebleu.compat.sacrebleu.metrics.base import Metric as Metric
from truebleu.compat.sacrebleu.metrics.base import Score as Score
from truebleu.compat.sacrebleu.metrics.base import Signature as Signature
from truebleu.compat.sacrebleu.metrics.helpers import (
    extract_all_word_ngrams as extract_all_word_ngrams,
)
from truebleu.compat.sacrebleu.metrics.score import MAX_NGRAM_ORDER as MAX_NGRAM_ORDER
from truebleu.compat.sacrebleu.metrics.score import (
    SMOOTH_DEFAULTS,
    compute_bleu,
    perfect_scores,
    score_row,
)
from truebleu.compat.sacrebleu.metrics.score import BLEUScore as BLEUScore
from truebleu.compat.sacrebleu.metrics.score import BLEUSignature as BLEUSignature
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import is_native
from truebleu.compat.sacrebleu.utils import my_log as my_log
from truebleu.compat.sacrebleu.utils import sacrelogger as sacrelogger
from truebleu.compat.sacrebleu.utils import sum_of_lists as sum_of_lists
from truebleu.compat.watched import HOOKS, marks, watch
from truebleu.errors import SettingsError, written
from truebleu.inputs.numbers import whole_number
from truebleu.metrics.bleu.metric import Bleu
from truebleu.tokenizers.registry import BY_LANGUAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu._core import Engine
    from truebleu.compat.sacrebleu.metrics.base import CoreTables
    from truebleu.metrics.metric import Counted

# The module and the class of each tokenizer.
_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def _get_tokenizer(name: str) -> Any:
    """Return the class of a tokenizer; its module is imported when it is first needed."""
    if name not in _TOKENIZERS:
        raise UnknownTokenizerError(
            f"unknown tokenizer {name!r}; choose one of {', '.join(_TOKENIZERS)}"
        )
    module, kind = _TOKENIZERS[name].split(".")
    return getattr(import_module(f"{tokenizers.__name__}.{module}"), kind)


class BLEU(Metric[BLEUScore]):
    """BLEU with sacreBLEU's parameters, reference layout, names and floats.

    Parameters
    ----------
    lowercase, force, tokenize, smooth_method, smooth_value, max_ngram_order, effective_order, \
    trg_lang, references
        As in sacreBLEU 2.6.0.
    strict : bool, optional
        Refuse hypotheses and references that differ in number, a str instead of a list of
        references, and other mistakes. If False, accept what sacreBLEU accepts, and truncate
        silently. By default True, unless :func:`truebleu.compat.install` has replaced sacreBLEU:
        then what sacreBLEU accepts is accepted with a warning.

    Raises
    ------
    UnknownTokenizerError
        If the tokenizer does not exist; also a KeyError.
    UnknownSmoothingError
        If the smoothing does not exist; also an AssertionError.
    """

    SMOOTH_DEFAULTS = SMOOTH_DEFAULTS
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = BY_LANGUAGE
    _SIGNATURE_TYPE = BLEUSignature
    compute_bleu = staticmethod(compute_bleu)
    _DERIVED = (
        *("_bleu", "_core_counts", "_engine", "_refused"),
        *("_score_sentence", "_score_settings", "score_context"),
    )
    _HOOKS = (*HOOKS, "_get_closest_ref_len", "compute_bleu", "SMOOTH_DEFAULTS")

    _bleu: Bleu
    _engine: Engine | None
    _refused: SettingsError | None = None

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
        strict: bool | None = None,
    ) -> None:
        super().__init__(strict=strict)
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
        recommended = self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT)
        chosen = recommended if tokenize is None else tokenize
        language = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}.get(trg_lang)
        if language is not None and chosen != recommended:
            warn_once(f"Consider using the {recommended!r} or 'spm' tokenizer for {language}.")
        self.tokenizer: Any = _get_tokenizer(chosen)()
        self.tokenizer_signature = self.tokenizer.signature()
        self._apply_settings()
        if references is not None:
            self._keep(references)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score a sentence; see :class:`Metric`."""
        if not self.effective_order:
            warn_once("It is recommended to enable `effective_order` for sentence-level BLEU.")
        if self._settings_changed or (marks and self._mark is not marks[0]):
            self._apply_settings()
        if self._score_sentence is not None:
            score: BLEUScore | None = self._score_sentence(
                self.score_context, hypothesis, references
            )
            if score is not None:
                self.__dict__["num_refs"] = len(references) - references.count(None)
                return score
        return super().sentence_score(hypothesis, references)

    def _score_rows(self, engine: Engine, rows: bytes) -> BLEUScore:
        score = self._bleu._core.score(rows)[0][0]
        if score == 100.0:
            # That of sacreBLEU is slightly above.
            score = score_row(rows, *self._score_settings).score
        return BLEUScore.lazy(score, rows, self._score_settings)

    def engine(self) -> Engine | None:
        """Return what counts and scores under the current settings, if the core can."""
        if self._settings_changed or (marks and self._mark is not marks[0]):
            self._apply_settings()
        return self._engine

    def _apply_settings(self) -> None:
        if marks and self._mark is not marks[0]:
            self._compare()
        tokenizer, order = self.tokenizer, self.max_ngram_order
        method: Any
        method, value, effective = self.smooth_method, self.smooth_value, self.effective_order
        self._score_settings = method, value, effective, order
        self._core_counts = self._hooks_unchanged and is_native(tokenizer)
        self._score_sentence = self._refused = None
        try:
            if whole_number(order) is None:
                raise NotAWholeNumberError(
                    f"max_ngram_order is {written(order)}; a whole number from 1 up is needed"
                )
            self._bleu = Bleu(
                tokenizer=tokenizer.name if self._core_counts else "none",
                lowercase=bool(self.lowercase),
                max_order=order,
                smoothing=method,
                # sacreBLEU ignores the value if the method takes none.
                smooth_value=value if self.SMOOTH_DEFAULTS[method] is not None else None,
                effective_order=bool(effective),
            )
        except SettingsError as error:
            if self._is_strict:
                raise
            self._core_counts, self._engine, self._refused = False, None, error
        else:
            self.score_context = BLEUScore, self._score_settings, perfect_scores(method, order)
            self._engine = self._bleu._core
            if self._core_counts and self._bleu._tokenizes_in_core and self._steps_unchanged:
                self._score_sentence = self._engine.sacrebleu_sentence
        vars(self)["_settings_changed"] = False

    def _count_text(
        self, engine: Engine, texts: list[Any], references: list[Any], *, each: bool
    ) -> Counted:
        """Count segments, and warn if the hypotheses are tokenized."""
        observed = None if self._force or has_warned_of_tokenized() else Observed()
        counted = self._bleu._count_rows(
            texts, references, None, None, each=each, observed=observed
        )
        if observed is not None:
            warn_of_tokenized(observed.facts()["tokenized"])
        return counted

    def _engine_for(self, references: Any) -> Engine | None:
        engine = self.engine()
        return engine if self._core_counts and (references or self._references) else None

    def core_tables(self, *corpora: list[list[Any]]) -> CoreTables | None:
        """Return statistics as arrays; see :class:`Metric`."""
        import numpy as np

        engine = self.engine()
        if engine is None or not self._hooks_unchanged:
            return None
        return engine, [np.array(stats, np.int64) for stats in corpora]

    # The methods below keep sacreBLEU's names: subclasses override them, and other packages call
    # them.

    def _preprocess_segment(self, sent: str) -> str:
        if self.lowercase:
            sent = sent.lower()
        tokens: str = self.tokenizer(sent.rstrip())
        return tokens

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        maxima = None
        lengths = []
        for reference in refs:
            ngrams, length = extract_all_word_ngrams(reference, 1, self.max_ngram_order)
            maxima = ngrams if maxima is None else maxima | ngrams
            lengths.append(length)
        return {"ref_ngrams": maxima, "ref_lens": lengths}

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        maxima, ref_lens = ref_kwargs["ref_ngrams"], ref_kwargs["ref_lens"]
        ngrams, hyp_len = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        correct, total = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in ngrams.items():
            total[len(ngram) - 1] += count
            if ngram in maxima:
                correct[len(ngram) - 1] += min(count, maxima[ngram])
        return [hyp_len, self._get_closest_ref_len(hyp_len, ref_lens), *correct, *total]

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        order = self.max_ngram_order
        score = self.compute_bleu(
            correct=stats[2 : 2 + order],
            total=stats[2 + order :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=order,
        )
        if self._refused is not None:
            self._warn_of(self._refused)
        return score


watch(__name__)
