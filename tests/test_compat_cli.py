"""The drop-in for sacreBLEU's command beside the command: the same bytes."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import truebleu

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))
WMT = DATA / "newstest2021" / "en-de"

pytestmark = pytest.mark.slow

# What stands for files: two references, and three systems.
ONE = "ref1 -i sys1"
TWO = "ref1 ref2 -i sys1"
MANY = "ref1 ref2 -i sys1 sys2 sys3"

OPTIONS = [
    # One system.
    *(f"{files} {options}".strip() for files in (ONE, TWO) for options in (
        "", "-b", "-f text", "-f latex", "-w 4", "-b -w 3", "-f text -sh", "-sh", "-lc",
        "-tok none", "-tok intl -f text", "-tok char -f text -sh", "-tok zh", "-s none",
        "-s floor", "-s floor -sv 0.01 -f text", "-s add-k -f text", "-s add-k -sv 2 -f text -sh",
        "--force", "-q", "-l en-de", "-l en-zh -f text",
    )),
    # Intervals.
    *(f"{TWO} -ci -cin 40 {options}".strip() for options in (
        "", "-f text", "-f text -sh", "-b", "-b -w 4", "-f text -s floor -w 3", "-f text -nc",
    )),
    # Every line.
    *(f"{TWO} -sl {options}".strip() for options in (
        "", "-b", "-sh", "-b -w 3", "-lc -tok intl", "-s add-k -b", "-f text",
    )),
    # Several systems.
    *(f"{MANY} {options}".strip() for options in (
        "", "-f text", "-f latex", "-f text -sh", "-b", "-f text -w 4 -lc",
    )),
    # Tests.
    *(f"{MANY} {options}".strip() for options in (
        "-par -parn 70", "-par -parn 70 -f text", "-par -parn 64 -f latex", "-pbs -pbsn 60",
        "-pbs -pbsn 60 -f text", "-pbs -pbsn 50 -f latex -w 3", "-pbs -pbsn 50 -f text -sh -nc",
        "-par -parn 33 -j 2 -q",
    )),
    f"{TWO} sys1 sys2 -par -parn 20 -f text",
    # References on one line.
    "both -nr 2 -i sys1", "both -nr 2 -i sys1 sys2 -f text",
    # Compressed files, and another encoding.
    "ref1.gz -i sys1.gz", "latin1 -i latin1 -e latin-1",
    # What is refused.
    "", "-i sys1", "ref1 -i short", "ref1 short -i sys1", "ref1 -i sys1 sys1",
    f"{MANY} -ci", f"{MANY} -sl", f"{ONE} -par", f"{ONE} -sl -ci", f"{ONE} -sl -pbs",
    "ref1 ref2 -nr 2 -i sys1", "ref1 -nr 2 -i sys1", "ref1 -i empty",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Lay out files of a WMT set, or of the examples where it is not at hand."""
    where = tmp_path_factory.mktemp("files")
    if WMT.is_dir():
        names = {
            "ref1": WMT / "ref.refA.txt",
            "ref2": WMT / "ref.refC.txt",
            "sys1": WMT / "sys.UF.txt",
            "sys2": WMT / "sys.ICL.txt",
            "sys3": WMT / "sys.Online-A.txt",
        }
    else:
        examples = ROOT / "examples"
        names = {
            "ref1": examples / "reference-a.en",
            "ref2": examples / "reference-b.en",
            "sys1": examples / "system-weak.en",
            "sys2": examples / "system-medium.en",
            "sys3": examples / "system-strong.en",
        }
    texts = {name: path.read_text("utf-8") for name, path in names.items()}
    for name, text in texts.items():
        (where / name).write_text(text, "utf-8")
    for name in ("ref1", "sys1"):
        with gzip.open(where / f"{name}.gz", "wt", encoding="utf-8") as file:
            file.write(texts[name])
    pairs = zip(texts["ref1"].splitlines(), texts["ref2"].splitlines(), strict=True)
    (where / "both").write_text("".join(f"{one}\t{two}\n" for one, two in pairs), "utf-8")
    (where / "columns").write_text(
        "".join(
            f"{one}\t{two}\n"
            for one, two in zip(texts["sys1"].splitlines(), texts["sys2"].splitlines(), strict=True)
        ),
        "utf-8",
    )
    (where / "latin1").write_text("été à l'île\nça va bien\n", "latin-1")
    (where / "short").write_text("one line\n")
    (where / "empty").write_text("")
    return where


def run(module, options, folder, stdin=None, **environment):
    """Run a command; return its exit code, its output, and what it logs."""
    with (folder / stdin).open("rb") if stdin else open(os.devnull, "rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", module, *options.split()],
            stdin=file,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **environment},
            check=False,
            timeout=300,
        )
    out = re.sub(
        r"(v(?:ersion)?[:\"]+ ?\"?)2\.6\.0",
        rf"\1truebleu-{truebleu.__version__}",
        done.stdout.decode(),
    )
    logged = [line for line in done.stderr.decode().splitlines() if line.startswith("sacreBLEU:")]
    return done.returncode, out, logged


def check(options, folder, **more):
    """Compare what the two print."""
    other = run("sacrebleu", options, folder, **more)
    own = run("truebleu.compat.sacrebleu", options, folder, **more)
    assert own[:2] == other[:2]
    if own[0] == 0:
        # A warning comes once here, and there for every line.
        assert list(dict.fromkeys(own[2])) == list(dict.fromkeys(other[2]))
    else:
        assert own[2]


def test_there_are_enough():
    """At least sixty different ones."""
    assert len(set(OPTIONS)) == len(OPTIONS) >= 60


@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_bytes(options, folder):
    """Output, exit code and log are those of sacreBLEU; only the version differs."""
    check(options, folder)


@pytest.mark.parametrize(
    ("options", "stdin"),
    [
        ("ref1", "sys1"),
        ("ref1 ref2 -f text", "columns"),
        ("ref1 -par -parn 30 -f text", "columns"),
        ("ref1 -sl -b", "sys1"),
        ("ref1", "short"),
    ],
)
def test_standard_input(options, stdin, folder):
    """Systems are columns of standard input."""
    check(options, folder, stdin=stdin)


@pytest.mark.parametrize(
    "environment",
    [
        {"SACREBLEU_FORMAT": "text"},
        {"SACREBLEU_FORMAT": "odd"},
        {"SACREBLEU_SEED": "7"},
        {"SACREBLEU_SEED": "0"},
        {"NO_COLOR": "1"},
    ],
)
def test_the_environment(environment, folder):
    """Variables that sacreBLEU reads."""
    check(f"{TWO} -ci -cin 30", folder, **environment)


class TestTestSets:
    """Test sets that sacreBLEU has put on the disk; nothing is fetched."""

    @pytest.fixture
    def sets(self, folder, tmp_path):
        """Lay a set out as sacreBLEU does."""
        home = tmp_path / "sets" / "wmt21"
        home.mkdir(parents=True)
        for field, name in (("src", "ref2"), ("ref-A", "ref1"), ("ref-B", "ref2")):
            (home / f"wmt21.en-de.{field}").write_bytes((folder / name).read_bytes())
        return str(home.parent)

    def test_scores(self, sets, folder):
        """A set on disk gives its references."""
        own = run(
            "truebleu.compat.sacrebleu", "-t wmt21 -l en-de -i sys1 -b", folder, SACREBLEU=sets
        )
        assert own[:2] == run("sacrebleu", "ref1 ref2 -i sys1 -b", folder)[:2]

    def test_fields(self, sets, folder):
        """Sets, pairs and fields can be listed, and fields printed."""

        def call(options):
            return run("truebleu.compat.sacrebleu", options, folder, SACREBLEU=sets)[1]

        assert "wmt21 " in call("--list")
        assert "wmt21 " in call("--list -l de-en")
        assert call("--list -t wmt21") == "en-de: src, ref:A, ref:B\n"
        assert call("-t wmt21 -l en-de --echo ref").splitlines() == (
            (folder / "ref1").read_text("utf-8").splitlines()
        )
        assert len(call("-t wmt21 -l en-de --echo src ref:B").splitlines()[0].split("\t")) == 2

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("-t wmt14 -l en-de -i sys1", "is not on disk, and truebleu downloads none"),
            ("--download wmt14", "--download: truebleu computes BLEU"),
            ("--citation", "truebleu computes BLEU"),
            ("ref1 -i sys1 -m bleu chrf", "use sacrebleu for others"),
            ("ref1 -i sys1 --chrf-beta 3", "use sacrebleu for this"),
            ("ref1 -i sys1 --ter-normalized", "use sacrebleu for this"),
        ],
    )
    def test_what_is_not_ours(self, sets, folder, options, message):
        """Other metrics and downloads end with 2 and say so."""
        done = subprocess.run(
            [sys.executable, "-m", "truebleu.compat.sacrebleu", *options.split()],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, "SACREBLEU": sets},
            check=False,
            timeout=60,
        )
        assert done.returncode == 2
        assert message in done.stderr
