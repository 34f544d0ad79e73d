"""Scores of Spark data frames and of Parquet files. Needs ``truebleu[spark]``.

The executors need it, too: text never leaves the machine it is on. Each partition is counted where
it is, and Spark adds up rows of statistics.
"""

from truebleu.engines.spark.setup import check

check()

# Their imports fail without PySpark.
from truebleu.engines.spark.files import corpus_score_of_files  # noqa: E402
from truebleu.engines.spark.frames import (  # noqa: E402
    confidence_interval,
    corpus_score,
    score_stats,
    sentence_score,
    stats,
)

__all__ = [
    "confidence_interval",
    "corpus_score",
    "corpus_score_of_files",
    "score_stats",
    "sentence_score",
    "stats",
]
