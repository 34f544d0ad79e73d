"""Figures of the campaign, kept by date."""

from __future__ import annotations

import csv
import datetime
from typing import TYPE_CHECKING

from campaign.populations import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def rows_of(name: str) -> list[list[str]]:
    """Return the rows of the last table of a name, if there is any."""
    last = max((ROOT / "campaign" / "record").glob(f"*-{name}.csv"), default=None)
    if last is None:
        return []
    with last.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def record(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table to ``record/DATE-NAME.csv``; return the date."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    path = ROOT / "campaign" / "record" / f"{today}-{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return today
