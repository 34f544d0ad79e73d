"""How each picture is drawn, as Vega-Lite made by Altair, without the rows it will show.

A function here takes the data, for scales and names, and what the two systems that are looked at
and the rest are called.
"""

from __future__ import annotations

from truebleu._core import brevity_penalty
from truebleu.errors import MissingExtraError
from truebleu.reporting import chart_data

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu.reporting.data import Gathered

ROLES = ("A", "B", "others")

# Pieces of the curve of the brevity penalty.
_PIECES = 120


def altair() -> Any:
    """Load Altair.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        import altair as alt
    except ImportError as error:
        raise missing() from error
    return alt


def missing() -> MissingExtraError:
    """Say what reports and pictures need."""
    return MissingExtraError(
        "reports and plots need packages that are not installed: pip install 'truebleu[report]'"
    )


def _legend(alt: Any, labels: tuple[str, str, str]) -> Any:
    """Return the legend of the systems; the page has one of its own for all pictures."""
    if labels == ROLES or not labels[1]:
        return None
    values = [label for label in labels if label]
    return alt.Legend(orient="top", title=None, labelLimit=300, values=values, symbolOpacity=1)


def _base(labels: tuple[str, str, str]) -> tuple[Any, Any, Any]:
    """Return Altair, a chart without rows, and the colours of the systems."""
    alt = altair()
    scale = alt.Scale(domain=list(labels), range="category")
    colour = alt.Color("role:N", scale=scale, legend=_legend(alt, labels))
    return alt, alt.Chart(alt.NamedData(name="rows")), colour


def _told_apart(alt: Any, chart: Any, colour: Any, labels: tuple[str, str, str]) -> Any:
    """Draw a line for each system: those that are not looked at are in the background."""
    dash = alt.Scale(domain=list(labels), range=[[1, 0], [6, 3], [1, 0]])
    shape = alt.Scale(domain=list(labels), range=["circle", "square", "circle"])
    # The legend is that of the shapes and colours together.
    shapes = alt.Shape("role:N", scale=shape, legend=_legend(alt, labels))
    rest = chart.transform_filter(alt.datum.role == labels[2])
    first = chart.transform_filter(alt.datum.role != labels[2])
    return alt.layer(
        rest.mark_line(strokeWidth=1, opacity=0.55).encode(colour, detail="system:N"),
        first.mark_line(strokeWidth=2).encode(
            colour,
            alt.StrokeDash("role:N", scale=dash, legend=None),
            detail="system:N",
        ),
        rest.mark_point(filled=True, size=22, opacity=0.7).encode(colour, shapes),
        first.mark_point(filled=True, size=70, opacity=1).encode(colour, shapes),
    )


def scores(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a point with an interval for each system."""
    alt, chart, colour = _base(labels)
    tooltip = [
        "system:N",
        *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("BLEU", "low", "high")),
    ]
    # The domain is given: names that are alike would be sorted otherwise.
    names = [row["system"] for row in chart_data.scores(found)]
    chart = chart.encode(
        alt.Y("system:N", sort=names, title=None, axis=alt.Axis(labelLimit=230)),
        colour,
        tooltip=tooltip,
    )
    x = alt.X("low:Q", title="BLEU", scale=alt.Scale(zero=False))
    shape = alt.Scale(domain=list(labels), range=["circle", "square", "circle"])
    return alt.layer(
        chart.mark_rule(strokeWidth=2).encode(x, alt.X2("high:Q")),
        chart.mark_tick(thickness=2, size=9).encode(alt.X("low:Q")),
        chart.mark_tick(thickness=2, size=9).encode(alt.X("high:Q")),
        chart.mark_point(filled=True, size=80, opacity=1).encode(
            alt.X("BLEU:Q"), alt.Shape("role:N", scale=shape, legend=_legend(alt, labels))
        ),
    ).properties(height=alt.Step(26))


def precisions(_: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a line over the orders for each system."""
    alt, chart, colour = _base(labels)
    chart = chart.encode(
        alt.X("order:O", title="order of the n-grams", axis=alt.Axis(labelAngle=0)),
        alt.Y("precision:Q", title="precision, %"),
        tooltip=["system:N", "order:O", alt.Tooltip("precision:Q", format=".2f")],
    )
    return _told_apart(alt, chart, colour, labels)


def penalty(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw the systems on the curve of the penalty."""
    alt, chart, colour = _base(labels)
    ratios = [score.ratio for score in found.scores]
    low, high = max(0.05, min(0.8, min(ratios) - 0.05)), max(1.2, max(ratios) + 0.05)
    places = {round(low + (high - low) * piece / _PIECES, 4) for piece in range(_PIECES + 1)}
    curve = alt.Chart(
        alt.Data(
            values=[
                {"ratio": ratio, "penalty": round(brevity_penalty(ratio, 1.0), 6)}
                # 1 is the corner.
                for ratio in sorted({*places, 1.0})
            ]
        )
    )
    x = alt.X(
        "ratio:Q",
        title="tokens of the output / tokens of the reference",
        scale=alt.Scale(domain=[low, high], nice=False),
    )
    y = alt.Y("penalty:Q", title="brevity penalty", scale=alt.Scale(zero=False))
    shape = alt.Scale(domain=list(labels), range=["circle", "square", "circle"])
    points = chart.encode(
        x,
        y,
        colour,
        alt.Shape("role:N", scale=shape, legend=_legend(alt, labels)),
        tooltip=[
            "system:N",
            alt.Tooltip("ratio:Q", format=".4f"),
            alt.Tooltip("penalty:Q", format=".4f"),
        ],
    )
    return alt.layer(
        curve.mark_line(style="guide-line").encode(x, y),
        points.transform_filter(alt.datum.role == labels[2]).mark_point(filled=True, size=40),
        points.transform_filter(alt.datum.role != labels[2]).mark_point(
            filled=True, size=90, opacity=1
        ),
    )


def sentences(_: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw how many segments have which score."""
    alt, chart, colour = _base(labels)
    chart = chart.encode(
        alt.X("middle:Q", title="BLEU of a segment", scale=alt.Scale(domain=[0, 100])),
        alt.Y("share:Q", title="% of the segments"),
        tooltip=["system:N", "from:Q", "to:Q", "segments:Q", alt.Tooltip("share:Q", format=".1f")],
    )
    return _told_apart(alt, chart, colour, labels)


def buckets(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a line over the lengths for each system."""
    alt, chart, colour = _base(labels)
    chart = chart.encode(
        alt.X(
            "group:O",
            sort=found.groups["length"].names,
            title="tokens of the reference",
            axis=alt.Axis(labelAngle=0),
        ),
        alt.Y("BLEU:Q", title="BLEU", scale=alt.Scale(zero=False)),
        tooltip=["system:N", "group:O", "segments:Q", alt.Tooltip("BLEU:Q", format=".2f")],
    )
    return _told_apart(alt, chart, colour, labels)


def groups(found: Gathered, labels: tuple[str, str, str], *, kind: str) -> Any:
    """Draw a line of points for each document, or domain."""
    alt, chart, colour = _base(labels)
    shape = alt.Scale(domain=list(labels), range=["circle", "square", "circle"])
    names = chart_data.largest(found, kind)
    chart = chart.transform_filter(alt.FieldOneOfPredicate("group", names)).encode(
        alt.Y("group:N", sort=names, title=None, axis=alt.Axis(labelLimit=200, grid=True)),
        alt.X("BLEU:Q", title="BLEU", scale=alt.Scale(zero=False)),
        colour,
        alt.Shape("role:N", scale=shape, legend=_legend(alt, labels)),
        tooltip=["system:N", "group:N", "segments:Q", alt.Tooltip("BLEU:Q", format=".2f")],
    )
    rest = chart.transform_filter(alt.datum.role == labels[2])
    first = chart.transform_filter(alt.datum.role != labels[2])
    return alt.layer(
        rest.mark_point(filled=True, size=25, opacity=0.7),
        first.mark_point(filled=True, size=80, opacity=1),
    ).properties(height=alt.Step(20))


def segments(_: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a point for each segment."""
    alt, chart, _colour = _base(labels)
    ends = [{"one": 0, "other": 0}, {"one": 100, "other": 100}]
    scale = alt.Scale(domain=[0, 100])
    x = alt.X("other:Q", title=f"BLEU of a segment, {labels[1]}", scale=scale)
    y = alt.Y("one:Q", title=f"BLEU of a segment, {labels[0]}", scale=scale)
    return alt.layer(
        alt.Chart(alt.InlineData(ends)).mark_line(style="guide-line").encode(x, y),
        chart.mark_point(filled=True, size=24, opacity=0.45, cursor="pointer").encode(
            x,
            y,
            tooltip=[
                "segment:Q",
                alt.Tooltip("one:Q", title=labels[0], format=".2f"),
                alt.Tooltip("other:Q", title=labels[1], format=".2f"),
            ],
        ),
    ).properties(height=340)


def influence(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a bar for each segment that matters most."""
    alt, chart, _ = _base(labels)
    single = len(found.names) == 1
    title = "change of the score without the segment"
    if not single:
        title = f"change of {labels[0]} - {labels[1]} without the segment"
    scale = alt.Scale(domain=list(labels), range="category")
    return (
        chart.transform_calculate(
            role=f"datum.points < 0 ? {_quoted(labels[0])} : {_quoted(labels[1])}"
        )
        .mark_bar(cursor="pointer")
        .encode(
            alt.Y("segment:N", sort=None, title="segment"),
            alt.X("points:Q", title=title),
            alt.Color("role:N", scale=scale, legend=None),
            tooltip=["segment:N", alt.Tooltip("points:Q", format=".4f")],
        )
        .properties(height=alt.Step(16))
    )


def ngrams(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a bar for each n-gram that matters most."""
    alt, chart, _ = _base(labels)
    other = "all that are in the references" if len(found.names) == 1 else labels[1]
    scale = alt.Scale(domain=["one", "other"], range="category")
    return (
        chart.mark_bar()
        .encode(
            alt.Y("ngram:N", sort=None, title=None, axis=alt.Axis(labelLimit=230)),
            alt.X("more:Q", title=f"matches of {labels[0]} minus {other}"),
            alt.Color("side:N", scale=scale, legend=None),
            tooltip=[
                "ngram:N",
                "order:Q",
                alt.Tooltip("one:Q", title=labels[0]),
                alt.Tooltip("other:Q", title=other),
            ],
        )
        .properties(height=alt.Step(16))
    )


def frequency(found: Gathered, labels: tuple[str, str, str]) -> Any:
    """Draw a line over the frequencies for each system."""
    alt, chart, colour = _base(labels)
    names = list(dict.fromkeys(row["frequency"] for row in chart_data.frequency(found)))
    chart = chart.encode(
        alt.X(
            "frequency:O",
            sort=names,
            title="how often the word is in the references",
            axis=alt.Axis(labelAngle=0),
        ),
        alt.Y("share:Q", title="words that match, %", scale=alt.Scale(zero=False)),
        tooltip=[
            "system:N",
            "frequency:O",
            "matches:Q",
            "due:Q",
            alt.Tooltip("share:Q", format=".1f"),
        ],
    )
    return _told_apart(alt, chart, colour, labels)


def _quoted(text: str) -> str:
    """Write text as a string of a Vega expression."""
    import json

    return json.dumps(text)
