"""A score: a number, the counts it was computed from, and the metric that computed it."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import InputTypeError, StatsMismatchError
from truebleu.metrics.number import Number
from truebleu.metrics.setting_checks import layout_number
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from typing_extensions import Self

    class Settings(Protocol):
        """The part of a metric that a score is computed anew with."""

        @property
        def counting_key(self) -> str:
            """The settings that the counts depend on."""

        @property
        def for_corpora(self) -> Any:
            """The metric as it scores a corpus."""

        @property
        def for_segments(self) -> Any:
            """The metric as it scores a single segment."""


class Score(Number):
    """A score, and the counts that it was computed from.

    Immutable. A score behaves like the number ``score.score``: in arithmetic, which gives floats,
    in comparisons with numbers and other scores, in ``round``, ``sorted``, ``np.mean`` and
    ``f"{score:.2f}"``. Scores under different settings may therefore be equal: :meth:`same_as`
    compares statistics and settings.

    Created by a metric; do not create it yourself.
    """

    __module__ = "truebleu"

    __slots__ = ("_metric", "_references", "_row", "_segment", "score")
    _metric: Any
    _references: int | None
    _row: bytes
    _segment: bool
    score: float
    """The score on the scale that papers report: 0-100 for most metrics."""

    def __init__(
        self,
        metric: Any,
        score: float,
        row: bytes,
        references: int | None,
        segment: bool = False,  # noqa: FBT002  # Keyword arguments are slower.
    ) -> None:
        """Keep what the properties are computed from on demand."""
        _set_metric(self, metric)
        _set_score(self, score)
        _set_row(self, row)
        _set_references(self, references)
        _set_segment(self, segment)

    @property
    def metric(self) -> Any:
        """The metric that computed the score."""
        return self._metric

    @property
    def fraction(self) -> float:
        """The score on the 0-1 scale of its definition."""
        return float(self.score / self._metric.scale)

    @property
    def row(self) -> dict[str, int]:
        """The counts that the score was computed from, by field name."""
        return dict(zip(self._metric.fields, self._numbers(), strict=True))

    @property
    def signature(self) -> str:
        """Everything that the score depends on, as a reproducibility string."""
        return str(self._metric.write_signature(self._references))

    @property
    def reason(self) -> str | None:
        """Why the score is 0, in a sentence; None if it is not 0 or the metric gives no reason."""
        return None

    @property
    def note(self) -> str | None:
        """What people should know beside the score, in a few words; None if there is nothing."""
        return None

    def rescore(self, metric: Settings) -> Self:
        """Score the same statistics under other settings.

        Parameters
        ----------
        metric : Metric
            A metric with the same ``counting_key`` as the metric of this score. Settings that
            differ between segments and corpora, such as BLEU's ``effective_order``, are applied to
            a segment if this is the score of a segment.

        Returns
        -------
        Score
            Of the same class as this score.

        Raises
        ------
        StatsMismatchError
            If the two metrics count differently.
        """
        if not hasattr(metric, "counting_key"):
            raise InputTypeError(
                f"metric is of type {type(metric).__name__}; a metric, such as Bleu(), is needed"
            )
        if metric.counting_key != self._metric.counting_key:
            raise StatsMismatchError(
                f"this score was counted under {self._metric.counting_key}, but the other metric "
                f"counts under {metric.counting_key}"
            )
        chosen: Any = metric.for_segments if self._segment else metric.for_corpora
        value = chosen.row_value(self._row)
        return type(self)(chosen, value, self._row, self._references, self._segment)

    def _numbers(self) -> tuple[int, ...]:
        import struct

        return struct.unpack(f"<{len(self._row) // 8}q", self._row)

    def format(self, width: int = 2) -> str:
        """Format the score and its counts on one line.

        Parameters
        ----------
        width : int, default 2
            Number of decimals of the score, at most 100.

        Returns
        -------
        str

        Raises
        ------
        SettingsError
            If `width` is something else.
        """
        width = layout_number("width", width)
        details = " ".join(f"{name} = {value}" for name, value in self.details().items())
        return f"{self._metric.name} = {self.score:.{width}f} ({details})"

    def details(self) -> dict[str, str]:
        """Return the cells that a table shows beside the score, by column header."""
        return {name: str(number) for name, number in self.row.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "metric": self._metric.name,
            "score": self.score,
            "fraction": self.fraction,
            **self.row,
            "signature": self.signature,
            "reason": self.reason,
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON.

        ``json.dumps`` knows numbers of Python only: pass it ``float(score)`` or
        ``score.to_dict()``, or ``default=float`` for scores anywhere in the data.

        Parameters
        ----------
        indent : int, optional
            Spaces per level, at most 100. Default: everything on one line.

        Returns
        -------
        str

        Raises
        ------
        SettingsError
            If `indent` is something else.
        """
        import json

        if indent is not None:
            indent = layout_number("indent", indent)

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __float__(self) -> float:
        """Return the score."""
        return self.score

    def same_as(self, other: object) -> bool:
        """Tell whether another score comes from the same statistics under the same settings.

        ``==`` compares the numbers only.

        Parameters
        ----------
        other : object
            False for anything but a score.

        Returns
        -------
        bool
        """
        # The signature has the number of references.
        return isinstance(other, Score) and (self.metric, self.row, self.signature) == (
            other.metric,
            other.row,
            other.signature,
        )

    def __str__(self) -> str:
        """Format the score on one line."""
        return self.format()

    def __format__(self, spec: str) -> str:
        """Format the score alone as a number, as in ``f"{score:.1f}"``, or like str."""
        return format(self.score, spec) if spec else str(self)

    def __repr__(self) -> str:
        """Show the score and what it depends on."""
        return f"<{type(self).__name__} {brief(self.score)} {self.signature}>"

    def _repr_html_(self) -> str:
        """Show the score in a notebook."""
        from html import escape

        from truebleu.display.markup import opening

        headline = f"{self._metric.name} = {formatting.decimals(self.score, self._metric.form)}"
        rows = "".join(
            f"<tr><th scope='row'>{escape(name)}</th><td>{escape(cell)}</td></tr>"
            for name, cell in self.details().items()
        )
        return (
            f"{opening()}<strong>{escape(headline)}</strong><table><tbody>{rows}</tbody></table>"
            f"<small><code>{escape(self.signature)}</code></small></div>"
        )


# The setters of the slots: they bypass __setattr__, which raises, and are fast.
_set_metric, _set_score, _set_row, _set_references, _set_segment = (
    Score.__dict__[name].__set__ for name in ("_metric", "score", "_row", "_references", "_segment")
)
