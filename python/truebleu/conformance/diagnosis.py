"""Which mistake somebody's own BLEU makes: corpora that tell mistakes apart, and what fits."""

from __future__ import annotations

import json
import shlex
from math import isclose, isfinite, nan

from truebleu.analysis.causes import ERRATA, RAREST, Cause
from truebleu.analysis.dialects.bleu import BleuCorpus, is_bleu
from truebleu.conformance.probes import (
    Way,
    asked_command,
    asked_function,
    is_function,
    outcome,
    ways_of,
)
from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import count
from truebleu.display.shown import Result, Shown
from truebleu.errors import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.analysis.dialects.corpus import Choice
    from truebleu.conformance.probes import Answer

# So many ways of calling are tried with more mistakes at once.
_MOST_LIKELY = 3

# What fits all answers but these may still be what was done.
_MOST_MISSES = 3

# Alignments of those who call a function in a wrong way, or read files; it is called in every way.
_SHAPES = ("transposed", "flat", "not nested", "up", "down")

# BLEU as it is defined.
_PLAIN = {"tokenizer": "none", "smoothing": "none", "effective_order": False}

# What people add to numbers so that they can be divided by, or have logarithms, is less.
_ERROR = 1e-6

# What the definition says about the aspect of a cause.
_DEFINITION = {
    "alignment": "each hypothesis is compared with its own references",
    "tokens": "n-grams are sequences of n words",
    "clipping": "an n-gram matches min(its count in the hypothesis, its largest in a reference) "
    "times; p_n divides the matches by the c - n + 1 n-grams of a hypothesis of c words",
    "aggregate": "matches and n-grams are added up over all segments, then divided",
    "smoothing": "without smoothing, an order without a match makes the score 0",
    "orders": "w_n = 1/N, and the weights add up to 1",
    "penalty": "BP = 1 if c > r, else exp(1 - r/c), with lengths in words",
    "mean": "BLEU = BP * exp(sum of w_n * ln p_n)",
    "several": "an n-gram may match in any reference, all in one score",
    "case": "letters are compared as they are",
    "references": "every reference counts",
    "lengths": "r adds up the reference lengths closest to each hypothesis, the shorter of two as "
    "close",
}


class Mistaken(Result):
    """A text for which a function and the definition have different scores.

    >>> from truebleu.conformance.diagnosis import Mistaken
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


class Diagnosis(Shown):
    """What a function computes. Made by :func:`check`.

    >>> import truebleu
    >>> def scored(hypothesis, references):
    ...     return truebleu.sentence_bleu(hypothesis, references) / 100
    >>> truebleu.check(scored).right
    True

    Attributes
    ----------
    name : str
        What was checked.
    called : str
        How it was called, in words.
    mistakes : tuple of Cause
        What it does and BLEU does not.
    choices : tuple of Cause
        What can be chosen in BLEU, such as a smoothing.
    explained, asked : int
        How many answers are those of BLEU with these mistakes and choices, and how many there are.
    shortest : Mistaken or None
        The shortest texts for which the score is another than without the mistakes.
    failures : tuple of str
        Errors, and what else is wrong whatever the score.
    notes : tuple of str
        What is not wrong, but may lead to wrong scores.
    """

    name: str
    called: str
    mistakes: tuple[Cause, ...]
    choices: tuple[Cause, ...]
    explained: int
    asked: int
    shortest: Mistaken | None
    failures: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it is BLEU, as far as these texts can tell."""
        return self.explained == self.asked and not self.mistakes and not self.failures

    def verdict(self) -> str:
        """Say in a sentence what was found."""
        answers = f"{self.explained:,} of {count(self.asked, 'answer')}"
        if not self.explained:
            return f"{self.name} is not BLEU, and no known mistake explains its answers."
        chosen = "; ".join(each.words for each in self.choices)
        chosen = f" ({chosen})" if chosen else ""
        if not self.mistakes:
            what = "BLEU" if self.right else "BLEU, but for what is below"
            return f"{self.name} computes {what}{chosen}: {answers} are explained."
        words = "; ".join(each.words for each in self.mistakes)
        mistakes = f"{self.name} makes {count(len(self.mistakes), 'mistake')}: {words}."
        rest = ", so something else is wrong, too" * (self.explained < self.asked)
        return f"{mistakes} Otherwise it is BLEU{chosen}; that explains {answers}{rest}."

    def blocks(self) -> list[Block]:
        """Return what there is to show."""
        lines = [self.verdict(), f"It was called {self.called}."] if self.called else []
        blocks = [Block(lines=lines or [self.verdict()])]
        for each in self.mistakes:
            lines = [f"The definition: {_DEFINITION[each.aspect]}."]
            if each.erratum:
                lines.append(f"Why it is wrong: {ERRATA}#{each.erratum}")
            blocks.append(Block(f"{each.words[:1].upper()}{each.words[1:]}", lines))
        if self.shortest is not None:
            one = self.shortest
            texts = {"hypotheses": one.hypotheses, "references": one.references}
            said = f"The answer is {one.answer:.6g}, not {one.expected:.6g}."
            blocks.append(Block("An example", [Cell(json.dumps(texts), "code"), said]))
        if self.failures:
            blocks.append(Block("What else is wrong", list(self.failures)))
        if self.notes:
            blocks.append(Block("Note", list(self.notes)))
        return blocks

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "right": self.right, "verdict": self.verdict()}


def check(function: Callable[..., Any]) -> Diagnosis:
    """Say which mistake a function makes that should compute BLEU.

    The function is called with small corpora, or with single segments, as it expects: strings or
    lists of words, one reference or several, in the order that its parameters' names tell. The
    answers are compared with those of BLEU under each combination of what people do, right or wrong
    (those that :func:`truebleu.audit` tries); the most common that gives them is the diagnosis.

    Parameters
    ----------
    function : callable
        Its first two parameters are the hypotheses and the references, or the other way round. It
        returns a number, of 0 to 1 or 100, or a tuple, mapping or object that has it first, or as
        ``score`` or ``bleu``. It runs in this process; the command ``truebleu check`` gives it one
        of its own, with a limit of time.

    Returns
    -------
    Diagnosis

    Raises
    ------
    InputTypeError
        If `function` cannot be called.
    InputError
        If it answers nothing, however it is called.

    Examples
    --------
    >>> import math
    >>> from collections import Counter
    >>> from truebleu import check
    >>> def bleu_1(hypothesis, reference):
    ...     words, others = hypothesis.split(), reference.split()
    ...     matches = sum(word in others for word in words)
    ...     return min(1, math.exp(1 - len(others) / len(words))) * matches / len(words)
    >>> [mistake.words for mistake in check(bleu_1).mistakes]
    ['counts not clipped']
    """
    if not callable(function):
        raise InputTypeError(f"function is a {type(function).__name__}; a function is needed")
    ways = ways_of(function)
    answers = [[outcome(function, way.arguments(probe)) for probe in way.probes()] for way in ways]
    return diagnose(getattr(function, "__name__", "the function"), ways, answers)


def diagnose(name: str, ways: Sequence[Way], answers: Sequence[Sequence[Answer]]) -> Diagnosis:
    """Choose the way of calling, and the causes, that explain most answers to its probes."""
    asked = []
    for way, given in zip(ways, answers, strict=True):
        scores = [each.get("score", nan) for each in given]
        known = {round(score, 5) for score in scores if isfinite(score)}
        # A constant is an answer to nothing; nor are zeros with something added.
        if 2 * sum(map(isfinite, scores)) >= len(scores) and len(known) > 1:
            asked.append((way, given, scores))
    if not asked:
        raise InputError(_no_scores(name, ways, answers))
    fits: list[tuple[Way, Sequence[Answer], _Fit]] = []
    for way, given, scores in asked:
        if way.streams and not all(fit.order[0] for _, _, fit in fits):
            break
        fits.append((way, given, _Fit(way, scores, 0)))
        if _is_enough(fits[-1][-1], given):
            break
    else:
        if all(fit.order[0] for _, _, fit in fits):
            fits = [(way, given, _Fit(way, scores, _MOST_MISSES)) for way, given, scores in asked]
            # More may be wrong at once, but hardly with an unknown tokenizer, too.
            fits.sort(key=_badness)
            fits += [
                (way, given, _Fit(way, fit.scores, _MOST_MISSES, RAREST + 3))
                for way, given, fit in fits[:_MOST_LIKELY]
            ]
    way, given, fit = min(fits, key=_badness)
    notes = []
    if way.words:
        as_text = answers[ways.index(way.replace(words=False))]
        if not any("error" in each for each in as_text):
            notes.append("Given strings, it takes each character as a word, without an error")
    return Diagnosis(
        name=name,
        called=str(way),
        mistakes=tuple(filter(is_mistake, fit.causes)),
        choices=tuple(each for each in fit.causes if not is_mistake(each)),
        explained=fit.explained,
        asked=len(given),
        shortest=fit.shortest(),
        failures=tuple(_failures(way, given)),
        notes=tuple(notes),
    )


def _no_scores(name: str, ways: Sequence[Way], answers: Sequence[Sequence[Answer]]) -> str:
    """Say what is wrong with a function that has too few answers: in the way that has most."""
    way, given = max(
        zip(ways, answers, strict=True), key=lambda one: sum("score" in each for each in one[1])
    )
    scores = [each["score"] for each in given if "score" in each]
    errors = [
        f"{each['error']}: for {json.dumps(way.arguments(probe))}"
        for probe, each in zip(way.probes(), given, strict=True)
        if "error" in each
    ]
    said = f"; the first error is {errors[0]}" if errors else ""
    if not scores:
        return f"{name} gives no scores, with whatever texts and lists it is called{said}"
    if len({round(score, 5) for score in scores}) == 1:
        return f"{name} gives no scores but {scores[0]:.5g}, called {way}{said}"
    return f"{name} gives only {len(scores)} scores for {len(given)} texts, called {way}{said}"


def _is_enough(fit: _Fit, given: Sequence[Answer]) -> bool:
    """Whether no other way of calling is likely to explain more."""
    if fit.order[0] or any("error" in each for each in given):
        return False
    # Functions of words take strings, too, and are right with words.
    characters = any(each.settings == {"tokenizer": "characters"} for each in fit.causes)
    return fit.order[1] < 2 and not characters


def _badness(found: tuple[Way, Sequence[Answer], _Fit]) -> tuple[int, ...]:
    """Return what makes a way of calling an unlikely one."""
    misses, *rest = found[-1].order
    return misses + sum("error" in each for each in found[1]), *rest


def _failures(way: Way, given: Sequence[Answer]) -> Iterator[str]:
    """Say what is wrong whatever the score."""
    seen = set()
    for probe, answer in zip(way.probes(), given, strict=True):
        said = answer.get("error", "It changes its arguments" if answer.get("changed") else None)
        if said is not None and said not in seen:
            seen.add(said)
            yield f"{said}: for {json.dumps(way.arguments(probe))}"


def checked(words: Sequence[str], limit: float, report: Callable[[int, int], None]) -> Diagnosis:
    """Diagnose a function of a file, ``my_bleu.py:bleu``, or a command that reads files."""
    if is_function(words):
        ways, answers, name = asked_function(words[0], limit, report)
        return diagnose(name, ways, answers)
    several = "{references}" in words
    way = Way(corpus=True, references_first=False, words=False, several=several)
    given = []
    for number, probe in enumerate(way.probes()):
        given.append(asked_command(words, way.texts(probe), limit))
        report(number + 1, len(way.probes()))
    return diagnose(shlex.join(words), [way], [given])


class _Fit:
    """What explains the answers to the probes of a way of calling."""

    def __init__(
        self, way: Way, scores: Sequence[float], most_misses: int, rarest: int = RAREST
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
        split = ["none"] if self._way.words or rarest > RAREST else None
        for group in self._corpora[0].choices(split, rarest):
            for choice in group:
                causes = self._causes(choice)
                if causes is None:
                    continue
                mistakes = sum(map(is_mistake, causes))
                rest = mistakes, sum(each.rarity for each in causes), len(choice.settings)
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
        if alignment in _SHAPES or (alignment and alignment != "swapped" and not self._way.corpus):
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
            causes.append(Cause(aspect="references", settings={}, rarity=3, words=words))
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
        return cause.settings == {"tokenizer": "end token"}
    # Weights that do not add up to 1 are no mean.
    weights = sum(cause.settings.get("weights") or (1,))
    return cause.aspect == "references" or not is_bleu(cause.settings) or not isclose(weights, 1)
