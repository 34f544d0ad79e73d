"""``truebleu compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import inf

from truebleu.cli.external import add_scores, external_from
from truebleu.cli.files import SystemFile
from truebleu.cli.options import FILES, add_files, add_metrics, add_tests, metrics_from
from truebleu.cli.output import add_format, say, write
from truebleu.cli.systems import (
    compare_counted,
    compare_metrics,
    count_systems,
    name_of,
    system_names,
)
from truebleu.cli.tabular import TABLES, add_tables, check_source
from truebleu.errors import SettingsError, TruebleuError, UnknownNameError
from truebleu.record import plain
from truebleu.significance.results import NOTHING_CHOSEN, PAIR_ORDERS, PairChoice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from truebleu.display.blocks import Block
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.results import Comparison

_GATES = ("worse", "significantly-worse")


def add_options(command: ArgumentParser) -> None:
    command.description = (
        "Compare systems: intervals, paired significance tests, ranks and clusters."
    )
    command.epilog = f"{FILES} {TABLES}"
    add_files(command, several=True, required=False)
    add_tables(command, several=True)
    tests = add_tests(
        command, "compare the others with this system only; by default all with each other"
    )
    tests.add_argument(
        "--detectable",
        action="store_true",
        help="show the difference that each test would find four times in five, alone and after "
        "correction",
    )
    pairs = command.add_argument_group("output of pairs")
    pairs.add_argument(
        "--sort-pairs",
        metavar="ORDER",
        choices=PAIR_ORDERS,
        help="the order of the pairs, one of rank (that of their systems), difference (the largest "
        "first), p (the smallest adjusted p-value first), name (default: rank; of ten or more "
        "systems, only the pairs of the best are shown)",
    )
    pairs.add_argument(
        "--only-significant",
        action="store_true",
        help="leave out pairs that are not significant",
    )
    pairs.add_argument(
        "--pairs-with",
        metavar="SYSTEM",
        help="leave out pairs without this system; tests are the same",
    )
    pairs.add_argument(
        "--p-matrix",
        action="store_true",
        help="show adjusted p-values as a matrix of systems; instead of the list of pairs",
    )
    add_metrics(command, several=True)
    add_scores(command)
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--fail-if",
        metavar="WHEN",
        choices=_GATES,
        help="fail if a system is worse than the baseline: exit with code 1; WHEN is worse or "
        "significantly-worse",
    )
    output.add_argument(
        "--margin",
        type=float,
        default=0.0,
        metavar="X",
        help="how many points worse --fail-if lets a system be (default: 0)",
    )
    output.add_argument(
        "--paper",
        action="store_true",
        help="one table for a paper; with notes, and a paragraph on the methods",
    )


def run(options: Namespace) -> None:
    """Print the systems and their pairs."""
    metrics = metrics_from(options)
    check_source(options)
    _add_baseline(options)
    _check_gate(options)
    choice = _pair_choice(options)
    external = external_from(options, metrics)
    names, statistics = count_systems(metrics, options)
    counted = [dict(zip(names, several, strict=True)) for several in statistics]
    if external is not None:
        metrics += external.metrics.values()
        counted += external.counted(names, len(next(iter(counted[0].values())))).values()
    found: Comparison | Comparisons
    if len(metrics) == 1:
        baseline = name_of(options.baseline, options)
        found = compare_counted(metrics[0], options, counted[0], baseline=baseline)
    else:
        found = compare_metrics(metrics, options, counted)

    def blocks(plain: bool) -> list[Block]:
        if options.paper:
            return found.paper().blocks(plain=plain)
        return found.blocks(detectable=options.detectable, plain=plain, choice=choice)

    options.latex_float |= options.paper and options.format == "latex"
    write(options, blocks, lambda: _values(found, choice))
    if options.fail_if:
        _refuse_worse(list(found.values()) if isinstance(found, Mapping) else [found], options)


def _check_gate(options: Namespace) -> None:
    """Refuse a gate that makes no sense."""
    if options.baseline is None and options.fail_if:
        raise SettingsError("--fail-if needs a system to compare with: --baseline SYSTEM")
    if options.fail_if and len(options.hypotheses or options.systems) < 2:
        raise SettingsError(f"--fail-if needs a system besides the baseline, {options.baseline}")
    if options.margin and not options.fail_if:
        raise SettingsError(f"--margin changes nothing without --fail-if {' or '.join(_GATES)}")
    if not 0 <= options.margin < inf:
        raise SettingsError(f"--margin is {options.margin}; a number from 0 up is needed")
    if options.fail_if == "significantly-worse" and options.alternative == "better":
        raise SettingsError("one-sided tests find no system that is significantly worse")


def _add_baseline(options: Namespace) -> None:
    """Let the baseline be a file that is none of the systems."""
    given = options.baseline
    if given is None or options.hypotheses or not os.path.isfile(given):  # noqa: PTH113  # Slow.
        return
    if name_of(given, options) not in system_names(options):
        options.systems.append(SystemFile(given))


def _refuse_worse(comparisons: Sequence[Comparison], options: Namespace) -> None:
    """Say which systems are worse than the baseline; raise the last of these."""
    significant = options.fail_if == "significantly-worse"
    worse = [
        f"{pair.one}: {found.metric.name} is {options.fail_if.replace('-', ' ')} than that of the "
        f"baseline: {pair} (--fail-if {options.fail_if})"
        for found in comparisons
        for pair in found.regressions(significant=significant, margin=options.margin)
    ]
    for each in worse[:-1]:
        say(each)
    if worse:
        raise TruebleuError(worse[-1])


def _pair_choice(options: Namespace) -> PairChoice:
    names = options.hypotheses or system_names(options)
    system = name_of(options.pairs_with, options)
    if system is not None and system not in names:
        raise UnknownNameError(
            f"there is no system {system!r} for --pairs-with; choose one of {', '.join(names)}"
        )
    if options.p_matrix and options.detectable:
        raise SettingsError("--detectable adds columns to the list of pairs: leave out --p-matrix")
    choice = PairChoice(
        sort_by=options.sort_pairs,
        only_significant=options.only_significant,
        with_system=system,
        as_matrix=options.p_matrix,
    )
    if options.paper and (options.detectable or choice != NOTHING_CHOSEN):
        raise SettingsError("--paper shows no pairs: leave out the options for these")
    return choice


def _values(found: Comparison | Comparisons, choice: PairChoice) -> dict[str, Any]:
    values = found.to_dict()
    if isinstance(found, Mapping):
        for name, comparison in found.items():
            values["comparisons"][name]["pairs"] = plain(choice.of(comparison.pairs))
    else:
        values["pairs"] = plain(choice.of(found.pairs))
    return values
