"""All that is public, by its name: of the package itself, and of its modules."""

import importlib
import re

import truebleu
from project import ROOT


def _of_results():
    """Return the modules of the classes of results, as the page of public names lists them."""
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| `([a-z_]+(?:\.[a-z_]+)+)` \| ((?:`\w+`(?:, )?)+) \|$", text)
    return {name: module for module, names in rows for name in re.findall(r"\w+", names)}


RESULTS = {
    name: getattr(importlib.import_module(f"truebleu.{module}"), name)
    for name, module in _of_results().items()
}
ERRORS = {
    name: kind
    for name, kind in vars(truebleu.errors).items()
    if isinstance(kind, type) and issubclass(kind, truebleu.TruebleuError | UserWarning)
}
PUBLIC = {name: getattr(truebleu, name) for name in truebleu.__all__} | RESULTS | ERRORS
PUBLIC |= {
    name: getattr(module, name)
    for module in (truebleu.parts, truebleu.meta)
    for name in module.__all__
}
