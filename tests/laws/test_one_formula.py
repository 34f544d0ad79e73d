"""One copy of each formula is in the core; what must repeat it is compared with it, mostly here.

=========================================================  ========================================
what is repeated, where                                    why; the other test, if it is not here
=========================================================  ========================================
brevity penalty, mean of precisions: compat/evaluate.py    evaluate inverts the ratio first, which
                                                           changes the last digit; edits per word
                                                           are added one after the other
                                                           (compat/test_compat_evaluate.py)
mean, closest length, clipping: parts.py                   of any numbers; counts by n-gram
clipping: count/bit_parallel.rs, sorted.rs, by_order.rs    short, long, above order 8 (counter.rs)
clipping: many/index.rs                                    one index for pairwise and Self-BLEU
clipping: metrics/bleu/explanation.py,                     which n-grams match, not how many
reporting/ngrams.py
clipping: metrics/chrf/explanation.py                      the same (analysis/test_explain.py)
clipping: crates/wasm/src/explain.rs                       the same, for JavaScript (javascript/)
clipping: reporting/assets/ngrams.js                       the same, in a page: the core as
                                                           WebAssembly would double each report, and
                                                           its policy would have to allow it
                                                           (reporting/test_report_browser.py)
BLEU, chrF, TER, average: reporting/assets/scores.js       of what a page has filtered (the same)
parts of a difference: site/playground/corpus_steps.js     a page without Python (playground/)
F-score: metrics/chrf/explanation.py                       precision and recall of two systems,
                                                           which no row has (test_decompose.py)
penalty, mean, clipping: tests/reference.py                the oracle
clipping, counts of chrF, edits:                           the definitions that the core's own tests
crates/core/tests/numbers/definitions/                     and the fuzz targets compare it with
=========================================================  ========================================
"""

import functools
import operator
from collections import Counter

import pytest
import reference
import strategies
import truebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st
from truebleu import Bleu, _core, explain, pairwise, self_bleu
from truebleu.compat.evaluate import bleu as bleu_of_evaluate
from truebleu.reporting import ngrams, tokens

usual = settings(deadline=None, max_examples=60)
lengths = st.integers(0, 400)
few = st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=2, max_size=4)
words = st.lists(st.lists(st.sampled_from("abc"), max_size=12), min_size=2, max_size=5)


class TestDefinitions:
    """The functions for those who learn BLEU give its parts."""

    @usual
    @given(
        st.lists(st.sampled_from(["a", "b", 1, True, None, (1,)]), max_size=12),
        st.lists(st.lists(st.sampled_from(["a", "b", 1, 2.0, None, (1,)])), min_size=1, max_size=3),
        st.integers(1, 5),
    )
    def test_of_tokens(self, hypothesis, references, n):
        """Clipped counts add up to the matches of the core, and are the most of any reference."""
        segment = {"hypothesis": hypothesis, "references": references, "n": n}
        bleu = Bleu(tokenizer="pretokenized", max_order=n)
        score = bleu.segment(hypothesis, references)
        counts = truebleu.parts.clipped_counts(**segment)
        assert truebleu.parts.clipped_precision(**segment) == (score.counts[-1], score.totals[-1])
        assert (counts.total(), truebleu.parts.ngram_counts(hypothesis, n).total()) == (
            score.counts[-1],
            score.totals[-1],
        )
        alone = [{**segment, "references": [iter(tokens)]} for tokens in references]
        each = [truebleu.parts.clipped_counts(**of_one) for of_one in alone]
        assert functools.reduce(operator.or_, each) == counts

    @usual
    @given(strategies.corpora(strategies.soup), strategies.weight_lists())
    def test_of_numbers(self, corpus, weights):
        """Geometric mean times brevity penalty is the score."""
        score = Bleu(weights=weights, smoothing="none").corpus(*corpus)
        mean = truebleu.parts.geometric_mean(score.precision_fractions, weights=weights)
        assert score.brevity_penalty * mean == pytest.approx(score.fraction, rel=1e-12)

    def test_a_precision_of_0(self):
        """It makes the mean 0, unless its weight is 0, too."""
        assert truebleu.parts.geometric_mean([0.5, 0], weights=[1, 0]) == 0.5
        assert truebleu.parts.geometric_mean([0.5, 0]) == 0


class TestBrevityPenalty:
    """Whatever computes the brevity penalty computes that of the core."""

    @usual
    @given(lengths, lengths)
    @example(0, 0)
    @example(0, 3)
    @example(12, 12)
    def test_of_lengths(self, hyp_len, ref_len):
        """The oracle agrees to the last bit."""
        expected = _core.brevity_penalty(hyp_len, ref_len)
        assert reference.brevity_penalty(hyp_len, ref_len) == expected

    @usual
    @given(strategies.corpora(strategies.soup), strategies.bleu_settings())
    def test_of_corpora(self, corpus, chosen):
        """So do a score and, but for the last digits, evaluate, which divides in another order."""
        score = Bleu(**chosen).segment(corpus[0][0], corpus[1][0])
        assert score.brevity_penalty == _core.brevity_penalty(score.hyp_len, score.ref_len)
        found = bleu_of_evaluate(*corpus)
        expected = _core.brevity_penalty(found["translation_length"], found["reference_length"])
        assert found["brevity_penalty"] == pytest.approx(expected, rel=1e-13)

    @usual
    @given(lengths, st.lists(lengths, min_size=1, max_size=5))
    def test_of_the_definitions(self, hyp_len, ref_lens):
        """``brevity_penalty`` is the core's, of the length that the core chooses."""
        bleu = Bleu(tokenizer="pretokenized")
        score = bleu.corpus([[1] * hyp_len], [[[1] * length for length in ref_lens]])
        chosen = truebleu.parts.closest_reference_length(hyp_len=hyp_len, ref_lens=ref_lens)
        assert chosen == score.ref_len
        penalty = truebleu.parts.brevity_penalty(hyp_len=hyp_len, ref_len=chosen)
        assert penalty == score.brevity_penalty


class TestClipping:
    """Whatever clips counts comes to the matches of the core's two ways of counting."""

    ORDERS = 4

    def matches(self, hypothesis, references):
        """Return what the core counts."""
        bleu = Bleu(tokenizer="pretokenized", max_order=self.ORDERS)
        stats = bleu.stats([hypothesis], [references])
        return stats.to_numpy()[0, 2 : 2 + self.ORDERS].tolist()

    @usual
    @given(words)
    def test_of_one_segment(self, texts):
        """Explanations, and the oracle."""
        hypothesis, *references = texts
        expected = self.matches(hypothesis, references)
        orders = range(1, self.ORDERS + 1)
        how = explain(" ".join(hypothesis), [" ".join(own) for own in references], tokenizer="none")
        assert [sum(gram.clipped for gram in own) for own in how.ngrams] == expected
        oracle = [reference.clipped_count(hypothesis, references, order) for order in orders]
        assert oracle == expected

    @usual
    @given(few, few)
    def test_of_a_corpus(self, first, second):
        """The n-grams of a report, and those that an explanation misses."""
        (one, *ones), (two, *twos) = first, second
        expected = [
            a + b for a, b in zip(self.matches(one, ones), self.matches(two, twos), strict=True)
        ]
        hypotheses = [" ".join(one), " ".join(two)]
        references = [[" ".join(own) for own in several] for several in (ones, twos)]
        bleu = Bleu(tokenizer="none")
        columns = tokens.columns_of(bleu, references)
        split = tokens.split(bleu, [*columns, hypotheses], 1)
        end = len(columns)
        counted = ngrams.count(split.tokens[end:], split.tokens[:end], split.separator, self.ORDERS)
        assert [own.matched[0].sum() for own in counted.orders] == expected
        missed = Counter()
        for cost in explain(hypotheses, references, tokenizer="none").worst:
            missed[len(cost.name.split())] += cost.superfluous
        totals = [sum(max(0, len(own) - n) for own in (one, two)) for n in range(self.ORDERS)]
        for order, (total, matched) in enumerate(zip(totals, expected, strict=True), 1):
            assert missed[order] == total - matched

    @usual
    @given(words)
    def test_of_many_against_many(self, texts):
        """Matrices and Self-BLEU, which look n-grams up in an index of all texts."""
        joined = [" ".join(own) for own in texts]
        how = {"tokenizer": "none", "smoothing": "add-k", "effective_order": True}
        bleu = Bleu(**how)
        matrix = pairwise(joined, joined, **how)
        for row, hypothesis in enumerate(joined):
            for column, other in enumerate(joined):
                assert matrix[row, column] == bleu.segment(hypothesis, other).score
        others = [[*joined[:place], *joined[place + 1 :]] for place in range(len(joined))]
        assert self_bleu(joined, **how).scores.tolist() == bleu.segments(joined, others).tolist()
