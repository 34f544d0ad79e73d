"""Whether drop-ins do what their originals do with mistakes, or refuse them.

Programs that nobody has edited import a drop-in under the name of its original: there it accepts
whatever the original accepts, and warns. A drop-in that is imported by its own name refuses what is
probably a mistake.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from truebleu.errors import SettingsWarning, warn

VARIABLE = "TRUEBLEU_STRICT"
"""The environment variable that lets :func:`truebleu.compat.install` be strict by default."""

# One item for each installation in force that is not strict.
_lenient: list[object] = []

# The kinds of mistakes that have been warned of.
_warned: set[tuple[str, type[Exception]]] = set()


def strict_by_default() -> bool:
    """Return whether drop-ins are to be strict under the names of their originals, too."""
    return os.environ.get(VARIABLE, "").lower() not in ("", "0", "no", "false")


def is_strict() -> bool:
    """Return whether mistakes are refused."""
    return not _lenient


def begin(installation: object) -> None:
    """Do as the originals until :func:`end` is called with the same object."""
    _lenient.append(installation)


def end(installation: object) -> None:
    """End what :func:`begin` has begun, if it has."""
    _lenient[:] = [each for each in _lenient if each is not installation]


def accept(original: str, error: Exception) -> None:
    """Warn of a mistake that the original accepts, once for each kind; if strict, raise it."""
    if is_strict():
        raise error
    kind = original, type(error)
    if kind not in _warned:
        _warned.add(kind)
        warn(
            f"{error}. {original} accepts this, so its drop-in does, too; install(strict=True), or "
            f"{VARIABLE}=1 in the environment, makes it an error",
            SettingsWarning,
        )


@contextmanager
def accepting(original: str, error: Exception) -> Iterator[None]:
    """Let the steps of the original, inside a ``with`` statement, decide what is refused here.

    If they return, the mistake is accepted. If they raise an error of which `error` is a kind, then
    that is raised, which says more.
    """
    if is_strict():
        raise error
    try:
        yield
    except Exception as raised:
        if isinstance(error, type(raised)):
            raise error from None
        raise
    accept(original, error)
