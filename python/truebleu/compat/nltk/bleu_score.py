"""NLTK's module of the same name: its functions, and what else programs import from it."""

import math as math
import sys as sys
import warnings as warnings
from collections import Counter as Counter
from fractions import Fraction as _Fraction  # noqa: F401  # NLTK has it, too.

from truebleu.compat.nltk.counts import Fraction as Fraction
from truebleu.compat.nltk.counts import closest_ref_length as closest_ref_length
from truebleu.compat.nltk.counts import modified_precision as modified_precision
from truebleu.compat.nltk.counts import ngrams as ngrams
from truebleu.compat.nltk.scores import brevity_penalty as brevity_penalty
from truebleu.compat.nltk.scores import corpus_bleu as corpus_bleu
from truebleu.compat.nltk.scores import sentence_bleu as sentence_bleu
from truebleu.compat.nltk.smoothing import SmoothingFunction as SmoothingFunction
