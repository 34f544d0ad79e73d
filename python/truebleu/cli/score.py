"""``truebleu score``: the scores of whole files."""

from __future__ import annotations

import sys

from truebleu.cli.given import given_from
from truebleu.cli.options import add_metrics, add_resampling, metrics_from, names_of, option_name
from truebleu.cli.output import say, signed, write
from truebleu.cli.scored import Counted, Scored, ScoredColumn, add_output
from truebleu.cli.systems import count_documents, count_files
from truebleu.cli.tabular import add_input
from truebleu.display.blocks import Block
from truebleu.display.formats import tsv_row
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError, TruebleuError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.dialect import named
from truebleu.metrics.registry import as_bleu, explain_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.cli.scored import Label
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Score, Stats
    from truebleu.significance.pair import Interval


def add_options(command: Command) -> None:
    tables = add_input(
        command, "Score system outputs in text files or table columns.", several=True, text=True
    )
    tables.add_argument(
        "--group-by",
        metavar="COLUMN,...",
        help="one score per distinct value of these columns; 'documents' for files of lines with "
        "--units FILE, or with -t",
    )
    tables.add_argument(
        "--nulls",
        choices=["error", "empty", "skip"],
        default="error",
        help="rows without hypothesis or reference: an error, as if empty, or left out",
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
    command.add_argument_group("settings").add_argument(
        "--explain-signature",
        metavar="SIGNATURE",
        instead_of_arguments=True,
        help="say in words what a signature means; score nothing",
    )
    output = add_output(command)
    output.add_argument(
        "--segment-stats",
        metavar="FILE",
        help="also write the statistics of each segment, to .jsonl or .jsonl.gz: score, "
        "segments and compare read such files in place of texts",
    )
    output.add_argument(
        "--batch",
        metavar="NAME",
        help="a name for these segments in --stats-out and --segment-stats, such as a date: when "
        "files are merged, the same batch counts once",
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
        action="store_true",
        help="add a confidence interval to each score; by bootstrap resampling",
    )
    add_resampling(intervals, abouts={"alpha": "intervals have a confidence level of 1 - X"})


def run(options: Namespace) -> None:
    """Score the systems and print them."""
    if options.explain_signature is not None:
        said = explain_signature(options.explain_signature)
        rows = [("", item) for item in said.items()]
        block = Block(header=("field", "meaning"), rows=rows, align="ll")
        write(options, lambda _: [block], lambda: said)
        return
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
    found, references = _count(metrics, options, given)
    labels, counted = found.labels, found.counted
    scores = [
        [metric.score(stats) for stats in systems]
        for metric, systems in zip(metrics, counted, strict=True)
    ]
    if options.stats_out or options.segment_stats:
        from truebleu.cli.resampling import documents_from
        from truebleu.cli.saved import write_counted

        documents = documents_from(options, given)
        write_counted(metrics, found, given, options, references, documents)
    if options.cite:
        _cite(scores, found, options, given)
    elif options.score_only:
        columns = [_numbers(several, options) for several in scores]
        sys.stdout.write("".join(map(tsv_row, zip(*columns, strict=True))))
    else:
        columns_of_metrics = [
            _with_intervals(several, systems, options, given)
            for several, systems in zip(scores, counted, strict=True)
        ]
        notes = [note for several in scores for note in _notes(several, options)]
        notes += dict.fromkeys(note for each in columns_of_metrics for note in each.notes)
        if given.test_set is not None and given.saved is None:
            from truebleu.cli.test_set import note_about

            # A dialect has its own tokenizer.
            of_language = metrics if options.dialect is None else []
            notes.append(note_about(given.test_set, of_language))
        Scored(found.header, labels, columns_of_metrics).write(options, notes, given.test_set)
    if thresholds:
        sys.stdout.flush()
        _refuse_worse(thresholds, [", ".join(map(str, label)) for label in labels], scores)


def _count(metrics: list[Metric], options: Namespace, given: Given) -> tuple[Counted, str | None]:
    """Count the systems; if statistics are written, return the checksum of the references too."""
    checksum = None
    if (options.stats_out, options.segment_stats) != (None, None):
        # Before the work, and not after it.
        from truebleu.cli.saved import check_outputs
        from truebleu.metrics.stats_rows import ReferenceChecksum, checksum_of

        check_outputs(options, given.files)
        checksum = ReferenceChecksum()
    if given.saved is not None:
        from truebleu.cli.saved import count_saved

        return count_saved(metrics, given.saved, each=options.confidence), None
    threads = thread_count(options.threads)
    if options.group_by and given.columns is None:
        from truebleu.cli.resampling import documents_from

        documents = documents_from(options, given)
        if documents is None:
            raise SettingsError(
                "--group-by documents needs the ID of each segment's document: --units FILE, or a "
                "test set with -t"
            )
        return count_documents(metrics, given, threads, documents), None
    each = bool(options.confidence or options.segment_stats)
    if given.columns is not None:
        from truebleu.cli import tabular

        groups = options.group_by.split(",") if options.group_by else ()
        how = given, given.columns
        counted_columns = tabular.count(metrics, *how, groups=groups, threads=threads, each=each)
        if not options.segment_stats:
            return counted_columns, None
        return counted_columns, checksum_of(tabular.read_texts(*how)[1])
    counted, lines = count_files(metrics, given, threads, each=each, checksum=checksum)
    labels: list[Label] = [(name,) for name in given.names]
    found = Counted(
        header=("system",), labels=labels, counted=counted, segments=[lines] * len(labels)
    )
    return found, None if checksum is None else str(checksum)


def _cite(scores: list[list[Score]], found: Counted, options: Namespace, given: Given) -> None:
    """Print a sentence for the methods section of a paper, and what it cites."""
    from truebleu.display.blocks import Cell
    from truebleu.display.formatting import count
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
    segments = f" on {count(sum(known), 'segment')}" * bool(known)
    methods = f"We report {reported(metrics)} (signature: {said}){segments}."
    works = dict.fromkeys(work for metric in metrics for work in metric._about.works)
    entries = [entry(work) for work in works]
    block = Block(
        lines=[Cell(line, "code") for each in (methods, *entries) for line in each.split("\n")]
    )
    write(options, lambda _: [block], lambda: {"methods": methods, "bibtex": entries})


def _numbers(scores: list[Score], options: Namespace) -> list[str]:
    # Only BLEU has dialects.
    if options.dialect is None:
        return [f"{score.score:.{options.width}f}" for score in scores]
    dialect = named("bleu", options.dialect if as_bleu(scores[0].metric) else "sacrebleu")
    # A number from 0 to 1 needs two digits more to say as much.
    digits = options.width if dialect.scale == 100 else options.width + 2
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
    by_documents = options.group_by == "documents" and given.columns is None
    if options.group_by and not (given.columns is not None or by_documents):
        raise SettingsError(
            f"--group-by {options.group_by} needs --hypothesis-column; to score the documents in "
            "files of lines, give --units FILE --group-by documents"
        )
    if options.units != "auto" and not (
        options.confidence or options.segment_stats or by_documents
    ):
        raise SettingsError(
            "--units has no effect here: add --group-by documents for the score of each document, "
            "or --confidence for an interval"
        )
    for name in ("confidence", "segment_stats"):
        if options.group_by and getattr(options, name):
            raise SettingsError(
                f"{option_name(name)} cannot be combined with --group-by: give a table with the "
                "rows of one group"
            )
    if options.segment_stats and options.nulls == "skip":
        raise SettingsError(
            "--segment-stats cannot be combined with --nulls skip, because other systems may lack "
            "other rows: choose --nulls empty"
        )
    if options.batch is not None and not (options.stats_out or options.segment_stats):
        raise SettingsError("--batch names what --stats-out or --segment-stats writes: add one")
    if options.batch == "":
        raise SettingsError("--batch is empty; a name is needed, such as a date")


def _with_intervals(
    scores: list[Score], counted: list[Stats], options: Namespace, given: Given
) -> ScoredColumn:
    signature = scores[0].signature
    if not options.confidence:
        return ScoredColumn(scores=scores, intervals=[], signature=signature)
    from truebleu.cli.resampling import compare_counted

    intervals: list[Interval] = []
    notes: tuple[str, ...] = ()
    for stats in counted:
        [found] = compare_counted([scores[0].metric], options, given, [{"": stats}]).values()
        known = [each.interval for each in found.systems.values() if each.interval]
        intervals += [interval.replace(notes=found.notes) for interval in known]
        signature = found.signature
        notes += found.notes
    return ScoredColumn(scores=scores, intervals=intervals, signature=signature, notes=notes)


def _thresholds(options: Namespace, metrics: Sequence[Metric]) -> dict[str, float]:
    """Return the thresholds of ``--fail-under`` by the names of metrics, which ``-m`` orders."""
    names = dict(zip(names_of(options, metrics), metrics, strict=True))
    found: dict[str, float] = {}
    for text in options.fail_under or ():
        name, equals, number = text.rpartition("=")
        if not equals and len(names) > 1:
            several = " ".join(f"{each}={text}" for each in names)
            raise SettingsError(f"--fail-under {text}: say for which metric: {several}")
        name = name.lower() if equals else next(iter(names))
        if name not in names:
            raise SettingsError(
                f"--fail-under {text}: {name!r} is not computed; choose from {', '.join(names)}"
            )
        metric = names[name].name
        if metric in found:
            raise SettingsError(f"--fail-under {text}: {metric} has another threshold already")
        found[metric] = _threshold(number, text)
    return found


def _refuse_worse(
    thresholds: dict[str, float], labels: Sequence[str], scores: Sequence[Sequence[Score]]
) -> None:
    """Say which scores are worse, before rounding, than their threshold; raise the last."""
    worse: list[str] = []
    for several in scores:
        metric = several[0].metric
        threshold = thresholds.get(metric.name)
        if threshold is None:
            continue
        sign, side = (1, "below") if metric.higher_is_better else (-1, "above")
        for label, score in zip(labels, several, strict=True):
            if sign * score.score < sign * threshold:
                # As many decimals as it takes to see it.
                shown = (decimals(score.score, f".{places}f") for places in range(2, 16))
                seen = (each for each in shown if sign * float(each) < sign * threshold)
                worse.append(
                    f"{label}: {metric.name} {next(seen, repr(score.score))} is {side} "
                    f"{threshold:g} (--fail-under)"
                )
    for each in worse[:-1]:
        say(each)
    if worse:
        raise TruebleuError(worse[-1])


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
