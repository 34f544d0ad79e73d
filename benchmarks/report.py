"""The report: how long it takes to write and to open, and how large it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import truebleu

from benchmarks import data
from benchmarks.measure import Result, command, in_turn, megabytes, seconds, timed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


def written(truebleu_: str, systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Write the report of some systems, as a whole process, and open it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        words = (truebleu_, "report", *map(str, systems), "-r", str(reference), "-o", str(path))
        subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
        # Every system has its row, with the score that it has elsewhere.
        html = path.read_text("utf-8")
        references = data.lines(reference)
        for system in systems:
            score = truebleu.corpus_bleu(data.lines(system), references).score
            assert f">{score:.2f}</td>" in html
        (time,) = in_turn([command(*words)], [max(1, runs // 3)])
        what = f"truebleu report, {len(references):,} x {len(systems)}"
        yield timed(f"{what}, whole process", time)
        size = path.stat().st_size / 1e6
        yield megabytes(f"{what}, the file", size)
        if browser_here() is not None:
            opened = min(_opened(path) for _ in range(max(1, runs // 3)))
            yield timed(f"{what}, until it answers", opened)


def browser_here() -> str | None:
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """Run a browser of the system."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=browser_here(), args=options)


def _opened(path: Path) -> float:
    """Return the seconds until a browser that runs has the segments sorted in another way."""
    with launched() as browser:
        page = browser.new_page()

        def until_it_answers() -> None:
            page.goto(path.as_uri(), wait_until="commit")
            page.wait_for_selector("html[data-ready]")
            page.select_option("#sort", "worst-one")
            page.wait_for_selector("#rows [data-by=worst-one]")

        return seconds(until_it_answers)
