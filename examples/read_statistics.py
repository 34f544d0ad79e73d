"""Read a file of statistics with nothing but Python, and print the sum of each metric and system.

Run it: python examples/read_statistics.py part-paper.jsonl.gz
"""

import gzip
import json
import sys
from hashlib import sha256


def read_rows(path):
    """Return the rows of each metric and label: for each batch and unit, the statistics."""
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rb") as file:
        *lines, last = file.readlines()
    header, *others = map(json.loads, lines)
    if (header["format"], header["version"]) != ("truebleu-stats", 2):
        raise ValueError(f"{path} has another format")
    end = json.loads(last)
    if end.get("level") != "end" or end["sha256"] != sha256(b"".join(lines)).hexdigest():
        raise ValueError(f"{path} is damaged")
    found = {}
    for line in others:
        if isinstance(line, dict):
            table, batch = line, line.get("batch")
            name = header["metrics"][line["metric"]]["name"]
            part = found.setdefault((name, *line["label"]), {})
            if line["level"] == "sum":
                part[batch, None] = line["counts"]
        else:
            unit, *counts = line
            if (batch, unit) in part:
                raise ValueError(f"{path} has {unit} of {batch} twice")
            part[batch, unit] = counts[1:] if table.get("documents") else counts
    return found


def add(rows):
    """Add up the statistics of some segments."""
    return [sum(column) for column in zip(*rows, strict=True)]


if __name__ == "__main__":
    for names, rows in read_rows(sys.argv[1]).items():
        print(*names, add(rows.values()))
