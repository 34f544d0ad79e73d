"""Redirections of servers: which are followed."""

from __future__ import annotations

from urllib.request import HTTPRedirectHandler, build_opener

from truebleu.downloads.addresses import INSECURE, is_safe, is_url
from truebleu.errors import DownloadError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPResponse
    from typing import Any
    from urllib.request import OpenerDirector, Request


class _Redirections(HTTPRedirectHandler):
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
        """Return the request that follows.

        Raises
        ------
        DownloadError
            If it would go to a less safe place.
        """
        if not is_url(newurl):
            raise DownloadError(f"the server redirects to {newurl}; https is needed")
        if is_safe(req.full_url) and not is_safe(newurl):
            raise DownloadError(f"the server redirects to {newurl}; {INSECURE}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def opener() -> OpenerDirector:
    """Return what opens addresses, and heeds the proxies that the environment names."""
    return build_opener(_Redirections)
