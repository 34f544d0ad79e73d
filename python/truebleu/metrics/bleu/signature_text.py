r"""Parsing signatures, in all the forms in which tools print them and papers quote them.

::

    signature := [name sep] field (sep field)*
    field     := key mark value
    sep mark  := "|" ":"      of truebleu, and of sacreBLEU from 2.0 on
               | "+" "."      of sacreBLEU 1.x

Keys are long or short; :mod:`truebleu.metrics.bleu.grammar` defines them. A score may come before
or after the signature (``BLEU|... = 27.3 60.1/...`` or ``BLEU = 27.3 ... |...``), and sacreBLEU's
JSON output is read too. Line breaks, Markdown backticks and LaTeX escapes are ignored.
"""

from __future__ import annotations

import re

from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.bleu.grammar import GRAMMAR

_LONG = {short: field.key for field in GRAMMAR.fields for short in field.short}
_KEYS = {field.key for field in GRAMMAR.fields}

# Fields of sacreBLEU's other metrics, whose signatures otherwise look the same.
_OTHER_METRICS = {
    **dict.fromkeys(("nc", "nw", "space", "numchars", "n"), "chrF"),
    **dict.fromkeys(("norm", "punct", "asian"), "TER"),
}

# Values that may contain a separator, and patterns of the text after it: a development version is
# 1.5.1.dev0+g12ab.d20240131, and a subset is a regular expression over the countries and domains of
# documents. No other value may, so that a misspelled field is an error.
_CONTINUATIONS = {
    "version": re.compile(r"(?:g[0-9a-f]+(?:\.d\d{8})?|d\d{8})$"),
    "subset": re.compile(r"(?:country|domain):|[^:.]*$"),
}

_FIELD = "(?:" + "|".join(map(re.escape, [*_KEYS, *_LONG, *_OTHER_METRICS])) + r")\s*[:.]"

_NAME = re.compile(rf"([^|:.]*?[^|:.+\s](?:\+\+?(?=\|))?)[|+:\s(\[]+(?={_FIELD})")

_NUMBER = r"\d+(?:[.,]\d+)?"

_SCORE = re.compile(
    rf"\s*=\s*{_NUMBER}(?:\s*%)?(?:\s*\((?:BP\b|\s*(?:μ|mu)?\s*=)[^()]*\)|\s+{_NUMBER}(?:/{_NUMBER})*(?=[\s|+(]|$))*\s*"
)

_AROUND = "|+,;. \n"

_OPENINGS = f"{_AROUND}(["

_COUNT = re.compile(r"[1-9][0-9]*|var|\?")

# Text that papers write before a signature, and scores in places where sacreBLEU prints none.
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
        A signature of any version of truebleu or sacreBLEU, long or short, or a line that contains
        one.

    Returns
    -------
    dict
        The values by long key, as sacreBLEU 2 writes them.

    Raises
    ------
    SettingsError
        If the signature cannot be read or belongs to another metric.
    InputTypeError
        If `text` is not a str.
    """
    if not isinstance(text, str):
        raise InputTypeError(f"the signature is of type {type(text).__name__}, not str")
    body = _body(_plain(_extract_from_json(text)))
    in_dots = re.match(_FIELD, body) is not None and re.match(r"[^:.]*\.", body) is not None
    separator, mark = ("+", ".") if in_dots else ("|", ":")
    fields: dict[str, str] = {}
    last = ""
    for piece in body.split(separator):
        key, has_mark, value = piece.partition(mark)
        key = _LONG.get(key, key)
        if has_mark and key in _KEYS:
            if fields.setdefault(key, value) != value:
                raise SettingsError(f"signature field {piece!r}: {key} is already {fields[key]}")
            last = key
        elif last in _CONTINUATIONS and _continues(fields, last, piece):
            fields[last] += separator + piece
        elif not has_mark:
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
        fields["smooth"] += _implied_value(fields)
    elif in_dots and fields.get("smooth") == "add-n":
        # The command accepted add-n, but the formula only knew add-k, so it did not smooth at all.
        fields["smooth"] = "none"
    return fields


def _check_count(references: str) -> None:
    if not _COUNT.fullmatch(references):
        raise SettingsError(
            f"signature field 'nrefs:{references}': a whole number from 1 up, var or ? is needed"
        )


def _continues(fields: dict[str, str], key: str, piece: str) -> bool:
    """Whether the piece after a separator still belongs to the value before it."""
    in_brackets = key == "subset" and fields[key].count("(") > fields[key].count(")")
    return in_brackets or _CONTINUATIONS[key].match(piece) is not None


def is_old(fields: dict[str, str]) -> bool:
    """Whether a signature is from sacreBLEU 1.x."""
    return fields.get("version", "").startswith("1.")


def version_parts(fields: dict[str, str]) -> tuple[int, ...]:
    """Return the version in a signature as numbers; empty if there is none."""
    return tuple(int(part) for part in re.findall(r"\d+", fields.get("version", ""))[:3])


def _implied_value(fields: dict[str, str]) -> str:
    """Return the default value of a smoothing; sacreBLEU before 1.5 does not write it."""
    parts = version_parts(fields)
    if fields["smooth"] == "add-k" and (not parts or parts >= (1, 4, 4)):
        return "[1.0]"
    return "[0.0]"


def _extract_from_json(text: str) -> str:
    """Return the signature from the JSON that sacreBLEU 2 prints by default."""
    if not text.lstrip().startswith("{"):
        return text
    import json

    try:
        result = json.loads(text)
        return f"{result.get('name', 'BLEU')}|{result['signature']}"
    except (ValueError, KeyError):
        return text


def _plain(text: str) -> str:
    """Remove the markup of a paper or a web page."""
    if "\\" in text or "$" in text:
        for pattern, plain in _LATEX:
            text = re.sub(pattern, plain, text)
    # Backticks and quotation marks; invisible hyphens and spaces.
    text = re.sub("[`\"'\u201c\u201d\u2018\u2019\u00ad\u200b]", "", text)
    # Line breaks, and whitespace around separators.
    text = re.sub(r"\s*[\r\n]\s*(?=[\w.\[])(?<![=)\s])", "", text.strip())
    return re.sub(r"\s*([|+])\s*|(?<=[:.])\s+(?=\S)", r"\1", text)


def _body(text: str) -> str:
    """Return only the fields, without the metric's name and the score."""
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
    """Remove closing brackets whose opening brackets have been removed."""
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing):
            text = text.rstrip(closing + _AROUND)
    return text
