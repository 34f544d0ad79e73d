"""What other packages call the settings of a metric: the one table for Python and the command."""

from __future__ import annotations

from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Collection

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
    return did_you_mean(name, known)
