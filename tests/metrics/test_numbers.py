"""A score behaves like its number."""

import decimal
import fractions
import math
import numbers
import operator
import statistics

import numpy as np
import pandas as pd
import pytest
import truebleu
from looping import looped
from toy_metrics import ExactMatch

SYSTEM = ["The cat sat on the mat.", "It rained all day.", "A dog came in, and then it left."]
OTHER = ["A cat sat on the mat.", "It rained the whole day.", "A dog came in, and then it left."]
ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
METRICS = [truebleu.Bleu(), truebleu.Chrf(word_order=2), truebleu.Ter(), ExactMatch()]


OF_MANY = [
    *(sum, max, min, sorted, math.fsum),
    *(statistics.mean, statistics.fmean, statistics.median, statistics.stdev),
    *(statistics.pvariance, statistics.quantiles),
    *(np.mean, np.std, np.median, np.sum, np.max, np.argsort),
    lambda scores: np.array(scores).dtype,
    lambda scores: np.percentile(scores, [5, 95]),
    lambda scores: pd.Series(scores).mean(),
    lambda scores: pd.Series(scores).sort_values().tolist(),
    lambda scores: pd.Series(scores, dtype=float).describe().tolist(),
    lambda scores: [f"{score:.2f} {score:08.3f}" for score in scores],
    lambda scores: ["%.1f" % score for score in scores],  # noqa: UP031
]
OF_ONE = [
    *(float, int, complex, bool, hash, abs, round, operator.neg, operator.pos),
    *(math.floor, math.ceil, math.trunc, math.sqrt, math.exp),
    *(np.isfinite, np.isscalar, np.float64, np.float32, np.sqrt),
    lambda score: round(score, 2),
    lambda score: round(score, -1),
    lambda score: score.conjugate(),
    lambda score: (score.real, score.imag),
    lambda score: score.as_integer_ratio(),
    lambda score: isinstance(score, numbers.Real),
    lambda score: np.asarray(score, dtype="f4").dtype,
    lambda score: pytest.approx(score) == float(score),
]


def scores_of(metric):
    """Return the scores of some segments, and their numbers."""
    scores = [metric.segment(*pair) for pair in zip(SYSTEM, OTHER, strict=True)]
    return scores, [score.score for score in scores]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.identifier)
class TestScores:
    """Whatever takes a float takes a score, and does the same."""

    def test_functions_of_many(self, metric, subtests):
        """The result for scores is that for their numbers, to the last bit."""
        scores, floats = scores_of(metric)
        for number, function in enumerate(OF_MANY):
            with subtests.test(f"{number}: {function}"):
                assert np.array_equal(function(scores), function(floats))

    def test_functions_of_one(self, metric, subtests):
        """The result is that for the number, and of the same type."""
        for place, function in enumerate(OF_ONE):
            with subtests.test(f"{place}: {function}"):
                for score, number in zip(*scores_of(metric), strict=True):
                    got, expected = function(score), function(number)
                    assert (got, type(got)) == (expected, type(expected))

    @looped("name", [*ARITHMETIC, "lt", "le", "gt", "ge", "eq", "ne"])
    def test_operators(self, metric, name):
        """With numbers of any type, arrays and scores, on either side."""
        operate = getattr(operator, name)
        # Division by 0 is an error.
        for score, number in filter(all, zip(*scores_of(metric), strict=True)):
            for value in (2, 2.5, np.float64(2.5), np.array([number, 2.0]), np.int64(3)):
                for got, expected in (
                    (operate(score, value), operate(number, value)),
                    (operate(value, score), operate(value, number)),
                ):
                    # NumPy's powers of an array and of a number differ in the last bit.
                    assert got == pytest.approx(expected, rel=1e-15)
                    assert isinstance(got, np.ndarray) == isinstance(value, np.ndarray)
            got, expected = operate(score, score), operate(number, number)
            assert (got, type(got)) == (expected, type(expected))
            assert divmod(score, score) == divmod(number, number)
            assert divmod(500, score) == divmod(500, number)

    def test_equality(self, metric):
        """A score is equal to its number, of any type, and hashes like it."""
        score = metric.segment("a b c d e", "a b c d e")
        number = score.score
        for equal in (number, int(number), fractions.Fraction(number), decimal.Decimal(number)):
            assert score == equal
            assert equal == score
            assert {score: "found"}[equal] == "found"
        assert score == pytest.approx(number)
        assert number == pytest.approx(score)
        assert [score, score] == pytest.approx([number] * 2)
        assert score != pytest.approx(number + 0.1)
        for other in (None, "", str(number), [number], object()):
            assert score != other
            assert not score.same_as(other)
        for operate in (operator.lt, operator.add, operator.mod):
            with pytest.raises(TypeError):
                operate(score, "")


def test_what_is_the_same():
    """Scores with one number differ by their settings or statistics, and so do their records."""
    bleu, chrf = truebleu.sentence_bleu("a b", "a b"), truebleu.sentence_chrf("a b", "a b")
    assert bleu == chrf == 100
    assert not bleu.same_as(chrf)
    assert not bleu.same_as(truebleu.sentence_bleu("a b c", "a b c"))
    assert not bleu.same_as(truebleu.sentence_bleu("a b", "a b", lowercase=True))
    assert bleu.same_as(truebleu.sentence_bleu("a b", ["a b"]))
    # The core never makes scores of one row that differ, but a formula may change.
    metric, row, references, segment = bleu._parts
    one, two, nan, undefined = (
        bleu._made(value, metric, row, references, segment)
        for value in (bleu.score, 99.0, float("nan"), float("nan"))
    )
    assert bleu.same_as(one)
    assert not bleu.same_as(two)
    assert not bleu.same_as(nan)
    assert nan.same_as(undefined)
    records = [
        truebleu.significance.pair.ComparedSystem(name="a", score=score, interval=None)
        for score in (bleu, chrf, truebleu.sentence_bleu("a b", "a b"))
    ]
    assert records[0] != records[1]
    assert records[0] == records[2]
    assert hash(records[0]) == hash(records[2])
    cost = truebleu.metrics.explanation.Cost(
        name="a", kind="order", points=math.nan, missing=0, superfluous=1
    )
    assert cost.replace() == cost  # The same NaN, as in a tuple.
    assert cost != cost.replace(missing=2)


def test_classes_convert_a_number():
    """``statistics.mean`` calls the type of its data, and gets a float."""
    assert truebleu.BleuScore(fractions.Fraction(1, 2)) == 0.5
    assert type(truebleu.TerScore(1)) is float


def test_it_goes_where_a_float_goes(tmp_path):
    """JSON, Arrow, Parquet and data frames take a score as the number that it is."""
    import json

    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    score = truebleu.sentence_bleu("the cat sat on mat", "the cat is on the mat")
    number = score.score
    assert type(number) is float
    assert json.loads(json.dumps({"score": score})) == {"score": number}
    assert json.loads(json.dumps(score.to_dict())) == json.loads(score.to_json())
    table = pa.table({"score": [score]})
    assert table.schema.field("score").type == pa.float64()
    pq.write_table(table, tmp_path / "scores.parquet")
    assert pq.read_table(tmp_path / "scores.parquet")["score"].to_pylist() == [number]
    for series in (pd.Series([score]), pl.Series([score]), np.array([score])):
        assert str(series.dtype).lower() == "float64"
        assert list(series) == [number]


def test_a_score_of_0_is_printed_with_its_reason():
    """Nobody has to ask why; the format of sacreBLEU is without it."""
    score = truebleu.sentence_bleu("a b", "c d")
    assert str(score) == f"{score.format()}: {score.reason}" == f"{score}"
    assert score.reason not in score.format()
    assert str(truebleu.sentence_bleu("a b", "a b")).endswith("ref_len = 2)")
