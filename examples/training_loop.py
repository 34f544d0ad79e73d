"""A training loop that validates with chrF after each epoch, and keeps the best model.

The model is the oldest one that learns: IBM Model 1, which learns word translations by
expectation maximization, here from 60 sentences. Validation goes batch by batch into an
Accumulator, so the score is that of the corpus, not a mean of batches.

Run it: python examples/training_loop.py
"""

from collections import defaultdict
from pathlib import Path

from truebleu import Accumulator, Chrf, read_lines, tokenize

FOLDER = Path(__file__).parent
CHRF = Chrf()
BATCH = 4
PATIENCE = 2


def train_epoch(table, pairs):
    """Return the word translations after one more step of expectation maximization."""
    counts = defaultdict(lambda: defaultdict(float))
    for source, target in pairs:
        for word in target:
            total = sum(table[other].get(word, 0.0) for other in source)
            for other in source:
                counts[other][word] += table[other].get(word, 0.0) / total
    return {
        other: {word: count / sum(words.values()) for word, count in words.items()}
        for other, words in counts.items()
    }


def translate(table, source):
    """Translate word by word; a word that was never seen stays as it is."""
    words = (table.get(word) for word in source)
    best = (
        max(found, key=found.get) if found else word
        for found, word in zip(words, source, strict=True)
    )
    return " ".join(best)


def validate(table, sources, references):
    """Return chrF of the validation set, batch by batch."""
    running = Accumulator(CHRF)
    for start in range(0, len(sources), BATCH):
        batch = slice(start, start + BATCH)
        running.add([translate(table, source) for source in sources[batch]], references[batch])
    return running.score()


def main():
    """Train until validation stops improving."""
    sources = [tokenize(text) for text in read_lines(FOLDER / "source.de")]
    references = read_lines(FOLDER / "reference-a.en")
    pairs = [
        (source, tokenize(text)) for source, text in zip(sources[:60], references, strict=False)
    ]
    table = defaultdict(dict)
    for source, target in pairs:
        for other in source:
            table[other] |= dict.fromkeys(target, 1.0)
    best, best_table, waited = None, None, 0
    for epoch in range(1, 31):
        table = train_epoch(table, pairs)
        score = validate(table, sources[60:], references[60:])
        better = best is None or score > best
        print(f"epoch {epoch}: {CHRF.name} {float(score):.2f}{' *' if better else ''}")
        best, best_table, waited = (score, table, 0) if better else (best, best_table, waited + 1)
        if waited == PATIENCE:
            break
    print(
        f"best: {float(best):.2f}, {validate(best_table, sources[60:], references[60:]):.2f} again"
    )
    print(best.signature)


if __name__ == "__main__":
    main()
