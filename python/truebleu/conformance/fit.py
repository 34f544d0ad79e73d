"""What explains the answers of somebody's own BLEU: the habits and mistakes that give them."""

from __future__ import annotations

from math import isclose, isfinite

from truebleu.analysis.causes import RAREST, Cause, rarity_of
from truebleu.analysis.dialects.bleu import BleuCorpus, is_bleu
from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from truebleu.analysis.dialects.corpus import Choice
    from truebleu.conformance.probes import Way

# Alignments of those who call a function in a wrong way, or read files; it is called in every way.
_SHAPES = ("transposed", "flat", "not nested", "up", "down")

# BLEU as it is defined.
_PLAIN = {"tokenizer": "none", "smoothing": "none", "effective_order": False}

# What people add to numbers so that they can be divided by, or have logarithms, is less.
_ERROR = 1e-6

# How rare it is to use one reference of several.
_ONE = (3, 3, 3)


class Mistaken(Result):
    """A text for which a function and the definition have different scores.

    >>> from truebleu.conformance.fit import Mistaken
    >>> Mistaken(hypotheses=("a b",), references=(("a c",),), answer=1, expected=0)
    Mistaken(hypotheses=('a b',), references=(('a c',),), answer=1, expected=0)

    Attributes
    ----------
    hypotheses, references : tuple
        The texts; for each hypothesis, a tuple of references.
    answer, expected : float
        Both on the scale of the function.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    answer: float
    expected: float


class Fit:
    """What explains the answers to the probes of a way of calling."""

    def __init__(
        self, way: Way, scores: Sequence[float], most_misses: int, rarest: int = RAREST + 2
    ) -> None:
        self._way, self.scores = way, scores
        self._corpora = [BleuCorpus(*way.texts(probe)) for probe in way.probes()]
        self._known = [index for index, score in enumerate(scores) if isfinite(score)]
        self._rounded = _half_a_unit([scores[index] for index in self._known])
        self.order: tuple[int, ...] = (len(self._known), 0, 0, 0)
        self.causes: tuple[Cause, ...] = ()
        self._settings: Mapping[str, Any] = _PLAIN
        # A penalty upside down is up to e.
        self._scale = 1 if max(scores[index] for index in self._known) < 3 else 100
        self._search(most_misses, rarest)
        self.explained = len(self._known) - self.order[0]

    def _search(self, fewest: int, rarest: int) -> None:
        """Keep the choice with the fewest misses and mistakes, the most common of several."""
        # Whoever gets words does not split text; and without a tokenizer there is more to try.
        split = ["none"] if self._way.words or rarest > RAREST + 2 else None
        for group in self._corpora[0].choices(split, rarest):
            for choice in group:
                causes = self._causes(choice)
                if causes is None:
                    continue
                mistakes = sum(map(is_mistake, causes))
                rest = mistakes, rarity_of(causes), len(choice.settings)
                if (0, *rest) < self.order:
                    misses = self._missed(choice, fewest)
                    if misses <= fewest and (misses, *rest) < self.order:
                        self.order, self.causes = (misses, *rest), causes
                        self._settings, fewest = choice.settings, misses
            for each in self._corpora:
                each.forget()

    def _causes(self, choice: Choice) -> tuple[Cause, ...] | None:
        """Return the causes of a choice as far as they concern a function; None to leave it out."""
        alignment = choice.settings.get("alignment")
        of_segments = alignment in (None, "swapped", "references joined")
        if alignment in _SHAPES or not (of_segments or self._way.corpus):
            return None
        causes = [each for each in choice.causes if each.aspect != "dialect"]
        if len(causes) < len(choice.causes):
            return None
        if not self._way.corpus:
            # The mean of one score is that score.
            causes = [each for each in causes if each.settings != {"aggregate": "segments"}]
        if self._way.words or choice.settings.get("tokenizer") == "none":
            causes = [each for each in causes if each.settings != {"tokenizer": "none"}]
        if self._way.several and len(choice.references) < 2:
            words = f"no reference is used but number {choice.references[0] + 1}"
            causes.append(Cause(aspect="references", settings={}, weights=_ONE, words=words))
        return tuple(causes)

    def _missed(self, choice: Choice, most: int) -> int:
        misses = 0
        for index in self._known:
            if misses > most:
                break
            misses += self._misses(index, self._value(choice.settings, index, choice.references))
        return misses

    def _value(
        self, settings: Mapping[str, Any], index: int, subset: tuple[int, ...] = ()
    ) -> float:
        """Return the score of a probe under some settings."""
        corpus = self._corpora[index]
        return corpus.value(corpus.filled(settings), subset) * self._scale / 100

    def _misses(self, index: int, value: float) -> bool:
        error = abs(self.scores[index] - value)
        return error > max(self._rounded, _ERROR * self._scale)

    def shortest(self) -> Mistaken | None:
        """Return the shortest probe whose answer is not that of the choices alone, if any is."""
        settings = dict(self._settings)
        for each in filter(is_mistake, self.causes):
            settings = {name: settings[name] for name in settings.keys() - each.settings.keys()}
        found = []
        for index in self._known:
            value = self._value(settings, index)
            if self._misses(index, value):
                size = sum(map(len, self._corpora[index].hypotheses))
                found.append((size, index, value))
        if not found:
            return None
        _, index, value = min(found)
        texts, references = self._way.texts(self._way.probes()[index])
        return Mistaken(
            hypotheses=tuple(texts),
            references=tuple(map(tuple, references)),
            answer=self.scores[index],
            expected=value,
        )


def _half_a_unit(scores: Sequence[float]) -> float:
    """Return half a unit of the last decimal of scores; nothing unless they are rounded."""
    for decimals in range(1, 6):
        if all(abs(score - round(score, decimals)) < 1e-12 for score in scores):
            return 0.5001 * 10.0**-decimals
    return 0.0


def is_mistake(cause: Cause) -> bool:
    """Tell whether BLEU has no such setting, or an erratum warns of it."""
    if cause.erratum is not None:
        return cause.settings != {"tokenizer": "none"}
    if cause.settings == {"brevity_penalty": False}:
        return True
    if cause.aspect in ("tokens", "smoothing"):
        return not {"end token", "missing as 1"}.isdisjoint(map(str, cause.settings.values()))
    # Weights that do not add up to 1 are no mean.
    weights = sum(cause.settings.get("weights") or (1,))
    return cause.aspect == "references" or not is_bleu(cause.settings) or not isclose(weights, 1)
