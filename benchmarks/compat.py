"""How much faster other packages are when truebleu counts for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import truebleu
import truebleu.compat.huggingface
import truebleu.compat.torchmetrics

from benchmarks import data
from benchmarks.measure import Result, at_least, in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

# How many times as fast sacreBLEU and NLTK are to be, in one thread.
GOALS = {"corpus_bleu": 170, "corpus_chrf": 240, "corpus_ter": 300, "sentence_score": 20}
OF_NLTK = 6


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
        goal = GOALS.get(name.partition(", ")[2], OF_NLTK) if "sacre" in name else OF_NLTK
        yield at_least(f"accelerate, {name}, {len(hypotheses):,} pairs", ours, theirs, goal)

    yield from _drop_ins(*data.many_pairs(systems, reference, 1), runs)


def _score(function: Any, *corpus: Any) -> float:
    return float(function(*corpus).score)


def _drop_ins(hypotheses: list[str], texts: list[str], runs: int) -> Iterator[Result]:
    """Score a corpus through the drop-ins of evaluate and of torchmetrics (without torch)."""
    references = [[text] for text in texts]
    load, torchmetrics = truebleu.compat.huggingface.load, truebleu.compat.torchmetrics
    bleu, chrf, ter = truebleu.Bleu(), truebleu.Chrf(), truebleu.Ter()
    unsmoothed, plus_plus = truebleu.Bleu(smoothing="none"), truebleu.Chrf(word_order=2)
    drop_ins: list[tuple[str, Any, Any, float]] = [
        ("evaluate, bleu", truebleu.Bleu.dialect("huggingface"), load("bleu"), 0.01),
        ("evaluate, sacrebleu", bleu, load("sacrebleu"), 1),
        ("evaluate, chrf", chrf, load("chrf"), 1),
        ("evaluate, ter", ter, load("ter"), 1),
        ("torchmetrics, SacreBLEUScore", unsmoothed, torchmetrics.SacreBLEUScore, 0.01),
        ("torchmetrics, CHRFScore", plus_plus, torchmetrics.CHRFScore, 0.01),
        ("torchmetrics, TranslationEditRate", ter, torchmetrics.TranslationEditRate, 0.01),
    ]
    for name, metric, drop_in, scale in drop_ins:

        def corpus(metric: Any = metric) -> float:
            return float(metric.corpus(hypotheses, references).score)

        def drop_in_corpus(drop_in: Any = drop_in) -> float:
            if isinstance(drop_in, type):
                return float(drop_in()(hypotheses, references))
            scores = drop_in.compute(predictions=hypotheses, references=references)
            return float(scores.get("score", scores.get("bleu")))

        # torchmetrics has rules of its own for chrF and TER, which matter little here.
        assert abs(scale * corpus() - drop_in_corpus()) < 0.01
        native, other = in_turn([corpus, drop_in_corpus], [runs, runs])
        yield at_least(f"compat.{name}, {len(hypotheses):,} pairs, truebleu", other, native, 0.8)
