"""What a release is made of agrees: versions, workflows, and the verbs they call."""

import re
import runpy
import shutil
import tomllib

import pytest
import truebleu
from project import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
OF_DEVELOPERS = {"lint", "test", "site", "bench"}


def test_there_is_one_version():
    """The package, the crates, the citation and the newest release are of one version."""
    cargo = (ROOT / "Cargo.toml").read_text("utf-8")
    [version] = re.findall(r'(?m)^version = "(.*)"$', cargo)
    locked = re.findall(
        r'name = "truebleu-\w+"\nversion = "(.*)"', (ROOT / "Cargo.lock").read_text("utf-8")
    )
    newest = re.findall(r"(?m)^## \[(\d.*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"))[:1]
    cited = re.search(r"(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"))
    assert {truebleu.__version__, *locked, *newest, cited[1]} == {version}
    assert len(locked) == len(list(ROOT.glob("crates/*/Cargo.toml")))


def test_the_dates_of_the_release_agree():
    """The changelog and the citation date the newest release, and nothing that is not released."""
    changed = re.findall(r"(?m)^## \[.*\] - (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    cited = re.findall(r"(?m)^date-released: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"))
    assert changed[:1] == cited


def test_extras_are_in_one_table():
    """Each extra that users install is listed with what it is for, in alphabetical order."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [*extras["optional-dependencies"]]
    table = (ROOT / "docs" / "index.md").read_text("utf-8").partition("<!-- extras -->")[2]
    rows = re.findall(r"(?m)^\| `(\w+)` \|", table.partition("\n\n")[0])
    assert rows == sorted(rows) == [name for name in named if name not in OF_DEVELOPERS]


def test_wheels_of_a_release():
    """Each platform has a wheel for each Python, and no wheel may be large."""
    text = (FOLDER / "release.yml").read_text("utf-8")
    platforms = re.findall(r"(?m)^ +- \{os: ([\w.-]+), target: (\w+)", text)
    assert {"windows-11-arm", "windows-latest"} <= {os for os, _ in platforms}
    [pythons] = re.findall(r"--interpreter ([\w. ]+)", text)
    assert pythons.split() == ["3.11", "3.12", "3.13", "3.14", "3.14t", "3.15", "3.15t"]
    assert "-size +2500000c" in text


def test_there_are_workflows():
    """The tests below look at files that exist."""
    assert {path.stem for path in WORKFLOWS} >= {"ci", "links", "release"}


def test_actions_are_pinned_by_hash():
    """A tag of an action may move; a commit cannot. The version stands beside it."""
    texts = [path.read_text("utf-8") for path in WORKFLOWS]
    for line in re.findall(r"(?m)^.*uses: .*$", "".join(texts)):
        assert re.search(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$", line), line


def test_files_that_workflows_name_exist():
    """Tests, examples and scripts that a workflow runs are in the repository."""
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)
    named = re.findall(r"(?<![\w/.-])((?:tests|examples|\.ci)/[\w./-]+)", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_first_verbs_are_those_of_the_pages():
    """Continuous integration begins a fresh clone with what the README tells people to run."""
    readme = (ROOT / "README.md").read_text("utf-8")
    verbs = re.findall(r"(?m)^\| `(make \w+)` ", readme)
    run = re.findall(r"(?m)^timed (.*)$", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert verbs == ["make demo", "make test"] == run[1:3]


def test_every_supported_python_is_built_and_named():
    """Wheels, workflows, classifiers and checks of style know the same versions of Python."""
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    named = set(re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project))
    release = (FOLDER / "release.yml").read_text("utf-8")
    built = re.search(r"--interpreter ([\d.t ]+)", release)
    built = built[1].split()
    assert {version.rstrip("t") for version in built} == named
    assert re.search(r"(?s)python-version: \|\n((?: +[\d.t]+\n)+)", release)[1].split() == [
        *(version for version in built if version != "3.13"),
        "3.13",  # The last one is the default, which the steps after it use.
    ]
    ci, nox = (FOLDER / "ci.yml").read_text("utf-8"), (ROOT / "noxfile.py").read_text("utf-8")
    for text, pattern in (ci, r"(?m)^ +python: \[(.*)\]$"), (nox, r"session\(python=\[(.*)\]"):
        assert re.findall(r"[\d.]+t?", re.search(pattern, text)[1]) == built
    [oldest] = re.findall(r'(?m)^requires-python = ">=(.*)"$', project)
    assert oldest == min(named, key=lambda version: int(version.partition(".")[2]))
    assert f'target-version = "py{oldest.replace(".", "")}"' in project
    for path in (ROOT / "pyproject.toml", ROOT / "tests/house/typing_project/pyproject.toml"):
        checked = re.findall(r'(?m)^python_?[vV]ersion = "(.*)"$', path.read_text("utf-8"))
        assert set(checked) == {oldest}


def test_a_release_is_cut_by_one_command(tmp_path):
    """In a copy, the version and the date are new wherever they stand, and nothing else is."""
    version = runpy.run_path(str(ROOT / "tests" / "house" / "version.py"))
    named = ("CHANGELOG.md", "CITATION.cff", "Cargo.toml", "Cargo.lock")
    paths = [
        ROOT / "javascript" / "package.json",
        *map(ROOT.joinpath, named),
    ]
    paths += [path for pattern in version["SIGNED"] for path in ROOT.glob(pattern)]
    for path in paths:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    changes = tmp_path / "CHANGELOG.md"
    text = re.sub(r"(?ms)^## \[Unreleased\]\n.*?(?=^## |\Z)", "", changes.read_text("utf-8"))
    changes.write_text(text, "utf-8")
    with pytest.raises(SystemExit, match="has no"):
        version["cut"](tmp_path, "9.8.7", "2031-02-03")
    changes.write_text(f"{text}\n## [Unreleased]\n\n### Scores\n\nNone.\n", "utf-8")
    version["cut"](tmp_path, "9.8.7", "2031-02-03")
    assert re.findall(r"(?m)^## \[(.*)\] - (.*)$", changes.read_text("utf-8"))[0] == (
        "9.8.7",
        "2031-02-03",
    )
    old = re.compile(rf"truebleu[ -]{re.escape(truebleu.__version__)}\b")
    for path in paths:
        text = (tmp_path / path.relative_to(ROOT)).read_text("utf-8")
        if path.name not in (*version["MEASURED"], "CHANGELOG.md"):
            assert not old.search(text), path
        if path.name in named:
            assert "9.8.7" in text
    # On the day itself, the same version has a new date.
    version["cut"](tmp_path, "9.8.7", "2031-02-04")
    assert "## [9.8.7] - 2031-02-04" in changes.read_text("utf-8")
    with pytest.raises(SystemExit, match="is none"):
        version["cut"](tmp_path, "next", "2031-02-04")
