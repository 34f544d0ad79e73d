"""Hints for options, commands and files that do not exist."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

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
"""sacreBLEU's options that have another name here, or that only some commands have."""

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
"""Names that other programs, or other commands, use for an option."""

OTHER_CHOICES = {
    "htm": "html",
    "md": "markdown",
    "ndjson": "jsonl",
    "plain": "text",
    "table": "text",
    "tex": "latex",
    "txt": "text",
}
"""Names that other programs, or file suffixes, use for a format."""

INSTEAD = {
    "--group-by": "`truebleu score` scores groups; to compare systems, put each in its own column",
    "--metrics": "it works without a metric",
    "--width": "`score` and `segments` have it; JSON has every digit",
    "--format": "it has only one output format",
    "--score-only": "`truebleu score -b` prints only the scores",
    "--confidence": "`score` has it; `compare` and `report` always compute intervals, at 99% with "
    "--alpha 0.01",
    "--lowercase": "use it with a command that computes BLEU, such as `score`",
    "--tokenizer": "use it with a command that computes BLEU, such as `score`",
}
"""What to do instead of using an option that only some commands have."""

# sacreBLEU's prefixes for settings of chrF and TER.
_OF_OTHERS = ("--chrf-", "--ter-")
_SHORT = {"-cc": "--chrf-char-order", "-cw": "--chrf-word-order"}

_ELSEWHERE = {
    "for the scores of segments, see `truebleu segments`": "-sl --sentence-level --per-segment",
    "for tests of differences, see `truebleu compare`": (
        "-par --paired-ar -pbs --paired-bs -parn --paired-ar-n"
    ),
    "put the system outputs before -r, without an option; for a table, name the columns with "
    "--hypothesis-column COLUMN --reference-column COLUMN": (
        "-i --input --hyp --hyps --hypothesis --hypotheses --system --sys --systems"
    ),
    "name the columns of a table with --hypothesis-column COLUMN --reference-column COLUMN": (
        "--hyp-column --hyp-col --hypothesis-col --mt-column --ref-column --ref-col "
        "--reference-col --column --columns"
    ),
    "`truebleu compare` tests by approximate randomization; `truebleu-sacrebleu` has --paired-bs": (
        "--test --bootstrap --paired-bootstrap"
    ),
    "give one file per reference: -r REFERENCE_1 REFERENCE_2": "-nr --num-refs",
    "the column separator is detected automatically": "--sep --separator --delimiter",
    "files must be UTF-8; convert others, for example with iconv": "-e --encoding",
    "`truebleu audit SYSTEM -r REFERENCE --target X` finds the settings that give a score": (
        "--score --target --published"
    ),
    "`truebleu segments SYSTEM -r REFERENCE --worst N` finds the worst segments, and `truebleu "
    "explain --segment N` explains one": "--worst --best",
    "several files of one name are its runs: new=a.txt new=b.txt old=c.txt old=d.txt": "--runs",
    "see `truebleu data`": "--list --download",
    "`truebleu-sacrebleu -t NAME -l PAIR --echo src` prints the sources of a test set; in Python, "
    "truebleu.load_test_set(NAME, PAIR).sources": "--echo",
    "`truebleu report SYSTEM -r REFERENCE --sources FILE -o report.html` shows the source of each "
    "segment; for a table, `truebleu segments` prints the columns that --keep COLUMN names": (
        "--source --sources --src --src-column"
    ),
    "leave it out: it only silences a warning of sacreBLEU": "--force",
    "signatures are never shortened": "-sh --short",
    "set the environment variable NO_COLOR": "-nc --no-color",
    "`truebleu-sacrebleu`, which takes the options of sacreBLEU, has it": (
        "--origlang -ol --subset --detail -d"
    ),
    "see `truebleu --version`": "-V --version",
}


# Options that name an output file.
_OUTPUTS = ("-o", "--output", "--stats-out")

# Suffixes of files that are probably tables.
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
    "diagnose": "truebleu audit SYSTEM -r REFERENCE --target X, to find the settings behind a "
    "score",
    "reproduce": "truebleu audit SYSTEM -r REFERENCE --target X",
    "plot": "truebleu report SYSTEM... -r REFERENCE --chart NAME -o FILE",
    "chart": "truebleu report SYSTEM... -r REFERENCE --chart NAME -o FILE",
    "significance": "truebleu compare SYSTEM... -r REFERENCE",
    "bootstrap": "truebleu compare SYSTEM... -r REFERENCE",
    "paired-bs": "truebleu compare SYSTEM... -r REFERENCE",
    "stats": "truebleu score SYSTEM -r REFERENCE --stats-out FILE.jsonl, and add files up with "
    "truebleu merge --total FILE.jsonl...",
    "sentence": "truebleu segments SYSTEM -r REFERENCE",
    "self-bleu": "truebleu.self_bleu(texts) in Python, which is higher the more alike texts are",
    "rerank": "truebleu mbr FILE, or truebleu.best_of(samples, references) in Python",
    "download": "truebleu data get NAME",
    "version": "truebleu --version",
}
"""What to write instead of commands that people expect."""


def command_hint(name: str, known: Collection[str]) -> str:
    """Return the end of a message about an unknown command."""
    meant = COMMANDS.get(name.lower().replace("_", "-"))
    return f"; write {meant}" if meant else did_you_mean(name, known)


def of_sacrebleu(words: Sequence[str]) -> str:
    """Return the end of a message about a line that is written for sacreBLEU; else nothing."""
    if not {"-t", "--test-set", "-i", "--input", "-tok", "--echo", *SACREBLEU_OPTIONS} & {*words}:
        return ""
    named = {"-t", "--test-set"} & {*words}
    reference = "-t NAME -l PAIR" if named else "-r REFERENCE"
    return (
        f"; write `truebleu score - {reference} -f json < SYSTEM | jq '.[].score'`, or "
        "`truebleu-sacrebleu`, which takes the options of sacreBLEU"
    )


def hint(option: str, prog: str, known: Collection[str], after: str = "") -> str:
    """Return the end of a message about an unknown option; the word `after` may be its value."""
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
        return f"; write the setting after the name of the metric: -m {family}:{setting}"
    if f"-{name}" in (*known, *OTHER_OPTIONS, *" ".join(_ELSEWHERE.values()).split()):
        name = f"-{name}"  # As in `-ref`.
    if name in ("--worst", "--sort") and prog == "truebleu score":
        return (
            "; for the worst groups: `truebleu score ... --group-by COLUMN -f tsv | sort -gk3`, by "
            "the third column; for the worst segments: `truebleu segments ... --worst N`"
        )
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
    """Return the end of a message about a value that is not one of the choices."""
    meant = meant_metric(given)
    if meant in ELSEWHERE and "bleu" in known:
        return (
            f"; truebleu does not compute {given}, but {ELSEWHERE[meant]} does: `truebleu compare` "
            f"reads its segment scores with --scores {given.upper()}=FILE"
        )
    if "significantly-worse" in known and any(c in given for c in "<>=-.0123456789"):
        return "; give the tolerance as a margin: --fail-if worse --margin 0.5"
    other = OTHER_CHOICES.get(given.lower())
    return f"; did you mean {other}?" if other in known else did_you_mean(given, known)


def missing_file_hint(path: object, words: list[str], known: Mapping[str, object]) -> str:
    """Return the end of a message about a missing file, given the `nargs` of `known` options."""
    before = next((word for word, after in pairwise(words) if after == path), None)
    if not isinstance(path, str) or before is None or before in _OUTPUTS:
        return ""
    if known.get(before) == 0:
        return f"; {before} takes no value, so this was taken for a file"
    if " " in path and "--text" in known:
        return "; for text instead of files, add --text"
    columns = any(word.startswith("--hypothesis-column") for word in words)
    tables = "--hypothesis-column" in known and any(word.endswith(_TABLES) for word in words)
    if tables and not columns:
        return "; for columns of a table, use --hypothesis-column and --reference-column"
    return ""


def _apart(name: str, known: Collection[str]) -> str:
    """Say that short options cannot be joined with each other or with their values."""
    if name[:2] in known and name[2:]:
        second = f"-{name[2:]}" if f"-{name[2:]}" in known else name[2:]
        return f"; did you mean {name[:2]} {second}?"
    return ""
