"""A small part of the campaign that forges statistics, files of them, and signatures."""

import pytest

from campaign import forged

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")


@pytest.mark.parametrize("kind", forged.KINDS)
def test_read_or_refused(kind):
    """Each case of another seed is one or the other, and some are read."""
    cases = 1000 if kind == "files" else 2000
    assert 0 < forged.run(kind, 0, cases, 7) < cases


def test_a_fault_is_shown(monkeypatch):
    """With the number of the case, to see it again."""

    def fail(_):
        raise KeyError("x")

    monkeypatch.setitem(forged.KINDS, "signatures", fail)
    with pytest.raises(AssertionError, match="case 5 of signatures, seed 1"):
        forged.run("signatures", 5, 1, 1)
