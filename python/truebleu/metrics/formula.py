"""From rows of statistics to scores, under one choice of settings."""

from __future__ import annotations

from truebleu.metrics import signature
from truebleu.metrics.settings import Settings
from truebleu.record import kept

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self

    from truebleu._core import Engine


class Formula(Settings):
    """Settings, and the core's formula for them.

    Attributes
    ----------
    counting_key : str
        What statistics depend on; those with equal keys add up.
    row_width : int
        Numbers in a row of statistics.
    sentence_only : bool
        Whether the smoothing is only defined for one segment.
    """

    __slots__ = (
        "_engine",
        "_for_corpora",
        "_for_segments",
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
    _engine: Engine
    _for_corpora: Self | None
    _for_segments: Self | None
    counting_key: str
    row_width: int
    sentence_only: bool

    def _fill(self, engine: Engine, **values: Any) -> None:
        """Set all attributes."""
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "row_width", engine.row_width)
        object.__setattr__(self, "counting_key", signature.counting_key(self, self.counted_orders))
        self._bind(engine)

    def _bind(self, engine: Engine) -> None:
        """Set what depends on the engine."""
        object.__setattr__(self, "_engine", engine)
        object.__setattr__(self, "_for_corpora", None)
        object.__setattr__(self, "_for_segments", None)

    @property
    def for_segments(self) -> Self:
        """These settings as they score a single segment: an ``effective_order`` of None is True."""
        return self._for_segments or self._with_effective_order("_for_segments", effective=True)

    @property
    def for_corpora(self) -> Self:
        """These settings as they score a corpus: an ``effective_order`` of None is False."""
        return self._for_corpora or self._with_effective_order("_for_corpora", effective=False)

    def _with_effective_order(self, kept_as: str, *, effective: bool) -> Self:
        if self.effective_order is not None:
            return self
        engine = self._engine.with_effective_order(effective)
        other = object.__new__(type(self))
        other.__setstate__(kept(self, Settings) or {})
        object.__setattr__(other, "effective_order", effective)
        other._bind(engine)
        object.__setattr__(self, kept_as, other)
        return other

    @property
    def counted_orders(self) -> int:
        """The n-gram orders in a row of statistics."""
        return self.row_width // 2 - 1

    @property
    def signature(self) -> str:
        """The settings as a reproducibility string; scores add the number of references."""
        return signature.write(self)

    def parts(self, row: bytes) -> tuple[list[float], list[float], float, int]:
        """Return scores, precisions in percent, penalty and how many orders count, of a row."""
        return self._engine.score(row)
