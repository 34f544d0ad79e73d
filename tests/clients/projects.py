"""Public programs, and how each calls its own metrics.

Nothing of their code is here. A function imports a program's module and, for a corpus, yields what
to call: a function of the program, with arguments in the form in which its own callers pass them.
"""

from dataclasses import dataclass
from itertools import zip_longest
from types import SimpleNamespace

PROJECTS = {}


@dataclass(frozen=True)
class Project:
    """A program on PyPI: its version, what is called of it, and by which function."""

    name: str
    version: str
    calls: str
    run: object
    # Its own packages whose `__init__` is left out, since it imports all of the program.
    bare: tuple[str, ...]
    # Packages and modules that are replaced by empty ones.
    without: tuple[str, ...]
    # What it scores with.
    uses: tuple[str, ...]
    # Options for pip, if there is no wheel for every platform.
    platform: tuple[str, ...]


def project(name, version, calls, *, bare="", without="", uses="sacrebleu", platform=""):
    """Add the function below as what calls a project."""

    def add(run):
        lists = (tuple(names.split()) for names in (bare, without, uses, platform))
        PROJECTS[name] = Project(name, version, calls, run, *lists)
        return run

    return add


def first(references):
    """Return the first reference of each segment."""
    return [several[0] for several in references]


def streams(references):
    """Return one list per reference, with None where a segment has fewer."""
    return [list(stream) for stream in zip_longest(*references)]


def words(texts):
    """Split texts at spaces."""
    return [text.split() for text in texts]


def instances(hypotheses, references):
    """Return objects with a prediction and a reference."""
    return [
        SimpleNamespace(prediction=text, reference=several[0])
        for text, several in zip(hypotheses, references, strict=True)
    ]
