"""Measure what calls of truebleu.js leave in memory, and edits of the playground.

There are 100,000 calls in Node, and 10,000 edits of a page in Chromium.

    python campaign/pages.py
    python campaign/pages.py --calls 10000 --edits 1000
"""

from __future__ import annotations

import argparse
import json
import runpy
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.hostile import started
from campaign.javascript import MODULE
from campaign.populations import ROOT
from campaign.recorded import record

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What may stay in the heap of JavaScript, whose collector and compiler have memory of their own.
ALLOWED_BYTES = 1 << 20

# Since the first fifth of the calls: how much larger the heap is, and the memory of the core.
_CALLS = f"""
import * as truebleu from {json.dumps(MODULE.as_uri())};
const Instance = WebAssembly.Instance;
let [made, core] = [0, null];
WebAssembly.Instance = function (module) {{
  made += 1;
  core = new Instance(module);
  return core;
}};
await truebleu.load();
const texts = ["the cat sat on the mat", "é 中文 \\u{{1f600}}, a \\ud800", "", "a b ".repeat(200)];
const metrics = [new truebleu.Bleu(), new truebleu.Chrf({{ wordOrder: 2 }}), new truebleu.Ter()];
const calls = [
  (metric, text) => metric.segment(text, "a cat sat"),
  (metric, text) => metric.corpus([text, "x"], [["a cat", "é"], "x y"]),
  (metric, text) => metric.explain(text, ["the mat", "中 x"]),
  (metric, text, index) => new truebleu.Bleu({{ maxOrder: 1 + (index % 9) }}).tokenize(text),
  (metric, text) => {{ try {{ metric.corpus([text], []); }} catch {{ /* It is refused. */ }} }},
];
const several = (count) => {{
  for (let index = 0; index < count; index += 1) {{
    calls[index % 5](metrics[index % 3], texts[index % 4], index);
  }}
  gc();
  return [process.memoryUsage().heapUsed, core.exports.memory.buffer.byteLength];
}};
const count = Number(process.argv[1]);
const before = several(count / 5);
const grown = several(count).map((bytes, index) => bytes - before[index]);
console.log(JSON.stringify([...grown, made]));
"""

# The same of a page, after so many edits.
_EDITS = """([from, count]) => {
  const metrics = ["bleu", "chrf", "ter"];
  const examples = ["a cat sat.", "The cat sat on the mat.\\nA cat."];
  const type = (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  for (let edit = from; edit < from + count; edit += 1) {
    type(edit % 3 ? "hypothesis" : "second", examples[edit % 2] + " word".repeat(edit % 20));
    if (edit % 10 === 0) {
      document.getElementById("corpus").checked = edit % 20 === 0;
      type("metric", metrics[edit % 3]);
    }
  }
}"""


def after_calls(calls: int) -> dict[str, int]:
    """Call the functions in Node; return how much larger its memory is than after a fifth."""
    command = ["node", "--expose-gc", "--input-type=module", "--eval", _CALLS, str(calls)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    heap, core, made = json.loads(done.stdout)
    assert heap < ALLOWED_BYTES, f"{calls:,} calls: {heap:,} bytes more in the heap"
    assert (core, made) == (0, 1), f"{calls:,} calls: {core:,} bytes more in {made} instances"
    return {"heap": heap, "core": core}


def after_edits(page: Page, edits: int) -> dict[str, int]:
    """Edit a playground; return how much more its page holds than after a fifth of the edits."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def held() -> dict[str, int]:
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {each["name"]: int(each["value"]) for each in metrics}

    page.evaluate(_EDITS, [0, edits // 5])
    before = held()
    page.evaluate(_EDITS, [0, edits])
    page.evaluate(_EDITS, [edits, edits // 5 % 20])
    after = held()
    names = {"heap": "JSHeapUsedSize", "nodes": "Nodes", "listeners": "JSEventListeners"}
    grown = {name: after[each] - before[each] for name, each in names.items()}
    assert grown["heap"] < ALLOWED_BYTES, f"{edits:,} edits: {grown}"
    assert max(grown["nodes"], grown["listeners"]) < 1000, f"{edits:,} edits: {grown}"
    return grown


def main() -> None:
    """Measure both, print it, and record it."""
    written = runpy.run_path(str(ROOT / "site" / "playground.py"))["page"]

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--edits", type=int, default=10_000)
    options = parser.parse_args()
    rows = [["calls in Node", options.calls, *each] for each in after_calls(options.calls).items()]
    with TemporaryDirectory() as folder, started() as browser:
        path = Path(folder) / "page.html"
        path.write_text(written(), "utf-8")
        page = browser.new_page()
        page.set_default_timeout(0)
        page.goto(path.as_uri())
        page.wait_for_selector("#steps h2")
        grown = after_edits(page, options.edits)
        rows += [["edits of the playground", options.edits, *each] for each in grown.items()]
    for row in rows:
        print(*row)
    record("pages", ["what", "how many", "of", "more than after a fifth"], rows)


if __name__ == "__main__":
    main()
