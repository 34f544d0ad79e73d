"""What the tests of commands share."""

import io
import sys

import pytest
from project import EXAMPLES
from truebleu.cli import main


@pytest.fixture(autouse=True)
def _in_a_pipe_of_80_columns(monkeypatch):
    """Make what is printed depend on nothing but the arguments."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TRUEBLEU_THREADS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capfdbinary, monkeypatch):
    """Run the command among the examples; return its exit code, output and complaints."""

    def run(*arguments, stdin=None, cwd=EXAMPLES):
        monkeypatch.chdir(cwd)
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        out, error = capfdbinary.readouterr()
        assert b"Traceback" not in error
        return code, out.decode(), error.decode()

    return run
