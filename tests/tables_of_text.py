"""The examples as a table, for the tests of engines."""

from pathlib import Path

import pyarrow as pa
from truebleu import Bleu

EXAMPLES = Path(__file__).parent.parent / "examples"


def lines(name):
    """Read a file of the examples."""
    return (EXAMPLES / name).read_text("utf-8").splitlines()


SYSTEMS = ["strong", "medium", "weak"]
OUTPUTS = {name: lines(f"system-{name}.en") for name in SYSTEMS}
FIRST, SECOND = lines("reference-a.en"), lines("reference-b.en")
SIZE = len(FIRST)
TABLE = pa.table(
    {
        "system": [name for name in SYSTEMS for _ in range(SIZE)],
        "half": [i % 2 for _ in SYSTEMS for i in range(SIZE)],
        "mt": [text for name in SYSTEMS for text in OUTPUTS[name]],
        "ref_a": FIRST * 3,
        "ref_b": [None if i % 3 else text for i, text in enumerate(SECOND * 3)],
        "refs": [[a, b] for a, b in zip(FIRST * 3, SECOND * 3, strict=True)],
    }
)


def wanted(table, references, **settings):
    """Score a table as lists."""
    others = [
        [text for cell in row for text in (cell if isinstance(cell, list) else [cell])]
        for row in zip(*(table[name].to_pylist() for name in references), strict=True)
    ]
    return Bleu(**settings).corpus(table["mt"].to_pylist(), others)
