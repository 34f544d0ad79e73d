"""Tables of scores in every format that ``truebleu score`` prints. The registry is FORMATS."""

from __future__ import annotations

import sys

from truebleu.display.render import latex_text

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu.metrics.score import BleuScore
    from truebleu.significance.results import Interval

    Writer = Callable[["Scored"], str]
    Label = tuple[object, ...]


class Format:
    """A way to write scores down."""

    def __init__(self, about: str, write: Writer) -> None:
        """Keep the line for ``--help`` and the function."""
        self.help = about
        self.write = write


class Scored:
    """The scores of some systems, as text.

    Parameters
    ----------
    header : tuple
        What the cells of a label are.
    labels : list of tuple
        What tells the scores apart: the names of systems, or the values of groups.
    scores : list of BleuScore
    width : int
        Decimals of a score.
    intervals : list of Interval
        One for each system, or none at all.
    signature : str
        Of all of them.
    """

    def __init__(
        self,
        header: Label,
        labels: list[Label],
        scores: list[BleuScore],
        width: int,
        intervals: list[Interval],
        signature: str,
    ) -> None:
        """Write out the cells."""
        self.keys = [dict(zip(header, label, strict=True)) for label in labels]
        self.scores, self.intervals = scores, intervals
        self.signature = signature
        self.label_width = len(header)
        self.header = [*map(str, header), "BLEU", "precisions", "BP", "ratio", "hyp_len", "ref_len"]
        rows = [
            [
                *map(str, label),
                f"{score.score:.{width}f}",
                "/".join(f"{precision:.1f}" for precision in score.precisions),
                f"{score.brevity_penalty:.3f}",
                f"{score.ratio:.3f}",
                str(score.hyp_len),
                str(score.ref_len),
            ]
            for label, score in zip(labels, scores, strict=True)
        ]
        if intervals:
            place = len(header) + 1
            self.header.insert(place, f"{100 * intervals[0].level:g} %")
            for row, interval in zip(rows, intervals, strict=True):
                row.insert(place, interval.ends(width))
        self.rows = rows

    def reasons(self) -> list[str]:
        """Say why scores are 0."""
        pairs = zip(self.keys, self.scores, strict=True)
        return [
            f"{', '.join(map(str, keys.values()))}: {score.reason}"
            for keys, score in pairs
            if score.reason
        ]


def _table(scored: Scored) -> str:
    if sys.stdout.isatty():
        try:
            return _rich_table(scored)
        except ImportError:
            pass  # The plain table says the same.
    every = [scored.header, *scored.rows]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    lines = []
    for row in every:
        first = scored.label_width
        sized = list(zip(row, widths, strict=True))
        cells = [cell.ljust(size) for cell, size in sized[:first]]
        cells += [cell.rjust(size) for cell, size in sized[first:]]
        lines.append("  ".join(cells))
    lines += [*scored.reasons(), scored.signature]
    return "\n".join(lines) + "\n"


def _rich_table(scored: Scored) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = scored.rows
    table = Table(*scored.header)
    first = scored.label_width
    best = max(float(row[first]) for row in rows)
    for column in table.columns[first:]:
        column.justify = "right"
    for row in rows:
        style = "bold" if len(rows) > 1 and float(row[first]) == best else None
        # Text, because a file name may look like markup.
        table.add_row(*map(Text, row), style=style)
    console = Console()
    with console.capture() as captured:
        console.print(table)
        for line in scored.reasons():
            console.print(Text(line))
        console.print(Text(scored.signature, style="dim"), soft_wrap=True)
    drawn: str = captured.get()
    return drawn


def _json(scored: Scored) -> str:
    """All digits, whatever the width: it is for programs."""
    import json

    systems = [
        {**keys, **score.to_dict()} for keys, score in zip(scored.keys, scored.scores, strict=True)
    ]
    if scored.intervals:
        for system, interval in zip(systems, scored.intervals, strict=True):
            system |= {"interval": interval.to_dict(), "signature": scored.signature}
    return json.dumps(systems, ensure_ascii=False, indent=1, default=str) + "\n"


def _on_one_line(text: str) -> str:
    return text.translate({9: " ", 10: " ", 13: " "})


def _tsv(scored: Scored) -> str:
    rows = [[*scored.header, "reason", "signature"]]
    rows += [
        [*map(_on_one_line, row), score.reason or "", scored.signature]
        for row, score in zip(scored.rows, scored.scores, strict=True)
    ]
    return "".join("\t".join(row) + "\n" for row in rows)


def _markdown(scored: Scored) -> str:
    header = scored.header
    first = scored.label_width
    rule = "|" + "---|" * first + "---:|" * (len(header) - first)
    lines = ["| " + " | ".join(header) + " |", rule]
    for row in scored.rows:
        cells = [cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", *scored.reasons(), f"`{scored.signature}`"]
    return "\n".join(lines) + "\n"


def _latex(scored: Scored) -> str:
    r"""For a document with ``\usepackage{booktabs}``."""
    first = scored.label_width
    columns = "l" * first + "r" * (len(scored.header) - first)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    rows = [scored.header, *scored.rows]
    cells = [" & ".join(map(latex_text, row)) + r" \\" for row in rows]
    lines += [cells[0], r"\midrule", *cells[1:], r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {_on_one_line(line)}" for line in (*scored.reasons(), scored.signature)]
    return "\n".join(lines) + "\n"


FORMATS: dict[str, Format] = {
    "table": Format("a table for people (the default)", _table),
    "json": Format("JSON with everything a score knows", _json),
    "tsv": Format("tab-separated values", _tsv),
    "markdown": Format("a Markdown table", _markdown),
    "latex": Format("a LaTeX table with booktabs rules", _latex),
}
