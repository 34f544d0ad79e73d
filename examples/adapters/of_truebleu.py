"""Answers the cases of the conformance kit with truebleu.

Run ``truebleu check of_truebleu:answer``.
"""

from itertools import product

import truebleu

KINDS = {"bleu": truebleu.Bleu, "chrf": truebleu.Chrf, "ter": truebleu.Ter}

# The cases have sacreBLEU's names.
NAMES = {
    "tokenize": "tokenizer",
    "smooth_method": "smoothing",
    "max_ngram_order": "max_order",
}


def settings_of(case):
    """Return the settings of a case, by truebleu's names."""
    settings = {NAMES.get(name, name): value for name, value in case["settings"].items()}
    return {name: value for name, value in settings.items() if value is not None}


def metric_of(case):
    """Make the metric that a case asks for."""
    return KINDS[case["metric"]](**settings_of(case))


def answer(case):
    """Return what a case asks for."""
    if case["answer"] == "tokens":
        return truebleu.tokenize(case["text"], tokenizer=case["settings"]["tokenize"])
    metric = metric_of(case)
    hypotheses, references = case["hyp"], case["refs"]
    if case["answer"] == "scores":
        rows = metric.stats(hypotheses, references)
        sums = (sum(rows[index] for index in sample) for sample in case["samples"])
        return [metric.score(each).score for each in sums]
    if case["answer"] == "p_value":
        own, other = (metric.stats(each, references) for each in (hypotheses, case["baseline"]))
        differences = []
        for swapped in product((False, True), repeat=len(own)):
            swaps = list(zip(swapped, own, other, strict=True))
            first = sum(theirs if swap else ours for swap, ours, theirs in swaps)
            second = sum(ours if swap else theirs for swap, ours, theirs in swaps)
            differences.append(abs(metric.score(first).score - metric.score(second).score))
        return sum(each >= differences[0] - 1e-10 for each in differences) / len(differences)
    score = metric.corpus(hypotheses, references)
    return score.signature if case["answer"] == "signature" else score.score
