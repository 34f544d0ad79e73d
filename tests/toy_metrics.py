"""Metrics in Python, as small as they can be: what takes any metric is tested with them."""

from truebleu import Metric


class ExactMatch(Metric):
    """The percentage of segments that equal a reference."""

    name, identifier, fields = "Exact match", "exact_match", ("matches", "segments")

    def count(self, hypotheses, references):
        return [[text in several, 1] for text, several in zip(hypotheses, references, strict=True)]

    def scores(self, rows):
        return 100 * rows[:, 0] / rows[:, 1]


class Misses(ExactMatch):
    """The percentage of segments that equal no reference: lower is better."""

    name, identifier, higher_is_better = "Misses", "misses", False

    def scores(self, rows):
        return 100 - super().scores(rows)
