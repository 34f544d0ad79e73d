"""What `make quick` runs: the tests of some files, by default of those that are edited, and docs.

python tests/house/quick.py [FILE ...]

Prints one folder or file of tests a line, ``crates`` if the core's own tests belong to them, and
behind a ``#`` what remains untested. The folders of ``tests/`` mirror those of the package.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# If nothing is edited: the tests of every metric.
USUAL = ["tests/laws", "tests/metrics", "tests/package", "tests/cli/test_cli.py", "crates"]
# All that is counted and scored.
CORE = (
    "crates laws metrics inputs tokenizers generation significance analysis meta_evaluation compat"
)
# What a change breaks beyond the folder of its own name.
BELONGING = {
    "crates/core/": f"{CORE} house",
    "crates/python/": f"{CORE} package house",
    "crates/wasm/": "javascript house",
    "python/truebleu/cli/": "cli package house",
    "python/truebleu/inputs/": "inputs laws cli house",
    "python/truebleu/metrics/": "metrics laws package house",
    "python/truebleu/tokenizers/": "tokenizers laws house",
    "truebleu.data/": "cli house",
    "benchmarks/": "benchmarks",
    "campaign/": "campaign",
    "docs/": "docs",
    "examples/": "docs house",
    "javascript/": "javascript house playground",
    "site/": "docs playground",
    ".github/": "house",
    ".ci/": "house",
}
# What another verb tests.
ELSEWHERE = {
    "fuzz/": "make fuzz",
    "tests/clients/": "make peers",
    "tests/hidden/": "make test",
    "tests/peers/": "make peers",
}


def tests_of(name: str) -> list[str]:
    """Return what belongs to a file, or nothing if no quick test does."""
    parts = name.split("/")
    if any(name.startswith(folder) for folder in ELSEWHERE):
        return []
    if name.startswith("tests/"):
        if parts[-1].startswith("test_"):
            return [name] if (ROOT / name).exists() else []
        if len(parts) > 2 and parts[1] != "golden":
            return [f"tests/{parts[1]}"]
        # Goldens and what several folders share are used by name.
        users = [
            path.relative_to(ROOT).as_posix()
            for path in sorted((ROOT / "tests").glob("**/test_*.py"))
            if Path(name).stem in path.read_text("utf-8")
        ]
        return users or USUAL
    usual = "docs house"
    if name.startswith("python/truebleu/"):
        usual = f"{parts[2] if len(parts) > 3 else 'package'} house"
    tests = next((tests for at, tests in BELONGING.items() if name.startswith(at)), usual)
    return [each if each == "crates" else f"tests/{each}" for each in tests.split()]


def edited() -> list[str]:
    """Return the files that differ from the last commit, and those that git does not know."""
    commands = ["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"]
    found: list[str] = []
    for command in commands:
        git = ["git", "-C", str(ROOT), *command]
        found += subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    return found


def plan(names: list[str]) -> list[str]:
    """Return the lines to print for some files."""
    chosen = {test for name in names for test in tests_of(name)} if names else {*USUAL}
    chosen.add("tests/docs")
    # A folder stands for its files.
    chosen = {test for test in chosen if test.rpartition("/")[0] not in chosen}
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("tests/*/test_*.py")}
    whole = {folder.as_posix() for folder in folders if f"{folder}/" not in ELSEWHERE}
    lines = sorted(chosen)
    lines += [
        f"# not tested: {name}"
        + "".join(f" ({verb})" for at, verb in ELSEWHERE.items() if at in name)
        for name in names
        if not tests_of(name)
    ]
    left = " ".join(sorted(whole - chosen))
    return [*lines, f"# not run, or only in part: {left}; slow tests (make test, make slow)"]


def main(names: list[str]) -> None:
    """Print the plan for files, each of which has to exist."""
    for name in names:
        if not (ROOT / name).exists():
            sys.exit(f"FILE={name}: there is no such file in {ROOT}")
    print(*plan(names or edited()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
