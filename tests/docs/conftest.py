"""The site of the documentation, in a browser."""

import functools
import http.server
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from project import ROOT


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder."""

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the site that ``make site`` has built, or build it."""
    if built := os.environ.get("TRUEBLEU_SITE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    command = ["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
    command += ["-c", "site", "-d", str(folder / "trees"), "docs", str(folder / "html")]
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def address(site):
    """Serve the site; return its address."""
    handler = functools.partial(Quiet, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    """Start Chromium."""
    from browser import SANDBOX, chromium
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SANDBOX)
        yield browser
        browser.close()
