"""Human judgments, and data folders of mt-metrics-eval, which have them."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from truebleu.display.formatting import count
from truebleu.display.shown import Result
from truebleu.errors import (
    InputError,
    LengthMismatchError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
    wrong_type,
)
from truebleu.inputs.lines import checked_path, read_lines
from truebleu.meta_evaluation.judged import list_of_names
from truebleu.meta_evaluation.metrics_eval import SUFFIXES, find_pair, listed
from truebleu.meta_evaluation.score_files import read_named_scores, score_of
from truebleu.metrics.settings import flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from truebleu.meta_evaluation.results import MetaEvaluation

    Table = dict[str, list[float | None]]

# What metrics have as reference that use none.
_SOURCE = "src"

_NONE: Mapping[str, Any] = MappingProxyType({})


class JudgedSet(Result):
    """Systems that people judged, and the scores of metrics.

    >>> from tempfile import NamedTemporaryFile
    >>> from truebleu.meta import read_esa
    >>> row = '{"langs": "en-cs", "system": "A", "doc_id": "x", "line_id": 1, "esa_score": 90}'
    >>> file = NamedTemporaryFile("w", suffix=".jsonl")
    >>> print(row, file=file, flush=True)
    >>> read_esa(file.name).gold
    {'A': [90.0]}

    Attributes
    ----------
    gold : dict of str to list of float or None
        The human score of each segment, by system; higher is better.
    scores : dict of str to dict
        Likewise for each metric.
    system_gold, system_scores : dict
        The scores of systems, if there are files of them; otherwise averages are used.
    documents, domains : tuple of str, or None
        One per segment.
    left_out : dict of str to str
        Metrics that cannot be evaluated on these outputs, and why.
    systems : dict of str to list of str, or None
        The outputs, if they were read.
    references : list of str, or None
    """

    gold: Table
    scores: Mapping[str, Table] = _NONE
    system_gold: dict[str, float | None] | None = None
    system_scores: Mapping[str, Mapping[str, float | None]] = _NONE
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    left_out: Mapping[str, str] = _NONE
    systems: dict[str, list[str]] | None = None
    references: list[str] | None = None

    def evaluate(self, **options: Any) -> MetaEvaluation:
        """Measure how well the metrics agree with people.

        Options are those of :func:`meta_evaluate`. Documents are resampled, if they are known and
        there are at least two, unless `documents` is given. Metrics that are computed here need the
        outputs, or ``systems=`` that are SavedStats; a stored metric of the same name is called
        `NAME (stored)`.
        """
        from truebleu.meta_evaluation.evaluate import meta_evaluate
        from truebleu.metrics.registry import metrics_of

        texts: dict[str, Any] = {}
        taken: set[str] = set()
        saved = options.get("systems")
        if saved is not None:
            taken = {name.lower() for name in saved.metrics}
            judged, counted = [*(self.documents or ())], [*(saved.documents or ())]
            if set(judged) == set(counted) and judged != counted:
                # Scores would be compared with those of other segments.
                raise InputError(
                    "the statistics have the segments in another order than the human scores, as "
                    "the documents show: score the texts in that order"
                )
        elif options.get("metrics") is not None:
            if self.systems is None:
                raise SettingsError(
                    "metrics= needs outputs: read the set with texts=True, or annotations with "
                    "reference="
                )
            texts = {"systems": self.systems, "references": self.references}
            taken = {name.lower() for name in metrics_of(options["metrics"])}
        stored = {
            name: f"{name} (stored)" if name.lower() in taken else name for name in self.scores
        }
        if self.documents is not None and len(set(self.documents)) > 1:
            options = {"documents": self.documents, **options}
        more = dict(options.pop("scores", None) or {})
        of_systems = dict(options.pop("system_scores", None) or {})
        own = {stored[name]: each for name, each in self.scores.items()}
        return meta_evaluate(
            self.gold,
            **texts,
            scores=own | more,
            system_gold=self.system_gold,
            system_scores={stored[name]: each for name, each in self.system_scores.items()}
            | of_systems,
            **options,
        )


def read_judged_set(
    directory: str | PathLike[str],
    pair: str,
    *,
    gold: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
    without: Iterable[str] = (),
    texts: bool = False,
) -> JudgedSet:
    """Read the human scores and metric scores of a language pair from a folder of mt-metrics-eval.

    The folder has ``human-scores/PAIR.NAME.LEVEL.score``, ``documents/PAIR.docs`` and
    ``metric-scores/PAIR/NAME-REF.LEVEL.score``, such as those in its archive, version 2. As in the
    WMT metrics tasks, metrics are those that use this reference or none (``[noref]``), and systems
    are those that have a human score and are not this reference.

    Parameters
    ----------
    directory : str or path-like
        The folder of a test set, such as ``mt-metrics-eval-v2/wmt24``.
    pair : str
        Such as ``en-de``.
    gold : str, optional
        The human scores, such as ``mqm`` or ``esa``; may be left out if there is one kind.
    reference : str, optional
        The standard reference, such as ``refA``; may be left out if there is one.
    domain : str, optional
        The domain to read; by default all.
    without : list of str, optional
        Systems to leave out, such as outliers.
    texts : bool, default False
        Whether to read outputs and the reference, for metrics that are computed here.

    Returns
    -------
    JudgedSet

    Raises
    ------
    InputError, UnknownNameError, LengthMismatchError, SettingsError
        The message says which file is wrong, or what there is to choose from.
    OSError, EncodingError
        As :func:`truebleu.read_lines`.

    Examples
    --------
    >>> from truebleu.meta import read_judged_set
    >>> wmt24 = read_judged_set("wmt24", "en-de", gold="mqm")  # doctest: +SKIP
    >>> print(wmt24.evaluate(measures=["spa", "acc-eq"]))  # doctest: +SKIP
    """
    root = Path(checked_path(directory))
    named = {"pair": pair, "gold": gold, "reference": reference, "domain": domain}
    for parameter, value in named.items():
        if not isinstance(value, str) and (value is not None or parameter == "pair"):
            raise wrong_type(parameter, value, "a str is needed")
    without = list_of_names("without", without, "MSLC")
    human = _files(root / "human-scores", f"{pair}.")
    name = _chosen("gold", gold, [each for each in human if "seg" in human[each]], root, pair)
    table = read_named_scores(human[name]["seg"])
    segments = len(next(iter(table.values())))
    domains, documents = _documents(root / "documents" / f"{pair}.docs", segments)
    kept = _kept(domain, domains, segments, pair)
    texts_of = [path for path in listed(root / "references", f"{pair}.") if path.suffix in SUFFIXES]
    references = list(dict.fromkeys(path.stem[len(pair) + 1 :] for path in texts_of))
    reference = _chosen("reference", reference, references, root, pair)
    for system in without:
        if system not in table:
            raise UnknownNameError(f"{pair} has no system {system!r}; it has {', '.join(table)}")
    table = {
        system: [row[place] for place in kept]
        for system, row in table.items()
        if system not in (reference, *without) and any(row[place] is not None for place in kept)
    }
    used = (reference, _SOURCE, *(["all"] if len(references) == 1 else []))
    metrics = _Metrics(table, kept, segments, domain)
    for full, levels in _files(root / "metric-scores" / pair, "").items():
        base, _, of = full.rpartition("-")
        if base and of in used:
            metrics.add(f"{base}[noref]" if of == _SOURCE else base, levels)
    outputs = references_of = None
    if flag("texts", texts):
        files = find_pair(str(root), pair)
        lacking = [system for system in table if system not in files.systems]
        if lacking:
            raise InputError(
                f"{root / 'system-outputs' / pair} has no file of {', '.join(lacking)}, which "
                "people judged: add it, or leave the system out with without="
            )
        found = files.read(table, [reference])
        outputs = {name: [each[i] for i in kept] for name, each in found.systems.items()}
        references_of = [found.references[reference][i] for i in kept]
    gold_of_systems = _of_systems(human[name], domain)
    return JudgedSet(
        gold=table,
        scores=metrics.scores,
        system_gold=gold_of_systems and {each: gold_of_systems.get(each) for each in table},
        system_scores=metrics.of_systems,
        documents=documents and tuple(documents[place] for place in kept),
        domains=domains and tuple(domains[place] for place in kept),
        left_out=metrics.left_out,
        systems=outputs,
        references=references_of,
    )


def _files(folder: Path, prefix: str) -> dict[str, dict[str, Path]]:
    """Return score files by name and level: ``PREFIX NAME.LEVEL.score``."""
    found: dict[str, dict[str, Path]] = {}
    for path in listed(folder, prefix):
        name, _, level = path.name[len(prefix) :].removesuffix(".score").rpartition(".")
        if path.suffix == ".score" and name:
            if not path.is_file():
                # A pipe or a device may never end.
                raise InputError(f"{path} is not a regular file: remove it")
            found.setdefault(name, {})[level] = path
    return found


def _chosen(what: str, given: str | None, known: Sequence[str], root: Path, pair: str) -> str:
    if not known:
        expected = {
            "gold": f"human-scores/{pair}.NAME.seg.score",
            "reference": f"references/{pair}.NAME.txt",
        }
        raise InputError(f"{root} has no {what} of {pair}: {expected[what]} is needed")
    if given is None and len(known) > 1:
        raise SettingsError(f"{pair} has several: choose {what}= from {', '.join(known)}")
    if given is not None and given not in known:
        raise UnknownNameError(f"{pair} has no {what} {given!r}; it has {', '.join(known)}")
    return known[0] if given is None else given


def _kept(domain: str | None, domains: Sequence[str] | None, segments: int, pair: str) -> list[int]:
    """Return the places of the segments of a domain."""
    if domain is None:
        return list(range(segments))
    if domain not in (domains or ()):
        known = ", ".join(dict.fromkeys(domains or ())) or "no domains"
        raise UnknownNameError(f"{pair} has no domain {domain!r}; it has {known}")
    return [place for place, each in enumerate(domains or ()) if each == domain]


def _documents(
    path: Path, segments: int
) -> tuple[tuple[str, ...], tuple[str, ...]] | tuple[None, None]:
    if not path.is_file():
        return None, None
    rows = [line.split() for line in read_lines(path, as_text=True)]
    if len(rows) != segments:
        raise LengthMismatchError(
            f"{path} has {count(len(rows), 'line')} for {count(segments, 'segment')}"
        )
    for number, row in enumerate(rows, 1):
        if len(row) < 2:
            raise InputError(f"{path}, line {number:,}: a domain and a document are needed")
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


class _Metrics:
    """The scores of metrics for the outputs that have gold scores."""

    def __init__(self, gold: Table, kept: list[int], segments: int, domain: str | None) -> None:
        self._gold, self._kept, self._segments, self._domain = gold, kept, segments, domain
        self.scores: dict[str, Table] = {}
        self.of_systems: dict[str, dict[str, float | None]] = {}
        self.left_out: dict[str, str] = {}

    def add(self, name: str, levels: Mapping[str, Path]) -> None:
        """Add a metric, or say why it is left out."""
        try:
            scores, of_systems = self._read(levels), _of_systems(levels, self._domain)
            if of_systems is not None:
                lacking = [each for each in self._gold if of_systems.get(each) is None]
                if lacking:
                    path = levels["sys" if self._domain is None else "domain"]
                    raise InputError(f"{path} has no score of {', '.join(lacking)}")
                self.of_systems[name] = {system: of_systems[system] for system in self._gold}
            self.scores[name] = scores
        except TruebleuError as error:
            self.left_out[name] = str(error)

    def _read(self, levels: Mapping[str, Path]) -> Table:
        if "seg" not in levels:
            raise InputError("it has no scores of segments")
        path = levels["seg"]
        found = read_named_scores(path)
        for system in self._gold:
            if len(found.get(system, ())) != self._segments:
                raise InputError(
                    f"{path} has {count(len(found.get(system, ())), 'score')} of {system} for "
                    f"{count(self._segments, 'segment')}"
                )
        table = {system: [found[system][place] for place in self._kept] for system in self._gold}
        for system, row in table.items():
            for score, judged in zip(row, self._gold[system], strict=True):
                if score is None and judged is not None:
                    raise InputError(
                        f"{path} has None for a segment of {system} that people judged"
                    )
        return table


def _of_systems(levels: Mapping[str, Path], domain: str | None) -> dict[str, float | None] | None:
    """Return the scores of systems; None if there are no such files."""
    if domain is None:
        if "sys" not in levels:
            return None
        return {system: row[0] for system, row in read_named_scores(levels["sys"]).items()}
    if "domain" not in levels:
        return None
    path = levels["domain"]
    found: dict[str, float | None] = {}
    for number, line in enumerate(read_lines(path, as_text=True), 1):
        where = f"{path}, line {number:,}"
        row = line.split()
        if len(row) != 3:
            raise InputError(f"{where}: a domain, a system and a score are needed")
        if row[0] == domain:
            found[row[1]] = score_of(row[2], where)
    return found
