"""Options that several commands share: declared here, and turned into values here."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.cli.metric_words import MetricWord, metric_word, write_settings
from truebleu.cli.parameters import WrongValueError
from truebleu.errors import SettingsError
from truebleu.inputs.checks import USE_NONE
from truebleu.intake.systems import SystemFile
from truebleu.metrics.bleu import settings as bleu
from truebleu.metrics.bleu.dialects import DIALECTS
from truebleu.metrics.dialect import named
from truebleu.metrics.registry import METRICS, metrics_of
from truebleu.significance.design import OF_INTERVALS, PARAMETERS
from truebleu.suggestions import is_metric
from truebleu.tokenizers.registry import from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.cli.parsing import Command, Group, Namespace
    from truebleu.intake.given import Given
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_saved import SavedStats

    # How an option is declared, and its help.
    Option = tuple[dict[str, Any], str]


FILES = (
    "Files are UTF-8, one segment per line, or SGML, XML or JSON with a text for each segment; - "
    "is standard input; .gz, .bz2, .xz and .zst are decompressed on the fly."
)
_TABLES = (
    "With --hypothesis-column, files are tables: .parquet, .csv, .tsv, .jsonl or .arrow, patterns "
    "of names, or folders."
)


def _of_setting(takes: Any, called: str, about: str) -> Option:
    """Return the option of a setting of a metric, as its table has it."""
    if takes is None:
        return {"action": "store_true"}, about
    return {"type": _weights if takes is bleu.weights_of_words else takes, "metavar": called}, about


def _weights(text: str) -> tuple[float, ...]:
    """Read weights."""
    try:
        return bleu.weights_of_words(text)
    except ValueError as error:
        raise WrongValueError(str(error)) from None


# The settings of BLEU that are options, too; the others, and those of other metrics, stand behind
# the name of the metric, as in `-m bleu:reference_length=shortest`.
_OF_BLEU = (
    *("tokenizer", "unicode_form", "lowercase", "max_order", "weights"),
    *("smoothing", "smooth_value"),
)
_DIALECT = {"metavar": "NAME"}, f"compute BLEU as another tool does: one of {', '.join(DIALECTS)}"
_SETTINGS: dict[str, Option] = {
    "dialect": _DIALECT,
    **{
        each.name: _of_setting(*each.option)
        for each in bleu.SETTINGS.settings
        if each.name in _OF_BLEU
    },
}

# What the help of `--tokenizer` adds for commands that score, and so know of test sets.
_BY_LANGUAGE = "; for a test set, that of its language"
_HOW, _ABOUT = _SETTINGS["tokenizer"]
_SETTINGS["tokenizer"] = _HOW, f"{_ABOUT[:-1]}{_BY_LANGUAGE})"

# Short names of the settings of BLEU, as in sacreBLEU.
_SHORT = {"--tokenizer": "-tok", "--lowercase": "-lc"}

_DEFAULT = "bleu"

# What does the same as --lowercase of BLEU.
_LOWERCASE = {
    "chrf": "; for chrF, -m chrf:lowercase does the same",
    "chrf++": "; for chrF++, -m chrf++:lowercase does the same",
    "ter": "; TER lowercases by default, unless it is ter:case_sensitive",
}

# The options of intervals and tests.
_RESAMPLING: dict[str, tuple[Option, Any]] = {
    each.name: (_of_setting(*each.option), each.default) for each in PARAMETERS
}

# Those of tests; `meta` has the others, too.
_OF_TESTS = ("units", "margin", "alpha", "n_resamples", "seed")


def option_name(name: str) -> str:
    """Return the option of a value: ``--smooth-value`` of ``smooth_value``."""
    if name == "hypotheses":
        return "--hypothesis-column"
    return f"--{name.removesuffix('s' * (name == 'reference_columns')).replace('_', '-')}"


def add_metrics(command: Command, *, several: bool) -> None:
    """Add the choice of metrics, one or `several`, and the settings of all."""
    group = command.add_argument_group("settings")
    group.add_argument(
        *("-m", "--metrics", "--metric") if several else ("-m", "--metric", "--metrics"),
        dest="metrics",
        # Repeated, the option adds metrics; one that takes a single metric keeps the last.
        action="extend" if several else "store",
        nargs="+" if several else 1,
        # Names as in papers and printed scores, too: BLEU, chrF2++, TER.
        type=metric_word,
        choices=METRICS,
        refused=is_metric,
        metavar="NAME",
        help=f"{'any of' if several else 'one of'} {', '.join(METRICS)}; with settings as in "
        "chrf:beta=3,lowercase or 'bleu:weights=\"0.5,0.5\"'; or a signature of truebleu or "
        f"sacreBLEU (default: {_DEFAULT})",
    )
    group = command.add_argument_group("settings of BLEU")
    for name, option in _SETTINGS.items():
        _add(group, name, option)


def add_text_settings(group: Group) -> None:
    """Add what happens to text before BLEU counts it."""
    for name in ("tokenizer", "unicode_form", "lowercase"):
        how, about = _SETTINGS[name]
        _add(group, name, (how, about.replace(_BY_LANGUAGE, "")))


def _add(group: Group, name: str, option: Option, **more: Any) -> None:
    how, about = option
    written = option_name(name)
    short = [_SHORT[written]] if written in _SHORT else []
    group.add_argument(*short, written, help=about, **how, **more)


def metrics_from(options: Namespace, given: Given | None = None) -> list[Metric]:
    """Return the metrics: of statistics those `given`; for a test set BLEU has its tokenizer."""
    if given is not None and given.saved is not None:
        return _saved(options, given.saved)
    test_set = None if given is None else given.test_set
    words: list[MetricWord] = options.metrics or [MetricWord(_DEFAULT, {})]
    _refuse_options_of_bleu(options, words)
    metrics = []
    for word in words:
        settings = _settings_of_bleu(options) if word == _DEFAULT else {}
        if settings and word.is_signature:
            option = option_name(next(iter(_given(options))))
            raise SettingsError(f"{option}: a signature has its settings already; leave one out")
        if settings and (twice := [*(_given(options).keys() & word.settings.keys())]):
            option = option_name(twice[0])
            raise SettingsError(f"{option} and -m {word}:{twice[0]} cannot be combined")
        if word == _DEFAULT and options.dialect is None and test_set is not None:
            settings.setdefault("tokenizer", from_option(test_set.tokenizer))
        metrics.append(word.metric(**settings))
    metrics_of(metrics, by_settings=True)  # Refuses one that is given twice.
    return metrics


def _saved(options: Namespace, saved: SavedStats) -> list[Metric]:
    """Return the metrics of statistics, or those of them that are named."""
    given = [option_name(name) for name in _given(options)]
    words: list[MetricWord] = options.metrics or []
    given += [f"-m {word.text}" for word in words if word.settings or word.is_signature]
    if given:
        raise SettingsError(f"{given[0]}: statistics have their settings already; leave it out")
    names = options.metrics
    return [saved.metric(name) for name in names] if names else [*saved.metrics.values()]


def names_of(options: Namespace, metrics: Sequence[Metric]) -> list[str]:
    """Return what the command calls metrics, whether it has chosen them or not."""
    kinds = {METRICS[name]().name: name for name in METRICS}
    words: list[MetricWord] = options.metrics or [MetricWord("", {}) for _ in metrics]
    names = [
        kinds.get(metric.name, metric.identifier) if word.is_signature or not word else str(word)
        for word, metric in zip(words, metrics, strict=True)
    ]
    # Two of one name are told apart as they were given.
    return [
        word.text.lower() if names.count(name) > 1 else name
        for word, name in zip(words, names, strict=True)
    ]


def _settings_of_bleu(options: Namespace) -> dict[str, Any]:
    """Return the settings of BLEU that options give; those of a dialect come first."""
    given = _given(options)
    dialect = given.pop("dialect", None)
    settings = {} if dialect is None else dict(named("bleu", dialect).settings)
    if "tokenizer" in given:
        given["tokenizer"] = from_option(given["tokenizer"])
    return settings | given


def _given(options: Namespace) -> dict[str, Any]:
    values = {name: getattr(options, name) for name in _SETTINGS}
    return {
        name: value for name, value in values.items() if value is not None and value is not False
    }


def _refuse_options_of_bleu(options: Namespace, names: Sequence[str]) -> None:
    """Refuse options that change nothing, because BLEU is not computed."""
    given = [option_name(name) for name in _given(options)]
    if given and _DEFAULT not in names:
        same = [_LOWERCASE.get(each, "") for each in names if given[0] == "--lowercase"]
        raise SettingsError(
            f"{given[0]} is a setting of BLEU, which is not computed: choose it with -m bleu, or "
            f"leave the option out{''.join(dict.fromkeys(same))}"
        )


def with_options(message: str, options: Namespace) -> str:
    """Write each setting that a message names as the option of the command, if there is one."""
    import re

    if "missing" in options:
        message = message.replace(USE_NONE, "--missing skip leaves them out")

    def option(match: re.Match[str]) -> str:
        verb, *settings = match.groups()
        pairs = (each.partition("=")[::2] for each in settings if each)
        given = {name: value == "True" or value[1:-1] for name, value in pairs}
        first, *_ = given
        chosen = [*(getattr(options, "metrics", None) or ()), _DEFAULT, *METRICS]
        metric = next((x for x in chosen if given.keys() <= METRICS[x]().settings().keys()), None)
        if metric is None or not {"metrics", first} & vars(options).keys():
            return match[0]
        written = f"-m {metric}:{write_settings(given)}"
        if metric == _DEFAULT and first in options:
            written = option_name(first) + ("" if given[first] is True else f" {given[first]}")
        return f"use {written}" if verb else written

    setting = r"(\w+=(?:'[^']*'|True))"
    return re.sub(rf"\b(set )?{setting}(?: and {setting})?", option, message)


def add_input(
    command: Command, description: str, *, several: bool, resampled: bool = False
) -> Group:
    """Add the outputs of systems, one or several, and their references; return those of tables.

    What is `resampled` has more than one segment, and so is in files.
    """
    command.description, command.epilog = description, f"{FILES} {_TABLES}"
    command.add_argument(
        "systems",
        nargs="+" if several else 1,
        type=SystemFile,
        metavar="SYSTEM",
        missing="the output to score, or - for standard input",
        help="output of a system, one segment per line; NAME=FILE names the system",
    )
    group = command.add_argument_group("input")
    group.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="REFERENCE",
        # They can be left out only where a column of a table, or a test set, takes their place.
        in_usage=True,
        help="reference translations, one segment per line",
    )
    group.add_argument(
        "-t",
        "--test-set",
        instead_of="references",
        metavar="NAME",
        help="references of a test set, such as wmt24; downloaded if necessary; or of one "
        "described by a .toml file",
    )
    group.add_argument(
        "-l", "--language-pair", metavar="PAIR", help="language pair of the test set, such as en-de"
    )
    if not resampled:
        add_text(group, "SYSTEM and REFERENCE are strings, not files; each of them is one segment")
    add_as_text(group)
    group.add_argument(
        "--missing",
        choices=("empty", "skip"),
        metavar="HOW",
        help="empty or skip: whether empty lines of references, and nulls in tables, are empty "
        "texts, or are left out (default: empty lines are empty; nulls are an error)",
    )
    tables = command.add_argument_group("input of tables")
    tables.add_argument(
        "--hypothesis-column",
        dest="hypotheses",
        action="extend",
        metavar="COLUMN",
        help="column of a table with the output of a system; by name or number"
        + "; can be repeated" * several,
    )
    tables.add_argument(
        "--reference-column",
        dest="reference_columns",
        action="extend",
        metavar="COLUMN",
        help="column of references; strings or lists of strings, of the same tables, or of those "
        "that are given with -r; can be repeated",
    )
    add_no_header(tables)
    add_threads(command)
    return tables


def add_no_header(tables: Group) -> None:
    tables.add_argument(
        "--no-header",
        action="store_true",
        help="the first line of CSV and TSV is data; columns are numbered from 1",
    )


def add_text(group: Group, about: str) -> None:
    """Add the choice to give strings in place of files."""
    group.add_argument("--text", action="store_true", help=about)


def add_as_text(group: Group) -> None:
    """Add the choice to read files that look like something else."""
    group.add_argument(
        "--as-text",
        action="store_true",
        help="read files as lines of text, whatever they look like, such as XML, JSON, subtitles "
        "or tables",
    )


def add_threads(command: Command) -> None:
    command.add_argument(
        "--threads", type=int, metavar="N", help="threads to use (default: all processors)"
    )


def add_tests(command: Command, baseline: str) -> Group:
    """Add how systems are compared; `baseline` says what that option does. Return the group."""
    group = command.add_argument_group("resampling")
    group.add_argument(
        "--baseline",
        metavar="SYSTEM",
        alone="put systems before it; runs of a system are files of one name, x=a.txt x=b.txt",
        help=baseline,
    )
    add_resampling(group, _OF_TESTS)
    return group


def add_resampling(
    group: Group,
    names: Iterable[str] = OF_INTERVALS,
    *,
    defaults: Mapping[str, Any] = MappingProxyType({}),
    abouts: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Add parameters of intervals and tests; a command may say more of one, or have a default."""
    for name in names:
        (how, about), default = _RESAMPLING[name]
        default = defaults.get(name, default)
        said = abouts.get(name, about) + f" (default: {default})" * (default is not None)
        _add(group, name, (how, said), default=default)


def resampling_from(options: Namespace) -> dict[str, Any]:
    """Return the parameters of intervals and tests that the command has, but the units."""
    given = vars(options)
    return {name: given[name] for name in _RESAMPLING if name in given and name != "units"}
