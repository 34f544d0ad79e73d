"""Compare random cases in Python and in JavaScript: rows to the last integer, scores to the bit.

Cases are those of ``campaign/differences.py``. WebAssembly has its own exponential and logarithm, so
that a score may differ by one unit in the last place; how many do is printed.

    python campaign/javascript.py bleu=100000 chrf=100000 ter=10000
"""

from __future__ import annotations

import argparse
import json
import math
import struct
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import truebleu
from truebleu import Bleu, Chrf, Ter

from campaign import differences

MODULE = Path(truebleu.__file__).parent / "javascript" / "truebleu.js"
ANSWER = Path(__file__).with_name("answer.js")
METRICS = {"bleu": Bleu, "chrf": Chrf, "ter": Ter}

_SCRIPT = f"""
import {{ createInterface }} from "node:readline";
import * as truebleu from {json.dumps(MODULE.as_uri())};
import {{ answer }} from {json.dumps("data:text/javascript," + ANSWER.read_text("utf-8"))};
await truebleu.load();
for await (const line of createInterface({{ input: process.stdin }})) {{
  process.stdout.write(`${{answer(truebleu, line)}}\\n`);
}}
"""


class Node:
    """A process of Node in which the core is loaded."""

    def __init__(self) -> None:
        """Start it."""
        self._process = subprocess.Popen(
            ["node", "--input-type=module", "--eval", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Node:
        """Return itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self._process.communicate()

    def call(self, method: str, *args: Any, kind: str | None = None, **settings: Any) -> Any:
        """Call a function or, of a metric with these settings, a method."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(written(method, *args, kind=kind, **settings) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def written(method: str, *args: Any, kind: str | None = None, **settings: Any) -> str:
    """Write a call as ``answer.js`` reads it."""
    named = {camel(name): value for name, value in settings.items()}
    return json.dumps({"kind": kind, "settings": named, "method": method, "args": args})


def camel(name: str) -> str:
    """Write a name as JavaScript does."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def units_apart(one: float, other: float) -> int:
    """Return how many units in the last place are between two floats from 0 up."""
    first, second = (struct.unpack("<q", struct.pack("<d", each))[0] for each in (one, other))
    return abs(int(first) - int(second))


def compare_part(node: Node, metric: str, part: int, seed: int) -> int:
    """Compare one part; return how many scores differ in the last bit."""
    random = Random(f"{seed} {metric} {part}")
    draw_settings, draw_segment, _ = differences.COMPARISONS[metric]
    hypotheses, references = differences.cases.corpus(random, differences.SIZE, draw_segment)
    settings = draw_settings(random)
    ours = METRICS[metric](**settings)
    stats = ours.stats(hypotheses, references)
    kind = type(ours).__name__
    rows = node.call("stats", hypotheses, references, kind=kind, **settings)
    if rows != stats.to_numpy().tolist():
        sys.exit(f"{metric}, part {part}, {settings}: {rows} instead of {stats.to_numpy()}")
    expected = [ours.score(stats).score, *ours.sentences(hypotheses, references).tolist()]
    found = [
        node.call("corpus", hypotheses, references, kind=kind, **settings)["score"],
        *node.call("sentences", hypotheses, references, kind=kind, **settings),
    ]
    apart = [units_apart(*pair) for pair in zip(found, expected, strict=True)]
    if max(apart) > 1:
        sys.exit(f"{metric}, part {part}, {settings}: {found} instead of {expected}")
    return sum(apart)


def compare(node: Node, metric: str, count: int, start: int = 0, seed: int = 1) -> str:
    """Compare so many cases; return what was found."""
    began = time.monotonic()
    parts = range(start, start + math.ceil(count / differences.SIZE))
    unequal = sum(compare_part(node, metric, part, seed) for part in parts)
    scores = len(parts) * (differences.SIZE + 1)
    return (
        f"{metric}: {len(parts) * differences.SIZE:,} cases: all rows equal; of {scores:,} scores, "
        f"{unequal:,} differ by one unit in the last place ({time.monotonic() - began:.0f} s)"
    )


def main() -> None:
    """Compare as many cases as the arguments say."""
    differences.ignore_warnings()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = [("bleu", 10**6), ("chrf", 10**6), ("ter", 10**4)]
    parser.add_argument("cases", nargs="*", type=differences.sizes, default=default)
    parser.add_argument("--start", type=int, default=0, help="the first part; default: 0")
    options = parser.parse_args()
    with Node() as node:
        for metric, count in options.cases:
            print(compare(node, metric, count, options.start), flush=True)


if __name__ == "__main__":
    main()
