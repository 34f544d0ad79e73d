"""Self-BLEU: how similar texts are to each other."""

from __future__ import annotations

import numpy as np

from truebleu.errors import InputError, SettingsError, StatsMismatchError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.registry import as_bleu, metric_of
from truebleu.metrics.score import Score
from truebleu.record import plain

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
        The BLEU of each text against all others.
    """

    __slots__ = ("scores",)
    scores: NDArray[np.float64]

    def rescore(self, metric: Any) -> NoReturn:
        """Raise StatsMismatchError: a mean cannot be computed from the sum of the counts."""
        raise StatsMismatchError("a mean has no counts of its own: call self_bleu again")

    def format(self, width: int | None = None) -> str:
        """Format the score on one line; see :meth:`Score.format`."""
        return f"Self-{super().format(width)}"

    def details(self) -> dict[str, str]:
        """Return the number of texts."""
        return {"texts": f"{len(self.scores):,}"}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("score", "fraction", "scores", "signature", "reason")
        return {"metric": self.metric.name} | {name: plain(getattr(self, name)) for name in names}


def self_bleu(
    texts: Iterable[Any] | Ragged,
    *,
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
        weights, or `metric` is not a BLEU.

    Examples
    --------
    >>> from truebleu import self_bleu
    >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "it rained all day long"]
    >>> found = self_bleu(texts)
    >>> found.scores.round(1).tolist()
    [53.7, 53.7, 0.0]
    """
    bleu = _bleu(metric, settings)
    workers = thread_count(threads)
    loaded, [count] = bleu._counter.load({"texts": texts}, workers)
    if count < 2:
        raise InputError(
            "Self-BLEU compares each text with all others: at least two texts are needed"
        )
    rows = loaded.against_others(bleu._core, [], workers)
    scores = np.frombuffer(bleu._row_scores(rows, segment=True), "<f8").astype(np.float64)
    total = np.frombuffer(rows, "<i8").reshape(len(scores), -1).sum(axis=0).astype("<i8")
    score = SelfBleu._made(float(scores.mean()), bleu, total.tobytes(), None, True)
    object.__setattr__(score, "scores", scores)
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
