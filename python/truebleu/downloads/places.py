"""Folders of downloaded files, safe addresses, and the environment variables for downloads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from truebleu.errors import DownloadError, SettingsError

_MAX_BYTES = 4_000_000_000
# Of a test set: 100 kB of .gz may be this many, and each takes time, even if it is empty.
_MAX_LINES = 10_000_000
# Enough for so many bytes at 2 Mbit/s.
_MAX_SECONDS = 16_000


def cache_folder() -> Path:
    """Return the cache folder: TRUEBLEU_CACHE, else ``truebleu`` in the user's cache."""
    chosen = os.environ.get("TRUEBLEU_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    folder = user_cache_path("truebleu", appauthor=False)
    # https://specifications.freedesktop.org/basedir: a relative XDG_CACHE_HOME must be ignored,
    # which older versions of platformdirs do not do.
    return folder if folder.is_absolute() else Path.home() / ".cache" / "truebleu"


def sacrebleu_folder() -> Path:
    """Return the folder of sacreBLEU's downloads: SACREBLEU, else ``.sacrebleu`` at home."""
    chosen = os.environ.get("SACREBLEU")
    return Path(chosen) if chosen else Path.home() / ".sacrebleu"


def is_offline(offline: bool | None = None) -> bool:
    """Return whether nothing may be downloaded: `offline`, else whether TRUEBLEU_OFFLINE is set."""
    if offline is not None:
        return offline
    return os.environ.get("TRUEBLEU_OFFLINE", "") not in ("", "0")


def requires_checksum() -> bool:
    """Return whether files without a known checksum are refused: TRUEBLEU_REQUIRE_CHECKSUM."""
    return os.environ.get("TRUEBLEU_REQUIRE_CHECKSUM", "") not in ("", "0")


def second_limit() -> int:
    """Return how many seconds the download of a file may take: TRUEBLEU_MAX_SECONDS."""
    return _limit("TRUEBLEU_MAX_SECONDS", _MAX_SECONDS, "seconds")


def byte_limit() -> int:
    """Return how large a file that is downloaded or unpacked may be: TRUEBLEU_MAX_BYTES."""
    return _limit("TRUEBLEU_MAX_BYTES", _MAX_BYTES, "bytes")


def line_limit() -> int:
    """Return how many lines or rows a file of a test set may have: TRUEBLEU_MAX_LINES."""
    return _limit("TRUEBLEU_MAX_LINES", _MAX_LINES, "lines")


def _limit(variable: str, default: int, unit: str) -> int:
    chosen = os.environ.get(variable) or str(default)
    # Python refuses to read thousands of digits.
    if not chosen.isdecimal() or len(chosen) > 30:
        raise SettingsError(
            f"{variable} is {chosen!r}; a number of {unit} is needed, such as {default}"
        )
    return int(chosen)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Let an OSError be a DownloadError that names the file, by default `path`."""
    try:
        yield
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(f"{error.filename or path}: {error.strerror or error}") from error


def too_large(name: str, limit: int, unit: str = "bytes") -> DownloadError:
    """Say that a file is larger than `limit`, and how to raise that."""
    variable = "TRUEBLEU_MAX_BYTES" if unit == "bytes" else "TRUEBLEU_MAX_LINES"
    return DownloadError(
        f"{name} has more than {limit:,} {unit}; if that is what you expect, set the environment "
        f"variable {variable} to a larger number"
    )


INSECURE = (
    "anyone on the way could replace a file that comes by http and has no published checksum; "
    "https is needed, or a mirror that you trust, named by TRUEBLEU_MIRROR"
)


def is_url(source: str) -> bool:
    """Whether a source is on a server, not in a folder."""
    return source.startswith(("http://", "https://"))


def is_safe(url: str) -> bool:
    """Whether nobody on the way to a server can change what it sends."""
    if url.startswith("https://"):
        return True
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return True  # It cannot be asked at all.
    # A name may be that of any machine, whatever it begins with.
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
