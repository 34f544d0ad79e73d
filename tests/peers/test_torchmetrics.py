"""torchmetrics by itself and accelerated; `make peers` runs it."""

import pickle
import sys
import warnings
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")
    pytest.importorskip("torchmetrics")
    import torchmetrics.functional.text as functions
    import torchmetrics.text as classes
    from truebleu.compat import mistakes
    from truebleu.compat import torchmetrics as seams

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "golden")]
import make_chrf_ter  # noqa: E402
import strategies  # noqa: E402
import truebleu  # noqa: E402

# torch warns of its own modules, and torchmetrics of scores before the first batch.
pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning",
    "ignore::DeprecationWarning",
    "ignore:The ``compute``:UserWarning",
    "ignore::truebleu.SettingsWarning",
)
usual = settings(deadline=None, max_examples=12)

PREDS = ["the cat is on the mat", "There is a big tree near the park here", "", "Nothing at all!"]
TARGET = [
    ["there is a cat on the mat", "a cat is on the mat"],
    ["A big tree is growing near the park here"],
    ["an empty one"],
    ["xyz"],
]
FLAGS = (False, True)
SETTINGS = {
    "BLEUScore": [
        {"n_gram": order, "smooth": smooth} for order, smooth in product((1, 2, 4, 6), FLAGS)
    ]
    + [{"n_gram": 2, "weights": [0.3, 0.7]}],
    "SacreBLEUScore": [
        {"tokenize": name, "lowercase": lowercase, "smooth": lowercase}
        for name, lowercase in product(("none", "13a", "zh", "intl", "char"), FLAGS)
    ]
    + [{"n_gram": 3, "weights": (0.2, 0.3, 0.5)}],
    "CHRFScore": [
        {"n_char_order": characters, "n_word_order": words, "beta": beta}
        for characters, words, beta in product((6, 1), (2, 0), (2.0, 1, 0.5))
    ]
    + [{"lowercase": lowercase, "whitespace": not lowercase} for lowercase in FLAGS],
    "TranslationEditRate": [
        dict(zip(("normalize", "no_punctuation", "lowercase", "asian_support"), flags, strict=True))
        for flags in product(FLAGS, repeat=4)
    ],
}
FUNCTIONS = {
    "BLEUScore": "bleu_score",
    "SacreBLEUScore": "sacre_bleu_score",
    "CHRFScore": "chrf_score",
    "TranslationEditRate": "translation_edit_rate",
}
WITH_SENTENCES = ("CHRFScore", "TranslationEditRate")
CORPORA = [(PREDS, TARGET)] + [
    ([text for text, _ in pairs], [others for _, others in pairs]) for pairs in make_chrf_ter.SMALL
]
CASES = [(name, options) for name, several in SETTINGS.items() for options in several]
COUNTING = ("_row_of_bleu", "_pairs", "_edits")


@pytest.fixture
def counted(monkeypatch):
    """Count what the core has counted, and what is left to torchmetrics."""
    asked = Counter()
    for name in COUNTING:

        def counting(*given, original=getattr(seams, name)):  # noqa: B008
            result = original(*given)
            asked["core" if result is not None else "torchmetrics"] += 1
            return result

        monkeypatch.setattr(seams, name, counting)
    return asked


def outcome(call):
    """Return what a call returns, as it is written, or the error that it raises."""
    try:
        return repr(call())
    except Exception as error:
        return repr(error)


def check(call):
    """Compare a call with itself, accelerated."""
    expected = outcome(call)
    with truebleu.accelerate("torchmetrics"):
        assert outcome(call) == expected


def numbers(metric):
    """Return the states of a metric and its score, as numbers."""
    states = {name: str(state) for name, state in metric.metric_state.items()}
    return states, str(metric.compute())


@pytest.mark.parametrize(("name", "options"), CASES)
class TestSettings:
    """Under every setting, classes and functions have the states and tensors of the original."""

    def test_corpora(self, name, options, counted):
        """Of a corpus, of the batches that it consists of, and of segments."""
        for hypotheses, references in CORPORA:
            sentences = {"return_sentence_level_score": True} if name in WITH_SENTENCES else {}
            for asked in ({}, sentences):

                def in_batches(corpus=(hypotheses, references), asked=asked):
                    metric = getattr(classes, name)(**options, **asked)
                    middle = len(corpus[0]) // 2 or 1
                    for part in (slice(middle), slice(middle, None)):
                        if corpus[0][part]:
                            metric(corpus[0][part], corpus[1][part])
                    return numbers(metric)

                def at_once(corpus=(hypotheses, references), asked=asked):
                    return getattr(functions, FUNCTIONS[name])(*corpus, **options, **asked)

                check(in_batches)
                check(at_once)
        assert counted["core"] > counted["torchmetrics"]

    @usual
    @given(data=st.data())
    def test_drawn_corpora(self, name, options, data):
        """Of any corpus, odd texts included."""
        texts = st.sampled_from(["a-\n", "a \u00a0", "\u0130", "&amp;lt;", ""])
        segments = strategies.soup | strategies.dense_text | texts
        corpus = data.draw(strategies.corpora(segments, max_size=3, max_references=3))
        check(lambda: numbers_of(name, options, corpus))


def numbers_of(name, options, corpus):
    """Return the numbers of a metric that has seen a corpus."""
    metric = getattr(classes, name)(**options)
    metric.update(*corpus)
    return numbers(metric)


ODD = [
    ([], []),
    (["a b"], [[]]),
    (["a b"], ["a b"]),
    ("a b", [["a b"]]),
    ("a b", ["a b", "b"]),
    (["a b", "c"], ["a b", "c"]),
    (["a b", "c"], [["a b"]]),
    (["a b"], [["a b"], ["c"]]),
    ([""], [[""]]),
    ([None], [["a"]]),
    (["a"], [[None, "a"]]),
    ([1], [["a"]]),
    (iter(["a"]), iter([["a"]])),
    (("a", "b"), (("a",), ("b", "c"))),
]


@pytest.mark.parametrize("name", SETTINGS)
class TestMetrics:
    """All else is torchmetrics' own."""

    @pytest.mark.parametrize("place", range(len(ODD)))
    def test_odd_input(self, name, place):
        """What is no corpus is what it is in torchmetrics, be it an error."""
        corpus = ODD[place]
        if place == len(ODD) - 2:  # Iterators are read once.
            corpus = [[*each] for each in ((["a"]), ([["a"]]))]
        check(lambda: numbers_of(name, {}, corpus))
        check(lambda: getattr(functions, FUNCTIONS[name])(*corpus))

    def test_where_single_precision_ends(self, name):
        """Counts above 2^24 stop where they stop in torchmetrics."""

        def full():
            metric = getattr(classes, name)()
            metric.update(PREDS, TARGET)
            for state, value in metric.metric_state.items():
                setattr(metric, state, value + 2**24 - 3)
            metric.update(PREDS, TARGET)
            return numbers(metric)

        check(full)

    def test_types(self, name):
        """Half and double precision give the same."""
        for kind in (torch.float16, torch.float64):

            def typed(kind=kind):
                metric = getattr(classes, name)().set_dtype(kind)
                metric.update(PREDS, TARGET)
                return numbers(metric)

            check(typed)

            def by_default(kind=kind):
                torch.set_default_dtype(kind)
                try:
                    return numbers_of(name, {}, (PREDS, TARGET))
                finally:
                    torch.set_default_dtype(torch.float32)

            check(by_default)

    def test_copies(self, name):
        """Clones, pickles, merged metrics and collections are torchmetrics' own."""
        with truebleu.accelerate("torchmetrics"):
            metric = getattr(classes, name)(compute_with_cache=False)
            metric.update(PREDS[:2], TARGET[:2])
            for twin in (metric.clone(), pickle.loads(pickle.dumps(metric))):
                twin.update(PREDS[2:], TARGET[2:])
                assert numbers(twin) == numbers_of(name, {}, (PREDS, TARGET))


def test_functions_imported_before():
    """What a program has imported is accelerated, and again by itself afterwards."""
    from torchmetrics.functional.text.bleu import _bleu_score_update as imported

    code = imported.__code__
    with truebleu.accelerate("torchmetrics"):
        assert imported.__code__ is not code
    assert imported.__code__ is code


def test_replaced_functions(counted, monkeypatch):
    """A program that replaces what the core stands for is counted by torchmetrics."""
    from torchmetrics.functional.text import bleu

    monkeypatch.setattr(bleu, "_count_ngram", lambda *given: Counter())
    check(lambda: functions.bleu_score(PREDS, TARGET))
    assert counted == {"torchmetrics": 1}


MISTAKES = {
    "target": (classes.BLEUScore, (["a b"], ["a b"])),
    "preds": (classes.BLEUScore, ("a", [["a"]])),
    "length": (classes.BLEUScore, (["a", "b"], [["a"]])),
    "layout": (classes.CHRFScore, (["a b c", "d e f"], [["a b d", "d e f"], ["a b c", "d e g"]])),
    "empty": (classes.TranslationEditRate, (["a b"], [["a b", ""]])),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes(kind, monkeypatch):
    """Probable mistakes are warned of once, in the words of torchmetrics; if strict, refused."""
    monkeypatch.setattr(mistakes, "_said", set())
    metric, corpus = MISTAKES[kind]
    call = metric().update
    with truebleu.accelerate("torchmetrics"):
        with pytest.warns(truebleu.SettingsWarning, match="the score is torchmetrics's"):
            call(*corpus)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(*corpus)
    with truebleu.accelerate("torchmetrics", strict=True), pytest.raises(truebleu.TruebleuError):
        call(*corpus)


def test_page():
    """A score of the accelerated class is the core's."""
    with truebleu.accelerate("torchmetrics"):
        score = classes.SacreBLEUScore()(PREDS, TARGET)
    assert float(score) == pytest.approx(truebleu.corpus_bleu(PREDS, TARGET).fraction, abs=1e-6)
