"""The patch of CONTRIBUTING.md adds a whole metric to the package in nine files."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, which

import pytest

ROOT = Path(__file__).parents[2]
PATCH = ROOT / "examples" / "gleu.patch"
BUILT_FROM = ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", "LICENSE")

# What the metric is asked to do, in a process that has it.
PROGRAM = """
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
segments = gleu.sentences(hypotheses, references).tolist()
for number, (text, several) in enumerate(zip(tokens, of_references)):
    expected = approx(100 * sentence_gleu(several, text, max_len=3), rel=1e-12)
    assert segments[number] == expected
    assert gleu.sentence(hypotheses[number], references[number]) == expected

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
with raises(truebleu.SettingsError, match="sacreBLEU has no metric 'GLEU'"):
    truebleu.compare(systems, references, metric=gleu, legacy="sacrebleu")

pair = truebleu.compare(systems, references, metric=gleu).pair("other", "one")
assert pair.significant
truebleu.report(systems, references, metric=gleu).write("report.html")
matrix = truebleu.pairwise(hypotheses[:4], hypotheses[:4], metric="gleu")
assert matrix[1, 2] == truebleu.Gleu().sentence(hypotheses[1], hypotheses[2])
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


@pytest.mark.slow
def test_gleu(tmp_path: Path) -> None:
    """It is built, agrees with NLTK, and does what every metric does."""
    if which("cargo") is None:
        pytest.skip("cargo is not installed")
    for name in BUILT_FROM:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for folder in ("crates", "python", "truebleu.data"):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("*.so", "__pycache__"))
    changed = subprocess.run(
        ["git", "apply", "--numstat", "--apply", PATCH],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert len(changed.stdout.splitlines()) == 9
    # What it depends on is built already if `make checked` or `make prepared` ran.
    target = f"--target-dir={ROOT / 'target'}"
    build = ["maturin", "develop", "--quiet", "--skip-install", "--profile=checked", target]
    # Its own code runs for a moment, and is not worth optimizing.
    for crate in ("truebleu-core", "truebleu-python"):
        build += ["--config", f"profile.checked.package.{crate}.opt-level=0"]
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix, "PYTHONPATH": str(tmp_path / "python")}
    subprocess.run([sys.executable, "-m", *build], cwd=tmp_path, env=environment, check=True)
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, check=True)
