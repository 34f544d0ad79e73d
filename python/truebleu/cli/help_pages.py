"""Help for the command: a summary that fits a screen, the page with everything, and examples."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence

from truebleu.cli.parameters import Parameter

EXAMPLES = {
    "score": "score system.txt -r reference.txt -m bleu chrf ter",
    "merge": "merge part-1.jsonl part-2.jsonl",
    "segments": "segments system.txt -r reference.txt -m chrf",
    "compare": "compare a.txt b.txt -r reference.txt",
    "explain": "explain system.txt -r reference.txt --segment 3",
    "report": "report a.txt b.txt -r reference.txt -o report.html",
    "audit": "audit system.txt -r reference.txt",
    "tokenize": "tokenize system.txt --tokenizer intl",
    "data": "data get wmt24 -l en-de",
    "mbr": "mbr samples.jsonl --metric chrf",
    "meta": "meta human.seg.score COMET=comet.seg.score BLEU=bleu.seg.score",
    "check": "check my_bleu:score --level core",
}
"""An example for each command; a test runs those that need neither a network nor an extra."""

# Groups in the order of the pages; others follow, and what is about the command itself is last.
_TITLES = (
    *("commands", "input", "input of tables"),
    *("settings", "settings of BLEU", "settings of chrF", "settings of TER"),
    "settings of external scores",
    *("output", "resampling"),
)
_LAST = "general"

# Of these groups, a summary has only the options that most people need.
_IN_SUMMARY = {
    "input of tables": ("hypotheses", "reference_columns", "column"),
    "settings of BLEU": ("tokenizer", "lowercase", "smoothing", "dialect"),
    "settings of chrF": (),
    "settings of TER": (),
    "settings of external scores": ("scores",),
    "resampling": ("confidence", "baseline", "units", "margin", "n_resamples"),
}

# Options of the other groups that a summary leaves out.
_RARE = (
    *("as_text", "missing_references", "latex_float", "domains", "require_checksum"),
    *("settings_from", "margin", "threads", "stats_out", "segment_stats", "batch", "sets"),
    "unpaired",
)

_NARROWEST, _WIDEST = 40, 100


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
        found: dict[str, list[Parameter]] = {title: [] for title in _TITLES}
        for title, parameter in titled:
            found.setdefault(title, []).append(parameter)
        about_itself = found.pop(_LAST, [])
        self.groups = {title: several for title, several in found.items() if several}
        self.groups[_LAST] = about_itself

    @property
    def example(self) -> str:
        """An example, as it is typed."""
        return f"truebleu {EXAMPLES.get(self.prog.rpartition(' ')[2], EXAMPLES['score'])}"

    def whole(self) -> str:
        """Return the page with all options, as wide as the terminal."""
        rows = {
            title: [(names_of(each), description_of(each)) for each in actions]
            for title, actions in self.groups.items()
        }
        return self._laid_out(rows, self.end, 26)

    def summary(self) -> str:
        """Return the page with the most common options, which fits a screen."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for title, actions in self.groups.items():
            common = _IN_SUMMARY.get(title)
            chosen = [
                (names_of(each), brief(description_of(each)))
                for each in actions
                if (common is None or each.dest in common) and each.dest not in _RARE
            ]
            if chosen:
                rows.setdefault(title.partition(" of ")[0], []).extend(chosen)
        # Names have a column that is as wide as they need.
        longest = max(len(names) for several in rows.values() for names, _ in several)
        return self._laid_out(rows, f"All options: {self.prog} --help", min(longest + 4, 36))

    def _laid_out(self, rows: dict[str, list[tuple[str, str]]], end: str, indent: int) -> str:
        width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
        indent = min(indent, width // 2)
        blocks = [self.usage, _filled(self.description, width)]
        for title, several in rows.items():
            lines = [line for row in several for line in _row(*row, indent, width)]
            blocks.append("\n".join([f"{title}:", *lines]))
        blocks += [f"example: {self.example}\n{_filled(end, width)}".rstrip()]
        return "\n\n".join(filter(None, blocks)) + "\n"


def usage(prog: str, arguments: Sequence[Parameter], options: Sequence[Parameter]) -> str:
    """Return how a command is used, in one line: its arguments, and options that are needed."""
    parts = [_placeholder(each) for each in arguments]
    parts += [f"{each.option_strings[0]} {_placeholder(each)}" for each in options]
    return f"usage: {' '.join([prog, '[OPTIONS]', *parts])}"


def description_of(action: Parameter) -> str:
    """Return what help says about an option."""
    text = (action.help or "") % vars(action)
    choices = [] if action.metavar else [str(each) for each in action.choices or ()]
    left_out = choices and not all(each in text for each in choices)
    return f"{text} [{', '.join(choices)}]" if left_out else text


def names_of(action: Parameter) -> str:
    """Return an option as help shows it: ``-r, --references REFERENCE...``."""
    value = _placeholder(action)
    if not action.option_strings:
        return value
    long = [name for name in action.option_strings if name.startswith("--")]
    short = [name for name in action.option_strings if name not in long]
    # Other long names are aliases.
    negative = [name for name in long[1:] if name.startswith("--no-")]
    return f"{', '.join([*short, *long[:1], *negative])} {value}".rstrip()


def brief(text: str) -> str:
    """Leave out explanations behind a colon or semicolon, but no default."""
    # Not those inside brackets.
    outside = re.sub(r"\([^()]*\)", lambda found: "_" * len(found[0]), text)
    end = min(len(text), *(outside.find(sign) % (len(text) + 1) for sign in (": ", "; ")))
    default = re.search(r" \(default: [^()]*\)", text[end:])
    return text[:end] + (default[0] if default else "")


def _placeholder(action: Parameter) -> str:
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    name = action.metavar or action.dest.upper()
    if action.nargs == "*":
        return f"[{name}...]"
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
