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
    """Return the error for the name of something, such as a tokenizer, that is not in a registry.

    `more` says what else can be chosen, behind the names that are `known`.
    """
    known = list(known)
    return UnknownNameError(
        f"{what} {written(name)} is unknown; choose one of {', '.join(known)}{more}"
        f"{did_you_mean(name, known)}"
    )


def _letters(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")
