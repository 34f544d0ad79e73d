"""With the same text and settings, truebleu gives the numbers of sacreBLEU 2.6.0."""

import sys
import unicodedata

import pytest
import sacrebleu
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import CHANGED, NEWER_PYTHON, streams_of, with_known_characters
from truebleu import Bleu, _core, corpus_bleu, sentence_bleu, tokenize

# Drawn corpora are too odd to be worth a warning.
pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.usefixtures("plain_sum"),
]

thorough = settings(deadline=None, max_examples=120)
usual = settings(deadline=None, max_examples=60)


def sacrebleu_metric(chosen):
    """Make sacreBLEU's metric with the settings of a Bleu."""
    names = {
        "tokenizer": "tokenize",
        "smoothing": "smooth_method",
        "max_order": "max_ngram_order",
    }
    chosen = {names.get(name, name): value for name, value in chosen.items()}
    return sacrebleu.BLEU(force=True, **chosen)


def check(score, expected, chosen):
    """Compare a score with sacreBLEU's, number by number."""
    counts, totals = list(score.counts), list(score.totals)
    if chosen["smoothing"] == "add-k" and any(counts):
        # sacreBLEU returns counts with k added, unless nothing matches.
        k = chosen.get("smooth_value", 1)
        counts[1:] = [count + k for count in counts[1:]]
        totals[1:] = [total + k for total in totals[1:]]
    assert counts == expected.counts
    assert totals == expected.totals
    assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len)
    assert score.brevity_penalty == expected.bp
    assert list(score.precisions) == expected.precisions
    assert score.ratio == expected.ratio
    # With floor or add-k above 1, sacreBLEU's score may exceed 100.
    perfect = expected.score and expected.bp == 1 and score.counts == score.totals
    assert score.score == (100.0 if perfect else min(expected.score, 100.0))


@st.composite
def shared_settings(draw):
    """Draw settings that both packages have."""
    smoothing = draw(st.sampled_from(["none", "floor", "add-k", "exp"]))
    chosen = {
        "tokenizer": draw(st.sampled_from(["13a", "intl", "zh", "char", "none"])),
        "smoothing": smoothing,
        "max_order": draw(st.integers(1, 6)),
        "effective_order": draw(st.booleans()),
    }
    if smoothing in ("floor", "add-k") and draw(st.booleans()):
        chosen["smooth_value"] = draw(st.floats(0, 10) | st.sampled_from([0, 0.01, 0.5, 1, 2]))
    return chosen


class TestScores:
    """Every number is equal to the last bit, but a perfect corpus scores exactly 100."""

    @thorough
    @given(strategies.corpora(), shared_settings())
    @example((["a"], [["a b"]]), {"tokenizer": "none", "smoothing": "none", "max_order": 1})
    # 100 times 1 + k, divided by 1 + k, is a little less than 100.
    @example(
        (["a"], [["a b c d e f g h"]]), {"smoothing": "add-k", "smooth_value": 0.7752021096146294}
    )
    def test_any_corpus_under_any_settings(self, corpus, chosen):
        """Every number of a corpus score is sacreBLEU's."""
        hypotheses, references = corpus
        expected = sacrebleu_metric(chosen).corpus_score(hypotheses, streams_of(references))
        bleu = Bleu(**chosen)
        check(bleu.corpus(hypotheses, references), expected, chosen)
        score = bleu.corpus(hypotheses, reference_streams=streams_of(references))
        check(score, expected, chosen)

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), shared_settings())
    def test_any_sentence_under_any_settings(self, corpus, chosen):
        """Every number of a sentence score is sacreBLEU's."""
        [hypothesis], [references] = corpus
        expected = sacrebleu_metric(chosen).sentence_score(hypothesis, references)
        check(Bleu(**chosen).segment(hypothesis, references), expected, chosen)

    @thorough
    @given(strategies.corpora())
    def test_the_default_to_the_last_bit(self, corpus):
        """With default settings the score is sacreBLEU's, bit for bit.

        The only exception is a perfect corpus, which scores 100.00000000000004 in sacreBLEU.
        """
        hypotheses, references = corpus
        score = corpus_bleu(hypotheses, references)
        expected = sacrebleu.corpus_bleu(hypotheses, streams_of(references), force=True)
        assert score.score == (100.0 if expected.score == 100.00000000000004 else expected.score)
        assert list(score.precisions) == expected.precisions
        assert score.format() == str(expected)
        assert score.signature.split("|order:")[0] == signature_of(corpus).split("|version:")[0]

    @thorough
    @given(strategies.corpora(max_size=1))
    def test_sentence_bleu_to_the_last_bit(self, corpus):
        """With default settings ``sentence_bleu`` gives sacreBLEU's score, bit for bit."""
        [hypothesis], [references] = corpus
        score = sentence_bleu(hypothesis, references)
        expected = sacrebleu.sentence_bleu(hypothesis, references)
        perfect = expected.bp == 1 and score.counts == score.totals and score.hyp_len > 0
        assert score.score == (100.0 if perfect else expected.score)
        assert list(score.precisions) == expected.precisions

    @usual
    @given(strategies.corpora(max_references=3), st.data())
    def test_references_may_be_missing(self, corpus, data):
        """None in any stream, even the first, is a missing reference in both packages."""
        hypotheses, references = corpus
        with_gaps = [
            data.draw(st.permutations([*texts, *[None] * (3 - len(texts))])) for texts in references
        ]
        chosen = data.draw(shared_settings())
        expected = sacrebleu_metric(chosen).corpus_score(hypotheses, streams_of(with_gaps))
        check(Bleu(**chosen).corpus(hypotheses, with_gaps), expected, chosen)

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @usual
    @given(strategies.corpora(with_known_characters), shared_settings())
    def test_lower_case(self, corpus, chosen):
        """With ``lowercase`` every number is sacreBLEU's, for any characters."""
        chosen["lowercase"] = True
        hypotheses, references = corpus
        expected = sacrebleu_metric(chosen).corpus_score(hypotheses, streams_of(references))
        check(Bleu(**chosen).corpus(hypotheses, references), expected, chosen)


def signature_of(corpus):
    """Return sacreBLEU's signature for a corpus under its default settings."""
    bleu = sacrebleu_metric({})
    bleu.corpus_score(corpus[0], streams_of(corpus[1]))
    return bleu.get_signature().format()


class TestLowerCase:
    """Lowercasing is Python's, and precedes tokenization."""

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    def test_lower_case_of_every_character(self):
        """The core lowercases every character that Python knows as Python does, in any context."""
        characters = map(chr, range(sys.maxunicode + 1))
        known = [each for each in characters if unicodedata.category(each) != "Cn"]
        assert len(known) > 250_000
        for pattern in ("{}", "A{}", "{}Σ", "AΣ{}", "AΣ{}A", "A{}Σ"):
            differ = [
                each
                for each in known
                if _core.lowercase(pattern.format(each)) != pattern.format(each).lower()
            ]
            assert set(differ) <= set(CHANGED)
            assert "Σ" in pattern or not differ

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @usual
    @given(with_known_characters)
    def test_lower_case_comes_first(self, text):
        """Text is lowercased as a whole, for the final sigma, and then tokenized."""
        assert _core.lowercase(text) == text.lower()
        expected = Tokenizer13a()(text.lower().rstrip()).split()
        assert tokenize(text, lowercase=True) == expected
