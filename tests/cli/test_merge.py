"""Parts that ``score --stats-out`` writes are scored by ``merge`` as the whole is."""

import json
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from looping import looped
from project import EXAMPLES
from tables_of_text import TABLE
from truebleu import Bleu, SavedStats, read_lines, read_stats
from truebleu.cli import main
from truebleu.display.formats import FORMATS
from truebleu.metrics.registry import METRICS

STRONG = EXAMPLES / "system-strong.en"
SYSTEM, *REFERENCES = ["system-medium.en", "reference-a.en", "reference-b.en"]
SETTINGS = {
    "default": [],
    "bleu": ["--tokenizer", "char", "--lowercase", "--smoothing", "floor", "--max-order", "2"],
    "dialect": ["--dialect", "nltk"],
    "effective": ["-m", "bleu:effective_order"],
    "chrf": ["-m", "chrf:beta=3,word_order=1,whitespace"],
    "ter": ["-m", "ter:normalized,case_sensitive"],
    "all": ["-m", *METRICS],
}


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command in an empty folder; return its exit code and outputs."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run


def cut(name, start, stop):
    """Write some lines of an example; return the name of the file."""
    lines = (EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[start:stop]
    path = Path(f"{start}.{name}")
    path.write_text("".join(lines), "utf-8")
    return path


def write_parts(run, suffix, *settings, places=(0, 1, 30, 72)):
    """Score parts of an example; return the names of the files of statistics."""
    parts = []
    for start, stop in pairwise(places):
        files = [cut(name, start, stop) for name in (SYSTEM, *REFERENCES)]
        parts.append(f"part-{start}{suffix}")
        given = [f"mt={files[0]}", "-r", *files[1:], *settings, "--stats-out", parts[-1]]
        assert run("score", *given, "-q")[0] == 0
    return parts


def whole(run, *settings, form="json"):
    """Score the whole example."""
    files = [EXAMPLES / name for name in (SYSTEM, *REFERENCES)]
    return run("score", f"mt={files[0]}", "-r", *files[1:], *settings, "-q", "--format", form)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_parts_score_as_the_whole(run, suffix, settings):
    """Scores, all that is shown with them, and signatures are the same, to the last digit."""
    parts = write_parts(run, suffix, *settings)
    for files in (parts, parts[::-1]):
        code, out, error = run("merge", *files, "--format", "json")
        assert (code, error) == (0, "")
        assert json.loads(out) == json.loads(whole(run, *settings)[1])


@looped("form", FORMATS)
def test_every_format(run, form):
    """What is printed is what the whole prints; text ends with the number of files."""
    parts = write_parts(run, ".jsonl", "-m", *METRICS)
    want = whole(run, "-m", *METRICS, form=form)[1]
    found = run("merge", *parts, "--format", form)[1]
    if form in ("text", "markdown", "latex", "html"):
        assert "3 files, 72 segments" in found
        rows = [line for line in want.splitlines() if line.startswith(("mt ", "| mt"))]
        assert all(row in found for row in rows)
    else:
        assert found == want
    _, *shown = whole(run, "-m", *METRICS, form="tsv")[1].splitlines()
    cells = (row.split("\t") for row in shown)
    rounded = [f"{float(score):.2f}" for _, _, score, *_ in cells]
    assert run("merge", *parts, "-b")[1].split() == rounded


def test_merged_parts_are_parts(run):
    """Sums can be written and merged again: statistics of days add up to a week."""
    parts = write_parts(run, ".jsonl", "-m", "bleu", "ter", places=(0, 10, 20, 40, 60, 72))
    assert run("merge", *parts[:2], "--stats-out", "week.jsonl")[0] == 0
    code, _, error = run("merge", *parts[:2], "--stats-out", "week.jsonl")
    assert (code, error) == (0, "truebleu: replaced week.jsonl\n")
    assert run("merge", *parts[:2], "-q", "--stats-out", "week.jsonl")[2] == ""
    for part in parts[2:]:
        assert run("merge", "week.jsonl", part, "--stats-out", "next.jsonl")[0] == 0
        Path("next.jsonl").replace("week.jsonl")
    code, out, _ = run("merge", "week.jsonl", "--format", "json")
    assert (code, json.loads(out)) == (0, json.loads(whole(run, "-m", "bleu", "ter")[1]))


TABLE_OPTIONS = ["--hypothesis-column", "mt", "--reference-column", "refs"]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_groups_of_tables(run, suffix):
    """Groups are added up over files; with --total, all rows are."""
    key = pa.array(
        [None if i % 7 == 0 else float("nan") if i % 5 == 0 else i % 3 / 2 for i in range(216)]
    )
    table = TABLE.append_column("odd", key)
    options = [*TABLE_OPTIONS, "--group-by", "system", "odd", "-m", "bleu", "chrf"]
    parts = []
    for number, part in enumerate((table.slice(0, 100), table.slice(100))):
        pq.write_table(part, f"{number}.parquet")
        parts.append(f"stats-{number}{suffix}")
        given = ["score", f"{number}.parquet", *options, "--stats-out", parts[-1]]
        assert run(*given)[0] == 0
    pq.write_table(table, "all.parquet")

    def by_group(out):
        rows = json.loads(out)
        return {(row["system"], str(row["odd"])): (row["bleu"], row["chrf2"]) for row in rows}

    want = run("score", "all.parquet", *options, "--format", "json")[1]
    assert by_group(run("merge", *parts, "--format", "json")[1]) == by_group(want)
    want = run("score", "all.parquet", *TABLE_OPTIONS, "-b")[1]
    assert run("merge", *parts, "--total", "-b")[1].split()[0] == want.strip()


def test_documents_strings_and_intervals(run):
    """Whatever is scored can be stored: documents, strings, and what is resampled as well."""
    files = [EXAMPLES / SYSTEM, "-r", EXAMPLES / REFERENCES[0]]
    documents = ["--units", EXAMPLES / "documents.txt"]
    more = ["--group-by", "documents", "--stats-out", "d.jsonl"]
    shown = run("score", *files, *documents, *more, "--format", "json")[1]
    assert json.loads(run("merge", "d.jsonl", "--format", "json")[1]) == json.loads(shown)
    _, *lines, _ = Path("d.jsonl").read_text().splitlines()
    sizes = [json.loads(line)["segments"] for line in lines]
    assert sum(sizes) == 72
    run("score", *files, "-b", "--confidence", "--stats-out", "c.jsonl")
    assert run("merge", "c.jsonl", "-b") == run("score", *files, "-b")
    shown = run("score", "--text", "a b c", "-r", "a b d", "-b", "--stats-out", "t.jsonl")[1]
    assert run("merge", "t.jsonl", "-b")[1] == shown


def refused(run, code, message, *arguments):
    """Check that a command is refused, with a message."""
    found = run(*arguments)
    assert found[:2] == (code, "")
    assert message in found[2]


def test_parts_of_different_settings(run):
    """The message names both files, and what differs."""
    [one] = write_parts(run, ".jsonl", places=(0, 10))
    Path(one).rename("one.jsonl")
    for settings, message in [
        (["--lowercase"], "case is mixed in one and lc in the other"),
        (["--smoothing", "floor"], "smooth is exp in one and floor[0.1] in the other"),
        (["--tokenizer", "char"], "tok is 13a in one and char in the other"),
    ]:
        [other] = write_parts(run, ".jsonl", *settings, places=(0, 10))
        said = f"one.jsonl and {other} were counted with different settings: {message}"
        refused(run, 2, said, "merge", "one.jsonl", other)
    [other] = write_parts(run, ".jsonl", "-m", "ter", places=(0, 11))
    refused(run, 2, "TER has 11 segments, but BLEU 10: a file of", "merge", "one.jsonl", other)
    [other] = write_parts(run, ".jsonl", "-m", "ter", places=(0, 10))
    assert run("merge", "one.jsonl", other)[0] == 0


def sealed(*lines):
    """Return lines with the end that a file of them has, as a forger would write it."""
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    rows = sum(isinstance(line, list) or line["level"] == "sum" for line in lines)
    end = {"level": "end", "rows": rows, "sha256": sha256(text.encode()).hexdigest()}
    return f"{text}{json.dumps(end)}\n"


def test_files_that_are_refused(run):
    """Whatever was not written by --stats-out, or was changed, is refused by name."""
    [part] = write_parts(run, ".jsonl", places=(0, 72))
    header, row, end = map(json.loads, Path(part).read_text().splitlines())
    assert Path(part).read_text().splitlines()[-1] == json.dumps(end, separators=(",", ":"))
    refused(run, 2, f"./{part} is given twice", "merge", part, f"./{part}")
    refused(run, 2, "gone.jsonl: No such file", "merge", part, "gone.jsonl")
    refused(run, 2, "gone.jsonl: No such file", "compare", "gone.jsonl")
    assert run("score", "--text", "see gone.jsonl", "-r", "look at gone.jsonl")[0] == 0
    refused(run, 2, "x.csv: statistics are stored as .jsonl, with", "merge", "x.csv")
    counts = row["counts"]
    for changed, message in [
        ({"counts": [*counts[:2], -1, *counts[3:]]}, "match_1"),
        ({"counts": [*counts[:2], 10**6, *counts[3:]]}, "match_1"),
        ({"counts": [*counts[:2], 1.0, *counts[3:]]}, "whole numbers, but there is a float"),
        ({"counts": [*counts[:2], True, *counts[3:]]}, "whole numbers, but there is a bool"),
        ({"counts": [*counts[:2], 2**63, *counts[3:]]}, "does not fit into int64"),
        ({"counts": counts[1:]}, "10 counts are needed: hyp_len"),
        ({"counts": None}, "damaged, or no line of a file of statistics"),
        ({"segments": None}, "segments is None"),
        ({"segments": True}, "segments is True"),
        ({"segments": 0}, "segments is 0"),
        ({"segments": 2**63}, f"segments is {2**63}"),
        ({"segments": 10**15 + 1}, "segments is 1000000000000001; a number from 1 to"),
        ({"fewest_references": 3}, "segments with 3 to 2 references"),
        ({"fewest_references": -2}, "segments with -2 to 2 references"),
        ({"fewest_references": 1.0}, "segments with 1.0 to 2 references"),
        ({"most_references": None}, "segments with 2 to None references"),
        ({"metric": "ter"}, "'ter' is no metric of the header"),
        ({"metric": ["bleu"]}, "damaged, or no line of a file of statistics: TypeError"),
        ({"label": [{"mt": 1}]}, "damaged, or no line of a file of statistics: KeyError"),
        ({"label": []}, "damaged, or no line of a file of statistics: ValueError"),
        ({"batch": 1}, "batch is of type int"),
        ({"references": 1}, "references is of type int"),
        ({"level": "x"}, "level is 'x'"),
    ]:
        text = sealed(header, {"level": "sum"}).replace(
            '{"level": "sum"}', json.dumps(row | changed)
        )
        Path("x.jsonl").write_text(text)
        refused(run, 2, message, "merge", "x.jsonl")
        assert run("merge", "x.jsonl")[2].startswith("truebleu: x.jsonl:2: ")
    for changed in (
        *({"segments": 1}, {"segments": 10**15}),
        *({"fewest_references": 1}, {"most_references": 10**15}),
    ):
        Path("x.jsonl").write_text(sealed(header, row | changed))
        assert run("merge", "x.jsonl")[0] == 0
    bleu = header["metrics"]["bleu"]
    for changed, code, message in [
        ({"signature": "case:x"}, 2, "x.jsonl:1: "),
        ({"signature": 1}, 2, "x.jsonl:1: the signature is of type int"),
        ({"key": 1}, 2, "x.jsonl:1: BLEU was counted under"),
    ]:
        spoilt = header | {"metrics": {"bleu": bleu | changed}}
        Path("x.jsonl").write_text(sealed(spoilt, row))
        refused(run, code, message, "merge", "x.jsonl")
    first = json.dumps(header)
    for text, message in [
        ("", "has no rows"),
        ("{", "x.jsonl:1: damaged, or no line of a file of statistics: JSONDecodeError"),
        ("[" * 60_000, "x.jsonl:1: this row is of no table"),
        (f"{first}\n{{", "x.jsonl:2: damaged, or no line of a file of statistics: JSOND"),
        (f"{first}\n[1]\n", "x.jsonl:2: this row is of no table"),
        (
            sealed(header, *[row | {"segments": 10**15}] * 2),
            "segments is 2000000000000000; a number from 1",
        ),
        (
            sealed(header, row | {"level": "sum"}, ["1", *counts]),
            "x.jsonl:3: this row is of no table",
        ),
        (sealed(header), "x.jsonl:2: the file has no rows"),
        ("1\n", "x.jsonl:1: damaged, or no line of a file of statistics: AttributeError"),
    ]:
        Path("x.jsonl").write_text(text)
        refused(run, 2, message, "merge", "x.jsonl")
    by_document = sealed(header | {"labels": ["document"]}, row)
    Path("x.jsonl").write_text(by_document)
    said = "there are sums by system, and by document"
    refused(run, 2, said, "merge", part, "x.jsonl")
    assert run("merge", part, "x.jsonl", "--total")[0] == 0


@pytest.mark.parametrize("command", ["score", "segments", "compare", "merge", "meta"])
def test_damaged_files_are_refused_by_every_command(run, command):
    """A file that was cut, or whose rows were swapped or doubled, is not scored."""
    texts = [f"mt={EXAMPLES / SYSTEM}", f"b={STRONG}", "-r", EXAMPLES / REFERENCES[0]]
    assert run("segments", *texts, "--stats-out", "x.jsonl", "-q")[0] == 0
    lines = Path("x.jsonl").read_bytes().splitlines(keepends=True)
    ratings = EXAMPLES / "ratings.seg.score"
    for spoilt in (
        lines[:-1],
        lines[:40],
        [*lines[:5], lines[6], lines[5], *lines[7:]],
        [*lines[:5], lines[5], *lines[5:]],
        [*lines[:5], lines[5].replace(b",", b", ", 1), *lines[6:]],
    ):
        Path("y.jsonl").write_bytes(b"".join(spoilt))
        code, out, error = run(command, *[ratings] * (command == "meta"), "y.jsonl")
        assert (code, out) == (2, ""), spoilt
        assert "y.jsonl" in error
        assert error.count("\n") == 1


def test_outputs_that_are_refused(run):
    """A file that could not be written, or is read, is refused before anything is counted."""
    files = [cut(SYSTEM, 0, 9), "-r", cut(REFERENCES[0], 0, 9)]
    for code, name, message in [
        (2, "x.csv", "x.csv: statistics are stored as"),
        (2, "", "statistics are stored as"),
        (2, "gone/x.jsonl", "there is no folder gone\n"),
    ]:
        refused(run, code, message, "score", *files, "--stats-out", name)
    same = ["--output", "x.jsonl", "--stats-out", "./x.jsonl"]
    refused(run, 2, "both write x.jsonl", "score", *files, *same)
    Path("folder.jsonl").mkdir()
    refused(run, 2, "folder.jsonl: Is a directory", "score", *files, "--stats-out", "folder.jsonl")
    assert run("score", *files, "--stats-out", "x.jsonl")[0] == 0
    refused(run, 2, "would overwrite an input", "merge", "x.jsonl", "--stats-out", "x.jsonl")


@pytest.mark.skipif(not hasattr(Path, "chmod"), reason="names of files are text here")
@pytest.mark.parametrize("command", ["score", "segments"])
def test_two_metrics_of_one_kind(run, command):
    """They would be added up when files are merged."""
    texts = [EXAMPLES / SYSTEM, "-r", EXAMPLES / REFERENCES[0], "-m", "bleu", "bleu:lowercase"]
    refused(run, 2, "2 are called 'bleu'", command, *texts, "--stats-out", "x.jsonl")
    assert not Path("x.jsonl").exists()


def test_names_that_are_not_text(run):
    """A file whose name is not UTF-8 names its row by escapes."""
    name = "b\udcff.txt"
    try:
        Path(name).write_text("a b c d\n")
    except OSError:
        pytest.skip("not on this system")
    assert run("score", name, "-r", name, "-b", "--stats-out", "x.jsonl")[0] == 0
    assert "b\\udcff.txt" in run("merge", "x.jsonl")[1]


def write_batch(files, batch, path, sums=None):
    """Write the rows of a batch, and their sum."""
    texts, *streams = map(read_lines, files)
    references = list(zip(*streams, strict=True))
    counted = {"mt": Bleu().stats(texts, references)}
    saved = SavedStats(counted, batch=batch, references=references)
    saved.write(path)
    if sums is not None:
        saved.summed().write(sums)


def test_batches(run):
    """The same batch is counted once; other content is refused, or replaces it."""
    for number, name, batch in [(0, "one", "a"), (1, "two", "b"), (2, "late", "a late")]:
        files = [cut(each, 24 * number, 24 * number + 24) for each in (SYSTEM, *REFERENCES)]
        write_batch(files, batch, f"{name}.jsonl.gz", f"{name}.sum.jsonl")
    everything = ["one.jsonl.gz", "two.sum.jsonl", "late.jsonl.gz"]
    want = json.loads(whole(run)[1])
    for files in (everything, [*everything, "two.jsonl.gz", "one.sum.jsonl"]):
        assert json.loads(run("merge", *files, "--format", "json")[1]) == want
        assert run("merge", *files, "--stats-out", "all.jsonl", "-q")[0] == 0
        again = ["merge", "all.jsonl", "late.sum.jsonl", "--format", "json"]
        assert json.loads(run(*again)[1]) == want
    write_batch([cut(SYSTEM, 0, 20), cut(REFERENCES[0], 0, 20)], "a", "again.jsonl")
    said = "again.jsonl: batch 'a' of mt differs from the one in one.jsonl.gz"
    refused(run, 2, said, "merge", *everything, "again.jsonl")
    found = json.loads(run("merge", *everything, "again.jsonl", "--replace", "-f", "json")[1])
    assert [row["hyp_len"] for row in found] != [row["hyp_len"] for row in want]
    assert "20 segments" in run("merge", "one.sum.jsonl", "again.jsonl", "--replace")[1]


COMMANDS = {
    "compare": [],
    "compare --paper": ["--baseline", "a"],
    "score": [],
    "score --confidence": [],
    "segments": ["--worst", 9],
    "merge": [],
}


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
@pytest.mark.parametrize("command", COMMANDS)
def test_statistics_in_place_of_texts(run, command, suffix):
    """What is printed, in every format, is what the texts give; all or some metrics are read."""
    words, how = command.split(), [*COMMANDS[command], "-q", "--format"]
    texts = [f"a={EXAMPLES / SYSTEM}", f"b={STRONG}"]
    texts += ["-t", EXAMPLES / "test_set.toml", "-l", "de-en"]
    metrics = ["-m", "bleu", "chrf++", "ter"]
    of_texts = ["score"] if command == "merge" else words
    written = ["--stats-out", f"x{suffix}", "-q"]
    for chosen in (["-m", "chrf:word_order=0"], ["-m", "bleu", "--lowercase"], metrics):
        assert run("segments", *texts, *chosen, *written)[0] == 0
        for form in ("json", "tsv"):
            want = run(*of_texts, *texts, *chosen, *how, form)
            assert run(*words, f"x{suffix}", *how, form) == want
            assert want[0] == 0
    if command == "merge":
        return
    want = run(*words, *texts, "-m", "ter", *how, "json")
    assert run(*words, f"x{suffix}", "-m", "ter", *how, "json") == want
    # The names of documents may have line breaks.
    saved = read_stats(f"x{suffix}")
    lined = [rows.replace(documents=[f"{x}\n" for x in rows.documents]) for rows in saved.rows]
    SavedStats.of_rows(saved.metrics.values(), lined, saved.test_set).write(f"y{suffix}")
    first, second = (run(*words, f"{name}{suffix}", *how, "json") for name in "xy")
    assert first == second


def test_statistics_of_tables_and_strings(run):
    """Columns of tables, and strings, are written as files are, and can be written again."""
    pq.write_table(TABLE, "a.parquet")
    table = ["a.parquet", *TABLE_OPTIONS]
    assert run("segments", *table, "--stats-out", "t.jsonl", "-q")[0] == 0
    shown = run("score", *table, "-b", "-q")[1]
    assert run("segments", "t.jsonl", "-q", "--stats-out", "u.jsonl")[0] == 0
    assert run("score", "t.jsonl", "-b", "-q", "--stats-out", "sum.jsonl")[1] == shown
    assert run("merge", "sum.jsonl", "-b")[1] == run("score", "u.jsonl", "-b")[1] == shown
    assert run("score", "sum.jsonl", "-b")[1] == shown
    rows = [{"h": "a b c d", "r": "a b c d"}, {"h": None, "r": "a b"}, {"h": "c", "r": None}]
    pq.write_table(pa.Table.from_pylist(rows), "n.parquet")
    given = ["n.parquet", "--hypothesis-column", "h", "--reference-column", "r", "-q", "--missing"]
    written = ["--stats-out", "n.jsonl"]
    assert run("segments", *given, "empty", *written)[0] == 0
    assert run("score", *given, "empty", "-b")[1] == run("score", "n.jsonl", "-b")[1]
    refused(run, 2, "--missing skip leaves out rows", "segments", *given, "skip", *written)
    given = ["segments", "--text", "a b c", "-r", "a b d", "-q"]
    assert run(*given, "--stats-out", "s.jsonl") == run(*given)
    assert (
        run("segments", "s.jsonl")[1] == run("segments", *map(as_file, ("a b c", "-r", "a b d")))[1]
    )


def as_file(text):
    """Write a text to a file, unless it is an option."""
    if not text.startswith("-"):
        Path(text.replace(" ", "")).write_text(text)
    return text.replace(" ", "")


def test_statistics_with_options_of_texts_are_refused(run):
    """Settings, references and what chooses rows belong to the texts."""
    documents = ["--units", EXAMPLES / "documents.txt"]
    texts = ["-r", EXAMPLES / REFERENCES[0], "-q"]
    for name, system in (("a", SYSTEM), ("b", "system-strong.en")):
        given = [f"mt={EXAMPLES / system}", *texts, "--stats-out", f"{name}.jsonl"]
        assert run("segments", *given)[0] == 0
    for arguments, message in [
        (["score", "a.jsonl", *texts], "needs no texts: leave out --references"),
        (["score", "a.jsonl", "--group-by", "x"], "leave out --group-by"),
        (["score", "a.jsonl", "--reference-column", "x"], "leave out --reference-column"),
        (["score", "a.jsonl", "--missing", "skip"], "leave out --missing"),
        (["segments", "a.jsonl", *documents, "--stats-out", "c.jsonl"], "leave out --units"),
        (["score", "a.jsonl", "./a.jsonl"], "./a.jsonl is given twice, and would count twice"),
        (["score", "a.jsonl", "--lowercase"], "--lowercase: statistics have their settings"),
        (["score", "a.jsonl", "-m", "bleu:lowercase"], "lowercase: statistics have their settings"),
        (["score", "a.jsonl", EXAMPLES / SYSTEM], "a file of statistics, but"),
        (["report", "a.jsonl", "-o", "r", "--sources", EXAMPLES / SYSTEM], "leave out --sources"),
        (["explain", "a.jsonl", "-r", EXAMPLES / SYSTEM], "this command needs the texts"),
        (["score", "x=a.jsonl", "b.jsonl", "-m", "ter"], "no statistics of TER, but of BLEU"),
        (["compare", "a.jsonl", "b.jsonl"], "mt has segment '1' twice"),
    ]:
        code, out, error = run(*arguments)
        assert (code, out) == (2, ""), arguments
        assert message in error
    assert run("compare", "a.jsonl", "x=b.jsonl", "-q")[0] == 0
    both = ["merge", "a.jsonl", "b.jsonl", "--stats-out", "two.jsonl", "-q"]
    assert run(*both)[0] == 0
    refused(run, 2, "there is only the sum of mt", "compare", "two.jsonl")


def test_damaged_statistics(run):
    """Without references, the message is about the file, unless it is a table of texts."""
    text = ["segments", f"x={EXAMPLES / SYSTEM}", "-r", EXAMPLES / REFERENCES[0]]
    run(*text, "--stats-out", "s.jsonl")
    line, *rest = Path("s.jsonl").read_bytes().splitlines(keepends=True)
    pq.write_table(TABLE, "f.parquet")
    for name, content, message in [
        ("a.jsonl", b"".join(rest), "a.jsonl:1: there is no header: this is no file"),
        ("b.jsonl", b"{" + line + rest[0], "b.jsonl:1: damaged, or no line"),
        ("c.jsonl", b"\xff" + line, "c.jsonl, line 1, byte 1: not UTF-8"),
        ("d.jsonl", line.replace(b"stats", b"stat"), "d.jsonl:1: the format is 'truebleu-stat'"),
        ("e.jsonl", b"", "e.jsonl has no rows"),
        ("f.parquet", Path("f.parquet").read_bytes(), "there are no references: give files with"),
        ("g.jsonl", b'{"text": "a"}\n', "there are no references: give files with -r"),
        ("h.txt", b"a\n", "there are no references: give files with -r"),
    ]:
        Path(name).write_bytes(content)
        assert message in run("score", name)[2], name
