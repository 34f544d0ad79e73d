"""``truebleu meta``: which metric agrees with people; and score files of metrics for others."""

from __future__ import annotations

from pathlib import Path

from truebleu.cli.external import score_files
from truebleu.cli.metric_words import MetricWord, metric_word
from truebleu.cli.options import add_resampling, add_threads
from truebleu.cli.output import Bar, add_format, say_written, write
from truebleu.display.blocks import Block
from truebleu.display.formatting import count
from truebleu.errors import InputError, SettingsError, WarnOnce
from truebleu.inputs.forms import DOCUMENT
from truebleu.inputs.numbers import thread_count
from truebleu.intake.files import read_file
from truebleu.intake.systems import refuse_twice
from truebleu.meta_evaluation.annotations import read_esa, read_mqm
from truebleu.meta_evaluation.judgments import JudgedSet, read_judged_set
from truebleu.meta_evaluation.metrics_eval import check_name, find_pair, language_pairs
from truebleu.meta_evaluation.score_files import (
    GROUPED,
    LEVELS,
    read_named_scores,
    score_lines,
    score_path,
)
from truebleu.metrics.registry import METRICS, as_bleu
from truebleu.metrics.stats_files import is_saved, refuse_damaged
from truebleu.metrics.stats_saved import read_stats
from truebleu.record import Record
from truebleu.significance.external import GivenScores
from truebleu.tokenizers.registry import BY_LANGUAGE
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.meta_evaluation.metrics_eval import Documents, PairFiles, PairTexts
    from truebleu.metrics.metric import Metric

ALTERNATIVES = ("two-sided", "better")

_ABOUT = {
    "units": "what is resampled: segments; or FILE with one line per segment, the ID of its "
    "document; auto: documents if they are known, else segments",
}


def add_options(command: Command) -> None:
    command.description = (
        "Measure how well metrics agree with human scores, and test which agrees better. Each "
        "line of a file has a system, a tab and a score, as in mt-metrics-eval; None is a missing "
        "score. With --write, score all systems of a test set in that layout, and write such "
        "files: metric-scores/SRC-TGT/NAME-REFERENCE.LEVEL.score. TER is negated there, so that a "
        "higher score is better; BLEU has sacreBLEU's tokenizer for the target language."
    )
    command.add_argument(
        "gold",
        metavar="GOLD",
        help="human scores, higher is better: a file; a .tsv file of MQM annotations; a .jsonl or "
        ".csv file of ESA, as in WMT24; or a folder of a test set in the layout of "
        "mt-metrics-eval, which has metrics, too",
    )
    command.add_argument(
        "scores",
        nargs="*",
        default=[],
        metavar="NAME=FILE",
        help="a metric and the file of its scores, such as COMET=comet.seg.score, or where lower "
        "is better, TER-=ter.seg.score; or files of statistics, without a name, for their metrics",
    )
    group = command.add_argument_group("folders of mt-metrics-eval")
    group.add_argument(
        *("-l", "--language-pair"),
        dest="pairs",
        nargs="+",
        action="extend",
        metavar="PAIR",
        help="language pairs, such as en-de; for ESA, as the file calls it",
    )
    group.add_argument(
        "--human", metavar="NAME", help="the human scores, such as mqm or esa, if there are several"
    )
    group.add_argument(
        *("-r", "--references"),
        nargs="+",
        metavar="NAME",
        help="the standard reference, such as refA, if there are several; for MQM and ESA, the "
        "system that -m takes as reference; with --write several, of which refA.refB scores "
        "against both together, and all against all together (default: each alone)",
    )
    group.add_argument("--domain", metavar="NAME", help="only segments of this domain")
    group.add_argument(
        "--without", nargs="+", default=[], metavar="SYSTEM", help="systems to leave out"
    )
    group.add_argument(
        *("-m", "--metrics", "--metric"),
        nargs="+",
        action="extend",
        type=metric_word,
        choices=METRICS,
        metavar="NAME",
        help="compute these from outputs and the reference (with --write, bleu by default): any "
        f"of {', '.join(METRICS)}; with settings as in bleu:tokenizer=zh",
    )
    command.add_argument(
        "--measures",
        nargs="+",
        metavar="MEASURE",
        help="pairwise-accuracy, spa and system-pearson for systems; acc-eq, acc, pearson, "
        "kendall, which can be averaged over groups (:none, :item, :system), and "
        "pearson-of-differences for outputs (default: pairwise-accuracy spa acc-eq pearson "
        "kendall:item)",
    )
    group = command.add_argument_group("resampling")
    group.add_argument(
        "--n-trials",
        type=int,
        default=1000,
        metavar="N",
        help="random swaps for each test (default: 1000)",
    )
    group.add_argument(
        "--alternative",
        choices=ALTERNATIVES,
        default="two-sided",
        help="better: test only whether the first metric of a pair is better (default: two-sided)",
    )
    add_resampling(group, defaults={"n_resamples": 1000}, abouts=_ABOUT)
    add_threads(command)
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        "--write",
        metavar="DIRECTORY",
        help="write score files for the folder GOLD into DIRECTORY/metric-scores, such as GOLD "
        "itself",
    )
    output.add_argument(
        "--only",
        nargs="+",
        choices=LEVELS,
        metavar="LEVEL",
        help=f"levels to write scores for: {', '.join(LEVELS)} (default: all)",
    )
    output.add_argument("--overwrite", action="store_true", help="replace files that exist")


def run(options: Namespace) -> None:
    """Print what agrees with people; or write files of scores, and print what they are called."""
    evaluating = ("scores", "human", "domain", "measures")
    for name in evaluating if options.write else ("only", "overwrite"):
        if getattr(options, name):
            given = "NAME=FILE" if name == "scores" else f"--{name}"
            raise SettingsError(
                f"{given} is not combined with --write"
                if options.write
                else f"{given} needs --write"
            )
    if options.write:
        _write(options)
    else:
        _evaluate(options)


def _evaluate(options: Namespace) -> None:
    # NumPy is slow to load, and not every command needs it.
    from truebleu.meta_evaluation.results import MetaEvaluations

    names = ("n_trials", "alternative", "alpha", "n_resamples", "seed")
    how: dict[str, Any] = {name: getattr(options, name) for name in names}
    how["threads"] = options.threads
    metrics = [word.metric() for word in options.metrics or ()]
    how["metrics"] = metrics or None
    if options.measures is not None:
        how["measures"] = [name for each in options.measures for name in each.split(",") if name]
    saved = [each for each in options.scores if "=" not in each and is_saved(each)]
    if saved:
        if options.metrics:
            raise SettingsError(
                f"{saved[0]} is a file of statistics, which has its own metrics: leave out -m"
            )
        how["systems"] = read_stats(saved)
    given = [each for each in options.scores if each not in saved]
    for each in given:
        if "=" not in each:
            refuse_damaged(each)
    files = score_files(given)
    in_file = options.units not in ("auto", "segments")
    paths = [options.gold, *(path for path, _ in files.values()), *saved]
    if isinstance(options.units, int):
        raise SettingsError("--units: blocks are not for metrics; give FILE, segments or auto")
    refuse_twice([*paths, *[options.units] * in_file])
    if in_file:
        how["documents"] = read_file(options.units, DOCUMENT)
    elif saved and options.units == "auto" and len(set(how["systems"].documents or ())) > 1:
        how["documents"] = how["systems"].documents
    scores = {
        name: GivenScores(read_named_scores(path), lower_is_better=is_lower)
        for name, (path, is_lower) in files.items()
    }
    sets = _sets(options)
    evaluations = {name: each.evaluate(scores=scores, **how) for name, each in sets.items()}
    [first, *others] = evaluations.values()
    found = MetaEvaluations(evaluations=evaluations) if others else first
    left = [
        f"{name}: " * bool(others) + f"{metric} is left out: {why}"
        for name, each in sets.items()
        for metric, why in each.left_out.items()
    ]
    more = [Block(lines=left)] if left else []
    write(options, lambda _: [*found.blocks(), *more], found.to_dict)


def _sets(options: Namespace) -> dict[str, JudgedSet]:
    """Read the human scores, by language pair."""
    path = options.gold
    if Path(path).is_dir():
        if not options.pairs:
            raise SettingsError(f"{path} is a folder: -l PAIR is needed, such as -l en-de")
        if options.scores and len(options.pairs) > 1:
            raise SettingsError("NAME=FILE is of one language pair: give one -l")
        how: Any = {name: getattr(options, name) for name in ("domain", "without")}
        how |= {
            "reference": _reference(options),
            "gold": options.human,
            "texts": bool(options.metrics),
        }
        return {pair: read_judged_set(path, pair, **how) for pair in dict.fromkeys(options.pairs)}
    return {path: _one_file(options, path)}


def _one_file(options: Namespace, path: str) -> JudgedSet:
    esa, mqm = path.endswith((".csv", ".jsonl")), path.endswith(".tsv")
    refused = ["human", "domain", "without"]
    refused += [] if esa else ["pairs"]
    refused += [] if esa or mqm else ["references", "metrics"]
    for name in refused:
        if getattr(options, name):
            option = {"pairs": "language-pair"}.get(name, name)
            raise SettingsError(
                f"--{option} is for folders of mt-metrics-eval, which {path} is not"
            )
    if not (options.scores or options.metrics):
        raise SettingsError("NAME=FILE is needed: a metric, and the file of its scores")
    if options.metrics and options.references is None:
        raise SettingsError("-m needs -r: the system whose outputs are the references")
    if esa:
        if len(options.pairs or ()) > 1:
            raise SettingsError(f"{path} is read for one language pair: give one -l")
        [pair] = options.pairs or [None]
        return read_esa(path, pair, reference=_reference(options))
    if mqm:
        return read_mqm(path, reference=_reference(options))
    return JudgedSet(gold=read_named_scores(path))


def _reference(options: Namespace) -> str | None:
    [name, *others] = options.references or [None]
    if others:
        raise SettingsError(f"-r {name} {others[0]}: one reference is needed, without --write")
    found: str | None = name
    return found


class Task(Record):
    """What to do for a language pair; references and metrics by what names of files call them."""

    files: PairFiles
    systems: list[str]
    references: dict[str, tuple[str, ...]]
    metrics: dict[str, Metric]


def _write(options: Namespace) -> None:
    """Write score files in the layout of mt-metrics-eval, and print how they were computed."""
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
