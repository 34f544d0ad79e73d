"""Redirections of servers: which are followed."""

from __future__ import annotations

from urllib.request import HTTPRedirectHandler, build_opener

from truebleu.downloads.addresses import INSECURE, is_safe, is_url
from truebleu.errors import DownloadError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any
    from urllib.request import OpenerDirector, Request


class _Redirections(HTTPRedirectHandler):
    """Redirections, but none from https to anything else."""

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
            fp.close()
            raise DownloadError(f"the server redirects to {newurl}; https is needed")
        if is_safe(req.full_url) and not is_safe(newurl):
            fp.close()
            raise DownloadError(f"the server redirects to {newurl}; {INSECURE}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def opener() -> OpenerDirector:
    """Return what opens addresses, and heeds the proxies that the environment names."""
    return build_opener(_Redirections)
