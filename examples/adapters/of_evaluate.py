"""Answers the cases of the conformance kit with evaluate of Hugging Face.

Run ``truebleu check of_evaluate:answer``. The modules are downloaded from the Hub, unless EVALUATE
is the folder ``metrics`` of evaluate's repository. Its ``bleu`` downloads ``nmt_bleu.py`` all the
same, unless the comment behind that import is removed and the file is there.
"""

import functools
import os
from pathlib import Path

import evaluate

load = functools.cache(evaluate.load)


def answer(case):
    """Return a score, or why evaluate has none."""
    settings, metric = dict(case["settings"]), case["metric"]
    if case["answer"] != "score":
        return {"skip": "evaluate computes scores only"}
    more = {}
    if metric == "bleu":
        if settings["smooth_method"] != "none" or settings["effective_order"]:
            return {"skip": "evaluate's bleu smooths otherwise, and has no effective order"}
        if settings["lowercase"] or settings["tokenize"] not in ("13a", "none"):
            return {
                "skip": "evaluate's bleu splits as 13a does or as it is told, and keeps the case"
            }
        if settings["tokenize"] == "none":
            more["tokenizer"] = str.split
        more["max_order"] = settings["max_ngram_order"]
    elif metric == "ter":
        names = {"asian_support": "support_zh_ja_chars", "no_punct": "ignore_punct"}
        more = {names.get(name, name): value for name, value in settings.items()}
    else:
        more = settings
    if metric != "bleu" and len({len(several) for several in case["refs"]}) > 1:
        return {"skip": f"evaluate's {metric} takes equally many references for each segment"}
    module = load(str(Path(os.environ.get("EVALUATE", ""), metric)))
    found = module.compute(predictions=case["hyp"], references=case["refs"], **more)
    return 100 * found["bleu"] if metric == "bleu" else found["score"]
