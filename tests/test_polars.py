"""Expressions of Polars: every context, side by side with others, and what is refused."""

import polars as pl
import pyarrow as pa
import pytest
import truebleu
import truebleu.engines.polars  # Gives expressions their namespace.
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_text import TABLE
from truebleu import Bleu

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

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
@pytest.mark.parametrize("references", [["poor", "ref"], ["poor", "refs"]], ids=["texts", "lists"])
@pytest.mark.parametrize("ask", CONTEXTS.values(), ids=CONTEXTS)
@pytest.mark.parametrize("change", [nulls, one_value, all_values])
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
    """No rows are an error, no groups are none."""
    empty = pl.from_arrow(TABLE).clear().lazy()
    corpus = pl.col("mt").truebleu.corpus_score("ref_a")
    with pytest.raises(truebleu.EmptyInputError, match="no rows to score"):
        empty.select(corpus).collect(engine=engine)
    found = empty.group_by("system").agg(corpus).collect(engine=engine)
    assert found.shape == (0, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_different_lengths(engine):
    """Nothing is cut to the length of the shorter column, nor repeated."""
    pairs = [("mt", pl.lit("the")), ("mt", pl.col("ref_a").head(3)), (pl.lit("the"), "ref_a")]
    errors = (truebleu.LengthMismatchError, pl.exceptions.PolarsError)
    for hypotheses, references in pairs:
        of = (pl.col(hypotheses) if isinstance(hypotheses, str) else hypotheses).truebleu
        frame = pl.from_arrow(TABLE).lazy()
        for query in (
            frame.select(of.corpus_score(references)),
            frame.group_by("half").agg(of.corpus_score(references)),
            frame.select(of.sentence_score(references)),
            frame.select(of.stats(references)),
        ):
            with pytest.raises(errors, match=r"length|segment"):
                query.collect(engine=engine)
