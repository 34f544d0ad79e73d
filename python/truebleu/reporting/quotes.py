"""What a paper quotes from a report: tables, a sentence on methods, references, and the inputs."""

from __future__ import annotations

from hashlib import sha256

from truebleu.display import markup
from truebleu.display.formatting import count
from truebleu.display.text import visible
from truebleu.metrics.about import Work
from truebleu.significance.paper import reported, statistics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.metric import Metric
    from truebleu.reporting.data import Gathered
    from truebleu.significance.results import Comparison

_INTERVALS = Work(
    key="koehn-2004-statistical",
    author="Koehn, Philipp",
    title="Statistical Significance Tests for Machine Translation Evaluation",
    where="Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
    year="2004",
    pages="388--395",
    url="https://aclanthology.org/W04-3250",
)
_TEST = Work(
    key="riezler-maxwell-2005-pitfalls",
    author="Riezler, Stefan and Maxwell, John T.",
    title="On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
    where="Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures "
    "for Machine Translation and/or Summarization",
    year="2005",
    pages="57--64",
    url="https://aclanthology.org/W05-0908",
)
_CORRECTION = Work(
    key="holm-1979-simple",
    author="Holm, Sture",
    title="A Simple Sequentially Rejective Multiple Test Procedure",
    where="Scandinavian Journal of Statistics",
    year="1979",
    pages="65--70",
    url="https://www.jstor.org/stable/4615733",
)


def quotes(data: Gathered, command: str = "") -> list[tuple[str, str]]:
    """Return the titles of what can be copied, each with its text."""
    parts = [("Sentence for the methods section", methods(data))]
    comparison = data.comparison
    if comparison is not None:
        *table, _ = comparison.paper().blocks()
        parts += [
            ("Table in LaTeX", markup.latex(table, "tab:compare")),
            ("Table in Markdown", markup.markdown(table)),
        ]
    parts.append(("BibTeX", "\n".join(map(entry, _cited(data.metric, comparison)))))
    if data.split.tokens:
        parts.append(("SHA-256 of the inputs", inputs(data)))
    if command:
        parts.append(("Command", command))
    shown = ((title, "\n".join(map(visible, text.split("\n")))) for title, text in parts)
    return [(data.say.again(title), text) for title, text in shown]


def methods(data: Gathered) -> str:
    """Suggest a sentence or two for the methods section of a paper."""
    metric, comparison = data.metric, data.comparison
    references = f" with {count(data.references, 'reference')}" * bool(data.references)
    said = [
        f"We report {reported([metric])} (signature: {data.signature}) on "
        f"{count(data.segments, 'segment')}{references}."
    ]
    if comparison is not None:
        said += statistics({metric.name: comparison})
    return " ".join(said) + "\n"


def _cited(metric: Metric, comparison: Comparison | None) -> list[Work]:
    """Return the works behind a metric, its intervals and its tests."""
    works = [*metric._about.works]
    if comparison is not None:
        if next(iter(comparison.systems.values())).interval is not None:
            works.append(_INTERVALS)
        if comparison.pairs:
            works.append(_TEST)
        if comparison.n_tests > 1:
            works.append(_CORRECTION)
    return list(dict.fromkeys(works))


def entry(work: Work) -> str:
    """Write a work for a file of BibTeX."""
    journal = work.where.startswith("Scandinavian")
    kind, place = ("article", "journal") if journal else ("inproceedings", "booktitle")
    fields = work.to_dict()
    key = fields.pop("key")
    names = {name: place if name == "where" else name for name in fields}
    lines = [f"  {names[name]} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def inputs(data: Gathered) -> str:
    """List a checksum of each input: of its lines, each ended by a line feed."""
    columns = data.split.texts
    references = columns[: data.references]
    named = [(f"reference {number}", each) for number, each in enumerate(references, 1)]
    named += zip(map(visible, data.names), columns[data.references :], strict=True)
    if data.sources is not None:
        named.append(("source", list(data.sources)))
    lines = [
        "".join(f"{text or ''}\n" for text in texts).encode("utf-8", "surrogatepass")
        for _, texts in named
    ]
    digests = [sha256(each).hexdigest() for each in lines]
    return "".join(f"{each}  {name}\n" for each, (name, _) in zip(digests, named, strict=True))
