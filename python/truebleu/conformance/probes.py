"""Asking a BLEU of somebody's own: small corpora, and the ways in which a function is called."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from math import isfinite
from pathlib import Path

from truebleu.conformance.runner import Program
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

_REFERENCE = re.compile("ref|gold|target|truth|label", re.IGNORECASE)


class Way(Record):
    """How a function is called; one of segments gets no lists of them.

    References are in lists for each segment or, as streams, all first ones, then all second ones.
    """

    corpus: bool
    references_first: bool
    words: bool
    several: bool
    streams: bool = False

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
        given: list[list[Any]] = [list(map(split, hypotheses)), every]
        chosen: list[Any] = given if self.corpus else [each[0] for each in given]
        return chosen[::-1] if self.references_first else chosen

    def __str__(self) -> str:
        """Say in words how it is called."""
        text = "lists of words" if self.words else "strings"
        if self.corpus:
            one = "references"
            if self.several:
                one = "all first, then all second references" if self.streams else f"lists of {one}"
            names = ["hypotheses", one]
        else:
            names = ["a hypothesis", "its references" if self.several else "a reference"]
        return f"with {' and '.join(names[::-1] if self.references_first else names)}, as {text}"


WAYS = [
    Way(corpus=corpus, references_first=first, words=words, several=several)
    for first in (False, True)
    for several in (True, False)
    for words in (False, True)
    for corpus in (True, False)
]
# sacreBLEU has streams.
WAYS += [way.replace(streams=True) for way in WAYS if way.several and way.corpus]


def ways_of(function: Callable[..., Any]) -> list[Way]:
    """Return the ways to call a function, those that its parameters' names tell alone."""
    from inspect import signature

    try:
        names = list(signature(function).parameters)[:2]
    except (TypeError, ValueError):
        names = []
    found = [bool(_REFERENCE.search(name)) for name in names]
    orders = [found[0]] if len(found) == 2 and found[0] != found[1] else [False, True]
    return [way for way in WAYS if way.references_first in orders]


def outcome(function: Callable[..., Any], arguments: list[Any]) -> Answer:
    """Call a function; return its score, or the error, and whether it has changed its arguments."""
    given = json.dumps(arguments)
    try:
        score = _number(function(*arguments))
        changed = json.dumps(arguments) != given
    except Exception as error:
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
    elif isinstance(answer, tuple | list):
        answer = answer[0]
    return float(getattr(answer, "score", answer))


def is_function(words: Sequence[str]) -> bool:
    """Whether it is a function in a file."""
    return len(words) == 1 and words[0].partition(":")[0].endswith(".py")


def reads_files(words: Sequence[str]) -> bool:
    """Whether it is a command that is told where the references are."""
    return not {"{reference}", "{references}"}.isdisjoint(words)


def asked_function(
    name: str, limit: float, report: Callable[[int, int], None]
) -> tuple[list[Way], list[list[Answer]], str]:
    """Ask a function in a process of its own; return how it was called, its answers, its name."""
    path, _, function = name.partition(":")
    code = f"from truebleu.conformance.probes import serve; serve({path!r}, {function!r})"
    program = Program([sys.executable, "-c", code], limit)
    program.ask(
        [
            {"id": f"{way}/{probe}", "answer": "score"}
            for way, each in enumerate(WAYS)
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
    return [WAYS[way] for way in found], list(found.values()), name


def serve(path: str, name: str) -> None:
    """Answer probes with a function of a file: that of the name, or the last that fits."""
    from importlib.util import module_from_spec, spec_from_file_location

    # What the function prints is no answer.
    output, sys.stdout = sys.stdout, sys.stderr
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec = spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a file of Python")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function = _chosen(path, vars(module), name)
    ways = ways_of(function)
    for line in sys.stdin:
        case = json.loads(line)
        way, probe = map(int, case["id"].split("/"))
        if WAYS[way] in ways:
            answer = outcome(function, WAYS[way].arguments(WAYS[way].probes()[probe]))
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


def asked_command(
    words: Sequence[str], texts: tuple[list[str], list[list[str]]], limit: float
) -> Answer:
    """Run a command on files; return the first number of its output."""
    hypotheses, references = texts
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in [("hypotheses", hypotheses), *enumerate(zip(*references, strict=True))]:
            files.append(Path(folder, f"{name}.txt"))
            write_whole(files[-1], lines_of_texts(lines, files[-1].name))
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
