"""Settings that give a published number."""

from __future__ import annotations

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS
from truebleu.analysis.audit import ASPECTS, Corpus
from truebleu.display import formatting
from truebleu.errors import InputTypeError
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.dialects import DIALECTS
from truebleu.metrics.settings import DEFAULTS
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

ORDERS = (4, 1, 2, 3)
SCALES = (100, 1)

# Of those that give the same number the first is shown. NLTK's last three need single segments.
_SMOOTHINGS = (
    "exp",
    "none",
    *(name for name in SMOOTHINGS if name not in ("exp", "none", "method5", "method6", "method7")),
)

# So many references have 31 subsets; of more, only each alone and all together are tried.
_MOST_REFERENCES = 5


class Candidate(Frozen):
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
        Which of the references of each segment were used, counted from 0; empty if all were,
        and segments have different numbers of them.
    dialects : tuple of str
        The dialects that have these settings.
    """

    __slots__ = ("dialects", "number", "references", "scale", "settings")
    dialects: tuple[str, ...]
    number: float
    references: tuple[int, ...]
    scale: int
    settings: dict[str, Any]

    def __init__(
        self, number: float, scale: int, settings: dict[str, Any], references: tuple[int, ...]
    ) -> None:
        """Keep the facts; see the class."""
        usual = {**DEFAULTS, "max_order": 4, "effective_order": False}
        full = {**usual, **settings}
        dialects = [
            dialect.name
            for dialect in DIALECTS.values()
            if {**usual, **dialect.settings} == full and dialect.scale == scale
        ]
        values = {
            "dialects": tuple(dialects),
            "number": number,
            "references": references,
            "scale": scale,
            "settings": settings,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def changes(self) -> int:
        """How many aspects of the settings differ from the default."""
        names = set(self.settings)
        return sum(bool(names.intersection(aspect)) for aspect in ASPECTS.values())

    def describe(self) -> str:
        """Write the settings in words."""
        said = [f"{name} {value}" for name, value in self.settings.items() if value is not True]
        said += [name for name, value in self.settings.items() if value is True]
        as_dialect = f" (as {', '.join(self.dialects)})" if self.dialects else ""
        return f"{', '.join(said) or 'the default'}{as_dialect}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {name: getattr(self, name) for name in sorted(self.__slots__)}


class Reproduction(Frozen):
    """What a search for a published number has found. Made by :func:`reproduce`.

    Attributes
    ----------
    target : str
        The number as it was printed.
    tried : int
        How many settings were tried; those that give the same number are shown once.
    matches : tuple of Candidate
        Those that give the number at its printed precision, those with the fewest changes from
        the default first.
    nearest : tuple of Candidate
        The others, the nearest first; at most 20.
    """

    __slots__ = ("matches", "nearest", "target", "tried")
    matches: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]
    target: str
    tried: int

    def __init__(self, target: str, candidates: Sequence[Candidate], tried: int) -> None:
        """Sort the candidates; see the class."""
        wanted, decimals = _read(target)
        # Half a unit of the last place, and what a float may be off.
        reach = 0.5 * 10.0**-decimals + 1e-9

        def distance(candidate: Candidate) -> float:
            return abs(candidate.number - wanted)

        ordered = sorted(candidates, key=lambda each: (distance(each), each.changes))
        matches = [each for each in ordered if distance(each) <= reach]
        others = [each for each in ordered if distance(each) > reach]
        matches.sort(key=lambda each: (each.changes, -len(each.references)))
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "tried", tried)
        object.__setattr__(self, "matches", tuple(matches))
        object.__setattr__(self, "nearest", tuple(others[:20]))

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

    All tokenizers of the core, both cases, all smoothings, orders 1 to 4, all rules for the
    reference length, all subsets of the references, and scales of 1 and 100 are combined.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.
    target : str or float
        The number as it was printed: ``"27.30"`` has two decimals, ``27.3`` has one.
    tokenizers : sequence of str, optional
        Instead of all those of the core.

    Returns
    -------
    Reproduction

    Raises
    ------
    InputTypeError
        If the target is no number.
    LengthMismatchError, EmptyInputError
        As :meth:`truebleu.Bleu.corpus`.
    """
    text = str(target)
    _read(text)
    corpus = Corpus(hypotheses, references, reference_streams, threads)
    names = list(TOKENIZERS) if tokenizers is None else list(tokenizers)
    found: dict[tuple[float, int], Candidate] = {}
    tried = 0
    for counting, subset, rows in _counted(corpus, names, threads):
        for scoring, score in _scored(rows):
            settings = {**counting, **scoring}
            for scale in SCALES:
                tried += 1
                candidate = Candidate(score * scale / 100, scale, settings, subset)
                key = (candidate.number, scale)
                # Settings that cannot be told apart on this text are one: the simplest.
                if key not in found or candidate.changes < found[key].changes:
                    found[key] = candidate
    return Reproduction(text, list(found.values()), tried)


def _read(target: str) -> tuple[float, int]:
    try:
        number = float(target)
    except ValueError:
        raise InputTypeError(f"target is {target!r}; a number such as 27.3 is needed") from None
    if not 0 <= number <= 100:
        raise InputTypeError(f"target is {target}; a BLEU score is from 0 to 100")
    return number, len(target.partition(".")[2])


def _counted(
    corpus: Corpus, tokenizers: list[str], threads: int | None
) -> Iterator[tuple[dict[str, Any], tuple[int, ...], dict[bool, bytes]]]:
    """Count under all settings that matter for counting; yields rows without and with phantoms."""
    for subset in _subsets(corpus.references):
        references = corpus.references
        if subset:
            references = [[own[index] for index in subset] for own in references]
        rules = ("closest",) if len(subset) == 1 else REFERENCE_LENGTHS
        for tokenizer in tokenizers:
            for lowercase in (False, True):
                for rule in rules:
                    chosen = {
                        "tokenizer": tokenizer,
                        "lowercase": lowercase,
                        "reference_length": rule,
                    }
                    bleu = Bleu(**chosen)  # type: ignore[arg-type]
                    stats = bleu.count(corpus.hypotheses, references, threads, check=None)
                    row = stats.sum().to_numpy()[0]
                    phantoms = (stats.to_numpy() == 0).sum(axis=0)
                    phantoms[:6] = 0
                    rows = {False: row.astype("<i8").tobytes()}
                    if phantoms.any():
                        rows[True] = (row + phantoms).astype("<i8").tobytes()
                    yield _changes(chosen), subset, rows


def _subsets(references: list[list[str | None]]) -> list[tuple[int, ...]]:
    """List the subsets of references to try, all of them first; nothing stands for all."""
    from itertools import combinations

    counts = set(map(len, references))
    if len(counts) > 1 or any(text is None for own in references for text in own):
        # They are no complete translations, of which some could have been left out.
        return [()]
    count = counts.pop()
    sizes = range(count, 0, -1) if count <= _MOST_REFERENCES else (count, 1)
    return [subset for size in sizes for subset in combinations(range(count), size)]


def _scored(rows: dict[bool, bytes]) -> Iterator[tuple[dict[str, Any], float]]:
    """Score a row under all settings that matter for scoring alone."""
    for phantom, row in rows.items():
        for order in ORDERS:
            part = row[: 16 + 8 * order] + row[48 : 48 + 8 * order]
            for smoothing in _SMOOTHINGS:
                chosen = {"smoothing": smoothing, "max_order": order, "phantom_ngrams": phantom}
                yield _changes(chosen), _scorer(smoothing, order).parts(part)[0][0]


_scorers: dict[tuple[str, int], Bleu] = {}


def _scorer(smoothing: str, order: int) -> Bleu:
    key = smoothing, order
    if key not in _scorers:
        _scorers[key] = Bleu(tokenizer="none", smoothing=smoothing, max_order=order)
    return _scorers[key]


def _changes(settings: dict[str, Any]) -> dict[str, Any]:
    usual = {**DEFAULTS, "max_order": 4}
    return {name: value for name, value in settings.items() if usual[name] != value}
