"""``truebleu tokenize``: the tokens that are compared."""

from __future__ import annotations

from truebleu.cli.given import as_file, blocks_of, reading_from
from truebleu.cli.options import (
    FILES,
    add_as_text,
    add_no_header,
    add_text,
    add_text_settings,
    add_threads,
)
from truebleu.cli.output import Output, add_format, write
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
    from collections.abc import Iterator
    from typing import Any

    from truebleu._core import Lines
    from truebleu.cli.parsing import Command, Namespace
    from truebleu.metrics.bleu.metric import Bleu


def add_options(command: Command) -> None:
    command.description = "Split every line into tokens, separated by one space."
    command.epilog = FILES
    command.add_argument(
        "files",
        nargs="*",
        default=[],
        metavar="FILE",
        help="lines of text (default: standard input)",
    )
    group = command.add_argument_group("input")
    add_text(group, "FILE is a string, not a file")
    add_as_text(group)
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
    if options.text and (options.column is not None or not options.files):
        raise SettingsError("--text needs strings in place of files, and no --column")
    if not options.text:
        refuse_twice(options.files)
    split = bleu._counter.spans if options.offsets else bleu._counter.tokens
    if form not in ("text", "jsonl"):
        found: list[Any] = [
            split(text) for lines, count in _blocks(options) for text in lines.texts(count)
        ]
        write(options, lambda _: [_table(found)], lambda: found)
        return
    with Output(options) as output:
        for lines, count in _blocks(options):
            if form == "text":
                ready = bleu._counter.prepared(lines, count, threads)
                output.buffer.write(bleu._core.tokenize_lines(ready, threads))
            else:
                rows = map(json_line, map(split, lines.texts(count)))
                output.buffer.write("".join(rows).encode("utf-8", "backslashreplace"))


def _blocks(options: Namespace) -> Iterator[tuple[Lines, int]]:
    """Read the files block by block."""
    for path in options.files or ("-",):
        system = as_file(path, repr(path)) if options.text else path
        if options.column is not None:
            system = SystemFile(path).of_column(options.column, None)
        for [file], count in blocks_of(Given(systems=(system,), reading=reading_from(options))):
            yield file.lines, count


def _table(lines: list[list[str]]) -> Block:
    rows = [("", (str(number), " ".join(tokens))) for number, tokens in enumerate(lines, 1)]
    return Block(header=("line", "tokens"), rows=rows, align="rl")
