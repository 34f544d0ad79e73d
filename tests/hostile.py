"""What callers may pass by mistake or on purpose, and a budget within which calls must end."""

import contextlib
import io
import os
import signal
import sys
import warnings
from decimal import Decimal
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from truebleu import TruebleuError, cli

# Seconds of processor time of a call, and bytes that a process may grow by in all calls of a test.
SECONDS, BYTES = 3, 300 << 20
# Items that are read of what never ends before it does.
ENOUGH = 20_000


class OwnError(Exception):
    """What objects of the caller raise: it may pass through."""


class OverBudget(BaseException):
    """A call takes too long."""


def _refuse(*_):
    raise OwnError


def _endless(*_):
    for _ in range(ENOUGH):
        yield "a"
    raise OwnError


SPECIAL = (
    *("len", "iter", "getitem", "contains", "str", "repr", "bool", "float", "index", "int", "eq"),
    *("hash", "lt", "gt", "le", "ge", "add", "radd", "format", "fspath", "array", "call"),
)
Raises = type("Raises", (), {f"__{name}__": _refuse for name in SPECIAL})
Endless = type("Endless", (), {"__iter__": _endless})


class Lies:
    """An object that says something else each time, and is equal to everything."""

    __hash__ = None

    def __len__(self):
        return 1 << 20

    def __iter__(self):
        return iter(["a"])

    def __getitem__(self, _):
        return self

    def __eq__(self, _):
        return True

    def __index__(self):
        return 1 << 63

    def __str__(self):
        return "\ud800"


class NoColumn:
    """An object that claims to be a column or a stream of Arrow."""

    def __arrow_c_array__(self, requested_schema=None):
        return ()

    def __arrow_c_stream__(self, requested_schema=None):
        return ()


class NoArray:
    """An object that claims to be an array."""

    dtype = shape = ndim = None

    def tolist(self):
        return self


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def itself():
    value = []
    value.append(value)
    return value


VALUES = {
    "None": None,
    "True": True,
    "minus one": -1,
    "2**31": 1 << 31,
    "2**63": 1 << 63,
    "a huge number": 10**5000,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "a signaling NaN": Decimal("sNaN"),
    "a complex number": 1j,
    "NaN of NumPy": np.float64("nan"),
    "an empty text": "",
    "a lone surrogate": "\ud800",
    "NUL": "\0",
    "bytes": b"x",
    "an empty list": [],
    "a list of None": [None],
    "nested lists": [[[]], [[None]]],
    "a deep list": nested(5000),
    "a list of itself": itself(),
    "mixed": ["a", 1, b"x"],
    "surrogates": ["\ud800"] * 3,
    "a dict": {},
    "a dict of a number": {1: "\0"},
    "a dict of a text": {"\ud800": [None]},
    "a set": {1},
    "a class": int,
    "a module": signal,
    "an object": object(),
    "an object that raises": Raises(),
    "one without an end": Endless(),
    "one that lies": Lies(),
    "a list of one that raises": [Raises()],
    "a list of one that lies": [Lies()],
    "no column": NoColumn(),
    "no array": NoArray(),
    "an array": np.array(["a b", "a c"]),
    "an array of objects": np.array([None, 1, "a"], object),
    "numbers": np.array([[1.5, float("nan")]]),
    "a column of pandas": pd.Series(["a b", None]),
    "a column of Polars": pl.Series(["a b", None]),
    "a data frame of pandas": pd.DataFrame({"a": ["a b"], 1: ["a c"]}),
    "a data frame of Polars": pl.DataFrame({"a": ["a b"], "b": ["a c"]}),
    "a lazy frame": pl.LazyFrame({"a": ["a b"]}),
    "a table of Arrow": pa.table({"a": ["a b"], "b": ["a c"]}),
}


def fault(call):
    """Return what a call raises that is neither of this package nor of the caller, or None."""
    try:
        with warnings.catch_warnings(), within_budget():
            warnings.simplefilter("ignore")
            value = call()
            if hasattr(value, "__next__"):
                value = list(value)
            repr(value)
    except (TruebleuError, OwnError):
        return None
    except MemoryError as error:
        return None if str(error) else error  # The core says what is too large.
    except OSError as error:
        # Of the operating system: there is no such file.
        return None if error.errno else error
    except (Exception, OverBudget) as error:  # Any other is what tests look for.
        return error
    return None


@contextlib.contextmanager
def within_budget():
    def stop(*_):
        raise OverBudget

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def bounded():
    """Fail if the process grows too much, or keeps threads."""
    tasks, peak = Path("/proc/self/task"), Path("/proc/self/status")
    cleared = Path("/proc/self/clear_refs")
    if not (tasks.is_dir() and os.access(cleared, os.W_OK)):
        yield
        return

    def bytes_of(name):
        return int(peak.read_text("ascii").split(f"{name}:")[1].split()[0]) << 10

    cleared.write_text("5", "ascii")
    before, threads = bytes_of("VmRSS"), len([*tasks.iterdir()])
    yield
    assert bytes_of("VmHWM") - before < BYTES
    assert len([*tasks.iterdir()]) <= threads + 16


def run(words):
    """Run a command; return its code."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(3)]
    with mock.patch.multiple(sys, **dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))):
        try:
            return cli.main(words)
        except SystemExit as end:
            return end.code
