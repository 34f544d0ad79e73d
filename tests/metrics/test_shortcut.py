"""What the core does without Python code is what the Python code does."""

import gc
import pickle
import threading
import weakref

import pytest
from truebleu import Bleu, BleuScore, sentence_bleu

PAIR = ("the cat sat on the mat", ["the cat sat on a mat", "a cat"])


@pytest.mark.parametrize("tokenizer", ["13a", "pretokenized"])
@pytest.mark.parametrize("orders", [1, 4, 7, 8, 9, 64, 65])
def test_a_score_of_the_core_is_one_of_python(tokenizer, orders):
    """All its attributes are set, whether or not the row needs memory of its own."""
    bleu = Bleu(tokenizer=tokenizer, max_order=orders)
    hypothesis, references = PAIR
    if tokenizer == "pretokenized":
        hypothesis, references = hypothesis.split(), [each.split() for each in references]
    made = bleu.segment(hypothesis, references)
    corpus = bleu._scoped(segment=True).corpus([hypothesis], [references])
    assert type(made) is BleuScore
    assert made.same_as(corpus)
    assert repr(made) == repr(corpus)
    assert made.to_dict() == corpus.to_dict()
    assert made.metric == bleu._scoped(segment=True)
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
    bleu.__dict__["last"] = bleu.segment(*PAIR)
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
        lengths = {bleu.segment(hypothesis, [reference]).ref_len for _ in range(2000)}
    finally:
        stop.set()
        thread.join()
    assert lengths <= {100, 101}


def test_the_core_is_asked_first():
    """Ordinary sentences need no Python code; what it cannot answer is left to that."""
    bleu = Bleu()
    assert bleu._core.sentence(bleu, *PAIR).same_as(sentence_bleu(*PAIR))
    for references in ([], [None], None, [1], ["a", 1]):
        assert bleu._core.sentence(bleu, PAIR[0], references) is None
