"""Threads, signals, forks, and sizes at which a careless algorithm stands still."""

import contextlib
import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from interrupting import is_soon_interrupted
from project import EXAMPLES
from public_names import PUBLIC
from truebleu import (
    Accumulator,
    Bleu,
    Chrf,
    InputError,
    Stats,
    Ter,
    _core,
    corpus_bleu,
    sentence_bleu,
)
from truebleu.metrics.corpora import Corpora

# Whatever is large is a copy of itself here.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

SYSTEMS = [
    (EXAMPLES / f"system-{name}.en").read_text("utf-8").splitlines()
    for name in ("strong", "medium", "weak")
]
REFERENCES = list(
    zip(
        *((EXAMPLES / f"reference-{name}.en").read_text("utf-8").splitlines() for name in "ab"),
        strict=True,
    )
)
LINE = "The quick brown fox jumps over the lazy dog, and then it runs far away. " * 4


def run(script, *, timeout=300):
    """Run a script in another process; a hang ends there and not here."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def in_threads(work, *, threads=8, times=40):
    """Start all threads at once, and return what they return."""
    barrier = threading.Barrier(threads)

    def wait_and_work(_):
        barrier.wait(300)
        return [work() for _ in range(times)]

    with ThreadPoolExecutor(threads) as pool:
        return [result for each in pool.map(wait_and_work, range(threads)) for result in each]


class TestThreads:
    """One Bleu serves many threads."""

    def test_names_are_first_used_by_all_threads_at_once(self):
        """Public names are imported when they are first used, whichever thread uses which first."""
        done = run(
            "import random, threading, truebleu\n"
            "from concurrent.futures import ThreadPoolExecutor\n"
            "barrier = threading.Barrier(8)\n"
            "def use(seed):\n"
            "    names = random.Random(seed).sample(truebleu.__all__, len(truebleu.__all__))\n"
            "    barrier.wait(300)\n"
            "    return {name: id(getattr(truebleu, name)) for name in names}\n"
            "with ThreadPoolExecutor(8) as pool:\n"
            "    first, *others = pool.map(use, range(8))\n"
            "assert all(other == first for other in others)\n"
            "print(truebleu.sentence_bleu('a b', 'a b').score)\n"
        )
        assert (done.returncode, done.stdout) == (0, "100.0\n"), done.stderr

    @pytest.mark.parametrize(
        "metric",
        [
            Bleu(),
            Bleu(tokenizer=str.split),
            Bleu(lowercase=True, smoothing="floor"),
            Chrf(word_order=2),
            Ter(normalized=True),
        ],
        ids=repr,
    )
    def test_corpora(self, metric):
        """Threads that share a metric all get what one thread alone gets."""
        expected = [metric.corpus(system, REFERENCES) for system in SYSTEMS]
        assert len({score.score for score in expected}) == 3

        def work():
            return [metric.corpus(system, REFERENCES) for system in SYSTEMS]

        assert all(result == expected for result in in_threads(work, times=10))

    def test_files_that_are_locked_in_any_order(self):
        """Calls that share files do not wait for each other without end."""
        done = run(
            "import sys, threading\n"
            "from truebleu import Bleu, _core\n"
            "from truebleu.metrics.corpora import Corpora\n"
            "def lines():\n"
            "    lines = _core.Lines()\n"
            "    lines.push(b'a b c d e\\n' * 50)\n"
            "    lines.finish()\n"
            "    return lines\n"
            "sys.setswitchinterval(1e-6)\n"
            "metric, a, b, c = Bleu(), lines(), lines(), lines()\n"
            "def count(systems, references):\n"
            "    corpora = Corpora(systems, references, None, 1, lines=50)\n"
            "    return [metric._count(corpora, each=False) for _ in range(2000)]\n"
            "orders = ([a], [b, c]), ([b], [c, a]), ([c, b], [a])\n"
            "threads = [threading.Thread(target=count, args=order) for order in orders]\n"
            "for thread in threads: thread.start()\n"
            "for thread in threads: thread.join()\n"
            "print(count([a], [b])[0][0].counting_key)\n"
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("tok:13a")

    @pytest.mark.parametrize("times", [2, 3])
    def test_the_same_lines_twice(self, times):
        """A call that would wait for itself is refused."""
        lines = self.lines()
        with pytest.raises(InputError, match="the same lines are given twice: open the file once"):
            Bleu()._count(Corpora([lines], [lines] * (times - 1), None, 1, lines=1), each=False)
        corpora = Corpora([lines], [self.lines()], None, 1, lines=1)
        [counted] = Bleu()._count(corpora, each=False)
        assert counted == Bleu().stats(["a b c d"], ["a b c d"])

    @staticmethod
    def lines():
        """Return the lines of a file that has one."""
        lines = _core.Lines()
        lines.push(b"a b c d\n")
        lines.finish()
        return lines

    def test_sentences(self):
        """Many short calls at once do not get into each other's way."""
        pairs = [pair for system in SYSTEMS for pair in zip(system, REFERENCES, strict=True)]
        expected = [sentence_bleu(*pair).score for pair in pairs]
        results = in_threads(lambda: [sentence_bleu(*pair).score for pair in pairs], times=20)
        assert all(result == expected for result in results)


# Whatever is public and can be changed once it is made.
MUTABLE = (Accumulator,)


class TestMutable:
    """Threads may share what is mutable: nothing that one of them adds is lost."""

    BATCH = SYSTEMS[0][:2], REFERENCES[:2]

    def test_nothing_else_is_mutable(self):
        """A public class is here, is an exception, or refuses to be changed."""
        public = [*PUBLIC.values()]
        mutable = [
            kind
            for kind in public
            if isinstance(kind, type)
            and not issubclass(kind, Exception)
            and kind.__setattr__ is object.__setattr__
        ]
        assert set(mutable) == set(MUTABLE)

    @pytest.mark.parametrize("change", ["add", "merge"])
    def test_two_changes_at_the_same_time(self, change, monkeypatch):
        """One change does not read the sum that another is about to replace."""
        running, other = Accumulator(), Accumulator()
        for each in (running, other):
            each.add(*self.BATCH)
        meeting, plain_sum = threading.Barrier(2), Stats.__add__

        def wait_and_add(self, more):
            # Both threads have read the sum if they meet here. With a lock, one waits in vain.
            with contextlib.suppress(threading.BrokenBarrierError):
                meeting.wait(2)
            return plain_sum(self, more)

        monkeypatch.setattr(Stats, "__add__", wait_and_add)
        arguments = self.BATCH if change == "add" else [other]
        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(getattr(running, change), *arguments) for _ in range(2)]:
                done.result(60)
        monkeypatch.undo()
        assert running.stats == sum([other.stats] * 3)

    def test_merged_into_each_other(self):
        """Two that are merged into each other, or one into itself, do not wait without end."""
        done = run(
            "import threading\n"
            "from truebleu import Accumulator\n"
            "one, other = Accumulator(), Accumulator()\n"
            "for each in (one, other): each.add(['a b'], ['a b'])\n"
            "def merge(into, source):\n"
            "    for _ in range(30): into.merge(source)\n"
            "pairs = (one, other), (other, one), (one, one)\n"
            "threads = [threading.Thread(target=merge, args=pair) for pair in pairs]\n"
            "for thread in threads: thread.start()\n"
            "for thread in threads: thread.join()\n"
            "print('done')\n"
        )
        assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr

    @pytest.mark.parametrize("kind", MUTABLE)
    def test_many_batches(self, kind):
        """The sum of what eight threads add is that of all batches."""
        running, once = kind(), kind()
        once.add(*self.BATCH)
        in_threads(lambda: running.add(*self.BATCH, threads=1), times=200)
        assert np.array_equal(running.stats.to_numpy(), once.stats.to_numpy() * 1600)

    @pytest.mark.skipif(
        getattr(sys, "_is_gil_enabled", lambda: True)(),
        reason="this build of Python has an interpreter lock",
    )
    def test_without_the_interpreter_lock(self):
        """On a free-threaded build, importing the core leaves the interpreter lock off."""
        done = run("import sys, truebleu._core; print(sys._is_gil_enabled())")
        assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
class TestSignals:
    """Ctrl-C ends a call, not only the time between two."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "call",
        [
            # A single call that takes minutes; the list is long, but all its items are one.
            "Bleu().corpus([line] * 10**7, [line] * 10**7)",
            "Bleu(tokenizer='pretokenized').corpus([[1, 2, 3, 4]] * 10**7, [[1, 2, 3, 4]] * 10**7)",
            # Segments of which a few thousand take minutes, although they are read at once.
            "Ter().corpus([' '.join(map(str, range(10**4, 0, -1)))] * 8000, ["
            "' '.join(map(str, range(10**4)))] * 8000)",
            "[Bleu().corpus([line] * 1000, [line] * 1000) for _ in range(10**9)]",
            "[sentence_bleu(line, line) for _ in range(10**9)]",
            "corpus_chrf([line] * 10**7, [line] * 10**7)",
            "corpus_ter([line] * 10**7, [line] * 10**7)",
            "corpus_ter([hard] * 10**7, [hard[::-1]] * 10**7, threads=1)",
            # One segment.
            "corpus_chrf([line * 40_000], [line[::-1] * 40_000])",
            "sentence_bleu(many[::-1], many)",
            "corpus_ter([many[::-1]], [many], threads=1)",
            # The best thresholds after a thousand swaps, for six million pairs.
            "judged.swapped('best-accuracy', 1, 1024, 2)",
        ],
        ids=[
            *("corpus", "tokens", "long segments", "corpora", "sentences", "chrF", "TER"),
            *("TER of many shifts", "chrF of one segment", "a long sentence"),
            *("TER of one segment", "agreement"),
        ],
    )
    def test_ctrl_c(self, call):
        """A KeyboardInterrupt comes within seconds, whatever remains to be counted."""
        script = (
            "import numpy as np\n"
            "from truebleu import Bleu, Ter, _core, corpus_chrf, corpus_ter, sentence_bleu\n"
            f"line = {LINE!r} * 4\n"
            f"many = ' '.join(str(n * n % 65537) for n in range({6 * 10**6 * ('many' in call)}))\n"
            "hard = ' '.join(chr(97 + 7 * n * n % 20) for n in range(60))\n"
            "scores = [np.arange(3600.0) * step % 997 for step in (3, 5, 7)]\n"
            "places = list(range(3600))\n"
            "judged = _core.JudgedTable([3600], places, places, *scores)\n"
            "print('ready', flush=True)\n"
            f"while True: {call}\n"
        )
        assert is_soon_interrupted(script, 0.5, 4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
class TestFork:
    """A process that has scored may fork, and so may its children score."""

    USE = (
        "from truebleu import Bleu\n"
        f"line = {LINE!r}\n"
        "def use(_=None):\n"
        "    return Bleu().corpus([line] * 5000, [line] * 5000, threads=4).score\n"
        "assert use() == 100.0\n"
    )

    def test_fork(self):
        """No lock or thread of the parent is missed in the child."""
        script = self.USE + (
            "import os\n"
            "child = os.fork()\n"
            "if not child:\n"
            "    os._exit(42 if use() == 100.0 else 1)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), use())\n"
        )
        done = run(script)
        assert (done.stdout, done.stderr) == ("42 100.0\n", "")

    def test_multiprocessing(self):
        """A pool of forked workers, which is what most people use, works."""
        script = self.USE + (
            "import multiprocessing\n"
            "with multiprocessing.get_context('fork').Pool(3) as pool:\n"
            "    print(pool.map(use, range(6)))\n"
        )
        done = run(script)
        assert (done.stdout, done.stderr) == (f"{[100.0] * 6}\n", "")


class TestSize:
    """What is huge is counted as exactly as what is small: test_scaling.py measures its time."""

    def score(self, hypothesis, *references, **settings):
        return corpus_bleu([hypothesis], [references], **settings)

    def test_a_table_of_200_000_segments(self):
        """A row for each segment, and their sum is the row of the corpus."""
        times = -(-200_000 // len(REFERENCES))
        system, references = SYSTEMS[1] * times, REFERENCES * times
        stats = Bleu().stats(system, references)
        rows = stats.to_numpy()
        assert rows.shape == (len(system), 10)
        one = rows[: len(REFERENCES)]
        assert np.array_equal(rows, np.tile(one, (times, 1)))
        total = Bleu().corpus(system, references)
        assert total.same_as(Bleu().score(stats))
        assert total.hyp_len == times * one[:, 0].sum()
        assert total.score == Bleu().corpus(SYSTEMS[1], REFERENCES).score

    @pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
    def test_memory_is_given_back(self):
        """A thread keeps little of what a huge segment took."""
        script = (
            "import truebleu, pathlib\n"
            "def resident():\n"
            "    pages = pathlib.Path('/proc/self/statm').read_text().split()[1]\n"
            "    return int(pages) * 4096\n"
            "truebleu.sentence_bleu('a', 'a')\n"
            "text = ' '.join(map(str, range(10**6)))\n"
            "before = resident()\n"
            "assert truebleu.sentence_bleu(text, text).score == 100\n"
            "print((resident() - before) // len(text))"
        )
        # It was 56 times the size of the text. Some memory stays with the allocator.
        assert int(run(script).stdout) < 8

    @pytest.mark.slow
    def test_five_million_tokens(self):
        """A book without line breaks is one segment."""
        text = " ".join([" ".join(map(str, range(10**6)))] * 5)
        score = self.score(text, text)
        assert score.score == 100.0
        assert score.totals == (5_000_000, 4_999_999, 4_999_998, 4_999_997)

    @pytest.mark.slow
    @pytest.mark.parametrize("types", [8, 1000, 50_000])
    def test_five_million_tokens_of_few_types(self, types):
        """Nor does it matter how often the words of the book come back."""
        text = " ".join([" ".join(map(str, range(types)))] * (5 * 10**6 // types))
        assert self.score(text, text).counts[0] == 5_000_000

    def test_a_million_times_the_same_word(self):
        """Every position matches every other, and still all is counted."""
        million, half = "word " * 10**6, "word " * 500_000
        assert self.score(million, million).score == 100.0
        counts = self.score(million, half).counts
        assert counts == (500_000, 499_999, 499_998, 499_997)
        assert self.score(half, million, half, million).score == 100.0

    def test_a_text_of_distinct_tokens(self):
        """300,000 words that occur once each fill every table to the brim."""
        words = [f"w{number}" for number in range(300_000)]
        assert self.score(" ".join(words), " ".join(words)).score == 100.0
        backwards = self.score(" ".join(words), " ".join(reversed(words)))
        assert backwards.counts == (300_000, 0, 0, 0)

    @pytest.mark.parametrize("types", [2, 10, 1000])
    def test_chance(self, types):
        """Most n-grams of low order match, and few of high order do."""
        chance = random.Random(types)
        words = [str(chance.randrange(types)) for _ in range(200_000)]
        score = self.score(" ".join(words), " ".join(words[::-1]), max_order=20)
        assert score.counts[0] == 200_000
        assert score.counts[0] > score.counts[1] > score.counts[19]

    def test_tokens_whose_numbers_collide(self):
        """Ids that share their low bits, or their high ones, find each other."""
        for factor in (2**16, 2**32, 2**44):
            ids = [factor * number for number in range(500_000)]
            assert self.score(ids, ids, tokenizer="pretokenized").score == 100.0

    def test_many_references(self):
        """A hundred thousand references of one segment are a long text and nothing worse."""
        score = self.score("a b c d e", *["a b x d e", "e d c b a"] * 50_000)
        assert score.counts == (5, 2, 0, 0)
