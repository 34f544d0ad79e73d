"""A warning is given once, at the line that made the call, whatever is made, copied or sent."""

import ast
import copy
import pickle
import warnings
from collections import deque
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
import test_checks
import truebleu
import truebleu.engines.polars
from looping import looped
from truebleu import Bleu, SmallSampleWarning

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

PACKAGE = Path(truebleu.__file__).parent
TEXTS = ["the cat sat on the mat", "it rained all day long", "a dog came in and left"]
OTHERS = ["a cat sat on the mat", "it rained the whole day", "a dog came and then left"]
FRAME = pd.DataFrame({"mt": TEXTS, "ref": OTHERS})
WEIGHTS = {"weights": [0.33] * 3}


def caught(call):
    """Return the warnings of a call: the messages, and which lines they are about."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", SmallSampleWarning)
        call()
    return [str(each.message) for each in found], {(each.filename, each.lineno) for each in found}


PAIR = {"a": TEXTS, "b": OTHERS[::-1]}


@pytest.mark.parametrize(
    "function", [truebleu.corpus_bleu, truebleu.corpus_chrf, truebleu.corpus_ter]
)
def test_odd_corpora_are_told_once(function):
    """Whatever scores a corpus warns of one that equals its references, at the line of the call."""
    messages, places = caught(lambda: function(test_checks.ENGLISH, test_checks.ENGLISH))
    [message] = messages
    assert message.startswith("hypotheses equal a reference in all 12 segments")
    assert {path for path, _ in places} == {__file__}


@pytest.mark.parametrize(
    "function", [truebleu.sentence_bleu, truebleu.sentence_chrf, truebleu.sentence_ter]
)
def test_a_sentence_is_not_warned_of(function):
    """One segment may well equal its reference."""
    assert caught(lambda: function(TEXTS[0], TEXTS[0])) == ([], set())


@pytest.mark.parametrize("name", ["segment_score", "stats", "corpus_score"])
def test_expressions(name):
    """Those of Polars are checked when they are written, not when they are evaluated."""
    messages, places = caught(
        lambda: pl.from_pandas(FRAME).select(getattr(pl.col("mt").truebleu, name)("ref", **WEIGHTS))
    )
    assert len(messages) == 1
    assert {path for path, _ in places} == {__file__}


def test_nothing_is_made_twice_of_the_same_settings():
    """No function of the package passes its settings on twice."""
    seen = 0
    for path in PACKAGE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            arguments = function.args if isinstance(function, ast.FunctionDef) else None
            if arguments is None or arguments.kwarg is None or arguments.kwarg.arg != "settings":
                continue
            passed = [
                node.lineno
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
                and any(
                    isinstance(each, ast.Name) and each.id == "settings"
                    for each in (*node.args, *(keyword.value for keyword in node.keywords))
                )
            ]
            assert len(passed) <= 1, (path, function.name, passed)
            seen += len(passed)
    assert seen > 25


SETTINGS = [WEIGHTS, {"weights": [[0.2] * 2, [0.4] * 3]}, {**WEIGHTS, "tokenizer": str.split}]


@pytest.mark.parametrize("settings", SETTINGS)
def test_copies_are_not_checked_again(settings, monkeypatch):
    """What has been checked is neither checked nor warned of when it is copied or sent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bleu = Bleu(**settings)
        running = truebleu.Accumulator(bleu)
        running.add(TEXTS, OTHERS)
        values = [
            bleu,
            bleu._scoped(segment=True),
            bleu._scoped(segment=False),
            bleu.corpus(TEXTS, OTHERS),
            bleu.segment(TEXTS[0], OTHERS[0]),
            bleu.stats(TEXTS, OTHERS),
            truebleu.compare(PAIR, OTHERS, n_resamples=39, metrics=bleu),
            truebleu.explain(TEXTS, OTHERS, **settings),
        ]
    monkeypatch.setattr("truebleu.metrics.settings.Table.check", None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for value in values:
            protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
            twins = [pickle.loads(pickle.dumps(value, protocol)) for protocol in protocols]
            twins += [copy.copy(value), copy.deepcopy(value), copy.deepcopy(twins[0])]
            if isinstance(value, Bleu | truebleu.BleuScore):
                assert set(twins) == {value}
            for twin in twins[:4] if isinstance(value, Bleu) else []:
                assert twin.corpus(TEXTS, OTHERS).same_as(value.corpus(TEXTS, OTHERS))
                assert twin.segment(*TEXTS[:2]) == value.segment(*TEXTS[:2])
        assert copy.deepcopy(running).score() == running.score()


@looped("case", sorted(set(test_checks.CASES) - {"square"}))
@looped("function", [truebleu.compare, truebleu.report])
def test_of_several_systems(case, function):
    """No message is given twice, word for word: what is said of each system names it."""
    hypotheses, references, chosen, _ = test_checks.CASES[case]
    if "tuples" in case:
        hypotheses, references = hypotheses * 2, references * 2
    for count in (1, 2, 5):
        systems = {f"system {number}": hypotheses for number in range(count)}

        def call(systems=systems):
            function(systems, references, n_resamples=None, metrics=Bleu(**chosen))

        messages, places = caught(call)
        same = [each for each in messages if each.endswith("the same output in every segment")]
        assert len(same) == (count > 1 and len(hypotheses) >= 10 and isinstance(hypotheses[0], str))
        messages = [each for each in messages if each not in same]
        assert 1 <= len(messages) == len(set(messages))
        if len(messages) > 1:
            assert len(messages) == count
            assert all(f"system {number} " in each for number, each in enumerate(messages))
        assert {path for path, _ in places} == {__file__}
        # Another call says it again.
        assert sorted(caught(call)[0]) == sorted(messages + same)


@pytest.mark.parametrize("name", [None, "system-strong.en", "mine"])
def test_one_system_is_singular(name):
    """Hypotheses equal a reference; a file or a system equals one."""
    texts = test_checks.ENGLISH
    if name is None:
        messages, _ = caught(lambda: truebleu.corpus_bleu(texts, texts))
    else:
        messages, _ = caught(lambda: truebleu.compare({name: texts}, texts, n_resamples=None))
    [message] = messages
    start = "hypotheses equal" if name is None else f"{name} equals"
    assert message.startswith(f"{start} a reference in all 12 segments: ")


def test_what_is_counted_again_is_observed_once():
    """The core refuses the last reference, and counts everything again once it is a list."""
    hypotheses = ["a b ."] * 60 + ["a b"] * 20_000
    references = [["a b"]] * (len(hypotheses) - 1) + [deque(["a b"])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        truebleu.corpus_bleu(hypotheses, references)


def test_too_long_segments_are_found_in_any_chunk():
    hypotheses = ["a"] * 10_000
    hypotheses[8500] = "a" * 30_000_000
    bleu = truebleu.Bleu(lowercase=True, unicode_form="NFKC")
    with pytest.raises(truebleu.InputError, match=r"segment 8500 \(counted from 0\) is too long"):
        bleu.corpus(hypotheses, hypotheses)
