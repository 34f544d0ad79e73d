r"""Parsing signatures, in all the forms in which tools print them and papers quote them.

::

    signature := [name sep] field (sep field)*
    field     := key mark value
    sep mark  := "|" ":"      of truebleu, and of sacreBLEU from 2.0 on
               | "+" "."      of sacreBLEU 1.x

Keys are long or short; the grammar of each metric defines them. A score may come before or after
the signature (``BLEU|... = 27.3 60.1/...`` or ``BLEU = 27.3 ... |...``), and sacreBLEU's JSON
output is read too. Line breaks, Markdown backticks and LaTeX escapes are ignored.
"""

from __future__ import annotations

import json
import re
from importlib import import_module

from truebleu.errors import InputTypeError, SettingsError, SettingsWarning, warn
from truebleu.metrics.signature import checked_text
from truebleu.record import Record, brief, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from truebleu.metrics.signature import Grammar, Signed


class _Kind(Record):
    """What tells the signatures of a metric: patterns of its name and of a field."""

    name: str
    reader: str
    word: str
    field: str


# By class. The word BLEU may also be part of the name of the tool, and so comes last.
_KINDS = {
    "Chrf": _Kind(
        name="chrF",
        reader="truebleu.metrics.chrf.signature",
        word=r"chr-?f",
        field=r"(?:nc|nw|space|numchars|n)\s*[:.]|s[:.](?i:yes|no|true|false)$",
    ),
    "Ter": _Kind(
        name="TER",
        reader="truebleu.metrics.ter.signature",
        word=r"\bter\b",
        field=r"(?:norm|punct|asian|nr|pn|as)\s*[:.]|(?:t|tok)[:.]tercom-|t:tercom$",
    ),
    "Bleu": _Kind(
        name="BLEU",
        reader="truebleu.metrics.bleu.signature",
        word=r"bleu(?!rt)",
        field=r"(?:smooth|order|weights|len|bp|phantom|form|s|tok)\s*[:.](?!tercom$)",
    ),
}

# Fields of single metrics, which end a name in signatures of any metric.
_KEYS = ("nc", "nw", "space", "numchars", "n", "norm", "punct", "asian", "nr", "pn", "as", "tok")

# Values that may contain a separator, and patterns of the text after it: a development version is
# 1.5.1.dev0+g12ab.d20240131, and a subset is a regular expression over the countries and domains of
# documents. No other value may, so that a misspelled field is an error.
_CONTINUATIONS = {
    "version": re.compile(r"(?:g[0-9a-f]+(?:\.d\d{8})?|d\d{8})$"),
    "subset": re.compile(r"(?:country|domain):|[^:.]*$"),
}

# Patterns are matched in linear time: whitespace is single spaces by then, and a part that may be
# long ends where the next one cannot begin, so that there is one way to match each text.
_NUMBER = r"\d+(?:[.,]\d+)?(?!\d)"

_SCORE = re.compile(
    rf" ?= ?{_NUMBER}(?: ?%)?"
    rf"(?: ?\((?:(?:BP|precision|edits)\b| ?(?:μ|mu)? ?=)[^()]*\)"
    rf"| {_NUMBER}(?:/{_NUMBER})*(?=[ |+(]|$))* ?"
)

_AROUND = "|+,;. \n"

_OPENINGS = f"{_AROUND}(["

_COUNT = re.compile(r"[1-9][0-9]*|var|\?")

# Text that papers write before a signature, and scores in places where sacreBLEU prints none.
_METRIC = r"(?:[\w-]*bleu|chr-?f\d*(?:\.\d+)?\+*|\bter)"
_OPENED = re.compile(r"^[\w\s-]*bleu\s*[(\[]\s*(?=[\w#])", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:[\w\s-]*\b(?:signature|hash)\b[\s:=]*|[\w\s-]*\bsacre-?bleu\s*[:=]\s*(?=[^\W\d]))+",
    re.IGNORECASE,
)
_SCORE_BEFORE = re.compile(rf"^[ (]*{_NUMBER} ?%? ?(?={_METRIC}(?![\w]))", re.IGNORECASE)
_COLON = re.compile(rf"^({_METRIC}(?:\s+score)?)\s*:\s*(?={_NUMBER}[\s%|+(])", re.IGNORECASE)

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


class Reader:
    """Reads the signatures of one metric, whose class is called `owner`."""

    def __init__(self, owner: str, grammar: Grammar) -> None:
        self.owner = owner
        self.grammar = grammar
        self._name = _KINDS[owner].name
        self._long = {short: field.key for field in grammar.fields for short in field.short}
        self._keys = {field.key for field in grammar.fields}
        self._field = (
            "(?:" + "|".join(map(re.escape, [*self._keys, *self._long, *_KEYS])) + r")\s*[:.]"
        )
        self._before_field = re.compile(
            r"((?:chr-?F\d*(?:\.\d+)?(?:e[+-]?\d+)?|[^|:.]*?[^|:.+\s(\[])(?:\++(?=[|\s:(\[]))?)"
            rf"[|+:\s(\[]+(?={self._field})",
            re.IGNORECASE,
        )

    def parse(self, text: str) -> dict[str, str]:
        """Read the fields of a signature."""
        name, body = self._split(text)
        in_dots = self._in_dots(body)
        pieces = body.split("+" if in_dots else "|")
        self._check_owner(name, pieces)
        fields = self._read(pieces, "." if in_dots else ":", "+" if in_dots else "|")
        references = fields.get("nrefs", "1")
        if not _COUNT.fullmatch(references):
            raise SettingsError(
                f"signature field {brief(f'nrefs:{references}')}: a whole number from 1 up, var or "
                "? is needed"
            )
        return self.completed(fields, name, old=in_dots)

    def owner_of(self, text: str) -> str | None:
        """Return the class of the metric whose signature a text is; None if it does not say."""
        name, body = self._split(text)
        owner, _ = self._owner(name, body.split("+" if self._in_dots(body) else "|"))
        return owner

    def ambiguities(self, settings: Any, fields: Mapping[str, str]) -> Iterable[str]:
        """Return warnings about what a signature does not say; `settings` were read from it."""
        return ()

    def warn_of_differences(self, settings: Any, fields: Mapping[str, str]) -> None:
        """Warn about everything in a signature that the settings read from it do not reproduce."""
        messages = self.grammar.warnings(settings, fields)
        for message in (*messages, *self.ambiguities(settings, fields)):
            warn(message, SettingsWarning)

    def long_key(self, key: str, value: str) -> str:
        """Return the long key of a field."""
        return self._long.get(key, key)

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields as sacreBLEU 2 writes them, also of an `old` signature of 1.x."""
        return fields

    def _owner(self, name: str | None, pieces: list[str]) -> tuple[str | None, str]:
        """Return whose signature it is, and what says so: a field, or else the name."""
        for owner, kind in _KINDS.items():
            for piece in pieces:
                if re.match(kind.field, piece):
                    return owner, piece
        for owner, kind in _KINDS.items():
            if name is not None and re.search(kind.word, name, re.IGNORECASE):
                return owner, ""
        return None, ""

    def _check_owner(self, name: str | None, pieces: list[str]) -> None:
        """Refuse signatures of other metrics."""
        owner, piece = self._owner(name, pieces)
        named = None if name is None else self._owner(name, [])[0]
        if name is not None and (
            named is None or (named != self.owner and named in (owner, "Chrf", "Ter"))
        ):
            metric, place = shortened(name), ""
        elif owner not in (None, self.owner):
            metric, place = _KINDS[owner].name, f"signature field {brief(piece)}: " if piece else ""
        else:
            return
        instead = (
            f"; read it with {owner}.from_signature" if owner not in (None, self.owner) else ""
        )
        raise SettingsError(f"{place}this is a signature of {metric}, not of {self._name}{instead}")

    def _read(self, pieces: list[str], mark: str, separator: str) -> dict[str, str]:
        fields: dict[str, list[str]] = {}
        last, unclosed = "", 0
        for piece in pieces:
            key, has_mark, value = piece.partition(mark)
            key = self.long_key(key, value)
            if has_mark and key in self._keys:
                given = separator.join(fields.get(key, [value]))
                if given != value:
                    raise SettingsError(
                        f"signature field {brief(piece)}: {key} is already {shortened(given)}"
                    )
                fields[key] = [value]
                last, unclosed = key, _unclosed(value)
            elif last in _CONTINUATIONS and (
                (last == "subset" and unclosed > 0) or _CONTINUATIONS[last].match(piece)
            ):
                fields[last].append(piece)
                unclosed += _unclosed(piece)
            elif not has_mark:
                raise SettingsError(f"signature field {brief(piece)} is not of the form key:value")
            else:
                raise SettingsError(f"signature field {brief(piece)}: unknown key")
        return {key: separator.join(parts) for key, parts in fields.items()}

    def _in_dots(self, body: str) -> bool:
        """Whether fields are written as in sacreBLEU 1.x."""
        starts = re.match(self._field, body) is not None
        return starts and re.match(r"[^:.]*\.", body) is not None

    def _split(self, text: str) -> tuple[str | None, str]:
        """Return the metric's name, if there is one, and the fields, without the score."""
        text = _plain(self._extract_from_json(checked_text(text)))
        text = _OPENED.sub("", text.lstrip(_OPENINGS))
        text = _COLON.sub(r"\1 = ", _SCORE_BEFORE.sub("", _BEFORE.sub("", text)))
        text, scores = _SCORE.subn("|", text, count=1)
        text = _closed(text.strip(_AROUND).lstrip("(["))
        if scores and not re.search(self._field, text):
            raise SettingsError(f"{brief(text)} has a score, but no signature")
        name = None if re.match(self._field, text) else self._before_field.match(text)
        return (None, text) if name is None else (name[1], _closed(text[name.end() :]))

    def _extract_from_json(self, text: str) -> str:
        """Return the signature from the JSON that sacreBLEU 2 prints by default."""
        if not re.match(r"\s*(?:\{|\[\s*\{)", text):
            return text
        try:
            results = json.loads(text)
            results = results if isinstance(results, list) else [results]
            signatures = [f"{each.get('name', self._name)}|{each['signature']}" for each in results]
        except (ValueError, KeyError, AttributeError, RecursionError):
            return text
        # Of several metrics, its own.
        own = [each for each in signatures if self._owner(each, [])[0] == self.owner]
        return [*own, *signatures][0]


def _unclosed(text: str) -> int:
    """Count the brackets that a text opens and does not close."""
    return text.count("(") - text.count(")")


def is_old(fields: Mapping[str, str]) -> bool:
    """Whether a signature is from sacreBLEU 1.x."""
    return fields.get("version", "").startswith("1.")


def version_parts(fields: Mapping[str, str]) -> tuple[int, ...]:
    """Return the version in a signature as numbers; empty if there is none."""
    # No version is so large that its tenth digit counts, and Python reads only some thousand.
    return tuple(int(part[:9]) for part in re.findall(r"\d+", fields.get("version", ""))[:3])


def _plain(text: str) -> str:
    """Remove the markup of a paper or a web page, and what whitespace it has too much."""
    # Line breaks and other whitespace: none around separators, and else a space.
    return re.sub(r" ?([|+]) ?|(?<=[:.]) ", r"\1", " ".join(_unmarked(text).split()))


def _unmarked(text: str) -> str:
    if "\\" in text or "$" in text:
        for pattern, plain in _LATEX:
            text = re.sub(pattern, plain, text)
    # Backticks and quotation marks; invisible hyphens and spaces.
    return re.sub("[`\"'\u201c\u201d\u2018\u2019\u00ad\u200b]", "", text)


def _closed(text: str) -> str:
    """Remove closing brackets whose opening brackets have been removed."""
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing):
            text = text.rstrip(closing + _AROUND)
    return text


def assert_comparable(one: Signed | str, other: Signed | str) -> None:
    """Raise an error unless two scores were computed in the same way.

    Parameters
    ----------
    one, other : Score or str
        Scores of any metric, or signatures in any form that ``from_signature`` of a metric reads,
        such as :meth:`truebleu.Bleu.from_signature`.

    Raises
    ------
    SettingsError
        If the scores are of different metrics, or the signatures differ so that they are not
        comparable, or one cannot be read; the message names the metrics, or the fields.
    InputTypeError
        If an argument is neither a score nor a signature.

    Examples
    --------
    >>> import truebleu
    >>> truebleu.assert_comparable(truebleu.Bleu().signature, truebleu.Ter().signature)
    Traceback (most recent call last):
    truebleu.SettingsError: these scores cannot be compared: one is of BLEU and the other of TER
    """
    texts = [_text_of(each) for each in (one, other)]
    metrics = [_metric(text) for text in texts]
    # What a text does not say is left to the other one.
    first, second = (each or next(filter(None, metrics), "Bleu") for each in metrics)
    if first != second:
        names = " and the other of ".join(
            _KINDS[each].name if each in _KINDS else each for each in (first, second)
        )
        raise SettingsError(f"these scores cannot be compared: one is of {names}")
    differences = _differences(first, *texts)
    if differences:
        raise SettingsError(f"these scores cannot be compared: {'; '.join(differences)}")


def _text_of(score: Signed | str) -> str:
    text = score if isinstance(score, str) else getattr(score, "signature", None)
    if not isinstance(text, str):
        raise InputTypeError(
            f"a score or a signature is needed, not a value of type {type(score).__name__}"
        )
    return text


def _metric(text: str) -> str | None:
    """Return the metric of a signature: its class or, of a metric in Python, its identifier."""
    for piece in text.split("|"):
        if piece.startswith("metric:"):
            return piece.partition(":")[2]
    return reader_of("Bleu").owner_of(text)


def reader_of(owner: str) -> Reader:
    """Return what reads the signatures of a metric, given the name of its class."""
    reader: Reader = import_module(_KINDS[owner].reader).READER
    return reader


def _differences(metric: str, one: str, other: str) -> list[str]:
    """Describe the fields in which the signatures of one metric differ."""
    if metric in _KINDS:
        reader = reader_of(metric)
        return reader.grammar.differences(reader.parse(one), reader.parse(other))
    first, second = (
        dict(piece.partition(":")[::2] for piece in text.split("|")) for text in (one, other)
    )
    return [
        f"{key} is {first.get(key)} in one and {second.get(key)} in the other"
        for key in dict.fromkeys((*first, *second))
        if key != "version" and first.get(key) != second.get(key)
        if key != "nrefs" or {"nrefs"} <= first.keys() & second.keys()
    ]
