"""Other tools' conventions of BLEU as data: the settings that reproduce their scores.

All of them are in the registry DIALECTS.
"""

from __future__ import annotations

from truebleu.metrics.dialect import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings

    DialectName = (
        Literal["sacrebleu", "nltk", "huggingface", "torchmetrics", "moses", "mteval-v13a"]
        | Literal["tensorflow-nmt", "tensor2tensor", "fairseq", "compare-mt", "keras"]
        | Literal["pycocoevalcap", "papineni", "skip-zero"]
    )


HABITS: dict[str, Any] = {
    "alignment": "as given",
    "clipping": "usual",
    "aggregate": "corpus",
    "penalty": "usual",
    "mean": "geometric",
    "several": "all",
}
"""What people do that :class:`truebleu.Bleu` has no setting for, and what BLEU does.

- `alignment`: which texts are compared, such as ``swapped``, ``transposed`` or ``joined``.
  ``first sentence`` compares that of each hypothesis with every sentence of its reference;
  ``references joined`` makes one text of the references of a segment.
- `clipping`: ``none``, ``sets`` of n-grams, ``set of matches``, ``sum of references``, of which
  the counts are added up, ``distinct`` n-grams below the line, ``best reference`` of each order,
  ``mean of references``, ``recall``, which divides by the n-grams of the references, ``words``,
  which divides by their number, ``last left out``, or ``tails``: shorter n-grams at the end, too;
  ``counts of references``, whatever the hypothesis has; ``sets and recall``; ``not clipped,
  distinct``.
- `aggregate`: ``segments`` takes the mean of the scores of segments; a number that of batches of so
  many segments; ``precisions`` that of the precisions of segments. When counts are added up,
  n-grams of short segments may be ``negative``, fractions ``reduced``, or the reference length the
  ``last length``.
- `penalty`: ``inverted``, ``reversed``, ``of long ones``, of ``both``, ``always``, a ``ratio``, of
  ``characters``, or ``plus one``.
- `mean`: the ``arithmetic`` or ``harmonic`` mean of precisions, their ``product``, a geometric one
  with ``log2`` or ``log10`` for the logarithm or with a ``power of 2``, or the ``cumulative`` mean
  of BLEU-1 to BLEU-N.
- `several`: the ``best`` of the scores with each reference alone, or their ``mean``.

`tokenizer` may also be ``characters``, ``no punctuation``, ``codexglue``, ``end token``,
``single spaces``, ``compounds`` or a pattern of words; `reference_length` that of the ``first``,
the ``sum``, or the ``difference`` to the closest; `smoothing` one of
:data:`truebleu.analysis.dialects.formula.SMOOTHINGS`, such as ``1e-7`` (in the place of a precision
of 0) or ``1e-9 added``.
"""


def _dialect(
    name: str, tool: str, about: str, settings: Any, *defects: str, scale: int = 1
) -> Dialect:
    return Dialect(
        name=name, tool=tool, about=about, scale=scale, settings=settings, defects=defects
    )


def _settings(**changes: Unpack[BleuSettings]) -> BleuSettings:
    """Fix ``effective_order``: only sacreBLEU scores segments and corpora differently."""
    return {"effective_order": False, **changes}


_ALL = (
    _dialect(
        "sacrebleu",
        "sacreBLEU 2.6.0, corpus_bleu",
        "The default, and what most papers since 2018 report.",
        {},
        "A perfect corpus scores 100.00000000000004; here it scores 100.",
        scale=100,
    ),
    _dialect(
        "nltk",
        "NLTK 3.10, corpus_bleu of text.split()",
        "What many scripts and courses use, without a tokenizer and on a scale of 1.",
        _settings(tokenizer="none", smoothing="method0", phantom_ngrams=True),
        "A segment that is too short for an order counts as having one n-gram of it, which "
        "does not match: a perfect corpus with a short segment scores below 1.",
        "An order without matches leads to a score like 1e-78, which means 0.",
    ),
    _dialect(
        "huggingface",
        "evaluate 0.4, load('bleu')",
        "Hugging Face's metric bleu; its metric sacrebleu is the dialect sacrebleu.",
        _settings(smoothing="none", reference_length="shortest"),
        "Of several references the shortest one's length counts.",
    ),
    _dialect(
        "torchmetrics",
        "torchmetrics 1.9, BLEUScore",
        "BLEU in PyTorch training loops, split on white space.",
        _settings(tokenizer="none", smoothing="none", reference_length="closest-first"),
        "If two reference lengths are equally close, the first counts, so the order of the "
        "references matters.",
        "It counts in 32-bit floats, which stop at 16,777,216, and rounds to 7 digits.",
    ),
    _dialect(
        "moses",
        "multi-bleu.perl of Moses",
        "Papers up to about 2018, on text that is already tokenized.",
        _settings(tokenizer="moses", smoothing="none"),
        "It scores the tokens as given, so its numbers depend on the tokenizer used before.",
        "It drops the last character of a file that does not end in a line feed.",
        "References without a hypothesis are ignored.",
        scale=100,
    ),
    _dialect(
        "mteval-v13a",
        "mteval-v13a.pl of NIST",
        "The official script of the shared tasks of NIST and WMT.",
        _settings(tokenizer="mteval-v13a-lc", smoothing="nist"),
        "It lower-cases ASCII letters, and only those, unless told not to (-c).",
        "An order for which the text has no n-grams counts as perfect.",
    ),
    _dialect(
        "tensorflow-nmt",
        "tensorflow/nmt, nmt.utils.evaluation_utils",
        "TensorFlow's NMT tutorial, and code copied from it.",
        _settings(tokenizer="spaces", smoothing="none", reference_length="shortest"),
        "Of several references the shortest one's length counts.",
        "Two spaces have an empty word between them, and an empty line is an empty word; here "
        "neither counts.",
        scale=100,
    ),
    _dialect(
        "tensor2tensor",
        "tensor2tensor 1.15, t2t-bleu (the uncased number)",
        "Google's papers around 2017, such as those on the Transformer.",
        _settings(tokenizer="tensor2tensor", lowercase=True, smoothing="nist"),
        "It lower-cases text unless told not to.",
        "The backslash is not punctuation, because it escapes its neighbor in a pattern.",
        "An order for which the text has no n-grams counts as perfect.",
        "It rounds to 32-bit floats.",
    ),
    _dialect(
        "fairseq",
        "fairseq 0.12, fairseq-score",
        "fairseq's scorer, on text that is already tokenized; one reference.",
        _settings(tokenizer="none", smoothing="none"),
        "It scores the tokens as given.",
        "It compares hashes of n-grams, which collide for token IDs above 127: scores come out "
        "higher, and depend on the order of the words in its dictionary.",
        "An empty line counts as one token; here it has none.",
        "Words outside its dictionary never match; here there is no dictionary.",
        scale=100,
    ),
    _dialect(
        "compare-mt",
        "compare-mt 0.2, BleuScorer",
        "Comparisons of systems, on text that is already tokenized; one reference.",
        _settings(tokenizer="spaces", smoothing="compare-mt", phantom_ngrams=True),
        "Orders without matches count as perfect, unless no word matches.",
        "A segment that is too short for an order counts as having one n-gram of it.",
        "An empty line is an empty word; here it has no words.",
        scale=100,
    ),
    _dialect(
        "keras",
        "keras-hub 0.32, metrics.Bleu",
        "BLEU in Keras training loops.",
        _settings(tokenizer="keras", smoothing="none", reference_length="shortest"),
        "Of several references the shortest one's length counts.",
        "Its 13a does not pad the text: a full stop before a digit at the start stays there.",
        "It counts in 32-bit floats.",
    ),
    _dialect(
        "pycocoevalcap",
        "pycocoevalcap 1.2, Bleu_4",
        "Captions of images, split by its PTBTokenizer; max_order=1 is Bleu_1.",
        _settings(tokenizer="none", smoothing="none"),
        "It scores the tokens as given.",
        "It adds 1e-15 to matches and 1e-9 to n-grams: a score differs by up to 1e-9, and is "
        "not 0 where an order has no matches.",
    ),
    _dialect(
        "papineni",
        "Papineni et al. (2002)",
        "The paper's definition: words as given, no smoothing, the best match length.",
        _settings(tokenizer="none", smoothing="none"),
        "The paper does not say which of two equally close lengths counts.",
    ),
    _dialect(
        "skip-zero",
        "tutorials, and implementations copied from them",
        "Orders without a match are left out of the sum of logarithms.",
        _settings(tokenizer="none", smoothing="skip-zero"),
        "log 0 is taken as 0, so an order without matches counts as perfect: a worse "
        "translation may score higher. BLEU is 0 there; smoothing is the remedy.",
        "The tutorials score one segment; here counts are summed over the corpus first.",
        "A text without any match scores its brevity penalty: 1 if it is long enough.",
        "An empty text is a division by zero; here it scores 0.",
    ),
)

DIALECTS = {each.name: each for each in _ALL}
"""The dialects by name."""

_SENTENCES = {"aggregate": "segments", "effective_order": False}
_NLTK = {**_SENTENCES, "smoothing": "method0", "phantom_ngrams": True}

_CALLS = (
    _dialect(
        "llama-factory",
        "LLaMA-Factory 0.9, bleu-4",
        "Fine-tuning of language models; its tokens are characters, in any language.",
        {**_NLTK, "tokenizer": "characters", "smoothing": "method3"},
        "It rounds every segment to four decimals, so the mean may differ by 0.00005.",
        scale=100,
    ),
    _dialect(
        "codexglue",
        "CodeXGLUE, smooth BLEU of code-to-text",
        "Descriptions of code, and copies of its bleu.py in other repositories.",
        {
            **_SENTENCES,
            "tokenizer": "codexglue",
            "lowercase": True,
            "smoothing": "lin-och",
            "penalty": "plus one",
            "reference_length": "shortest",
        },
        "An empty output of the first order scores exp(-r), not 0.",
        scale=100,
    ),
    _dialect(
        "helm",
        "HELM 0.5, bleu_4; evalscope 1.14, bleu-4; lighteval 0.13, bleu_4",
        "Evaluation of language models; order 4 alone, on tokens of NLTK's word_tokenize.",
        {**_NLTK, "tokenizer": "none", "weights": (0.0, 0.0, 0.0, 1.0)},
        "It scores the tokens as given.",
        "HELM takes the best of several references.",
    ),
    _dialect(
        "ragas",
        "ragas 0.4, BleuScore",
        "Evaluation of retrieval; only the first sentence of each response counts.",
        {**_SENTENCES, "alignment": "first sentence"},
    ),
    _dialect(
        "promptfoo",
        "promptfoo since June 2026, bleu",
        "Tests of prompts; the mean over the tests.",
        {
            **_SENTENCES,
            "tokenizer": "none",
            "lowercase": True,
            "smoothing": "1e-7",
            "effective_order": True,
        },
        "For each order, only the one reference with most matches counts.",
    ),
)

CALLS = {each.name: each for each in _CALLS}
"""How frameworks call other tools; audits and searches know them, :class:`truebleu.Bleu` cannot."""
