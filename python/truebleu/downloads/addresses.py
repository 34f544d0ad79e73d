"""Addresses of files on servers, and which of them are safe."""

from __future__ import annotations

from urllib.parse import urlsplit

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
    return host in ("localhost", "::1") or host.startswith("127.")
