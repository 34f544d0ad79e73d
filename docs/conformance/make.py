"""Ask the tools that have an adapter; write their rows into tests/conformance/tools.md.

Run ``python docs/conformance/make.py TOOL...``, where ``TOOL=PYTHON`` names the interpreter that
has the tool; rows of other tools stay. MULTI_BLEU and EVALUATE are as the adapters say.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ADAPTERS = ROOT / "examples" / "adapters"
PAGE = ROOT / "tests" / "conformance" / "tools.md"

# The words behind `truebleu check`, and what has the version: a package, or a variable that names a
# script.
TOOLS = {
    "truebleu": (["of_truebleu:answer"], "truebleu"),
    "sacrebleu": (["of_sacrebleu:answer"], "sacrebleu"),
    "nltk": (["of_nltk:answer"], "nltk"),
    "torchmetrics": (["of_torchmetrics:answer"], "torchmetrics"),
    "evaluate": (["of_evaluate:answer"], "evaluate"),
    "compare-mt": (["of_compare_mt:answer"], "compare-mt"),
    "bleuscore": (["of_bleuscore:answer"], "bleuscore"),
    "multi-bleu.perl": (["of_multi_bleu:answer"], "MULTI_BLEU"),
    "bleu.pl": (["--", "perl", "bleu.pl"], None),
}
FILES = "bleu", "chrf", "ter", "tokens", "signatures", "significance", "errors"
GRADES = "equal", "within", "rounded", "wrong", "skipped"


def version_of(python: str, source: str | None) -> str:
    """Return the version of a tool, or the beginning of the checksum of a script."""
    if source is None:
        return "example"
    if source.isupper():
        digest = hashlib.sha256(Path(os.environ[source]).read_bytes()).hexdigest()
        return f"SHA-256 {digest[:8]}…"
    code = f"from importlib.metadata import version; print(version({source!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def rows_of(tool: str, python: str) -> list[str]:
    """Ask a tool; return its rows, one for each file with an answer."""
    words, source = TOOLS[tool]
    # torchmetrics takes minutes for a long text.
    command = [python, "-m", "truebleu", "check", "-f", "json", "--time-limit", "900", *words]
    done = subprocess.run(command, cwd=ADAPTERS, capture_output=True, text=True, check=False)
    verdict = json.loads(done.stdout)
    if verdict["violations"]:
        sys.exit(f"{tool}: {verdict['violations'][0]}")
    rows = []
    for file in FILES:
        laws = [law["grades"] for law in verdict["laws"] if law["file"] == file]
        counts = [sum(grades[name] for grades in laws) for name in GRADES]
        answered = sum(counts[:-1])
        if answered:
            cells = tool, version_of(python, source), file, *map(str, (answered, *counts))
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def replace_rows(tool: str, rows: list[str]) -> None:
    """Replace the rows of a tool in the table of the page."""
    page = PAGE.read_text("utf-8")
    head, table, rest = re.split(
        r"(?s)(?<=<!-- peers:begin -->\n)(.*?)(?=<!-- peers:end -->)", page
    )
    by_tool: dict[str, list[str]] = {name: [] for name in TOOLS}
    for row in table.splitlines()[2:]:
        by_tool[row.split(" ")[1]].append(row)
    by_tool[tool] = rows
    lines = [
        f"| tool | version | file | answered | {' | '.join(GRADES)} |",
        "|---|---|---|" + "---:|" * (len(GRADES) + 1),
        *(row for several in by_tool.values() for row in several),
    ]
    PAGE.write_text(head + "".join(f"{line}\n" for line in lines) + rest, "utf-8")


def main() -> None:
    """Ask the tools that are named, one after the other."""
    for word in sys.argv[1:]:
        tool, _, python = word.partition("=")
        replace_rows(tool, rows_of(tool, python or sys.executable))


if __name__ == "__main__":
    main()
