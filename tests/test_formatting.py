"""Numbers and counts as people read them: in every format of every command."""

import base64
import functools
import gzip
import json
import math
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from truebleu.cli import main
from truebleu.cli.report import PLOTS
from truebleu.display import formatting

# Whatever is printed: a zero with a sign, of any length.
NEGATIVE_ZERO = re.compile(r"(?<![\w.\-−])[-−]0(?:\.0*)?(?:[eE][-+]?\d+)?(?![\w.])")

THINGS = "document item line pair reference row sample segment setting system test token trial"
ONE_OF_MANY = re.compile(rf"(?<![\w.,:/])1 (?:{'|'.join(f'{each}s' for each in THINGS.split())})\b")
MANY_OF_ONE = re.compile(
    rf"(?<![\w.,:/])(?:[02-9]|[\d,.]*[\d.]\d) (?:{'|'.join(THINGS.split())})\b(?!-)"
)

# Each command with each format; S, T, Z and O are systems, R is a reference.
COMMANDS = [
    *(f"score S T -r R{form}" for form in ("", " --json", " --tsv", " --markdown", " --latex")),
    *(f"score S T -r R --confidence{form}" for form in ("", " --json", " --tsv", " --markdown")),
    *(f"segments S -r R{form}" for form in ("", " --json")),
    *(
        f"compare {systems} -r R{form}{more}"
        for systems, form, more in product(
            ("S", "S T", "S S Z", "Z T S"),
            ("", " --json", " --tsv", " --markdown", " --latex", " --html"),
            (" --detectable", " --trials 200 --test bootstrap --baseline S"),
        )
    ),
    *(
        f"explain {system} -r R{segment}{form}"
        for system, segment, form in product(
            "STZO", ("", " --segment 1"), ("", " --json", " --markdown", " --html")
        )
    ),
    *(
        f"audit {system} -r R{form}"
        for system, form in product("SZO", ("", " --json", " --explain sacrebleu nltk"))
    ),
    *(f"reproduce S -r R --target 100{form}" for form in ("", " --json")),
    "tokenize S",
    "score ONE -r R",
    *(f"mbr SAMPLES{form}" for form in ("", " --json")),
]


def shown(page):
    """Return what a page shows: its text, without scripts and styles, and its packed facts."""
    text = re.sub(r"(?s)<(script|style)[^>]*>.*?</\1>", " ", page)
    [facts] = re.findall(r'(?s)<script type="text/plain" id="data-facts">(.*?)</script>', page)
    text += gzip.decompress(base64.b64decode(facts)).decode()
    return re.sub(r"<[^>]+>", " ", text)


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
    rows = [json.dumps({"key": 1, "text": text}) for text in (*lines, *near)]
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


def assert_readable(said):
    """Fail if a zero has a sign, or a noun the wrong number."""
    assert NEGATIVE_ZERO.findall(said) == []
    assert ONE_OF_MANY.findall(said) == []
    assert MANY_OF_ONE.findall(said) == []


class TestEveryOutput:
    """Systems that are alike, or nearly, of one, two, three and many segments."""

    @pytest.mark.parametrize("count", [1, 2, 3, 40])
    @pytest.mark.parametrize("command", COMMANDS)
    def test_commands(self, write, count, command, capsys):
        """No zero has a sign, and one thing is one thing, in results and in complaints."""
        write(count)
        main(command.split())
        said = capsys.readouterr()
        assert_readable(f"{said.out}\n{said.err}")

    @pytest.mark.parametrize("systems", ["S", "S S", "S S T", "Z T"])
    @pytest.mark.parametrize("count", [1, 2, 40])
    def test_report(self, write, tmp_path, count, systems, capsys):
        """So it is on the page."""
        write(count)
        assert main(["report", *systems.split(), "-r", "R", "-o", "page.html"]) == 0
        page = (tmp_path / "page.html").read_text("utf-8")
        assert_readable(f"{shown(page)}\n{capsys.readouterr().err}")

    @pytest.mark.parametrize("name", PLOTS)
    def test_plots(self, write, tmp_path, name, capsys):
        """So it is in its charts."""
        write(2)
        options = ["--domains", "S", "--docs", "S"]
        assert main(["plot", name, "S", "T", "-r", "R", "-o", "plot.svg", *options]) == 0
        svg = (tmp_path / "plot.svg").read_text("utf-8")
        said = re.findall(r'(?s)<text[^>]*>(.*?)</text>|aria-label="([^"]*)"', svg)
        said = " | ".join(text for several in said for text in several)
        assert_readable(f"{said}\n{capsys.readouterr().err}")

    @pytest.mark.parametrize(
        ("text", "count"),
        [("-0.00", 1), ("[-0.0, 1]", 1), ("−0.0000;", 1), ("-0,", 1), ("-0.05 a-0 2026-0 --0", 0)],
    )
    def test_this_would_find_them(self, text, count):
        """The expressions above find what they are to find."""
        assert len(NEGATIVE_ZERO.findall(text)) == count

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
        text = formatting.decimals(value, form)
        assert not NEGATIVE_ZERO.search(text)
        assert float(text) == float(format(value, form))
        if float(text):
            assert text == format(value, form)

    @given(st.integers(0, 10**7), st.integers(1, 10**6))
    def test_p_values(self, trials, tests):
        """A bound is never below the number, and both say it to two digits or four decimals."""
        value = min(1.0, tests / (trials + 1))
        shown = formatting.p_value(value)
        bound = formatting.p_value(value, at_floor=True)
        assert bound.startswith("≤ ")
        up = float(bound[2:])
        assert up >= value * (1 - 1e-9)
        size = max(5e-5, value / 20) if value >= 0.001 else value / 10
        assert math.isclose(up, value, abs_tol=2 * size)
        assert math.isclose(float(shown), value, abs_tol=size)
        assert "e" not in shown + bound
        assert float(shown) > 0

    @pytest.mark.parametrize(
        ("value", "shown", "bound"),
        [
            (1 / 10_001, "0.0001", "≤ 0.0001"),
            (12 / 10_001, "0.0012", "≤ 0.0012"),
            (1 / 76_001, "0.000013", "≤ 0.000014"),
            (0.0005, "0.0005", "≤ 0.0005"),
            (0.00123, "0.0012", "≤ 0.0013"),
            (1.0, "1.0000", "≤ 1.0000"),
        ],
    )
    def test_examples(self, value, shown, bound):
        """As they are quoted."""
        assert formatting.p_value(value) == shown
        assert formatting.p_value(value, at_floor=True) == bound

    def test_counts(self):
        """One is one."""
        assert [formatting.count(number, "test") for number in (0, 1, 2, 1000)] == [
            "0 tests",
            "1 test",
            "2 tests",
            "1,000 tests",
        ]
