"""``truebleu compare --runs`` and ``--sets``: several runs of systems, or several test sets."""

from __future__ import annotations

from truebleu.cli.files import SystemFile, refuse_twice
from truebleu.cli.parameters import Namespace
from truebleu.cli.resampling import design_from, known_documents, shown, units_from
from truebleu.cli.systems import count_systems, name_of, system_names
from truebleu.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.cli.output import Group
    from truebleu.metrics.metric import Metric
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.results import Comparison

# What --sets replaces in the names of files.
_PLACE = "{set}"


def add_several(group: Group) -> None:
    group.add_argument(
        "--runs",
        action="append",
        nargs="+",
        metavar="NAME=FILE",
        help="several runs of a system, instead of SYSTEM: such as training runs, as in --runs "
        "new=a.txt b.txt; give it for each system",
    )
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
        "statistics that truebleu score --segment-stats has written",
    )


def use_runs(options: Namespace) -> dict[str, list[str]]:
    """Let the systems be all runs; return the names of the runs of each system."""
    groups: dict[str, list[str]] = {}
    runs = []
    for first, *others in options.runs:
        named = SystemFile(first)
        if named.name is None:
            path = named.text.lstrip("=")
            raise SettingsError(f"--runs {first}: name the system, as in --runs new={path}")
        if named.name in groups:
            raise SettingsError(f"--runs {named.name}= is given twice; give all its files at once")
        names = [f"{named.name}, run {number}" for number in range(1, len(others) + 2)]
        groups[named.name] = names
        runs += [_file(path, name) for path, name in zip([named, *others], names, strict=True)]
    if options.systems or options.hypotheses:
        raise SettingsError("--runs takes the place of SYSTEM and of columns: leave those out")
    options.systems = runs
    return groups


def refuse_with_several(options: Namespace, metrics: list[Metric]) -> None:
    """Refuse what runs, or sets, cannot be combined with."""
    option = "--runs" if options.runs else "--sets" if options.sets else "--unpaired"
    wrong = {
        "--sets": options.runs and options.sets,
        "--unpaired": options.unpaired and option != "--unpaired",
        "-m with several metrics": len(metrics) > 1,
        "--scores": options.scores,
        "--hypothesis-column": options.hypotheses and not options.saved,
        "-t": options.sets and (options.test_set or options.language_pair),
    }
    for name, given in wrong.items():
        if given:
            raise SettingsError(f"{option} and {name} cannot be combined: leave one out")
    if options.unpaired and not options.saved:
        raise SettingsError(
            "--unpaired takes files of statistics: count each corpus with truebleu score "
            "--segment-stats FILE.jsonl"
        )


def _file(path: str, name: str | None) -> SystemFile:
    made = SystemFile(f"run={path}")
    made.name, made.text = name, str(path)
    return made


def compare_run_files(
    metric: Metric, options: Namespace, groups: dict[str, list[str]]
) -> Comparison:
    from truebleu.significance.notes import Notes
    from truebleu.significance.runs import compare_counted_runs

    names, [counted] = count_systems([metric], options)
    by_run = dict(zip(names, counted, strict=True))
    design = design_from(options, baseline=name_of(options.baseline, options))
    if design.n_resamples is None:
        raise SettingsError("--runs needs bootstrap samples")
    with shown():
        documents = known_documents(options)
        return compare_counted_runs(
            metric, groups, by_run, documents, design, options.threads, Notes()
        )


def compare_set_files(metric: Metric, options: Namespace) -> Comparisons:
    from truebleu.significance.notes import Notes
    from truebleu.significance.sets import compare_counted_sets

    names = system_names(options)
    for path in (*options.systems, *options.references):
        if _PLACE not in path:
            raise SettingsError(
                f"{path} has no {_PLACE}, so --sets cannot tell which of its files is that of a set"
            )
    sets, units = {}, {}
    in_files = isinstance(options.units, str) and _PLACE in options.units
    for name in dict.fromkeys(options.sets):
        part = Namespace(**vars(options))
        part.systems = [
            _file(path.replace(_PLACE, name), system)
            for path, system in zip(options.systems, names, strict=True)
        ]
        part.references = [path.replace(_PLACE, name) for path in options.references]
        if in_files:
            part.units = options.units.replace(_PLACE, name)
            units[name] = units_from(part)
        refuse_twice([*part.systems, *part.references])
        [counted] = count_systems([metric], part)[1]
        sets[name] = dict(zip(names, counted, strict=True))
    whole = Namespace(**vars(options))
    whole.units = "auto" if in_files else options.units
    design = design_from(whole, baseline=name_of(options.baseline, options))
    with shown():
        return compare_counted_sets(metric, sets, {}, units, design, options.threads, Notes())


def compare_unpaired_files(metric: Metric, options: Namespace) -> Comparison:
    from truebleu.significance.notes import Notes
    from truebleu.significance.unpaired import compare_counted_unpaired

    saved = options.saved
    parts = {name: saved.select(systems=[name]) for name in saved.systems}
    counted = {name: part.stats(metric)[name] for name, part in parts.items()}
    known = {name: part.documents for name, part in parts.items()}
    design = design_from(options, baseline=name_of(options.baseline, options))
    with shown():
        return compare_counted_unpaired(metric, counted, known, {}, design, Notes())
