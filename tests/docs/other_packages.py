"""The packages that the pages for their users import: stand-ins of the calls these pages make.

With TRUEBLEU_REAL, as in ``make peers``, those that are installed are imported instead.
"""

import contextlib
import functools
import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest import mock

import sacrebleu


def streams(references):
    """Turn references by segment into streams."""
    return [list(stream) for stream in zip(*references, strict=True)]


class Evaluated:
    """A metric of evaluate."""

    def compute(self, predictions, references):
        """Return a dictionary."""
        return {"score": sacrebleu.corpus_bleu(predictions, streams(references)).score}


class SacreBLEUScore:
    """A metric of torchmetrics, whose result is a tensor."""

    def __init__(self):
        self.predictions, self.references = [], []

    def update(self, preds, target):
        """Keep a batch."""
        self.predictions += preds
        self.references += target

    def compute(self):
        """Return the score."""
        score = sacrebleu.corpus_bleu(self.predictions, streams(self.references)).score
        return SimpleNamespace(item=lambda: score / 100)


class Comet:
    """A model of COMET."""

    def predict(self, samples, batch_size=16, gpus=1):
        """Return a score for each segment, and their mean."""
        scores = [sacrebleu.sentence_chrf(each["mt"], [each["ref"]]).score for each in samples]
        scores = [score / 100 for score in scores]
        return SimpleNamespace(scores=scores, system_score=sum(scores) / len(scores))


def bleu(items):
    """Score pairs of a reference and a prediction, as the harness does."""
    references, predictions = map(list, zip(*items, strict=True))
    return sacrebleu.corpus_bleu(predictions, [references]).score


def align_texts(reference, hypothesis):
    """Cut the words of an output where segments have the fewest edits to the references."""
    words = hypothesis.split()
    lines = [line.split() for line in reference.split("\n")]

    @functools.cache
    def edits(start, stop, line):
        row = list(range(len(lines[line]) + 1))
        for word in words[start:stop]:
            last, row[0] = row[0], row[0] + 1
            for place, other in enumerate(lines[line], 1):
                best = min(row[place] + 1, row[place - 1] + 1, last + (word != other))
                last, row[place] = row[place], best
        return row[-1]

    @functools.cache
    def best(start, line):
        if line == len(lines) - 1:
            return edits(start, len(words), line), (len(words),)
        stops = range(len(words), start - 1, -1)
        following = {stop: best(stop, line + 1) for stop in stops}
        stop = min(stops, key=lambda stop: edits(start, stop, line) + following[stop][0])
        return edits(start, stop, line) + following[stop][0], (stop, *following[stop][1])

    ends = best(0, 0)[1]
    starts = (0, *ends)
    return "\n".join(" ".join(words[start:stop]) for start, stop in zip(starts, ends, strict=False))


class EvalPrediction:
    """What a trainer passes to compute_metrics."""

    def __init__(self, predictions, label_ids):
        self.predictions, self.label_ids = predictions, label_ids


class Run:
    """A run of a tracker, which is a context."""

    def __init__(self):
        self.info, self.metrics = SimpleNamespace(run_id="1"), {}

    def log(self, metrics):
        """Keep numbers."""
        self.metrics |= metrics

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


RUN = Run()


class Writer:
    """Writes for TensorBoard."""

    def __init__(self, logdir):
        self.logdir = logdir

    def add_scalar(self, tag, data, step):
        """Take a number."""
        assert type(data) is float

    def close(self):
        """End."""


class Workbook:
    """A spreadsheet of one sheet."""

    def __init__(self):
        self.active = []

    def save(self, filename):
        """Write it."""
        Path(filename).write_text(json.dumps(self.active))


def instantiate(config):
    """Call what a configuration of Hydra names."""
    settings = dict(config)
    module, _, name = settings.pop("_target_").rpartition(".")
    return getattr(importlib.import_module(module), name)(**settings)


def dumps(value):
    """Write what has plain types only."""
    return json.dumps(value).encode()


STAND_INS = {
    "evaluate": {"load": lambda name: Evaluated()},
    "torchmetrics.text": {"SacreBLEUScore": SacreBLEUScore},
    "comet": {"download_model": str, "load_from_checkpoint": lambda path: Comet()},
    "lm_eval.api.metrics": {"bleu": bleu},
    "mweralign": {"align_texts": align_texts},
    "transformers": {"EvalPrediction": EvalPrediction},
    "mlflow": {
        "set_tracking_uri": lambda uri: None,
        "start_run": lambda: RUN,
        "log_metric": lambda key, value, step: RUN.log({key: value}),
        "set_tag": lambda key, value: None,
        "get_run": lambda run_id: SimpleNamespace(data=RUN),
    },
    "wandb": {"init": lambda **_: RUN},
    "tensorboard.summary": {"Writer": Writer},
    "hydra.utils": {"instantiate": instantiate},
    "openpyxl": {"Workbook": Workbook},
    "orjson": {"dumps": dumps, "loads": json.loads},
    "msgpack": {"packb": dumps, "unpackb": json.loads},
}
"""The functions that pages call, by the module that has them."""

PAGES = ("docs/from_comet", "docs/migrate", "docs/trackers", "docs/trainers")


def is_installed(name):
    """Tell whether a package can be imported."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


@contextlib.contextmanager
def for_page(page):
    """Let the packages that a page is about be imported."""
    if not page.startswith(PAGES):
        yield
        return
    is_real = bool(os.environ.get("TRUEBLEU_REAL"))
    made = {}
    for path, functions in STAND_INS.items():
        if is_real and is_installed(path):
            continue
        parts = path.split(".")
        for end in range(1, len(parts) + 1):
            name = ".".join(parts[:end])
            made.setdefault(name, ModuleType(name)).__path__ = []
        vars(made[path]).update(functions)
    with mock.patch.dict(sys.modules, made):
        yield
