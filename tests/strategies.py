"""Hypothesis strategies: text, corpora and settings of every kind."""

import unicodedata

from hypothesis import strategies as st
from truebleu import _core

from campaign import cases

PIECES, SPACES = cases.PIECES, cases.SPACES

# Few enough for long n-grams to match.
WORDS = ["the", "The", "cat", "cat's", "sat.", "on", "1,000", "mat", "ÉTÉ", "été"]

any_text = st.text(st.characters(), max_size=40)
dense_text = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
soup = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
short = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
segments = st.one_of(
    soup,
    short,
    dense_text,
    any_text,
    st.tuples(soup, dense_text, soup).map(" ".join),
    st.tuples(any_text, soup).map("".join),
)

# Python and the core use different versions of Unicode. A character unknown to one of them is its
# own lower case there, but perhaps not in the other. And for these characters, a later version has
# changed whether a final sigma may precede them.
CHANGED = "\u0295\U0001171e"
KNOWN = st.characters(exclude_categories=["Cn"], exclude_characters=CHANGED)
NEWER_PYTHON = tuple(map(int, unicodedata.unidata_version.split("."))) > tuple(
    map(int, _core.UNICODE_VERSION.split("."))
)
with_known_characters = st.one_of(
    soup,
    st.text(KNOWN, max_size=40),
    st.text(st.sampled_from("ΑΣασςİIıiǅßẞΘϴ.'- \u0307\u00ad\u0345\ud800aZÉ"), max_size=20),
    dense_text,
)

# Tokens that are nothing but equal or different.
tokens = st.one_of(
    st.lists(st.integers(0, 2), max_size=20),
    st.lists(st.integers(0, 11), max_size=20),
)


@st.composite
def corpora(draw, segment=segments, *, min_size=1, max_size=8, max_references=4):
    """Draw hypotheses and, for each, the list of its references; some resemble each other."""
    hypotheses = draw(st.lists(segment, min_size=min_size, max_size=max_size))
    references = []
    for hypothesis in hypotheses:
        same = st.just(hypothesis)
        reference = st.one_of(
            segment,
            same,
            segment.map(lambda other, own=hypothesis: own + other),
            segment.map(lambda other, own=hypothesis: other + own[len(own) // 2 :]),
        )
        references.append(draw(st.lists(reference, min_size=1, max_size=max_references)))
    return hypotheses, references


token_corpora = corpora(tokens)


def streams_of(references):
    """Turn references of segments into streams, with None for missing references."""
    most = max(map(len, references))
    return [
        [texts[number] if number < len(texts) else None for texts in references]
        for number in range(most)
    ]


def weight_lists(min_size=1, max_size=6):
    """Weights of some orders that add up to 1."""
    parts = st.lists(st.integers(0, 9), min_size=min_size, max_size=max_size).filter(any)
    return parts.map(lambda parts: [part / sum(parts) for part in parts])


@st.composite
def bleu_settings(draw, tokenizers=tuple(_core.TOKENIZERS), smoothings=tuple(_core.SMOOTHINGS)):
    """Draw keyword arguments of Bleu, each of them given or left out."""
    smoothing = draw(st.sampled_from(smoothings))
    optional = {
        "max_order": st.integers(1, 6),
        "effective_order": st.none() | st.booleans(),
        "reference_length": st.sampled_from(_core.REFERENCE_LENGTHS),
    }
    if _core.SMOOTHINGS[smoothing] is not None:
        # method4 and method7 divide by it.
        optional["smooth_value"] = st.floats(0.01 if smoothing in ("method4", "method7") else 0, 10)
    tokenizer = draw(st.sampled_from(tokenizers))
    if tokenizer != "pretokenized":
        optional["lowercase"] = st.booleans()
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    chosen |= {"tokenizer": tokenizer, "smoothing": smoothing}
    if draw(st.booleans()):
        chosen.pop("max_order", None)
        several = st.lists(weight_lists(), min_size=1, max_size=3)
        chosen["weights"] = draw(weight_lists() | several)
    return chosen


@st.composite
def chrf_settings(draw, *, lowercase=None):
    """Draw keyword arguments of Chrf, each of them given or left out."""
    numbers = st.integers(0, 5) | st.floats(0, 10) | st.sampled_from([1e-200, 1e-9, 1e6])
    optional = {
        "char_order": st.integers(0, 8),
        "word_order": st.integers(0, 3),
        "beta": numbers,
        "lowercase": st.booleans() if lowercase is None else st.just(lowercase),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    if not chosen.get("char_order", 6) + chosen.get("word_order", 0):
        chosen["char_order"] = 1
    return chosen


ter_settings = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans()
    ),
)
