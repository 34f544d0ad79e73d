"""Why two scores of the same texts differ: the steps add up to the difference."""

import json
import math
import re

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT
from truebleu import (
    Bleu,
    Chrf,
    SettingsError,
    Ter,
    _core,
    audit,
    corpus_bleu,
    corpus_ter,
    decompose,
    read_lines,
)
from truebleu.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

FOR_CORPORA = tuple(
    name for name in _core.SMOOTHINGS if name not in ("method5", "method6", "method7")
)
NATIVE = ("13a", "intl", "char", "none")
METRICS = st.sampled_from(["bleu", "chrf", "ter"])
DRAWN = {
    "bleu": strategies.bleu_settings(NATIVE, FOR_CORPORA).map(lambda chosen: Bleu(**chosen)),
    "chrf": strategies.chrf_settings().map(lambda chosen: Chrf(**chosen)),
    "ter": strategies.ter_settings.map(lambda chosen: Ter(**chosen)),
}

TEXTS, FIRST, SECOND = (
    read_lines(ROOT / "examples" / f"{name}.en")
    for name in ("system-medium", "reference-a", "reference-b")
)
GIVEN = TEXTS, [list(several) for several in zip(FIRST, SECOND, strict=True)]


def printed(found):
    """Return the points of each step, as the sentences have them."""
    lines = [re.fullmatch(r".+?: ([+-]?\d+\.\d\d)\..*", line) for line in found.sentences()[1:]]
    return [float(line[1]) for line in lines if line]


@settings(max_examples=60)
@given(corpus=strategies.corpora(max_references=3), data=st.data())
def test_steps_add_up(corpus, data):
    """Whatever settings differ, the last step leads to the other score."""
    kind = data.draw(METRICS)
    one, other = (data.draw(DRAWN[kind]).corpus(*corpus) for _ in range(2))
    found = decompose(one, other, corpus)
    assert found.delta == one.score - other.score
    assert math.fsum(part.share for part in found.parts) == pytest.approx(found.delta, abs=1e-9)
    gap = round(one.score, 2) - round(other.score, 2)
    assert sum(printed(found)) == pytest.approx(gap if found.parts else 0, abs=1e-9)
    assert decompose(one, one, corpus).parts == ()


def test_settings_and_dialects():
    """Each setting is a step, whether it is of a score or of a tool."""
    how = {"lowercase": True, "unicode_form": "NFC", "max_order": 8, "weights": [0.125] * 8}
    found = decompose(audit(*GIVEN)["nltk"], corpus_bleu(*GIVEN, **how), GIVEN)
    names = ["tokenizer", "unicode_form", "lowercase", "smoothing", "phantom_ngrams", "orders"]
    assert [part.name for part in found.parts] == names
    said = "nltk gives 0.2729, which is 27.29: 13.57 more than the second, 13.72."
    assert found.sentences()[0].startswith(said)
    one, other = (corpus_ter(*GIVEN, normalized=each) for each in (True, False))
    [part] = decompose(one, other, GIVEN).parts
    assert (part.name, part.share) == ("normalized", one.score - other.score)
    with pytest.raises(SettingsError, match="the texts give"):
        decompose(one, corpus_ter(TEXTS, FIRST), GIVEN)


def test_in_the_command(capsys):
    """Signatures and tools are those of the library."""
    one, other = Bleu(lowercase=True).corpus(*GIVEN), audit(*GIVEN)["nltk"]
    expected = decompose(one, other, GIVEN)
    files = [str(ROOT / "examples" / f"reference-{name}.en") for name in "ab"]
    arguments = ["audit", str(ROOT / "examples" / "system-medium.en"), "-r", *files]
    arguments += ["--explain", one.signature, "nltk"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{expected}\n"
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"] == expected.to_dict()["parts"]
