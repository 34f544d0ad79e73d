"""Calls a project's metrics with the originals, then with these accelerated, and compares."""

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import with_evaluate  # noqa: F401  # Adds to the projects.
import with_nltk  # noqa: F401
import with_sacrebleu  # noqa: F401
import with_torchmetrics  # noqa: F401
from cache import folder_of
from projects import PROJECTS

RUN = Path(__file__).with_name("run.py")


def outcomes(project, *, accelerated):
    """Start a process in which a project makes its calls."""
    options = ["--accelerated"] * accelerated
    return subprocess.Popen(
        [sys.executable, str(RUN), project.name, str(folder_of(project)), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Else sets are printed in another order in each process.
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )


def verdict(theirs, ours):
    """Return "equal" or "different"."""
    return "equal" if theirs == ours else "different"


def has_originals(project):
    """Return whether what a project scores with is installed, with evaluate's scripts."""
    scripts = "evaluate" not in project.uses or "TRUEBLEU_EVALUATE" in os.environ
    return scripts and all(map(find_spec, project.uses))


def both(project):
    """Return the outcomes with the originals, and accelerated.

    The third are the numbers of calls that the core has counted, and that originals have.
    """
    processes = [outcomes(project, accelerated=each) for each in (False, True)]
    printed = []
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        *calls, asked = (json.loads(line) for line in out.splitlines())
        printed.append(calls)
    return *printed, asked


def counted(theirs, ours):
    """Return how many calls have which verdict, and both outcomes of those that are not equal."""
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
            *outcomes_of_both, asked = both(project)
            counts, rest = counted(*outcomes_of_both)
        except AssertionError as error:
            print(project.name, "FAILED", str(error).strip().splitlines()[-1])
            continue
        print(project.name, project.version, dict(counts), asked)
        for kind, theirs, ours in rest:
            print("  ", kind, json.dumps(theirs)[:300], "\n      ", json.dumps(ours)[:300])
