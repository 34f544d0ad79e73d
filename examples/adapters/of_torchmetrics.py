"""Answers the cases of the conformance kit with torchmetrics.

Run ``truebleu check of_torchmetrics:answer`` where torch and torchmetrics are installed. Single
precision has about 7 digits, of which 4 are behind the point of a percentage.
"""

from torchmetrics.functional.text import (
    bleu_score,
    chrf_score,
    sacre_bleu_score,
    translation_edit_rate,
)

DECIMALS = 4


def answer(case):
    """Return a score, or why torchmetrics has none."""
    if case["answer"] != "score":
        return {"skip": "torchmetrics computes scores only"}
    settings, texts = case["settings"], (case["hyp"], case["refs"])
    if case["metric"] == "bleu":
        return bleu(texts, settings)
    if case["metric"] == "ter":
        names = {"normalized": "normalize", "no_punct": "no_punctuation"}
        chosen = {names.get(name, name): value for name, value in settings.items()}
        chosen["lowercase"] = not chosen.pop("case_sensitive")
        return percent(translation_edit_rate(*texts, **chosen))
    if settings["eps_smoothing"]:
        return {"skip": "torchmetrics does not smooth chrF"}
    names = {"char_order": "n_char_order", "word_order": "n_word_order"}
    chosen = {names.get(name, name): value for name, value in settings.items()}
    del chosen["eps_smoothing"]
    return percent(chrf_score(*texts, **chosen | {"beta": float(chosen["beta"])}))


def bleu(texts, settings):
    """Return BLEU; what splits at spaces is a function of its own."""
    if settings["smooth_method"] != "none" or settings["effective_order"]:
        return {"skip": "torchmetrics adds 1 or nothing, and has no effective order"}
    order, tokenizer = settings["max_ngram_order"], settings["tokenize"]
    if tokenizer == "none" and not settings["lowercase"]:
        return percent(bleu_score(*texts, n_gram=order))
    chosen = {"tokenize": tokenizer, "lowercase": settings["lowercase"]}
    return percent(sacre_bleu_score(*texts, n_gram=order, **chosen))


def percent(score):
    """Return a score on the scale of the kit, and how exact it is."""
    return {"score": 100 * float(score), "decimals": DECIMALS}
