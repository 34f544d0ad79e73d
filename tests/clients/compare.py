"""Calls a project's metrics with the originals, then with the drop-ins, and compares."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import with_nltk  # noqa: F401  # Adds to the projects.
import with_sacrebleu  # noqa: F401
from cache import folder_of
from projects import PROJECTS
from truebleu.compat import shim

RUN = Path(__file__).with_name("run.py")


def outcomes(project, *, drop_in):
    """Start a process in which a project makes its calls."""
    folders = [shim(name) for name in project.uses] if drop_in else []
    # Where truebleu is, if it is not installed.
    path = [*folders, os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, str(RUN), project.name, str(folder_of(project))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, path))},
    )


def verdict(theirs, ours):
    """Return "equal" or "different"; exceptions are equal if ours is of the original's class."""
    if "raises" in theirs and "raises" in ours:
        return "equal" if theirs["raises"][0] in ours["raises"] else "different"
    return "equal" if theirs == ours else "different"


def compared(project):
    """Return how many calls have which verdict, and both outcomes of those that are not equal."""
    processes = [outcomes(project, drop_in=drop_in) for drop_in in (False, True)]
    printed = []
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        homes, *calls = (json.loads(line) for line in out.splitlines())
        drop_in = process is processes[1]
        assert all(home.startswith("truebleu.") == drop_in for home in homes.values())
        printed.append(calls)
    theirs, ours = printed
    assert len(theirs) == len(ours)
    verdicts = [verdict(*pair) for pair in zip(theirs, ours, strict=True)]
    found = [
        (kind, *pair)
        for kind, pair in zip(verdicts, zip(theirs, ours, strict=True), strict=True)
        if kind != "equal"
    ]
    return Counter(verdicts), found


if __name__ == "__main__":
    for project in [PROJECTS[name] for name in sys.argv[1:]] or PROJECTS.values():
        try:
            counts, rest = compared(project)
        except AssertionError as error:
            print(project.name, "FAILED", str(error).strip().splitlines()[-1])
            continue
        print(project.name, project.version, dict(counts))
        for kind, theirs, ours in rest:
            print("  ", kind, json.dumps(theirs)[:300], "\n      ", json.dumps(ours)[:300])
