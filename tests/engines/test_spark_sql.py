"""The functions that `register` adds to the SQL of Spark."""

import entries
import pytest
import truebleu
from tables_of_text import TABLE, lists_of, wanted
from toy_metrics import ExactMatch
from truebleu import Bleu

pytestmark = entries.SLOW


@pytest.fixture(scope="module")
def engine(spark):
    from truebleu.engines import spark as module

    spark.createDataFrame(TABLE).createOrReplaceTempView("texts")
    module.register(spark, metric=["bleu", "chrf++", "ter", ExactMatch()])
    module.register(spark, metric=["bleu", "chrf++", "ter", ExactMatch()])
    module.register(spark, prefix="lower_", lowercase=True, nulls="skip")
    return module


def test_aggregates(spark, engine):
    """Several in one query, in groups and windows, are the scores of their rows; so are sums."""
    query = """
        SELECT system, bleu_corpus_score(mt, refs), chrf2_pp_corpus_score(mt, ref_a),
            ter_corpus_score(mt, array(ref_a, ref_b)), exact_match_corpus_score(mt, ref_a),
            lower_bleu_corpus_score(mt, ref_a)
        FROM texts GROUP BY system
    """
    asked = [("bleu", "refs"), ("chrf++", "ref_a"), ("ter", "ref_a ref_b")]
    asked += [(ExactMatch(), "ref_a"), (Bleu(lowercase=True), "ref_a")]
    for system, *scores in spark.sql(query).collect():
        rows = TABLE.filter([each == system for each in TABLE["system"].to_pylist()])
        want = [wanted(rows, references.split(), metric) for metric, references in asked]
        assert scores == [float(each.score) for each in want]
    rows = spark.sql("SELECT bleu_score_stats(bleu_stats(mt, refs)) AS bleu FROM texts").toArrow()
    stats = Bleu().stats(*lists_of(TABLE, ["refs"]))
    assert rows["bleu"].to_pylist() == [Bleu().score(row).score for row in stats]
    query = "SELECT half, bleu_corpus_score(mt, ref_a) OVER (PARTITION BY half) AS bleu FROM texts"
    for half, score in set(map(tuple, spark.sql(query).collect())):
        rows = TABLE.filter([each == half for each in TABLE["half"].to_pylist()])
        assert score == wanted(rows, ["ref_a"]).score


def test_nulls_and_no_rows(spark, engine):
    """Nulls are refused unless they are skipped; the score of no rows is null."""
    from pyspark.errors import PySparkException

    nulls = "(mt, ref_a) FROM (SELECT nullif(mt, mt) AS mt, ref_a FROM texts)"
    for what in ("corpus", "segment"):
        with pytest.raises(PySparkException, match="column 'hypotheses' has nulls; every hypo"):
            spark.sql(f"SELECT bleu_{what}_score{nulls}").collect()
    assert spark.sql(f"SELECT lower_bleu_corpus_score{nulls}").collect() == [(None,)]
    for end in ("", " GROUP BY half"):
        query = f"SELECT bleu_corpus_score(mt, ref_a) FROM texts WHERE half > 5{end}"
        assert {row[0] for row in spark.sql(query).collect()} <= {None}
    for call, message in (
        ("segment_score(mt)", "0 references given: one is needed, or a list"),
        ("corpus_score(mt, mt, mt)", "2 references given: one is needed, or a list"),
        ("score_stats(mt)", "statistics are a struct, but this is of type string"),
        ("corpus_score(half, mt)", "column 'hypotheses' is a column of Int64"),
    ):
        with pytest.raises(PySparkException, match=message):
            spark.sql(f"SELECT bleu_{call} FROM texts").collect()
    with pytest.raises(truebleu.SettingsError, match="prefix is 'a b'; letters, digits and _"):
        engine.register(spark, prefix="a b")
    with pytest.raises(truebleu.InputTypeError, match="session is of type Table; a session of"):
        engine.register(TABLE)
    with pytest.raises(truebleu.SettingsError, match="two of the metrics are called BLEU"):
        engine.register(spark, metric=["bleu", Bleu(lowercase=True)])
