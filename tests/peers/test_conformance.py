"""What torchmetrics answers to the conformance kit; `make peers` installs torch."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
ADAPTERS = Path(__file__).resolve().parent.parent.parent / "examples" / "adapters"


def test_torchmetrics():
    """It keeps the protocol, and its BLEU is wrong only where the page says so."""
    command = [sys.executable, "-m", "truebleu", "check", "of_torchmetrics:answer", "-f", "json"]
    command += ["--level", "core", "edge", "-m", "bleu"]
    done = subprocess.run(command, cwd=ADAPTERS, capture_output=True, check=False, timeout=900)
    verdict = json.loads(done.stdout)
    assert verdict["violations"] == []
    assert verdict["answered"] > 80
    wrong = {name for name, grade in verdict["cases"].items() if grade == "wrong"}
    assert wrong == {"bleu/closest-tie-longer-first"}
