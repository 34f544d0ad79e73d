"""A correction for the number of metrics, on request."""

import pytest
from truebleu import SettingsWarning, compare

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

REFERENCES = [f"a b c d e f g {number}" for number in range(90)]
SYSTEMS = {
    "one": [text.replace("a b", "b a") if "3" in text else text for text in REFERENCES],
    "other": [text.replace("f g", "x") if "4" in text else text for text in REFERENCES],
    "third": [text.replace("c d", "d c") if "5" in text else text for text in REFERENCES],
}
METRICS = ["bleu", "chrf", "ter"]


def holm(p_values):
    """Adjust p-values, by the definition."""
    found, highest = {}, 0
    for rank, (p_value, key) in enumerate(sorted((p, key) for key, p in p_values.items())):
        highest = max(highest, min(1, (len(p_values) - rank) * p_value))
        found[key] = highest
    return found


@pytest.mark.parametrize("baseline", [None, "one"])
def test_holm(baseline):
    """All pairs under all metrics are one family; scores, intervals and p-values are the same."""
    how = {"metrics": METRICS, "baseline": baseline, "n_resamples": 500}
    alone = compare(SYSTEMS, REFERENCES, **how)
    found = compare(SYSTEMS, REFERENCES, metrics_correction="holm", **how)
    p_values = {}
    for name, comparison in found.items():
        pairs = zip(comparison.pairs, alone[name].pairs, strict=True)
        for pair, before in pairs:
            assert (pair.delta, pair.interval) == (before.delta, before.interval)
            p_values[name, pair.one, pair.other] = pair.p_value
            assert pair.p_adjusted >= pair.p_value
        assert comparison.n_tests == 3 * alone[name].n_tests
        assert "|family:3|" in comparison.signature
        assert "|family" not in alone[name].signature
        assert f"Holm's method for {comparison.n_tests} tests" in str(comparison)
    expected = holm(p_values)
    for name, comparison in found.items():
        for pair in comparison.pairs:
            assert pair.p_adjusted == pytest.approx(expected[name, pair.one, pair.other])
            assert pair.significant == (pair.p_adjusted < 0.05)
    assert "p-values are corrected for the number of metrics" in str(found)
    assert "p-values are not corrected for the number of metrics" in str(alone)
    assert "P-values are not corrected" not in found.paper().methods
    assert "P-values are not corrected" in alone.paper().methods


def test_trials():
    """By default, there are as many as all tests need; too few are warned of."""
    how = {"metrics": METRICS, "metrics_correction": "holm", "n_resamples": None}
    with pytest.warns(SettingsWarning, match="100 trials are too few for 9 tests"):
        found = compare(SYSTEMS, REFERENCES, n_trials=100, **how)
    assert {comparison.n_tests for comparison in found.values()} == {9}
