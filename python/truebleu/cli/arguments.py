"""What the command line understands."""

from __future__ import annotations

import argparse

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS, __version__
from truebleu.cli import audit, compare, explain, mbr, report, reproduce, score, segments, tokenize
from truebleu.cli.output import FORMATS
from truebleu.metrics.dialects import DIALECTS
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.registry import NAMES

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

    Commands = _SubParsersAction[ArgumentParser]

FILES = (
    "Files are UTF-8, a segment a line; - is standard input; .gz, .bz2, .xz and .zst are read "
    "as they are."
)

TABLES = (
    "With --hypothesis, files are tables: .parquet, .csv, .tsv, .jsonl or .arrow, patterns of "
    "names, or folders."
)

# A float has fewer.
_MOST_DECIMALS = 20


def parser() -> ArgumentParser:
    """Return the parser of all commands; each sets ``run`` to what it does."""
    top = argparse.ArgumentParser(
        prog="truebleu", description="BLEU, exact, explained, and faster than counting the words."
    )
    top.add_argument("--version", action="version", version=f"truebleu {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    for add in (_score, _segments, _compare, _explain):
        add(commands)
    report.add_commands(commands, FILES, _add_all)
    for add in (_audit, _reproduce, _tokenize, _mbr):
        add(commands)
    for command in commands.choices.values():
        command.add_argument("-q", "--quiet", action="store_true", help="print no warnings")
    return top


def _score(commands: Commands) -> None:
    command = commands.add_parser(
        "score",
        help="the BLEU of one or more systems",
        description="Score systems: files of lines, or columns of tables.",
        epilog=f"{FILES} {TABLES}",
    )
    _add_files(command, several=True, required=False)
    _add_tables(command)
    _add_settings(command)
    form = command.add_mutually_exclusive_group()
    for name, about in FORMATS.items():
        form.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=about.help
        )
    form.add_argument("--score-only", action="store_true", help="print the numbers alone")
    _add_width(command)
    command.add_argument(
        "--confidence", action="store_true", help="an interval for each score, by bootstrap"
    )
    _add_resampling(command)
    command.set_defaults(run=score.run, format="table")


def _segments(commands: Commands) -> None:
    command = commands.add_parser(
        "segments",
        help="the BLEU of every segment",
        description="Score every segment by itself, one line each.",
        epilog=FILES,
    )
    _add_files(command, several=False)
    _add_settings(command)
    command.add_argument("--json", action="store_true", help="JSON Lines instead of TSV")
    _add_width(command)
    command.set_defaults(run=segments.run)


def _compare(commands: Commands) -> None:
    command = commands.add_parser(
        "compare",
        help="which system is better, and which differences are significant",
        description=(
            "Compare systems: confidence intervals, tests, and clusters. A line separates systems "
            "when every one above is significantly better than every one below; systems in one "
            "cluster may still differ."
        ),
        epilog=FILES,
    )
    _add_files(command, several=True)
    command.add_argument(
        "--test",
        default="randomisation",
        metavar="NAME",
        help="randomisation or bootstrap (randomisation)",
    )
    report.add_trials(command)
    command.add_argument(
        "--baseline", metavar="SYSTEM", help="compare with this one only (all with each other)"
    )
    command.add_argument(
        "--one-sided",
        action="store_true",
        help="ask only whether the first of a pair is better than the second",
    )
    command.add_argument(
        "--detectable",
        action="store_true",
        help="which difference each test would find four times in five, before correction",
    )
    _add_resampling(command)
    _add_settings(command)
    _add_forms(command, ("json", "tsv", "markdown", "latex", "html"))
    command.set_defaults(run=compare.run)


def _explain(commands: Commands) -> None:
    command = commands.add_parser(
        "explain",
        help="how a score comes about",
        description="Show how a score comes about, for all lines or for one.",
        epilog=FILES,
    )
    _add_files(command, several=False)
    command.add_argument(
        "--segment", type=int, metavar="N", help="explain this line, from 1, instead of all"
    )
    _add_settings(command)
    _add_forms(command, ("json", "markdown", "html"))
    command.set_defaults(run=explain.run)


def _add_all(command: ArgumentParser) -> None:
    _add_files(command, several=True)
    _add_resampling(command)
    _add_settings(command)


def _audit(commands: Commands) -> None:
    command = commands.add_parser(
        "audit",
        help="what other tools would say, and why",
        description="Score a system as every tool does, and say what makes the difference.",
        epilog=FILES,
    )
    _add_files(command, several=False)
    command.add_argument(
        "--explain",
        nargs=2,
        metavar=("ONE", "OTHER"),
        help=f"why two of them differ here: {', '.join(DIALECTS)}",
    )
    command.add_argument("--json", action="store_true", help="JSON instead of a table")
    command.set_defaults(run=audit.run)


def _reproduce(commands: Commands) -> None:
    command = commands.add_parser(
        "reproduce",
        help="the settings that give a published number",
        description="Search for the settings that give a published number.",
        epilog=FILES,
    )
    _add_files(command, several=False)
    command.add_argument(
        "--target", required=True, metavar="X", help="the number as it was printed, such as 27.3"
    )
    command.add_argument(
        "--tokenizers",
        nargs="+",
        metavar="NAME",
        help="the tokenizers to try (all that need no other library)",
    )
    command.add_argument(
        "--most", type=int, default=10, metavar="N", help="how many results to print (10)"
    )
    command.add_argument("--json", action="store_true", help="JSON instead of a table")
    command.set_defaults(run=reproduce.run)


def _tokenize(commands: Commands) -> None:
    command = commands.add_parser(
        "tokenize",
        help="the tokens that are compared",
        description="Split every line into tokens, one space between two.",
        epilog=FILES,
    )
    command.add_argument("files", nargs="*", default=["-"], metavar="FILE")
    _add_text_settings(command)
    command.add_argument(
        "--offsets",
        action="store_true",
        help="JSON Lines instead: for each token also where in the line it came from",
    )
    _add_threads(command)
    command.set_defaults(run=tokenize.run)


def _mbr(commands: Commands) -> None:
    command = commands.add_parser(
        "mbr",
        help="the sample of highest expected BLEU",
        description="Choose from n-best lists by minimum Bayes risk; a line for each source.",
        epilog=FILES,
    )
    command.add_argument("files", nargs="*", default=["-"], metavar="FILE")
    command.add_argument(
        "--format",
        choices=mbr.READERS,
        default="jsonl",
        help="jsonl: objects with key, text and perhaps weight; tsv: key, tab, text; moses: |||",
    )
    command.add_argument(
        "--method",
        default="exact",
        metavar="NAME",
        help="exact, or aggregated, which is an approximation for many samples (exact)",
    )
    command.add_argument("--json", action="store_true", help="JSON Lines with all scores")
    _add_threads(command)
    _add_settings(command)
    command.set_defaults(run=mbr.run)


def _add_tables(command: ArgumentParser) -> None:
    command.add_argument(
        "--hypothesis",
        dest="hypotheses",
        action="append",
        metavar="COLUMN",
        help="the files are tables, and this column has the output of a system",
    )
    command.add_argument(
        "--reference",
        dest="reference_columns",
        action="append",
        metavar="COLUMN",
        help="a column of references: strings, or lists of them; may be given several times",
    )
    command.add_argument(
        "--group-by", metavar="COLUMN,...", help="a score for each group of rows equal in these"
    )
    command.add_argument("--where", metavar="SQL", help="only rows for which this is true")


def _add_files(command: ArgumentParser, *, several: bool, required: bool = True) -> None:
    command.add_argument(
        "systems",
        nargs="+" if several else 1,
        metavar="SYSTEM",
        help="output of a system, a segment a line",
    )
    command.add_argument(
        "-r",
        "--references",
        nargs="+",
        required=required,
        metavar="REFERENCE",
        help="reference translations, a segment a line",
    )
    _add_threads(command)


def _add_threads(command: ArgumentParser) -> None:
    command.add_argument(
        "--threads", type=int, metavar="N", help="threads to use (default: all processors)"
    )


def _add_width(command: ArgumentParser) -> None:
    command.add_argument(
        "--width", type=_decimals, default=2, metavar="N", help="decimals of a score (2)"
    )


def _add_forms(command: ArgumentParser, names: tuple[str, ...]) -> None:
    command.set_defaults(format="text")
    forms = command.add_mutually_exclusive_group()
    for name in names:
        forms.add_argument(f"--{name}", dest="format", action="store_const", const=name)


def _add_resampling(command: ArgumentParser) -> None:
    command.add_argument(
        "--samples",
        type=int,
        default=1_000,
        metavar="N",
        help="bootstrap samples for intervals (1000)",
    )
    command.add_argument(
        "--level", type=float, default=0.95, metavar="X", help="level of the intervals (0.95)"
    )
    command.add_argument(
        "--interval", default="bca", metavar="KIND", help="bca or percentile (bca)"
    )
    command.add_argument(
        "--docs",
        metavar="FILE",
        help="draw documents instead of segments: a line of this file names that of a segment",
    )
    command.add_argument(
        "--seed", type=int, default=12345, metavar="N", help="seed of the random numbers (12345)"
    )
    command.add_argument(
        "--legacy", metavar="NAME", help="sacrebleu: the numbers of sacreBLEU, to the last bit"
    )


def _add_text_settings(command: ArgumentParser) -> None:
    command.add_argument(
        "--tokenizer",
        metavar="NAME",
        help=f"one of {', '.join(NAMES)}, or {OWN_MODEL}PATH for a SentencePiece model (13a)",
    )
    command.add_argument(
        "--unicode-form",
        metavar="FORM",
        help=f"bring text into a normal form of Unicode: {', '.join(UNICODE_FORMS)}",
    )
    _add_flag(command, "--lowercase", "compare in lower case")


def _add_settings(command: ArgumentParser) -> None:
    command.add_argument(
        "--dialect",
        metavar="NAME",
        help=f"compute as another tool does: one of {', '.join(DIALECTS)}",
    )
    _add_text_settings(command)
    command.add_argument("--max-order", type=int, metavar="N", help="highest n-gram order (4)")
    command.add_argument(
        "--weights",
        type=_weights,
        metavar="W,W,...",
        help="weights of the orders, from 1 on (uniform)",
    )
    command.add_argument(
        "--smoothing",
        metavar="NAME",
        help=f"one of {', '.join(SMOOTHINGS)} (exp)",
    )
    command.add_argument(
        "--smooth-value", type=float, metavar="X", help="the parameter of the smoothing"
    )
    command.add_argument(
        "--effective-order",
        action=argparse.BooleanOptionalAction,
        help="leave out orders for which the output is too short (where one segment is scored)",
    )
    command.add_argument(
        "--reference-length",
        metavar="RULE",
        help=f"one of {', '.join(REFERENCE_LENGTHS)} (closest)",
    )
    _add_flag(
        command,
        "--phantom-ngrams",
        "count at least one n-gram of every order in every line, as NLTK does",
    )


def _add_flag(command: ArgumentParser, name: str, about: str) -> None:
    """Add a setting that is on if it is named; else it is left to the default or the dialect."""
    command.add_argument(name, action="store_const", const=True, help=about)


def _decimals(text: str) -> int:
    if not (text.isdecimal() and int(text) <= _MOST_DECIMALS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {_MOST_DECIMALS}")
    return int(text)


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(weight) for weight in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list like 0.5,0.3,0.2") from None
