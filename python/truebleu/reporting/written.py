"""Files that a report is written to."""

from __future__ import annotations

import os
from pathlib import Path

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable


def write(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file, all of it or nothing: beside the old one, which is then replaced.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        # A pipe, or another device, is not replaced.
        target.write_bytes(content)
        return
    part = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def refuse_unwritable(path: str, inputs: Iterable[str] = ()) -> None:
    """Refuse a file that could not be written, before the work and not after it.

    Parameters
    ----------
    path : str
    inputs : iterable of str
        Files that are read, which must not be overwritten.

    Raises
    ------
    OSError
        With the name of the file.
    """
    import errno

    folder = os.path.dirname(path) or "."  # noqa: PTH120  # The path stays as it was written.
    if os.path.isdir(path):  # noqa: PTH112
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise OSError(errno.ENOENT, f"there is no folder {folder}", path)
    exists = os.path.exists(path)  # noqa: PTH110
    if not os.access(path if exists else folder, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)
    for name in inputs:
        if exists and os.path.exists(name) and os.path.samefile(path, name):  # noqa: PTH110, PTH121
            raise OSError(errno.EEXIST, "the output would overwrite an input file", path)
