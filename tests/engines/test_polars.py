"""Expressions of Polars: every context, side by side with others, and what is refused."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import ROOT
from tables_of_text import ANY_METRIC, MATCHES, TABLE, as_metric, wanted
from truebleu import Bleu
from truebleu.engines import arrow, job
from truebleu.engines import polars as expressions  # Gives expressions their namespace.

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

PROJECT = ROOT / "pyproject.toml"

ENGINES = ["in-memory", "streaming"]

# Rows enough for several pieces at a time.
ROWS = 2000
HYPOTHESES = pa.array([f"the cat number {row} sat on a mat today" for row in range(ROWS)])
REFERENCE = pa.array(
    [f"the cat number {row} sat on the mat" for row in range(ROWS)], pa.string_view()
)


def frame_of(reference):
    """Make a frame around a column of references, which is not copied."""
    lists = pa.ListArray.from_arrays(pa.array(range(ROWS + 1), pa.int32()), reference)
    poor = pa.repeat("nothing of that kind", ROWS)
    columns = {"mt": HYPOTHESES, "poor": poor, "ref": reference, "refs": lists}
    return pl.from_arrow(pa.table(columns)).with_columns(group=pl.lit(1))


def nulls(buffers):
    """Make each second reference null."""
    valid = pa.array([None if row % 2 else True for row in range(ROWS)]).buffers()[0]
    return [valid, *buffers[1:]]


def one_value(buffers):
    """Change a word of one text."""
    return [*buffers[:2], _other(buffers[2], 1), *buffers[3:]]


def all_values(buffers):
    """Change a word of every text, none in length."""
    return [*buffers[:2], *(_other(data, -1) for data in buffers[2:])]


def _other(data, count):
    return pa.py_buffer(data.to_pybytes().replace(b" sat ", b" lay ", count))


def score(frame, references):
    """Score a frame as lists."""
    rows = frame.select(references).rows()
    others = [
        [text for cell in row for text in (cell if isinstance(cell, list) else [cell])]
        for row in rows
    ]
    return Bleu().corpus(frame["mt"].to_list(), others).score


CONTEXTS = {
    "select": lambda frame, score: frame.select(score),
    "with_columns": lambda frame, score: frame.with_columns(score).select("bleu"),
    "agg": lambda frame, score: frame.group_by("group").agg(score).select("bleu"),
    "over": lambda frame, score: frame.select(score.over("group")),
}


@pytest.mark.parametrize("engine", ENGINES)
@looped("references", [["poor", "ref"], ["poor", "refs"]])
@looped("ask", CONTEXTS.values())
@looped("change", [nulls, one_value, all_values])
def test_frames_side_by_side_are_scored_by_themselves(change, ask, references, engine):
    """One expression on two frames that share memory gives each its own score."""
    changed = pa.Array.from_buffers(pa.string_view(), ROWS, change(REFERENCE.buffers()))
    frames = [frame_of(REFERENCE), frame_of(changed)]
    frames[1] = frames[1].with_columns(frames[0]["mt"], frames[0]["poor"])
    want = [{score(frame, references)} for frame in frames]
    assert want[0] != want[1]
    for _ in range(20):
        corpus = pl.col("mt").truebleu.corpus_score(*references).alias("bleu")
        found = pl.collect_all([ask(frame.lazy(), corpus) for frame in frames], engine=engine)
        assert [set(each["bleu"]) for each in found] == want


@given(
    st.lists(st.integers(0, len(TABLE) - 1), min_size=1, max_size=40),
    st.integers(1, 5),
    st.sampled_from(ENGINES),
)
@settings(deadline=None, max_examples=30)
def test_any_groups_of_any_sizes(chosen, groups, engine):
    """A group is scored as its rows alone are, however many there are, and so is a window."""
    frame = pl.from_arrow(TABLE)[chosen].with_row_index("row")
    frame = frame.with_columns(group=pl.col("row") % groups)
    corpus = pl.col("mt").truebleu.corpus_score("ref_a", "ref_b").alias("bleu")
    found = frame.lazy().group_by("group").agg(corpus).collect(engine=engine)
    want = {
        group: score(frame.filter(group=group), ["ref_a", "ref_b"])
        for group in frame["group"].unique()
    }
    assert dict(found.rows()) == want
    found = frame.lazy().select("group", corpus.over("group")).collect(engine=engine)
    assert set(found.rows()) == set(want.items())
    # Rows may be in several groups.
    rolled = frame.lazy().with_columns(pl.col("row").cast(pl.Int64))
    rolled = rolled.rolling("row", period="2i").agg(corpus).collect(engine=engine)
    pairs = [
        score(frame[max(0, row - 1) : row + 1], ["ref_a", "ref_b"]) for row in range(len(frame))
    ]
    assert rolled["bleu"].to_list() == pairs


@pytest.mark.parametrize("engine", ENGINES)
def test_frames_without_rows(engine):
    """The score of no rows is null, also in a group; no groups are none."""
    empty = pl.from_arrow(TABLE).clear().lazy()
    corpus = pl.col("mt").truebleu.corpus_score(["ref_a", "ref_b"])
    assert empty.select(corpus).collect(engine=engine)["bleu"].to_list() == [None]
    found = empty.group_by("system").agg(corpus).collect(engine=engine)
    assert found.shape == (0, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_different_lengths(engine):
    """Nothing is cut to the length of the shorter column; a literal is repeated."""
    errors = (truebleu.LengthMismatchError, pl.exceptions.PolarsError)
    frame = pl.from_arrow(TABLE.append_column("the", pa.array(["the"] * len(TABLE)))).lazy()

    def queries(hypotheses, references):
        of = hypotheses.truebleu
        return (
            frame.select(of.corpus_score(references)),
            frame.group_by("half", maintain_order=True).agg(of.corpus_score(references)),
            frame.select(of.segment_score(references)),
            frame.select(of.stats(references)),
        )

    mt, the, literal = pl.col("mt"), pl.col("the"), pl.lit("the")
    for query in queries(mt, pl.col("ref_a").head(3)):
        with pytest.raises(errors, match=r"length|segment"):
            query.collect(engine=engine)
    for pair, same in (((mt, literal), (mt, the)), ((literal, mt), (the, mt))):
        for query, other in zip(queries(*pair), queries(*same), strict=True):
            assert query.collect(engine=engine).equals(other.collect(engine=engine))


def test_columns_named_after_the_metric():
    """Texts stay, and several metrics fit into one context."""
    frame = pl.from_arrow(TABLE)
    mt = pl.col("mt").truebleu
    scores = [mt.segment_score("ref_a"), mt.segment_score("ref_a", metric="ter")]
    found = frame.with_columns(*scores, mt.stats("ref_a"))
    assert found.columns == [*frame.columns, "bleu", "ter", "bleu_stats"]
    assert found["mt"].equals(frame["mt"])
    scores = [mt.corpus_score("ref_a"), mt.corpus_score("ref_a", metric="chrf")]
    assert frame.group_by("half").agg(scores).columns == ["half", "bleu", "chrf2"]


def rows_of(table, system):
    """Return the rows of one system."""
    return table.filter([name == system for name in table["system"].to_pylist()])


def test_small_chunks_are_joined(monkeypatch):
    """Thousands of chunks of one row take no longer to read than one chunk."""
    read = []
    count = job.count_columns

    def counting(metric, hypotheses, *others, **more):
        read.append(hypotheses.n_chunks())
        return count(metric, hypotheses, *others, **more)

    for module in (job, expressions):
        monkeypatch.setattr(module, "count_columns", counting)
    texts = pl.Series("mt", ["a b c d e"])
    for _ in range(2_000):
        texts.append(pl.Series(["a b c d e"]))
    frame = pl.DataFrame([texts])
    assert frame["mt"].n_chunks() > 2_000
    text = pl.col("mt").truebleu
    assert frame.select(text.segment_score("mt"))["bleu"].to_list() == [100.0] * 2_001
    assert frame.select(text.corpus_score("mt")).item() == 100.0
    assert set(read) == {1}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ask", CONTEXTS.values(), ids=CONTEXTS)
def test_texts_are_counted_once(monkeypatch, ask, engine):
    """However many numbers a score is made of, and however many pieces the engine works on."""
    counted = []
    count = job.count_columns

    def counting(metric, hypotheses, *others, **more):
        counted.append(len(hypotheses))
        return count(metric, hypotheses, *others, **more)

    for module in (job, expressions):
        monkeypatch.setattr(module, "count_columns", counting)
    size = 300_000
    frame = pl.DataFrame({"mt": ["a b c d"] * size, "group": [0, 1, 2] * (size // 3)}).lazy()
    corpus = pl.col("mt").truebleu.corpus_score("mt").alias("bleu")
    assert set(ask(frame, corpus).collect(engine=engine)["bleu"]) == {100.0}
    assert sum(counted) == size


@pytest.mark.parametrize("engine", ENGINES)
def test_many_groups(engine):
    """Tens of thousands of groups are scored as by the plain core, in pieces of 65,536 rows."""
    groups, size = 43_691, 3  # The last piece has one row.
    numbers = range(groups * size)
    texts = [f"the cat number {number % 97} sat on a mat" for number in numbers]
    columns = {"group": [n % groups for n in numbers], "mt": texts, "ref": ["the cat number 5 sat"]}
    frame = pl.DataFrame({**columns, "ref": columns["ref"] * len(texts)}).lazy()
    corpus = pl.col("mt").truebleu.corpus_score("ref").alias("bleu")
    sentences = frame.select(pl.col("mt").truebleu.segment_score("ref")).collect(engine=engine)
    want = Bleu().segments(texts, columns["ref"] * len(texts))
    assert sentences["bleu"].to_list() == want.tolist()
    by_expression = frame.group_by("group").agg(corpus).collect(engine=engine).sort("group")
    by_frame = pl.from_arrow(arrow.corpus_score(frame, "mt", "ref", group_by="group"))
    assert by_expression.equals(by_frame.select("group", "bleu"))
    assert by_frame["segments"].unique().to_list() == [size]
    for group in (0, 12_345, groups - 1):
        want = truebleu.corpus_bleu(texts[group::groups], columns["ref"] * size)
        assert by_expression["bleu"][group] == want.score


@pytest.mark.parametrize("engine", ENGINES)
def test_evaluations_at_once(engine):
    """Twenty queries on different rows, run at the same time, each have their own score."""
    frame = pl.from_arrow(TABLE)
    corpus = pl.col("mt").truebleu.corpus_score("ref_a", "ref_b").alias("bleu")
    parts = [frame.slice(10 * number, 10 + number) for number in range(20)]
    want = [score(part, ["ref_a", "ref_b"]) for part in parts]

    def evaluate(part):
        by_expression = part.lazy().select(corpus).collect(engine=engine).item()
        by_frame = arrow.corpus_score(part, "mt", ["ref_a", "ref_b"]).score
        return {by_expression, by_frame}

    with ThreadPoolExecutor(20) as threads:
        for _ in range(5):
            assert list(threads.map(evaluate, parts)) == [{each} for each in want]


def test_queries_in_other_processes(monkeypatch, tmp_path, subtests):
    """A query is serialized with its metric, by pickle alone."""
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    lazy = pl.from_arrow(MATCHES).lazy()
    text = pl.col("mt").truebleu
    queries = {}
    for metric in ANY_METRIC:
        groups = lazy.group_by("system", maintain_order=True)
        for query in (
            groups.agg(text.corpus_score("refs", metric=metric)),
            lazy.select(text.segment_score("refs", metric=metric)),
            lazy.select(text.stats("refs", metric=metric).truebleu.score_stats(metric=metric)),
        ):
            query.serialize(tmp_path / f"{len(queries)}.bin")
            queries[len(queries)] = metric, query
    program = f"""
import sys
sys.modules["cloudpickle"] = None
import polars as pl
for number in range({len(queries)}):
    frame = pl.LazyFrame.deserialize(f"{{number}}.bin").collect()
    frame.write_parquet(f"{{number}}.parquet")
"""
    paths = [str(Path(truebleu.__file__).parents[1]), str(ROOT / "tests")]
    code = f"import sys; sys.path[:0] = {paths}\n{program}"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, cwd=tmp_path)
    for number, (metric, query) in queries.items():
        with subtests.test(metric=metric):
            assert pl.read_parquet(tmp_path / f"{number}.parquet").equals(query.collect())


@pytest.mark.parametrize("engine", ENGINES)
@looped("metric", ANY_METRIC)
def test_stored_statistics_are_merged(tmp_path, metric, engine):
    """Sums of each part, stored and added up later, have the score of all rows."""
    lazy = pl.from_arrow(MATCHES).with_row_index("row").lazy()
    fields = [pl.col(name).sum() for name in as_metric(metric).fields]
    for part in range(3):
        counted = lazy.filter(pl.col("row") % 3 == part).select(
            "system", pl.col("mt").truebleu.stats("refs", metric=metric).alias("stats")
        )
        sums = counted.unnest("stats").group_by("system", "key").agg(fields)
        sums.collect(engine=engine).write_parquet(tmp_path / f"{part}.parquet")
    sums = pl.scan_parquet(tmp_path / "*.parquet").group_by("system", "key").agg(fields)
    stored = pl.struct(pl.exclude("system")).truebleu.score_stats(metric=metric).alias("score")
    found = dict(sums.select("system", stored).collect(engine=engine).rows())
    assert found == {
        system: wanted(rows_of(MATCHES, system), ["refs"], metric).score for system in found
    }
    assert len(found) == 3
    counted = pl.col("mt").truebleu.stats("refs")
    mixed = lazy.select(counted.truebleu.score_stats(lowercase=True))
    with pytest.raises(truebleu.StatsMismatchError):
        mixed.collect(engine=engine)


@pytest.mark.parametrize("version", ["0.20.31", "1.35.2"])
def test_an_old_version_of_polars(version):
    """An import under a version that lacks what is needed says which is needed."""
    program = f"import polars; polars.__version__ = {version!r}; import truebleu.engines.polars"
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "MissingExtraError: this needs Polars 1.36 or later: pip install" in ended.stderr
    [declared] = re.findall(r"polars>=([\d.]+)", PROJECT.read_text("utf-8"))
    assert declared == "1.36"
