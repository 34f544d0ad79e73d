"""Help for the commands: a page for each, and one on all of them, which fits a screen."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from truebleu.cli.parameters import Parameter

MOST_USED = {
    "score": ("references", "test_set", "metrics", "tokenizer", "format"),
    "segments": ("references", "metrics", "tokenizer", "worst", "format"),
    "compare": ("references", "metrics", "baseline", "units", "format"),
    "report": ("references", "output", "metrics", "baseline", "sources"),
    "explain": ("references", "segment", "metrics", "tokenizer", "format"),
    "audit": ("references", "metric", "explain", "target", "format"),
    "tokenize": ("tokenizer", "lowercase", "unicode_form", "offsets", "format"),
    "data": ("pairs", "format"),
    "merge": ("total", "stats_out", "format"),
    "mbr": ("metrics", "input_format", "method", "threads", "format"),
    "check": ("metrics", "level", "data", "time_limit", "format"),
    "meta": ("pairs", "metrics", "references", "measures", "format"),
}
"""The options of each command that most people need."""

EXAMPLES = {
    "score": (
        "score system.txt -r reference.txt",
        "score a.txt b.txt -r reference.txt -m bleu chrf ter",
        "score system.txt -r reference.txt --confidence 99 --format json",
    ),
    "segments": (
        "segments system.txt -r reference.txt -m chrf",
        "segments system.txt -r reference.txt --worst 10",
        "segments a.txt b.txt -r reference.txt -m chrf++ --format jsonl",
    ),
    "compare": (
        "compare a.txt b.txt -r reference.txt",
        "compare a.txt b.txt -r reference.txt -m bleu chrf --paper --format latex",
        "compare a.txt --baseline b.txt -r reference.txt --fail-if worse",
    ),
    "report": (
        "report a.txt b.txt -r reference.txt -o report.html",
        "report a.txt b.txt -r reference.txt --sources source.txt -o report.html",
        "report a.txt b.txt -r reference.txt --chart pair -o pair.svg",
    ),
    "explain": (
        "explain system.txt -r reference.txt",
        "explain system.txt -r reference.txt --segment 3 -m chrf",
        'explain --text "The cat sat." -r "A cat sat."',
    ),
    "audit": (
        "audit system.txt -r reference.txt",
        "audit system.txt -r reference.txt --explain sacrebleu nltk",
        "audit system.txt -r reference.txt --target 27.3",
    ),
    "tokenize": (
        "tokenize system.txt --tokenizer intl",
        "tokenize system.txt --lowercase",
        "tokenize system.txt --offsets --format jsonl",
    ),
    "data": ("data list -l en-de", "data get wmt24 -l en-de", "data check"),
    "merge": (
        "merge part-1.jsonl part-2.jsonl",
        "merge part-1.jsonl part-2.jsonl --total",
        "merge part-1.jsonl part-2.jsonl --stats-out whole.jsonl",
    ),
    "mbr": (
        "mbr samples.jsonl",
        "mbr samples.jsonl -m chrf --format jsonl",
        "mbr samples.jsonl --method aggregated",
    ),
    "check": (
        "check my_bleu:score --level core",
        "check my_bleu:score -m bleu --format markdown",
        "check --level core -- python my_bleu.py",
    ),
    "meta": (
        "meta human.seg.score COMET=comet.seg.score BLEU=bleu.seg.score",
        "meta wmt24 -l en-de -m bleu chrf",
        "meta wmt24 -l en-de -m bleu chrf --write wmt24",
    ),
}
"""Three examples for each command; a test runs those that need no network and no data of WMT."""

# Groups in the order of the pages; others follow, and what is about the command itself is last.
_FIRST = "most used"
_TITLES = (
    *(_FIRST, "input", "input of tables", "settings", "settings of BLEU"),
    *("settings of external scores", "output", "resampling"),
)
_LAST = "general"

_NARROWEST, _WIDEST, _INDENT = 40, 100, 26


class Page:
    """What help says about a command: parameters are under titles, and `end` is the last."""

    def __init__(
        self,
        prog: str,
        usage: str,
        description: str | None,
        end: str | None,
        titled: Iterable[tuple[str, Parameter]],
    ) -> None:
        """Bring groups, of which several may have one title, into the order of all pages."""
        self.prog, self.usage = prog, usage
        self.description, self.end = description or "", end or ""
        command = prog.rpartition(" ")[2]
        self.examples = [f"truebleu {each}" for each in EXAMPLES.get(command, ())]
        most_used = MOST_USED.get(command, ())
        found: dict[str, list[Parameter]] = {title: [] for title in _TITLES}
        for title, parameter in titled:
            first = not parameter.option_strings or parameter.dest in most_used
            found.setdefault(_FIRST if first else title, []).append(parameter)
        # Arguments, then options in the order of the table.
        found[_FIRST].sort(
            key=lambda each: [*most_used, each.dest].index(each.dest) if each.option_strings else -1
        )
        about_itself = found.pop(_LAST, [])
        self.groups = {title: several for title, several in found.items() if several}
        self.groups[_LAST] = about_itself

    def laid_out(self) -> str:
        """Return the page, as wide as the terminal."""
        width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
        indent = min(_INDENT, width // 2)
        blocks = [self.usage, _filled(self.description, width)]
        for title, several in self.groups.items():
            rows = [(names_of(each), each.help) for each in several]
            lines = [line for row in rows for line in _row(*row, indent, width)]
            blocks.append("\n".join([f"{title}:", *lines]))
            if title == _FIRST and self.examples:
                blocks.append("\n".join(["examples:", *(f"  {each}" for each in self.examples)]))
        blocks.append(_filled(self.end, width))
        return "\n\n".join(filter(None, blocks)) + "\n"


def overview(groups: Mapping[str, Mapping[str, str]], options: Iterable[Parameter]) -> str:
    """Return the page on all commands: names and what they do, by group."""
    lines = ["usage: truebleu COMMAND [OPTIONS]   (truebleu COMMAND -h: its options)"]
    lines += ["Compute BLEU, chrF and TER, compare systems, and explain the scores."]
    for title, commands in groups.items():
        lines += [f"{title}:", *(f"  {name:<10}{about}" for name, about in commands.items())]
    lines.append("options:")
    lines += [f"  {names_of(each):<20}{each.help}" for each in options]
    lines += ["exit code: 0 done, 1 a threshold or check is not met, 2 an error"]
    lines += ["example: truebleu score a.txt b.txt -r ref.txt -m bleu chrf++ -f json -o x.json"]
    return "\n".join(lines) + "\n"


def usage(prog: str, arguments: Sequence[Parameter], options: Sequence[Parameter]) -> str:
    """Return how a command is used, in one line: its arguments, and options that are needed."""
    parts = [_placeholder(each) for each in arguments]
    parts += [f"{each.option_strings[0]} {_placeholder(each)}" for each in options]
    return f"usage: {' '.join([prog, '[OPTIONS]', *parts])}"


def names_of(action: Parameter) -> str:
    """Return an option as help shows it: ``-r, --references REFERENCE...``."""
    value = _placeholder(action)
    if not action.option_strings:
        return value
    long = [name for name in action.option_strings if name.startswith("--")]
    short = [name for name in action.option_strings if name not in long]
    # Other long names are aliases.
    return f"{', '.join([*short, *long[:1]])} {value}".rstrip()


def _placeholder(action: Parameter) -> str:
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    name = action.metavar or action.dest.upper()
    if action.nargs == "*":
        return f"[{name}...]"
    if action.nargs == "?":
        return f"[{name}]"
    return f"{name}..." if action.nargs == "+" else name


def _row(names: str, text: str, indent: int, width: int) -> Sequence[str]:
    """Return the lines about an option; long names have a line of their own."""
    lines = textwrap.wrap(text, width - indent, break_on_hyphens=False) or [""]
    rest = [" " * indent + line for line in lines]
    if len(names) + 4 > indent:
        return [f"  {names}", *rest]
    return [f"  {names}".ljust(indent) + lines[0], *rest[1:]]


def _filled(text: str, width: int) -> str:
    return textwrap.fill(text, width, break_on_hyphens=False)
