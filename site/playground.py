"""A page that calculates BLEU, chrF and TER step by step while you type: for people who learn."""

import gzip
import re
from base64 import b64encode
from pathlib import Path

from truebleu._core import __version__
from truebleu.display.markup import hashed, script, stylesheet

_HERE = Path(__file__).parent / "playground"
_CORE = Path(__file__).parent.parent / "javascript"

# In this order: each uses those before it.
_SCRIPTS = (
    *("../../javascript/truebleu", "words", "elements", "bleu_steps", "other_steps"),
    "corpus_steps",
    "page",
)


def page() -> str:
    """Return the page: one file of HTML without addresses, in English and Korean.

    Its scores are calculated in the page, by the core of the package, and equal those of
    :func:`truebleu.sentence_bleu`, except for the last bit.
    """
    core = (_CORE / "truebleu.wasm").read_bytes()
    code, style = script(_HERE, _SCRIPTS), stylesheet() + (_HERE / "page.css").read_text("utf-8")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {hashed(style)}; script-src {hashed(code)} 'wasm-unsafe-eval'"
    )
    parts = {"policy": policy, "version": __version__, "style": style, "script": code}
    parts["core"] = b64encode(gzip.compress(core, mtime=0)).decode()
    template = (_HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)
