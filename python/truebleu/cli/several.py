"""``truebleu compare`` of several runs of systems, several test sets, or unrelated corpora."""

from __future__ import annotations

from truebleu.cli.given import name_of
from truebleu.cli.options import names_of
from truebleu.cli.resampling import design_from, known_documents, shown
from truebleu.cli.sets import PLACE, expanded
from truebleu.cli.systems import count_systems
from truebleu.errors import SettingsError
from truebleu.inputs.forms import DOCUMENT
from truebleu.inputs.numbers import thread_count
from truebleu.intake.files import read_file
from truebleu.intake.systems import SystemFile, refuse_twice
from truebleu.metrics.stats_files import is_saved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.cli.output import Group
    from truebleu.cli.parameters import Namespace
    from truebleu.intake.given import Given
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_saved import SavedStats
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.results import Comparison


def add_several(group: Group) -> None:
    group.add_argument(
        "--sets",
        action="extend",
        nargs="+",
        metavar="SET",
        help="compare on several test sets, and on all together: {set} in the names of files "
        "stands for each SET",
    )
    group.add_argument(
        "--unpaired",
        action="store_true",
        help="the systems are corpora that share no segments, such as two weeks: files of "
        "statistics that truebleu segments --stats-out has written",
    )


def runs_from(options: Namespace) -> tuple[dict[str, list[str]], list[SystemFile] | None]:
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


def refuse_with_several(options: Namespace, metrics: list[Metric], *, runs: bool) -> None:
    """Refuse what runs, or sets, cannot be combined with."""
    option = "several files of one name"
    if not runs:
        option = "--sets" if options.sets else "--unpaired"
    wrong = {
        "--sets": runs and options.sets,
        "--unpaired": options.unpaired and option != "--unpaired",
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


def refuse_texts(options: Namespace) -> None:
    """Refuse corpora that share no segments, unless all are files of statistics."""
    if options.hypotheses or not all(map(is_saved, options.systems)):
        raise SettingsError(
            "--unpaired takes files of statistics: count each corpus with truebleu segments "
            "--stats-out FILE.jsonl"
        )


def _file(path: str, name: str | None) -> SystemFile:
    made = SystemFile(f"run={path}")
    made.name, made.text = name, str(path)
    return made


def compare_run_files(
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


def compare_set_files(metric: Metric, options: Namespace, given: Given) -> Comparisons:
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


def compare_unpaired_files(
    metric: Metric, options: Namespace, given: Given, saved: SavedStats
) -> Comparison:
    from truebleu.significance.notes import Notes
    from truebleu.significance.unpaired import compare_counted_unpaired

    parts = {name: saved.select(systems=[name]) for name in saved.systems}
    counted = {name: part.stats(metric)[name] for name, part in parts.items()}
    known = {name: part.documents for name, part in parts.items()}
    design = design_from(options, given, baseline=name_of(options.baseline, given))
    with shown():
        return compare_counted_unpaired(metric, counted, known, {}, design, Notes())
