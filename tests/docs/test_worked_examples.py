"""Numbers that the paper and the tutorials print, each from the library."""

import math

import pytest
import reference
from looping import looped
from truebleu import Bleu

# Papineni et al. (2002), example 1, without the full stops.
CANDIDATES = [
    "It is a guide to action which ensures that the military always obeys the commands of the "
    "party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
    "the that military a is It guide ensures which to commands the of action obeys always party "
    "the",
    "it is",
]
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]

# Example 2.
THE = "the the the the the the the"
CATS = ["the cat is on the mat", "there is a cat on the mat"]

# Example 3.
ALWAYS = ["I always invariably perpetually do.", "I always do."]
DO = ["I always do.", "I invariably do.", "I perpetually do."]

# A corpus of two segments, in lower case and without punctuation.
PETS = ["the cat the cat the cat", "there is a dog door"]
PETS_REFERENCES = [
    ["the cat is on the mat", "there is a cat on the mat"],
    ["the dog is at the door", "there is a dog at the door"],
]

UNSMOOTHED = Bleu(tokenizer="none", smoothing="none")
TOKENS = Bleu(tokenizer="pretokenized", smoothing="none")


def fractions(score):
    """Return matches and n-grams of each order."""
    return list(zip(score.counts, score.totals, strict=True))


def unclipped(hypothesis, references):
    """Score against references that repeat every word so often that nothing is clipped."""
    times = len(hypothesis.split())
    return UNSMOOTHED.segment(hypothesis, [" ".join([text] * times) for text in references])


class TestPrecision:
    """Unmodified and modified precision, sections 2 to 2.1 of the paper."""

    @pytest.mark.parametrize(
        ("hypothesis", "references", "matches", "words", "precision"),
        [
            (CANDIDATES[0], REFERENCES, 17, 18, 0.9444444444444444),
            (CANDIDATES[1], REFERENCES, 8, 14, 0.5714285714285714),
            (THE, CATS, 7, 7, 1.0),
            (" ".join(["commands"] * 7), [text.lower() for text in REFERENCES], 7, 7, 1.0),
        ],
    )
    def test_unmodified(self, hypothesis, references, matches, words, precision):
        """Without clipping, a word counts as often as the candidate says it."""
        score = unclipped(hypothesis, references)
        assert fractions(score)[0] == (matches, words)
        assert score.precisions[0] == pytest.approx(100 * precision, rel=1e-15)

    @looped(
        ("hypothesis", "references", "order", "matches", "total"),
        [
            (THE, CATS, 1, 2, 7),
            (THE, CATS, 2, 0, 6),
            ("the cat the cat on the mat", CATS, 2, 4, 6),
            (CANDIDATES[0], REFERENCES, 1, 17, 18),
            (CANDIDATES[0], REFERENCES, 2, 10, 17),
            (CANDIDATES[0], REFERENCES, 3, 7, 16),
            (CANDIDATES[0], REFERENCES, 4, 4, 15),
            (CANDIDATES[1], REFERENCES, 1, 8, 14),
            (CANDIDATES[1], REFERENCES, 2, 1, 13),
            (CANDIDATES[2], REFERENCES, 2, 0, 17),
            (CANDIDATES[3].replace("it", "It"), REFERENCES, 1, 2, 2),
            (CANDIDATES[3].replace("it", "It"), REFERENCES, 2, 1, 1),
            (" ".join(["commands"] * 7), [text.lower() for text in REFERENCES], 1, 1, 7),
            ("the cat the cat the cat", CATS, 1, 3, 6),
            ("the cat the cat the cat", CATS, 2, 1, 5),
            (ALWAYS[0], DO, 1, 5, 5),
            (ALWAYS[1], DO, 1, 3, 3),
        ],
    )
    def test_modified(self, hypothesis, references, order, matches, total):
        """A word counts at most as often as the one reference that has it most."""
        score = UNSMOOTHED.segment(hypothesis, references)
        assert fractions(score)[order - 1] == (matches, total)
        assert score.precisions[order - 1] == pytest.approx(100 * matches / total, rel=1e-15)

    def test_the_words_of_a_short_candidate_in_lower_case(self):
        """Candidate 4, ``it is``, is all right in lower case: 2/2 and 1/1."""
        lower = Bleu(tokenizer="none", smoothing="none", lowercase=True)
        assert fractions(lower.segment(CANDIDATES[3], REFERENCES))[:2] == [(2, 2), (1, 1)]

    @pytest.mark.parametrize(
        ("bigram", "matches"),
        [("the cat", 1), ("cat the", 0), ("cat on", 1), ("on the", 1), ("the mat", 1)],
    )
    def test_the_bigrams_of_a_candidate(self, bigram, matches):
        """``the cat the cat on the mat`` has 4 good bigrams of 6: these, each at most once."""
        assert fractions(UNSMOOTHED.segment(bigram, CATS))[1] == (matches, 1)

    def test_which_words_are_clipped(self):
        """Of seven times ``the``, two count: no reference has a third one."""
        for number in range(1, 8):
            score = UNSMOOTHED.segment(" ".join(["the"] * number), CATS)
            assert fractions(score)[0] == (min(number, 2), number)

    def test_over_a_corpus(self):
        """Matches and words are summed first: 2 + 3 of 7 + 6, not the mean of 2/7 and 3/6."""
        score = UNSMOOTHED.corpus([THE, PETS[0]], [CATS, CATS])
        assert fractions(score)[0] == (5, 13)
        assert score.precisions[0] == pytest.approx(38.461538461538464, rel=1e-15)

    def test_of_longer_words(self):
        """Example 3: saying all alternatives at once has recall, and no higher precision."""
        longer, shorter = (UNSMOOTHED.segment(text, DO) for text in ALWAYS)
        assert longer.precisions[0] == shorter.precisions[0] == 100
        assert fractions(longer)[1] == (2, 4)
        assert fractions(shorter)[1] == (2, 2)

    def test_of_characters(self):
        """Any sequence has n-grams: in ``I want rice with kimchi`` a word begins with w twice."""
        text = list("I want rice with kimchi")
        for times in (1, 2, 3):
            score = TOKENS.segment([" ", "w"] * times, [text])
            assert fractions(score)[1] == (min(times, 2), 2 * times - 1)


class TestLength:
    """Best match length and brevity penalty, section 2.2.2 of the paper."""

    @pytest.mark.parametrize(
        ("hyp_len", "ref_lens", "best", "penalty"),
        [
            (12, [12, 15, 17], 12, 1.0),
            (10, [9, 11], 9, 1.0),
            (10, [11, 9], 9, 1.0),
            (2, [16, 18, 16], 16, 0.0009118819655545162),
        ],
    )
    def test_of_one_segment(self, hyp_len, ref_lens, best, penalty):
        """The closest length counts, and of two the shorter."""
        score = TOKENS.segment(["a"] * hyp_len, [["a"] * length for length in ref_lens])
        assert (score.hyp_len, score.ref_len) == (hyp_len, best)
        assert score.brevity_penalty == pytest.approx(penalty, rel=1e-15)

    def test_of_a_document(self):
        """``cat. dog.`` in two segments against references of six words each: c = 2, r = 12."""
        score = UNSMOOTHED.corpus(["cat.", "dog."], [[CATS[0]] * 2, [PETS_REFERENCES[1][0]] * 2])
        assert (score.hyp_len, score.ref_len) == (2, 12)
        assert score.brevity_penalty == pytest.approx(0.006737946999085467, rel=1e-15)

    def test_is_counted_in_words(self):
        """An erratum: ``it is`` has two words, and a penalty of 0.0009.

        One tutorial takes the length of the string, 5 characters, and gets 0.1108.
        """
        score = UNSMOOTHED.segment(CANDIDATES[3], REFERENCES)
        assert score.brevity_penalty == pytest.approx(0.0009118819655545162, rel=1e-15)
        assert len(CANDIDATES[3]) == 5
        characters = TOKENS.segment(list(CANDIDATES[3]), [text.split() for text in REFERENCES])
        assert characters.brevity_penalty == pytest.approx(0.11080315836233387, rel=1e-15)


class TestScore:
    """BLEU itself, section 2.3 of the paper."""

    def test_of_a_sentence(self):
        """Candidate 1 against all three references, and why."""
        score = UNSMOOTHED.segment(CANDIDATES[0], REFERENCES)
        assert fractions(score) == [(17, 18), (10, 17), (7, 16), (4, 15)]
        assert score.brevity_penalty == 1.0
        assert score.fraction == pytest.approx(0.5045666840058485, rel=1e-15)

    def test_of_a_corpus(self):
        """Two segments, added up before anything is divided."""
        score = UNSMOOTHED.corpus(PETS, PETS_REFERENCES)
        assert fractions(score) == [(8, 11), (4, 9), (2, 7), (1, 5)]
        assert (score.hyp_len, score.ref_len) == (11, 12)
        assert score.brevity_penalty == pytest.approx(math.exp(1 - 12 / 11), rel=1e-15)
        assert score.fraction == pytest.approx(0.3366184122712009, abs=1e-15)

    @pytest.mark.parametrize(
        ("hypotheses", "references", "whole", "parts"),
        [
            (CANDIDATES[:2], [REFERENCES] * 2, 0.3043537261305561, [0.5045666840058485, 0.0]),
            (PETS, PETS_REFERENCES, 0.3366184122712009, [0.0, 0.5789300674674098]),
        ],
    )
    def test_is_not_the_mean_of_sentences(self, hypotheses, references, whole, parts):
        """The mean of segment scores is another number: 0.252, not 0.304; 0.289, not 0.337.

        A sentence without a 3-gram in common with its references scores 0, and still adds its
        words and lengths to the corpus.
        """
        corpus = UNSMOOTHED.corpus(hypotheses, references)
        sentences = UNSMOOTHED.segments(hypotheses, references) / 100
        assert corpus.fraction == pytest.approx(whole, abs=1e-15)
        assert sentences.tolist() == pytest.approx(parts, abs=1e-15)
        assert sentences.mean() < corpus.fraction

    @pytest.mark.parametrize(
        ("order", "weights"),
        [
            (1, (1, 0, 0, 0)),
            (2, (1 / 2, 1 / 2, 0, 0)),
            (3, (1 / 3, 1 / 3, 1 / 3, 0)),
            (4, (1 / 4, 1 / 4, 1 / 4, 1 / 4)),
        ],
    )
    def test_of_lower_orders(self, order, weights):
        """BLEU-1 to BLEU-4 are uniform weights over the first orders, 0 for the others."""
        precisions = [17 / 18, 10 / 17, 7 / 16, 4 / 15][:order]
        expected = 100 * math.prod(precisions) ** (1 / order)
        for settings in ({"weights": weights}, {"max_order": order}):
            bleu = Bleu(tokenizer="none", smoothing="none", **settings)
            score = bleu.segment(CANDIDATES[0], REFERENCES)
            assert score.score == pytest.approx(expected, rel=1e-14)

    def test_is_0_without_a_match_of_some_order(self):
        """An erratum: candidate 2 has no 3-gram in common with the references, and BLEU 0.

        Some tutorials leave such orders out of the mean, as if log 0 were 0, and get 0.3969 from
        the first two. Nothing is wrong where log 0 appears: BLEU *is* 0 there. Whoever wants to
        tell bad sentences from worse ones needs a smoothing.
        """
        score = UNSMOOTHED.segment(CANDIDATES[1], REFERENCES)
        assert fractions(score) == [(8, 14), (1, 13), (0, 12), (0, 11)]
        assert score.score == 0
        assert "None of the 12 3-grams" in score.reason
        skipping = score.brevity_penalty * (8 / 14 * 1 / 13) ** 0.25
        assert skipping == pytest.approx(0.39692877231857493, rel=1e-15)
        smoothed = Bleu(tokenizer="none").segment(CANDIDATES[1], REFERENCES)
        assert 0 < smoothed.fraction < skipping

    @pytest.mark.parametrize(
        ("hypotheses", "references"),
        [([candidate], [REFERENCES]) for candidate in CANDIDATES]
        + [([THE], [CATS]), (PETS, PETS_REFERENCES), (ALWAYS, [DO, DO])],
    )
    def test_is_what_the_definition_says(self, hypotheses, references):
        """The library and the definition in fractions agree on every example."""
        expected = reference.corpus_bleu(
            [text.split() for text in hypotheses],
            [[text.split() for text in several] for several in references],
        )
        score = UNSMOOTHED.corpus(hypotheses, references)
        assert (score.counts, score.totals) == (expected.counts, expected.totals)
        assert score.fraction == pytest.approx(expected.score, rel=1e-14, abs=0)
