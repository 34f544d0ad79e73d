"""Scores, settings and statistics."""

import math
import statistics
from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray
from truebleu import (
    DIALECTS,
    Accumulator,
    Bleu,
    BleuScore,
    Chrf,
    ChrfScore,
    Ragged,
    Score,
    SentencePiece,
    Stats,
    Ter,
    TerScore,
    TestSet,
    __version__,
    assert_comparable,
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    explain_signature,
    load_test_set,
    read_lines,
    read_texts,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
    tokenize,
)
from truebleu.metrics.dialect import Dialect

EXAMPLES = Path("examples")
SYSTEM = EXAMPLES / "system-strong.en"
REFERENCE = EXAMPLES / "reference-a.en"

hypotheses, references = read_lines(SYSTEM), read_lines(str(REFERENCE))
assert_type(hypotheses, list[str])
outputs: list[str] = read_texts("examples/table.csv", "mt")

# Functions.
score = corpus_bleu(hypotheses, references, lowercase=True, smoothing="floor", smooth_value=0.1)
assert_type(score, BleuScore)
streams = [references, references]
assert_type(corpus_chrf(hypotheses, reference_streams=streams, word_order=2), ChrfScore)
assert_type(corpus_ter(hypotheses, references, normalized=True), TerScore)
assert_type(sentence_bleu("a b", ["a b", "a c"]), BleuScore)
assert_type(sentence_chrf("a b", "a c"), ChrfScore)
assert_type(sentence_ter("a b", "a c", case_sensitive=True), TerScore)
with SYSTEM.open(encoding="utf-8") as system, REFERENCE.open(encoding="utf-8") as reference:
    assert_type(corpus_bleu(system, reference), BleuScore)
assert_comparable(score, score.signature)
assert_type(explain_signature(score.signature), dict[str, str])
assert_type(tokenize("a b", tokenizer="intl", lowercase=True), list[str])
assert_type(tokenize("a b", offsets=True), list[tuple[str, int, int]])

# A score is a number.
other = sentence_bleu("a b c d e", "a b c d f")
assert_type(float(score), float)
assert_type(round(score, 2), float)
assert_type(round(score), int)
assert_type(score - other, float)
assert_type(100 - score, float)
assert_type(2 * score / 3, float)
assert_type(abs(-score), float)
assert_type(score > 27.3, bool)
assert_type(score == 100, bool)
assert_type(max(score, other), BleuScore)
assert_type(sorted([score, other]), list[BleuScore])
assert_type(math.sqrt(score), float)
assert_type(math.fsum([score, other]), float)
assert_type(statistics.fmean([score, other]), float)
assert_type(f"{score:.2f}", str)
assert_type(score.same_as(other), bool)
array: NDArray[np.float64] = np.array([score, other], float)

# Parts.
assert_type(score.score, float)
assert_type(score.fraction, float)
assert_type(score.precisions, tuple[float, ...])
assert_type(score.counts, tuple[int, ...])
assert_type(score.brevity_penalty, float)
assert_type(score.hyp_len, int)
assert_type(score.reason, str | None)
assert_type(score.row, dict[str, int])
assert_type(score.format(width=4), str)
assert_type(score.to_json(indent=1), str)
assert_type(score.rescore(Bleu(lowercase=True)), BleuScore)
chrf_score, ter_score = sentence_chrf("a b", "a c"), sentence_ter("a b", "a c")
assert_type(chrf_score.precisions, tuple[float | None, ...])
assert_type(chrf_score.recall, float)
assert_type(ter_score.edits, int)
assert_type(ter_score.ref_len, float)

# Metrics.
bleu, chrf, ter = Bleu(tokenizer="13a", weights=[0.5, 0.5]), Chrf(beta=3), Ter(no_punct=True)
assert_type(bleu.corpus(hypotheses, references, threads=1), BleuScore)
assert_type(chrf.segment("a b", ["a c"]), ChrfScore)
assert_type(ter.corpus(hypotheses, references), TerScore)
assert_type(bleu.signature, str)
assert_type((bleu.name, chrf.identifier, ter.fields), tuple[str, str, tuple[str, ...]])
assert_type((bleu.takes_tokens, bleu.scale), tuple[bool, float])
assert_type(Bleu.from_signature(bleu.signature), Bleu)
assert_type(Chrf.from_signature(chrf.signature), Chrf)
assert_type(SentencePiece(Path("own.model")).path, str)
assert_type(Bleu(tokenizer=str.split).tokenizer_name, str)


def with_model(path: Path) -> Bleu:
    """Use a model of one's own."""
    return Bleu(tokenizer=SentencePiece(path))


assert_type(DIALECTS["nltk"], Dialect)
assert_type(DIALECTS["nltk-chrf"].name, str)
assert_type(Bleu.dialect("nltk"), Bleu)
assert_type(DIALECTS["nltk"].number(50.0), float)

# Statistics.
stats = bleu.stats(hypotheses, references)
assert_type(stats, Stats)
assert_type(stats + stats, Stats)
assert_type(stats[0], Stats)
assert_type(stats[1:], Stats)
assert_type([len(row) for row in stats], list[int])
assert_type(stats.to_numpy(), NDArray[np.int64])
assert_type(Stats.from_numpy(stats.to_numpy(), bleu), Stats)
assert_type(Stats.from_numpy(stats.to_numpy(), stats), Stats)
assert_type(Stats.from_bytes(stats.to_bytes()), Stats)
assert_type(bleu.score(stats), BleuScore)
assert_type(chrf.stats(hypotheses, references), Stats)
assert_type(chrf.score(chrf.stats(hypotheses, references)), ChrfScore)
ids = Ragged.from_padded(np.array([[1, 2, 0], [3, 4, 5]]), pad=0)
assert_type(corpus_bleu(ids, ids, tokenizer="pretokenized", max_order=2), BleuScore)

# Batches.
assert_type(Accumulator(), Accumulator[BleuScore])
assert_type(Accumulator("chrf++"), Accumulator[ChrfScore])
assert_type(Accumulator(ter), Accumulator[TerScore])
running = Accumulator(Bleu(lowercase=True))
running.add(hypotheses, references)
running.merge(Accumulator(Bleu(lowercase=True)))
assert_type(running.score(), BleuScore)
assert_type(running.stats, Stats | None)


def named(anything: Score) -> str:
    """Take a score of any metric."""
    return f"{anything.signature} {anything.score:.2f} {__version__}"


assert_type([named(each) for each in (score, chrf_score, ter_score)], list[str])

# Test sets.
test_set = load_test_set(EXAMPLES / "test_set.toml", "de-en")
assert_type(test_set, TestSet)
assert_type(test_set.references, list[list[str]])
assert_type(corpus_bleu(hypotheses, test_set.references, tokenizer=test_set.tokenizer), BleuScore)
