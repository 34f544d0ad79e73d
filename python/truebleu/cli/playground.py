"""``truebleu playground``: a page that calculates BLEU while you type."""

from __future__ import annotations

from truebleu.cli.parameters import Namespace
from truebleu.cli.parsing import Command


def add_options(command: Command) -> None:
    command.description = (
        "Write an HTML page for people who learn BLEU: it shows every step from the texts to the "
        "score while you type, in English and Korean. The page needs no network."
    )
    command.add_argument_group("output").add_argument(
        *("-o", "--output"),
        metavar="FILE",
        help="where to write the page (default: to a temporary folder, and a browser opens it)",
    )


def run(options: Namespace) -> None:
    import tempfile
    import webbrowser
    from pathlib import Path

    from truebleu.cli.output import Announced
    from truebleu.playground import page
    from truebleu.writing import refuse_unwritable, write_whole

    path = options.output or f"{tempfile.mkdtemp()}/playground.html"
    refuse_unwritable(path)
    with Announced(path, options):
        write_whole(path, page().encode())
    if options.output is None:
        webbrowser.open(Path(path).as_uri())
