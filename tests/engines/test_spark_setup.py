"""What Spark and other engines need beside truebleu is said when they are imported."""

import re
import subprocess
import sys
from importlib import metadata

import pytest
import truebleu
from project import ROOT
from truebleu.engines.spark import columns

PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")


def imported(code):
    """Import the engine in a fresh process; return what it says on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport truebleu.engines.spark"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stderr


def test_an_old_release():
    """It is refused before anything of it that is missing is used."""
    code = (
        "import sys, types\n"
        "sys.modules['pyspark'] = module = types.ModuleType('pyspark')\n"
        "module.__version__ = '4.1.4'"
    )
    last = imported(code).splitlines()[-1]
    assert last == (
        "truebleu.errors.MissingExtraError: this needs PySpark 4.2 or later: "
        "pip install 'truebleu[spark]'"
    )


@pytest.mark.parametrize(("given", "what"), [(5, "group_by"), ([5], "group_by 5")])
def test_names_of_columns(given, what):
    """What is no name of a column is refused before Spark is asked."""
    with pytest.raises(truebleu.InputTypeError, match=f"^{what} is of type int; a name"):
        columns.several(given, "group_by")


ROWS = re.findall(r"(?m)^\| (\S+) \| ([\d.]+) \| ([\d.]+) \| (\S.*?) \|$", PAGE)


def release(version):
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def test_the_table_of_versions():
    """It has what each engine requires, and the versions that these tests run with."""
    written = (ROOT / "pyproject.toml").read_text("utf-8")
    required = {}
    for engine in ("arrow", "polars", "duckdb", "spark", "ray"):
        [extra] = re.findall(rf"(?m)^{engine} = \[(.*)\]$", written)
        for name, least in re.findall(r'"([a-z]+)(?:\[\w+\])?>=([\d.]+)', extra):
            required.setdefault(name, set()).add(least)
    found = {name.lower(): (least, tested) for name, least, tested, _ in ROWS}
    assert set(found) == set(required)
    for name, (least, tested) in found.items():
        # An extra may require more than another does.
        assert least == min(required[name], key=release)
        installed = release(metadata.version(name))
        assert release(least) <= installed
        # Older versions of Python have older releases; a new one is not a fault of the page.
        assert release(least) <= release(tested) <= installed
        assert installed[0] == release(tested)[0], f"docs/scale.md names {name} {tested}"


def test_the_table_says_what_the_import_says():
    """What breaks with which version is quoted from the code."""
    text = " ".join(row[3] for row in ROWS)
    assert "`MissingExtraError`" in text
    assert "before 4.2 fails" in text
    assert issubclass(truebleu.errors.MissingExtraError, ImportError)
