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
        self.cut = None
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
    """Answers with the file, as far as it is not cut off."""

    def do_GET(self):
        server = self.server
        server.requests.append(dict(self.headers))
        server.paths.append(self.path)
        content = server.files.get(self.path, server.content)
        if server.status or content is None:
            self.send_error(server.status or 404)
            return
        self.send_response(200)
        if server.has_length:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: server.cut] + server.extra)

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
