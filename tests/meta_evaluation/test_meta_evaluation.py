"""Which metric agrees with people: measures, intervals, and tests between metrics."""

import itertools
import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from truebleu import Bleu, GivenScores, SavedStats, SettingsError, TruebleuError, corpus_bleu
from truebleu._core import JudgedTable
from truebleu.cli import main
from truebleu.meta import JudgedSet, meta_evaluate
from truebleu.meta_evaluation.judged import Outputs, Scores
from truebleu.meta_evaluation.measures import MEASURES
from truebleu.meta_evaluation.rankings import Evaluation
from truebleu.meta_evaluation.samples import interval_of

pytestmark = pytest.mark.filterwarnings("ignore:with only .* intervals are unreliable")

# mt-metrics-eval's numbers for these scores, computed at its commit 68a481a.
GOLD = [
    *([0, -1, -5, 0, -2, -1], [-1, -1, -6, -5, -2, 0]),
    *([-5, -2, -6, -1, -7, -1], [-10, -2, -11, -6, -7, -5]),
]
ONE = [
    *([0.90, 0.80, 0.55, 0.95, 0.70, 0.85], [0.88, 0.82, 0.50, 0.60, 0.72, 0.86]),
    *([0.60, 0.75, 0.52, 0.85, 0.40, 0.80], [0.30, 0.74, 0.20, 0.58, 0.45, 0.55]),
]
OTHER = [
    *([0.70, 0.81, 0.50, 0.90, 0.71, 0.80], [0.72, 0.79, 0.61, 0.70, 0.60, 0.90]),
    *([0.65, 0.70, 0.45, 0.80, 0.50, 0.70], [0.55, 0.72, 0.30, 0.60, 0.49, 0.75]),
]
EXPECTED = {
    "pearson": (0.9848036656893787, 0.8429838083982901),
    "pearson:system": (0.9780203231234056, 0.8165412938008655),
    "pearson:item": (0.9891876760182973, 0.8498989690087582),
    "kendall": (0.9198560475825475, 0.706842104132631),
    "kendall:system": (0.8979466143020126, 0.6775983975543941),
    "kendall:item": (0.9097891700343345, 0.7325174905887418),
    "acc:none": (0.8804347826086957, 0.7536231884057971),
    "acc:system": (0.9, 0.7833333333333333),
    "acc": (0.8333333333333334, 0.75),
    "acc-eq:none": (0.9311594202898551, 0.7717391304347826),
    "acc-eq:system": (0.9333333333333333, 0.8),
    "acc-eq": (0.8888888888888887, 0.8333333333333334),
    "pearson-of-differences": (0.9935535551914547, 0.7934407911632959),
    # By all 64 swaps, where mt-metrics-eval draws 1,000.
    "spa": (0.9869791666666666, 0.9453125),
    "pairwise-accuracy": (1.0, 1.0),
    "system-pearson": (0.9996567696065686, 0.963620993333277),
}

NUMBERS = st.sampled_from([*range(6), math.nan])


def named(table):
    return {f"system {place}": list(row) for place, row in enumerate(table)}


def tables_of(data, systems, segments, gaps=True):
    """Draw gold scores, with gaps, and those of two metrics."""
    gold = st.lists(NUMBERS if gaps else st.integers(0, 5), min_size=segments, max_size=segments)
    scores = st.lists(st.integers(0, 30), min_size=segments, max_size=segments)
    drawn = [[data.draw(each) for _ in range(systems)] for each in (gold, scores, scores)]
    return [np.array(each, float) for each in drawn]


class TestValues:
    """Measures of one metric."""

    def test_worked_numbers(self):
        """Every measure has its number, for two metrics."""
        assert set(EXPECTED) == set(MEASURES)
        scores = {"one": named(ONE), "other": named(OTHER)}
        found = meta_evaluate(named(GOLD), scores=scores, measures=list(MEASURES), n_trials=None)
        for name, expected in EXPECTED.items():
            values = [found[name][metric].value for metric in ("one", "other")]
            assert values == pytest.approx(list(expected), rel=1e-14), name

    @given(data=st.data(), systems=st.integers(2, 5), segments=st.integers(1, 6))
    def test_accuracy_is_that_of_all_pairs_and_thresholds(self, data, systems, segments):
        """With gaps: averaged over the groups that have pairs, at the best of all thresholds."""
        gold, scores, _ = tables_of(data, systems, segments)
        outputs = Outputs(gold)
        for grouping, groups in (
            ("item", list(zip(gold.T, scores.T, strict=True))),
            ("system", list(zip(gold, scores, strict=True))),
            ("none", [(gold.ravel(), scores.ravel())]),
        ):
            pairs = [
                [
                    (abs(x - y), np.sign(x - y), np.sign(g - h))
                    for (g, x), (h, y) in itertools.combinations(zip(*group, strict=True), 2)
                    if not math.isnan(g + h)
                ]
                for group in groups
            ]
            pairs = [group for group in pairs if group]
            thresholds = {0.0, *(gap for group in pairs for gap, _, _ in group)}

            def accuracy(threshold, pairs=pairs):
                right = [
                    [(0 if gap <= threshold else sign) == expected for gap, sign, expected in group]
                    for group in pairs
                ]
                return np.mean([np.mean(group) for group in right])

            for calibrated, tried in ((False, {0.0}), (True, thresholds)):
                suffix = "" if grouping == "item" else f":{grouping}"
                measure = MEASURES[("acc-eq" if calibrated else "acc") + suffix]
                value = measure.value(outputs, Scores(scores))
                if pairs:
                    assert value == pytest.approx(max(map(accuracy, tried)))
                else:
                    assert math.isnan(value)

    @given(data=st.data(), systems=st.integers(2, 5), segments=st.integers(1, 8))
    def test_a_sample_is_its_segments(self, data, systems, segments):
        """Weights of 0, 1 and more are segments left out and repeated."""
        gold, scores, _ = tables_of(data, systems, segments, gaps=False)
        drawn = data.draw(st.lists(st.integers(0, segments - 1), min_size=2, max_size=9))
        weights = np.bincount(drawn, minlength=segments)[np.newaxis].astype(float)
        again = [Outputs(gold[:, drawn]), Scores(scores[:, drawn])]
        ones = np.ones((1, len(drawn)))
        # Copies of a segment are not compared with each other.
        within = ("none", "system")
        for name, measure in MEASURES.items():
            of_pairs = name.startswith(("acc", "kendall")) and measure.grouping in within
            if of_pairs and len(set(drawn)) < len(drawn):
                continue
            found = measure.values(Outputs(gold), Scores(scores), weights)
            expected = measure.values(*again, ones)
            assert found == pytest.approx(expected, nan_ok=True, abs=1e-9), name

    def test_spa_in_samples_is_close(self):
        """P-values of the normal distribution are those of random swaps, to within 0.01."""
        random = np.random.default_rng(1)
        level = random.normal(size=(9, 1)) / 5
        gold = np.round(level + random.normal(size=(9, 300)))
        scores = Scores(level + random.normal(size=gold.shape))
        signs = np.packbits(random.integers(2, size=(20_000, 300)), axis=1, bitorder="little")
        outputs, measure = Outputs(gold), MEASURES["spa"]
        found = measure.values(outputs, scores, np.ones((1, 300)))[0]
        assert found == pytest.approx(measure.value(outputs, scores, signs), abs=0.01)

    def test_spa_leaves_out_pairs_without_a_common_segment(self):
        """Also in samples and after swaps; without any pair, it is undefined."""
        gold = np.array([[0, -1, np.nan, np.nan], [-1, -3, -2, -2], [np.nan, np.nan, -4, -5]])
        scores, measure, weights = -np.nan_to_num(gold), MEASURES["spa"], np.ones((1, 4))
        signs = np.arange(16, dtype=np.uint8)[:, np.newaxis]
        # p is 1/4 for two segments that are better, and 1 where they are worse.
        for rows, expected in (([0, 1, 2], 0.25), ([0, 2], np.nan)):
            outputs, own = Outputs(gold[rows]), scores[rows]
            found = measure.value(outputs, Scores(own), signs)
            assert found == pytest.approx(expected, nan_ok=True)
            value = measure.values(outputs, Scores(own), weights)[0]
            swapped = measure.swapped(outputs, own, own, seed=1, draws=1)
            # These are scaled otherwise.
            assert [*swapped[0]] == pytest.approx([value] * 2, nan_ok=True)
            assert np.isnan(value) == np.isnan(expected)

    @pytest.mark.parametrize("factor", [2.0**-960, 2.0**1020])
    def test_scale(self, factor):
        """Nothing depends on the scale of scores, also where their squares are no numbers."""
        gold, *scores = (np.array(each, float) for each in (GOLD, ONE, OTHER))
        several = {"measures": list(MEASURES), "n_trials": 9, "n_resamples": 9}
        found, expected = (
            meta_evaluate(
                named(gold * by),
                scores={name: named(each * by) for name, each in zip("AB", scores, strict=True)},
                **several,
            )
            for by in (factor, 1.0)
        )
        for measure, ranking in expected.rankings.items():
            for metric, each in ranking.metrics.items():
                assert found[measure][metric].value == pytest.approx(each.value), measure

    def test_undefined(self):
        """It costs only its own rank, and a system that nobody judged costs nothing."""
        table, gold = named(ONE), named(GOLD)
        unjudged = gold | {"reference": [None] * 6}
        scores = {"one": table, "constant": {name: [1] * 6 for name in table}}
        for few in ({"measures": ["acc", "pearson"], "n_trials": 9}, {"measures": list(MEASURES)}):
            few |= {"n_resamples": 9, "n_trials": 9}
            found = meta_evaluate(gold, scores=scores, **few)
            assert found == meta_evaluate(unjudged, scores=scores, **few)
            assert found["pearson"]["one"].rank == 1
            assert found["pearson"]["constant"].rank is None
            assert found.average_ranks() == {"one": 1.0}
            assert found.blocks()[0].header[:4] == [
                "metric",
                "average rank",
                *few["measures"][:1],
                "rank",
            ]

    def test_intervals(self):
        """They leave out alpha / 2 of the samples at each end."""
        values = np.random.default_rng(1).normal(size=999) / 9
        assert interval_of(values, 0.05) == pytest.approx(np.quantile(values, [0.025, 0.975]))

    def test_a_value_outside_its_interval(self):
        """Of SPA with few segments; it is said why, and only then."""
        zeros = [0] * 8
        gold = {"A": [1, 9, 2, 7, 1, 3, 8, 1], "B": zeros, "C": [-1, -2, -9, -1, -7, -1, -1, -2]}
        metric = {"A": [3, 1, 5, 1, 8, 1, 1, 4], "B": zeros, "C": [-4, -1, -1, -8, -2, -7, -3, -1]}
        for scores, outside in ((metric, True), (gold, False)):
            found = meta_evaluate(gold, scores={"X": scores}, measures="spa", n_resamples=99)
            assert found["spa"]["X"].value == 1.0
            assert (found["spa"]["X"].interval[1] < 1.0) == outside
            assert ("a value may lie outside" in str(found)) == outside

    def test_scores_computed_here(self):
        """Scores of systems are corpus scores, those of outputs are segment scores."""
        references = ["the cat sat on the mat", "it rained all day", "we went home"] * 2
        systems = {
            "A": references,
            "B": [text.replace("the", "a") for text in references],
            "C": ["no", *references[1:]],
        }
        gold = {"A": [5, 5, 5, 4, 5, 5], "B": [4, 5, 5, 3, None, 5], "C": [1, 5, 5, 4, 5, 5]}
        found = meta_evaluate(gold, systems, references, metrics=["bleu", "ter"])
        assert list(found["acc-eq"].metrics) == ["BLEU", "TER"]
        corpus = [corpus_bleu(system, references) for system in systems.values()]
        means = [np.mean([each for each in row if each is not None]) for row in gold.values()]
        right = [
            (corpus[one] > corpus[other]) == (means[one] > means[other])
            for one, other in itertools.combinations(range(3), 2)
        ]
        assert found["pairwise-accuracy"]["BLEU"].value == np.mean(right)
        assert found.judged == 17
        json.dumps(found.to_dict())

    def test_statistics_stand_for_outputs(self, tmp_path, monkeypatch, capsys):
        """The same from a file, also by the command, with its documents and more systems."""
        references = ["the cat sat on the mat", "it rained all day", "we went home"] * 2
        texts = {"A": references, "B": ["a cat sat", *references[1:]], "C": references[::-1]}
        gold = {"A": [5, 5, 5, 4, 5, 5], "B": [4, 5, 5, 3, None, 5]}
        documents = [*"aabbcc"]
        bleu = Bleu()
        rows = {name: bleu.stats(each, references) for name, each in texts.items()}
        saved = SavedStats(rows, bleu, documents=documents)
        expected = meta_evaluate(gold, texts, references, metrics=["bleu"], documents=documents)
        assert meta_evaluate(gold, saved, documents=documents) == expected
        assert meta_evaluate(gold, saved, metrics=["bleu"], documents=saved.documents) == expected
        for change, message in (
            ({"metrics": ["ter"]}, "no statistics of TER"),
            ({"references": references}, "do not pass references with it"),
            ({"gold": {"A": [1, 2], "B": [2, 1]}}, "systems have 6 segments, but gold has 2"),
            ({"gold": {"A": [1], "X": [1]}}, "systems lacks X"),
        ):
            with pytest.raises(TruebleuError, match=message):
                meta_evaluate(**{"gold": gold, "systems": saved, **change})
        judged = JudgedSet(gold=gold, documents=documents)
        assert judged.evaluate(systems=saved) == expected
        with pytest.raises(TruebleuError, match="in another order than the human scores"):
            judged.replace(documents=documents[::-1]).evaluate(systems=saved)
        monkeypatch.chdir(tmp_path)
        saved.write("paper.jsonl.gz")
        lines = (f"{name}\t{score}\n" for name, row in gold.items() for score in row)
        (tmp_path / "gold").write_text("".join(lines))
        assert main(["meta", "gold", "paper.jsonl.gz", "--format", "json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed == json.loads(json.dumps(expected.to_dict()))
        (tmp_path / "cut.jsonl.gz").write_bytes((tmp_path / "paper.jsonl.gz").read_bytes()[:200])
        assert main(["meta", "gold", "cut.jsonl.gz"]) > 0
        assert "cut.jsonl.gz: damaged: it ends" in capsys.readouterr().err
        assert main(["meta", "gold", "paper.jsonl.gz", "-m", "bleu"]) > 0
        assert "leave out -m" in capsys.readouterr().err


class TestSwaps:
    """Tests between metrics."""

    def test_all_swaps(self):
        """Of few outputs, all swaps are enumerated: the fractions were counted by hand."""
        for name, systems, segments, expected in (
            ("pearson", 3, 4, Fraction(4071, 4096)),
            ("acc", 4, 3, Fraction(3840, 4096)),
        ):
            cut = [np.array(each, float)[:systems, :segments] for each in (GOLD, ONE, OTHER)]
            scores = dict(zip("AB", map(Scores, cut[1:]), strict=True))
            how = {"alpha": 0.05, "seed": 1, "trials": 1, "alternative": "better"}
            tested = Evaluation(Outputs(cut[0]), scores, **how)._tested
            assert tested(MEASURES[name], "B", "A") == (expected, True)

    @pytest.mark.parametrize("name", MEASURES)
    @given(data=st.data())
    def test_swapped_values_are_those_of_swapped_scores(self, name, data):
        """Each measure has after swaps what it has for the scores that are swapped."""
        measure = MEASURES[name]
        gold, one, other = tables_of(data, 3, 1 if measure.of_systems else 3, gaps=name != "spa")
        outputs = Outputs(gold)
        one, other = (np.where(outputs.known, each, 0.0) for each in (one, other))
        found = measure.swapped(outputs, one, other, seed=None)
        places, _ = outputs.groups(measure.grouping)
        assert len(found) == 1 << len(places)
        swap = data.draw(st.integers(0, len(found) - 1))
        bits = np.zeros(gold.size, bool)
        bits[places] = [swap >> place & 1 for place in range(len(places))]
        bits = bits.reshape(gold.shape)
        weights = np.ones((1, gold.shape[1]))
        for value, swapped in zip(found[swap], (bits, ~bits), strict=True):
            scores = Scores(np.where(swapped, other, one))
            expected = measure.values(outputs, scores, weights)[0]
            assert value == pytest.approx(expected, nan_ok=True, abs=1e-9)

    def test_draws_do_not_depend_on_threads(self):
        """The core draws the same swaps on any number of threads, and more of them later."""
        random = np.random.default_rng(1)
        tables = [random.integers(0, 9, 40).astype(float) for _ in range(3)]
        systems, segments = [*range(4)] * 10, [place // 4 for place in range(40)]
        judged = JudgedTable([4] * 10, segments, systems, *tables)
        for measure in {each.kind for each in MEASURES.values()}:
            one = judged.swapped(measure, 7, 2000, 1)
            assert one == judged.swapped(measure, 7, 2000, 3)
            assert one.startswith(judged.swapped(measure, 7, 700, 1))
            assert one != judged.swapped(measure, 8, 2000, 1)

    def test_a_better_metric_is_found(self):
        """A metric with less noise is significantly better; equal ones share a rank."""
        random = np.random.default_rng(1)
        level = random.normal(size=(8, 1))
        gold = level + random.normal(size=(8, 60))
        noise = [0.3, 0.3, 5.0]
        scores = {
            name: named(gold + width * random.normal(size=gold.shape))
            for name, width in zip(("A", "B", "C"), noise, strict=True)
        }
        found = meta_evaluate(named(gold), scores=scores, n_trials=200, n_resamples=50)
        for name in ("acc-eq", "pearson", "kendall:item"):
            assert {metric: each.rank for metric, each in found[name].metrics.items()} == {
                **dict.fromkeys("AB", 1),
                "C": 3,
            }
        assert list(found.average_ranks())[2] == "C"
        text = str(found)
        assert "PERM-BOTH" in text
        assert "<svg" not in found.to_html()
        assert text == str(meta_evaluate(named(gold), scores=scores, n_trials=200, n_resamples=50))

    def test_pearson_is_scipys(self):
        """On complete scores, by all three groupings."""
        random = np.random.default_rng(1)
        gold, scores = random.normal(size=(2, 5, 9))
        outputs = Outputs(gold)

        def mean(groups):
            return np.mean([scipy_stats.pearsonr(*group)[0] for group in groups])

        for name, groups in (
            ("pearson", [(gold.ravel(), scores.ravel())]),
            ("pearson:system", zip(gold, scores, strict=True)),
            ("pearson:item", zip(gold.T, scores.T, strict=True)),
        ):
            assert MEASURES[name].value(outputs, Scores(scores)) == pytest.approx(mean(groups))


def test_the_command_is_the_function(capsys, monkeypatch, tmp_path):
    """Files of scores, of segments and documents."""
    for name, table in (("gold", GOLD), ("one", ONE), ("other", OTHER)):
        lines = [f"{system}\t{score}\n" for system, row in named(table).items() for score in row]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "documents").write_text("a\na\nb\nb\nc\nc\n")
    monkeypatch.chdir(tmp_path)
    words = "meta gold A=one B-=other --units documents --seed 3 "
    words += "--alpha 0.1 --measures acc-eq,spa --n-trials 50 --alternative better --format json"
    assert main(words.split()) == 0
    found = meta_evaluate(
        named(GOLD),
        scores={"A": named(ONE), "B": GivenScores(named(OTHER), lower_is_better=True)},
        documents=[*"aabbcc"],
        measures=["acc-eq", "spa"],
        n_trials=50,
        alternative="better",
        seed=3,
        alpha=0.1,
    )
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.to_dict()))
    (tmp_path / "alone").write_text("1\n2\n")
    for words, message in (
        ("gold one", "one: NAME=FILE is needed, such as COMET=one"),
        ("gold B=", "B=: NAME=FILE is needed, such as B=comet.seg.score"),
        ("- B=-", "standard input (-) can be read only once"),
        ("gold B=alone", "alone has scores alone; the name of a system and a tab are needed"),
    ):
        assert main(["meta", *words.split()]) > 0
        assert message in capsys.readouterr().err


class TestErrors:
    """Each says what is wrong where."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"gold": [1]}, "the scores of gold are of type list; a dict of systems"),
            ({"gold": {"A": [1]}}, "gold has 1 judged system; at least 2 are needed"),
            (
                {"gold": {"A": [1, 2], "B": [None, None]}},
                "gold has 1 judged system; at least 2 are needed",
            ),
            ({"gold": {"A": np.array(1), "B": [1, 2]}}, "gold of A is of type ndarray; a list"),
            ({"gold": {1: [1, 2], "1": [2, 1]}}, "the name of a system is of type int (1)"),
            ({"scores": {"X": {1: [1, 2]}}}, "the name of a system is of type int (1)"),
            ({"scores": {1: {"A": [1, 2]}}}, "the name of a metric is of type int (1)"),
            ({"scores": {"X": {"": [1, 2]}}}, "it has those of a system without a name"),
            ({"scores": {"X": [1, 2]}}, "the scores of X are of type list; a dict of systems"),
            ({"documents": "auto"}, "documents has 4 labels for 2 segments"),
            ({"measures": [["acc"]]}, "measures has ['acc']; names are of type str"),
            (
                {"gold": {"A": [1], "B": [None, 1]}},
                "gold of B has 2 scores, but gold has 1 segment",
            ),
            ({"gold": {"A": [1, "x"], "B": [1, 2]}}, "gold of A[1] is of type str"),
            (
                {"gold": {"A": [1, math.inf], "B": [1, 2]}},
                "gold of A[1] is inf; a finite number is needed",
            ),
            ({"gold": {"A": [None], "B": [None]}}, "gold has no score"),
            ({"scores": None}, "there is no metric: pass metrics="),
            ({"scores": {"X": {"A": [1, 2]}}}, "X has no scores of B, which gold has"),
            ({"scores": {"X": {"A": [1], "B": [1]}}}, "X of A has 1 score, but gold has 2"),
            ({"scores": {"X": {"A": [1, 2], "B": [1, None]}}}, "X has no score for segment 2 of B"),
            ({"measures": "acc_eq"}, "measure 'acc_eq' is unknown"),
            ({"measures": []}, "measures is empty"),
            ({"alternative": "less"}, "alternative 'less' is unknown"),
            ({"alpha": 2}, "alpha is 2"),
            ({"n_trials": 0}, "n_trials"),
            ({"documents": ["a"]}, "documents has 1 label for 2 segments"),
            ({"documents": ["a", "a"]}, "cannot resample 1 document; at least 2 are needed"),
            ({"metrics": ["bleu"]}, "metrics= needs systems= and references"),
        ],
    )
    def test_wrong_calls(self, changes, message):
        """Before anything is computed."""
        arguments = {
            "gold": {"A": [1, 2], "B": [2, 1]},
            "scores": {"X": {"A": [1, 2], "B": [1, 3]}},
            **changes,
        }
        with pytest.raises(TruebleuError, match=re.escape(message)):
            meta_evaluate(**arguments)

    def test_too_many_pairs(self):
        """Pairs of all outputs may be more than fit into memory."""
        outputs = Outputs(np.zeros((60, 100)))
        with pytest.raises(SettingsError, match="group them by item"):
            MEASURES["acc:none"].value(outputs, Scores(np.zeros((60, 100))))
