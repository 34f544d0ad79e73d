"""The drop-in for NLTK gives NLTK's values, types, warnings and errors."""

import sys
import warnings
from collections import Counter
from contextlib import nullcontext
from fractions import Fraction
from types import SimpleNamespace
from unittest import mock

import nltk.translate.bleu_score as original
import nltk.translate.chrf_score as original_chrf
import pytest
import strategies
import truebleu.compat.nltk as drop_in
import truebleu.compat.nltk.chrf_score as drop_in_chrf
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from truebleu import Bleu
from truebleu.errors import TruebleuError

usual = settings(deadline=None, max_examples=100)

words = st.sampled_from(["the", "cat", "sat", "on", "mat"])
anything = st.sampled_from([1, 2, "a", ("x", 1), None, 2.5, frozenset()])
token_lists = st.one_of(
    st.lists(words, max_size=9),
    st.lists(anything, max_size=9),
    st.lists(words, max_size=9).map(tuple),
    st.lists(words, max_size=3).map(" ".join),
)
weight_lists = st.sampled_from(
    [
        (0.25, 0.25, 0.25, 0.25),
        [0.25, 0.25, 0.25, 0.25],
        (1,),
        (0.5, 0.5),
        (0, 0, 0, 0, 0, 1),
        (0.7, 0.7),
        (),
        [(0.5, 0.5), (0.25, 0.25, 0.25, 0.25)],
        [(1 / 3, 1 / 3, 1 / 3)],
    ]
)


def custom(p_n, references, hypothesis, hyp_len):
    """Smooth by a formula that uses every argument of a smoothing function."""
    assert all(isinstance(each, Fraction) for each in p_n)
    return [each + Fraction(len(references) + len(hypothesis), 100 + hyp_len) for each in p_n]


@st.composite
def smoothings(draw):
    """Draw a function that takes a module and returns a smoothing function, or None."""
    name = draw(st.sampled_from([None, "custom", *(f"method{number}" for number in range(8))]))
    chosen = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "epsilon": st.sampled_from([0.1, 0.01]),
                "alpha": st.sampled_from([5, 1.5]),
                "k": st.sampled_from([5, 2]),
            },
        )
    )

    def make(module):
        if name in (None, "custom"):
            return name and custom
        return getattr(module.SmoothingFunction(**chosen), name)

    return make


@st.composite
def corpora(draw):
    """Draw references and hypotheses, which sometimes differ in number."""
    count = draw(st.integers(0, 4))
    more = draw(st.sampled_from([0] * 9 + [1]))
    hypotheses = draw(st.lists(token_lists, min_size=count + more, max_size=count + more))
    references = st.lists(token_lists, min_size=draw(st.sampled_from([0] + [1] * 9)), max_size=3)
    return draw(st.lists(references, min_size=count, max_size=count)), hypotheses


def outcome(call):
    """Return what a call returns or raises, and its warnings."""
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = error
    return result, [(each.category, str(each.message)) for each in recorded]


def check(call):
    """Compare the outcomes of a call of both modules."""
    (expected, expected_warnings), (result, result_warnings) = (
        outcome(lambda m=module: call(m)) for module in (original, drop_in)
    )
    if isinstance(expected, Exception):
        assert isinstance(result, type(expected)), (result, expected)
        return
    if isinstance(result, Exception):
        raise result
    assert (type(result), result) == (type(expected), expected)
    # NLTK says nothing about references that may be transposed.
    own = [each for each in result_warnings if "references, and the score is better" not in each[1]]
    assert own == expected_warnings


class TestCalls:
    """Every function gives NLTK's result on drawn arguments."""

    @usual
    @given(corpora(), weight_lists, smoothings(), st.booleans())
    def test_corpus(self, corpus, weights, smoothing, reweigh):
        """A corpus scores the same with any smoothing, weights and type of token."""
        references, hypotheses = corpus
        check(lambda m: m.corpus_bleu(references, hypotheses, weights, smoothing(m), reweigh))

    @usual
    @given(st.lists(token_lists, max_size=3), token_lists, weight_lists, smoothings())
    def test_sentence(self, references, hypothesis, weights, smoothing):
        """A sentence scores the same, and the parameters have the same names."""
        check(
            lambda m: m.sentence_bleu(
                references, hypothesis, weights=weights, smoothing_function=smoothing(m)
            )
        )

    @usual
    @given(st.lists(token_lists, max_size=3), token_lists, smoothings())
    def test_sentence_with_the_default_weights(self, references, hypothesis, smoothing):
        """The core scores most of these, with NLTK's floats."""
        check(lambda m: m.sentence_bleu(references, hypothesis, smoothing_function=smoothing(m)))

    @looped("references", [["a", "b"], ("a", "b"), "ab", [["a"], "a"], []])
    def test_references_that_are_not_lists(self, references):
        """A str is a sequence of characters, never a token."""
        check(lambda m: m.sentence_bleu(references, ["a", "b"]))
        check(lambda m: m.sentence_bleu([references], ["a", "b"]))

    @given(
        st.lists(st.sampled_from("abcd"), min_size=4, max_size=60),
        st.lists(st.sampled_from("abcd"), min_size=4, max_size=60),
        st.sampled_from([0.1, 1, 0, 0.0, 1e-300, 1e308, -0.5, float("inf"), True, Fraction(1, 7)]),
    )
    @settings(deadline=None, max_examples=500)
    def test_floats_of_long_sentences(self, hypothesis, reference, epsilon):
        """Logarithms are added as NLTK adds them, and any number may be the epsilon."""

        def call(module):
            smoothing = module.SmoothingFunction(epsilon=epsilon).method1
            return module.sentence_bleu([reference], hypothesis, smoothing_function=smoothing)

        check(call)

    @usual
    @given(st.lists(token_lists, max_size=3), token_lists, st.integers(1, 6))
    def test_modified_precision(self, references, hypothesis, order):
        """Modified precision is the same fraction, not reduced."""
        result = outcome(lambda: drop_in.modified_precision(references, hypothesis, order))[0]
        expected = outcome(lambda: original.modified_precision(references, hypothesis, order))[0]
        if isinstance(expected, Exception):
            assert isinstance(result, type(expected))
            return
        assert (result.numerator, result.denominator) == (expected.numerator, expected.denominator)
        assert float(result) == float(expected)
        assert result + 1 == expected + 1

    @given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 9))
    def test_lengths(self, lengths, length):
        """The closest reference length and the brevity penalty are the same, types included."""
        references = [["a"] * each for each in lengths]
        check(lambda m: m.closest_ref_length(references, length))
        check(lambda m: m.brevity_penalty(lengths[0], length))

    @usual
    @given(
        st.lists(st.tuples(st.integers(0, 4), st.integers(1, 9)), min_size=4, max_size=4),
        smoothings(),
        st.lists(words, min_size=1, max_size=9),
        st.lists(words, min_size=1, max_size=9),
    )
    def test_methods(self, counts, smoothing, reference, hypothesis):
        """A smoothing method gives the same precisions for any fractions, even impossible ones."""

        def call(module):
            function = smoothing(module)
            if function in (None, custom):
                return None
            p_n = [module.Fraction(*each) for each in counts]
            result = function(
                p_n, references=[reference], hypothesis=hypothesis, hyp_len=len(hypothesis)
            )
            return list(map(float, result))

        check(call)


class TestFixed:
    """``SmoothingFunction(fixed=True)`` corrects NLTK's methods 5 to 7."""

    REFERENCES = ([list("abcdefgh")], [list("abxdefyh")], [list("abcde")])
    HYPOTHESES = (list("abcdefgx"), list("abcdefgh"), list("abxde"))

    @pytest.mark.parametrize("name", ["method5", "method6", "method7"])
    def test_order_of_segments(self, name):
        """The score depends on which segment comes last in NLTK, but not with ``fixed=True``."""
        scores = {True: [], False: []}
        for fixed, rotated in scores.items():
            method = getattr(drop_in.SmoothingFunction(fixed=fixed), name)
            for turn in range(3):
                references = self.REFERENCES[turn:] + self.REFERENCES[:turn]
                hypotheses = self.HYPOTHESES[turn:] + self.HYPOTHESES[:turn]
                score = drop_in.corpus_bleu(references, hypotheses, smoothing_function=method)
                rotated.append(score)
        assert len(set(scores[True])) == 1
        assert len(set(scores[False])) > 1

    def test_the_next_order(self):
        """Method 5 uses the order after the highest one, whatever that is."""
        method = drop_in.SmoothingFunction(fixed=True).method5
        weights = (1 / 3, 1 / 3, 1 / 3)
        reference, hypothesis = list("abcdefgh"), list("abxdeyfh")
        score = drop_in.sentence_bleu([reference], hypothesis, weights, method)
        bleu = Bleu(tokenizer="pretokenized", smoothing="method5", weights=weights)
        expected = bleu.sentence(hypothesis, [reference]).fraction
        assert score == pytest.approx(expected, rel=1e-12)
        assert score < 1

    def test_perfect(self):
        """A perfect corpus scores more than 1 with NLTK's method 6, and 1 with ``fixed=True``."""
        segments = [list("abcdef"), list("ghij")]
        references = [[segment] for segment in segments]
        method = drop_in.SmoothingFunction(fixed=True).method6
        assert drop_in.corpus_bleu(references, segments, smoothing_function=method) == 1
        method = original.SmoothingFunction().method6
        assert original.corpus_bleu(references, segments, smoothing_function=method) > 1


class TestChrf:
    """The drop-in for NLTK's chrF gives NLTK's numbers, to the last bit."""

    segments = st.one_of(
        strategies.segments, st.lists(strategies.short, max_size=4), st.just(""), st.just([])
    )

    @usual
    @given(
        pairs=st.lists(st.tuples(segments, segments), min_size=1, max_size=6),
        orders=st.sampled_from([(1, 6), (1, 6), (2, 3), (1, 1), (4, 9)]),
        beta=st.sampled_from([3.0, 1, 2.0, 0, 0.5]),
        ignore_whitespace=st.booleans(),
    )
    def test_scores(self, pairs, orders, beta, ignore_whitespace):
        """Of text with any spaces, and of lists of words."""
        hypotheses, references = map(list, zip(*pairs, strict=True))
        options = {"beta": beta, "ignore_whitespace": ignore_whitespace}
        for one, other, name in (
            (references, hypotheses, "corpus_chrf"),
            (references[0], hypotheses[0], "sentence_chrf"),
        ):
            expected = getattr(original_chrf, name)(one, other, *orders, **options)
            assert getattr(drop_in_chrf, name)(one, other, *orders, **options) == expected
            assert getattr(drop_in_chrf, name)(one, other) == getattr(original_chrf, name)(
                one, other
            )

    @usual
    @given(token_lists, token_lists, st.sampled_from([1, 2, 5]))
    def test_one_order(self, reference, hypothesis, order):
        """Precision, recall, F-score and matches of tokens of any kind."""
        name = "chrf_precision_recall_fscore_support"
        expected = getattr(original_chrf, name)(reference, hypothesis, order)
        assert getattr(drop_in_chrf, name)(reference, hypothesis, order) == expected

    def test_several_references(self):
        """They are joined, as in NLTK: a perfect translation scores low."""
        references, hypothesis = ["the cat sat", "a dog lay there"], "the cat sat"
        expected = original_chrf.sentence_chrf(references, hypothesis)
        assert drop_in_chrf.sentence_chrf(references, hypothesis) == expected < 0.5

    @looped(
        "arguments, error",
        [
            (([], []), ZeroDivisionError),
            ((["a"], ["a", "b"]), AssertionError),
            ((["a"], ["a"], 3, 2), ZeroDivisionError),
        ],
    )
    def test_errors(self, arguments, error):
        """The exceptions are NLTK's, and ValueErrors of this package."""
        for module in (original_chrf, drop_in_chrf):
            with pytest.raises(error):
                module.corpus_chrf(*arguments)
        with pytest.raises(TruebleuError):
            drop_in_chrf.corpus_chrf(*arguments)


@looped("way", ["instance", "class", "subclass", "mock"])
@looped("name", [f"method{number}" for number in range(8)])
def test_replaced_smoothing_methods(name, way):
    """A method that is replaced is called, also if the new one has the same name."""
    hypothesis, references = ["the", "cat", "sat", "on"], [["the", "cat", "is", "on", "the", "mat"]]
    found = []
    for module in (original, drop_in):
        kind = module.SmoothingFunction

        def smoothed(*arguments, **_):
            return [each / 2 + Fraction(1, 7) for each in arguments[-1]]

        smoothed.__name__ = name
        if way == "subclass":
            kind = type("Derived", (kind,), {name: smoothed})
        method = getattr(kind(), name)
        if way == "instance":
            function = kind()
            setattr(function, name, smoothed)
            method = getattr(function, name)
        replaced = mock.patch.object(kind, name, smoothed) if way == "mock" else nullcontext()
        with pytest.MonkeyPatch.context() as patch, replaced:
            if way == "class":
                patch.setattr(kind, name, smoothed)
            if way in ("class", "mock"):
                method = getattr(kind(), name)
            scores = [
                module.sentence_bleu(references, hypothesis, smoothing_function=method),
                module.sentence_bleu(references, hypothesis, (0.5, 0.5), method),
                module.corpus_bleu([references] * 2, [hypothesis] * 2, smoothing_function=method),
            ]
        found.append(scores)
    assert found[0] == found[1]


def _halves(p_n, *_, **__):
    return [0.5] * len(p_n)


@looped(
    "module, name, changed_to",
    [
        ("bleu_score", "modified_precision", lambda *_: Fraction(1, 2)),
        ("bleu_score", "closest_ref_length", lambda *_: 20),
        ("bleu_score", "brevity_penalty", lambda *_: 0.5),
        ("bleu_score", "ngrams", lambda words, n: zip(words, strict=True)),
        ("bleu_score", "Counter", lambda items=(): Counter(set(items))),
        ("bleu_score", "Fraction", lambda one, two, **_: Fraction(one + 1, two + 1)),
        ("bleu_score", "math", SimpleNamespace(exp=abs, fsum=sum, log=lambda it: float(it) + 1)),
        ("bleu_score", "corpus_bleu", lambda *_: 0.125),
        ("bleu_score", "SmoothingFunction", lambda: SimpleNamespace(method0=_halves)),
        ("bleu_score", "SmoothingFunction.method0", lambda _, p_n, *__, **___: _halves(p_n)),
        ("bleu_score", "SmoothingFunction.method1", lambda _, p_n, *__, **___: _halves(p_n)),
        ("chrf_score", "ngrams", lambda text, n: iter(text)),
        ("chrf_score", "Counter", lambda items=(): Counter(set(items))),
        ("chrf_score", "_preprocess", lambda text, _: text[:3]),
        ("chrf_score", "chrf_precision_recall_fscore_support", lambda *_, **__: (0, 0, 0.5, 0)),
        ("chrf_score", "corpus_chrf", lambda *_, **__: 0.125),
    ],
)
def test_replaced_functions(module, name, changed_to):
    """What a program replaces in a module of NLTK is called, and no longer once it is restored."""
    reference, hypothesis = (
        text.split() for text in ("a cat is on the mat mat", "a cat is on a mat")
    )
    found = []
    for package in ("nltk.translate", "truebleu.compat.nltk"):
        used = sys.modules[f"{package}.{module}"]
        smoothing = used.SmoothingFunction() if module == "bleu_score" else None
        for replaced in (mock.patch(f"{package}.{module}.{name}", changed_to), nullcontext()):
            with replaced:
                if smoothing is None:
                    found.append(used.sentence_chrf(reference, hypothesis))
                    continue
                found.append(
                    [
                        used.sentence_bleu([reference], hypothesis),
                        used.sentence_bleu([reference], hypothesis, (0.5, 0.5)),
                        used.corpus_bleu([[reference]], [hypothesis], (0.5, 0.5)),
                        *(
                            used.sentence_bleu([reference], hypothesis, (1,) * 4, each)
                            for each in (smoothing.method1, smoothing.method5)
                        ),
                    ]
                )
    assert found[:2] == found[2:]
    assert found[0] != found[1]
