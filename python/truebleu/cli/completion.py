"""``truebleu completion``: completion of commands and options, for a shell."""

from __future__ import annotations

import sys
from pathlib import Path

from truebleu.cli.parameters import Namespace
from truebleu.cli.parsing import Command

SHELLS = ("bash", "zsh", "fish")


def add_options(command: Command) -> None:
    command.description = "Print a script that lets a shell complete commands, options and names."
    command.epilog = (
        'bash: eval "$(truebleu completion bash)" in ~/.bashrc. zsh: truebleu completion zsh > '
        "_truebleu, in a folder of $fpath. fish: truebleu completion fish > "
        "~/.config/fish/completions/truebleu.fish."
    )
    command.add_argument(
        "shell", choices=SHELLS, metavar="SHELL", help="the shell: bash, zsh or fish"
    )


def run(options: Namespace) -> None:
    folder = Path(__file__).parent / "completions"
    sys.stdout.write((folder / f"truebleu.{options.shell}").read_text("utf-8"))
