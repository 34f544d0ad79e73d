"""Raw files of test sets are read as sacreBLEU reads them, byte for byte."""

import gzip
import json
import os
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from sacrebleu.dataset.plain_text import PlainTextDataset
from sacrebleu.dataset.tsv import TSVDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset
from truebleu.errors import EncodingError, InputError
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.registry import registered_sets

ORIGINALS = {
    "sgml": FakeSGMLDataset,
    "sgml+text": WMTAdditionDataset,
    "iwslt-xml": IWSLTXMLDataset,
    "text": PlainTextDataset,
    "tsv": TSVDataset,
    "wmt-xml": WMTXMLDataset,
}


def sacrebleu_fields(folder, name, kind, members):
    """Let sacreBLEU process files; return the lines of what it writes, by field."""
    dataset = ORIGINALS[kind](name, data=[], langpairs={"en-de": list(members)})
    dataset._outdir = dataset._rawdir = str(folder)  # Not in the home folder.
    for path in folder.glob(f"{name.replace('/', '_')}.en-de.*"):
        path.unlink()
    dataset.process_to_text("en-de")
    fields = dataset.fieldnames("en-de")
    texts = [Path(path).read_bytes().decode() for path in dataset.get_files("en-de")]
    return {
        field: text.split("\n")[:-1] if text else []
        for field, text in zip(fields, texts, strict=True)
    }


def our_fields(folder, name, kind, members):
    """Return our fields of the same files."""
    parts = [member.rpartition(":") for member in members]
    return read_fields(
        name, kind, [(folder / path, int(column) if column else None) for column, _, path in parts]
    )


def check(folder, name, kind, texts):
    """Compare the fields of files with given contents."""
    for member, text in texts.items():
        path = folder / member.rpartition(":")[2]
        data = text.encode()
        path.write_bytes(gzip.compress(data) if member.endswith(".gz") else data)
    expected = sacrebleu_fields(folder, name, kind, texts)
    found = our_fields(folder, name, kind, texts)
    assert found == expected
    if kind != "wmt-xml":
        assert list(found) == list(expected)
    return found


SPACES = " \t\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u00a0\u200b\u2028\u3000"
words = st.text(st.sampled_from("ab&;<>\"='é文" + SPACES), max_size=8)

SGML_PIECES = [
    *("<seg ", "<seg>", "<seg", "</seg>", "<SEG ", 'id="1"', ">", "<doc ", "</doc>", "<hl>"),
    *('docid="', 'genre="', 'origlang="', 'docid="x"', 'origlang="de"', '"', "&amp;", "\ufeff"),
]
sgml_lines = st.one_of(
    st.builds('<seg id="1">{}</seg>{}'.format, words, st.sampled_from(["", " ", "\r", "<!-- -->"])),
    st.builds('<doc genre="{}" docid="{}">'.format, words, words),
    st.lists(st.sampled_from(SGML_PIECES) | words, max_size=6).map("".join),
)
any_ends = st.sampled_from(["", "\n", "\r\n"])
sgml_files = st.builds(
    lambda lines, end: "\n".join(lines) + end, st.lists(sgml_lines, max_size=8), any_ends
)
text_files = st.builds(
    lambda lines, end: "\n".join(lines) + end, st.lists(words, max_size=6), any_ends
)

reuse_folder = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


class TestText:
    """Text, SGML and tables."""

    @reuse_folder
    @given(files=st.lists(sgml_files, min_size=2, max_size=4))
    @pytest.mark.parametrize(
        ("name", "kind"),
        [("wmt20", "sgml"), ("wmt08/nc", "sgml"), ("iwslt17", "iwslt-xml"), ("odd", "sgml+text")],
    )
    def test_sgml(self, tmp_path, name, kind, files):
        """Any lines, tags broken in any way, attributes missing or inherited."""
        check(tmp_path, name, kind, {f"{i}.sgm": text for i, text in enumerate(files)})

    @reuse_folder
    @given(source=sgml_files, references=st.lists(text_files, min_size=1, max_size=3))
    @pytest.mark.parametrize("suffix", ["ref", "ref.gz"])
    def test_sgml_and_text(self, tmp_path, source, references, suffix):
        """References that are not SGML are text."""
        files = {f"{i}.{suffix}": text for i, text in enumerate(references)}
        check(tmp_path, "wmt19/google/ar", "sgml+text", {"src.sgm": source, **files})

    @reuse_folder
    @given(source=text_files, reference=text_files)
    def test_text(self, tmp_path, source, reference):
        """Plain and compressed lines keep the spaces inside them."""
        check(tmp_path, "multi30k/2018", "text", {"src.en": source, "ref.gz": reference})

    @reuse_folder
    @given(
        rows=st.lists(st.tuples(*[words.map(lambda word: word.replace("\t", " "))] * 4)),
        end=any_ends,
    )
    @pytest.mark.parametrize(
        ("source", "reference"), [("1:a.tsv", "2:a.tsv"), ("a.tsv", "a.tsv"), ("3:a.tsv", "a.tsv")]
    )
    def test_tables(self, tmp_path, rows, end, source, reference):
        """Columns are not cleaned; without a number, they are the first and the second."""
        text = "\n".join("\t".join(row) for row in rows)
        members = {source: text + (end if rows else ""), reference: text + (end if rows else "")}
        if source == reference:
            (tmp_path / source).write_bytes(members[source].encode())
            expected = sacrebleu_fields(tmp_path, "mtnt", "tsv", [source, reference])
            assert our_fields(tmp_path, "mtnt", "tsv", [source, reference]) == expected
        else:
            check(tmp_path, "mtnt", "tsv", members)

    @pytest.mark.parametrize("suffix", ["", ".gz"])
    def test_damaged_files(self, tmp_path, suffix):
        """A file that is not UTF-8, or cut off, is refused with its line."""
        path = tmp_path / f"a{suffix}"
        data = b"fine\nbad \xff\n"
        path.write_bytes(gzip.compress(data) if suffix else data)
        with pytest.raises(EncodingError, match="line 2, byte 5: not UTF-8"):
            read_fields("x", "text", [(path, None), (path, None)])
        if suffix:
            good = gzip.compress(b"fine\n" * 9)
            for damaged in (good[:-4], data, good[:12] + b"\xff" * 20, good[:-8] + bytes(8)):
                path.write_bytes(damaged)
                with pytest.raises(InputError, match=r"a.gz: damaged \("):
                    read_fields("x", "text", [(path, None), (path, None)])

    def test_a_missing_column(self, tmp_path):
        """A row without the column is refused with its line."""
        (tmp_path / "a").write_text("0\t1\n0\n")
        with pytest.raises(InputError, match="line 2: column 1 is needed, counted from 0, but"):
            read_fields("x", "tsv", [(tmp_path / "a", 0), (tmp_path / "a", 1)])


def xml_file(documents, prolog=""):
    """Return XML with given documents, each attributes and what is inside."""
    inside = "\n".join(f"<doc {attributes}>{parts}</doc>" for attributes, parts in documents)
    return f'{prolog}<dataset id="x"><collection id="general">\n{inside}\n</collection></dataset>\n'


def part(opening, segments):
    """Return an element with segments by their number, in paragraphs."""
    inside = "".join(f'<p>\n<seg id="{i}">{text}</seg></p>' for i, text in segments.items())
    return f"<{opening}>\n{inside}</{opening.split()[0]}>"


NUMBERS = [1, 2, 10, 3]
markup = st.sampled_from(
    ["", "&amp;", "&#233;", "<!-- c -->", "<b>x</b>", "<?pi z?>", "<![CDATA[<q>&]]>", " \n ", "y"]
)
inline = st.builds(lambda a, b, c: escape(a) + b + escape(c), words, markup, words).map(
    # Characters that XML 1.0 does not have.
    lambda text: text.translate(dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x1f")))
)
some_segments = st.dictionaries(st.sampled_from(NUMBERS), inline)
all_segments = st.fixed_dictionaries(dict.fromkeys(NUMBERS, inline))


@st.composite
def documents_of_wmt(draw, domains):
    """Draw documents with references by up to two translators, systems and attributes."""
    documents = []
    for number in range(draw(st.integers(1, 3))):
        source = draw(st.fixed_dictionaries(dict.fromkeys(NUMBERS, inline.map(lambda t: "s" + t))))
        parts = [part('src lang="en"', source)]
        for label in draw(st.lists(st.sampled_from(["", "A", "refB"]), max_size=3)):
            opening = f'ref lang="de" translator="{label}"' if label else 'ref lang="de"'
            parts.append(part(opening, draw(some_segments)))
        systems = draw(st.lists(st.sampled_from(["Online-A", "X:1", "Ω"]), max_size=3))
        parts += [part(f'hyp system="{name}"', draw(all_segments)) for name in systems]
        attributes = f'id="d{number}" origlang="{draw(st.sampled_from(["en", "de", " x  y "]))}"'
        attributes += f' domain="{draw(words.map(escape).map(str.split).map("".join))}"' * domains
        attributes += draw(st.sampled_from(["", "", "", ' testsuite="t"']))
        documents.append((attributes, "".join(parts)))
    # There has to be a reference.
    documents.append(('id="last" origlang="en" domain="z"', part('src lang="en"', {1: "x"}) +
                      part('ref lang="de" translator="C"', {1: "y"})))  # fmt: skip
    if not domains:
        documents[-1] = ('id="last" origlang="en"', documents[-1][1])
    return documents


class TestXml:
    """WMT's XML, read by lxml there."""

    @reuse_folder
    @given(
        documents=documents_of_wmt(domains=False),
        prolog=st.sampled_from(
            ["", '<?xml version="1.0" encoding="UTF-8"?>\n', "<!-- c --><!DOCTYPE dataset>"]
        ),
    )
    def test_without_domains(self, tmp_path, documents, prolog):
        """References, systems and test suites of any kind, as in WMT21 and WMT22."""
        check(tmp_path, "wmt22", "wmt-xml", {"a.xml": xml_file(documents, prolog)})

    @reuse_folder
    @given(documents=documents_of_wmt(domains=True))
    def test_with_domains(self, tmp_path, documents):
        """The same with domains, as since WMT23."""
        fields = check(tmp_path, "wmt24", "wmt-xml", {"a.xml": xml_file(documents)})
        assert list(fields)[-1] == "domain"

    def test_the_order_of_fields(self, tmp_path):
        """Fields are in sacreBLEU's order, translators in that of the file, in every process."""
        parts = part('src lang="en"', {1: "s"})
        for name in ("refC", "refA", "refB"):
            parts += part(f'ref lang="de" translator="{name}"', {1: name})
        for name in ("Z", "A"):
            parts += part(f'hyp system="{name}"', {1: name})
        path = tmp_path / "a.xml"
        path.write_text(xml_file([('id="d" origlang="en" domain="n"', parts)]))
        code = (
            "import json, sys\nfrom pathlib import Path\n"
            "from truebleu.test_sets.parsing import read_fields\n"
            "print(json.dumps(read_fields('wmt24', 'wmt-xml', [(Path(sys.argv[1]), None)])))"
        )
        expected = ["src", "ref:refC", "ref:refA", "ref:refB", "docid", "origlang", "Z", "A"]
        for seed in "123":
            done = subprocess.run(
                [sys.executable, "-c", code, str(path)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
                timeout=300,
            )
            assert list(json.loads(done.stdout)) == [*expected, "domain"]

    def test_the_references_that_are_scored(self, tmp_path):
        """A file needs one of the references that are scored."""
        parts = part('src lang="en"', {1: "s"}) + part('ref lang="de" translator="A"', {1: "r"})
        path = tmp_path / "a.xml"
        path.write_text(xml_file([('id="d" origlang="en"', parts)]))
        members = [(path, None)]
        assert read_fields("wmt21", "wmt-xml", members, ["ref:A", "ref"])["ref:A"] == ["r"]
        with pytest.raises(InputError, match="needs ref:B, but there is only ref:A"):
            read_fields("wmt21", "wmt-xml", members, ["ref:B"])

    SOURCE = part('src lang="en"', {1: "s"})
    REFERENCE = part('ref lang="de" translator="A"', {1: "r"})
    BOTH = SOURCE + REFERENCE
    NAMED = 'id="d" origlang="en"'

    @pytest.mark.parametrize(
        ("documents", "message"),
        [
            ([(NAMED, part('src lang="en"', {1: ""}) + REFERENCE)],
             "line 4: the source of segment 1 is empty"),
            ([(NAMED, BOTH + part('hyp system="S"', {2: "x"}))],
             "line 6: system 'S' has no segment 1"),
            ([(NAMED, BOTH + part("hyp", {1: "x"}))], "line 6: <hyp> needs the attribute system"),
            ([(NAMED, BOTH), (f'{NAMED} domain="x"', BOTH)], "document 'd' has no domain"),
            ([('id="d"', BOTH)], "line 2: <doc> needs the attribute origlang"),
            ([('origlang="d"', BOTH)], "line 2: <doc> needs the attribute id"),
            ([(NAMED, part('src lang="en"', {"one": "s"}) + REFERENCE)],
             "line 4: the id of a segment is a whole number, not 'one'"),
            ([(NAMED, SOURCE)], "all <ref> need one language, .* there is none"),
            ([(NAMED, BOTH + part('src lang="cs"', {1: "s"}))],
             "all <src> need one language, .* there is cs, en"),
        ],
    )  # fmt: skip
    def test_missing_parts(self, tmp_path, documents, message):
        """Where sacreBLEU ends in a traceback, the error says where, and what is needed."""
        (tmp_path / "a.xml").write_text(xml_file(documents))
        with pytest.raises((AttributeError, KeyError, ValueError, AssertionError)):
            sacrebleu_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])
        with pytest.raises(InputError, match=f"a.xml.*{message}"):
            our_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])

    def test_a_file_that_is_cut_off(self, tmp_path):
        """The message has line and column."""
        text = xml_file([(self.NAMED, self.BOTH)])
        for end in range(0, len(text) - len("</dataset>\n"), 7):
            (tmp_path / "a.xml").write_text(text[:end])
            with pytest.raises(InputError, match=r"line \d, column \d+: not well-formed XML"):
                our_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])

    @pytest.mark.parametrize("encoding", ["none", "utf-7", "idna", "big5", "base64"])
    def test_encodings(self, tmp_path, encoding):
        """Whatever the parser makes of one that it cannot read."""
        path = tmp_path / "a.xml"
        path.write_text(f'<?xml version="1.0" encoding="{encoding}"?><dataset/>')
        with pytest.raises(
            InputError, match=r"a\.xml: the encoding that it declares cannot be rea"
        ):
            read_fields("wmt24", "wmt-xml", [(path, None)])

    @pytest.mark.parametrize("damage", ["cut", "header", "checksum", "block"])
    def test_a_damaged_gz(self, tmp_path, damage):
        content = gzip.compress(xml_file([(self.NAMED, self.BOTH)]).encode())
        damaged = {
            "cut": content[:-9],
            "header": b"no gzip",
            "checksum": content[:-8] + bytes(8),
            "block": content[:10] + b"\xff" * 20,
        }
        path = tmp_path / "a.xml.gz"
        path.write_bytes(damaged[damage])
        with pytest.raises(InputError, match=r"a\.xml\.gz: damaged \("):
            read_fields("wmt24", "wmt-xml", [(path, None)])

    @pytest.mark.parametrize(
        "declaration",
        [
            '<!ENTITY a "b">',
            '<!ENTITY % a "b">',
            '<!ENTITY a SYSTEM "secret.txt">',
            '<!ENTITY l0 "lol">'
            + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10)),
        ],
    )
    def test_entities_are_refused(self, tmp_path, declaration):
        """Entities of its own would let a file grow without bound, or read other files."""
        (tmp_path / "secret.txt").write_text("secret")
        prolog = f"<!DOCTYPE dataset [\n{declaration}]>"
        parts = part('src lang="en"', {1: "&l9;"}) + self.REFERENCE
        (tmp_path / "a.xml").write_text(xml_file([(self.NAMED, parts)], prolog))
        with pytest.raises(InputError, match="line 2: the file depends on its own entity"):
            our_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])

    def test_entities_of_other_files_are_refused(self, tmp_path):
        """An entity that an external file would define is not left out silently."""
        prolog = '<!DOCTYPE dataset SYSTEM "other.dtd">'
        (tmp_path / "other.dtd").write_text('<!ENTITY a "b">')
        parts = part('src lang="en"', {1: "x &a; y"}) + self.REFERENCE
        (tmp_path / "a.xml").write_text(xml_file([(self.NAMED, parts)], prolog))
        with pytest.raises(InputError, match="depends on its own entity 'a'"):
            our_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])

    def test_deep_elements(self, tmp_path):
        """A hundred thousand levels do not exhaust the stack."""
        deep = "<x>" * 100_000 + "</x>" * 100_000
        (tmp_path / "a.xml").write_text(xml_file([(self.NAMED, self.BOTH + deep)]))
        assert our_fields(tmp_path, "wmt24", "wmt-xml", ["a.xml"])["src"] == ["s"]


def test_every_kind_is_compared():
    """Each kind of the registry is one that the tests above compare."""
    assert {each.kind for each in registered_sets().values()} == set(ORIGINALS)
