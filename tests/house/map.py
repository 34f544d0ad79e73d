"""Where everything is, and how large: ``make map``.

Prints each room with its lines and the first sentence of its docstring, in the order in which they
build on each other, then what the whole measures beside what it should. With ``--all``, also the
modules of each room. What users feel may not grow past what was reached: test_size.py says when.
"""

import ast
import re
import sys
from pathlib import Path
from textwrap import shorten

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "truebleu"
CORE = ROOT / "crates" / "core" / "src"

# What was reached. An addition is paid for elsewhere; the wheel may be 3% larger, for compilers.
REACHED = {"names": 57, "options": 246, "CONTRIBUTING": 9_700, "wheel": 2_350_000}
WHEEL_ROOM = 1.03


def lines(*patterns: str) -> int:
    """Count the lines of the files that match; links and what is generated are no files of ours."""
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    kept = (path for path in paths if "generated" not in path.parts and "target" not in path.parts)
    return sum(path.read_bytes().count(b"\n") for path in kept if path.is_file())


def about(path: Path) -> str:
    """Return the first sentence of what a file or a folder says of itself."""
    if path.is_dir():
        path = next(each for each in (path / "__init__.py", path / "mod.rs") if each.exists())
    text = path.read_text("utf-8")
    if path.suffix == ".rs":
        said = " ".join(re.findall(r"(?m)^//! ?(.*)$", text.partition("\n\n")[0]))
    else:
        said = " ".join((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].split())
    first, _, rest = said.partition(". ")
    # A title says little.
    said = f"{first}. {rest}" if " " not in first else first
    return shorten(said.rstrip("."), 100, placeholder=" ...")


def rooms(folder: Path, order: list[str], suffix: str, *, modules: bool) -> list[str]:
    """Return a line for each room in their order, and perhaps for what is in it."""
    found = []
    for name in order:
        path = folder / name
        path = path if path.is_dir() else path.with_suffix(suffix)
        where = path.relative_to(ROOT).as_posix()
        size = lines(f"{where}/**/*{suffix}" if path.is_dir() else where)
        found.append(f"{size:6,}  {path.name + '/' * path.is_dir():18} {about(path)}")
        inside = sorted(path.rglob(f"*{suffix}")) if modules and path.is_dir() else []
        for each in inside:
            if each.stem not in ("__init__", "mod"):
                shown = each.relative_to(path).as_posix()
                found.append(f"{'':8}  {shown:22} {about(each)}")
    return found


def order_of(name: str) -> list[str]:
    """Return the order of rooms that a test has, without what only stands for binaries."""
    tree = ast.parse((ROOT / "tests" / "house" / f"{name}.py").read_text("utf-8"))
    [value] = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FOLDERS"
    ]
    rooms = re.findall(r"'(\w+)'", ast.unparse(value))
    return [room for room in rooms if room not in ("_core", "python")]


def options() -> int:
    """Count the options that the help of all commands lists, one row each."""
    from truebleu.cli.arguments import COMMANDS, command_parser

    rows = (row for name in COMMANDS for row in command_parser(name).parameters)
    return sum(bool(row.option_strings) for row in rows)


def wheel() -> int | None:
    """Return the bytes of the wheel for Linux on x86-64 that is built, if there is one."""
    built = [*(ROOT / "dist").glob("truebleu-*-*linux*_x86_64.whl")]
    return max((path.stat().st_size for path in built), default=None)


def of_package() -> tuple[str, str, str]:
    """Return how many names, commands and options there are, if the package can be imported."""
    try:
        import truebleu
    except ImportError:
        return ("not built",) * 3
    from truebleu.cli.arguments import COMMANDS

    return f"{len(truebleu.__all__)}", f"{len(COMMANDS)}", f"{options()}"


def measured() -> list[tuple[str, str, str]]:
    """Return what is measured, as it is and as it should be."""
    built, ci = wheel(), ROOT / "target" / "ci-seconds"
    took = f"{int(ci.read_text()) / 60:.0f}" if ci.is_file() else "not run"
    page = (ROOT / "CONTRIBUTING.md").stat().st_size
    names, commands, listed = of_package()
    most = {name: f"{number:,.0f}, a gate" for name, number in REACHED.items()}
    return [
        ("lines of the package", f"{lines('python/**/*.py'):,}", "39,000"),
        ("lines of tests", f"{lines('tests/**/*.py'):,}", "about 45,000"),
        ("lines of Rust, wasm included", f"{lines('crates/**/*.rs'):,}", "28,500"),
        ("lines of docs/*.md", f"{lines('docs/**/*.md'):,}", "about 10,000"),
        ("lines of compat/", f"{lines('python/truebleu/compat/*.py'):,}", "1,600"),
        ("bytes of CONTRIBUTING", f"{page:,}", most["CONTRIBUTING"]),
        ("names at the top level", names, most["names"]),
        ("commands", commands, "12"),
        ("options, over all commands", listed, most["options"]),
        (
            "bytes of the wheel, Linux x86-64",
            "not built" if built is None else f"{built:,}",
            f"{WHEEL_ROOM * REACHED['wheel']:,.0f}, a gate",
        ),
        ("minutes of CI", took, "15"),
    ]


def main(words: list[str]) -> None:
    """Print all of it."""
    modules = "--all" in words
    for folder, test, suffix in (
        (PACKAGE, "test_house", ".py"),
        (CORE, "test_house_rust", ".rs"),
    ):
        print(f"{folder.relative_to(ROOT).as_posix()}/, each on those above it")
        print(*rooms(folder, order_of(test), suffix, modules=modules), "", sep="\n")
    for what, now, goal in [("", "now", "at most"), *measured()]:
        print(f"{what:34} {now:>12}   {goal}")


if __name__ == "__main__":
    main(sys.argv[1:])
