"""Many against many: matrices, choices, Self-BLEU, rewards."""

import itertools
import json
import math
import re
import statistics
import subprocess
import sys
import threading
import warnings
from collections import Counter
from random import Random

import numpy as np
import pytest
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from interrupting import is_soon_interrupted
from nltk.translate.bleu_score import SmoothingFunction
from nltk.translate.bleu_score import sentence_bleu as nltk_sentence_bleu
from project import ROOT
from toy_metrics import ExactMatch, Misses
from truebleu import (
    Bleu,
    Chrf,
    InputTypeError,
    LengthMismatchError,
    Metric,
    Ragged,
    SettingsError,
    best_of,
    mbr,
    pairwise,
    self_bleu,
    sentence_bleu,
    token_rewards,
)
from truebleu.cli import main
from truebleu.metrics.registry import METRICS
from truebleu.record import plain

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

usual = settings(deadline=None, max_examples=60)
texts = st.lists(strategies.segments, min_size=1, max_size=7)
many = st.lists(st.one_of(strategies.soup, strategies.short), min_size=2, max_size=9)
chosen_settings = strategies.bleu_settings(
    smoothings=("none", "floor", "add-k", "exp", "nist", "skip-zero", "method1", "method5")
    # A pair has one score.
).filter(lambda chosen: len(Bleu(**chosen).weights) < 2)


def words(seed, count, length=12, vocabulary=30):
    """Draw texts that resemble each other."""
    random = Random(seed)
    names = [f"w{index}" for index in range(vocabulary)]
    return [
        " ".join(random.choice(names) for _ in range(random.randint(1, length)))
        for _ in range(count)
    ]


@pytest.mark.parametrize("metric", [Bleu(max_order=300), Chrf(char_order=300)])
def test_more_orders_than_the_core_looks_up(metric):
    """Pairs have the scores of sentences whatever the order."""
    scores = pairwise(["a b", "c"], ["a c", "c"], metric=metric)
    expected = [
        [metric.segment(one, other).score for other in ("a c", "c")] for one in ("a b", "c")
    ]
    assert scores.tolist() == expected


class TestPairwise:
    """A matrix of what ``sentence_bleu`` says."""

    @usual
    @given(texts, st.one_of(st.none(), texts), chosen_settings, st.sampled_from([1, 3]))
    def test_every_pair(self, hypotheses, references, chosen, threads):
        """Every pair is a sentence; a slice of the hypotheses has the rows of the matrix."""
        matrix = pairwise(hypotheses, references, threads=threads, **chosen)
        others = hypotheses if references is None else references
        assert matrix.shape == (len(hypotheses), len(others))
        bleu = Bleu(**{"effective_order": True, **chosen})
        for own, row in zip(hypotheses, matrix, strict=True):
            for other, score in zip(others, row, strict=True):
                assert score == bleu.segment(own, other).score
        starts = range(0, len(hypotheses), 2)
        parts = [pairwise(hypotheses[start : start + 2], others, **chosen) for start in starts]
        assert (np.concatenate(parts) == matrix).all()

    def test_the_default_is_sentence_bleu(self):
        """Effective order, exp."""
        own, others = words(1, 5), words(2, 4)
        expected = [[sentence_bleu(one, other).score for other in others] for one in own]
        assert pairwise(own, others).tolist() == expected
        assert pairwise(own, own).tolist() == pairwise(own).tolist()

    @usual
    @given(st.lists(strategies.tokens, min_size=1, max_size=5))
    def test_tokens_and_ids(self, lists):
        """Lists of tokens, ragged arrays, and words give one matrix."""
        lists = [list(map(int, tokens)) for tokens in lists]
        matrix = pairwise(lists, tokenizer="pretokenized")
        values = [token for tokens in lists for token in tokens]
        ragged = Ragged(np.array(values, "i8"), np.cumsum([0, *map(len, lists)]))
        assert (pairwise(ragged, ragged, tokenizer="pretokenized") == matrix).all()
        named = [[f"t{token}" for token in tokens] for tokens in lists]
        assert (pairwise(named, lists[:0] + named, tokenizer="pretokenized") == matrix).all()
        joined = [" ".join(tokens) for tokens in named]
        assert (pairwise(joined, tokenizer="none") == matrix).all()
        assert (pairwise(joined, tokenizer=str.split) == matrix).all()

    @pytest.mark.parametrize(("metric", "count"), [(Bleu(max_order=1), 600), (Misses(), 128)])
    def test_large(self, metric, count):
        """The work is cut into pieces, which change nothing."""
        texts = [f"{number % 7} {number}" for number in range(count)]
        matrix = pairwise(texts, texts[::-1], metric=metric, threads=2)
        rows = [pairwise([text], texts[::-1], metric=metric)[0] for text in texts]
        assert (matrix == np.array(rows)).all()


class TestMbr:
    """Minimum Bayes risk, by brute force."""

    @usual
    @given(st.lists(strategies.soup, min_size=1, max_size=6), st.data())
    def test_exact(self, samples, data):
        """The expectation of sentence BLEU, and its maximum."""
        others = data.draw(st.one_of(st.none(), st.lists(strategies.soup, min_size=1, max_size=5)))
        count = len(samples if others is None else others)
        share = st.floats(0.01, 5)
        weights = data.draw(st.one_of(st.none(), st.lists(share, min_size=count, max_size=count)))
        choice = mbr(samples, weights=weights, pseudo_references=others)
        shares = [1] * count if weights is None else weights
        expected = [
            math.fsum(
                share * sentence_bleu(sample, other).score
                for share, other in zip(shares, samples if others is None else others, strict=True)
            )
            / math.fsum(shares)
            for sample in samples
        ]
        assert choice.scores == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert choice.score == choice.scores.max()
        assert choice.sample == samples[choice.index]

    @usual
    @given(st.lists(strategies.soup, min_size=1, max_size=5), st.data())
    def test_aggregated(self, samples, data):
        """Against the mean of the pseudo-references, by its definition."""
        others = data.draw(st.one_of(st.none(), st.lists(strategies.soup, min_size=1, max_size=4)))
        pool = samples if others is None else others
        weights = [(index % 3 + 1) / 2 for index in range(len(pool))]
        found = mbr(
            samples,
            weights=weights,
            pseudo_references=others,
            method="aggregated",
            smoothing="floor",
        ).scores
        shares = np.array(weights) / sum(weights)
        bleu = Bleu(smoothing="floor", effective_order=True)
        split = bleu._counter.tokens
        for sample, score in zip(samples, found, strict=True):
            own = split(sample)
            length = sum(share * len(split(text)) for share, text in zip(shares, pool, strict=True))
            logs, orders, any_match = [], 0, False
            for order in range(1, 5):
                grams = [tuple(own[i : i + order]) for i in range(len(own) - order + 1)]
                if not grams:
                    break
                matches = 0.0
                for gram in set(grams):
                    mean = 0.0
                    for share, text in zip(shares, pool, strict=True):
                        tokens = split(text)
                        mean += share * sum(
                            tuple(tokens[i : i + order]) == gram for i in range(len(tokens))
                        )
                    matches += min(grams.count(gram), mean)
                orders += 1
                any_match = any_match or matches > 0
                logs.append(math.log((matches or 0.1) / len(grams)))
            expected = 0.0
            if any_match and orders:
                penalty = 1.0 if len(own) >= length else math.exp(1 - length / len(own))
                expected = min(100.0, 100 * penalty * math.exp(sum(logs) / orders))
            assert score == pytest.approx(expected, rel=1e-9, abs=1e-9)

    @usual
    @given(st.lists(strategies.soup, min_size=1, max_size=5))
    @example(["the cat sat on the mat", "a cat sat", "the cat", ""])
    def test_aggregated_chrf(self, samples):
        """ChrF against the mean counts of the pseudo-references, by its definition."""
        weights = [index % 3 + 1 for index in range(len(samples))]
        shares = [weight / sum(weights) for weight in weights]
        characters = ["".join(text.split()) for text in samples]
        found = mbr(samples, weights=weights, method="aggregated", metric="chrf").scores
        for own, score in zip(characters, found, strict=True):
            precisions, recalls = [], []
            for order in range(1, 7):
                own_grams, *others = (
                    Counter(text[at : at + order] for at in range(len(text) - order + 1))
                    for text in (own, *characters)
                )
                mean = Counter()
                for share, grams in zip(shares, others, strict=True):
                    mean.update({gram: share * count for gram, count in grams.items()})
                if own_grams and mean:
                    matches = sum((own_grams & mean).values())
                    precisions.append(matches / own_grams.total())
                    recalls.append(matches / mean.total())
            expected = 0.0
            if sum(precisions):
                precision, recall = map(statistics.fmean, (precisions, recalls))
                expected = 100 * 5 * precision * recall / (4 * precision + recall)
            assert score == pytest.approx(expected, rel=1e-9, abs=1e-9)

    def test_one_pseudo_reference(self):
        """The mean of one text is the text: both methods agree."""
        samples, other = words(3, 6), words(4, 1)
        exact, aggregated = (
            mbr(samples, pseudo_references=other, method=method).scores
            for method in ("exact", "aggregated")
        )
        assert exact == pytest.approx(aggregated, rel=1e-12)

    def test_batches(self):
        """Several sources at once, with weights and pseudo-references of their own."""
        samples = [words(1, 4), words(2, 3)]
        others = [words(3, 2), words(4, 5)]
        weights = [[1, 2], [1, 1, 1, 1, 0]]
        found = mbr(samples, weights=weights, pseudo_references=others)
        for choice, own, share, other in zip(found, samples, weights, others, strict=True):
            assert (choice.scores == mbr(own, weights=share, pseudo_references=other).scores).all()
        tokens = [[text.split() for text in own] for own in samples]
        assert [choice.index for choice in mbr(tokens, tokenizer="pretokenized")] == [
            choice.index for choice in mbr(samples, tokenizer="none")
        ]
        assert (
            mbr(tokens[0], tokenizer="pretokenized").index
            == mbr(samples, tokenizer="none")[0].index
        )


class TestBestOf:
    """n-best lists and references."""

    @usual
    @given(
        st.lists(st.lists(strategies.soup, min_size=1, max_size=4), min_size=1, max_size=4),
        st.data(),
    )
    def test_brute_force(self, samples, data):
        """The best of each, with the scores of all."""
        reference = st.one_of(strategies.soup, st.lists(strategies.soup, min_size=1, max_size=2))
        references = data.draw(st.lists(reference, min_size=len(samples), max_size=len(samples)))
        found = best_of(samples, references)
        scores = [
            [sentence_bleu(text, other).score for text in own]
            for own, other in zip(samples, references, strict=True)
        ]
        assert [each.scores.tolist() for each in found] == scores
        assert [each.index for each in found] == [each.index(max(each)) for each in scores]
        assert [each.score for each in found] == [max(each) for each in scores]
        for own, each in zip(samples, found, strict=True):
            assert each.sample == own[each.index]


class TestSelfBleu:
    """Each text against all others."""

    @usual
    @given(many, chosen_settings, st.sampled_from(["closest", "shortest", "longest", "average"]))
    def test_brute_force(self, segments, chosen, rule):
        """The scores that the definition gives, with every setting."""
        chosen["reference_length"] = rule
        found = self_bleu(segments, **chosen)
        usual_settings = {"smoothing": "method1"}
        if chosen.get("smoothing", "method1") == "method1":
            usual_settings["phantom_ngrams"] = True
        bleu = Bleu(**{**usual_settings, **chosen})
        expected = [
            bleu.segment(text, segments[:index] + segments[index + 1 :]).score
            for index, text in enumerate(segments)
        ]
        assert found.scores.tolist() == expected
        assert found.score == pytest.approx(math.fsum(expected) / len(expected), abs=1e-9)
        assert found.fraction == found / 100
        assert found.signature == bleu._scoped(segment=True).signature

    @pytest.mark.parametrize(
        ("rule", "lengths"),
        [
            # Of three words, five and eight: for each text, the rule looks at the others only.
            ("shortest", [5, 3, 3]),
            ("longest", [8, 8, 5]),
            ("closest", [5, 3, 5]),
            ("average", [6, 5, 4]),
        ],
    )
    def test_reference_lengths(self, rule, lengths):
        """The reference length of each text, one of which is the shortest, one the longest."""
        texts = ["a b c", "a b c d e", "a b c d e f g h"]
        found = self_bleu(texts, reference_length=rule, max_order=1, smoothing="none").scores
        expected = [
            100 * min(1, math.exp(1 - length / own))
            for own, length in zip([3, 5, 8], lengths, strict=True)
        ]
        expected[2] *= 5 / 8
        assert found.tolist() == pytest.approx(expected, rel=1e-12)

    @usual
    @given(many, st.integers(2, 5))
    def test_nltk(self, segments, order):
        """What text-generation papers compute with NLTK."""
        tokens = [text.split() for text in segments]
        weights = (1 / order,) * order
        method = SmoothingFunction().method1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = [
                nltk_sentence_bleu(
                    tokens[:index] + tokens[index + 1 :], own, weights, smoothing_function=method
                )
                for index, own in enumerate(tokens)
            ]
        found = self_bleu(tokens, tokenizer="pretokenized", weights=weights)
        assert found.scores / 100 == pytest.approx(expected, rel=1e-9, abs=1e-12)

    @pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are read from /proc")
    def test_memory(self):
        """Of two million tokens, each takes 20 to 30 bytes, as the page says."""
        script = (
            "import random, truebleu\n"
            "def peak():\n"
            "    status = open('/proc/self/status').read()\n"
            "    return int(status.split('VmHWM:')[1].split()[0]) * 1024\n"
            "words = [f'{number:x}' for number in range(50_000)]\n"
            "texts = [' '.join(random.choices(words, k=20)) for _ in range(100_000)]\n"
            "truebleu.self_bleu(texts[:9])\n"
            "before = peak()\n"
            "truebleu.self_bleu(texts)\n"
            "print((peak() - before) / 2_000_000)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        assert 20 <= float(done.stdout) <= 30


class TestIds:
    """Tables of token ids."""

    def test_rewards(self):
        """Fractions of sentence BLEU, several samples a reference."""
        samples = [[5, 6, 7, 8, 2, 0], [5, 6, 9, 8, 7, 2], [1, 1, 2, 0, 0, 0], [4, 3, 1, 2, 0, 0]]
        references = [[5, 6, 7, 8, 2], [4, 3, 2, 0, 0]]
        found = token_rewards(samples, references, pad=0, end_of_sequence=2)
        cut = [[5, 6, 7, 8], [5, 6, 9, 8, 7], [1, 1], [4, 3, 1]]
        others = [[5, 6, 7, 8]] * 2 + [[4, 3]] * 2
        expected = [
            sentence_bleu(own, other, tokenizer="pretokenized").fraction
            for own, other in zip(cut, others, strict=True)
        ]
        assert found.tolist() == expected
        ragged = Ragged.from_padded(samples, pad=0, end_of_sequence=2)
        assert token_rewards(ragged, references, pad=0, end_of_sequence=2).tolist() == expected
        with pytest.raises(LengthMismatchError, match="3 samples for 2 references"):
            token_rewards(samples[:3], references)
        with pytest.raises(SettingsError, match="tokenizer is '13a'; leave it"):
            token_rewards(samples, references, tokenizer="13a")


class Overlap(Metric):
    """The percentage of tokens in common, of tokens that are compared by position."""

    name, identifier, fields, takes_tokens = "Overlap", "overlap", ("equal", "longest"), True

    def _rows_of(self, corpora, *, each):
        pairs = zip(*corpora.systems, corpora.references, strict=True)
        rows = [
            [sum(map(int.__eq__, hypothesis, several[0])), max(len(hypothesis), len(several[0]))]
            for hypothesis, several in pairs
        ]
        return [(np.array(rows, "<i8").tobytes(), 1, 1)]

    def scores(self, rows):
        return 100 * rows[:, 0] / rows[:, 1]


class Distance(Overlap):
    """The opposite: lower is better."""

    name, identifier, higher_is_better = "Distance", "distance", False

    def scores(self, rows):
        return 100 - super().scores(rows)


class Undefined(ExactMatch):
    """Is not a number where there is no match."""

    def scores(self, rows):
        return np.where(rows[:, 0], 100.0, np.nan)


# Metrics of text: those of the registry, and two in Python, one of each direction.
TEXT_METRICS = [*(kind() for kind in METRICS.values()), ExactMatch(), Misses()]

few = st.lists(st.sampled_from(["a", "b", "a b", ""]), min_size=1, max_size=6)


class TestAnyMetric:
    """What takes BLEU takes every other metric, in the direction in which it is better."""

    @usual
    @given(few, st.one_of(st.none(), few))
    def test_every_pair(self, hypotheses, references):
        """Every pair is a sentence, and slices of the hypotheses have rows of the matrix."""
        others = hypotheses if references is None else references
        for metric in TEXT_METRICS:
            expected = [
                [metric.segment(hypothesis, reference).score for reference in others]
                for hypothesis in hypotheses
            ]
            assert pairwise(hypotheses, references, metric=metric).tolist() == expected
            for start in range(len(hypotheses)):
                [row] = pairwise(hypotheses[start : start + 1], others, metric=metric).tolist()
                assert row == expected[start]

    @usual
    @given(st.lists(few, min_size=1, max_size=4), st.data())
    def test_best(self, lists, data):
        """The best sample is the one with the best score, whichever way is up."""
        size = len(lists)
        references = data.draw(st.lists(few, min_size=size, max_size=size))
        streams = [references[0]] * 2
        for metric in TEXT_METRICS:
            found = best_of(lists, references, metric=metric)
            best = max if metric.higher_is_better else min
            for index, (samples, choice) in enumerate(zip(lists, found, strict=True)):
                scores = [metric.segment(text, references[index]).score for text in samples]
                assert choice.scores.tolist() == scores
                assert choice.index == scores.index(best(scores))
                assert choice.sample == samples[choice.index]
        transposed = [[text, text] for text in references[0]]
        streamed = [lists[0]] * len(transposed)
        by_streams = best_of(streamed, reference_streams=streams, metric=Misses())
        assert plain(by_streams) == plain(best_of(streamed, transposed, metric=Misses()))

    @usual
    @given(few, st.one_of(st.none(), few))
    def test_choices(self, samples, references):
        """Every metric chooses the sample with the best mean score, in its direction."""
        pool = samples if references is None else references
        for metric in TEXT_METRICS:
            choice = mbr(samples, pseudo_references=references, metric=metric)
            matrix = [[metric.segment(one, other).score for other in pool] for one in samples]
            assert choice.scores == pytest.approx(np.mean(matrix, axis=1))
            best = max if metric.higher_is_better else min
            assert choice.score == best(choice.scores) == choice.scores[choice.index]

    @pytest.mark.parametrize("name", METRICS)
    def test_names(self, name):
        """A registered name is as good as the metric."""
        metric = METRICS[name]()
        lists, references = [words(1, 3), words(2, 4)], words(3, 2)
        for function in (mbr, best_of, pairwise):
            arguments = [lists, references] if function is best_of else [lists[0]]
            one, other = (function(*arguments, metric=given) for given in (name, metric))
            assert plain(one) == plain(other)
        with pytest.raises(SettingsError, match="metric cannot be combined with lowercase"):
            mbr(lists[0], metric=name, lowercase=True)
        if name != "bleu":
            with pytest.raises(SettingsError, match=f"{re.escape(metric.name)} takes text, not to"):
                token_rewards([[1, 2]], [[1, 2]], metric=name)

    def test_one_metric_after_another(self):
        """Texts that a metric has read are not there for the next one."""
        long, short = "many more words than the next text has", "a"
        expected = {name: pairwise([short], metric=name).tolist() for name in METRICS}
        for first, second in itertools.permutations(METRICS, 2):
            METRICS[first]().segment(long, long)
            pairwise([long], metric=first)
            assert pairwise([short], metric=second).tolist() == expected[second]

    def test_streams(self):
        """Streams are references the other way round, of text and of tokens."""
        lists = [words(1, 3), words(2, 4)]
        streams = [words(3, 2), words(4, 2)]
        references = list(zip(*streams, strict=True))
        expected = plain(best_of(lists, references))
        assert plain(best_of(lists, reference_streams=iter(map(iter, streams)))) == expected
        split = [[text.split() for text in each] for each in lists]
        tokens = [[text.split() for text in stream] for stream in streams]
        of_tokens = best_of(split, reference_streams=tokens, tokenizer="pretokenized")
        of_texts = best_of(lists, reference_streams=streams, tokenizer="none")
        for found, same in zip(of_tokens, of_texts, strict=True):
            assert (found.index, found.scores.tolist()) == (same.index, same.scores.tolist())
        with pytest.raises(InputTypeError, match=r"reference_streams\[0\]\[0\] is a str"):
            best_of(split, reference_streams=streams, tokenizer="pretokenized")

    def test_one_time_references(self):
        """References that can be read only once are those of every sample of their segment."""
        [found] = best_of([["a b", "b c"]], [iter(["a b", "x"])], metric=ExactMatch())
        assert found.scores.tolist() == [100, 0]

    def test_undefined_scores(self):
        """What is not a number is never the best."""
        lists, references = [["x", "a", "y"]], ["a"]
        [found] = best_of(lists, references, metric=Undefined())
        assert (found.index, found.sample) == (1, "a")
        assert mbr(["x", "a"], pseudo_references=["a"], metric=Undefined()).index == 1

    def test_a_bleu(self):
        """A Bleu, its name, and its settings are one choice."""
        lines, others = words(1, 5), words(2, 5)
        bleu = Bleu(max_order=2, lowercase=True)
        chosen = {"max_order": 2, "lowercase": True}
        assert (pairwise(lines, metric=bleu) == pairwise(lines, **chosen)).all()
        assert (pairwise(lines, metric="bleu") == pairwise(lines)).all()
        for method in ("exact", "aggregated"):
            one = mbr(lines, method=method, metric=bleu)
            assert (one.scores == mbr(lines, method=method, **chosen).scores).all()
        lists = [[line, line[::-1]] for line in lines]
        one, other = (best_of(lists, others, **how) for how in ({"metric": bleu}, chosen))
        assert plain(one) == plain(other)
        nltk = Bleu(smoothing="method1", phantom_ngrams=True)
        for metric in (nltk, "bleu"):
            assert self_bleu(lines, metric=metric).to_dict() == self_bleu(lines).to_dict()
        ids, expected = [[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 6]]
        for metric in (Bleu(tokenizer="pretokenized"), "bleu"):
            assert token_rewards(ids, expected, metric=metric) == token_rewards(ids, expected)

    def test_tokens(self):
        """A metric of tokens gets tokens; rewards are fractions, the higher the better."""
        table = [[1, 2, 3, 4], [1, 2, 0, 0], [4, 3, 2, 1], [7, 7, 7, 0]]
        references = [[1, 2, 3, 4], [7, 7, 0, 0]]
        found = token_rewards(table, references, pad=0, metric=Overlap())
        assert found.tolist() == pytest.approx([1, 0.5, 0, 2 / 3])
        found = token_rewards(table, references, pad=0, metric=Distance())
        assert found.tolist() == pytest.approx([0, -0.5, -1, -1 / 3])
        assert str(found[0]) == "0.0"
        ragged = Ragged.from_padded(table, pad=0)
        lists = [tokens.tolist() for tokens in ragged.split("ids")]
        matrix = pairwise(lists, metric=Overlap())
        assert (pairwise(ragged, metric=Overlap()) == matrix).all()
        assert (matrix.diagonal() == 100).all()
        for samples in (lists, ragged):
            assert list(mbr(samples, metric=Overlap()).sample) == [1, 2, 3, 4]
        for samples in ([lists, lists], [ragged, ragged]):
            choices = mbr(samples, metric=Distance())
            assert [list(choice.sample) for choice in choices] == [[1, 2, 3, 4]] * 2
            assert json.dumps([choice.to_dict() for choice in choices])

    def test_ragged_samples(self):
        """A source may be a ragged array, of BLEU as well."""
        ragged = Ragged.from_padded([[1, 2, 3, 0], [1, 2, 3, 4], [9, 9, 0, 0]], pad=0)
        lists = [tokens.tolist() for tokens in ragged.split("ids")]
        expected = mbr(lists, tokenizer="pretokenized")
        for choice in (
            mbr(ragged, tokenizer="pretokenized"),
            *mbr([ragged, ragged], tokenizer="pretokenized"),
        ):
            assert choice.to_dict() == expected.to_dict()
        [found] = best_of([ragged], [[1, 2, 3, 4]], tokenizer="pretokenized")
        assert found.index == 1

    def test_identity(self):
        """Results hold arrays, so they are equal to themselves alone, and can be keys."""
        for make in (
            lambda: mbr(["a", "b"]),
            lambda: best_of([["a"]], ["a"])[0],
        ):
            one, other = make(), make()
            assert one != other
            assert len({one, other, one}) == 2
            assert one.to_dict() == other.to_dict()
            with pytest.raises(AttributeError, match="immutable"):
                one.scores = None


class TestCommand:
    """``truebleu mbr``."""

    SAMPLES = (words(1, 5), words(2, 4), words(3, 1))

    def run(self, capsys, tmp_path, content, *options):
        """Choose from a file."""
        (tmp_path / "nbest").write_text(content, "utf-8")
        code = main(["mbr", str(tmp_path / "nbest"), *options])
        done = capsys.readouterr()
        return code, done.out, done.err

    def content(self, form, weights=False):
        """Write the samples down."""
        lines = []
        for key, own in enumerate(self.SAMPLES):
            for index, text in enumerate(own):
                record = {"key": key, "text": text, **({"weight": index + 1} if weights else {})}
                lines.append(
                    {
                        "jsonl": json.dumps(record),
                        "tsv": f"{key}\t{text}",
                        "moses": f"{key} ||| {text} ||| LM= -1.5 ||| -3.2",
                    }[form]
                )
        return "".join(f"{line}\n" for line in lines)

    def test_choices_come_while_samples_do(self):
        """The choice of a source is printed before the samples of the next one have ended."""
        command = [sys.executable, "-m", "truebleu", "mbr", "--input-format", "tsv"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            # What would wait for ever is ended.
            watch = threading.Timer(30, process.kill)
            watch.start()
            process.stdin.write("0\ta b c\n0\ta b\n0\ta b c\n1\tx\n")
            process.stdin.flush()
            first = process.stdout.readline()
            watch.cancel()
            assert process.communicate("1\tx\n")[0] == "x\n"
        assert first == "a b c\n"

    @pytest.mark.parametrize("form", ["jsonl", "tsv", "moses"])
    def test_formats(self, capsys, tmp_path, form):
        """The choices are those of the library, whatever the format."""
        expected = [mbr(own) for own in self.SAMPLES]
        content = self.content(form)
        assert self.run(capsys, tmp_path, content, "--input-format", form) == (
            0,
            "".join(f"{choice.sample}\n" for choice in expected),
            "",
        )
        options = ("--input-format", form, "--format", "jsonl")
        out = self.run(capsys, tmp_path, content.rstrip("\n"), *options)[1]
        found = [json.loads(line) for line in out.splitlines()]
        assert found == [
            {"key": str(key), **choice.to_dict()} for key, choice in enumerate(expected)
        ]

    def test_options(self, capsys, tmp_path):
        """Weights, the method and the settings reach the library."""
        out = self.run(
            *(capsys, tmp_path, self.content("jsonl", weights=True), "--format", "jsonl"),
            *("--method", "aggregated", "--max-order", "2", "--smoothing", "floor"),
        )[1]
        for line, own in zip(out.splitlines(), self.SAMPLES, strict=True):
            weights = list(range(1, len(own) + 1))
            choice = mbr(own, weights=weights, method="aggregated", max_order=2, smoothing="floor")
            assert json.loads(line)["scores"] == choice.scores.tolist()

    @pytest.mark.parametrize(
        ("form", "content", "message"),
        [
            ("jsonl", '{"key": 1}\n', "line 1: an object with"),
            ("jsonl", '{"key": 1, "text": "a"}\nnonsense\n', "line 2: not JSON: Expecting"),
            ("jsonl", '{"key": 1, "text": 3}\n', '"text" must be a string'),
            pytest.param("jsonl", "[" * 100_000, "line 1: not JSON: maximum rec", id="deep"),
            (
                "jsonl",
                '{"key": 1, "text": "a", "weight": 1}\n{"key": 1, "text": "b"}\n',
                "source 1: some samples have a weight",
            ),
            ("tsv", "a\n", "line 1: a key, a tab and a text"),
            ("moses", "a ||| b\nc\n", "line 2: number ||| text"),
        ],
    )
    def test_bad_lines(self, capsys, tmp_path, form, content, message):
        """A line that cannot be read is named."""
        code, _, error = self.run(capsys, tmp_path, content, "--input-format", form)
        assert code == 2
        assert message in error

    def test_long_lines(self, capsys, tmp_path, monkeypatch):
        """A line may be longer than what is read at once, but has a limit."""
        content = f"0\ta\n0\t{'a ' * 600_000}\n"
        options = ("--input-format", "tsv")
        assert self.run(capsys, tmp_path, content, *options)[::2] == (0, "")
        monkeypatch.setenv("TRUEBLEU_MAX_LINE", "1000000")
        code, _, error = self.run(capsys, tmp_path, content, *options)
        assert code == 2
        assert "line 2 has more than 1000000 bytes" in error


class TestInterrupts:
    """Ctrl-C is heard in between."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "call",
        [
            "pairwise([line + str(i) for i in range(20_000)])",
            "pairwise([line + str(i) for i in range(20_000)], metric=ExactMatch())",
            # A single matrix, which takes half a minute.
            "pairwise([str(list(range(i % 2, 200))) for i in range(4_096)], metric='chrf++')",
            "mbr([[line + str(i % 50) for i in range(300)]] * 100_000)",
            "self_bleu([line + str(i) for i in range(3_000_000)])",
        ],
    )
    def test_ctrl_c(self, call):
        """A long call ends soon."""
        script = (
            f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n"
            "from toy_metrics import ExactMatch\n"
            "from truebleu import mbr, pairwise, self_bleu\n"
            "line = 'the quick brown fox jumps over the lazy dog and runs far away '\n"
            f"print('ready', flush=True)\nwhile True: {call}\n"
        )
        assert is_soon_interrupted(script, 1.5, 8)
