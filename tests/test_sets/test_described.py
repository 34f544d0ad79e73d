"""Test sets that a description downloads: archives, files, JSON Lines, every pair of languages."""

import gzip
import hashlib
import io
import json
import re
import tarfile
import zipfile

import pytest
import truebleu
from loopback import serving
from truebleu import InputError, LengthMismatchError
from truebleu.cli import main
from truebleu.errors import DownloadError, TruebleuError, UnknownNameError
from truebleu.test_sets.registry import shipped_sets

ROWS = [
    {"s": "Not\nthis", "refs": {"A": "x"}, "bad": True, "doc": "d0"},
    {"s": "One\nmore", "refs": {"A": "Eins\nmehr"}, "bad": False, "doc": "d1"},
]
FILES = {
    "in/en.txt": "One\nTwo\n",
    "in/deu.txt": "Eins\nZwei\n",
    "in/kor.txt": "하나\n둘\n",
    "in/docs": "d1\nd2\n",
    "in/all.jsonl": "".join(f"{json.dumps(row)}\n" for row in ROWS),
}


def packed(kind, files=FILES):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, text in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


GENERATED = """kind = "text"
license = "CC0"
tokenizer = "char"
[sets."x:y".languages]
file = "in/{}.txt"
docid = "in/docs"
codes = {en = "en", de = "deu", ko = "kor"}
"""
LINES = """kind = "jsonl"
skip = "bad"
[sets."x:y".pairs.en-de]
src = "s:in/all.jsonl"
ref = "refs.A:in/all.jsonl"
docid = "doc:in/all.jsonl"
"""


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRUEBLEU_MIRROR", raising=False)


@pytest.fixture
def server():
    files = {f"/{name}": text.encode() for name, text in FILES.items()}
    files |= {"/a.zip": packed("zip"), "/a.tar.gz": packed("tar")}
    with serving(files=files) as running:
        yield running


def described(tmp_path, url, body, more=""):
    path = tmp_path / "x.toml"
    path.write_text(f'[sets."x:y"]\nurl = {json.dumps(url)}\n{more}{body}')
    return path


@pytest.mark.parametrize("place", ["a.zip", "a.tar.gz", ""])
def test_round_trips(server, tmp_path, capsys, place):
    """The same from files and archives, from a mirror that has them, and then without a network."""
    urls = [f"{server.base}/none/{place}", f"{server.base}/{place}"]
    path = described(tmp_path, urls, GENERATED)
    loaded = truebleu.load_test_set(path, "en-ko")
    assert (loaded.sources, loaded.references) == (["One", "Two"], [["하나"], ["둘"]])
    assert (loaded.documents, loaded.tokenizer) == (["d1", "d2"], "char")
    assert loaded.signature == "test:x:y|lang:en-ko"
    assert truebleu.load_test_set(path, "en-kor", offline=True).sources == loaded.sources
    with pytest.raises(UnknownNameError, match="no language pair 'en-en'"):
        truebleu.load_test_set(path, "en-en")
    assert main(["data", "add", str(path)]) == main(["data", "check", "x:y"]) == 0
    assert truebleu.load_test_set(path, "en-ko", offline=True).sources == loaded.sources
    capsys.readouterr()
    assert main(["data", "list", "--format", "tsv"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("x:y"))
    assert row.split("\t")[1:3] == ["6", "6" if place else "2"]
    assert row.endswith("; CC0")

    path = described(tmp_path, urls, LINES)
    loaded = truebleu.load_test_set(path, "en-de")
    assert (loaded.sources, loaded.references) == (["One\nmore"], [["Eins\nmehr"]])
    assert loaded.documents == ["d1"]
    # What was unpacked is kept, as long as the description is the same.
    for kept in (tmp_path / "cache" / "archives").iterdir():
        kept.unlink()
    assert truebleu.load_test_set(path, "en-de", offline=True) == loaded
    described(tmp_path, urls, LINES.replace('"bad"', '"doc"'))
    with pytest.raises(DownloadError, match="downloads are off"):
        truebleu.load_test_set(path, "en-de", offline=True)


def test_shared_archives(server, tmp_path):
    """Several archives of a description, one of them a compressed file, with checksums."""
    path = tmp_path / "x.toml"
    server.files |= {"/de.gz": gzip.compress(b"A\nB\n"), "/de": b"C\nD\n"}
    names = ("a.zip", "de.gz", "de")
    md5s = {name: hashlib.md5(server.files[f"/{name}"]).hexdigest() for name in names}
    text = "".join(
        f"[archives.'{name}']\nurl = '{server.base}/{name}'\nmd5 = '{md5}'\n"
        for name, md5 in md5s.items()
    )
    text += "[sets.x]\nkind = 'text'\narchives = ['a.zip', 'de.gz', 'de']\n"
    text += "[sets.x.pairs.en-de]\nsrc = 'in/en.txt'\nref = ['in/deu.txt', 'de.gz', 'de']\n"
    path.write_text(text)
    assert truebleu.load_test_set(path, "en-de").references == [["Eins", *"AC"], ["Zwei", *"BD"]]
    for old, new, error, message in (
        (md5s["de.gz"], "0" * 32, DownloadError, "MD5"),
        (md5s["de.gz"], "../../x", InputError, "32 hexadecimal digits are needed"),
        ("archives = ", "url = 'https://x/y.zip'\narchives = ", InputError, "both 'url' and"),
        ("['a.zip'", "['none'", InputError, "[archives] lacks 'none'"),
    ):
        path.write_text(text.replace(old, new))
        with pytest.raises(error, match=re.escape(message)):
            truebleu.load_test_set(path, "en-de")


def test_parquet(tmp_path):
    """Columns and fields of columns, as of JSON Lines; what is no such table is refused."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "in").mkdir()
    table = tmp_path / "in/all.parquet"
    path = tmp_path / "x.toml"
    path.write_text(f'[sets."x:y"]\n{LINES}'.replace("jsonl", "parquet"))
    pq.write_table(pa.Table.from_pylist(ROWS), table)
    loaded = truebleu.load_test_set(path, "en-de")
    assert (loaded.sources, loaded.references) == (["One\nmore"], [["Eins\nmehr"]])
    assert loaded.documents == ["d1"]
    for content, message in (
        (b"PAR1", "all.parquet: no valid table"),
        ([{"s": "x"}], "all.parquet has no column 'bad'; choose one of s"),
        ([{"s": 1, "bad": False}], "all.parquet: 's' is a column of Int64"),
        ([{"s": None, "bad": False}], "all.parquet"),
    ):
        if isinstance(content, bytes):
            table.write_bytes(content)
        else:
            pq.write_table(pa.Table.from_pylist(content), table)
        with pytest.raises(TruebleuError, match=re.escape(message)):
            truebleu.load_test_set(path, "en-de")


@pytest.mark.parametrize(
    ("name", "pair", "meant"),
    [
        ("flores200", "en-ko", "flores200:dev or flores200:devtest"),
        ("wmt24++", "en-de_DE", "wmt24 or wmt24pp"),
        ("ntrex-128", "en-ko", "ntrex128"),
        ("ntrex128", "eng-kor", "en-ko"),
        ("flores200:dev", "en-kor", "en-ko"),
        ("flores200:dev", "En-de", "en-de"),
        ("wmt24pp", "en-de", "en-de_DE"),
        ("wmt19/google/ar", "de-en", "en-de"),
    ],
)
def test_what_was_meant(name, pair, meant):
    """Unknown names of sets and languages are answered with similar ones, of all sets."""
    with pytest.raises(UnknownNameError, match=f"did you mean {re.escape(meant)}[?]"):
        truebleu.load_test_set(name, pair)


@pytest.mark.parametrize("place", ["a.zip", ""])
def test_a_wrong_checksum(server, tmp_path, place):
    """Nothing is kept of what is not expected, nor of what a corrected description said."""
    name = place or "in/en.txt"
    more = f"sha256 = {{{json.dumps(name)} = '{'0' * 64}'}}\n"
    path = described(tmp_path, f"{server.base}/{place}", GENERATED, more)
    with pytest.raises(DownloadError, match="the SHA-256 is"):
        truebleu.load_test_set(path, "en-ko")
    with pytest.raises(DownloadError, match="downloads are off"):
        truebleu.load_test_set(path, "en-ko", offline=True)
    right = hashlib.sha256(server.files[f"/{name}"]).hexdigest()
    path.write_text(path.read_text().replace("0" * 64, right))
    assert truebleu.load_test_set(path, "en-ko").sources == ["One", "Two"]


@pytest.mark.parametrize(
    ("url", "change", "error", "message"),
    [
        ("/a.rar", {}, InputError, "ends in the same .zip"),
        ("/a.zip", {"in/{}": "../{}"}, DownloadError, "is not a path below the folder"),
        ("/", {"in/{}": "../{}"}, DownloadError, "is not a path below the folder"),
        ("/", {"in/{}": "/etc/{}"}, DownloadError, "is not a path below the folder"),
        ("/a.zip", {"in/{}": "un/{}"}, DownloadError, "a.zip has no file un/en.txt"),
        ("/", {"in/{}": "un/{}"}, DownloadError, "404"),
        ("/", {"char": "chat"}, InputError, "has tokenizer = 'chat'; choose one of"),
        ("/", {"ko = ": '"k-o" = '}, InputError, "has the language 'k-o'"),
    ],
)
def test_wrong(server, tmp_path, url, change, error, message):
    body = GENERATED
    for old, new in change.items():
        body = body.replace(old, new)
    path = described(tmp_path, server.base + url, body)
    with pytest.raises(error, match=re.escape(message)):
        truebleu.load_test_set(path, "en-ko")


@pytest.mark.parametrize("line", ["", "[]", "{", '{"s": 1, "bad": 0}', '{"s": "x"}', "[" * 9999])
def test_wrong_lines(tmp_path, line):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/all.jsonl").write_text(f"{line}\n")
    (tmp_path / "x.toml").write_text(f'[sets."x:y"]\n{LINES}')
    with pytest.raises(TruebleuError, match=rf"{re.escape(str(tmp_path))}/in/all\.jsonl"):
        truebleu.load_test_set(tmp_path / "x.toml", "en-de")


def test_local_checksums(tmp_path, capsys):
    """What lies beside the description is compared with what was written."""
    (tmp_path / "in").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = tmp_path / "x.toml"
    path.write_text(f'[sets."x:y"]\n{GENERATED}')
    assert main(["data", "check", str(path)]) == 0
    assert len(truebleu.load_test_set(path, "en-ko")) == 2
    assert main(["data", "check", "none.toml"]) != 0
    path.write_text(f'[sets."x:y"]\n{LINES}where = {{ doc = "d3" }}\n')
    assert main(["data", "check", str(path)]) == 1
    assert "there is no row with {'doc': 'd3'}" in capsys.readouterr().out
    path.write_text(path.read_text().replace("d3", "d1"))
    assert main(["data", "check", str(path)]) == 0
    digest = hashlib.sha256(FILES["in/kor.txt"].encode()).hexdigest()
    path.write_text(f'[sets."x:y"]\nsha256 = {{ "in/kor.txt" = "{digest}" }}\n{GENERATED}')
    assert len(truebleu.load_test_set(path, "en-ko")) == 2
    (tmp_path / "in/kor.txt").write_text("x\ny\n")
    with pytest.raises(DownloadError, match=r"kor\.txt has the SHA-256"):
        truebleu.load_test_set(path, "en-ko")


@pytest.mark.parametrize("name", ["flores200:devtest", "ntrex128", "wmt24pp", "wmt25"])
def test_shipped(monkeypatch, tmp_path, name):
    """Files of the described layout, made up, from a mirror; real checksums refuse them."""
    own = shipped_sets()[name]
    mirror = tmp_path / "mirror"
    urls = [*own.folders, *(url for each in own.archives for url in each.urls)]
    place = mirror / urls[0].removeprefix("https://")
    if own.archives:
        place.parent.mkdir(parents=True)
        inside = "flores200_dataset/devtest/{}.devtest"
        files = {inside.format(code): f"{code}\n" for code in ("eng_Latn", "kor_Hang")}
        place.write_bytes(packed("tar", files))
    else:
        place.mkdir(parents=True)
        (place / "NTREX-128").mkdir()
        row = {"source": "a", "target": "b", "document_id": "d", "domain": "news"}
        lines = [json.dumps({**row, "is_bad_source": bad}) for bad in (True, False)]
        (place / "en-ko_KR.jsonl").write_text("\n".join(lines))
        row = {"src_lang": "en", "src_text": "a\nb\n\nc", "doc_id": "d", "domain": "news"}
        rows = [
            row | {"tgt_lang": "it_IT", "refs": {}},
            row | {"tgt_lang": "ko_KR", "refs": {"refA": {"ref": "가\n나\n\n다"}}},
        ]
        (place / "wmt25-genmt.jsonl").write_text("\n".join(map(json.dumps, rows)))
        for each in ("DOCUMENT_IDS.tsv", *map(own_file, ("src.eng", "ref.kor"))):
            (place / each).write_text("x\n")
    monkeypatch.setenv("TRUEBLEU_MIRROR", str(mirror))
    pair = "en-ko_KR" if name.startswith("wmt") else "en-ko"
    if own.sha256:
        with pytest.raises(DownloadError, match="the SHA-256 is"):
            truebleu.load_test_set(name, pair, offline=True)
        return
    assert "not verified" in own.about
    loaded = truebleu.load_test_set(name, pair, offline=True)
    assert len(loaded) == 1 + bool(own.split)
    if own.split:
        assert loaded.sources == ["a\nb", "c"]
        assert loaded.references == [["가\n나"], ["다"]]
        assert loaded.documents == ["d", "d"]
        assert truebleu.load_test_set(name, pair, offline=True) == loaded
        lines = (place / "wmt25-genmt.jsonl").read_text().replace("\\n\\nc", "")
        (place / "wmt25-genmt.jsonl").write_text(lines)
        monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "other"))
        with pytest.raises(LengthMismatchError, match=r"text 1 of src has 1 parts .* ref has 2"):
            truebleu.load_test_set(name, pair, offline=True)
        monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
    assert loaded.tokenizer == ("flores200" if own.archives else "ko-mecab")
    assert own.license
    assert "not verified" not in own.about


def own_file(code):
    return f"NTREX-128/newstest2019-{code}.txt"
