"""The search for the settings of a published number."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import corpus_of, shown
from truebleu.display import formatting
from truebleu.display.blocks import Block
from truebleu.display.shown import Result, Shown
from truebleu.errors import InputTypeError, written
from truebleu.metrics.dialect import on_scale
from truebleu.suggestions import check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from typing_extensions import Never

    from truebleu.analysis.dialects.corpus import AuditedName, Corpus

    Settings = dict[str, Any]
    Subset = tuple[int, ...]

SCALES = (100, 1)

_MOST_NEAREST = 20


class Candidate(Result):
    """One choice of settings and the number that it gives.

    Attributes
    ----------
    number : float
        On the scale of the target.
    scale : int
        1 or 100.
    settings : dict
        What differs from sacreBLEU's default: for BLEU, keyword arguments of
        :class:`truebleu.Bleu`; for chrF, see :data:`truebleu.metrics.chrf.dialects.DEFAULTS`.
    references : tuple of int
        Which references of each segment were used, counted from 0; empty if all were used because
        segments have different numbers of them.
    dialects : tuple of str
        The dialects that have these settings.
    """

    number: float
    scale: int
    settings: Settings
    references: Subset
    dialects: tuple[str, ...]

    @property
    def changes(self) -> int:
        """How many aspects of the settings differ from the default."""
        return len(self.settings)

    def describe(self) -> str:
        """Write the settings in words."""
        words = [
            f"{name} {shown(value)}" for name, value in self.settings.items() if value is not True
        ]
        words += [name for name, value in self.settings.items() if value is True]
        as_dialect = f" (as {', '.join(self.dialects)})" if self.dialects else ""
        return f"{', '.join(words) or 'the default'}{as_dialect}"


class Reproduction(Shown):
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

    target: str
    tried: int
    matches: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]

    def __repr__(self) -> str:
        return f"<Reproduction of {self.target}: {len(self.matches):,} of {self.tried:,} settings>"

    def blocks(self, limit: int = 10, references: Sequence[str] | None = None) -> list[Block]:
        """Return blocks with up to `limit` candidates, and the names of `references`, if given."""
        candidates = (self.matches or self.nearest)[:limit]
        if references is None:
            used = [index for each in (*self.matches, *self.nearest) for index in each.references]
            references = [f"reference {index}" for index in range(max(used, default=0) + 1)]
        rows = []
        for each in candidates:
            said = each.describe()
            if 0 < len(each.references) < len(references):
                said += f"; {', '.join(references[index] for index in each.references)}"
            rows.append(("", (f"{each.number:.4f}", said)))
        blocks = [Block("", [self.verdict()], ("score", "settings"), rows, align="rl")]
        left = len(self.matches) - len(candidates)
        if left > 0:
            blocks.append(Block(lines=[f"... and {left:,} more"]))
        return blocks

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
    metric: AuditedName = "bleu",
    **unknown: Never,
) -> Reproduction:
    """Search for the settings that give a published number.

    All combinations are tried. For BLEU: the core's tokenizers, with and without lower-casing,
    smoothings, orders 1 to 4, and rules for the reference length. For chrF: with and without
    lower-casing, whitespace and epsilon smoothing, word orders 0 to 2, beta 1 to 3, and rules of
    other tools, such as the mean of the scores of segments. For both: subsets of the references,
    and the scales that end at the target or above it, of 1 and 100.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.
    target : str or float
        The number as it was printed: ``"27.30"`` has two decimals, ``27.3`` has one.
    tokenizers : sequence of str, optional
        The tokenizers to try, for BLEU. Default: all of the core.
    metric : {"bleu", "chrf"}, default "bleu"

    Returns
    -------
    Reproduction

    Raises
    ------
    InputTypeError
        If the target is not a number from 0 to 100.
    SettingsError
        If `tokenizers` is empty, or is given for a metric that has none.
    UnknownNameError
        If the metric has no dialects.
    LengthMismatchError, EmptyInputError
        As in :meth:`truebleu.Bleu.corpus`.
    """
    check_arguments(unknown, reproduce)
    text = target if isinstance(target, str) else written(target)
    kind = corpus_of(metric)
    number = _checked_target(text, kind.title)
    scales = [scale for scale in SCALES if number <= scale]
    corpus = kind(hypotheses, references, reference_streams, threads)
    # For each number on a scale the simplest settings that give it, and their references.
    simplest: dict[tuple[float, int], tuple[Settings, Subset]] = {}
    tried = 0
    for settings, subset, score in corpus.score_all(tokenizers):
        for scale in scales:
            tried += 1
            key = on_scale(score, scale), scale
            known = simplest.get(key)
            if known is None or len(settings) < len(known[0]):
                simplest[key] = settings, subset
    candidates = [
        Candidate(
            number=number,
            scale=scale,
            settings=settings,
            references=subset,
            dialects=_dialects(corpus, settings, subset, scale),
        )
        for (number, scale), (settings, subset) in simplest.items()
    ]
    return _sorted(text, candidates, tried)


def _checked_target(target: str, title: str) -> float:
    try:
        number = float(target)
    except ValueError:
        raise InputTypeError(f"target is {target!r}; a number such as 27.3 is needed") from None
    if not 0 <= number <= 100:
        raise InputTypeError(f"target is {target}; a {title} score is from 0 to 100")
    return number


def _sorted(target: str, candidates: list[Candidate], tried: int) -> Reproduction:
    """Tell the candidates that give the number from the others, and sort both."""
    wanted, decimals = float(target), len(target.partition(".")[2])
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


def _dialects(corpus: Corpus, settings: Settings, subset: Subset, scale: int) -> tuple[str, ...]:
    """Return the names of the dialects that have these settings."""
    chosen = corpus.simplified(corpus.filled(settings), subset)
    return tuple(
        dialect.name
        for dialect in corpus.dialects.values()
        if dialect.scale == scale
        and corpus.simplified(corpus.filled(dialect.settings), subset) == chosen
    )
