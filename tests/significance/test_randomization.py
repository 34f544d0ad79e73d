"""The test of a pair: against all swaps there are, against SciPy, and how many trials it takes."""

import math
import warnings
from fractions import Fraction
from itertools import combinations, product
from types import MappingProxyType

import numpy as np
import pytest
import scipy.stats
from drawn import corpus, rows, stats_of
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from truebleu import Bleu, GivenScores, SettingsError, SmallSampleWarning, compare, report
from truebleu.metrics.corpora import Corpora
from truebleu.significance import inference
from truebleu.significance.design import Design
from truebleu.significance.resampling import Resampler, Swapping, told_to

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings(
        "ignore:.* (equals? a reference in all|is higher|times as long as):truebleu.SettingsWarning"
    ),
]


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
    return np.abs([np.dot(values, signs) for signs in product((1, -1), repeat=len(values))])


class TestSwaps:
    """All there are, or many."""

    @examples(deadline=None, max_examples=30)
    @given(st.integers(0, 2**32), st.integers(2, 7))
    def test_all_swaps(self, seed, segments):
        """On small corpora the p-value is the share of swaps that are as extreme."""
        systems, references = corpus(seed, segments, "AB")
        pair = compare(systems, references, n_resamples=None).pair("A", "B")
        bleu = Bleu()
        stats = [bleu.stats(system, references) for system in systems.values()]
        tables = [each.to_numpy() for each in stats]
        differ = (tables[0] != tables[1]).any(axis=1)
        # Segments that do not differ are not swapped.
        found = all_sums(contributions(bleu, *stats)[differ])
        assert pair.exact
        assert pair.p_value == (found >= found[0] - 1e-8).sum() / len(found)
        assert pair.delta == bleu.score(stats[0]).score - bleu.score(stats[1]).score
        assert pair.differing == differ.sum()
        assert pair.n_trials == 2**pair.differing

    @examples(deadline=None, max_examples=30)
    @given(st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=2, max_size=9))
    def test_averages(self, points):
        """Swaps of segment scores are what they are in textbooks, with all ties."""
        scores = dict(zip("AB", zip(*points, strict=True), strict=True))
        pair = compare(scores, scores={"points": scores}, n_resamples=None)["points"].pairs[0]
        gaps = [one - other for one, other in points if one != other]
        found = all_sums(gaps) if gaps else np.zeros(1)
        assert pair.p_value == (found >= found[0]).sum() / len(found)

    @pytest.mark.parametrize("ratios", [(0.7, 1.3), (0.9, 0.9)])
    def test_they_vary_like_test_sets(self, ratios):
        """Differences after swaps have the variance of bootstrap samples, whatever the lengths."""
        random = np.random.default_rng(5)
        reference = random.integers(8, 40, 2000)

        def table(ratio, ease):
            length = reference + np.sign(ratio - 1).astype(int) * random.binomial(
                reference, abs(ratio - 1)
            )
            totals = [np.maximum(length - order, 0) for order in range(4)]
            matches = [random.binomial(each, ease ** (n + 1)) for n, each in enumerate(totals)]
            return np.column_stack([length, reference, *matches, *totals])

        resampler = Resampler([table(ratio, 0.7) for ratio in ratios], Bleu(), 7, 2)
        [one, other] = np.concatenate([*resampler.bootstrap(range(2000))], axis=1)
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
        resampler = Resampler(tables, bleu, 7, 2)
        trials = 20_000
        extreme, ways = Swapping(resampler).permute(0, 1)
        [counted] = Swapping(resampler).randomize([(0, 1)], range(trials))
        share = extreme / ways
        assert 0 < share < 1
        assert abs(counted / trials - share) < 4 * math.sqrt(share * (1 - share) / trials)

    def test_many_segments_may_differ(self):
        """The number of their swaps is more than a float can hold."""
        references = ["a b c d e"] * 1100
        others = {"A": ["a b c d x"] * 1100, "B": ["a b c x y"] * 1100}
        pair = compare(others, references, n_resamples=None).pair("A", "B")
        assert (pair.differing, pair.p_value, pair.exact) == (1100, 1 / 10_001, False)


# As they are written, and exactly.
ALPHAS = [(0.1, Fraction(1, 10)), (0.05, Fraction(1, 20)), (0.001, Fraction(1, 1000))]


class TestTrials:
    """As many as the tests need; they stop when enough is known, and p-values stay as they are."""

    RANDOM = np.random.default_rng(4)
    SYSTEMS = MappingProxyType(
        dict(
            zip(
                (f"s{number}" for number in range(9)),
                map(stats_of, map(rows, [RANDOM] * 9, [60] * 9, np.linspace(0.7, 0.676, 9))),
                strict=True,
            )
        )
    )

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

    @given(st.integers(1, 10**7))
    def test_stages(self, trials):
        """10,000, 40,000, 160,000, … and the last."""
        stages = inference.stages(trials)
        assert stages[-1] == trials
        assert stages[:-1] == [10_000 * 4**power for power in range(len(stages) - 1)]
        assert 10_000 * 4 ** (len(stages) - 1) >= trials or stages == [trials]

    def test_what_stops(self, monkeypatch):
        """A p-value is that of as many trials as there were, and no small one is cut short."""
        how = {"n_resamples": None, "alpha": 0.01}
        found = compare(self.SYSTEMS, **how)
        most = 20 * 36 * 100
        assert f"|ar:{most}|stop:500|" in found.signature
        assert {pair.n_trials for pair in found.pairs} == {10_000, 40_000, most}
        for trials in (10_000, 40_000, most):
            monkeypatch.setattr(inference, "enough_trials", lambda *_, trials=trials: trials)
            monkeypatch.setattr(inference, "stages", lambda trials: [trials])
            fixed = compare(self.SYSTEMS, **how)
            assert "|stop:" not in fixed.signature
            for pair, other in zip(found.pairs, fixed.pairs, strict=True):
                extreme = round(other.p_value * (trials + 1)) - 1
                if pair.n_trials == trials:
                    assert pair.p_value == other.p_value
                    assert trials == most or extreme >= 500
                elif pair.n_trials > trials:
                    assert extreme < 500

    @pytest.mark.parametrize(("written", "alpha"), ALPHAS)
    def test_significant(self, written, alpha, monkeypatch):
        """A difference is significant exactly if p < alpha: without rounding, on both sides of it.

        Of m + 1 systems one is compared with the others, and all tests are at the floor. Where it
        is not below alpha, no test could have rejected.
        """
        monkeypatch.setattr(Swapping, "randomize", lambda _, pairs, trials: [0 for _ in pairs])
        references = ["a b c d e"] * 30
        corpora = Corpora([["a b"] * 30, ["x y"] * 30], references)
        good, bad = Bleu()._count(corpora, each=True)
        for tests in range(1, 31):
            counted = {"good": good, **{f"bad {number}": bad for number in range(tests)}}
            fewest = int(tests / alpha)
            for trials in (fewest - 1, fewest):
                monkeypatch.setattr(inference, "enough_trials", lambda *_, trials=trials: trials)
                found = compare(counted, baseline="good", alpha=written, n_resamples=None)
                expected = Fraction(tests, trials + 1) < alpha
                assert expected == (trials == fewest)
                assert {pair.significant for pair in found.pairs} == {expected}
                assert len(found.undecided) == (0 if expected else tests)
                [_, pairs, *_] = (block for block in found.blocks() if not block.is_figure)
                assert {style for style, _ in pairs.rows} == {"good" if expected else ""}

    @pytest.mark.parametrize(("written", "alpha"), ALPHAS)
    def test_lines_and_stars(self, written, alpha, monkeypatch):
        """Where p is alpha there is no line between two systems, nor a star in the report."""
        references = [f"a b c d {number}" for number in range(40)]
        systems = {"good": [f"a b c d {number + 1}" for number in range(40)], "bad": ["x"] * 40}
        edge = int(1 / alpha) - 1
        for trials, groups in ((edge, None), (edge + 1, (("good",), ("bad",)))):
            monkeypatch.setattr(inference, "enough_trials", lambda *_, trials=trials: trials)
            how = {"alpha": written, "n_resamples": None}
            assert compare(systems, references, **how).clusters == groups
            html = report(systems, references, **how).to_html()
            assert html.count(" *</td>") == (0 if groups is None else 1)
            assert ("Its lead over bad is statistically significant" in html) == bool(groups)
            assert ("Its lead over bad could not be tested" in html) == (groups is None)

    @given(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)), min_size=1, max_size=6),
        st.sampled_from([0.05, 0.2, 0.4]),
    )
    def test_undecided(self, drawn, alpha):
        """A test is decidable if its smallest p-value would be significant beside the others'."""
        smallest = [Fraction(2, max(2, 2**differing)) for _, differing in drawn]
        p_values = [
            min(Fraction(1), least + Fraction(more, 40))
            for least, (more, _) in zip(smallest, drawn, strict=True)
        ]
        found = inference.decidable(p_values, smallest, alpha)
        for index, least in enumerate(smallest):
            others = [*p_values]
            others[index] = least
            assert found[index] == (inference.holm(others)[index] < inference.exact(alpha))

    @examples(deadline=None, max_examples=20)
    @given(st.integers(1, 6), st.integers(2, 21))
    def test_few_units(self, differing, denominator):
        """A pair is undecided exactly if the smallest p-value of all swaps is not below alpha."""
        alpha = 1 / denominator
        references = ["a b c d e"] * 30
        systems = {"a": references, "b": ["x"] * differing + references[differing:]}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SmallSampleWarning)
            found = compare(systems, references, alpha=alpha, units="segments", n_resamples=None)
        expected = Fraction(2, 2**differing) >= Fraction(repr(alpha))
        assert bool(found.undecided) == expected
        assert (found.clusters is None) == (found.rank_ranges is None) == expected
        said = any("undecided: 1 pair" in str(each.message) for each in caught)
        assert said == expected

    def test_they_follow_from_tests_and_alpha(self):
        """Tests can be significant at an alpha of 0.0005, though 10,000 trials would not do."""
        systems, references = corpus(5, 60, ("one", "two", "three", "four"), noise=0.9)
        for baseline, tests in ((None, 10), ("two", 4)):
            how = {"alpha": 0.0005, "baseline": baseline, "n_resamples": None}
            found = compare({**systems, "best": references}, references, **how)
            assert len(found.pairs) == found.n_tests == tests
            assert {pair.n_trials for pair in found.pairs} <= {
                *(10_000, 40_000, 160_000, 40_000 * tests)
            }
            pair = found.pair("best", "two")
            assert (pair.at_floor, pair.significant, found.undecided) == (True, True, ())
            assert f"|ar:{40_000 * tests}|stop:500|" in found.signature

    def test_more_than_there_can_be(self):
        """A level that would need billions of trials is refused."""
        with pytest.raises(
            SettingsError, match="alpha 1e-09 needs 160,000,000,000 trials per test"
        ):
            compare(self.SYSTEMS, baseline="s0", alpha=1e-9, n_resamples=None)
        assert Design(alpha=1e-4).n_trials == 10_000

    def test_many_tests(self, monkeypatch):
        """They have a fifth of the trials."""
        assert [inference.enough_trials(tests, 0.05) for tests in (990, 991)] == [396_000, 79_280]
        monkeypatch.setattr(inference, "MANY_TESTS", 9)
        found = compare(self.SYSTEMS, n_resamples=None, alpha=0.003)
        assert max(pair.n_trials for pair in found.pairs) == 48_000
        assert found.undecided == ()

    @given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=12))
    def test_adjusted_floors(self, counts):
        """An adjusted p-value is at its floor if smaller p-values there could make it smaller."""
        p_values = [Fraction(count + 1, 201 if sampled else 512) for count, sampled in counts]
        at_floor = [count == 0 and sampled for count, sampled in counts]
        floors = inference.adjusted_floors(p_values, at_floor)
        adjusted = inference.holm(p_values)
        smaller = inference.holm(
            [Fraction(0) if floor else p for p, floor in zip(p_values, at_floor, strict=True)]
        )
        assert floors == [low < high for low, high in zip(smaller, adjusted, strict=True)]
        assert all(floor or not at for floor, at in zip(floors, at_floor, strict=True))

    @given(st.integers(1, 10**6))
    def test_limit_at_the_floor(self, trials):
        """It is that of a binomial share of which no trial is one; other p-values have none."""
        pair = PAIR.replace(at_floor=True, n_trials=trials)
        expected = scipy.stats.binomtest(0, trials, alternative="less").proportion_ci().high
        assert pair.p_limit == pytest.approx(expected)
        assert pair.to_dict()["p_limit"] == pair.p_limit
        assert pair.replace(at_floor=False).p_limit is None

    @pytest.mark.parametrize("samples", [None, 1999, 20_000])
    def test_progress_ends_where_it_should(self, samples):
        """Whatever is drawn: for one system, exact tests, tests that stop and samples to spare."""
        table = rows(self.RANDOM, 50)
        near = np.concatenate([rows(self.RANDOM, 5), table[5:]])
        others = [rows(self.RANDOM, 50) for _ in range(4)]
        for tables in ([table], [table, near], [table, near, *others]):
            seen = []
            with told_to(lambda *done, seen=seen: seen.append(done)):
                systems = {f"s{number}": stats_of(each) for number, each in enumerate(tables)}
                compare(systems, n_resamples=samples, alpha=0.001, units="segments")
            assert [done for done, _ in seen] == sorted(done for done, _ in seen)
            assert all(done <= total for done, total in seen)
            assert seen[-1][0] == seen[-1][1]

    @pytest.mark.slow
    def test_many_systems(self):
        """With 528 tests, which 10,000 trials cannot decide, large differences are significant."""
        systems, references = corpus(8, 60, [f"s{number}" for number in range(33)], noise=0.1)
        found = compare(systems, references, n_resamples=None)
        assert max(pair.n_trials for pair in found.pairs) == 211_200
        assert found.pair("s0", "s32").p_adjusted < 0.05
        assert sum(pair.p_adjusted < 0.05 for pair in found.pairs) > 100


[PAIR] = compare({name: ["a b", "e"] for name in "ab"}, ["a b", "f"], n_resamples=None).pairs


class TestHolm:
    """One family a call: all pairs under all metrics."""

    @given(st.lists(st.fractions(0, 1), max_size=8))
    def test_definition(self, p_values):
        """Step by step, as the paper has it."""
        adjusted = inference.holm(p_values)
        order = sorted(p_values)
        for p_value, found in zip(p_values, adjusted, strict=True):
            first = order[: order.index(p_value) + 1]
            steps = max((len(order) - i) * each for i, each in enumerate(first))
            assert found >= min(1, (len(order) - order.index(p_value)) * p_value)
            assert found == min(1, steps) or order.count(p_value) > 1
        assert sorted(adjusted) == [p for _, p in sorted(zip(p_values, adjusted, strict=True))]

    @pytest.mark.parametrize("baseline", [None, "one"])
    def test_all_metrics(self, baseline):
        """Numbers are those of each metric alone; p-values are adjusted for all, margins as well.

        Scores that were computed elsewhere are one more metric.
        """
        systems, references = corpus(1, 90, ("one", "other", "third"))
        random = np.random.default_rng(1)
        points = {name: random.poisson(2 + place, 90) for place, name in enumerate(systems)}
        scores = {"MQM": GivenScores(points, lower_is_better=True)}
        how = {"n_resamples": 500, "margin": 2, "units": "segments"}
        metrics = ["bleu", "chrf", "ter"]
        found = compare(
            systems, references, metrics=metrics, scores=scores, baseline=baseline, **how
        )
        pairs = {"one": [("other", "one"), ("third", "one")], None: [*combinations(systems, 2)]}
        raw = {}
        for name, comparison in found.items():
            assert [(each.one, each.other) for each in comparison.pairs] == pairs[baseline]
            assert comparison.n_tests == 4 * len(pairs[baseline])
            assert f"Holm's method for {comparison.n_tests} tests" in str(comparison)
            for pair in comparison.pairs:
                metric, names = comparison.metric, (pair.one, pair.other)
                stats = {
                    each: metric.from_scores(points[each])
                    if name == "MQM"
                    else metric.stats(systems[each], references)
                    for each in names
                }
                [alone] = compare(stats, metrics=metric, **how).pairs
                assert (pair.delta, pair.interval, pair.p_value) == (
                    *(alone.delta, alone.interval, alone.p_value),
                )
                raw[name, *names] = alone
        assert found.paper().methods.count(f"for {comparison.n_tests} tests") == 1
        for which, adjusted in (("p_value", "p_adjusted"), ("p_not_worse", "p_not_worse")):
            order = sorted(raw, key=lambda key: getattr(raw[key], which))
            steps = [(len(order) - i) * getattr(raw[key], which) for i, key in enumerate(order)]
            expected = np.maximum.accumulate(np.minimum(1, steps))
            shown = [getattr(found[name].pair(*names), adjusted) for name, *names in order]
            assert shown == pytest.approx(list(expected))

    def test_one_test(self):
        """Nothing is adjusted, and nothing says so."""
        systems, references = corpus(1, 90, ("one", "other"))
        found = compare(systems, references, n_resamples=100, margin=1)
        assert found.pairs[0].p_adjusted == found.pairs[0].p_value
        for text in (str(found), found.to_latex(), str(found.paper())):
            assert "Holm" not in text
