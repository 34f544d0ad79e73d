"""``truebleu explain``: how a score comes about."""

from __future__ import annotations

from truebleu.analysis.explain import explain
from truebleu.cli.files import texts
from truebleu.cli.options import settings_from
from truebleu.cli.writing import print_blocks, print_json
from truebleu.errors import SettingsError

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
        print_json(found.to_dict())
    else:
        print_blocks(found.blocks(), options.format)
