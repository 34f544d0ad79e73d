"""``truebleu playground``: a page that calculates BLEU while you type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(command: ArgumentParser) -> None:
    command.description = (
        "Write an HTML page for people who learn BLEU: it shows every step from the texts to the "
        "score while you type, in English and Korean. The page needs no network."
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="where to write the page"
    )


def run(options: Namespace) -> None:
    from truebleu.cli.output import Announced
    from truebleu.playground import page
    from truebleu.writing import refuse_unwritable, write_whole

    refuse_unwritable(options.output)
    with Announced(options.output, options):
        write_whole(options.output, page().encode())
