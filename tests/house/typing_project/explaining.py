"""Explanations, audits and searches, and the definition of BLEU."""

from collections import Counter
from typing import assert_type

from truebleu import Ter, audit, check, explain, read_lines, sentence_bleu
from truebleu.analysis.audit import Audit
from truebleu.analysis.causes import Cause
from truebleu.analysis.decompose import AuditRow, Decomposition
from truebleu.analysis.reproduce import Candidate, Reproduction
from truebleu.conformance.diagnosis import Diagnosis
from truebleu.conformance.fit import Mistaken
from truebleu.metrics.explanation import Cost, DifferencePart, Edit, Explanation, Ngram, Span
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
assert_type(segment, Explanation)
assert_type(segment.ngrams, tuple[tuple[Ngram, ...], ...])
assert_type(segment.spans, tuple[Span, ...])
assert_type(segment.in_full(), str)
corpus = explain(hypotheses, references)
assert_type(corpus.costs, tuple[Cost, ...])
assert_type(corpus.worst[0].count, int)
assert_type(corpus.to_html(), str)
of_ter = explain("b a", "a b", metric=Ter(), language="ko")
assert_type(of_ter.steps, tuple[Edit, ...])
assert_type(explain(hypotheses, references, metric="chrf++").influence, tuple[float, ...])

audited = audit(hypotheses, references)
assert_type(audited, Audit)
assert_type(audited["nltk"], AuditRow)
assert_type(audited["nltk"].parts, tuple[DifferencePart, ...])
assert_type(audited.difference("nltk", "sacrebleu"), Decomposition)


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
matches, total = clipped_precision(words, others, 1)
assert_type(matches, int)
length = closest_reference_length(len(words), map(len, others))
assert_type(length, int)
assert_type(brevity_penalty(len(words), length), float)
assert_type(geometric_mean([matches / total, 0.5], weights=[0.7, 0.3]), float)
