"""What differences mean to people, and how often tests of equal scores reject."""

import numpy as np
import pytest
import scipy.stats
from looping import looped
from truebleu import Bleu, Chrf, SegmentScores, SettingsError, Ter, compare
from truebleu.significance.human_agreement import agreement, fit_of

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

REFERENCES = [f"a b c d e f g {number}" for number in range(90)]
SYSTEMS = {
    "good": [text.replace("a b", "b") if "3" in text else text for text in REFERENCES],
    "bad": [text.replace("c d", "x") for text in REFERENCES],
}


class TestHumanAgreement:
    """Shares of pairs of systems are those of the paper, where it has the metric."""

    @pytest.mark.parametrize(
        ("metric", "difference", "percent"),
        [(Bleu, 0.5, 54.63), (Bleu, -1, 63.99), (Bleu, 2, 77.16), (Chrf, 1, 70.02)],
    )
    def test_worked_numbers(self, metric, difference, percent):
        """As their tool computes them; never more than the fit has for endless differences."""
        [pair] = compare(SYSTEMS, REFERENCES, metric=metric(), human_agreement=True).pairs
        fit = fit_of(metric().corpus(SYSTEMS["good"], REFERENCES).metric)
        assert 100 * agreement(fit, difference) == pytest.approx(percent, abs=0.006)
        assert pair.human_agreement == agreement(fit, pair.delta) <= fit[0] / 100

    def test_it_is_said(self):
        """Beside the source, and only if it was asked for."""
        asked = compare(SYSTEMS, REFERENCES, human_agreement=True)
        assert "Kocmi et al. (2024)" in str(asked)
        assert "at most 88.3% for BLEU" in str(asked)
        assert "humans agree" in asked.to_csv()
        [equal] = compare(
            dict.fromkeys("ab", SYSTEMS["bad"]), REFERENCES, human_agreement=True
        ).pairs
        assert equal.human_agreement is None  # Equal scores order nothing.
        silent = compare(SYSTEMS, REFERENCES)
        assert "human" not in str(silent)
        assert silent.pairs[0].human_agreement is None

    @looped("metric", [Ter(), Bleu(lowercase=True), Chrf(word_order=2)])
    def test_others(self, metric):
        """Other metrics, and other settings, have a sentence and no number."""
        found = compare(SYSTEMS, REFERENCES, metric=metric, human_agreement=True)
        assert found.pairs[0].human_agreement is None
        assert "known of BLEU and chrF with default settings only" in str(found)

    def test_refused(self):
        """It is a switch."""
        with pytest.raises(SettingsError, match="human_agreement"):
            compare(SYSTEMS, REFERENCES, human_agreement="yes")


class TestFalseAlarms:
    """The ratio of two standard errors says how often tests of equal scores would reject."""

    @looped("alternative", ["two-sided", "better"])
    def test_averages(self, alternative):
        """Swaps of averages have the variance around 0, the bootstrap that around the mean."""
        random = np.random.default_rng(1)
        one, other = random.normal(0.5, 1, 400), random.normal(0, 1, 400)
        metric = SegmentScores("points")
        counted = {"one": metric.from_scores(one), "other": metric.from_scores(other)}
        found = compare(counted, metric=metric, alternative=alternative)
        gaps = one - other
        ratio = np.sqrt((gaps**2).mean()) / gaps.std()
        tails = 1 if alternative == "better" else 2
        expected = tails * scipy.stats.norm.sf(ratio * scipy.stats.norm.isf(0.05 / tails))
        assert found.pairs[0].false_alarms == pytest.approx(expected, abs=0.01)

    def test_when_there_is_none(self):
        """Of the bootstrap, of exact tests, and without intervals."""
        for how in ({"test": "bootstrap"}, {"n_resamples": None}):
            assert compare(SYSTEMS, REFERENCES, **how).pairs[0].false_alarms is None
        few = {"good": SYSTEMS["good"], "same": [*SYSTEMS["good"][:-1], "x"]}
        assert compare(few, REFERENCES).pairs[0].false_alarms is None

    def test_it_is_said(self):
        """Of systems of which one is too short, and the other too long."""
        random = np.random.default_rng(3)
        cut = [" ".join(text.split()[: random.integers(4, 9)]) for text in REFERENCES]
        long = [f"{text} {'x ' * random.integers(0, 5)}" for text in REFERENCES]
        found = compare({"cut": cut, "long": long}, REFERENCES)
        [pair] = found.pairs
        assert ("if the scores of these systems were equal" in str(found)) == (
            pair.false_alarms > 0.07
        )
