"""The figures of the course can be changed on the site, which runs the core in the page."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import furo
from docutils.nodes import document
from generated import SITE
from sphinx.application import Sphinx
from truebleu import Bleu
from truebleu.display.markup import hashed, stylesheet

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "docs" / "course" / "play"

# The theme's one script that stands in a page.
_BASE = (Path(furo.__file__).parent / "theme" / "furo" / "base.html").read_text("utf-8")
_INLINE = re.findall(r"(?s)<script>(.*?)</script>", _BASE)


def write_modules(folder: Path) -> None:
    """Write what the figures are made with: modules of the package, and their own."""
    for source in (ROOT / "javascript", ROOT / "site" / "playground", SOURCE):
        place = folder / source.name
        place.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.suffix in (".js", ".wasm", ".css"):
                (place / path.name).write_bytes(path.read_bytes())
    (folder / "look.css").write_text(stylesheet(), "utf-8")
    old, new, references = runpy.run_path(str(SOURCE.parent / "make.py"))["versions"]()
    rows = [Bleu().stats(system, references).to_numpy().tolist() for system in (old, new)]
    (folder / SOURCE.name / "rows.json").write_text(json.dumps(rows), "utf-8")


def mark_figures(_app: Sphinx, page: str, source: list[str]) -> None:
    """Say of each figure of the course which it is."""
    if page.startswith(("course/", "ko/")):
        source[0] = re.sub(r"(\(figures/(\w+)\.svg\))", r"\1{.play-\2}", source[0])


def add_scripts(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: document | None
) -> None:
    """Give pages with figures their script, and each page its policy; shorten links to the site."""
    to_root = context["pathto"]
    body = context.get("body", "")
    allowed = ["'self'", *map(hashed, _INLINE)]
    script = "live" if page == "javascript" else "play" if 'class="play-' in body else None
    if script:
        allowed.append("'wasm-unsafe-eval'")
        for style in ("look.css", "play/play.css"):
            context["metatags"] += (
                f'<link rel="stylesheet" href="{to_root(f"modules/{style}", 1)}">'
            )
        context["metatags"] += (
            f'<script type="module" src="{to_root(f"modules/play/{script}.js", 1)}"></script>'
        )
    frames = "frame-src 'self'; " if "<iframe " in body else ""
    policy = (
        f"default-src 'none'; script-src {' '.join(allowed)}; style-src 'self' 'unsafe-inline'; "
        f"{frames}img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'self'"
    )
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    context["metatags"] = meta + context.get("metatags", "")
    name = "playground.html"
    here = to_root(name, 1).removesuffix(name)
    body = body.replace(f'{SITE}{name}"', f'{SITE}{name}#language={context["language"]}"')
    context["body"] = body.replace(f'href="{SITE}', f'href="{here}')


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.connect("source-read", mark_figures)
    # After the language of the page is known.
    app.connect("html-page-context", add_scripts, priority=900)
