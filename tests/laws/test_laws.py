"""What holds for every corpus and every choice of settings."""

import itertools
import json
import pickle
import random
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import reference
import sacrebleu
import strategies
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from toy_metrics import ExactMatch
from truebleu import (
    Accumulator,
    Bleu,
    Chrf,
    Ragged,
    Stats,
    Ter,
    _core,
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from truebleu.metrics.corpora import Corpora

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

FOR_SENTENCES = ("method5", "method6", "method7")
FOR_CORPORA = tuple(name for name in _core.SMOOTHINGS if name not in FOR_SENTENCES)
corpus_settings = strategies.bleu_settings(smoothings=FOR_CORPORA)
any_metric = st.one_of(
    corpus_settings.map(lambda chosen: Bleu(**chosen)),
    strategies.chrf_settings().map(lambda chosen: Chrf(**chosen)),
    strategies.ter_settings.map(lambda chosen: Ter(**chosen)),
    st.just(ExactMatch()),
)
FUNCTIONS = {
    Bleu: (corpus_bleu, sentence_bleu),
    Chrf: (corpus_chrf, sentence_chrf),
    Ter: (corpus_ter, sentence_ter),
}
# Lines of files are UTF-8 without line breaks, and have been stripped of nothing.
clean_text = strategies.segments.map(
    lambda text: re.sub(r"[\r\n\ud800-\udfff]", "_", text),
)
token_settings = strategies.bleu_settings(tokenizers=("pretokenized",), smoothings=FOR_CORPORA)

thorough = settings(deadline=None, max_examples=120)
usual = settings(deadline=None, max_examples=40)
brief = settings(deadline=None, max_examples=20)


def permuted(items, order):
    """Put items into another order."""
    return [items[index] for index in order]


class TestAddition:
    """Statistics add up."""

    @thorough
    @given(strategies.corpora(), any_metric, st.data())
    def test_counts_of_the_parts_add_up_to_counts_of_the_whole(self, corpus, metric, data):
        """Cutting a corpus anywhere and adding the two parts changes nothing."""
        hypotheses, references = corpus
        cut = data.draw(st.integers(0, len(hypotheses)))
        stats = metric.stats(hypotheses, references)
        whole = stats.sum()
        assert (whole.to_numpy() == stats.to_numpy().sum(axis=0)).all()
        assert stats[:cut] + stats[cut:] == whole
        assert stats[cut:] + stats[:cut] == whole
        assert sum(stats) == whole
        assert sum(stats[row : row + 1] for row in range(len(stats))) == whole
        together = metric.corpus(hypotheses, references)
        assert metric.score(stats).same_as(together)
        assert metric.score(whole).same_as(together)

    @usual
    @given(strategies.corpora(min_size=2), any_metric, st.data())
    def test_batches_add_up_to_the_corpus(self, corpus, metric, data):
        """An accumulator that got a corpus in batches has the score of the corpus."""
        hypotheses, references = corpus
        cuts = data.draw(st.sets(st.integers(1, len(hypotheses) - 1)))
        running = Accumulator(metric)
        parts, several = [], []
        for start, end in itertools.pairwise([0, *sorted(cuts), len(hypotheses)]):
            running.add(hypotheses[start:end], references[start:end])
            parts.append(metric.stats(hypotheses[start:end], references[start:end]))
            each = Accumulator(metric)
            each.add(hypotheses[start:end], references[start:end])
            several.append(each)
        assert running.score().same_as(metric.corpus(hypotheses, references))
        before = repr(several)
        merged = Accumulator(metric)
        for each in reversed(several):
            merged.merge(each)
        assert merged.score().same_as(running.score())
        assert repr(several) == before
        assert running.stats == sum(parts) == metric.stats(hypotheses, references).sum()

    @usual
    @given(strategies.corpora(), any_metric, st.data())
    def test_the_order_of_segments_does_not_matter(self, corpus, metric, data):
        """Permuting the segments of a corpus permutes their rows and leaves the score alone."""
        hypotheses, references = corpus
        order = data.draw(st.permutations(range(len(hypotheses))))
        other = permuted(hypotheses, order), permuted(references, order)
        assert metric.corpus(*other).same_as(metric.corpus(*corpus))
        assert (metric.stats(*other).to_numpy() == metric.stats(*corpus).to_numpy()[order]).all()

    @usual
    @given(strategies.corpora(), corpus_settings, st.data())
    def test_the_order_of_references_does_not_matter(self, corpus, chosen, data):
        """Permuting the references of a segment changes nothing.

        ``closest-first`` is the exception: of two equally close lengths it takes the first.
        """
        assume(chosen.get("reference_length") != "closest-first")
        hypotheses, references = corpus
        other = [data.draw(st.permutations(several)) for several in references]
        bleu = Bleu(**chosen)
        assert bleu.stats(hypotheses, other) == bleu.stats(hypotheses, references)
        assert bleu.corpus(hypotheses, other).same_as(bleu.corpus(hypotheses, references))

    @usual
    @given(strategies.corpora(), corpus_settings, st.data())
    def test_another_reference_never_takes_a_match_away(self, corpus, chosen, data):
        """With one reference more, no clipped count of any segment is lower, and no total moves."""
        hypotheses, references = corpus
        segment = strategies.segments | st.sampled_from(hypotheses)
        more = [[*several, data.draw(segment)] for several in references]
        bleu = Bleu(**chosen)
        before = bleu.stats(hypotheses, references).to_numpy()[:, 2:]
        after = bleu.stats(hypotheses, more).to_numpy()[:, 2:]
        assert (after >= before).all()
        orders = before.shape[1] // 2
        assert (after[:, orders:] == before[:, orders:]).all()
        assert (after[:, :orders] <= after[:, orders:]).all()

    @brief
    @given(strategies.corpora(min_size=2), any_metric)
    def test_the_number_of_threads_does_not_matter(self, corpus, metric):
        """The same rows in the same order, however many threads count them."""
        hypotheses, references = corpus
        # So much text that several threads are worth starting.
        times = 1 + 1_100_000 // (1 + sum(map(len, hypotheses + sum(references, []))))  # noqa: RUF017
        times = min(times, 3000)
        hypotheses, references = hypotheses * times, references * times
        one = metric.stats(hypotheses, references, threads=1)
        for threads in (2, 5):
            assert metric.stats(hypotheses, references, threads=threads) == one
            assert metric.corpus(hypotheses, references, threads=threads).same_as(metric.score(one))


class TestEveryScore:
    """What a score of any metric may be."""

    @thorough
    @given(strategies.corpora(), any_metric)
    def test_range(self, corpus, metric):
        """A score is from 0 to 100; TER may exceed it, but not by more than there are words.

        The mean length of four references may be a quarter of a word.
        """
        score = metric.corpus(*corpus)
        limit = 100 if metric.higher_is_better else 400 * max(1, sum(map(len, corpus[0])))
        assert 0 <= score.score <= limit
        if isinstance(metric, Bleu):
            assert all(0 <= each <= 100 for each in score.scores)
            assert 0 <= score.brevity_penalty <= 1
        assert score.fraction == score.score / 100
        assert json.loads(score.to_json(), parse_constant=pytest.fail) == score.to_dict()

    @thorough
    @given(strategies.corpora(), any_metric)
    def test_a_sentence_is_a_corpus_of_one(self, corpus, metric):
        """And ``sentences`` gives what ``sentence`` gives for each, under all weights."""
        pairs = list(zip(*corpus, strict=True))
        scores = [metric.segment(*pair) for pair in pairs]
        several = [getattr(score, "scores", (score.score,)) for score in scores]
        batch = metric.segments(*corpus)
        assert batch.dtype == np.float64
        assert batch.reshape(len(pairs), -1).tolist() == list(map(list, several))
        for (hypothesis, references), score in zip(pairs, scores, strict=True):
            assert metric._scoped(segment=True).corpus([hypothesis], [references]).same_as(score)
        stats = metric.stats(*corpus)
        # A metric in Python is given arrays.
        rows = stats.to_numpy() if isinstance(metric, ExactMatch) else stats
        assert metric.scores(rows).tolist() == [each.score for each in scores]

    @usual
    @given(strategies.corpora(max_references=3), any_metric)
    @example((["a"], [[]]), Chrf(eps_smoothing=True))
    @example((["", "a"], [[], []]), Chrf(word_order=2))
    @example((["", "a"], [[], [""]]), Ter())
    def test_a_perfect_corpus(self, corpus, metric):
        """Hypotheses that are their first references score exactly 100.0, or 0.0 in TER.

        With `eps_smoothing`, an order that no segment has counts as 0; so does everything where all
        texts are empty. TER's `normalized` splits references twice, and so differently.
        """
        assume(isinstance(metric, Chrf | Ter) and not getattr(metric, "normalized", False))
        assume(getattr(metric, "beta", 2) > 0.01)  # Else a reference may be found only in part.
        hypotheses, references = corpus
        references = [[own, *others] for own, others in zip(hypotheses, references, strict=True)]
        score = metric.corpus(hypotheses, references)
        if isinstance(metric, Ter):
            assert (score.score, score.edits) == (0.0, 0)
            return
        complete = all(score.ref_totals) if metric.eps_smoothing else any(score.ref_totals)
        assert score.score == 100.0 or not complete
        assert score.matches == score.hyp_totals == score.ref_totals

    @usual
    @given(
        strategies.corpora(max_references=3),
        st.sampled_from([Bleu(), Chrf(word_order=2), Ter(), Ter(case_sensitive=True)]),
        st.sampled_from(_core.UNICODE_FORMS),
    )
    @example((["Cafe\u0301 \ufb01n \ud800"], [["Caf\xe9 fin \ud800"]]), Chrf(), "NFKC")
    @example((["Cafe\u0301 \ufb01n"], [["Caf\xe9 fin"]]), Ter(case_sensitive=True), "NFKD")
    def test_unicode_forms(self, corpus, metric, form):
        """Text that is normalized beforehand counts as with `unicode_form`, in signatures, too."""
        hypotheses, references = corpus
        normal = metric.replace(unicode_form=form)
        before = (
            [_core.normalize(text, form) for text in hypotheses],
            [[_core.normalize(text, form) for text in several] for several in references],
        )
        score = normal.corpus(hypotheses, references)
        assert list(score.row.values()) == list(metric.corpus(*before).row.values())
        for hypothesis, several, own, other in zip(*corpus, *before, strict=True):
            assert normal.segment(hypothesis, several) == metric.segment(own, other)
        assert f"|form:{form}|" in score.signature
        assert "form:" not in metric.corpus(hypotheses, references).signature
        assert type(metric).from_signature(normal.signature) == normal


class TestScores:
    """What a score of BLEU may be."""

    @usual
    @given(strategies.corpora(max_size=1), strategies.bleu_settings())
    @example((["a b c"], [["a c b"]]), {"smoothing": "method4", "smooth_value": 1e-9})
    @example((["a b c"], [["a c b"]]), {"smoothing": "method7", "smooth_value": 1e-9})
    def test_a_sentence(self, corpus, chosen):
        """So is that of a segment, also with the smoothings that take no more than one."""
        [hypothesis], [references] = corpus
        score = Bleu(**chosen).segment(hypothesis, references)
        assert all(0 <= each <= 100 for each in score.scores)
        assert np.isfinite(score.precisions).all()
        assert json.loads(score.to_json(), parse_constant=pytest.fail) == score.to_dict()

    @thorough
    @given(strategies.token_corpora, token_settings, st.data())
    @example(([[1, 2, 3, 4]], [[[1, 2, 3, 4]]]), {"tokenizer": "pretokenized"}, None)
    @example(
        ([list(range(9))], [[list(range(9))]]),
        {"tokenizer": "pretokenized", "smoothing": "add-k", "smooth_value": 4.82813771775869},
        None,
    )
    def test_a_perfect_corpus_scores_exactly_100(self, corpus, chosen, data):
        """Hypotheses that are among their references score 100.0, not 100.00000000000004.

        If the length that counts is theirs, that is, and if there are n-grams of every order.
        """
        assume(chosen.get("reference_length", "closest").startswith("closest"))
        hypotheses, references = corpus
        if data is not None:
            places = [data.draw(st.integers(0, len(several))) for several in references]
            references = [
                [*several[:place], own, *several[place:]]
                for own, several, place in zip(hypotheses, references, places, strict=True)
            ]
        bleu = Bleu(**chosen)
        # Where all weight is on orders that are left out, nothing is left to score.
        weighty = all(all(weights) for weights in bleu.weights)
        enough = 1 if bleu.effective_order and weighty else bleu.max_order
        assume(max(map(len, hypotheses)) >= enough)
        score = bleu.corpus(hypotheses, references)
        assert score.scores == (100.0,) * len(score.scores)
        assert score.brevity_penalty == 1.0
        assert score.reason is None

    @usual
    @given(
        st.lists(st.lists(st.sampled_from("aab"), min_size=4, max_size=8), min_size=1, max_size=3)
    )
    @example([list("abab"), list("c")])
    @example([list("abaab")])
    def test_smoothing_where_every_order_matches(self, texts):
        """`exp` and `floor` change nothing; `add-k` does, unless all longer n-grams match."""
        hypotheses = [" ".join(words) for words in texts]
        references = [" ".join(words[:4] + words[:1]) for words in texts]
        plain = Bleu(tokenizer="none", smoothing="none").corpus(hypotheses, references)
        assume(all(plain.counts))
        for smoothing in "exp", "floor", "add-k":
            score = Bleu(tokenizer="none", smoothing=smoothing).corpus(hypotheses, references)
            same = smoothing != "add-k" or plain.counts[1:] == plain.totals[1:]
            assert (score == plain) == same

    @pytest.mark.parametrize("smoothing", _core.SMOOTHINGS)
    def test_a_score_has_a_reason_only_if_it_is_0(self, smoothing):
        """For every smoothing; method0 writes 1e-78 where ``none`` gives 0."""

        @usual
        @given(
            strategies.corpora(strategies.short | strategies.soup, max_size=1),
            strategies.bleu_settings(smoothings=(smoothing,)),
        )
        @example((["x y z w v"], [["a b c d e f"]]), {"smoothing": smoothing})
        @example((["a"], [["b " * 1000]]), {"smoothing": smoothing})
        @example((["a"], [["a " * 1000]]), {"smoothing": smoothing, "max_order": 1})
        def check(corpus, chosen):
            score = Bleu(**chosen).corpus(*corpus)
            honest = score
            if smoothing == "method0":
                honest = Bleu(**chosen | {"smoothing": "none"}).corpus(*corpus)
            assert (score.reason is None) == (honest.score > 0)
            if score.score:
                logs = sum(score.weighted_log_precisions) + np.log(score.brevity_penalty)
                assert min(1, np.exp(logs)) == pytest.approx(score.fraction, rel=1e-9)

        check()

    def test_precisions_are_the_quotients_of_the_counts(self):
        """To the last bit, as Python's fractions are; a hundredth of a percentage is not."""
        bleu = Bleu(tokenizer="pretokenized", max_order=1, smoothing="none", weights=None)
        off = 0
        for total in range(1, 120):
            for matches in range(1, total + 1):
                rows = Stats.from_numpy([[total, total, matches, total]], bleu)
                score = bleu.score(rows)
                assert score.precision_fractions == (float(Fraction(matches, total)),)
                off += score.precisions[0] / 100 != score.precision_fractions[0]
        assert off

    @usual
    @given(st.lists(st.integers(0, 9), min_size=5, max_size=20), st.floats(0.01, 10))
    @pytest.mark.parametrize("smoothing", FOR_SENTENCES)
    def test_a_perfect_sentence_scores_exactly_100(self, smoothing, tokens, value):
        """The smoothings for one segment leave nothing to be desired either."""
        value = None if _core.SMOOTHINGS[smoothing] is None else value
        bleu = Bleu(tokenizer="pretokenized", smoothing=smoothing, smooth_value=value)
        assert bleu.segment(tokens, [tokens]).score == 100.0

    @thorough
    @given(strategies.corpora(), corpus_settings)
    @example((["Hello world!"], [["Hello there world!"]]), {})
    def test_a_reason_names_an_order_that_is_0(self, corpus, chosen):
        """Not one that the smoothing has lifted."""
        score = Bleu(**chosen).corpus(*corpus)
        pattern = r"(\d+)-gram|No hypothesis has ([\d,]+) or more tokens"
        named = re.search(pattern, score.reason or "")
        if named and score.score == 0:
            assert score.precisions[int(named[1] or named[2]) - 1] == 0

    @usual
    @given(strategies.corpora(max_size=1), any_metric)
    def test_functions_are_the_methods(self, corpus, metric):
        """The two functions of a metric are its methods, with the same settings."""
        assume(type(metric) in FUNCTIONS)
        of_corpora, of_sentences = FUNCTIONS[type(metric)]
        [hypothesis], [references] = corpus
        chosen = metric.settings()
        assert of_corpora(*corpus, **chosen).same_as(metric.corpus(*corpus))
        sentence = metric.segment(hypothesis, references)
        assert of_sentences(hypothesis, references, **chosen).same_as(sentence)

    @thorough
    @given(
        strategies.token_corpora,
        strategies.bleu_settings(("pretokenized",), FOR_CORPORA),
        st.lists(strategies.weight_lists(), min_size=2, max_size=4),
    )
    @example(
        ([[0, 1, 2, 3, 0, 1]], [[[0, 1, 2, 3, 1, 1]]]),
        {"tokenizer": "pretokenized"},
        [[0.25] * 4, [0.5] * 2, [1 / 3] * 3],
    )
    def test_several_weights_score_as_each_alone(self, corpus, chosen, several):
        """One count and several lists of weights give, bit by bit, what each gives alone."""
        chosen = {name: chosen[name] for name in chosen if name not in ("max_order", "weights")}
        together = Bleu(weights=several, **chosen).corpus(*corpus)
        alone = [Bleu(weights=weights, **chosen).corpus(*corpus) for weights in several]
        assert together.scores == tuple(score.score for score in alone)
        assert together.score == alone[0].score


class TestOracle:
    """Whatever is counted, and however it is scored, the definition comes to the same."""

    @staticmethod
    def check(corpus, max_order, rule, weights=None):
        """Compare all numbers of a corpus; return the score."""
        expected = reference.corpus_bleu(*corpus, max_order, weights, rule)
        bleu = Bleu(
            tokenizer="pretokenized",
            max_order=max_order,
            reference_length=rule,
            weights=weights,
            smoothing="none",
        )
        score = bleu.corpus(*corpus)
        assert (score.counts, score.totals) == (expected.counts, expected.totals)
        assert (score.hyp_len, score.ref_len) == (expected.hyp_len, expected.ref_len)
        assert score.brevity_penalty == pytest.approx(expected.brevity_penalty, rel=1e-15)
        precisions = [float(100 * precision) for precision in expected.precisions]
        assert score.precisions == pytest.approx(precisions, rel=1e-15)
        assert score.fraction == pytest.approx(expected.score, rel=1e-12, abs=0)
        return score

    @settings(deadline=None, max_examples=300)
    @given(strategies.token_corpora, st.integers(1, 6), st.sampled_from(_core.REFERENCE_LENGTHS))
    def test_of_any_tokens(self, corpus, max_order, rule):
        """Clipped counts, totals, lengths and the score follow the definition."""
        self.check(corpus, max_order, rule)

    @usual
    @given(strategies.token_corpora, strategies.weight_lists())
    def test_of_any_weights(self, corpus, weights):
        """The weighted geometric mean follows the definition; weight 0 leaves an order out."""
        self.check(corpus, len(weights), "closest", weights)

    @brief
    @given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 400), st.integers(1, 70))
    @example(1, 2, 400, 64)
    @example(2, 1, 300, 65)
    def test_of_long_repetitions_and_high_orders(self, seed, kinds, length, max_order):
        """Text of a few words, over and over again, is counted right, at every order."""
        source = random.Random(seed)

        def draw(most):
            return [source.randrange(kinds) for _ in range(source.randint(0, most))]

        hypotheses = [draw(2 * length), draw(length), draw(5), draw(length)]
        references = [
            [hypothesis[length // 5 :] + draw(length), draw(length)] for hypothesis in hypotheses
        ]
        self.check((hypotheses, references), max_order, "closest")

    def test_of_many_different_tokens(self):
        """More kinds of tokens than 16 bits can number are still told apart."""
        source = random.Random(17)
        hypothesis = [source.randrange(200_000) for _ in range(100_000)]
        other = hypothesis[:]
        for place in source.sample(range(len(other)), 20_000):
            other[place] = source.randrange(200_000)
        score = self.check(([hypothesis], [[other, hypothesis[::2]]]), 5, "closest")
        assert 10 < score.score < 90


class TestTokens:
    """With ``tokenizer="pretokenized"`` only which tokens are equal counts, not what they are."""

    @usual
    @given(strategies.token_corpora, token_settings)
    def test_forms_of_tokens(self, corpus, chosen):
        """Numbers, words, bytes, pairs and arrays of the same tokens score the same."""
        bleu = Bleu(**chosen)
        expected = bleu.stats(*corpus)
        for form in (
            str,
            "{:064}".format,
            lambda token: (token, "x"),
            lambda token: 2**70 * token,
        ):

            def renamed(tokens, form=form):
                return [form(token) for token in tokens]

            hypotheses = list(map(renamed, corpus[0]))
            references = [list(map(renamed, several)) for several in corpus[1]]
            assert bleu.stats(hypotheses, references) == expected

        def array(tokens):
            return np.array(tokens, dtype=np.int32)

        hypotheses = list(map(array, corpus[0]))
        references = [list(map(array, several)) for several in corpus[1]]
        assert bleu.stats(hypotheses, references) == expected
        assert bleu.stats(hypotheses, corpus[1]) == expected
        hypotheses = Ragged(
            np.array(sum(corpus[0], []), dtype=np.int64),  # noqa: RUF017
            np.cumsum([0, *map(len, corpus[0])]),
        )
        assert bleu.stats(hypotheses, corpus[1]) == expected

    @usual
    @given(st.data(), st.integers(1, 5), st.integers(0, 6), token_settings)
    def test_tables_of_tokens(self, data, segments, length, chosen):
        """Segments of equal length may be rows of one array, several references layers of it."""
        ids = st.lists(st.integers(0, 3), min_size=length, max_size=length)
        several = st.lists(ids, min_size=2, max_size=2)
        own = data.draw(st.lists(ids, min_size=segments, max_size=segments))
        others = data.draw(st.lists(several, min_size=segments, max_size=segments))
        bleu = Bleu(**chosen)
        table, layers = np.array(own, dtype=np.uint16), np.array(others, dtype=np.int64)
        assert bleu.stats(table, layers) == bleu.stats(own, others)
        if length:
            first = [pair[0] for pair in others]
            assert bleu.stats(table, layers[:, 0]) == bleu.stats(own, [[one] for one in first])
        ragged = [
            Ragged(layers[:, number].ravel(), length * np.arange(segments + 1))
            for number in range(2)
        ]
        assert bleu.stats(own, reference_streams=ragged) == bleu.stats(own, others)

    @thorough
    @given(strategies.corpora())
    def test_a_function_splits_as_the_core_does(self, corpus):
        """``str.split`` as a tokenizer is the tokenizer ``none``, whatever the text."""
        ours, theirs = Bleu(tokenizer="none"), Bleu(tokenizer=str.split)
        expected = ours.stats(*corpus).to_numpy()
        assert (theirs.stats(*corpus).to_numpy() == expected).all()
        split = [text.split() for text in corpus[0]]
        nested = [[text.split() for text in several] for several in corpus[1]]
        assert (Bleu(tokenizer="pretokenized").stats(split, nested).to_numpy() == expected).all()


class TestInputs:
    """The same corpus in another container is the same corpus."""

    @usual
    @given(
        st.lists(st.tuples(*[clean_text] * 3), min_size=1, max_size=8), any_metric, st.booleans()
    )
    def test_columns_and_files(self, segments, metric, in_lists):
        """Arrow columns and files have the rows of lists."""
        hypotheses, *streams = map(list, zip(*segments, strict=True))
        references = [list(several) for several in zip(*streams, strict=True)]
        expected = metric.stats(hypotheses, references)
        if in_lists:
            columns = {"references": pa.array(references, pa.list_(pa.string()))}
        else:
            columns = {"reference_streams": [pa.array(each) for each in streams]}
        assert metric.stats(pa.array(hypotheses), **columns) == expected
        files = [self.lines_of(texts) for texts in (hypotheses, *streams)]
        corpora = Corpora(files[:1], files[1:], None, 1, lines=len(segments))
        [counted] = metric._count(corpora, each=True)
        assert counted == expected

    @staticmethod
    def lines_of(texts):
        """Return the lines of a file as the core has read them."""
        lines = _core.Lines()
        lines.push("".join(f"{text}\n" for text in texts).encode())
        lines.finish()
        return lines

    @usual
    @given(strategies.corpora(), any_metric, st.data())
    def test_a_missing_reference_is_none(self, corpus, metric, data):
        """None among the references of a segment is as good as nothing."""
        hypotheses, references = corpus
        gaps = [
            data.draw(st.permutations([*several, *[None] * data.draw(st.integers(0, 2))]))
            for several in references
        ]
        references = [[text for text in several if text is not None] for several in gaps]
        assert metric.corpus(hypotheses, gaps).same_as(metric.corpus(hypotheses, references))
        assert metric.stats(hypotheses, gaps) == metric.stats(hypotheses, references)
        sentence = metric.segment(hypotheses[0], references[0])
        assert metric.segment(hypotheses[0], gaps[0]).same_as(sentence)

    @usual
    @given(strategies.corpora(), any_metric)
    def test_streams_are_references_the_other_way_round(self, corpus, metric):
        """``reference_streams`` is ``references`` transposed, with None where there is no text."""
        hypotheses, references = corpus
        streams = list(itertools.zip_longest(*references))
        columns = [pd.Series(stream, dtype=object) for stream in streams]
        for each in (streams, map(iter, streams), columns):
            score = metric.corpus(hypotheses, reference_streams=each)
            assert score.same_as(metric.corpus(hypotheses, references))


class TestValues:
    """Settings, statistics and scores are values."""

    @usual
    @given(strategies.corpora(), any_metric)
    def test_statistics_travel(self, corpus, metric):
        """Pickle, bytes and NumPy give back what went in."""
        stats = metric.stats(*corpus)
        copies = (
            pickle.loads(pickle.dumps(stats)),
            Stats.from_bytes(stats.to_bytes()),
            Stats.from_numpy(stats.to_numpy(), stats),
        )
        for copy in copies:
            assert copy == stats
            assert hash(copy) == hash(stats)
            assert len(copy) == len(stats) == len(corpus[0])
            assert copy.references == stats.references
            assert metric.score(copy).same_as(metric.score(stats))
            assert copy + stats == stats + copy
        array = stats.to_numpy()
        assert array.dtype == np.int64
        assert array.shape == (len(stats), metric._row_width)
        array[:, 1] += 1
        assert (stats.to_numpy()[:, 1] == array[:, 1] - 1).all()
        assert Stats.from_numpy(array, metric) != stats

    @usual
    @given(strategies.bleu_settings(), strategies.bleu_settings())
    def test_settings_are_values(self, chosen, others):
        """Two Bleu are equal if and only if their settings are; pickle keeps them."""
        bleu, other = Bleu(**chosen), Bleu(**others)
        assert (bleu == other) == (bleu.settings() == other.settings())
        assert (bleu == other) == (bleu.signature == other.signature)
        for copy in (pickle.loads(pickle.dumps(bleu)), Bleu(**bleu.settings())):
            assert copy == bleu
            assert hash(copy) == hash(bleu)
            assert repr(copy) == repr(bleu)
        assert eval(repr(bleu), {"Bleu": Bleu}) == bleu

    @usual
    @given(strategies.corpora(min_size=2, max_size=2), corpus_settings, corpus_settings)
    def test_scores_are_values(self, corpus, chosen, others):
        """A score is the same if statistics and settings are, and compares as its number."""
        (own, other), references = corpus
        bleu = Bleu(**chosen)
        score, second = bleu.segment(own, references[0]), bleu.segment(other, references[1])
        for copy in (
            bleu._scoped(segment=True).corpus([own], references[:1]),
            pickle.loads(pickle.dumps(score)),
        ):
            assert copy.same_as(score)
            assert copy.to_dict() == score.to_dict()
        other = Bleu(**others).segment(own, references[0])
        assert other.same_as(score) == (Bleu(**others) == bleu)
        assert (other == score) == (other.score == score.score)
        assert not score.same_as(score.score)
        assert score == score.score
        assert hash(score) == hash(score.score)
        assert float(score) == score.score == score.scores[0]
        for right, number in ((second, second.score), (second.score, second.score)):
            assert (score < right) == (score.score < number)
            assert (score <= right) == (score.score <= number)
            assert (score > right) == (score.score > number)
            assert (score >= right) == (score.score >= number)
        assert max(score, second).score == max(score.score, second.score)

    @usual
    @given(strategies.corpora(), corpus_settings)
    def test_a_score_tells_all(self, corpus, chosen):
        """``to_dict`` holds every property of a score, and JSON gives it back exactly."""
        score = Bleu(**chosen).corpus(*corpus)
        everything = score.to_dict()
        assert json.loads(score.to_json()) == json.loads(score.to_json(indent=1)) == everything
        for name, value in everything.items():
            attribute = getattr(score, name)
            assert value == (list(attribute) if isinstance(attribute, tuple) else attribute)

    def test_nothing_can_be_assigned(self):
        """No attribute of a value can be set or deleted, and none can be added."""
        bleu = Bleu()
        values = [bleu, bleu.stats(["a"], ["a"]), Ragged([1], [0, 1]), bleu.segment("a", "a")]
        for value in (*values, Chrf(), Ter()):
            kind = type(value)
            before = {name: getattr(value, name) for name in kind.__slots__}
            for name in [*kind.__slots__, "another"]:
                with pytest.raises(AttributeError, match=f"{kind.__name__} is immutable.*'{name}'"):
                    setattr(value, name, None)
                with pytest.raises(AttributeError, match=f"{kind.__name__} is immutable.*'{name}'"):
                    delattr(value, name)
            assert {name: getattr(value, name) for name in kind.__slots__} == before


class TestSignatures:
    """A signature holds all that a score depends on."""

    @thorough
    @given(strategies.bleu_settings(tokenizers=(*_core.TOKENIZERS, "pretokenized")))
    def test_a_signature_can_be_read_back(self, chosen):
        """``from_signature`` makes the Bleu that wrote the signature."""
        bleu = Bleu(**chosen)
        assert Bleu.from_signature(bleu.signature) == bleu
        assert Bleu.from_signature(bleu.signature).signature == bleu.signature

    @usual
    @given(strategies.corpora(), any_metric)
    def test_the_signature_of_a_score_can_be_read_back(self, corpus, metric):
        """The metric made of a score's signature computes that score again."""
        score = metric.corpus(*corpus)
        assert type(metric).from_signature(score.signature).corpus(*corpus).same_as(score)

    @usual
    @given(
        st.sampled_from(["none", "floor", "add-k", "exp"]),
        st.none() | st.integers(0, 1000).map(lambda hundredths: hundredths / 100),
        st.sampled_from(["13a", "none"]),
        st.fixed_dictionaries({"lowercase": st.booleans(), "effective_order": st.booleans()}),
        st.lists(st.just(["a b c"] * 2), min_size=1),
        st.sampled_from([[], [["a b c", None]]]),
        st.sampled_from([1, 2]),
    )
    def test_signatures_of_sacrebleu_can_be_read(
        self, smoothing, value, tokenizer, chosen, streams, gap, n_bootstrap
    ):
        """What sacreBLEU prints, long or short, makes a Bleu of the same settings."""
        chosen = chosen | {"smooth_value": value if _core.SMOOTHINGS[smoothing] else None}
        ours = Bleu(tokenizer=tokenizer, smoothing=smoothing, **chosen)
        theirs = sacrebleu.BLEU(tokenize=tokenizer, smooth_method=smoothing, **chosen)
        theirs.corpus_score(["a b c", "a b"], [*streams, *gap], n_bootstrap=n_bootstrap)
        signature = theirs.get_signature()
        assert Bleu.from_signature(signature.format()) == ours
        assert Bleu.from_signature(signature.format(short=True)) == ours
