"""Which mistake somebody's own BLEU makes: corpora that tell mistakes apart, and what fits."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from math import isfinite, nan
from pathlib import Path

from truebleu.analysis.causes import RAREST, Cause
from truebleu.analysis.dialects.bleu import BleuCorpus, is_bleu
from truebleu.conformance.runner import Program
from truebleu.display.blocks import Block, Code
from truebleu.display.formatting import count
from truebleu.display.shown import Result, Shown
from truebleu.display.text import visible
from truebleu.errors import InputError, InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.analysis.dialects.corpus import Choice

    Segment = tuple[str, str, str]
    Answer = Mapping[str, Any]

# Hypotheses with two references each: too short, too long, with repeated words, with references of
# lengths that tie, without matches of some order or of any, with punctuation and capitals.
_SEGMENTS: tuple[Segment, ...] = (
    (
        "the cat sat on the mat and the cat sat on the mat",
        "the cat sat on the mat and then it left us",
        "a cat sat on the mat",
    ),
    (
        "The Committee, they said, will meet on Monday.",
        "The committee will meet on Monday, they said: it's urgent (very).",
        "They said the committee will meet on Monday, at ten o'clock in the morning.",
    ),
    ("the the the the", "the dog saw the cat", "there is the dog"),
    (
        "she gave him the book that he wanted to read before the summer",
        "she gave him the book",
        "she gave him that book he wanted to read",
    ),
    (
        "a b c d e f g h i j",
        "a b c d e f g h i j k",
        "a b c d e x g h i",
    ),
    ("good morning", "good morning to all of you", "a very good morning"),
    (
        "It isn't 3.5% of U.S. exports - it's  more than 1,000 tons!",
        "It isn't 3.5% of U.S. exports -- it is more than 1,000 tons!",
        "That is not 3.5 % of exports; it is far more than 1,000 tons.",
    ),
    (
        "the old man walked slowly home in the rain",
        "the old man walked slowly to his home in the heavy rain that night",
        "in the rain the old man went home",
    ),
    ("nothing of this matches", "no word is in both", "entirely different words"),
    ("red green blue red green blue red", "blue red green red", "green blue red green blue black"),
    ("of the people by the people for the people", "by the people of the people", "for people"),
    ("one two three", "three two one", "two three one"),
    (
        "we will see each other again next week in town",
        "yes we will see each other again next week in the town",
        "see you in town",
    ),
)

_CORPORA = (
    (0, 1, 3),
    (4, 7, 0),
    (1, 6, 7),
    (0, 4, 10),
    (3, 9, 10),
    (5, 4, 1),
    (2, 5, 11),
    (9, 2, 4),
    (11, 8, 5),
    (6, 1, 2),
    (7, 3, 4),
    (10, 0, 9),
    (12, 12, 5),
    (8, 12, 1),
)

_REFERENCE = re.compile("ref|gold|target|truth|label|answer", re.IGNORECASE)

# So many ways of calling are tried with more mistakes at once.
_MOST_LIKELY = 3

# What fits all answers but these may still be what was done.
_MOST_MISSES = 3

# Alignments of those who call a function in a wrong way; it is called in every way.
_SHAPES = ("transposed", "flat", "not nested")

# BLEU as it is defined.
_PLAIN = {"tokenizer": "none", "smoothing": "none", "effective_order": False}

# What people add to numbers so that they can be divided by, or have logarithms, is less.
_ERROR = 1e-6

# What the definition says about the aspect of a cause.
_DEFINITION = {
    "alignment": "each hypothesis is compared with its own references",
    "tokens": "n-grams are sequences of n words",
    "clipping": "an n-gram matches min(its count in the hypothesis, its largest in a reference) "
    "times",
    "aggregate": "matches and n-grams are added up over all segments, then divided",
    "smoothing": "without smoothing, an order without a match makes the score 0",
    "orders": "w_n = 1/N, and the weights add up to 1",
    "penalty": "BP = 1 if c > r, else exp(1 - r/c), with lengths in words",
    "mean": "BLEU = BP * exp(sum of w_n * ln p_n)",
    "lengths": "r adds up the reference lengths closest to each hypothesis, the shorter of two as "
    "close",
}


class Way(Result, public=False):
    """How a function is called; one of segments gets no lists of them."""

    corpus: bool
    references_first: bool
    words: bool
    several: bool

    def probes(self) -> list[list[Segment]]:
        """Return the corpora that it is asked about."""
        chosen = _CORPORA if self.corpus else [(index,) for index in range(len(_SEGMENTS))]
        return [[_SEGMENTS[index] for index in probe] for probe in chosen]

    def texts(self, probe: list[Segment]) -> tuple[list[str], list[list[str]]]:
        """Return the hypotheses of a probe, and the references of each."""
        most = 3 if self.several else 2
        return [each[0] for each in probe], [list(each[1:most]) for each in probe]

    def arguments(self, probe: list[Segment]) -> list[Any]:
        """Return what the function gets."""
        hypotheses, references = self.texts(probe)
        split: Callable[[str], Any] = str.split if self.words else str
        every = [
            list(map(split, several)) if self.several else split(several[0])
            for several in references
        ]
        given = [list(map(split, hypotheses)), every]
        chosen = given if self.corpus else [each[0] for each in given]
        return chosen[::-1] if self.references_first else chosen

    def __str__(self) -> str:
        """Say in words how it is called."""
        text = "lists of words" if self.words else "strings"
        names = (
            ("hypotheses", f"{'lists of references' if self.several else 'references'}")
            if self.corpus
            else ("a hypothesis", "its references" if self.several else "a reference")
        )
        return f"with {' and '.join(names[::-1] if self.references_first else names)}, as {text}"


_WAYS = [
    Way(corpus=corpus, references_first=first, words=words, several=several)
    for first in (False, True)
    for several in (True, False)
    for words in (False, True)
    for corpus in (True, False)
]


class Mistaken(Result):
    """A text for which a function and the definition have different scores.

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
    """

    name: str
    called: str
    mistakes: tuple[Cause, ...]
    choices: tuple[Cause, ...]
    explained: int
    asked: int
    shortest: Mistaken | None
    failures: tuple[str, ...]

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
        return f"{self.name} makes {count(len(self.mistakes), 'mistake')}: {words}. With BLEU" + (
            f"{chosen}, that explains {answers}."
        )

    def blocks(self) -> list[Block]:
        """Return what there is to show."""
        lines = [self.verdict(), f"It was called {self.called}."] if self.called else []
        blocks = [Block(lines=lines or [self.verdict()])]
        for each in self.mistakes:
            said = [f"The definition: {_DEFINITION[each.aspect]}."] * (each.aspect in _DEFINITION)
            if each.erratum:
                said.append(f"Why it is wrong: docs/errata.md#{each.erratum}")
            blocks.append(Block(f"{each.words[:1].upper()}{each.words[1:]}", said))
        if self.shortest is not None:
            one = self.shortest
            texts = {"hypotheses": one.hypotheses, "references": one.references}
            said = f"The answer is {one.answer:.6g}, not {one.expected:.6g}."
            blocks.append(Block("An example", [Code(json.dumps(texts)), said]))
        if self.failures:
            blocks.append(Block("What else is wrong", list(self.failures)))
        return blocks

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "right": self.right, "verdict": self.verdict()}


def check(function: Callable[..., Any]) -> Diagnosis:
    """Say which mistake a function makes that should compute BLEU.

    The function is called with small corpora, or with single segments, as it expects: strings or
    lists of words, one reference or several, in the order that its parameters' names tell. The
    answers are compared with those of BLEU under each combination of what people do, right or wrong
    (those that :func:`reproduce` tries); the most common that gives them is the diagnosis.

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


def ways_of(function: Callable[..., Any]) -> list[Way]:
    """Return the ways to call a function, those that its parameters' names tell alone."""
    from inspect import signature

    try:
        names = list(signature(function).parameters)[:2]
    except (TypeError, ValueError):
        names = []
    found = [bool(_REFERENCE.search(name)) for name in names]
    orders = [found[0]] if len(found) == 2 and found[0] != found[1] else [False, True]
    return [way for way in _WAYS if way.references_first in orders]


def outcome(function: Callable[..., Any], arguments: list[Any]) -> Answer:
    """Call a function; return its score, or the error, and whether it has changed its arguments."""
    given = json.dumps(arguments)
    try:
        score = _number(function(*arguments))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if not isfinite(score):
        return {"error": f"the answer is {score}"}
    return {"score": score, "changed": json.dumps(arguments) != given}


def _number(answer: Any) -> float:
    """Return the score in an answer; raise if there is none."""
    if hasattr(answer, "keys"):
        answer = answer["bleu" if "bleu" in answer else "score"]
    elif isinstance(answer, tuple | list):
        answer = answer[0]
    return float(getattr(answer, "score", answer))


def diagnose(name: str, ways: Sequence[Way], answers: Sequence[Sequence[Answer]]) -> Diagnosis:
    """Choose the way of calling, and the causes, that explain most answers to its probes."""
    fits = []
    for way, given in zip(ways, answers, strict=True):
        scores = [each.get("score", nan) for each in given]
        known = {score for score in scores if isfinite(score)}
        # A constant is an answer to nothing.
        if 2 * sum(map(isfinite, scores)) >= len(scores) and len(known) > 1:
            fits.append((sum("error" in each for each in given), way, given, _Fit(way, scores)))
            if fits[-1][0] == 0 and fits[-1][-1].order[:2] == (0, 0):
                break
    if not fits:
        errors = [each["error"] for given in answers for each in given if "error" in each]
        said = f"; the first error is {errors[0]}" if errors else ""
        raise InputError(
            f"{name} gives no scores, with whatever texts and lists it is called{said}"
        )
    if min(fit.order[0] for _, _, _, fit in fits):
        # More may be wrong at once, but hardly with an unknown tokenizer, too.
        fits.sort(key=_badness)
        fits += [
            (failed, way, given, _Fit(way, fit.scores, RAREST + 3))
            for failed, way, given, fit in fits[:_MOST_LIKELY]
        ]
    _, way, given, fit = min(fits, key=_badness)
    failures = list(_failures(way, given))
    if way.words:
        text = way.replace(words=False)
        as_text = answers[ways.index(text)]
        if not any("error" in each for each in as_text):
            failures.append("Given strings, it takes each character as a word, without an error")
    return Diagnosis(
        name=name,
        called=str(way),
        mistakes=tuple(filter(is_mistake, fit.causes)),
        choices=tuple(each for each in fit.causes if not is_mistake(each)),
        explained=fit.explained,
        asked=len(given),
        shortest=fit.shortest(),
        failures=tuple(failures),
    )


def _badness(found: tuple[int, Way, Sequence[Answer], _Fit]) -> tuple[int, ...]:
    """Return what makes a way of calling an unlikely one."""
    failed, way, _, fit = found
    misses, *rest = fit.order
    return failed + misses, *rest


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
        ways, answers, name = _asked_function(words[0], limit, report)
        return diagnose(name, ways, answers)
    several = "{references}" in words
    way = Way(corpus=True, references_first=False, words=False, several=several)
    answers = []
    for number, probe in enumerate(way.probes()):
        answers.append(_asked_command(words, way.texts(probe), limit))
        report(number + 1, len(way.probes()))
    return diagnose(shlex.join(words), [way], [answers])


def is_function(words: Sequence[str]) -> bool:
    """Whether it is a function in a file."""
    return len(words) == 1 and words[0].partition(":")[0].endswith(".py")


def reads_files(words: Sequence[str]) -> bool:
    """Whether it is a command that is told where the references are."""
    return not {"{reference}", "{references}"}.isdisjoint(words)


def _asked_function(
    name: str, limit: float, report: Callable[[int, int], None]
) -> tuple[list[Way], list[list[Answer]], str]:
    """Ask a function in a process of its own; return how it was called, its answers, its name."""
    path, _, function = name.partition(":")
    code = f"from truebleu.conformance.diagnosis import serve; serve({path!r}, {function!r})"
    program = Program([sys.executable, "-c", code], limit)
    program.ask(
        [
            {"id": f"{way}/{probe}", "answer": "score"}
            for way, each in enumerate(_WAYS)
            for probe in range(len(each.probes()))
        ],
        report,
    )
    if program.violations:
        raise InputError(f"{name} cannot be asked: {program.violations[0]}")
    found: dict[int, list[Answer]] = {}
    for key, answer in program.answers.items():
        name = f"{path}:{answer['function']}"
        if "skip" not in answer:
            found.setdefault(int(key.partition("/")[0]), []).append(answer)
    return [_WAYS[way] for way in found], list(found.values()), name


def serve(path: str, name: str) -> None:
    """Answer probes with a function of a file: that of the name, or the last that fits."""
    from importlib.util import module_from_spec, spec_from_file_location

    # What the function prints is no answer.
    output, sys.stdout = sys.stdout, sys.stderr
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec = spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None  # noqa: PT018  # For the name ends in .py.
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function = _chosen(path, vars(module), name)
    ways = ways_of(function)
    for line in sys.stdin:
        case = json.loads(line)
        way, probe = map(int, case["id"].split("/"))
        if _WAYS[way] in ways:
            answer = outcome(function, _WAYS[way].arguments(_WAYS[way].probes()[probe]))
        else:
            answer = {"skip": "its parameters have names that tell otherwise"}
        answer = {"id": case["id"], "function": function.__name__, **answer}
        output.write(json.dumps(answer) + "\n")
        output.flush()


def _chosen(path: str, names: Mapping[str, Any], name: str) -> Callable[..., Any]:
    """Return a function of a file; exit with a sentence if there is none."""
    functions = {
        key: value
        for key, value in names.items()
        if type(value) is type(serve) and value.__globals__ is names and not key.startswith("_")
    }
    if name:
        if name not in functions:
            sys.exit(f"there is no function {name!r}, but {', '.join(functions) or 'none at all'}")
        return functions[name]
    bleus = [key for key in functions if "bleu" in key.lower()]
    likely = [key for key in bleus if "corpus" in key.lower()] or bleus or list(functions)
    if not likely:
        sys.exit(f"{path} has no function")
    return functions[likely[-1]]


def _asked_command(
    words: Sequence[str], texts: tuple[list[str], list[list[str]]], limit: float
) -> Answer:
    """Run a command on files; return the first number of its output."""
    hypotheses, references = texts
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in [("hypotheses", hypotheses), *enumerate(zip(*references, strict=True))]:
            files.append(Path(folder, f"{name}.txt"))
            files[-1].write_text("".join(f"{line}\n" for line in lines), "utf-8")
        places = {"{hypotheses}": files[:1], "{reference}": files[1:2], "{references}": files[1:]}
        given = [part for word in words for part in places.get(word, [word])]
        with files[0].open("rb") as standard_input:
            try:
                done = subprocess.run(  # noqa: S603  # The user's own program.
                    given, stdin=standard_input, capture_output=True, timeout=limit, check=False
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise InputError(f"{words[0]} cannot be asked: {error}") from None
    text = done.stdout.decode("utf-8", "replace")
    number = re.search(r"(?:BLEU\D*)??(\d+(?:\.\d+)?)", re.sub(r"BLEU-?\d*", "BLEU", text))
    if done.returncode or number is None:
        said = visible((done.stderr.decode("utf-8", "replace") or text).strip()[-200:])
        return {"error": f"exit code {done.returncode}, and no number in its output: {said}"}
    return {"score": float(number[1])}


class _Fit:
    """What explains the answers to the probes of a way of calling."""

    def __init__(self, way: Way, scores: Sequence[float], rarest: int = RAREST) -> None:
        self._way, self.scores = way, scores
        self._corpora = [BleuCorpus(*way.texts(probe)) for probe in way.probes()]
        self._known = [index for index, score in enumerate(scores) if isfinite(score)]
        self._rounded = _half_a_unit([scores[index] for index in self._known])
        self.order: tuple[int, ...] = (len(self._known), 0, 0, 0)
        self.causes: tuple[Cause, ...] = ()
        self._settings: Mapping[str, Any] = _PLAIN
        self._scale = 1
        self._search(rarest)
        self.explained = len(self._known) - self.order[0]

    def _search(self, rarest: int) -> None:
        """Keep the choice with the fewest misses and mistakes, the most common of several."""
        # Whoever gets words does not split text; and without a tokenizer there is more to try.
        split = ["none"] if self._way.words or rarest > RAREST else None
        fewest = _MOST_MISSES
        for group in self._corpora[0].choices(split, rarest):
            for choice in group:
                causes = self._causes(choice)
                if causes is None:
                    continue
                mistakes = sum(map(is_mistake, causes))
                rest = mistakes, sum(each.rarity for each in causes), len(choice.settings)
                for scale in (1, 100):
                    if (0, *rest) >= self.order:
                        continue
                    misses = self._missed(choice, scale, fewest)
                    if misses <= fewest and (misses, *rest) < self.order:
                        self.order, self.causes = (misses, *rest), causes
                        self._settings, self._scale = choice.settings, scale
                        fewest = misses
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

    def _missed(self, choice: Choice, scale: int, most: int) -> int:
        misses = 0
        for index in self._known:
            if misses > most:
                break
            value = self._value(choice.settings, index, scale, choice.references)
            misses += not self._same(index, value, scale)
        return misses

    def _value(
        self, settings: Mapping[str, Any], index: int, scale: int, subset: tuple[int, ...] = ()
    ) -> float:
        """Return the score of a probe under some settings."""
        corpus = self._corpora[index]
        return corpus.value(corpus.filled(settings), subset) * scale / 100

    def _same(self, index: int, value: float, scale: int) -> bool:
        return abs(self.scores[index] - value) <= max(self._rounded, _ERROR * scale)

    def shortest(self) -> Mistaken | None:
        """Return the shortest probe whose answer is not that of the choices alone, if any is."""
        settings = dict(self._settings)
        for each in filter(is_mistake, self.causes):
            settings = {name: settings[name] for name in settings.keys() - each.settings.keys()}
        found = []
        for index in self._known:
            value = self._value(settings, index, self._scale)
            if not self._same(index, value, self._scale):
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
    if cause.settings == {"tokenizer": "none"}:
        return False
    own = cause.aspect == "references" or not is_bleu(cause.settings)
    return own or cause.erratum is not None
