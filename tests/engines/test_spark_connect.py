"""Spark Connect: a client without a JVM of its own gets the scores of the lists."""

import os
import subprocess
import sys

import pytest
from project import ROOT

PROGRAM = """
from pyspark.sql import SparkSession
from pyspark.sql.connect.dataframe import DataFrame
import pytest
import truebleu
from tables_of_text import TABLE, wanted
from truebleu.engines import spark

session = (
    SparkSession.builder.remote("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", "2")
    .getOrCreate()
)
try:
    frame = session.createDataFrame(TABLE).repartition(3)
    assert isinstance(frame, DataFrame)
    want = wanted(TABLE, ["ref_a"])
    assert spark.corpus_score(frame, "mt", "ref_a") == want
    groups = spark.corpus_score(frame, "mt", "ref_a", group_by="system").orderBy("system")
    by_system = [
        wanted(TABLE.filter([name == system for name in TABLE["system"].to_pylist()]), ["ref_a"])
        for system in ("medium", "strong", "weak")
    ]
    assert [row["bleu"] for row in groups.collect()] == [score.score for score in by_system]
    counted = frame.select("system", spark.stats("mt", "ref_a").alias("stats"))
    stored = counted.select("system", "stats.*")
    assert spark.score_stats(stored).score == want.score
    again = spark.score_stats(stored, group_by="system").orderBy("system").collect()
    assert [row["bleu"] for row in again] == [score.score for score in by_system]
    rows = frame.withColumn("bleu", spark.segment_score("mt", "ref_a")).count()
    assert rows == len(TABLE)
    spark.register(session)
    frame.createOrReplaceTempView("texts")
    [row] = session.sql("SELECT bleu_corpus_score(mt, array(ref_a)) FROM texts").collect()
    assert row[0] == want.score
    with pytest.raises(truebleu.InputTypeError, match="column 'mt' has nulls"):
        spark.corpus_score(frame.selectExpr("nullif(mt, mt) AS mt", "ref_a"), "mt", "ref_a")
finally:
    session.stop()
print("all is well")
"""


@pytest.mark.slow
def test_a_remote_session(tmp_path):
    """Every function, in a process of its own: a session is either remote or not."""
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    paths = [os.environ.get("PYTHONPATH"), str(ROOT / "tests")]
    known = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYSPARK_PYTHON": sys.executable}
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | known,
    )
    assert found.stdout.strip().endswith("all is well"), found.stderr[-3000:]
