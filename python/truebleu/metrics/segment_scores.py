"""Segment scores that were computed elsewhere, as a metric: their average."""

from __future__ import annotations

import re
from collections.abc import Mapping

from truebleu.display.formatting import count
from truebleu.errors import InputError, SettingsError, wrong_type
from truebleu.inputs.frames import is_frame
from truebleu.inputs.numbers import number_within, real_number
from truebleu.metrics.about import About
from truebleu.metrics.metric import Metric
from truebleu.metrics.score import Score
from truebleu.metrics.settings import check_names, flag
from truebleu.metrics.signatures import checked_text
from truebleu.metrics.stats import Stats
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Never, Self

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.words import Words
    from truebleu.metrics.about import Work
    from truebleu.metrics.corpora import Counted

# A score is a sum of three whole numbers in these units, so that sums of scores are exact. Digits
# of a score below the smallest unit are rounded.
_UNITS = (2.0**-10, 2.0**-50, 2.0**-90)

# Bits of the middle and the lowest of these numbers.
_BITS = 40

# Added to the highest number of each score, because statistics are not negative.
_SHIFT = 1 << 39

_LARGEST = 2.0**29

# A float has fewer.
_MOST_DECIMALS = 20


class AverageScore(Score):
    """The average of segment scores that were computed elsewhere; see :class:`Score`.

    Created by :class:`truebleu.metrics.segment_scores.SegmentScores`; do not create it yourself.

    >>> import truebleu
    >>> comet = truebleu.metrics.segment_scores.SegmentScores("COMET")
    >>> comet.score(comet.from_scores([0.5, 1.0])).score
    0.75
    """

    __slots__ = ()

    @property
    def segments(self) -> int:
        """The number of segments that have a score."""
        return self._numbers()[-1]

    def _reason(self, say: Words) -> str | None:
        return None if self.segments else "there is no score"

    @property
    def note(self) -> str:
        """Where the scores come from, and how many there are."""
        return f"average of {count(self.segments, 'segment score')} computed elsewhere"

    def details(self) -> dict[str, str]:
        """Return the number of segments; the other counts only make sense to the formula."""
        return {"segments": str(self.segments)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values; the score is None if it is undefined."""
        known = bool(self.segments)
        return {
            "metric": self.metric.name,
            "score": self.score if known else None,
            "fraction": self.fraction if known else None,
            "segments": self.segments,
            "signature": self.signature,
            "reason": self.reason,
        }


class AverageAbout(About):
    """What people are told about segment scores that were computed elsewhere."""

    @property
    def summary(self) -> str:
        """What they are."""
        return f"The average of segment scores that were computed elsewhere. {self.direction}"

    @property
    def computed_by(self) -> str:
        """The scores, in a sentence that goes on with the name and version of this package."""
        return (
            f"the average of {self.metric.name} scores, which were computed elsewhere [name the "
            "model, or the annotators], as compared by"
        )

    @property
    def works(self) -> tuple[Work, ...]:
        """None: which works to cite only who computed the scores knows."""
        return ()

    @property
    def formula(self) -> dict[str, Any]:
        """The mean of the segments that have a score."""
        return {"kind": "mean"}


class SegmentScores(Metric["AverageScore"]):
    """Segment scores that were computed elsewhere, such as those of COMET or of people.

    The score of a corpus is the average of its segment scores. They are never computed here: pass
    them to :func:`truebleu.compare` and :func:`truebleu.report` as ``scores=``, or make statistics
    of them with :meth:`from_scores`, for whatever takes statistics. Immutable.

    Parameters
    ----------
    name : str
        What the scores are called, such as ``COMET``.
    lower_is_better : bool, default False
        Whether a lower score is better.
    decimals : int, default 4
        How many decimals of a score people are shown, from 0 to 20.

    Raises
    ------
    SettingsError
        If `decimals` is out of range, or the name is not printable, has no letter, or contains
        ``|``, which separates the parts of signatures.

    Notes
    -----
    Scores are float64, and are added exactly: averages do not depend on the order of the segments
    or on the number of threads. Only digits below 2**-90 (8e-28) are rounded.

    Examples
    --------
    >>> comet = SegmentScores("COMET")
    >>> print(comet.score(comet.from_scores([0.81, 0.79, None, 0.92])))
    COMET = 0.8400 (segments = 3)
    """

    __slots__ = ("_decimals", "_name", "lower_is_better")
    _decimals: int
    _name: str
    lower_is_better: bool

    _score_type = AverageScore
    scale = 1.0
    _is_average = True

    def __init__(
        self, name: str, *, lower_is_better: bool = False, decimals: int = 4, **unknown: Never
    ) -> None:
        check_names(unknown, ("name", "lower_is_better", "decimals"))
        if not isinstance(name, str):
            raise wrong_type("name", name, "a str is needed")
        if not name.isprintable() or not any(map(str.isalpha, name)) or "|" in name:
            raise SettingsError(
                f"scores cannot be called {name!r}: a name has at least one letter and no |, such "
                "as 'COMET-22'"
            )
        self._fill(
            _decimals=number_within("decimals", decimals, 0, _MOST_DECIMALS),
            _name=name,
            lower_is_better=flag("lower_is_better", lower_is_better),
        )

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments."""
        return {
            "name": self._name,
            "lower_is_better": self.lower_is_better,
            "decimals": self._decimals,
        }

    def replace(self, **changes: Any) -> Self:
        """Return the same metric with other settings."""
        return type(self)(**(self.settings() | changes))

    def __repr__(self) -> str:
        _, *others = self.settings().items()
        shown = "".join(f", {name}={value!r}" for name, value in others)
        return f"SegmentScores({self._name!r}{shown})"

    @property
    def _about(self) -> AverageAbout:
        return AverageAbout(self)

    @property
    def decimals(self) -> int:  # type: ignore[override]  # Here, it is a setting.
        """How many decimals of a score people are shown."""
        return self._decimals

    @property
    def name(self) -> str:  # type: ignore[override]  # Here, it is a setting.
        """The name for display."""
        return self._name

    @property
    def identifier(self) -> str:  # type: ignore[override]  # Here, it depends on a setting.
        """The name in columns and SQL: ``comet_22`` for COMET-22."""
        words = re.sub(r"\W+", "_", self._name.lower()).strip("_")
        return words if words.isidentifier() else f"scores_{words}"

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]  # Here, it is a setting.
        """Whether a higher score is better."""
        return not self.lower_is_better

    @property
    def fields(self) -> tuple[str, ...]:  # type: ignore[override]  # The names are no attributes.
        """The names of the counts in a row: the sum of the scores in three parts, and how many."""
        return ("high", "middle", "low", "segments")

    def _sizes(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return rows[:, -1]

    @property
    def counting_key(self) -> str:
        """The settings that counts depend on; statistics with equal keys can be added."""
        better = "lower" if self.lower_is_better else "higher"
        return f"scores:{self._name}|computed:elsewhere|better:{better}"

    @classmethod
    def from_signature(cls, text: str) -> SegmentScores:
        """Create the metric that a signature describes, or raise SettingsError."""
        found = dict(part.partition(":")[::2] for part in checked_text(text).split("|"))
        if "scores" not in found or found.get("better") not in ("lower", "higher"):
            raise SettingsError(f"{brief(text)} is not a signature of scores computed elsewhere")
        return cls(found["scores"], lower_is_better=found["better"] == "lower")

    def from_scores(self, scores: Iterable[float | None], name: str = "scores") -> Stats:
        """Return the statistics of segment scores.

        Parameters
        ----------
        scores : iterable of float
            One per segment, in order; None for a segment that has no score.
        name : str, default "scores"
            What messages call them.

        Returns
        -------
        Stats
            One row per segment.

        Raises
        ------
        InputError
            If a score is infinite, not a number, or larger than 2**29 in size.
        InputTypeError
            If an item is neither a number nor None.
        """
        return Stats(_rows(checked_scores(scores, name)), self, -1, -1)

    def _rows_of(self, *_: Any, **__: Any) -> Sequence[Counted]:
        raise SettingsError(
            f"{self._name} is not computed here: pass its segment scores to compare or report as "
            f"scores={{{self._name!r}: ...}}, or make statistics of them with from_scores"
        )

    def scores(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the average of each row; NaN for one without scores."""
        import numpy as np

        high, middle, low, segments = (rows[:, place] for place in range(4))
        high = high - segments * _SHIFT
        # Digits are made as small as they can be, so that they are exact as floats.
        middle, low = _carried(middle, low)
        high, middle = _carried(high, middle)
        total = high * _UNITS[0] + (middle * _UNITS[1] + low * _UNITS[2])
        average: NDArray[np.float64] = np.where(segments, total / np.maximum(segments, 1), np.nan)
        return average

    def _segment_columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return nothing: there is no more to know of a segment than its score."""
        return {}


def checked_scores(
    scores: Iterable[float | None], name: str, largest: float = _LARGEST
) -> NDArray[np.float64]:
    """Return scores as an array, with NaN for those that are missing."""
    from math import inf, isfinite, isnan, nan
    from numbers import Real

    import numpy as np

    try:
        is_column = not (isinstance(scores, str | bytes | Mapping) or is_frame(scores))
        items = iter(scores) if is_column else None
    except TypeError:
        items = None
    if items is None:
        raise wrong_type(name, scores, "a list of scores is needed, one number per segment")
    found = []
    for index, score in enumerate(items):
        if score is None:
            found.append(nan)
            continue
        number = real_number(score)
        if isnan(number) and (isinstance(score, bool) or not isinstance(score, Real)):
            raise wrong_type(
                f"{name}[{index}]",
                score,
                "a number is needed, or None for a segment without a score",
            )
        if not isfinite(number) or abs(number) > largest:
            limits = f"number from -{largest:,.0f} to {largest:,.0f}"
            needed = "finite number" if largest == inf else limits
            raise InputError(
                f"{name}[{index}] is {number}; a {needed} is needed, or None for a "
                "segment without a score"
            )
        found.append(number)
    return np.array(found, np.float64)


def _rows(scores: NDArray[np.float64]) -> bytes:
    """Write each score as a row; one that is missing is a row of zeros."""
    import numpy as np

    known = np.isfinite(scores)
    rest = np.where(known, scores, 0.0)
    digits = []
    for unit in _UNITS:
        # Multiples of powers of 2 are exact, and so is what is left.
        digit = np.rint(rest / unit)
        rest = rest - digit * unit
        digits.append(digit.astype(np.int64))
    high, middle, low = digits
    middle, low = middle + (low >> _BITS), low & ((1 << _BITS) - 1)
    high, middle = high + (middle >> _BITS), middle & ((1 << _BITS) - 1)
    rows = np.stack([high + _SHIFT, middle, low, np.ones_like(high)], axis=1)
    return (rows * known[:, np.newaxis]).astype("<i8").tobytes()


def _carried(
    upper: NDArray[np.int64], lower: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Move what is too large for the lower of two digits into the upper one."""
    carry = (lower + (1 << (_BITS - 1))) >> _BITS
    return upper + carry, lower - (carry << _BITS)
