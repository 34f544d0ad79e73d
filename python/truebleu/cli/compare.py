"""``truebleu compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Mapping

from truebleu.cli.arguments import GateError
from truebleu.cli.external import add_scores, external_from
from truebleu.cli.given import given_from, name_of
from truebleu.cli.options import add_metrics, add_tests, metrics_from
from truebleu.cli.output import add_format, say, write
from truebleu.cli.resampling import compare_counted
from truebleu.cli.several import (
    add_several,
    compare_run_files,
    compare_set_files,
    compare_unpaired_files,
    refuse_texts,
    refuse_with_several,
    runs_from,
)
from truebleu.cli.systems import count_systems
from truebleu.cli.tabular import add_input
from truebleu.display.formatting import p_value
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.intake.given import Given
from truebleu.intake.systems import SystemFile, refuse_same_names
from truebleu.metrics.settings import number
from truebleu.metrics.stats_files import is_saved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.display.blocks import Block
    from truebleu.metrics.metric import Metric
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.results import Comparison

_GATES = ("worse", "significantly-worse", "possibly-worse")


def add_options(command: Command) -> None:
    about = (
        "Compare systems: intervals, paired significance tests, ranks and clusters. Several files "
        "of one name, such as new=a.txt new=b.txt, are runs of a system."
    )
    add_input(command, about, several=True, resampled=True)
    add_several(command.add_argument_group("input"))
    add_tests(command, "compare the others with this system only (default: all with each other)")
    add_metrics(command, several=True)
    add_scores(command)
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--fail-if",
        metavar="WHEN",
        choices=_GATES,
        help="fail if a system is worse than the baseline: exit with code 1; WHEN is worse, "
        "significantly-worse, or possibly-worse (unless it is shown to be at most --margin worse)",
    )
    output.add_argument(
        "--paper",
        action="store_true",
        help="a table for a paper; with notes and a paragraph on the methods",
    )


def run(options: Namespace) -> None:
    """Print the systems and their pairs."""
    groups, systems = runs_from(options)
    if options.unpaired:
        refuse_texts(options)
    given = given_from(options, saved=True, systems=systems or _with_baseline(options))
    metrics = metrics_from(options, given)
    if groups or options.sets or options.unpaired:
        refuse_with_several(options, metrics, runs=bool(groups))
    _check_gate(options, given)
    found: Comparison | Comparisons
    if groups:
        found = compare_run_files(metrics[0], options, given, groups)
    elif options.sets:
        found = compare_set_files(metrics[0], options, given)
    elif options.unpaired and given.saved is not None:
        found = compare_unpaired_files(metrics[0], options, given, given.saved)
    else:
        found = _compare(metrics, options, given)

    def blocks(plain: bool) -> list[Block]:
        if options.paper:
            return found.paper().blocks(plain=plain)
        return found.blocks(plain=plain)

    def values() -> dict[str, Any]:
        return (found.paper() if options.paper else found).to_dict()

    write(options, blocks, values, given.test_set, as_float=options.paper)
    if options.fail_if:
        found = getattr(found, "average", None) or found
        _refuse_worse(list(found.values()) if isinstance(found, Mapping) else [found], options)


def _compare(metrics: list[Metric], options: Namespace, given: Given) -> Comparison | Comparisons:
    external = external_from(options, metrics, given)
    counted = count_systems(metrics, given, thread_count(options.threads))
    if external is not None:
        metrics += external.metrics.values()
        segments = len(next(iter(counted[0].values())))
        counted += external.counted(given.names, segments).values()
    baseline = name_of(options.baseline, given)
    found = compare_counted(metrics, options, given, counted, baseline=baseline)
    return next(iter(found.values())) if len(found) == 1 else found


def _check_gate(options: Namespace, given: Given) -> None:
    """Refuse a gate that makes no sense."""
    if options.baseline is None and options.fail_if:
        raise SettingsError("--fail-if needs a system to compare with: --baseline SYSTEM")
    if options.fail_if and len(given.names) < 2:
        raise SettingsError(f"--fail-if needs a system besides the baseline, {options.baseline}")
    if options.margin is not None:
        number("margin", options.margin)
    if options.fail_if == "possibly-worse" and options.margin is None:
        raise SettingsError("--fail-if possibly-worse needs a margin: --margin X")


def _with_baseline(options: Namespace) -> list[SystemFile] | None:
    """Return all systems, if the baseline is a file that is none of them; else nothing."""
    if options.baseline is None or options.sets or options.unpaired or options.hypotheses:
        return None
    baseline = SystemFile(options.baseline)
    if not os.path.isfile(baseline):  # noqa: PTH113  # pathlib is slow to load.
        return None
    if any(map(is_saved, options.systems)) and not is_saved(baseline):
        return None  # It may be the name of a system.
    given = Given(systems=tuple(options.systems))
    if name_of(baseline.text, given) in given.names:
        return None
    if baseline.name is not None:
        alike = [each for each in options.systems if each.name == baseline.name]
        refuse_same_names([*alike, baseline])
    return [*options.systems, baseline]


def _refuse_worse(comparisons: Sequence[Comparison], options: Namespace) -> None:
    """Say which systems are worse than the baseline; raise the last of these."""
    margin = options.margin or 0.0
    how: Any = {"significant": options.fail_if == "significantly-worse", "margin": margin}
    possibly = options.fail_if == "possibly-worse"
    if how["significant"] and not options.quiet:
        for found in comparisons:
            for pair in found.regressions(margin=margin):
                if not pair.significant:
                    text = (
                        f"{pair.one}: {found.metric.name} is worse, but not significantly: {pair}"
                    )
                    say(text)
    worse = []
    for found in comparisons:
        pairs = found.possible_regressions() if possibly else found.regressions(**how)
        for pair in pairs:
            more = f", p of at most {margin:g} worse {p_value(pair.p_not_worse or 0.0)}" * possibly
            worse.append(
                f"{pair.one}: {found.metric.name} is {options.fail_if.replace('-', ' ')} than that "
                f"of the baseline: {pair}{more} (--fail-if {options.fail_if})"
            )
    for each in worse[:-1]:
        say(each)
    if worse:
        raise GateError(worse[-1])
