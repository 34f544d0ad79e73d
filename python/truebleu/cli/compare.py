"""``truebleu compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Mapping

from truebleu.cli.arguments import GateError
from truebleu.cli.counting import count_systems
from truebleu.cli.external import add_scores, read_scores
from truebleu.cli.given import given_from, name_of
from truebleu.cli.options import add_input, add_metrics, add_tests, metrics_from, names_of
from truebleu.cli.output import add_format, say, write
from truebleu.cli.resampling import compare_counted, design_from, known_documents, shown
from truebleu.cli.sets import PLACE, expanded
from truebleu.display.formatting import p_value
from truebleu.errors import SettingsError
from truebleu.inputs.forms import DOCUMENT
from truebleu.inputs.numbers import thread_count
from truebleu.intake.files import read_file
from truebleu.intake.given import Given
from truebleu.intake.systems import SystemFile, refuse_same_names, refuse_twice
from truebleu.metrics.settings import number
from truebleu.metrics.stats_files import is_saved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
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
    command.add_argument_group("input").add_argument(
        "--sets",
        action="extend",
        nargs="+",
        metavar="SET",
        help="compare on several test sets, and on all together: {set} in the names of files "
        "stands for each SET",
    )
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
    groups, systems = _runs_from(options)
    given = given_from(options, saved=True, systems=systems or _with_baseline(options))
    metrics = metrics_from(options, given)
    if groups or options.sets:
        _refuse_with_several(options, metrics, runs=bool(groups))
    _check_gate(options, given)
    found: Comparison | Comparisons
    if groups:
        found = _compare_runs(metrics[0], options, given, groups)
    elif options.sets:
        found = _compare_sets(metrics[0], options, given)
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
    scores = read_scores(options, given)
    counted = count_systems(metrics, given, thread_count(options.threads))
    if scores:
        from truebleu.significance.external import ExternalScores

        external = ExternalScores(scores, [metric.name for metric in metrics])
        metrics += external.metrics.values()
        segments = len(next(iter(counted[0].values())))
        counted += external.counted(given.names, segments).values()
    baseline = name_of(options.baseline, given)
    found = compare_counted(metrics, options, given, counted, baseline=baseline)
    return next(iter(found.values())) if len(found) == 1 else found


def _runs_from(options: Namespace) -> tuple[dict[str, list[str]], list[SystemFile] | None]:
    """Return the names of the runs of each system, and their files, if a name has several."""
    runs: dict[str | None, list[str]] = {}
    for path in options.systems:
        runs.setdefault(path.name, []).append(path)
    several = {name: paths for name, paths in runs.items() if name and len(paths) > 1}
    # Statistics of one name are parts of one output.
    if not several or any(map(is_saved, options.systems)):
        return {}, None
    single = [path.text for path in options.systems if path.name not in several]
    if single:
        raise SettingsError(
            f"{next(iter(several))} has several runs, but {single[0]} is one: give at least two of "
            "each system, each as NAME=FILE"
        )
    groups = {
        name: [f"{name}, run {number}" for number in range(1, len(paths) + 1)]
        for name, paths in several.items()
    }
    return groups, [
        _file(path, called)
        for name, paths in several.items()
        for path, called in zip(paths, groups[name], strict=True)
    ]


def _file(path: str, name: str) -> SystemFile:
    made = SystemFile(f"run={path}")
    made.name, made.text = name, str(path)
    return made


def _refuse_with_several(options: Namespace, metrics: list[Metric], *, runs: bool) -> None:
    """Refuse what runs, or sets, cannot be combined with."""
    option = "several files of one name" if runs else "--sets"
    wrong = {
        "--sets": runs and options.sets,
        "--scores": options.scores,
        "--hypothesis-column": options.hypotheses,
        "-t": options.sets and (options.test_set or options.language_pair),
    }
    if len(metrics) > 1:
        words = ", then ".join(f"-m {name}" for name in names_of(options, metrics))
        raise SettingsError(f"{option}: one metric at a time; run it for each: {words}")
    for name, given in wrong.items():
        if given:
            raise SettingsError(f"{option} and {name} cannot be combined: leave one out")


def _compare_runs(
    metric: Metric, options: Namespace, given: Given, groups: dict[str, list[str]]
) -> Comparison:
    from truebleu.significance.notes import Notes
    from truebleu.significance.runs import compare_counted_runs

    threads = thread_count(options.threads)
    [by_run] = count_systems([metric], given, threads)
    design = design_from(options, given, baseline=name_of(options.baseline, given))
    with shown():
        documents = known_documents(given)
        return compare_counted_runs(metric, groups, by_run, documents, design, threads, Notes())


def _compare_sets(metric: Metric, options: Namespace, given: Given) -> Comparisons:
    from truebleu.significance.notes import Notes
    from truebleu.significance.sets import compare_counted_sets

    sets, units, threads = {}, {}, thread_count(options.threads)
    in_files = isinstance(options.units, str) and PLACE in options.units
    for name in dict.fromkeys(options.sets):
        systems = [
            _file(file, system)
            for path, system in zip(given.systems, given.names, strict=True)
            for file in expanded(path, name).values()
        ]
        references = [file for path in given.references for file in expanded(path, name).values()]
        part = given.replace(systems=tuple(systems), references=tuple(references))
        refuse_twice(part.files)
        if in_files:
            units[name] = read_file(options.units.replace(PLACE, name), DOCUMENT)
        [sets[name]] = count_systems([metric], part, threads)
    how = {"units": "auto"} if in_files else {}
    design = design_from(options, given, baseline=name_of(options.baseline, given), **how)
    with shown():
        return compare_counted_sets(metric, sets, {}, units, design, threads, Notes())


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
    if options.baseline is None or options.sets or options.hypotheses:
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
            if options.fail_if == "worse" and not pair.significant:
                more = ", not significantly; to fail only then: --fail-if significantly-worse"
            worse.append(
                f"{pair.one}: {found.metric.name} is {options.fail_if.replace('-', ' ')} than that "
                f"of the baseline: {pair}{more} (--fail-if {options.fail_if})"
            )
    for each in worse[:-1]:
        say(each)
    if worse:
        raise GateError(worse[-1])
