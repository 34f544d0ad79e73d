"""Which metric agrees with people: measures, their intervals, and tests between metrics."""

LEGACIES = ("mt-metrics-eval",)
"""Programs whose numbers can be computed."""
