"""Put faults into the package, one at a time, and record which tests find them.

Faults of the Python sources are drawn from a seed (``operators.py``): mutmut would wrap functions,
which changes where warnings point, and cosmic-ray edits the checkout; neither knows what `make
quick` runs. Those of the core are a list of replacements (``faults.tsv``), because switches would
litter its code. All happens in a copy of the project. Results are kept in ``target/mutants``, so a
run that is stopped goes on from there.

    python campaign/mutants/run.py
    python campaign/mutants/run.py python/truebleu/metrics crates --minutes 30
    python campaign/mutants/run.py --summary
"""

from __future__ import annotations

import argparse
import csv
import filecmp
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from campaign.mutants.operators import Mutant, chosen
from campaign.populations import ROOT
from campaign.recorded import record

# Mutants of the Python sources.
NUMBER, SEED = 240, 1

# The tests of `make quick`. Tests that read sources, or measure time, do not find a fault.
QUICK = ("tests/laws/", "tests/metrics/", "tests/package/", "tests/cli/test_cli.py")
LEFT_OUT = r"tests/(house|campaign|benchmarks|peers)/|test_(scaling|interpreter_lock)\.py"

TIERS = ("cargo test", "make quick", "make test")


class Copy:
    """A copy of the project, with a core of its own."""

    def __init__(self, work: Path) -> None:
        self.work, self.tree = work, work / "tree"
        # Tests by function, and their seconds; those of the fastest files come first.
        self.callers: dict[str, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = {}

    def restore(self) -> None:
        """Undo faults, and what tests did to goldens."""
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        done = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True)
        for name in filter(None, done.stdout.decode().split("\0")):
            source, target = ROOT / name, self.tree / name
            if not (target.exists() and filecmp.cmp(source, target, shallow=False)):
                target.parent.mkdir(parents=True, exist_ok=True)
                # It is newer than what Cargo has built of the fault.
                target.write_bytes(source.read_bytes())

    def build(self) -> None:
        """Build the core as `make quick` does."""
        maturin = str(Path(sys.executable).with_name("maturin"))
        words = [maturin, "develop", "--quiet", "--profile", "quick", "--skip-install"]
        status, said = self.run(words)
        assert status == 0, said

    def run(self, words: list[str], limit: float = 3600, **more: str) -> tuple[int | None, str]:
        """Run a command; return its status, None if it took too long, and what it said."""
        paths = os.pathsep.join([str(self.tree / "python"), str(self.tree)])
        environment = {**os.environ, "PYTHONPATH": paths, "VIRTUAL_ENV": sys.prefix, **more}
        with subprocess.Popen(
            words,
            cwd=self.tree,
            # A fault of the same size, put in within a second, would not be compiled.
            env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                said = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return None, ""
            return process.returncode, said

    def pytest(self, words: list[str], limit: float = 3600, **more: str) -> tuple[int | None, str]:
        """Run tests that are not slow."""
        options = ["-q", "-x", "-rfE", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider"]
        # A fault may keep a test from ending.
        options += ["-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true"]
        plugin = ["-p", "campaign.mutants.plugin"]
        return self.run([sys.executable, "-m", "pytest", *options, *plugin, *words], limit, **more)

    def watch(self) -> None:
        """Run each file of tests once, and note which functions its tests call."""
        (self.work / "calls").mkdir(exist_ok=True)
        files: list[dict[str, float]] = []
        for file in sorted((self.tree / "tests").rglob("test_*.py")):
            name = file.relative_to(self.tree).as_posix()
            noted = self.work / "calls" / f"{name.replace('/', '-')}.json"
            if re.search(LEFT_OUT, name):
                continue
            if not noted.exists():
                words = ["--maxfail=999", "--hypothesis-profile=quick", name]
                said = self.pytest(words, TRUEBLEU_CALLS=str(noted))[1]
                print(f"{name}: {said.strip().splitlines()[-1]}", flush=True)
            found = json.loads(noted.read_text("utf-8"))
            files.append(found["seconds"])
            for test, functions in found["calls"].items():
                for function in functions:
                    self.callers[function].add(test or name)
        for seconds in sorted(files, key=lambda seconds: sum(seconds.values())):
            self.seconds.update(seconds)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that may find a fault, those of the fastest files first."""
        if mutant.path.endswith(".rs"):
            return list(self.seconds)
        callers = self.callers.get(f"{mutant.path}:{mutant.function}", set())
        if not callers:
            # Other processes are not watched: the tests of its folder may call it there.
            folder = f"tests/{mutant.path.split('/')[2]}/"
            return [test for test in self.seconds if test.startswith(folder)]
        return [
            test for test in self.seconds if {test, test.partition("::")[0]}.intersection(callers)
        ]

    def found_by(self, tests: list[str], profile: str) -> str:
        """Run tests until one fails; return its name, or nothing."""
        if not tests:
            return ""
        listed = self.work / "tests.txt"
        listed.write_text("\n".join(tests), "utf-8")
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        limit = 120 + 20 * sum(self.seconds[test] for test in tests)
        words = [f"--hypothesis-profile={profile}", *files]
        status, said = self.pytest(words, limit, TRUEBLEU_TESTS=str(listed))
        if status in (0, 5):  # 5: no test is left, as they have other names.
            return ""
        # Any other end is a failure, too: of an import, or of the process.
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", said, re.MULTILINE)
        return failed[1] if failed else "timeout" if status is None else f"status {status}"

    def attempt(self, mutant: Mutant) -> tuple[str, str]:
        """Put a fault in; return the tier that finds it, or "survived", and the first test."""
        source = (ROOT / mutant.path).read_bytes()
        changed = source[: mutant.begin] + mutant.new.encode() + source[mutant.end :]
        (self.tree / mutant.path).write_bytes(changed)
        try:
            if mutant.path.endswith(".rs"):
                words = ["cargo", "test", "--quiet", "-p", "truebleu-core"]
                status, said = self.run(words, 1200)
                assert "could not compile" not in said, f"{mutant.id}\n{said}"
                if status != 0:
                    failed = re.search(r"^    (\S+)$", said, re.MULTILINE)
                    return TIERS[0], failed[1] if failed else "timeout"
                self.build()
            tests = self.tests_of(mutant)
            quick = [test for test in tests if test.startswith(QUICK)]
            for tier, some, profile in ((TIERS[1], quick, "quick"), (TIERS[2], tests, "ci")):
                if by := self.found_by(some, profile):
                    return tier, by
            return "survived", "" if tests else "no test calls it"
        finally:
            self.restore()


def faults() -> list[Mutant]:
    """Return the faults of the core: each replaces a text that is once in its file."""
    made = []
    counts: Counter[str] = Counter()
    for path, old, new in table("faults.tsv"):
        before, found, after = (ROOT / path).read_bytes().partition(old.encode())
        assert found, f"{path} lacks {old!r}"
        assert old.encode() not in after, f"{path} has {old!r} twice"
        line = before.count(b"\n") + 1
        key = f"{path}:{line}:fault"
        counts[key] += 1
        key += f":{counts[key]}" if counts[key] > 1 else ""
        made.append(Mutant(key, path, len(before), len(before + found), new, old.strip()))
    return made


def table(name: str) -> list[list[str]]:
    """Return the rows of a table of this folder."""
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, "excel-tab"))


def finished(mutants: list[Mutant], results: Path) -> list[list[str]]:
    """Return a row for each mutant: what became of it, or that it was not run."""
    known = {}
    if results.exists():
        with results.open(encoding="utf-8", newline="") as file:
            known = {(row[0], *row[4:]): row for row in csv.reader(file)}
    reasons = {tuple(row[:4]): row[4] for row in table("equivalent.tsv")}
    rows = []
    for each in mutants:
        end = each.new, each.line
        row = known.get((each.id, *end), [each.id, "not run", "", "0", *end])
        reason = reasons.get((each.path, each.operator, each.line, each.new))
        if row[1] == "survived" and reason:
            row = [row[0], "equivalent", reason, *row[3:]]
        rows.append(row)
    return rows


def attempt_all(mutants: list[Mutant], work: Path, minutes: float) -> list[list[str]]:
    """Try those that no earlier run has finished, until time is up; return the rows of all."""
    results = work / "results.csv"
    rows = finished(mutants, results)
    left = [mutant for mutant, row in zip(mutants, rows, strict=True) if row[1] == "not run"]
    if left:
        project = Copy(work)
        project.restore()
        project.build()
        project.watch()
    end = time.monotonic() + 60 * minutes
    for number, mutant in enumerate(left, 1):
        begin = time.monotonic()
        if begin > end:
            break
        outcome = project.attempt(mutant)
        print(f"{number}/{len(left)} {mutant.id}: {', '.join(filter(None, outcome))}", flush=True)
        row = [mutant.id, *outcome, round(time.monotonic() - begin), mutant.new, mutant.line]
        with results.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(row)
    return finished(mutants, results)


def summary(rows: list[list[str]]) -> str:
    """Return a table of folders: how many mutants each tier finds."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        *parents, _ = row[0].partition(":")[0].split("/")
        for folder in ("/".join(parents[: 3 if parents[0] == "python" else 4]), "all"):
            counts[folder][row[1]] += 1
    columns = (*TIERS, "survived", "equivalent", "not run")
    lines = [f"| folder | mutants | {' | '.join(columns)} |", f"|---|{'---:|' * 7}"]
    for folder in sorted(counts, key=lambda name: (name == "all", name)):
        numbers = [counts[folder].total(), *(counts[folder][column] for column in columns)]
        lines.append(f"| {folder} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def main() -> None:
    """Try all mutants, or those of some files or folders; record them if it is all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files or folders")
    parser.add_argument("--summary", action="store_true", help="print the table of the last record")
    parser.add_argument("--minutes", type=float, default=600, help="begin no mutant after these")
    options = parser.parse_args()
    if options.summary:
        last = max((ROOT / "campaign" / "record").glob("*-mutants.csv"))
        with last.open(encoding="utf-8", newline="") as file:
            print(summary(list(csv.reader(file))[1:]))
        return
    mutants = [*chosen(ROOT / "python" / "truebleu", ROOT, NUMBER, SEED), *faults()]
    mutants = [each for each in mutants if each.path.startswith(tuple(options.paths or [""]))]
    rows = attempt_all(mutants, ROOT / "target" / "mutants", options.minutes)
    print(summary(rows))
    if not options.paths:
        record("mutants", ["id", "outcome", "by", "seconds", "instead", "line"], rows)


if __name__ == "__main__":
    main()
