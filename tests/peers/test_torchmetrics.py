"""The drop-in for torchmetrics, compared with the installed torchmetrics; `make peers` runs it."""

import multiprocessing
import pickle
import socket
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")
    peer = pytest.importorskip("torchmetrics")
    import torchmetrics.functional.text as peer_functions
    import torchmetrics.text as peer_classes
    import truebleu.compat.torchmetrics as ours
    import truebleu.compat.torchmetrics.functional as our_functions
    from truebleu.compat.torchmetrics.chrf import ChrfRules
    from truebleu.compat.torchmetrics.ter import TerRules

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "golden")]
import make_chrf_ter  # noqa: E402
import strategies  # noqa: E402
from truebleu import (  # noqa: E402
    LengthMismatchError,
    SettingsError,
    StatsMismatchError,
    UnknownNameError,
)

# torch warns of its own modules, and torchmetrics of scores before the first batch.
pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore:The ``compute``:UserWarning"
)
usual = settings(deadline=None, max_examples=6)

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
# Of the states under truebleu's own name.
DTYPES = {name: {torch.int64} for name in FUNCTIONS}
DTYPES["TranslationEditRate"].add(torch.float64)
CORPORA = [(PREDS, TARGET)] + [
    ([text for text, _ in pairs], [others for _, others in pairs]) for pairs in make_chrf_ter.SMALL
]
CASES = [(name, options) for name, several in SETTINGS.items() for options in several]
DENSE = strategies.soup | strategies.dense_text


def corpora(name, options):
    """Draw small corpora that torchmetrics tokenizes as sacreBLEU does."""
    segments = DENSE
    if name == "SacreBLEUScore":
        # Trailing whitespace makes a difference to intl, and entities and letters that become two
        # in lower case do if text is lowercased first.
        segments = strategies.soup if options.get("lowercase") else DENSE.map(str.rstrip)
    own = strategies.corpora(segments, max_size=2, max_references=2)
    if options.get("tokenize") == "intl":
        own = own.map(lambda corpus: (corpus[0], [list(map(str.rstrip, r)) for r in corpus[1]]))
    return own


def pair(name, **options):
    """Return torchmetrics' metric and ours."""
    return getattr(peer_classes, name)(**options), getattr(ours, name)(**options)


def same(found, expected, name="", most=1):
    """Compare type, dtype, shape and value; of TER with several references, but for rounding."""
    assert type(found) is type(expected)
    if isinstance(found, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other, name, most)
    else:
        # The original adds up mean lengths in single precision.
        tolerance = 1e-5 if name == "TranslationEditRate" and most > 2 else 0
        torch.testing.assert_close(found, expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize(("name", "options"), CASES)
class TestSettings:
    """Every class and function gives the tensor that the original gives, under every setting."""

    def test_corpora(self, name, options):
        """Of a corpus, of the batches that it consists of, and of segments."""
        for hypotheses, references in CORPORA:
            most = max(map(len, references))
            sentences = {"return_sentence_level_score": True} if name in WITH_SENTENCES else {}
            theirs, metric = pair(name, **options, **sentences)
            middle = len(hypotheses) // 2 or 1
            for part in (slice(middle), slice(middle, None)):
                if hypotheses[part]:
                    batch = hypotheses[part], references[part]
                    same(metric(*batch), theirs(*batch), name, most)
            same(metric.compute(), theirs.compute(), name, most)
            function = FUNCTIONS[name]
            for asked in ({}, sentences):
                found, expected = (
                    getattr(module, function)(hypotheses, references, **options, **asked)
                    for module in (our_functions, peer_functions)
                )
                same(found, expected, name, most)

    @usual
    @given(data=st.data())
    def test_drawn_corpora(self, name, options, data):
        """Of any corpus."""
        corpus = data.draw(corpora(name, options))
        theirs, metric = pair(name, **options)
        same(metric(*corpus), theirs(*corpus), name, max(map(len, corpus[1])))


@pytest.mark.parametrize("name", SETTINGS)
class TestMetric:
    """The classes are torchmetrics' metrics in every other respect, too."""

    def test_attributes(self, name):
        """They are metrics with the attributes and the settings of the original."""
        theirs, metric = pair(name)
        assert isinstance(metric, peer.Metric)
        names = ("higher_is_better", "is_differentiable", "plot_lower_bound", "plot_upper_bound")
        for each in names:
            assert getattr(metric, each) == getattr(theirs, each)
        assert repr(metric) == repr(theirs)
        assert metric.full_state_update is False
        public = {each for each in vars(theirs) if not each.startswith("_")} - {"tokenizer"}
        assert public <= set(vars(metric))
        assert {metric.dtype, metric.compute().dtype} == {torch.float32}

    def test_names(self, name):
        """They have every name that the original's classes have."""
        rows = (ROOT / "tests" / "golden" / "names.tsv").read_text("utf-8").splitlines()
        names = [row.split("\t")[2] for row in rows if row.startswith(f"torchmetrics\t{name}\t")]
        metric = getattr(ours, name)()
        assert len(names) > 10
        assert not {each for each in names if not hasattr(metric, each)}

    def test_states(self, name):
        """States are whole numbers or mean lengths, still exact where single precision ends."""
        metric = getattr(ours, name)()
        metric.update(PREDS, TARGET)
        assert {state.dtype for state in metric.metric_state.values()} == DTYPES[name]
        before = dict(metric.metric_state)
        for state in before:
            setattr(metric, state, getattr(metric, state) + 2**24)
        metric.update(PREDS, TARGET)
        for state, value in before.items():
            assert torch.equal(getattr(metric, state), 2 * value + 2**24)

    def test_copies(self, name):
        """Clones, pickles and saved states go on from the same counts, and on their own."""
        metric = getattr(ours, name)(compute_with_cache=False)
        metric.update(PREDS[:2], TARGET[:2])
        metric.persistent(mode=True)
        loaded = getattr(ours, name)()
        loaded.persistent(mode=True)
        loaded.load_state_dict(metric.state_dict())
        twins = [metric.clone(), pickle.loads(pickle.dumps(metric)), metric.to("cpu"), loaded]
        expected, whole = getattr(ours, name)(), getattr(ours, name)()
        same(metric.compute(), expected(PREDS[:2], TARGET[:2]))
        for twin in twins:
            same(twin.compute(), expected.compute())
        whole.update(PREDS, TARGET)
        twins[0].update(PREDS[2:], TARGET[2:])
        same(twins[0].compute(), whole.compute())
        same(metric.compute(), expected.compute())

    def test_states_of_the_original(self, name):
        """States that the original has saved are read."""
        theirs, metric = pair(name)
        theirs.update(PREDS[:2], TARGET[:2])
        theirs.persistent(mode=True)
        metric.persistent(mode=True)
        metric.load_state_dict(theirs.state_dict())
        assert {state.dtype for state in metric.metric_state.values()} == DTYPES[name]
        for each in (theirs, metric):
            each.update(PREDS[2:], TARGET[2:])
        same(metric.compute(), theirs.compute())

    def test_precision(self, name):
        """The precision of the result can be set; counts keep theirs."""
        theirs, metric = pair(name)
        for each in (theirs, metric):
            each.set_dtype(torch.float64)
            each.update(PREDS, TARGET)
        same(metric.compute(), theirs.compute())
        assert metric.compute().dtype == torch.float64
        half = getattr(ours, name)()
        half.update(PREDS * 2000, TARGET * 2000)
        expected = half.compute().half()
        half.set_dtype(torch.float16)
        assert {state.dtype for state in half.metric_state.values()} == DTYPES[name]
        half.update([], [])
        same(half.compute(), expected)
        half.reset()
        assert {state.dtype for state in half.metric_state.values()} == DTYPES[name]

    def test_moving(self, name):
        """States go where the metric goes."""
        metric = getattr(ours, name)().to("meta")
        assert {state.device.type for state in metric.metric_state.values()} == {"meta"}
        assert metric.device.type == "meta"

    def test_merging(self, name):
        """Metrics and dictionaries of states can be merged, also after a score was computed."""
        metric, other, whole = (getattr(ours, name)() for _ in range(3))
        metric.update(PREDS[:1], TARGET[:1])
        other.update(PREDS[1:], TARGET[1:])
        whole.update(PREDS, TARGET)
        assert metric.compute() != whole.compute()
        metric.merge_state(other)
        same(metric.compute(), whole.compute())
        metric.reset()
        metric.update(PREDS[:1], TARGET[:1])
        metric.merge_state(other.metric_state)
        same(metric.compute(), whole.compute())
        changed = {"normalize": True} if name == "TranslationEditRate" else {}
        changed = {"lowercase": True} if name in ("SacreBLEUScore", "CHRFScore") else changed
        stranger = getattr(ours, name)(**(changed or {"n_gram": 3}))
        with pytest.raises(StatsMismatchError, match="cannot be merged"):
            metric.merge_state(stranger)

    def test_empty_input(self, name):
        """Without segments, the score is 0, and nothing is counted."""
        theirs, metric = pair(name)
        for target in ([], [[]]) if name in WITH_SENTENCES else ([],):
            same(metric([], target), theirs([], target))
            function = FUNCTIONS[name]
            found = getattr(our_functions, function)([], target)
            same(found, getattr(peer_functions, function)([], target))
        same(metric.compute(), theirs.compute())
        same(metric([""], [[""]]), theirs([""], [[""]]))
        if name not in WITH_SENTENCES:
            same(metric([[]], [[[]]]), theirs([[]], [[[]]]))
        else:
            same(metric(["python"], [[]]), theirs(["python"], [[]]))
            with_sentences = getattr(ours, name)(return_sentence_level_score=True)
            score, sentences = with_sentences.compute()
            assert (score, len(sentences)) == (0, 0)

    def test_bad_input(self, name):
        """Nothing is truncated, and settings are checked."""
        metric = getattr(ours, name)()
        for preds, target in ((["a"], [["a"], ["b"]]), (["a", "b"], [["a"]]), ([], [["a"]])):
            with pytest.raises(LengthMismatchError, match="different size"):
                metric.update(preds, target)
            with pytest.raises(ValueError, match="different size"):
                getattr(our_functions, FUNCTIONS[name])(preds, target)
        with pytest.raises(ValueError, match="Unexpected keyword arguments: `brevity`"):
            getattr(ours, name)(brevity=1)

    def test_plots(self, name):
        """A score, and several, can be drawn."""
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("agg")
        metric = getattr(ours, name)()
        values = [metric(PREDS, TARGET), metric(PREDS[:1], TARGET[:1])]
        assert metric.plot(values)[1].get_ylim() is not None
        assert metric.plot()[0] is not None


@pytest.mark.parametrize("changed", FLAGS)
@pytest.mark.parametrize(
    ("name", "rules", "score"), [("TranslationEditRate", TerRules, 0), ("CHRFScore", ChrfRules, 1)]
)
def test_defects_are_those_of_the_installed_version(name, rules, score, changed, monkeypatch):
    """What torchmetrics 1.9 gets wrong is wrong here, and right where a later one has mended it.

    The later ones are these: https://github.com/Lightning-AI/torchmetrics/pull/3479 exchanges two
    arguments, and pull/3481 keeps the reference of a segment in which nothing matches.
    """
    from torchmetrics.functional.text import chrf, ter

    was_mended = getattr(ours, name)().rules.is_mended
    edit_rate, best = ter._translation_edit_rate, chrf._calculate_sentence_level_chrf_score

    def keep_first(targets, *rest):
        found = best(targets, *rest)
        if found[0] > 0 or not targets:
            return found
        settings = (*rest[4:6], *rest[8:])
        return (*found[:3], *chrf._get_n_grams_counts_and_total_ngrams(targets[0], *settings)[2:])

    if changed:
        monkeypatch.setattr(rules, "_mended", None)
        monkeypatch.setattr(ter, "_translation_edit_rate", lambda one, other: edit_rate(other, one))
        monkeypatch.setattr(chrf, "_calculate_sentence_level_chrf_score", keep_first)
    theirs, metric = pair(name, return_sentence_level_score=True)
    is_mended = (name == "CHRFScore" or not was_mended) if changed else was_mended
    assert metric.rules.is_mended == is_mended
    corpora = [
        (["the cat sat", ""], [["the cat sat"], ["a long sentence", "x"]]),
        (["d b d f g", "", "a"], [["f a c d"], [""], ["b", "c d"]]),
    ]
    for corpus in [*CORPORA, *corpora]:
        same(metric(*corpus), theirs(*corpus), name, max(map(len, corpus[1])))
        found, expected = (
            getattr(module, FUNCTIONS[name])(*corpus) for module in (our_functions, peer_functions)
        )
        same(found, expected, name, max(map(len, corpus[1])))
    found, _ = metric(["the cat sat", ""], [["the cat sat"], ["a long sentence"]])
    assert (found == score) == (not is_mended)


def test_settings_are_checked():
    """Settings that torchmetrics refuses are refused, as exceptions of the same class."""
    for name, options, error in (
        ("BLEUScore", {"weights": [0.5]}, ValueError),
        ("SacreBLEUScore", {"tokenize": "14a"}, UnknownNameError),
        ("CHRFScore", {"n_char_order": 0}, SettingsError),
        ("CHRFScore", {"n_word_order": -1}, SettingsError),
        ("CHRFScore", {"beta": -1}, SettingsError),
        ("TranslationEditRate", {"normalize": 1}, SettingsError),
    ):
        with pytest.raises(error):
            getattr(ours, name)(**options)
        with pytest.raises(ValueError, match=r"\w"):
            getattr(peer_classes, name)(**options)


def test_collections():
    """A collection computes ours as it computes the originals, and shares no states wrongly."""
    collections = [
        peer.MetricCollection(
            {
                "bleu2": module.BLEUScore(n_gram=2),
                "bleu": module.BLEUScore(),
                "13a": module.SacreBLEUScore(),
                "lowercase": module.SacreBLEUScore(lowercase=True),
                "chrf": module.CHRFScore(n_word_order=0),
                "ter": module.TranslationEditRate(),
            }
        )
        for module in (ours, peer_classes)
    ]
    for batch in (slice(2), slice(2, None)):
        found, expected = (each(PREDS[batch], TARGET[batch]) for each in collections)
        assert set(found) == set(expected)
        for key, value in found.items():
            same(value, expected[key])
    found, expected = (each.compute() for each in collections)
    for key, value in found.items():
        same(value, expected[key])
    same(collections[0].clone(prefix="a_").compute()["a_ter"], expected["ter"])


def test_compositions():
    """Arithmetic with metrics gives torchmetrics' compositions."""
    total = ours.BLEUScore(n_gram=1) + ours.CHRFScore()
    total.update(PREDS, TARGET)
    parts = our_functions.bleu_score(PREDS, TARGET, 1), our_functions.chrf_score(PREDS, TARGET)
    same(total.compute(), sum(parts))


@pytest.mark.parametrize("name", SETTINGS)
def test_wrappers(name):
    """Metrics that consist of others accept ours, and so do the options of all metrics."""
    from torchmetrics.wrappers import MetricTracker, MinMaxMetric, Running

    options = {"compute_on_cpu": True, "dist_sync_on_step": True, "compute_with_cache": False}
    if name in WITH_SENTENCES:
        options["return_sentence_level_score"] = True
    plain, metric = getattr(ours, name)(), getattr(ours, name)(**options)
    same(metric(PREDS, TARGET), getattr(ours, name)(**options)(PREDS, TARGET))
    tracker, extreme = MetricTracker(plain.clone()), MinMaxMetric(plain.clone())
    running, expected = Running(plain.clone(), window=2), plain.clone()
    for part in range(3):
        batch = PREDS[part : part + 1], TARGET[part : part + 1]
        tracker.increment()
        for each in (tracker, extreme, running):
            each.update(*batch)
        if part:
            expected.update(*batch)
    same(running.compute(), expected.compute())
    scores = [plain(PREDS[part : part + 1], TARGET[part : part + 1]) for part in range(3)]
    same(tracker.compute_all(), torch.stack(scores))
    assert tracker.best_metric() == (max if plain.higher_is_better else min)(map(float, scores))
    assert extreme.compute()["raw"] == plain.compute()


def test_default_device():
    """States are made where torch is told to make tensors."""
    with torch.device("meta"):
        assert ours.BLEUScore().numerator.device.type == "meta"


def in_a_process(rank, port, queue):
    """Be one of two processes: each has a part, and computes the score of the whole."""
    from torch import distributed

    address = f"tcp://127.0.0.1:{port}"
    distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    found = []
    # In the second case, one process has seen nothing.
    for parts in ((slice(0, 4, 2), slice(1, 4, 2)), (slice(4), slice(0))):
        for name in SETTINGS:
            asked = {"return_sentence_level_score": True} if name in WITH_SENTENCES else {}
            metric = getattr(ours, name)(**asked)
            metric.update(PREDS[parts[rank]], TARGET[parts[rank]])
            alone = getattr(ours, name)(sync_on_compute=False, **asked)
            alone.update(PREDS[parts[rank]], TARGET[parts[rank]])
            function = getattr(our_functions, FUNCTIONS[name])
            local = function(PREDS[parts[rank]], TARGET[parts[rank]])
            outcome = [metric.compute(), alone.compute(), metric.metric_state]
            found.append((outcome, local))
    queue.put(pickle.dumps((rank, found)))
    distributed.barrier()
    distributed.destroy_process_group()


def test_processes():
    """Two processes of torch.distributed compute the score of both parts; functions do not."""
    context = multiprocessing.get_context("spawn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    queue = context.SimpleQueue()
    processes = [
        context.Process(target=in_a_process, args=(rank, port, queue)) for rank in range(2)
    ]
    for process in processes:
        process.start()
    results = dict(pickle.loads(queue.get()) for _ in processes)
    for process in processes:
        process.join()
    order = torch.tensor([0, 2, 1, 3])
    for number, (case, name) in enumerate(product(range(2), SETTINGS)):
        asked = {"return_sentence_level_score": True} if name in WITH_SENTENCES else {}
        whole = getattr(ours, name)(**asked)(PREDS, TARGET)
        if asked and case == 0:
            whole = whole[0], whole[1][order]
        for rank in range(2):
            (synced, alone, state), local = results[rank][number]
            same(synced, whole)
            score = alone[0] if asked else alone
            same(local, score)
            # Afterwards the states are those of the process again.
            assert all(not isinstance(value, list) or len(value) == 1 for value in state.values())
            if case == 1 and rank == 1:
                assert score == 0
                assert not any(value.any() for value in state.values() if torch.is_tensor(value))


def test_without_torchmetrics():
    """Where torchmetrics cannot be imported, nothing imports torch, and scores are floats."""
    code = (
        "import sys\n"
        "sys.modules['torchmetrics'] = None\n"
        "import truebleu.compat.torchmetrics as ours\n"
        "import truebleu.compat.torchmetrics.functional as functions\n"
        f"batch = {PREDS!r}, {TARGET!r}\n"
        "for name in ours.__all__: print(repr(getattr(ours, name)()(*batch)))\n"
        "for name in functions.__all__: print(repr(getattr(functions, name)(*batch)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    printed = list(map(float, done.stdout.split()))
    expected = [getattr(ours, name)()(PREDS, TARGET) for name in ours.__all__]
    expected += [getattr(our_functions, each)(PREDS, TARGET) for each in our_functions.__all__]
    assert printed == pytest.approx([each.item() for each in expected], rel=1e-6)
