"""The quick tests of the package, with every version of Python that is installed.

nox                all versions; those that are missing are skipped, but an error if CI is set
nox -s tests-3.12  one version
"""

import nox

# What says that the package works. Tests of libraries that a Python does not have yet are skipped.
FOLDERS = ("laws", "metrics", "significance", "inputs", "cli")
EXTRAS = "arrow,duckdb,ko,pandas,polars,progress,report,spm"


@nox.session(python=["3.11", "3.12", "3.13", "3.14", "3.14t", "3.15", "3.15t"])
def tests(session: nox.Session) -> None:
    """Build the package, install it with what these tests need, and run them."""
    python = session.run("python", "-VV", silent=True)
    extras = EXTRAS
    if "free-threading" in python:
        extras = "report"  # Few packages have wheels for a build without the interpreter lock.
    elif "Python 3.15" not in python:
        extras += ",ja,zstd"  # They have no wheels for it yet.
    needed = ("hypothesis", "pytest>=9", "sacrebleu==2.6.0", "typing-extensions")
    session.install(f".[{extras}]", *needed)
    tests = session.posargs or [f"tests/{folder}" for folder in FOLDERS]
    # In CI, a library that is missing is an error; here, some are.
    session.run("python", "-m", "pytest", "-q", "-m", "not slow", *tests, env={"CI": None})
