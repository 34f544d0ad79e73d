"""How the words of a command line are read: the same in any order and in every version of Python.

:class:`Command` sorts the words first: options, each with its values, then everything else behind
``--``. argparse converts and checks what is then in an order that all its versions read alike.
"""

from __future__ import annotations

import argparse
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, Namespace
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from truebleu.cli.help_pages import Page


class Words:
    """The words of a command line: options with their values, files, and unknown options."""

    def __init__(self) -> None:
        self.options: list[tuple[str, Action, list[str] | None]] = []
        self.files: list[str] = []
        self.unknown: list[str] = []

    def for_argparse(self) -> list[str]:
        """Return all words in an order that leaves nothing to interpretation."""
        sorted_words: list[str] = []
        for name, action, values in self.options:
            if values and len(values) == 1 and action.nargs is None:
                sorted_words.append(f"{name}={values[0]}")
            else:
                sorted_words += [name, *(values or ())]
        return [*sorted_words, "--", *self.files] if self.files else sorted_words


class Command(argparse.ArgumentParser):
    """The parser of a command, or of all: reads words, shows help, and says what is wrong."""

    def __init__(self, **how: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=_Checker, **how)
        self._positionals.title, self._optionals.title = "input", "general"
        self.add_argument(
            *("-h", "--help"),
            action="help",
            default=argparse.SUPPRESS,
            help="show this summary; with --help, all options",
        )

    def read(self, words: Sequence[str]) -> Namespace:
        """Return the options that words stand for; end the process if they are wrong."""
        found = self._sorted(list(words))
        for name, action, _ in found.options:
            if action.dest == "help":
                sys.stdout.write(self.format_help() if name == "--help" else self.page().summary())
                sys.stdout.flush()
                self.exit()
        if found.unknown:
            from truebleu.cli.hints import hint

            first = found.unknown[0]
            meant = hint(first, self.prog, list(self._option_string_actions))
            if os.path.exists(first):  # noqa: PTH110  # pathlib is slow to load.
                meant = f"; for the file of this name, write ./{first}"
            self.error(f"unrecognized arguments: {' '.join(found.unknown)}{meant}")
        for name, action, values in found.options:
            if action.nargs == 1 and len(values or ()) > 1:
                self.error(f"argument {name}: only one can be chosen, not {' '.join(values or ())}")
            if action.nargs == 0 and values:
                self.error(f"argument {name}: it takes no value, but {values[0]!r} is given")
        if {action.dest for _, action, _ in found.options} & {"explain_signature", "runs"}:
            # They take the place of what there is to score.
            for argument in self._get_positional_actions():
                argument.nargs, argument.required = "*", False
        else:
            self._give_back_the_system(found)
            has_scores = any(action.dest == "scores" for _, action, _ in found.options)
            self._check_arguments(found.files, scores=has_scores)
        return self.parse_args(found.for_argparse())

    def _check_arguments(self, files: list[str], *, scores: bool) -> None:
        """Refuse a second system where there can be one, and a missing word that chooses."""
        arguments = self._get_positional_actions()
        if [each.metavar for each in arguments] == ["SYSTEM"] and arguments[0].nargs == 1:
            for other in files[1:]:
                self.error(f"it takes one SYSTEM at a time; run it again for {other}")
        for each in arguments[len(files) :]:
            if each.choices is not None:
                choices = ", ".join(map(str, each.choices))
                self.error(f"{each.metavar} is missing; choose one of {choices}")
            if each.metavar == "SYSTEM":
                self.error(
                    "SYSTEM is missing: the output to score, or - for standard input"
                    + "; --scores adds a metric to those that are computed from it" * scores
                )

    def error(self, message: str) -> NoReturn:
        """Say how the command is used and what is wrong, and end the process with code 2."""
        from truebleu.display.text import visible

        lines = [
            self.format_usage(),
            f"for its options: {self.prog} -h",
            f"{self.prog}: error: {message}",
        ]
        self.exit(2, "".join(f"{visible(line)}\n" for line in lines))

    def format_usage(self) -> str:
        """Return how the command is used, in one line."""
        from truebleu.cli.help_pages import usage

        if self.usage:
            return f"usage: {self.usage}"
        required = [action for action in self._get_optional_actions() if action.required]
        # The first of several stands for all; argparse has no public list of them. References can
        # be left out only where a column of a table, or a test set, takes their place.
        for group in self._mutually_exclusive_groups:
            first = group._group_actions[0]
            if group.required or first.dest == "references":
                required.append(first)
        return usage(self.prog, self._get_positional_actions(), required)

    def format_help(self) -> str:
        """Return the page with all options."""
        return self.page().whole()

    def page(self) -> Page:
        """Return what help says about the command."""
        from truebleu.cli.help_pages import Page

        groups = [
            (str(group.title), [each for action in group._group_actions for each in _rows(action)])
            for group in self._action_groups
        ]
        return Page(self.prog, self.format_usage(), self.description, self.epilog, groups)

    def _sorted(self, words: list[str]) -> Words:
        """Tell options, their values and other words apart."""
        found = Words()
        while words:
            word = words.pop(0)
            name, equals, value = word.partition("=")
            action = self._option_string_actions.get(name)
            if word == "--":
                found.files += words
                break
            if action is None and word[2:].isdecimal() and word[1] != "-":
                # -w4 is -w 4. No other short option is written together with its value, or with
                # another: -lc is an option of its own.
                name, equals, value = word[:2], "=", word[2:]
                action = self._option_string_actions.get(name)
            if action is not None and (equals or action.nargs == 0):
                values = _split([value], action) if equals else None
                found.options.append((name, action, values))
            elif action is not None:
                found.options.append((name, action, _take(words, action)))
            elif _is_option(word):
                found.unknown.append(word)
            else:
                found.files.append(word)
        return found

    def _give_back_the_system(self, found: Words) -> None:
        """Read ``-r REFERENCE SYSTEM`` as it is meant, if there is no other system."""
        needed = [
            action for action in self._get_positional_actions() if action.nargs not in ("*", "?")
        ]
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

    def _check_value(self, action: Action, value: Any) -> None:
        """Refuse what is not among the choices, and say which was probably meant."""
        if action.choices is not None and value not in action.choices:
            from truebleu.cli.hints import choice_hint

            known = [str(each) for each in action.choices]
            meant = choice_hint(str(value), known)
            arguments = self._get_positional_actions()
            if not meant and action in arguments[:-1]:
                behind = arguments[arguments.index(action) + 1]
                meant = f"; {action.metavar} comes first, then {behind.metavar}"
            raise argparse.ArgumentError(
                action, f"invalid choice: {value!r} (choose from {', '.join(known)}){meant}"
            )


class _Checker(argparse.HelpFormatter):
    """What argparse makes to check an option that is added; its own formatter is slow to make."""

    def __init__(self, prog: str, **_: Any) -> None:
        """Prepare nothing."""

    def _set_color(self, *_: Any, **__: Any) -> None:
        """Look up no colors, as Python 3.14 would."""


def _rows(action: Action) -> list[Action]:
    """Return what help lists for an action: the commands, or the action itself."""
    commands = getattr(action, "_get_subactions", None)
    return list(commands()) if commands else [action]


def _is_option(word: str) -> bool:
    """Whether a word can only be an option; texts and numbers may begin with a dash, too."""
    return word[:1] == "-" and word != "-" and " " not in word and word[1] not in ".0123456789"


def _take(words: list[str], action: Action) -> list[str]:
    """Remove the values of an option from the words that follow it, and return them."""
    # An option that chooses one takes all choices that follow, too, so that several are refused.
    many = action.nargs == "+" or (action.nargs == 1 and action.choices is not None)
    most = len(words) if many else int(action.nargs or 1)
    values: list[str] = []
    while words and len(values) < most and not _is_option(words[0]):
        several = _split(words[:1], action)
        spelled = map(action.type, several) if callable(action.type) else several
        # An option that chooses stops at the first word that is no choice, such as a file.
        if action.choices and values and not set(spelled) <= set(action.choices):
            break
        values += several
        del words[0]
    return values


def _split(values: list[str], action: Action) -> list[str]:
    """Split a list of choices at commas."""
    if action.choices and action.nargs is not None:
        # A comma may be followed by a space, which has ended the word.
        parts = [part for value in values for part in value.split(",")]
        return list(filter(None, parts)) or values
    return values
