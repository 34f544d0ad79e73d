"""Columns in Arrow's layout score as lists do, from where they are."""

import ctypes
import inspect
from itertools import pairwise, product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import strategies
import truebleu
from entry_points import FUNCTIONS, METHODS
from hypothesis import given
from hypothesis import strategies as st
from truebleu import Bleu, SavedStats, _core
from truebleu.compat import evaluate
from truebleu.inputs import arrow

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

TYPES = [pa.string(), pa.large_string(), pa.string_view()]
LISTS = [pa.list_, pa.large_list]


# Arrow has no lone surrogates.
TEXTS = strategies.segments.map(lambda text: text.encode("utf-8", "replace").decode())


@st.composite
def corpora(draw):
    """Draw hypotheses and their references, some of them missing."""
    own, others = draw(strategies.corpora(TEXTS))
    gaps = st.lists(st.none(), max_size=2)
    return own, [[*draw(gaps), *each, *draw(gaps)] for each in others]


def cut(draw, items, kind):
    """Make a chunked array, of slices of larger arrays."""
    places = sorted(draw(st.lists(st.integers(0, len(items)), max_size=3)))
    chunks = []
    for start, stop in pairwise([0, *places, len(items)]):
        longer = [*items[:1], *items[start:stop], *items[-2:]]
        chunks.append(pa.array(longer, kind).slice(1, stop - start))
    return pa.chunked_array(chunks, kind)


@given(corpora(), st.data())
def test_layouts_and_chunks_change_nothing(corpus, data):
    own, others = corpus
    bleu = Bleu()
    want = bleu.stats(own, others)
    kind, inner = data.draw(st.sampled_from(TYPES)), data.draw(st.sampled_from(TYPES))
    hypotheses = cut(data.draw, own, kind)
    references = cut(data.draw, others, data.draw(st.sampled_from(LISTS))(inner))
    found = bleu.stats(hypotheses, references)
    assert (found, found.references) == (want, want.references)
    longest = max(map(len, others))
    streams = [
        cut(data.draw, [each[index] if index < len(each) else None for each in others], kind)
        for index in range(longest)
    ]
    assert bleu.stats(hypotheses, reference_streams=streams) == want
    assert bleu.corpus(hypotheses, references).same_as(bleu.corpus(own, others))
    # One of them as a list: everything becomes one.
    assert bleu.stats(own, references) == want
    assert bleu.stats(hypotheses, others) == want


OWN = ["the cat sat on the mat", "", "a dog", "zażółć gęślą jaźń 🦊"]
REFERENCES = ["the cat sat on a mat", "x", "a dog barks", "zażółć gęślą jaźń 🐺"]


@pytest.mark.parametrize(
    "make",
    [
        pa.array,
        pl.Series,
        pd.Series,
        lambda items: pd.Series(items, dtype=pd.ArrowDtype(pa.string())),
        lambda items: pd.Series(items, dtype=object),
        lambda items: pa.chunked_array([items[:1], items[1:]]),
        np.array,
    ],
)
def test_columns_of_every_library(make):
    want = Bleu().stats(OWN, REFERENCES)
    assert Bleu().stats(make(OWN), make(REFERENCES)) == want
    assert Bleu(tokenizer="char").corpus(make(OWN), make(REFERENCES)).score == pytest.approx(
        Bleu(tokenizer=list)
        .corpus(
            [text.replace(" ", "") for text in OWN], [text.replace(" ", "") for text in REFERENCES]
        )
        .score
    )
    assert Bleu(tokenizer=str.split).stats(make(OWN), make(REFERENCES)).data == (
        Bleu(tokenizer="none").stats(OWN, REFERENCES).data
    )


def test_columns_of_token_ids():
    own, others = [[1, 2, 3, 4, 5], [6, 7]], [[1, 2, 3, 4, 9], [6, 8]]
    bleu = Bleu(tokenizer="pretokenized")
    assert bleu.corpus(pa.array(own), pa.array(others)).same_as(bleu.corpus(own, others))
    assert bleu.corpus(pl.Series(own), pl.Series(others)).same_as(bleu.corpus(own, others))


def test_nothing_is_copied():
    """The core reads the very memory of the column, and Arrow allocates none."""
    texts = pa.array([f"text number {i} of many" for i in range(100_000)])
    before = pa.total_allocated_bytes()
    assert Bleu().corpus(texts, texts).score == pytest.approx(100)
    assert pa.total_allocated_bytes() < before + 10_000


def test_the_memory_is_that_of_the_owner():
    """What the owner writes there is what the column reads."""
    offsets, text = np.array([0, 3, 6], np.int32), np.frombuffer(bytearray(b"onetwo"), np.uint8)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    column = _core.Column(pa.Array.from_buffers(pa.string(), 2, buffers))
    text[3:] = list(b"six")
    assert column.texts() == ["one", "six"]


def test_memory_outlives_its_owner():
    column = _core.Column(pa.array([f"text {i}" for i in range(1000)]))
    assert column.texts()[999] == "text 999"


def broken(bytes_, offsets):
    """Make a column of strings out of any bytes."""
    buffers = [None, pa.py_buffer(np.array(offsets, np.int32).tobytes()), pa.py_buffer(bytes_)]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


@pytest.mark.parametrize("tokenizer", ["13a", "char", "intl"])
def test_offsets_that_split_a_character(tokenizer):
    """Two halves of a character are no texts, although they are one together."""
    halves = broken("é".encode(), [0, 1, 2])
    with pytest.raises(truebleu.InputError, match="UTF-8"):
        Bleu(tokenizer=tokenizer).corpus(halves, pa.array(["a", "b"]))


def test_broken_text_behind_a_null_does_not_matter():
    array = broken(b"ab\xff", [0, 2, 3])
    nulled = pa.Array.from_buffers(
        pa.string(), 2, [pa.py_buffer(b"\x01"), *array.buffers()[1:]], null_count=1
    )
    streams = [nulled, pa.array(["x", "c"])]
    assert Bleu().corpus(pa.array(["ab", "c"]), reference_streams=streams).ref_len == 2


def test_a_stream_that_fails_or_is_used_up():
    class Once:
        def __init__(self):
            self.capsule = pa.chunked_array([["a"]]).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema=None):
            return self.capsule

    once = Once()
    assert arrow.read(once, "x").texts() == ["a"]
    with pytest.raises(truebleu.InputTypeError, match="read already"):
        arrow.read(once, "x")

    def batches():
        yield pa.record_batch({"a": ["b"]})
        raise OSError("the line is dead")

    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            schema = pa.schema({"a": pa.string()})
            return pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()

    with pytest.raises(truebleu.InputTypeError, match="column of struct;"):
        arrow.read(Broken(), "x")

    class Lying:
        def __arrow_c_stream__(self, requested_schema=None):
            return ctypes.pythonapi

    with pytest.raises(truebleu.InputTypeError):
        arrow.read(Lying(), "x")


@pytest.mark.parametrize(
    "nothing",
    [pl.Series([None, None]), pl.Series([[None], [None]]), pl.Series([[], []]), pa.nulls(2)],
    ids=["nulls", "lists of nulls", "empty lists", "pyarrow"],
)
def test_columns_without_a_type(nothing):
    """A column of nothing but nulls adds no reference."""
    texts = pl.Series(["a b c d e", "f g h i"])
    score = Bleu().corpus(texts, reference_streams=[texts, nothing])
    assert score.same_as(Bleu().corpus(texts, texts))


# Parameters with a row for each segment.
OF_ROWS = {"hypotheses", "systems", "samples", "gold", "references", "reference_streams"}
OF_ROWS |= {"sources", "documents", "domains", "weights", "pseudo_references", "scores", "units"}


def of_corpora():
    """Yield the calls of all that takes hypotheses, or lists of samples, and references."""
    for path, function in FUNCTIONS.items():
        names = [*inspect.signature(function).parameters]
        if names[0] not in {"hypotheses", "samples"} or "reference_streams" not in names:
            continue

        def call(own, *others, path=path, function=function, **streams):
            first = own.map(lambda text: [text]) if path == "best_of" else own
            return function(first, *others, **streams)

        yield f"{path} references", call
        yield (
            f"{path} reference_streams",
            lambda own, others, call=call: call(own, reference_streams=[others]),
        )


def systems(column, other=None):
    return {"A": column, "B": column if other is None else other}


def scores(column):
    """Return numbers for a column: the lengths of texts, of two systems."""
    return systems(column.map(len))


def lists(column):
    return column.map(lambda text: [text])


def judged(own, given=None, references=REFERENCES, **more):
    gold = scores(own)
    how = {"metrics": ["bleu"], "n_resamples": 20, "n_trials": None, **more}
    return truebleu.meta.meta_evaluate(gold, given or systems(OWN), references, **how)


def reported(own, references=OWN, **more):
    return truebleu.report(systems(own), references, **more)


# Whatever pairs rows, by its parameter.
PAIRED = {
    **METHODS,
    **dict(of_corpora()),
    "tokens references": lambda own, others: truebleu.corpus_bleu(
        own.str.split(), others.str.split(), tokenizer="pretokenized"
    ),
    "tokens reference_streams": lambda own, others: truebleu.corpus_bleu(
        own.str.split(), reference_streams=[others.str.split()], tokenizer="pretokenized"
    ),
    "token_rewards references": lambda own, others: truebleu.token_rewards(
        pd.DataFrame({0: 1}, own.index), pd.DataFrame({0: 1}, others.index)
    ),
    "compare systems": lambda own, others: truebleu.compare(systems(own, others), OWN),
    "compare references": lambda own, others: truebleu.compare(systems(own), others),
    "compare reference_streams": lambda own, others: truebleu.compare(
        systems(own), reference_streams=[others]
    ),
    "compare scores": lambda own, others: truebleu.compare(
        systems(OWN), own, scores={"X": scores(others)}
    ),
    "compare units": lambda own, others: truebleu.compare(systems(OWN), own, units=others),
    "compare_runs units": lambda own, others: truebleu.compare_runs(
        systems([OWN, OWN]), own, units=others
    ),
    "confidence_interval units": lambda own, others: truebleu.confidence_interval(
        OWN, own, units=others
    ),
    "several metrics": lambda own, others: truebleu.compare(
        systems(own), others, metrics=["bleu", "chrf"]
    ),
    "compare_runs systems": lambda own, others: truebleu.compare_runs(
        {"A": [OWN, own], "B": [OWN, others]}, OWN
    ),
    "compare_runs references": lambda own, others: truebleu.compare_runs(
        systems([own, own]), others
    ),
    "compare_runs reference_streams": lambda own, others: truebleu.compare_runs(
        systems([own, own]), reference_streams=[others]
    ),
    "compare_sets systems": lambda own, others: truebleu.compare_sets(
        {"one": (systems(own, others), OWN)}
    ),
    "compare_sets references": lambda own, others: truebleu.compare_sets(
        {"one": (systems(own), others)}
    ),
    "report references": reported,
    "report reference_streams": lambda own, others: truebleu.report(
        systems(own), reference_streams=[others]
    ),
    "report sources": lambda own, others: reported(own, sources=others),
    "report units": lambda own, others: reported(own, units=others),
    "report domains": lambda own, others: reported(own, domains=others),
    "report units, domains": lambda own, others: truebleu.report(
        systems(OWN), OWN, units=own, domains=others
    ),
    "report scores": lambda own, others: reported(own, scores={"X": scores(others)}),
    "meta_evaluate gold": lambda own, others: truebleu.meta.meta_evaluate(
        systems(own.map(len), others.map(len)), scores={"X": systems([1, 2, 3, 4])}
    ),
    "meta_evaluate systems": lambda own, others: judged(own, systems(others)),
    "meta_evaluate references": lambda own, others: judged(own, references=others),
    "meta_evaluate reference_streams": lambda own, others: judged(
        own, references=None, reference_streams=[others]
    ),
    "meta_evaluate scores": lambda own, others: judged(own, scores={"X": scores(others)}),
    "meta_evaluate documents": lambda own, others: judged(own, documents=others),
    "mbr weights": lambda own, others: truebleu.mbr(own, weights=others.map(len)),
    "mbr weights of several": lambda own, others: truebleu.mbr(lists(own), weights=lists(others)),
    "mbr weights of one of several": lambda own, others: truebleu.mbr(
        [own], weights=[others.map(len)]
    ),
    "mbr weights of others": lambda own, others: truebleu.mbr(
        OWN, weights=own.map(len), pseudo_references=others
    ),
    "mbr pseudo_references": lambda own, others: truebleu.mbr(
        lists(own), pseudo_references=lists(others)
    ),
    "SavedStats units": lambda own, others: saved(own.to_frame(), units=others),
    "SavedStats documents": lambda own, others: saved(units=own, documents=others),
    "SavedStats references": lambda own, others: saved(units=own, references=others),
    "evaluate references": lambda own, others: evaluate.load("bleu").compute(
        predictions=own, references=others
    ),
    "evaluate references of a batch": lambda own, others: evaluate.load("ter").add_batch(
        predictions=own, references=others
    ),
}
# All against all; and units by the names of sets, or of corpora.
NOT_PAIRED = {"pairwise references"}
NOT_PAIRED |= {"compare_sets units", "compare_unpaired units"}


def saved(given=None, **columns):
    return SavedStats({"A": Bleu().stats(OWN, OWN) if given is None else given}, **columns)


def test_all_that_pairs_rows_is_here():
    """Each parameter of a function that has rows, but the first, has a row above."""
    found = set()
    for path, function in FUNCTIONS.items():
        names = [name for name in inspect.signature(function).parameters if name in OF_ROWS]
        found |= {f"{path} {name}" for name in names[1:]}
    assert found - {*PAIRED} <= NOT_PAIRED


def test_rows_of_pandas_with_other_names(subtests):
    """Columns whose indexes differ are never paired by position; where one has none, they are."""
    own = pd.Series(OWN)
    missing = pd.DataFrame({"A": REFERENCES, "B": [None, *REFERENCES[1:]]})
    others = {
        "order": pd.Series(REFERENCES, [3, 2, 1, 0]),
        "names": pd.Series(REFERENCES, list("abcd")),
        "Arrow": pd.Series(REFERENCES, [1, 2, 3, 4], pd.ArrowDtype(pa.string())),
        "frame": pd.DataFrame({"A": REFERENCES}, [1, 2, 3, 4]),
        "missing": missing.set_axis([1, 2, 3, 4]),
    }
    for (path, call), (form, column) in product(PAIRED.items(), others.items()):
        if isinstance(column, pd.DataFrame) and path not in METHODS:
            continue
        with (
            subtests.test(path=path, form=form),
            pytest.raises(
                truebleu.InputError,
                match=r"have different indexes: row 0 .*\.reset_index\(drop=True\)",
            ),
        ):
            call(own, column)
    bleu = Bleu()
    expected = bleu.corpus(OWN, REFERENCES)
    for each in (own, pd.Series(OWN, [3, 2, 1, 0]), OWN):
        assert bleu.corpus(each, pd.Series(REFERENCES, [3, 2, 1, 0]).to_numpy()) == expected
        assert bleu.corpus(each, REFERENCES) == expected
    assert bleu.corpus(own.set_axis(range(1, 5)), others["Arrow"]) == expected
    streams = [REFERENCES, [None, *REFERENCES[1:]]]
    for each in (bleu.corpus(own, missing), bleu.corpus(own, reference_streams=missing)):
        assert each.same_as(bleu.corpus(OWN, reference_streams=streams))
