"""A figure, drawn as SVG."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STYLE = (Path(__file__).parent / "figures.css").read_text("utf-8")


class Figure:
    """Shapes on a page of a size, in pixels."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self.parts: list[str] = []

    def text(self, x: float, y: float, text: object, kind: str = "") -> None:
        """Write at a baseline; ``kind`` may be ``small``, ``middle`` and ``end``."""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(str(text))}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a rectangle."""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'rx="3" class="{kind}"/>'
        )

    def path(self, points: Sequence[tuple[float, float]], kind: str = "line") -> None:
        """Draw a line through points."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{places}" class="{kind}"/>')

    def token(self, x: float, y: float, word: str, *, hit: bool, width: float = 0) -> float:
        """Draw a token in a box; return where the next one begins."""
        width = width or 8.4 * len(word) + 16
        self.box(x, y, width, 26, "hit" if hit else "miss")
        self.text(x + width / 2, y + 18, word, "middle")
        return x + width + 6

    def bars(
        self,
        rows: Sequence[tuple[str, float, str]],
        left: int,
        top: int,
        scale: float,
        kind: str = "a",
    ) -> None:
        """Draw horizontal bars, each with its name and what stands at its end."""
        for place, (name, value, shown) in enumerate(rows):
            y = top + 32 * place
            self.text(left - 10, y + 16, name, "end")
            self.box(left, y, max(value * scale, 1), 22, kind)
            self.text(left + max(value * scale, 1) + 8, y + 16, shown)

    def svg(self) -> str:
        """Return the file."""
        width, height = self.size
        lines = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">\n<style>\n{STYLE}</style>\n'
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6" '
            f'class="page"/>\n'
            f"{lines}\n</svg>\n"
        )
