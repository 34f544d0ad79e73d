"""Calls of sacreBLEU as other programs make them: the drop-in answers each with the same numbers.

Every function below imports sacreBLEU by its own name, as the program does, and is called twice:
with sacreBLEU, and with the drop-in installed. The programs are called what they are called on
PyPI; their calls are those of the versions that were current in 2026. Where their own code can be
run, tests/clients runs it instead.
"""

import contextlib
import importlib.metadata
import inspect
import io
import itertools
import json
import multiprocessing
from argparse import Namespace

import numpy as np
import pytest
import sacrebleu as original
from packaging.requirements import Requirement
from packaging.version import Version
from project import ROOT
from truebleu import LengthMismatchError, SettingsWarning
from truebleu.compat import faithful, install

EXAMPLES = ROOT / "examples"
HYPOTHESES = [
    "The dog bit the man.",
    "It was not surprising.",
    "The man had just bitten him, 2.5 times.",
]
# The references of each segment.
REFERENCES = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog 2.5 times."],
]
FIRST = [first for first, _ in REFERENCES]
STREAMS = [list(stream) for stream in zip(*REFERENCES, strict=True)]
SYSTEM = ["The dog bit a man.", "It was no surprise.", "The man bit him first."]


def parts(score):
    """Return what a score consists of."""
    return list(vars(score).items()), str(score)


def signature(metric):
    """Return a signature without its version."""
    return str(metric.get_signature()).rpartition("|version:")[0]


def fairseq_task():
    """Sum counts over batches, and find the name of an argument in the signature."""
    import sacrebleu

    try:
        from sacrebleu.metrics import BLEU

        compute = BLEU.compute_bleu
    except ImportError:
        compute = sacrebleu.compute_bleu
    arguments = inspect.getfullargspec(compute)[0]
    key = "smooth_method" if "smooth_method" in arguments else "smooth"
    assert key in inspect.signature(compute).parameters
    assert key in compute.__code__.co_varnames[: compute.__code__.co_argcount]
    batches = [
        sacrebleu.corpus_bleu(HYPOTHESES[first:last], [FIRST[first:last]])
        for first, last in ((0, 2), (2, 3))
    ]
    counts = np.array([sum(each.counts[n] for each in batches) for n in range(4)])
    totals = np.array([sum(each.totals[n] for each in batches) for n in range(4)])
    lengths = [sum(getattr(each, name) for each in batches) for name in ("sys_len", "ref_len")]
    found = []
    for kind in (int, np.int64, np.int32):
        for smooth in ("exp", "none", "floor", "add-k"):
            score = compute(
                correct=counts.copy(),
                total=totals.copy(),
                sys_len=kind(lengths[0]),
                ref_len=kind(lengths[1]),
                **{key: smooth},
            )
            found.append((round(score.score, 2), score.score, str(score)))
    # Sums of a data frame are floats.
    sums = [list(map(float, each)) for each in (counts, totals)]
    found.append(compute(*sums, *lengths).score)
    return found, compute(counts.tolist(), totals.tolist(), *lengths).score


def gem_metrics():
    """Fill up streams with None."""
    import sacrebleu
    from sacrebleu.metrics import TER

    ragged = [REFERENCES[0], REFERENCES[1][:1], REFERENCES[2] + HYPOTHESES[:1]]
    streams = list(itertools.zip_longest(*ragged))
    scores = [sacrebleu.corpus_bleu(HYPOTHESES, streams, lowercase=True).score]
    scores += [
        sacrebleu.corpus_chrf(HYPOTHESES, streams, word_order=order, eps_smoothing=True).score
        for order in range(3)
    ]
    metric = TER(case_sensitive=True)
    return [*scores, round(metric.corpus_score(HYPOTHESES, streams).score, 5), signature(metric)]


def mbrs():
    """Score sentences in the processes of a pool, and n-grams by the functions of modules."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
    from sacrebleu.metrics.ter import TER

    bleu = BLEU(
        lowercase=False,
        force=False,
        tokenize=None,
        smooth_method="exp",
        smooth_value=None,
        max_ngram_order=4,
        effective_order=True,
        trg_lang="",
    )
    chrf, ter = CHRF(char_order=6, word_order=2, beta=2), TER(normalized=True)
    pairs = list(itertools.product(HYPOTHESES, FIRST))
    scores = [
        [metric.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs]
        for metric in (bleu, chrf, ter)
    ]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for metric in (bleu, chrf, ter):
            in_pool = pool.starmap(metric.sentence_score, [(text, FIRST) for text in HYPOTHESES])
            scores.append([each.score for each in in_pool])
    text = chrf._preprocess_segment(HYPOTHESES[2])
    ngrams = extract_all_char_ngrams(text, chrf.char_order, chrf.whitespace)
    ngrams += [
        extract_word_ngrams(chrf._remove_punctuation(text), order + 1)
        for order in range(chrf.word_order)
    ]
    stats = []
    for ours, theirs in zip(ngrams, chrf._extract_reference_info([FIRST[2]])["ref_ngrams"][0]):  # noqa: B905
        stats += chrf._get_match_statistics(ours, theirs)
    counted = bleu._compute_segment_statistics(
        bleu._preprocess_segment(HYPOTHESES[2]),
        bleu._extract_reference_info([bleu._preprocess_segment(text) for text in FIRST]),
    )
    score = bleu._compute_score_from_stats(counted).score
    return scores, ngrams, stats, chrf._compute_f_score(stats), counted, score


def mateo():
    """Test scores of their own and of sacreBLEU's, and read the printed table as JSON."""
    from sacrebleu.metrics import BLEU, TER
    from sacrebleu.metrics.base import Metric
    from sacrebleu.significance import PairedTest, Result, _compute_p_value, estimate_ci
    from sacrebleu.utils import print_results_table

    assert all(issubclass(kind, Metric) for kind in (BLEU, TER))
    random = np.random.default_rng(12345)
    samples = random.random(3)[random.choice(3, size=(50, 3), replace=True)].mean(axis=1)
    mean, half_width = estimate_ci(samples)
    p_value = _compute_p_value(np.abs(samples - 0.5) - np.abs(samples - 0.5).mean(), 0.1)
    own = [Result(score=0.5, p_value=None, mean=mean, ci=half_width)]
    own.append(Result(score=0.25, p_value=p_value, mean=mean, ci=half_width))
    test = PairedTest(
        named_systems=[("Baseline: A", HYPOTHESES), ("B", SYSTEM)],
        metrics={"bleu": BLEU(lowercase=True)},
        n_samples=30,
        references=[FIRST],
        test_type="bs",
    )
    signatures, results = test()
    signatures = {name: each.format(True) for name, each in signatures.items()}
    args = Namespace(
        format="json", short=False, paired_bs=True, paired_ar=False, paired_bs_n=30, width=1
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_results_table(
            {"System": ["A", "B"], "own": own} | {"BLEU": results["BLEU"]}, signatures, args
        )
    return json.loads(printed.getvalue()), [
        each.rpartition("|v:")[0] for each in signatures.values()
    ]


def evaluate():
    """Check the version, then score, as its module ``sacrebleu`` does."""
    import sacrebleu as scb

    assert Version(scb.__version__) >= Version("1.4.12")
    found = []
    for tokenize in ({}, {"tokenize": "intl"}):
        output = scb.corpus_bleu(
            HYPOTHESES,
            STREAMS,
            smooth_method="exp",
            smooth_value=None,
            force=False,
            lowercase=False,
            use_effective_order=False,
            **tokenize,
        )
        names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
        found.append({name: getattr(output, name) for name in names})
    return found


def torchmetrics():
    """Look up the requirement, and divide scores by 100."""
    from sacrebleu.metrics import BLEU, CHRF, TER

    assert Requirement("sacrebleu>=2.0.0").specifier.contains(
        importlib.metadata.version("sacrebleu")
    )
    assert importlib.util.find_spec("sacrebleu") is not None
    found = []
    for name in sorted({"none", "13a", "zh", "intl", "char"} & set(BLEU.TOKENIZERS)):
        metric = BLEU(tokenize=name, lowercase=True)
        found.append(metric.corpus_score(HYPOTHESES, STREAMS).score / 100)
    for settings in itertools.product((6, 4), (2, 0), (False, True)):
        metric = CHRF(*settings[:2], lowercase=settings[2], eps_smoothing=True)
        found.append(metric.sentence_score(HYPOTHESES[0], REFERENCES[0]).score / 100)
    return found, TER(no_punct=True).corpus_score(HYPOTHESES, STREAMS).score / 100


def distributed_training():
    """Sum statistics by other means, then score them."""
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.utils import sum_of_lists

    found = []
    for metric in (BLEU(), CHRF(6, 2, 2), TER()):
        metric._check_corpus_score_args(HYPOTHESES, STREAMS)
        stats = metric._extract_corpus_statistics(HYPOTHESES, STREAMS)
        table = np.asarray(stats, dtype=float)
        tables = (stats, table.astype(int).tolist(), table.tolist(), table)
        found += [metric._aggregate_and_compute(rows).score for rows in tables]
        found.append(metric._compute_score_from_stats(table.sum(0).tolist()).score)
        found.append(metric._compute_score_from_stats(np.sum(stats, axis=0)).score)
        found.append(sum_of_lists(stats))
    return found


PROGRAMS = [
    *(fairseq_task, gem_metrics, mbrs, mateo, evaluate, torchmetrics, distributed_training),
]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    """The program has the same results, to the last bit."""
    expected = program()
    with install("sacrebleu"):
        import sacrebleu

        assert sacrebleu.corpus_bleu.__module__.startswith("truebleu.")
        found = program()
    assert found == expected
    assert original.corpus_bleu.__module__ == "sacrebleu.compat"


def test_sums_that_are_floats():
    """Lengths may be floats, which sacreBLEU computes with, but cannot print."""
    counts, totals = [5, 3, 2, 1], [8, 7, 6, 5]
    expected = original.BLEU.compute_bleu(counts, totals, 8, 9)
    with install("sacrebleu"):
        import sacrebleu

        assert sacrebleu.compute_bleu is sacrebleu.BLEU.compute_bleu
        for kind in (float, np.float64, np.int64):
            score = sacrebleu.compute_bleu(
                correct=list(map(kind, counts)),
                total=np.array(totals, kind),
                sys_len=kind(8),
                ref_len=kind(9),
                smooth_method="none",
            )
            assert score.score == expected.score
            assert str(score) == str(expected)


@pytest.mark.parametrize(
    ("name", "settings", "printed", "of_streams"),
    [
        ("CHRF", {}, "67.70", "68.93"),
        ("CHRF", {"word_order": 2}, "63.39", "67.98"),
        ("TER", {"asian_support": False}, "18.43", "37.54"),
        ("TER", {"asian_support": True}, "18.43", "37.54"),
    ],
)
def test_references_of_segments_as_streams(name, settings, printed, of_streams, monkeypatch):
    """Of one list of references per segment, the first hypothesis is scored, as by sacreBLEU.

    Its references are those of all segments. These are lighteval's calls for chrF, chrF++ and TER;
    docs/migrate.md has the numbers.
    """
    hypotheses, references = (
        (EXAMPLES / f"{text}.en").read_text("utf-8").splitlines()
        for text in ("system-strong", "reference-a")
    )
    golds = [[reference] for reference in references]
    metric = getattr(original, name)(**settings)
    expected = metric.corpus_score(hypotheses=hypotheses, references=golds).score
    first = metric.sentence_score(hypotheses[0], references).score
    assert (f"{expected:.2f}", expected) == (printed, first)
    assert f"{metric.corpus_score(hypotheses, [references]).score:.2f}" == of_streams
    mistake = "every stream holds one reference"
    monkeypatch.setattr(faithful, "_warned", set())
    with install("sacrebleu"):
        import sacrebleu

        metric = getattr(sacrebleu, name)(**settings)
        with pytest.warns(SettingsWarning, match=f"{mistake}.*sacreBLEU accepts this"):
            score = metric.corpus_score(hypotheses=hypotheses, references=golds)
        assert score.score == expected
        assert metric.corpus_score(hypotheses=hypotheses, references=golds).score == expected
    with install("sacrebleu", strict=True), pytest.raises(LengthMismatchError, match=mistake):
        metric.corpus_score(hypotheses=hypotheses, references=golds)
