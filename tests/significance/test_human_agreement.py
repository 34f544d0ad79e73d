"""What differences mean to people."""

import pytest
from looping import looped
from truebleu import Bleu, Chrf, SettingsError, Ter, compare
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
