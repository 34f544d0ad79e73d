"""The objects of the drop-in for evaluate: metrics that are loaded, filled, combined and asked."""

import json
from pathlib import Path

import make_evaluate
import numpy as np
import pandas
import pyarrow
import pytest
import truebleu.compat.huggingface as hub
from looping import looped
from project import golden_rows
from refusing import refused
from truebleu import (
    Bleu,
    EmptyInputError,
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)

PREDICTIONS = ["the cat sat on the mat", "it rained all day", "a dog came in"]
REFERENCES = [
    ["the cat is on the mat", "a cat sat on the mat"],
    ["it rained all day long", "it was raining"],
    ["a dog came in", "the dog came"],
]
CORPUS = {"predictions": PREDICTIONS, "references": REFERENCES}
NAMES = {"bleu": "bleu", "sacrebleu": "sacrebleu", "chrf": "chr_f", "ter": "ter"}


def test_recorded_results():
    """Every metric, under every option, alone and combined, returns evaluate's dictionary."""
    rows = golden_rows("evaluate.tsv")
    found = list(make_evaluate.results(hub))
    assert len(rows) == len(found) > 400
    for row, (metric, options, corpus, result) in zip(rows, found, strict=True):
        assert (row["metric"], json.loads(row["options"])) == (metric, options)
        assert row["corpus"] == corpus
        expected = json.loads(row["result"])
        assert result == expected
        if result is not None:
            assert list(result) == list(expected)


def test_smoothing_of_all_orders():
    """``add-one`` is ``smooth=True``; without a penalty, the score is divided by it."""
    bleu = Bleu(smoothing="add-one", reference_length="shortest")
    plain = bleu.replace(brevity_penalty=False)
    for count in range(1, len(PREDICTIONS) + 1):
        corpus = PREDICTIONS[:count], [[*several, "x y"][-count:] for several in REFERENCES[:count]]
        expected = hub.compute(*corpus, smooth=True)
        assert bleu.corpus(*corpus).fraction == pytest.approx(expected["bleu"], rel=1e-14)
        for score in plain.corpus(*corpus), plain.score(plain.stats(*corpus)):
            mean = expected["bleu"] / expected["brevity_penalty"]
            assert score.fraction == pytest.approx(mean, rel=1e-14)
            assert score.brevity_penalty == 1
    short = ["a b"], ["a b c d e f"]
    assert bleu.corpus(*short).score < 100 == plain.corpus(*short).score
    assert "|smooth:add-one|" in plain.signature
    assert "|bp:no|" in plain.signature
    assert "bp:" not in bleu.signature
    for metric in bleu, plain:
        assert Bleu.from_signature(metric.signature) == metric


def test_broken_lines():
    """Of ``bleu``, a hyphen and a line break are removed at the end of a text, too."""
    for references in (["a b-\nc"], [["x", "a b-\nc"]]):
        result = hub.compute(["a-\n"], references)
        assert result["precisions"][0] == result["translation_length"] == 1
    # sacreBLEU strips the line break, but not the hyphen.
    assert hub.compute(["a-\n"], ["a"], "sacrebleu")["counts"][0] == 0


@pytest.mark.parametrize("name", NAMES)
class TestModule:
    """A metric has the methods and attributes of evaluate's."""

    def test_ways_to_add(self, name):
        """Segments may be passed to ``compute``, and before that one by one and in batches."""
        metric = hub.load(name)
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        metric.add(predictions=PREDICTIONS[1], references=REFERENCES[1])
        metric.add_batch(predictions=PREDICTIONS[2:], references=REFERENCES[2:])
        assert len(metric) == 3
        expected = hub.compute(**CORPUS, metric=name)
        assert metric.compute() == expected
        assert len(metric) == 0
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        rest = {key: values[1:] for key, values in CORPUS.items()}
        assert metric.compute(**rest) == metric.compute(**CORPUS) == expected

    @looped(
        "form",
        [
            tuple,
            iter,
            np.array,
            lambda values: np.array([*values, None], object)[:-1],
            pandas.Series,
            pyarrow.array,
            lambda values: pyarrow.chunked_array([values[:1], values[1:]]),
        ],
    )
    def test_columns(self, name, form):
        """Columns of any kind are accepted, with one reference or several."""
        metric = hub.load(name)
        assert metric.compute(
            predictions=form(PREDICTIONS), references=form(REFERENCES)
        ) == metric.compute(**CORPUS)
        first = [several[0] for several in REFERENCES]
        assert metric.compute(
            predictions=form(PREDICTIONS), references=form(first)
        ) == metric.compute(predictions=PREDICTIONS, references=first)

    def test_attributes(self, name):
        """A metric says what it is called, what it takes, and where it comes from."""
        metric = hub.load(name, "own", experiment_id="mine")
        assert isinstance(metric, hub.Metric)
        assert isinstance(metric, hub.EvaluationModule)
        assert (metric.name, metric.module_type) == (NAMES[name], "metric")
        assert (metric.config_name, metric.experiment_id) == ("own", "mine")
        assert metric.info.config_name == "own"
        assert metric.info == hub.load(name, "own", experiment_id="mine").info
        for field in metric.info.to_dict().keys() - {"module_name", "config_name"}:
            assert getattr(metric, field) == getattr(metric.info, field)
        for url in (*metric.citation.split(), *metric.codebase_urls, *metric.reference_urls):
            assert url.startswith("http")
        assert [set(form) for form in metric.features] == [{"predictions", "references"}] * 2
        # Every option is described, and every part of the result.
        result = metric.compute(**CORPUS)
        options = {option for each in make_evaluate.OPTIONS[name] for option in each}
        assert all(f"`{part}`" in metric.inputs_description for part in result)
        assert all(option in metric.inputs_description for option in options)
        assert repr(metric).startswith(f'EvaluationModule(name: "{metric.name}", module_type: ')
        assert repr(metric).endswith("stored examples: 0)")

    def test_what_load_accepts(self, name):
        """The parameters of evaluate's ``load`` change nothing."""
        metric = hub.load(
            f"evaluate-metric/{name}",
            module_type="metric",
            process_id=0,
            num_process=1,
            cache_dir="nowhere",
            keep_in_memory=True,
            download_config=None,
            download_mode="force_redownload",
            revision="main",
            seed=1,
            timeout=5,
        )
        metric.download_and_prepare()
        assert metric.compute(**CORPUS) == hub.compute(**CORPUS, metric=name)
        assert not Path("nowhere").exists()

    def test_bad_input(self, name):
        """What is missing, superfluous or no text is an error that says so."""
        metric = hub.load(name)
        refused(EmptyInputError, "call add or add_batch before compute", metric.compute)
        refused(EmptyInputError, "no predictions", hub.compute, [], [], name)
        for call in (metric.compute, metric.add_batch):
            with pytest.raises(InputError, match=r"inputs are missing: \['references'\]"):
                call(predictions=PREDICTIONS)
        refused(InputError, r"missing: \['references'\]", metric.add, prediction="a")
        for call in (metric.add, metric.add_batch):
            with pytest.raises(InputError, match=r"Bad inputs for evaluation module: \['sources'"):
                call(predictions=["a"], references=["a"], sources=["b"])
        with pytest.raises(LengthMismatchError, match=r"predictions \(3\) and references \(2\)"):
            metric.compute(predictions=PREDICTIONS, references=REFERENCES[:2])
        with pytest.raises(ValueError, match="a str is one text"):
            metric.compute(predictions="abc", references=["a", "b", "c"])
        for error in (InputTypeError, ValueError):
            with pytest.raises(error, match=r"predictions\[1\] is None, not text"):
                metric.compute(predictions=["a", None], references=["a", "b"])
            with pytest.raises(error, match=r"references\[0\] is 1, not text"):
                metric.compute(predictions=["a"], references=[1])
        refused(TypeError, "has no argument 'unknown'; it has", metric.compute, **CORPUS, unknown=1)
        refused(TypeError, "positional", metric.compute, PREDICTIONS, REFERENCES)
        # Nothing of all that is left over.
        assert metric.compute(**CORPUS) == hub.compute(**CORPUS, metric=name)


def test_bad_metrics():
    """What cannot be loaded is an error of the class that evaluate raises, and of ours."""
    for name in ("rouge", "./metrics/bleu", "someone/bleu", ""):
        for error in (UnknownNameError, FileNotFoundError):
            refused(error, "choose one of bleu, sacrebleu, chrf, ter", hub.load, name)
            refused(error, r"evaluate.load has all others", hub.load, name)
    with pytest.raises(UnknownNameError, match="no comparison 'bleu', only metrics"):
        hub.load("bleu", module_type="comparison")
    refused(SettingsError, "let each count its statistics", hub.load, "bleu", num_process=2)
    refused(ValueError, "greater than process_id, not 1", hub.load, "bleu", process_id=1)
    refused(ValueError, "should be 0 or greater, not -1", hub.load, "bleu", process_id=-1)


class TestCombine:
    """Several metrics get the same segments, and their results are merged as evaluate does."""

    def test_ways_to_add(self):
        """Whichever way the segments come, each metric has them all."""
        names = ["sacrebleu", "chrf"]
        expected = hub.combine(names).compute(PREDICTIONS, REFERENCES)
        combined = hub.combine([hub.load(name) for name in names])
        combined.add(PREDICTIONS[0], REFERENCES[0])
        combined.add(prediction=PREDICTIONS[1], reference=REFERENCES[1])
        combined.add_batch(PREDICTIONS[2:], REFERENCES[2:])
        assert combined.compute() == expected
        assert expected["sacrebleu_score"] == hub.compute(**CORPUS, metric="sacrebleu")["score"]
        assert expected["chr_f_score"] == hub.compute(**CORPUS, metric="chrf")["score"]
        assert expected["bp"] == hub.compute(**CORPUS, metric="sacrebleu")["bp"]

    def test_names(self):
        """The keys of a mapping are the prefixes, and metrics of one name are numbered."""
        own = hub.combine({"one": "ter", "other": hub.load("ter")}).compute(**CORPUS)
        assert list(own)[::3] == ["one_score", "other_score"]
        twice = hub.combine(["ter", "ter"]).compute(**CORPUS)
        assert list(twice)[::3] == ["ter_0_score", "ter_1_score"]
        forced = hub.CombinedEvaluations(["ter"], force_prefix=True).compute(**CORPUS)
        assert list(forced) == ["ter_score", "ter_num_edits", "ter_ref_length"]

    def test_bad_input(self):
        """A name alone is no list of names, and options are for all metrics."""
        refused(InputTypeError, "not one name", hub.combine, "bleu")
        with pytest.raises(TypeError, match="has no argument 'max_order'; it has"):
            hub.combine(["bleu", "ter"]).compute(**CORPUS, max_order=2)
