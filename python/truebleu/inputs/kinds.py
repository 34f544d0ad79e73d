"""Files that are no lines of text, recognised by what is in them: the registry KINDS.

A kind is refused if its own grammar accepts the file as a whole. What only looks like one, or is of
a kind that may be text, is read with a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from shlex import quote

from truebleu.errors import InputError, SettingsWarning, warn
from truebleu.inputs.forms import MARKUP, of_fairseq, root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Share = Callable[[Sequence[str]], float]

# Fewer lines of any text may look like anything.
_ENOUGH = 8

# The share of lines that a grammar accepts: to look at the whole file, to warn, and to refuse.
_POSSIBLE, _LIKELY, _CERTAIN = 0.5, 0.9, 0.99


def check(name: str, first: Sequence[str], whole: Callable[[], Iterable[str]]) -> None:
    """Refuse a file that is no lines of text, or warn of it; `whole` is called if it may be one.

    Of a file that cannot be read again, `whole` are the first lines, too.
    """
    for kind, (share, command) in KINDS.items():
        if share(first) < _POSSIBLE:
            continue
        lines = [line for line in whole() if line.strip()]
        accepted = share(lines)
        converts = f": {_filled(command, name, lines)} writes its text" if command else ""
        if accepted >= _CERTAIN and command is not None:
            raise InputError(
                f"{name} is {kind}, not one segment per line{converts}; --as-text (in Python, "
                "read_lines(path, as_text=True)) reads it as it is"
            )
        if accepted >= _LIKELY:
            warn(
                f"{name} looks like {kind}, but is read as one segment per line{converts}; "
                "--as-text (in Python, read_lines(path, as_text=True)) says that it is text",
                SettingsWarning,
            )
            return


def _filled(command: str, name: str, lines: Sequence[str]) -> str:
    """Return a command for this file, with what the file has."""
    text = "\n".join(lines)
    languages = re.findall(r"""lang=["']([\w-]+)""", text)
    elements = Counter(re.findall(r"<(?:\w+:)?(\w+)(?:\s[^<>]*)?>\s*[^<\s]", text))
    command = command.format(
        file=quote(name),
        language=languages[-1] if languages else "",
        element=max(elements, key=lambda each: elements[each], default="*"),
        order="LE" if lines[0][1:2] == "\0" else "BE",
    )
    return f"`{command} > {quote(f'{name}.txt')}`"


# Below is the share of lines, of which none is empty, that a grammar accepts.


def _each(accepts: Callable[[str], object], *needed: str) -> Share:
    """Accept each line by itself, if one of ten at least begins with each of `needed`."""

    def share(lines: Sequence[str]) -> float:
        for start in needed:
            if 10 * sum(line.startswith(start) for line in lines) < len(lines):
                return 0.0
        return sum(bool(accepts(line)) for line in lines) / max(_ENOUGH, len(lines))

    return share


def _xml(*roots: str) -> Share:
    """Accept what begins with one of these elements, or any, and is declared or ends with it."""

    def share(lines: Sequence[str]) -> float:
        root = root_of(lines)
        if root is None or (roots and root not in roots) or (not roots and len(lines) < 2):
            return 0.0
        if len(lines) == 1 or lines[0].lstrip().lower().startswith(("<?xml", "<!doctype")):
            return 1.0
        ends = [line.rstrip().lower().endswith(f"/{root}>") for line in lines]
        return 1.0 if ends[-1] and not any(ends[:-1]) else _POSSIBLE

    return share


_SPAN = re.compile(r"\d+:[\d:.,]+ *(-->|,) *\d+:")
_TIME = re.compile(r"[\[{]\d+(:[\d:.,]+[\]}]|[\]}][\[{]\d)|\d+:\d+:[\d:.,]+\s")
_DATE = re.compile(r"[\[(]?(\d{4}([-/.])\d\d?\2\d\d?|\d\d?([-/.])\d\d?\3\d{2,4})\b")
_KEY = re.compile(r"""[\s"'-]*([A-Za-z_][\w.-]*)["']?\s*(=>|=|:)\s*["']?[^\s"';,]""", re.ASCII)
_COMMENT = re.compile(r"\s*(#|//|/\*|!)")
_NUMBER = re.compile(r"[\[(#]?(\d{1,8})[\])}.:#|-]*\s")


def _cues(lines: Sequence[str]) -> float:
    """Accept times, each span in a line of its own, and one to five other lines behind each."""
    spans = [number for number, line in enumerate(lines) if _SPAN.match(line)]
    if not spans or (spans[0] > 1 and not lines[0].startswith("WEBVTT")):
        return 0.0
    return sum(2 <= end - at <= 6 for at, end in pairwise([*spans, len(lines) + 1])) / len(spans)


def _columns(mark: str) -> Share:
    """Accept lines of which all have the same number of marks between texts."""

    def share(lines: Sequence[str]) -> float:
        [(most, count)] = Counter(line.strip().count(mark) for line in lines).most_common(1)
        return count / max(_ENOUGH, len(lines)) if most else 0.0

    return share


def _table(lines: Sequence[str]) -> float:
    ruled = len(lines) > 1 and "---" in lines[1] and not lines[1].strip("|-: ")
    return _columns("|")(lines) if ruled else 0.0


def _keyed(lines: Sequence[str]) -> float:
    """Accept keys with values, of which hardly any key is there twice."""
    keys = [_KEY.match(line) for line in lines if not _COMMENT.match(line)]
    return len({key[1] for key in keys if key}) / max(_ENOUGH, len(keys))


def _numbered(lines: Sequence[str]) -> float:
    """Accept lines that begin with numbers, each the one after that before."""
    numbers = [int(found[1]) if found else -1 for found in map(_NUMBER.match, lines)]
    return sum(one + 1 == other > 0 for one, other in pairwise(numbers)) / max(
        _ENOUGH, len(lines) - 1
    )


_OF_XML = (
    'python3 -c \'import sys, xml.etree.ElementTree as e; [print(*"".join(each.itertext()).split())'
    " for each in e.parse(sys.argv[1]).iterfind(sys.argv[2])]' {file} "
)
_OF_PO = (
    'python3 -c \'import ast, re, sys; [print(*ast.literal_eval("(" + each + ")").split()) for '
    'each in re.findall(r"^msgstr\\S* ((?:\\".*\\"\\s*)+)", open(sys.argv[1], encoding="utf-8")'
    ".read(), re.M)[1:]]' {file}"
)
_OF_CUES = (
    "tr -d '\\r' < {file} | awk -v RS= -F'\\n' '{{t = \"\"; on = 0; for (i = 1; i <= NF; i++) "
    'if (on) t = t $i " "; else if ($i ~ /[0-9](,| *-->)[ 0-9]/) on = 1; if (on) print t}}\''
)
_OF_TIMED = "sed -E 's/^([[{{][0-9:.,]*[]}}])+ *//; s/^[0-9][0-9:.,]* +//' {file}"
_OF_TMX = _OF_XML + "'.//tuv[@{{http://www.w3.org/XML/1998/namespace}}lang=\"{language}\"]/seg'"

KINDS: dict[str, tuple[Share, str | None]] = {
    "UTF-16": (
        _each(lambda line: 3 * line.count("\0") >= len(line)),
        "iconv -f UTF-16{order} -t UTF-8 {file}",
    ),
    "text with NUL characters": (
        lambda lines: any("\0" in line for line in lines),
        "tr -d '\\000' < {file}",
    ),
    "a translation memory (TMX)": (_xml("tmx"), _OF_TMX),
    "XLIFF": (_xml("xliff"), _OF_XML + "'.//{{*}}target'"),
    "HTML": (_xml("html"), ""),
    MARKUP: (_xml(), _OF_XML + "'.//{{*}}{element}'"),
    "a catalogue of gettext (PO)": (
        _each(re.compile(r'msgid|msgstr|msgctxt|"|#').match, "msgid ", "msgstr"),
        _OF_PO,
    ),
    "subtitles with times": (_cues, _OF_CUES),
    "subtitles (ASS)": (
        lambda lines: lines[0].strip() == "[Script Info]",
        "grep '^Dialogue:' {file} | cut -d, -f10-",
    ),
    "text with a time in each line": (_each(_TIME.match), _OF_TIMED),
    "a log of fairseq": (
        _each(of_fairseq),
        "grep '^H-' {file} | cut -c3- | sort -n | cut -f3-",
    ),
    "a table of Markdown": (_table, "awk -F ' *[|] *' 'NR > 2 {{print $3}}' {file}"),
    "columns separated by |||": (
        _columns(" ||| "),
        "awk -F ' [|][|][|] ' '{{print $2}}' {file}",
    ),
    "columns separated by tabs": (_columns("\t"), "cut -f2 {file}"),
    "a table of strings": (_keyed, None),
    "numbered lines": (_numbered, None),
    "a log with dates": (_each(_DATE.match), None),
    "CSV": (_each(lambda line: line[0] == line[-1] == '"' and '","' in line), None),
}
"""How each kind is recognised, and what writes its text; None if it may be text itself."""
