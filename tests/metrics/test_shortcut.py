"""What the core does without Python code is what the Python code does."""

import copy
import gc
import inspect
import pickle
import threading
import weakref

import pytest
from truebleu import Bleu, BleuScore, sentence_bleu
from truebleu._core import SentenceFunction

PAIR = ("the cat sat on the mat", ["the cat sat on a mat", "a cat"])


def test_it_looks_like_the_function():
    """Its name, documentation and signature are those of the Python code."""
    function = sentence_bleu.__wrapped__
    assert inspect.isfunction(function)
    for name in ("__doc__", "__module__", "__name__", "__qualname__", "__annotations__"):
        assert getattr(sentence_bleu, name) == getattr(function, name)
    assert inspect.signature(sentence_bleu) == inspect.signature(function)
    assert inspect.isroutine(sentence_bleu)
    assert repr(sentence_bleu) == repr(function)


def test_it_is_copied_by_name():
    """A pickle or a copy is the function itself."""
    for again in (pickle.loads(pickle.dumps(sentence_bleu)), copy.deepcopy(sentence_bleu)):
        assert again is sentence_bleu


def test_it_is_bound_like_a_function():
    """In a class it becomes a method."""

    class Text(str):
        __slots__ = ()
        score = sentence_bleu

    assert Text.score is sentence_bleu
    assert Text(PAIR[0]).score(PAIR[1]).same_as(sentence_bleu(*PAIR))


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(*PAIR),
        lambda f: f(PAIR[0], references=PAIR[1]),
        lambda f: f(hypothesis=PAIR[0], references=PAIR[1]),
        lambda f: f(*PAIR, lowercase=True),
        lambda f: f(PAIR[0], PAIR[1][0]),
        lambda f: f(PAIR[0], (*PAIR[1], None)),
        lambda f: f(PAIR[0], iter(PAIR[1])),
        lambda f: f(PAIR[0], []),
        lambda f: f(PAIR[0], [None]),
        lambda f: f(PAIR[0], None),
        lambda f: f(PAIR[0], [1]),
        lambda f: f(PAIR[0], ["a", 1]),
        lambda f: f(None, "a"),
        lambda f: f(["a"], ["a"]),
        lambda f: f("a"),
        lambda f: f(),
        lambda f: f("a", "a", "a"),
        lambda f: f("a", "a", threads=1),
    ],
)
def test_every_call_is_that_of_the_function(call):
    """Results and errors are the same, however it is called."""

    def outcome(function):
        try:
            return call(function)
        except (TypeError, ValueError) as error:
            return type(error), str(error)

    assert outcome(sentence_bleu) == outcome(sentence_bleu.__wrapped__)


@pytest.mark.parametrize("tokenizer", ["13a", "pretokenized"])
@pytest.mark.parametrize("orders", [1, 4, 7, 8, 9, 64, 65])
def test_a_score_of_the_core_is_one_of_python(tokenizer, orders):
    """All its attributes are set, whether or not the row needs memory of its own."""
    bleu = Bleu(tokenizer=tokenizer, max_order=orders)
    hypothesis, references = PAIR
    if tokenizer == "pretokenized":
        hypothesis, references = hypothesis.split(), [each.split() for each in references]
    made = bleu.sentence(hypothesis, references)
    corpus = bleu.for_segments.corpus([hypothesis], [references])
    assert type(made) is BleuScore
    assert made.same_as(corpus)
    assert repr(made) == repr(corpus)
    assert made.to_dict() == corpus.to_dict()
    assert made.metric is bleu.for_segments
    assert made.metric.effective_order
    assert made.rescore(bleu).same_as(made)
    assert type(made.score) is float
    with pytest.raises(AttributeError, match="BleuScore is immutable: cannot set 'score'"):
        made.score = 1.0
    with pytest.raises(AttributeError, match="immutable"):
        made.other = 1.0
    assert pickle.loads(pickle.dumps(made)).same_as(made)


def test_a_score_is_freed_with_its_metric():
    """Also if the metric keeps the score, in a circle."""

    class Remembering(Bleu):
        """Has a dict."""

    bleu = Remembering(effective_order=True)
    bleu.__dict__["last"] = bleu.sentence(*PAIR)
    gone = weakref.ref(bleu)
    del bleu
    gc.collect()
    assert gone() is None


def test_lists_that_other_threads_change():
    """A list may change during a call; the score is that of one of its states."""
    hypothesis, reference = ["a", "b"] * 50, ["b", "c"] * 50
    bleu, stop = Bleu(tokenizer="pretokenized"), threading.Event()

    def change():
        while not stop.is_set():
            reference.append("a")
            reference.pop()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        lengths = {bleu.sentence(hypothesis, [reference]).ref_len for _ in range(2000)}
    finally:
        stop.set()
        thread.join()
    assert lengths <= {100, 101}


def test_the_core_is_asked_first():
    """Ordinary sentences need no Python code: a function that raises is not called."""

    def refuse(*_):
        raise AssertionError

    bleu = Bleu().for_segments
    scored = SentenceFunction(refuse, bleu.core, bleu, None)
    assert scored(*PAIR) == sentence_bleu(*PAIR)
    with pytest.raises(AssertionError):
        scored(PAIR[0], [])
