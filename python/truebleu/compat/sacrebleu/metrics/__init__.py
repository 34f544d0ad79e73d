"""sacreBLEU's metrics, as far as they are BLEU."""

from __future__ import annotations

from typing import Any

from truebleu.compat.errors import NoSuchMetricError
from truebleu.compat.sacrebleu.metrics.bleu import BLEU
from truebleu.compat.sacrebleu.metrics.score import BLEUScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]


class _Missing:
    """A name that has to exist, because programs import it beside BLEU."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Refuse."""
        raise NoSuchMetricError(
            f"truebleu computes BLEU and has no {type(self).__name__}: import it from sacrebleu"
        )


class CHRF(_Missing):
    """Not here."""


class CHRFScore(_Missing):
    """Not here."""


class TER(_Missing):
    """Not here."""


class TERScore(_Missing):
    """Not here."""


METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
