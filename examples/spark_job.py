"""A Spark job: the score of each system in a table, and statistics to store for later.

Spark sums rows of whole numbers, one for each partition and system, so the job is as large as you
like. What is stored adds up with the statistics of other days (docs/scale.md).

Run it: spark-submit examples/spark_job.py STATISTICS.parquet [TABLE.csv]
"""

import argparse
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession
from truebleu.engines import spark

FOLDER = Path(__file__).parent


def main():
    """Read a table with the columns system, mt and ref_a; print scores and write statistics."""
    parser = argparse.ArgumentParser()
    parser.add_argument("statistics")
    parser.add_argument("table", nargs="?", default=str(FOLDER / "table.csv"))
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.appName("bleu").getOrCreate()
    frame = session.read.csv(options.table, header=True, escape='"').fillna("", "mt")
    scores = spark.corpus_score(frame, "mt", "ref_a", group_by="system").orderBy("system").cache()
    for row in scores.collect():
        print(f"{row['system']}: {row['bleu']:.2f} BLEU, {row['segments']} segments")
    scores.write.mode("overwrite").parquet(options.statistics)
    session.stop()


if __name__ == "__main__":
    main()
