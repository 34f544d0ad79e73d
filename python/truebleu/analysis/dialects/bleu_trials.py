"""BLEU under all settings that a published number may come from."""

from __future__ import annotations

from collections.abc import Iterable

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS
from truebleu.analysis.dialects.bleu_corpus import BleuCorpus
from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.metrics.bleu.metric import Bleu

    Settings = dict[str, Any]
    Subset = tuple[int, ...]
    # The statistics of a corpus, by the names of their fields.
    Counts = dict[str, int]

ORDERS = (4, 1, 2, 3)

# Of those that give the same number, the first is shown. The last three of NLTK's are only defined
# for single segments.
_SMOOTHINGS = (
    "exp",
    "none",
    *(name for name in SMOOTHINGS if name not in ("exp", "none", "method5", "method6", "method7")),
)

_USUAL = {**BleuCorpus.defaults, "max_order": 4}


def trials(
    corpus: BleuCorpus, tokenizers: Sequence[str] | None = None
) -> Iterator[tuple[Settings, Subset, float]]:
    """Score a corpus under all settings.

    Parameters
    ----------
    corpus : BleuCorpus
    tokenizers : sequence of str, optional
        Default: all of the core.

    Yields
    ------
    tuple
        The settings that differ from the default, the references used, and the score.
    """
    if isinstance(tokenizers, str) or not isinstance(tokenizers, Iterable | None):
        given = repr(tokenizers) if isinstance(tokenizers, str) else type(tokenizers).__name__
        raise InputTypeError(f"tokenizers is {given}; a list of their names is needed")
    names = list(TOKENIZERS) if tokenizers is None else list(tokenizers)
    if not names:
        raise SettingsError("tokenizers is empty; name at least one, or leave it out to try all")
    for counting, subset, counts in _counted(corpus, names):
        for scoring, score in _scored(counts):
            yield {**counting, **scoring}, subset, score


def _counted(
    corpus: BleuCorpus, tokenizers: Sequence[str]
) -> Iterator[tuple[Settings, Subset, dict[bool, Counts]]]:
    """Count under all settings that matter for counting, without and with phantom n-grams."""
    for subset in corpus.subsets():
        references = corpus.references
        if subset:
            references = [[several[index] for index in subset] for several in references]
        rules = ("closest",) if len(subset) == 1 else REFERENCE_LENGTHS
        for tokenizer in tokenizers:
            for lowercase in (False, True):
                for rule in rules:
                    settings: Settings = {
                        "tokenizer": tokenizer,
                        "lowercase": lowercase,
                        "reference_length": rule,
                    }
                    stats = METRICS[corpus.metric](**settings).count_stats(
                        corpus.hypotheses, references, None, corpus.threads
                    )
                    total = dict(zip(stats.fields, stats.sum().to_numpy()[0].tolist(), strict=True))
                    # A segment without n-grams of an order has one that does not match.
                    missing = (stats.to_numpy() == 0).sum(axis=0).tolist()
                    with_phantoms = {
                        name: count + zeros * name.startswith("total_")
                        for (name, count), zeros in zip(total.items(), missing, strict=True)
                    }
                    counts = {False: total}
                    if with_phantoms != total:
                        counts[True] = with_phantoms
                    yield _changes(settings), subset, counts


def _scored(counts: dict[bool, Counts]) -> Iterator[tuple[Settings, float]]:
    """Score counts under all settings that matter for scoring alone."""
    import struct

    for phantom, total in counts.items():
        for order in ORDERS:
            for smoothing in _SMOOTHINGS:
                bleu = _scorer(smoothing, order)
                row = struct.pack(f"<{bleu.row_width}q", *(total[name] for name in bleu.fields))
                settings = {
                    "smoothing": smoothing,
                    "max_order": order,
                    "phantom_ngrams": phantom,
                }
                yield _changes(settings), bleu.row_value(row)


_scorers: dict[tuple[str, int], Bleu] = {}


def _scorer(smoothing: str, order: int) -> Bleu:
    """Return a Bleu that scores counts; they are few, and each is used often."""
    key = smoothing, order
    if key not in _scorers:
        settings: Settings = {"tokenizer": "none", "smoothing": smoothing, "max_order": order}
        _scorers[key] = METRICS["bleu"](**settings)
    return _scorers[key]


def _changes(settings: Settings) -> Settings:
    """Return the settings that differ from the default."""
    return {name: value for name, value in settings.items() if _USUAL[name] != value}
