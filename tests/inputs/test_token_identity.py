"""What is a token, and which of them are equal: Python says so, at every entry."""

import array
import collections
import ctypes
import enum
import mmap

import numpy as np
import pandas as pd
import pytest
import truebleu
from hypothesis import given
from hypothesis import strategies as st
from truebleu import Bleu, Ragged, explain, mbr, pairwise, self_bleu

WORDS = Bleu(tokenizer="pretokenized", max_order=2)


class Index:
    """Equal to itself only, whatever its index."""

    def __init__(self, index):
        """Keep the index."""
        self.index = index

    def __index__(self):
        """Return the same for many."""
        return self.index


class Odd(int):
    """A number that is equal to none."""

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return 1


class Color(enum.IntEnum):
    """Members are equal to their numbers."""

    RED = 1
    BLUE = 2


def oracle(hypothesis, reference):
    """Count matches of single tokens as a dict does."""
    left = {}
    for token in reference:
        left[token] = left.get(token, 0) + 1
    matches = 0
    for token in hypothesis:
        if left.get(token, 0):
            left[token] -= 1
            matches += 1
    return matches


FOUR = [Index(7), Index(7), Index(8), Index(8)]
SAME = [7, 7, 8, 8]


@pytest.mark.parametrize("make", [Index, Odd], ids=["index", "subclass"])
@pytest.mark.parametrize(
    "hold",
    [list, tuple, lambda tokens: np.array([*tokens, None], object)[:-1]],
    ids=["list", "tuple", "array"],
)
def test_tokens_that_share_an_index_are_not_equal(make, hold):
    """What can be used as a number is not that number, nor another one like it."""
    one, other = ([make(number) for number in SAME] for _ in range(2))
    assert WORDS.corpus([hold(one)], [hold(one)]).counts == (4, 3)
    for reference in (other, SAME):
        assert WORDS.corpus([hold(one)], [[hold(reference)]]).counts == (0, 0)
        assert WORDS.corpus([hold(reference)], [[hold(one)]]).counts == (0, 0)
        assert WORDS.segment(hold(one), [hold(reference)]).counts == (0, 0)


def test_at_every_entry():
    """No entry takes an index for the token."""
    other = [Index(7), Index(7), Index(8), Index(8)]
    assert pairwise([FOUR], [other], tokenizer="pretokenized").tolist() == [[0.0]]
    assert pairwise([FOUR], [FOUR], tokenizer="pretokenized").tolist() == [[pytest.approx(100)]]
    assert self_bleu([FOUR, other], tokenizer="pretokenized").scores.tolist() == [0.0, 0.0]
    # The first is like none of the others, which are alike.
    assert mbr([FOUR, other, other], tokenizer="pretokenized").index == 1
    with pytest.raises(truebleu.InputTypeError):
        WORDS.corpus(Ragged(FOUR, [0, 4]), Ragged(other, [0, 4]))


KINDS = st.sampled_from(
    [
        int,
        float,
        str,
        bool,
        complex,
        Color,
        np.int8,
        np.uint64,
        np.int64,
        np.float32,
        np.bool_,
        lambda number: np.timedelta64(number, "s"),
        lambda number: np.datetime64(number, "D"),
        lambda number: number * 2**62,
        lambda number: str(number).encode(),
    ]
)
TOKENS = st.lists(
    st.builds(lambda make, number: make(number), KINDS, st.integers(1, 2)), max_size=9
)


@given(TOKENS, TOKENS)
def test_tokens_of_all_kinds_are_those_of_a_dict(hypothesis, reference):
    """Matches are those that a dict finds, whatever the types beside one another."""
    found = WORDS.corpus([hypothesis, [1]], [[reference], [[2]]])
    assert found.counts[0] == oracle(hypothesis, reference)
    assert found.hyp_len == len(hypothesis) + 1


SPECIAL = ["", " ", "a", "é", "Ѐ", "\x00\x04", "猫", "😀", "\ud83d\ude00", "\ud83d"]
LONG = ["a" * 20, "a" * 19 + "b"]
WORD = st.text(st.characters(categories=("L", "Z", "Cs")), max_size=2) | st.sampled_from(
    SPECIAL + LONG
)
NUMBER = st.integers(0, 3) | st.sampled_from([2**63 - 1, 2**63, 2**200])
KIND = st.sampled_from([WORD, NUMBER, WORD | NUMBER, WORD | st.booleans() | st.none()])


@given(st.data(), KIND, st.sampled_from([list, tuple]), st.sampled_from([list, tuple]))
def test_a_sentence_of_tokens_is_a_corpus_of_one(data, kind, hold, other):
    """The core numbers words and numbers as Python does, whatever is beside them."""
    tokens = st.lists(kind, max_size=9)
    hypothesis = hold(data.draw(tokens))
    several = data.draw(st.lists(tokens.map(other) | st.none(), min_size=1, max_size=3))
    # One without None is there.
    several.insert(data.draw(st.integers(0, len(several))), other(data.draw(tokens)))
    # Such a list is left to Python.
    in_python = collections.UserList(hypothesis)
    assert WORDS.segment(hypothesis, several) == WORDS.segment(in_python, several)
    assert WORDS.segment(hypothesis, tuple(several)) == WORDS.segment(in_python, several)
    reference = several[-1] or other(["a"])
    if reference[0] is not None:
        expected = WORDS.segment(in_python, [reference])
        assert WORDS.segment(hypothesis, reference) == expected


@pytest.mark.parametrize("dtype", ["timedelta64[ns]", "datetime64[ns]", "timedelta64[s]"])
def test_times_are_not_numbers(dtype):
    """An array of times holds times, which are equal to no number."""
    times = np.arange(4).astype(dtype)
    assert WORDS.corpus([times], [times]).counts == (4, 3)
    assert WORDS.corpus([times], [[[0, 1, 2, 3]]]).counts == (0, 0)


EIGHT = b"\1\0\0\0\0\0\0\0"
RAW = {
    "str": "ab",
    "bytes": EIGHT,
    "bytearray": bytearray(EIGHT),
    "memoryview": memoryview(EIGHT),
    "memoryview of int64": memoryview(array.array("q", [1])),
    "memoryview of float": memoryview(array.array("d", [1.5])),
    "memoryview of a table": memoryview(np.zeros((2, 2))),
    "mmap": mmap.mmap(-1, 8),
    "ctypes": (ctypes.c_int64 * 1)(1),
}


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
def test_bytes_are_not_tokens(raw):
    """Raw memory is refused wherever tokens are due, and never read as numbers."""
    for call in (
        lambda: WORDS.corpus([raw], [[1]]),
        lambda: WORDS.corpus([[1]], [raw]),
        lambda: WORDS.corpus([[1]], [[[1], raw]]),
        lambda: WORDS.corpus([[1]], reference_streams=[[raw]]),
        lambda: WORDS.segment(raw, [[1]]),
        lambda: WORDS.stats([raw], [[1]]),
        lambda: pairwise([raw], [[1]], tokenizer="pretokenized"),
        lambda: pairwise([[1]], [raw], tokenizer="pretokenized"),
        lambda: self_bleu([raw, [1]], tokenizer="pretokenized"),
        lambda: mbr([raw, [1]], tokenizer="pretokenized"),
    ):
        with pytest.raises(truebleu.InputTypeError):
            call()


@pytest.mark.parametrize(
    "tokens",
    [
        np.array([(1, 2), (1, 2), (3, 4)], "i4,i4"),
        np.array([1, 2, 3]),
        np.array(["a", "b", "c"]),
        np.arange(3).astype("datetime64[s]"),
        ("a", "b", "c"),
        pd.Series(["a", "b", "c"]),
    ],
    ids=lambda tokens: f"{type(tokens).__name__} {getattr(tokens, 'dtype', '')}",
)
def test_an_explanation_sees_the_tokens_that_were_counted(tokens):
    """Whatever is counted can be explained: what is left out of one is what a reference lacks."""
    score = WORDS.corpus([tokens], [[tokens[:2]]])
    found = explain([tokens], [[tokens[:2]]], tokenizer="pretokenized", max_order=2)
    assert (found.score.counts, found.score.totals) == (score.counts, score.totals)
    missed = sum(cost.superfluous for cost in found.worst)
    assert missed == sum(score.totals) - sum(score.counts)


@pytest.mark.parametrize("name", [name for name in RAW if name.startswith(("str", "b", "mem"))])
def test_bytes_are_not_ragged_nor_what_a_tokenizer_returns(name):
    """Nor are they values of Ragged, a table of ids, or what a function returns."""
    raw = RAW[name]
    for call in (
        lambda: WORDS.corpus(Ragged(raw, [0, 1]), Ragged([1], [0, 1])),
        lambda: WORDS.corpus(Ragged([1], [0, 1]), Ragged([1], raw)),
        lambda: Ragged.from_padded(raw),
        lambda: Bleu(tokenizer=lambda _: raw).corpus(["a"], ["a"]),
        lambda: WORDS.corpus(raw, [[1]]),
    ):
        with pytest.raises(truebleu.InputTypeError):
            call()
