"""What all engines share: columns to rows of statistics, sums to scores, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable

from truebleu import errors
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    MissingExtraError,
    SettingsError,
    UnknownNameError,
)
from truebleu.inputs import arrow
from truebleu.metrics import layout
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu._core import Observed


SCORE, SEGMENTS = "bleu", "segments"

# The fewest and the most references of a segment.
FEWEST, MOST = "fewest_references", "most_references"

# The key of statistics; of some that are added up the smallest.
KEY = layout.KEY


# How our own exceptions end a traceback.
_OURS = re.compile(r"truebleu\.errors\.(\w+): (.*)")


def missing(library: str, extra: str) -> MissingExtraError:
    """Say which extra has a library."""
    return MissingExtraError(f"this needs {library}: pip install 'truebleu[{extra}]'")


def ours(text: str) -> errors.TruebleuError | None:
    """Find our own exception in what another process has written about it."""
    found = _OURS.search(text)
    kind = getattr(errors, found[1], None) if found else None
    return kind(found[2].strip()) if found and kind else None


def several(names: str | Iterable[str] | None, what: str) -> tuple[str, ...]:
    """Return one name, or some, as a tuple.

    Raises
    ------
    InputTypeError
        If they are no names of columns.
    """
    if isinstance(names, str):
        return (names,)
    if names is not None and not isinstance(names, Iterable):
        raise InputTypeError(
            f"{what} is of type {type(names).__name__}; a name, or several, is needed"
        )
    found = () if names is None else tuple(names)
    for name in found:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{what} {name!r} is of type {type(name).__name__}; a name, as a str, is needed"
            )
    return found


class Plan:
    """Which columns to score, and how. Travels to other processes.

    Parameters
    ----------
    hypothesis : str
        The column of the hypotheses.
    references : str or sequence of str
        The columns of the references.
    group_by : str or sequence of str, optional
        The columns that tell groups apart.
    bleu : Bleu
    observed : Observed, optional
        What there is to observe is added to it, in this process.

    Raises
    ------
    InputTypeError
        If something else than names of columns is given.
    SettingsError
        If there is no reference, or a group has the name of a result.
    """

    def __init__(
        self,
        hypothesis: str,
        references: str | Iterable[str],
        group_by: str | Iterable[str] | None = None,
        *,
        bleu: Bleu,
        observed: Observed | None = None,
    ) -> None:
        """Check the names."""
        self.observed = observed
        [self.hypothesis] = several([hypothesis], "hypothesis")
        self.references = several(references, "references")
        self.groups = several(group_by, "group_by")
        self.bleu = bleu
        self.fields = fields(self.bleu)
        self.key = key(self.bleu)
        if not self.references:
            raise SettingsError("references is empty: the name of at least one column is needed")
        for name in self.groups:
            if name in (*self.sums, SCORE, FEWEST, MOST):
                raise SettingsError(f"a group cannot be called {name!r}, as a result is: rename it")

    def unused(self, name: str) -> str:
        """Return a name for a column of our own that no group has, whatever its case."""
        taken = {group.casefold() for group in self.groups}
        while name.casefold() in taken:
            name += "_"
        return name

    @property
    def last_key(self) -> str:
        """The column for the largest key, beside the smallest, of sums."""
        return self.unused("last_key")

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of text."""
        return (self.hypothesis, *self.references)

    @property
    def sums(self) -> tuple[str, ...]:
        """The columns to add up."""
        return (*self.fields, SEGMENTS)

    def check(self, available: Iterable[str], *, corpus: bool = True, keyed: bool = True) -> None:
        """Refuse columns that are not there, and what cannot be added up.

        Parameters
        ----------
        available : iterable of str
            The columns there are.
        corpus : bool
            Whether rows will be added up.
        keyed : bool
            Whether the result is a table in which the key of the statistics is a column.

        Raises
        ------
        UnknownNameError
            With the columns there are.
        SettingsError
            If the smoothing is defined for one sentence only, or a group has the name of the key.
        """
        if keyed and KEY in self.groups:
            raise SettingsError(
                f"a group cannot be called {KEY!r}, as the key of statistics is: rename it"
            )
        known = list(available)
        for name in (*self.texts, *self.groups):
            if name not in known:
                raise UnknownNameError(
                    f"there is no column {name!r}; the columns are {', '.join(map(str, known))}"
                )
        if corpus:
            check_addable(self.bleu)

    def stats(self, row: Sequence[int], fewest: int, most: int) -> BleuStats:
        """Make the sum of all rows, given as :attr:`sums`, into statistics.

        Raises
        ------
        EmptyInputError
            If there are no rows.
        InputError
            If a sum does not fit into int64, or is that of no text.
        """
        if not row or not row[-1]:
            raise EmptyInputError("there are no rows to score")
        if None in row:
            raise overflow()
        try:
            data = b"".join(int(number).to_bytes(8, "little", signed=True) for number in row[:-1])
        except OverflowError:
            raise overflow() from None
        layout.check_rows(data, len(row) - 1, self.bleu.counting_key)
        return BleuStats(data, self.bleu, fewest, most)


def for_sentences(settings: Any) -> Bleu:
    """Make the Bleu that :func:`truebleu.sentence_bleu` would make of such settings."""
    return Bleu(**settings).for_segments


def fields(bleu: Bleu) -> tuple[str, ...]:
    """Name the numbers in a row of statistics."""
    return layout.field_names(bleu.row_width)


def key(bleu: Bleu) -> int:
    """Return what stands in the column ``key`` beside statistics of these settings."""
    return layout.stored_key(bleu.counting_key)


def overflow() -> InputError:
    """Say that a sum is too large."""
    return InputError("a sum of statistics does not fit into int64: add up fewer rows at a time")


def check_addable(bleu: Bleu) -> None:
    """Refuse a smoothing under which rows do not add up.

    Raises
    ------
    SettingsError
        If it is defined for one sentence only.
    """
    if bleu.sentence_only:
        raise SettingsError(
            f"smoothing {bleu.smoothing!r} is only defined for one sentence: score each row by "
            "itself, or choose another smoothing for a corpus"
        )


def count(
    bleu: Bleu,
    hypotheses: Any,
    references: Sequence[Any],
    names: Sequence[str],
    *,
    each: bool = True,
    threads: int = 1,
    observed: Observed | None = None,
) -> tuple[bytes, int, int]:
    """Count columns, or pieces of them.

    Parameters
    ----------
    bleu : Bleu
    hypotheses : column of str, at least one row
    references : sequence of columns of str or of lists of str
    names : sequence of str
        What to call them all in messages, hypotheses first. Rows have no numbers there: a piece
        does not know where it is.
    each : bool
        A row for each, or their sum.
    threads : int
    observed : Observed, optional
        What there is to observe is added to it.

    Returns
    -------
    tuple
        Rows as little-endian int64, the fewest and the most references.

    Raises
    ------
    InputTypeError
        If something is no column of strings, or a hypothesis is null.
    EmptyInputError
        If a row has no reference.
    """
    own, *others = (
        arrow.read(column, f"column {name!r}")
        for column, name in zip([hypotheses, *references], names, strict=True)
    )
    if own.first_null is not None:
        raise null(names[0])
    try:
        return bleu._counting.corpus(own, None, others, threads, each, observed=observed)
    except EmptyInputError:
        raise EmptyInputError(
            f"a row has no reference: {' and '.join(map(repr, names[1:]))} "
            f"{'are all' if len(names) > 2 else 'is'} null there"
        ) from None


def null(name: str) -> InputTypeError:
    """Say that a hypothesis is null."""
    return InputTypeError(
        f"column {name!r} has nulls; every hypothesis must be a string (if it is empty, '')"
    )


def by_field(bleu: Bleu, rows: bytes) -> NDArray[np.int64]:
    """Turn rows into columns: an array of shape (fields, rows), each field in one piece."""
    import numpy as np

    return np.ascontiguousarray(np.frombuffer(rows, "<i8").reshape(-1, bleu.row_width).T)


def from_fields(bleu: Bleu, table: Sequence[Any]) -> bytes:
    """Turn columns, a field each, back into rows; refuse rows that no text has."""
    return layout.from_fields(table, bleu.counting_key)


def check_keys(bleu: Bleu, keys: Any) -> None:
    """Refuse statistics that were counted under other settings; raises StatsMismatchError."""
    layout.check_keys(keys, bleu.counting_key)


def given_scores(bleu: Bleu, table: Sequence[Any], *keys: Any) -> NDArray[np.float64]:
    """Score statistics that were stored, sent or added up elsewhere.

    Parameters
    ----------
    bleu : Bleu
    table : sequence of columns, one for each field
    keys : columns
        What stood in the column ``key``; of sums, the smallest and the largest.

    Raises
    ------
    StatsMismatchError
        If they were counted under other settings.
    InputError
        If a row cannot be the counts of a text.
    """
    for column in keys:
        check_keys(bleu, column)
    return scores(bleu, from_fields(bleu, table))


def scores(bleu: Bleu, rows: bytes) -> NDArray[np.float64]:
    """Score every row; by the first of several lists of weights."""
    import numpy as np

    found = np.frombuffer(bleu._engine.score_rows(rows), "<f8")
    return found[:: max(1, len(bleu.weights))].astype(np.float64)


def sentence_scores(
    bleu: Bleu,
    hypotheses: Any,
    references: Sequence[Any],
    names: Sequence[str],
    threads: int = 1,
) -> NDArray[np.float64]:
    """Score every row by itself; parameters and errors are those of :func:`count`."""
    import numpy as np

    if not len(hypotheses):
        return np.empty(0)
    counted, _, _ = count(bleu, hypotheses, references, names, threads=threads)
    return scores(bleu, counted)
