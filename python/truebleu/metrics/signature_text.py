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

RESAMPLING = ("bs", "bt", "ar", "seed", "ci", "sided", "units")
"""The fields of intervals and tests."""

_KEYS = {
    *_SHORT.values(),
    *DATA,
    *("tok", "form", "order", "weights", "len", "phantom", "unicode"),
    *RESAMPLING,
}

# Fields of sacreBLEU's other metrics, which look alike otherwise.
_OTHER_METRICS = {
    **dict.fromkeys(("nc", "nw", "space", "numchars", "n"), "chrF"),
    **dict.fromkeys(("norm", "punct", "asian"), "TER"),
}

# What goes on with a value although it stands behind a separator: a version in development is
# 1.5.1.dev0+g12ab.d20240131, and a subset is a regular expression over the countries and domains of
# documents. Nothing else does: a field that is misspelt is an error.
_GOES_ON = {
    "version": re.compile(r"(?:g[0-9a-f]+(?:\.d\d{8})?|d\d{8})$"),
    "subset": re.compile(r"(?:country|domain):|[^:.]*$"),
}

_FIELD = "(?:" + "|".join(map(re.escape, [*_KEYS, *_SHORT, *_OTHER_METRICS])) + r")\s*[:.]"

_NAME = re.compile(rf"([^|:.]*?[^|:.+\s](?:\+\+?(?=\|))?)[|+:\s(\[]+(?={_FIELD})")

_NUMBER = r"\d+(?:[.,]\d+)?"

_SCORE = re.compile(
    rf"\s*=\s*{_NUMBER}(?:\s*%)?(?:\s*\((?:BP\b|\s*(?:μ|mu)?\s*=)[^()]*\)|\s+{_NUMBER}(?:/{_NUMBER})*(?=[\s|+(]|$))*\s*"
)

_AROUND = "|+,;. \n"

_OPENINGS = f"{_AROUND}(["

_COUNT = re.compile(r"[1-9][0-9]*|var|\?")

# What papers write before a signature, and scores that stand where sacreBLEU prints none.
_OPENED = re.compile(r"^[\w\s-]*bleu\s*[(\[]\s*(?=[\w#])", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:[\w\s-]*\b(?:signature|hash)\b[\s:=]*|[\w\s-]*\bsacre-?bleu\s*[:=]\s*(?=[^\W\d]))+",
    re.IGNORECASE,
)
_SCORE_BEFORE = re.compile(rf"^[\s(]*{_NUMBER}\s*%?\s*(?=[\w-]*BLEU\b)", re.IGNORECASE)
_COLON = re.compile(rf"^([\w-]*BLEU(?:\s+score)?)\s*:\s*(?={_NUMBER}[\s%|+(])", re.IGNORECASE)

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
        elif last in _GOES_ON and _goes_on(fields, last, piece):
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
    _check_count(fields.get("nrefs", "1"))
    if in_dots and fields.get("smooth") in ("floor", "add-k"):
        fields["smooth"] += _unwritten(fields)
    elif in_dots and fields.get("smooth") == "add-n":
        # The command knew add-n, and the formula knew add-k only: nothing was added.
        fields["smooth"] = "none"
    return fields


def _check_count(references: str) -> None:
    if not _COUNT.fullmatch(references):
        raise SettingsError(
            f"signature field 'nrefs:{references}': a whole number from 1 up is needed, or var, ?"
        )


def _goes_on(fields: dict[str, str], key: str, piece: str) -> bool:
    """Whether what follows a field that may hold separators is still that field."""
    inside = key == "subset" and fields[key].count("(") > fields[key].count(")")
    return inside or _GOES_ON[key].match(piece) is not None


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
    text = _OPENED.sub("", text.lstrip(_OPENINGS))
    text = _COLON.sub(r"\1 = ", _SCORE_BEFORE.sub("", _BEFORE.sub("", text)))
    text, scores = _SCORE.subn("|", text, count=1)
    text = _closed(text.strip(_AROUND).lstrip("(["))
    if scores and not re.search(_FIELD, text):
        raise SettingsError(f"{text!r} has a score, but no signature")
    name = None if re.match(_FIELD, text) else _NAME.match(text)
    if name is None:
        return text
    if not re.search("bleu(?!rt)", name[1], flags=re.IGNORECASE):
        raise SettingsError(f"this is a signature of {name[1]}, not of BLEU")
    return _closed(text[name.end() :])


def _closed(text: str) -> str:
    """Take away what closes brackets that were opened before."""
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing):
            text = text.rstrip(closing + _AROUND)
    return text
