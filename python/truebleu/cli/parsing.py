"""How the words of a command line are read: the same in any order.

:class:`Command` sorts the words first: options, each with its values, and everything else. Then it
converts and checks them.
"""

from __future__ import annotations

import os
import sys

from truebleu.cli.parameters import Parameter, WrongValueError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from truebleu.cli.help_pages import Page


class Namespace:
    """The values of the parameters of a command, as attributes: read once, and never changed."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __contains__(self, name: object) -> bool:
        return name in vars(self)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"options are read once: {name} cannot be assigned to")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class Words:
    """The words of a command line: options with their values, files, and unknown options."""

    def __init__(self) -> None:
        self.options: list[tuple[str, Parameter, list[str] | None]] = []
        self.files: list[str] = []
        self.unknown: list[str] = []


class Group:
    """Declares parameters of a command, which its help has under a title."""

    def __init__(self, command: Command, title: str) -> None:
        self._command, self._title = command, title

    def add_argument(self, *names: str, **how: Any) -> None:
        """Declare a parameter; see :class:`Parameter`."""
        self._command.declare(self._title, Parameter(*names, **how))


class Command:
    """The parser of a command, or of all: reads words, shows help, and says what is wrong."""

    def __init__(self, prog: str, usage: str = "", description: str = "", epilog: str = "") -> None:
        self.prog, self.usage = prog, usage
        self.description, self.epilog = description, epilog
        self.parameters: list[Parameter] = []
        self.options: dict[str, Parameter] = {}
        self._titled: list[tuple[str, Parameter]] = []
        self._defaults: dict[str, Any] = {}
        self.add_argument("-h", "--help", action="help", help="show this page")

    def add_argument_group(self, title: str) -> Group:
        """Return what declares parameters under a title."""
        return Group(self, title)

    def add_argument(self, *names: str, **how: Any) -> None:
        """Declare an argument, or an option of no other group."""
        self.declare("general" if names[0].startswith("-") else "input", Parameter(*names, **how))

    def declare(self, title: str, parameter: Parameter) -> None:
        """Add a parameter that help has under a title."""
        self.parameters.append(parameter)
        self.options |= dict.fromkeys(parameter.option_strings, parameter)
        self._titled.append((title, parameter))

    def set_defaults(self, **values: Any) -> None:
        """Give parameters other defaults, or add values that no option has."""
        self._defaults |= values

    @property
    def arguments(self) -> list[Parameter]:
        """What is given without an option."""
        return [each for each in self.parameters if not each.option_strings]

    def read(self, words: Sequence[str]) -> Namespace:
        """Return the options that words stand for; end the process if they are wrong."""
        found = self._sorted(list(words))
        for _, action, _ in found.options:
            if action.action == "help":
                self.show(self.format_help())
        if found.unknown:
            self._refuse_unknown(found.unknown, list(words))
        for name, action, values in found.options:
            if action.nargs == 1 and len(values or ()) > 1:
                self.error(f"argument {name}: only one can be chosen, not {' '.join(values or ())}")
            if action.nargs == 0 and values:
                self.error(f"argument {name}: it takes no value, but {values[0]!r} is given")
        given = [action for _, action, _ in found.options]
        if any(action.instead_of_arguments for action in given):
            for argument in self.arguments:
                argument.nargs, argument.default = "*", []
        else:
            self._give_back_the_system(found)
            self._check_arguments(found.files, given)
        return self._values(found)

    def _refuse_unknown(self, unknown: list[str], words: list[str]) -> NoReturn:
        """Name unknown options, and what is probably meant by each."""
        from truebleu.cli.hints import hint

        hints: dict[str, None] = {}
        for word in unknown:
            after = [*words, ""][words.index(word) + 1]
            meant = hint(word, self.prog, list(self.options), after)
            if os.path.exists(word):  # noqa: PTH110  # pathlib is slow to load.
                meant = f"; for the file of this name, write ./{word}"
            # Of several names for one thing, the first hint says it all.
            if not (hints and meant.startswith("; did you mean --ref")):
                hints[meant] = None
        self.error(f"unrecognized arguments: {' '.join(unknown)}{''.join(hints)}")

    def _values(self, found: Words) -> Namespace:
        """Convert and check what was given, and fill in the defaults."""
        values = {each.dest: each.default for each in self.parameters if each.dest != "help"}
        values |= self._defaults
        given: dict[Parameter, None] = {}
        arguments, missing = self._of_arguments(found.files)
        named = [(option, words or []) for _, option, words in found.options]
        for each, words in [*named, *arguments]:
            try:
                # The first that is given takes the place of a default.
                before = values[each.dest] if each in given else None
                value = each.value(words, before)
                for one in value if isinstance(value, list) else [value]:
                    self._check_choice(each, one)
                for other in given:
                    if each.instead_of == other.dest or other.instead_of == each.dest:
                        raise WrongValueError(f"not allowed with argument {other.called}")
            except WrongValueError as error:
                self.error(f"argument {each.called}: {error}")
            given[each] = None
            values[each.dest] = value
        missing += [each for each in self.parameters if each.required and each not in given]
        if missing:
            names = ", ".join(each.called for each in self.parameters if each in missing)
            self.error(f"the following arguments are required: {names}")
        left = found.files[sum(len(words) for _, words in arguments) :]
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return Namespace(**values)

    def _of_arguments(
        self, files: list[str]
    ) -> tuple[list[tuple[Parameter, list[str]]], list[Parameter]]:
        """Tell which words belong to which argument, as many as fit; and which get none."""
        arguments, rest = self.arguments, list(files)
        least = [0 if each.nargs == "*" else 1 for each in arguments]
        found, missing = [], []
        for number, each in enumerate(arguments):
            most = len(rest) - sum(least[number + 1 :]) if each.nargs in ("+", "*") else 0
            words = rest[: max(least[number], most)]
            del rest[: len(words)]
            if len(words) < least[number]:
                missing.append(each)
            elif words:
                found.append((each, words))
        return found, missing

    def _check_arguments(self, files: list[str], options: list[Parameter]) -> None:
        """Refuse a second word where there can be one, and a missing one that has a message."""
        arguments = self.arguments
        if [each.nargs for each in arguments] == [1]:
            for other in files[1:]:
                self.error(
                    f"it takes one {arguments[0].metavar} at a time; run it again for {other}"
                )
        for each in arguments[len(files) :]:
            if each.choices is not None:
                choices = ", ".join(map(str, each.choices))
                self.error(f"{each.metavar} is missing; choose one of {choices}")
            if each.missing:
                said = [each.missing, *(option.missing for option in options if option.missing)]
                self.error(f"{each.metavar} is missing: {'; '.join(said)}")

    def error(self, message: str) -> NoReturn:
        """Say how the command is used and what is wrong, and end the process with code 2."""
        from truebleu.display.text import visible

        lines = [
            self.format_usage(),
            f"for its options: {self.prog} -h",
            f"{self.prog}: error: {message}",
        ]
        self.refuse("".join(f"{visible(line)}\n" for line in lines))

    def show(self, page: str) -> NoReturn:
        """Write a page of help, and end the process."""
        sys.stdout.write(page)
        flush()
        sys.exit(0)

    def refuse(self, said: str) -> NoReturn:
        """Write to standard error, and end the process with code 2."""
        if sys.stderr is not None:
            sys.stderr.write(said)
        sys.exit(2)

    def format_usage(self) -> str:
        """Return how the command is used, in one line."""
        from truebleu.cli.help_pages import usage

        if self.usage:
            return f"usage: {self.usage}"
        shown = [each for each in self.parameters if each.option_strings and each.in_usage]
        return usage(self.prog, self.arguments, shown)

    def format_help(self) -> str:
        """Return the page about the command."""
        return self.page().laid_out()

    def page(self) -> Page:
        """Return what help says about the command."""
        from truebleu.cli.help_pages import Page

        titled = sorted(self._titled, key=lambda each: bool(each[1].option_strings))
        return Page(self.prog, self.format_usage(), self.description, self.epilog, titled)

    def _sorted(self, words: list[str]) -> Words:
        """Tell options, their values and other words apart."""
        found = Words()
        while words:
            word = words.pop(0)
            name, equals, value = word.partition("=")
            action = self.options.get(name)
            if word == "--":
                found.files += words
                break
            if action is not None and (equals or action.nargs == 0):
                values = _split([value], action) if equals else None
                found.options.append((name, action, values))
            elif action is not None:
                found.options.append((name, action, self._take(words, action)))
                if action.alone and found.files and words and not self._is_option(words[0]):
                    self.error(f"argument {name}: {words[0]} is a second word; {action.alone}")
            elif self._is_option(word):
                found.unknown.append(word)
            else:
                found.files.append(word)
        return found

    def _is_option(self, word: str) -> bool:
        """Whether a word can only be an option; texts and numbers may begin with a dash, too."""
        if word.partition("=")[0] in self.options:
            return True
        return word[:1] == "-" and word != "-" and " " not in word and word[1] not in ".0123456789"

    def _take(self, words: list[str], action: Parameter) -> list[str]:
        """Remove the values of an option from the words that follow it, and return them."""
        if action.nargs == "?":
            # A file that follows is not its value.
            number = words[0].removesuffix("%").replace(".", "", 1) if words else ""
            return [words.pop(0)] if number.isdecimal() else []
        # One that chooses a single word takes all choices that follow, so that several are refused.
        many = action.nargs == "+" or (action.nargs == 1 and action.choices is not None)
        most = len(words) if many else int(action.nargs or 1)
        values: list[str] = []
        while words and len(values) < most and not self._is_option(words[0]):
            several = _split(words[:1], action)
            spelled = [action.spelled(each) for each in several]
            # An option that chooses stops at the first word that is no choice, such as a file; a
            # metric that is not computed here is refused, not read as one.
            refused = action.refused is not None and all(map(action.refused, several))
            if action.choices and values and not (set(spelled) <= set(action.choices) or refused):
                break
            values += several
            del words[0]
        return values

    def _give_back_the_system(self, found: Words) -> None:
        """Read ``-r REFERENCE SYSTEM`` as it is meant, if there is no other system."""
        needed = [action for action in self.arguments if action.nargs != "*"]
        lists = [
            (name, values)
            for name, action, values in found.options
            if action.nargs == "+" and action.choices is None and values and len(values) > 1
        ]
        if len(found.files) != len(needed) - 1 or not lists:
            return
        if len(lists) == 1 and len(lists[0][1]) == 2:
            found.files.append(lists[0][1].pop())
            return
        what = needed[-1].metavar
        name, values = lists[-1]
        self.error(
            f"which of {' '.join(values)} is the {what}? {name} takes all words that follow: put "
            f"every {what} before {name}"
        )

    def _check_choice(self, action: Parameter, value: Any) -> None:
        """Refuse what is not among the choices, and say which was probably meant."""
        if action.choices is not None and value not in action.choices:
            from truebleu.cli.hints import choice_hint

            known = [str(each) for each in action.choices]
            meant = choice_hint(str(value), known)
            arguments = self.arguments
            if not meant and action in arguments[:-1]:
                behind = arguments[arguments.index(action) + 1]
                meant = f"; {action.metavar} comes first, then {behind.metavar}"
            raise WrongValueError(
                f"invalid choice: {value!r} (choose from {', '.join(known)}){meant}"
            )


def _split(values: list[str], action: Parameter) -> list[str]:
    """Split a list of choices at commas, but not the settings of a choice."""
    if action.choices and action.nargs is not None:
        # A comma may be followed by a space, which has ended the word.
        parts = [
            part for value in values for part in ([value] if ":" in value else value.split(","))
        ]
        return list(filter(None, parts)) or values
    return values


def flush() -> None:
    """Write to standard output what waits for it; an error has its name."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise not_written(error) from None


def not_written(error: OSError) -> OSError:
    """Return an error of standard output with its name."""
    if error.errno is not None and error.filename is None:
        # Python would try again at exit, and complain once more.
        sys.stdout = None
        error.filename = "standard output"
    return error
