"""Whatever is public can be pickled and copied, and reaches a process that starts afresh."""

import copy
import importlib
import inspect
import multiprocessing
import pickle
import pkgutil
import subprocess
import sys
import textwrap
from types import MappingProxyType

import numpy as np
import pytest
import truebleu
import truebleu.compat
from project import EXAMPLES as EXAMPLES_FOLDER
from toy_metrics import ExactMatch
from truebleu import Bleu
from truebleu.compat import huggingface, nltk, sacrebleu, torchmetrics
from truebleu.compat.described import Described
from truebleu.compat.sacrebleu.metrics import base
from truebleu.compat.sacrebleu.metrics.bleu import _TOKENIZERS
from truebleu.compat.sacrebleu.printing import Color
from truebleu.compat.sacrebleu.significance import PairedTest, Result
from truebleu.compat.sacrebleu.tokenizers import BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import MecabTokenizer, NativeTokenizer
from truebleu.compat.torchmetrics.batches import Batches
from truebleu.compat.torchmetrics.bleu import BleuRules
from truebleu.compat.torchmetrics.chrf import ChrfRules
from truebleu.compat.torchmetrics.rules import Rules
from truebleu.compat.torchmetrics.ter import TerRules
from truebleu.engines import job, tables
from truebleu.record import Record

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")

SYSTEM = ["The cat sat on the mat.", "It rained all day.", "A dog came in, and then it left."]
OTHER = ["A cat sat on the mat.", "It rained the whole day.", "A dog came, and then left."]
STREAMS = [OTHER, ["The cat sits on a mat.", "All day it rained.", "Then a dog came and left."]]
REFERENCES = list(map(list, zip(*STREAMS, strict=True)))
SYSTEMS = {"one": SYSTEM, "other": OTHER}


def to_dict(value):
    """Return the plain values of a result."""
    return value.to_dict()


def rated():
    """Return a metric of scores that were computed elsewhere."""
    return truebleu.SegmentScores("COMET")


def report_of_scores():
    """Report on scores that were computed elsewhere, beside BLEU."""
    scores = {"COMET": {"one": [0.9, 0.8, 0.7], "other": [0.5, 0.6, 0.9]}}
    return truebleu.report(SYSTEMS, REFERENCES, scores=scores, n_resamples=9)


def filled(metric):
    """Let a metric of torchmetrics' see a batch."""
    metric.update(SYSTEM, REFERENCES)
    return metric


def counted(rules):
    """Return what a metric of torchmetrics' counts in a batch."""
    return str(rules.count(SYSTEM, REFERENCES)), rules.settings, rules.states, rules.sentences


def added(running):
    """Let an accumulator see a batch."""
    running.add(SYSTEM, REFERENCES)
    return running


def scored(kind=sacrebleu.BLEU, **settings):
    """Let a metric of sacreBLEU's score a corpus."""
    metric = kind(**settings)
    metric.corpus_score(SYSTEM, STREAMS)
    return metric


def remembering():
    """Let a metric of evaluate's remember a segment."""
    metric = huggingface.load("sacrebleu")
    metric.add(prediction=SYSTEM[0], references=REFERENCES[0])
    return metric


def numbers(metric):
    """Return what a metric of sacreBLEU's says, and goes on to say."""
    signature = str(metric.get_signature())
    again = metric.corpus_score(OTHER, STREAMS)
    sentence = metric.sentence_score(SYSTEM[0], REFERENCES[0])
    return signature, again.score, repr(again), sentence.score, str(metric.get_signature())


def attributes(value):
    """Return the attributes of an object with a __dict__."""
    return {name: str(item) for name, item in vars(value).items()}


# For each class: how to make one, and what is to be the same in its copy.
EXAMPLES = {
    truebleu.Audit: (
        lambda: truebleu.audit(SYSTEM, REFERENCES),
        lambda audit: (audit.to_dict(), audit.difference("nltk", "sacrebleu").to_dict()),
    ),
    truebleu.AuditDifference: (
        lambda: truebleu.audit(SYSTEM, REFERENCES).difference("nltk", "sacrebleu"),
        to_dict,
    ),
    truebleu.AuditPart: (
        lambda: truebleu.audit(SYSTEM, REFERENCES)["nltk"].parts[0],
        lambda part: part,
    ),
    truebleu.AuditRow: (lambda: truebleu.audit(SYSTEM, REFERENCES)["nltk"], to_dict),
    truebleu.AverageScore: (
        lambda: rated().score(rated().from_scores([0.5, None, 0.75])),
        lambda score: (score.to_dict(), score.note, str(score)),
    ),
    truebleu.Correlation: (
        lambda: report_of_scores().correlations[0],
        to_dict,
    ),
    truebleu.SegmentScores: (
        lambda: truebleu.SegmentScores("MetricX", lower_is_better=True, decimals=3),
        lambda metric: (metric, metric.settings(), metric.from_scores([1.5, 2]), repr(metric)),
    ),
    truebleu.BestOf: (
        lambda: truebleu.best_of([SYSTEM, OTHER, OTHER], REFERENCES),
        lambda best: (best.best.tolist(), best.oracle, [row.tolist() for row in best.scores]),
    ),
    truebleu.Bleu: (
        lambda: Bleu(tokenizer="ja-mecab", weights=[[1], [0.5, 0.5]], smoothing="floor"),
        lambda bleu: (bleu, bleu.corpus(SYSTEM, REFERENCES), bleu.sentence(*SYSTEM[:2]).score),
    ),
    truebleu.Accumulator: (
        lambda: added(truebleu.Accumulator(Bleu(lowercase=True))),
        lambda running: (running.stats, repr(running)),
    ),
    **{
        kind: (lambda kind=kind: added(kind()), lambda running: (running.stats, repr(running)))
        for kind in (truebleu.BleuAccumulator, truebleu.ChrfAccumulator, truebleu.TerAccumulator)
    },
    truebleu.BleuScore: (lambda: Bleu().corpus(SYSTEM, REFERENCES), to_dict),
    truebleu.BleuStats: (lambda: Bleu().stats(SYSTEM, REFERENCES), lambda stats: stats),
    truebleu.Candidate: (
        lambda: truebleu.reproduce(SYSTEM, REFERENCES, target="27.3").nearest[0],
        to_dict,
    ),
    truebleu.Choice: (lambda: truebleu.mbr(SYSTEM), to_dict),
    truebleu.Comparison: (
        lambda: truebleu.compare(SYSTEMS, REFERENCES, n_resamples=50),
        lambda found: (found.to_dict(), str(found), type(found.systems) is MappingProxyType),
    ),
    truebleu.ComparedSystem: (
        lambda: truebleu.compare(SYSTEMS, REFERENCES, n_resamples=50).systems["one"],
        lambda system: (system, system.score.signature),
    ),
    truebleu.Cost: (
        lambda: truebleu.explain(SYSTEM, REFERENCES).costs[0],
        lambda cost: cost,
    ),
    truebleu.CorpusExplanation: (lambda: truebleu.explain(SYSTEM, REFERENCES), to_dict),
    truebleu.Decomposition: (
        lambda: truebleu.decompose(*(Bleu().corpus(each, REFERENCES) for each in SYSTEMS.values())),
        lambda found: (found.to_dict(), str(found)),
    ),
    truebleu.Dialect: (lambda: truebleu.DIALECTS["nltk"], id),
    truebleu.DifferencePart: (
        lambda: truebleu.decompose(
            *(truebleu.corpus_ter(each, REFERENCES) for each in SYSTEMS.values())
        ).parts[0],
        to_dict,
    ),
    truebleu.Interval: (
        lambda: truebleu.confidence_interval(SYSTEM, REFERENCES, n_resamples=50),
        lambda interval: interval,
    ),
    truebleu.NgramCount: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0]).orders[0][0],
        lambda ngram: ngram,
    ),
    truebleu.Pair: (
        lambda: truebleu.compare(SYSTEMS, REFERENCES, n_resamples=50).pairs[0],
        lambda pair: (pair, pair.mirrored()),
    ),
    truebleu.TestSet: (
        lambda: truebleu.load_test_set(str(EXAMPLES_FOLDER / "test_set.toml"), "de-en"),
        lambda loaded: (loaded, repr(loaded), loaded.to_dict()),
    ),
    truebleu.Comparisons: (
        lambda: truebleu.compare(SYSTEMS, REFERENCES, metrics=["bleu", "ter"], n_resamples=50),
        lambda found: (found["TER"].pairs, found.disagreements, str(found), found.to_dict()),
    ),
    truebleu.Disagreement: (
        lambda: truebleu.Disagreement(
            one="a",
            other="b",
            favoring_one=("BLEU",),
            favoring_other=("TER",),
            significant_one=(),
            significant_other=("TER",),
        ),
        lambda disagreement: (disagreement, disagreement.significant),
    ),
    truebleu.Ragged: (
        lambda: truebleu.Ragged.from_padded(np.array([[1, 2, 0], [3, 0, 0]]), pad=0),
        lambda ragged: [part.tolist() for part in ragged.split("ids")],
    ),
    truebleu.Reports: (
        lambda: truebleu.report(SYSTEMS, REFERENCES, metrics=["bleu", "ter"], n_resamples=50),
        lambda reports: (reports.title, str(reports["ter"].comparison), repr(reports)),
    ),
    truebleu.Report: (
        lambda: truebleu.report(SYSTEMS, REFERENCES, n_resamples=50),
        lambda report: (report.title, report.notices, report.plots, str(report.comparison)),
    ),
    truebleu.Reproduction: (
        lambda: truebleu.reproduce(SYSTEM, REFERENCES, target="46.1"),
        to_dict,
    ),
    truebleu.Chrf: (lambda: truebleu.Chrf(word_order=2), lambda chrf: chrf.settings()),
    truebleu.ChrfCorpusExplanation: (
        lambda: truebleu.explain(SYSTEM, REFERENCES, metric="chrf++"),
        to_dict,
    ),
    truebleu.ChrfCost: (
        lambda: truebleu.explain(SYSTEM, REFERENCES, metric="chrf").ngrams[0],
        lambda cost: cost,
    ),
    truebleu.ChrfNgram: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0], metric="chrf").ngrams[0][0],
        lambda ngram: ngram,
    ),
    truebleu.ChrfOrder: (
        lambda: truebleu.explain(SYSTEM, REFERENCES, metric="chrf").orders[0],
        lambda order: order,
    ),
    truebleu.ChrfScore: (lambda: truebleu.corpus_chrf(SYSTEM, REFERENCES), to_dict),
    truebleu.ChrfSegmentExplanation: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0], metric="chrf"),
        lambda explanation: (explanation.to_dict(), str(explanation)),
    ),
    truebleu.ChrfSpan: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0], metric="chrf").spans[0],
        lambda span: span,
    ),
    truebleu.Ter: (lambda: truebleu.Ter(normalized=True), lambda ter: ter.settings()),
    truebleu.TerCorpusExplanation: (
        lambda: truebleu.explain(SYSTEM, REFERENCES, metric="ter"),
        to_dict,
    ),
    truebleu.TerCost: (
        lambda: truebleu.explain(SYSTEM, REFERENCES, metric="ter").words[0],
        lambda cost: cost,
    ),
    truebleu.TerEdit: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0], metric="ter").alignment[0],
        lambda edit: edit,
    ),
    truebleu.TerScore: (lambda: truebleu.corpus_ter(SYSTEM, REFERENCES), to_dict),
    truebleu.TerSegmentExplanation: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0], metric="ter"),
        lambda explanation: (explanation.to_dict(), str(explanation)),
    ),
    truebleu.TerShift: (
        lambda: truebleu.explain("b a", "a b", metric="ter").shifted_phrases[0],
        lambda shift: shift,
    ),
    truebleu.Score: (lambda: ExactMatch().corpus(SYSTEM, REFERENCES), to_dict),
    truebleu.SentencePiece: (
        lambda: truebleu.SentencePiece("own.model"),
        lambda model: (model, model.path),
    ),
    truebleu.Stats: (lambda: ExactMatch().stats(SYSTEM, REFERENCES), lambda stats: stats),
    truebleu.SegmentExplanation: (
        lambda: truebleu.explain(SYSTEM[0], REFERENCES[0]),
        lambda explanation: (explanation.to_dict(), str(explanation)),
    ),
    truebleu.SelfBleu: (lambda: truebleu.self_bleu(SYSTEM), to_dict),
    truebleu.compat.Installed: (truebleu.compat.Installed, attributes),
    sacrebleu.BLEU: (
        lambda: scored(tokenize="zh", effective_order=True, smooth_method="add-k"),
        numbers,
    ),
    sacrebleu.metrics.BLEUScore: (
        lambda: sacrebleu.sentence_bleu(SYSTEM[0], REFERENCES[0]),
        lambda score: (repr(score), attributes(score)),
    ),
    sacrebleu.metrics.bleu.BLEUSignature: (lambda: scored().get_signature(), attributes),
    sacrebleu.CHRF: (
        lambda: scored(sacrebleu.CHRF, word_order=2, beta=3, references=STREAMS),
        numbers,
    ),
    sacrebleu.metrics.CHRFScore: (
        lambda: sacrebleu.sentence_chrf(SYSTEM[0], REFERENCES[0]),
        lambda score: (repr(score), attributes(score)),
    ),
    sacrebleu.metrics.chrf.CHRFSignature: (
        lambda: scored(sacrebleu.CHRF, lowercase=True).get_signature(),
        attributes,
    ),
    sacrebleu.TER: (
        lambda: scored(sacrebleu.TER, normalized=True, references=STREAMS),
        numbers,
    ),
    sacrebleu.metrics.TERScore: (
        lambda: sacrebleu.sentence_ter(SYSTEM[0], REFERENCES[0]),
        lambda score: (repr(score), attributes(score)),
    ),
    sacrebleu.metrics.ter.TERSignature: (
        lambda: scored(sacrebleu.TER, no_punct=True).get_signature(),
        attributes,
    ),
    sacrebleu.metrics.lib_ter.BeamEditDistance: (
        lambda: sacrebleu.metrics.lib_ter.BeamEditDistance(OTHER[0].split()),
        lambda distance: distance(SYSTEM[0].split()),
    ),
    base.Score: (lambda: base.Score("BLEU", 12.3), attributes),
    base.Signature: (lambda: base.Signature({"num_refs": 2}), attributes),
    PairedTest: (
        lambda: PairedTest(
            list(SYSTEMS.items()), {"BLEU": scored(), "TER": sacrebleu.TER()}, STREAMS, "bs", 20
        ),
        lambda test: repr(test()),
    ),
    Result: (lambda: Result(1.5, 0.25), attributes),
    Color: (Color, attributes),
    Described: (Described, attributes),
    BaseTokenizer: (BaseTokenizer, attributes),
    NativeTokenizer: (
        lambda: NativeTokenizer("intl"),
        lambda tokenizer: (tokenizer.signature(), tokenizer(SYSTEM[2])),
    ),
    MecabTokenizer: (
        lambda: MecabTokenizer("ja-mecab"),
        lambda tokenizer: (tokenizer.signature(), tokenizer(SYSTEM[2])),
    ),
    huggingface.EvaluationModule: (
        lambda: huggingface.EvaluationModule("ter", "own", seed=3),
        lambda metric: (
            attributes(metric),
            copy.deepcopy(metric).compute(predictions=["a"], references=["b"]),
        ),
    ),
    huggingface.CombinedEvaluations: (
        lambda: huggingface.combine({"one": remembering(), "two": remembering()}),
        lambda combined: copy.deepcopy(combined).compute(),
    ),
    huggingface.MetricInfo: (lambda: huggingface.load("chrf").info, lambda info: info),
    huggingface.Metric: (
        remembering,
        lambda metric: (attributes(metric), copy.copy(metric).compute()),
    ),
    torchmetrics.BLEUScore: (
        lambda: filled(torchmetrics.BLEUScore(smooth=True)),
        lambda metric: (metric.compute(), metric.weights),
    ),
    torchmetrics.SacreBLEUScore: (
        lambda: filled(torchmetrics.SacreBLEUScore(lowercase=True)),
        lambda metric: (metric.compute(), metric.weights),
    ),
    torchmetrics.CHRFScore: (
        lambda: filled(torchmetrics.CHRFScore(beta=3.0)),
        lambda metric: (metric.compute(), metric.beta),
    ),
    torchmetrics.TranslationEditRate: (
        lambda: filled(torchmetrics.TranslationEditRate(normalize=True)),
        lambda metric: (metric.compute(), metric.normalize),
    ),
    Batches: (
        lambda: filled(Batches(BleuRules(2, smooth=True, weights=None))),
        lambda metric: metric.compute(),
    ),
    Rules: (lambda: Rules({"edits": ()}, "scores", lowercase=True), attributes),
    BleuRules: (lambda: BleuRules(2, smooth=True, weights=[0.5, 0.5], tokenize="zh"), counted),
    ChrfRules: (
        lambda: ChrfRules(
            6, 2, 2.0, lowercase=True, whitespace=True, return_sentence_level_score=True
        ),
        counted,
    ),
    TerRules: (
        lambda: TerRules(
            normalize=True,
            no_punctuation=True,
            lowercase=False,
            asian_support=True,
            return_sentence_level_score=True,
        ),
        counted,
    ),
    nltk.Fraction: (
        lambda: nltk.Fraction(2, 4),
        lambda fraction: (fraction, fraction.numerator, fraction.denominator),
    ),
    nltk.SmoothingFunction: (lambda: nltk.SmoothingFunction(epsilon=0.3, fixed=True), attributes),
}
# A model of these has to be fetched; tests/laws/test_sentences.py has one for them.
FETCHED = ("flores101", "flores200", "spBLEU-1K", "spm")


def modules():
    """Return the package, and every module of the drop-ins, also those that no file has."""
    for found in pkgutil.walk_packages(truebleu.compat.__path__, "truebleu.compat."):
        # One runs a command, and the other needs torch.
        if not found.name.endswith(("__main__", "torchmetrics.tensors")):
            importlib.import_module(found.name)
    names = [name for name in sorted(sys.modules) if name.startswith("truebleu.compat")]
    return [truebleu, *(sys.modules[name] for name in names)]


def public():
    """Return the public classes and functions of all of them."""
    found = {}
    for module in modules():
        for name in getattr(module, "__all__", None) or vars(module):
            item = getattr(module, name)
            home = getattr(item, "__module__", None) or ""
            ours = home.startswith("truebleu" if hasattr(module, "__all__") else "truebleu.compat")
            if callable(item) and ours and not name.startswith("_") and hasattr(item, "__name__"):
                found[f"{item.__module__}.{item.__qualname__}"] = item
    return found


PUBLIC = public()
CLASSES = {name: item for name, item in PUBLIC.items() if inspect.isclass(item)}
for name, item in CLASSES.items():
    if issubclass(item, Exception):
        EXAMPLES.setdefault(item, (lambda item=item: item("so it is"), repr))
    elif name.startswith("truebleu.compat.sacrebleu.tokenizers.tokenizer_"):
        EXAMPLES.setdefault(item, (item, lambda made: (made.signature(), made(SYSTEM[2]))))
    elif issubclass(item, sacrebleu.dataset.base.Dataset) and "kind" in dir(item):
        EXAMPLES[item] = (lambda item=item: item("own", langpairs={"en-de": ["a"]}), attributes)
# What can be imported and not be made.
NOT_MADE = {truebleu.Metric, base.Metric, sacrebleu.dataset.base.Dataset}
NOT_MADE.add(sacrebleu.dataset.base.RegisteredDataset)
NOT_MADE |= {sacrebleu.watched.Watched, sacrebleu.watched.Hooked}


def made(kind):
    """Return an example of a class, and what to look at; skip what needs a network."""
    make, look = EXAMPLES[kind]
    fetched = {_TOKENIZERS[name].split(".")[1] for name in FETCHED}
    if kind.__name__ in fetched:
        pytest.skip("its model has to be fetched")
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


class Noted(Bleu):
    """Has a dict."""


class Slotted(Bleu):
    """Has a slot more."""

    __slots__ = ("note",)


class NotedStats(truebleu.BleuStats):
    """Has a dict."""


class NotedSum(truebleu.Accumulator):
    """Has a dict."""


class NotedIds(truebleu.Ragged):
    """Has a dict."""


class SlottedIds(truebleu.Ragged):
    """Has a slot more."""

    __slots__ = ("note",)


SUBCLASSES = {
    Noted: lambda: Noted(lowercase=True),
    Slotted: lambda: Slotted(lowercase=True),
    NotedStats: lambda: NotedStats.from_bytes(Bleu().stats(SYSTEM, REFERENCES).to_bytes()),
    NotedSum: lambda: NotedSum(Bleu()),
    NotedIds: lambda: NotedIds([1, 2], [0, 2]),
    SlottedIds: lambda: SlottedIds([1, 2], [0, 2]),
}


@pytest.mark.parametrize("kind", SUBCLASSES)
def test_subclasses(kind):
    """Attributes that a subclass has added are copied, and what is ours as ever."""
    value, look = SUBCLASSES[kind](), EXAMPLES[kind.__base__][1]
    note = [1]
    object.__setattr__(value, "note", note)
    if kind is NotedSum:
        value.add(SYSTEM, REFERENCES)
    dumps = [pickle.dumps(value, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    twins = [*map(pickle.loads, dumps), copy.deepcopy(value), copy.copy(value)]
    if isinstance(value, Bleu):
        twins += [value.for_segments, value.for_corpora]
        assert look(twins[0]) == look(value)
    for twin in twins:
        assert type(twin) is kind
        assert twin.note == note
        assert not isinstance(value, Bleu) or twin.lowercase
        assert isinstance(value, Bleu) or look(twin) == look(value)
    assert twins[-1].note is note
    assert twins[0].note is not note


def test_open_tables(tmp_path):
    """Files of tables are opened once more, in a copy and in another process."""
    path = tmp_path / "a.csv"
    path.write_text("mt,ref\na b c d,a b c d\n")
    wanted = job.Job("mt", "ref", metric=Bleu())
    with tables.Tables(str(path), 1) as opened:
        stats = opened.sums(wanted)
        dumps = [pickle.dumps(opened, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        twins = [*map(pickle.loads, dumps), copy.copy(opened), copy.deepcopy(opened)]
    twins.append(copy.deepcopy(opened))
    for twin in twins:
        with twin:
            assert twin.sums(wanted) == stats


def test_spawned_processes():
    """A process that starts afresh sends back what it was sent."""
    kinds = [kind for kind in EXAMPLES if kind.__name__ not in dir(sacrebleu.tokenizers)]
    fetched = {_TOKENIZERS[name].split(".")[1] for name in FETCHED}
    kinds = [
        kind for kind in kinds if kind.__name__ not in fetched and kind is not truebleu.Dialect
    ]
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
    own = truebleu.Dialect(
        name="own", tool="ours", about="Nobody.", scale=1, settings={"lowercase": True}
    )
    twin = pickle.loads(pickle.dumps(own))
    assert (twin.name, twin.settings, twin.number(50)) == ("own", {"lowercase": True}, 0.5)


MAIN = """
{top}
import multiprocessing

def module(*_):
    from sacrebleu import corpus_bleu
    return corpus_bleu.__module__.split(".")[0]

if __name__ == "__main__":
    from truebleu.compat import install
    installed = install("sacrebleu")
    with multiprocessing.get_context("{method}").Pool(1, {pool}) as pool:
        print(module(), pool.map(module, [{item}])[0])
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
@pytest.mark.parametrize(
    ("top", "pool", "item"),
    [
        ("", "", "0"),
        ("import truebleu.compat\ntruebleu.compat.install('sacrebleu')", "", "0"),
        ("", "initializer=install, initargs=('sacrebleu',)", "0"),
        ("", "", "installed"),
    ],
    ids=["nothing", "top", "initializer", "argument"],
)
def test_install_in_other_processes(method, top, pool, item, tmp_path):
    """A fresh process has it, also if it installs it again."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    script = tmp_path / "main.py"
    script.write_text(textwrap.dedent(MAIN).format(top=top, pool=pool, item=item, method=method))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout == "truebleu truebleu\n"
