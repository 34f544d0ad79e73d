"""A small part of the campaign that runs commands under bad conditions."""

import sys

import pytest

from campaign import conditions

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="mounts a file system, and needs a terminal"
    ),
]


@pytest.mark.parametrize("condition", conditions.CONDITIONS)
def test_it_holds(condition, tmp_path, monkeypatch):
    """A command that prints and one that writes a file do as under good conditions, or say why."""
    monkeypatch.setattr(conditions, "MOMENTS", 4)
    conditions.prepare(tmp_path, times=3)
    for command in ("score", "report"):
        found = conditions.CONDITIONS[condition](tmp_path, conditions.COMMANDS[command])
        assert found == conditions.HOLDS or found.startswith("not run"), command


def test_places():
    """A function gives the same in threads, and in forked and spawned processes."""
    found = conditions.of_function("corpus, chrF++")
    assert found == dict.fromkeys(conditions.PLACES, conditions.HOLDS)


def test_what_does_not_hold_is_found(tmp_path):
    """A command that fails, or prints other things each time, does not hold."""
    odd = ["score", "none", "-r", "none"]
    for check in (conditions.closed_pipe, conditions.full_disk, conditions.locales):
        assert check(tmp_path, odd) not in (conditions.HOLDS, "not run: no disk can be mounted")
