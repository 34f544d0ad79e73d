"""Scores of Spark data frames. Needs ``truebleu[spark]``.

The executors need it, too: text never leaves the machine it is on. Each partition is counted where
it is, and Spark adds up rows of statistics.
"""

from __future__ import annotations

from truebleu.engines.job import missing

try:
    import pyarrow as _  # noqa: F401
    import pyspark
except ImportError as error:
    raise missing("PySpark 4.2 or later and pyarrow", "spark") from error
if tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 2):
    # It makes texts 'nan' of what is missing in data frames of pandas 3.
    raise missing("PySpark 4.2 or later", "spark")

from truebleu.engines.spark.frames import corpus_score, score_stats, segment_score, stats
from truebleu.engines.spark.functions import register

__all__ = ["corpus_score", "register", "score_stats", "segment_score", "stats"]
