"""The quick tests of the package, with every version of Python that is installed.

nox                all versions; those that are missing are skipped, but an error if CI is set
nox -s tests-3.12  one version
"""

import nox

# What says that the package works: other files need packages that not every Python has yet.
ALONE = ("against_sacrebleu", "chrf", "ter", "significance", "signatures", "threads")
WITH_OTHERS = ("laws", "inputs", "files")
WITH_DUCKDB = ("sentences", "cli")
EXTRAS = "arrow,ja,ko,pandas,polars,progress,report,spm,zstd"


@nox.session(python=["3.10", "3.11", "3.12", "3.13", "3.14", "3.14t"])
def tests(session: nox.Session) -> None:
    """Build the package, install it with what these tests need, and run them."""
    names, extras = ALONE + WITH_OTHERS + WITH_DUCKDB, f"[duckdb,{EXTRAS}]"
    python = session.run("python", "-VV", silent=True)
    if "Python 3.10" in python:
        # DuckDB 2 needs a later Python.
        names, extras = ALONE + WITH_OTHERS, f"[{EXTRAS}]"
    elif "free-threading" in python:
        # Few packages have wheels for a build without the global interpreter lock.
        names, extras = ALONE, "[report]"
    needed = ("hypothesis", "pytest>=9", "sacrebleu==2.6.0", "typing-extensions")
    session.install(f".{extras}", *needed)
    files = [f"tests/test_{name}.py" for name in names]
    session.run("python", "-m", "pytest", "-q", "-m", "not slow", *(session.posargs or files))
