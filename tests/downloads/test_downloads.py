"""Files from the network: once, whole, the right ones, and never more than wanted."""

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest
from loopback import Handler, serving
from truebleu import SettingsError
from truebleu.downloads import places
from truebleu.downloads.digests import digests_of
from truebleu.downloads.fetch import Download, fetched
from truebleu.errors import DownloadError

CONTENT = bytes(range(256)) * 2000
MD5 = hashlib.md5(CONTENT).hexdigest()
DEAD = "http://127.0.0.1:1"


@pytest.fixture
def server():
    """Serve the file under any path."""
    with serving(CONTENT) as server:
        yield server


@pytest.fixture
def path(tmp_path):
    """Return where it is kept."""
    return tmp_path / "cache" / MD5


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("MIRROR", "OFFLINE", "MAX_BYTES"):
        monkeypatch.delenv(f"TRUEBLEU_{name}", raising=False)


def download(*urls, md5=MD5):
    """Return the download of the file from some places."""
    return Download(name="test.tgz", urls=urls, md5=md5)


def names(path):
    """Return what is in the folder of a file, but for its lock, which some systems keep."""
    return {each.name for each in path.parent.iterdir()} - {f"{path.name}.lock"}


def test_once(server, path):
    """It is downloaded once; both checksums are those of the file, and one is recorded."""
    for _ in range(2):
        assert fetched(download(server.url), path) == path
    assert len(server.requests) == 1
    assert path.read_bytes() == CONTENT
    digests = digests_of(path)
    assert digests.md5 == MD5
    assert digests.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert path.with_suffix(".sha256").read_text() == f"{digests.sha256}\n"
    assert names(path) == {MD5, f"{MD5}.sha256"}


class TestChecksums:
    """What is not the published file is not kept, and not used."""

    def test_a_wrong_one(self, server, path):
        """The second time is like the first, and nothing is left behind."""
        server.content = CONTENT[:-1]
        for number in (1, 2):
            with pytest.raises(DownloadError) as caught:
                fetched(download(server.url), path)
            found = hashlib.md5(CONTENT[:-1]).hexdigest()
            message = str(caught.value)
            assert f"(the MD5 is {found}, but {MD5} was published)" in message
            assert message.endswith(f"where there is a network, and put the file at {path}")
            assert len(server.requests) == number
            assert names(path) == set()
        server.content = CONTENT
        assert fetched(download(server.url), path).read_bytes() == CONTENT

    def test_a_wrong_one_in_a_mirror(self, server, path):
        """The next place is asked."""
        with serving(b"<html>Log in</html>") as liar:
            fetched(download(liar.url, server.url), path)
        assert path.read_bytes() == CONTENT

    def test_a_part(self, server, path):
        """What a crash has left behind is not built upon."""
        path.parent.mkdir(parents=True)
        path.with_suffix(".part").write_bytes(bytes(1000))
        fetched(download(server.url), path)
        assert path.read_bytes() == CONTENT
        assert names(path) == {MD5, f"{MD5}.sha256"}

    @pytest.mark.parametrize("record", [True, False])
    def test_a_file_that_was_changed(self, server, path, record):
        """It is refused whenever it is used, even if there is no record of it."""
        fetched(download(server.url), path)
        path.write_bytes(b"other")
        if not record:
            path.with_suffix(".sha256").unlink()
        for _ in range(2):
            with pytest.raises(DownloadError, match=rf"MD5 is \w+, but that of test.tgz is {MD5}"):
                fetched(download(server.url), path)

    def test_a_file_put_there(self, path):
        """One with the right checksum is used without a connection."""
        path.parent.mkdir(parents=True)
        path.write_bytes(CONTENT)
        assert fetched(download(f"{DEAD}/x"), path, offline=True) == path
        assert path.with_suffix(".sha256").exists()

    def test_the_first_is_the_measure(self, server, path):
        """Without a published checksum, the first download is what later ones have to be."""
        fetched(download(server.url, md5=None), path)
        path.unlink()
        server.content = b"other"
        with pytest.raises(DownloadError, match=r"but that of its first version was \w{64}"):
            fetched(download(server.url, md5=None), path)
        assert not path.exists()

    def test_names_that_differ_in_the_suffix(self, server, path):
        """Each file has its own record."""
        for suffix in (".en", ".de"):
            server.content = suffix.encode()
            file = fetched(download(server.url, md5=None), path.with_suffix(suffix))
            assert file.read_text() == suffix

    def test_a_folder_that_cannot_be_written(self, server, path, monkeypatch):
        """A file that is there is used all the same."""
        fetched(download(server.url), path)

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "mkdir", refuse)
        monkeypatch.setattr("truebleu.downloads.fetch.locked", refuse)
        assert fetched(download(server.url), path) == path


class TestPlaces:
    """Mirrors are tried in order, and each as often as makes sense."""

    @pytest.mark.parametrize(("status", "requests"), [(404, 1), (403, 1), (503, 3)])
    def test_the_next_one(self, server, path, status, requests):
        """What is not there is not asked for twice; what may come back is."""
        with serving(CONTENT) as broken:
            broken.status = status
            fetched(download(broken.url, server.url), path)
            assert len(broken.requests) == requests
        assert path.read_bytes() == CONTENT

    def test_a_dead_host(self, server, path):
        """No answer is an answer."""
        fetched(download(f"{DEAD}/test.tgz", server.url), path)
        assert path.read_bytes() == CONTENT

    @pytest.mark.parametrize("address", ["http://[::1/x", "http://host:x/", "http://127.0.0.1:1/ü"])
    def test_an_address_that_is_none(self, server, path, monkeypatch, address):
        """A mirror that cannot be asked is one place that fails."""
        monkeypatch.setenv("TRUEBLEU_MIRROR", address)
        fetched(download(server.url), path)
        assert path.read_bytes() == CONTENT

    @pytest.mark.parametrize("mirror", [None, "folder"])
    def test_an_own_address_that_is_none(self, path, monkeypatch, mirror):
        """The message names the URL, with a mirror, too."""
        if mirror:
            monkeypatch.setenv("TRUEBLEU_MIRROR", mirror)
        with pytest.raises(DownloadError, match=r"http://\[::1/x") as caught:
            fetched(download("http://[::1/x"), path)
        assert "Invalid IPv6 URL" in str(caught.value)

    @pytest.mark.parametrize("md5", [MD5, None])
    @pytest.mark.parametrize("status", [200, 204])
    def test_no_content(self, path, monkeypatch, md5, status):
        """A success without content is none: the next place is asked, and nothing is kept."""

        def answer(handler):
            handler.send_response(status)
            handler.end_headers()

        with serving(CONTENT) as empty:
            monkeypatch.setattr(Handler, "do_GET", answer)
            with pytest.raises(DownloadError, match="nothing was received; a file that is not"):
                fetched(download(empty.url, md5=md5), path)
        assert names(path) == set()

    def test_a_mirror_with_an_empty_file(self, server, path, monkeypatch, tmp_path):
        """What an interrupted copy has left there is not used."""
        below = tmp_path / "copy" / server.base.removeprefix("http://") / "some"
        below.mkdir(parents=True)
        (below / "model").touch()
        monkeypatch.setenv("TRUEBLEU_MIRROR", str(tmp_path / "copy"))
        fetched(download(server.url, md5=None), path)
        assert path.read_bytes() == CONTENT

    def test_none_has_it(self, server, path):
        """The message has the reason of each."""
        server.status = 404
        with pytest.raises(DownloadError) as caught:
            fetched(download(f"{DEAD}/test.tgz", server.url), path)
        message = str(caught.value)
        assert f"{DEAD}/test.tgz: [Errno 111] Connection refused" in message
        assert f"{server.url}: HTTP Error 404" in message
        assert f"download {DEAD}/test.tgz with the MD5 {MD5} where" in message

    def test_less_than_announced(self, server, path):
        """It is asked for again, and then at the next place."""
        with serving(CONTENT) as other:
            other.cut = 1000
            fetched(download(other.url, server.url), path)
            assert len(other.requests) == 3
        assert path.read_bytes() == CONTENT

    @pytest.mark.parametrize("slash", ["", "/"])
    def test_a_mirror_on_a_server(self, server, path, monkeypatch, slash):
        """Its files have the host and the path of their URLs."""
        monkeypatch.setenv("TRUEBLEU_MIRROR", f"{server.base}/copy{slash}")
        fetched(download("https://data.example.org/wmt/test.tgz"), path)
        assert server.paths == ["/copy/data.example.org/wmt/test.tgz"]

    @pytest.mark.parametrize("offline", [False, True])
    def test_a_mirror_in_a_folder(self, path, monkeypatch, tmp_path, offline):
        """It needs no connection."""
        folder = tmp_path / "copy" / "data.example.org" / "wmt"
        folder.mkdir(parents=True)
        (folder / "test.tgz").write_bytes(CONTENT)
        monkeypatch.setenv("TRUEBLEU_MIRROR", str(tmp_path / "copy"))
        fetched(download("https://data.example.org/wmt/test.tgz"), path, offline=offline)
        assert path.read_bytes() == CONTENT

    def test_a_mirror_without_it(self, server, path, monkeypatch, tmp_path):
        """Then its own host is asked."""
        monkeypatch.setenv("TRUEBLEU_MIRROR", str(tmp_path))
        fetched(download(server.url), path)
        assert len(server.requests) == 1

    def test_a_path_that_leads_out(self, path, monkeypatch, tmp_path):
        """No URL leads out of the folder of a mirror."""
        monkeypatch.setenv("TRUEBLEU_MIRROR", str(tmp_path / "copy"))
        with pytest.raises(DownloadError, match=r"has '\.\.' in its path"):
            fetched(download("http://host/../../secret"), path)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        *(("https://host/x", True), ("http://host/x", False), ("http:///x", False)),
        *(("http://localhost:80/x", True), ("http://localhost.org/x", False)),
        *(
            ("http://127.0.0.1/x", True),
            ("http://127.9.9.9:80/x", True),
            ("http://1.127.0.1", False),
            ("http://127.evil.invalid/", False),
            ("http://127.0.0.1.evil.invalid/", False),
            ("http://localhost.evil.invalid/", False),
            ("http://127.1/", False),
        ),
        *(("http://[::1]/x", True), ("http://[::1]:80/x", True), ("http://[::2]/x", False)),
        # The user's name is not the host.
        *(("http://localhost@host/x", False), ("http://user@LOCALHOST/x", True)),
        # No host can be read, so none is asked.
        ("http://[::1/x", True),
    ],
)
def test_addresses_of_this_machine(address, safe):
    """What is sent by http is safe only if it does not leave the machine."""
    assert places.is_safe(address) == safe


class TestOffline:
    """Nothing connects, and the message says what to put where."""

    @pytest.mark.parametrize("chosen", ["argument", "variable"])
    def test_refused(self, server, path, monkeypatch, chosen):
        if chosen == "variable":
            monkeypatch.setenv("TRUEBLEU_OFFLINE", "1")
        with pytest.raises(DownloadError) as caught:
            fetched(download(server.url), path, offline=True if chosen == "argument" else None)
        message = str(caught.value)
        assert "downloads are off" in message
        assert all(part in message for part in (server.url, MD5, str(path)))
        assert server.requests == []

    @pytest.mark.parametrize("value", ["", "0"])
    def test_allowed(self, server, path, monkeypatch, value):
        """The variable can be switched off, too, and the argument counts more."""
        monkeypatch.setenv("TRUEBLEU_OFFLINE", value)
        fetched(download(server.url), path)
        path.unlink()
        monkeypatch.setenv("TRUEBLEU_OFFLINE", "1")
        fetched(download(server.url), path, offline=False)


class TestLimits:
    """Nobody fills a disk."""

    @pytest.mark.parametrize("has_length", [True, False])
    def test_too_much(self, server, path, monkeypatch, has_length):
        """More than allowed is refused, announced or not; the message says how to allow it."""
        server.has_length = has_length
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "100000")
        with pytest.raises(
            DownloadError, match=r"test.tgz has more than 100,000 bytes; .* TRUEBLEU_MAX_BYTES to"
        ):
            fetched(download(server.url), path)
        assert len(server.requests) == 1
        assert names(path) == set()
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", str(len(CONTENT)))
        fetched(download(server.url), path)

    @pytest.mark.parametrize("length", ["-5", "abc", "5, 5", "5"])
    def test_a_false_length(self, server, path, monkeypatch, length):
        """More than allowed is refused early, whatever the header says."""
        blocks = []

        def answer(handler):
            handler.protocol_version = "HTTP/1.1"
            handler.send_response(200)
            handler.send_header("Content-Length", length)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            with suppress(OSError):
                for _ in range(1000):
                    handler.wfile.write(b"%x\r\n%b\r\n" % (len(CONTENT), CONTENT))
                    blocks.append(len(CONTENT))

        monkeypatch.setattr(Handler, "do_GET", answer)
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "100000")
        with pytest.raises(DownloadError, match=r"test.tgz has more than 100,000 bytes"):
            fetched(download(server.url), path)
        assert len(blocks) < 100
        assert names(path) == set()

    def test_no_more_than_announced(self, server, path):
        """What comes after the announced length is not part of the file."""
        server.extra = b"more"
        fetched(download(server.url), path)
        assert path.read_bytes() == CONTENT

    def test_a_limit_that_is_none(self, monkeypatch):
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "1 GB")
        with pytest.raises(SettingsError, match=r"TRUEBLEU_MAX_BYTES is '1 GB'; a number"):
            places.byte_limit()
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "9" * 5000)
        with pytest.raises(SettingsError, match=r"TRUEBLEU_MAX_BYTES is '9+'; a number"):
            places.byte_limit()


SCRIPT = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from truebleu.downloads.fetch import Download, fetched
    url, path, md5 = sys.argv[1:]
    fetched(Download(name="test.tgz", urls=(url,), md5=md5), Path(path))
    """
)


def started(server, path):
    """Start to download in another process."""
    return subprocess.Popen([sys.executable, "-c", SCRIPT, server.url, str(path), MD5])


class TestProcesses:
    """Several may do it at once, and one may be killed."""

    def test_at_once(self, server, path):
        """It is downloaded once."""
        runs = [started(server, path) for _ in range(3)]
        assert [run.wait(300) for run in runs] == [0, 0, 0]
        assert len(server.requests) == 1
        assert path.read_bytes() == CONTENT

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills")
    def test_killed(self, server, path, monkeypatch):
        """The next run begins anew, and nothing stays locked."""
        half = len(CONTENT) // 2
        held = Held(server, half, monkeypatch)
        run = started(server, path)
        part = path.with_suffix(".part")
        while not (part.exists() and part.stat().st_size >= half - half % 65536):
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
        assert run.wait(300) == -signal.SIGKILL
        held.release()
        assert not path.exists()
        fetched(download(server.url), path)
        assert path.read_bytes() == CONTENT
        assert names(path) == {MD5, f"{MD5}.sha256"}


class Held:
    """Lets the first answer of a server stop in the middle until it is released."""

    def __init__(self, server, size, monkeypatch):
        import threading

        self._free = threading.Event()
        original = Handler.do_GET

        def answer(handler):
            if server.requests:
                original(handler)
                return
            server.requests.append(dict(handler.headers))
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(CONTENT)))
            handler.end_headers()
            handler.wfile.write(CONTENT[:size])
            self._free.wait(300)

        monkeypatch.setattr(Handler, "do_GET", answer)

    def release(self):
        self._free.set()


class TestFolders:
    """Where things are."""

    def test_of_sacrebleu(self, monkeypatch, tmp_path):
        """SACREBLEU, else the home folder."""
        monkeypatch.setenv("SACREBLEU", str(tmp_path))
        assert places.sacrebleu_folder() == tmp_path
        monkeypatch.delenv("SACREBLEU")
        assert places.sacrebleu_folder() == Path.home() / ".sacrebleu"

    def test_without_the_newest_platformdirs(self, monkeypatch):
        """Older ones followed a relative XDG_CACHE_HOME."""
        import platformdirs

        monkeypatch.delenv("TRUEBLEU_CACHE", raising=False)
        monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path("relative"))
        assert places.cache_folder() == Path.home() / ".cache" / "truebleu"
