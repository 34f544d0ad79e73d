"""Parts of test sets: segments by their original language, domain or country."""

from __future__ import annotations

import re
from pathlib import Path

from truebleu.compat import faithful
from truebleu.compat.sacrebleu.dataset import DATASETS, SUBSETS
from truebleu.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset
from truebleu.compat.sacrebleu.printing import Color
from truebleu.errors import InputError, LengthMismatchError, SettingsError
from truebleu.record import Record
from truebleu.test_sets.parsing.raw import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any

_COUNTRY, _NOT = "country:", "non-"


class _Document(Record):
    """Adjacent segments with the same attributes; the domain may have the country before it."""

    segments: int
    origlang: str | None
    domain: str | None


def _documents(test_set: str, langpair: str) -> list[_Document] | None:
    """Read the documents of a test set; None if it has no attributes of documents."""
    dataset = DATASETS[test_set]
    path = dataset.raw_path(langpair)
    is_xml = isinstance(dataset, WMTXMLDataset)
    if not is_xml and not path.endswith(".sgm"):
        return None
    dataset.fetch([langpair])
    if not is_xml:
        return _documents_of_sgml(path, SUBSETS.get(test_set, {}))
    fields = WMTXMLDataset._unwrap_wmt21_or_later(path)  # As in sacreBLEU.
    origlangs = fields["origlang"]
    domains: list[str | None] = [*fields.get("domain", [None] * len(origlangs))]
    return [
        _Document(segments=1, origlang=origlang, domain=domain)
        for origlang, domain in zip(origlangs, domains, strict=True)
    ]


def _documents_of_sgml(path: str, tags: Mapping[str, str]) -> list[_Document]:
    documents = [_Document(segments=0, origlang=None, domain=None)]
    for line in lines_of(Path(path)):
        if line.startswith("<doc "):
            domain = tags.get(_attribute(line, "docid"), "")
            documents.append(
                _Document(segments=0, origlang=_attribute(line, "origlang"), domain=domain)
            )
        elif line.startswith("<seg "):
            documents[-1] = documents[-1].replace(segments=documents[-1].segments + 1)
    return documents


def _attribute(line: str, name: str) -> str:
    """Return an attribute; as in sacreBLEU, the line itself if it has none."""
    values: list[str] = re.findall(f' {name}="([^"]+)"', line)
    return values[-1] if values else line


def get_available_origlangs(test_sets: str | None, langpair: str) -> list[str]:
    """Return the original languages of the documents of test sets, separated by commas."""
    found: set[str] = set()
    for test_set in filter(None, (test_sets or "").split(",")):
        documents = _documents(test_set, langpair) or []
        found |= {each.origlang for each in documents if each.origlang is not None}
    return sorted(found)


def get_available_subsets(test_sets: str | None, langpair: str) -> list[str]:
    """Return the domains of test sets, separated by commas, and ``country:`` with each country."""
    subsets: set[str] = set()
    for test_set in filter(None, (test_sets or "").split(",")):
        if isinstance(DATASETS[test_set], WMTXMLDataset):
            documents = _documents(test_set, langpair) or []
            subsets |= {each.domain for each in documents if each.domain is not None}
        for tags in SUBSETS.get(test_set, {}).values():
            country, domain, *_ = tags.split("-")
            subsets |= {f"{_COUNTRY}{country}", domain}
    return sorted(subsets)


def filter_subset(
    systems: Sequence[Any],
    test_sets: str | None,
    langpair: str | None,
    origlang: str | None,
    subset: str | None = None,
) -> Sequence[Any]:
    """Return the segments of some documents of test sets, separated by commas.

    `systems` are systems and references, each with an item for every segment. The original language
    of the documents is such as ``en``; ``non-en`` means any other. The subset is a regular
    expression that is searched for in their domain, or after ``country:``, in country and domain.
    """
    if origlang is None and subset is None:
        return systems
    if test_sets is None or langpair is None:
        raise SettingsError(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    try:
        pattern = None if subset is None else re.compile(subset.removeprefix(_COUNTRY))
    except re.error as error:
        raise InputError(f"subset {subset!r} is not a regular expression: {error}") from error
    kept: list[bool] = []
    for test_set in test_sets.split(","):
        documents = _documents(test_set, langpair)
        if documents is None:
            raise InputError(
                "--origlang and --subset supports only WMT *.xml and *.sgm files, not "
                f"{DATASETS[test_set].raw_path(langpair)!r}"
            )
        is_xml = isinstance(DATASETS[test_set], WMTXMLDataset)
        if pattern is not None and not is_xml and test_set not in SUBSETS:
            raise InputError(f"No subset annotation available for test set {test_set}")
        for document in documents:
            kept += [_is_kept(document, origlang, pattern)] * document.segments
    filtered = []
    for system in systems:
        sentences = list(system)
        if len(sentences) != len(kept):
            problem = (
                f"{test_sets} {langpair} has {len(kept):,} segments, but a system or reference has "
                f"{len(sentences):,}: it is unknown which of them are in the subset"
            )
            faithful.accept("sacreBLEU", LengthMismatchError(problem))
        filtered.append([each for each, keep in zip(sentences, kept, strict=False) if keep])
    return filtered


def _is_kept(document: _Document, origlang: str | None, pattern: re.Pattern[str] | None) -> bool:
    if document.origlang is None:
        return False
    if origlang is not None:
        same = document.origlang == origlang.removeprefix(_NOT)
        if same == origlang.startswith(_NOT):
            return False
    return pattern is None or (
        document.domain is not None and bool(pattern.search(document.domain))
    )


def print_subset_results(
    metrics: Mapping[str, Any],
    full_system: Sequence[str],
    full_refs: Sequence[Sequence[str]],
    args: Namespace,
) -> None:
    """Print scores by original language, and by domain and country."""
    found = get_available_origlangs(args.test_set, args.langpair)
    origlangs = [args.origlang] if args.origlang else found
    if not origlangs:
        print("No subset information found. Consider using --origlang argument.")
        return
    subsets = [args.subset]
    if args.subset is None:
        subsets = get_available_subsets(args.test_set, args.langpair)
    rows = []
    for origlang in origlangs:
        for subset in (None, *subsets):
            system, *references = filter_subset(
                [full_system, *full_refs], args.test_set, args.langpair, origlang, subset
            )
            if system:
                title = f"origlang={origlang} domain={'ALL' if subset is None else subset}"
                if subset is not None and subset.startswith(_COUNTRY):
                    title = f"origlang={origlang} country={subset.removeprefix(_COUNTRY)}"
                scores = [metric.corpus_score(system, references) for metric in metrics.values()]
                rows += [(title, len(system), score) for score in scores]
    titles = max((len(title) for title, *_ in rows), default=0) + 1
    names = max((len(score.name) for *_, score in rows), default=0)
    for title, count, score in rows:
        shown = Color.format(f"{title:<{titles}}", "yellow")
        value = f"{score.score:.{args.width}f}"
        print(f"{shown}: sentences={count:<6} {score.name:<{names}} = {value}")
