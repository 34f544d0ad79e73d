"""The number of threads, wherever it can be given: one check, and never more than are of use."""

import inspect
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truebleu
import truebleu.testing
from toy_metrics import ExactMatch
from truebleu import Accumulator, Bleu, Chrf, SettingsError, Ter
from truebleu.engines import arrow, pandas, tables
from truebleu.inputs.numbers import thread_count

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

TEXTS = [f"the cat sat on mat {number % 7} and {number} slept" for number in range(40)]
OTHERS = TEXTS[::-1]
LISTS = [TEXTS[:3], TEXTS[3:6]]
RESAMPLING = {"n_resamples": 300}

# The threads of this process.
THREADS = Path("/proc/self/task")

# A call of everything public that takes `threads`: of a function, or of what a path of a name leads
# to, with a table of texts where one is needed.
CALLS = {
    **{f"corpus_{name}": lambda call, _: call(TEXTS, OTHERS) for name in ("bleu", "chrf", "ter")},
    "Accumulator.add": lambda call, _: call(Accumulator(), TEXTS, OTHERS),
    "Bleu.sentences": lambda call, _: call(Bleu(), TEXTS, OTHERS),
    **{
        f"Metric.{name}": lambda call, _: [
            call(metric, TEXTS, OTHERS) for metric in (Bleu(), Chrf(), Ter(), ExactMatch())
        ]
        for name in ("corpus", "sentences", "stats")
    },
    "audit": lambda call, _: call(TEXTS, OTHERS),
    "best_of": lambda call, _: call(LISTS, OTHERS[:2]),
    "compare": lambda call, _: call(
        {"A": TEXTS, "B": OTHERS}, OTHERS[1:] + TEXTS[:1], n_trials=300, **RESAMPLING
    ),
    "confidence_interval": lambda call, _: call(TEXTS, OTHERS, **RESAMPLING),
    "explain": lambda call, _: call(TEXTS, OTHERS),
    "mbr": lambda call, _: call(LISTS),
    "pairwise": lambda call, _: [call(TEXTS), call(TEXTS, metric=ExactMatch())],
    "pairwise_blocks": lambda call, _: list(call(TEXTS)),
    "report": lambda call, _: call({"A": TEXTS}, OTHERS, **RESAMPLING).to_dict(),
    "reproduce": lambda call, _: call(TEXTS, OTHERS, target=50.0),
    "rerank": lambda call, _: call(LISTS, OTHERS[:2]),
    "self_bleu": lambda call, _: call(TEXTS).scores,
    "token_rewards": lambda call, _: call([[1, 2]], [[1, 2, 3]]),
    "testing.assert_score": lambda call, _: call(TEXTS, TEXTS, at_least=99),
    **{
        f"engines.{engine}.{name}": lambda call, table, read=read: call(
            read(table), "hypothesis", "reference"
        )
        for engine, read in (("arrow", pq.read_table), ("pandas", pd.read_parquet), ("tables", str))
        for name in ("corpus_score", "sentence_score", "stats")
    },
    "engines.arrow.sentence_score": lambda call, table: call(
        pq.read_table(table), "hypothesis", "reference"
    ).to_pylist(),
    "engines.tables.score_stats": lambda call, table: call(f"{table}.stats.parquet"),
}


def short(threads):
    """Name a number of threads; Python writes no number of more than some thousand digits."""
    return "huge" if threads in (10**5000, -(10**5000)) else repr(threads)


def takers(path, module):
    """Return what takes `threads`, by its path: functions, and methods of classes."""
    found = {}
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value):
            methods = {f"{name}.{key}": each for key, each in vars(value).items() if key[0] != "_"}
        else:
            methods = {name: value}
        for key, each in methods.items():
            if inspect.isfunction(each) and "threads" in inspect.signature(each).parameters:
                found[path + key] = each
    return found


TAKERS = {
    **takers("", truebleu),
    **takers("testing.", truebleu.testing),
    **{
        key: each
        for engine in (arrow, pandas, tables)
        for key, each in takers(f"engines.{engine.__name__.rpartition('.')[2]}.", engine).items()
    },
}


class TestNumber:
    """The number of threads, wherever it can be given."""

    @pytest.fixture
    def table(self, tmp_path):
        """Write a table of texts, and one of their statistics."""
        path = tmp_path / "texts.parquet"
        pq.write_table(pa.table({"hypothesis": TEXTS, "reference": OTHERS}), path)
        stats = Bleu().stats(TEXTS, OTHERS)
        columns = dict(zip(Bleu().fields, stats.to_numpy().T, strict=True))
        pq.write_table(
            pa.table(columns | {"key": [stats.key] * len(TEXTS)}), f"{path}.stats.parquet"
        )
        return path

    def test_there_is_a_call_of_each(self):
        """Nothing public takes `threads` without a call here, except what others call."""
        internal = {
            "_count_rows",
            "_count_together",
            "_load_texts",
            "_prepare_lines",
            "_count_lines",
        }
        internal |= {"_count_stats", "partial_sums"}
        public = {key for key in TAKERS if key.rpartition(".")[2] not in internal}
        assert public == CALLS.keys()

    @pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2", -(10**5000)], ids=short)
    @pytest.mark.parametrize("name", CALLS)
    def test_what_is_no_number_of_threads(self, name, threads, table):
        """Everything refuses it, with the same words."""
        with pytest.raises(SettingsError, match=r"^threads is .*; a whole number from 1 up is n"):
            CALLS[name](partial(TAKERS[name], threads=threads), table)

    @pytest.mark.parametrize("threads", [10**9, 10**5000], ids=short)
    @pytest.mark.parametrize("name", CALLS)
    def test_more_than_are_of_use(self, name, threads, table):
        """Everything returns the same with any number, and starts only a few threads."""
        expected = CALLS[name](partial(TAKERS[name], threads=1), table)
        assert repr(CALLS[name](partial(TAKERS[name], threads=threads), table)) == repr(expected)
        assert thread_count(threads) <= 4 * os.cpu_count()

    @pytest.mark.skipif(not THREADS.is_dir(), reason="threads cannot be counted")
    def test_threads_of_self_bleu(self):
        """So many are seen at most while it works."""
        texts = [f"{text} {number}" for number in range(200) for text in TEXTS]
        most, done = 0, threading.Event()

        def look():
            nonlocal most
            while not done.is_set():
                most = max(most, len([*THREADS.iterdir()]))

        before = len([*THREADS.iterdir()])
        with ThreadPoolExecutor(1) as pool:
            looking = pool.submit(look)
            truebleu.self_bleu(texts, threads=10**9)
            done.set()
            looking.result()
        assert most <= before + 1 + 4 * os.cpu_count()
