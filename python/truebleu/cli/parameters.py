"""What a command takes: its options and arguments, as they are declared."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any


class WrongValueError(Exception):
    """A word is no value of a parameter; the message says why."""


class Parameter:
    """An option of a command, or an argument, which has no `names` but the one of its value.

    `nargs` is the number of words that it takes: 0 for flags, None for a single one that is not in
    a list, ``?`` for a number that may be left out, so that the value is `bare`, ``+`` and ``*``
    for any number of words from 1 or 0 up. `type` converts a word. `action` is ``store``,
    ``extend`` for what may be repeated, ``store_true`` for a flag, or ``help``.

    An option that takes a place, `instead_of` another one, is not given together with it; one that
    is `instead_of_arguments` needs none. `in_usage` shows one that most calls need. `refused` says
    whether a word is meant as a value although it is no choice. `missing` is what messages say of
    an argument that is missing; of an option, what they add if it is given. An option that is
    `alone` takes one word; this is what messages say if arguments are behind that word, and others
    before it.
    """

    def __init__(
        self,
        *names: str,
        action: str = "store",
        dest: str | None = None,
        nargs: int | str | None = None,
        type: Callable[[str], Any] | None = None,  # noqa: A002
        choices: Collection[str] | None = None,
        default: Any = None,
        bare: Any = None,
        required: bool = False,
        metavar: str | tuple[str, ...] | None = None,
        instead_of: str | None = None,
        instead_of_arguments: bool = False,
        in_usage: bool = False,
        refused: Callable[[str], bool] | None = None,
        missing: str = "",
        alone: str = "",
        help: str = "",  # noqa: A002
    ) -> None:
        long = [name for name in names if name.startswith("--")]
        self.option_strings = [name for name in names if name.startswith("-")]
        self.action = action
        self.dest = dest or [*long, *names][0].lstrip("-").replace("-", "_")
        self.nargs = 0 if action in ("store_true", "help") else nargs
        self.type = type
        self.choices = choices
        self.default = False if action == "store_true" else default
        self.bare = bare
        self.required = required
        self.metavar = metavar
        self.instead_of = instead_of
        self.instead_of_arguments = instead_of_arguments
        self.in_usage = in_usage or required
        self.refused = refused
        self.missing = missing
        self.alone = alone
        self.help = help

    @property
    def called(self) -> str:
        """What messages call it."""
        return "/".join(self.option_strings) or str(self.metavar or self.dest)

    def converted(self, word: str) -> Any:
        """Return the value of a word, or raise WrongValueError."""
        if self.type is None:
            return word
        try:
            return self.type(word)
        except (TypeError, ValueError):
            name = getattr(self.type, "__name__", repr(self.type))
            raise WrongValueError(f"invalid {name} value: {word!r}") from None

    def spelled(self, word: str) -> Any:
        """Return the value of a word, or the word itself if it has none."""
        try:
            return self.converted(word)
        except WrongValueError:
            return word.partition(":")[0]

    def value(self, words: list[str], before: Any) -> Any:
        """Return the value of words, added to that of `before` if it is repeated."""
        if self.nargs == 0:
            return True
        if self.nargs == "?" and not words:
            return self.bare
        wrong = len(words) != (1 if self.nargs in (None, "?") else self.nargs)
        if self.nargs == "+":
            wrong = not words
        if wrong and self.nargs != "*":
            expected = {None: "one argument", "+": "at least one argument", 1: "1 argument"}
            raise WrongValueError(f"expected {expected.get(self.nargs, f'{self.nargs} arguments')}")
        found = [self.converted(word) for word in words]
        if self.action == "extend":
            return [*(before or ()), *found]
        return found[0] if self.nargs in (None, "?") else found
