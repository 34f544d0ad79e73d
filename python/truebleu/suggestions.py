"""What was probably meant by an unknown name: one way for all registries, settings and options."""

from __future__ import annotations

from truebleu.errors import UnknownNameError, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# How similar two names have to be, as difflib measures it; with less, suggestions are guesses.
_CUTOFF = 0.7


def similar_names(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return the known names that are most similar to an unknown one, the best first.

    Case, hyphens and underscores make no difference.

    Parameters
    ----------
    name : str
        What was given.
    known : iterable of str
    most : int
        How many to return at most.
    """
    from difflib import get_close_matches

    by_letters: dict[str, str] = {}
    for each in known:
        by_letters.setdefault(_letters(each), each)
    return [
        by_letters[each] for each in get_close_matches(_letters(name), by_letters, most, _CUTOFF)
    ]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of a message, ``; did you mean 13a?``, or nothing if no name is similar."""
    similar = similar_names(name, known) if isinstance(name, str) else []
    return f"; did you mean {similar[0]}?" if similar else ""


def unknown_name(what: str, name: object, known: Iterable[str], more: str = "") -> UnknownNameError:
    """Return the error for a name that is not in a registry.

    Parameters
    ----------
    what : str
        What the name is of, such as ``"tokenizer"``.
    name : object
        What was given.
    known : iterable of str
        The names that there are.
    more : str
        What else can be chosen, behind the names.
    """
    known = list(known)
    return UnknownNameError(
        f"{what} {written(name)} is unknown; choose one of {', '.join(known)}{more}"
        f"{did_you_mean(name, known)}"
    )


def _letters(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")
