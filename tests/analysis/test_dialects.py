"""Every dialect gives its tool's number; audits and searches explain them."""

import copy
import json
import math
import pickle
import re
from collections import Counter

import pytest
import strategies
import truebleu
from golden import make_dialects
from hypothesis import example as such_as
from hypothesis import given, settings
from looping import looped
from project import EXAMPLES, ROOT, example, golden_rows
from truebleu import (
    Bleu,
    SettingsError,
    assert_comparable,
    audit,
    corpus_bleu,
    corpus_chrf,
)
from truebleu.analysis.dialects.bleu import BleuCorpus, is_bleu
from truebleu.analysis.dialects.corpus import AUDITED
from truebleu.cli import main
from truebleu.metrics.bleu.dialects import CALLS, DIALECTS
from truebleu.metrics.chrf.dialects import DEFAULTS
from truebleu.metrics.chrf.dialects import DIALECTS as CHRF_DIALECTS

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

# Written down in 32-bit floats, or with two decimals.
LIMITED = {"torchmetrics": 2e-6, "keras": 2e-6, "tensor2tensor": 1e-6}
PRINTED = {"moses": 0.005, "llama-factory": 5e-5, "pycocoevalcap": 2e-8}
# Definitions and habits: no tool is behind them.
NO_TOOL = {"papineni", "skip-zero", "sacrebleu"}
REGISTRIES = {"bleu": {**DIALECTS, **CALLS}, "chrf": CHRF_DIALECTS}
# `make peers` asks those that are too large.
INSTALLED = ("nltk", "compare-mt")


GOLDENS = golden_rows("dialects.tsv")
CORPORA = {name: (own, others) for name, own, others in make_dialects.corpora(several=True)}


def agrees(dialect, number, due):
    """Whether a number is the tool's, as far as the tool writes it down."""
    if dialect in PRINTED:
        return abs(number - due) <= PRINTED[dialect] + 1e-9
    # NLTK's 1e-78 is a zero that was spread.
    return math.isclose(number, due, rel_tol=LIMITED.get(dialect, 1e-12), abs_tol=1e-60)


def of_a_tutorial(candidate, references):
    """Score a sentence of tokens as tutorials do, after the first version of NLTK's code."""

    def precision(n):
        counts, most = ngrams(candidate, n), Counter()
        for reference in references:
            most |= ngrams(reference, n)
        return (counts & most).total() / counts.total() if counts else 0

    length = len(candidate)
    best = min((abs(len(each) - length), len(each)) for each in references)[1]
    penalty = 1 if length > best else math.exp(1 - best / length)
    logs = (0.25 * math.log(p) for p in map(precision, (1, 2, 3, 4)) if p)
    return penalty * math.exp(math.fsum(logs))


def ngrams(tokens, n):
    """Count the n-grams of one order."""
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


class TestNumbers:
    """A dialect's number is the tool's."""

    @pytest.mark.parametrize("name", REGISTRIES["bleu"])
    def test_what_the_tool_said(self, name):
        """On the examples and on small corpora with short segments, ties and misses."""
        rows = [row for row in GOLDENS if row["dialect"] == name]
        assert len(rows) >= 8 or name in NO_TOOL
        dialect = REGISTRIES["bleu"][name]
        for row in rows:
            corpus = BleuCorpus(*CORPORA[row["corpus"]])
            score = corpus.value(corpus.filled(dialect.settings))
            assert agrees(name, dialect.number(score), json.loads(row["number"])), row
            if name in DIALECTS:
                same = Bleu.dialect(name).corpus(*CORPORA[row["corpus"]]).score
                assert score == pytest.approx(same, rel=1e-14)

    @pytest.mark.parametrize("name", INSTALLED)
    def test_the_tool_itself(self, name):
        """The same on drawn corpora."""
        tool, several = make_dialects.TOOLS[name]

        @settings(deadline=None, max_examples=100)
        @given(strategies.corpora(strategies.soup.filter(bool), max_references=3))
        def check(corpus):
            hypotheses, references = corpus
            if not several:
                references = [own[:1] for own in references]
            number = DIALECTS[name].number(Bleu.dialect(name).corpus(hypotheses, references).score)
            assert agrees(name, number, tool(hypotheses, references))

        check()

    def test_no_tool_is_left_over(self):
        """What was recorded belongs to a dialect, and every dialect with a tool was recorded."""
        assert {row["dialect"] for row in GOLDENS} == set(REGISTRIES["bleu"]) - NO_TOOL

    @settings(deadline=None, max_examples=200)
    @given(strategies.corpora(strategies.soup.filter(bool), max_size=1, max_references=3))
    @such_as((["x y z w v"], [[" ".join("abcdefghijklmnop")]]))
    @such_as(([" ".join("abcdefghijklmnop")], [["q r s"]]))
    def test_skip_zero_is_what_the_tutorials_run(self, corpus):
        """Their sum of logarithms leaves out orders of precision 0, all of them if need be."""
        (hypothesis,), (references,) = corpus
        score = Bleu.dialect("skip-zero").segment(hypothesis, references)
        expected = of_a_tutorial(hypothesis.split(), [text.split() for text in references])
        assert DIALECTS["skip-zero"].number(score.score) == pytest.approx(expected, rel=1e-13)
        assert score.reason is None

    @pytest.mark.parametrize("name", DIALECTS)
    def test_nothing_is_worth_nothing(self, name):
        """An empty text scores 0, whatever it is compared with."""
        for reference in ("", "a b"):
            assert Bleu.dialect(name).corpus([""], [reference]).score == 0

    @pytest.mark.parametrize("metric", REGISTRIES)
    def test_facts(self, metric):
        """A dialect says what it is, and changes only what differs; it is pickled by name."""
        defaults = {"bleu": BleuCorpus.defaults, "chrf": DEFAULTS}[metric]
        page = (ROOT / "docs" / "dialects.md").read_text("utf-8")
        for name, dialect in REGISTRIES[metric].items():
            assert (dialect.name, dialect.metric) == (name, metric)
            assert dialect.scale in (1, 100)
            assert all(text.endswith(".") for text in (dialect.about, *dialect.defects))
            assert all(defaults[key] != value for key, value in dialect.settings.items())
            assert f"| `{name}` |" in page
            if metric == "chrf" or name in DIALECTS:
                assert pickle.loads(pickle.dumps(dialect)) is copy.deepcopy(dialect) is dialect
        assert ({**DIALECTS, **CHRF_DIALECTS}) == truebleu.DIALECTS
        assert len(truebleu.DIALECTS) == len(DIALECTS) + len(CHRF_DIALECTS)
        for name in DIALECTS:
            assert Bleu.from_signature(Bleu.dialect(name).signature) == Bleu.dialect(name)


class TestAudit:
    """What every tool says of one text, and why."""

    def test_every_dialect_has_a_row(self):
        """Rows are sorted; each number is the dialect's own."""
        corpus = example("medium", "a", "b")
        found = audit(*corpus)
        assert {row.dialect.name for row in found.rows} == set(REGISTRIES["bleu"])
        scores = [row.value for row in found.rows]
        assert scores == sorted(scores, reverse=True)
        for row in found.rows:
            if row.dialect.name in CALLS:
                assert row.score is None
                continue
            score = Bleu.dialect(row.dialect.name).corpus(*corpus)
            assert row.score == score
            assert row.number == row.dialect.number(score.score)

    def test_parts_taken_alone(self):
        """Each part is what changing that one setting of the default does."""
        corpus = example("weak", "a", "b")
        default = corpus_bleu(*corpus).score
        for row in audit(*corpus).rows:
            if row.score is None:
                continue
            assert {part.name for part in row.parts} == set(row.dialect.settings) - {
                "effective_order"
            }
            for part in row.parts:
                setting = {part.name: row.dialect.settings[part.name]}
                assert part.share == corpus_bleu(*corpus, **setting).score - default

    @pytest.mark.parametrize("metric", REGISTRIES)
    @looped("system", ["strong", "weak"])
    @looped("references", ["a", "ab"])
    def test_differences_add_up(self, metric, system, references):
        """The parts of any difference sum to it, also as they are printed, and give reasons."""
        found = audit(*example(system, *references), metric=metric)
        for one in REGISTRIES[metric]:
            for other in REGISTRIES[metric]:
                difference = found.difference(one, other)
                total = math.fsum(part.share for part in difference.parts)
                assert total == pytest.approx(difference.delta, abs=1e-9)
                assert all(part.why.endswith(".") for part in difference.parts)
                printed = [
                    float(line.split(": ")[1].split(". ")[0].rstrip("."))
                    for line in difference.sentences()[1:]
                    if difference.parts
                ]
                gap = round(found[one].value, 2) - round(found[other].value, 2)
                assert sum(printed) == pytest.approx(gap if printed else 0, abs=1e-9)

    def test_a_difference_of_one_setting_is_that_setting(self):
        """If only the tokenizer differs, it is all of the difference."""
        difference = audit(*example("medium", "a")).difference("papineni", "moses")
        assert [part.name for part in difference.parts] == ["tokenizer"]

    def test_phantoms(self):
        """The textbook case: a perfect corpus with a short line."""
        texts = ["a b c d e", "hi"]
        found = audit(texts, texts)
        assert found["sacrebleu"].number == 100
        assert found["nltk"].number == pytest.approx(0.795, abs=5e-4)
        said = found.difference("nltk", "sacrebleu").sentences()
        assert said[0].startswith("nltk gives 0.795")
        assert any("phantom_ngrams yes" in line and "some order: 1." in line for line in said)

    @pytest.mark.parametrize("metric", REGISTRIES)
    def test_in_the_command(self, metric, capsys):
        """A table, reasons, and both as JSON, as the library has them."""
        arguments = ["audit", str(EXAMPLES / "system-medium.en"), "-m", metric, "-r"]
        arguments += [str(EXAMPLES / f"reference-{name}.en") for name in "ab"]
        found = audit(*example("medium", "a", "b"), metric=metric)
        assert len(found.rows) == len(REGISTRIES[metric])
        pair = [f"{name}{'-chrf' * (metric == 'chrf')}" for name in ("nltk", "sacrebleu")]
        difference = found.difference(*pair)
        for more, result in (([], found), (["--explain", *pair], difference)):
            assert main([*arguments, *more]) == 0
            assert capsys.readouterr().out == f"{result}\n"
            assert main([*arguments, *more, "--format", "json"]) == 0
            expected = json.loads(json.dumps(result.to_dict()))
            assert json.loads(capsys.readouterr().out) == expected


class TestScoreDialect:
    """``truebleu score --dialect``."""

    def test_the_number_of_the_tool(self, capsys):
        """It is printed on the tool's scale, alone or below the table."""
        arguments = ["score", str(EXAMPLES / "system-medium.en"), "-r"]
        arguments += [str(EXAMPLES / "reference-a.en"), "--dialect", "nltk"]
        score = Bleu.dialect("nltk").corpus(*example("medium", "a"))
        assert main([*arguments, "--score-only"]) == 0
        assert capsys.readouterr().out == f"{score.fraction:.4f}\n"
        assert main(arguments) == 0
        out = capsys.readouterr().out
        assert score.signature in out
        assert out.endswith(f"from 0 to 1: {score.fraction:.4f}\n")

    def test_options_come_on_top(self, capsys):
        """An option overrides the dialect."""
        arguments = ["score", str(EXAMPLES / "system-medium.en"), "-r"]
        arguments += [str(EXAMPLES / "reference-a.en"), "--dialect", "moses"]
        assert main([*arguments, "--tokenizer", "13a", "--score-only", "--width", "9"]) == 0
        due = Bleu(tokenizer="13a", smoothing="none").corpus(*example("medium", "a")).score
        assert capsys.readouterr().out == f"{due:.9f}\n"
        assert main([*arguments[:-1], "foo"]) == 2
        assert "dialect 'foo' is unknown" in capsys.readouterr().err


class TestComparable:
    """Two scores may be compared if they were computed in the same way."""

    def test_the_same(self):
        """Ours and sacreBLEU's, long and short, with versions and resampling left aside."""
        score = Bleu(smoothing="floor").corpus(["a b c d"], ["a b c d"])
        for signature in (
            score.signature,
            Bleu(smoothing="floor").signature,
            "nrefs:1|bs:1000|seed:1|case:mixed|eff:no|tok:13a|smooth:floor[0.10]|version:2.6.0",
            "#:1|c:mixed|e:no|tok:13a|s:floor[0.10]|v:2.4.3",
        ):
            assert_comparable(score, signature)
            assert_comparable(signature, score)

    def test_references_and_versions(self):
        """The number of references counts, and so does Unicode's version, if both are said."""
        one = corpus_bleu(["a b c d"], ["a b c d"])
        two = corpus_bleu(["a b c d"], [["a b c d", "e"]])
        with pytest.raises(SettingsError, match=r"nrefs is 1 in one and 2 in"):
            assert_comparable(one, two)
        with pytest.raises(SettingsError, match=r"unicode is 18.* and 1\.0"):
            assert_comparable(Bleu(tokenizer="intl").signature, "tok:intl|smooth:exp|unicode:1.0")
        assert_comparable("tok:intl|smooth:exp", Bleu(tokenizer="intl").signature)


class TestReproduce:
    """Which settings give a published number."""

    @looped(
        "settings_",
        [
            {},
            {"tokenizer": "intl", "lowercase": True},
            {"max_order": 2, "smoothing": "floor"},
            {"tokenizer": "none", "reference_length": "longest"},
        ],
    )
    def test_a_number_is_found(self, settings_):
        """The settings that made a number are among those that are found."""
        corpus = example("weak", "a", "b")
        score = corpus_bleu(*corpus, **settings_).score
        for target in (f"{score:.2f}", f"{score / 100:.4f}")[: 1 if settings_ else 2]:
            found = audit(*corpus, target=target)
            numbers = [candidate.number for candidate in found.matches]
            assert any(math.isclose(number, float(target), abs_tol=0.0051) for number in numbers)
            assert all(f"{number:.{len(target.split('.')[1])}f}" == target for number in numbers)
            for candidate in found.matches:
                if not is_bleu(candidate.settings):
                    continue  # tests/analysis/test_causes.py has an oracle of each.
                again = [[own[index] for index in candidate.references] for own in corpus[1]]
                same = corpus_bleu(corpus[0], again, **candidate.settings)
                assert same.score * candidate.scale / 100 == pytest.approx(candidate.number)
                for name in candidate.dialects:
                    assert Bleu.dialect(name).corpus(corpus[0], again).score == same.score

    def test_one_reference_of_two(self):
        """A number that was computed against one of the references is found as such."""
        corpus = example("strong", "a", "b")
        score = corpus_bleu(corpus[0], [own[1] for own in corpus[1]]).score
        best = audit(*corpus, target=f"{score:.3f}").matches[0]
        assert (best.references, best.settings, best.dialects) == ((1,), {}, ("sacrebleu",))

    def test_references_that_are_missing_here_and_there(self):
        """A number against as many as there are is found; how much chance explains is said."""
        hypotheses, references = example("strong", "a", "b")
        references = [own[: 1 + index % 2] for index, own in enumerate(references)]
        score = corpus_bleu(hypotheses, references).score
        found = audit(hypotheses, references, target=f"{score:.3f}", tokenizers=["13a"])
        assert found.matches[0].settings == {}
        assert found.sentences()[1].startswith("A random number near it, with as many digits, is ")

    @pytest.mark.parametrize(("target", "chance"), [("84", True), ("77.4", False)])
    def test_no_reason_for_chance(self, target, chance):
        """What may be chance is not said to be wrong."""
        found = audit(["the cat sat on the mat"], ["the cat sat on a mat"], target=target)
        best = found.matches[0]
        assert (best.chance, bool(best.errata)) == (chance, True)
        assert ("Why it is wrong" in str(found)) == (not chance)

    def test_nothing_reaches_it(self):
        """The nearest is named with its settings."""
        corpus = example("strong", "a")
        found = audit(*corpus, target="99.99", tokenizers=["13a"])
        assert found.matches == ()
        nearest = found.nearest[0]
        distances = [abs(candidate.number - 99.99) for candidate in found.nearest]
        assert distances == sorted(distances)
        assert f"none gives 99.99. The nearest comes to {nearest.number:.4f}, " in found.verdict()

    @pytest.mark.parametrize("metric", AUDITED)
    def test_the_nearest_is_on_a_scale_of_the_target(self, metric):
        """No number from 0 to 1 is near a target above 1; below, both scales are searched."""
        how = {"tokenizers": ["13a"] if metric == "bleu" else None, "metric": metric}
        corpus = example("strong", "a")
        both = audit(*corpus, target="1", **how)
        for target in ("0", "0.123", "1.0", "1.01", "99.99"):
            found = audit(*corpus, target=target, **how)
            candidates = (*found.matches, *found.nearest)
            assert {each.scale for each in candidates} >= ({100} if float(target) > 1 else {1})
            assert all(float(target) <= each.scale for each in candidates)
            assert found.tried * (2 if float(target) > 1 else 1) == both.tried

    def test_missing_references(self):
        """Where segments differ in their number of references, all are used."""
        found = audit(["a b c d", "e f g h"], [["a b c d", "x"], "e f g h"], target=100)
        assert found.matches[0].references == ()

    @pytest.mark.parametrize("metric", REGISTRIES)
    def test_in_the_command(self, metric, capsys):
        """What is printed is what the library says: the verdict first, then the settings."""
        paths = [str(EXAMPLES / "system-weak.en"), "-r", str(EXAMPLES / "reference-a.en")]
        arguments = ["audit", *paths, "-m", metric]
        corpus = example("weak", "a")
        score = (
            corpus_chrf(*corpus, beta=1)
            if metric == "chrf"
            else corpus_bleu(*corpus, lowercase=True)
        )
        for target in (f"{score.score:.3f}", "97.77"):
            found = audit(*corpus, target=target, metric=metric)
            assert main([*arguments, "--target", target]) == 0
            assert capsys.readouterr().out == f"{found}\n"
            assert main([*arguments, "--target", target, "--format", "json"]) == 0
            assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.to_dict()))


def mistaken(mistake, hypotheses, references):
    """Compute BLEU from 0 to 1 of words between spaces, with a mistake."""
    length = (lambda words: len(" ".join(words))) if mistake == "characters" else len
    matches, totals, hyp_len, ref_len = [0] * 4, [0] * 4, 0, 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        words, others = hypothesis.split(), [reference.split() for reference in several]
        hyp_len += length(words)
        lengths = [length(other) for other in others]
        if mistake != "order":
            lengths.sort()
        own = length(words)
        ref_len += min(lengths, key=lambda other, own=own: abs(other - own))
        for n in range(1, 5):
            most = Counter()
            for other in others:
                most |= Counter(zip(*(other[start:] for start in range(n)), strict=False))
            counts = Counter(zip(*(words[start:] for start in range(n)), strict=False))
            if mistake == "clipping":
                most = Counter({ngram: counts[ngram] for ngram in most})
            matches[n - 1] += sum((counts & most).values())
            totals[n - 1] += sum(counts.values())
    ratio = hyp_len / ref_len if mistake == "inverted" else ref_len / hyp_len
    penalty = 1.0 if hyp_len >= ref_len else math.exp(1 - ratio)
    precisions = [match / total for match, total in zip(matches, totals, strict=True)]
    if mistake == "arithmetic":
        return penalty * sum(precisions) / 4
    if mistake == "zeros":
        precisions = [precision or 1 for precision in precisions]
    return penalty * math.prod(precisions) ** 0.25


# The mistakes of docs/errata.md, in its order.
MISTAKES = {
    "16 of 18 words": "whitespace",
    "0.5592 instead of 0.5046": "arithmetic",
    "0.9858 for words in random order": "zeros",
    "7 of 7 words match": "clipping",
    "A brevity penalty of 0.1108": "characters",
    "A brevity penalty above 1": "inverted",
    "A penalty that depends on the order": "order",
    "The mean of segment scores": "macro",
}


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_of_tutorials(number):
    """A search finds each, and names the section of the page that is about it."""
    page = (ROOT / "docs" / "errata.md").read_text("utf-8")
    *headings, _, _ = [line[3:] for line in page.splitlines() if line.startswith("## ")]
    assert len(headings) == len(MISTAKES)
    start, mistake = list(MISTAKES.items())[number]
    assert headings[number].startswith(start)
    hypotheses = ["the the old town in the valley has no bridge.", "a new bridge was built there."]
    references = [
        [
            "in the old town in the valley there is no bridge of any kind.",
            "the town has no bridge.",
        ],
        ["a new bridge was built in June, 1901.", "a bridge was there."],
    ]
    if mistake == "zeros":
        hypotheses = ["the old bridge in valley the of town.", "a bridge new was built."]
    right = mistaken(None, hypotheses, references)
    wrong = mistaken(mistake, hypotheses, references)
    if mistake == "macro":
        pairs = zip(hypotheses, references, strict=True)
        wrong = sum(mistaken(None, [text], [several]) for text, several in pairs) / 2
    elif mistake == "whitespace":
        right = corpus_bleu(hypotheses, references).fraction
    assert wrong != pytest.approx(right, abs=0.001)
    search = audit(hypotheses, references, target=f"{wrong:.12f}")
    anchor = re.sub(r"[^\w -]", "", headings[number].lower()).replace(" ", "-")
    assert anchor in search.matches[0].errata
    assert not search.matches[0].chance
