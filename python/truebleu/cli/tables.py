"""Tables of scores in every format that ``truebleu score`` prints. The registry is FORMATS."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu.score import BleuScore

    Writer = Callable[[list[str], list[BleuScore], int], str]

_HEADER = ("system", "BLEU", "precisions", "BP", "ratio", "hyp_len", "ref_len")


class Format:
    """A way to write scores down."""

    def __init__(self, about: str, write: Writer) -> None:
        """Keep the line for ``--help`` and the function."""
        self.help = about
        self.write = write


def _rows(names: list[str], scores: list[BleuScore], width: int) -> list[tuple[str, ...]]:
    return [
        (
            name,
            f"{score.score:.{width}f}",
            "/".join(f"{precision:.1f}" for precision in score.precisions),
            f"{score.brevity_penalty:.3f}",
            f"{score.ratio:.3f}",
            str(score.hyp_len),
            str(score.ref_len),
        )
        for name, score in zip(names, scores, strict=True)
    ]


def _reasons(names: list[str], scores: list[BleuScore]) -> list[str]:
    pairs = zip(names, scores, strict=True)
    return [f"{name}: {score.reason}" for name, score in pairs if score.reason]


def _table(names: list[str], scores: list[BleuScore], width: int) -> str:
    rows = _rows(names, scores, width)
    if sys.stdout.isatty():
        try:
            return _rich_table(rows, _reasons(names, scores), scores[0].signature)
        except ImportError:
            pass  # The plain table says the same.
    widths = [max(map(len, column)) for column in zip(_HEADER, *rows, strict=True)]
    lines = []
    for row in [_HEADER, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(size) for cell, size in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells))
    lines += [*_reasons(names, scores), scores[0].signature]
    return "\n".join(lines) + "\n"


def _rich_table(rows: list[tuple[str, ...]], reasons: list[str], signature: str) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*_HEADER)
    best = max(float(row[1]) for row in rows)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        style = "bold" if len(rows) > 1 and float(row[1]) == best else None
        # Text, because a file name may look like markup.
        table.add_row(*map(Text, row), style=style)
    console = Console()
    with console.capture() as captured:
        console.print(table)
        for line in reasons:
            console.print(Text(line))
        console.print(Text(signature, style="dim"), soft_wrap=True)
    drawn: str = captured.get()
    return drawn


def _json(names: list[str], scores: list[BleuScore], width: int) -> str:
    """All digits, whatever the width: it is for programs."""
    import json

    systems = [
        {"system": name, **score.to_dict()} for name, score in zip(names, scores, strict=True)
    ]
    return json.dumps(systems, ensure_ascii=False, indent=1) + "\n"


def _tsv(names: list[str], scores: list[BleuScore], width: int) -> str:
    rows: list[tuple[str, ...]] = [(*_HEADER, "signature")]
    for row, score in zip(_rows(names, scores, width), scores, strict=True):
        rows.append((row[0].translate({9: " ", 10: " ", 13: " "}), *row[1:], score.signature))
    return "".join("\t".join(row) + "\n" for row in rows)


def _markdown(names: list[str], scores: list[BleuScore], width: int) -> str:
    lines = ["| " + " | ".join(_HEADER) + " |", "|---|" + "---:|" * (len(_HEADER) - 1)]
    for row in _rows(names, scores, width):
        cells = [cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", *_reasons(names, scores), f"`{scores[0].signature}`"]
    return "\n".join(lines) + "\n"


_LATEX_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{c: f"\\{c}" for c in "&%$#_{}"},
    }
)


def _latex(names: list[str], scores: list[BleuScore], width: int) -> str:
    r"""For a document with ``\usepackage{booktabs}``."""
    lines = [r"\begin{tabular}{l" + "r" * (len(_HEADER) - 1) + "}", r"\toprule"]
    rows = [_HEADER, *_rows(names, scores, width)]
    cells = [" & ".join(cell.translate(_LATEX_SPECIAL) for cell in row) + r" \\" for row in rows]
    lines += [cells[0], r"\midrule", *cells[1:], r"\bottomrule", r"\end{tabular}"]
    lines.append(f"% {scores[0].signature}")
    return "\n".join(lines) + "\n"


FORMATS: dict[str, Format] = {
    "table": Format("a table for people (the default)", _table),
    "json": Format("JSON with everything a score knows", _json),
    "tsv": Format("tab-separated values", _tsv),
    "markdown": Format("a Markdown table", _markdown),
    "latex": Format("a LaTeX table with booktabs rules", _latex),
}
