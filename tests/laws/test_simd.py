"""The result does not depend on what the processor can do."""

import os
import subprocess
import sys

import pytest
from project import EXAMPLES
from truebleu import _core

LEVELS = ("baseline", "avx2", "avx512")

SCRIPT = """
import pathlib, sys
import truebleu
from truebleu._core import SIMD
folder = pathlib.Path(sys.argv[1])
names = ("system-strong.en", "reference-a.en")
hypotheses, references = ((folder / name).read_text("utf-8").splitlines() for name in names)
accented = [text.replace("e", "é") for text in hypotheses]
wide = [text.replace("a", "ж").replace(" ", " „") for text in hypotheses]
rows = [SIMD]
names = sorted(truebleu._core.TOKENIZERS)
metrics = [truebleu.Bleu(tokenizer=tokenizer, max_order=6) for tokenizer in names]
metrics += [truebleu.Chrf(word_order=2), truebleu.Chrf(whitespace=True, lowercase=True)]
metrics += [truebleu.Ter(), truebleu.Ter(normalized=True, asian_support=True)]
for metric in metrics:
    for texts in (hypotheses, accented, wide):
        for longer in (texts, [" ".join(texts[:3])] * len(texts), [" ".join(texts[:12])] * 72):
            stats = metric.stats(longer, references)
            rows.append(hash(stats.to_bytes()))
print(*rows)
"""


def run(level):
    """Run the script with TRUEBLEU_SIMD set to a level."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(EXAMPLES)],
        env={**os.environ, "TRUEBLEU_SIMD": level, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.fixture(scope="module")
def highest():
    """Return what is printed with all that the processor can do."""
    return run("").stdout.split()


def test_the_level_is_the_highest(highest):
    """Unless the variable says otherwise."""
    assert highest[0] in LEVELS
    assert os.environ.get("TRUEBLEU_SIMD") or highest[0] == _core.SIMD
    assert len(set(highest)) > 50


@pytest.mark.parametrize("level", LEVELS)
def test_rows_do_not_depend_on_the_level(highest, level):
    """All metrics and tokenizers, short and long texts, ASCII, Latin-1 and others."""
    found, *rows = run(level).stdout.split()
    assert LEVELS.index(found) == min(LEVELS.index(level), LEVELS.index(highest[0]))
    assert rows == highest[1:]


def test_an_unknown_level_is_ignored(highest):
    """With a warning that says what there is."""
    finished = run("avx3")
    assert finished.stdout.split() == highest
    message = 'unknown TRUEBLEU_SIMD "avx3" is ignored: choose one of baseline, avx2, avx512'
    assert message in finished.stderr
