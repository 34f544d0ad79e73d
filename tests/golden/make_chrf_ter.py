"""Print rows of chrf_ter.tsv: what other tools say of some corpora, and sacreBLEU of long segments.

Run as ``python tests/golden/make_chrf_ter.py TOOL... [--folder FOLDER]`` with what each tool needs:

- nltk, torchmetrics, fastchrf, pyter3, sacrebleu: the packages
- chrf++.py: ``chrF++.py`` of m-popovic/chrF in FOLDER
- huggingface: evaluate, sacrebleu, and ``chrf.py`` and ``ter.py`` of huggingface/evaluate in FOLDER
"""

import argparse
import json
import math
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import make_dialects

TABLE = Path(__file__).resolve().parent / "chrf_ter.tsv"

# Segments without a match, shorter than some order, with other spaces than U+0020, empty.
SMALL = [
    [["the cat sat", ["the cat sat down"]], ["xyz", ["abc"]], ["a dog", ["the dog"]]],
    [["hi", ["hi"]], ["I", ["I"]], ["a b c d e f g", ["a b c d e f g"]]],
    [["the\tcat\u00a0sat", ["the cat sat"]], ["\u3000it  rained ", ["it rained"]]],
    [["the cat sat on the mat", ["on the mat the cat sat", "a dog"]], ["yes", ["no", "yes!"]]],
    [["", ["the cat"]], ["the cat", ["the cat sat"]]],
    [["b a d c", ["a b c d"]], ["a b c d e f", ["a c"]]],
    [['(hi) "x", ...', ["(hi), x ..."]], ["ÉTÉ", ["été"]]],
]


def numbered(name, count):
    """Return words that differ."""
    return [f"{name}{index}" for index in range(count)]


def displaced(offset, length=80):
    """Return two texts; every second word of one is in the other, `offset` words further."""
    words = numbered("w", length - offset)
    one, other = (
        [each if index % 2 else f"{name}{index}" for index, each in enumerate(words)]
        for name in "ab"
    )
    return " ".join(one + numbered("x", offset)), " ".join(numbered("y", offset) + other)


# The bounds of TER's search, from both sides: how far from the diagonal the edit distance is
# computed, where that becomes farther, and how far a word is shifted to the left.
BOUNDS = [
    *(displaced(24), displaced(25), displaced(25)[::-1], displaced(26)[::-1]),
    ("a b c d", " ".join([*["x"] * 2, "a", *["x"] * 96, "d"])),
    ("a b c d", " ".join([*["x"] * 50, "b", *["x"] * 49])),
    ("a b", " ".join([*["x"] * 9, "a", *["x"] * 89, "b"])),
    *(
        (" ".join([*words, "x"]), " ".join(["x", *words]))
        for words in map(numbered, "ww", (50, 51))
    ),
    (" ".join([*["a"] * 49, "b", "x"]), " ".join(["x", *["a"] * 49, "b"])),
]


def bounds():
    """Yield a name, the hypothesis and its reference, as `corpora` does."""
    for number, (hypothesis, reference) in enumerate(BOUNDS):
        yield f"bound {number}", [hypothesis], [[reference]]


def corpora(several):
    """Yield a name, hypotheses, and the references of each; one reference each or several."""
    yield from make_dialects.corpora(several)
    for number, pairs in enumerate(SMALL):
        references = [others for _, others in pairs]
        if several or all(len(others) == 1 for others in references):
            yield f"chrf {number}", [text for text, _ in pairs], references


def nltk(hypotheses, references):
    """Score with NLTK, which joins several references with spaces."""
    from nltk.translate.chrf_score import corpus_chrf

    return corpus_chrf([list(others) for others in references], hypotheses)


def chrf_plus_plus(hypotheses, references):
    """Score with chrF++.py; return both numbers, or None for what it cannot score."""
    spec = spec_from_file_location("chrf_plus_plus", Path(sys.path[0], "chrF++.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    lines = ["*#".join(others) for others in references]
    try:
        scores = module.computeChrF(lines, hypotheses, 2, 6, 2.0)
    except UnboundLocalError:
        return None
    return [100 * score for score in scores[:2]]


def torchmetrics_chrf(hypotheses, references):
    """Score with torchmetrics."""
    from torchmetrics.functional.text import chrf_score

    return float(chrf_score(hypotheses, [list(others) for others in references]))


def torchmetrics_ter(hypotheses, references):
    """Score with torchmetrics."""
    from torchmetrics.functional.text import translation_edit_rate

    return float(translation_edit_rate(hypotheses, [list(others) for others in references]))


def fastchrf(hypotheses, references):
    """Score each segment with fastChrF, which has no score of a corpus, and take the mean."""
    from fastchrf import pairwise_chrf

    scores = pairwise_chrf([[text] for text in hypotheses], [list(own) for own in references])
    best = [max(own) for [own] in scores]
    return math.fsum(best) / len(best)


def huggingface(name):
    """Score with the module of evaluate."""

    def score(hypotheses, references):
        import evaluate

        if len({*map(len, references)}) > 1:
            return None
        module = evaluate.load(str(Path(sys.path[0], f"{name}.py")))
        return module._compute(hypotheses, [list(own) for own in references])["score"]

    return score


def pyter(hypotheses, references):
    """Score each segment with pyter3 and take the mean; it divides by 0 if a reference is empty."""
    import pyter as pyter3

    rates = [
        pyter3.ter(text.split(), own[0].split())
        for text, own in zip(hypotheses, references, strict=True)
    ]
    return math.fsum(rates) / len(rates)


def sacrebleu_ter(hypotheses, references):
    """Return the number of edits that sacreBLEU finds."""
    import sacrebleu

    return sacrebleu.TER().corpus_score(hypotheses, list(zip(*references, strict=True))).num_edits


# The metric, the function, and whether the tool takes several references.
TOOLS = {
    "nltk": [("chrf", nltk, True)],
    "chrf++.py": [("chrf", chrf_plus_plus, True)],
    "torchmetrics": [("chrf", torchmetrics_chrf, True), ("ter", torchmetrics_ter, True)],
    "fastchrf": [("chrf", fastchrf, True)],
    "huggingface": [("chrf", huggingface("chrf"), True), ("ter", huggingface("ter"), True)],
    "pyter3": [("ter", pyter, False)],
    "sacrebleu": [("ter", sacrebleu_ter, False)],
}


def same(number, known):
    """Whether a number, a list of them, or None is what the table has."""
    if isinstance(number, list) and isinstance(known, list):
        return all(map(same, number, known))
    if number is None or known is None:
        return number is known
    return math.isclose(number, known, rel_tol=1e-6, abs_tol=1e-14)


def main():
    """Print the rows of some tools."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="+", choices=TOOLS, metavar="TOOL")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--check", action="store_true", help="compare with the table instead")
    options = parser.parse_args()
    sys.path.insert(0, options.folder)
    known = {}
    if options.check:
        for line in TABLE.read_text("utf-8").splitlines():
            row, _, number = line.rpartition("\t")
            known[row] = number
    for name in options.tools:
        for metric, score, several in TOOLS[name]:
            drawn = bounds() if name == "sacrebleu" else corpora(several)
            for corpus, hypotheses, references in drawn:
                number = score(hypotheses, references)
                row = "\t".join([metric, name, corpus])
                if not options.check:
                    print(f"{row}\t{json.dumps(number)}")
                elif not same(number, json.loads(known[row])):
                    sys.exit(f"{row}: {number}, but the table has {known[row]}")
        print(f"{name} says what it said", file=sys.stderr)


if __name__ == "__main__":
    main()
