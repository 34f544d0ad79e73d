"""With the same tokens and smoothing, truebleu gives the scores of NLTK 3.10.4.

Two peculiarities of NLTK are excluded. NLTK counts one n-gram for every segment shorter than n, so
only corpora without short segments are compared, but single segments of any length. NLTK also
leaves precisions of 0 out of the mean, as if log 0 were 0, where truebleu's score is 0. Precisions
of 0 are rare after smoothing, and each test says where they remain.
"""

import warnings

import pytest
import strategies
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk_bleu
from truebleu import Bleu

# Drawn corpora are too odd to be worth a warning.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

FOR_SENTENCES = ["method5", "method6", "method7"]
METHODS = ["method0", "method1", "method2", "method3", "method4", *FOR_SENTENCES]
# The parameter of NLTK's SmoothingFunction that a method takes.
PARAMETERS = {"method1": "epsilon", "method4": "k", "method6": "alpha", "method7": "k"}
# These methods use the order after the highest; NLTK always takes order 5, so the highest is 4.
LOOK_AHEAD = {"method5": 4, "method7": 4}

usual = settings(deadline=None, max_examples=40)
values = st.none() | st.floats(0.01, 10)


def nltk_scores(hypotheses, references, weights, method, value=None):
    """Return NLTK's scores for several lists of weights, times 100 and at most 100."""
    parameters = {PARAMETERS[method]: value} if method in PARAMETERS and value is not None else {}
    function = getattr(nltk_bleu.SmoothingFunction(**parameters), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = nltk_bleu.corpus_bleu(references, hypotheses, weights, function)
    scores = scores if isinstance(scores, list) else [scores]
    return [min(100.0, 100 * score) for score in scores]


def check(corpus, weights, method, value=None):
    """Compare the scores of a corpus for several lists of weights."""
    if method not in PARAMETERS:
        value = None
    expected = nltk_scores(*corpus, weights, method, value)
    bleu = Bleu(tokenizer="pretokenized", weights=weights, smoothing=method, smooth_value=value)
    score = bleu.corpus(*corpus)
    assert list(score.scores) == pytest.approx(expected, rel=1e-12, abs=1e-300)
    return score


def uniform(order):
    """Return uniform weights as users of NLTK write them."""
    return [(1 / order,) * order]


def without_short_segments(order):
    """Draw corpora in which each hypothesis has at least `order` tokens."""
    tokens = st.one_of(
        st.lists(st.integers(0, 2), min_size=order, max_size=20),
        st.lists(st.integers(0, 9), min_size=order, max_size=20),
    )
    return strategies.corpora(tokens, max_size=4)


@st.composite
def orders_and_corpora(draw):
    """Draw an order, and a corpus without short segments."""
    order = draw(st.integers(1, 6))
    return order, draw(without_short_segments(order))


one_segment = strategies.corpora(strategies.tokens, max_size=1)


@pytest.mark.parametrize("method", [method for method in METHODS if method not in FOR_SENTENCES])
class TestCorpora:
    """Corpora without short segments score the same: after smoothing, no precision is 0."""

    @usual
    @given(drawn=orders_and_corpora(), value=values)
    def test_uniform_weights(self, method, drawn, value):
        """Each smoothing gives the same BLEU-1 to BLEU-6, with its default value and others."""
        order, corpus = drawn
        # See test_method4_of_a_single_token.
        assume(method != "method4" or sum(map(len, corpus[0])) > 1)
        check(corpus, uniform(order), method, value)

    @usual
    @given(without_short_segments(6), st.lists(strategies.weight_lists(), min_size=1, max_size=4))
    def test_several_weights(self, method, corpus, weights):
        """Several lists of weights, of any lengths, give the same scores in one call."""
        check(corpus, weights, method)


class TestSentences:
    """Single segments score the same at any length, even if they are empty."""

    @usual
    @given(corpus=one_segment, order=st.integers(1, 6), value=values)
    @example(corpus=([[]], [[[1]]]), order=4, value=None)
    @example(corpus=([[1]], [[[]]]), order=4, value=None)
    @example(corpus=([[1]], [[[1]]]), order=4, value=None)
    @example(corpus=([[1, 2, 3, 4, 5]], [[[1, 2, 3, 4, 5]]]), order=4, value=None)
    @example(corpus=([[1, 2, 3, 4, 5]], [[[1, 2, 3, 9, 9]]]), order=4, value=2.0)
    @pytest.mark.parametrize("method", METHODS)
    def test_uniform_weights(self, method, corpus, order, value):
        """Each smoothing gives the same score, with its default value and others."""
        hypothesis, matches = corpus[0][0], self.matcher(corpus)
        order = LOOK_AHEAD.get(method, order)
        if method == "method4":
            # The logarithm of length 1 is 0: NLTK leaves precisions at 0, and skips them.
            assume(len(hypothesis) != 1 or order == 1)
        if method == "method6":
            # NLTK asserts that p_n[2] is not 0, and fails if there is none.
            assume(order >= 3)
            assume(matches(3) or not matches(1))
        check(corpus, uniform(order), method, value)

    @usual
    @given(one_segment, strategies.weight_lists(4, 4), st.integers(1, 3))
    @pytest.mark.parametrize("method", METHODS)
    def test_several_weights(self, method, corpus, weights, shorter):
        """Several lists of weights, of any lengths, give the same scores in one call."""
        matches = self.matcher(corpus)
        assume(method != "method4" or len(corpus[0][0]) != 1)
        assume(method != "method6" or matches(3) or not matches(1))
        check(corpus, [weights, *uniform(shorter), *uniform(4)], method)

    @staticmethod
    def matcher(corpus):
        """Return a function that says whether any n-gram of an order matches."""
        counts = Bleu(tokenizer="pretokenized").corpus(*corpus).counts
        return lambda order: counts[order - 1] > 0

    @usual
    @given(one_segment)
    def test_method6_without_a_trigram(self, corpus):
        """NLTK's method 6 fails without a matching trigram; ours needs only a matching bigram."""
        matches = self.matcher(corpus)
        assume(matches(1) and not matches(3))
        with pytest.raises(AssertionError):
            nltk_scores(*corpus, uniform(4), "method6")
        score = Bleu(tokenizer="pretokenized", smoothing="method6").corpus(*corpus)
        assert (score.score > 0) == matches(2)

    @pytest.mark.parametrize("length", [3, 4, 5])
    def test_method6_counts_no_phantoms(self, length):
        """A missing 4-gram is no n-gram for NLTK's method 6, unlike for its precisions."""
        corpus = [[*range(length)]], [[[*range(length)]]]
        metric = Bleu(tokenizer="pretokenized", smoothing="method6", phantom_ngrams=True)
        expected = nltk_scores(*corpus, uniform(4), "method6")
        assert metric.segment(corpus[0][0], corpus[1][0]).score == pytest.approx(expected[0])

    def test_method4_of_a_single_token(self):
        """A single matching token scores 1 with NLTK's method 4, and 0 with ours."""
        corpus = [["yes"]], [[["yes"]]]
        assert nltk_scores(*corpus, uniform(4), "method4") == [100.0]
        assert Bleu(tokenizer="pretokenized", smoothing="method4").corpus(*corpus).score == 0
