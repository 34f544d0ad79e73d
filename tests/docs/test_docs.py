"""Every example that somebody may copy is run, and prints what it is said to print."""

import contextlib
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from ast import literal_eval
from pathlib import Path

import other_packages
import pytest
import truebleu
from project import ROOT, SHORT_JOBS
from public_names import PUBLIC as NAMES
from truebleu.cli import main
from truebleu.cli.arguments import parse
from truebleu.significance.design import PARAMETERS

PAGES = [
    path.relative_to(ROOT).as_posix()
    for pattern in (
        *("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/course/*.md", "docs/ko/*.md"),
        "docs/cookbook/*.md",
    )
    for path in sorted(ROOT.glob(pattern))
]
# Functions that readers write: test_build.py runs them.
BUILT = {"docs/build.md", "docs/ko/build.md"}
COURSE = [page for page in PAGES if page.startswith("docs/course/") and "index" not in page]
# They start Spark, which warns of pandas.
SLOW = {"docs/scale.md"}
SLOW_MARKS = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
# Ray starts a process for each step of each sum, which takes a minute.
OF_THE_CAMPAIGN = "from ray.data.aggregate import Sum"
# These have no examples, and take long to load, or need what is not installed.
HEAVY = {
    *("truebleu.engines.ray", "truebleu.engines.spark"),
    *("truebleu.compat.evaluation_module", "truebleu.compat.torchmetrics"),
}
DEFAULTS = {each.name: each.default for each in PARAMETERS}
# Public classes are those of the package, which loads some when they are asked for.
PUBLIC = [*NAMES.values()]
MODULES = [
    truebleu,
    *(
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(truebleu.__path__, "truebleu.")
        if not found.name.endswith("__main__") and found.name not in HEAVY
    ),
]


class Finder(doctest.DocTestFinder):
    """Finds the examples of decorated functions, too."""

    def _from_module(self, module, thing):
        return super()._from_module(module, inspect.unwrap(thing))


DOCSTRINGS = {
    test.name: test
    for module in MODULES
    for test in Finder(exclude_empty=True).find(module)
    if test.examples
}


def blocks(text, language):
    """Yield the fenced blocks of a language: the line where each begins, and its text."""
    fence = re.compile(r"(?ms)^( *)```([^\n`]*)\n(.*?)^\1```$")
    for match in fence.finditer(text):
        if match[2] == language:
            body = re.sub(f"(?m)^{match[1]}", "", match[3])
            yield text.count("\n", 0, match.start(3)), body


def pages_with(language):
    """Return the pages that have a block of a language."""
    texts = {page: (ROOT / page).read_text("utf-8") for page in PAGES}
    return [page for page, text in texts.items() if any(blocks(text, language))]


def commands(block):
    """Yield each ``$ truebleu ...`` of a console block, and what is printed below it."""
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        command, _, printed = re.sub(r" *\\\n> *", " ", part).partition("\n")
        if command.startswith("truebleu "):
            yield command, printed


def printed_by(command):
    """Run a command in the root of the repository; return all that it prints.

    Without a shell, that is in this process, which has loaded already what commands need.
    """
    if re.search(r"[|<>;&*?$`]", re.sub("'[^']*'", "", command)):
        done = subprocess.run(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=300,
        )
        return done.stdout.decode()
    with contextlib.ExitStack() as stack:
        path = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "printed"
        # Complaints are written at once, as in a process of its own.
        out, error = (stack.enter_context(path.open("a", size, "utf-8")) for size in (-1, 1))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(error))
        with open(os.devnull) as sys.stdin, contextlib.suppress(SystemExit):
            main(shlex.split(command)[1:])
        out.flush()
        return path.read_text("utf-8")


def run_doctest(test):
    """Run examples; return what is wrong with them."""
    wrong = []
    doctest.DocTestRunner().run(test, out=wrong.append, clear_globs=False)
    return "".join(wrong)


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch, tmp_path):
    """Let examples find examples/, and print the same everywhere."""
    monkeypatch.chdir(ROOT)
    for variable in ("TRUEBLEU_CACHE", "SACREBLEU"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{SHORT_JOBS} pyspark-shell")
    monkeypatch.delenv("TRUEBLEU_THREADS", raising=False)
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    ray = sys.modules.get("ray")
    if shared := ray and ray.is_initialized():
        # Pages start it and stop it, which takes longer than what they do with it.
        monkeypatch.setattr(ray, "init", lambda **_: None)
        monkeypatch.setattr(ray, "shutdown", lambda: None)
    yield
    if not shared and "ray" in sys.modules:
        sys.modules["ray"].shutdown()
    # What an example of a command has written.
    for path in ROOT.glob("part-*"):
        path.unlink()


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstrings(name):
    """An example in a docstring gives what it says."""
    assert run_doctest(DOCSTRINGS[name]) == ""


def test_docstrings_are_found():
    """The test above has something to do."""
    assert {
        *("truebleu", "truebleu.Accumulator", "truebleu.Bleu", "truebleu.Metric"),
        "truebleu.metrics.functions.corpus_bleu",
    } <= set(DOCSTRINGS)


def test_public_names_have_an_example():
    """Each function and class that people may call shows it; an exception is shown by its base."""
    shown = [
        name for name, value in NAMES.items() if callable(value) and ">>>" not in value.__doc__
    ]
    bases = (truebleu.TruebleuError, Warning)
    assert [name for name in shown if not issubclass(NAMES[name], bases)] == []


def test_defaults_in_docstrings_are_those_of_the_code():
    """A docstring states each default that is not empty, and none that is another.

    Settings of metrics are compared in tests/metrics/test_settings.py.
    """
    members = [pair for value in PUBLIC for pair in inspect.getmembers(value, inspect.isfunction)]
    things = [*PUBLIC, *(thing for name, thing in members if not name.startswith("_"))]
    compared = 0
    for thing in things:
        if not callable(thing) or (isinstance(thing, type) and issubclass(thing, Exception)):
            continue
        rows = re.findall(r"(?m)^(\w+(?:, \w+)*) : (.*)$", inspect.getdoc(thing))
        kinds = {name: kind for names, kind in rows for name in names.split(", ")}
        taken = inspect.signature(thing).parameters
        for name, kind in kinds.items():
            default = taken[name].default if name in taken else DEFAULTS.get(name)
            stated = re.search(r"default (\S+)$", kind)
            if stated and (name in taken or name in DEFAULTS):
                assert literal_eval(stated[1].replace(",", "_")) == default, (thing, name)
                compared += 1
            elif name in taken and default is not inspect.Parameter.empty:
                assert not default or not isinstance(default, int | float | str), (thing, name)
    assert compared > 30


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        *(
            pytest.param(page, "usual", marks=SLOW_MARKS if page in SLOW else [])
            for page in pages_with("python")
            if page not in BUILT
        ),
        pytest.param("docs/scale.md", "all", marks=[pytest.mark.campaign, *SLOW_MARKS]),
    ],
)
def test_python(page, parts):
    """The Python of a page runs from top to bottom, as if typed into one session."""
    text = (ROOT / page).read_text("utf-8")
    names = {"__name__": "__main__"}
    for line, block in blocks(text, "python"):
        if OF_THE_CAMPAIGN in block and parts == "usual":
            continue
        with other_packages.for_page(page):
            if ">>>" in block:
                test = doctest.DocTestParser().get_doctest(block, names, page, page, line)
                assert run_doctest(test) == ""
                names.update(test.globs)
            else:
                exec(compile("\n" * line + block, page, "exec"), names)


def test_differences():
    """What docs/differences.md says of sacreBLEU and NLTK is what they do."""
    path = ROOT / "tests" / "laws" / "differences.txt"
    test = doctest.DocTestParser().get_doctest(path.read_text("utf-8"), {}, path.name, path.name, 0)
    assert len(test.examples) > 50
    assert run_doctest(test) == ""


@pytest.mark.parametrize("page", COURSE)
def test_a_page_of_the_course_has_a_figure_and_two_exercises(page):
    """The figure says in words what it shows, and each exercise has an answer that runs."""
    text = (ROOT / page).read_text("utf-8")
    [(words, place)] = re.findall(r"!\[([^]]*)\]\((.*)\)", text)
    assert len(words) > 80
    assert (ROOT / page).parent.joinpath(place).is_file()
    exercises, _, answers = text.partition("\n## Exercises\n")[2].partition("<details>")
    for part in exercises, answers:
        assert re.findall(r"(?m)^(\d)\. ", part) == ["1", "2"]
    for answer in re.split(r"(?m)^2\. ", answers):
        assert list(blocks(answer, "python"))


def test_figures_of_the_course_are_drawn_from_the_numbers_of_the_library(monkeypatch):
    """Each is what docs/course/make.py draws, and each is on a page, in Korean, too."""
    folder = ROOT / "docs" / "course"
    monkeypatch.syspath_prepend(folder)
    drawn = dict(runpy.run_path(str(folder / "make.py"))["files"]())
    assert set(drawn) == {*(ROOT / "docs").glob("*/figures/*")}
    for path, figure in drawn.items():
        assert figure == path.read_text("utf-8"), path
        assert (path.parent.parent / f"{path.stem}.md").is_file()
    assert {Path(page).stem for page in COURSE} == {path.stem for path in drawn}


FENCED = re.compile(r"(?ms)^( *)```.*?^\1```$")


def anchors(path):
    """Name the headings of a page as GitHub does, for links."""
    titles = re.findall(r"(?m)^#+ (.*)$", FENCED.sub("", path.read_text("utf-8")))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page):
    """Return the links of a page to files, or to headings of pages, that do not exist."""
    text = FENCED.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"https?:|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        path = page.parent / name if name else page
        # The site makes these.
        if path.parent == ROOT / "docs" / "generated":
            continue
        known = anchors(path) if path.suffix == ".md" and path.exists() else {anchor}
        if not path.exists() or (anchor and anchor not in known):
            yield target


def test_the_cookbook_lists_its_questions():
    """The first page leads to every answer of the others, and to the pages that have the rest."""
    folder = ROOT / "docs" / "cookbook"
    index = (folder / "index.md").read_text("utf-8")
    listed = set(re.findall(r"\]\((\w+\.md)#([^)]*)\)", index))
    answers = {
        (page.name, re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"))
        for page in folder.glob("*.md")
        for title in re.findall(r"(?m)^## (.*)$", FENCED.sub("", page.read_text("utf-8")))
        if page.stem != "index"
    }
    assert listed == answers
    assert index.count("](") > 60


def test_links_lead_somewhere(tmp_path):
    """A link to a file, or to a heading of a page, is to one that exists."""
    folders = (
        "",
        "benchmarks/",
        "campaign/",
        "crates/core/",
        "tests/clients/",
        "tests/conformance/",
        "docs/",
        "docs/*/",
        "examples/",
        "fuzz/",
    )
    pages = [page for folder in folders for page in ROOT.glob(f"{folder}*.md")]
    assert {ROOT / page for page in [*PAGES, "CHANGELOG.md"]} <= set(pages)
    found = {page: list(broken_links(page)) for page in pages if page.parent.name != "generated"}
    assert {page: targets for page, targets in found.items() if targets} == {}
    wrong = tmp_path / "wrong.md"
    wrong.write_text("# One\n[a](#one) [b](#two) [c](none.md)\n[d](wrong.md#two)\n", "utf-8")
    assert list(broken_links(wrong)) == ["#two", "none.md", "wrong.md#two"]


@pytest.mark.parametrize("page", [*COURSE, "docs/first_steps.md"])
def test_korean_pages_keep_in_step(page):
    """A page has the code, the figure, the sections and the tables of the English one."""
    path = ROOT / page
    english, korean = (each.read_text("utf-8") for each in (path, ROOT / "docs/ko" / path.name))
    for language in "python", "console", "sh", "bash":
        code = [block for _, block in blocks(english, language)]
        assert [block for _, block in blocks(korean, language)] == code
    for part in (r"(?m)^#+ ", r"(?m)^!\[", r"figures/\w+\.svg", r"(?m)^\d\. ", r"(?m)^\| BLEU-.*$"):
        assert re.findall(part, korean) == re.findall(part, english), part


def test_the_example_of_processes():
    """Statistics of several processes add up to those of one."""
    command = [sys.executable, "examples/all_reduce.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert re.fullmatch(r"2 processes, \w+: 50\.21\n", done.stdout)


def calls_of_the_readme():
    """Return the code of each row of the tables of README that say what to write."""
    text = (ROOT / "README.md").read_text("utf-8")
    tables = re.findall(r"\| you want \| write \|\n\|---\|---\|\n((?:\|.*\n)+)", text)
    return [[re.findall(r"`([^`]+)`", row) for row in table.splitlines()] for table in tables]


def test_commands_of_the_readme():
    """Each is understood; what stands behind another is an option of the same command."""
    signature = truebleu.Bleu().signature
    commands, _ = calls_of_the_readme()
    for row in commands:
        for code in row:
            call = re.sub(r"\b(SIGNATURE|ONE|OTHER)\b", f"'{signature}'", code)
            if call.startswith("truebleu "):
                before = call
                assert parse(shlex.split(call)[1:]).run
            elif call.startswith("--"):
                assert parse(shlex.split(f"{before} {call}")[1:]).run


def test_python_of_the_readme():
    """Each runs; Spark takes long to start, and has pages of its own."""
    import duckdb
    import polars as pl

    texts = ["The cat sat on the mat.", "It rained all day."]
    references = [["The cat sat on a mat."], ["It was raining all day."]]
    frame = pl.DataFrame({"mt": texts, "ref": [first for [first] in references], "lang": "en"})
    con = duckdb.connect()
    con.register("t", frame.to_arrow())
    other = truebleu.Accumulator("bleu")
    other.add(texts, references)
    known = {"pl": pl, "con": con, "frame": frame, "other": other, "truebleu": truebleu}
    known |= {"hypotheses": texts, "texts": texts, "references": references, "a": texts}
    known |= {"b": texts[::-1]} | {name: getattr(truebleu, name) for name in truebleu.__all__}
    _, calls = calls_of_the_readme()
    for row in calls:
        if "spark" not in row[0]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for code in row:
                    exec(code, known)
    known["accelerated"].undo()


@pytest.mark.parametrize(
    ("translated", "fails"), [("system-strong.en", False), ("system-weak.en", True)]
)
def test_the_workflow(translated, fails, tmp_path):
    """Its commands pass for a better system, fail for a worse one, and write the summary."""
    text = (ROOT / "docs" / "command_line.md").read_text("utf-8")
    [(_, workflow)] = blocks(text, "yaml")
    steps = re.findall(r"- run: (.+(?:\n {10}\S.*)*)", workflow)
    install, *commands = [re.sub(r"\s+", " ", step) for step in steps]
    assert install == "pip install truebleu"
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    script = "\n".join(commands).replace("system-strong.en new", f"{translated} new")
    summary = tmp_path / "summary.md"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        env={**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(summary)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == fails, done.stderr
    assert ("significantly worse" in done.stderr) == fails
    assert "### systems" in summary.read_text("utf-8")


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands(page):
    """A command on a page, typed in the root of the repository, prints what the page shows."""
    text = (ROOT / page).read_text("utf-8")
    for line, block in blocks(text, "console"):
        for command, printed in commands(block):
            # Commands say whether they have replaced a file.
            for name in re.findall(
                r" (?:-o|--output|--(?:segment-)?stats(?:-out)?) (\S+)", command
            ):
                (ROOT / name).unlink(missing_ok=True)
            assert printed_by(command) == printed, f"{page}, block at line {line}: {command}"


def test_the_readme_shows_both_ways():
    """The README has a Python example and a command, and both are among those run."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert list(blocks(text, "python"))
    assert [command for _, block in blocks(text, "console") for command in commands(block)]


def test_segments_are_read_in_one_way():
    """Examples read files of segments with ``read_lines``, which ends lines as the command does."""
    other = re.compile(r"(read_text\([^)]*\)|read\(\))\.splitlines|rstrip\(.\\n")
    found = {}
    for path in [*(ROOT / page for page in PAGES), *(ROOT / "examples").glob("*.py")]:
        text = path.read_text("utf-8")
        code = text if path.suffix == ".py" else "".join(body for _, body in blocks(text, "python"))
        found[path.relative_to(ROOT).as_posix()] = "read_lines(" in code, other.search(code)
    reading = ("docs/scoring.md", "docs/dialects.md", "examples/all_reduce.py")
    assert {found[name] for name in reading} == {(True, None)}
    assert {name for name, (_, match) in found.items() if match} == set()


def test_a_wrong_page_fails(tmp_path, monkeypatch):
    """These tests see a wrong number, a name that is missing, and a line too many."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    page = tmp_path / "page.md"
    good = "```python\nx = 2\n```\n\n1. In a list:\n\n   ```python\n   >>> x + 1\n   3\n   ```\n"
    page.write_text(good)
    test_python("page.md", "all")
    for wrong in (good.replace("   3", "   4"), good[17:]):
        page.write_text(wrong)
        with pytest.raises(AssertionError):
            test_python("page.md", "all")
    page.write_text("```python\n\ny = z\n```\n")
    with pytest.raises(NameError):
        test_python("page.md", "all")
    version = f"truebleu {truebleu.__version__}\n"
    good = f"```console\n$ pip install truebleu\n...\n$ truebleu \\\n>   --version\n{version}```\n"
    page.write_text(good)
    test_commands("page.md")
    for wrong in (good.replace(version, ""), good.replace(version, f"{version}\n")):
        page.write_text(wrong)
        with pytest.raises(AssertionError):
            test_commands("page.md")
