"""What the pages count and list is what there is."""

import ast
import csv
import importlib
import inspect
import math
import pkgutil
import re
from pathlib import Path
from unittest import mock

import pytest
import truebleu
from project import ROOT
from truebleu import _core, errors
from truebleu.cli.arguments import COMMANDS
from truebleu.display.shown import Result
from truebleu.downloads import places
from truebleu.engines.job import Job
from truebleu.metrics.bleu.dialects import CALLS, DIALECTS
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.score import Score
from truebleu.reporting import charts
from truebleu.significance import notes
from truebleu.significance.design import PARAMETERS
from truebleu.test_sets.registry import registered_sets
from truebleu.tokenizers import registry

from benchmarks import data
from campaign import conditions
from campaign.mutants import run as mutants

DOWNLOADS = Path(places.__file__).parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "campaign/README.md"]
PAGES += sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "docs").glob("**/*.md")
    if path.parent.name != "generated"
)

NUMERALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
WORDS = dict(enumerate(NUMERALS.split()))

# Not tools: what they are compared with, a definition, and a habit.
NO_TOOL = {"sacrebleu", "papineni", "skip-zero"}


def text_of(page):
    """Return a page without its code."""
    text = (ROOT / page).read_text("utf-8")
    return re.sub(r"(?ms)^( *)```.*?^\1```$", lambda code: "\n" * code[0].count("\n"), text)


def cells(line):
    """Split a row of a table."""
    inner = re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "\0"), line.strip()[1:-1])
    return [cell.strip().replace("\0", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def tables(page):
    """Yield the tables of a page: for each the line of its heading, and its rows."""
    block = []
    for number, line in enumerate([*text_of(page).split("\n"), ""], 1):
        if line.lstrip().startswith("|"):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def column(page, heading, place=0):
    """List what a column of the table with that heading has in backticks, in its first code."""
    for _, (first, _, *rows) in tables(page):
        if cells(first)[: len(heading)] == heading:
            return [re.match(r"`([^`]*)`", cells(row)[place])[1] for row in rows]
    raise AssertionError(f"{page} has no table {heading}")


def test_tables():
    """Every block of rows has a heading, a rule below it, and as many cells in each row."""
    found = [(page, *table) for page in PAGES for table in tables(page)]
    for page, line, rows in found:
        where = f"{page}, line {line}"
        assert all(row.rstrip().endswith("|") for row in rows), where
        assert len(rows) > 2, where
        assert all(re.fullmatch(":?-{3,}:?", cell) for cell in cells(rows[1])), where
        assert {len(cells(row)) for row in rows} == {len(cells(rows[0]))}, where


def test_commands():
    """The page's table of commands names each of them."""
    table = text_of("docs/command_line.md").partition("\n\n## ")[0]
    named = {
        name
        for line in table.splitlines()
        if line.startswith("| [")
        for name in re.findall("`([a-z]+)`", cells(line)[0])
    }
    assert named == set(COMMANDS)


def test_dialects():
    """The README counts the tools, and the page has what each dialect is made of."""
    names = "; ".join(each.tool for name, each in (DIALECTS | CALLS).items() if name not in NO_TOOL)
    assert f"numbers of {WORDS[len(names.split('; '))]} other tools](" in text_of("README.md")
    heading = ["name", "tool", "prints", "tokenizer"]
    names = column("docs/dialects.md", heading)
    assert names == list(DIALECTS)
    tokenizers, smoothings = (column("docs/dialects.md", heading, place) for place in (3, 5))
    for name, tokenizer, smoothing in zip(names, tokenizers, smoothings, strict=True):
        found = DEFAULTS | DIALECTS[name].settings
        assert (tokenizer, smoothing) == (found["tokenizer"], found["smoothing"])


def test_registries():
    """A table that lists a registry has all of it, and nothing else."""
    heading = ["name", "what it does", "where it comes from"]
    assert set(column("docs/tokenizers.md", heading)) == {*registry.NAMES, "spm:PATH"}
    heading += ["default of `smooth_value`"]
    names = column("docs/settings.md", heading)
    assert set(names) == set(_core.SMOOTHINGS)
    [rows] = [rows for _, rows in tables("docs/settings.md") if cells(rows[0]) == heading]
    for name, row in zip(names, rows[2:], strict=True):
        value = _core.SMOOTHINGS[name]
        assert cells(row)[3] == ("takes none" if value is None else f"{value:g}")
    assert set(column("docs/settings.md", ["setting", "default"])) == set(DEFAULTS)
    [rows] = [rows for _, rows in tables("docs/report.md") if "what it shows" in rows[0]]
    names = [name for row in rows[2:] for name in re.findall("`(.*?)`", cells(row)[0])]
    assert sorted(names) == sorted(charts.NAMES)


def test_no_match():
    """The page names the smoothings that make something of no match at all."""
    corpus = ["x y z w v"], ["a b c d e"]
    names = [name for name in _core.SMOOTHINGS if name != "method6"]
    making = {name for name in names if truebleu.corpus_bleu(*corpus, smoothing=name).score > 0}
    text = " ".join(text_of("docs/settings.md").split())
    [said] = re.findall("the score is 0 under every smoothing but (.*?)[.;]", text)
    assert making == set(re.findall("`(.*?)`", said))


def test_test_sets():
    """The pages count the test sets, and have the default of the limit."""
    sets = registered_sets()
    pairs = sum(len(each.pairs) for each in sets.values())
    for page in ("docs/test_sets.md", "CHANGELOG.md"):
        text = text_of(page)
        assert f"the {len(sets)} test sets of sacreBLEU" in text
        assert f"in {pairs} " in text
    assert f"(default: {places.byte_limit()})" in text_of("docs/test_sets.md")
    for variable in re.findall("TRUEBLEU_[A-Z_]+", text_of("docs/test_sets.md")):
        assert any(variable in path.read_text("utf-8") for path in DOWNLOADS.glob("*.py"))


def test_public_names():
    """The page of public names has each of them."""
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    missing = [name for name in truebleu.__all__ if not re.search(rf"`{name}\b", text)]
    assert missing == []


def test_classes_of_results():
    """The page says in which module each class of a result is that is not in the package itself."""
    inner = {"Result", "Shown", "CoreMetric", "Page", "Several", "Verdict"}
    known = {
        f"{module}.{name}".removeprefix("truebleu.")
        for found in pkgutil.walk_packages(truebleu.__path__, "truebleu.")
        if not re.search(r"__main__|\.(engines|compat|meta_evaluation)\b", found.name)
        for name, kind in vars(importlib.import_module(found.name)).items()
        if inspect.isclass(kind) and issubclass(kind, Result | Score) and name not in inner
        if (module := kind.__module__) == found.name and name[0] != "_"
    }
    rows = next(rows for _, (first, _, *rows) in tables("docs/api.md") if "module of" in first)
    assert known == {
        f"{cells(row)[0][1:-1]}.{name}"
        for row in rows
        for name in re.findall(r"\w+", cells(row)[1])
    }


def test_resampling():
    """The table of parameters has each and its default."""
    heading = ["parameter", "default", "what it means"]
    names, defaults = (column("docs/comparing.md", heading, place) for place in (0, 1))
    rows = dict(zip(names, map(ast.literal_eval, defaults), strict=True))
    assert rows == {each.name: each.default for each in PARAMETERS}


def test_exceptions():
    """The table of exceptions has all of them."""
    known = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert set(column("docs/errors.md", ["exception", "also a", "when"])) == known - {
        "TruebleuError"
    }


def test_requirements():
    """The pages ask for the versions that the build asks for."""
    python = re.search(r'requires-python = ">=(.*)"', (ROOT / "pyproject.toml").read_text())[1]
    rust = re.search(r'rust-version = "(.*)"', (ROOT / "Cargo.toml").read_text())[1]
    for page in ("README.md", "CONTRIBUTING.md"):
        text = " ".join(text_of(page).split())
        assert f"Python {python} or later" in text
        assert f"Rust {rust} or later" in text
    build = (ROOT / "pyproject.toml").read_text("utf-8")
    dependencies = re.search(r"\ndependencies = \[(.*)\]", build)[1]
    names = re.findall(r'"(\w+)', dependencies)
    assert names == ["filelock", "numpy", "platformdirs"]


WORDS_OF_RECORD = ("scenario", "drawn", "resampled")


def recorded(name):
    """Return the rows of the newest record of the campaign."""
    path = max((ROOT / "campaign" / "record").glob(f"*-{name}.csv"))
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {key: value if key in WORDS_OF_RECORD else literal(value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def literal(text):
    """Return a value as the campaign wrote it."""
    return ast.literal_eval(text) if text[:1] in "(0123456789" and text else text


def test_rates_are_those_of_the_record():
    """What pages and docstrings say of rates of tests and intervals has been measured."""
    rates = recorded("significance")

    def between(shares, width=1):
        low, *_, high = sorted(100 * share for share in shares)
        return f"{low:.{width}f} to {high:.{width}f}%"

    def found(key, words="", drawn="", resampled=""):
        values = [
            row[key]
            for row in rates
            if words in row["scenario"] and drawn in row["drawn"]
            if resampled in ("", row["resampled"]) and row[key]
        ]
        return [value[0] if isinstance(value, tuple) else value for value in values]

    page = " ".join((ROOT / "docs" / "significance.md").read_text("utf-8").split())
    guide = " ".join((ROOT / "docs" / "comparing.md").read_text("utf-8").split())
    levels = [row for row in recorded("levels") if row["kind"] == "level"]
    for row in levels:
        error = math.sqrt(row["package"] * (1 - row["package"]) / row["repeats"])
        assert 0.04 - 2 * error <= row["package"] <= 0.065 + 2 * error, row
    measured = between([row["package"] for row in levels])
    assert f"it was {measured} in all {len(levels)} combinations" in page
    for units in ("segments", "auto", "documents"):
        of_units = {"drawn": "170 documents", "resampled": units}
        keys = ("rejected", "difference", "system")
        shares = [found(key, **of_units) for key in keys]
        row = " | ".join(map(between, shares))
        written = '`"auto"`, without IDs' if units == "auto" else units
        assert f"| {written} | {row} |" in page
        if units == "segments":
            assert f"only {between(shares[2])} of 95% intervals" in guide
    assert between(found("rejected", resampled="auto"), 0) == notes._REJECTED
    assert between(found("system", resampled="auto"), 0) == notes._COVERED
    for count, share in notes.COVERAGE_OF_DOCUMENTS.items():
        few = found("system", drawn=f"{count} documents", resampled="documents")
        assert share == round(100 * sum(few) / len(few))
    warned = [row["dependence"] for row in rates if row["resampled"] == "segments"]
    # Of scores and of differences, each at 1%.
    error = math.sqrt(0.02 * 0.98 / min(row["repeats"] for row in rates))
    assert max(each for each in warned if each and each < 0.5) < 0.02 + 3 * error
    assert min(each for each in warned if each and each > 0.5) > 0.97
    assert f"rejects {between(found('sacrebleu'))} of equal systems" in page


# A time, a ratio, a size or a share, except levels of confidence and power, and the whole.
AMOUNT = (
    r"(?<![\w.,])(?:\d(?:[\d,.]*\d)?[ -]?|(?:half|quarter|ten|hundred|thousand)(?: of)?(?: a)? )"
)
UNIT = r"(?:(?:[µmn]?s|h|min|seconds?|minutes?|hours?|bytes?|[KMGT]B|x|times)\b|×(?! \d)|%)"
FIGURE = re.compile(rf"(?!(?:5|80|95|100)%){AMOUNT}{UNIT}")

# Figures that are in no record: page, figures, and where they come from.
STATED = """
README.md: 85 s; 7 min; 0.4 GB; 2.6 GB: both commands in a fresh clone, timed, and du of it
README.md: 99%: a level that one may choose
CONTRIBUTING.md: ten minutes: the first `make quick`
docs/command_line.md: 99%: the share of lines in `inputs/kinds.py`
docs/benchmarks.md: 5 GB: the files that the benchmarks write
docs/benchmarks.md: 11.9 MB; 12.0 MB: test_newstest2017
docs/course/mean.md: 100 times: a definition
docs/course/ter.md: 50 times: a limit of TER
docs/decoding.md: 8 bytes; 30 bytes: a float; the test of Self-BLEU's memory
docs/differences.md: 4.8 GB: for 10^8 drawn segments, an int64 and a row of ten float32 each
docs/conformance.md: 1 MB; 64 MB: limits of the runner
docs/dialects.md: 4%; 89%; 99%; 12 seconds: tests/analysis/test_causes.py, and a run of it
docs/first_steps.md: 68.9%; 40.9%; 15.9%: the example above them
docs/ko/first_steps.md: 68.9%; 40.9%; 15.9%: the example above them
campaign/README.md: 20 MB; 3 seconds: what is put in, and when
campaign/README.md: 1 MB; 6 MB: limits in campaign/
campaign/README.md: 200,000 times: campaign/memory.py
docs/migrate.md: 1 µs; 7 µs; 11 ms; 60 µs: a call of each for one sentence, with evaluate 0.4.6
docs/reliability.md: 1 GB; 20 MB; 32 MB; 64 KB: what is put in
docs/reliability.md: half a second; 150 MB: limits in campaign/ and benchmarks/
docs/report.md: quarter of a second: the test of a large report in Chromium
docs/scale.md: 123 bytes; 247 bytes: test_newstest2017
docs/scale.md: 12.4 s; 12.5 s; 3.6 s: a run of 28 November 2026, Spark local[2]
docs/settings.md: 16 bytes: the width of a vector
docs/tables.md: 80 bytes: a row of ten int64
docs/upstream.md: 0.04 s; 18.6 s: processor time of both on newstest2021 en-de, with lm-eval 0.4.13
docs/test_sets.md: 30 seconds: python/truebleu/downloads/transfer.py
"""

# The shares in these pages come from simulations, which `make campaign` runs.
NAMES = ("comparing", "evaluation", "meta_evaluation", "significance")
SIMULATED = {f"docs/{name}.md" for name in NAMES} | {"campaign/README.md"}

SIZES = ((1e12, " TB"), (1e9, " GB"), (1e6, " MB"), (1e3, " KB"), (1, " bytes"))
TIMES = ((3600, " h"), (60, " min"), (1, " s"), (1e-3, " ms"))


def rows_of(kind):
    """Read the last record of a kind, without its heading."""
    with max(ROOT.glob(f"*/record/*{kind}.csv")).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def brief(number, units=((1, ""),), digits=2):
    """Write a number with few digits, in the first unit that it reaches."""
    size, unit = next(each for each in units if number >= each[0])
    return f"{float(f'{number / size:.{digits}g}'):,g}{unit}"


def of_benchmarks():
    """Yield parts of pages as the last benchmarks have them."""
    record = {row[0]: row[1:4] for row in rows_of("[0-9]")}
    peer = re.compile("(?i), sacrebleu('s sentence_score)?$")
    ratios = {name: float(row[2]) for name, row in record.items() if peer.search(name)}
    slower = {name: ratio for name, ratio in ratios.items() if ratio < 50}
    mecab, spm, command = (f"{ratio:.0f}" for ratio in slower.values())
    faster = [ratio for ratio in ratios.values() if ratio >= 50]
    assert [name.split(",")[0] for name in slower] == [
        "ja-mecab",
        "SentencePiece",
        "truebleu score",
    ]
    yield "README.md", f"{brief(min(faster))} to {brief(max(faster))} times as fast"
    yield "README.md", f"{mecab} to {spm} times with the tokenizers of MeCab and SentencePiece"
    yield "README.md", f"{command} times for a command that scores one test set"
    [parquet] = [name for name in record if name.startswith("Parquet of ")]
    size = parquet.split()[2]
    yield "docs/scale.md", f"takes {record[parquet][0]} for a Parquet file of {size} GB"
    for engine, said in (
        ("Polars, expression", "Polars takes {} times as long as the plain core"),
        ("DuckDB", "DuckDB {} times"),
        ("Spark local[2], data frame", "Spark takes {} times as long on data frames"),
    ):
        _, core, ratio = record[f"{engine}, 5,046,720 pairs of Parquet, the plain core"]
        yield "docs/scale.md", said.format(f"{1 / float(ratio):.2f}")
    each = float(core.split()[0]) / 5_046_720
    rate = f"{1e-6 / each:.1f} million pairs per second"
    yield "docs/scale.md", f"5,046,720 pairs in {core}, that is, {rate}"
    for count, pairs in ("5 m", 5e6), ("100 m", 1e8), ("1 b", 1e9), ("100 b", 1e11):
        took = (2 * pairs * each / cores for cores in (2, 64, 1000))
        row = [f"{count}illion", brief(247 * pairs, SIZES), brief(2 * pairs * each)]
        row += [brief(time, TIMES) if time >= 1 else "under 1 s" for time in took]
        yield "docs/scale.md", f"| {' | '.join(row)} |"
    speed = brief(247e9 / (2e6 * each), SIZES)
    hours = [2 * each / 3.6e-6]
    for name, pairs in (
        ("chrF++, 48,064 pairs, 1 thread, sacreBLEU", 48_064),
        ("TER, newstest2021 en-de, 1,002 pairs, 1 thread, sacreBLEU", 1_002),
    ):
        hours.append(float(record[name][0].split()[0]) / 1e3 / pairs / 3.6e-6)
    bleu, chrf, ter = (f"{each:.2f}" for each in hours)
    said = f"{bleu} core-hours under BLEU, {chrf} under chrF++ and {ter} under TER"
    yield "docs/scale.md", said
    yield "docs/scale.md", f"that is {5 * sum(hours):.0f} cents for all three"
    yield "docs/scale.md", f"250 GB in {brief(2e6 * each, TIMES)} are {speed} per second"


def of_rows():
    """Yield what one row for each group of each partition takes."""
    job = Job("mt", "ref", metric=truebleu.Bleu())
    sent, kept = 8 * len((*job.sums, *job.ends, "key")), 8 * len(job.fields)
    yield f"{sent // 8} numbers, {sent} bytes, of which {kept} are statistics"
    yield f"{sent // 8 + 1} numbers, {sent + 8} bytes, per group"
    one, many = (brief(10_000 * groups * sent, SIZES, 3) for groups in (1, 100))
    yield f"partitions shuffle {one}, and with 100 groups in each {many}"


def of_campaign():
    """Yield parts of the page about reliability as the last campaign has them."""
    memory = rows_of("memory")
    for how, said in (
        ("000000 calls", "The process grew by at most {}"),
        ("16 threads", "A twentieth of the calls from 16 threads left at most {}"),
        ("[Dd]e[vb]", "With `-X dev` or `PYTHONMALLOC=debug`, it was at most {}"),
    ):
        most = max(int(value) for _, each, value in memory if re.search(how, each))
        yield "campaign/README.md", said.format(f"{math.ceil(most / 1000):,} KB")
    for metric in "BLEU", "chrF", "chrF++", "TER":
        peaks = [row[2] for row in rows_of("-lines") if row[0] == metric.lower()]
        yield "docs/reliability.md", f"| {metric} | {' | '.join(peaks)} |"
    for kind, _, cases, _, read, _ in rows_of("forged"):
        refused = int(cases) - int(read)
        yield "campaign/README.md", f"| {kind} | {int(cases):,} | {int(read):,} | {refused:,} | 0 |"
    pages = [[int(states), int(uses)] for _, states, uses, _ in rows_of("hostile")]
    assert {states for states, _ in pages} == {74 + 40}
    yield "campaign/README.md", f"{len(pages)} pages, which are reports"
    yield "campaign/README.md", f"and used {sum(uses for _, uses in pages):,} times in all"
    total, covered = next(map(int, row[1:]) for row in rows_of("coverage") if row[0] == "all")
    yield "campaign/README.md", f"{covered / total:.0%} of the lines of the core"


def of_pages():
    """Yield what calls and edits leave in memory, as the campaign measured it."""
    found = {tuple(row[:3:2]): (int(row[1]), int(row[3])) for row in rows_of("-pages")}
    (calls, heap), (edits, more) = (
        found["calls in Node", "heap"],
        found["edits of the playground", "heap"],
    )
    assert found["calls in Node", "core"][1] == 0
    yield f"{calls:,} calls left {math.ceil(heap / 1000)} kB more in the heap of Node"
    yield f"{edits:,} edits left {math.ceil(more / 1000)} kB more in the page of the playground"


def of_javascript():
    """Yield the rows of the page: how many scores of truebleu.js are equal to Python's."""
    for metric, *numbers, _ in rows_of("-javascript"):
        name = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}[metric]
        yield f"| {name} | {' | '.join(f'{int(number):,}' for number in numbers)} |"


def of_gains():
    """Yield the rows of the page about scores: in how many pairs of systems people agree."""
    rows = list(rows_of("gains"))
    for table, said in ("ende", "English–German"), ("zhen", "Chinese–English"):
        for metric in "BLEU", "chrF++", "TER":
            found = {
                row[2]: f"{row[5]} of {row[4]}"
                for row in rows
                if row[1] == metric and row[0].endswith(table)
            }
            parts = (found.get(edge, "–") for edge in ("0", "0.5", "1", "2", "5"))
            yield f"| {said}, {metric} | {' | '.join(parts)} |"


MEASURED = {page: [] for page in PAGES}
for place, part in (*of_benchmarks(), *of_campaign()):
    MEASURED[place].append(part)
MEASURED["docs/scale.md"] += of_rows()
MEASURED["docs/good_score.md"] += of_gains()
MEASURED["campaign/README.md"] += of_pages()
MEASURED["docs/javascript.md"] += of_javascript()


def wrong_figures(page):
    """Return what a page does not say as measured, and figures that are measured or stated wrong.

    A figure is that of the last record, or its source is stated.
    """
    text = re.sub(r"(?s)<!-- (benchmark|rates):begin.*?\1:end -->", "", text_of(page))
    text = " ".join(text.split())
    missing = {part for part in MEASURED[page] if part not in text}
    for part in MEASURED[page]:
        text = text.replace(part, "")
    found = {figure[0] for figure in FIGURE.finditer(text)}
    if page in SIMULATED:
        found = {figure for figure in found if not figure.endswith("%")}
    stated = [line.split(": ") for line in STATED.splitlines() if line.startswith(f"{page}: ")]
    known = {figure for _, figures, _ in stated for figure in figures.split("; ")}
    return missing, found ^ known


def test_figures():
    """Every page has the figures that were measured, and no others without a source."""
    found = {page: wrong_figures(page) for page in PAGES}
    assert {page: wrong for page, wrong in found.items() if any(wrong)} == {}
    with mock.patch.dict(MEASURED, {"README.md": ["more than 1 times as fast"]}):
        missing, unknown = wrong_figures("README.md")
    assert missing == {"more than 1 times as fast"}
    assert [each for each in unknown if each.endswith(" times")]


def test_interrupts():
    """The page has the times of the last campaign, and one call takes longer than it promises."""
    took = dict(rows_of("interrupts"))
    [rows] = [rows for _, rows in tables("campaign/README.md") if "| call |" in rows[0]]
    assert {call: time for call, _, time in map(cells, rows[2:])} == took
    assert [call for call, time in took.items() if float(time) > 0.5] == ["report"]


def test_conditions():
    """The page has the table of the last campaign, in which every promise holds."""
    rows = rows_of("conditions")
    assert conditions.table(rows) in text_of("campaign/README.md")
    assert [row for row in rows if row[2] != conditions.HOLDS] == []
    functions = {name for name, condition, _ in rows if condition in conditions.PLACES}
    assert f"{len(functions)} functions gave the same" in text_of("campaign/README.md")


def test_faults():
    """The page has the table of the last campaign."""
    assert mutants.summary(rows_of("mutants")) in text_of("campaign/README.md")


def test_newstest2017():
    """The text that the figures are for has as many tokens and bytes as the pages say."""
    if not data.wmt_folder().is_dir():
        pytest.skip("there are no system outputs; TRUEBLEU_DATA names the folder they are in")
    sides = data.many_pairs(*data.systems("newstest2017", "en-de"), 1)
    score = truebleu.corpus_bleu(*sides)
    sizes = [sum(len(text.encode()) for text in side) / len(side) for side in sides]
    assert round((score.hyp_len + score.ref_len) / 2 / len(sides[0])) == 21
    assert [round(sum(sizes) / 2), round(sum(sizes))] == [123, 247]
    files = [f"{2 * (size + 1) * len(sides[0]) / 1e6:.1f} MB" for size in sizes]
    assert files == ["11.9 MB", "12.0 MB"]
