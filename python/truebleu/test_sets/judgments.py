"""Human judgments: data folders of mt-metrics-eval, and error annotations (MQM)."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from truebleu.display.formatting import count
from truebleu.display.shown import Result
from truebleu.errors import (
    EmptyInputError,
    InputError,
    LengthMismatchError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.lines import checked_path, read_lines
from truebleu.inputs.numbers import real_number
from truebleu.test_sets.metrics_eval import find_pair, listed
from truebleu.test_sets.score_files import read_segment_scores, score_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from truebleu.meta_evaluation.results import MetaEvaluation

    Table = dict[str, list[float | None]]

ARCHIVE = "https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz"
"""Where mt-metrics-eval downloads its data from, at its commit 68a481a."""

MQM_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "major": 5.0,
        "minor": 1.0,
        "neutral": 0.0,
        "major/non-translation!": 25.0,
        "minor/fluency/punctuation": 0.1,
    }
)
"""The penalties of WMT for an error: severity, category and subcategory, the longest that fits."""

_SOURCE = "src"


class JudgedSet(Result):
    """Systems that people judged, and the scores of metrics.

    Attributes
    ----------
    gold : dict of str to list of float or None
        The human score of each segment, by system; higher is better.
    scores : dict of str to dict
        Likewise for each metric.
    system_gold, system_scores : dict
        The scores of systems, where there are files of them; else averages are used.
    documents, domains : tuple of str, or None
        One per segment.
    left_out : dict of str to str
        Metrics that cannot be measured on these outputs, and why.
    systems : dict of str to list of str, or None
        The outputs, if they were read.
    references : list of str, or None
    """

    gold: Table
    scores: dict[str, Table] = {}
    system_gold: dict[str, float | None] | None = None
    system_scores: dict[str, dict[str, float | None]] = {}
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    left_out: dict[str, str] = {}
    systems: dict[str, list[str]] | None = None
    references: list[str] | None = None

    def evaluate(self, **options: Any) -> MetaEvaluation:
        """Measure how well the metrics agree with people.

        Options are those of :func:`meta_evaluate`. Documents are resampled, if they are known and
        there are at least two, unless `documents` is given. Metrics that are computed here need the
        outputs; a stored metric of the same name is called `NAME (stored)`.
        """
        from truebleu.meta_evaluation.evaluate import meta_evaluate
        from truebleu.metrics.registry import metrics_of

        texts: dict[str, Any] = {}
        taken: set[str] = set()
        if options.get("metrics") is not None:
            if self.systems is None:
                raise SettingsError("metrics= needs outputs: read the set with texts=True")
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

    The folder has ``human-scores/PAIR.NAME.LEVEL.score``, ``metric-scores/PAIR/NAME-REF.LEVEL.score``
    and ``documents/PAIR.docs``, such as those in its archive, version 2. As in the WMT metrics
    tasks, metrics are those that use this reference or none (``[noref]``), and the systems are those
    that have a human score and are not this reference.

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
        Read the segments of one domain.
    without : list of str, optional
        Systems to leave out, such as outliers.
    texts : bool, optional
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
    >>> from truebleu import read_judged_set
    >>> wmt24 = read_judged_set("wmt24", "en-de", gold="mqm")  # doctest: +SKIP
    >>> print(wmt24.evaluate(measures=["spa", "acc-eq"]))  # doctest: +SKIP
    """
    root = Path(checked_path(directory))
    human = _files(root / "human-scores", f"{pair}.")
    name = _chosen("gold", gold, [each for each in human if "seg" in human[each]], root, pair)
    table = read_segment_scores(human[name]["seg"])
    segments = len(next(iter(table.values())))
    domains, documents = _documents(root / "documents" / f"{pair}.docs", segments)
    kept = list(range(segments))
    if domain is not None:
        if domain not in (domains or ()):
            known = ", ".join(dict.fromkeys(domains or ())) or "no domains"
            raise UnknownNameError(f"{pair} has no domain {domain!r}; it has {known}")
        kept = [place for place, each in enumerate(domains or ()) if each == domain]
        table = {system: [row[place] for place in kept] for system, row in table.items()}
    references = [path.stem[len(pair) + 1 :] for path in listed(root / "references", f"{pair}.")]
    reference = _chosen("reference", reference, references, root, pair)
    for system in without:
        if system not in table:
            raise UnknownNameError(f"{pair} has no system {system!r}; it has {', '.join(table)}")
    table = {
        system: row
        for system, row in table.items()
        if system not in (reference, *without) and any(score is not None for score in row)
    }
    scores: dict[str, Table] = {}
    of_systems: dict[str, dict[str, float | None]] = {}
    left_out: dict[str, str] = {}
    for full, levels in _files(root / "metric-scores" / pair, "").items():
        base, _, used = full.rpartition("-")
        if used not in (reference, _SOURCE) and not (used == "all" and len(references) == 1):
            continue
        called = f"{base}[noref]" if used == _SOURCE else base
        try:
            scores[called] = _metric(levels, table, kept, segments)
            found = _of_systems(levels, domain)
            if found is not None:
                of_systems[called] = {system: found[system] for system in table}
        except (TruebleuError, KeyError) as error:
            scores.pop(called, None)
            left_out[called] = str(error) if isinstance(error, TruebleuError) else (
                f"{levels['sys']} has no score of {error.args[0]}"
            )
    outputs = None
    if texts:
        found_texts = find_pair(str(root), pair).read(table, [reference])
        outputs = [*found_texts.systems.values(), *found_texts.references.values()]
        outputs = [[each[place] for place in kept] for each in outputs]
    gold_of_systems = _of_systems(human[name], domain)
    return JudgedSet(
        gold=table,
        scores=scores,
        system_gold=gold_of_systems and {each: gold_of_systems.get(each) for each in table},
        system_scores=of_systems,
        documents=documents and tuple(documents[place] for place in kept),
        domains=domains and tuple(domains[place] for place in kept),
        left_out=left_out,
        systems=outputs and dict(zip(table, outputs, strict=False)),
        references=outputs and outputs[-1],
    )


def _files(folder: Path, prefix: str) -> dict[str, dict[str, Path]]:
    """Return score files by name and level: ``PREFIX NAME.LEVEL.score``."""
    found: dict[str, dict[str, Path]] = {}
    for path in listed(folder, prefix):
        name, _, level = path.name[len(prefix) :].removesuffix(".score").rpartition(".")
        if path.suffix == ".score" and name:
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


def _documents(
    path: Path, segments: int
) -> tuple[tuple[str, ...], tuple[str, ...]] | tuple[None, None]:
    """Return the domain and the document of each segment."""
    if not path.is_file():
        return None, None
    rows = [line.split() for line in read_lines(path)]
    if len(rows) != segments:
        raise LengthMismatchError(
            f"{path} has {count(len(rows), 'line')} for {count(segments, 'segment')}"
        )
    for number, row in enumerate(rows, 1):
        if len(row) < 2:
            raise InputError(f"{path}, line {number:,}: a domain and a document are needed")
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


def _metric(levels: Mapping[str, Path], gold: Table, kept: list[int], segments: int) -> Table:
    """Return the scores of a metric for the outputs that have gold scores."""
    if "seg" not in levels:
        raise InputError("it has no scores of segments")
    path = levels["seg"]
    found = read_segment_scores(path)
    for system in gold:
        if len(found.get(system, ())) != segments:
            raise InputError(
                f"{path} has {count(len(found.get(system, ())), 'score')} of {system} for "
                f"{count(segments, 'segment')}"
            )
    table = {system: [found[system][place] for place in kept] for system in gold}
    for system, row in table.items():
        for score, judged in zip(row, gold[system], strict=True):
            if score is None and judged is not None:
                raise InputError(f"{path} has None for a segment of {system} that people judged")
    return table


def _of_systems(levels: Mapping[str, Path], domain: str | None) -> dict[str, float | None] | None:
    """Return the scores of systems; None if there are no such files."""
    if domain is None:
        if "sys" not in levels:
            return None
        return {system: row[0] for system, row in read_segment_scores(levels["sys"]).items()}
    if "domain" not in levels:
        return None
    path = levels["domain"]
    found: dict[str, float | None] = {}
    for number, line in enumerate(read_lines(path), 1):
        where = f"{path}, line {number:,}"
        row = line.split()
        if len(row) != 3:
            raise InputError(f"{where}: a domain, a system and a score are needed")
        if row[0] == domain:
            found[row[1]] = score_of(row[2], where)
    return found


def read_mqm(
    path: str | PathLike[str],
    *,
    weights: Mapping[str, float] = MQM_WEIGHTS,
    segment: str = "doc_id",
    reference: str | None = None,
) -> JudgedSet:
    """Read error annotations (MQM) from a table with tabs, and score each segment.

    The columns are ``system``, ``doc``, ``rater``, ``category``, ``severity``, and the number of the
    segment within the document, as in Google's WMT annotations. The penalties of a rater are added,
    averaged over raters, and negated. Segments are sorted by document, in the order of the file,
    and number; those that nobody annotated for a system are None.

    Parameters
    ----------
    path : str or path-like
    weights : dict of str to float, optional
        Penalties by severity, ``severity/category`` or ``severity/category/subcategory``; the
        longest that fits is used, and 0 if none does.
    segment : str, optional
        The column with the number of the segment.
    reference : str, optional
        The system that is the reference of the others. With it, the text of outputs is read, too,
        without the marks ``<v>`` around errors.

    Returns
    -------
    JudgedSet
        With `gold` and `documents`, and with a reference `systems` and `references`.

    Raises
    ------
    InputError, EmptyInputError
        If a column is missing, or a line has too few; the message has the line.
    OSError, EncodingError
        As :func:`truebleu.read_lines`.
    """
    from math import isfinite

    name = checked_path(path)
    lines = read_lines(name)
    if len(lines) < 2:
        raise EmptyInputError(f"{name} has no annotations")
    header = lines[0].split("\t")
    columns = ["system", "doc", segment, "rater", "category", "severity"]
    columns += ["target"] if reference is not None else []
    missing = [column for column in columns if column not in header]
    if missing:
        raise InputError(f"{name} has no column {', '.join(missing)}; it has {', '.join(header)}")
    places = [header.index(column) for column in columns]
    known = {key.lower(): real_number(weight) for key, weight in weights.items()}
    for key, weight in known.items():
        if not isfinite(weight):
            raise SettingsError(f"the weight of {key} is not a finite number")
    penalties: dict[str, dict[tuple[str, int], dict[str, float]]] = {}
    documents: dict[str, set[int]] = {}
    targets: dict[tuple[str, str, int], str] = {}
    for number, line in enumerate(lines[1:], 2):
        row = line.split("\t")
        if len(row) <= max(places) or not row[places[2]].isdecimal():
            raise InputError(
                f"{name}, line {number:,}: {count(len(header), 'column')} are needed, and a number "
                f"as {segment}"
            )
        system, document, place, rater, category, severity, *target = (row[i] for i in places)
        documents.setdefault(document, set()).add(int(place))
        raters = penalties.setdefault(system, {}).setdefault((document, int(place)), {})
        error = [severity.lower(), *category.lower().split("/")]
        keys = ["/".join(error[:length]) for length in range(len(error), 0, -1)]
        penalty = next((known[key] for key in keys if key in known), 0.0)
        raters[rater] = raters.get(rater, 0.0) + penalty
        for text in target:
            plain = text.replace("<v>", "").replace("</v>", "")
            targets[system, document, int(place)] = plain
    order = [(document, place) for document, each in documents.items() for place in sorted(each)]
    gold: Table = {}
    for system, found in penalties.items():
        gold[system] = [
            -sum(found[key].values()) / len(found[key]) if key in found else None for key in order
        ]
    judged = JudgedSet(gold=gold, documents=tuple(document for document, _ in order))
    if reference is None:
        return judged
    if gold.pop(reference, None) is None:
        raise UnknownNameError(f"{name} has no system {reference!r}; it has {', '.join(gold)}")
    texts = {}
    for system in (*gold, reference):
        lacking = [key for key in order if (system, *key) not in targets]
        if lacking:
            document, place = lacking[0]
            raise InputError(
                f"{name} has no text of {system} for segment {place} of {document} "
                f"({count(len(lacking), 'such segment')}), so it cannot be scored"
            )
        texts[system] = [targets[system, *key] for key in order]
    return judged.replace(references=texts.pop(reference), systems=texts)
