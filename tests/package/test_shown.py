"""What a value says about itself: ``repr``, ``str``, and its table in a notebook."""

import html.parser

import pytest
import test_copies
import truebleu

pytestmark = [
    # Toys are no text: their lines begin alike, or are those of another system.
    pytest.mark.filterwarnings("ignore:.*(text.html|same output in every segment)"),
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
]

KINDS = [kind for kind in test_copies.EXAMPLES if not issubclass(kind, BaseException)]
OURS = [kind for kind in KINDS if kind.__module__ == "truebleu"]
HOSTILE = "<script>alert(1)</script>&\x1b[31m\n\u202e"


class Tags(html.parser.HTMLParser):
    """Collects the tags of a page, which must match."""

    VOID = ("hr", "br")

    def __init__(self, text):
        super().__init__()
        self.seen, self.open = set(), []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def is_html(text):
    """Check that this is a fragment of HTML in the common look, without scripts."""
    assert text.startswith('<div class="truebleu">')
    assert text.removeprefix('<div class="truebleu">').lstrip().startswith("<style>")
    assert text.endswith("</div>")
    assert not Tags(text).seen & {"script", "img", "iframe", "link"}


# They are settings or data: as text, they are what makes them.
MAKERS = (truebleu.Metric, truebleu.Stats, truebleu.Ragged, truebleu.SentencePiece)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_every_class_says_what_it_is(kind):
    """In one line that has an end, and without an address in memory."""
    value, _ = test_copies.made(kind)
    for text in (repr(value), repr([value])):
        assert " object at 0x" not in text
        assert len(text) <= 240
        assert text.isprintable()
    if kind not in OURS:
        return
    assert str(value).strip()
    is_html(value._repr_html_())
    if isinstance(value, MAKERS):
        assert str(value) == repr(value)
    else:
        assert str(value) != repr(value)
        assert not str(value).startswith(("<", f"{kind.__name__}("))


def results(text, name):
    """Yield a result of each function, about this text and this name."""
    texts, others = [f"a b {text} c d", "e f g h"], [f"a b {text} c e", "e f g i"]
    systems = {name: texts, f"{name} 2": others}
    for metric in ("bleu", "chrf", "ter"):
        yield truebleu.explain(texts, others, metric=metric)
        yield truebleu.explain(texts[0], others[0], metric=metric)
        yield truebleu.Accumulator(metric)
    compared = truebleu.compare(systems, others, n_resamples=39)
    several = truebleu.compare(systems, others, metrics=["bleu", "ter"], n_resamples=39)
    yield from (compared, several, *compared.pairs, *compared.systems.values())
    yield from (truebleu.mbr(texts), *truebleu.best_of([texts, others], others))
    audit = truebleu.audit(texts, others)
    yield from (audit, audit["nltk"], audit.difference("nltk", "sacrebleu"))
    yield truebleu.audit(texts, others, target="12.3", tokenizers=["13a"])
    yield truebleu.SentencePiece(name)
    yield truebleu.GivenScores({name: [0.5]}, lower_is_better=True)


def test_text_of_strangers():
    """Names and segments are only text: in a terminal, on one line, and in HTML."""
    for value in results(HOSTILE, HOSTILE):
        assert repr(value).isprintable()
        assert len(repr(value)) <= 230
        is_html(value._repr_html_())


def test_large_results():
    """``repr`` of a result is short, however large it is."""
    lines = [f"the cat {number} sat on {number * 7} mats" for number in range(3000)]
    systems = {f"a system with a long name {number}": lines for number in range(9)}
    found = [
        truebleu.compare(systems, lines[::-1], n_resamples=None),
        truebleu.explain(lines, lines[::-1]),
        truebleu.explain(" ".join(lines[:99]), " ".join(lines[99:200])),
        *truebleu.best_of([lines[:300]], lines[:1]),
        truebleu.self_bleu(lines[:300]),
        truebleu.mbr(lines[:300]),
        truebleu.Bleu().stats(lines, lines[::-1]),
    ]
    for value in found:
        assert len(repr(value)) <= 200


def test_digits_are_readable():
    """A few digits in ``repr``, and all of them in the attributes and in ``to_dict``."""
    score = truebleu.sentence_bleu("the cat sat on a mat", "the cat sat on the mat")
    assert repr(score).startswith("<BleuScore 53.7285 nrefs:1|")
    part = truebleu.metrics.explanation.DifferencePart(name="order 1", share=1 / 3, one=1, other=0)
    assert repr(part) == "<order 1 0 -> 1: +0.33>"
    assert part.to_dict()["share"] == 1 / 3
    system = truebleu.significance.pair.ComparedSystem(name="a", score=score, interval=None)
    assert (
        repr(system) == "ComparedSystem(name='a', score=53.7285, interval=None, between_runs=None)"
    )
    # Settings keep all their digits, so that they can be pasted.
    metric = truebleu.Chrf(beta=1 / 3)
    assert eval(repr(metric), {"Chrf": truebleu.Chrf}) == metric
