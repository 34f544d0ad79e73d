"""The originals' own tests pass when truebleu counts for them, unmodified.

They are taken from the source distributions on PyPI when they run.
"""

import doctest
import re
import subprocess
import sys
import tarfile

import nltk.translate.bleu_score
import nltk.translate.chrf_score
import pytest
import truebleu

# Accelerates a package before anything else is imported, and makes sure that the core counts.
CONFTEST = """
import truebleu
from truebleu.compat import {package} as module

truebleu.accelerate({package!r})
function = module.{function}
answers = []


def counted(*given):
    answers.append(function(*given))
    return answers[-1]


module.{function} = counted


def pytest_sessionfinish():
    shares = sum(answer is not None for answer in answers), len(answers)
    assert shares[0] > {least}, shares
"""

# All but those that download test sets.
OF_SACREBLEU = (
    *("test_api", "test_bleu", "test_chrf", "test_sentence_bleu", "test_significance", "test_ter"),
    "test_tokenizer_ter",
)
DOWNLOADS = ("test/test_api.py::test_api_get_source", "test/test_api.py::test_api_get_reference")


def run(*arguments, folder):
    """Run a module of Python in a folder."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def sources(package, version, folder):
    """Download and unpack the source distribution of a package; skip if PyPI is out of reach."""
    wanted = f"{package}=={version}"
    done = run("pip", "download", "--no-deps", "--no-binary", package, wanted, folder=folder)
    if done.returncode:
        assert run("pip", "index", "versions", package, folder=folder).returncode, done.stderr
        pytest.skip("PyPI cannot be reached")
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / f"{package}-{version}"


def passed(folder, package, function, least, *arguments):
    """Run tests in a folder; return how many have passed if none has failed.

    The function that counts has to answer more than `least` times.
    """
    text = CONFTEST.format(package=package, function=function, least=least)
    (folder / "conftest.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:warnings")
    done = run("pytest", *options, *arguments, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    [summary] = re.findall(r"^(\d+) passed(?:, \d+ deselected)? in .*$", done.stdout, re.MULTILINE)
    return int(summary)


@pytest.mark.slow
def test_of_sacrebleu(tmp_path):
    """All tests of sacreBLEU 2.6.0 that download no test set."""
    folder = sources("sacrebleu", "2.6.0", tmp_path)
    # The tests read a file by its path from here; without the package, which would be found first.
    (folder / "sacrebleu").rename(tmp_path / "original")
    files = [f"test/{name}.py" for name in OF_SACREBLEU]
    without = [f"--deselect={test}" for test in DOWNLOADS]
    assert passed(folder, "sacrebleu", "_counted", 80, *files, *without) == 133


@pytest.mark.slow
def test_of_nltk(tmp_path):
    """All tests of BLEU of NLTK 3.10.4, except for one that needs a corpus that NLTK downloads."""
    tests = sources("nltk", "3.10.4", tmp_path) / "nltk" / "test"
    folder = tmp_path / "tests"
    folder.mkdir()
    for path in (tests / "unit" / "translate" / "test_bleu.py", tests / "bleu.doctest"):
        path.rename(folder / path.name)
    options = "--doctest-glob=*.doctest -o doctest_optionflags=ELLIPSIS"
    without = "--deselect=test_bleu.py::TestBLEUvsMteval13a"
    assert passed(folder, "nltk", "_rows_of_bleu", 20, *options.split(), without) == 15


@pytest.mark.filterwarnings("ignore:(?s).*0 counts of:UserWarning")
@pytest.mark.parametrize(
    ("module", "number"),
    [
        (nltk.translate.bleu_score, 100),
        (nltk.translate.chrf_score, 19),
    ],
)
def test_examples_of_nltk(module, number):
    """The examples in the docstrings of NLTK's modules."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with truebleu.accelerate("nltk"):
        failed, tried = doctest.testmod(module, optionflags=flags)
    assert (failed, tried) == (0, number)
