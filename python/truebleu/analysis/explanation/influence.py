"""The influence of each segment on the score of a corpus."""

from __future__ import annotations

from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

# The segments that are shown.
_MOST_SEGMENTS = 10


def influence_of(metric: Metric, stats: Stats, score: Score) -> tuple[float, ...]:
    """Return for each segment by how much exactly the score changes if it is left out."""
    rows = stats.to_numpy()
    total = stats.sum().to_numpy()[0]
    without = metric.for_corpora.row_scores((total - rows).astype("<i8").tobytes())
    return tuple(each - score.score for each in memoryview(without).cast("d"))


def influence_block(influence: Sequence[float], *, higher_is_better: bool = True) -> Block:
    """Show the most influential segments."""
    ranked = sorted(enumerate(influence, 1), key=lambda each: -abs(each[1]))
    rows = [
        (
            "bad" if (points > 0) == higher_is_better else "good",
            (str(number), decimals(points, "+.4f")),
        )
        for number, points in ranked[:_MOST_SEGMENTS]
    ]
    heading = "most influential segments: change of the score without them"
    return Block(heading, [], ("segment", "points"), rows)
