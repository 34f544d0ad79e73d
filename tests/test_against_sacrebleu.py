"""The same text, the same settings, the same numbers as sacreBLEU 2.6.0."""

import functools
import operator
import sys
import unicodedata
from unittest import mock

import pytest
import sacrebleu
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import bleu as sacrebleu_module
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from truebleu import Bleu, _core, corpus_bleu, sentence_bleu, tokenize

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

thorough = settings(deadline=None, max_examples=120)
usual = settings(deadline=None, max_examples=60)

# Python and the core know different versions of Unicode. A character that one of them does not
# know yet is its own lower case there, and perhaps not in the other; and of two characters Unicode
# has since changed its mind whether they may stand behind a final sigma.
CHANGED = "\u0295\U0001171e"
KNOWN = st.characters(exclude_categories=["Cn"], exclude_characters=CHANGED)
NEWER_PYTHON = tuple(map(int, unicodedata.unidata_version.split("."))) > tuple(
    map(int, _core.UNICODE_VERSION.split("."))
)
with_known_characters = st.one_of(
    strategies.soup,
    st.text(KNOWN, max_size=40),
    st.text(st.sampled_from("ΑΣασςİIıiǅßẞΘϴ.'- \u0307\u00ad\u0345\ud800aZÉ"), max_size=20),
    strategies.dense_text,
)


@pytest.fixture(autouse=True, scope="module")
def _plain_sum():
    """Let sacreBLEU add floats as it did when the published scores were computed.

    From Python 3.12 on, the builtin ``sum`` compensates for rounding, which moves the last bit.
    """

    def add(numbers):
        return functools.reduce(operator.add, numbers, 0)

    with mock.patch.object(sacrebleu_module, "sum", add, create=True):
        yield


def streams_of(references):
    """Turn references of segments into complete translations, None where there is no text."""
    most = max(map(len, references))
    return [
        [several[number] if number < len(several) else None for several in references]
        for number in range(most)
    ]


def theirs_of(chosen):
    """Make the BLEU of sacreBLEU that has the settings of a Bleu."""
    names = {
        "tokenizer": "tokenize",
        "smoothing": "smooth_method",
        "max_order": "max_ngram_order",
    }
    chosen = {names.get(name, name): value for name, value in chosen.items()}
    return sacrebleu.BLEU(force=True, **chosen)


def check(ours, theirs, chosen):
    """Compare all numbers of two scores."""
    counts, totals = list(ours.counts), list(ours.totals)
    precisions = ours.precisions
    if chosen["smoothing"] == "add-k" and any(counts):
        # sacreBLEU returns them with k added, and without if nothing matches at all.
        k = chosen.get("smooth_value", 1)
        counts[1:] = [count + k for count in counts[1:]]
        totals[1:] = [total + k for total in totals[1:]]
    assert counts == theirs.counts
    assert totals == theirs.totals
    assert (ours.hyp_len, ours.ref_len) == (theirs.sys_len, theirs.ref_len)
    assert ours.brevity_penalty == theirs.bp
    assert precisions == pytest.approx(theirs.precisions, rel=1e-15, abs=0)
    assert ours.ratio == theirs.ratio
    # With floor or add-k above 1 theirs may exceed 100; ours never does.
    assert ours.score == pytest.approx(min(theirs.score, 100.0), rel=1e-12, abs=0)


@st.composite
def shared_settings(draw):
    """Draw settings that both have."""
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
    """Counts are equal, and so are scores, as far as sacreBLEU's arithmetic goes."""

    @thorough
    @given(strategies.corpora(), shared_settings())
    @example((["a"], [["a b"]]), {"tokenizer": "none", "smoothing": "none", "max_order": 1})
    def test_any_corpus_under_any_settings(self, corpus, chosen):
        """Counts, totals, lengths, brevity penalty, precisions and the score are sacreBLEU's."""
        hypotheses, references = corpus
        theirs = theirs_of(chosen).corpus_score(hypotheses, streams_of(references))
        bleu = Bleu(**chosen)
        check(bleu.corpus(hypotheses, references), theirs, chosen)
        gaps = bleu.corpus(hypotheses, reference_streams=streams_of(references))
        check(gaps, theirs, chosen)

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), shared_settings())
    def test_any_sentence_under_any_settings(self, corpus, chosen):
        """So are those of a single segment, with references missing at any place."""
        [hypothesis], [references] = corpus
        theirs = theirs_of(chosen).sentence_score(hypothesis, references)
        check(Bleu(**chosen).sentence(hypothesis, references), theirs, chosen)

    @thorough
    @given(strategies.corpora())
    def test_the_default_to_the_last_bit(self, corpus):
        """Without settings the score is sacreBLEU's, bit by bit.

        Except that sacreBLEU makes 100.00000000000004 of a perfect corpus.
        """
        hypotheses, references = corpus
        ours = corpus_bleu(hypotheses, references)
        theirs = sacrebleu.corpus_bleu(hypotheses, streams_of(references), force=True)
        expected = 100.0 if theirs.score == 100.00000000000004 else theirs.score
        assert ours.score == expected
        assert list(ours.precisions) == theirs.precisions
        assert str(ours) == str(theirs)
        assert ours.signature.split("|order:")[0] == signature_of(corpus).split("|version:")[0]

    @thorough
    @given(strategies.corpora(max_size=1))
    def test_sentence_bleu_to_the_last_bit(self, corpus):
        """The functions of that name agree, too, effective order included."""
        [hypothesis], [references] = corpus
        ours = sentence_bleu(hypothesis, references)
        theirs = sacrebleu.sentence_bleu(hypothesis, references)
        perfect = theirs.bp == 1 and ours.counts == ours.totals and ours.hyp_len > 0
        assert ours.score == (100.0 if perfect else theirs.score)
        assert list(ours.precisions) == theirs.precisions

    @usual
    @given(strategies.corpora(max_references=3), st.data())
    def test_references_may_be_missing(self, corpus, data):
        """None in any stream, the first included, is a missing reference in both."""
        hypotheses, references = corpus
        gaps = [
            data.draw(st.permutations([*several, *[None] * (3 - len(several))]))
            for several in references
        ]
        chosen = data.draw(shared_settings())
        theirs = theirs_of(chosen).corpus_score(hypotheses, streams_of(gaps))
        check(Bleu(**chosen).corpus(hypotheses, gaps), theirs, chosen)

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    @usual
    @given(strategies.corpora(with_known_characters), shared_settings())
    def test_lower_case(self, corpus, chosen):
        """Lower case is that of ``str.lower``, and comes before tokenizing."""
        chosen["lowercase"] = True
        hypotheses, references = corpus
        theirs = theirs_of(chosen).corpus_score(hypotheses, streams_of(references))
        check(Bleu(**chosen).corpus(hypotheses, references), theirs, chosen)


def signature_of(corpus):
    """Return the signature that sacreBLEU prints for a corpus under its defaults."""
    bleu = theirs_of({})
    bleu.corpus_score(corpus[0], streams_of(corpus[1]))
    return bleu.get_signature().format()


class TestLowerCase:
    """Lower-casing is Python's, and comes first."""

    @pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's")
    def test_lower_case_of_every_character(self):
        """Every code point that Python's Unicode knows has the same lower case, alone or not."""
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
        """Text is lower-cased as a whole, so that a final sigma is one; then it is split."""
        assert _core.lowercase(text) == text.lower()
        expected = Tokenizer13a()(text.lower().rstrip()).split()
        assert tokenize(text, lowercase=True) == expected
