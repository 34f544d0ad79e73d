"""Files that are no lines of text: each is refused, warned of or read right, on either side."""

import gzip
import json
import re
import shutil
import subprocess
import sys
import warnings
from xml.sax.saxutils import escape

import kinds_of_text
import pytest
from looping import looped
from project import DATA, EXAMPLES
from truebleu import InputError, SettingsWarning, corpus_bleu, read_lines
from truebleu.inputs import forms, pairing
from truebleu.inputs.kinds import KINDS
from truebleu.inputs.lines import check_kind

HYPOTHESES, REFERENCES, SOURCES = (
    read_lines(EXAMPLES / name) for name in ("system-medium.en", "reference-a.en", "source.de")
)
UMLAUTS = "für Größe, Höhe und Wärme"


def time(second, mark=","):
    """Write a time as subtitles do."""
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}{mark}000"


def each(form, start=0):
    """Return what writes one line per text, from its number, its source and the text."""
    return lambda texts: "".join(
        form.format(
            n=n,
            s=source,
            t=text,
            q=json.dumps(text, ensure_ascii=False),
            x=escape(text),
            y=escape(source),
        )
        + "\n"
        for n, (source, text) in enumerate(zip(SOURCES, texts, strict=True), start)
    )


def within(before, form, after):
    """Return what writes one or more lines per text between others."""
    return lambda texts: before + each(form)(texts) + after


def cues(mark, before="", form="{n}\n{a} --> {b}\n{t}\n\n"):
    """Return what writes subtitles."""
    return lambda texts: (
        before
        + "".join(
            form.format(n=n, a=time(3 * n, mark), b=time(3 * n + 2, mark), t=text)
            for n, text in enumerate(texts, 1)
        )
    )


def fairseq(texts):
    """Write what fairseq-generate prints, which is in no order."""
    numbered = list(zip(range(len(texts)), SOURCES, texts, strict=True))
    lines = "".join(
        f"S-{n}\t{s}\nH-{n}\t-0.3\t{t}\nP-{n}\t-0.1 -0.2\n" for n, s, t in numbered[::-1]
    )
    return "2026-11-29 10:00:00 | INFO | fairseq_cli.generate | loading model\n" * 12 + lines


XML = '<?xml version="1.0" encoding="utf-8"?>\n'
TMX = (
    '<tmx version="1.4">\n<header srclang="hi"/>\n<body>\n',
    '<tu tuid="{n}">\n<tuv xml:lang="hi"><seg>{y}</seg></tuv>\n'
    '<tuv xml:lang="en"><seg>{x}</seg></tuv>\n</tu>',
    "</body>\n</tmx>\n",
)
XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file><body>\n',
    '<trans-unit id="{n}">\n<source>{y}</source>\n<target>{x}</target>\n</trans-unit>',
    "</body></file>\n</xliff>\n",
)
PO = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'

# What writes texts, and what the message calls it.
REFUSED = {
    "tmx": (within(XML + TMX[0], *TMX[1:]), "a translation memory (TMX)"),
    "tmx without a declaration": (within(*TMX), "a translation memory (TMX)"),
    "tmx in one line": (
        lambda texts: within(*TMX)(texts).replace("\n", ""),
        "a translation memory (TMX)",
    ),
    "xliff": (within(XML + XLIFF[0], *XLIFF[1:]), "XLIFF"),
    "xliff 2": (
        within(
            '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0">\n<file id="f">\n',
            "<unit><segment><source>{y}</source><target>{x}</target></segment></unit>",
            "</file>\n</xliff>\n",
        ),
        "XLIFF",
    ),
    "xml of Android": (
        within(XML + "<resources>\n", '<string name="s{n}">{x}</string>', "</resources>\n"),
        "SGML or XML",
    ),
    "xml without a declaration": (
        within("<corpus>\n", '<s id="{n}">{x}</s>', "</corpus>\n"),
        "SGML or XML",
    ),
    "ts of Qt": (
        within(
            XML + "<!DOCTYPE TS>\n<TS>\n<context>\n",
            "<message><translation>{x}</translation></message>",
            "</context>\n</TS>\n",
        ),
        "SGML or XML",
    ),
    "resx": (
        within(XML + "<rows>\n", '<data name="n{n}">\n<value>{x}</value>\n</data>', "</rows>\n"),
        "SGML or XML",
    ),
    "ttml": (
        within(
            XML + '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>\n',
            '<p begin="{n}s" end="{n}s">{x}</p>',
            "</div></body></tt>\n",
        ),
        "SGML or XML",
    ),
    "html": (within("<!DOCTYPE html>\n<html><body>\n", "<p>{x}</p>", "</body></html>\n"), "HTML"),
    "sami": (within("<SAMI>\n<BODY>\n", "<P>{x}", "</BODY>\n</SAMI>\n"), "SGML or XML"),
    "po": (within(PO, "msgid {q}\nmsgstr {q}\n", ""), "a catalogue of gettext (PO)"),
    "po with comments": (
        within(PO, '#: src/a.c:{n}\n#, fuzzy\nmsgctxt "{n}"\nmsgid "x"\nmsgstr ""\n{q}\n', ""),
        "a catalogue of gettext (PO)",
    ),
    "srt": (cues(","), "subtitles with times"),
    "srt of windows": (
        lambda texts: cues(",")(texts).replace("\n", "\r\n"),
        "subtitles with times",
    ),
    "vtt": (cues(".", "WEBVTT\n\n", "{a} --> {b}\n{t}\n\n"), "subtitles with times"),
    "vtt with a header": (
        cues(
            ".", "WEBVTT\nKind: captions\nLanguage: en\n\n", "{n}\n{a} --> {b} align:start\n{t}\n\n"
        ),
        "subtitles with times",
    ),
    "sbv": (cues(".", form="{a},{b}\n{t}\n\n"), "subtitles with times"),
    "ass": (
        cues(
            ".",
            "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name\n\n[Events]\n",
            "Dialogue: 0,{a},{b},Default,,0,0,0,,{t}\n",
        ),
        "subtitles (ASS)",
    ),
    "lrc": (each("[{n:02}:10.00]{t}"), "text with a time in each line"),
    "microdvd": (each("{{{n}}}{{{n}9}}{t}"), "text with a time in each line"),
    "mpl2": (each("[{n}][{n}9]{t}"), "text with a time in each line"),
    "transcript": (cues("", form="{a} {t}\n"), "text with a time in each line"),
    "fairseq": (fairseq, "a log of fairseq"),
    "fairseq, hypotheses": (each("H-{n}\t-0.5\t{t}"), "a log of fairseq"),
    "markdown": (
        within("| no | text |\n|---|:---|\n", "| {n} | {t} |", ""),
        "a table of Markdown",
    ),
    "bars": (each("{s} ||| {t}"), "columns separated by |||"),
    "two columns": (each("{s}\t{t}"), "columns separated by tabs"),
    "conll": (each("{n}\t{t}\t_\tNOUN\t_\n"), "columns"),
    "utf-16": (lambda texts: each("{t}")(texts).encode("utf-16"), "but probably UTF-16:"),
    "utf-16 of umlauts": (
        lambda texts: each("{t} " + UMLAUTS)(texts).encode("utf-16-le"),
        "but probably UTF-16LE:",
    ),
    "utf-16 little": (lambda texts: each("{t}")(texts).encode("utf-16-le"), "UTF-16"),
    "utf-16 big": (lambda texts: each("{t}")(texts).encode("utf-16-be"), "UTF-16"),
    "cp1252": (
        lambda texts: each("{t} " + UMLAUTS)(texts).encode("cp1252", "replace"),
        "but probably WINDOWS-1252:",
    ),
    "nul": (lambda texts: each("{t}")(texts).replace("\n", "\0\n", 3), "text with NUL"),
    "n-best": (each("{n} ||| {t} ||| lm= -1 ||| -2"), "n-best list of Moses"),
    "rtf": (within("{{\\rtf1\\ansi\n".replace("{{", "{"), "{t}\\par", "}\n"), "a document in RTF"),
    "postscript": (within("%!PS-Adobe-3.0\n", "({t}) show", ""), "a document in PostScript"),
    "pdf": (lambda texts: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" * len(texts), "a PDF document"),
    "gzip": (lambda texts: gzip.compress(each("{t}")(texts).encode()), "compressed"),
}
WARNED = {
    "properties": (each("message.{n}={t}"), "a table of strings"),
    "strings of Apple": (each('"key{n}" = {q};'), "a table of strings"),
    "yaml": (within("en:\n", "  key_{n}: {q}", ""), "a table of strings"),
    "ini": (within("[en]\n", "k{n} = {t}", ""), "a table of strings"),
    "php": (within("<?php return [\n", "  'key{n}' => {q},", "];\n"), "a table of strings"),
    "json of strings": (within("{\n", '  "key{n}": {q},', '"a": "b"}\n'), "a table of strings"),
    "fluent": (each("message-{n} = {t}"), "a table of strings"),
    "env": (each("TEXT_{n}={q}"), "a table of strings"),
    "numbered": (each("{n}. {t}", 1), "numbered lines"),
    "numbered in brackets": (each("[{n}] {t}"), "numbered lines"),
    "numbered with zeros": (each("{n:05} {t}"), "numbered lines"),
    "numbered with colons": (each("{n}: {t}", 7), "numbered lines"),
    "log": (each("2026-11-29 10:00:{n} INFO {t}"), "a log with dates"),
    "chat": (each("29/11/2026, 10:15 - Anna: {t}"), "a log with dates"),
    "csv": (each('"{n}","{t}"'), "CSV"),
}
# Nobody thought of these: only both sides together show that they are no translations.
ON_BOTH_SIDES = {
    "interleaved": each("{s}\n{t}"),
    "interleaved, with empty lines": each("{s}\n{t}\n"),
    "ids": each("news.{n}.a {t}"),
    "titles": each("This is segment number {n} of many\n{t}"),
}


def read_right(texts):
    """Return names of files whose forms are read, and their contents."""
    return {
        "x.sgm": within("<refset>\n<doc>\n", '<seg id="{n}">{x}</seg>', "</doc>\n</refset>\n")(
            texts
        ),
        "x.jsonl": each('{{"mt": {q}, "n": {n}}}')(texts),
        "x.txt": each("{t}")(texts),
        "x.txt.gz": gzip.compress(each("{t}")(texts).encode()),
    }


def write(folder, name, made):
    """Write text or bytes as they are."""
    (folder / name).write_bytes(made if isinstance(made, bytes) else made.encode())


@pytest.fixture
def folder(tmp_path):
    """Return a folder with texts."""
    write(tmp_path, "sys", each("{t}")(HYPOTHESES))
    write(tmp_path, "ref", each("{t}")(REFERENCES))
    return tmp_path


def positions(folder, make):
    """Yield what is scored: files of a kind as hypotheses, as references, and as both."""
    write(folder, "odd.en", make(HYPOTHESES))
    write(folder, "odd.txt", make(REFERENCES))
    yield from (("odd.en", "ref"), ("sys", "odd.txt"), ("odd.en", "odd.txt"))


def test_there_are_sixty_and_each_row_has_one():
    """The table below is large, and names all of the registry."""
    assert len(REFUSED) + len(WARNED) + len(ON_BOTH_SIDES) + len(read_right(REFERENCES)) >= 60
    said = {name for _, name in (*REFUSED.values(), *WARNED.values())}
    assert not [kind for kind in KINDS if not any(kind.startswith(each) for each in said)]


@looped("name", REFUSED)
def test_refused(run, folder, name):
    """On either side, and with `--as-text` scored as it is, unless it is not UTF-8."""
    make, said = REFUSED[name]
    for one, other in positions(folder, make):
        if name == "n-best" and (one, other) == ("odd.en", "odd.txt"):
            said = "columns separated by |||"
        code, out, error = run("score", one, "-r", other, cwd=folder)
        assert (code, out) == (2, ""), (name, one, other)
        assert said in error
    if isinstance(make(REFERENCES), str) or "-le" in name:
        code, out, error = run("score", "odd.en", "-r", "odd.en", "-b", "--as-text", cwd=folder)
        assert (code, out) == (0, "100.00\n"), error
        if not said.startswith(("n-best", "columns", "a document")):
            with pytest.raises(InputError, match=re.escape(said)):
                read_lines(folder / "odd.en")
        assert read_lines(folder / "odd.en", as_text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are of POSIX")
@looped("name", REFUSED)
def test_the_command_converts(run, folder, name):
    """What a refusal says writes the texts of the file, in their order, one per line."""
    make, said = REFUSED[name]
    write(folder, "odd file", make(REFERENCES))
    error = run("score", "sys", "-r", "odd file", cwd=folder)[2]
    found = re.search("`(.*)`", error)
    if said in ("HTML", "n-best list of Moses", "compressed") or said.startswith("a document"):
        return
    if "PDF" in said or name in ("sami", "conll"):  # No XML, and read by column.
        return
    assert found, error
    if shutil.which(found[1].split()[0]) is None:
        pytest.skip(f"there is no {found[1].split()[0]}")
    subprocess.run(["sh", "-c", found[1]], cwd=folder, check=True)
    lines = [" ".join(line.split()) for line in read_lines(folder / "odd file.txt", as_text=True)]
    expected = [f"{text} {UMLAUTS}" if UMLAUTS in lines[0] else text for text in REFERENCES]
    if name == "cp1252":
        expected = [text.encode(name, "replace").decode(name) for text in expected]
    assert [line for line in lines if line] == expected


@looped("name", WARNED)
def test_warned_of(run, folder, name):
    """Scored, and called what it looks like, once for each file; `--as-text` says no word of it."""
    make, said = WARNED[name]
    message = f"looks like {said}, but is read as one segment per line"
    for files in positions(folder, make):
        error = run("score", files[0], "-r", files[1], cwd=folder)[2]
        assert error.count(message) == sum(file.startswith("odd") for file in files), error
    code, out, error = run("score", "odd.en", "-r", "odd.txt", "-b", "--as-text", cwd=folder)
    assert code == 0
    assert message not in error
    with pytest.warns(SettingsWarning, match=re.escape(message)):
        lines = read_lines(folder / "odd.en")
    assert lines == read_lines(folder / "odd.en", as_text=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = corpus_bleu(lines, read_lines(folder / "odd.txt", as_text=True))
    assert float(out) == round(float(score), 2)


@looped("name", ON_BOTH_SIDES)
def test_warned_of_on_both_sides(run, folder, name):
    """More segments are equal, or begin alike, than the rest of the text explains."""
    *_, files = positions(folder, ON_BOTH_SIDES[name])
    code, _, error = run("score", files[0], "-r", files[1], cwd=folder)
    assert code == 0
    assert re.search(r"odd\.en and odd\.txt: \d+ of the first \d+ lines (are equal|begin)", error)
    error = run("score", *files[:1], "-r", files[1], "--as-text", cwd=folder)[2]
    assert all("blank lines" in line for line in error.splitlines() if "odd" in line)


def test_read_right(run, folder):
    """Forms that the command knows are read as before."""
    expected = round(float(corpus_bleu(HYPOTHESES, REFERENCES)), 2)
    for name, made in read_right(REFERENCES).items():
        write(folder, name, made)
        code, out, error = run("score", "sys", "-r", name, "-b", cwd=folder)
        assert (code, float(out)) == (0, expected), name
        assert not error or error.endswith("is read\n"), name


def test_a_grammar_must_accept_the_whole(run, folder):
    """One line of a hundred may be odd; where more are, the file is read with a warning."""
    texts = each("{s}\t{t}")(REFERENCES).splitlines() * 3
    write(folder, "sys", each("{t}")(HYPOTHESES) * 3)
    for odd, refused, warned in ((2, True, False), (12, False, True), (60, False, False)):
        changed = [*texts[:-odd], *["no tab"] * odd]
        write(folder, "odd.txt", "\n".join(changed) + "\n")
        code, _, error = run("score", "sys", "-r", "odd.txt", cwd=folder)
        assert (code == 2, "looks like columns" in error) == (refused, warned), odd


def test_of_a_pipe_the_beginning_is_looked_at(run, folder):
    """Standard input is recognised, too."""
    for name, code in (("srt", 2), ("numbered", 0)):
        make, said = (REFUSED | WARNED)[name]
        data = make(HYPOTHESES).encode()
        found, _, error = run("score", "-", "-r", "ref", cwd=folder, stdin=data)
        assert found == code
        assert f"standard input {'is' if code else 'looks like'} {said}" in error


class TestNoAlarm:
    """Text that is odd is text."""

    @looped("name", kinds_of_text.KINDS)
    def test_forty_corpora(self, run, folder, name):
        """Nothing is said of code, chat, lists, subtitles, scripts and emoji, or a part of them."""
        hypotheses, references = kinds_of_text.corpus(name)
        assert len(hypotheses) == len(references) >= 200
        for size in (1, 3, 10, 30, len(hypotheses)):
            for texts in (hypotheses[:size], references[:size]):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    check_kind("x", texts[: forms.FIRST_LINES], lambda texts=texts: texts)
                    corpora = [("x", hypotheses[:size])], [("y", references[:size])]
                    pairing.check(*corpora)
        write(folder, "one", "\n".join(hypotheses) + "\n")
        write(folder, "other", "\n".join(references) + "\n")
        code, _, error = run("score", "one", "-r", "other", cwd=folder)
        assert code == 0
        assert "one segment per line" not in error
        assert "one and other" not in error

    @pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no {DATA}")
    def test_systems_of_shared_tasks(self, run):
        """All systems of a set together, and with each of its references."""
        folders = sorted({path.parent for path in DATA.glob("*/*/sys.*")})
        assert len(folders) > 5
        for folder in folders:
            systems, references = sorted(folder.glob("sys.*")), sorted(folder.glob("ref.*"))
            for given in (references, *([each] for each in references)):
                code, _, error = run("score", *systems, "-r", *given, "--tokenizer", "char")
                assert code == 0
                lines = [line for line in error.splitlines() if "normal forms" not in line]
                # The one that is known.
                assert all("'<unk>' in 165 of 1,930" in line for line in lines)

    def test_examples(self, run):
        """Also of few segments."""
        for systems, references, how in (
            ("system-*.en", ["reference-a.en", "reference-b.en"], []),
            ("korean-system.ko", ["korean-reference.ko"], ["-tok", "ko-mecab"]),
        ):
            found = sorted(path.name for path in EXAMPLES.glob(systems))
            assert run("score", *found, "-r", *references, *how)[::2] == (0, "")


class TestPairing:
    """Files that do not belong together."""

    @looped("by", [-5, -3, -2, -1, 1, 2, 3, 5])
    def test_shifted(self, run, folder, by):
        """The warning says by how many lines, and in which direction."""
        lines = ["", "A line that is missing there."] * 3
        shifted = [*lines[:by], *HYPOTHESES] if by > 0 else [*HYPOTHESES[-by:], *lines[:-by]]
        write(folder, "shifted", "\n".join(shifted[: len(HYPOTHESES)]) + "\n")
        error = run("score", "shifted", "-r", "ref", "-m", "chrf", cwd=folder)[2]
        where = f"{abs(by)} line{'s' * (abs(by) > 1)} {'above' if by > 0 else 'below'}"
        assert f"shifted and ref: hypotheses match references {where}: the file is" in error

    def test_not_shifted(self, run, folder):
        """Other text is not shifted; where it is of another language, that is said."""
        write(folder, "other", "\n".join(kinds_of_text.corpus("subtitles: English")[0]) + "\n")
        assert run("score", "other", "-r", "ref", cwd=folder)[2].count("and ref:") == 0
        write(folder, "other", "\n".join(SOURCES) + "\n")
        for files in (("other", "ref"), ("ref", "other")):
            error = run("score", files[0], "-r", files[1], cwd=folder)[2]
            assert f"{files[0]} and {files[1]}: the texts look like different languages" in error

    def test_several_language_pairs(self, run, folder):
        """References that match no system are named, with the systems, in one warning."""
        for name in ("Hindi", "Korean", "Arabic"):
            hypotheses, references = kinds_of_text.corpus(name)
            (folder / name).mkdir()
            for file, texts in (("sys.a", hypotheses), ("sys.b", references), ("ref", references)):
                write(folder / name, file, "\n".join(texts) + "\n")
        systems = [f"{name}/sys.{each}" for name in ("Hindi", "Korean", "Arabic") for each in "ab"]
        references = [f"{name}/ref" for name in ("Hindi", "Korean", "Arabic")]
        error = run("score", *systems, "-r", *references, cwd=folder)[2]
        said = "Korean/ref and 2 more references share almost no words with Hindi/sys.a and 3 more"
        assert error.count("share almost no words") == error.count(said) == 1
        error = run("score", *systems[:1], "-r", *references[:2], cwd=folder)[2]
        assert "Korean/ref shares almost no words with Hindi/sys.a, which another" in error
        for name, reference in zip(systems[::2], references, strict=True):
            assert "almost no" not in run("score", name, "-r", reference, reference, cwd=folder)[2]
