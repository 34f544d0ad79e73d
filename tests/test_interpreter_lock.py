"""While the core works or waits, other threads of Python run, and Ctrl-C ends it soon."""

import signal
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pytest
import truebleu
from truebleu import Bleu, Chrf, Ter, _core

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

WORDS = " ".join(f"{number * number % 65537:x}" for number in range(400_000))
BACKWARDS = WORDS[::-1]
SENTENCES = [f"the {number} cats sat on {number % 7} mats of the house" for number in range(600)]

# Each takes a tenth of a second or more. TER of words in order is quick, and of others slow.
CALLS = {
    "corpus of one segment": lambda: Bleu().corpus([WORDS], [BACKWARDS]),
    "corpus on two threads": lambda: Bleu().corpus([WORDS] * 4, [BACKWARDS] * 4, threads=2),
    "chrF": lambda: Chrf(word_order=2).corpus([WORDS], [BACKWARDS]),
    "TER": lambda: Ter().corpus([WORDS[:300_000]], [BACKWARDS[:300_000]]),
    "sentence": lambda: truebleu.sentence_bleu(WORDS, BACKWARDS),
    "statistics": lambda: Bleu().stats([WORDS] * 2, [BACKWARDS] * 2),
    "tokens": lambda: Bleu(tokenizer="pretokenized").corpus(
        [list(range(10**6))], [list(range(10**6))]
    ),
    "compare": lambda: truebleu.compare(
        {"a": SENTENCES[:500], "b": SENTENCES[1:501]}, SENTENCES[2:502], seed=1
    ),
    "pairwise": lambda: truebleu.pairwise([WORDS, BACKWARDS], [WORDS, BACKWARDS]),
    "pairwise with chrF": lambda: truebleu.pairwise([WORDS], [BACKWARDS], metric="chrf"),
    "mbr": lambda: truebleu.mbr([[WORDS[: 10**6], BACKWARDS[: 10**6], WORDS[5 : 10**6]]]),
    "self-BLEU": lambda: truebleu.self_bleu([WORDS, BACKWARDS]),
    "lowercase": lambda: _core.lowercase("É" * 10**7),
    "normalize": lambda: _core.normalize("e\u0301" * 10**7, "NFC"),
    "column": lambda: Bleu().corpus(pa.array([WORDS] * 4), pa.array([BACKWARDS] * 4)),
}


def longest_wait(call):
    """Call; return how long that took, and how long a counting thread stood still meanwhile."""
    stop, waits, started = threading.Event(), [], threading.Event()

    def count():
        last = time.perf_counter()
        started.set()
        while not stop.is_set():
            now = time.perf_counter()
            waits.append(now - last)
            last = now

    thread = threading.Thread(target=count)
    thread.start()
    started.wait()
    waits.clear()
    before = time.perf_counter()
    try:
        call()
    finally:
        elapsed = time.perf_counter() - before
        stop.set()
        thread.join()
    return elapsed, max(waits)


@pytest.mark.parametrize("name", CALLS)
def test_others_run(name):
    """A thread that counts is never held up for most of the call.

    The interpreter is needed to read the arguments and to make the result; on a busy machine the
    counting thread waits for a processor, too. So the best of some attempts counts.
    """
    attempts = []
    for _ in range(4):
        elapsed, wait = longest_wait(CALLS[name])
        attempts.append((elapsed, wait))
        if wait < max(0.05, elapsed / 3):
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.3, 1.5])
@pytest.mark.parametrize("name", CTRL_C)
def test_ctrl_c_in_a_huge_text(name, delay):
    """In texts of 20 MB, it takes half a second; here, the machine may be busy."""
    script = (
        "from random import Random\n"
        "from truebleu import *\n"
        "chance = Random(1)\n"
        "letters = ''.join(chance.choices('abcdefghijklmnopqrstuvwxyz    ', k=20 * 10**6))\n"
        "words = ' '.join('%x' % chance.getrandbits(28) for _ in range(25 * 10**5))\n"
        "shuffled = ' '.join(chance.sample(words.split(), 25 * 10**5))\n"
        # What is imported when it is first needed is there.
        "pairwise(['a'], ['a']), self_bleu(['a', 'b']), explain('a', 'b', metric='ter')\n"
        "print('ready', flush=True)\n"
        f"while True: {CTRL_C[name]}\n"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert error.rstrip().endswith("KeyboardInterrupt")
    assert time.monotonic() - start < 2
