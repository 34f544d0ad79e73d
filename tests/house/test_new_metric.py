"""The patches of CONTRIBUTING.md add a whole metric to the package, and a smoothing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns, which

import pytest

ROOT = Path(__file__).parents[2]
# The files that each changes.
PATCHES = {"gleu.patch": 9, "smoothing.patch": 3}
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
    for name, files in PATCHES.items():
        changed = subprocess.run(
            ["git", "apply", "--numstat", "--apply", ROOT / "examples" / name],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        assert len(changed.stdout.splitlines()) == files
    # What it depends on is built already if `make checked` or `make prepared` ran.
    target = f"--target-dir={ROOT / 'target'}"
    build = ["maturin", "develop", "--quiet", "--skip-install", "--profile=checked", target]
    # Its own code runs for a moment, and is not worth optimizing.
    for crate in ("truebleu-core", "truebleu-python"):
        build += ["--config", f"profile.checked.package.{crate}.opt-level=0"]
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix, "PYTHONPATH": str(tmp_path / "python")}
    subprocess.run([sys.executable, "-m", *build], cwd=tmp_path, env=environment, check=True)

    def run(program: str) -> None:
        command = [sys.executable, "-c", program]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)

    return run


@pytest.mark.slow
def test_gleu(run: Callable[[str], None]) -> None:
    """It is built, agrees with NLTK, and does what every metric does."""
    run(METRIC)


@pytest.mark.slow
def test_smoothing(run: Callable[[str], None]) -> None:
    """It has the scores of the paper's rule, also where not a single word matches."""
    run(SMOOTHING)
