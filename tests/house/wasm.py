"""Whether truebleu.wasm is built from the sources beside it: `make lint` runs this.

A digest of the sources is a section of the file. Comments and tests do not count.
"""

import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARTIFACT = ROOT / "javascript" / "truebleu.wasm"
SECTION = b"sources"


def sources():
    """Yield what the bytes of the module depend on: code, profiles, and dependencies."""
    for crate in (ROOT / "crates" / "core", ROOT / "crates" / "wasm"):
        yield (crate / "Cargo.toml").read_text("utf-8")
        for path in sorted((crate / "src").rglob("*.*")):
            if path.suffix == ".bin":
                yield path.relative_to(ROOT).as_posix() + path.read_bytes().hex()
            elif path.name != "tests.rs":
                text = re.sub(
                    r"(?ms)^#\[cfg\(test\)\]\nmod \w+ \{\n.*?^\}\n", "", path.read_text("utf-8")
                )
                yield path.relative_to(ROOT).as_posix() + re.sub(r"(?m)^\s*//.*\n", "", text)
    workspace = (ROOT / "Cargo.toml").read_text("utf-8")
    yield workspace.partition("[workspace.lints")[0]
    yield workspace.partition("[profile.wasm]")[2]
    yield from dependencies((ROOT / "Cargo.lock").read_text("utf-8"))


def dependencies(lock):
    """Yield what is locked of the crates that the module consists of."""
    packages = {
        re.search('name = "(.*)"', each)[1]: each for each in lock.split("[[package]]\n")[1:]
    }
    waiting, seen = ["truebleu-wasm"], set()
    while waiting:
        name = waiting.pop()
        # Those of the feature that the module is built without.
        if name not in seen and not name.startswith("arrow-"):
            seen.add(name)
            listed = packages[name].partition("dependencies = [")[2]
            waiting += re.findall(r'(?m)^ "([\w-]+)', listed)
    return (packages[name] for name in sorted(seen))


def digest():
    """Return the digest of the sources."""
    return hashlib.sha256("\0".join(sources()).encode()).digest()


def section():
    """Return the section: its kind, its length, its name and the digest."""
    content = bytes([len(SECTION)]) + SECTION + digest()
    return bytes([0, len(content)]) + content


if __name__ == "__main__":
    if sys.argv[1:]:
        built, artifact = map(Path, sys.argv[1:])
        artifact.write_bytes(built.read_bytes() + section())
    elif not ARTIFACT.read_bytes().endswith(section()):
        sys.exit(f"{ARTIFACT.relative_to(ROOT)} is built from other sources: run make wasm")
