"""Running a program, in a group of processes of its own, with limits of time and bytes.

Nothing else in the package runs a program of somebody's. What the program has started ends with
it, with its limits, and with a signal that ends this process.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import contextmanager

from truebleu.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from io import BufferedReader
    from typing import IO, Any

LONGEST_LINE = 1 << 20
"""A line of output with more bytes does not end."""

MOST_BYTES = 1 << 26
"""A program that writes more, as output or as complaints, is ended."""

# Bytes of complaints that are kept, the last ones; and lines of output that are not taken yet.
_KEPT = 1 << 16
_WAITING = 16

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]

_TOO_MUCH = None


class Running:
    """A program that runs: the lines of its output, and when it was too slow or wrote too much."""

    def __init__(self, command: Sequence[str], given: Iterable[bytes]) -> None:
        """Start a program, and give it lines of input; SettingsError if it cannot be started."""
        self.over = ""
        self._written = 0
        self._complaints = b""
        self._closed = False
        # Signals put something there, too, which no other queue allows.
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(_WAITING)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603  # The user's own program.
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise SettingsError(f"cannot run {command[0]!r}: {why}") from None
        self._threads = [
            _in_background(_send, self._process.stdin, given),
            _in_background(self._receive, self._process.stdout),
            _in_background(self._complain, self._process.stderr),
            _in_background(self._wait),
        ]

    def line(self, due: float, limit: float) -> bytes | None:
        """Return the next line, empty at the end; None if a limit was passed, which `over` says.

        `due` is the time, as :func:`time.monotonic` has it, at which `limit` seconds are over.
        """
        try:
            line = self._lines.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            self.over = f"within {limit:g} seconds"
            return None
        self._room.release()
        self._written += len(line or b"")
        if line is _TOO_MUCH or self._written > MOST_BYTES:
            self.over = f"in the first {MOST_BYTES >> 20} MB that it wrote"
            return None
        return line

    def ended(self, limit: float) -> bool:
        """Wait for the end of the program; return whether it came in time."""
        try:
            self._process.wait(limit)
        except subprocess.TimeoutExpired:
            self.over = f"within {limit:g} seconds"
            return False
        return True

    @property
    def code(self) -> int:
        """The exit code, once it has ended; that of a signal is negative."""
        return self._process.returncode or 0

    @property
    def last_words(self) -> str:
        """The last line of its complaints."""
        return self._complaints.decode("utf-8", "replace").strip().rpartition("\n")[2]

    def stop(self) -> None:
        """End the program and what it has started; its output ends, too."""
        _kill(self._process)
        self._lines.put(b"")

    def close(self) -> None:
        """End all of it, and wait for that."""
        self._closed = True
        self.stop()
        self._process.wait()
        # For what waits to be taken.
        self._room.release(_WAITING)
        for thread in self._threads:
            # What has left the group of the process may keep the pipes open.
            thread.join(1)

    def _wait(self) -> None:
        """End what the program has started as soon as it has ended, or outputs would stay open."""
        self._process.wait()
        _kill(self._process)

    def _receive(self, output: IO[bytes]) -> None:
        with output:
            while not self._closed and (line := output.readline(LONGEST_LINE)):
                self._put(line)
        self._put(b"")

    def _complain(self, complaints: BufferedReader) -> None:
        written = 0
        with complaints:
            while not self._closed and (part := complaints.read1(_KEPT)):
                self._complaints = (self._complaints + part)[-_KEPT:]
                written += len(part)
                if written > MOST_BYTES:
                    self._put(_TOO_MUCH)
                    return

    def _put(self, line: bytes | None) -> None:
        self._room.acquire()
        self._lines.put(line)


@contextmanager
def running(command: Sequence[str], given: Iterable[bytes] = ()) -> Iterator[Running]:
    """Run a program, which ends with this context, whatever ends that."""
    with _Signals() as signals:
        program = Running(command, given)
        signals.stop(program)
        try:
            yield program
        finally:
            program.close()


class _Signals:
    """Signals that end this process stop a program first; nothing is raised in between."""

    def __init__(self) -> None:
        self._came = 0
        self._program: Running | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Signals:
        # Other threads get no signals.
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                before = signal.getsignal(number)
                # Who ignores one, as nohup does, goes on.
                if before is not None and before != signal.SIG_IGN:
                    self._before[number] = before
                    signal.signal(number, self._take)
        return self

    def stop(self, program: Running) -> None:
        """Stop a program at the next signal, or at once if one has come while it started."""
        self._program = program
        if self._came:
            program.stop()

    def _take(self, number: int, _: object) -> None:
        self._came = number
        if self._program is not None:
            self._program.stop()

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._came:
            signal.raise_signal(self._came)


def _in_background(work: Callable[..., None], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _send(stdin: IO[bytes], given: Iterable[bytes]) -> None:
    """Write lines until the program stops reading."""
    try:
        with stdin:
            for line in given:
                stdin.write(line)
                stdin.flush()
    except (OSError, ValueError):
        # A program that does not read all has not answered all.
        pass


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        # They have ended.
        pass


def signal_name(number: int) -> str:
    """Return the name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
