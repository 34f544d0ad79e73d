"""evaluate's ``bleu``, ``sacrebleu``, ``chrf`` and ``ter``, without evaluate or a network."""

from __future__ import annotations

import math
from collections import deque
from contextlib import suppress
from itertools import chain

from truebleu.compat import mistakes
from truebleu.errors import EmptyInputError, InputError, SettingsError
from truebleu.inputs.sequences import text_segments
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.ter.metric import Ter
from truebleu.metrics.ter.score import UNITS
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Metric", "load"]


class Metric:
    """One of evaluate's metrics: what :func:`load` returns. Threads may share it."""

    def __init__(self, name: str) -> None:
        if name not in _METRICS:
            raise unknown_name("metric", name, _METRICS)
        self.name = name
        self._score = _METRICS[name]
        self._added: deque[tuple[list[Any], list[Any]]] = deque()

    def add(self, *, prediction: str, reference: Any) -> None:
        """Add one prediction, and its reference or references."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Any, references: Any) -> None:
        """Add several predictions, and the reference or references of each.

        Parameters
        ----------
        predictions : list, array, series or column, of str
        references : list, array, series or column, of str or of lists of str

        Raises
        ------
        EmptyInputError, InputTypeError, LengthMismatchError
            If they are no columns of the same length.
        """
        self._added.append(text_segments(predictions, references, name="predictions"))

    def compute(
        self, *, predictions: Any = None, references: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Score everything added so far and the segments given here, then start over.

        Parameters
        ----------
        predictions, references
            As for :meth:`add_batch`.
        **options
            As in evaluate. For ``bleu``: `tokenizer` (a function from text to tokens), `max_order`
            and `smooth`. For ``sacrebleu``: `smooth_method`, `smooth_value`, `force`, `lowercase`,
            `tokenize` and `use_effective_order`. For ``chrf``: `char_order`, `word_order`, `beta`,
            `lowercase`, `whitespace` and `eps_smoothing`. For ``ter``: `normalized`,
            `ignore_punct`, `support_zh_ja_chars` and `case_sensitive`.

        Returns
        -------
        dict
            For ``bleu``, from 0 to 1: `bleu`, `precisions`, `brevity_penalty`, `length_ratio`,
            `translation_length`, `reference_length`. For ``sacrebleu``, from 0 to 100: `score`,
            `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len`. For ``chrf``: `score`,
            `char_order`, `word_order`, `beta`. For ``ter``: `score`, `num_edits`, `ref_length`.

        Raises
        ------
        EmptyInputError, SettingsError
            If there is nothing to score; if the metric has no such option, or not of this value.
        InputError
            If the number of references of a prediction varies, except for ``bleu``.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        batches = []
        with suppress(IndexError):  # Other threads may add some, or take some, in the meantime.
            while True:
                batches.append(self._added.popleft())
        if not batches:
            raise EmptyInputError(
                f"{self.name} has no predictions: call add or add_batch before compute, or pass "
                "predictions and references to it"
            )
        corpus = [[*chain(*columns)] for columns in zip(*batches, strict=True)]
        result: dict[str, Any] = self._score(*corpus, **options)
        kind = {"chrf": Chrf, "ter": Ter}.get(self.name, Bleu)
        mistakes.check_text("evaluate", corpus[0], corpus[1], kind())
        mistakes.check_layout(
            "evaluate",
            corpus[1],
            lambda each: next(iter(self._score(corpus[0], each, **options).values())),
            higher_is_better=self.name != "ter",
        )
        return result

    def __repr__(self) -> str:
        return f"<{self.name}, as evaluate has it>"


def load(path: str, *_: object, num_process: int = 1, **__: object) -> Metric:
    """Return a metric by its name, which may begin with ``evaluate-metric/``.

    Nothing is downloaded, and nothing is written: other options of evaluate's function have no
    effect.

    Raises
    ------
    UnknownNameError, SettingsError
        If the metric does not exist here; if several processes are to be gathered.

    Examples
    --------
    >>> from truebleu.compat.evaluate import load
    >>> load("bleu").compute(predictions=["a b c d e"], references=[["a b c d f"]])["precisions"]
    [0.8, 0.75, 0.6666666666666666, 0.5]
    """
    if num_process != 1:
        raise SettingsError(
            "several processes cannot be gathered: let each count its statistics and add them up "
            "(Bleu().stats(...).sum()), or let one process score everything"
        )
    return Metric(str(path).removeprefix("evaluate-metric/"))


def bleu(
    predictions: list[Any],
    references: list[Any],
    *,
    tokenizer: Any = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """Return what evaluate's ``bleu`` returns."""
    metric = Bleu(
        tokenizer="13a" if tokenizer is None else tokenizer,
        max_order=max_order,
        smoothing="none",
        reference_length="shortest",
    )
    [stats] = metric._count(Corpora([predictions], references), each=False)
    score = metric.score(stats)
    pairs = list(zip(score.counts, score.totals, strict=True))
    if smooth:
        precisions = [(count + 1.0) / (total + 1.0) for count, total in pairs]
    else:
        precisions = [count / total if total else 0.0 for count, total in pairs]
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum(1.0 / max_order * math.log(precision) for precision in precisions))
    ratio = score.hyp_len / score.ref_len if score.ref_len else math.inf
    penalty = 1.0
    if ratio <= 1.0:
        penalty = math.exp(1 - 1.0 / ratio) if ratio else 0.0
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": score.hyp_len,
        "reference_length": score.ref_len,
    }


# The settings of sacreBLEU's metrics by evaluate's names.
_SETTINGS = {
    "smooth_method": "smoothing",
    "tokenize": "tokenizer",
    "use_effective_order": "effective_order",
    "ignore_punct": "no_punct",
    "support_zh_ja_chars": "asian_support",
}


def _counted(
    kind: Any,
    predictions: list[Any],
    references: list[Any],
    options: dict[str, Any],
    *,
    each: bool = False,
) -> tuple[Any, Any]:
    """Return a metric with these options, and a row of the corpus, or one of each segment."""
    metric = kind(**{_SETTINGS.get(name, name): value for name, value in options.items()})
    [stats] = metric._count(Corpora([predictions], references), each=each)
    if stats.fewest != stats.most:
        raise InputError(
            f"predictions have {stats.fewest} to {stats.most} references; evaluate's metrics but "
            "bleu need the same number for each"
        )
    return metric, stats.data if each else metric.score(stats)


def _sacrebleu(
    predictions: list[Any], references: list[Any], *, force: bool = False, **options: Any
) -> dict[str, Any]:
    method = options.get("smooth_method", "exp")
    options |= {"tokenize": options.get("tokenize") or "13a"}
    added = options.get("smooth_value")
    options["smooth_value"] = added if method in ("floor", "add-k") else None
    _, score = _counted(Bleu, predictions, references, {"effective_order": False, **options})
    value, orders = score.score, sum(map(bool, score.totals))
    if value == 100.0:
        # sacreBLEU's mean of logarithms is a little above.
        value = math.exp(sum([math.log(100.0)] * orders) / orders)
    # sacreBLEU returns counts with what it has added.
    added = (1 if added is None else added) * (method == "add-k")
    counts, totals = (
        [number + added * (n > 0 and any(score.counts)) for n, number in enumerate(numbers)]
        for numbers in (score.counts, score.totals)
    )
    return {
        "score": value,
        "counts": counts,
        "totals": totals,
        "precisions": [*score.precisions],
        "bp": score.brevity_penalty,
        "sys_len": score.hyp_len,
        "ref_len": score.ref_len,
    }


def _chrf(predictions: list[Any], references: list[Any], **options: Any) -> dict[str, Any]:
    metric, score = _counted(Chrf, predictions, references, options)
    orders = {"char_order": metric.char_order, "word_order": metric.word_order}
    return {"score": score.score, **orders, "beta": options.get("beta", 2)}


def _ter(predictions: list[Any], references: list[Any], **options: Any) -> dict[str, Any]:
    _, rows = _counted(Ter, predictions, references, options, each=True)
    counts = [*zip(*[iter(memoryview(rows).cast("q"))] * 5, strict=True)]
    edits = sum(sum(row[:4]) for row in counts)
    length = 0
    for row in counts:
        length += row[4] / UNITS  # One after the other, as in sacreBLEU.
    score = edits / length if length else float(edits > 0)
    return {"score": 100 * score, "num_edits": edits, "ref_length": length}


_METRICS: dict[str, Any] = {"bleu": bleu, "sacrebleu": _sacrebleu, "chrf": _chrf, "ter": _ter}
