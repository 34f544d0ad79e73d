"""Models that are downloaded once: the cache folder, the download, the checksum.

The first download of a model is trusted, and its SHA-256 is stored next to it. If the file changes
later, it is refused.
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
_TIMEOUT = 30.0  # Seconds without receiving any data.


def cache_folder() -> Path:
    """Return the folder of models: TRUEBLEU_CACHE, else ``truebleu`` in the user's cache."""
    chosen = os.environ.get("TRUEBLEU_CACHE")
    if chosen:
        return Path(chosen)
    # https://specifications.freedesktop.org/basedir: relative paths must be ignored.
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "truebleu"


def fetched(name: str, url: str, check: Callable[[Path], object]) -> Path:
    """Return the file of a model; download it first if it is not in the cache.

    Parameters
    ----------
    name : str
        The name of the model; the file is ``models/NAME.model`` in the cache folder.
    url : str
        Where to download it, by HTTP or HTTPS.
    check : callable
        A function that raises ModelError if a file is not a model.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        If it cannot be downloaded, is not a model, or differs from the first download.
    """
    path = cache_folder() / "models" / f"{name}.model"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            if not path.exists():
                part = path.with_suffix(".part")
                _download(name, url, part, path)
                _validator_of(part).unlink(missing_ok=True)
                try:
                    check(part)
                    _verify(part, path)
                    part.replace(path)
                finally:
                    part.unlink(missing_ok=True)
            else:
                _verify(path, path)
    except OSError as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path}: {error.strerror or error}") from error
    return path


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock, so that no two processes download the same model at once."""
    with path.with_suffix(".lock").open("wb") as lock:
        try:
            import fcntl
        except ImportError:  # Not on Windows, where simultaneous downloads may break each other.
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


def _verify(file: Path, path: Path) -> None:
    """Compare the checksum of a file with that of the first download, or store it as the first."""
    digest_file = path.with_suffix(".sha256")
    digest = sha256(file)
    try:
        expected = digest_file.read_text("ascii").strip()
    except FileNotFoundError:
        part = path.with_suffix(".sha256.part")
        part.write_text(digest + "\n", "ascii")
        part.replace(digest_file)
        return
    if digest != expected:
        raise ModelError(
            f"{path}: the SHA-256 is {digest}, but that of the first download was {expected}; if "
            f"you trust the new one, delete {digest_file} and try again"
        )


def _download(name: str, url: str, part: Path, path: Path, attempts: int = _ATTEMPTS) -> None:
    """Download to `part`, continuing where an earlier attempt stopped."""
    from http.client import HTTPException

    try:
        _attempt(name, url, part)
    except (OSError, HTTPException) as error:
        status = getattr(error, "code", 0)  # Of an HTTPError; 4xx is final.
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
    received = part.stat().st_size if part.exists() and validator.exists() else 0
    headers = {"User-Agent": "truebleu"}
    if received:
        # Request the rest if the file on the server has not changed, else all of it.
        headers |= {"Range": f"bytes={received}-", "If-Range": validator.read_text("latin-1")}
    try:
        response = urlopen(Request(url, headers=headers), timeout=_TIMEOUT)  # noqa: S310  # Checked.
    except HTTPError as error:
        error.close()
        if error.code == _NO_SUCH_RANGE:
            part.unlink()
        raise
    with response:
        _receive(name, response, part, received if response.status == 206 else 0)


def _receive(name: str, response: HTTPResponse, part: Path, start: int) -> None:
    """Write a response to `part`, from byte `start` on."""
    content_range = response.headers.get("Content-Range", f"bytes {start}-")
    if not content_range.startswith(f"bytes {start}-"):
        raise OSError(f"asked to continue at byte {start}, the server sent {content_range}")
    _store_validator(response, part)
    length = response.headers.get("Content-Length")
    total = start + int(length) if length is not None else None
    done = start
    with part.open("ab" if start else "wb") as file, _progress(name, total) as show:
        while block := response.read(_BLOCK):
            file.write(block)
            done += len(block)
            show(done)
        file.flush()
        os.fsync(file.fileno())
    if total is not None and done != total:
        raise OSError(f"only {done:,} of {total:,} bytes were received")


def _validator_of(part: Path) -> Path:
    """Return the path of the HTTP validator, which changes with the file on the server."""
    return part.with_suffix(".part.validator")


def _store_validator(response: HTTPResponse, part: Path) -> None:
    tag = response.headers.get("ETag", "")
    # A weak tag does not guarantee identical bytes.
    validator = response.headers.get("Last-Modified") if tag[:1] != '"' else tag
    if validator:
        _validator_of(part).write_text(validator, "latin-1")
    else:
        _validator_of(part).unlink(missing_ok=True)


@contextmanager
def _progress(name: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how much has been downloaded."""
    shown = sys.stderr is not None and sys.stderr.isatty()
    of_total = f" of {total / 1e6:.1f}" if total is not None else ""

    def show(done: int) -> None:
        if shown:
            sys.stderr.write(f"\r{name}: {done / 1e6:.1f}{of_total} MB")

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
