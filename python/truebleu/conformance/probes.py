"""Asking a BLEU of somebody's own: small corpora, and the ways in which a function is called."""

from __future__ import annotations

import json
import re
import tempfile
import time
from functools import partial
from math import isfinite
from pathlib import Path

from truebleu.conformance.functions import REFERENCE, chosen, needs_order, of_order, parameters_of
from truebleu.conformance.protocol import Program, command_in, serve
from truebleu.conformance.runner import running
from truebleu.display.text import visible
from truebleu.errors import InputError
from truebleu.inputs.files import lines_of_texts
from truebleu.record import Record
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Segment = tuple[str, str, str]
    Answer = Mapping[str, Any]

# Output of a command with more bytes is more than a score.
_MOST_OUTPUT = 1 << 20

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

# Hypotheses with two references each, the smallest that show a mistake first; then those with much
# that may go wrong: too short, too long, with repeated words, with references of lengths that tie,
# without matches of some order or of any, with punctuation and capitals.
_SEGMENTS: tuple[Segment, ...] = (
    ("rain", "rain", "snow"),
    ("so", "so it is", "it is so"),
    ("ha ha", "ha", "ho ha"),
    ("good morning", "good morning to all of you", "a very good morning"),
    ("one two three", "three two one", "two three one"),
    ("we all go home", "we all go home now or never", "we all go home by bus"),
    ("we all go home", "we all go home", "we go home"),
    ("we all go home now", "we all go home", "all go home now"),
    ("we all go home today", "we all go home now", "we all go out today"),
    ("ha ha ha ha ha", "ha ha ha ha so", "ha ha ha so ha"),
    ("the the the the", "the dog saw the cat", "there is the dog"),
    ("nothing of this matches", "no word is in both", "entirely different words"),
    ("we all go home by", "we all go home by bus", "go home by bus we all"),
    ("on and on it goes", "on and on it goes and on and on it goes", "on it goes on it goes on"),
    ("so it goes on and so it goes on", "so it goes on and so it goes on now", "it goes on"),
    (
        "we met them at the station on friday",
        "we met them at the station on friday evening after the show",
        "then we met them at noon on friday",
    ),
    ("red green blue red green blue red", "blue red green red", "green blue red green blue black"),
    (
        "The Committee, they said, will meet on Monday.",
        "The committee will meet on Monday, they said: it's urgent (very).",
        "They said the committee will meet on Monday, at ten o'clock in the morning.",
    ),
    ("of the people by the people for the people", "by the people of the people", "for people"),
    ("a b c d e f g h i j", "a b c d e f g h i j k", "a b c d e x g h i"),
    (
        "The old man walked slowly home in the rain",
        "the old man walked slowly to his home in the heavy rain that night",
        "in the rain the old man went home",
    ),
    (
        "we will see each other again next week in town",
        "yes we will see each other again next week in the town",
        "see you in town",
    ),
    (
        "the cat sat on the mat and the cat sat on the mat",
        "the cat sat on the mat and then it left us",
        "a cat sat on the mat",
    ),
    (
        "she gave him the book that he wanted to read before the summer",
        "she gave him the book",
        "she gave him that book he wanted to read",
    ),
    (
        "It isn't 3.5% of U.S. exports - it's  more than 1,000 tons!",
        "It isn't 3.5% of U.S. exports -- it is more than 1,000 tons!",
        "That is not 3.5 % of exports; it is far more than 1,000 tons.",
    ),
)

# What a function of corpora is asked besides each segment alone: two segments at least.
_CORPORA = (
    (6, 6, 5),
    (0, 6),
    (19, 3),
    (22, 17, 23),
    (19, 20, 22),
    (17, 24, 20),
    (22, 19, 18),
    (23, 16, 18),
    (3, 19, 17),
    (10, 3, 4),
    (16, 10, 19),
    (4, 11, 3),
    (20, 23, 19),
    (18, 22, 16),
    (21, 21, 3),
    (11, 21, 17),
)

PLAIN = [each for each in _SEGMENTS if re.fullmatch("[a-z ]*", "".join(each))]
"""The segments that have the same words however they are split."""

REPEATED = range(len(_SEGMENTS) - 4, len(_SEGMENTS))
"""The probes that are asked again behind all others, to see whether answers vary."""

# Names of the score in what a function returns.
_SCORES = ("bleu", "bleu4", "bleuscore", "score")

# Orders that are tried for a parameter without a default: BLEU-4, and what short texts have.
_ORDERS = (4, 2, 1)


class Way(Record):
    """How a function is called; one of segments gets no lists of them.

    References are in lists for each segment or, as streams, all first ones, then all second ones.
    If texts have `keys`, they are mappings from a number to a list. A function that needs an order,
    or weights, gets one.
    """

    corpus: bool
    references_first: bool
    words: bool
    several: bool
    streams: bool = False
    keys: bool = False
    order: int = 0

    def probes(self) -> list[list[Segment]]:
        """Return the corpora that it is asked about."""
        several = _CORPORA if self.corpus else ()
        return [
            *([each] for each in _SEGMENTS),
            *([_SEGMENTS[place] for place in probe] for probe in several),
        ]

    def questions(self) -> list[list[Segment]]:
        """Return what it is asked: all probes, and the repeated ones once more."""
        probes = self.probes()
        return [*probes, *(probes[place] for place in REPEATED)]

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
        if self.streams:
            every = list(map(list, zip(*every, strict=True)))
        given: list[Any] = [list(map(split, hypotheses)), every]
        if self.keys:
            given = [dict(enumerate([each] for each in given[0])), dict(enumerate(every))]
        chosen: list[Any] = given if self.corpus else [each[0] for each in given]
        return chosen[::-1] if self.references_first else chosen

    def __str__(self) -> str:
        """Say in words how it is called."""
        text = "lists of words" if self.words else "strings"
        if self.corpus:
            one = "references"
            if self.several:
                one = "all first, then all second references" if self.streams else f"lists of {one}"
                one = "mappings to references" if self.keys else one
            names = ["hypotheses", one]
        else:
            names = ["a hypothesis", "its references" if self.several else "a reference"]
        order = f", with {self.order} as the highest order" if self.order else ""
        names = names[::-1] if self.references_first else names
        return f"with {' and '.join(names)}, as {text}{order}"


WAYS = [
    Way(corpus=corpus, references_first=first, words=words, several=several)
    for first in (False, True)
    for several in (True, False)
    for words in (False, True)
    for corpus in (True, False)
]
# sacreBLEU has streams; captions have keys.
_SEVERAL = [way for way in WAYS if way.several and way.corpus]
WAYS += [way.replace(streams=True) for way in _SEVERAL]
WAYS += [way.replace(keys=True) for way in _SEVERAL if not way.words]
WAYS += [way.replace(order=order) for order in _ORDERS for way in WAYS]


def ways_of(function: Callable[..., Any]) -> list[Way]:
    """Return the ways to call a function, those that its parameters tell alone."""
    found = [bool(REFERENCE.search(each.name)) for each in parameters_of(function)[:2]]
    first = [found[0]] if len(found) == 2 and found[0] != found[1] else [False, True]
    orders = _ORDERS if needs_order(function) else (0,)
    return [way for way in WAYS if way.references_first in first and way.order in orders]


def asked(function: Callable[..., Any]) -> tuple[list[Way], list[list[Answer]]]:
    """Ask a function in every way; return the ways, and its answers."""
    ways = ways_of(function)
    return ways, [
        [outcome(function, way, place) for place in range(len(way.questions()))] for way in ways
    ]


def outcome(function: Callable[..., Any], way: Way, place: int) -> Answer:
    """Ask a function; return its score, or the error, and whether it has changed its arguments."""
    arguments = way.arguments(way.questions()[place])
    given = json.dumps(arguments)
    try:
        score = _number(of_order(function, way.order)(*arguments))
        changed = json.dumps(arguments) != given
    except (Exception, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if not isfinite(score):
        return {"error": f"the answer is {score}"}
    return {"score": score, "changed": changed}


def _number(answer: Any) -> float:
    """Return the score in an answer; raise if there is none."""
    if hasattr(answer, "keys"):
        # "BLEU", "bleu-4" and "bleu_4" rather than the parts.
        names = {re.sub(r"\W|_", "", str(name).lower()): name for name in answer}
        known = [names[each] for each in _SCORES if each in names]
        if not known:
            raise ValueError(f"the answer has {', '.join(map(str, answer))}, but no score or bleu")
        answer = answer[known[0]]
    while isinstance(answer, tuple | list):
        answer = answer[0]
    if answer is None:
        raise TypeError("it returns nothing; a score that is printed must be returned, too")
    return float(getattr(answer, "score", getattr(answer, "bleu", answer)))


def is_function(words: Sequence[str]) -> bool:
    """Whether it is a file, or a function in one."""
    return len(words) == 1 and words[0].partition(":")[0].endswith((".py", ".ipynb"))


def reads_files(words: Sequence[str]) -> bool:
    """Whether it is a command that is told where the references are."""
    return not {"{reference}", "{references}"}.isdisjoint(words)


def asked_function(
    name: str, limit: float, report: Callable[[int, int], None]
) -> tuple[list[Way], list[list[Answer]], str]:
    """Ask a function in a process of its own; return how it was called, its answers, its name."""
    path, _, function = name.partition(":")
    program = Program(command_in(__name__, "serve_file", path, function), limit)
    program.ask(
        [
            {"id": f"{way}/{place}", "answer": "score"}
            for way, each in enumerate(WAYS)
            for place in range(len(each.questions()))
        ],
        report,
    )
    if program.violations:
        raise InputError(f"{name} cannot be called: {program.violations[0]}")
    found: dict[int, list[Answer]] = {}
    for key, answer in program.answers.items():
        name = f"{path}:{answer['function']}"
        if "skip" not in answer:
            found.setdefault(int(key.partition("/")[0]), []).append(answer)
    return [WAYS[way] for way in found], list(found.values()), name


def serve_file(path: str, name: str) -> None:
    """Answer probes with a function of a file: that of the name, or else the likeliest."""
    serve(lambda: partial(_answer, _first_that_answers(chosen(path, name))))


def _first_that_answers(functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Return the first that gives scores, or else the first of all."""
    for function in functions:
        # Several probes, so that a constant is no answer.
        for way in ways_of(function):
            if len({outcome(function, way, place).get("score") for place in REPEATED} - {None}) > 1:
                return function
    return functions[0]


def _answer(function: Callable[..., Any], case: dict[str, Any]) -> dict[str, Any]:
    way, place = map(int, case["id"].split("/"))
    answer: Answer = {"skip": "it is called otherwise"}
    if WAYS[way] in ways_of(function):
        answer = outcome(function, WAYS[way], place)
    return {"function": getattr(function, "__name__", "it"), **answer}


def asked_command(
    words: Sequence[str], texts: tuple[list[str], list[list[str]]], limit: float
) -> Answer:
    """Run a command on files; return the number of its output that is the score."""
    hypotheses, references = texts
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in [("hypotheses", hypotheses), *enumerate(zip(*references, strict=True))]:
            files.append(Path(folder, f"{name}.txt"))
            write_whole(files[-1], lines_of_texts(lines, files[-1].name))
        places = {"{hypotheses}": files[:1], "{reference}": files[1:2], "{references}": files[1:]}
        given = [str(part) for word in words for part in places.get(word, [word])]
        output, due = b"", time.monotonic() + limit
        with files[0].open("rb") as standard_input, running(given, standard_input) as program:
            while line := program.line(due, limit):
                output += line
                if len(output) > _MOST_OUTPUT:
                    raise InputError(f"{words[0]} cannot be called: it writes more than 1 MB")
            in_time = not program.over and program.ended(max(0.0, due - time.monotonic()))
    if not in_time:
        raise InputError(f"{words[0]} cannot be called: it did not end {program.over}")
    text = output.decode("utf-8", "replace")
    number = _printed(text)
    if program.code or number is None:
        said = visible((program.last_words or text.strip())[-200:])
        return {"error": f"exit code {program.code}, and no number in its output: {said}"}
    return {"score": number}


def _printed(text: str) -> float | None:
    """Return the first number behind the word BLEU, or else the first of all."""
    _, _, behind = re.sub(r"BLEU[-_@]?[1-9]?\b", "BLEU", text, flags=re.IGNORECASE).partition(
        "BLEU"
    )
    number = _NUMBER.search(behind) or _NUMBER.search(text)
    return None if number is None else float(number[0])
