"""Answers the cases of the conformance kit with compare-mt.

Run ``truebleu check of_compare_mt:answer``.
"""

from compare_mt.scorers import BleuScorer


def answer(case):
    """Return a score, or why compare-mt has none."""
    settings = case["settings"]
    if case["answer"] != "score" or case["metric"] != "bleu":
        return {"skip": "compare-mt counts itself for BLEU only"}
    if settings["tokenize"] != "none" or settings["smooth_method"] != "none":
        return {"skip": "compare-mt splits at spaces and does not smooth"}
    if any(len(several) != 1 for several in case["refs"]):
        return {"skip": "compare-mt takes one reference"}
    if settings["effective_order"]:
        return {"skip": "compare-mt has no effective order"}
    order = settings["max_ngram_order"]
    scorer = BleuScorer([1 / order] * order, case_insensitive=settings["lowercase"])
    references = [several[0].split() for several in case["refs"]]
    return float(scorer.score_corpus(references, [text.split() for text in case["hyp"]])[0])
