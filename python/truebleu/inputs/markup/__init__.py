"""The markup of test sets: SGML and XML of WMT, and what its fields are called."""

from __future__ import annotations

# Attributes of the documents of SGML.
ATTRIBUTES = ("docid", "genre", "origlang")


def reference_field(translator: str | None) -> str:
    """Return the field of a translator's references; those without a translator are ``ref``."""
    return f"ref:{translator}" if translator else "ref"


def is_reference(field: str) -> bool:
    """Return whether a field is a reference: ``ref``, ``ref:A``, ``ref:0``."""
    return field == "ref" or field.startswith("ref:")


def is_system(field: str) -> bool:
    """Return whether a field is the output of a system, by whose name it is called."""
    return field not in ("src", *ATTRIBUTES, "domain") and not is_reference(field)


def clean(text: str) -> str:
    """Return a text without whitespace at its ends, any other run of it being one space."""
    return " ".join(text.split())
