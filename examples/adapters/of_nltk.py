"""Answers the cases of the conformance kit with NLTK.

Run ``truebleu check of_nltk:answer``.
"""

import warnings

from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from nltk.translate.chrf_score import corpus_chrf

# NLTK warns of every order without a match.
warnings.simplefilter("ignore")


def answer(case):
    """Return a score, or why NLTK has none."""
    settings = case["settings"]
    if case["answer"] != "score" or case["metric"] == "ter":
        return {"skip": "NLTK computes scores of BLEU and chrF only"}
    if settings["lowercase"]:
        return {"skip": "NLTK does not change the case"}
    return (bleu if case["metric"] == "bleu" else chrf)(case, settings)


def bleu(case, settings):
    """Return BLEU; of NLTK's smoothings, four have another name in sacreBLEU."""
    if settings["tokenize"] != "none":
        return {"skip": "NLTK has no tokenizer for this"}
    if settings["effective_order"]:
        return {"skip": "NLTK has no effective order"}
    order, value = settings["max_ngram_order"], settings["smooth_value"]
    functions = SmoothingFunction(epsilon=0.1 if value is None else value)
    smoothing = {"none": functions.method0, "floor": functions.method1, "exp": functions.method3}
    if value is None:
        smoothing["add-k"] = functions.method2
    if settings["smooth_method"] not in smoothing:
        return {"skip": "NLTK's smoothing adds nothing but 1"}
    references = [[text.split() for text in several] for several in case["refs"]]
    hypotheses = [text.split() for text in case["hyp"]]
    chosen = smoothing[settings["smooth_method"]]
    return 100 * corpus_bleu(references, hypotheses, [1 / order] * order, chosen)


def chrf(case, settings):
    """Return chrF, which NLTK computes as a mean over segments."""
    if settings["word_order"] or settings["eps_smoothing"]:
        return {"skip": "NLTK has no words or smoothing in chrF"}
    if any(len(several) != 1 for several in case["refs"]):
        return {"skip": "NLTK takes one reference for chrF"}
    references = [several[0] for several in case["refs"]]
    more = {"max_len": settings["char_order"], "beta": settings["beta"]}
    more["ignore_whitespace"] = not settings["whitespace"]
    return 100 * corpus_chrf(references, case["hyp"], **more)
