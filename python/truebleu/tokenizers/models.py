"""Models that are fetched once and kept: a cache folder, a download, a checksum.

The first download of a model is trusted, and its SHA-256 is stored beside it. A file that later
differs from it is refused, whoever changed it.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path

from truebleu.errors import ModelError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse

_BLOCK = 1 << 16
_ATTEMPTS = 3
_NO_SUCH_RANGE = 416
_TIMEOUT = 30.0  # Seconds without a byte.


def cache_folder() -> Path:
    """Return where models are kept: TRUEBLEU_CACHE, else ``truebleu`` in the user's cache."""
    own = os.environ.get("TRUEBLEU_CACHE")
    if own:
        return Path(own)
    # https://specifications.freedesktop.org/basedir: a relative path is to be ignored.
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "truebleu"


def fetched(name: str, url: str, check: Callable[[Path], object]) -> Path:
    """Return the file of a model, after a download if it is not there yet.

    Parameters
    ----------
    name : str
        Of the model; the file is ``models/NAME.model`` in the cache folder.
    url : str
        HTTP or HTTPS.
    check : callable
        Raises ModelError if the file is no such model.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        If it cannot be downloaded, is no model, or is not the one that was there before.
    """
    path = cache_folder() / "models" / f"{name}.model"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _only_one(path):
            if not path.exists():
                part = path.with_suffix(".part")
                _download(name, url, part, path)
                _validator_of(part).unlink(missing_ok=True)
                try:
                    check(part)
                    _compare(part, path)
                    part.replace(path)
                finally:
                    part.unlink(missing_ok=True)
            else:
                _compare(path, path)
    except OSError as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path}: {error.strerror or error}") from error
    return path


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Let other processes wait that want the same model."""
    with path.with_suffix(".lock").open("wb") as lock:
        try:
            import fcntl
        except ImportError:  # Not on this system: two downloads at once may then spoil each other.
            pass
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _compare(file: Path, path: Path) -> None:
    """Compare a file with what was there before; the first one is remembered."""
    known = path.with_suffix(".sha256")
    found = sha256(file)
    try:
        stored = known.read_text("ascii").strip()
    except FileNotFoundError:
        new = path.with_suffix(".sha256.part")
        new.write_text(found + "\n", "ascii")
        new.replace(known)
        return
    if stored != found:
        raise ModelError(
            f"{path}: the SHA-256 is {found}, but that of the first download was {stored}; if "
            f"you trust the new one, delete {known} and try again"
        )


def _download(name: str, url: str, part: Path, path: Path, attempts: int = _ATTEMPTS) -> None:
    """Download to `part`, going on where an earlier attempt has stopped."""
    from http.client import HTTPException

    try:
        _attempt(name, url, part)
    except (OSError, HTTPException) as error:
        status = getattr(error, "code", 0)  # Of an HTTPError; 4xx will not change.
        if attempts > 1 and (status == _NO_SUCH_RANGE or not 400 <= status < 500):
            _download(name, url, part, path, attempts - 1)
            return
        reason = getattr(error, "reason", None) or error
        raise ModelError(
            f"{name} cannot be downloaded ({reason}); download {url} where there is a network, "
            f"and put the file at {path}"
        ) from error


def _attempt(name: str, url: str, part: Path) -> None:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    if not url.startswith(("http://", "https://")):
        raise OSError(f"{url} is neither http nor https")
    validator = _validator_of(part)
    begun = part.stat().st_size if part.exists() and validator.exists() else 0
    headers = {"User-Agent": "truebleu"}
    if begun:
        # The rest, if the file is still the same; else all of it.
        headers |= {"Range": f"bytes={begun}-", "If-Range": validator.read_text("latin-1")}
    try:
        response = urlopen(Request(url, headers=headers), timeout=_TIMEOUT)  # noqa: S310  # Checked.
    except HTTPError as error:
        error.close()
        if error.code == _NO_SUCH_RANGE:
            part.unlink()
        raise
    with response:
        _receive(name, response, part, begun if response.status == 206 else 0)


def _receive(name: str, response: HTTPResponse, part: Path, begun: int) -> None:
    start = response.headers.get("Content-Range", f"bytes {begun}-")
    if not start.startswith(f"bytes {begun}-"):
        raise OSError(f"asked to go on at byte {begun}, the server answered {start}")
    _remember_validator(response, part)
    length = response.headers.get("Content-Length")
    total = begun + int(length) if length is not None else None
    done = begun
    with part.open("ab" if begun else "wb") as file, _progress(name, total) as show:
        while block := response.read(_BLOCK):
            file.write(block)
            done += len(block)
            show(done)
        file.flush()
        os.fsync(file.fileno())
    if total is not None and done != total:
        raise OSError(f"only {done:,} of {total:,} bytes came")


def _validator_of(part: Path) -> Path:
    """Name the file with what tells whether the file on the server is still the same."""
    return part.with_suffix(".part.validator")


def _remember_validator(response: HTTPResponse, part: Path) -> None:
    tag = response.headers.get("ETag", "")
    # A weak tag does not promise equal bytes.
    validator = response.headers.get("Last-Modified") if tag[:1] != '"' else tag
    if validator:
        _validator_of(part).write_text(validator, "latin-1")
    else:
        _validator_of(part).unlink(missing_ok=True)


@contextmanager
def _progress(name: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how much of it has come."""
    shown = sys.stderr is not None and sys.stderr.isatty()
    of_all = f" of {total / 1e6:.1f}" if total is not None else ""

    def show(done: int) -> None:
        if shown:
            sys.stderr.write(f"\r{name}: {done / 1e6:.1f}{of_all} MB")

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
