"""Pages of the site that are made of the package itself, and not written by hand."""

import inspect
from pathlib import Path

import truebleu
from sphinx.application import Sphinx
from truebleu.cli.arguments import COMMANDS, command_parser
from truebleu.playground import page

REPOSITORY = "https://github.com/truebleu/truebleu/"
SITE = "https://truebleu.github.io/truebleu/"
ROOT = Path(__file__).parent.parent

_COMMANDS = """# Commands

Every option of every command, as `truebleu COMMAND --help` prints them. [The command
line](../command_line.md) and [other commands](../commands.md) have examples with their output.

"""

_REFERENCE = """Docstrings
==========

The docstring of each public name. The :doc:`tables of the API <../api>` have them at a glance.

"""


def write_pages(folder: Path) -> None:
    """Write the reference of commands, and that of names in Python."""
    folder.mkdir(exist_ok=True)
    commands = [
        f"## truebleu {name}\n\n```text\n{command_parser(name).format_help()}```\n"
        for name in COMMANDS
    ]
    (folder / "commands.md").write_text(_COMMANDS + "\n".join(commands), "utf-8")
    names = sorted(truebleu.__all__, key=str.casefold)
    entries = [_entry(name) for name in names]
    (folder / "docstrings.rst").write_text(_REFERENCE + "\n".join(entries), "utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (folder / "changelog.md").write_text(changes.replace("](docs/", "](../"), "utf-8")


def write_extra(folder: Path) -> None:
    """Write the playground, and an index for language models: one line for each page."""
    folder.mkdir(exist_ok=True)
    (folder / "playground.html").write_text(page(), "utf-8")
    lines = ["# truebleu", "", "> BLEU, chrF++ and TER for Python and the command line.", ""]
    docs = ROOT / "docs"
    for path in sorted(docs.glob("**/*.md")):
        if path == docs / "index.md" or path.parent == docs / "generated":
            continue
        text = path.read_text("utf-8")
        title = next(line for line in text.splitlines() if line.startswith("# "))
        place = path.relative_to(docs).with_suffix(".html").as_posix()
        lines.append(f"- [{title[2:]}]({SITE}{place})")
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def link_to_repository(_app: Sphinx, page: str, source: list[str]) -> None:
    """Turn links to files outside docs/ into links to the repository."""
    out = "../" * (page.count("/") + 1)
    source[0] = source[0].replace(f"]({out}", f"]({REPOSITORY}blob/main/")


def _entry(name: str) -> str:
    value = getattr(truebleu, name)
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
        members = (
            "" if kind == "autoexception" else "   :members:\n   :inherited-members: Exception\n"
        )
        return f".. {kind}:: truebleu.{name}\n{members}\n"
    if callable(value):
        return f".. autofunction:: truebleu.{name}\n\n"
    return f".. py:data:: truebleu.{name}\n\n   See :doc:`../api`.\n\n"
