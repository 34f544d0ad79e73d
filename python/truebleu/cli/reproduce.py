"""``truebleu reproduce``: the settings that give a published number."""

from __future__ import annotations

import sys

from truebleu.analysis.reproduce import reproduce
from truebleu.cli.files import texts
from truebleu.cli.options import threads_from
from truebleu.cli.writing import print_json

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.analysis.reproduce import Candidate


def run(options: Namespace) -> None:
    """Print the verdict and the candidates."""
    own, others = texts(options.systems, options.references)
    found = reproduce(
        own,
        others,
        target=options.target,
        tokenizers=options.tokenizers,
        threads=threads_from(options),
    )
    if options.json:
        print_json(found.to_dict())
        return
    shown = (found.matches or found.nearest)[: options.most]
    lines = [
        found.verdict(),
        *(f"{each.number:.4f}  {_describe(each, options.references)}" for each in shown),
    ]
    left = len(found.matches) - len(shown)
    if left > 0:
        lines.append(f"... and {left:,} more; --most {len(found.matches)} shows all")
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _describe(candidate: Candidate, references: list[str]) -> str:
    said = candidate.describe()
    used = candidate.references
    if used and len(used) < len(references):
        said += f"; {', '.join(references[index] for index in used)}"
    return said
