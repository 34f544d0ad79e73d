"""From systems and references to the numbers of a report: sums of rows, and no HTML."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass

from truebleu.display.formatting import count
from truebleu.errors import (
    FewUnitsWarning,
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsWarning,
    UnknownNameError,
    WarnOnce,
)
from truebleu.inputs import sequences
from truebleu.inputs.checks import check_source
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats
from truebleu.metrics.threads import thread_count
from truebleu.reporting import checks, ngrams, tokens
from truebleu.reporting.checks import Notice
from truebleu.significance.compare import _counted, compare

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.score import BleuScore
    from truebleu.reporting.ngrams import Grams
    from truebleu.reporting.tokens import Split
    from truebleu.significance.results import Comparison

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# Tokens of the first reference: the last length of each bucket.
BUCKETS = (10, 20, 30, 40, 60)


@dataclass(frozen=True, slots=True)
class Groups:
    """Segments in groups, and the score of each group for each system.

    Attributes
    ----------
    names : list of str
        In the order in which they first occur.
    sizes : list of int
        Segments in each.
    scores : ndarray of float64, shape (systems, groups)
    """

    names: list[str]
    sizes: list[int]
    scores: Floats


@dataclass(frozen=True, slots=True)
class Gathered:
    """All numbers of a report.

    Attributes
    ----------
    names : list of str
        The systems, in the order given.
    baseline : int
        Which of them the others are shown against.
    scores : list of BleuScore
    comparison : Comparison or None
        None if there is only one segment.
    tables : ndarray of int64, shape (systems, segments, width)
        The rows of statistics.
    sentences : ndarray of float64, shape (systems, segments)
        The score of each segment by itself.
    influence : ndarray of float64, shape (systems, segments)
        How the score of the corpus changes if a segment is left out.
    lengths : ndarray of int64, shape (segments,)
        Tokens of the first reference.
    """

    baseline: int
    bleu: Bleu
    comparison: Comparison | None
    documents: list[str] | None
    grams: Grams
    groups: dict[str, Groups]
    influence: Floats
    lengths: Ints
    names: list[str]
    notices: tuple[Notice, ...]
    references: int
    scores: list[BleuScore]
    sentence: Bleu
    sentences: Floats
    sources: list[str] | None
    split: Split
    tables: Ints

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.lengths)

    def ranked(self) -> list[int]:
        """Return the numbers of the systems, the best first."""
        return sorted(range(len(self.names)), key=lambda system: -self.scores[system].score)

    def pair(self) -> tuple[int, int | None]:
        """Return the two systems to look at first: the best, and the baseline if it is another."""
        if len(self.names) == 1:
            return 0, None
        best, second, *_ = self.ranked()
        return best, second if best == self.baseline else self.baseline

    def number(self, name: str) -> int:
        """Return the number of a system.

        Raises
        ------
        UnknownNameError
            If there is none of that name; the message lists them.
        """
        if name not in self.names:
            raise UnknownNameError(
                f"there is no system {name!r}; the systems are {', '.join(self.names)}"
            )
        return self.names.index(name)


def gather(
    systems: Mapping[str, Any],
    references: Any,
    reference_streams: Any,
    *,
    sources: Any,
    documents: Iterable[Hashable] | None,
    domains: Iterable[Hashable] | None,
    baseline: str | None,
    threads: int | None,
    how: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Gathered:
    """Count, score, compare and group; see :func:`truebleu.report`."""
    import numpy as np

    given = Bleu(**settings)
    bleu, sentence = given.for_corpora, given.for_segments
    outputs, others = _texts(systems, references, reference_streams)
    names = list(outputs)
    first = names[0] if baseline is None else baseline
    if first not in outputs:
        raise UnknownNameError(
            f"there is no baseline {first!r}; the systems are {', '.join(names)}"
        )
    noted: list[Notice] = []
    source = None if sources is None else _sources(sources, len(others))
    with _noting(noted), WarnOnce():
        stats = _counted(bleu, outputs, others, None, threads)
        for name, own in outputs.items():
            check_source(own, source or [], name)
    labels = {
        what: _labels(given, what, len(others))
        for what, given in (("document", documents), ("domain", domains))
        if given is not None
    }
    comparison = _compared(bleu, stats, labels.get("document"), threads, how, noted)
    columns = tokens.columns_of(bleu, others)
    split = tokens.split(bleu, [*columns, *outputs.values()], thread_count(threads))
    end = len(columns)
    tables = np.stack([own.to_numpy() for own in stats.values()])
    lengths = np.array([_length(t, split.separator) for t in split.tokens[0]], np.int64)
    scores = [bleu.score(own) for own in stats.values()]
    grouped = {"length": _grouped(bleu, stats, *_buckets(lengths))}
    for what, own in labels.items():
        grouped[what] = _grouped(bleu, stats, *_numbered(own))
    noted += checks.found(names, scores, tables, split, source)
    return Gathered(
        baseline=names.index(first),
        bleu=bleu,
        comparison=comparison,
        documents=labels.get("document"),
        grams=ngrams.count(split.tokens[end:], split.tokens[:end], split.separator, bleu.max_order),
        groups=grouped,
        influence=np.array([_influence(bleu, own) for own in stats.values()]),
        lengths=lengths,
        names=names,
        notices=tuple(noted),
        references=len(columns),
        scores=scores,
        sentence=sentence,
        sentences=np.array([sentence.scores(own) for own in stats.values()]),
        sources=source,
        split=split,
        tables=tables,
    )


def _texts(
    systems: Mapping[str, Any], references: Any, reference_streams: Any
) -> tuple[dict[str, list[Any]], list[Any]]:
    """Check systems and references, and keep them as lists."""
    if not hasattr(systems, "items"):
        raise InputTypeError(
            f"systems is of type {type(systems).__name__}; a dict of names and hypotheses is needed"
        )
    if not systems:
        raise InputError("there is no system to report on")
    outputs: dict[str, list[Any]] = {}
    for name, own in systems.items():
        if isinstance(own, BleuStats):
            raise InputTypeError(f"{name!r} has been counted already: a report shows its text, too")
        outputs[str(name)] = sequences.as_list(own, str(name))
    name, own = next(iter(outputs.items()))
    try:
        return outputs, sequences.segments(own, references, reference_streams)[1]
    except LengthMismatchError as error:
        raise LengthMismatchError(f"{name}: {error}") from error


def _column(given: Any, name: str, segments: int) -> list[Any]:
    found = sequences.as_list(given, name)
    if len(found) != segments:
        raise LengthMismatchError(
            f"{name} has {count(len(found), 'item')} for {count(segments, 'segment')}"
        )
    return found


def _sources(given: Any, segments: int) -> list[str]:
    """Return the sources as people read them."""
    found = _column(given, "sources", segments)
    for index, text in enumerate(found):
        if not isinstance(text, list | tuple):
            sequences.check_text(text, f"sources[{index}]")
    return [text if isinstance(text, str) else " ".join(map(str, text)) for text in found]


def _labels(given: Iterable[Hashable], what: str, segments: int) -> list[str]:
    return [str(label) for label in _column(given, f"{what}s", segments)]


def _compared(
    bleu: Bleu,
    stats: dict[str, BleuStats],
    documents: list[str] | None,
    threads: int | None,
    how: Mapping[str, Any],
    noted: list[Notice],
) -> Comparison | None:
    """Compare the systems, and note what that warns of."""
    if len(next(iter(stats.values()))) < 2:
        noted.append(Notice("One segment says nothing about chance: there are no intervals."))
        return None
    if documents is not None and len(set(documents)) < 2:
        noted.append(Notice("All segments are of one document, so segments are drawn, not it."))
        documents = None
    with _noting(noted):
        return compare(stats, documents=documents, threads=threads, **how, metric=bleu)


@contextmanager
def _noting(noted: list[Notice]) -> Iterator[None]:
    """Turn warnings into notices, and pass them on."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        for category in (FewUnitsWarning, SettingsWarning):
            warnings.simplefilter("always", category)
        yield
    for warning in caught:
        noted.append(Notice(_sentence(str(warning.message))))
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _length(tokens: str | None, separator: str) -> int:
    return tokens.count(separator) + 1 if tokens else 0


def _influence(bleu: Bleu, stats: BleuStats) -> Floats:
    """Return how the score changes if each segment is left out."""
    import numpy as np

    rest = stats.sum().to_numpy() - stats.to_numpy()
    without = np.array(bleu.scores(BleuStats.from_numpy(rest, stats)))
    return without - bleu.score(stats).score


def _buckets(lengths: Ints) -> tuple[list[str], Ints]:
    """Put lengths into buckets; leave out those that are empty."""
    import numpy as np

    starts = (min(1, int(lengths.min())), *(end + 1 for end in BUCKETS))
    names = [f"{start}-{end}" for start, end in zip(starts, BUCKETS, strict=False)]
    names.append(f"{starts[-1]}+")
    own = np.searchsorted(np.array(BUCKETS), lengths)
    used, numbers = np.unique(own, return_inverse=True)
    return [names[number] for number in used], numbers


def _numbered(labels: Sequence[str]) -> tuple[list[str], Ints]:
    import numpy as np

    numbers: dict[str, int] = {}
    own = [numbers.setdefault(label, len(numbers)) for label in labels]
    return list(numbers), np.array(own, np.int64)


def _grouped(bleu: Bleu, stats: dict[str, BleuStats], names: list[str], numbers: Ints) -> Groups:
    """Add the rows of each group up, and score the sums."""
    import numpy as np

    scores = [bleu.scores(own.sums(numbers, len(names))) for own in stats.values()]
    sizes = np.bincount(numbers, minlength=len(names))
    return Groups(names, [int(size) for size in sizes], np.array(scores))
