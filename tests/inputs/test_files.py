"""Files are the lines of their text, however they are read; compressed ones as a whole or not."""

import bz2
import contextlib
import errno
import functools
import gzip
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import truebleu
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from truebleu import errors
from truebleu._core import TOKENIZERS, Lines
from truebleu.cli import main
from truebleu.errors import InputError, SettingsError
from truebleu.inputs import files, sequences
from truebleu.inputs import lines as open_files
from truebleu.inputs.files import LineFile

_ZSTD = zstandard.ZstdCompressor(write_checksum=True)
COMPRESS = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": _ZSTD.compress,
}
TOOLS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
FIRST = b"".join(b"%d a line of text\n" % number for number in range(400))
SECOND = b"".join(b"%d another line\n" % (number * 7919 % 10007) for number in range(400))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder for files that are written again and again."""
    return tmp_path_factory.mktemp("compressed")


def read(folder, suffix, data):
    """Return the lines of a file of these bytes, or None if it is refused."""
    path = folder / f"file.{suffix}"
    path.write_bytes(data)
    lines = []
    try:
        with LineFile(str(path), 1 << 12) as file:
            while count := file.fill():
                lines += file.lines.texts(count)
                file.lines.drop_front(count)
    except (OSError, errors.EncodingError):
        return None
    return "".join(line + "\n" for line in lines).encode()


@functools.cache
def compressed(suffix, part):
    """Compress a part."""
    return COMPRESS[suffix](part)


def streams(suffix, parts):
    """Compress each part by itself."""
    return b"".join(compressed(suffix, part) for part in parts)


@pytest.mark.parametrize("suffix", COMPRESS)
@given(
    st.lists(st.sampled_from([b"", b"a\n", FIRST, SECOND, SECOND * 400]), min_size=1, max_size=4)
)
@settings(deadline=None, max_examples=25)
def test_all_streams_are_read(folder, suffix, parts):
    """A file of several streams is the text of all of them."""
    assert read(folder, suffix, streams(suffix, parts)) == b"".join(parts)


@pytest.mark.parametrize("suffix", COMPRESS)
@given(st.data())
@settings(deadline=None, max_examples=150)
def test_a_file_that_is_cut(folder, suffix, data):
    """Wherever a file is cut, there is an error, or the text of whole streams before it."""
    one, other = compressed(suffix, FIRST), compressed(suffix, SECOND)
    place = data.draw(st.integers(0, len(one) + len(other)))
    whole = {len(one): FIRST, len(one) + len(other): FIRST + SECOND}
    assert read(folder, suffix, (one + other)[:place]) == whole.get(place)


@pytest.mark.parametrize("suffix", COMPRESS)
@given(st.data())
@settings(deadline=None, max_examples=300)
def test_a_file_that_is_damaged(folder, suffix, data):
    """Whichever byte is another one, there is an error, or the whole text."""
    damaged = bytearray(streams(suffix, [FIRST, SECOND]))
    place = data.draw(st.integers(0, len(damaged) - 1))
    damaged[place] ^= data.draw(st.integers(1, 255))
    assert read(folder, suffix, bytes(damaged)) in {None, FIRST + SECOND}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_every_byte_of_a_second_header(folder, suffix):
    """A second stream that does not look like one is not overlooked."""
    one, other = compressed(suffix, FIRST), compressed(suffix, SECOND)
    for place in range(12):
        for bit in range(8):
            damaged = bytearray(other)
            damaged[place] ^= 1 << bit
            assert read(folder, suffix, one + bytes(damaged)) in {None, FIRST + SECOND}


BEHIND = {
    "nothing": b"",
    "garbage": b"garbage",
    "a line": b"a line of text\n",
    "a byte": b"\x01",
    "zeros": bytes(8),
}


@looped("suffix", COMPRESS)
@looped("behind", BEHIND)
def test_what_lies_behind_the_last_stream(folder, suffix, behind):
    """Nothing but streams may be in a file."""
    found = read(folder, suffix, COMPRESS[suffix](FIRST) + BEHIND[behind])
    assert found == (None if BEHIND[behind] else FIRST)
    if found is not None:
        data = COMPRESS[suffix](FIRST) + BEHIND[behind] + COMPRESS[suffix](SECOND)
        assert read(folder, suffix, data) == FIRST + SECOND


@pytest.mark.parametrize("suffix", COMPRESS)
def test_files_of_no_bytes_are_damaged(folder, suffix):
    """No compressor writes a file of no bytes, not even for no text."""
    assert read(folder, suffix, b"") is None
    assert read(folder, suffix, bytes(8)) is None
    assert read(folder, suffix, COMPRESS[suffix](b"")) == b""


@looped("suffix", COMPRESS)
@looped("place", [0, 1, 40, -1, None])
def test_what_the_tool_refuses_is_refused(folder, suffix, place):
    """Where the tool of the format finds a fault, so do we."""
    tool = shutil.which(TOOLS[suffix])
    if tool is None:
        pytest.skip(f"{TOOLS[suffix]} is not installed")
    path = folder / f"tool.{suffix}"
    data = streams(suffix, [FIRST, SECOND])
    for damaged in (data[:place], data + data[:place], data + b"x" * (place or 0)):
        path.write_bytes(damaged)
        said = subprocess.run([tool, "-dc", path], capture_output=True, check=False)
        found = read(folder, suffix, damaged)
        assert found in {None, said.stdout}
        if said.returncode:
            assert found is None


def test_the_frames_that_zstd_skips(folder):
    """A skippable frame holds no text, and hides none."""
    skipped = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"
    one, other = compressed("zst", FIRST), compressed("zst", SECOND)
    assert read(folder, "zst", skipped + one) == FIRST
    assert read(folder, "zst", one + skipped + other) == FIRST + SECOND
    assert read(folder, "zst", one + skipped) == FIRST
    assert read(folder, "zst", one + skipped[:-1]) is None


@pytest.mark.parametrize("suffix", COMPRESS)
def test_the_command_scores_all_or_nothing(tmp_path, capsys, monkeypatch, suffix):
    """Half a corpus is never scored with exit code 0."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_bytes(FIRST)
    one, other = compressed(suffix, FIRST), compressed(suffix, SECOND)
    name = f"sys.{suffix}"
    (tmp_path / name).write_bytes(one + b"\0\1" + other[2:])
    assert main(["score", name, "-r", "ref"]) == 2
    out, error = capsys.readouterr()
    assert not out
    assert error.startswith(f"truebleu: {name}: damaged: ")


def text_of(number, sizes):
    """Write lines of different lengths and endings, in several scripts."""
    ends = ["\n", "\r\n", "\r"]
    return "".join(
        f"{i} {'the cat sät — 猫. ' * (i * number % size)}{ends[i % len(ends)]}"
        for i, size in enumerate(sizes)
    ).encode()


@given(
    st.lists(st.sampled_from(["a b", "\r", "\n", "\r\n", "é", "\ufeff", "x" * 200, "\ud800"])),
    st.integers(1, 300),
)
@settings(deadline=None)
def test_a_file_is_read_like_a_stream(folder, pieces, block):
    """The core reads what Python reads, in blocks of any size, with the same error."""
    path = folder / "plain"
    path.write_bytes("".join(pieces).encode("utf-8", "surrogatepass"))

    def lines():
        found = []
        try:
            with LineFile(str(path), block) as file:
                while count := file.fill():
                    found += file.lines.texts(count // 2 + 1)
                    file.lines.drop_front(count // 2 + 1)
                return found, file.lines.total, file.read_bytes
        except errors.EncodingError as error:
            return str(error)

    expected = lines()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_is_plain", lambda _: False)
        assert lines() == expected


@pytest.mark.parametrize("readers", [lambda _: True, lambda _: False, lambda path: "1" in path])
def test_counting_while_reading_ahead(tmp_path, capsys, monkeypatch, readers):
    """Threads, and who reads a file do not change its score."""
    monkeypatch.setattr(files, "_is_plain", readers)
    monkeypatch.chdir(tmp_path)
    names = ["sys1", "sys2", "ref1", "ref2"]
    for number, name in enumerate(names, 1):
        sizes = [1 + (i + number) % 40 for i in range(9000)]  # More than two blocks.
        Path(name).write_bytes(text_of(number, sizes))
    texts = [Path(name).read_bytes().decode() for name in names]
    one, other, *streams = (re.split("\r\n|[\r\n]", text)[:-1] for text in texts)
    expected = [truebleu.Bleu().corpus(s, reference_streams=streams).score for s in (one, other)]
    assert expected[0] != expected[1]
    for threads in "1", "2", "3":
        main(["score", *names[:2], "-r", *names[2:], "--format", "json", "--threads", threads])
        assert [score["score"] for score in json.loads(capsys.readouterr()[0])] == expected


@looped("tokenizer", TOKENIZERS)
@looped("threads", ["1", "2"])
def test_systems_are_scored_together_like_each_by_itself(
    tmp_path, capsys, monkeypatch, tokenizer, threads
):
    """The references are tokenized once for all systems, which changes no count of any of them."""
    monkeypatch.chdir(tmp_path)
    names = ["sys1", "sys2", "sys3", "ref1", "ref2"]
    for number, name in enumerate(names, 1):
        Path(name).write_bytes(text_of(number, [1 + (i + number) % 20 for i in range(400)]))

    def scores(*systems):
        how = ["--tokenizer", tokenizer, "--threads", threads, "--format", "json"]
        assert main(["score", *systems, "-r", *names[3:], *how]) == 0
        rows = json.loads(capsys.readouterr()[0])
        # Some warnings are about all systems.
        return [{key: row[key] for key in row.keys() - {"notes"}} for row in rows]

    assert scores(*names[:3], "ref1") == [scores(name)[0] for name in [*names[:3], "ref1"]]


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("line", [1, 40_000, 89_999])
def test_errors_while_reading_ahead(tmp_path, capsys, monkeypatch, threads, line):
    """What is read ahead is refused like everything else."""
    monkeypatch.chdir(tmp_path)
    good = [b"a line of text %d\n" % number for number in range(90_000)]  # 2 MB.
    Path("ref").write_bytes(b"".join(good))
    Path("sys").write_bytes(b"".join([*good[: line - 1], b"ab\xff\n", *good[line:]]))
    assert main(["score", "sys", "-r", "ref", "--threads", threads]) == 2
    message = capsys.readouterr()[1]
    assert message.startswith(f"truebleu: sys, line {line:,}, byte 3: not UTF-8")
    Path("sys").write_bytes(b"".join(good[:line]))
    assert main(["score", "sys", "-r", "ref", "--threads", threads]) == 2
    assert f"line {line + 1:,} of ref has no matching line" in capsys.readouterr()[1]


def test_a_file_that_is_cut_while_it_is_read(tmp_path):
    """A file ends where it ends when that is reached."""
    path = tmp_path / "file"
    path.write_bytes(FIRST)
    with LineFile(str(path), 100) as file:
        count = file.fill()
        path.write_bytes(FIRST[:100])
        assert file.count_all() == FIRST[:100].count(b"\n") + 1 > count


def test_files_that_cannot_be_read(tmp_path):
    """Errors of the operating system have its number and the name of the file."""
    secret = tmp_path / "secret"
    secret.write_bytes(FIRST)
    secret.chmod(0)
    if not os.access(secret, os.R_OK):
        with pytest.raises(PermissionError, match="secret") as refused:
            LineFile(str(secret))
        assert refused.value.errno == errno.EACCES
    for path, error in ((tmp_path, IsADirectoryError), (tmp_path / "none", FileNotFoundError)):
        with pytest.raises(error, match=path.name) as refused:
            LineFile(str(path))
        assert refused.value.filename == str(path)
    for read in (truebleu.read_lines, truebleu.meta.read_mqm):
        with pytest.raises(InputError, match=r"is a folder; the path of a file is needed"):
            read(tmp_path)
    with pytest.raises(FileNotFoundError) as refused:
        Lines.open(tmp_path / "none", 1, 1)
    assert refused.value.args == (errno.ENOENT, os.strerror(errno.ENOENT))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes(tmp_path):
    """A pipe is read as it is filled, a line as soon as it is there."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    seen = threading.Event()

    def write():
        with path.open("wb", buffering=0) as pipe:
            pipe.write(b"one\ntwo\nthr")
            seen.wait(300)
            pipe.write(b"ee")

    writer = threading.Thread(target=write)
    writer.start()
    with LineFile(str(path)) as file:
        assert file.lines.texts(file.fill()) == ["one", "two"]
        seen.set()
        assert file.fill() == 2
        file.lines.drop_front(2)
        assert file.lines.texts(file.fill()) == ["three"]
    writer.join()


@pytest.mark.parametrize("suffix", ["txt", "gz", "zst"])
def test_a_line_without_end(tmp_path, monkeypatch, suffix):
    """A line that is longer than allowed is refused before it fills the memory."""
    path = tmp_path / f"sys.{suffix}"
    text = b"short\n" + b"x" * (3 << 20)
    path.write_bytes(COMPRESS[suffix](text) if suffix in COMPRESS else text)
    with LineFile(str(path)) as file:
        assert file.count_all() == 2
    monkeypatch.setenv("TRUEBLEU_MAX_LINE", str(1 << 20))
    with (
        LineFile(str(path)) as file,
        pytest.raises(
            InputError, match=r"sys\.\w+, line 2 has more than 1048576 bytes: .*MAX_LINE"
        ),
    ):
        file.count_all()
    for wrong in ("0", "many", "-1", "1e9"):
        monkeypatch.setenv("TRUEBLEU_MAX_LINE", wrong)
        with pytest.raises(SettingsError, match="TRUEBLEU_MAX_LINE is"):
            LineFile(str(path))


@given(
    st.lists(st.sampled_from(["ab", "é", "\r", "\n", "\r\n", "\ufeff"]), max_size=30),
    st.integers(1, 9),
    st.integers(1, 12),
    st.sampled_from(["txt", "stream", "gz", "open"]),
)
@settings(deadline=None)
def test_the_longest_line_is_exact(folder, pieces, longest, block, how):
    """The first line with a byte more than allowed is refused, by every reader in any blocks."""
    text = "".join(pieces)
    path = folder / ("limited.gz" if how == "gz" else "limited.txt")
    path.write_bytes(COMPRESS["gz"](text.encode()) if how == "gz" else text.encode())
    every = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    every = every[:-1] if every[-1] == "" else every
    sizes = [len(line.encode()) for line in every]
    first = next((number for number, size in enumerate(sizes, 1) if size > longest), None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUEBLEU_MAX_LINE", str(longest))
        patch.setattr(open_files, "BLOCK", block)
        if how == "stream":
            patch.setattr(files, "_is_plain", lambda _: False)

        def found():
            if how == "open":
                with path.open(encoding="utf-8", newline="") as file:
                    return open_files.lines_of(file, "hypotheses")
            every = []
            with LineFile(str(path), block) as file:
                while count := file.fill():
                    every += file.lines.texts(count)
                    file.lines.drop_front(count)
            return every

        if first is None:
            assert found() == every
        else:
            with pytest.raises(InputError, match=rf"line {first} has more than {longest} bytes"):
                found()


def test_a_small_file_that_unpacks_to_a_large_one(tmp_path):
    """Memory is bounded by the longest line allowed, whatever a compressed file contains."""
    path = tmp_path / "sys.zst"
    zeros = bytes(1 << 20)
    compressor = zstandard.ZstdCompressor().compressobj()
    with path.open("wb") as file:
        for _ in range(2000):
            file.write(compressor.compress(zeros))
        file.write(compressor.flush())
    assert path.stat().st_size < 200_000
    script = (
        "import resource, sys\n"
        "from truebleu.inputs.files import LineFile\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n    LineFile(sys.argv[1]).count_all()\n"
        "except ValueError as error:\n    print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    message, kib = done.stdout.splitlines()
    assert "line 1 has more than 67108864 bytes" in message
    assert int(kib) < 400 << 10


class TestLines:
    """``read_lines`` and open files have the lines that the command reads."""

    TEXT = st.lists(
        st.text(st.sampled_from("ab \n\r\u2028\x0b\x1c\x85é😀\ufeff"), max_size=12), max_size=9
    ).map("".join)

    @settings(deadline=None)
    @given(text=TEXT, suffix=st.sampled_from(["txt", *COMPRESS]), bom=st.booleans())
    def test_of_a_path(self, folder, text, suffix, bom):
        """Lines end at LF, CRLF and CR only; a byte-order mark is dropped."""
        data = (b"\xef\xbb\xbf" * bom) + text.encode()
        path = folder / f"text.{suffix}"
        path.write_bytes(COMPRESS.get(suffix, bytes)(data))
        expected = re.split("\r\n|\r|\n", data.decode().removeprefix("\ufeff"))
        expected = expected[:-1] if expected[-1] == "" else expected
        assert truebleu.read_lines(path) == truebleu.read_lines(str(path)) == expected

    @settings(deadline=None)
    @given(text=TEXT, newline=st.sampled_from([None, "", "\n", "\r", "\r\n"]))
    def test_of_an_open_file(self, folder, text, newline):
        """However it was opened, and whatever was read before."""
        path = folder / "open.txt"
        path.write_bytes(text.encode())
        lines = truebleu.read_lines(path)
        with path.open(encoding="utf-8", newline=newline) as file:
            assert sequences.as_list(file, "hypotheses") == lines
            assert sequences.as_list(file, "hypotheses") == []
        assert sequences.as_list(io.StringIO(text, newline=""), "hypotheses") == lines

    @pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
    @pytest.mark.parametrize("newline", [None, ""])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_open_files_are_scored(self, tmp_path, newline, end):
        """Everything that takes a corpus takes open files, and line ends are in no token."""
        texts = {"mt": ["a b c d e", "f g h i"], "ref": ["a b c d x", "f g h i"]}
        for name, lines in texts.items():
            (tmp_path / name).write_bytes("".join(f"{line}{end}" for line in lines).encode())
        with contextlib.ExitStack() as stack:

            def opened(name):
                path = tmp_path / name
                return stack.enter_context(path.open(encoding="utf-8", newline=newline))

            for metric in (truebleu.Bleu(tokenizer="none"), truebleu.Chrf(whitespace=True)):
                expected = metric.corpus(texts["mt"], texts["ref"])
                assert metric.corpus(opened("mt"), opened("ref")).same_as(expected)
                streams = [opened("ref")]
                assert metric.corpus(opened("mt"), reference_streams=streams).same_as(expected)
                for chosen in ({"metrics": metric}, {"metrics": [metric, truebleu.Ter()]}):
                    found = truebleu.compare(
                        {"one": opened("mt"), "two": opened("ref")},
                        reference_streams=[opened("ref")],
                        n_resamples=None,
                        **chosen,
                    )
                    found = found if chosen["metrics"] == metric else found[metric.name]
                    assert found.systems["one"].score.same_as(
                        expected.rescore(metric._scoped(segment=False))
                    )
                    assert found.systems["two"].score == 100
            assert truebleu.explain(opened("mt"), opened("ref")).score.counts[0] == 8
            with pytest.raises(truebleu.LengthMismatchError, match="as reference_streams="):
                truebleu.corpus_bleu(opened("mt"), [opened("ref")])

    def test_files_that_cannot_be_read(self, tmp_path):
        """Messages name the file, and say how to open it."""
        path = tmp_path / "mt.txt"
        path.write_bytes(b"a b\nc \xff\n")
        with path.open("rb") as file, pytest.raises(truebleu.InputTypeError, match="binary mode"):
            truebleu.corpus_bleu(file, ["a"])
        for handler, message in (("strict", "is not utf"), ("surrogateescape", ".*surrogates")):
            with (
                path.open(encoding="utf-8", errors=handler) as file,
                pytest.raises(errors.EncodingError, match=rf"refer.*mt.txt\) {message}"),
            ):
                truebleu.corpus_bleu(["a", "b"], file)
        with pytest.raises(truebleu.InputError, match=r"mt.txt\) cannot be read: .*closed"):
            truebleu.corpus_bleu(file, ["a", "b"])
        with path.open("a") as file, pytest.raises(truebleu.InputError, match="not readable"):
            truebleu.corpus_bleu(file, ["a", "b"])
        with pytest.raises(errors.EncodingError, match=r"mt.txt, line 2, byte 3: not UTF-8"):
            truebleu.read_lines(path)
        with pytest.raises(FileNotFoundError):
            truebleu.read_lines(tmp_path / "none.gz")
