"""While the core works or waits, other threads of Python run, and Ctrl-C ends it soon."""

import sys
import threading
import time
from random import Random

import pyarrow as pa
import pytest
import truebleu
from interrupting import is_soon_interrupted
from looping import later
from truebleu import Bleu, Chrf, Ter, _core

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

WORDS = " ".join(f"{number * number % 65537:x}" for number in range(400_000))
BACKWARDS = WORDS[::-1]
PART, END = WORDS[:600_000], BACKWARDS[:600_000]
SENTENCES = [f"the {number} cats sat on {number % 7} mats of the house" for number in range(600)]

# Each takes a tenth of a second or more. TER of words in order is quick, and of others slow.
CALLS = {
    "corpus of one segment": lambda: Bleu().corpus([WORDS], [BACKWARDS]),
    "corpus on two threads": lambda: Bleu().corpus([WORDS] * 2, [BACKWARDS] * 2, threads=2),
    "chrF": lambda: Chrf(word_order=2).corpus([PART], [END]),
    "TER": lambda: Ter().corpus([PART[:100_000]], [END[:100_000]]),
    "sentence": lambda: truebleu.sentence_bleu(WORDS, BACKWARDS),
    "statistics": lambda: Bleu().stats([WORDS] * 2, [BACKWARDS] * 2),
    "tokens": lambda: Bleu(tokenizer="pretokenized").corpus(
        [list(range(10**6))], [list(range(10**6))]
    ),
    "compare": lambda: truebleu.compare(
        {"a": SENTENCES[:500], "b": SENTENCES[1:501]}, SENTENCES[2:502], seed=1
    ),
    "pairwise": lambda: truebleu.pairwise([WORDS, BACKWARDS], [WORDS, BACKWARDS]),
    "pairwise with chrF": lambda: truebleu.pairwise([PART], [END], metric="chrf"),
    "mbr": lambda: truebleu.mbr([[WORDS[: 10**6], BACKWARDS[: 10**6], WORDS[5 : 10**6]]]),
    "self-BLEU": lambda: truebleu.self_bleu([WORDS, BACKWARDS]),
    "lowercase": lambda: _core.lowercase("É" * (5 * 10**6)),
    "normalize": lambda: _core.normalize("e\u0301" * (3 * 10**6), "NFC"),
    "column": lambda: Bleu().corpus(pa.array([WORDS]), pa.array([BACKWARDS])),
}


def shares(call):
    """Call; return the processor time of the call, and of a thread that counts meanwhile."""
    stop, started, counted = threading.Event(), threading.Event(), []

    def count():
        started.set()
        before = time.thread_time()
        while not stop.is_set():
            pass
        counted.append(time.thread_time() - before)

    thread = threading.Thread(target=count)
    before = time.process_time()
    thread.start()
    started.wait()
    try:
        call()
    finally:
        stop.set()
        thread.join()
    return time.process_time() - before - counted[0], counted[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_others_run(name):
    """A thread that counts gets its share of the processors: nothing if the call held the lock.

    It would be a half or, where the call has two threads, less than that; busy machines vary.
    """
    attempts = []
    for _ in range(4):
        work, counted = shares(CALLS[name])
        attempts.append((work, counted))
        if counted > work / 5:
            return
    pytest.fail(f"the others stood still: {attempts}")


# Each takes seconds or minutes, and is called again until it is stopped.
CTRL_C = {
    "chrF of one segment": "corpus_chrf([letters], [letters[::-1]])",
    "chrF++ of one segment": "corpus_chrf([words], [words[::-1]], word_order=2)",
    "TER of one segment": "corpus_ter([words], [shuffled])",
    "TER of a normalized segment": "corpus_ter([words], [words], normalized=True)",
    "tokens": "tokenize(words)",
    "BLEU of one segment": "corpus_bleu([letters], [letters[::-1]], tokenizer='char')",
    "pairwise": "pairwise([words] * 2, [words[::-1]] * 2)",
    "pairwise with chrF": "pairwise([letters] * 2, [letters[::-1]] * 2, metric='chrf')",
    "self-BLEU": "self_bleu([words, words[::-1]])",
    "steps of TER": "explain(words, words[::-1], metric='ter')",
}


@pytest.fixture(scope="module")
def huge_texts(tmp_path_factory):
    """Write letters, words, and the words in another order, 20 MB each."""
    chance = Random(1)
    words = [f"{chance.getrandbits(28):x}" for _ in range(25 * 10**5)]
    letters = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz    ", k=20 * 10**6))
    folder = tmp_path_factory.mktemp("huge")
    for name, text in [
        ("letters", letters),
        ("words", " ".join(words)),
        ("shuffled", " ".join(chance.sample(words, len(words)))),
    ]:
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.3, later(1.5)])
@pytest.mark.parametrize("name", CTRL_C)
def test_ctrl_c_in_a_huge_text(name, delay, huge_texts):
    """In texts of 20 MB, it takes half a second, here of two threads; processors may be slower."""
    script = (
        "from pathlib import Path\n"
        "from truebleu import *\n"
        f"folder = Path({str(huge_texts)!r})\n"
        "letters, words, shuffled = (\n"
        "    (folder / name).read_text('utf-8') for name in ('letters', 'words', 'shuffled')\n"
        ")\n"
        # What is imported when it is first needed is there.
        "pairwise(['a'], ['a']), self_bleu(['a', 'b']), explain('a', 'b', metric='ter')\n"
        "print('ready', flush=True)\n"
        f"while True: {CTRL_C[name]}\n"
    )
    assert is_soon_interrupted(script, delay, 2)
