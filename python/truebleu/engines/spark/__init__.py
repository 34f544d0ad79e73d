"""Scores of Spark data frames. Needs ``truebleu[spark]``.

The executors need it, too: text never leaves the machine it is on. Each partition is counted where
it is, and Spark adds up rows of statistics.
"""

from __future__ import annotations

import re
from importlib import metadata

from truebleu.engines.job import missing
from truebleu.errors import MissingExtraError, warn

try:
    import pyarrow as _  # noqa: F401
    import pyspark
except ImportError as error:
    raise missing("PySpark 4.1 or later and pyarrow", "spark") from error

_OLDEST = (4, 1)
# Earlier ones convert data frames of pandas without Arrow by default, and then make a text 'nan' of
# what is missing in a column of pandas 3.
_FIRST_WITH_ARROW = (4, 2)
_BY_ARROW = "spark.sql.execution.arrow.pyspark.enabled"


def _check() -> None:
    """Refuse a PySpark that is too old, and warn of what else is missing."""
    version = pyspark.__version__
    if _release(version) < _OLDEST:
        raise MissingExtraError(
            f"PySpark {version} is installed, but 4.1 or later is needed: "
            "pip install 'truebleu[spark]'"
        )
    pandas = _installed("pandas")
    if _release(pandas) >= (3, 0) and _release(version) < _FIRST_WITH_ARROW:
        warn(
            f"PySpark {version} makes 'nan' of missing texts in data frames of pandas {pandas}, "
            f"and 'nan' would be scored: set {_BY_ARROW} to true, or pip install 'pandas<3'",
            RuntimeWarning,
        )


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "0"


def _release(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


# What no package can require is looked for before anything else of Spark is loaded.
_check()

from truebleu.engines.spark.frames import (  # noqa: E402
    corpus_score,
    score_stats,
    segment_score,
    stats,
)
from truebleu.engines.spark.functions import register  # noqa: E402

__all__ = [
    "corpus_score",
    "register",
    "score_stats",
    "segment_score",
    "stats",
]
