"""Tables with a log that says which of their files count: they are refused."""

from __future__ import annotations

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LOGS = {
    "_delta_log": ("Delta Lake", "deltalake.DeltaTable({!r}).to_pyarrow_dataset()"),
    "metadata/*.metadata.json": (
        "Iceberg",
        "catalog.load_table(...).scan().to_arrow_batch_reader() of pyiceberg",
    ),
    ".hoodie": ("Hudi", 'spark.read.format("hudi").load({!r}) with truebleu.engines.spark'),
    "_spark_metadata": ("Spark's streams", "spark.read.load({!r}) with truebleu.engines.spark"),
}
"""The kind of a table by what its folder has, and what reads it."""


def refuse_files(folders: Iterable[Path]) -> None:
    """Refuse files in folders of such a table, since only the log knows which count."""
    for folder in {above for each in folders for above in (each, *each.resolve().parents)}:
        for log, (kind, reader) in LOGS.items():
            if next(folder.glob(log), None) is not None:
                raise InputError(
                    f"{folder} is a table of {kind}: its log says which files count. Score "
                    f"{reader.format(str(folder))}, or name the files themselves"
                )
