"""Segments that depend on their neighbors: what is said of them, and what mends it."""

import warnings
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truebleu import (
    Bleu,
    BleuStats,
    InputError,
    LengthMismatchError,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    compare,
    confidence_interval,
)
from truebleu.significance.dependence import block_length, dependence_of

BLEU = Bleu()
FEW = {"n_resamples": 200, "n_trials": 200}


def drawn(seed, documents, size, spread=0.2):
    """Draw rows of two systems for documents, each with a difficulty of its own."""
    random = np.random.default_rng(seed)
    ease = np.repeat(random.uniform(0.6 - spread, 0.6 + spread, documents), size)
    tables = []
    for _ in range(2):
        matches = [random.binomial(20, np.clip(ease + random.normal(0, 0.05, len(ease)), 0, 1))]
        for _ in range(3):
            matches.append(random.binomial(matches[-1], 0.8))
        totals = [np.full(len(ease), 20 - order) for order in range(4)]
        lengths = [np.full(len(ease), 20)] * 2
        tables.append(np.column_stack([*lengths, *np.minimum(matches, totals), *totals]))
    return {name: stats(table) for name, table in zip("ab", tables, strict=True)}


def stats(table):
    return BleuStats.from_numpy(table, BLEU)


def alike(values):
    """Add up the autocorrelations 1 to 10."""
    gaps = values - values.mean()
    return sum(gaps[lag:] @ gaps[:-lag] for lag in range(1, 11)) / (gaps @ gaps)


class TestDependence:
    """Neighbors that influence a score alike are found, and others are not."""

    @given(st.integers(0, 2**32), st.integers(1, 5), st.integers(30, 80))
    def test_definition(self, seed, systems, segments):
        """Factors are those of the autocorrelations, of scores and of differences."""
        random = np.random.default_rng(seed)
        left_out = np.cumsum(random.normal(size=(systems, segments)), axis=1)
        pairs = list(combinations(range(systems), 2))
        found = dependence_of(left_out, pairs, 1)
        inflation = [max(1, 1 + 2 * alike(each)) for each in left_out]
        of_pairs = [max(1, 1 + 2 * alike(left_out[a] - left_out[b])) for a, b in pairs]
        if found is not None:
            assert found.scores == pytest.approx(np.mean(inflation) ** 0.5)
            assert found.differences == pytest.approx(np.mean(of_pairs or [1]) ** 0.5)
        length = block_length(left_out, pairs)
        wanted = max(np.ceil(10 * max(inflation + of_pairs) - 1e-9), np.ceil(segments**0.5))
        assert length == max(1, min(wanted, segments // 10))

    def test_level(self):
        """Of independent segments, at most one in a hundred comparisons is warned of."""
        random = np.random.default_rng(5)
        pairs = list(combinations(range(4), 2))
        found = [
            dependence_of(random.standard_t(3, size=(4, 200)), pairs, seed) for seed in range(400)
        ]
        share = np.mean([each is not None for each in found])
        assert 0 < share < 0.01 + 4 * (0.01 * 0.99 / 400) ** 0.5

    def test_equal_systems(self):
        """What does not vary depends on nothing."""
        left_out = np.array([np.full(200, 30.0)] * 2)
        assert dependence_of(left_out, [(0, 1)], 1) is None
        varying = np.repeat(np.random.default_rng(1).normal(size=40), 5)
        found = dependence_of(np.array([varying, varying]), [(0, 1)], 1)
        assert found.differences == 1 < found.scores

    def test_warning(self):
        """In the order of the file there is a warning with the factors; shuffled, there is none."""
        systems = drawn(1, 40, 8)
        said = r"neighbors \(permutation test, p = 0.005\).* scores should be about 1.\d times as"
        with pytest.warns(SettingsWarning, match=f"{said} wide, those of differences .* p-values"):
            compare(systems, **FEW)
        with pytest.warns(SettingsWarning, match=f"{said} wide; pass documents, or resample"):
            confidence_interval(systems["a"], n_resamples=200)
        order = np.random.default_rng(2).permutation(320)
        shuffled = {name: stats(each.to_numpy()[order]) for name, each in systems.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compare(shuffled, **FEW)
            compare(systems, documents=np.arange(320) // 5, **FEW)
            compare(systems, blocks=10, **FEW)

    def test_of_several_metrics(self):
        """The metric is named."""
        random = np.random.default_rng(1)
        words = "abcdefghijklmnopqrst"
        references = [" ".join(words)] * 120
        systems = {}
        for name in "xy":
            wrong = random.binomial(12, np.repeat(random.uniform(0, 1, 12), 10)) + 1
            systems[name] = [" ".join([*words[: 20 - count], *"?" * count]) for count in wrong]
        with pytest.warns(SettingsWarning, match="TER: segments depend on their neighbors"):
            compare(systems, references, metrics=["bleu", "ter"], **FEW)


class TestBlocks:
    """Blocks of consecutive segments are resampled like documents."""

    @pytest.mark.parametrize("length", [1, 7, 10, 40, 200])
    def test_are_documents(self, length):
        """Of nearly equal length, none shorter than asked for."""
        systems = drawn(3, 30, 10)
        count = 300 // length
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if count < 2:
                with pytest.raises(InputError, match="cannot resample 1 block"):
                    compare(systems, blocks=length, **FEW)
                return
            found = compare(systems, blocks=length, **FEW)
            starts = np.arange(count) * 300 // count
            numbers = np.searchsorted(starts, np.arange(300), side="right")
            expected = compare(systems, documents=numbers, **FEW)
        assert found.pairs == expected.pairs
        assert min(np.bincount(numbers)[1:]) >= length
        assert f"units:blocks-{length}|" in found.signature
        assert found.units == f"blocks of {length} segment{'s' * (length > 1)}"

    def test_auto(self):
        """The length is that of the autocorrelations, for each metric; intervals are wider."""
        systems = drawn(1, 180, 8)
        found = compare(systems, blocks="auto", **FEW)
        with pytest.warns(SettingsWarning, match="depend"):
            as_segments = compare(systems, **FEW)
        assert "units:blocks-" in found.signature
        wider = found["a"].interval.error / as_segments["a"].interval.error
        assert 1.5 < wider < 3.5


class TestStrata:
    """Samples have as many units of each stratum as the data."""

    def test_variance(self):
        """Differences between strata do not add to it."""
        easy, hard = (drawn(seed, 100, 2, 0.05)["a"].to_numpy() for seed in (1, 2))
        hard[:, 2:6] //= 3
        table = np.concatenate([easy, hard])
        strata = ["easy"] * 200 + ["hard"] * 200
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = confidence_interval(stats(table), n_resamples=2000)
        found = confidence_interval(stats(table), strata=strata, n_resamples=2000)
        assert found.error < 0.7 * whole.error
        assert abs(found.mean - whole.mean) < whole.error

    def test_one_stratum(self):
        """It changes nothing but the signature."""
        systems = drawn(1, 40, 2)
        one, other = (compare(systems, strata=each, **FEW) for each in (None, [1] * 80))
        assert one.pairs == other.pairs
        assert one.signature == other.signature.replace("|strata:1", "")

    def test_documents(self):
        """Each is in one stratum, that of its segments."""
        systems = drawn(1, 80, 2)
        documents = np.arange(160) // 2
        found = compare(systems, documents=documents, strata=documents % 3, **FEW)
        assert "|units:documents|strata:3|" in found.signature
        with pytest.raises(InputError, match="segment 2 is in another stratum than"):
            compare(systems, documents=documents, strata=range(160))
        with pytest.raises(LengthMismatchError, match="strata has 2 items for 160 segments"):
            compare(systems, strata=[1, 2])


class TestDocuments:
    """Those of a test set, and too few of them."""

    def test_auto(self):
        """They are read from the test set."""
        references = [f"line {number} of the whole text" for number in range(80)]
        documents = [f"d{number // 4}" for number in range(80)]
        systems = {
            name: [text.replace("whole", word) for text in references]
            for name, word in (("a", "long"), ("b", "long, long"))
        }
        known = SimpleNamespace(references=[[text] for text in references], documents=documents)
        with pytest.warns(SmallSampleWarning):
            found = compare(systems, known, documents="auto", **FEW)
        assert found.units == "documents"
        for references_ in (references, SimpleNamespace(references=[], documents=None)):
            with pytest.raises(
                SettingsError, match="documents='auto' takes the documents of a test"
            ):
                compare(systems, references_, documents="auto")

    @pytest.mark.parametrize(("count", "share"), [(15, "90"), (29, "90"), (40, "93"), (59, "93")])
    def test_few(self, count, share):
        """The warning has what was covered in simulations."""
        with pytest.warns(
            SmallSampleWarning, match=rf"only {count} documents, .* covered {share}%"
        ):
            compare(drawn(1, count, 3), documents=np.arange(3 * count) // 3, **FEW)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compare(drawn(1, 60, 3), documents=np.arange(180) // 3, **FEW)
