"""Spark gives the result of one machine, whatever the partitions and whatever fails."""

import os
import signal

import entries
import pyarrow as pa
import pytest
import truebleu
from looping import later
from tables_of_text import (
    MATCHES,
    SYSTEMS,
    TABLE,
    wanted,
)
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, errors
from truebleu.engines import job
from truebleu.engines.job import Job

pytestmark = entries.SLOW


@pytest.fixture(scope="module")
def frame(spark):
    numbered = TABLE.append_column("number", pa.array(range(len(TABLE))))
    return spark.createDataFrame(numbered)


@pytest.mark.parametrize(
    ("partitions", "references"),
    [(1, ["ref_a"]), (7, ["ref_a", "ref_b"]), later(2, ["refs"]), later(40, ["refs"])],
)
def test_partitions_change_nothing(frame, engine, partitions, references):
    found = engine.corpus_score(frame.repartition(partitions), "mt", references, lowercase=True)
    want = wanted(TABLE, references, lowercase=True)
    assert (found, found.signature) == (want, want.signature)


def test_statistics_of_another_metric(spark, engine):
    """Statistics with the same fields are refused all the same if their key is another."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F  # noqa: N812

    frame = spark.createDataFrame(MATCHES)
    stored = frame.select(engine.stats("mt", "ref_a", metric=ExactMatch()).alias("stats"))
    stored = stored.select("stats.*")
    kinds = (truebleu.StatsMismatchError, truebleu.InputError, PySparkException)
    with pytest.raises(kinds, match="these statistics have the key"):
        engine.score_stats(stored, metric=Misses())
    with pytest.raises(errors.UnknownNameError, match="no column 'hyp_len'; statistics are sto"):
        engine.score_stats(stored)
    null = stored.withColumn("matches", F.lit(None).cast("bigint"))
    with pytest.raises(kinds, match="and never null, but matches is"):
        engine.score_stats(null, metric=ExactMatch())


def test_killed_tasks_are_tried_again(frame, engine):
    """Workers that die in the middle of a partition neither lose rows nor count them twice."""

    def die(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        for number, batch in enumerate(batches):
            if number and context.attemptNumber() == 0 and context.partitionId() % 2 == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    # As if the master were local[2, 4].
    tasks = frame.sparkSession.sparkContext._jsc.sc().taskScheduler()
    attempts = tasks.getClass().getDeclaredField("maxTaskFailures")
    attempts.setAccessible(True)
    attempts.setInt(tasks, 4)
    dying = frame.repartition(4).mapInArrow(die, frame.schema)
    assert engine.corpus_score(dying, "mt", "ref_a") == wanted(TABLE, ["ref_a"])
    # They did die: without a second try there is no result.
    from py4j.protocol import Py4JJavaError

    def always(batches):
        os.kill(os.getpid(), signal.SIGKILL)
        yield from batches

    with pytest.raises(Py4JJavaError, match="failed 4 times"):
        engine.corpus_score(frame.mapInArrow(always, frame.schema), "mt", "ref_a")
    attempts.setInt(tasks, 1)


@pytest.mark.parametrize("numbers", [(1, 10), later((1, 10, 100))], ids=len)
def test_what_comes_to_the_driver_does_not_grow(frame, engine, numbers):
    """Whatever the partitions, a row of sums for each group comes, and no text."""
    from truebleu.engines.spark.columns import selected
    from truebleu.engines.spark.frames import sums_of_groups

    sizes = set()
    for partitions in numbers:
        parts = frame.repartition(partitions)
        table = sums_of_groups(selected(parts, "mt", "ref_a", "system", metric=Bleu()))
        table = table.drop("system").toArrow()
        assert {str(kind) for kind in table.schema.types} == {"int64"}
        sizes.add((table.num_rows, table.nbytes))
    assert len(sizes) == 1
    assert sizes.pop()[0] == len(SYSTEMS)


def test_odd_names(frame, engine):
    odd = frame.withColumnsRenamed({"mt": "a.b`c", "ref_a": "x y", "system": "sys.tem"})
    assert engine.corpus_score(odd, "a.b`c", "x y") == wanted(TABLE, ["ref_a"])
    groups = engine.corpus_score(odd, "a.b`c", "x y", group_by="sys.tem").collect()
    assert {row["sys.tem"] for row in groups} == set(SYSTEMS)
    # Spark ignores case, and would replace such a column by the scores.
    for name in ("BLEU", "Segments", "KEY", "Hyp_Len"):
        odd = frame.withColumnRenamed("system", name)
        with pytest.raises(truebleu.SettingsError, match=f"column '{name}' clashes"):
            engine.corpus_score(odd, "mt", "ref_a", group_by=name)


def test_refused(frame, engine, spark):
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F  # noqa: N812

    def refused(error, message, *arguments, function=engine.corpus_score, **more):
        with pytest.raises(error) as caught:
            function(*arguments, **more)
        assert message in str(caught.value)

    null = F.when(F.col("number") < 50, F.col("mt"))
    holes = frame.withColumn("mt", null)
    alone = frame.withColumn("none", F.lit(None).cast("string"))
    refused(errors.UnknownNameError, "there is no column 'x'; the columns", frame, "x", "refs")
    refused(truebleu.InputTypeError, "column 'half' is of type bigint; a", frame, "half", "refs")
    refused(truebleu.InputTypeError, "column 'refs' is of type array<str", frame, "refs", "refs")
    refused(truebleu.InputTypeError, "column 'mt' has nulls; every", holes, "mt", "refs")
    refused(errors.EmptyInputError, "'none' is null there", alone, "mt", "none")
    refused(errors.EmptyInputError, "no rows to score", frame.limit(0), "mt", "refs")
    refused(truebleu.SettingsError, "one segment", frame, "mt", "refs", smoothing="method5")
    grouped = engine.corpus_score(holes, "mt", "refs", group_by="half")
    refused(PySparkException, "column 'mt' has nulls", function=grouped.collect)
    assert engine.corpus_score(frame.limit(0), "mt", "refs", group_by="half").collect() == []
    refused(truebleu.SettingsError, "no references", "mt", function=engine.segment_score)


def test_statistics_of_other_settings(frame, engine, monkeypatch):
    """Partitions say how they were counted, and are not scored otherwise."""
    from pyspark.errors import PySparkException

    monkeypatch.setattr(job, "stored_key", lambda _: 5)
    kinds = (truebleu.StatsMismatchError, PySparkException)
    with pytest.raises(kinds, match="these statistics have the key 5"):
        engine.corpus_score(frame, "mt", "refs")
    grouped = engine.corpus_score(frame, "mt", "refs", group_by="system")
    with pytest.raises(kinds, match="these statistics have the key 5"):
        grouped.collect()


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_sums_that_do_not_fit(spark, engine, ansi):
    """A sum beyond int64 is an error, and no negative number, whatever the session says."""
    from pyspark.errors import PySparkException
    from truebleu.engines.spark.frames import added, scores_of_sums

    todo = Job("mt", "refs", metric=Bleu(max_order=1))
    names = (*todo.sums, *todo.ends, "key")
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        parts = spark.createDataFrame([[2**62] * 4 + [1, 1, 1, todo.key]] * 2, list(names))
        sums = added(parts.groupBy(), todo)
        [row] = sums.collect()
        with pytest.raises(truebleu.InputError, match="does not fit into int64"):
            todo.stats(row[: len(todo.sums)], 1, 1)
        with pytest.raises(PySparkException, match="does not fit into int64"):
            sums.select(scores_of_sums(todo, todo.metric, todo.metric.fields)).collect()
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
