"""``truebleu mtme``: score files for a test set in the layout of mt-metrics-eval."""

from __future__ import annotations

from pathlib import Path

from truebleu.cli.options import add_metrics, add_pairs, add_threads, metrics_from
from truebleu.cli.output import Bar, add_format, say_written, write
from truebleu.display.blocks import Block
from truebleu.display.formatting import count
from truebleu.errors import InputError, SettingsError, WarnOnce
from truebleu.inputs.numbers import thread_count
from truebleu.meta_evaluation.metrics_eval import check_name, find_pair, language_pairs
from truebleu.meta_evaluation.score_files import GROUPED, LEVELS, score_lines, score_path
from truebleu.metrics.registry import METRICS, as_bleu
from truebleu.record import Record
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.registry import BY_LANGUAGE
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.meta_evaluation.metrics_eval import Documents, PairFiles, PairTexts
    from truebleu.metrics.metric import Metric


class Task(Record):
    """What to do for a language pair; references and metrics by what names of files call them."""

    files: PairFiles
    systems: list[str]
    references: dict[str, tuple[str, ...]]
    metrics: dict[str, Metric]


def add_options(command: Command) -> None:
    command.description = (
        "Score all systems of a test set in the layout of mt-metrics-eval v2, and write its score "
        "files: metric-scores/SRC-TGT/NAME-REFERENCE.LEVEL.score. TER is negated, so that a higher "
        "score is better. BLEU uses sacreBLEU's tokenizer for the target language."
    )
    command.epilog = (
        "The layout: sources/SRC-TGT.txt, documents/SRC-TGT.docs, references/SRC-TGT.NAME.txt and "
        "system-outputs/SRC-TGT/NAME.txt, or .jsonl instead of .txt. A system with the name of a "
        "reference is not scored against it."
    )
    command.add_argument("directory", metavar="DIRECTORY", help="the test set")
    choice = command.add_argument_group("input")
    add_pairs(choice, " (default: all)")
    choice.add_argument(
        "--systems", nargs="+", metavar="NAME", help="names of systems (default: all)"
    )
    choice.add_argument(
        *("-r", "--references"),
        nargs="+",
        metavar="NAME",
        help="names of references; refA.refB scores against both together, and all against all "
        "together (default: each reference alone)",
    )
    choice.add_argument(
        "--only",
        nargs="+",
        choices=LEVELS,
        default=LEVELS,
        metavar="LEVEL",
        help=f"levels to write scores for: {', '.join(LEVELS)} (default: all)",
    )
    output = command.add_argument_group("output")
    output.add_argument(
        *("-o", "--output"),
        metavar="DIRECTORY",
        help="folder to write metric-scores into (default: the test set)",
    )
    output.add_argument(
        "--name",
        nargs="+",
        metavar="NAME",
        help="names of the metrics in file names, one per metric (default: BLEU, chrF, chrF++, "
        "TER; with --tokenizer, BLEU-TOKENIZER)",
    )
    output.add_argument("--overwrite", action="store_true", help="replace files that exist")
    add_format(output)
    add_threads(command)
    add_metrics(command, several=True)


def run(options: Namespace) -> None:
    """Write the files, and print what they are called and how they were computed."""
    threads = thread_count(options.threads)
    folder = Path(options.directory if options.output is None else options.output)
    pairs = options.pairs or language_pairs(options.directory)
    tasks = [_task(options, pair) for pair in dict.fromkeys(pairs)]
    paths = [path for task in tasks for path in _paths(task, folder, options.only)]
    if not options.overwrite:
        for path in paths:
            if path.exists():
                raise InputError(f"{path} exists already; --overwrite replaces it")
    # Reading takes little time, and nothing is to be written if any text cannot be scored.
    for task in tasks:
        _read(task, options.only)
    done = replaced = 0
    rows: list[tuple[str, list[str]]] = []
    with Bar("scoring") as bar:
        for task in tasks:
            texts, documents = _read(task, options.only)
            for name, metric in task.metrics.items():
                for label, references in task.references.items():
                    with WarnOnce():
                        counted = texts.count(metric, references, threads)
                    for level in options.only:
                        path = score_path(folder, task.files.pair, name, label, level)
                        replaced += path.exists()
                        path.parent.mkdir(parents=True, exist_ok=True)
                        lines = score_lines(metric, counted, level, documents)
                        write_whole(path, "".join(lines).encode())
                        done += 1
                        bar.update(done, len(paths))
                    signature = metric._write_signature(len(references))
                    cells = [task.files.pair, f"{name}-{label}", str(len(counted)), signature]
                    rows.append(("", cells))
    if replaced:
        say_written(
            f"{count(replaced, 'file')} in {folder / 'metric-scores'}", options, replaced=True
        )
    header = ("language pair", "scores", "systems", "signature")
    values: list[dict[str, Any]] = [dict(zip(header, cells, strict=True)) for _, cells in rows]
    values = [each | {"systems": int(each["systems"])} for each in values]
    write(options, lambda _: [Block(header=header, rows=rows, align="llrl")], lambda: values)


def _task(options: Namespace, pair: str) -> Task:
    """Find the files of a language pair, and the metrics for its target language."""
    files = find_pair(options.directory, pair)
    if set(options.only) & set(GROUPED) and not files.documents.is_file():
        raise InputError(
            f"{files.documents} is needed, with the domain and the document of each segment; "
            "to score without it, use --only sys seg"
        )
    metrics = metrics_from(options)
    language = pair.split("-")[1].partition("_")[0]
    if options.tokenizer is None and options.dialect is None and language in BY_LANGUAGE:
        tokenizer = {"tokenizer": BY_LANGUAGE[language]}
        metrics = [
            METRICS["bleu"](**(metric.settings() | tokenizer)) if as_bleu(metric) else metric
            for metric in metrics
        ]
    names = options.name or [_file_name(metric, options.tokenizer) for metric in metrics]
    if len(names) != len(metrics) or len(set(names)) < len(names):
        raise SettingsError(
            f"--name {' '.join(names)}: {count(len(metrics), 'distinct name')} must be given, one "
            "per metric"
        )
    for name in names:
        check_name(name, "--name")
    task = Task(
        files=files,
        systems=files.choose_systems(options.systems),
        references=files.choose_references(options.references),
        metrics=dict(zip(names, metrics, strict=True)),
    )
    for label, references in task.references.items():
        if not set(task.systems) - set(references):
            raise InputError(f"{pair} has no system to score against {label} other than itself")
    return task


def _read(task: Task, levels: Collection[str]) -> tuple[PairTexts, Documents | None]:
    references = dict.fromkeys(name for names in task.references.values() for name in names)
    texts = task.files.read(task.systems, references)
    grouped = set(levels) & set(GROUPED)
    return texts, task.files.read_documents(texts.segments) if grouped else None


def _paths(task: Task, folder: Path, levels: Collection[str]) -> list[Path]:
    return [
        score_path(folder, task.files.pair, name, label, level)
        for name in task.metrics
        for label in task.references
        for level in levels
    ]


def _file_name(metric: Metric, tokenizer: str | None) -> str:
    """Call a metric what people call it, and say which tokenizer was asked for."""
    bleu = as_bleu(metric)
    if bleu is not None and tokenizer is not None:
        if tokenizer.startswith(OWN_MODEL):
            tokenizer = bleu.tokenizer_name
        return f"{bleu.name}-{tokenizer}"
    return metric._about.short_name
