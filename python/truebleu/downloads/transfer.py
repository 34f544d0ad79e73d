"""Copying a file from a server or a folder: resumed, bounded, with progress."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager, suppress

from truebleu.display.text import visible
from truebleu.downloads.digests import BLOCK, beside
from truebleu.downloads.places import INSECURE, is_safe, is_url, too_large
from truebleu.errors import DownloadError
from truebleu.writing import write_whole

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
_NO_SUCH_RANGE = 416
_TIMEOUT = 30.0  # Seconds without receiving any data.
# A server that sends a byte now and then would never run into the timeout: its headers have to
# arrive within this many seconds, and in each such period so many bytes per second.
_PERIOD = 60.0
_LEAST_SPEED = 1_000


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
                f"it took more than {self._seconds:,} seconds; what has been received is kept, so "
                "that the next attempt continues; the environment variable TRUEBLEU_MAX_SECONDS "
                "allows more"
            )
        return left


def copy_to(part: Path, source: str, name: str, limit: int, deadline: Deadline) -> None:
    """Copy a file from a URL or a path, continuing where an earlier attempt stopped.

    If a server breaks off, what is missing of `part` can be copied later. Progress and messages
    call the file `name`; it may have `limit` bytes.
    """
    from http.client import HTTPException

    for left in reversed(range(_ATTEMPTS)):
        try:
            if is_url(source):
                _request(part, source, name, limit, deadline)
            else:
                with open(source, "rb") as file:
                    discard(part)  # Its validator is that of a server.
                    total = os.fstat(file.fileno()).st_size
                    _store(part, 0, file, name, total, limit, deadline)
            break
        except DownloadError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            # ValueError: an address, of a redirection too, that is none.
            if getattr(error, "errno", None) in _DISK:
                raise
            status = getattr(error, "code", 0)  # Of an HTTPError; 4xx is final.
            if left and (status == _NO_SUCH_RANGE or not 400 <= status < 500):
                deadline.left()
                continue
            reason = error if status else getattr(error, "reason", None) or error
            raise DownloadError(str(reason)) from error
    if not part.stat().st_size:
        # Such as HTTP status 204, or what was never written to the folder of a mirror.
        discard(part)
        raise DownloadError("nothing was received; a file that is not empty is needed")
    validator_of(part).unlink(missing_ok=True)


def _request(part: Path, url: str, name: str, limit: int, deadline: Deadline) -> None:
    from urllib.error import HTTPError
    from urllib.request import Request

    validator, _, origin = _read_validator(part).partition("\n")
    # What another server has sent need not be the beginning of what this one has.
    resumable = validator and origin in ("", url) and part.is_file() and not part.is_symlink()
    received = part.stat().st_size if resumable else 0
    headers = {"User-Agent": "truebleu"}
    if received:
        # Request the rest if the file on the server has not changed, else all of it.
        headers |= {"Range": f"bytes={received}-", "If-Range": validator}
    try:
        response = _answer(Request(url, headers=headers), deadline)  # noqa: S310  # is_url.
    except HTTPError as error:
        error.close()
        if error.code == _NO_SUCH_RANGE:
            part.unlink(missing_ok=True)
        raise
    with response, _ended_at(deadline, response):
        start = received if response.status == 206 else 0
        found = _validator(response)
        if not start:
            discard(part)
            if found:
                write_whole(validator_of(part), f"{found}\n{url}".encode("latin-1"))
        elif found not in ("", validator):
            discard(part)
            raise OSError("the file on the server has changed")
        _receive(response, part, start, name, limit, deadline)


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


def _answer(request: Request, deadline: Deadline) -> HTTPResponse:
    """Return the answer to a request, of which the headers have been received.

    It raises what urlopen raises, TimeoutError if the headers take too long, and DownloadError if
    there is no time left, or it is redirected to a less safe place.
    """
    from queue import Empty, SimpleQueue
    from threading import Event, Thread

    opener = _opener()
    answers: SimpleQueue[HTTPResponse | Exception] = SimpleQueue()
    left_behind = Event()

    def ask() -> None:
        try:
            answers.put(opener.open(request, timeout=_TIMEOUT))
        except Exception as error:  # Raised again below.
            answers.put(error)
        if left_behind.is_set():
            close_late_answer()

    def close_late_answer() -> None:
        with suppress(Empty):
            late = answers.get_nowait()
            if hasattr(late, "close"):  # An HTTPError has a connection, too.
                late.close()

    # No timeout of Python's covers all headers; a thread that waits for them can be left behind.
    Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=min(_PERIOD, deadline.left()))
    except BaseException as error:
        left_behind.set()
        close_late_answer()
        if not isinstance(error, Empty):
            raise
        deadline.left()
        raise TimeoutError(f"the server has not answered within {_PERIOD:g} seconds") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


@contextmanager
def _ended_at(deadline: Deadline, response: HTTPResponse) -> Iterator[None]:
    """End a connection in time: a single read may last, such as that of endless trailers."""
    import socket
    from threading import TIMEOUT_MAX, Timer

    # The family does not matter to shutdown.
    with socket.fromfd(response.fileno(), socket.AF_INET, socket.SOCK_STREAM) as connection:

        def end() -> None:
            with suppress(OSError):  # The server has gone.
                connection.shutdown(socket.SHUT_RDWR)

        timer = Timer(min(deadline.left(), TIMEOUT_MAX), end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _receive(
    response: HTTPResponse, part: Path, start: int, name: str, limit: int, deadline: Deadline
) -> None:
    content_range = response.headers.get("Content-Range", f"bytes {start}-")
    if not content_range.startswith(f"bytes {start}-"):
        raise OSError(f"asked to continue at byte {start}, the server sent {content_range}")
    # None if it is not a number, or the server sends chunks, whatever else it says.
    length: int | None = getattr(response, "length", None)
    total = None if length is None else start + length
    # A server may send less than the rest of the file, and be asked again.
    whole = content_range.partition("/")[2]
    # Python reads no number of thousands of digits.
    if whole.isascii() and whole.isdecimal() and len(whole) < 20:
        total = int(whole)
    done = _store(part, start, response, name, total, limit, deadline)
    if total is not None and done != total:
        raise OSError(f"only {done:,} of {total:,} bytes were received")


def _store(
    part: Path,
    start: int,
    source: Any,
    name: str,
    total: int | None,
    limit: int,
    deadline: Deadline,
) -> int:
    """Write what a binary file has left to `part`, from byte `start` on; return its length."""
    done = start
    check_speed = _least_speed(done)
    if not start:
        part.unlink(missing_ok=True)
    # What is new is no link to another file.
    with part.open("ab" if start else "xb") as file, _progress(name, total) as show:
        # read1 returns what there is, so that the speed is checked however slowly it arrives. In
        # older versions of Python, it does not stop at the announced length.
        while max(total or 0, done) <= limit and (
            block := source.read1(BLOCK if total is None else min(BLOCK, total - done))
        ):
            file.write(block)
            done += len(block)
            show(done)
            check_speed(done)
            deadline.left()
        deadline.left()  # The end may be that of the connection, closed because of it.
        file.flush()
        os.fsync(file.fileno())
    if max(total or 0, done) > limit:
        discard(part)
        raise too_large(name, limit)
    return done


def _least_speed(done: int) -> Callable[[int], None]:
    """Return a function that is told how many bytes there are, and raises if that is too slow."""
    since, before = time.monotonic(), done

    def check(done: int) -> None:
        nonlocal since, before
        seconds = time.monotonic() - since
        if seconds >= _PERIOD:
            if done - before < _LEAST_SPEED * seconds:
                raise TimeoutError(
                    f"only {done - before:,} bytes were received in {seconds:.0f} seconds; at "
                    f"least {_LEAST_SPEED:,} per second are needed"
                )
            since, before = since + seconds, done

    return check


def discard(part: Path) -> None:
    """Delete a part, so that nothing is resumed."""
    part.unlink(missing_ok=True)
    validator_of(part).unlink(missing_ok=True)


def validator_of(part: Path) -> Path:
    """Return the path of the HTTP validator, which changes with the file on the server."""
    return beside(part, ".validator")


def _read_validator(part: Path) -> str:
    try:
        text = validator_of(part).read_text("latin-1")
    except OSError:
        return ""
    # What is damaged cannot be in a header, and then nothing is resumed.
    return text if text.replace("\n", "", 1).isprintable() and text.isascii() else ""


def _validator(response: HTTPResponse) -> str:
    tag = response.headers.get("ETag", "")
    # A weak tag does not guarantee identical bytes.
    return tag if tag[:1] == '"' else response.headers.get("Last-Modified", "")


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
