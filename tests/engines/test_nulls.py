"""Every engine gives the score of the lists: any metric, policy of nulls, shape of references."""

import duckdb
import entries
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from entries import by_expression, by_sql
from tables_of_text import ANY_METRIC, MATCHES, as_metric
from test_engines import CORPORA, ROWS, keyed, rows_by_ray, rows_by_spark
from toy_metrics import ExactMatch
from truebleu import errors
from truebleu.metrics.several import Several

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

CLUSTERS = [pytest.param(each, marks=entries.SLOW) for each in entries.CLUSTERS]
SHAPES = [["ref_a"], ["ref_a", "ref_b"], ["refs"], ["refs", "ref_b"]]
ROWS_IN_CLUSTERS = [rows_by_spark, rows_by_ray]
POLICIES = ["error", "empty", "skip"]
METRICS = ["bleu", "chrf++", "ter", ExactMatch()]


def with_nulls():
    """Return rows without a hypothesis, without references, and with some; one group has none."""
    rows = MATCHES.slice(60, 40).to_pylist()
    lists = [None, [], [None], [None, "a b c d"]]
    for i, row in enumerate(rows):
        row["system"] = "none" if i % 10 == 9 else row["system"]
        row["mt"] = None if i % 5 == 3 or row["system"] == "none" else row["mt"]
        row["ref_a"] = None if i % 4 == 1 else row["ref_a"]
        row["ref_b"] = None if i % 3 else row["ref_b"]
        row["refs"] = lists[i // 3 % 4] if i % 3 == 0 else row["refs"]
    return pa.Table.from_pylist(rows, MATCHES.schema)


def corpus_of(table, references, nulls):
    """Return the segments that a policy makes of rows, each with its system; None: left out."""
    found = []
    for row in table.to_pylist():
        cells = [row[name] if isinstance(row[name], list) else [row[name]] for name in references]
        several = [text for cell in cells for text in cell or [] if text is not None]
        left_out = nulls == "skip" and (row["mt"] is None or not several)
        texts = (None, None) if left_out else (row["mt"] or "", several or [""])
        found.append((row["system"], row["half"], *texts))
    return found


def cases(nulls, metrics=METRICS, shapes=SHAPES):
    """Return a table, and metrics and columns of references to score it with."""
    table = MATCHES if nulls == "error" else with_nulls()
    if nulls == "error" and metrics is METRICS:
        metrics, shapes = ANY_METRIC, SHAPES[::3]
    return table, [(metric, references) for metric in metrics for references in shapes]


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize("entry", [*CORPORA, *CLUSTERS])
def test_corpora(entry, nulls, start, subtests):
    """The score of a table, and of each of its groups, is that of the lists."""
    start(entry)
    few = (METRICS[-1:], SHAPES[1::2]) if entry in entries.CLUSTERS else ()
    table, chosen = cases(nulls, *few)
    for metric, references in chosen:
        with subtests.test(metric=metric, references=references):
            rows = corpus_of(table, references, nulls)
            corpus = [row for row in rows if row[2] is not None]

            def wanted(rows, name=metric):
                return as_metric(name).corpus([row[2] for row in rows], [row[3] for row in rows])

            more = {"metric": metric, "nulls": nulls}
            found = entry(table, "mt", references, **more)
            expected = wanted(corpus)
            assert found == (expected.score if isinstance(found, float) else expected)
            by = ["system", "half"]
            found = keyed(entry(table, "mt", references, group_by=by, **more), by, **more)
            groups = {key[:2]: [row for row in corpus if row[:2] == key[:2]] for key in corpus}
            expected = {key: wanted(rows).score for key, rows in groups.items()}
            if nulls == "skip" and entry in (by_sql, by_expression):
                expected = dict.fromkeys(row[:2] for row in rows) | expected
            assert found == expected


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize(
    "engine", [*ROWS, *(pytest.param(each, marks=entries.SLOW) for each in ROWS_IN_CLUSTERS)]
)
def test_rows(engine, nulls, subtests, request):
    """Scores, statistics, and scores of these and of sums; a row that is skipped has none."""
    if engine in ROWS_IN_CLUSTERS:
        request.getfixturevalue(engine.__name__.removeprefix("rows_by_"))
    few = (METRICS[-1:], SHAPES[1::2]) if engine in ROWS_IN_CLUSTERS else ()
    table, chosen = cases(nulls, *few)
    for metric, references in chosen:
        with subtests.test(metric=metric, references=references):
            scored = as_metric(metric)
            corpus = [(row[0], *row[2:]) for row in corpus_of(table, references, nulls)]
            there = [row[1] is not None for row in corpus]
            lists = list(zip(*(row[1:] for row in corpus if row[1] is not None), strict=True))
            rows = scored.stats(*lists)
            found = engine(table, references, metric, metric, nulls=nulls)
            scores, stored, rescored, groups = found
            for column, expected in (
                (scores, scored.segments(*lists).tolist()),
                (rescored, [scored.score(row).score for row in rows]),
            ):
                values = [None if value != value else value for value in column]
                assert [
                    value for value, some in zip(values, there, strict=True) if some
                ] == expected
                assert values.count(None) == there.count(False)
            assert stored.column_names == [*scored.fields, "key"]
            assert {column.null_count for column in stored.columns} == {there.count(False)}
            assert rows.from_table(stored.filter(pa.array(there)), scored) == rows
            systems = [row[0] for row in corpus if row[1] is not None]
            for system, score in (groups or {}).items():
                several = [r for r, name in zip(rows, systems, strict=True) if name == system]
                assert score == (scored.score(sum(several)).score if several else None)


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize("entry", [entries.by_arrow, entries.by_polars, entries.by_pandas])
def test_tokens(entry, nulls):
    """A list of tokens is one text, an empty one is no null, and a null is what others are."""
    there = [[*"abcde"], [*"fghij"], []]
    mt, ref = [*there, None, ["x"], None], [*there, ["x", "y"], None, None]
    size = 3 if nulls == "error" else 6
    table = pa.table({"mt": mt, "ref": ref})
    bleu = truebleu.Bleu(tokenizer="pretokenized")
    kept = {"error": 3, "skip": 3, "empty": 6}[nulls]
    expected = bleu.corpus([row or [] for row in mt[:kept]], [[row or []] for row in ref[:kept]])
    assert entry(table.slice(0, size), "mt", "ref", metric=bleu, nulls=nulls) == expected
    for row, error in ((3, truebleu.InputTypeError), (4, errors.EmptyInputError)):
        if nulls == "error":
            with pytest.raises((error, pl.exceptions.ComputeError), match="null"):
                entry(table.slice(row, 1), "mt", "ref", metric=bleu)


@pytest.mark.parametrize("entry", CORPORA)
def test_nothing_is_left(entry):
    """A table of which all rows are skipped is one without rows; no other policy is known."""
    table = with_nulls().filter(pa.compute.field("system") == "none")
    if entry in (by_sql, by_expression):
        assert entry(table, "mt", "ref_a", nulls="skip") is None
    else:
        with pytest.raises(errors.EmptyInputError, match="no rows to score"):
            entry(table, "mt", "ref_a", nulls="skip")
        found = entry(table, "mt", "ref_a", nulls="skip", group_by="system")
        assert entries.groups(found, ["system"]) == []
    with pytest.raises(errors.UnknownNameError, match="nulls 'drop' is unknown; choose one of"):
        entry(table, "mt", "ref_a", nulls="drop")


@pytest.mark.parametrize(
    "entry", [*(each for each in CORPORA if each not in (by_sql, by_expression)), *CLUSTERS]
)
def test_several_metrics(entry, start):
    """They are counted in one read, and each gives the score that it gives alone."""
    start(entry)
    more = {"metric": METRICS, "nulls": "skip"}
    found = entry(with_nulls(), "mt", ["refs", "ref_b"], **more)
    groups = entry(with_nulls(), "mt", ["refs", "ref_b"], group_by="system", **more)
    for metric in METRICS:
        more = {"metric": metric, "nulls": "skip"}
        one = entries.by_arrow(with_nulls(), "mt", ["refs", "ref_b"], **more)
        assert found[as_metric(metric).name].same_as(one)
        one = entries.by_arrow(with_nulls(), "mt", ["refs", "ref_b"], group_by="system", **more)
        assert keyed(groups, "system", metric=metric) == keyed(one, "system", metric=metric)


def test_several_metrics_are_for_corpora():
    """What gives one score for each row says so; in SQL, each has functions of its own."""
    with duckdb.connect() as connection:
        truebleu.engines.duckdb.register(connection, metric=["bleu", "ter"])
        query = "SELECT bleu_segment_score('a', 'a'), ter_segment_score('a', 'a')"
        assert connection.sql(query).fetchall() == [(100.0, 0.0)]
    stored = truebleu.engines.arrow.stats(MATCHES, "mt", "refs", metric=["bleu", "ter"])
    assert stored.column_names == [*Several(["bleu", "ter"]).fields, "key"]
    found = truebleu.engines.arrow.score_stats(stored, metric=["bleu", "ter"])
    for name in ("bleu", "ter"):
        one = truebleu.engines.arrow.corpus_score(MATCHES, "mt", "refs", metric=name)
        assert found[one.metric.name] == one.score
    with pytest.raises(truebleu.SettingsError, match="BLEU, TER: several metrics at once are"):
        truebleu.engines.arrow.segment_score(MATCHES, "mt", "refs", metric=["bleu", "ter"])
