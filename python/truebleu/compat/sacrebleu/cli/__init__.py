"""sacreBLEU's command: the same options, and the same output byte for byte."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys

from truebleu.compat.sacrebleu import printing, utils
from truebleu.compat.sacrebleu.cli import arguments as options
from truebleu.compat.sacrebleu.cli import files
from truebleu.compat.sacrebleu.cli.files import CLOSED_PIPE, LOGICAL_ERROR, FatalError
from truebleu.compat.sacrebleu.metrics import METRICS
from truebleu.compat.sacrebleu.utils import sacrelogger
from truebleu.display.text import visible
from truebleu.errors import MissingExtraError, SettingsError, TruebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from truebleu.compat.sacrebleu.metrics.base import Metric

    Metrics = dict[str, Metric[Any]]


def main(arguments: list[str] | None = None) -> int:
    """Run the command with `arguments`, by default those of the process; return its exit code.

    That is 1 for an error that sacreBLEU reports, 17 if lines differ in their number of fields, 141
    if the reader of the output has closed the pipe (as a program, the process ends by the signal),
    and 2 for wrong usage.
    """
    parser = options.make_parser()
    args = options.parse(arguments, parser)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if not args.quiet:
        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")
    colors = printing.Color.ENABLE_COLORS
    # In sacreBLEU, colorama removes colors from output that goes to a pipe.
    if args.no_color or os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        printing.Color.ENABLE_COLORS = False
    sacrelogger.addFilter(_make_visible)
    try:
        _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None
        if arguments is None and hasattr(signal, "SIGPIPE"):
            # As sacreBLEU ends.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.raise_signal(signal.SIGPIPE)
        return CLOSED_PIPE
    except FatalError as fatal:
        for line in fatal.lines:
            sacrelogger.error(line)
        return fatal.code
    except (MissingExtraError, SettingsError) as error:
        parser.error(str(error))
    except (TruebleuError, OSError, UnicodeError) as error:
        sacrelogger.error(str(error))
        return LOGICAL_ERROR
    finally:
        sacrelogger.removeFilter(_make_visible)
        printing.Color.ENABLE_COLORS = colors
    return 0


def _make_visible(record: logging.LogRecord) -> bool:
    """Write control characters, such as those in names of files, as escapes; log every message."""
    record.msg = "\n".join(map(visible, record.getMessage().split("\n")))
    record.args = None
    return True


def _run(args: Namespace) -> None:
    if args.download:
        files.check_test_sets(args.download, args.langpair)
        for name in args.download.split(","):
            utils.download_test_set(name, args.langpair)
        return
    if args.list:
        files.print_list(args)
        return
    options.check(args)
    if args.citation:
        files.print_citations(args)
        return
    if args.echo:
        for name in args.test_set.split(","):
            utils.print_test_set(name, args.langpair, args.echo, args.origlang, args.subset)
        return
    references = files.read_references(args)
    args.num_refs = len(references)
    names, systems = files.read_systems(args)
    files.check(args, systems)
    whole = systems, references
    systems, references = files.select(args, systems, references)
    # As often as a metric is named, it is computed once; the order is that of the arguments.
    metrics = {
        name.upper(): METRICS[name.upper()](**_settings(args, name), references=references)
        for name in args.metrics
    }
    if args.sentence_level:
        [metric] = metrics.values()
        _score_sentences(args, metric, systems[0], references)
        return
    if args.detail and args.format == "json":
        # sacreBLEU adds lines that are not JSON.
        args.format = "text"
    if len(systems) == 1:
        _score_corpus(args, metrics, systems[0], whole)
    else:
        _score_systems(args, metrics, names, systems)


def _settings(args: Namespace, metric: str) -> dict[str, Any]:
    """Return the settings of a metric, which are options that begin with its name."""
    settings = utils.args_to_dict(args, metric, strip_prefix=True)
    if metric == "bleu":
        settings["effective_order"] = args.sentence_level
        settings["trg_lang"] = args.langpair.split("-")[1] if args.langpair else ""
    return settings


def _score_sentences(
    args: Namespace, metric: Metric[Any], system: list[str], streams: list[list[str]]
) -> None:
    for hypothesis, *references in zip(system, *streams, strict=True):
        score = metric.sentence_score(hypothesis, references)
        signature = metric.get_signature().format(args.short)
        print(score.format(args.width, args.score_only, signature))


def _score_corpus(
    args: Namespace,
    metrics: Metrics,
    system: list[str],
    whole: tuple[list[list[str]], list[list[str]]],
) -> None:
    """Print the scores of a system, and those of parts of `whole`, all systems and references."""
    samples = args.confidence_n if args.confidence else 1
    is_json = args.format == "json"
    lines = []
    for _, metric in sorted(metrics.items()):
        score = metric.corpus_score(system, None, n_bootstrap=samples)
        signature = metric.get_signature().format(args.short and not is_json)
        lines.append(score.format(args.width, args.score_only, signature, is_json))
    printing.print_single_results(lines, args)
    if args.detail:
        utils.print_subset_results(metrics, whole[0][0], whole[1], args)


def _score_systems(
    args: Namespace, metrics: Metrics, names: list[str], systems: list[list[str]]
) -> None:
    sacrelogger.info(f"Found {len(systems)} systems.")
    if args.paired_ar or args.paired_bs:
        names[0] = "Baseline" if args.input is None else f"Baseline: {names[0]}"
        names[1:] = [
            f"System {number}" if args.input is None else name
            for number, name in enumerate(names[1:], 1)
        ]
        _compare(args, metrics, names, systems)
        return
    results: dict[str, list[str]] = {"System": names}
    signatures: dict[str, str] = {}
    for system in systems:
        for _, metric in sorted(metrics.items()):
            score = metric.corpus_score(system, None)
            signatures[score.name] = metric.get_signature().format(args.short)
            results.setdefault(score.name, []).append(score.format(args.width, score_only=True))
    printing.print_results_table(results, signatures, args)


def _compare(args: Namespace, metrics: Metrics, names: list[str], systems: list[list[str]]) -> None:
    from truebleu.compat.sacrebleu.significance import PairedTest

    test = PairedTest(
        list(zip(names, systems, strict=True)),
        metrics,
        None,
        "bs" if args.paired_bs else "ar",
        args.paired_bs_n if args.paired_bs else args.paired_ar_n,
    )
    signatures, results = test()
    printing.print_results_table(
        results, {name: each.format(args.short) for name, each in signatures.items()}, args
    )
