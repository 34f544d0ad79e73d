"""Print what some extras of the package need, and the package itself, one requirement a line.

With it, they are installed while the package is still being built.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))[
    "project"
]


def needed(extra):
    """Yield the requirements of an extra; one that names other extras of ours stands for theirs."""
    for requirement in PROJECT["optional-dependencies"][extra]:
        own = re.fullmatch(r"truebleu\[(.*)\]", requirement)
        if own:
            for name in own[1].split(","):
                yield from needed(name)
        else:
            yield requirement


if __name__ == "__main__":
    print(
        *PROJECT["dependencies"],
        *(each for name in sys.argv[1:] for each in needed(name)),
        sep="\n",
    )
