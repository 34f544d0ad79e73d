"""Whether drop-ins do what their originals do with mistakes, or refuse them.

Drop-ins refuse what is probably a mistake. Between :func:`begin` and :func:`end`, they accept
whatever their originals accept, and warn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from truebleu.errors import SettingsWarning, warn

# One item for each :func:`begin` in force.
_lenient: list[object] = []

# The kinds of mistakes that have been warned of.
_warned: set[tuple[str, type[Exception]]] = set()


def is_strict() -> bool:
    """Return whether mistakes are refused."""
    return not _lenient


def begin(whom: object) -> None:
    """Do as the originals until :func:`end` is called with the same object."""
    _lenient.append(whom)


def end(whom: object) -> None:
    """End what :func:`begin` has begun, if it has."""
    _lenient[:] = [each for each in _lenient if each is not whom]


def accept(original: str, error: Exception) -> None:
    """Warn of a mistake that the original accepts, once for each kind; if strict, raise it."""
    if is_strict():
        raise error
    kind = original, type(error)
    if kind not in _warned:
        _warned.add(kind)
        warn(
            f"{error}. {original} accepts this, so its drop-in does, too",
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
