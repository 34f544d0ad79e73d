"""Programs that replace methods of sacreBLEU's metrics: the drop-in never ignores it.

The names are those that the installed sacreBLEU has. Every one is replaced in every way, by
something that changes what it returns, in sacreBLEU and in the drop-in.
"""
# Programs replace and call these private members of sacreBLEU.

import copy
import functools
import inspect
import itertools
import pickle
import pkgutil
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager, nullcontext
from unittest import mock

import pytest
import sacrebleu as original
import sacrebleu.significance
from looping import looped
from truebleu.compat import sacrebleu as drop_in
from truebleu.compat import watched
from truebleu.compat.sacrebleu import significance

MODULES = (original, drop_in)
HYPOTHESES = [
    "The dog bit the man, (twice).",
    "It was not THE end.",
    "The man had just bitten him.",
]
STREAMS = [
    ["The dog bit the man.", "It was not the unexpected end.", "The man bit him first."],
    ["The dog had bit the man (twice).", "No one was surprised.", "The man had bitten the dog."],
]
SETTINGS = {"BLEU": {}, "CHRF": {"word_order": 2}, "TER": {}}
# Of the functions that score sentences.
OPTIONS = {"BLEU": {"tokenize": "intl"}, "CHRF": {"word_order": 1}, "TER": {"normalized": True}}
WAYS = ("instance", "class", "subclass", "mock", "base")


def stored(kind, name):
    """Return a member of a class as it is stored, and the class that has it."""
    base = next(base for base in kind.__mro__ if name in vars(base))
    return vars(base)[name], base


def members(name):
    """Return the names of all methods and constants of one of sacreBLEU's metrics."""
    kind = getattr(original, name)
    found = {each for base in kind.__mro__[:-1] for each in vars(base)}
    return sorted(each for each in found if not each.startswith("__") or each == "__init__")


# Constants are replaced by these. Elsewhere they are read once, when classes are defined.
CONSTANTS = {
    "_PUNCTS": set("end"),
    "TOKENIZER_DEFAULT": "char",
    "_TOKENIZER_MAP": {"": "char"},
    "CHAR_ORDER": 2,
    "WORD_ORDER": 1,
    "BETA": 1,
}
# The other constants.
LEFT_OUT = {"TOKENIZERS", "SMOOTH_DEFAULTS", "_SIGNATURE_TYPE", "_abc_impl"}
# What sacreBLEU does not read again, or not from an instance.
WITHOUT_EFFECT = {"CHAR_ORDER", "WORD_ORDER", "BETA"}
WITHOUT_EFFECT_ON_AN_INSTANCE = {"TOKENIZER_DEFAULT", "_TOKENIZER_MAP", "__init__"}
CASES = [
    (metric, name, way)
    for metric in SETTINGS
    for name in members(metric)
    if name not in LEFT_OUT
    for way in WAYS
    # A method of the base class has no effect if the metric has its own.
    if way != "base" or stored(getattr(original, metric), name)[1] is original.metrics.base.Metric
]


def changed(result):
    """Return something else of the same type."""
    if isinstance(result, str):
        return result[: len(result) // 2]
    if isinstance(result, (int, float)):
        return result + 3
    if isinstance(result, list):
        if isinstance(result[0], list):
            return [changed(each) for each in result]
        if isinstance(result[0], dict):
            return result[::-1]
        return result[1:] if isinstance(result[0], str) else [*result[:-1], result[-1] + 1]
    if isinstance(result, dict):
        # N-grams or words of the references: those of the last one are gone.
        key = next(iter(result))
        value = result[key]
        return result | {key: value[:1] if isinstance(value, list) else type(value)()}
    if hasattr(result, "score"):
        result.score = result.score / 2 + 1
        return result
    if hasattr(result, "info"):
        result.update("patched", "yes")
        return result
    raise ZeroDivisionError  # From checks, which return nothing.


def replacement(name, method):
    """Return what a method is replaced by; it calls the method."""
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name == "__init__":

        def create(self, **settings):
            known = inspect.signature(method).parameters
            setting = "lowercase" if "lowercase" in known else "case_sensitive"
            method(self, **settings | {setting: True})

        return create
    return lambda *arguments, **settings: changed(method(*arguments, **settings))


def for_class(kind, name):
    """Return what a member of a class is replaced by, as it is stored."""
    member, _ = stored(kind, name)
    if isinstance(member, staticmethod):
        return staticmethod(replacement(name, member.__func__))
    return replacement(name, member)


@contextmanager
def replaced(kind, name, way):
    """Replace a member of a class; yield the class."""
    if way == "subclass":
        yield type("Derived", (kind,), {name: for_class(kind, name)})
    elif way == "mock":
        with mock.patch.object(kind, name, for_class(kind, name)):
            yield kind
    else:
        if way == "base":
            kind, derived = next(base for base in kind.__mro__ if base.__name__ == "Metric"), kind
        else:
            derived = kind
        absent = name not in vars(kind)
        before = None if absent else vars(kind)[name]
        setattr(kind, name, for_class(kind, name))
        try:
            yield derived
        finally:
            if absent:
                delattr(kind, name)
            else:
                setattr(kind, name, before)


def outcome(call):
    """Return a score by its parts, anything else by its `repr`, and an error by its type."""
    try:
        result = call()
    except Exception as error:
        return kinds(error)
    return (repr(result.score), str(result)) if hasattr(result, "score") else repr(result)


def kinds(error):
    """Return the built-in class of an error."""
    return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins").__name__


def signature(metric):
    """Return a signature without its version."""
    return str(metric.get_signature()).rpartition("|version:")[0]


def paired(module, metric, test):
    """Run a paired test; return its results and signatures without versions."""
    tests = sacrebleu.significance if module is original else significance
    systems = [("A", HYPOTHESES), ("B", HYPOTHESES[::-1])]
    test = tests.PairedTest(systems, {"it": metric}, STREAMS, test, n_samples=5)
    signatures, results = test()
    return results, [str(each).rpartition("|version:")[0] for each in signatures.values()]


def entries(module, metric, cached=None):
    """Call every entry with a metric, and with one that was given its references, if any."""
    score, sentence = metric.corpus_score, metric.sentence_score
    yield lambda: score(HYPOTHESES, STREAMS)
    yield lambda: score(HYPOTHESES, STREAMS, n_bootstrap=5)
    yield lambda: sentence(HYPOTHESES[0], [stream[0] for stream in STREAMS])
    yield lambda: sentence(HYPOTHESES[1], [STREAMS[0][1]])
    yield lambda: metric._extract_corpus_statistics(HYPOTHESES, STREAMS)
    yield lambda: metric._aggregate_and_compute(
        metric._extract_corpus_statistics(HYPOTHESES, STREAMS)
    )
    yield lambda: signature(metric)
    yield lambda: paired(module, metric, "bs")
    yield lambda: paired(module, metric, "ar")
    if cached is not None:
        yield lambda: cached.corpus_score(HYPOTHESES, None)
        yield lambda: cached.corpus_score(HYPOTHESES, None, n_bootstrap=5)
        yield lambda: cached.corpus_score(HYPOTHESES, STREAMS[:1])


def functions(module, metric):
    """Call the functions that score with a metric."""
    references = [stream[0] for stream in STREAMS]
    yield lambda: getattr(module, f"corpus_{metric.lower()}")(HYPOTHESES, STREAMS)
    yield lambda: getattr(module, f"sentence_{metric.lower()}")(HYPOTHESES[0], references)
    yield lambda: getattr(module, f"sentence_{metric.lower()}")(
        HYPOTHESES[0], references, **OPTIONS[metric]
    )


def program(module, name, member, way):
    """Replace a member, or nothing if it is None, and call every entry before, during and after."""
    kind, settings = getattr(module, name), SETTINGS[name]
    earlier, earlier_cached = kind(**settings), kind(**settings, references=STREAMS)
    found = [outcome(lambda: earlier.sentence_score("a dog", ["a cat"]))]
    if way == "instance":
        names = [] if member is None else [member]
        for metric, each in itertools.product((earlier, earlier_cached), names):
            setattr(metric, each, replacement(each, getattr(metric, each)))
        found += [outcome(each) for each in entries(module, earlier, earlier_cached)]
        for metric, each in itertools.product((earlier, earlier_cached), names):
            delattr(metric, each)
    else:
        with nullcontext(kind) if member is None else replaced(kind, member, way) as used:
            later, later_cached = used(**settings), used(**settings, references=STREAMS)
            for pair in ((earlier, earlier_cached), (later, later_cached)):
                found += [outcome(each) for each in entries(module, *pair)]
            found += [outcome(each) for each in functions(module, name)]
        found += [outcome(each) for each in entries(module, later, later_cached)]
    found += [outcome(each) for each in entries(module, earlier, earlier_cached)]
    return found + [outcome(each) for each in functions(module, name)]


@pytest.fixture(autouse=True)
def _all_is_restored():
    """Let the core score sentences again in the tests that follow."""
    yield
    watched.marks.clear()


@functools.cache
def unchanged(metric, way):
    """Run the program with nothing replaced."""
    return program(original, metric, None, way)


@looped("metric, member, way", CASES)
def test_members(metric, member, way):
    """Whatever is replaced, every entry has the results of sacreBLEU, then and afterwards."""
    watched.marks.clear()  # The core scores sentences again.
    expected, found = (program(module, metric, member, way) for module in MODULES)
    assert found == expected
    no_effect = WITHOUT_EFFECT | (WITHOUT_EFFECT_ON_AN_INSTANCE if way == "instance" else set())
    assert (expected == unchanged(metric, way)) == (member in no_effect)


@looped(
    "metric, name",
    [
        ("BLEU", "metrics.bleu.extract_all_word_ngrams"),
        ("CHRF", "metrics.chrf.extract_all_char_ngrams"),
        ("CHRF", "metrics.chrf.extract_word_ngrams"),
        ("TER", "metrics.ter.translation_edit_rate"),
        ("BLEU", "metrics.bleu.my_log"),
        *((metric, f"metrics.{metric.lower()}.sum_of_lists") for metric in SETTINGS),
        *((metric, f"metrics.{metric.lower()}.{metric}Score") for metric in SETTINGS),
        ("BLEU", "metrics.bleu.BLEU.SMOOTH_DEFAULTS"),
        ("BLEU", "tokenizers.tokenizer_13a.Tokenizer13a.__call__"),
        ("TER", "tokenizers.tokenizer_ter.TercomTokenizer.__call__"),
        *((metric, f"compat.{metric}") for metric in SETTINGS),
    ],
)
def test_functions_of_modules(metric, name):
    """The same for functions that metrics call, tokenizers, and classes that functions use."""
    watched.marks.clear()
    found = []
    for module in MODULES:
        path = f"{module.__name__}.{name}"
        used = pkgutil.resolve_name(path)
        if name.endswith("Score"):
            changed_to = type("Other", (used,), {"__init__": functools.partialmethod(halve, used)})
        elif isinstance(used, dict):
            changed_to = used | {"exp": 1}
        elif isinstance(used, type):
            changed_to = type("Other", (used,), {"_preprocess_segment": lambda _, text: text[::-1]})
        else:
            changed_to = functools.partial(altered, used)
            if name.endswith("__call__"):
                changed_to = functools.partialmethod(altered, used)
        created = getattr(module, metric)(**SETTINGS[metric])
        calls = [*entries(module, created), *functions(module, metric)]
        with mock.patch(path, changed_to):
            found.append([outcome(each) for each in calls])
        found.append([outcome(each) for each in calls])
    assert found[:2] == found[2:]
    assert found[0] != found[1]


def halve(score, kind, number, *arguments):
    """Begin with half the score."""
    kind.__init__(score, number / 2, *arguments)


def altered(first, second, *arguments):
    """Return the counts, edits or tokens of a text, and something more."""
    function, arguments = (
        (first, (second, *arguments)) if callable(first) else (second, (first, *arguments))
    )
    result = function(*arguments)
    if isinstance(result, str):
        return f"{result} x"
    if isinstance(result, int | float):
        return result + 1
    if isinstance(result, tuple):
        return *result[:-1], result[-1] + 1
    if isinstance(result, list):
        first = result[0]
        return [type(first)(), *result[1:]] if isinstance(first, Counter | int) else result[::-1]
    return Counter()


@looped(
    "name, changed_to",
    [
        ("_MAX_SHIFT_SIZE", 1),
        ("_MAX_SHIFT_DIST", 1),
        ("_MAX_SHIFT_CANDIDATES", 1),
        ("_BEAM_WIDTH", 1),
        ("_shift", lambda words, _, __, tried: (0, words, tried)),
        ("_perform_shift", lambda words, *_: words),
        ("_find_shifted_pairs", lambda *_: iter(())),
        ("_flip_trace", lambda trace: "s" * len(trace)),
        ("trace_to_alignment", lambda trace: ({}, [], [])),
        ("BeamEditDistance.__call__", lambda *_: (7, "")),
        ("BeamEditDistance", lambda _: lambda __: (7, "")),
        ("translation_edit_rate", lambda *_: (1, 1)),
    ],
)
def test_steps_of_ter(name, changed_to):
    """The same for the functions and constants that sacreBLEU's TER consists of."""
    text, reference = "d b c b b d a", "c b d d b"
    found = []
    for module in MODULES:
        lib_ter, metric = module.metrics.lib_ter, module.TER()
        for replaced in (mock.patch.object(*_owner(lib_ter, name), changed_to), nullcontext()):
            with replaced:
                found += [
                    outcome(functools.partial(*call))
                    for call in (
                        (metric.corpus_score, [text], [[reference]]),
                        (module.sentence_ter, text, [reference]),
                        (lib_ter.translation_edit_rate, text.split(), reference.split()),
                        (lib_ter.translation_edit_rate, ["a"], []),
                    )
                ]
    assert found[:8] == found[8:]
    assert found[:4] != found[4:8]


def _owner(module, name):
    """Return what has a name of a module: the module, or one of its classes."""
    owner, _, attribute = name.rpartition(".")
    return (getattr(module, owner) if owner else module), attribute


def test_tokenizers_may_be_replaced():
    """A metric uses the tokenizer that it has when it scores, of any class."""
    for name in ("BLEU", "TER"):
        expected, found = (
            [outcome(each) for each in entries(module, with_tokenizer(module, name))][:6]
            for module in MODULES
        )
        assert found == expected


def with_tokenizer(module, name):
    """Return a metric whose tokenizer has been replaced after a score."""
    metric = getattr(module, name)()
    metric.sentence_score("a b", ["a c"])
    metric.tokenizer = lambda text: " ".join(text[:12])
    return metric


def test_nothing_is_noticed_without_cause():
    """Importing, deriving and using classes replaces nothing, so the core scores sentences."""
    code = """
from truebleu.compat import sacrebleu, watched

class Derived(sacrebleu.CHRF):
    name = "derived"

for kind in (sacrebleu.BLEU, Derived, sacrebleu.TER):
    metric = kind()
    metric.corpus_score(["a"], [["b"]], n_bootstrap=2)
    metric.sentence_score("a", ["b"])
sacrebleu.sentence_bleu("a", ["b"], tokenize="intl")
assert watched.marks == []
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@looped("copied", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
@looped("name", SETTINGS)
def test_copies(name, copied):
    """A copy of a metric has the method that was replaced."""
    watched.marks.clear()
    metric = getattr(drop_in, name)()
    before = metric.corpus_score(HYPOTHESES, STREAMS).score
    metric._preprocess_segment = halved
    replaced = metric.corpus_score(HYPOTHESES, STREAMS).score
    assert copied(metric).corpus_score(HYPOTHESES, STREAMS).score == replaced != before
    del metric._preprocess_segment
    assert copied(metric).corpus_score(HYPOTHESES, STREAMS).score == before


def halved(text):
    """Return every second character."""
    return text[::2]
