"""Drawn odd calls of all drop-ins, in place of their originals: the same results, or errors.

Those of torchmetrics and evaluate run where they are installed, which `make peers` does; evaluate's
scripts are in the folder that the environment variable names.
"""

import os
import warnings
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
import test_compat_odd_calls as odd_calls
from hypothesis import given, settings
from hypothesis import strategies as st
from lenient import lenient

SCRIPTS = os.environ.get("TRUEBLEU_EVALUATE", "")

TEXTS = st.sampled_from(
    [
        *("the cat is on the mat", "There is a TREE near the park, 5.", "", " a  b ", "5. "),
        *("a-\n", "x &AMP; y <SKIPPED>", "\u0130\u03a3 \u0391\u03a3.\u0392", "他从不相信 ABC。"),
        *("1,000.5-3", "a b c d e f g h i j k l m", "h i j k l m a b c d e f g"),
        "k l m a b c d e f g h i j",
    ]
)
LISTS = st.lists(TEXTS, min_size=1, max_size=3)
CORPORA = st.integers(1, 3).flatmap(
    lambda count: st.tuples(
        st.lists(TEXTS, min_size=count, max_size=count),
        st.lists(st.one_of(TEXTS, LISTS, LISTS, LISTS), min_size=count, max_size=count),
    )
)
ODD = st.sampled_from(
    [
        *odd_calls.ODD,
        [["a"], "b"],
        ["ab", ["c"]],
        [["a", None]],
        ["a", 1],
        range(3),
        {"a": 1, "b": 2},
    ]
)
ORDERS = st.sampled_from([1, 2, 4])


def of_table():
    """Yield names, pairs of functions, and strategies for the arguments: those of the table."""
    for name, pair, usual, more in odd_calls.calls():
        arguments = {key: st.just(value) | ODD for key, value in usual.items()}
        yield name, pair, st.fixed_dictionaries(arguments, optional=dict.fromkeys(more, ODD))


def in_a_corpus(pair, names, options):
    """Return a pair of functions, and the strategy for a corpus under these names, and options."""
    corpus = CORPORA.map(lambda drawn: dict(zip(names, drawn, strict=True)))
    odd = st.fixed_dictionaries({}, optional=dict.fromkeys(names, ODD))
    chosen = st.fixed_dictionaries({}, optional=options)
    drawn = st.tuples(corpus, st.just({}) | st.just({}) | odd, chosen)
    return pair, drawn.map(lambda parts: parts[0] | parts[1] | parts[2])


def of_torchmetrics():
    """Yield those of torchmetrics."""
    if find_spec("torchmetrics") is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torchmetrics.functional.text
        import torchmetrics.text
        import truebleu.compat.torchmetrics.functional as functions
        from truebleu.compat import torchmetrics as classes
    flags = st.booleans()
    bleu = {"n_gram": ORDERS | ODD, "smooth": flags, "weights": st.none() | ODD}
    tokenizers = st.sampled_from(["none", "13a", "zh", "intl", "char"])
    sentences = {"return_sentence_level_score": flags, "lowercase": flags}
    chrf = {"n_char_order": ORDERS | ODD, "n_word_order": ORDERS, "beta": ORDERS | ODD}
    ter = dict.fromkeys(("normalize", "no_punctuation", "asian_support"), flags | ODD)
    for kind, function, options in (
        ("BLEUScore", "bleu_score", bleu),
        ("SacreBLEUScore", "sacre_bleu_score", bleu | {"tokenize": tokenizers, "lowercase": flags}),
        ("CHRFScore", "chrf_score", chrf | {"whitespace": flags} | sentences),
        ("TranslationEditRate", "translation_edit_rate", ter | sentences),
    ):
        pair = [getattr(each, function) for each in (torchmetrics.functional.text, functions)]
        yield function, *in_a_corpus(pair, ("preds", "target"), options)
        pair = [partial(batches, getattr(each, kind)) for each in (torchmetrics.text, classes)]
        yield kind, *in_a_corpus(pair, ("preds", "target"), options)


def batches(kind, preds, target, **options):
    """Score a batch, then another one and both."""
    metric = kind(**options)
    return metric(preds, target), metric(["a b c d"], [["a b c e", "a b"]]), metric.compute()


def of_evaluate():
    """Yield those of evaluate."""
    if not SCRIPTS:
        return
    import evaluate
    from truebleu.compat import huggingface

    flags = st.booleans()
    chrf = {"char_order": ORDERS, "word_order": ORDERS | ODD, "beta": ORDERS | ODD}
    for name, options in {
        "bleu": {"max_order": ORDERS | ODD, "smooth": flags},
        "sacrebleu": {"tokenize": st.sampled_from(["char", "intl"]) | ODD, "lowercase": flags},
        "chrf": chrf | dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), flags),
        "ter": dict.fromkeys(("normalized", "ignore_punct", "case_sensitive"), flags),
    }.items():
        originals = partial(evaluate.load, str(Path(SCRIPTS, name)), keep_in_memory=True)
        for way in (at_once, one_by_one):
            pair = [partial(way, load) for load in (originals, partial(huggingface.load, name))]
            yield (
                f"{name}, {way.__name__}",
                *in_a_corpus(pair, ("predictions", "references"), options),
            )


def at_once(load, **given):
    """Score columns."""
    return load().compute(**given)


def one_by_one(load, predictions, references, **options):
    """Score segments that were added."""
    metric = load()
    for pair in zip(predictions, references, strict=True):
        metric.add(prediction=pair[0], reference=pair[1])
    return metric.compute(**options)


CALLS = {name: rest for name, *rest in (*of_table(), *of_torchmetrics(), *of_evaluate())}


def plain(result):
    """Return what is compared: numbers by their digits; tensors with type and shape."""
    if hasattr(result, "score"):
        return repr(result.score)
    if isinstance(result, (list, tuple)):
        return type(result).__name__, [plain(each) for each in result]
    if hasattr(result, "tolist"):
        return str(result.dtype), tuple(result.shape), repr(result.tolist())
    return repr(result)


@settings(deadline=None, max_examples=300)
@given(data=st.data(), name=st.sampled_from(sorted(CALLS)))
def test_drawn(data, name):
    """What the original returns, the drop-in returns; nothing is refused, nothing is different."""
    (original, drop_in), arguments = CALLS[name]
    drawn = data.draw(arguments)
    with lenient():
        expected, found = (odd_calls.outcome(each, drawn) for each in (original, drop_in))
    if not isinstance(expected, Exception):
        assert plain(found) == plain(expected), (name, drawn)


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level("CRITICAL")
