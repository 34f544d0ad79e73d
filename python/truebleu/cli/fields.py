"""The fields of objects of JSON: their names, and which are no text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

# Fields of JSON that are no text, and such as are none of a system.
LABELS = {
    *("id", "custom_id", "request_id", "doc_id", "docid", "document_id", "index", "idx", "key"),
    *("url", "uri", "path", "file", "model", "engine", "system", "provider", "lang", "language"),
    *("role", "object", "type", "status", "finish_reason", "timestamp", "date", "created", "hash"),
}
REFERENCES = {"ref", "refs", "reference", "references", "target", "tgt", "label", "labels"}


def last(field: str) -> str:
    """Return the name of a field without those of the objects that it is in."""
    return field.rpartition(".")[2].lower()


def inside_lists(value: Any, path: str = "", *, listed: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the texts in lists of an object, and where they are."""
    if isinstance(value, dict | list) and path.count(".") < 8:  # As `flat`.
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in items:
            inner = listed or isinstance(value, list)
            yield from inside_lists(part, f"{path}.{name}" if path else str(name), listed=inner)
    elif listed and isinstance(value, str):
        yield path, value


def flat(found: Mapping[str, Any], before: str = "", levels: int = 8) -> dict[str, Any]:
    """Return the fields of an object, of which ``a.b`` is the field b of an object a."""
    fields: dict[str, Any] = {}
    for name, value in found.items():
        if isinstance(value, dict) and levels:
            fields |= flat(value, f"{before}{name}.", levels - 1)
        else:
            fields[before + name] = value
    return fields
