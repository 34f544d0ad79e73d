"""The examples as a table, for the tests of engines."""

import numpy as np
import pyarrow as pa
from project import EXAMPLES
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu
from truebleu.metrics.registry import METRICS


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


# Values of groups that are equal, and differ in bits.
KEYS = [0.0, -0.0, float("nan"), None, 1.5, float("nan"), None, -0.0, -1.5, 0.0]
BITS = np.array(KEYS, dtype=float).view(np.int64)
BITS[2] ^= 5  # Another NaN, and a negative one.
BITS[5] |= np.iinfo(np.int64).min


def keyed(kind):
    """Return ten rows of the table, with a column of these keys."""
    keys = pa.array(BITS.view(float), mask=np.array([key is None for key in KEYS]))
    return TABLE.slice(0, 10).append_column("k", keys.cast(kind))


# The same with hypotheses that equal a reference, for metrics that count these.
MATCHES = TABLE.set_column(
    TABLE.column_names.index("mt"),
    "mt",
    [
        [
            row["ref_a"] if i % 5 == 0 else row["refs"][1] if i % 7 == 0 else row["mt"]
            for i, row in enumerate(TABLE.to_pylist())
        ]
    ],
)


def lists_of(table, references):
    """Return the hypotheses of a table, and the references of each, as lists."""
    several = [
        [text for cell in row for text in (cell if isinstance(cell, list) else [cell])]
        for row in zip(*(table[name].to_pylist() for name in references), strict=True)
    ]
    return table["mt"].to_pylist(), several


def as_metric(metric):
    """Return the metric of a name."""
    return METRICS[metric]() if isinstance(metric, str) else metric


# Whatever engines can be told to score with: names, and metrics in the core and in Python.
ANY_METRIC = [
    *METRICS,
    *(kind() for name, kind in METRICS.items() if name != "bleu"),
    *(Bleu(lowercase=True), ExactMatch(), Misses()),
]


def metric_id(metric):
    """Name the case of a test: a metric, or its name in quotes."""
    return repr(metric) if isinstance(metric, str) else metric.identifier


def wanted(table, references, metric=None, **settings):
    """Score a table as lists."""
    return (as_metric(metric) or Bleu(**settings)).corpus(*lists_of(table, references))
