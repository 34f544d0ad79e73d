"""``truebleu explain``: how a score comes about."""

from __future__ import annotations

import os
import sys

from truebleu import rendering
from truebleu.cli.reading import settings_from, texts
from truebleu.errors import SettingsError
from truebleu.explanation import explain

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print the explanation of a corpus, or of one of its segments."""
    settings = settings_from(options)
    own, others = texts(options.systems, options.references)
    if options.segment is None:
        found = explain(own, others, **settings)
    else:
        if not 1 <= options.segment <= len(own):
            name = options.systems[0]
            raise SettingsError(f"there is no line {options.segment}: {name} has {len(own):,}")
        found = explain(own[options.segment - 1], others[options.segment - 1], **settings)
    if options.format == "json":
        import json

        print(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
    elif options.format == "markdown":
        print(found.to_markdown())
    elif options.format == "html":
        print(found.to_html())
    elif sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        sys.stdout.write(rendering.coloured(found.blocks()))
    else:
        sys.stdout.write(rendering.text(found.blocks()))
