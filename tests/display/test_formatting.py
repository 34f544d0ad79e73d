"""Numbers and counts as people read them: in every format of every command."""

import base64
import datetime
import functools
import gzip
import json
import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from readable import MANY_OF_ONE, NEGATIVE_ZERO, ONE_OF_MANY, assert_readable
from truebleu.cli import main
from truebleu.display import formats, formatting, markup, text
from truebleu.display.blocks import RULE, Block, Cell
from truebleu.record import Record
from truebleu.reporting.charts import NAMES as CHARTS

FORMATS = ("text", "json", "jsonl", "tsv", "markdown", "latex", "html")

# Each command with each format; S, T, Z and O are systems, R is a reference.
COMMANDS = [
    *(f"score S T -r R --format {form}" for form in FORMATS),
    *(f"score S T -r R --confidence --format {form}" for form in FORMATS),
    *(f"segments S -r R --format {form}" for form in ("tsv", "jsonl")),
    *(
        f"compare {systems} -r R --format {form} {more}"
        for systems, form, more in product(
            ("S", "S T", "S S Z", "Z T S"),
            FORMATS,
            ("", "--units segments --margin 1 --baseline S"),
        )
    ),
    *(
        f"explain {system} -r R{segment} --format {form}"
        for system, segment, form in product(
            "STZO", ("", " --segment 1"), [form for form in FORMATS if form != "tsv"]
        )
    ),
    *(
        f"audit {system} -r R --format {form}{more}"
        for system, form, more in product("SZO", FORMATS, ("", " --explain sacrebleu nltk"))
    ),
    *(f"audit S -r R --target 100 --max-seconds 1e-9 --format {form}" for form in FORMATS),
    *(f"tokenize S{more}" for more in ("", " --format jsonl", " --offsets")),
    "score ONE -r R",
    *(
        f"{command} --format {form} -m bleu chrf++ ter"
        for command, form in product(
            ("score S T -r R", "score Z O -r R --confidence", "compare S T Z -r R"), FORMATS
        )
    ),
    *(
        f"segments {system} -r R --format {form} -m {metrics}"
        for system, form, metrics in product("SZO", ("tsv", "jsonl"), ("ter", "chrf bleu"))
    ),
    *(f"compare S T -r R --format {form} -m ter" for form in FORMATS),
    *(f"mbr SAMPLES --format {form}" for form in ("text", "jsonl")),
]


def shown(page):
    """Return what a page shows: its text, without scripts and styles, and its packed facts."""
    said = re.sub(r"(?s)<(script|style)[^>]*>.*?</\1>", " ", page)
    [facts] = re.findall(r'(?s)<script type="text/plain" id="data-facts">(.*?)</script>', page)
    said += gzip.decompress(base64.b64decode(facts)).decode()
    return re.sub(r"<[^>]+>", " ", said)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return what writes a perfect system, others that are not, and samples."""
    monkeypatch.chdir(tmp_path)
    return functools.partial(write_files, tmp_path)


def write_files(folder, count):
    """Write files of so many segments: one system differs a bit, another has nothing right."""
    lines = [f"the quick fox number {number} jumps over it" for number in range(count)]
    near = [*lines[:-1], lines[-1].replace("over", "above")]
    far, short = ["x y" for _ in lines], ["fox" for _ in lines]
    rows = [json.dumps({"key": 1, "text": line}) for line in (*lines, *near)]
    for name, column in {
        "S": lines,
        "T": near,
        "Z": far,
        "O": short,
        "ONE": ["x"],
        "R": lines,
        "SAMPLES": rows,
    }.items():
        (folder / name).write_text("".join(f"{line}\n" for line in column), "utf-8")


class TestEveryOutput:
    """Systems that are alike, or nearly, of one, two, three and many segments."""

    @pytest.mark.parametrize("count", [1, 2, 3, 40])
    @looped("command", COMMANDS)
    def test_commands(self, write, count, command, capsys):
        """No zero has a sign, and one thing is one thing, in results and in complaints."""
        write(count)
        main(command.split())
        said = capsys.readouterr()
        assert_readable(f"{said.out}\n{said.err}")

    @looped("systems", ["S", "S S", "S S T", "Z T"])
    @looped("count", [1, 2, 40])
    def test_report(self, write, tmp_path, count, systems, capsys):
        """So it is on the page."""
        write(count)
        assert main(["report", *systems.split(), "-r", "R", "-o", "page.html"]) == 0
        page = (tmp_path / "page.html").read_text("utf-8")
        assert_readable(f"{shown(page)}\n{capsys.readouterr().err}")

    @looped("name", CHARTS)
    def test_plots(self, write, tmp_path, name, capsys):
        """So it is in its charts."""
        write(2)
        options = ["--domains", "S", "--units", "S"]
        command = ["report", "--chart", name, "S", "T", "-r", "R", "-o", "plot.svg", *options]
        if name == "length":
            # All segments are of one.
            assert main(command) == 2
            return
        assert main(command) == 0
        svg = (tmp_path / "plot.svg").read_text("utf-8")
        said = re.findall(r'(?s)<text[^>]*>(.*?)</text>|aria-label="([^"]*)"', svg)
        said = " | ".join(each for several in said for each in several)
        assert_readable(f"{said}\n{capsys.readouterr().err}")

    @looped(
        "said, count",
        [("-0.00", 1), ("[-0.0, 1]", 1), ("−0.0000;", 1), ("-0,", 1), ("-0.05 a-0 2026-0 --0", 0)],
    )
    def test_this_would_find_them(self, said, count):
        """The expressions above find what they are to find."""
        assert len(NEGATIVE_ZERO.findall(said)) == count

    def test_this_would_find_wrong_numbers(self):
        """The same for nouns."""
        assert ONE_OF_MANY.findall("for 1 tests, 11 tests, 0.1 tests") == ["1 tests"]
        assert MANY_OF_ONE.findall("2 test, 11 segment, 1 test, 1.1 test") == [
            "2 test",
            "11 segment",
            "1.1 test",
        ]


class TestNumbers:
    """The functions behind it."""

    @given(
        st.floats(-1000, 1000) | st.floats(-1e-6, 1e-6) | st.just(-0.0),
        st.sampled_from([".2f", "+.2f", ".4g", "+.4f", ".0f"]),
    )
    def test_decimals(self, value, form):
        """It is the number that Python prints, but a zero has no sign."""
        said = formatting.decimals(value, form)
        assert not NEGATIVE_ZERO.search(said)
        assert float(said) == float(format(value, form))
        if float(said):
            assert said == format(value, form)

    @given(st.integers(0, 10**7), st.integers(1, 10**6))
    def test_p_values(self, trials, tests):
        """The greatest of several is never below it; both say two digits or four decimals."""
        value = min(1.0, tests / (trials + 1))
        shown = formatting.p_value(value)
        greatest = formatting.greatest_p_value(value)
        assert greatest.startswith("≤ ")
        up = float(greatest[2:])
        assert up >= value * (1 - 1e-9)
        size = max(5e-5, value / 20) if value >= 0.001 else value / 10
        assert math.isclose(up, value, abs_tol=2 * size)
        assert math.isclose(float(shown), value, abs_tol=size)
        assert "e" not in shown + greatest
        assert float(shown) > 0
        assert formatting.p_value(value, at_floor=True) == f"{shown}†"

    @looped(
        "value, shown, greatest",
        [
            (1 / 10_001, "0.0001", "≤ 0.0001"),
            (12 / 10_001, "0.0012", "≤ 0.0012"),
            (1 / 76_001, "0.000013", "≤ 0.000014"),
            (0.0005, "0.0005", "≤ 0.0005"),
            (0.00123, "0.0012", "≤ 0.0013"),
            (1.0, "1.0000", "≤ 1.0000"),
            (2.34e-14, "2.3e-14", "≤ 2.4e-14"),
        ],
    )
    def test_examples(self, value, shown, greatest):
        """As they are quoted."""
        assert formatting.p_value(value) == shown
        assert formatting.greatest_p_value(value) == greatest

    @given(st.integers(1, 10**10 - 1))
    def test_percent(self, parts):
        """A level below 100% is not shown as 100%, nor with digits that nobody gave."""
        level = Fraction(parts, 10**10)
        assert Fraction(formatting.percent(float(level)).removesuffix("%")) == 100 * level


class TestBlocks:
    """Headings, lines and tables in every format."""

    TABLE = Block(
        "scores",
        ["of two systems.", Cell("a|b_c", "code")],
        ("name", "BLEU", "why"),
        [("best", ("a_b", "9.50", "_good_")), RULE, ("", ("c", "10.00", ""))],
        align="lrl",
    )

    def test_the_best_of_a_column(self):
        """A cell can be the best of its column, and is bold where there is bold type."""
        block = Block("", [], ("name", "BLEU", "TER"), [("", ("a", Cell("9.5", "best"), "40|"))])
        assert text.plain([block]) == "name  BLEU  TER\na      9.5  40|\n"
        assert "\na      \x1b[1m9.5\x1b[0m  40|\n" in text.for_terminal([block], 0, colors=True)
        assert "| a | **9.5** | 40\\| |" in markup.markdown([block])
        assert "<td>a</td><td><b>9.5</b></td><td>40|</td>" in markup.html([block])
        assert r"a & \textbf{9.5} & 40\textbar" in markup.latex([block])
        assert formats.tsv([block]) == "name\tBLEU\tTER\na\t9.5\t40|\n"

    @given(
        names=st.lists(st.text("ab -\u7d71", min_size=1, max_size=40), min_size=1, max_size=3),
        columns=st.integers(10, 120),
    )
    def test_terminals(self, names, columns):
        """No line is wider than a terminal, and no word, number or interval is lost."""
        rows = [("good", [name, "12.25", "[-1.50, 2.25]"]) for name in names]
        header = ["pair of systems", "difference", "95% CI"]
        intervals = {"95% CI": [(-1.5, 0.5, 2.25)] * len(rows)}
        lines = [" ".join(names), Cell("x" * 200, "code")]
        block = Block("head", lines, header, rows, intervals=intervals, differences="95% CI")
        shown = text.for_terminal([block], columns).splitlines()
        assert all(text.width(line) <= columns for line in shown if "x" not in line)
        letters = "".join("".join(shown).split())
        for name in (*names, *names):
            for letter in set(name) - set(" -"):
                assert letters.count(letter) >= name.count(letter)
        assert letters.count("12.25") == len(rows)
        assert (
            text.plain([block])
            == text.for_terminal([block.replace(intervals={})], 1000)
            == text.for_terminal([block], 0)
        )

    def test_a_plot_of_intervals(self):
        """Ends, value and zero are where they belong; what has no end ends with the axis."""
        intervals = [(-2.0, 0.0, 2.0, 1.0), (0.0, 1.0, math.inf), (math.nan, 0.0, 1.0)]
        rows = [("", ["a"]), RULE, ("", ["b"]), ("", ["c"])]
        lines = [Cell("It is so.", "lead"), Cell("why", "note")]
        block = Block("h", lines, ["x"], rows, intervals={"x": intervals}, differences="x")
        shown = markup.html([block])
        assert re.sub("<svg.*?</svg>", "|", shown[shown.index("</style>") + 8 :]) == (
            '<h4>h</h4><p class="lead">It is so.</p>'
            '<div class="frame" role="region" aria-label="h" tabindex="0"><table class=systems>'
            '<thead><tr><th scope="col">x</th><th class="forest"><span class="hidden">x'
            '</span>|</th></tr></thead><tbody><tr><td>a</td><td class="forest">|</td></tr>'
            '<tr class="rule"><td colspan="2"><hr></td></tr><tr><td>b</td><td class="forest">|</td>'
            '</tr><tr><td>c</td><td class="forest">|</td></tr></tbody></table></div>'
            '<p class="note">Why.</p></div>'
        )
        # What has no end ends with the axis; points are drawn, too.
        ends = re.findall('<line class="" x1="([^"]*)%" x2="([^"]*)%" y1="50%', shown)
        assert ends == [("5.36", "94.64"), ("50.00", "100.00")]
        assert re.findall('class="run" cx="([^"]*)%"', shown) == ["72.32"]
        block = block.replace(heading="", lines=lines[:1])
        assert text.for_terminal([block], 20).splitlines() == [
            "x  -2" + " " * 14 + "2",
            "a  |-------o-------|",
            "-",
            "b          |---o---|",
            "c" + " " * 10 + ":",
        ]

    def test_explanations_are_said_of_one_metric(self):
        """What was found is said of each."""
        about = [Block(f"{n}", [Cell("why", "note"), "1 pair"], about=n) for n in "ab"]
        assert text.plain(about) == "a\n  why\n  1 pair\nb\n  1 pair\n"
        for written in (markup.html(about), markup.markdown(about)):
            assert written.lower().count("why") == 1
        assert markup.latex(about).count("why") == 2

    def test_markdown(self):
        """Only what would be markup is escaped: an underscore inside a word is none."""
        assert markup.markdown([self.TABLE]) == (
            "### scores\n\nof two systems.\n\n`a|b_c`\n\n"
            "| name | BLEU | why |\n"
            "|---|---:|---|\n"
            "| a_b | 9.50 | \\_good\\_ |\n"
            "| c | 10.00 |  |\n"
        )
        assert markup.markdown([Block(lines=[Cell("`a`", "code")])]) == "`` `a` ``\n"

    def test_latex(self):
        """Lines of tables, and what follows the last, are comments, or the caption of a float."""
        blocks = [Block("first", ["50%"]), self.TABLE, Block("end", ["a_b", "c.\n"])]
        before = "\\paragraph{First.}\n50\\%\n\n"
        tabular = (
            "\\begin{tabular}{lrl}\n\\toprule\n"
            "name & BLEU & why \\\\\n\\midrule\n"
            "a\\_b & 9.50 & \\_good\\_ \\\\\n\\midrule\n"
            "c & 10.00 &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        )
        assert markup.latex(blocks) == (
            f"{before}% scores\n% of two systems.\n% a|b_c\n{tabular}% a_b\n% c.\\n\n"
        )
        blocks[2:] = [self.TABLE, Block("end", ["a_b", "c."])]
        fitted = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
        caption = "Scores. Of two systems. a\\textbar\\allowbreak{}b\\_c A\\_b. C."
        assert markup.latex(blocks, "tab:x") == before + "".join(
            f"\\begin{{table}}\n\\centering\\sloppy\n{fitted}\n{tabular}}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n"
            "\\end{table}\n"
            for label in ("tab:x", "tab:x-2")
        )
        assert markup.latex([Block(lines=["a", "b"])]) == "a\n\nb\n\n"

    def test_json(self):
        """What JSON does not know is written as plain values, or else as text."""

        class Point(Record):
            x: int

        day = datetime.date(2026, 1, 2)
        values = [{"point": Point(x=1), "array": np.array([1.5]), "day": day}]
        expected = [{"point": {"x": 1}, "array": [1.5], "day": "2026-01-02"}]
        assert json.loads(formats.json_document(values)) == expected
        assert list(map(json.loads, formats.json_lines(values).splitlines())) == expected
        assert formats.json_lines({"ü": None}) == '{"ü": null}\n'
        assert formats.json_lines(["\x9b", "\u202e"]) == '"\\u009b"\n"\\u202e"\n'

    @looped("c", ["\n", "\t", "\x1b", "\u202e", "\ud800"])
    def test_nothing_moves_the_cursor(self, c):
        """What is not printable is an escape, in every format for people."""
        block = Block(c, [c], (c, "b"), [("", (c, "d"))])
        for write in (
            text.plain,
            lambda blocks: text.for_terminal(blocks, 80, colors=True),
            markup.markdown,
            markup.html,
            markup.latex,
        ):
            shown = write([block]).replace("\n", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
            assert c not in shown.removeprefix(markup.opening().replace("\n", ""))
