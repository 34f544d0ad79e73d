"""Tables with a log that says which of their files count: Delta Lake and Iceberg."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from truebleu.errors import InputError

if TYPE_CHECKING:
    from typing import Any

    import pyarrow as pa

DELTA, ICEBERG = "Delta Lake", "Iceberg"

LOGS = {
    "_delta_log": DELTA,
    "metadata/*.metadata.json": ICEBERG,
    ".hoodie": "Hudi",
    "_spark_metadata": "Spark's streams",
}
"""The kind of a table by what its folder has."""

# How Spark reads what has no library here.
_BY_SPARK = {
    "Hudi": 'spark.read.format("hudi").load({!r})',
    "Spark's streams": "spark.read.load({!r})",
}


class Lake(NamedTuple):
    """A table with a log: its columns, and what reads batches of those with some names."""

    schema: pa.Schema
    read: Callable[[Sequence[str]], Iterable[pa.RecordBatch]]


def _delta(path: Path) -> Lake:
    from deltalake import DeltaTable

    found: Any = DeltaTable(path).to_pyarrow_dataset()
    return Lake(found.schema, lambda names: found.scanner(columns=[*names]).to_reader())


def _iceberg(path: Path) -> Lake:
    from pyiceberg.table import StaticTable

    table: Any = StaticTable.from_metadata(_metadata(path))

    def read(names: Sequence[str]) -> Any:
        return table.scan(selected_fields=tuple(names)).to_arrow_batch_reader()

    return Lake(table.schema().as_arrow(), read)


# What opens each kind, and the library that it needs.
_LIBRARIES: dict[str, tuple[Callable[[Path], Lake], str]] = {
    DELTA: (_delta, "deltalake"),
    ICEBERG: (_iceberg, "pyiceberg"),
}


def kind_of(path: Path) -> str | None:
    """Return the kind of a table by its folder, or by a metadata file of Iceberg."""
    if _is_metadata(path):
        return ICEBERG
    found = (kind for log, kind in LOGS.items() if next(path.glob(log), None) is not None)
    return next(found, None) if path.is_dir() else None


def open_lake(path: str) -> Lake:
    """Open a table with a log."""
    kind = str(kind_of(Path(path)))
    _check_readable(Path(path), kind)
    return _LIBRARIES[kind][0](Path(path))


def refuse_files(folders: Iterable[Path]) -> None:
    """Refuse files in folders of such a table, since only the log knows which count."""
    for folder in {above for each in folders for above in (each, *each.resolve().parents)}:
        kind = kind_of(folder)
        if kind is not None:
            _check_readable(folder, kind)
            raise InputError(
                f"{folder} is a table of {kind}: its log says which files count. Give the folder "
                "itself, or name the files"
            )


def _check_readable(folder: Path, kind: str) -> None:
    """Refuse a table that cannot be read here, with what to do."""
    if kind in _BY_SPARK:
        how = (
            f"Read it with {_BY_SPARK[kind].format(str(folder))} and score that with "
            "truebleu.engines.spark"
        )
    elif find_spec(_LIBRARIES[kind][1]) is not None:
        return
    else:
        how = f"To read it, pip install {_LIBRARIES[kind][1]}"
    raise InputError(
        f"{folder} is a table of {kind}: its log says which files count. {how}, or name the files "
        "themselves"
    )


def _is_metadata(path: Path) -> bool:
    return path.name.endswith(".metadata.json") and path.is_file()


def _metadata(path: Path) -> str:
    """Return the metadata file that describes the current state of a table, if it can be known."""
    if _is_metadata(path):
        return str(path)
    folder = path / "metadata"
    found = sorted(folder.glob("*.metadata.json"))
    hint = folder / "version-hint.text"
    if hint.is_file():
        version = hint.read_text("utf-8").strip()
        # A catalog of Hadoop, which is the folder itself.
        found = [each for each in found if each.name == f"v{version}.metadata.json"] or found
    if len(found) > 1:
        raise InputError(
            f"{path} has {len(found)} files of metadata, and only the catalog knows which is "
            f"current: give that one, such as {found[-1]}"
        )
    return str(found[0])
