"""Margins: non-inferiority and equivalence, in results and in every output."""

import json
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from looping import looped
from truebleu import GivenScores, SettingsError, Ter, compare, report
from truebleu.significance.leads import strongest

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore:Neighboring:truebleu.SettingsWarning"),
]

REFERENCES = [f"a b c d e f g {number}" for number in range(90)]
SYSTEMS = {
    "new": [text.replace("a b", "b") if "3" in text else text for text in REFERENCES],
    "old": [text.replace("f g", "g f") if "4" in text else text for text in REFERENCES],
    "bad": [text.replace("c d", "x") for text in REFERENCES],
}


def compared(one, other, *, lower=False, **how):
    """Compare two systems by scores of segments, which are independent."""
    scores = {"one": one, "other": other}
    given_ = {"points": GivenScores(scores, lower_is_better=lower)}
    return compare(scores, scores=given_, units="segments", **how)["points"]


class TestMargins:
    """What a margin tests, and what it needs."""

    @examples(max_examples=150)
    @given(
        st.integers(0, 2**32),
        st.sampled_from([2, 3, 4, 8, 30, 200]),
        st.sampled_from([0.0, 0.1, 0.5, 2.0]),
        st.floats(-1, 1),
        st.sampled_from([0.01, 0.05, 0.3]),
        st.booleans(),
    )
    @pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    def test_intervals_never_contradict(self, seed, count, margin, gap, alpha, lower):
        """A system is not worse, at half of alpha, exactly if the interval ends within the margin.

        So it is with the other side; each p-value inverts the interval, in both directions.
        """
        random = np.random.default_rng(seed)
        one, other = random.normal(gap, 1, count), random.normal(0, 1, count)
        how = {"lower": lower, "margin": margin, "alpha": alpha, "n_resamples": 2000}
        [pair] = compared(one, other, **how).pairs
        interval = pair.interval
        low, high = (interval.low, interval.high)
        if lower:
            low, high = -high, -low
        for p, end in ((pair.p_not_worse, low), (pair.p_not_better, -high)):
            inside = end > -margin
            if abs(end + margin) < 1e-9:
                continue
            assert (p < alpha / 2) == inside
        assert pair.p_equivalent == max(pair.p_not_worse, pair.p_not_better)

    @given(st.integers(0, 2**32))
    @pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    def test_against_scipy(self, seed):
        """Of averages of many segments, p-values are those of two one-sided t-tests."""
        random = np.random.default_rng(seed)
        one, other = random.normal(0.1, 1, 300), random.normal(0, 1, 300)
        [pair] = compared(one, other, margin=0.2).pairs
        for found, shift, side in (
            (pair.p_not_worse, 0.2, "greater"),
            (pair.p_not_better, -0.2, "less"),
        ):
            expected = scipy.stats.ttest_rel(one + shift, other, alternative=side).pvalue
            assert found == pytest.approx(expected, abs=0.03)

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
        pair = compare(SYSTEMS, REFERENCES, margin=2, metrics=Ter()).pair("new", "bad")
        assert pair.p_not_worse < 0.05 < pair.p_not_better

    def test_equal_systems(self):
        """Without a unit that differs, all is shown of any margin but 0, as the interval says."""
        systems = {"a": SYSTEMS["new"], "b": SYSTEMS["new"]}
        for margin in (0, 0.01, 5):
            found = compare(systems, REFERENCES, margin=margin)
            assert (found.pairs[0].p_equivalent == 1) == (margin == 0)
            assert (strongest(found, found.pairs[0]) is None) == (margin == 0)

    @looped("margin", [np.float32(0.5), Fraction(1, 2), Decimal("0.5"), np.int64(1)])
    def test_numbers(self, margin):
        """Every real number is one."""
        found = compare(SYSTEMS, REFERENCES, margin=margin, baseline="old", n_resamples=39)
        assert found.margin == margin
        assert found.regressions(margin=margin) == found.regressions(margin=float(margin))

    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ({"margin": -1}, "margin is -1"),
            ({"margin": float("inf")}, "margin is inf"),
            ({"margin": "2"}, "margin is '2'"),
            ({"margin": 2, "n_resamples": None}, "margin needs bootstrap samples"),
        ],
    )
    def test_refused(self, how, message):
        """A margin is a finite number from 0, and inverts an interval."""
        with pytest.raises(SettingsError, match=message):
            compare(SYSTEMS, REFERENCES, **how)


def statement(pair, margin=1.0, alpha=0.05, **changes):
    """Return the strongest statement on a pair, whose p-values are changed."""
    changed = pair.replace(
        **{"p_not_worse": 0.5, "p_not_better": 0.5, "significant": False, "p_adjusted": 0.5}
        | {"adjusted_at_floor": False}
        | changes
    )
    changed = changed.replace(p_equivalent=max(changed.p_not_worse, changed.p_not_better))
    return strongest(FOUND.replace(margin=margin, alpha=alpha), changed)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    FOUND = compare(SYSTEMS, REFERENCES, margin=2, baseline="old")


class TestOutputs:
    """Every output has what is shown in words, and no other statement."""

    @pytest.mark.parametrize("turned", [False, True])
    def test_strongest(self, turned):
        """Equivalence, superiority, then non-inferiority, each only with a p below alpha."""
        pair = FOUND.pair("new", "old")
        better, worse = ("new", "old") if pair.delta > 0 else ("old", "new")
        if turned:
            pair = pair.mirrored()
        first = "p_not_worse" if pair.one == better else "p_not_better"
        second = "p_not_better" if pair.one == better else "p_not_worse"
        assert statement(pair) is None
        assert statement(pair, **{first: 0.05, second: 0.05}) is None
        within = f"{better} and {worse} differ by less than 1 BLEU, p = 0.040"
        assert statement(pair, **{first: 0.01, second: 0.04}, significant=True) in within + "0"
        assert statement(pair, **{first: 0.01}, significant=True, p_adjusted=0.03).startswith(
            f"{better} is better than {worse}, p = 0.03"
        )
        marked = statement(pair, significant=True, p_adjusted=1e-4, adjusted_at_floor=True)
        assert marked.endswith("†")
        text = f"{better} is at most 1 BLEU worse than {worse}, p = 0.01"
        assert statement(pair, **{first: 0.01}).startswith(text)
        text = f"{worse} is at most 1 BLEU worse than {better}, p = 0.01"
        assert statement(pair, **{second: 0.01}).startswith(text)

    def test_text(self):
        """A table of the pairs, with what each p is of; what is shown leads."""
        text = str(FOUND)
        assert "margin of 2 BLEU\n" in text
        assert (
            "A    B    A at most 2 BLEU worse  B at most 2 BLEU worse  A and B within 2 BLEU"
            in text
        )
        assert "|margin:2|" in FOUND.signature
        assert "margin" not in str(compare(SYSTEMS, REFERENCES))
        said = [strongest(FOUND, pair) for pair in FOUND.pairs]
        assert None not in said
        page = FOUND.to_html()
        assert f'<p class="lead">Shown: {"; ".join(said)}.' in page
        nothing = compare(SYSTEMS, REFERENCES, margin=0.001, units=30, n_resamples=50)
        nothing = nothing.replace(
            pairs=tuple(
                pair.replace(p_not_worse=0.5, p_not_better=0.5, p_equivalent=0.5, significant=False)
                for pair in nothing.pairs
            )
        )
        page = nothing.to_html()
        assert "Nothing is shown for the margin of 0.001 BLEU." in page
        assert "Shown: nothing." in page
        assert "lead over" not in page

    def test_json(self):
        """It has the margin, and the p-values of each pair."""
        values = json.loads(json.dumps(FOUND.to_dict()))
        assert values["margin"] == 2
        assert values["pairs"][0]["p_not_worse"] == FOUND.pairs[0].p_not_worse

    def test_paper_and_report(self):
        """A note for each pair of which something is shown, and a sentence on the method."""
        said = str(FOUND.paper())
        for pair in FOUND.pairs:
            assert f"BLEU: {strongest(FOUND, pair)}\n" in said
        assert (
            "with a margin of 2, were tested one-sided, by inverting the intervals of differences"
            in said
        )
        made = report(SYSTEMS, REFERENCES, margin=2, baseline="old").to_html()
        assert f"Shown: {strongest(FOUND, FOUND.pair('new', 'old'))}." in made

    def test_gates(self):
        """A system passes that is shown to be at most so much worse."""
        assert [pair.one for pair in FOUND.possible_regressions()] == ["bad"]
        with pytest.raises(SettingsError, match="needs a baseline and a margin"):
            compare(SYSTEMS, REFERENCES, baseline="old").possible_regressions()


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
def test_outputs_that_are_the_same():
    """Outputs that do not differ, or in one unit only, are within a margin that holds all samples.

    A gate does not fail for a change that leaves all outputs as they are.
    """
    references = ["a b c d e f"] * 20 + ["g h i j k l"] * 20
    outputs = ["a b c d x f"] * 20 + ["g h i j k l"] * 20
    other = [*outputs[:-1], "g h i j k x"]
    for systems in ({"one": outputs, "other": [*outputs]}, {"one": outputs, "other": other}):
        how = {"baseline": "other", "units": "segments"}
        found = compare(systems, references, margin=20, **how)
        [pair] = found.pairs
        assert max(pair.p_not_worse, pair.p_not_better, pair.p_equivalent) < 0.001
        assert found.possible_regressions() == ()
    [pair] = compare(systems, references, margin=0.001, **how).pairs
    assert pair.p_equivalent == 1
