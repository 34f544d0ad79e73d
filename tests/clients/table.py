"""Writes the table of README.md from a run of all projects: ``python table.py``.

Run where `make peers` has installed all originals.
"""

import re
import sys
from pathlib import Path

import compare
from projects import PROJECTS

PAGE = Path(__file__).parent / "README.md"
HEAD = "| program | what is called | calls | equal | counted by the core |\n|---|---|---|---|---|\n"


def ordered():
    """Return the projects in alphabetical order."""
    return sorted(PROJECTS.values(), key=lambda project: project.name.lower())


def row(project, counts, asked):
    """Return a project's row."""
    numbers = sum(counts.values()), counts["equal"]
    # At least one call is counted by either, else nothing has been compared.
    share = f"{asked.get('core', 0) / sum(asked.values()):.0%}"
    cells = f"{project.name} {project.version}", project.calls, *map(str, numbers), share
    return f"| {' | '.join(cells)} |"


def documented():
    """Return the rows of the table in the page."""
    text = PAGE.read_text("utf-8")
    [rows] = re.findall(re.escape(HEAD) + r"((?:\|.*\n)+)", text)
    return rows.splitlines()


def main():
    """Run all projects, and replace the rows in the page and the sums above them."""
    assert all(map(compare.has_originals, PROJECTS.values()))
    outcomes = {project.name: compare.both(project) for project in ordered()}
    counted = [
        (project, compare.counted(*outcomes[project.name][:2])[0], outcomes[project.name][2])
        for project in ordered()
    ]
    different = [project.name for project, counts, _ in counted if counts["different"]]
    if different:
        sys.exit(f"these differ: {', '.join(different)}")
    text = PAGE.read_text("utf-8")
    rows = "".join(f"{row(*each)}\n" for each in counted)
    text = re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: HEAD + rows, text)
    calls = sum(sum(counts.values()) for _, counts, _ in counted)
    equal = sum(counts["equal"] for _, counts, _ in counted)
    sums = f"{len(counted)} programs make {calls:,} calls: {equal:,} are equal"
    text = re.sub(r"\d+ programs make [\d,]+ calls: [\d,]+ are equal", sums, text)
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
