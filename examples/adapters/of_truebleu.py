"""Answers the cases of the conformance kit with truebleu.

Run ``truebleu check of_truebleu:answer``.
"""

import truebleu

KINDS = {"bleu": truebleu.Bleu, "chrf": truebleu.Chrf, "ter": truebleu.Ter}

# The cases have sacreBLEU's names.
NAMES = {
    "tokenize": "tokenizer",
    "smooth_method": "smoothing",
    "max_ngram_order": "max_order",
}


def answer(case):
    """Return what a case asks for."""
    settings = {NAMES.get(name, name): value for name, value in case["settings"].items()}
    if settings.get("smooth_value") is None:
        settings.pop("smooth_value", None)
    if case["answer"] == "tokens":
        return truebleu.tokenize(case["text"], settings["tokenizer"])
    metric = KINDS[case["metric"]](**settings)
    hypotheses, references = case["hyp"], case["refs"]
    if case["answer"] == "scores":
        rows = metric.stats(hypotheses, references)
        sums = (sum(rows[index] for index in sample) for sample in case["samples"])
        return [metric.score(each).score for each in sums]
    if case["answer"] == "p_value":
        systems = {"system": hypotheses, "baseline": case["baseline"]}
        compared = truebleu.compare(systems, references, metric=metric, n_resamples=1)
        return compared.pair("system", "baseline").p_value
    score = metric.corpus(hypotheses, references)
    return score.signature if case["answer"] == "signature" else score.score
