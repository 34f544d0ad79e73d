"""Options that several commands share: declared here, and turned into values here."""

from __future__ import annotations

import argparse

from truebleu.cli.files import SystemFile
from truebleu.display.registry import FORMATS
from truebleu.metrics.threads import thread_count
from truebleu.significance.design import (
    ALTERNATIVES,
    INTERVALS,
    LEGACIES,
    RESAMPLING,
    TESTS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Collection, Mapping
    from typing import Any, Protocol

    class Group(Protocol):
        """A parser, or a group of its options."""

        def add_argument(self, *names: str, **how: Any) -> Any:
            """Add an option."""


FILES = (
    "Files are UTF-8, one segment per line; - is standard input; .gz, .bz2, .xz and .zst are "
    "decompressed on the fly."
)

# How each parameter of resampling is given; its default is declared with it.
_RESAMPLING: dict[str, dict[str, Any]] = {
    "test": {
        "choices": TESTS,
        "help": "the test of differences: approximate-randomization tests whether outputs are "
        "interchangeable; bootstrap, with 200 or more segments or documents, whether scores are "
        "equal",
    },
    "n_trials": {
        "type": int,
        "metavar": "N",
        "help": "trials of each test; if this is not given, a test stops early once 500 are "
        "extreme",
    },
    "alpha": {
        "type": float,
        "metavar": "X",
        "help": "a difference is significant if its adjusted p-value is below this",
    },
    "alternative": {
        "choices": ALTERNATIVES,
        "help": "better: test only whether the first system of a pair is better than the second",
    },
    "n_resamples": {"type": int, "metavar": "N", "help": "resamples for intervals"},
    "interval": {
        "choices": INTERVALS,
        "help": "kind of confidence interval of a score; those of differences are "
        "expanded-percentile",
    },
    "confidence_level": {"type": float, "metavar": "X", "help": "level of the intervals"},
    "seed": {"type": int, "metavar": "N", "help": "seed of the random numbers"},
    "legacy": {
        "choices": LEGACIES,
        "help": "reproduce the numbers of sacreBLEU, to the last bit; its paired bootstrap finds "
        "differences between equal systems more often than alpha says",
    },
}

# The defaults that follow from something else.
_DEFAULTS_IN_WORDS = {
    "n_trials": "10000, or more if there are many tests",
    "confidence_level": "1 - alpha",
}

# A float has fewer.
_MOST_DECIMALS = 20


def add_files(command: ArgumentParser, *, several: bool, required: bool = True) -> None:
    """Add the outputs of systems, one or several, and their references."""
    command.add_argument(
        "systems",
        nargs="+" if several else 1,
        type=SystemFile,
        metavar="SYSTEM",
        help="output of a system, one segment per line; NAME=FILE names the system",
    )
    group = command.add_argument_group("input")
    references = group.add_mutually_exclusive_group(required=required)
    references.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="REFERENCE",
        help="reference translations, one segment per line",
    )
    references.add_argument(
        "-t",
        "--test-set",
        metavar="NAME",
        help="references of a test set, such as wmt24; downloaded if necessary; or of one "
        "described by a .toml file",
    )
    group.add_argument(
        "-l", "--language-pair", metavar="PAIR", help="language pair of the test set, such as en-de"
    )
    add_as_text(group)
    add_threads(command)


def add_as_text(group: Group) -> None:
    """Add the choice to read files that look like something else."""
    group.add_argument(
        "--as-text",
        action="store_true",
        help="read files as lines of text, even if they look like SGML, XML, JSON or tables",
    )


def add_threads(command: ArgumentParser) -> None:
    """Add the number of threads."""
    command.add_argument(
        "--threads", type=int, metavar="N", help="threads to use (default: all processors)"
    )


def add_format(
    group: Group, names: Collection[str] = FORMATS.keys(), instead_of: Group | None = None
) -> None:
    """Add the output format; the first of the names is the default.

    Parameters
    ----------
    group : Group
    names : collection of str
        The formats that make sense for this command.
    instead_of : Group, optional
        A group of options of which only one can be given, the format among them.
    """
    first, *rest = names
    others = "; ".join(f"{name}: {FORMATS[name].help}" for name in rest)
    (instead_of or group).add_argument(
        *("-f", "--format"),
        choices=tuple(names),
        default=first,
        help=f"one of {', '.join(names)}: {first}: {FORMATS[first].help}; {others} "
        f"(default: {first})",
    )
    if "latex" in names:
        group.add_argument(
            "--latex-float",
            action="store_true",
            help="with --format latex, write a table float with a caption and a label",
        )


def add_width(group: Group) -> None:
    """Add the number of decimals."""
    group.add_argument(
        *("-w", "--width"),
        type=_decimals,
        default=2,
        metavar="N",
        help="decimals of a score (default: 2)",
    )


def add_stats_out(group: Group) -> None:
    """Add the file that statistics are written to."""
    group.add_argument(
        "--stats-out",
        metavar="FILE",
        help="also write the statistics behind the scores to a .parquet or .jsonl file; there is a "
        "row for each score, and truebleu merge adds up such files",
    )


def add_tests(command: ArgumentParser, baseline: str) -> Group:
    """Add how systems are compared; `baseline` says what that option does. Return the group."""
    group = command.add_argument_group("resampling")
    group.add_argument("--baseline", metavar="SYSTEM", help=baseline)
    add_resampling(group)
    return group


def add_resampling(
    group: Group,
    defaults: Mapping[str, Any] = RESAMPLING,
    documents: str = "resample whole documents instead of segments: FILE has one line per segment, "
    "the ID of its document",
) -> None:
    """Add parameters of intervals and tests, and the documents; `documents` says what they do."""
    for name, how in _RESAMPLING.items():
        if name in defaults:
            default = defaults[name]
            said = _DEFAULTS_IN_WORDS.get(name) if default is None else default
            about = how["help"] if said is None else f"{how['help']} (default: {said})"
            option = f"--{name.replace('_', '-')}"
            group.add_argument(option, **(how | {"default": default, "help": about}))
    group.add_argument(
        "--documents",
        metavar="FILE",
        help=documents,
    )


def resampling_from(options: Namespace) -> dict[str, Any]:
    """Return the parameters of intervals and tests that the command has."""
    given = vars(options)
    return {name: given[name] for name in RESAMPLING if name in given}


def threads_from(options: Namespace) -> int:
    """Return the number of threads that the options ask for."""
    return thread_count(options.threads)


def _decimals(text: str) -> int:
    # Python reads no number of thousands of digits.
    if not (text.isdecimal() and len(text) < 20 and int(text) <= _MOST_DECIMALS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is given; the number of decimals is a whole number from 0 to "
            f"{_MOST_DECIMALS}"
        )
    return int(text)
