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
        "The old man walked slowly home in the rain",
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
        [outcome(function, way, place) for place in range(2 * len(way.probes()))] for way in ways
    ]


def outcome(function: Callable[..., Any], way: Way, place: int) -> Answer:
    """Call a function with a probe, in places behind the last once more.

    Returns its score, or the error, and whether it has changed its arguments.
    """
    probes = way.probes()
    arguments = way.arguments(probes[place % len(probes)])
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
            for place in range(2 * len(each.probes()))
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
    """Return the first that is called a BLEU, or else the first that gives scores."""
    if "bleu" in getattr(functions[0], "__name__", "").lower():
        return functions[0]
    for function in functions:
        # Two probes, so that a constant is no answer.
        for way in ways_of(function):
            if len({outcome(function, way, place).get("score") for place in (0, 1)} - {None}) > 1:
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
