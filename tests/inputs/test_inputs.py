"""Every shape in which a corpus may come, and what a score says of it."""

import array
import collections
import copy
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from looping import looped
from project import EXAMPLES
from truebleu import Bleu, Ragged, corpus_bleu, sentence_bleu

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


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
class TestContainers:
    """A corpus is its items in their order, whatever holds them."""

    def test_hypotheses_and_references(self, container):
        """Hypotheses and single references may come in any ordered iterable."""
        expected = corpus_bleu(HYPOTHESES, REFERENCES)
        assert 10 < expected.score < 90
        assert corpus_bleu(container(HYPOTHESES), REFERENCES) == expected
        assert corpus_bleu(HYPOTHESES, container(REFERENCES)) == expected
        assert corpus_bleu(container(HYPOTHESES), container(REFERENCES)) == expected

    def test_references_of_a_segment(self, container):
        """So may the references of one segment, for a corpus and for a sentence."""
        expected = corpus_bleu(HYPOTHESES, PAIRS)
        assert expected != corpus_bleu(HYPOTHESES, REFERENCES)
        assert corpus_bleu(HYPOTHESES, [container(pair) for pair in PAIRS]) == expected
        for hypothesis, pair in zip(HYPOTHESES, PAIRS, strict=True):
            sentence = sentence_bleu(hypothesis, pair)
            assert sentence_bleu(hypothesis, container(pair)) == sentence

    def test_streams(self, container):
        """So may streams, and the list of streams."""
        expected = corpus_bleu(HYPOTHESES, PAIRS)
        streams = (container(REFERENCES), container(SECOND))
        assert corpus_bleu(HYPOTHESES, reference_streams=streams) == expected
        streams = iter([container(REFERENCES), container(SECOND)])
        assert corpus_bleu(HYPOTHESES, reference_streams=streams) == expected

    def test_a_function_as_tokenizer(self, container):
        """What holds for our tokenizers holds for a function."""
        bleu = Bleu(tokenizer=str.split)
        expected = bleu.corpus(HYPOTHESES, PAIRS)
        nested = [container(pair) for pair in PAIRS]
        assert bleu.corpus(container(HYPOTHESES), nested).same_as(expected)


def test_a_table_of_references():
    """An array with a row per segment holds a reference per column."""
    expected = corpus_bleu(HYPOTHESES, PAIRS)
    assert corpus_bleu(HYPOTHESES, np.array(PAIRS)) == expected
    frame = pd.DataFrame(PAIRS, columns=["a", "b"])
    assert corpus_bleu(HYPOTHESES, frame.to_numpy()) == expected
    assert corpus_bleu(HYPOTHESES, reference_streams=[frame["a"], frame["b"]]) == expected


@pytest.mark.parametrize(
    "mixed",
    [
        [PAIRS[0], REFERENCES[1], PAIRS[2], [REFERENCES[3]]],
        [tuple(PAIRS[0]), (REFERENCES[1],), tuple(PAIRS[2]), REFERENCES[3]],
        [PAIRS[0], [None, REFERENCES[1]], [*PAIRS[2], None], [None, REFERENCES[3], None]],
        [iter(PAIRS[0]), REFERENCES[1], np.array(PAIRS[2]), iter([REFERENCES[3]])],
    ],
    ids=["lists", "tuples", "None", "all kinds"],
)
def test_segments_may_have_different_numbers_of_references(mixed):
    """Each segment counts with the references it has; None is a reference that is missing."""
    counts = [0, 2], [1, 3]
    parts = [
        Bleu().stats([HYPOTHESES[i] for i in chosen], [references[i] for i in chosen])
        for chosen, references in zip(counts, (PAIRS, REFERENCES), strict=True)
    ]
    expected = Bleu().score(parts[0] + parts[1])
    score = corpus_bleu(HYPOTHESES, mixed)
    assert score == expected
    assert score.signature.startswith("nrefs:var|")


def test_streams_may_have_gaps():
    """None in a stream is a missing reference, as in sacreBLEU."""
    second = [None, *SECOND[1:]]
    mixed = [REFERENCES[0], *PAIRS[1:]]
    expected = corpus_bleu(HYPOTHESES, mixed)
    assert corpus_bleu(HYPOTHESES, reference_streams=[REFERENCES, second]) == expected


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
    streams = [list(REFERENCES), [None, *SECOND[1:]]]
    tokens = [text.split() for text in HYPOTHESES], [[text.split()] for text in REFERENCES]
    weights = [[0.5, 0.5], [1.0]]
    given = hypotheses, references, streams, tokens, weights
    before = copy.deepcopy(given)
    for tokenizer in ("13a", str.split):
        bleu = Bleu(tokenizer=tokenizer, weights=weights)
        for method in (bleu.corpus, bleu.sentences, bleu.stats):
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

    @pytest.mark.parametrize("code", "bBhHiIlLqQ")
    def test_arrays_of_the_standard_library(self, code):
        """``array.array`` of whole numbers holds tokens, whatever its type code."""
        own = [array.array(code, ids) for ids in IDS]
        other = [array.array(code, ids) for ids in OTHER_IDS]
        assert WORDS.corpus(own, other).same_as(self.EXPECTED)
        assert WORDS.corpus(own, OTHER_IDS).same_as(self.EXPECTED)

    @looped(
        "rename",
        [
            str,
            float,
            Fraction,
            lambda token: token - 10,
            lambda token: token * 10**18,
            lambda token: token + 2**63 - 5,
            lambda token: (token, "subword"),
            lambda token: frozenset([token]),
            lambda token: str(token).encode(),
            np.str_,
            np.float32,
            lambda token: pd.Timestamp(2020, 1, 1 + token),
        ],
    )
    def test_any_hashable_will_do(self, rename):
        """Giving every token another name changes no score."""
        own = [[rename(token) for token in ids] for ids in IDS]
        other = [[[rename(token) for token in ids]] for ids in OTHER_IDS]
        assert WORDS.corpus(own, other).same_as(self.EXPECTED)

    def test_the_example_of_a_flat_reference(self):
        """A reference need not be in a list of its own, except where its tokens are tuples."""
        own, other = [["a", "b"]], [["a", "c"]]
        assert WORDS.corpus(own, other).same_as(WORDS.corpus(own, [other]))

    def test_equality_is_that_of_python(self):
        """``1 == True == 1.0``, and ``"1"`` is something else."""
        expected = WORDS.corpus([[1, 0, 1, 1]], [[1, 0, 1, 1]])
        assert expected.score == 100.0
        for other in ([True, False, True, True], [1.0, -0.0, 1, True], np.array([1.0, 0, 1, 1])):
            assert WORDS.corpus([[1, 0, 1, 1]], [other]).same_as(expected)
        assert WORDS.corpus([["1", "0", "1", "1"]], [[1, 0, 1, 1]]).counts == (0, 0, 0, 0)

    def test_large_unsigned_numbers_are_not_negative_ones(self):
        """Nothing is cast: 2**64 - 1 and -1 are two tokens."""
        large = np.array([2**64 - 1, 2**63, 2**63 + 1, 7], dtype=np.uint64)
        wrapped = large.astype(np.int64)
        assert wrapped[0] == -1
        assert WORDS.corpus([large], [wrapped]).counts == (1, 0, 0, 0)
        assert WORDS.corpus([large], [large.tolist()]).score == 100.0
        ragged = Ragged(large, [0, 4]), Ragged(wrapped, [0, 4])
        assert WORDS.corpus(*ragged).counts == (1, 0, 0, 0)

    def test_ragged_is_the_same_in_one_array(self):
        """Ragged hypotheses, references and streams say what lists of lists say."""
        own = Ragged(np.array([*IDS[0], *IDS[1]]), [0, 6, 10])
        other = Ragged([*OTHER_IDS[0], *OTHER_IDS[1]], np.array([0, 5, 10]))
        assert len(own) == len(other) == 2
        assert WORDS.corpus(own, other).same_as(self.EXPECTED)
        assert WORDS.corpus(IDS, other).same_as(self.EXPECTED)
        assert WORDS.corpus(own, reference_streams=[other]).same_as(self.EXPECTED)
        two = WORDS.corpus(IDS, list(zip(OTHER_IDS, IDS, strict=True)))
        assert WORDS.corpus(own, reference_streams=[other, own]).same_as(two)

    def test_tokens_are_what_a_tokenizer_makes(self):
        """Splitting first and scoring tokens is the same as scoring text."""
        own = [text.split() for text in HYPOTHESES]
        pairs = [[text.split() for text in pair] for pair in PAIRS]
        texts = corpus_bleu(HYPOTHESES, PAIRS, tokenizer="none")
        for corpus in ((own, pairs), (map(tuple, own), map(tuple, pairs))):
            assert WORDS.corpus(*corpus).score == texts.score
        text = Bleu(tokenizer="none").sentence(HYPOTHESES[1], PAIRS[1])
        assert WORDS.sentence(own[1], pairs[1]).score == text.score < 100


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
        html = score._repr_html_()
        assert "<lambda>" in score.signature
        assert "<lambda>" not in html
        assert "&lt;lambda&gt;" in html
        assert f"BLEU = {score.score:.2f}" in html

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
