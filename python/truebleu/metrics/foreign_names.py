"""What other packages call settings and attributes: the one table for Python and the command."""

from __future__ import annotations

from truebleu.calls import FOREIGN_ARGUMENTS
from truebleu.errors import AttributeNameError
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import NoReturn, TypeVar

    Kind = TypeVar("Kind", bound=type)

FOREIGN_NAMES = {
    # sacreBLEU
    "tokenize": "tokenizer",
    "smooth_method": "smoothing",
    "max_ngram_order": "max_order",
    "use_effective_order": "effective_order",
    # NLTK
    "smoothing_function": "smoothing",
    "auto_reweigh": "effective_order",
    "max_len": "char_order",
    # torchmetrics and evaluate
    "n_gram": "max_order",
    "smooth": "smoothing",
    "n_char_order": "char_order",
    "n_word_order": "word_order",
    "normalize": "normalized",
    "no_punctuation": "no_punct",
    "support_zh_ja_chars": "asian_support",
    "ignore_punct": "no_punct",
}
"""The setting of this package for each name that another package has for it."""

NEEDLESS = {
    "force": "leave it out; it silences a warning of sacreBLEU's and changes no score",
    "trg_lang": "name the tokenizer for the language, such as tokenizer='zh' for Chinese",
    "min_len": "the orders counted are all from 1 up; char_order is the highest",
    "ignore_whitespace": "whitespace is left out unless whitespace=True",
    "return_sentence_level_score": "use sentences() for the scores of segments",
}
"""What to do in place of settings of other packages that this one has no setting for."""

OF_SCORES = {"item": "float(score)", "value": "score.score", "compute": "score.score"}
OF_BLEU_SCORES = {
    # sacreBLEU
    "bp": "score.brevity_penalty",
    "sys_len": "score.hyp_len",
    # evaluate
    "bleu": "score.fraction",
    "length_ratio": "score.ratio",
    "translation_length": "score.hyp_len",
    "reference_length": "score.ref_len",
}
OF_TER_SCORES = {"num_edits": "score.edits", "ref_length": "score.ref_len"}
OF_METRICS = {
    # sacreBLEU
    "corpus_score": "metric.corpus(hypotheses, references), or reference_streams= for sacreBLEU's "
    "layout",
    "sentence_score": "metric.sentence(hypothesis, references)",
    "get_signature": "metric.signature",
    # torchmetrics, evaluate
    "compute": "metric.corpus(hypotheses, references), or Accumulator(metric) for batches",
    "update": "Accumulator(metric).add(hypotheses, references)",
    "forward": "metric.corpus(hypotheses, references)",
    "reset": "a new Accumulator(metric)",
}
OF_ACCUMULATORS = {
    "update": "add(hypotheses, references)",
    "add_batch": "add(hypotheses, references)",
    "compute": "score()",
    "result": "score()",
    "reset": "a new accumulator",
}
"""What to write instead of attributes of other packages."""


class _Foreign:
    """An attribute that does not exist, and says what does.

    Attributes that exist are looked up as fast as without it, which ``__getattr__`` would prevent.
    """

    __slots__ = ("_instead", "_name")

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead

    def __get__(self, value: object, cls: type) -> NoReturn:
        """Raise AttributeNameError."""
        raise AttributeNameError(
            f"{cls.__name__} has no attribute {self._name!r}; write {self._instead}"
        )


def _existing(value: object) -> list[str]:
    """List the attributes for ``dir``."""
    return [name for name in object.__dir__(value) if hasattr(value, name)]


def with_hints(names: dict[str, str]) -> Callable[[Kind], Kind]:
    """Let a class say what to write instead of attributes that other packages have.

    Parameters
    ----------
    names : dict
        What to write instead of each.
    """

    def decorate(cls: Kind) -> Kind:
        for name, instead in names.items():
            setattr(cls, name, _Foreign(name, instead))
        type.__setattr__(cls, "__dir__", _existing)
        return cls

    return decorate


def meant_setting(name: str, known: Collection[str]) -> str:
    """Return the end of a message about an unknown setting, or nothing if no setting is like it.

    Parameters
    ----------
    name : str
        What was given.
    known : collection of str
        The settings that there are.
    """
    ours = FOREIGN_NAMES.get(name)
    if ours in known:
        return f"; did you mean {ours}?"
    if name in NEEDLESS:
        return f"; {NEEDLESS[name]}"
    if name in FOREIGN_ARGUMENTS:
        return f"; did you mean the argument {FOREIGN_ARGUMENTS[name]}?"
    return did_you_mean(name, known)
