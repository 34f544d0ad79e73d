"""Where things are: the project, its examples, recorded numbers, and real data if there are any."""

import csv
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"
# Options of Spark for short jobs: what is compiled for long ones takes longer than these do.
SHORT_JOBS = (
    "--conf 'spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' "
    "--conf spark.sql.shuffle.partitions=3"
)
DATA = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))


def golden_rows(name):
    """Return the rows of a table of golden/, without its comments."""
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def example(system, *references):
    """Return the lines of a system of the examples, and the references of each line."""
    names = (f"system-{system}.en", *(f"reference-{name}.en" for name in references))
    texts = [(EXAMPLES / name).read_text("utf-8").splitlines() for name in names]
    return texts[0], list(zip(*texts[1:], strict=True))
