"""Rates of errors and coverage: as the documentation has them, in fewer repetitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from looping import later

from campaign import rates

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore:.*times as long as:truebleu.SettingsWarning"),
]


def is_later(scenario):
    """Return whether others are like it: with fewer and with more units, or of another language."""
    between = scenario.written[1].split()[0] in {"30", "40", "60", "100", "200"}
    one_of_many = scenario.units in ("segments", "documents") and not scenario.warned
    return scenario.name.startswith("en-is") or (between and one_of_many)


@pytest.mark.slow
class TestRates:
    """Tests reject, and intervals cover, as often as the documentation says."""

    REPEATS = 200
    # With so many, p-values and the ends of intervals are as valid, but vary more.
    TRIALS = 399

    def low(self, share):
        """Return four standard errors below a share."""
        return share - 4 * math.sqrt(share * (1 - share) / self.REPEATS)

    @pytest.mark.parametrize(
        "scenario",
        [later(each) if is_later(each) else each for each in rates.SCENARIOS],
        ids=lambda each: ", ".join(each.written),
    )
    def test_scenario(self, scenario):
        """Bounds are four standard errors wide; what the documentation warns of is not bound."""
        scenario = scenario._replace(sacrebleu=False)
        found = rates.measure(scenario, self.REPEATS, trials=self.TRIALS)
        if scenario.units == "as segments":
            # Had they been told of the documents, they would hold the level.
            assert found.system < self.low(0.95)
            assert found.dependence > 0.8
        elif scenario.units == "segments":
            assert found.dependence <= 0.01 + 4 * math.sqrt(0.01 * 0.99 / self.REPEATS)
        if scenario.warned:
            assert 0 < found.system <= 1
            return
        if scenario.equal:
            for share, level in zip(found.rejected, (0.05, 0.01), strict=True):
                assert share <= level + 4 * math.sqrt(level * (1 - level) / self.REPEATS)
            assert found.not_worse <= 0.065 + 4 * math.sqrt(0.065 * 0.935 / self.REPEATS)
        assert found.difference >= self.low(0.95)
        assert found.system >= self.low(0.95)

    @pytest.mark.parametrize("segments", [200, 1000])
    def test_margin(self, segments):
        """Of a system that is worse by the margin, non-inferiority is rarely shown."""
        not_worse, equivalent = rates.shown_share(1.0, 1.0, segments, self.REPEATS)
        assert not_worse <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / self.REPEATS)
        assert equivalent <= not_worse

    @pytest.mark.parametrize("case", rates.RUNS, ids=lambda case: case.written)
    def test_runs(self, case):
        """Of equal systems with several runs, as of those with one; 4 standard errors."""
        self.check(rates.of_runs(case, self.REPEATS, trials=self.TRIALS))

    @pytest.mark.parametrize("case", rates.SETS)
    def test_sets(self, case):
        """Of the average of two sets, as of one."""
        self.check(rates.of_sets(case, self.REPEATS, trials=self.TRIALS))

    def check(self, found):
        most = 0.065 + 4 * math.sqrt(0.05 * 0.95 / self.REPEATS)
        assert max(found.rejected[0], found.not_worse) <= most
        assert min(found.difference, found.system) >= self.low(0.95)

    @pytest.mark.parametrize("case", rates.UNPAIRED)
    def test_unpaired(self, case):
        """Of two corpora of one system that share no segments."""
        found = rates.of_unpaired(case, 2 * self.REPEATS)
        most = 0.065 + 4 * math.sqrt(0.05 * 0.95 / found.repeats)
        assert max(found.rejected[0], found.not_worse) <= most

    @examples(deadline=None, max_examples=5)
    @given(st.integers(0, 2**32))
    def test_stopping_early_changes_no_rate(self, seed):
        """Of equal systems, p-values of tests that may stop are small as rarely as they say."""
        random = np.random.default_rng(seed)
        # 500 extreme ones of 1,000 and of 4,000, instead of 10,000 and 40,000.
        p_values = []
        for _ in range(2000):
            chance = random.random()
            extreme, done = 0, 0
            for stop in (1000, 4000, 8000):
                extreme += random.binomial(stop - done, chance)
                done = stop
                if extreme >= 500:
                    break
            p_values.append((extreme + 1) / (done + 1))
        for level in (0.01, 0.05, 0.13, 0.5, 0.51, 0.9):
            share = np.mean(np.array(p_values) <= level)
            assert share <= level + 4 * math.sqrt(level * (1 - level) / 2000)
