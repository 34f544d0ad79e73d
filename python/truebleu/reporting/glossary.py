"""The terms of a report, each in a few sentences."""

TERMS = {
    "BLEU": (
        "How much of the output is in the references, from 0 to 100: the geometric mean of the "
        "precisions of orders 1 to 4, times the brevity penalty. Counts are added up over all "
        "segments first, so the score of a corpus is not the mean of the scores of its segments. "
        "Scores can be compared only under one signature and on one test set."
    ),
    "interval": (
        "A confidence interval of the score on the population of segments that these are a sample "
        "of: at a level of 95%, 95% of the intervals built this way, each from another sample, are "
        "meant to contain that score. It does not predict the score of another test set. It comes "
        "from the segments, or documents, resampled with replacement (bootstrap). Two intervals "
        "that overlap do not show that two systems are alike; the test is about their difference."
    ),
    "p": (
        "How often a difference at least this large would come about if it made no difference "
        "which of the two systems had translated what. A large p-value does not show that there "
        "is no difference. ≤ marks a p-value that is the smallest so many trials can give."
    ),
    "adjusted p": (
        "The p-value after Holm's correction. Of many tests some come out small by chance; the "
        "correction keeps one false alarm among them all rare. Differences below 0.05 "
        "(at a level of 95 %) are called significant."
    ),
    "cluster": (
        "A line separates systems when every one above is significantly better than every one "
        "below; the systems between two lines are a cluster. Systems in one cluster may still "
        "differ significantly."
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
