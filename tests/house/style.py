"""Rules about files that no linter knows: `make lint` runs this, which prints what breaks them."""

import ast
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What tools leave behind.
IGNORED = {".git", *(line.strip("/") for line in (ROOT / ".gitignore").read_text().split())}

PATH_OF_A_MACHINE = re.compile(
    rf"(?<![\w/.~)*-])/({'|'.join(['work', 'tmp', 'home', 'root', 'Users'])})\b"
)


def files_of_the_project(root):
    """Yield the files that people write, and no others."""
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if not {name, (inside / name).as_posix()} & IGNORED]
        # In a worktree of git, .git is a file.
        written = [name for name in names if name not in IGNORED and not name.endswith(".so")]
        yield from (Path(folder, name) for name in written)


def lines_of_code(text):
    """Return the numbers of the lines of a Python file that are not only for its readers."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None
        for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    lines = enumerate(text.split("\n"), 1)
    code = {number for number, line in lines if line.strip() and line.lstrip()[0] != "#"}
    return code - docstrings


def longer(text, most, what):
    """Say that a text has more lines than it may, at the first that is too many."""
    if text.count("\n") > most:
        yield most + 1, f"more than {most} lines of {what}: split it"


def findings_in(path, text):
    """Yield each line of a file that breaks a rule, and the rule; `path` is below the root."""
    source = path.startswith(("python/", "crates/"))
    if source and path.endswith(".rs"):
        # rustfmt closes a module with the first brace that is not indented.
        yield from longer(
            re.sub(r"(?ms)^#\[cfg\(test\)\]\nmod \w+ \{\n.*?^\}\n", "", text), 400, "Rust"
        )
        if "/src/" in path and not re.match(r"//! \S|#!\[doc", text):
            yield 1, "the first line says what the file is for: //! ..."
    elif source and path.endswith((".py", ".pyi")):
        yield from longer(text, 600, "Python")
        if len(code := sorted(lines_of_code(text))) > 400:
            yield code[400], "more than 400 lines of code: split it"
    elif path == "README.md":
        yield from longer(text, 150, "what people read before they try")
    for number, line in enumerate(text.split("\n"), 1):
        if PATH_OF_A_MACHINE.search(line):
            yield number, "a path of one machine is of no use on another"


def findings(root):
    """Yield what breaks a rule in the files of a project, each with its place."""
    for path in files_of_the_project(root):
        name = path.relative_to(root).as_posix()
        for number, rule in findings_in(name, path.read_bytes().decode("utf-8", "replace")):
            yield f"{name}:{number}: {rule}"


if __name__ == "__main__":
    found = sorted(findings(ROOT))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
