"""Tables: Arrow against files of lines, and other engines against the plain core."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import truebleu
from truebleu._core import Lines
from truebleu.metrics.corpora import Corpora

from benchmarks import data
from benchmarks.measure import Result, faster, in_turn, megabytes, peak_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Pairs of the table that engines score.
PAIRS = 5_000_000


def arrow(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Score columns in memory, and files of the same lines."""
    import pyarrow as pa

    hypotheses, references = data.many_pairs(systems, reference)
    bleu = truebleu.Bleu()
    columns = pa.array(hypotheses), pa.array(references)
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("hypotheses", "references")]
        for path, lines in zip(paths, (hypotheses, references), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")

        def of_files() -> truebleu.BleuScore:
            texts, others = (_read(path) for path in paths)
            corpora = Corpora([texts], [others], None, 2, lines=texts.available)
            [total] = bleu._count(corpora, each=False)
            return bleu.score(total)

        def of_columns() -> truebleu.BleuScore:
            return bleu.corpus(*columns, threads=2)

        assert of_columns() == of_files() == bleu.corpus(hypotheses, references)
        memory, disk = in_turn([of_columns, of_files], [runs, runs])
    yield faster(f"Arrow, {len(hypotheses):,} pairs, 2 threads, files of lines", memory, disk)


def _read(path: Path) -> Lines:
    lines = Lines()
    with path.open("rb", buffering=0) as file:
        while block := file.read(1 << 21):
            lines.push(block)
    lines.finish()
    return lines


def write_table(path: Path, systems: list[Path], reference: Path, pairs: int, **how: object) -> int:
    """Write a Parquet file of all systems, again and again; return the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    hypotheses, references = data.many_pairs(systems, reference, 1)
    names = [path.name for path in systems for _ in range(len(references) // len(systems))]
    table = pa.table({"system": names, "mt": hypotheses, "ref": references})
    times = -(-pairs // len(table))
    with pq.ParquetWriter(path, table.schema, **how) as writer:
        for _ in range(times):
            writer.write_table(table)
    return times * len(table)


def tables(systems: list[Path], reference: Path, runs: int, pairs: int = PAIRS) -> Iterator[Result]:
    """Score a Parquet file on two threads, reading and tasks included."""
    import duckdb
    import polars as pl
    from truebleu.engines import arrow
    from truebleu.engines import duckdb as sql
    from truebleu.engines import polars as expressions

    assert expressions  # It gives expressions their namespace.

    with TemporaryDirectory() as folder:
        path = Path(folder, "pairs.parquet")
        count = write_table(path, systems, reference, pairs)
        want = truebleu.corpus_bleu(*data.many_pairs(systems, reference, 1))

        core = _core(path)
        connection = duckdb.connect()
        connection.execute("SET threads = 2")
        sql.register(connection)

        def in_sql() -> float:
            query = f"SELECT bleu_corpus_score(mt, ref) FROM '{path}'"
            return float(connection.sql(query).fetchall()[0][0])

        def in_frames() -> float:
            found = arrow.corpus_score(pl.scan_parquet(path), "mt", "ref", threads=2)
            return cast("truebleu.BleuScore", found).score

        def in_files() -> float:
            found = arrow.corpus_score(path, "mt", "ref", threads=2)
            return cast("truebleu.BleuScore", found).score

        def in_expressions() -> float:
            frame = pl.scan_parquet(path).select(pl.col("mt").truebleu.corpus_score("ref"))
            return float(frame.collect(engine="streaming").item())

        def of_groups() -> float:
            found = arrow.corpus_score(path, "mt", "ref", group_by="system", threads=2)
            return float(max(found["bleu"].to_pylist()))

        def in_groups() -> float:
            grouped = pl.scan_parquet(path).group_by("system")
            scored = grouped.agg(pl.col("mt").truebleu.corpus_score("ref"))
            return float(scored.collect(engine="streaming")["bleu"].max())

        session, in_spark = _spark(path)
        try:
            ways = {
                "Arrow, files": in_files,
                "Arrow, lazy Polars": in_frames,
                "Polars, expression": in_expressions,
                "DuckDB": in_sql,
                "Spark local[2], data frame": in_spark,
            }
            # Sums of copies are multiples, and precisions stay what they were.
            assert core() == want.score
            assert all(call() == want.score for call in ways.values())
            best = max(
                truebleu.corpus_bleu(data.lines(system), data.lines(reference)).score
                for system in systems
            )
            assert of_groups() == in_groups() == best
            ways |= {
                "Arrow, files in groups": of_groups,
                "Polars, expression in groups": in_groups,
            }
            times = max(3, runs // 3)
            calls = [core, *ways.values()]
            base, *others = in_turn(calls, [times] * len(calls))
        finally:
            session.stop()
            connection.close()
    what = f"{count:,} pairs of Parquet, the plain core"
    for name, time in zip(ways, others, strict=True):
        yield faster(f"{name}, {what}", time, base)


def together(
    systems: list[Path], reference: Path, runs: int, pairs: int = 500_000
) -> Iterator[Result]:
    """Score a Parquet file under three metrics at once, and columns in memory under each."""
    import pyarrow.parquet as pq
    from truebleu.engines import arrow

    metrics = [truebleu.Bleu(), truebleu.Chrf(word_order=2), truebleu.Ter()]
    with TemporaryDirectory() as folder:
        path = Path(folder, "pairs.parquet")
        count = write_table(path, systems, reference, pairs)
        table = pq.read_table(path)
        calls: list[Callable[[], Any]] = [
            partial(metric.corpus, table["mt"], table["ref"], threads=2) for metric in metrics
        ]

        def in_one_read() -> Any:
            return arrow.corpus_score(path, "mt", "ref", metric=metrics, threads=2)

        assert list(in_one_read().values()) == [call() for call in calls]
        together, *alone = in_turn([in_one_read, *calls], [max(3, runs // 3)] * 4)
    what = (
        f"BLEU, chrF++ and TER, {count:,} pairs of Parquet in one read, the sum of their counting"
    )
    yield faster(what, together, sum(alone))


def _core(path: Path) -> Callable[[], float]:
    """Return the fastest way found: each thread reads and counts row groups of its own."""
    import pyarrow.parquet as pq
    from truebleu.engines import arrow
    from truebleu.engines.job import Job

    job = Job("mt", "ref", metric=truebleu.Bleu())

    def half(number: int) -> Any:
        file = pq.ParquetFile(path)
        half_of_them = range(number, file.num_row_groups, 2)
        columns = ["mt", "ref"]
        return arrow.partial_sums(
            file.iter_batches(1 << 16, columns=columns, row_groups=half_of_them, use_threads=False),
            job,
        )

    def score() -> float:
        with ThreadPoolExecutor(2) as threads:
            parts = list(threads.map(half, range(2)))
        return arrow.scored(arrow.join_sums(parts, job), job).score

    return score


def _spark(path: Path) -> tuple[Any, Callable[[], float]]:
    """Start Spark on two threads; return what scores a data frame."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from truebleu.engines import spark

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        # What made it faster, by some percent each.
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50000")
        .config("spark.driver.memory", "3g")
        .config("spark.driver.extraJavaOptions", "-XX:+UseParallelGC")
        .config("spark.memory.offHeap.enabled", "true")
        .config("spark.memory.offHeap.size", "2g")
        .config("spark.sql.columnVector.offheap.enabled", "true")
        .config("spark.python.unix.domain.socket.enabled", "true")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def score() -> float:
        found = spark.corpus_score(session.read.parquet(str(path)), "mt", "ref")
        return cast("truebleu.BleuScore", found).score

    return session, score


def memory(
    command: str, systems: list[Path], reference: Path, size: int = 4 * 10**9
) -> Iterator[Result]:
    """Score a large Parquet file on the command line."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "pairs.parquet")
        texts = data.many_pairs(systems, reference, 1)
        each = sum(len(text.encode()) for lines in texts for text in lines) / len(texts[0])
        # As it is in memory: neither packed nor told apart.
        write_table(
            path, systems, reference, int(size / each), use_dictionary=False, compression="none"
        )
        assert size * 0.9 < path.stat().st_size
        columns = ("--hypothesis-column", "mt", "--reference-column", "ref")
        words = (command, "score", str(path), *columns)
        printed = subprocess.run(
            [*words, "--score-only"], check=True, capture_output=True, text=True
        )
        want = truebleu.corpus_bleu(*texts)
        assert printed.stdout == f"{want.score:.2f}\n"
        peak = peak_memory(*words)
        what = f"Parquet of {path.stat().st_size / 1e9:.1f} GB, resident memory"
    yield megabytes(what, peak)


def driver(partitions: int = 100_000, groups: int = 10) -> Iterator[Result]:
    """Add up the sums of many partitions, as a driver would, and of a hundredth of them."""
    import pyarrow as pa
    from truebleu.engines.arrow import join_sums
    from truebleu.engines.job import Job

    job = Job("mt", "ref", ["lang"], metric=truebleu.Bleu())
    numbers = (*job.sums, *job.ends)
    keys = [f"lang {number}" for number in range(groups)]
    part = pa.table(
        {"lang": keys}
        | {name: pa.array(range(groups)) for name in numbers}
        | {"key": pa.array([job.key] * groups, pa.int64())}
    )

    def peak(count: int) -> float:
        pool = pa.default_memory_pool()
        before, highest, total, waiting = pool.bytes_allocated(), 0, part, []
        tracemalloc.start()
        for _ in range(count - 1):
            waiting.append(part)
            if len(waiting) == 1_000:
                total, waiting = join_sums([total, *waiting], job), []
                highest = max(highest, pool.bytes_allocated() - before)
        total = join_sums([total, *waiting], job)
        traced = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert total.sort_by("lang")["hyp_len"].to_pylist() == [count * i for i in range(groups)]
        return highest + traced

    few, many = peak(partitions // 100), peak(partitions)
    name = f"sums of {partitions:,} partitions, memory, a hundredth of them"
    yield Result(name, f"{many / 1e6:.2f} MB", f"{few / 1e6:.2f} MB", many / few, "size")


def everything(command: str, systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Run them all."""
    yield from arrow(systems, reference, runs)
    yield from tables(systems, reference, runs)
    yield from together(systems, reference, runs)
    yield from memory(command, systems, reference)
    yield from driver()
