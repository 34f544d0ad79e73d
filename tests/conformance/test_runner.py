"""The one place that runs programs: what they start ends with them, whatever ends them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import truebleu
from project import ROOT
from truebleu.conformance import runner
from truebleu.errors import SettingsError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")

FOREVER = 10**6
# As a time that clocks have.
NEVER = 10**9
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(truebleu.__file__).parents[1])}
# Signals may be ignored by who runs the tests.
COMMAND = """
import signal, sys
from truebleu.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.exit(main(sys.argv[1:]))
"""
PIPES = ("stdin", "stdout", "stderr")

# Opens a pipe with a name, and so does a child; both stay for ever. It is at its end for who reads
# it when all who have it open for writing are gone, however long that takes.
STAYING = """
import os, subprocess, sys, time
def stay(path):
    os.write(os.open(path, os.O_WRONLY), b"x")
    time.sleep(10**6)
if len(sys.argv) > 2:
    subprocess.Popen([sys.executable, __file__, sys.argv[1]])
    AFTER
stay(sys.argv[1])
"""


@pytest.fixture
def staying(tmp_path):
    """Return a command that stays, given what it does with a child; and who reads the pipe."""

    def staying(after=""):
        pipe, program = tmp_path / "pipe", tmp_path / "staying.py"
        os.mkfifo(pipe)
        program.write_text(STAYING.replace("AFTER", after), "utf-8")
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        return [sys.executable, str(program), str(pipe), "parent"], reader

    return staying


def at_its_end(reader):
    """Whether nobody has the pipe open for writing any more: what stays would hang this."""
    os.set_blocking(reader, True)
    with os.fdopen(reader, "rb") as opened:
        return set(opened.read()) <= set(b"x")


def both_are_there(reader):
    """Wait for the program and its child."""
    os.set_blocking(reader, True)
    found = b""
    while len(found) < 2:
        # Before the first of them opens it, there is nothing to read.
        time.sleep(0.01)
        found += os.read(reader, 2)


def ask(command, take=lambda _: None):
    """Run a program, and take its lines; return it."""
    with runner.running(command) as program:
        while line := program.line(NEVER, FOREVER):
            take(line)
    return program


class TestTheEnd:
    """Nothing is left over: the pipe with a name ends, for which no clock is needed."""

    def test_after_the_limit(self, staying):
        """A program that hangs, and its child, end with the time limit."""
        command, reader = staying()
        with runner.running(command) as program:
            both_are_there(reader)
            assert program.line(0, 0.5) is None
        assert program.over == "within 0.5 seconds"
        assert at_its_end(reader)

    def test_after_its_own_end(self, staying):
        """A child that stays when the program has ended is ended, and holds no output open."""
        command, reader = staying("print('done', flush=True); sys.exit(3)")
        lines = []
        with runner.running(command) as program:
            while line := program.line(NEVER, FOREVER):
                lines.append(line)
            assert program.ended(FOREVER)
        assert (lines, program.code, program.over) == ([b"done\n"], 3, "")
        assert at_its_end(reader)

    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
    @pytest.mark.parametrize("words", [["{references}"], []])
    def test_after_a_signal(self, staying, name, words):
        """The command ends by the signal, and its program with it, in the kit and elsewhere."""
        command, reader = staying()
        check = [sys.executable, "-c", COMMAND, "check", "--time-limit", str(FOREVER), "--"]
        started = subprocess.Popen(
            [*check, *command, *words], env=ENVIRONMENT, cwd=ROOT, **dict.fromkeys(PIPES, -1)
        )
        both_are_there(reader)
        started.send_signal(getattr(signal, name))
        _, error = started.communicate()
        assert b"Traceback" not in error
        assert started.returncode in (130, -getattr(signal, name))
        assert at_its_end(reader)

    def test_a_signal_that_is_ignored(self, staying):
        """Under nohup, a program goes on: the signal is not taken."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            with runner.running([sys.executable, "-c", "input()"]):
                assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
                assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        finally:
            signal.signal(signal.SIGHUP, before)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    def test_a_signal_while_it_starts(self, monkeypatch):
        """A signal that comes before there is a program to stop stops it, and is sent again."""
        taken = []
        before = signal.signal(signal.SIGTERM, lambda number, _: taken.append(number))

        def popen(*words, original=subprocess.Popen, **how):
            process = original(*words, **how)
            signal.raise_signal(signal.SIGTERM)
            return process

        monkeypatch.setattr(runner.subprocess, "Popen", popen)
        try:
            command = [sys.executable, "-c", f"import time; time.sleep({FOREVER})"]
            with runner.running(command) as program:
                assert program.line(NEVER, FOREVER) == b""
                assert taken == []
            assert taken == [signal.SIGTERM]
        finally:
            signal.signal(signal.SIGTERM, before)

    def test_an_error_of_ours(self, staying):
        """Whatever ends the asking ends the program."""
        command, reader = staying()

        def fail():
            with runner.running(command):
                both_are_there(reader)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert at_its_end(reader)


class TestBytes:
    """Output and complaints are limited, and what waits is not kept in memory."""

    @pytest.mark.parametrize("where", ["stdout", "stderr"])
    def test_too_many(self, where):
        """A program that writes for ever is ended, whatever it writes to."""
        words = ["sh", "-c", "yes $0" if where == "stdout" else "yes $0 >&2", "x" * 100_000]
        program = ask(words)
        assert program.over == "in the first 64 MB that it wrote"

    @pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this is not Linux")
    @pytest.mark.parametrize("words", [["{references}"], []])
    def test_little_is_kept(self, words):
        """The command needs little memory for a program that writes without an end."""
        code = (
            # What `resource` knows includes what the process was forked from.
            "import sys; from truebleu.cli import main; code = main(sys.argv[1:]); "
            "print(code, open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "check", "--", "yes", *words],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        code, kilobytes = done.stdout.splitlines()[-1].split()
        assert code in ("1", "2")
        assert int(kilobytes) < 400_000
        if words:
            assert "it writes more than 1 MB" in done.stderr

    def test_the_last_complaint(self):
        """Of complaints, the end is kept."""
        words = [sys.executable, "-c", "import sys; sys.exit('x' * 100_000 + '\\nlast words')"]
        assert ask(words).last_words == "last words"


def test_what_cannot_be_started():
    """A program that is not there is named."""
    with pytest.raises(SettingsError, match="cannot run 'no such program': No such file"):
        ask(["no such program"])


def test_it_is_the_only_place():
    """No other module of the package starts a program of somebody's."""
    package = Path(truebleu.__file__).parent
    starts = re.compile(r"subprocess\.(Popen|run|call|check_output)|os\.(system|popen|exec)")
    found = {
        path.relative_to(package).as_posix()
        for path in (package / "conformance").rglob("*.py")
        if starts.search(path.read_text("utf-8"))
    }
    assert found == {"conformance/runner.py"}
