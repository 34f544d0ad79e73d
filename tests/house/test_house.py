"""The rules of the house, so that nobody has to remember them."""

import ast
import graphlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import truebleu
from project import ROOT
from truebleu import _core
from truebleu.display.registry import FORMATS

PACKAGE = ROOT / "python" / "truebleu"

# The folders and modules of the package, the lowest first; __init__ and __main__ are the roof.
FOLDERS = [
    *(
        "_core",
        "errors",
        "suggestions",
        "calls",
        "overloads",
        "record",
        "writing",
        "display",
        "downloads",
        "inputs",
        "tokenizers",
        "metrics",
        "significance",
    ),
    *("generation", "analysis", "testing", "reporting", "playground"),
    *("engines", "test_sets", "compat", "cli"),
]

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
        inside = Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not {name, (inside / name).as_posix()} & IGNORED]
        # In a worktree of git, .git is a file.
        written = [name for name in names if name not in IGNORED and not name.endswith(".so")]
        yield from (Path(folder, name) for name in written)


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


def ours(modules):
    """Return those of some modules that are of the package."""
    return {name for name in modules if name.partition(".")[0] == "truebleu"}


def imports_of(path, name):
    """Find the modules of the package that a module imports, in functions and for types, too."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            full = {f"{base}.{alias.name}" for alias in node.names}
            found |= {item if item in MODULES else base for item in full}
    return {item for item in found if item.split(".")[0] == "truebleu"} - {name}


IMPORTS = {name: imports_of(path, name) for name, path in MODULES.items()}


def folder_of(name):
    """Return the first folder, or module, below the package."""
    return name.split(".")[1] if "." in name else ""


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


def test_every_folder_has_its_tests():
    """``make quick FILE=...`` runs the tests in the folder that is named like that of the file."""
    folders = [name for name in FOLDERS if (PACKAGE / name).is_dir()]
    assert [name for name in folders if not list((ROOT / "tests" / name).glob("test_*.py"))] == []


class TestTheCoreUnderTest:
    """Tests say something about the core that they run on, and no other."""

    def test_other_processes_run_on_the_same_core(self):
        """A process that a test starts loads the file that the test has loaded."""
        code = "from truebleu import _core; print(_core.__file__)"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
        assert Path(done.stdout.strip()).samefile(_core.__file__)

    @pytest.mark.skipif(
        os.environ.get("TRUEBLEU_CORE") != "checked", reason="only `make checked` builds that core"
    )
    def test_it_checks_itself(self):
        """``make checked`` tests the core that was built for it, in which assertions are on."""
        assert _core.DEBUG_ASSERTIONS
        # What is said when an overflow is found.
        assert b"attempt to add with overflow" in Path(_core.__file__).read_bytes()
        assert (ROOT / "target" / "checked") in Path(_core.__file__).parents


class TestImports:
    """A module knows those below it and no others; and what is not used is not loaded."""

    def test_every_folder_has_its_place(self):
        """Whoever adds a folder decides what it stands on."""
        assert set(FOLDERS) == {*map(folder_of, MODULES), "_core"} - {"", "__main__"}

    @pytest.mark.parametrize("name", [name for name in MODULES if folder_of(name) in FOLDERS])
    def test_imports_go_down(self, name):
        """No module imports from a folder above its own, nor from the package as a whole."""
        floor = FOLDERS.index(folder_of(name))
        below = {*FOLDERS[: floor + 1]}
        assert {item for item in IMPORTS[name] if folder_of(item) not in below} == set()

    @pytest.mark.parametrize("folder", FOLDERS)
    def test_no_circle_inside_a_folder(self, folder):
        """Modules of a folder have an order, too."""
        inside = {name: others for name, others in IMPORTS.items() if folder_of(name) == folder}
        order = graphlib.TopologicalSorter(
            {name: others & set(inside) for name, others in inside.items()}
        )
        assert len(list(order.static_order())) == len(inside)

    def test_imports_are_found(self):
        """The tests above see imports in functions, submodules by name, and types."""
        assert "truebleu.significance.compare" in IMPORTS["truebleu.cli.systems"]
        assert "truebleu._core" in IMPORTS["truebleu.metrics.bleu.metric"]
        assert "truebleu.metrics.bleu.metric" in IMPORTS["truebleu.metrics.functions"]

    def test_the_budget_of_the_package(self):
        """``import truebleu`` loads the core and nothing else."""
        assert modules_after("import truebleu") == {"truebleu", "truebleu._core"}

    def test_the_budget_of_a_score(self):
        """The first score loads neither NumPy nor typing, and nothing that explains or compares."""
        loaded = modules_after("import truebleu\ntruebleu.sentence_bleu('a', 'a')")
        assert "truebleu.metrics.functions" in loaded
        heavy = "numpy typing typing_extensions re json dataclasses argparse rich inspect logging"
        assert loaded & set(heavy.split()) == set()
        assert loaded & {"filelock", "platformdirs", "urllib.request"} == set()
        below = FOLDERS[: FOLDERS.index("significance")]
        assert {*map(folder_of, ours(loaded))} <= {"", *below}

    def test_the_budget_of_the_version(self):
        """``truebleu --version`` is answered without argparse."""
        loaded = modules_after("from truebleu.cli import main\nmain()", "--version")
        assert ours(loaded) == {
            "truebleu",
            *("truebleu._core", "truebleu.errors", "truebleu.cli", "truebleu.cli.arguments"),
        }
        assert loaded & {"argparse", "enum", "functools", "importlib", "re", "warnings"} == set()

    @pytest.mark.parametrize("form", ["--format=text", "--score-only", "--format=tsv"])
    def test_the_budget_of_the_command(self, form):
        """``truebleu score`` in a pipe loads what it needs: no NumPy, and no other command."""
        arguments = ["score", "system-weak.en", "-r", "reference-a.en", form]
        loaded = modules_after("from truebleu.cli import main\nmain()", *arguments)
        modules = {
            *("arguments", "bleu_options", "counted", "files", "metric_options", "options"),
            *("output", "parsing", "progress", "score", "scored", "systems", "tabular"),
        }
        below = ours(loaded)
        assert {name for name in below if folder_of(name) == "cli"} == {
            "truebleu.cli",
            *(f"truebleu.cli.{name}" for name in modules),
        }
        assert {name for name in below if folder_of(name) == "significance"} == {
            "truebleu.significance",
            "truebleu.significance.parameters",
        }
        above = {*FOLDERS[FOLDERS.index("generation") :]} - {"cli"}
        assert {*map(folder_of, below)} & above == set()
        # argparse asks shutil for the width of the terminal, and textwrap to fill it.
        heavy = "numpy rich typing typing_extensions json gzip bz2 lzma zstandard shutil textwrap"
        assert loaded & set(heavy.split()) == set()


class TestSources:
    """What holds for every file."""

    @pytest.mark.parametrize(
        "path",
        [
            path.relative_to(ROOT).as_posix()
            for folder in ("python", "crates")
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


class TestMetrics:
    """What takes any metric knows none."""

    # Folders that take any metric; of a report, what explains BLEU alone is in these modules.
    FOLDERS = ("significance", "generation", "engines", "display", "cli")
    BLEU = (
        "chart_data",
        "chart_specs",
        "charts",
        "data",
        "glossary",
        "ngrams",
        "payload",
        "plots",
        "tokens",
    )
    FIELDS = re.compile(r"hyp_len|ref_len|match_|total_|brevity_?penalty|\bprecisions?\b")

    def test_nothing_names_a_field_of_bleu(self):
        """Fields, columns and parts of BLEU stay with BLEU: code elsewhere asks the metric."""
        paths = [path for folder in self.FOLDERS for path in (PACKAGE / folder).rglob("*.py")]
        paths += [
            path for path in (PACKAGE / "reporting").glob("*.py") if path.stem not in self.BLEU
        ]
        assert len(paths) > 40
        found = {}
        for path in paths:
            tree = ast.parse(path.read_text("utf-8"))
            # Docstrings show BLEU's output, as the most common metric's.
            documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
            for node in ast.walk(tree):
                if isinstance(node, documented) and ast.get_docstring(node) is not None:
                    node.body = node.body[1:]
            for node in ast.walk(tree):
                words = [getattr(node, name, None) for name in ("id", "attr", "arg", "value")]
                if any(isinstance(word, str) and self.FIELDS.search(word) for word in words):
                    found.setdefault(path.relative_to(PACKAGE).as_posix(), []).append(node.lineno)
        assert found == {}

    def test_the_seed_is_written_once(self):
        """Defaults of resampling are declared in one place."""
        naming = {
            path.relative_to(PACKAGE).as_posix()
            for path in PACKAGE.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and node.value == 12345
        }
        assert naming == {"significance/parameters.py"}


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
