"""Every dialect of chrF gives its tool's number; audits and searches explain them."""

import json
import math

import make_chrf_ter
import pytest
import strategies
from hypothesis import given, settings
from project import ROOT, example, golden_rows
from truebleu import (
    Chrf,
    SettingsWarning,
    audit,
    corpus_chrf,
    corpus_ter,
)
from truebleu.analysis.dialects.chrf import ChrfCorpus
from truebleu.cli import main
from truebleu.metrics.chrf.dialects import DEFAULTS
from truebleu.metrics.chrf.dialects import DIALECTS as CHRF_DIALECTS

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

# Each dialect with the tool of the table, and which of the tool's numbers it is.
TOOLS = {
    "huggingface-chrf": ("huggingface", None),
    "chrf++.py": ("chrf++.py", 0),
    "chrf++.py-avg": ("chrf++.py", 1),
    "nltk-chrf": ("nltk", None),
    "torchmetrics-chrf": ("torchmetrics", None),
    "fastchrf": ("fastchrf", None),
}
# sacreBLEU itself is run.
INSTALLED = {"sacrebleu-chrf", "sacrebleu-chrf++"}
# In 32-bit floats.
LIMITED = {"torchmetrics-chrf": 1e-6}

CORPORA = {name: (texts, references) for name, texts, references in make_chrf_ter.corpora(True)}
# A segment in which nothing matches repeats the segment before it, but not here.
CARRIED = {"chrf 0", "chrf 6"}


def recorded():
    """Yield a dialect, a corpus, and the number of its tool, unless it gave none."""
    for row in golden_rows("chrf_ter.tsv"):
        number = json.loads(row["number"])
        for dialect, (tool, place) in TOOLS.items():
            if (row["metric"], row["tool"]) == ("chrf", tool) and number is not None:
                yield dialect, row["corpus"], number if place is None else number[place]


RECORDED = list(recorded())


def with_rules(hypotheses, references, chosen):
    """Score a corpus as the documentation of DEFAULTS says, one segment at a time."""
    chosen = {**DEFAULTS, **chosen}
    if chosen["references"] == "joined":
        references = [[" ".join(several)] for several in references]
    names = ("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing")
    chrf = Chrf(**{name: chosen[name] for name in names})
    rows = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        scored = [chrf.segment(hypothesis, [text]) for text in several]
        best = max(range(len(scored)), key=lambda place: (scored[place].score, -place))
        rows.append(scored[best])
    if chosen["aggregate"] == "segments":
        return math.fsum(row.score for row in rows) / len(rows)
    return chrf.score(chrf.stats(hypotheses, references)).score


def rows_of(first):
    """Return the cells of the table of docs/dialects.md whose first row begins with a cell."""
    text = (ROOT / "docs" / "dialects.md").read_text("utf-8")
    table = text[text.index(f"| {first}") :].partition("\n\n")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]


class TestDocumentation:
    """The page has the settings of the dialects, and numbers that were measured."""

    def test_the_table_of_dialects(self):
        """Each dialect with its scale, word order, beta, and what is averaged."""
        rows = rows_of("`sacrebleu-chrf` | sacreBLEU 2.6.0, `CHRF()`")
        assert [row[0] for row in rows] == [f"`{name}`" for name in CHRF_DIALECTS]
        for row, dialect in zip(rows, CHRF_DIALECTS.values(), strict=True):
            found = DEFAULTS | dict(dialect.settings)
            mean = {"corpus": "the corpus", "segments": "segments"}[found["aggregate"]]
            expected = [f"0 to {dialect.scale}", str(found["word_order"]), f"{found['beta']:g}"]
            assert row[2:6] == [*expected, mean]

    def test_the_table_of_rules(self):
        """Every setting is there, with its default."""
        rows = rows_of("`char_order`, `word_order`, `beta`, `unicode_form`, `lowercase`, ")[1:]
        for row in rows:
            assert row[1].startswith(f"`{DEFAULTS[row[0].strip('`')]}`")
        assert len(rows) + len(Chrf().settings()) == len(DEFAULTS)

    def test_the_table_of_ter(self):
        """The numbers are those that the tools gave the examples."""
        rows = [row.values() for row in golden_rows("chrf_ter.tsv") if row["metric"] == "ter"]
        known = {(tool, corpus): json.loads(number) for _, tool, corpus, number in rows}
        names = ("sacreBLEU", "evaluate", "torchmetrics", "pyter3")
        tools = ("huggingface", "huggingface", "torchmetrics", "pyter3")
        printed = rows_of("sacreBLEU 2.6.0, `TER()`")
        for row, name, tool in zip(printed, names, tools, strict=True):
            assert row[0].startswith(name)
            form = ".2f" if tool == "huggingface" else ".4f"
            expected = [format(known[tool, f"{system} a"], form) for system in ("strong", "weak")]
            assert row[-2:] == expected
        for system in ("strong a", "weak a"):
            assert corpus_ter(*CORPORA[system]).score == known["huggingface", system]


class TestNumbers:
    """A dialect's number is the tool's."""

    @pytest.mark.parametrize("name", CHRF_DIALECTS)
    def test_what_the_tool_said(self, name):
        """On the examples and on small corpora with short segments, odd spaces and misses."""
        rows = [(corpus, number) for dialect, corpus, number in RECORDED if dialect == name]
        assert len(rows) > 10 or name in INSTALLED
        for corpus, number in rows:
            found = audit(*CORPORA[corpus], metric="chrf")[name].number
            same = math.isclose(found, number, rel_tol=LIMITED.get(name, 1e-12), abs_tol=1e-12)
            assert same == (name != "chrf++.py" or corpus not in CARRIED), corpus

    @pytest.mark.parametrize(("count", "subsets"), [(1, 1), (2, 3), (5, 31), (6, 7)])
    def test_subsets_of_references(self, count, subsets):
        """All are tried of up to five references; of more, each by itself and all together."""
        references = [f"the cat sat on mat {number}" for number in range(count)]
        found = ChrfCorpus(["the cat"], [references]).subsets()
        assert len(found) == len(set(found)) == subsets
        assert found[0] == tuple(range(count))
        assert {(number,) for number in range(count)} <= {*found}
        assert ChrfCorpus(["the", "cat"], [["a"], ["a", "b"]]).subsets() == [()]
        assert ChrfCorpus(["the"], [["a", None]]).subsets() == [()]

    def test_no_tool_is_left_over(self):
        """What was recorded belongs to a dialect, and every dialect was recorded or is run."""
        assert {dialect for dialect, _, _ in RECORDED} == set(CHRF_DIALECTS) - INSTALLED
        assert set(TOOLS) == set(CHRF_DIALECTS) - INSTALLED

    @settings(deadline=None, max_examples=60)
    @given(strategies.corpora(max_references=3))
    def test_the_tools_that_are_installed(self, corpus):
        """SacreBLEU to the last bit, NLTK to a few, on drawn corpora."""
        hypotheses, references = corpus
        found = audit(*corpus, metric="chrf")
        for name in INSTALLED:
            metric = Chrf(**CHRF_DIALECTS[name].settings)
            assert found[name].value == metric.corpus(*corpus).score
        if not any(f"\\x1{mark}" in repr(corpus) for mark in "cdef"):
            expected = make_chrf_ter.nltk(hypotheses, references)
            assert found["nltk-chrf"].number == pytest.approx(expected, rel=1e-12, abs=1e-14)

    @settings(deadline=None, max_examples=60)
    @given(
        strategies.corpora(max_references=3),
        strategies.st.fixed_dictionaries(
            {
                "word_order": strategies.st.sampled_from([0, 1, 2]),
                "beta": strategies.st.sampled_from([1.0, 2.0, 3.0]),
                "lowercase": strategies.st.booleans(),
                "whitespace": strategies.st.booleans(),
                "eps_smoothing": strategies.st.booleans(),
                "aggregate": strategies.st.sampled_from(["corpus", "segments"]),
                "references": strategies.st.sampled_from(["best", "joined"]),
            }
        ),
    )
    def test_rules(self, corpus, chosen):
        """Sharing counts among settings changes nothing."""
        text = ChrfCorpus(*corpus)
        text.value(DEFAULTS)
        expected = with_rules(*corpus, chosen)
        assert text.value(text.filled(chosen)) == pytest.approx(expected, rel=1e-14, abs=1e-300)

    def test_defects(self):
        """What is plainly wrong: forgotten references, and references that are joined."""
        texts, references = ["the cat sat", ""], ["the cat sat", "a long sentence"]
        found = audit(texts, references, metric="chrf")
        assert found["torchmetrics-chrf"].number == 1
        assert found["chrf++.py"].number < 60
        found = audit(["the cat sat"], [["the cat sat", "a dog lay there"]], metric="chrf")
        assert found["sacrebleu-chrf"].number == 100
        assert found["nltk-chrf"].number < 0.5
        parts = found.difference("nltk-chrf", "sacrebleu-chrf").parts
        assert min(parts, key=lambda part: part.share).name == "references"


class TestAudit:
    """What every tool says of one text, and why."""

    def test_every_dialect_has_a_row(self):
        """Rows are sorted; a score with all its parts is there if Chrf has the settings."""
        corpus = example("weak", "a", "b")
        found = audit(*corpus, metric="chrf")
        assert {row.dialect.name for row in found.rows} == set(CHRF_DIALECTS)
        assert found.metric == "chrF"
        values = [row.value for row in found.rows]
        assert values == sorted(values, reverse=True)
        for row in found.rows:
            assert row.score is None or row.value == row.score.score
        for name in ("sacrebleu-chrf", "sacrebleu-chrf++", "huggingface-chrf"):
            assert found[name].score.same_as(Chrf(**CHRF_DIALECTS[name].settings).corpus(*corpus))
        assert found["nltk-chrf"].score is None

    def test_only_what_makes_a_difference(self):
        """Aspects of the settings that cannot change the score of this text are left out."""
        texts = ["the cat sat down", "it rained all day"]
        parts = audit(texts, texts, metric="chrf")["torchmetrics-chrf"].parts
        assert {part.name for part in parts} == {"word_order", "eps_smoothing"}
        texts, references = ["the\tcat", "x", "ab"], [["the cat", "a"], ["abcdefg"], ["a"]]
        found = audit(texts, references, metric="chrf")
        rules = {"whitespace", "unmatched", "short_references"}
        parts = {part.name: part for part in found["torchmetrics-chrf"].parts}
        assert rules < parts.keys()
        said = "Characters of the hypotheses: 10 instead of 9."
        assert parts["whitespace"].why == said
        assert "references" in {part.name for part in found["nltk-chrf"].parts}

    def test_what_the_tool_itself_prints(self, tmp_path, capsys):
        """The number of chrF++.py depends on the order of segments; a note says so."""
        texts, references = ["the cat", "x"], ["the cat sat", "abc"]
        found = audit(texts, references, metric="chrf")
        [note] = found["chrf++.py"].notes
        assert "counts 1 segment in which nothing matches as repetitions" in note
        assert found["chrf++.py-avg"].notes == ()
        for name, lines in (("hyp", texts), ("ref", references)):
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        arguments = [str(tmp_path / "hyp"), "-r", str(tmp_path / "ref"), "--metric", "chrf"]
        assert main(["audit", *arguments]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == note

    def test_one_warning(self):
        """What is odd about a text is said once, not for every tool."""
        texts = [f"This is sentence number {number}." for number in range(20)]
        with pytest.warns(SettingsWarning) as caught:
            audit(texts, texts, metric="chrf")
        assert len(caught) == 1


class TestReproduce:
    """Which settings give a published number."""

    @pytest.mark.parametrize(
        "chosen",
        [
            {},
            {"word_order": 2},
            {"beta": 3.0, "lowercase": True},
            {"word_order": 1, "whitespace": True, "eps_smoothing": True},
        ],
    )
    def test_a_number_is_found(self, chosen):
        """The settings that made a number are the simplest of those that are found."""
        corpus = example("weak", "a", "b")
        score = corpus_chrf(*corpus, **chosen).score
        found = audit(*corpus, target=f"{score:.6f}", metric="chrf")
        assert chosen in [candidate.settings for candidate in found.matches]
        for candidate in found.matches:
            used = [[several[place] for place in candidate.references] for several in corpus[1]]
            again = ChrfCorpus(corpus[0], used)
            assert again.value(again.filled(candidate.settings)) == candidate.number

    @pytest.mark.parametrize("name", sorted({*CHRF_DIALECTS} - {"huggingface-chrf"}))
    def test_a_dialect_is_found(self, name):
        """The number of each tool is found under its name."""
        corpus = example("weak", "a", "b")
        number = audit(*corpus, metric="chrf")[name].number
        found = audit(*corpus, target=f"{number:.8f}", metric="chrf")
        assert any(name in candidate.dialects for candidate in found.matches)
