"""evaluate's ``bleu``, ``sacrebleu``, ``chrf`` and ``ter``, without evaluate or a network."""

from truebleu.compat.huggingface.info import MetricInfo
from truebleu.compat.huggingface.module import (
    CombinedEvaluations,
    EvaluationModule,
    Metric,
    combine,
    load,
)
from truebleu.compat.huggingface.scores import compute

__all__ = [
    "CombinedEvaluations",
    "EvaluationModule",
    "Metric",
    "MetricInfo",
    "combine",
    "compute",
    "load",
]
