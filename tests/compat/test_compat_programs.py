"""Calls of sacreBLEU as programs make them whose own code tests/clients does not run."""

import pickle

import numpy as np
import pytest
import sacrebleu as original
from project import ROOT
from truebleu import LengthMismatchError, SettingsWarning
from truebleu.compat import faithful, install

EXAMPLES = ROOT / "examples"


def test_sums_that_are_floats():
    """Lengths may be floats, which sacreBLEU computes with, but cannot print."""
    counts, totals = [5, 3, 2, 1], [8, 7, 6, 5]
    expected = original.BLEU.compute_bleu(counts, totals, 8, 9)
    with install("sacrebleu"):
        import sacrebleu

        compute = sacrebleu.compute_bleu
        assert compute is sacrebleu.BLEU.compute_bleu
        # fairseq looks for the name of this argument.
        assert "smooth_method" in compute.__code__.co_varnames[: compute.__code__.co_argcount]
        for kind in (float, np.float64, np.int32, np.int64):
            score = compute(
                correct=list(map(kind, counts)),
                total=np.array(totals, kind),
                sys_len=kind(8),
                ref_len=kind(9),
                smooth_method="none",
            )
            assert score.score == expected.score
            assert str(score) == str(expected)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_metrics_are_sent_to_processes(name):
    """As by mbrs, which scores sentences in those of a pool."""
    with install("sacrebleu"):
        import sacrebleu

        metric = getattr(sacrebleu, name)()
        score = pickle.loads(pickle.dumps(metric.sentence_score))("a b c d x", ["a b c d e"])
    expected = getattr(original, name)().sentence_score("a b c d x", ["a b c d e"])
    assert score.score == expected.score


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
