"""What the pages count and list is what there is."""

import ast
import csv
import inspect
import re
from pathlib import Path

import pytest
import truebleu
from truebleu import DIALECTS, _core, compare, errors, sample_size
from truebleu.cli.arguments import parser
from truebleu.downloads import places
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.reporting import charts
from truebleu.significance.parameters import RESAMPLING
from truebleu.test_sets.registry import registered_sets
from truebleu.tokenizers import registry

ROOT = Path(__file__).parent.parent
DOWNLOADS = Path(places.__file__).parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES += sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "docs").glob("**/*.md")
    if path.parent.name != "generated"
)

NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
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


@pytest.mark.parametrize("page", PAGES)
def test_tables(page):
    """Every block of rows has a heading, a rule below it, and as many cells in each row."""
    for line, rows in tables(page):
        where = f"{page}, line {line}"
        assert all(row.rstrip().endswith("|") for row in rows), where
        assert len(rows) > 2, where
        assert all(re.fullmatch(":?-{3,}:?", cell) for cell in cells(rows[1])), where
        assert {len(cells(row)) for row in rows} == {len(cells(rows[0]))}, where


def anchors(page):
    """Return what GitHub makes of the headings of a page."""
    headings = re.findall(r"(?m)^#+ (.*)$", text_of(page))
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return set(plain)


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    """A link to another page, or to a heading, leads there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        found = (ROOT / page).parent / path if path else ROOT / page
        assert found.exists(), target
        if anchor:
            assert anchor in anchors(found.resolve().relative_to(ROOT.resolve())), target


def test_commands():
    """The page's table of commands names each of them."""
    table = text_of("docs/command_line.md").partition("\n\n## ")[0]
    named = {
        name
        for line in table.splitlines()
        if line.startswith("| [")
        for name in re.findall("`([a-z]+)`", cells(line)[0])
    }
    [commands] = [action for action in parser()._actions if action.choices]
    assert named == set(commands.choices)


def test_options():
    """Every option of every command is on a page about the command."""
    pages = ("command_line", "commands", "dialects", "tables", "test_sets")
    text = "".join((ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in pages)
    [commands] = [action for action in parser()._actions if action.choices]
    for command, sub in commands.choices.items():
        for action in sub._actions:
            for option in action.option_strings:
                if option.startswith("--") and option != "--help":
                    assert re.search(rf"{option}(?![\w-])", text), f"{command} {option}"


def test_dialects():
    """The README counts the tools, and the page has what each dialect is made of."""
    assert f"[{WORDS[len(set(DIALECTS) - NO_TOOL)]} other tools](" in text_of("README.md")
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


@pytest.mark.parametrize("smoothing", [name for name in _core.SMOOTHINGS if name != "method6"])
def test_no_match(smoothing):
    """The page names the smoothings that make something of no match at all."""
    score = truebleu.corpus_bleu(["x y z w v"], ["a b c d e"], smoothing=smoothing)
    text = " ".join(text_of("docs/settings.md").split())
    assert "the score is 0 under every smoothing but `nist` and `skip-zero`" in text
    assert (score.score > 0) == (smoothing in ("nist", "skip-zero"))


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


def test_resampling():
    """The table of resampling has every parameter and its default."""
    heading = ["parameter", "default", "of", "what it means"]
    names, defaults = (column("docs/api.md", heading, place) for place in (0, 1))
    rows = dict(zip(names, defaults, strict=True))
    assert {name: ast.literal_eval(default) for name, default in rows.items()} == RESAMPLING


def test_exceptions():
    """Both tables of exceptions have all of them."""
    known = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert set(column("docs/api.md", ["name", "base", "when"])) == known
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
    assert names == ["filelock", "numpy", "platformdirs", "tomli"]
    # The last is in the standard library of later versions of Python.
    assert "tomli>=2; python_version < '3.11'" in dependencies


def recorded(name):
    """Return the rows of the newest record of the campaign."""
    path = max((ROOT / "campaign" / "record").glob(f"*-{name}.csv"))
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {key: value if key == "scenario" else literal(value) for key, value in row.items()}
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

    def found(key, *words, without="no such words"):
        rows = [row for row in rates if all(word in row["scenario"] for word in words)]
        values = [row[key] for row in rows if without not in row["scenario"] and row[key]]
        return [value[0] if isinstance(value, tuple) else value for value in values]

    unequal = between(found("randomization", "length ratios"))
    legacy = found("sacrebleu", "")
    apart = {"without": "as segments"}
    page = " ".join((ROOT / "docs" / "significance.md").read_text("utf-8").split())
    guide = " ".join((ROOT / "docs" / "comparing.md").read_text("utf-8").split())
    tests = ("randomization", "bootstrap")
    wrong = [each for key in tests for each in found(key, "as segments")]
    right = [each for key in tests for each in found(key, "170 documents", **apart)]
    assert f"at 0.05 in {unequal} of cases in the table" in page
    assert f"in {unequal} of cases at 0.05, in" in guide
    assert f"do not differ rejected in {between(wrong)} of cases" in page
    score = between(found("system", "as segments"))
    assert (
        f"contained the difference in only {between(found('difference', 'as segments'))}, and the "
        f"score in only {score} of cases"
    ) in page
    assert f"only {score} of 95% intervals" in guide
    assert (
        f"it was {between(right)}, {between(found('difference', '170 documents', **apart))} and "
        f"{between(found('system', '170 documents', **apart))}"
    ) in page
    few = found("system", "40 documents")
    assert f"with 40, {100 * min(few):.1f}% of the 95% intervals of a score" in page
    assert f"rejected in {between(found('bootstrap', '40 documents'))} of cases" in page
    assert f"rejects {between(legacy)} of equal systems" in page
    for text in guide, (ROOT / "docs" / "api.md").read_text("utf-8"):
        assert f"in {between(legacy)} of cases" in text
    assert f"in {between(legacy, 0)} of cases" in " ".join(compare.__doc__.split())
    power = between([row["found"] for row in recorded("plans")], 0)
    assert f"planned for a power of 80% reached {power} on" in " ".join(sample_size.__doc__.split())
    order = [(" - " in row["influence on"], row["p"]) for row in recorded("order")]
    assert {p for of_pair, p in order if not of_pair} == {0.001}
    assert f"each of the {sum(not of_pair for of_pair, _ in order)} systems" in page
    pairs = [p for of_pair, p in order if of_pair]
    assert f"below 0.05 for {sum(p < 0.05 for p in pairs)} of {len(pairs)} pairs" in page
