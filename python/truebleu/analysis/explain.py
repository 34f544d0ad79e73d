"""How a score is calculated, step by step, for one segment and for a corpus."""

from __future__ import annotations

from truebleu.display.words import LANGUAGES
from truebleu.errors import InputTypeError, SettingsError
from truebleu.inputs import sequences, token_ids
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.display.words import Language
    from truebleu.metrics import BleuSettings, Metric, MetricName
    from truebleu.metrics.explanation import Explanation


def explain(
    hypotheses: str | Iterable[Any],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    language: Language = "en",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Explanation:
    """Show how a score is calculated.

    Parameters
    ----------
    hypotheses : str, or iterable
        One segment, or a corpus. With ``tokenizer="pretokenized"``, a list of tokens is one
        segment.
    references : str or sequence of str, or iterable
        For a segment: its reference, or all its references. For a corpus: as
        :func:`truebleu.corpus_bleu` takes them.
    reference_streams : iterable of iterables, optional
        For a corpus, instead of `references`: complete translations (sacreBLEU's layout).
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    language : {"en", "ko"}, default "en"
        Show it in English or in Korean. Attributes and ``to_dict`` are the same in both.
    metric : Bleu, Chrf or Ter, or its name, optional
        Instead of `settings`. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    Explanation
        Of one segment, or of a corpus.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError, SettingsError
        As in :func:`truebleu.sentence_bleu` and :func:`truebleu.corpus_bleu`; and SettingsError if
        `metric` is a metric of your own.

    Examples
    --------
    >>> import truebleu
    >>> found = truebleu.explain("on the mat the cat sat", "the cat sat on the mat", metric="ter")
    >>> found.steps[0].kind, found.steps[0].hypothesis, found.steps[0].gain
    ('shift', 'on the mat', 6)
    """
    chosen = metric_of(metric, settings)
    explanation = chosen._explanation()  # A hook of metrics.
    if explanation is None:
        raise SettingsError(
            f"only BLEU, chrF and TER can be explained; {chosen.name} cannot be explained"
        )
    workers = thread_count(threads)
    one_of(LANGUAGES)("language", language)
    found: Explanation
    tokens = chosen.takes_tokens and isinstance(hypotheses, list | tuple) and hypotheses[:1]
    if not (isinstance(hypotheses, str) or (tokens and isinstance(tokens[0], str | int))):
        corpus = segments_of(chosen, hypotheses, references, reference_streams)
        found = explanation.explain_corpus(chosen, *corpus, workers)
        return found._in(language)
    if reference_streams is not None:
        raise InputTypeError("reference_streams are those of a corpus; give one segment references")
    [hypothesis], [several] = segments_of(chosen, [hypotheses], [references], None)
    found = explanation.explain_segment(chosen, hypothesis, several)
    return found._in(language)


def segments_of(
    metric: Metric, hypotheses: Any, references: Any, streams: Any
) -> tuple[list[Any], list[list[Any]]]:
    """List the hypotheses, and the references of each segment."""
    if metric.takes_tokens:
        return token_ids.token_segments(hypotheses, references, streams)
    texts, items = sequences.segments(hypotheses, references, streams)
    return texts, sequences.checked_text(texts, items)
