"""The texts of a file, whatever it is, as a list."""

from __future__ import annotations

from truebleu.errors import InputError, SettingsError, written, wrong_type
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import FIRST_LINES, PYTHON
from truebleu.inputs.lines import check_kind, checked_path
from truebleu.inputs.readers import READERS, open_table, recognised, refusal
from truebleu.inputs.readers.base import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

    from truebleu.inputs.readers.base import Reader


def read_texts(
    path: str | PathLike[str],
    column: str | int | None = None,
    *,
    no_header: bool = False,
) -> list[Any]:
    """Read the texts of a file: lines, or a column of what has columns.

    CSV, TSV, JSON Lines, JSON, and the SGML and XML of test sets are read as the command reads
    them; Parquet and Arrow need PyArrow. What is in a cell is text, whatever it looks like.

    Parameters
    ----------
    path : str or path-like
        Files named ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed; ``-`` is standard
        input.
    column : str or int, optional
        Its name, or its number, from 1 on, in CSV and TSV. In JSON also a path, such as
        ``choices.0.message.content``; in markup a system, or a reference, such as ``ref:A``. By
        default, the only column that may be text.
    no_header : bool, default False
        The first row of CSV or TSV has no names of columns, so columns have numbers only.

    Returns
    -------
    list of str, or of lists of str
        One segment per line or row; lists, where a column of JSON or Arrow has lists.

    Raises
    ------
    OSError
        If the file cannot be read, or is damaged.
    InputTypeError, InputError
        If `path` is not the path of a file, it is unclear which column is meant, or a row is not
        well-formed or has something else than text: the message has its line.
    UnknownNameError, SettingsError
        If there is no such column, or several.
    EncodingError
        If a line is not UTF-8, or a string has half of a surrogate pair.
    MissingExtraError
        If the package that ``.zst`` or Parquet needs is not installed.

    Examples
    --------
    >>> from truebleu import corpus_bleu, read_texts
    >>> names = "mt", "ref_a"
    >>> hypotheses, references = (read_texts("examples/table.csv", name) for name in names)
    >>> round(corpus_bleu(hypotheses, references), 2)
    32.83
    """
    path = checked_path(path)
    name = _checked_column(column)
    if not isinstance(no_header, bool):
        raise wrong_type("no_header", no_header, "True or False is needed")
    try:
        if name is not None:
            with open_table(path, no_header=no_header, wording=PYTHON) as reader:
                return _texts(reader, [name])
        return _lines_or_texts(path, no_header=no_header)
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; the path of a file is needed") from None


def _checked_column(column: Any) -> str | None:
    is_number = isinstance(column, int) and not isinstance(column, bool)
    if not (column is None or is_number or isinstance(column, str)):
        raise wrong_type("column", column, "the name or number of a column is needed")
    if is_number and not 0 < column < 1 << 31:
        raise SettingsError(f"column is {written(column)}; columns are numbered from 1")
    return None if column is None else str(column)


def _lines_or_texts(path: str, *, no_header: bool) -> list[Any]:
    with LineFile(path) as file:
        form = recognised(file)
        if form is None:
            texts = list(lines_of(file))
            check_kind(path, texts[:FIRST_LINES], lambda: texts)
            return texts
        with READERS[form](file, form, no_header=no_header, wording=PYTHON) as reader:
            return _texts(reader, reader.chosen(""))


def _texts(reader: Reader, columns: Sequence[str]) -> list[Any]:
    if len(columns) != 1:
        raise refusal(reader)
    batches = reader.batches(columns, nulls=False)
    return [text for (column,) in batches for text in column.texts()]
