"""Notes: what is to be known of numbers, each kind once, in the words of who reads them."""

import re
import warnings

import numpy as np
import pytest
from drawn import BLEU, corpus, in_documents, rows, stats_of
from truebleu import (
    SavedStats,
    SettingsWarning,
    SmallSampleWarning,
    compare,
    confidence_interval,
    report,
)
from truebleu.cli import main
from truebleu.metrics.segment_scores import SegmentScores

# Toys are no text: their lines begin alike, or are those of another system.
pytestmark = pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)")

RANDOM = np.random.default_rng(6)


def said(systems, **how):
    """Return the warnings of a comparison, and its notes that are more than the choice of units."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = compare({name: stats_of(table) for name, table in systems.items()}, **how)
    warned = [str(each.message) for each in caught]
    notes = [note for note in found.notes if not note.startswith(("Units:", "†"))]
    assert warned == [note[0].lower() + note[1:].rstrip(".") for note in notes]
    return warned


class TestUnreliable:
    """What cannot be trusted is said, and nothing else; each of these notes is a warning."""

    def test_few_units_differ(self):
        """Not how many there are, but how many differ."""
        one, other = rows(RANDOM, 1002), rows(RANDOM, 1002, 0.6)
        assert said({"a": one, "b": other}) == []
        few = one.copy()
        few[::130] = other[::130]
        [found] = said({"a": one, "b": few})
        assert "fewer than 30 of 1,002 segments: a - b (8);" in found
        assert said({"a": one, "b": few}, n_resamples=None) == []
        # More than three are counted.
        many = said({"a": one, **dict.fromkeys("bcdef", few)})[0]
        assert "a - b (8), a - c (8), a - d (8) and 2 more;" in many

    def test_few_units(self):
        """Intervals of few segments, or blocks, are unreliable."""
        systems = {"a": rows(RANDOM, 80), "b": rows(RANDOM, 80, 0.6)}
        assert said(systems, units="segments") == []
        [found] = said(systems, units=4)
        assert found == "with only 20 blocks, intervals are unreliable"
        assert said(systems, units=4, n_resamples=None) == []

    @pytest.mark.parametrize(("count", "share"), [(15, "89"), (29, "89"), (40, "93"), (59, "93")])
    def test_few_documents(self, count, share):
        """Those of few documents have what was covered in simulations."""
        with pytest.warns(
            SmallSampleWarning, match=rf"only {count} documents, .* population {share}% of"
        ):
            compare(in_documents(1, count, 3), units=np.arange(3 * count) // 3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compare(in_documents(1, 60, 3), units=np.arange(180) // 3)
            # Documents of one segment are segments.
            systems = {"a": rows(RANDOM, 40), "b": rows(RANDOM, 40, 0.6)}
            assert said(systems, units=range(40)) == []

    def test_few_decide(self):
        """One segment is as long as all others, or all others are perfect."""
        usual = rows(RANDOM, 200)
        long = usual.copy()
        long[0] = [9000, 9000, *[9000] * 4, *(9000 - order for order in range(4))]
        long[0, 2:6] = 10
        found = " ".join(said({"a": usual, "b": long, "c": long}))
        assert "variance: b (about 1), c (about 1); these intervals" in found
        perfect = usual.copy()
        perfect[:, 0] = perfect[:, 1] = perfect[:, 2] = perfect[:, 6]
        perfect[:, 3:6] = perfect[:, 7:10]
        [found] = said({"a": perfect})
        assert found.startswith("whichever of 200 segments is left out, these do not change: a;")
        with pytest.warns(SmallSampleWarning, match=r"variance: the score \(about 1\); these"):
            confidence_interval(stats_of(long), units="segments")

    def test_constant(self):
        """Copies of one segment: intervals have no width, and p-values mean nothing."""
        lengths = [9, 9, *range(9, 5, -1)]
        tables = [lengths[:2] + counts + lengths[2:] for counts in ([8, 6, 5, 4], [8, 6, 4, 3])]
        systems = {name: np.array([row] * 500) for name, row in zip("ab", tables, strict=True)}
        [found] = said(systems)
        assert "do not change: a, b, a - b; their intervals are unreliable, and so are the" in found
        # A difference that is constant, of scores that are not.
        metric, scores = SegmentScores("X"), RANDOM.random(500)
        with pytest.warns(SmallSampleWarning, match="do not change: a - b; .* the p-values"):
            compare(
                {"a": metric.from_scores(scores + 0.1), "b": metric.from_scores(scores)},
                metrics=metric,
            )

    def test_undecided(self):
        """Pairs that no test could decide are counted and named."""
        one, other = rows(RANDOM, 100), rows(RANDOM, 100, 0.3)
        few = one.copy()
        few[[3, 40, 77]] = other[[3, 40, 77]]
        found = " ".join(said({"a": one, "b": few, "c": other}, units="segments"))
        assert (
            "undecided: 1 pair. So few differing segments cannot give a p-value below alpha = 0.05"
            in found
        )
        assert ": a - b (3). The systems may differ, or may not" in found

    def test_checksums(self):
        """Statistics without a checksum of the references are named."""
        systems, references = corpus(1, 60, "ab")
        counted = {name: BLEU.stats(texts, references) for name, texts in systems.items()}
        with pytest.warns(
            SettingsWarning, match="no checksum of the references of a, b, so nothing"
        ):
            found = compare(SavedStats(counted))
        assert "There is no checksum of the references of a, b" in found.notes[0]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compare(SavedStats(counted, references=references))


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
class TestOnce:
    """Of a call, each note is there once: under several metrics, too."""

    SYSTEMS, REFERENCES = corpus(5, 24, ("one", "two", "three"))

    def test_several_metrics(self):
        """What holds under all metrics names none; what holds under some names them."""
        systems = {**self.SYSTEMS, "same": self.SYSTEMS["one"]}
        metrics = ["bleu", "chrf", "ter"]
        found = compare(systems, self.REFERENCES, metrics=metrics)
        assert len({*found.notes}) == len(found.notes)
        for text in (str(found), found.to_markdown(), found.to_latex(), str(found.paper())):
            for kind in ("Units: ", "With only 24 segments", "the smallest p that this number"):
                assert text.count(kind) <= 1, kind
            assert text.count("Units: 24 segments") == 1
        for each in found.values():
            alone = compare(systems, self.REFERENCES, metrics=each.metric)
            kinds = [note.split(":")[0] for note in alone.notes]
            assert [note.split(":")[0] for note in each.notes] == kinds
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compare(systems, self.REFERENCES, metrics=metrics)
        said = [str(each.message) for each in caught]
        assert sum("with only 24 segments" in each.lower() for each in said) == 1

    def test_dependence(self):
        """Of neighbors that are alike, once: with the smallest and the largest factor."""
        counted = in_documents(1, 40, 8)
        random = np.random.default_rng(1)
        noise = [random.integers(0, 8, len(each)) for each in counted.values()]
        points = [each.to_numpy()[:, 2] for each in counted.values()]
        noisy = dict(zip(counted, np.add(points, noise), strict=True))
        with pytest.warns(SettingsWarning) as caught:
            found = compare(counted, metrics=BLEU, scores={"X": noisy}, units="segments")
        factors = r"should be about \d\.\d–\d\.\d times as wide"
        for notes in (found.notes, *(each.notes for each in found.values())):
            alike = [note for note in notes if note.startswith("Neighboring segments influence sc")]
            assert len(alike) == 1
            assert re.search(factors, alike[0])
        assert len([each for each in caught if "influence scores" in str(each.message)]) == 1

    def test_words_of_commands(self, tmp_path, monkeypatch, capsys):
        """Commands name options, functions name parameters; commands do not warn of notes."""
        monkeypatch.chdir(tmp_path)
        for name, lines in {**self.SYSTEMS, "ref": self.REFERENCES}.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        made = (
            str(compare(self.SYSTEMS, self.REFERENCES)),
            str(compare(self.SYSTEMS, self.REFERENCES).paper()),
            report(self.SYSTEMS, self.REFERENCES).to_html(),
        )
        texts = []
        for words in (
            ["compare", *self.SYSTEMS, "-r", "ref"],
            ["compare", *self.SYSTEMS, "-r", "ref", "--paper"],
            ["report", *self.SYSTEMS, "-r", "ref", "-o", "page.html"],
            ["score", "one", "-r", "ref", "--confidence"],
        ):
            assert main(words) == 0
            out, err = capsys.readouterr()
            # A page is not read here.
            assert ("with only" in err.lower()) == ("page.html" in words)
            texts.append((tmp_path / "page.html").read_text() if "page.html" in words else out)
        for text in texts:
            assert "--units FILE" in text
            assert "units=[" not in text
        for text in made:
            assert "units=[...]" in text
            assert "--units" not in re.sub("<script.*?</script>", "", text, flags=re.DOTALL)
