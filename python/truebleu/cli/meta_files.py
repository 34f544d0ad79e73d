"""``truebleu meta --write``: score files for a test set in the layout of mt-metrics-eval."""

from __future__ import annotations

from pathlib import Path

from truebleu.cli.metric_words import MetricWord
from truebleu.cli.output import Bar, say_written, write
from truebleu.display.blocks import Block
from truebleu.display.formatting import count
from truebleu.errors import InputError, SettingsError, WarnOnce
from truebleu.inputs.numbers import thread_count
from truebleu.meta_evaluation.metrics_eval import check_name, find_pair, language_pairs
from truebleu.meta_evaluation.score_files import GROUPED, LEVELS, score_lines, score_path
from truebleu.metrics.registry import as_bleu
from truebleu.record import Record
from truebleu.tokenizers.registry import BY_LANGUAGE
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.meta_evaluation.metrics_eval import Documents, PairFiles, PairTexts
    from truebleu.metrics.metric import Metric


class Task(Record):
    """What to do for a language pair; references and metrics by what names of files call them."""

    files: PairFiles
    systems: list[str]
    references: dict[str, tuple[str, ...]]
    metrics: dict[str, Metric]


def run(options: Namespace) -> None:
    """Write the files, and print what they are called and how they were computed."""
    threads = thread_count(options.threads)
    levels = options.only or LEVELS
    folder = Path(options.write)
    pairs = options.pairs or language_pairs(options.gold)
    tasks = [_task(options, pair) for pair in dict.fromkeys(pairs)]
    paths = [path for task in tasks for path in _paths(task, folder, levels)]
    if not options.overwrite:
        for path in paths:
            if path.exists():
                raise InputError(f"{path} exists already; --overwrite replaces it")
    # Reading takes little time, and nothing is to be written if any text cannot be scored.
    for task in tasks:
        _read(task, levels)
    done = replaced = 0
    rows: list[tuple[str, list[str]]] = []
    with Bar("scoring") as bar:
        for task in tasks:
            texts, documents = _read(task, levels)
            for name, metric in task.metrics.items():
                for label, references in task.references.items():
                    with WarnOnce():
                        counted = texts.count(metric, references, threads)
                    for level in levels:
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
    files = find_pair(options.gold, pair)
    if set(options.only or LEVELS) & set(GROUPED) and not files.documents.is_file():
        raise InputError(
            f"{files.documents} is needed, with the domain and the document of each segment; "
            "to score without it, use --only sys seg"
        )
    metrics: dict[str, Metric] = {}
    language = pair.split("-")[1].partition("_")[0]
    for word in options.metrics or [MetricWord("bleu", {})]:
        by_language = word == "bleu" and language in BY_LANGUAGE
        metric = word.metric(**({"tokenizer": BY_LANGUAGE[language]} if by_language else {}))
        name = _file_name(metric, word.settings.get("tokenizer"))
        check_name(name, "-m")
        if name in metrics:
            raise SettingsError(f"-m: the files of two metrics would be called {name}")
        metrics[name] = metric
    left_out = files.choose_systems(options.without)
    task = Task(
        files=files,
        systems=[name for name in files.systems if name not in left_out],
        references=files.choose_references(options.references),
        metrics=metrics,
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


def _file_name(metric: Metric, tokenizer: object) -> str:
    """Call a metric what people call it, and say which tokenizer was asked for."""
    bleu = as_bleu(metric)
    if bleu is not None and tokenizer is not None:
        return f"{bleu.name}-{bleu.tokenizer_name}"
    return metric._about.short_name
