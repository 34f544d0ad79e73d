"""Asking a program: cases as JSON lines on its standard input, answers on its standard output."""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

from truebleu.display.formatting import count
from truebleu.display.text import visible
from truebleu.errors import InputError, SettingsError
from truebleu.inputs.forms import json_value
from truebleu.inputs.numbers import real_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Any

    Case = dict[str, Any]
    Answer = dict[str, Any]

# A line of output with more bytes is no answer.
_LONGEST_LINE = 1 << 20

# After so many violations there is no point in more.
_MOST_VIOLATIONS = 20

_MOST_SHOWN = 200

_END = None


class Program:
    """A program that is asked; afterwards, its answers, and what broke the protocol."""

    def __init__(self, command: list[str], limit: float) -> None:
        """Keep the command, and how many seconds may pass without an answer."""
        self._command, self._limit = command, limit
        self.answers: dict[str, Answer] = {}
        self.violations: list[str] = []
        self._asked: dict[str, Case] = {}
        self._given_up = False

    def ask(self, cases: list[Case], report: Callable[[int, int], None]) -> None:
        """Send all cases; collect the answers, and `report` their number, until time is up."""
        self._asked = {case["id"]: case for case in cases}
        with tempfile.TemporaryFile() as complaints:
            process = self._started(complaints)
            threads = []
            try:
                lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
                threads = [
                    _in_background(_send, process.stdin, cases),
                    _in_background(_receive, process.stdout, lines),
                ]
                in_time = self._read(lines, report) and self._ended(process)
            finally:
                _kill(process)
                for thread in threads:
                    # What has left the group of the process may keep the pipes open.
                    thread.join(1)
            complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - _LONGEST_LINE))
            self._judge_the_end(process, complaints.read(), in_time=in_time)

    def _started(self, complaints: IO[bytes]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603  # The user's own program.
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                # What the program starts ends with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise SettingsError(f"cannot run {self._command[0]!r}: {why}") from None

    def _read(
        self, lines: queue.SimpleQueue[bytes | None], report: Callable[[int, int], None]
    ) -> bool:
        """Take lines until the output ends; return False if no answer came in time."""
        number, due = 0, time.monotonic() + self._limit
        while True:
            try:
                line = lines.get(timeout=max(0, due - time.monotonic()))
            except queue.Empty:
                return False
            if line is _END:
                return True
            number += 1
            wrong = self._take(line)
            if wrong:
                self.violations.append(f"line {number:,} of the output: {wrong}")
                many = len(self.violations) >= _MOST_VIOLATIONS
                self.violations += ["..."] * many
                if many or _is_endless(line):
                    self._given_up = True
                    return True
                if time.monotonic() > due:
                    return False
            else:
                report(len(self.answers), len(self._asked))
                due = time.monotonic() + self._limit

    def _take(self, line: bytes) -> str:
        """Keep the answer on a line; say what is wrong if there is none."""
        if _is_endless(line):
            return f"it does not end within {_LONGEST_LINE:,} bytes"
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

    def _ended(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for the end of the process; return whether it came in time."""
        if self._given_up:
            return True
        try:
            process.wait(self._limit)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _judge_the_end(
        self, process: subprocess.Popen[bytes], complaints: bytes, *, in_time: bool
    ) -> None:
        """Note a crash, the time limit, and cases without an answer."""
        if self._given_up:
            return
        left = [name for name in self._asked if name not in self.answers]
        first = f"; the first case without an answer is {left[0]}" if left else ""
        code = process.returncode
        if not in_time:
            what = "no answer" if left else "all is answered, but the program did not end"
            self.violations.append(f"{what} within {self._limit:g} seconds{first}")
        elif code:
            ended = (
                f"it was ended by {_signal_name(-code)}" if code < 0 else f"its exit code is {code}"
            )
            last = complaints.decode("utf-8", "replace").strip().rpartition("\n")[2]
            said = f"; it last said: {visible(last[:_MOST_SHOWN])}" if last else ""
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


def _in_background(work: Callable[..., None], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _send(stdin: IO[bytes], cases: Iterable[Case]) -> None:
    """Write cases until the program stops reading."""
    try:
        with stdin:
            for case in cases:
                stdin.write(json.dumps(case).encode() + b"\n")
                stdin.flush()
    except (OSError, ValueError):
        # A program that does not read all has not answered all.
        pass


def _receive(stdout: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Put the lines of the output into a queue, until one does not end, and what means its end."""
    with stdout:
        while line := stdout.readline(_LONGEST_LINE):
            lines.put(line)
            if _is_endless(line):
                break
    lines.put(_END)


def _is_endless(line: bytes) -> bool:
    return len(line) >= _LONGEST_LINE and not line.endswith(b"\n")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        # They have ended.
        pass
    process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def command_of(words: list[str]) -> list[str]:
    """Return the command for the words that were given; ``module:function`` is one, too."""
    module, colon, function = words[0].partition(":")
    names = [*module.split("."), function]
    if len(words) > 1 or not colon or not all(name.isidentifier() for name in names):
        return words
    # As for `python -c` itself, the folder of the caller comes first among those of modules.
    code = f"from truebleu.conformance.runner import serve; serve({module!r}, {function!r})"
    return [sys.executable, "-c", code]


def serve(module: str, function: str) -> None:
    """Answer cases with a function; None skips a case, and an error refuses it."""
    from importlib import import_module

    # What the function prints is no answer.
    output, sys.stdout = sys.stdout, sys.stderr
    answer = getattr(import_module(module), function)
    for line in _lines(sys.stdin.buffer):
        case = json.loads(line)
        output.write(json.dumps({"id": case["id"], **_outcome(answer, case)}) + "\n")
        output.flush()


def _lines(stdin: IO[bytes]) -> Iterator[bytes]:
    return iter(stdin.readline, b"")


def _outcome(answer: Callable[[Case], Any], case: Case) -> Answer:
    try:
        found = answer(case)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if found is None:
        return {"skip": "the function returns None"}
    return found if isinstance(found, dict) else {case["answer"]: found}
