"""``truebleu score``: the BLEU of whole files."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.cli import tabular
from truebleu.cli.files import blocks, lines_of
from truebleu.cli.options import bleu_from, threads_from
from truebleu.cli.output import FORMATS, Scored
from truebleu.cli.progress import Bar
from truebleu.errors import SettingsError
from truebleu.inputs.checks import check_corpus
from truebleu.metrics.dialects import named
from truebleu.metrics.lines import observe, prepared, stats
from truebleu.metrics.stats import BleuStats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from truebleu.metrics.bleu import Bleu
    from truebleu.significance.results import Comparison, Interval


def run(options: Namespace) -> None:
    """Score the systems and print them."""
    bleu = bleu_from(options)
    _check(options)
    if options.hypotheses:
        header, labels, counted = tabular.count(bleu, options)
    else:
        header, labels = ("system",), [(name,) for name in system_names(options)]
        counted = count_files(bleu, options, each=options.confidence)
    scores = [bleu.score(stats) for stats in counted]
    width = options.width
    dialect = named(options.dialect or "sacrebleu")
    # A number from 0 to 1 needs two digits more to say as much.
    digits = width if dialect.scale == 100 else width + 2
    numbers = [f"{dialect.number(score.score):.{digits}f}" for score in scores]
    if options.score_only:
        print("\n".join(numbers))
        return
    signature = scores[0].signature
    intervals: list[Interval] = []
    if options.confidence:
        intervals, signature = _intervals(bleu, options, counted)
    scored = Scored(header, labels, scores, width, intervals, signature)
    print(FORMATS[options.format].write(scored), end="")
    if options.format == "table" and dialect.scale != 100:
        print(f"{dialect.tool}, from 0 to {dialect.scale}: {', '.join(numbers)}")


def _check(options: Namespace) -> None:
    """Refuse lines of files and columns of tables at once.

    Raises
    ------
    SettingsError
        If they are mixed, or one of them is missing.
    """
    lines, columns = options.references, options.reference_columns
    if options.hypotheses and (lines or not columns):
        raise SettingsError("with --hypothesis, name the columns of references with --reference")
    if not options.hypotheses:
        if columns or options.group_by or options.where:
            raise SettingsError("--reference, --group-by and --where go with --hypothesis")
        if not lines:
            raise SettingsError(
                "what are the references? Name files of lines with -r; or, if these are tables, "
                "columns with --hypothesis and --reference"
            )


def _intervals(
    bleu: Bleu, options: Namespace, counted: list[BleuStats]
) -> tuple[list[Interval], str]:
    """Compute an interval for each system, and the signature of all."""
    intervals: list[Interval] = []
    signature = ""
    for own in counted:
        found = compare_counted(bleu, options, {"": own}, test="bootstrap")
        intervals += [each.interval for each in found.systems.values() if each.interval]
        signature = found.signature
    return intervals, signature


def compare_counted(
    bleu: Bleu, options: Namespace, counted: dict[str, BleuStats], **how: Any
) -> Comparison:
    """Compare systems as the options say, with a progress bar if it takes long."""
    # NumPy is slow to load, and not every command needs it.
    from truebleu.significance.compare import compare

    bar = Bar("drawing")
    try:
        return compare(
            counted,
            samples=options.samples,
            interval=options.interval,
            level=options.level,
            seed=options.seed,
            legacy=options.legacy,
            documents=None if options.docs is None else lines_of(options.docs),
            threads=options.threads,
            progress=bar.update,
            metric=bleu,
            **how,
        )
    finally:
        bar.close()


def system_names(options: Namespace) -> list[str]:
    """Call the systems what their files are called; of two alike the second gets a number."""
    names: list[str] = []
    for path in options.systems:
        name = "standard input" if path == "-" else path
        count = sum(name == other or other.startswith(f"{name} (") for other in names)
        names.append(f"{name} ({count + 1})" if count else name)
    return names


def count_files(bleu: Bleu, options: Namespace, *, each: bool) -> list[BleuStats]:
    """Count files in memory that does not grow with the text.

    Returns
    -------
    list of BleuStats
        One for each system: a row per line if `each`, else their sum.
    """
    threads = threads_from(options)
    systems = options.systems
    parts: list[list[BleuStats]] = [[] for _ in systems]
    observed = [Observed() for _ in systems]
    for files, count in blocks(systems, options.references):
        ready = [prepared(bleu, file.lines, count, threads) for file in files]
        others = ready[len(systems) :]
        raw = [file.lines for file in files]
        for own, before, seen, text in zip(ready, parts, observed, raw, strict=False):
            observe(bleu, seen, text, raw[len(systems) :], count)
            part = stats(bleu, own, others, count, threads, each=each, observed=seen)
            if before and not each:
                before[0] += part
            else:
                before.append(part)
    for name, seen in zip(system_names(options), observed, strict=True):
        check_corpus(seen, bleu.tokenizer_name, bleu.unicode_form, name)
    return [BleuStats.join(each) for each in parts if each]
