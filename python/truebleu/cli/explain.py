"""``truebleu explain``: how a score is calculated."""

from __future__ import annotations

from truebleu.cli.given import given_from, read_systems
from truebleu.cli.options import add_input, add_metrics, metrics_from
from truebleu.cli.output import add_format, write
from truebleu.display.blocks import Block
from truebleu.display.words import LANGUAGES
from truebleu.errors import SettingsError
from truebleu.metrics.registry import explain_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace


def add_options(command: Command) -> None:
    add_input(
        command,
        "Show how a score is calculated, for a corpus or for one segment.",
        several=False,
    )
    command.add_argument_group("input").add_argument(
        "--segment",
        type=int,
        metavar="N",
        help="explain segment N, counted from 1 (default: the whole corpus)",
    )
    command.add_argument_group("settings").add_argument(
        "--signature",
        metavar="SIGNATURE",
        instead_of_arguments=True,
        help="say in words what a signature means, and explain no score",
    )
    add_metrics(command, several=False)
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--all",
        action="store_true",
        help="show all n-grams, edits and references as text, not only what fits a screen",
    )
    output.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="explain in English or Korean: en or ko (default: en)",
    )


def run(options: Namespace) -> None:
    """Print the explanation of a corpus, or of one of its segments."""
    if options.signature is not None:
        said = explain_signature(options.signature)
        block = Block(header=("field", "meaning"), rows=[("", row) for row in said.items()])
        write(options, lambda _: [block], lambda: said)
        return
    from truebleu.analysis.explain import explain

    if options.all and options.format != "text":
        raise SettingsError(f"--all is for text; {options.format} has all of it: leave it out")
    given = given_from(options, several=False)
    [metric] = metrics_from(options, given)
    number = options.segment
    if options.text:
        number = 1 if number is None else number
    systems, references, _ = read_systems(given)
    [(name, hypotheses)] = systems.items()
    corpus: Any = hypotheses, references
    if number is not None:
        if not 1 <= number <= len(hypotheses):
            raise SettingsError(
                f"there is no segment {number}: {name} has segments 1 to {len(hypotheses):,}"
            )
        corpus = hypotheses[number - 1], references[number - 1]
    found = explain(*corpus, metric=metric, language=options.language)
    is_brief = options.format == "text" and not options.all
    blocks = found.brief if is_brief else found.blocks
    write(options, lambda _: blocks(), found.to_dict, given.test_set)
