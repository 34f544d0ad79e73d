"""Self-BLEU: how much texts resemble each other."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.errors import InputError, SettingsError
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.threads import thread_count, whole_number

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.settings import BleuSettings
    from truebleu.significance.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SelfBleu:
    """How much texts resemble each other.

    Attributes
    ----------
    scores : ndarray of float64, shape (texts,)
        For each text, or for each of the sample, its BLEU against all others, from 0 to 100.
    mean : float
        Of the scores: low is diverse.
    interval : Interval or None
        Of the mean, if the texts are a sample.
    texts : int
    chosen : ndarray of int64, or None
        Which texts are the sample.
    signature : str
    """

    scores: NDArray[np.float64]
    mean: float
    interval: Interval | None
    texts: int
    chosen: NDArray[np.int64] | None
    signature: str

    @property
    def fraction(self) -> float:
        """The mean from 0 to 1, as papers on text generation report it."""
        return self.mean / 100

    def __float__(self) -> float:
        """Return the mean, from 0 to 100."""
        return self.mean

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "mean": self.mean,
            "fraction": self.fraction,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "texts": self.texts,
            "chosen": None if self.chosen is None else self.chosen.tolist(),
            "scores": self.scores.tolist(),
            "signature": self.signature,
        }


def self_bleu(
    texts: Iterable[Any] | Ragged,
    *,
    sample: int | None = None,
    level: float = 0.95,
    seed: int = 12345,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> SelfBleu:
    """Score each text against all others as its references (Zhu et al. 2018, *Texygen*).

    Exact, in time that grows with the texts and not with their pairs. Memory is about 25 bytes a
    token beside the texts themselves.

    Parameters
    ----------
    texts : iterable of str, or Ragged
        Under ``tokenizer=None`` tokens or token ids.
    sample : int, optional
        Score so many texts only, drawn at random; the others are references still.
    level : float, default 0.95
        Of the interval of the mean, if there is a sample.
    seed : int, default 12345
        Of the sample.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu`. As papers use NLTK, ``smoothing`` is ``method1`` and
        ``phantom_ngrams`` is on by default; ``weights`` or ``max_order`` choose the orders.

    Returns
    -------
    SelfBleu

    Raises
    ------
    InputError
        If there are fewer than two texts: then there is nothing to compare with.
    InputTypeError
        If a text is not what the tokenizer needs; the message has its index.
    SettingsError
        If the reference length depends on the order of the references, there are several lists of
        weights, or a number is out of range.

    Examples
    --------
    >>> from truebleu import self_bleu
    >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "it rained all day long"]
    >>> found = self_bleu(texts)
    >>> found.scores.round(1).tolist()
    [53.7, 53.7, 0.0]
    """
    import numpy as np

    settings.setdefault("smoothing", "method1")
    if settings["smoothing"] == "method1":
        settings.setdefault("phantom_ngrams", True)
    bleu = Bleu(**settings).for_segments
    if bleu.reference_length == "closest-first":
        raise SettingsError(
            "reference_length='closest-first' depends on the order of the references, and all "
            "other texts have none"
        )
    if len(bleu.weights) > 1:
        raise SettingsError("a text has one score, so one list of weights is needed")
    workers = thread_count(threads)
    loaded, [count] = bleu._counting.load({"texts": texts}, workers)
    if count < 2:
        raise InputError(
            "Self-BLEU compares each text with all others: at least two texts are needed"
        )
    chosen = None
    if sample is not None:
        size = whole_number(sample)
        if size is None or not 2 <= size <= count:
            raise SettingsError(f"sample is {sample!r}; a number from 2 to {count:,} is needed")
        chosen = np.sort(np.random.default_rng(seed).choice(count, size, replace=False))
    wanted = [] if chosen is None else np.isin(np.arange(count), chosen).tolist()
    rows = np.frombuffer(loaded.against_others(bleu._engine, wanted, workers), "<i8")
    rows = rows.reshape(count, -1)
    if chosen is not None:
        rows = rows[chosen]
    scores = np.frombuffer(bleu._engine.score_rows(rows.tobytes()), "<f8").astype(np.float64)
    return SelfBleu(
        scores=scores,
        mean=float(scores.mean()),
        interval=None if chosen is None else _interval(scores, count, level),
        texts=count,
        chosen=chosen,
        signature=bleu.signature,
    )


def _interval(scores: NDArray[np.float64], count: int, level: float) -> Interval:
    """Return the interval of a mean of which a part has been drawn, without replacement."""
    from statistics import NormalDist

    from truebleu.significance.results import Interval

    if not (isinstance(level, float) and 0 < level < 1):
        raise SettingsError(f"level is {level!r}; a number between 0 and 1 is needed")
    drawn = len(scores)
    mean = float(scores.mean())
    error = float(scores.std(ddof=1)) * ((1 - drawn / count) / drawn) ** 0.5
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    return Interval(
        low=mean - half,
        high=mean + half,
        level=level,
        method="normal",
        mean=mean,
        error=error,
        half_width=half,
    )
