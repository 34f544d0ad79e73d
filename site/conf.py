"""How Sphinx makes a site of the pages in docs/: ``make site``."""

import sys
from pathlib import Path

import truebleu
from sphinx.application import Sphinx

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
sys.path[:0] = [str(HERE), str(DOCS / "course")]

import blocks  # noqa: E402  # The folder of this file is not on the path before.
import contents  # noqa: E402
import figures  # noqa: E402
import generated  # noqa: E402
import korean  # noqa: E402
import links  # noqa: E402
import sections  # noqa: E402

project = "truebleu"
author = project_copyright = "The truebleu developers"
version = release = truebleu.__version__
html_title = f"truebleu {version}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_inline_tabs",
]
exclude_patterns = ["command"]
suppress_warnings = ["myst.header"]

# Anchors are GitHub's, so that a link works there and here.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "attrs_inline"]

# Prompts and what is printed below them stay out of what is copied.
copybutton_exclude = ".gp, .go, .linenos"
copybutton_copy_empty_lines = False

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_logo = html_favicon = str(DOCS / "images" / "mark.svg")
html_static_path = [str(DOCS / "images"), str(HERE / "static")]
html_extra_path = [str(HERE / "extra")]
html_copy_source = False
html_search_scorer = str(DOCS / "generated" / "scorer.js")
html_theme_options = {
    "source_repository": generated.REPOSITORY,
    "source_branch": "main",
    "source_directory": "docs/",
}


def setup(app: Sphinx) -> None:
    """Write the pages that are made of the package, and let links leave docs/."""
    generated.write_pages(DOCS / "generated")
    generated.write_scorer(DOCS / "generated" / "scorer.js")
    generated.write_extra(HERE / "extra")
    app.connect("source-read", generated.link_to_repository)
    app.connect("autodoc-process-docstring", generated.link_pages)
    blocks.write_report(HERE / "extra")
    figures.write_modules(HERE / "extra" / "modules")
    app.add_post_transform(links.CodeLinks)
    blocks.setup(app)
    contents.setup(app)
    korean.setup(app)
    figures.setup(app)
    sections.setup(app)
