"""``truebleu mbr``: the sample with the best expected score, for each source."""

from __future__ import annotations

import itertools

from truebleu.cli.options import add_metrics, add_threads, metrics_from
from truebleu.cli.output import Bar, Output, add_format, write
from truebleu.display.blocks import Block
from truebleu.display.formats import json_line
from truebleu.display.formatting import decimals
from truebleu.errors import InputError, SettingsError
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import json_value
from truebleu.inputs.numbers import thread_count
from truebleu.intake.systems import refuse_twice
from truebleu.metrics.registry import as_bleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.generation.decoding import Choice
    from truebleu.metrics.metric import Metric

    Sample = tuple[str, str, float | None]


def add_options(command: Command) -> None:
    command.description = (
        "Choose from n-best lists by minimum Bayes risk: the sample with the best expected score, "
        "one line per source."
    )
    command.epilog = "All samples of one source must be on consecutive lines. - is standard input."
    command.add_argument(
        "files",
        nargs="*",
        default=["-"],
        metavar="FILE",
        help="n-best lists, where each line is an object with key and text (default: standard "
        "input)",
    )
    command.add_argument_group("input").add_argument(
        "--input-format",
        choices=READERS,
        default="jsonl",
        metavar="FORMAT",
        help=(
            f"one of {', '.join(READERS)}: jsonl: objects with key, text and an optional weight; "
            "tsv: key, tab, text; moses: ||| (default: jsonl)"
        ),
    )
    command.add_argument_group("settings").add_argument(
        "--method",
        default="exact",
        metavar="NAME",
        help="exact (default), or aggregated: an approximation that is faster for many samples",
    )
    add_format(command.add_argument_group("output"))
    add_threads(command)
    add_metrics(command, several=False)


def run(options: Namespace) -> None:
    """Print a choice for each source as soon as a sample of the next one, or the end, is read."""
    [metric] = metrics_from(options)
    bleu = as_bleu(metric)
    if bleu is not None and bleu.weights:
        raise SettingsError("mbr takes no weights; --max-order chooses the orders")
    refuse_twice(options.files)
    threads = thread_count(options.threads)
    streamed = options.format in ("text", "jsonl")
    chosen = _choices(options, metric, threads)
    if not streamed:
        found = [{"key": key, **choice.to_dict()} for key, choice in chosen]
        write(options, lambda _: [_table(found, metric)], lambda: found)
        return
    with Output(options) as output:
        for key, choice in chosen:
            line = f"{choice.sample}\n"
            if options.format == "jsonl":
                line = json_line({"key": key, **choice.to_dict()})
            print(line, end="", file=output, flush=True)


def _choices(options: Namespace, metric: Metric, threads: int) -> Iterator[tuple[str, Choice]]:
    """Yield the key of each source, and the choice among its samples."""
    # It needs NumPy, which other commands do not.
    from truebleu.generation.decoding import mbr

    read = READERS[options.input_format]
    done = 0
    with Bar("sources") as bar:
        for path in options.files:
            samples = (read(line, where) for where, line in _lines(path))
            for key, group in itertools.groupby(samples, key=lambda sample: sample[0]):
                _, texts, given = zip(*group, strict=True)
                weights = _weights(key, list(given))
                how = {"method": options.method, "threads": threads, "metric": metric}
                yield key, mbr(list(texts), weights=weights, **how)
                done += 1
                bar.update(done, None)


def _table(found: list[dict[str, Any]], metric: Metric) -> Block:
    rows = [("", (each["key"], decimals(each["score"]), each["sample"])) for each in found]
    return Block(header=("key", f"expected {metric.name}", "sample"), rows=rows, align="lrl")


def _lines(path: str) -> Iterator[tuple[str, str]]:
    """Yield lines as they come in, each with what messages call it."""
    numbers = itertools.count(1)
    with LineFile(path, as_they_come=True) as file:
        while count := file.fill():
            for line in file.lines.texts(count):
                yield f"{file.name}, line {next(numbers):,}", line
            file.lines.drop_front(count)


def _weights(key: str, weights: list[float | None]) -> list[float] | None:
    """Return the weights of the samples of a source: of all, or of none."""
    found = [weight for weight in weights if weight is not None]
    if found and len(found) < len(weights):
        raise InputError(f"source {key}: some samples have a weight, and some have none")
    return found or None


def _jsonl(line: str, where: str) -> Sample:
    try:
        record = json_value(line)
    except (ValueError, RecursionError) as error:
        marks = {"moses": " ||| ", "tsv": "\t"}
        meant = [name for name, mark in marks.items() if mark in line and line.lstrip()[0] != "{"]
        hint = f"; did you mean --input-format {meant[0]}?" if meant else ""
        raise InputError(f"{where}: not JSON: {error}{hint}") from error
    if not isinstance(record, dict) or "key" not in record or "text" not in record:
        raise InputError(
            f'{where}: an object with "key", "text" and an optional "weight" is needed'
        )
    key, text, weight = record["key"], record["text"], record.get("weight")
    if not isinstance(text, str) or isinstance(weight, str | list | dict):
        raise InputError(f'{where}: "text" must be a string, and "weight" a number')
    return str(key), text, weight


def _tsv(line: str, where: str) -> Sample:
    key, tab, text = line.partition("\t")
    if not tab:
        raise InputError(f"{where}: a key, a tab and a text are needed")
    return key, text, None


def _moses(line: str, where: str) -> Sample:
    fields = line.split(" ||| ")
    if len(fields) < 2:
        raise InputError(f"{where}: number ||| text is needed, and ||| scores may follow")
    return fields[0].strip(), fields[1], None


READERS: dict[str, Callable[[str, str], Sample]] = {"jsonl": _jsonl, "tsv": _tsv, "moses": _moses}
"""What reads a line of an n-best list, by the name of the format."""
