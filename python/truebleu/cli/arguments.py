"""The commands, and what the command line understands."""

from __future__ import annotations

from truebleu._core import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from truebleu.cli.parsing import Command, Namespace

VERSION = f"truebleu {__version__}"
"""What ``--version`` prints."""

GROUPS = {
    "scores": {
        "score": "scores of one or more systems",
        "segments": "scores of every segment",
        "merge": "one score of parts that were scored separately",
    },
    "systems and metrics": {
        "compare": "which system is better, and which differences are significant",
        "report": "an HTML page on all systems, down to single words, or one chart",
        "mbr": "the best of several translations, by minimum Bayes risk",
        "meta": "which metric agrees with people",
    },
    "explanations": {
        "explain": "how a score is calculated",
        "audit": "what other tools would report, and which settings give a number",
        "tokenize": "the tokens that BLEU compares",
        "check": "whether another program computes the right scores",
    },
    "test sets": {"data": "list, download, check and add test sets"},
}
"""The commands by group, and a line about each."""

COMMANDS = {name: about for several in GROUPS.values() for name, about in several.items()}
"""Each command, and a line about it; the module of the same name has its options and runs it."""


class GateError(Exception):
    """A result is not what was asked for, such as a score below a threshold; the input is fine."""


def parser() -> Command:
    """Return the parser of what comes before a command."""
    from truebleu.cli.parsing import Command

    top = Command(prog="truebleu", usage="truebleu COMMAND [OPTIONS]")
    top.add_argument("-V", "--version", action="help", help="print the version")
    top.add_argument(
        "--completion", metavar="SHELL", help="print a completion script for bash, zsh or fish"
    )
    return top


def overview() -> str:
    """Return the page on all commands."""
    from truebleu.cli import help_pages

    return help_pages.overview(GROUPS, parser().parameters)


def command_parser(name: str) -> Command:
    """Return the parser of one command, whose module says what it understands."""
    from importlib import import_module

    from truebleu.cli.parsing import Command

    command = Command(prog=f"truebleu {name}")
    module = import_module(f"truebleu.cli.{name}")
    module.add_options(command)
    command.add_argument("-q", "--quiet", action="store_true", help="print no warnings or notes")
    command.set_defaults(run=module.run)
    return command


def parse(words: list[str]) -> Namespace:
    """Return the options; end the process if there is something wrong with them."""
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    first = words[0] if words else ""
    if first in ("-h", "--help"):
        if words[1:2] and words[1] in COMMANDS:
            return command_parser(words[1]).read([first])
        parser().show(overview())
    if first not in COMMANDS:
        _refuse(words)
    command = command_parser(first)
    command.set_defaults(arguments=words, said=[])
    return command.read(words[1:])


def _refuse(words: list[str]) -> NoReturn:
    """Say what is wrong with a line that does not begin with a command, and end the process."""
    top = parser()
    if not words:
        # As in ruff and uv: help, and the code for wrong usage, since nothing has been done.
        top.refuse(overview())
    first = words[0]
    command = next((word for word in words if word in COMMANDS), None)
    if first.startswith("-") and command is not None:
        command_parser(command).error(
            f"{first} is before the command; options follow it: truebleu {command} ... {first}"
        )
    from truebleu.cli.hints import command_hint, of_sacrebleu

    meant = command_hint(first, COMMANDS) or of_sacrebleu(words)
    if not meant:
        commands = ", ".join(COMMANDS)
        meant = (
            f"; choose one of {commands}; to score files: truebleu score SYSTEM... -r REFERENCE..."
        )
    top.error(f"unknown command {first!r}{meant}")
