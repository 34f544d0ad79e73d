"""The statistics of BLEU: the layout of a row, and its checks."""

from __future__ import annotations

from truebleu._core import check_rows
from truebleu.metrics.stats import Stats

# The end of a counting key. The start may hold the path of a model, and so any text.
_SHAPE = r"\|orders:([1-9]\d{0,3})\|len:[a-z-]+(\|phantom:yes)?\Z"


def field_names(width: int) -> tuple[str, ...]:
    """Return the names of the counts in a row of this width."""
    orders = range(1, width // 2)
    return (
        "hyp_len",
        "ref_len",
        *(f"match_{order}" for order in orders),
        *(f"total_{order}" for order in orders),
    )


class BleuStats(Stats, init=False):
    """The sufficient statistics of BLEU: one row of integer counts per segment.

    A row is ``[hyp_len, ref_len, match_1, ..., match_N, total_1, ..., total_N]``, where the matches
    are clipped. Everything else is as for the :class:`truebleu.Stats` of any metric.

    Immutable. Created by :meth:`truebleu.Bleu.stats`; do not create it yourself.
    """

    __module__ = "truebleu"

    __slots__ = ()

    @classmethod
    def check_rows(cls, data: bytes, fields: tuple[str, ...], counting_key: str) -> None:
        """Raise InputError if a row has impossible counts."""
        check_rows(data, len(fields), counting_key.endswith("|phantom:yes"))

    @staticmethod
    def _stored_names(fields: tuple[str, ...]) -> tuple[str, ...]:
        """Store no names, because they follow from the width."""
        return ()

    @staticmethod
    def _read_names(key: str, width: int, stored: list[str]) -> tuple[str, ...] | None:
        import re

        shape = re.search(_SHAPE, key)
        if stored or shape is None or width != 2 + 2 * int(shape[1]):
            return None
        return field_names(width)
