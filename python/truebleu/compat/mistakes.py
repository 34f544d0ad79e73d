"""What is probably a mistake in a call of an accelerated package, which accepts it in silence."""

from __future__ import annotations

from truebleu.errors import SettingsWarning, TruebleuError, warn

# The packages in which mistakes are errors, once for each that has asked for it.
_strict: list[str] = []

# The packages and the kinds of mistakes that have been warned of.
_said: set[tuple[str, str]] = set()


def begin(packages: tuple[str, ...]) -> None:
    """Let mistakes be errors."""
    _strict.extend(packages)


def end(packages: tuple[str, ...]) -> None:
    """End what :func:`begin` has begun."""
    for package in packages:
        _strict.remove(package)


def is_said(package: str, kind: str) -> bool:
    """Whether nothing more is to be said of a kind of mistake."""
    return (package, kind) in _said and package not in _strict


def say(package: str, kind: str, message: str, error: type[TruebleuError]) -> None:
    """Warn of a mistake, once for each kind; raise it if the package is strict."""
    if package in _strict:
        raise error(message)
    if not is_said(package, kind):
        _said.add((package, kind))
        warn(f"{message} (said once; the score is {package}'s)", SettingsWarning, through=package)
