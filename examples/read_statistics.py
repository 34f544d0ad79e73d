"""Read a file of statistics with nothing but Python, and print the sum of each metric and system.

Run it: python examples/read_statistics.py part-paper.jsonl.gz
"""

import gzip
import json
import sys


def read_rows(path):
    """Return the rows of each metric and label: for each batch and unit, the statistics."""
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        header, *rows = map(json.loads, file)
    if (header["format"], header["version"]) != ("truebleu-stats", 1):
        raise ValueError(f"{path} has another format")
    found = {}
    for row in rows:
        metric = header["metrics"][row["metric"]]
        if row["key"] != metric["key"]:
            raise ValueError(f"{path} has statistics of other settings")
        label = tuple(row[name] for name in header["labels"])
        part = found.setdefault((metric["name"], *label), {})
        unit = row.get("batch"), row.get("unit")
        if unit in part:
            raise ValueError(f"{path} has {unit} twice")
        counts, step = row["counts"], metric.get("step", 0)
        for place in range(step, len(counts) if step else 0):
            counts[place] += counts[place - step]
        part[unit] = counts
    return found


def add(rows):
    """Add up the statistics of some segments."""
    return [sum(column) for column in zip(*rows, strict=True)]


if __name__ == "__main__":
    for names, rows in read_rows(sys.argv[1]).items():
        print(*names, add(rows.values()))
