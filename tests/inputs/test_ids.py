"""Arrays of token ids: every type and layout, and tables with padding."""

from array import array
from itertools import pairwise, product, takewhile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from truebleu import Bleu, Ragged, self_bleu

WORDS = Bleu(tokenizer="pretokenized", effective_order=True)

KINDS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]

tables = arrays(
    np.int64,
    array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=60),
    elements=st.integers(0, 4),
)


@settings(deadline=None)
@given(
    table=tables,
    kind=st.sampled_from(["i1", "u2", ">i4", "u8"]),
    pad=st.sampled_from([None, 0, -1, 2**70, [0, -100], (1, 0, 2, 0), [], {2, 2**70}]),
    end=st.sampled_from([None, 3, 300]),
)
def test_rows_without_padding_by_definition(table, kind, pad, end):
    """A row keeps what comes before the end and is not padding, whatever the type."""
    ids = table.astype(kind)
    found = Ragged.from_padded(ids[:, ::-1][:, ::-1], pad=pad, end_of_sequence=end)
    pads = pad if isinstance(pad, list | tuple | set) else [pad]
    expected = [
        [token for token in takewhile(lambda token: token != end, row) if token not in pads]
        for row in table.tolist()
    ]
    assert [each.tolist() for each in found.split("ids")] == expected
    ids[:] = 4  # The result has ids of its own.
    assert [each.tolist() for each in found.split("ids")] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_of_array(kind, subtests):
    """Types, byte orders, gaps and threads do not change the counts, which are those of lists."""
    for order, step in product("<>", (1, 2, -1)):
        with subtests.test(order=order, step=step):
            check_array(kind, order, step)


def check_array(kind, order, step):
    generator = np.random.default_rng(KINDS.index(kind))
    ragged, lists = [], []
    for _ in range(2):
        offsets = np.append(0, generator.integers(0, 9, 3000).cumsum())
        values = generator.integers(0, 7, offsets[-1])
        array = np.repeat(values[:: np.sign(step)], abs(step)).astype(order + kind)
        array.flags.writeable = False
        ragged.append(Ragged(array[::step], offsets.astype(order + "u4")))
        spans = pairwise(offsets.tolist())
        lists.append([values[start:end].tolist() for start, end in spans])
    # An empty list would be a segment without references.
    expected = WORDS.stats(lists[0], [[tokens] for tokens in lists[1]])
    for threads in (1, 2):
        assert WORDS.stats(*ragged, threads=threads) == expected
    found = self_bleu(ragged[0], tokenizer="pretokenized").scores
    assert (found == self_bleu(lists[0], tokenizer="pretokenized").scores).all()


def test_large_ids():
    """Ids up to 2**64 - 1 are numbers like others, equal to themselves only."""
    for top in (2**63 - 1, 2**63, 2**64 - 1):
        ids = np.array([1, 2, 3, 4, top], "u8")
        ragged, other = Ragged(ids, [0, 5]), Ragged(ids - 1, [0, 5])
        assert WORDS.corpus(ragged, ragged).score == 100.0
        assert WORDS.corpus(ragged, [ids.tolist()]).score == 100.0
        assert WORDS.corpus(ragged, other).counts[0] == 3


class Tensor:
    """What arrays of other libraries have in common with those of NumPy."""

    def __init__(self, ids):
        self.ids = np.asarray(ids)
        self.ndim, self.dtype = self.ids.ndim, f"torch.{self.ids.dtype}"

    def __len__(self):
        return len(self.ids)

    def __iter__(self):
        return map(Tensor, self.ids)

    def __array__(self, *_, **__):
        return self.ids

    def tolist(self):
        return self.ids.tolist()


# Ids of several segments, all of one length.
FORMS = {
    "lists": lambda ids: ids,
    "tuples": lambda ids: [*map(tuple, ids)],
    "words beside them": lambda ids: [["a", *each] for each in ids],
    "more than 64 bits": lambda ids: [[2**70, *each] for each in ids],
    "floats": lambda ids: [[*map(float, each)] for each in ids],
    "NumPy's numbers": lambda ids: [[*map(np.int32, each)] for each in ids],
    "arrays": lambda ids: [np.array(each, "i2") for each in ids],
    "a table": np.array,
    "array.array": lambda ids: [array("h", each) for each in ids],
    "Ragged": lambda ids: Ragged(np.concatenate(ids), [0, 5, 10]),
    "Ragged, lists": lambda ids: Ragged([*ids[0], *ids[1]], [0, 5, 10]),
    "Arrow": pa.array,
    "Polars": pl.Series,
    "pandas": pd.Series,
    "tensor": Tensor,
}
HOW = {"metric": Bleu(tokenizer="pretokenized")}
TAKE_IDS = {
    "corpus": WORDS.corpus,
    "segments": WORDS.segments,
    "stats": WORDS.stats,
    "segment": lambda own, others: [*map(WORDS.segment, own, others)],
    "sentence_bleu": lambda own, others: [
        truebleu.sentence_bleu(a, [b], tokenizer="pretokenized")
        for a, b in zip(own, others, strict=True)
    ],
    "corpus_bleu": lambda own, others: truebleu.corpus_bleu(
        own, reference_streams=[others], tokenizer="pretokenized"
    ),
    "Accumulator": lambda own, others: truebleu.Accumulator(WORDS).add(own, others),
    "compare": lambda own, others: truebleu.compare(
        {"A": own, "B": own}, others, n_resamples=39, metrics=HOW["metric"]
    ),
    "report": lambda own, others: truebleu.report(
        {"A": own, "B": own}, others, n_resamples=39, metrics=HOW["metric"]
    ),
    "explain": lambda own, others: truebleu.explain(own, others, tokenizer="pretokenized"),
    "mbr": lambda own, others: truebleu.mbr(own, pseudo_references=others, **HOW),
    "best_of": lambda own, others: truebleu.best_of([own], [others], **HOW),
    "pairwise": lambda own, others: truebleu.pairwise(own, others, **HOW),
    "self_bleu": lambda own, others: (
        truebleu.self_bleu(own, tokenizer="pretokenized"),
        truebleu.self_bleu(others, tokenizer="pretokenized"),
    ),
    "token_rewards": truebleu.token_rewards,
    "from_padded": lambda own, others: (Ragged.from_padded(own), Ragged.from_padded(others)),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_negative_ids_are_no_tokens(subtests):
    """Whatever takes ids, in whatever form, refuses a negative one, and says what drops it."""
    good, bad = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 6]], [[1, 2, 3, 4, 5], [1, 2, 3, -100, -100]]
    taken = set()
    for (name, call), (form, make) in product(TAKE_IDS.items(), FORMS.items()):
        try:
            call(make(good), make(good))
        except (truebleu.InputTypeError, TypeError):
            continue
        taken.add((name, form))
        for pair in ((bad, good), (good, bad)):
            with (
                subtests.test(name=name, form=form),
                pytest.raises(truebleu.InputError, match=r"the ID -100, .* give pad=-100, or"),
            ):
                call(*map(make, pair))
    assert {name for name, form in taken if form == "lists"} == TAKE_IDS.keys()
    assert {form for _, form in taken} == FORMS.keys()
    assert len(taken) > 150


def test_labels_of_trainers():
    """What is padded with both the pad token and -100 gets the reward of what is left."""
    labels = [[5, 6, 7, 8, -100, -100], [5, 6, 7, 8, 9, 0]]
    for pad in ([0, -100], np.array([-100, 0])):
        assert truebleu.token_rewards(labels, labels, pad=pad).tolist() == [1, 1]
    with pytest.raises(truebleu.InputError, match=r"^samples: item 0 has the ID -100, but"):
        truebleu.token_rewards(labels, labels, pad=0)
    with pytest.raises(truebleu.InputError, match=r"^references: item 1 has the ID -100, but"):
        truebleu.token_rewards(labels[1:] * 2, labels[::-1], pad=0)
