"""Tables with a transaction log: Polars reads those of Delta Lake and Iceberg."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from truebleu.engines.job import missing
from truebleu.errors import InputError, SettingsError

try:
    import pyarrow as pa
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

_DELTA, _ICEBERG = "Delta Lake", "Iceberg"

# Where tables keep a transaction log.
_LOGS = {
    "_delta_log": _DELTA,
    "metadata/*.metadata.json": _ICEBERG,
    ".hoodie": "Hudi",
    "_spark_metadata": "Spark's streams",
}

# What else Polars needs to read a table; and how Spark reads the others.
_LIBRARIES = {_DELTA: "deltalake", _ICEBERG: "pyiceberg"}
_BY_SPARK = {
    "Hudi": 'spark.read.format("hudi").load({!r})',
    "Spark's streams": "spark.read.load({!r})",
}


def is_lake(path: str) -> bool:
    """Whether a path is that of a whole table with a log, or of a metadata file of Iceberg."""
    return _kind(Path(path)) is not None or _is_metadata(Path(path))


def _is_metadata(path: Path) -> bool:
    return path.name.endswith(".metadata.json") and path.is_file()


def _kind(folder: Path) -> str | None:
    """Return the kind of a table by the log in its folder."""
    found = (kind for log, kind in _LOGS.items() if next(folder.glob(log), None) is not None)
    return next(found, None) if folder.is_dir() else None


def refuse_files_of_lakes(folders: Iterable[Path]) -> None:
    """Refuse files that belong to a table with a log, since only the log knows which count."""
    for folder in {above for each in folders for above in (each, *each.resolve().parents)}:
        kind = _kind(folder)
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
    else:
        libraries = ("polars", _LIBRARIES[kind])
        if all(find_spec(name) is not None for name in libraries):
            return
        how = f"To read it, pip install {' '.join(libraries)}"
    raise InputError(
        f"{folder} is a table of {kind}: its log says which files count. {how}, or name the files "
        "themselves"
    )


def read_lake(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
    """Register a table with a log as a stream; return its name."""
    if len(files) > 1:
        raise SettingsError(f"{files[0]} is a table with a log: give it alone, without other files")
    [path] = files
    kind = _ICEBERG if _is_metadata(Path(path)) else _kind(Path(path)) or ""
    _check_readable(Path(path), kind)
    import polars as pl

    try:
        lazy = pl.scan_iceberg(_metadata(Path(path))) if kind == _ICEBERG else pl.scan_delta(path)
        schema = pl.DataFrame(schema=lazy.collect_schema()).to_arrow().schema
    except InputError:
        raise
    except Exception as error:  # Of any of three libraries.
        raise InputError(f"{path}: {str(error).partition(chr(10))[0]}") from None
    reader = pa.RecordBatchReader.from_batches(schema, _batches(lazy, schema))
    connection.register("truebleu_arrow", reader)
    return "truebleu_arrow"


def _batches(lazy: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    # Earlier releases of Polars have no batches.
    frames = lazy.collect_batches() if hasattr(lazy, "collect_batches") else [lazy.collect()]
    for frame in frames:
        yield from frame.to_arrow().cast(schema).to_batches()


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
