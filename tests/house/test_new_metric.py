"""The patches of examples/ add a metric to the package, a smoothing, a reader and a chart."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copy, copytree, ignore_patterns, which

import pytest
from truebleu import _core

ROOT = Path(__file__).parents[2]
# The files that each changes.
PATCHES = {"gleu.patch": 9, "smoothing.patch": 3}
OF_PYTHON = {"reader.patch": 3, "chart.patch": 3}
BUILT_FROM = ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", "LICENSE")

# What the metric is asked to do, in a process that has it.
METRIC = """
import pickle, random, subprocess, sys

import truebleu
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from pytest import approx, raises

drawn = random.Random(20261124)
words = "the cat sat on a mat , and The dog ate it .".split()
references = [
    [" ".join(drawn.choices(words, k=drawn.randrange(12))) for _ in range(drawn.randint(1, 3))]
    for _ in range(300)
]
hypotheses = [" ".join([*drawn.choices(words, k=3), several[0][:20]]) for several in references]
systems = {"one": hypotheses, "other": [several[0] for several in references]}

gleu = truebleu.Gleu(max_order=3, lowercase=True)
tokens = [truebleu.tokenize(text.lower()) for text in hypotheses]
of_references = [[truebleu.tokenize(text.lower()) for text in each] for each in references]
score = gleu.corpus(hypotheses, references)
assert score == approx(100 * corpus_gleu(of_references, tokens, max_len=3), rel=1e-12)
segments = gleu.segments(hypotheses, references).tolist()
for number, (text, several) in enumerate(zip(tokens, of_references)):
    expected = approx(100 * sentence_gleu(several, text, max_len=3), rel=1e-12)
    assert segments[number] == expected
    assert gleu.segment(hypotheses[number], references[number]) == expected

assert pickle.loads(pickle.dumps(score)).same_as(score)
assert eval(repr(gleu), {"Gleu": truebleu.Gleu}) == gleu
assert "ngrams:3|case:lc" in score.signature
assert truebleu.Gleu.from_signature(score.signature.replace("nrefs:var", "nrefs:1")) == gleu
with raises(truebleu.SettingsError, match="case is lc in one and mixed in the other"):
    truebleu.assert_comparable(score, truebleu.Gleu(max_order=3).corpus(hypotheses, references))
with raises(truebleu.SettingsError, match="signature of GLEU, not of BLEU"):
    truebleu.Bleu.from_signature(score.signature)
with raises(truebleu.SettingsError, match="'order' is unknown; choose one of max_order"):
    truebleu.Gleu(order=3)

pair = truebleu.compare(systems, references, metrics=gleu).pair("other", "one")
assert pair.significant
truebleu.report(systems, references, metrics=gleu).write("report.html")
matrix = truebleu.pairwise(hypotheses[:4], hypotheses[:4], metric="gleu")
assert matrix[1, 2] == truebleu.Gleu().segment(hypotheses[1], hypotheses[2])
assert truebleu.mbr(hypotheses[:4], metric="gleu").index == matrix.mean(axis=1).argmax()
batches = truebleu.Accumulator("gleu")
batches.add(hypotheses, references)
assert batches.score() == truebleu.Gleu().corpus(hypotheses, references)

with open("hypotheses", "w") as file:
    file.writelines(text + "\\n" for text in hypotheses)
for command in (
    ["score", "hypotheses", "-r", "hypotheses", "-m", "gleu", "bleu", "ter"],
    ["compare", "hypotheses", "hypotheses", "-r", "hypotheses", "-m", "gleu"],
):
    done = subprocess.run([sys.executable, "-m", "truebleu", *command], capture_output=True)
    assert done.returncode == 0 and b"GLEU" in done.stdout, done
"""

# The same for the smoothing. Counts, lengths and the brevity penalty are NLTK's, and the rule is
# that of the paper: "invcnt = invcnt * K / ln(len(T))", the first time from 1, if m_n is 0.
SMOOTHING = """
import math, random

import truebleu
from nltk.translate.bleu_score import brevity_penalty, closest_ref_length, modified_precision
from pytest import approx

drawn = random.Random(20261129)
without = 0
for _ in range(4000):
    words = "abcdefghij"[: drawn.randint(2, 10)]
    hypothesis = drawn.choices(words, k=drawn.randint(2, 15))
    references = [
        drawn.choices(drawn.choice([words, "xyz"]), k=drawn.randint(1, 15))
        for _ in range(drawn.randint(1, 3))
    ]
    k = drawn.choice([None, 1, 2.5])
    inverse, logarithms = 1, []
    for order in range(1, min(4, len(hypothesis)) + 1):
        precision = modified_precision(references, hypothesis, order)
        if precision.numerator == 0:
            inverse *= (k or 5) / math.log(len(hypothesis))
            without += order == 1
            precision = 1 / inverse / (len(hypothesis) - order + 1)
        logarithms.append(math.log(precision))
    closest = closest_ref_length(references, len(hypothesis))
    expected = brevity_penalty(closest, len(hypothesis))
    expected *= math.exp(sum(logarithms) / len(logarithms))
    bleu = truebleu.Bleu(tokenizer="pretokenized", smoothing="chen4", smooth_value=k)
    score = bleu.segment(hypothesis, references)
    assert score == approx(min(100, 100 * expected), rel=1e-12), (hypothesis, references)
    assert truebleu.Bleu.from_signature(score.signature).smoothing == "chen4"
assert without > 400
assert "chen4" in truebleu.Bleu.__doc__
"""

READER = r"""
import subprocess, sys
from pathlib import Path

import truebleu
from pytest import raises


def catalogue(translations):
    entries = (
        f'\n#: menu.c\nmsgid "Save \\"{number}\\""\nmsgstr ""\n"{each}"\n'
        for number, each in enumerate(translations)
    )
    return 'msgid ""\nmsgstr ""\n"Language: de\\n"\n' + "".join(entries)


system, reference = ["Viele Dateien speichern", "Beenden"], ["Viele Dateien sichern", "Beenden"]
Path("mt.po").write_text(catalogue(system))
Path("ref.po").write_text(catalogue(reference))
assert truebleu.read_texts("mt.po") == system
assert truebleu.read_texts("mt.po", "msgid") == ['Save "0"', 'Save "1"']
for words in ([], ["--hypothesis-column", "msgid", "--reference-column", "msgid"]):
    command = [sys.executable, "-m", "truebleu", "score", "mt.po", "-r", "ref.po", "-m", "chrf"]
    command += ["--score-only", "-q", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = 100 if words else truebleu.corpus_chrf(system, reference)
    assert done.stdout == f"{expected:.2f}\n", done
with raises(truebleu.InputError, match="line 2: .* is open"):
    Path("mt.po").write_text('msgid "x"\nmsgstr "y\n')
    truebleu.read_texts("mt.po")
"""

CHART = """
import json, subprocess, sys, warnings

import truebleu

warnings.simplefilter("ignore")
references = [f"the cat number {number} sat on the mat" for number in range(40)]
systems = {"A": references, "B": [*references[:10], *("x " + each for each in references[10:])]}
made = truebleu.report(systems, references, n_resamples=None)
assert "best" in made.charts
shown = made.chart("best").to_dict()
assert "no other system has a better score" in shown["description"]
rows = {row["system"]: row["segments"] for row in shown["datasets"]["rows"]}
assert rows == {"A": 40, "B": 10}
korean = truebleu.report(systems, references, n_resamples=None, language="ko").chart("best")
assert "시스템마다" in korean.to_dict()["description"]
for name, texts in {**systems, "reference": references}.items():
    with open(name, "w") as file:
        file.writelines(text + "\\n" for text in texts)
command = ["report", "A", "B", "-r", "reference", "--chart", "best", "-o", "best.json", "-q"]
subprocess.run([sys.executable, "-m", "truebleu", *command], check=True)
assert [row["segments"] for row in json.load(open("best.json"))["datasets"]["rows"]] == [40, 10]
"""


def apply(patches: dict[str, int], folder: Path) -> None:
    """Apply patches to a copy of the project, each of which changes so many files."""
    for name, files in patches.items():
        changed = subprocess.run(
            ["git", "apply", "--numstat", "--apply", ROOT / "examples" / name],
            cwd=folder,
            capture_output=True,
            check=True,
        )
        assert len(changed.stdout.splitlines()) == files


def run_in(folder: Path, program: str) -> None:
    """Run a program with the package of a copy."""
    environment = os.environ | {"PYTHONPATH": str(folder / "python")}
    subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, check=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], None]:
    """Build the package with both patches; return what runs a program there."""
    tmp_path = tmp_path_factory.mktemp("patched")
    if which("cargo") is None:
        pytest.skip("cargo is not installed")
    for name in BUILT_FROM:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for folder in ("crates", "python", "truebleu.data"):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("*.so", "__pycache__"))
    apply(PATCHES, tmp_path)
    # What it depends on is built already if `make checked` or `make prepared` ran.
    target = f"--target-dir={ROOT / 'target'}"
    build = ["maturin", "develop", "--quiet", "--skip-install", "--profile=checked", target]
    # Its own code runs for a moment, and is not worth optimizing.
    for crate in ("truebleu-core", "truebleu-python"):
        build += ["--config", f"profile.checked.package.{crate}.opt-level=0"]
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix, "PYTHONPATH": str(tmp_path / "python")}
    subprocess.run([sys.executable, "-m", *build], cwd=tmp_path, env=environment, check=True)

    return partial(run_in, tmp_path)


@pytest.mark.slow
def test_gleu(run: Callable[[str], None]) -> None:
    """It is built, agrees with NLTK, and does what every metric does."""
    run(METRIC)


@pytest.mark.slow
def test_smoothing(run: Callable[[str], None]) -> None:
    """It has the scores of the paper's rule, also where not a single word matches."""
    run(SMOOTHING)


@pytest.mark.parametrize("program", [READER, CHART], ids=["reader", "chart"])
def test_of_python(program: str, tmp_path: Path) -> None:
    """A reader is known to Python and the command; a chart to reports, in Korean, too."""
    copytree(ROOT / "python", tmp_path / "python", ignore=ignore_patterns("*.so", "__pycache__"))
    copy(_core.__file__, tmp_path / "python" / "truebleu")
    apply(OF_PYTHON, tmp_path)
    run_in(tmp_path, program)
