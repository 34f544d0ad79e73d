"""Columns of Spark: names and expressions, whatever their case, and groups of every value."""

import re

import entries
import pyarrow as pa
import pytest
import truebleu
from tables_of_text import SYSTEMS, TABLE, lists_of, wanted
from toy_metrics import ExactMatch
from truebleu import Bleu, errors

pytestmark = entries.SLOW
WANT = wanted(TABLE, ["ref_a"])


@pytest.fixture(scope="module")
def frame(spark):
    numbered = TABLE.append_column("number", pa.array(range(len(TABLE))))
    return spark.createDataFrame(numbered).cache()


def refused(error, message, function, *arguments, **more):
    with pytest.raises(error, match=re.escape(message)):
        function(*arguments, **more)


def test_expressions(frame, engine):
    """Columns of a join, and any expression, are scored under the name that the user gave."""
    from pyspark.sql import functions as F  # noqa: N812

    left = frame.select("number", "mt", "system").alias("x")
    right = frame.select("number", "ref_a", F.col("ref_b").alias("mt")).alias("y")
    joined = left.join(right, F.col("x.number") == F.col("y.number"))
    for hypothesis in ("x.mt", F.col("x.mt"), left["mt"]):
        assert engine.corpus_score(joined, hypothesis, ["ref_a"]) == WANT
    both = engine.corpus_score(joined, "x.mt", ["ref_a", F.col("y.mt")])
    assert both == wanted(TABLE, ["ref_a", "ref_b"])
    refused(
        truebleu.SettingsError,
        "2 columns are called 'mt'",
        engine.corpus_score,
        joined,
        "mt",
        "ref_a",
    )
    lower = engine.corpus_score(frame, F.lower("mt"), F.array(F.lower("ref_a")))
    assert lower == engine.corpus_score(frame, "mt", "ref_a", lowercase=True)
    length = F.length("system").alias("letters")
    found = engine.corpus_score(joined, "x.mt", "ref_a", group_by=[length, "x.system"])
    assert found.columns[:3] == ["letters", "system", "bleu"]
    assert {row["letters"] for row in found.collect()} == set(map(len, SYSTEMS))
    nested = frame.select(F.struct("mt", "ref_a").alias("pair"))
    assert engine.corpus_score(nested, "pair.mt", "pair.ref_a") == WANT


def test_messages_name_the_column_of_the_user(frame, engine):
    """Of rows, too, whichever function counts them."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F  # noqa: N812

    holes = frame.withColumn("my text", F.when(F.col("number") > 50, F.col("mt")))
    message = "column 'my text' has nulls"
    refused(truebleu.InputTypeError, message, engine.corpus_score, holes, "my text", "ref_a")
    for function in (engine.segment_score, engine.stats):
        scored = holes.select(function("my text", "ref_a"))
        refused(PySparkException, message, scored.collect)
    upper = F.upper(holes["my text"])
    message = "column 'upper(`my text`)' has nulls"
    refused(truebleu.InputTypeError, message, engine.corpus_score, holes, upper, "ref_a")
    number = F.lit(1).alias("n")
    refused(truebleu.InputTypeError, "is of type int; a", engine.corpus_score, frame, number, "mt")
    message = "column 'refs' is of type array<string>: groups need plain values"
    refused(
        truebleu.InputTypeError, message, engine.corpus_score, frame, "mt", "ref_a", group_by="refs"
    )
    message = "references is of type int; a name"
    refused(truebleu.InputTypeError, message, engine.corpus_score, frame, "mt", 3)


def test_no_frame_and_no_column(frame, engine):
    """What is given in the place of a frame or a column is named."""
    message = "frame is of type Table; a Spark data frame is needed"
    refused(truebleu.InputTypeError, message, engine.corpus_score, TABLE, "mt", "ref_a")
    # The frame comes first in corpus_score, but not in a column.
    message = "hypothesis is of type DataFrame; a column, or the name of one, is needed"
    for function in (engine.segment_score, engine.stats):
        refused(truebleu.InputTypeError, message, function, frame, "mt", "ref_a")
    message = "a reference 3 is of type int; a name, as a str, is needed"
    refused(truebleu.InputTypeError, message, engine.stats, "mt", [3])
    message = "there is no column 'hyp_len'; statistics are stored in the columns"
    refused(errors.UnknownNameError, message, engine.score_stats, frame)
    refused(truebleu.InputTypeError, "frame is of type int;", engine.score_stats, 3)


def test_case(spark, frame, engine):
    """Names are told apart by case where the session does so."""
    assert engine.corpus_score(frame, "MT", "Ref_A") == WANT
    found = engine.corpus_score(frame, "MT", "Ref_A", group_by="SYSTEM")
    assert found.columns[0] == "SYSTEM"
    assert {row["SYSTEM"] for row in found.collect()} == set(SYSTEMS)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        message = "there is no column 'MT'; the columns are"
        refused(errors.UnknownNameError, message, engine.corpus_score, frame, "MT", "ref_a")
        twice = frame.withColumnRenamed("ref_b", "MT").withColumnRenamed("system", "BLEU")
        assert engine.corpus_score(twice, "mt", "ref_a") == WANT
        found = engine.corpus_score(twice, "mt", "ref_a", group_by="BLEU")
        assert {row["BLEU"] for row in found.collect()} == set(SYSTEMS)
    finally:
        spark.conf.unset("spark.sql.caseSensitive")
    message = "2 columns are called 'mt'"
    refused(truebleu.SettingsError, message, engine.corpus_score, twice, "mt", "ref_a")


def test_names_that_results_have(frame, engine):
    """Texts may be called like columns of a result, or those that are made on the way."""
    pairs = [("SEGMENTS", "Hyp_Len"), ("bleu", "key"), ("column_1", "group_0"), ("ref", "last_key")]
    for hypothesis, reference in pairs:
        odd = frame.withColumnsRenamed({"mt": hypothesis, "ref_a": reference})
        found = engine.corpus_score(odd, hypothesis, reference, group_by="system")
        assert sum(row["hyp_len"] for row in found.collect()) == WANT.hyp_len
    # A column may be scored and grouped by, and two that are not needed may share a name.
    odd = frame.select("mt", "ref_a", "half", frame["system"].alias("half"))
    found = engine.corpus_score(odd, "mt", "ref_a", group_by="ref_a")
    assert found.count() == len(set(TABLE["ref_a"].to_pylist()))
    message = "group_by has two columns 'SYSTEM'"
    groups = {"group_by": ["system", "SYSTEM"]}
    refused(truebleu.SettingsError, message, engine.corpus_score, frame, "mt", "ref_a", **groups)


def test_small_batches_are_joined(frame, engine, tmp_path):
    """Spark sends seven rows at a time here; a partition is counted in one call."""
    found = engine.corpus_score(
        frame.coalesce(1), "mt", "ref_a", metric=entries.recorded(tmp_path / "calls")
    )
    assert found == ExactMatch().corpus(*lists_of(TABLE, ["ref_a"]))
    assert (tmp_path / "calls").read_text() == f"{len(TABLE)}\n"


@pytest.mark.parametrize("size", ["1", "10000"])
def test_columns_of_batches_of_any_size(spark, frame, engine, size):
    """Columns are those of the lists."""
    setting = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(setting)
    spark.conf.set(setting, size)
    try:
        ordered = frame.coalesce(1).sortWithinPartitions("number")
        stats = engine.stats("mt", "ref_a", metric=ExactMatch()).alias("stats")
        found = ordered.select(stats).toArrow()["stats"].to_pylist()
        score = engine.segment_score("mt", "ref_a").alias("score")
        scores = ordered.select(score).toArrow()
        assert ordered.limit(0).select(score, stats).collect() == []
    finally:
        spark.conf.set(setting, before)
    want = ExactMatch().stats(*lists_of(TABLE, ["ref_a"]))
    assert [row["matches"] for row in found] == want.to_numpy()[:, 0].tolist()
    assert scores["score"].to_pylist() == Bleu().segments(*lists_of(TABLE, ["ref_a"])).tolist()
