"""Pages of the site that are made of the package itself, and not written by hand."""

import inspect
import json
import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import truebleu
from playground import page
from sphinx.application import Sphinx
from truebleu.cli.arguments import COMMANDS, command_parser

REPOSITORY = "https://github.com/truebleu/truebleu/"
SITE = "https://truebleu.github.io/truebleu/"
ROOT = Path(__file__).parent.parent

_COMMANDS = """# Commands

Every command of `truebleu`. Its page has all options, as `truebleu COMMAND --help` prints them;
[the command line](../command_line.md) has examples.

| command | what it does |
|---|---|
{rows}
"""
_COMMAND = """---
orphan: true
---

# truebleu {name}

{about}. [All commands](../commands.md); [the command line](../../command_line.md) has examples.

```text
{text}```
"""
_NAMES = """# All names

The docstring of each public name has a page of its own. The [API](../api.md) has them by subject,
with their parameters.

| name | what it is |
|---|---|
{rows}
"""
_NAME = """:orphan:

{name}
{line}

:doc:`All names <../names>` · :doc:`API <../../api>`

{entry}"""


# The playground is a page of its own, on the site with a way back.
_BACK = """<main>
<nav aria-label="Site"><a href="index.html">truebleu</a> · <a href="course/index.html">Course</a> ·
<a href="ko/index.html" lang="ko">한국어</a></nav>"""


def _page(name: str) -> str:
    """Return the page of a public name; some file systems take `audit` and `Audit` for the same."""
    twin = name[:1].isupper() and name.lower() in truebleu.__all__
    return f"generated/api/{name}-class" if twin else f"generated/api/{name}"


def _classes() -> dict[str, str]:
    """Return the classes that are public in their modules, by their names."""
    table = (ROOT / "docs" / "api.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| `([a-z_]+(?:\.[a-z_]+)+)` \| ((?:`\w+`(?:, )?)+) \|$", table)
    return {name: f"{module}.{name}" for module, each in rows for name in re.findall(r"\w+", each)}


PLACES = {name: name for name in (*truebleu.__all__, "meta", "parts")} | _classes()
"""Where each public name is in the package, by the name alone."""

PAGES = {name: _page(name) for name in PLACES}
"""The page of each public name."""


def value_of(name: str) -> Any:
    """Return what has a public name."""
    module, _, last = f"truebleu.{PLACES[name]}".rpartition(".")
    return getattr(import_module(module), last)


def command_page(name: str) -> str:
    """Return the page of a command."""
    return f"generated/commands/{name}"


def write_pages(folder: Path) -> None:
    """Write a page for each command, and for each name in Python."""
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("api", "commands"):
        (folder / place).mkdir(parents=True)
    for name, about in COMMANDS.items():
        text = command_parser(name).format_help()
        page = _COMMAND.format(name=name, about=about[0].upper() + about[1:], text=text)
        (folder / "commands" / f"{name}.md").write_text(page, "utf-8")
    rows = "\n".join(f"| `truebleu {name}` | {about} |" for name, about in COMMANDS.items())
    (folder / "commands.md").write_text(_COMMANDS.format(rows=rows), "utf-8")
    names = sorted(PAGES, key=str.casefold)
    for name in names:
        place = (folder.parent / PAGES[name]).with_suffix(".rst")
        place.write_text(_NAME.format(name=name, line="=" * len(name), entry=_entry(name)), "utf-8")
    rows = "\n".join(f"| `{name}` | {_about(name)} |" for name in names)
    (folder / "names.md").write_text(_NAMES.format(rows=rows), "utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (folder / "changelog.md").write_text(changes.replace("](docs/", "](../"), "utf-8")


def write_extra(folder: Path) -> None:
    """Write the playground, what a wrong address shows, and an index for language models."""
    folder.mkdir(exist_ok=True)
    (folder / "playground.html").write_text(page().replace("<main>", _BACK, 1), "utf-8")
    missing = (Path(__file__).parent / "not_found.html").read_text("utf-8")
    (folder / "404.html").write_text(missing.replace("{site}", SITE), "utf-8")
    lines = ["# truebleu", "", "> BLEU, chrF++ and TER for Python and the command line.", ""]
    docs = ROOT / "docs"
    for path in sorted(docs.glob("**/*.md")):
        if path == docs / "index.md" or docs / "generated" in path.parents:
            continue
        text = path.read_text("utf-8")
        title = next(line for line in text.splitlines() if line.startswith("# "))
        place = path.relative_to(docs).with_suffix(".html").as_posix()
        lines.append(f"- [{title[2:]}]({SITE}{place})")
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def write_scorer(path: Path) -> None:
    """Write how the search ranks, with keywords.tsv: words that places are found by, too."""
    here = Path(__file__).parent
    lines = (here / "keywords.tsv").read_text("utf-8").splitlines()
    keywords = dict(line.split("\t") for line in lines if not line.startswith("#"))
    code = (here / "scorer.js").read_text("utf-8")
    path.write_text(f"const KEYWORDS = {json.dumps(keywords)};\n{code}", "utf-8")


def link_to_repository(_app: Sphinx, page: str, source: list[str]) -> None:
    """Turn links to files outside docs/ into links to the repository."""
    out = "../" * (page.count("/") + 1)
    source[0] = source[0].replace(f"]({out}", f"]({REPOSITORY}blob/main/")


def link_pages(
    _app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Turn the name of a page in a docstring into a link to it."""
    lines[:] = [re.sub(r"(?:``)?docs/(\w+)\.md(?:``)?", r":doc:`/\1`", line) for line in lines]


def _entry(name: str) -> str:
    value, place = value_of(name), f"truebleu.{PLACES[name]}"
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
        members = (
            "" if kind == "autoexception" else "   :members:\n   :inherited-members: Exception\n"
        )
        return f".. {kind}:: {place}\n{members}\n"
    if inspect.ismodule(value):
        return f".. automodule:: {place}\n   :members:\n   :imported-members:\n\n"
    if callable(value):
        return f".. autofunction:: {place}\n\n"
    return f".. py:data:: truebleu.{name}\n\n   {_about(name)}\n   See :doc:`../../api`.\n\n"


def _about(name: str) -> str:
    """Return the first sentence of a docstring."""
    value = value_of(name)
    if name == "__version__":
        return "The version of the package and of its core."
    if isinstance(value, dict):
        return "Each dialect by its name: how another tool computes the metric."
    words = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    words = re.sub(r":\w+:`(?:truebleu\.)?([\w.]+)`", r"`\1`", words)
    return words.replace("|", "\\|").replace("``", "`")
