"""Files are written whole or not at all, by one module, and never over what is read."""

import ast
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from project import EXAMPLES, ROOT
from truebleu import cli
from truebleu.writing import refuse_unwritable, write_whole

PACKAGE = ROOT / "python" / "truebleu"
SYSTEM, REFERENCE = str(EXAMPLES / "system-weak.en"), str(EXAMPLES / "reference-a.en")

# Downloads and archives are written in pieces to a file that is moved when it is complete and has
# been verified. Each line says who moves it.
IN_PIECES = {
    "downloads/transfer.py": "fetch._download",
    "test_sets/archives.py": "store._write_fields, or raw._unpack",
}


def test_one_module_writes():
    """No other module opens a file to write, but for what is moved to its place afterwards."""
    writing = {"write_text", "write_bytes", "copyfile", "savefig", "mkstemp", "copy2", "copy"}
    found = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and hasattr(node.func, "attr")):
                continue
            modes = [*node.args, *(each.value for each in node.keywords if each.arg == "mode")]
            opens = node.func.attr in ("open", "fdopen") and any(
                isinstance(each, ast.Constant) and set(str(each.value)) & set("wax")
                for mode in modes
                for each in ast.walk(mode)
                if isinstance(each, ast.Constant) and len(str(each.value)) < 4
            )
            of_files = node.func.attr in writing and not (
                node.func.attr.startswith("copy") and getattr(node.func.value, "id", "") != "shutil"
            )
            if opens or of_files:
                found.add(name)
    assert found == {*IN_PIECES, "writing.py"}


def names(folder):
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


class TestWhole:
    """What is there is the old file or the new one."""

    @pytest.mark.parametrize("fails", ["write", "fsync", "replace"])
    def test_a_failure(self, tmp_path, monkeypatch, fails):
        """Whatever step fails, the file is as it was, and nothing is beside it."""
        path = tmp_path / "file"
        write_whole(path, b"before")

        def fail(*_):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            if fails == "write":
                patch.setattr(os, "open", fail)
            elif fails == "fsync":
                patch.setattr(os, "fsync", fail)
            else:
                patch.setattr(Path, "replace", fail)
            with pytest.raises(OSError, match="No space left") as caught:
                write_whole(path, b"after")
        assert caught.value.filename == str(path)
        assert path.read_bytes() == b"before"
        assert names(tmp_path) == ["file"]

    @pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError])
    def test_an_interruption(self, tmp_path, monkeypatch, kind):
        """It is not swallowed."""

        def fail(_):
            raise kind

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(kind):
            write_whole(tmp_path / "file", b"after")
        assert names(tmp_path) == []

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
    @pytest.mark.parametrize("mode", [None, 0o600, 0o640, 0o444])
    def test_it_is_private_from_the_start(self, tmp_path, monkeypatch, mode):
        """While it is written, it has the final mode and a name that cannot be guessed."""
        path = tmp_path / "file"
        before = os.umask(0o022)
        seen = []
        if mode is not None:
            path.write_bytes(b"before")
            path.chmod(mode)

        def sync(_):
            [part] = [each for each in tmp_path.iterdir() if each != path]
            seen.append((part.name, part.stat().st_mode & 0o7777))

        monkeypatch.setattr(os, "fsync", sync)
        try:
            for _ in range(2):
                write_whole(path, b"after")
        finally:
            os.umask(before)
        assert len({name for name, _ in seen}) == 2
        expected = 0o644 if mode is None else mode
        assert {found for _, found in seen} == {path.stat().st_mode & 0o7777} == {expected}

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_nothing_is_followed(self, tmp_path, monkeypatch):
        """A link that waits under the name of the temporary file is an error, not a way out."""
        monkeypatch.setattr(os, "urandom", bytes)
        (tmp_path / "other").write_bytes(b"other")
        (tmp_path / f".file.{bytes(8).hex()}.part").symlink_to(tmp_path / "other")
        with pytest.raises(FileExistsError):
            write_whole(tmp_path / "file", b"x")
        assert (tmp_path / "other").read_bytes() == b"other"

    def test_a_long_name(self, tmp_path):
        """As long as the file system allows."""
        for name in ("x" * 255, "\u4f60" * 85):
            write_whole(tmp_path / name, b"1")
            assert (tmp_path / name).read_bytes() == b"1"

    def test_a_device(self):
        """It is written, not replaced."""
        write_whole(os.devnull, b"1")
        assert not Path(os.devnull).is_file()
        refuse_unwritable(os.devnull)

    def test_threads(self, tmp_path):
        """Of several writers, one wins; nobody ever reads a mixture."""
        path, stop, seen = tmp_path / "file", threading.Event(), set()
        contents = [bytes([number]) * 300_000 for number in range(4)]

        def write(content):
            while not stop.is_set():
                write_whole(path, content)

        write_whole(path, contents[0])
        threads = [threading.Thread(target=write, args=(each,)) for each in contents]
        for thread in threads:
            thread.start()
        for _ in range(300):
            seen.add(path.read_bytes())
        stop.set()
        for thread in threads:
            thread.join()
        assert seen <= set(contents)
        assert names(tmp_path) == ["file"]

    WRITER = (
        "import sys\n"
        "from truebleu.writing import write_whole\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for number in range(4):\n"
        "        write_whole(sys.argv[1], bytes([number]) * 300_000)\n"
    )

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills")
    def test_killed(self, tmp_path):
        """Two processes write the same file and are killed: it is whole, and can be written."""
        path = tmp_path / "file"
        write_whole(path, bytes(300_000))
        for delay in (0.01, 0.03, 0.1, 0.2):
            runs = [
                subprocess.Popen(
                    [sys.executable, "-c", self.WRITER, str(path)], stdout=subprocess.PIPE
                )
                for _ in range(2)
            ]
            for run in runs:
                assert run.stdout.readline() == b"ready\n"
            time.sleep(delay)
            for run in runs:
                run.kill()
                run.communicate()
            content = path.read_bytes()
            assert (len(content), len(set(content))) == (300_000, 1)
        write_whole(path, b"new")
        assert path.read_bytes() == b"new"

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
    def test_a_limit(self, tmp_path):
        """A file larger than ``ulimit -f`` allows is an error; the old one stays."""
        path = tmp_path / "page.html"
        write_whole(path, b"before")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "truebleu", *COMMANDS["report"]),
                *("-o", str(path)),
            ],
            # Less than a page has, and more than what Python may write for itself.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stderr) == (2, f"truebleu: {path}: File too large\n")
        assert path.read_bytes() == b"before"
        assert names(tmp_path) == ["page.html"]

    @pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system in memory")
    def test_a_full_disk(self, tmp_path):
        """A real one, of 64 KiB: the page is not written, and the disk is left as it was."""
        script = (
            'mount -t tmpfs -o size=64k tmpfs "$1" && printf before > "$1/page.html" || exit 77\n'
            'page="$1/page.html"; shift; "$@" -o "$page"; code=$?\n'
            'cat "$page"; ls -A "$(dirname "$page")"; exit $code\n'
        )
        command = [sys.executable, "-m", "truebleu", *COMMANDS["report"]]
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        done = subprocess.run(
            [*unshare, "sh", "-c", script, "sh", str(tmp_path), *command],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if done.returncode == 77 or "unshare" in done.stderr:
            pytest.skip("no file system can be mounted here")
        assert done.returncode == 2
        assert done.stderr == f"truebleu: {tmp_path}/page.html: No space left on device\n"
        assert done.stdout == "beforepage.html\n"


COMMANDS = {
    "report": ["report", SYSTEM, "-r", REFERENCE],
    "chart": ["report", "--chart", "scores", SYSTEM, "-r", REFERENCE],
}
FORMS = {"report": "html", "chart": "svg"}


class TestCommands:
    """Each command with an output file."""

    @pytest.mark.parametrize("command", COMMANDS)
    def test_a_file_that_is_replaced(self, command, tmp_path, capsys):
        """The command says whether a file was there, unless it is to be quiet."""
        path = tmp_path / f"page.{FORMS[command]}"
        arguments = [*COMMANDS[command], "-o", str(path)]
        assert cli.main(arguments) == 0
        assert capsys.readouterr().err == f"truebleu: wrote {path}\n"
        path.write_bytes(b"old")
        assert cli.main(arguments) == 0
        assert capsys.readouterr().err == f"truebleu: replaced {path}\n"
        assert f"</{FORMS[command]}>".encode() in path.read_bytes()
        assert cli.main([*arguments, "--quiet"]) == 0
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize("kind", ["itself", "symbolic link", "hard link"])
    @pytest.mark.parametrize("command", COMMANDS)
    def test_an_input(self, command, kind, tmp_path, capsys):
        """It is refused under any of its names, and stays."""
        copy = tmp_path / f"system.{FORMS[command]}"
        copy.write_bytes(Path(SYSTEM).read_bytes())
        output = copy if kind == "itself" else tmp_path / f"output.{FORMS[command]}"
        if kind == "symbolic link":
            output.symlink_to(copy)
        elif kind == "hard link":
            output.hardlink_to(copy)
        arguments = [str(copy) if each == SYSTEM else each for each in COMMANDS[command]]
        assert cli.main([*arguments, "-o", str(output)]) == 2
        assert "would overwrite an input file" in capsys.readouterr().err
        assert copy.read_bytes() == Path(SYSTEM).read_bytes()
