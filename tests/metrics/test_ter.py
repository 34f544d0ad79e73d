"""TER is what its definition says, and what sacreBLEU 2.6.0 computes, to the last bit."""

from fractions import Fraction
from random import Random

import make_chrf_ter
import pytest
import reference_ter as reference
import sacrebleu
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import NEWER_PYTHON, streams_of, ter_settings, with_known_characters
from truebleu import Ter, sentence_ter
from truebleu.metrics.ter.score import UNITS

from campaign import cases

# Drawn corpora are too odd to be worth a warning.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

thorough = settings(deadline=None, max_examples=120)
usual = settings(deadline=None, max_examples=40)

# Numbers of references for which sacreBLEU's mean length is exact, too.
EXACT = {1, 2, 4, 8, 16}

shifts = st.builds(lambda seed: cases.corpus(Random(seed), 1, cases.shifts), st.integers(0, 2**64))


def check(corpus, chosen):
    """Compare all rows, the score of the corpus, and those of its segments with sacreBLEU's.

    The edits are always the same. With 3 references or 5, the mean length of a segment is a rounded
    quotient there and exact here.
    """
    hypotheses, references = corpus
    ter, theirs = Ter(**chosen), sacrebleu.TER(**chosen)
    streams = streams_of(references)
    expected = theirs._extract_corpus_statistics(hypotheses, streams)
    rows = ter.stats(hypotheses, references).to_numpy().tolist()
    assert [[sum(row[:4]), row[4] / UNITS] for row in rows] == expected
    score = ter.corpus(hypotheses, references)
    total = theirs._aggregate_and_compute(expected)
    assert score.edits == total.num_edits
    if {len(several) for several in references} <= EXACT:
        assert score.ref_len == total.ref_length
        assert score.score == total.score
    else:
        assert score.ref_len == pytest.approx(total.ref_length, rel=1e-14)
        assert score.score == pytest.approx(total.score, rel=1e-14)
    segments = [theirs._compute_score_from_stats(row).score for row in expected]
    assert ter.segments(hypotheses, references).tolist() == segments
    for own, several, number in zip(hypotheses, references, segments, strict=True):
        assert ter.segment(own, several).score == number


class TestAgainstSacrebleu:
    """The same edits and the same bits."""

    @thorough
    @given(strategies.corpora(), ter_settings)
    @example((["a b c"], [["", "a b c"]]), {})
    @example((["a", "", ""], [[""], ["a"], [""]]), {})
    def test_any_corpus_under_any_settings(self, corpus, chosen):
        """Every row and every score, for any characters, with one to four references."""
        check(corpus, chosen | {"case_sensitive": True})

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @thorough
    @given(strategies.corpora(with_known_characters), ter_settings)
    def test_lower_case(self, corpus, chosen):
        """Text is lowercased as a whole, before anything else."""
        check(corpus, chosen | {"case_sensitive": False})

    @settings(deadline=None, max_examples=40)
    @given(shifts)
    def test_shifts(self, corpus):
        """Repetitions, permutations and few distinct words; and all bounds of the search."""
        check(corpus, {"case_sensitive": True})

    @pytest.mark.parametrize("text", ["..0", "0's's"])
    def test_references_are_normalized_twice(self, text):
        """SacreBLEU tokenizes a tokenized reference again: a text may differ from itself."""
        assert sentence_ter(text, text).score == 0
        check(([text], [[text]]), {"normalized": True})
        assert sentence_ter(text, text, normalized=True).edits > 0

    @pytest.mark.parametrize(
        ("hypothesis", "reference_", "edits"),
        [
            # Ten words may be shifted, eleven only in two steps; farther than 50 not at all.
            *(("a b c d e f g h i j x", "x a b c d e f g h i j", 1),),
            ("0 1 2 3 4 5 6 7 8 9 " * 2 + "x y", "x y " + "0 1 2 3 4 5 6 7 8 9 " * 2, 1),
            ("x " + "a " * 49 + "b", "a " * 49 + "b x", 1),
            ("x " + "a " * 50 + "b", "a " * 50 + "b x", 2),
            ("a " * 60, "a b " * 30, 30),
            # A beam wider than 25.
            ("x", "y " * 200, 200),
            ("y " * 3, "y " * 200, 197),
            ("y " * 200, "y " * 3, 197),
        ],
    )
    def test_bounds(self, hypothesis, reference_, edits):
        """Each bound of the search, from both sides."""
        check(([hypothesis], [[reference_]]), {})
        assert sentence_ter(hypothesis, reference_).edits == edits

    @pytest.mark.parametrize("number", range(len(make_chrf_ter.BOUNDS)))
    def test_bounds_of_long_segments(self, number):
        """The beam from both sides, at ratios of lengths of 1, 25 and 50; shifts to the left."""
        lines = make_chrf_ter.TABLE.read_text("utf-8").splitlines()
        edits = sentence_ter(*make_chrf_ter.BOUNDS[number]).edits
        assert f"ter\tsacrebleu\tbound {number}\t{edits}" in lines

    @pytest.mark.parametrize("length", [63, 64, 65, 128])
    def test_long_segments(self, length):
        """Segments of more words than a word of the processor has bits, and of many more."""
        random = Random(length)
        words = [f"w{random.randrange(2 * length)}" for _ in range(length)]
        moved = words[length // 3 :] + words[: length // 3]
        other = [random.choice([word, "x"]) for word in moved]
        check(([" ".join(words)], [[" ".join(moved), " ".join(other)][length != 65 :]]), {})


def exact(hypotheses, references, chosen):
    """Count and score a corpus by the definition."""
    settings_ = reference.Settings(**chosen)
    edits, length = [0] * 4, Fraction(0)
    for hypothesis, several in zip(hypotheses, references, strict=True):
        found, mean = reference.segment(
            reference.words(hypothesis, settings_),
            [reference.reference_words(text, settings_) for text in several],
        )
        edits = list(map(sum, zip(edits, found, strict=True)))
        length += mean
    return edits, length, reference.rate(sum(edits), length)


class TestOracle:
    """Whatever is counted, the definition comes to the same."""

    @staticmethod
    def check(corpus, chosen):
        """Compare the edits of each kind, the length and the score."""
        edits, length, rate = exact(*corpus, chosen)
        score = Ter(**chosen).corpus(*corpus)
        found = score.insertions, score.deletions, score.substitutions, score.shifts
        assert found == tuple(edits)
        assert score.row["ref_len_units"] == UNITS * length
        assert score.fraction == pytest.approx(float(rate), rel=1e-15)

    @usual
    @given(strategies.corpora(max_size=3), ter_settings)
    def test_of_any_text(self, corpus, chosen):
        """Every kind of edit, and every step of the tokenizer."""
        self.check(corpus, chosen | {"case_sensitive": True})

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @usual
    @given(strategies.corpora(with_known_characters, max_size=3), ter_settings)
    def test_of_lowercased_text(self, corpus, chosen):
        """The same in lower case."""
        self.check(corpus, chosen | {"case_sensitive": False})

    @settings(deadline=None, max_examples=5)
    @given(shifts)
    def test_of_shifts(self, corpus):
        """Shifts that are hard to find."""
        self.check(corpus, {"case_sensitive": True})

    @usual
    @given(strategies.corpora(strategies.short, max_size=3, max_references=16), st.integers(1, 16))
    def test_means_are_exact(self, corpus, number):
        """For any number of references up to 16, the mean length is the exact quotient."""
        hypotheses, references = corpus
        references = [(several * number)[:number] for several in references]
        self.check((hypotheses, references), {})
