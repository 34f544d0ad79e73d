"""The drop-ins for evaluate and torchmetrics."""

import contextlib
import importlib
import json
import warnings
from fractions import Fraction

import make_chrf_ter
import numpy as np
import pytest
import sacrebleu
import strategies
import truebleu.compat.huggingface as hub
from hypothesis import given, settings
from hypothesis import strategies as st
from lenient import lenient
from project import golden_rows
from truebleu import (
    Bleu,
    LengthMismatchError,
    SettingsError,
    SettingsWarning,
)
from truebleu.compat import torchmetrics as package
from truebleu.compat.torchmetrics import (
    BLEUScore,
    CHRFScore,
    SacreBLEUScore,
    TranslationEditRate,
    chrf,
    functional,
)

CORPORA = {
    name: (hypotheses, references)
    for name, hypotheses, references in make_chrf_ter.corpora(several=True)
}

usual = settings(deadline=None, max_examples=60)


def recorded(tool, metric=None):
    """Return corpora, and the scores that a tool gave them; None where it gave none."""
    table, column = ("chrf_ter.tsv", "tool") if metric else ("dialects.tsv", "dialect")
    return [
        (*CORPORA[row["corpus"]], json.loads(row["number"]))
        for row in golden_rows(table)
        if row[column] == tool and row.get("metric") == metric
    ]


def streams(references):
    """Return references as sacreBLEU takes them."""
    return list(map(list, zip(*references, strict=True)))


class TestHuggingFace:
    """The drop-in for evaluate returns evaluate's dictionaries."""

    def test_precisions_are_quotients(self):
        """A precision is the quotient of two counts, correctly rounded."""
        for total in range(1, 30):
            for matches in range(total + 1):
                hypothesis = ["a"] * matches + ["b"] * (total - matches)
                reference = ["a"] * matches + ["c"]
                expected = Fraction(matches, total)
                results = hub.compute([" ".join(hypothesis)], [" ".join(reference)], max_order=1)
                assert results["precisions"] == [float(expected)]

    @usual
    @given(strategies.corpora(strategies.soup.filter(bool), max_references=3))
    def test_the_parts(self, corpus):
        """Every entry of the dictionary follows from the counts by its definition."""
        hypotheses, references = corpus
        for order, smooth in ((4, False), (2, True)):
            results = hub.load("bleu").compute(
                predictions=hypotheses, references=references, max_order=order, smooth=smooth
            )
            bleu = Bleu(max_order=order, smoothing="none", reference_length="shortest")
            score = bleu.corpus(hypotheses, references)
            pairs = zip(score.counts, score.totals, strict=True)
            expected = [
                (count + smooth) / (total + smooth) if total + smooth else 0.0
                for count, total in pairs
            ]
            assert results["precisions"] == expected
            assert results["translation_length"] == score.hyp_len
            assert results["reference_length"] == score.ref_len
            assert results["length_ratio"] == score.ratio
            assert results["brevity_penalty"] == pytest.approx(score.brevity_penalty)
            if not smooth:
                assert results["bleu"] == pytest.approx(score.fraction)

    @usual
    @given(
        corpus=strategies.corpora(max_references=1),
        number=st.integers(1, 3),
        flags=st.tuples(*[st.booleans()] * 4),
        orders=st.sampled_from([(6, 0, 2), (6, 2, 2), (3, 1, 3), (1, 0, 1)]),
    )
    def test_chrf_and_ter(self, corpus, number, flags, orders):
        """They return what evaluate makes of sacreBLEU's scores, under every setting."""
        hypotheses, references = corpus
        references = [(own * 3 + hypotheses)[:number] for own in references]
        names = ("lowercase", "whitespace", "eps_smoothing")
        chrf = dict(zip(names, flags, strict=False))
        chrf |= dict(zip(("char_order", "word_order", "beta"), orders, strict=True))
        score = sacrebleu.CHRF(**chrf).corpus_score(hypotheses, streams(references))
        names = ("score", "char_order", "word_order", "beta")
        expected = {name: getattr(score, name) for name in names}
        assert hub.compute(hypotheses, references, "chrf", **chrf) == expected
        names = ("normalized", "no_punct", "asian_support", "case_sensitive")
        score = sacrebleu.TER(**dict(zip(names, flags, strict=True))).corpus_score(
            hypotheses, streams(references)
        )
        expected = {name: getattr(score, name) for name in ("score", "num_edits", "ref_length")}
        names = ("normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive")
        ter = dict(zip(names, flags, strict=True))
        assert hub.compute(hypotheses, references, "ter", **ter) == expected

    def test_a_tokenizer(self):
        """The tokenizer may be a function from text to tokens."""
        results = hub.compute(["a-b-c-d"], ["a-b-c-d"], tokenizer=lambda text: text.split("-"))
        assert results["translation_length"] == 4


PREDS = ["the cat is on the mat", "There is a big tree near the park here", "", "Nothing at all!"]
TARGET = [
    ["there is a cat on the mat", "a cat is on the mat"],
    ["A big tree is growing near the park here"],
    ["an empty one"],
    ["xyz"],
]
# By torchmetrics 1.9.0 with torch 2.15.0+cu132, of the first two segments, and of all.
OF_TWO = [
    (BLEUScore(), 0.5226045250892639),
    (BLEUScore(n_gram=2), 0.7016464471817017),
    (BLEUScore(smooth=True), 0.5663157105445862),
    (BLEUScore(n_gram=2, weights=[0.3, 0.7]), 0.6657783389091492),
    (SacreBLEUScore(), 0.5226045250892639),
    (SacreBLEUScore(lowercase=True, tokenize="char"), 0.7927043437957764),
    (SacreBLEUScore(n_gram=3, smooth=True, tokenize="zh"), 0.6359038949012756),
]
OPTIONS = [
    (CHRFScore, {}, 0.6587457060813904, [0.8640464544296265, 0.6184472441673279, 0.0, 0.0]),
    (
        CHRFScore,
        {"n_word_order": 0, "beta": 3.0},
        0.6700891852378845,
        [0.8951663970947266, 0.6074911952018738, 0.0, 0.0],
    ),
    (
        CHRFScore,
        {"n_char_order": 2, "lowercase": True},
        0.7603322267532349,
        [0.8579083681106567, 0.7720769047737122, 0.0, 0.0],
    ),
    (
        CHRFScore,
        {"whitespace": True, "beta": 0.5},
        0.6326814293861389,
        [0.8454575538635254, 0.7028918862342834, 0.0, 0.0],
    ),
    (
        TranslationEditRate,
        {},
        0.3589743673801422,
        [0.1538461595773697, 0.3333333432674408, 0.0, 3.0],
    ),
    (
        TranslationEditRate,
        {"normalize": True, "lowercase": False},
        0.41025641560554504,
        [0.1538461595773697, 0.3333333432674408, 0.0, 4.0],
    ),
    (
        TranslationEditRate,
        {"no_punctuation": True, "asian_support": True},
        0.3589743673801422,
        [0.1538461595773697, 0.3333333432674408, 0.0, 3.0],
    ),
]


class TestTorchmetrics:
    """The drop-in for torchmetrics gives torchmetrics' scores, with its defects."""

    @pytest.mark.parametrize(
        ("metric", "name"), [(BLEUScore, None), (CHRFScore, "chrf"), (TranslationEditRate, "ter")]
    )
    def test_recorded_scores(self, metric, name):
        """On the examples and on small corpora; chrF's and TER's to the last bit."""
        rows = recorded("torchmetrics", name)
        assert len(rows) > (15 if name else 5)
        for hypotheses, references, number in rows:
            found = metric()(hypotheses, references)
            assert found == (number if name else pytest.approx(number, rel=1e-5, abs=1e-7))

    def test_options_of_bleu(self):
        """Every option gives the score that torchmetrics prints for the same call."""
        for metric, number in OF_TWO:
            assert metric(PREDS[:2], TARGET[:2]) == pytest.approx(number, rel=1e-5)

    @pytest.mark.parametrize(("metric", "options", "score", "sentences"), OPTIONS)
    def test_options(self, metric, options, score, sentences):
        """And the numbers of corpus and segments."""
        assert metric(**options)(PREDS, TARGET) == score
        both = metric(**options, return_sentence_level_score=True)
        assert both(PREDS, TARGET) == (score, sentences)
        assert both.compute() == (score, sentences)

    @pytest.mark.parametrize(
        ("edits", "length", "score"),
        [(3, 4, 0.75), (0, 4, 0), (3, 0, 1), (1, 0, 1), (0, 0, 0), (1, 0.5, 2), (3, np.nan, 0)],
    )
    def test_sums(self, edits, length, score):
        """Without words in the references, TER is 1 if there are edits."""
        metric = TranslationEditRate()
        metric._sums = {"total_num_edits": np.array(edits), "total_tgt_len": np.array(length)}
        assert metric.compute() == score

    def test_settings_that_the_core_refuses(self):
        """They are refused in place of torchmetrics, too, where it is not there to count."""
        for mode in (contextlib.nullcontext, lenient):
            with mode(), pytest.raises(SettingsError, match="n_gram"):
                BLEUScore(n_gram=100_000)(["a"], [["a"]])

    def test_a_batch_of_strings(self):
        """A list of str has the references of one prediction, or one for each of several."""
        one, several = CHRFScore(), CHRFScore()
        assert one("a b c", ["a b", "a b c"]) == one(["a b c"], [["a b", "a b c"]])
        assert several(["a b", "c d"], ["a c", "c d"]) == several(
            ["a b", "c d"], [["a c"], ["c d"]]
        )

    def test_blocks_of_chrf(self, monkeypatch):
        """A batch that threads count in blocks has the scores of one that is counted at once."""
        expected = CHRFScore(return_sentence_level_score=True)(PREDS, TARGET)
        monkeypatch.setattr(chrf, "_BLOCK", 1)
        assert CHRFScore(return_sentence_level_score=True)(PREDS, TARGET) == expected

    @pytest.mark.parametrize("metric", [SacreBLEUScore, CHRFScore, TranslationEditRate])
    def test_batches(self, metric):
        """Batches and merged metrics add up, and a reset discards them."""
        whole, parts, other = metric(), metric(), metric()
        assert whole.compute() == 0
        whole.update(PREDS, TARGET)
        assert parts(PREDS[:1], TARGET[:1]) != whole.compute()
        other.update(PREDS[1], TARGET[1:2])
        other.update(PREDS[2:], TARGET[2:])
        parts.merge_state(other)
        assert parts.compute() == whole.compute() > 0
        parts.reset()
        for added in (metric(), parts):
            parts.merge_state(added)
            assert parts.compute() == 0
        if metric is not SacreBLEUScore:
            assert metric(return_sentence_level_score=True).compute() == (0, [])


class TestTorchmetricsFunctions:
    """The functions return what the classes return of one batch."""

    @pytest.mark.parametrize(
        ("function", "metric", "options"),
        [
            (functional.bleu_score, BLEUScore, {"n_gram": 2, "smooth": True}),
            (functional.sacre_bleu_score, SacreBLEUScore, {"tokenize": "char", "lowercase": True}),
            (functional.chrf_score, CHRFScore, {"n_word_order": 0, "beta": 3.0}),
            (functional.translation_edit_rate, TranslationEditRate, {"normalize": True}),
        ],
    )
    def test_scores(self, function, metric, options):
        """Of a corpus, of a single prediction, and of segments."""
        assert function(PREDS, TARGET, **options) == metric(**options)(PREDS, TARGET) > 0
        assert function(PREDS[0], [TARGET[0]], **options) == function(
            PREDS[:1], TARGET[:1], **options
        )
        assert function([], [], **options) == 0
        with pytest.raises(LengthMismatchError, match="different size 1 != 2"):
            function(["a"], [["a"], ["b"]], **options)
        if metric in (CHRFScore, TranslationEditRate):
            options["return_sentence_level_score"] = True
            assert function(PREDS, TARGET, **options) == metric(**options)(PREDS, TARGET)
            assert function([], [], **options) == 0

    def test_modules(self):
        """They can be imported as from torchmetrics."""
        assert functional.text.bleu_score is functional.bleu_score
        assert importlib.import_module(f"{package.__name__}.text").__all__ == package.__all__
        assert package.text.BLEUScore is BLEUScore
        assert functional.text.__all__ == functional.__all__

    def test_odd_segments(self):
        """Empty batches and segments without references are what they are in torchmetrics."""
        for metric in (CHRFScore(), TranslationEditRate()):
            assert metric([], [[]]) == metric(["python"], [[]]) == metric([""], [[""]]) == 0
            with pytest.raises(LengthMismatchError, match="different size 0 != 1"):
                metric.update([], [["a"]])
        assert BLEUScore()([[]], [[[]]]) == 0
        many = ["a b c"] * 10 + ["a b"] * 11
        assert TranslationEditRate()(["a x"], [many]) == pytest.approx(1 / (52 / 21), rel=1e-6)


def test_short_shifts():
    """A phrase of 10 words takes torchmetrics two shifts, and sacreBLEU one."""
    halves = "a b c d e f g h i j", "k l m n o p q r s t"
    texts = [" ".join(halves)], [[" ".join(halves[::-1])]]
    assert float(functional.translation_edit_rate(*texts)) == pytest.approx(2 / 20)
    assert sacrebleu.corpus_ter(*texts).score == 5


SQUARE = {
    "references": [
        *(
            lambda texts, given, name=name: next(iter(hub.compute(texts, given, name).values()))
            for name in ("bleu", "sacrebleu", "chrf", "ter")
        ),
    ],
    "target": [
        lambda texts, given, kind=kind: float(kind()(texts, given))
        for kind in (BLEUScore, SacreBLEUScore, CHRFScore, TranslationEditRate)
    ],
}


@pytest.mark.parametrize("argument", SQUARE)
def test_square_corpora_are_warned_of(argument):
    """As many references as segments may be streams: that is said once, and not of the others."""
    hypotheses = ["the cat sat on it .", "a dog ran far off ."]
    streams = [hypotheses, ["the cat ran on it .", "a dog ran far off"]]
    for score in SQUARE[argument]:
        with pytest.warns(SettingsWarning, match=rf"pass list\(zip\(\*{argument}\)\)") as said:
            wrong = score(hypotheses, streams)
        assert len(said) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert wrong != score(hypotheses, list(zip(*streams, strict=True)))
