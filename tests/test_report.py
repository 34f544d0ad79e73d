"""The report: its numbers are those of truebleu, its pictures are drawn, bad input is refused."""

import json
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import pytest
import truebleu
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora
from truebleu import Bleu, compare, explain, report, sentence_bleu
from truebleu.cli import main
from truebleu.cli import report as report_command
from truebleu.errors import (
    FewUnitsWarning,
    InputError,
    InputTypeError,
    LengthMismatchError,
    MissingExtraError,
    SettingsError,
    SettingsWarning,
    UnknownNameError,
)
from truebleu.reporting import chart_data, charts, ngrams, page, tokens
from truebleu.reporting.glossary import TERMS

pytestmark = pytest.mark.filterwarnings(
    "ignore:.* (equals? a reference in all|Unicode normal forms|is higher):truebleu.SettingsWarning"
)

EXAMPLES = Path(__file__).parent.parent / "examples"
SYSTEMS = ("strong", "medium", "weak")


def lines(name):
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def example(**how):
    """Report on the examples."""
    systems = {name: lines(f"system-{name}.en") for name in SYSTEMS}
    streams = [lines("reference-a.en"), lines("reference-b.en")]
    return report(systems, reference_streams=streams, **{"samples": 100, **how})


@pytest.fixture(scope="module")
def found():
    """Report on the examples, with all there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewUnitsWarning)
        return example(
            sources=lines("source.de"),
            documents=lines("documents.txt"),
            domains=[name.rpartition("-")[0] for name in lines("documents.txt")],
        )


class TestNumbers:
    """What a report says is what truebleu says elsewhere."""

    def test_the_comparison_is_that_of_compare(self):
        """Scores, intervals, p-values and clusters are those of ``compare``."""
        systems = {name: lines(f"system-{name}.en") for name in SYSTEMS}
        streams = [lines("reference-a.en"), lines("reference-b.en")]
        due = compare(systems, reference_streams=streams, samples=100)
        assert example().comparison.to_dict() == due.to_dict()

    def test_influence_is_that_of_explain(self, found):
        """The influence of a segment is what ``explain`` computes."""
        others = list(zip(lines("reference-a.en"), lines("reference-b.en"), strict=True))
        for number, name in enumerate(SYSTEMS):
            due = explain(lines(f"system-{name}.en"), others).influence
            assert found._found.influence[number] == pytest.approx(due, abs=1e-12)

    def test_segments_are_scored_like_sentences(self, found):
        """The score of a segment is that of ``sentence_bleu``."""
        others = list(zip(lines("reference-a.en"), lines("reference-b.en"), strict=True))
        for number, name in enumerate(SYSTEMS):
            pairs = zip(lines(f"system-{name}.en"), others, strict=True)
            due = [sentence_bleu(own, several).score for own, several in pairs]
            assert list(found._found.sentences[number]) == due

    def test_groups_are_scored_as_corpora(self, found):
        """The score of a document is that of its segments as a corpus."""
        own = found._found.groups["document"]
        names = lines("documents.txt")
        streams = [lines("reference-a.en"), lines("reference-b.en")]
        for place, name in enumerate(own.names):
            kept = [index for index, other in enumerate(names) if other == name]
            assert own.sizes[place] == len(kept)
            due = Bleu().corpus(
                [lines("system-weak.en")[index] for index in kept],
                reference_streams=[[stream[index] for index in kept] for stream in streams],
            )
            assert own.scores[2][place] == due.score

    @given(corpus=corpora(), other=st.randoms(use_true_random=False), lowercase=st.booleans())
    def test_n_grams_are_counted_as_in_the_core(self, corpus, other, lowercase):
        """For every n-gram the clipped matches are right, and their sum is that of the core."""
        hypotheses, references = corpus
        systems = [hypotheses, other.sample(hypotheses, len(hypotheses))]
        bleu = Bleu(tokenizer="none", lowercase=lowercase)
        columns = tokens.columns_of(bleu, references)
        split = tokens.split(bleu, [*columns, *systems], 1)
        end = len(columns)
        counted = ngrams.count(split.tokens[end:], split.tokens[:end], split.separator, 4)
        for number, system in enumerate(systems):
            due = bleu.stats(system, references).sum().to_numpy()[0]
            each = [Counter() for _ in range(4)]
            for output, several in zip(system, references, strict=True):
                how = explain(output, several, tokenizer="none", lowercase=lowercase)
                for order, own in enumerate(how.orders):
                    each[order] += Counter({gram.tokens: gram.clipped for gram in own})
            for order, own in enumerate(counted.orders, 1):
                assert own.matched[number].sum() == due[1 + order]
                found = {
                    tuple(counted.text(order, index)): int(count)
                    for index, count in enumerate(own.matched[number])
                    if count
                }
                assert found == dict(each[order - 1])

    def test_words_that_match_add_up(self, found):
        """Over all frequencies the matches are those of order 1."""
        rows = chart_data.frequency(found._found)
        for name, score in zip(SYSTEMS, found._found.scores, strict=True):
            assert sum(row["matches"] for row in rows if row["system"] == name) == score.counts[0]

    def test_gains_are_complete(self, found):
        """Among the n-grams kept are the best of every pair, whichever way round."""
        counted, gains = found._found.grams, chart_data.Gains(found._found)
        every = [
            (gains.weights[order] * int(row[0] - row[1]), counted.text(order + 1, index))
            for order, own in enumerate(counted.orders)
            for index, row in enumerate(own.matched[[0, 2]].T)
        ]
        best = sorted((-worth for worth, _ in every))[: chart_data.MOST_GRAMS]
        rows = [row for row in gains.rows(0, 2) if row["side"] == "one"]
        own = [-gains.weights[row["order"] - 1] * row["more"] for row in rows]
        assert own == pytest.approx(best)


class TestSplitting:
    """Texts and tokens, whatever the tokenizer."""

    TEXTS = ("A  b,c.", "x\ny", "-\nz", "\ud800 q", "", "\ufeffa", "﷽ שלום", "a\u2028b")

    @pytest.mark.parametrize("tokenizer", ["13a", "none", "char", "intl", "zh", str.split])
    def test_tokens_are_those_of_tokenize(self, tokenizer):
        """All at once, texts are split as one by one."""
        bleu = Bleu(tokenizer=tokenizer)
        split = tokens.split(bleu, [list(self.TEXTS), [None, *self.TEXTS[1:]]], 1)
        due = [list(bleu._counting.tokens(text)) for text in self.TEXTS]
        first, second = ([t and t.split(split.separator) for t in own] for own in split.tokens)
        assert [own or [] for own in first] == due
        assert second == [None, *first[1:]]

    def test_tokens_of_any_type_have_names(self):
        """Different tokens have different names, and equal ones the same."""
        column = [[1, "1", (2, 3)], ["1", 1.0, "a b"]]
        split = tokens.split(Bleu(tokenizer=None), [column], 1)
        names = [text.split(split.separator) for text in split.tokens[0]]
        assert names == [["1", "1 (2)", "(2, 3)"], ["1 (2)", "1", "a b"]]


class TestNotices:
    """What a reader should know is said."""

    REFERENCES = tuple(f"this is the sentence number {number} of a test" for number in range(40))

    def notices(self, systems, references=REFERENCES, **how):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewUnitsWarning)
            return " ".join(report(systems, references, samples=10, trials=100, **how).notices)

    @pytest.mark.parametrize(
        ("systems", "how", "said"),
        [
            ({"a": REFERENCES[:5]}, {"references": REFERENCES[:5]}, "5 segments are too few"),
            ({"a": REFERENCES[:1]}, {"references": REFERENCES[:1]}, "One segment says nothing"),
            ({"a": ["", "", *REFERENCES[2:]]}, {}, "a has no output in 2 segments."),
            ({"a": [text[:20] for text in REFERENCES]}, {}, "a is much shorter than the ref"),
            ({"a": [text * 2 for text in REFERENCES]}, {}, "a is much longer than the ref"),
            ({"a": REFERENCES, "b": REFERENCES}, {}, "a and b have the same output"),
            (
                {"a": REFERENCES},
                {"sources": ["x", *REFERENCES[1:]]},
                "The reference equals the source in 39 segments.",
            ),
            ({"a": REFERENCES}, {"documents": ["one"] * 40}, "All segments are of one document"),
            ({"a": ["x"] * 40}, {}, "No word of the hypotheses occurs in their references."),
            (
                {"a": REFERENCES},
                {"references": ["", *REFERENCES[1:]]},
                "The reference is empty in 1 segment.",
            ),
        ],
    )
    def test_what_is_odd_is_noted(self, systems, how, said):
        """Each oddity has a sentence, and the page shows it."""
        assert said in self.notices(systems, **how)

    def test_nothing_is_noted_of_good_data(self):
        """There is no warning without a reason."""
        one = [text.replace("the", "a") for text in self.REFERENCES]
        other = [text.replace("a test", "the test") for text in self.REFERENCES]
        assert self.notices({"a": one, "b": other}) == ""

    def test_the_warning_is_given_too(self):
        """Whoever calls ``report`` is warned as by ``compare``."""
        with pytest.warns(FewUnitsWarning, match="too few"):
            report({"a": ["a b"] * 3}, ["a b"] * 3)


class TestLead:
    """The first sentences say what the tests say, and no more."""

    WORDS = ("the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug", "now")

    def systems(self, rates, segments=60):
        """Draw references, and systems that get so many words wrong."""
        random = Random(7)
        references = [" ".join(random.choices(self.WORDS, k=9)) for _ in range(segments)]
        systems = {
            f"s{number}": [
                " ".join(
                    random.choice(self.WORDS) if random.random() < rate else word
                    for word in text.split()
                )
                for text in references
            ]
            for number, rate in enumerate(rates)
        }
        return systems, references

    def lead(self, systems, references, **how):
        """Return the lead of a report, and the comparison it is about."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SettingsWarning)
            found = report(systems, references, samples=50, **how)
        return page._lead(found._found), found

    @pytest.mark.parametrize(
        "rates",
        [
            (0.1, 0.6),
            (0.3, 0.3),
            (0.3, 0.32, 0.6),
            (0.2, 0.3, 0.4, 0.5),
            (0.3, 0.3, 0.3, 0.3, 0.3, 0.3),
            (0.0, 0.5, 0.5, 0.5, 0.5),
        ],
    )
    @pytest.mark.parametrize("level", [0.95, 0.5, 0.999])
    def test_it_says_what_the_tests_say(self, rates, level):
        """Those it names, and no others, are those that the best is not significantly above."""
        text, found = self.lead(*self.systems(rates), level=level)
        comparison = found.comparison
        best, *others = [system.name for system in comparison.ranked()]
        pairs = {name: comparison.pair(best, name) for name in others}
        unsure = [name for name in others if not pairs[name].significant]
        assert text.startswith(f"{best} has the highest score of {len(rates)} systems: ")
        said = text.split(" BLEU. ")[1]
        if not unsure:
            bound = float(said.split("p ≤ ")[1].rstrip(")."))
            assert max(pair.p_adjusted for pair in pairs.values()) <= bound * (1 + 1e-9)
            assert said.startswith("Its lead over ")
            assert "is statistically significant" in said
        elif len(unsure) > 3:
            assert said == (
                f"Its lead over {len(unsure)} of the {len(others)} other systems is not "
                "statistically significant."
            )
        else:
            assert said.endswith(" is not statistically significant.")
            assert set(re.findall(r"s\d", said)) == set(unsure)

    def test_equal_scores(self):
        """Of systems that are alike, none is the best."""
        systems, references = self.systems((0.3, 0.6))
        twins = {"a": systems["s0"], "b": systems["s0"]}
        assert re.fullmatch(
            r"a and b have the same score, [\d.]+ BLEU\.", self.lead(twins, references)[0]
        )
        three = {**twins, "c": ["x y z"] * 60}
        text = self.lead(three, references)[0]
        assert text.startswith("a and b share the highest score of 3 systems: ")
        assert "Their lead over c is statistically significant (Holm-adjusted p ≤ 0.0003)." in text
        page_text = report(twins, references, samples=50).to_html()
        assert "for 1 test (" in page_text
        assert "a and b have the same score" in page_text

    def test_too_few_trials(self):
        """They decide nothing, and so nothing is said; the page warns."""
        text, found = self.lead(*self.systems((0.0, 0.4, 0.8)), trials=20)
        assert text.endswith(" BLEU.")
        assert "20 trials are too few for 3 tests" in " ".join(found.notices)
        html = found.to_html()
        assert "Too few trials to decide about 3 pairs." in html
        assert "≤ 0.1429" in html
        assert 'class="sure"' not in html
        assert "thick line" not in html

    def test_p_values_at_the_floor(self):
        """The table has them as bounds."""
        html = self.lead(*self.systems((0.0, 0.8)))[1].to_html()
        assert ">≤ 0.0001<" in html


class TestPlots:
    """Every picture can be drawn, and holds the right rows."""

    def test_the_registry_is_complete(self, found):
        """The command knows all pictures; these data have them all."""
        assert report_command.PLOTS == charts.NAMES == found.plots
        text = (EXAMPLES.parent / "docs" / "report.md").read_text("utf-8")
        assert [name for name in charts.NAMES if f"`{name}`" not in text] == []

    @pytest.mark.parametrize("name", charts.NAMES)
    def test_every_plot_is_drawn(self, found, name, tmp_path):
        """Vega draws each as SVG, with the names of the systems where they matter."""
        path = tmp_path / "figure.svg"
        found.plot(name, path, one="weak", other="strong")
        text = path.read_text("utf-8")
        assert text.startswith("<svg")
        assert "weak" in text
        assert "undefined" not in text
        assert "NaN" not in text

    def test_png(self, found, tmp_path):
        """PNG is drawn as well."""
        found.plot("scores", tmp_path / "figure.png")
        assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")

    def test_rows_are_whole(self, found):
        """A plot holds all its data, so that it can be drawn again elsewhere."""
        spec = found.spec("segments", one="strong", other="weak")
        assert len(spec["datasets"]["rows"]) == 72
        assert spec["datasets"]["rows"][0]["one"] == found._found.sentences[0][0]
        json.dumps(spec)

    def test_one_system_is_enough(self, tmp_path):
        """Without a second system, pictures show the one, and n-grams that it misses."""
        single = report({"a": lines("system-weak.en")}, lines("reference-a.en"), samples=10)
        assert "segments" not in single.plots
        for name in single.plots:
            single.plot(name, tmp_path / "figure.svg")
        assert {row["side"] for row in charts.rows(single._found, "ngrams", 0, None)} == {"other"}


def _without(module):
    return mock.patch.dict(sys.modules, {module: None})


class TestBadInput:
    """Bad input ends in a sentence that helps."""

    TEXTS = ("a b c d", "e f g h")

    @pytest.mark.parametrize(
        ("error", "message", "call"),
        [
            (InputTypeError, "a dict of names", lambda t: report(t, t)),
            (InputTypeError, "has been counted", lambda t: report({"a": Bleu().stats(t, t)}, t)),
            (InputError, "no system", lambda t: report({}, t)),
            (LengthMismatchError, "a: hypotheses has 2", lambda t: report({"a": t}, t * 2)),
            (LengthMismatchError, "b: hyp", lambda t: report({"a": t, "b": t[:1]}, t)),
            (LengthMismatchError, "sources has 1", lambda t: report({"a": t}, t, sources=["x"])),
            (
                LengthMismatchError,
                "documents has 3",
                lambda t: report({"a": t}, t, documents=[*"xyz"]),
            ),
            (LengthMismatchError, "domains has 1", lambda t: report({"a": t}, t, domains=["x"])),
            (InputTypeError, r"sources\[1\] is", lambda t: report({"a": t}, t, sources=["x", 1])),
            (InputTypeError, "title is", lambda t: report({"a": t}, t, title=None)),
            (UnknownNameError, "no baseline 'b'", lambda t: report({"a": t}, t, baseline="b")),
            (SettingsError, "level", lambda t: report({"a": t}, t, level=2.0)),
            (UnknownNameError, "no plot 'x'; choose", lambda _: example().spec("x")),
            (UnknownNameError, "no system 'x'", lambda _: example().spec("scores", one="x")),
            (SettingsError, "no plot 'documents' of", lambda _: example().spec("documents")),
            (SettingsError, "itself", lambda _: example().spec("ngrams", one="weak", other="weak")),
            (SettingsError, "a plot is .svg or .png", lambda _: example().plot("scores", "x.pdf")),
        ],
    )
    def test_it_is_refused(self, error, message, call):
        """Each exception says what was given and what would be right."""
        with pytest.raises(error, match=message):
            call(list(self.TEXTS))

    @pytest.mark.parametrize("module", ["altair", "jinja2", "vl_convert"])
    def test_what_to_install_is_said(self, module, found):
        """Without one of the packages, the message names the extra."""
        page.bundle.cache_clear()
        with _without(module), pytest.raises(MissingExtraError, match=r"truebleu\[report\]"):
            found.to_html()
        if module != "jinja2":
            with _without(module), pytest.raises(MissingExtraError, match=r"truebleu\[report\]"):
                charts.draw(found.spec("scores"), "svg")


@pytest.fixture
def run(capfd, monkeypatch):
    """Run the command; return its exit code and complaints."""
    monkeypatch.chdir(EXAMPLES)

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        out, error = capfd.readouterr()
        assert out == ""
        return code, error

    return run


class TestCommand:
    """``truebleu report`` and ``truebleu plot``."""

    FILES = ("system-strong.en", "system-weak.en", "-r", "reference-a.en", "reference-b.en")

    def test_a_page_is_written(self, run, tmp_path):
        """The page has scores, names and signature in it."""
        path = tmp_path / "report.html"
        extra = ["--source", "source.de", "--docs", "documents.txt", "--samples", "20"]
        code, error = run("report", *self.FILES, *extra, "-o", path, "--title", "My <b>")
        assert code == 0
        assert error.count("\n") == error.count("too few") == 1
        text = path.read_text("utf-8")
        assert "<title>My &lt;b&gt;</title>" in text
        assert text.count("system-weak.en") > 1
        streams = [lines("reference-a.en"), lines("reference-b.en")]
        due = Bleu().corpus(lines("system-weak.en"), reference_streams=streams)
        assert f'<td class="score">{due.score:.2f}</td>' in text

    def test_a_plot_is_written(self, run, tmp_path):
        """The picture is that of the two systems named."""
        path = tmp_path / "figure.svg"
        pair = ["--pair", "system-weak.en", "system-strong.en"]
        assert run("plot", "ngrams", *self.FILES, *pair, "-o", path) == (0, "")
        assert "matches of system-weak.en minus system-strong.en" in path.read_text("utf-8")

    def test_folders_stay_at_home(self, run, tmp_path):
        """Systems are called as their files; the folders are added if names would be alike."""
        path = tmp_path / "figure.svg"
        for folder, name in (("one", "a.txt"), ("two", "a.txt"), ("two", "b.txt")):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text("\n".join(lines("system-weak.en")), "utf-8")
        for other, alike in (("two/b.txt", False), ("two/a.txt", True)):
            files = [tmp_path / "one/a.txt", tmp_path / other]
            how = ["-r", "reference-a.en", "--samples", "5", "--baseline", tmp_path / other]
            assert run("plot", "scores", *files, *how, "-o", path) == (0, "")
            text = path.read_text("utf-8")
            assert "system: " in text
            assert (f"system: {tmp_path}/one/a.txt" in text) == alike
            assert ("system: a.txt" in text) != alike

    @pytest.mark.parametrize(
        ("code", "said", "arguments"),
        [
            (1, "nowhere.en: No such file", ["nowhere.en", "-r", "reference-a.en", "-o", "x.html"]),
            (1, "there is no folder nowhere", [*FILES, "-o", "nowhere/x.html"]),
            (1, "Is a directory", [*FILES, "-o", "."]),
            (1, "short.txt has 1 line but", [*FILES, "--source", "SHORT", "-o", "OUT"]),
            (1, "short.txt has 1 line but", [*FILES, "--docs", "SHORT", "-o", "OUT"]),
            (1, "short.txt has 1 line but", ["SHORT", *FILES, "-o", "OUT"]),
            (1, "not UTF-8", [*FILES, "--domains", "LATIN", "-o", "OUT"]),
            (2, "no baseline 'x'", [*FILES, "--baseline", "x", "-o", "OUT"]),
            (2, "samples is 0", [*FILES, "--samples", "0", "-o", "OUT"]),
            (2, "tokenizer 'x' is unknown", [*FILES, "--tokenizer", "x", "-o", "OUT"]),
            (2, "required: -o", [*FILES]),
            (2, "read only once", ["-", *FILES, "--source", "-", "-o", "OUT"]),
        ],
    )
    def test_bad_input(self, run, tmp_path, code, said, arguments):
        """It ends in one sentence and the exit code of ``truebleu score``; nothing is written."""
        (tmp_path / "short.txt").write_text("one\n", "utf-8")
        (tmp_path / "latin.txt").write_bytes(b"\xe9\n" * 72)
        names = {"SHORT": "short.txt", "LATIN": "latin.txt", "OUT": "out.html"}
        given = [tmp_path / names[each] if each in names else each for each in arguments]
        found, error = run("report", *given)
        assert (found, said in error) == (code, True), error
        assert error.startswith("usage") or error.count("\n") == 1
        assert not (tmp_path / "out.html").exists()

    @pytest.mark.parametrize(
        ("said", "arguments"),
        [
            ("there is no plot 'x'; choose one of scores, ", ["x", *FILES, "-o", "OUT.svg"]),
            ("a plot is .svg or .png", ["scores", *FILES, "-o", "OUT.pdf"]),
            ("no plot 'domains' of these data", ["domains", *FILES, "-o", "OUT.svg"]),
            ("no system 'x'", ["ngrams", *FILES, "--pair", "x", "y", "-o", "OUT.svg"]),
        ],
    )
    def test_bad_plots(self, run, tmp_path, said, arguments):
        """A plot that cannot be is refused with exit code 2."""
        given = [tmp_path / each[3:] if each.startswith("OUT") else each for each in arguments]
        code, error = run("plot", *given)
        assert (code, said in error, error.count("\n")) == (2, True, 1), error

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_must_not_be_written(self, run, tmp_path):
        """It is refused before the work."""
        tmp_path.chmod(0o500)
        code, error = run("report", *self.FILES, "-o", tmp_path / "x.html")
        assert (code, "Permission denied" in error) == (1, True)

    def test_no_other_command_loads_it(self):
        """Altair and Jinja2 are loaded by these two commands alone."""
        code = "import sys, truebleu.cli; truebleu.cli.main(sys.argv[1:]); print(*sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code, "compare", *self.FILES],
            capture_output=True,
            text=True,
            cwd=EXAMPLES,
            check=True,
            timeout=60,
        )
        assert not {"altair", "jinja2", "vl_convert"} & set(done.stdout.split("\n")[-2].split())


class TestPage:
    """What the file says without a browser."""

    def test_the_pictures_of_the_documentation_are_there(self):
        """What docs/report.md shows is in docs/images, and nothing else is."""
        docs = EXAMPLES.parent / "docs"
        text = (docs / "report.md").read_text("utf-8")
        shown = set(re.findall(r"\]\(images/([\w.]+)\)", text))
        assert shown == {path.name for path in (docs / "images").glob("*.png")}

    def test_nothing_is_loaded_from_anywhere(self, found):
        """No address is in the markup; the policy allows our scripts and style, and no others."""
        html = found.to_html()
        markup = re.sub(r"(?s)<(script|style)[^>]*>.*?</\1>", "", html)
        assert not re.search(r"""(src|href)=["']?(?!["'#])""", markup)
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', markup)[1]
        policy = policy.replace("&#39;", "'")
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "connect-src" not in policy

    def test_terms_are_explained(self, found):
        """Every term that can be clicked has an explanation in the page."""
        html = found.to_html()
        asked = set(re.findall(r'popovertarget="([^"]*)"', html))
        assert asked <= {f"term-{name.replace(' ', '-')}" for name in TERMS}
        assert all(f'id="{name}"' in html for name in asked)

    def test_the_report_shows_itself(self, found):
        """What it is about is in its repr; it cannot be changed."""
        assert repr(found) == "<Report: 3 systems, 72 segments>"
        with pytest.raises(AttributeError):
            found.title = "x"
        assert truebleu.Report is type(found)

    def test_the_look_is_shared(self, found):
        """Scores, comparisons and explanations bring the style sheet of the page."""
        style = (Path(truebleu.__file__).parent / "display" / "look.css").read_text("utf-8")
        shown = [
            Bleu().corpus(["a b"], ["a b"])._repr_html_(),
            found.comparison._repr_html_(),
            explain("a b", "a b")._repr_html_(),
            found.to_html(),
        ]
        assert all(style in html for html in shown)
        assert len(charts.colours()) == style.count("light-dark(")

    def test_colours_have_contrast(self):
        """Text has a contrast of at least 4.5 on what it is written on, light and dark."""
        style = (Path(truebleu.__file__).parent / "display" / "look.css").read_text("utf-8")
        pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", style)
        for which in (1, 2):
            colour = {each[0]: each[which] for each in pairs}
            grounds = {
                "ink": ["paper", "wash", "order1", "order2", "order3", "order4"],
                **dict.fromkeys(["faint", "one", "other"], ("paper", "wash")),
                **dict.fromkeys(["good", "clipped", "bad"], ("paper",)),
            }
            for name, others in grounds.items():
                for other in others:
                    assert contrast(colour[name], colour[other]) >= 4.5, (name, other, which)


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2 defines it."""

    def luminance(colour):
        parts = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)
