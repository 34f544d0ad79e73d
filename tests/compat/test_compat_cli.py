"""The drop-in for sacreBLEU's command prints the same bytes."""

import gzip
import json
import os
import subprocess
import sys

import pytest
from commands import LOAD, run_all
from looping import later
from project import DATA, ROOT

WMT = DATA / "newstest2021" / "en-de"

pytestmark = pytest.mark.slow

# Arguments that name files: references and systems.
ONE = "ref1 -i sys1"
TWO = "ref1 ref2 -i sys1"
MANY = "ref1 ref2 -i sys1 sys2 sys3"

# The same, with few segments, for TER, and with three references, whose mean lengths are rounded.
SMALL = "few-ref1 few-ref2 -i few-sys1"
SMALL_OF_THREE = "few-ref1 few-ref2 few-ref3 -i few-sys1"
SMALL_MANY = "few-ref1 few-ref2 -i few-sys1 few-sys2 few-sys3"
SMALL_MANY_OF_THREE = "few-ref1 few-ref2 few-ref3 -i few-sys1 few-sys2 few-sys3"
ALL = "-m ter bleu chrf"

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
    # Sentence scores.
    *(f"{TWO} -sl {options}".strip() for options in (
        "", "-b", "-sh", "-b -w 3", "-lc -tok intl", "-s add-k -b", "-f text",
    )),
    # Several systems.
    *(f"{MANY} {options}".strip() for options in (
        "", "-f text", "-f latex", "-f text -sh", "-b", "-f text -w 4 -lc",
    )),
    # Paired tests.
    *(f"{MANY} {options}".strip() for options in (
        "-par -parn 70", "-par -parn 70 -f text", "-par -parn 64 -f latex", "-pbs -pbsn 60",
        "-pbs -pbsn 60 -f text", "-pbs -pbsn 50 -f latex -w 3", "-pbs -pbsn 50 -f text -sh -nc",
        "-par -parn 33 -j 2 -q",
    )),
    f"{TWO} sys1 sys2 -par -parn 20 -f text",
    # Several references on one line.
    "both -nr 2 -i sys1", "both -nr 2 -i sys1 sys2 -f text",
    # Compressed files, and another encoding.
    "ref1.gz -i sys1.gz", "latin1 -i latin1 -e latin-1",
    # Errors.
    "", "-i sys1", "ref1 -i short", "ref1 short -i sys1", "ref1 -i sys1 sys1",
    f"{MANY} -ci", f"{MANY} -sl", f"{ONE} -par", f"{ONE} -sl -ci", f"{ONE} -sl -pbs",
    "ref1 ref2 -nr 2 -i sys1", "ref1 -nr 2 -i sys1", "ref1 -i empty",
    # chrF of whole files.
    *(f"{TWO} -m chrf {options}".strip() for options in (
        "", "-b", "-f text", "-f text -sh -w 5", "-sh", "-cw 2 -f text", "--chrf-word-order 1",
        "-cc 3 --chrf-beta 3 -f text -w 6", "--chrf-whitespace --chrf-lowercase -f text -w 4",
        "--chrf-eps-smoothing -w 9", "-cc 0 -cw 2 -f text", "-cc 0 -f text", "-lc -tok none",
        "-sl", "-sl -b -w 4", "-sl -sh -cw 2", "-ci -cin 40", "-ci -cin 40 -f text -w 6",
    )),
    f"{MANY} -m chrf bleu -par -parn 40 -f text",
    f"{MANY} -m bleu chrf -pbs -pbsn 40 -f latex -w 4",
    # TER.
    *(f"{SMALL} -m ter {options}".strip() for options in (
        "", "-b -w 3", "-f text", "-f text -sh -w 5", "--ter-normalized --ter-asian-support",
        "--ter-no-punct --ter-case-sensitive -f text -sh", "-sl", "-sl -b -w 4 --ter-normalized",
        "-ci -cin 40", "-ci -cin 40 -f text -w 6",
    )),
    *(f"{SMALL_OF_THREE} -m ter {options}".strip() for options in (
        "-w 12", "-ci -cin 40 -f text -w 6", "-sl -w 12",
    )),
    # Several metrics.
    *(f"{SMALL_OF_THREE} {ALL} {options}".strip() for options in (
        "", "-b", "-b -f text -w 4", "-f text", "-f text -sh", "-f latex", "-ci -cin 30 -w 5",
        "-ci -cin 30 -f text -sh", "-ci -cin 30 -b -f text", "-cw 2 --ter-normalized -lc -f text",
    )),
    *(f"{files} {ALL} {options}".strip() for files in (SMALL_MANY, SMALL_MANY_OF_THREE)
      for options in (
        "", "-f text", "-f latex -w 3", "-par -parn 70", "-par -parn 70 -f text",
        "-par -parn 64 -f text -sh -w 7", "-pbs -pbsn 60 -f text -w 5", "-pbs -pbsn 40 -f latex",
    )),
    f"{SMALL} -m chrf ter chrf -f text",
    f"{SMALL_MANY} -m chrf ter -pbs -pbsn 40 -f text -cw 1 --chrf-eps-smoothing -w 6",
    f"{SMALL} -m chrf bleu -sl", f"{SMALL} -m chrf chrf -sl", f"{SMALL_MANY} -m ter -sl",
    f"{SMALL_MANY} {ALL} -ci", f"{SMALL} -m ter -par", "few-ref1 -i short -m ter",
    "few-ref1 -i empty -m chrf ter", "-m chrf", f"{SMALL} -m meteor",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create a folder with the files of a WMT test set, or else of the examples."""
    folder = tmp_path_factory.mktemp("files")
    if WMT.is_dir():
        names = {
            "ref1": WMT / "ref.refA.txt",
            "ref2": WMT / "ref.refC.txt",
            "ref3": WMT / "ref.refD.txt",
            "sys1": WMT / "sys.UF.txt",
            "sys2": WMT / "sys.ICL.txt",
            "sys3": WMT / "sys.Online-A.txt",
        }
    else:
        examples = ROOT / "examples"
        names = {
            "ref1": examples / "reference-a.en",
            "ref2": examples / "reference-b.en",
            "ref3": examples / "system-strong.en",
            "sys1": examples / "system-weak.en",
            "sys2": examples / "system-medium.en",
            "sys3": examples / "system-strong.en",
        }
    texts = {
        name: "".join(path.read_text("utf-8").splitlines(keepends=True)[:300])
        for name, path in names.items()
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
        few = "".join(text.splitlines(keepends=True)[:50])
        (folder / f"few-{name}").write_text(few, "utf-8")
    for name in ("ref1", "sys1"):
        with gzip.open(folder / f"{name}.gz", "wt", encoding="utf-8") as file:
            file.write(texts[name])
    pairs = zip(texts["ref1"].splitlines(), texts["ref2"].splitlines(), strict=True)
    (folder / "both").write_text("".join(f"{one}\t{two}\n" for one, two in pairs), "utf-8")
    (folder / "columns").write_text(
        "".join(
            f"{one}\t{two}\n"
            for one, two in zip(texts["sys1"].splitlines(), texts["sys2"].splitlines(), strict=True)
        ),
        "utf-8",
    )
    columns = (folder / "columns").read_text("utf-8").splitlines(keepends=True)
    (folder / "few-columns").write_text("".join(columns[:50]), "utf-8")
    (folder / "latin1").write_text("été à l'île\nça va bien\n", "latin-1")
    (folder / "short").write_text("one line\n")
    (folder / "empty").write_text("")
    for name in SCRIPTS.split():
        (folder / name).write_text("".join(texts["sys1"].splitlines(keepends=True)[:50]), "utf-8")
    return folder


def both(commands, folder):
    """Run commands with both tools; return what each tool did, command by command."""
    return list(zip(*(run_all(tool, commands, folder) for tool in LOAD), strict=True))


def logged(log):
    """Return the lines of a log, each once: sacreBLEU warns on every line, the drop-in once."""
    return list(dict.fromkeys(line for line in log.splitlines() if line.startswith("sacreBLEU:")))


def check(expected, found):
    """Compare what both commands have printed and logged."""
    (code, output, log), (found_code, found_output, found_log) = expected, found
    assert (found_code, found_output) == (code, output)
    if code == 2:
        # Of wrong usage, argparse writes, without a log.
        assert not logged(found_log)
    elif code == 0:
        assert logged(found_log) == logged(log)
    else:
        assert logged(found_log)


def test_number_of_commands():
    """More than a hundred different commands are compared."""
    assert len(set(OPTIONS)) == len(OPTIONS) > 100


def with_variable(options, variable):
    """Return a command that runs with a variable of the environment."""
    return options, os.devnull, dict([variable.split("=")])


# Names in other scripts are logged as they are.
SCRIPTS = "résumé 日本語 עברית"
VARIABLES = [f"SACREBLEU_{each}" for each in ("FORMAT=text", "FORMAT=odd", "SEED=7", "SEED=0")]
OTHERS = [
    f"few-ref1 -i {SCRIPTS} résumé -par -parn 5 -f text",
    *(with_variable(f"{TWO} -ci -cin 30", each) for each in (*VARIABLES, "NO_COLOR=1")),
    # All metrics use the seed; in paired tests, 0 is a new one, so that results are random.
    *(with_variable(f"{SMALL} {ALL} -ci -cin 30", each) for each in VARIABLES[2:]),
    with_variable(f"{SMALL_MANY} {ALL} -par -parn 30 -f text", "SACREBLEU_SEED=7"),
    with_variable(f"{SMALL_MANY} {ALL} -pbs -pbsn 30 -f text", "SACREBLEU_SEED=7"),
]

# Systems may be columns of standard input.
PIPED = [
    ("ref1", "sys1"),
    ("ref1 ref2 -f text", "columns"),
    ("ref1 -par -parn 30 -f text", "columns"),
    ("ref1 -sl -b", "sys1"),
    ("ref1", "short"),
    ("few-ref1 few-ref2 -m chrf ter -f text", "few-columns"),
    ("few-ref1 -m ter chrf bleu -par -parn 30 -f text", "few-columns"),
]


@pytest.mark.parametrize(
    "commands", [(OPTIONS + PIPED)[::3] + OTHERS, later(OPTIONS + PIPED)], ids=len
)
def test_the_same_bytes(folder, subtests, commands):
    """Output, exit code and log are sacreBLEU's, except for the version."""
    for command, pair in zip(commands, both(commands, folder), strict=True):
        with subtests.test(command=command):
            check(*pair)


def test_intervals_in_json(folder):
    """Paired bootstrap tests print JSON for chrF and TER, where sacreBLEU fails."""
    options = f"{SMALL_MANY} -m chrf ter -pbs -pbsn 30"
    of_json, of_text = both([f"{options} -f json", f"{options} -f text -w 6"], folder)
    (code, expected, _), (found, output, _) = of_json
    assert (code, expected, found) == (1, "", 0)
    text = of_text[0][1]
    for system in json.loads(output):
        for name in ("chrF2", "TER"):
            result = system[name]
            shown = f"{result['score']:.6f} ({result['mean']:.6f} ± {result['ci']:.6f})"
            assert shown in text


@pytest.mark.parametrize(
    "options",
    [
        "-t wmt17 -l en-de -i few-sys1",
        "-t wmt17 -l en-de -i few-sys1 -q",
        "few-ref1 -i few-sys1 --\x1b[31modd",
    ],
)
def test_control_characters(options, folder, tmp_path):
    """Names in messages cannot move the cursor, in the log or in messages of wrong usage."""
    environment = {"TRUEBLEU_CACHE": str(tmp_path / "\x1b[31mred"), "TRUEBLEU_OFFLINE": "1"}
    environment["SACREBLEU"] = str(tmp_path / "theirs")
    done = subprocess.run(
        [sys.executable, "-m", "truebleu.compat.sacrebleu", *options.split()],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | environment,
        check=False,
        timeout=300,
    )
    assert done.returncode in (1, 2)
    assert r"\x1b[31m" in done.stderr
    assert "\x1b" not in done.stderr
