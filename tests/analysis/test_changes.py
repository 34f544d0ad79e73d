"""Why any two scores differ: what was changed is found, and the steps add up to the difference."""

import json
import math
import random
import re
import string

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT
from truebleu import (
    Bleu,
    Chrf,
    Ter,
    _core,
    audit,
    corpus_bleu,
    corpus_ter,
    decompose,
    read_lines,
    tokenize,
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

TEXTS, WEAK, FIRST, SECOND = (
    read_lines(ROOT / "examples" / f"{name}.en")
    for name in ("system-medium", "system-weak", "reference-a", "reference-b")
)
ONE = [[text] for text in FIRST]
TWO = [list(several) for several in zip(FIRST, SECOND, strict=True)]
GIVEN = TEXTS, ONE
NEWER = [*FIRST[:20], *(text.replace("the ", "this ") for text in FIRST[20:30]), *FIRST[30:]]


def without_punctuation(text):
    return text.translate(str.maketrans("", "", string.punctuation))


# For each kind of change, the corpus after it, and the steps from the one before.
KINDS = {
    "a reference added": ((TEXTS, TWO), ["references 2 instead of 1"]),
    "references exchanged": (
        (TEXTS, SECOND),
        ["reference 1 changed in 68 of 72 segments"],
    ),
    "lower-cased": (
        ([text.lower() for text in TEXTS], [text.lower() for text in FIRST]),
        ["hypotheses lower-cased", "reference 1 lower-cased"],
    ),
    "tokenized": (
        ([" ".join(tokenize(text)) for text in TEXTS], ONE),
        ["hypotheses tokenized by 13a"],
    ),
    "both": (
        ([without_punctuation(text).lower() for text in TEXTS], ONE),
        ["hypotheses lower-cased, without punctuation"],
    ),
    "references without punctuation": (
        (TEXTS, list(map(without_punctuation, FIRST))),
        ["reference 1 without punctuation"],
    ),
    "fewer segments": ((TEXTS[9:], ONE[9:]), ["segments 63 instead of 72"]),
    "another version": ((TEXTS, NEWER), ["reference 1 changed in 4 of 72 segments"]),
    "another system": ((WEAK, ONE), ["hypotheses changed in 71 of 72 segments"]),
    "both others": (
        (WEAK, SECOND),
        ["hypotheses changed in 71 of 72 segments", "reference 1 changed in 68 of 72 segments"],
    ),
    "nothing": (GIVEN, []),
}


def steps(found):
    """Return what the sentences say was changed, and the points that they print."""
    lines = [re.fullmatch(r"(.+?): ([+-]?\d+\.\d\d)\..*", line) for line in found.sentences()[1:]]
    return [line[1] for line in lines if line], [float(line[2]) for line in lines if line]


def check_sum(found, one, other):
    assert found.delta == one.score - other.score
    assert math.fsum(part.share for part in found.parts) == pytest.approx(found.delta, abs=1e-9)
    gap = round(one.score, 2) - round(other.score, 2)
    assert sum(steps(found)[1]) == pytest.approx(gap if found.parts else 0, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", [Bleu(), Chrf(word_order=2), Ter()], ids=lambda each: each.name)
def test_every_kind_of_change_is_found(kind, metric):
    """Its steps are named, add up, and lead back again from the corpus after it."""
    changed, expected = KINDS[kind]
    one, other = metric.corpus(*changed), metric.corpus(*GIVEN)
    found = decompose(one, other, changed, GIVEN)
    assert steps(found)[0][: len(expected)] == expected
    assert len(found.parts) == len(expected)
    check_sum(found, one, other)
    check_sum(decompose(other, one, GIVEN, changed), other, one)


@settings(max_examples=60)
@given(corpus=strategies.corpora(max_references=3), data=st.data())
def test_steps_add_up(corpus, data):
    """Whatever settings, texts and references differ, the last step leads to the other score."""
    pick = random.Random(data.draw(st.integers(0, 99)))
    hypotheses, references = corpus
    rows = pick.choices(range(len(hypotheses)), k=pick.choice([len(hypotheses), 1, 3]))
    if pick.random() < 0.5:
        rows = list(range(len(hypotheses)))
    how = pick.choice([str, str.lower, str.title, lambda text: text[::-1]])
    changed = (
        [how(hypotheses[row]) for row in rows],
        [pick.sample(references[row], pick.randint(1, len(references[row]))) for row in rows],
    )
    kind = data.draw(METRICS)
    one, other = (data.draw(DRAWN[kind]).corpus(*each) for each in (changed, corpus))
    check_sum(decompose(one, other, changed, corpus), one, other)
    assert decompose(one, one, changed).parts == ()


def test_a_reference_can_lower_a_score():
    """The closest length grows, and the reason says so."""
    output, single = ["The cat sat on the mat today."], [["The cat sat on it."]]
    several = [[*single[0], "Nobody knew where our cat had gone today."]]
    scores = (corpus_bleu(output, references) for references in (several, single))
    [part] = decompose(*scores, (output, several), (output, single)).parts
    assert part.share < 0
    assert "Brevity penalty 0.8825 instead of 1 (-4.55), for references of 9 instead" in part.why


def test_settings_and_dialects():
    """Each setting is a step, whether it is of a score or of a tool."""
    one = corpus_bleu(
        TEXTS, TWO, lowercase=True, unicode_form="NFC", max_order=8, weights=[0.125] * 8
    )
    found = decompose(audit(*GIVEN)["nltk"], one, GIVEN, (TEXTS, TWO))
    assert {part.name for part in found.parts} == {
        *("references", "tokenizer", "unicode_form", "lowercase", "smoothing", "orders"),
        "phantom_ngrams",
    }
    assert found.sentences()[0].startswith("nltk gives 0.2308, which is 23.08: ")
    one, other = (corpus_ter(*GIVEN, normalized=each) for each in (True, False))
    [part] = decompose(one, other, GIVEN).parts
    assert part.why.startswith("Reference length 1,399 instead of ")


def test_in_the_command(capsys, tmp_path):
    """Signatures, other files and strings are those of the library."""
    one, other = Bleu(lowercase=True).corpus(TEXTS, TWO), Bleu().corpus(*GIVEN)
    expected = decompose(one, other, (TEXTS, TWO), GIVEN)
    files = [str(ROOT / "examples" / f"reference-{name}.en") for name in "ab"]
    arguments = ["audit", str(ROOT / "examples" / "system-medium.en"), "-r", *files, "--explain"]
    arguments += [one.signature, other.signature, "--other-references", files[0]]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{expected}\n"
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"] == expected.to_dict()["parts"]
    assert main([*arguments[: arguments.index("--explain")], "--other-system", files[0]]) == 2
    assert "need --explain ONE OTHER" in capsys.readouterr().err
    words = [
        "audit",
        "--text",
        "A cat sat.",
        "-r",
        "The cat sat.",
        "--explain",
        "nltk",
        "sacrebleu",
    ]
    assert main([*words, "--other-system", "the cat sat."]) == 0
    assert capsys.readouterr().out.startswith("nltk gives ")
