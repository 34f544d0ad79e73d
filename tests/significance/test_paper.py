r"""The table of a paper, its notes and its paragraph, and whether LaTeX reads what is written."""

import csv
import io
import json
import re
import shutil
import subprocess
from functools import cache
from random import Random

import pytest
import truebleu
from truebleu import compare
from truebleu.cli import main
from truebleu.display import markup
from truebleu.display.blocks import Block, kind_of, text_of

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

LATEX = shutil.which("pdflatex")

PLAIN = r"""\documentclass{article}
\usepackage{booktabs,graphicx,CJKutf8}
\begin{document}
%s
\end{document}
"""

# The measures of ACL: two columns of 7.7 cm, 0.6 cm apart, in Times of 11 points.
TWO_COLUMNS = r"""\documentclass[11pt,a4paper,twocolumn]{article}
\usepackage{times}
\usepackage[T1]{fontenc}
\usepackage{booktabs,graphicx,CJKutf8}
\setlength{\textwidth}{16cm}\setlength{\textheight}{24.7cm}\setlength{\columnsep}{.6cm}
\setlength{\oddsidemargin}{0cm}\setlength{\topmargin}{-2cm}
\begin{document}
%s
\end{document}
"""

NAMES = [r"a_b & 50% #1 ${x}$ ~^\y", "네이버 번역", "[有道] 翻译", "*star--dash_"]


def systems(*names):
    """Return systems, each a bit worse than the one before."""
    words = ["the", "cat", "sat", "on", "a", "mat", "while", "it", "rained", "all", "day"]
    places = Random(1).sample(range(60), 60)
    references = [" ".join(words[i % 7 :] + words[: i % 5]) for i in places]
    found = {
        name: [
            " ".join(w if (i + j) % (9 - 2 * n) else "x" for j, w in enumerate(text.split()))
            for i, text in zip(places, references, strict=True)
        ]
        for n, name in enumerate(names)
    }
    return found, references


def compared(*names, **how):
    found, references = systems(*names)
    return compare(found, references, **{"n_resamples": 200, **how})


@cache
def four():
    """Return a comparison of four systems under three metrics."""
    return compared("one", "two", "three", "four", metrics=["bleu", "chrf", "ter"])


def compiled(latex, template, folder):
    """Return the log of LaTeX, which stops at the first error."""
    (folder / "paper.tex").write_text(template % latex, "utf-8")
    done = subprocess.run(
        [LATEX, "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=300,
    )
    log = (folder / "paper.log").read_text("utf-8", "replace")
    assert done.returncode == 0, log[-3000:]
    return log


@pytest.mark.skipif(LATEX is None, reason="there is no pdflatex: `make latex` installs it")
@pytest.mark.parametrize("template", [PLAIN, TWO_COLUMNS], ids=["plain", "two columns"])
class TestWithLatex:
    """What is written goes into a paper unedited, and fits."""

    @pytest.mark.parametrize(
        "metrics", [["bleu"], ["bleu", "chrf", "ter"], ["bleu", "chrf", "chrf++", "ter"]]
    )
    @pytest.mark.parametrize("baseline", [None, NAMES[1]])
    def test_a_paper(self, template, metrics, baseline, tmp_path):
        """Names with whatever LaTeX reads as commands, of Korean and Chinese letters."""
        found = compared(*NAMES, metrics=metrics, baseline=baseline)
        log = compiled(found.paper().to_latex(), template, tmp_path)
        assert re.findall("Overfull .*|Missing character.*", log) == []


class TestTable:
    """Systems in rows, metrics in columns."""

    def test_scores_and_intervals(self):
        """They are those of the comparisons, in the order of the first metric."""
        [table, _, _] = four().paper().blocks()
        assert table.heading == "scores with 95% confidence intervals"
        assert table.header == ["system", *(f for name in four() for f in (name, "95% CI"))]
        assert [cells[0] for _, cells in table.rows] == [s.name for s in four()["BLEU"].ranked()]
        for _, (name, *cells) in table.rows:
            for comparison, cell, interval in zip(
                four().values(), cells[::2], cells[1::2], strict=True
            ):
                system = comparison.systems[name]
                assert text_of(cell).startswith(f"{system.score.score:.2f}")
                assert interval == str(system.interval)
                assert (kind_of(cell) == "best") == (comparison.places()[name] == 1)

    def test_clusters_are_superscripts(self):
        """Each metric has its own."""
        [table, notes, _] = four().paper().blocks()
        for column, comparison in enumerate(four().values()):
            clusters = comparison.clusters
            assert len(clusters) > 1
            for _, cells in table.rows:
                number = next(i for i, each in enumerate(clusters, 1) if cells[0] in each)
                assert text_of(cells[1 + 2 * column])[-1] == "⁰¹²³⁴"[number]
        assert any("superscripts are clusters" in text_of(line) for line in notes.lines)

    def test_one_cluster_has_no_superscripts(self):
        """The notes say so, of each metric."""
        found = compared("one", "same", metrics=["bleu", "ter"])
        same = compare({n: systems("x")[0]["x"] for n in "ab"}, systems("x")[1], n_resamples=39)
        text = str(same.paper())
        assert "BLEU: all systems are in one cluster" in text
        assert "¹" not in text
        assert "in one cluster" not in str(found.paper()) or "superscripts" in str(found.paper())

    def test_stars_are_differences_from_the_baseline(self):
        """In both directions, and only where they are significant."""
        found = compared("one", "two", "three", metrics=["bleu", "ter"], baseline="two")
        for plain, significant in ((False, "*"), (True, "yes")):
            [table, *_] = found.paper().blocks(plain=plain)
            for name in found:
                column = table.header.index(f"{name} significant" if plain else name)
                cells = {row[0]: text_of(row[column]) for _, row in table.rows}
                starred = {name for name, cell in cells.items() if cell.endswith(significant)}
                assert starred == {each.one for each in found[name].pairs if each.significant}
        assert "*: significantly different from the baseline, two (adjusted p < 0.05)" in str(
            found.paper()
        )
        same = compare({n: systems("x")[0]["x"] for n in "ab"}, systems("x")[1], baseline="a")
        assert "*" not in str(same.paper())

    def test_each_metric_has_its_signature_in_the_notes(self):
        """Also in the caption of LaTeX, and in a column for programs."""
        paper = four().paper()
        signatures = {name: each.signature for name, each in four().items()}
        assert [text_of(line) for line in paper.blocks()[1].lines[-3:]] == [
            f"{n}|{s}" for n, s in signatures.items()
        ]
        latex = paper.to_latex().replace(r"\textbar\allowbreak{}", "|")
        caption = re.search(r"\\caption{(.*)}", latex)[1]
        assert all(f"{name}|{each}" in caption for name, each in signatures.items())
        assert caption.count("version:") == 3
        rows = list(csv.DictReader(io.StringIO(paper.to_csv())))
        for row in rows:
            assert {n: row[f"{n} signature"] for n in signatures} == signatures

    def test_methods(self):
        """Test, trials, intervals, alpha, correction, software and version are in the sentences."""
        said = four().paper().methods
        for part in (
            f"BLEU, chrF2 and TER as computed by truebleu {truebleu.__version__}",
            "95% confidence intervals are from bootstrap resampling of segments",
            "(bias-corrected and accelerated, 200 samples)",
            "two-sided paired approximate randomization of segments (10,000 trials)",
            "Holm's correction for 18 tests, at a significance level of 0.05.",
        ):
            assert part in said
        alone = compared("one").paper().methods
        assert alone.endswith("200 samples).")
        documents = ["a"] * 20 + ["b"] * 20 + ["c"] * 20
        exact = compared("one", "two", units=documents, alpha=0.4).paper().methods
        assert exact.endswith(
            "two-sided exact paired randomization of documents, at a significance level of 0.4."
        )
        assert "Holm" not in exact

    def test_metrics_can_differ_in_their_tests(self):
        """Then a sentence says of which metrics it is; scores computed elsewhere are named so."""
        found, references = systems("one", "two")
        scores = {"COMET": {"one": [0.5] * 60, "two": [0.5] * 59 + [0.4]}}
        paper = compare(found, references, scores=scores, n_resamples=50).paper()
        assert "BLEU as computed by truebleu" in paper.methods
        assert ", and the average of COMET scores" in paper.methods
        for name, test in (("BLEU", "paired approximate"), ("COMET", "exact paired")):
            tested = f"Differences in {name}, divided by their standard errors, were tested by "
            assert f"{tested}two-sided {test} randomization" in paper.methods

    def test_without_intervals(self):
        """There are no columns for them, and nothing is said of them."""
        found, references = systems("one", "two")
        paper = compare(found, references, n_resamples=None).paper()
        assert paper.blocks()[0].header == ["system", "BLEU"]
        assert "interval" not in str(paper)

    def test_undecided(self):
        """Systems that no test could tell apart are no cluster."""
        paper = compared("one", "two", "three", units=[i // 15 for i in range(60)]).paper()
        assert (
            "Undecided: 3 pairs. So few differing documents cannot give a p-value below alpha"
            in str(paper)
        )
        assert "cluster" not in str(paper)


class TestFormats:
    """Whatever is shown is written in every format."""

    SHOWN = (
        four,
        lambda: four()["TER"],
        lambda: four().paper(),
        lambda: truebleu.explain(["a b c d e"], ["a b c d f"]),
        lambda: truebleu.audit(["a b c d e"], ["a b c d f"]),
        lambda: truebleu.decompose(
            *(truebleu.corpus_bleu(["a b c d " + x], ["a b c d f"]) for x in "ef")
        ),
    )

    @pytest.mark.parametrize("make", SHOWN)
    def test_all_have_all(self, make):
        """Tables are the same in LaTeX and CSV, row by row; other lines are in no CSV."""
        shown = make()
        rows = [row for row in csv.reader(io.StringIO(shown.to_csv())) if row]
        # The first figure is in HTML only.
        html = shown.to_html()
        tables = html.count("<table") - sum(block.is_figure for block in shown.blocks())
        assert shown.to_latex().count(r"\begin{tabular}") == tables
        assert shown.to_latex("tab:x").count(r"\label{tab:x") == tables
        assert len(rows) >= shown.to_markdown().count("\n| ")
        assert {len(row) for row in rows} == {
            len(row) for block in shown._tables() for row in block.table()
        }

    def test_names_that_would_end_a_row(self):
        """They are in one cell of CSV, as text that can be encoded."""
        names = ["a\rb", "c\nd", 'e"f,g', "\ud800"]
        systems = {name: ["a b c d e", "f g h i j"] for name in names}
        table = truebleu.compare(systems, ["a b c d f", "f g h i k"], n_resamples=39).paper()
        rows = list(csv.reader(io.StringIO(table.to_csv().encode().decode(), newline="")))
        assert [row[0] for row in rows] == ["system", "a b", "c d", 'e"f,g', "\\ud800"]

    def test_names_that_would_be_formulas(self):
        """In CSV, an apostrophe makes them text; numbers stay numbers."""
        names = ["=1+1", "+SUM(A1)", "-x", "@y", " =z", "\uff1d1", "plain"]
        systems = {name: ["a b c d e", "f g h i j"] for name in names} | {"-5": ["a b c d f"] * 2}
        found = truebleu.compare(systems, ["a b c d f", "f g h i k"], n_resamples=39)
        cells = [cell for row in csv.reader(io.StringIO(found.to_csv())) for cell in row]
        assert {f"'{name}" for name in names[:-1]} | {"plain", "-5"} <= set(cells)
        assert any(re.fullmatch(r"-?\d+\.\d+", cell) for cell in cells)
        assert not [c for c in cells if c.strip()[:1] in "=@\uff1d" and c.strip()]

    def test_paper_is_the_same_on_the_command_line(self, capsys, tmp_path):
        """In every format; JSON has all that was compared, the notes and the methods."""
        found, references = systems("one", "two")
        for name, lines in {**found, "ref": references}.items():
            (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
        words = ["compare", *(f"{n}={tmp_path / n}" for n in found), "-r", str(tmp_path / "ref")]
        words += ["-m", "bleu", "ter", "--paper"]
        paper = compare(found, references, metrics=["bleu", "ter"]).paper()
        for form, expected in {
            "text": f"{paper}\n",
            "markdown": paper.to_markdown(),
            "latex": paper.to_latex(),
            "html": f"{paper.to_html()}\n",
            "csv": paper.to_csv(),
        }.items():
            assert main([*words, "-f", form]) == 0
            # Notes name options, not parameters.
            named = re.sub(r"units=(\\?|\{\})\[(\{\}|\\)?...(\\?|\{\})\]", "--units FILE", expected)
            assert capsys.readouterr().out.replace("-{}-units", "--units") == named
        main([*words, "-f", "json"])
        whole = json.loads(capsys.readouterr().out)
        assert whole["methods"] == paper.methods
        assert whole["comparisons"]["TER"]["signature"] == paper.comparisons["TER"].signature
        assert len(whole["notes"]) == len(paper.to_dict()["notes"]) > 2

    def test_latex_of_odd_text(self):
        """A bracket does not belong to the row above, and letters without a font are marked."""
        names = ("[a]", "*b", "c---d", "한국어와 中文", "x²", "``e''?`!`,,")
        rows = [("", (name, "1")) for name in names]
        latex = markup.latex([Block(header=("n", "[s]"), rows=rows)])
        assert latex.startswith(r"\DeclareRobustCommand{\truebleucjk}")
        for row in (
            *(r"{}[a] & 1 \\", r"{}*b & 1 \\", r"c-{}-{}-d & 1 \\"),
            r"\truebleucjk{mj}{한국어와} \truebleucjk{gbsn}{中文} & 1 \\",
            r"x\textsuperscript{2} & 1 \\",
            r"`{}`e'{}'?{}`!{}`,{}, & 1 \\",
        ):
            assert f"\n{row}\n" in latex
        assert "\n{}[n] \\\\\n" in markup.latex([Block(header=("[n]",), rows=[("", ("1",))])])
        assert "truebleucjk" not in markup.latex([Block(header=("n",), rows=rows[:2])])
