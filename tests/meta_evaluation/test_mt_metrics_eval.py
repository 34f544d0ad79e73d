"""What mt-metrics-eval computes, and its data."""

import json
import re
from pathlib import Path

import make_meta
import pytest
from make_meta import PAIR, shapes, write_folder
from truebleu import TruebleuError
from truebleu.cli import main
from truebleu.meta import MetaEvaluations, meta_evaluate, read_esa, read_judged_set, read_mqm

pytestmark = pytest.mark.filterwarnings("ignore:with only .* intervals are unreliable")

RECORDED = json.loads(make_meta.GOLDEN.read_text("utf-8"))


def named(table):
    return {f"s{place}": row for place, row in enumerate(table)}


@pytest.mark.parametrize("shape", RECORDED["tables"])
def test_tables(shape):
    """A value differs only where mt-metrics-eval has 0 for what is undefined, and in SPA.

    There, mt-metrics-eval draws 1,000 swaps, and compares different segments where systems have
    different gaps.
    """
    gold, metrics = shapes()[shape]
    for measure, expected in RECORDED["tables"][shape].items():
        if not isinstance(expected, dict) or (measure == "spa" and shape == "equally many"):
            continue
        found = meta_evaluate(
            named(gold),
            scores={name: named(table) for name, table in metrics.items()},
            measures=measure,
            n_resamples=None,
            n_trials=None,
        )[measure]
        close = 0.02 if measure == "spa" else 1e-12
        for name, value in expected.items():
            assert (found[name].value or 0.0) == pytest.approx(value, abs=close), (measure, name)


@pytest.mark.parametrize("case", RECORDED["folders"])
def test_folders(tmp_path, case):
    """What is read from its data folders has the same numbers."""
    shape, _, domain = case.partition(" ")
    write_folder(tmp_path, *shapes()[shape])
    judged = read_judged_set(
        *(tmp_path, PAIR), gold="mqm", reference="refA", domain=domain or None, without=["s1"]
    )
    assert set(judged.gold) == {"refB", *named(shapes()[shape][0])} - {"s1"}
    expected = RECORDED["folders"][case]
    assert set(judged.scores) == set(expected) == {"A", "B", "C[noref]"}
    found = judged.evaluate(
        measures=["pearson", "kendall:item", "acc-eq", "system-pearson", "pairwise-accuracy"],
        n_trials=None,
        n_resamples=20,
    )
    for name, values in expected.items():
        assert values.pop("judged") == found.judged
        for measure, value in values.items():
            assert found[measure][name].value == pytest.approx(value, abs=1e-12), measure
    # There is nothing to resample in files of systems.
    assert found["system-pearson"]["A"].interval is None
    assert found["pearson"]["A"].interval is not None


def _other(path):
    path.unlink()
    path.mkdir()


def _alone(path):
    path.write_text("1\n2\n")


class TestFolders:
    """Choices, and what is wrong."""

    @pytest.fixture
    def folder(self, tmp_path):
        write_folder(tmp_path, *shapes()["plain"])
        return tmp_path

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"reference": "refA"}, "choose gold= from esa, mqm"),
            ({"gold": "mqm"}, "choose reference= from refA, refB"),
            ({"gold": "da", "reference": "refA"}, "no gold 'da'; it has esa, mqm"),
            (
                {"gold": "mqm", "reference": "refA", "domain": "x"},
                "no domain 'x'; it has news, talk",
            ),
            ({"gold": "mqm", "reference": "refA", "without": ["x"]}, "no system 'x'"),
            (
                {"pair": "ja-zh"},
                "has no gold of ja-zh: human-scores/ja-zh.NAME.seg.score is needed",
            ),
        ],
    )
    def test_choices(self, folder, options, message):
        """An error names what there is to choose from."""
        with pytest.raises(TruebleuError, match=re.escape(message)):
            read_judged_set(folder, options.pop("pair", PAIR), **options)

    def test_metrics_that_are_left_out(self, folder):
        """A metric without some of the scores is left out, and it is said why."""
        metrics = folder / "metric-scores" / PAIR
        (metrics / "B-refA.seg.score").unlink()
        path = metrics / "A-refA.seg.score"
        path.write_text(path.read_text().replace("s3\t", "s9\t"))
        judged = read_judged_set(folder, PAIR, gold="mqm", reference="refA")
        assert list(judged.scores) == list(judged.system_scores) == ["C[noref]"]
        assert judged.left_out == {
            "A": f"{path} has 0 scores of s3 for 12 segments",
            "B": "it has no scores of segments",
        }

    @pytest.mark.parametrize(
        ("file", "change", "message"),
        [
            ("system-outputs/PAIR/s2.txt", Path.unlink, "has no file of s2, which people judged"),
            ("metric-scores/PAIR/A-refA.seg.score", _other, "is not a regular file: remove it"),
            ("human-scores/PAIR.mqm.sys.score", _alone, "has scores alone; the name of a system"),
            ("references/PAIR.refA.txt~", _alone, None),
        ],
    )
    def test_odd_files(self, folder, file, change, message):
        """Files that are missing, endless or without names."""
        change(folder / file.replace("PAIR", PAIR))
        how = {"gold": "mqm", "reference": "refA", "texts": message is not None}
        if message is None:
            assert read_judged_set(folder, PAIR, **how).gold
            how |= {"reference": None}
            message = "choose reference= from refA, refB"
        with pytest.raises(TruebleuError, match=re.escape(message)):
            read_judged_set(folder, PAIR, **how)

    def test_the_command(self, folder, capsys, tmp_path):
        """A folder, with metrics that are computed here, and several language pairs."""
        words = f"meta {folder} -l {PAIR} --human mqm -r refA --measures acc pairwise-accuracy"
        few = "--n-trials 20 --n-resamples 20 -f json"
        assert main([*words.split(), *few.split(), "-m", "bleu"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert set(found["rankings"]["acc"]["metrics"]) == {"A", "B", "C[noref]", "BLEU"}
        for path in [*folder.rglob(f"{PAIR}*"), *folder.rglob(PAIR)]:
            if path.exists():
                path.rename(path.with_name(path.name.replace(PAIR, "de-en")))
        write_folder(folder, *shapes()["ties"])
        assert main([*words.split(), "de-en", "--n-trials", "20", "--n-resamples", "20"]) == 2
        assert main([*words.replace(PAIR, f"{PAIR} de-en").split(), *few.split()]) == 0
        out = json.loads(capsys.readouterr().out)
        assert set(out["evaluations"]) == {PAIR, "de-en"}
        assert main(["meta", str(folder)]) == 2
        assert "-l PAIR is needed" in capsys.readouterr().err


def test_sets():
    """Ranks are averaged over all sets and measures, of metrics that are in all."""
    found = {}
    for name in ("plain", "many"):
        gold, metrics = shapes()[name]
        scores = {each: named(table) for each, table in metrics.items()}
        if name == "many":
            del scores["A"]
        found[name] = meta_evaluate(
            named(gold), scores=scores, measures=["acc", "pearson"], n_trials=50, n_resamples=None
        )
    both = MetaEvaluations(evaluations=found)
    ranks = [ranking["C"].rank for each in found.values() for ranking in each.rankings.values()]
    assert both.average_ranks()["C"] == sum(ranks) / 4
    assert set(both.average_ranks()) == {"B", "C"}
    assert "many pearson" in both.to_markdown()
    assert "many: pairs of metrics" in str(both)


def test_mqm(tmp_path):
    """Penalties are added for each rater, averaged, and negated."""
    path = tmp_path / "mqm.tsv"
    rows = [
        "system doc doc_id rater source target category severity",
        "X d1 1 r1 s t Accuracy/Mistranslation Major",
        "X d1 1 r1 s t Fluency/Punctuation Minor",
        "X d1 1 r2 s t No-error no-error",
        "X d1 2 r1 s t Non-translation! Major",
        "Y d1 1 r1 s t Style/Awkward Minor",
        'Y d2 1 r1 s "t Other Neutral',
    ]
    path.write_text("".join(f"{row}\n" for row in rows).replace(" ", "\t"))
    judged = read_mqm(path)
    assert judged.gold == {"X": [-2.55, -25.0, None], "Y": [-1.0, None, 0.0]}
    assert judged.documents == ("d1", "d1", "d2")
    assert read_mqm(path, weights={"Minor": 2}).gold["X"] == [-1.0, 0.0, None]
    for text, message in (
        ("", "has no annotations"),
        ("a\tb\nc\td\n", "has no column system, doc, doc_id, rater, category, severity"),
        (path.read_text() + "X\td\n", "line 8: 8 columns are needed"),
        (path.read_text().replace("\t2\t", f"\t{'2' * 5000}\t"), "line 5: 8 columns are needed"),
        ("x" * 9999 + "\na\n", "it has x{196} ...$"),
    ):
        path.write_text(text)
        with pytest.raises(TruebleuError, match=message):
            read_mqm(path)
    # Texts are needed to find the reference among the systems only.
    path.write_text(
        f"{rows[0]}\nX d 1 r Other Minor\n".replace("source target ", "").replace(" ", "\t")
    )
    assert read_mqm(path).gold == {"X": [-1.0]}


def esa_files(folder):
    """Write the same scores as WMT24 publishes them, and as Appraise exports them."""
    rows = [
        # Annotator, system, segment, kind, score, document.
        ("r1", "X", 7, "TGT", 80, "d2"),
        ("r1", "Y", 7, "TGT", 60, "d2"),
        ("r2", "X", 3, "TGT", 100, "d1"),
        ("r3", "X", 3, "TGT", 95, "d1"),
        ("r2", "X", 12, "TGT", 0, "d2"),
        ("r2", "Y", 12, "TGT", 10.5, "d2"),
    ]
    objects = [
        {
            "langs": "en-cs",
            "line_id": place,
            "src": "s",
            "tgt": f"{system} {place}",
            "esa_spans": [],
        }
        | {"doc_id": document, "esa_score": score, "system": system, "annotator": annotator}
        for annotator, system, place, _, score, document in rows
    ]
    objects.append(objects[0] | {"langs": "en-ja"})
    (folder / "esa.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in objects))
    controls = [
        ("r1", "X", 7, "BAD", 0, "d2#bad"),
        ("r1", "X", 3, "TGT", 0, "d1#dup"),
        ("r1", "Z", 1000001, "TGT", 0, "ende-tutorial1"),
        ("r1", "Y", 3, "TGT", 1, "d1#incomplete"),
    ]
    spans = '"[{""start_i"":0,""end_i"":""missing"",""severity"":""minor""}]"'
    (folder / "esa.csv").write_text(
        "".join(
            f"{annotator},{system},{place},{kind},eng,ces,{score},{document},False,{spans},1.5,2\n"
            for annotator, system, place, kind, score, document in controls + rows
        )
    )


def test_esa(tmp_path, capsys):
    """Scores of an output are averaged; segments are in the order of their numbers."""
    esa_files(tmp_path)
    objects, table = tmp_path / "esa.jsonl", tmp_path / "esa.csv"
    judged = read_esa(table)
    assert judged.gold == {"X": [97.5, 80.0, 0.0], "Y": [None, 60.0, 10.5]}
    assert judged.documents == ("d1", "d2", "d2")
    assert read_esa(objects, "en-cs") == judged == read_esa(table, "eng-ces")
    assert read_esa(objects, "en-ja").gold == {"X": [80.0]}
    scores = tmp_path / "scores"
    scores.write_text("".join(f"{name}\t{score}\n" for name in "XY" for score in (3, 2, 1)))
    words = f"meta {objects} A={scores} --measures acc --n-resamples 9 -f json"
    assert main([*words.split(), "-l", "en-cs"]) == 0
    [ranking] = json.loads(capsys.readouterr().out)["rankings"].values()
    assert ranking["metrics"]["A"]["value"] == 0.0
    text = objects.read_text().replace("en-ja", "en-cs")
    text += text.splitlines()[0].replace('"X"', '"Y"').replace("7", "3").replace("d2", "d1")
    objects.write_text(text)
    assert read_esa(objects, reference="Y").systems == {"X": ["X 3", "X 7", "X 12"]}
    assert read_esa(objects, reference="Y").references == ["X 3", "Y 7", "Y 12"]
    for change, how, message in (
        (("", ""), {"pair": "en-de"}, "no language pair 'en-de'; it has en-cs"),
        (("", ""), {"reference": "Z"}, "no system 'Z'"),
        (("en-cs", "en-ja", 1), {}, "choose pair= from en-ja, en-cs"),
        (('"line_id": 7', '"line_id": -7'), {}, "line 1: a system, a segment"),
        (('"esa_score": 80', '"esa_score": NaN'), {}, "line 1: a system, a segment"),
        (('"esa_score": 80', '"esa_score": true'), {}, "line 1: a system, a segment"),
        (('"system": "X"', '"system": ""'), {}, "line 1: a system, a segment"),
        (('"esa_score": 80', f'"esa_score": 8{"0" * 400}'), {}, "line 1: a system, a segment"),
        (("doc_id", "document"), {}, "line 1 has no doc_id"),
        (("}", ""), {}, "line 1 is not well-formed JSON"),
        (("{", "r1,X,"), {}, "line 1: a JSON object or the columns of Appraise are needed"),
        ((text, ""), {}, "has no annotations"),
    ):
        objects.write_text(text.replace(*change))
        with pytest.raises(TruebleuError, match=re.escape(message)):
            read_esa(objects, **how)
    assert main(f"meta {table} -m bleu".split()) == 2
    assert "-m needs -r" in capsys.readouterr().err
