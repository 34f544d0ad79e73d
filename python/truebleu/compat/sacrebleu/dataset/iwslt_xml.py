"""IWSLT's test sets."""

from __future__ import annotations

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class IWSLTXMLDataset(FakeSGMLDataset):
    """A test set in IWSLT's XML, which is read like SGML."""

    kind: ClassVar[str] = "iwslt-xml"
