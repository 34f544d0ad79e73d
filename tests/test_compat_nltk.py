"""The drop-in for NLTK beside NLTK: same values, same types, same warnings, same errors."""

import warnings
from fractions import Fraction

import nltk.translate.bleu_score as theirs
import pytest
import truebleu.compat.nltk as ours
from hypothesis import given, settings
from hypothesis import strategies as st
from truebleu import Bleu

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
    """Smooth in a way that looks at all that a smoothing may look at."""
    assert all(isinstance(each, Fraction) for each in p_n)
    return [each + Fraction(len(references) + len(hypothesis), 100 + hyp_len) for each in p_n]


@st.composite
def smoothings(draw):
    """Draw the name of a method with parameters, a function, or nothing."""
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
    """Draw references and hypotheses, now and then not as many."""
    count = draw(st.integers(0, 4))
    more = draw(st.sampled_from([0] * 9 + [1]))
    hypotheses = draw(st.lists(token_lists, min_size=count + more, max_size=count + more))
    several = st.lists(token_lists, min_size=draw(st.sampled_from([0] + [1] * 9)), max_size=3)
    return draw(st.lists(several, min_size=count, max_size=count)), hypotheses


def outcome(call):
    """Return what a call returns or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = error
    return result, [(each.category, str(each.message)) for each in caught]


def check(call):
    """Compare what a call of both modules comes to."""
    (other, said), (own, own_said) = (
        outcome(lambda m=module: call(m)) for module in (theirs, ours)
    )
    if isinstance(other, Exception):
        assert isinstance(own, type(other)), (own, other)
        return
    if isinstance(own, Exception):
        raise own
    assert (type(own), own) == (type(other), other)
    assert own_said == said


class TestCalls:
    """Everything that can be called, on drawn arguments."""

    @usual
    @given(corpora(), weight_lists, smoothings(), st.booleans())
    def test_corpus(self, corpus, weights, smoothing, reweigh):
        """Every smoothing, several weights at once, tokens of every kind."""
        references, hypotheses = corpus
        check(lambda m: m.corpus_bleu(references, hypotheses, weights, smoothing(m), reweigh))

    @usual
    @given(st.lists(token_lists, max_size=3), token_lists, weight_lists, smoothings())
    def test_sentence(self, references, hypothesis, weights, smoothing):
        """A sentence, also by name of the arguments."""
        check(
            lambda m: m.sentence_bleu(
                references, hypothesis, weights=weights, smoothing_function=smoothing(m)
            )
        )

    @usual
    @given(st.lists(token_lists, max_size=3), token_lists, st.integers(1, 6))
    def test_modified_precision(self, references, hypothesis, order):
        """A fraction that is not reduced."""
        own = outcome(lambda: ours.modified_precision(references, hypothesis, order))[0]
        other = outcome(lambda: theirs.modified_precision(references, hypothesis, order))[0]
        if not references and len(hypothesis) >= order:
            # NLTK ends in a KeyError there.
            assert isinstance(other, KeyError)
            assert float(own) == 0
            return
        assert (own.numerator, own.denominator) == (other.numerator, other.denominator)
        assert float(own) == float(other)
        assert own + 1 == other + 1

    @given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 9))
    def test_lengths(self, lengths, length):
        """The closest reference, and the penalty with its type."""
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
        """The methods themselves, on fractions that no text has."""

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
    """``fixed=True`` computes what is meant."""

    REFERENCES = ([list("abcdefgh")], [list("abxdefyh")], [list("abcde")])
    HYPOTHESES = (list("abcdefgx"), list("abcdefgh"), list("abxde"))

    @pytest.mark.parametrize("name", ["method5", "method6", "method7"])
    def test_order_of_segments(self, name):
        """NLTK's score depends on which segment comes last; the meant one does not."""
        scores = {True: [], False: []}
        for fixed, found in scores.items():
            method = getattr(ours.SmoothingFunction(fixed=fixed), name)
            for turn in range(3):
                references = self.REFERENCES[turn:] + self.REFERENCES[:turn]
                hypotheses = self.HYPOTHESES[turn:] + self.HYPOTHESES[:turn]
                found.append(ours.corpus_bleu(references, hypotheses, smoothing_function=method))
        assert len(set(scores[True])) == 1
        assert len(set(scores[False])) > 1

    def test_the_next_order(self):
        """Method 5 looks at the next order, whichever it is."""
        method = ours.SmoothingFunction(fixed=True).method5
        weights = (1 / 3, 1 / 3, 1 / 3)
        reference, hypothesis = list("abcdefgh"), list("abxdeyfh")
        found = ours.sentence_bleu([reference], hypothesis, weights, method)
        bleu = Bleu(tokenizer=None, smoothing="method5", weights=weights)
        expected = bleu.sentence(hypothesis, [reference]).fraction
        assert found == pytest.approx(expected, rel=1e-12)
        assert found < 1

    def test_perfect(self):
        """NLTK's method 6 gives a perfect corpus more than 1."""
        segments = [list("abcdef"), list("ghij")]
        references = [[segment] for segment in segments]
        method = ours.SmoothingFunction(fixed=True).method6
        assert ours.corpus_bleu(references, segments, smoothing_function=method) == 1
        method = theirs.SmoothingFunction().method6
        assert theirs.corpus_bleu(references, segments, smoothing_function=method) > 1


def test_methods_are_named_like_theirs():
    """Nothing public is missing."""
    names = {name for name in vars(theirs.SmoothingFunction) if not name.startswith("_")}
    assert names <= set(vars(ours.SmoothingFunction))
    assert {"sentence_bleu", "corpus_bleu", "modified_precision"} < set(ours.__all__)
