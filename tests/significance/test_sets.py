"""Several test sets: the average over them is tested, and single sets are described."""

import json
import re

import numpy as np
import pytest
import scipy.stats
from test_runs import REFERENCES, output
from truebleu import InputTypeError, SettingsError, TruebleuError, compare, compare_sets
from truebleu.cli import main

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]


def corpora(*gaps):
    """Return test sets on which the first system is better by these shares of segments."""
    return {
        f"set{number}": (
            {"new": output(number, 0.3), "old": output(50 + number, 0.3 + gap)},
            REFERENCES,
        )
        for number, gap in enumerate(gaps)
    }


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_sets_and_average(metric):
    """Scores and intervals of sets are those of `compare`; the average weighs sets alike."""
    sets = corpora(0.1, 0.2, 0.05)
    found = compare_sets(sets, metrics=metric, margin=2)
    pairs = []
    for name, each in found.items():
        alone = compare(*sets[name], metrics=metric)
        pairs += alone.pairs
        assert {n: system.score for n, system in each.systems.items()} == {
            n: system.score for n, system in alone.systems.items()
        }
        assert (each.pairs, each.clusters, each.rank_ranges) == ((), None, None)
        for system, other in zip(each.systems.values(), alone.systems.values(), strict=True):
            assert system.interval.error == pytest.approx(other.interval.error, rel=0.05)
    pair = found.average.pairs[0]
    assert found.average.n_tests == 1
    assert pair.delta == pytest.approx(np.mean([each.delta for each in pairs]))
    errors = [each.interval.error for each in pairs]
    assert pair.interval.error == pytest.approx(np.hypot.reduce(errors) / 3, rel=0.05)
    sign = 1 if metric == "bleu" else -1
    assert pair.p_not_worse == pytest.approx(
        scipy.stats.norm.sf((2 + sign * pair.delta) / pair.interval.error), abs=0.02
    )


def test_against_scipy():
    """Of segment scores, the test is a permutation test of the mean of means, within sets."""
    import truebleu

    random = np.random.default_rng(5)
    metric = truebleu.metrics.segment_scores.SegmentScores("points")
    points = {size: random.normal(0.15, 1, (2, size)) for size in (60, 90)}
    sets = {
        str(size): ({n: metric.from_scores(x) for n, x in zip("ab", each, strict=True)}, None)
        for size, each in points.items()
    }
    found = compare_sets(sets, metrics=metric)
    gaps = np.concatenate([(each[0] - each[1]) / each.shape[1] for each in points.values()])
    expected = scipy.stats.permutation_test(
        (gaps,), lambda x, axis: abs(x.sum(axis=axis)), permutation_type="samples",
        n_resamples=20_000, alternative="greater", vectorized=True, rng=1,
    )  # fmt: skip
    assert found.average.pairs[0].p_value == pytest.approx(expected.pvalue, abs=0.015)


def test_samples_of_sets_differ():
    """Sets of one size are not resampled alike: their differences would add up."""
    sets = dict.fromkeys("xy", corpora(0.0)["set0"])
    alone = compare(*sets["x"]).pairs[0]
    pair = compare_sets(sets).average.pairs[0]
    assert pair.interval.error == pytest.approx(alone.interval.error / 2**0.5, rel=0.1)
    gap = alone.delta / alone.interval.error * 2**0.5
    assert pair.p_value == pytest.approx(2 * scipy.stats.norm.sf(abs(gap)), abs=0.03)


def test_equal_systems():
    """Nothing differs on average."""
    sets = {name: ({"a": x["new"], "b": x["new"]}, y) for name, (x, y) in corpora(0, 0).items()}
    assert compare_sets(sets).average.pairs[0].p_value == 1


def test_units():
    """Each set has its own: those that its data ask for, or the IDs that are given for it."""
    sets = corpora(0.1, 0.2)
    documents = {"set0": [index // 4 for index in range(80)]}
    found = compare_sets(sets, units=documents, n_resamples=100)
    assert [each.units for each in found.values()] == ["documents", "segments"]
    assert found.average.units == "documents and segments within sets"
    assert [re.split("[,;]", note)[0] for note in found.notes if "Units" in note] == [
        "set0: Units: 20 documents",
        "set1: Units: 80 segments",
    ]
    with pytest.raises(TruebleuError, match="there are units of 'x', but the sets are set0, set1"):
        compare_sets(sets, units={"x": []})
    with pytest.raises(TruebleuError, match="set1: units has 1 ID for 80 segments"):
        compare_sets(sets, units={"set1": ["d"]})


def test_outputs():
    """Every format has a row for each set and one for the average; only that has p-values."""
    found = compare_sets(corpora(0.2, 0.3, -0.1), n_resamples=100)
    for text in (str(found), found.to_markdown(), found.to_latex(), found.to_csv()):
        assert all(name in text for name in ("set0", "set1", "average"))
    for text in (str(found), found.to_markdown(), found.to_html()):
        assert "only it is tested" in text
        assert len(re.findall(r"\bp adjusted\b", text)) == 1
        assert "cluster" not in text.partition("set0)")[2].partition("notes")[0]
    values = json.loads(json.dumps(found.to_dict()))
    assert all(each["pairs"] == [] for each in values["comparisons"].values())
    assert len(values["average"]["pairs"]) == 1
    assert found.paper().to_csv().startswith("system,set0,")
    assert "Holm" not in found.paper().methods
    [pair] = found.average._shown_pairs()
    ahead = sum(
        each.systems[pair.one].score.score > each.systems[pair.other].score.score
        for each in found.values()
    )
    page = found.to_html()
    assert '<p class="lead">On average over 3 test sets: ' in page
    assert f"{pair.one} has the better score on {ahead} of them." in page
    # Each set by itself opens by a click.
    opened = re.findall("<summary>(.*?) [(](set.)", page)
    assert [each for each in opened if each[0] == "Systems"] == [
        ("Systems", name) for name in found
    ]


@pytest.mark.parametrize(
    ("sets", "error", "message"),
    [
        (
            {**corpora(0.1), "y": ({"b": REFERENCES}, REFERENCES)},
            TruebleuError,
            "y has the systems",
        ),
        ({"average": corpora(0.1)["set0"]}, SettingsError, "a set is called average"),
        ({"x": REFERENCES}, InputTypeError, "the set 'x' is .*; a pair of systems and references"),
        ({}, TruebleuError, "there is no set to compare"),
        ([1], InputTypeError, "a dict is needed, such as"),
    ],
)
def test_refused(sets, error, message):
    """What is no test sets of the same systems is named."""
    with pytest.raises(error, match=message):
        compare_sets(sets)


def test_command(tmp_path, capsys):
    """``--sets`` says what the function says, and its gate looks at the average."""
    folders = [tmp_path / name for name in ("x", "y")]
    for folder, (systems, references) in zip(folders, corpora(0.2, -0.1).values(), strict=True):
        folder.mkdir()
        for name, texts in {**systems, "ref": references}.items():
            (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    paths = [f"{tmp_path}/{{set}}/{name}.txt" for name in ("new", "old")]
    given = ["compare", *paths, "-r", f"{tmp_path}/{{set}}/ref.txt", "--sets", "x", "y"]
    assert main(given) == 0
    found = compare_sets(dict(zip("xy", corpora(0.2, -0.1).values(), strict=True)))
    expected = str(found).replace("units=[...]", "--units FILE")
    assert capsys.readouterr().out == expected + "\n"
    [pair] = found.average.pairs
    assert pair.delta > 0
    gate = ["--baseline", "old.txt", "--fail-if", "worse"]
    assert main([*given, *gate]) == 0
    assert main([*given, "--baseline", "new.txt", "--fail-if", "worse"]) == 1


def test_units_of_all_sets_are_signed():
    """Sets may have other units: the average names all of them, and a signature has them."""
    documents = [index // 4 for index in range(len(REFERENCES))]
    sets = corpora(0.1, 0.2)
    found = compare_sets(sets, units={"set0": documents, "set1": documents[::-1]}).average
    assert (found.units, "|units:documents|" in found.signature) == (
        "documents within sets",
        True,
    )
    mixed = compare_sets(sets, units={"set0": documents}).average
    kinds = f"documents and {compare(*sets['set1']).units}"
    assert mixed.units == f"{kinds} within sets"
    assert "|units:documents+" in mixed.signature
