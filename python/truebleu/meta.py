"""Meta-evaluation: which metric agrees with people. See :func:`meta_evaluate`."""

from truebleu.meta_evaluation.annotations import read_esa, read_mqm
from truebleu.meta_evaluation.evaluate import meta_evaluate
from truebleu.meta_evaluation.judgments import JudgedSet, read_judged_set
from truebleu.meta_evaluation.results import (
    MeasuredMetric,
    MetaEvaluation,
    MetaEvaluations,
    MetricPair,
    Ranking,
)
from truebleu.meta_evaluation.score_files import read_segment_scores

__all__ = [
    "JudgedSet",
    "MeasuredMetric",
    "MetaEvaluation",
    "MetaEvaluations",
    "MetricPair",
    "Ranking",
    "meta_evaluate",
    "read_esa",
    "read_judged_set",
    "read_mqm",
    "read_segment_scores",
]
