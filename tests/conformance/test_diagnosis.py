"""``check``: which mistake a BLEU of one's own makes."""

import inspect
import json
import math
import random
import re
import sys
from collections import Counter
from functools import reduce
from statistics import fmean

import pytest
from looping import sampled
from truebleu import Bleu, check
from truebleu.analysis.causes import causes
from truebleu.cli import main
from truebleu.conformance.diagnosis import _definition
from truebleu.conformance.probes import asked_command
from truebleu.display.words import words_in
from truebleu.errors import EncodingError, InputError, InputTypeError, SettingsError

PYTHON = sys.executable


def ngrams(words, n):
    """Count n-grams."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def with_tails(words, n):
    """Count n-grams, and what is left at the end."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words)))


def without_last(words, n):
    """Count n-grams but the last one."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n))


def reduced(match, total):
    """Return a fraction in lowest terms."""
    divisor = math.gcd(match, total) or 1
    return match // divisor, total // divisor


MATCHES = {
    "clipped": lambda own, most: (sum((own & most).values()), sum(own.values())),
    "summed": lambda own, most: (sum((own & most).values()), sum(own.values())),
    "not": lambda own, most: (sum(own[each] for each in own if each in most), sum(own.values())),
    "sets": lambda own, most: (len(own.keys() & most.keys()), len(own)),
    "once": lambda own, most: (len(own.keys() & most.keys()), sum(own.values())),
    "distinct": lambda own, most: (sum((own & most).values()), len(own)),
    "recall": lambda own, most: (sum((own & most).values()), sum(most.values())),
    "words": lambda own, most: ((own & most).total(), own.total() + len(next(iter(own), "x")) - 1),
    "of reference": lambda own, most: (sum(most[each] for each in own), own.total()),
    "recall of sets": lambda own, most: (len(own.keys() & most.keys()), len(most)),
    "reduced": lambda own, most: reduced((own & most).total(), own.total()),
    "not last": lambda own, most: ((own & most).total(), own.total()),
    "tails": lambda own, most: ((own & most).total(), own.total()),
    "negative": lambda own, most: ((own & most).total(), own.total()),
}
PENALTIES = {
    "usual": lambda c, r: 1 if c > r else math.exp(1 - r / c),
    "none": lambda _c, _r: 1,
    "inverted": lambda c, r: 1 if c > r else math.exp(1 - c / r),
    "reversed": lambda c, r: min(1, math.exp(1 - c / r)),
    "always": lambda c, r: math.exp(1 - r / c),
    "ratio": lambda c, r: min(1, c / r),
    "long": lambda c, r: 1 if c < r else math.exp(1 - r / c),
    "both": lambda c, r: math.exp(-abs(1 - r / c)),
}
LENGTHS = {
    "closest": lambda lengths, own: min(lengths, key=lambda each: (abs(each - own), each)),
    "first": lambda lengths, own: min(lengths, key=lambda each: abs(each - own)),
    "shortest": lambda lengths, _: min(lengths),
    "longest": lambda lengths, _: max(lengths),
    "of first": lambda lengths, _: lengths[0],
    "sum": lambda lengths, _: sum(lengths),
    "difference": lambda lengths, own: min(abs(each - own) for each in lengths),
}


def shares_of(precisions, kind):
    """Divide matches by n-grams, as people do."""
    plus = {"add one": 1, "1e-9 added": 1e-9}.get(kind, 0)
    zero, missing = {"tiny": (1e-10, 1e-10), "missing": (0, 1)}.get(kind, (0, 0))
    least = {"a match": 1, "half a match": 0.5}.get(kind, 0)
    pairs = [((match or least) + plus, total + plus) for match, total in precisions]
    return [(match / total or zero) if total else missing for match, total in pairs]


def geometric(shares, weights, log=math.log, base=math.e):
    """Return a weighted mean, with some logarithm and some power."""
    if not shares or min(shares) <= 0:
        return 0
    return base ** sum(w * log(p) for w, p in zip(weights, shares, strict=True))


def mean(precisions, kind, weights):
    """Join precisions, which are pairs of numbers."""
    shares = shares_of(precisions, kind)
    pairs = [(w, p) for w, p in zip(weights, shares, strict=True) if p]
    known, of_known = [p for _, p in pairs], [w for w, _ in pairs]
    return {
        "arithmetic": lambda: sum(shares) / len(shares),
        "harmonic": lambda: len(shares) / sum(1 / p for p in shares) if all(shares) else 0,
        "cumulative": lambda: fmean(
            geometric(shares[:n], [1 / n] * n) for n in range(1, len(shares) + 1)
        ),
        "product": lambda: math.prod(shares),
        "skip": lambda: geometric(known, of_known),
        "matched": lambda: geometric(known, [1 / len(known)] * len(known) if known else []),
        "log10": lambda: geometric(shares, weights, log=math.log10),
        "power": lambda: geometric(shares, weights, base=2),
        "no zero": lambda: math.exp(fmean(map(math.log, shares))),
    }.get(kind, lambda: geometric(shares, weights))()


def implementation(  # Each branch is a mistake.
    order="hypotheses first",
    split=str.split,
    level="corpus",
    matches="clipped",
    penalty="usual",
    length="closest",
    kind="usual",
    orders=4,
    weights=None,
    several=True,
    macro=False,
    shown=lambda score: score,
    spoil=lambda _hypotheses, _references: None,
    of_characters=False,
):
    """Return a BLEU as people write it, with what they do to it."""

    def counts(hypothesis, references):
        words, others = split(hypothesis), [split(each) for each in references]
        found = []
        for n in range(1, orders + 1):
            join = Counter.__add__ if matches == "summed" else Counter.__or__
            count = {"tails": with_tails, "not last": without_last}.get(matches, ngrams)
            most = reduce(join, [count(other, n) for other in others])
            match, total = MATCHES[matches](count(words, n), most)
            found.append((match, len(words) - n + 1 if matches == "negative" else total))
        if of_characters:
            words, others = hypothesis, references
        chosen = LENGTHS.get(length, LENGTHS["closest"])
        return found, len(words), chosen([len(other) for other in others], len(words))

    def score(found, own, other):
        shares = mean(found, kind, weights or [1 / orders] * orders)
        return shown(PENALTIES[penalty](own, other) * shares)

    def corpus(hypotheses, references):
        spoil(hypotheses, references)
        every = references if several else [[each] for each in references]
        rows = [counts(*pair) for pair in zip(hypotheses, every, strict=True)]
        if macro:
            return sum(score(*row) for row in rows) / len(rows)
        found = [
            tuple(map(sum, zip(*each, strict=True)))
            for each in zip(*(row[0] for row in rows), strict=True)
        ]
        of_references = rows[-1][2] if length == "last" else sum(row[2] for row in rows)
        return score(found, sum(row[1] for row in rows), of_references)

    def sentence(hypothesis, references):
        return score(*counts(hypothesis, references if several else [references]))

    def over_references(hypothesis, references):
        return macro([score(*counts(hypothesis, [each])) for each in references])

    called = corpus if level == "corpus" else over_references if macro else sentence
    if order == "references first":
        return lambda references, hypotheses: called(hypotheses, references)
    called.__signature__ = inspect.signature(lambda a, b: None) if order == "unknown" else None
    return called


SENTENCE = {"level": "sentence"}
WORDS = {"split": list}
CLIPPING = "counts not clipped"
NO_PENALTY = "no brevity penalty"
SKIPPED = "orders without a match skipped"
MEAN = "the arithmetic mean of the precisions"
MACRO = "the mean of segment scores"
HALVES = "weights 1/2^n of order n, not 1/N"
LONG = "exp(1 - r/c) for long hypotheses, and no penalty of short ones"
JOINED = "all references of a segment joined to one text"
BEST = "the score with the best of the references, not with all"
OF_ALL = "the mean of the scores with each reference"
RECALL = "matches divided by the n-grams of the reference: recall, not precision"
SUMMED = "counts clipped to their sum over the references, not the largest"
OF_FIRST = "the length of the first reference"
FIRST = "of two closest lengths, the first"
UPSIDE_DOWN = "the brevity penalty upside down, exp(1 - c/r)"
REVERSED = "a penalty of long hypotheses, exp(1 - c/r), and none of short ones"
ALWAYS = "exp(1 - r/c) as a brevity penalty of long hypotheses, too"

NEGATIVE = "n-grams of segments that are too short counted as fewer than none"
OF_REFERENCE = "the count in the reference taken, however often the hypothesis has the n-gram"
RECALL_OF_SETS = "sets of n-grams, divided by those of the reference: recall, not precision"
DIFFERENCE = "the smallest difference of lengths taken as the reference length"

# What is done, and the mistakes that are found.
IMPLEMENTATIONS = [
    ({}, []),
    (SENTENCE, []),
    (SENTENCE | {"several": False}, []),
    ({"order": "references first", "shown": lambda score: 100 * score}, []),
    ({"order": "unknown"} | SENTENCE, []),
    ({"shown": lambda score: round(100 * score, 2)}, []),
    ({"shown": lambda score: {"p_1": 0.9, "BLEU-4": score}} | SENTENCE, []),
    ({"shown": lambda score: (score, [])} | SENTENCE, []),
    ({"orders": 2}, []),
    ({"length": "shortest"}, []),
    ({"length": "longest"}, []),
    ({"split": lambda text: text.lower().split()}, []),
    ({"matches": "not"}, [CLIPPING]),
    ({"matches": "not"} | SENTENCE, [CLIPPING]),
    ({"matches": "not", "several": False} | SENTENCE, [CLIPPING]),
    ({"matches": "not", "order": "unknown"}, [CLIPPING]),
    ({"matches": "sets"}, ["sets of n-grams: each counts once"]),
    ({"matches": "once"}, ["each n-gram that matches counts once"]),
    ({"penalty": "none"}, [NO_PENALTY]),
    ({"penalty": "none", "order": "references first"} | SENTENCE, [NO_PENALTY]),
    ({"penalty": "none", "shown": lambda score: round(score, 4)}, [NO_PENALTY]),
    ({"penalty": "inverted"}, [UPSIDE_DOWN]),
    ({"penalty": "reversed"}, [REVERSED]),
    ({"penalty": "reversed"} | SENTENCE, [REVERSED]),
    ({"penalty": "always"}, [ALWAYS]),
    ({"penalty": "ratio"}, ["c/r as the brevity penalty"]),
    ({"of_characters": True}, ["a brevity penalty of lengths in characters"]),
    ({"matches": "summed"}, [SUMMED]),
    ({"length": "of first"} | SENTENCE, [OF_FIRST]),
    ({"matches": "summed", "length": "of first"}, [OF_FIRST, SUMMED]),
    ({"length": "first"}, [FIRST]),
    ({"length": "first"} | SENTENCE, [FIRST]),
    ({"kind": "arithmetic"}, [MEAN]),
    ({"kind": "arithmetic", "several": False} | SENTENCE, [MEAN]),
    ({"kind": "product"}, ["the product of the precisions, not their mean"]),
    ({"kind": "skip"}, [SKIPPED]),
    ({"kind": "tiny"}, []),
    ({"kind": "log10"}, ["logarithms of base 10 under exp"]),
    ({"matches": "distinct"}, ["matches divided by the number of distinct n-grams"]),
    ({"matches": "recall", "several": False}, [RECALL]),
    ({"length": "sum"}, ["the lengths of all references added up"]),
    ({"macro": max} | SENTENCE, [BEST]),
    ({"macro": fmean} | SENTENCE, [OF_ALL]),
    ({"split": lambda text: [*text.split(), "</s>"]}, ["an end token counted as a word"]),
    ({"orders": 3, "weights": [0.25] * 3}, ["weights (0.25, 0.25, 0.25): order 4 is missing"]),
    ({"macro": True}, [MACRO]),
    ({"orders": 3, "weights": [0.33] * 3}, ["weights (0.33, 0.33, 0.33), which add up to 0.99"]),
    ({"weights": [0.5, 0.25, 0.125, 0.0625]}, [HALVES]),
    ({"weights": [0.5, 0.25], "orders": 2} | SENTENCE, [f"{HALVES}, up to order 2"]),
    ({"kind": "missing", "weights": [0.5, 0.25, 0.125, 0.0625], "macro": True}, [MACRO, HALVES]),
    ({"kind": "1e-9 added"} | SENTENCE, []),
    ({"kind": "matched"}, ["orders without a match left out of the mean"]),
    ({"kind": "power"}, ["2 to the power of the mean of natural logarithms"]),
    ({"matches": "words"} | SENTENCE, ["matches of every order divided by the number of words"]),
    ({"penalty": "long"}, [LONG]),
    ({"matches": "not", "penalty": "none"}, [CLIPPING, NO_PENALTY]),
    ({"kind": "arithmetic", "penalty": "none"}, [NO_PENALTY, MEAN]),
    ({"macro": True, "penalty": "inverted"}, [MACRO, UPSIDE_DOWN]),
    ({"kind": "skip", "penalty": "none"}, [SKIPPED, NO_PENALTY]),
    ({"length": "first", "penalty": "reversed"} | SENTENCE, [FIRST, REVERSED]),
    ({"orders": 1, "matches": "not", "penalty": "none"} | SENTENCE, [CLIPPING, NO_PENALTY]),
    ({"kind": "harmonic"}, ["the harmonic mean of the precisions"]),
    ({"kind": "cumulative"}, ["the mean of BLEU-1 to BLEU-4"]),
    ({"kind": "arithmetic", "penalty": "inverted"}, [UPSIDE_DOWN, MEAN]),
    ({"matches": "of reference"} | SENTENCE, [OF_REFERENCE]),
    ({"matches": "recall of sets", "several": False}, [RECALL_OF_SETS]),
    ({"matches": "tails"} | SENTENCE, ["shorter n-grams at the end of a text counted, too"]),
    ({"matches": "not last"}, ["the last n-gram of each order left out"]),
    ({"matches": "negative"}, [NEGATIVE]),
    ({"matches": "reduced"}, ["fractions of segments reduced before they are added up"]),
    ({"length": "difference"}, [DIFFERENCE]),
    ({"length": "last"}, ["the reference length of the last segment alone"]),
    ({"penalty": "both"}, ["a penalty of long and short hypotheses, exp(-abs(1 - r/c))"]),
    ({"kind": "a match"} | SENTENCE, []),
    ({"kind": "half a match", "orders": 2}, []),
]


@pytest.mark.parametrize(("done", "mistakes"), sampled(IMPLEMENTATIONS, 6))
def test_mistakes_have_names(done, mistakes):
    """All answers are explained, by these mistakes and no others."""
    found = check(implementation(**done))
    assert sorted(each.words for each in found.mistakes) == sorted(mistakes)
    assert found.explained == found.asked
    assert found.right == (not mistakes)
    assert (found.shortest is None) == (not mistakes)


def test_definitions():
    """What the definition says is about what is done, whatever else that sets."""
    [macro] = (each for each in causes() if each.words == "the mean of the precisions of sentences")
    assert "summed over all segments" in _definition(macro)[0]
    [clipping] = (each for each in causes() if each.words == CLIPPING)
    assert "credited" in _definition(clipping)[0]


@pytest.mark.filterwarnings("ignore:each of 2 segments has 2 references")
def test_single_references_and_several():
    """What takes both is asked for several, which it may treat in a way of its own."""
    metric = Bleu(reference_length="shortest")
    found = check(lambda texts, references: float(metric.corpus(texts, references)))
    assert [each.words for each in found.choices] == ["the length of the shortest reference"]


def test_choices():
    """Of what can be chosen, each is named, in a single segment, too."""
    found = check(implementation(split=lambda text: text.lower().split(), orders=2, **SENTENCE))
    assert [each.words for each in found.choices] == ["lower-cased", "no smoothing", "BLEU-2"]


def joining(hypothesis, references):
    """Score against all references as one text."""
    return implementation(**SENTENCE)(hypothesis, [" ".join(references)])


def with_order(hypothesis, reference, n):
    """Score with a highest order that has no default."""
    return implementation(orders=n, several=False, **SENTENCE)(hypothesis, reference)


def with_weights(hypothesis, references, weights):
    """Score with weights that have no default."""
    return implementation(orders=len(weights), weights=weights)(hypothesis, references)


class Scorer:
    """A method that has another name in each class."""

    def __init__(self, max_n):
        self.order = max_n

    def compute(self, *, predictions, references):
        return {"bleu": implementation(orders=self.order)(predictions, references)}


class InSteps:
    """Takes texts first, and scores them then."""

    def __init__(self):
        self.given = ([], [])

    def update(self, preds, target):
        self.given[0].extend(preds)
        self.given[1].extend(target)

    def compute(self):
        return implementation()(*self.given)


class OfTexts:
    """Takes texts when it is made."""

    def __init__(self, candidates, references):
        self.given = candidates, references

    def score(self):
        return implementation()(*self.given)


class TestCalls:
    """What is called, and how."""

    @pytest.mark.parametrize(
        ("thing", "called", "mistakes"),
        [
            (joining, "with a hypothesis and its references, as strings", [JOINED]),
            (
                with_order,
                "with a hypothesis and a reference, as strings, with 4 as the highest order",
                [],
            ),
            (
                with_weights,
                "with hypotheses and lists of references, as strings, with 4 as the highest order",
                [],
            ),
            (Scorer, "with hypotheses and lists of references, as strings", []),
            (InSteps, "with hypotheses and lists of references, as strings", []),
            (OfTexts, "with hypotheses and lists of references, as strings", []),
        ],
        ids=lambda each: getattr(each, "__name__", ""),
    )
    def test_what_can_be_called(self, thing, called, mistakes):
        """Other parameters get what BLEU-4 needs; a class is made, and a method of it called."""
        found = check(thing)
        assert (found.called, [each.words for each in found.mistakes]) == (called, mistakes)
        assert found.explained == found.asked

    def test_what_cannot(self):
        """What is missing is named, with the change to make."""

        class Nothing:
            """A class without a method of two texts."""

        class Made:
            def __init__(self, model):
                self.model = model

            def score(self, hypotheses, references):
                return 1.0

        def smoothed(hypothesis, reference, smoother):
            return 1.0

        for thing, said in (
            (Nothing, "Nothing has no method that takes hypotheses and references"),
            (Made, "Made needs model to be made: give them defaults"),
            (smoothed, "it needs smoother besides the texts: give it a default"),
            (lambda _a, _b: print("0.5"), "it returns nothing; a score that is printed must be"),
        ):
            with pytest.raises(InputError, match=said):
                check(thing)

    def test_chance(self):
        """Answers that vary are no BLEU, and that is found before anything is searched."""
        draw = random.Random(1)
        with pytest.raises(InputError, match=r"returns 0\.\d+, and then 0\.\d+, "):
            check(lambda hypotheses, _: draw.random() * len(hypotheses[0]) / 100)
        seen = []
        with pytest.raises(InputError, match="not on chance or on earlier calls"):
            check(lambda hypothesis, reference: len(seen.append(hypothesis) or seen) / 1000)


def test_in_korean():
    """All that is said of a mistake is in Korean, too; every habit has words for it."""
    table = words_in("ko")
    for each in causes():
        if each.words:
            assert table.again(each.words) != each.words or each.words.startswith("BLEU-"), each
    wrong = implementation(matches="not", penalty="reversed", **SENTENCE)
    english, korean = check(wrong), check(wrong, language="ko")
    assert korean.mistakes == english.mistakes
    said = re.sub(
        r"https?:\S+|\{.*\}|^ +(p_n|bp|credited) = .*$", "", str(korean), flags=re.MULTILINE
    )
    left = set(re.findall(r"[A-Za-z]{2,}", said)) - {"BLEU", "exp", "min", "BP", "gram", "sentence"}
    assert not left
    assert "고치는 법:" in str(korean)
    with pytest.raises(SettingsError, match="language"):
        check(wrong, language="fr")


class TestWhatElseIsWrong:
    """What no number shows."""

    def test_characters(self):
        """A function of words that takes a string, too, counts its characters."""
        found = check(implementation(**WORDS))
        assert found.called == "with hypotheses and lists of references, as lists of words"
        assert (found.mistakes, found.failures, found.right) == ((), (), True)
        assert found.notes == (
            "Given strings, it treats each character as a word and raises no error",
        )

    def test_lists_that_are_used_up(self):
        """Whoever calls it twice gets another number."""
        found = check(implementation(spoil=lambda hypotheses, _: hypotheses.sort()))
        assert found.failures[0].startswith("It modifies its arguments: for [[")

    def test_errors(self):
        """A logarithm of 0 has no number, where BLEU has 0."""
        found = check(implementation(kind="no zero"))
        assert found.failures[0].startswith("ValueError: math domain error: for [[")
        assert (found.mistakes, found.right) == ((), False)
        assert found.explained < found.asked
        few = {"so": 0.1, "rain": 0.2, "ha ha": 0.3}
        with pytest.raises(InputError, match=r"only 3 scores for 29 .* as strings; the first"):
            check(lambda hypothesis, _reference: few[hypothesis])

    def test_no_known_mistake(self):
        """What nothing explains is said to be unexplained, with an example."""
        found = check(implementation(shown=lambda score: score**1.1))
        assert "no known mistake explains its answers" in found.verdict()
        assert found.shortest.answer != found.shortest.expected

    def test_no_scores(self):
        """A function that answers nothing, or always the same."""
        with pytest.raises(InputError, match="the first error is TypeError: "):
            check(lambda: 1.0)
        with pytest.raises(InputError, match="returns 1 for all texts, called with"):
            check(lambda _a, _b: 1.0)
        with pytest.raises(InputTypeError, match="function is a str; a function is needed"):
            check("bleu")


def test_streams():
    """References in sacreBLEU's shape, of which one is ignored."""
    right, only_second = implementation(), implementation(several=False)
    found = check(lambda hypotheses, streams: right(hypotheses, list(zip(*streams, strict=True))))
    assert found.called == "with hypotheses and all first, then all second references, as strings"
    assert found.right
    found = check(lambda hypotheses, streams: only_second(hypotheses, streams[1]))
    assert [each.words for each in found.mistakes] == ["no reference is used but number 2"]
    assert "By definition: every reference counts." in str(found)


class TestCommand:
    """``truebleu check FILE.py`` and commands that read files."""

    SOURCE = """
import inspect
import math

def helper(): ...

def bleu(candidate, reference):
    print("noise")
    words, others = candidate.split(), reference.split()
    shares = sum(word in others for word in words) / len(words)
    return min(1, math.exp(1 - len(others) / len(words))) * shares

def corpus_bleu(candidates, references):
    return 1 / 0
"""

    @pytest.fixture
    def answer(self, tmp_path, monkeypatch, capfd):
        """Run the command on a file; return its exit code, output and complaint."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("COLUMNS", "100")

        def answer(*words, source=self.SOURCE):
            (tmp_path / "mine.py").write_text(source, "utf-8")
            code = main(["check", *words])
            return code, *capfd.readouterr()

        return answer

    def test_a_function_of_a_file(self, answer):
        """The mistake, the definition, and why it is wrong."""
        code, output, error = answer("mine.py:bleu")
        assert (code, error) == (1, "truebleu: mine.py:bleu does not compute BLEU\n")
        assert output.startswith(
            "mine.py:bleu makes 1 mistake: counts not clipped. Apart from that, it computes BLEU ("
        )
        assert "By definition: an n-gram is credited" in output
        assert "errata.html#7-of-7-words-match-no-clipping" in output

    def test_which_function(self, answer):
        """If none is named, a BLEU that gives scores is asked, and no part of one."""
        _, output, _ = answer("mine.py")
        assert output.startswith("mine.py:bleu makes 1 mistake")
        _, _, error = answer("mine.py:corpus_bleu")
        assert "mine.py:corpus_bleu returns no score" in error
        assert "ZeroDivisionError: division by zero" in error
        parts = self.SOURCE.replace("1 / 0", "bleu(candidates[0], references[0]) + 0")
        parts += "\ndef brevity_penalty(candidate, reference): return len(candidate)"
        _, output, _ = answer("mine.py", source=parts)
        assert output.startswith("mine.py:corpus_bleu ")
        _, _, error = answer("mine.py:blue")
        assert "there is no function 'blue', but helper, bleu, corpus_bleu" in error
        _, _, error = answer("mine.py", source="import math")
        assert "mine.py has no function" in error
        _, _, error = answer("mine.py", source="def bleu(")
        assert "SyntaxError" in error

    def test_a_notebook(self, answer, tmp_path):
        """Its cells are run, each by itself, without what only notebooks understand."""
        cells = ["%matplotlib inline\nimport math", "1 / 0", self.SOURCE, "!ls"]
        cells = [{"cell_type": "code", "source": [each]} for each in cells]
        cells.append({"cell_type": "markdown", "source": ["text"]})
        (tmp_path / "mine.ipynb").write_text(json.dumps({"cells": cells}), "utf-8")
        code, output, _ = answer("mine.ipynb:bleu")
        assert code == 1
        assert output.startswith("mine.ipynb:bleu makes 1 mistake: counts not clipped.")

    def test_what_is_called_elsewhere(self, answer, tmp_path):
        """Functions that a file imports, classes, and functions before an error are called."""
        (tmp_path / "own_bleu.py").write_text(self.SOURCE, "utf-8")
        _, output, _ = answer("mine.py", source="from own_bleu import bleu")
        assert output.startswith("mine.py:bleu makes 1 mistake: counts not clipped.")
        source = "import own_bleu\nclass Metric:\n    def score(self, sys, ref):\n"
        source += "        return own_bleu.bleu(sys, ref)\nprint(Metric().score(*open('x')))"
        _, output, _ = answer("mine.py", source=source)
        assert output.startswith("mine.py:Metric.score makes 1 mistake: counts not clipped.")
        _, output, _ = answer("mine.py:Metric.score", "--language", "ko", source=source)
        assert output.startswith("mine.py:Metric.score: 실수 1가지가 있습니다. 클리핑을 하지 않음.")

    def test_a_script_that_prints(self, answer):
        """There is nothing to call, so what to do is said."""
        code, _, error = answer("mine.py", source="print(0.5)")
        assert code == 2
        assert "truebleu check -- python mine.py {hypotheses} {references}" in error

    def test_what_is_printed(self, answer):
        """The number behind the word BLEU is the score, however it is written."""
        for line, score in (
            ("'p1 = 0.9, BLEU-4 = 0.25'", "0.25"),
            ("'BLEU@4: 2.5e-1'", "0.25"),
            ("'{:.2f}'.format(0.25)", "0.25"),
        ):
            words = ("--", PYTHON, "-c", f"print({line})", "{reference}")
            _, _, error = answer(*words)
            assert f"returns {score} for all texts, called" in error

    def test_the_limit(self, answer):
        """It runs in a process of its own, which is ended."""
        source = "def bleu(hypothesis, reference):\n    while True: pass"
        code, _, error = answer("mine.py", "--time-limit", "0.3", source=source)
        assert code == 2
        assert "no answer within 0.3 seconds" in error

    def test_a_command_that_reads_files(self, answer):
        """The first number of its output is its answer."""
        source = "import sys, truebleu\n" + (
            "hyps, *refs = [open(each, encoding='utf-8').read().splitlines() "
            "for each in sys.argv[1:]]\n"
            "bleu = truebleu.Bleu(tokenizer='13a')\n"
            "print('BLEU-4 =', bleu.corpus(hyps, reference_streams=refs).score)\n"
        )
        words = ("--", PYTHON, "mine.py", "{hypotheses}", "{references}")
        code, output, error = answer(*words, source=source)
        assert (code, error) == (0, "")
        assert "41 of 41 answers match" in output
        code, _, error = answer("--", PYTHON, "-c", "raise SystemExit(3)", "{reference}")
        assert code == 2
        assert "the first error is exit code 3, and no number in its output" in error

    def test_options_of_the_kit(self, answer):
        """A function has no cases to choose from."""
        code, _, error = answer("mine.py", "--level", "core")
        assert code == 2
        assert error == (
            "truebleu: --level chooses cases of the kit; a BLEU of one's own has none\n"
        )


def test_half_a_character():
    """A text that no file can hold is named before a command is asked about it."""
    texts = (["a", "b \ud800"], [["a"], ["b"]])
    message = r"hypotheses.txt, segment 2: the text has half of a surrogate pair \(U\+D800\)"
    with pytest.raises(EncodingError, match=message):
        asked_command([PYTHON, "{hypotheses}", "{reference}"], texts, 9)
