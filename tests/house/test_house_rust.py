"""The house of the core and its bindings: what folders know about each other."""

import re

from project import ROOT

CORE = ROOT / "crates" / "core" / "src"
BINDINGS = ROOT / "crates" / "python" / "src"

# Each knows those before it, and no others. The last is the crate of the bindings.
FOLDERS = [
    *("error", "memory", "stop", "threads", "processor", "resample", "meta_evaluation"),
    *("text", "tables", "tokenize", "count", "metric", "corpus", "many", "python"),
]

# Samples are sums of rows, of whatever metric.
KNOWN = {"resample": {"error", "memory", "threads", "processor"}}

MODULES = {
    path.relative_to(CORE).with_suffix("").as_posix().removesuffix("/mod"): path
    for path in sorted(CORE.rglob("*.rs"))
    if path.name != "lib.rs"
} | {f"python/{path.stem}".removesuffix("/lib"): path for path in sorted(BINDINGS.glob("*.rs"))}


def code_of(path):
    """Read a file without comments and without its tests, which may look at everything."""
    text = re.sub(r"(?ms)^#\[cfg\(test\)\]\nmod \w+ \{\n.*?^\}\n", "", path.read_text("utf-8"))
    text = re.sub(r"(?m)//.*$", "", text)
    # In a module inside a file, the parent is the file.
    inner = r"(?ms)^(pub )?mod \w+ \{\n.*?^\}\n"
    return re.sub(inner, lambda module: module[0].replace("super::", "self::"), text)


def expanded(tree):
    """Write ``a::{b, c::{d, e}}`` out as ``a::b``, ``a::c::d``, ``a::c::e``."""
    before, brace, rest = tree.partition("{")
    if not brace:
        return [tree.split(" as ")[0].strip()]
    items, depth = [""], 0
    for character in rest[: rest.rindex("}")]:
        depth += (character == "{") - (character == "}")
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return [before.strip() + path for item in items if item.strip() for path in expanded(item)]


def imports_of(name):
    """Find the modules that a module names, in ``use`` or in the middle of the code."""
    code = code_of(MODULES[name])
    trees = re.findall(r"\buse\s+([^;]+);", code)
    code = re.sub(r"\buse\s+[^;]+;", "", code)
    paths = [path for tree in trees for path in expanded(tree)]
    paths += re.findall(r"\b(?:crate|super|self|truebleu_core)(?:::\w+)+", code)
    # The children of a folder, for `pub use child::Name` and `child::name` in its mod.rs.
    face = MODULES[name].name in {"mod.rs", "lib.rs"}
    folder = name.split("/") if face else name.split("/")[:-1]
    found = set()
    for path in paths:
        first, *rest = path.split("::")
        if first in {"crate", "truebleu_core"}:
            parts = rest
        elif first == "self" and face:
            parts = [*folder, *rest]
        elif first == "super":
            parts = [*(folder[:-1] if face else folder), *rest]
        elif face and f"{name}/{first}" in MODULES:
            parts = [*folder, first, *rest]
        else:
            continue
        # The longest beginning that is a module.
        names = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
        found.update([next(module for module in names if module in MODULES)])
    return found - {name}


def test_every_folder_has_a_place():
    """Whoever adds a folder decides what it may know."""
    assert {name.split("/")[0] for name in MODULES} == set(FOLDERS)


def test_imports_go_down():
    """No module knows one of a later folder."""
    found = {}
    for name in MODULES:
        folder = name.split("/")[0]
        known = KNOWN.get(folder, set(FOLDERS[: FOLDERS.index(folder)])) | {folder}
        found[name] = {item for item in imports_of(name) if item.split("/")[0] not in known}
    assert {name: above for name, above in found.items() if above} == {}


def test_no_circles():
    """Modules can be put in an order in which each knows only those before it."""
    waiting = {name: imports_of(name) for name in MODULES}
    while free := [name for name, known in waiting.items() if not known & set(waiting)]:
        for name in free:
            del waiting[name]
    assert waiting == {}


def test_imports_are_found():
    """The tests above see lists of names, neighbors, the faces of folders, and paths in code."""
    assert expanded("a::{self, b::{c, d as e}, f}") == ["a::self", "a::b::c", "a::b::d", "a::f"]
    assert "text/batch" in imports_of("text")
    assert "text/segment" in imports_of("text/batch")
    assert {"text", "tokenize", "count"} <= imports_of("metric/bleu")
    assert "metric" in imports_of("corpus/driver")
    assert "resample" in imports_of("python")
    assert "corpus" not in imports_of("metric/bleu")


def test_metrics_are_interchangeable():
    """What drives, adds up, compares and resamples knows neither BLEU nor what is in its rows."""
    bleu = re.compile(r"\b(Bleu|Formula|bleu|bleu_\w+|phantom\w*|(match|total)_[\dN]|smoothing)\b")
    found = {
        name: bleu.findall(code_of(path))
        for name, path in MODULES.items()
        if name.split("/")[0] not in ("metric", "python")
    }
    assert {name: seen for name, seen in found.items() if seen} == {}
