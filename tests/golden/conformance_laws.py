"""The questions of the conformance kit, without the answers: make_conformance.py asks the peers.

A case has a name, which tells what is special about it, and a law, which it is an example of. Cases
about counting leave words to spaces and zeros unsmoothed, so that tools without a tokenizer or
smoothing can answer them, too.
"""

import itertools
from pathlib import Path

from make_tokens import TEXTS

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"

COUNTING = {"tokenize": "none", "smooth_method": "none"}
WORDS = "the quick brown fox jumps over the lazy dog near the old river bank"


def case(file, name, law, hyp, refs, *, level="core", metric=None, settings=None, **more):
    """Return a question for a score; one text stands for a corpus of one segment."""
    hyp = hyp if isinstance(hyp, list) else [hyp]
    refs = [each if isinstance(each, list) else [each] for each in _list(refs)]
    made = {"id": f"{file}/{name}", "level": level, "law": law, "metric": metric or file}
    made |= {"answer": "score", "settings": settings or {}, **more}
    return made | {"hyp": hyp, "refs": refs}


def _list(value):
    return value if isinstance(value, list) else [value]


def slug(metric, settings):
    """Return a name for settings: ``chrf-word-order-2``, ``bleu-lowercase``."""
    words = [key if value is True else f"{key}-{value}" for key, value in settings.items()]
    return "-".join([metric, *words]).lower().replace("_", "-")


def first_words(count):
    """Return the first words of a sentence."""
    return " ".join(WORDS.split()[:count])


def lines(name, count):
    """Return the first lines of a file of the examples."""
    return (EXAMPLES / name).read_text("utf-8").splitlines()[:count]


def two_references(count):
    """Return both references of the first segments of the examples."""
    pairs = zip(lines("reference-a.en", count), lines("reference-b.en", count), strict=True)
    return [list(pair) for pair in pairs]


# Identical texts, by name.
SAME = {
    "four-words": ["a b c d"],
    "a-sentence": [WORDS],
    "repeated-words": ["no no no no yes yes no no"],
    "two-segments": [WORDS, "it rained all day long"],
    "a-short-segment-among-others": [WORDS, "hi", "yes indeed"],
}


def bleu():  # noqa: C901  # A list, law by law.
    """Yield the cases of BLEU."""

    def bleu_case(name, law, hyp, refs, level="core", **settings):
        return case("bleu", name, law, hyp, refs, level=level, settings=settings)

    def counted(name, law, hyp, refs, level="core", **settings):
        return bleu_case(name, law, hyp, refs, level, **COUNTING | settings)

    law = "A corpus that equals its references scores 100."
    for name, texts in SAME.items():
        yield counted(f"perfect-{name}", law, texts, texts)
    yield counted("perfect-second-reference", law, WORDS, [["no such words here", WORDS]])
    yield bleu_case("perfect-punctuation", law, 'He said: "No!"', 'He said: "No!"')

    law = "An n-gram is credited at most as often as it is in the one reference that has it most."
    seven = "the the the the the the the"
    papineni = ["The cat is on the mat", "There is a cat on the mat"]
    for order in (1, 2):
        yield counted(f"clip-the-the-the-{order}", law, seven, [papineni], max_ngram_order=order)
    yield counted("clip-lower-case", law, seven, [papineni], max_ngram_order=1, lowercase=True)
    yield counted(
        "clip-not-the-sum", law, "a a a", [["a b c", "b a c", "c b a"]], max_ngram_order=1
    )
    yield counted("clip-the-most", law, "a a a b", [["a x y b", "a a y b"]], max_ngram_order=1)
    yield counted("clip-bigrams", law, "a b a b a b", "a b a b c d", max_ngram_order=2)
    yield counted("clip-per-segment", law, ["a a", "b b"], ["a b", "b a"], max_ngram_order=1)
    yield counted("clip-four", law, "a b c d a b c d e", "a b c d e f g h i")
    yield counted("clip-overlapping", law, "a a a a a a", "a a a a b b", max_ngram_order=3)

    law = "Each n-gram may be found in a different reference."
    yield counted("union-of-words", law, "a b c d", [["a b x y", "x y c d"]], max_ngram_order=1)
    yield counted("union-of-bigrams", law, "a b c d", [["a b x y", "x y c d"]], max_ngram_order=2)
    yield counted("union-of-three", law, "a b c d e f g", [["a b c d", "c d e f", "d e f g"]])
    yield counted("union-same-reference-twice", law, "a b c d x", [["a b c d e", "a b c d e"]])
    candidates = [
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
    ]
    guide = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    for number, (text, order) in enumerate(itertools.product(candidates, (1, 2, 4)), 1):
        name = f"union-papineni-{number}"
        yield counted(name, law, text, [guide], max_ngram_order=order)

    law = "Output shorter than its reference is multiplied by exp(1 - r/h); longer output is not."
    for count in (4, 7, 10, 13):
        yield counted(f"short-{count}-of-14-words", law, first_words(count), WORDS)
    for count in (6, 9, 12):
        yield counted(f"long-14-for-{count}-words", law, WORDS, first_words(count))
    yield bleu_case("short-but-perfect", law, "a b c d", "a b c d e")
    yield counted(
        "short-and-long-even-out", law, ["a b c d", "a b c d e"], ["a b c d e", "a b c d"]
    )
    yield counted("short-of-the-whole-corpus", law, ["a b c d e", "a b c d"], ["a b c d e f g"] * 2)
    yield counted("short-as-long", law, "a b c d x", "a b c d e")

    law = "The reference length is the closest to the segment's; of two as close, the shorter."
    for name, others in {
        "closest-is-second": ["a b c d e f g h", "a b c d e f"],
        "closest-is-first": ["a b c d e f", "a b c d e f g h"],
        "closest-is-longer": ["a", "a b c d e f"],
        "closest-not-shortest": ["a b", "a b c d e f"],
        "closest-not-the-mean": ["a", "a b c d e", "a b c d e f g h i"],
        "closest-tie-longer-first": ["a b c d e f", "a b c d"],
        "closest-tie-shorter-first": ["a b c d", "a b c d e f"],
        "closest-tie-far": ["a b c d e f g h i j", "a b"],
        "closest-equal": ["x b c d e", "a b c d e f g"],
    }.items():
        yield counted(name, law, "a b c d e", [others], max_ngram_order=2)
    yield counted(
        "closest-per-segment",
        law,
        ["a b c d", "a b c d e f"],
        [["a b c d e", "a b"], ["a b c", "a b c d e f g h"]],
        max_ngram_order=2,
    )

    law = "Counts and lengths are summed over segments before any ratio is taken."
    yield counted("sum-not-the-mean", law, ["a b c d e", "x y"], ["a b c d e", "x z"])
    yield counted("sum-one-segment-without-match", law, ["a b c d e f", "x"], ["a b c d e g", "y"])
    yield counted(
        "sum-longer-counts-more", law, [WORDS, "a b c d e"], [first_words(9), "a b c d e"]
    )
    three = ["a b c d e", "f g h i", "a b x d e f"], ["a b c d f", "f g h j", "a b c d e f"]
    for number, order in enumerate(itertools.permutations(range(3)), 1):
        hyp, refs = ([texts[index] for index in order] for texts in three)
        yield counted(f"sum-in-any-order-{number}", law, hyp, refs, max_ngram_order=3)
    yield counted("sum-twice-the-same", law, three[0] * 2, three[1] * 2, max_ngram_order=3)

    law = "BLEU is the geometric mean of the precisions of orders 1 to n."
    text, other = "a b c d e x f g h i j", "a b c d e f g h i y j"
    for order in range(1, 7):
        yield counted(f"mean-of-{order}-orders", law, text, other, max_ngram_order=order)
    for order in (1, 2, 3, 4):
        name = f"mean-of-{order}-orders-two-references"
        yield counted(name, law, text, [[other, "x f g a b c"]], max_ngram_order=order)

    law = "An order without a match makes the unsmoothed score 0."
    for name, text in {"bigram": "b a", "trigram": "a b x c d", "4-gram": "a b c x d e f"}.items():
        yield counted(f"zero-{name}", law, text, "a b c d e f")
    yield counted("zero-too-short-for-any", law, ["a b c", "d e"], ["a b c", "d e"])

    law = "Without any match the score is 0, whatever the smoothing."
    for method in ("none", "exp", "floor", "add-k"):
        yield bleu_case(f"nothing-{method}", law, "v w x y z", "a b c d e", smooth_method=method)

    laws = {
        "exp": "exp: the k-th order without a match counts as 1/2^k matches.",
        "floor": "floor: an order without a match counts as smooth_value matches.",
        "add-k": "add-k: smooth_value is added to matches and totals of orders above 1.",
    }
    smoothed = {
        "no-4-gram": ("a b c x d e f", "a b c d e f"),
        "no-trigram": ("a b x c d y e", "a b c d e f"),
        "no-bigram": ("b x a y d z", "a b c d e f"),
        "all-orders": ("a b c d e x", "a b c d e f"),
        "short-output": ("b x a y", "a b c d e f"),
        "two-segments": (["a b x c d", "e f y g"], ["a b c d e", "e f g h"]),
    }
    for method, law in laws.items():
        for name, (hyp, refs) in smoothed.items():
            chosen = {"tokenize": "none", "smooth_method": method}
            yield bleu_case(f"{method}-{name}", law, hyp, refs, **chosen)
    for method, value in itertools.product(("floor", "add-k"), (0.01, 0.5, 2)):
        chosen = {"tokenize": "none", "smooth_method": method, "smooth_value": value}
        hyp, refs = smoothed["no-trigram"]
        yield bleu_case(f"{method}-value-{value}", laws[method], hyp, refs, **chosen)

    law = "With effective order, orders for which the output is too short are left out."
    for count, method in itertools.product((1, 2, 3), ("none", "exp")):
        chosen = {"tokenize": "none", "smooth_method": method, "effective_order": True}
        name = f"effective-{count}-of-{count}-{method}"
        yield bleu_case(name, law, first_words(count), first_words(count), **chosen)
        name = f"effective-{count}-of-6-{method}"
        yield bleu_case(name, law, first_words(count), first_words(6), **chosen)
    yield bleu_case("effective-off", law, "a b c", "a b c", tokenize="none")
    yield bleu_case("effective-no-trigram", law, "a b x", "a b c", effective_order=True)

    law = "With lowercase, texts are compared in lower case."
    for lowercase in (False, True):
        name = "case-insensitive" if lowercase else "case-sensitive"
        yield counted(
            name, law, "The cat SAT on a Mat", "the cat sat on A mat", lowercase=lowercase
        )
        yield bleu_case(
            f"{name}-13a", law, "ÉTÉ à Paris, été.", "été À Paris, Été.", lowercase=lowercase
        )

    law = "refs[i] are the references of hyp[i], and segments may differ in their number."
    yield counted(
        "refs-one-and-two", law, ["a b c d", "e f g h"], [["a b c d"], ["e f g", "e f g h"]]
    )
    yield counted(
        "refs-three-and-one", law, ["a b c d", "e f g h i"], [["a b", "c d", "a b c"], ["e f g h"]]
    )
    yield counted(
        "refs-as-many-as-segments",
        law,
        ["a b c d e", "f g h i j"],
        [["a b c d e", "f g h i j"], ["a b c d e", "f g h i k"]],
        max_ngram_order=2,
    )

    law = "Any run of white space separates two tokens, and none is at the ends."
    spaces = {"two-spaces": "a  b c d e", "at-the-ends": " a b c d e ", "tab": "a\tb c d e"}
    for name, text in spaces.items():
        yield counted(f"space-{name}", law, text, "a b c d f")

    law = "13a, intl, zh and char decide what a token is."
    texts = {
        "punctuation": ('He said: "Go, now!" (softly)', 'He said "go now" (softly).'),
        "numbers": ("It cost $1,000.50 in 2023, or 3-4%.", "It cost $1000.50 in 2023; 3-5%."),
        "quotes": ("“Ça va ?” – «Oui…»", "« Ça va ? » – «Oui»"),
        "chinese": ("他说今天是2023年5月1日。", "他说:今天是2023年5月2日。"),
        "apostrophe": ("It's the dog's bone; don't.", "Its the dogs bone, don't!"),
    }
    for tokenizer, (name, (hyp, refs)) in itertools.product(
        ("13a", "intl", "zh", "char", "none"), texts.items()
    ):
        chosen = {"tokenize": tokenizer, "smooth_method": "none", "max_ngram_order": 2}
        yield bleu_case(f"tokens-{name}-{tokenizer}", law, hyp, refs, **chosen)

    law = "All of it together: real sentences with two references."
    refs = two_references(4)
    for system in ("strong", "medium", "weak"):
        hyp = lines(f"system-{system}.en", 4)
        yield bleu_case(f"together-{system}", law, hyp, refs)
        yield bleu_case(f"together-{system}-lower-case", law, hyp, refs, lowercase=True)
        first = [own[:1] for own in refs]
        yield bleu_case(f"together-{system}-unsmoothed", law, hyp, first, smooth_method="none")

    yield from edge_bleu(bleu_case, counted)


def edge_bleu(bleu_case, counted):  # noqa: C901  # A list, law by law.
    """Yield the cases of BLEU in which implementations differ."""
    law = "An empty text has no tokens, but is a segment or a reference like others."
    for name, (hyp, refs) in {
        "output": ("", "a b c d"),
        "reference": ("a b c d", ""),
        "both": ("", ""),
        "one-of-two-references": ("a b c d e", [["a b c d x", ""]]),
        "reference-is-closest": ("a", [["a b c d", ""]]),
        "output-among-others": (["a b c d e", ""], ["a b c d e", "f g"]),
        "reference-among-others": (["a b c d e", "f g h i"], ["a b c d e", ""]),
        "all-but-one": (["", "", "a b c d"], ["", "", "a b c d"]),
        "only-spaces": (["  ", "a b c d e"], ["a", "a b c d e"]),
    }.items():
        yield counted(f"empty-{name}", law, hyp, refs, "edge")
        yield bleu_case(f"empty-{name}-13a-exp", law, hyp, refs, "edge")

    law = "A segment shorter than n has no n-grams: it adds 0, not 1, to their number."
    yield counted("no-n-grams-short-segment", law, ["a b c d e", "hi"], ["a b c d e", "hi"], "edge")
    yield counted(
        "no-n-grams-many", law, ["a b c d e", *["hi"] * 9], ["a b c d f", *["hi"] * 9], "edge"
    )
    for method in ("exp", "floor", "add-k"):
        chosen = {"tokenize": "none", "smooth_method": method}
        yield bleu_case(f"no-n-grams-at-all-{method}", law, "a b", "a b", "edge", **chosen)
        effective = {**chosen, "effective_order": True}
        yield bleu_case(f"no-n-grams-effective-{method}", law, "a b", "a b", "edge", **effective)
    for method in ("exp", "floor"):
        chosen = {"tokenize": "none", "smooth_method": method, "max_ngram_order": 6}
        yield bleu_case(f"no-n-grams-of-six-{method}", law, "a b c d", "a b c d", "edge", **chosen)

    law = "Tokens are equal if their code points are: nothing is normalized."
    for name, (text, other) in {
        "decomposed": ("caf\u00e9", "cafe\u0301"),
        "ligature": ("\ufb01n", "fin"),
        "full-width": ("\uff21\uff22", "AB"),
        "soft-hyphen": ("co\u00adop", "coop"),
        "zero-width-joiner": ("👩\u200d👧", "👩👧"),
        "variation-selector": ("❤\ufe0f", "❤"),
        "hangul-jamo": ("\ud55c", "\u1112\u1161\u11ab"),
        "byte-order-mark": ("\ufeffa", "a"),
    }.items():
        yield counted(
            f"unicode-{name}", law, f"a {text} b c d", f"a {other} b c d", "edge", max_ngram_order=1
        )

    law = "White space is what Python's str.split splits at, in all of Unicode."
    for name, space in {
        "no-break": "\u00a0",
        "ideographic": "\u3000",
        "thin": "\u2009",
        "line-separator": "\u2028",
        "next-line": "\u0085",
        "unit-separator": "\u001f",
        "zero-width": "\u200b",
        "mongolian-vowel": "\u180e",
        "word-joiner": "\u2060",
    }.items():
        yield counted(
            f"white-space-{name}", law, f"a{space}b c d e", "a b c d f", "edge", max_ngram_order=2
        )

    law = "Lower case is that of Unicode, with its special cases."
    for name, (text, other) in {
        "dotted-i": ("İstanbul", "i̇stanbul"),
        "capital-sharp-s": ("STRAẞE", "straße"),
        "final-sigma": ("ΟΔΟΣ", "οδος"),
        "titlecase": ("ǅ", "ǆ"),
        "deseret": ("𐐀", "𐐨"),
    }.items():
        settings = {"lowercase": True, "max_ngram_order": 1}
        yield counted(f"lower-case-{name}", law, f"{text} a", f"{other} b", "edge", **settings)

    law = "zh takes U+2001 to U+2A6D for Chinese, and characters beyond U+FFFF not."
    for name, text in {"dash": "a—b", "arrow": "a→b", "beyond-the-bmp": "𠀀𠀁"}.items():
        yield bleu_case(
            f"zh-{name}",
            law,
            f"{text} c",
            " ".join(text) + " d",
            "edge",
            tokenize="zh",
            max_ngram_order=1,
        )

    law = "13a decodes entities in order, once, and joins lines at hyphens."
    for name, (text, other) in {
        "entities": ("R&amp;D &lt;b&gt; &quot;x&quot;", 'R & D < b > " x "'),
        "twice": ("&amp;lt; a", "< a"),
        "apos-is-not-decoded": ("don&apos;t", "don't"),
        "skipped": ("a <skipped>b", "a b"),
        "hyphen-at-a-line-break": ("hyphen-\nated", "hyphenated"),
        "number-at-the-end": ("In 2023.", "In 2023 ."),
        "comma-before-a-digit": ("a,5 1,5", "a , 5 1,5"),
    }.items():
        yield bleu_case(f"13a-{name}", law, text, other, "edge", max_ngram_order=1)

    law = "A score of 0 and one of 100 have no rounding error."
    for count in (1, 5, 50):
        texts = [f"{WORDS} {number}" for number in range(count)]
        yield counted(f"exact-100-{count}", law, texts, texts, "edge")
        yield counted(f"exact-0-{count}", law, texts, ["x"] * count, "edge")

    law = "Time and counts grow with the text: 100,000 tokens are scored like 10."
    many = 25_000
    for name, (hyp, refs) in {
        "one-word": (
            [{"repeat": "a ", "times": 4 * many}],
            {"repeat": "a ", "times": 4 * many - 7},
        ),
        "a-phrase": (
            [{"repeat": "a b c x ", "times": many}],
            {"repeat": "a b c d ", "times": many},
        ),
        "all-different": (
            [{"words": 4 * many, "step": 1, "modulo": 4 * many}],
            {"words": 4 * many, "step": 1, "modulo": 4 * many - 1000},
        ),
        "few-words": (
            [{"words": 4 * many, "step": 7, "modulo": 97}],
            {"words": 4 * many, "step": 7, "modulo": 89},
        ),
    }.items():
        yield counted(f"long-{name}", law, hyp, [[refs]], "long")
    text = {"repeat": "It's 3.5 km, he said; or (so) I think... ", "times": 2500}
    other = {"repeat": "It is 3.5 km, he said, or so I think. ", "times": 2500}
    yield bleu_case("long-13a", law, [text], [[other]], "long")


def chrf():  # noqa: C901  # A list, law by law.
    """Yield the cases of chrF."""

    def chrf_case(name, law, hyp, refs, level="core", **settings):
        return case("chrf", name, law, hyp, refs, level=level, settings=settings)

    pairs = {
        "one-word": ("the cat sat on a mat", "the cat sat on the mat"),
        "ending": ("running dogs", "runner dog"),
        "order": ("mat the on sat cat the", "the cat sat on the mat"),
        "umlauts": ("Die Häuser sind größer", "Das Haus ist groß"),
        "short": ("the cat", "the cat sat on the mat"),
        "long": ("the cat sat on the mat all day long", "the cat sat"),
    }
    law = "A corpus that equals its references scores 100."
    for name, texts in {**SAME, "one-character": ["a"]}.items():
        for order in (0, 2):
            yield chrf_case(f"perfect-{name}-{order}", law, texts, texts, word_order=order)

    law = "chrF is the F-score of mean precision and recall over the orders of character n-grams."
    for name, (hyp, refs) in pairs.items():
        yield chrf_case(f"f-{name}", law, hyp, refs)
    for order in (1, 2, 3, 4, 5, 8):
        yield chrf_case(f"f-{order}-orders", law, *pairs["one-word"], char_order=order)

    law = "chrF+ and chrF++ add word n-grams, with punctuation at the end of a word split off."
    for (name, (hyp, refs)), order in itertools.product(pairs.items(), (1, 2)):
        yield chrf_case(f"words-{name}-{order}", law, hyp, refs, word_order=order)
    for name, (hyp, refs) in {
        "full-stop": ("It rained.", "It rained ."),
        "bracket": ("(so it is)", "( so it is )"),
        "only-one-is-split": ("Stop!?", "Stop !?"),
        "inside": ("state-of-the-art", "state - of - the - art"),
    }.items():
        yield chrf_case(f"punctuation-{name}", law, hyp, refs, word_order=2)

    law = "beta weighs recall beta times as much as precision."
    for (name, (hyp, refs)), beta in itertools.product(
        [(name, pairs[name]) for name in ("short", "long")], (0, 1, 3)
    ):
        yield chrf_case(f"beta-{beta}-{name}", law, hyp, refs, beta=beta)

    law = "Counts are summed over segments before any ratio is taken."
    yield chrf_case("sum-two", law, ["the cat sat", "a dog"], ["the cat sits", "the dogs"])
    yield chrf_case("sum-one-without-match", law, ["the cat sat", "xyz"], ["the cat sat", "abc"])
    yield chrf_case("sum-unequal", law, [WORDS, "a"], [first_words(9), "b"])
    yield chrf_case(
        "sum-words", law, ["the cat sat", "a dog"], ["the cat sits", "the dogs"], word_order=2
    )

    law = "Of several references, the one with the best F-score for the segment counts."
    several = {
        "second": ("the cat sat", [["a dog", "the cat sits"]]),
        "first": ("the cat sat", [["the cat sits", "a dog"]]),
        "three": ("a dog barked", [["a cat", "dogs bark", "the dog barked"]]),
        "not-the-union": ("the cat sat", [["the xyz", "abc sat"]]),
        "per-segment": (["the cat", "a dog"], [["the cats", "x"], ["x", "the dog"]]),
        "one-and-two": (["the cat", "a dog"], [["the cats"], ["x", "the dog"]]),
    }
    for (name, (hyp, refs)), order in itertools.product(several.items(), (0, 2)):
        yield chrf_case(f"best-{name}-{order}", law, hyp, refs, word_order=order)

    law = "With lowercase, texts are compared in lower case."
    for lowercase in (False, True):
        name = "case-insensitive" if lowercase else "case-sensitive"
        yield chrf_case(name, law, "The CAT sat", "the cat Sat", lowercase=lowercase)

    law = "With whitespace, spaces are characters, too."
    for whitespace in (False, True):
        name = "spaces-kept" if whitespace else "spaces-removed"
        yield chrf_case(name, law, "ice cream", "icecream", whitespace=whitespace)
        yield chrf_case(f"{name}-two", law, "a  b c", "a b  c", whitespace=whitespace)

    law = "Orders that a text is too short for are left out; eps_smoothing keeps them, as F-scores."
    for name, (hyp, refs) in {
        "three-characters": ("abc", "abd"),
        "one-character": ("a", "a"),
        "short-output": ("ab", "abcdefgh"),
        "short-reference": ("abcdefgh", "ab"),
        "nothing-in-common": ("abc", "xyz"),
    }.items():
        for smoothing in (False, True):
            chosen = f"{name}-eps" if smoothing else name
            yield chrf_case(f"orders-{chosen}", law, hyp, refs, eps_smoothing=smoothing)

    law = "All of it together: real sentences with two references."
    refs = two_references(4)
    for system, order in itertools.product(("strong", "medium", "weak"), (0, 2)):
        hyp = lines(f"system-{system}.en", 4)
        yield chrf_case(f"together-{system}-{order}", law, hyp, refs, word_order=order)

    law = "An empty text has no n-grams, but is a segment or a reference like others."
    for name, (hyp, refs) in {
        "output": ("", "abc"),
        "reference": ("abc", ""),
        "both": ("", ""),
        "one-of-two-references": ("abc", [["", "abd"]]),
        "output-among-others": (["the cat", ""], ["the cats", "a dog"]),
        "reference-among-others": (["the cat", "a dog"], ["the cats", ""]),
        "only-spaces": (["the cat", "  "], ["the cats", " "]),
    }.items():
        for order in (0, 2):
            yield chrf_case(f"empty-{name}-{order}", law, hyp, refs, "edge", word_order=order)

    law = "A character is a code point: nothing is normalized, and white space is Unicode's."
    for name, (hyp, refs) in {
        "decomposed": ("caf\u00e9", "cafe\u0301"),
        "emoji": ("👩\u200d👧 ok", "👩👧 ok"),
        "beyond-the-bmp": ("𠀀𠀁𠀂", "𠀀𠀁𠀃"),
        "no-break-space": ("a\u00a0b c", "ab c"),
        "ideographic-space": ("日本\u3000語です", "日本語です"),
        "zero-width-space": ("a\u200bb c", "ab c"),
        "final-sigma": ("ΟΔΟΣ", "οδος"),
    }.items():
        lowercase = name == "final-sigma"
        yield chrf_case(f"unicode-{name}", law, hyp, refs, "edge", lowercase=lowercase)

    law = "Of references that are equally good, the first counts."
    for name, refs in {
        "nothing-in-common": ["xyz", "uvwxyz"],
        "nothing-in-common-turned": ["uvwxyz", "xyz"],
        "same-score": ["abcx", "abcy"],
    }.items():
        yield chrf_case(f"tie-{name}", law, ["abc", "the cat"], [refs, ["the cats"]], "edge")

    law = "Counts grow with the text: 100,000 characters are scored like 10."
    for name, (hyp, refs) in {
        "phrase": (
            {"repeat": "the cat sat ", "times": 8000},
            {"repeat": "the cats sit ", "times": 8000},
        ),
        "different": (
            {"words": 15_000, "step": 7, "modulo": 9973},
            {"words": 15_000, "step": 11, "modulo": 9973},
        ),
    }.items():
        for order in (0, 2):
            yield chrf_case(f"long-{name}-{order}", law, [hyp], [[refs]], "long", word_order=order)


def ter():  # noqa: C901  # A list, law by law.
    """Yield the cases of TER."""

    def ter_case(name, law, hyp, refs, level="core", **settings):
        return case("ter", name, law, hyp, refs, level=level, settings=settings)

    law = "A corpus that equals its references needs no edits."
    for name, texts in SAME.items():
        yield ter_case(f"perfect-{name}", law, texts, texts)

    law = "TER counts insertions, deletions and substitutions of words per reference word."
    for name, (hyp, refs) in {
        "insertion": ("a b d", "a b c d"),
        "deletion": ("a b x c d", "a b c d"),
        "substitution": ("a x c d", "a b c d"),
        "two-of-each": ("x b c c e f h", "a b c d e g h"),
        "nothing-in-common": ("w x y z", "a b c d"),
        "above-100": ("w x y z u v", "a b"),
        "first-word-missing": (" ".join(WORDS.split()[1:]), WORDS),
        "last-word-missing": (first_words(13), WORDS),
        "repeated-word": ("a a a b", "a b"),
    }.items():
        yield ter_case(f"edits-{name}", law, hyp, refs)

    law = "Moving a block of words that the reference has elsewhere is one edit."
    for name, (hyp, refs) in {
        "one-word": ("b c d a", "a b c d"),
        "a-block": ("d e f a b c", "a b c d e f"),
        "to-the-right": ("c a b d e", "a b c d e"),
        "two-moves": ("c d a b g h e f", "a b c d e f g h"),
        "and-a-substitution": ("d e f a x c", "a b c d e f"),
        "a-swap": ("a c b d", "a b c d"),
        "not-worth-it": ("a b x", "x y a b"),
        "snover": (
            "this week the saudis denied information published in the new york times",
            "saudi arabia denied this week information published in the american new york times",
        ),
        "turned-round": ("f e d c b a", "a b c d e f"),
        "with-repetition": ("a b a b c d", "c d a b a b"),
        "ten-words": ("f g h i j a b c d e", "a b c d e f g h i j"),
        "eleven-words": ("l a b c d e f g h i j k", "a b c d e f g h i j k l"),
    }.items():
        yield ter_case(f"shift-{name}", law, hyp, refs)

    law = "Edits are those of the best reference; the length is the mean of all references."
    for name, (hyp, refs) in {
        "second-is-better": ("a b c d", [["x y", "a b c e"]]),
        "first-is-better": ("a b c d", [["a b c e", "x y"]]),
        "mean-of-unequal": ("a b c d", [["a b c d e f g", "a"]]),
        "four": ("a b c", [["a b", "a b c d", "x", "a b c e f g"]]),
        "per-segment": (["a b c", "d e"], [["a b", "a b c d"], ["d", "d e f"]]),
        "one-and-two": (["a b c", "d e"], [["a b"], ["d", "d e f"]]),
    }.items():
        yield ter_case(f"refs-{name}", law, hyp, refs)

    law = "Edits and lengths are summed over segments before the ratio is taken."
    yield ter_case("sum-not-the-mean", law, ["a b c d e f", "x"], ["a b c d e g", "y"])
    yield ter_case("sum-three", law, ["a b", "c d e", "f"], ["a x", "d e c", "f g h"])
    yield ter_case("sum-a-long-and-a-short", law, [WORDS, "hi"], [first_words(12), "ho"])

    law = "Texts are compared in lower case, unless case_sensitive."
    for sensitive in (False, True):
        name = "case-sensitive" if sensitive else "case-insensitive"
        yield ter_case(name, law, "The Cat SAT here", "the cat sat Here", case_sensitive=sensitive)

    law = "normalized splits off punctuation; no_punct removes it; asian_support does so for CJK."
    texts = {
        "punctuation": ('He said: "Go, now!"', 'He said "go now".'),
        "numbers": ("It cost $1,000.50 in 2023, or 3-4%.", "It cost $1000.50 in 2023; 3-5%."),
        "chinese": ("他说:今天是五月一日。", "他说,今天是五月二日!"),
        "japanese": ("東京に行きました。", "東京へ行った。"),
        "apostrophe": ("It's the dog's bone; don't.", "Its the dogs bone, don't!"),
    }
    names = "normalized", "no_punct", "asian_support"
    for (name, (hyp, refs)), values in itertools.product(
        texts.items(), itertools.product((False, True), repeat=3)
    ):
        settings = {each: True for each, on in zip(names, values, strict=True) if on}
        if settings and settings != {"asian_support": True}:
            words = "-".join(settings).replace("_", "-")
            yield ter_case(f"tokens-{name}-{words}", law, hyp, refs, **settings)

    law = "All of it together: real sentences with two references."
    refs = two_references(4)
    for system in ("strong", "medium", "weak"):
        hyp = lines(f"system-{system}.en", 4)
        yield ter_case(f"together-{system}", law, hyp, refs)
        yield ter_case(f"together-{system}-normalized", law, hyp, refs, normalized=True)

    law = "Edits for an empty reference make 100; nothing for nothing makes 0."
    for name, (hyp, refs) in {
        "output": ("", "a b c"),
        "reference": ("a b c", ""),
        "both": ("", ""),
        "one-of-two-references": ("a b", [["", "a b c d"]]),
        "output-among-others": (["a b c", ""], ["a b d", "e f"]),
        "reference-among-others": (["a b c", "e f"], ["a b d", ""]),
        "only-spaces": (["a b", "  "], ["a b", " "]),
    }.items():
        yield ter_case(f"empty-{name}", law, hyp, refs, "edge")

    law = "Of moves that save as much, the rules of Tercom choose one."
    letters = "abcdefgh"
    for number, step in enumerate((3, 5, 7), 1):
        for period in (2, 3, 4):
            hyp = " ".join(letters[index * step % 8 % (period + 2)] for index in range(12))
            refs = " ".join(letters[index % (period + 2)] for index in range(12))
            yield ter_case(f"ties-{number}-{period}", law, hyp, refs, "edge")

    law = "Words are split at Unicode's white space, and nothing is normalized."
    for name, (hyp, refs) in {
        "no-break-space": ("a\u00a0b c", "a b c"),
        "ideographic-space": ("a\u3000b c", "a b c"),
        "decomposed": ("caf\u00e9 a", "cafe\u0301 a"),
        "final-sigma": ("ΟΔΟΣ a", "οδος a"),
    }.items():
        yield ter_case(f"unicode-{name}", law, hyp, refs, "edge")

    law = (
        "Long texts: edits are searched near the diagonal, blocks of up to 10 words, 50 words far."
    )
    for name, (hyp, refs) in {
        "rotated-by-12": (
            {"words": 60, "step": 1, "modulo": 60, "start": 12},
            {"words": 60, "step": 1, "modulo": 60},
        ),
        "rotated-by-55": (
            {"words": 120, "step": 1, "modulo": 120, "start": 55},
            {"words": 120, "step": 1, "modulo": 120},
        ),
        "beam-is-left": (
            {"words": 50, "step": 1, "modulo": 90, "start": 40},
            {"words": 90, "step": 1, "modulo": 90},
        ),
        "beam-much-longer": (
            {"words": 150, "step": 1, "modulo": 150},
            {"words": 40, "step": 1, "modulo": 150, "start": 60},
        ),
        "few-words": ({"words": 60, "step": 3, "modulo": 7}, {"words": 60, "step": 2, "modulo": 7}),
        "shuffled": (
            {"words": 70, "step": 27, "modulo": 70},
            {"words": 70, "step": 1, "modulo": 70},
        ),
        "repeated": ({"repeat": "a b c d e ", "times": 20}, {"repeat": "a b d c e ", "times": 20}),
        "400-words": (
            {"words": 400, "step": 1, "modulo": 397},
            {"words": 400, "step": 1, "modulo": 389},
        ),
    }.items():
        yield ter_case(f"long-{name}", law, [hyp], [[refs]], "long")


def tokens():
    """Yield the cases of tokenizers."""
    laws = {
        "13a": "13a splits ASCII punctuation off, but no period or comma between digits.",
        "intl": "intl splits off punctuation of Unicode except between digits, and all symbols.",
        "zh": "zh splits Chinese characters, and ASCII punctuation as 13a does.",
        "char": "char makes a token of every code point that is not white space.",
        "none": "none splits at white space only.",
    }
    plain = {
        "sentence": "The cat sat on the mat.",
        "comma": "Yes, no, and maybe.",
        "quotes": 'She said "yes" (twice).',
        "number": "It costs 1,000.50 euros.",
        "year": "In 2023, and in 2024.",
        "dash": "a well-known 3-4 split",
        "symbols": "100% of $5 + 3 = x",
        "chinese": "我有2本书。",
    }
    for (tokenizer, law), (name, text) in itertools.product(laws.items(), plain.items()):
        yield _tokens(f"{name}-{tokenizer}", law, tokenizer, text, "core")
    for (tokenizer, law), (number, text) in itertools.product(laws.items(), enumerate(TEXTS)):
        yield _tokens(f"text-{number}-{tokenizer}", law, tokenizer, text, "edge")


def _tokens(name, law, tokenizer, text, level):
    made = {"id": f"tokens/{name}", "level": level, "law": law, "metric": "bleu"}
    return made | {"answer": "tokens", "settings": {"tokenize": tokenizer}, "text": text}


def signatures():
    """Yield the cases of signatures."""
    law = "A signature names the settings and the number of references."
    one, two = (
        ["a b c d e", "f g h"],
        [[["a b c d f"], ["f g i"]], [["a b c d f", "b"], ["f g i", "f"]]],
    )
    uneven = [["a b c d f", "b"], ["f g i"]]
    chosen = [
        ("bleu", {}),
        ("bleu", {"lowercase": True}),
        ("bleu", {"tokenize": "intl"}),
        ("bleu", {"smooth_method": "none"}),
        ("bleu", {"smooth_method": "floor", "smooth_value": 0.5}),
        ("bleu", {"smooth_method": "add-k"}),
        ("bleu", {"effective_order": True}),
        ("chrf", {}),
        ("chrf", {"word_order": 2}),
        ("chrf", {"char_order": 4, "lowercase": True, "whitespace": True}),
        ("chrf", {"eps_smoothing": True}),
        ("ter", {}),
        ("ter", {"normalized": True, "asian_support": True}),
        ("ter", {"no_punct": True, "case_sensitive": True}),
    ]
    for metric, settings in chosen:
        name = slug(metric, settings)
        yield case("signatures", name, law, one, two[0], metric=metric, settings=settings) | {
            "answer": "signature"
        }
    for metric in ("bleu", "chrf", "ter"):
        for name, refs in {"two-references": two[1], "uneven-references": uneven}.items():
            made = case("signatures", f"{metric}-{name}", law, one, refs, metric=metric)
            yield made | {"answer": "signature"}


def significance():
    """Yield the cases of resampling and of tests."""
    good = ["a b c d e", "f g h i j", "k l m n o", "p q r s t", "a c e g i k", "b d f h j l"]
    bad = ["a b c x e", "f g h i j", "k x m n y", "p q r s", "a c e x i k", "b d f h j"]
    refs = [[text] for text in good[:3]] + [[f"{text} z"] for text in good[3:]]
    names = {"bleu": {"tokenize": "none"}, "chrf": {}, "ter": {}}
    law = "The score of a sample is that of its segments as a corpus, each as often as drawn."
    samples = [
        [0, 1, 2, 3, 4, 5],
        [0, 0, 0, 0, 0, 0],
        [5, 4, 3, 2, 1, 0],
        [1, 1, 2, 2, 4, 5],
        [3, 5, 3, 5, 3, 5],
    ]
    for metric, settings in names.items():
        for name, texts in {"good": good, "bad": bad}.items():
            made = case(
                "significance",
                f"samples-{metric}-{name}",
                law,
                texts,
                refs,
                metric=metric,
                settings=settings,
            )
            yield made | {"answer": "scores", "samples": samples}
    law = "The p-value of few segments is the share of all swaps with a difference as large."
    for metric, settings in names.items():
        for name, texts in {
            "identical": good,
            "one-segment-differs": [bad[0], *good[1:]],
            "two-segments-differ": [bad[0], *good[1:3], bad[3], *good[4:]],
            "five-segments-differ": bad,
            "both-are-better-once": [bad[0], *good[1:5], f"{good[5]} z"],
            "both-are-better-twice": [
                bad[0],
                good[1],
                bad[2],
                bad[3],
                f"{good[4]} z",
                f"{good[5]} z",
            ],
            "better-in-three-of-four": [bad[0], good[1], bad[2], bad[3], good[4], f"{good[5]} z"],
        }.items():
            made = case(
                "significance",
                f"swaps-{metric}-{name}",
                law,
                good,
                refs,
                metric=metric,
                settings=settings,
            )
            yield made | {"answer": "p_value", "baseline": texts}


def errors():
    """Yield the cases that have no score."""
    law = "Texts that do not fit together are refused: nothing is cut off."
    one = ["a b c d", "e f g h"]
    for metric in ("bleu", "chrf", "ter"):
        for name, (hyp, refs) in {
            "fewer-references": (one, [["a b c d"]]),
            "more-references": (one[:1], [["a b c d"], ["e f g h"]]),
            "no-segments": ([], []),
        }.items():
            yield case("errors", f"{metric}-{name}", law, hyp, refs, level="edge", metric=metric)
        law_of_references = "A segment without references has no score."
        for name, refs in {"none": [["a b c d"], []], "none-at-all": [[], []]}.items():
            yield case(
                "errors",
                f"{metric}-{name}",
                law_of_references,
                one,
                refs,
                level="edge",
                metric=metric,
            )
    law = "Unknown names and impossible settings are refused."
    for metric, settings in [
        ("bleu", {"tokenize": "13b"}),
        ("bleu", {"smooth_method": "exponential"}),
        ("bleu", {"max_ngram_order": 0}),
        ("chrf", {"char_order": 0}),
    ]:
        name = slug(metric, settings)
        yield case(
            "errors",
            name,
            law,
            one,
            [[text] for text in one],
            level="edge",
            metric=metric,
            settings=settings,
        )


FILES = {
    "bleu": bleu,
    "chrf": chrf,
    "ter": ter,
    "tokens": tokens,
    "signatures": signatures,
    "significance": significance,
    "errors": errors,
}
