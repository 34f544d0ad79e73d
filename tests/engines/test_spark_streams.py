"""Statistics add up in Spark's own groups: windows of a stream, and the days of a month."""

import datetime
import os

import entries
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
from tables_of_text import TABLE, wanted

pytestmark = entries.SLOW

START = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
TIMES = [START + datetime.timedelta(hours=i) for i in range(len(TABLE))]
ARRIVED = int(START.timestamp())
TIMED = TABLE.append_column("time", pa.array(TIMES, pa.timestamp("us", "UTC")))


def rows_of(*numbers):
    """Score rows of the table as lists."""
    return wanted(TABLE.take(list(numbers)), ["ref_a"]).score


@pytest.fixture
def stream(spark, tmp_path):
    """Return a stream of three files: two of a few days each, and one with a row that is late."""
    folder = tmp_path / "arrived"
    folder.mkdir()
    parts = [TIMED.slice(0, 72), TIMED.slice(72, 72), TIMED.slice(0, 1)]
    for number, part in enumerate(parts):
        path = folder / f"{number}.parquet"
        pq.write_table(part, path)
        # Spark takes the oldest file first: written in one second, they could come in any order.
        os.utime(path, (ARRIVED + 60 * number, ARRIVED + 60 * number))
    schema = spark.read.parquet(str(folder)).schema
    return (
        spark.readStream.schema(schema)
        .option("maxFilesPerTrigger", 1)
        .option("latestFirst", "false")
        .parquet(str(folder))
    )


def written(frame, tmp_path, mode):
    """Run a query until all files are read; return its rows, and what its batches reported."""
    query = (
        frame.writeStream.format("memory")
        .queryName(mode)
        .outputMode(mode)
        .option("checkpointLocation", str(tmp_path / mode))
        .trigger(availableNow=True)
        .start()
    )
    try:
        assert query.awaitTermination(300)
    finally:
        query.stop()
    progress = [each for each in query.recentProgress if each["numInputRows"]]
    return frame.sparkSession.table(mode).collect(), progress


def test_windows_and_watermarks(stream, engine, tmp_path):
    """Windows that are closed are scored as their rows; rows that come too late are left out."""
    from pyspark.sql import functions as F  # noqa: N812

    timely = stream.withWatermark("time", "1 hour")
    found = engine.corpus_score(timely, "mt", "ref_a", group_by=F.window("time", "1 day"))
    assert found.columns[:3] == ["window", "bleu", "segments"]
    found, progress = written(found.select("window.start", "bleu"), tmp_path, "append")
    # A file in each batch, in this order.
    assert [each["numInputRows"] for each in progress] == [72, 72, 1]
    dropped = [each["stateOperators"][0]["numRowsDroppedByWatermark"] for each in progress]
    assert dropped == [0, 0, 1]
    days = {row["start"].day: row["bleu"] for row in found}
    # The sixth day ends with the last row, so it is still open.
    assert days == {day: rows_of(*range(24 * day - 24, 24 * day)) for day in range(1, 6)}


def test_windows_of_a_frame(spark, engine):
    """Windows may overlap, and may be sessions; a row that is skipped opens none."""
    from pyspark.sql import functions as F  # noqa: N812

    hours = TIMED.slice(0, 48).append_column("hour", pa.array(range(48)))
    frame = spark.createDataFrame(hours).where("hour not between 20 and 29")
    sliding = F.window("time", "12 hours", "6 hours")
    found = engine.corpus_score(frame, "mt", ["ref_a"], group_by=[sliding, "half"]).collect()
    rows = {
        (row["window"]["start"].hour + 24 * row["window"]["start"].day, row["half"]): row["bleu"]
        for row in found
    }
    kept = [hour for hour in range(48) if not 20 <= hour <= 29]
    starts = range(18, 24 + 48, 6)
    texts = {
        (start % 24 + 24 * (start // 24 or 31), half): [
            hour for hour in kept if 0 <= hour + 24 - start < 12 and hour % 2 == half
        ]
        for start in starts
        for half in (0, 1)
    }
    assert rows == {key: rows_of(*several) for key, several in texts.items() if several}
    holes = frame.withColumn("mt", F.when(F.col("hour") < 20, F.col("mt")))
    session = F.session_window("time", "2 hours")
    for data, ends in ((frame, [20, 48]), (holes, [20])):
        found = engine.corpus_score(data, "mt", "ref_a", group_by=session, nulls="skip")
        scores = [row["bleu"] for row in found.orderBy("session_window").collect()]
        assert scores == [rows_of(*range(30 if end > 20 else 0, end)) for end in ends]


def test_groups_of_a_stream(stream, engine, tmp_path):
    """Groups are scored of all that has arrived; a stream as a whole has no score."""
    from pyspark.sql import functions as F  # noqa: N812

    in_time = stream.where(F.col("time") >= "2026-01-01 01:00:00")
    found = engine.corpus_score(in_time, "mt", "ref_a", group_by="half")
    rows, _ = written(found, tmp_path, "complete")
    scores = {row["half"]: row["bleu"] for row in rows}
    assert scores == {
        half: rows_of(*(i for i in range(1, 144) if i % 2 == half)) for half in (0, 1)
    }
    with pytest.raises(truebleu.SettingsError, match="a stream never ends, so all its rows have"):
        engine.corpus_score(stream, "mt", "ref_a")
