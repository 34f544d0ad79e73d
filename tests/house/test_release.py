"""What a release is made of agrees: versions, workflows, and the verbs they call."""

import re

import truebleu
from project import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))


def test_there_is_one_version():
    """The package, the crates, the changelog and the citation have the version of Cargo.toml."""
    cargo = (ROOT / "Cargo.toml").read_text("utf-8")
    [version] = re.findall(r'(?m)^version = "(.*)"$', cargo)
    locked = re.findall(
        r'name = "truebleu-\w+"\nversion = "(.*)"', (ROOT / "Cargo.lock").read_text("utf-8")
    )
    newest = re.search(r"(?m)^## \[(.*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    cited = re.search(r"(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"))
    assert {truebleu.__version__, *locked, newest[1], cited[1]} == {version}
    assert len(locked) == len(list(ROOT.glob("crates/*/Cargo.toml")))


def test_the_dates_of_the_release_agree():
    """The changelog and the citation have the same date for the newest version."""
    changed = re.search(r"(?m)^## \[.*\] - (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    cited = re.search(r"(?m)^date-released: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"))
    assert changed[1] == cited[1]


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


def test_every_supported_python_is_built_and_named():
    """The wheels, the tests of platforms and the classifiers list the same versions of Python."""
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    named = set(re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project))
    release = (FOLDER / "release.yml").read_text("utf-8")
    built = re.search(r"--interpreter ([\d.t ]+)", release)
    assert {version.rstrip("t") for version in built[1].split()} == named
    [oldest] = re.findall(r'(?m)^requires-python = ">=(.*)"$', project)
    assert oldest == min(named, key=lambda version: int(version.partition(".")[2]))
