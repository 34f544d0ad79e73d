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
}
"""What people do that :class:`truebleu.Bleu` has no setting for, and what BLEU does.

- `alignment`: which texts are compared, such as ``swapped``, ``transposed`` or ``joined``.
  ``first sentence`` compares that of each hypothesis with every sentence of its reference.
- `clipping`: ``none``, or ``sets`` of n-grams.
- `aggregate`: ``segments`` takes the mean of the scores of segments; ``precisions`` that of their
  precisions.
- `penalty`: ``none``, ``inverted``, ``always``, a ``ratio``, of ``characters``, or ``plus one``.
- `mean`: the ``arithmetic`` mean of precisions, or their ``product``.

`tokenizer` may also be ``characters``, ``no punctuation``, ``codexglue`` or a pattern of words, and
`smoothing` ``add-one`` (to all orders) or ``1e-7`` (in the place of a precision of 0).
"""


def _settings(**changes: Unpack[BleuSettings]) -> BleuSettings:
    """Fix ``effective_order``: only sacreBLEU scores sentences and corpora differently."""
    return {"effective_order": False, **changes}


_ALL = (
    Dialect(
        name="sacrebleu",
        tool="sacreBLEU 2.6.0, corpus_bleu",
        about="The default, and what most papers since 2018 report.",
        scale=100,
        settings={},
        defects=("A perfect corpus scores 100.00000000000004; here it scores 100.",),
    ),
    Dialect(
        name="nltk",
        tool="NLTK 3.10, corpus_bleu of text.split()",
        about="What many scripts and courses use, without a tokenizer and on a scale of 1.",
        scale=1,
        settings=_settings(tokenizer="none", smoothing="method0", phantom_ngrams=True),
        defects=(
            "A segment that is too short for an order counts as having one n-gram of it, which "
            "does not match: a perfect corpus with a short segment scores below 1.",
            "An order without matches leads to a score like 1e-78, which means 0.",
        ),
    ),
    Dialect(
        name="huggingface",
        tool="evaluate 0.4, load('bleu')",
        about="Hugging Face's metric bleu; its metric sacrebleu is the dialect sacrebleu.",
        scale=1,
        settings=_settings(smoothing="none", reference_length="shortest"),
        defects=("Of several references the shortest one's length counts.",),
    ),
    Dialect(
        name="torchmetrics",
        tool="torchmetrics 1.9, BLEUScore",
        about="BLEU in PyTorch training loops, split on white space.",
        scale=1,
        settings=_settings(tokenizer="none", smoothing="none", reference_length="closest-first"),
        defects=(
            "If two reference lengths are equally close, the first counts, so the order of the "
            "references matters.",
            "It counts in 32-bit floats, which stop at 16,777,216, and rounds to 7 digits.",
        ),
    ),
    Dialect(
        name="moses",
        tool="multi-bleu.perl of Moses",
        about="Papers up to about 2018, on text that is already tokenized.",
        scale=100,
        settings=_settings(tokenizer="moses", smoothing="none"),
        defects=(
            "It scores the tokens as given, so its numbers depend on the tokenizer used before.",
            "It drops the last character of a file that does not end in a line feed.",
            "References without a hypothesis are ignored.",
        ),
    ),
    Dialect(
        name="mteval-v13a",
        tool="mteval-v13a.pl of NIST",
        about="The official script of the shared tasks of NIST and WMT.",
        scale=1,
        settings=_settings(tokenizer="mteval-v13a-lc", smoothing="nist"),
        defects=(
            "It lower-cases ASCII letters, and only those, unless told not to (-c).",
            "An order for which the text has no n-grams counts as perfect.",
        ),
    ),
    Dialect(
        name="tensorflow-nmt",
        tool="tensorflow/nmt, nmt.utils.evaluation_utils",
        about="TensorFlow's NMT tutorial, and code copied from it.",
        scale=100,
        settings=_settings(tokenizer="spaces", smoothing="none", reference_length="shortest"),
        defects=(
            "Of several references the shortest one's length counts.",
            "Two spaces have an empty word between them, and an empty line is an empty word; here "
            "neither counts.",
        ),
    ),
    Dialect(
        name="tensor2tensor",
        tool="tensor2tensor 1.15, t2t-bleu (the uncased number)",
        about="Google's papers around 2017, such as those on the Transformer.",
        scale=1,
        settings=_settings(tokenizer="tensor2tensor", lowercase=True, smoothing="nist"),
        defects=(
            "It lower-cases text unless told not to.",
            "The backslash is not punctuation, because it escapes its neighbor in a pattern.",
            "An order for which the text has no n-grams counts as perfect.",
            "It rounds to 32-bit floats.",
        ),
    ),
    Dialect(
        name="fairseq",
        tool="fairseq 0.12, fairseq-score",
        about="fairseq's scorer, on text that is already tokenized; one reference.",
        scale=100,
        settings=_settings(tokenizer="none", smoothing="none"),
        defects=(
            "It scores the tokens as given.",
            "It compares hashes of n-grams, which collide for token IDs above 127: scores come out "
            "higher, and depend on the order of the words in its dictionary.",
            "An empty line counts as one token; here it has none.",
            "Words outside its dictionary never match; here there is no dictionary.",
        ),
    ),
    Dialect(
        name="compare-mt",
        tool="compare-mt 0.2, BleuScorer",
        about="Comparisons of systems, on text that is already tokenized; one reference.",
        scale=100,
        settings=_settings(tokenizer="spaces", smoothing="compare-mt", phantom_ngrams=True),
        defects=(
            "Orders without matches count as perfect, unless no word matches.",
            "A segment that is too short for an order counts as having one n-gram of it.",
            "An empty line is an empty word; here it has no words.",
        ),
    ),
    Dialect(
        name="keras",
        tool="keras-hub 0.32, metrics.Bleu",
        about="BLEU in Keras training loops.",
        scale=1,
        settings=_settings(tokenizer="keras", smoothing="none", reference_length="shortest"),
        defects=(
            "Of several references the shortest one's length counts.",
            "Its 13a does not pad the text: a full stop before a digit at the start stays there.",
            "It counts in 32-bit floats.",
        ),
    ),
    Dialect(
        name="pycocoevalcap",
        tool="pycocoevalcap 1.2, Bleu_4",
        about="Captions of images, split by its PTBTokenizer; max_order=1 is Bleu_1.",
        scale=1,
        settings=_settings(tokenizer="none", smoothing="none"),
        defects=(
            "It scores the tokens as given.",
            "It adds 1e-15 to matches and 1e-9 to n-grams: a score differs by up to 1e-9, and is "
            "not 0 where an order has no matches.",
        ),
    ),
    Dialect(
        name="papineni",
        tool="Papineni et al. (2002)",
        about="The paper's definition: words as given, no smoothing, the best match length.",
        scale=1,
        settings=_settings(tokenizer="none", smoothing="none"),
        defects=("The paper does not say which of two equally close lengths counts.",),
    ),
    Dialect(
        name="skip-zero",
        tool="tutorials, and implementations copied from them",
        about="Orders without a match are left out of the sum of logarithms.",
        scale=1,
        settings=_settings(tokenizer="none", smoothing="skip-zero"),
        defects=(
            "log 0 is taken as 0, so an order without matches counts as perfect: a worse "
            "translation may score higher. BLEU is 0 there; smoothing is the remedy.",
            "The tutorials score one sentence; here counts are summed over the corpus first.",
            "A text without any match scores its brevity penalty: 1 if it is long enough.",
            "An empty text is a division by zero; here it scores 0.",
        ),
    ),
)

DIALECTS = {each.name: each for each in _ALL}
"""The dialects by name."""

_SENTENCES = {"aggregate": "segments", "effective_order": False}
_NLTK = {**_SENTENCES, "smoothing": "method0", "phantom_ngrams": True}

_CALLS = (
    Dialect(
        name="llama-factory",
        tool="LLaMA-Factory 0.9, bleu-4",
        about="Fine-tuning of language models; its tokens are characters, in any language.",
        scale=100,
        settings={**_NLTK, "tokenizer": "characters", "smoothing": "method3"},
        defects=("It rounds every sentence to four decimals, so the mean may differ by 0.00005.",),
    ),
    Dialect(
        name="codexglue",
        tool="CodeXGLUE, smooth BLEU of code-to-text",
        about="Descriptions of code, and copies of its bleu.py in other repositories.",
        scale=100,
        settings={
            **_SENTENCES,
            "tokenizer": "codexglue",
            "lowercase": True,
            "smoothing": "lin-och",
            "penalty": "plus one",
            "reference_length": "shortest",
        },
        defects=("An empty output of the first order scores exp(-r), not 0.",),
    ),
    Dialect(
        name="helm",
        tool="HELM 0.5, bleu_4; evalscope 1.14, bleu-4; lighteval 0.13, bleu_4",
        about="Evaluation of language models; order 4 alone, on tokens of NLTK's word_tokenize.",
        scale=1,
        settings={**_NLTK, "tokenizer": "none", "weights": (0.0, 0.0, 0.0, 1.0)},
        defects=("It scores the tokens as given.", "HELM takes the best of several references."),
    ),
    Dialect(
        name="ragas",
        tool="ragas 0.4, BleuScore",
        about="Evaluation of retrieval; only the first sentence of each response counts.",
        scale=1,
        settings={**_SENTENCES, "alignment": "first sentence"},
    ),
    Dialect(
        name="promptfoo",
        tool="promptfoo since June 2026, bleu",
        about="Tests of prompts; the mean over the tests.",
        scale=1,
        settings={
            **_SENTENCES,
            "tokenizer": "none",
            "lowercase": True,
            "smoothing": "1e-7",
            "effective_order": True,
        },
        defects=("For each order, only the one reference with most matches counts.",),
    ),
)

CALLS = {each.name: each for each in _CALLS}
"""How frameworks call other tools; audits and searches know them, :class:`truebleu.Bleu` cannot."""
