"""Compare random cases in Python and in JavaScript: rows, which are equal, and scores.

Cases are those of ``campaign/differences.py``. The core has an exponential and a logarithm of its
own for WebAssembly, which are rounded correctly; the C library's nearly always are. Where they are
not, the last digit of BLEU may differ: how many scores do, and by how many units, is recorded.

    python campaign/javascript.py bleu=1000000 chrf=1000000 ter=100000
"""

from __future__ import annotations

import argparse
import json
import math
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu import Bleu, Chrf, Ter

from campaign import cases, differences
from campaign.recorded import record, rows_of

MODULE = Path(__file__).resolve().parent.parent / "javascript" / "truebleu.js"
ANSWER = Path(__file__).with_name("answer.mjs")
METRICS = {"bleu": Bleu, "chrf": Chrf, "ter": Ter}

# By how many units in the last place scores may differ. BLEU adds up logarithms of precisions in
# percent: if one of them is rounded otherwise, their sum, of nearly 17, may change by its last bit,
# and the score by up to 8 units. Python squares beta as sacreBLEU does, with the C library's power,
# which is rarely rounded otherwise than a product; where it is not, chrF is equal to the bit.
MOST_UNITS = {"bleu": 8, "chrf": 8, "ter": 0}

# Of all segments, the rows are equal; scores are those of segments, and of corpora of 50.
HEADER = ["metric", "segments", "equal scores", "1 unit apart", "more", "most units"]

# Smoothings of single segments.
LONE = ("method5", "method6", "method7")

_SCRIPT = f"""
import {{ createInterface }} from "node:readline";
import * as truebleu from {json.dumps(MODULE.as_uri())};
import {{ answer }} from {json.dumps(ANSWER.as_uri())};
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
        self.names: dict[str, Any] = self.call("names")

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
    """Write a call as ``answer.mjs`` reads it."""
    named = {camel(name): value for name, value in settings.items()}
    return json.dumps({"kind": kind, "settings": named, "method": method, "args": args})


def camel(name: str) -> str:
    """Write a name as JavaScript does."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def paired(text: str) -> str:
    """Make one character of two surrogates, which JavaScript cannot tell from it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units_apart(one: float, other: float) -> int:
    """Return how many units in the last place are between two floats from 0 up."""
    first, second = (struct.unpack("<q", struct.pack("<d", each))[0] for each in (one, other))
    return abs(int(first) - int(second))


def draw_settings(random: Random, metric: str, names: dict[str, Any]) -> dict[str, Any]:
    """Draw settings that sacreBLEU has or, in half of the parts, others of BLEU, too."""
    settings = differences.COMPARISONS[metric].settings(random)
    forms = [None, None, *names["unicodeForm"]]
    if metric != "bleu" or random.random() < 0.5:
        return settings | {"unicode_form": random.choice(forms)}
    weights = [random.choice((0.0, 0.1, 0.5, random.random())) for _ in range(random.randint(1, 5))]
    return {
        "tokenizer": random.choice(names["tokenizer"]),
        "smoothing": random.choice([name for name, _ in names["smoothing"] if name not in LONE]),
        "reference_length": random.choice(names["referenceLength"]),
        "weights": random.choice((None, [*weights, 0.2])),
        "effective_order": random.choice((None, True, False)),
        "phantom_ngrams": random.random() < 0.2,
        "lowercase": random.random() < 0.3,
        "unicode_form": random.choice(forms),
    }


def compare_part(node: Node, metric: str, part: int, seed: int) -> Counter[int]:
    """Compare one part; return how many scores are how many units apart."""
    random = Random(f"{seed} {metric} {part}")
    draw_segment = differences.COMPARISONS[metric].segment
    hypotheses, references = cases.corpus(random, differences.SIZE, draw_segment)
    hypotheses = list(map(paired, hypotheses))
    references = [list(map(paired, several)) for several in references]
    settings = draw_settings(random, metric, node.names)
    ours = METRICS[metric](**settings)
    stats = ours.stats(hypotheses, references)
    kind = type(ours).__name__
    rows = node.call("stats", hypotheses, references, kind=kind, **settings)
    if rows != stats.to_numpy().tolist():
        pairs = enumerate(zip(rows, stats.to_numpy().tolist(), strict=True))
        differ = next(f"segment {place}: {pair}" for place, pair in pairs if pair[0] != pair[1])
        sys.exit(f"{metric}, part {part}, {settings}: {differ}")
    expected = [ours.score(stats).score, *map(float, ours.segments(hypotheses, references))]
    found = [
        node.call("corpus", hypotheses, references, kind=kind, **settings)["score"],
        *node.call("segments", hypotheses, references, kind=kind, **settings),
    ]
    apart = [units_apart(*pair) for pair in zip(found, expected, strict=True)]
    beta = settings.get("beta", 2.0)
    if max(apart) > (MOST_UNITS[metric] if metric != "chrf" or beta**2 != beta * beta else 0):
        sys.exit(f"{metric}, part {part}, {settings}: {found} instead of {expected}")
    return Counter(apart)


def compare(node: Node, metric: str, count: int, start: int = 0, seed: int = 1) -> list[object]:
    """Compare so many cases; return how many, and how many scores are how far apart."""
    parts = range(start, start + math.ceil(count / differences.SIZE))
    apart: Counter[int] = Counter()
    for part in parts:
        apart += compare_part(node, metric, part, seed)
    more = apart.total() - apart[0] - apart[1]
    return [metric, len(parts) * differences.SIZE, apart[0], apart[1], more, max(apart)]


def main() -> None:
    """Compare as many cases as the arguments say."""
    differences.ignore_warnings()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = [("bleu", 10**6), ("chrf", 10**6), ("ter", 10**5)]
    parser.add_argument("cases", nargs="*", type=differences.sizes, default=default)
    parser.add_argument("--start", type=int, default=0, help="the first part; default: 0")
    options = parser.parse_args()
    found: dict[object, list[object]] = {row[0]: [*row] for row in rows_of("javascript")}
    with Node() as node:
        for metric, count in options.cases:
            found[metric] = compare(node, metric, count, options.start)
            print(dict(zip(HEADER, found[metric], strict=True)), flush=True)
    record("javascript", HEADER, [found[metric] for metric in METRICS if metric in found])


if __name__ == "__main__":
    main()
