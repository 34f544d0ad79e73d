"""Several runs of each system: Student's t, with the variance between runs and of segments."""

import numpy as np
import pytest
import scipy.stats
from truebleu import Bleu, InputError, SettingsError, Ter, compare, compare_runs
from truebleu.cli import main

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]

REFERENCES = [f"a b c d e f g h {number}" for number in range(80)]


def output(seed, share, references=REFERENCES):
    """Return the references with an error in a share of segments."""
    random = np.random.default_rng(seed)
    wrong = random.random(len(references)) < share
    return [
        text.replace("d e", "x") if bad else text
        for text, bad in zip(references, wrong, strict=True)
    ]


def runs(new, old, gap=0.2):
    return {
        "new": [output(number, 0.3) for number in range(new)],
        "old": [output(100 + number, 0.3 + gap) for number in range(old)],
    }


@pytest.mark.parametrize(("new", "old"), [(2, 2), (3, 3), (4, 6)])
@pytest.mark.parametrize("metric", [Bleu(), Ter()])
@pytest.mark.parametrize("margin", [None, 3])
def test_definition(new, old, metric, margin):
    """Variances of runs and of the segments they share, degrees of freedom after Satterthwaite.

    The jackknife stands in for the bootstrap: no random numbers, nearly the same covariance.
    """
    systems = runs(new, old, 0.05)
    [pair] = compare_runs(systems, REFERENCES, metrics=metric, margin=margin).pairs
    stats = [metric.stats(each, REFERENCES) for several in systems.values() for each in several]
    tables = [each.to_numpy() for each in stats]
    scores = np.array([metric.score(each).score for each in stats])
    left = np.array([metric.scores(each.sum(axis=0) - each) for each in tables])
    covariance = np.cov(left) * (len(REFERENCES) - 1) ** 2 / len(REFERENCES)
    weights = np.array([1 / new] * new + [-1 / old] * old)
    between, own = [], 0.0
    for part in (slice(0, new), slice(new, None)):
        k = len(scores[part])
        between.append((scores[part].var(ddof=1) / k, k - 1))
        inside = covariance[part, part]
        own += (np.trace(inside) - inside.sum() / k) / (k - 1) / k
    shared = max(0.0, weights @ covariance @ weights - own)
    total = sum(each for each, _ in between) + shared
    squares = sum(each**2 / freedom for each, freedom in between)
    freedom = total**2 / (squares + shared**2 / (len(REFERENCES) - 1))
    student = scipy.stats.t(freedom)
    assert pair.delta == pytest.approx(weights @ scores)
    assert pair.interval.error == pytest.approx(total**0.5, rel=0.03)
    assert pair.p_value == pytest.approx(2 * student.sf(abs(pair.delta) / total**0.5), abs=0.02)
    ends = scipy.stats.t.interval(0.95, freedom, loc=pair.delta, scale=total**0.5)
    assert (pair.interval.low, pair.interval.high) == pytest.approx(ends, abs=0.06 * np.ptp(ends))
    assert (pair.exact, pair.n_trials, pair.at_floor, pair.undecided) == (False, 0, False, False)
    # Without noise of the bootstrap, the test and the interval are one.
    assert (pair.p_value < 0.05) == pair.interval.excludes_zero
    if margin is not None:
        ahead = pair.delta if metric.higher_is_better else -pair.delta
        for p, points in ((pair.p_not_worse, margin + ahead), (pair.p_not_better, margin - ahead)):
            assert p == pytest.approx(student.sf(points / total**0.5), abs=0.02)
        low = pair.interval.low if metric.higher_is_better else -pair.interval.high
        assert (pair.p_not_worse < 0.025) == (low > -margin)


def test_of_runs_that_vary_it_is_welch():
    """Where segments add little to the variance between runs, the interval is about Welch's."""
    systems = runs(6, 4)
    found = compare_runs(systems, REFERENCES)
    one, other = ([each.score for each in found.systems[name].score.scores] for name in systems)
    welch = scipy.stats.ttest_ind(one, other, equal_var=False).confidence_interval()
    interval = found.pair("new", "old").interval
    assert (interval.low, interval.high) == pytest.approx((welch.low, welch.high), rel=0.2)
    assert interval.error >= np.hypot(scipy.stats.sem(one), scipy.stats.sem(other)) - 1e-9
    page = found.to_html()
    assert f"It leads old by {found.pair('new', 'old').delta:.2f} BLEU" in page
    assert page.count('class="run"') == 6 + 4
    for text in (str(found), found.to_markdown(), found.to_latex(), str(found.paper())):
        assert "Student's t" in text
        assert "randomization" not in text
    assert (found.test, found.test_description) == ("t", "Student's t-test of the means of runs")


def test_equal_runs_leave_the_variance_of_segments():
    """Without variance between runs, the interval is about that of the bootstrap."""
    one, other = output(1, 0.3), output(2, 0.5)
    found = compare_runs({"one": [one] * 5, "other": [other] * 5}, REFERENCES)
    pair, expected = found.pairs[0], compare({"one": one, "other": other}, REFERENCES).pairs[0]
    assert pair.between_runs == pytest.approx(0)
    assert pair.interval.error == pytest.approx(expected.interval.error, rel=0.03)
    [pair] = compare_runs({"one": [one] * 2, "other": [one] * 2}, REFERENCES).pairs
    assert (pair.delta, pair.p_value, pair.significant) == (0, 1, False)


def test_holm_and_baseline():
    """P-values of several systems are adjusted, of those with the baseline only."""
    systems = {**runs(3, 3), "third": [output(200 + number, 0.4) for number in range(2)]}
    for baseline, tests in ((None, 3), ("old", 2)):
        found = compare_runs(systems, REFERENCES, baseline=baseline)
        order = sorted(found.pairs, key=lambda pair: pair.p_value)
        steps = [min(1, (tests - place) * pair.p_value) for place, pair in enumerate(order)]
        assert found.n_tests == len(order) == tests
        assert [pair.p_adjusted for pair in order] == pytest.approx(np.maximum.accumulate(steps))


def test_it_depends_on_nothing_else():
    """Neither threads nor the order of systems change it; the seed changes little."""
    systems = runs(3, 2)
    [pair] = compare_runs(systems, REFERENCES, threads=1).pairs
    assert compare_runs(systems, REFERENCES, threads=3).pairs == (pair,)
    turned = compare_runs(dict(reversed(systems.items())), REFERENCES)
    assert turned.pair("new", "old").p_value == pytest.approx(pair.p_value)
    [reseeded] = compare_runs(systems, REFERENCES, seed=1).pairs
    assert reseeded.p_value == pytest.approx(pair.p_value, rel=0.2)


@pytest.mark.parametrize(
    ("systems", "how", "error", "message"),
    [
        ({"a": [REFERENCES]}, {}, InputError, "'a' has 1 of at least 2 runs"),
        ({"a": [REFERENCES] * 2}, {"n_resamples": None}, SettingsError, "needs bootstrap samples"),
        ({"a": [REFERENCES] * 2}, {"metrics": ["bleu"]}, SettingsError, "takes one metric"),
    ],
)
def test_refused(systems, how, error, message):
    """One run has no variance, and only one metric is taken."""
    with pytest.raises(error, match=message):
        compare_runs(systems, REFERENCES, **how)


@pytest.mark.slow
def test_level():
    """Systems that are the same but for chance differ significantly in about 5% of experiments."""
    random = np.random.default_rng(1)
    rejected = 0
    for number in range(400):
        hard = random.uniform(0.1, 0.6, 80)
        texts = [
            [text.replace("d e", "x") if bad else text for text, bad in zip(
                REFERENCES, random.random(80) < hard + random.normal(0, 0.03), strict=True)]
            for _ in range(8)
        ]  # fmt: skip
        systems = {"a": texts[:4], "b": texts[4:]}
        how = {"units": "segments", "n_resamples": 200, "seed": number}
        rejected += compare_runs(systems, REFERENCES, **how).pairs[0].significant
    assert 0.02 < rejected / 400 < 0.085


def test_command(tmp_path, capsys):
    """Several files of one name are its runs."""
    systems = runs(2, 3)
    (tmp_path / "ref").write_text("\n".join(REFERENCES) + "\n")
    groups = []
    for name, several in systems.items():
        files = [tmp_path / f"{name}{number}.txt" for number in range(len(several))]
        for file, texts in zip(files, several, strict=True):
            file.write_text("\n".join(texts) + "\n")
        groups += [f"{name}={file}" for file in files]
    assert main(["compare", *groups, "-r", str(tmp_path / "ref")]) == 0
    expected = str(compare_runs(systems, REFERENCES)).replace("units=[...]", "--units FILE")
    assert capsys.readouterr().out == expected + "\n"
