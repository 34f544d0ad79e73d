"""Test sets in plain text."""

from __future__ import annotations

from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.compat.sacrebleu.dataset.base import Dataset as Dataset
from truebleu.compat.sacrebleu.dataset.base import RegisteredDataset


class PlainTextDataset(RegisteredDataset):
    """A test set with a source and a reference, one segment per line."""

    kind = "text"
