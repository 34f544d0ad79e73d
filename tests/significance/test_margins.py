"""Margins: non-inferiority and equivalence, in results and in every output."""

import json
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from truebleu import SettingsError, Ter, compare
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.testing import assert_not_worse

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

REFERENCES = [f"a b c d e f g {number}" for number in range(90)]
SYSTEMS = {
    "new": [text.replace("a b", "b") if "3" in text else text for text in REFERENCES],
    "old": [text.replace("f g", "g f") if "4" in text else text for text in REFERENCES],
    "bad": [text.replace("c d", "x") for text in REFERENCES],
}


class TestMargins:
    """What a margin tests, and what it needs."""

    @given(st.integers(0, 2**32))
    def test_against_scipy(self, seed):
        """Of averages of many segments, p-values are those of two one-sided t-tests."""
        random = np.random.default_rng(seed)
        one, other = random.normal(0.1, 1, 300), random.normal(0, 1, 300)
        metric = SegmentScores("points")
        counted = {"one": metric.from_scores(one), "other": metric.from_scores(other)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            [pair] = compare(counted, metric=metric, margin=0.2, n_trials=99).pairs
        for found, shift, side in (
            (pair.p_not_worse, 0.2, "greater"),
            (pair.p_not_better, -0.2, "less"),
        ):
            expected = scipy.stats.ttest_rel(one + shift, other, alternative=side).pvalue
            assert found == pytest.approx(expected, abs=0.03)
        assert pair.p_equivalent == max(pair.p_not_worse, pair.p_not_better)

    def test_directions(self):
        """A pair the other way round has the sides exchanged; where lower is better, both turn."""
        found = compare(SYSTEMS, REFERENCES, margin=2)
        pair, mirrored = found.pair("new", "bad"), found.pair("bad", "new")
        assert (pair.p_not_worse, pair.p_not_better) == (
            mirrored.p_not_better,
            mirrored.p_not_worse,
        )
        assert pair.p_not_worse < 0.05 < mirrored.p_not_worse
        assert pair.p_equivalent == mirrored.p_equivalent > 0.05
        pair = compare(SYSTEMS, REFERENCES, margin=2, metric=Ter()).pair("new", "bad")
        assert pair.p_not_worse < 0.05 < pair.p_not_better

    def test_equal_systems(self):
        """They are equivalent under any margin above 0, and not under 0."""
        systems = {"a": SYSTEMS["new"], "b": SYSTEMS["new"]}
        [pair] = compare(systems, REFERENCES, margin=0.01).pairs
        assert pair.p_equivalent == 1 / 10_001
        [pair] = compare(systems, REFERENCES, margin=0).pairs
        assert pair.p_equivalent == 1

    def test_holm(self):
        """P-values are adjusted for all pairs."""
        every = compare(SYSTEMS, REFERENCES, margin=5)
        alone = [
            compare({name: SYSTEMS[name] for name in (pair.one, pair.other)}, REFERENCES, margin=5)
            for pair in every.pairs
        ]
        raw = [each.pairs[0].p_not_better for each in alone]
        factor = [len(raw) - sorted(raw).index(p) for p in raw]
        expected = np.array([min(1, p * times) for p, times in zip(raw, factor, strict=True)])
        assert min(each.p_not_better for each in every.pairs) == pytest.approx(min(expected))
        assert all(pair.p_not_better >= p - 1e-12 for pair, p in zip(every.pairs, raw, strict=True))

    @looped("margin", [np.float32(0.5), Fraction(1, 2), Decimal("0.5"), np.int64(1)])
    def test_numbers(self, margin):
        """Every real number is one."""
        found = compare(SYSTEMS, REFERENCES, margin=margin, baseline="old", n_resamples=20)
        assert found.margin == margin
        assert found.regressions(margin=margin) == found.regressions(margin=float(margin))


class TestOutputs:
    """Every output has the statements in words."""

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        FOUND = compare(SYSTEMS, REFERENCES, margin=2, baseline="old")

    def test_text(self):
        """A table of the pairs, with what each p is of."""
        text = str(self.FOUND)
        assert "margin of 2 BLEU\n" in text
        assert (
            "A    B    A at most 2 BLEU worse  B at most 2 BLEU worse  A and B within 2 BLEU"
            in text
        )
        assert "|margin:2|" in self.FOUND.signature
        assert "margin" not in str(compare(SYSTEMS, REFERENCES))
        first = self.FOUND.margin_words(self.FOUND.pairs[0]).split("; ")[0]
        assert f'<p class="lead">Shown: {first}; ' in self.FOUND.to_html()
        # One-sided tests without a baseline say nothing of all leads.
        page = compare(SYSTEMS, REFERENCES, alternative="better", n_resamples=50).to_html()
        assert "BLEU.</p>" in page
        assert "lead over" not in page

    def test_json(self):
        """It has the margin, and the p-values of each pair."""
        values = json.loads(json.dumps(self.FOUND.to_dict()))
        assert values["margin"] == 2
        assert values["pairs"][0]["p_not_worse"] == self.FOUND.pairs[0].p_not_worse

    def test_paper(self):
        """A note for each pair, and a sentence on the method."""
        said = str(self.FOUND.paper())
        assert "BLEU: new is at most 2 BLEU worse than old, p = " in said
        assert "equivalence, with a margin of 2, were tested by one-sided bootstrap tests" in said

    def test_gates(self):
        """A system passes that is shown to be at most so much worse."""
        assert [pair.one for pair in self.FOUND.possible_regressions()] == ["bad"]
        both = SYSTEMS["new"], SYSTEMS["old"], REFERENCES
        assert assert_not_worse(*both, possibly=True, margin=5).margin == 5
        worse = SYSTEMS["bad"], *both[1:]
        with pytest.raises(AssertionError, match="BLEU is possibly worse: 'system' - 'baseline'"):
            assert_not_worse(*worse, possibly=True, margin=0.1)
        with pytest.raises(SettingsError, match="are opposites"):
            assert_not_worse(*both, possibly=True, significantly=True)
        with pytest.raises(SettingsError, match="needs a baseline and a margin"):
            compare(SYSTEMS, REFERENCES, baseline="old").possible_regressions()
