"""Error annotations (MQM)."""

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
    wrong_type,
)
from truebleu.inputs.lines import checked_path, read_lines
from truebleu.inputs.numbers import real_number
from truebleu.record import shortened
from truebleu.test_sets.judgments import JudgedSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

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
    segment : str, optional
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
    """
    name = checked_path(path)
    if not isinstance(segment, str):
        raise wrong_type("segment", segment, "the name of a column is needed")
    if not isinstance(weights, Mapping):
        raise wrong_type("weights", weights, "a dict is needed, such as {'major': 5, 'minor': 1}")
    lines = read_lines(name)
    if len(lines) < 2:
        raise EmptyInputError(f"{name} has no annotations")
    found = _Annotations(name, lines[0].split("\t"), segment, weights, reference is not None)
    for number, line in enumerate(lines[1:], 2):
        found.add(line.split("\t"), f"{name}, line {number:,}")
    return found.judged(reference)


class _Annotations:
    """The penalties and texts of a file."""

    def __init__(
        self,
        name: str,
        header: list[str],
        segment: str,
        weights: Mapping[str, float],
        texts: bool,
    ) -> None:
        columns = ["system", "doc", segment, "rater", "category", "severity"]
        columns += ["target"] if texts else []
        missing = [column for column in columns if column not in header]
        if missing:
            raise InputError(
                f"{name} has no column {', '.join(missing)}; it has {shortened(', '.join(header))}"
            )
        self.name, self.segment, self.header = name, segment, header
        self.places = [header.index(column) for column in columns]
        self.weights = {str(key).lower(): real_number(weight) for key, weight in weights.items()}
        for key, weight in self.weights.items():
            if not isfinite(weight):
                raise SettingsError(f"the weight of {key} is not a finite number")
        # By system and segment, for each rater.
        self.penalties: dict[str, dict[Key, dict[str, float]]] = {}
        self.documents: dict[str, set[int]] = {}
        self.texts: dict[str, dict[Key, str]] = {}

    def add(self, row: Sequence[str], where: str) -> None:
        """Add an annotation."""
        number = row[self.places[2]] if len(row) > max(self.places) else ""
        if not number.isdecimal() or len(number) > _MOST_DIGITS:
            raise InputError(
                f"{where}: {count(len(self.header), 'column')} are needed, and a number as "
                f"{self.segment}"
            )
        system, document, place, rater, category, severity, *texts = (row[i] for i in self.places)
        key = document, int(place)
        self.documents.setdefault(document, set()).add(key[1])
        raters = self.penalties.setdefault(system, {}).setdefault(key, {})
        raters[rater] = raters.get(rater, 0.0) + self._penalty(category, severity)
        for text in texts:
            plain = text.replace("<v>", "").replace("</v>", "")
            self.texts.setdefault(system, {})[key] = plain

    def _penalty(self, category: str, severity: str) -> float:
        error = [severity.lower(), *category.lower().split("/")]
        keys = ["/".join(error[:length]) for length in range(len(error), 0, -1)]
        return next((self.weights[key] for key in keys if key in self.weights), 0.0)

    def judged(self, reference: str | None) -> JudgedSet:
        """Return scores, and texts if there is a reference."""
        order = [(name, place) for name, each in self.documents.items() for place in sorted(each)]
        gold = {
            system: [
                0.0 - sum(found[key].values()) / len(found[key]) if key in found else None
                for key in order
            ]
            for system, found in self.penalties.items()
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
            known = self.texts[system]
            lacking = [key for key in order if key not in known]
            if lacking:
                document, place = lacking[0]
                raise InputError(
                    f"{self.name} has no text of {system} for segment {place} of {document} "
                    f"({count(len(lacking), 'such segment')}), so it cannot be scored"
                )
            texts[system] = [known[key] for key in order]
        return judged.replace(references=texts.pop(reference), systems=texts)
