"""Files that are written: each as a whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file as :func:`whole` does."""
    with whole(path) as file:
        file.write(content)


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file beside its place, and move it there at the end: it is never there in part.

    A file that is there already stays as it is until the new one is on disk, and its permissions
    are kept. Of several processes or threads that write the same file, one wins. An OSError has the
    name of the file.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        # A pipe, or another device, is not replaced.
        try:
            with target.open("wb") as device:
                yield device
        except OSError as error:
            raise _named(error, path) from None
        return
    # Of a long name, the beginning; its characters may have four bytes each.
    part = target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")
    kept = target.stat().st_mode & 0o7777 if target.exists() else None
    try:
        # Nobody else can have made it, and nobody can read it who may not read the file.
        descriptor = os.open(part, _NEW, 0o666 if kept is None else 0o600)
        with os.fdopen(descriptor, "wb") as file:
            if kept is not None:
                part.chmod(kept)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException as error:
        part.unlink(missing_ok=True)
        raise _named(error, path, part) from None


def _named(error: Any, path: str | os.PathLike[str], part: Path | None = None) -> Any:
    """Return an error with the name of the file; other files may be read while it is written."""
    is_own = isinstance(error, OSError) and str(error.filename) in ("None", str(part))
    if is_own and error.errno is not None:
        return OSError(error.errno, error.strerror, os.fspath(path))
    return error


def refuse_unwritable(path: str, inputs: Iterable[str] = ()) -> None:
    """Refuse a file that could not be written, or is read, before the work and not after it."""
    import errno

    # The path stays as it was written; pathlib would normalize it.
    folder = os.path.dirname(os.path.realpath(path)) if os.path.islink(path) else None  # noqa: PTH114, PTH120
    folder = folder or os.path.dirname(path) or "."  # noqa: PTH120
    if os.path.isdir(path):  # noqa: PTH112
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise OSError(errno.ENOENT, f"there is no folder {folder}", path)
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)
    # A device is written in place; the others are written beside their place.
    if not (exists and not os.path.isfile(path)) and not os.access(folder, os.W_OK):  # noqa: PTH113
        raise OSError(errno.EACCES, f"no file can be written in {folder}", path)
    for name in inputs:
        if exists and os.path.exists(name) and os.path.samefile(path, name):  # noqa: PTH110, PTH121
            raise OSError(errno.EEXIST, "the output would overwrite an input file", path)
