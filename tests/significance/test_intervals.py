"""Intervals, trials, ranks and plans: against SciPy, by their definitions, and by simulation."""

import json
import math
import re
import warnings
from fractions import Fraction
from itertools import combinations
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from toy_metrics import ExactMatch, Misses
from truebleu import (
    Bleu,
    BleuStats,
    Chrf,
    InputError,
    SegmentScores,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    StatsMismatchError,
    Ter,
    compare,
    confidence_interval,
    plot,
    sample_size,
)
from truebleu._core import student_t_quantile
from truebleu.display import markup
from truebleu.significance import inference, results

quiet = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
pytestmark = pytest.mark.filterwarnings("ignore:.*times as long as:truebleu.SettingsWarning")
BLEU = Bleu()


def rows(random, count, ease=0.7):
    """Draw rows of statistics of segments."""
    length = random.integers(8, 30, count)
    matches = [random.binomial(length, ease)]
    for _ in range(3):
        matches.append(random.binomial(matches[-1], 0.7))
    totals = [length - order for order in range(4)]
    columns = [length, length + random.integers(-2, 3, count)]
    return np.column_stack([*columns, *np.minimum(matches, totals), *totals])


def stats_of(table):
    return BleuStats.from_numpy(table, BLEU)


def bleu(table):
    """Score sums of rows, whatever is before the last axis, by the formula."""
    matches, totals = table[..., 2:6], table[..., 6:10]
    logs = np.log(matches / totals).mean(axis=-1)
    return 100 * np.exp(logs + np.minimum(0, 1 - table[..., 1] / table[..., 0]))


class TestAgainstScipy:
    """SciPy computes the same, where it has it."""

    @given(st.floats(1e-6, 1 - 1e-6), st.one_of(st.integers(1, 50), st.integers(51, 10**6)))
    def test_quantiles(self, probability, freedom):
        """Of Student's distribution, down to one degree of freedom."""
        expected = scipy.stats.t.ppf(probability, freedom)
        found = inference.quantile_of_t(probability, freedom)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-6)
        assert inference.tail_of_t(-found, freedom) == pytest.approx(probability, rel=1e-5)

    @pytest.mark.parametrize("freedom", [0.0, -1.0, math.nan])
    def test_no_distribution(self, freedom):
        """Degrees of freedom are positive."""
        with pytest.raises(ValueError, match=r"(?i)freedom"):
            student_t_quantile(0.5, freedom)

    @pytest.mark.parametrize("count", [40, 300])
    def test_bca(self, count):
        """The interval of a score, at the level that is expanded for the number of segments."""
        table = rows(np.random.default_rng(count), count)
        found = confidence_interval(stats_of(table), n_resamples=20_000)
        tail = inference.expanded_tail(0.025, count)
        expected = scipy.stats.bootstrap(
            (np.arange(count),),
            lambda chosen, axis: bleu(table[chosen].sum(axis=axis if axis >= 0 else -2)),
            n_resamples=20_000,
            batch=200,
            confidence_level=1 - 2 * tail,
            method="BCa",
            rng=np.random.default_rng(0),
        )
        error = expected.standard_error
        # Both are random: ends of 20,000 samples jitter by some hundredths of the error.
        assert found.low == pytest.approx(expected.confidence_interval.low, abs=0.1 * error)
        assert found.high == pytest.approx(expected.confidence_interval.high, abs=0.1 * error)
        assert found.error == pytest.approx(error, rel=0.03)


class TestIntervals:
    """Which intervals there are, of what and on which side."""

    RANDOM = np.random.default_rng(3)
    ONE, OTHER = rows(RANDOM, 400), rows(RANDOM, 400, 0.68)

    @pytest.mark.parametrize("interval", ["bca", "expanded-percentile"])
    @pytest.mark.parametrize("differing", [2, 40, 400])
    @quiet
    def test_of_a_difference(self, interval, differing):
        """Percentiles, at tails for as many units as differ, whatever scores have."""
        other = np.concatenate([self.OTHER[:differing], self.ONE[differing:]])
        systems = {"a": stats_of(self.ONE), "b": stats_of(other)}
        found = compare(systems, interval=interval, n_trials=99)
        pair = found.pairs[0]
        assert pair.differing == differing
        assert pair.interval.method == "expanded-percentile"
        assert {each.interval.method for each in found.systems.values()} == {interval}
        t = scipy.stats.t.ppf(0.025, differing - 1)
        tail = scipy.stats.norm.cdf(math.sqrt(differing / (differing - 1)) * t)
        assert inference.expanded_tail(0.025, differing) == pytest.approx(tail, rel=1e-5)
        normal = pair.interval.mean - 0 * tail
        half = -scipy.stats.norm.ppf(max(tail, 1 / 20_000)) * pair.interval.error
        assert pair.interval.low <= normal <= pair.interval.high
        if differing == 400:
            assert pair.interval.low == pytest.approx(normal - half, abs=0.1 * half)
            assert pair.interval.high == pytest.approx(normal + half, abs=0.1 * half)

    @quiet
    def test_one_unit_differs(self):
        """Nothing can be known of its spread: the interval has all samples."""
        other = np.concatenate([self.OTHER[:1], self.ONE[1:]])
        pair = compare({"a": stats_of(self.ONE), "b": stats_of(other)}, n_trials=99).pairs[0]
        assert inference.expanded_tail(0.025, 1) == 0
        assert pair.interval.low <= min(0, pair.delta)
        assert pair.interval.high >= max(0, pair.delta)

    @pytest.mark.parametrize("metric", [ExactMatch(), Misses(), Chrf(), Ter()])
    def test_one_sided(self, metric):
        """A one-sided test has a bound, on the side that matters in the metric's direction."""
        random = Random(1)
        references = [f"text {number}" for number in range(200)]
        one, other = (
            [text if random.random() < share else "?" for text in references]
            for share in (0.7, 0.5)
        )
        both, bound = (
            compare(
                {"a": one, "b": other}, references, metric=metric, n_trials=99, alternative=kind
            )
            for kind in ("two-sided", "better")
        )
        two, sided = both.pairs[0].interval, bound.pairs[0].interval
        up = metric.higher_is_better
        near, far = (sided.low, sided.high) if up else (sided.high, sided.low)
        assert far == (math.inf if up else -math.inf)
        # 95% on one side are 90% on both.
        wide = two.low if up else two.high
        assert (near > wide) if up else (near < wide)
        assert str(sided) == (f"[{near:.2f}, ∞)" if up else f"(-∞, {near:.2f}]")
        latex = markup.latex(bound.blocks())
        assert r"$\infty$" in latex
        assert "∞" not in latex
        assert "is the first system better than the second?" in latex
        plain = json.loads(json.dumps(bound.to_dict(), allow_nan=False))["pairs"][0]["interval"]
        assert plain["high" if up else "low"] is None
        assert plain["half_width"] is None
        assert sided.mirrored().mirrored() == sided
        assert bound.systems["a"].interval == both.systems["a"].interval

    def test_not_corrected(self):
        """Where an interval leaves out 0 and the adjusted p-value is not small, it is said why."""
        random = np.random.default_rng(8)
        systems = {f"s{number}": stats_of(rows(random, 120)) for number in range(12)}
        found = compare(systems, n_resamples=2000)
        expected = [
            pair
            for pair in found.pairs
            if (pair.interval.low > 0 or pair.interval.high < 0) and not pair.significant
        ]
        assert expected
        assert list(found.only_uncorrected) == expected
        assert "intervals are not corrected for multiple comparisons" in str(found)
        self.check_reasons(found)
        alone = compare({name: systems[name] for name in ("s0", "s1")}, n_trials=99)
        assert "not corrected" not in str(alone)

    @looped("alpha", [0.001, 0.05, 0.4])
    @looped("level", [None, 0.5, 0.9, 0.999])
    @looped("trials", [None, 60])
    def test_reasons(self, alpha, level, trials):
        """The reason is one that holds for the pair, whatever alpha, the level and the trials."""
        random = np.random.default_rng(9)
        systems = {f"s{number}": stats_of(rows(random, 60)) for number in range(5)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            self.check_reasons(
                compare(
                    systems, n_resamples=500, alpha=alpha, confidence_level=level, n_trials=trials
                )
            )

    def check_reasons(self, found):
        """Compare what is said with the pairs."""
        reasons = {"p is adjusted": 0, "intervals are narrower": 0, "are different methods": 0}
        for pair in found.only_uncorrected:
            if pair in found.undecided:
                continue
            if pair.p_value < found.alpha:
                # Only the correction keeps it from being significant.
                reasons["p is adjusted"] += 1
            elif 1 - Fraction(repr(found.confidence_level)) > Fraction(repr(found.alpha)):
                reasons["intervals are narrower"] += 1
            else:
                reasons["are different methods"] += 1
        lines = [line for line in str(found).splitlines() if "interval excludes 0" in line]
        assert len(lines) == sum(count > 0 for count in reasons.values())
        for reason, count in reasons.items():
            said = [line for line in lines if reason in line]
            assert [line.split()[0] for line in said] == [str(count)] * (count > 0)


class TestTrials:
    """Tests stop when enough is known, and their p-values stay what they were."""

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

    @given(st.integers(1, 10**7))
    def test_stages(self, trials):
        """10,000, 40,000, 160,000, … and the last."""
        stages = inference.stages(trials)
        assert stages[-1] == trials
        assert stages[:-1] == [10_000 * 4**power for power in range(len(stages) - 1)]
        assert 10_000 * 4 ** (len(stages) - 1) >= trials or stages == [trials]

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_what_stops(self, test):
        """A p-value is that of as many trials as there were, and no small one is cut short."""
        how = {"test": test, "n_resamples": None, "alpha": 0.01}
        found = compare(self.SYSTEMS, **how)
        most = 20 * 36 * 100
        assert f":{most}|stop:500|" in found.signature
        assert {pair.n_trials for pair in found.pairs} == {10_000, 40_000, most}
        for trials in (10_000, 40_000, most):
            fixed = compare(self.SYSTEMS, n_trials=trials, **how)
            assert "|stop:" not in fixed.signature
            for pair, other in zip(found.pairs, fixed.pairs, strict=True):
                extreme = round(other.p_value * (trials + 1)) - 1
                if pair.n_trials == trials:
                    assert pair.p_value == other.p_value
                    assert trials == most or extreme >= 500
                elif pair.n_trials > trials:
                    assert extreme < 500

    def test_which_systems_are_there(self):
        """A test does not depend on the others, except for how many there are."""
        how = {"n_resamples": None, "n_trials": 2000}
        found = compare(self.SYSTEMS, **how)
        for one, other in list(combinations(self.SYSTEMS, 2))[::7]:
            alone = compare({name: self.SYSTEMS[name] for name in (one, other)}, **how)
            assert alone.pairs[0].p_value == found.pair(one, other).p_value

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    @pytest.mark.parametrize("samples", [None, 1, 50, 20_000])
    @quiet
    def test_progress_ends_where_it_should(self, test, samples):
        """Whatever is drawn: for one system, exact tests, tests that stop and samples to spare."""
        table = rows(self.RANDOM, 50)
        near = np.concatenate([rows(self.RANDOM, 5), table[5:]])
        others = [rows(self.RANDOM, 50) for _ in range(4)]
        for tables in ([table], [table, near], [table, near, *others]):
            seen = []
            compare(
                {f"s{number}": stats_of(each) for number, each in enumerate(tables)},
                test=test,
                n_resamples=samples,
                alpha=0.001,
                progress=lambda done, total, seen=seen: seen.append((done, total)),
            )
            assert seen == sorted(set(seen))
            assert all(done <= total for done, total in seen)
            assert not seen or seen[-1][0] == seen[-1][1]
            assert seen or (samples is None and len(tables) < 3)

    @quiet
    def test_exact_tests_need_no_trials(self):
        """They may leave Holm's method few others, which may then be significant."""
        table = rows(self.RANDOM, 60)
        worse = table.copy()
        worse[:18, 2:6] = 0
        worst = table.copy()
        worst[:, 2:6] //= 3
        systems = {"a": stats_of(table), "b": stats_of(worse), "c": stats_of(worst)}
        with warnings.catch_warnings():
            warnings.filterwarnings("error", ".*too few", SettingsWarning)
            found = compare(systems, n_trials=50, n_resamples=None)
        assert [pair.exact for pair in found.pairs] == [True, False, False]
        assert all(pair.significant for pair in found.pairs)
        with pytest.warns(SettingsWarning, match="30 trials are too few for 3 tests: .* is 0.0645"):
            compare(systems, n_trials=30, n_resamples=None)

    @given(st.integers(1, 10**6))
    def test_limit_at_the_floor(self, trials):
        """It is that of a binomial share of which no trial is one; other p-values have none."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pair, *_ = compare(self.SYSTEMS, n_trials=99, n_resamples=None).pairs
        expected = scipy.stats.binomtest(0, trials, alternative="less").proportion_ci().high
        at_floor = pair.replace(at_floor=True, n_trials=trials)
        assert at_floor.p_limit == pytest.approx(expected)
        assert at_floor.to_dict()["p_limit"] == at_floor.p_limit
        assert pair.replace(at_floor=False).p_limit is None

    def test_many_tests(self, monkeypatch):
        """They have a fifth of the trials, and say so."""
        assert [inference.enough_trials(tests, 0.05) for tests in (990, 991)] == [396_000, 79_280]
        monkeypatch.setattr(inference, "MANY_TESTS", 9)
        for test in ("approximate-randomization", "bootstrap"):
            found = compare(self.SYSTEMS, n_resamples=None, alpha=0.003, test=test)
            assert "|stop:500|" in found.signature
            assert max(pair.n_trials for pair in found.pairs) == 48_000
            assert "at most 4 x tests / alpha trials, instead of 20 x" in str(found)


class TestRanks:
    """Ranges of ranks, as in WMT."""

    @given(st.integers(1, 8), st.randoms())
    def test_drawn(self, count, random):
        """They follow from the significant pairs, and a cluster has the ranks of its places."""
        names = [f"s{number}" for number in range(count)]
        pairs = list(combinations(names, 2))
        significant = [pair for pair in pairs if random.random() < 0.7]
        found = results.rank_ranges(names, significant)
        for name, (best, worst) in found.items():
            assert best == 1 + sum(worse == name for _, worse in significant)
            assert worst == count - sum(better == name for better, _ in significant)
            assert best <= worst
        rest = [pair for pair in pairs if pair not in significant]
        start = 1
        for group in results.clusters_of(names, rest):
            for name in group:
                best, worst = found[name]
                assert start <= best <= worst <= start + len(group) - 1
            start += len(group)

    @pytest.mark.parametrize("metric", [ExactMatch(), Misses(), Chrf(), Ter()])
    def test_shown(self, metric):
        """Text has the range, TSV and JSON its ends; a baseline leaves ranks open."""
        random = Random(2)
        references = [f"text {number}" for number in range(150)]
        systems = {
            name: [text if random.random() < share else "?" for text in references]
            for name, share in (("worst", 0.3), ("good", 0.7), ("same", 0.68))
        }
        found = compare(systems, references, metric=metric, n_resamples=200)
        assert found.rank_ranges == {"good": (1, 2), "same": (1, 2), "worst": (3, 3)}
        assert found.to_dict()["rank_ranges"]["good"] == [1, 2]
        lines = {
            line.split()[0]: line.split()
            for line in str(found).partition("\npairs")[0].splitlines()
            if line.strip()
        }
        assert [lines[name][1] for name in ("good", "same", "worst")] == ["1-2", "1-2", "3"]
        assert "rank: from 1 + the number of significantly better systems" in str(found)
        latex = found.blocks()[0]
        assert latex.rows[0][1][1] == "1-2"
        header, *cells = found.blocks(plain=True)[0].table()
        places = [header.index(name) for name in ("rank", "best rank", "worst rank")]
        assert [[row[place] for place in places] for row in cells][2] == ["3", "3", "3"]
        assert compare(systems, references, baseline="worst", n_resamples=None).rank_ranges is None


def planned(*pilot, **how):
    """Return the number of segments that are planned."""
    return sample_size(*pilot, **how).segments


class TestPlanning:
    """How many segments a difference takes."""

    RANDOM = np.random.default_rng(5)
    PILOT = stats_of(rows(RANDOM, 300)), stats_of(rows(RANDOM, 300, 0.68))

    def test_it_is_the_inverse_of_detectable(self):
        """As many segments as there are detect what is detectable with them."""
        pair = compare(dict(zip("ab", self.PILOT, strict=True))).pairs[0]
        assert planned(*self.PILOT, effect=pair.detectable) == pytest.approx(300, rel=0.05)
        assert planned(*self.PILOT, effect=-pair.detectable) == pytest.approx(300, rel=0.05)
        six = compare(dict(zip("abcd", self.PILOT * 2, strict=True))).pairs[0]
        found = planned(*self.PILOT, effect=six.detectable_adjusted, n_tests=6)
        assert found == pytest.approx(300, rel=0.05)

    def test_the_formula(self):
        """Half the difference takes four times as many; more power and smaller levels more."""
        usual = planned(*self.PILOT, effect=1.0)
        assert planned(*self.PILOT, effect=0.5) == pytest.approx(4 * usual, rel=0.01)
        quantile = scipy.stats.norm.ppf
        for how, errors in (
            ({"power": 0.9}, quantile(0.975) + quantile(0.9)),
            ({"alpha": 0.01}, quantile(0.995) + quantile(0.8)),
            ({"alternative": "better"}, quantile(0.95) + quantile(0.8)),
        ):
            expected = usual * (errors / (quantile(0.975) + quantile(0.8))) ** 2
            assert planned(*self.PILOT, effect=1.0, **how) == pytest.approx(expected, rel=0.01)

    def test_documents(self):
        """Of documents whose segments are copies of each other, as many more are needed."""
        copied = [stats_of(np.repeat(each.to_numpy(), 3, axis=0)) for each in self.PILOT]
        documents = np.repeat(np.arange(300), 3).tolist()
        usual = planned(*self.PILOT, effect=1.0)
        assert planned(*copied, effect=1.0, documents=documents) == pytest.approx(
            3 * usual, rel=0.01
        )

    def test_other_metrics(self):
        """The metric is that of the statistics."""
        references = [f"text {number}" for number in range(90)]
        counted = [
            ExactMatch().stats(
                [text[: 6 + number % step] for number, text in enumerate(references)], references
            )
            for step in (2, 3)
        ]
        assert planned(*counted, effect=5.0, metric=ExactMatch()) > 2
        with pytest.raises(StatsMismatchError):
            planned(*counted, effect=5.0)

    def test_extremes(self):
        """Levels and effects that are tiny, and tests that always reject."""
        one, other = self.PILOT
        assert planned(one, other, effect=1e-300) > 10**590
        assert planned(one, other, effect=1.0, alpha=1e-17) > planned(one, other, effect=1.0)
        assert planned(one, other, effect=1.0, alpha=0.95, alternative="better") == 2

    def test_uncertainty(self):
        """Four of five pilots have a range that holds the number that all segments plan."""
        random = np.random.default_rng(1)
        tables = [each.to_numpy() for each in self.PILOT]
        whole = sample_size(*self.PILOT, effect=2.0)
        assert whole.low < whole.segments < whole.high
        held = 0
        for _ in range(200):
            drawn = random.integers(0, 300, 60)
            plan = sample_size(*(stats_of(table[drawn]) for table in tables), effect=2.0)
            held += plan.low <= whole.segments <= plan.high
        assert 0.68 < held / 200 < 0.92
        # Four times the pilot says it twice as exactly.
        copied = [stats_of(np.tile(table, (4, 1))) for table in tables]
        more = sample_size(*copied, effect=2.0)
        assert np.log(more.high / more.low) == pytest.approx(
            np.log(whole.high / whole.low) / 2, rel=0.05
        )

    @looped("effect", [2.0, -2.0])
    @looped("alternative", ["two-sided", "better"])
    def test_power(self, effect, alternative):
        """As many segments as are planned have the planned power; it is simulated, too."""
        plan = sample_size(*self.PILOT, effect=effect, power=0.9, alternative=alternative)
        assert plan.power_of(plan.segments) == pytest.approx(0.9)
        assert plan.power_of(plan.low) < 0.9 < plan.power_of(plan.high)
        assert plan.simulated_power == pytest.approx(0.9, abs=0.04)
        assert (plan.power_of(0) < 0.051, plan.power_of(10**400)) == (True, 1.0)
        for wrong in (-1, math.nan, "1"):
            with pytest.raises(SettingsError, match="segments is"):
                plan.power_of(wrong)

    def test_shown(self):
        """It is a whole number, and says what it rests on."""
        plan = sample_size(*self.PILOT, effect=2.0, n_tests=3)
        assert int(plan) == len(range(plan)) == plan.segments
        assert "a difference of 2 BLEU with a power of 80%" in str(plan)
        assert f"{plan.low:,}-{plan.high:,}" in plan.to_markdown()
        assert json.loads(json.dumps(plan.to_dict()))["low"] == plan.low
        pytest.importorskip("altair")
        drawn = plot(plan)
        assert f"{plan.segments:,} have 80%" in drawn.description
        curve = next(iter(drawn.to_dict()["datasets"].values()))
        assert all(row["low"] <= row["power"] <= row["high"] for row in curve)

    def test_a_pilot_of_two(self):
        """It says nothing of the variance."""
        few = [each[:2] for each in self.PILOT]
        with pytest.warns(SmallSampleWarning, match="the pilot has 2 segments"):
            planned(*few, effect=1.0)

    @quiet
    def test_what_nothing_can_detect(self):
        """Too few units differ, or their spread is unknown: there is no detectable difference."""
        table = self.PILOT[0].to_numpy()
        for differing, detected in ((0, False), (4, False), (6, True)):
            changed = np.concatenate([self.PILOT[1].to_numpy()[:differing], table[differing:]])
            pair = compare({"a": stats_of(table), "b": stats_of(changed)}).pairs[0]
            assert pair.differing == differing
            assert (pair.detectable is not None) == detected
        assert (
            compare(dict(zip("ab", self.PILOT, strict=True)), n_resamples=1).pairs[0].detectable
            is None
        )


class TestWarnings:
    """What cannot be trusted is said, and nothing else."""

    RANDOM = np.random.default_rng(6)

    def said(self, systems, **how):
        """Return the warnings of a comparison."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SmallSampleWarning)
            compare({name: stats_of(table) for name, table in systems.items()}, n_trials=99, **how)
        return [str(each.message) for each in caught]

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_few_units_differ(self, test):
        """Not how many there are, but how many differ."""
        one, other = rows(self.RANDOM, 1002), rows(self.RANDOM, 1002, 0.6)
        assert self.said({"a": one, "b": other}, test=test) == []
        few = np.concatenate([other[:8], one[8:]])
        [found] = self.said({"a": one, "b": few}, test=test)
        assert "fewer than 30 of 1,002 segments: a - b (8)" in found
        assert ("bootstrap tests" in found) == (test == "bootstrap")
        assert self.said({"a": one, "b": few}, n_resamples=None) == []

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_few_documents(self, test):
        """A bootstrap of 14 documents is not what it says."""
        systems = {"a": rows(self.RANDOM, 140), "b": rows(self.RANDOM, 140, 0.6)}
        documents = [index // 10 for index in range(140)]
        [found] = self.said(systems, documents=documents, test=test)
        assert found.startswith("with only 14 documents, intervals are unreliable")
        assert ("bootstrap tests reject too often" in found) == (test == "bootstrap")

    def test_few_decide(self):
        """One segment is as long as all others, or all others are perfect."""
        usual = rows(self.RANDOM, 200)
        long = usual.copy()
        long[0] = [9000, 9000, *[9000] * 4, *(9000 - order for order in range(4))]
        long[0, 2:6] = 10
        found = " ".join(self.said({"a": usual, "b": long, "c": long}))
        assert "variance: b (about 1), c (about 1); the" in found
        perfect = usual.copy()
        perfect[:, 0] = perfect[:, 1] = perfect[:, 2] = perfect[:, 6]
        perfect[:, 3:6] = perfect[:, 7:10]
        [found] = self.said({"a": perfect})
        assert found.startswith("whichever of 200 segments is left out, these do not change: a;")
        with pytest.warns(SmallSampleWarning, match="variance: the score \\(about 1\\); the"):
            confidence_interval(stats_of(long))

    @pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
    def test_constant(self, test):
        """Copies of one segment: intervals have no width, and p-values mean nothing."""
        lengths = [9, 9, *range(9, 5, -1)]
        tables = [lengths[:2] + counts + lengths[2:] for counts in ([8, 6, 5, 4], [8, 6, 4, 3])]
        systems = {name: np.array([row] * 500) for name, row in zip("ab", tables, strict=True)}
        [found] = self.said(systems, test=test)
        assert "do not change: a, b, a - b; the intervals are unreliable, and so are" in found
        # A difference that is constant, of scores that are not.
        metric, scores = SegmentScores("X"), self.RANDOM.random(500)
        with pytest.warns(SmallSampleWarning, match="do not change: a - b; .* the p-values"):
            compare(
                {"a": metric.from_scores(scores + 0.1), "b": metric.from_scores(scores)},
                metric=metric,
            )
        with pytest.raises(InputError, match=r"the difference .* does not change"):
            planned(*map(stats_of, systems.values()), effect=1.0)

    @pytest.mark.parametrize("lengths", [(9000, 9000, 7000), (9000, 3000)])
    def test_few_decide_by_their_number(self, lengths):
        """The warning counts no more units than it says are too few."""
        long = rows(self.RANDOM, 200)
        for index, length in enumerate(lengths):
            long[index] = [length, length, *[length] * 4, *(length - order for order in range(4))]
            long[index, 2:6] = 10
        found = " ".join(self.said({"a": long}))
        for limit, count in re.findall(
            r"fewer than (\d+) .*variance: a \((?:about )?(\d+)\)", found
        ):
            assert int(count) < int(limit)
        assert re.search(r"variance: a \((about )?[123]\)", found)

    def test_effective_units(self):
        """Of k equal influences among none it is k."""
        for count in (1, 5, 40):
            left_out = np.zeros(1000)
            left_out[:count] = 1
            exact = float(Fraction(count * (1000 - count), 1000) ** 2)
            fourth = count * (1 - count / 1000) ** 4 + (1000 - count) * (count / 1000) ** 4
            assert inference.effective_units(left_out) == pytest.approx(exact / fourth)
            assert inference.effective_units(left_out) == pytest.approx(count, rel=0.15)
        assert inference.effective_units(np.ones(10)) == 0
