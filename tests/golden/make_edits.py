"""Print edits.tsv: how many edits sacreBLEU's TER finds between sequences of numbered words.

Run with sacreBLEU 2.6.0 as ``python tests/golden/make_edits.py > tests/golden/edits.tsv``.
"""

import random

import sacrebleu
from sacrebleu.metrics.lib_ter import translation_edit_rate


def moved(words, start, length, target):
    """Move a block of words to before the word that is at `target` without the block."""
    block, rest = words[start : start + length], words[:start] + words[start + length :]
    return rest[:target] + block + rest[target:]


def edited(draw, words, distinct):
    """Replace, insert, delete and move some words."""
    words = list(words)
    for _ in range(draw.randrange(1, 9)):
        place = draw.randrange(len(words))
        match draw.randrange(4):
            case 0:
                words[place] = draw.randrange(distinct)
            case 1:
                words.insert(place, draw.randrange(distinct))
            case 2 if len(words) > 1:
                del words[place]
            case _:
                words = moved(words, place, draw.randint(1, 12), draw.randrange(len(words)))
    return words


def pairs():
    """Yield a hypothesis and a reference."""
    draw = random.Random(7)
    # Distances around the farthest shift, and blocks around the longest, both ways.
    for distance in (49, 50, 51):
        for length in (1, 9, 10, 11):
            words = list(range(80))
            there = moved(words, 5, length, 5 + distance)
            yield from ((words, there), (there, words))
    # Words that are missing on one side move the path to the edges of the beam, and beyond.
    for missing in (23, 24, 25, 26, 27):
        words, others = list(range(110)), [*range(500, 500 + missing)]
        yield words, others + words
        yield others + words, words
        yield others + words, words + others
    # A text so much longer than the other that the beam is wider.
    for length in (49, 50, 51, 52, 120):
        yield [1], [*range(length)]
        yield [7, 3], [*range(2 * length)]
    # Any edits in texts of different vocabularies: few words have very many candidates.
    for length in (12, 30, 50, 70, 90, 110):
        for distinct in (3, 15, 60, 1000):
            words = [draw.randrange(distinct) for _ in range(length)]
            yield edited(draw, words, distinct), words


def main():
    """Print the table."""
    print(f"# From sacreBLEU {sacrebleu.__version__}, by tests/golden/make_edits.py.")
    print(*["hypothesis", "reference", "edits"], sep="\t")
    for texts in pairs():
        words = [[str(word) for word in text] for text in texts]
        edits, _ = translation_edit_rate(*words)
        print(*map(" ".join, words), edits, sep="\t")


if __name__ == "__main__":
    main()
