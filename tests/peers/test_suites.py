"""torchmetrics' own tests pass when truebleu counts for it, unmodified.

`make peers` runs this with a copy of its repository.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("torchmetrics")
if "TRUEBLEU_TORCHMETRICS" not in os.environ:
    pytest.skip("TRUEBLEU_TORCHMETRICS names no copy of its tests", allow_module_level=True)
sys.path.append(str(Path(__file__).parents[1] / "compat"))
from test_compat_suites import passed


@pytest.mark.parametrize(
    ("name", "function", "least", "number"),
    [
        ("bleu", "_row_of_bleu", 43, 18),
        ("sacre_bleu", "_row_of_bleu", 121, 47),
        ("chrf", "_pairs", 50, 22),
        ("ter", "_edits", 123, 24),
    ],
)
def test_of_torchmetrics(name, function, least, number, tmp_path):
    """All of a metric that neither download a model nor start processes."""
    shutil.copytree(Path(os.environ["TRUEBLEU_TORCHMETRICS"], "unittests"), tmp_path / "unittests")
    without = "-k", "not flores", "-m", "not DDP"
    file = f"unittests/text/test_{name}.py"
    assert passed(tmp_path, "torchmetrics", function, least, file, *without) == number
