"""Answers the cases of the conformance kit with sacreBLEU.

Run ``truebleu check of_sacrebleu:answer``.
"""

import sacrebleu
from sacrebleu.metrics.bleu import _get_tokenizer

KINDS = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF, "ter": sacrebleu.TER}


def answer(case):
    """Return what a case asks for; the settings have sacreBLEU's names."""
    if case["answer"] == "p_value":
        return {"skip": "sacreBLEU draws random swaps, and does not try all of them"}
    if case["answer"] == "tokens":
        return _get_tokenizer(case["settings"]["tokenize"])()(case["text"].rstrip()).split()
    metric = KINDS[case["metric"]](**case["settings"])
    if case["answer"] == "scores":
        return [
            score(metric, *([case[name][index] for index in sample] for name in ("hyp", "refs")))
            for sample in case["samples"]
        ]
    number = score(metric, case["hyp"], case["refs"])
    return str(metric.get_signature()) if case["answer"] == "signature" else number


def score(metric, hypotheses, references):
    """Score a corpus; sacreBLEU takes streams of references, and None where there is none."""
    most = max(map(len, references), default=0)
    streams = [
        [several[index] if index < len(several) else None for several in references]
        for index in range(most)
    ]
    return metric.corpus_score(hypotheses, streams).score
