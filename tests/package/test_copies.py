"""Whatever is public can be pickled and copied, and reaches a process that starts afresh."""

import copy
import functools
import inspect
import multiprocessing
import pickle
import types

import numpy as np
import pytest
import truebleu
import truebleu.compat
from project import EXAMPLES as EXAMPLES_FOLDER
from public_names import PUBLIC as NAMES
from toy_metrics import ExactMatch
from truebleu import Bleu
from truebleu.compat import evaluate
from truebleu.record import Record

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

SYSTEM = ["The cat sat on the mat.", "It rained all day.", "A dog came in, and then it left."]
OTHER = ["A cat sat on the mat.", "It rained the whole day.", "A dog came, and then left."]
STREAMS = [OTHER, ["The cat sits on a mat.", "All day it rained.", "Then a dog came and left."]]
REFERENCES = list(map(list, zip(*STREAMS, strict=True)))
SYSTEMS = {"one": SYSTEM, "other": OTHER}
TEST_SET = str(EXAMPLES_FOLDER / "test_set.toml")


# Classes that are public in their modules.
results = types.SimpleNamespace(**NAMES)


def explained():
    """Explain the score of a corpus."""
    return truebleu.explain(SYSTEM, REFERENCES)


def explained_segment(metric="bleu"):
    """Explain the score of a segment."""
    return truebleu.explain(SYSTEM[0], REFERENCES[0], metric=metric)


@functools.cache
def searched(target):
    """Search for the settings of a number."""
    return truebleu.audit(SYSTEM, REFERENCES, target=target, tokenizers=["13a", "none"])


def without_penalty(hypotheses, references):
    """Return BLEU without its brevity penalty."""
    score = Bleu(tokenizer="none", smoothing="none").corpus(hypotheses, references)
    return score.score / score.brevity_penalty


def audited():
    """Score a corpus under many settings."""
    return truebleu.audit(SYSTEM, REFERENCES)


def compared(**how):
    """Compare two systems."""
    return truebleu.compare(SYSTEMS, REFERENCES, n_resamples=50, **how)


def meta_evaluated():
    """Return how two metrics agree with scores that were made up."""
    gold = {"one": range(len(SYSTEM)), "other": [1] * len(SYSTEM)}
    systems = {"one": SYSTEM, "other": OTHER}
    return truebleu.meta.meta_evaluate(
        gold, systems, REFERENCES, metrics=["bleu", "chrf"], n_resamples=20, n_trials=20
    )


def of_sets():
    both = dict.fromkeys(("first", "second"), (SYSTEMS, REFERENCES))
    return truebleu.compare_sets(both, n_resamples=50)


def decomposed(metric=None):
    """Say where a difference comes from."""
    metric = metric or Bleu()
    return truebleu.decompose(*(metric.corpus(each, REFERENCES) for each in SYSTEMS.values()))


def reported(**how):
    """Report on two systems."""
    return truebleu.report(SYSTEMS, REFERENCES, n_resamples=50, **how)


def rated():
    """Return a metric of scores that were computed elsewhere."""
    return results.SegmentScores("COMET")


def report_of_scores():
    """Report on scores that were computed elsewhere, beside BLEU."""
    scores = {"COMET": {"one": [0.9, 0.8, 0.7], "other": [0.5, 0.6, 0.9]}}
    return truebleu.report(SYSTEMS, REFERENCES, scores=scores, n_resamples=39)


def added(running):
    """Let an accumulator see a batch."""
    running.add(SYSTEM, REFERENCES)
    return running


def remembering():
    """Let a metric of evaluate's remember a segment."""
    metric = evaluate.load("sacrebleu")
    metric.add(prediction=SYSTEM[0], reference=REFERENCES[0])
    return metric


def computed(metric, **corpus):
    """Return the result of a copy, for a metric of evaluate's forgets what it has added."""
    return copy.deepcopy(metric).compute(**corpus)


def attributes(value):
    """Return the attributes of an object with a __dict__."""
    return {name: str(item) for name, item in vars(value).items()}


# How to make one of each class.
MAKERS = {
    results.Audit: audited,
    results.AuditRow: lambda: audited()["nltk"],
    results.AverageScore: lambda: rated().score(rated().from_scores([0.5, None, 0.75])),
    results.Correlation: lambda: report_of_scores().correlations[0],
    truebleu.GivenScores: lambda: truebleu.GivenScores({"A": [0.5, None]}, lower_is_better=True),
    results.SegmentScores: lambda: results.SegmentScores("X", lower_is_better=True, decimals=3),
    truebleu.Bleu: lambda: Bleu(tokenizer="ja-mecab", weights=[[1], [0.5, 0.5]], smoothing="floor"),
    truebleu.Accumulator: lambda: added(truebleu.Accumulator(Bleu(lowercase=True))),
    truebleu.BleuScore: lambda: Bleu().corpus(SYSTEM, REFERENCES),
    results.Cause: lambda: searched("27.3").nearest[0].causes[0],
    results.Diagnosis: lambda: truebleu.check(without_penalty),
    results.Mistaken: lambda: truebleu.check(without_penalty).shortest,
    results.Candidate: lambda: searched("27.3").nearest[0],
    results.Choice: lambda: truebleu.mbr(SYSTEM),
    truebleu.Comparison: compared,
    results.MeanScore: lambda: of_sets().average.systems["one"].score,
    results.MetaEvaluation: meta_evaluated,
    results.MetaEvaluations: lambda: results.MetaEvaluations(evaluations={"x": meta_evaluated()}),
    results.JudgedSet: lambda: results.JudgedSet(gold={"A": [1.0, None]}, documents=("a", "b")),
    results.Ranking: lambda: meta_evaluated()["acc-eq"],
    results.MeasuredMetric: lambda: meta_evaluated()["acc-eq"]["BLEU"],
    results.MetricPair: lambda: meta_evaluated()["acc-eq"].pairs[0],
    truebleu.SavedStats: lambda: truebleu.SavedStats(
        {name: truebleu.Bleu().stats(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    ),
    results.ComparedSystem: lambda: compared().systems["one"],
    results.Cost: lambda: explained().costs[0],
    results.Decomposition: decomposed,
    results.Dialect: lambda: truebleu.DIALECTS["nltk"],
    results.DifferencePart: lambda: decomposed(truebleu.Ter()).parts[0],
    results.Interval: lambda: truebleu.confidence_interval(SYSTEM, REFERENCES, n_resamples=50),
    results.Ngram: lambda: explained_segment("chrf").ngrams[0][0],
    results.Span: lambda: explained_segment("ter").spans[0],
    results.Edit: lambda: truebleu.explain("b a", "a b", metric="ter").steps[0],
    results.Explanation: explained_segment,
    results.Pair: lambda: compared().pairs[0],
    results.PaperTable: lambda: compared(metrics=["bleu", "ter"]).paper(),
    truebleu.TestSet: lambda: truebleu.load_test_set(TEST_SET, "de-en"),
    truebleu.Comparisons: lambda: compared(metrics=["bleu", "ter"]),
    truebleu.Ragged: lambda: truebleu.Ragged.from_padded(np.array([[1, 2, 0], [3, 0, 0]]), pad=0),
    results.Reports: lambda: reported(metrics=["bleu", "ter"]),
    truebleu.Report: reported,
    results.Reproduction: lambda: searched("46.1"),
    truebleu.Chrf: lambda: truebleu.Chrf(word_order=2),
    truebleu.ChrfScore: lambda: truebleu.corpus_chrf(SYSTEM, REFERENCES),
    truebleu.Ter: lambda: truebleu.Ter(normalized=True),
    truebleu.TerScore: lambda: truebleu.corpus_ter(SYSTEM, REFERENCES),
    truebleu.Score: lambda: ExactMatch().corpus(SYSTEM, REFERENCES),
    truebleu.SentencePiece: lambda: truebleu.SentencePiece("own.model"),
    truebleu.Stats: lambda: ExactMatch().stats(SYSTEM, REFERENCES),
    results.SelfBleu: lambda: truebleu.self_bleu(SYSTEM),
    evaluate.Metric: remembering,
}


def looked_at(value):
    """Return what is to be the same in a copy, for a value of a class that is not in LOOKS."""
    if hasattr(value, "to_dict"):
        return value.to_dict(), str(value)
    if hasattr(value, "__dict__"):
        return repr(value), attributes(value)
    return value, repr(value)


# What else is to be the same in a copy.
LOOKS = {
    truebleu.Accumulator: lambda each: (each.stats, repr(each)),
    results.Audit: lambda it: (it.to_dict(), it.difference("nltk", "sacrebleu").to_dict()),
    results.AverageScore: lambda score: (score.to_dict(), score.note, str(score)),
    results.SegmentScores: lambda it: (it, it.settings(), it.from_scores([1.5, 2]), repr(it)),
    truebleu.Bleu: lambda it: (it, it.corpus(SYSTEM, REFERENCES), it.segment(*SYSTEM[:2])),
    truebleu.Comparison: lambda it: (it.to_dict(), str(it), type(it.systems)),
    results.ComparedSystem: lambda system: (system, system.score.signature),
    results.Dialect: id,
    results.Pair: lambda pair: (pair, pair.mirrored()),
    truebleu.Ragged: lambda ragged: [part.tolist() for part in ragged.split("ids")],
    results.Reports: lambda it: (it.title, str(it["ter"].comparison), repr(it)),
    truebleu.Report: lambda it: (it.title, it.notices, it.charts, str(it.comparison)),
    truebleu.SentencePiece: lambda model: (model, model.path),
    evaluate.Metric: lambda it: (it.name, computed(it)),
}
EXAMPLES = {kind: (make, LOOKS.get(kind, looked_at)) for kind, make in MAKERS.items()}


def public():
    """Return the public classes and functions of all of them."""
    found = {}
    for item in (*NAMES.values(), *(getattr(evaluate, name) for name in evaluate.__all__)):
        home = getattr(item, "__module__", None) or ""
        if callable(item) and home.startswith("truebleu") and hasattr(item, "__name__"):
            found[f"{item.__module__}.{item.__qualname__}"] = item
    return found


PUBLIC = public()
CLASSES = {name: item for name, item in PUBLIC.items() if inspect.isclass(item)}
for item in CLASSES.values():
    if issubclass(item, Exception):
        EXAMPLES.setdefault(item, (lambda item=item: item("so it is"), repr))
# What can be imported and not be made.
NOT_MADE = {truebleu.Metric}


def made(kind):
    """Return an example of a class, and what to look at."""
    make, look = EXAMPLES[kind]
    return make(), look


def test_names():
    """Classes and functions are pickled by name."""
    for name, item in PUBLIC.items():
        assert pickle.loads(pickle.dumps(item)) is item, name


def test_every_class_has_an_example():
    """Whoever adds a public class says what its copies are to have in common with it."""
    assert set(CLASSES.values()) - NOT_MADE == set(EXAMPLES)
    public = {item for item in CLASSES.values() if item.__module__ == "truebleu"}
    assert public - NOT_MADE <= set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__qualname__)
def test_copies(kind):
    """Pickles of every protocol, copies and deep copies are what they were made of."""
    value, look = made(kind)
    assert type(value) is kind
    dumps = [pickle.dumps(value, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    twins = [*map(pickle.loads, dumps), copy.copy(value), copy.deepcopy(value)]
    expected = look(value)
    for twin in twins:
        assert type(twin) is kind
        assert look(twin) == expected
        if isinstance(value, Record):
            with pytest.raises(AttributeError):
                setattr(twin, twin._fields[0], 1)
    # And once more, now that everything has been used.
    for twin in (pickle.loads(pickle.dumps(twins[0])), copy.deepcopy(twins[-1])):
        assert look(twin) == expected


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__qualname__)
def test_hashes(kind):
    """Values are hashable, equal ones alike; only what can change may say that it is not."""
    value, _ = made(kind)
    twin = pickle.loads(pickle.dumps(value))
    if kind.__hash__ is None:
        assert not isinstance(value, Record)
        with pytest.raises(TypeError, match=f"unhashable type: '{kind.__name__}'"):
            hash(value)
    elif value == twin:
        assert hash(value) == hash(twin)
        assert {value: "found"}[twin] == "found"
    else:
        assert hash(value) == hash(copy.copy(value)) or value != copy.copy(value)


class Noted(Bleu):
    """Has a dict, and an argument of its own, which copies do not need again."""

    def __init__(self, name, **settings):
        super().__init__(**settings)
        object.__setattr__(self, "name", name)


class Slotted(Noted):
    """Has a slot more, too."""

    __slots__ = ("note",)


class NotedStats(truebleu.Stats):
    """Has a dict."""


class NotedSum(truebleu.Accumulator):
    """Has a dict."""


class SlottedSum(truebleu.Accumulator):
    """Has a slot more."""

    __slots__ = ("note",)


class NotedIds(truebleu.Ragged):
    """Has a dict."""


class SlottedIds(truebleu.Ragged):
    """Has a slot more."""

    __slots__ = ("note",)


SUBCLASSES = {
    Noted: lambda: Noted("mine", lowercase=True),
    Slotted: lambda: Slotted("mine", lowercase=True),
    NotedStats: lambda: NotedStats.from_bytes(Bleu().stats(SYSTEM, REFERENCES).to_bytes()),
    NotedSum: lambda: NotedSum(Bleu()),
    SlottedSum: lambda: SlottedSum(Bleu()),
    NotedIds: lambda: NotedIds([1, 2], [0, 2]),
    SlottedIds: lambda: SlottedIds([1, 2], [0, 2]),
}


@pytest.mark.parametrize("kind", SUBCLASSES)
def test_subclasses(kind):
    """Attributes that a subclass has added are copied, and what is ours as ever."""
    value = SUBCLASSES[kind]()
    look = next(EXAMPLES[base][1] for base in kind.__mro__ if base in EXAMPLES)
    note = [1]
    object.__setattr__(value, "note", note)
    if isinstance(value, truebleu.Accumulator):
        value.add(SYSTEM, REFERENCES)
    dumps = [pickle.dumps(value, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    twins = [*map(pickle.loads, dumps), copy.deepcopy(value), copy.copy(value)]
    if isinstance(value, Bleu):
        twins += [value._scoped(segment=True), value._scoped(segment=False)]
        assert look(twins[0]) == look(value)
    for twin in twins:
        assert type(twin) is kind
        assert twin.note == note
        assert not isinstance(value, Bleu) or (twin.lowercase, twin.name) == (True, "mine")
        assert isinstance(value, Bleu) or look(twin) == look(value)
    if isinstance(value, truebleu.Accumulator):
        for twin in twins:
            twin.add(SYSTEM, REFERENCES)
    assert twins[-1].note is note
    assert twins[0].note is not note


def test_spawned_processes():
    """A process that starts afresh sends back what it was sent."""
    kinds = [kind for kind in EXAMPLES if kind is not results.Dialect]
    values = [EXAMPLES[kind][0]() for kind in kinds]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        twins = pool.map(copy.deepcopy, values)
        registered = pool.apply(copy.copy, [truebleu.DIALECTS["nltk"]])
    assert registered is truebleu.DIALECTS["nltk"]
    for kind, value, twin in zip(kinds, values, twins, strict=True):
        look = EXAMPLES[kind][1]
        assert look(twin) == look(value)


def test_a_dialect_of_a_user():
    """It is in no registry, and is pickled with all it has."""
    own = results.Dialect(
        name="own", tool="ours", about="Nobody.", scale=1, settings={"lowercase": True}
    )
    twin = pickle.loads(pickle.dumps(own))
    assert (twin.name, twin.settings, twin.number(50)) == ("own", {"lowercase": True}, 0.5)
