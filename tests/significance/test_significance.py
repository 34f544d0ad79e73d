"""Chance, measured: against all swaps there are, against formulas."""

import html
import json
import math
import re
import warnings
from fractions import Fraction
from itertools import accumulate, combinations, product
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from looping import looped
from project import DATA, ROOT
from truebleu import (
    Bleu,
    BleuStats,
    SegmentScores,
    SettingsWarning,
    SmallSampleWarning,
    StatsMismatchError,
    UnknownNameError,
    compare,
    confidence_interval,
    report,
)
from truebleu.cli import main
from truebleu.display import formats, markup
from truebleu.display.formats import FORMATS
from truebleu.significance import inference, results
from truebleu.significance.resampling import Resampler

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings(
        "ignore:.* (equals? a reference in all|is higher|times as long as):truebleu.SettingsWarning"
    ),
]

NEWSTEST = DATA / "newstest2021" / "en-de"

WORDS = ["the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug"]


def corpus(seed, segments, systems, noise=0.3):
    """Draw references and what systems make of them."""
    random = Random(seed)
    references = [
        " ".join(random.choice(WORDS) for _ in range(random.randint(4, 12)))
        for _ in range(segments)
    ]

    def corrupt(text, rate):
        return " ".join(
            random.choice(WORDS) if random.random() < rate else word for word in text.split()
        )

    return {
        name: [corrupt(text, noise * (1 + index / 4)) for text in references]
        for index, name in enumerate(systems)
    }, references


def close(one, other):
    """Compare plain values; numbers may differ by rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    return one == other or one == pytest.approx(other, rel=1e-12, abs=1e-12)


def contributions(metric, own, other):
    """Return what each unit adds to the difference of two systems: the definition.

    It is the influence on both scores, and a share of their difference.
    """
    values, shares = 0, 0
    for stats, sign in ((own, 1), (other, -1)):
        table = stats.to_numpy()
        sums = table.sum(axis=0)
        sizes = table.max(axis=1) / table.max(axis=1).sum()
        left = np.array([metric.scores((sums - row)[None])[0] for row in table])
        influences = (metric.scores(sums[None])[0] - left) * np.sqrt(
            (1 - sizes) * (1 - 1 / len(table))
        )
        values = values + sign * (influences - sizes * influences.sum())
        shares = shares + sizes / 2
    return values + shares * (metric.score(own).score - metric.score(other).score)


def all_sums(values):
    """Add up values after each way to change signs; the first is that of the data."""
    return np.array([np.dot(values, signs) for signs in product((1, -1), repeat=len(values))])


class TestRandomization:
    """Swaps: all there are, or many."""

    @examples(deadline=None, max_examples=30)
    @given(st.integers(0, 2**32), st.integers(2, 7), st.booleans())
    def test_all_swaps(self, seed, segments, one_sided):
        """On small corpora the p-value is the share of swaps that are as extreme."""
        systems, references = corpus(seed, segments, "AB")
        pair = compare(
            systems,
            references,
            n_resamples=None,
            alternative="better" if one_sided else "two-sided",
        ).pair("A", "B")
        bleu = Bleu()
        stats = [bleu.stats(system, references) for system in systems.values()]
        rows = [each.to_numpy() for each in stats]
        differ = (rows[0] != rows[1]).any(axis=1)
        # Segments that do not differ are not swapped.
        found = all_sums(contributions(bleu, *stats)[differ])
        if not one_sided:
            found = np.abs(found)
        assert pair.exact
        assert pair.p_value == (found >= found[0] - 1e-8).sum() / len(found)
        assert pair.delta == bleu.score(stats[0]).score - bleu.score(stats[1]).score
        assert pair.differing == differ.sum()
        assert pair.n_trials == 2**pair.differing

    @examples(deadline=None, max_examples=30)
    @given(st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=2, max_size=9), st.booleans())
    def test_averages(self, points, one_sided):
        """Swaps of segment scores are what they are in textbooks, with all ties."""
        metric = SegmentScores("points")
        counted = {
            name: metric.from_scores(column)
            for name, column in zip("AB", zip(*points, strict=True), strict=True)
        }
        how = {"n_resamples": None, "alternative": "better" if one_sided else "two-sided"}
        pair = compare(counted, metric=metric, **how).pairs[0]
        gaps = [one - other for one, other in points if one != other]
        found = all_sums(gaps) if gaps else np.zeros(1)
        if not one_sided:
            found = np.abs(found)
        assert pair.p_value == (found >= found[0]).sum() / len(found)

    @pytest.mark.parametrize("ratios", [(0.7, 1.3), (0.9, 0.9)])
    def test_they_vary_like_test_sets(self, ratios):
        """Differences after swaps have the variance of bootstrap samples, whatever the lengths."""
        random = np.random.default_rng(5)
        reference = random.integers(8, 40, 2000)

        def rows(ratio, ease):
            length = reference + np.sign(ratio - 1).astype(int) * random.binomial(
                reference, abs(ratio - 1)
            )
            totals = [np.maximum(length - order, 0) for order in range(4)]
            matches = [random.binomial(each, ease ** (n + 1)) for n, each in enumerate(totals)]
            return np.column_stack([length, reference, *matches, *totals])

        tables = [rows(ratio, 0.7) for ratio in ratios]
        resampler = Resampler(tables, Bleu(), 7, 2, lambda _: None)
        [one, other] = np.concatenate([*resampler.bootstrap(range(2000), [0, 1])], axis=1)
        influences, shares = resampler.contributions()
        assert influences.sum(axis=1) == pytest.approx(0, abs=1e-9)
        assert shares.sum(axis=1) == pytest.approx(1)
        error = np.sqrt((np.subtract(*influences) ** 2).sum())
        assert error == pytest.approx(np.std(one - other), rel=0.06)

    def test_samples_of_swaps(self):
        """Random swaps come near what all swaps give."""
        systems, references = corpus(3, 12, "AB")
        bleu = Bleu()
        tables = [bleu.stats(system, references).to_numpy() for system in systems.values()]
        resampler = Resampler(tables, bleu, 7, 2, lambda _: None)
        trials = 20_000
        for one_sided in (False, True):
            extreme, ways = resampler.permute(0, 1, one_sided=one_sided)
            [counted] = resampler.randomize([(0, 1)], range(trials), one_sided=one_sided)
            share = extreme / ways
            assert 0 < share < 1
            error = math.sqrt(share * (1 - share) / trials)
            assert abs(counted / trials - share) < 4 * error

    def test_identical_systems(self):
        """Nothing differs: p is 1, and the interval of the difference is a point."""
        systems, references = corpus(1, 60, "A")
        for test in ("approximate-randomization", "bootstrap"):
            found = compare({"A": systems["A"], "B": systems["A"]}, references, test=test)
            pair = found.pair("A", "B")
            assert (pair.p_value, pair.p_adjusted, pair.delta, pair.differing) == (1, 1, 0, 0)
            assert (pair.interval.low, pair.interval.high) == (0, 0)
            assert found.clusters == (("A", "B"),)

    def test_many_segments_may_differ(self):
        """The number of their swaps is more than a float can hold."""
        references = ["a b c d e"] * 1100
        others = {"A": ["a b c d x"] * 1100, "B": ["a b c x y"] * 1100}
        pair = compare(others, references, n_trials=99, n_resamples=None).pair("A", "B")
        assert (pair.differing, pair.p_value, pair.exact) == (1100, 0.01, False)

    def test_the_smallest_p_value(self):
        """A sampled p-value counts the observed difference as one of the possible ones."""
        systems, references = corpus(2, 100, "A")
        pair = compare({"A": references, "B": systems["A"]}, references, n_trials=99).pair("A", "B")
        assert (pair.p_value, pair.exact, pair.n_trials) == (0.01, False, 99)


class TestComparisons:
    """What ``compare`` returns."""

    SYSTEMS, REFERENCES = corpus(5, 120, ("first", "second", "third", "fourth"))

    def test_the_result_depends_on_nothing_else(self):
        """Neither threads nor the order of systems nor pieces change it; the seed does."""
        one = compare(self.SYSTEMS, self.REFERENCES, n_trials=300, n_resamples=200, threads=1)
        assert (
            compare(self.SYSTEMS, self.REFERENCES, n_trials=300, n_resamples=200, threads=5) == one
        )
        turned = dict(reversed(self.SYSTEMS.items()))
        other = compare(turned, self.REFERENCES, n_trials=300, n_resamples=200)
        assert close(other.pair("first", "third").to_dict(), one.pair("first", "third").to_dict())
        assert dict(other.systems) == dict(one.systems)
        reseeded = compare(self.SYSTEMS, self.REFERENCES, n_trials=300, n_resamples=200, seed=0)
        assert reseeded.pair("first", "second").interval != one.pair("first", "second").interval
        again = compare(self.SYSTEMS, self.REFERENCES, n_trials=300, n_resamples=200, seed=0)
        assert again == reseeded

    def test_a_new_seed(self):
        """None is a new seed each time, and the signature names it."""
        found = [
            compare(self.SYSTEMS, self.REFERENCES, n_trials=200, n_resamples=20, seed=None)
            for _ in range(2)
        ]
        assert found[0].signature != found[1].signature
        seed = int(found[0].signature.split("|seed:")[1].split("|")[0])
        again = compare(self.SYSTEMS, self.REFERENCES, n_trials=200, n_resamples=20, seed=seed)
        assert again == found[0]

    def test_pairs(self):
        """All pairs, in both directions; a baseline leaves the others out."""
        found = compare(self.SYSTEMS, self.REFERENCES, n_trials=200, n_resamples=100)
        names = list(self.SYSTEMS)
        assert [(pair.one, pair.other) for pair in found.pairs] == list(combinations(names, 2))
        pair, turned = found.pair("first", "third"), found.pair("third", "first")
        assert turned.delta == -pair.delta
        assert (turned.interval.low, turned.interval.high) == (
            -pair.interval.high,
            -pair.interval.low,
        )
        assert turned.p_value == pair.p_value
        found = compare(self.SYSTEMS, self.REFERENCES, baseline="second", n_resamples=None)
        assert [(pair.one, pair.other) for pair in found.pairs] == [
            (name, "second") for name in names if name != "second"
        ]
        assert found.clusters is None
        assert found.pair("second", "first").delta == -found.pair("first", "second").delta
        with pytest.raises(UnknownNameError, match="first and third were not tested"):
            found.pair("first", "third")

    def test_one_sided(self):
        """Only the first of a pair can be better, and a pair has one direction."""
        both = compare(self.SYSTEMS, self.REFERENCES, n_resamples=None)
        one = compare(self.SYSTEMS, self.REFERENCES, n_resamples=None, alternative="better")
        for pair in one.pairs:
            if pair.delta > 0:
                assert pair.p_value <= both.pair(pair.one, pair.other).p_value
        worst, best = "fourth", "first"
        turned = compare(
            {name: self.SYSTEMS[name] for name in (worst, best)},
            self.REFERENCES,
            n_resamples=None,
            alternative="better",
        )
        assert turned.pair(worst, best).p_value > 0.9
        with pytest.raises(UnknownNameError, match="in this direction"):
            turned.pair(best, worst)

    def test_clusters(self):
        """A line needs all pairs across to be significant, and is drawn wherever they are."""
        found = compare(self.SYSTEMS, self.REFERENCES)
        groups = found.clusters
        assert [name for group in groups for name in group] == [
            system.name for system in found.ranked()
        ]
        for above, below in combinations(range(len(groups)), 2):
            for one, other in product(groups[above], groups[below]):
                assert found.pair(one, other).significant
        twins = {"a": self.SYSTEMS["first"], "b": self.SYSTEMS["first"], "c": ["x"] * 120}
        assert compare(twins, self.REFERENCES).clusters == (("a", "b"), ("c",))

    def test_statistics_instead_of_text(self):
        """Rows that have been counted are as good as text."""
        bleu = Bleu(tokenizer="char", max_order=2)
        counted = {name: bleu.stats(own, self.REFERENCES) for name, own in self.SYSTEMS.items()}
        settings = {"tokenizer": "char", "max_order": 2, "n_trials": 200, "n_resamples": 50}
        assert compare(counted, **settings) == compare(self.SYSTEMS, self.REFERENCES, **settings)
        with pytest.raises(StatsMismatchError):
            compare(counted)

    def test_documents(self):
        """Documents are units: the same as a corpus of which each segment is a document."""
        documents = [f"d{index // 3}" for index in range(120)]
        found = compare(
            self.SYSTEMS, self.REFERENCES, documents=documents, n_trials=200, n_resamples=50
        )
        assert found.units == "documents"
        assert "|units:documents|" in found.signature
        bleu = Bleu()
        grouped = {
            name: BleuStats.join(
                [
                    bleu.stats(own, self.REFERENCES)[start : start + 3].sum()
                    for start in range(0, 120, 3)
                ]
            )
            for name, own in self.SYSTEMS.items()
        }
        other = compare(grouped, n_trials=200, n_resamples=50)
        assert other.pairs == found.pairs
        assert dict(other.systems) == dict(found.systems)
        scattered = Random(1).sample(range(120), 120)
        shuffled = compare(
            {name: [own[index] for index in scattered] for name, own in self.SYSTEMS.items()},
            [self.REFERENCES[index] for index in scattered],
            documents=[documents[index] for index in scattered],
            n_resamples=None,
        )
        assert shuffled.pair("first", "second").differing <= 40

    def test_signature(self):
        """It says what the numbers depend on, and still makes a Bleu."""
        found = compare(self.SYSTEMS, self.REFERENCES, n_trials=200, n_resamples=60, max_order=2)
        assert "|ar:200|alpha:0.05|bs:60|ci:bca-0.95|seed:12345|version:" in found.signature
        with pytest.warns(SettingsWarning, match="describes an interval or a significance test"):
            bleu = Bleu.from_signature(found.signature)
        assert bleu == Bleu(max_order=2, effective_order=False)

    @pytest.mark.parametrize("alpha", [0.01, 0.05, 0.4, 1e-07])
    def test_level_of_intervals(self, alpha):
        """It is 1 - alpha unless it is given."""
        pair = {name: self.SYSTEMS[name] for name in ("first", "second")}
        how = {"n_trials": 20, "n_resamples": 20, "alpha": alpha}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            found = compare(pair, self.REFERENCES, **how)
            assert Fraction(repr(found.confidence_level)) == 1 - Fraction(repr(alpha))
            assert "100% CI" not in str(found)
            given = compare(pair, self.REFERENCES, **how, confidence_level=0.9)
            assert given.confidence_level == given.pairs[0].interval.confidence_level == 0.9

    @pytest.mark.parametrize("differing", [(5, 5), (5, 40), (40, 40)])
    def test_exact_tests_are_called_exact(self, differing):
        """In the signature and the text; approximate randomization is what drew swaps."""
        references = ["a b c d e"] * 40
        systems = {"best": references}
        for number, count in enumerate(differing):
            systems[f"s{number}"] = ["a b c d x"] * count + references[count:]
        found = compare(
            systems, references, baseline="best", n_trials=100, n_resamples=None, alpha=0.1
        )
        exact = sum(count <= 20 for count in differing)
        assert sum(pair.exact for pair in found.pairs) == exact
        for text in str(found), found.to_markdown(), markup.latex(found.blocks()):
            assert ("approximate randomization" in text) == (exact < 2)
            assert ("exact paired" in text or "exact for" in text) == (exact > 0)
        assert ("|ar:100|" in found.signature) == (exact < 2)
        assert (f"|exact:{exact}|" in found.signature) == (exact > 0)
        assert (
            found.test_description
            == {
                0: "paired approximate randomization",
                1: "paired approximate randomization, exact for 1 of 2 pairs",
                2: "exact paired randomization",
            }[exact]
        )

    def test_detectable(self):
        """It is the difference that one test finds four times in five, before any correction."""
        pair = compare(self.SYSTEMS, self.REFERENCES).pair("first", "fourth")
        error = pair.interval.error
        assert pair.detectable == pytest.approx(
            error * (NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8))
        )
        # Of six tests, the first step of Holm's method is at a sixth of alpha.
        assert pair.detectable_adjusted == pytest.approx(
            error * (NormalDist().inv_cdf(1 - 0.025 / 6) + NormalDist().inv_cdf(0.8))
        )
        one_sided = inference.needed_errors(0.05, 0.8, one_sided=True)
        assert one_sided == pytest.approx(NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8))


# As they are written, and exactly.
ALPHAS = [
    (0.1, Fraction(1, 10)),
    (0.05, Fraction(1, 20)),
    (0.01, Fraction(1, 100)),
    (0.001, Fraction(1, 1000)),
]


class TestTrials:
    """As many as the tests need; and where they are too few, nothing is concluded from that."""

    SYSTEMS, REFERENCES = corpus(5, 60, ("one", "two", "three", "four"), noise=0.9)

    @given(st.integers(1, 5000), st.sampled_from([0.5, 0.1, 0.05, 0.01, 0.001]))
    def test_enough(self, tests, given_alpha):
        """The smallest p-value, corrected, is a twentieth of alpha; 10,000 trials are the least.

        For more tests than all pairs of 45 systems have, it is a quarter.
        """
        trials = inference.enough_trials(tests, given_alpha)
        alpha = Fraction(str(given_alpha))
        part = 20 if tests <= 990 else 4
        assert trials >= 10_000
        assert Fraction(tests, trials) <= alpha / part
        assert trials == 10_000 or Fraction(tests, trials - 1) > alpha / part

    @pytest.mark.parametrize(("written", "alpha"), ALPHAS)
    def test_fewest(self, written, alpha):
        """With that many trials the smallest p-value of m tests is below alpha; with 1 less not."""
        for tests in range(1, 51):
            fewest = inference.fewest_trials(tests, written)
            for trials in range(fewest - 2, fewest + 3):
                smallest = Fraction(tests, trials + 1)
                assert (smallest < alpha) == (trials >= fewest)

    @pytest.mark.parametrize(("written", "alpha"), ALPHAS)
    def test_significant(self, written, alpha, monkeypatch):
        """A difference is significant exactly if p < alpha: without rounding, on both sides of it.

        Of m + 1 systems one is compared with the others, and all tests are at the floor.
        """
        monkeypatch.setattr(
            Resampler, "randomize", lambda _, pairs, trials, one_sided: [0 for _ in pairs]
        )
        references = ["a b c d e"] * 30
        for tests in range(1, 51):
            bleu = Bleu()
            good, bad = (bleu._count_stats([text] * 30, references) for text in ("a b", "x y"))
            counted = {"good": good, **{f"bad {number}": bad for number in range(tests)}}
            fewest = int(tests / alpha)
            for trials in (fewest - 1, fewest):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", SettingsWarning)
                    found = compare(
                        counted, baseline="good", n_trials=trials, alpha=written, n_resamples=None
                    )
                expected = Fraction(tests, trials + 1) < alpha
                assert expected == (trials == fewest)
                assert {pair.significant for pair in found.pairs} == {expected}
                assert len(found.undecided) == (0 if expected else tests)
                said = [str(each.message) for each in caught]
                assert len(said) == (0 if expected else 1)
                assert all(f" at least {fewest:,} trials, " in each for each in said)
                styles = {style for style, _ in found.blocks()[1].rows}
                assert styles == {"good" if expected else ""}

    @pytest.mark.parametrize(("written", "alpha"), ALPHAS)
    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_lines_and_stars(self, written, alpha, test):
        """Where p is alpha there is no line between two systems, nor a star in the report."""
        references = [f"a b c d {number}" for number in range(40)]
        systems = {"good": [f"a b c d {number + 1}" for number in range(40)], "bad": ["x"] * 40}
        edge = int(1 / alpha) - 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            for trials, groups in ((edge, None), (edge + 1, (("good",), ("bad",)))):
                how = {"n_trials": trials, "alpha": written, "n_resamples": None}
                found = compare(systems, references, test=test, **how)
                assert found.clusters == groups
                html = report(systems, references, **how).to_html()
                assert html.count('class="sure"') == (0 if groups is None else 1)
                assert ("Its lead over bad is statistically significant" in html) == bool(groups)

    @examples(deadline=None, max_examples=20)
    @given(st.integers(1, 4), st.integers(2, 21), st.booleans())
    def test_few_units(self, differing, denominator, one_sided):
        """A warning comes exactly if the smallest p-value of all swaps is not below alpha."""
        alpha = 1 / denominator
        references = ["a b c d e"] * 30
        systems = {"a": references, "b": ["x"] * differing + references[differing:]}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SmallSampleWarning)
            compare(
                systems,
                references,
                alpha=alpha,
                alternative="better" if one_sided else "two-sided",
                n_resamples=None,
            )
        smallest = Fraction(1 if one_sided else 2, 2**differing)
        expected = smallest >= Fraction(repr(alpha))
        said = f"differ in {differing} of 30 segments, so no p-value below"
        assert any(said in str(each.message) for each in caught) == expected

    @pytest.mark.parametrize(("trials", "verb"), [(1, "trial is"), (2, "trials are")])
    def test_one_trial(self, trials, verb):
        """One trial is one."""
        with pytest.warns(SettingsWarning, match=f"^{trials} {verb} too few for 6 tests: "):
            compare(self.SYSTEMS, self.REFERENCES, n_trials=trials, n_resamples=None)

    def test_numbers_of_numpy(self):
        """They are as good as Python's, and give the same signature."""
        how = {"n_trials": 100, "n_resamples": 50, "seed": 7}
        how |= {"confidence_level": 0.9, "alpha": 0.1}
        kinds = {"n_trials": np.int64, "n_resamples": np.uint8, "seed": np.uint64}
        given_ = {name: kinds.get(name, np.float64)(value) for name, value in how.items()}
        assert compare(self.SYSTEMS, self.REFERENCES, **given_) == compare(
            self.SYSTEMS, self.REFERENCES, **how
        )

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    @pytest.mark.parametrize("baseline", [None, "two"])
    def test_they_follow_from_tests_and_alpha(self, test, baseline):
        """Tests can be significant at an alpha of 0.0005, though 10,000 trials would not do."""
        found = compare(
            {**self.SYSTEMS, "best": self.REFERENCES},
            self.REFERENCES,
            test=test,
            alpha=0.0005,
            baseline=baseline,
            n_resamples=None,
        )
        tests = 10 if baseline is None else 4
        assert len(found.pairs) == tests
        expected = 40_000 * tests
        assert {pair.n_trials for pair in found.pairs} <= {10_000, 40_000, 160_000, expected}
        assert found.undecided == ()
        pair = found.pair("best", "two")
        assert (pair.at_floor, pair.significant) == (True, True)
        kind = "ar" if test == "approximate-randomization" else "bt"
        assert f"|{kind}:{expected}|stop:500|" in found.signature
        with pytest.warns(SettingsWarning, match="describes an interval or a significance test"):
            bleu = Bleu.from_signature(found.signature)
        assert bleu == Bleu(effective_order=False)

    def test_the_default_is_a_number_that_can_be_given(self):
        """Naming the number of trials that was chosen changes nothing."""
        for test in ("approximate-randomization", "bootstrap"):
            chosen = compare(self.SYSTEMS, self.REFERENCES, test=test, n_resamples=50)
            given_ = compare(
                self.SYSTEMS, self.REFERENCES, test=test, n_resamples=50, n_trials=10_000
            )
            assert chosen == given_

    def test_intervals_do_not_depend_on_the_test(self):
        """They come from the first samples, however many more the test needs, in any pieces."""
        swapped = compare(self.SYSTEMS, self.REFERENCES, n_resamples=150)
        drawn = compare(self.SYSTEMS, self.REFERENCES, n_resamples=150, test="bootstrap")
        assert dict(drawn.systems) == dict(swapped.systems)
        assert [pair.interval for pair in drawn.pairs] == [pair.interval for pair in swapped.pairs]
        fewer = compare(
            self.SYSTEMS, self.REFERENCES, n_resamples=150, test="bootstrap", n_trials=140
        )
        assert dict(fewer.systems) == dict(swapped.systems)

    @pytest.mark.parametrize("samples", [None, 100, 500])
    @pytest.mark.parametrize("one_sided", [False, True])
    def test_the_bootstrap_test(self, samples, one_sided, monkeypatch):
        """It counts samples that differ from the difference as much as that does from 0."""
        monkeypatch.setattr(
            "truebleu.significance.resampling._SCORES", 100
        )  # Pieces of 25 samples.
        found = compare(
            self.SYSTEMS,
            self.REFERENCES,
            test="bootstrap",
            n_resamples=samples,
            n_trials=310,
            alternative="better" if one_sided else "two-sided",
        )
        bleu = Bleu()
        tables = [bleu.stats(own, self.REFERENCES).to_numpy() for own in self.SYSTEMS.values()]
        resampler = Resampler(tables, bleu, 12345, 2, lambda _: None)
        drawn = np.concatenate(list(resampler.bootstrap(range(310), [0, 1, 2, 3])), axis=1)
        for number, pair in enumerate(found.pairs):
            one, other = list(combinations(range(4), 2))[number]
            gaps = drawn[one] - drawn[other] - pair.delta
            if one_sided:
                extreme = np.count_nonzero(gaps >= pair.delta - 1e-10)
            else:
                extreme = np.count_nonzero(np.abs(gaps) >= abs(pair.delta) - 1e-10)
            assert (pair.p_value, pair.n_trials) == ((extreme + 1) / 311, 310)
            assert pair.at_floor == (extreme == 0)

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_too_few(self, test):
        """A warning says what it takes, and nothing is said of pairs that are undecided."""
        systems = {**self.SYSTEMS, "best": [*self.REFERENCES[:-1], "another one"]}
        message = (
            "150 trials are too few for 10 tests: the smallest possible Holm-adjusted p-value is "
            "0.0662, not below alpha = 0.05; use at least 200 trials, preferably 10,000"
        )
        with pytest.warns(SettingsWarning, match=message) as caught:
            found = compare(systems, self.REFERENCES, n_trials=150, test=test)
        assert sum("trials" in str(each.message) for each in caught) == 1
        assert found.clusters is None
        assert found.undecided
        assert all(pair.p_adjusted == pytest.approx(10 / 151) for pair in found.undecided)
        plain = found.to_dict()
        assert plain["clusters"] is None
        assert plain["undecided"] == [[pair.one, pair.other] for pair in found.undecided]
        text = str(found)
        assert "undecided: with so few trials, adjusted p cannot be below alpha" in text
        assert " 0.0066†" in text
        assert "cluster" not in text
        with warnings.catch_warnings():
            warnings.simplefilter("error", SettingsWarning)
            assert compare(systems, self.REFERENCES, n_trials=200, test=test).clusters is not None

    def test_a_floor_is_no_bound(self):
        """Where no trial is extreme, p can be below that of all swaps, so nothing says at most."""
        references = ["a b c d e"] * 22
        one = [*["a b c d e"] * 14, *["a b c d x"] * 8]
        other = [*["a b c d x"] * 14, *["a b c d e"] * 8]
        # The share of all swaps of 22 segments that are as extreme, by symmetry: those with at most
        # 8 or at least 14 on one side.
        p_value = 2 * sum(math.comb(22, count) for count in range(9)) / 2**22
        assert p_value > 1 / 5
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            found = [
                compare({"a": one, "b": other}, references, n_trials=5, n_resamples=None, seed=seed)
                for seed in range(60)
            ]
        below = [each for each in found if each.pairs[0].at_floor]
        assert below
        for each in below:
            assert each.pairs[0].p_value < p_value
            assert "≤" not in str(each) + repr(each.pairs[0]) + each.to_html()

    def test_exact_tests_have_no_floor(self):
        """Where all swaps are counted, the number of trials does not matter."""
        systems, references = corpus(3, 30, "ABCDEFGH")
        systems = {name: [*own[:12], *references[12:]] for name, own in systems.items()}
        with warnings.catch_warnings():
            warnings.filterwarnings("error", ".*too few", SettingsWarning)
            found = compare(systems, references, n_trials=1, n_resamples=None)
        assert {pair.exact for pair in found.pairs} == {True}
        assert not any(pair.at_floor or pair.adjusted_at_floor for pair in found.pairs)
        assert "†" not in str(found)

    @given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=12))
    def test_adjusted_floors(self, counts):
        """An adjusted p-value is at its floor if smaller p-values there could make it smaller."""
        trials = 200
        p_values = [
            Fraction(count + 1, trials + 1) if sampled else Fraction(count + 1, 512)
            for count, sampled in counts
        ]
        at_floor = [count == 0 and sampled for count, sampled in counts]
        floors = inference.adjusted_floors(p_values, at_floor)
        adjusted = inference.holm(p_values)
        least = inference.holm(
            [
                Fraction(1, trials + 1) if sampled else p_value
                for p_value, (_, sampled) in zip(p_values, counts, strict=True)
            ]
        )
        smaller = inference.holm(
            [Fraction(0) if floor else p for p, floor in zip(p_values, at_floor, strict=True)]
        )
        for index, is_floor in enumerate(floors):
            assert is_floor == (smaller[index] < adjusted[index])
            assert is_floor or not at_floor[index]
            if is_floor:
                # However few trials had been extreme, it would not have been smaller.
                assert adjusted[index] == least[index]
        if not any(at_floor):
            assert not any(floors)

    @examples(deadline=None, max_examples=20)
    @given(st.integers(1, 5), st.integers(1, 3), st.integers(1, 40))
    def test_identical_among_others(self, twins, others, trials):
        """The p-value of two identical systems is 1, and decided, whatever the others are."""
        references = ["a b c d e"] * 40
        systems = {f"twin {number}": ["a b c d x"] * 40 for number in range(twins + 1)}
        systems |= {
            f"other {number}": ["a b x d"] * (40 - number) + ["x"] * number
            for number in range(others)
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            found = compare(systems, references, n_trials=trials, n_resamples=None)
        for pair in found.pairs:
            if pair.one.startswith("twin") and pair.other.startswith("twin"):
                assert (pair.p_adjusted, pair.adjusted_at_floor) == (1, False)
                assert pair not in found.undecided

    def test_every_format_marks_floors(self):
        """Formats for people have a mark and what it means, those for programs a field."""
        systems = {"good": self.REFERENCES, "bad": self.SYSTEMS["four"]}
        found = compare(systems, self.REFERENCES, n_trials=1000)
        assert "  0.0010†" in str(found)
        assert "| 0.0010† |" in found.to_markdown()
        assert "<td>0.0010†</td>" in found.to_html()
        assert r"& 0.0010\textdagger{} &" in markup.latex(found.blocks())
        for text in str(found), found.to_markdown(), found.to_html():
            assert "†: the smallest p that this number of trials can give" in text
        header, row = [
            line.split("\t")
            for line in formats.tsv(found.blocks(plain=True)).splitlines()
            if line.startswith(("pair", "good - bad"))
        ]
        cells = dict(zip(header, row, strict=True))
        assert float(cells["p"]) == float(cells["p adjusted"]) == 0.001
        assert cells["p at floor"] == cells["p adjusted at floor"] == "yes"
        [pair] = found.to_dict()["pairs"]
        assert (pair["p_value"], pair["at_floor"]) == (1 / 1001, True)
        assert (pair["p_adjusted"], pair["adjusted_at_floor"]) == (1 / 1001, True)

    @pytest.mark.slow
    def test_many_systems(self):
        """With 528 tests, which 10,000 trials cannot decide, large differences are significant."""
        systems, references = corpus(8, 60, [f"s{number}" for number in range(33)], noise=0.1)
        found = compare(systems, references, n_resamples=None)
        assert max(pair.n_trials for pair in found.pairs) == 211_200
        assert found.pair("s0", "s32").p_adjusted < 0.05
        assert sum(pair.p_adjusted < 0.05 for pair in found.pairs) > 100


def drawn_pairs(data, count):
    """Draw a table of p-values of all pairs of systems, which are ranked as they are numbered."""
    names = [f"s{number}" for number in range(count)]
    # Some tables are significant nearly everywhere, some nowhere.
    share = data.draw(st.sampled_from([1, 2, 5, 20]))
    pairs = []
    for one, other in combinations(names, 2):
        p_value = 0.01 if data.draw(st.integers(0, share)) else 0.5
        flipped = data.draw(st.booleans())
        pair = compare(*ONE_PAIR, n_resamples=None, n_trials=19).pairs[0]
        pairs.append(
            pair.replace(
                one=other if flipped else one,
                other=one if flipped else other,
                p_value=p_value,
                p_adjusted=p_value,
                significant=p_value < 0.05,
            )
        )
    return names, tuple(pairs)


ONE_PAIR = ({"a": ["a b c d"] * 2, "b": ["a b c d"] * 2}, ["a b c d"] * 2)


def assert_lines_are_right(names, groups, significant):
    """There is a line if, and only if, all above it are significantly better than all below it."""
    assert [name for group in groups for name in group] == names
    ends = set(accumulate(map(len, groups)))
    for place in range(1, len(names)):
        across = all(significant(one, other) for one in names[:place] for other in names[place:])
        assert (place in ends) == across


class TestClusters:
    """What is said of lines between systems is true."""

    @examples(deadline=None, max_examples=60)
    @given(st.data(), st.integers(1, 9))
    def test_drawn_tables(self, data, count):
        """Whatever the p-values, lines are where they are said to be, and nowhere else."""
        names, pairs = drawn_pairs(data, count)
        adjusted = {frozenset((pair.one, pair.other)): pair.p_adjusted for pair in pairs}
        groups = results.clusters_of(
            names, [(pair.one, pair.other) for pair in pairs if not pair.significant]
        )
        assert_lines_are_right(
            names, groups, lambda one, other: adjusted[frozenset((one, other))] < 0.05
        )

    def test_differences_inside(self):
        """They are mentioned where there are some."""
        names = ("system-strong", "system-medium", "system-weak", "reference-a")
        strong, medium, weak, references = (
            (ROOT / "examples" / f"{name}.en").read_text("utf-8").splitlines() for name in names
        )
        systems = {"strong": strong} | {
            f"{count} from weak": weak[:count] + medium[count:] for count in (0, 6, 12)
        }
        found = compare(systems, references, n_resamples=None)
        assert [len(group) for group in found.clusters] == [1, 3]
        assert "below it; some systems of one cluster also differ significantly" in str(found)
        found = compare(dict(list(systems.items())[:3]), references, n_resamples=None)
        assert "below it\n" in str(found)

    @pytest.mark.skipif(not NEWSTEST.exists(), reason="the test sets are not at hand")
    def test_real_systems(self):
        """Twenty systems: lines are right, and systems of one cluster do differ."""
        bleu = Bleu()
        references = (NEWSTEST / "ref.refA.txt").read_text("utf-8").splitlines()
        counted = {
            path.name[4:-4]: bleu.stats(path.read_text("utf-8").splitlines(), references)
            for path in sorted(NEWSTEST.glob("sys.*.txt"))
        }
        found = compare(counted, n_resamples=None)
        assert (len(counted), max(pair.n_trials for pair in found.pairs)) == (20, 76_000)
        names = [system.name for system in found.ranked()]

        def significant(one, other):
            pair = found.pair(one, other)
            return pair.p_adjusted < 0.05 and pair.delta > 0

        assert_lines_are_right(names, found.clusters, significant)
        inside = [
            pair
            for group in found.clusters
            for pair in combinations(group, 2)
            if significant(*pair)
        ]
        # Which is why they are not called alike.
        assert len(inside) > 50


class TestIntervals:
    """Quantiles, corrected or not."""

    @examples(deadline=None, max_examples=50)
    @given(
        st.lists(st.floats(0, 100), min_size=20, max_size=60),
        st.lists(st.floats(0, 100), min_size=2, max_size=30),
        st.floats(0.5, 0.99),
    )
    def test_formulas(self, samples, left_out, level):
        """The corrected interval by the book, and the plain one."""
        values = np.array(samples)
        observed = samples[0]
        tails = ((1 - level) / 2,) * 2
        low, high = inference.percentiles(values, tails)
        assert (low, high) == pytest.approx(np.quantile(values, [(1 - level) / 2, (1 + level) / 2]))
        normal = NormalDist()
        below = sum(each < observed for each in samples) + samples.count(observed) / 2
        z0 = normal.inv_cdf(min(max(below, 0.5), len(samples) - 0.5) / len(samples))
        mean = math.fsum(left_out) / len(left_out)
        cubes = math.fsum((mean - each) ** 3 for each in left_out)
        squares = math.fsum((mean - each) ** 2 for each in left_out)
        a = cubes / (6 * squares**1.5) if squares > 1e-9 else 0
        if 0 < squares <= 1e-9:
            return
        ends = []
        for out in ((1 - level) / 2, (1 + level) / 2):
            z = normal.inv_cdf(out)
            if a * (z0 + z) >= 1:
                return
            ends.append(normal.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))
        found = inference.bca(values, tails, observed, np.array(left_out))
        assert found == pytest.approx(np.quantile(values, ends), rel=1e-6, abs=1e-6)

    def test_of_one_system(self):
        """The interval of a system is the one it has in a comparison."""
        systems, references = corpus(5, 120, "AB")
        for options in (
            {},
            {"interval": "expanded-percentile", "confidence_level": 0.8, "seed": 3},
        ):
            alone = confidence_interval(systems["A"], references, n_resamples=200, **options)
            found = compare({"A": systems["A"]}, references, n_resamples=200, **options)
            assert alone == found.systems["A"].interval
            assert found.pairs == ()
            assert found.clusters == (("A",),)
        counted = Bleu().stats(systems["A"], references)
        assert confidence_interval(counted, n_resamples=200, **options) == alone
        wide = confidence_interval(systems["A"], references, confidence_level=0.99)
        usual = confidence_interval(systems["A"], references)
        assert wide.low < usual.low < usual.mean < usual.high < wide.high

    def test_leaving_out(self):
        """The scores without each segment are exact."""
        systems, references = corpus(5, 20, "AB")
        bleu = Bleu()
        stats = [bleu.stats(own, references) for own in systems.values()]
        resampler = Resampler([each.to_numpy() for each in stats], bleu, 0, 1, lambda _: None)
        expected = [
            [
                bleu.corpus(own[:i] + own[i + 1 :], references[:i] + references[i + 1 :]).score
                for i in range(20)
            ]
            for own in systems.values()
        ]
        assert resampler.left_out().tolist() == expected
        assert resampler.scores().tolist() == [bleu.score(each).score for each in stats]

    def test_a_bootstrap_sample_is_a_sum_of_rows(self):
        """Of a corpus of equal segments every sample is the corpus itself."""
        found = confidence_interval(["a b c x"] * 40, ["a b c d"] * 40)
        score = Bleu().corpus(["a b c x"] * 40, ["a b c d"] * 40).score
        assert (found.low, found.high, found.mean) == pytest.approx((score,) * 3)
        assert found.error == pytest.approx(0, abs=1e-9)

    @given(st.lists(st.fractions(0, 1), max_size=8))
    def test_holm(self, p_values):
        """Step by step, as the paper has it."""
        adjusted = inference.holm(p_values)
        order = sorted(p_values)
        for p_value, found in zip(p_values, adjusted, strict=True):
            rank = order.index(p_value)
            assert found >= min(1, (len(order) - rank) * p_value)
            assert (
                found
                == min(
                    1.0, max((len(order) - i) * each for i, each in enumerate(order[: rank + 1]))
                )
                or order.count(p_value) > 1
            )
        assert sorted(adjusted) == [
            each for _, each in sorted(zip(p_values, adjusted, strict=True))
        ]


class TestCommand:
    """``truebleu compare`` and ``truebleu score --confidence``."""

    SYSTEMS, REFERENCES = corpus(5, 60, ("one", "two_2", "three"))

    @pytest.fixture
    def run(self, capsys, tmp_path, monkeypatch):
        """Run a command where there are files."""
        monkeypatch.chdir(tmp_path)
        for name, lines in {**self.SYSTEMS, "ref": self.REFERENCES}.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        (tmp_path / "docs").write_text("".join(f"{index // 4}\n" for index in range(60)))

        def call(*arguments):
            code = main([*map(str, arguments)])
            done = capsys.readouterr()
            return code, done.out, done.err

        return call

    @looped("more", [[], ["-m", "bleu", "ter"], ["--p-matrix"]])
    @looped("alpha", ["0.05", "0.4"])
    @looped("name", FORMATS)
    def test_every_format_says_alpha(self, run, name, alpha, more):
        """Wherever something is called significant, it is said at which level."""
        out = run("compare", *self.SYSTEMS, "-r", "ref", "-f", name, "--alpha", alpha, *more)[1]
        if FORMATS[name].of_values:
            assert f'"alpha": {alpha}' in out
            return
        assert f"|alpha:{alpha}" in out.replace(markup.latex_text("|"), "|")
        if FORMATS[name].plain:
            return
        assert f"a difference is significant if its adjusted p is below alpha = {alpha}" in out
        text = html.unescape(out).replace("\\", "").replace("textless{}", "<").replace("$<$", "<")
        for line in text.splitlines():
            if "significantly better" in line and "each system is" not in line:
                assert f"adjusted p < {alpha}" in line
        if "-m" in more:
            assert "p-values are not corrected for the number of metrics" in out

    def test_options(self, run):
        """Every option reaches the library."""
        options = "--n-resamples 50 --confidence-level 0.9 --interval expanded-percentile --seed 0"
        options += " --documents docs --alternative better --n-trials 40 --alpha 0.1"
        options += " --baseline one --tokenizer char"
        out = run("compare", *self.SYSTEMS, "-r", "ref", "--format", "json", *options.split())[1]
        documents = [index // 4 for index in range(60)]
        found = compare(
            self.SYSTEMS,
            self.REFERENCES,
            n_resamples=50,
            confidence_level=0.9,
            interval="expanded-percentile",
            seed=0,
            documents=documents,
            alternative="better",
            alpha=0.1,
            n_trials=40,
            baseline="one",
            tokenizer="char",
        )
        assert json.loads(out) == json.loads(json.dumps(found.to_dict()))

    def test_formats(self, run):
        """Tables of several kinds; names are only text."""
        found = compare(self.SYSTEMS, self.REFERENCES)
        arguments = ("compare", *self.SYSTEMS, "-r", "ref")
        assert run(*arguments, "--format", "markdown")[1] == found.to_markdown()
        assert run(*arguments, "--format", "html")[1] == found.to_html() + "\n"
        tsv = run(*arguments, "--format", "tsv")[1].splitlines()
        ranks = ["rank", "best rank", "worst rank"]
        assert tsv[0].split("\t") == ["system", *ranks, "BLEU", "95% CI", "cluster", "signature"]
        assert tsv[4] == ""
        assert tsv[5].split("\t")[0] == "pair"
        latex = run(*arguments, "--format", "latex", "--latex-float")[1]
        assert latex.count(r"\toprule") == latex.count(r"\end{table") == 2
        assert latex.count(r"\midrule") == 2 + len(found.clusters) - 1
        assert "---" not in re.sub(r"(?m)^\|[-:|]+\|$", "", found.to_markdown())
        assert str(found).count("  ---") == found.to_html().count("<hr>") == len(found.clusters) - 1
        assert r"two\_2" in latex
        assert r"seed:12345\textbar" in latex
        header = run(*arguments, "--detectable")[1]
        assert "detectable, single test  detectable, Holm" in header

    def test_confidence(self, run):
        """``score`` shows an interval for each system."""
        interval = confidence_interval(self.SYSTEMS["one"], self.REFERENCES)
        out = run("score", *self.SYSTEMS, "-r", "ref", "--confidence")[1].splitlines()
        assert str(interval) in out[1]
        assert out[0].split("  ")[0] == "system"
        assert "|bs:10000|ci:bca-0.95|seed:12345|" in out[-1]
        for form in ("tsv", "markdown", "latex"):
            out = run("score", "one", "-r", "ref", "--confidence", "--format", form)[1]
            assert str(interval) in out.replace("\\", "")
        out = run(
            "score",
            "one",
            "-r",
            "ref",
            "--confidence",
            "--format",
            "json",
            "--confidence-level",
            "0.5",
        )[1]
        half = confidence_interval(self.SYSTEMS["one"], self.REFERENCES, confidence_level=0.5)
        assert json.loads(out)[0]["interval"] == half.to_dict()
