"""A metric is rows and a formula: whatever takes one, takes any."""

import inspect
import pickle
import re
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import truebleu
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Metric, Stats
from truebleu.metrics.registry import METRICS as METRICS_BY_NAME

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore:.* equals a reference in all.*:truebleu.SettingsWarning"),
]

REFERENCES = ["a b c d e", "f g h i j", "k l m n o"] * 20
SYSTEMS = {
    "good": [*REFERENCES[:-2], "k l", "m"],
    "bad": ["a b c d x", "f g h i j", "k l m x o"] * 20,
    "worst": ["a b c d x", "f g h x j", "k l m n o"] * 19 + ["a b", "f g", "x"],
}


class PythonBleu(Metric):
    """BLEU that the resampling does not know to be BLEU: its formula is called from Python."""

    name, identifier = "Python BLEU", "python_bleu"
    fields = Bleu().fields

    def count(self, hypotheses, references):
        return Bleu().stats(hypotheses, references).to_numpy()

    def scores(self, rows):
        return Bleu(effective_order=False).scores(rows)


class Threshold(Metric):
    """A metric with a setting."""

    name, identifier, fields = "Long enough", "long_enough", ("long", "segments")
    shortest: int = 3

    def count(self, hypotheses, references):
        return [[len(text.split()) >= self.shortest, 1] for text in hypotheses]

    def scores(self, rows):
        return 100 * rows[:, 0] / rows[:, 1]


class TestPython:
    """A metric in Python is as good as one in the core."""

    def test_every_method(self):
        """Corpus, sentence, sentences, statistics and scores are those of the rows."""
        metric = ExactMatch()
        score = metric.corpus(["a", "b", "c"], ["a", ["x", "b"], "d"])
        assert (score.score, score.row) == (200 / 3, {"matches": 2, "segments": 3})
        assert score.fraction == score.score / 100
        assert str(score) == "Exact match = 66.67 (matches = 2 segments = 3)"
        assert score.signature == (
            f"nrefs:var|metric:exact_match|version:truebleu-{truebleu.__version__}"
        )
        assert score.reason is None
        assert score.to_dict() == {
            "metric": "Exact match",
            "score": 200 / 3,
            "fraction": score.fraction,
            "matches": 2,
            "segments": 3,
            "signature": score.signature,
            "reason": None,
        }
        assert metric.segment("a", ["b", "a"]).score == 100
        streams = [["a", "x"], ["b", "b"]]
        assert metric.segments(["a", "b"], reference_streams=streams).tolist() == [100, 100]
        stats = metric.stats(["a", "b"], ["a", "c"])
        assert type(stats) is Stats
        assert metric.score(stats).same_as(metric.corpus(["a", "b"], ["a", "c"]))
        assert Stats.from_bytes(stats.to_bytes()) == stats
        assert Stats.from_numpy(stats.to_numpy(), metric) == stats
        with pytest.raises(truebleu.StatsMismatchError, match=r"exact_match.*metric:misses"):
            Misses().score(stats)

    def test_values(self):
        """Metrics, statistics and scores are equal if they say the same, and can be pickled."""
        assert ExactMatch() == ExactMatch() != Misses()
        assert ExactMatch.from_signature(ExactMatch().signature) == ExactMatch()
        with pytest.raises(truebleu.SettingsError, match="is not a signature of Exact match"):
            ExactMatch.from_signature(Bleu().signature)
        score = ExactMatch().corpus(["a"], ["a"])
        for value in (ExactMatch(), score, ExactMatch().stats(["a"], ["a"]), Threshold()):
            assert pickle.loads(pickle.dumps(value)) == value
            assert hash(value) == hash(pickle.loads(pickle.dumps(value)))
        assert pickle.loads(pickle.dumps(score)).same_as(score)

    def test_settings(self):
        """What the class annotates is a setting: of the value, its repr, its key, its signature."""
        metric = Threshold(shortest=5)
        assert repr(metric) == "Threshold(shortest=5)"
        assert Threshold() == Threshold(shortest=3) != metric
        assert metric.settings() == {"shortest": 5}
        assert "|shortest:5|" in metric.signature
        assert metric.counting_key != Threshold().counting_key
        assert Threshold.from_signature(metric.signature) == metric
        for value in ("print()", "(", "-" * 3000 + "5", "-" * 90_000 + "5", "{[]: 5}", "9" * 5000):
            with pytest.raises(truebleu.SettingsError, match=r"'shortest:.*its value is not a lit"):
                Threshold.from_signature(metric.signature.replace("5", value))
        assert metric.corpus(["a b c", "a b c d e"], ["x", "y"]).score == 50
        with pytest.raises(AttributeError, match="immutable"):
            metric.shortest = 4
        with pytest.raises(TypeError, match="no field 'longest'"):
            Threshold(longest=1)

    @pytest.mark.parametrize(
        ("counts", "message"),
        [
            ([[1.5, 1]], "an array of float64 and shape"),
            ([[1]], r"shape \(1, 1\); whole numbers of shape \(1, 2\)"),
            ([[1, 1]] * 2, r"shape \(2, 2\); whole numbers of shape \(1, 2\)"),
            ([[-1, 1]], r"in row 0 \(from 0\), matches is -1, but counts are not negative"),
        ],
    )
    def test_bad_counts(self, counts, message):
        """What `count` returns is checked."""

        class Bad(ExactMatch):
            def count(self, hypotheses, references):
                return counts

        with pytest.raises(truebleu.InputError, match=message):
            Bad().corpus(["a"], ["a"])

    def test_the_input_stays_as_it_was(self):
        """A metric that changes its arguments changes no list of the caller."""

        class Changes(ExactMatch):
            def count(self, hypotheses, references):
                hypotheses[:] = [text.lower() for text in hypotheses]
                return super().count(hypotheses, references)

        hypotheses = ["A", "B"]
        assert Changes().corpus(hypotheses, ["a", "b"]).score == 100
        assert hypotheses == ["A", "B"]

    def test_one_segment_only(self):
        """A metric that is only defined for single segments scores no corpus."""

        class Alone(ExactMatch):
            segment_only = True

        assert Alone().segments(["a", "b"], ["a", "c"]).tolist() == [100, 0]
        assert Alone().corpus(["a"], ["a"]).score == 100
        with pytest.raises(truebleu.SettingsError, match="only defined for one segment"):
            Alone().corpus(["a", "b"], ["a", "b"])

    def test_statistics_of_another_kind(self):
        """Statistics are checked as those of the metric they are of."""
        with pytest.raises(truebleu.InputError, match="impossible statistics"):
            Stats.from_numpy([5, 5, 9, 9, 9, 9, 5, 4, 3, 2], Bleu())
        with pytest.raises(truebleu.InputTypeError, match="a metric, or Stats, is needed"):
            Stats.from_numpy([1, 2], ExactMatch)
        # The rules of BLEU are not those of a metric that gives its counts the same names.
        named = SimpleNamespace(counting_key="own", fields=Bleu().fields)
        assert len(Stats.from_numpy([5, 5, 9, 9, 9, 9, 5, 4, 3, 2], named)) == 1

    def test_fields_of_another_metric(self):
        """Two metrics of one identifier and different fields do not score each other's rows."""

        class Swapped(ExactMatch):
            fields = ("segments", "matches")

        with pytest.raises(truebleu.StatsMismatchError):
            Swapped().score(ExactMatch().stats(["a"], ["a"]))

    def test_annotated_attributes(self):
        """What every metric has is no setting, even if a class annotates it."""

        class Annotated(ExactMatch):
            higher_is_better: bool = False

        assert Annotated().settings() == {}
        assert Annotated().counting_key == ExactMatch().counting_key

    def test_bad_scores(self):
        """And so is what `scores` returns."""

        class Bad(ExactMatch):
            def scores(self, rows):
                return 1.0

        message = r"Bad\.scores returned an array of shape \(\)"
        with pytest.raises(truebleu.InputError, match=message):
            Bad().corpus(["a"], ["a"])

    def test_nothing_defined(self):
        """A metric without name, fields or methods says what it lacks."""
        with pytest.raises(truebleu.SettingsError, match="Nameless needs a name"):

            class Nameless(Metric):
                fields = ("matches",)

        class Empty(Metric):
            name, identifier = "Empty", "empty"

        for call in (lambda: Empty().fields, lambda: Empty().count([], [])):
            with pytest.raises(NotImplementedError, match="Empty"):
                call()
        with pytest.raises(NotImplementedError, match="Empty does not define scores"):
            Empty().scores(np.zeros((1, 1), int))


class TestCompare:
    """Intervals and tests know rows, and no metric."""

    def test_formula_in_python(self, monkeypatch):
        """BLEU whose formula is called from Python gives BLEU's numbers, in any pieces."""
        monkeypatch.setattr("truebleu.significance.resampling._SCORES", 3000)
        core = truebleu.compare(SYSTEMS, REFERENCES, n_resamples=200, margin=1)
        python = truebleu.compare(
            SYSTEMS, REFERENCES, metrics=PythonBleu(), n_resamples=200, margin=1
        )
        for one, other in zip(core.pairs, python.pairs, strict=True):
            assert other.replace(human_agreement=one.human_agreement) == one
        assert {pair.exact for pair in core.pairs} == {False}
        for name, system in core.systems.items():
            assert python.systems[name].interval == system.interval
            assert python.systems[name].score.score == system.score.score

    def test_all_swaps_in_python(self, monkeypatch):
        """The same where all swaps are counted."""
        monkeypatch.setattr("truebleu.significance.resampling._SCORES", 3000)
        systems = {name: [*REFERENCES[:-14], *own[-14:]] for name, own in SYSTEMS.items()}
        core = truebleu.compare(systems, REFERENCES, n_resamples=None)
        python = truebleu.compare(systems, REFERENCES, n_resamples=None, metrics=PythonBleu())
        for one, other in zip(core.pairs, python.pairs, strict=True):
            assert other.replace(human_agreement=one.human_agreement) == one
        assert {pair.exact for pair in core.pairs} == {True}

    @pytest.mark.parametrize("segments", [12, 60])
    def test_direction(self, segments):
        """Counting what is wrong instead of what is right turns signs round, and nothing else."""
        systems = {name: own[-segments:] for name, own in SYSTEMS.items()}
        up, down = (
            truebleu.compare(
                systems, REFERENCES[-segments:], metrics=metric, n_resamples=99, margin=2
            )
            for metric in (ExactMatch(), Misses())
        )
        assert [each.name for each in up.ranked()] == [each.name for each in down.ranked()]
        assert up.clusters == down.clusters
        for one, other in zip(up.pairs, down.pairs, strict=True):
            assert (one.p_value, one.p_adjusted, one.exact) == (
                other.p_value,
                other.p_adjusted,
                other.exact,
            )
            assert one.delta == pytest.approx(-other.delta)
            assert one.interval.low == pytest.approx(-other.interval.high)
            assert one.p_not_worse == pytest.approx(other.p_not_worse)

    def test_shown(self):
        """Tables have the metric's name and its order."""
        found = truebleu.compare(SYSTEMS, REFERENCES, metrics=Misses(), n_resamples=99)
        text = str(found)
        assert "Misses" in text
        assert "BLEU" not in text
        assert text.index("good") < text.index("worst")

    @pytest.mark.parametrize("value", [float("nan"), float("inf")])
    def test_no_number(self, value):
        """A score that is no number is refused, and not called significantly different."""

        class Undefined(ExactMatch):
            def scores(self, rows):
                return np.where(rows[:, 0] < 25, value, 1.0)

        with pytest.raises(truebleu.InputError, match=f"Exact match of bad is {value}, which"):
            truebleu.compare(SYSTEMS, REFERENCES, metrics=Undefined())

    def test_undefined_resamples(self):
        """Resamples without a score would count as less extreme than the difference."""

        class Precision(ExactMatch):
            def scores(self, rows):
                with np.errstate(all="ignore"):
                    return 100 * rows[:, 0] / np.where(rows[:, 0] < 18, 0, rows[:, 1])

        with pytest.raises(truebleu.InputError, match=r"undefined or infinite for .* resamples"):
            truebleu.compare(SYSTEMS, REFERENCES, metrics=Precision())

    def test_small_scale(self):
        """What is a tie depends on the scale."""

        class Tiny(ExactMatch):
            scale = 1e-9

            def scores(self, rows):
                return 1e-11 * super().scores(rows)

        usual, tiny = (
            truebleu.compare(SYSTEMS, REFERENCES, metrics=metric, n_resamples=None)
            for metric in (ExactMatch(), Tiny())
        )
        assert [pair.p_value for pair in tiny.pairs] == [pair.p_value for pair in usual.pairs]


class TestEveryMetric:
    """Laws of everything in the registry, and of metrics in Python."""

    METRICS = (*(kind() for kind in METRICS_BY_NAME.values()), ExactMatch(), Misses(), PythonBleu())

    @pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.identifier)
    def test_names(self, metric):
        """Every metric says what people and programs call it, and what its rows hold."""
        assert metric.name
        assert metric.identifier.isidentifier()
        assert len(set(metric.fields)) == metric._row_width > 0
        assert type(metric).from_signature(metric.signature).counting_key == metric.counting_key

    @pytest.mark.parametrize("name", sorted(METRICS_BY_NAME))
    def test_attributes(self, name):
        """What ``dir`` and completion show of a metric is documented, and not too much."""
        shown = [each for each in dir(METRICS_BY_NAME[name]()) if not each.startswith("_")]
        assert len(shown) <= 33
        kinds = type(METRICS_BY_NAME[name]()).__mro__
        documented = set(re.findall(r"\w+", " ".join(kind.__doc__ or "" for kind in kinds)))
        members = {
            each
            for kind in kinds
            for each, it in vars(kind).items()
            if hasattr(it, "__get__") and inspect.getdoc(it)
        }
        # It has its words where it is declared.
        assert set(shown) - documented - members <= {"tokenizer_name"}

    @pytest.mark.parametrize("name", sorted(METRICS_BY_NAME))
    def test_by_name(self, name):
        """A registered name is as good as the metric."""
        metric = METRICS_BY_NAME[name]()
        found = truebleu.compare(SYSTEMS, REFERENCES, metrics=name, n_resamples=None)
        assert found.metric == metric._scoped(segment=False)
        assert found == truebleu.compare(SYSTEMS, REFERENCES, metrics=metric, n_resamples=None)
        running = truebleu.Accumulator(name)
        assert running.stats is None
        running.add(SYSTEMS["bad"], REFERENCES)
        assert running.score().same_as(metric.corpus(SYSTEMS["bad"], REFERENCES))

    @pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.identifier)
    def test_comparisons(self, metric):
        """The best system is the best by its score, in the direction of the metric."""
        found = truebleu.compare(SYSTEMS, REFERENCES, metrics=metric, n_resamples=199)
        scores = {name: metric.corpus(own, REFERENCES).score for name, own in SYSTEMS.items()}
        sign = 1 if metric.higher_is_better else -1
        ranked = sorted(scores, key=lambda name: -sign * scores[name])
        assert [system.name for system in found.ranked()] == ranked
        assert found.clusters[0][0] == ranked[0]
        first = found.pair(ranked[0], ranked[-1])
        assert sign * first.delta > 0
        assert first.p_value < 0.05
        interval = truebleu.confidence_interval(
            SYSTEMS["bad"], REFERENCES, metrics=metric, n_resamples=199
        )
        assert interval.replace(notes=()) == found.systems["bad"].interval
        assert interval.low < scores["bad"] < interval.high


class TestSeveralMetrics:
    """Several metrics in one comparison: what each says alone, and where they disagree."""

    NAMES = tuple(METRICS_BY_NAME)
    HOW: ClassVar = {"n_resamples": 99}

    def test_each_alone(self):
        """A mapping from names to the comparison that each gives alone, but for Holm's family."""
        metrics = [*self.NAMES, Misses()]
        found = truebleu.compare(SYSTEMS, REFERENCES, metrics=metrics, **self.HOW)
        assert list(found) == ["BLEU", "chrF2", "chrF2++", "TER", "Misses"]
        assert len(found) == 5
        for metric, comparison in zip(metrics, found.values(), strict=True):
            alone = truebleu.compare(SYSTEMS, REFERENCES, metrics=metric, **self.HOW)
            assert dict(comparison.systems) == dict(alone.systems)
            for one, other in zip(comparison.pairs, alone.pairs, strict=True):
                assert (one.delta, one.p_value, one.interval) == (
                    *(other.delta, other.p_value, other.interval),
                )
            assert found[comparison.metric.name] is comparison
        assert "chrF2" in found
        assert found.get("chrF3") is None
        assert found["bleu"] is found["BLEU"]
        assert found["chrf++"] is found["chrF2++"]
        with pytest.raises(KeyError, match="no metric 'chrF3'; there are BLEU, chrF2, chrF2"):
            found["chrF3"]

    def test_one_seed(self):
        """A random seed is drawn once, for all metrics."""
        found = truebleu.compare(
            SYSTEMS, REFERENCES, metrics=["bleu", "ter"], seed=None, n_resamples=39
        )
        seeds = {comparison.signature.partition("|seed:")[2] for comparison in found.values()}
        assert len(seeds) == 1
        assert len({each.partition("|")[0] for each in seeds}) == 1

    def test_same_resamples(self):
        """Two metrics that are one give one result, to the last bit."""
        found = truebleu.compare(SYSTEMS, REFERENCES, metrics=[Bleu(), PythonBleu()], **self.HOW)
        for one, other in zip(*(each.pairs for each in found.values()), strict=True):
            assert other.replace(human_agreement=one.human_agreement) == one
        assert found.disagreements == ()

    @pytest.mark.filterwarnings("ignore:close and same have the same output")
    def test_disagreements(self):
        """A pair on which metrics disagree is listed, with what each says."""
        # One has fewer segments right, and the other fewer words.
        references = ["a b c d e f", "g h i j k l"] * 30
        exact = ["a b c d e f", "v w x y z u"] * 30
        close = ["a b c d e x", "g h i j k x"] * 30
        systems = {"exact": exact, "close": close, "same": close}
        found = truebleu.compare(
            systems, references, metrics=[ExactMatch(), "bleu", "ter", Misses()], **self.HOW
        )
        assert found.disagreements == (("exact", "close"), ("exact", "same"))
        text = str(found)
        said = "the metrics rank 2 pairs of systems differently: exact and close, exact and same"
        assert said in text
        for metric in found:
            assert f" ({metric})\n" in text
        both = "TER: lower is better\n  Misses: lower is better\n"
        assert text.startswith(f"all metrics\n  {both}")
        assert text.count("lower is better") == 2
        values = found.to_dict()
        assert list(values) == ["comparisons", "average", "notes"]
        assert values["comparisons"]["TER"] == found["TER"].to_dict()
        assert found.to_markdown().count("**") == 2 * (1 + 2 + 2 + 1)
        assert "<b>" in found.to_html() == found._repr_html_()

    def test_baseline(self):
        """With a baseline, only pairs with it are compared."""
        found = truebleu.compare(
            SYSTEMS, REFERENCES, metrics=["bleu", Misses()], baseline="worst", **self.HOW
        )
        assert {*found.disagreements} <= {("good", "worst"), ("bad", "worst")}
        assert all(comparison.baseline == "worst" for comparison in found.values())

    def test_iterators(self):
        """Whatever can be read only once is read once."""
        lists = truebleu.compare(
            SYSTEMS,
            REFERENCES,
            metrics=["bleu", "ter"],
            units=[i // 3 for i in range(60)],
            **self.HOW,
        )
        once = truebleu.compare(
            {name: iter(own) for name, own in SYSTEMS.items()},
            iter(REFERENCES),
            metrics=iter(["bleu", "ter"]),
            units=(i // 3 for i in range(60)),
            **self.HOW,
        )
        streams = truebleu.compare(
            {name: iter(own) for name, own in SYSTEMS.items()},
            reference_streams=iter([iter(REFERENCES)]),
            metrics=("bleu", "ter"),
            units=(i // 3 for i in range(60)),
            **self.HOW,
        )
        assert lists == once == streams
        assert lists["TER"].units == "documents"

    def test_warnings_once(self):
        """What is true of the segments is said once, whatever the number of metrics."""
        systems = {name: own[-12:] for name, own in SYSTEMS.items()}
        with pytest.warns(truebleu.SmallSampleWarning) as caught:
            truebleu.compare(systems, REFERENCES[-12:], metrics=self.NAMES, **self.HOW)
        texts = [str(warning.message) for warning in caught]
        assert len(set(texts)) == len(texts)
        assert sum("only 12 segments" in text for text in texts) == 1

    @pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
    def test_warnings_name_the_metric(self):
        """What is true under one metric only says under which."""
        # Of the segments that differ, four are right in one of the two.
        one = [f"{text} w" if index % 3 else text for index, text in enumerate(REFERENCES)]
        other = [f"{text} w" if text.endswith("w") else text for text in one]
        systems = {"one": one, "other": [*(f"{text} w" for text in other[:10]), *other[10:]]}
        metrics = ["bleu", Misses()]
        with pytest.warns(truebleu.SmallSampleWarning) as caught:
            truebleu.compare(systems, REFERENCES, metrics=metrics, units="segments", **self.HOW)
        texts = {str(warning.message) for warning in caught}
        assert any(text.startswith("Misses: systems differ in fewer") for text in texts)
        assert not any(text.startswith("BLEU: systems differ") for text in texts)


def test_a_segment_is_rescored_as_a_segment():
    """Settings that differ between segments and corpora are those of what was scored."""
    floor = Bleu(smoothing="floor")
    segment, corpus = ["the cat", "the cat sat"], [["the cat"], ["the cat sat"]]
    assert Bleu().segment(*segment).rescore(floor) == floor.segment(*segment) > 60
    assert Bleu().corpus(*corpus).rescore(floor) == floor.corpus(*corpus) < 60


class TestAccumulators:
    """One for each metric, with its settings; those of one metric add up."""

    @pytest.mark.parametrize(
        ("kind", "settings"),
        [
            (truebleu.Bleu, {"lowercase": True}),
            (truebleu.Chrf, {"word_order": 2}),
            (truebleu.Ter, {"normalized": True}),
        ],
    )
    def test_of_a_metric(self, kind, settings):
        """It has the settings of its metric, and scores as that does."""
        for metric in (kind(), kind(**settings)):
            running = truebleu.Accumulator(metric)
            assert running.metric == metric
            assert running.stats is None
            assert repr(running) == f"<Accumulator: {metric.name}, empty>"
            running.add(SYSTEMS["bad"], REFERENCES)
            expected = metric.corpus(SYSTEMS["bad"], REFERENCES)
            assert running.score().same_as(expected)
            assert repr(running) == f"<Accumulator: {expected}>"
