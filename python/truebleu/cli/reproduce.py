"""``truebleu reproduce``: the settings that give a published score."""

from __future__ import annotations

from truebleu.cli.audit import add_audited_metric
from truebleu.cli.given import given_from, name_of
from truebleu.cli.output import Bar, add_format, write
from truebleu.cli.systems import read_systems
from truebleu.cli.tabular import add_input
from truebleu.display.blocks import Block
from truebleu.errors import SettingsError
from truebleu.tokenizers.registry import from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.analysis.reproduce import Reproduction
    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.intake.given import Given


def add_options(command: Command) -> None:
    add_input(command, "Search for the settings that give a published score.", several=True)
    add_audited_metric(command)
    settings = command.add_argument_group("settings")
    settings.add_argument(
        "--target",
        nargs="+",
        required=True,
        metavar="X",
        help="the score as it was printed, such as 27.3; of several systems, NAME=X for each",
    )
    settings.add_argument(
        "--tokenizers",
        nargs="+",
        metavar="NAME",
        help="the tokenizers to try for BLEU (default: all that need no extra package)",
    )
    settings.add_argument(
        "--max-seconds",
        type=float,
        default=60.0,
        metavar="N",
        help="how long to search; the rarest causes are tried last (default: 60)",
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
    from truebleu.analysis.audit import audit

    given = given_from(options)
    if options.limit < 1:
        raise SettingsError(f"--limit is {options.limit}; a whole number from 1 up is needed")
    tokenizers: list[Any] | None = None
    if options.tokenizers is not None:
        tokenizers = [from_option(text) for text in options.tokenizers]
    systems, references = read_systems(given)
    with Bar("searching") as bar:
        found = audit(
            systems,
            references,
            target=_targets(options, given, list(systems)),
            tokenizers=tokenizers,
            threads=options.threads,
            metric=options.metric,
            max_seconds=options.max_seconds,
            progress=bar.update,
        )
    write(options, lambda _: _blocks(found, options, given), found.to_dict, given.test_set)


def _targets(options: Namespace, given: Given, systems: list[str]) -> dict[str, str]:
    if len(systems) == 1 and len(options.target) == 1:
        return {systems[0]: options.target[0].rpartition("=")[2]}
    targets = {}
    for text in options.target:
        named, equals, number = text.rpartition("=")
        name = name_of(named, given) if equals else None
        if name not in systems:
            raise SettingsError(
                f"--target {text}: of several systems, each needs a target such as "
                f"{systems[0]}=27.3; the systems are {', '.join(systems)}"
            )
        targets[name] = number
    missing = [name for name in systems if name not in targets]
    if missing:
        raise SettingsError(f"--target: there is none for {', '.join(missing)}")
    return targets


def _blocks(found: Reproduction, options: Namespace, given: Given) -> list[Block]:
    blocks = found.blocks(options.limit, given.references)
    left = len(found.matches) - options.limit
    if left > 0:
        more = f"... and {left:,} more; --limit {len(found.matches)} shows all"
        blocks[-1] = Block(lines=[more])
    return blocks
