"""sacreBLEU's metrics: BLEU, and names for those that truebleu does not implement."""

from __future__ import annotations

from typing import Any

from truebleu.compat.errors import NoSuchMetricError
from truebleu.compat.sacrebleu.metrics.bleu import BLEU
from truebleu.compat.sacrebleu.metrics.score import BLEUScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]


class _Unsupported:
    """A metric that exists so that programs can import it along with BLEU."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Raise NoSuchMetricError."""
        raise NoSuchMetricError(
            f"truebleu computes BLEU only, not {type(self).__name__}; import it from sacrebleu"
        )


class CHRF(_Unsupported):
    """Not supported."""


class CHRFScore(_Unsupported):
    """Not supported."""


class TER(_Unsupported):
    """Not supported."""


class TERScore(_Unsupported):
    """Not supported."""


METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
