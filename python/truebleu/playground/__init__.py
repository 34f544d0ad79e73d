"""A page that calculates BLEU step by step while you type: for people who learn it."""

from __future__ import annotations

import re
from pathlib import Path

from truebleu._core import __version__
from truebleu.display.markup import hashed, script, stylesheet

_HERE = Path(__file__).parent

# In this order: each uses those before it.
_SCRIPTS = ("bleu", "words", "page")


def page() -> str:
    """Return the page: one file of HTML without addresses, in English and Korean.

    Its scores are calculated in the page, and equal those of :func:`truebleu.sentence_bleu`, except
    for the last digits of a float.
    """
    code, style = script(_HERE, _SCRIPTS), stylesheet() + (_HERE / "page.css").read_text("utf-8")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {hashed(style)}; script-src {hashed(code)}"
    )
    parts = {"policy": policy, "version": __version__, "style": style, "script": code}
    template = (_HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)
