"""A small part of the campaign that compares random cases with sacreBLEU."""

import subprocess
import sys

import pytest
from strategies import NEWER_PYTHON

from campaign import differences, interrupts

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.skipif(NEWER_PYTHON, reason="Python's tables of Unicode are newer than the core's"),
]


@pytest.mark.parametrize(("metric", "parts"), [("bleu", 10), ("chrf", 10), ("ter", 1)])
def test_no_difference(metric, parts, monkeypatch):
    """Rows are equal in the first parts of another seed."""
    monkeypatch.setattr(differences, "SIZE", 5 if metric == "ter" else 50)
    assert [differences.compare_part((metric, part, 7)) for part in range(parts)] == [None] * parts


@pytest.mark.parametrize("metric", differences.COMPARISONS)
def test_a_difference_is_shown(metric, monkeypatch):
    """With the part, the settings and the case, to see it again."""
    comparison = differences.COMPARISONS[metric]

    def scored(*case):
        rows, expected, *scores = comparison.rows(*case)
        return [*rows[:-1], [5] * len(rows[-1])], expected, *scores

    monkeypatch.setattr(differences, "SIZE", 2)
    monkeypatch.setitem(differences.COMPARISONS, metric, comparison._replace(rows=scored))
    found = differences.compare_part((metric, 3, 1))
    assert (found.metric, found.part) == (metric, 3)
    assert found.found == [5] * len(found.expected)
    assert f"{metric} differs in part 3" in str(found)
    assert "settings: {" in str(found)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c():
    """A call in another process is stopped, and the time until then measured."""
    assert interrupts.seconds_until_stopped("mbr", 0.2) > 0


def test_the_command():
    """It counts the cases, and refuses what it does not know."""
    command = [sys.executable, "-m", "campaign.differences", "--jobs", "1"]
    done = subprocess.run([*command, "bleu=60"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bleu: 100 cases in parts 0 to 1, seed 1: no difference")
    done = subprocess.run([*command, "rouge=60"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "one of bleu, chrf, ter and a number of cases is needed" in done.stderr
