"""What a paper quotes from a report: tables, a sentence on methods, references, and the inputs."""

from __future__ import annotations

from hashlib import sha256

from truebleu._core import __version__
from truebleu.display.formats import FORMATS
from truebleu.display.formatting import count, percent
from truebleu.display.text import visible
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.ter.metric import Ter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from truebleu.metrics.metric import Metric
    from truebleu.reporting.data import Gathered
    from truebleu.significance.results import Comparison

_KEYS = {
    "bleu": "papineni-etal-2002-bleu",
    "chrf": "popovic-2015-chrf",
    "chrf++": "popovic-2017-chrf",
    "ter": "snover-etal-2006-study",
    "signature": "post-2018-call",
    "bootstrap": "koehn-2004-statistical",
    "approximate-randomization": "riezler-maxwell-2005-pitfalls",
    "holm": "holm-1979-simple",
}

# Authors, title, where; and year, pages and a link.
_WORKS = {
    "papineni-etal-2002-bleu": (
        "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
        "{B}leu: a Method for Automatic Evaluation of Machine Translation",
        "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
        ("2002", "311--318", "https://aclanthology.org/P02-1040"),
    ),
    "popovic-2015-chrf": (
        "Popovi{\\'c}, Maja",
        "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
        "Proceedings of the Tenth Workshop on Statistical Machine Translation",
        ("2015", "392--395", "https://aclanthology.org/W15-3049"),
    ),
    "popovic-2017-chrf": (
        "Popovi{\\'c}, Maja",
        "chr{F}++: words helping character n-grams",
        "Proceedings of the Second Conference on Machine Translation",
        ("2017", "612--618", "https://aclanthology.org/W17-4770"),
    ),
    "snover-etal-2006-study": (
        "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and "
        "Makhoul, John",
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "Proceedings of the 7th Conference of the Association for Machine Translation in the "
        "Americas: Technical Papers",
        ("2006", "223--231", "https://aclanthology.org/2006.amta-papers.25"),
    ),
    "post-2018-call": (
        "Post, Matt",
        "A Call for Clarity in Reporting {BLEU} Scores",
        "Proceedings of the Third Conference on Machine Translation: Research Papers",
        ("2018", "186--191", "https://aclanthology.org/W18-6319"),
    ),
    "koehn-2004-statistical": (
        "Koehn, Philipp",
        "Statistical Significance Tests for Machine Translation Evaluation",
        "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
        ("2004", "388--395", "https://aclanthology.org/W04-3250"),
    ),
    "riezler-maxwell-2005-pitfalls": (
        "Riezler, Stefan and Maxwell, John T.",
        "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
        "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for "
        "Machine Translation and/or Summarization",
        ("2005", "57--64", "https://aclanthology.org/W05-0908"),
    ),
    "holm-1979-simple": (
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics",
        ("1979", "65--70", "https://www.jstor.org/stable/4615733"),
    ),
}


def quotes(data: Gathered, command: str = "", metrics: int = 1) -> list[tuple[str, str]]:
    """Return the titles of what can be copied, each with its text.

    Parameters
    ----------
    data : Gathered
    command : str
        That made the report, if one did.
    metrics : int
        How many metrics the systems are compared under.
    """
    parts = [("Sentence for the methods section", methods(data, metrics))]
    comparison = data.comparison
    if comparison is not None:
        blocks = comparison.blocks()
        parts += [
            (f"Table in {title}", FORMATS[name].write(blocks))
            for title, name in (("LaTeX", "latex"), ("Markdown", "markdown"))
        ]
    parts.append(("BibTeX", bibtex(_cited(data.metric, comparison))))
    parts.append(("SHA-256 of the inputs", inputs(data)))
    if command:
        parts.append(("Command", command))
    return parts


def methods(data: Gathered, metrics: int = 1) -> str:
    """Suggest a sentence or two for the methods section of a paper on some metrics."""
    metric, comparison = data.metric, data.comparison
    signature = data.scores[0].signature if comparison is None else comparison.signature
    how = f"{metric.name} as computed by truebleu {__version__} (signature: {signature})"
    if isinstance(metric, SegmentScores):
        how = (
            f"the average of {metric.name} scores, which were computed elsewhere [name the model, "
            f"or the annotators], as compared by truebleu {__version__} (signature: {signature})"
        )
    said = [
        f"We report {how} on {count(data.segments, 'segment')} with "
        f"{count(data.references, 'reference')}."
    ]
    if comparison is not None:
        said += _statistics(comparison, metrics)
    return " ".join(said) + "\n"


def _statistics(comparison: Comparison, metrics: int) -> Iterator[str]:
    """Say how intervals and p-values were computed."""
    units = comparison.units
    if next(iter(comparison.systems.values())).interval is not None:
        level = percent(comparison.confidence_level)
        yield f"The {level} confidence intervals are from bootstrap resampling of {units}."
    if comparison.pairs:
        sides = "two-sided" if comparison.alternative == "two-sided" else "one-sided"
        text = f"Differences were tested by {sides} {comparison.test_description} of {units}"
        if len(comparison.pairs) > 1:
            text += f", with Holm's correction for {len(comparison.pairs)} tests"
        yield f"{text}, at a significance level of {comparison.alpha:g}."
        if metrics > 1:
            yield f"P-values are not corrected for testing under {metrics} metrics."


def _cited(metric: Metric, comparison: Comparison | None) -> list[str]:
    """Return the keys of the works behind a metric, its intervals and its tests."""
    names = []
    if isinstance(metric, Bleu):
        names.append("bleu")
    elif isinstance(metric, Chrf):
        names += ["chrf", "chrf++"] if metric.word_order else ["chrf"]
    elif isinstance(metric, Ter):
        names.append("ter")
    if not isinstance(metric, SegmentScores):
        names.append("signature")
    if comparison is not None:
        if next(iter(comparison.systems.values())).interval is not None:
            names.append("bootstrap")
        if comparison.pairs:
            names.append(comparison.test)
        if len(comparison.pairs) > 1:
            names.append("holm")
    return [_KEYS[name] for name in dict.fromkeys(names)]


def bibtex(keys: Iterable[str]) -> str:
    """Write works for a file of BibTeX."""
    return "\n".join(map(_entry, keys))


def _entry(key: str) -> str:
    author, title, where, (year, pages, url) = _WORKS[key]
    journal = where.startswith("Scandinavian")
    kind, place = ("article", "journal") if journal else ("inproceedings", "booktitle")
    fields = {"author": author, "title": title, place: where, "year": year, "pages": pages}
    lines = [f"  {name} = {{{value}}}," for name, value in {**fields, "url": url}.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def inputs(data: Gathered) -> str:
    """List a checksum of each input: of its lines, each ended by a line feed."""
    columns = data.split.texts
    references = columns[: data.references]
    named = [(f"reference {number}", each) for number, each in enumerate(references, 1)]
    named += zip(map(visible, data.names), columns[data.references :], strict=True)
    if data.sources is not None:
        named.append(("source", list(data.sources)))
    return "".join(f"{_digest(texts)}  {name}\n" for name, texts in named)


def _digest(texts: Iterable[str | None]) -> str:
    """Return the checksum of a file with these lines."""
    lines = "".join(f"{text or ''}\n" for text in texts)
    return sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()
