"""Blocks as text: plain, or with the colors of a terminal."""

from __future__ import annotations

from truebleu.display.blocks import Best

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from truebleu.display.blocks import Block

# How a terminal is told to show a row of some style, or a heading.
_CODES = {"heading": "1", "best": "1", "good": "32", "clipped": "33", "bad": "31"}

# Letters without a column of their own: vowels and final consonants of decomposed Hangul, as in
# names of files on macOS.
_JAMO = ("\u1160", "\u11ff"), ("\ud7b0", "\ud7ff")


def plain(blocks: Sequence[Block]) -> str:
    """Write blocks for a file, a pipe, or a terminal without colors."""
    return _written(blocks, lambda line, _: line)


def colored(blocks: Sequence[Block]) -> str:
    """Write blocks for a terminal."""

    def paint(line: str, style: str) -> str:
        code = _CODES.get(style)
        return f"\x1b[{code}m{line}\x1b[0m" if code else line

    return _written(blocks, paint)


def _written(blocks: Sequence[Block], paint: Callable[[str, str], str]) -> str:
    out: list[str] = []
    for block in blocks:
        indent = "  " if block.heading else ""
        if block.heading:
            out.append(paint(visible(block.heading), "heading"))
        out += [indent + visible(line) for line in block.lines]
        out += [indent + line for line in _table(block, paint)]
    return "".join(f"{line}\n" for line in out)


def _table(block: Block, paint: Callable[[str, str], str]) -> list[str]:
    """Return the lines of a table, aligned."""
    columns = zip(*block.table(), strict=True)
    widths = [max(width(visible(cell)) for cell in column) for column in columns]
    out = []
    for style, cells in [("", block.header), *block.rows] if block.rows else []:
        if not cells:
            out.append("-" * (sum(widths) + 2 * len(widths) - 2))
            continue
        aligned = []
        for cell, size, side in zip(cells, widths, block.align, strict=True):
            shown = visible(cell)
            gap = " " * (size - width(shown))
            shown = paint(shown, "best") if isinstance(cell, Best) else shown
            aligned.append(shown + gap if side == "l" else gap + shown)
        out.append(paint("  ".join(aligned).rstrip(), style))
    return out


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    columns = 0
    for c in text:
        if category(c)[0] == "M" or any(low <= c <= high for low, high in _JAMO):
            continue
        columns += 2 if east_asian_width(c) in ("W", "F") else 1
    return columns


def visible(text: str) -> str:
    """Write characters that would move the cursor or turn the writing direction as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
