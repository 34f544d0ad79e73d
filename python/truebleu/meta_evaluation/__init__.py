"""Which metric agrees with people: measures, their intervals, and tests between metrics."""
