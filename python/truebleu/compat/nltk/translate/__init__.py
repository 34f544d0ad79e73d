"""NLTK's package of the same name, with the modules that there are drop-ins for."""

import sys

from truebleu.compat.nltk import bleu_score as bleu_score
from truebleu.compat.nltk import chrf_score as chrf_score
from truebleu.compat.nltk.bleu_score import sentence_bleu as bleu  # noqa: F401  # NLTK's names.
from truebleu.compat.nltk.chrf_score import sentence_chrf as chrf  # noqa: F401

for _module in (bleu_score, chrf_score):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
