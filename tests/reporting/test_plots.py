"""Charts as files: their sizes, their formats, and what they say."""

import json
import re
import struct
import xml.etree.ElementTree

import pytest
from test_report import EXAMPLES, example
from truebleu.cli import main
from truebleu.display.text import width
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.reporting import charts, drawing

vl_convert = pytest.importorskip("vl_convert")

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]


@pytest.fixture(scope="module")
def made():
    return example()


def size_of_pdf(content):
    return [float(each) for each in re.search(rb"MediaBox ?\[([\d. ]+)\]", content)[1].split()][2:]


class TestSizes:
    """A chart for print is as wide as it is said to be, and so is all that is in it."""

    @pytest.mark.parametrize(("name_of_width", "inches"), [("column", 3.03), ("page", 6.3)])
    def test_widths(self, name_of_width, inches, tmp_path, made):
        """PDF, SVG and PNG have the same width, in points, pixels and dots."""
        for name in ("scores", "precision", "ngrams"):
            paths = {form: tmp_path / f"{name}.{form}" for form in ("pdf", "svg", "png")}
            for path in paths.values():
                made.chart(name, width=name_of_width).save(path)
            assert size_of_pdf(paths["pdf"].read_bytes())[0] == pytest.approx(72 * inches, abs=1)
            svg = xml.etree.ElementTree.fromstring(paths["svg"].read_text("utf-8"))
            assert float(svg.get("width")) == pytest.approx(96 * inches, abs=1)
            png = paths["png"].read_bytes()
            assert struct.unpack(">I", png[16:20])[0] == pytest.approx(300 * inches, abs=4)
            [dots] = struct.unpack(">I", png[png.index(b"pHYs") + 4 :][:4])
            assert dots * 0.0254 == pytest.approx(300, abs=0.5)

    def test_long_names_leave_room(self):
        """Labels, titles and legends are fitted, whatever the systems are called."""
        names = {
            "strong": "a-very-long-name-of-a-system " * 3,
            "medium": "x",
            "weak": "另一个系统" * 9,
        }
        chart = example().chart("pair", one="strong", other="weak")
        text = json.dumps(chart.to_dict())
        for short, name in names.items():
            text = text.replace(short, name)
        svg = vl_convert.vegalite_to_svg(drawing.sized(json.loads(text), "column"))
        lines = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", svg)
        assert max(map(width, lines)) <= 40
        assert "".join(" ".join(lines).split()).count("a-very-long-name-of-a-system") >= 3

    def test_the_usual_size(self, made):
        """Without a width, a chart is as it was."""
        spec = made.chart("scores").to_dict()
        assert drawing.sized(spec, None) is spec
        with pytest.raises(UnknownNameError, match="no width 'slide'; choose one of column, page"):
            drawing.sized(spec, "slide")


class TestForms:
    """Files of each kind."""

    def test_json(self, made, tmp_path):
        """It is the specification with its data."""
        path = tmp_path / "x.json"
        made.chart("precision").save(path)
        assert json.loads(path.read_text("utf-8")) == made.chart("precision").to_dict()

    @pytest.mark.parametrize("name", ["scores", "pair", "segments", "checkpoints"])
    def test_alternative_text(self, made, tmp_path, name):
        """An SVG tells screen readers what it shows: the subject and the systems."""
        path = tmp_path / "x.svg"
        made.chart(name).save(path)
        svg = xml.etree.ElementTree.fromstring(path.read_text("utf-8"))
        said = made.chart(name).to_dict()["description"]
        assert (svg.get("role"), svg.get("aria-label")) == ("img", said)
        assert said.startswith(charts.said(made.data, name)[0])
        best, second = made.comparison.ranked()[:2]
        assert best.name in said
        assert second.name in said
        if name == "scores":
            assert f"{best.name} {best.score.score:.2f} {best.interval}; " in said

    def test_forms_are_checked(self, made, tmp_path):
        """Others are refused before anything is drawn, and nothing is written."""
        path = str(tmp_path / "x.gif")
        with pytest.raises(SettingsError, match=r"\.svg, \.png, \.pdf, \.json"):
            made.chart("scores").save(path)
        assert main(["report", "--chart", "scores", "x", "-r", "x", "-o", path]) == 2
        assert list(tmp_path.iterdir()) == []

    def test_command(self, tmp_path, monkeypatch):
        """``truebleu report --chart`` writes each kind of file, in each width."""
        monkeypatch.chdir(EXAMPLES)
        files = ["system-strong.en", "system-weak.en", "-r", "reference-a.en"]
        for form in drawing.FORMS:
            path = tmp_path / f"x.{form}"
            how = ["--size", "page"]
            assert main(["report", "--chart", "scores", *files, *how, "-o", str(path)]) == 0
            assert path.stat().st_size > 1000
        assert size_of_pdf((tmp_path / "x.pdf").read_bytes())[0] == pytest.approx(453.6, abs=1)
