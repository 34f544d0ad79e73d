"""Laws of all entry points: numbers of threads, and settings."""

import inspect
import os
import pkgutil
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import truebleu
import truebleu.engines
from entry_points import ENGINES, FUNCTIONS, METHODS, arguments, settled
from truebleu import SettingsError, SmallSampleWarning
from truebleu.inputs.numbers import thread_count

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

TEXTS = [f"the cat sat on mat {number % 7} and {number} slept" for number in range(40)]
OTHERS = [*TEXTS[1:], TEXTS[0]]
ENTRY_POINTS = FUNCTIONS | METHODS

# The threads of this process.
THREADS = Path("/proc/self/task")


def parameters_of(function):
    return inspect.signature(function).parameters.values()


def takes_settings(function):
    """Tell whether a function takes settings; others collect what is refused, or of intervals."""
    return any(
        each.kind is each.VAR_KEYWORD
        and each.annotation not in ("Never", "Unpack[IntervalArguments]", "Unpack[TestArguments]")
        for each in parameters_of(function)
    )


SETTABLE = [path for path, each in FUNCTIONS.items() if takes_settings(each)]
THREADED = [
    path
    for path, each in ENTRY_POINTS.items()
    if path in METHODS or "threads" in inspect.signature(each).parameters
]


# What a call is about although it need not be given.
SUBJECTS = {
    "references",  # Or as streams.
    "decompose corpus",
    "meta_evaluate systems",
    "read_esa pair",
    "read_texts column",
}


def test_subjects_are_given_by_position():
    """What a call is about may be given by position, and everything else by keyword only."""
    for path, function in FUNCTIONS.items():
        for each in parameters_of(function):
            if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
                continue
            needed = each.default is each.empty
            is_subject = needed or not {each.name, f"{path} {each.name}"}.isdisjoint(SUBJECTS)
            by_position = each.kind is each.POSITIONAL_OR_KEYWORD
            assert by_position == is_subject, f"{path}: {each.name}"


def test_the_registry_is_complete():
    """It has every engine that needs no cluster, and every method that takes `threads`."""
    modules = {each.name for each in pkgutil.iter_modules(truebleu.engines.__path__)}
    assert modules - {"files", "job", "lakes", "streams"} == {*ENGINES, "polars", "ray", "spark"}
    methods = {
        f"{kind.__name__}.{name}"
        for kind in map(vars(truebleu).get, truebleu.__all__)
        if inspect.isclass(kind)
        for name, method in vars(kind).items()
        if name[0] != "_" and inspect.isfunction(method)
        if "threads" in inspect.signature(method).parameters
    }
    called = {each.__qualname__ for each in METHODS.values() if inspect.ismethod(each)}
    assert methods == called | {"Accumulator.add"}


@pytest.mark.parametrize("path", THREADED)
def test_the_number_of_threads(path, tmp_path):
    """It changes nothing, however large it is; what is no number from 1 up is refused."""
    positional, keyword = arguments(path, TEXTS, OTHERS, tmp_path)

    def call(threads):
        return repr(settled(ENTRY_POINTS[path](*positional, **keyword, threads=threads)))

    expected = call(1)
    for threads in (2, 10**9, 10**5000):
        assert call(threads) == expected
        assert thread_count(threads) <= 4 * os.cpu_count()
    for threads in (0, -1, True, 1.5, "2", -(10**5000)):
        with pytest.raises(SettingsError, match=r"^threads is .*; a whole number from 1 up is n"):
            call(threads)


# There is nothing to warn of in these; the weights of mbr are those of the samples.
SILENT = {f"{of}_{metric}" for of in ("corpus", "sentence") for metric in ("chrf", "ter")} | {"mbr"}


@pytest.mark.parametrize("path", SETTABLE)
def test_settings_are_checked_once(path, tmp_path):
    """Whatever a function does with its settings, it warns of them once, where it is called."""
    positional, keyword = arguments(path, TEXTS, OTHERS, tmp_path)
    chosen = {} if path in SILENT else {"weights": [0.33] * 4}
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", SmallSampleWarning)
        value = FUNCTIONS[path](*positional, **keyword, **chosen)
        if inspect.isgenerator(value):
            list(value)
    assert [str(each.message).partition(" (")[0] for each in found] == list(chosen)
    assert {each.filename for each in found} <= {__file__}
    with pytest.raises(SettingsError, match=r"'lowercased' is (unknown|neither)"):
        settled(FUNCTIONS[path](*positional, **keyword, lowercased=True))


@pytest.mark.skipif(not THREADS.is_dir(), reason="threads cannot be counted")
def test_threads_of_self_bleu():
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
