"""Data frames of any library, given in place of several columns."""

from __future__ import annotations

from collections.abc import Mapping

from truebleu.errors import InputError, InputTypeError, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Protocol

    class Frame(Protocol):
        """What is needed of a data frame."""

        def __getitem__(self, name: Any, /) -> Any:
            """Return the column of this name."""


def is_frame(items: Any) -> bool:
    """Tell whether this has columns, as frames, tables and datasets do."""
    # Of the class, because Polars warns of the columns of a lazy frame.
    return hasattr(type(items), "columns") or hasattr(type(items), "column_names")


def columns(frame: Any, name: str) -> dict[str, Any]:
    """Return the columns of a frame, called `name`, by their names; a missing value is None."""
    kind = type(frame).__name__
    found: dict[str, Any] = {}
    if hasattr(type(frame), "collect"):
        how = ".toPandas()" if hasattr(type(frame), "toPandas") else ".collect()"
        raise InputTypeError(f"{name} is a {kind} that is not computed yet; pass its {how}")
    names = getattr(frame, "column_names", None)
    # The columns of an Arrow table are no names.
    names = frame.columns if names is None else names
    if isinstance(names, dict):
        raise InputTypeError(f"{name} is a {kind}; give one of its splits")
    names = list(names)
    for each in names:
        # Arrow raises an error of its own for such a column.
        if names.count(each) > 1:
            raise InputTypeError(f"{name} is a {kind} with two columns called {each!r}")
        found[each] = _with_none(frame[each])
    if not found or any(is_frame(each) or not hasattr(each, "__len__") for each in found.values()):
        raise InputTypeError(f"{name} is a {kind}; give one of its columns")
    return found


def only_column(frame: Any, name: str) -> Any:
    """Return the only column of a frame."""
    found = columns(frame, name)
    if len(found) > 1:
        raise InputTypeError(
            f"{name} is a {type(frame).__name__} with the columns {', '.join(map(str, found))}; "
            "give one of them"
        )
    [column] = found.values()
    return column


def named(given: Any, name: str, prefix: str = "") -> list[tuple[str, Any]]:
    """Return the columns of a mapping, each with what it is called; those of a frame as one."""
    if isinstance(given, Mapping):
        return [(f"{prefix}{key}", column) for key, column in given.items()]
    return [(name, given)]


def check_indexes(columns: Iterable[tuple[str, Any]]) -> None:
    """Refuse columns of pandas, each with its name, that are paired but differ in their index."""
    first: tuple[str, Any] | None = None
    for name, column in columns:
        index: Any = getattr(column, "index", None)
        if not hasattr(index, "equals"):
            continue
        first = first or (name, index)
        other, its = first
        if len(index) == len(its) and not index.equals(its):
            labels = list(zip(its, index, strict=True))
            row = next((row for row, (one, two) in enumerate(labels) if one != two), 0)
            one, two = map(written, labels[row])
            raise InputError(
                f"{other} and {name} have different indexes: row {row:,} is {one} of {other} and "
                f"{two} of {name}; to pair rows by position, pass both with "
                ".reset_index(drop=True)"
            )


def references(given: Any, streams: Any, *others: tuple[str, Any]) -> tuple[Any, Any]:
    """Turn a frame of references, or of reference streams, into its columns.

    All rows are those of the `others`, such as hypotheses, of which only the indexes are checked.
    """
    if given is not None and streams is None and is_frame(given):
        found = list(columns(given, "references").values())
        given, streams = (found[0], None) if len(found) == 1 else (None, found)
    elif streams is not None and is_frame(streams):
        streams = list(columns(streams, "reference_streams").values())
    listed = streams if isinstance(streams, list | tuple) else ()
    several = ((f"reference_streams[{number}]", stream) for number, stream in enumerate(listed))
    check_indexes([*others, ("references", given), *several])
    return given, streams


def _with_none(column: Any) -> Any:
    """Let missing values of pandas, which may be numbers, be None."""
    if hasattr(column, "isna") and hasattr(column, "tolist") and any(column.isna().tolist()):
        return column.astype(object).where(column.notna(), None)
    return column
