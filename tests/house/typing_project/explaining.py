"""Explanations, audits and searches, and the definition of BLEU."""

from collections import Counter
from typing import assert_type

from truebleu import Ter, audit, check, explain, read_lines, sentence_bleu
from truebleu.analysis.audit import Audit
from truebleu.analysis.causes import Cause
from truebleu.analysis.decompose import AuditDifference, AuditRow
from truebleu.analysis.dialects.corpus import AuditPart
from truebleu.analysis.reproduce import Candidate, Reproduction
from truebleu.conformance.diagnosis import Diagnosis
from truebleu.conformance.fit import Mistaken
from truebleu.metrics.bleu.explanation import (
    CorpusExplanation,
    Cost,
    NgramCount,
    SegmentExplanation,
)
from truebleu.metrics.chrf.explanation import (
    ChrfCorpusExplanation,
    ChrfCost,
    ChrfNgram,
    ChrfSegmentExplanation,
    ChrfSpan,
)
from truebleu.metrics.chrf.orders import ChrfOrder
from truebleu.metrics.ter.explanation import (
    TerCorpusExplanation,
    TerCost,
    TerEdit,
    TerSegmentExplanation,
    TerShift,
)
from truebleu.parts import (
    brevity_penalty,
    clipped_counts,
    clipped_precision,
    closest_reference_length,
    geometric_mean,
    ngram_counts,
)

hypotheses = read_lines("examples/system-strong.en")
references = read_lines("examples/reference-a.en")

segment = explain("the cat the cat", ["the cat", "a cat"], tokenizer="none")
assert_type(segment, SegmentExplanation)
assert_type(segment.orders, tuple[tuple[NgramCount, ...], ...])
corpus = explain(hypotheses, references)
assert_type(corpus, CorpusExplanation)
assert_type(corpus.costs, tuple[Cost, ...])
assert_type(corpus.to_html(), str)
of_chrf = explain("the cat", "a cat", metric="chrf")
assert_type(of_chrf, ChrfSegmentExplanation)
assert_type(of_chrf.orders, tuple[ChrfOrder, ...])
assert_type(of_chrf.ngrams, tuple[tuple[ChrfNgram, ...], ...])
assert_type(of_chrf.spans, tuple[ChrfSpan, ...])
chrf_corpus = explain(hypotheses, references, metric="chrf++")
assert_type(chrf_corpus, ChrfCorpusExplanation)
assert_type(chrf_corpus.ngrams, tuple[ChrfCost, ...])
of_ter = explain("b a", "a b", metric="ter")
assert_type(of_ter, TerSegmentExplanation)
assert_type(of_ter.shifted_phrases, tuple[TerShift, ...])
assert_type(of_ter.alignment, tuple[TerEdit, ...])
ter_corpus = explain(hypotheses, references, metric=Ter(), language="ko")
assert_type(ter_corpus, TerCorpusExplanation)
assert_type(ter_corpus.words, tuple[TerCost, ...])

audited = audit(hypotheses, references)
assert_type(audited, Audit)
assert_type(audited["nltk"], AuditRow)
assert_type(audited["nltk"].parts, tuple[AuditPart, ...])
assert_type(audited.difference("nltk", "sacrebleu"), AuditDifference)


def bleu(hypothesis: str, reference: str) -> float:
    return sentence_bleu(hypothesis, reference, tokenizer="none", smoothing="none").score


diagnosis = check(bleu, language="ko")
assert_type(diagnosis, Diagnosis)
assert_type(diagnosis.mistakes, tuple[Cause, ...])
assert_type(diagnosis.shortest, Mistaken | None)
found = audit(hypotheses, references, target="50.2", tokenizers=["13a"])
assert_type(found, Reproduction)
assert_type(found.matches, tuple[Candidate, ...])
assert_type(found.nearest[0].causes, tuple[Cause, ...])
assert_type(found.verdict(), str)

words: list[str] = ["the", "cat", "the", "cat"]
others: list[list[str]] = [["the", "cat"], ["a", "cat", "sat"]]
assert_type(ngram_counts(words, 2), Counter[tuple[str, ...]])
assert_type(ngram_counts([1, 2, 1], 1), Counter[tuple[int, ...]])
assert_type(clipped_counts(hypothesis=words, references=others, n=1), Counter[tuple[str, ...]])
assert_type(
    clipped_counts(hypothesis=words, references=others, n=1, per_reference=True),
    list[Counter[tuple[str, ...]]],
)
matches, total = clipped_precision(words, others, 1)
assert_type(matches, int)
length = closest_reference_length(len(words), map(len, others))
assert_type(length, int)
assert_type(brevity_penalty(len(words), length), float)
assert_type(geometric_mean([matches / total, 0.5], weights=[0.7, 0.3]), float)
