"""Time grows with the text, not with its square, wherever text goes in and whatever it looks like.

Every call is timed on n, 2n and 4n units of text. Twice as much may take 2.5 times as long: more
than 2, because tables outgrow the processor's caches, and far less than the 4 of a quadratic
algorithm. One of the two steps may be steeper, where a cache ends; what is quadratic is steep in
both. Where two caches end one after the other, the sizes decide that lie beyond: on 4n, 8n and 16n
units, a square that was a quarter of the time of n is nearly all of it, and takes more than 3 times
as long at each step. On a machine whose caches others fill, each step may be as steep as that, but
not all together as steep as a square: sixteen times as much text takes less than half of 256 times
as long.
"""

import gc
import io
import itertools
import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
import truebleu
from looping import later
from truebleu import Accumulator, Bleu, Chrf, Ragged, Ter, _core, cli

pytestmark = [
    pytest.mark.slow,
    # Odd text is warned of, and this is odd text.
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

# Multiples of the units, and how much longer each may take than the one before. What takes longer
# at every step has to pass with the next: a size at which the processor's caches are full, which
# others use too, is not twice as much of it.
LIMITS = (((1, 2, 4), 2.5), ((4, 8, 16), 3.0), ((4, 64), 128))

# How often each size is measured. The shortest time counts, because noise only adds to it. What
# seems to grow too fast is measured again, and again.
ROUNDS = (1, 2, 8, 26)

# Seconds before measuring again: what keeps the processor's caches busy may end.
PAUSE = 2

# CPU seconds to measure at least; a shorter call is repeated.
ENOUGH = 0.002

# Text of n units.
TEXTS = {
    "sentences": lambda n: "It rained all day, and then it did not. " * (n // 9),
    "one word": lambda n: "word " * n,
    "two words in turn": lambda n: "this that " * (n // 2),
    "distinct words": lambda n: " ".join(f"w{number:06}" for number in range(n)),
    "long words": lambda n: " ".join(f"{'w' * 20}{number:06}" for number in range(n)),
    "no space": lambda n: "aaaaaaaa" * n,
    "spaces": lambda n: " " * 8 * n,
    "punctuation": lambda n: ".," * n,
    "numbers": lambda n: "1,2.3-" * n,
    "unfinished entities": lambda n: "&am" * n,
    "Chinese": lambda n: "\u4f60\u597d" * n,
    "one letter with all marks": lambda n: "e" + "\u0301\u0323" * n,
    "letters with marks": lambda n: "e\u0301\u0323 " * n,
    "letters that lowercase to two": lambda n: "\u0130\u03a3 " * n,
    "surrogates": lambda n: "\ud800a " * n,
    "entities": lambda n: "&amp; " * n,
    "entities in entities": lambda n: "&amp;lt; " * n,
    "skipped marks": lambda n: "a <skipped>" * n,
    "hyphens at line ends": lambda n: "a-\nb " * n,
}

IDS = {
    "one id": lambda n: [7] * n,
    "two ids in turn": lambda n: [7, 8] * (n // 2),
    "consecutive": lambda n: list(range(n)),
    "counting down": lambda n: list(range(n, 0, -1)),
    **{
        f"multiples of 2**{power}": lambda n, power=power: [k << power for k in range(n)]
        for power in (8, 16, 32, 40, 44, 48)
    },
}


def one_segment(text):
    return [f"{text}a"], [f"b {text}a"]


def several_references(text):
    return [f"{text}a"], [[f"b {text}a", text, text[::-1]]]


def many_segments(text):
    """Cut a text into segments of 20 characters; most differ from their references."""
    segments = [text[start : start + 20] for start in range(0, len(text), 20)]
    return ["a", *segments], [*segments, "a"]


def moved(text):
    """Move every fourth word to the end, so that there are many shifts to try."""
    words = text.split(" ")
    return [text], [" ".join([*words[::4], *(w for n, w in enumerate(words) if n % 4)])]


def half(text):
    return [text[: len(text) // 2]], [text]


def columns(text):
    return map(pa.array, one_segment(text.encode(errors="replace").decode()))


def four_texts(text):
    return ([f"{text}a", f"b {text}", text[::-1], text],)


def many_texts(text):
    return many_segments(text)[:1]


def one_text(text):
    return (text,)


def two_texts(text):
    return f"{text}a", f"b {text}a"


def accumulate(hypotheses, references):
    total = Accumulator()
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        total.add([hypothesis], [reference])
    return total.score()


def opened(text):
    return io.StringIO(text.encode(errors="replace").decode())


class EntryPoint(NamedTuple):
    """What is called, with the text in which form, and how much of it."""

    call: Any
    form: Any
    units: int = 2000


TER = Ter(normalized=True, no_punct=True, asian_support=True)


ENTRY_POINTS = {
    "corpus_bleu of one segment": EntryPoint(truebleu.corpus_bleu, one_segment),
    "corpus_bleu of many segments": EntryPoint(truebleu.corpus_bleu, many_segments),
    "corpus_bleu of several references": EntryPoint(truebleu.corpus_bleu, several_references),
    "corpus_bleu of Arrow columns": EntryPoint(truebleu.corpus_bleu, columns),
    "corpus_bleu of normalized text": EntryPoint(
        Bleu(unicode_form="NFKC", lowercase=True).corpus, one_segment
    ),
    "corpus_bleu of long n-grams": EntryPoint(Bleu(max_order=20).corpus, one_segment),
    "corpus_bleu with a function": EntryPoint(Bleu(tokenizer=str.split).corpus, one_segment),
    "sentence_bleu": EntryPoint(truebleu.sentence_bleu, two_texts),
    "sentences": EntryPoint(Bleu().segments, many_segments),
    "Accumulator": EntryPoint(accumulate, many_segments, 500),
    "corpus_bleu of open files": EntryPoint(
        lambda *texts: truebleu.corpus_bleu(*map(opened, texts)), two_texts
    ),
    "clipped_counts": EntryPoint(
        lambda *texts: [
            function(hypothesis=texts[0].split(), references=[texts[1].split()], n=4)
            for function in (truebleu.parts.clipped_counts, truebleu.parts.clipped_precision)
        ],
        two_texts,
    ),
    "audit of one segment": EntryPoint(truebleu.audit, one_segment, 1000),
    "audit of many segments": EntryPoint(truebleu.audit, many_segments),
    "audit of chrF": EntryPoint(
        lambda *corpus: truebleu.audit(*corpus, metric="chrf"), many_segments, 1000
    ),
    "best_of": EntryPoint(lambda texts: truebleu.best_of([texts], texts[:1]), four_texts),
    "explain of a segment": EntryPoint(lambda *two: str(truebleu.explain(*two)), two_texts, 500),
    "explain of a segment, as HTML": EntryPoint(
        lambda *two: truebleu.explain(*two).to_html(), two_texts, 500
    ),
    "explain of a corpus": EntryPoint(
        lambda *corpus: str(truebleu.explain(*corpus)), many_segments, 250
    ),
    **{
        f"explain {metric} of a {unit}": EntryPoint(
            lambda *two, metric=metric: str(truebleu.explain(*two, metric=metric)), form, 250
        )
        for metric in ("chrf++", "ter")
        for unit, form in (("segment", two_texts), ("corpus", many_segments))
    },
    "mbr": EntryPoint(lambda texts: truebleu.mbr([texts]), four_texts, 1000),
    "mbr, aggregated": EntryPoint(
        lambda texts: truebleu.mbr([texts], method="aggregated"), many_texts
    ),
    "pairwise": EntryPoint(truebleu.pairwise, four_texts, 1000),
    "self_bleu of long texts": EntryPoint(truebleu.self_bleu, four_texts, 1000),
    "self_bleu of many texts": EntryPoint(truebleu.self_bleu, many_texts),
    "tokenize": EntryPoint(truebleu.tokenize, one_text),
    "tokenize with offsets": EntryPoint(
        lambda text: truebleu.tokenize(text, lowercase=True, offsets=True), one_text
    ),
    **{
        f"{name} of {form.__name__}": EntryPoint(function, form, units)
        for form in (one_segment, several_references)
        for name, function, units in (
            ("corpus_chrf", truebleu.corpus_chrf, 2000),
            ("corpus_chrf with words", Chrf(word_order=2, whitespace=True).corpus, 2000),
            ("corpus_ter", truebleu.corpus_ter, 2000),
            ("corpus_ter, normalized", TER.corpus, 2000),
        )
    },
    "corpus_chrf of many segments": EntryPoint(truebleu.corpus_chrf, many_segments),
    "corpus_ter of many segments": EntryPoint(truebleu.corpus_ter, many_segments),
    "sentence_chrf": EntryPoint(truebleu.sentence_chrf, two_texts),
    "sentence_ter": EntryPoint(truebleu.sentence_ter, two_texts),
    "corpus_ter of moved phrases": EntryPoint(truebleu.corpus_ter, moved),
    "corpus_ter of unlike lengths": EntryPoint(truebleu.corpus_ter, half),
    **{
        f"tokenizer {name}": EntryPoint(Bleu(tokenizer=name).segment, two_texts)
        for name in _core.TOKENIZERS
    },
}

PRETOKENIZED = Bleu(tokenizer="pretokenized")


def one_list(ids):
    return [[*ids, 1]], [[2, *ids]]


def many_lists(ids):
    """Cut ids into segments of 10; most differ from their references."""
    segments = [ids[start : start + 10] for start in range(0, len(ids), 10)]
    return [[1], *segments], [*segments, [1]]


def ragged(ids):
    return [Ragged(np.array(each), np.array([0, len(each)])) for each in ([*ids, 1], [2, *ids])]


def four_lists(ids):
    return ([[*ids, 1], [2, *ids], ids[::-1], ids],)


ID_ENTRY_POINTS = {
    "corpus_bleu of one segment": EntryPoint(PRETOKENIZED.corpus, one_list),
    "corpus_bleu of many segments": EntryPoint(PRETOKENIZED.corpus, many_lists),
    "corpus_bleu of Ragged": EntryPoint(PRETOKENIZED.corpus, ragged),
    "sentence_bleu": EntryPoint(PRETOKENIZED.segment, lambda ids: ([*ids, 1], [2, *ids])),
    "pairwise": EntryPoint(partial(truebleu.pairwise, tokenizer="pretokenized"), four_lists, 1000),
    "self_bleu": EntryPoint(
        partial(truebleu.self_bleu, tokenizer="pretokenized"), four_lists, 1000
    ),
    "token_rewards": EntryPoint(truebleu.token_rewards, one_list),
}


@pytest.fixture(autouse=True, scope="module")
def _no_garbage_collection():
    """Do not search what other tests have left behind while time is measured."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def seconds(call, arguments, times):
    """Measure the CPU time of some calls, whatever else the machine does."""
    start = time.process_time()
    for _ in range(times):
        call(*arguments)
    return time.process_time() - start


def growth(call, arguments, sizes):
    """Compare the shortest times of texts of some sizes; `arguments` makes those of a size.

    Yields the smallest step from one size to the next, after more and more rounds.
    """
    sized = [tuple(arguments(size)) for size in sizes]
    # The largest goes first, so that there is memory for the others, too.
    once = [seconds(call, each, 1) for each in reversed(sized)][::-1]
    times = max(1, round(ENOUGH / max(once[0], 1e-6)))
    measured = [once] if times == 1 else []
    for rounds in ROUNDS:
        while len(measured) < rounds:
            measured.append([seconds(call, each, times) for each in sized])
        shortest = map(min, zip(*measured, strict=True))
        yield min(longer / short for short, longer in itertools.pairwise(shortest))


def assert_linear(call, arguments, units):
    found = {}
    tried = []
    for multiples, limit in LIMITS:
        sizes = tuple(multiple * units for multiple in multiples)
        tried.append((sizes, limit, growth(call, arguments, sizes)))
    # Other sizes cost less than waiting; but the last are for what fails the others in all rounds.
    for several in (tried[:-1], tried[-1:]):
        for number in range(len(ROUNDS)):
            if number > 1:
                time.sleep(PAUSE)
            for sizes, limit, steps in several:
                found[sizes] = next(steps)
                if found[sizes] < limit:
                    return
    pytest.fail(
        "; ".join(f"from {sizes} units, at least {step:.1f} times" for sizes, step in found.items())
    )


def spread(names, kinds):
    """Pair each name with every third kind, from another one on; `make campaign` has all kinds."""
    names, kinds = list(names), list(kinds)
    few = [(name, kinds[number % 3 :: 3]) for number, name in enumerate(names)]
    return few + [later(name, kinds) for name in names]


@pytest.mark.parametrize(("name", "texts"), spread(ENTRY_POINTS, TEXTS))
def test_text(name, texts, subtests):
    """Four times as much text takes about four times as long."""
    call, form, units = ENTRY_POINTS[name]
    for text in texts:
        with subtests.test(text):
            assert_linear(call, lambda n, make=TEXTS[text]: form(make(n)), units)


@pytest.mark.parametrize(("name", "kinds"), spread(ID_ENTRY_POINTS, IDS))
def test_ids(name, kinds, subtests):
    """So do four times as many ids, whatever their bits have in common."""
    call, form, units = ID_ENTRY_POINTS[name]
    for ids in kinds:
        with subtests.test(ids):
            assert_linear(call, lambda n, make=IDS[ids]: form(make(n)), units)


@pytest.mark.parametrize("form", [one_segment, many_segments])
def test_files(form, tmp_path, subtests):
    """So do files, of one long line or of many short ones."""

    def arguments(n, make):
        for stream, segments in zip("hr", form(make(n)), strict=True):
            lines = [segment.replace("\n", " ") + "\n" for segment in segments]
            (tmp_path / f"{stream}{n}").write_text("".join(lines), "utf-8", errors="replace")
        return str(tmp_path / f"h{n}"), "-r", str(tmp_path / f"r{n}")

    def score(*files):
        assert cli.main(["score", *files]) == 0

    for text, make in TEXTS.items():
        with subtests.test(text):
            assert_linear(score, partial(arguments, make=make), 8000)


@pytest.mark.parametrize("form", [one_segment, many_segments])
@pytest.mark.parametrize("kind", ["text", "sgml"])
def test_test_sets(kind, form, tmp_path, subtests):
    """So do test sets."""

    def arguments(n, make):
        segments = form(make(n))[0]
        lines = [
            f'<seg id="1">{each}</seg>\n' if kind == "sgml" else f"{each}\n" for each in segments
        ]
        (tmp_path / f"{n}.txt").write_text("".join(lines), "utf-8")
        path = tmp_path / f"{n}.toml"
        path.write_text(
            f"[sets.a]\nkind = '{kind}'\n[sets.a.pairs.en-de]\nsrc = '{n}.txt'\nref = '{n}.txt'\n"
        )
        return path, "en-de"

    for text in ("sentences", "distinct words", "no space", "spaces", "entities"):
        with subtests.test(text):
            assert_linear(truebleu.load_test_set, partial(arguments, make=TEXTS[text]), 32_000)


@pytest.mark.parametrize("words", [6, 300])
@pytest.mark.parametrize(
    "metric", [Bleu(), Bleu(lowercase=True, tokenizer="intl"), Chrf(), Chrf(word_order=2)], ids=repr
)
def test_many_references(metric, words):
    """Each of 100,000 references of a segment takes at most 15 times as long as each of 1,000.

    They are kept until the segment is counted, and so many do not fit into the processor's caches.
    """
    hypothesis = " ".join(f"w{number}" for number in range(words))

    def per_reference(count, times):
        # Beyond Latin-1, each is lower-cased and converted.
        references = [
            f"the w{number % words} \u0152{number} w{number // 7}" for number in range(count)
        ]
        return seconds(metric.segment, (hypothesis, references), times) / times / count

    few = min(per_reference(1000, 10) for _ in range(3))
    # Noise is measured again.
    assert any(per_reference(100_000, 1) < 15 * few for _ in range(3))
