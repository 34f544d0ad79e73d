"""``truebleu check``: how a program answers the cases of the conformance kit."""

from __future__ import annotations

import math
from threading import TIMEOUT_MAX

from truebleu.cli.arguments import GateError
from truebleu.cli.output import Bar, add_format, write
from truebleu.cli.parameters import WrongValueError
from truebleu.cli.parsing import Command, Namespace
from truebleu.conformance.cases import LEVELS, METRICS, Data, manifest, question, read_cases
from truebleu.conformance.probes import is_function, reads_files
from truebleu.conformance.protocol import Program, command_of
from truebleu.conformance.verdict import judge
from truebleu.display.formatting import count
from truebleu.display.words import LANGUAGES
from truebleu.errors import InputError, SettingsError

_LIMIT = 60.0


def add_options(command: Command) -> None:
    command.description = (
        "Ask a program for scores that are known, and say which of its answers are right."
    )
    command.epilog = (
        "The program reads one case per line of its standard input, as JSON, and writes "
        '{"id": ..., "score": ...} or {"id": ..., "skip": "reason"} for each. The exit code is 1 '
        "if an answer is wrong, or every case is skipped, and 2 if the program breaks these rules."
    )
    command.add_argument(
        "command",
        nargs="+",
        metavar="COMMAND",
        help="the program and its arguments, behind --; a Python function, as MODULE:FUNCTION, "
        "which takes a case and returns a score, or None to skip it; or, to be told which mistake "
        "it makes, one that takes hypotheses and references, as FILE.py, FILE.ipynb or "
        "FILE.py:FUNCTION (or CLASS.METHOD), or a command with {hypotheses} and {references}, "
        "which become the names of files: one for each reference, or {reference} for the first "
        "alone",
    )
    cases = command.add_argument_group("input")
    cases.add_argument(
        "--level",
        nargs="+",
        choices=LEVELS,
        metavar="LEVEL",
        help=f"the levels to ask about, of {', '.join(LEVELS)} (default: all; wmt needs --data)",
    )
    cases.add_argument(
        "-m",
        "--metrics",
        "--metric",
        nargs="+",
        type=str.lower,
        choices=METRICS,
        metavar="METRIC",
        help=f"the metrics to ask about, of {', '.join(METRICS)} (default: all)",
    )
    cases.add_argument(
        "--data",
        metavar="FOLDER",
        help="a folder with outputs of WMT systems; files are found by their checksums",
    )
    cases.add_argument(
        "--time-limit",
        type=_seconds,
        default=_LIMIT,
        metavar="SECONDS",
        help=f"end the program if it gives no answer for this long (default: {_LIMIT:g})",
    )
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="say which mistake it makes in English or Korean: en or ko (default: en)",
    )


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    # No thread can wait longer than that.
    if not 0 < number <= TIMEOUT_MAX:
        raise WrongValueError(f"{text!r} is given; a number of seconds is needed")
    return number


def run(options: Namespace) -> None:
    """Print the verdict; raise if an answer is wrong, or the protocol is broken."""
    if is_function(options.command) or reads_files(options.command):
        _diagnose(options)
    else:
        _judge(options)


def _diagnose(options: Namespace) -> None:
    # NumPy is slow to load, and the cases of the kit do not need it.
    from truebleu.conformance.diagnosis import checked

    for name in ("level", "metrics", "data"):
        if getattr(options, name) is not None:
            raise SettingsError(f"--{name} chooses cases of the kit; a BLEU of one's own has none")
    with Bar("asking") as bar:
        diagnosis = checked(options.command, options.time_limit, bar.update)._in(options.language)
    write(options, lambda _: diagnosis.blocks(), diagnosis.to_dict)
    if not diagnosis.right:
        raise GateError(f"{diagnosis.name} does not compute BLEU")


def _judge(options: Namespace) -> None:
    levels = options.level or LEVELS
    if options.data is None and options.level and "wmt" in options.level:
        raise SettingsError("--level wmt needs --data FOLDER, with outputs of WMT systems")
    data = Data(options.data)
    every = read_cases(levels, options.metrics or METRICS)
    cases = [case for case in every if data.has(case)]
    if not cases:
        raise InputError(f"no file of the {count(len(every), 'case')} is below {options.data}")
    program = Program(command_of(options.command), options.time_limit)
    with Bar("asking") as bar:
        program.ask([question(case, data) for case in cases], bar.update)
    verdict = judge(
        manifest()["conformance"],
        options.command,
        cases,
        program.answers,
        program.violations,
        len(every) - len(cases),
    )
    write(options, lambda _: verdict.blocks(), verdict.to_dict)
    if verdict.violations:
        raise SettingsError(f"the program broke the protocol: {verdict.violations[0]}")
    if verdict.grades["wrong"]:
        raise GateError(
            f"{verdict.grades['wrong']:,} of {count(verdict.answered, 'answer')} are wrong: "
            "the verdict has the smallest case of each law"
        )
    if not verdict.answered:
        raise GateError("every case was skipped, so nothing has been checked")
