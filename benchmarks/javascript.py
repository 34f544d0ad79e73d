"""truebleu.js in Node against sacreBLEU in Python: segments per second, on one thread."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import truebleu

from benchmarks import data
from benchmarks.measure import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULE = Path(truebleu.__file__).parent / "javascript" / "truebleu.js"

# By their names here and in sacreBLEU: so many pairs take it seconds; and the target.
_METRICS = {"Bleu": ("BLEU", 40_000, 30), "Chrf": ("CHRF", 4_000, 30), "Ter": ("TER", 500, 30)}

_SCRIPT = f"""
import {{ readFileSync }} from "node:fs";
import * as truebleu from {json.dumps(_MODULE.as_uri())};
const [hypotheses, references, runs] = JSON.parse(readFileSync(0, "utf8"));
const found = [];
await truebleu.load();
const metric = new truebleu[process.argv[1]]();
for (let run = -1; run < runs; run += 1) {{
  const start = performance.now();
  const {{ score }} = metric.corpus(hypotheses, references);
  found.push([score, (performance.now() - start) / 1000]);
}}
console.log(JSON.stringify(found.slice(1)));
"""


def node(kind: str, hypotheses: list[str], references: list[str], runs: int) -> tuple[float, float]:
    """Return the score of a corpus, and the median of seconds, after a first run."""
    finished = subprocess.run(
        ["node", "--input-type=module", "--eval", _SCRIPT, kind],
        input=json.dumps([hypotheses, references, runs]),
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(finished.stdout)
    return found[0][0], sorted(seconds for _, seconds in found)[len(found) // 2]


def everything(
    systems: list[Path], reference: Path, runs: int, pairs: int = 40_000
) -> Iterator[Result]:
    """Score lists of strings with each metric: as sacreBLEU does, but for BLEU's last bit."""
    from sacrebleu import metrics

    for kind, (name, most, target) in _METRICS.items():
        both = data.many_pairs(systems, reference, 1)
        hypotheses, references = (texts[: min(most, pairs)] for texts in both)
        score, ours = node(kind, hypotheses, references, runs)
        metric = getattr(metrics, name)()
        began = time.perf_counter()
        expected = metric.corpus_score(hypotheses, [references]).score
        theirs = time.perf_counter() - began
        assert abs(score - expected) <= (2e-14 if name == "BLEU" else 0)
        first, second = (f"{len(hypotheses) / each:,.0f} segments/s" for each in (ours, theirs))
        what = f"truebleu.js in Node, {kind}, {len(hypotheses):,} pairs, sacreBLEU in Python"
        ratio = theirs / ours
        yield Result(what, first, second, ratio, f">= {target} x", ratio >= target)
