"""evaluate's metrics by themselves and accelerated; `make peers` runs it with a copy of them."""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("evaluate")
if "TRUEBLEU_EVALUATE" not in os.environ:
    pytest.skip("TRUEBLEU_EVALUATE names no copy of evaluate's metrics", allow_module_level=True)
sys.path[:0] = [str(Path(__file__).parents[1] / each) for each in ("", "golden")]
import doctest  # noqa: E402
import importlib  # noqa: E402

import evaluate  # noqa: E402
import make_evaluate  # noqa: E402
import truebleu  # noqa: E402
from project import golden_rows  # noqa: E402
from truebleu.compat import evaluation_module, mistakes  # noqa: E402

CORPUS = {"predictions": ["a b c d"], "references": [["a b c d", "a b"]]}


def load(name):
    """Load a metric from the copy."""
    return evaluate.load(str(Path(os.environ["TRUEBLEU_EVALUATE"], name)))


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch):
    monkeypatch.setattr(mistakes, "_said", set())


@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
def test_recorded_results(monkeypatch):
    """Every metric returns what was recorded, to the last bit, and the core counts for it."""
    asked = Counter()
    result = evaluation_module._result

    def counting(*corpus, **options):
        found = result(*corpus, **options)
        asked[found is not None] += 1
        return found

    monkeypatch.setattr(evaluation_module, "_result", counting)
    loaded = {name: load(name) for name in make_evaluate.OPTIONS}
    with truebleu.accelerate("evaluate"):
        monkeypatch.setattr(evaluate, "load", loaded.get)
        found = [json_like(row) for row in make_evaluate.results(evaluate)]
    assert found == [tuple(row.values()) for row in golden_rows("evaluate.tsv")]
    assert asked[True] > 50 > asked[False]


def json_like(row):
    """Return a row as it is recorded."""
    import json

    metric, options, corpus, result = row
    return metric, json.dumps(options), corpus, json.dumps(result)


def test_undo():
    """A metric that was used while it was accelerated counts by itself again."""
    metric = load("bleu")
    with truebleu.accelerate("evaluate") as accelerated:
        assert repr(accelerated) == f"<accelerated: evaluate {evaluate.__version__}>"
        metric.compute(**CORPUS)
    calls = []
    script = type(metric)._compute.__globals__
    count = script["compute_bleu"]
    script["compute_bleu"] = lambda **corpus: calls.append(1) or count(**corpus)
    assert metric.compute(**CORPUS)["bleu"] == 1
    assert calls == [1]
    script["compute_bleu"] = count


def test_mistakes():
    """References that are probably transposed, and empty ones, are warned of once."""
    metric = load("bleu")
    texts = ["a b c d", "e f g h"]
    streams = [["a b c x", "e f g h"], ["a b c d", "e f g y"]]
    with truebleu.accelerate("evaluate"):
        with pytest.warns(truebleu.SettingsWarning, match="list\\(zip\\(\\*references\\)\\)"):
            metric.compute(predictions=texts, references=streams)
        with pytest.warns(truebleu.SettingsWarning, match="some references are empty"):
            metric.compute(predictions=["a", "b c"], references=[["a", ""], ["b c"]])


@pytest.mark.parametrize("name", ["bleu", "sacrebleu", "chrf", "ter"])
def test_examples(name):
    """The examples of its own documentation are right."""
    module = importlib.import_module(type(load(name)).__module__)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    scope = {"evaluate": type("evaluate", (), {"load": staticmethod(load)})}
    examples = parser.get_doctest(module._KWARGS_DESCRIPTION, scope, name, None, 0)
    assert len(examples.examples) >= 3
    with truebleu.accelerate("evaluate"):
        assert runner.run(examples).failed == 0
