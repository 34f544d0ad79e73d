"""One contract of all that is public: whatever is passed, only errors of this package come out.

What is called is found in the package. A function, a method, a parameter or a command that nobody
has said how to call fails here.
"""

import contextlib
import inspect
import re
from functools import partial

import numpy as np
import pytest
import truebleu
from entry_points import FUNCTIONS, WORDS_OF, Corpus, arguments, write_files
from hostile import VALUES, bounded, fault, run
from looping import later
from project import ROOT
from public_names import PUBLIC, RESULTS
from test_copies import MAKERS, compared
from truebleu import Bleu, Metric
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.meta import JudgedSet
from truebleu.metrics.bleu import settings as bleu
from truebleu.metrics.chrf import settings as chrf
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.ter import settings as ter
from truebleu.significance.design import OF_TESTS

pytestmark = pytest.mark.filterwarnings("ignore")

TEXTS, OTHERS = ["a b c d e"] * 3, ["a b c d f"] * 3
BLEU, CHRF, TER = ({each.name for each in of.SETTINGS.settings} for of in (bleu, chrf, ter))
# The names that keywords stand for, by their annotation.
KEYWORDS = {
    "Never": set(),
    "Unpack[BleuSettings]": BLEU,
    "Unpack[ChrfSettings]": CHRF,
    "Unpack[TerSettings]": TER,
}
# The same by the parameter, where it is annotated with Any; those of records are made here.
NAMED = {"how": {"threads", *OF_TESTS}, "options": {"metrics"}, "changes": set()}


def counted(metric):
    """Return statistics of a metric."""
    if isinstance(metric, SegmentScores):
        return metric.from_scores([0.5, None])
    return metric.stats(TEXTS, OTHERS)


# What methods need, of an object and a folder, by the parameter or by that and the method.
NEEDED = {
    "array": lambda it, _: it.to_numpy(),
    "columns": lambda it, _: list(it.to_numpy().T),
    "count": lambda *_: 1,
    "data": lambda it, _: it.to_bytes(),
    "dialect.name": lambda *_: "nltk",
    "difference.one": lambda *_: "nltk",
    "difference.other": lambda *_: "sacrebleu",
    "groups": lambda it, _: [0] * len(it),
    "hypotheses": lambda *_: TEXTS,
    "hypothesis": lambda *_: TEXTS[0],
    "ids": lambda *_: np.array([[1, 2, 0]]),
    "like": lambda it, _: it,
    "metric": lambda it, _: it.metric,
    "name": lambda *_: "scores",
    "one": lambda *_: "one",
    "other": lambda it, _: it,
    "pair.other": lambda *_: "other",
    "path": lambda _, folder: str(folder / "written.svg"),
    "write.path": lambda it, folder: str(folder / f"w{WRITTEN.get(type(it).__name__, '.html')}"),
    "references": lambda *_: OTHERS,
    "rows": lambda it, _: counted(it).to_numpy(),
    "number.score": lambda *_: 50.0,
    "scores": lambda *_: [0.5],
    "segments": lambda *_: 100,
    "stats": lambda it, _: counted(it),
    "pair": lambda it, _: it.pairs[0],
    "table": lambda it, _: {
        **dict(zip(it.fields, it.to_numpy().T, strict=True)),
        "key": [it.key] * len(it),
    },
    "text": lambda it, _: it.signature,
}
WRITTEN = {"SavedStats": ".jsonl"}
HOOKS = {"blocks", "count", "SegmentScores.scores"}
# What other modules of the package call, and nobody else.
INNER = {
    *(
        "by_label",
        "check_key",
        "check_rows",
        "ends",
        "from_columns",
        "join",
        "of",
        "of_counts",
        "of_rows",
    ),
    "reason_for",
}
# A function is the caller's, and what it raises, too.
CALLED = {("progress", "a class"), ("tokenizer", "a class"), ("function", "a class")}
API = (ROOT / "docs" / "api.md").read_text("utf-8")
SCORES = {"X": {"A": [1.0, 2], "B": [0.5, 1]}}
# Segment scores come from elsewhere, and the mean of others has no counts.
REFUSING = {
    "SegmentScores": (truebleu.SettingsError,),
    "SelfBleu": (truebleu.StatsMismatchError,),
}
CLASSES = {
    **{
        kind.__name__: make
        for kind, make in MAKERS.items()
        if kind.__module__ == "truebleu" or kind in RESULTS.values()
    },
    "Comparison": lambda: compared(baseline="one", margin=1.0),
    "JudgedSet": lambda: JudgedSet(gold={"A": [1.0, 2], "B": [0.5, 0]}, scores=SCORES),
}
# Constructors, and what they need; of what only the package makes, the others are not called.
MADE = {
    "Accumulator": {},
    "Bleu": {},
    "Chrf": {},
    "GivenScores": {"values": {"A": [1.0]}, "lower_is_better": True},
    "Ragged": {"values": [1, 2], "offsets": [0, 2]},
    "SavedStats": {"systems": {"A": Bleu().stats(TEXTS, OTHERS)}},
    "SegmentScores": {"name": "X"},
    "SentencePiece": {"path": "own.model"},
    "Ter": {},
}


def parameters_of(function, owner=None):
    """Return the names that a function can be called with."""
    names = []
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.VAR_KEYWORD:
            known = KEYWORDS.get(each.annotation)
            if isinstance(owner, Metric) and each.name == "changes":
                known = owner.settings()
            names += NAMED[each.name] if known is None else known
        elif each.kind is not each.VAR_POSITIONAL:
            names.append(each.name)
    return names


def faults(function, right, owner=None, step=1):
    """Call a function with values of which one is odd; return what is raised that should not be."""
    found = {}
    for number, name in enumerate(parameters_of(function, owner)):
        for what in list(VALUES)[number % step :: step]:
            if (name, what) not in CALLED:
                error = fault(partial(function, **{**right, name: VALUES[what]}))
                if error is not None:
                    found[name, what] = error
    return found


def few_and_all(names, often):
    """Return names with the number of values of which one is tried; `make campaign` tries all."""
    return [*((name, often(name)) for name in names), *(later(name, 1) for name in names)]


@pytest.mark.parametrize(
    ("path", "step"), few_and_all(FUNCTIONS, lambda path: 8 if "engines" in path else 2)
)
def test_functions(path, step, tmp_path):
    """With arguments that are right, but for one."""
    positional, keyword = arguments(path, TEXTS, OTHERS, tmp_path)
    function = FUNCTIONS[path]
    right = inspect.signature(function).bind(*positional, **keyword).arguments
    right |= right.pop("settings", {}) | right.pop("how", {})
    if path == "audit of a target":
        right["max_seconds"] = 1e-9  # A search that goes on checks no argument.
    function(**right)
    with bounded():
        found = faults(function, right, step=step)
    assert shown(found) == {}


def test_constructors(subtests):
    """Of each class that the documentation calls."""
    assert {*re.findall(r"`([A-Z]\w+)\(", API)} == {*MADE}
    for name, right in MADE.items():
        with subtests.test(name), bounded():
            assert shown(faults(PUBLIC[name], right)) == {}


def methods_of(value):
    """Return the public methods of an object, and what each needs."""
    for name in dir(value):
        method = None if name[0] == "_" else getattr(value, name)
        if name in INNER or not (inspect.ismethod(method) or inspect.isfunction(method)):
            continue
        if not method.__module__.startswith("truebleu"):
            continue
        # Of records, and of what is counted elsewhere, these are not called.
        if {name, f"{type(value).__name__}.{name}"} & HOOKS or (
            name == "replace" and not isinstance(value, Metric)
        ):
            continue
        yield name, method


def needed_by(name, method, value, folder):
    """Return arguments of a method that are right."""
    parameters = inspect.signature(method).parameters.values()
    needed = {
        each.name
        for each in parameters
        if each.default is each.empty and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    }
    needed |= {"references"} & {each.name for each in parameters if "hypotheses" in needed}
    return {each: NEEDED.get(f"{name}.{each}", NEEDED.get(each))(value, folder) for each in needed}


@pytest.mark.parametrize(
    ("kind", "step"), few_and_all(CLASSES, lambda kind: 12 if kind.startswith("Report") else 2)
)
def test_methods(kind, step, tmp_path, subtests):
    """Of an object of each class."""
    value = CLASSES[kind]()
    for name, method in methods_of(value):
        with subtests.test(name), bounded():
            right = needed_by(name, method, value, tmp_path)
            with contextlib.suppress(*REFUSING.get(kind, ())):
                method(**right)
            assert shown(faults(method, right, value, step)) == {}


def shown(found):
    """Return the first faults of each parameter, for a message."""
    return {name: (what, repr(error)[:150]) for (name, what), error in found.items()}


PAGES = {"report", "compare"}
WORDS = (
    *("", " ", "nan", "inf", "-inf", "-1", "0", "1e400", str(1 << 31), str(1 << 63), "9" * 5000),
    *("a\nb", "=", "x=", "[]", "{}", "\\", "/", "judged", "x" * 5000, "²", "0,0"),
)


def lines_of(command, step):
    """Return command lines in each of which one word is odd; for each option, one of `step`."""
    right = WORDS_OF[command]
    for number, action in enumerate(command_parser(command).parameters):
        for word in WORDS[number % step :: step] if action.nargs != 0 else ():
            if action.option_strings:
                yield [command, action.option_strings[-1], word, *right]
            else:
                yield [command, word, *right[1:]]


@pytest.mark.parametrize(
    ("command", "step"), few_and_all(COMMANDS, lambda name: 20 if name in PAGES else 6)
)
def test_commands(command, step, tmp_path, monkeypatch):
    """Each option that takes a value, and each file, is a word that is odd."""
    monkeypatch.chdir(tmp_path)
    write_files(Corpus(TEXTS, OTHERS, tmp_path))
    # That program knows no scores.
    assert run([command, *WORDS_OF[command]]) == (2 if command == "check" else 0)
    for line in lines_of(command, step):
        codes = []
        error = fault(lambda line=line, codes=codes: codes.append(run(line)))
        assert error is None, (line, error)
        assert codes in ([0], [1], [2]), line
