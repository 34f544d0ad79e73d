"""Write meta.json: how mt-metrics-eval measures, tests and ranks metrics on made-up tables.

Run as ``MTME=COPY python tests/golden/make_meta.py [--check]`` with SciPy 1.17 and a copy of
google-research/mt-metrics-eval at its commit 68a481a, whose folder ``mt_metrics_eval`` is in COPY.
With ``--check``, its numbers are compared with those in the file. Each test begins with
``numpy.random.seed(3)``. Tables come to mt-metrics-eval in their order, but what it reads from a
folder is ordered by hash: such numbers are recorded where order does not matter.
"""

import json
import os
import random
import sys
import tempfile
import types
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = HERE / "meta.json"
SEED = 3
NAMES = ("A", "B", "C")
PAIR = "en-de"


def made(seed, systems, segments, grades=25, steps=1000, gaps=0.0, noise=1.0):
    """Return gold scores and those of three metrics, of whole numbers, which may be tied."""
    draw = random.Random(seed)
    quality = [draw.gauss(0, 0.4) for _ in range(systems)]
    hard = [draw.gauss(0, 1) for _ in range(segments)]
    gold, metrics = [], {name: [] for name in NAMES}
    for each in quality:
        true = [each + other + draw.gauss(0, 0.7) for other in hard]
        gold.append([None if draw.random() < gaps else -min(grades, int(2 ** (2 - x))) for x in true])
        for name, width in zip(NAMES, (0.5, 0.7, 1.6), strict=True):
            metrics[name].append([round(steps * (x + noise * draw.gauss(0, width))) for x in true])
    return gold, metrics


def draws(shape):
    """Return how many draws a test has: in one shape enough to stop early."""
    return 120 if shape == "plain" else 30


def shapes():
    """Return tables by name."""
    found = {
        "plain": made(1, 5, 12),
        "ties": made(2, 6, 11, grades=3, steps=2),
        "gaps": made(3, 5, 12, gaps=0.1),
        "equally many": made(4, 4, 13),
        "constant metric": made(5, 4, 8),
        "constant gold of a segment": made(6, 4, 12),
        "two systems": made(7, 2, 12),
        "two segments": made(8, 7, 2),
        "one segment": made(9, 8, 1),
        "many": made(10, 9, 20),
        "equal metrics": made(11, 5, 8),
    }
    for place, row in enumerate(found["equally many"][0]):
        row[3 * place] = None
    found["constant metric"][1]["C"] = [[7] * 8 for _ in range(4)]
    for row in found["constant gold of a segment"][0]:
        row[4] = row[11] = -1
    found["equal metrics"][1]["B"] = found["equal metrics"][1]["A"]
    return found


def write_folder(root, gold, metrics):
    """Write tables in the layout of mt-metrics-eval, version 2, with traps."""
    segments = len(gold[0])
    systems = [f"s{place}" for place in range(len(gold))]

    def write(path, lines):
        path = root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def scores(path, table, names):
        for level in ("sys", "domain", "seg"):
            lines = []
            for name, row in zip(names, table, strict=True):
                if level == "seg":
                    lines += [f"{name}\t{score}" for score in row]
                for domain, odd in {"sys": [("", None)], "domain": [("news\t", 0), ("talk\t", 1)]}.get(
                    level, ()
                ):
                    kept = [row[i] for i in range(segments) if odd is None or i // 5 % 2 == odd]
                    kept = [score for score in kept if score is not None]
                    # Not the average.
                    score = sum(kept) / len(kept) - len(kept) / 10 if kept else None
                    lines.append(f"{domain}{name}\t{score}")
            write(path + f".{level}.score", lines)

    write(f"sources/{PAIR}.txt", [f"Satz {i}." for i in range(segments)])
    write(f"documents/{PAIR}.docs", [f"{['news', 'talk'][i // 5 % 2]}\td{i // 5}" for i in range(segments)])
    for name in ("refA", "refB"):
        write(f"references/{PAIR}.{name}.txt", [f"Sentence {i}." for i in range(segments)])
    for name in (*systems, "refA", "refB"):
        write(f"system-outputs/{PAIR}/{name}.txt", [f"Sentence {i} of {name}." for i in range(segments)])
    nobody = [[None] * segments]
    # A reference that people judged as a system, and one that they did not.
    scores(f"human-scores/{PAIR}.mqm", [*gold, gold[0][::-1], *nobody], [*systems, "refB", "refA"])
    scores(f"human-scores/{PAIR}.esa", [*gold[::-1]], systems)
    for name, table in metrics.items():
        full = f"{name}-src" if name == "C" else f"{name}-refA"
        everyone = [*table, table[-1][::-1], table[-1]]
        scores(f"metric-scores/{PAIR}/{full}", everyone, [*systems, "refB", "refA"])
    scores(f"metric-scores/{PAIR}/D-refB", metrics["A"], systems)
    scores(f"metric-scores/{PAIR}/E-refA.refB", metrics["A"], systems)


def measures(stats, scipy_stats):
    """Return what mt-metrics-eval calls each measure: its function, and arguments."""
    accuracy = partial(dict, variant="acc23")
    found = {}
    for suffix, by in ((":none", "none"), ("", "item"), (":system", "sys")):
        found["acc" + suffix] = (stats.KendallVariants, by, "scores", accuracy())
        found["acc-eq" + suffix] = (
            *(stats.KendallWithTiesOpt, by, "pairs"),
            accuracy(sample_rate=1.0),
        )
    for suffix, by in (("", "none"), (":item", "item"), (":system", "sys")):
        found["pearson" + suffix] = (scipy_stats.pearsonr, by, "scores", {})
        found["kendall" + suffix] = (scipy_stats.kendalltau, by, "scores", {})
    found["spa"] = (None, "none", "scores", {})
    return found


def asked():
    """Ask mt-metrics-eval."""
    sys.path.insert(0, os.environ["MTME"])
    # What it does with these is not used.
    for name in ("apache_beam", "dacite"):
        sys.modules.setdefault(name, types.ModuleType(name))
    import numpy as np
    import scipy.stats
    from mt_metrics_eval import data, meta_info, stats

    def correlations(gold, metrics):
        flat = [score for row in gold for score in row]
        return {
            name: stats.Correlation(len(gold), flat, [score for row in table for score in row])
            for name, table in metrics.items()
        }

    params = stats.PermutationSigDiffParams(block_size=100)

    def compared(corrs, name, number):
        function, by, test, more = measures(stats, scipy.stats)[name]
        np.random.seed(SEED)
        if function is None:
            ranks, matrix, *_ = data.CompareMetricsWithPairwiseConfidenceError(corrs, number, params)
        else:
            ranks, matrix, *_ = data.CompareMetrics(
                corrs, function, by, number, params, perm_test=test, **more
            )
        names = list(ranks)
        return {
            "values": {each: float(value) for each, (value, _) in ranks.items()},
            "ranks": {each: int(rank) for each, (_, rank) in ranks.items()} if number else {},
            "p": {
                f"{one} {other}": float(matrix[i][j])
                for i, one in enumerate(names)
                for j, other in enumerate(names)
                if i < j and number
            },
        }

    found = {}
    for shape, (gold, metrics) in shapes().items():
        corrs = correlations(gold, metrics)
        for name in measures(stats, scipy.stats):
            for number in (draws(shape), 0):
                try:
                    found.setdefault(shape, {})[name] = compared(corrs, name, number)
                except (ValueError, ZeroDivisionError, IndexError, TypeError) as error:
                    # What it cannot test, it may measure.
                    found.setdefault(shape, {})[name] = {"error": type(error).__name__}
                else:
                    break
        differences = {
            name: float(each.Pearson("item", pdp=True)[0]) for name, each in corrs.items()
        }
        found[shape]["pearson-of-differences"] = {"values": differences, "ranks": {}, "p": {}}

    folders = {}
    with tempfile.TemporaryDirectory() as parent:
        for shape in ("plain", "gaps", "ties"):
            root = Path(parent, shape)
            write_folder(root, *shapes()[shape])
            info = meta_info.MetaInfo("refA", {"sys": "mqm", "seg": "mqm"}, {"s1"}, set())
            evs = data.EvalSet(shape, PAIR, True, info, parent, strict=False)
            for domain in (None, "talk"):
                kept = {}
                for level in ("seg", "sys"):
                    corrs = data.GetCorrelations(
                        *(evs, level, {"refA"}, set(), True, False, "std", False, domain),
                        metric_format="spreadsheet",
                    )
                    for name, each in corrs.items():
                        own = kept.setdefault(name.removeprefix("*"), {})
                        if level == "sys":
                            own["system-pearson"] = float(each.Pearson()[0])
                            right, pairs = stats.Agreement(each.gold_scores, each.metric_scores)
                            own["pairwise-accuracy"] = float(right / pairs)
                            continue
                        own["judged"] = len(each.gold_scores) - each.none_count
                        own["pearson"] = float(each.Pearson()[0])
                        own["kendall:item"] = float(each.Kendall("item")[0])
                        own["acc-eq"] = float(
                            each.KendallWithTiesOpt("item", sample_rate=1.0)[0]
                        )
                folders[f"{shape} {domain or ''}".strip()] = kept
    return {
        "source": "google-research/mt-metrics-eval 68a481a, by tests/golden/make_meta.py",
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
        "tables": found,
        "folders": folders,
    }


if __name__ == "__main__":
    answers = json.loads(json.dumps(asked()))
    if sys.argv[1:] == ["--check"]:
        recorded = json.loads(GOLDEN.read_text("utf-8"))
        for key in ("tables", "folders"):
            if answers[key] != recorded[key]:
                raise SystemExit(f"{GOLDEN} differs from mt-metrics-eval in {key}")
    else:
        GOLDEN.write_text(json.dumps(answers, indent=1) + "\n", "utf-8")
