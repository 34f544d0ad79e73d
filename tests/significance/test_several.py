"""Several runs of each system, and several test sets."""

import re
import warnings

import numpy as np
import pytest
import truebleu
from truebleu import compare, compare_runs, compare_sets

scipy_stats = pytest.importorskip("scipy.stats")

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]

REFERENCES = [f"a b c d e f g h {number}" for number in range(80)]


def output(seed, share):
    """Return the references with an error in a share of segments."""
    random = np.random.default_rng(seed)
    wrong = random.random(len(REFERENCES)) < share
    return [
        text.replace("d e", "x") if bad else text
        for text, bad in zip(REFERENCES, wrong, strict=True)
    ]


def runs(new, old, gap=0.2):
    return {
        "new": [output(number, 0.3) for number in range(new)],
        "old": [output(100 + number, 0.3 + gap) for number in range(old)],
    }


class TestRuns:
    """Whole runs are swapped, and the variance between runs is part of the intervals."""

    @pytest.mark.parametrize(
        ("new", "old", "alternative"),
        [(3, 3, "two-sided"), (5, 5, "two-sided"), (4, 6, "two-sided"), (4, 4, "better")],
    )
    @pytest.mark.parametrize("metric", ["bleu", "ter"])
    def test_against_scipy(self, new, old, alternative, metric):
        """The p-value is that of an exact permutation test of the same statistic."""
        systems = runs(new, old, 0.05)
        found = compare_runs(systems, REFERENCES, metric=metric, alternative=alternative)
        [pair] = found.pairs
        stats = metric_stats(systems, metric)
        chosen = {"bleu": truebleu.Bleu, "ter": truebleu.Ter}[metric]()
        tables = [each.to_numpy() for each in stats]
        scores = np.array([chosen.score(each).score for each in stats])
        # The jackknife in place of the bootstrap: no random numbers, nearly the same variance.
        left = np.array([chosen.scores(each.sum(axis=0) - each) for each in tables])
        covariance = np.cov(left) * (len(REFERENCES) - 1) ** 2 / len(REFERENCES)

        def studentized(first, second):
            first, second = first.astype(int), second.astype(int)
            weights = np.zeros(len(scores))
            weights[first], weights[second] = 1 / len(first), -1 / len(second)
            between, own = 0.0, 0.0
            for group in (first, second):
                between += scores[group].var(ddof=1) / len(group)
                inside = covariance[np.ix_(group, group)]
                k = len(group)
                own += (np.trace(inside) - inside.sum() / k) / (k - 1) / k
            shared = max(0.0, weights @ covariance @ weights - own)
            return weights @ scores / np.sqrt(between + shared)

        sign = 1 if chosen.higher_is_better else -1
        expected = scipy_stats.permutation_test(
            (np.arange(new), np.arange(new, new + old)),
            lambda one, other: (
                sign * studentized(one, other)
                if alternative == "better"
                else abs(studentized(one, other))
            ),
            n_resamples=np.inf,
            alternative="greater",
        )
        assert pair.p_value == pytest.approx(expected.pvalue, abs=0.02)
        assert pair.exact
        means = scores[:new].mean() - scores[new:].mean()
        assert pair.delta == pytest.approx(means, abs=1e-9)

    def test_of_independent_runs_it_is_welch(self):
        """Where segments add nothing to the variance between runs, the interval is Welch's."""
        systems = runs(6, 4)
        found = compare_runs(systems, REFERENCES)
        one, other = ([each.score for each in found[name].score.scores] for name in systems)
        welch = scipy_stats.ttest_ind(one, other, equal_var=False).confidence_interval()
        interval = found.pair("new", "old").interval
        # Runs have errors of their own: the segments add little.
        assert (interval.low, interval.high) == pytest.approx((welch.low, welch.high), rel=0.2)
        assert interval.error >= np.hypot(scipy_stats.sem(one), scipy_stats.sem(other)) - 1e-9
        page = found.to_html()
        assert f"It leads old by {found.pair('new', 'old').delta:.2f} BLEU" in page
        assert page.count('class="run"') == 6 + 4
        # The scores of several lists of weights are no runs.
        single = {name: several[0] for name, several in systems.items()}
        how = {"weights": [(1,), (0.5, 0.5)], "n_trials": 100, "n_resamples": 50}
        assert 'class="run"' not in compare(single, REFERENCES, **how).to_html()

    def test_identical_runs_leave_the_variance_of_segments(self):
        """Without variance between runs, the interval is about that of the bootstrap."""
        one, other = output(1, 0.3), output(2, 0.5)
        found = compare_runs({"one": [one] * 5, "other": [other] * 5}, REFERENCES)
        alone = compare({"one": one, "other": other}, REFERENCES)
        pair, expected = found.pairs[0], alone.pairs[0]
        assert pair.between_runs == pytest.approx(0)
        assert pair.interval.error == pytest.approx(expected.interval.error, rel=0.03)
        assert pair.delta == pytest.approx(expected.delta)
        # All ways to assign them would have the smallest possible p, whatever the systems.
        by_t = 2 * scipy_stats.t.sf(abs(pair.delta) / pair.interval.error, len(REFERENCES) - 1)
        assert pair.p_value == pytest.approx(by_t)
        assert pair.p_value > 2 / 252

    @pytest.mark.parametrize("metric", ["bleu", "ter"])
    def test_margin(self, metric):
        """P-values of a margin are Student's; non-inferiority ends where the bound does."""
        systems = runs(5, 4, 0.05)
        [pair] = compare_runs(systems, REFERENCES, metric=metric, margin=1).pairs
        sign = 1 if metric == "bleu" else -1
        found = compare_runs(systems, REFERENCES, metric=metric, alternative="better")
        [bound] = found.pairs
        end = bound.interval.low if sign == 1 else -bound.interval.high
        [at_end] = compare_runs(systems, REFERENCES, metric=metric, margin=max(0, -end)).pairs
        assert end > 0 or at_end.p_not_worse == pytest.approx(0.05)
        assert (pair.p_not_worse < pair.p_not_better) == (sign * pair.delta > 0)
        assert pair.p_equivalent == max(pair.p_not_worse, pair.p_not_better)
        assert "one-sided t-tests" in compare_runs(systems, REFERENCES, margin=1).paper().methods

    @pytest.mark.parametrize(("new", "old", "least"), [(3, 3, 0.1), (4, 4, 1 / 35), (3, 4, 1 / 35)])
    def test_smallest_p(self, new, old, least):
        """It is said, and that there must be more runs where it cannot be below alpha."""
        systems = runs(new, old, 0.6)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            found = compare_runs(systems, REFERENCES)
        assert found.pairs[0].p_value == pytest.approx(least)
        assert found.pairs[0].significant == (least < 0.05)
        few = least >= 0.05
        assert any("too few runs" in str(each.message) for each in warned) == few
        assert ("a test needs more runs" in str(found)) == few
        assert f"no p below {least:.4f} is possible" in str(found)
        assert "randomization of whole runs" in found.paper().methods

    def test_many_runs_are_sampled(self):
        """More assignments than can be enumerated are drawn, and the p-value has a floor."""
        systems = runs(12, 12, 0.6)
        [pair] = compare_runs(systems, REFERENCES, n_trials=999).pairs
        assert (pair.exact, pair.n_trials, pair.at_floor) == (False, 999, True)
        assert pair.p_value == 0.001


def metric_stats(systems, metric):
    chosen = {"bleu": truebleu.Bleu, "ter": truebleu.Ter}[metric]()
    return [chosen.stats(each, REFERENCES) for several in systems.values() for each in several]


def corpora(*gaps):
    """Return test sets on which the first system is better by these shares of segments."""
    return {
        f"set{number}": (
            {"new": output(number, 0.3), "old": output(50 + number, 0.3 + gap)},
            REFERENCES,
        )
        for number, gap in enumerate(gaps)
    }


class TestSets:
    """Each set by itself, their average, and the number of sets won."""

    @pytest.mark.parametrize("metric", ["bleu", "ter"])
    def test_sets_and_average(self, metric):
        """Scores are those of `compare`; the average weighs sets alike; Holm covers all sets."""
        sets = corpora(0.1, 0.2, 0.05)
        found = compare_sets(sets, metric=metric, seed=3)
        alone = {name: compare(*each, metric=metric, seed=3) for name, each in sets.items()}
        for name, each in found.items():
            before = alone[name].pairs[0]
            assert (each.pairs[0].delta, each.pairs[0].interval) == (before.delta, before.interval)
            assert each.pairs[0].p_value == pytest.approx(before.p_value, abs=0.01)
            assert each.n_tests == 3
        deltas = [each.pairs[0].delta for each in found.values()]
        pair = found.average.pairs[0]
        assert pair.delta == pytest.approx(np.mean(deltas))
        errors = [each.pairs[0].interval.error for each in found.values()]
        assert pair.interval.error == pytest.approx(np.hypot.reduce(errors) / 3, rel=0.05)
        order = sorted(found, key=lambda name: found[name].pairs[0].p_value)
        p_values = [found[name].pairs[0].p_value for name in order]
        expected = np.maximum.accumulate(np.minimum(1, np.array(p_values) * [3, 2, 1]))
        assert [found[name].pairs[0].p_adjusted for name in order] == pytest.approx(expected)

    def test_stratified_swaps_against_scipy(self):
        """Of segment scores, the test is a permutation test of the mean of means."""
        random = np.random.default_rng(5)
        metric = truebleu.SegmentScores("points")
        points = {size: random.normal(0.15, 1, (2, size)) for size in (60, 90)}
        sets = {
            str(size): ({n: metric.from_scores(x) for n, x in zip("ab", each, strict=True)}, None)
            for size, each in points.items()
        }
        found = compare_sets(sets, metric=metric, n_trials=20_000)
        gaps = np.concatenate([(each[0] - each[1]) / each.shape[1] for each in points.values()])
        expected = scipy_stats.permutation_test(
            (gaps,), lambda x, axis: abs(x.sum(axis=axis)), permutation_type="samples",
            n_resamples=20_000, alternative="greater", vectorized=True, rng=1,
        )  # fmt: skip
        assert found.average.pairs[0].p_value == pytest.approx(expected.pvalue, abs=0.015)

    @pytest.mark.parametrize("alternative", ["two-sided", "better"])
    @pytest.mark.parametrize("won", [0, 2, 5, 6])
    def test_sets_won_against_scipy(self, won, alternative):
        """It is the exact binomial test."""
        gaps = [0.4] * won + [-0.28] * (6 - won)
        how = {"alternative": alternative, "n_resamples": 50, "n_trials": 100}
        [wins] = compare_sets(corpora(*gaps), **how).wins
        assert (len(wins.won), len(wins.lost)) == (won, 6 - won)
        side = "greater" if alternative == "better" else alternative
        assert wins.p_value == pytest.approx(scipy_stats.binomtest(won, 6, alternative=side).pvalue)

    def test_identical_systems(self):
        """Nothing differs on average, and no set is won."""
        sets = {name: ({"a": x["new"], "b": x["new"]}, y) for name, (x, y) in corpora(0, 0).items()}
        found = compare_sets(sets)
        assert found.average.pairs[0].p_value == found.wins[0].p_value == 1
        assert found.wins[0].won == found.wins[0].lost == ()

    def test_table(self):
        """Every format has a row for each set and one for the average; the paper a column."""
        found = compare_sets(corpora(0.2, 0.3), n_trials=1000, n_resamples=100)
        for text in (str(found), found.to_markdown(), found.to_latex(), found.to_csv()):
            assert all(name in text for name in ("set0", "set1", "average", "sets won"[:4]))
        assert found.paper().to_csv().startswith("system,set0,")
        assert "Holm's correction for 2 tests" in found.paper().methods
        assert "not corrected for testing under" not in found.paper().methods
        assert set(found.to_dict()) == {"comparisons", "average", "wins"}
        [pair] = found.average._shown_pairs()
        ahead = sum(found[name].pair(pair.one, pair.other).delta > 0 for name in found)
        page = found.to_html()
        assert (
            f'<p class="lead">On average over 2 test sets, {pair.one} is better than {pair.other} '
            f"by {pair.delta:.2f} BLEU; it is better on {ahead} of them.</p>"
        ) in page
        # Each set by itself opens by a click.
        assert re.findall("<summary>(.*?) [(](set.)", page)[::3] == [
            ("systems", "set0"),
            ("systems", "set1"),
        ]

    def test_other_systems(self):
        """They are refused, and the set is named."""
        sets = {**corpora(0.1), "y": ({"other": REFERENCES}, REFERENCES)}
        with pytest.raises(truebleu.TruebleuError, match="y has the systems other, but the first"):
            compare_sets(sets)


def test_swaps_of_sets_differ():
    """Sets of one size are not swapped alike: their differences would add up."""
    sets = {name: corpora(0.0)["set0"] for name in ("x", "y")}
    found = compare_sets(sets)
    error = found["x"].pairs[0].interval.error
    pair = found.average.pairs[0]
    assert pair.interval.error == pytest.approx(error / 2**0.5, rel=0.1)
    assert pair.p_value == pytest.approx(0.8006199380061993), "the seed draws others than before"


def test_command(tmp_path, run):
    """``--runs`` and ``--sets`` say what the functions say."""
    folders = [tmp_path / name for name in ("x", "y")]
    for folder, (systems, references) in zip(folders, corpora(0.2, 0.3).values(), strict=True):
        folder.mkdir()
        for name, texts in {**systems, "ref": references}.items():
            (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    paths = [f"{tmp_path}/{{set}}/{name}.txt" for name in ("new", "old")]
    given = [*paths, "-r", f"{tmp_path}/{{set}}/ref.txt", "--sets", "x", "y"]
    found = compare_sets(dict(zip("xy", corpora(0.2, 0.3).values(), strict=True)))
    assert run("compare", *given) == str(found) + "\n"
    systems = runs(2, 3)
    groups = []
    for name, several in systems.items():
        files = [tmp_path / f"{name}{number}.txt" for number in range(len(several))]
        for file, texts in zip(files, several, strict=True):
            file.write_text("\n".join(texts) + "\n")
        groups += ["--runs", f"{name}={files[0]}", *map(str, files[1:])]
    reference = str(folders[0] / "ref.txt")
    assert run("compare", *groups, "-r", reference) == str(compare_runs(systems, REFERENCES)) + "\n"


@pytest.fixture
def run(capsys):
    """Run the command; return what it prints."""
    from truebleu.cli import main

    def run(*words):
        assert main(list(words)) == 0
        return capsys.readouterr().out

    return run
