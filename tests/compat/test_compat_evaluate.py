"""evaluate's metrics without evaluate: loaded, filled and asked."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import make_evaluate
import numpy as np
import pandas
import pyarrow
import pytest
import sacrebleu
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import golden_rows
from refusing import refused
from truebleu import (
    Bleu,
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    SettingsWarning,
)
from truebleu.compat import evaluate, mistakes
from truebleu.errors import EmptyInputError, UnknownNameError

PREDICTIONS = ["the cat sat on the mat", "it rained all day", "a dog came in"]
REFERENCES = [
    ["the cat is on the mat", "a cat sat on the mat"],
    ["it rained all day long", "it was raining"],
    ["a dog came in", "the dog came"],
]
CORPUS = {"predictions": PREDICTIONS, "references": REFERENCES}

usual = settings(deadline=None, max_examples=60)


def computed(predictions, references, metric="bleu", **options):
    """Return what a metric says of a corpus."""
    found = evaluate.load(metric)
    return found.compute(predictions=predictions, references=references, **options)


def streams(references):
    """Return references as sacreBLEU takes them."""
    return list(map(list, zip(*references, strict=True)))


def test_recorded_results():
    """Every metric, under every option, returns evaluate's dictionary."""
    rows = golden_rows("evaluate.tsv")
    found = list(make_evaluate.results(evaluate))
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
        expected = computed(*corpus, smooth=True)
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


@usual
@given(strategies.corpora(strategies.soup.filter(bool), max_references=3))
def test_parts_of_bleu(corpus):
    """Every entry of the dictionary follows from the counts by its definition."""
    for order, smooth in ((4, False), (2, True)):
        results = computed(*corpus, max_order=order, smooth=smooth)
        bleu = Bleu(max_order=order, smoothing="none", reference_length="shortest")
        score = bleu.corpus(*corpus)
        expected = [
            (count + smooth) / (total + smooth) if total + smooth else 0.0
            for count, total in zip(score.counts, score.totals, strict=True)
        ]
        assert results["precisions"] == expected
        assert results["translation_length"] == score.hyp_len
        assert results["reference_length"] == score.ref_len
        assert results["length_ratio"] == score.ratio
        assert results["brevity_penalty"] == pytest.approx(score.brevity_penalty)
        if not smooth:
            assert results["bleu"] == pytest.approx(score.fraction)


@usual
@given(
    corpus=strategies.corpora(max_references=1),
    number=st.integers(1, 3),
    flags=st.tuples(*[st.booleans()] * 4),
    orders=st.sampled_from([(6, 0, 2), (6, 2, 2), (3, 1, 3), (1, 0, 1)]),
)
def test_chrf_and_ter(corpus, number, flags, orders):
    """They return what evaluate makes of sacreBLEU's scores, under every setting."""
    hypotheses, references = corpus
    references = [(own * 3 + hypotheses)[:number] for own in references]
    names = ("lowercase", "whitespace", "eps_smoothing")
    chrf = dict(zip(names, flags, strict=False))
    chrf |= dict(zip(("char_order", "word_order", "beta"), orders, strict=True))
    score = sacrebleu.CHRF(**chrf).corpus_score(hypotheses, streams(references))
    names = ("score", "char_order", "word_order", "beta")
    expected = {name: getattr(score, name) for name in names}
    assert computed(hypotheses, references, "chrf", **chrf) == expected
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    score = sacrebleu.TER(**dict(zip(names, flags, strict=True))).corpus_score(
        hypotheses, streams(references)
    )
    expected = {name: getattr(score, name) for name in ("score", "num_edits", "ref_length")}
    names = ("normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive")
    ter = dict(zip(names, flags, strict=True))
    assert computed(hypotheses, references, "ter", **ter) == expected


def test_a_tokenizer():
    """The tokenizer may be a function from text to tokens."""
    results = computed(["a-b-c-d"], ["a-b-c-d"], tokenizer=lambda text: text.split("-"))
    assert results["translation_length"] == 4


@pytest.mark.parametrize("name", ["bleu", "sacrebleu", "chrf", "ter"])
class TestMetric:
    """A metric takes its corpus at once or in parts."""

    def test_ways_to_add(self, name):
        """Segments may be passed to ``compute``, and before that one by one and in batches."""
        metric = evaluate.load(name)
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        metric.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
        copied = pickle.loads(pickle.dumps(metric))
        expected = computed(**CORPUS, metric=name)
        assert metric.compute() == copied.compute() == expected
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        rest = {key: values[1:] for key, values in CORPUS.items()}
        assert metric.compute(**rest) == metric.compute(**CORPUS) == expected

    def test_threads(self, name):
        """No batch is lost if threads add them."""
        metric = evaluate.load(name)
        with ThreadPoolExecutor(8) as threads:
            for _ in range(200):
                threads.submit(metric.add_batch, **CORPUS)
        many = {key: values * 200 for key, values in CORPUS.items()}
        assert metric.compute() == computed(**many, metric=name)

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
        found = computed(form(PREDICTIONS), form(REFERENCES), name)
        assert found == computed(**CORPUS, metric=name)
        first = [several[0] for several in REFERENCES]
        assert computed(form(PREDICTIONS), form(first), name) == computed(PREDICTIONS, first, name)

    def test_bad_input(self, name):
        """What is missing, superfluous or no text is an error that says so."""
        metric = evaluate.load(name)
        refused(EmptyInputError, "call add or add_batch before compute", metric.compute)
        refused(EmptyInputError, "no segment to score", computed, [], [], name)
        refused(InputTypeError, "references", metric.compute, predictions=PREDICTIONS)
        refused(LengthMismatchError, "3 segments but .* 2", computed, PREDICTIONS, REFERENCES[:2])
        refused(InputTypeError, "is a str", computed, "abc", ["a", "b", "c"], name)
        refused(
            InputTypeError, r"\[1\] is of type NoneType", computed, ["a", None], ["a", "b"], name
        )
        refused(InputTypeError, r"references\[0\] is", computed, ["a"], [1], name)
        error = TypeError if name == "bleu" else SettingsError
        refused(error, "unknown", metric.compute, **CORPUS, unknown=1)
        # Nothing of all that is left over.
        assert metric.compute(**CORPUS) == computed(**CORPUS, metric=name)
        if name != "bleu":
            uneven = [[*REFERENCES[0], "x"], *REFERENCES[1:]]
            refused(InputError, "have 2 to 3 references", computed, PREDICTIONS, uneven, name)

    def test_square_corpora_are_warned_of(self, name, monkeypatch):
        """As many references as segments may be streams: that is said once, and not of others."""
        monkeypatch.setattr(mistakes, "_said", set())
        hypotheses = ["the cat sat on it .", "a dog ran far off ."]
        transposed = [hypotheses, ["the cat ran on it .", "a dog ran far off"]]
        with pytest.warns(SettingsWarning, match=r"pass list\(zip\(\*references\)\)") as said:
            wrong = computed(hypotheses, transposed, name)
        assert len(said) == 1
        assert wrong == computed(hypotheses, transposed, name)
        assert wrong != computed(hypotheses, streams(transposed), name)


def test_load():
    """The parameters of evaluate's ``load`` change nothing; what it cannot load is an error."""
    given = {"module_type": "metric", "cache_dir": "nowhere", "experiment_id": "x"}
    metric = evaluate.load("evaluate-metric/bleu", "default", **given)
    assert metric.compute(**CORPUS) == computed(**CORPUS)
    for name in ("rouge", "./metrics/bleu", "someone/bleu", ""):
        refused(UnknownNameError, "bleu, sacrebleu, chrf, ter", evaluate.load, name)
    refused(SettingsError, "let each count its statistics", evaluate.load, "bleu", num_process=2)
