"""Asking a program: cases as JSON lines on its standard input, answers on its standard output."""

from __future__ import annotations

import json
import math
import sys
import time
from functools import partial
from io import StringIO

from truebleu.conformance.runner import LONGEST_LINE, running, signal_name
from truebleu.display.formatting import count
from truebleu.display.text import visible
from truebleu.errors import InputError
from truebleu.inputs.forms import json_value
from truebleu.inputs.numbers import real_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.conformance.runner import Running

    Case = dict[str, Any]
    Answer = dict[str, Any]

# After so many violations there is no point in more.
_MOST_VIOLATIONS = 20

_MOST_SHOWN = 200

# Last words may say what to do instead.
_MOST_SAID = 1000


class Program:
    """A program that is asked; afterwards, its answers, and what broke the protocol."""

    def __init__(self, command: list[str], limit: float) -> None:
        """Keep the command, and how many seconds may pass without an answer."""
        self._command, self._limit = command, limit
        self.answers: dict[str, Answer] = {}
        self.violations: list[str] = []
        self._asked: dict[str, Case] = {}

    def ask(self, cases: list[Case], report: Callable[[int, int], None]) -> None:
        """Send all cases; collect the answers, and `report` their number, until time is up."""
        self._asked = {case["id"]: case for case in cases}
        lines = (json.dumps(case).encode() + b"\n" for case in cases)
        with running(self._command, lines) as program:
            if not self._read(program, report):
                return
            in_time = not program.over and program.ended(self._limit)
        self._judge_the_end(program, in_time=in_time)

    def _read(self, program: Running, report: Callable[[int, int], None]) -> bool:
        """Take lines until the output ends, or a limit is passed; return False to give up."""
        number, due = 0, time.monotonic() + self._limit
        while line := program.line(due, self._limit):
            number += 1
            wrong = self._take(line)
            if wrong:
                self.violations.append(f"line {number:,} of the output: {wrong}")
                many = len(self.violations) >= _MOST_VIOLATIONS
                self.violations += ["..."] * many
                if many or _is_endless(line):
                    return False
            else:
                report(len(self.answers), len(self._asked))
                due = time.monotonic() + self._limit
        return True

    def _take(self, line: bytes) -> str:
        """Keep the answer on a line; say what is wrong if there is none."""
        if _is_endless(line):
            return f"it does not end within {LONGEST_LINE:,} bytes"
        try:
            answer = json_value(line)
        except InputError as error:
            return f"{_shown(line)}: {error}"
        except (ValueError, RecursionError):
            return f"no JSON: {_shown(line)}"
        name = answer.get("id") if isinstance(answer, dict) else None
        if not isinstance(name, str):
            return f"no object with an id: {_shown(line)}"
        if name not in self._asked:
            wrong = "there is no case with this id"
        elif name in self.answers:
            wrong = "the case is answered a second time"
        else:
            wrong = _wrong(answer, self._asked[name]["answer"])
        if wrong:
            return f"{_shown(line)}: {wrong}"
        self.answers[name] = answer
        return ""

    def _judge_the_end(self, program: Running, *, in_time: bool) -> None:
        """Note a crash, a limit, and cases without an answer."""
        left = [name for name in self._asked if name not in self.answers]
        first = f"; the first case without an answer is {left[0]}" if left else ""
        code = program.code
        if not in_time:
            what = "no answer" if left else "all is answered, but the program did not end"
            self.violations.append(f"{what} {program.over}{first}")
        elif code:
            ended = (
                f"it was ended by {signal_name(-code)}" if code < 0 else f"its exit code is {code}"
            )
            last = program.last_words
            said = f"; it last said: {visible(last[:_MOST_SAID])}" if last else ""
            self.violations.append(f"the program failed: {ended}{first}{said}")
        elif left:
            self.violations.append(
                f"the program ended with {count(len(left), 'case')} unanswered{first}"
            )


def _wrong(answer: Answer, key: str) -> str:
    """Say why an answer to what a case asks for is none; nothing if it is one."""
    given = [name for name in (key, "skip", "error") if name in answer]
    if len(given) != 1:
        return f'an answer has one of "{key}", "skip" and "error"'
    decimals = answer.get("decimals", 0)
    if type(decimals) is not int or not 0 <= decimals < 20:
        return '"decimals" needs a whole number from 0 to 19'
    fits, needed = _VALUES[given[0]]
    return "" if fits(answer[given[0]]) else f'"{given[0]}" needs {needed}'


def _is_number(value: Any) -> bool:
    return math.isfinite(real_number(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


# What each key of an answer needs.
_VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "score": (_is_number, "a finite number"),
    "p_value": (_is_number, "a finite number"),
    "scores": (_are(_is_number), "a list of finite numbers"),
    "tokens": (_are(_is_text), "a list of texts"),
    "signature": (_is_text, "a text"),
    "skip": (_is_text, "a reason"),
    "error": (_is_text, "a reason"),
}


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")


def _is_endless(line: bytes) -> bool:
    return len(line) >= LONGEST_LINE and not line.endswith(b"\n")


def command_of(words: list[str]) -> list[str]:
    """Return the command for the words that were given; ``module:function`` is one, too."""
    module, colon, function = words[0].partition(":")
    names = [*module.split("."), function]
    if len(words) > 1 or not colon or not all(name.isidentifier() for name in names):
        return words
    return command_in(__name__, "serve_function", module, function)


def command_in(module: str, function: str, *arguments: str) -> list[str]:
    """Return the command that calls a function of the package in a process of its own."""
    # As for `python -c` itself, the folder of the caller comes first among those of modules.
    code = f"from {module} import {function}; {function}{arguments!r}"
    return [sys.executable, "-c", code]


def serve_function(module: str, function: str) -> None:
    """Answer cases with a function; None skips a case, and an error refuses it."""
    from importlib import import_module

    serve(lambda: partial(_outcome, getattr(import_module(module), function)))


def serve(load: Callable[[], Callable[[Case], Answer]]) -> None:
    """Answer the cases on the standard input with what is loaded."""
    # What that prints is no answer, and it has nothing to read.
    output, sys.stdout = sys.stdout, sys.stderr
    given, sys.stdin = sys.stdin.buffer, StringIO()
    answer = load()
    for line in iter(given.readline, b""):
        case = json.loads(line)
        output.write(json.dumps({"id": case["id"], **answer(case)}) + "\n")
        output.flush()


def _outcome(answer: Callable[[Case], Any], case: Case) -> Answer:
    try:
        found = answer(case)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if found is None:
        return {"skip": "the function returns None"}
    return found if isinstance(found, dict) else {case["answer"]: found}
