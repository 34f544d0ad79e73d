"""chrF under all settings and rules that a published number may come from."""

from __future__ import annotations

from itertools import product

from truebleu.analysis.dialects.chrf_corpus import LARGEST_WORD_ORDER, ChrfCorpus
from truebleu.errors import SettingsError
from truebleu.metrics.chrf.dialects import DEFAULTS, DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Settings = dict[str, Any]
    Subset = tuple[int, ...]

# The values that are tried, of each setting the default first; the others stay as they are.
VALUES: dict[str, tuple[Any, ...]] = {
    "lowercase": (False, True),
    "whitespace": (False, True, DIALECTS["torchmetrics"].settings["whitespace"]),
    "word_order": tuple(range(LARGEST_WORD_ORDER + 1)),
    "beta": (2.0, 1.0, 3.0),
    "eps_smoothing": (False, True),
    "aggregate": ("corpus", "segments"),
    "references": ("best", "joined"),
}

# Rules of torchmetrics, which only occur together.
_TOGETHER = {
    name: DIALECTS["torchmetrics"].settings[name] for name in ("short_references", "unmatched")
}


def trials(
    corpus: ChrfCorpus, tokenizers: Sequence[str] | None = None
) -> Iterator[tuple[Settings, Subset, float]]:
    """Score a corpus under all settings.

    Parameters
    ----------
    corpus : ChrfCorpus
    tokenizers : None
        chrF has none.

    Yields
    ------
    tuple
        The settings that differ from the default, the references used, and the score.

    Raises
    ------
    SettingsError
        If tokenizers are given.
    """
    if tokenizers is not None:
        raise SettingsError("chrF has no tokenizers to try: leave tokenizers out")
    for subset in corpus.subsets():
        options = {
            name: [value for value in values if _makes_a_difference(corpus, subset, name, value)]
            for name, values in VALUES.items()
        }
        for values in product(*options.values()):
            chosen = dict(zip(options, values, strict=True))
            changes = {name: value for name, value in chosen.items() if value != DEFAULTS[name]}
            yield changes, subset, corpus.value(corpus.filled(changes), subset)
            if chosen["eps_smoothing"] and chosen["aggregate"] == "corpus":
                changes = {**changes, **_TOGETHER}
                yield changes, subset, corpus.value(corpus.filled(changes), subset)
        corpus.forget(subset)


def _makes_a_difference(corpus: ChrfCorpus, subset: Subset, name: str, value: Any) -> bool:
    settings = corpus.filled({name: value})
    return corpus.simplified(settings, subset) == settings
