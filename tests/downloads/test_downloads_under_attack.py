"""Servers that lie, and damaged records: nothing wrong is used, and every fault is named."""

import hashlib
import logging
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from loopback import Handler, serving
from refusing import refused
from truebleu import SettingsError
from truebleu.downloads.fetch import Download, fetched
from truebleu.errors import DownloadError, ModelError
from truebleu.tokenizers.sentencepiece import model_path

CONTENT = bytes(range(256)) * 2000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
MD5 = hashlib.md5(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    for name in ("MIRROR", "OFFLINE", "MAX_BYTES", "MAX_SECONDS", "REQUIRE_CHECKSUM"):
        monkeypatch.delenv(f"TRUEBLEU_{name}", raising=False)
    monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))


@pytest.fixture
def server():
    """Serve the model under any path."""
    with serving(CONTENT) as server:
        yield server


@pytest.fixture
def path(tmp_path):
    """Return where the model is kept."""
    return tmp_path / "models" / "toy.model"


def model(url):
    """Return the path of a model that the library downloads."""
    return model_path("toy", url, lambda _: None)


def content_or_message(url):
    """Return what is downloaded, or the message of the error that says why nothing is."""
    try:
        return model(url).read_bytes()
    except ModelError as error:
        return str(error)


def answering(monkeypatch, status, *headers, content=CONTENT):
    """Let servers answer with headers as they are, however wrong."""

    def answer(handler):
        handler.server.requests.append(dict(handler.headers))
        lines = [f"HTTP/1.1 {status} x", *headers, "Connection: close", "", ""]
        with suppress(OSError):
            handler.wfile.write("\r\n".join(lines).encode("latin-1") + content)

    monkeypatch.setattr(Handler, "do_GET", answer)


class TestHeaders:
    """No header leads to an exception of another kind."""

    @pytest.mark.parametrize(
        "length", ["", "abc", "-1", "5, 5", "\xb2", "9" * 5000, "1e3", "0x10", str(2**64)]
    )
    def test_content_length(self, server, path, monkeypatch, length):
        """What is not a number counts as none; what is too large or never comes is an error."""
        answering(monkeypatch, 200, f"Content-Length: {length}")
        said = content_or_message(server.url)
        assert said == CONTENT or (
            any(text in said for text in ("toy cannot be downloaded (", "TRUEBLEU_MAX_BYTES"))
            and not path.exists()
        )

    @pytest.mark.parametrize(
        "headers",
        [
            ["Content-Range: bytes 5-9/10"],
            ["Content-Range: \xff"],
            ['ETag: "\xff\xfe\x80"'],
            ['ETag: "a\x00b"'],
            ["Last-Modified: \x1b[31m"],
            ["X: y"] * 200,
            ["X: " + "y" * 100_000],
            ["no colon"],
            ["Transfer-Encoding: chunked"],
            ["Content-Encoding: gzip", f"Content-Length: {len(CONTENT)}"],
        ],
        ids=lambda headers: headers[0][:20],
    )
    def test_others(self, server, path, monkeypatch, headers):
        """The file, or a ModelError that says what to do; a later download succeeds."""
        with monkeypatch.context() as patch:
            answering(patch, 200, *headers)
            said = content_or_message(server.url)
            assert said == CONTENT or (f"put the file at {path}" in said and not path.exists())
        assert model(server.url).read_bytes() == CONTENT

    @pytest.mark.parametrize("status", ["abc", "99", "1000", "600", "500", "429", "301"])
    def test_status(self, server, path, monkeypatch, status):
        """Whatever the number, and also if it is none."""
        answering(monkeypatch, status)
        refused(ModelError, r"toy cannot be downloaded \(", model, server.url)
        assert not path.exists()

    def test_a_reason(self, server, monkeypatch):
        """It does not move the cursor."""
        answering(monkeypatch, "404 \x1b[31m", content=b"")
        refused(ModelError, r"HTTP Error 404: \\x1b\[31m x", model, server.url)


class TestDisk:
    """What goes wrong on this machine."""

    @pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="only POSIX limits files")
    def test_a_full_disk(self, server, path):
        """The message is about the disk, no server is asked again, and nothing is left."""
        script = (
            "import resource, signal, sys\n"
            "from pathlib import Path\n"
            "from truebleu.downloads.fetch import Download, fetched\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
            "fetched(Download(name='x', urls=(sys.argv[1],) * 2), Path(sys.argv[2]))\n"
        )
        command = [sys.executable, "-c", script, server.url, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.stderr.endswith(f"DownloadError: {path}: File too large\n")
        assert len(server.requests) == 1
        assert {each.suffix for each in path.parent.iterdir()} <= {".lock"}
        assert model(server.url).read_bytes() == CONTENT


class TestRecords:
    """What is beside a file may be damaged, too."""

    @pytest.mark.parametrize(
        "record", [b"", b"\xff\xfe", "é".encode() * 64, b"0" * 63, b"g" * 64, b"0" * 10_000]
    )
    def test_checksums(self, server, path, record):
        """A record that is no checksum is an error with the remedy, and nothing is replaced."""
        model(server.url)
        beside = path.with_name("toy.model.sha256")
        beside.write_bytes(record)
        with pytest.raises(ModelError, match=r"toy\.model\.sha256 is damaged: it should") as caught:
            model(server.url)
        assert SHA256 in str(caught.value)
        assert f"delete {beside} and try again" in str(caught.value)
        assert beside.read_bytes() == record
        beside.unlink()
        assert model(server.url) == path

    def test_checksums_as_others_write_them(self, server, path):
        """In capital letters, and without the end of the line."""
        model(server.url)
        path.with_name("toy.model.sha256").write_text(SHA256.upper())
        assert model(server.url) == path

    def test_a_folder_in_the_place_of_a_file(self, server, path):
        """It is named."""
        for name in ("toy.model", "toy.model.part", "toy.model.sha256"):
            place = path.with_name(name)
            place.mkdir(parents=True)
            refused(ModelError, r"toy\.model", model, server.url)
            place.rmdir()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
class TestCacheOfOthers:
    """A folder in which others may write, too."""

    @pytest.mark.parametrize("exists", [True, False])
    @pytest.mark.parametrize("suffix", ["", ".part", ".sha256", ".lock"])
    def test_links(self, server, path, tmp_path, suffix, exists):
        """None leads to a file that is written, read as ours, or made."""
        victim = tmp_path / "victim"
        if exists:
            victim.write_bytes(b"of mine")
        path.parent.mkdir(parents=True)
        path.with_name(f"toy.model{suffix}").symlink_to(victim)
        with suppress(ModelError):
            assert model(server.url).read_bytes() in (CONTENT, b"of mine")
        assert (victim.read_bytes() if exists else victim.exists()) == (b"of mine" if exists else 0)

    def test_a_file_with_its_record(self, server, path):
        """What does not have the published checksum is refused, whatever is recorded of it."""
        path.parent.mkdir(parents=True)
        path.write_bytes(b"planted")
        path.with_name("toy.model.sha256").write_text(hashlib.sha256(b"planted").hexdigest())
        published = Download(name="x", urls=(server.url,), md5=MD5)
        refused(DownloadError, "the MD5 is", fetched, published, path)

    def test_permissions(self, server, path):
        """Files are as private as the umask says, and so are the folders."""
        for mask in (0o077, 0o022):
            before = os.umask(mask)
            try:
                place = path.parent / oct(mask) / "x"
                fetched(Download(name="x", urls=(server.url,), md5=MD5), place)
            finally:
                os.umask(before)
            modes = {each.name: each.stat().st_mode & 0o777 for each in place.parent.iterdir()}
            assert {modes[name] for name in ("x", "x.sha256")} == {0o666 & ~mask}
            assert place.parent.stat().st_mode & 0o777 == 0o777 & ~mask

    def test_a_race(self, server, path):
        """Of two servers that differ, one is first: the file and the record are of the same."""
        path.parent.mkdir(parents=True)
        path.with_name("toy.model.lock").write_text("left by a process that was killed")
        with serving(b"other") as other:
            places = [server.url, other.url]
            threads = [threading.Thread(target=content_or_message, args=(at,)) for at in places]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(300)
        assert (content := path.read_bytes()) in (CONTENT, b"other")
        record = path.with_name("toy.model.sha256").read_text().strip()
        assert record == hashlib.sha256(content).hexdigest()


class TestUnknownChecksums:
    """The first download is trusted only where that is allowed, and never in silence."""

    def test_the_first_is_recorded(self, server, path, caplog):
        """One line says what is trusted and where that is recorded, and only once."""
        with caplog.at_level(logging.WARNING, "truebleu"):
            model(server.url)
            model(server.url)
        [line] = caplog.messages
        record = f"{path}.sha256"
        assert line.startswith("truebleu: toy.model has no published checksum")
        assert f"its SHA-256, {SHA256}, is recorded in {record}" in line

    def test_a_published_one(self, server, path, caplog):
        """Nothing is to be said of it."""
        with caplog.at_level(logging.WARNING, "truebleu"):
            fetched(Download(name="x", urls=(server.url,), md5=MD5), path)
        assert caplog.messages == []

    def test_none_is_trusted(self, server, path, monkeypatch):
        """With TRUEBLEU_REQUIRE_CHECKSUM, no server is asked."""
        monkeypatch.setenv("TRUEBLEU_REQUIRE_CHECKSUM", "1")
        read = []
        with pytest.raises(ModelError, match="no checksum is known for") as caught:
            model_path("toy", server.url, read.append)
        assert (server.requests, read) == ([], [])
        assert f"write that to {path}.sha256, and try again" in str(caught.value)
        # That is what the message says to do.
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name("toy.model.sha256").write_text(SHA256)
        assert model(server.url).read_bytes() == CONTENT
        fetched(Download(name="x", urls=(server.url,), md5=MD5), path.with_name("published"))

    def test_a_wrong_one(self, server, path, monkeypatch):
        """What is not the expected file is not kept."""
        monkeypatch.setenv("TRUEBLEU_REQUIRE_CHECKSUM", "1")
        path.parent.mkdir(parents=True)
        path.with_name("toy.model.sha256").write_text("0" * 64)
        refused(ModelError, f"the SHA-256 is {SHA256}, but", model, server.url)
        assert not path.exists()

    @pytest.mark.parametrize("value", ["", "0"])
    def test_switched_off(self, server, monkeypatch, value):
        monkeypatch.setenv("TRUEBLEU_REQUIRE_CHECKSUM", value)
        assert model(server.url).read_bytes() == CONTENT


class TestSafety:
    """Nobody on the way can replace a file."""

    def test_http(self, path):
        """Without a published checksum, it is refused before anything is asked."""
        with pytest.raises(ModelError, match="anyone on the way could replace a file that comes"):
            model("http://192.0.2.1/model")

    @pytest.mark.parametrize(
        "address", ["http://192.0.2.1/x", "ftp://192.0.2.1/x", "file:///etc/passwd", "data:,x"]
    )
    def test_redirections(self, server, path, monkeypatch, address):
        """None leads to a place that is less safe than the one that was asked."""
        answering(monkeypatch, 302, f"Location: {address}", content=b"")
        asked, connect = [], socket.create_connection

        def connected(place, *arguments, **more):
            asked.append(place[0])
            return connect(place, *arguments, **more)

        monkeypatch.setattr(socket, "create_connection", connected)
        refused(ModelError, r"server redirects to|Redirection to url", model, server.url)
        assert set(asked) == {urlsplit(server.url).hostname}
        assert not path.exists()

    def test_a_redirection_to_no_address(self, server, monkeypatch):
        """It is an error, and the connection is closed."""
        answering(monkeypatch, 302, "Location: http://[", content=b"")
        refused(ModelError, "Invalid IPv6 URL", model, server.url)

    def test_redirections_in_a_circle(self, server, monkeypatch):
        """They end."""
        answering(monkeypatch, 302, "Location: /again", content=b"")
        refused(ModelError, "redirect", model, server.url)

    def test_a_redirection(self, server):
        """One to another place on this machine is followed."""
        with serving(files={}) as other:
            original = Handler.do_GET

            def answer(handler):
                if handler.server is other:
                    handler.send_response(302)
                    handler.send_header("Location", server.url)
                    handler.end_headers()
                else:
                    original(handler)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Handler, "do_GET", answer)
                assert model(other.url).read_bytes() == CONTENT

    def test_what_a_redirection_says(self, server, monkeypatch):
        """It is not read, so it may be endless."""
        sent, original = [], Handler.do_GET

        def answer(handler):
            if handler.path == "/elsewhere":
                original(handler)
                return
            handler.send_response(302)
            handler.send_header("Location", "/elsewhere")
            handler.end_headers()
            with suppress(OSError):
                for _ in range(100):
                    handler.wfile.write(bytes(1 << 20))
                    sent.append(1)

        monkeypatch.setattr(Handler, "do_GET", answer)
        assert model(server.url).read_bytes() == CONTENT
        assert len(sent) < 50

    def test_https_is_not_left(self, server, monkeypatch, tmp_path):
        """A redirection from https to http is refused, and a certificate of nobody's is, too."""
        certificate = tmp_path / "certificate.pem"
        command = (
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext "
            f"subjectAltName=DNS:localhost -keyout {certificate} -out {certificate}.crt"
        )
        try:
            subprocess.run(command.split(), check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("openssl is not installed")
        with serving(CONTENT) as safe:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(f"{certificate}.crt", certificate)
            safe.socket = context.wrap_socket(safe.socket, server_side=True)
            safe.handle_error = lambda *_: None
            url = f"https://localhost:{safe.server_port}/model"
            refused(ModelError, "CERTIFICATE_VERIFY_FAILED", model, url)
            monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
            with monkeypatch.context() as patch:
                answering(patch, 302, "Location: http://192.0.2.1/model", content=b"")
                refused(ModelError, r"redirects to http://192\.0\.2\.1/model;", model, url)
            assert model(url).read_bytes() == CONTENT


# Pieces that a server sends: more than a minute passes between the first and the last.
ENDLESS = 6000


class TestTime:
    """A download ends, however patient the server is."""

    def test_in_total(self, server, path, monkeypatch):
        """A body without end; nothing of it is kept."""

        def answer(handler):
            server.requests.append(dict(handler.headers))
            handler.send_response(200)
            handler.end_headers()
            with suppress(OSError):
                for _ in range(ENDLESS):
                    handler.wfile.write(bytes(1000))
                    time.sleep(0.01)

        monkeypatch.setattr(Handler, "do_GET", answer)
        monkeypatch.setenv("TRUEBLEU_MAX_SECONDS", "3")
        refused(ModelError, r"it took more than 3 seconds; .* TRUEBLEU_MAX_SECO", model, server.url)
        assert len(server.requests) == 1
        assert not path.with_name("toy.model.part").exists()

    def test_without_an_answer(self, server, monkeypatch):
        """The same for a server that accepts and says nothing."""
        over, answered = threading.Event(), threading.Event()

        def answer(_):
            over.wait(300)
            answered.set()

        monkeypatch.setattr(Handler, "do_GET", answer)
        monkeypatch.setenv("TRUEBLEU_MAX_SECONDS", "1")
        try:
            refused(ModelError, r"it took more than 1 seconds", model, server.url)
            assert not answered.is_set()
        finally:
            over.set()

    def test_a_limit_that_is_none(self, server, monkeypatch):
        monkeypatch.setenv("TRUEBLEU_MAX_SECONDS", "1 h")
        refused(SettingsError, r"TRUEBLEU_MAX_SECONDS is '1 h'; a number of sec", model, server.url)

    def test_of_test_sets(self, server, path, monkeypatch):
        """They have the same limits."""
        over = threading.Event()
        monkeypatch.setattr(Handler, "do_GET", lambda _: over.wait(300))
        monkeypatch.setenv("TRUEBLEU_MAX_SECONDS", "1")
        with pytest.raises(DownloadError, match="it took more than 1 seconds"):
            fetched(Download(name="x", urls=(server.url,), md5=MD5), path)
        over.set()
