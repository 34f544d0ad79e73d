"""Accelerated packages are themselves: only what counts is answered by the core."""

import copy
import inspect
import multiprocessing
import pickle
import re
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import nltk.translate.bleu_score
import nltk.translate.chrf_score
import numpy as np
import pytest
import sacrebleu
import strategies
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from sacrebleu import significance
from sacrebleu.metrics import BLEU, CHRF, TER, bleu, chrf, helpers, lib_ter, ter
from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re
from truebleu import SettingsWarning
from truebleu.compat import accelerate as accelerating
from truebleu.compat import mistakes
from truebleu.compat import nltk as of_nltk
from truebleu.compat import sacrebleu as of_sacrebleu
from truebleu.compat.accelerate import _PACKAGES
from truebleu.compat.seams import Seam
from truebleu.errors import MissingExtraError, UnknownNameError

MODULES = {"sacrebleu": of_sacrebleu, "nltk": of_nltk}
usual = settings(deadline=None, max_examples=60)


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    """Let each test hear of mistakes again, and see that all is undone."""
    monkeypatch.setattr(mistakes, "_said", set())
    monkeypatch.setattr(accelerating, "_left_alone", set())
    yield
    assert not any(seam._count for module in MODULES.values() for seam in module.SEAMS)


def outcome(call):
    """Return the parts of what a call returns, or its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return parts(call())
        except Exception as error:  # Whatever the original raises.
            return type(error), str(error)


def parts(value):
    """Return a value in a form that is equal only for the same types and bits."""
    if isinstance(value, list | tuple):
        return [isinstance(value, list), *map(parts, value)]
    if isinstance(value, sacrebleu.metrics.base.Score):
        return [type(value), str(value), *((k, parts(v)) for k, v in vars(value).items())]
    return repr(value)


def same(call, *packages):
    """Assert that a call has the same outcome when packages are accelerated; return it."""
    expected = outcome(call)
    with truebleu.accelerate(*packages):
        found = outcome(call)
    assert found == expected
    return found


@pytest.fixture
def asked(monkeypatch):
    """Count how often the core answered, and how often the original had to."""
    counts = {True: 0, False: 0}
    for module, name in (
        *((of_sacrebleu, name) for name in ("_counted", "_sentence")),
        *((of_nltk, name) for name in ("_rows_of_bleu", "_rows_of_chrf")),
    ):

        def counted(*given, function=getattr(module, name)):  # noqa: B008
            result = function(*given)
            counts[result is not None] += 1
            return result

        monkeypatch.setattr(module, name, counted)
    return counts


class TestSeams:
    """What holds for every seam of every package."""

    @looped("name, seam", [(name, seam) for name in MODULES for seam in MODULES[name].SEAMS])
    def test_functions_keep_what_they_are(self, name, seam):
        """An answered function is the same object, with its names, parameters and pickle."""
        function = seam.function

        def described():
            names = ("__name__", "__qualname__", "__module__", "__doc__", "__defaults__")
            return [getattr(function, name) for name in names], inspect.signature(function)

        seams = MODULES[name].SEAMS
        is_answered = any(each._answer for each in seams if each.function is function)
        before, code = described(), function.__code__
        assert seam.is_known
        with truebleu.accelerate(name):
            assert described() == before
            assert (function.__code__ is not code) == is_answered
            assert pickle.loads(pickle.dumps(function)) is function
            assert inspect.getsource(function).count("def ") >= 1
        assert function.__code__ is code

    def test_every_package_has_seams(self):
        """The table of packages is that of these tests and `make peers`; each answers something."""
        assert {*_PACKAGES} == {*MODULES, "evaluate", "torchmetrics"}
        assert all(any(seam._answer for seam in MODULES[name].SEAMS) for name in MODULES)

    @looped("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
    def test_undone_in_any_order(self, order):
        """Calls that overlap end in any order, and twice; the last one restores the original."""
        function = nltk.translate.bleu_score.corpus_bleu
        code = function.__code__
        handles = [truebleu.accelerate(*names) for names in (["nltk"], ["sacrebleu", "nltk"], [])]
        for each in order:
            assert function.__code__ is not code
            handles[each].undo()
            handles[each].undo()
        assert function.__code__ is code
        assert repr(handles[0]) == "<accelerated: nothing>"

    def test_a_handle_that_nobody_keeps(self):
        """It is not undone when it is collected, and says what it has accelerated."""
        truebleu.accelerate("sacrebleu")
        try:
            assert of_sacrebleu.SEAMS[0]._count == 1
        finally:
            for seam in of_sacrebleu.SEAMS:
                seam.end()
        with truebleu.accelerate("nltk") as handle:
            assert repr(handle) == f"<accelerated: nltk {nltk.__version__}>"

    def test_names(self):
        """Without names, all that are installed are accelerated; unknown names are refused."""
        with truebleu.accelerate() as handle:
            assert handle.names == ("sacrebleu", "nltk")
        with pytest.raises(UnknownNameError, match=r"'sacrebleuu' is unknown.*did you mean sac"):
            truebleu.accelerate("sacrebleuu")

    def test_what_is_not_installed(self, monkeypatch):
        """It is an error that says what to install, and what to call without it."""
        monkeypatch.delitem(sys.modules, "nltk")
        monkeypatch.setattr(accelerating, "find_spec", lambda name: None)
        with pytest.raises(MissingExtraError, match=r"pip install nltk; or.*pretokenized"):
            truebleu.accelerate("nltk")

    @looped("parameters, uses", [("other", ""), ("self references", "absent")])
    def test_unknown_versions(self, parameters, uses, monkeypatch):
        """One whose functions are not as known is left alone, with one warning and its version."""
        seam = Seam(sacrebleu.metrics.base.Metric, "_cache_references", parameters, uses)
        monkeypatch.setattr(of_sacrebleu, "SEAMS", [*of_sacrebleu.SEAMS, seam])
        monkeypatch.setattr(accelerating, "_left_alone", set())
        before = BLEU._aggregate_and_compute.__code__
        with pytest.warns(
            SettingsWarning, match=rf"{re.escape(sacrebleu.__version__)} is not accelerated"
        ):
            handle = truebleu.accelerate("sacrebleu")
        assert BLEU._aggregate_and_compute.__code__ is before
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            truebleu.accelerate("sacrebleu").undo()
        handle.undo()


CORPUS = strategies.corpora(max_references=3)
METRICS = {
    BLEU: {
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["none", "13a", "zh", "intl", "char"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
    },
    CHRF: {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 2),
        "beta": st.sampled_from([1, 2, 3, 0.5]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
    TER: dict.fromkeys(
        ("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans()
    ),
}


class TestSacrebleu:
    """sacreBLEU gives the same results, counted by the core."""

    @usual
    @given(corpus=CORPUS, data=st.data())
    def test_every_metric(self, corpus, data):
        """Scores, statistics, signatures and errors of corpora and sentences, in every setting."""
        hypotheses, references = corpus
        streams = strategies.streams_of(references)
        for kind, choices in METRICS.items():
            how = data.draw(st.fixed_dictionaries({}, optional=choices))

            def calls(kind=kind, how=how):
                metric = kind(**how)
                yield metric.corpus_score(hypotheses, streams)
                yield str(metric.get_signature())
                yield metric.sentence_score(hypotheses[0], references[0])
                yield str(metric.get_signature())
                yield metric._extract_corpus_statistics(hypotheses, streams)
                yield metric.corpus_score(hypotheses, streams, n_bootstrap=3)
                cached = kind(**how, references=streams)
                yield cached.corpus_score(hypotheses, None)
                yield str(cached.get_signature())
                yield cached._ref_cache

            same(lambda calls=calls: [*calls()], "sacrebleu")

    def test_it_is_the_core_that_counts(self, asked):
        """None of the usual calls is left to sacreBLEU."""
        with truebleu.accelerate("sacrebleu"):
            for kind in METRICS:
                assert kind(references=STREAMS).corpus_score(HYPOTHESES, None).score
                assert kind().corpus_score(HYPOTHESES, STREAMS).score
                assert kind().sentence_score(HYPOTHESES[1], [STREAMS[0][1]]).name
            assert sacrebleu.sentence_bleu(HYPOTHESES[0], [STREAMS[0][0], None]).score
        assert asked == {True: 10, False: 0}

    @looped(
        "call",
        [
            lambda: BLEU().corpus_score([], [[]]),
            lambda: BLEU().corpus_score(["a"], None),
            lambda: BLEU().corpus_score(["a", None], [["a", "b"]]),
            lambda: CHRF().corpus_score(["a", 1], [["a", "b"]]),
            lambda: BLEU().corpus_score(["a", "b"], [["a", 1]]),
            lambda: BLEU(references=[["a", 1]]),
            lambda: TER().corpus_score(["a"], [[None]]),
            lambda: CHRF().sentence_score("a", [None]),
            lambda: BLEU().sentence_score("a", "a"),
            lambda: BLEU().sentence_score("a", []),
            lambda: BLEU(max_ngram_order=0).corpus_score(["a"], [["a"]]),
            lambda: BLEU(max_ngram_order=2.0).corpus_score(["a"], [["a"]]),
            lambda: CHRF(char_order=-1).corpus_score(["a"], [["a"]]),
            lambda: BLEU().corpus_score(["a b c d e", "x"], [["a b c d e"]]),
            lambda: BLEU().corpus_score(["a b c d e"], ["abc"]),
            lambda: BLEU(tokenize="none").corpus_score([b"a"], [[b"a"]]),
            lambda: BLEU()._extract_corpus_statistics(iter("ab"), [["a", "b"]]),
            lambda: TER().corpus_score(["a b"], [["a"]] * 30),
            lambda: BLEU(references=[["a b c d", "x"]]).corpus_score(["a b c d"], None),
            lambda: BLEU(references=[["a", "b"], ["a"]])._ref_cache,
        ],
    )
    def test_odd_calls(self, call):
        """Odd corpora and settings have the outcome that sacreBLEU gives them."""
        same(call, "sacrebleu")

    def test_references_are_those_of_the_constructor(self):
        """A list, or a setting, that changes later changes nothing."""

        def call(kind):
            streams = [["The cat sat on THE mat", "x y"], ["A cat sat", None]]
            metric = kind(references=streams)
            streams[0][0] = "another"
            before = metric.corpus_score(["the cat sat on the mat", "x"], None)
            metric.lowercase = True
            return before, metric.corpus_score(["the cat sat on the mat", "x"], None)

        for kind in METRICS:
            same(lambda kind=kind: call(kind), "sacrebleu")

    def test_statistics_may_be_changed(self):
        """What a program does to the list of statistics counts, as does what it makes of it."""

        def call(change):
            metric = CHRF()
            rows = metric._extract_corpus_statistics(HYPOTHESES, STREAMS)
            rows = change(rows) or rows
            return [metric._aggregate_and_compute(rows), rows]

        def add(rows):
            rows += rows[:1]

        def replace(rows):
            rows[0] = rows[1]

        def change(rows):
            for row in rows:
                row[0] += 1

        def add_to(rows):
            return [[1] * 18] + rows  # noqa: RUF005

        changes = [add, replace, change, lambda rows: rows.pop() and None, lambda rows: rows[1:]]
        for each in (*changes, copy.copy, copy.deepcopy, lambda rows: rows + rows, add_to):
            same(lambda each=each: call(each), "sacrebleu")
        with truebleu.accelerate("sacrebleu"):
            rows = CHRF()._extract_corpus_statistics(HYPOTHESES, STREAMS)
            assert np.array(rows).tolist() == [*rows]

    @pytest.mark.filterwarnings("ignore:.*the same text in all:truebleu.SettingsWarning")
    def test_tokenized_text(self, caplog):
        """SacreBLEU's own warning of a hundred lines that end in a period is logged."""
        texts = ["a b c ."] * 100
        for force, number in ((False, 3), (True, 0)):
            caplog.clear()
            with truebleu.accelerate("sacrebleu"):
                BLEU(force=force).corpus_score(texts, [texts])
            assert len(caplog.records) == number
        assert caplog.records == []

    @looped("kind", ["ar", "bs"])
    def test_paired_tests(self, kind):
        """Its own paired tests have its p-values and intervals."""

        def call():
            systems = [("a", HYPOTHESES * 5), ("b", [text[2:] for text in HYPOTHESES] * 5)]
            streams = [[*stream] * 5 for stream in STREAMS]
            metrics = {kind.__name__: kind() for kind in METRICS}
            test = significance.PairedTest(systems, metrics, streams, kind, 20)
            signatures, scores = test()
            return [*map(str, signatures.values()), repr(scores)]

        same(call, "sacrebleu")

    def test_its_command(self, tmp_path):
        """`truebleu-sacrebleu` prints what sacreBLEU's own command prints."""
        for name, lines in {"hyp": HYPOTHESES, "ref": STREAMS[0]}.items():
            (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
        arguments = f"{tmp_path}/ref -i {tmp_path}/hyp -m bleu chrf ter --confidence".split()
        ours = "from truebleu.compat.accelerate import sacrebleu_main as main; main()"
        printed = [
            subprocess.run(
                [sys.executable, *run, *arguments], capture_output=True, text=True, check=True
            ).stdout
            for run in (["-m", "sacrebleu"], ["-c", ours])
        ]
        assert printed[0] == printed[1] != ""


HYPOTHESES = ["The dog bit the man.", "It was not surprising.", "The man had just bitten him."]
STREAMS = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", None],
]


class Shorter(BLEU):
    """A metric whose hypotheses and references are prepared in its own way."""

    def _preprocess_segment(self, sent):
        return super()._preprocess_segment(sent[6:]).upper()


class Penalized(CHRF):
    """A metric that counts in its own way."""

    def _compute_segment_statistics(self, hypothesis, ref_kwargs):
        return [
            number + 1 for number in super()._compute_segment_statistics(hypothesis, ref_kwargs)
        ]


class Cached(TER):
    """A metric that looks at references in its own way."""

    def _cache_references(self, references):
        return super()._cache_references([stream[::-1] for stream in references])


class TestReplacedHooks:
    """Whatever a program overrides or replaces of what the core stands for is used."""

    @looped("kind", [Shorter, Penalized, Cached])
    def test_overridden(self, kind):
        """Subclasses score as with sacreBLEU."""

        def call():
            metric = kind()
            cached = kind(references=STREAMS)
            return [
                metric.corpus_score(HYPOTHESES, STREAMS),
                metric.sentence_score(HYPOTHESES[1], [STREAMS[0][1]]),
                cached.corpus_score(HYPOTHESES, None),
            ]

        plain = outcome(lambda: kind.__base__().corpus_score(HYPOTHESES, STREAMS))
        assert same(call, "sacrebleu")[1] != plain

    @looped(
        "holder, name",
        [
            *((kind, "_preprocess_segment") for kind in METRICS),
            *((kind, name) for kind in METRICS for name in of_sacrebleu._KINDS[kind].methods),
            *((bleu, "extract_all_word_ngrams"), (chrf, "extract_all_char_ngrams")),
            *((ter, "translation_edit_rate"), (lib_ter, "_flip_trace"), (helpers, "Counter")),
            *((bleu, "sum_of_lists"), (chrf, "sum_of_lists")),
            (tokenizer_re.TokenizerRegexp, "__call__"),
            (tokenizer_13a.Tokenizer13a, "__call__"),
        ],
    )
    def test_replaced(self, holder, name):
        """Replaced methods and functions are called, before and after acceleration begins."""
        calls = []

        def noticing(*given, function=getattr(holder, name), **named):  # noqa: B008
            calls.append(1)
            return function(*given, **named)

        stored = inspect.getattr_static(holder, name)
        wrapped = staticmethod(noticing) if isinstance(stored, staticmethod) else noticing
        kinds = [holder] if holder in METRICS else METRICS

        def scores():
            return [
                (
                    kind(**how).corpus_score(HYPOTHESES, STREAMS),
                    kind(**how).sentence_score(HYPOTHESES[1], ["It is not."]),
                )
                for kind, how in ((kind, PLUS.get(kind, {})) for kind in kinds)
            ]

        expected = outcome(scores)
        with truebleu.accelerate("sacrebleu"):
            assert outcome(scores) == expected
            assert not calls
            with mock.patch.object(holder, name, wrapped):
                assert outcome(scores) == expected
            assert calls
            calls.clear()
            assert outcome(scores) == expected
            assert not calls

    def test_of_one_metric(self):
        """A method that a program puts into one metric, and a tokenizer, are used."""

        def call():
            metric, other = CHRF(), BLEU()
            metric._compute_segment_statistics = lambda *_: [1] * 18
            other.tokenizer = str.upper
            return [each.corpus_score(HYPOTHESES, STREAMS) for each in (metric, other)]

        same(call, "sacrebleu")


PLUS = {CHRF: {"word_order": 2}}


TOKENS = [
    strategies.soup.map(str.split),
    strategies.soup.map(str.split).map(tuple),
    strategies.soup,
    st.lists(st.integers(0, 3), max_size=9),
    st.lists(st.sampled_from([1, True, 1.0, "1", None, ("a",)]), max_size=6),
]


class TestNltk:
    """NLTK gives the same results, counted by the core."""

    @usual
    @given(
        corpus=st.one_of([strategies.corpora(kind, max_references=3) for kind in TOKENS]),
        data=st.data(),
    )
    def test_bleu(self, corpus, data):
        """Of corpora and sentences, under every smoothing, with tokens of any kind."""
        hypotheses, references = corpus
        weights = data.draw(
            st.one_of(
                strategies.weight_lists().map(tuple),
                st.lists(strategies.weight_lists(), max_size=3),
                st.sampled_from([(0.25, 0.25, 0.25, 0.25), (), [[]], np.ones((2, 3)) / 3]),
            )
        )
        smoothing = nltk.translate.bleu_score.SmoothingFunction()
        method = data.draw(
            st.sampled_from([None, *(getattr(smoothing, f"method{n}") for n in range(8))])
        )
        reweigh = data.draw(st.booleans())
        bleu = nltk.translate.bleu_score
        how = weights, method, reweigh
        for call in (
            lambda: bleu.corpus_bleu(references, hypotheses, *how),
            lambda: bleu.sentence_bleu(references[0], hypotheses[0], *how),
        ):
            same(call, "nltk")

    @usual
    @given(corpus=strategies.corpora(max_references=1), data=st.data())
    def test_chrf(self, corpus, data):
        """Of corpora and sentences, of text or of tokens."""
        hypotheses, references = corpus
        first = [several[0] for several in references]
        least, most = data.draw(st.integers(0, 3)), data.draw(st.integers(1, 7))
        how = least, most, data.draw(st.sampled_from([0.0, 1, 3.0])), data.draw(st.booleans())
        module = nltk.translate.chrf_score
        same(lambda: module.corpus_chrf(first, hypotheses, *how), "nltk")
        same(lambda: module.sentence_chrf(first[0].split(), hypotheses[0].split(), *how), "nltk")

    @looped(
        "call",
        [
            lambda: nltk.translate.bleu_score.corpus_bleu([], []),
            lambda: nltk.translate.bleu_score.corpus_bleu([[["a"]]], []),
            lambda: nltk.translate.bleu_score.corpus_bleu([[]], [["a"]]),
            lambda: nltk.translate.bleu_score.corpus_bleu(iter([[["a"]]]), [["a"]]),
            lambda: nltk.translate.bleu_score.sentence_bleu([["a", "b"]], [["a", "b"]]),
            lambda: nltk.translate.bleu_score.sentence_bleu([iter("ab")], iter("ab")),
            lambda: nltk.translate.bleu_score.sentence_bleu([["a"] * 9], ["a"] * 9, None),
            lambda: nltk.translate.bleu_score.sentence_bleu({"a": 1}, ["a"]),
            lambda: nltk.translate.chrf_score.corpus_chrf([], []),
            lambda: nltk.translate.chrf_score.corpus_chrf(["a"], ["a", "b"]),
            lambda: nltk.translate.chrf_score.corpus_chrf([None], ["a"]),
        ],
    )
    def test_odd_calls(self, call):
        """Odd corpora have the outcome that NLTK gives them."""
        same(call, "nltk")

    def test_it_is_the_core_that_counts(self, asked):
        """None of the usual calls is left to NLTK, whatever a program has imported before."""
        from nltk.translate.bleu_score import corpus_bleu, sentence_bleu

        words, several = ["a", "b", "c", "d", "e"], [["a", "b", "c", "d", "f"], ["a"]]
        with truebleu.accelerate("nltk"):
            corpus_bleu([several], [words])
            sentence_bleu(several, words, smoothing_function=lambda p_n, **_: p_n)
            nltk.translate.chrf_score.sentence_chrf("a b", "a c")
        assert asked == {True: 3, False: 0}

    @looped("name", ["modified_precision", "closest_ref_length", "brevity_penalty", "Counter"])
    def test_replaced_functions(self, name):
        """A function of NLTK that a program has replaced is called."""
        module = nltk.translate.bleu_score
        function = getattr(module, name)
        calls = []

        def noticing(*given, **named):
            calls.append(1)
            return function(*given, **named)

        with truebleu.accelerate("nltk"), mock.patch.object(module, name, noticing):
            module.sentence_bleu([["a", "b", "c", "d"]], ["a", "b", "c", "d"])
        assert calls


def score(_=None):
    """Score with both packages; also called in other processes."""
    pair = HYPOTHESES[1], STREAMS[0][1]
    metric = BLEU(references=STREAMS, effective_order=True)
    return (
        metric.corpus_score(HYPOTHESES, None).score,
        metric.sentence_score(pair[0], [pair[1]]).score,
        nltk.translate.bleu_score.sentence_bleu([pair[1].split()], pair[0].split(), (0.5, 0.5)),
    )


class TestProcesses:
    """Threads and processes score with accelerated packages as by themselves."""

    def test_threads(self):
        """Threads that score, accelerate and undo at the same time all get the same scores."""
        expected = score()
        stop = threading.Event()

        def toggle():
            while not stop.is_set():
                truebleu.accelerate().undo()

        with ThreadPoolExecutor(3) as pool:
            toggling = pool.submit(toggle)
            try:
                assert {*pool.map(score, range(200))} == {expected}
            finally:
                stop.set()
            toggling.result()

    @looped("method", sorted({"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}))
    def test_pools(self, method):
        """Bound methods, functions, metrics with references and handles are pickled."""
        context = multiprocessing.get_context(method)
        expected = score()
        with truebleu.accelerate() as handle:
            metric = BLEU(references=STREAMS)
            calls = [
                (metric.corpus_score, (HYPOTHESES, None)),
                (metric._extract_corpus_statistics, (HYPOTHESES, None)),
                (nltk.translate.bleu_score.corpus_bleu, ([[["a", "b"]]], [["a", "b"]], (0.5, 0.5))),
            ]
            with context.Pool(1, truebleu.accelerate) as pool:
                assert pool.map(score, range(2)) == [expected] * 2
                results = [pool.apply(*call) for call in calls]
                assert pool.apply(repr, [handle]) == repr(handle)
            assert parts(results) == parts([function(*given) for function, given in calls])

    def test_a_program(self, tmp_path):
        """`python -m truebleu.compat` runs a program accelerated, with its own arguments."""
        path = tmp_path / "program.py"
        path.write_text(
            "import sys, sacrebleu\n"
            "from truebleu.compat import sacrebleu as s\n"
            "print(__name__, sys.argv[1:], s.SEAMS[0]._count)\n"
        )
        command = [sys.executable, "-m", "truebleu.compat", str(path), "--x", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "__main__ ['--x', '1'] 1\n"
        done = subprocess.run(command[:3], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "usage: python -m truebleu.compat program.py" in done.stderr


# What a call of a package gives in silence, and what is said of it.
SEGMENT, OTHER = ["the", "cat", "sat", "on", "the", "mat"], ["a", "cat", "sat", "on", "a", "mat"]
BLEU_OF = nltk.translate.bleu_score
MISTAKES = [
    ("sacrebleu", lambda: BLEU().corpus_score(["a b", "c"], ["a b", "c"]), r"pass \[references\]"),
    (
        "sacrebleu",
        lambda: BLEU().corpus_score(["a b", "c"], [["a b"], ["c"]]),
        r"2 hypotheses, .* 1 items, so only the first 1 .*list\(zip\(\*references\)\)",
    ),
    ("sacrebleu", lambda: BLEU().corpus_score(["a", "c"], [["a"]]), "leave none out"),
    ("sacrebleu", lambda: [CHRF(references=[["a", "b"], ["a"]])._ref_cache], "1 and 2 items"),
    ("sacrebleu", lambda: TER(references=[["a"]]).corpus_score(["a", "b"], None), "1 items"),
    (
        "sacrebleu",
        lambda: CHRF().corpus_score(["abc", "xyz"], [["qqq", "abd"], ["xyw", "rrr"]]),
        r"references\[i\] is read as the references of segment i.*zip",
    ),
    ("sacrebleu", lambda: CHRF().corpus_score(["a"], [["a"], [""]]), "use None for"),
    ("sacrebleu", lambda: CHRF().sentence_score("a", ["a", ""]), "use None for"),
    ("nltk", lambda: BLEU_OF.sentence_bleu(["a b"], "a b"), r"hypothesis is a str.*split\(\)"),
    ("nltk", lambda: BLEU_OF.sentence_bleu(SEGMENT, SEGMENT), r"reference is a str"),
    ("nltk", lambda: BLEU_OF.sentence_bleu(SEGMENT, [SEGMENT]), "references come first here"),
    ("nltk", lambda: BLEU_OF.corpus_bleu([[SEGMENT, []]], [SEGMENT]), "some references are empty"),
    (
        "nltk",
        lambda: BLEU_OF.corpus_bleu(
            [[SEGMENT, OTHER[::-1]], [SEGMENT[::-1], OTHER]], [SEGMENT, OTHER[::-1]]
        ),
        r"list_of_references\[i\] is read as the i-th",
    ),
    (
        "nltk",
        lambda: BLEU_OF.sentence_bleu(["a b"], "a b"),
        "hypothesis is a str",
    ),
]


class TestMistakes:
    """What the originals do in silence is said once, or refused if strict."""

    @looped("package, call, message", MISTAKES)
    def test_is_said(self, package, call, message):
        """One warning for each kind, from the line of the program, and the original's result."""
        mistakes._said.clear()
        expected = outcome(call)
        with truebleu.accelerate(package), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = parts(call())
            except TypeError as error:
                found = type(error), str(error)
            said = [each for each in caught if each.category is SettingsWarning]
            assert outcome(call) == found == expected
        assert [each.filename for each in said] == [__file__]
        assert re.search(message, str(said[0].message))

    @looped("package, call, message", MISTAKES)
    def test_strict(self, package, call, message):
        """An error each time, while a handle that is strict is in force."""
        with truebleu.accelerate(package), truebleu.accelerate(package, strict=True):
            for _ in range(2):
                with pytest.raises(truebleu.TruebleuError, match=message):
                    call()

    def test_nothing_is_said_without_cause(self):
        """Usual calls give no warning."""
        with truebleu.accelerate(strict=True), warnings.catch_warnings():
            warnings.simplefilter("error")
            score()
