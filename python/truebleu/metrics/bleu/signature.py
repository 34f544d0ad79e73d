"""The signatures of BLEU: reproducibility strings that are written from settings, and read.

Fields are named as in sacreBLEU where it has them, so that signatures are easy to compare::

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:4|weights:uniform|len:closest|version:truebleu-0.1.0

``form`` is added if text is converted to a Unicode normal form, ``unicode`` if the score depends
on a version of Unicode, ``phantom`` if `phantom_ngrams` is set. All fields are defined in
:mod:`truebleu.metrics.bleu.grammar`.
"""

from __future__ import annotations

from truebleu._core import __version__
from truebleu.metrics.bleu.grammar import COUNTING, GRAMMAR
from truebleu.metrics.signature_fields import VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.bleu.settings import Settings


def write(settings: Settings, references: int | None = None) -> str:
    """Write the signature of a score or of settings.

    Parameters
    ----------
    settings : Settings
    references : int, optional
        References per segment; -1 if their number varies. Default: leave them out.

    Returns
    -------
    str
        Fields ``key:value`` separated by ``|``.
    """
    nrefs = VARIABLE if references == -1 else references
    return GRAMMAR.write(settings, nrefs=nrefs, version=f"truebleu-{__version__}")


def counting_key(settings: Settings, orders: int) -> str:
    """Return the settings that counts depend on; statistics with equal keys can be added."""
    return COUNTING.write(settings, orders=orders)


def read(text: str) -> dict[str, Any]:
    """Read the settings from a signature of truebleu, or of any version of sacreBLEU.

    Parameters
    ----------
    text : str
        A signature as :func:`write` or sacreBLEU writes it, or as papers quote it; see
        :mod:`truebleu.metrics.signature_text`.

    Returns
    -------
    dict
        Keyword arguments of :class:`truebleu.Bleu`.

    Raises
    ------
    SettingsError
        If a field is malformed or unknown, or the tokenizer is a function or a custom model.
    InputTypeError
        If `text` is not a str.
    """
    from truebleu.metrics.bleu.signature_text import READER

    return GRAMMAR.read(READER.parse(text))


def warn_of_differences(settings: Settings, text: str) -> None:
    """Warn about everything in a signature that the settings read from it do not reproduce."""
    from truebleu.metrics.bleu.signature_text import READER

    READER.warn_of_differences(settings, READER.parse(text))
