"""``--sets``: several test sets, for each of which ``{set}`` in the names of files stands."""

from __future__ import annotations

import errno
import os
import re
from glob import glob

from truebleu.cli.counting import count_files
from truebleu.cli.given import reading_from
from truebleu.cli.options import metrics_from, option_name
from truebleu.cli.output import width_of, write
from truebleu.cli.scored import identifiers_of
from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.intake.given import Given
from truebleu.intake.systems import SystemFile, system_names
from truebleu.metrics.metric import directions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.cli.parsing import Namespace
    from truebleu.display.blocks import Line
    from truebleu.metrics import Metric, Score

    # The score of each set that a system has.
    OfSystem = dict[str, Score]

PLACE = "{set}"
"""What stands for the name of a set."""

# What scores of several sets are not combined with.
_ALONE = (
    *("hypotheses", "reference_columns", "text", "test_set", "language_pair", "group_by"),
    *("confidence", "stats_out", "batch", "fail_under", "score_only", "missing"),
)


def score_sets(options: Namespace) -> None:
    """Print a table of systems and sets for each metric."""
    metrics = metrics_from(options)
    threads = thread_count(options.threads)
    _refuse_others(options)
    found: list[dict[str, OfSystem]] = [{} for _ in metrics]
    sets = list(dict.fromkeys(options.sets))
    files = {name: _files(options, name) for name in sets}
    # In the order in which they are given, whichever set is the first that has one.
    every = list(dict.fromkeys(each for systems, _ in files.values() for each in systems))
    for path in options.systems:
        if not any(path == each or _is_wild(path) for each in every):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    for name, (systems, _) in files.items():
        if not systems:
            raise SettingsError(f"--sets {name}: there is no output of a system for it")
    names = dict(zip(every, system_names(every), strict=True))
    for name, (systems, references) in files.items():
        given = Given(
            systems=tuple(systems.values()),
            references=tuple(references),
            reading=reading_from(options),
        )
        every_metric = count_files(metrics, given, threads, each=False)[0]
        for metric, of_metric, counted in zip(metrics, found, every_metric, strict=True):
            for system, stats in zip(systems, counted, strict=True):
                of_metric.setdefault(names[system], {})[name] = metric.score(stats)
    # People read two decimals; programs get every digit, as in JSON.
    form = {
        False: f".{width_of(options)}f",
        True: "" if options.width is None else f".{options.width}f",
    }
    write(
        options,
        lambda plain: [
            _block(metric, of_metric, sets, form[plain], plain=plain)
            for metric, of_metric in zip(metrics, found, strict=True)
        ],
        lambda: _values(metrics, found, sets),
    )


def _refuse_others(options: Namespace) -> None:
    given = [name for name in _ALONE if getattr(options, name)]
    given += ["units"] * (options.units != "auto")
    if given:
        raise SettingsError(f"--sets and {option_name(given[0])} cannot be combined: leave one out")


def _files(options: Namespace, name: str) -> tuple[dict[SystemFile, SystemFile], list[str]]:
    """Return the systems of a set by their names with ``{set}``, and its references."""
    systems = {
        path.of_name(template): SystemFile(file)
        for path in options.systems
        for template, file in expanded(path, name).items()
        if os.path.exists(file)  # noqa: PTH110  # pathlib is slow to load.
    }
    references = [
        file for path in options.references or () for file in expanded(path, name).values()
    ]
    return systems, references


def expanded(path: str, name: str) -> dict[str, str]:
    """Return the files of a set, by their names with ``{set}`` in place of its name.

    ``*`` and ``?`` stand for parts of names that sets have in common.
    """
    if PLACE not in path:
        raise SettingsError(
            f"{path} has no {PLACE}, so --sets cannot tell which of its files is that of a set"
        )
    if not _is_wild(path):
        return {path: path.replace(PLACE, name)}
    parts = re.split(r"(\{set\}|\*|\?)", path)
    wild = {"*": "([^/]*)", "?": "([^/])", PLACE: re.escape(name)}
    pattern = re.compile("".join(wild.get(part, re.escape(part)) for part in parts))
    files = {}
    for file in sorted(glob(path.replace("[", "[[]").replace(PLACE, name))):  # noqa: PTH207
        match = pattern.fullmatch(file)
        if match:
            filled = iter(match.groups())
            files["".join(next(filled) if part in ("*", "?") else part for part in parts)] = file
    return files


def _is_wild(path: str) -> bool:
    return "*" in path or "?" in path


def _numbers(scores: OfSystem, sets: Sequence[str]) -> list[float | None]:
    """Return the score of each set, and their mean; None for a set that the system lacks."""
    values = [scores[name].score if name in scores else None for name in sets]
    there = [value for value in values if value is not None]
    return [*values, sum(there) / len(sets) if len(there) == len(sets) else None]


def _block(
    metric: Metric,
    systems: dict[str, OfSystem],
    sets: Sequence[str],
    form: str,
    *,
    plain: bool,
) -> Block:
    table = [_numbers(scores, sets) for scores in systems.values()]
    best = max if metric.higher_is_better else min
    columns: list[list[Line]] = []
    for values in zip(*table, strict=True):
        there = [value for value in values if value is not None]
        marked = best(there) if len(there) > 1 and not plain else None
        shown = ["" if value is None else decimals(value, form) for value in values]
        columns.append(
            [
                Cell(text, "best") if marked is not None and value == marked else text
                for value, text in zip(values, shown, strict=True)
            ]
        )
    rows = [("", [name, *cells]) for name, *cells in zip(systems, *columns, strict=True)]
    signatures = dict.fromkeys(
        score.signature for scores in systems.values() for score in scores.values()
    )
    lines: list[Line] = [*directions([metric])]
    lines += [Cell(each, "code") for each in signatures]
    if any(None in values for values in table):
        lines.append("a system that lacks a set has no average")
    return Block(f"all sets, {metric.name}", lines, ["system", *sets, "average"], rows)


def _values(
    metrics: Sequence[Metric], found: Sequence[dict[str, OfSystem]], sets: Sequence[str]
) -> list[dict[str, Any]]:
    values = []
    for system in found[0]:
        of_system = {
            called: {
                "sets": {
                    name: {**score.to_dict(), "signature": score.signature}
                    for name, score in systems[system].items()
                },
                "average": _numbers(systems[system], sets)[-1],
            }
            for called, systems in zip(identifiers_of(metrics), found, strict=True)
        }
        alone = next(iter(of_system.values()))
        values.append({"system": system, **(of_system if len(metrics) > 1 else alone)})
    return values
