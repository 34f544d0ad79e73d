"""All that the program can say, in English and Korean, in one file: ``make sentences``.

Writes ``target/sentences.txt``: for each source the texts of at least three words with their lines,
and below a text the Korean one, if there is one. ``{...}`` is filled in. After changing texts, read
it from top to bottom.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "truebleu"
WRITTEN = ROOT / "target" / "sentences.txt"
TABLES = ("analysis/causes.tsv",)

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_WORDS = re.compile(r"(?:[^\W\d_]|[{}'’-])+")
_KOREAN = re.compile("[가-힣]")


def is_said(text: str) -> bool:
    """Whether a text may be read by people: three words or more, or Korean, and no code."""
    if _KOREAN.search(text):
        return True
    words = [word for word in text.split() if _WORDS.fullmatch(word.strip('.,:;()?!"`“”'))]
    return len(words) > 2 and "\x1b" not in text and not re.match(r"[\s^(]*\[|.*\(\?", text)


def texts_of_python(code: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module, without its docstrings."""
    tree = ast.parse(code)
    inner = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else []:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                inner.add(each.value)
        if isinstance(node, ast.JoinedStr):
            inner |= {each for each in ast.walk(node) if isinstance(each, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                part.value
                if isinstance(part, ast.Constant)
                else "{" + ast.unparse(part.value) + "}"
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
            yield node.lineno, node.value


def texts_of_others(code: str, *, rust: bool) -> Iterator[tuple[int, str]]:
    """Yield the texts between double quotes, without those of comments and of tests inside."""
    if rust:
        code = re.sub(r"(?ms)^#\[cfg\(test\)\]\nmod \w+ \{\n.*?^\}\n", "", code)
        code = code.replace("'\"'", "' '").replace("'\\\\'", "' '")
        code = re.sub(r'(expect|reason = |unreachable!)\(?"[^"]*"', "", code)
    code = re.sub(r"(?m)^\s*(//|\*|/\*).*$", "", code)
    for match in _STRING.finditer(code):
        text = re.sub(r"\\\n\s*", "", match[1]).replace('\\"', '"')
        yield code.count("\n", 0, match.start()) + 1, text


def sources() -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield each source that says something, with its texts by line."""
    paths = [
        *sorted(PACKAGE.rglob("*.py")),
        *(each for each in sorted(ROOT.glob("crates/*/src/**/*.rs")) if each.name != "tests.rs"),
        *sorted(ROOT.glob("python/truebleu/reporting/assets/*.js")),
        *sorted(ROOT.glob("site/playground/*.js")),
        *sorted(ROOT.glob("docs/course/play/*.js")),
        *sorted(ROOT.glob("javascript/*.js")),
        *(PACKAGE / name for name in TABLES),
    ]
    for path in paths:
        text = path.read_text("utf-8")
        if path.suffix == ".py":
            found = texts_of_python(text)
        elif path.suffix == ".tsv":
            cells = (
                (number, cell)
                for number, line in enumerate(text.split("\n"), 1)
                for cell in line.split("\t")
                if line[:1] != "#"
            )
            found = iter(cells)
        else:
            found = texts_of_others(text, rust=path.suffix == ".rs")
        said = sorted({(number, each) for number, each in found if is_said(each)})
        if said:
            yield path.relative_to(ROOT).as_posix(), said


def main() -> None:
    """Write the file."""
    korean: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("korean.json")):
        korean |= json.loads(path.read_text("utf-8"))
    lines, count, shown = [], 0, set[str]()
    for name, said in sources():
        lines += ["", f"# {name}"]
        for number, text in said:
            lines.append(f"{number:5}  {' '.join(text.split())}")
            if other := korean.get(text):
                lines.append(f"       {' '.join(other.split())}")
            shown.add(text)
            count += 1
    lines += ["", "# korean.json: shorter texts, and such as are put together"]
    for text, other in korean.items():
        if text not in shown:
            lines += [f"       {text}", f"       {' '.join(other.split())}"]
    WRITTEN.parent.mkdir(exist_ok=True)
    WRITTEN.write_text("\n".join(lines[1:]) + "\n", "utf-8")
    print(f"{count:,} texts, {len(korean):,} of them Korean, too: {WRITTEN.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
