"""Blocks as text: plain, or as wide as a terminal, and with its colors."""

from __future__ import annotations

from truebleu.display.blocks import kind_of, said_once, signed, text_of, without_leads
from truebleu.errors import visible as visible  # noqa: PLC0414  # Also for others.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from truebleu.display.blocks import Block

    Paint = Callable[[str, str], str]

# How a terminal is told to show a row of some style, or a heading.
_CODES = {"heading": "1", "best": "1", "good": "32", "clipped": "33", "bad": "31"}

# Letters without a column of their own: vowels and final consonants of decomposed Hangul, as in
# names of files on macOS.
_JAMO = ("\u1160", "\u11ff"), ("\ud7b0", "\ud7ff")

# The least and the most columns that a plot of intervals takes.
_PLOT, _WIDEST_PLOT = 15, 41


def plain(blocks: Sequence[Block]) -> str:
    """Write blocks for a file or a pipe: tables are as wide as they need."""
    return _written(blocks, lambda line, _: line)


def for_terminal(blocks: Sequence[Block], columns: int, *, colors: bool = False) -> str:
    """Write blocks for a terminal with so many columns: nothing is cut, all of it is folded."""

    def paint(line: str, style: str) -> str:
        code = _CODES.get(style) if colors else None
        return f"\x1b[{code}m{line}\x1b[0m" if code else line

    return _written(blocks, paint, columns)


def _written(blocks: Sequence[Block], paint: Paint, columns: int = 0) -> str:
    out: list[str] = []
    for block in without_leads(said_once(blocks)):
        indent = "  " if block.heading else ""
        room = max(columns - len(indent), 1) if columns else 0
        if block.heading:
            out += [paint(each, "heading") for each in _folded(block.heading, columns)]
        for line in block.lines:
            # Code is for copying, and so on one line.
            own = 0 if kind_of(line) == "code" else room
            out += [indent + each for each in _folded(text_of(line), own)]
        rows = [(style, row and signed(row, block.align)) for style, row in block.rows]
        out += [indent + line for line in _table(block.replace(rows=rows), paint, room)]
    return "".join(f"{line}\n" for line in out)


def _table(block: Block, paint: Paint, room: int) -> list[str]:
    """Return the lines of a table, aligned, or folded into so much room."""
    table = [[*map(text_of, row)] for row in block.table()]
    columns = [[*map(visible, column)] for column in zip(*table, strict=True)]
    widths = [max(map(width, column)) for column in columns]
    if room and _total(widths) > room:
        widths = _folded_widths(block, columns, widths, room)
    if room and _total(widths) > room:
        return _records(block, paint, room)
    plots = iter(_plots(block, min(room - _total(widths) - 2, _WIDEST_PLOT)))
    out = []
    for style, cells in [("", block.header), *block.rows] if block.rows else []:
        if not cells:
            out.append("-" * _total(widths))
            continue
        parts = [_folded(text_of(cell), size) for cell, size in zip(cells, widths, strict=True)]
        tall = max(map(len, parts))
        # Headers stand at the foot of their lines, cells at the top.
        if cells is block.header:
            parts = [[""] * (tall - len(part)) + part for part in parts]
        plot = [next(plots, "")]
        plots_of_row = [""] * (tall - 1) + plot if cells is block.header else plot
        for line in range(tall):
            aligned = []
            for cell, part, size, side in zip(cells, parts, widths, block.align, strict=True):
                shown = part[line] if line < len(part) else ""
                gap = " " * (size - width(shown))
                shown = paint(shown, "best") if kind_of(cell) == "best" and shown else shown
                aligned.append(shown + gap if side == "l" else gap + shown)
            aligned += plots_of_row[line : line + 1]
            out.append(paint("  ".join(aligned).rstrip(), style))
    return out


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * len(widths) - 2


def _folded_widths(
    block: Block, columns: Sequence[Sequence[str]], widths: list[int], room: int
) -> list[int]:
    """Narrow headers, and columns of text, as far as their words let them."""
    least = []
    for (header, *cells), side in zip(columns, block.align, strict=True):
        words = [word for cell in cells for word in _words(cell)] if side == "l" else cells
        least.append(max(map(width, [*_words(header), *words])))
    widths = [*widths]
    while (over := _total(widths) - room) > 0:
        widest = max(range(len(widths)), key=lambda n: (widths[n] > least[n], widths[n]))
        if widths[widest] <= least[widest]:
            break
        widths[widest] = max(least[widest], widths[widest] - over)
    return widths


def _records(block: Block, paint: Paint, room: int) -> list[str]:
    """Write each row as a paragraph: its first cell, and below it the others with their names."""
    out = []
    for style, row in ((style, row) for style, row in block.rows if row):
        first, *cells = map(text_of, row)
        named = zip(block.header[1:], cells, strict=True)
        rest = [visible(f"{name} {cell}") for name, cell in named if cell]
        lines = [f"  {line}" for line in _filled(rest, max(room - 2, 1), "  ")]
        out += [paint(line, style) for line in (*_folded(first, room), *lines)]
    return out


def _plots(block: Block, columns: int) -> Iterator[str]:
    """Draw the axis of the intervals of a block, then each of them: ``|---o--|``."""
    if len(block.intervals) != 1:
        return
    from math import isfinite, isnan

    [intervals] = block.intervals.values()
    known = [end for each in intervals if each for end in each if isfinite(end)]
    if not known:
        return
    # Differences have a line where there is none.
    low, high = (
        (min(0.0, *known), max(0.0, *known)) if block.differences else (min(known), max(known))
    )
    left, right = f"{low:.4g}", f"{high:.4g}"
    if columns < max(_PLOT, len(left) + 1 + len(right)):
        return
    yield left + " " * (columns - len(left) - len(right)) + right

    def place(value: float) -> int:
        share = (value - low) / (high - low or 1.0)
        return round(min(max(share, 0.0), 1.0) * (columns - 1))

    for interval in intervals:
        drawn = [" "] * columns
        if block.differences:
            drawn[place(0.0)] = ":"
        if interval and not any(map(isnan, interval)):
            start, at, end = map(place, interval[:3])
            drawn[start : end + 1] = ["|", *"-" * (end - start - 1), "|"][: end - start + 1]
            drawn[at] = "o"
        yield "".join(drawn)


def _folded(text: str, room: int) -> list[str]:
    """Break a text at its spaces into lines of so many columns; 0: as many as it needs."""
    text = visible(text)
    if not room or width(text) <= room:
        return [text]
    return _filled(_words(text), room)


def _words(text: str) -> list[str]:
    """Split a text where a line may end: not before the minus of two systems."""
    return [word.replace("\0", " ") for word in text.replace(" - ", "\0- ").split(" ")]


def _filled(words: Sequence[str], room: int, gap: str = " ") -> list[str]:
    """Write words into lines of so many columns; only what is longer is broken."""
    lines = [""]
    for word in words:
        line = lines[-1] + gap + word if lines[-1] else word
        if width(line) <= room:
            lines[-1] = line
            continue
        lines += [""] * bool(lines[-1])
        for c in word:
            lines += [""] * bool(lines[-1] and width(lines[-1] + c) > room)
            lines[-1] += c
    return lines


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
