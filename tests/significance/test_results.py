"""What a comparison returns: systems, pairs, clusters and signatures, in Python and commands."""

import html
import json
import re
from itertools import accumulate, combinations, product
from random import Random

import numpy as np
import pytest
from drawn import corpus
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from looping import looped
from project import DATA
from truebleu import (
    Bleu,
    SettingsError,
    SettingsWarning,
    StatsMismatchError,
    compare,
    compare_runs,
    compare_sets,
    compare_unpaired,
    confidence_interval,
    report,
)
from truebleu.cli import main
from truebleu.display import formats, markup
from truebleu.display.formats import FORMATS
from truebleu.errors import UnknownNameError
from truebleu.significance import results
from truebleu.significance.notes import named_as_options

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings(
        "ignore:.* (equals? a reference in all|is higher|times as long as):truebleu.SettingsWarning"
    ),
]

NEWSTEST = DATA / "newstest2021" / "en-de"


def close(one, other):
    """Compare plain values; numbers may differ by rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    return one == other or one == pytest.approx(other, rel=1e-12, abs=1e-12)


class TestComparison:
    """What ``compare`` returns."""

    SYSTEMS, REFERENCES = corpus(5, 120, ("first", "second", "third", "fourth"))

    @pytest.mark.parametrize("metrics", ["bleu", ["chrf", "ter"]])
    def test_the_result_depends_on_nothing_else(self, metrics):
        """Neither threads nor the order of systems nor pieces change it; the seed does."""

        def found(systems=self.SYSTEMS, **how):
            made = compare(systems, self.REFERENCES, metrics=metrics, n_resamples=200, **how)
            return made if metrics == "bleu" else made["TER"]

        one = found(threads=1)
        assert found(threads=5) == one
        other = found(dict(reversed(self.SYSTEMS.items())))
        assert close(other.pair("first", "third").to_dict(), one.pair("first", "third").to_dict())
        assert dict(other.systems) == dict(one.systems)
        reseeded = found(seed=0)
        assert reseeded.pair("first", "second").interval != one.pair("first", "second").interval
        assert found(seed=0) == reseeded

    def test_a_new_seed(self):
        """None is a new seed each time, and the signature names it."""
        found = [
            compare(self.SYSTEMS, self.REFERENCES, n_resamples=39, seed=None) for _ in range(2)
        ]
        assert found[0].signature != found[1].signature
        seed = int(found[0].signature.split("|seed:")[1].split("|")[0])
        assert compare(self.SYSTEMS, self.REFERENCES, n_resamples=39, seed=seed) == found[0]

    def test_pairs(self):
        """All pairs, in both directions; a baseline leaves the others out, here and in a report."""
        found = compare(self.SYSTEMS, self.REFERENCES, n_resamples=100)
        names = list(self.SYSTEMS)
        assert [(pair.one, pair.other) for pair in found.pairs] == list(combinations(names, 2))
        pair, turned = found.pair("first", "third"), found.pair("third", "first")
        assert turned.delta == -pair.delta
        assert (turned.interval.low, turned.interval.high) == (
            -pair.interval.high,
            -pair.interval.low,
        )
        assert turned.p_value == pair.p_value
        how = {"baseline": "second", "n_resamples": 100, "metrics": ["bleu", "ter"]}
        found = compare(self.SYSTEMS, self.REFERENCES, **how)
        made = report(self.SYSTEMS, self.REFERENCES, **how)
        for name, each in found.items():
            assert [(pair.one, pair.other) for pair in each.pairs] == [
                (name, "second") for name in names if name != "second"
            ]
            assert made[name].comparison.pairs == each.pairs
            assert made[name].comparison.signature == each.signature
            assert each.n_tests == 6
            assert each.clusters is None
            assert each.pair("second", "first").delta == -each.pair("first", "second").delta
            with pytest.raises(UnknownNameError, match="first and third were not tested"):
                each.pair("first", "third")
        whole = compare(self.SYSTEMS, self.REFERENCES, n_resamples=100)
        assert report(self.SYSTEMS, self.REFERENCES, n_resamples=100).comparison == whole

    def test_clusters(self):
        """A line needs all pairs across to be significant, and is drawn wherever they are."""
        found = compare(self.SYSTEMS, self.REFERENCES)
        groups = found.clusters
        assert [name for group in groups for name in group] == [
            system.name for system in found.ranked()
        ]
        for above, below in combinations(range(len(groups)), 2):
            for one, other in product(groups[above], groups[below]):
                assert found.pair(one, other).significant
        twins = {"a": self.SYSTEMS["first"], "b": self.SYSTEMS["first"], "c": ["x"] * 120}
        assert compare(twins, self.REFERENCES).clusters == (("a", "b"), ("c",))

    def test_statistics_instead_of_text(self):
        """Rows that have been counted are as good as text."""
        bleu = Bleu(tokenizer="char", max_order=2)
        counted = {name: bleu.stats(own, self.REFERENCES) for name, own in self.SYSTEMS.items()}
        how = {"metrics": bleu, "n_resamples": 50}
        assert compare(counted, **how) == compare(self.SYSTEMS, self.REFERENCES, **how)
        with pytest.raises(StatsMismatchError):
            compare(counted)

    def test_signature(self):
        """It says what the numbers depend on, and still makes a Bleu."""
        how = {"n_resamples": 60, "metrics": Bleu(max_order=2), "margin": 2, "seed": 1}
        found = compare(self.SYSTEMS, self.REFERENCES, alpha=0.1, units=4, **how)
        assert "|ar:10000|alpha:0.1|margin:2|bs:60|units:blocks-4|seed:1|vers" in found.signature
        two = {name: self.SYSTEMS[name] for name in ("first", "fourth")}
        one = {"x": (two["first"], self.REFERENCES), "y": (two["fourth"], self.REFERENCES)}
        runs = {name: [texts, self.SYSTEMS["second"]] for name, texts in two.items()}
        signed = {
            "|alpha:0.05|bs:10000|seed:12345|": compare(self.SYSTEMS, self.REFERENCES).signature,
            "|exact:1|alpha:0.05|bs:": compare(
                {"a": self.REFERENCES, "b": [*self.REFERENCES[:-1], "x"]}, self.REFERENCES
            ).signature,
            "|runs:2,2|": compare_runs(runs, self.REFERENCES, n_resamples=50).signature,
            "|sets:2|": compare_sets(
                dict.fromkeys("xy", (two, self.REFERENCES)), n_resamples=50
            ).average.signature,
            "|corpora:2|alpha:0.05|": compare_unpaired(one).signature,
        }
        for part, signature in signed.items():
            assert part in signature
            with pytest.warns(SettingsWarning, match="describes an interval or a significance"):
                assert Bleu.from_signature(signature) == Bleu(effective_order=False)
        with pytest.warns(SettingsWarning, match="describes an interval or a significance test"):
            bleu = Bleu.from_signature(found.signature)
        assert bleu == Bleu(max_order=2, effective_order=False)

    @pytest.mark.parametrize("differing", [(5, 5), (7, 40), (40, 40)])
    def test_exact_tests_are_called_exact(self, differing):
        """In the signature and the text; approximate randomization is what drew swaps."""
        references = ["a b c d e"] * 40
        systems = {"best": references}
        for number, count in enumerate(differing):
            worse = set(Random(1).sample(range(40), count))
            systems[f"s{number}"] = ["a b c d " + "ex"[index in worse] for index in range(40)]
        how = {"baseline": "best", "n_resamples": None, "alpha": 0.1}
        found = compare(systems, references, **how)
        exact = sum(count <= 20 for count in differing)
        assert sum(pair.exact for pair in found.pairs) == exact
        for text in str(found), found.to_markdown(), markup.latex(found.blocks()):
            assert ("approximate randomization" in text) == (exact < 2)
            assert ("exact paired" in text or "exact for" in text) == (exact > 0)
        assert ("|ar:10000|" in found.signature) == (exact < 2)
        assert (f"|exact:{exact}|" in found.signature) == (exact > 0)
        assert not any(pair.at_floor for pair in found.pairs if pair.exact)
        assert (
            found.test_description
            == {
                0: "paired approximate randomization",
                1: "paired approximate randomization, exact for 1 of 2 pairs",
                2: "exact paired randomization",
            }[exact]
        )

    def test_numbers_of_numpy(self):
        """They are as good as Python's, and give the same signature."""
        how = {"n_resamples": 50, "seed": 7, "alpha": 0.1, "units": 3, "margin": 1.5}
        kinds = {"n_resamples": np.uint8, "seed": np.uint64, "units": np.int64}
        given_ = {name: kinds.get(name, np.float64)(value) for name, value in how.items()}
        assert compare(self.SYSTEMS, self.REFERENCES, **given_) == compare(
            self.SYSTEMS, self.REFERENCES, **how
        )

    @pytest.mark.parametrize(
        ("unknown", "message"),
        [
            ("n_trials", "'n_trials' is no parameter of {}; its parameters are "),
            ("unit", "'unit' is no parameter of .*; did you mean units"),
            ("lowercase", r"'lowercase' is a setting of BLEU.* as in metrics=Bleu\(lowercase="),
            ("tokenize", r"'tokenize' is a setting of BLEU.* as in metrics=Bleu\(tokenizer="),
            ("normalized", r"'normalized' is a setting of TER.* as in metrics=Ter\(normalized="),
            ("confidence", "'confidence' is no parameter .*; write alpha=0.05 for a confidence"),
        ],
    )
    @pytest.mark.parametrize(
        "function",
        [compare, confidence_interval, compare_runs, compare_sets, compare_unpaired, report],
    )
    def test_unknown(self, function, unknown, message):
        """What is no parameter is refused before anything is read, with those that there are."""
        with pytest.raises(SettingsError, match=message.format(function.__name__)):
            function(None, **{unknown: 1})

    def test_every_format_marks_floors(self):
        """Formats for people have a mark and what it means, those for programs a field."""
        systems = {"good": self.REFERENCES, "bad": self.SYSTEMS["fourth"]}
        found = compare(systems, self.REFERENCES)
        assert "  <0.0001†" in str(found) or "  0.0001†" in str(found)
        assert r"\textdagger{}" in markup.latex(found.blocks())
        for text in str(found), found.to_markdown(), found.to_html(), str(found.paper()):
            assert text.count("†: the smallest p that this number of trials can give") == 1
            assert text.count("†") > 1 or text == str(found.paper())
        header, row = [
            line.split("\t")
            for line in formats.tsv(found.blocks(plain=True)).splitlines()
            if line.startswith(("pair", "good - bad"))
        ]
        cells = dict(zip(header, row, strict=True))
        assert float(cells["p"]) == float(cells["p adjusted"]) == 1 / 10_001
        assert cells["p at floor"] == cells["p adjusted at floor"] == "yes"
        [pair] = found.to_dict()["pairs"]
        assert (pair["p_value"], pair["at_floor"]) == (1 / 10_001, True)
        assert (pair["p_adjusted"], pair["adjusted_at_floor"]) == (1 / 10_001, True)


def drawn_pairs(data, count):
    """Draw a table of p-values of all pairs of systems, which are ranked as they are numbered."""
    names = [f"s{number}" for number in range(count)]
    # Some tables are significant nearly everywhere, some nowhere.
    share = data.draw(st.sampled_from([1, 2, 5, 20]))
    pairs = []
    for one, other in combinations(names, 2):
        p_value = 0.01 if data.draw(st.integers(0, share)) else 0.5
        flipped = data.draw(st.booleans())
        pair = compare(*ONE_PAIR, n_resamples=None).pairs[0]
        pairs.append(
            pair.replace(
                one=other if flipped else one,
                other=one if flipped else other,
                p_value=p_value,
                p_adjusted=p_value,
                significant=p_value < 0.05,
            )
        )
    return names, tuple(pairs)


ONE_PAIR = ({"a": ["a b c d"] * 2, "b": ["a b c d"] * 2}, ["a b c d"] * 2)


def assert_lines_are_right(names, groups, significant):
    """There is a line if, and only if, all above it are significantly better than all below it."""
    assert [name for group in groups for name in group] == names
    ends = set(accumulate(map(len, groups)))
    for place in range(1, len(names)):
        across = all(significant(one, other) for one in names[:place] for other in names[place:])
        assert (place in ends) == across


class TestClusters:
    """What is said of lines between systems is true."""

    @examples(deadline=None, max_examples=60)
    @given(st.data(), st.integers(1, 9))
    def test_drawn_tables(self, data, count):
        """Whatever the p-values, lines are where they are said to be, and nowhere else."""
        names, pairs = drawn_pairs(data, count)
        adjusted = {frozenset((pair.one, pair.other)): pair.p_adjusted for pair in pairs}
        groups = results.clusters_of(
            names, [(pair.one, pair.other) for pair in pairs if not pair.significant]
        )
        assert_lines_are_right(
            names, groups, lambda one, other: adjusted[frozenset((one, other))] < 0.05
        )

    def test_differences_inside(self):
        """They are mentioned where there are some."""
        for seed, groups, more in ((8, [1, 3], True), (3, [1, 2, 1], False)):
            systems, references = corpus(seed, 200, "abc", noise=0.2)
            systems["best"] = references
            found = compare(systems, references, n_resamples=None)
            assert [len(group) for group in found.clusters] == groups
            said = "below it; some systems of one cluster also differ significantly"
            assert (said in str(found)) == more
            assert ("below it\n" in str(found)) != more

    @pytest.mark.skipif(not NEWSTEST.exists(), reason="the test sets are not at hand")
    def test_real_systems(self):
        """Twenty systems: lines are right, and systems of one cluster do differ."""
        bleu = Bleu()
        references = (NEWSTEST / "ref.refA.txt").read_text("utf-8").splitlines()
        counted = {
            path.name[4:-4]: bleu.stats(path.read_text("utf-8").splitlines(), references)
            for path in sorted(NEWSTEST.glob("sys.*.txt"))
        }
        found = compare(counted, n_resamples=None)
        assert (len(counted), max(pair.n_trials for pair in found.pairs)) == (20, 76_000)
        names = [system.name for system in found.ranked()]

        def significant(one, other):
            pair = found.pair(one, other)
            return pair.p_adjusted < 0.05 and pair.delta > 0

        assert_lines_are_right(names, found.clusters, significant)
        inside = [
            pair
            for group in found.clusters
            for pair in combinations(group, 2)
            if significant(*pair)
        ]
        # Which is why they are not called alike.
        assert len(inside) > 50


class TestCommand:
    """``truebleu compare`` and ``truebleu score --confidence``."""

    SYSTEMS, REFERENCES = corpus(5, 60, ("one", "two_2", "three"))

    @pytest.fixture
    def run(self, capsys, tmp_path, monkeypatch):
        """Run a command where there are files."""
        monkeypatch.chdir(tmp_path)
        for name, lines in {**self.SYSTEMS, "ref": self.REFERENCES}.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        (tmp_path / "docs").write_text("".join(f"{index // 4}\n" for index in range(60)))

        def call(*arguments):
            code = main([*map(str, arguments)])
            done = capsys.readouterr()
            return code, done.out, done.err

        return call

    @looped("more", [[], ["-m", "bleu", "ter"]])
    @looped("alpha", ["0.05", "0.4"])
    @looped("name", FORMATS)
    def test_every_format_says_alpha(self, run, name, alpha, more):
        """Wherever something is called significant, it is said at which level."""
        out = run("compare", *self.SYSTEMS, "-r", "ref", "-f", name, "--alpha", alpha, *more)[1]
        if FORMATS[name].of_values:
            assert f'"alpha": {alpha}' in out
            return
        assert f"|alpha:{alpha}" in out.replace(markup.latex_text("|"), "|")
        if FORMATS[name].plain:
            return
        assert f"a difference is significant if its adjusted p is below alpha = {alpha}" in out
        text = html.unescape(out).replace("\\", "").replace("textless{}", "<").replace("$<$", "<")
        for line in text.splitlines():
            if "significantly better" in line and "each system is" not in line:
                assert f"adjusted p < {alpha}" in line

    def test_options(self, run):
        """Every option reaches the library."""
        options = "--units docs --alpha 0.1 --margin 2"
        options += " --baseline one --tokenizer char"
        out = run("compare", *self.SYSTEMS, "-r", "ref", "--format", "json", *options.split())[1]
        found = compare(
            self.SYSTEMS,
            self.REFERENCES,
            metrics=Bleu(tokenizer="char"),
            units=[index // 4 for index in range(60)],
            margin=2,
            alpha=0.1,
            baseline="one",
        )
        assert json.loads(out) == json.loads(json.dumps(found.to_dict()))

    @pytest.mark.parametrize(
        ("word", "units"),
        [
            ("auto", "auto"),
            ("segments", "segments"),
            ("5", 5),
            ("docs", [index // 4 for index in range(60)]),
            ("./5", [index // 4 for index in range(60)]),
            ("./auto", [index // 4 for index in range(60)]),
        ],
    )
    def test_units(self, run, tmp_path, word, units):
        """A word, a length of blocks, or a file, whose name begins with a dot if it is a word."""
        for name in ("5", "auto"):
            (tmp_path / name).write_text((tmp_path / "docs").read_text())
        how = ("compare", *self.SYSTEMS, "-r", "ref", "-f", "json")
        with named_as_options():
            found = compare(self.SYSTEMS, self.REFERENCES, units=units)
        code, out, err = run(*how, "--units", word)
        assert (code, json.loads(out)) == (0, json.loads(json.dumps(found.to_dict()))), err
        for wrong in ("0", "missing", "-1"):
            assert run(*how, "--units", wrong)[0] in {1, 2}

    def test_formats(self, run):
        """Tables of several kinds; names are only text."""
        found = compare(self.SYSTEMS, self.REFERENCES)
        arguments = ("compare", *self.SYSTEMS, "-r", "ref")
        for form, text in (("markdown", found.to_markdown()), ("html", found.to_html() + "\n")):
            # Notes name options, not parameters.
            expected = re.sub(r"units=\\?\[...\\?\]", "--units FILE", text)
            assert run(*arguments, "--format", form)[1] == expected != text
        tsv = run(*arguments, "--format", "tsv")[1].splitlines()
        ranks = ["best rank", "worst rank"]
        assert tsv[0].split("\t") == ["system", *ranks, "BLEU", "95% CI", "cluster", "signature"]
        assert tsv[4] == ""
        assert tsv[5].split("\t")[0] == "pair"
        latex = found.to_latex(label="tab:compare")
        assert latex.count(r"\toprule") == latex.count(r"\end{table") == 2
        assert re.findall(r"\\label{(.*?)}", latex) == ["tab:compare", "tab:compare-2"]
        assert latex.count(r"\midrule") == 2 + len(found.clusters) - 1
        assert "---" not in re.sub(r"(?m)^\|[-:|]+\|$", "", found.to_markdown())
        assert str(found).count("  ---") == found.to_html().count("<hr>") == len(found.clusters) - 1
        assert r"two\_2" in latex
        assert r"seed:12345\textbar" in latex

    def test_confidence(self, run):
        """``score`` shows an interval for each system."""
        interval = confidence_interval(self.SYSTEMS["one"], self.REFERENCES)
        out = run("score", *self.SYSTEMS, "-r", "ref", "--confidence")[1].splitlines()
        assert str(interval) in out[1]
        assert out[0].split("  ")[0] == "system"
        assert "|alpha:0.05|bs:10000|seed:12345|" in "".join(out)
        for form in ("markdown", "latex"):
            out = run("score", "one", "-r", "ref", "--confidence", "--format", form)[1]
            assert str(interval) in out.replace("\\", "")
        out = run(
            "score",
            "one",
            "-r",
            "ref",
            "--confidence",
            "50%",
            "--format",
            "json",
        )[1]
        half = confidence_interval(self.SYSTEMS["one"], self.REFERENCES, alpha=0.5).to_dict()
        half["notes"] = [half["notes"][0].replace("units=[...]", "--units FILE")]
        assert json.loads(out)[0]["interval"] == half
