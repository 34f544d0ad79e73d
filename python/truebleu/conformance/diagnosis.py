"""Diagnosis of a user's own BLEU: the known mistakes that explain its scores, and their fixes."""

from __future__ import annotations

import json
import shlex
from math import isfinite, nan

from truebleu.analysis.causes import ERRATA, Cause
from truebleu.conformance.fit import RAREST, Fit, Mistaken, is_mistake
from truebleu.conformance.functions import function_of
from truebleu.conformance.probes import (
    REPEATED,
    Way,
    asked,
    asked_command,
    asked_function,
    is_function,
)
from truebleu.display.blocks import Block, Cell
from truebleu.display.shown import Shown
from truebleu.display.words import LANGUAGES, words_in
from truebleu.errors import InputError, InputTypeError
from truebleu.metrics.settings import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.conformance.probes import Answer
    from truebleu.display.blocks import Line
    from truebleu.display.words import Language

# The least share of answers that are scores, of a way of calling that counts.
_LEAST_SHARE = 0.4

_UNEXPLAINED = "It returns {answer}; with the mistakes above, BLEU would be {expected}."

# Searches, one after the other: how rare causes may be, and which share of the answers may differ.
_SEARCHES = ((7, 0.0), (RAREST, 0.0), (9, 0.1))
_MANY = 0.75

_CHARACTERS = "Given strings, it treats each character as a word and raises no error"

# For each aspect of a cause: what the definition says, and the line of code that does it.
_DEFINITION = {
    "alignment": (
        "each hypothesis is compared with its own references",
        "bleu(hypotheses[i], references[i])",
    ),
    "tokens": ("n-grams are sequences of n words", "words = text.split()"),
    "clipping": (
        "an n-gram is credited at most as often as it occurs in the reference that has it most; p_n"
        " divides the credited n-grams by all n-grams of the hypothesis",
        "p_n = sum(min(k, max(r[g] for r in refs)) for g, k in hyp.items()) / hyp.total()",
    ),
    "credited": (
        "an n-gram is credited at most as often as it occurs in the reference that has it most",
        "credited = sum(min(k, max(r[g] for r in refs)) for g, k in hyp.items())",
    ),
    "n-grams": (
        "p_n divides the credited n-grams by the c - n + 1 n-grams of each hypothesis of c words, "
        "none if it is shorter",
        "p_n = credited / sum(max(0, len(words) - n + 1) for words in hypotheses)",
    ),
    "aggregate": (
        "matches and n-grams are summed over all segments before dividing",
        "p_n = sum(matches_of_segments) / sum(ngrams_of_segments)",
    ),
    "smoothing": (
        "without smoothing, the score is 0 if an order has no match",
        "if min(precisions) == 0: return 0.0",
    ),
    "orders": ("w_n = 1/N, and the weights add up to 1", "weights = [1 / N] * N"),
    "penalty": (
        "BP = 1 if c > r, else exp(1 - r/c), with lengths in words",
        "bp = 1.0 if c > r else math.exp(1 - r / c)",
    ),
    "mean": (
        "BLEU = BP * exp(sum of w_n * ln p_n)",
        "bleu = bp * math.exp(sum(w * math.log(p) for w, p in zip(weights, precisions)))",
    ),
    "several": (
        "an n-gram may match any reference; all references yield one score",
        "most = functools.reduce(operator.or_, counters_of_references)",
    ),
    "case": ("upper and lower case are distinguished", "words = text.split()"),
    "references": ("every reference counts", "bleu(hypothesis, references)"),
    "lengths": (
        "r sums the reference lengths closest to each hypothesis; of two as close, the shorter",
        "r += min((abs(len(ref) - c), len(ref)) for ref in references)[1]",
    ),
}

# Causes of an aspect that are about a part of it, or of another one.
_ABOUT = {
    **dict.fromkeys(("none", "set of matches", "sum of references"), "credited"),
    **dict.fromkeys(("best reference", "counts of references"), "credited"),
    **dict.fromkeys(("distinct", "recall", "words", "tails", "negative"), "n-grams"),
    "last length": "lengths",
}


def _definition(cause: Cause) -> tuple[str, str]:
    """Return what the definition says about a cause, and the line of code that does it."""
    counted = (str(cause.settings.get(each)) for each in ("clipping", "aggregate"))
    about = (_ABOUT[each] for each in counted if each in _ABOUT)
    return _DEFINITION[next(about, cause.aspect)]


class Diagnosis(Shown):
    """The result of :func:`check`: what a function computes.

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
        What differs from BLEU.
    choices : tuple of Cause
        Choices that BLEU leaves open, such as a smoothing.
    explained, asked : int
        How many answers match BLEU with these mistakes and choices, and how many there are.
    shortest : Mistaken or None
        The shortest texts for which the mistakes change the score.
    unexplained : Mistaken or None
        The shortest texts whose score is not explained, if most others are.
    failures : tuple of str
        Errors, and problems that do not depend on the score.
    notes : tuple of str
        What is right, but may lead to wrong scores.
    """

    name: str
    called: str
    mistakes: tuple[Cause, ...]
    choices: tuple[Cause, ...]
    explained: int
    asked: int
    shortest: Mistaken | None
    unexplained: Mistaken | None
    failures: tuple[str, ...]
    notes: tuple[str, ...] = ()
    # Not a field: it is about how the diagnosis is shown.
    _language: Language = "en"

    @property
    def right(self) -> bool:
        """Whether it is BLEU, as far as these texts can tell."""
        return self.explained == self.asked and not self.mistakes and not self.failures

    def verdict(self) -> str:
        """Say in a sentence what was found."""
        say, name = words_in(self._language), self.name
        if not self.explained:
            return say("{name} is not BLEU, and no known mistake explains its answers.", name=name)
        chosen = "; ".join(say.again(each.words) for each in self.choices)
        how: dict[str, Any] = {
            "name": name,
            "bleu": f"BLEU ({chosen})" if chosen else "BLEU",
            "explained": f"{self.explained:,}",
            "answers": say.count(self.asked, "answer"),
        }
        if self.right:
            return say("{name} computes {bleu}: {explained} of {answers} match.", **how)
        if not self.mistakes:
            return say(
                "{name} computes {bleu}, except for the problems below: {explained} of "
                "{answers} match.",
                **how,
            )
        said = say(
            "{name} makes {mistakes}: {words}. Apart from that, it computes {bleu}: {explained} "
            "of {answers} match.",
            mistakes=say.count(len(self.mistakes), "mistake"),
            words="; ".join(say.again(each.words) for each in self.mistakes),
            **how,
        )
        if self.explained == self.asked:
            return said
        return f"{said} {say('Something else is wrong as well.')}"

    def blocks(self) -> list[Block]:
        """Return what there is to show."""
        say = words_in(self._language)
        called = [say.again(f"It was called {self.called}.")] if self.called else []
        blocks = [Block(lines=[self.verdict(), *called])]
        for each in self.mistakes:
            definition, code = _definition(each)
            words = say.again(each.words)
            lines: list[Line] = [
                say("By definition: {said}.", said=say(definition)),
                say("To fix it:"),
                Cell(code, "code"),
            ]
            if each.erratum:
                lines.append(say("Why it is wrong: {url}", url=f"{ERRATA}#{each.erratum}"))
            blocks.append(Block(f"{words[:1].upper()}{words[1:]}", lines))
        for heading, one, words in (
            ("The smallest example", self.shortest, "It returns {answer} instead of {expected}."),
            ("What is not explained", self.unexplained, _UNEXPLAINED),
        ):
            if one is not None:
                texts = {"hypotheses": one.hypotheses, "references": one.references}
                shown = Cell(json.dumps(texts, ensure_ascii=False), "code")
                numbers = {"answer": f"{one.answer:.6g}", "expected": f"{one.expected:.6g}"}
                blocks.append(Block(say(heading), [shown, say(words, **numbers)]))
        for heading, said in (("Other problems", self.failures), ("Note", self.notes)):
            if said:
                blocks.append(Block(say(heading), [say.again(line) for line in said]))
        return blocks

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        changes = {each.words: _definition(each)[1] for each in self.mistakes}
        verdict = self.verdict()
        return {**super().to_dict(), "right": self.right, "verdict": verdict, "changes": changes}

    def _in(self, language: Language) -> Diagnosis:
        """Show it in this language."""
        if language != "en":
            self._fill(_language=language)
        return self


def check(function: Callable[..., Any], *, language: Language = "en") -> Diagnosis:
    """Find the mistakes of a function that should compute BLEU.

    The function is called with small corpora, or with single segments, as it expects: strings or
    lists of words, one reference or several, in the order that its parameters' names tell. The
    answers are compared with those of BLEU under each combination of what people do, right or wrong
    (those that :func:`truebleu.audit` tries); the most common that gives them is the diagnosis.

    Parameters
    ----------
    function : callable
        Its first two parameters are the hypotheses and the references, or the other way round;
        others without a default, such as ``n``, ``max_order`` or ``weights``, get 4, 2 or 1, or
        weights for so many orders. It returns a number, of 0 to 1 or 100, or a tuple, mapping or
        object that has it first, or as ``score`` or ``bleu``. Of a class, a method of that kind is
        called, or ``update`` and ``compute``. It runs in this process; the command
        ``truebleu check`` gives it one of its own, with limits of time and output.
    language : {"en", "ko"}, default "en"
        The language of the diagnosis: English or Korean.

    Returns
    -------
    Diagnosis

    Raises
    ------
    InputTypeError
        If `function` cannot be called.
    InputError
        If it answers nothing, however it is called, or not always the same.
    SettingsError
        If there is no such language.

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
    one_of(LANGUAGES)("language", language)
    name = getattr(function, "__name__", "the function")
    try:
        function = function_of(function)
    except TypeError as error:
        raise InputError(f"{name} cannot be called: {error}") from None
    return diagnose(name, *asked(function))._in(language)


def diagnose(name: str, ways: Sequence[Way], answers: Sequence[Sequence[Answer]]) -> Diagnosis:
    """Choose the way of calling and the causes that explain most of the answers."""
    asked = {}
    for way, given in zip(ways, answers, strict=True):
        scores = [each.get("score", nan) for each in given[: len(way.probes())]]
        # A constant is an answer to nothing; nor are zeros with something added.
        known = sum(map(isfinite, scores))
        if known >= len(scores) * _LEAST_SHARE and len(_different(scores)) > 2:
            _check_again(name, way, given)
            asked[way] = scores
    if not asked:
        raise InputError(_no_scores(name, ways, answers))
    way, fit = min(_fits(asked), key=_badness)
    given = answers[list(ways).index(way)][: len(way.probes())]
    return Diagnosis(
        name=name,
        called=str(way),
        mistakes=tuple(filter(is_mistake, fit.causes)),
        choices=tuple(each for each in fit.causes if not is_mistake(each)),
        explained=fit.explained,
        asked=len(given),
        shortest=fit.shortest(),
        unexplained=fit.unexplained() if fit.explained else None,
        failures=tuple(_failures(way, given)),
        notes=(_CHARACTERS,) if way.words and way.replace(words=False) in asked else (),
    )


def _different(scores: Sequence[float]) -> set[float]:
    return {round(score, 5) for score in scores if isfinite(score)}


def _fits(asked: dict[Way, list[float]]) -> list[tuple[Way, Fit]]:
    """Return what explains answers in each way of calling, until one explains all of them."""
    # A function of words takes strings, too, and each character as a word.
    called = [way for way in asked if way.words or way.replace(words=True) not in asked]
    # Called in a wrong way, it often has the same score.
    called.sort(key=lambda way: (-way.order, -len(_different(asked[way])) / len(asked[way])))
    of_words = any(way.words for way in asked)
    for rarest, share in _SEARCHES:
        fits = []
        for way in called:
            known = sum(map(isfinite, asked[way]))
            # What has errors as well is rather not named.
            misses = int(share * known) if known > _MANY * len(asked[way]) else 0
            fit = Fit(way, asked[way], rarest, misses)
            # What takes words is not a function of characters, whatever it makes of strings.
            if of_words and not way.words and fit.takes_characters():
                continue
            fits.append((way, fit))
            rest = called[called.index(way) + 1 :]
            if not fit.misses and fit.order[1] < 2 and not any(each.several for each in rest):
                return fits
        if any(fit.explained for _, fit in fits):
            return fits
    return fits


def _check_again(name: str, way: Way, answers: Sequence[Answer]) -> None:
    """Raise an error if a probe that was repeated at the end has a different score."""
    probes = way.probes()
    for place, second in zip(REPEATED, answers[len(probes) :], strict=False):
        one, other = (each.get("score", 0.0) for each in (answers[place], second))
        if abs(one - other) > 1e-9:
            raise InputError(
                f"{name} returns {one:.6g}, and then {other:.6g}, called {way}: "
                f"for {json.dumps(way.arguments(probes[place]))}; a score depends on the texts "
                "alone, not on chance or on earlier calls"
            )


def _no_scores(name: str, ways: Sequence[Way], answers: Sequence[Sequence[Answer]]) -> str:
    """Say what is wrong with a function that gives too few answers, in the way that gives most."""
    way, given = max(
        zip(ways, answers, strict=True), key=lambda one: sum("score" in each for each in one[1])
    )
    scores = [each["score"] for each in given if "score" in each]
    errors = [
        f"{each['error']}: for {json.dumps(way.arguments(probe))}"
        for probe, each in zip(way.questions(), given, strict=False)
        if "error" in each
    ]
    said = f"; the first error is {errors[0]}" if errors else ""
    if not scores:
        return f"{name} returns no score, however it is called{said}"
    if len({round(score, 5) for score in scores}) == 1:
        return f"{name} returns {scores[0]:.5g} for all texts, called {way}{said}"
    return f"{name} returns only {len(scores)} scores for {len(given)} texts, called {way}{said}"


def _badness(found: tuple[Way, Fit]) -> tuple[float, ...]:
    """Return a key by which unlikely ways of calling sort last."""
    way, fit = found
    unexplained = (len(way.probes()) - fit.explained) / len(way.probes())
    # What takes a single reference as well may still do something else with several.
    return unexplained, not way.several, *fit.order[1:]


def _failures(way: Way, given: Sequence[Answer]) -> Iterator[str]:
    """Yield problems that do not depend on the score."""
    seen = set()
    for probe, answer in zip(way.probes(), given, strict=True):
        said = answer.get("error", "It modifies its arguments" if answer.get("changed") else None)
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
    questions, given = way.questions(), []
    for number, probe in enumerate(questions, 1):
        given.append(asked_command(words, way.texts(probe), limit))
        report(number, len(questions))
    return diagnose(shlex.join(words), [way], [given])
