"""Intervals of scores and differences: against SciPy, by their definitions, and what is said."""

import math
import re
from fractions import Fraction
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
import scipy.stats
from drawn import BLEU, corpus, rows, stats_of
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from looping import looped
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Chrf, SettingsError, Ter, compare, compare_unpaired, confidence_interval
from truebleu._core import student_t_quantile, student_t_tail
from truebleu.significance import inference
from truebleu.significance.resampling import Resampler
from truebleu.significance.running import human_agreement

quiet = pytest.mark.filterwarnings(
    "ignore::truebleu.SmallSampleWarning", "ignore::truebleu.SettingsWarning"
)
pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore:.*times as long as:truebleu.SettingsWarning"),
]


def bleu(table):
    """Score sums of rows, whatever is before the last axis, by the formula."""
    matches, totals = table[..., 2:6], table[..., 6:10]
    logs = np.log(matches / totals).mean(axis=-1)
    return 100 * np.exp(logs + np.minimum(0, 1 - table[..., 1] / table[..., 0]))


class TestFormulas:
    """SciPy computes the same, where it has it; else the books do."""

    @given(st.floats(1e-6, 1 - 1e-6), st.one_of(st.integers(1, 50), st.integers(51, 10**6)))
    def test_quantiles(self, probability, freedom):
        """Of Student's distribution, down to one degree of freedom, and its tails."""
        expected = scipy.stats.t.ppf(probability, freedom)
        found = inference.quantile_of_t(probability, freedom)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-6)
        assert student_t_tail(-found, freedom) == pytest.approx(probability, rel=1e-5)

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
        tail = NormalDist().cdf(inference.expanded_quantile(0.025, count))
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

    @examples(deadline=None, max_examples=50)
    @given(
        st.lists(st.floats(0, 100), min_size=20, max_size=60),
        st.lists(st.floats(0, 100), min_size=2, max_size=30),
        st.floats(0.5, 0.99),
    )
    def test_by_the_book(self, samples, left_out, level):
        """The corrected interval, and the plain one."""
        values = np.array(samples)
        observed = samples[0]
        normal = NormalDist()
        least = 1 / (len(samples) + 1)
        quantile = normal.inv_cdf((1 - level) / 2)
        ends = np.quantile(values, [max((1 - level) / 2, least), min((1 + level) / 2, 1 - least)])
        wider = max(1, quantile / normal.inv_cdf(least))
        middle = np.median(values)
        expected = middle + (ends - middle) * wider
        assert inference.percentiles(values, quantile) == pytest.approx(expected)
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
        found = inference.bca(values, quantile, observed, np.array(left_out))
        assert found == pytest.approx(np.quantile(values, ends), rel=1e-6, abs=1e-6)

    def test_leaving_out(self):
        """The scores without each segment are exact."""
        systems, references = corpus(5, 20, "AB")
        stats = [BLEU.stats(own, references) for own in systems.values()]
        resampler = Resampler([each.to_numpy() for each in stats], BLEU)
        expected = [
            [
                BLEU.corpus(own[:i] + own[i + 1 :], references[:i] + references[i + 1 :]).score
                for i in range(20)
            ]
            for own in systems.values()
        ]
        assert resampler.left_out().tolist() == expected
        assert resampler.scores.tolist() == [BLEU.score(each).score for each in stats]

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


class TestIntervals:
    """Which intervals there are, of what, and what is said where they and tests differ."""

    RANDOM = np.random.default_rng(3)
    ONE, OTHER = rows(RANDOM, 400), rows(RANDOM, 400, 0.68)

    def test_of_one_system(self):
        """The interval of a system is the one it has in a comparison, at a level of 1 - alpha."""
        systems, references = corpus(5, 120, "AB")
        for options in ({}, {"alpha": 0.2, "seed": 3}, {"units": 4, "metrics": "ter"}):
            alone = confidence_interval(systems["A"], references, n_resamples=200, **options)
            found = compare({"A": systems["A"]}, references, n_resamples=200, **options)
            assert alone.replace(notes=()) == found.systems["A"].interval
            assert alone.notes == found.notes
            assert (found.pairs, found.clusters, found.rank_ranges) == ((), None, None)
        counted = Ter().stats(systems["A"], references)
        again = confidence_interval(counted, n_resamples=200, metrics=Ter(), units=4)
        assert again == alone
        wide = confidence_interval(systems["A"], references, alpha=0.01)
        usual = confidence_interval(systems["A"], references)
        assert wide.low < usual.low < usual.mean < usual.high < wide.high
        with pytest.raises(SettingsError, match="an interval needs bootstrap samples"):
            confidence_interval(systems["A"], references, n_resamples=None)
        with pytest.raises(SettingsError, match="confidence_interval takes one metric"):
            confidence_interval(systems["A"], references, metrics=["bleu", "ter"])

    @pytest.mark.parametrize("alpha", [0.01, 0.05, 0.4, 1e-04])
    def test_level(self, alpha):
        """It is exactly 1 - alpha, and is not rounded to 100%."""
        systems, references = corpus(5, 60, "A")
        found = compare(systems, references, n_resamples=20_000, alpha=alpha)
        assert Fraction(repr(found.confidence_level)) == 1 - Fraction(repr(alpha))
        assert found.systems["A"].interval.confidence_level == found.confidence_level
        assert "100% CI" not in str(found)

    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ({"n_resamples": 1}, "n_resamples is 1; with alpha 0.05, at least 39 are needed, or"),
            ({"n_resamples": 198, "alpha": 0.01}, "at least 199 are needed"),
            ({"alpha": 1e-5}, "n_resamples is 10,000; with alpha 1e-05, at least 199,999 are"),
            ({"alpha": 0.999999}, "alpha is 0.999999; at most 0.5 is possible: intervals have"),
        ],
    )
    @pytest.mark.parametrize("function", [compare, confidence_interval])
    def test_what_gives_no_interval(self, function, how, message):
        """Samples without any outside of an interval, and levels that need not have the score."""
        with pytest.raises(SettingsError, match=message):
            function(None, **how)

    @quiet
    def test_what_gives_an_interval(self):
        """The fewest samples do; without intervals, alpha may be any; so it may of other tests."""
        systems, references = corpus(5, 60, "AB")
        few = compare(systems, references, n_resamples=39).systems["A"]
        assert few.interval.low < few.score.score < few.interval.high
        compare(systems, references, n_resamples=None, alpha=1e-5)
        texts = {name: (each, references) for name, each in systems.items()}
        compare_unpaired(texts, alpha=1e-5)

    @pytest.mark.parametrize("differing", [2, 40, 400])
    @quiet
    def test_of_a_difference(self, differing):
        """Percentiles, at tails for as many units as differ; scores have others."""
        other = np.concatenate([self.OTHER[:differing], self.ONE[differing:]])
        systems = {"a": stats_of(self.ONE), "b": stats_of(other)}
        found = compare(systems, units="segments")
        pair = found.pairs[0]
        assert pair.differing == differing
        assert pair.interval.method == "expanded-percentile"
        assert {each.interval.method for each in found.systems.values()} == {"bca"}
        t = scipy.stats.t.ppf(0.025, differing - 1)
        quantile = math.sqrt(differing / (differing - 1)) * t
        assert inference.expanded_quantile(0.025, differing) == pytest.approx(quantile, rel=1e-5)
        middle = pair.interval.mean
        half = -quantile * pair.interval.error
        assert pair.interval.low <= middle <= pair.interval.high
        if differing == 400:
            assert pair.interval.low == pytest.approx(middle - half, abs=0.1 * half)
            assert pair.interval.high == pytest.approx(middle + half, abs=0.1 * half)

    @quiet
    def test_one_unit_differs(self):
        """Nothing can be known of its spread: the interval has all samples."""
        other = np.concatenate([self.OTHER[:1], self.ONE[1:]])
        pair = compare({"a": stats_of(self.ONE), "b": stats_of(other)}, units="segments").pairs[0]
        assert inference.expanded_quantile(0.025, 1) == -math.inf
        assert pair.interval.low <= min(0, pair.delta)
        assert pair.interval.high >= max(0, pair.delta)

    @quiet
    def test_equal_systems(self):
        """Nothing differs: p is 1, the interval of the difference is a point, and it is decided."""
        systems, references = corpus(1, 60, "A")
        found = compare({"A": systems["A"], "B": systems["A"]}, references)
        pair = found.pair("A", "B")
        assert (pair.p_value, pair.p_adjusted, pair.delta, pair.differing) == (1, 1, 0, 0)
        assert (pair.interval.low, pair.interval.high, pair.undecided) == (0, 0, False)
        assert found.clusters == (("A", "B"),)

    @quiet
    def test_a_bootstrap_sample_is_a_sum_of_rows(self):
        """Of a corpus of equal segments every sample is the corpus itself."""
        found = confidence_interval(["a b c x"] * 40, ["a b c d"] * 40)
        score = Bleu().corpus(["a b c x"] * 40, ["a b c d"] * 40).score
        assert (found.low, found.high, found.mean) == pytest.approx((score,) * 3)
        assert found.error == pytest.approx(0, abs=1e-9)

    @looped("alpha", [0.001, 0.05, 0.4])
    @looped("count", [5, 12])
    def test_not_corrected(self, alpha, count):
        """Where an interval excludes 0 without significance, the reason is one that holds."""
        random = np.random.default_rng(8)
        systems = {f"s{number}": stats_of(rows(random, 120)) for number in range(count)}
        found = compare(systems, n_resamples=2000, alpha=alpha)
        expected = [
            pair
            for pair in found.pairs
            if (pair.interval.low > 0 or pair.interval.high < 0) and not pair.significant
        ]
        assert [pair for pair in found.pairs if pair.only_uncorrected] == expected
        assert expected or (alpha, count) != (0.05, 12)
        assert "intervals are not corrected for multiple comparisons" in str(found)
        reasons = {"p is adjusted": 0, "are different methods": 0}
        for pair in expected:
            # Only the correction keeps it from being significant.
            reasons["p is adjusted" if pair.p_value < alpha else "are different methods"] += 1
        lines = [line for line in str(found).splitlines() if "interval excludes 0" in line]
        assert len(lines) == sum(number > 0 for number in reasons.values())
        for reason, number in reasons.items():
            said = [line for line in lines if reason in line]
            assert [line.split()[0] for line in said] == [str(number)] * (number > 0)
        alone = compare({name: systems[name] for name in ("s0", "s1")}, n_resamples=100)
        assert "not corrected" not in str(alone)

    def test_detectable(self):
        """It is the difference that one test finds four times in five, before any correction."""
        systems, references = corpus(5, 120, ("first", "second", "third", "fourth"))
        pair = compare(systems, references).pair("first", "fourth")
        error = pair.interval.error
        assert pair.detectable == pytest.approx(
            error * (NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8))
        )
        # Of six tests, the first step of Holm's method is at a sixth of alpha.
        assert pair.detectable_adjusted == pytest.approx(
            error * (NormalDist().inv_cdf(1 - 0.025 / 6) + NormalDist().inv_cdf(0.8))
        )

    @quiet
    def test_what_nothing_can_detect(self):
        """Too few units differ: there is no detectable difference."""
        for differing, detected in ((0, False), (4, False), (6, True)):
            changed = np.concatenate([self.OTHER[:differing], self.ONE[differing:]])
            systems = {"a": stats_of(self.ONE), "b": stats_of(changed)}
            pair = compare(systems, units="segments").pairs[0]
            assert pair.differing == differing
            assert (pair.detectable is not None) == detected


class TestHumanAgreement:
    """In which share of cases people order two systems alike, where the paper has the metric."""

    @pytest.mark.parametrize(
        ("metric", "difference", "percent"),
        [(Bleu, 0.5, 54.63), (Bleu, -1, 63.99), (Bleu, 2, 77.16), (Chrf, 1, 70.02)],
    )
    def test_worked_numbers(self, metric, difference, percent):
        """As their tool computes them."""
        found = human_agreement(metric().corpus(["a b"], ["a c"]).metric, difference)
        assert 100 * found == pytest.approx(percent, abs=0.006)

    @given(st.sampled_from([Bleu, Chrf]), st.floats(-100, 100))
    def test_range(self, metric, difference):
        """It is never below one half, which is chance, nor above what the fit has at its end."""
        found = human_agreement(metric().corpus(["a b"], ["a c"]).metric, difference)
        most = 0.8834 if metric is Bleu else 0.93
        assert found is None if difference == 0 else 0.5 <= found <= most

    @pytest.mark.parametrize(
        "metric", [Bleu(), Chrf(), Ter(), Bleu(lowercase=True), Chrf(word_order=2), ExactMatch()]
    )
    @quiet
    def test_of_a_pair(self, metric):
        """It is always there where it is known; not printed, and not known of equal scores."""
        systems, references = corpus(5, 120, "AB")
        found = compare(systems, references, metrics=metric, n_resamples=50)
        [pair] = found.pairs
        known = metric in {Bleu(), Chrf()}
        assert (pair.human_agreement is not None) == (known and pair.delta != 0)
        assert "human" not in str(found)
        [equal] = compare(dict.fromkeys("AB", systems["A"]), references, metrics=metric).pairs
        assert equal.human_agreement is None


class TestRanks:
    """Ranges of ranks, as in WMT, in metrics of both directions."""

    @pytest.mark.parametrize("metric", [ExactMatch(), Misses(), Chrf(), Ter()])
    def test_shown(self, metric):
        """Text has the range, TSV and JSON its ends; a baseline leaves ranks open."""
        random = Random(2)
        references = [f"text {number}" for number in range(150)]
        systems = {
            name: [text if random.random() < share else "?" for text in references]
            for name, share in (("worst", 0.3), ("good", 0.7), ("same", 0.68))
        }
        found = compare(systems, references, metrics=metric, n_resamples=200)
        assert found.rank_ranges == {"good": (1, 2), "same": (1, 2), "worst": (3, 3)}
        assert found.to_dict()["rank_ranges"]["good"] == [1, 2]
        lines = {
            line.split()[0]: line.split()
            for line in str(found).partition("\npairs")[0].splitlines()
            if line.strip()
        }
        assert [lines[name][1] for name in ("good", "same", "worst")] == ["1-2", "1-2", "3"]
        assert re.search(
            r"rank \d-\d: \d systems? significantly better, \d significantly w", str(found)
        )
        header, *cells = found.blocks(plain=True)[0].table()
        places = [header.index(name) for name in ("best rank", "worst rank")]
        assert [[row[place] for place in places] for row in cells] == [["1", "2"]] * 2 + [["3"] * 2]
        baseline = compare(systems, references, metrics=metric, baseline="worst", n_resamples=None)
        assert baseline.rank_ranges is baseline.clusters is None
        assert "rank" not in str(baseline)
