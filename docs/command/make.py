"""Write the man page, from the same description as ``--help``.

Run it from anywhere; a test fails if what it writes is not what is in the repository.
"""

from collections.abc import Iterator
from pathlib import Path

from truebleu.cli import DONE, ERROR, INTERRUPTED, NOT_MET
from truebleu.cli.arguments import COMMANDS, command_parser, parser
from truebleu.cli.help_pages import Page, names_of
from truebleu.cli.parameters import Parameter

ROOT = Path(__file__).parent.parent.parent
MAN_PAGE = ROOT / "truebleu.data" / "data" / "share" / "man" / "man1" / "truebleu.1"

EXIT_CODES = {
    DONE: "Success, also if the reader of the output has closed the pipe.",
    NOT_MET: "A threshold or check is not met: --fail-under, --fail-if, a wrong answer in check, a "
    "failed verification in data check.",
    ERROR: "An error: a file that is missing, damaged or of a different length, an option or a "
    "setting that does not exist or is invalid; of check: a program that breaks the protocol.",
    INTERRUPTED: "Interrupted with Ctrl-C.",
}
ENVIRONMENT = {
    "TRUEBLEU_THREADS": "The number of threads, if there is no --threads.",
    "TRUEBLEU_REQUIRE_CHECKSUM": "If 1, downloads without a known checksum are refused.",
    "TRUEBLEU_CACHE": "The folder for downloaded test sets and models.",
    "NO_COLOR": "If set and not empty, nothing is shown in color.",
}


def pages() -> dict[str, Page]:
    """Return what help says about each command, by its name."""
    return {name: command_parser(name).page() for name in COMMANDS}


def man_page() -> str:
    """Return the man page, in roff."""
    lines = ['.TH TRUEBLEU 1 "" truebleu "User Commands"', ".SH NAME"]
    lines += [r"truebleu \- compute BLEU, chrF and TER, compare systems, and explain the scores"]
    lines += [".SH SYNOPSIS", *(f"{in_roff(synopsis(page))}\n.br" for page in pages().values())]
    lines += [".SH OPTIONS", *described(parser().parameters)]
    for name, page in pages().items():
        lines += [f".SH TRUEBLEU {name.upper()}", in_roff(page.description)]
        lines += [".PP", in_roff(synopsis(page))]
        for title, actions in page.groups.items():
            lines += [f".SS {in_roff(title)}", *described(actions)]
        lines += [".PP", "Examples:"]
        lines += [f".br\n{in_roff(each)}" for each in page.examples]
        lines += [".PP", in_roff(page.end)] if page.end else []
    lines.append(".SH EXIT STATUS")
    for code, about in EXIT_CODES.items():
        lines += [".TP", str(code), in_roff(about)]
    lines.append(".SH ENVIRONMENT")
    for variable, about in ENVIRONMENT.items():
        lines += [".TP", variable, in_roff(about)]
    return "\n".join(lines) + "\n"


def synopsis(page: Page) -> str:
    """Return how a command is used."""
    return page.usage.removeprefix("usage: ")


def described(actions: list[Parameter]) -> Iterator[str]:
    """Yield options with their descriptions."""
    for action in actions:
        yield f".TP\n.B {in_roff(names_of(action))}\n{in_roff(action.help)}"


def in_roff(text: str) -> str:
    """Escape a line for roff."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


def written() -> dict[Path, str]:
    """Return what is written, by the file that it is written to."""
    return {MAN_PAGE: man_page()}


if __name__ == "__main__":
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
