"""Every engine gives the score of the lists, whatever the batches, and refuses the same input."""

import ast
import importlib
import re
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import duckdb
import entries
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import truebleu
from entries import (
    by_arrow,
    by_expression,
    by_pandas,
    by_parquet,
    by_polars,
    by_sql,
    in_sql,
    several_files,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT
from tables_of_text import (
    MATCHES,
    SIZE,
    TABLE,
    as_metric,
    wanted,
)
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Chrf, SettingsError, Stats, StatsMismatchError, Ter, errors
from truebleu.engines import arrow, streams
from truebleu.engines import duckdb as sql
from truebleu.engines import polars as expressions
from truebleu.engines.job import Job
from truebleu.metrics.registry import METRICS
from truebleu.significance import design

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")


CORPORA = [entry for entry in entries.LOCAL if entry not in (by_parquet, entries.by_arrow_file)]


def keyed(found, group_by, **settings):
    """Return the scores of groups by their keys."""
    return dict(entries.groups(found, entries.listed(group_by), entries.identifier(**settings)))


# Names of columns that an engine or a result adds, and names like them.
INTERNAL = {
    *("last_key", "Last_Key", "last_key_", "rows", "rows_", "counted", "COUNTED", "given"),
    *("counted_", "group_0", "column_0", "truebleu_arrow", "truebleu_unit", "stats", "index"),
    *("data", "hypotheses", "references", "row_nr", "level_0", "0"),
    *("fewest_references", "most_references", "Fewest_References"),
}
RESERVED = {"key", "bleu", "segments", "hyp_len", "match_1", "total_4"}
BY_USERS = (by_sql, by_expression)


@pytest.mark.parametrize("entry", CORPORA)
@pytest.mark.parametrize("references", [["ref_a"], ["refs"], ["ref_a", "ref_b"], ["refs", "ref_b"]])
def test_corpus(entry, references):
    """The score is that of the lists, with any tokenizer."""
    expected = wanted(TABLE, references)
    found = entry(TABLE, "mt", references)
    # Expressions and SQL know numbers only.
    assert found == (expected.score if isinstance(found, float) else expected)
    if not isinstance(found, float):
        assert found.signature == expected.signature
    table = TABLE.slice(2 * SIZE)
    for tokenizer in ("ja-mecab", "char", str.split):
        expected = wanted(table, references, tokenizer=tokenizer).score
        assert float(entry(table, "mt", references, tokenizer=tokenizer)) == expected, tokenizer


@pytest.mark.parametrize("entry", CORPORA)
def test_names_of_groups(entry, subtests):
    """A group of any name is scored as under another, unless a result has the name."""
    expected = keyed(entry(TABLE, "mt", ["ref_a"], group_by="system"), "system")
    for name in sorted(INTERNAL | RESERVED):
        # In SQL and expressions, the user writes the names of results and quotes the others.
        if entry in BY_USERS and name in RESERVED | {"0", "references"}:
            continue
        with subtests.test(name=name):
            named = TABLE.rename_columns({"system": name})
            if name in RESERVED:
                with pytest.raises(SettingsError, match="rename it"):
                    entry(named, "mt", ["ref_a"], group_by=name)
            else:
                found = entry(named, "mt", ["ref_a"], group_by=name)
                assert keyed(found, name) == expected


@pytest.mark.parametrize("groups", [{}, {"group_by": "system"}])
@pytest.mark.parametrize("entry", CORPORA)
def test_a_sum_that_does_not_fit_into_int64(entry, groups, monkeypatch):
    """Each engine adds up what it has counted in a way that notices."""
    # A row that a text has, in theory, and that fits once and not twice.
    row = struct.pack("<10q", 2**62, 2**62, *[2**62 - n for n in range(4)] * 2)

    def counted(counting, hypotheses, *_, each=True, **__):
        [metric, _] = counting
        return Stats(row * (len(hypotheses) if each else 1), metric, 1, 1), None

    for module in (arrow, expressions):
        monkeypatch.setattr(module, "count_columns", counted)
    monkeypatch.setattr(streams, "_FEWEST", 1)
    monkeypatch.setattr(streams, "_MOST", 100)
    with pytest.raises((truebleu.InputError, duckdb.Error), match=r"int64|INT64|BIGINT"):
        entry(pa.concat_tables([TABLE] * 2), "mt", "ref_a", **groups)


# Any metric


def rows_by_arrow(table, references, metric, scored, **more):
    small = pa.Table.from_batches(table.to_batches(max_chunksize=7), table.schema)
    return rows_of(small, table, references, metric, scored, **more)


def rows_by_pandas(table, references, metric, scored, **more):
    frame = pd.DataFrame(table.to_pydict(), index=range(7, 7 + len(table)))
    return rows_of(frame, table, references, metric, scored, **more)


def rows_by_polars(table, references, metric, scored, **more):
    return rows_of(pl.from_arrow(table), table, references, metric, scored, **more)


def rows_by_lazy_polars(table, references, metric, scored, **more):
    return rows_of(pl.from_arrow(table).lazy(), table, references, metric, scored, **more)


def rows_by_files(table, references, metric, scored, **more):
    return rows_of(several_files(table), table, references, metric, scored, **more)


def rows_of(data, table, references, metric, scored, **more):
    """Return the scores of rows, their statistics, and the scores of these by row and by system."""
    scores = arrow.segment_score(data, "mt", references, metric=metric, **more)
    stored = arrow.stats(data, "mt", references, metric=metric, **more)
    labelled = stored.append_column("row", pa.array(range(len(stored))))
    labelled = labelled.append_column("system", table["system"])

    def again(by, given):
        found = arrow.score_stats(given, group_by=by, metric=scored)
        return dict(entries.groups(found, [by], as_metric(scored).identifier))

    by_row = {key: score for (key,), score in again("row", labelled).items()}
    rescored = [by_row.get(row) for row in range(len(stored))]
    # Sums of sums: batches of a few rows, as those that jobs store.
    sums = labelled.group_by(["system", "key"], use_threads=False)
    sums = sums.aggregate([(field, "sum") for field in as_metric(metric).fields])
    sums = sums.rename_columns(["system", "key", *as_metric(metric).fields])
    groups = again("system", sums)
    assert groups == again("system", labelled.to_reader(max_chunksize=5))
    groups = {key: score for (key,), score in groups.items()}
    # Those of rows that are all null are none.
    groups = dict.fromkeys(table["system"].to_pylist()) | groups
    return scores.to_pylist(), stored, rescored, groups


def rows_by_expression(table, references, metric, scored, **more):
    frame = pl.from_arrow(table).lazy()
    texts = pl.col("mt").truebleu
    found = frame.select(
        "system",
        texts.segment_score(*references, metric=metric, **more).alias("scores"),
        texts.stats(*references, metric=metric, **more).alias("stats"),
    ).collect()
    rescored = found["stats"].to_frame().select(pl.all().truebleu.score_stats(metric=scored))
    stored = found["stats"].struct.unnest()
    # Added up and scored in one context.
    sums = pl.struct(
        *(pl.col(field).sum() for field in as_metric(metric).fields), pl.col("key").max()
    )
    groups = stored.with_columns(found["system"]).lazy().group_by("system")
    groups = groups.agg(sums.truebleu.score_stats(metric=scored).alias("score")).collect()
    return found["scores"], stored.to_arrow(), rescored.to_series(), dict(groups.rows())


def rows_by_sql(table, references, metric, scored, **more):
    name, other = as_metric(metric).identifier, f"other_{as_metric(scored).identifier}"
    with duckdb.connect() as connection:
        sql.register(connection, metric=metric, **more)
        sql.register(connection, metric=scored, prefix="other_")
        connection.register("data", table)
        texts = f"mt, {in_sql(references)}"
        scores = connection.sql(f"SELECT {name}_segment_score({texts}) FROM data").fetchall()
        connection.execute(f"CREATE TABLE t AS SELECT system, {name}_stats({texts}) AS s FROM data")
        stored = connection.sql("SELECT unnest(s) FROM t").to_arrow_table()
        rescored = connection.sql(f"SELECT {other}_score_stats(s) FROM t").fetchall()
        groups = connection.sql(
            f"SELECT system, {other}_score_stats({name}_sum(s)) FROM t GROUP BY system"
        ).fetchall()
    return [score for (score,) in scores], stored, [score for (score,) in rescored], dict(groups)


def rows_by_spark(table, references, metric, scored, **more):
    from pyspark.sql import SparkSession
    from truebleu.engines import spark as engine

    numbered = table.append_column("number", pa.array(range(len(table))))
    frame = SparkSession.active().createDataFrame(numbered).repartition(5)
    counted = frame.select(
        *("number", "system"),
        engine.segment_score("mt", references, metric=metric, **more).alias("score"),
        engine.stats("mt", *references, metric=metric, **more).alias("stats"),
    ).cache()
    found = counted.orderBy("number").toArrow()
    fields = as_metric(metric).fields
    stored = pa.table(found["stats"].combine_chunks().flatten(), [*fields, "key"])
    rows = counted.select("number", "system", "stats.*")
    of_groups = (
        engine.score_stats(rows, group_by=name, metric=scored).collect()
        for name in ("number", "system")
    )
    again, groups = (
        {row[name]: row[as_metric(scored).identifier] for row in several}
        for name, several in zip(("number", "system"), of_groups, strict=True)
    )
    rescored = [again.get(row) for row in range(len(stored))]
    groups = dict.fromkeys(table["system"].to_pylist()) | groups
    return found["score"].to_pylist(), stored, rescored, groups


def rows_by_ray(table, references, metric, scored, **more):
    import ray
    from truebleu.engines import ray as engine

    data = ray.data.from_arrow([table.slice(0, 25), table.slice(25)])
    name, fields = as_metric(metric).identifier, as_metric(metric).fields
    scores = engine.segment_score(data, "mt", references, metric=metric, **more).take_all()
    counted = engine.stats(data, "mt", references, metric=metric, **more)
    stored = pa.Table.from_pylist(counted.take_all())
    numbered = stored.select([*fields, "key"]).append_column("row", pa.array(range(len(stored))))
    data = ray.data.from_arrow(numbered)
    found = engine.score_stats(data, group_by="row", metric=scored).take_all()
    again = {row["row"]: row[as_metric(scored).identifier] for row in found}
    sums = engine.score_stats(counted, group_by="system", metric=scored).take_all()
    groups = dict.fromkeys(table["system"].to_pylist())
    groups |= {row["system"]: row[as_metric(scored).identifier] for row in sums}
    rescored = [again.get(row) for row in range(len(stored))]
    return [row[name] for row in scores], stored.select([*fields, "key"]), rescored, groups


ROWS = [
    *(rows_by_arrow, rows_by_pandas, rows_by_polars, rows_by_lazy_polars, rows_by_files),
    *(rows_by_expression, rows_by_sql),
]


@pytest.mark.parametrize("engine", ROWS)
def test_statistics_of_another_metric(engine, subtests):
    """Statistics with the same fields are refused all the same if their key is another."""
    kinds = (StatsMismatchError, duckdb.Error)
    for metric, other in (
        (Bleu(lowercase=True), Bleu(tokenizer="char")),
        (ExactMatch(), Misses()),
        (Misses(), ExactMatch()),
        ("chrf", Chrf(lowercase=True)),
        (Ter(normalized=True), "ter"),
    ):
        refused = pytest.raises(kinds, match="these statistics have the key")
        with subtests.test(metric=metric, other=other), refused:
            engine(MATCHES, ["ref_a"], metric, other)


@pytest.mark.parametrize("entry", CORPORA)
def test_a_metric_by_name_or_settings(entry):
    """A metric has a name; the settings of BLEU do not go with it."""
    for name, metric in METRICS.items():
        found = entry(TABLE, "mt", "ref_a", metric=name)
        assert found == entry(TABLE, "mt", "ref_a", metric=metric())
        assert (found == entry(TABLE, "mt", "ref_a")) == (name == "bleu")
        with pytest.raises(SettingsError, match="metric cannot be combined with lowercase"):
            entry(TABLE, "mt", "ref_a", metric=name, lowercase=True)


@pytest.mark.parametrize("engine", ROWS)
def test_no_rows_no_scores(engine):
    """A metric in Python is not asked for the scores of no rows."""
    scores, stored, rescored, _ = engine(MATCHES[:0], ["ref_a"], ExactMatch(), ExactMatch())
    assert (len(scores), stored.num_rows, len(rescored)) == (0, 0, 0)


def test_names_of_columns():
    """Columns of a result have different names, whatever the metric calls its fields."""
    found = arrow.corpus_score(MATCHES, "mt", "ref_a", group_by="half", metric=ExactMatch())
    counts = ["matches", "segments", "key"]
    assert found.column_names == ["half", "exact_match", "segments_", *counts]
    assert found["segments_"] == found["segments"]
    for name in ("segments_", "matches", "exact_match"):
        named = MATCHES.rename_columns({"half": name})
        with pytest.raises(SettingsError, match=f"column '{name}' clashes with a result"):
            arrow.corpus_score(named, "mt", "ref_a", group_by=name, metric=ExactMatch())

    class Odd(ExactMatch):
        fields = ("a b", 'c"d')

    one, other = (
        by_sql(MATCHES, "mt", "ref_a", group_by="half", metric=metric).sort_by("half")
        for metric in (Odd(), ExactMatch())
    )
    assert one == other
    assert by_parquet(MATCHES, "mt", "ref_a", metric=Odd()).score > 0
    for names in (("key", "n"), ("n", "N"), ("n", "EXACT_match")):
        Odd.fields = names
        with pytest.raises(SettingsError, match=f"field '{names[-1]}' of Odd clashes|'key' of Odd"):
            Job("mt", "ref", metric=Odd())


# A call takes as long as many rows: a few of each system are enough to be cut anywhere.
FEW = TABLE.take(list(range(0, len(TABLE), 9)))


@given(st.lists(st.integers(0, len(FEW)), max_size=6), st.integers(1, 12))
@settings(deadline=None)
def test_any_batches_give_the_same_sums(cuts, most):
    job = Job("mt", ["ref_a", "ref_b"], ["system"], metric=Bleu())
    places = [0, *sorted(cuts), len(FEW)]
    batches = []
    for start, stop in pairwise(places):
        batches += FEW.slice(start, stop - start).to_batches(max_chunksize=most)
    whole = arrow.partial_sums(FEW.combine_chunks().to_batches(), job).sort_by("system")
    assert arrow.partial_sums(batches, job).sort_by("system") == whole
    # Partitions are batches that were added up elsewhere.
    parts = [arrow.partial_sums([batch], job) for batch in batches if len(batch)]
    assert arrow.join_sums(parts, job).sort_by("system") == whole


def test_many_groups_are_joined_along_the_way(monkeypatch):
    monkeypatch.setattr(arrow, "_SUMS", 8)
    job = Job("mt", "ref_a", ["mt"], metric=Bleu())
    batches = TABLE.to_batches(max_chunksize=3) * 5
    found = arrow.partial_sums(batches, job)
    assert len(found) == len(set(TABLE["mt"].to_pylist()))
    assert sum(found["segments"].to_pylist()) == 5 * len(TABLE)


def test_groups_whose_names_are_encoded():
    """Batches may have dictionaries of their own."""
    parts = [
        pa.record_batch({"name": pa.array(keys).dictionary_encode(), "mt": keys, "ref": ["x", "y"]})
        for keys in (["x", "y"], ["z", "x"])
    ]
    reader = pa.RecordBatchReader.from_batches(parts[0].schema, parts)
    found = arrow.corpus_score(reader, "mt", "ref", group_by="name", max_order=1)
    assert found["name"].to_pylist() == ["x", "y", "z"]
    assert found["segments"].to_pylist() == [2, 1, 1]


# What is refused

BAD = pa.table(
    {
        "mt": ["a b", None],
        "ok": ["a b", "c"],
        "ref": ["a b", "c"],
        "none": pa.array([None, "c"]),
        "number": [1, 2],
        "lists": [["a"], ["b"]],
    }
)
REFUSED = [
    (
        ("missing", "ref"),
        errors.UnknownNameError,
        "there is no column 'missing'; the columns",
    ),
    (
        ("ok", ["ref", "gone"]),
        errors.UnknownNameError,
        "there is no column 'gone'; the columns",
    ),
    (("ok", "number"), truebleu.InputTypeError, "column 'number' is "),
    (("number", "ref"), truebleu.InputTypeError, "column 'number' is "),
    (("lists", "ref"), truebleu.InputTypeError, "a column of "),
    (("mt", "ref"), truebleu.InputTypeError, "column 'mt' has nulls; every hypothesis must be"),
    (("ok", "none"), errors.EmptyInputError, "no reference"),
    (("ok", []), truebleu.SettingsError, "references is empty"),
    (("ok", [3]), truebleu.InputTypeError, "references 3 is of type int; a name, as a str"),
    ((None, "ref"), truebleu.InputTypeError, "hypothesis None is of type NoneType"),
]


@pytest.mark.parametrize("entry", [by_arrow, by_pandas, by_polars, by_parquet])
def test_refused(entry, subtests):
    """Columns that are missing or of another type are named."""
    for names, error, message in REFUSED:
        with subtests.test(names=names), pytest.raises(error, match=re.escape(message)):
            entry(BAD, *names)


@pytest.mark.parametrize("entry", CORPORA)
def test_no_rows(entry):
    """A table without rows has no score, null in SQL and expressions, and no groups."""
    none = TABLE.slice(0, 0)
    if entry in BY_USERS:
        assert entry(none, "mt", "ref_a") is None
    else:
        with pytest.raises(errors.EmptyInputError, match="no rows to score"):
            entry(none, "mt", "ref_a")
    assert entries.groups(entry(none, "mt", "ref_a", group_by="system"), ["system"]) == []


@pytest.mark.parametrize("entry", [each for each in CORPORA if each is not by_sql])
def test_a_smoothing_for_sentences_only(entry):
    """SQL has the function for sentences alone."""
    with pytest.raises(truebleu.SettingsError, match="only defined for one segment"):
        entry(TABLE, "mt", "ref_a", smoothing="method5")


def test_sums_of_no_rows():
    job = Job("mt", "ref_a", ["system"], metric=Bleu())
    some = arrow.partial_sums(TABLE.to_batches(), job)
    none = arrow.partial_sums(TABLE.slice(0, 0).to_reader(), job)
    assert (none.schema, len(none)) == (some.schema, 0)
    assert arrow.join_sums([none, some], job) == some


# Extras

LIBRARIES = {
    "arrow": "pyarrow",
    "duckdb": "duckdb",
    "files": "pyarrow",
    "polars": "polars",
    "ray": "ray",
    "spark": "pyspark",
    "streams": "pyarrow",
}


@pytest.mark.parametrize("engine", LIBRARIES)
def test_a_missing_library(engine):
    """Each engine says which extra it needs; nothing else needs any of them."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[1:]))\n"
        "import truebleu\n"
        "assert truebleu.corpus_bleu(['a b c d'], ['a b c d']).score > 99\n"
        f"import truebleu.engines.{engine}\n"
    )
    libraries = sorted(set(LIBRARIES.values()))
    found = subprocess.run(
        [sys.executable, "-c", code, *libraries], capture_output=True, text=True, check=False
    )
    extra = "arrow" if engine in ("files", "streams") else engine
    last = found.stderr.strip().splitlines()[-1]
    assert last.startswith("truebleu.errors.MissingExtraError: this needs ")
    assert last.endswith(f"pip install 'truebleu[{extra}]'")


ENGINES = Path(truebleu.__file__).parent / "engines"
FOUR = ["corpus_score", "score_stats", "segment_score", "stats"]


def parameters(function):
    """List the parameters of a parsed function, with their defaults, without annotations."""
    arguments = function.args
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg):
            each.annotation = None
    arguments.args = [each for each in arguments.args if each.arg != "self"]
    return ast.unparse(arguments)


def sources(name):
    """Return the files of an engine: a module, or a folder."""
    return sorted((ENGINES / name).glob("*.py")) or [ENGINES / f"{name}.py"]


def definitions(name):
    """Return the public functions and methods of an engine, parsed: it need not be there."""
    texts = [path.read_text("utf-8") for path in sources(name)]
    parts = [each for text in texts for each in ast.parse(text).body]
    kinds = (ast.FunctionDef, ast.ClassDef)
    found = {each.name: each for each in parts if isinstance(each, kinds)}
    for each in list(found.values()):
        if isinstance(each, ast.ClassDef):
            methods = (part for part in each.body if isinstance(part, ast.FunctionDef))
            found |= {f"{each.name}.{part.name}": part for part in methods}
    return found


@pytest.mark.parametrize("name", ["arrow", "polars", "ray", "spark"])
def test_four_functions(name):
    """Every engine has the same four, and all of them take a metric or settings."""
    found = definitions(name)
    place = "Expressions." if name == "polars" else ""
    for function in FOUR:
        shown = parameters(found[f"{place}{function}"])
        nulls = "" if function == "score_stats" else "nulls='error', "
        assert shown.endswith(f"{nulls}metric=None, **settings")


def test_the_page_of_public_names():
    """It has every public function of every engine, with its parameters."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    page = page.partition("## Engines")[2].partition("\n## ")[0]
    rows_ = re.findall(r"(?m)^\| `(\w+)\.(\w+)(?:\((.*?)\))?`", page)
    for name, function, written in rows_:
        found = definitions(name)
        if written:
            kind = found[function]
            kind = found[f"{function}.__init__"] if isinstance(kind, ast.ClassDef) else kind
            expected = parameters(kind)
            for constant in ("ALPHA", "RESAMPLES", "SEED"):
                expected = expected.replace(f"={constant}", f"={getattr(design, constant)}")
            assert parameters(ast.parse(f"def f({written}): 0").body[0]) == expected
    for name in LIBRARIES:
        if f"`{name}." in page:
            text = "".join(path.read_text("utf-8") for path in sources(name))
            [public] = re.findall(r"(?s)__all__ = (\[.*?\])", text)
            for function in ast.literal_eval(public):
                assert f"`{name}.{function}" in page


def test_every_engine_has_a_test():
    names = {path.parent.name for path in ENGINES.glob("*/__init__.py")}
    names |= {path.stem for path in ENGINES.glob("*.py")} - {"__init__", "job", "lakes"}
    assert names == set(LIBRARIES)
    for name in names - {"ray", "spark"}:
        assert importlib.import_module(f"truebleu.engines.{name}")
