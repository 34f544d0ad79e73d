"""Print names.tsv: the names and parameters of torchmetrics' and evaluate's classes and functions.

They are read from the sources, without importing them. Run with torchmetrics 1.9.0 and evaluate
0.4.6 installed as ``python tests/golden/make_names.py > tests/golden/names.tsv``; with ``--check``,
it says whether the file is as it would be now.
"""

import ast
import sys
from importlib.metadata import distribution
from pathlib import Path

FILES = {
    "torchmetrics": [
        f"{folder}text/{name}.py"
        for folder in ("", "functional/")
        for name in ("bleu", "sacre_bleu", "chrf", "ter")
    ],
    "evaluate": ["module.py", "loading.py", "info.py"],
}
OWNERS = {
    *("BLEUScore", "SacreBLEUScore", "CHRFScore", "TranslationEditRate"),
    *("bleu_score", "sacre_bleu_score", "chrf_score", "translation_edit_rate"),
    *("EvaluationModuleInfoMixin", "EvaluationModule", "Metric", "CombinedEvaluations"),
    *("EvaluationModuleInfo", "MetricInfo", "load", "combine"),
}
TABLE = Path(__file__).with_name("names.tsv")


def parameters(function):
    """Return the names of the parameters of a function, without `self`."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return " ".join(name for name in names if name != "self")


def members(kind):
    """Yield names of a class, what its methods assign included, with the parameters of methods."""
    for node in kind.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, parameters(node)
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id, ""
    for node in ast.walk(kind):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from [(node.attr, "")] if ast.unparse(node.value) == "self" else []


def rows():
    """Yield the rows: package, class or function, name, parameters."""
    for package, files in FILES.items():
        for file in files:
            text = distribution(package).locate_file(f"{package}/{file}").read_text("utf-8")
            for node in ast.parse(text).body:
                if getattr(node, "name", None) in OWNERS:
                    is_class = isinstance(node, ast.ClassDef)
                    # The last of equal names has parameters, if one has.
                    found = dict(sorted(members(node))) if is_class else {"": parameters(node)}
                    for name, given in found.items():
                        if name[:1] != "_" or name == "__init__":
                            yield package, node.name, name, given


def main():
    """Print the table, or compare it."""
    versions = ", ".join(f"{name} {distribution(name).version}" for name in FILES)
    lines = [
        f"# By tests/golden/make_names.py, from {versions}.",
        "package\towner\tname\tparameters",
    ]
    text = "\n".join([*lines, *map("\t".join, rows()), ""])
    if "--check" not in sys.argv:
        print(text, end="")
    elif text != TABLE.read_text("utf-8"):
        sys.exit(f"{TABLE} is not what {versions} have")


if __name__ == "__main__":
    main()
