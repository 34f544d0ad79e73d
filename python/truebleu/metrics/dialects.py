"""The dialects of all metrics by name."""

from truebleu.metrics.bleu import dialects as bleu
from truebleu.metrics.chrf import dialects as chrf

DIALECTS = {**bleu.DIALECTS, **chrf.DIALECTS}
"""Those of BLEU, then those of chrF; each says which metric it is of."""
