"""The drop-in for sacreBLEU gives sacreBLEU's values, types and errors."""

# Other packages use these private members of sacreBLEU.

import collections
import copy
import importlib
import itertools
import json
import logging
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu as original
import sacrebleu.compat
import sacrebleu.metrics.base
import sacrebleu.metrics.helpers
import sacrebleu.metrics.lib_ter
import sacrebleu.significance
import sacrebleu.tokenizers.tokenizer_ter
import sacrebleu.utils
import strategies
import truebleu.compat.sacrebleu as drop_in
import truebleu.compat.sacrebleu.compat
import truebleu.compat.sacrebleu.significance
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from looping import looped
from project import DATA
from sacrebleu.metrics.bleu import _TOKENIZERS
from truebleu.compat.errors import NoReferencesError, NotTextError
from truebleu.compat.sacrebleu.metrics import arguments as drop_in_arguments
from truebleu.compat.sacrebleu.metrics import base as drop_in_metrics_base
from truebleu.compat.sacrebleu.metrics import lib_ter as drop_in_lib_ter
from truebleu.compat.sacrebleu.tokenizers import tokenizer_base as drop_in_base
from truebleu.compat.sacrebleu.tokenizers import tokenizer_ter as drop_in_ter
from truebleu.errors import InputTypeError, LengthMismatchError

usual = settings(deadline=None, max_examples=60)
of_all_metrics = settings(deadline=None, max_examples=150)


# Both packages log warnings.
logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

text = st.one_of(strategies.soup, strategies.short, strategies.dense_text)


# Arguments of BLEU, some of a tokenizer or smoothing that does not exist.
bleu_settings = st.fixed_dictionaries(
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
chrf_settings = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.sampled_from([6, 1, 3, 8, 0, -1, True]),
        "word_order": st.sampled_from([0, 1, 2, 3]),
        "beta": st.sampled_from([2, 1, 3, 0, 0.5, -2, 2.0, 10**9, 1e200, float("nan")]),
        **dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), st.booleans()),
    },
)
FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
ter_settings = st.fixed_dictionaries({}, optional=dict.fromkeys(FLAGS, st.booleans()))
# The name of a metric, and arguments of it.
metrics = st.one_of(
    st.tuples(st.just("BLEU"), bleu_settings),
    st.tuples(st.just("CHRF"), chrf_settings),
    st.tuples(st.just("TER"), ter_settings),
)
NAMES = ("BLEU", "CHRF", "TER")


@st.composite
def streams(draw, bad=True):
    """Draw hypotheses and reference streams, sometimes of a wrong type or shape."""
    count = draw(st.integers(1, 5))
    wrong_item = st.sampled_from([None, 7, b"bytes"])
    item = st.one_of(text, wrong_item) if bad and draw(st.integers(0, 9)) == 0 else text
    hypotheses = draw(st.lists(item, min_size=count, max_size=count))
    references = []
    for _ in range(draw(st.integers(1, 3))):
        reference = st.one_of(text, st.none()) if bad and draw(st.booleans()) else item
        references.append(draw(st.lists(reference, min_size=count, max_size=count)))
    if bad and draw(st.integers(0, 9)) == 0:
        wrong = [[], None, [[]], hypotheses, "abc", 3, [None], [3], tuple(references)]
        if draw(st.booleans()):
            references = draw(st.sampled_from(wrong))
        else:
            hypotheses = draw(st.sampled_from([[], None, "abc", 3, (*hypotheses,)]))
    return hypotheses, references


def outcome(call):
    """Return what a call returns or raises."""
    try:
        return call()
    except Exception as error:
        return error


def plain(result):
    """Return the components of a score with their types, or the result itself."""
    if isinstance(result, sacrebleu.metrics.base.Score | drop_in_metrics_base.Score):
        assert repr(result)  # Computes the components.
        return {name: (type(item), item) for name, item in sorted(vars(result).items())}
    return result


def check(result, expected, *, refused=()):
    """Compare two outcomes: the class of an error includes that of the expected one.

    Exceptions of the classes in `refused` may take the place of any result.
    """
    if isinstance(expected, Exception):
        assert isinstance(result, type(expected)), (result, expected)
    elif not (isinstance(result, Exception) and isinstance(result, refused)):
        if isinstance(result, Exception):
            raise result
        assert plain(result) == plain(expected)


class TestScores:
    """Drawn calls have the same values, types and errors."""

    def test_no_signature_before_a_score(self):
        """A signature needs the number of references, from a score or from the constructor."""
        for module in (original, drop_in):
            with pytest.raises(ValueError, match="Number of references unknown"):
                module.BLEU().get_signature()
            metric = module.BLEU(references=[["a"], ["b"]])
            assert metric.get_signature().info["nrefs"] == 2

    @looped("method", drop_in.BLEU.SMOOTH_DEFAULTS)
    @looped("effective", [True, False])
    @looped("value", [None, 0.1, 0.3, 1, 3, 1000])
    def test_sentences_above_100(self, method, effective, value):
        """How far above 100 depends on length and smoothing; 100 from the core may be a limit."""
        lines = [" ".join("abcdef"[:length]) for length in range(1, 7)]
        pairs = [("a b", "a c"), ("a b c d", "a x c y"), *((line, line) for line in lines)]
        for line, other in pairs:
            arguments = line, [other], method, value
            theirs, ours = (
                module.sentence_bleu(*arguments, use_effective_order=effective)
                for module in (original, drop_in)
            )
            assert (ours.score, ours.precisions) == (theirs.score, theirs.precisions)

    def test_a_sentence_is_scored_alike_by_the_core_and_in_python(self):
        """A score that the core has made has the components and methods of any other."""
        line, references = "the cat sat on the mat", ["the cat sat on a mat", None, "a cat sat"]
        metric = drop_in.BLEU(effective_order=True)
        # A list of its own kind is not passed to the core.
        texts = (references, collections.UserList(references))
        one, other = (metric.sentence_score(line, each) for each in texts)
        assert metric.num_refs == 2
        assert drop_in.sentence_bleu(line, references).score == one.score == other.score
        assert pickle.loads(pickle.dumps(one)).counts == other.counts
        assert repr(one) == repr(other)
        assert vars(one) == vars(other)
        with pytest.raises(AttributeError, match="'BLEUScore' object has no attribute 'foo'"):
            _ = one.foo
        one.counts, one.score = [1], 2.0
        assert (one.counts, one.score) == ([1], 2.0)

    @looped("references", [[["a"], []], [["a"], ""], ["a", ""]])
    def test_empty_streams(self, references):
        """With ``strict=False`` an empty stream raises an exception of sacreBLEU's class."""
        expected = outcome(lambda: original.corpus_bleu(["a"], references))
        assert isinstance(expected, IndexError)
        check(outcome(lambda: drop_in.corpus_bleu(["a"], references, strict=False)), expected)


class TestDeviations:
    """The drop-in differs from sacreBLEU as docs/differences.md says."""

    def test_bytes(self):
        """Bytes are refused, which sacreBLEU accepts with the tokenizer ``none``."""
        assert original.BLEU(tokenize="none").corpus_score(["a"], [["a"], [b"a"]]).ref_len == 1
        with pytest.raises(NotTextError, match=r"references\[0\]\[1\] is of type bytes"):
            drop_in.BLEU(tokenize="none").corpus_score(["a"], [["a"], [b"a"]])

    def test_nothing_against_nothing(self):
        """An empty hypothesis without references is refused; sacreBLEU scores it."""
        assert original.BLEU(effective_order=True).sentence_score("", [None]).ref_len == -1
        with pytest.raises(NoReferencesError, match="has no reference"):
            drop_in.BLEU(effective_order=True).sentence_score("", [None])


class TestScoreObjects:
    """A ``BLEUScore`` has the same attributes."""

    def test_copies(self):
        """A score can be copied and pickled before and after its components are computed."""
        for computed in (False, True):
            score = drop_in.sentence_bleu("the cat sat on", ["the cat sat on the mat"])
            expected = original.sentence_bleu("the cat sat on", ["the cat sat on the mat"])
            if computed:
                assert score.counts == expected.counts
            pickled = pickle.loads(pickle.dumps(score))
            for duplicate in (copy.copy(score), copy.deepcopy(score), pickled):
                assert plain(duplicate) == plain(expected)
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
        """``compute_bleu`` is the same for any counts, which ``add-k`` changes in place."""
        results = []
        for module in (original, drop_in):
            correct, total = kind(counts), kind(totals)
            score = outcome(
                lambda correct=correct, total=total, module=module: module.BLEU.compute_bleu(
                    correct, total, hyp, ref, method, value, effective
                )
            )
            shown = repr(score) if isinstance(score, Exception) else (score.score, repr(score))
            results.append((shown, list(correct), list(total)))
        assert results[1] == results[0]


def tokenizers(name):
    """Return sacreBLEU's tokenizer, its function without the cache, and the drop-in's tokenizer."""
    module, kind = _TOKENIZERS[name].split(".")
    expected, tokenizer = (
        getattr(importlib.import_module(f"{package}.tokenizers.{module}"), kind)()
        for package in ("sacrebleu", "truebleu.compat.sacrebleu")
    )
    call = getattr(type(expected).__call__, "__wrapped__", type(expected).__call__)
    if inner := getattr(expected, "_post_tokenizer", None):
        inner_call = type(inner).__call__.__wrapped__
        expected._post_tokenizer = lambda line: inner_call(inner, line)
    return expected, (lambda line: call(expected, line)), tokenizer


SPACES = st.text(st.sampled_from(strategies.SPACES), max_size=3)
# Tokens whose split depends on the end of the line, and white space of all kinds.
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
    """Each tokenizer has the same class and module, and gives the same text."""

    def test_signatures(self, name):
        """The name of a tokenizer in signatures is sacreBLEU's."""
        expected, _, tokenizer = tokenizers(name)
        assert tokenizer.signature() == expected.signature()
        assert isinstance(tokenizer, drop_in_base.BaseTokenizer)

    def test_any_line(self, name):
        """The text is the same for any line, including white space."""
        _, call, tokenizer = tokenizers(name)

        @settings(deadline=None, max_examples=400)
        @given(spaced)
        def check(line):
            if name.endswith("mecab"):
                # The drop-in refuses what the libraries cannot read.
                line = line.replace("\0", "")
            if name not in ("none", "13a", "intl", "zh", "char"):
                line = re.sub("[\ud800-\udfff]", "", line)
            assert tokenizer(line) == call(line)

        check()

    def test_lines_of_files(self, name):
        """The text is the same for every line of real files, including the line feed."""
        if not DATA.is_dir():
            pytest.skip(f"{DATA} does not exist")
        _, call, tokenizer = tokenizers(name)
        paths = sorted(DATA.glob("*/*/*.txt"))
        assert paths
        for path in paths:
            for number, line in enumerate(path.read_text("utf-8").split("\n")[:120]):
                before, after = (("", ""), ("", "\n"), (" ", " \t"), ("", "\u3000\r\n"))[number % 4]
                variant = f"{before}{line}{after}"
                assert tokenizer(variant) == call(variant), (path.name, variant)

    def test_scores_are_of_stripped_lines(self, name):
        """Trailing white space changes no score, as in sacreBLEU."""
        metrics = [module.BLEU(tokenize=name) for module in (original, drop_in)]
        lines = ["It was so in 2011-2012.", "価格は10%、2012年。", "학교 1,000."]
        references = ["So it was in 2011-2012.", "価格は9%、2012年。", "학교에 1,000."]
        stripped = metrics[1].corpus_score(lines, [references]).score
        for end in ("", " ", "\t \u3000", "\n"):
            for reference_end in ("", " \u2028"):
                stream = [line + reference_end for line in references]
                corpus = [line + end for line in lines], [stream]
                scores = [metric.corpus_score(*corpus) for metric in metrics]
                check(scores[1], scores[0])
                assert scores[1].score == stripped


class TestSignificance:
    """The module ``significance`` gives the same results."""

    SYSTEMS = tuple(
        (name, [" ".join(list("abcdefg")[: 3 + (seed * number) % 5]) for number in range(40)])
        for name, seed in (("A", 2), ("B", 3), ("C", 4))
    )
    REFERENCES = (["a b c d e f"] * 40, ["a b c d x f g"] * 40)

    # The last has 3 references, so that the order of additions matters to the length of TER's.
    METRICS = (
        ({"BLEU": {}}, 2),
        ({"CHRF": {}, "TER": {}, "BLEU": {}}, 2),
        ({"TER": {"normalized": True}, "CHRF": {"word_order": 2, "eps_smoothing": True}}, 1),
        ({"TER": {}, "CHRF": {"beta": 3, "whitespace": True}}, 3),
    )

    @staticmethod
    def outcome_of(test):
        """Return the results and signatures of a paired test."""
        signatures, scores = test()
        names = list(signatures)
        return (
            {name: list(map(repr, scores[name])) for name in ("System", *names)},
            [
                [(type(value), value) for value in vars(each).values()]
                for name in names
                for each in scores[name]
            ],
            {name: str(each).split("|version")[0] for name, each in signatures.items()},
            list(test.metrics),
            test.n_samples,
        )

    @pytest.mark.parametrize(("chosen", "count"), METRICS)
    @looped("seed", ["12345", "7"])
    @looped("test, samples, confidence", [("bs", 50, -1), ("ar", 70, -1), ("ar", 33, 40)])
    def test_paired(self, test, samples, confidence, chosen, count, seed, monkeypatch):
        """Paired tests have the same results and signatures, types included."""
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        references = (*self.REFERENCES, ["b c d e f a g", "a"] * 20)[:count]
        results = [
            self.outcome_of(
                module.significance.PairedTest(
                    self.SYSTEMS,
                    {
                        name: getattr(module, name)(references=references, **settings)
                        for name, settings in chosen.items()
                    },
                    None,
                    test,
                    samples,
                    confidence,
                    1,
                )
            )
            for module in (sacrebleu, truebleu.compat.sacrebleu)
        ]
        assert results[1] == results[0]

    @pytest.mark.parametrize(("test", "samples"), [("bs", 40), ("ar", 64)])
    def test_any_metric(self, test, samples):
        """Metrics of sacreBLEU and subclasses, which Python scores, have the core's results."""

        class Renamed(drop_in.CHRF):
            def _compute_score_from_stats(self, stats):
                return super()._compute_score_from_stats(stats)

        for kinds in ((drop_in.CHRF, original.CHRF, Renamed), (drop_in.TER, original.TER)):
            results = [
                self.outcome_of(
                    truebleu.compat.sacrebleu.significance.PairedTest(
                        self.SYSTEMS, {"metric": kind()}, self.REFERENCES, test, samples
                    )
                )
                for kind in kinds
            ]
            assert results == results[:1] * len(results)

    @pytest.mark.parametrize("seed", ["none", "0"])
    @pytest.mark.parametrize("test", ["bs", "ar"])
    def test_metrics_share_samples(self, test, seed, monkeypatch):
        """With a new seed for each system, all metrics score the same samples."""
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        chosen = {"first": drop_in.CHRF(), "second": drop_in.CHRF(word_order=1, char_order=5)}
        # The same statistics twice, so that equal samples have equal p-values.
        chosen["second"].__class__ = type(
            "Same",
            (drop_in.CHRF,),
            {
                "_extract_corpus_statistics": chosen["first"]._extract_corpus_statistics,
                "_compute_score_from_stats": lambda _, stats: drop_in.metrics.CHRFScore(
                    chosen["first"]._compute_f_score(stats), 6, 0, 1
                ),
            },
        )
        chosen["first"].num_refs = chosen["second"].num_refs = 2
        run = truebleu.compat.sacrebleu.significance.PairedTest(
            self.SYSTEMS, chosen, self.REFERENCES, test, 30
        )
        _, scores = run()
        assert list(map(repr, scores["chrF2"][1:])) == list(map(repr, scores["chrF1"][1:]))

    def test_defaults(self):
        """By default a test has 10,000 trials, or 1,000 bootstrap samples."""
        metrics = {"BLEU": drop_in.BLEU()}
        tests = [
            truebleu.compat.sacrebleu.significance.PairedTest(
                self.SYSTEMS[:1], metrics, self.REFERENCES, *options
            )
            for options in (("ar",), ("bs",), ("ar", 5, 0))
        ]
        assert [each.n_samples for each in tests] == [10000, 1000, 5]
        assert tests[2].n_ar_confidence == 1000

    def test_functions(self):
        """The other functions of the module give the same numbers."""
        scores = np.random.default_rng(0).random(100)
        assert truebleu.compat.sacrebleu.significance.estimate_ci(scores) == (
            sacrebleu.significance.estimate_ci(scores)
        )
        for name in ("BLEU", "CHRF", "TER"):
            metrics = [getattr(module, name)() for module in (original, drop_in)]
            stats = metrics[0]._extract_corpus_statistics(self.SYSTEMS[0][1], self.REFERENCES)
            (expected_seed, expected), (seed, scores) = [
                module.significance._bootstrap_resample(stats, metric, 20)
                for module, metric in zip(
                    (sacrebleu, truebleu.compat.sacrebleu), metrics, strict=True
                )
            ]
            assert seed == expected_seed
            assert list(map(repr, scores)) == list(map(repr, expected))
            found = [[(type(each.score), each.score) for each in own] for own in (scores, expected)]
            assert found[0] == found[1]

    def test_unsupported(self):
        """Other types of tests are refused."""
        with pytest.raises(AssertionError):
            truebleu.compat.sacrebleu.significance.PairedTest(self.SYSTEMS, {}, None, "t")


def mixes_types(error):
    """Return whether sacreBLEU has failed because scores of samples are of two types."""
    return isinstance(error, TypeError) and "don't know how to coerce" in str(error)


class TestAllMetrics:
    """All metrics have the same values, types and errors for drawn calls."""

    @of_all_metrics
    @given(metrics, streams(), st.sampled_from([1, 1, 5]))
    # These are counted in Python.
    @example(("CHRF", {"char_order": 0}), ("abc", [["", ""]]), 1)
    @example(("CHRF", {"char_order": 0}), (["a", "b"], [[""]]), 1)
    def test_corpus(self, chosen, corpus, n_bootstrap):
        """``corpus_score`` is the same, but refuses mistakes unless ``strict=False``."""
        name, arguments = chosen

        def score(module, **more):
            metric = getattr(module, name)(**arguments, **more)
            return metric.corpus_score(*corpus, n_bootstrap=n_bootstrap)

        expected = outcome(lambda: score(original))
        if mixes_types(expected):
            return
        result = outcome(lambda: score(drop_in))
        if not (isinstance(result, InputTypeError) and "every character" in str(result)):
            refused = (LengthMismatchError, InputTypeError)
            # sacreBLEU scores an empty hypothesis without references under BLEU.
            refused += (NoReferencesError,) * (name == "BLEU")
            check(result, expected, refused=refused)
        check(outcome(lambda: score(drop_in, strict=False)), expected)

    @of_all_metrics
    @given(metrics, streams(bad=False), st.integers(0, 5), st.sampled_from([1, 9]))
    def test_signatures_and_formats(self, chosen, corpus, width, n_bootstrap):
        """Signatures, long and short, differ only in the version; scores print the same text."""
        name, arguments = chosen
        pair = [outcome(lambda m=m: getattr(m, name)(**arguments)) for m in (original, drop_in)]
        if isinstance(pair[0], Exception):
            check(pair[1], pair[0])
            return
        scores = [
            outcome(lambda metric=metric: metric.corpus_score(*corpus, n_bootstrap=n_bootstrap))
            for metric in pair
        ]
        if isinstance(scores[0], Exception):
            return
        check(scores[1], scores[0])
        assert str(scores[1]) == str(scores[0])
        version = f"truebleu-{truebleu.__version__}"
        for short in (False, True):
            expected, signature = (metric.get_signature().format(short) for metric in pair)
            assert signature == expected.replace(original.__version__, version)
        shown = str(pair[0].get_signature())
        for score_only, said in itertools.product((False, True), ("", shown, "a:b")):
            for is_json in (False, True):
                if said or not is_json or score_only:
                    found = [each.format(width, score_only, said, is_json) for each in scores]
                    assert found[1] == found[0]
        json.loads(scores[1].format(signature=shown, is_json=True))
        with pytest.raises(ValueError, match="unpack"):
            scores[1].format(is_json=True)

    @of_all_metrics
    @given(metrics, text, st.lists(st.one_of(text, st.none()), max_size=4))
    def test_sentence(self, chosen, hypothesis, references):
        """``sentence_score`` is the same, even if references are missing."""
        name, arguments = chosen
        expected, result = (
            outcome(
                lambda m=m: getattr(m, name)(**arguments).sentence_score(hypothesis, references)
            )
            for m in (original, drop_in)
        )
        # sacreBLEU scores an empty hypothesis without references under BLEU.
        check(result, expected, refused=NoReferencesError if name == "BLEU" else ())

    @looped(
        "arguments",
        [
            *({"char_order": bad} for bad in ("6", None, 6.5, [6])),
            *({"word_order": bad} for bad in ("2", None, 1.5)),
            *({"beta": bad} for bad in ("2", None, [2])),
            {"char_order": 0},
            {"char_order": 0, "eps_smoothing": True},
            {"char_order": -1, "word_order": 1},
            {"char_order": 1001},
            {"word_order": np.int64(2), "beta": np.int64(3)},
            {"beta": 10**200},
            {"lowercase": "yes", "whitespace": [], "eps_smoothing": 0.5},
            {"tokenize": "13a"},
        ],
    )
    def test_odd_settings(self, arguments):
        """Settings outside truebleu's range have sacreBLEU's scores and errors."""
        corpus = ["The cat, and a dog", "b"], [["The cat, or the dog", ""], ["A cat", "b c"]]
        expected, result = (
            outcome(lambda m=m: m.CHRF(**arguments, references=corpus[1]).corpus_score(*corpus))
            for m in (original, drop_in)
        )
        check(result, expected)

    @usual
    @given(
        streams(bad=False),
        st.lists(st.booleans(), min_size=5, max_size=5),
        st.tuples(st.integers(1, 7), st.integers(0, 3), st.integers(1, 4)),
        st.sampled_from(["exp", "floor", "add-k"]),
        st.sampled_from([None, 0.2]),
        st.sampled_from(["13a", "none", "char"]),
    )
    def test_functions(self, corpus, flags, orders, method, value, tokenize):
        """The functions give the same scores, with arguments by name or by position."""
        hypotheses, references = corpus
        first = hypotheses[0], [stream[0] for stream in references]
        by_name = dict(zip(FLAGS, flags, strict=False))
        bleu = {"smooth_method": method, "smooth_value": value, "tokenize": tokenize}
        bleu |= {"lowercase": flags[0], "use_effective_order": flags[1]}

        def calls(module):
            return [
                module.corpus_bleu(*corpus, **bleu, force=flags[2]),
                module.raw_corpus_bleu(*corpus, 0.3),
                module.corpus_bleu(*corpus, method, value, *flags[:2], tokenize, flags[2]),
                module.sentence_bleu(*first, **bleu),
                module.corpus_chrf(*corpus, *orders, *flags[:2]),
                module.corpus_chrf(*corpus, remove_whitespace=flags[2]),
                module.sentence_chrf(*first, *orders, *flags[:2]),
                module.sentence_chrf(*first, word_order=2, eps_smoothing=flags[4]),
                module.corpus_ter(*corpus, *flags[:4]),
                module.corpus_ter(*corpus, **by_name),
                module.sentence_ter(*first, *flags[:4]),
                module.sentence_ter(*first, **by_name),
            ]

        for modules in ((drop_in, original), (drop_in.compat, original.compat)):
            for result, expected in zip(*map(calls, modules), strict=True):
                check(result, expected)

    @looped("count", [1, 2, 3, 5, 6, 7, 16, 17, 33])
    def test_many_references(self, count):
        """Of any number of references, also if the mean length is no multiple of 1/16."""
        random = np.random.default_rng(count)
        draw = lambda: " ".join(random.choice(list("abcdef"), random.integers(1, 9)))  # noqa: E731
        corpus = [draw() for _ in range(40)], [[draw() for _ in range(40)] for _ in range(count)]
        for chosen in ({}, {"normalized": True}):
            metrics = [module.TER(**chosen) for module in (original, drop_in)]
            for samples in (1, 12):
                scores = [metric.corpus_score(*corpus, n_bootstrap=samples) for metric in metrics]
                check(scores[1], scores[0])
            stats = [metric._extract_corpus_statistics(*corpus) for metric in metrics]
            assert stats[1] == stats[0]
        check(drop_in.corpus_chrf(*corpus), original.corpus_chrf(*corpus))

    def test_samples_of_two_types(self):
        """Where some samples have no match, there is an interval; sacreBLEU fails."""
        corpus = ["a b c", "x y z", "q"], [["a b d", "k l m", "q"]]
        error = outcome(lambda: original.CHRF().corpus_score(*corpus, n_bootstrap=50))
        assert mixes_types(error)
        score = drop_in.CHRF().corpus_score(*corpus, n_bootstrap=50)
        assert 0 < score._ci < score._mean < 100

    @pytest.mark.parametrize("name", ["CHRF", "TER"])
    def test_missing_references(self, name):
        """A segment without references raises an exception of sacreBLEU's class, with its index."""
        for corpus in (
            (["a"], [[None]]),
            (["a", "b"], [[None, "b"]]),
            (["a", "b"], [["a", None]]),
            (["a", "b"], [["a", None]] * 20),
        ):
            expected, result = (
                outcome(lambda m=m, corpus=corpus: getattr(m, name)().corpus_score(*corpus))
                for m in (original, drop_in)
            )
            assert isinstance(expected, Exception)
            check(result, expected)
            assert re.search(r"references\[\d\]: segment \d has no reference", str(result))

    def test_punctuation(self):
        """The expressions of TER's tokenizer find the same characters."""
        for name in ("ASIAN_PUNCT", "FULL_WIDTH_PUNCT"):
            kinds = (
                each.TercomTokenizer for each in (sacrebleu.tokenizers.tokenizer_ter, drop_in_ter)
            )
            one, other = (re.compile(getattr(kind, name)) for kind in kinds)
            every = "".join(map(chr, range(0x10000)))
            assert one.findall(every) == other.findall(every)


def subclasses_of(module):
    """Return classes derived from those of a module, which count or score in their own way."""

    class Longest(module.CHRF):
        def _get_match_statistics(self, hyp_ngrams, ref_ngrams):
            return [max(hyp_ngrams.values(), default=1), len(ref_ngrams), 1]

    class Reversed(module.BLEU):
        def _preprocess_segment(self, sent):
            return " ".join(sent.lower().split()[::-1])

    class Backwards(module.TER):
        def _preprocess_segment(self, sent):
            return " ".join(sent.lower().split()[::-1])

    class Doubled(module.TER):
        def _compute_score_from_stats(self, stats):
            score = super()._compute_score_from_stats(stats)
            return type(score)(2 * score.score, score.num_edits, score.ref_length)

    class Own(importlib.import_module(f"{module.__name__}.metrics.base").Metric):
        """A metric with sacreBLEU's base class and methods, and nothing else."""

        def _preprocess_segment(self, sent):
            return sent.lower()

        def _extract_reference_info(self, refs):
            return {"refs": refs}

        def _compute_segment_statistics(self, hypothesis, ref_kwargs):
            return [hypothesis in ref_kwargs["refs"], len(hypothesis)]

        def _compute_score_from_stats(self, stats):
            return module.metrics.TERScore(float(stats[0]), 1, 1)

        def _aggregate_and_compute(self, stats):
            return self._compute_score_from_stats(np.array(stats).sum(axis=0))

    return Longest, Reversed, Backwards, Doubled, Own


def subclasses_that_extract(module):
    """Return classes that change the statistics of segments after they have been counted."""

    class Negated(module.TER):
        def _extract_corpus_statistics(self, hypotheses, references):
            rows = super()._extract_corpus_statistics(hypotheses, references)
            return [[-edits, length] for edits, length in rows]

    class Halved(module.BLEU):
        def _extract_corpus_statistics(self, hypotheses, references):
            rows = super()._extract_corpus_statistics(hypotheses, references)
            return [[number // 2 for number in row] for row in rows]

    return Negated, Halved


class TestPrivateMembersOfAllMetrics:
    """Methods with an underscore work the same."""

    @of_all_metrics
    @given(metrics, streams(bad=False))
    def test_statistics(self, chosen, corpus):
        """Statistics, cached references and the scores of both are the same."""
        name, arguments = chosen
        assume(arguments.get("beta") != 1e200)  # Its square is an error in both.
        arguments = {k: v for k, v in arguments.items() if k not in ("smooth_method", "tokenize")}
        expected, metric = (getattr(module, name)(**arguments) for module in (original, drop_in))
        # Without an order, sacreBLEU divides by zero.
        assume(getattr(expected, "order", 1) or not expected.eps_smoothing)
        hypotheses, references = corpus
        rows = expected._extract_corpus_statistics(hypotheses, references)
        assert metric._extract_corpus_statistics(hypotheses, references) == rows
        cache = expected._cache_references(references)
        assert metric._cache_references(references) == cache
        assert metric.num_refs == expected.num_refs
        for line, info in zip(hypotheses, cache, strict=True):
            # Of BLEU, lines are given as they are split.
            processed = expected._preprocess_segment(line)
            assert metric._preprocess_segment(line) == processed
            assert metric._compute_segment_statistics(processed, info) == (
                expected._compute_segment_statistics(processed, info)
            )
            assert metric._extract_reference_info([line]) == expected._extract_reference_info(
                [line]
            )
        check(
            outcome(lambda: metric._aggregate_and_compute(rows)),
            outcome(lambda: expected._aggregate_and_compute(rows)),
        )
        sums = [rows[0]]
        # With a beta of nan no reference is ever the best one: the row of a segment with any
        # n-gram at all is empty then, and rows of two widths have no sum.
        if len({len(row) for row in rows}) == 1:
            sums += [np.array(rows, "f4").sum(axis=0), np.array(rows).sum(axis=0)]
        for row in sums:
            one, other = (
                outcome(lambda each=each, row=row: each._compute_score_from_stats(row))
                for each in (metric, expected)
            )
            if name == "BLEU":
                # Its components are arrays, then.
                assert (one.score, repr(one)) == (other.score, repr(other))
            else:
                check(one, other)

    @of_all_metrics
    @given(st.sampled_from(NAMES), streams(bad=False))
    def test_references_given_first(self, name, corpus):
        """A metric created with references scores with None, and its cache can be replaced."""
        hypotheses, references = corpus
        expected, metric = (
            getattr(module, name)(references=references) for module in (original, drop_in)
        )
        assert metric.num_refs == expected.num_refs
        check(metric.corpus_score(hypotheses, None), expected.corpus_score(hypotheses, None))
        assert metric._ref_cache == expected._ref_cache
        expected._ref_cache = metric._ref_cache = expected._ref_cache[::-1]
        check(metric.corpus_score(hypotheses, None), expected.corpus_score(hypotheses, None))
        for module in (original, drop_in):
            with pytest.raises(RuntimeError):
                getattr(module, name)().corpus_score(hypotheses, None)

    @usual
    @given(text, text, st.integers(1, 3), st.booleans())
    def test_methods_of_chrf(self, one, other, order, whitespace):
        """Words, n-grams, matches and F-scores, as programs for decoding call them."""
        results = []
        for module in (original, drop_in):
            metric = module.CHRF(order, order, whitespace=whitespace)
            helpers = importlib.import_module(f"{module.__name__}.metrics.helpers")
            words = [metric._remove_punctuation(line) for line in (one, other)]
            grams = [helpers.extract_word_ngrams(each, order) for each in words]
            row = metric._get_match_statistics(*grams)
            info = metric._extract_reference_info([other])
            stats = metric._compute_segment_statistics(one, info)
            results.append((words, grams, row, info, stats, metric._compute_f_score(stats)))
        assert results[1] == results[0]

    @given(ter_settings, strategies.dense_text)
    def test_tercom(self, flags, line):
        """The tokenizer gives the same text, also if it tokenizes it again."""
        one, other = (
            each.TercomTokenizer(**flags)
            for each in (sacrebleu.tokenizers.tokenizer_ter, drop_in_ter)
        )
        assert other(line) == one(line)
        assert other(other(line)) == one(one(line))
        if not flags.get("normalized"):
            # So tokenizing references twice makes no difference.
            assert other(other(line)) == other(line)
        assert other.signature() == one.signature() == "tercom"
        assert isinstance(other, drop_in_base.BaseTokenizer)

    def test_tercom_takes_text_only(self):
        """Anything else is refused, unless it is empty."""
        assert drop_in_ter.TercomTokenizer()(None) == ""
        with pytest.raises(AttributeError, match="is of type int; a str is needed"):
            drop_in_ter.TercomTokenizer()(3)

    words = st.lists(st.sampled_from("abcd"), max_size=12)

    @usual
    @given(words, words, st.data())
    def test_steps_of_ter(self, hypothesis, reference, data):
        """Distances, traces, alignments, candidates and shifts are the same."""
        results = []
        length = data.draw(st.integers(1, max(1, len(hypothesis))))
        start = data.draw(st.integers(0, max(0, len(hypothesis) - length)))
        target = data.draw(st.integers(0, len(hypothesis)))
        for module in (sacrebleu.metrics.lib_ter, drop_in_lib_ter):
            distance = module.BeamEditDistance(reference)
            found, trace = distance(hypothesis)
            flipped = module._flip_trace(trace)
            results.append(
                (
                    module.translation_edit_rate(hypothesis, reference),
                    *(found, trace, flipped),
                    *(module.trace_to_alignment(each) for each in (trace, flipped)),
                    list(module._find_shifted_pairs(hypothesis, reference)),
                    module._shift(hypothesis, reference, distance, 0) if reference else None,
                    module._shift(hypothesis, reference, distance, 998) if reference else None,
                    module._perform_shift(hypothesis, start, length, target),
                )
            )
        assert results[1] == results[0]
        for module in (sacrebleu.metrics.lib_ter, drop_in_lib_ter):
            with pytest.raises(Exception, match="unknown operation 'z'"):
                module.trace_to_alignment(" z")

    @looped(
        "hypothesis, reference",
        [
            (["x"], ["y"] * 200),
            (["y"] * 3, ["y"] * 200),
            (["y"] * 200, ["y"] * 3),
            ([], ["y"]),
            (["a"] * 60, ["a", "b"] * 30),
            (["b", "c"] * 40 + ["a"] * 60, ["a", "b"] * 70),
            (["with space", "", "2"], ["2", "with space", ""]),
            ([1, 2.5, (3,)], [2.5, (3,), 1]),
        ],
    )
    def test_long_and_odd_words(self, hypothesis, reference):
        """The beam, the bounds of shifts, and words that are no words."""
        modules = (sacrebleu.metrics.lib_ter, drop_in_lib_ter)
        rates = [module.translation_edit_rate(hypothesis, reference) for module in modules]
        assert rates[1] == rates[0]
        traces = [module.BeamEditDistance(reference)(hypothesis) for module in modules]
        assert traces[1] == traces[0]

    def test_attributes_may_change(self):
        """A setting that is changed after construction has the effect that it has in sacreBLEU."""
        corpus = ["The Cat sat on, it"], [["the cat sat on a mat. it"], ["a Cat"]]
        sentence = corpus[0][0], [stream[0] for stream in corpus[1]]
        changes = {
            "BLEU": (("lowercase", True), ("smooth_method", "floor"), ("smooth_value", 0.4),
                     ("max_ngram_order", 2), ("effective_order", True), ("tokenizer", str.upper)),
            "CHRF": (("lowercase", True), ("whitespace", True), ("beta", 3), ("beta", 0.5),
                     ("eps_smoothing", True), ("char_order", 4), ("order", 4), ("word_order", 2)),
            "TER": (("normalized", True), ("case_sensitive", True), ("tokenizer", str.upper)),
        }  # fmt: skip
        for name, settings_of in changes.items():
            expected, metric = (getattr(module, name)() for module in (original, drop_in))
            for attribute, value in settings_of:
                setattr(expected, attribute, value)
                setattr(metric, attribute, value)
                check(
                    outcome(lambda metric=metric: metric.corpus_score(*corpus)),
                    outcome(lambda metric=expected: metric.corpus_score(*corpus)),
                )
                check(
                    outcome(lambda metric=metric: metric.sentence_score(*sentence)),
                    outcome(lambda metric=expected: metric.sentence_score(*sentence)),
                )
                if (name, attribute) != ("BLEU", "tokenizer"):  # A function has no signature.
                    signatures = [
                        str(each.get_signature()).split("|v")[0] for each in (metric, expected)
                    ]
                    assert signatures[0] == signatures[1]

    @pytest.mark.parametrize("samples", [1, 10])
    def test_subclasses(self, samples):
        """A subclass that overrides how segments are counted or scored scores the same."""
        corpus = ["A b C d e", "f g"], [["a B c d E f", "f h"]]
        results = []
        for module in (original, drop_in):
            for kind in (*subclasses_of(module), *subclasses_that_extract(module)):
                metric = kind()
                results.append(plain(metric.corpus_score(*corpus, n_bootstrap=samples)))
                results.append(plain(metric.sentence_score("A b", ["a b c", None])))
        assert results[len(results) // 2 :] == results[: len(results) // 2]


class TestEverythingElse:
    """Warnings and imports."""

    def test_warnings_come_once(self, caplog):
        """Each warning is given once, where sacreBLEU warns on every call."""
        drop_in_arguments.warned.clear()
        lines = ["This is it ."] * 100
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            drop_in.BLEU(force=True).corpus_score(lines, [lines])
            assert not caplog.records
            for _ in range(3):
                drop_in.BLEU().sentence_score("a b", ["a b"])
                drop_in.BLEU().corpus_score(lines, [lines])
                drop_in.BLEU(trg_lang="ja", tokenize="13a")
        messages = [record.message for record in caplog.records]
        assert len(messages) == len(set(messages)) == 5
        drop_in_arguments.warned.clear()
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            caplog.clear()
            original.BLEU().sentence_score("a b", ["a b"])
            original.BLEU().corpus_score(lines, [lines])
        assert {record.message for record in caplog.records} <= set(messages)

    def test_it_does_not_import_sacrebleu(self):
        """The drop-ins import none of the packages they replace."""
        code = (
            "import sys, truebleu.compat.sacrebleu.significance, truebleu.compat.nltk\n"
            "import truebleu.compat.sacrebleu.cli, truebleu.compat.huggingface\n"
            "import truebleu.compat.torchmetrics\n"
            "loaded = {name.split('.')[0] for name in sys.modules}\n"
            "originals = {'sacrebleu', 'nltk', 'evaluate', 'torchmetrics', 'torch'}\n"
            "assert not loaded & originals, loaded"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
