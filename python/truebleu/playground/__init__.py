"""A page that calculates BLEU step by step while you type: for people who learn it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from truebleu._core import __version__
from truebleu.display.markup import stylesheet

_HERE = Path(__file__).parent

# In this order: each uses those before it.
_SCRIPTS = ("bleu", "words", "page")


def page() -> str:
    """Return the page: one file of HTML without addresses, in English and Korean.

    Its scores are calculated in the page, and equal those of :func:`truebleu.sentence_bleu`, except
    for the last digits of a float.
    """
    script, style = _script(), stylesheet() + (_HERE / "page.css").read_text("utf-8")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {_hashed(style)}; script-src {_hashed(script)}"
    )
    parts = {"policy": policy, "version": __version__, "style": style, "script": script}
    template = (_HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


def _script() -> str:
    """Join the modules: without addresses none can import another."""
    modules = [(_HERE / f"{name}.js").read_text("utf-8") for name in _SCRIPTS]
    joined = re.sub(r"(?m)^import [^;]*;\n|^export ", "", "".join(modules))
    return f'(() => {{\n"use strict";\n{joined}}})();'


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
