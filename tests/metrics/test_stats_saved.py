"""Statistics in files: what is read is what was written, and counts for the texts themselves."""

import json

import pytest
import truebleu
from looping import looped
from project import DATA, EXAMPLES, ROOT
from truebleu import Bleu, Chrf, SavedStats, Stats, Ter, compare, read_lines, read_stats

pytestmark = pytest.mark.filterwarnings("ignore:there is no checksum of the references")

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.bz2", ".jsonl.xz", ".jsonl.zst")
METRICS = (Bleu(), Bleu(max_order=2, smoothing="floor", lowercase=True), Chrf(word_order=2), Ter())
NAMES = ("strong", "medium", "weak")
TEXTS = {name: read_lines(EXAMPLES / f"system-{name}.en") for name in NAMES}
REFERENCES = list(zip(*(read_lines(EXAMPLES / f"reference-{a}.en") for a in "ab"), strict=True))
DOCUMENTS = read_lines(EXAMPLES / "documents.txt")


def counted(metric, texts=TEXTS, references=REFERENCES):
    """Count each system."""
    return {name: metric.stats(lines, references) for name, lines in texts.items()}


def saved_of(*metrics, batch="", texts=TEXTS, references=REFERENCES, **more):
    """Return statistics of several metrics."""
    known = {"batch": batch, "references": references, **more}
    first, *others = (SavedStats(counted(m, texts, references), m, **known) for m in metrics)
    return first.merge(*others)


@looped("suffix", SUFFIXES)
def test_what_is_read_is_what_was_written(suffix, tmp_path):
    """Segments and sums, with and without names, documents and batches, of every form."""
    path = tmp_path / f"x{suffix}"
    units = [f"u{number} é\n" for number in range(72)]
    for known in ({}, {"units": units, "documents": DOCUMENTS, "batch": "2026-11-26"}):
        whole = saved_of(*(METRICS[place] for place in (1, 2, 3)), **known)
        for saved in (whole, whole.summed()):
            saved.write(path)
            again = read_stats(path)
            assert again == saved
            assert again.scores("ter") == whole.scores("ter")
    assert whole.units[0] == "2026-11-26:u0 é\n"


HYPOTHESES = ["a b c d x", "f g h i j", "k l m n o", "p q r x t"]
SINGLE = ["a b c d e", "f g h i j", "k l m n o", "p q r s t"]


def test_all_that_is_written_can_be_read(tmp_path):
    """Names that are no text, dates, parts of a system, unknown references: written, and the same.

    What a file could not hold is refused before it is written.
    """
    pa = pytest.importorskip("pyarrow")
    from datetime import date

    from truebleu.engines import arrow

    bleu, path = Bleu(), tmp_path / "x.jsonl"
    rows = bleu.stats(HYPOTHESES, SINGLE)
    unknown = Stats.join([rows[:2], Stats.from_numpy(rows[2:].to_numpy(), bleu)])
    assert unknown.references is None
    days = [date(2026, 11, 26), None] * 2
    table = pa.table({"mt": HYPOTHESES, "ref": SINGLE, "day": days})
    by_day = arrow.corpus_score(table, "mt", "ref", group_by="day")
    names = ["\udc80", "é", "\u2028", "d"]
    weights = [1 / 64 + number / 10**17 for number in range(64)]
    long = Bleu(max_order=64, weights=weights)
    for saved in (
        SavedStats({"A": unknown}),
        SavedStats({"A" * 70_000: rows}),
        SavedStats({"A": rows[:2]}, units=["a", "b"]).merge(
            SavedStats({"A": rows[2:]}, units=["c", "d"])
        ),
        SavedStats({"A": by_day}, batch="x"),
        SavedStats({"\udc80": rows}, batch="\udc80", units=names, documents=names),
        SavedStats({"A": long.stats(HYPOTHESES, SINGLE)}, long),
    ):
        saved.write(path)
        again = read_stats(path)
        assert again == saved
        assert not again.batches or again.merge(saved) == saved
    for call, message in [
        (lambda: SavedStats({"A": rows}, units=["\udc80", "\\udc80", "c", "d"]), "twice"),
        (lambda: SavedStats({"A": rows}, units=["\udc80" * 1000, "b", "c", "d"]), "1,024 char"),
        (lambda: SavedStats({"A": rows}, units=["", "b", "c", "d"]), "units[0] is ''"),
        (
            lambda: SavedStats({"A": by_day.rename_columns(["system", *by_day.column_names[1:]])}),
            "has a column 'system'",
        ),
        (lambda: SavedStats({"A": by_day}, documents="day"), "whose rows have no order"),
        (lambda: SavedStats({"A": by_day}, references=["a"]), "there are references of 1"),
    ]:
        assert message in refusal(call), message


REAL = [
    ("newstest2021/en-de", ["refA", "refC"], 3),
    ("ted2021-mqm/zh-en", ["refA"], 4),
]


def real_texts(pair, streams, systems):
    """Read real texts."""
    folder = DATA / pair
    if not folder.is_dir():
        pytest.skip("there are no real data")
    files = sorted(folder.glob("sys.*.txt"))[:systems]
    texts = {path.name.split(".")[1]: read_lines(path) for path in files}
    references = [read_lines(folder / f"ref.{name}.txt") for name in streams]
    return texts, list(zip(*references, strict=True))


@pytest.mark.filterwarnings(
    "ignore::truebleu.SmallSampleWarning", "ignore:.*eighboring:truebleu.SettingsWarning"
)
@pytest.mark.parametrize(("pair", "streams", "systems"), REAL)
def test_comparisons_are_those_of_the_texts(pair, streams, systems, tmp_path):
    """Scores, intervals and p-values, to the last digit; rows may come in any order."""
    texts, references = real_texts(pair, streams, systems)
    size = len(references)
    documents = [f"d{number // 12}" for number in range(size)]
    metrics = ["bleu", "chrf++"]
    how = {"n_resamples": 200}
    path, other = tmp_path / "x.jsonl.gz", tmp_path / "y.jsonl"
    names = [*texts]
    chosen = [Bleu(), Chrf(word_order=2)]
    first = {name: texts[name] for name in names[:-1]}
    known = {"documents": documents, "references": references}
    saved_of(*chosen, texts=first, **known).write(path)
    # The other system has its segments in another order.
    order = sorted(range(size), key=lambda number: (number * 7919) % size)
    turned = {names[-1]: [texts[names[-1]][number] for number in order]}
    refs = [references[number] for number in order]
    parts = [
        SavedStats(
            counted(metric, turned, refs),
            metric,
            units=[str(number + 1) for number in order],
            documents=[documents[number] for number in order],
        )
        for metric in chosen
    ]
    parts[0].merge(parts[1]).write(other)
    saved = read_stats([path, other])
    for units in ("segments", "auto"):
        given = {"units": documents} if units == "auto" else {"units": units}
        want = compare(texts, references, metrics=metrics, **given, **how)
        found = compare(saved, units=units, **how)
        for name, each in want.items():
            assert found[name].replace(notes=each.notes) == each
    floor = {"metrics": Bleu(smoothing="floor"), "units": documents, **how}
    one = compare(texts, references, **floor)
    assert compare(saved, **floor).replace(notes=one.notes) == one


@looped("metric", (Bleu(), Chrf(), Chrf(word_order=2), Ter()))
def test_a_file_is_small(metric, tmp_path):
    """A system of a test set of 1,002 segments takes 6 to 36 kB under a metric."""
    texts, references = real_texts("newstest2021/en-de", ["refA"], 1)
    path = tmp_path / "x.jsonl.gz"
    saved_of(metric, texts=texts, references=references).write(path)
    assert 6_000 < path.stat().st_size < 36_000


def refusal(call, *arguments, **settings):
    """Return the message of what is refused."""
    with pytest.raises(truebleu.TruebleuError) as caught:
        call(*arguments, **settings)
    return str(caught.value)


def test_systems_that_do_not_fit_are_refused():
    """The message says which system, and where."""
    bleu, ter = Bleu(), Ter()
    rows = counted(bleu)["weak"]
    known = {"documents": DOCUMENTS, "references": REFERENCES}
    one = SavedStats({"A": counted(bleu)["strong"]}, bleu, **known)
    units = ["x", *map(str, range(2, 73))]
    of_ter = ter.stats(TEXTS["weak"], REFERENCES)
    for other, message in [
        (SavedStats({"B": rows[:71]}, bleu, documents=DOCUMENTS[:71]), "B has no segment '72'"),
        (SavedStats({"B": rows}, bleu, units=units, **known), "B has no segment '1', but A has"),
        (SavedStats({"B": rows}, bleu), "is in document 'news-1' for A, but in None"),
        (SavedStats({"B": rows}, bleu, **known | {"references": ["a"] * 72}), "different refer"),
        (SavedStats({"B": rows}, bleu, **known).summed(), "is only the sum of B"),
        (SavedStats({"A": rows}, bleu, **known), "segment '1' twice"),
        (SavedStats({"B": of_ter}, ter, **known), "B has no statistics of BLEU"),
    ]:
        assert message in refusal(compare, one.merge(other)), message
    lower = SavedStats(counted(Bleu(lowercase=True)), Bleu(lowercase=True))
    assert "case is mixed in one and lc in the other" in refusal(one.merge, lower)
    assert "not under" in refusal(compare, one, metrics=Bleu(lowercase=True))
    assert "no statistics of TER, but of BLEU" in refusal(compare, one, metrics="ter")
    assert "choose one" in refusal(saved_of(Bleu(), Ter()).stats)
    assert "do not pass references" in refusal(compare, saved_of(bleu), REFERENCES)
    assert "batches names 'x', but there are none" in refusal(one.select, batches=["x"])
    assert "systems names 'x', but there are A" in refusal(one.select, systems=["x"])


def test_a_batch_counts_once():
    """The same again changes nothing; other content is an error, or replaces it."""
    bleu = Bleu()
    whole = saved_of(bleu)

    def day(name, first, last, system="strong"):
        texts, refs = {"mt": TEXTS[system][first:last]}, REFERENCES[first:last]
        return saved_of(bleu, batch=name, texts=texts, references=refs)

    days = [day(str(number), 8 * number, 8 * number + 8) for number in range(9)]
    first, *rest = days
    every = first.merge(*rest)
    assert every.scores()["mt"] == whole.scores()["strong"]
    assert every.merge(*days[::-1]) == every
    assert every.merge(day("3", 24, 32)) == every
    # Sums and segments of a batch have the same content; those of others add up.
    assert every.merge(days[3].summed()) == every
    assert every.summed().merge(*days).scores() == every.scores()
    changed = day("3", 24, 32, "weak")
    message = refusal(every.merge, changed)
    assert "batch '3' of mt differs from the one in" in message
    replaced = every.merge(changed, replace=True)
    assert replaced.scores() != every.scores()
    assert replaced.merge(days[3], replace=True) == every
    assert every.merge(day("3 late", 24, 32, "weak")).scores() != every.scores()
    week = every.select(batches=every.batches[-7:])
    texts = TEXTS["strong"][16:]
    assert week.scores()["mt"] == bleu.corpus(texts, REFERENCES[16:])
    assert week.units[0] == "2:1"
    interval = truebleu.confidence_interval(week.stats()["mt"], metrics=week.metric())
    assert interval == truebleu.confidence_interval(texts, REFERENCES[16:])
    # Without a name, parts are added.
    twice = whole.select(systems=["strong"])
    added = twice.merge(twice)
    assert added.scores()["strong"].hyp_len == 2 * whole.scores()["strong"].hyp_len
    # They have no names of their own, so that they could not be read; sums could.
    assert "strong has segment '1' twice" in refusal(added.write, "x.jsonl")
    assert "only the sum of strong" in refusal(twice.merge(twice.summed()).write, "x.jsonl")


LABELS = (True, 1, 1.0, "1", "True", "nan", float("nan"), float("inf"), "inf", None, "None", 2**80)


def test_labels_keep_their_type(tmp_path):
    """Values that look or compare alike are different labels, before and after writing."""
    first = saved_of(Bleu()).summed().rows[0]
    alike = [first.replace(label={"a": label, "b": "x"}) for label in LABELS]
    saved = SavedStats.of_rows([Bleu()], alike)
    assert len({rows.label_key for rows in saved.rows}) == len(LABELS)
    assert len(saved.summed().rows) == len(LABELS)
    saved.write(tmp_path / "x.jsonl")
    read = read_stats(tmp_path / "x.jsonl")
    assert [repr(rows.label["a"]) for rows in read.rows] == [*map(repr, LABELS)]
    assert len(read.merge(saved).summed().rows) == len(LABELS)
    with pytest.raises(truebleu.InputError, match="is the name of rows with different labels"):
        saved.scores()


PAGE = (ROOT / "docs" / "statistics_files.md").read_text("utf-8")


def test_files_are_valid_under_the_schema(tmp_path):
    """The one beside the page, which describes every column that is written."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "statistics_files.schema.json").read_text("utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    path = tmp_path / "x.jsonl"
    for known in ({}, {"documents": DOCUMENTS, "batch": "day"}):
        saved = saved_of(*METRICS[1:], **known)
        for each in (saved, saved.summed()):
            each.write(path)
            header, *rows, end = map(json.loads, path.read_text("utf-8").splitlines())
            for line in (header, *rows[:3], *rows[::50], end):
                check.validate(line)
    for changes in ({"level": "x"}, {"segments": 0}, {"metric": None}, {"batch": ""}):
        assert not check.is_valid(rows[0] | changes), changes
    keys = (*header, *header["metrics"]["ter"], *rows[0], *end, "documents")
    assert all(f"`{name}`" in PAGE for name in keys)


def test_the_checksum_is_that_of_other_tools(tmp_path):
    """Of one set, and of several, as the page says."""
    from hashlib import sha256

    sets = [(EXAMPLES / f"reference-{letter}.en").read_bytes() for letter in "ab"]
    digests = [sha256(content).hexdigest() for content in sets]
    one = saved_of(Bleu(), references=[first for first, _ in REFERENCES])
    assert {part.references for part in one.rows} == {digests[0][:16]}
    both = saved_of(Bleu())
    want = sha256("".join(digests).encode()).hexdigest()[:16]
    assert {part.references for part in both.rows} == {want}
    missing = SavedStats(counted(Bleu()), Bleu(), references=[["a", None]] * 72)
    assert (
        missing.rows[0].references
        == SavedStats(counted(Bleu()), Bleu(), references=[["a", ""]] * 72).rows[0].references
    )


def test_arguments_that_are_refused(tmp_path):
    """Of the class, and of the function that reads."""
    rows = counted(Bleu())
    for settings, message in [
        ({"units": ["a"]}, "units has 1 name for 72 segments of strong"),
        ({"units": "a" * 72}, "units is of type str"),
        ({"units": range(72)}, "units[0] is of type int"),
        ({"units": ["a"] * 72}, "segment 'a' twice"),
        ({"documents": ["a"]}, "documents has 1 name"),
        ({"batch": 1}, "batch is of type int"),
        ({"references": "a" * 72}, "references is a str; a corpus is a list"),
        ({"references": [1] * 72}, "references[0] is of type int"),
        ({"references": [[b"a"]] * 72}, "references[0][0] is of type bytes"),
        ({"references": ["a"]}, "strong has 72 segments, but there are references of 1"),
        ({"metric": Ter()}, "counted under"),
        ({"documents": (name for name in "ab")}, "documents has 2 names"),
    ]:
        assert message in refusal(SavedStats, rows, **settings), settings
    assert "systems is empty" in refusal(SavedStats, {})
    assert "systems is of type Stats" in refusal(SavedStats, rows["weak"])
    assert "is of type list" in refusal(SavedStats, {"a": ["text"]})
    assert "strong has no segments" in refusal(SavedStats, {"strong": rows["weak"][:0]})
    assert "paths is empty" in refusal(read_stats, [])
    assert "more than 1,024 characters" in refusal(SavedStats, rows, batch="x" * 1025)
    assert "a list of names" in refusal(saved_of(Bleu()).select, systems="weak")
    assert "are needed" in refusal(saved_of(Bleu()).merge, 1)
    for name in ("x.csv", "x.parquet", "x"):
        assert "statistics are stored as" in refusal(saved_of(Bleu()).write, tmp_path / name)


def test_tables_of_engines(tmp_path):
    """Statistics that an engine counted, in any order, are saved as those of the texts."""
    pa = pytest.importorskip("pyarrow")
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    from truebleu.engines import arrow

    table = pa.table({"mt": TEXTS["weak"], "ref": [a for a, _ in REFERENCES], "doc": DOCUMENTS})
    table = table.append_column("id", pa.array(range(1, 73)))[::-1]
    rows = arrow.stats(table, "mt", "ref")
    names = ["id", "doc", *rows.column_names]
    counted = pa.table([table["id"], table["doc"], *rows.columns], names)
    frame = pl.from_arrow(table)
    frame = pl.concat([frame, pl.from_arrow(rows)], how="horizontal")
    known = {"batch": "day", "units": [*map(str, range(1, 73))], "documents": DOCUMENTS}
    want = SavedStats({"a": Bleu().stats(TEXTS["weak"], [a for a, _ in REFERENCES])}, **known)
    columns = {"batch": "day", "units": "id", "documents": "doc"}
    with duckdb.connect() as connection:
        relation = connection.sql("FROM counted")
        for given in (counted, frame, frame.to_pandas(), counted.to_pydict(), relation):
            saved = SavedStats({"a": given}, **columns)
            assert saved.scores() == want.scores()
            saved.write(tmp_path / "x.jsonl")
            again = read_stats(tmp_path / "x.jsonl").select(systems=["a"])
            both = again.merge(SavedStats({"b": want.stats()["a"]}, **known))
            first, second = both.stats().values()
            assert first.data == second.data
            assert again.documents == tuple(DOCUMENTS[::-1])
    nameless = counted.drop(["id"]).append_column("id", pa.nulls(72, pa.string()))
    for given, settings, message in [
        (counted, {}, "systems['a'] is a table, whose rows have no order"),
        (counted, {"units": ["a"] * 72}, "systems['a'] is a table, whose rows have no order"),
        (counted, {"units": "x\n"}, "units is 'x\\n', but the columns of systems['a'] are id, doc"),
        (counted, {"units": "id", "documents": ["a"]}, "documents is ['a'], but the columns"),
        (nameless, {"units": "id"}, "units[0] is of type NoneType"),
        (counted.select(["id"]), {"units": "id"}, "there is no column 'hyp_len'"),
        (counted, {"units": "id", "metric": Bleu(lowercase=True)}, "statistics have the key"),
        (counted, {"units": "doc"}, "segment 'travel-1' twice"),
        (frame.lazy(), {"units": "id"}, "systems['a'] is of type LazyFrame; statistics, or a t"),
        ([{"id": 1}], {"units": "id"}, "systems['a'] is of type list"),
        (counted[:0], {"units": "id"}, "a has no segments"),
    ]:
        assert message in refusal(SavedStats, {"a": given}, **settings), message


def test_names_are_told_apart_and_visible():
    """Colons in the names of batches make no two documents alike; messages show what names hide."""
    rows = counted(Bleu())["weak"][:1]

    def one(name, batch, document):
        return SavedStats({name: rows}, batch=batch, units=[document], documents=[document])

    pairs = [("a", "b:c"), ("a:b", "c"), ("a\\", "b:c"), ("a\\:b", "c"), ("a\\:b:", "c")]
    first, *others = (one("x", *pair) for pair in pairs)
    both = first.merge(*others)
    assert len(set(both.documents)) == len(set(both.units)) == len(pairs)
    assert both.documents[:2] == ("a:b:c", "a\\:b:c")
    hidden, plain = one("\x1b[2J\u202e", "a", "b"), one("y", "a", "c")
    for call in (
        lambda: compare(hidden.merge(plain)),
        lambda: hidden.merge(one("\x1b[2J\u202e", "a", "c")),
        lambda: hidden.select(systems=["z"]),
        lambda: compare(hidden.summed()),
    ):
        assert "\\x1b[2J\\u202e" in refusal(call)


def test_parquet_is_refused_with_the_way_out(tmp_path):
    """Statistics are JSON Lines; a table of them is converted by the call in the message."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    from truebleu.engines import arrow

    table = pa.table({"mt": TEXTS["weak"], "ref": [a for a, _ in REFERENCES]})
    rows = arrow.stats(table, "mt", "ref").append_column("id", pa.array(range(72)))
    pq.write_table(rows, tmp_path / "x.parquet")
    said = refusal(read_stats, tmp_path / "x.parquet")
    call = said[said.index("SavedStats(") :]
    call = call.replace("...", repr(str(tmp_path / "x.parquet"))).replace("COLUMN", "id")
    call = call.replace("x.jsonl", str(tmp_path / "x.jsonl"))
    import pyarrow.parquet

    eval(call, {"SavedStats": SavedStats, "pyarrow": pyarrow})
    assert read_stats(tmp_path / "x.jsonl").scores()["NAME"].hyp_len == 1283


def test_files_one_after_another_are_all_read(tmp_path):
    """Two files joined by ``cat`` are the two, in either order, and their end is needed."""
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    saved_of(Bleu(), Ter(), batch="a").write(one)
    saved_of(Bleu(), Ter(), batch="b").summed().write(other)
    both = read_stats([one, other])
    joined = tmp_path / "both.jsonl"
    joined.write_bytes(one.read_bytes() + other.read_bytes())
    assert read_stats(joined) == both
    joined.write_bytes(other.read_bytes() + one.read_bytes())
    assert read_stats(joined).scores("bleu") == both.scores("bleu")
    joined.write_bytes(one.read_bytes() * 2)
    assert "the same rows again" in refusal(read_stats, joined)
    joined.write_bytes(other.read_bytes()[:-30] + one.read_bytes())
    assert "both.jsonl:" in refusal(read_stats, joined)


def change_lines(data, place, change):
    """Change the line at a place of a file."""
    return b"".join(change(data.splitlines(keepends=True), data.count(b"\n", 0, place)))


def test_sums_and_skipped_rows_of_engines_are_what_they_are():
    """A group is a sum of so many segments, of each metric; rows without statistics are none."""
    pa = pytest.importorskip("pyarrow")
    from truebleu.engines import arrow

    table = pa.table({"mt": TEXTS["weak"], "ref": [a for a, _ in REFERENCES], "doc": DOCUMENTS})
    by_document = {"group_by": "doc"}
    sums = arrow.corpus_score(table, "mt", "ref", **by_document)
    saved = SavedStats({"a": sums}, batch="day")
    assert saved.summed(total=True).rows[0].segments == 72
    want = Bleu().corpus(TEXTS["weak"], [a for a, _ in REFERENCES])
    assert saved.summed(total=True).scores()["total"] == want
    assert {tuple(rows.label) for rows in saved.rows} == {("system", "doc")}
    metrics = [Bleu(), Chrf()]
    sums = arrow.corpus_score(table, "mt", "ref", **by_document, metric=metrics)
    both = SavedStats({"a": sums}, metrics).summed(total=True)
    assert both.scores("bleu")["total"] == want
    assert [rows.segments for rows in both.rows] == [72, 72]
    with_gap = pa.table({"id": ["1", "2", "3"], "mt": ["a b", None, "c d"], "ref": ["a b"] * 3})
    rows = arrow.stats(with_gap, "mt", "ref", nulls="skip", metric=metrics)
    rows = rows.append_column("id", with_gap["id"])
    saved = SavedStats({"a": rows}, metrics, units="id")
    assert saved.units == ("1", "3")
    assert list(saved.metrics) == ["BLEU", "chrF2"]


def test_a_batch_is_one_thing():
    """Counted by system and by domain, or again with other groups, it is not added up."""
    first = saved_of(Bleu(), batch="day").summed().rows[0]

    def by(**sums):
        rows = [
            first.replace(label={"domain": name}, segments=number) for name, number in sums.items()
        ]
        return SavedStats.of_rows([Bleu()], rows)

    whole = SavedStats.of_rows([Bleu()], [first])
    assert "by domain, and by system there" in refusal(whole.merge, by(news=72))
    recounted = by(news=20, law=10, talk=15)
    assert "45 segments, and 30 there" in refusal(by(news=20, law=10).merge, recounted)
    assert by(news=20, law=10).merge(recounted, replace=True) == recounted
    assert whole.merge(recounted, replace=True) == recounted
    assert by(news=20).merge(by(news=20)) == by(news=20)
    # Other systems of a batch may come later; what replaces it replaces all of them.
    both = SavedStats.of_rows([Bleu()], [first.replace(label={"system": name}) for name in "AB"])
    assert whole.merge(both).systems == ("strong", "A", "B")
    recount = SavedStats.of_rows([Bleu()], [first.replace(label={"system": "A"}, segments=9)])
    assert whole.merge(both, recount, replace=True) == recount


def test_batches_keep_apart_what_is_not_the_same():
    """Systems that compare alike, or are NaN; rows without a batch, whatever is replaced."""
    first = saved_of(Bleu()).summed().rows[0]

    def of(*labels, batch="", name="system"):
        rows = [first.replace(label={name: label}, batch=batch) for label in labels]
        return SavedStats.of_rows([Bleu()], rows)

    for label in LABELS:
        again = float("nan") if label != label else label
        assert len(of(label, batch="day").merge(of(again, batch="day")).rows) == 1
    every = of(LABELS[0], batch="day").merge(*(of(label, batch="day") for label in LABELS[1:]))
    assert len(every.rows) == len(LABELS)
    domain = of("x", batch="day", name="domain")
    joined = of("1").merge(
        of("A", batch="day"), of("B", batch="day"), of("2"), domain, of("3"), replace=True
    )
    assert [rows.name for rows in joined.rows] == ["1", "x", "2", "3"]


def test_references_are_compared_between_all_systems():
    """A second and third system that differ are found, whatever the first says of itself."""
    rows = {name: counted(Bleu())[name] for name in NAMES}
    silent = SavedStats({"strong": rows["strong"]}, batch="day")
    second, third = (
        SavedStats({name: rows[name]}, batch="day", references=[text] * 72)
        for name, text in (("medium", "a"), ("weak", "b"))
    )
    said = refusal(compare, silent.merge(second, third))
    assert "weak and medium have different references in batch 'day'" in said
    single = Bleu().stats(TEXTS["weak"], [a for a, _ in REFERENCES])
    said = refusal(compare, silent.merge(SavedStats({"weak": single}, batch="day")))
    assert "1 for each of 72 segments, and 2 for each of 72 segments" in said

    # Parts of a system may have other references, but those of all systems have the same.
    def parts(name, *texts):
        return [
            SavedStats(
                {name: rows[name][place : place + 36]},
                units=[*map(str, range(place, place + 36))],
                references=[text] * 36,
            )
            for place, text in zip((0, 36), texts, strict=True)
        ]

    one, *others = [*parts("strong", "a", "b"), *parts("weak", "a", "b")]
    assert len(one.merge(*others).stats()) == 2
    one, *others = [*parts("strong", "a", "b"), *parts("weak", "a", "c")]
    assert "weak and strong have different references: checksum" in refusal(
        one.merge(*others).stats
    )
    one, other = (
        saved_of(Bleu(), batch="x").summed(),
        SavedStats({"B": rows["weak"][:2]}, batch="x").summed(),
    )
    assert "2 for each of 2 segments, and 2 for each of 72" in one.merge(other).other_references()
    with pytest.warns(truebleu.SettingsWarning, match="no checksum of the references of strong, w"):
        compare(SavedStats({name: rows[name] for name in ("strong", "weak")}), n_resamples=50)


def test_rows_of_different_days_are_not_paired():
    """Statistics whose references have other lengths are no rows of the same segments."""
    firsts = [a for a, _ in REFERENCES]
    for metric in (Bleu(), Chrf(), Ter()):
        monday = metric.stats(TEXTS["weak"][:36], firsts[:36])
        tuesday = metric.stats(TEXTS["weak"][36:], firsts[36:])
        said = refusal(compare, {"mon": monday, "tue": tuesday}, metrics=metric)
        assert "'mon' and 'tue' were scored against different references" in said
        for name in NAMES:
            other = metric.stats(TEXTS[name][:36], firsts[:36])
            compare({"a": monday, "b": other}, metrics=metric, n_resamples=None)


DAMAGES = {
    "cut at a byte": lambda data, n: data[:n],
    "without a byte": lambda data, n: data[:n] + data[n + 1 :],
    "a byte changed": lambda data, n: data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :],
    "cut after a line": lambda data, n: data[: data.rfind(b"\n", 0, n) + 1],
    "without a line": lambda data, n: change_lines(data, n, lambda x, i: x[:i] + x[i + 1 :]),
    "a line twice": lambda data, n: change_lines(data, n, lambda x, i: x[: i + 1] + x[i:]),
    "two lines swapped": lambda data, n: change_lines(
        data, n, lambda x, i: [*x[:i], *x[i : i + 2][::-1], *x[i + 2 :]]
    ),
}


@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
@looped("damage", DAMAGES)
@looped("form", ["segments", "sums"])
def test_damage_is_refused_or_changes_nothing(form, damage, tmp_path):
    """A file that was cut, or whose rows were swapped, doubled or edited, is no other file."""
    path, spoilt = tmp_path / "x.jsonl", tmp_path / "y.jsonl"
    texts = {name: TEXTS[name][:5] for name in ("strong", "weak")}
    saved = saved_of(Bleu(), Ter(), texts=texts, references=REFERENCES[:5], batch="day")
    (saved if form == "segments" else saved.summed()).write(path)
    whole, data = read_stats(path), path.read_bytes()
    for place in range(0, len(data), 5):
        spoilt.write_bytes(DAMAGES[damage](data, place))
        try:
            found = read_stats(spoilt)
        except truebleu.TruebleuError as error:
            found, said = whole, str(error)
        else:
            said = str(spoilt)
        assert found == whole
        assert said.startswith(str(spoilt))
