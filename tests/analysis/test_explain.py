"""Explanations add up to the scores that they explain."""

import json
import math
import re
from collections import Counter

import numpy as np
import pytest
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from looping import looped
from project import EXAMPLES
from sacrebleu.metrics import lib_ter
from truebleu import (
    Bleu,
    Chrf,
    SettingsError,
    Ter,
    corpus_bleu,
    explain,
    read_lines,
    sentence_bleu,
)
from truebleu.cli import main
from truebleu.display.blocks import kind_of, text_of
from truebleu.display.text import for_terminal
from truebleu.metrics.chrf.orders import orders_of
from truebleu.metrics.explanation import Edit

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

usual = settings(deadline=None, max_examples=60)
CATS = ["the cat is on the mat", "there is a cat on the mat"]


chosen_settings = strategies.bleu_settings(
    smoothings=("none", "floor", "add-k", "exp", "nist", "skip-zero", "method1", "method4")
)


chrf_settings = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 0.5, 1, 2, 3]),
        **dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), st.booleans()),
    },
) | st.just({"char_order": 0, "word_order": 2})

ter_settings = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans()
    ),
)


def from_spans(found):
    """Return the texts of the spans, which are where they say in the tokens joined by spaces."""
    text = " ".join(map(str, found.hypothesis))
    assert all(text[span.start : span.end] == span.text for span in found.spans)
    return [span.text for span in found.spans]


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
        assert found.score == bleu.segment(hypothesis, references)
        assert len(found.hypothesis) == found.score.hyp_len
        if not bleu.phantom_ngrams:
            totals = tuple(sum(gram.count for gram in grams) for grams in found.ngrams)
            assert totals == found.score.totals
        assert tuple(sum(gram.clipped for gram in grams) for grams in found.ngrams) == (
            found.score.counts
        )
        assert from_logs(found.score) == pytest.approx(found.score.score, rel=1e-9, abs=1e-9)
        assert from_spans(found) == list(map(str, found.hypothesis))
        for grams in found.ngrams:
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
        [the] = found.ngrams[0]
        assert (the.count, the.maximum, the.clipped, the.reference) == (7, 2, 2, 0)
        assert "without clipping: 7/7" in found.in_full()
        bigrams = explain("the cat the cat on the mat", CATS, tokenizer="none").ngrams[1]
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
        assert "after smoothing exp: " in found.in_full()

    def test_ready_tokens(self):
        """A list of tokens is one segment, its references are one list or several."""
        for own, other in ((["the", "cat"], ["a", "cat"]), ([1, 2], [3, 2])):
            found = explain(own, other, tokenizer="pretokenized")
            assert not found.influence
            assert found.score == sentence_bleu(own, other, tokenizer="pretokenized")
            assert (found.hypothesis, found.references) == (tuple(own), (tuple(other),))
            found = explain(own, [other, own], tokenizer="pretokenized")
            assert [gram.reference for gram in found.ngrams[0]] == [1, 0]
            [cost] = explain([own], [other], tokenizer="pretokenized", max_order=1).worst
            assert (cost.name, cost.superfluous) == (str(own[0]), 1)

    def test_a_bleu(self):
        """A Bleu is taken where its settings are, and no metric in Python."""
        bleu = Bleu(max_order=2, lowercase=True)
        found = explain("The cat", CATS, metric=bleu, threads=1)
        assert found.score == bleu.segment("The cat", CATS)
        assert found.to_dict() == explain("The cat", CATS, max_order=2, lowercase=True).to_dict()
        assert explain("the cat", CATS, metric="bleu").score == sentence_bleu("the cat", CATS)
        words = Bleu(tokenizer="pretokenized")
        assert explain(["a"], ["a"], metric=words).hypothesis == ("a",)

    def test_one_reference_and_missing_ones(self):
        """A str is one reference; None is none."""
        assert explain("a b", "a b").references == (("a", "b"),)
        assert explain("a b", [None, "a b"]).references == (("a", "b"),)
        assert explain("a b", iter(["a b", "a"])).references == (("a", "b"), ("a",))


class TestCorpora:
    """A corpus: what it costs, and whom."""

    @usual
    @given(strategies.corpora(max_size=5), chosen_settings)
    def test_costs_add_up(self, corpus, chosen):
        """The points of the orders and of the penalty are 100 minus the score."""
        found = explain(*corpus, **chosen)
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
        missed = Counter({cost.name: cost.superfluous for cost in found.worst})
        assert missed["sat"] == missed["the"] == missed["on the mat today"] == 1
        assert "cat" not in missed
        points = [cost.points for cost in found.worst]
        assert points == sorted(points, reverse=True)
        stats = Bleu(tokenizer="none").stats(hypotheses, references)
        row = stats.to_numpy().sum(axis=0)
        row[2] += 1
        better = type(stats).from_numpy(row[None], stats)
        gain = Bleu(tokenizer="none").score(better).score - found.score.score
        assert next(cost.points for cost in found.worst if cost.name == "sat") == gain

    def test_streams_and_tokens(self):
        """Layouts and tokens are those of ``corpus_bleu``."""
        tokens = [[1, 2, 3, 4], [5, 6]]
        found = explain(tokens, [[each] for each in tokens], tokenizer="pretokenized")
        assert found.score.score == 100
        assert found.worst == ()
        found = explain(CATS, reference_streams=[CATS, CATS])
        assert found.score.score == 100
        # References that can be read only once are counted and shown alike.
        found = explain(CATS, [iter([text]) for text in CATS], threads=2)
        assert (found.score.score, found.worst) == (100, ())
        found = explain(tokens, reference_streams=[tokens], metric=Bleu(tokenizer="pretokenized"))
        assert found.score.score == 100


class TestChrfOfSegments:
    """chrF of one segment, from text to number."""

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), chrf_settings)
    def test_the_parts_make_the_score(self, corpus, chosen):
        """N-grams add up to the row, and the formula of its numbers is the score."""
        [hypothesis], [references] = corpus
        chrf = Chrf(**chosen)
        found = explain(hypothesis, references, metric=chrf)
        score = found.score
        assert score == chrf.segment(hypothesis, references)
        assert found.references == tuple(references)
        scores = [chrf.segment(hypothesis, reference).score for reference in references]
        assert found.reference_scores == tuple(scores)
        assert found.reference == scores.index(max(scores))
        assert score.score == max(scores)
        for order, grams in zip(orders_of(score), found.ngrams, strict=True):
            unit = "char" if order.unit == "character" else "word"
            fields = [f"{unit}_{order.order}_{part}" for part in ("hyp", "ref", "match")]
            row = [score.row[field] for field in fields]
            assert row == [order.hyp_total, order.ref_total, order.matches]
            assert sum(gram.clipped for gram in grams) == order.matches
            assert sum(gram.maximum for gram in grams) == order.ref_total
            # N-grams of an order that the reference does not have are not counted.
            assert sum(gram.count for gram in grams) == order.hyp_total or not order.ref_total
            assert {len(gram.tokens) for gram in grams} <= {order.order}
            for gram in grams:
                assert gram.clipped == min(gram.count, gram.maximum)
                assert gram.clipped + gram.superfluous == gram.count
                assert gram.clipped + gram.missing == gram.maximum
        assert from_orders(found) == pytest.approx(score.score, rel=1e-9, abs=1e-9)
        json.dumps(found.to_dict())
        assert str(found)
        assert found.to_markdown()
        assert found.to_html() == found._repr_html_()

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), chrf_settings)
    def test_spans_cover_the_text(self, corpus, chosen):
        """They go from left to right, and what is between them is whitespace."""
        [hypothesis], [references] = corpus
        found = explain(hypothesis, references, metric=Chrf(**chosen))
        reference = references[found.reference]
        orders = orders_of(found.score)
        most = max(each.order for each in orders if each.unit == orders[0].unit)
        for text, spans in ((hypothesis, found.spans), (reference, found.reference_spans)):
            end = 0
            for span in spans:
                assert span.text == text[span.start : span.end]
                assert not text[end : span.start].strip()
                assert 0 <= span.order <= most
                end = span.end
            assert not text[end:].strip()
        # The highest order that matches anywhere is the same on both sides.
        matching = [order.order for order in orders if order.matches]
        matching = [order for order in matching if order <= most]
        if len({order.unit for order in orders}) == 1:
            highest = max(matching, default=0)
            assert max((span.order for span in found.spans), default=0) == highest
            assert max((span.order for span in found.reference_spans), default=0) == highest

    def test_numbers_of_sacrebleu(self):
        """The rows of chrF++ that sacreBLEU 2.6.0 printed, with the reference that it chose."""
        found = explain(
            "The man had just bitten him.",
            ["The man bit him first.", "The man had bitten the dog."],
            metric="chrf++",
        )
        assert found.reference == 1
        orders = orders_of(found.score)
        counts = [(each.hyp_total, each.ref_total, each.matches) for each in orders]
        assert counts == [
            *[(23, 22, 18), (22, 21, 13), (21, 20, 11), (20, 19, 9), (19, 18, 7), (18, 17, 5)],
            *[(7, 7, 5), (6, 6, 2)],
        ]
        assert [each.name for each in orders][::5] == ["character 1", "character 6"]
        assert explain("abc", "abd", metric="chrf").score.score == 38.888888888888886

    def test_what_matches_where(self):
        """Counts are clipped, and the first occurrences match."""
        found = explain("aba b", "a ab", metric=Chrf(char_order=2))
        characters, pairs = found.ngrams
        counts = {gram.tokens: (gram.count, gram.maximum) for gram in characters}
        assert counts == {("a",): (2, 2), ("b",): (2, 1)}
        assert [gram.superfluous for gram in characters] == [0, 1]
        counts = {gram.tokens: (gram.missing, gram.superfluous) for gram in pairs}
        assert counts == {("a", "b"): (0, 1), ("b", "a"): (0, 1), ("a", "a"): (1, 0)}
        spans = [(span.text, span.start, span.end, span.order) for span in found.spans]
        assert spans == [("ab", 0, 2, 2), ("a", 2, 3, 1), ("b", 4, 5, 0)]
        spans = [(span.text, span.order) for span in found.reference_spans]
        assert spans == [("a", 1), ("ab", 2)]

    def test_lowercase_and_words(self):
        """Spans are of the original text; without characters, they are those of words."""
        found = explain("\u0130 B.", "i\u0307 b!", metric=Chrf(lowercase=True, char_order=1))
        assert [(span.text, span.order) for span in found.spans] == [("\u0130 B", 1), (".", 0)]
        words = explain("a b. c", "a b. d", metric=Chrf(char_order=0, word_order=2))
        assert [(span.text, span.order) for span in words.spans] == [("a b.", 2), ("c", 0)]
        spaces = explain("a b", "a b", metric=Chrf(whitespace=True))
        assert "a␣b" in spaces.in_full()

    def test_what_is_left_out(self):
        """Orders that one side lacks are named, unless they are smoothed."""
        found = explain("ab", "abc", metric="chrf")
        assert orders_of(found.score)[2].f_score is None
        left_out = "left out, because one side has no such n-grams: character 3, character 4"
        assert left_out in str(found)
        text = explain("abc", "ab", metric="chrf").in_full()
        assert "not counted: the reference has no n-grams" in text
        found = explain("ab", "ab", metric=Chrf(eps_smoothing=True))
        assert [round(order.f_score, 9) for order in orders_of(found.score)] == [
            100,
            100,
            0,
            0,
            0,
            0,
        ]
        assert "counts as 1e-16" in str(found)
        for hypothesis, reference in (("", ""), ("a", ""), ("", "a"), ("ab", "cd")):
            found = explain(hypothesis, reference, metric="chrf")
            assert found.score.score == 0
            assert found.score.reason in str(found)


def from_orders(found):
    """Compute chrF from the numbers of its orders."""
    chrf, orders = found.score.metric, orders_of(found.score)
    if chrf.eps_smoothing:
        return math.fsum(order.f_score for order in orders) / len(orders)
    counted = [order for order in orders if order.f_score is not None]
    if not counted:
        return 0.0
    precision = math.fsum(order.precision for order in counted) / len(counted)
    recall = math.fsum(order.recall for order in counted) / len(counted)
    factor = chrf.beta**2
    below = factor * precision + recall
    return (1 + factor) * precision * recall / below if precision + recall else 0.0


class TestChrfOfCorpora:
    """chrF of a corpus: what it costs, and whom."""

    @usual
    @given(strategies.corpora(min_size=2, max_size=5), chrf_settings)
    def test_influence_and_sums(self, corpus, chosen):
        """Orders are those of the score, and influence is the score of the others minus it."""
        chrf = Chrf(**chosen)
        found = explain(*corpus, metric=chrf)
        assert found.score.same_as(chrf.corpus(*corpus))
        assert tuple(order.matches for order in orders_of(found.score)) == found.score.matches
        assert from_orders(found) == pytest.approx(found.score.score, rel=1e-9, abs=1e-9)
        check_influence(found, corpus, chrf)
        json.dumps(found.to_dict())
        assert str(found)

    @usual
    @given(strategies.corpora(strategies.soup, max_size=4), chrf_settings)
    def test_what_ngrams_cost(self, corpus, chosen):
        """They are missing or superfluous in the segments, and the points are those of the row."""
        chrf = Chrf(**chosen)
        found = explain(*corpus, metric=chrf)
        row = found.score.row
        known = {}
        for hypothesis, references in zip(*corpus, strict=True):
            part = explain(hypothesis, references, metric=chrf)
            for order, grams in zip(orders_of(part.score), part.ngrams, strict=True):
                if not order.ref_total:
                    continue
                for gram in grams:
                    counts = known.setdefault((order.name, gram.name), [0, 0])
                    counts[0] += gram.missing
                    counts[1] += gram.superfluous
        wrong = {key: counts for key, counts in known.items() if any(counts)}
        for order, cost in zip(orders_of(found.score), found.costs, strict=True):
            assert (cost.name, cost.missing) == (order.name, order.ref_total - order.matches)
            assert cost.superfluous == order.hyp_total - order.matches
            costs = [cost for cost in found.worst if cost.kind == order.name]
            assert len(costs) == min(5, sum(kind == order.name for kind, _ in wrong))
            points = [cost.points for cost in costs]
            assert points == sorted(points, reverse=True)
        costs = [(cost, cost.name) for cost in found.costs]
        for cost, order in [*costs, *((cost, cost.kind) for cost in found.worst)]:
            if cost.kind != "order":
                assert wrong[cost.kind, cost.name] == [cost.missing, cost.superfluous]
            prefix = order.replace("character ", "char_").replace("word ", "word_")
            better = row | {
                f"{prefix}_hyp": row[f"{prefix}_hyp"] + cost.missing - cost.superfluous,
                f"{prefix}_match": row[f"{prefix}_match"] + cost.missing,
            }
            # No text has such a row, so it cannot become statistics.
            value = chrf._row_value(np.array(list(better.values()), "<i8").tobytes())
            assert cost.points == value - found.score.score

    def test_a_perfect_corpus(self):
        """Costs nothing."""
        found = explain(CATS, CATS, metric="chrf++", threads=1)
        assert (found.score.score, found.worst) == (100, ())


def check_influence(found, corpus, metric):
    """Check that influence is the score of all other segments minus that of all."""
    for index, points in enumerate(found.influence):
        rest = [[item for number, item in enumerate(items) if number != index] for items in corpus]
        assert points == metric.corpus(*rest).score - found.score.score


def sacrebleu_shifts(words, reference):
    """Shift as sacreBLEU does; return the words after each shift, and what it gains."""
    shift, most = (vars(lib_ter)[name] for name in ("_shift", "_MAX_SHIFT_CANDIDATES"))
    distance, checked, found = lib_ter.BeamEditDistance(reference), 0, []
    while words and reference:
        gain, shifted, checked = shift(words, reference, distance, checked)
        if checked >= most or gain <= 0:
            break
        found.append((gain, shifted))
        words = shifted
    return found


def parts(found):
    """Return the shifts, and what happens to each word."""
    shifts = [edit for edit in found.steps if edit.kind == "shift"]
    return shifts, list(found.steps[len(shifts) :])


class TestTerOfSegments:
    """TER of one segment, from text to number."""

    @usual
    @given(strategies.corpora(min_size=1, max_size=1), ter_settings)
    @example(([" ".join("defghabc")], [["a b c d e f g h", "x"]]), {})
    def test_the_steps_make_the_score(self, corpus, chosen):
        """Edits add up to the row, and the steps turn the hypothesis into the reference."""
        [hypothesis], [references] = corpus
        ter = Ter(**chosen)
        found = explain(hypothesis, references, metric=ter)
        score = found.score
        assert score == ter.segment(hypothesis, references)
        shifts, alignment = parts(found)
        kinds = Counter(edit.kind for edit in found.steps)
        assert kinds["insertion"] == score.insertions
        assert kinds["deletion"] == score.deletions
        assert kinds["substitution"] == score.substitutions
        assert kinds["shift"] == len(shifts) == score.shifts
        edits = [ter.segment(hypothesis, reference).edits for reference in references]
        assert found.reference_scores == tuple(edits)
        assert found.reference == edits.index(min(edits))
        assert sum(map(len, found.references)) / len(references) == pytest.approx(score.ref_len)
        assert from_spans(found) == list(found.hypothesis)
        marks = [span.marks for span in found.spans]
        words = list(found.hypothesis)
        for shift in shifts:
            phrase = shift.hypothesis.split(" ")
            end = shift.start + len(phrase)
            assert words[shift.start : end] == phrase
            del words[shift.start : end]
            words[shift.target : shift.target] = phrase
        assert words == [edit.hypothesis for edit in alignment if edit.hypothesis is not None]
        other = [edit.reference for edit in alignment if edit.reference is not None]
        assert tuple(other) == found.references[found.reference]
        moved = [word for word, each in zip(found.hypothesis, marks, strict=True) if each[1:]]
        assert set(moved) == {word for edit in shifts for word in edit.hypothesis.split(" ")}
        for edit in alignment:
            assert (edit.kind == "match") == (edit.hypothesis == edit.reference)
            assert (edit.kind == "insertion") == (edit.hypothesis is None)
            assert (edit.kind == "deletion") == (edit.reference is None)
        json.dumps(found.to_dict())
        assert str(found)
        assert found.to_markdown()
        assert found.to_html() == found._repr_html_()

    @usual
    @given(
        st.permutations("abcdefghij").map(list) | st.lists(st.sampled_from("abcd"), max_size=12),
        st.lists(st.sampled_from("abcdefghij"), max_size=12),
    )
    def test_shifts_are_those_of_sacrebleu(self, words, reference):
        """Step by step, with what each of them gains."""
        found = explain(" ".join(words), " ".join(reference), metric="ter")
        shifted = list(words)
        for shift, (gain, expected) in zip(
            parts(found)[0], sacrebleu_shifts(words, reference), strict=True
        ):
            phrase = shift.hypothesis.split(" ")
            del shifted[shift.start : shift.start + len(phrase)]
            shifted[shift.target : shift.target] = phrase
            assert (shift.gain, shifted) == (gain, expected)

    def test_known_steps(self):
        """Those that sacreBLEU 2.6.0 takes."""
        found = explain("d e f g h a b c", "a b c d e f g h", metric="ter")
        [shift], alignment = parts(found)
        where = {"start": 5, "target": 0, "gain": 6}
        assert shift == Edit(kind="shift", hypothesis="a b c", reference=None, **where)
        assert {edit.kind for edit in alignment} == {"match"}
        assert found.score.score == 12.5
        found = explain("the cat sat on mat the", "on the mat the cat sat", metric="ter")
        assert [shift.gain for shift in parts(found)[0]] == [4, 2]
        found = explain("a x b", ["a y b c", "q"], metric="ter")
        assert found.steps == (
            Edit(kind="match", hypothesis="a", reference="a"),
            Edit(kind="substitution", hypothesis="x", reference="y"),
            Edit(kind="match", hypothesis="b", reference="b"),
            Edit(kind="insertion", hypothesis=None, reference="c"),
        )
        assert "mean length of the references: (4 + 1) / 2 = 2.50 words" in found.in_full()
        assert "100 * 2 / 2.50 = 80.00" in str(found)

    def test_undefined_rates(self):
        """Without words in the references, the reason is shown instead of a formula."""
        for hypothesis, score in (("a b", 100), ("", 0)):
            found = explain(hypothesis, "", metric="ter")
            assert found.score.score == score
            assert found.score.reason in str(found)
            assert "100 *" not in str(found)
            _, deletions, *_ = explain([hypothesis], [""], metric="ter").costs
            assert deletions.points == score


class TestTerOfCorpora:
    """TER of a corpus: which edits make it up, and of which words."""

    @usual
    @given(strategies.corpora(min_size=2, max_size=5), ter_settings)
    def test_edits_add_up(self, corpus, chosen):
        """Kinds are those of the row, their points add up to the score, and words to kinds."""
        ter = Ter(**chosen)
        found = explain(*corpus, metric=ter)
        score = found.score
        assert score.same_as(ter.corpus(*corpus))
        counts = {cost.kind: cost.count for cost in found.costs}
        assert [*counts.values()] == [*score.row.values()][:4]
        points = math.fsum(cost.points for cost in found.costs)
        assert points == pytest.approx(score.score, rel=1e-9)
        for kind, count in counts.items():
            words = [cost for cost in found.worst if cost.kind == kind]
            assert sum(cost.count for cost in words) == count or len(words) == 10
            assert [cost.count for cost in words] == sorted(
                (cost.count for cost in words), reverse=True
            )
        check_influence(found, corpus, ter)
        json.dumps(found.to_dict())
        assert str(found)

    def test_words(self):
        """The words of each kind, the most frequent first."""
        hypotheses = ["a b c x", "c a b", "b q"]
        references = ["a b c", [None, "a b c"], ["b r s", "z"]]
        found = explain(hypotheses, references, metric="ter")
        listed = [(each.kind, each.name, each.missing, each.superfluous) for each in found.worst]
        assert listed == [
            ("insertion", "r", 1, 0),
            ("deletion", "x", 0, 1),
            ("substitution", "q → s", 1, 1),
            ("shift", "c", 1, 1),
        ]
        # Lower is better, so a segment without which the score falls is the bad one.
        block = next(each for each in found.blocks() if each.heading.startswith("most influential"))
        for style, (number, _) in block.rows:
            assert (style == "bad") == (found.influence[int(number) - 1] < 0)


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
            (explain(own, other, lowercase=True), ["--lowercase"]),
            (explain(own, other, metric=Chrf(beta=3)), ["--metric", "chrf:beta=3"]),
            (explain(own[0], other[0], metric="chrf++"), ["-m", "chrf++", "--segment", "1"]),
            (explain(own, other, metric=Ter(normalized=True)), ["-m", "ter:normalized"]),
            (explain(own, other, language="ko"), ["--language", "ko"]),
        ):
            assert self.run(capsys, tmp_path, *options) == (0, str(found) + "\n", "")
            whole = found.in_full() + "\n"
            assert self.run(capsys, tmp_path, *options, "--all") == (0, whole, "")
            out = {
                form: self.run(capsys, tmp_path, *options, "--format", form)[1]
                for form in ("json", "html", "markdown")
            }
            assert json.loads(out["json"]) == json.loads(json.dumps(found.to_dict()))
            assert out["html"].rstrip("\n") == found.to_html().rstrip("\n")
            assert out["markdown"] == found.to_markdown()

    @pytest.mark.parametrize(
        "metric",
        [
            *("bleu", "chrf", "chrf++", "ter", Chrf(eps_smoothing=True)),
            *(Bleu(phantom_ngrams=True), Bleu(smoothing="none")),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("language", ["en", "ko"])
    def test_it_fits_a_screen(self, metric, language):
        """Two sentences come first, and all of it has at most 24 lines of 100 columns."""
        path = EXAMPLES / "system-medium.en"
        hypotheses = read_lines(path)
        streams = [read_lines(EXAMPLES / f"reference-{name}.en") for name in "ab"]
        references = list(map(list, zip(*streams, strict=True)))
        pairs = [*zip(hypotheses[::7], references[::7], strict=True), (hypotheses, references)]
        short = [("", [""]), ("a", ["a"]), (["a"], ["a"]), ("", ["a"]), ("ab", ["b a"])]
        for pair in [*pairs, *short, ("a " * 900, ["b " * 900, "a c " * 900])]:
            found = explain(*pair, metric=metric, language=language)
            assert len(found.brief()[0].lines) == 2
            shown = for_terminal(found.brief(), 100).splitlines()
            assert len(shown) <= 24, pair
            assert str(found).splitlines()[:2] == found.in_full().splitlines()[:2]

    def test_a_line_that_is_not_there(self, capsys, tmp_path):
        """It is named with how many there are."""
        for number in ("0", "3"):
            code, _, error = self.run(capsys, tmp_path, "--segment", number)
            assert code == 2
            assert f"there is no segment {number}: " in error
            assert error.endswith("has segments 1 to 2\n")
        code, _, error = self.run(capsys, tmp_path, "-m", "chrf", "--lowercase")
        assert (code, "--lowercase is a setting of BLEU, which is not" in error) == (2, True)


def said(found):
    """List the headings and lines of an explanation, without the texts that it explains."""
    blocks = found.blocks()
    lines = [line for block in blocks for line in block.lines if kind_of(line) != "marked"]
    return [*(block.heading for block in blocks), *map(text_of, lines)]


class TestKorean:
    """The same in Korean."""

    @usual
    @given(
        strategies.corpora(min_size=1, max_size=3),
        chosen_settings.map(lambda chosen: Bleu(**chosen))
        | chrf_settings.map(lambda chosen: Chrf(**chosen))
        | ter_settings.map(lambda chosen: Ter(**chosen)),
    )
    def test_it_has_the_same_numbers(self, corpus, metric):
        """In every heading and line; tables have the same rows, and data do not change."""
        hypotheses, references = corpus
        for given_ in ((hypotheses, references), (hypotheses[0], references[0])):
            english = explain(*given_, metric=metric)
            korean = explain(*given_, metric=metric, language="ko")
            for one, other in zip(said(english), said(korean), strict=True):
                assert sorted(re.findall(r"\d+", one)) == sorted(re.findall(r"\d+", other))
            pairs = zip(english.blocks(), korean.blocks(), strict=True)
            assert all(len(one.rows) == len(other.rows) for one, other in pairs)
            assert english.to_dict() == korean.to_dict()
            assert korean.to_html() != english.to_html()

    @looped(
        ("hypothesis", "references"),
        [
            ("1 2 1 3 4", ["1 3 4", "5 1 3"]),
            ("2 1", ["1 2 3 4 5"]),
            ("1 2 3 4 5 6", ["3 4 5 6 1 2"]),
            ("1", ["2"]),
            ("", ["1"]),
            ("1", [""]),
            ("", [""]),
        ],
    )
    def test_nothing_is_left_in_english(self, hypothesis, references):
        """Words are Korean, but for names: of metrics, settings and symbols."""
        names = {"BLEU", "chrF", "TER", "BP", "P", "R", "F", "n", "gram", "exp", "inf", "e"}
        names |= {"closest", "none"}
        for metric in (
            *(Bleu(smoothing=name) for name in ("none", "exp")),
            *(Chrf(), Chrf(eps_smoothing=True, word_order=2), Ter()),
        ):
            for given_ in ((hypothesis, references), ([hypothesis], [references])):
                found = explain(*given_, metric=metric, language="ko")
                cells = [cell for block in found.blocks() for cell in block.header]
                cells += [cell for block in found.blocks() for _, row in block.rows for cell in row]
                for line in [*said(found), *map(text_of, cells)]:
                    if "|" not in line:
                        assert set(re.findall("[A-Za-z]+", line)) <= names, line
                html = found.to_html().partition("</style>")[2]
                described = re.findall(r'title="(.*?)"', html)
                assert not re.search("[A-Za-z]", "".join(described))

    def test_other_languages(self):
        """They are refused."""
        with pytest.raises(SettingsError, match="language 'fr' is unknown"):
            explain("a", "a", language="fr")


def test_smoothed_precisions_are_marked():
    """A precision that is not the quotient beside it says why."""
    text = str(explain("the cat sat on mat", "the cat is on the mat"))
    assert "4/5              80%   " in text
    assert "0/3  16.67% smoothed   " in text
    corpus = str(explain(["a b", "c d"], ["a b", "c d"], smoothing="none"))
    assert "smoothed" not in corpus
