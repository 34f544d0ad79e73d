"""The search for the settings of a published number, and for what people did to get it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from decimal import Decimal
from math import expm1, inf, isnan
from time import monotonic

from truebleu.analysis.causes import ERRATA
from truebleu.analysis.dialects.corpus import corpus_of
from truebleu.display import formatting
from truebleu.display.blocks import Block
from truebleu.display.shown import Result, Shown
from truebleu.errors import EmptyInputError, InputTypeError, SettingsError, written
from truebleu.inputs.checks import HYPOTHESES
from truebleu.inputs.numbers import real_number
from truebleu.metrics.dialect import on_scale
from truebleu.metrics.settings import checked_progress, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from truebleu.analysis.causes import Cause
    from truebleu.analysis.dialects.corpus import AuditedName, Choice, Corpus, Settings, Subset

    # The simplest choice that gives some numbers, one for each target, on a scale.
    Found = dict[tuple[tuple[float, ...], int], Choice]

SCALES = (100, 1)

CHANCE = 0.04
"""A hit is called chance if a random number has more hits that are as common."""

_MOST_NEAREST = 20

# Random numbers are as far from the target as this share of the scale, or nearer.
_NEAR = 0.1


class Candidate(Result):
    """One choice of settings and the number that it gives.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references, target="53.73").matches[0].number
    53.7284965911771

    Attributes
    ----------
    number : float
        On the scale of the target; with several targets, the first.
    scale : int
        1 or 100.
    settings : dict
        What differs from sacreBLEU's default: for BLEU, keyword arguments of
        :class:`truebleu.Bleu`, and habits that it has no setting for
        (:data:`truebleu.metrics.bleu.dialects.HABITS`); for chrF, see
        :data:`truebleu.metrics.chrf.dialects.DEFAULTS`.
    references : tuple of int
        Which references of each segment were used, counted from 0; empty if all were used because
        segments have different numbers of them.
    dialects : tuple of str
        The dialects that have these settings.
    causes : tuple of Cause
        What was done, in words.
    rarity : int
        The sum of the rarities of the causes.
    random_hits : float
        How many settings that are as common as this a random number with as many digits, near the
        target, would be hit by.
    """

    number: float
    scale: int
    settings: Settings
    references: Subset
    dialects: tuple[str, ...]
    causes: tuple[Cause, ...]
    rarity: int
    random_hits: float

    @property
    def chance(self) -> bool:
        """Whether random numbers are often hit by settings that are as common."""
        return self.random_hits > CHANCE

    @property
    def errata(self) -> tuple[str, ...]:
        """The sections of docs/errata.md that explain what is wrong."""
        return tuple(dict.fromkeys(each.erratum for each in self.causes if each.erratum))

    def describe(self) -> str:
        """Say in words what was done."""
        said = "; ".join(cause.words for cause in self.causes) or "the default"
        return f"{said} (as {', '.join(self.dialects)})" if self.dialects else said


class Reproduction(Shown):
    """The settings that give a published number. Made by :func:`truebleu.audit`.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references, target="53.73").verdict()
    '6,904 settings were tried, and 6 give 53.73; the most common: the default (as sacrebleu).'

    Attributes
    ----------
    target : str
        The number as it was printed; several are joined by commas.
    tried : int
        How many settings were tried; of those that give the same number, one is kept.
    untried : int
        How many were not, because time was up: those with the rarest causes.
    matches : tuple of Candidate
        Those that give the number at its printed precision, those with the most common causes
        first.
    nearest : tuple of Candidate
        The others, nearest first; at most 20.
    random_hits : float
        How many settings a random number with as many digits, near the target, would be hit by.
    """

    target: str
    tried: int
    untried: int
    matches: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]
    random_hits: float

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
        blocks = [Block("", self.sentences(), ("score", "settings"), rows, align="rl")]
        left = len(self.matches) - len(candidates)
        if left > 0:
            blocks.append(Block(lines=[f"... and {left:,} more"]))
        return blocks

    def verdict(self) -> str:
        """Say in a sentence what was found."""
        settings = formatting.count(self.tried, "setting")
        tried = f"{settings} {'was' if self.tried == 1 else 'were'} tried"
        if not self.matches:
            best = self.nearest[0]
            none, left = "none gives", ""
            if self.untried:
                none = "none of these gives"
                left = (
                    f"; time was up before the other {self.untried:,}, so give it more "
                    "(max_seconds, or --max-seconds)"
                )
            return (
                f"{tried}, and {none} {self.target}{left}. The nearest comes to {best.number:.4f}, "
                f"with {best.describe()}."
            )
        best = self.matches[0]
        gives = "one gives" if len(self.matches) == 1 else f"{len(self.matches):,} give"
        the = "none is common enough to rule out chance. The" if best.chance else "the"
        return f"{tried}, and {gives} {self.target}; {the} most common: {best.describe()}."

    def sentences(self) -> list[str]:
        """Return the verdict, how much chance explains, and what to read or to try next."""
        lines = [self.verdict()]
        if self.matches:
            best = self.matches[0]
            lines.append(
                "A random number near it, with as many digits, is matched in "
                f"{_share(best.random_hits)} of cases by settings as common as the first, and in "
                f"{_share(self.random_hits)} by any."
            )
            if best.chance:
                lines.append(
                    "So this may be chance: more digits, or the number of a second system, would "
                    "tell more."
                )
            else:
                lines += [f"Why it is wrong: {ERRATA}#{each}" for each in best.errata]
        if self.untried and self.matches:
            lines.append(f"Time was up: {self.untried:,} settings with rarer causes are left.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "verdict": self.verdict()}


def search(
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: Iterable[Any] | None,
    streams: Iterable[Iterable[str]] | None,
    *,
    target: str | float | Mapping[str, str | float],
    tokenizers: Sequence[str] | None,
    threads: int | None,
    metric: AuditedName,
    max_seconds: float | None,
    progress: Callable[[int, int], None] | None,
) -> Reproduction:
    """Search for the settings of a number, as :func:`truebleu.audit` describes it."""
    checked_progress(progress)
    kind = corpus_of(metric)
    systems = hypotheses if isinstance(hypotheses, Mapping) else {HYPOTHESES: hypotheses}
    targets = target if isinstance(target, Mapping) else {HYPOTHESES: target}
    if set(systems) != set(targets):
        raise SettingsError(
            f"there are targets for {', '.join(map(str, targets))}, but the systems are "
            f"{', '.join(map(str, systems))}"
        )
    if not systems:
        raise EmptyInputError("there is no system, and so nothing to audit; name at least one")
    printed = [
        each if isinstance(each, str) else written(each) if isnan(real_number(each)) else str(each)
        for each in (targets[name] for name in systems)
    ]
    wanted = [_checked_target(text, kind.title) for text in printed]
    corpora = [kind(each, references, streams, threads) for each in systems.values()]
    scales = [scale for scale in SCALES if max(wanted) <= scale]
    until = inf
    if max_seconds is not None and real_number(max_seconds) != inf:
        until = monotonic() + number("max_seconds", max_seconds)
    found, tried, untried = _search(corpora, tokenizers, scales, until, progress)
    return _Sorted(corpora[0], printed, found).reproduction(tried * len(scales), untried)


def _search(
    corpora: list[Corpus],
    tokenizers: Sequence[str] | None,
    scales: list[int],
    until: float,
    progress: Callable[[int, int], None] | None,
) -> tuple[Found, int, int]:
    """Score under all settings, until time is up; keep the most common for the same numbers."""
    groups = list(corpora[0].choices(tokenizers))
    total, tried = sum(map(len, groups)), 0
    found: Found = {}
    for group in groups:
        if tried and monotonic() > until:
            break
        for choice in group:
            scores = [
                each.value(each.filled(choice.settings), choice.references) for each in corpora
            ]
            for scale in scales:
                key = tuple(on_scale(score, scale) for score in scores), scale
                known, given = found.get(key), corpora[0].printed(choice, scale)
                if known is None or given.rarity < known.rarity:
                    found[key] = given
        for each in corpora:
            each.forget()
        tried += len(group)
        if progress is not None:
            progress(tried, total)
    return found, tried, total - tried


def _checked_target(target: str, title: str) -> float:
    try:
        number = float(target)
    except ValueError:
        raise InputTypeError(f"target is {target!r}; a number such as 27.3 is needed") from None
    if not 0 <= number <= 100:
        raise InputTypeError(f"target is {target}; a {title} score is from 0 to 100")
    return number


class _Sorted:
    """What was found, by how near it is to the targets and how common it is."""

    def __init__(self, corpus: Corpus, printed: list[str], found: Found) -> None:
        self._corpus, self._printed, self._found = corpus, printed, found
        self._wanted = [float(text) for text in printed]
        # Half a unit of the last place, and the error of a float.
        self._reaches = [
            0.5 * 10.0 ** int(Decimal(text).as_tuple().exponent) + 1e-9 for text in printed
        ]
        near = 1.0 if max(self._wanted) <= 1 else 100.0
        self._ranges = [
            (max(0.0, each - _NEAR * near), min(near, each + _NEAR * near)) for each in self._wanted
        ]
        # Numbers that differ in their last bits, which depend on the processor, are one.
        rarities: dict[tuple[float, ...], float] = {}
        for (numbers, _), choice in found.items():
            ranges = zip(numbers, self._ranges, strict=True)
            if all(low <= number <= high for number, (low, high) in ranges):
                key = tuple(round(number, 9) for number in numbers)
                rarities[key] = min(choice.rarity, rarities.get(key, inf))
        self._rarities = sorted(rarities.values())

    def _distance(self, numbers: tuple[float, ...]) -> float:
        """Return the largest distance from a target, in units of what is printed."""
        return max(
            abs(number - wanted) / reach
            for number, wanted, reach in zip(numbers, self._wanted, self._reaches, strict=True)
        )

    def _random_hits(self, rarity: float) -> float:
        """Return how many numbers of causes this common a random number hits."""
        hits = float(bisect_right(self._rarities, rarity))
        for reach, (low, high) in zip(self._reaches, self._ranges, strict=True):
            hits *= min(1.0, 2 * reach / (high - low))
        return hits

    def _order(self, found: tuple[tuple[float, ...], int]) -> tuple[float, ...]:
        """Return how rare it is, and how far from simple."""
        choice = self._found[found]
        return choice.rarity, len(choice.causes), len(choice.settings), *found[0]

    def reproduction(self, tried: int, untried: int) -> Reproduction:
        """Return the candidates; those that hit all targets are matches."""
        ordered = sorted(self._found, key=lambda each: (self._distance(each[0]), self._order(each)))
        hits = sum(self._distance(numbers) <= 1 for numbers, _ in ordered)
        matches = sorted(ordered[:hits], key=self._order)
        return Reproduction(
            target=", ".join(self._printed),
            tried=tried,
            untried=untried,
            matches=tuple(map(self._candidate, matches)),
            nearest=tuple(map(self._candidate, ordered[hits : hits + _MOST_NEAREST])),
            random_hits=self._random_hits(inf),
        )

    def _candidate(self, found: tuple[tuple[float, ...], int]) -> Candidate:
        choice, (numbers, scale) = self._found[found], found
        return Candidate(
            number=numbers[0],
            scale=scale,
            settings=choice.settings,
            references=choice.references,
            dialects=_dialects(self._corpus, choice.settings, choice.references, scale),
            causes=choice.causes,
            rarity=choice.rarity,
            random_hits=self._random_hits(choice.rarity),
        )


def _share(hits: float) -> str:
    """Write how often there is a hit at all, of so many on average."""
    percent = -100 * expm1(-hits)
    return "more than 99%" if percent > 99 else f"{percent:.2g}%"


def _dialects(corpus: Corpus, settings: Settings, subset: Subset, scale: int) -> tuple[str, ...]:
    """Return the names of the dialects that have these settings."""
    chosen = corpus.simplified(corpus.filled(settings), subset)
    return tuple(
        dialect.name
        for dialect in corpus.dialects.values()
        if dialect.scale == scale
        and corpus.simplified(corpus.filled(dialect.settings), subset) == chosen
    )
