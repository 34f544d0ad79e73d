"""Arrays of token ids: every type and layout, and tables with padding."""

from itertools import pairwise, product, takewhile

import numpy as np
import pytest
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
    pad=st.sampled_from([None, 0, -1, 2**70]),
    end=st.sampled_from([None, 3, 300]),
)
def test_rows_without_padding_by_definition(table, kind, pad, end):
    """A row keeps what comes before the end and is not padding, whatever the type."""
    ids = table.astype(kind)
    found = Ragged.from_padded(ids[:, ::-1][:, ::-1], pad=pad, end_of_sequence=end)
    expected = [
        [token for token in takewhile(lambda token: token != end, row) if token != pad]
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
    """Ids up to 2**64 - 1 are numbers like others: equal to themselves, and to no negative one."""
    for top in (2**63 - 1, 2**63, 2**64 - 1):
        ids = np.array([1, 2, 3, 4, top], "u8")
        ragged, signed = Ragged(ids, [0, 5]), Ragged(ids.astype("i8"), [0, 5])
        assert WORDS.corpus(ragged, ragged).score == 100.0
        assert WORDS.corpus(ragged, [ids.tolist()]).score == 100.0
        assert WORDS.corpus(ragged, signed).counts[0] == 4 + (top < 2**63)
