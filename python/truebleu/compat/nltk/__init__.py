"""NLTK 3.10's BLEU, with the same names and the same numbers, computed by truebleu.

Replace ``nltk.translate.bleu_score`` in ``from nltk.translate.bleu_score import sentence_bleu`` by
``truebleu.compat.nltk``. For chrF, there is :mod:`truebleu.compat.nltk.chrf_score`. Programs that
import modules find them under NLTK's names, too: ``truebleu.compat.nltk.translate.bleu_score``.
"""

from truebleu.compat.nltk.bleu_score import (
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]
