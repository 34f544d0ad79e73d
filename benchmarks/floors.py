"""What figures may not fall below: ``floors.csv``, which names the records that floors are from.

``python -m benchmarks.floors`` writes floors from the last three records of each figure; a figure
that has fewer gets its floor from the last one. A floor that is empty comes from the next record.
"""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.measure import Result

FOLDER = Path(__file__).resolve().parent
PLACE = FOLDER / "floors.csv"

MARGINS = {"more": 0.9, "less": 1 / 0.9, "size": 1.1}
"""How much worse than the median a figure may be: a ratio of which more is better, or less; memory
or the size of a file. Figures in seconds have no floor."""

_ENOUGH = 3


class Floor(NamedTuple):
    """The floor of a figure."""

    name: str
    kind: str
    floor: str
    """The lowest figure, or the highest one where less is better; empty before there is one."""
    records: str
    """The dates of the records that it is the median of."""
    note: str
    """Why it is not that of the last three records before this list."""


def read() -> dict[str, Floor]:
    """Return the floors by the names of figures."""
    with PLACE.open(encoding="utf-8", newline="") as file:
        return {row["name"]: Floor(**row) for row in csv.DictReader(file)}


def write(floors: Iterable[Floor]) -> None:
    """Write the floors."""
    with PLACE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Floor._fields)
        writer.writerows(floors)


def records() -> dict[str, dict[str, str]]:
    """Return the figures by name, for each date."""
    found = {}
    for path in sorted((FOLDER / "record").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.stem] = {row["name"]: row["figure"] for row in csv.DictReader(file)}
    return found


def floor(name: str, kind: str, dates: Iterable[str], note: str = "") -> Floor:
    """Return the floor from some records."""
    dates, known = list(dates), records()
    lowest = MARGINS[kind] * median(float(known[date][name]) for date in dates)
    return Floor(name, kind, f"{lowest:.4g}", " ".join(dates), note)


def latest(name: str, kind: str) -> Floor:
    """Return the floor from the last records of a figure."""
    dates = [date for date, figures in records().items() if name in figures][-_ENOUGH:]
    if len(dates) == _ENOUGH:
        return floor(name, kind, dates)
    return floor(name, kind, dates[-1:], "fewer than three records have it")


def falls(result: Result, floors: dict[str, Floor]) -> bool:
    """Whether a figure is worse than its floor, if it has one."""
    known = floors.get(result.name)
    if known is None or not known.floor:
        return False
    bound = float(known.floor)
    return result.figure < bound if known.kind == "more" else result.figure > bound


def add(results: Iterable[Result], date: str) -> None:
    """Give figures without a floor that of a record, which is written already."""
    floors = read()
    for result in results:
        known = floors.get(result.name)
        if result.kind and (known is None or not known.floor):
            note = known.note if known else "fewer than three records have it"
            floors[result.name] = floor(result.name, result.kind, [date], note)
    write(floors.values())


if __name__ == "__main__":
    write([latest(each.name, each.kind) if each.floor else each for each in read().values()])
