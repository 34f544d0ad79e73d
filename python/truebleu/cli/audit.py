"""``truebleu audit``: what other tools would say, and why."""

from __future__ import annotations

import sys

from truebleu.analysis.audit import audit
from truebleu.cli.files import texts
from truebleu.cli.options import threads_from
from truebleu.cli.writing import print_json
from truebleu.display.formatting import decimals

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.analysis.audit import Audit, AuditRow


def run(options: Namespace) -> None:
    """Print a row for each dialect, or the reasons why two of them differ."""
    own, others = texts(options.systems, options.references)
    found = audit(own, others, threads=threads_from(options))
    if options.explain is not None:
        difference = found.difference(*options.explain)
        if options.json:
            print_json(difference.to_dict())
        else:
            sys.stdout.write("".join(f"{line}\n" for line in difference.sentences()))
    elif options.json:
        print_json(found.to_dict())
    else:
        sys.stdout.write(_table(found))


def _table(found: Audit) -> str:
    header = ("dialect", "prints", "BLEU", "what differs, and by how much it alone moves the score")
    rows = [header, *map(_cells, found.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip()
        for row in rows
    ]
    return "".join(f"{line}\n" for line in lines)


def _cells(row: AuditRow) -> tuple[str, str, str, str]:
    number = f"{row.number:.2f}" if row.dialect.scale == 100 else f"{row.number:.4f}"
    parts = "; ".join(
        f"{part.aspect} {part.now} {decimals(part.points, '+.2f')}" for part in row.parts
    )
    return row.dialect.name, number, f"{row.score.score:.2f}", parts
