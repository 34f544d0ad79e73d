"""Segment scores that were computed elsewhere: their average, its tests, files and commands."""

import gzip
import json
import math
import pickle
import sys
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import truebleu
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from scipy import stats as scipy_stats
from truebleu import GivenScores, compare, report
from truebleu.analysis import correlation
from truebleu.analysis.correlation import Correlation
from truebleu.cli import main
from truebleu.errors import (
    EmptyInputError,
    InputError,
    SettingsError,
    SmallSampleWarning,
    UnknownNameError,
)
from truebleu.meta import read_segment_scores
from truebleu.metrics.segment_scores import SegmentScores

COMET = SegmentScores("COMET")
FEW = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

numbers = st.floats(-(2.0**29), 2.0**29, allow_subnormal=False)
scores_of_segments = st.lists(st.none() | numbers, min_size=1, max_size=30)


def exact_average(scores):
    """Return the average of the scores that there are, in fractions."""
    known = [Fraction(score) for score in scores if score is not None]
    return sum(known) / len(known)


def compared(scores, **how):
    """Compare systems by scores alone, as statistics."""
    counted = {system: COMET.from_scores(each) for system, each in scores.items()}
    return compare(counted, metrics=COMET, **how)


class TestRows:
    """Scores as rows of integers that add up."""

    @given(score=numbers)
    def test_a_score_is_kept(self, score):
        """One score comes back as it is, down to the smallest unit."""
        found = COMET.score(COMET.from_scores([score])).score
        assert found == score or abs(found - score) <= 2.0**-91

    @given(scores=scores_of_segments)
    def test_the_average_is_that_of_fractions(self, scores):
        """The average is that of exact arithmetic, up to the rounding of the result."""
        score = COMET.score(COMET.from_scores(scores))
        assert score.segments == sum(each is not None for each in scores)
        if not score.segments:
            assert math.isnan(score.score)
            assert score.reason == "there is no score"
            assert score.to_dict()["score"] is None
            return
        expected = exact_average(scores)
        assert (
            abs(Fraction(score.score) - expected)
            <= 2 * Fraction(math.ulp(float(expected))) + Fraction(2) ** -90
        )
        assert score.reason is None

    @given(scores=scores_of_segments, data=st.data())
    def test_order_and_parts_change_nothing(self, scores, data):
        """Cutting anywhere, or shuffling, gives the same sums."""
        cut = data.draw(st.integers(0, len(scores)))
        shuffled = data.draw(st.permutations(scores))
        whole = COMET.from_scores(scores)
        assert COMET.from_scores(shuffled).sum() == whole.sum()
        if 0 < cut < len(scores):
            parts = COMET.from_scores(scores[:cut]), COMET.from_scores(scores[cut:])
            assert parts[0] + parts[1] == whole.sum()
        assert pickle.loads(pickle.dumps(whole)) == whole

    def test_numbers_of_any_type(self):
        """Integers, fractions and NumPy's numbers are numbers."""
        given_scores = [1, Fraction(1, 2), np.float32(0.25), np.int64(3)]
        assert COMET.score(COMET.from_scores(given_scores)) == 4.75 / 4


class TestMetric:
    """What the metric says of itself."""

    @pytest.mark.parametrize(
        ("name", "identifier"),
        [("COMET-22", "comet_22"), ("MetricX 24 (QE)", "metricx_24_qe"), ("2-way", "scores_2_way")],
    )
    def test_identifiers(self, name, identifier):
        """The name for columns has no characters that columns may not have."""
        assert SegmentScores(name).identifier == identifier

    def test_signatures_are_read_back(self):
        """A signature says what the scores are called, and which direction is better."""
        metric = SegmentScores("MetricX", lower_is_better=True)
        assert SegmentScores.from_signature(metric.signature) == metric
        assert not metric.higher_is_better
        assert "computed:elsewhere" in metric.signature
        with pytest.raises(SettingsError, match="not a signature"):
            SegmentScores.from_signature(truebleu.Bleu().signature)

    def test_scores_are_shown_with_their_decimals(self):
        """Four decimals by default: many scores are from 0 to 1."""
        score = COMET.score(COMET.from_scores([0.81234567]))
        assert str(score) == "COMET = 0.8123 (segments = 1)"
        assert repr(COMET) == "SegmentScores('COMET', lower_is_better=False, decimals=4)"


@FEW
class TestTests:
    """Intervals and tests are those of a mean."""

    @given(data=st.data())
    def test_ties_of_averages_near_0(self, data):
        """Rounding of decimals does not hide that a difference is as large as the observed one."""
        tenths = st.lists(st.integers(-9, 9), min_size=6, max_size=6)
        one, other = (data.draw(tenths) for _ in range(2))
        # Averages of 0, or next to it, of numbers that are not.
        one, other = [*one, -sum(one)], [*other, data.draw(st.integers(0, 2)) - sum(other)]
        differences = np.array(one) - np.array(other)
        signs = np.array(list(product([1, -1], repeat=len(one))))
        expected = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
        systems = {"one": [each / 10 for each in one], "other": [each / 10 for each in other]}
        assert compared(systems, n_resamples=None).pairs[0].p_value == expected

    def test_random_swaps_and_intervals_are_near_scipys(self):
        """With many segments, p and the interval of the average agree up to chance."""
        rng = np.random.default_rng(4)
        one = rng.normal(0.8, 0.1, 300)
        other = one + rng.normal(0.008, 0.06, 300)
        found = compared({"one": one, "other": other})
        pair = found.pair("one", "other")
        t_test = scipy_stats.ttest_rel(one, other)
        assert pair.p_value == pytest.approx(t_test.pvalue, rel=0.15)
        assert pair.delta == pytest.approx(float(np.mean(one - other)), abs=1e-12)
        expected = scipy_stats.bootstrap((one,), np.mean, method="BCa", n_resamples=9999, rng=1)
        interval = found.systems["one"].interval
        ends = [expected.confidence_interval.low, expected.confidence_interval.high]
        assert [interval.low, interval.high] == pytest.approx(ends, abs=0.0008)
        assert interval.error == pytest.approx(np.std(one, ddof=1) / 300**0.5, rel=0.03)

    def test_threads_and_negation_change_nothing(self):
        """Negated scores of which lower is better give the same p-values."""
        rng = np.random.default_rng(5)
        systems = {name: rng.normal(0.8, 0.1, 60) for name in "abc"}
        first = compared(systems, threads=1, n_resamples=500)
        assert compared(systems, threads=3, n_resamples=500) == first
        lower = SegmentScores("COMET", lower_is_better=True)
        turned = compare(
            {name: lower.from_scores(-each) for name, each in systems.items()},
            metrics=lower,
            n_resamples=500,
        )
        assert [pair.p_value for pair in turned.pairs] == [pair.p_value for pair in first.pairs]
        assert [each.name for each in turned.ranked()] == [each.name for each in first.ranked()]

    def test_missing_segments_are_left_out(self):
        """Segments that no system has a score for change neither intervals nor tests."""
        rng = np.random.default_rng(6)
        systems = {name: rng.normal(0.8, 0.1, 40).tolist() for name in "ab"}
        gaps = {name: [*each[:10], *[None] * 500, *each[10:]] for name, each in systems.items()}
        found, expected = compared(gaps), compared(systems)
        assert found.pairs == expected.pairs
        assert found.systems["a"].interval == expected.systems["a"].interval
        with pytest.raises(InputError, match="cannot resample 1 score; at least 2 segments"):
            compared({"a": [1.0, None, None], "b": [2.0, None, None]})

    def test_partly_missing_statistics_are_refused(self):
        """Statistics are checked as ``scores=`` is, also where documents hide what is missing."""
        systems = {"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 2.0, None, 3.0]}
        for documents in ("auto", list("xxyy")):
            with pytest.raises(InputError, match="segment 3 has a COMET score for a but not for b"):
                compared(systems, units=documents)

    def test_the_sample_is_what_has_scores(self):
        """A warning about few segments counts those that have a score."""
        gaps = {name: [0.5 + place / 9, 0.25, *[None] * 500] for place, name in enumerate("ab")}
        with pytest.warns(SmallSampleWarning, match="2 segments"):
            compared(gaps, n_resamples=100)

    def test_documents(self):
        """Whole documents are resampled, those without scores left out."""
        scores = {"a": [1, 2, 3, 4, None, None], "b": [1, 1, 3, 3, None, None]}
        found = compared(scores, units=list("xxyyzz"), n_resamples=100)
        assert found.units == "documents"
        assert found.pair("a", "b").differing == 2


@pytest.fixture
def cli(capfd):
    """Run the command in this process; return what it wrote."""

    def run(*arguments, code=0):
        try:
            ended = main([*arguments])
        except SystemExit as end:
            ended = end.code
        sys.stdout.flush()
        out, error = capfd.readouterr()
        assert (ended or 0) == code, error
        return SimpleNamespace(stdout=out, stderr=error)

    return run


REFERENCES = ["a b c d e", "f g h i j", "k l m n o"] * 10
SYSTEMS = {"good": REFERENCES, "bad": ["a b x d e", "f g h", "k l m n o"] * 10}
SCORES = {"good": [0.9] * 29 + [0.8], "bad": [0.7, 0.8, 0.9] * 10}
QUICK = {"n_resamples": 99}


@FEW
@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
class TestCompare:
    """``compare(scores=...)``."""

    def test_it_is_one_more_metric(self):
        """The scores stand beside the metrics that are computed, whichever way these are given."""
        for how in ({}, {"metrics": "bleu"}, {"metrics": ["bleu"]}):
            found = compare(SYSTEMS, REFERENCES, scores={"COMET": SCORES}, **how, **QUICK)
            assert list(found) == ["BLEU", "COMET"]
            assert found["COMET"].systems["bad"].score == pytest.approx(0.8)
            assert "average of 30 segment scores computed elsewhere" in str(found)
        assert json.dumps(found.to_dict())

    def test_systems_may_be_statistics(self):
        """Statistics of one metric can be compared beside scores."""
        counted = {name: truebleu.Bleu().stats(each, REFERENCES) for name, each in SYSTEMS.items()}
        found = compare(counted, scores={"COMET": SCORES}, metrics="bleu", **QUICK)
        assert list(found) == ["BLEU", "COMET"]

    def test_without_references(self):
        """Nothing is computed then: systems are only names, in their order."""
        for systems in (SYSTEMS, dict.fromkeys(SYSTEMS), {"bad": None, "good": None}):
            found = compare(systems, scores={"COMET": SCORES}, **QUICK)
            assert list(found) == ["COMET"]
            assert list(found["COMET"].systems) == list(systems)
        with pytest.raises(UnknownNameError, match="those of good, bad, but the systems are good"):
            compare({"good": None}, scores={"COMET": SCORES})

    def test_iterators_are_read_once(self):
        """Scores may be iterators, as texts may."""
        once = {name: iter(each) for name, each in SCORES.items()}
        found = compare(SYSTEMS, REFERENCES, scores={"COMET": once}, **QUICK)
        assert found["COMET"].systems["good"].score.segments == 30

    def test_lower_is_better(self):
        """The direction decides who is first."""
        scores = {"X": GivenScores(SCORES, lower_is_better=True)}
        found = compare(SYSTEMS, REFERENCES, scores=scores, **QUICK)
        assert found["X"].ranked()[0].name == "bad"
        assert found.disagreements == (("good", "bad"),)
        with pytest.raises(SettingsError, match="lower_is_better is 'yes'"):
            GivenScores(SCORES, lower_is_better="yes")

    def test_large_scores_have_fewer_decimals(self):
        """Scores of tens are shown with two decimals, like BLEU."""
        ratings = {name: [100 * each for each in several] for name, several in SCORES.items()}
        found = compare(SYSTEMS, REFERENCES, scores={"DA": ratings, "C": SCORES}, **QUICK)
        assert [each.metric.decimals for each in found.values()] == [2, 2, 4]


class TestFiles:
    """``read_segment_scores``."""

    def test_a_file_is_read(self, tmp_path):
        """Systems come in blocks; None is a missing score; compressed files are read, too."""
        text = "a\t0.5\na\tNone\nsystem b\t-1e-3\nsystem b\t2\n"
        expected = {"a": [0.5, None], "system b": [-0.001, 2.0]}
        path = tmp_path / "x.seg.score"
        path.write_text(text)
        assert read_segment_scores(path) == expected
        packed = tmp_path / "x.seg.score.gz"
        packed.write_bytes(gzip.compress(text.encode()))
        assert read_segment_scores(packed) == expected

    def test_a_file_of_one_system_needs_no_names(self, tmp_path):
        """A number per line is the scores of the only system."""
        path = tmp_path / "scores.txt"
        path.write_text("0.5\nNone\n1\n")
        assert read_segment_scores(path) == {"": [0.5, None, 1.0]}

    @looped(
        ("text", "message"),
        [
            ("a\t1\na\tnan\n", "line 2: the score is 'nan'; a finite number"),
            ("a\tinf\n", "line 1: the score is 'inf'"),
            ("a\t1e999\n", "line 1: the score is '1e999'"),
            ("a\tgood\n", "line 1: the score is 'good'"),
            ("a\t1_0\n", "line 1: the score is '1_0'"),
            ("a\t\n", "line 1: the score is ''"),
            ("1\n\n2\n", "line 2: the score is ''"),
            ("a\t1\n\na\t2\n", "line 2 is ''; the name of a system, a tab"),
            ("a\t1\n2\n", "line 2 is '2'; the name of a system, a tab"),
            ("1\na\t2\n", "line 2 is 'a.t2'; a score alone is needed"),
            ("a\tb\t2\n", "line 1 is"),
            ("\t2\n", "line 1 is"),
            ("a\t1\nb\t2\na\t3\n", "line 3: a again, after lines of b"),
            ("a\t1\na\t1\nb\t2\n", "b has 1 score, but a has 2"),
        ],
    )
    def test_hostile_files(self, tmp_path, text, message):
        """Whatever is not a score, or not where it should be, is refused with its line."""
        path = tmp_path / "x.seg.score"
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_segment_scores(path)

    def test_an_empty_file(self, tmp_path):
        """A file without lines has no scores."""
        path = tmp_path / "x.seg.score"
        path.write_text("")
        with pytest.raises(EmptyInputError, match="there are no scores"):
            read_segment_scores(path)

    @pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    def test_the_files_that_meta_writes_are_read(self, tmp_path):
        """What the command writes for mt-metrics-eval can be read back."""
        from truebleu.meta_evaluation.score_files import score_lines

        counted = {name: truebleu.Bleu().stats(each, REFERENCES) for name, each in SYSTEMS.items()}
        path = tmp_path / "BLEU-refA.seg.score"
        path.write_text("".join(score_lines(truebleu.Bleu(), counted, "seg", None)))
        expected = {
            name: truebleu.Bleu().segments(each, REFERENCES).tolist()
            for name, each in SYSTEMS.items()
        }
        assert read_segment_scores(path) == expected


def files_of(tmp_path, scores):
    """Write systems, references and scores; return the arguments of a command."""
    for name, texts in {**SYSTEMS, "ref": REFERENCES}.items():
        (tmp_path / f"{name}.en.txt").write_text("".join(f"{text}\n" for text in texts))
    lines = [f"{system}\t{score}\n" for system, each in scores.items() for score in each]
    (tmp_path / "comet.seg.score").write_text("".join(lines))
    systems = [str(tmp_path / f"{name}.en.txt") for name in SYSTEMS]
    comet = f"COMET={tmp_path / 'comet.seg.score'}"
    return [*systems, "-r", str(tmp_path / "ref.en.txt"), "--scores", comet]


class TestCommands:
    """``--scores``."""

    @pytest.mark.parametrize("suffix", ["", ".en", ".en.txt"])
    def test_systems_are_found_by_their_files(self, cli, tmp_path, suffix):
        """The scores may name a system as its file is called, with suffixes or without."""
        scores = {f"{name}{suffix}": each for name, each in SCORES.items()}
        done = cli("compare", *files_of(tmp_path, scores), "-f", "json")
        found = json.loads(done.stdout)["comparisons"]
        assert list(found) == ["BLEU", "COMET"]
        assert found["COMET"]["systems"]["good"]["score"]["score"] == pytest.approx(0.8966667)

    def test_names_are_given(self, cli, tmp_path):
        """NAME=FILE names the system as the scores do."""
        one, other, *rest = files_of(tmp_path, {"A": SCORES["good"], "B": SCORES["bad"]})
        rest[-1] = rest[-1].replace("COMET=", "COMET-=")
        done = cli("compare", f"A={one}", f"B={other}", *rest)
        assert "COMET: lower is better" in done.stdout

    def test_other_systems_are_an_error(self, cli, tmp_path):
        """The message names the systems of the file, and those of the command."""
        for scores in ({"good": [1.0] * 30}, {**SCORES, "x": [1.0] * 30}):
            done = cli("compare", *files_of(tmp_path, scores), code=2)
            assert (
                f"has scores of {', '.join(scores)}, but the systems are good, bad" in done.stderr
            )

    def test_wrong_numbers_of_segments(self, cli, tmp_path):
        """Too few scores, and too many, are an error."""
        for length in (29, 31):
            files = files_of(tmp_path, {name: [1.0] * length for name in SYSTEMS})
            done = cli("compare", *files, code=2)
            assert f"{length} scores" in done.stderr
            assert "30 segments" in done.stderr

    def test_one_system(self, cli, tmp_path):
        """The scores of one system need no name."""
        files = files_of(tmp_path, SCORES)
        path = tmp_path / "plain.txt"
        path.write_text("0.5\n" * 30)
        plain = [*files[:1], *files[2:4], "--scores", f"COMET={path}", "-f", "json"]
        found = json.loads(cli("compare", *plain).stdout)["comparisons"]["COMET"]
        [system] = found["systems"].values()
        assert system["score"]["score"] == 0.5
        done = cli("compare", *files[:4], "--scores", f"COMET={path}", code=2)
        assert "there are 2 systems, good, bad" in done.stderr

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--scores", "comet.seg.score"], "NAME=FILE is needed"),
            (["--scores", "COMET=x"], "--scores COMET is given twice"),
        ],
    )
    def test_wrong_options(self, cli, tmp_path, options, message):
        """Names are checked before anything is computed."""
        assert message in cli("compare", *files_of(tmp_path, SCORES), *options, code=2).stderr

    def test_a_name_that_is_taken(self, cli, tmp_path):
        """Scores cannot be called like a metric that is computed."""
        *files, scores = files_of(tmp_path, SCORES)
        done = cli("compare", *files, scores.replace("COMET=", "bleu="), code=2)
        assert "BLEU is computed here" in done.stderr


class TestCorrelation:
    """Pearson's r and Kendall's tau-b."""

    @given(
        data=st.data(),
        most=st.sampled_from([1, 3, 1000]),
        shape=st.tuples(*[st.integers(1, 9)] * 2),
    )
    def test_groups_are_those_of_scipy(self, data, most, shape):
        """By item and by system, each is the mean of SciPy's in the groups where it is defined."""
        numbers = st.sampled_from([*range(most + 1), math.nan])
        count = shape[0] * shape[1]
        drawn = st.lists(numbers, min_size=count, max_size=count)
        one, other = (np.array(data.draw(drawn), float).reshape(shape) for _ in range(2))
        found = Correlation.of("A", "B", one, other)
        assert found.scores == np.isfinite(one + other).sum()
        for kind, groups in (("item", (one.T, other.T)), ("system", (one, other))):
            pairs = [
                (x[both], y[both])
                for x, y in zip(*groups, strict=True)
                for both in [np.isfinite(x + y)]
                if len(x[both]) > 1 and np.ptp(x[both]) and np.ptp(y[both])
            ]
            for name, measure in (
                ("pearson", scipy_stats.pearsonr),
                ("kendall", scipy_stats.kendalltau),
            ):
                value = getattr(found, f"{name}_by_{kind}")
                if pairs:
                    expected = np.mean([measure(*pair)[0] for pair in pairs])
                    # All scores are centered together, so that a group of two numbers that are
                    # nearly equal, far from the others, has fewer digits.
                    assert value == pytest.approx(expected, abs=1e-8)
                else:
                    assert value is None

    def test_groups_are_those_of_mt_metrics_eval(self):
        """Its numbers for 4 systems and 6 segments, computed at its commit 68a481a."""
        gold = [
            *([0, -1, -5, 0, -2, -1], [-1, -1, -6, -5, -2, 0]),
            *([-5, -2, -6, -1, -7, -1], [-10, -2, -11, -6, -7, -5]),
        ]
        metric = [
            *([0.90, 0.80, 0.55, 0.95, 0.70, 0.85], [0.88, 0.82, 0.50, 0.60, 0.72, 0.86]),
            *([0.60, 0.75, 0.52, 0.85, 0.40, 0.80], [0.30, 0.74, 0.20, 0.58, 0.45, 0.55]),
        ]
        found = Correlation.of("A", "gold", np.array(metric), np.array(gold, float))
        assert found.pearson_by_item == pytest.approx(0.9891876760182973)
        assert found.kendall_by_item == pytest.approx(0.9097891700343345)
        assert found.pearson_by_system == pytest.approx(0.9780203231234056)
        assert found.kendall_by_system == pytest.approx(0.8979466143020126)

    def test_a_better_system_is_no_agreement(self):
        """Metrics that agree only about which system is better do not agree within systems."""
        generator = np.random.default_rng(1)
        level = np.array([[0.0], [5.0], [10.0]])
        one, other = (level + generator.normal(size=(3, 500)) for _ in range(2))
        found = Correlation.of("A", "B", one, other)
        assert found.pearson_by_item > 0.9
        assert abs(found.pearson_by_system) < 0.1
        assert abs(found.kendall_by_system) < 0.1

    @pytest.mark.parametrize("documents", [None, [*"aabbbccdddde"]])
    def test_intervals_are_those_of_resampled_scores(self, documents, monkeypatch):
        """Percentiles of NumPy's and SciPy's values for columns that are drawn again and again."""
        monkeypatch.setattr(correlation, "_MOST", 40)
        generator = np.random.default_rng(1)
        one, other = generator.normal(size=(2, 3, 12)).round(1) + generator.normal(size=(1, 12))
        one[1, 3] = math.nan
        found = Correlation.of("A", "B", one, other, documents=documents, level=0.9)
        labels = range(12) if documents is None else documents
        units = [
            [place for place, label in enumerate(labels) if label == unit]
            for unit in dict.fromkeys(labels)
        ]
        drawn = np.random.default_rng(12345).integers(len(units), size=(40, len(units)))
        taken = [np.concatenate([units[unit] for unit in sample]) for sample in drawn]
        for kind, measure in (
            ("pearson", scipy_stats.pearsonr),
            ("kendall", scipy_stats.kendalltau),
        ):
            for grouping, groups in (
                ("by_item", lambda x: x.T),
                ("by_system", lambda x: x),
                ("pooled", lambda x: x.reshape(1, -1)),
            ):
                values = [
                    np.mean(
                        [
                            measure(x[np.isfinite(x)], y[np.isfinite(x)])[0]
                            for x, y in zip(
                                groups(one[:, sample]), groups(other[:, sample]), strict=True
                            )
                        ]
                    )
                    for sample in taken
                ]
                expected = np.quantile(values, [0.05, 0.95])
                assert found.intervals[f"{kind}_{grouping}"] == pytest.approx(expected)
        assert Correlation.of("A", "B", one, other, documents=["a"] * 12, level=0.9).intervals == {}

    def test_what_is_missing_is_left_out(self):
        """Only outputs with a score under both metrics count."""
        one, other = np.array([[1.0, 2.0, math.nan, 4.0]]), np.array([[1.0, 3.0, 9.0, math.nan]])
        found = Correlation.of("A", "B", one, other)
        assert (found.scores, found.pearson_by_system, found.kendall_by_system) == (2, 1.0, 1.0)
        assert repr(found) == (
            "<Correlation of A and B: by item Pearson undefined, Kendall undefined; "
            "by system Pearson 1.000, Kendall 1.000; pooled Pearson 1.000, Kendall 1.000>"
        )


@FEW
@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
class TestReport:
    """The page."""

    def test_scores_are_in_the_page(self):
        """The page has a view of the scores, says where they are from, and does not claim them."""
        made = report(
            SYSTEMS, REFERENCES, metrics=["bleu", "ter"], scores={"COMET": SCORES}, **QUICK
        )
        assert list(made) == ["BLEU", "TER", "COMET"]
        page = made.to_html()
        assert "COMET: average of 30 segment scores computed elsewhere, not by truebleu" in page
        assert made["COMET"].comparison.systems["bad"].score == pytest.approx(0.8)
        from truebleu.reporting.quotes import methods

        said = methods(made["COMET"].data)
        assert "scores, which were computed elsewhere" in said
        assert "COMET as computed by truebleu" not in said

    def test_correlations_agree_about_what_is_better(self):
        """A metric of which lower is better is negated: its correlation is positive."""
        made = report(
            SYSTEMS, REFERENCES, metrics=["bleu", "ter"], scores={"COMET": SCORES}, **QUICK
        )
        first, second, third = made.correlations
        assert [(each.one, each.other) for each in (first, second, third)] == [
            ("BLEU", "TER"),
            ("BLEU", "COMET"),
            ("TER", "COMET"),
        ]
        assert first.pearson_by_system > 0.5
        bleu = [truebleu.Bleu().segments(texts, REFERENCES) for texts in SYSTEMS.values()]
        scores = np.array(bleu), np.array([*SCORES.values()])
        expected = Correlation.of("BLEU", "COMET", *scores, level=0.95)
        assert second == expected
        assert second.scores == 60
