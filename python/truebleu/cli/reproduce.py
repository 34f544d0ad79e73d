"""``truebleu reproduce``: the settings that give a published score."""

from __future__ import annotations

from truebleu.cli.audit import add_audited_metric
from truebleu.cli.options import FILES, add_files
from truebleu.cli.output import add_format, write
from truebleu.cli.systems import read_systems
from truebleu.cli.tabular import TABLES, add_tables, check_source
from truebleu.display.blocks import Block
from truebleu.errors import SettingsError
from truebleu.tokenizers.registry import from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from truebleu.analysis.reproduce import Reproduction


def add_options(command: ArgumentParser) -> None:
    command.description = "Search for the settings that give a published score."
    command.epilog = f"{FILES} {TABLES}"
    add_files(command, several=False, required=False)
    add_tables(command, several=False)
    add_audited_metric(command)
    settings = command.add_argument_group("settings")
    settings.add_argument(
        "--target", required=True, metavar="X", help="the score as it was printed, such as 27.3"
    )
    settings.add_argument(
        "--tokenizers",
        nargs="+",
        metavar="NAME",
        help="the tokenizers to try for BLEU (default: all that need no extra package)",
    )
    output = command.add_argument_group("output")
    output.add_argument(
        "--limit",
        type=int,
        default=10,
        metavar="N",
        help="how many results to print, except in JSON (default: 10)",
    )
    add_format(output)


def run(options: Namespace) -> None:
    """Print the verdict and the candidates."""
    from truebleu.analysis.reproduce import reproduce

    check_source(options, several=False)
    if options.limit < 1:
        raise SettingsError(f"--limit is {options.limit}; a whole number from 1 up is needed")
    tokenizers: list[Any] | None = None
    if options.tokenizers is not None:
        tokenizers = [from_option(text) for text in options.tokenizers]
    systems, references = read_systems(options)
    [hypotheses] = systems.values()
    found = reproduce(
        hypotheses,
        references,
        target=options.target,
        tokenizers=tokenizers,
        threads=options.threads,
        metric=options.metric,
    )
    write(options, lambda _: _blocks(found, options), found.to_dict)


def _blocks(found: Reproduction, options: Namespace) -> list[Block]:
    blocks = found.blocks(options.limit, options.references)
    left = len(found.matches) - options.limit
    if left > 0:
        more = f"... and {left:,} more; --limit {len(found.matches)} shows all"
        blocks[-1] = Block(lines=[more])
    return blocks
