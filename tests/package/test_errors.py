"""Every bad input, the exception it ends in, and what the message says."""

import os
import re
import sys
import tempfile
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from truebleu import (
    Accumulator,
    Bleu,
    BleuStats,
    Chrf,
    Ragged,
    SentencePiece,
    Stats,
    Ter,
    _core,
    confidence_interval,
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    errors,
    pairwise,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from truebleu.compat import huggingface, torchmetrics
from truebleu.compat.errors import FormatError
from truebleu.downloads.fetch import Download, sources
from truebleu.engines import arrow as arrow_engine
from truebleu.engines import duckdb as duckdb_engine
from truebleu.engines import job, tables
from truebleu.engines import pandas as pandas_engine
from truebleu.engines import polars as polars_engine
from truebleu.errors import (
    AttributeNameError,
    DownloadError,
    EmptyInputError,
    EncodingError,
    InputError,
    InputTypeError,
    LengthMismatchError,
    MissingExtraError,
    ModelError,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    StatsMismatchError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.files import LineFile, open_binary
from truebleu.metrics.bleu.stats import field_names
from truebleu.suggestions import FOREIGN_ATTRIBUTES

TEXTS = ["a b c d", "e f g h"]
NAN = float("nan")
WORDS = Bleu(tokenizer="pretokenized")
STATS = Bleu().stats(TEXTS, TEXTS)
SCORE = Bleu().score(STATS)
SYSTEMS = {"A": TEXTS, "B": TEXTS[::-1]}
ROWS = STATS.to_numpy()
BYTES = STATS.to_bytes()
FIELDS = field_names(10)
MAGIC = b"truebleu-stats-1\n"
CHOICES = {
    "tokenizer": ", ".join(_core.TOKENIZERS),
    "smoothing": ", ".join(_core.SMOOTHINGS),
    "reference_length": ", ".join(_core.REFERENCE_LENGTHS),
}
SENTENCE_ONLY = ("method5", "method6", "method7")


def _own_error(text):
    raise TypeError(f"no idea how to split {text}")


def _threads_from_environment(value):
    with mock.patch.dict(os.environ, {"TRUEBLEU_THREADS": value}):
        corpus_bleu(TEXTS, TEXTS)


def _file(content, suffix=""):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"name{suffix}")
        path.write_bytes(content)
        with LineFile(str(path)) as file:
            file.count_all()


def _zst_without_its_package():
    with mock.patch.dict(sys.modules, {"zstandard": None}):
        open_binary("sys.zst")


def case(name, error, message, call):
    return pytest.param(error, message, call, id=name)


LAYOUT = [
    case(
        "more hypotheses",
        LengthMismatchError,
        r"hypotheses has 2 segments but references has 1: hypotheses\[1\] has no reference",
        lambda: corpus_bleu(TEXTS, ["x"]),
    ),
    case(
        "more references",
        LengthMismatchError,
        r"hypotheses has 2 segments but references has 3: references\[2\] has no hypothesis",
        lambda: corpus_bleu(TEXTS, ["x", "y", "z"]),
    ),
    case(
        "thousands are readable",
        LengthMismatchError,
        r"hypotheses has 1,001 segments but references has 1,000: hypotheses\[1000\]",
        lambda: corpus_bleu(["a"] * 1001, ["a"] * 1000),
    ),
    case(
        "streams as references",
        LengthMismatchError,
        r"references has 1 list of 4: this looks like 1 complete.*reference_streams=",
        lambda: corpus_bleu(TEXTS + TEXTS, [TEXTS + TEXTS]),
    ),
    case(
        "several streams as references",
        LengthMismatchError,
        r"references has 3 lists of 4: this looks like 3 complete.*reference_streams=",
        lambda: corpus_bleu(TEXTS * 2, [TEXTS * 2, tuple(TEXTS * 2), TEXTS * 2]),
    ),
    case(
        "flat list for one segment",
        LengthMismatchError,
        r"1 segment but references has 2: for one segment with 2 references, pass \[\[\.\.\.\]\]",
        lambda: corpus_bleu(["a"], TEXTS),
    ),
    case(
        "str as hypotheses",
        InputTypeError,
        r"hypotheses is a str; a corpus is a list .*sentence_bleu",
        lambda: corpus_bleu("a b", TEXTS),
    ),
    case(
        "str as references",
        InputTypeError,
        r"references is a str; a corpus is a list .*sentence_bleu",
        lambda: corpus_bleu(TEXTS, "ab"),
    ),
    case(
        "bytes as references",
        InputTypeError,
        r"references is a bytes; a corpus is a list",
        lambda: corpus_bleu(TEXTS, b"ab"),
    ),
    case(
        "dict",
        InputTypeError,
        r"hypotheses is a dict; a list is needed",
        lambda: corpus_bleu({"a": 1, "b": 2}, TEXTS),
    ),
    case(
        "set",
        InputTypeError,
        r"references is a set; a list is needed",
        lambda: corpus_bleu(TEXTS, set(TEXTS)),
    ),
    case(
        "frozenset",
        InputTypeError,
        r"hypotheses is a frozenset; a list is needed",
        lambda: corpus_bleu(frozenset(TEXTS), TEXTS),
    ),
    case(
        "dict of references",
        InputTypeError,
        r"references\[1\] is a dict; a list is needed",
        lambda: corpus_bleu(TEXTS, ["a", {"a": "b"}]),
    ),
    case(
        "set of references",
        InputTypeError,
        r"references\[1\] is a set; a list is needed",
        lambda: corpus_bleu(TEXTS, ["a", {"a", "b"}]),
    ),
    case(
        "table as hypotheses",
        InputTypeError,
        r"hypotheses is a DataFrame; give one of its columns",
        lambda: corpus_bleu(pd.DataFrame({"system": TEXTS, "id": [1, 2]}), TEXTS),
    ),
    case(
        "table as references",
        InputTypeError,
        r"references is a DataFrame; give one of its columns",
        lambda: corpus_bleu(TEXTS, pd.DataFrame({"a": TEXTS, "b": TEXTS})),
    ),
    case(
        "table as systems",
        InputTypeError,
        r"systems is of type DataFrame; a dict of names and hypotheses is needed, such as "
        r"\{name: frame\[name\] for name in names\}",
        lambda: truebleu.compare(pd.DataFrame({"A": TEXTS, "B": TEXTS}), TEXTS),
    ),
    case(
        "table as scores",
        InputTypeError,
        r"scores is of type DataFrame; a dict is needed, such as \{'COMET': ",
        lambda: truebleu.compare(
            {"A": TEXTS, "B": TEXTS}, TEXTS, scores=pd.DataFrame({"A": [1.0, 2.0]})
        ),
    ),
    case(
        "lazy table for an interval",
        InputTypeError,
        r"hypotheses is a LazyFrame; give one of its columns",
        lambda: truebleu.confidence_interval(pl.LazyFrame({"A": TEXTS}), TEXTS),
    ),
    case(
        "None as hypotheses",
        InputTypeError,
        r"hypotheses is of type NoneType; a list is needed",
        lambda: corpus_bleu(None, TEXTS),
    ),
    case(
        "number as references",
        InputTypeError,
        r"references is of type int; a list is needed",
        lambda: corpus_bleu(TEXTS, 2),
    ),
    case(
        "array without dimensions",
        InputTypeError,
        r"hypotheses is a zero-dimensional array; a list is needed",
        lambda: corpus_bleu(np.array("a"), TEXTS),
    ),
    case(
        "neither references nor streams",
        InputTypeError,
        r"give either references or reference_streams",
        lambda: corpus_bleu(TEXTS),
    ),
    case(
        "both references and streams",
        InputTypeError,
        r"give either references or reference_streams",
        lambda: corpus_bleu(TEXTS, TEXTS, reference_streams=[TEXTS]),
    ),
    case(
        "short stream",
        LengthMismatchError,
        r"reference_streams\[1\] has 1 segment but hypotheses has 2: every stream holds one",
        lambda: corpus_bleu(TEXTS, reference_streams=[TEXTS, TEXTS[:1]]),
    ),
    case(
        "no stream",
        EmptyInputError,
        r"reference_streams is empty: there is nothing to compare with",
        lambda: corpus_bleu(TEXTS, reference_streams=[]),
    ),
    case(
        "str as streams",
        InputTypeError,
        r"reference_streams is a str",
        lambda: corpus_bleu(TEXTS, reference_streams="ab"),
    ),
    case(
        "flat list as streams",
        InputTypeError,
        r"reference_streams\[0\] is a str",
        lambda: corpus_bleu(TEXTS, reference_streams=TEXTS),
    ),
    case(
        "None as a stream",
        InputTypeError,
        r"reference_streams\[1\] is of type NoneType",
        lambda: corpus_bleu(TEXTS, reference_streams=[TEXTS, None]),
    ),
]

EMPTY = [
    *(
        case(
            f"empty corpus {type(nothing()).__name__}",
            EmptyInputError,
            r"hypotheses is empty: there is no segment to score",
            lambda nothing=nothing: corpus_bleu(nothing(), nothing()),
        )
        for nothing in (list, tuple, lambda: iter(()), lambda: np.array([], dtype=str))
    ),
    case(
        "empty corpus, empty stream",
        EmptyInputError,
        r"hypotheses is empty",
        lambda: corpus_bleu([], reference_streams=[[]]),
    ),
    case(
        "empty corpus of tokens",
        EmptyInputError,
        r"hypotheses is empty",
        lambda: WORDS.corpus([], []),
    ),
    *(
        case(
            f"no reference {missing!r}",
            EmptyInputError,
            r"references\[1\]: segment 1 has no reference",
            lambda missing=missing: corpus_bleu(TEXTS, ["a", missing]),
        )
        for missing in ([], (), [None], [None, None], None)
    ),
    *(
        case(
            f"no reference of tokens {missing!r}",
            EmptyInputError,
            r"references\[1\]: segment 1 has no reference",
            lambda missing=missing: WORDS.corpus([["a"], ["b"]], [["a"], missing]),
        )
        for missing in ([], (), [None], [None, None], None)
    ),
    case(
        "no reference in any stream",
        EmptyInputError,
        r"references\[1\]: segment 1 has no reference",
        lambda: corpus_bleu(TEXTS, reference_streams=[["a", None], ["b", None]]),
    ),
    case(
        "no reference for a function",
        EmptyInputError,
        r"references\[0\]: segment 0 has no reference",
        lambda: corpus_bleu(TEXTS, [[None], "a"], tokenizer=str.split),
    ),
    *(
        case(
            f"sentence without reference {missing!r}",
            EmptyInputError,
            r"references\[0\]: segment 0 has no reference",
            lambda missing=missing: sentence_bleu("a", missing),
        )
        for missing in ([], (), [None], None)
    ),
    case(
        "sentence of tokens without reference",
        EmptyInputError,
        r"segment 0 has no reference",
        lambda: WORDS.sentence(["a"], []),
    ),
    case(
        "no statistics",
        EmptyInputError,
        r"there are no statistics to score",
        lambda: Bleu().score(STATS[:0]),
    ),
    case(
        "nothing added",
        EmptyInputError,
        r"nothing has been added yet",
        lambda: Accumulator(Bleu()).score(),
    ),
]

NOT_TEXT = [
    (3, r"int \(3\)"),
    (NAN, r"float \(nan\)"),
    (b"x", r"bytes \(b'x'\)"),
    ({"a": 1}, r"dict \(\{'a': 1\}\)"),
    (object, r"type \(<class 'object'>\)"),
    (["a"], r"list \(\['a'\]\)"),
    (("a",), r"tuple \(\('a',\)\)"),
]

TYPES = [
    *(
        case(
            f"hypothesis {given!r}",
            InputTypeError,
            rf"hypotheses\[1\] is of type {said}; a str is needed",
            lambda given=given: corpus_bleu(["a", given], TEXTS),
        )
        for given, said in [*NOT_TEXT, (None, r"NoneType \(None\)")]
    ),
    *(
        case(
            f"reference {given!r}",
            InputTypeError,
            rf"references\[1\] is of type {said}; a str or a list of str is needed",
            lambda given=given: corpus_bleu(TEXTS, ["a", given]),
        )
        for given, said in NOT_TEXT
        if not isinstance(given, list | tuple | dict)
    ),
    *(
        case(
            f"one of the references {given!r}",
            InputTypeError,
            rf"references\[1\]\[1\] is of type {said}; a str, or None for a missing one, is",
            lambda given=given: corpus_bleu(TEXTS, ["a", ["b", given]]),
        )
        for given, said in NOT_TEXT
    ),
    *(
        case(
            f"sentence {given!r}",
            InputTypeError,
            rf"hypothesis is of type {said}; a str is needed",
            lambda given=given: sentence_bleu(given, "a"),
        )
        for given, said in [*NOT_TEXT, (None, r"NoneType \(None\)")]
    ),
    case(
        "sentence for a function",
        InputTypeError,
        r"hypothesis is of type list \(\['a'\]\)",
        lambda: sentence_bleu(["a"], ["a"], tokenizer=str.split),
    ),
    case(
        "reference of a sentence",
        InputTypeError,
        r"references\[0\] is of type int \(5\)",
        lambda: sentence_bleu("a", 5),
    ),
    case(
        "tokens without tokenizer='pretokenized'",
        InputTypeError,
        r"hypotheses\[0\] is of type list .*already tokens, set tokenizer='pretokenized'",
        lambda: corpus_bleu([["a"]], [["a"]]),
    ),
    case(
        "far down",
        InputTypeError,
        r"hypotheses\[12345\] is of type float",
        lambda: corpus_bleu(["a"] * 12345 + [NAN], ["a"] * 12346),
    ),
    case(
        "a long value is cut",
        InputTypeError,
        r"hypotheses\[0\] is of type list \(.{37}\.\.\.\);",
        lambda: corpus_bleu([["a long token"] * 100], ["a"]),
    ),
    case(
        "in a stream",
        InputTypeError,
        r"references\[1\]\[1\] is of type int \(5\)",
        lambda: corpus_bleu(TEXTS, reference_streams=[TEXTS, ["a", 5]]),
    ),
    case(
        "NaN in a column",
        InputTypeError,
        r"hypotheses\[1\] is of type float \(nan\)",
        lambda: corpus_bleu(pd.Series(["a", NAN], dtype=object), TEXTS),
    ),
    case(
        "missing value in a column of strings",
        InputTypeError,
        r"references\[1\] is of type \w+ \((<NA>|nan)\)",
        lambda: corpus_bleu(TEXTS, pd.Series(["a", None], dtype="string")),
    ),
    case(
        "array of numbers",
        InputTypeError,
        r"hypotheses\[0\] is of type int \(0\)",
        lambda: corpus_bleu(np.arange(2), TEXTS),
    ),
]

TOKENS = [
    case(
        "str as tokens",
        InputTypeError,
        r"hypotheses\[1\] is a str \('a b'\), but tokenizer='pretokenized' takes tokens: split it",
        lambda: WORDS.corpus([["a"], "a b"], [["a"], ["b"]]),
    ),
    case(
        "str as tokens of a reference",
        InputTypeError,
        r"references\[0\] is a str \('a b'\), but tokenizer='pretokenized' takes tokens",
        lambda: WORDS.corpus([["a"]], ["a b"]),
    ),
    case(
        "str as tokens of one of several references",
        InputTypeError,
        r"references\[0\]\[1\] is a str \('b'\)",
        lambda: WORDS.corpus([["a"]], [[["a"], "b"]]),
    ),
    case(
        "bytes as tokens",
        InputTypeError,
        r"hypotheses\[0\] is a bytes \(b'a b'\)",
        lambda: WORDS.corpus([b"a b"], [["a"]]),
    ),
    case(
        "str as a sentence of tokens",
        InputTypeError,
        r"hypotheses\[0\] is a str \('a'\)",
        lambda: WORDS.sentence("a", ["a"]),
    ),
    *(
        case(
            f"{type(given).__name__} as tokens",
            InputTypeError,
            rf"hypotheses\[1\] is of type {type(given).__name__}; a list of tokens is needed",
            lambda given=given: WORDS.corpus([["a"], given], [["a"], ["b"]]),
        )
        for given in (5, None, {"a"}, {"a": 1}, iter(["a"]))
    ),
    case(
        "unhashable token",
        InputTypeError,
        r"hypotheses: the tokens of item 1 cannot be compared \(.*unhashable.*'dict'",
        lambda: WORDS.corpus([["a"], [{}]], [["a"], ["b"]]),
    ),
    case(
        "unhashable token of a reference",
        InputTypeError,
        r"references: the tokens of item 1 cannot be compared \(.*unhashable.*'set'",
        lambda: WORDS.corpus([["a"], ["b"]], [["a"], [set()]]),
    ),
    case(
        "Ragged as text",
        InputTypeError,
        r"hypotheses is of type Ragged",
        lambda: corpus_bleu(Ragged([1], [0, 1]), ["a"]),
    ),
    case(
        "Ragged of another length",
        LengthMismatchError,
        r"hypotheses has 2 segments but references has 1",
        lambda: WORDS.corpus(Ragged([1, 2], [0, 1, 2]), Ragged([1], [0, 1])),
    ),
    *(
        case(
            f"Ragged {values} {offsets}",
            InputTypeError,
            rf"hypotheses: .*{message}",
            lambda values=values, offsets=offsets: WORDS.corpus(Ragged(values, offsets), [[1]]),
        )
        for values, offsets, message in (
            ([1.5], [0, 1], "two one-dimensional arrays of integers"),
            (["a"], [0, 1], "two one-dimensional arrays of integers"),
            ([True], [0, 1], "two one-dimensional arrays of integers"),
            ([[1]], [0, 1], "two one-dimensional arrays of integers"),
            ([1], [[0, 1]], "two one-dimensional arrays of integers"),
            ([1], [0.0, 1.0], "integer offsets, one more than segments"),
            ([1], [], "integer offsets, one more than segments"),
            ([1], [1, 1], "must rise from 0 to the number of values, 1"),
            ([1], [0, 2], "must rise from 0 to the number of values, 1"),
            ([1, 2], [0], "must rise from 0 to the number of values, 2"),
            ([1, 2], [0, 2, 1, 2], "must rise from 0 to the number of values, 2"),
            ([1, 2], [0, -1, 2], "must rise from 0 to the number of values, 2"),
        )
    ),
    case(
        "Ragged references",
        InputTypeError,
        r"references: .*one-dimensional",
        lambda: WORDS.corpus([[1]], Ragged([1.5], [0, 1])),
    ),
    case(
        "Ragged stream",
        InputTypeError,
        r"reference_streams\[1\]: .*one-dimensional",
        lambda: WORDS.corpus([[1]], reference_streams=[Ragged([1], [0, 1]), Ragged([1.5], [0, 1])]),
    ),
    case(
        "tokenizer returns a str",
        InputTypeError,
        r"the tokenizer returned a str; a list of tokens is needed",
        lambda: corpus_bleu(TEXTS, TEXTS, tokenizer=str.upper),
    ),
    case(
        "tokenizer returns None",
        InputTypeError,
        r"the tokenizer returned a NoneType; a list of tokens is needed",
        lambda: corpus_bleu(TEXTS, TEXTS, tokenizer=lambda _: None),
    ),
    case(
        "tokenizer raises",
        TypeError,
        r"^no idea how to split a b c d$",
        lambda: corpus_bleu(TEXTS, TEXTS, tokenizer=_own_error),
    ),
    case(
        "tokenizer raises in a sentence",
        TypeError,
        r"^no idea how to split a$",
        lambda: sentence_bleu("a", "a", tokenizer=_own_error),
    ),
]

SETTINGS = [
    *(
        case(
            f"metrics {given!r} {more}",
            error,
            message,
            lambda given=given, more=more: truebleu.compare(
                {"A": TEXTS, "B": TEXTS}, TEXTS, metrics=given, **more
            ),
        )
        for given, more, error, message in (
            ("ter", {}, InputTypeError, r"metrics is 'ter'; a list of metrics or of their names"),
            (Bleu(), {}, InputTypeError, r"metrics is of type Bleu; a list of metrics"),
            (5, {}, InputTypeError, r"metrics is of type int; a list of metrics"),
            ([], {}, SettingsError, r"metrics is empty; at least one metric is needed"),
            (["ter", None], {}, InputTypeError, r"metrics contains None; metrics, or their"),
            (["ter", Bleu], {}, InputTypeError, r"metric is a class; make a metric of it"),
            (["ter", "rouge"], {}, UnknownNameError, r"metric 'rouge' is unknown; choose one of"),
            (["ter", "ter"], {}, SettingsError, r"two of the metrics are called TER, by which"),
            (
                [Bleu(), Bleu(lowercase=True)],
                {},
                SettingsError,
                r"called BLEU, by which results are told apart: leave one out, or pass it by it",
            ),
            (["ter"], {"metric": "ter"}, SettingsError, r"metrics cannot be combined with metric:"),
            (
                ["ter"],
                {"lowercase": True},
                SettingsError,
                r"metrics cannot be combined with lowercase: put all metrics and their settings",
            ),
            (
                ["ter"],
                {"trials": 5},
                SettingsError,
                r"'trials' is not a parameter here; .*n_trials.* metric itself",
            ),
            (["ter"], {"n_trials": 0}, SettingsError, r"n_trials is 0; a whole number"),
            (["ter"], {"progress": 5}, SettingsError, r"progress is 5; a function"),
            (["ter"], {"baseline": "C"}, UnknownNameError, r"there is no baseline 'C'"),
        )
    ),
    *(
        case(f"{name} with metrics", SettingsError, "only compare takes several metrics; .*e", call)
        for name, call in {
            "confidence_interval": lambda: confidence_interval(TEXTS, TEXTS, metrics=["ter"]),
            "pairwise": lambda: pairwise(TEXTS, metrics=["ter"]),
            "corpus_chrf": lambda: corpus_chrf(TEXTS, TEXTS, metrics=["ter"]),
        }.items()
    ),
    case(
        "statistics with metrics",
        InputTypeError,
        r"'B' is BleuStats, and statistics are those of one metric: with metrics=, pass the hyp",
        lambda: truebleu.compare({"A": TEXTS, "B": STATS}, metrics=["bleu"]),
    ),
    case(
        "no systems with metrics",
        InputTypeError,
        r"systems is of type list; a dict of names and hypotheses",
        lambda: truebleu.compare([TEXTS], TEXTS, metrics=["bleu"]),
    ),
    *(
        case(
            f"{setting} {given!r}",
            UnknownNameError,
            rf"{setting} {given!r} is unknown; choose one of {choices}",
            lambda setting=setting, given=given: Bleu(**{setting: given}),
        )
        for setting, choices in CHOICES.items()
        for given in ("foo", "", "EXP")
    ),
    case(
        "tokenizer of another type",
        InputTypeError,
        r"tokenizer is of type int; a name, a SentencePiece model or a function is needed",
        lambda: Bleu(tokenizer=5),
    ),
    case(
        "tokenizer None",
        InputTypeError,
        r"tokenizer is None, which means '13a' in sacreBLEU; give '13a', or 'pretokenized' for",
        lambda: Bleu(tokenizer=None),
    ),
    case(
        "tokenizer of the command line",
        UnknownNameError,
        r"tokenizer 'spm:x\.model' is unknown; .* truebleu\.SentencePiece\('x\.model'\)",
        lambda: Bleu(tokenizer="spm:x.model"),
    ),
    *(
        case(
            f"model of type {kind.__name__}",
            InputTypeError,
            rf"the path of a SentencePiece model is of type {kind.__name__}; a str or",
            lambda kind=kind: SentencePiece(kind()),
        )
        for kind in (bytes, int)
    ),
    case(
        "smoothing None",
        UnknownNameError,
        r"smoothing None is unknown; choose one of",
        lambda: Bleu(smoothing=None),
    ),
    case(
        "reference_length unhashable",
        UnknownNameError,
        r"reference_length \[\] is unknown; choose one of",
        lambda: Bleu(reference_length=[]),
    ),
    case(
        "unknown setting",
        SettingsError,
        r"setting 'smooth_method' is unknown; choose one of tokenizer, .*reference_length",
        lambda: corpus_bleu(TEXTS, TEXTS, smooth_method="exp"),
    ),
    case(
        "unknown setting of a sentence",
        SettingsError,
        r"setting 'threads' is unknown",
        lambda: sentence_bleu("a", "a", threads=1),
    ),
    *(
        case(
            f"max_order {given!r}",
            SettingsError,
            message,
            lambda given=given: Bleu(max_order=given),
        )
        for given, message in (
            (0, r"max_order is 0; it must be from 1 to 1,000"),
            (-1, r"max_order is -1; it must be from 1 to 1,000"),
            (10**6, r"max_order is 1000000; it must be from 1 to 1,000"),
            (1.5, r"max_order is 1\.5; a whole number is needed"),
            (4.0, r"max_order is 4\.0; a whole number is needed"),
            (True, r"max_order is True; a whole number is needed"),
            ("4", r"max_order is '4'; a whole number is needed"),
        )
    ),
    *(
        case(f"weights {given!r}", SettingsError, message, lambda given=given: Bleu(weights=given))
        for given, message in (
            ((), r"weights \(\): one finite number from 0 up per order is needed"),
            ([[]], r"weights \(\): one finite number from 0 up per order is needed"),
            ("abc", r"weights is 'abc'; a sequence of numbers"),
            ("1111", r"weights is '1111'; a sequence of numbers"),
            (["1", "1"], r"weights is \['1', '1'\]; a sequence of numbers"),
            (b"1111", r"weights is b'1111'; a sequence of numbers"),
            ({1: 1}, r"weights is \{1: 1\}; a sequence of numbers"),
            (0.5, r"weights is 0\.5; a sequence of numbers"),
            ([0.5, [0.5]], r"weights is \[0\.5, \[0\.5\]\]; a sequence of numbers"),
            ([10**400], r"weights is \[10+\]; a sequence of numbers"),
            ([-1, 2], r"weights \(-1\.0, 2\.0\): one finite number"),
            ([NAN, 1], r"weights \(nan, 1\.0\): one finite number"),
            ([float("inf")], r"weights \(inf,\): one finite number"),
            ([0, 0], r"weights \(0\.0, 0\.0\) are all 0"),
            ([[1], [0, 0]], r"weights \(0\.0, 0\.0\) are all 0"),
            ([1 / 2000] * 2000, r"max_order is 2000; it must be from 1 to 1,000"),
        )
    ),
    case(
        "weights at odds with max_order",
        SettingsError,
        r"weights for 2 orders, but max_order is 3; give as many weights, or leave max_order out",
        lambda: Bleu(weights=[0.5, 0.5], max_order=3),
    ),
    case(
        "several weights at odds with max_order",
        SettingsError,
        r"weights for 2 orders, but max_order is 1",
        lambda: Bleu(weights=[[1.0], [0.5, 0.5]], max_order=1),
    ),
    case(
        "weights that do not add up",
        SettingsWarning,
        r"weights \(1\.0, 1\.0\) add up to 2, not 1, so the score is not a weighted "
        "geometric mean",
        lambda: Bleu(weights=[1, 1]),
    ),
    case(
        "too few segments",
        SmallSampleWarning,
        "with only 2 segments, intervals are unreliable",
        lambda: confidence_interval(["a b c d"] * 2, ["a b c d"] * 2),
    ),
    *(
        case(
            f"smooth_value {given!r}",
            SettingsError,
            rf"smooth_value is {said}; a finite number from 0 up is needed",
            lambda given=given: Bleu(smoothing="floor", smooth_value=given),
        )
        for given, said in (
            (-1, "-1"),
            (-0.5, r"-0\.5"),
            (NAN, "nan"),
            (float("inf"), "inf"),
            (10**400, "10+"),
            ("0.5", r"'0\.5'"),
            (True, "True"),
        )
    ),
    *(
        case(
            f"smooth_value for {name}",
            SettingsError,
            rf"smoothing '{name}' takes no smooth_value, but 1 is given",
            lambda name=name: Bleu(smoothing=name, smooth_value=1),
        )
        for name, usual in _core.SMOOTHINGS.items()
        if usual is None
    ),
    *(
        case(
            f"smooth_value 0 for {name}",
            SettingsError,
            rf"smooth_value is 0, and smoothing '{name}' divides by it",
            lambda name=name: Bleu(smoothing=name, smooth_value=0),
        )
        for name in ("method4", "method7")
    ),
    *(
        case(
            f"{setting} {given!r}",
            SettingsError,
            rf"{setting} is {given!r}; {choices} is needed",
            lambda setting=setting, given=given: Bleu(**{setting: given}),
        )
        for setting, choices, bad in (
            ("lowercase", "True or False", ("yes", 1, None)),
            ("phantom_ngrams", "True or False", ("yes", 1, None)),
            ("effective_order", "True, False or None", ("yes", 1, "auto")),
        )
        for given in bad
    ),
    case(
        "lowercase tokens",
        SettingsError,
        r"lowercase needs text: with tokenizer='pretokenized', lower-case the tokens yourself",
        lambda: Bleu(tokenizer="pretokenized", lowercase=True),
    ),
    *(
        case(
            f"threads {given!r}",
            SettingsError,
            rf"threads is {given!r}; a whole number from 1 up is needed",
            lambda given=given: Bleu().corpus(TEXTS, TEXTS, threads=given),
        )
        for given in (0, -1, 1.5, True, "2")
    ),
    *(
        case(
            f"TRUEBLEU_THREADS {given!r}",
            SettingsError,
            rf"TRUEBLEU_THREADS is {given!r}; a whole number from 1 up is needed",
            lambda given=given: _threads_from_environment(given),
        )
        for given in ("x", "", "0", "-1", "1.5", "²")
    ),
    *(
        case(
            f"{name} for a corpus",
            SettingsError,
            rf"smoothing '{name}' is only defined for one sentence: score each segment by itself",
            lambda name=name: corpus_bleu(TEXTS, TEXTS, smoothing=name),
        )
        for name in SENTENCE_ONLY
    ),
    *(
        case(
            f"{name} in a sum",
            SettingsError,
            r"only defined for one sentence: statistics of several segments cannot be added",
            lambda name=name: Bleu(smoothing=name).stats(TEXTS, TEXTS).sum(),
        )
        for name in SENTENCE_ONLY
    ),
    *(
        case(
            f"{name} added",
            SettingsError,
            r"only defined for one sentence",
            lambda name=name: sum(Bleu(smoothing=name).stats(TEXTS, TEXTS)),
        )
        for name in SENTENCE_ONLY
    ),
    *(
        case(
            f"{name} of several rows",
            SettingsError,
            r"only defined for one sentence",
            lambda name=name: Bleu(smoothing=name).score(Bleu(smoothing=name).stats(TEXTS, TEXTS)),
        )
        for name in SENTENCE_ONLY
    ),
    *(
        case(
            f"signature {given!r}",
            error,
            message,
            lambda given=given: Bleu.from_signature(given),
        )
        for given, error, message in (
            ("", SettingsError, r"signature field '' is not of the form key:value"),
            ("nonsense", SettingsError, r"field 'nonsense' is not of the form key:value"),
            ("foo:1", SettingsError, r"signature field 'foo:1': unknown key"),
            ("case:up", SettingsError, r"field 'case:up': one of mixed, lc is needed"),
            ("eff:maybe", SettingsError, r"field 'eff:maybe': one of auto, no, yes is"),
            ("order:x", SettingsError, r"field 'order:x': a whole number is needed"),
            ("order:0", SettingsError, r"max_order is 0"),
            ("weights:a,b", SettingsError, r"field 'weights:a,b': could not convert"),
            ("smooth:floor[x]", SettingsError, r"field 'smooth:floor\[x\]': could not convert"),
            ("smooth:floor[0.5", SettingsError, r"floor\[0\.5': the bracket is not closed"),
            ("smooth:exp[1]", SettingsError, r"smoothing 'exp' takes no smooth_value"),
            ("smooth:foo", UnknownNameError, r"smoothing 'foo' is unknown; choose one of"),
            ("len:foo", UnknownNameError, r"reference_length 'foo' is unknown; choose one of"),
            ("tok:foo", UnknownNameError, r"tokenizer 'foo' is unknown; choose one of"),
            ("tok:mine.split", SettingsError, r"the tokenizer is a function; make the Bleu with"),
            ("tok:spm-3f2a", SettingsError, r"make the Bleu with tokenizer=SentencePiece\(path\)"),
            (None, InputTypeError, r"the signature is of type NoneType, not str"),
            (b"tok:13a", InputTypeError, r"the signature is of type bytes, not str"),
        )
    ),
]

STATISTICS = [
    case(
        "added to another order",
        StatsMismatchError,
        r"cannot be added: tok:13a\|.*orders:4\|.* and tok:13a\|.*orders:2\|",
        lambda: STATS + Bleu(max_order=2).stats(TEXTS, TEXTS),
    ),
    *(
        case(
            f"scored under {setting}",
            StatsMismatchError,
            rf"counted under tok:13a\|.*, but this Bleu counts under .*{said}",
            lambda setting=setting, given=given: Bleu(**{setting: given}).score(STATS),
        )
        for setting, given, said in (
            ("lowercase", True, "case:lc"),
            ("tokenizer", "none", "tok:none"),
            ("tokenizer", "pretokenized", "tok:pretokenized"),
            ("max_order", 3, "orders:3"),
            ("reference_length", "shortest", "len:shortest"),
        )
    ),
    *(
        case(
            f"bytes {name}",
            InputError,
            message,
            lambda given=given: BleuStats.from_bytes(given),
        )
        for name, given, message in (
            ("none", b"", r"these bytes were not written by BleuStats.to_bytes"),
            ("nonsense", b"nonsense", r"not written by BleuStats.to_bytes"),
            ("magic alone", MAGIC, r"not written by BleuStats.to_bytes"),
            ("cut header", BYTES[:30], r"not written by BleuStats.to_bytes"),
            ("few fields", MAGIC + b"key\t10\t1\n", r"not written by"),
            ("words for numbers", MAGIC + b"key\tten\t1\t1\t0\n", r"not written by"),
            ("no text", MAGIC + b"\xff\t10\t1\t1\t0\n", r"not written by"),
            ("no counting key", MAGIC + b"key\t10\t1\t1\t0\n", r"not written by"),
            ("odd width", MAGIC + b"key\t5\t1\t1\t0\n", r"not written by"),
            ("negative width", MAGIC + b"key\t-8\t1\t1\t0\n", r"not written by"),
            ("cut rows", BYTES[:-1], r"159 bytes are not whole rows of 10 int64"),
            ("longer rows", BYTES + b"x", r"161 bytes are not whole rows of 10 int64"),
        )
    ),
    case(
        "str as bytes",
        InputTypeError,
        r"bytes are needed, not str",
        lambda: BleuStats.from_bytes("truebleu-stats-1"),
    ),
    *(
        case(
            f"array {name}",
            InputError,
            message,
            lambda given=given: BleuStats.from_numpy(given, Bleu()),
        )
        for name, given, message in (
            ("of floats", ROWS.astype(float), r"whole numbers, but the array is float64"),
            ("of bool", ROWS.astype(bool), r"whole numbers, but the array is bool"),
            ("of objects", ROWS.astype(object), r"whole numbers, but the array is object"),
            ("of text", "abc", r"whole numbers, but the array is <U3"),
            ("narrow", ROWS[:, :5], r"shape \(2, 5\); rows of 10 are needed"),
            ("flat", ROWS.ravel(), r"shape \(20,\); rows of 10 are needed"),
            ("deep", ROWS[None], r"shape \(1, 2, 10\); rows of 10 are needed"),
            ("of one number", 5, r"shape \(\); rows of 10 are needed"),
            ("uneven", [[1] * 10, [1] * 9], r"rows of equal length are needed"),
            (
                "negative",
                -ROWS,
                r"in row 0 \(from 0\), hyp_len is -\d, but counts are not negative",
            ),
            ("too large", ROWS.astype("u8") + 2**63, r"statistics are int64, but .* larger"),
        )
    ),
]

TABLES = [
    *(
        case(
            f"table {type(given).__name__}",
            InputTypeError,
            message,
            lambda given=given: BleuStats.from_table(given, Bleu()),
        )
        for given, message in (
            *((given, "a data frame, an Arrow table or a dict") for given in (None, 5, "a", [])),
            (ROWS, "a data frame, an Arrow table or a dict of columns is needed"),
            (pl.LazyFrame({"hyp_len": [1]}), "a LazyFrame is not a table yet: collect it first"),
        )
    ),
    *(
        case(
            f"column {column!r}",
            InputError,
            message,
            lambda column=column: BleuStats.from_table(
                {name: [1] for name in (*FIELDS, "key")} | {"key": [STATS.key], "match_2": column},
                Bleu(),
            ),
        )
        for column, message in (
            ([1, 2], r"columns of equal length are needed, but their shapes are \(1,\) and \(2,\)"),
            (1, r"equal length are needed, but their shapes are \(\) and \(1,\)"),
            ([[1]], r"equal length are needed, but their shapes are \(1,\) and \(1, 1\)"),
            ([[1], [1, 2]], r"match_2: rows of equal length are needed"),
            ("x", r"equal length are needed"),
        )
    ),
    case(
        "fewer keys than rows",
        InputError,
        r"equal length are needed, but their shapes are \(1,\) and \(2,\)",
        lambda: BleuStats.from_table(
            {name: [1, 1] for name in FIELDS} | {"key": [STATS.key]},
            Bleu(),
        ),
    ),
    *(
        case(
            f"{door.__name__} like {given!r}",
            InputTypeError,
            r"like is of type \w+; a metric, or BleuStats, is needed",
            lambda door=door, given=given: door(ROWS, given),
        )
        for door in (BleuStats.from_numpy, BleuStats.from_table)
        for given in ("13a", None, 5, Bleu, {})
    ),
    *(
        case(
            f"paths {given!r}",
            error,
            message,
            lambda given=given: tables.corpus_score(given, "mt", "ref"),
        )
        for given, error, message in (
            ([], EmptyInputError, "paths is empty: at least one file is needed"),
            (None, EmptyInputError, "paths is empty: at least one file is needed"),
            (5, InputTypeError, "paths is of type int; a name, or several, is needed"),
            ([5], InputTypeError, "paths 5 is of type int; a name, as a str, is needed"),
            ([None], InputTypeError, "paths None is of type NoneType; a name"),
        )
    ),
    *(
        case(
            f"{what} of columns {given!r}",
            InputTypeError,
            rf"{what}.* is of type \w+; a name",
            lambda given=given, what=what: job.Job(
                **{"hypothesis": "mt", "references": "ref"} | {what: given}, metric=Bleu()
            ),
        )
        for what in ("hypothesis", "references", "group_by")
        for given in (5, 1.5, [5], [None], True)
    ),
]

FILES = [
    case(
        "file that is not UTF-8",
        EncodingError,
        r"name, line 2, byte 3: not UTF-8; convert the file, for example with iconv",
        lambda: _file(b"a\nbc\xff\n"),
    ),
    case(
        "surrogate in a file",
        EncodingError,
        r"line 1, byte 2: not UTF-8",
        lambda: _file(b"a\xed\xa0\x80\n"),
    ),
    case(
        "zst without zstandard",
        MissingExtraError,
        r"sys\.zst: to read \.zst, pip install 'truebleu\[zstd\]'",
        _zst_without_its_package,
    ),
    case(
        "a download by ftp",
        DownloadError,
        "ftp://host/file is neither http nor https",
        lambda: sources(Download(name="file", urls=("ftp://host/file",))),
    ),
    case(
        "no model",
        ModelError,
        r"missing\.model: No such file",
        lambda: Bleu(tokenizer=SentencePiece("missing.model")),
    ),
]

# What is special to chrF and TER; corpora and files are read by the code that reads BLEU's.
OTHER_METRICS = [
    *(
        case(f"Chrf {chosen}", SettingsError, message, lambda chosen=chosen: Chrf(**chosen))
        for chosen, message in (
            ({"char_order": -1}, "char_order is -1; it must be from 0 to 1,000"),
            ({"word_order": 1001}, "word_order is 1001; it must be from 0 to 1,000"),
            ({"char_order": 1.5}, r"char_order is 1\.5; a whole number is needed"),
            ({"char_order": True}, "char_order is True; a whole number is needed"),
            ({"word_order": "2"}, "word_order is '2'; a whole number is needed"),
            ({"char_order": 0}, "char_order and word_order are both 0; nothing would be counted"),
            ({"beta": -1}, "beta is -1; a finite number from 0 up is needed"),
            ({"beta": NAN}, "beta is nan; a finite number from 0 up is needed"),
            ({"beta": float("inf")}, "beta is inf; a finite number from 0 up is needed"),
            ({"beta": "2"}, "beta is '2'; a finite number from 0 up is needed"),
            ({"beta": None}, "beta is None; a finite number from 0 up is needed"),
            ({"beta": True}, "beta is True; a finite number from 0 up is needed"),
            ({"beta": 10**400}, "beta is 10+; a finite number from 0 up is needed"),
            ({"beta": 1e7}, r"beta is 10000000\.0; it must be from 0 to 1e\+06"),
            ({"lowercase": 1}, "lowercase is 1; True or False is needed"),
            ({"whitespace": "yes"}, "whitespace is 'yes'; True or False is needed"),
            ({"eps_smoothing": None}, "eps_smoothing is None; True or False is needed"),
        )
    ),
    *(
        case(
            f"Ter {name} {given!r}",
            SettingsError,
            f"{name} is {given!r}; True or False is needed",
            lambda name=name, given=given: Ter(**{name: given}),
        )
        for name in ("normalized", "no_punct", "asian_support", "case_sensitive")
        for given in (1, None, "yes")
    ),
    *(
        case(f"{function.__name__} {name}", error, message, lambda f=function, call=call: call(f))
        for function in (corpus_chrf, corpus_ter)
        for name, error, message, call in (
            (
                "length",
                LengthMismatchError,
                r"hypotheses has 2 segments but references has 1: hypotheses\[1\]",
                lambda f: f(TEXTS, ["x"]),
            ),
            (
                "streams",
                LengthMismatchError,
                "references has 1 list of 2: this looks like 1 complete.*reference_streams=",
                lambda f: f(TEXTS, [TEXTS]),
            ),
            (
                "str",
                InputTypeError,
                "hypotheses is a str; .* sentence_bleu, sentence_chrf or sentence_ter",
                lambda f: f("a", TEXTS),
            ),
            ("no references", InputTypeError, "give either references or", lambda f: f(TEXTS)),
            ("nothing", EmptyInputError, "hypotheses is empty", lambda f: f([], [])),
            (
                "no reference",
                EmptyInputError,
                r"references\[1\]: segment 1 has no reference",
                lambda f: f(TEXTS, ["a", [None]]),
            ),
            (
                "tokens",
                InputTypeError,
                "of type list .*tokenizer='pretokenized', which only BLEU has",
                lambda f: f([["a"]], [["a"]]),
            ),
            (
                "number",
                InputTypeError,
                r"references\[1\]\[1\] is of type int \(5\); a str, or None",
                lambda f: f(TEXTS, ["a", ["b", 5]]),
            ),
            (
                "threads",
                SettingsError,
                "threads is 0; a whole number from 1 up is needed",
                lambda f: f(TEXTS, TEXTS, threads=0),
            ),
            (
                "setting",
                SettingsError,
                "setting 'lower' is unknown; choose one of",
                lambda f: f(TEXTS, TEXTS, lower=True),
            ),
        )
    ),
    *(
        case(f"{function.__name__} {name}", error, message, lambda f=function, call=call: call(f))
        for function in (sentence_chrf, sentence_ter)
        for name, error, message, call in (
            ("no reference", EmptyInputError, "segment 0 has no reference", lambda f: f("a", [])),
            ("list", InputTypeError, "hypothesis is of type list", lambda f: f(["a"], ["a"])),
            ("None", InputTypeError, "hypothesis is of type NoneType", lambda f: f(None, "a")),
            ("number", InputTypeError, r"references\[0\] is of type int", lambda f: f("a", 5)),
            (
                "setting",
                SettingsError,
                "setting 'threads' is unknown; choose one",
                lambda f: f("a", "a", threads=1),
            ),
        )
    ),
    *(
        case(
            f"many references {name}",
            InputError,
            rf"segment {segment:d} \(counted from 0\) has {count} references, but TER takes at "
            r"most 16: leave some out, or score with truebleu\.compat\.sacrebleu",
            call,
        )
        for name, segment, count, call in (
            ("of a sentence", 0, 17, lambda: sentence_ter("a", ["b"] * 17)),
            ("in a list", 1, 20, lambda: corpus_ter(TEXTS, ["a", ["b"] * 20])),
            ("in streams", 0, 17, lambda: corpus_ter(TEXTS, reference_streams=[TEXTS] * 17)),
            (
                "in a column",
                1,
                20,
                lambda: corpus_ter(pa.array(TEXTS), pa.array([["a"], ["b"] * 20])),
            ),
            (
                "far down",
                9000,
                17,
                lambda: corpus_ter(["a"] * 9001, [["a"]] * 9000 + [["b"] * 17], threads=2),
            ),
        )
    ),
    case(
        "statistics of another metric",
        StatsMismatchError,
        r"counted under metric:ter\|.*, but this Chrf counts under metric:chrf\|",
        lambda: Chrf().score(Ter().stats(TEXTS, TEXTS)),
    ),
    case(
        "statistics of another setting",
        StatsMismatchError,
        r"\|norm:yes\|.*, but this Ter counts under .*\|norm:no\|",
        lambda: Ter().score(Ter(normalized=True).stats(TEXTS, TEXTS)),
    ),
    case(
        "sum of two metrics",
        StatsMismatchError,
        r"cannot be added: metric:ter\|.* and metric:chrf\|",
        lambda: Ter().stats(TEXTS, TEXTS) + Chrf().stats(TEXTS, TEXTS),
    ),
    case(
        "array of another width",
        InputError,
        r"shape \(1, 2\); rows of 5 are needed",
        lambda: Ter().scores([[1, 2]]),
    ),
    case(
        "cut statistics",
        InputError,
        "287 bytes are not whole rows of 18 int64",
        lambda: Stats.from_bytes(Chrf().stats(TEXTS, TEXTS).to_bytes()[:-1]),
    ),
    *(
        case(
            f"{kind.__name__} from {given!r}",
            InputTypeError,
            rf"the signature is of type {type(given).__name__}, not str",
            lambda kind=kind, given=given: kind.from_signature(given),
        )
        for kind in (Chrf, Ter)
        for given in (None, b"case:lc", 5)
    ),
]

# Python's own messages: they name what is lacking, and count the rest.
CALLS = [
    *(
        case(name, TypeError, message, call)
        for name, message, call in (
            (
                "systems one by one",
                r"^compare\(\) takes from 1 to 2 positional arguments but 3 were given$",
                lambda: truebleu.compare(TEXTS, TEXTS, TEXTS),
            ),
            (
                "a bound by position",
                r"^assert_score\(\) takes from 1 to 2 positional arguments but 3 were given$",
                lambda: truebleu.testing.assert_score(TEXTS, TEXTS, 55),
            ),
            (
                "texts to score",
                r"score\(\) takes 2 positional arguments but 3 were given$",
                lambda: Bleu().score(TEXTS, TEXTS),
            ),
            *(
                (
                    f"{function.__name__} by position",
                    rf"^{function.__name__}\(\) takes 0 positional arguments but 3 were given$",
                    lambda function=function: function(["a"], [["a"]], 1),
                )
                for function in (
                    *(truebleu.clipped_counts, truebleu.clipped_precision),
                    *(truebleu.brevity_penalty, truebleu.closest_reference_length),
                )
            ),
            (
                "no arguments",
                r"^corpus_bleu\(\) missing 1 required positional argument: 'hypotheses'$",
                corpus_bleu,
            ),
            (
                "sacreBLEU's names",
                r"^corpus_bleu\(\) missing 1 required positional argument: 'hypotheses'$",
                lambda: corpus_bleu(sys_stream=TEXTS, ref_streams=[TEXTS]),
            ),
            (
                "an argument twice",
                r"^corpus_bleu\(\) got multiple values for argument 'hypotheses'$",
                lambda: corpus_bleu(TEXTS, hypotheses=TEXTS),
            ),
            (
                "an argument that there is not",
                r"^read_lines\(\) got an unexpected keyword argument 'encoding'",
                lambda: truebleu.read_lines("a", encoding="utf-8"),
            ),
            (
                "one too many",
                r"^sentence_bleu\(\) takes 2 positional arguments but 3 were given$",
                lambda: sentence_bleu("a", "b", "c"),
            ),
            *(
                (
                    f"settings of {kind.__name__} by position",
                    rf"^{kind.__name__}\.__init__\(\) takes 1 positional argument but 2 were given",
                    lambda kind=kind: kind("13a"),
                )
                for kind in (
                    *(Bleu, Chrf, Ter),
                    *(truebleu.BleuAccumulator, truebleu.ChrfAccumulator, truebleu.TerAccumulator),
                )
            ),
        )
    ),
    *(
        case(name, InputTypeError, message, call)
        for name, message, call in (
            (
                "a list to score",
                r"stats is of type list; statistics, as stats\(\) counts them, are needed: score",
                lambda: Bleu().score(TEXTS),
            ),
            (
                "an unknown argument",
                "tokenize has no argument 'encoding'; it has text, tokenizer, lowercase, offsets",
                lambda: truebleu.tokenize("a", encoding="utf-8"),
            ),
            (
                "a foreign argument",
                "add has no argument 'target'; did you mean references",
                lambda: Accumulator().add(TEXTS, target=TEXTS),
            ),
            (
                "a similar argument",
                "tokenize has no argument 'lower_case'; did you mean lowercase",
                lambda: truebleu.tokenize("a", lower_case=True),
            ),
            (
                "paths",
                r"hypotheses is a str; .*for the lines of a file, pass read_lines\(path\)",
                lambda: corpus_bleu("system.en", "reference.en"),
            ),
            (
                "a segment to add",
                r"hypotheses is a str; .*pass \[text\].*read_lines",
                lambda: Accumulator(Bleu()).add("a b", "a b"),
            ),
        )
    ),
    *(
        case(f"{name} {given!r}", error, message, lambda call=call, given=given: call(given))
        for name, given, error, message, call in (
            (
                "baseline",
                [],
                UnknownNameError,
                r"there is no baseline \[\]; the systems are A, B",
                lambda given: truebleu.compare(SYSTEMS, TEXTS, baseline=given),
            ),
            (
                "baseline of metrics",
                [],
                UnknownNameError,
                r"there is no baseline \[\]; the systems are A, B",
                lambda given: truebleu.compare(SYSTEMS, TEXTS, metrics=["ter"], baseline=given),
            ),
            (
                "baseline of a report",
                [],
                UnknownNameError,
                r"there is no baseline \[\]; the systems are A, B",
                lambda given: truebleu.report(SYSTEMS, TEXTS, baseline=given),
            ),
            *(
                (f"documents of {what}", given, InputTypeError, message, call)
                for what, call in (
                    ("one metric", lambda given: truebleu.compare(SYSTEMS, TEXTS, documents=given)),
                    (
                        "two",
                        lambda given: truebleu.compare(
                            SYSTEMS, TEXTS, documents=given, metrics=["bleu", "ter"]
                        ),
                    ),
                    ("interval", lambda given: confidence_interval(TEXTS, TEXTS, documents=given)),
                )
                for given, message in (
                    (5, "documents is of type int; a list is needed"),
                    ({"a"}, "documents is a set; a list is needed"),
                    ([[], []], r"documents\[0\] is a list; an ID, such as a str, is needed"),
                )
            ),
            (
                "metrics",
                str,
                InputTypeError,
                "metrics is of type type; a list of metrics or of their names",
                lambda given: truebleu.compare(SYSTEMS, TEXTS, metrics=given),
            ),
            *(
                (
                    "tokenizers",
                    given,
                    InputTypeError,
                    "tokenizers is '?(int|13a)'?; a list of their names is needed",
                    lambda given: truebleu.reproduce(TEXTS, TEXTS, target="1", tokenizers=given),
                )
                for given in (5, "13a")
            ),
            *(
                (
                    f"progress of {function.__name__}",
                    5,
                    SettingsError,
                    "progress is 5; a function of two numbers",
                    lambda given, function=function: function(TEXTS, progress=given),
                )
                for function in (pairwise, truebleu.pairwise_blocks)
            ),
            *(
                (
                    "path",
                    given,
                    InputTypeError,
                    r"path is of type \w+; the path of a file, as a str",
                    truebleu.read_lines,
                )
                for given in (None, 5, b"x", ["a"])
            ),
            *(
                (
                    what,
                    [],
                    UnknownNameError,
                    rf"there is no {what} \[\].*; choose one of",
                    lambda given, name=name: truebleu.plot(SCORE, **{name: given}),
                )
                for what, name in (("chart", "kind"), ("width", "width"))
            ),
            *(
                ("tokens", [[]], InputTypeError, r"\[0\] is a list, which is no token", call)
                for call in (
                    lambda given: truebleu.ngram_counts(given, 1),
                    lambda given: truebleu.clipped_counts(
                        hypothesis=given, references=[["a"]], n=1
                    ),
                    lambda given: truebleu.clipped_precision(
                        hypothesis=["a"], references=[given], n=1
                    ),
                )
            ),
            *(
                ("numbers", given, InputTypeError, r"is of type \w+; a list of numbers", call)
                for given in (5, "12", b"1")
                for call in (
                    truebleu.geometric_mean,
                    lambda given: truebleu.geometric_mean([0.5], given),
                    lambda given: truebleu.closest_reference_length(hyp_len=1, ref_lens=given),
                )
            ),
            *(
                (
                    "rescore",
                    given,
                    InputTypeError,
                    r"metric is of type \w+; a metric, such as Bleu\(\), is needed",
                    SCORE.rescore,
                )
                for given in (None, "bleu", 5)
            ),
            *(
                (
                    "pair",
                    given,
                    UnknownNameError,
                    r"A and .* were not tested in this direction; tested: A and B",
                    lambda given: truebleu.compare(
                        {"A": ["a b c d x"] * 40, "B": ["a b"] * 40},
                        ["a b c d e"] * 40,
                        n_resamples=None,
                    ).pair("A", given),
                )
                for given in (None, "C", [])
            ),
            *(
                (
                    "comparable",
                    given,
                    error,
                    message,
                    lambda given: truebleu.assert_comparable(given, SCORE),
                )
                for given, error, message in (
                    ("smooth:floor[x]", SettingsError, r"field 'smooth:floor\[x\]': could not"),
                    ("x", SettingsError, "field 'x' is not of the form key:value"),
                    ("", SettingsError, "field '' is not of the form"),
                    (None, InputTypeError, "a score or a signature is needed, not a value of type"),
                )
            ),
        )
    ),
    case(
        "a foreign name of an argument",
        SettingsError,
        "setting 'refs' is unknown; .* did you mean the argument references",
        lambda: corpus_bleu(TEXTS, refs=TEXTS),
    ),
    *(
        case(
            f"{type(value).__name__}.{name}",
            AttributeNameError,
            rf"{type(value).__name__} has no attribute '{name}'; write {re.escape(instead)}",
            lambda value=value, name=name: getattr(value, name),
        )
        for value, names in (
            (corpus_bleu(TEXTS, TEXTS), FOREIGN_ATTRIBUTES["BleuScore"]),
            (corpus_chrf(TEXTS, TEXTS), FOREIGN_ATTRIBUTES["Score"]),
            (corpus_ter(TEXTS, TEXTS), FOREIGN_ATTRIBUTES["TerScore"]),
            (Bleu(), FOREIGN_ATTRIBUTES["Metric"]),
            (Accumulator(), FOREIGN_ATTRIBUTES["Accumulator"]),
        )
        for name, instead in names.items()
    ),
]

# Tables of engines, columns that contradict themselves, and the drop-ins.
ONE = pd.DataFrame([["a", "b", "c"]])


class _FromArrow:
    """What says that it is a column of Arrow."""

    def __init__(self, given):
        self.given = given

    def __arrow_c_array__(self, requested_schema=None):
        return self.given


def _column(ends, content):
    """Return a column of Arrow with these offsets."""
    offsets = pa.py_buffer(np.array([0, *ends], "i4").tobytes())
    return pa.Array.from_buffers(pa.string(), len(ends), [None, offsets, pa.py_buffer(content)])


def _in_arrow(frame):
    return pa.table([pa.array(frame.iloc[:, place]) for place in range(3)], list(frame.columns))


def _named(*names):
    return ONE.set_axis(list(names), axis=1)


FOREIGN = [
    *(
        case(
            f"{engine.__name__} {name}",
            InputTypeError,
            rf"frame is of type {type(given).__name__}; a DataFrame.* of {kind} is needed",
            lambda call=call, given=given: call(given),
        )
        for engine, kind in ((pandas_engine, "pandas"), (polars_engine, "Polars"))
        for given in (None, 5, "a", {})
        for name, call in (
            (f"corpus of {given!r}", lambda g, e=engine: e.corpus_score(g, "mt", "ref")),
            (f"sentences of {given!r}", lambda g, e=engine: e.sentence_score(g, "mt", "ref")),
            (f"stats of {given!r}", lambda g, e=engine: e.stats(g, "mt", "ref")),
            (f"stored {given!r}", lambda g, e=engine: e.score_stats(g)),
        )
    ),
    *(
        case(
            f"DuckDB {given!r}",
            InputTypeError,
            rf"connection is of type {type(given).__name__}; a connection of DuckDB is needed",
            lambda given=given: duckdb_engine.register(given),
        )
        for given in (None, 5, ":memory:")
    ),
    *(
        case(
            f"{engine.__name__} columns {names}",
            InputError,
            rf"2 columns are called '{twice}'; rename all but one",
            lambda score=engine.corpus_score, make=make, names=names: score(
                make(_named(*names)), "mt", "ref"
            ),
        )
        for engine, make in ((pandas_engine, lambda frame: frame), (arrow_engine, _in_arrow))
        for names, twice in ((("mt", "ref", "ref"), "ref"), (("mt", "mt", "ref"), "mt"))
    ),
    *(
        case(
            f"{engine.__name__} grouped by a column twice",
            SettingsError,
            "group_by has column 'g' twice; leave one out",
            lambda score=engine.corpus_score, make=make: score(
                make(_named("mt", "ref", "g")), "mt", "ref", group_by=["g", "g"]
            ),
        )
        for engine, make in (
            (pandas_engine, lambda frame: frame),
            (polars_engine, pl.DataFrame),
            (arrow_engine, _in_arrow),
        )
    ),
    *(
        case(
            f"Arrow {name} beside a list",
            InputError,
            rf"{what} is a column that cannot be read: ",
            call,
        )
        for what, call_with in (
            ("hypotheses", lambda column: corpus_bleu(column, TEXTS)),
            ("references", lambda column: corpus_bleu(TEXTS, column)),
        )
        for name, ends, content in (
            (f"{what} not in UTF-8", [1, 2], b"\xff\xfe"),
            (f"{what} with a cut character", [1, 3], "\xe9a".encode()),
            (f"{what} whose offsets fall", [5, 2], b"abcdefg"),
        )
        for call in (
            lambda call_with=call_with, ends=ends, content=content: call_with(
                _column(ends, content)
            ),
        )
    ),
    *(
        case(
            f"an Arrow array that is {given!r}",
            InputTypeError,
            "hypotheses is a column of .*; a column of strings is needed",
            lambda given=given: corpus_bleu(_FromArrow(given), pa.array(TEXTS)),
        )
        for given in (None, 5, (1, 2))
    ),
    *(
        case(
            f"{kind} {what} {given!r}", SettingsError, f"{what} is .*; a whole number from 0", call
        )
        for kind, score in (
            ("BLEU", SCORE),
            ("chrF", corpus_chrf(TEXTS, TEXTS)),
            ("TER", corpus_ter(TEXTS, TEXTS)),
        )
        for what, given, call in (
            *(
                ("width", given, lambda score=score, given=given: score.format(width=given))
                for given in (None, "2", -1, 101, 1.5, 10**9)
            ),
            *(
                ("indent", given, lambda score=score, given=given: score.to_json(indent=given))
                for given in (1.5, "x", [], -1, 10**30)
            ),
        )
    ),
    case(
        "no statistics to join",
        EmptyInputError,
        "parts is empty: there are no statistics to join",
        lambda: BleuStats.join([]),
    ),
    case(
        "a list among statistics to join",
        InputTypeError,
        r"parts\[1\] is of type list; statistics are needed",
        lambda: Stats.join([STATS, []]),
    ),
    *(
        case(
            f"row {given!r}",
            InputTypeError,
            rf"rows are chosen by whole numbers and slices, not by .* {type(given).__name__}",
            lambda given=given: STATS[given],
        )
        for given in ("a", 1.5, None, [0], (0, 0))
    ),
    *(
        case(
            f"row {given}",
            IndexError,
            f"^there is no row {given}; there are 2, counted from 0$",
            lambda given=given: STATS[given],
        )
        for given in (2, -3, 10**30)
    ),
    *(
        case(
            f"compare a system called {name!r}",
            InputTypeError,
            rf"the name of a system is of type {type(name).__name__} \(.*\); a str is needed",
            lambda name=name: truebleu.compare({name: TEXTS}, TEXTS),
        )
        for name in (1, None, b"A")
    ),
    case(
        "NUL in a path",
        InputError,
        "a path cannot contain NUL",
        lambda: truebleu.read_lines("a\0b"),
    ),
    *(
        case(f"evaluate {name}", error, message, call)
        for name, error, message, call in (
            (
                "a metric that is None",
                InputTypeError,
                "path is of type NoneType; the name of a metric",
                lambda: huggingface.load(None),
            ),
            *(
                (
                    f"{metric} with its own argument",
                    InputTypeError,
                    f"{metric} has no argument 'lower'; it has ",
                    lambda metric=metric: huggingface.load(metric).compute(
                        predictions=["a"], references=[["a"]], lower=True
                    ),
                )
                for metric in ("bleu", "sacrebleu", "chrf", "ter")
            ),
            (
                "a number",
                FormatError,
                "a value of type int is no list of texts",
                lambda: huggingface.load("bleu").compute(predictions=5, references=5),
            ),
        )
    ),
    *(
        case(
            f"torchmetrics {kind.__name__} {name}",
            InputTypeError,
            rf"{name} is of type {type(given).__name__}; a list of str is needed",
            lambda kind=kind, hypotheses=hypotheses, references=references: kind().update(
                hypotheses, references
            ),
        )
        for kind in (
            *(torchmetrics.BLEUScore, torchmetrics.SacreBLEUScore),
            *(torchmetrics.CHRFScore, torchmetrics.TranslationEditRate),
        )
        for name, given, hypotheses, references in (
            ("preds", None, None, [["a"]]),
            ("target", 5, ["a"], 5),
            (r"target\[1\]", 5, ["a", "b"], [["a"], 5]),
        )
    ),
    case(
        "torchmetrics without an order",
        SettingsError,
        "n_gram is None; a whole number is needed",
        lambda: torchmetrics.BLEUScore(n_gram=None),
    ),
]

CASES = [
    *CALLS,
    *LAYOUT,
    *EMPTY,
    *TYPES,
    *TOKENS,
    *SETTINGS,
    *STATISTICS,
    *TABLES,
    *FILES,
    *OTHER_METRICS,
    *FOREIGN,
]

TREE = {
    TruebleuError: (Exception,),
    InputError: (TruebleuError, ValueError),
    EmptyInputError: (InputError,),
    LengthMismatchError: (InputError,),
    EncodingError: (InputError,),
    InputTypeError: (TruebleuError, TypeError),
    AttributeNameError: (TruebleuError, AttributeError),
    SettingsError: (TruebleuError, ValueError),
    UnknownNameError: (SettingsError,),
    StatsMismatchError: (TruebleuError, ValueError),
    MissingExtraError: (TruebleuError, ImportError),
    DownloadError: (TruebleuError, OSError),
    ModelError: (DownloadError,),
    SettingsWarning: (UserWarning,),
    SmallSampleWarning: (UserWarning,),
}


@pytest.mark.parametrize(("error", "message", "call"), CASES)
def test_bad_input_is_refused_with_a_message_that_helps(error, message, call):
    """A message names what was given, where, and what would be right."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(error, match=message) as caught:
            call()
    assert type(caught.value) is error


def test_there_are_200_wrong_calls():
    """Many ways to go wrong are known, each by a name of its own."""
    assert len({row.id for row in CASES}) >= 200


def test_every_exception_has_a_row():
    """No exception exists that no test raises; the root is only there to be caught."""
    known = {
        item
        for item in vars(errors).values()
        if isinstance(item, type) and issubclass(item, BaseException)
    }
    assert {row.values[0] for row in CASES} - {FormatError, IndexError, TypeError} == known - {
        TruebleuError
    }
    assert known == set(TREE)


@pytest.mark.parametrize(("error", "parents"), TREE.items())
def test_the_tree_is_the_one_in_the_docstring(error, parents):
    """Code that catches ValueError, TypeError or ImportError catches ours."""
    assert error.__bases__ == parents
    assert error.__name__ in errors.__doc__
    assert getattr(truebleu, error.__name__) is error


def test_names_that_do_not_exist_are_not_listed():
    """A hint is no attribute: ``dir`` and ``hasattr`` do not know it; a subclass may use it."""
    score = corpus_bleu(TEXTS, TEXTS)
    assert not hasattr(score, "bp")
    assert "bp" not in dir(score)
    assert {"brevity_penalty", "score", "to_dict"} <= set(dir(score))
    # What is written instead works.
    for instead in FOREIGN_ATTRIBUTES["BleuScore"].values():
        assert eval(instead, {"score": score}) >= 0
    for instead in FOREIGN_ATTRIBUTES["TerScore"].values():
        assert eval(instead, {"score": corpus_ter(TEXTS, TEXTS)}) >= 0

    class Mine(truebleu.Metric):
        compute = "mine"

    assert Mine.compute == "mine"


@pytest.mark.parametrize("text", ["a \ud800 b c", "\udfff\ud800 x y z", "a \0 b c", "\0 \0 \0 \0"])
@pytest.mark.parametrize("tokenizer", [*sorted(_core.TOKENIZERS.keys() - {"words"}), str.split])
def test_surrogates_and_nul_are_characters_like_others(text, tokenizer):
    """A lone surrogate or a NUL is scored, matches itself, and matches nothing else."""
    assert corpus_bleu([text], [text], tokenizer=tokenizer).score == 100.0
    other = text.replace("\ud800", "\ud801").replace("\0", "\1")
    assert sentence_bleu(text, other, tokenizer=tokenizer).score < 100.0


def test_the_warning_points_to_the_caller():
    """A warning is of use only if it names the line that has to change."""
    with pytest.warns(SettingsWarning) as caught:
        Bleu(weights=[1, 1])
    assert caught[0].filename == __file__


@pytest.mark.parametrize("text", ["a \ud800 b c", "\udfff\ud800 x y z", "a \0 b c", "\0 \0"])
@pytest.mark.parametrize(("function", "best"), [(sentence_chrf, 100.0), (sentence_ter, 0.0)])
def test_surrogates_and_nul_in_other_metrics(text, function, best):
    """The same for chrF and TER."""
    assert function(text, text).score == best
    other = text.replace("\ud800", "\ud801").replace("\0", "\1")
    assert function(text, other).score != best


@pytest.mark.parametrize(
    "value", [Bleu(), Chrf(), Ter(), Bleu().corpus(TEXTS, TEXTS), STATS, Ragged([], [0])]
)
def test_values_never_change(value):
    """What is shared between threads and used as a key cannot be changed."""
    name = value._fields[0] if hasattr(value, "_fields") else "score"
    with pytest.raises(AttributeError, match=rf"{type(value).__name__} is immutable.*'{name}'"):
        setattr(value, name, None)
    with pytest.raises(AttributeError, match=rf"{type(value).__name__} is immutable.*'{name}'"):
        delattr(value, name)
    with pytest.raises(AttributeError, match="immutable"):
        value.new = 1
