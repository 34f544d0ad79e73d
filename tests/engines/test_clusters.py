"""Spark and Ray with many groups, and many evaluations at once, equal the plain core."""

from concurrent.futures import ThreadPoolExecutor

import entries
import numpy as np
import pyarrow as pa
import pytest
from looping import later
from tables_of_text import TABLE, wanted
from truebleu import Bleu, Chrf, Ter

pytestmark = entries.SLOW

AT_ONCE = 8
METRICS = [Bleu(), Bleu(lowercase=True, max_order=2), Chrf(), Ter()]


class OfSpark:
    """Scores of tables by Spark."""

    def __init__(self, session):
        from truebleu.engines import spark

        self.session, self.engine = session, spark

    def corpus(self, table, **more):
        frame = self.session.createDataFrame(table).repartition(3)
        return self.engine.corpus_score(frame, "mt", "ref_a", **more)

    def groups(self, table, name, **more):
        return self.corpus(table, group_by=name, **more).toArrow()


class OfRay:
    """Scores of tables by Ray."""

    def __init__(self, session):
        from truebleu.engines import ray

        self.session, self.engine = session, ray

    def corpus(self, table, **more):
        half = len(table) // 2
        data = self.session.data.from_arrow([table.slice(0, half), table.slice(half)])
        return self.engine.corpus_score(data, "mt", "ref_a", **more)

    def groups(self, table, name, **more):
        found = self.corpus(table, group_by=name, **more)
        return pa.concat_tables(found.iter_batches(batch_size=None, batch_format="pyarrow"))


@pytest.fixture(scope="module", params=["spark", "ray"])
def cluster(request):
    """Return an engine in a session of its own, with larger batches than in other tests."""
    session = request.getfixturevalue(request.param)
    if request.param == "ray":
        yield OfRay(session)
        return
    size = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = session.conf.get(size)
    session.conf.set(size, "1500")
    yield OfSpark(session)
    session.conf.set(size, before)


# More rows in each partition than a batch has, and more groups than a task of Ray.
@pytest.mark.parametrize("many", [3_000, later(20_000)])
def test_very_many_groups(cluster, many):
    """Groups of two rows each, in another order each time, score as in the plain core."""
    rows = np.arange(2 * many)
    texts = TABLE.select(["mt", "ref_a"]).take(rows * 7_919 % len(TABLE))
    keys = rows * 31 % many
    table = texts.append_column("group", pa.array(keys)).combine_chunks()
    found = cluster.groups(table, "group").sort_by("group")
    sums = Bleu().stats(table["mt"], table["ref_a"]).sums(keys, many)
    assert found["group"].to_pylist() == list(range(many))
    assert set(found["segments"].to_pylist()) == {2}
    assert found["bleu"].to_pylist() == [Bleu().score(row).score for row in sums]


def test_many_evaluations_at_once(cluster):
    """Evaluations in threads of the driver, of other rows and metrics, do not mix."""

    def evaluated(number):
        table, metric = part(number)
        if number % 2:
            return cluster.corpus(table, metric=metric)
        found = cluster.groups(table, "system", metric=metric)
        scores = found[metric.identifier].to_pylist()
        return dict(zip(found["system"].to_pylist(), scores, strict=True))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(evaluated, range(AT_ONCE)))
    for number, score in enumerate(found):
        table, metric = part(number)
        if number % 2:
            assert score.same_as(wanted(table, ["ref_a"], metric))
        else:
            systems = table["system"].to_pylist()
            assert score == {
                system: wanted(
                    table.filter([each == system for each in systems]), ["ref_a"], metric
                ).score
                for system in set(systems)
            }
    assert len({str(score) for score in found}) == AT_ONCE


def part(number):
    """Return the rows and the metric of an evaluation: each has others."""
    return TABLE.slice(7 * number, 60 + number), METRICS[number % len(METRICS)]
