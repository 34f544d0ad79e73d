"""Charts as files, and charts of results: their sizes, their formats, and what they say."""

import json
import re
import struct
import xml.etree.ElementTree
from html import unescape

import pytest
import truebleu
from test_report import EXAMPLES, example
from truebleu import corpus_bleu, corpus_chrf, corpus_ter, plot
from truebleu.cli import main
from truebleu.display.text import width
from truebleu.errors import MissingExtraError, SettingsError, UnknownNameError
from truebleu.reporting import charts, drawing

from campaign.hostile import NAMES_OF_OBJECTS

alt = pytest.importorskip("altair")
vl_convert = pytest.importorskip("vl_convert")

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

HYPOTHESES = ["the cat sat on the mat", "it rained all day long", "we went home"]
REFERENCES = ["the cat sat on a mat", "it rained the whole day", "we went back home"]
SCORES = {
    "precisions": corpus_bleu(HYPOTHESES, REFERENCES),
    "orders": corpus_chrf(HYPOTHESES, REFERENCES, word_order=2),
    "edits": corpus_ter(HYPOTHESES, REFERENCES),
}
EVIL = '</script><script>window.hacked = 1</script> & "quoted" \u202e'


@pytest.fixture(scope="module")
def made():
    return example()


@pytest.fixture(scope="module")
def comparison():
    systems = {
        "good": REFERENCES * 20,
        "also good": [*REFERENCES * 19, *HYPOTHESES],
        "bad": HYPOTHESES * 20,
    }
    return truebleu.compare(systems, REFERENCES * 20, n_resamples=200)


def rows(chart):
    return chart.to_dict()["datasets"]["rows"]


def size_of_pdf(content):
    return [float(each) for each in re.search(rb"MediaBox ?\[([\d. ]+)\]", content)[1].split()][2:]


class TestSizes:
    """A chart for print is as wide as it is said to be, and so is all that is in it."""

    @pytest.mark.parametrize(("name_of_width", "inches"), [("column", 3.03), ("page", 6.3)])
    def test_widths(self, name_of_width, inches, comparison, tmp_path, made):
        """PDF, SVG and PNG have the same width, in points, pixels and dots."""
        for name in ("scores", "precisions"):
            paths = {form: tmp_path / f"{name}.{form}" for form in ("pdf", "svg", "png")}
            for path in paths.values():
                made.plot(name, path, width=name_of_width)
            assert size_of_pdf(paths["pdf"].read_bytes())[0] == pytest.approx(72 * inches, abs=1)
            svg = xml.etree.ElementTree.fromstring(paths["svg"].read_text("utf-8"))
            assert float(svg.get("width")) == pytest.approx(96 * inches, abs=1)
            png = paths["png"].read_bytes()
            assert struct.unpack(">I", png[16:20])[0] == pytest.approx(300 * inches, abs=4)
            [dots] = struct.unpack(">I", png[png.index(b"pHYs") + 4 :][:4])
            assert dots * 0.0254 == pytest.approx(300, abs=0.5)
        for result in (*SCORES.values(), comparison):
            svg = vl_convert.vegalite_to_svg(plot(result, width=name_of_width).to_dict())
            assert float(re.search(r'width="([\d.]+)"', svg)[1]) == pytest.approx(
                96 * inches, abs=1
            )

    def test_long_names_leave_room(self):
        """Labels, titles and legends are fitted, whatever the systems are called."""
        names = {
            "strong": "a-very-long-name-of-a-system " * 3,
            "medium": "x",
            "weak": "另一个系统" * 9,
        }
        chart = example().spec("segments", one="strong", other="weak")
        text = json.dumps(chart)
        for short, name in names.items():
            text = text.replace(short, name)
        svg = vl_convert.vegalite_to_svg(drawing.sized(json.loads(text), "column"))
        lines = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", svg)
        assert max(map(width, lines)) <= 40
        assert "".join(" ".join(lines).split()).count("a-very-long-name-of-a-system") >= 3

    def test_the_usual_size(self, made):
        """Without a width, a chart is as it was."""
        spec = made.spec("scores")
        assert drawing.sized(spec, None) is spec
        with pytest.raises(UnknownNameError, match="no width 'slide'; choose one of column, page"):
            drawing.sized(spec, "slide")


class TestForms:
    """Files of each kind."""

    def test_json(self, made, tmp_path):
        """It is the specification, which Altair reads."""
        path = tmp_path / "x.json"
        made.plot("precisions", path)
        assert json.loads(path.read_text("utf-8")) == made.spec("precisions")
        assert alt.Chart.from_json(path.read_text("utf-8")).to_dict()["datasets"]["rows"]

    @pytest.mark.parametrize("name", ["scores", "segments", "sentences"])
    def test_alternative_text(self, made, tmp_path, name):
        """An SVG tells screen readers what it shows: the subject and the systems."""
        path = tmp_path / "x.svg"
        made.plot(name, path)
        svg = xml.etree.ElementTree.fromstring(path.read_text("utf-8"))
        said = made.spec(name)["description"]
        assert (svg.get("role"), svg.get("aria-label")) == ("img", said)
        assert said.startswith(charts.said(made.data, name)[0])
        best, second = made.comparison.ranked()[:2]
        assert best.name in said
        assert second.name in said
        if name == "scores":
            assert f"{best.name} {best.score.score:.2f} {best.interval}; " in said

    def test_a_page_holds_all_it_needs(self, tmp_path):
        """Names are only text there, and there is no address to load from."""
        made = truebleu.report({EVIL: HYPOTHESES, "b": REFERENCES}, REFERENCES, n_resamples=50)
        path = tmp_path / "x.html"
        made.plot("scores", path)
        html = path.read_text("utf-8")
        script = html.rpartition('vegaEmbed("#chart", ')[2]
        spec, end = json.JSONDecoder().raw_decode(script)
        assert spec == made.spec("scores")
        assert script[:end].count("<") == 0
        assert html.count("<script>") == html.count("</script>") == 2
        assert not re.findall(r'(?:src|href)="?https?:', html)

    def test_forms_are_checked(self, made, tmp_path):
        """Others are refused before anything is drawn, and nothing is written."""
        with pytest.raises(SettingsError, match="svg, png, pdf, json, html"):
            drawing.draw(made.spec("scores"), "gif")
        assert (
            main(["report", "--chart", "scores", "x", "-r", "x", "-o", str(tmp_path / "x.gif")])
            == 2
        )
        assert list(tmp_path.iterdir()) == []

    def test_command(self, tmp_path, monkeypatch):
        """``truebleu report --chart`` writes each kind of file, in each width."""
        monkeypatch.chdir(EXAMPLES)
        files = ["system-strong.en", "system-weak.en", "-r", "reference-a.en"]
        for form in drawing.FORMS:
            path = tmp_path / f"x.{form}"
            how = ["--size", "page", "--n-resamples", "50"]
            assert main(["report", "--chart", "scores", *files, *how, "-o", str(path)]) == 0
            assert path.stat().st_size > 1000
        assert size_of_pdf((tmp_path / "x.pdf").read_bytes())[0] == pytest.approx(453.6, abs=1)


class TestPlot:
    """Charts of scores and comparisons."""

    @pytest.mark.parametrize("kind", SCORES)
    def test_scores(self, kind):
        """The numbers of the score are those of the chart, which Vega-Lite accepts."""
        score = SCORES[kind]
        chart = plot(score)
        assert chart.to_dict() == plot(score, kind).to_dict()
        shown = [row["value"] for row in rows(chart)]
        if kind == "precisions":
            assert shown == [*score.precisions, 100 * score.brevity_penalty]
        elif kind == "edits":
            assert sum(shown) == pytest.approx(score.score)
        else:
            expected = zip(score.precisions, score.recalls, strict=True)
            assert shown == [each for pair in expected for each in pair if each is not None]
        assert chart.description.startswith(f"{score.metric.name} = {score.score:.2f}. ")
        assert vl_convert.vegalite_to_svg(chart.to_dict()).count("<text") > 5

    def test_comparison(self, comparison):
        """Systems are ranked; the better one of a pair comes first, and its verdict is said."""
        systems = rows(plot(comparison))
        assert [row["name"] for row in systems] == ["good", "also good", "bad"]
        for row in systems:
            system = comparison.systems[row["name"]]
            assert (row["value"], row["low"], row["high"]) == (
                system.score.score,
                system.interval.low,
                system.interval.high,
            )
        pairs = rows(plot(comparison, "differences"))
        assert [row["name"] for row in pairs] == [
            "good − also good",
            "good − bad",
            "also good − bad",
        ]
        for row in pairs:
            pair = comparison.pair(*row["name"].split(" − "))
            assert (row["value"], row["low"]) == (pair.delta, pair.interval.low)
            verdict = "undecided" if pair.undecided else "not significant"
            assert row["verdict"] == ("significant" if pair.significant else verdict)
        assert {row["verdict"] for row in pairs} == {"significant", "undecided"}
        assert f"good − bad (significant) {pairs[1]['value']:.2f} [" in (
            plot(comparison, "differences").description
        )

    def test_what_is_lacking(self):
        """There may be no intervals at all."""
        systems = {"a": REFERENCES * 9, "b": HYPOTHESES * 9}
        without = truebleu.compare(systems, REFERENCES * 9, metrics="ter", n_resamples=None)
        assert "interval" not in plot(without, "differences").description
        vl_convert.vegalite_to_svg(plot(without, "differences").to_dict())
        empty = plot(corpus_ter(["a"], [""]))
        vl_convert.vegalite_to_svg(empty.to_dict())

    def test_long_names_of_pairs_take_two_lines(self):
        """Neither of them is lost, even in a column."""
        names = ["online-system-one", "online-system-two"]
        systems = dict(zip(names, (REFERENCES * 9, HYPOTHESES * 9), strict=True))
        comparison = truebleu.compare(systems, REFERENCES * 9, n_resamples=50)
        svg = vl_convert.vegalite_to_svg(plot(comparison, "differences", width="column").to_dict())
        assert re.findall(r">(online[^<]*)<", svg) == names

    def test_names_are_nothing_but_names(self):
        """What is called as a part of JavaScript is drawn as anything else."""
        names = NAMES_OF_OBJECTS[:-1]
        outputs = {name: ["a b c d", "e f g h"] * 20 for name in names}
        scores = {"toString": {name: [0.5, 0.6] * 20 for name in names}}
        found = truebleu.compare(outputs, outputs[names[0]], scores=scores, n_resamples=39)
        for comparison in found.values():
            for kind in ("scores", "differences"):
                svg = vl_convert.vegalite_to_svg(plot(comparison, kind).to_dict())
                shown = " ".join(re.findall(r">([^<]+)</t(?:ext|span)>", svg)).split()
                assert {*names} <= {*shown}

    def test_names_are_text(self):
        """Names of systems are shown as they are."""
        systems = {EVIL: REFERENCES * 9, "b": HYPOTHESES * 9}
        comparison = truebleu.compare(systems, REFERENCES * 9, n_resamples=50)
        svg = vl_convert.vegalite_to_svg(plot(comparison, "differences").to_dict())
        assert "<script" not in svg
        assert "window.hacked = 1" in unescape(svg)
        assert "\\u202e" in svg

    def test_the_extra_is_named(self, comparison, monkeypatch):
        """Without Altair, the message says what to install."""
        monkeypatch.setitem(__import__("sys").modules, "altair", None)
        with pytest.raises(MissingExtraError, match=r"truebleu\[report\]"):
            plot(comparison)
