"""Put faults into the package, one at a time, and record which tests find them.

Faults of the Python sources are drawn from a seed (``operators.py``): mutmut would wrap functions,
which changes where warnings point, and cosmic-ray edits the checkout; neither knows what `make
quick` runs. Those of the core are a list of replacements (``faults.tsv``), because switches would
litter its code. All happens in a copy of the project.

A fault is run against the test that found it before, the tests of its folder, then the others,
file by file. Faults that were never run come first, then those whose result is oldest. Results are
kept in ``target/mutants``: a run that is stopped goes on from there, or else from the last record.

    python campaign/mutants/run.py
    python campaign/mutants/run.py python/truebleu/metrics crates --minutes 30
    python campaign/mutants/run.py --summary
"""

from __future__ import annotations

import argparse
import ast
import csv
import datetime
import filecmp
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from campaign.mutants.operators import Mutant, chosen, identified
from campaign.populations import ROOT
from campaign.recorded import record

# Mutants of the Python sources.
NUMBER, SEED = 240, 1

# The tests of `make quick`, and of `make quick FILE=` for the core. Tests that read sources, or
# measure time, do not find a fault.
QUICK = ("tests/laws/", "tests/metrics/", "tests/package/", "tests/cli/test_cli.py")
OF_CORE = ("tests/laws/", "tests/metrics/")
LEFT_OUT = r"tests/(house|campaign|benchmarks|peers)/|test_(scaling|interpreter_lock)\.py"

# Seconds for a file of tests, or those of the core; without a fault, none needs as many.
LIMIT = 1800

TIERS = ("cargo test", "make quick FILE=", "make quick", "make test")
HEADER = ["id", "outcome", "by", "seconds", "instead", "line", "date"]


class Copy:
    """A copy of the project, with a core of its own."""

    def __init__(self, work: Path, seconds: float = 0) -> None:
        self.work, self.tree, self.seconds = work, work / "tree", seconds
        # The id of the fault that the built core has, "" if none.
        self.built: str | None = None

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

    def compile(self) -> None:
        """Compile the sources, so that a fault of the same size, within a second, counts, too."""
        words = ["compileall", "-q", "-f", "--invalidation-mode", "checked-hash", "python"]
        assert self.run([sys.executable, "-m", *words])[0] == 0

    def build(self, fault: str = "") -> None:
        """Build the core as `make quick` does, unless it is there."""
        if fault == self.built:
            return
        maturin = str(Path(sys.executable).with_name("maturin"))
        words = [maturin, "develop", "--quiet", "--profile", "quick", "--skip-install"]
        status, said = self.run(words)
        assert status == 0, said
        self.built = fault

    def run(self, words: list[str]) -> tuple[int | None, str]:
        """Run a command; return its status, None if it took too long, and what it said."""
        paths = os.pathsep.join([str(self.tree / "python"), str(self.tree)])
        with subprocess.Popen(
            words,
            cwd=self.tree,
            env={**os.environ, "PYTHONPATH": paths, "VIRTUAL_ENV": sys.prefix},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                said = process.communicate(timeout=LIMIT)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return None, process.communicate()[0]
            return process.returncode, said

    def failing(self, tests: list[str], profile: str, *options: str) -> list[str]:
        """Run tests that are not slow; return those that fail, break off, or hang."""
        words = ["-v", "--tb=no", "-rfE", "-m", "not slow", "-p", "no:cacheprovider", *options]
        words += [f"--deselect={test}" for test in self.broken()]
        # A fault may keep a test from ending.
        words += ["-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true"]
        words += [f"--hypothesis-profile={profile}", *tests]
        status, said = self.run([sys.executable, "-m", "pytest", *words])
        if status in (0, 5):  # 5: no test is left, as they have other names.
            return []
        failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
        begun = re.findall(r"^(tests/\S+::.+?)(?: [A-Z]+ .*)?$", said, re.MULTILINE)
        return failed or begun[-1:] or [f"status {status}"]

    def broken(self) -> list[str]:
        """Return tests that fail in the copy without a fault."""
        path = self.work / "broken.txt"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    def verify(self, tests: list[str]) -> None:
        """Note the tests that fail without a fault: these have found none."""
        self.build()
        there = {test for test in tests if (self.tree / test.partition("::")[0]).is_file()}
        failed = there.intersection(self.failing(sorted(there), "quick")) if there else there
        broken = [*self.broken(), *sorted(failed)]
        (self.work / "broken.txt").write_text("\n".join(broken), "utf-8")

    def files(self, mutant: Mutant) -> list[tuple[str, str]]:
        """Return tiers and files of tests: those of a tier that name most of the module first."""
        source = (ROOT / mutant.path).read_bytes()
        names = {Path(mutant.path).stem}
        if mutant.path.endswith(".py"):
            folder = f"tests/{mutant.path.split('/')[2]}/"
            own: tuple[str, ...] = (folder if (self.tree / folder).is_dir() else "tests/package/",)
            kinds = (ast.FunctionDef, ast.ClassDef)
            names |= {each.name for each in ast.walk(ast.parse(source)) if isinstance(each, kinds)}
        else:
            own = OF_CORE
        found = []
        for path in (self.tree / "tests").rglob("test_*.py"):
            name, text = path.relative_to(self.tree).as_posix(), path.read_text("utf-8")
            if not re.search(LEFT_OUT, name):
                tier = TIERS[1 if name.startswith(own) else 2 if name.startswith(QUICK) else 3]
                named = len(names.intersection(re.findall(r"\w+", text)))
                found.append((TIERS.index(tier), -named, len(text), tier, name))
        return [each[3:] for each in sorted(found)]

    def attempt(self, mutant: Mutant, before: str = "") -> tuple[str, str]:
        """Put a fault in; return the tier that finds it, or what became of it, and the test."""
        source = (ROOT / mutant.path).read_bytes()
        changed = source[: mutant.begin] + mutant.new.encode() + source[mutant.end :]
        end = time.monotonic() + self.seconds
        (self.tree / mutant.path).write_bytes(changed)
        try:
            in_core = mutant.path.endswith(".rs")
            if in_core and (by := self.found_by_cargo(mutant)):
                return TIERS[0], by
            self.build(mutant.id if in_core else "")
            files = self.files(mutant)
            first = [file for file in files if file[1] == before.partition("::")[0]]
            tried = [(tier, before) for tier, _ in first] + files
            # `make test` has more examples of each law.
            tried += [(TIERS[3], name) for tier, name in files if tier != TIERS[3]]
            for tier, tests in tried:
                if time.monotonic() > end:
                    return "undecided", f"not found before {tests} in {tier}"
                profile = "ci" if tier == TIERS[3] else "quick"
                if failed := self.failing([tests], profile, "-x"):
                    return tier, failed[0]
            return "survived", ""
        finally:
            self.restore()

    def found_by_cargo(self, mutant: Mutant) -> str:
        """Run the core's own tests; return the first that fails, or nothing."""
        for which in (["--lib"], ["--test", "*"], ["--doc"]):
            status, said = self.run(["cargo", "test", "--quiet", "-p", "truebleu-core", *which])
            assert "could not compile" not in said, f"{mutant.id}\n{said}"
            if status != 0:
                failed = re.search(r"^    (\S+)$", said, re.MULTILINE)
                return failed[1] if failed else f"status {status}"
        return ""


def faults() -> list[Mutant]:
    """Return the faults of the core: each replaces a text that is once in its file."""
    made = []
    counts: Counter[str] = Counter()
    for path, old, new in table("faults.tsv"):
        before, found, after = (ROOT / path).read_bytes().partition(old.encode())
        assert found, f"{path} lacks {old!r}"
        assert old.encode() not in after, f"{path} has {old!r} twice"
        key = identified(f"{path}:fault", old.strip(), new, counts)
        made.append(Mutant(key, path, len(before), len(before + found), new, old.strip(), "fault"))
    return made


def table(name: str) -> list[list[str]]:
    """Return the rows of a table of this folder."""
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, "excel-tab"))


def recorded(path: Path) -> list[list[str]]:
    """Return the rows of a file of results, if it exists."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if row != HEADER]


def last_record() -> Path:
    """Return the path of the last record."""
    return max((ROOT / "campaign" / "record").glob("*-mutants.csv"), default=Path("none"))


def finished(mutants: list[Mutant], work: Path) -> list[list[str]]:
    """Return a row for each mutant: the last that became of it, or that it was not run."""
    broken = Copy(work).broken()
    done = [*recorded(last_record()), *recorded(work / "results.csv")]
    became = {row[0]: row for row in done if row[1] != "not run" and row[2] not in broken}
    reasons = {tuple(row[:4]): row[4] for row in table("equivalent.tsv")}
    rows = []
    for each in mutants:
        row = became.get(each.id, ["", "not run", "", "0", "", "", ""])
        outcome, by, took, *_, day = row[1:]
        # Judgements are made again.
        reason = reasons.get((each.path, each.operator, each.line, each.new))
        if reason and outcome in ("survived", "undecided", "equivalent"):
            outcome, by = "equivalent", reason
        elif outcome == "equivalent":
            outcome, by = "survived", ""
        rows.append([each.id, outcome, by, took, each.new, each.line, day])
    return rows


def attempt_all(
    mutants: list[Mutant], work: Path, minutes: float, seconds: float = 1800
) -> list[list[str]]:
    """Try those that were not run today, until time is up; return the rows of all."""
    end = time.monotonic() + 60 * minutes
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    before = {row[0]: row for row in finished(mutants, work)}
    left = [
        each
        for each in sorted(mutants, key=lambda each: before[each.id][6])
        if before[each.id][6] < today and before[each.id][1] != "equivalent"
    ]
    project = Copy(work, seconds)
    if left:
        project.restore()
        project.compile()
    for number, mutant in enumerate(left, 1):
        begin = time.monotonic()
        if begin > end:
            break
        outcome = project.attempt(mutant, before[mutant.id][2])
        print(f"{number}/{len(left)} {mutant.id}: {', '.join(filter(None, outcome))}", flush=True)
        took = round(time.monotonic() - begin)
        with (work / "results.csv").open("a", encoding="utf-8", newline="") as file:
            row = [mutant.id, *outcome, took, mutant.new, mutant.line, today]
            csv.writer(file).writerow(row)
    if left:
        project.verify([row[2] for row in finished(mutants, work) if row[6] == today])
    return finished(mutants, work)


def summary(rows: list[list[str]]) -> str:
    """Return a table of folders: how many mutants each tier finds."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        *parents, _ = row[0].partition(":")[0].split("/")
        for folder in ("/".join(parents[: 3 if parents[0] == "python" else 4]), "all"):
            counts[folder][row[1]] += 1
    columns = (*TIERS, "survived", "undecided", "equivalent", "not run")
    lines = [f"| folder | mutants | {' | '.join(columns)} |", f"|---|{'---:|' * 9}"]
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
    parser.add_argument("--seconds", type=float, default=1800, help="begin no file after these")
    options = parser.parse_args()
    if options.summary:
        print(summary(recorded(last_record())))
        return
    mutants = [*chosen(ROOT / "python" / "truebleu", ROOT, NUMBER, SEED), *faults()]
    mutants = [each for each in mutants if each.path.startswith(tuple(options.paths or [""]))]
    rows = attempt_all(mutants, ROOT / "target" / "mutants", options.minutes, options.seconds)
    print(summary(rows))
    if not options.paths:
        record("mutants", HEADER, rows)


if __name__ == "__main__":
    main()
