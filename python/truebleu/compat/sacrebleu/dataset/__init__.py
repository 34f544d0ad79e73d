"""The test sets of sacreBLEU 2.6.0, in sacreBLEU's folders."""

from __future__ import annotations

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from truebleu.compat.sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from truebleu.compat.sacrebleu.dataset.plain_text import PlainTextDataset
from truebleu.compat.sacrebleu.dataset.tsv import TSVDataset
from truebleu.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset
from truebleu.test_sets.registry import countries, registered_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.compat.sacrebleu.dataset.base import Dataset
    from truebleu.test_sets.registry import PairFiles, RegisteredSet

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

# Papers about test sets: where sacreBLEU has an entry for BibTeX, the address of the paper.
_ANTHOLOGY = "https://aclanthology.org/"
_ARXIV = "https://arxiv.org/abs/"
_MULTI30K = f"{_ANTHOLOGY}W16-3210"

_CITATIONS: dict[str, str] = {
    "wmt19": f"{_ANTHOLOGY}W19-5200",
    **dict.fromkeys(
        (f"wmt19/google/{kind}" for kind in ("ar", "arp", "wmtp", "hqr", "hqp", "hqall")),
        f"{_ARXIV}2004.06063",
    ),
    "wmt18": f"{_ANTHOLOGY}W18-6401",
    "wmt17": f"{_ANTHOLOGY}W17-4717",
    "wmt17/ms": f"{_ARXIV}1803.05567",
    "wmt16": f"{_ANTHOLOGY}W16-2301",
    "wmt15": f"{_ANTHOLOGY}W15-3001",
    "wmt14": f"{_ANTHOLOGY}W14-3302",
    "wmt13": f"{_ANTHOLOGY}W13-2201",
    "wmt12": f"{_ANTHOLOGY}W12-3102",
    "wmt11": f"{_ANTHOLOGY}W11-2103",
    "wmt10": f"{_ANTHOLOGY}W10-1703",
    "wmt09": f"{_ANTHOLOGY}W09-0401",
    "wmt08": f"{_ANTHOLOGY}W08-0309",
    "iwslt17": f"{_ANTHOLOGY}2017.iwslt-1.1",
    **dict.fromkeys(("mtedx/valid", "mtedx/test"), f"{_ARXIV}2102.01757"),
    "multi30k/2016": _MULTI30K,
    "multi30k/2017": f"{_MULTI30K}\n{_ANTHOLOGY}W17-4718",
    "multi30k/2018": f"{_MULTI30K}\n{_ANTHOLOGY}W18-6402",
    **dict.fromkeys(
        (f"mtnt1.1/{part}" for part in ("test", "valid", "train")), f"{_ANTHOLOGY}D18-1050"
    ),
}

_CLASSES: dict[str, type[Dataset]] = {
    "sgml": FakeSGMLDataset,
    "sgml+text": WMTAdditionDataset,
    "iwslt-xml": IWSLTXMLDataset,
    "text": PlainTextDataset,
    "tsv": TSVDataset,
    "wmt-xml": WMTXMLDataset,
}


def _dataset(registered: RegisteredSet) -> Dataset:
    # The references that most pairs are scored with are the test set's, the others the pair's.
    scored = [files.scored for files in registered.pairs.values()]
    default = max(scored, key=scored.count)
    return _CLASSES[registered.kind](
        registered.name,
        data=[archive.urls[0] for archive in registered.archives],
        description=registered.description,
        citation=_CITATIONS.get(registered.name),
        md5=[archive.md5 for archive in registered.archives],
        langpairs={pair: _files(files, default) for pair, files in registered.pairs.items()},
        **({"refs": _translators(default)} if default else {}),
    )


def _files(files: PairFiles, default: tuple[str, ...]) -> list[str] | dict[str, Any]:
    if files.scored == default:
        return list(files.members)
    return {"path": files.members[0], "refs": _translators(files.scored)}


def _translators(fields: tuple[str, ...]) -> list[str]:
    return [field.partition(":")[2] for field in fields]


SUBSETS: dict[str, dict[str, str]] = countries()
_TAGS = [tags.split("-") for tags in SUBSETS["wmt19"].values()]
COUNTRIES: list[str] = sorted({tags[0] for tags in _TAGS})
DOMAINS: list[str] = sorted({tags[1] for tags in _TAGS})

DATASETS: dict[str, Dataset] = {
    name: _dataset(registered) for name, registered in registered_sets().items()
}
