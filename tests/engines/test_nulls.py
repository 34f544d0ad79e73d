"""Every engine does the same with nulls, under any policy, metric, and shape of references."""

import entries
import pyarrow as pa
import pytest
import truebleu
from tables_of_text import MATCHES, as_metric, lists_of
from test_engines import CORPORA, ROWS
from toy_metrics import ExactMatch

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

SHAPES = [["ref_a"], ["ref_a", "ref_b"], ["refs"], ["refs", "ref_b"]]
POLICIES = ["empty", "skip"]
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


TABLE = with_nulls()


def plain(references, nulls):
    """Return the corpus that a policy makes: its systems, hypotheses and references; None: left out."""
    found = []
    for system, text, several in zip(
        TABLE["system"].to_pylist(), *lists_of_nulls(references), strict=True
    ):
        if nulls == "skip" and (text is None or not several):
            found.append((system, None, None))
        else:
            found.append((system, text or "", several or [""]))
    return found


def lists_of_nulls(references):
    columns = [
        [cell if isinstance(cell, list) else [cell] for cell in TABLE[name].to_pylist()]
        for name in references
    ]
    rows = (
        [text for cell in row for text in cell or [] if text is not None]
        for row in zip(*columns, strict=True)
    )
    return TABLE["mt"].to_pylist(), list(rows)


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize(
    "entry", [*CORPORA, *(pytest.param(each, marks=entries.SLOW) for each in entries.CLUSTERS)]
)
def test_corpora(entry, nulls, start, subtests):
    """The score of a table, and of each of its groups, is that of the lists."""
    start(entry)
    few = entry in entries.CLUSTERS
    for metric in METRICS[-1:] if few else METRICS:
        for references in SHAPES[1::2] if few else SHAPES:
            with subtests.test(metric=metric, references=references):
                scored = as_metric(metric)
                corpus = [row for row in plain(references, nulls) if row[1] is not None]
                found = entry(TABLE, "mt", references, metric=metric, nulls=nulls)
                expected = scored.corpus(*list(zip(*corpus, strict=True))[1:])
                assert found == (expected.score if isinstance(found, float) else expected)
                found = entry(
                    TABLE, "mt", references, metric=metric, nulls=nulls, group_by="system"
                )
                found = dict(entries.groups(found, ["system"], scored.identifier))
                if nulls == "skip" and entry in (entries.by_sql, entries.by_expression):
                    assert found.pop(("none",)) is None
                assert found == {
                    (system,): scored.corpus(
                        *list(zip(*(row for row in corpus if row[0] == system), strict=True))[1:]
                    ).score
                    for system in {row[0] for row in corpus}
                }


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize("engine", ROWS)
def test_rows(engine, nulls, subtests):
    """A row that is skipped has neither statistics nor a score, and adds nothing."""
    for metric in METRICS:
        for references in SHAPES:
            with subtests.test(metric=metric, references=references):
                scored = as_metric(metric)
                corpus = plain(references, nulls)
                rows = [
                    None if row[1] is None else scored.stats([row[1]], [row[2]]) for row in corpus
                ]
                scores, stored, rescored, groups = engine(
                    TABLE, references, metric, metric, nulls=nulls
                )
                none = lambda values: [None if each != each else each for each in values]
                expected = [
                    None if row is None else scored.sentence(text, several).score
                    for row, (_, text, several) in zip(rows, corpus, strict=True)
                ]
                assert none(scores) == expected
                expected = [None if row is None else scored.score(row).score for row in rows]
                assert none(rescored) == expected
                for field, column in zip(scored.fields, stored.columns[:-1], strict=True):
                    place = scored.fields.index(field)
                    assert column.to_pylist() == [
                        None if row is None else row.to_numpy()[0, place] for row in rows
                    ]
                for system, score in (groups or {}).items():
                    several = [
                        row
                        for row, each in zip(rows, corpus, strict=True)
                        if row and each[0] == system
                    ]
                    expected = scored.score(sum(several)).score if several else None
                    assert score == expected


@pytest.mark.parametrize("entry", CORPORA)
def test_nothing_is_left(entry):
    """A table of which all rows are skipped is one without rows; no other policy is known."""
    table = TABLE.filter(pa.compute.equal(TABLE["system"], "none"))
    if entry in (entries.by_sql, entries.by_expression):
        assert entry(table, "mt", "ref_a", nulls="skip") is None
    else:
        with pytest.raises(truebleu.EmptyInputError, match="no rows to score"):
            entry(table, "mt", "ref_a", nulls="skip")
        found = entry(table, "mt", "ref_a", nulls="skip", group_by="system")
        assert entries.groups(found, ["system"]) == []
    with pytest.raises(truebleu.UnknownNameError, match="nulls 'drop' is unknown; choose one of"):
        entry(table, "mt", "ref_a", nulls="drop")
