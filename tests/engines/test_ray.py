"""Ray Data gives the result of one machine, whatever the blocks."""

import entries
import pyarrow as pa
import pytest
import truebleu
from looping import looped
from tables_of_text import MATCHES, TABLE, lists_of, wanted
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, errors
from truebleu.engines import job
from truebleu.engines.job import Job

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def engine(ray):
    from truebleu.engines import ray as module

    return module


def test_statistics_of_another_metric(ray, engine):
    """Statistics with the same fields are refused all the same if their key is another."""
    counted = engine.stats(ray.data.from_arrow(MATCHES), "mt", "ref_a", metric=ExactMatch())
    with pytest.raises(truebleu.StatsMismatchError, match="these statistics have the key"):
        engine.score_stats(counted, metric=Misses())
    with pytest.raises(errors.UnknownNameError, match="no column 'hyp_len'; statistics are sto"):
        engine.score_stats(counted)


def test_new_columns(ray, engine):
    """A new column does not replace another of its name."""
    data = ray.data.from_arrow(TABLE.rename_columns({"half": "bleu", "system": "hyp_len"}))
    for call in (engine.segment_score, engine.stats):
        with pytest.raises(truebleu.SettingsError, match=r"a column '\w+' already; rename"):
            call(data, "mt", "ref_a")


def test_columns_called_like_results(ray, engine):
    """Texts may be, groups and columns beside a new one may not."""
    data = ray.data.from_arrow(TABLE.rename_columns(["key", "half", "bleu", "segments", "b", "r"]))
    assert engine.corpus_score(data, "bleu", "segments") == wanted(TABLE, ["ref_a"])
    with pytest.raises(truebleu.SettingsError, match="column 'bleu' already; rename it"):
        engine.segment_score(data, "bleu", "segments")
    with pytest.raises(truebleu.SettingsError, match="column 'key' clashes"):
        engine.corpus_score(data, "bleu", "segments", group_by="key")


def test_large_blocks_are_cut(ray, engine, monkeypatch, tmp_path):
    """No more rows are counted at a time than are allowed, and small blocks are joined."""
    monkeypatch.setattr(engine, "_ROWS", 100)
    data = ray.data.from_arrow([TABLE.slice(0, 210), TABLE.slice(210)])
    found = engine.corpus_score(data, "mt", "ref_a", metric=entries.recorded(tmp_path / "calls"))
    assert found == ExactMatch().corpus(*lists_of(TABLE, ["ref_a"]))
    assert max(map(int, (tmp_path / "calls").read_text().split())) == 100


def test_the_message_is_on_top(ray, engine):
    """Of Ray's exception, before anything that only Ray's authors can read."""
    from ray.exceptions import RayError

    data = ray.data.from_arrow(pa.table({"mt": ["a", None], "ref": ["a", "b"], "k": [1, 2]}))
    found = engine.corpus_score(data, "mt", "ref", group_by="k")
    for consumed in (found, engine.segment_score(data, "mt", "ref")):
        with pytest.raises(RayError) as caught:
            consumed.take_all()
        lines = str(caught.value).splitlines()
        [place] = [i for i, line in enumerate(lines) if line.startswith("truebleu.InputTypeError")]
        assert "column 'mt' has nulls; every hypothesis" in lines[place]
        # Behind the task, and where it was raised.
        assert place <= 3


def test_refused(ray, engine):
    bad = pa.table({"mt": ["a", None], "ref": ["a", "b"], "number": [1, 2]})
    data = ray.data.from_arrow(bad)
    for names, error, message in (
        (
            ("x", "ref"),
            errors.UnknownNameError,
            "there is no column 'x'; the columns are mt",
        ),
        (("ref", "number"), truebleu.InputTypeError, "column 'number' is a column of Int64"),
        (("mt", "ref"), truebleu.InputTypeError, "column 'mt' has nulls"),
        (("ref", "mt"), errors.EmptyInputError, "'mt' is null there"),
    ):
        with pytest.raises(error) as caught:
            engine.corpus_score(data, *names)
        assert message in str(caught.value)
    with pytest.raises(errors.EmptyInputError, match="no rows to score"):
        engine.corpus_score(ray.data.from_arrow(bad.slice(0, 0)), "mt", "ref")


@looped("name", ["corpus_score", "segment_score", "stats"])
def test_no_data_set(ray, engine, name):
    """What is given in its place is named."""
    with pytest.raises(truebleu.InputTypeError, match="dataset is of type Table; a Ray data set"):
        getattr(engine, name)(TABLE, "mt", "ref_a")


def test_statistics_of_other_settings(ray, engine, monkeypatch):
    """Blocks say how they were counted, and are not scored otherwise."""
    from ray.exceptions import RayError

    monkeypatch.setattr(job, "stored_key", lambda _: 5)
    data = ray.data.from_arrow(TABLE)
    with pytest.raises(truebleu.StatsMismatchError, match="these statistics have the key 5"):
        engine.corpus_score(data, "mt", "refs")
    with pytest.raises(RayError, match="these statistics have the key 5"):
        engine.corpus_score(data, "mt", "refs", group_by="system").take_all()


def test_sums_that_do_not_fit(ray, engine):
    """A sum beyond int64 is an error, and no negative number."""
    todo = Job("mt", "refs", metric=Bleu(max_order=1))
    names = (*todo.sums, *todo.ends, "key")
    parts = pa.table([[2**62] * 2] * 4 + [[1] * 2] * 3 + [[todo.key] * 2], names)
    data = ray.data.from_arrow([engine.cast(parts.slice(i, 1), todo, engine.WIDE) for i in (0, 1)])
    found = data.aggregate(*engine.aggregations(todo))
    assert [int(found[name]) for name in todo.fields] == [2**63] * 4
    with pytest.raises(truebleu.InputError, match="does not fit into int64"):
        todo.stats([found[name] for name in todo.sums], 1, 1)
