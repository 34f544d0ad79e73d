"""The drop-in for sacreBLEU beside sacreBLEU: same values, same types, same errors."""

import copy
import importlib
import inspect
import json
import logging
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu as theirs
import sacrebleu.compat
import sacrebleu.metrics.helpers
import sacrebleu.significance
import sacrebleu.utils
import strategies
import truebleu.compat.sacrebleu as ours
import truebleu.compat.sacrebleu.compat
import truebleu.compat.sacrebleu.significance
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _TOKENIZERS
from truebleu.compat.errors import NoReferencesError, NotTextError
from truebleu.compat.sacrebleu.metrics import bleu as own_bleu
from truebleu.compat.sacrebleu.metrics import helpers as own_helpers
from truebleu.compat.sacrebleu.tokenizers import tokenizer_base as own_base
from truebleu.errors import InputTypeError, LengthMismatchError, SettingsError

usual = settings(deadline=None, max_examples=60)

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))

# sacreBLEU logs, and so does the drop-in.
logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

text = st.one_of(strategies.soup, strategies.short, strategies.dense_text)


@st.composite
def metric_settings(draw):
    """Draw arguments of BLEU, now and then one that does not exist."""
    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "lowercase": st.booleans(),
                "force": st.booleans(),
                "tokenize": st.sampled_from([None, "13a", "zh", "intl", "char", "none", "15a"]),
                "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k", "sum"]),
                "smooth_value": st.sampled_from([None, 0.3, 1, 2.5]),
                "max_ngram_order": st.integers(1, 6),
                "effective_order": st.booleans(),
                "trg_lang": st.sampled_from(["", "de", "zh"]),
            },
        )
    )


@st.composite
def streams(draw, bad=True):
    """Draw hypotheses and streams of references, now and then of the wrong kind."""
    count = draw(st.integers(1, 5))
    strange = st.sampled_from([None, 7, b"bytes"])
    item = st.one_of(text, strange) if bad and draw(st.integers(0, 9)) == 0 else text
    hypotheses = draw(st.lists(item, min_size=count, max_size=count))
    several = []
    for _ in range(draw(st.integers(1, 3))):
        reference = st.one_of(text, st.none()) if bad and draw(st.booleans()) else item
        several.append(draw(st.lists(reference, min_size=count, max_size=count)))
    if bad and draw(st.integers(0, 9)) == 0:
        strange = [[], None, [[]], hypotheses, "abc", 3, [None], [3], tuple(several)]
        if draw(st.booleans()):
            several = draw(st.sampled_from(strange))
        else:
            hypotheses = draw(st.sampled_from([[], None, "abc", 3, (*hypotheses,)]))
    return hypotheses, several


def outcome(call):
    """Return what a call returns, or raises."""
    try:
        return call()
    except Exception as error:
        return error


def plain(result):
    """Return the parts of a score, or the result itself."""
    if isinstance(result, theirs.metrics.BLEUScore | own_bleu.BLEUScore):
        assert repr(result)  # Computes the parts.
        return {name: (type(item), item) for name, item in sorted(vars(result).items())}
    return result


def check(own, other, *, refused=()):
    """Compare two outcomes; an error has to be one that catches the other's."""
    if isinstance(other, Exception):
        assert isinstance(own, type(other)), (own, other)
    elif not (isinstance(own, Exception) and isinstance(own, refused)):
        if isinstance(own, Exception):
            raise own
        assert plain(own) == plain(other)


class TestScores:
    """Values, types and errors on drawn calls."""

    @usual
    @given(metric_settings(), streams())
    def test_corpus(self, chosen, corpus):
        """``corpus_score``: what is cut off silently there is an error here, unless asked for."""
        hypotheses, references = corpus
        other = outcome(lambda: theirs.BLEU(**chosen).corpus_score(hypotheses, references))
        own = outcome(lambda: ours.BLEU(**chosen).corpus_score(hypotheses, references))
        if not (isinstance(own, InputTypeError) and "every letter" in str(own)):
            check(own, other, refused=(LengthMismatchError, InputTypeError, NoReferencesError))
        own = outcome(
            lambda: ours.BLEU(**chosen, strict=False).corpus_score(hypotheses, references)
        )
        # Without a tokenizer bytes pass there.
        check(own, other, refused=(NoReferencesError, NotTextError))

    @usual
    @given(metric_settings(), streams(bad=False))
    def test_signatures(self, chosen, corpus):
        """Long and short, after scoring; only the version says who it was."""
        chosen.pop("smooth_method", None)
        chosen["tokenize"] = "intl"
        for n_bootstrap in (1, 7):
            metrics = [module.BLEU(**chosen) for module in (theirs, ours)]
            scores = [metric.corpus_score(*corpus, n_bootstrap=n_bootstrap) for metric in metrics]
            assert plain(scores[1]) == plain(scores[0])
            for short in (False, True):
                other, own = (metric.get_signature().format(short) for metric in metrics)
                assert own == other.replace(theirs.__version__, f"truebleu-{truebleu.__version__}")

    def test_no_signature_before_a_score(self):
        """The number of references is not known before."""
        for module in (theirs, ours):
            with pytest.raises(ValueError, match="Number of references unknown"):
                module.BLEU().get_signature()
            metric = module.BLEU(references=[["a"], ["b"]])
            assert metric.get_signature().info["nrefs"] == 2

    @usual
    @given(metric_settings(), text, st.lists(st.one_of(text, st.none()), max_size=3))
    def test_sentence(self, chosen, hypothesis, references):
        """``sentence_score``, with references missing or none at all."""
        other = outcome(lambda: theirs.BLEU(**chosen).sentence_score(hypothesis, references))
        own = outcome(lambda: ours.BLEU(**chosen).sentence_score(hypothesis, references))
        # An empty hypothesis without a reference has a score there, and a reference length of -1.
        check(own, other, refused=NoReferencesError)

    @pytest.mark.parametrize(
        ("hypothesis", "references"),
        [(3, ["a"]), (None, ["a"]), ("a", "a"), ("a", 3), ("a", [3]), ("a", []), ("a", [None, 3])],
    )
    def test_bad_sentences(self, hypothesis, references):
        """The classes of errors that a caller catches."""
        other = outcome(lambda: theirs.BLEU().sentence_score(hypothesis, references))
        assert isinstance(other, Exception)
        check(outcome(lambda: ours.BLEU().sentence_score(hypothesis, references)), other)

    @usual
    @given(
        streams(bad=False),
        st.fixed_dictionaries(
            {},
            optional={
                "smooth_method": st.sampled_from(["exp", "floor", "add-k"]),
                "smooth_value": st.sampled_from([None, 0.2]),
                "force": st.booleans(),
                "lowercase": st.booleans(),
                "tokenize": st.sampled_from(["13a", "none", "char"]),
                "use_effective_order": st.booleans(),
            },
        ),
    )
    def test_functions(self, corpus, chosen):
        """``corpus_bleu``, ``sentence_bleu`` and ``raw_corpus_bleu``, also by position."""
        hypotheses, references = corpus
        for own, other in ((ours, theirs), (ours.compat, theirs.compat)):
            check(
                own.corpus_bleu(hypotheses, references, **chosen),
                other.corpus_bleu(hypotheses, references, **chosen),
            )
            check(
                own.raw_corpus_bleu(hypotheses, references, 0.3),
                other.raw_corpus_bleu(hypotheses, references, 0.3),
            )
            by_position = ("floor", chosen.get("smooth_value"), True, True, "none", True)
            check(
                own.corpus_bleu(hypotheses, references, *by_position),
                other.corpus_bleu(hypotheses, references, *by_position),
            )
            chosen.pop("force", None)
            several = [stream[0] for stream in references]
            check(
                own.sentence_bleu(hypotheses[0], several, **chosen),
                other.sentence_bleu(hypotheses[0], several, **chosen),
            )

    def test_perfect(self):
        """A perfect score is a little above 100, as it is there."""
        for order in range(1, 7):
            line = "a b c d e f g"
            own = ours.BLEU(max_ngram_order=order).corpus_score([line], [[line]])
            assert own.score == (
                theirs.BLEU(max_ngram_order=order).corpus_score([line], [[line]]).score
            )
        assert ours.sentence_bleu(line, [line]).score == 100.00000000000004

    def test_signatures_of_functions(self):
        """Parameters have the same names, order and defaults; ours may have more."""
        for name in ("corpus_bleu", "sentence_bleu", "raw_corpus_bleu", "BLEU"):
            own = inspect.signature(getattr(ours, name)).parameters
            other = inspect.signature(getattr(theirs, name)).parameters
            assert [(each, own[each].default) for each in own if each != "strict"] == [
                (each, other[each].default) for each in other
            ]

    def test_streams_that_are_no_streams(self):
        """A list of str is taken for streams of letters there, and refused here."""
        with pytest.raises(InputTypeError, match="every letter would be a segment"):
            ours.corpus_bleu(["ab", "cd"], ["ab", "cd"])
        relaxed = ours.corpus_bleu(["ab", "cd"], ["ab", "cd"], strict=False)
        check(relaxed, theirs.corpus_bleu(["ab", "cd"], ["ab", "cd"]))


class TestDeviations:
    """What docs/differences.md lists."""

    def test_no_orders(self):
        """An order of 0 is no score."""
        assert theirs.BLEU(max_ngram_order=0, effective_order=True).max_ngram_order == 0
        with pytest.raises(SettingsError, match="max_order is 0"):
            ours.BLEU(max_ngram_order=0)

    def test_bytes(self):
        """Without a tokenizer bytes pass there."""
        assert theirs.BLEU(tokenize="none").corpus_score(["a"], [["a"], [b"a"]]).ref_len == 1
        with pytest.raises(NotTextError, match=r"references\[0\]\[1\] is of type bytes"):
            ours.BLEU(tokenize="none").corpus_score(["a"], [["a"], [b"a"]])

    def test_nothing_against_nothing(self):
        """An empty hypothesis without a reference has a reference of length -1 there."""
        assert theirs.BLEU(effective_order=True).sentence_score("", [None]).ref_len == -1
        with pytest.raises(NoReferencesError, match="has no reference"):
            ours.BLEU(effective_order=True).sentence_score("", [None])


class TestScoreObjects:
    """``BLEUScore``: fields, text, JSON."""

    @usual
    @given(streams(bad=False), st.integers(0, 5), st.sampled_from([1, 10]))
    def test_formats(self, corpus, width, n_bootstrap):
        """Every combination of options."""
        metrics = [module.BLEU() for module in (theirs, ours)]
        scores = [metric.corpus_score(*corpus, n_bootstrap=n_bootstrap) for metric in metrics]
        signature = str(metrics[0].get_signature())
        for score_only in (False, True):
            for is_json in (False, True):
                for written in ("", signature):
                    if is_json and not written and not score_only:
                        continue
                    other, own = (
                        score.format(width, score_only, written, is_json) for score in scores
                    )
                    assert own == other
        assert str(scores[1]) == str(scores[0])
        json.loads(scores[1].format(signature=signature, is_json=True))
        with pytest.raises(ValueError, match="unpack"):
            scores[1].format(is_json=True)

    def test_copies(self):
        """A score survives copying and pickling, whether its parts have been asked for or not."""
        for touched in (False, True):
            score = ours.sentence_bleu("the cat sat on", ["the cat sat on the mat"])
            expected = theirs.sentence_bleu("the cat sat on", ["the cat sat on the mat"])
            if touched:
                assert score.counts == expected.counts
            for twin in (copy.copy(score), copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
                assert plain(twin) == plain(expected)
        with pytest.raises(AttributeError, match="no attribute 'fraction'"):
            _ = score.fraction

    @usual
    @given(
        st.lists(st.integers(0, 9), min_size=4, max_size=4),
        st.lists(st.integers(0, 9), min_size=4, max_size=4),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(["exp", "none", "floor", "add-k"]),
        st.sampled_from([None, 0.5]),
        st.booleans(),
        st.sampled_from([list, lambda row: np.array(row, "f4"), np.array]),
    )
    def test_compute_bleu(self, counts, totals, hyp, ref, method, value, effective, kind):
        """Counts that no text has, also as arrays; ``add-k`` changes them in place."""
        results = []
        for module in (theirs, ours):
            own, all_ = kind(counts), kind(totals)
            score = outcome(
                lambda own=own, all_=all_, module=module: module.BLEU.compute_bleu(
                    own, all_, hyp, ref, method, value, effective
                )
            )
            shown = repr(score) if isinstance(score, Exception) else (score.score, repr(score))
            results.append((shown, list(own), list(all_)))
        assert results[1] == results[0]


class TestPrivateMembers:
    """What other packages call although its name begins with an underscore."""

    @usual
    @given(metric_settings(), streams(bad=False))
    def test_statistics(self, chosen, corpus):
        """Rows, caches, and scores of both."""
        chosen.pop("smooth_method", None)
        chosen.pop("tokenize", None)
        other, own = theirs.BLEU(**chosen), ours.BLEU(**chosen)
        hypotheses, references = corpus
        rows = other._extract_corpus_statistics(hypotheses, references)
        assert own._extract_corpus_statistics(hypotheses, references) == rows
        assert own._cache_references(references) == other._cache_references(references)
        assert own.num_refs == other.num_refs
        for line in hypotheses:
            assert own._preprocess_segment(line) == other._preprocess_segment(line)
        check(own._aggregate_and_compute(copy.deepcopy(rows)), other._aggregate_and_compute(rows))
        row = np.array(rows, "f4").sum(axis=0)
        scores = [each._compute_score_from_stats(row.copy()) for each in (own, other)]
        assert scores[0].score == scores[1].score
        assert repr(scores[0]) == repr(scores[1])

    @usual
    @given(streams(bad=False))
    def test_references_given_first(self, corpus):
        """A metric that has references scores with None; the cache can be read and replaced."""
        hypotheses, references = corpus
        other, own = (module.BLEU(references=references) for module in (theirs, ours))
        check(own.corpus_score(hypotheses, None), other.corpus_score(hypotheses, None))
        assert own._ref_cache == other._ref_cache
        cache = other._ref_cache[::-1]
        other._ref_cache = own._ref_cache = cache
        check(own.corpus_score(hypotheses, None), other.corpus_score(hypotheses, None))
        for module in (theirs, ours):
            with pytest.raises(RuntimeError):
                module.BLEU().corpus_score(hypotheses, None)

    def test_names(self):
        """Constants and helpers."""
        assert theirs.BLEU.SMOOTH_DEFAULTS == ours.BLEU.SMOOTH_DEFAULTS
        assert list(theirs.BLEU.TOKENIZERS) == list(ours.BLEU.TOKENIZERS)
        assert own_bleu.MAX_NGRAM_ORDER == 4
        assert set(theirs.__all__) == set(ours.__all__)
        assert ours.__version__ == theirs.__version__
        for lengths in ([5], [4, 6], [9, 1, 3]):
            assert ours.BLEU()._get_closest_ref_len(5, lengths) == (
                theirs.BLEU()._get_closest_ref_len(5, lengths)
            )

    @given(text)
    def test_helpers(self, line):
        """N-grams of words and letters."""
        other = sacrebleu.metrics.helpers
        assert own_helpers.extract_all_word_ngrams(line, 1, 4) == (
            other.extract_all_word_ngrams(line, 1, 4)
        )
        words = line.split()
        assert own_helpers.extract_word_ngrams(words, 2) == other.extract_word_ngrams(words, 2)
        for spaces in (False, True):
            assert own_helpers.extract_char_ngrams(line, 3, spaces) == (
                other.extract_char_ngrams(line, 3, spaces)
            )
            assert own_helpers.extract_all_char_ngrams(line, 3, spaces) == (
                other.extract_all_char_ngrams(line, 3, spaces)
            )

    def test_attributes_may_change(self):
        """Who sets an attribute later gets what it says."""
        corpus = ["The Cat sat on"], [["the cat sat on a mat"]]
        other, own = theirs.BLEU(), ours.BLEU()
        for name, value in (
            ("lowercase", True),
            ("smooth_method", "floor"),
            ("smooth_value", 0.4),
            ("max_ngram_order", 2),
            ("effective_order", True),
            ("tokenizer", str.upper),
        ):
            setattr(other, name, value)
            setattr(own, name, value)
            check(own.corpus_score(*corpus), other.corpus_score(*corpus))
            check(
                own.sentence_score(corpus[0][0], corpus[1][0]),
                other.sentence_score(corpus[0][0], corpus[1][0]),
            )

    def test_subclasses(self):
        """A class that counts in its own way is asked how."""
        results = []
        for module in (theirs, ours):

            class Reversed(module.BLEU):
                def _preprocess_segment(self, sent):
                    return " ".join(sent.lower().split()[::-1])

            score = Reversed().corpus_score(["A b C d e"], [["a B c d E f"]])
            results.append(plain(score))
            results.append(plain(Reversed(effective_order=True).sentence_score("A b", ["a b c"])))
        assert results[2:] == results[:2]


def tokenizers(name):
    """Return sacreBLEU's tokenizer of a name, without its cache, and that of the drop-in."""
    module, kind = _TOKENIZERS[name].split(".")
    other, own = (
        getattr(importlib.import_module(f"{package}.tokenizers.{module}"), kind)()
        for package in ("sacrebleu", "truebleu.compat.sacrebleu")
    )
    call = getattr(type(other).__call__, "__wrapped__", type(other).__call__)
    if inner := getattr(other, "_post_tokenizer", None):
        inner_call = type(inner).__call__.__wrapped__
        other._post_tokenizer = lambda line: inner_call(inner, line)
    return other, (lambda line: call(other, line)), own


SPACES = st.text(st.sampled_from(strategies.SPACES), max_size=3)
# What the ends of a line decide about, and white space of all kinds inside and at the ends.
ends = st.sampled_from(
    ["2012.", "1,", "a-", "-", "1-", "&amp", "x€", "。", "カ", "학교", "10%", "", "…"]
)
spaced = st.tuples(SPACES, st.lists(st.tuples(text | ends, SPACES), max_size=4), ends, SPACES).map(
    lambda parts: parts[0] + "".join(map("".join, parts[1])) + parts[2] + parts[3]
)


@pytest.mark.usefixtures("named_models")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", _TOKENIZERS)
class TestTokenizers:
    """Each is a class in a module of its own, and a function from text to text."""

    def test_signatures(self, name):
        """They are sacreBLEU's."""
        other, _, own = tokenizers(name)
        assert own.signature() == other.signature()
        assert isinstance(own, own_base.BaseTokenizer)

    def test_any_line(self, name):
        """Called by itself it leaves white space where sacreBLEU's does, at the end, too."""
        _, call, own = tokenizers(name)

        @settings(deadline=None, max_examples=400)
        @given(spaced)
        def check(line):
            if name.endswith("mecab"):
                # What no library can read is refused here.
                line = line.replace("\0", "")
            if name not in ("none", "13a", "intl", "zh", "char"):
                line = re.sub("[\ud800-\udfff]", "", line)
            assert own(line) == call(line)

        check()

    def test_lines_of_files(self, name):
        """So it does with every line of real files, line feed included."""
        if not DATA.is_dir():
            pytest.skip(f"{DATA} is not there")
        _, call, own = tokenizers(name)
        paths = sorted(DATA.glob("*/*/*.txt"))
        assert paths
        for path in paths:
            for line in path.read_text("utf-8").split("\n")[:120]:
                for variant in (line, f"{line}\n", f" {line} \t", f"{line}\u3000\r\n"):
                    assert own(variant) == call(variant), (path.name, variant)

    def test_scores_are_of_stripped_lines(self, name):
        """White space at the end, which sacreBLEU drops, moves no score."""
        metrics = [module.BLEU(tokenize=name) for module in (theirs, ours)]
        lines = ["It was so in 2011-2012.", "価格は10%、2012年。", "학교 1,000."]
        others = ["So it was in 2011-2012.", "価格は9%、2012年。", "학교에 1,000."]
        for end in ("", " ", "\t \u3000", "\n"):
            for other in ("", " \u2028"):
                corpus = [line + end for line in lines], [[line + other for line in others]]
                scores = [metric.corpus_score(*corpus) for metric in metrics]
                check(scores[1], scores[0])
                assert scores[1].score == metrics[1].corpus_score(lines, [others]).score


class TestSignificance:
    """``PairedTest`` and what belongs to it."""

    SYSTEMS = tuple(
        (name, [" ".join(list("abcdefg")[: 3 + (seed * number) % 5]) for number in range(40)])
        for name, seed in (("A", 2), ("B", 3), ("C", 4))
    )
    REFERENCES = (["a b c d e f"] * 40, ["a b c d x f g"] * 40)

    @pytest.mark.parametrize(
        ("test", "samples", "confidence"), [("bs", 50, -1), ("ar", 70, -1), ("ar", 33, 40)]
    )
    def test_paired(self, test, samples, confidence):
        """Results and signatures."""
        results = []
        for module in (sacrebleu, truebleu.compat.sacrebleu):
            metrics = {"BLEU": module.BLEU(references=self.REFERENCES)}
            found = module.significance.PairedTest(
                self.SYSTEMS, metrics, None, test, samples, confidence, 1
            )
            signatures, scores = found()
            results.append(
                (
                    scores["System"],
                    list(map(repr, scores["BLEU"])),
                    [vars(each) for each in scores["BLEU"]],
                    str(signatures["BLEU"]).split("|version")[0],
                    found.n_samples,
                )
            )
        assert results[1] == results[0]

    def test_defaults(self):
        """0 stands for 10,000 or 1,000."""
        metrics = {"BLEU": ours.BLEU()}
        made = [
            truebleu.compat.sacrebleu.significance.PairedTest(
                self.SYSTEMS[:1], metrics, self.REFERENCES, *how
            )
            for how in (("ar",), ("bs",), ("ar", 5, 0))
        ]
        assert [each.n_samples for each in made] == [10000, 1000, 5]
        assert made[2].n_ar_confidence == 1000

    def test_pieces(self):
        """The functions beside it."""
        scores = np.random.default_rng(0).random(100)
        assert truebleu.compat.sacrebleu.significance.estimate_ci(scores) == (
            sacrebleu.significance.estimate_ci(scores)
        )
        metrics = [module.BLEU() for module in (theirs, ours)]
        stats = metrics[0]._extract_corpus_statistics(self.SYSTEMS[0][1], self.REFERENCES)
        seeds = [
            module.significance._bootstrap_resample(stats, metric, 20)
            for module, metric in zip((sacrebleu, truebleu.compat.sacrebleu), metrics, strict=True)
        ]
        assert seeds[0][0] == seeds[1][0]
        assert [each.score for each in seeds[0][1]] == [each.score for each in seeds[1][1]]

    def test_what_is_not_there(self):
        """Other metrics and kinds of tests are refused."""
        with pytest.raises(AssertionError):
            truebleu.compat.sacrebleu.significance.PairedTest(self.SYSTEMS, {}, None, "t")
        with pytest.raises(SettingsError, match="CHRF is another metric"):
            truebleu.compat.sacrebleu.significance.PairedTest(
                self.SYSTEMS, {"CHRF": theirs.CHRF()}, self.REFERENCES
            )


class TestAround:
    """What is not a number."""

    def test_warnings_come_once(self, caplog):
        """Where sacreBLEU warns on every call."""
        own_bleu._warned.clear()
        lines = ["This is it ."] * 100
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            for _ in range(3):
                ours.BLEU().sentence_score("a b", ["a b"])
                ours.BLEU().corpus_score(lines, [lines])
                ours.BLEU(trg_lang="ja", tokenize="13a")
                ours.BLEU(force=True).corpus_score(lines, [lines])
        messages = [record.message for record in caplog.records]
        assert len(messages) == len(set(messages)) == 5
        own_bleu._warned.clear()
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            caplog.clear()
            theirs.BLEU().sentence_score("a b", ["a b"])
            theirs.BLEU().corpus_score(lines, [lines])
        assert {record.message for record in caplog.records} <= set(messages)

    def test_other_metrics(self):
        """They can be imported, as programs do, and refuse to work."""
        from truebleu.compat.sacrebleu.metrics import CHRF, METRICS, TER

        assert METRICS["BLEU"] is ours.BLEU
        for call in (CHRF, TER, ours.corpus_chrf, ours.sentence_ter):
            with pytest.raises(NotImplementedError, match="truebleu computes BLEU"):
                call()

    def test_it_does_not_import_sacrebleu(self):
        """The drop-in stands alone."""
        code = (
            "import sys, truebleu.compat.sacrebleu.significance, truebleu.compat.nltk\n"
            "import truebleu.compat.sacrebleu.cli, truebleu.compat.huggingface\n"
            "import truebleu.compat.torchmetrics\n"
            "found = {name.split('.')[0] for name in sys.modules}\n"
            "assert not found & {'sacrebleu', 'nltk', 'evaluate', 'torchmetrics', 'torch'}, found"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
