"""The browser for the tests of pages, and texts that are hostile to them."""

import os
import shutil

import pytest

HOSTILE = [
    "<script>window.hacked = 1</script> and </script><script>window.hacked = 2</script>",
    '<img src=x onerror="window.hacked = 3"> <svg onload=alert(4)> &amp; <!-- ',
    "{{ 7 * 7 }} {% raw %} ${7 * 7} `x` \\u0041 %s",
    "right \u202eto left\u202c and \u2067isolated\u2069 \u200fmark zero\u200bwidth \x07 bell",
    "a\ttab, a line\nfeed, a lone \ud800 surrogate, \x00 nothing",
    "javascript:window.hacked=5 ]]> --> ' \" onmouseover='window.hacked=6'",
]


def chromium():
    """Find a browser."""
    # What needs no window needs half of the processor.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("TRUEBLEU_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


if chromium() is None:
    if os.environ.get("CI"):
        raise RuntimeError("continuous integration tests the report in a browser, and has none")
    pytest.skip("there is no Chromium; make test installs one", allow_module_level=True)


SANDBOX = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
