"""A metric of one's own, and errors."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray
from truebleu import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    Metric,
    Score,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    Stats,
    StatsMismatchError,
    TruebleuError,
    accelerate,
    compare,
    corpus_bleu,
)
from truebleu.errors import (
    AttributeNameError,
    DownloadError,
    EmptyInputError,
    EncodingError,
    MissingExtraError,
    ModelError,
    UnknownNameError,
)


class ExactMatch(Metric):
    """The percentage of segments that equal a reference."""

    name = "Exact match"
    identifier = "exact_match"
    fields = ("matches", "segments")
    lowercase: bool = False

    def count(self, hypotheses: list[str], references: list[list[str]]) -> list[list[int]]:
        """Count segments."""
        pairs = zip(hypotheses, references, strict=True)
        return [[hypothesis in several, 1] for hypothesis, several in pairs]

    def scores(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Score each row."""
        return 100 * rows[:, 0] / rows[:, 1]


metric = ExactMatch(lowercase=True)
score = metric.corpus(["a", "b"], ["a", "c"])
assert_type(score, Score)
assert_type(metric.stats(["a"], ["a"]), Stats)
assert_type(Stats.from_numpy(metric.stats(["a"], ["a"]).to_numpy(), metric), Stats)
assert_type(metric.name + metric.identifier, str)
assert_type(score.rescore(metric), Score)
assert_type(ExactMatch.from_signature(metric.signature), ExactMatch)
systems = {"one": ["a", "b"], "other": ["a", "c"]}
assert_type(
    compare(systems, ["a", "b"], metrics=metric, n_resamples=None).pair("one", "other").delta, float
)

INPUT: tuple[type[InputError], ...] = (EmptyInputError, EncodingError, LengthMismatchError)
SETTINGS: tuple[type[SettingsError], ...] = (UnknownNameError,)
OTHERS: tuple[type[TruebleuError], ...] = (
    AttributeNameError,
    InputTypeError,
    MissingExtraError,
    StatsMismatchError,
    DownloadError,
    ModelError,
)
WARNINGS: tuple[type[UserWarning], ...] = (SettingsWarning, SmallSampleWarning)
try:
    corpus_bleu(["a"], [])
except INPUT as error:
    assert_type(str(error), str)

with accelerate("nltk", strict=True) as accelerated:
    assert_type(accelerated.names, tuple[str, ...])
accelerated.undo()
