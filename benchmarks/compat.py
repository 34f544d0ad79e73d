"""The speed of the drop-ins, relative to truebleu's own functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import truebleu
import truebleu.compat.huggingface
import truebleu.compat.nltk
import truebleu.compat.sacrebleu
import truebleu.compat.torchmetrics

from benchmarks import data
from benchmarks.measure import Result, at_least, in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any


def drop_ins(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Score a corpus and sentences through the drop-ins and through truebleu itself."""
    sacrebleu, nltk = truebleu.compat.sacrebleu, truebleu.compat.nltk
    hypotheses, references = data.many_pairs(systems, reference, 1)
    streams = [references]

    pairs = list(zip(data.lines(systems[0]), data.lines(reference), strict=True))
    for metric in ("bleu", "chrf", "ter"):
        own, drop_in = (getattr(module, f"corpus_{metric}") for module in (truebleu, sacrebleu))

        def corpus(call: Any = own) -> float:
            return float(call(hypotheses, reference_streams=streams).score)

        def drop_in_corpus(call: Any = drop_in) -> float:
            return float(call(hypotheses, streams).score)

        assert corpus() == drop_in_corpus()
        native, other = in_turn([corpus, drop_in_corpus], [runs, runs])
        name = f"compat.sacrebleu, corpus_{metric}, {len(hypotheses):,} pairs, truebleu"
        yield at_least(name, other, native, 0.8)

        own, drop_in = (getattr(module, f"sentence_{metric}") for module in (truebleu, sacrebleu))

        def sentences(call: Any = own) -> list[float]:
            return [call(hypothesis, reference).score for hypothesis, reference in pairs]

        def drop_in_sentences(call: Any = drop_in) -> list[float]:
            return [call(hypothesis, [reference]).score for hypothesis, reference in pairs]

        assert sentences() == [
            min(100.0, score) if metric == "bleu" else score for score in drop_in_sentences()
        ]
        times = in_turn([sentences, drop_in_sentences], [runs, runs])
        native, other = (time / len(pairs) for time in times)
        name = f"compat.sacrebleu, sentence_{metric}, a call, truebleu"
        yield at_least(name, other, native, 0.8)

    yield from _other_corpora(hypotheses, [[text] for text in references], runs)

    split = [(hypothesis.split(), [reference.split()]) for hypothesis, reference in pairs]
    method = nltk.SmoothingFunction().method1
    bleu = truebleu.Bleu(tokenizer="pretokenized", smoothing="method1", effective_order=False)

    def tokens() -> list[float]:
        return [bleu.sentence(hypothesis, references).score for hypothesis, references in split]

    def drop_in_tokens() -> list[float]:
        call = nltk.sentence_bleu
        return [
            100 * call(references, hypothesis, smoothing_function=method)
            for hypothesis, references in split
        ]

    assert all(abs(a - b) < 1e-9 for a, b in zip(tokens(), drop_in_tokens(), strict=True))
    times = in_turn([tokens, drop_in_tokens], [runs, runs])
    native, drop_in = (time / len(split) for time in times)
    yield at_least("compat.nltk, sentence_bleu, a call, truebleu", drop_in, native, 0.8)


def _other_corpora(
    hypotheses: list[str], references: list[list[str]], runs: int
) -> Iterator[Result]:
    """Score a corpus through the drop-ins of evaluate and of torchmetrics (without torch)."""
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
