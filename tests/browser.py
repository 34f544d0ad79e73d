"""The browser for the tests of pages, and texts that are hostile to them."""

import os

import pytest

from campaign.hostile import MARKUP as HOSTILE
from campaign.hostile import SANDBOX, chromium

__all__ = ["HOSTILE", "SANDBOX", "chromium"]

if chromium() is None:
    if os.environ.get("CI"):
        raise RuntimeError("continuous integration tests the report in a browser, and has none")
    pytest.skip("there is no Chromium; make test installs one", allow_module_level=True)
