"""The parts of a difference: they add up to it, and each is what its component is worth."""

from math import exp, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import corpora
from truebleu import Bleu, Chrf, Ter, decompose
from truebleu.metrics.chrf.explanation import _f_score

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

METRICS = [
    Bleu(),
    Bleu(smoothing="floor", effective_order=True),
    Bleu(smoothing="add-k", weights=[0.6, 0, 0.4]),
    Bleu(smoothing="skip-zero", max_order=6),
    Bleu(smoothing="method0"),
    Bleu(smoothing="none", max_order=1, tokenizer="char"),
    Chrf(),
    Chrf(word_order=2, beta=0.5),
    Chrf(char_order=3, eps_smoothing=True),
    Ter(),
    Ter(normalized=True, no_punct=True),
]

REFERENCES = ["The cat sat on the mat.", "It rained all day, and then it did not."]
OUTPUTS = {
    "long": ["The cat sat on the mat.", "It rained all day, and then it did not rain."],
    "short": ["A cat sat on the mat.", "It rained all day, then not."],
    "none": ["", ""],
}


def total(found):
    return sum(part.share for part in found.parts)


@settings(max_examples=150)
@given(corpus=corpora(), random=st.randoms(use_true_random=False), metric=st.sampled_from(METRICS))
def test_the_parts_add_up_to_the_difference(corpus, random, metric):
    """Whatever the corpus and the metric, shares add up; those that are undefined say why."""
    hypotheses, references = corpus
    others = random.sample(hypotheses, len(hypotheses))
    one, other = (metric.corpus(each, references) for each in (hypotheses, others))
    found = decompose(one, other)
    assert found.delta == one.score - other.score
    if found.reason is None:
        assert total(found) == pytest.approx(found.delta, abs=1e-9)
        mirrored = decompose(other, one)
        for part, back in zip(found.parts, mirrored.parts, strict=True):
            assert back.share == pytest.approx(-part.share, abs=1e-9)
            assert (back.one, back.other) == (part.other, part.one)
    else:
        assert {part.share for part in found.parts} == {None}
        assert not (one.score and other.score) or isinstance(metric, Ter)
    assert all(part.share == 0 for part in decompose(one, one).parts if part.share is not None)


class TestBleu:
    """Shares of the logarithm."""

    def test_they_are_those_of_the_formula(self):
        """Each is the logarithmic mean of the scores times weighted differences of logarithms."""
        one, other = (Bleu().corpus(OUTPUTS[name], REFERENCES) for name in ("long", "short"))
        mean = (one.score - other.score) / (log(one.score) - log(other.score))
        pairs = zip(one.precisions, other.precisions, strict=True)
        expected = [mean * (log(a) - log(b)) / 4 for a, b in pairs]
        penalty = mean * log(one.brevity_penalty / other.brevity_penalty)
        found = decompose(one, other)
        assert [part.share for part in found.parts] == pytest.approx([*expected, penalty])
        names = ["order 1", "order 2", "order 3", "order 4", "brevity penalty"]
        assert [part.name for part in found.parts] == names
        assert "brevity penalty" in str(found)

    def test_a_penalty_alone(self):
        """Of equal precisions, the whole difference is due to the penalty."""
        text = "a b c d e f g h"
        one, other = (Bleu().corpus([each], [text]) for each in (text, text[:11]))
        found = decompose(one, other)
        assert [part.share for part in found.parts[:4]] == [0, 0, 0, 0]
        assert found.parts[4].share == pytest.approx(100 - 100 * exp(1 - 8 / 6))

    @pytest.mark.parametrize("names", [("long", "none"), ("none", "long"), ("none", "none")])
    def test_a_score_of_0_has_no_shares(self, names):
        """There is no logarithm of 0; the reason of the score is repeated."""
        found = decompose(*(Bleu().corpus(OUTPUTS[name], REFERENCES) for name in names))
        which = "first" if names[0] == "none" else "second"
        start = f"The {which} score is 0, so logarithms are undefined: The hypotheses are empty."
        assert found.reason.startswith(start)
        assert {part.share for part in found.parts} == {None}
        assert "undefined" in str(found)


class TestChrf:
    """Shapley values of precision and recall."""

    def test_they_are_means_over_both_orders_of_replacement(self):
        """Recall alone, where the precisions are equal."""
        one, other = (Chrf().corpus([each], ["a b c d e f g"]) for each in ("a b c d e f g", "a b"))
        found = decompose(one, other)
        alone = 100 - 100 * _f_score((1, other.recall / 100), 2)
        # Orders that a text is too short for are left out.
        assert other.precision == 100
        assert [part.share for part in found.parts] == pytest.approx([0, alone])

    @given(corpus=corpora(), beta=st.sampled_from([0.5, 1, 2, 3]))
    def test_the_formula_is_that_of_the_core(self, corpus, beta):
        """Of the precision and the recall of one score, the F-score is that score."""
        score = Chrf(beta=beta).corpus(*corpus)
        parts = (score.precision / 100, score.recall / 100)
        assert 100 * _f_score(parts, beta) == pytest.approx(score.score, abs=1e-9)


class TestTer:
    """Edits by kind."""

    def test_they_are_edits_per_100_words(self):
        """With the same references, a share is the difference in edits by their length."""
        one, other = (Ter().corpus(OUTPUTS[name], REFERENCES) for name in ("long", "short"))
        found = decompose(one, other)
        assert len(found.parts) == 4
        for part in found.parts:
            assert part.share == pytest.approx(100 * (part.one - part.other) / one.ref_len)

    def test_references_of_different_length(self):
        """They are a part of their own."""
        one, other = Ter().corpus(["a b"], ["a c"]), Ter().corpus(["a b"], ["a c d e"])
        found = decompose(one, other)
        assert found.parts[-1].name == "reference length"
        assert (found.parts[-1].one, found.parts[-1].other) == (2, 4)
        assert total(found) == pytest.approx(found.delta)

    def test_no_words_in_the_references(self):
        """The rate is a convention, so nothing is said of its parts."""
        found = decompose(Ter().corpus(["a b"], [""]), Ter().corpus([""], [""]))
        assert found.reason == (
            "The references are empty, so the rate is undefined; it is 100 by convention."
        )
        assert {part.share for part in found.parts} == {None}
