"""The terms of a report, each in a few sentences."""

TERMS = {
    "BLEU": (
        "How much of the output is in the references, from 0 to 100: the geometric mean of the "
        "precisions of orders 1 to 4, times the brevity penalty. Counts are added up over all "
        "segments first, so the score of a corpus is not the mean of the scores of its segments. "
        "Scores can be compared only under one signature and on one test set."
    ),
    "interval": (
        "How far the score may be chance: of intervals made so from many test sets like this one, "
        "95 in 100 would contain the score of endlessly many such segments, if the level is 95 %. "
        "It comes from samples of the segments, or documents, with repetition (bootstrap). "
        "Two intervals that overlap do not show that two systems are alike: the test of the "
        "difference does."
    ),
    "p": (
        "How often a difference at least this large would come about if it made no difference "
        "which of the two systems had translated what. Small: the difference is hardly chance. "
        "Large: it may be chance; that does not show that there is none."
    ),
    "adjusted p": (
        "The p-value after Holm's correction. Of many tests some come out small by chance; the "
        "correction keeps one false alarm among them all rare. Differences below 0.05 "
        "(at a level of 95 %) are called significant."
    ),
    "cluster": (
        "Systems that the tests cannot put into an order. Each system of a cluster is "
        "significantly better than each one of the clusters below."
    ),
    "precision": (
        "How many n-grams of the output are in the references, as a share of the n-grams of the "
        "output. A match counts at most as often as the one reference that has it most often."
    ),
    "n-gram": (
        "Tokens in a row: one of them is of order 1, four are of order 4. Tokens are what the "
        "tokenizer in the signature makes of the text."
    ),
    "clipped": (
        "An n-gram that the output has more often than any one reference. What is more than that "
        "does not count, so repeating a good word earns nothing."
    ),
    "brevity penalty": (
        "1 if the output has at least as many tokens as the references, else exp(1 - references / "
        "output). Precision alone would favour output that says little."
    ),
    "length ratio": (
        "Tokens of the output divided by those of the references; of several references in each "
        "segment the length that the signature names, by default the closest."
    ),
    "score of a segment": (
        "BLEU of a segment by itself. Orders for which it is too short are left out, and an order "
        "without a match is smoothed, so it is a rough number: it finds segments worth "
        "reading and does not judge them."
    ),
    "influence": (
        "The exact change of the score, or of the difference of two scores, if the segment is "
        "left out. Below zero: the segment speaks for the system, or for A against B."
    ),
    "signature": (
        "All that the numbers depend on: tokenizer, case, smoothing, references, samples, seed, "
        "version. Publish it with the score; truebleu reads it back."
    ),
}
"""Each term with its explanation."""
