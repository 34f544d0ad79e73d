"""Draw the figures of the course, each from the library's own numbers.

Run it in the root of the repository: ``python docs/course/make.py``. A test compares its figures
with those in docs/course/figures/ and docs/ko/figures/.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import truebleu
from drawing import Figure
from truebleu import Bleu, Chrf, Ter
from words import english, korean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from words import Say

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ROOT / "docs" / "course" / "figures", ROOT / "docs" / "ko" / "figures"

REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands.",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party.",
    "It is the practical guide for the army always to heed the directions of the party.",
]
GOOD = (
    "It is a guide to action which ensures that the military always obeys the commands of the "
    "party."
)
BAD = "It is to insure the troops forever hearing the activity guidebook that party direct."
SHUFFLED = (
    "the that military a is It guide ensures which to commands the of action obeys always party the"
)
CATS = ["the cat is on the mat", "there is a cat on the mat"]
PLAIN = Bleu(tokenizer="none", smoothing="none")


def without_stops(*texts: str) -> list[str]:
    """Remove full stops at the end, as the paper does."""
    return [text.rstrip(".") for text in texts]


def tokens(say: Say = english) -> Figure:
    """Split the end of a sentence in two ways."""
    figure = Figure(720, 160)
    for y, tokenizer, name in ((38, "none", ".split()"), (110, "13a", "13a")):
        found = truebleu.explain(BAD, REFERENCES, tokenizer=tokenizer, max_order=1)
        matched = {ngram.tokens[0] for ngram in found.ngrams[0] if ngram.clipped}
        [matches, *_], [total, *_] = found.score.counts, found.score.totals
        counts = "{name}: {matches} of {total} tokens match"
        figure.text(20, y - 10, say(counts, name=name, matches=matches, total=total))
        x = 20.0
        for word in ("…", *found.hypothesis[7:]):
            if word == "…":
                figure.text(x, y + 18, word)
                x += 20
            else:
                x = figure.token(x, y, word, hit=word in matched)
    return figure


def clipping(say: Say = english) -> Figure:
    """One word, repeated."""
    figure = Figure(720, 176)
    hypothesis = "the " * 7
    credited = PLAIN.segment(hypothesis, CATS).counts[0]
    x = 200.0
    figure.text(20, 38, say("hypothesis"))
    for place, word in enumerate(hypothesis.split()):
        figure.token(x, 20, word, hit=place < credited)
        result = say("credited" if place < credited else "clipped")
        figure.text(x + 20, 62, result, "small middle")
        x += 70
    for row, reference in enumerate(CATS):
        y, x = 86 + 36 * row, 200.0
        times = truebleu.parts.ngram_counts(reference.split(), 1)["the",]
        name = say("reference {number} has {times}", number=row + 1, times=times)
        figure.text(20, y + 18, name)
        for word in reference.split():
            x = figure.token(x, y, word, hit=word == "the")
    result = say("maximum: {credited}, so {credited} of 7 count", credited=credited)
    figure.text(20, 166, result, "small")
    return figure


def ngrams(say: Say = english) -> Figure:
    """Precision by order, of three hypotheses."""
    figure = Figure(720, 260)
    good, bad, *references = without_stops(GOOD, BAD, *REFERENCES)
    figure.path([(60, 200), (700, 200)])
    named = (("good", good, "a"), ("random order", SHUFFLED, "b"), ("bad", bad, "c"))
    for place, (name, text, kind) in enumerate(named):
        figure.box(60 + 150 * place, 16, 14, 14, kind)
        figure.text(80 + 150 * place, 28, say(name))
        score = PLAIN.segment(text, references)
        for order, (count, total) in enumerate(zip(score.counts, score.totals, strict=True)):
            x, height = 70 + 160 * order + 48 * place, 140 * count / total
            figure.box(x, 200 - max(height, 1), 40, max(height, 1), kind)
            figure.text(x + 20, 194 - height, f"{count}/{total}", "small middle")
    for order in range(4):
        figure.text(138 + 160 * order, 222, say("order {number}", number=order + 1), "middle")
    figure.text(60, 248, say("precision: matches / n-grams of the hypothesis"), "small")
    return figure


def mean(say: Say = english) -> Figure:
    """Four precisions and two means."""
    figure = Figure(720, 260)
    good, *references = without_stops(GOOD, *REFERENCES)
    score = PLAIN.segment(good, references)
    precisions = [value / 100 for value in score.precisions]
    figure.path([(40, 220), (470, 220)])
    for order, value in enumerate(precisions):
        x = 55 + 105 * order
        figure.box(x, 220 - 190 * value, 70, 190 * value, "a")
        figure.text(x + 35, 242, f"p{'₁₂₃₄'[order]} = {value:.4f}", "middle")
    for value, name, kind in (
        (sum(precisions) / 4, "{value:.4f} arithmetic mean", "line"),
        (score.fraction, "{value:.4f} geometric mean = BLEU", "mark"),
    ):
        y = 220 - 190 * value
        figure.path([(40, y), (470, y)], kind)
        below = 14 if kind == "mark" else -4
        figure.text(478, y + below, say(name, value=value))
    return figure


def brevity(say: Say = english) -> Figure:
    """Draw the brevity penalty by the ratio of lengths."""
    figure = Figure(720, 270)
    left, bottom, wide, high = 60, 220, 600, 180
    figure.path([(left, bottom - high - 10), (left, bottom), (left + wide, bottom)])
    length = 200
    points = [
        (
            left + wide * hyp_len / length / 1.5,
            bottom - high * truebleu.parts.brevity_penalty(hyp_len=hyp_len, ref_len=length),
        )
        for hyp_len in range(1, 301)
    ]
    figure.path(points, "curve")
    for ratio in (0.5, 0.8, 1.0):
        value = truebleu.parts.brevity_penalty(hyp_len=int(length * ratio), ref_len=length)
        x, y = left + wide * ratio / 1.5, bottom - high * value
        figure.path([(x, bottom), (x, y)], "mark")
        figure.text(x - 8, y - 6, f"{value:.2f}", "end")
        figure.text(x, bottom + 18, f"{ratio:g}", "middle")
    figure.text(left - 10, bottom - high + 5, "1", "end")
    figure.text(left - 10, bottom + 5, "0", "end")
    figure.text(left + wide, bottom + 18, "1.5", "middle")
    figure.text(left + wide / 2, 258, say("length ratio c/r"), "small middle")
    figure.text(left + 10, 28, "BP", "small")
    return figure


def corpus(say: Say = english) -> Figure:
    """Rows of statistics, and their sum."""
    figure = Figure(720, 210)
    stats = PLAIN.stats(["the " * 7, "the cat the cat the cat"], [CATS, CATS])
    rows = [*stats.to_numpy().tolist(), *stats.sum().to_numpy().reshape(1, -1).tolist()]
    heads = [(2, "lengths"), (4, "matches of orders 1 to 4"), (4, "totals of orders 1 to 4")]
    x = 130.0
    for columns, name in heads:
        figure.text(x + 27 * columns - 3, 28, say(name), "small middle")
        x += 54 * columns + 12
    names = *(say("segment {number}", number=number) for number in (1, 2)), say("sum")
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y, x = 42 + 40 * place + (10 if place == 2 else 0), 130.0
        figure.text(20, y + 18, name)
        for column, value in enumerate(row):
            x += 12 if column in (2, 6) else 0
            figure.token(x, y, str(value), hit=column in (2, 6), width=46)
            x += 54
    figure.path([(20, 124), (700, 124)])
    score = PLAIN.score(stats)
    share, value = f"{score.counts[0]}/{score.totals[0]}", score.precisions[0]
    last = "Unigram precision of the corpus: {share} = {value:.2f}%. One division, at the end."
    figure.text(20, 192, say(last, share=share, value=value))
    return figure


def smoothing(say: Say = english) -> Figure:
    """One sentence under several kinds of smoothing."""
    figure = Figure(720, 200)
    bad, *references = without_stops(BAD, *REFERENCES)
    rows = []
    for name in ("none", "floor", "exp", "add-k"):
        value = Bleu(tokenizer="none", smoothing=name).segment(bad, references).score
        rows.append((name, value, f"{value:.2f}"))
    figure.bars(rows, 150, 20, 10.5)
    value = Bleu.dialect("skip-zero").segment(bad, references).score
    said = say("{value:.2f}, not BLEU", value=value)
    figure.bars([(say("zeros skipped"), value, said)], 150, 148, 10.5, "c")
    return figure


def limits(say: Say = english) -> Figure:
    """Right and wrong translations, and their scores."""
    figure = Figure(720, 260)
    reference = "The committee did not approve the new budget on Monday."
    figure.text(20, 30, say("Reference: {reference}", reference=reference))
    for place, (text, kind) in enumerate(
        (
            ("The committee did not approve the new budget on Sunday.", "b"),
            ("The committee did approve the new budget on Monday.", "b"),
            ("The committee did not approve a new budget on Monday.", "a"),
            ("The panel did not approve the new spending plan on Monday.", "a"),
            ("On Monday, the committee rejected the new budget.", "a"),
        )
    ):
        y, value = 48 + 34 * place, Bleu().segment(text, reference).score
        figure.text(20, y + 16, text)
        figure.box(480, y, 1.9 * value, 22, kind)
        figure.text(488 + 1.9 * value, y + 16, f"{value:.2f}")
    for x, kind, name in ((20, "b", "wrong meaning"), (180, "a", "right, or nearly")):
        figure.box(x, 230, 14, 14, kind)
        figure.text(x + 20, 242, say(name))
    return figure


def chrf(say: Say = english) -> Figure:
    """Characters in pairs that both texts have."""
    figure = Figure(720, 150)
    texts = ["Hunde bellten laut", "Der Hund bellte laut"]
    score = Chrf().segment(*texts)
    pairs = [
        truebleu.parts.ngram_counts([character for character in text if character != " "], 2)
        for text in texts
    ]
    shared = pairs[0] & pairs[1]
    for y, text in ((20, texts[0]), (60, texts[1])):
        bare = [place for place, character in enumerate(text) if character != " "]
        hits = {
            place
            for one, other in pairwise(bare)
            if (text[one], text[other]) in shared
            for place in (one, other)
        }
        for place in bare:
            figure.token(130 + 28 * place, y, text[place], hit=place in hits, width=25)
    figure.text(20, 38, say("hypothesis"))
    figure.text(20, 78, say("reference"))
    counts = (
        "Pairs of characters: {matches} match, of {total} in the hypothesis and {ref_total} in the "
        "reference."
    )
    matches, total, ref_total = (
        each[1] for each in (score.matches, score.hyp_totals, score.ref_totals)
    )
    figure.text(20, 124, say(counts, matches=matches, total=total, ref_total=ref_total))
    return figure


def ter(say: Say = english) -> Figure:
    """One shift."""
    figure = Figure(720, 200)
    hypothesis, reference = "on the mat the cat sat", "the cat sat on the mat"
    found = truebleu.explain(hypothesis, reference, metric="ter")
    shift, *edits = found.steps
    moved = range(shift.start, shift.start + len(shift.hypothesis.split()))
    for y, name, words in (
        (20, "hypothesis", hypothesis.split()),
        (86, "after the shift", [edit.hypothesis for edit in edits]),
        (122, "reference", reference.split()),
    ):
        figure.text(20, y + 18, say(name))
        for place, word in enumerate(words):
            hit = y > 20 or place not in moved
            figure.token(150 + 70 * place, y, word, hit=hit, width=62)
    figure.path([(251, 50), (251, 66), (461, 66), (461, 82)], "mark")
    figure.path([(456, 76), (461, 83), (466, 76)], "mark")
    figure.text(20, 180, Ter().segment(hypothesis, reference))
    return figure


def versions() -> tuple[list[str], list[str], list[str]]:
    """Return a system, a new version of it, and the references."""
    old, better, worse, references = (
        truebleu.read_lines(ROOT / "examples" / f"{name}.en")
        for name in ("system-medium", "system-strong", "system-weak", "reference-a")
    )
    new = [better[i] if i % 3 == 1 else worse[i] if i % 6 == 0 else old[i] for i in range(len(old))]
    return old, new, references


def significance(say: Say = english) -> Figure:
    """Differences of two systems over bootstrap samples."""
    figure = Figure(720, 270)
    old, new, references = versions()
    bleu = Bleu()
    drawn = np.random.default_rng(1).integers(len(old), size=(1000, len(old)))
    scores = [
        bleu.scores(bleu.stats(system, references).to_numpy()[drawn].sum(axis=1))
        for system in (old, new)
    ]
    difference = scores[1] - scores[0]
    counts, edges = np.histogram(difference, bins=32, range=(-3, 13))
    place = lambda value: 50 + 620 * (value + 3) / 16  # noqa: E731
    for count, edge in zip(counts.tolist(), edges.tolist(), strict=False):
        height = 1.7 * count
        figure.box(place(edge), 220 - height, 18, height, "a")
    figure.path([(50, 220), (670, 220)])
    for value in range(-2, 13, 2):
        figure.text(place(value), 238, value, "middle")
    figure.path([(place(0), 220), (place(0), 30)])
    low, high = np.percentile(difference, [2.5, 97.5]).tolist()
    figure.path([(place(low), 40), (place(low), 30), (place(high), 30), (place(high), 40)], "mark")
    interval = say("95% of samples: {low:.1f} to {high:.1f}", low=low, high=high)
    figure.text((place(low) + place(high)) / 2, 24, interval, "middle")
    name = say("BLEU of the new version minus that of the old one")
    figure.text(360, 260, name, "small middle")
    return figure


FIGURES = (
    *(tokens, clipping, ngrams, mean, brevity, corpus),
    *(smoothing, limits, chrf, ter, significance),
)


def files() -> Iterator[tuple[Path, str]]:
    """Draw every figure in both languages; give its place and what belongs there."""
    for folder, say in zip(FOLDERS, (english, korean), strict=True):
        for draw in FIGURES:
            yield folder / f"{draw.__name__}.svg", draw(say).svg()


def main() -> None:
    """Write all figures."""
    for path, figure in files():
        path.parent.mkdir(exist_ok=True)
        path.write_text(figure, "utf-8")


if __name__ == "__main__":
    main()
