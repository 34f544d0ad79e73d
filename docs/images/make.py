"""Take the screenshots of the report, from examples/, and draw the other images of the pages.

Run it in the root of the repository: ``python docs/images/make.py``.
"""

from __future__ import annotations

import os
import runpy
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from truebleu import Bleu, read_lines, report

ROOT = Path(__file__).parent.parent.parent


def lines(name: str) -> list[str]:
    """Read a file of the examples."""
    return read_lines(ROOT / "examples" / name)


def engines() -> None:
    """Draw how an engine scores three parts of a table: those of the systems in examples/."""
    figure = runpy.run_path(str(ROOT / "docs" / "course" / "drawing.py"))["Figure"](900, 226)
    for x, words in ((20, "where the text is"), (270, "what moves"), (560, "once")):
        figure.text(x, 28, words, "small")
    references = list(zip(lines("reference-a.en"), lines("reference-b.en"), strict=True))
    bleu = Bleu()
    rows = []
    for place, name in enumerate(("strong", "medium", "weak")):
        texts, y = lines(f"system-{name}.en"), 44 + 52 * place
        rows.append(bleu.stats(texts, references).sum())
        first = ", ".join(map(str, rows[-1].to_numpy().ravel()[:3].tolist()))
        figure.box(20, y, 150, 34, "miss")
        figure.text(95, y + 22, f"{len(texts)} rows of text", "middle")
        figure.path([(170, y + 17), (270, y + 17)], "curve")
        figure.text(220, y + 11, "count", "middle small")
        figure.box(270, y, 190, 34, "hit")
        figure.text(365, y + 22, f"[{first}, …]", "middle")
        figure.path([(460, y + 17), (560, 113)], "curve")
    figure.box(560, 96, 100, 34, "hit")
    figure.text(610, 118, "sum", "middle")
    figure.path([(660, 113), (720, 113)], "curve")
    figure.box(720, 96, 160, 34, "hit")
    score = bleu.score(sum(rows[1:], rows[0]))
    figure.text(800, 118, f"BLEU = {score:.2f}", "middle")
    note = "Sums of integers are exact, so the score does not depend on how rows are divided."
    figure.text(20, 214, note, "small")
    (Path(__file__).parent / "engines.svg").write_text(figure.svg(), "utf-8")


def main() -> None:
    """Write a report and take its screenshots; draw the images."""
    runpy.run_path(str(ROOT / "benchmarks" / "chart.py"), run_name="__main__")
    engines()
    names = ("strong", "medium", "weak")
    made = report(
        {name: lines(f"system-{name}.en") for name in names},
        reference_streams=[lines("reference-a.en"), lines("reference-b.en")],
        sources=lines("source.de"),
    )
    names_of_browsers = ("chromium", "google-chrome", "chromium-headless-shell")
    browser = next(filter(None, map(shutil.which, names_of_browsers)))
    options = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        made.write(path)
        running = playwright.chromium.launch(executable_path=browser, args=options)
        for name, scheme, fragment, height in (
            ("overview", "light", "", 780),
            ("charts", "light", "#charts", 1130),
            ("segment", "light", "#segment-3", 900),
            ("dark", "dark", "#segment-3", 900),
        ):
            page = running.new_page(
                viewport={"width": 1200, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            page.goto(path.as_uri() + fragment)
            page.wait_for_selector("html[data-unpacked]")
            page.wait_for_selector("html[data-drawn]")
            page.screenshot(path=Path(__file__).parent / f"{name}.png")
            page.close()
        running.close()


if __name__ == "__main__":
    main()
