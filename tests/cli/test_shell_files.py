"""The man page and the scripts for shells are what the parser says, and work in the shells."""

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import truebleu
from looping import looped
from project import ROOT
from truebleu.cli import completion, main
from truebleu.cli.arguments import COMMANDS, command_parser

SHELLS = ("bash", "zsh", "fish")

GUIDE = ROOT / "docs" / "command_line.md"


@pytest.fixture(scope="module")
def make():
    """Import the script that writes them."""
    path = ROOT / "docs" / "command" / "make.py"
    spec = importlib.util.spec_from_file_location("make_command", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_they_are_up_to_date(make):
    """What is in the repository is what the script writes: run docs/command/make.py."""
    for path, text in make.written().items():
        assert path.read_text("utf-8") == text, f"{path.name} is not up to date"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_them(shell, capsys):
    """``truebleu --completion`` prints the script of a shell."""
    assert main(["--completion", shell]) == 0
    out = capsys.readouterr().out
    assert f"# Completion for {shell}" in out
    for name in COMMANDS:
        assert re.search(rf"\b{name}\b", out)
    for name in command_parser("score").options:
        assert re.search(rf"[ '|(\"*]-?-?{name.lstrip('-')}(?![\w-])", out), name


def test_other_shells():
    """There is no script for another one, or none."""
    for words in (["tcsh"], []):
        assert main(["--completion", *words]) == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("truebleu sc", ["score"]),
        ("truebleu score --tok", ["--tokenizer"]),
        ("truebleu score a --tokenizer in", ["intl"]),
        ("truebleu score -tok in", ["intl"]),
        ("truebleu score -m bleu ch", ["chrf", "chrf++"]),
        ("truebleu score -f j", ["json", "jsonl"]),
        ("truebleu segments -f js", ["json", "jsonl"]),
        ("truebleu score -b sys", []),
        ("truebleu data ch", ["check"]),
        ("truebleu score -t wmt24", ["wmt24pp", "wmt24"]),
        ("truebleu --comp", ["--completion"]),
    ],
)
def test_bash(line, found, tmp_path):
    """Completion has commands, options and names; files are its own business."""
    script = tmp_path / "truebleu.bash"
    script.write_text(completion.script("bash"), "utf-8")
    words = " ".join(f"'{word}'" for word in line.split(" "))
    code = (
        f"source '{script}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        'if _truebleu; then :; fi; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stderr == ""
    assert done.stdout.split() == found


@pytest.mark.parametrize(("shell", "check"), [("bash", "-n"), ("zsh", "-n"), ("fish", "-n")])
def test_shells_can_read_them(shell, check, tmp_path):
    """A shell that is installed finds no mistake."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    script = tmp_path / "script"
    script.write_text(completion.script(shell), "utf-8")
    done = subprocess.run(
        [shell, check, script], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


class TestManPage:
    """``man truebleu``."""

    TEXT = (ROOT / "truebleu.data/data/share/man/man1/truebleu.1").read_text("utf-8")

    @looped("command", COMMANDS)
    def test_all_options(self, command):
        """Every option of every command is in its section."""
        [section] = re.findall(rf"(?ms)^\.SH TRUEBLEU {command.upper()}$(.*?)^\.SH ", self.TEXT)
        plain = section.replace(r"\-", "-")
        for name in command_parser(command).options:
            if name not in ("--metric", "--metrics", "--source"):  # Each is an alias.
                assert re.search(rf"{name}(?![\w-])", plain), name

    def test_exit_codes(self):
        """The guide and the man page have the same codes."""
        guide = GUIDE.read_text("utf-8").partition("## Exit codes")[2]
        section = self.TEXT.partition(".SH EXIT STATUS")[2].partition(".SH")[0]
        codes = re.findall(r"(?m)^\| (\d+) \|", guide)
        assert codes == re.findall(r"(?m)^\.TP\n(\d+)$", section) == ["0", "1", "2", "130"]

    @pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
    def test_it_can_be_typeset(self):
        """The typesetter has nothing to complain about."""
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8"],
            input=self.TEXT,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        assert done.stderr == ""
        assert "truebleu score [OPTIONS] SYSTEM... -r REFERENCE..." in done.stdout

    def test_the_wheel_has_it(self):
        """An installed wheel has the man page in share/man."""
        try:
            files = importlib.metadata.files("truebleu") or []
        except importlib.metadata.PackageNotFoundError:
            files = []
        here = Path(truebleu.__file__).is_relative_to(sys.prefix)
        if not here or not any(path.name == "WHEEL" for path in files):
            pytest.skip("truebleu is not installed from a wheel into this environment")
        [page] = [path for path in files if path.name == "truebleu.1"]
        assert page.locate().resolve().is_relative_to(Path(sys.prefix).resolve())
        assert page.locate().read_text("utf-8") == self.TEXT
