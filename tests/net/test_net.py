"""The net under all numbers: every difference from the record is found, unless it is intended."""

import lzma

import pytest

from net import cases, run, texts

OLD = {"BLEU | made | corpus | score": "0x1p+0", "BLEU | shared, wmt | corpus | row": "1,2"}


@pytest.fixture
def cast(monkeypatch, tmp_path, capsys):
    """Return what compares answers with OLD, given the lines of intended.tsv."""
    monkeypatch.setattr(run, "RECORD", tmp_path)
    monkeypatch.setattr(run, "INTENDED", tmp_path / "intended.tsv")
    monkeypatch.setattr(run, "parts", lambda: ["scores"])
    lines = "".join(f"{name}\t{value}\n" for name, value in OLD.items())
    (tmp_path / "scores.tsv.xz").write_bytes(lzma.compress(f"# made with\n{lines}".encode()))

    def compared(answers, *intended):
        (tmp_path / "intended.tsv").write_text("\n".join(["# comment", *intended]))
        monkeypatch.setattr(run.calls, "answers", lambda _: answers.items())
        return run.compare(), capsys.readouterr().out

    return compared


@pytest.mark.parametrize(
    ("answers", "intended", "code"),
    [
        (OLD, [], 0),
        (OLD | {"BLEU | made | corpus | score": "0x1p+1"}, [], 1),
        (OLD | {"BLEU | made | corpus | score": "0x1p+1"}, ["*score\t0x1p+1\tmended"], 0),
        (OLD | {"BLEU | made | corpus | score": "0x1p+1"}, ["*score\t0x1p+2\tmended"], 1),
        (OLD | {"BLEU | made | corpus | score": "0x1p+1"}, ["*score\tgone\tremoved"], 1),
        ({"BLEU | made | corpus | score": "0x1p+0"}, [], 1),
        ({"BLEU | made | corpus | score": "0x1p+0"}, ["BLEU | shared*\tgone\tremoved"], 0),
        (OLD | {"BLEU | made | corpus | error": "TypeError"}, [], 1),
        (OLD, ["*score\t0x1p+1\tmended"], 1),
        (OLD, ["TER*\tgone\tremoved"], 1),
    ],
)
def test_a_difference_must_be_intended_and_an_intention_must_differ(
    cast, monkeypatch, tmp_path, answers, intended, code
):
    """A value that moves, goes or comes without its row fails, and so does a row without one."""
    monkeypatch.setattr(texts, "SHARED", tmp_path)
    assert cast(answers, *intended)[0] == code


def test_corpora_that_are_not_here_are_skipped_and_counted(cast, monkeypatch, tmp_path):
    """Without the data of shared tasks their values are skipped, which the last line says."""
    monkeypatch.setattr(texts, "SHARED", tmp_path / "absent")
    made = {name: value for name, value in OLD.items() if "shared" not in name}
    code, printed = cast(made, "BLEU | shared*\tgone\tremoved")
    assert code == 0
    assert "1 values skipped" in printed


def test_an_intention_says_why(cast):
    """A row without a reason, or without three columns, ends the comparison."""
    for row in ("*score\t0x1p+1\t ", "*score\t0x1p+1"):
        with pytest.raises(SystemExit, match=r"intended\.tsv"):
            cast(OLD, row)


def test_a_record_is_never_edited(monkeypatch, tmp_path):
    """A part that has a record does not get another."""
    monkeypatch.setattr(run, "RECORD", tmp_path)
    (tmp_path / "scores.tsv.xz").write_bytes(b"")
    with pytest.raises(SystemExit, match="never edited"):
        run.record("scores")


def test_names_are_unique_and_corpora_known():
    """Each case has a name of its own, and asks about texts that exist."""
    found = list(cases.cases())
    assert len({case.name for case in found}) == len(found) > 5000
    assert all(case.data in texts.CORPORA for case in found if case.question in cases.WAYS)


def test_texts_come_from_the_generator_alone():
    """The same 2,000 texts on every machine: SplitMix64's published numbers, and a digest."""
    draws = texts.Draws(1234567)
    assert [draws.below(2**64) for _ in range(2)] == [6457827717110365317, 3203168211198807973]
    hypotheses, references = texts.made()
    assert len(hypotheses) + sum(map(len, references)) == 2000
    assert all("\n" not in text for text in hypotheses)
