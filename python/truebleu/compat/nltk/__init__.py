"""NLTK 3.10's BLEU, with the same names and the same numbers, computed by truebleu.

Replace ``nltk.translate.bleu_score`` in ``from nltk.translate.bleu_score import sentence_bleu`` by
``truebleu.compat.nltk``. For chrF, there is :mod:`truebleu.compat.nltk.chrf_score`.
"""

from truebleu.compat.nltk.counts import Fraction, closest_ref_length, modified_precision
from truebleu.compat.nltk.scores import brevity_penalty, corpus_bleu, sentence_bleu
from truebleu.compat.nltk.smoothing import SmoothingFunction

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]
