"""Print nltk_sentences.tsv: what NLTK makes of single sentences of numbered words.

Run with NLTK 3.10.4 as
``python tests/golden/make_nltk_sentences.py > tests/golden/nltk_sentences.tsv``.
"""

import random
import warnings

import nltk
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, modified_precision

# The method, its parameter and a value; the highest orders with which NLTK's method works.
METHODS = [
    ("method0", {}, range(1, 7)),
    ("method1", {}, range(1, 7)),
    ("method1", {"epsilon": 0.5}, range(1, 7)),
    ("method2", {}, range(1, 7)),
    ("method3", {}, range(1, 7)),
    ("method4", {}, range(1, 7)),
    ("method4", {"k": 2.0}, range(1, 7)),
    ("method5", {}, [4]),
    ("method6", {}, range(3, 7)),
    ("method6", {"alpha": 0.5}, range(3, 7)),
    ("method7", {}, [4]),
    ("method7", {"k": 3.0}, [4]),
]


def sentence(draw, words):
    """Draw a sentence of up to 12 words."""
    return [draw.randrange(words) for _ in range(draw.choice([0, 1, 2, 3, 4, 5, 6, 9, 12]))]


def similar(draw, text, words):
    """Change some words of a text, and its end."""
    text = [draw.randrange(words) if draw.random() < 0.15 else word for word in text]
    return text[: len(text) - draw.randrange(3)] + sentence(draw, words)[: draw.randrange(4)]


def is_odd(method, hypothesis, references):
    """Whether NLTK leaves precisions at 0, and skips them, or cannot score this."""
    if method == "method4":
        return len(hypothesis) == 1
    return method == "method6" and not modified_precision(references, hypothesis, 3).numerator


def main():
    """Print the table."""
    warnings.simplefilter("ignore")
    draw = random.Random(6)
    print(f"# From NLTK {nltk.__version__}, by tests/golden/make_nltk_sentences.py.")
    print("# References are separated by |, words are numbers. A score is from 0 to 1.")
    print(*["smoothing", "value", "weights", "hypothesis", "references", "score"], sep="\t")
    for method, parameters, orders in METHODS:
        count = 0
        while count < 25:
            words = draw.choice([2, 4, 30])
            hypothesis = sentence(draw, words)
            references = [similar(draw, hypothesis, words) for _ in range(draw.randint(1, 3))]
            order = draw.choice(orders)
            weights = [1 / order] * order
            if draw.random() < 0.4:
                shares = [draw.randrange(1, 5) for _ in range(order)]
                weights = [share / sum(shares) for share in shares]
            if is_odd(method, hypothesis, references):
                continue
            count += 1
            function = getattr(SmoothingFunction(**parameters), method)
            score = corpus_bleu([references], [hypothesis], weights, function)
            value = next(iter(parameters.values()), "")
            texts = "|".join(" ".join(map(str, text)) for text in references)
            numbers = " ".join(map(repr, weights)), " ".join(map(str, hypothesis))
            print(method, value, *numbers, texts, repr(float(score)), sep="\t")


if __name__ == "__main__":
    main()
