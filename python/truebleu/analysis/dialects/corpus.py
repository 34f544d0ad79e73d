"""A corpus under many settings of a metric, and what each aspect of them does to its score."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from operator import add

from truebleu.analysis.causes import NEVER
from truebleu.errors import UnknownNameError, written
from truebleu.inputs import sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.dialect import chosen, dialects_of
from truebleu.metrics.explanation import DifferencePart
from truebleu.record import Record
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, ClassVar, Literal

    from truebleu.analysis.causes import Cause
    from truebleu.metrics.dialect import Dialect
    from truebleu.metrics.score import Score

    AuditedName = Literal["bleu", "chrf"]

    Settings = dict[str, Any]
    # Places of references; an empty subset stands for all.
    Subset = tuple[int, ...]

AUDITED = {"bleu": "BleuCorpus", "chrf": "ChrfCorpus"}
"""The metrics that have dialects: the class of a corpus in the module of that name."""

# Five references have 31 subsets. Of more, only single ones and all together are tried.
_MOST_REFERENCES = 5


class Choice(Record):
    """Settings that a number may come from: what differs from the default, and why.

    `weights` are the sums over the causes, and more if references are left out; `references` are
    those of each segment, if not all.
    """

    weights: tuple[int, ...]
    causes: tuple[Cause, ...]
    settings: Settings
    references: Subset

    @staticmethod
    def of(cause: Cause) -> Choice:
        """Return the choice that a cause leads to; of a default, there is no more to say."""
        causes = (cause,) if cause.words else ()
        return Choice(weights=cause.weights, causes=causes, settings=cause.settings, references=())

    @property
    def rarity(self) -> int:
        """How rare it is, with the tool that it is least rare with."""
        return min(self.weights)

    def joined(self, other: Choice, rarest: float = NEVER) -> Choice | None:
        """Return both together; None if they contradict each other, or are rarer than that."""
        weights = tuple(map(add, self.weights, other.weights))
        if min(weights) > rarest:
            return None
        settings = {**self.settings, **other.settings}
        if any(settings[name] != value for name, value in self.settings.items()):
            return None
        return Choice(
            weights=weights,
            causes=(*self.causes, *other.causes),
            settings=settings,
            references=self.references or other.references,
        )


NOTHING = Choice(weights=(0, 0, 0), causes=(), settings={}, references=())
"""What is done without any cause."""


class Corpus:
    """A corpus of text, not tokens, that is scored under many settings of a metric.

    Each metric that has dialects has a subclass, which keeps what several settings share. None
    among the references of a segment stands for a missing one.
    """

    metric: ClassVar[str]
    """The name of the metric in :func:`truebleu.metrics.dialect.dialects_of`."""
    title: ClassVar[str]
    """The name of the metric for display."""
    defaults: ClassVar[Settings]
    """All settings that dialects may change, as sacreBLEU has them."""
    aspects: ClassVar[Mapping[str, tuple[str, ...]]]
    """Aspects of the settings; settings that only make sense together are one aspect."""

    def __init__(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Any] | None = None,
        reference_streams: Iterable[Iterable[str]] | None = None,
        threads: int | None = None,
    ) -> None:
        """Read the text, given as :meth:`truebleu.Metric.corpus` takes it."""
        texts, items = sequences.segments(hypotheses, references, reference_streams)
        self.hypotheses = texts
        self.references = sequences.checked_text(texts, items)
        self.threads = threads
        self._known: dict[Any, Any] = {}

    def value(self, settings: Settings, subset: Subset = ()) -> float:
        """Return the score of the corpus, as a rule from 0 to 100, with some of the references."""
        raise NotImplementedError

    def scorer(self, settings: Settings) -> Any:
        """Return the metric with these settings; None if it has none that are the same."""
        raise NotImplementedError

    def score(self, settings: Settings) -> Score | None:
        """Score the corpus; None if the metric has no settings that are the same."""
        metric = self.scorer(settings)
        if metric is None:
            return None
        # What is odd about the text is worth one warning.
        names = [] if self._known.get("warned") else [HYPOTHESES]
        self._known["warned"] = True
        corpora = Corpora([self.hypotheses], self.references, threads=self.threads, names=names)
        [stats] = metric._count(corpora, each=False)
        score: Score = metric.score(stats)
        return score

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        """Say what it does to this text to change one aspect of the settings."""
        raise NotImplementedError

    def choices(self, tokenizers: Sequence[str] | None) -> Iterable[list[Choice]]:
        """List the settings that a number may come from, in lists that share what is counted."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget counts that no later settings need."""

    def printed(self, choice: Choice, scale: int) -> Choice:
        """Return what people do who print a score on a scale."""
        return choice

    @property
    def dialects(self) -> Mapping[str, Dialect]:
        """The dialects of the metric by name."""
        return dialects_of(self.metric)

    def dialect(self, name: str) -> Dialect:
        """Return a dialect, or raise UnknownNameError."""
        return chosen(self.dialects, name)

    def filled(self, settings: Mapping[str, Any]) -> Settings:
        """Fill in the defaults."""
        return {**self.defaults, **settings}

    def subsets(self) -> list[Subset]:
        """List subsets of the references, all of them first."""
        counts = set(map(len, self.references))
        if len(counts) > 1 or any(text is None for several in self.references for text in several):
            # They are not complete translations, some of which could have been left out.
            return [()]
        count = counts.pop()
        sizes = range(count, 0, -1) if count <= _MOST_REFERENCES else (count, 1)
        return [subset for size in sizes for subset in combinations(range(count), size)]

    def simplified(self, settings: Settings, subset: Subset) -> Settings:
        """Replace settings by simpler ones that are the same on these references of this text."""
        return settings

    def notes(self, dialect: Dialect) -> tuple[str, ...]:
        """Say where the tool prints another number for this text."""
        return ()

    def differing(self, start: Settings, end: Settings) -> list[str]:
        """List the aspects in which settings differ."""
        return [
            aspect
            for aspect, names in self.aspects.items()
            if any(start[name] != end[name] for name in names)
        ]

    def changed(self, start: Settings, end: Settings, aspect: str) -> Settings:
        """Change one aspect of the settings `start` to that of `end`."""
        return {**start, **{name: end[name] for name in self.aspects[aspect]}}

    def part_of(self, aspect: str, start: Settings, end: Settings, points: float) -> DifferencePart:
        """Describe what it does to change one aspect."""
        return DifferencePart(
            name=aspect,
            share=points,
            one=self._shown(end, aspect),
            other=self._shown(start, aspect),
            why=self.why(aspect, start, self.changed(start, end, aspect)),
        )

    def _shown(self, settings: Settings, aspect: str) -> str:
        values = [settings[name] for name in self.aspects[aspect]]
        first, *rest = [value for value in values if value is not None] or [None]
        return f"{shown(first)}{rest or ''}"


def corpus_of(metric: Any) -> type[Corpus]:
    """Return the class of a corpus that is scored under the dialects of a metric."""
    if not isinstance(metric, str) or metric not in AUDITED:
        raise UnknownNameError(
            f"there are no dialects of metric {written(metric)}; choose one of {', '.join(AUDITED)}"
            f"{did_you_mean(metric, AUDITED)}"
        )
    module = import_module(f"truebleu.analysis.dialects.{metric}")
    kind: type[Corpus] = getattr(module, AUDITED[metric])
    return kind


def shown(setting: Any) -> str:
    """Write the value of a setting."""
    if isinstance(setting, bool):
        return "yes" if setting else "no"
    if isinstance(setting, float):
        return f"{setting:g}"
    if isinstance(setting, tuple):
        return f"({', '.join(map(shown, setting))})"
    return "default" if setting is None else getattr(setting, "__qualname__", str(setting))
