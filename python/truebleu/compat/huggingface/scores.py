"""The dictionaries that evaluate's ``bleu``, ``sacrebleu``, ``chrf`` and ``ter`` return."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from truebleu._core import survey
from truebleu.compat import faithful
from truebleu.compat.errors import FormatError, NoSegmentsError, UnknownMetricError
from truebleu.display import formatting
from truebleu.errors import InputError, InputTypeError, LengthMismatchError, TruebleuError
from truebleu.inputs.checks import check_layout, is_square
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.ter.metric import Ter
from truebleu.metrics.ter.score import UNITS
from truebleu.suggestions import meant_argument


def compute(
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    metric: str = "bleu",
    **options: Any,
) -> dict[str, Any]:
    """Score a corpus.

    Parameters
    ----------
    predictions : sequence of str
    references : sequence of str, or of sequences of str
        The reference, or all references, of each prediction.
    metric : {"bleu", "sacrebleu", "chrf", "ter"}
    **options
        As in evaluate. For ``bleu``: `tokenizer` (a function from text to tokens), `max_order` and
        `smooth`. For ``sacrebleu``: `smooth_method`, `smooth_value`, `force`, `lowercase`,
        `tokenize` and `use_effective_order`. For ``chrf``: `char_order`, `word_order`, `beta`,
        `lowercase`, `whitespace` and `eps_smoothing`. For ``ter``: `normalized`, `ignore_punct`,
        `support_zh_ja_chars` and `case_sensitive`.

    Returns
    -------
    dict
        For ``bleu``, on the scale from 0 to 1: `bleu`, `precisions`, `brevity_penalty`,
        `length_ratio`, `translation_length`, `reference_length`. For ``sacrebleu``, on the scale
        from 0 to 100: `score`, `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len`. For
        ``chrf``: `score`, `char_order`, `word_order`, `beta`. For ``ter``: `score`, `num_edits`,
        `ref_length`.

    Raises
    ------
    UnknownMetricError
        If the metric does not exist here; also an UnknownNameError.
    NoSegmentsError
        If there are no predictions; also an IndexError.
    LengthMismatchError
        If predictions and references differ in number.
    InputTypeError
        If the metric does not have one of the `options`.
    InputError
        If the number of references per prediction varies, except for ``bleu``.
    """
    check_name(metric)
    if len(predictions) != len(references):
        raise LengthMismatchError(
            f"{formatting.count(len(predictions), 'prediction')}, but "
            f"{formatting.count(len(references), 'reference')}"
        )
    if not len(predictions):
        raise NoSegmentsError("there are no predictions to score")
    score: Callable[..., dict[str, Any]] = METRICS[metric]
    _check_options(metric, options)
    texts, several = (
        column if isinstance(column, list) else list(column) for column in (predictions, references)
    )
    try:
        result = score(texts, several, **options)
        if is_square(several):
            other = score(texts, [*map(list, zip(*several, strict=True))], **options)
            # The score is the first of both.
            one, two = (next(iter(each.values())) for each in (result, other))
            check_layout(one, two, len(texts), "evaluate", higher_is_better=metric != "ter")
        return result
    except (TruebleuError, TypeError) as error:
        if not faithful.is_strict():
            with faithful.accepting("evaluate", error):
                return score(*_stored(texts, several), **options)
        if not isinstance(error, TypeError):
            raise
    # Perhaps arrays, or str beside lists; looking for them first would take longer.
    lists = [[each] if isinstance(each, str) else list(each) for each in several]
    return score(texts, lists, **options)


def _check_kinds(predictions: Iterable[type], references: Iterable[type]) -> None:
    """In place of evaluate, refuse predictions that are no str, and references if only some are."""
    is_text = [{issubclass(kind, str) for kind in kinds} for kinds in (predictions, references)]
    if not faithful.is_strict() and (is_text[0] != {True} or len(is_text[1]) > 1):
        raise FormatError("predictions are not all str, or references are str as well as lists")


def _stored(texts: list[Any], several: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return columns as evaluate stores them: of str, or of lists of str if the first is a list."""

    def as_text(values: Iterable[Any]) -> list[Any]:
        return [each if each is None else str(each) for each in values]

    if not (isinstance(texts[0], str) and isinstance(next(iter(several[0]), ""), str)):
        raise FormatError(f"{texts[0]!r} and {several[0]!r} are not text")
    if isinstance(several[0], str):
        return as_text(texts), as_text(several)
    return as_text(texts), [each if each is None else as_text(each) for each in several]


def options_of(metric: str) -> dict[str, Any]:
    """Return the options of a metric, and their defaults."""
    score = METRICS[metric]  # inspect.signature takes longer.
    return dict(zip(score.__code__.co_varnames[2:], score.__defaults__, strict=False))


def _check_options(metric: str, options: Iterable[str]) -> None:
    known = tuple(options_of(metric))
    for name in options:
        if name not in known:
            raise InputTypeError(
                f"{metric} has no argument {name!r}; it has {', '.join(known)}"
                f"{meant_argument(name, known)}"
            )


def check_name(metric: str) -> None:
    """Raise UnknownMetricError if the metric does not exist here."""
    if metric not in METRICS:
        raise UnknownMetricError(
            f"unknown metric {metric!r}; choose one of {', '.join(METRICS)}. evaluate.load has all "
            "others, if evaluate is installed"
        )


def _bleu(
    predictions: list[Any],
    references: list[Any],
    tokenizer: Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    (kinds, _, *_, is_spaced), (several, inner, *_, has_spaced) = map(
        survey, (predictions, references)
    )
    _check_kinds(kinds, several)
    is_odd = is_spaced or has_spaced or not kinds | several | inner <= {str, list, tuple}
    if tokenizer is None and is_odd:
        # evaluate removes this at the end of a text, too, where sacreBLEU strips it first.
        lists = ([each] if isinstance(each, str) else each for each in references)
        if any("-\n" in text for text in chain(predictions, *lists)):
            tokenizer = _tokens
    bleu = Bleu(
        tokenizer="13a" if tokenizer is None else tokenizer,
        max_order=max_order,
        smoothing="none",
        reference_length="shortest",
    )
    rows, fewest, most = bleu._count_rows(predictions, references, None, None, each=False)
    score = bleu.score(bleu._stats_type(rows, bleu, fewest, most))
    pairs = list(zip(score.counts, score.totals, strict=True))
    if smooth:
        precisions = [(count + 1.0) / (total + 1.0) for count, total in pairs]
    else:
        precisions = [count / total if total else 0.0 for count, total in pairs]
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum(1.0 / max_order * math.log(precision) for precision in precisions))
    if not (faithful.is_strict() or (score.hyp_len and score.ref_len)):
        raise ZeroDivisionError("float division by zero")
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


def _tokens(text: str) -> list[str]:
    return Bleu()._counter.bare_tokens(text).split()


def _sacrebleu(
    predictions: list[Any],
    references: list[Any],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    bleu: Any = Bleu(
        tokenizer=tokenize or "13a",  # type: ignore[arg-type]  # Bleu checks the names.
        lowercase=lowercase,
        smoothing=smooth_method,  # type: ignore[arg-type]
        smooth_value=smooth_value if smooth_method in ("floor", "add-k") else None,
        effective_order=use_effective_order,
    )
    score = _scored(bleu, predictions, references, "Sacrebleu")
    value, orders = score.score, sum(map(bool, score.totals))
    if value == 100.0:
        # sacreBLEU's mean of logarithms is a little above.
        value = math.exp(sum([math.log(100.0)] * orders) / orders)
    # sacreBLEU returns counts with what it has added.
    added = (1 if smooth_value is None else smooth_value) * (smooth_method == "add-k")
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


def _chrf(
    predictions: list[Any],
    references: list[Any],
    char_order: int = 6,
    word_order: int = 0,
    beta: Any = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> dict[str, Any]:
    how: Any = {"lowercase": lowercase, "whitespace": whitespace, "eps_smoothing": eps_smoothing}
    metric = Chrf(char_order=char_order, word_order=word_order, beta=beta, **how)
    score = _scored(metric, predictions, references, "ChrF, as implemented by sacrebleu,")
    orders = {"char_order": char_order, "word_order": word_order, "beta": beta}
    return {"score": score.score, **orders}


def _ter(
    predictions: list[Any],
    references: list[Any],
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    metric: Any = Ter(
        normalized=normalized,
        no_punct=ignore_punct,
        asian_support=support_zh_ja_chars,
        case_sensitive=case_sensitive,
    )
    rows = _scored(metric, predictions, references, "Sacrebleu", each=True)
    counts = [*zip(*[iter(memoryview(rows).cast("q"))] * 5, strict=True)]
    edits = sum(sum(row[:4]) for row in counts)
    length = 0
    for row in counts:
        length += row[4] / UNITS  # One after the other, as in sacreBLEU.
    score = edits / length if length else float(edits > 0)
    return {"score": 100 * score, "num_edits": edits, "ref_length": length}


def _scored(
    metric: Any, predictions: list[Any], references: list[Any], subject: str, *, each: bool = False
) -> Any:
    """Return the score of a metric, or the rows of each segment.

    `subject` needs equally many references.
    """
    kinds = survey(references)[0]
    _check_kinds(set(map(type, predictions)), kinds)
    if not kinds <= {str} and len(set(map(len, references))) > 1:
        raise InputError(f"{subject} requires the same number of references for each prediction")
    rows, fewest, _ = metric._count_rows(predictions, references, None, None, each=each)
    return rows if each else metric._make_score(rows, fewest)


METRICS: dict[str, Any] = {"bleu": _bleu, "sacrebleu": _sacrebleu, "chrf": _chrf, "ter": _ter}
