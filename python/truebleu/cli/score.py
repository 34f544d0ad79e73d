"""``truebleu score``: the scores of whole files."""

from __future__ import annotations

import os

from truebleu.cli.arguments import GateError
from truebleu.cli.counting import count, count_documents
from truebleu.cli.given import given_from
from truebleu.cli.options import add_input, add_metrics, add_resampling, metrics_from, names_of
from truebleu.cli.output import Output, say, signed, width_of, write
from truebleu.cli.parameters import WrongValueError
from truebleu.cli.scored import Scored, ScoredColumn, add_output
from truebleu.display.blocks import Block
from truebleu.display.formats import tsv_row
from truebleu.display.formatting import count as count_of
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError, SettingsWarning, warn
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.dialect import named
from truebleu.metrics.registry import as_bleu, metrics_of
from truebleu.significance.design import ALPHA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.cli.scored import Counted
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Score, Stats
    from truebleu.significance.pair import Interval
    from truebleu.test_sets.loading import TestSet


def add_options(command: Command) -> None:
    about = "Score system outputs in text files or table columns."
    add_input(command, about, several=True).add_argument(
        "--group-by",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="one score per distinct value of these columns; 'documents' for files of lines with "
        "--units FILE, or with -t",
    )
    command.add_argument_group("input").add_argument(
        "--sets",
        action="extend",
        nargs="+",
        metavar="SET",
        help="a table of systems and test sets, and averages: {set} in the names of files stands "
        "for each SET, and * for the name of a system, which may lack a set",
    )
    add_metrics(command, several=True)
    output = add_output(command)
    output.add_argument(
        "--batch",
        metavar="NAME",
        help="a name for these segments in --stats-out, such as a date: when files are merged, the "
        "same batch counts once",
    )
    output.add_argument(
        "--fail-under",
        nargs="+",
        metavar="X",
        help="exit with code 1 if the score of any system is below X, from 0 to 100 (TER: above "
        "it); with several metrics, METRIC=X for each, such as bleu=27 ter=60",
    )
    output.add_argument(
        "--cite",
        action="store_true",
        help="print what a paper says: a sentence for the methods section, and BibTeX entries",
    )
    intervals = command.add_argument_group("resampling")
    intervals.add_argument(
        "--confidence",
        nargs="?",
        type=_level,
        bare=1 - ALPHA,
        metavar="LEVEL",
        help="add a confidence interval to each score, by bootstrap resampling; LEVEL is 95% by "
        "default",
    )
    add_resampling(intervals, ("units", "n_resamples", "seed"))


def run(options: Namespace) -> None:
    """Score the systems and print them."""
    if options.sets:
        from truebleu.cli.sets import score_sets

        score_sets(options)
        return
    given = given_from(options, saved=True)
    metrics = metrics_from(options, given)
    thresholds = _thresholds(options, metrics)
    _check(options, given)
    if options.text:
        metrics = [metric._scoped(segment=True) for metric in metrics]
    found = _count(metrics, options, given)
    scores = [
        [metric.score(stats) for stats in systems]
        for metric, systems in zip(metrics, found.counted, strict=True)
    ]
    if options.stats_out:
        from truebleu.cli.saved import write_sums

        write_sums(metrics, found, given, options)
    if options.cite:
        _cite(scores, found, options, given)
    elif options.score_only:
        columns = [_numbers(several, options) for several in scores]
        with Output(options) as output:
            output.write("".join(map(tsv_row, zip(*columns, strict=True))))
    else:
        columns_of_metrics = [
            _with_intervals(several, systems, options, given)
            for several, systems in zip(scores, found.counted, strict=True)
        ]
        notes = [note for several in scores for note in _notes(several, options)]
        notes += dict.fromkeys(note for each in columns_of_metrics for note in each.notes)
        if given.test_set is not None and given.saved is None:
            # A dialect has its own tokenizer.
            notes.append(_note_about(given.test_set, metrics if options.dialect is None else []))
        grouped = options.group_by is not None
        shown = Scored(found, columns_of_metrics, grouped=grouped)
        shown.write(options, notes, given.test_set)
    _refuse_worse(thresholds, [", ".join(map(str, label)) for label in found.labels], scores)


def _level(text: str) -> float:
    """Read a confidence level: 0.99, 99 or 99%."""
    number = float(text.removesuffix("%"))
    level = number if number < 1 else round(number / 100, 12)
    if not 0.5 <= level < 1:
        raise WrongValueError(f"{text!r} is given; a level such as 95% or 0.95 is needed")
    return level


def _count(metrics: list[Metric], options: Namespace, given: Given) -> Counted:
    """Count the systems; a row per segment if there are intervals."""
    threads = thread_count(options.threads)
    if given.saved is not None and (difference := given.saved.other_references()):
        warn(difference, SettingsWarning)
    if options.group_by and given.columns is None:
        from truebleu.cli.resampling import documents_from

        documents = documents_from(options, given)
        if documents is None:
            raise SettingsError(
                "--group-by documents needs the ID of each segment's document: --units FILE, or a "
                "test set with -t"
            )
        return count_documents(metrics, given, threads, documents)
    checksum = None
    if options.stats_out:
        from truebleu.metrics.stats_rows import ReferenceChecksum

        checksum = ReferenceChecksum()
    each = options.confidence is not None
    groups = options.group_by or ()
    return count(metrics, given, threads, each=each, groups=groups, checksum=checksum)


def _cite(scores: list[list[Score]], found: Counted, options: Namespace, given: Given) -> None:
    """Print a sentence for the methods section of a paper, and what it cites."""
    from truebleu.display.blocks import Cell
    from truebleu.reporting.quotes import entry
    from truebleu.significance.paper import reported

    metrics = [several[0].metric for several in scores]
    # Of several systems, the signatures are the same.
    signatures = [several[0].signature for several in scores]
    if given.test_set is not None:
        signatures = [signed(each, given.test_set) for each in signatures]
    names = [f"{metric.name}|" * (len(metrics) > 1) for metric in metrics]
    said = "; ".join(map("".join, zip(names, signatures, strict=True)))
    known = found.segments[:1] if options.group_by is None else []
    segments = f" on {count_of(sum(known), 'segment')}" * bool(known)
    methods = f"We report {reported(metrics)} (signature: {said}){segments}."
    works = dict.fromkeys(work for metric in metrics for work in metric._about.works)
    entries = [entry(work) for work in works]
    block = Block(
        lines=[Cell(line, "code") for each in (methods, *entries) for line in each.split("\n")]
    )
    write(options, lambda _: [block], lambda: {"methods": methods, "bibtex": entries})


def _note_about(test_set: TestSet, metrics: Sequence[Metric]) -> str:
    """Say what the references are, and which tokenizer BLEU has."""
    note = (
        f"References: {test_set.name} {test_set.pair}, {count_of(len(test_set), 'segment')}, "
        f"{count_of(len(test_set.references[0]), 'reference')} each."
    )
    bleu = next(filter(None, map(as_bleu, metrics)), None)
    if bleu is not None and isinstance(bleu.tokenizer, str):
        note += f" Tokenizer of BLEU: {bleu.tokenizer}"
        by_language = bleu.tokenizer == test_set.tokenizer
        note += ", as in sacreBLEU." if by_language else f"; in sacreBLEU {test_set.tokenizer}."
    return note


def _numbers(scores: list[Score], options: Namespace) -> list[str]:
    # Only BLEU has dialects.
    if options.dialect is None:
        return [f"{score.score:.{width_of(options)}f}" for score in scores]
    dialect = named("bleu", options.dialect if as_bleu(scores[0].metric) else "sacrebleu")
    # A number from 0 to 1 needs two digits more to say as much.
    digits = width_of(options) + (0 if dialect.scale == 100 else 2)
    return [f"{dialect.number(score.score):.{digits}f}" for score in scores]


def _notes(scores: list[Score], options: Namespace) -> list[str]:
    """Say what the tool of a dialect prints, if its scale is another."""
    if options.dialect is None or not as_bleu(scores[0].metric):
        return []
    dialect = named("bleu", options.dialect)
    if dialect.scale == 100:
        return []
    numbers = ", ".join(_numbers(scores, options))
    return [f"{dialect.tool}, from 0 to {dialect.scale}: {numbers}"]


def _check(options: Namespace, given: Given) -> None:
    """Refuse options that need others, or would have no effect."""
    by_documents = options.group_by == ["documents"] and given.columns is None
    if options.group_by and not (given.columns is not None or by_documents):
        [first, *_] = options.group_by
        file = first if os.path.isfile(first) else "FILE"  # noqa: PTH113
        raise SettingsError(
            f"--group-by {' '.join(options.group_by)} needs a table, with --hypothesis-column; "
            f"for files of lines, write --units {file} --group-by documents, where {file} has the "
            "group of each line"
        )
    if options.units != "auto" and options.confidence is None and not by_documents:
        raise SettingsError(
            "--units has no effect here: add --group-by documents for the score of each document, "
            "or --confidence for an interval; to score each document as one segment, join its "
            "lines first: https://truebleu.github.io/truebleu/command_line.html#documents"
        )
    if options.batch is not None and not options.stats_out:
        raise SettingsError("--batch names what --stats-out writes: add it")
    if options.batch == "":
        raise SettingsError("--batch is empty; a name is needed, such as a date")
    if options.group_by and options.confidence is not None:
        raise SettingsError(
            "--confidence cannot be combined with --group-by: give a table with the rows of one "
            "group"
        )


def _with_intervals(
    scores: list[Score], counted: list[Stats], options: Namespace, given: Given
) -> ScoredColumn:
    signature = scores[0].signature
    if options.confidence is None:
        return ScoredColumn(scores=scores, intervals=[], signature=signature)
    from truebleu.cli.resampling import compare_counted
    from truebleu.significance.inference import exact

    alpha = float(1 - exact(options.confidence))
    intervals: list[Interval] = []
    notes: tuple[str, ...] = ()
    for stats in counted:
        [found] = compare_counted(
            [scores[0].metric], options, given, [{"": stats}], alpha=alpha
        ).values()
        known = [each.interval for each in found.systems.values() if each.interval]
        intervals += [interval.replace(notes=found.notes) for interval in known]
        signature = found.signature
        notes += found.notes
    return ScoredColumn(scores=scores, intervals=intervals, signature=signature, notes=notes)


def _thresholds(options: Namespace, metrics: Sequence[Metric]) -> list[float | None]:
    """Return the threshold of each metric, which ``--fail-under`` calls as ``-m`` does."""
    found: list[float | None] = [None] * len(metrics)
    if not options.fail_under:
        return found
    names = names_of(options, metrics)
    for text in options.fail_under:
        name, equals, number = text.rpartition("=")
        if not equals and len(names) > 1:
            several = " ".join(f"{each}={text}" for each in names)
            raise SettingsError(f"--fail-under {text}: say for which metric: {several}")
        name = name.lower() if equals else names[0]
        if name not in names:
            raise SettingsError(
                f"--fail-under {text}: {name!r} is not computed; choose from {', '.join(names)}"
            )
        if found[names.index(name)] is not None:
            raise SettingsError(f"--fail-under {text}: {name} has another threshold already")
        found[names.index(name)] = _threshold(number, text)
    return found


def _refuse_worse(
    thresholds: Sequence[float | None], labels: Sequence[str], scores: Sequence[Sequence[Score]]
) -> None:
    """Say which scores are worse, before rounding, than their threshold; raise the last."""
    worse: list[str] = []
    names = metrics_of([several[0].metric for several in scores], by_settings=True)
    for (name, metric), threshold, several in zip(names.items(), thresholds, scores, strict=True):
        if threshold is None:
            continue
        sign, side = (1, "below") if metric.higher_is_better else (-1, "above")
        for label, score in zip(labels, several, strict=True):
            if sign * score.score < sign * threshold:
                # As many decimals as it takes to see it.
                shown = (decimals(score.score, f".{places}f") for places in range(2, 16))
                seen = (each for each in shown if sign * float(each) < sign * threshold)
                worse.append(
                    f"{label}: {name} {next(seen, repr(score.score))} is {side} "
                    f"{threshold:g} (--fail-under)"
                )
    for each in worse[:-1]:
        say(each)
    if worse:
        raise GateError(worse[-1])


def _threshold(number: str, text: str) -> float:
    try:
        found = float(number)
    except ValueError:
        found = float("nan")
    # Neither infinity nor what is no number is equal to itself minus itself.
    if found - found != 0:
        raise SettingsError(
            f"--fail-under {text}: {number!r} is not a number; files come before --fail-under"
        )
    # Such a threshold would hardly ever fail, and probably means another scale.
    if found < 0 or 0 < found < 1:
        raise SettingsError(
            f"--fail-under {text}: scores are from 0 to 100"
            + f"; did you mean {100 * found:g}?" * (found > 0)
        )
    return found
