"""The test sets of sacreBLEU 2.6.0, in sacreBLEU's folders."""

from __future__ import annotations

import json
from pathlib import Path

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from truebleu.compat.sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from truebleu.compat.sacrebleu.dataset.plain_text import PlainTextDataset
from truebleu.compat.sacrebleu.dataset.tsv import TSVDataset
from truebleu.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset
from truebleu.test_sets.registry import registered_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.compat.sacrebleu.dataset.base import Dataset
    from truebleu.test_sets.descriptions import Description, PairFiles

__all__ = [
    "COUNTRIES",
    "DATASETS",
    "DOMAINS",
    "SUBSETS",
    "FakeSGMLDataset",
    "IWSLTXMLDataset",
    "PlainTextDataset",
    "TSVDataset",
    "WMTAdditionDataset",
    "WMTXMLDataset",
]

_CLASSES: dict[str, type[Dataset]] = {
    "sgml": FakeSGMLDataset,
    "sgml+text": WMTAdditionDataset,
    "iwslt-xml": IWSLTXMLDataset,
    "text": PlainTextDataset,
    "tsv": TSVDataset,
    "wmt-xml": WMTXMLDataset,
}


def _dataset(registered: Description) -> Dataset:
    # The references that most pairs are scored with are the test set's, the others the pair's.
    scored = [files.scored for files in registered.pairs.values()]
    default = max(scored, key=scored.count)
    return _CLASSES[registered.kind](
        registered.name,
        data=[archive.urls[0] for archive in registered.archives],
        description=registered.description,
        citation=registered.citation or None,
        md5=[archive.md5 for archive in registered.archives],
        langpairs={
            pair: _files(files, default, registered) for pair, files in registered.pairs.items()
        },
        **({"refs": _translators(default)} if default else {}),
    )


def _files(
    files: PairFiles, default: tuple[str, ...], registered: Description
) -> list[str] | dict[str, Any]:
    if files.scored == default:
        # A file that is not unpacked has the name that sacreBLEU gives to it.
        alone = [each.name for each in registered.archives if each.kind == "file"]
        prefix = f"{registered.file_name}."
        return [prefix * (member in alone) + member for member in files.members]
    return {"path": files.members[0], "refs": _translators(files.scored)}


def _translators(fields: tuple[str, ...]) -> list[str]:
    return [field.partition(":")[2] for field in fields]


# The country and domain of documents of some test sets, by their names.
SUBSETS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("subsets.json").read_text("utf-8")
)
_TAGS = [tags.split("-") for tags in SUBSETS["wmt19"].values()]
COUNTRIES: list[str] = sorted({tags[0] for tags in _TAGS})
DOMAINS: list[str] = sorted({tags[1] for tags in _TAGS})

DATASETS: dict[str, Dataset] = {
    name: _dataset(registered) for name, registered in registered_sets().items()
}
