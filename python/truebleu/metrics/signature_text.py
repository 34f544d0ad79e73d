r"""The text of a signature, in every form that is printed or quoted, as fields.

::

    signature := [name sep] field (sep field)*
    field     := key mark value
    sep mark  := "|" ":"      of truebleu, and of sacreBLEU from 2.0 on
               | "+" "."      of sacreBLEU 1.x

Keys are long or short. A score may stand on either side (``BLEU|... = 27.3 60.1/...`` or
``BLEU = 27.3 ... |...``), and what sacreBLEU prints as JSON is read, too. Line breaks, Markdown's
backticks and LaTeX's escapes do not matter.
"""

from __future__ import annotations

import re

from truebleu.errors import InputTypeError, SettingsError

_SHORT = {
    "#": "nrefs",
    "numrefs": "nrefs",
    "c": "case",
    "e": "eff",
    "s": "smooth",
    "v": "version",
    "rs": "seed",
    "t": "test",
    "l": "lang",
    "o": "origlang",
    "S": "subset",
}

DATA = ("test", "lang", "origlang", "subset")
"""The fields that name a test set, or a part of it."""

_KEYS = {
    *_SHORT.values(),
    *DATA,
    *("tok", "form", "order", "weights", "len", "phantom", "unicode"),
    # Of resampling.
    *("bs", "bt", "ar", "ci", "sided", "units"),
}

# Fields of sacreBLEU's other metrics, which look alike otherwise.
_OTHER_METRICS = {
    **dict.fromkeys(("nc", "nw", "space", "numchars", "n"), "chrF"),
    **dict.fromkeys(("norm", "punct", "asian"), "TER"),
}

# Their values may hold what separates fields: a regular expression, 1.5.1.dev0+g12ab.
_FREE = {*DATA, "version"}

_FIELD = "(?:" + "|".join(map(re.escape, [*_KEYS, *_SHORT, *_OTHER_METRICS])) + r")\s*[:.]"

_NAME = re.compile(rf"([^|:.]*?[^|:.+\s](?:\+\+?(?=\|))?)[|+:\s(\[]+(?={_FIELD})")

_NUMBER = r"\d+(?:\.\d+)?"

_SCORE = re.compile(
    rf"\s*=\s*{_NUMBER}(?:\s*%)?(?:\s*\((?:BP\b|\s*(?:μ|mu)?\s*=)[^()]*\)|\s+{_NUMBER}(?:/{_NUMBER})*(?=[\s|+(]|$))*\s*"
)

_AROUND = "|+,;. \n"

_LATEX = (
    (r"\\\\", "\n"),
    (r"\\(?:textbar|vert|mid)(?![A-Za-z])\s*(?:\{\})?|\$\s*\|\s*\$", "|"),
    (r"\\textunderscore(?![A-Za-z])\s*(?:\{\})?", "_"),
    (r"\\[-/,]", ""),
    (r"\\[A-Za-z]+\*?", ""),
    (r"\\(?=[#_&%$+.:| ])", ""),
    (r"[{}$]", ""),
    ("~", " "),
)


def parse(text: str) -> dict[str, str]:
    """Read the fields of a signature.

    Parameters
    ----------
    text : str
        A signature of truebleu or sacreBLEU, of any version, long or short, or a line with one.

    Returns
    -------
    dict
        Values under their long keys, as sacreBLEU 2 writes them.

    Raises
    ------
    SettingsError
        If it cannot be read, or belongs to another metric.
    InputTypeError
        If it is no str.
    """
    if not isinstance(text, str):
        raise InputTypeError(f"the signature is of type {type(text).__name__}, not str")
    body = _body(_plain(_of_json(text)))
    in_dots = re.match(_FIELD, body) is not None and re.match(r"[^:.]*\.", body) is not None
    separator, mark = ("+", ".") if in_dots else ("|", ":")
    fields: dict[str, str] = {}
    last = ""
    for piece in body.split(separator):
        key, found, value = piece.partition(mark)
        key = _SHORT.get(key, key)
        if found and key in _KEYS:
            if fields.setdefault(key, value) != value:
                raise SettingsError(f"signature field {piece!r}: {key} is {fields[key]} before")
            last = key
        elif last in _FREE and key not in _OTHER_METRICS:
            fields[last] += separator + piece
        elif not found:
            raise SettingsError(f"signature field {piece!r} is not of the form key:value")
        elif key in _OTHER_METRICS:
            metric = _OTHER_METRICS[key]
            raise SettingsError(
                f"signature field {piece!r}: this is a signature of {metric}, not of BLEU"
            )
        else:
            raise SettingsError(f"signature field {piece!r}: unknown key")
    if in_dots and fields.get("smooth") in ("floor", "add-k"):
        fields["smooth"] += _unwritten(fields)
    elif in_dots and fields.get("smooth") == "add-n":
        # The command knew add-n, and the formula knew add-k only: nothing was added.
        fields["smooth"] = "none"
    return fields


def is_old(fields: dict[str, str]) -> bool:
    """Whether a signature is one of sacreBLEU 1.x."""
    return fields.get("version", "").startswith("1.")


def version_parts(fields: dict[str, str]) -> tuple[int, ...]:
    """Return the version of sacreBLEU as numbers; empty if it is not said."""
    return tuple(int(part) for part in re.findall(r"\d+", fields.get("version", ""))[:3])


def _unwritten(fields: dict[str, str]) -> str:
    """Return the usual value of a smoothing, which sacreBLEU writes from 1.5 on only."""
    parts = version_parts(fields)
    if fields["smooth"] == "add-k" and (not parts or parts >= (1, 4, 4)):
        return "[1.0]"
    return "[0.0]"


def _of_json(text: str) -> str:
    """Take the signature out of what sacreBLEU 2 prints without options."""
    if not text.lstrip().startswith("{"):
        return text
    import json

    try:
        found = json.loads(text)
        return f"{found.get('name', 'BLEU')}|{found['signature']}"
    except (ValueError, KeyError):
        return text


def _plain(text: str) -> str:
    """Take away what a paper or a page needs to show a signature."""
    if "\\" in text or "$" in text:
        for pattern, plain in _LATEX:
            text = re.sub(pattern, plain, text)
    # Code and quotes; hyphens and spaces that nobody sees.
    text = re.sub("[`\"'\u201c\u201d\u2018\u2019\u00ad\u200b]", "", text)
    # What was broken into lines, and space beside what separates.
    text = re.sub(r"\s*[\r\n]\s*(?=[\w.\[])(?<![=)\s])", "", text.strip())
    return re.sub(r"\s*([|+])\s*|(?<=[:.])\s+(?=\S)", r"\1", text)


def _body(text: str) -> str:
    """Return the fields only, without the metric's name and without a score."""
    text = re.sub(r"^[\w\s-]*\bsignature\b[\s:=]*", "", text, flags=re.IGNORECASE)
    text, scores = _SCORE.subn("|", text, count=1)
    text = text.strip(_AROUND).lstrip("([")
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing):
            text = text.rstrip(closing + _AROUND)
    if scores and not re.search(_FIELD, text):
        raise SettingsError(f"{text!r} has a score, but no signature")
    name = None if re.match(_FIELD, text) else _NAME.match(text)
    if name is None:
        return text
    if not re.search("bleu(?!rt)", name[1], flags=re.IGNORECASE):
        raise SettingsError(f"this is a signature of {name[1]}, not of BLEU")
    return text[name.end() :]
