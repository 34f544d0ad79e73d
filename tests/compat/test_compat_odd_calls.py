"""Odd calls of the drop-ins: what the originals return, or an error that their callers catch."""

import importlib
import inspect
import logging
import math
import warnings
from functools import partial

import nltk.translate.bleu_score as nltk_bleu
import nltk.translate.chrf_score as nltk_chrf
import pytest
import sacrebleu
import sacrebleu.metrics.helpers
import truebleu.compat.nltk
import truebleu.compat.nltk.chrf_score
import truebleu.compat.sacrebleu
import truebleu.compat.sacrebleu.metrics.helpers
from lenient import lenient
from looping import looped
from truebleu import TruebleuError

MATS = ["the cat sat on the mat", "it rained"]
STREAMS = [["the cat sat on a mat", "it rained all day"]]
WORDS = MATS[0].split()
REFERENCES = [STREAMS[0][0].split(), ["a", "cat", "sat", "here"]]


class Odd:
    """What nothing expects."""

    def __repr__(self):
        return "Odd()"


ODD = [
    *(None, 0, 1, -1, 1.5, True, math.nan, "", "text", b"bytes", "13a", object, Odd()),
    *([], [[]], [[[]]], {}, (), [None], [1], [[1]], ["a"], [["a"]], [["a"], ["b", "c"]]),
]

# Where the drop-in differs on purpose: the beginning of the call, the odd argument (or any), and
# whether the original has a result there.
LENIENT = "the drop-in has a result"
STRICT = "the drop-in refuses it"
OTHER = "another result"
FLAT = ("text", "13a", ["a"], [["a"]], [["a"], ["b", "c"]])
DIFFERENCES = {
    # Flat lists, and numbers of segments that differ: sacreBLEU drops what is left over.
    **{
        (f"{name}, {place}", repr(odd)): STRICT
        for name in (
            *("corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu"),
            *("BLEU().corpus_score", "CHRF().corpus_score", "TER().corpus_score"),
        )
        for place, values in {"hypotheses": ("text", "13a", ["a"]), "references": FLAT}.items()
        for odd in values
    },
    # References that are given to a metric are checked, also if it is then given others.
    **{
        (f"{name}.{method}, references", repr(odd)): STRICT
        for name in ("BLEU", "CHRF", "TER")
        for method in ("corpus_score", "sentence_score")
        for odd in ("", "text", "13a", [], [[]], {}, (), ["a"], [["a"], ["b", "c"]])
    },
    # A value of smoothing is checked, also if every order has a match.
    **{
        ("raw_corpus_bleu, smooth_value", repr(odd)): STRICT
        for odd in ODD
        if odd is True or not (odd is None or (isinstance(odd, (int, float)) and odd >= 0))
    },
    **{
        (f"BLEU.{method}, max_ngram_order", odd): STRICT
        for method in ("corpus_score", "sentence_score")
        for odd in ("0", "-1", "True")
    },
    ("compute_bleu, sys_len", "1.5"): LENIENT,
    ("compute_bleu, ref_len", "1.5"): LENIENT,
    # sacreBLEU looks lines up in a cache.
    **{("TokenizerChar, line", odd): LENIENT for odd in ("[]", "{}", "['a']")},
    **{("TercomTokenizer, sent", odd): LENIENT for odd in ("[]", "{}")},
    **{("nltk.modified_precision, n", odd): STRICT for odd in ("0", "nan")},
    **{(f"nltk.{name}, min_len", "0"): STRICT for name in ("sentence_chrf", "corpus_chrf")},
}


def calls():
    """Yield pairs of functions with arguments to replace, by name."""
    ours = truebleu.compat.sacrebleu
    for metric, kind in (("bleu", "BLEU"), ("chrf", "CHRF"), ("ter", "TER")):
        corpus = {"hypotheses": MATS, "references": STREAMS}
        sentence = {"hypothesis": MATS[0], "references": [STREAMS[0][0], "a cat sat here"]}
        for name, given in (("corpus", corpus), ("sentence", sentence)):
            pair = [getattr(module, f"{name}_{metric}") for module in (sacrebleu, ours)]
            yield f"{name}_{metric}", pair, given, _settings(pair[0], given)
            classes = [getattr(module, kind) for module in (sacrebleu, ours)]
            args = list(given.values())
            method = f"{name}_score"
            made = [partial(_construct, cls, method, args) for cls in classes]
            yield f"{kind}.{method}", made, {}, list(inspect.signature(classes[0]).parameters)
            called = [partial(_call, cls, method, list(given)) for cls in classes]
            optional = ["n_bootstrap"] if name == "corpus" else []
            yield f"{kind}().{method}", called, given, optional
    pair = [sacrebleu.raw_corpus_bleu, ours.raw_corpus_bleu]
    yield "raw_corpus_bleu", pair, {"hypotheses": MATS, "references": STREAMS}, ["smooth_value"]
    pair = [sacrebleu.BLEU.compute_bleu, ours.BLEU.compute_bleu]
    row = {"correct": [3, 2, 1, 1], "total": [6, 5, 4, 3], "sys_len": 6, "ref_len": 6}
    yield "compute_bleu", pair, row, _settings(pair[0], row)
    modules = sacrebleu.metrics.helpers, ours.metrics.helpers
    for name, given in {
        "extract_word_ngrams": {"tokens": ["a", "b", "c"], "n": 2},
        "extract_char_ngrams": {"line": "abcd", "n": 2},
        "extract_all_word_ngrams": {"line": "a b c", "min_order": 1, "max_order": 2},
        "extract_all_char_ngrams": {"line": "a b c", "max_order": 3},
    }.items():
        yield name, [getattr(module, name) for module in modules], given, []
    for module, name in {
        "tokenizer_13a": "Tokenizer13a",
        "tokenizer_intl": "TokenizerV14International",
        "tokenizer_zh": "TokenizerZh",
        "tokenizer_char": "TokenizerChar",
        "tokenizer_none": "NoneTokenizer",
        "tokenizer_re": "TokenizerRegexp",
        "tokenizer_ter": "TercomTokenizer",
    }.items():
        pair = [
            getattr(importlib.import_module(f"{package}.tokenizers.{module}"), name)()
            for package in ("sacrebleu", "truebleu.compat.sacrebleu")
        ]
        [argument] = inspect.signature(type(pair[0]).__call__).parameters.keys() - {"self"}
        yield name, pair, {argument: "a b."}, []
    yield from nltk_calls()


def nltk_calls():
    """Yield those of NLTK."""
    for name, given in {
        "sentence_bleu": {"references": REFERENCES, "hypothesis": WORDS},
        "corpus_bleu": {"list_of_references": [REFERENCES] * 2, "hypotheses": [WORDS] * 2},
        "modified_precision": {"references": REFERENCES, "hypothesis": WORDS, "n": 2},
        "closest_ref_length": {"references": REFERENCES, "hyp_len": 6},
        "brevity_penalty": {"closest_ref_len": 6, "hyp_len": 7},
    }.items():
        pair = [getattr(module, name) for module in (nltk_bleu, truebleu.compat.nltk)]
        yield f"nltk.{name}", pair, given, _settings(pair[0], given)
    for name, given in {
        "sentence_chrf": {"reference": REFERENCES[0], "hypothesis": WORDS},
        "corpus_chrf": {"references": [REFERENCES[0]], "hypotheses": [WORDS]},
    }.items():
        pair = [getattr(module, name) for module in (nltk_chrf, truebleu.compat.nltk.chrf_score)]
        yield f"nltk.{name}", pair, given, _settings(pair[0], given)
    for method in range(8):
        pair = [
            partial(_smooth, module.sentence_bleu, module.SmoothingFunction, f"method{method}")
            for module in (nltk_bleu, truebleu.compat.nltk)
        ]
        yield f"nltk.method{method}", pair, {}, ["epsilon", "alpha", "k"]


def _settings(function, given):
    return [name for name in inspect.signature(function).parameters if name not in given]


def _construct(cls, method, args, **settings):
    return getattr(cls(**settings), method)(*args)


def _call(cls, method, names, **given):
    args = [given.pop(name) for name in names]
    return getattr(cls(), method)(*args, **given)


def _smooth(score, smoothing, method, **settings):
    return score(REFERENCES, WORDS, smoothing_function=getattr(smoothing(**settings), method))


CALLS = {
    f"{name}, {each}": (pair, given, each)
    for name, pair, given, more in calls()
    for each in (*given, *more)
}


def outcome(function, given):
    """Return what a call returns, or the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(**given)
        except Exception as error:
            return error


def value(result):
    """Return what of a result is compared."""
    return result.score if hasattr(result, "score") else result


def compared(expected, found):
    """Say how the outcomes of the original and of the drop-in differ; None if they do not."""
    if isinstance(expected, Exception):
        if not isinstance(found, Exception):
            return LENIENT
        return None if isinstance(found, type(expected)) else "an error that nobody catches"
    if isinstance(found, Exception):
        return STRICT if isinstance(found, TruebleuError) else "an error of Python"
    expected, found = value(expected), value(found)
    if isinstance(expected, float):
        # NaN equals itself here.
        return None if repr(expected) == repr(float(found)) else OTHER
    return None if expected == found else OTHER


@pytest.fixture(autouse=True)
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def differences(name):
    """Compare the outcomes of a call with each odd argument."""
    (original, drop_in), given, place = CALLS[name]
    differing = {}
    for odd in ODD:
        changed = given | {place: odd}
        difference = compared(outcome(original, changed), outcome(drop_in, changed))
        if difference is not None:
            differing[name, repr(odd)] = difference
    return differing


@looped("name", CALLS)
def test_odd(name):
    """The results are those of the original, or its callers catch the error."""
    expected = {key: each for key, each in DIFFERENCES.items() if key[0] == name}
    assert differences(name) == expected
    # In place of the original, nothing is refused that it accepts.
    accepted = {key: each for key, each in expected.items() if each == LENIENT}
    with lenient():
        assert differences(name) == accepted


def test_differences_are_of_calls():
    """No row of the table is left of a call that is no longer tried."""
    assert {name for name, _ in DIFFERENCES} <= CALLS.keys()
    assert {odd for _, odd in DIFFERENCES} <= set(map(repr, ODD))


def test_too_many_samples():
    """They are refused at once."""
    metric = truebleu.compat.sacrebleu.BLEU()
    with pytest.raises(OverflowError, match=r"n_bootstrap is 10+; at most 100,000,000 samples"):
        metric.corpus_score(MATS, STREAMS, n_bootstrap=10**30)


def test_an_order_beyond_all_words():
    """It takes no time, and has no n-grams."""
    found = truebleu.compat.nltk.modified_precision(REFERENCES, WORDS, 10**30)
    assert (found.numerator, found.denominator) == (0, 1)
