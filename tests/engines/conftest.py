"""What the tests of engines share."""

import entries
import pytest


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    """Let entries write their files in the folder of the test."""
    entries.PLACE["folder"] = tmp_path


@pytest.fixture
def start(request):
    """Start the cluster that an entry needs."""

    def start(entry):
        for name in ("spark", "ray"):
            if entry in entries.ENTRIES[name]:
                request.getfixturevalue(name)

    return start
