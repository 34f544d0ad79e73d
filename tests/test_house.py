"""The rules of the house, so that nobody has to remember them."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import truebleu
from truebleu import _core
from truebleu.cli.tables import FORMATS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "python" / "truebleu"

# Imports go down only.
FLOORS = {
    "truebleu.errors": 0,
    "truebleu.checks": 0.5,
    "truebleu.formatting": 0,
    "truebleu.frozen": 0,
    "truebleu._core": 0,
    "truebleu.ragged": 0.5,
    "truebleu.columns": 0.9,
    "truebleu.inputs": 1,
    "truebleu.numbering": 1.1,
    "truebleu.matrix": 5,
    "truebleu.decoding": 5.1,
    "truebleu.diversity": 5,
    "truebleu.rewards": 5,
    "truebleu.settings": 1,
    "truebleu.dialects": 1,
    "truebleu.downloads": 1,
    "truebleu.files": 1,
    "truebleu.foreign": 1.1,
    "truebleu.tokenization": 1.2,
    "truebleu.counting": 2,
    "truebleu.signature": 2,
    "truebleu.signature_text": 1,
    "truebleu.layout": 1,
    "truebleu.stats": 2,
    "truebleu.rendering": 1,
    "truebleu.showing": 2,
    "truebleu.score": 3,
    "truebleu.bleu": 4,
    "truebleu.functions": 5,
    "truebleu.lines": 5,
    "truebleu.auditing": 5,
    "truebleu.inference": 0,
    "truebleu.resampling": 1,
    "truebleu.legacy": 1,
    "truebleu.comparison": 2,
    "truebleu.plan": 3,
    "truebleu.trials": 3,
    "truebleu.significance": 5,
    "truebleu.explanation": 5,
    "truebleu.reproduction": 5.1,
    "truebleu.engines": 1,
    "truebleu.engines.rows": 5,
    "truebleu.engines.arrow": 5.1,
    "truebleu.engines.duckdb": 5.1,
    "truebleu.engines.formats": 5.1,
    "truebleu.engines.pandas": 5.1,
    "truebleu.engines.polars": 5.1,
    "truebleu.engines.ray": 5.2,
    "truebleu.engines.spark": 5.2,
    "truebleu.engines.tables": 5.2,
    "truebleu.reporting.splitting": 5.1,
    "truebleu.reporting.grams": 5.2,
    "truebleu.reporting.notices": 5.2,
    "truebleu.reporting.gathering": 5.3,
    "truebleu.reporting.terms": 5.3,
    "truebleu.reporting.figures": 5.4,
    "truebleu.reporting.charts": 5.5,
    "truebleu.reporting.pictures": 5.6,
    "truebleu.reporting.packing": 5.7,
    "truebleu.reporting.page": 5.8,
    "truebleu.reporting": 5.9,
    "truebleu.compat": 1,
    "truebleu.compat.errors": 1,
    "truebleu.compat.nltk": 5,
    "truebleu.compat.torchmetrics": 5,
    "truebleu.compat.sacrebleu.metrics.helpers": 1,
    "truebleu.compat.sacrebleu.printing": 1,
    "truebleu.compat.sacrebleu.utils": 1,
    "truebleu.compat.sacrebleu.metrics.base": 2,
    "truebleu.compat.sacrebleu.metrics.score": 3,
    "truebleu.compat.sacrebleu.sampling": 2,
    "truebleu.compat.sacrebleu.tokenizers": 5,
    "truebleu.compat.sacrebleu.metrics.bleu": 5.1,
    "truebleu.compat.sacrebleu.compat": 5.2,
    "truebleu.compat.sacrebleu.significance": 5.2,
    "truebleu.compat.sacrebleu.metrics": 5.2,
    "truebleu.compat.sacrebleu": 5.3,
    "truebleu.compat.sacrebleu.cli": 5.4,
    "truebleu.compat.sacrebleu.__main__": 5.5,
    "truebleu.compat.huggingface": 5.4,
    "truebleu": 6,
    "truebleu.cli.reading": 7.0,
    "truebleu.cli.tables": 7.0,
    "truebleu.cli.tabular": 7.05,
    "truebleu.cli.writing": 7.0,
    "truebleu.cli.audit": 7.1,
    "truebleu.cli.explain": 7.1,
    "truebleu.cli.reproduce": 7.1,
    "truebleu.cli.segments": 7.1,
    "truebleu.cli.system": 7.1,
    "truebleu.cli.compare": 7.2,
    "truebleu.cli.picturing": 7.2,
    "truebleu.cli.choices": 7.2,
    "truebleu.cli.tokens": 7.1,
    "truebleu.cli.arguments": 7.3,
    "truebleu.cli": 7.4,
    "truebleu.__main__": 8,
}

# What tools leave behind.
IGNORED = {".git", *(line.strip("/") for line in (ROOT / ".gitignore").read_text().split())}


def module_name(path):
    """Name the module of a file: ``truebleu.cli`` for ``truebleu/cli/__init__.py``."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def files_of_the_project():
    """Yield the files that people write, and no others."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in IGNORED]
        yield from (Path(folder, name) for name in names if not name.endswith(".so"))


def modules_after(code, *arguments):
    """Run code in a fresh interpreter; return the modules that it has loaded."""
    report = "import sys\nknown = set(sys.modules)\n{}\nprint(*sorted(set(sys.modules) - known))"
    done = subprocess.run(
        [sys.executable, "-c", report.format(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT / "examples",
        check=True,
        timeout=60,
    )
    return set(done.stdout.split("\n")[-2].split())


def imports_of(path, name):
    """Find the modules of the package that a module imports, also inside functions."""
    found = []

    def visit(node):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node = ast.Module(node.orelse, [])
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = name.split(".")[: -node.level or None] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.append(full if full in FLOORS or full in MODULES else base)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text("utf-8")))
    return {item for item in found if item.split(".")[0] == "truebleu"}


def test_all_is_sorted_and_complete():
    """Every public name is in ``__all__`` and the other way round, in order."""
    names = truebleu.__all__
    # Constants, then classes, then the rest.
    order = sorted(set(names), key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert list(names) == order
    assert set(dir(truebleu)) == set(names)
    # Asking for a name loads what is loaded late.
    assert all(hasattr(truebleu, name) for name in names)
    public = {
        name
        for name, item in vars(truebleu).items()
        if not name.startswith("_") and not isinstance(item, type(sys))
    }
    assert public - {"TYPE_CHECKING"} | {"__version__"} == set(names)
    with pytest.raises(AttributeError, match="no attribute 'bleurt'"):
        getattr(truebleu, "bleurt")  # noqa: B009


class TestImports:
    """A module knows those below it and no others; and what is not used is not loaded."""

    def test_every_module_has_a_floor(self):
        """Whoever adds a module decides on which floor it lives."""
        assert set(FLOORS) == set(MODULES) | {"truebleu._core"}

    @pytest.mark.parametrize("name", MODULES)
    def test_imports_go_down(self, name):
        """No module imports one of its own floor or of a floor above."""
        imported = imports_of(MODULES[name], name)
        assert {item for item in imported if FLOORS.get(item, 99) >= FLOORS[name]} == set()

    def test_imports_are_found(self):
        """The test above sees imports in functions, submodules by name, and no types."""
        assert "truebleu.cli.segments" in imports_of(
            MODULES["truebleu.cli.arguments"], "truebleu.cli.arguments"
        )
        assert "truebleu._core" in imports_of(MODULES["truebleu.bleu"], "truebleu.bleu")
        assert "truebleu.bleu" not in imports_of(MODULES["truebleu.score"], "truebleu.score")

    def test_the_budget_of_the_package(self):
        """``import truebleu`` takes a few milliseconds."""
        loaded = modules_after("import truebleu")
        assert "truebleu.functions" in loaded
        heavy = "numpy typing typing_extensions re json dataclasses argparse rich inspect logging"
        assert loaded & {*heavy.split(), "truebleu.auditing"} == set()

    @pytest.mark.parametrize("form", ["table", "score-only", "tsv"])
    def test_the_budget_of_the_command(self, form):
        """``truebleu score`` in a pipe loads neither NumPy nor rich."""
        arguments = ["score", "system-weak.en", "-r", "reference-a.en", f"--{form}"]
        loaded = modules_after("from truebleu.cli import main\nmain()", *arguments)
        assert "truebleu.cli.system" in loaded
        heavy = "numpy rich typing_extensions json dataclasses gzip zstandard"
        assert loaded & set(heavy.split()) == set()


class TestSources:
    """What holds for every file."""

    def test_one_file_at_the_border(self):
        """Only src/python/ names pyo3, so that the rest is plain Rust."""
        naming = {
            path.relative_to(ROOT / "src").as_posix()
            for path in (ROOT / "src").rglob("*.rs")
            if "pyo3" in path.read_text("utf-8")
        }
        assert naming
        assert {name for name in naming if not name.startswith("python/")} == set()

    @pytest.mark.parametrize(
        "path",
        [
            path.relative_to(ROOT).as_posix()
            for folder in ("python", "src")
            for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in {".py", ".pyi", ".rs"}
        ],
    )
    def test_no_file_is_longer_than_400_lines(self, path):
        """A longer one is two. The tests inside a Rust file are not counted."""
        text = (ROOT / path).read_text("utf-8")
        # rustfmt closes a module with the first brace that is not indented.
        text = re.sub(r"(?ms)^#\[cfg\(test\)\]\nmod \w+ \{\n.*?^\}\n", "", text)
        assert text.count("\n") <= 400

    def test_the_readme_is_short(self):
        """Nobody reads more than 150 lines before trying."""
        text = (ROOT / "README.md").read_text("utf-8")
        assert 0 < len(text.splitlines()) <= 150

    def test_nothing_names_the_machine_it_was_written_on(self):
        """A path of one machine is of no use on another."""
        folders = "|".join(["work", "tmp", "home", "root", "Users"])
        path_of_a_machine = re.compile(rf"(?<![\w/.~)*-])/({folders})\b")
        assert path_of_a_machine.search('"' + "/".join(["", "tmp", "x"]))
        assert not path_of_a_machine.search("https://example.org/home and bookwork/work")
        found = {}
        for path in files_of_the_project():
            for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
                if path_of_a_machine.search(line.decode("utf-8", "replace")):
                    found[f"{path.relative_to(ROOT)}:{number}"] = line
        assert found == {}


class TestRegistries:
    """What can be chosen is described."""

    @pytest.mark.parametrize(
        "name",
        [*_core.TOKENIZERS, *_core.SMOOTHINGS, *_core.REFERENCE_LENGTHS, *FORMATS],
    )
    def test_every_name_is_in_the_documentation(self, name):
        """Each tokenizer, smoothing, reference length and format is in docs/ in backticks."""
        texts = [path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")]
        written = re.compile(rf"`[\"']?(--)?{re.escape(name)}[\"']?`")
        assert any(written.search(text) for text in texts)


class TestVersions:
    """There is one version, and one truth about the core."""

    def test_one_version(self):
        """Cargo.toml says it, the package repeats it, and the changelog tells what is new."""
        cargo = (ROOT / "Cargo.toml").read_text("utf-8")
        version = re.search(r'^version = "(.*)"$', cargo, re.MULTILINE)[1]
        changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
        newest = re.search(r"^## \[?v?(\d+\.\d+\.\d+[^\s\]]*)", changelog, re.MULTILINE)[1]
        assert truebleu.__version__ == version == newest

    def test_the_stub_is_complete(self, tmp_path):
        """What _core.pyi says is what the built module has."""
        done = subprocess.run(
            [sys.executable, "-m", "mypy.stubtest", "truebleu._core"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            timeout=300,
        )
        assert done.stdout.startswith("Success"), done.stdout + done.stderr
