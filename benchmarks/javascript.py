"""truebleu.js in Node and in Chromium against sacreBLEU in Python, on one thread."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import data
from benchmarks.measure import Result
from benchmarks.report import browser_here, launched

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = Path(__file__).resolve().parent.parent / "javascript"

# By their names here and in sacreBLEU: so many pairs take it seconds; and the target.
_METRICS = {"Bleu": ("BLEU", 40_000), "Chrf": ("CHRF", 4_000), "Ter": ("TER", 500)}

# The first run, in which the core is compiled, is left out.
_TIMED = """async ([address, kind, hypotheses, references, runs]) => {
  const truebleu = await import(address);
  await truebleu.load();
  const metric = new truebleu[kind]();
  const found = [];
  for (let run = -1; run < runs; run += 1) {
    const start = performance.now();
    const { score } = metric.corpus(hypotheses, references);
    found.push([score, (performance.now() - start) / 1000]);
  }
  return found.slice(1);
}"""

_SCRIPT = f"""
import {{ readFileSync }} from "node:fs";
console.log(JSON.stringify(await ({_TIMED})(JSON.parse(readFileSync(0, "utf8")))));
"""


def _in_node(*given: Any) -> Any:
    finished = subprocess.run(
        ["node", "--input-type=module", "--eval", _SCRIPT],
        input=json.dumps([(_FOLDER / "truebleu.js").as_uri(), *given]),
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(finished.stdout)


def _in_chromium(*given: Any) -> Any:
    with launched() as browser:
        page = browser.new_page()
        # Modules are not loaded from files.
        page.route("**/*", lambda route: route.fulfill(path=_FOLDER / Path(route.request.url).name))
        page.goto("http://localhost/package.json")
        return page.evaluate(_TIMED, ["/truebleu.js", *given])


def timed(
    where: str, kind: str, hypotheses: list[str], references: list[str], runs: int
) -> tuple[float, float]:
    """Return the score of a corpus, and the median of seconds."""
    run = {"Node": _in_node, "Chromium": _in_chromium}[where]
    found = run(kind, hypotheses, references, runs)
    return found[0][0], sorted(seconds for _, seconds in found)[len(found) // 2]


def everything(
    systems: list[Path], reference: Path, runs: int, pairs: int = 40_000
) -> Iterator[Result]:
    """Score lists of strings with each metric: as sacreBLEU does, but for BLEU's last bit."""
    from sacrebleu import metrics

    for kind, (name, most) in _METRICS.items():
        both = data.many_pairs(systems, reference, 1)
        hypotheses, references = (texts[: min(most, pairs)] for texts in both)
        metric = getattr(metrics, name)()
        began = time.perf_counter()
        expected = metric.corpus_score(hypotheses, [references]).score
        theirs = time.perf_counter() - began
        for where in ("Node", "Chromium") if browser_here() else ("Node",):
            score, ours = timed(where, kind, hypotheses, references, runs)
            assert abs(score - expected) <= (2e-14 if name == "BLEU" else 0)
            first, second = (f"{len(hypotheses) / each:,.0f} segments/s" for each in (ours, theirs))
            what = f"truebleu.js in {where}, {kind}, {len(hypotheses):,} pairs"
            yield Result(f"{what}, sacreBLEU in Python", first, second, theirs / ours, "more")
