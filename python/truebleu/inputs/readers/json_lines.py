"""JSON Lines: an object per line; ``a.0.b`` is the field b of the first item of a list a."""

from __future__ import annotations

import json
import os

from truebleu._core import Rows
from truebleu.inputs.files import LineFile, LinesInMemory, longest_line
from truebleu.inputs.forms import HYPOTHESIS, REFERENCE
from truebleu.inputs.readers.base import (
    SAMPLE,
    Reader,
    check_known,
    likely_of,
    lines_of,
    unique,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu._core import Column

# Fields that are no text, and such as are none of a system.
_LABELS = {
    *("id", "custom_id", "request_id", "doc_id", "docid", "document_id", "index", "idx", "key"),
    *("url", "uri", "path", "file", "model", "engine", "system", "provider", "lang", "language"),
    *("role", "object", "type", "status", "finish_reason", "timestamp", "date", "created", "hash"),
}
_REFERENCES = {"ref", "refs", "reference", "references", "target", "tgt", "label", "labels"}

# How many lines that are no objects a message names.
_MOST_NUMBERS = 20

# How many objects and lists a field may be in to be found.
_DEEPEST = 8


class JsonLines(Reader):
    """Objects, in which a text is a string and stays one."""

    is_guess = True

    def _open(self) -> None:
        count = self.file.fill(SAMPLE)
        found = map(_object, self.file.lines.texts(min(SAMPLE, count)))
        nodes = [list(_nodes(each)) for each in found if each is not None]
        self._paths = dict.fromkeys(path for each in nodes for path, *_ in each)
        self._first = [
            {path: value for path, value, listed in each if not (listed or isinstance(value, dict))}
            for each in nodes
        ]
        self.columns = [
            path
            for path in (self._first[0] if self._first else ())
            if all(isinstance(each.get(path), str) for each in self._first)
        ]
        texts = {
            path: value
            for path, value, listed in (nodes[0] if nodes else ())
            if listed and isinstance(value, str) and _last(path) not in _LABELS
        }
        if not self._possible(REFERENCE):
            self.inside = max(texts, key=lambda path: len(texts[path]), default=None)

    def chosen(self, role: str) -> Sequence[str]:
        """See :meth:`Reader.chosen`."""
        return self.columns if len(self.columns) == 1 and self._possible(role) else ()

    def likely(self, role: str) -> Sequence[str]:
        """See :meth:`Reader.likely`."""
        columns = {path: [each[path] for each in self._first] for path in self._possible(role)}
        return likely_of(role, columns) or ([self.inside] if self.inside else [])

    def _possible(self, role: str) -> list[str]:
        never = _LABELS | _REFERENCES if role == HYPOTHESIS else _LABELS
        return [path for path in self.columns if _last(path) not in never]

    def _batches(
        self, names: Sequence[str], labels: Sequence[str], *, nulls: bool, lists: bool, waits: bool
    ) -> Iterator[tuple[Column, ...]]:
        texts, of_texts = unique(names)
        others, of_others = unique(labels)
        if not nulls:
            # A field that comes late is missing before.
            for path in texts:
                self._check_known(path)
        rows = Rows.json(texts, others, nulls, lists, longest_line())
        order = [*of_texts, *(len(texts) + place for place in of_others)]
        for batch in self._read(rows, [*texts, *others], waits=waits):
            yield tuple(batch[place] for place in order)
        for path, seen in zip([*texts, *others], rows.seen, strict=True):
            if not seen:
                self._check_known(path)

    @property
    def names(self) -> list[str]:
        """See :attr:`Reader.names`: the fields of the first objects."""
        return list(dict.fromkeys(path for each in self._first for path in each))

    def _others(self, problem: str, line: int) -> str:
        """See :meth:`Reader._others`."""
        path = self.file.path
        is_file = not isinstance(path, LinesInMemory) and os.path.isfile(path)  # noqa: PTH113
        if problem != "object" or not is_file:
            return ""
        from shlex import quote  # Slow to load.

        with LineFile(path) as file:
            texts = enumerate(lines_of(file), 1)
            behind = ((at, text) for at, text in texts if at > line and text.strip())
            wrong = [at for at, text in behind if _object(text) is None]
        numbers = ", ".join(f"{each:,}" for each in wrong[:_MOST_NUMBERS])
        nor = f", nor are lines {numbers}" if len(wrong) > 1 else f", nor is line {numbers}"
        more = f" and {len(wrong) - _MOST_NUMBERS:,} more" if len(wrong) > _MOST_NUMBERS else ""
        command = f"jq -cR 'fromjson? | objects' {quote(path)} > {quote(f'{path}.jsonl')}"
        return f"{nor if wrong else ''}{more}; `{command}` keeps all other lines"

    def _check_known(self, path: str) -> None:
        if path not in self._paths:
            check_known(self.name, path, self.names)


def _object(line: str) -> dict[str, Any] | None:
    """Return the object that a line is; None for what is none, which reading refuses."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _nodes(
    value: Any, before: str = "", *, listed: bool = False
) -> Iterator[tuple[str, Any, bool]]:
    """Yield whatever is in a value: its path, itself, and whether it is in a list."""
    listed = listed or isinstance(value, list)
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in items:
        yield f"{before}{name}", part, listed
        if isinstance(part, dict | list) and before.count(".") < _DEEPEST:
            yield from _nodes(part, f"{before}{name}.", listed=listed)


def _last(path: str) -> str:
    """Return the name of a field without those of the objects that it is in."""
    return path.rpartition(".")[2].lower()
