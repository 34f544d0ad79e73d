"""What is resampled: chosen once a call by the data, or given; and segments that are alike."""

import json
import re
from itertools import combinations

import numpy as np
import pytest
from drawn import BLEU, corpus, in_documents, stats_of
from hypothesis import given
from hypothesis import strategies as st
from truebleu import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    SavedStats,
    SettingsError,
    SettingsWarning,
    Stats,
    TestSet,
    compare,
    compare_runs,
    compare_sets,
    confidence_interval,
    report,
)
from truebleu.significance import units as units_module
from truebleu.significance.dependence import block_length, inflations, times_as_wide

quiet = pytest.mark.filterwarnings(
    "ignore::truebleu.SmallSampleWarning", "ignore::truebleu.SettingsWarning"
)
SYSTEMS, REFERENCES = corpus(5, 120, ("one", "two", "three", "four", "five"))


def alike(values):
    """Add up the autocorrelations 1 to 10."""
    gaps = values - values.mean()
    return sum(gaps[lag:] @ gaps[:-lag] for lag in range(1, 11)) / (gaps @ gaps)


def shuffled(systems):
    order = np.random.default_rng(2).permutation(len(next(iter(systems.values()))))
    return {name: stats_of(each.to_numpy()[order]) for name, each in systems.items()}


def noise(seed, segments=1000, run=1):
    """Draw scores of segments, of which so many in a row are nearly the same."""
    random = np.random.default_rng(seed)
    level = np.repeat(random.normal(size=-(-segments // run)), run)[:segments]
    return {name: level + random.normal(0, 0.3, segments) for name in "ab"}


def page_of(made, tmp_path):
    """Return the page of a report, without what it offers to copy."""
    made.write(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    return re.sub("<pre.*?</pre>", "", text, flags=re.DOTALL)


class TestDependence:
    """Neighbors that influence a score alike are found, and others are not."""

    @given(st.integers(0, 2**32), st.integers(1, 5), st.integers(30, 80))
    def test_definition(self, seed, systems, segments):
        """Factors are those of the autocorrelations, and blocks ten times as long."""
        random = np.random.default_rng(seed)
        left_out = np.cumsum(random.normal(size=(systems, segments)), axis=1)
        found = inflations(left_out)
        if found is None:
            return
        expected = [max(1, 1 + 2 * alike(each)) for each in left_out]
        assert found == pytest.approx(expected)
        assert times_as_wide(left_out) == pytest.approx(np.mean(expected) ** 0.5)
        wanted = max(np.ceil(10 * max(expected) - 1e-9), np.ceil(segments**0.5))
        assert block_length(found, segments) == max(1, min(wanted, segments // 10))

    def test_level(self):
        """Of independent segments, at most one in a hundred calls has blocks."""
        random = np.random.default_rng(5)
        found = [inflations(random.standard_t(3, size=(4, 200))) for _ in range(400)]
        share = np.mean([each is not None for each in found])
        assert 0 < share < 0.01 + 4 * (0.01 * 0.99 / 400) ** 0.5

    def test_what_does_not_vary(self):
        """It depends on nothing; and nothing is said of fewer than 30 segments, or no score."""
        assert inflations(np.full((2, 200), 30.0)) is None
        assert inflations(np.cumsum(np.ones((1, 29)), axis=1)) is None
        assert inflations(np.zeros((0, 200))) is None

    def test_warning(self):
        """Segments that were asked for are judged, scores and differences apart; blocks are not."""
        systems = in_documents(1, 40, 8)
        how = {"n_resamples": 200}
        apart = {"a": systems["a"], "b": in_documents(2, 40, 8)["b"]}
        for given_, expected in ((systems, ["scores"]), (apart, ["scores", "differences"])):
            with pytest.warns(SettingsWarning) as caught:
                found = compare(given_, units="segments", **how)
            said = [str(each.message) for each in caught]
            assert [each.split(" alike")[0].split()[-1] for each in said] == expected
            assert ["p-values are too small" in each for each in said] == [
                what == "differences" for what in expected
            ]
            assert [note.lower() for note in found.notes if "influence" in note] == [
                each.lower() + "." for each in said
            ]
        with pytest.warns(SettingsWarning, match=r"of scores should be about 1.\d times as wide"):
            confidence_interval(systems["a"], units="segments", **how)
        # Differences of a system and itself depend on nothing.
        with pytest.warns(SettingsWarning) as caught:
            compare(dict.fromkeys("ab", systems["a"]), units="segments", **how)
        assert [str(each.message).split(" alike")[0] for each in caught] == [
            "neighboring segments influence scores"
        ]
        with pytest.warns(SettingsWarning, match="influence scores"):
            compare_runs(
                {"x": [*systems.values()], "y": [systems["b"]] * 2}, units="segments", **how
            )


class TestAuto:
    """One choice a call, by all its scores, that every output gives a reason for."""

    @pytest.mark.parametrize("seed", [0, 12345])
    def test_by_the_data(self, seed):
        """Blocks where neighbors are alike, else segments, whatever the seed."""
        systems = in_documents(1, 180, 8)
        how = {"n_resamples": 200, "seed": seed}
        found = compare(systems, **how)
        left_out = np.array(
            [
                [BLEU.score(stats_of(np.delete(each.to_numpy(), i, 0))).score for i in range(1440)]
                for each in systems.values()
            ]
        )
        length = block_length(inflations(left_out), 1440)
        assert found.units == f"blocks of {length} segments"
        assert found.pairs == compare(systems, units=length, **how).pairs
        assert f"|units:blocks-{length}|" in found.signature
        assert "; neighboring segments influence scores alike" in found.notes[0]
        others = shuffled(systems)
        assert compare(others, **how).units == "segments"
        assert compare(others, **how).pairs == compare(others, units="segments", **how).pairs
        assert confidence_interval(systems["a"], **how).notes[0].startswith("Units: ")

    @quiet
    def test_one_choice(self):
        """The longest blocks that any metric asks for are those of all; so it is with systems."""
        kinds = {"calm": noise(1), "short": noise(2, run=5), "long": noise(3, run=40)}
        names = dict.fromkeys("ab")

        def units(*chosen):
            scores = {name: kinds[name] for name in chosen}
            found = compare(names, scores=scores, n_resamples=50)
            assert len({each.units for each in found.values()}) == 1
            assert len({each.notes[0] for each in found.values()}) == 1
            assert sum(note.startswith("Units:") for note in found.notes) == 1
            return next(iter(found.values())).units

        assert units("calm") == "segments"
        alone = {name: units(name) for name in ("short", "long")}
        assert alone["short"] != alone["long"] != "segments"
        assert units("calm", "short") == units("short", "calm") == alone["short"]
        assert units("short", "long") == units("calm", "long") == alone["long"]
        mixed = {"a": kinds["calm"]["a"], "b": kinds["short"]["b"]}
        assert "blocks" in compare(names, scores={"m": mixed}, n_resamples=50)["m"].units

    @quiet
    def test_many_segments(self, monkeypatch):
        """Very many segments are resampled in blocks, whether or not neighbors are alike."""
        monkeypatch.setattr(units_module, "_MOST_SEGMENTS", 100)
        monkeypatch.setattr(units_module, "_MANY_BLOCKS", 50)
        found = compare(SYSTEMS, REFERENCES)
        assert found.notes[0] == (
            "Units: 40 blocks of 3 segments, because there are so many segments."
        )
        assert "|units:blocks-3|" in found.signature

    @quiet
    def test_missing_scores(self):
        """Segments without a score do not make the others seem alike, nor hide that they are."""
        random = np.random.default_rng(1)
        found = 0
        for _ in range(100):
            scores = {name: [*random.normal(size=40), *[None] * 200] for name in "ab"}
            made = compare(scores, scores={"m": scores}, n_resamples=None)
            found += made["m"].units != "segments"
        assert found <= 4
        long = {name: [*each, *[None] * 200] for name, each in noise(3, run=40).items()}
        assert "blocks" in compare(long, scores={"m": long}, n_resamples=50)["m"].units

    @quiet
    def test_documents_that_are_known(self, tmp_path):
        """Those of a test set, and of saved statistics, come before what the data look like."""
        documents = [f"d{index // 4}" for index in range(120)]
        known = TestSet(
            name="x",
            pair="de-en",
            sources=REFERENCES,
            references=[[each] for each in REFERENCES],
            documents=documents,
            domains=None,
            origlang=None,
            systems={},
            tokenizer="13a",
        )
        two = {name: SYSTEMS[name] for name in ("one", "two")}
        counted = {name: BLEU.stats(texts, REFERENCES) for name, texts in two.items()}
        how = {"n_resamples": 100}
        expected = compare(two, REFERENCES, units=documents, **how)
        assert expected.notes[0] == "Units: 30 documents, as given."
        saved = SavedStats(counted, documents=documents, references=REFERENCES)
        runs = {name: [texts, texts] for name, texts in two.items()}
        for found in (
            compare(two, known, **how),
            compare(saved, **how),
            report(two, known, **how).comparison,
            report(saved, **how).comparison,
            compare_sets({"x": (two, known)}, **how)["x"],
            compare_runs(runs, known, **how),
        ):
            assert found.units == "documents"
            assert found.notes[0] == "Units: 30 documents, as recorded in the data."
        assert compare(two, known, **how).pairs == compare(saved, **how).pairs == expected.pairs
        assert confidence_interval(two["one"], known, **how).notes[0] == found.notes[0]
        assert compare(two, known, units="segments", **how).units == "segments"
        # One document is no sample of documents.
        alone = known.replace(documents=["d"] * 120)
        assert compare(two, alone, **how).units == "segments"

    @pytest.mark.parametrize("metrics", ["bleu", ["bleu", "chrf"]])
    @pytest.mark.parametrize(
        ("units", "said"),
        [
            (
                "auto",
                "Units: 120 segments; neighboring segments do not seem to influence scores alike.",
            ),
            ("segments", "Units: 120 segments, as asked for."),
            (4, "Units: 30 blocks of 4 segments, as asked for."),
            ([index // 3 for index in range(120)], "Units: 40 documents, as given."),
        ],
    )
    @quiet
    def test_every_format_says_it(self, units, said, metrics, tmp_path):
        """Which units, and why, once in each; with auto also what that may do to p-values."""
        how = {"units": units, "metrics": metrics, "n_resamples": 50}
        found = compare(SYSTEMS, REFERENCES, **how)
        page = page_of(report(SYSTEMS, REFERENCES, **how), tmp_path)
        # Of the metrics in a page, one is shown at a time.
        assert " ".join(page.split()).count(said) == (1 if metrics == "bleu" else 2)
        for text in (
            *(str(found), found.to_markdown(), found.to_html(), found.to_latex()),
            *(str(found.paper()), found.paper().to_markdown(), found.paper().to_latex()),
        ):
            line = " ".join(text.split()).replace("\\", "")
            assert line.count(said) == 1
            assert ("p-values may be too small: with real documents, 4 to 12% of" in line) == (
                units == "auto"
            )
        assert any(
            note.startswith(said) for note in json.loads(json.dumps(found.to_dict()))["notes"]
        )


class TestGiven:
    """Units that are given: of each pair, whatever else is compared."""

    @quiet
    @pytest.mark.parametrize("units", ["segments", 5, np.arange(120) // 3])
    def test_which_systems_are_there(self, units):
        """A pair does not depend on the other systems, nor a system on any."""
        how = {"n_resamples": 100, "units": units}
        found = compare(SYSTEMS, REFERENCES, **how)
        for one, other in combinations(SYSTEMS, 2):
            alone = compare({name: SYSTEMS[name] for name in (one, other)}, REFERENCES, **how)
            pair = found.pair(one, other)
            assert (pair.p_value, pair.interval) == (
                alone.pairs[0].p_value,
                alone.pairs[0].interval,
            )
            assert alone.systems[one] == found.systems[one]

    @pytest.mark.parametrize("length", [1, 7, 10, 40, 200])
    @quiet
    def test_blocks_are_documents(self, length):
        """Of nearly equal length, none shorter than asked for."""
        systems = in_documents(3, 30, 10)
        count = 300 // length
        if count < 2:
            with pytest.raises(InputError, match="cannot resample 1 block; at least 2 are needed"):
                compare(systems, units=length)
            return
        found = compare(systems, units=length, n_resamples=200)
        starts = np.arange(count) * 300 // count
        numbers = np.searchsorted(starts, np.arange(300), side="right")
        assert found.pairs == compare(systems, units=numbers, n_resamples=200).pairs
        assert min(np.bincount(numbers)[1:]) >= length
        assert f"|units:blocks-{length}|" in found.signature
        assert found.units == f"blocks of {length} segment{'s' * (length > 1)}"

    @quiet
    def test_documents(self):
        """They are the same as a corpus of which each segment is a document, in any order."""
        documents = [f"d{index // 3}" for index in range(120)]
        found = compare(SYSTEMS, REFERENCES, units=documents, n_resamples=50)
        assert "|units:documents|" in found.signature
        grouped = {
            name: Stats.join(
                [BLEU.stats(own, REFERENCES)[start : start + 3].sum() for start in range(0, 120, 3)]
            )
            for name, own in SYSTEMS.items()
        }
        other = compare(grouped, n_resamples=50, units="segments")
        assert (other.pairs, dict(other.systems)) == (found.pairs, dict(found.systems))
        order = np.random.default_rng(1).permutation(120)
        scattered = compare(
            {name: [own[index] for index in order] for name, own in SYSTEMS.items()},
            [REFERENCES[index] for index in order],
            units=(documents[index] for index in order),
            n_resamples=None,
        )
        pair = scattered.pair("one", "two")
        assert (scattered.units, pair.differing) == ("documents", found.pairs[0].differing)

    @pytest.mark.parametrize(
        ("units", "error", "message"),
        [
            ("documents", SettingsError, "units is 'documents'; 'auto', 'segments', how many"),
            (0, SettingsError, "units is 0"),
            (2.5, SettingsError, r"units is 2\.5"),
            (None, SettingsError, "units is None; 'auto', 'segments', how many segments"),
            (True, SettingsError, "units is True; 'auto', 'segments', how many segments"),
            ([1, 2], LengthMismatchError, "units has 2 (IDs|items) for 120 segments"),
            ([[1]] * 120, InputTypeError, r"units\[0\] is a list; an ID, such as a str, is needed"),
            ([float("nan")] * 120, InputError, "cannot resample 1 document; at least 2 are needed"),
        ],
    )
    def test_refused(self, units, error, message):
        """What is no choice of units is named."""
        for function in (compare, report):
            with pytest.raises(error, match=message):
                function(SYSTEMS, REFERENCES, units=units)
