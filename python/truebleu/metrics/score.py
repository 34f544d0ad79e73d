"""A score: a number, the counts it was computed from, and the metric that computed it."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.shown import Written
from truebleu.display.words import english
from truebleu.errors import InputTypeError, StatsMismatchError, written, wrong_type
from truebleu.metrics.settings import layout_number
from truebleu.record import added_attributes, brief
from truebleu.suggestions import FOREIGN_ATTRIBUTES, add_hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from truebleu.display.blocks import Block
    from truebleu.display.words import Words


class Score(float, Written):
    """A score, and the counts that it was computed from.

    Immutable. A score is a float, ``score.score``: it adds up, which gives plain floats, compares
    with numbers and other scores, and goes wherever a float goes, such as into JSON, Arrow and data
    frames. Scores under different settings may therefore be equal: :meth:`same_as` compares
    statistics and settings.

    Created by a metric; do not create it yourself.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> score = truebleu.corpus_ter(hypotheses, references)
    >>> round(score, 2), score < 20, score.signature[:7]
    (16.67, True, 'nrefs:1')
    """

    __module__ = "truebleu"

    # The metric, the row as little-endian int64, the number of references of each segment (-1 if it
    # varies, None if it is unknown), and whether this is the score of a segment. The core fills it.
    __slots__ = ("_parts",)
    _parts: tuple[Any, bytes, int | None, bool]

    def __init_subclass__(cls) -> None:
        """Let the class say what to write instead of attributes that other packages have."""
        super().__init_subclass__()
        add_hints(cls)

    def __new__(cls, number: Any = None) -> Any:
        """Return a plain float, as statistics.mean needs: only a metric makes scores."""
        try:
            return float(number)
        except (TypeError, ValueError, OverflowError):
            raise InputTypeError(
                f"{cls.__name__} is made by a metric; {written(number)} is no number that could be "
                "a float"
            ) from None

    @classmethod
    def _made(cls, value: float, *parts: Any) -> Self:
        """Make a score with this value, and the `_parts` that it was computed from."""
        made = float.__new__(cls, value)
        _set_parts(made, parts)
        return made

    if TYPE_CHECKING:
        # So that type checkers let a score be compared with anything that a float is compared with.
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    score: float = property(  # type: ignore[assignment]  # Of C, which takes half the time.
        float.__float__, doc="The score on the scale that papers report: 0-100 for most metrics."
    )

    @property
    def metric(self) -> Any:
        """The metric that computed the score."""
        metric, _, _, segment = self._parts
        return metric._scoped(segment=segment)

    @property
    def fraction(self) -> float:
        """The score on the 0-1 scale of its definition."""
        return float(self / self._parts[0].scale)

    @property
    def row(self) -> dict[str, int]:
        """The counts that the score was computed from, by field name."""
        return dict(zip(self._parts[0].fields, self._numbers(), strict=True))

    @property
    def signature(self) -> str:
        """Everything that the score depends on, as a reproducibility string."""
        metric, _, references, segment = self._parts
        return str(metric._write_signature(references, segment=segment))

    @property
    def reason(self) -> str | None:
        """Why the score is 0 or undefined, in a sentence; None if it is neither, or nobody knows.

        A tiny score such as 1e-78 may stand for 0: with BLEU's smoothing ``method0``, and with
        ``eps_smoothing`` of chrF.
        """
        return self._reason(english)

    def _reason(self, say: Words) -> str | None:
        """Say why the score is 0 or undefined, in some language."""
        return None

    @property
    def _length(self) -> float:
        """The length of the reference, in what the metric counts; 0 if it counts nothing."""
        return 0.0

    @property
    def note(self) -> str | None:
        """What people should know beside the score, in a few words; None if there is nothing."""
        return None

    def rescore(self, metric: Any) -> Self:
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
            raise wrong_type("metric", metric, "a metric, such as Bleu(), is needed")
        mine, row, references, segment = self._parts
        if metric.counting_key != mine.counting_key:
            raise StatsMismatchError(
                f"this score was counted under {mine.counting_key}, but the other metric counts "
                f"under {metric.counting_key}"
            )
        value = metric._row_value(row, segment=segment)
        return self._made(value, metric, row, references, segment)

    def _numbers(self) -> tuple[int, ...]:
        import struct

        row = self._parts[1]
        return struct.unpack(f"<{len(row) // 8}q", row)

    def format(self, width: int | None = None) -> str:
        """Format the score and its counts on one line.

        Parameters
        ----------
        width : int, optional
            Number of decimals of the score, at most 100. Default: those of the metric, usually 2.

        Returns
        -------
        str

        Raises
        ------
        SettingsError
            If `width` is something else.
        """
        metric = self._parts[0]
        places = metric.decimals if width is None else layout_number("width", width)
        number = formatting.decimals(self.score, f".{places}f")
        return f"{metric.name} = {number} {self._summary()}"

    def _summary(self) -> str:
        """Return what follows the score on the line."""
        details = (f"{name} = {value}" for name, value in self.details().items())
        return f"({' '.join(details)})"

    def details(self) -> dict[str, str]:
        """Return the cells that a table shows beside the score, by column header."""
        return {name: str(number) for name, number in self.row.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "metric": self._parts[0].name,
            "score": self.score,
            "fraction": self.fraction,
            **self.row,
            **self._more(),
            "signature": self.signature,
            "reason": self.reason,
        }

    def _more(self) -> dict[str, Any]:
        """Return the parts of the score beside its row, as plain Python values."""
        return {}

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON.

        ``json.dumps(score)`` writes the number alone.

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

    def _written(self) -> list[Block]:
        from truebleu.display.blocks import Block, Cell

        metric, details = self._parts[0], self.details()
        header = [metric.name, *details]
        cells = [formatting.decimals(self.score, metric._form), *details.values()]
        table = Block(header=header, rows=[("", cells)], align="r" * len(cells))
        reason = [self.reason] if self.reason else []
        return [table, Block(lines=[*reason, Cell(self.signature, "code")])]

    def same_as(self, other: object) -> bool:
        """Tell whether another score is the same number, of the same statistics and settings.

        ``==`` compares the numbers only. An undefined score (NaN) is the same as another.

        Parameters
        ----------
        other : object
            False for anything but a score.

        Returns
        -------
        bool
        """
        from math import isnan

        if not isinstance(other, Score):
            return False
        undefined = isnan(self) and isnan(other)
        # The class, the settings, the row, and the number of references.
        one, two = ((each.metric, *each._parts[1:3]) for each in (self, other))
        return (self == other or undefined) and one == two

    def __getitem__(self, name: object) -> NoReturn:
        """Say that the values of a score are its attributes, unlike in other packages."""
        instead = FOREIGN_ATTRIBUTES["BleuScore"].get(str(name), f"score.{name}")
        how = f": write {instead}" if isinstance(name, str) else ", and has no items"
        raise InputTypeError(f"a {type(self).__name__} is a number with attributes{how}")

    def __str__(self) -> str:
        return f"{self.format()}: {self.reason}" if self.reason else self.format()

    def __format__(self, spec: str) -> str:
        """Format the score alone as a number, as in ``f"{score:.1f}"``, or like str."""
        return float.__format__(self, spec) if spec else str(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {brief(self.score)} {self.signature}>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), float(self), *self._parts), added_attributes(self, Score)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)


def _restored(kind: type[Score], value: float, *parts: Any) -> Score:
    return kind._made(value, *parts)


add_hints(Score)

# Sets the slot past __setattr__, which raises.
_set_parts = Score.__dict__["_parts"].__set__
