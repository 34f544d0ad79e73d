"""Explanations add up to the scores that they explain."""

import json
import math
from collections import Counter

import pytest
import strategies
from hypothesis import given, settings
from toy_metrics import ExactMatch
from truebleu import (
    Bleu,
    CorpusExplanation,
    EmptyInputError,
    InputTypeError,
    LengthMismatchError,
    SegmentExplanation,
    SettingsError,
    corpus_bleu,
    explain,
    sentence_bleu,
)
from truebleu.cli import main
from truebleu.display import text as shown_text

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

usual = settings(deadline=None, max_examples=60)
CATS = ["the cat is on the mat", "there is a cat on the mat"]


chosen_settings = strategies.bleu_settings(
    smoothings=("none", "floor", "add-k", "exp", "nist", "skip-zero", "method1", "method4")
)


def from_logs(score):
    """Compute a score from its weighted logarithms."""
    return min(100.0, 100 * score.brevity_penalty * math.exp(sum(score.weighted_log_precisions)))


class TestSegments:
    """One segment, from text to number."""

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), chosen_settings)
    def test_the_parts_make_the_score(self, corpus, chosen):
        """N-grams add up to the counts, and logarithms to the score."""
        [hypothesis], [references] = corpus
        found = explain(hypothesis, references, **chosen)
        bleu = Bleu(**{"effective_order": True, **chosen})
        assert found.score == bleu.sentence(hypothesis, references)
        assert len(found.tokens) == found.score.hyp_len
        if not bleu.phantom_ngrams:
            totals = tuple(sum(gram.count for gram in grams) for grams in found.orders)
            assert totals == found.score.totals
        assert tuple(sum(gram.clipped for gram in grams) for grams in found.orders) == (
            found.score.counts
        )
        assert from_logs(found.score) == pytest.approx(found.score.score, rel=1e-9, abs=1e-9)
        for grams, matches in zip(found.orders, found.unmodified, strict=True):
            assert sum(gram.clipped for gram in grams) <= matches
            for gram in grams:
                counts = [
                    sum(
                        reference[start : start + len(gram.tokens)] == gram.tokens
                        for start in range(len(reference))
                    )
                    for reference in found.references
                ]
                assert gram.maximum == max(counts)
                assert gram.clipped == min(gram.count, gram.maximum)
                best = None if gram.reference is None else counts[gram.reference]
                assert best == (gram.maximum or None)
        json.dumps(found.to_dict())
        assert str(found)
        assert found.to_markdown()
        assert found.to_html() == found._repr_html_()

    def test_the_cats_of_the_paper(self):
        """``the`` seven times: two count, because no reference has a third."""
        found = explain(" ".join(["the"] * 7), CATS, tokenizer="none", smoothing="none")
        assert isinstance(found, SegmentExplanation)
        [the] = found.orders[0]
        assert (the.count, the.maximum, the.clipped, the.reference) == (7, 2, 2, 0)
        assert (found.unmodified[0], found.reference_lengths) == (7, (6, 7))
        bigrams = explain("the cat the cat on the mat", CATS, tokenizer="none").orders[1]
        assert {" ".join(gram.tokens): gram.clipped for gram in bigrams} == {
            "the cat": 1,
            "cat the": 0,
            "cat on": 1,
            "on the": 1,
            "the mat": 1,
        }
        assert [gram.reference for gram in bigrams] == [0, None, 1, 0, 0]

    def test_the_default_is_that_of_sentence_bleu(self):
        """A short segment has a score, and smoothing is shown where it did something."""
        found = explain("the cat", CATS)
        assert found.score == sentence_bleu("the cat", CATS)
        found = explain("the dog sat on a log", CATS)
        assert found.score == sentence_bleu("the dog sat on a log", CATS)
        assert "after smoothing exp: " in str(found)

    def test_ready_tokens(self):
        """A list of tokens is one segment, its references are one list or several."""
        for own, other in ((["the", "cat"], ["a", "cat"]), ([1, 2], [3, 2])):
            found = explain(own, other, tokenizer="pretokenized")
            assert isinstance(found, SegmentExplanation)
            assert found.score == sentence_bleu(own, other, tokenizer="pretokenized")
            assert (found.tokens, found.references) == (tuple(own), (tuple(other),))
            found = explain(own, [other, own], tokenizer="pretokenized")
            assert [gram.reference for gram in found.orders[0]] == [1, 0]
            [cost] = explain([own], [other], tokenizer="pretokenized", max_order=1).ngrams
            assert (cost.name, cost.missed) == (str(own[0]), 1)

    def test_a_bleu(self):
        """A Bleu is taken where its settings are, and no other metric."""
        bleu = Bleu(max_order=2, lowercase=True)
        found = explain("The cat", CATS, metric=bleu, threads=1)
        assert found.score == bleu.sentence("The cat", CATS)
        assert found.to_dict() == explain("The cat", CATS, max_order=2, lowercase=True).to_dict()
        assert explain("the cat", CATS, metric="bleu").score == sentence_bleu("the cat", CATS)
        words = Bleu(tokenizer="pretokenized")
        assert isinstance(explain(["a"], ["a"], metric=words), SegmentExplanation)
        for call, error, message in (
            (
                lambda: explain("a", "a", metric=ExactMatch()),
                SettingsError,
                "Exact match cannot be explained",
            ),
            (
                lambda: explain("a", "a", metric=bleu, max_order=3),
                SettingsError,
                "metric cannot be combined with max_order",
            ),
            (lambda: explain("a", "a", threads=0), SettingsError, "threads is 0"),
            (
                lambda: explain("a", reference_streams=[["a"]]),
                InputTypeError,
                "give one segment references",
            ),
        ):
            with pytest.raises(error, match=message):
                call()

    def test_one_reference_and_missing_ones(self):
        """A str is one reference; None is none."""
        assert explain("a b", "a b").references == (("a", "b"),)
        assert explain("a b", [None, "a b"]).references == (("a", "b"),)
        assert explain("a b", iter(["a b", "a"])).references == (("a", "b"), ("a",))
        with pytest.raises(EmptyInputError):
            explain("a b", [None])
        with pytest.raises(InputTypeError):
            explain("a b", 3)


class TestCorpora:
    """A corpus: what it costs, and whom."""

    @usual
    @given(strategies.corpora(max_size=5), chosen_settings)
    def test_costs_add_up(self, corpus, chosen):
        """The points of the orders and of the penalty are 100 minus the score."""
        found = explain(*corpus, **chosen)
        assert isinstance(found, CorpusExplanation)
        assert found.score == corpus_bleu(*corpus, **chosen)
        points = math.fsum(cost.points for cost in found.costs)
        assert points == pytest.approx(100 - found.score.score, abs=1e-9) or not points
        assert from_logs(found.score) == pytest.approx(found.score.score, rel=1e-9, abs=1e-9)
        json.dumps(found.to_dict())
        assert str(found)

    @usual
    @given(strategies.corpora(min_size=2, max_size=6), chosen_settings)
    def test_influence_is_exact(self, corpus, chosen):
        """It is the score of all other segments minus that of all."""
        hypotheses, references = corpus
        found = explain(hypotheses, references, **chosen)
        for index, points in enumerate(found.influence):
            rest = [
                [item for number, item in enumerate(items) if number != index]
                for items in (hypotheses, references)
            ]
            assert points == corpus_bleu(*rest, **chosen).score - found.score.score

    def test_what_misses_cost(self):
        """An n-gram costs what the score would gain if all its misses had matched."""
        hypotheses = ["the cat sat on the mat now", "a dog lay on the mat today"]
        references = ["the cat is on the mat now", "a dog lay on a mat today"]
        found = explain(hypotheses, references, tokenizer="none")
        missed = Counter({cost.name: cost.missed for cost in found.ngrams})
        assert missed["sat"] == missed["the"] == missed["on the mat today"] == 1
        assert "cat" not in missed
        points = [cost.points for cost in found.ngrams]
        assert points == sorted(points, reverse=True)
        stats = Bleu(tokenizer="none").stats(hypotheses, references)
        row = stats.to_numpy().sum(axis=0)
        row[2] += 1
        better = type(stats).from_numpy(row[None], stats)
        gain = Bleu(tokenizer="none").score(better).score - found.score.score
        assert next(cost.points for cost in found.ngrams if cost.name == "sat") == gain

    def test_streams_and_tokens(self):
        """Layouts and tokens are those of ``corpus_bleu``."""
        tokens = [[1, 2, 3, 4], [5, 6]]
        found = explain(tokens, [[each] for each in tokens], tokenizer="pretokenized")
        assert found.score.score == 100
        assert found.ngrams == ()
        found = explain(CATS, reference_streams=[CATS, CATS])
        assert found.score.score == 100
        # References that can be read only once are counted and shown alike.
        found = explain(CATS, [iter([text]) for text in CATS], threads=2)
        assert (found.score.score, found.ngrams) == (100, ())
        found = explain(tokens, reference_streams=[tokens], metric=Bleu(tokenizer="pretokenized"))
        assert found.score.score == 100
        with pytest.raises(LengthMismatchError):
            explain(CATS, CATS[:1])


class TestFormats:
    """Text is data: whatever is in it shows as itself."""

    EVIL = "<script>alert(1)</script> | *x* `y` \x1b[31m \u202e &amp; [a](b)"

    def test_html(self):
        """No markup comes through, nor a control character."""
        page = explain(self.EVIL, self.EVIL, tokenizer="none").to_html()
        assert "<script" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "\x1b" not in page
        assert "\u202e" not in page

    def test_text_and_markdown(self):
        """A terminal gets no escape sequence from the text; a table keeps its columns."""
        found = explain(self.EVIL, self.EVIL, tokenizer="none")
        assert "\x1b" not in str(found)
        assert "\\u202e" in str(found)
        rows = [line for line in found.to_markdown().splitlines() if line.startswith("| ")]
        assert {line.replace("\\|", "").count("|") for line in rows} == {5, 7}

    def test_wide_letters(self):
        """A letter of two columns pushes nothing out of line."""
        lines = str(explain("猫 a", "猫 e\u0301", tokenizer="none")).splitlines()
        header = next(index for index, line in enumerate(lines) if "n-gram" in line)
        widths = [
            sum(2 if letter == "猫" else 1 for letter in line[: line.index("1")])
            for line in lines[header + 1 : header + 3]
        ]
        assert len(set(widths)) == 1

    def test_colour(self):
        """Colour says no more than the words do."""
        found = explain("the cat the", CATS, tokenizer="none")
        painted = shown_text.colored(found.blocks())
        assert "\x1b[32m" in painted
        assert "\x1b[31m" in painted
        plain = painted
        for code in ("1", "31", "32", "33", "0"):
            plain = plain.replace(f"\x1b[{code}m", "")
        assert plain == str(found) + "\n"


class TestCommand:
    """``truebleu explain``."""

    def run(self, capsys, tmp_path, *options):
        """Explain two lines."""
        (tmp_path / "sys").write_text("the cat the cat\na dog\n")
        (tmp_path / "ref").write_text("the cat is here\na dog\n")
        code = main(["explain", str(tmp_path / "sys"), "-r", str(tmp_path / "ref"), *options])
        done = capsys.readouterr()
        return code, done.out, done.err

    def test_formats(self, capsys, tmp_path):
        """Each format is the library's."""
        own, other = ["the cat the cat", "a dog"], ["the cat is here", "a dog"]
        for found, options in (
            (explain(own, [[text] for text in other]), []),
            (explain(own[0], other[0]), ["--segment", "1"]),
            (explain(own[0], other[0], max_order=2), ["--segment", "1", "--max-order", "2"]),
        ):
            assert self.run(capsys, tmp_path, *options) == (0, str(found) + "\n", "")
            out = {
                form: self.run(capsys, tmp_path, *options, "--format", form)[1]
                for form in ("json", "html", "markdown")
            }
            assert json.loads(out["json"]) == json.loads(json.dumps(found.to_dict()))
            assert out["html"].rstrip("\n") == found.to_html().rstrip("\n")
            assert out["markdown"] == found.to_markdown()

    def test_a_line_that_is_not_there(self, capsys, tmp_path):
        """It is named with how many there are."""
        for number in ("0", "3"):
            code, _, error = self.run(capsys, tmp_path, "--segment", number)
            assert code == 2
            assert f"there is no line {number}: " in error
            assert error.endswith("has 2\n")
