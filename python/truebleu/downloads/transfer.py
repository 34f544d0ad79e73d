"""Copying a file from a server or a folder: bounded, with progress."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager

from truebleu.display.text import visible
from truebleu.downloads.digests import BLOCK
from truebleu.downloads.places import INSECURE, is_safe, is_url, too_large
from truebleu.errors import DownloadError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse
    from pathlib import Path
    from typing import Any
    from urllib.request import OpenerDirector, Request

_ATTEMPTS = 3
# What no other source could change.
_DISK = {getattr(errno, name, None) for name in ("EDQUOT", "EFBIG", "ENOSPC", "EROFS")} - {None}
_TIMEOUT = 30.0  # Seconds without receiving any data.


class Deadline:
    """The end of the time for one file, with all attempts and all servers."""

    __slots__ = ("_end", "_seconds")

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left, or raise DownloadError."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise DownloadError(
                f"it took more than {self._seconds:,} seconds; the environment variable "
                "TRUEBLEU_MAX_SECONDS allows more"
            )
        return left


def copy_to(part: Path, source: str, name: str, limit: int, deadline: Deadline) -> None:
    """Copy a file of at most `limit` bytes from a URL or a path; messages call it `name`."""
    from http.client import HTTPException

    for left in reversed(range(_ATTEMPTS)):
        try:
            _copy_once(part, source, name, limit, deadline)
            break
        except DownloadError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            # ValueError: an address, of a redirection too, that is none.
            if getattr(error, "errno", None) in _DISK:
                raise
            status = getattr(error, "code", 0)  # Of an HTTPError; 4xx is final.
            if left and not 400 <= status < 500:
                deadline.left()
                continue
            reason = error if status else getattr(error, "reason", None) or error
            raise DownloadError(str(reason)) from error
    if not part.stat().st_size:
        # Such as HTTP status 204, or what was never written to the folder of a mirror.
        raise DownloadError("nothing was received; a file that is not empty is needed")


def _copy_once(part: Path, source: str, name: str, limit: int, deadline: Deadline) -> None:
    if not is_url(source):
        with open(source, "rb") as file:
            _store(part, file, name, os.fstat(file.fileno()).st_size, limit, deadline)
        return
    with _answer(source, deadline) as response:
        # None if it is not a number, or the server sends chunks, whatever else it says.
        total: int | None = getattr(response, "length", None)
        done = _store(part, response, name, total, limit, deadline)
    if total is not None and done != total:
        raise OSError(f"only {done:,} of {total:,} bytes were received")


def _answer(url: str, deadline: Deadline) -> HTTPResponse:
    """Return the answer of a server, of which the headers have been received."""
    from urllib.error import HTTPError
    from urllib.request import Request

    request = Request(url, headers={"User-Agent": "truebleu"})  # noqa: S310  # is_url.
    try:
        answer: HTTPResponse = _opener().open(request, timeout=min(_TIMEOUT, deadline.left()))
    except HTTPError as error:
        error.close()
        raise
    return answer


def _opener() -> OpenerDirector:
    """Return what opens addresses, and heeds the proxies that the environment names."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class Redirections(HTTPRedirectHandler):
        """Redirections, but none from https to anything else."""

        def http_error_302(
            self, req: Request, fp: Any, code: int, msg: str, headers: Any
        ) -> HTTPResponse | None:
            """Follow a redirection, without what it has to say, which may never end."""
            fp.close()
            return super().http_error_302(req, fp, code, msg, headers)

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

        def redirect_request(
            self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
        ) -> Request | None:
            """Return the request that follows, unless it would go to a less safe place."""
            if not is_url(newurl):
                raise DownloadError(f"the server redirects to {newurl}; https is needed")
            if is_safe(req.full_url) and not is_safe(newurl):
                raise DownloadError(f"the server redirects to {newurl}; {INSECURE}")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(Redirections)


def _store(
    part: Path, source: Any, name: str, total: int | None, limit: int, deadline: Deadline
) -> int:
    """Write a binary file to `part`; return its length."""
    done = 0
    part.unlink(missing_ok=True)
    # What is new is no link to another file.
    with part.open("xb") as file, _progress(name, total) as show:
        # read1 returns what there is, so that the time is checked however slowly it arrives. In
        # older versions of Python, it does not stop at the announced length.
        while max(total or 0, done) <= limit and (
            block := source.read1(BLOCK if total is None else min(BLOCK, total - done))
        ):
            file.write(block)
            done += len(block)
            show(done)
            deadline.left()
        file.flush()
        os.fsync(file.fileno())
    if max(total or 0, done) > limit:
        raise too_large(name, limit)
    return done


@contextmanager
def _progress(name: str, total: int | None) -> Iterator[Callable[[int], None]]:
    shown = sys.stderr is not None and sys.stderr.isatty()
    label = visible(name)
    of_total = f" of {total / 1e6:.1f}" if total is not None else ""

    def show(done: int) -> None:
        if shown:
            sys.stderr.write(f"\r{label}: {done / 1e6:.1f}{of_total} MB")

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
