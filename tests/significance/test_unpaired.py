"""Corpora without common segments: Welch's t, each resampled by its own units."""

import html
from math import comb

import numpy as np
import pytest
import scipy.stats
from drawn import in_documents, rows, stats_of
from hypothesis import given
from hypothesis import strategies as st
from test_runs import output
from truebleu import (
    Bleu,
    InputError,
    InputTypeError,
    SettingsError,
    Ter,
    TruebleuError,
    compare_unpaired,
    confidence_interval,
)
from truebleu.errors import UnknownNameError
from truebleu.metrics.segment_scores import SegmentScores

POINTS = SegmentScores("points")
quiet = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")


@given(st.integers(0, 2**32), st.integers(2, 400), st.integers(2, 400), st.booleans())
@quiet
def test_of_averages_it_is_welch(seed, one, other, lower):
    """SciPy has the same statistic, degrees of freedom, interval, and statements on a margin.

    So few units that a permutation test would not reject do not reject, and are undecided.
    """
    random = np.random.default_rng(seed)
    values = {"this": random.normal(0.1, 1, one), "last": random.normal(0, 2, other)}
    metric = SegmentScores("points", lower_is_better=lower)
    counted = {name: metric.from_scores(each) for name, each in values.items()}
    found = compare_unpaired(counted, metrics=metric, units="segments", margin=0.2)
    [pair] = found.pairs
    expected = scipy.stats.ttest_ind(*values.values(), equal_var=False)
    ends = expected.confidence_interval()
    assert pair.delta == pytest.approx(expected.statistic * pair.interval.error)
    least = min(1, 2 / comb(one + other, one))
    assert pair.p_value == pytest.approx(max(least, expected.pvalue), rel=1e-4, abs=1e-9)
    assert pair.undecided == (least >= 0.05) == (found.clusters is None)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((ends.low, ends.high), rel=1e-5)
    assert pair.significant == (pair.p_value < 0.05)
    assert pair.significant == pair.interval.excludes_zero or pair.p_value == least
    sign = -1 if lower else 1
    for p, shift, side in ((pair.p_not_worse, 0.2, "greater"), (pair.p_not_better, -0.2, "less")):
        given_ = sign * values["this"] + shift, sign * values["last"]
        one_sided = scipy.stats.ttest_ind(*given_, equal_var=False, alternative=side)
        assert p == pytest.approx(one_sided.pvalue, rel=1e-4, abs=1e-9)
    for name, each in values.items():
        assert found.systems[name].interval.error == pytest.approx(scipy.stats.sem(each))


@pytest.mark.parametrize("metric", [Bleu(), Ter()])
def test_of_other_scores(metric):
    """Errors are near those of the bootstrap of each corpus; p is that of their t."""
    texts = {}
    for name, count, share in (("this", 150, 0.3), ("last", 90, 0.4)):
        references = [f"a b c d e f {number}" for number in range(count)]
        texts[name] = output(len(name), share, references), references
    found = compare_unpaired(texts, metrics=metric)
    errors = []
    for name, each in texts.items():
        errors.append(found.systems[name].interval.error)
        interval = confidence_interval(*each, metrics=metric)
        assert errors[-1] == pytest.approx(interval.error, rel=0.1)
    [pair] = found.pairs
    assert pair.interval.error == pytest.approx(np.hypot(*errors))
    statistic = abs(pair.delta) / pair.interval.error
    assert pair.p_value == pytest.approx(2 * scipy.stats.norm.sf(statistic), rel=0.15)
    counted = {name: metric.stats(*each) for name, each in texts.items()}
    again = compare_unpaired(counted, metrics=metric, seed=3, threads=2)
    assert again.pairs == found.pairs


@quiet
def test_few():
    """Two segments each are undecided: no verdict, no ranks, in words that speak of no pairs."""
    texts = {"this": (["a b c d"] * 2, ["a b c d"] * 2), "last": (["x", "a"], ["a b c d"] * 2)}
    found = compare_unpaired(texts, units="segments")
    assert (found.clusters, found.rank_ranges, found.pairs[0].significant) == (None, None, False)
    for shown in (str(found), found.to_markdown(), found.to_html(), str(found.paper())):
        assert "So few segments cannot give a p-value below alpha = 0.05: this - last (4)" in shown
        assert "rank" not in shown
    assert "this lead could not be tested: too few units." in found.to_html()


@quiet
def test_units():
    """Each corpus has its own, as its data ask for, or as they are given."""
    counted = {
        "this": stats_of(rows(np.random.default_rng(1), 300)),
        "last": in_documents(1, 60, 8)["a"],
    }
    found = compare_unpaired(counted)
    assert found.units.startswith("segments and blocks of ")
    assert [note[:12] for note in found.notes][:2] == ["this: Units:", "last: Units:"]
    documents = np.arange(480) // 8
    given_ = compare_unpaired(counted, units={"last": documents})
    assert given_.units == "segments and documents"
    plain = compare_unpaired(counted, units="segments")
    assert plain.systems["last"].interval.error < 0.7 * given_.systems["last"].interval.error
    assert plain.systems["this"] == found.systems["this"] == given_.systems["this"]


def test_outputs():
    """No format speaks of pairs, swaps or bootstrap samples."""
    random = np.random.default_rng(1)
    counted = {name: stats_of(rows(random, 200)) for name in ("this week", "last week")}
    found = compare_unpaired(counted, baseline="last week", margin=1)
    shown = [str(found), found.to_markdown(), html.unescape(found.to_html()), found.to_latex()]
    for text in (*shown, str(found.paper())):
        assert "Welch's t-test of independent samples" in text
        for word in ("randomization", "paired", "bootstrap", "swaps"):
            assert word not in text
    assert "|corpora:2|alpha:0.05|margin:1|version" in found.signature
    assert found.to_dict()["test"] == "welch"


@pytest.mark.parametrize(
    ("corpora", "how", "error", "message"),
    [
        ([], {}, InputTypeError, "a dict is needed"),
        ({}, {}, InputError, "there is no corpus"),
        ({"a": (["x"], ["x"])}, {"units": {"b": []}}, UnknownNameError, "units of 'b', but"),
        ({"a": ["x"]}, {}, InputTypeError, "the corpus 'a' is .*a pair of hypotheses and"),
        ({"a": (["x"], ["x"])}, {}, InputError, "a: cannot resample 1 segment"),
        ({"a": (["x"], ["x", "y"])}, {}, TruebleuError, "^a: hypotheses has 1"),
        ({"a": (["x"] * 9, ["x"] * 9)}, {"baseline": "b"}, UnknownNameError, "no baseline 'b'"),
        ({"a": (["x"] * 9, ["x"] * 9)}, {"metrics": ["bleu"]}, SettingsError, "takes one metric"),
        ({"a": (["x"], ["x"])}, {"n_resamples": 9}, SettingsError, "'n_resamples' is no parameter"),
    ],
)
def test_refused(corpora, how, error, message):
    """What is no corpus is named."""
    with pytest.raises(error, match=message):
        compare_unpaired(corpora, **how)


@pytest.mark.slow
@quiet
@pytest.mark.parametrize(("one", "other"), [(200, 200), (60, 400), (30, 30)])
def test_level(one, other):
    """Of two samples of the same segments, about 5% differ significantly."""
    random = np.random.default_rng(one)
    rejected = 0
    for _ in range(2000):
        counted = {"a": stats_of(rows(random, one)), "b": stats_of(rows(random, other))}
        rejected += compare_unpaired(counted, units="segments").pairs[0].significant
    assert 0.036 < rejected / 2000 < 0.068
