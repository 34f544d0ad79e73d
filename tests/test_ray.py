"""Ray Data gives the result of one machine, whatever the blocks."""

import logging
import os

import pyarrow as pa
import pytest
import truebleu
from tables_of_text import TABLE, wanted
from truebleu import Bleu
from truebleu.engines import rows

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def ray():
    # Tests start processes of their own, and nothing may be sent anywhere.
    os.environ |= {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    module = pytest.importorskip("ray")
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    module.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    yield module
    module.shutdown()


@pytest.fixture(scope="module")
def engine(ray):
    from truebleu.engines import ray as module

    return module


@pytest.mark.parametrize("blocks", [1, 5])
def test_blocks_change_nothing(ray, engine, blocks):
    size = -(-len(TABLE) // blocks)
    parts = [TABLE.slice(start, size) for start in range(0, len(TABLE), size)]
    found = engine.corpus_bleu(ray.data.from_arrow(parts), "mt", ["ref_a", "ref_b"])
    want = wanted(TABLE, ["ref_a", "ref_b"])
    assert (found, found.signature) == (want, want.signature)


def test_groups_and_sentences(ray, engine):
    data = ray.data.from_arrow([TABLE.slice(0, 10), TABLE.slice(0, 0), TABLE.slice(10)])
    found = engine.corpus_bleu(data, "mt", "refs", group_by="system").take_all()
    assert len(found) == 3
    for row in found:
        own = TABLE.filter(
            pa.array([name == row["system"] for name in TABLE["system"].to_pylist()])
        )
        assert row["bleu"] == wanted(own, ["refs"]).score
        assert row["segments"] == len(own)
    scored = engine.sentence_bleu(data, "mt", "ref_a", column="score").take_all()
    want = Bleu(effective_order=True).sentences(TABLE["mt"], TABLE["ref_a"]).tolist()
    assert [row["score"] for row in scored] == want


def test_refused(ray, engine):
    bad = pa.table({"mt": ["a", None], "ref": ["a", "b"], "number": [1, 2]})
    data = ray.data.from_arrow(bad)
    for names, error, message in (
        (("x", "ref"), truebleu.UnknownNameError, "there is no column 'x'; the columns are mt"),
        (("ref", "number"), truebleu.InputTypeError, "column 'number' is a column of Int64"),
        (("mt", "ref"), truebleu.InputTypeError, "column 'mt' has nulls"),
        (("ref", "mt"), truebleu.EmptyInputError, "'mt' is null there"),
    ):
        with pytest.raises(error) as caught:
            engine.corpus_bleu(data, *names)
        assert message in str(caught.value)
    with pytest.raises(truebleu.EmptyInputError, match="no rows to score"):
        engine.corpus_bleu(ray.data.from_arrow(bad.slice(0, 0)), "mt", "ref")


def test_statistics_of_other_settings(ray, engine, monkeypatch):
    """Blocks say how they were counted, and are not scored otherwise."""
    from ray.exceptions import RayError

    monkeypatch.setattr(rows, "key", lambda _: 5)
    data = ray.data.from_arrow(TABLE)
    with pytest.raises(truebleu.StatsMismatchError, match="these statistics have the key 5"):
        engine.corpus_bleu(data, "mt", "refs")
    with pytest.raises(RayError, match="these statistics have the key 5"):
        engine.corpus_bleu(data, "mt", "refs", group_by="system").take_all()


def test_sums_that_do_not_fit(ray, engine):
    """A sum beyond int64 is an error, and no negative number."""
    plan = rows.Plan("mt", "refs", bleu=Bleu(max_order=1))
    names = (*plan.sums, rows.FEWEST, rows.MOST, rows.KEY)
    parts = pa.table([[2**62] * 2] * 4 + [[1] * 2] * 3 + [[plan.key] * 2], names)
    data = ray.data.from_arrow(
        [engine._cast(parts.slice(i, 1), plan, engine._WIDE) for i in (0, 1)]
    )
    found = data.aggregate(*engine._joins(plan))
    assert [int(found[name]) for name in plan.fields] == [2**63] * 4
    with pytest.raises(truebleu.InputError, match="does not fit into int64"):
        plan.stats([found[name] for name in plan.sums], 1, 1)
