"""Every shape in which a corpus may come, and what a score says of it."""

import collections
import copy
import csv
import sys
from html import unescape

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from looping import looped
from project import EXAMPLES
from toy_metrics import ExactMatch
from truebleu import (
    Bleu,
    Chrf,
    InputTypeError,
    Ter,
    compare,
    corpus_bleu,
    explain,
    report,
    sentence_bleu,
)

HYPOTHESES = [
    "The cat sat on the mat.",
    "It rained all day, and “all night” too.",
    "Ein Zug fährt ab.",
    "日本 の 秋 は 長い",
]
REFERENCES = [
    "The cat sat on a mat.",
    "It was raining all day, and all “night” too.",
    "Ein Zug fährt heute ab.",
    "日本 の 秋 は とても 長い",
]
SECOND = [
    "A cat sat on the mat.",
    "It rained the whole day and night.",
    "Der Zug fährt ab. 🚂",
    "日本 の 長い 秋",
]
PAIRS = [list(pair) for pair in zip(REFERENCES, SECOND, strict=True)]
WORDS = Bleu(tokenizer="pretokenized")
IDS = [[3, 1, 4, 1, 5, 9], [2, 6, 5, 3]]
OTHER_IDS = [[3, 1, 4, 1, 6], [2, 6, 5, 3, 5]]


class OwnStr(str):
    """What a framework might hand over instead of a str."""

    __slots__ = ()


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "map": lambda items: map(str, items),
    "deque": collections.deque,
    "UserList": collections.UserList,
    "dict keys": lambda items: dict.fromkeys(items).keys(),
    "dict values": lambda items: dict(enumerate(items)).values(),
    "numpy str": np.array,
    "numpy object": lambda items: np.array(items, dtype=object),
    "pandas object": lambda items: pd.Series(items, dtype=object),
    "pandas string": lambda items: pd.Series(items, dtype="string"),
    "pandas index": lambda items: pd.Series(items, index=range(7, 7 + len(items))),
    "np.str_": lambda items: [np.str_(item) for item in items],
    "str subclass": lambda items: [OwnStr(item) for item in items],
}


METRICS = [Bleu(), Bleu(tokenizer=str.split), Chrf(), Ter(), ExactMatch()]


@pytest.mark.parametrize("metric", METRICS, ids=repr)
@looped("name", CONTAINERS)
def test_any_ordered_iterable_will_do(metric, name):
    """A corpus is its items in their order, whatever holds them: texts, references, streams."""
    hold = CONTAINERS[name]
    expected = metric.stats(HYPOTHESES, REFERENCES)
    assert metric.stats(hold(HYPOTHESES), REFERENCES) == expected
    assert metric.stats(HYPOTHESES, hold(REFERENCES)) == expected
    expected = metric.stats(HYPOTHESES, PAIRS)
    assert metric.stats(hold(HYPOTHESES), [hold(pair) for pair in PAIRS]) == expected
    for hypothesis, pair in zip(HYPOTHESES, PAIRS, strict=True):
        assert metric.segment(hypothesis, hold(pair)).same_as(metric.segment(hypothesis, pair))
    for streams in ((hold(REFERENCES), hold(SECOND)), iter([hold(REFERENCES), hold(SECOND)])):
        assert metric.stats(HYPOTHESES, reference_streams=streams) == expected


def test_a_table_of_references():
    """An array with a row per segment holds a reference per column."""
    expected = corpus_bleu(HYPOTHESES, PAIRS)
    assert corpus_bleu(HYPOTHESES, np.array(PAIRS)) == expected
    frame = pd.DataFrame(PAIRS, columns=["a", "b"])
    assert corpus_bleu(HYPOTHESES, frame.to_numpy()) == expected
    assert corpus_bleu(HYPOTHESES, reference_streams=[frame["a"], frame["b"]]) == expected


class Dataset:
    """A table as the library "datasets" has it."""

    def __init__(self, columns):
        self._columns = columns

    @property
    def column_names(self):
        return list(self._columns)

    def __getitem__(self, name):
        return self._columns[name]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table, Dataset])
class TestFrames:
    """A frame is its columns, wherever systems or references go."""

    def test_references(self, frame):
        """Each column is a complete translation; one column may hold lists."""
        given = frame({"a": REFERENCES, "b": SECOND})
        for metric in (Bleu(), Chrf(), Ter(), Bleu(tokenizer=str.split)):
            expected = metric.corpus(HYPOTHESES, PAIRS)
            assert metric.corpus(HYPOTHESES, given).same_as(expected)
            assert metric.corpus(HYPOTHESES, reference_streams=given).same_as(expected)
            assert metric.corpus(HYPOTHESES, frame({"both": PAIRS})).same_as(expected)
        assert explain(HYPOTHESES, given).score == corpus_bleu(HYPOTHESES, PAIRS)

    def test_missing_references(self, frame):
        """What is null is missing, and in pandas what is NaN."""
        second = [None, *SECOND[1:]]
        given = frame({"a": REFERENCES, "b": second})
        several = [
            [first] if other is None else [first, other]
            for first, other in zip(REFERENCES, second, strict=True)
        ]
        score = corpus_bleu(HYPOTHESES, given)
        assert score.same_as(corpus_bleu(HYPOTHESES, several))
        assert "nrefs:var" in score.signature

    @pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
    def test_systems(self, frame):
        """Each column is a system; a single one is hypotheses, too."""
        columns = {"one": HYPOTHESES, "other": REFERENCES}
        given = frame(columns)
        for metrics in ({}, {"metrics": ["bleu", "ter"]}):
            how = {"n_resamples": 39, **metrics}
            assert compare(given, PAIRS, **how) == compare(columns, PAIRS, **how)
        assert report(given, PAIRS, n_resamples=39).comparison.ranked()[0].name == "other"
        assert corpus_bleu(frame({"one": HYPOTHESES}), PAIRS) == corpus_bleu(HYPOTHESES, PAIRS)
        with pytest.raises(InputTypeError, match="with the columns one, other; give one of them"):
            corpus_bleu(given, PAIRS)


@pytest.mark.parametrize(
    "mixed",
    [
        [PAIRS[0], REFERENCES[1], PAIRS[2], REFERENCES[3]],
        [tuple(PAIRS[0]), (REFERENCES[1],), tuple(PAIRS[2]), REFERENCES[3]],
        [PAIRS[0], [None, REFERENCES[1]], [*PAIRS[2], None], [None, REFERENCES[3], None]],
        [iter(PAIRS[0]), REFERENCES[1], np.array(PAIRS[2]), iter([REFERENCES[3]])],
    ],
    ids=["lists", "tuples", "None", "all kinds"],
)
def test_segments_may_have_different_numbers_of_references(mixed):
    """Each segment counts with the references it has; None is a reference that is missing."""
    score = corpus_bleu(HYPOTHESES, mixed)
    lists = [PAIRS[0], [REFERENCES[1]], PAIRS[2], [REFERENCES[3]]]
    assert score.same_as(corpus_bleu(HYPOTHESES, lists))
    assert score.signature.startswith("nrefs:var|")


def test_an_empty_reference_is_a_reference():
    """An empty str is a reference without words; None is no reference. They are not the same."""
    empty = corpus_bleu(HYPOTHESES, [[REFERENCES[0], ""], *PAIRS[1:]])
    missing = corpus_bleu(HYPOTHESES, [[REFERENCES[0], None], *PAIRS[1:]])
    assert empty.signature.startswith("nrefs:2|")
    assert missing.signature.startswith("nrefs:var|")


@pytest.mark.parametrize("bleu", [Bleu(), Bleu(tokenizer=str.split)])
def test_empty_segments_are_segments(bleu):
    """An empty segment has its row, with the length of its reference."""
    stats = bleu.stats(["", "a b", "", "a b"], ["a b c", "", "", "a b"]).to_numpy()
    assert stats[:, :2].tolist() == [[0, 3], [2, 0], [0, 0], [2, 2]]
    assert stats[:3, 2:6].sum() == 0
    assert stats[3, 2:4].tolist() == [2, 1]


def test_empty_segments_of_tokens_are_segments():
    """What is said of texts holds for tokens; ``[[]]`` is one reference without tokens."""
    stats = WORDS.stats([[], ["a", "b"]], [["a", "b", "c"], [[]]]).to_numpy()
    assert stats[:, :2].tolist() == [[0, 3], [2, 0]]


def test_nothing_of_the_caller_is_changed():
    """Lists go in as they are and are the same afterwards, at every level."""
    hypotheses, references = list(HYPOTHESES), [*map(list, PAIRS[:3]), [None, SECOND[3]]]
    streams = [REFERENCES, [None, *SECOND[1:]]]
    tokens = [text.split() for text in HYPOTHESES], [[text.split()] for text in REFERENCES]
    weights = [[0.5, 0.5], [1.0]]
    given = hypotheses, references, streams, tokens, weights
    before = copy.deepcopy(given)
    for tokenizer in ("13a", str.split):
        bleu = Bleu(tokenizer=tokenizer, weights=weights)
        for method in (bleu.corpus, bleu.segments, bleu.stats):
            method(hypotheses, references)
            method(hypotheses, reference_streams=streams)
    WORDS.corpus(*tokens)
    assert given == before


class TestTokens:
    """With ``tokenizer="pretokenized"`` the input is tokens; what counts is which are equal."""

    EXPECTED = WORDS.corpus(IDS, OTHER_IDS)

    def test_the_corpus_of_these_tests_says_something(self):
        """The expected score is neither 0 nor 100."""
        assert 10 < self.EXPECTED.score < 90

    @pytest.mark.parametrize(
        "dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"]
    )
    def test_arrays_of_any_width(self, dtype):
        """The dtype of an array does not matter, on one side or on both."""
        own = [np.array(ids, dtype=dtype) for ids in IDS]
        other = [np.array(ids, dtype=dtype) for ids in OTHER_IDS]
        assert WORDS.corpus(own, other).same_as(self.EXPECTED)
        assert WORDS.corpus(own, OTHER_IDS).same_as(self.EXPECTED)
        assert WORDS.corpus(IDS, other).same_as(self.EXPECTED)
        assert WORDS.corpus(own, [[ids] for ids in other]).same_as(self.EXPECTED)

    def test_equality_is_that_of_python(self):
        """``1 == True == 1.0``, and ``"1"`` is something else."""
        expected = WORDS.corpus([[1, 0, 1, 1]], [[1, 0, 1, 1]])
        assert expected.score == 100.0
        for other in ([True, False, True, True], [1.0, -0.0, 1, True], np.array([1.0, 0, 1, 1])):
            assert WORDS.corpus([[1, 0, 1, 1]], [other]).same_as(expected)
        assert WORDS.corpus([["1", "0", "1", "1"]], [[1, 0, 1, 1]]).counts == (0, 0, 0, 0)


class TestReason:
    """A score of 0 says why, in a sentence; a fine score says nothing."""

    @looped(
        ("hypothesis", "reference", "settings", "reason"),
        [
            ("", "a b c d", {}, "The hypotheses are empty."),
            ("", "", {}, "The hypotheses are empty."),
            ("", "a", {"effective_order": True}, "The hypotheses are empty."),
            (
                "x y z w",
                "a b c d",
                {},
                "No word of the hypotheses occurs in their references.",
            ),
            ("x y z w", "", {}, "No word of the hypotheses occurs in their references."),
            (
                "a b c",
                "a b c",
                {},
                "No hypothesis has 4 or more tokens, so BLEU-4 is undefined: compute chrF for "
                "segments that are so short, and choose another tokenizer for text without spaces.",
            ),
            (
                "a",
                "a",
                {"max_order": 2},
                "No hypothesis has 2 or more tokens, so BLEU-2 is undefined: compute chrF for "
                "segments that are so short, and choose another tokenizer for text without spaces.",
            ),
            (
                "a b c d e",
                "a b c x e",
                {"smoothing": "none"},
                "None of the 2 4-grams occurs in the references, and smoothing 'none' leaves "
                "that precision at 0.",
            ),
            (
                " ".join("abcdefgh") * 500,
                "a b",
                {"smoothing": "none"},
                "None of the 3,499 3-grams occurs in the references, and smoothing 'none' leaves "
                "that precision at 0.",
            ),
            ("a b c d e", "a b c x e", {"smoothing": "exp"}, None),
            ("a b c", "a b c", {"effective_order": True}, None),
            ("a b c d", "a b c d", {}, None),
        ],
    )
    def test_texts(self, hypothesis, reference, settings, reason):
        """There is one sentence for each of the four causes."""
        score = corpus_bleu([hypothesis], [reference], **settings)
        assert score.reason == reason
        assert (score.score == 0) == (reason is not None)


class TestPresentation:
    """What a score looks like."""

    def test_html_escapes(self):
        """The name of a function may hold what HTML takes for a tag."""
        score = sentence_bleu("a b", "b c", tokenizer=lambda text: text.split())
        html = score.to_html()
        assert html == score._repr_html_()
        assert "<lambda>" in score.signature
        assert "<lambda>" not in html
        assert "&lt;lambda&gt;" in html
        assert f">{score.score:.2f}</td>" in html

    @looped("metric", [Bleu(), Chrf(), Ter(), Bleu(smoothing="none")])
    def test_tables(self, metric):
        """Each format has the cells of the text, and all but CSV the signature."""
        score = metric.corpus(["a b c d"], ["a b x d"])
        header, cells = csv.reader(score.to_csv().splitlines())
        assert header == [metric.name, *score.details()]
        assert cells == [f"{score.score:.2f}", *score.details().values()]
        for table in (score.to_markdown(), unescape(score.to_html()), score.to_latex()):
            assert all(cell in table for cell in (*cells, score.signature, score.reason or ""))
        assert r"\label{tab:x}" in score.to_latex("tab:x")

    def test_html_gives_the_reason(self):
        """A 0 in a notebook explains itself, in characters that HTML allows."""
        html = corpus_bleu(["a b c d"], ["a b x d"], smoothing="none")._repr_html_()
        assert "None of the 2 3-grams occurs in the references" in html
        assert "smoothing &#x27;none&#x27; leaves that precision at 0." in html

    @looped("system", ["strong", "medium", "weak"])
    @looped("names", ["a", "b", "ab", "ba"])
    def test_str_is_the_line_of_sacrebleu(self, system, names):
        """Whoever greps for sacreBLEU's line finds the same one."""
        sacrebleu = pytest.importorskip("sacrebleu")
        hypotheses = (EXAMPLES / f"system-{system}.en").read_text("utf-8").splitlines()
        streams = [
            (EXAMPLES / f"reference-{name}.en").read_text("utf-8").splitlines() for name in names
        ]
        theirs = sacrebleu.corpus_bleu(hypotheses, streams)
        ours = corpus_bleu(hypotheses, reference_streams=streams)
        # From Python 3.12 on, sum() compensates rounding errors, and sacreBLEU's last bits differ.
        exact = 0 if sys.version_info < (3, 12) else 1e-12
        assert ours.score == pytest.approx(theirs.score, rel=exact, abs=0)
        assert str(ours) == str(theirs)
        assert ours.format(width=4) == theirs.format(width=4)
        assert f"{ours:.1f}" == f"{theirs.score:.1f}"
        assert f"{ours}" == str(theirs)
