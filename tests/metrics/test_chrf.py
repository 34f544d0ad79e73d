"""chrF is what its definition says, and what sacreBLEU 2.6.0 computes, to the last bit."""

from random import Random

import numpy as np
import pytest
import reference_chrf as reference
import sacrebleu
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import NEWER_PYTHON, chrf_settings, streams_of, with_known_characters
from truebleu import Chrf, corpus_chrf

from campaign import cases

# Drawn corpora are too odd to be worth a warning.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

thorough = settings(deadline=None, max_examples=120)
usual = settings(deadline=None, max_examples=40)

hard_corpora = st.builds(
    lambda seed, size: cases.corpus(Random(seed), size, cases.segment),
    st.integers(0, 2**64),
    st.integers(1, 6),
)


def check(corpus, chosen):
    """Compare all rows, the score of the corpus, and those of its segments with sacreBLEU's."""
    hypotheses, references = corpus
    chrf, theirs = Chrf(**chosen), sacrebleu.CHRF(**chosen)
    streams = streams_of(references)
    rows = theirs._extract_corpus_statistics(hypotheses, streams)
    expected = theirs._aggregate_and_compute(rows)
    stats = chrf.stats(hypotheses, references)
    assert stats.to_numpy().tolist() == rows
    score = chrf.corpus(hypotheses, references)
    assert score.score == expected.score
    assert chrf.corpus(hypotheses, reference_streams=streams).same_as(score)
    assert chrf.score(stats).same_as(score)
    segments = [theirs._compute_f_score(row) for row in rows]
    assert chrf.segments(hypotheses, references).tolist() == segments
    shown = np.transpose([*chrf._segment_columns(stats.to_numpy()).values()])
    for own, several, number, row in zip(hypotheses, references, segments, shown, strict=True):
        found = chrf.segment(own, several)
        assert found.score == number
        assert row == pytest.approx([found.precision, found.recall])


class TestAgainstSacrebleu:
    """The same counts and the same bits."""

    @thorough
    @given(strategies.corpora(), chrf_settings(lowercase=False))
    @example((["a b"], [["ab", "a b"]]), {"word_order": 2})
    @example((["a b"], [["ab", "a b"]]), {"whitespace": True})
    @example((["  "], [["x"]]), {"whitespace": True})
    @example((["abc"], [[""]]), {"eps_smoothing": True})
    @example(([""], [["abc", ""]]), {"eps_smoothing": True, "beta": 0})
    @example((["abc"], [["xyz", "uvw"]]), {"beta": 0, "eps_smoothing": True})
    def test_any_corpus_under_any_settings(self, corpus, chosen):
        """Every row and every score, for any characters, with one to four references."""
        check(corpus, chosen)

    @thorough
    @given(hard_corpora, chrf_settings(lowercase=False))
    def test_texts_that_are_hard_to_count(self, corpus, chosen):
        """Repetitions, and lengths around 64, 128 and 256 characters and words."""
        check(corpus, chosen)

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @usual
    @given(strategies.corpora(with_known_characters), chrf_settings(lowercase=True))
    def test_lower_case(self, corpus, chosen):
        """Text is lowercased as a whole, before anything else."""
        check(corpus, chosen)

    @pytest.mark.parametrize("length", [1000, 65_536])
    @pytest.mark.parametrize("alphabet", ["a", "ab", "ab ", "abcdefghijklmnop é猫\U0001f682 "])
    def test_long_segments(self, alphabet, length):
        """Positions that do not fit into 16 bits are counted right, and so are repetitions."""
        random = Random(length)
        texts = ["".join(random.choices(alphabet, k=length)) for _ in range(2)]
        mixed = texts[0][: length // 2] + texts[1] + texts[0][length // 2 :]
        for chosen in (
            {"word_order": 2},
            {"char_order": 3, "whitespace": True},
            {"char_order": 0, "word_order": 1},
        ):
            check(([texts[0]], [[texts[1], mixed]]), chosen)


@pytest.mark.parametrize(
    ("hypotheses", "references", "reason"),
    [
        (["a"], ["a"], None),
        (["a"], ["b"], "No character or word of the hypotheses occurs in their references."),
        (["a", ""], ["", ""], "The references are empty."),
        (["", " "], ["a", ""], "The hypotheses are empty, or their references are."),
        (["a", ""], ["", "b"], "The hypotheses are empty, or their references are."),
    ],
)
def test_reasons(hypotheses, references, reason):
    """A score of 0 comes with a reason, which is true."""
    score = corpus_chrf(hypotheses, references)
    assert (score.score > 0, score.reason) == (reason is None, reason)


class TestOracle:
    """Whatever is counted, and however it is scored, the definition comes to the same."""

    @thorough
    @given(st.one_of(strategies.corpora(max_size=3), hard_corpora), chrf_settings(lowercase=False))
    def test_of_any_text(self, corpus, chosen):
        """Rows are those of the best reference, and the score is that of their sum."""
        hypotheses, references = corpus
        exact = reference.Settings(**chosen)
        chrf = Chrf(**chosen)
        stats = chrf.stats(hypotheses, references).to_numpy()
        for hypothesis, several, row in zip(hypotheses, references, stats, strict=True):
            counts = [tuple(each) for each in row.reshape(-1, 3).tolist()]
            pairs = [reference.pair(hypothesis, other, exact) for other in several]
            assert counts in pairs
            best = max(reference.score(each, exact) for each in pairs)
            # Of references that are equally good but for rounding, either may be chosen.
            close = pytest.approx(float(best), rel=1e-12, abs=1e-14)
            assert float(reference.score(counts, exact)) == close
        if max(map(len, references)) == 1:
            sums, score = reference.corpus(hypotheses, references, exact)
            found = chrf.corpus(hypotheses, references)
            assert list(found.row.values()) == [count for each in sums for count in each]
            assert found.fraction == pytest.approx(float(score), rel=1e-12, abs=1e-14)

    def test_of_an_example(self):
        """The numbers of the example can be checked by hand: 3 of 4, 1 of 3 and 0 of 2 n-grams."""
        exact = reference.Settings(char_order=3, beta=1)
        counts, score = reference.corpus(["abcd"], [["abxc"]], exact)
        assert counts == [(4, 4, 3), (3, 3, 1), (2, 2, 0)]
        assert score == (reference.Fraction(3, 4) + reference.Fraction(1, 3)) / 3
        found = Chrf(char_order=3, beta=1).segment("abcd", "abxc")
        assert found.fraction == pytest.approx(float(score), rel=1e-15)
