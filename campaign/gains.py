"""Count how often a gain of so many points of a metric agrees with people.

The tables are error annotations (MQM) with the texts of systems, such as
``ted/ende/mqm_ted_ende.tsv`` and ``ted/zhen/mqm_ted_zhen.tsv`` of
google/wmt-mqm-human-evaluation; other human translations are left out. Each pair of systems is
one case: does the system with the better score of the metric have the better MQM score?

    python campaign/gains.py mqm_ted_ende.tsv mqm_ted_zhen.tsv
"""

from __future__ import annotations

import argparse
import math
import sys
from itertools import combinations, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu import Bleu, Chrf, Ter
from truebleu.meta import read_mqm

from campaign.recorded import record

METRICS = {"BLEU": Bleu(), "chrF++": Chrf(word_order=2), "TER": Ter()}
EDGES = (0, 0.5, 1, 2, 5, math.inf)


def gains(path: str) -> dict[str, list[tuple[float, bool]]]:
    """Return for each pair of systems how far they are apart, and whether people agree."""
    judged = read_mqm(path, reference="ref")
    assert judged.systems is not None
    assert judged.references is not None
    kept = [name for name in judged.systems if not name.lower().startswith("ref")]
    people = {name: [each for each in judged.gold[name] if each is not None] for name in kept}
    means = {name: sum(scores) / len(scores) for name, scores in people.items()}
    found = {}
    for metric, score in METRICS.items():
        better = 1 if score.higher_is_better else -1
        scores = {
            name: better * score.corpus(judged.systems[name], judged.references).score
            for name in kept
        }
        found[metric] = [
            (
                abs(scores[one] - scores[other]),
                (scores[one] > scores[other]) == (means[one] > means[other]),
            )
            for one, other in combinations(kept, 2)
        ]
    return found


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share."""
    z, share = 1.96, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    half /= 1 + z * z / total
    return middle - half, middle + half


def main() -> None:
    """Count, print and record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="+")
    tables = parser.parse_args().tables
    several = {Path(path).stem: gains(path) for path in tables}
    rows = []
    for name in (*several, "all"):
        for metric in METRICS:
            chosen = several.values() if name == "all" else [several[name]]
            pairs = [pair for each in chosen for pair in each[metric]]
            for low, high in pairwise(EDGES):
                agreed = [right for gain, right in pairs if low <= gain < high]
                if agreed:
                    low_end, high_end = wilson(sum(agreed), len(agreed))
                    shares = (sum(agreed) / len(agreed), low_end, high_end)
                    counts = (len(agreed), sum(agreed))
                    rows.append([name, metric, low, high, *counts, *(f"{x:.3f}" for x in shares)])
    for row in rows:
        print(*row)
    header = ["table", "metric", "from", "below", "pairs", "agree", "share", "low", "high"]
    record("gains", header, rows)


if __name__ == "__main__":
    main()
