"""Draw the chart of the README, ``docs/images/speed.svg``, from the last record.

Run by ``make bench``, and by ``python docs/images/make.py``.
"""

from __future__ import annotations

import csv
import runpy
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "docs" / "images" / "speed.svg"

TIMES = "\N{MULTIPLICATION SIGN}"

SHOWN = {
    "TER, generaltest2023 en-de, 557 pairs, 1 thread, sacreBLEU": "TER, 557 paragraphs",
    "TER, newstest2021 en-de, 1,002 pairs, 1 thread, sacreBLEU": "TER, 1,002 segments",
    "chrF++, 48,064 pairs, 1 thread, sacreBLEU": "chrF++, 48,064 segments",
    "96,128 pairs, 1 thread, sacreBLEU": "BLEU, 96,128 segments",
    "sentence_bleu, a call, sacreBLEU's sentence_score": "BLEU, one segment",
    "9 systems, 2 references, 1,000 x bootstrap, 1 thread, sacreBLEU": "9 systems, 1,000 resamples",
    "truebleu score, one WMT set, sacrebleu": "one test set, as a command",
    "SentencePiece, 3,004 pairs, 1 thread, sacreBLEU": "BLEU of SentencePiece tokens",
    "ja-mecab, 1,000 pairs, 1 thread, sacreBLEU": "BLEU of MeCab tokens (Japanese)",
}
"""What the chart shows: names of the record, and words for them."""


def last_record() -> tuple[str, dict[str, list[str]]]:
    """Return the date of the last record, and its rows by name."""
    path = max((ROOT / "benchmarks" / "record").glob("*.csv"))
    with path.open(encoding="utf-8", newline="") as file:
        return path.stem, {row[0]: row[1:] for row in csv.reader(file)}


def draw(date: str, rows: Mapping[str, list[str]]) -> str:
    """Draw how many times as fast as sacreBLEU each is, as a logarithmic chart in SVG."""
    left, top, decade = 260, 84, 120
    figure = runpy.run_path(str(ROOT / "docs" / "course" / "drawing.py"))["Figure"](
        900, top + 32 * len(SHOWN) + 64
    )
    figure.text(20, 30, "Times as fast as sacreBLEU, one thread (logarithmic scale)")
    bottom = top + 32 * len(SHOWN)
    for power in range(4):
        x = left + power * decade
        figure.path([(x, top - 10), (x, top - 3)])
        figure.text(x, top - 16, f"{10**power:,}{TIMES}", "small middle")
    fastest = sorted(SHOWN.items(), key=lambda item: -float(rows[item[0]][2]))
    for place, (name, words) in enumerate(fastest):
        ours, theirs, ratio, *_ = rows[name]
        y, width = top + 32 * place, decade * log10(float(ratio))
        figure.text(left - 12, y + 16, words, "end")
        figure.box(left, y, width, 22, "a" if float(ratio) > 50 else "b")
        figure.text(left + width + 8, y + 16, f"{float(ratio):,.0f}{TIMES}  ({theirs} → {ours})")
    figure.text(20, bottom + 26, f"Measured on {date}; scores are equal.", "small")
    note = "Orange: most of the time is spent starting Python, or in SentencePiece or MeCab."
    figure.text(20, bottom + 46, note, "small")
    return str(figure.svg())


if __name__ == "__main__":
    PLACE.write_text(draw(*last_record()), "utf-8")
