"""Wrong calls, and what each is answered: many are made by people who know other packages."""

import difflib
import io
import json
import os
import re
import shlex
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from project import GOLDEN
from public_names import PUBLIC
from toy_metrics import ExactMatch
from truebleu import _core, errors
from truebleu.cli import main
from truebleu.compat import evaluate
from truebleu.downloads.fetch import Download, sources
from truebleu.engines import arrow, duckdb, job, polars
from truebleu.inputs.files import LineFile, open_binary
from truebleu.metrics.bleu.score import field_names
from truebleu.suggestions import FOREIGN_ATTRIBUTES, FOREIGN_FUNCTIONS

PATH = GOLDEN / "wrong_calls.tsv"
HEAD = "# What each wrong call says: tests/package/test_wrong_calls.py rewrites this file.\n"

TEXTS = ["a b c d", "e f g h"]
SYSTEMS = {"A": TEXTS, "B": ["a b c d", "e f g x"]}


def fails(text):
    """Be a tokenizer of the user's that raises an error."""
    raise TypeError(f"no idea how to split {text}")


def threads_of_environment(value):
    """Score with that number of threads in the environment."""
    with mock.patch.dict(os.environ, {"TRUEBLEU_THREADS": value}):
        truebleu.corpus_bleu(TEXTS, TEXTS)


def read(content):
    """Read a file that has this content."""
    Path("name").write_bytes(content)
    with LineFile("name") as file:
        file.count_all()


def read_zst_without_zstandard():
    """Open a file whose compression needs a package that is missing."""
    with mock.patch.dict(sys.modules, {"zstandard": None}):
        open_binary("sys.zst")


class CommandError(Exception):
    """The code that a command ends with, and the last line that it says."""


def command(words):
    """Run a command on the files below, which prints nothing."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(3)]
    with mock.patch.multiple(sys, **dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))):
        warnings.simplefilter("default")
        try:
            code = main(shlex.split(words))
        except SystemExit as end:
            code = end.code
    printed, said = (stream.buffer.getvalue().decode() for stream in streams[1:])
    assert not printed, printed
    if code:
        raise CommandError(f"{code}: {said.splitlines()[-1]}")


TABLE = {"mt": "a b c d", "ref": "a b c e", "half": 1}
# Files that the commands are given, by their names: texts, and rows of tables.
FILES = {
    **dict.fromkeys(("a", "b", "ref", "documents", "typo=a"), "the cat sat on the mat\n" * 4),
    "short": "x\n",
    "text.csv": "a b\n",
    "empty": "",
    "keyless": '{"k": 1, "text": "a"}\n',
    "list": "[1]\n",
    "table.jsonl": [TABLE, TABLE],
    "null.jsonl": [TABLE, TABLE | {"mt": None}],
    "unreferenced.jsonl": [TABLE, TABLE | {"ref": None}],
    "number.jsonl": [TABLE | {"mt": 1}],
    "lists.jsonl": [TABLE | {"mt": ["a"]}],
}


def write_files():
    """Write them where a test works."""
    Path("folder").mkdir()
    for name, content in FILES.items():
        rows = [json.dumps(row) + "\n" for row in content] if isinstance(content, list) else content
        Path(name).write_text("".join(rows), "utf-8")


class FromArrow:
    """What says that it is a column of Arrow."""

    def __init__(self, given):
        self.given = given

    def __arrow_c_array__(self, requested_schema=None):
        return self.given


def column(ends, content):
    """Return a column of Arrow with these offsets."""
    offsets = pa.py_buffer(np.array([0, *ends], "i4").tobytes())
    return pa.Array.from_buffers(pa.string(), len(ends), [None, offsets, pa.py_buffer(content)])


def frame(*names):
    """Return a data frame of one row whose columns have these names, which may be equal."""
    return pd.DataFrame([["a", "b", "c"]], columns=list(names))


def arrow_table(*names):
    """Return the same as a table of Arrow."""
    return pa.table([pa.array([text]) for text in "abc"], list(names))


def names():
    """Make what the calls use, each by its name there."""
    helpers = (command, fails, threads_of_environment, read, read_zst_without_zstandard)
    helpers += (FromArrow, column, frame, arrow_table, Download, sources, job.Job, ExactMatch)
    modules = {"np": np, "pd": pd, "pl": pl, "pa": pa}
    bleu, chrf, ter = truebleu.Bleu(), truebleu.Chrf(), truebleu.Ter()
    stats, fields = bleu.stats(TEXTS, TEXTS), field_names(10)
    quick = {"n_resamples": None}
    return (
        PUBLIC
        | modules
        | {each.__name__: each for each in helpers}
        | {
            "engines": SimpleNamespace(arrow=arrow, duckdb=duckdb, polars=polars),
            "choice": truebleu.mbr(TEXTS),
            "evaluate": evaluate,
            "nan": float("nan"),
            "texts": TEXTS,
            "refs": TEXTS,
            "systems": SYSTEMS,
            "bleu": bleu,
            "chrf": chrf,
            "ter": ter,
            "words": truebleu.Bleu(tokenizer="pretokenized"),
            "score": bleu.corpus(TEXTS, TEXTS),
            "chrf_score": chrf.corpus(TEXTS, TEXTS),
            "ter_score": ter.corpus(TEXTS, TEXTS),
            "stats": stats,
            "worse": bleu.stats(SYSTEMS["B"], TEXTS),
            "rows": stats.to_numpy(),
            "written": stats.to_bytes(),
            "fields": fields,
            "table": {name: [1] for name in fields} | {"key": [stats.key]},
            "running": truebleu.Accumulator(),
            "truebleu": truebleu,
            "comparison": truebleu.compare(SYSTEMS, TEXTS, **quick),
            "comparisons": truebleu.compare(SYSTEMS, TEXTS, metrics=["bleu", "ter"], **quick),
            "pair": truebleu.compare(SYSTEMS, TEXTS, **quick).pairs[0],
            "interval": truebleu.confidence_interval(TEXTS, TEXTS, n_resamples=100),
            "page": truebleu.report(SYSTEMS, TEXTS, **quick),
            "pages": truebleu.report(SYSTEMS, TEXTS, metrics=["bleu", "ter"], **quick),
        }
    )


def answer(call, known):
    """Return the type and the message of the exception that a call raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            eval(call, dict(known))
    except Exception as error:
        # From 3.13 on, Python adds a suggestion of its own; Polars adds the expression.
        message = re.sub(r"\. Did you mean '\w+'\?$", "", str(error).partition("\n\n")[0])
        return f"{type(error).__name__}\t{message}"
    return "nothing\t"


def rows_of(golden):
    """Return the calls of the golden, and the name of the exception that each raises."""
    lines = [line.split("\t") for line in golden.splitlines() if not line.startswith("#")]
    return [(line[0], *line[1:2]) for line in lines]


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
def test_what_wrong_calls_say(monkeypatch, tmp_path):
    """A message that changes rewrites its golden and fails once, so that somebody reads it.

    For a new call, add a line that has nothing but the call.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write_files()
    golden = PATH.read_text("utf-8")
    calls = [call for call, *_ in rows_of(golden)]
    assert len(calls) == len(set(calls)) >= 1500
    known = names()
    said = "".join([HEAD, *(f"{call}\t{answer(call, known)}\n" for call in calls)])
    assert "\tnothing\t" not in said
    if golden != said:
        PATH.write_text(said, "utf-8")
        changed = difflib.unified_diff(golden.splitlines(), said.splitlines(), lineterm="", n=0)
        pytest.fail("\n".join([f"{PATH.name} has been rewritten: read it and run again", *changed]))


def test_every_exception_has_a_row():
    """No exception exists that no wrong call raises; the root is only there to be caught."""
    known = {name for name, item in vars(errors).items() if isinstance(item, type)}
    known = {name for name in known if issubclass(getattr(errors, name), BaseException)}
    raised = {error for _, error in rows_of(PATH.read_text("utf-8"))}
    assert known - raised == {"TruebleuError"}
    assert raised - known == {
        *("AttributeError", "CommandError", "ImportError", "IndexError", "TypeError"),
    }


def test_what_is_registered_has_a_row():
    """Each name that other packages have, and each smoothing that takes no value."""
    calls = {call for call, _ in rows_of(PATH.read_text("utf-8"))}
    variables = {
        "BleuScore": "score",
        "Score": "chrf_score",
        "TerScore": "ter_score",
        "Metric": "bleu",
        "CoreMetric": "bleu",
        "Accumulator": "running",
        "Comparison": "comparison",
        "Comparisons": "comparisons",
        "Pair": "pair",
        "Interval": "interval",
        "Report": "page",
        "Reports": "pages",
        "Choice": "choice",
    }
    needed = {
        f"{variables[kind]}.{name}" for kind, each in FOREIGN_ATTRIBUTES.items() for name in each
    }
    needed |= {f"truebleu.{name}" for name in FOREIGN_FUNCTIONS}
    needed |= {
        f"Bleu(smoothing={name!r}, smooth_value=1)"
        for name, usual in _core.SMOOTHINGS.items()
        if usual is None
    }
    assert needed - calls == set()
