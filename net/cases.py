"""What the net asks: each case is a metric with settings, a corpus, and a question.

Names of metrics, settings and questions are those of the field and of this file. What they are
called in the package stands in calls.py, which changes with it; this list only grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from net import texts


class Case(NamedTuple):
    """A question about a corpus, under a metric with settings."""

    part: str
    metric: str
    settings: dict[str, Any]
    data: str
    question: str

    @property
    def name(self) -> str:
        """Return the name that the record and the intended differences know it by."""
        given = (f"{key}={value}" for key, value in self.settings.items())
        return " | ".join((" ".join((self.metric, *given)).strip(), self.data, self.question))


TOKENIZERS = (
    *("13a", "intl", "zh", "zh-fixed", "char", "none", "words", "moses", "spaces"),
    *("mteval-v13a", "mteval-v14", "mteval-v13a-lc", "mteval-v13a-intl", "mteval-v14-intl"),
    *("tensor2tensor", "keras", "ja-mecab", "ko-mecab"),
)
SMOOTHINGS = (
    *("none", "floor", "add-k", "exp", "lin-och", "nist", "skip-zero", "compare-mt"),
    *(f"method{number}" for number in range(8)),
)
BLEU: list[dict[str, Any]] = [
    {},
    *({"tokenizer": name} for name in TOKENIZERS[1:]),
    *({"smoothing": name} for name in SMOOTHINGS if name != "exp"),
    *({"smoothing": "floor", "smooth_value": value} for value in (0.0, 0.3)),
    *({"smoothing": "add-k", "smooth_value": value} for value in (2.0, 0.7)),
    *({"max_order": order} for order in (1, 2, 3, 8, 9, 70)),
    *({"max_order": 2, "smoothing": name} for name in ("none", "method1", "method4")),
    {"weights": (0.5, 0.3, 0.2)},
    {"weights": (0.0, 0.0, 0.0, 1.0)},
    {"weights": ((1.0,), (0.5, 0.5), (0.2, 0.3, 0.5))},
    *({"effective_order": value} for value in (True, False)),
    *({"effective_order": True, "smoothing": name} for name in ("floor", "method3")),
    *({"reference_length": rule} for rule in ("closest-first", "shortest", "longest", "average")),
    {"phantom_ngrams": True, "smoothing": "method0", "tokenizer": "none"},
    {"lowercase": True},
    {"lowercase": True, "tokenizer": "intl"},
    *({"unicode_form": form} for form in ("NFC", "NFD", "NFKC", "NFKD")),
]
BLEU_DIALECTS = (
    *("sacrebleu", "nltk", "huggingface", "torchmetrics", "moses", "mteval-v13a"),
    *("tensorflow-nmt", "tensor2tensor", "fairseq", "compare-mt", "keras", "pycocoevalcap"),
    *("papineni", "skip-zero"),
)
CHRF: list[dict[str, Any]] = [
    {},
    {"word_order": 1},
    {"word_order": 2},
    {"char_order": 0, "word_order": 2},
    {"char_order": 3},
    {"char_order": 9},
    {"beta": 1.0},
    {"beta": 3.0, "word_order": 2},
    {"lowercase": True},
    {"whitespace": True},
    {"whitespace": True, "word_order": 2},
    {"eps_smoothing": True},
    {"eps_smoothing": True, "word_order": 2},
    {"unicode_form": "NFKC"},
]
TER: list[dict[str, Any]] = [
    {},
    {"normalized": True},
    {"no_punct": True},
    {"case_sensitive": True},
    {"normalized": True, "asian_support": True},
    {"no_punct": True, "asian_support": True},
    {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
    {"unicode_form": "NFC"},
]
METRICS: list[tuple[str, dict[str, Any]]] = [
    *(("BLEU", settings) for settings in BLEU),
    *(("BLEU", {"dialect": name}) for name in BLEU_DIALECTS),
    *(("chrF", settings) for settings in CHRF),
    *(("TER", settings) for settings in TER),
]
# Those under which every way in is tried, and what costs more.
USUAL: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {}),
    ("BLEU", {"lowercase": True, "tokenizer": "intl"}),
    ("BLEU", {"smoothing": "floor", "tokenizer": "char"}),
    ("BLEU", {"dialect": "nltk"}),
    ("chrF", {}),
    ("chrF", {"word_order": 2}),
    ("TER", {}),
    ("TER", {"normalized": True}),
]
DEFAULTS: list[tuple[str, dict[str, Any]]] = [("BLEU", {}), ("chrF", {}), ("TER", {})]
WAYS = (
    *("from files of lines", "from compressed files", "from an Arrow table"),
    *("from a pandas frame", "from a Polars frame", "by a Polars expression", "by SQL of DuckDB"),
    *("from a Parquet file", "from a CSV file", "from a TSV file", "from a JSON Lines file"),
    *("from statistics of segments", "from statistics read back", "from a file of statistics"),
    *("from parts that are added up", "from a generator"),
)
COMMANDS = ("by the command", "by the command, of a table", "by the command, of statistics")
HOME = [name for name in texts.CORPORA if not name.startswith("shared")]
SHARED = [name for name in texts.CORPORA if name.startswith("shared")]


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for metric, settings in METRICS:
        yield from _on_corpora(metric, settings)
    for metric, settings in USUAL:
        data = "examples, medium, 2 references"
        yield from (Case("scores", metric, settings, data, way) for way in COMMANDS)
        for data in ("examples, medium, 2 references", "made, 3 references"):
            yield from (Case("scores", metric, settings, data, way) for way in WAYS)
            yield Case("scores", metric, settings, data, "scores of groups of a table")
            yield Case("scores", metric, settings, data, "segments of a table")
            yield Case("scores", metric, settings, data, "all pairs of 40 texts")
            yield Case("scores", metric, settings, data, "minimum Bayes risk, 8 samples each")
            yield Case("scores", metric, settings, data, "best and worst of 8 samples each")
    yield from _on_ids()
    for name in TOKENIZERS:
        for data in (*HOME[1:5], *SHARED[2:4]):
            yield Case("scores", "", {"tokenizer": name}, data, "tokens")
    yield from _on_explanations()
    yield from _on_other_tools()
    yield Case("scores", "", {}, "signatures of sacreBLEU", "settings read")
    for question in (
        *("the test set of the examples", "raw files of test sets"),
        *("annotations, MQM", "annotations, ESA", "a folder of mt-metrics-eval"),
    ):
        yield Case("scores", "", {}, "written here", question)
    for question in ("values of measures", "values of measures, all metrics"):
        yield Case("analysis", "", {}, "made, human scores", question)
    yield from _on_significance()
    yield from _on_comparisons()


def _on_corpora(metric: str, settings: dict[str, Any]) -> Iterator[Case]:
    for data in HOME:
        for question in ("corpus", "segments", "segments, one a call", "statistics"):
            yield Case("scores", metric, settings, data, question)
        yield Case("scores", metric, settings, data, "signature read back")
    slow = metric == "TER" or settings.get("tokenizer") == "ja-mecab"
    for data in SHARED[2:] if slow else SHARED:
        yield Case("scores", metric, settings, data, "corpus")


def _on_ids() -> Iterator[Case]:
    for data in ("examples, medium, 2 references", "made, 3 references"):
        for settings in ({}, {"smoothing": "none"}, {"max_order": 2}):
            for question in (
                *("corpus of tokens", "corpus of token ids", "segments of token ids"),
                *("corpus of padded token ids", "rewards of token ids"),
            ):
                yield Case("scores", "BLEU", settings, data, question)


def _on_explanations() -> Iterator[Case]:
    for data in ("examples, medium, 2 references", "made, 1 to 3 references"):
        for metric, settings in USUAL[:3] + USUAL[4:]:
            for question in ("explained segments", "explained corpus"):
                yield Case("analysis", metric, settings, data, question)
        for settings in ({}, {"max_order": 2}, {"tokenizer": "char"}):
            yield Case("analysis", "BLEU", settings, data, "Self-BLEU")
            yield Case("analysis", "BLEU", settings, data, "Self-BLEU of 20 texts drawn")
    for metric, settings in DEFAULTS:
        data = "examples, medium, 2 references"
        yield Case("analysis", metric, settings, data, "difference from the strong system")
    for data in ("examples, medium, 2 references", "made, 1 reference", "made, 3 references"):
        for metric in ("BLEU", "chrF"):
            yield Case("analysis", metric, {}, data, "other tools' numbers")
            yield Case("analysis", metric, {}, data, "other tools' numbers, in parts")
    for target in ("35.95", "19.1", "63.97", "0.3595"):
        data = "examples, medium, 2 references"
        yield Case("analysis", "BLEU", {"target": target}, data, "settings that give a number")
    for program in ("split on spaces, not smoothed", "mean of segments", "shortest reference"):
        yield Case("analysis", "BLEU", {}, program, "verdict on a program")


def _on_other_tools() -> Iterator[Case]:
    """Yield calls of other packages, whose counting may be the core's."""
    for data in ("examples, medium, 2 references", "made, 3 references"):
        for question in (
            *("sacreBLEU, corpus_bleu", "sacreBLEU, sentence_bleu", "sacreBLEU, corpus_chrf"),
            *("sacreBLEU, sentence_chrf", "sacreBLEU, corpus_ter", "sacreBLEU, sentence_ter"),
            *("NLTK, corpus_bleu", "NLTK, sentence_bleu", "NLTK, corpus_chrf"),
            *("evaluate, bleu", "evaluate, sacrebleu", "evaluate, chrf", "evaluate, ter"),
        ):
            yield Case("scores", "", {}, data, question)


def _on_significance() -> Iterator[Case]:
    """Yield what the first record has, and is still asked."""
    for metric, settings in DEFAULTS:
        data = "examples, three systems"
        yield Case("significance", metric, settings, data, "interval of a score")
    yield Case("significance", "", {}, "made, human scores", "metrics ranked")


def _on_comparisons() -> Iterator[Case]:
    data = "examples, three systems"
    for metric, settings in DEFAULTS:
        for question in (
            *("compared", "compared with a baseline", "compared by documents"),
            *("compared with a margin", "compared in blocks", "runs compared"),
            "corpora compared that share no segments",
        ):
            yield Case("comparisons", metric, settings, data, question)
    for question in ("sets compared", "several metrics compared"):
        yield Case("comparisons", "BLEU", {}, data, question)
    for metric, settings in DEFAULTS[:2]:
        yield Case("comparisons", metric, settings, "shared, newstest2017 en-de", "compared")
