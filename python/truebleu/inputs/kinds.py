"""Files that are no lines of text, recognised by what is in them: the registry KINDS.

A kind is refused if its own grammar accepts the file as a whole. What only looks like one, or is of
a kind that may be text, is read with a warning.
"""

from __future__ import annotations

from itertools import pairwise

from truebleu.errors import InputError, SettingsWarning, warn
from truebleu.inputs.forms import MARKUP, of_fairseq, root_of
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Share = Callable[[Sequence[str]], float]

FIRST_LINES = 100
"""How many lines tell what a file is."""

# How many lines at either end of the first ones tell whether a file may be of a kind.
_ENDS = 8

# The share of lines that a grammar accepts: to look at the whole file, to warn, and to refuse.
_POSSIBLE, _LIKELY, _CERTAIN = 0.5, 0.9, 0.99

_LONGEST_LABEL = 40


class Kind(Record):
    """What a file may be: the share of its lines that the grammar accepts, and what converts it.

    The `command` writes the text of {file}; it may also have an {element} of XML, a {language} and
    a byte {order} that the file has.
    """

    name: str
    share: Share
    command: str = ""
    may_be_text: bool = False


def check(name: str, sample: Sequence[str], whole: Callable[[], Iterable[str]]) -> None:
    """Refuse a file that is no lines of text, or warn of it; `whole` is called if it may be one.

    `sample` are the first lines. Of a file that cannot be read again, `whole` are these, too.
    """
    first = [line for line in sample if line.strip()]
    if len(first) > 2 * _ENDS:
        first = [*first[:_ENDS], *first[-_ENDS:]]
    nul = any("\0" in line for line in sample)
    for kind in KINDS if first else ():
        if not nul and kind.share(first) < _POSSIBLE:
            continue
        lines = [line for line in whole() if line.strip()]
        share = kind.share(lines)
        if share >= _CERTAIN and not kind.may_be_text:
            raise InputError(
                f"{name} is {kind.name}, not one segment per line{_command(kind, name, lines)}; "
                "as_text=True reads it as it is"
            )
        if share >= _LIKELY:
            warn(
                f"{name} looks like {kind.name}, but is read as one segment per line"
                f"{_command(kind, name, lines)}; as_text=True says that it is text",
                SettingsWarning,
            )
            return


def _command(kind: Kind, name: str, lines: Sequence[str]) -> str:
    """Say what writes the text of a file."""
    # Slow to load.
    from shlex import quote

    if not kind.command:
        return ""
    attribute = "\n".join(lines).replace("'", '"').rpartition('lang="')[2]
    command = kind.command.format(
        file=quote(name),
        language=attribute.partition('"')[0],
        element=_element(lines),
        order="LE" if lines[0][1:2] == "\0" else "BE",
    )
    return f": `{command} > {quote(f'{name}.txt')}` writes its text"


def _element(lines: Sequence[str]) -> str:
    """Return the element of XML that has text most often."""
    tags = (part.partition(">") for part in "\n".join(lines).split("<"))
    with_text = (tag for tag, _, text in tags if text.strip() and tag[:1].isalpha())
    return str(_most([tag.split()[0].rpartition(":")[2] for tag in with_text])[0])


def _most(items: Sequence[object]) -> tuple[object, float]:
    """Return the most frequent of some items, and its share."""
    counts: dict[object, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    most = max(counts, key=lambda item: counts[item], default=None)
    return most, counts.get(most, 0) / max(1, len(items))


# Below is the share of lines, of which none is empty, that a grammar accepts.


def _each(accepts: Callable[[str], object], *needed: str) -> Share:
    """Accept each line by itself, if one of ten at least begins with each of `needed`."""

    def share(lines: Sequence[str]) -> float:
        for start in needed:
            if 10 * sum(line.startswith(start) for line in lines) < len(lines):
                return 0.0
        return sum(map(bool, map(accepts, lines))) / len(lines)

    return share


def _enough(share: Share) -> Share:
    """Few lines of any text may look so."""
    return lambda lines: share(lines) if len(lines) >= _ENDS else 0.0


def _starts(*marks: str) -> Callable[[str], bool]:
    return lambda line: line.startswith(marks)


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


def _cues(lines: Sequence[str]) -> float:
    """Accept times, each span in a line of its own, and one to five other lines behind each."""
    spans = [number for number, line in enumerate(lines) if _is_span(line)]
    if not spans or (spans[0] > 1 and not lines[0].startswith("WEBVTT")):
        return 0.0
    ends = [*spans[1:], len(lines) + 1]
    return sum(2 <= end - at <= 6 for at, end in zip(spans, ends, strict=True)) / len(spans)


def _is_span(line: str) -> bool:
    start, mark, end = line.partition("-->" if "-->" in line else ",")
    return bool(mark and end) and _is_time(start.strip(), 1) and _is_time(end.split()[0], 1)


def _is_time(text: str, colons: int) -> bool:
    return text[:1].isdigit() and text.count(":") >= colons and not text.strip("0123456789:.,;")


def _is_timed(line: str) -> bool:
    """Whether a line begins with a time or frame: [00:12.34], {120}{180} or 00:00:12."""
    if line[0] in "[{":
        inside, _, rest = line[1:].replace("]", "}").partition("}")
        return _is_time(inside, 1) or (inside.isdecimal() and rest[:1] in ("[", "{"))
    return _is_time(line.split(maxsplit=1)[0], 2)


def _is_dated(line: str) -> bool:
    """Whether a line begins with a date: 2026-11-29 or 29/11/2026."""
    date = line.lstrip("[(").split(maxsplit=1)[0][:10].rstrip(",")
    return sum(map(str.isdigit, date)) >= 6 and 2 in map(date.count, "-/.")


def _columns(mark: str) -> Share:
    """Accept lines of which all have the same number of marks between texts."""

    def share(lines: Sequence[str]) -> float:
        most, found = _most([line.strip().count(mark) for line in lines])
        return found if most else 0.0

    return share


def _table(lines: Sequence[str]) -> float:
    ruled = len(lines) > 1 and "---" in lines[1] and not lines[1].strip("|-: ")
    return _columns("|")(lines) if ruled else 0.0


def _keyed(lines: Sequence[str]) -> float:
    """Accept keys with values, of which hardly any key is there twice."""
    keys = [_key(line) for line in lines if not line.lstrip().startswith(("#", "//", "/*", "!"))]
    return len({*keys} - {""}) / max(1, len(keys))


def _key(line: str) -> str:
    for mark in (" => ", "=", ":"):
        key, found, value = line.partition(mark)
        key = key.strip(" -\"'")
        plain = key.replace(".", "").replace("-", "").replace("_", "")
        if found and plain.isalnum() and plain.isascii() and not plain.isdecimal():
            return key if value.strip(" \"';,") else ""
    return ""


def _numbered(lines: Sequence[str]) -> float:
    """Accept lines that begin with numbers, each the one after that before."""
    words = [line.split(maxsplit=1)[0].strip("[](){}.:#|-") for line in lines]
    numbers = [int(word) if word.isdecimal() and len(word) < 9 else -1 for word in words]
    follow = (one + 1 == other > 0 for one, other in pairwise(numbers))
    return sum(follow) / max(1, len(lines) - 1)


def _labelled(lines: Sequence[str]) -> float:
    """Accept lines that begin with the same label: Translation: or [INST] or <2de>."""
    most, share = _most([_label(line) for line in lines])
    return share if most else 0.0


def _label(line: str) -> str:
    words = line[:_LONGEST_LABEL].split(" ")[:-1]
    ends = (
        number for number, word in enumerate(words, 1) if word.endswith((":", "]", ">", "<", "|"))
    )
    label = " ".join(words[: next(ends, 0)])
    return label if any(map(str.isalpha, label)) else ""


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
_OF_LOG = "grep '^H-' {file} | cut -c3- | sort -n | cut -f3-"

KINDS = (
    Kind(
        name="UTF-16",
        share=_each(lambda line: 3 * line.count("\0") >= len(line)),
        command="iconv -f UTF-16{order} -t UTF-8 {file}",
    ),
    Kind(
        name="text with NUL, a character that no text has",
        share=lambda lines: any("\0" in line for line in lines),
        command="tr -d '\\000' < {file}",
    ),
    Kind(
        name="a translation memory (TMX)",
        share=_xml("tmx"),
        command=_OF_XML
        + "'.//tuv[@{{http://www.w3.org/XML/1998/namespace}}lang=\"{language}\"]/seg'",
    ),
    Kind(name="XLIFF", share=_xml("xliff"), command=_OF_XML + "'.//{{*}}target'"),
    Kind(name="HTML", share=_xml("html")),
    Kind(name=MARKUP, share=_xml(), command=_OF_XML + "'.//{{*}}{element}'"),
    Kind(
        name="a catalogue of gettext (PO)",
        share=_each(_starts("msgid", "msgstr", "msgctxt", '"', "#"), "msgid ", "msgstr"),
        command=_OF_PO,
    ),
    Kind(name="subtitles with times", share=_cues, command=_OF_CUES),
    Kind(
        name="subtitles (ASS)",
        share=lambda lines: lines[0].strip() == "[Script Info]",
        command="grep '^Dialogue:' {file} | cut -d, -f10-",
    ),
    Kind(name="text with a time in each line", share=_enough(_each(_is_timed)), command=_OF_TIMED),
    Kind(name="a log of fairseq", share=_enough(_each(of_fairseq)), command=_OF_LOG),
    Kind(
        name="a table of Markdown",
        share=_table,
        command="awk -F ' *[|] *' 'NR > 2 {{print $3}}' {file}",
    ),
    Kind(
        name="columns separated by |||",
        share=_enough(_columns(" ||| ")),
        command="awk -F ' [|][|][|] ' '{{print $2}}' {file}",
    ),
    Kind(
        name="columns separated by tabs",
        share=_enough(_columns("\t")),
        command="cut -f2 {file}",
    ),
    Kind(name="a table of strings", share=_enough(_keyed), may_be_text=True),
    Kind(name="numbered lines", share=_enough(_numbered), may_be_text=True),
    Kind(name="a log with dates", share=_enough(_each(_is_dated)), may_be_text=True),
    Kind(
        name="CSV",
        share=_enough(_each(lambda line: line[0] == line[-1] == '"' and '","' in line)),
        may_be_text=True,
    ),
    Kind(
        name="a patch",
        share=_each(_starts("+", "-", " ", "@@ ", "diff ", "index "), "@@ "),
        may_be_text=True,
    ),
    Kind(name="lines with a label", share=_enough(_labelled), may_be_text=True),
)
"""What is recognised, and refused unless it may be text."""
