"""Print formulas.tsv: what sacreBLEU makes of rows of counts, those of no text included.

Run with sacreBLEU 2.6.0 as
``python tests/golden/make_formulas.py > tests/golden/formulas.tsv``.
"""

import random
import sys

import sacrebleu

# Smoothing and its value; 0 and more than 1, too.
SMOOTHINGS = [
    *(("none", None), ("floor", None), ("floor", 0.0), ("floor", 2.5), ("add-k", None)),
    *(("add-k", 0.0), ("add-k", 0.5), ("exp", None)),
]
# Segments of which the hypothesis consists: empty, short, one and several.
LENGTHS = [[0], [1], [2], [3], [5], [9], [20], [1, 2], [3, 4, 9], [400, 7]]


def bleu_row(draw, orders):
    """Draw lengths, matches and totals; any order may be the first without a match."""
    lengths = draw.choice(LENGTHS)
    hyp_len = sum(lengths)
    totals = [sum(max(length - n, 0) for length in lengths) for n in range(orders)]
    first_without = draw.randrange(orders + 2)
    share = draw.choice([0.3, 0.7, 1.0])
    matches = [
        max(1, int(share ** (n + 1) * total)) if n < first_without and total else 0
        for n, total in enumerate(totals)
    ]
    ref_len = max(0, draw.choice([hyp_len - 1, hyp_len, hyp_len + 1, 2 * hyp_len + 1]))
    return [hyp_len, ref_len, *matches, *totals]


def chrf_row(draw, orders):
    """Draw the n-grams of the hypothesis, of the reference, and of both, for each order."""
    row = []
    for n in range(orders):
        hyp, ref = (max(0, draw.choice([0, 1, 4, 30]) - n) for _ in range(2))
        row += [hyp if ref else 0, ref, draw.randint(0, min(hyp, ref))]
    return row


def rows():
    """Yield a metric, its settings, a row, and sacreBLEU's metric."""
    draw = random.Random(5)
    for smoothing, value in SMOOTHINGS:
        for orders in range(1, 10):
            for effective in (0, 1):
                for _ in range(3):
                    bleu = sacrebleu.BLEU(
                        smooth_method=smoothing,
                        smooth_value=value,
                        max_ngram_order=orders,
                        effective_order=bool(effective),
                    )
                    row = bleu_row(draw, orders)
                    shown = "" if value is None else value
                    yield "bleu", (smoothing, shown, orders, effective), row, bleu
    for beta in (1, 2, 3):
        for char_order in range(1, 7):
            for word_order in (0, 1, 2):
                for eps in (0, 1):
                    chrf = sacrebleu.CHRF(char_order, word_order, beta, eps_smoothing=bool(eps))
                    row = chrf_row(draw, char_order + word_order)
                    yield "chrf", (char_order, word_order, beta, eps), row, chrf
    for edits, length in [(0, 0), (2, 0), (0, 7), (3, 7), (9, 7), (1, 6.5), (10, 1 / 3)]:
        yield "ter", (), [edits, length], sacrebleu.TER()


def numbers(metric, score):
    """List the score and, for BLEU, the brevity penalty and the precisions."""
    return [score.score, score.bp, *score.precisions] if metric == "bleu" else [score.score]


def main():
    """Print the table."""
    if sys.version_info >= (3, 12):
        sys.exit("From Python 3.12 on sum() compensates, which moves sacreBLEU's last bit.")
    print(f"# From sacreBLEU {sacrebleu.__version__}, by tests/golden/make_formulas.py.")
    print("# Settings of bleu: smoothing, value, orders, effective order; of chrf: orders of")
    print("# characters and words, beta, eps_smoothing. A row of ter: edits, reference length.")
    print("# Last, the score; for bleu the brevity penalty and the precisions, too.")
    print(*["metric", "settings", "row", "numbers"], sep="\t")
    for name, settings, row, metric in rows():
        score = metric._compute_score_from_stats(list(row))
        cells = [
            ",".join(map(str, settings)),
            " ".join(map(str, row)),
            " ".join(map(repr, map(float, numbers(name, score)))),
        ]
        print(name, *cells, sep="\t")


if __name__ == "__main__":
    main()
