"""What was probably meant by an option that a command does not have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from truebleu.cli.parsing import Parameter
from truebleu.display.formats import FORMATS
from truebleu.metrics.registry import METRICS
from truebleu.suggestions import (
    ELSEWHERE,
    FOREIGN_NAMES,
    did_you_mean,
    meant_metric,
    similar_names,
)

SACREBLEU_OPTIONS = {
    "-m": "--metrics",
    "-w": "--width",
    "-f": "--format",
    "-b": "--score-only",
    "-lc": "--lowercase",
    "-tok": "--tokenizer",
    "-s": "--smoothing",
    "-sv": "--smooth-value",
    "-ci": "--confidence",
    "-cin": "--n-resamples",
    "--confidence-n": "--n-resamples",
    "-pbsn": "--n-resamples",
    "--paired-bs-n": "--n-resamples",
    "-j": "--threads",
    "--paired-jobs": "--threads",
}
"""The option for each of sacreBLEU's that is called differently, or that not all commands have."""

OTHER_OPTIONS = {
    "-n": "--segment",
    "--lc": "--lowercase",
    "--tok": "--tokenizer",
    "--by": "--group-by",
    "--citation": "--cite",
    "--ci": "--confidence",
    "--decimals": "--width",
    **dict.fromkeys(("--doc", "--docs", "--doc-ids", "--documents", "--document-ids"), "--units"),
    "--line": "--segment",
    "--out": "--output",
    **dict.fromkeys(("--ref", "--refs", "--reference"), "--references"),
}
"""The option for names that other programs, or other commands, have for it."""

OTHER_CHOICES = {
    "htm": "html",
    "md": "markdown",
    "ndjson": "jsonl",
    "plain": "text",
    "table": "text",
    "tex": "latex",
    "txt": "text",
}
"""The format for names that other programs, or files, have for it."""

INSTEAD = {
    "--group-by": "`truebleu score` scores groups; to compare systems, give each its own column",
    "--metrics": "it needs no choice of a metric",
    "--width": "`score` and `segments` have it; JSON has every digit",
    "--format": "it writes one kind of output",
    "--score-only": "`truebleu score -b` prints only the scores",
    "--confidence": "`score` has it; `compare` and `report` always have intervals, whose level is "
    "1 - X with --alpha X",
    "--lowercase": "commands that compute BLEU with settings of your choice have it, as `score`",
    "--tokenizer": "commands that compute BLEU with settings of your choice have it, as `score`",
}
"""What to do in place of options that only some commands have."""

# How sacreBLEU calls the settings of chrF and TER.
_OF_OTHERS = ("--chrf-", "--ter-")
_SHORT = {"-cc": "--chrf-char-order", "-cw": "--chrf-word-order"}

_ELSEWHERE = {
    "for the scores of segments, see `truebleu segments`": "-sl --sentence-level --per-segment",
    "for tests of differences, see `truebleu compare`": (
        "-par --paired-ar -pbs --paired-bs -parn --paired-ar-n"
    ),
    "outputs of systems are given without an option, before -r; columns of a table with "
    "--hypothesis-column COLUMN --reference-column COLUMN": (
        "-i --input --hyp --hyps --hypothesis --hypotheses --system --sys --systems"
    ),
    "columns of a table are given with --hypothesis-column COLUMN --reference-column COLUMN": (
        "--hyp-column --hyp-col --hypothesis-col --mt-column --ref-column --ref-col "
        "--reference-col --src-column --column --columns"
    ),
    "give each reference a file of its own": "-nr --num-refs",
    "what separates columns is found in the file": "--sep --separator --delimiter",
    "files are UTF-8; convert others, for example with iconv": "-e --encoding",
    "`truebleu audit SYSTEM -r REFERENCE --target X` finds the settings that give a score": (
        "--score --target --published"
    ),
    "`truebleu segments SYSTEM -r REFERENCE --worst N` finds the worst segments, and `truebleu "
    "explain --segment N` explains one": "--worst --best",
    "several files of one name are its runs: new=a.txt new=b.txt old=c.txt old=d.txt": "--runs",
    "see `truebleu data`": "--list --download --echo",
    "leave it out; it silences a warning of sacreBLEU's and changes no score": "--force",
    "signatures are never shortened": "-sh --short",
    "set the environment variable NO_COLOR": "-nc --no-color",
    "`truebleu-sacrebleu` understands it": "--origlang -ol --subset --detail -d",
    "see `truebleu --version`": "-V --version",
}


# Options whose files are written.
_OUTPUTS = ("-o", "--output", "--stats-out")

# Files that are probably meant as tables.
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet", ".arrow")


COMMANDS = {
    "benchmark": "truebleu score SYSTEM -r REFERENCE",
    "bleu": "truebleu score SYSTEM -r REFERENCE",
    "chrf": "truebleu score SYSTEM -r REFERENCE -m chrf",
    "ter": "truebleu score SYSTEM -r REFERENCE -m ter",
    "evaluate": "truebleu score SYSTEM -r REFERENCE",
    "compare-signatures": "truebleu audit --explain SIGNATURE OTHER",
    "signature": "truebleu explain --signature SIGNATURE",
    "explain-signature": "truebleu explain --signature SIGNATURE",
    "conformance": "truebleu check MY_BLEU.py, or check -- PROGRAM {hypotheses} {references}",
    "verify": "truebleu check MY_BLEU.py",
    "validate": "truebleu check MY_BLEU.py",
    "diagnose": "truebleu audit SYSTEM -r REFERENCE --target X, which finds the settings that give "
    "a score",
    "reproduce": "truebleu audit SYSTEM -r REFERENCE --target X",
    "plot": "truebleu report SYSTEM... -r REFERENCE --chart NAME -o FILE",
    "chart": "truebleu report SYSTEM... -r REFERENCE --chart NAME -o FILE",
    "significance": "truebleu compare SYSTEM... -r REFERENCE",
    "bootstrap": "truebleu compare SYSTEM... -r REFERENCE",
    "paired-bs": "truebleu compare SYSTEM... -r REFERENCE",
    "stats": "truebleu score SYSTEM -r REFERENCE --stats-out FILE.jsonl, and for their sum "
    "truebleu merge --total FILE.jsonl...",
    "sentence": "truebleu segments SYSTEM -r REFERENCE",
    "self-bleu": "truebleu.self_bleu(texts) in Python",
    "rerank": "truebleu mbr FILE, or truebleu.best_of(samples, references) in Python",
    "download": "truebleu data get NAME",
    "version": "truebleu --version",
}
"""What to write instead of commands that people expect."""


def command_hint(name: str, known: Collection[str]) -> str:
    """Return the end of a message about a command that is none of the known ones."""
    meant = COMMANDS.get(name.lower().replace("_", "-"))
    return f"; write {meant}" if meant else did_you_mean(name, known)


def hint(option: str, prog: str, known: Collection[str], after: str = "") -> str:
    """Return the end of a message about an option that is unknown to a command.

    The word `after` it may be its value.
    """
    name, equals, value = option.partition("=")
    name = _SHORT.get(name, name)
    word = name.removeprefix("--").replace("-", "_")
    family, _, setting = word.partition("_")
    if not name.startswith(_OF_OTHERS):
        family, setting = "bleu", FOREIGN_NAMES.get(word, word)
    settings = {each.name: each.option[0] for each in METRICS[family]()._settings_table.settings}
    of_bleu = setting in settings and "--metrics" in known
    is_option = f"--{setting.replace('_', '-')}" in known
    if name.startswith(_OF_OTHERS) or (of_bleu and not is_option):
        if settings.get(setting) not in (None, bool):
            setting += f"={value if equals else after}"
        return f"; settings stand behind the name of the metric: -m {family}:{setting}"
    if f"-{name}" in (*known, *OTHER_OPTIONS, *" ".join(_ELSEWHERE.values()).split()):
        name = f"-{name}"  # As in `-ref`.
    return _hint(name, prog, known)


def _hint(name: str, prog: str, known: Collection[str]) -> str:
    for instead, names in _ELSEWHERE.items():
        if name in names.split():
            return f"; {instead}"
    meant = SACREBLEU_OPTIONS.get(name, OTHER_OPTIONS.get(name, name))
    if meant not in (*known, *INSTEAD):
        meant = name
    word = name.removeprefix("--").replace("-", "_")
    if word in FOREIGN_NAMES:
        meant = f"--{FOREIGN_NAMES[word].replace('_', '-')}"
    elif word in FORMATS and "--format" in known:
        return f"; did you mean --format {word}?"
    if meant in known:
        return f"; did you mean {meant}?"
    if meant in INSTEAD:
        return f"; {prog} has no {meant}: {INSTEAD[meant]}"
    if not name.startswith("--"):
        return _apart(name, known)
    [*similar] = similar_names(name, (each for each in known if each.startswith("--")))
    return f"; did you mean {similar[0]}?" if similar else ""


def choice_hint(given: str, known: Collection[str]) -> str:
    """Return the end of a message about a word that is none of the choices."""
    meant = meant_metric(given)
    if meant in ELSEWHERE and "bleu" in known:
        return (
            f"; {given} is not computed here, but by {ELSEWHERE[meant]}: `truebleu compare` takes "
            f"the scores of segments from elsewhere, with --scores {given.upper()}=FILE"
        )
    if "significantly-worse" in known and any(c in given for c in "<>=-.0123456789"):
        return "; a tolerance is an option of its own: --fail-if worse --margin 0.5"
    other = OTHER_CHOICES.get(given.lower())
    return f"; did you mean {other}?" if other in known else did_you_mean(given, known)


def missing_file_hint(path: object, words: list[str], known: Mapping[str, Parameter]) -> str:
    """Return the end of a message about a file that is missing; the `known` options have names."""
    before = next((word for word, after in pairwise(words) if after == path), None)
    if not isinstance(path, str) or before is None or before in _OUTPUTS:
        return ""
    if before in known and known[before].nargs == 0:
        return f"; {before} takes no value, so this is read as a file"
    if " " in path and "--text" in known:
        return "; for text instead of files, add --text"
    columns = any(word.startswith("--hypothesis-column") for word in words)
    tables = "--hypothesis-column" in known and any(word.endswith(_TABLES) for word in words)
    if tables and not columns:
        return "; for columns of a table, use --hypothesis-column and --reference-column"
    return ""


def _apart(name: str, known: Collection[str]) -> str:
    """Say that short options are written apart from each other, and from their values."""
    if name[:2] in known and name[2:]:
        second = f"-{name[2:]}" if f"-{name[2:]}" in known else name[2:]
        return f"; did you mean {name[:2]} {second}?"
    return ""
