"""Self-BLEU: how similar texts are to each other."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from truebleu.errors import InputError, SettingsError, StatsMismatchError
from truebleu.inputs.numbers import number_within, thread_count
from truebleu.metrics.registry import as_bleu, metric_of
from truebleu.metrics.score import Score
from truebleu.record import plain
from truebleu.significance.design import ALPHA, SEED, between_0_and_1, checked_seed
from truebleu.significance.inference import exact
from truebleu.significance.pair import Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics import BleuSettings, MetricName
    from truebleu.metrics.bleu.metric import Bleu


class SelfBleu(Score):
    """The mean BLEU of texts against all others. Made by :func:`truebleu.self_bleu`.

    A score, whose counts are those of all texts together: the lower, the more diverse they are.

    >>> import truebleu
    >>> print(truebleu.self_bleu(["a b c d", "a b c e"]))
    Self-BLEU = 39.76 (texts = 2)

    Attributes
    ----------
    scores : ndarray of float64, shape (texts,)
        The BLEU of each text, or of each sampled one, against all others.
    interval : Interval or None
        The confidence interval of the mean, if only a sample was scored.
    """

    __slots__ = ("interval", "scores")
    scores: NDArray[np.float64]
    interval: Interval | None

    def rescore(self, metric: Any) -> NoReturn:
        """Raise StatsMismatchError: a mean cannot be computed from the sum of the counts."""
        raise StatsMismatchError("a mean has no counts of its own: call self_bleu again")

    def format(self, width: int = 2) -> str:
        """Format the score on one line; see :meth:`Score.format`."""
        return f"Self-{super().format(width)}"

    def details(self) -> dict[str, str]:
        """Return the number of texts, and the interval if there is one."""
        interval = {} if self.interval is None else {"interval": str(self.interval)}
        return {"texts": f"{len(self.scores):,}", **interval}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("score", "fraction", "scores", "interval", "signature", "reason")
        return {"metric": self.metric.name} | {name: plain(getattr(self, name)) for name in names}


def self_bleu(
    texts: Iterable[Any] | Ragged,
    *,
    sample: int | None = None,
    alpha: float = ALPHA,
    seed: int | None = SEED,
    threads: int | None = None,
    metric: Bleu | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> SelfBleu:
    """Score each text with all others as its references (Zhu et al. 2018, *Texygen*).

    Exact, in time that grows with the number of texts, not of pairs. Of millions of tokens,
    each takes 20 to 30 bytes of memory beside the texts themselves.

    Parameters
    ----------
    texts : iterable of str, or Ragged
        With ``tokenizer="pretokenized"``, tokens or token ids.
    sample : int, optional
        Score only this many texts, drawn at random without replacement; all texts remain
        references.
    alpha : float, default 0.05
        The interval of the mean has a confidence level of 1 - `alpha`, if `sample` is given.
    seed : int or None, default 12345
        The seed of the sample; None draws a new one.
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Bleu, optional
        Used as it is, instead of `settings`; only BLEU is supported.
    **settings
        The settings of :class:`truebleu.Bleu`. As papers use NLTK, ``smoothing`` is ``method1`` and
        ``phantom_ngrams`` is on by default; ``weights`` or ``max_order`` choose the orders.

    Returns
    -------
    SelfBleu
        A :class:`truebleu.Score`, with the scores of the texts.

    Raises
    ------
    InputError
        If there are fewer than two texts.
    InputTypeError
        If a text is not what the tokenizer needs; the message has its index.
    SettingsError
        If the reference length depends on the order of the references, there are several lists of
        weights, a number is out of range, or `metric` is not a BLEU.

    Examples
    --------
    >>> from truebleu import self_bleu
    >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "it rained all day long"]
    >>> found = self_bleu(texts)
    >>> found.scores.round(1).tolist()
    [53.7, 53.7, 0.0]
    """
    bleu = _bleu(metric, settings)
    alpha = between_0_and_1("alpha", alpha)
    generator = np.random.default_rng(checked_seed("seed", seed))
    workers = thread_count(threads)
    loaded, [count] = bleu._counter.load({"texts": texts}, workers)
    if count < 2:
        raise InputError(
            "Self-BLEU compares each text with all others: at least two texts are needed"
        )
    chosen = None
    if sample is not None:
        size = number_within("sample", sample, 2, count)
        chosen = np.sort(generator.choice(count, size, replace=False))
    wanted = [] if chosen is None else np.isin(np.arange(count), chosen).tolist()
    rows = loaded.against_others(bleu._core, wanted, workers)
    if chosen is not None:
        rows = np.frombuffer(rows, "<i8").reshape(count, -1)[chosen].tobytes()
    scores = np.frombuffer(bleu._row_scores(rows, segment=True), "<f8").astype(np.float64)
    total = np.frombuffer(rows, "<i8").reshape(len(scores), -1).sum(axis=0).astype("<i8")
    score = SelfBleu._made(float(scores.mean()), bleu, total.tobytes(), None, True)
    object.__setattr__(score, "scores", scores)
    interval = None if chosen is None else _interval(scores, count, alpha)
    object.__setattr__(score, "interval", interval)
    return score


def _bleu(metric: Bleu | MetricName | None, settings: BleuSettings) -> Bleu:
    """Return the BLEU to use; by default or by name, it is as in NLTK."""
    if metric is None or (isinstance(metric, str) and metric == "bleu" and not settings):
        metric, settings = None, {"smoothing": "method1", **settings}
        smoothing = settings["smoothing"]
        if isinstance(smoothing, str) and smoothing == "method1":
            settings = {"phantom_ngrams": True, **settings}
    chosen = metric_of(metric, settings)
    bleu = as_bleu(chosen)
    if bleu is None:
        raise SettingsError(f"Self-BLEU needs a BLEU as its metric, not {chosen.name}")
    if bleu.reference_length == "closest-first":
        raise SettingsError(
            "reference_length='closest-first' depends on the order of the references, but all "
            "other texts are references here, in no order"
        )
    if bleu._scores_per_segment > 1:
        raise SettingsError("a text has one score, so one list of weights is needed")
    return bleu


def _interval(scores: NDArray[np.float64], count: int, alpha: float) -> Interval:
    """Return the interval of the mean of all texts, some of which were drawn."""
    drawn = len(scores)
    mean = float(scores.mean())
    # Drawn without replacement: the error is 0 if all texts were drawn.
    error = float(scores.std(ddof=1)) * ((1 - drawn / count) / drawn) ** 0.5
    half = NormalDist().inv_cdf(1 - alpha / 2) * error
    return Interval(
        low=mean - half,
        high=mean + half,
        confidence_level=float(1 - exact(alpha)),
        method="normal",
        mean=mean,
        error=error,
    )
