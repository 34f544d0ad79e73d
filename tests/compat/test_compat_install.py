"""What :func:`truebleu.compat.install` replaces, in which processes, and that it is undone."""

import copy
import importlib.metadata
import importlib.util
import os
import pickle
import subprocess
import sys
import textwrap
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sacrebleu as original
import truebleu.compat.huggingface
import truebleu.compat.sacrebleu
from lenient import lenient
from project import ROOT
from truebleu.compat import Installed, faithful, install, shim
from truebleu.errors import (
    LengthMismatchError,
    MissingExtraError,
    SettingsError,
    SettingsWarning,
    UnknownNameError,
)


def state():
    """Return what an installation changes."""
    return sys.modules.copy(), list(sys.path), dict(os.environ)


def run(*arguments, **environment):
    """Run Python in a fresh process."""
    path = environment.get("PYTHONPATH", os.environ.get("PYTHONPATH"))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [path, str(ROOT / "tests/hidden")]))
    return subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
        timeout=300,
    )


def printed(*arguments, **environment):
    """Run Python in a fresh process; return what it prints."""
    done = run(*arguments, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def printed_by(code, **environment):
    """Run code in a fresh process; return what it prints."""
    return printed("-c", textwrap.dedent(code), **environment)


@pytest.mark.parametrize("subprocesses", [False, True])
@pytest.mark.parametrize("names", [("sacrebleu",), ("nltk",), ("evaluate",), ()])
def test_everything_is_restored(names, subprocesses, monkeypatch):
    """Modules, the search path and the environment, also after two installations."""
    import nltk
    import sacrebleu

    monkeypatch.delenv("PYTHONPATH", raising=False)
    with install(*names, subprocesses=subprocesses):  # Loads what stays loaded.
        pass
    modules, path, environment = state()
    with install(*names, subprocesses=subprocesses):
        assert sys.path != path
        assert ("PYTHONPATH" in os.environ) == subprocesses
        with install(*names):
            pass
        assert sys.path != path
    assert state() == (modules, path, environment)
    assert sys.modules["sacrebleu"] is sacrebleu
    assert nltk.bleu.__module__ == "nltk.translate.bleu_score"


def test_the_first_is_undone_before_the_last(monkeypatch):
    """Each takes away its own, in any order, and nothing else."""
    import sacrebleu

    monkeypatch.delenv("PYTHONPATH", raising=False)
    with install():  # Loads what stays loaded.
        pass
    before = state()
    first = install("sacrebleu", "nltk", subprocesses=True)
    second, third = install("sacrebleu"), install("nltk", subprocesses=True)
    first.uninstall()
    assert sys.modules["sacrebleu"] is truebleu.compat.sacrebleu
    assert os.environ["PYTHONPATH"].endswith("nltk")
    second.uninstall()
    assert sys.modules["sacrebleu"] is sacrebleu
    assert sys.modules["nltk.translate.bleu_score"] is truebleu.compat.nltk.bleu_score
    third.uninstall()
    first.uninstall()
    assert state() == before


def test_an_error_undoes_everything(monkeypatch, tmp_path):
    """If one package cannot be imported, none is replaced."""
    (tmp_path / "evaluate.py").write_text("raise RuntimeError('broken')")
    monkeypatch.syspath_prepend(tmp_path)
    with install("sacrebleu", "nltk"):
        pass
    before = state()
    with pytest.raises(RuntimeError, match="broken"):
        install(subprocesses=True)
    assert state() == before


def test_without_names_all_are_replaced():
    """Without a name, every package is; and a copy of nothing installs nothing."""
    with install() as installed:
        for name in ("sacrebleu", "nltk.translate.bleu_score", "nltk.translate.chrf_score"):
            assert importlib.import_module(name).__name__.startswith("truebleu.compat")
        import nltk

        assert nltk.bleu is nltk.translate.bleu is nltk.translate.bleu_score.sentence_bleu
        assert nltk.chrf is nltk.translate.chrf is nltk.translate.chrf_score.sentence_chrf
        assert nltk.chrf.__module__.startswith("truebleu.compat")
        assert importlib.import_module("evaluate").load("bleu").name == "bleu"
        assert copy.copy(installed) is installed
        pickle.loads(pickle.dumps(installed)).uninstall()
    assert nltk.chrf.__module__ == nltk.translate.chrf_score.__name__ == "nltk.translate.chrf_score"
    path = list(sys.path)
    pickle.loads(pickle.dumps(installed))
    pickle.loads(pickle.dumps(Installed()))
    assert sys.path == path


def test_without_torchmetrics(monkeypatch):
    """By name, it is an error; among all, it is left out."""
    monkeypatch.setattr(truebleu.compat, "_is_there", lambda name: name == "nltk")
    with install("sacrebleu", "nltk", "evaluate"):
        pass
    before = state()
    # A test that misses a package is skipped, so that any error of an import is caught.
    with pytest.raises(ImportError, match="orchmetrics") as error:
        install("sacrebleu", "torchmetrics")
    assert isinstance(error.value, MissingExtraError)
    assert state() == before
    with install():
        assert not any(path.endswith("torchmetrics") for path in sys.path)


def test_without_nltk():
    """NLTK's BLEU can be imported even if NLTK is not installed."""
    code = """
        import sys
        import truebleu.compat as compat
        compat.find_spec = lambda name: None
        with compat.install("nltk"):
            from nltk.translate.bleu_score import corpus_bleu
            import nltk
            print(nltk.translate.bleu([["a", "b"]], ["a", "b"], (1,)))
        print("nltk" in sys.modules)
    """
    assert printed_by(code).split() == ["1.0", "False"]


def test_what_is_there(monkeypatch):
    """A package that is loaded, even without a file, or that can be found; nothing else."""
    monkeypatch.setitem(sys.modules, "made_up", types.ModuleType("made_up"))
    is_there = truebleu.compat._is_there
    assert is_there("made_up")
    assert is_there("this")
    assert "this" not in sys.modules
    assert not is_there("made_up_too")


def test_threads(monkeypatch):
    """Threads that install and uninstall at once leave everything as it was."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with install("sacrebleu", "nltk"):  # Loads what stays loaded.
        pass
    before = state()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def replace(number):
        for _ in range(5):
            name = ("sacrebleu", "nltk")[number % 2]
            first = install(name, subprocesses=number % 3 == 0)
            with install("nltk"):
                first.uninstall()

    try:
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(replace, range(12)))
    finally:
        sys.setswitchinterval(interval)
    assert state() == before


@pytest.mark.slow
def test_a_thread_that_imports(tmp_path):
    """Threads that find a package in the folder of its shim do not block those that install.

    It is a race: on a busy machine, one attempt of three may fail.
    """
    code = """
        import sys
        from concurrent.futures import ThreadPoolExecutor
        from importlib import import_module
        from truebleu.compat import install
        sys.setswitchinterval(1e-6)
        tasks = [lambda name=name: import_module(name) for name in ("nltk", "sacrebleu")]
        tasks += [lambda: install("nltk"), lambda: install("sacrebleu")]
        with ThreadPoolExecutor(8) as threads:
            for done in [threads.submit(task) for task in tasks * 2]:
                done.result()
        print(import_module("nltk").bleu.__module__, import_module("sacrebleu").BLEU.__module__)
    """
    path = printed("-m", "truebleu.compat", "sacrebleu", "nltk")
    expected = "truebleu.compat.nltk.bleu_score truebleu.compat.sacrebleu.metrics.bleu"
    command = ("-c", textwrap.dedent(code))
    assert any(run(*command, PYTHONPATH=path).stdout.strip() == expected for _ in range(3))


class TestMetadata:
    """Programs that ask for the version of sacreBLEU get that of the drop-in."""

    def test_version(self):
        """Every way to look a distribution up, while it is installed."""
        before = importlib.metadata.metadata("sacrebleu")["Summary"]
        with install("sacrebleu"):
            found = importlib.metadata.distribution("sacrebleu")
            assert found.version == importlib.metadata.version("sacreBLEU") == "2.6.0"
            assert found.version == truebleu.compat.sacrebleu.__version__
            assert "truebleu" in found.metadata["Summary"]
            assert "sacrebleu" in importlib.metadata.packages_distributions()["sacrebleu"]
            assert importlib.util.find_spec("sacrebleu").origin.endswith("__init__.py")
        assert importlib.metadata.metadata("sacrebleu")["Summary"] == before

    def test_another_version_is_installed(self, tmp_path):
        """It hides an older sacreBLEU, in this process and in those that it starts."""
        folder = tmp_path / "sacrebleu-1.5.1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: sacrebleu\nVersion: 1.5.1\n")
        path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
        code = """
            import subprocess, sys
            from importlib.metadata import version
            from truebleu.compat import install
            ask = "from importlib.metadata import version; print(version('sacrebleu'))"
            def both():
                print(version("sacrebleu"), flush=True)
                subprocess.run([sys.executable, "-c", ask], check=True)
            both()
            with install("sacrebleu", subprocesses=True):
                both()
            both()
        """
        versions = ["1.5.1", "1.5.1", "2.6.0", "2.6.0", "1.5.1", "1.5.1"]
        assert printed_by(code, PYTHONPATH=path).split() == versions


class TestEvaluate:
    """``evaluate.load`` returns the drop-in's metrics, and evaluate's own otherwise."""

    ORIGINAL = """
        def load(path, *arguments, **options):
            return path, arguments, options
    """

    @pytest.fixture(params=[False, True])
    def is_there(self, request, tmp_path, monkeypatch):
        """Provide evaluate, or not; it is a stand-in, for the original downloads its metrics."""
        if request.param:
            package = tmp_path / "evaluate"
            package.mkdir()
            (package / "loading.py").write_text(textwrap.dedent(self.ORIGINAL))
            (package / "__init__.py").write_text("from evaluate.loading import load\n")
            monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(truebleu.compat, "_is_there", lambda _: request.param)
        yield request.param
        for name in ("evaluate", "evaluate.loading"):
            sys.modules.pop(name, None)

    def test_load(self, is_there):
        """Metrics by name, whatever the options of caches."""
        with install("evaluate"):
            import evaluate

            assert importlib.util.find_spec("evaluate") is not None
            for name in ("bleu", "sacrebleu", "chrf", "ter"):
                for metric in (
                    evaluate.load(name),
                    evaluate.load(name, module_type="metric", cache_dir="x", revision="main"),
                ):
                    assert isinstance(metric, truebleu.compat.huggingface.Metric)
            results = evaluate.load("bleu").compute(predictions=["a b c d"], references=["a b c d"])
            assert results["bleu"] == 1
            if is_there:
                from evaluate.loading import load

                assert load is evaluate.load
                assert evaluate.load("glue", "sst2") == ("glue", ("sst2",), {})
                options = {"num_process": 2, "process_id": 1}
                assert evaluate.load("bleu", **options) == ("bleu", (), options)
                assert evaluate.load("bleu", None, "comparison")[1] == (None, "comparison")
            else:
                assert evaluate is truebleu.compat.huggingface
                both = evaluate.combine(["bleu", "chrf"])
                assert len(both.compute(predictions=["a"], references=["a"])) > 5
                from evaluate.module import EvaluationModule

                assert EvaluationModule is evaluate.EvaluationModule
                for error, path, options in (
                    (UnknownNameError, "glue", {}),
                    (SettingsError, "bleu", {"num_process": 2}),
                    (UnknownNameError, "bleu", {"module_type": "comparison"}),
                ):
                    with pytest.raises(error):
                        evaluate.load(path, **options)
        if is_there:
            assert evaluate.load("bleu")[0] == "bleu"
        else:
            assert "evaluate" not in sys.modules


WHERE = """
import importlib.metadata
import sys

def where(*_):
    from nltk.translate.bleu_score import corpus_bleu
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu import corpus_chrf
    version = importlib.metadata.version("sacrebleu")
    homes = {each.__module__.partition(".")[0] for each in (BLEU, corpus_chrf, corpus_bleu)}
    return homes == {"truebleu"} and version == "2.6.0" and "evaluate" not in sys.modules
"""


class TestProcesses:
    """Processes that are started later have the drop-ins, too."""

    @pytest.mark.parametrize(
        "run",
        [
            "joblib.Parallel(2)(joblib.delayed(where)() for _ in range(2))",
            "list(ProcessPoolExecutor(1, get_context('spawn')).map(where, [0]))",
        ],
    )
    def test_pools(self, run, tmp_path):
        """Those of joblib and of the standard library, without a word more."""
        program = tmp_path / "program.py"
        program.write_text(
            f"{WHERE}\nif __name__ == '__main__':\n"
            "    import joblib\n"
            "    from concurrent.futures import ProcessPoolExecutor\n"
            "    from multiprocessing import get_context\n"
            "    from truebleu.compat import install\n"
            "    with install('sacrebleu', 'nltk'):\n"
            f"        print({{*{run}}})\n"
        )
        assert printed(program) == "{True}"

    def test_subprocesses(self):
        """Those of the operating system, with ``subprocesses``, and so do theirs."""
        code = f"""
            import subprocess, sys
            from truebleu.compat import install
            inner = {(WHERE + "print(where())")!r}
            outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {{inner!r}}])"
            for subprocesses in (False, True):
                with install("sacrebleu", "nltk", subprocesses=subprocesses):
                    for each in (inner, outer):
                        subprocess.run([sys.executable, "-c", each], check=True)
        """
        assert printed_by(code).split() == ["False", "False", "True", "True"]

    def test_a_path_for_any_program(self):
        """``python -m truebleu.compat`` prints a path that does without a change of any program."""
        path = printed("-m", "truebleu.compat", "sacrebleu", "nltk")
        assert printed_by(WHERE + "print(where())", PYTHONPATH=path) == "True"
        # Parents before modules, modules before parents.
        for module in ("sacrebleu.metrics.bleu", "sacrebleu", "nltk.translate.bleu_score"):
            code = f"import importlib; print(importlib.import_module({module!r}).__name__)"
            assert printed_by(code, PYTHONPATH=path).startswith("truebleu.compat.")
        # The rest of NLTK stays.
        code = "import nltk; print(nltk.word_tokenize.__module__)"
        assert printed_by(code, PYTHONPATH=path) == "nltk.tokenize"
        assert "truebleu" in printed("-m", "sacrebleu", "--version", PYTHONPATH=path)
        assert printed("-m", "truebleu.compat", "--help").startswith("Prints the ``PYTHONPATH``")
        failed = run("-m", "truebleu.compat", "moses")
        assert failed.returncode == 1
        assert failed.stderr.startswith("truebleu.compat: package 'moses' is unknown; choose")

    def test_without_the_originals(self, tmp_path):
        """The path serves the drop-ins in an interpreter that has none of the originals."""
        # Without site-packages, all that Python finds are truebleu's folders and NumPy's.
        import numpy

        sources = tmp_path / "site"
        sources.mkdir()
        for package in (truebleu, numpy):
            folder = Path(package.__file__).parent
            for found in folder.parent.glob(f"{folder.name}*"):
                if found.name in {folder.name, "numpy.libs"}:
                    (sources / found.name).symlink_to(found)
        code = WHERE.replace('"evaluate" not in', '"nltk.corpus" not in') + (
            "print(where())\n"
            "import evaluate\n"
            "print(evaluate.load('ter').compute(predictions=['a'], references=['a'])['score'])\n"
        )
        failed = run("-S", "-m", "truebleu.compat", "torchmetrics", PYTHONPATH=str(sources))
        assert failed.returncode == 1
        assert failed.stderr.startswith("truebleu.compat: torchmetrics is not installed")
        path = printed("-m", "truebleu.compat", PYTHONPATH=str(sources))
        assert printed("-S", "-c", code, PYTHONPATH=path) == "True\n0.0"


class TestMistakes:
    """Programs that nobody has edited do as with the original; drop-ins' own names are strict."""

    PROGRAM = """
        import warnings
        import sacrebleu
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                print(sacrebleu.corpus_bleu(["a b c d", "x"], [["a b c d"]]).score)
            except ValueError as error:
                print(type(error).__name__)
        print(len(caught))
        """
    ACCEPTED, REFUSED = "100.00000000000004\n1", "LengthMismatchError\n0"

    @pytest.fixture(autouse=True)
    def _environment(self, monkeypatch):
        monkeypatch.setattr(faithful, "_warned", set())
        monkeypatch.delenv("TRUEBLEU_STRICT", raising=False)

    @pytest.mark.parametrize(
        ("variable", "expected"),
        [("no", ACCEPTED), ("yes", REFUSED)],
    )
    def test_on_the_module_path(self, variable, expected):
        """The environment decides."""
        path = {"PYTHONPATH": os.pathsep.join([shim("sacrebleu"), *sys.path])}
        assert printed_by(self.PROGRAM, **path, TRUEBLEU_STRICT=variable) == expected

    def test_values_of_the_variable(self, monkeypatch):
        """Whether an installation is strict by default is said in any of the usual ways."""
        for value, expected in (("", False), ("0", False), ("FALSE", False), ("1", True)):
            monkeypatch.setenv("TRUEBLEU_STRICT", value)
            with install("sacrebleu"):
                assert faithful.is_strict() == expected

    @pytest.mark.parametrize(("strict", "expected"), [(False, ACCEPTED), (True, REFUSED)])
    def test_in_other_processes(self, strict, expected, monkeypatch):
        """They are as strict as the installation, whatever the environment said before."""
        variable = "0" if strict else "1"
        monkeypatch.setenv("TRUEBLEU_STRICT", variable)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        with install("sacrebleu", subprocesses=True, strict=strict):
            assert printed_by(self.PROGRAM) == expected
        assert os.environ["TRUEBLEU_STRICT"] == variable

    def test_each_kind_of_mistake_is_named_once(self):
        """A mistake is accepted again without a word; another kind has a warning of its own."""
        score = truebleu.compat.sacrebleu.corpus_bleu
        with install("sacrebleu"):
            with pytest.warns(SettingsWarning, match="has 1 segment but hypotheses has 2"):
                score(["a", "b"], [["a"]])
            score(["a", "b", "c"], [["a"]])
            with pytest.warns(SettingsWarning, match="every character would be a segment"):
                score(["a"], ["a"])
        with pytest.raises(LengthMismatchError):
            score(["a", "b"], [["a"]])

    def test_installations_in_each_other(self):
        """One that is not strict suffices; the next one, and a copy, are as strict by default."""
        with install("sacrebleu", strict=True) as strict:
            assert faithful.is_strict()
            with install("nltk"):
                assert faithful.is_strict()
            with install("nltk", strict=False):
                assert not faithful.is_strict()
            assert faithful.is_strict()
            assert strict.__reduce__()[1] == (("sacrebleu",), True)

    def test_settings_that_change(self):
        """References keep the settings, and signatures their number, of when they were given."""
        texts, streams = ["The cat", "it rained"], [["the cat", "It rained"]]
        found = []
        for module in (original, truebleu.compat.sacrebleu):
            for kind, setting in (("BLEU", "lowercase"), ("CHRF", "beta"), ("TER", "normalized")):
                with lenient():
                    metric = getattr(module, kind)(references=streams)
                    metric.sentence_score("a", ["a", "b"])
                    found.append(metric.corpus_score(texts, None).score)
                    setattr(metric, setting, True)
                    found.append(metric.corpus_score(texts, None).score)
                    found.append(metric.num_refs)
        assert found[:9] == found[9:]
