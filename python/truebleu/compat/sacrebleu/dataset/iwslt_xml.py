"""IWSLT's test sets."""

from __future__ import annotations

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset


class IWSLTXMLDataset(FakeSGMLDataset):
    """A test set in IWSLT's XML, which is read like SGML."""

    kind = "iwslt-xml"
