"""``truebleu tokenize``: the tokens that are compared."""

from __future__ import annotations

import sys

from truebleu.cli.given import blocks_of, reading_from
from truebleu.cli.options import FILES, add_as_text, add_text_settings, add_threads
from truebleu.cli.output import add_format, write
from truebleu.cli.tabular import add_no_header
from truebleu.display.blocks import Block
from truebleu.display.formats import json_line
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.intake.given import Given
from truebleu.intake.systems import SystemFile, refuse_twice
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.registry import METRICS
from truebleu.tokenizers.registry import from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.metrics.bleu.metric import Bleu


def add_options(command: Command) -> None:
    command.description = "Split every line into tokens, separated by one space."
    command.epilog = FILES
    command.add_argument(
        "files",
        nargs="*",
        default=["-"],
        metavar="FILE",
        help="lines of text (default: standard input)",
    )
    add_as_text(command.add_argument_group("input"))
    tables = command.add_argument_group("input of tables")
    tables.add_argument(
        "--column",
        metavar="COLUMN",
        help="column of a table, or field of JSON, SGML or XML; by name or number",
    )
    add_no_header(tables)
    add_text_settings(command.add_argument_group("settings"))
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--offsets",
        action="store_true",
        help="JSON Lines or JSON, with the character offsets of each token",
    )
    command.set_defaults(format=None)
    add_threads(command)


def run(options: Namespace) -> None:
    """Print the tokens of every line."""
    form = options.format or ("jsonl" if options.offsets else "text")
    if options.offsets and form not in ("json", "jsonl"):
        raise SettingsError(f"--offsets needs --format jsonl or json, not {form}")
    tokenizer = options.tokenizer or DEFAULTS["tokenizer"]
    bleu: Bleu = METRICS["bleu"](
        tokenizer=from_option(tokenizer),
        lowercase=bool(options.lowercase),
        unicode_form=options.unicode_form,
    )
    threads = thread_count(options.threads)
    refuse_twice(options.files)
    split = bleu._counter.spans if options.offsets else bleu._counter.tokens
    found: list[Any] = []
    for path in options.files:
        system = path
        if options.column is not None:
            system = SystemFile(path).of_column(options.column, None)
        for [file], count in blocks_of(Given(systems=(system,), reading=reading_from(options))):
            if form == "text":
                ready = bleu._counter.prepared(file.lines, count, threads)
                sys.stdout.buffer.write(bleu._core.tokenize_lines(ready, threads))
            elif form == "jsonl":
                lines = map(json_line, map(split, file.lines.texts(count)))
                sys.stdout.buffer.write("".join(lines).encode("utf-8", "backslashreplace"))
            else:
                found += map(split, file.lines.texts(count))
    if form not in ("text", "jsonl"):
        write(options, lambda _: [_table(found)], lambda: found)


def _table(lines: list[list[str]]) -> Block:
    rows = [("", (str(number), " ".join(tokens))) for number, tokens in enumerate(lines, 1)]
    return Block(header=("line", "tokens"), rows=rows, align="rl")
