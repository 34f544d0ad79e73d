"""The output of sacreBLEU's command, byte for byte, and its colors."""

from __future__ import annotations

import json
import re
from typing import Any

from truebleu.compat.described import Described
from truebleu.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

# The codes of ANSI terminals.
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_COLORS = {name: 30 + number for number, name in enumerate(_NAMES)}


class Color(Described):
    """Colors for terminals, which can be turned off for all output."""

    ENABLE_COLORS = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """Color a text, unless colors are off or this one is unknown."""
        code = _COLORS.get(color.lower())
        if code is None or not Color.ENABLE_COLORS:
            return msg
        return f"\x1b[{code}m{msg}\x1b[0m"


def print_single_results(results: list[str], args: Namespace) -> None:
    """Print the scores of one system, a line or an object of JSON for each metric."""
    if args.format == "json":
        print(results[0] if len(results) == 1 else "[\n{}\n]".format(",\n".join(results)))
        return
    if "μ" in results[0]:
        interval = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")
        results = [
            interval.sub(lambda match: Color.format(match[0], "cyan"), line) for line in results
        ]
    # Names, if there are any, are aligned at the first equals sign.
    parts = [line.partition("=") for line in results]
    width = max((len(name) for name, equals, _ in parts if equals), default=0)
    for name, equals, rest in parts:
        print(f"{name:>{width}}{equals}{rest}" if equals else name)


def print_results_table(
    results: dict[str, list[Any]], signatures: dict[str, Any], args: Namespace
) -> None:
    """Print systems (``System``), and under the name of each score results and signatures."""
    if args.format == "json":
        rows = [
            {"system": name}
            | {
                metric: values[row] if isinstance(values[row], str) else values[row].__dict__
                for metric, values in results.items()
                if metric != "System"
            }
            for row, name in enumerate(results["System"])
        ]
        # Numbers of NumPy in single precision are no numbers to the encoder.
        print(json.dumps(rows, indent=4, default=float))
        return
    table = _format_score_lines(dict(results), args.width, multiline=args.format == "text")
    baseline = table["System"][0] if table["System"][0].startswith("Baseline:") else ""
    columns = {}
    for title, (first, *others) in table.items():
        first_cell = Color.format(first, "yellow") if baseline else first
        columns[Color.format(title, "cyan")] = [first_cell, *others]
    print(_tabulate(columns, args))
    print()
    if args.paired_bs or args.paired_ar:
        _explain(baseline, args)
    print(_titled("Metric signatures"))
    for metric, signature in signatures.items():
        print(f" - {metric:<10} {signature}")


def _format_score_lines(
    scores: dict[str, list[Any]], width: int = 2, multiline: bool = True
) -> dict[str, list[str]]:
    """Return the cells of a table by the titles of its columns; takes ``System`` out."""
    table = {"System": scores.pop("System")}
    has_intervals = False
    for metric, values in scores.items():
        cells = [_cell(result, width, "\n" if multiline else " ") for result in values]
        has_intervals = has_intervals or any(
            not isinstance(result, str) and result.mean is not None for result in values
        )
        table[f"{metric} (μ ± 95% CI)" if has_intervals else metric] = cells
    return table


def _cell(result: Any, width: int, line_break: str) -> str:
    if isinstance(result, str):
        return result
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        p_value = f"(p = {result.p_value:.4f})"
        marked = Color.format(p_value, "red") if result.p_value > 0.05 else f"{p_value}*"
        text += f"{line_break}{marked}"
    return text


def _tabulate(columns: dict[str, list[str]], args: Namespace) -> str:
    try:
        from tabulate import tabulate
    except ImportError as error:
        raise MissingExtraError(
            "tables of several systems need tabulate: pip install 'truebleu[compat]'"
        ) from error
    table: str = tabulate(
        columns,
        headers="keys",
        tablefmt="fancy_grid" if args.format == "text" else "latex_booktabs",
        colalign=("right",),
        stralign="center",
        numalign="center",
        floatfmt=f".{args.width}f",
    )
    return table


def _titled(title: str) -> str:
    rule = "-" * len(title)
    return f"{rule}\n{title}\n{rule}"


def _explain(baseline: str, args: Namespace) -> None:
    """Explain the test, in sacreBLEU's words."""
    if args.paired_bs:
        test, kind, count = "bootstrap resampling", "resampling trials", args.paired_bs_n
        provided = "Actual system score / bootstrap estimated true mean / 95% CI are provided"
    else:
        test, kind, count = "approximate randomization", "trials", args.paired_ar_n
        provided = "Actual system score is provided"
    base = Color.format("baseline", "yellow")
    hypothesis = Color.format("Null hypothesis", "green")
    highlighted = Color.format("highlighted in red", "red")
    null = hypothesis.lower()
    print(_titled(f"Paired {test} test with {count} {kind}"))
    print(
        f""" - Each system is pairwise compared to {Color.format(baseline, "yellow")}.
   {provided} for each metric.

 - {hypothesis}: the system and the {base} translations are essentially
   generated by the same underlying process. For a given system and the {base},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null} is correct.

 - Assuming a significance threshold of 0.05, the {null} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {base}.
   Otherwise, the p-values are {highlighted}.

 - NOTE: Significance does not tell whether a system is "better" than the {base} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
"""
    )
