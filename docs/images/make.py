"""Take the screenshots of the report, from examples/, and draw the chart of the benchmarks.

Run it in the root of the repository: ``python docs/images/make.py``.
"""

from __future__ import annotations

import os
import runpy
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from truebleu import read_lines, report

ROOT = Path(__file__).parent.parent.parent


def lines(name: str) -> list[str]:
    """Read a file of the examples."""
    return read_lines(ROOT / "examples" / name)


def main() -> None:
    """Write a report and take its screenshots; draw the chart."""
    runpy.run_path(str(ROOT / "benchmarks" / "chart.py"), run_name="__main__")
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
            ("charts", "light", "#charts", 900),
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
