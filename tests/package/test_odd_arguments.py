"""Every public name, called with what it cannot take, answers in words of this package."""

import inspect
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from entry_points import FUNCTIONS, arguments


class Raises:
    """An object whose own methods raise: what it raises passes through."""

    def _refuse(self, *_):
        raise RuntimeError("of the user")

    __len__ = __iter__ = __getitem__ = __str__ = __repr__ = __bool__ = __float__ = _refuse


class NoArray:
    """An object that claims to be a column of Arrow."""

    def __arrow_c_array__(self, requested_schema=None):
        return ()


class NoStream:
    """An object that claims to be a stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema=None):
        return ()


ODD = {
    "None": None,
    "a huge number": 10**5000,
    "minus one": -1,
    "not a number": float("nan"),
    "a lone surrogate": "\ud800",
    "NUL": "\0",
    "bytes": b"x",
    "a list": [],
    "a list of None": [None],
    "a dict": {},
    "a set": {1},
    "a class": int,
    "an object": object(),
    "an object that raises": Raises(),
    "no array": NoArray(),
    "no stream": NoStream(),
}
# What is given in place of texts, and of which neither truth nor equality is a bool.
COLUMNS = {
    "an array": np.array(["a b", "a c"]),
    "a column of pandas": pd.Series(["a b", "a c"]),
    "a column of Polars": pl.Series(["a b", "a c"]),
    "a data frame of pandas": pd.DataFrame({"a": ["a b"], "b": ["a c"]}),
    "a data frame of Polars": pl.DataFrame({"a": ["a b"], "b": ["a c"]}),
    "a lazy frame": pl.LazyFrame({"a": ["a b"]}),
    "a table of Arrow": pa.table({"a": ["a b"], "b": ["a c"]}),
}
TEXTS, OTHERS = ["a b c d e"] * 3, ["a b c d f"] * 3
# Made by the package, and of what only it can give.
RESULTS = {"Audit", "Report", "Score", "AverageScore", "BleuScore", "ChrfScore", "TerScore"}
NAMES = [
    name
    for name in truebleu.__all__
    if callable(value := getattr(truebleu, name))
    and not (inspect.isclass(value) and issubclass(value, BaseException))
]


def does_not_fit(error):
    """Tell whether it is Python's own error about the number of arguments of a call."""
    traceback = error.__traceback__
    while traceback.tb_next:
        traceback = traceback.tb_next
    # No code of the package has run.
    return traceback.tb_frame.f_code.co_filename == __file__ and re.search(
        r"missing \d+ required|takes .* positional arguments? but", str(error)
    )


def refused(call):
    """Return what a call raises that is neither of this package nor of the user."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            repr(call())
    except (truebleu.TruebleuError, OSError):
        return None
    except TypeError as error:
        return None if does_not_fit(error) or "of the user" in str(error) else error
    except Exception as error:  # Any other is what the test looks for.
        return None if "of the user" in str(error) else error
    return None


@pytest.mark.parametrize("name", NAMES)
def test_by_position(name):
    """Without arguments, with one that is odd, and with two."""
    public = getattr(truebleu, name)
    found = {"nothing": refused(public)}
    for what, odd in (ODD | COLUMNS).items():
        found[what] = refused(lambda odd=odd: public(odd))
        if name not in RESULTS:
            found[f"{what}, twice"] = refused(lambda odd=odd: public(odd, odd))
    assert {what: error for what, error in found.items() if error} == {}


@pytest.mark.parametrize("path", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_by_name(path, tmp_path):
    """With arguments that are right, but for one that is odd."""
    function = FUNCTIONS[path]
    positional, keyword = arguments(path, TEXTS, OTHERS, tmp_path)
    if path == "reproduce":
        keyword = {**keyword, "max_seconds": 1e-9}  # A search that goes on checks no argument.
    signature = inspect.signature(function)
    # Otherwise, what is refused would be no argument that is odd.
    right = signature.bind(*positional, **keyword).arguments
    function(*positional, **keyword)
    found = {}
    of_texts = {"documents", "domains", "reference_streams", "scores", "sources"}
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        for what, odd in (ODD | (COLUMNS if parameter.name in of_texts else {})).items():
            # It is a function, and what it raises is the user's.
            if (parameter.name, what) not in {("progress", "a class"), ("tokenizer", "a class")}:
                found[parameter.name, what] = refused(
                    lambda odd=odd, key=parameter.name: function(**{**right, key: odd})
                )
    assert {what: error for what, error in found.items() if error} == {}
