"""Every benchmark runs once, on little data, and asserts its answers."""

from shutil import which

import pytest
from project import ROOT

pytest.importorskip("bleuscore")
definitions = pytest.importorskip("benchmarks.definitions")

from benchmarks import chart, floors  # noqa: E402
from benchmarks.measure import Result  # noqa: E402
from benchmarks.run import published  # noqa: E402  # It needs bleuscore, too.

SYSTEMS = sorted((ROOT / "examples").glob("system-*.en"))
REFERENCE = ROOT / "examples" / "reference-a.en"


def check(results):
    """Check that results have a name, our figure, a finite figure, and a known kind of floor."""
    results = list(results)
    assert results
    for result in results:
        assert result.name
        assert result.ours
        assert 0 < abs(result.figure) < float("inf")
        assert result.kind in {"", *floors.MARGINS}
    return results


def test_corpus_answers_agree():
    """The three tools give one score before any is timed."""
    levels = definitions.kernel.available()
    assert len(check(definitions.corpus(SYSTEMS, REFERENCE, 1))) == 3 + len(levels)


def test_sentence_answers_agree():
    """One call a sentence, one call for all, and both peers."""
    assert len(check(definitions.sentences(SYSTEMS[1], REFERENCE, 1))) == 3


def test_accelerated_packages_agree():
    """Other packages give one score by themselves and accelerated, and without evaluate."""
    assert len(check(definitions.compat.accelerated(SYSTEMS, REFERENCE, 1))) == 5 + 4


def test_ids_agree():
    """Ids and words give one score."""
    assert len(check(definitions.many.ids(SYSTEMS[1], REFERENCE, 1))) == 1


@pytest.mark.slow
def test_many_agree():
    """Matrices and Self-BLEU are those of sacreBLEU and of fast-bleu."""
    pytest.importorskip("fast_bleu")
    assert len(check(definitions.many.matrix(SYSTEMS, REFERENCE, 1, size=60))) == 2
    assert len(check(definitions.many.diversity(SYSTEMS * 9, 1, largest=2000))) == 2


def test_chrf_agrees():
    """Scores of chrF and chrF++ are sacreBLEU's."""
    assert len(check(definitions.chrf_ter.chrf(SYSTEMS, REFERENCE, 1))) == 2


def test_long_texts_agree():
    """Documents have sacreBLEU's score; words of long texts, and memory, are only measured."""
    long_texts = definitions.long_texts
    assert len(check(long_texts.documents(SYSTEMS[1], REFERENCE, 1))) == 1
    assert len(check(long_texts.words(1, longest=1000))) == 3
    assert len(check(long_texts.memory(1 << 16))) == 3


@pytest.mark.slow
def test_matrices_of_chrf_agree():
    """They are fastchrf's as far as its precision goes."""
    pytest.importorskip("fastchrf")
    assert len(check(definitions.chrf_ter.matrix(SYSTEMS, REFERENCE, 1, size=60))) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*full-width letters or digits")
def test_tokenizers_agree():
    """Every tokenizer that is timed gives sacreBLEU's score; of the peers there is one run."""
    if not definitions.data.wmt_folder().is_dir():
        pytest.skip("there are no system outputs; TRUEBLEU_DATA names the folder they are in")
    assert len(check(definitions.tokenizers(1, pairs=100))) == 5
    assert len(check(definitions.libraries(1))) == 3


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore:200 trials are too few:truebleu.SettingsWarning")
@pytest.mark.filterwarnings("ignore:with only 23 blocks:truebleu.SmallSampleWarning")
def test_significance_agrees():
    """Every TER, p-value and interval is sacreBLEU's before it is timed; memory is measured."""
    if not definitions.data.wmt_folder().is_dir():
        pytest.skip("there are no system outputs; TRUEBLEU_DATA names the folder they are in")
    assert check([definitions.chrf_ter.ter("newstest2021", "en-de", 1, pairs=50)])
    assert len(check(definitions.chrf_ter.compared(1, samples=200))) == 2
    assert len(check(definitions.significance.paired(1, trials=1000))) == 2
    assert len(check(definitions.significance.many(4, 300))) == 2
    assert len(check(definitions.significance.size(definitions.tool("truebleu"), 1, 10_000))) == 2


@pytest.mark.slow
def test_meta_evaluation_runs():
    """The table of a metrics task; mt-metrics-eval is compared if there is a copy of it."""
    assert [*definitions.meta.task(4, 30, 2)]
    assert all(each.figure > 0 for each in definitions.meta.against_original(1, 4, 20))


def test_reports_are_written():
    """The page has every score before it is timed."""
    truebleu = definitions.tool("truebleu")
    assert check(definitions.report.written(truebleu, SYSTEMS, REFERENCE, 1))


@pytest.mark.slow
@pytest.mark.skipif(which("node") is None, reason="there is no Node")
def test_javascript_agrees():
    """Node gives sacreBLEU's scores before it is timed."""
    assert len(check(definitions.javascript.everything(SYSTEMS, REFERENCE, 1, pairs=60))) == 6


@pytest.mark.slow
def test_whole_processes_run():
    """The commands end well, and memory is measured."""
    results = check(definitions.files(SYSTEMS, REFERENCE, 1, size=10**6))
    assert len(results) == 3
    assert len(check(definitions.start_up(1))) == 4


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore")  # Those of PySpark.
def test_engines_agree():
    """Every engine gives the score of the lists before any is timed."""
    engines = definitions.engines
    assert len(check(engines.arrow(SYSTEMS, REFERENCE, 1))) == 1
    assert len(check(engines.tables(SYSTEMS, REFERENCE, 1, pairs=500))) == 7
    command = definitions.tool("truebleu")
    assert len(check(engines.memory(command, SYSTEMS, REFERENCE, 10**6))) == 1
    assert len(check(engines.together(SYSTEMS, REFERENCE, 1, pairs=500))) == 1
    assert len(check(engines.driver(2_000))) == 1


def test_the_chart_and_the_table():
    """The chart of the README and the table of the page are what the last record gives."""
    date, rows = chart.last_record()
    assert chart.PLACE.read_text("utf-8") == chart.draw(date, rows)
    assert "(docs/images/speed.svg)" in (ROOT / "README.md").read_text("utf-8")
    shown = published((name, *row[:2], float(row[2])) for name, row in list(rows.items())[1:])
    assert shown in (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert shown.count("\n") > 30


def test_floors():
    """They are those of the records that they name, and what is worse is told."""
    known = floors.read()
    assert known
    for name, each in known.items():
        assert each.kind in floors.MARGINS
        assert bool(each.floor) == bool(each.records)
        if not each.floor:
            assert each.note
            continue
        assert each == floors.floor(name, each.kind, each.records.split(), each.note)
        bound = float(each.floor)
        for figure in (0.99 * bound, 1.01 * bound):
            result = Result(name, "1 s", "", figure, each.kind)
            assert floors.falls(result, known) == ((figure < bound) == (each.kind == "more"))
    assert not floors.falls(Result("another figure", "1 s", "", 0.0, "more"), known)
