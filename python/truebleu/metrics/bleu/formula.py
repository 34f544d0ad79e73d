"""Scoring rows of statistics under fixed settings."""

from __future__ import annotations

from truebleu.metrics.bleu import signature
from truebleu.metrics.bleu.settings import Settings
from truebleu.metrics.bleu.stats import field_names
from truebleu.record import added_attributes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self

    from truebleu._core import BleuEngine

    Floats = NDArray[np.float64]


class Formula(Settings):
    """The settings of BLEU, and the formula in the core that uses them.

    Attributes
    ----------
    core : BleuEngine
        The engine in the Rust core with these settings.
    counting_key : str
        The settings that counts depend on; statistics with equal keys can be added.
    row_width : int
        The number of counts in a row.
    sentence_only : bool
        Whether the smoothing is only defined for one segment.
    """

    __slots__ = (
        "_for_corpora",
        "_for_segments",
        "core",
        "counting_key",
        "effective_order",
        "lowercase",
        "max_order",
        "phantom_ngrams",
        "reference_length",
        "row_width",
        "sentence_only",
        "smooth_value",
        "smoothing",
        "tokenizer",
        "tokenizer_name",
        "unicode",
        "unicode_form",
        "weights",
    )
    _for_corpora: Self | None
    _for_segments: Self | None
    core: BleuEngine
    counting_key: str
    row_width: int
    sentence_only: bool

    def _keep(self, core: BleuEngine, **values: Any) -> None:
        """Set all attributes."""
        self._fill(row_width=core.row_width, **values)
        self._fill(counting_key=signature.counting_key(self, self.counted_orders))
        self._bind(core)

    def _bind(self, core: BleuEngine) -> None:
        """Set the engine, and reset what is cached for it."""
        self._fill(core=core, _for_corpora=None, _for_segments=None)

    @property
    def for_segments(self) -> Self:
        """These settings for scoring segments: an ``effective_order`` of None becomes True."""
        return self._for_segments or self._with_effective_order("_for_segments", effective=True)

    @property
    def for_corpora(self) -> Self:
        """These settings for scoring a corpus: an ``effective_order`` of None becomes False."""
        return self._for_corpora or self._with_effective_order("_for_corpora", effective=False)

    def _with_effective_order(self, cached_as: str, *, effective: bool) -> Self:
        if self.effective_order is not None:
            return self
        changed = object.__new__(type(self))
        changed.__setstate__(added_attributes(self, Settings) or {})
        changed._fill(effective_order=effective)
        changed._bind(self.core.with_effective_order(effective))
        self._fill(**{cached_as: changed})
        return changed

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the counts in a row."""
        return field_names(self.row_width)

    @property
    def counted_orders(self) -> int:
        """The number of n-gram orders in a row; some smoothings count one more than they score."""
        return self.row_width // 2 - 1

    def write_signature(self, references: int | None = None) -> str:
        """Return the signature; see :meth:`truebleu.Metric.write_signature`."""
        return signature.write(self, references)

    def parts(self, row: bytes) -> tuple[list[float], list[float], float, int]:
        """Return scores, precisions in percent, brevity penalty and number of orders used."""
        return self.core.score(row)

    def parts_of_rows(self, rows: bytes) -> tuple[Floats, Floats, Floats]:
        """Return the parts of the score of each row.

        Returns
        -------
        tuple of ndarray of float64
            Precisions in percent, shape (n, orders); brevity penalties, and the number of orders
            used, shape (n,).
        """
        import numpy as np

        precisions, penalties, orders = (
            np.frombuffer(each, "<f8").astype(np.float64) for each in self.core.parts_of_rows(rows)
        )
        return precisions.reshape(-1, self.max_order), penalties, orders

    def row_value(self, row: bytes) -> float:
        """Score one row with the first of several lists of weights."""
        return self.core.score(row)[0][0]

    def row_scores(self, rows: bytes) -> bytes:
        """Score each row with the first of several lists of weights."""
        return self.core.score_rows(rows)
