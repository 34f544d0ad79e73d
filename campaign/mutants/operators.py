"""Mutants of Python sources: each replaces a part of a file by another text."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OPPOSITES = [
    *[(ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)],
    *[(ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div)],
]
_BINARY = dict([*_OPPOSITES, *(pair[::-1] for pair in _OPPOSITES), (ast.FloorDiv, ast.Div)])
_EXTREMES = {"min": "max", "max": "min"}
# Two arguments of different types: any test that calls it fails.
_DIFFERENT = {"isinstance", "issubclass", "hasattr", "getattr"}
# What is not at fault: types, and what only tools read.
_SKIPPED = {"annotation", "returns", "decorator_list"}


class Mutant(NamedTuple):
    """A fault: where it is, and what stands there instead."""

    # File, function, operator, and a hash of line and change: it stays when lines move.
    id: str
    # Relative to the project.
    path: str
    # Offsets in the bytes of the file.
    begin: int
    end: int
    new: str
    # The line of the file, and its operator, with a number where the line has several.
    line: str
    operator: str


def identified(place: str, line: str, new: str, counts: Counter[str]) -> str:
    """Return the id of a change of a line, with a number where a place has several of the kind."""
    key = f"{place}:{hashlib.sha256(f'{line} -> {new}'.encode()).hexdigest()[:8]}"
    counts[key] += 1
    return key if counts[key] == 1 else f"{key}:{counts[key]}"


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:  # noqa: C901, PLR0912
    """Yield operators, what they replace, and by what."""

    def changed(field: str, value: object) -> str:
        other = copy.copy(node)
        setattr(other, field, value)
        return f"({ast.unparse(other)})"

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield "compare", node, changed("ops", [_BINARY[type(node.ops[0])]()])
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _BINARY:
        operator = "and-or" if isinstance(node, ast.BoolOp) else "arithmetic"
        yield operator, node, changed("op", _BINARY[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield "constant", node, repr(value)
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield "condition", node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Return) and node.value and ast.unparse(node.value) != "None":
        yield "return", node.value, "None"
    elif isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if bound and not isinstance(bound, ast.Constant):
                yield "slice", bound, f"({ast.unparse(bound)}) + 1"
    elif isinstance(node, (ast.Raise, ast.AugAssign, ast.Expr)):
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
            yield "drop", node, "pass"
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if name in _EXTREMES:
            yield "min-max", node.func, _EXTREMES[name]
        elif len(node.args) == 2 and name not in _DIFFERENT:
            yield "swap", node, changed("args", node.args[::-1])


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """Return all mutants of a file, in its order."""
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    made: list[Mutant] = []
    counts: Counter[str] = Counter()
    file = path.relative_to(root).as_posix()

    def visit(node: ast.AST, function: str) -> None:
        # What only type checkers read; parts of an f-string have no places before Python 3.12.
        name = getattr(node, "test", None) or getattr(node, "targets", [None])[0]
        if isinstance(node, ast.JoinedStr) or getattr(name, "id", "") == "TYPE_CHECKING":
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            function += f".{node.name}"
        for kind, part, new in _changes(node):
            at: ast.expr = part  # type: ignore[assignment]
            begin = starts[at.lineno - 1] + at.col_offset
            end = starts[(at.end_lineno or 0) - 1] + (at.end_col_offset or 0)
            line = lines[at.lineno - 1].strip()
            key = identified(f"{file}:{function[1:]}:{kind}", line, new, counts)
            counts[f"{at.lineno} {kind}"] += 1
            number = counts[f"{at.lineno} {kind}"]
            operator = kind if number == 1 else f"{kind}:{number}"
            made.append(Mutant(key, file, begin, end, new, line, operator))
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in _SKIPPED:
                    visit(child, function)

    visit(ast.parse(text), "")
    return made


def chosen(package: Path, root: Path, number: int, seed: int) -> list[Mutant]:
    """Return mutants of all folders of a package, as many of each as its share of the sources.

    Each is drawn by a hash of its file and line, so that an edit elsewhere changes few of them.
    """

    def drawn(mutant: Mutant) -> bytes:
        text = f"{seed} {mutant.path} {mutant.operator} {mutant.line}"
        return hashlib.sha256(text.encode()).digest()

    folders: dict[str, list[Mutant]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        folders[inside.parts[0] if len(inside.parts) > 1 else "."] += mutants_of(path, root)
    total = sum(map(len, folders.values()))
    return [
        mutant
        for found in folders.values()
        for mutant in sorted(found, key=drawn)[: max(1, round(number * len(found) / total))]
    ]
