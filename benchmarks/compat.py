"""How much faster other packages are when truebleu counts for them."""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import truebleu
from truebleu.compat import evaluate

from benchmarks import data
from benchmarks.measure import Result, faster, in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any


def accelerated(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Score a corpus and sentences with sacreBLEU and NLTK, by themselves and accelerated."""
    import sacrebleu
    from nltk.translate.bleu_score import corpus_bleu

    hypotheses, references = data.many_pairs(systems[:1], reference, 1)
    words = [text.split() for text in hypotheses]
    several = [[text.split()] for text in references]

    def sentences() -> list[float]:
        # A new one every time, or its cache of tokenized lines would answer.
        call = sacrebleu.BLEU(effective_order=True).sentence_score
        return [call(*pair).score for pair in zip(hypotheses, streams, strict=True)]

    streams = [[text] for text in references]
    calls: dict[str, Callable[[], object]] = {
        f"sacreBLEU, {name}": partial(_score, getattr(sacrebleu, name), hypotheses, [references])
        for name in ("corpus_bleu", "corpus_chrf", "corpus_ter")
    }
    calls["sacreBLEU, sentence_score"] = sentences
    calls["NLTK, corpus_bleu"] = partial(corpus_bleu, several, words)
    for name, call in calls.items():

        def counted(call: Any = call, package: str = name.partition(",")[0].lower()) -> object:
            with truebleu.accelerate(package):
                return call()

        assert counted() == call()
        ours, theirs = in_turn([counted, call], [runs, 1])
        yield faster(f"accelerate, {name}, {len(hypotheses):,} pairs", ours, theirs)

    yield from _torchmetrics(hypotheses, streams, runs)
    yield from _without_evaluate(*data.many_pairs(systems, reference, 1), runs)


def _torchmetrics(
    hypotheses: list[str], references: list[list[str]], runs: int
) -> Iterator[Result]:
    """Score a corpus with torchmetrics' chrF, by itself and accelerated, where PyTorch is."""
    if find_spec("torchmetrics") is None:
        print("torchmetrics is not compared: it is not installed, nor is PyTorch")
        return
    from torchmetrics.functional.text import chrf_score

    def call() -> float:
        return float(chrf_score(hypotheses, references))

    def counted() -> float:
        with truebleu.accelerate("torchmetrics"):
            return call()

    assert abs(counted() - call()) < 1e-6
    ours, theirs = in_turn([counted, call], [runs, 1])
    yield faster(f"accelerate, torchmetrics, chrF, {len(hypotheses):,} pairs", ours, theirs)


def _score(function: Any, *corpus: Any) -> float:
    return float(function(*corpus).score)


def _without_evaluate(hypotheses: list[str], texts: list[str], runs: int) -> Iterator[Result]:
    """Score a corpus through `compat.evaluate`, and natively."""
    references = [[text] for text in texts]
    metrics: dict[str, tuple[Any, float]] = {
        "bleu": (truebleu.Bleu.dialect("huggingface"), 0.01),
        "sacrebleu": (truebleu.Bleu(), 1),
        "chrf": (truebleu.Chrf(), 1),
        "ter": (truebleu.Ter(), 1),
    }
    for name, (metric, scale) in metrics.items():

        def corpus(metric: Any = metric) -> float:
            return float(metric.corpus(hypotheses, references).score)

        def of_evaluate(name: str = name) -> float:
            scores = evaluate.load(name).compute(predictions=hypotheses, references=references)
            return float(next(iter(scores.values())))

        assert abs(scale * corpus() - of_evaluate()) < 1e-9
        native, other = in_turn([corpus, of_evaluate], [runs, runs])
        title = f"compat.evaluate, {name}, {len(hypotheses):,} pairs, truebleu"
        yield faster(title, other, native)

    if "EVALUATE" not in os.environ:
        print("evaluate is not compared: EVALUATE names no copy of its repository")
        return
    import evaluate as original

    few = {"predictions": hypotheses[:3004], "references": references[:3004]}
    script = original.load(f"{os.environ['EVALUATE']}/metrics/bleu")
    assert script.compute(**few) == evaluate.load("bleu").compute(**few)
    calls = [lambda: evaluate.load("bleu").compute(**few), lambda: script.compute(**few)]
    ours, theirs = in_turn(calls, [runs, 1])
    yield faster("compat.evaluate, bleu, 3,004 pairs, evaluate", ours, theirs)
