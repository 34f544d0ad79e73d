"""Metrics: their settings, statistics, scores and signatures."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The types that all other folders know metrics by.
    from truebleu.metrics.bleu.settings import BleuSettings as BleuSettings
    from truebleu.metrics.metric import Metric as Metric
    from truebleu.metrics.registry import MetricName as MetricName
    from truebleu.metrics.score import Score as Score
    from truebleu.metrics.stats import Stats as Stats
