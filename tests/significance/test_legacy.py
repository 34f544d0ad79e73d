"""sacreBLEU's own intervals and p-values, to the last bit."""

import warnings
from random import Random

import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st
from looping import looped
from sacrebleu.significance import PairedTest
from truebleu import Bleu, Chrf, Metric, Ter, compare, confidence_interval

# Few trials are enough to compare, and not to decide.
pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "then", "it", "ran", "far", "away"]

CHRF = [
    {},
    {"word_order": 2},
    {"word_order": 2, "eps_smoothing": True},
    {"beta": 3, "whitespace": True, "lowercase": True},
    {"beta": 0.5, "char_order": 2, "eps_smoothing": True},
]
TER = [{}, {"normalized": True, "no_punct": True}, {"case_sensitive": True}]
METRICS = [
    *((Chrf(**chosen), sacrebleu.CHRF(**chosen)) for chosen in CHRF),
    *((Ter(**chosen), sacrebleu.TER(**chosen)) for chosen in TER),
]
# Every smoothing, some with a number, with and without effective order; and other orders.
BLEU = [
    {"smooth_method": name, "smooth_value": value, "effective_order": effective}
    for name, value in [
        *(("exp", None), ("none", None), ("floor", None), ("floor", 0.3)),
        *(("add-k", None), ("add-k", 0.7)),
    ]
    for effective in (False, True)
]
BLEU += [{"max_ngram_order": order} for order in (1, 2, 3, 5)]
OURS = {"smooth_method": "smoothing", "max_ngram_order": "max_order"}
WITH_BLEU = [
    *METRICS,
    *(
        (
            Bleu(**{OURS.get(name, name): value for name, value in chosen.items()}),
            sacrebleu.BLEU(**chosen, force=True),
        )
        for chosen in BLEU
    ),
]


def metric_id(value):
    """Name a case by the metric's settings."""
    return repr(value) if isinstance(value, Metric) else ""


def corpus(seed, segments, systems, streams):
    """Draw references, some of them empty, and what systems make of them."""
    random = Random(seed)

    def changed(text, rate):
        return " ".join(random.choice(WORDS) if random.random() < rate else w for w in text.split())

    texts = [" ".join(random.choices(WORDS, k=random.randrange(9))) for _ in range(segments)]
    return (
        {
            name: [changed(text, 0.2 + 0.1 * index) for text in texts]
            for index, name in enumerate(systems)
        },
        [texts, *([changed(text, 0.3) for text in texts] for _ in range(streams - 1))],
    )


@pytest.mark.usefixtures("plain_sum")
class TestPaired:
    """``--paired-bs`` and ``--paired-ar``."""

    @pytest.mark.parametrize(("ours", "theirs"), WITH_BLEU, ids=metric_id)
    @settings(deadline=None, max_examples=10)
    @given(
        st.integers(0, 2**32),
        st.integers(2, 25),
        st.sampled_from(["bs", "ar"]),
        st.sampled_from([1, 2, 4]),
    )
    @example(1, 25, "ar", 4)
    @example(1, 25, "bs", 2)
    def test_any_systems(self, ours, theirs, seed, segments, test, streams):
        """Means, half widths and p-values are equal, with one reference, two or four."""
        systems, references = corpus(seed, segments, "ABC", streams)
        systems["D"] = references[0]
        samples, trials = 40, 70
        number = samples if test == "bs" else trials
        paired = PairedTest(
            list(systems.items()), {"any": theirs}, references, test, number, samples
        )
        [expected] = (values for name, values in paired()[1].items() if name != "System")
        kind = {"bs": "bootstrap", "ar": "approximate-randomization"}[test]
        found = compare(
            systems,
            reference_streams=references,
            metric=ours,
            test=kind,
            n_resamples=samples,
            n_trials=trials,
            legacy="sacrebleu",
        )
        for name, result in zip(systems, expected, strict=True):
            assert found.systems[name].score.score == pytest.approx(result.score, rel=1e-12)
            interval = found.systems[name].interval
            assert (interval.mean, interval.half_width) == (result.mean, result.ci)
            if name != "A":
                assert found.pair(name, "A").p_value == result.p_value

    def test_pieces(self):
        """Work that is cut up draws the same random numbers."""
        systems, references = corpus(4, 1000, "AB", 1)
        for test, kind in (("bs", "bootstrap"), ("ar", "approximate-randomization")):
            paired = PairedTest(
                list(systems.items()), {"any": sacrebleu.BLEU()}, references, test, 2500, 2500
            )
            [expected] = (values for name, values in paired()[1].items() if name != "System")
            how = {"test": kind, "n_resamples": 2500, "n_trials": 2500, "legacy": "sacrebleu"}
            seen = []
            how["progress"] = lambda *done, seen=seen: seen.append(done)
            found = compare(systems, reference_streams=references, **how)
            assert len(seen) > 1
            assert seen[-1][0] == seen[-1][1]
            assert found.pair("B", "A").p_value == expected[1].p_value
            interval = found.systems["B"].interval
            assert (interval.mean, interval.half_width) == (expected[1].mean, expected[1].ci)


@pytest.mark.usefixtures("plain_sum")
class TestOneSystem:
    """``n_bootstrap`` of ``corpus_score``, or ``--confidence``."""

    @pytest.mark.parametrize(("ours", "theirs"), WITH_BLEU, ids=metric_id)
    @looped("streams, seed", [(1, 12345), (2, 0), (4, 7)])
    def test_interval(self, ours, theirs, streams, seed, monkeypatch):
        """The mean and the half width are equal, for any seed."""
        monkeypatch.setenv("SACREBLEU_SEED", str(seed))
        systems, references = corpus(streams, 30, "A", streams)
        expected = theirs.corpus_score(systems["A"], references, n_bootstrap=123)
        counted = ours.stats(systems["A"], reference_streams=references)
        found = confidence_interval(
            counted, metric=ours, n_resamples=123, legacy="sacrebleu", seed=seed
        )
        assert (found.mean, found.half_width) == (expected._mean, expected._ci)

    @pytest.mark.parametrize(("ours", "theirs"), METRICS, ids=metric_id)
    @looped(
        ("hypotheses", "references"),
        [
            (["x y"] * 4, ["a b"] * 4),
            ([""] * 4, ["a b"] * 4),
            (["x"] * 3, [""] * 3),
            ([""] * 3, [""] * 3),
        ],
    )
    def test_nothing_matches(self, ours, theirs, hypotheses, references):
        """Scores that sacreBLEU does not compute in single precision, as the others."""
        expected = theirs.corpus_score(hypotheses, [references], n_bootstrap=99)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = confidence_interval(
                hypotheses, references, metric=ours, n_resamples=99, legacy="sacrebleu"
            )
        assert (found.mean, found.half_width) == (expected._mean, expected._ci)

    @pytest.mark.parametrize(("ours", "theirs"), METRICS, ids=metric_id)
    def test_mixed_precision(self, ours, theirs):
        """Where some samples have an empty reference, sacreBLEU may fail; we do not."""
        hypotheses, references = ["", "x", "", "a"], ["", "", "", "a"]
        with pytest.raises(TypeError, match="coerce"):
            theirs.corpus_score(hypotheses, [references], n_bootstrap=99)
        found = confidence_interval(
            hypotheses, references, metric=ours, n_resamples=99, legacy="sacrebleu"
        )
        assert 0 < found.mean < 200
