"""A server on loopback, which does what a test wants to go wrong."""

import gc
import http.server
import sys
import threading
from contextlib import contextmanager


class Server(http.server.ThreadingHTTPServer):
    """Serves one file whatever its path, or several by their paths."""

    def __init__(self, content=None, files=None):
        self.content = content
        self.files = files or {}
        self.etag = '"1"'
        self.modified = None
        self.cut = None
        self.ranges = True
        self.status = None
        self.has_length = True
        self.extra = b""
        self.requests = []
        self.paths = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def url(self):
        return f"{self.base}/some/model"

    def handle_error(self, *where):
        """Say nothing of readers that leave."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*where)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the file, or the part of it that was asked for."""

    def do_GET(self):
        server = self.server
        server.requests.append(dict(self.headers))
        server.paths.append(self.path)
        content, start = server.files.get(self.path, server.content), 0
        if server.status or content is None:
            self.send_error(server.status or 404)
            return
        asked = self.headers.get("Range")
        same = self.headers.get("If-Range") in (server.etag, server.modified)
        if asked and same and server.ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        if server.has_length:
            self.send_header("Content-Length", str(len(content) - start))
        if server.etag:
            self.send_header("ETag", server.etag)
        if server.modified:
            self.send_header("Last-Modified", server.modified)
        self.end_headers()
        end = len(content) if server.cut is None else min(len(content), start + server.cut)
        self.wfile.write(content[start:end] + server.extra)

    def log_message(self, *arguments):
        """Say nothing."""


@contextmanager
def serving(content=None, files=None):
    """Run a server in a thread."""
    with Server(content, files) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            gc.collect()  # What was left open is an error of this test, not of one that follows.
