"""The texts that the net is cast over: examples, made-up ones in all scripts, and WMT's if at hand.

The numbers are drawn by a generator of this file, so that no library's next version moves them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
SHARED = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))
MADE = 500  # Segments, each with a hypothesis and three references: 2,000 texts.


class Corpus(NamedTuple):
    """Hypotheses, and for each of them its references."""

    hypotheses: list[str]
    references: list[list[str]]

    def first(self, count: int, references: int | None = None) -> Corpus:
        """Return the first segments, with as many references each."""
        kept = [several[:references] for several in self.references[:count]]
        return Corpus(self.hypotheses[:count], kept)


class Draws:
    """Pseudo-random numbers: SplitMix64 (Steele, Lea and Flood 2014)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to below `limit`."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        value = self.state
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
        return (value ^ value >> 31) % limit

    def one_of(self, items: list[str]) -> str:
        """Return one of the items."""
        return items[self.below(len(items))]

    def unit(self) -> float:
        """Return a number from 0 to below 1."""
        return self.below(2**53) / 2**53


# Halves of the blocks of Unicode, but surrogates and what is for private use: every script.
BLOCKS = [0x20, *range(0x80, 0xD800, 0x80), *range(0xF900, 0x1FC00, 0x80)]
WRITTEN = """
. , ; : ! ? - -- ... ( ) [ ] " ' / & % $ # @ * + = < > | ~ ^ _ ` { } \\
&quot; &amp; &lt; &gt; <skipped> 1,000 3.14 -7 2026 10% U.S. don't e-mail
。 、 「 」 ， ！ ？ … “ ” ‘ ’ « » — ¿ ¡ ؟ ، । 한국어 日本語 中文 ไทย 😀 👩‍👩‍👧 🇰🇷
"""
MARKS = WRITTEN.split()
SPACES = [" "] * 30 + ["  ", "\t", "\u00a0", "\u3000", "\u2009", "\u200b", " \u200f"]


def _letters(draws: Draws) -> list[str]:
    """Return letters of one script, or two."""
    found = [chr(0x61 + number) for number in range(4)] if draws.below(3) == 0 else []
    for _ in range(1 + (draws.below(6) == 0)):
        start = BLOCKS[draws.below(len(BLOCKS))]
        found += [chr(start + draws.below(0x80)) for _ in range(4 + draws.below(16))]
    return found


def _length(draws: Draws) -> int:
    """Return a number of words: mostly that of a sentence, sometimes none, or a document's."""
    kind = draws.below(100)
    if kind < 2:
        return 0
    if kind < 10:
        return 1 + draws.below(3)
    if kind < 92:
        return 4 + draws.below(40)
    return (60 if kind < 97 else 250) + draws.below(200)


def _reference(draws: Draws, words: list[str], length: int) -> list[str]:
    common = words[: 1 + len(words) // 4]
    choices = (common, common, words, MARKS)
    return [draws.one_of(choices[draws.below(4)]) for _ in range(length)]


def _edited(draws: Draws, tokens: list[str], words: list[str], rate: int) -> list[str]:
    """Return tokens of which some are dropped, doubled, replaced, moved, or in other case."""
    found: list[str] = []
    for token in tokens:
        edit = draws.below(rate)
        if edit == 1:
            found += [token, token]
        elif edit == 2:
            found.append(draws.one_of(words))
        elif edit == 3:
            found.insert(draws.below(len(found) + 1), token)
        elif edit == 4:
            found.append(token.upper())
        elif edit == 5:
            found += [token, draws.one_of(MARKS)]
        elif edit:
            found.append(token)
    if len(found) > 8 and draws.below(3) == 0:
        cut = 2 + draws.below(len(found) - 4)
        found = found[cut:] + found[:cut]
    return found


def _text(draws: Draws, tokens: list[str]) -> str:
    text = "".join(draws.one_of(SPACES) + token for token in tokens)
    return "".join(text[draws.below(2) :].splitlines())


@cache
def made() -> Corpus:
    """Return segments in all scripts, with three references each."""
    draws = Draws(2026)
    corpus = Corpus([], [])
    for _ in range(MADE):
        letters = _letters(draws)
        words = [
            "".join(draws.one_of(letters) for _ in range(1 + draws.below(7)))
            for _ in range(3 + draws.below(40))
        ]
        tokens = _reference(draws, words, _length(draws))
        rate = 7 + draws.below(60)
        references = [_edited(draws, tokens, words, 40) for _ in range(3)]
        if draws.below(50) == 0:
            references[draws.below(3)] = []
        corpus.hypotheses.append(_text(draws, _edited(draws, tokens, words, rate)))
        corpus.references.append([_text(draws, reference) for reference in references])
    return corpus


def made_unequally() -> Corpus:
    """Return the same segments with one to three references."""
    corpus = made()
    kept = [several[: 1 + i % 3] for i, several in enumerate(corpus.references)]
    return Corpus(corpus.hypotheses, kept)


def documents() -> Corpus:
    """Return the same segments joined to texts of thousands of characters."""
    corpus = made()
    starts = range(0, 160, 8)
    hypotheses = [" ".join(corpus.hypotheses[start : start + 8]) for start in starts]
    joined = [
        [" ".join(several[0] for several in corpus.references[start : start + 8])]
        for start in starts
    ]
    return Corpus(hypotheses, joined)


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def example(system: str, references: str) -> Corpus:
    """Return a system of the examples, with references such as ``ab``."""
    texts = [lines(EXAMPLES / f"reference-{name}.en") for name in references]
    several = [list(each) for each in zip(*texts, strict=True)]
    return Corpus(lines(EXAMPLES / f"system-{system}.en"), several)


def korean() -> Corpus:
    """Return the Korean example."""
    references = [[line] for line in lines(EXAMPLES / "korean-reference.ko")]
    return Corpus(lines(EXAMPLES / "korean-system.ko"), references)


def shared_systems(folder: str) -> list[Path]:
    """Return the files of the systems of a shared task, sorted by name."""
    return sorted((SHARED / folder).glob("sys.*.txt"))


def shared(folder: str, system: int) -> Corpus:
    """Return a system of a shared task with all of its references."""
    references = [lines(path) for path in sorted((SHARED / folder).glob("ref.*.txt"))]
    several = [list(each) for each in zip(*references, strict=True)]
    return Corpus(lines(shared_systems(folder)[system]), several)


CORPORA: dict[str, Callable[[], Corpus]] = {
    "examples, strong, 1 reference": lambda: example("strong", "a"),
    "examples, medium, 2 references": lambda: example("medium", "ab"),
    "examples, weak, 2 references": lambda: example("weak", "ab"),
    "examples, Korean": korean,
    "made, 1 reference": lambda: made().first(MADE, 1),
    "made, 3 references": made,
    "made, 1 to 3 references": made_unequally,
    "made, documents": documents,
    "shared, newstest2017 en-de, system 3": lambda: shared("newstest2017/en-de", 3),
    "shared, newstest2021 en-de, system 5": lambda: shared("newstest2021/en-de", 5),
    "shared, newstest2021 en-ja, system 2": lambda: shared("newstest2021/en-ja", 2),
    "shared, biomed2021 en-zh, system 4": lambda: shared("biomed2021/en-zh", 4),
    "shared, generaltest2022 cs-uk, system 1": lambda: shared("generaltest2022/cs-uk", 1),
    "shared, generaltest2023 en-de, system 0": lambda: shared("generaltest2023/en-de", 0),
}
"""Corpora by the names that cases have; those of shared tasks are not part of the project."""


@cache
def corpus(name: str) -> Corpus:
    """Return a corpus by its name."""
    return CORPORA[name]()


def gold_scores(systems: int, segments: int) -> Iterator[tuple[str, list[float | None], list[int]]]:
    """Yield the human scores of each system, some of them missing, and a metric's, with ties."""
    draws = Draws(7)
    for system in range(systems):
        gold: list[float | None] = []
        metric = []
        for segment in range(segments):
            quality = draws.below(40) + 3 * system + segment % 7
            gold.append(None if draws.below(25) == 0 else float(quality // 4))
            metric.append((quality + draws.below(30)) // 3)
        yield f"s{system}", gold, metric
