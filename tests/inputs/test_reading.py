"""Tables in files of text: cells are what Python's own readers say, or refused with their line."""

import csv
import gzip
import json
import re
import subprocess
import sys
import threading
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from truebleu import (
    InputError,
    InputTypeError,
    SettingsError,
    TruebleuError,
    read_lines,
    read_texts,
)
from truebleu._core import Column, Lines, RowError, Rows
from truebleu.errors import EncodingError, UnknownNameError
from truebleu.inputs import forms
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import PYTHON
from truebleu.inputs.readers import READERS, open_table
from truebleu.inputs.readers.separated import separator_of

LONGEST = 1 << 20


def read(made, content, block=None):
    """Push bytes in blocks; return the columns of all batches, one after the other."""
    rows, lines, columns = made(), Lines(LONGEST), []
    for start in range(0, len(content), block or len(content) or 1):
        lines.push(content[start : start + (block or len(content))])
        rows.push(lines)
        # Batches of any size.
        if len(rows) > 1:
            columns.append([column.texts() for column in rows.take()])
    lines.finish()
    rows.push(lines)
    rows.finish()
    columns.append([column.texts() for column in rows.take()])
    return [list(chain(*parts)) for parts in zip(*columns, strict=True)]


def in_blocks(made, content):
    """Read bytes at once and in blocks; return what all agree on, None if it is an error."""
    found = set()
    for block in (None, 1, 2, 3, 5):
        try:
            found.add(repr(read(made, content, block)))
        except RowError as error:
            found.add(error.args)
    [agreed] = found
    return eval(agreed) if isinstance(agreed, str) else None  # A repr of lists.


def by_csv(text, separator):
    """Read rows by Python's csv; None if they are not well-formed, or differ in length."""
    lines = (f"{line}\n" for line in re.split("\r\n|\r|\n", text))
    quoting = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    try:
        rows = list(
            filter(None, csv.reader(lines, delimiter=separator, quoting=quoting, strict=True))
        )
    except csv.Error:
        return None
    return rows if len({*map(len, rows)}) < 2 else None


class TestSeparated:
    """CSV and TSV, beside Python's csv."""

    TEXTS = st.lists(st.sampled_from(['"', '""', ",", ";", "\t", "\n", "\r", "\r\n", "a", "é b"]))

    @given(text=TEXTS.map("".join), separator=st.sampled_from(",;\t"))
    def test_any_text(self, text, separator):
        """The same cells, or refused by both, in whatever blocks it comes."""

        def made():
            return Rows.separated(ord(separator), separator != "\t", False, None, LONGEST)

        found = in_blocks(made, text.encode())
        assert (found and found[0]) == by_csv(text, separator)

    @given(
        rows=st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * 3)),
        ends=st.sampled_from(["\n", "\r\n", "\r"]),
        places=st.permutations([0, 1, 2]),
        mark=st.sampled_from(["", "\ufeff"]),
    )
    def test_what_csv_writes(self, rows, ends, places, mark):
        """Columns come back in the order that is asked for; line breaks become line feeds."""
        lines = [
            f"{','.join(cell.join([chr(34)] * 2) for cell in each)}{ends}"
            for each in [
                ("x", "y", "z"),
                *([cell.replace('"', '""') for cell in row] for row in rows),
            ]
        ]

        def made():
            return Rows.separated(ord(","), True, True, places[:2], LONGEST)

        columns = read(made, (mark + "".join(lines)).encode(), 7)
        cells = [[re.sub("\r\n|\r", "\n", cell) for cell in row] for row in rows]
        assert columns == [[row[place] for row in cells] for place in places[:2]]


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers(-999, 10**30) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)
PIECES = (
    *(
        '{"a":',
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        '"a"',
        '"b"',
        '"\\u0061"',
        " ",
        "\t",
        "1",
        "-",
        "0",
    ),
    *(
        ".5",
        "e9",
        "E+1",
        "true",
        "null",
        "NaN",
        "-Infinity",
        "Infinity",
        "\\n",
        "\\ud83d",
        "\\ude00",
    ),
    *("\\u12", "\\", "é", "nul", "\x1f", "\x7f"),
)


def unique_keys(pairs):
    """Make an object of which no key is there twice."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def ways(value, path, steps=0):
    """Yield what a path leads to, and in how many steps: keys may have dots."""
    items = value.items() if isinstance(value, dict) else []
    items = enumerate(value) if isinstance(value, list) else items
    for name, part in items:
        if path == str(name):
            yield steps, part
        elif path.startswith(f"{name}."):
            yield from ways(part, path.removeprefix(f"{name}."), steps + 1)


class TestJson:
    """JSON Lines, beside Python's json."""

    @given(text=st.lists(st.sampled_from(PIECES)).map("".join) | VALUES.map(json.dumps))
    def test_any_text(self, text):
        """The same values, or refused by both, in whatever blocks it comes."""
        text = text.strip()
        try:
            expected = json.loads(text or "{}", object_pairs_hook=unique_keys)
        except ValueError:
            expected = None
        is_object = isinstance(expected, dict)
        value = expected.get("a") if is_object else None
        half = isinstance(value, str) and re.search("[\ud800-\udfff]", value)
        found = in_blocks(lambda: Rows.json([], ["a"], True, True, LONGEST), text.encode())
        if not text:
            assert found == [[]]
        elif not is_object or half:
            assert found is None
        elif isinstance(value, str) or value is None:
            assert found == [[value]]
        else:
            assert repr(json.loads(found[0][0])) == repr(value)

    @given(
        row=st.dictionaries(st.sampled_from(["a", "b", "0", "a.b", "a.0"]), VALUES),
        path=st.sampled_from(["a", "a.b", "a.0", "a.b.0", "a.0.c", "b.1", "0"]),
        ascii_only=st.booleans(),
    )
    def test_paths(self, row, path, ascii_only):
        """Names and numbers lead into objects and lists, in as few steps as there are."""
        text = json.dumps(row, ensure_ascii=ascii_only).encode()
        _, value = min(ways(row, path), key=lambda way: way[0], default=(0, None))
        [[found]] = read(lambda: Rows.json([], [path], True, True, LONGEST), text)
        if isinstance(value, str) or value is None:
            assert found == value
        else:
            assert repr(json.loads(found)) == repr(value)

    def test_late_lists(self):
        """The first row that is not null decides, in whatever batch it comes; then all are so."""
        lines = b'{"b": "x"}\n{"a": null}\n{"a": ["x", null]}\n{"a": []}\n'

        def made():
            return Rows.json(["a"], ["b"], True, True, LONGEST)

        rows, ready = made(), Lines(LONGEST)
        ready.push(lines[:23])
        rows.push(ready)
        assert pa.array(rows.take()[0]).type == pa.null()
        ready.push(lines[23:])
        rows.push(ready)
        assert pa.array(rows.take()[0]).to_pylist() == [["x", None], []]
        rows = made()
        ready.push(lines)
        rows.push(ready)
        kind = pa.list_(pa.string())
        column, _ = rows.take()
        assert pa.array(column) == pa.array([None, None, ["x", None], []], kind)


class TestColumns:
    """What is read is a column in Arrow's layout."""

    @given(texts=st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]))))
    def test_export(self, texts):
        """Other libraries take it as it is, and it outlives what it was read from."""
        column = Column.of(texts)
        array = pa.array(column)
        assert column.texts() == Column(array).texts() == texts
        del column
        assert array == pa.array(texts, pa.string())

    def test_several_pieces(self):
        """An array is one piece."""
        column = Column(pa.chunked_array([["a"], ["b"]]))
        with pytest.raises(ValueError, match="several pieces"):
            pa.array(column)

    @given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
    def test_lines(self, texts):
        """A text is a line, in which a line break counts as a space."""
        lines = Lines()
        for text in texts:
            lines.push_column(Column.of([text]))
        lines.finish()
        assert lines.texts(len(texts) + 1) == [re.sub("\r\n|\r|\n", " ", each) for each in texts]


def refusal(path, *names, **options):
    """Return what a file is refused with."""
    caught = pytest.raises((InputError, SettingsError))
    with caught as error, open_table(str(path), wording=PYTHON) as reader:
        list(reader.batches(names, **options))
    return error.value


def texts_of(path, *names, labels=(), **options):
    """Read columns of a file."""
    with open_table(str(path), **options) as reader:
        batches = [[c.texts() for c in batch] for batch in reader.batches(names, labels)]
    return [list(chain(*parts)) for parts in zip(*batches, strict=True)]


class TestPitfalls:
    """What other readers guess, lose or say without a line."""

    CELLS = 'mt,id\r\n\n"a\n""b""",\r\n2017,1\r'

    @looped("encoded", [CELLS.encode(), CELLS.encode("utf-8-sig")])
    def test_cells(self, tmp_path, encoded):
        """Everything is text; empty is not null; also without a line feed at the end."""
        path = tmp_path / "t.csv"
        path.write_bytes(encoded)
        expected = [['a\n"b"', "2017"], ["", "1"]]
        assert texts_of(path, "mt", labels=["id"]) == expected
        packed = tmp_path / "t.csv.gz"
        # Two members.
        packed.write_bytes(gzip.compress(encoded[:9]) + gzip.compress(encoded[9:]))
        assert texts_of(packed, "mt", "id") == expected
        packed.write_bytes(packed.read_bytes()[:-9])
        with pytest.raises(OSError, match=r"t\.csv\.gz: damaged: it ends in the middle"):
            texts_of(packed, "mt")

    @looped(
        "content, said",
        [
            (
                "mt,x\na,b\nc\n",
                "line 3 has 1 cell, and the first 2; read_lines(path, as_text=True) reads",
            ),
            (
                "mt,x\na,b,c\n",
                "line 2 has 3 cells, and the first 2; read_lines(path, as_text=True) reads",
            ),
            ("mt,x\na,b\n \nc,d\n", "line 3 is empty: delete it; read_lines(path, as_text"),
            (
                'mt,x\na,b\n"c,d\n' * 2,
                "line 6: not well-formed CSV (text after a closing quote, wh",
            ),
            ('mt,x\na,b\nc,"d\ne,f\n', "line 3: not well-formed CSV (a quote is never closed)"),
            ('mt,x\na,"b"c\n', "line 2: not well-formed CSV (text after a closing quote)"),
            ("mt,mt\na,b\n", "t.csv has 2 columns called 'mt': give them different names"),
            ("x,y\na,b\n", "t.csv has no column 'mt'; choose one of x, y, 1, 2"),
        ],
    )
    def test_bad_rows(self, tmp_path, content, said):
        """The message names the line, and what is right."""
        path = tmp_path / "t.csv"
        path.write_text(content)
        found = str(refusal(path, "mt"))
        assert found.startswith(str(path))
        assert said in found

    def test_encodings(self, tmp_path):
        """The message has the call of iconv."""
        path = tmp_path / "t.csv"
        for encoding, name in [("utf-16", "UTF-16"), ("cp1252", "WINDOWS-1252")]:
            path.write_bytes("mt,x\né à è ù,ö\n".encode(encoding))
            found = refusal(path, "mt")
            assert isinstance(found, EncodingError)
            assert re.search(rf"line \d, byte \d+: not UTF-8.*iconv -f {name}", str(found))

    @looped(
        "row, said",
        [
            ('{"mt": 2017}', "'mt' is 2017; a string is needed"),
            ('{"mt": ["x"]}', "'mt' is ['x']; a string is needed"),
            (
                '{"mt": "\\ud83d"}',
                "'mt' has half of a surrogate pair (U+D83D), which is no character",
            ),
            ('{"mt": "x", "b": {"c": 1, "c": 1}}', ": an object has the key 'c' twice"),
            (
                '{"mt": "x"',
                " keeps all other lines; read_lines(path, as_text=True) reads the file as it is",
            ),
            (f'{{"mt": "x", "b": {"[" * 10**5}}}', " is not a JSON object"),
        ],
    )
    @pytest.mark.parametrize("copies", [0, 1, 300])
    def test_bad_objects(self, tmp_path, copies, row, said):
        """Where it is, also behind the rows that tell which columns there are."""
        path = tmp_path / "t.jsonl"
        good = '{"mt": "a", "b": ["\\ud83d", NaN]}\n\n' * copies
        path.write_text(good + row + "\n")
        if copies or "['x']" not in said:
            found = str(refusal(path, "mt"))
            assert found.startswith(f"{path}, line {2 * copies + 1}")
            assert said in found

    def test_columns_that_come_late(self, tmp_path):
        """They exist, and are null before; one that never comes does not."""
        path = tmp_path / "t.jsonl"
        path.write_text('{"mt": "a"}\n' * 500 + '{"ref": "b"}\n')
        assert texts_of(path, "ref") == [[None] * 500 + ["b"]]
        assert isinstance(refusal(path, "reff"), UnknownNameError)
        assert str(refusal(path, "mt", nulls=False)).endswith(
            "501: 'mt' is missing; a string is needed"
        )

    def test_numbers_of_columns(self, tmp_path):
        """From 1 on, where the first row has names and where it has cells."""
        path = tmp_path / "t.tsv"
        path.write_text('mt\tref\n"a\tb\n')
        assert texts_of(path, "1") == texts_of(path, "mt") == [['"a']]
        assert texts_of(path, "2", no_header=True) == [["ref", "b"]]
        path.write_text("alpha\tbeta\na b\tc d.\n")
        assert "if it is a text, add no_header=True; if it is a name, give it instead of 2" in str(
            refusal(path, "2")
        )
        assert texts_of(path, "beta") == [["c d."]]
        # What is no usual name is one if it is asked for.
        path.write_text("output (v2): 2026\tbeta\na b\tc d.\n")
        assert texts_of(path, "output (v2): 2026") == [["a b"]]

    def test_standard_input_and_pipes(self, tmp_path):
        """A pipe is read once, as it comes."""
        import os

        path = tmp_path / "t.tsv"
        os.mkfifo(path)
        rows = "mt\tref\n" + "a\tb\n" * 100_000
        writer = threading.Thread(target=path.write_text, args=(rows,))
        writer.start()
        assert texts_of(path, "ref") == [["b"] * 100_000]
        writer.join()

    def test_separators_need_no_complete_row(self):
        """The last row of a sample may go on."""
        assert separator_of(".csv", ["a;b", 'c;"d'], LONGEST) == ";"

    def test_rows_that_are_ready(self, tmp_path):
        """What is scored as it comes gets the rows of each block."""
        path = tmp_path / "t.csv"
        path.write_text("mt,x\n" + "a b c d e f,y\n" * 300_000)
        with open_table(str(path)) as reader:
            sizes = [len(column) for (column,) in reader.batches(["mt"], waits=False)]
        assert sum(sizes) == 300_000
        assert len(sizes) >= 3
        with LineFile(str(path)) as file:
            assert file.fill(100) >= 100

    def test_too_little_memory(self, tmp_path):
        """Too little memory for a row is a MemoryError."""
        code = (
            "import resource, sys\n"
            "from truebleu import read_texts\n"
            "import truebleu.inputs.texts\n"
            "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
            "resource.setrlimit(resource.RLIMIT_AS, (size + (24 << 20),) * 2)\n"
            "try:\n    read_texts(sys.argv[1], 'mt')\n"
            "except MemoryError:\n    print('MemoryError')\n"
        )
        rows = {"t.csv": 'mt,x\n"' + "a b\n" * 2**23 + '",y\n'}
        rows["t.jsonl"] = '{"mt": ["' + '", "'.join(["é"] * 2**22) + '"]}\n'
        for name, content in rows.items():
            (tmp_path / name).write_text(content, "utf-8")
            words = [sys.executable, "-c", code, str(tmp_path / name)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
            assert done.stdout == "MemoryError\n", done.stderr


TABLE = pa.table(
    {
        "id": [1, 2, 3],
        "mt": ["a", "b", None],
        "refs": [["x"], None, ["y", "z"]],
        "pair": [{"de": "p", "en": "q"}] * 3,
        "kind": pa.array(["u", "v", "u"]).dictionary_encode(),
    }
)


def written_by_arrow(folder):
    """Write a table in every format; return the paths."""
    pq.write_table(TABLE, folder / "t.parquet")
    for name, made in [("t.arrow", pa.ipc.new_file), ("t.arrows", pa.ipc.new_stream)]:
        with pa.OSFile(str(folder / name), "wb") as sink, made(sink, TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=2)
    return [folder / name for name in ("t.parquet", "t.arrow", "t.arrows")]


class TestArrow:
    """Parquet, and files and streams of Arrow."""

    def test_columns(self, tmp_path):
        """Texts, lists of them, fields of structs, and labels of any type."""
        for path in written_by_arrow(tmp_path):
            with open_table(str(path)) as reader:
                assert reader.columns == ["mt", "refs", "pair.de", "pair.en", "kind"]
                assert reader.likely("hypothesis") == ["mt"]
                batches = list(reader.batches(["mt", "refs", "pair.en", "kind"], ["id"]))
            *texts, labels = map(list, zip(*batches, strict=True))
            assert pa.chunked_array(labels) == TABLE["id"]
            found = [list(chain(*(each.texts() for each in column))) for column in texts]
            assert found[:2] == [["a", "b", None], [["x"], [], ["y", "z"]]]
            assert found[2:] == [["q"] * 3, ["u", "v", "u"]]

    def test_refusals(self, tmp_path):
        """Whatever is wrong, the message has the file."""
        for path in written_by_arrow(tmp_path):
            for names, options, said in [
                (["id"], {}, "'id' is a column of Int64; a column of strings is needed"),
                (
                    ["m"],
                    {},
                    "no column 'm'; choose one of id, mt, refs, pair, pair.de, pair.",
                ),
                (["mt"], {"nulls": False}, ", row 3: 'mt' is null; a string is needed"),
                (["refs"], {"lists": False}, "'refs' is a column of lists; a column of strings"),
            ]:
                with pytest.raises(TruebleuError, match=re.escape(f"{path}")) as error:
                    texts_of_options(path, names, options)
                assert said in str(error.value)
            path.write_bytes(path.read_bytes()[:-30] if path.suffix != ".arrows" else b"x" * 50)
            with pytest.raises(InputError, match=r"t\.\w+: no valid table \(") as error:
                texts_of_options(path, ["mt"], {})
            with pytest.raises(FileNotFoundError):
                open_table(str(path.with_name("missing.parquet")))


def texts_of_options(path, names, options):
    """Read columns with options."""
    with open_table(str(path)) as reader:
        return list(reader.batches(names, **options))


class TestReadTexts:
    """Python reads what the command reads, and names the call where it is unclear."""

    def test_forms(self, tmp_path):
        """Lines, and columns by name and number."""
        lines = tmp_path / "lines.txt"
        lines.write_text("a b\nc\n")
        assert read_texts(lines) == read_texts(lines, 1, no_header=True) == ["a b", "c"]
        sgml = '<tstset><doc sysid="s" docid="d"><seg id="1">a &amp; b</seg></doc></tstset>\n'
        for name, content, column, expected in [
            ("t.tsv", "mt\tref\na\tb\n", "ref", ["b"]),
            ("t.tsv", "mt\tref\na\tb\n", 2, ["b"]),
            ("t.jsonl", '{"id": "1", "c": [{"m": {"content": "x"}}]}\n', "c.0.m.content", ["x"]),
            ("t.jsonl", '{"refs": ["x", "y"]}\n{"refs": []}\n', "refs", [["x", "y"], []]),
            ("t.jsonl", '{"a": "x"}\n', None, ["x"]),
            ("t.json", '["x", "y\\nz"]', None, ["x", "y\nz"]),
            ("t.json", '[{"a": {"b": "x"}, "n": 1}]', None, ["x"]),
            ("t.sgm", sgml, None, ["a & b"]),
            ("t.sgm", sgml, "docid", ["d"]),
        ]:
            (tmp_path / name).write_text(content)
            assert read_texts(tmp_path / name, column) == expected, (name, column)
        path = written_by_arrow(tmp_path)[0]
        assert read_texts(path, "kind") == ["u", "v", "u"]
        (tmp_path / "n.tsv").write_text("alpha\tbeta\nc\td\n")
        assert read_texts(tmp_path / "n.tsv", 1, no_header=True) == ["alpha", "c"]

    @looped(
        "name, content, call",
        [
            ("t.tsv", "mt\tref\na\tb\n", "read_texts({!r}, column='mt')"),
            ("t.tsv", "a b c d\ta b c d e\n", "read_texts({!r}, column='2', no_header=True)"),
            ("t.jsonl", '{"mt": "a", "ref": "b"}\n', "read_texts({!r}, column='mt')"),
            ("t.jsonl", '{"c": [{"m": "x y"}]}\n', "read_texts({!r}, column='c.0.m')"),
            ("t.json", '[{"mt": "a", "ref": "b"}]', "read_texts({!r}, column='mt')"),
            ("t.xml", "two.xml", "read_texts({!r}, column='A')"),
            ("t.parquet", None, "read_texts({!r}, column='mt')"),
        ],
    )
    def test_the_call_works(self, tmp_path, name, content, call):
        """The message of both functions has a call that reads a column."""
        path = tmp_path / name
        if content is None:
            written_by_arrow(tmp_path)
            pq.write_table(TABLE.slice(0, 2), path)
        elif name == "t.xml":
            sets = "".join(
                f'<doc sysid="{system}" docid="d"><seg id="1">a</seg></doc>' for system in "AB"
            )
            path.write_text(f"<mteval>\n<tstset>{sets}</tstset>\n</mteval>\n")
        else:
            path.write_text(content)
        for function in (read_lines, read_texts):
            with pytest.raises(InputError, match="not lines of text: `") as error:
                function(path)
            said = str(error.value)
            meant = said.split("`")[1]
            assert meant == call.format(str(path))
            assert (
                said.endswith("; read_lines(path, as_text=True) reads it as it is")
                or name == "t.parquet"
            )
            assert eval(meant, {"read_texts": read_texts})  # What a user would do.

    def test_what_is_asked_wrongly(self, tmp_path):
        """The message says what is needed."""
        path = tmp_path / "t.tsv"
        path.write_text("mt\tref\na\tb\n")
        with pytest.raises(InputTypeError, match="column is of type float; the name or number"):
            read_texts(path, 1.0)
        with pytest.raises(InputTypeError, match="no_header is of type int; True or False"):
            read_texts(path, "mt", no_header=1)
        with pytest.raises(InputError, match="is a folder"):
            read_texts(tmp_path, "mt")
        with pytest.raises(FileNotFoundError):
            read_texts(tmp_path / "missing.csv", "mt")
        path.write_text('{"mt": null}\n')
        with pytest.raises(InputError, match="line 1: 'mt' is null; a string is needed"):
            read_texts(path.rename(tmp_path / "t.jsonl"), "mt")


def test_every_form_has_a_reader():
    """The registry is complete."""
    named = {forms.MARKUP, forms.JSON, forms.JSON_LINES, forms.CSV, forms.TSV, forms.TABLE}
    assert set(READERS) == named
