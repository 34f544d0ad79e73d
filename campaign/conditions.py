"""Run every command under bad conditions, and say which promises hold.

Ctrl-C comes from a real terminal at twelve moments; a pipe is closed; the disk is full; a user may
write nowhere; two write the same file; locales and hash seeds differ; functions run in threads, and
in forked and spawned processes. POSIX only; other users need root.

    python campaign/conditions.py
    python campaign/conditions.py report "compare"
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.memory import entries
from campaign.populations import ROOT
from campaign.recorded import record, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOMENTS = 12
HOLDS = "holds"
# Of a command that ends as it should, ends with an error, or was ended by Ctrl-C.
DONE, FAILED, INTERRUPTED = 0, 2, 130
# Another user, who may read everything, such as this Python, and write nowhere.
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
NOBODY += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]

SYSTEM, OTHER, REFERENCE = "system.txt", "other.txt", "reference.txt"
_PAIR = [SYSTEM, OTHER, "-r", REFERENCE]
# The words of each command; `OUT` is the file that it writes.
OUT = "out.html"
COMMANDS = {
    "score": ["score", *_PAIR, "-m", "bleu", "chrf", "ter"],
    "segments": ["segments", *_PAIR],
    "compare": ["compare", *_PAIR],
    "report": ["report", *_PAIR, "-o", OUT, "--quiet"],
    "chart": ["report", "--chart", "scores", *_PAIR, "-o", OUT, "--quiet"],
    "explain": ["explain", SYSTEM, "-r", REFERENCE],
    "audit": ["audit", SYSTEM, "-r", REFERENCE],
    # What is found in a time is not always the same.
    "search": ["audit", SYSTEM, "-r", REFERENCE, "--target", "30.1", "--max-seconds=1e-9"],
    "mbr": ["mbr", "samples.tsv", "--input-format", "tsv"],
    "tokenize": ["tokenize", SYSTEM],
    "merge": ["merge", "stats.jsonl"],
}


def prepare(folder: Path, times: int = 10) -> None:
    """Write what the commands read."""
    from truebleu import Bleu, SavedStats

    texts = {}
    for name, source in (
        (SYSTEM, "system-strong.en"),
        (OTHER, "system-weak.en"),
        (REFERENCE, "reference-a.en"),
    ):
        lines = (ROOT / "examples" / source).read_text("utf-8").splitlines()
        texts[name] = [f"{line} {number}" for number in range(times) for line in lines]
        (folder / name).write_text("\n".join([*texts[name], ""]), "utf-8")
    samples = [f"{at // 20}\t{text}\n" for at, text in enumerate(texts[SYSTEM][: 20 * times])]
    (folder / "samples.tsv").write_text("".join(samples), "utf-8")
    stats = {name: Bleu().stats(texts[name], texts[REFERENCE]) for name in (SYSTEM, OTHER)}
    SavedStats(stats, Bleu()).write(folder / "stats.jsonl")


def _command(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-W", "ignore", "-m", "truebleu", *words]


def _environment(**more: str) -> dict[str, str]:
    package = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": package, "PYTHONHASHSEED": "0", "NO_COLOR": "1", **more}


def run(folder: Path, words: Sequence[str], *before: str, **more: str) -> tuple[int, bytes, str]:
    """Run a command; return its status, what it wrote, in a file too, and what it complained of."""
    done = subprocess.run(
        [*before, *_command(words)],
        cwd=folder,
        env=_environment(**more),
        capture_output=True,
        check=False,
    )
    written = (folder / OUT).read_bytes() if (folder / OUT).exists() else b""
    (folder / OUT).unlink(missing_ok=True)
    return done.returncode, done.stdout + written, done.stderr.decode("utf-8", "replace")


def _one_line(error: str) -> bool:
    return error.startswith("truebleu: ") and error.count("\n") == 1 and "Traceback" not in error


def _left(folder: Path) -> list[str]:
    """Return what a command has left that is no whole file."""
    left = [path.name for path in folder.iterdir() if path.name.endswith(".part")]
    out = folder / OUT
    if out.exists():
        # A chart as a page ends likewise.
        left += [OUT] * (not out.read_bytes().rstrip().endswith(b"</html>"))
        out.unlink()
    return left


# As the script that pip installs. It says when truebleu begins: before, Python may say where it is.
_STARTED = """import os, sys
from truebleu.cli import main
os.write({}, b".")
sys.exit(main())
"""


def _on_terminal(folder: Path, words: Sequence[str], moment: float) -> tuple[int, str, float]:
    """Run a command on a terminal, and press Ctrl-C there after so many seconds.

    Returns its status, what the terminal shows, and how long it ran.
    """
    import pty  # There is none on Windows.

    reader, writer = os.pipe()
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        os.set_inheritable(writer, True)
        command = [sys.executable, "-W", "ignore", "-c", _STARTED.format(writer), *words]
        os.execve(sys.executable, command, _environment())
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
    shown, begin, pressed = b"", time.monotonic(), False
    while True:
        if not pressed and time.monotonic() - begin >= moment:
            os.write(terminal, b"\x03")
            pressed = True
        if not select.select([terminal], [], [], 0.005)[0]:
            continue
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:
            break
    seconds = time.monotonic() - begin
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return status, shown.decode("utf-8", "replace"), seconds


def ctrl_c(folder: Path, words: Sequence[str]) -> str:
    """Whether Ctrl-C ends a command at any moment, without a word, and leaves nothing in part."""
    *_, whole = _on_terminal(folder, words, math.inf)
    _left(folder)
    for number in range(MOMENTS):
        moment = (number + 0.5) / MOMENTS * whole
        status, shown, _ = _on_terminal(folder, words, moment)
        left = _left(folder)
        # While Python ends, the signal itself ends it, which shells call 130, too.
        right = status in (DONE, INTERRUPTED, -signal.SIGINT)
        if not right or "Traceback" in shown or left:
            return f"at {moment:.2f} s: status {status}, {shown[-300:]!r}, {left}"
    return HOLDS


def closed_pipe(folder: Path, words: Sequence[str]) -> str:
    """Whether a reader that leaves is no error."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        _command(words),
        cwd=folder,
        env=_environment(),
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    left = _left(folder)
    return HOLDS if (done.returncode, done.stderr, left) == (0, b"", []) else repr((done, left))


def full_disk(folder: Path, words: Sequence[str]) -> str:
    """Whether it is one line of an error, and no file is left in part."""
    script = (
        'mount -t tmpfs -o size=16k tmpfs "$1" || exit 77; cd "$2"; out="$1/out.html"; shift 2\n'
        '"$@" > /dev/full; code=$?; [ -z "$(ls -A "$(dirname "$out")")" ] || exit 78; exit $code\n'
    )
    mounted = folder / "disk"
    mounted.mkdir(exist_ok=True)
    out = str(mounted / OUT)
    command = _command([out if word == OUT else word for word in words])
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(mounted), str(folder), *command],
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77 or done.stderr.startswith("unshare"):
        return "not run: no disk can be mounted"
    right = done.returncode == FAILED and _one_line(done.stderr) and "No space left" in done.stderr
    return HOLDS if right else repr(done)


def read_only(folder: Path, words: Sequence[str]) -> str:
    """Whether a user who may write nowhere gets the same, or one line if a file was to be written.

    There is no cache either, and no home.
    """
    if not shutil.which("setpriv") or subprocess.run([*NOBODY, "true"], check=False).returncode:
        return "not run: this needs root, and setpriv"
    expected = run(folder, words)
    folder.chmod(0o755)
    nowhere = {"HOME": "/nonexistent", "TRUEBLEU_CACHE": "/nonexistent/cache"}
    found = run(folder, words, *NOBODY, **nowhere)
    if OUT in words:
        status, written, error = found
        right = (status, written) == (FAILED, b"") and _one_line(error)
        return HOLDS if right else repr(found)
    return HOLDS if found == expected else repr(found)[:500]


def two_at_once(folder: Path, words: Sequence[str]) -> str:
    """Whether each of two that run at once gives what one gives."""
    status, expected, _ = run(folder, words)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    runs = [
        subprocess.Popen(_command(words), cwd=folder, env=_environment(), **pipes)  # type: ignore[call-overload]
        for _ in range(2)
    ]
    found = [each.communicate() for each in runs]
    out = folder / OUT
    written = out.read_bytes() if out.exists() else b""
    left = _left(folder)
    same = all((text + written, error) == (expected, b"") for text, error in found)
    return (
        HOLDS
        if same and {each.returncode for each in runs} == {status} and not left
        else (repr((found, left))[:500])
    )


def _same(folder: Path, words: Sequence[str], *several: dict[str, str]) -> str:
    expected = run(folder, words)
    for environment in several:
        found = run(folder, words, **environment)
        if found != expected:
            return f"{environment}: {found!r}"[:500]
    return HOLDS if not expected[2] else expected[2]


def locales(folder: Path, words: Sequence[str]) -> str:
    """Whether every locale and encoding gives the same bytes."""
    return _same(
        folder,
        words,
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "utf-16"},
        {"TZ": "Asia/Kathmandu", "LC_ALL": "de_DE.ISO-8859-1"},
    )


def hash_seeds(folder: Path, words: Sequence[str]) -> str:
    """Whether the order of sets shows nowhere."""
    return _same(folder, words, *({"PYTHONHASHSEED": seed} for seed in ("1", "2", "random")))


CONDITIONS: dict[str, Callable[[Path, Sequence[str]], str]] = {
    "Ctrl-C": ctrl_c,
    "closed pipe": closed_pipe,
    "full disk": full_disk,
    "nothing writable": read_only,
    "two at once": two_at_once,
    "locales": locales,
    "hash seeds": hash_seeds,
}


def _called(name: str) -> str:
    return repr(entries()[name][1]())


def _child(name: str) -> str:
    """Run in a process that has scored before, and forks or spawns."""
    return _called(name)


# Functions have these conditions in place of those of commands.
PLACES = ("16 threads", "forked process", "spawned process")


def of_function(name: str) -> dict[str, str]:
    """Return for each place whether a function gives there what it gives here."""
    expected = _called(name)
    with ThreadPoolExecutor(16) as threads:
        found = {"16 threads": {*threads.map(_called, [name] * 64)}}
    for method, place in (("fork", PLACES[1]), ("spawn", PLACES[2])):
        context = multiprocessing.get_context(method)
        with ProcessPoolExecutor(2, mp_context=context) as processes:
            found[place] = {*processes.map(_child, [name] * 4)}
    return {
        place: HOLDS if each == {expected} else repr(each)[:500] for place, each in found.items()
    }


def table(rows: Sequence[Sequence[object]]) -> str:
    """Return the table of the documentation: what holds under which condition."""
    cells: dict[str, dict[str, str]] = {}
    for name, condition, said in rows:
        cells.setdefault(str(name), {})[str(condition)] = "yes" if said == HOLDS else str(said)
    head = [*CONDITIONS]
    lines = ["| command | " + " | ".join(head) + " |", "|---|" + ":---:|" * len(head)]
    lines += [
        f"| `{name}` | {' | '.join(of[each] for each in head)} |"
        for name, of in cells.items()
        if head[0] in of
    ]
    return "\n".join(lines)


def main() -> None:
    """Run all, print what holds, and record it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="commands and functions")
    options = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    for name in entries():
        if not options.names or name in options.names:
            rows += [(name, place, said) for place, said in of_function(name).items()]
            print(*rows[-3:], sep="\n", flush=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for command, words in COMMANDS.items():
            if options.names and command not in options.names:
                continue
            for condition, check in CONDITIONS.items():
                rows.append((command, condition, check(folder, words)))
                print(*rows[-1], sep=", ", flush=True)
    # What is not run now keeps what is known of it.
    tried = {row[0] for row in rows}
    kept = [row for row in rows_of("conditions") if options.names and row[0] not in tried]
    order = [*entries(), *COMMANDS]
    found = sorted([*kept, *map(list, rows)], key=lambda row: order.index(row[0]))
    record("conditions", ["what", "condition", "found"], found)
    print(table(found))
    failed = [row for row in rows if row[2] != HOLDS and not row[2].startswith("not run")]
    if failed:
        sys.exit(f"{len(failed)} promises do not hold: {failed}")


if __name__ == "__main__":
    main()
