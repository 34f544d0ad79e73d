"""Programs that use torchmetrics or evaluate, accelerated."""

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchmetrics")
sys.path.append(str(Path(__file__).parents[1] / "clients"))
from projects import PROJECTS  # noqa: E402
from test_clients import check  # noqa: E402


@pytest.mark.parametrize(
    "name", [name for name in PROJECTS if PROJECTS[name].uses[0] in {"evaluate", "torchmetrics"}]
)
def test_client(name):
    """Programs that score with evaluate or torchmetrics do the same accelerated."""
    check(PROJECTS[name])
