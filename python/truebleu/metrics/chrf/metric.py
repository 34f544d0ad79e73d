"""The metric chrF, with chrF+ and chrF++."""

from __future__ import annotations

from truebleu._core import Engine
from truebleu.inputs.checks import USE_NFC, Remedies
from truebleu.metrics import core
from truebleu.metrics.chrf.score import ChrfScore
from truebleu.metrics.chrf.settings import SETTINGS
from truebleu.metrics.core import CoreMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu._core import Texts
    from truebleu.metrics.chrf.about import ChrfAbout
    from truebleu.metrics.chrf.settings import ChrfSettings
    from truebleu.metrics.settings import UnicodeForm


class Chrf(CoreMetric["ChrfScore"]):
    """chrF with fixed settings: the F-score of character n-grams.

    With the same settings, scores equal sacreBLEU's to the last bit. Immutable, and safe to share
    between threads.

    Parameters
    ----------
    char_order : int, default 6
        The highest order of character n-grams, from 0 to 1,000.
    word_order : int, default 0
        The highest order of word n-grams, from 0 to 1,000: 1 is called chrF+, 2 chrF++.
    beta : float, default 2
        How many times as much recall counts as precision.
    unicode_form : {"NFC", "NFD", "NFKC", "NFKD"}, optional
        Convert text to this Unicode normal form first. Default: no normalization.
    lowercase : bool, default False
        Lower-case text first.
    whitespace : bool, default False
        Count whitespace as characters, too.
    eps_smoothing : bool, default False
        Average the F-scores of all orders, with 1e-16 for precision or recall of an order that is
        missing, as chrF++.py and NLTK do. Default: take the F-score of the average precision and
        the average recall, over the orders that both the hypotheses and the references have.

    Raises
    ------
    SettingsError
        If a setting is outside its range.

    Notes
    -----
    If a segment has several references, the one with the highest score counts, alone. Therefore
    statistics depend on all settings.

    References
    ----------
    Popović (2015), https://aclanthology.org/W15-3049; Popović (2017),
    https://aclanthology.org/W17-4770.

    Examples
    --------
    >>> chrf = Chrf(word_order=2)
    >>> print(chrf.segment("The cat sat.", ["The cat sat down."]))
    chrF2++ = 62.81 (precision = 86.5 recall = 58.8)
    """

    __module__ = "truebleu"

    __slots__ = (*SETTINGS.defaults,)
    char_order: int
    word_order: int
    beta: float
    unicode_form: UnicodeForm | None
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool

    _score_type = ChrfScore
    _settings_table = SETTINGS
    _lengths = ("char_1_hyp", "char_1_ref", "characters")

    def __init__(self, **settings: Unpack[ChrfSettings]) -> None:
        super().__init__(**settings)

    def _make_engine(self) -> Engine:
        settings = self.settings()
        # As sacreBLEU computes it, to the last bit.
        squared_beta = settings.pop("beta") ** 2
        return Engine.chrf(**settings, squared_beta=squared_beta, score_type=ChrfScore)

    def _load_texts(self, columns: dict[str, Any], threads: int) -> tuple[Texts, list[int]]:
        return core.load(self._core, columns)

    @property
    def name(self) -> str:  # type: ignore[override]  # Here, it depends on settings.
        """The name for display, such as ``chrF2++``."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"

    @property
    def identifier(self) -> str:  # type: ignore[override]  # Here, it depends on settings.
        """The name in columns and SQL, such as ``chrf2_pp``."""
        beta = f"{self.beta:g}".replace("+", "").replace("-", "m").replace(".", "_")
        return f"chrf{beta}{'_' if self.word_order else ''}{'p' * self.word_order}"

    def _segment_columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        """Return mean precision and recall in percent, as :class:`ChrfScore` has them."""
        import numpy as np

        hyp, ref, match = rows[:, 0::3], rows[:, 1::3], rows[:, 2::3]
        both = (hyp > 0) & (ref > 0)
        orders = np.maximum(both.sum(axis=1), 1)
        return {
            name: 100 * np.where(both, match / np.maximum(totals, 1), 0).sum(axis=1) / orders
            for name, totals in (("precision", hyp), ("recall", ref))
        }

    @property
    def _about(self) -> ChrfAbout:
        from truebleu.metrics.chrf.about import ChrfAbout

        return ChrfAbout(self)

    @property
    def _remedies(self) -> Remedies:
        return Remedies(decomposed=None if self.unicode_form else USE_NFC)

    @property
    def _unicode(self) -> str | None:
        return self._unicode_versions(lowers=self.lowercase)

    def _explanation(self) -> Any:
        from truebleu.metrics.chrf import explanation

        return explanation
