"""The dictionaries that evaluate's ``bleu``, ``sacrebleu``, ``chrf`` and ``ter`` return."""

from __future__ import annotations

import math
from itertools import chain, repeat
from operator import contains
from typing import Any

from truebleu.compat import faithful
from truebleu.compat.errors import FormatError, NoSegmentsError, UnknownMetricError
from truebleu.compat.sacrebleu import BLEU, CHRF, TER
from truebleu.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from truebleu.display import formatting
from truebleu.errors import InputError, InputTypeError, LengthMismatchError, TruebleuError
from truebleu.metrics.bleu.metric import Bleu
from truebleu.suggestions import meant_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


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
    _check_options(metric, score, options)
    texts, several = (
        column if isinstance(column, list) else list(column) for column in (predictions, references)
    )
    try:
        if not faithful.is_strict():
            _check_kinds(texts, several)
        return score(texts, several, **options)
    except (TruebleuError, TypeError) as error:
        if not faithful.is_strict():
            with faithful.accepting("evaluate", error):
                return score(*_stored(texts, several), **options)
        if not isinstance(error, TypeError):
            raise
    # Perhaps arrays, or str beside lists; looking for them first would take longer.
    lists = [[each] if isinstance(each, str) else list(each) for each in several]
    return score(texts, lists, **options)


def _check_kinds(texts: list[Any], several: list[Any]) -> None:
    """Raise an error if not all predictions are str, or only some references are."""
    is_text = [
        {issubclass(kind, str) for kind in set(map(type, each))} for each in (texts, several)
    ]
    if is_text[0] != {True} or len(is_text[1]) > 1:
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


def _check_options(metric: str, score: Callable[..., Any], options: Iterable[str]) -> None:
    code = score.__code__  # inspect.signature takes longer.
    known = code.co_varnames[2 : code.co_argcount + code.co_kwonlyargcount]
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
            'others, also after truebleu.compat.install("evaluate"), if evaluate is installed'
        )


def _bleu(
    predictions: list[Any],
    references: list[Any],
    tokenizer: Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    lists: Iterable[Any] = references
    if set(map(type, references)) != {list}:
        lists = (each if isinstance(each, list) else [each] for each in references)
    texts = chain(predictions, chain.from_iterable(lists))
    if tokenizer is None and any(map(contains, texts, repeat("-\n"))):
        # evaluate removes this at the end of a text, too, where sacreBLEU strips it first.
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
    return Tokenizer13a()(text).split()


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
    tokenizer = tokenize or BLEU.TOKENIZER_DEFAULT
    settings = (lowercase, force, tokenizer, smooth_method, smooth_value)
    metric = BLEU(*settings, effective_order=use_effective_order)
    score = metric.corpus_score(predictions, _streams(references, "Sacrebleu"))
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(score, name) for name in names}


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
    metric = CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    streams = _streams(references, "ChrF, as implemented by sacrebleu,")
    names = ("score", "char_order", "word_order", "beta")
    score = metric.corpus_score(predictions, streams)
    return {name: getattr(score, name) for name in names}


def _ter(
    predictions: list[Any],
    references: list[Any],
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    metric = TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    score = metric.corpus_score(predictions, _streams(references, "Sacrebleu"))
    return {name: getattr(score, name) for name in ("score", "num_edits", "ref_length")}


def _streams(references: list[Any], subject: str) -> list[list[Any]]:
    """Return one list per reference of a segment."""
    if isinstance(references[0], str):
        return [references]
    if len(set(map(len, references))) > 1:
        raise InputError(f"{subject} requires the same number of references for each prediction")
    # Not by zip, which would take each segment as an argument.
    return [[several[place] for several in references] for place in range(len(references[0]))]


METRICS: dict[str, Any] = {"bleu": _bleu, "sacrebleu": _sacrebleu, "chrf": _chrf, "ter": _ter}
