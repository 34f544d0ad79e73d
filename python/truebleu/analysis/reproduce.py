"""The search for the settings of a published number."""

from __future__ import annotations

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS
from truebleu.analysis.aspects import ASPECTS, Corpus
from truebleu.display import formatting
from truebleu.errors import InputTypeError
from truebleu.metrics.bleu.dialects import DIALECTS
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.record import Record

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    Settings = dict[str, Any]
    Subset = tuple[int, ...]
    # The statistics of a corpus, by the names of their fields.
    Counts = dict[str, int]

ORDERS = (4, 1, 2, 3)
SCALES = (100, 1)

# Of those that give the same number, the first is shown. The last three of NLTK's are only defined
# for single segments.
_SMOOTHINGS = (
    "exp",
    "none",
    *(name for name in SMOOTHINGS if name not in ("exp", "none", "method5", "method6", "method7")),
)

# Five references have 31 subsets. Of more, only single ones and all together are tried.
_MOST_REFERENCES = 5

_MOST_NEAREST = 20

_USUAL = {**DEFAULTS, "max_order": 4}


class Candidate(Record):
    """One choice of settings and the number that it gives.

    Attributes
    ----------
    number : float
        On the scale of the target.
    scale : int
        1 or 100.
    settings : dict
        Keyword arguments of :class:`truebleu.Bleu` that differ from the default.
    references : tuple of int
        Which references of each segment were used, counted from 0; empty if all were used because
        segments have different numbers of them.
    dialects : tuple of str
        The dialects that have these settings.
    """

    __module__ = "truebleu"

    __slots__ = ("dialects", "number", "references", "scale", "settings")
    number: float
    scale: int
    settings: Settings
    references: Subset
    dialects: tuple[str, ...]

    @property
    def changes(self) -> int:
        """How many aspects of the settings differ from the default."""
        return _count_changes(self.settings)

    def describe(self) -> str:
        """Write the settings in words."""
        words = [f"{name} {value}" for name, value in self.settings.items() if value is not True]
        words += [name for name, value in self.settings.items() if value is True]
        as_dialect = f" (as {', '.join(self.dialects)})" if self.dialects else ""
        return f"{', '.join(words) or 'the default'}{as_dialect}"


class Reproduction(Record):
    """The result of a search for a published number. Made by :func:`reproduce`.

    Attributes
    ----------
    target : str
        The number as it was printed.
    tried : int
        How many settings were tried; of those that give the same number, one is kept.
    matches : tuple of Candidate
        Those that give the number at its printed precision, those with the fewest changes from
        the default first.
    nearest : tuple of Candidate
        The others, nearest first; at most 20.
    """

    __module__ = "truebleu"

    __slots__ = ("matches", "nearest", "target", "tried")
    target: str
    tried: int
    matches: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]

    def verdict(self) -> str:
        """Say in a sentence what was found."""
        settings = formatting.count(self.tried, "setting")
        tried = f"{settings} {'was' if self.tried == 1 else 'were'} tried"
        if len(self.matches) == 1:
            return f"{tried}, and one gives {self.target}."
        if self.matches:
            return (
                f"{tried}, and {len(self.matches):,} give {self.target}: the number alone cannot "
                "tell which one it was."
            )
        best = self.nearest[0]
        return (
            f"{tried}, and none gives {self.target}. The nearest comes to {best.number:.4f}, with "
            f"{best.describe()}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "target": self.target,
            "tried": self.tried,
            "verdict": self.verdict(),
            "matches": [candidate.to_dict() for candidate in self.matches],
            "nearest": [candidate.to_dict() for candidate in self.nearest],
        }


def reproduce(
    hypotheses: Iterable[str],
    references: Iterable[Any] | None = None,
    *,
    target: str | float,
    reference_streams: Iterable[Iterable[str]] | None = None,
    tokenizers: Sequence[str] | None = None,
    threads: int | None = None,
) -> Reproduction:
    """Search for the settings that give a published number.

    All combinations are tried: of the core's tokenizers, with and without lower-casing, smoothings,
    orders 1 to 4, rules for the reference length, subsets of the references, and scales of 1 and
    100.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.
    target : str or float
        The number as it was printed: ``"27.30"`` has two decimals, ``27.3`` has one.
    tokenizers : sequence of str, optional
        The tokenizers to try. Default: all of the core.

    Returns
    -------
    Reproduction

    Raises
    ------
    InputTypeError
        If the target is not a number from 0 to 100.
    LengthMismatchError, EmptyInputError
        As in :meth:`truebleu.Bleu.corpus`.
    """
    text = str(target)
    _read(text)
    corpus = Corpus(hypotheses, references, reference_streams, threads)
    names = list(TOKENIZERS) if tokenizers is None else list(tokenizers)
    # For each number on a scale the simplest settings that give it, and their references.
    simplest: dict[tuple[float, int], tuple[Settings, Subset]] = {}
    tried = 0
    for counting, subset, counts in _counted(corpus, names):
        for scoring, score in _scored(counts):
            settings = {**counting, **scoring}
            for scale in SCALES:
                tried += 1
                key = score * scale / 100, scale
                known = simplest.get(key)
                if known is None or _count_changes(settings) < _count_changes(known[0]):
                    simplest[key] = settings, subset
    candidates = [
        Candidate(
            number=number,
            scale=scale,
            settings=settings,
            references=subset,
            dialects=_dialects(settings, scale),
        )
        for (number, scale), (settings, subset) in simplest.items()
    ]
    return _sorted(text, candidates, tried)


def _read(target: str) -> tuple[float, int]:
    """Return a printed number, and how many decimals it has."""
    try:
        number = float(target)
    except ValueError:
        raise InputTypeError(f"target is {target!r}; a number such as 27.3 is needed") from None
    if not 0 <= number <= 100:
        raise InputTypeError(f"target is {target}; a BLEU score is from 0 to 100")
    return number, len(target.partition(".")[2])


def _sorted(target: str, candidates: list[Candidate], tried: int) -> Reproduction:
    """Tell the candidates that give the number from the others, and sort both."""
    wanted, decimals = _read(target)
    # Half a unit of the last place, and the error of a float.
    reach = 0.5 * 10.0**-decimals + 1e-9

    def distance(candidate: Candidate) -> float:
        return abs(candidate.number - wanted)

    ordered = sorted(candidates, key=lambda each: (distance(each), each.changes))
    matches = [each for each in ordered if distance(each) <= reach]
    matches.sort(key=lambda each: (each.changes, -len(each.references)))
    return Reproduction(
        target=target,
        tried=tried,
        matches=tuple(matches),
        nearest=tuple(each for each in ordered if distance(each) > reach)[:_MOST_NEAREST],
    )


def _counted(
    corpus: Corpus, tokenizers: list[str]
) -> Iterator[tuple[Settings, Subset, dict[bool, Counts]]]:
    """Count under all settings that matter for counting, without and with phantom n-grams."""
    for subset in _subsets(corpus.references):
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
                    stats = Bleu(**settings).count_stats(
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


def _subsets(references: list[list[str | None]]) -> list[Subset]:
    """List the subsets of references to try, all references first; an empty one stands for all."""
    from itertools import combinations

    counts = set(map(len, references))
    if len(counts) > 1 or any(text is None for several in references for text in several):
        # They are not complete translations, some of which could have been left out.
        return [()]
    count = counts.pop()
    sizes = range(count, 0, -1) if count <= _MOST_REFERENCES else (count, 1)
    return [subset for size in sizes for subset in combinations(range(count), size)]


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
        _scorers[key] = Bleu(**settings)
    return _scorers[key]


def _changes(settings: Settings) -> Settings:
    """Return the settings that differ from the default."""
    return {name: value for name, value in settings.items() if _USUAL[name] != value}


def _count_changes(settings: Settings) -> int:
    """Count the aspects of settings that differ from the default."""
    return sum(not settings.keys().isdisjoint(aspect) for aspect in ASPECTS.values())


def _dialects(settings: Settings, scale: int) -> tuple[str, ...]:
    """Return the names of the dialects that have these settings."""
    usual = {**_USUAL, "effective_order": False}
    return tuple(
        dialect.name
        for dialect in DIALECTS.values()
        if {**usual, **dialect.settings} == {**usual, **settings} and dialect.scale == scale
    )
