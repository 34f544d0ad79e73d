"""Error annotations (MQM), and scores of error span annotation (ESA)."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType

from truebleu.display.formatting import count
from truebleu.errors import (
    EmptyInputError,
    InputError,
    SettingsError,
    UnknownNameError,
    written,
    wrong_type,
)
from truebleu.inputs.forms import json_value
from truebleu.inputs.lines import checked_path, read_lines
from truebleu.inputs.numbers import real_number
from truebleu.meta_evaluation.judgments import JudgedSet
from truebleu.record import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    Key = tuple[str, int]

MQM_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "major": 5.0,
        "minor": 1.0,
        "neutral": 0.0,
        "major/non-translation!": 25.0,
        "minor/fluency/punctuation": 0.1,
    }
)
"""The penalties of WMT by severity, category and subcategory; the most specific one is used."""


# Python reads no number of thousands of digits.
_MOST_DIGITS = 18


def read_mqm(
    path: str | PathLike[str],
    *,
    weights: Mapping[str, float] = MQM_WEIGHTS,
    segment: str = "doc_id",
    reference: str | None = None,
) -> JudgedSet:
    """Read error annotations (MQM) from a tab-separated table, and score each segment.

    The columns are ``system``, ``doc``, ``rater``, ``category``, ``severity``, and the number of
    the segment within the document, as in Google's WMT annotations. The penalties of each
    rater are added up, averaged over raters, and negated. Segments are sorted by document, in the
    order of the file, and number; outputs that nobody annotated are None.

    Parameters
    ----------
    path : str or path-like
    weights : dict of str to float, optional
        Penalties by severity, ``severity/category`` or ``severity/category/subcategory``; the
        most specific one is used, and 0 if there is none. By default those of WMT.
    segment : str, default "doc_id"
        The column with the number of the segment.
    reference : str, optional
        The system whose outputs are the references. If given, the outputs are read, too, without
        the marks ``<v>`` around errors.

    Returns
    -------
    JudgedSet
        With `gold` and `documents`, and with a reference `systems` and `references`.

    Raises
    ------
    InputError, EmptyInputError
        If a column is missing, or a line has too few; the message has the line.
    UnknownNameError, SettingsError
        If there is no such reference, or a weight is not a finite number.
    OSError, EncodingError
        As :func:`truebleu.read_lines`.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from truebleu.meta import read_mqm
    >>> file = NamedTemporaryFile("w", suffix=".tsv")
    >>> print("system", "doc", "doc_id", "rater", "category", "severity", sep=chr(9), file=file)
    >>> print("A", "news", 1, "rater1", "Fluency", "Major", sep=chr(9), file=file, flush=True)
    >>> read_mqm(file.name).gold
    {'A': [-5.0]}
    """
    name = checked_path(path)
    if not isinstance(segment, str):
        raise wrong_type("segment", segment, "the name of a column is needed")
    if not isinstance(weights, Mapping):
        raise wrong_type("weights", weights, "a dict is needed, such as {'major': 5, 'minor': 1}")
    penalties = {str(key).lower(): real_number(weight) for key, weight in weights.items()}
    for key, weight in penalties.items():
        if not isfinite(weight):
            raise SettingsError(f"the weight of {key} is not a finite number")
    lines = read_lines(name, as_text=True)
    if len(lines) < 2:
        raise EmptyInputError(f"{name} has no annotations")
    columns = ["system", "doc", segment, "rater", "category", "severity"]
    columns += ["target"] if reference is not None else []
    header = lines[0].split("\t")
    missing = [column for column in columns if column not in header]
    if missing:
        raise InputError(
            f"{name} has no column {', '.join(missing)}; it has {shortened(', '.join(header))}"
        )
    places = [header.index(column) for column in columns]
    found = _Annotations(name)
    for number, line in enumerate(lines[1:], 2):
        row = line.split("\t")
        if len(row) <= max(places) or not _is_number(row[places[2]]):
            raise InputError(
                f"{name}, line {number:,}: {count(len(header), 'column')} are needed, and a number "
                f"as {segment}"
            )
        system, document, place, rater, category, severity, *text = (row[i] for i in places)
        error = [severity.lower(), *category.lower().split("/")]
        kinds = ["/".join(error[:length]) for length in range(len(error), 0, -1)]
        penalty = next((penalties[kind] for kind in kinds if kind in penalties), 0.0)
        found.add(system, (document, int(place)), rater, -penalty, *text)
    return found.judged(reference)


def read_esa(
    path: str | PathLike[str], pair: str | None = None, *, reference: str | None = None
) -> JudgedSet:
    """Read scores of error span annotation (ESA), as WMT24 publishes them.

    Either each line is an object with ``langs``, ``system``, ``doc_id``, ``line_id`` and
    ``esa_score``, or there are the twelve comma-separated columns that Appraise writes. Of the
    latter, controls (``BAD``, and documents named ``#bad`` or ``#dup``), tutorials and incomplete
    documents are left out, as WMT does. Several scores of an output are averaged. Segments are
    sorted by their number; those that nobody scored are left out, and outputs are None.

    Parameters
    ----------
    path : str or path-like
    pair : str, optional
        The language pair, as the file calls it, such as ``en-cs`` or ``eng-ces``; may be left out
        if there is one.
    reference : str, optional
        The system whose outputs are the references. If given, the outputs are read, too, from
        ``tgt`` of each object.

    Returns
    -------
    JudgedSet
        As :func:`read_mqm`.

    Raises
    ------
    InputError, EmptyInputError, UnknownNameError, SettingsError
        The message has the line, or says what there is to choose from.
    OSError, EncodingError
        As :func:`truebleu.read_lines`.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> from truebleu.meta import read_esa
    >>> row = '{"langs": "en-cs", "system": "A", "doc_id": "x", "line_id": 1, "esa_score": 90}'
    >>> file = NamedTemporaryFile("w", suffix=".jsonl")
    >>> print(row, file=file, flush=True)
    >>> read_esa(file.name).gold
    {'A': [90.0]}
    """
    name = checked_path(path)
    if pair is not None and not isinstance(pair, str):
        raise wrong_type("pair", pair, "a language pair is needed, such as 'en-cs'")
    pairs: dict[str, _Annotations] = {}
    for number, line in enumerate(read_lines(name, as_text=True), 1):
        where = f"{name}, line {number:,}"
        row = _esa_row(line, where)
        if row is None:
            continue
        languages, system, document, place, score, text = row
        try:
            points = float("nan") if isinstance(score, bool) else float(score)
        except (TypeError, ValueError, OverflowError):
            points = float("nan")
        if not (system and isinstance(system, str) and _is_number(str(place)) and isfinite(points)):
            raise InputError(
                f"{where}: a system, a segment number and a score are needed; there are "
                f"{written(system)}, {written(place)} and {written(score)}"
            )
        texts = (text,) if reference is not None and isinstance(text, str) else ()
        found = pairs.setdefault(str(languages), _Annotations(name))
        found.add(system, (str(document), int(place)), str(number), points, *texts)
    if not pairs:
        raise EmptyInputError(f"{name} has no annotations")
    known = ", ".join(pairs)
    if pair is None and len(pairs) > 1:
        raise SettingsError(f"{name} has several language pairs: choose pair= from {known}")
    pair = next(iter(pairs)) if pair is None else pair
    if pair not in pairs:
        raise UnknownNameError(f"{name} has no language pair {written(pair)}; it has {known}")
    return pairs[pair].judged(reference, by_number=True)


def _esa_row(line: str, where: str) -> tuple[Any, ...] | None:
    """Return language pair, system, document, segment, score and text; None to leave it out."""
    if line.startswith("{"):
        try:
            row = json_value(line)
            keys = ("langs", "system", "doc_id", "line_id", "esa_score")
            return (*(row[key] for key in keys), row.get("tgt"))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where} is not well-formed JSON ({error})") from None
        except KeyError as error:
            raise InputError(f"{where} has no {error.args[0]}") from None
    import csv

    try:
        [cells] = csv.reader([line], strict=True)
        _, system, place, kind, source, target, score, document, *_ = cells
    except (csv.Error, ValueError):
        raise InputError(
            f"{where}: a JSON object or the columns of Appraise are needed (annotator, system, "
            "segment, kind, languages, score, document and so on)"
        ) from None
    left_out = document.endswith(("#bad", "#dup", "#incomplete")) or "-tutorial" in document
    if kind != "TGT" or left_out:
        return None
    return f"{source}-{target}", system, document, place, score, None


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MOST_DIGITS


class _Annotations:
    """The scores and texts of a file."""

    def __init__(self, name: str) -> None:
        self.name = name
        # By system and segment, for each rater.
        self.scores: dict[str, dict[Key, dict[str, float]]] = {}
        self.documents: dict[str, set[int]] = {}
        self.texts: dict[str, dict[Key, str]] = {}

    def add(self, system: str, key: Key, rater: str, score: float, *texts: str) -> None:
        """Add a score, or a part of it."""
        self.documents.setdefault(key[0], set()).add(key[1])
        raters = self.scores.setdefault(system, {}).setdefault(key, {})
        raters[rater] = raters.get(rater, 0.0) + score
        for text in texts:
            plain = text.replace("<v>", "").replace("</v>", "")
            self.texts.setdefault(system, {})[key] = plain

    def judged(self, reference: str | None, *, by_number: bool = False) -> JudgedSet:
        """Return scores, and texts if there is a reference."""
        order = [(name, place) for name, each in self.documents.items() for place in sorted(each)]
        if by_number:
            order.sort(key=lambda key: key[1])
        gold = {
            system: [
                sum(found[key].values()) / len(found[key]) if key in found else None
                for key in order
            ]
            for system, found in self.scores.items()
        }
        judged = JudgedSet(gold=gold, documents=tuple(document for document, _ in order))
        if reference is None:
            return judged
        if not isinstance(reference, str):
            raise wrong_type("reference", reference, "the name of a system is needed")
        if gold.pop(reference, None) is None:
            raise UnknownNameError(
                f"{self.name} has no system {reference!r}; it has {', '.join(gold)}"
            )
        texts = {}
        for system in (*gold, reference):
            known = self.texts.get(system, {})
            lacking = [key for key in order if key not in known]
            if lacking:
                document, place = lacking[0]
                raise InputError(
                    f"{self.name} has no text of {system} for segment {place} of {document} "
                    f"({count(len(lacking), 'such segment')}), so it cannot be scored"
                )
            texts[system] = [known[key] for key in order]
        return judged.replace(references=texts.pop(reference), systems=texts)
