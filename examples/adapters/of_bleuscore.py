"""Answers the cases of the conformance kit with bleuscore.

Run ``truebleu check of_bleuscore:answer``.
"""

import bleuscore


def answer(case):
    """Return a score, or why bleuscore has none."""
    settings = case["settings"]
    if case["answer"] != "score" or case["metric"] != "bleu":
        return {"skip": "bleuscore computes scores of BLEU only"}
    if settings["tokenize"] != "13a" or settings["lowercase"]:
        return {"skip": "bleuscore splits as 13a does, and keeps the case"}
    if settings["smooth_method"] != "none" or settings["effective_order"]:
        return {"skip": "bleuscore smooths otherwise, and has no effective order"}
    found = bleuscore.compute(
        case["refs"],
        case["hyp"],
        max_order=settings["max_ngram_order"],
        smooth=False,
        ref_len_method="closest",
    )
    return 100 * found["bleu"]
