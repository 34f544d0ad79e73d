"""Write meta.json: how mt-metrics-eval measures metrics on made-up tables.

Run as ``MTME=COPY python tests/golden/make_meta.py [--check]`` with SciPy 1.17 and a copy of
google-research/mt-metrics-eval at its commit 68a481a, whose folder ``mt_metrics_eval`` is in COPY.
With ``--check``, its numbers are compared with those in the file. Tables come to mt-metrics-eval in
their order, but what it reads from a folder is ordered by hash: such numbers are recorded where
order does not matter.
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
        gold.append(
            [None if draw.random() < gaps else -min(grades, int(2 ** (2 - x))) for x in true]
        )
        for name, width in zip(NAMES, (0.5, 0.7, 1.6), strict=True):
            metrics[name].append([round(steps * (x + noise * draw.gauss(0, width))) for x in true])
    return gold, metrics


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
        rows = list(zip(names, table, strict=True))
        write(f"{path}.seg.score", [f"{name}\t{score}" for name, row in rows for score in row])
        for level, domains in (("sys", {"": (0, 1)}), ("domain", {"news\t": (0,), "talk\t": (1,)})):
            lines = []
            for name, row in rows:
                for domain, numbers in domains.items():
                    kept = [row[i] for i in range(segments) if i // 5 % 2 in numbers]
                    kept = [score for score in kept if score is not None]
                    # Not the average.
                    score = sum(kept) / len(kept) - len(kept) / 10 if kept else None
                    lines.append(f"{domain}{name}\t{score}")
            write(f"{path}.{level}.score", lines)

    write(f"sources/{PAIR}.txt", [f"Satz {i}." for i in range(segments)])
    write(
        f"documents/{PAIR}.docs",
        [f"{['news', 'talk'][i // 5 % 2]}\td{i // 5}" for i in range(segments)],
    )
    for name in ("refA", "refB"):
        write(f"references/{PAIR}.{name}.txt", [f"Sentence {i}." for i in range(segments)])
    for name in (*systems, "refA", "refB"):
        write(
            f"system-outputs/{PAIR}/{name}.txt",
            [f"Sentence {i} of {name}." for i in range(segments)],
        )
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
        found["acc" + suffix] = (stats.KendallVariants, by, accuracy())
        found["acc-eq" + suffix] = (stats.KendallWithTiesOpt, by, accuracy(sample_rate=1.0))
    for suffix, by in (("", "none"), (":item", "item"), (":system", "sys")):
        found["pearson" + suffix] = (scipy_stats.pearsonr, by, {})
        found["kendall" + suffix] = (scipy_stats.kendalltau, by, {})
    found["spa"] = (None, "none", {})
    return found


def load():
    """Return modules of mt-metrics-eval."""
    sys.path.insert(0, os.environ["MTME"])
    # What it does with these is not used.
    for name in ("apache_beam", "dacite"):
        sys.modules.setdefault(name, types.ModuleType(name))
    from mt_metrics_eval import data, meta_info, stats

    return data, meta_info, stats


def measured(corrs, name):
    """Return the values of metrics under a measure, or the name of the error."""
    import scipy.stats

    data, _, stats = load()
    function, by, more = measures(stats, scipy.stats)[name]
    try:
        if function is None:
            params = stats.PermutationSigDiffParams(block_size=100)
            ranks, *_ = data.CompareMetricsWithPairwiseConfidenceError(corrs, 0, params)
        else:
            ranks, *_ = data.CompareMetrics(corrs, function, by, 0, None, **more)
    except (ValueError, ZeroDivisionError, IndexError, TypeError) as error:
        return type(error).__name__
    return {each: float(value) for each, (value, _) in ranks.items()}


def of_tables():
    """Return all measures of all shapes."""
    import scipy.stats

    _, _, stats = load()
    found = {}
    for shape, (gold, metrics) in shapes().items():
        flat = [score for row in gold for score in row]
        corrs = {
            name: stats.Correlation(len(gold), flat, [score for row in table for score in row])
            for name, table in metrics.items()
        }
        found[shape] = {name: measured(corrs, name) for name in measures(stats, scipy.stats)}
        found[shape]["pearson-of-differences"] = {
            name: float(each.Pearson("item", pdp=True)[0]) for name, each in corrs.items()
        }
    return found


def of_levels(evs, domain):
    """Return some measures of all metrics in a folder."""
    data, _, stats = load()
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
            own["acc-eq"] = float(each.KendallWithTiesOpt("item", sample_rate=1.0)[0])
    return kept


def of_folders():
    """Return what it finds in folders."""
    data, meta_info, _ = load()
    found = {}
    with tempfile.TemporaryDirectory() as parent:
        for shape in ("plain", "gaps", "ties"):
            write_folder(Path(parent, shape), *shapes()[shape])
            std_gold = dict.fromkeys(("sys", "domain", "seg"), "mqm")
            info = meta_info.MetaInfo("refA", std_gold, {"s1"}, set())
            evs = data.EvalSet(shape, PAIR, True, info, parent, strict=False)
            for domain in (None, "talk"):
                found[f"{shape} {domain or ''}".strip()] = of_levels(evs, domain)
    return found


def asked():
    """Ask mt-metrics-eval."""
    import numpy as np
    import scipy

    return {
        "source": "google-research/mt-metrics-eval 68a481a, by tests/golden/make_meta.py",
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
        "tables": of_tables(),
        "folders": of_folders(),
    }


if __name__ == "__main__":
    answers = json.loads(json.dumps(asked()))
    if sys.argv[1:] == ["--check"]:
        recorded = json.loads(GOLDEN.read_text("utf-8"))
        for key in ("tables", "folders"):
            if answers[key] != recorded[key]:
                raise SystemExit(f"{GOLDEN} differs from mt-metrics-eval in {key}")
    else:
        GOLDEN.write_text(json.dumps(answers) + "\n", "utf-8")
