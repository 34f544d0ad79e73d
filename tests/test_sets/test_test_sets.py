"""Test sets: downloaded, unpacked, found, imported, your own; and never the wrong text."""

import base64
import gzip
import hashlib
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import tarfile
import textwrap
import time
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
import truebleu
from loopback import Handler, serving
from looping import looped
from project import EXAMPLES
from pyarrow import parquet
from truebleu import InputError, LengthMismatchError, SettingsWarning, errors
from truebleu.cli import main
from truebleu.errors import DownloadError, EncodingError
from truebleu.test_sets import archives, descriptions, registry, store
from truebleu.test_sets.registry import find_set, shipped_sets
from truebleu.test_sets.store import check_sides

REGISTRY = descriptions.SACREBLEU


def sgml(*segments):
    """Write an SGML file of two documents."""
    first, *others = [f'<seg id="1">{each}</seg>' for each in segments]
    return "\n".join(
        [
            *('<doc docid="d1" genre="news" origlang="en">', first, "</doc>"),
            *('<doc docid="d2" genre="talk" origlang="de">', *others, "</doc>", ""),
        ]
    ).encode()


XML = b"""<?xml version="1.0" encoding="utf-8"?>
<dataset id="made.up"><doc origlang="en" id="d1" domain="news">
<src lang="en"><p><seg id="1">A &amp; B</seg><seg id="2">Two</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">A und B</seg><seg id="2">Zwei</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">A, B</seg></p></ref>
<hyp system="../../../evil"><p><seg id="1">A &amp; B</seg><seg id="2">2</seg></p></hyp>
</doc></dataset>"""


# A second document, which the system has not translated.
PARTIAL = XML.replace(
    b"</dataset>",
    b"""<doc origlang="en" id="d2" domain="talk"><src lang="en"><p><seg id="1">Three</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Drei</seg></p></ref></doc></dataset>""",
)


def tar(members, mode="w:gz"):
    """Pack files, in any order; a value that is a function makes an odd member."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            if callable(content):
                content(info)
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def packed(members):
    """Pack files as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def link(info):
    """Make a member a symbolic link."""
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"


FILES = {
    "/news/test.tgz": tar(
        {
            "./sgm/src.en.sgm": sgml(" One &amp;  two ", "Three", "Four"),
            "sgm/ref.de.sgm": sgml("Eins", "Drei", "Vier"),
            "sgm/short.de.sgm": sgml("Eins", "Drei"),
            "sgm/readme": link,
        }
    ),
    "/text.zip": packed({"in/set.en": "a  b \r\nc\n", "in/set.de": "x\ny"}),
    "/plain.ref": b"p\nq\nr\n",
    "/more.de.gz": gzip.compress(b"m\nn\n"),
    "/table.tar.bz2": tar({"t/x.tsv": b"1\ta\tb\n2\t \t\n"}, "w:bz2"),
    "/xml.tgz": tar({"xml/all.xml": XML, "xml/partial.xml": PARTIAL}, "w:gz"),
    "/en-fr.tgz": tar({"en-fr/x.en.xml": sgml("e", "f", "g")}),
    "/fr-en.tgz": tar({"fr-en/x.fr.xml": sgml("h", "i", "j")}),
    "/en-it.tgz": tar({"en-it/x.en.xml": sgml("k", "l", "m")}),
}


def entry(kind, names, pairs):
    """Describe a set as the registry does."""
    return {
        "kind": kind,
        "description": f"made up, {kind}",
        "archives": [f"/{name}" for name in names],
        "pairs": {pair: {"src": files[0], "ref": files[1:]} for pair, files in pairs.items()},
    }


SETS = {
    "news": entry("sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "sgm/ref.de.sgm"]}),
    "news/again": entry(
        "sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "sgm/ref.de.sgm", "sgm/ref.de.sgm"]}
    ),
    "uneven": entry("sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "sgm/short.de.sgm"]}),
    "linked": entry("sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "sgm/readme"]}),
    "lacking": entry("sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "sgm/none.sgm"]}),
    "leading/out": entry("sgml", ["news/test.tgz"], {"en-de": ["sgm/src.en.sgm", "../x.sgm"]}),
    "extra": entry(
        "sgml+text",
        ["news/test.tgz", "plain.ref"],
        {"en-de": ["sgm/src.en.sgm", "plain.ref"]},
    ),
    "text": entry("text", ["text.zip"], {"en-de": ["in/set.en", "in/set.de"]}),
    "mixed": entry("text", ["text.zip", "more.de.gz"], {"en-de": ["in/set.en", "more.de.gz"]}),
    "table": entry("tsv", ["table.tar.bz2"], {"en-ja": ["1:t/x.tsv", "2:t/x.tsv"]}),
    "xml": entry("wmt-xml", ["xml.tgz"], {"en-de": ["xml/all.xml", "ref:A"]}),
    "partial": entry("wmt-xml", ["xml.tgz"], {"en-de": ["xml/partial.xml", "ref:A"]}),
    "talks": entry(
        "iwslt-xml",
        ["en-it.tgz", "en-fr.tgz", "fr-en.tgz"],
        {"en-fr": ["en-fr/x.en.xml", "fr-en/x.fr.xml"]},
    ),
}


def registry_of(base, files=FILES, sets=SETS):
    """Write a registry whose archives are at some address."""
    known = {
        path: {"md5": hashlib.md5(content).hexdigest(), "url": f"{base}{path}"}
        for path, content in files.items()
    }
    return json.dumps({"archives": known, "sets": sets})


@pytest.fixture
def server():
    """Serve the archives."""
    with serving(files=dict(FILES)) as server:
        yield server


@pytest.fixture
def install(tmp_path, monkeypatch, server):
    """Return a function that puts a registry in the place of the real one."""

    def install(**how):
        path = tmp_path / "registry.json"
        path.write_text(registry_of(server.base, **how))
        monkeypatch.setattr(descriptions, "SACREBLEU", path)
        registry.registered_sets.cache_clear()

    yield install
    monkeypatch.undo()
    registry.registered_sets.cache_clear()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch, install):
    """Keep everything in fresh folders; return that of truebleu."""
    for name in ("MIRROR", "OFFLINE", "MAX_BYTES"):
        monkeypatch.delenv(f"TRUEBLEU_{name}", raising=False)
    monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "theirs"))
    install()
    return tmp_path / "cache"


def without_download(server):
    """Count what was asked for, and let nothing more come."""
    server.files.clear()
    server.requests.clear()


def test_the_registry(monkeypatch):
    """Of every set that sacreBLEU knows, each file has an archive and a place, and no two one."""
    monkeypatch.setattr(descriptions, "SACREBLEU", REGISTRY)
    registry.registered_sets.cache_clear()
    sets = registry.registered_sets().values()
    assert len({each.file_name for each in sets}) == len(sets) > 60
    for test_set in sets:
        alone = {each.name for each in test_set.archives if each.kind == "file"}
        packs = [each for each in test_set.archives if each.kind != "file"]
        used = set()
        for pair in test_set.pairs:
            named = {*test_set.names(pair)}
            assert all(archives.target_of(Path(), name).name for name in named)
            assert packs or named <= alone
            used |= named
        assert alone <= used


class TestKinds:
    """Every kind of archive and text gives what sacreBLEU makes of it."""

    @pytest.mark.parametrize(
        ("name", "pair", "sources", "references", "documents", "domains", "tokenizer"),
        [
            (
                *("news", "en-de", ["One &amp; two", "Three", "Four"]),
                *([["Eins"], ["Drei"], ["Vier"]], ["d1", "d2", "d2"], ["news", "talk", "talk"]),
                "13a",
            ),
            (
                *("news/again", "en-de", ["One &amp; two", "Three", "Four"]),
                [["Eins", "Eins"], ["Drei", "Drei"], ["Vier", "Vier"]],
                *(["d1", "d2", "d2"], ["news", "talk", "talk"], "13a"),
            ),
            (
                *("extra", "en-de", ["One &amp; two", "Three", "Four"]),
                *([["p"], ["q"], ["r"]], ["d1", "d2", "d2"], ["news", "talk", "talk"], "13a"),
            ),
            ("text", "en-de", ["a  b", "c"], [["x"], ["y"]], None, None, "13a"),
            ("mixed", "en-de", ["a  b", "c"], [["m"], ["n"]], None, None, "13a"),
            ("table", "en-ja", ["a", " "], [["b"], [""]], None, None, "ja-mecab"),
            (
                *("xml", "en-de", ["A & B", "Two"], [["A und B"], ["Zwei"]]),
                *(["d1", "d1"], ["news", "news"], "13a"),
            ),
            (
                *("talks", "en-fr", ["e", "f", "g"], [["h"], ["i"], ["j"]]),
                *(["d1", "d2", "d2"], ["news", "talk", "talk"], "13a"),
            ),
        ],
    )
    def test_loaded(self, server, name, pair, sources, references, documents, domains, tokenizer):
        """The second time, from disk, it is the same."""
        loaded = truebleu.load_test_set(name, pair)
        assert (loaded.name, loaded.pair, len(loaded)) == (name, pair, len(sources))
        assert loaded.sources == sources
        assert loaded.references == references
        assert (loaded.documents, loaded.domains) == (documents, domains)
        assert loaded.tokenizer == tokenizer
        assert loaded.signature == f"test:{name}|lang:{pair}"
        without_download(server)
        assert truebleu.load_test_set(name, pair) == loaded
        assert server.requests == []

    def test_names_of_systems(self, cache):
        """They are only text, whatever they are called."""
        loaded = truebleu.load_test_set("xml", "en-de")
        assert dict(loaded.systems) == {"../../../evil": ["A & B", "2"]}
        assert not list(cache.parent.rglob("*evil*"))
        assert repr(loaded) == (
            "TestSet(name='xml', pair='en-de', segments=2, references=1, systems=1)"
        )

    def test_systems_that_lack_documents(self):
        """They are left out, with a warning; the set is good without them, every time."""
        for _ in range(2):
            with pytest.warns(SettingsWarning, match="evil has 2 segments of 3, and is left out"):
                loaded = truebleu.load_test_set("partial", "en-de")
            assert loaded.references == [["A und B"], ["Zwei"], ["Drei"]]
            assert dict(loaded.systems) == {}

    def test_only_what_is_needed(self, server):
        """Of many archives, only those of the pair are downloaded, and each once for all sets."""
        truebleu.load_test_set("talks", "en-fr")
        assert server.paths == ["/en-fr.tgz", "/fr-en.tgz"]
        for name in ("news", "news/again", "extra"):
            truebleu.load_test_set(name, "en-de")
        assert server.paths[2:] == ["/news/test.tgz", "/plain.ref"]


class TestRefused:
    """What is not right is refused, and nothing of it is kept."""

    @pytest.mark.parametrize(
        ("name", "error", "message"),
        [
            ("uneven", LengthMismatchError, "uneven en-de: src has 3 segments but ref has 2"),
            ("linked", DownloadError, "test.tgz: sgm/readme is a link or a folder"),
            ("lacking", DownloadError, r"lacking en-de: test.tgz has no file sgm/none.sgm"),
            ("leading/out", DownloadError, r"'\.\./x\.sgm' is not a path below"),
        ],
    )
    def test_sets(self, cache, name, error, message):
        for _ in range(2):
            with pytest.raises(error, match=message):
                truebleu.load_test_set(name, "en-de")
            assert [path for path in (cache / "sets").rglob("*") if path.suffix != ".lock"] in (
                [],
                [cache / "sets" / name.replace("/", "_")],
            )

    @looped("odd", ["../x", "/etc/x", "a/../../x", "sgm//x", "sgm\\x", "c:x", ""])
    def test_paths_that_lead_out(self, odd, install):
        """A registry that was tampered with leads nowhere."""
        install(sets={"news": entry("text", ["news/test.tgz"], {"en-de": [odd, odd]})})
        with pytest.raises(DownloadError, match="is not a path below the folder of an archive"):
            truebleu.load_test_set("news", "en-de")

    def test_members_that_lead_out(self, tmp_path):
        """What an archive has besides is not unpacked, wherever it would go."""
        target = tmp_path / "out"
        for name, content in (
            ("tar", tar({"../evil": b"x", "/evil": b"x", "fine": b"y", "evil": link})),
            ("zip", packed({"../evil": "x", "/evil": "x", "fine": "y"})),
        ):
            path = tmp_path / name
            path.write_bytes(content)
            wanted = {"fine": target / "fine"}
            assert archives.extract(path, name, wanted, name) == {"fine"}
            assert (target / "fine").read_bytes() == b"y"
        assert (
            sorted(path.name for path in tmp_path.rglob("*"))
            == [*("cache", "fine", "out", "registry.json", "tar", "zip")][1:]
        )

    def test_links_in_a_zip(self, tmp_path):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            info = zipfile.ZipInfo("set.en")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
        path = tmp_path / "links.zip"
        path.write_bytes(buffer.getvalue())
        with pytest.raises(DownloadError, match=r"links\.zip: set\.en is a link"):
            archives.extract(path, "zip", {"set.en": tmp_path / "out"}, "links.zip")

    @pytest.mark.parametrize("kind", ["zip", "tar", "file"])
    def test_bombs(self, kind, tmp_path, monkeypatch):
        """Nothing larger than allowed is unpacked, and the message says how to allow it."""
        zeros = bytes(3_000_000)
        whole = {"zip": packed({"x": zeros}), "tar": tar({"x": zeros}), "file": zeros}[kind]
        path = tmp_path / "bomb"
        path.write_bytes(whole)
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "1000000")
        with pytest.raises(
            DownloadError, match=r"what is unpacked has more than 1,000,000 bytes; .*_MAX_BYTES"
        ):
            archives.extract(path, kind, {"x": tmp_path / "x"}, "bomb")
        written = tmp_path / "x"
        assert not written.exists() or written.stat().st_size <= 1_000_000
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "4000000")
        assert archives.extract(path, kind, {"x": tmp_path / "x"}, "bomb") == {"x"}

    def test_a_bomb_that_is_not_wanted(self, tmp_path, monkeypatch):
        """A tar has to be read through, and that, too, has an end."""
        path = tmp_path / "bomb"
        path.write_bytes(tar({"other": bytes(3_000_000), "x": b"x"}))
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "1000000")
        with pytest.raises(DownloadError, match="more than 1,000,000 bytes"):
            archives.extract(path, "tar", {"x": tmp_path / "x"}, "bomb")

    @looped("kind", ["zip", "tar"])
    @looped("cut", [0, 10, 60, -1000])
    def test_damaged(self, kind, cut, tmp_path):
        """An archive that ends early ends in a message."""
        noise = hashlib.shake_256(b"").digest(100_000)
        whole = {"zip": packed({"x": noise}), "tar": tar({"x": noise})}
        path = tmp_path / "cut"
        path.write_bytes(whole[kind][:cut])
        with pytest.raises(DownloadError, match=r"cut \(name\) cannot be unpacked: "):
            archives.extract(path, kind, {"x": tmp_path / "x"}, "name")

    def test_sides(self):
        with pytest.raises(errors.EmptyInputError, match="set: there is no segment in src"):
            check_sides("set", {"src": [], "ref": []})


class TestKept:
    """What was unpacked once is used, as long as it is what it was."""

    def file(self):
        return store.kept_at(find_set("news"), "en-de")

    def test_files(self):
        """The fields of a language pair are one file, with its checksum beside it."""
        truebleu.load_test_set("news", "en-de")
        path = self.file()
        fields = json.loads(path.read_text())
        assert list(fields) == ["src", "ref", "docid", "genre", "origlang"]
        assert fields["ref"] == ["Eins", "Drei", "Vier"]
        record = path.with_name(f"{path.name}.sha256")
        assert record.read_text().strip() == hashlib.sha256(path.read_bytes()).hexdigest()
        names = {each.name for each in path.parent.iterdir()} - {f"{path.name}.lock"}
        assert names == {path.name, record.name}

    @pytest.mark.parametrize("change", ["Drei", "", "[]", "{", "[" * 9999])
    def test_a_file_that_was_changed(self, change):
        """It is refused, with what was expected and what to do; which then helps."""
        loaded = truebleu.load_test_set("news", "en-de")
        path = self.file()
        content = path.read_text()
        path.write_text(content.replace("Eins", change) if change == "Drei" else change)
        with pytest.raises(DownloadError) as caught:
            truebleu.load_test_set("news", "en-de")
        message = str(caught.value)
        assert f"{path}: the SHA-256 is" in message
        assert hashlib.sha256(content.encode()).hexdigest() in message
        record = path.with_name(f"{path.name}.sha256")
        assert f"delete {record} and try again" in message
        record.unlink()
        assert truebleu.load_test_set("news", "en-de") == loaded
        assert path.read_text() == content

    @pytest.mark.parametrize("suffix", ["", ".sha256"])
    def test_a_file_that_is_missing(self, suffix):
        """It is unpacked again."""
        loaded = truebleu.load_test_set("news", "en-de")
        path = self.file()
        path.with_name(f"{path.name}{suffix}").unlink()
        assert truebleu.load_test_set("news", "en-de") == loaded

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    @pytest.mark.parametrize("suffix", ["", ".sha256"])
    def test_links(self, tmp_path, suffix):
        """None leads to a file that is written."""
        victim = tmp_path / "victim"
        victim.write_text("of mine")
        path = self.file()
        path.parent.mkdir(parents=True)
        path.with_name(f"{path.name}{suffix}").symlink_to(victim)
        assert len(truebleu.load_test_set("news", "en-de")) == 3
        assert victim.read_text() == "of mine"

    def test_another_registry(self, install):
        """If another release takes other files, they are unpacked again."""
        truebleu.load_test_set("news", "en-de")
        other = {"en-de": ["sgm/ref.de.sgm", "sgm/src.en.sgm"]}
        install(sets={"news": entry("sgml", ["news/test.tgz"], other)})
        assert truebleu.load_test_set("news", "en-de").sources == ["Eins", "Drei", "Vier"]

    def test_an_archive_that_was_changed(self, cache):
        """Its checksum is compared whenever something is unpacked."""
        truebleu.load_test_set("news", "en-de")
        [archive] = find_set("news").archives
        (cache / "archives" / archive.md5).write_bytes(FILES["/text.zip"])
        truebleu.load_test_set("news", "en-de")
        with pytest.raises(DownloadError, match=r"the MD5 is \w+, but that of test.tgz is"):
            truebleu.load_test_set("news/again", "en-de")

    @pytest.mark.parametrize("number", [3, 4])
    def test_a_write_that_fails(self, monkeypatch, number):
        """Without a checksum nothing counts."""
        original = os.fsync
        calls = []

        def fail(descriptor):
            calls.append(descriptor)
            if len(calls) == number:
                raise OSError(28, "No space left on device")
            original(descriptor)

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(DownloadError, match="No space left"):
            truebleu.load_test_set("news", "en-de")
        assert store.kept_fields(find_set("news"), "en-de") is None
        monkeypatch.setattr(os, "fsync", original)
        assert len(truebleu.load_test_set("news", "en-de")) == 3


class TestOfSacrebleu:
    """Archives that sacreBLEU has downloaded are used where they are."""

    def test_archives(self, server, tmp_path, cache):
        """An archive with the right checksum is used where it is, of whatever set it is."""
        raw = tmp_path / "theirs" / "news/again" / "raw"
        raw.mkdir(parents=True)
        (raw / "news_again.test.tgz").write_bytes(FILES["/news/test.tgz"])
        without_download(server)
        assert len(truebleu.load_test_set("news", "en-de")) == 3
        assert server.requests == []
        assert not (cache / "archives").exists()

    def test_wrong_archives(self, server, tmp_path):
        """Others are not; sacreBLEU keeps what it has downloaded in vain."""
        raw = tmp_path / "theirs" / "news" / "raw"
        raw.mkdir(parents=True)
        (raw / "news.test.tgz").write_bytes(b"<html>")
        assert len(truebleu.load_test_set("news", "en-de")) == 3
        assert server.paths == ["/news/test.tgz"]


SCRIPT = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    import truebleu
    from truebleu.test_sets import descriptions
    descriptions.SACREBLEU = Path(sys.argv[1])
    print(len(truebleu.load_test_set(sys.argv[2], "en-de")))
    """
)


def started(name):
    """Load a set in another process."""
    command = [sys.executable, "-c", SCRIPT, str(descriptions.SACREBLEU), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


class TestProcesses:
    """Several may do it at once, and one may be killed."""

    def test_at_once(self, server):
        """Everything is downloaded once, and all get the same."""
        runs = [started(name) for name in ("news", "news", "news/again", "news")]
        assert [run.communicate(timeout=300)[0] for run in runs] == ["3\n"] * 4
        assert server.paths == ["/news/test.tgz"]

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills")
    @pytest.mark.parametrize("seconds", [0, 0.05, 0.1, 0.2, 0.4])
    def test_killed(self, seconds):
        """Whenever a run is killed, the next one gets all of it."""
        run = started("news")
        time.sleep(seconds)
        run.kill()
        run.wait(300)
        run.stdout.close()
        loaded = truebleu.load_test_set("news", "en-de")
        assert loaded.references == [["Eins"], ["Drei"], ["Vier"]]

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills")
    def test_killed_while_downloading(self, server, cache, monkeypatch):
        """A partial archive is never unpacked."""
        content = FILES["/news/test.tgz"]
        original = Handler.do_GET
        asked = []

        def answer(handler):
            asked.append(handler.path)
            if len(asked) > 1:
                original(handler)
                return
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[:100])
            run.kill()

        monkeypatch.setattr(Handler, "do_GET", answer)
        run = started("news")
        run.wait(300)
        run.stdout.close()
        [archive] = find_set("news").archives
        assert not (cache / "archives" / archive.md5).exists()
        assert len(truebleu.load_test_set("news", "en-de")) == 3
        assert asked == ["/news/test.tgz"] * 2


class TestOffline:
    """Nothing connects."""

    @pytest.mark.parametrize("chosen", ["argument", "variable"])
    def test_refused(self, server, cache, monkeypatch, chosen):
        if chosen == "variable":
            monkeypatch.setenv("TRUEBLEU_OFFLINE", "1")
        with pytest.raises(DownloadError) as caught:
            truebleu.load_test_set("news", "en-de", offline=chosen == "argument" or None)
        [archive] = find_set("news").archives
        for part in (archive.urls[0], archive.md5, str(cache / "archives" / archive.md5)):
            assert part in str(caught.value)
        assert server.requests == []

    def test_what_is_there(self, monkeypatch):
        loaded = truebleu.load_test_set("news", "en-de")
        monkeypatch.setenv("TRUEBLEU_OFFLINE", "1")
        assert truebleu.load_test_set("news", "en-de") == loaded


class TestImport:
    """An archive that came by other means is known by its checksum."""

    def test_recognized(self, server, tmp_path, capsys):
        path = tmp_path / "whatever it is called"
        path.write_bytes(FILES["/news/test.tgz"])
        without_download(server)
        assert main(["data", "add", str(path)]) == 0
        assert "news, news/again, uneven" in capsys.readouterr().out
        path.unlink()
        assert len(truebleu.load_test_set("news", "en-de")) == 3
        assert server.requests == []

    @pytest.mark.parametrize("content", [b"", b"x", FILES["/news/test.tgz"][:-1]])
    def test_unknown(self, content, tmp_path, capsys):
        """An incomplete one is another one."""
        path = tmp_path / "test.tgz"
        path.write_bytes(content)
        assert main(["data", "add", str(path)]) == 2
        digest = hashlib.md5(content).hexdigest()
        assert f"has the MD5 {digest}, which is not that of" in capsys.readouterr().err

    def test_missing(self, tmp_path, capsys):
        assert main(["data", "add", str(tmp_path / "none.tgz")]) == 2
        assert "none.tgz: No such file" in capsys.readouterr().err

    def test_again(self, tmp_path, cache):
        """What is damaged is replaced."""
        path = tmp_path / "test.tgz"
        path.write_bytes(FILES["/news/test.tgz"])
        archives.import_archive(path)
        [archive] = find_set("news").archives
        kept = cache / "archives" / archive.md5
        kept.write_bytes(b"x")
        archives.import_archive(path)
        assert kept.read_bytes() == FILES["/news/test.tgz"]

    def test_what_a_download_has_left(self, cache):
        """The file that is imported may be in the folder of archives."""
        content = FILES["/news/test.tgz"]
        part = cache / "archives" / f"{hashlib.md5(content).hexdigest()}.part"
        part.parent.mkdir(parents=True)
        part.write_bytes(content)
        archives.import_archive(part)
        assert part.with_suffix("").read_bytes() == content
        assert part.read_bytes() == content


def described(folder, **changes):
    """Write a set of its own; return the path of its TOML file."""
    files = {
        "ours.en": "One\nTwo \n",
        "a.de": "Eins\nZwei\n",
        "b.de": "Ein\nZwo\n",
        "docs": "d1\nd2\n",
        **changes.pop("files", {}),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    pair = {"src": '"ours.en"', "ref": '["a.de", "b.de"]', "docid": '"docs"', **changes}
    lines = [f"{key} = {value}" for key, value in pair.items() if value is not None]
    path = folder / "ours.toml"
    path.write_text("\n".join(['[sets.ours]\nkind = "text"', "[sets.ours.pairs.en-ja]", *lines]))
    return path


class TestOwn:
    """A TOML file beside the files that it names."""

    def test_loaded(self, tmp_path):
        """By its path, and then by its name."""
        path = described(tmp_path)
        for name in (path, str(path)):
            loaded = truebleu.load_test_set(name, "en-ja")
            assert loaded.name == "ours"
            assert loaded.sources == ["One", "Two"]
            assert loaded.references == [["Eins", "Ein"], ["Zwei", "Zwo"]]
            assert loaded.documents == ["d1", "d2"]
            assert (loaded.domains, loaded.origlang, dict(loaded.systems)) == (None, None, {})
            assert loaded.tokenizer == "ja-mecab"
        assert main(["data", "add", str(path)]) == 0
        assert truebleu.load_test_set("ours", "en-ja") == loaded
        path.unlink()
        with pytest.raises(DownloadError, match=r"ours\.toml: No such file"):
            truebleu.load_test_set("ours", "en-ja")

    def test_other_kinds(self, tmp_path):
        """All that sacreBLEU has."""
        (tmp_path / "all.xml").write_bytes(XML)
        (tmp_path / "src.sgm").write_bytes(sgml("a", "b"))
        (tmp_path / "ref.sgm").write_bytes(sgml("c", "d"))
        (tmp_path / "x.tsv").write_text("a\tb\tc\n")
        path = tmp_path / "own.toml"
        for kind, source, references, expected in (
            ("wmt-xml", "all.xml", ["ref:A"], [["A und B"], ["Zwei"]]),
            ("wmt-xml", "all.xml", ["ref:A", "ref:B"], [["A und B", "A, B"], ["Zwei", ""]]),
            ("sgml", "src.sgm", ["ref.sgm"], [["c"], ["d"]]),
            ("tsv", "0:x.tsv", ["2:x.tsv"], [["c"]]),
        ):
            path.write_text(
                f'[sets.own]\nkind = "{kind}"\n[sets.own.pairs.en-de]\nsrc = "{source}"\n'
                f"ref = {json.dumps(references)}\n"
            )
            assert truebleu.load_test_set(path, "en-de").references == expected

    def test_checksums(self, tmp_path):
        right = hashlib.sha256(b"Eins\nZwei\n").hexdigest()
        path = described(tmp_path)
        path.write_text(f'{path.read_text()}\n[sets.ours.sha256]\n"a.de" = "{right.upper()}"\n')
        assert len(truebleu.load_test_set(path, "en-ja")) == 2
        (tmp_path / "a.de").write_text("Eins\nDrei\n")
        with pytest.raises(DownloadError, match=rf"a\.de has the SHA-256 \w+, but .* says {right}"):
            truebleu.load_test_set(path, "en-ja")

    @looped(
        "changes, error, message",
        [
            ({"files": {"b.de": "Ein\n"}}, LengthMismatchError, "src has 2 segments but ref:1 has"),
            ({"files": {"docs": "d\n" * 3}}, LengthMismatchError, "but docid has 3"),
            ({"src": '"../x"'}, InputError, r"'\.\./x' is not a path in the folder"),
            ({"src": '"/etc/passwd"'}, InputError, "is not a path in the folder"),
            ({"src": '"none"'}, DownloadError, "none: No such file"),
            ({"src": '"a\\u0000"'}, InputError, r"'a\\x00' is not a path in the folder"),
            ({"src": '"."'}, InputError, r"'\.' is not a regular file"),
            ({"files": {"b.de": b"\xff\n"}}, EncodingError, r"b\.de, line 1, byte 1: not UTF-8$"),
            ({"src": None}, InputError, r"\[sets\.ours\.pairs\.en-ja\] lacks 'src'"),
            ({"ref": "[]"}, InputError, r"has ref = \[\]; a string or a list of strings"),
            ({"ref": "[1]"}, InputError, "has 1 in ref; a string is needed"),
            ({"src": "3"}, InputError, "has src = 3; a string is needed"),
            (
                {"reff": '"x"'},
                InputError,
                "unknown key 'reff'; choose one of src, ref, docid, domain, origlang",
            ),
            ({"src": "= ="}, InputError, r"ours\.toml is not TOML: "),
        ],
    )
    def test_wrong(self, tmp_path, changes, error, message):
        """The message says which file, which table, and what is needed."""
        path = described(tmp_path, **changes)
        with pytest.raises(error, match=message) as caught:
            truebleu.load_test_set(path, "en-ja")
        assert type(caught.value) is error

    @looped(
        "text, message",
        [
            ("", "the file lacks 'sets'"),
            ("set = 1", "the file has the unknown key 'set'; choose one of sets"),
            ("sets = 1", r"\[sets\] is not a table"),
            ("[sets]", "has 0 test sets"),
            (
                "[sets.a]\nkind='x'\n[sets.a.pairs]",
                r"\[sets.a\] has kind = 'x'; choose one of text",
            ),
            ("[sets.'a|b']\nkind='text'\n[sets.'a|b'.pairs]", "is called 'a|b'; letters, digits"),
            ("[sets.a]\nkind='text'\n[sets.a.pairs.ende]", r"\[sets.a.pairs\] has 'ende'; a lang"),
            (
                "[sets.a]\nkind='text'\n[sets.a.pairs]\n[sets.b]\nkind='tsv'\n[sets.b.pairs]",
                r"has 2 test sets \(a, b\), but one is needed: use `truebleu data add ",
            ),
        ],
    )
    def test_no_set(self, tmp_path, text, message):
        path = tmp_path / "odd.toml"
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            truebleu.load_test_set(path, "en-de")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only POSIX has named pipes")
    @pytest.mark.parametrize("kind", ["pipe", "device"])
    def test_a_file_without_end(self, tmp_path, kind):
        """A pipe is not waited for, and a device is not read."""
        path = described(tmp_path, src='"endless"')
        if kind == "pipe":
            os.mkfifo(tmp_path / "endless")
        else:
            (tmp_path / "endless").symlink_to("/dev/zero")
        with pytest.raises(InputError, match="'endless' is not a regular file"):
            truebleu.load_test_set(path, "en-ja")

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    @pytest.mark.parametrize("linked", ["file", "folder"])
    def test_a_link_out_of_the_folder(self, tmp_path, linked):
        """Only files in the folder of the TOML file are read; links inside it are followed."""
        folder = tmp_path / "set"
        folder.mkdir()
        (tmp_path / "secret").write_text("x\n" * 3)
        (folder / "inside").write_text("x\n" * 3)
        (folder / "here").symlink_to("inside")
        if linked == "file":
            (folder / "out").symlink_to("../secret")
        else:
            (folder / "up").symlink_to("..")
        name = "out" if linked == "file" else "up/secret"
        toml = folder / "own.toml"
        text = '[sets.o]\nkind = "text"\n[sets.o.pairs.en-ja]\nsrc = "here"\nref = "{}"\n'
        toml.write_text(text.format(name))
        with pytest.raises(InputError, match=f"'{name}' is a link that leads out of the folder"):
            truebleu.load_test_set(toml, "en-ja")
        toml.write_text(text.format("inside"))
        assert len(truebleu.load_test_set(toml, "en-ja")) == 3

    @pytest.mark.parametrize(
        ("kind", "name", "content"),
        [
            ("text", "x.gz", b"a\n" * 150_000),
            ("text", "x.gz", bytes(300_000)),
            ("tsv", "x.tsv.gz", b"a\tb\n" * 75_000),
            ("sgml", "x.sgm.gz", sgml(*["a"] * 10_000)),
            ("wmt-xml", "x.xml.gz", XML + b" " * 300_000),
            ("jsonl", "x.jsonl.gz", b'{"source": "aaaaaaa", "target": "b"}\n' * 15_000),
        ],
    )
    def test_bombs(self, tmp_path, monkeypatch, kind, name, content):
        """What is decompressed has the limit of archives, and the message says how to raise it."""
        (tmp_path / name).write_bytes(gzip.compress(content))
        path = tmp_path / "own.toml"
        reference = "ref:A" if kind == "wmt-xml" else name
        path.write_text(
            f'[sets.own]\nkind = "{kind}"\n[sets.own.pairs.en-de]\nsrc = "{name}"\n'
            f'ref = "{reference}"\n'
        )
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", "100000")
        message = rf"{name}: what is unpacked has more than 100,000 bytes; .* TRUEBLEU_MAX_BYTES"
        with pytest.raises(DownloadError, match=message):
            truebleu.load_test_set(path, "en-de")
        monkeypatch.setenv("TRUEBLEU_MAX_BYTES", str(len(content)))
        assert len(truebleu.load_test_set(path, "en-de")) > 0

    @pytest.mark.parametrize(
        ("kind", "name", "content", "unit"),
        [
            ("text", "x", b"\n" * 1001, "lines"),
            ("text", "x.gz", gzip.compress(b"\n" * 1001, mtime=0), "lines"),
            ("tsv", "x.tsv.gz", gzip.compress(b"a\tb\n" * 1001, mtime=0), "lines"),
            ("sgml", "x.sgm", b"\n" * 800 + sgml(*["a"] * 200), "lines"),
            ("wmt-xml", "x.xml", XML.replace(b"<hyp", b"<a/>" * 999 + b"<hyp"), "elements"),
            ("jsonl", "x.jsonl", b'{"source": "a", "target": "b"}\n' * 1001, "rows"),
            ("parquet", "x.parquet", None, "rows"),
        ],
    )
    def test_lines_are_limited(self, tmp_path, monkeypatch, kind, name, content, unit):
        """However few bytes it has, no file has more lines, rows or elements than allowed."""
        if content is None:
            table = pa.table({"source": [""] * 1001, "target": [""] * 1001})
            parquet.write_table(table, tmp_path / name)
        else:
            (tmp_path / name).write_bytes(content)
        path = tmp_path / "own.toml"
        reference = "ref:A" if kind == "wmt-xml" else name
        path.write_text(
            f'[sets.own]\nkind = "{kind}"\n[sets.own.pairs.en-de]\nsrc = "{name}"\n'
            f'ref = "{reference}"\n'
        )
        monkeypatch.setenv("TRUEBLEU_MAX_LINES", "1000")
        with pytest.raises(
            DownloadError, match=rf"{name} has more than 1,000 {unit}; .*_MAX_LINES"
        ):
            truebleu.load_test_set(path, "en-de")
        monkeypatch.setenv("TRUEBLEU_MAX_LINES", "2000")
        assert len(truebleu.load_test_set(path, "en-de")) > 0

    def test_names_of_others(self, tmp_path, capsys):
        """No set takes the name of one of sacreBLEU's."""
        path = described(tmp_path)
        path.write_text(path.read_text().replace("ours", "news"))
        assert main(["data", "add", str(path)]) == 2
        assert "news is the name of a test set of sacreBLEU's" in capsys.readouterr().err

    @pytest.mark.parametrize("damage", ["{", "[" * 9999], ids=["cut", "deep"])
    def test_a_damaged_list(self, tmp_path, cache, damage):
        described(tmp_path)
        (cache / "sets").mkdir(parents=True)
        (cache / "sets" / "added.json").write_text(damage)
        with pytest.raises(DownloadError, match=r"added\.json is damaged"):
            find_set("ours")


def printed(capsys, *arguments):
    """Run the command as JSON; return what it prints."""
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


class TestData:
    """``truebleu data``."""

    def test_list(self, capsys, tmp_path):
        """All sets, those on disk, and those that were added."""
        main(["data", "get", "news"])
        main(["data", "add", str(described(tmp_path))])
        capsys.readouterr()
        rows = {row["test set"]: row for row in printed(capsys, "data", "list")}
        assert set(rows) == {*SETS, *shipped_sets(), "ours"}
        assert rows["news"]["on disk"] == rows["ours"]["on disk"] == 1
        assert rows["text"] == {
            "test set": "text",
            "pairs": 1,
            "on disk": 0,
            "description": "made up, text",
        }
        found = printed(capsys, "data", "list", "-l", "en-ja")
        names = [row["test set"] for row in found if row["test set"] not in shipped_sets()]
        assert names == ["table", "ours"]
        assert main(["data", "list", "-l", "xx-yy"]) == 2
        assert (
            "no test set has the language pair xx-yy; choose from en-de, en-fr, en-ja"
            in capsys.readouterr().err
        )

    def test_show_and_get(self, capsys, cache):
        [row] = printed(capsys, "data", "list", "xml", "-l", "en-de")
        assert (row["references"], row["bytes"], row["where"]) == (1, 0, "not on disk")
        [row] = printed(capsys, "data", "get", "xml", "-l", "en-de")
        assert (row["segments"], row["references"]) == (2, 1)
        [path] = (cache / "sets" / "xml").glob("en-de.*.json")
        assert row["where"] == str(path)
        [row] = printed(capsys, "data", "list", "xml")
        assert row["bytes"] == path.stat().st_size
        path.unlink()
        [row] = printed(capsys, "data", "list", "xml")
        assert row["where"] == str(cache / "archives")
        assert main(["data", "list", "xml"]) == 0
        assert capsys.readouterr().out.startswith("xml: made up, wmt-xml\n")

    def test_names_with_a_colon(self, capsys, tmp_path):
        """Only a number before the colon is a column, and only in a table."""
        name = "2:ours.en"
        path = described(tmp_path, src=f'"{name}"', files={name: "One\nTwo\n"})
        [row] = printed(capsys, "data", "list", str(path))
        used = (name, "a.de", "b.de", "docs")
        assert row["bytes"] == sum((tmp_path / each).stat().st_size for each in used)
        (tmp_path / "a:x.tsv").write_text("a\tb\n")
        path.write_text(
            '[sets.own]\nkind = "tsv"\n[sets.own.pairs.en-de]\nsrc = "a:x.tsv"\nref = "1:a:x.tsv"\n'
        )
        [row] = printed(capsys, "data", "list", str(path))
        assert row["bytes"] == len("a\tb\n")

    def test_verify(self, capsys, cache, tmp_path):
        """Archives and sets, each with what is wrong with it."""
        assert main(["data", "check"]) == 0
        assert capsys.readouterr().out == "there is no test set on disk\n"
        main(["data", "get", "news", "text"])
        main(["data", "add", str(described(tmp_path))])
        capsys.readouterr()
        rows = printed(capsys, "data", "check")
        assert [row["what"] for row in rows] == [
            *("test.tgz", "text.zip", "news en-de", "text en-de", "ours en-ja")
        ]
        assert {row["problem"] for row in rows} == {""}
        assert [row["what"] for row in printed(capsys, "data", "check", "text")] == [
            *("text.zip", "text en-de")
        ]
        [path] = (cache / "sets" / "news").glob("en-de.*.json")
        path.write_text("{}")
        [archive] = find_set("text").archives
        (cache / "archives" / archive.md5).write_bytes(b"x")
        (tmp_path / "a.de").write_text("")
        assert main(["data", "check", "--format", "json"]) == 1
        captured = capsys.readouterr()
        wrong = {row["what"]: row["problem"] for row in json.loads(captured.out) if row["problem"]}
        assert f"{path}: the SHA-256 is" in wrong.pop("news en-de")
        assert f"but {archive.md5} was published" in wrong.pop("text.zip")
        assert "src has 2 segments but ref:0 has 0" in wrong.pop("ours en-ja")
        assert wrong == {}
        assert captured.err == "truebleu: 3 of 5 failed verification\n"


class TestScoring:
    """``-t`` and ``-l`` in place of ``-r``."""

    SET = ("-t", str(EXAMPLES / "test_set.toml"), "-l", "de-en")
    FILES = ("-r", str(EXAMPLES / "reference-a.en"), str(EXAMPLES / "reference-b.en"))
    SYSTEM = str(EXAMPLES / "system-weak.en")
    STRONG = str(EXAMPLES / "system-strong.en")
    FIELDS = "|version:truebleu-0.1.0|test:example|lang:de-en"

    @looped(
        "command",
        [
            ["score", "-m", "bleu", "chrf++", "ter"],
            ["segments", "--format", "jsonl"],
            ["score", "--confidence"],
            ["compare"],
            ["compare", "-m", "bleu", "chrf"],
            ["compare", "--format", "tsv"],
            ["explain"],
            ["explain", "--segment", "3", "--format", "json"],
            ["audit"],
            ["audit", "--format", "json"],
        ],
    )
    def test_the_same_as_with_files(self, command, capsys):
        """Every command that takes references takes those of a test set."""
        name, *options = command
        systems = [self.SYSTEM, self.STRONG]
        systems = systems if name in ("score", "compare") else systems[:1]
        files = self.FILES
        if name == "compare" or "--confidence" in options:
            files += ("--units", str(EXAMPLES / "documents.txt"))
        outputs = []
        for references in (files, self.SET):
            assert main([name, *systems, *references, *options]) == 0
            outputs.append(capsys.readouterr().out)
        assert (self.FIELDS in outputs[1]) == ("signature" in outputs[1] or name != "audit")
        plain = outputs[1].replace("|test:example|lang:de-en", "")
        plain = plain.replace("as recorded in the data.", "as given.")
        assert [line for line in plain.split("\n") if "References: " not in line] == (
            outputs[0].split("\n")
        )

    def test_what_is_said(self, capsys):
        """The note has the set and the tokenizer, the signature has the set."""
        assert main(["score", self.SYSTEM, *self.SET]) == 0
        *_, signature, note = capsys.readouterr().out.splitlines()
        assert signature.endswith("|version:truebleu-0.1.0|test:example|lang:de-en")
        assert note == (
            "References: example de-en, 72 segments, 2 references each. Tokenizer of BLEU: 13a, "
            "as in sacreBLEU."
        )
        [row] = printed(capsys, "score", self.SYSTEM, *self.SET)
        assert row["signature"] == signature
        assert main(["score", self.SYSTEM, *self.SET, "--format", "tsv"]) == 0
        assert capsys.readouterr().out.rstrip("\n").endswith(signature)
        with pytest.warns(truebleu.SettingsWarning) as caught:
            read = truebleu.Bleu.from_signature(signature)
        assert read == truebleu.Bleu(effective_order=False)
        assert any("(test:example, lang:de-en)" in str(each.message) for each in caught)

    def test_every_signature(self, capsys):
        """Every one that is printed has the set, once, in values and in tables."""
        for command in (
            ["compare", self.SYSTEM, self.STRONG, "-m", "bleu", "ter"],
            ["explain", self.SYSTEM],
            ["audit", self.SYSTEM],
        ):
            assert main([*command, *self.SET, "--format", "json"]) == 0
            out = capsys.readouterr().out
            assert out.count("|version:") == out.count(self.FIELDS) > 0
        assert main(["segments", self.SYSTEM, *self.SET, "--format", "jsonl", "-m", "chrf"]) == 0
        for line in capsys.readouterr().out.splitlines():
            assert json.loads(line)["signature"].endswith(self.FIELDS)

    def test_documents(self, capsys, tmp_path):
        """They are resampled, unless others are given."""
        command = ["compare", self.SYSTEM, self.STRONG, *self.SET]
        others = tmp_path / "documents"
        others.write_text("one\n" * 36 + "other\n" * 36)
        own = ["--units", str(others)]
        for options, units, differing in (([], "documents", 10), (own, "documents", 2)):
            found = printed(capsys, *command, *options)
            assert (found["units"], found["pairs"][0]["differing"]) == (units, differing)

    @pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "chrf"]])
    def test_report(self, tmp_path, metrics):
        """The page has the signature, the sources and the documents of the set."""
        pytest.importorskip("jinja2")
        pages = []
        documents = str(EXAMPLES / "documents.txt")
        for references in (
            self.SET,
            (
                *self.FILES,
                "-l",
                "de-en",
                "--units",
                documents,
                "--sources",
                str(EXAMPLES / "source.de"),
            ),
        ):
            page = tmp_path / "report.html"
            command = ["report", self.SYSTEM, self.STRONG, "-o", str(page), *references]
            assert main([*command, "-m", *metrics]) == 0
            pages.append(page.read_text("utf-8"))
        quotes = [re.findall("(?s)<pre.*?</pre>", page) for page in pages]
        assert "-t test_set.toml -l de-en" in quotes[0][-1]
        pages = [re.sub("(?s)<pre.*?</pre>", "", page) for page in pages]
        assert pages[0].count(self.FIELDS) == len(metrics)
        facts = [
            list(map(self.facts, re.findall('id="data-facts[^>]*>([^<]+)', page))) for page in pages
        ]
        assert len(facts[0]) == len(metrics)
        for one, other in zip(*facts, strict=True):
            assert one == other
        # Nothing else differs.
        without = [re.sub('(?s)(id="data-facts[^>]*>)[^<]+', r"\1", page) for page in pages]
        plain = without[0].replace("|test:example|lang:de-en", "")
        assert plain.replace("as recorded in the data.", "as given.") == without[1]

    @staticmethod
    def facts(data):
        """Return what a page says, without the fields of the test set."""
        text = gzip.decompress(base64.b64decode(data)).decode()
        return json.loads(text.replace("|test:example|lang:de-en", ""))

    def test_the_tokenizer_of_the_language(self, capsys, tmp_path):
        """It is sacreBLEU's, unless another one or a dialect is chosen."""
        system = tmp_path / "system"
        system.write_text("x\ny\n")
        path = described(tmp_path)
        path.write_text(path.read_text().replace("en-ja", "en-zh"))
        chosen = {
            (): "tok:zh|",
            ("--tokenizer", "char"): "tok:char|",
            ("--dialect", "nltk"): "tok:none|",
            ("-m", "chrf"): "nc:6|",
        }
        notes = {
            (): "Tokenizer of BLEU: zh, as in sacreBLEU.",
            ("--tokenizer", "char"): "Tokenizer of BLEU: char; in sacreBLEU zh.",
        }
        for options, field in chosen.items():
            command = ["score", str(system), "-t", str(path), "-l", "en-zh", *options]
            assert main(command) == 0
            out = capsys.readouterr().out
            assert field in out
            assert notes.get(options, "2 references each.\n") in out

    def test_a_registered_set(self, capsys, tmp_path):
        """With several sets and references, too; CR and byte-order marks stay in their lines."""
        system = tmp_path / "system"
        system.write_text("A und B\nZwei\n")
        arguments = ("-t", "xml", "-l", "en-de", "--max-order", "1")
        [row] = printed(capsys, "score", str(system), *arguments)
        assert row["score"] == 100.0
        assert row["ref_len"] == 4
        path = described(tmp_path, files={"a.de": "\ufeffA\rB und C\nZwei \rDrei\n"}, ref='"a.de"')
        system.write_text("\ufeff\ufeffA B und C\nZwei Drei\n")
        lines = ["\ufeffA\rB und C", "Zwei \rDrei"]
        assert truebleu.load_test_set(path, "en-ja").references == [[line] for line in lines]
        arguments = ("-t", str(path), "-l", "en-ja", "--tokenizer", "13a", "--max-order", "1")
        [row] = printed(capsys, "score", str(system), *arguments)
        assert row["score"] == 100.0
