"""Files as they are found: read as what they are, or refused with the call to make."""

import csv
import gzip
import html
import io
import itertools
import json
import re
import shlex

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from looping import looped
from project import EXAMPLES
from truebleu import InputError, SettingsWarning, corpus_bleu, read_lines
from truebleu.engines import arrow

SYSTEM, WEAK, ONE, TWO, SOURCE, DOCUMENTS = (
    read_lines(EXAMPLES / name)
    for name in (
        *("system-strong.en", "system-weak.en", "reference-a.en", "reference-b.en"),
        *("source.de", "documents.txt"),
    )
)


def escaped(text):
    """Write a text as it stands in markup."""
    return html.escape(text, quote=False)


def documents(texts, attributes=""):
    """Write documents of SGML."""
    lines, last = [], None
    for number, (name, text) in enumerate(zip(DOCUMENTS, texts, strict=True), 1):
        if name != last:
            lines += ["</doc>"] * (last is not None)
            lines.append(f'<doc {attributes}docid="{name}" genre="news" origlang="de">')
            lines.append("<p>")
        last = name
        lines.append(f'<seg id="{number}">{escaped(text)}</seg>')
    return "\n".join([*lines, "</doc>"])


def sgml(kind, *systems, attributes=""):
    """Write a set of the SGML of NIST and WMT."""
    parts = (documents(texts, f'sysid="{name}" ' if name else "") for name, texts in systems)
    start = f'<{kind}set setid="newstest2017" srclang="de" trglang="en"{attributes}>'
    return "\n".join([start, *parts, f"</{kind}set>\n"])


def mteval(*references):
    """Write sets in one document of XML, as mteval-v13a reads it."""
    sets = (
        sgml("ref", ("", texts), attributes=f' refid="ref{number}"')
        for number, texts in enumerate(references, 1)
    )
    doctype = '<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">'
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', doctype, "<mteval>", *sets, "</mteval>\n"]
    )


def wmt_xml(systems, references):
    """Write the XML of WMT since 2021: all of a language pair in one file."""
    lines = ["<?xml version='1.0' encoding='utf-8'?>", '<dataset id="newstest2021.de-en">']
    for name in dict.fromkeys(DOCUMENTS):
        rows = [number for number, each in enumerate(DOCUMENTS) if each == name]
        lines.append(f'  <doc origlang="de" id="{name}">')
        parts = [
            ('src lang="de"', SOURCE),
            *((f'ref lang="en" translator="{each}"', texts) for each, texts in references.items()),
            *((f'hyp lang="en" system="{each}"', texts) for each, texts in systems.items()),
        ]
        for tag, texts in parts:
            lines.append(f"    <{tag}>\n      <p>")
            for number, row in enumerate(rows, 1):
                lines.append(f'        <seg id="{number}">{escaped(texts[row])}</seg>')
            lines.append(f"      </p>\n    </{tag.split()[0]}>")
        lines.append("  </doc>")
    return "\n".join([*lines, "</dataset>\n"])


def json_lines(**columns):
    """Write an object per line."""
    rows = zip(*columns.values(), strict=True)
    objects = (dict(zip(columns, row, strict=True)) for row in rows)
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def separated(separator, *rows):
    """Write rows with quotes where they are needed."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def parquet(**columns):
    """Write a Parquet file."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


NUMBERS = range(len(SYSTEM))
IDS = [f"d{number}" for number in NUMBERS]
FLORES = [
    ["id", "URL", "domain", "topic", "sentence"],
    *([n, "https://en.wikinews.org", "news", "law", text] for n, text in enumerate(ONE)),
]
FIRST = {"id": IDS, "translation": [{"de": a, "en": b} for a, b in zip(SOURCE, ONE, strict=True)]}
# Text in two lines.
BROKEN = [text.replace(" ", "\n", 1) for text in SYSTEM]

FILES = {
    "sys": "\n".join(SYSTEM),
    "ref": "\n".join(ONE),
    "ref2": "\n".join(TWO),
    "sys.sgm": sgml("tst", ("strong", SYSTEM)),
    "ref.sgm": sgml("ref", ("ref", ONE)),
    "ref.sgml": sgml("ref", ("", ONE)),
    "refs.sgm": sgml("ref", ("A", ONE), ("B", TWO)),
    "src.sgm": sgml("src", ("", SOURCE)),
    "two.sgm": sgml("tst", ("strong", SYSTEM), ("weak", WEAK)),
    "upper.sgm": sgml("tst", ("strong", SYSTEM))
    .replace("<seg", "  <SEG")
    .replace("</seg>", " </SEG>")
    .replace("<doc", "<DOC"),
    "markup.txt": sgml("tst", ("strong", SYSTEM)),
    "mteval.xml": mteval(ONE, TWO),
    "all.xml": wmt_xml({"Online-A": SYSTEM, "weak": WEAK}, {"A": ONE, "B": TWO}),
    "one.xml": wmt_xml({"Online-A": SYSTEM}, {}),
    "one.jsonl": json_lines(id=NUMBERS, text=SYSTEM),
    "objects": json_lines(id=NUMBERS, text=SYSTEM),
    "ref.jsonl": json_lines(n=NUMBERS, reference=ONE),
    "list.json": json.dumps([{"text": text} for text in SYSTEM], indent=1),
    "strings.json": json.dumps(SYSTEM),
    "hf.jsonl": json_lines(**FIRST),
    "pairs.jsonl": json_lines(hypothesis=SYSTEM, reference=ONE),
    "flores.tsv": "".join("\t".join(map(str, row)) + "\n" for row in FLORES),
    "plain.tsv": "".join(f"{n}\t{a}\t{b}\n" for n, a, b in zip(NUMBERS, SYSTEM, ONE, strict=True)),
    "names.tsv": "".join(
        f"{a}\t{b}\n" for a, b in [("alpha", "beta"), *zip(SYSTEM, ONE, strict=True)]
    ),
    "quotes.csv": separated(
        ",", ["id", "hypothesis", "reference"], *zip(IDS, BROKEN, ONE, strict=True)
    ),
    "semicolons.csv": separated(";", ["id", "mt"], *zip(NUMBERS, SYSTEM, strict=True)),
    "pandas.csv": separated(",", ["", "hyp", "ref"], *zip(NUMBERS, SYSTEM, ONE, strict=True)),
    "text.tsv": "The text\tDer Text\n" * 9,
    "twice.csv": "id,text,text\n0,a b,c d\n",
    "lines.json": json_lines(id=NUMBERS, text=SYSTEM),
    "entities.sgm": sgml("tst", ("a 'b'", SYSTEM)).replace(">The ", ">&#84;h&#x65;&#32;"),
    "words.tsv": "guten Tag\tgood day\ngute Nacht\tgood night\n" * 9,
    "words": "guten Abend\n" * 18,
    "t.parquet": parquet(id=list(NUMBERS), mt=SYSTEM, ref=ONE),
}
BLEU = {1: corpus_bleu(SYSTEM, ONE), 2: corpus_bleu(SYSTEM, list(zip(ONE, TWO, strict=True)))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write all files."""
    found = tmp_path_factory.mktemp("wild")
    for name, content in FILES.items():
        found.joinpath(name).write_bytes(
            content if isinstance(content, bytes) else content.encode()
        )
    return found


def score(run, folder, *words):
    """Return the score that a command prints, without a warning."""
    code, out, error = run("score", *words, "-b", cwd=folder)
    said = [line for line in error.splitlines() if not line.endswith(" is read")]
    assert (code, said) == (0, []), error
    return float(out)


class TestRead:
    """Where the meaning is clear, the score is that of the texts in the file."""

    @looped(
        "name",
        [
            *("sys.sgm", "upper.sgm", "markup.txt", "one.xml", "one.jsonl", "objects"),
            *("list.json", "strings.json", "lines.json", "entities.sgm"),
        ],
    )
    def test_outputs(self, run, folder, name):
        """Also compressed, and from standard input if the content says what it is."""
        assert score(run, folder, name, "-r", "ref") == round(BLEU[1], 2)
        packed = folder / f"{name}.gz"
        packed.write_bytes(gzip.compress((folder / name).read_bytes()))
        assert score(run, folder, packed.name, "-r", "ref") == round(BLEU[1], 2)

    @looped(
        "name, number",
        [
            *(("ref.sgm", 1), ("ref.sgml", 1), ("ref.jsonl", 1)),
            *(("refs.sgm", 2), ("mteval.xml", 2), ("all.xml", 2)),
        ],
    )
    def test_references(self, run, folder, name, number):
        """All references of a set count."""
        assert score(run, folder, "sys", "-r", name) == round(BLEU[number], 2)
        assert score(run, folder, "sys.sgm", "-r", name) == round(BLEU[number], 2)

    @looped(
        "words, number",
        [
            ("plain.tsv --hypothesis-column 2 -r ref", 1),
            ("plain.tsv --hypothesis-column 2 --reference-column 3", 1),
            ("plain.tsv --no-header --hypothesis-column 2 --reference-column 3", 1),
            ("names.tsv --hypothesis-column alpha -r names.tsv --reference-column beta", 1),
            ("quotes.csv --hypothesis-column hypothesis -r ref ref2", 2),
            ("quotes.csv --hypothesis-column 2 --reference-column 3", 1),
            ("semicolons.csv --hypothesis-column mt -r ref", 1),
            ("pandas.csv --hypothesis-column hyp -r ref", 1),
            ("pandas.csv --hypothesis-column 2 --reference-column 3", 1),
            ("sys -r flores.tsv --reference-column sentence", 1),
            ("sys -r flores.tsv --reference-column 5", 1),
            ("sys -r hf.jsonl --reference-column translation.en", 1),
            ("pairs.jsonl --hypothesis-column hypothesis -r refs.sgm", 2),
            ("objects --hypothesis-column text -r ref", 1),
            ("t.parquet --hypothesis-column mt -r ref", 1),
            ("sys -r t.parquet --reference-column ref", 1),
            ("all.xml --hypothesis-column Online-A --reference-column ref:A", 1),
            ("all.xml --hypothesis-column Online-A -r all.xml", 2),
            (
                "all.xml --hypothesis-column Online-A -r all.xml --reference-column ref:A "
                "--reference-column ref:B",
                2,
            ),
            ("two.sgm --hypothesis-column strong -r ref.sgm", 1),
        ],
    )
    def test_columns(self, run, folder, words, number):
        """By name or number, of tables that are given beside others."""
        assert score(run, folder, *words.split()) == round(BLEU[number], 2)

    def test_other_commands(self, run, folder):
        """All that read files of lines read these, with sources and documents."""
        words = ["all.xml", "--hypothesis-column", "Online-A", "--hypothesis-column", "weak"]
        words += ["-r", "all.xml"]
        documents = ("--units", "all.xml")
        _, out, error = run("compare", *words, *documents, cwd=folder)
        assert "Online-A - weak" in out
        assert "same file" not in error
        assert "units:documents" in out
        names = "sys.sgm -r refs.sgm --sources src.sgm --units src.sgm -o x.html"
        assert run("report", *names.split(), cwd=folder)[0] == 0
        for command in ("segments", "explain", "audit"):
            plain = run(command, "sys", "-r", "ref", "ref2", cwd=folder)[1]
            found = run(command, "sys=sys.sgm", "-r", "refs.sgm", cwd=folder)[1]
            assert found.replace("sys.sgm", "sys") == plain
        tokens = run("tokenize", "sys", cwd=folder)
        assert run("tokenize", "one.jsonl", cwd=folder)[:2] == tokens[:2]
        for name in ("two.sgm", "hf.jsonl", "flores.tsv", "t.parquet", "all.xml"):
            _, command = refusal(run, folder, "tokenize", name).split("`")[:2]
            assert run(*shlex.split(command)[1:], cwd=folder)[0] == 0
        assert run("tokenize", "two.sgm", "--column=strong", cwd=folder) == tokens
        groups = ("--group-by", "documents", "--units")
        assert (
            run("score", "sys", "-r", "ref", *groups, "ref.sgm", cwd=folder)[1]
            == run("score", "sys", "-r", "ref", *groups, EXAMPLES / "documents.txt", cwd=folder)[1]
        )

    def test_odd_lengths(self, run, folder):
        """The warning names the worst line, and how many are as odd; that for markup the first."""
        short = [*(text[: len(text) // 3] for text in SYSTEM[:71]), SYSTEM[71]]
        whole = " ".join(SYSTEM)
        long = [*SYSTEM[:16], whole, whole[len(SYSTEM[16]) :], *SYSTEM[18:]]
        for texts, said in (
            (long, "; 2 of 72 segments are too long, line 17 most of all ("),
            (short, "; 71 of 72 segments are too short, line 26 most of all ("),
            ([f"<b>{text}</b>" for text in SYSTEM], "and ends with >, first in line 1; remove the"),
        ):
            (folder / "odd").write_text("\n".join(texts) + "\n")
            assert said in run("score", "odd", "-r", "ref", "-m", "bleu", "chrf", cwd=folder)[2]

    def test_as_text(self, run, folder):
        """The option reads any text as it is."""
        for name in ("sys.sgm", "one.jsonl", "plain.tsv"):
            lines = read_lines(folder / name, as_text=True)
            (folder / "same").write_text("\n".join(lines))
            code, out, _ = run("score", name, "-r", "same", "-b", "--as-text", cwd=folder)
            assert (code, out) == (0, "100.00\n")


def tabbed(*rows):
    """Write rows without quotes."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def kept(texts):
    """Return texts with commas and semicolons, more in the first than there are columns."""
    return ["Yes, no; well, hm; so, yes; so, no;", *texts[1:]]


ROWS = list(zip(IDS, kept(SYSTEM), kept(ONE), strict=True))
NAMED = [("id", "mt", "ref"), *ROWS]
SEPARATED = {
    "tabs.tsv": tabbed(*NAMED),
    "tabs.tab": tabbed(*NAMED),
    "tabs.csv": tabbed(*NAMED),
    "blank.tsv": "\n" + tabbed(*NAMED),
    "commas.csv": separated(",", *NAMED),
    "blank.csv": "\n\n" + separated(",", *NAMED),
    "excel.csv": separated(";", *NAMED),
    "excel_blank.csv": "\n" + separated(";", *NAMED),
    # Texts in two lines, some of which are the last of a sample.
    "broken.csv": separated(";", *((a, b.replace(" ", "\n", 1), c) for a, b, c in NAMED)),
}


class TestSeparators:
    """The suffix says what separates cells, or else the first rows, which all agree."""

    @looped("name", SEPARATED)
    def test_every_way_in(self, run, tmp_path, name):
        """By name, by number, beside a file of lines, compressed, in Python: one score."""
        (tmp_path / "ref").write_text("\n".join(kept(ONE)))
        (tmp_path / name).write_text(SEPARATED[name])
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(SEPARATED[name].encode()))
        expected = corpus_bleu(kept(SYSTEM), kept(ONE))
        for file in (name, f"{name}.gz"):
            for words in (
                f"{file} --hypothesis-column mt --reference-column ref",
                f"{file} --hypothesis-column 2 --reference-column 3",
                f"{file} --hypothesis-column mt -r ref",
            ):
                assert score(run, tmp_path, *words.split()) == round(expected, 2), words
            assert arrow.corpus_score(tmp_path / file, "mt", "ref") == expected

    @looped("suffix", ["tsv", "tab", "tsv.gz", "tab.gz"])
    def test_no_header(self, run, tmp_path, suffix):
        """Tabs separate the cells of these, however many commas the first line has."""
        content = tabbed(*(row[1:] for row in ROWS)).encode()
        packed = gzip.compress(content) if suffix.endswith("gz") else content
        (tmp_path / f"t.{suffix}").write_bytes(packed)
        words = f"t.{suffix} --no-header --hypothesis-column 1 --reference-column 2"
        found = score(run, tmp_path, *words.split())
        assert found == round(corpus_bleu(kept(SYSTEM), kept(ONE)), 2)

    def test_files_that_differ(self, tmp_path):
        """Each file of one table has its own separator."""
        for separator, name in ((",", "a.csv"), (";", "b.csv")):
            (tmp_path / name).write_text(separated(separator, *NAMED))
        expected = corpus_bleu(kept(SYSTEM) * 2, kept(ONE) * 2)
        assert arrow.corpus_score(tmp_path, "mt", "ref") == expected


def refusal(run, folder, *words, code=2):
    """Return what a command is refused with."""
    found, out, error = run(*words, cwd=folder)
    assert (found, out) == (code, "")
    return error


class TestKept:
    """Columns beside the scores are those of the rows that are scored."""

    def test_a_column_without_a_name(self, run, tmp_path):
        """It is called by its number, and its rows are those of the others."""
        (tmp_path / "t.csv").write_text("h,r,\na b,a b,x\nc d,c d,y\n")
        options = ["--hypothesis-column=h", "--reference-column=r", "--keep", "3"]
        out = run("segments", "t.csv", *options, "-f", "tsv", cwd=tmp_path)[1]
        assert [line.split("\t")[1] for line in out.splitlines()] == ["3", "x", "y"]

    def test_fields_of_any_type(self, run, tmp_path):
        """Numbers, and fields that only later objects have, are kept as well."""
        rows = [{"n": n, "mt": "a b", "ref": "a b"} for n in range(200)]
        rows[-1]["late"] = "x"
        (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = ["--hypothesis-column=mt", "--reference-column=ref", "--keep", "n", "late"]
        out = run("segments", "t.jsonl", *options, "-f", "tsv", cwd=tmp_path)[1]
        assert [line.split("\t")[1:3] for line in out.splitlines()[-2:]] == [
            ["198", ""],
            ["199", "x"],
        ]
        all_of_them = [*options[:2], "--keep", "all"]
        out = run("segments", "t.jsonl", *all_of_them, "-f", "tsv", cwd=tmp_path)[1]
        assert out.splitlines()[0].split("\t")[1] == "n"

    def test_what_clashes(self, run, tmp_path):
        """No format drops a column that is called as one of the output."""
        (tmp_path / "t.csv").write_text("mt,ref,hyp_len\na b,a b,9\n")
        options = ["--hypothesis-column=mt", "--reference-column=ref", "--keep=hyp_len"]
        error = refusal(run, tmp_path, "segments", "t.csv", *options, "-f", "json", code=2)
        assert "--keep hyp_len clashes with a column of the output" in error


class TestJson:
    """A string is a string, and a field that nobody named is said, or not guessed."""

    ROWS = tuple(
        {"custom_id": i, "mt": a, "ref": b} for i, a, b in zip(IDS, SYSTEM, ONE, strict=True)
    )

    @looped(
        "row, said",
        [
            ({"mt": 2017, "ref": "x"}, "'mt' is 2017; a string is needed"),
            ({"mt": {"a": "b"}, "ref": "x"}, "'mt' is {'a': 'b'}; a string is needed"),
            ({"mt": "x", "ref": ["x", "y"]}, "'ref' is ['x', 'y']; a string is needed"),
        ],
    )
    @pytest.mark.parametrize("copies", [1, 300])
    def test_what_is_no_string(self, run, tmp_path, copies, row, said):
        """It is an error with its line, also behind the rows that tell types; others score."""
        rows = self.ROWS * copies
        (tmp_path / "good.jsonl").write_text("".join(map("{}\n".format, map(json.dumps, rows))))
        lines = "".join(json.dumps(each) + "\n" for each in [*rows, row])
        (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
        found = arrow.corpus_score(tmp_path / "good.jsonl", "mt", "ref")
        assert found.score == pytest.approx(BLEU[1].score)
        message = f"t.jsonl.gz, line {len(rows) + 1:,}: {said}"
        words = "t.jsonl.gz --hypothesis-column mt --reference-column ref"
        assert message in refusal(run, tmp_path, "score", *words.split())
        with pytest.raises(InputError, match=re.escape(message)):
            arrow.corpus_score(tmp_path / "t.jsonl.gz", "mt", "ref")

    def test_lists_of_strings(self, tmp_path):
        """All are lists of strings or null, or the one that is not is named."""
        rows = [{"mt": a, "ref": [b, None, c]} for a, b, c in zip(SYSTEM, ONE, TWO, strict=True)]
        path = tmp_path / "t.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert arrow.corpus_score(path, "mt", "ref") == BLEU[2]
        with path.open("a") as file:
            file.write(json.dumps({"mt": "x", "ref": ["x", 3]}) + "\n")
        with pytest.raises(InputError, match=r"line 73: 'ref' is \['x', 3\]; a list of strings"):
            arrow.corpus_score(path, "mt", "ref")

    def test_which_field_is_read(self, run, tmp_path):
        """The only one that may be text, which is said; an ID never, nor a reference as output."""
        (tmp_path / "ref").write_text("\n".join(ONE))
        columns = {
            "out.jsonl": {"id": NUMBERS, "out": SYSTEM},
            "ref.jsonl": {"n": NUMBERS, "ref": ONE},
        }
        for name, each in columns.items():
            (tmp_path / name).write_text(json_lines(**each))
        code, out, error = run("score", "out.jsonl", "-r", "ref", "-b", cwd=tmp_path)
        assert (code, float(out)) == (0, round(BLEU[1], 2))
        assert error == "truebleu: out.jsonl: the field 'out' is read\n"
        assert score(run, tmp_path, "ref", "-r", "ref.jsonl", "--quiet") == 100
        error = refusal(run, tmp_path, "score", "ref.jsonl", "-r", "ref")
        assert "ref.jsonl is JSON Lines with the columns ref, not lines of text: write" in error

    def test_text_in_lists(self, run, tmp_path):
        """The message says where it is; the ID beside it is not scored."""
        (tmp_path / "ref").write_text("\n".join(ONE))
        answers = [{"choices": [{"message": {"role": "x", "content": text}}]} for text in SYSTEM]
        (tmp_path / "b.jsonl").write_text(json_lines(custom_id=IDS, response=answers))
        error = refusal(run, tmp_path, "score", "b.jsonl", "-r", "ref")
        assert "text inside a list, in response.choices.0.message.content, not lines" in error


class TestRefused:
    """Where it is unclear, the message has the command, and this works."""

    OUTPUTS = (
        *("all.xml", "two.sgm", "hf.jsonl", "pairs.jsonl", "flores.tsv", "plain.tsv", "names.tsv"),
        *("quotes.csv", "semicolons.csv", "t.parquet"),
    )
    FILES = (
        *(f"{name} -r ref" for name in OUTPUTS),
        "words.tsv -r words",
        *(f"sys -r {name}" for name in ("hf.jsonl", "flores.tsv", "src.sgm", "t.parquet")),
        *("pairs.jsonl -r hf.jsonl", "t.parquet -r quotes.csv", "one.jsonl -r ref.jsonl"),
    )
    OTHERS = ("segments", "compare", "audit", "explain", "audit --target=50 --max-seconds=1e-9")

    # The options of columns are those of every command, and so are the readers of every form.
    @looped(
        "command, files",
        [
            *itertools.product(["score"], FILES),
            *itertools.product(OTHERS, [FILES[0], FILES[-2], FILES[-5]]),
        ],
    )
    def test_the_command_works(self, run, folder, command, files):
        """Executed as it stands."""
        error = refusal(run, folder, *command.split(), *files.split())
        _, binary, meant = (
            re.findall(r"(is (a table)?.*?), not lines of text: `(.*?)`", error)[0] + ()
        )
        assert error.endswith("; --as-text reads it as it is\n") or binary
        program, *words = shlex.split(meant)
        assert program == "truebleu"
        assert run(*words, cwd=folder)[0] == 0

    @looped(
        "words, said",
        [
            (
                "names.tsv --hypothesis-column 1 -r ref",
                "'alpha' may be a text, or the name of column 1",
            ),
            (
                "text.tsv --hypothesis-column 1 -r ref",
                "'The text' may be a text, or the name of column 1",
            ),
            (
                "pandas.csv --hypothesis-column hyp, -r ref",
                "no column 'hyp,'; choose one of 1, hyp, ref, 2, 3; did you mean hyp?",
            ),
            (
                "twice.csv --hypothesis-column 2 -r ref",
                "'text' may be a text, or the name of column 2",
            ),
            ("twice.csv --hypothesis-column text -r ref", "has 2 columns called 'text': give"),
            ("plain.tsv --hypothesis-column 4 -r ref", "no column '4'; choose one of 1, 2, 3"),
            ("flores.tsv --hypothesis-column sentenc -r ref", "did you mean sentence?"),
            ("all.xml --hypothesis-column Online-B -r ref", "no column 'Online-B'; choose one of"),
            ("hf.jsonl --hypothesis-column translation.fr -r ref", "did you mean translation"),
        ],
    )
    def test_wrong_columns(self, run, folder, words, said):
        """The message has those that there are."""
        assert said in refusal(run, folder, "score", *words.split(), code=2)

    @looped(
        "name, content, said",
        [
            (
                "x.jsonl",
                '{"a": "b"}\n' * 100 + "x\n",
                "x.jsonl, line 101 is not a JSON object; `jq -cR ",
            ),
            (
                "x.jsonl",
                '{"a": "b"}\n' * 100 + '{"a": 1}\n',
                "line 101: 'a' is 1; a string is needed",
            ),
            (
                "x.jsonl",
                '{"a": "b"}\n{"a": "\\ud800"}\n',
                "x.jsonl, line 2: 'a' has half of a surrogate pair (U+D800), which is no charact",
            ),
            (
                "x.jsonl",
                '{"a": ["b", "c"]}\n',
                "x.jsonl is JSON Lines with text inside a list, in a.0, not lines of text: ",
            ),
            (
                "x.jsonl",
                '{"a": "b"}\n\n{"a": "b", "c": {"d": 1, "d": 2}}\n',
                "x.jsonl, line 3: an object has the key 'd' twice",
            ),
            (
                "x.json",
                '[{"a": "b"},\n{"a": "b",\n"a": "c"},\n{"a": "d"}]',
                "x.json, line 3: an object has the key 'a' twice",
            ),
            (
                "x",
                "0 ||| a b ||| lm= -1 ||| -2\n0 ||| c ||| lm= -1 ||| -3\n",
                "x is an n-best list of Moses, not one segment per line: `truebleu mbr x --inp",
            ),
            ("x.json", "[1,\n2", "x.json is not well-formed JSON (Expecting ',' delimiter: line 2"),
            ("x.csv", "a,b\nc,d\ne,f,g\n", "x.csv, line 3 has 3 cells, and the first 2; --as"),
            ("x.csv", 'a,b\nc,"d\ne,f\n', "x.csv, line 2: not well-formed CSV (a quote is n"),
            ("x.csv", 'a,b\nc,"d"e\n', "x.csv, line 2: not well-formed CSV (text after a "),
            ("x.tsv", "a b\tc\td.\n" * 2 + "a\tb\n", "line 3 has 2 cells, and the first 3"),
            (
                "x.xml",
                "<?xml version='1.0'?>\n<dataset>\n<seg>\n",
                "line 3, column 6: not well-formed",
            ),
            (
                "x.sgm",
                sgml("ref", ("A", ONE)).replace("</refset>", "<doc sysid='B'><seg id='1'>x</seg>"),
                "ref:B and ref:A differ in their documents",
            ),
            (
                "x.sgm",
                "<refset>\n<doc>\n<seg id='1'>a\n<seg id='2'>b</seg>\n",
                """x.sgm, line 3: there is no </seg> for "<seg id='1'>"; --as-text""",
            ),
        ],
    )
    def test_damaged(self, run, folder, name, content, said):
        """The message names the line, and does not speak of downloads."""
        folder.joinpath(name).write_text(content)
        words = ["score", name, "-r", "ref", *["--hypothesis-column=3"] * (name == "x.tsv")]
        words += ["--hypothesis-column=a"] * (name == "x.csv")
        words = ["score", "sys", "-r", name] if name == "x.sgm" else words
        error = refusal(run, folder, *words)
        assert said in error
        assert "download" not in error

    @looped("text", ["<seg>a", "<seg ", "<doc " + "a" * 9, "<seg>a</seg ", "<doc a=' b=\" "])
    def test_broken_markup_takes_linear_time(self, run, folder, text):
        """Of tags that do not end, too."""
        folder.joinpath("x.sgm").write_text("<refset>\n<seg>a</seg>\n" + text * 200_000)
        assert "x.sgm" in run("score", "sys", "-r", "x.sgm", cwd=folder)[2]

    def test_a_table_of_sentences_has_no_names(self, run, folder):
        """Long cells in the first row are data, and the command that is suggested says so."""
        rows = [f"{one}\t{two}\n" for one, two in zip(ONE, TWO, strict=True)]
        (folder / "refs.tsv").write_text("".join(rows))
        error = refusal(run, folder, "score", "sys", "-r", "refs.tsv")
        assert "--reference-column 2 --no-header`" in error

    def test_different_lengths(self, run, folder):
        """Segments are called segments, and lines lines."""
        (folder / "short").write_text("\n".join(ONE[:-1]))
        error = refusal(run, folder, "score", "sys.sgm", "-r", "short")
        assert error == (
            "truebleu: short has 71 lines but sys.sgm has 72: segment 72 of sys.sgm has no "
            "matching line\n"
        )


class TestMissingReferences:
    """An empty line of references is a reference without words, or none."""

    FEW = "\n".join(text if number % 3 else "" for number, text in enumerate(TWO))

    def test_both(self, run, folder):
        """By default, a warning has their number; skipped, the segments have fewer references."""
        (folder / "few").write_text(self.FEW)
        words = ("score", "sys", "-r", "ref", "few")
        _, out, error = run(*words, "--format=json", cwd=folder)
        assert error.startswith(
            "truebleu: warning: 24 empty references count as references without"
        )
        assert error.endswith("; --missing skip leaves them out\n")
        streams = [ONE, self.FEW.split("\n")]
        with pytest.warns(SettingsWarning, match="use None for references that are missing$"):
            assert json.loads(out)[0]["score"] == corpus_bleu(SYSTEM, reference_streams=streams)
        streams[1] = [text or None for text in streams[1]]
        skipped = corpus_bleu(SYSTEM, reference_streams=streams)
        for command in ("score", "segments", "compare", "explain", "audit"):
            code, out, error = run(
                *(command, *words[1:], "--missing=skip", "--format=json"), cwd=folder
            )
            assert (code, error) == (0, "")
            if command == "score":
                [found] = json.loads(out)
                assert (found["score"], "nrefs:var" in out) == (skipped, True)

    def test_libraries(self, run, folder):
        """Lines that a library splits are skipped as well."""
        pytest.importorskip("MeCab")
        tokenizer = "ja-mecab"
        (folder / "few").write_text(self.FEW)
        words = ("sys", "-r", "ref", "few", "--missing=skip", f"--tokenizer={tokenizer}")
        streams = [ONE, [text or None for text in self.FEW.split("\n")]]
        expected = corpus_bleu(SYSTEM, reference_streams=streams, tokenizer=tokenizer)
        assert score(run, folder, *words) == round(expected, 2)

    def test_none_left(self, run, folder):
        """A segment without any reference is an error that names the line."""
        (folder / "few").write_text("x\n" + self.FEW.partition("\n")[2])
        words = ("score", "sys", "-r", "few", "--missing=skip")
        assert refusal(run, folder, *words) == (
            "truebleu: few, line 4: the segment has no reference left; leave it out\n"
        )
        error = run("score", "sys", "-r", "few", cwd=folder)[2]
        assert "the only reference is empty in 23 of 72 segments" in error


class TestTextsOfTestSets:
    """Texts that are not from a file of lines become lines in one place."""

    @pytest.fixture
    def own(self, tmp_path, monkeypatch):
        """Return a function that writes a test set of JSON Lines with these references."""
        monkeypatch.setenv("TRUEBLEU_CACHE", str(tmp_path / "cache"))
        (tmp_path / "own.toml").write_text(
            '[sets.own]\nkind = "jsonl"\n[sets.own.pairs.de-en]\nsrc = "s:own.jsonl"\n'
            'ref = ["a:own.jsonl", "b:own.jsonl"]\n'
        )

        def write(*references):
            rows = [{"s": "s", "a": "a b c d e", "b": each} for each in references]
            lines = "".join(f"{json.dumps(row)}\n" for row in rows)
            (tmp_path / "own.jsonl").write_text(lines)
            (tmp_path / "sys").write_text("a b c d e\n" * len(rows))
            return tmp_path

        return write

    @pytest.mark.parametrize("command", ["score", "segments", "compare", "audit"])
    def test_half_of_a_surrogate_pair(self, run, own, command):
        """The message has the file, the line and the field, from whatever block."""
        systems = ["x=sys", "y=sys"] if command == "compare" else ["sys"]
        folder = own(*["b"] * 1500, "b \ud800")
        error = run(command, *systems, "-t", "own.toml", "-l", "de-en", cwd=folder)[2]
        assert "own.jsonl, line 1,501: 'b' has half of a surrogate pair (U+D800)" in error
        assert "Traceback" not in error

    @pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n"])
    def test_line_breaks(self, run, own, line_break):
        """A line break within a text counts as a space."""
        scores = [
            run("score", "sys", "-t", "own.toml", "-l", "de-en", "-q", cwd=own(text, "b"))[:2]
            for text in (f"a b{line_break}c", "a b c")
        ]
        assert scores[0] == scores[1]
        assert scores[0][0] == 0

    def test_a_text_of_several_lines_is_limited(self, run, tmp_path, monkeypatch):
        """Of a text that is longer than its lines, the message has the file."""
        monkeypatch.setenv("TRUEBLEU_MAX_LINE", "8")
        (tmp_path / "x.csv").write_text('mt,id\n"é é\né é",1\n', "utf-8")
        (tmp_path / "ref").write_text("a b c\n")
        words = ["x.csv", "--hypothesis-column", "mt", "-r", "ref"]
        assert (
            "x.csv, line 2 has more than 8 bytes: is a quote open"
            in run("score", *words, cwd=tmp_path)[2]
        )
