"""Cut a release: ``make version VERSION=0.2.0``.

Writes the version and the date wherever test_release.py compares them, turns the section
[Unreleased] of the changelog into that of the version, and changes the signatures in the
documentation. Without such a section, it writes the date of the version that is there.

The day of a release; `make campaign` and `make peers`, which take hours, have run before:

1. This, and a look at `git diff`. *Scores* in the changelog names each change that moves a number.
2. `make wasm`, as the core for JavaScript says its version, too; `make lint test slow docs`.
   Goldens that show the version are rewritten, and fail once.
3. In a fresh clone, `make release RELEASE_PYTHONS="python3.11 python3.15"` builds the files that
   PyPI gets for this platform, checks them, and installs each where there is no compiler. The
   workflow *Release* does the same for all platforms at every push to `main`, without uploading.
4. `git tag -s v0.2.0 && git push origin v0.2.0`: *Release* uploads all wheels to PyPI as a trusted
   publisher, once a reviewer of the environment `pypi` approves.
5. In a new environment, `pip install truebleu==0.2.0`, and score `examples/`. Make a release of the
   tag on GitHub, with its section of the changelog; publish the site (`make site`).
6. If something is wrong, yank it on PyPI, and go on with the next version: a file there is never
   replaced.
"""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What shows signatures; but what was measured with a version stays.
SIGNED = ("README.md", "docs/**/*.md", "docs/**/*.ipynb", ".github/*/*.yml")
MEASURED = ("benchmarks.md", "conformance.md")


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace what a file has, in which nothing may be missing."""
    text = path.read_text("utf-8")
    for old, new in changes:
        text, count = re.subn(old, new, text, flags=re.MULTILINE)
        if not count:
            raise SystemExit(f"{path} has no {old}")
    path.write_text(text, "utf-8")


def cut(root: Path, version: str, date: str) -> None:
    """Write the version and the date."""
    # Python, Rust and npm write others differently.
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"VERSION={version} is none: three numbers are needed, such as 0.2.0")
    cargo = (root / "Cargo.toml").read_text("utf-8")
    old = re.search(r'(?m)^version = "(.*)"$', cargo)[1]
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    heading = "Unreleased" if "\n## [Unreleased]\n" in changes else re.escape(version)
    edit(root / "CHANGELOG.md", (rf"^## \[{heading}\].*$", f"## [{version}] - {date}"))
    released = f"version: {version}\ndate-released: {date}\n"
    edit(root / "CITATION.cff", (r"^version: .*\n(?:date-released: .*\n)?", released))
    edit(root / "Cargo.toml", (f'^version = "{re.escape(old)}"$', f'version = "{version}"'))
    edit(root / "Cargo.lock", (r'(name = "truebleu-\w+"\nversion = ).*$', rf'\1"{version}"'))
    package = root / "javascript" / "package.json"
    edit(package, (r'^(  "version":) ".*"', rf'\1 "{version}"'))
    signed = rf"(truebleu[ -]){re.escape(old)}\b"
    for path in (path for pattern in SIGNED for path in root.glob(pattern)):
        if path.name not in MEASURED:
            text = path.read_text("utf-8")
            path.write_text(re.sub(signed, rf"\g<1>{version}", text), "utf-8")


if __name__ == "__main__":
    cut(ROOT, sys.argv[1], f"{datetime.now(UTC):%Y-%m-%d}")
