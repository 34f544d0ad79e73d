"""The frozen whole of what was given, and how its files are read."""

from __future__ import annotations

from truebleu.inputs.forms import PYTHON, Wording
from truebleu.intake.systems import system_names
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, Protocol

    from truebleu.errors import InputError
    from truebleu.inputs.readers.base import Reader
    from truebleu.metrics.stats_saved import SavedStats

    Nulls = Literal["error", "empty", "skip"]

    class Named(Protocol):
        """A test set, or one that statistics are of."""

        @property
        def name(self) -> str:
            """The name of the set."""

        @property
        def pair(self) -> str:
            """The language pair."""

        @property
        def signature(self) -> str:
            """The fields of signatures that name the set."""


def _refuse(refused: Sequence[tuple[str, Reader]]) -> InputError:
    """Return the error about files without a column, as a function in Python says it."""
    from truebleu.inputs.readers import refusal

    return refusal(refused[0][1])


class Reading(Record):
    """How files are read.

    Attributes
    ----------
    as_text : bool
        Lines, whatever a file looks like.
    skips_empty : bool
        Empty references are left out.
    no_header : bool
        The first row of CSV and TSV has no names.
    wording : Wording
        How messages call what the caller can do.
    refuse : callable
        Returns the error about files that are no lines, each with what it is to the caller.
    note : callable
        Is told which column is read where that is a guess.
    """

    as_text: bool = False
    skips_empty: bool = False
    no_header: bool = False
    wording: Wording = PYTHON
    # A function of a class would be a method.
    refuse: Callable[[Sequence[tuple[str, Reader]]], InputError] = staticmethod(_refuse)
    note: Callable[[str], object] = str


class Columns(Record):
    """Columns of tables: one of hypotheses for each system, and those of references."""

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    nulls: Nulls = "error"


class Given(Record):
    """Outputs of systems, their references, and what is known of their segments.

    Attributes
    ----------
    systems : tuple of str
        Paths, each of which may have a name and a column: see :class:`SystemFile`.
    references : tuple of str
        Paths, each of which has a reference of every segment, or several.
    columns : Columns or None
        If the systems are files of tables, what is read of them.
    others : mapping of str to str
        Files with a line for each segment: ``sources``, ``domains``.
    test_set : TestSet or None
        The set that the references are of.
    saved : SavedStats or None
        Statistics, in place of texts.
    reading : Reading
        How files are read.
    """

    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    columns: Columns | None = None
    others: Mapping[str, str] = {}
    test_set: Any = None
    saved: SavedStats | None = None
    reading: Reading = Reading()

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        if self.saved is not None:
            return list(self.saved.systems)
        return system_names(self.systems) if self.columns is None else list(self.columns.hypotheses)

    @property
    def files(self) -> list[str]:
        """All files that are read."""
        return [*self.systems, *self.references, *self.others.values()]
