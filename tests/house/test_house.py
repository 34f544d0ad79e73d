"""The rules of the house, so that nobody has to remember them."""

import ast
import graphlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import style
import truebleu
from project import ROOT
from truebleu import _core
from truebleu.display.formats import FORMATS

PACKAGE = ROOT / "python" / "truebleu"

# The folders and modules of the package, the lowest first; __init__ and __main__ are the roof.
FOLDERS = [
    *("_core", "errors", "suggestions", "record", "writing", "display", "downloads", "inputs"),
    *("tokenizers", "metrics", "parts", "test_sets", "intake", "significance", "generation"),
    *("meta_evaluation", "meta"),
    *("analysis", "reporting", "engines", "compat", "conformance", "cli"),
]


def module_name(path):
    """Name the module of a file: ``truebleu.cli`` for ``truebleu/cli/__init__.py``."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def modules_after(code, *arguments):
    """Run code in a fresh interpreter; return the modules that it has loaded."""
    report = "import sys\nknown = set(sys.modules)\n{}\nprint(*sorted(set(sys.modules) - known))"
    done = subprocess.run(
        [sys.executable, "-c", report.format(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT / "examples",
        check=True,
        timeout=300,
    )
    return set(done.stdout.split("\n")[-2].split())


def ours(modules):
    """Return those of some modules that are of the package."""
    return {name for name in modules if name.partition(".")[0] == "truebleu"}


def imports_of(path, name):
    """Find the modules of the package that a module imports: by a statement or a string."""
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
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {item.value for item in node.args if isinstance(item, ast.Constant)}
    return {item for item in found if item.split(".")[0] == "truebleu"} - {name}


def named_in(path):
    """Find the modules of the package that a file names in strings, to import them late."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    strings = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return strings & {*MODULES} - {"truebleu"}


IMPORTS = {name: imports_of(path, name) for name, path in MODULES.items()}


def folder_of(name):
    """Return the first folder, or module, below the package."""
    return name.split(".")[1] if "." in name else ""


def ordered(imports, folder):
    """Return the modules of a folder, each after those that it imports; raise if there is none."""
    inside = {name for name in imports if folder_of(name) == folder}
    return list(
        graphlib.TopologicalSorter({name: imports[name] & inside for name in inside}).static_order()
    )


def classes_of_metrics():
    """Return the classes of metrics and their scores: for each the module that defines it."""
    defined = {
        node.name: (name, {base.id for each in node.bases for base in names_in(each)})
        for name, path in MODULES.items()
        if folder_of(name) == "metrics"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    known = {"Metric", "Score", "Stats"}
    while more := {name for name, (_, bases) in defined.items() if bases & known} - known:
        known |= more
    return {name: defined[name][0] for name in known - {"Metric", "Score", "Stats"}}


def names_in(node):
    """Yield the names in an expression."""
    return (each for each in ast.walk(node) if isinstance(each, ast.Name))


CLASSES = classes_of_metrics()


def classes_asked_for(code):
    """Return where code depends on the class of a metric or score: for each line, on which.

    What is there for type checkers only does not count.
    """
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = {}
    for node in ast.walk(tree):
        if asked := {name for name in names_asked_for(node) if name in CLASSES}:
            found.setdefault(node.lineno, set()).update(asked)
    return {line: " ".join(sorted(names)) for line, names in found.items()}


def names_asked_for(node):
    """Return the names that an import brings, or that the type of a value is compared with."""
    if isinstance(node, ast.ImportFrom):
        # Scores that were computed elsewhere are made elsewhere, too: they are in no folder.
        names = [each.name for each in node.names]
        return [name for name in names if CLASSES.get(name, "").count(".") > 2]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.MatchClass):
        return [ast.unparse(node.cls)]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
        return [each.id for each in names_in(node)]
    if isinstance(node, ast.Compare) and "type(" in ast.unparse(node):
        return [str(getattr(each, "id", getattr(each, "value", ""))) for each in ast.walk(node)]
    return []


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


def test_public_classes_say_where_they_are_imported_from():
    """A class of the package itself shows itself, and is pickled, as ``truebleu.Comparison``."""
    classes = {n: c for n in truebleu.__all__ if isinstance(c := getattr(truebleu, n), type)}
    assert len(classes) > 25
    assert {f"{each.__module__}.{each.__qualname__}" for each in classes.values()} == {
        f"truebleu.{name}" for name in classes
    }


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
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
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
    """A module knows those below it and no others; and what is not used is not loaded.

    So modules that are slow to load (NumPy, ``dataclasses``, ``typing``, ``json``, ``re``,
    ``functools``, ``collections``: ``python -X importtime`` says how slow) are imported inside the
    functions that need them. What only types need is imported under TYPE_CHECKING, a name that a
    module sets to False itself, as importing it from ``typing`` is slow; most engines do import it,
    since their libraries load ``typing`` in any case.
    """

    def test_every_folder_has_its_place(self):
        """Whoever adds a folder decides what it stands on."""
        assert set(FOLDERS) == {*map(folder_of, MODULES), "_core"} - {"", "__main__"}

    def test_imports_go_down(self):
        """No module imports or names one above its own folder, nor the package as a whole."""
        found = {}
        for name, path in MODULES.items():
            if folder_of(name) in FOLDERS:
                below = FOLDERS[: FOLDERS.index(folder_of(name)) + 1]
                used = IMPORTS[name] | named_in(path)
                found[name] = {item for item in used if folder_of(item) not in below}
        assert {name: above for name, above in found.items() if above} == {}

    def test_no_circle_inside_a_folder(self):
        """Modules of a folder have an order, too."""
        for folder in FOLDERS:
            inside = {name for name in MODULES if folder_of(name) == folder}
            assert set(ordered(IMPORTS, folder)) == inside

    def test_imports_are_found(self):
        """The tests above see imports in functions, submodules by name, and types."""
        assert "truebleu.significance.running" in IMPORTS["truebleu.cli.resampling"]
        assert "truebleu._core" in IMPORTS["truebleu.metrics.bleu.metric"]
        assert "truebleu.metrics.bleu.metric" in IMPORTS["truebleu.metrics.functions"]
        assert "truebleu.compat.nltk" in named_in(MODULES["truebleu.compat.accelerate"])

    def test_the_budget_of_the_package(self):
        """``import truebleu`` loads the core and nothing else."""
        assert modules_after("import truebleu") == {"truebleu", "truebleu._core"}

    def test_the_budget_of_a_score(self):
        """The first score loads neither NumPy nor typing, and nothing that explains or compares."""
        loaded = modules_after("import truebleu\ntruebleu.sentence_bleu('a', 'a')")
        assert "truebleu.metrics.functions" in loaded
        heavy = "numpy typing typing_extensions re json dataclasses argparse inspect logging"
        assert loaded & set(heavy.split()) == set()
        assert loaded & {"filelock", "platformdirs", "urllib.request"} == set()
        below = FOLDERS[: FOLDERS.index("significance")]
        assert {*map(folder_of, ours(loaded))} <= {"", *below}

    @pytest.mark.parametrize(
        "call",
        [
            "corpus_bleu(['a b c'], ['a b d'])",
            "corpus_bleu(['a b c'], reference_streams=[['a b d'], ['a']]).signature",
            "corpus_chrf(['a b c'], [['a b d', 'a']], word_order=2)",
            "corpus_ter(['a b c'], ['a b d'])",
            "Bleu(tokenizer='intl').segment('a b c', ['a b d', 'a'])",
            "Bleu().stats(['a b c'], ['a b d']).sum()",
        ],
    )
    def test_strings_need_no_numpy(self, call):
        """A user who scores strings does not wait for NumPy."""
        assert "numpy" not in modules_after(f"import truebleu\ntruebleu.{call}")

    def test_the_budget_of_the_version(self):
        """``truebleu --version`` is answered without reading options."""
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
            *("arguments", "counting", "given", "metric_words", "options", "output"),
            *("parameters", "parsing", "score", "scored"),
        }
        below = ours(loaded)
        assert {name for name in below if folder_of(name) == "cli"} == {
            "truebleu.cli",
            *(f"truebleu.cli.{name}" for name in modules),
        }
        assert {name for name in below if folder_of(name) == "significance"} == {
            "truebleu.significance",
            "truebleu.significance.design",
        }
        above = {*FOLDERS[FOLDERS.index("generation") :]} - {"cli"}
        assert {*map(folder_of, below)} & above == set()
        assert {"truebleu.metrics.chrf", "truebleu.metrics.ter"} & below == set()
        heavy = "numpy typing typing_extensions json re argparse gzip bz2 lzma zstandard"
        assert loaded & set(heavy.split()) == set()


class TestStyle:
    """`make lint` runs tests/house/style.py."""

    def test_what_breaks_a_rule_is_found(self, tmp_path):
        """Each rule is broken once, and seen at its line; tests inside a Rust file do not count."""
        machine = "/".join(["", "tmp", "x"])
        tests = "#[cfg(test)]\nmod tests {\n" + "    // A line.\n" * 400 + "}\n"
        for name, text in {
            "python/long.py": "# Said.\n" * 601,
            "python/code.py": "# Said.\n\n" * 50 + "x = 1\n" * 401,
            "python/fine.py": "# https://example.org/home and bookwork/work.\n",
            "crates/core/src/long.rs": "//! Long.\n" + "// A line.\n" * 400,
            "crates/core/src/silent.rs": "use std;\n",
            "crates/core/src/fine.rs": f"//! Fine.\n{tests}",
            "README.md": "A line.\n" * 151,
            "docs/page.md": f"Fine.\n`{machine}`\n",
            "target/built.rs": machine,
        }.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        assert sorted(found.partition(": ")[0] for found in style.findings(tmp_path)) == [
            *("README.md:151", "crates/core/src/long.rs:401", "crates/core/src/silent.rs:1"),
            *("docs/page.md:2", "python/code.py:501", "python/long.py:601"),
        ]

    def test_lines_of_code_are_counted(self):
        """Docstrings, comments and blank lines are no code; other strings are."""
        text = 'r"""One.\n\nTwo."""\n\n# Three.\nfour = """\n\nfive"""  # Six.\n\n\ndef f():\n'
        text += '    "A"\n'
        assert style.lines_of_code(text) == {6, 8, 11}


class TestMetrics:
    """What takes any metric knows none."""

    # Folders that take any metric; of a report, charts that BLEU alone has are in these modules.
    FOLDERS = ("significance", "generation", "engines", "display", "cli")
    BLEU = ("chart_data", "charts")
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

    def test_nobody_asks_for_the_class_of_a_metric(self):
        """What differs between metrics is asked of the metric, its ``about``, or its score."""
        found = {
            name: seen
            for name, path in MODULES.items()
            if folder_of(name) not in ("", "metrics", "parts", "compat")
            and (seen := classes_asked_for(path.read_text("utf-8")))
        }
        assert found == {}

    def test_questions_for_a_class_are_seen(self):
        """The test above sees checks of types in any form, and imports, but not those of types."""
        for code, seen in (
            ("isinstance(each.metric, Bleu)", {1: "Bleu"}),
            ("issubclass(kind, (Metric, chrf.Chrf))", {1: "Chrf"}),
            ("isinstance(score, ChrfScore | TerScore)", {1: "ChrfScore TerScore"}),
            ("isinstance(metric, SegmentScores)", {1: "SegmentScores"}),
            ("if type(metric) is not Ter: pass", {1: "Ter"}),
            ("type(metric) in {Bleu: 1}", {1: "Bleu"}),
            ("type(metric).__name__ == 'Bleu'", {1: "Bleu"}),
            ("match score:\n    case BleuScore(counts=[]): pass", {2: "BleuScore"}),
            ("def f():\n    from truebleu.metrics.ter.metric import Ter as T", {2: "Ter"}),
            ("from truebleu.metrics.chrf import metric\nKINDS = {metric.Chrf: 1}", {2: "Chrf"}),
            ("if TYPE_CHECKING:\n    from truebleu.metrics.ter.metric import Ter", {}),
            ("isinstance(metric, Metric) and isinstance(score, Score)", {}),
            ("from truebleu.metrics.segment_scores import SegmentScores", {}),
        ):
            assert classes_asked_for(code) == seen, code

    def test_the_seed_is_written_once(self):
        """Defaults of resampling are declared in one place."""
        naming = {
            path.relative_to(PACKAGE).as_posix()
            for path in PACKAGE.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and node.value == 12345
        }
        assert naming == {"significance/design.py"}


class TestRegistries:
    """What can be chosen is described."""

    def test_every_name_is_in_the_documentation(self):
        """Each tokenizer, smoothing, reference length and format is in docs/ in backticks."""
        text = "".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
        names = {*_core.TOKENIZERS, *_core.SMOOTHINGS, *_core.REFERENCE_LENGTHS, *FORMATS}
        written = {name for _, _, name in re.findall(r"`([\"']?)(--)?([\w-]+)\1`", text)}
        assert names - written == set()


def test_the_stub_is_complete(tmp_path):
    """What _core.pyi says is what the built module has."""
    # Nothing but the stub is read, which takes two seconds instead of thirty.
    (tmp_path / "mypy.ini").write_text("[mypy]\nfollow_imports = skip\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "truebleu._core", "--mypy-config-file=mypy.ini"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=300,
    )
    assert done.stdout.startswith("Success"), done.stdout + done.stderr
