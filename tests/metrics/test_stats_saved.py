"""Statistics in files: what is read is what was written, and counts for the texts themselves."""

import gzip
import json

import pytest
import truebleu
from looping import looped
from project import DATA, EXAMPLES, ROOT
from truebleu import Bleu, Chrf, SavedStats, Ter, compare, read_lines, read_stats
from truebleu.metrics import stats_files

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.bz2", ".jsonl.xz", ".jsonl.zst", ".parquet")
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


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
@pytest.mark.parametrize(("pair", "streams", "systems"), REAL)
def test_comparisons_are_those_of_the_texts(pair, streams, systems, tmp_path):
    """Scores, intervals and p-values, to the last digit; rows may come in any order."""
    texts, references = real_texts(pair, streams, systems)
    size = len(references)
    documents = [f"d{number // 12}" for number in range(size)]
    metrics = ["bleu", "chrf++"]
    how = {"n_resamples": 200, "n_trials": 500}
    path, other = tmp_path / "x.jsonl.gz", tmp_path / "y.parquet"
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
    for settings in ({}, {"documents": documents}):
        want = compare(texts, references, metrics=metrics, **settings, **how)
        found = compare(saved, **({"documents": "auto"} if settings else {}), **how)
        assert found == want
        assert found.to_dict() == want.to_dict()
    one = compare(saved, metric=Bleu(smoothing="floor"), **how)
    assert one == compare(texts, references, smoothing="floor", **how)


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
    assert "not under" in refusal(compare, one, metric=Bleu(lowercase=True))
    assert "no statistics of TER, but of BLEU" in refusal(compare, one, metric="ter")
    assert "choose one" in refusal(saved_of(Bleu(), Ter()).stats)
    assert "without documents" in refusal(compare, saved_of(bleu), documents="auto")
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
    interval = truebleu.confidence_interval(week.stats()["mt"], metric=week.metric())
    assert interval == truebleu.confidence_interval(texts, REFERENCES[16:])
    # Without a name, parts are added.
    twice = whole.select(systems=["strong"])
    added = twice.merge(twice)
    assert added.scores()["strong"].hyp_len == 2 * whole.scores()["strong"].hyp_len
    # They have no names of their own, so that they could not be read; sums could.
    assert "strong has segment '1' twice" in refusal(added.write, "x.jsonl")
    assert "only the sum of strong" in refusal(twice.merge(twice.summed()).write, "x.jsonl")


def test_labels_that_look_alike(tmp_path):
    """They are not added up under one name; Parquet has numbers as text if they are too large."""
    saved = saved_of(Bleu()).summed()
    header, (first, second, *_) = ("a", "b"), saved.parts
    alike = [
        first.replace(header=header, label=("x, y", 2**80)),
        second.replace(header=header, label=("x", f"y, {2**80}")),
    ]
    path = tmp_path / "x.parquet"
    SavedStats.of_parts(saved.metrics.values(), alike[:1]).write(path)
    assert read_stats(path).parts[0].label == ("x, y", str(2**80))
    both = SavedStats.of_parts(saved.metrics.values(), alike)
    assert "is the name of rows with different labels" in refusal(both.scores)


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
            header, *rows = map(json.loads, path.read_text("utf-8").splitlines())
            for row in (header, *rows[::50], rows[-1]):
                check.validate(row)
    for changes in ({"level": "x"}, {"segments": 0}, {"metric": None}, {"batch": ""}):
        assert not check.is_valid(rows[0] | changes), changes
    assert all(f"`{name}`" in PAGE for name in (*header, *stats_files.NAMES, "document"))


def test_the_checksum_is_that_of_other_tools(tmp_path):
    """Of one set, and of several, as the page says."""
    from hashlib import sha256

    sets = [(EXAMPLES / f"reference-{letter}.en").read_bytes() for letter in "ab"]
    digests = [sha256(content).hexdigest() for content in sets]
    one = saved_of(Bleu(), references=[first for first, _ in REFERENCES])
    assert {part.references for part in one.parts} == {digests[0][:16]}
    both = saved_of(Bleu())
    want = sha256("".join(digests).encode()).hexdigest()[:16]
    assert {part.references for part in both.parts} == {want}
    missing = SavedStats(counted(Bleu()), Bleu(), references=[["a", None]] * 72)
    assert (
        missing.parts[0].references
        == SavedStats(counted(Bleu()), Bleu(), references=[["a", ""]] * 72).parts[0].references
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
        ({"references": "a" * 72}, "references is of type str"),
        ({"references": [1] * 72}, "references[0] is of type int"),
        ({"references": [[b"a"]] * 72}, "references[0] is of type bytes"),
        ({"references": ["a"]}, "strong has 72 segments, but there are references of 1"),
        ({"metric": Ter()}, "counted under"),
        ({"documents": (name for name in "ab")}, "documents has 2 names"),
    ]:
        assert message in refusal(SavedStats, rows, **settings), settings
    assert "systems is empty" in refusal(SavedStats, {})
    assert "systems is of type BleuStats" in refusal(SavedStats, rows["weak"])
    assert "is of type list" in refusal(SavedStats, {"a": ["text"]})
    assert "strong has no segments" in refusal(SavedStats, {"strong": rows["weak"][:0]})
    assert "paths is empty" in refusal(read_stats, [])
    long = SavedStats(rows, batch="x" * 1025)
    assert "1,024 characters" in refusal(long.write, tmp_path / "x.jsonl")
    assert "a list of names" in refusal(saved_of(Bleu()).select, systems="weak")
    assert "are needed" in refusal(saved_of(Bleu()).merge, 1)
    for name in ("x.csv", "x.parquet.gz", "x"):
        assert "statistics are stored as" in refusal(saved_of(Bleu()).write, tmp_path / name)


def test_tables_of_engines(tmp_path):
    """Statistics that an engine counted, in any order, are saved as those of the texts."""
    pa = pytest.importorskip("pyarrow")
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    from truebleu.engines import arrow, polars

    table = pa.table({"mt": TEXTS["weak"], "ref": [a for a, _ in REFERENCES], "doc": DOCUMENTS})
    table = table.append_column("id", pa.array(range(1, 73)))[::-1]
    rows = arrow.stats(table, "mt", "ref")
    names = ["id", "doc", *rows.column_names]
    counted = pa.table([table["id"], table["doc"], *rows.columns], names)
    frame = pl.from_arrow(table)
    frame = pl.concat([frame, polars.stats(frame, "mt", "ref")], how="horizontal")
    known = {"batch": "day", "units": [*map(str, range(1, 73))], "documents": DOCUMENTS}
    want = SavedStats({"a": Bleu().stats(TEXTS["weak"], [a for a, _ in REFERENCES])}, **known)
    columns = {"batch": "day", "units": "id", "documents": "doc"}
    with duckdb.connect() as connection:
        relation = connection.sql("FROM counted")
        for given in (counted, frame, frame.to_pandas(), counted.to_pydict(), relation):
            saved = SavedStats({"a": given}, **columns)
            assert saved.scores() == want.scores()
            saved.write(tmp_path / "x.parquet")
            again = read_stats(tmp_path / "x.parquet").select(systems=["a"])
            both = again.merge(SavedStats({"b": want.stats()["a"]}, **known))
            first, second = both.stats().values()
            assert first.data == second.data
            assert again.documents == tuple(DOCUMENTS[::-1])
    for given, settings, message in [
        (counted, {}, "systems['a'] is a table, whose rows have no order"),
        (counted, {"units": ["a"] * 72}, "systems['a'] is a table, whose rows have no order"),
        (counted, {"units": "x\n"}, "units is 'x\\n', but the columns of systems['a'] are id, doc"),
        (counted, {"units": "id", "documents": ["a"]}, "documents is ['a'], but the columns"),
        (pa.table({"id": [None]}), {"units": "id"}, "units[0] is of type NoneType"),
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


def test_a_file_that_grows_is_refused(tmp_path):
    """Memory is bounded by the size of a file, whatever it says."""
    plain, path = tmp_path / "y.jsonl", tmp_path / "x.jsonl.gz"
    saved_of(Bleu()).write(plain)
    first, row, *_ = plain.read_text().splitlines(keepends=True)
    path.write_bytes(gzip.compress((first + row * 40_000).encode()))
    assert "as large" in refusal(read_stats, path)
    plain.write_text(first + "x" * (1 << 17))
    assert "y.jsonl, line 2" in refusal(read_stats, plain)


def test_a_table_that_says_it_is_large_is_refused(tmp_path):
    """A run of one value takes no room in Parquet."""
    pa, pq = stats_files.pyarrow()
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"metric": pa.array(["bleu"] * 1_000_000)}), path)
    assert "says that it has 1,000,000 rows" in refusal(read_stats, path)
