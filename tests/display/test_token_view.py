"""The token view: what is marked in a text is what was counted, whatever the text."""

import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from truebleu import explain
from truebleu.display import markup, text
from truebleu.display.blocks import Block
from truebleu.display.tokens import STATES, MarkedText, Piece, stylesheet

PACKAGE = Path(truebleu.__file__).parent
usual = settings(deadline=None, max_examples=60)
words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12).map(" ".join)


class View(HTMLParser):
    """Reads what is in the paragraphs of texts: each piece, and its classes."""

    def __init__(self, html):
        super().__init__()
        self.texts, self.legend, self.tags = [], [], Counter()
        self.inside, self.kinds = None, []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        classes = (dict(attrs).get("class") or "").split()
        if tag == "p":
            self.inside = classes[0] if classes else None
            if self.inside == "text":
                self.texts.append([])
        elif tag == "span":
            self.kinds = classes[1:]

    def handle_endtag(self, tag):
        if tag == "span":
            self.kinds = []
        elif tag == "p":
            self.inside = None

    def handle_data(self, data):
        if self.inside == "text":
            self.texts[-1].append((data, self.kinds))
        elif self.inside == "legend":
            self.legend += self.kinds


def texts_of(found):
    """Return for each text of an explanation its pieces that are not space, with their marks."""
    shown = View(found.to_html()).texts
    return [[(piece, kinds) for piece, kinds in each if piece.strip()] for each in shown]


def matched(tokens, references, most):
    """Return for each token the highest order of a match that it is in, and if it is clipped."""
    orders, clipped = [0] * len(tokens), [False] * len(tokens)
    for order in range(1, most + 1):
        seen = Counter()
        for start in range(len(tokens) - order + 1):
            gram = tokens[start : start + order]
            seen[tuple(gram)] += 1
            maximum = max(
                sum(each[at : at + order] == gram for at in range(len(each))) for each in references
            )
            for place in range(start, start + order):
                if seen[tuple(gram)] <= maximum:
                    orders[place] = order
                elif order == 1 and maximum:
                    clipped[place] = True
    return orders, clipped


class TestMarks:
    """The marks of each metric are its counts."""

    @usual
    @given(words, st.lists(words, min_size=1, max_size=3), st.integers(1, 6))
    def test_bleu(self, hypothesis, references, most):
        """A token has the highest order of its matches; the last ones are clipped."""
        [own, *others] = texts_of(explain(hypothesis, references, max_order=most))
        tokens = hypothesis.split()
        orders, clipped = matched(tokens, [each.split() for each in references], most)
        expected = []
        for order, extra in zip(orders, clipped, strict=True):
            level = [f"level{min(order, 4)}"] if order else []
            expected.append([*level, *(["clipped"] if extra else [])] or ["missing"])
        assert own == list(zip(tokens, expected, strict=True))
        assert ["".join(piece for piece, _ in each).split() for each in others] == [
            each.split() for each in references
        ]

    @usual
    @given(words, words)
    def test_chrf(self, hypothesis, reference):
        """Both texts are marked, and whole."""
        found = explain(hypothesis, reference, metric="chrf++")
        shown = View(found.to_html()).texts
        assert ["".join(piece for piece, _ in each) for each in shown] == [hypothesis, reference]
        for pieces, spans in zip(shown, (found.spans, found.reference_spans), strict=True):
            levels = [kinds for piece, kinds in pieces if piece.strip()]
            # Six orders of characters share four levels.
            level = {0: "missing", 1: "level1", 2: "level2", 3: "level2", 4: "level3"}
            expected = [level.get(span.order, "level4") for span in spans]
            assert levels == [[each] for each in expected]

    @usual
    @given(words, st.lists(words, min_size=1, max_size=3))
    def test_ter(self, hypothesis, references):
        """Each edit is marked in the texts that it edits."""
        found = explain(hypothesis, references, metric="ter")
        own, *others = texts_of(found)
        assert [word for word, _ in own] == hypothesis.split()
        chosen = others.pop(found.reference)
        assert [word for word, _ in chosen] == references[found.reference].split()
        assert all(not kinds for each in others for _, kinds in each)
        score = found.score
        for shown, edits in (
            (own, {"deletion": score.deletions}),
            (chosen, {"insertion": score.insertions}),
        ):
            kinds = Counter(kind for _, several in shown for kind in several)
            for kind, count in {"substitution": score.substitutions, **edits}.items():
                assert kinds[kind] == count
        # A word that has been shifted is what it says in the reference.
        moved = Counter(word for word, kinds in own if "shift" in kinds)
        phrases = [edit.hypothesis.split() for edit in found.steps if edit.kind == "shift"]
        assert moved <= Counter(word for phrase in phrases for word in phrase)
        assert bool(moved) == bool(score.shifts)

    def test_a_repetition_is_clipped_at_its_end(self):
        """The example of Papineni et al. (2002): two of seven are credited."""
        [own, _] = texts_of(explain("the the the the the the the", "the cat is on the mat"))
        assert [kinds for _, kinds in own] == [["level1"]] * 2 + [["clipped"]] * 5


class TestHtml:
    """What is written."""

    def test_the_legend_has_what_is_marked(self):
        """Each mark once, in one order, and no others."""
        html = explain("a b c d e x a", "a b c d e", max_order=5).to_html()
        assert View(html).legend == ["level4", "clipped", "missing"]
        assert "match of order 5<" in html
        assert 'title="match of order 5"' in html
        assert 'class="legend"' not in explain("", "a").to_html()
        assert "<em>empty</em>" in explain("", "a").to_html()

    @usual
    @given(st.text(max_size=20), st.text(max_size=20))
    def test_texts_are_only_text(self, one, other):
        """Whatever is in a token shows as itself, and is no element."""
        line = MarkedText([Piece(one, 2), Piece(other, 0, ("clipped",)), Piece(one)])
        assert line.text == f"{one}{other}{one}"
        html = markup.html([Block("", [line])])
        inside = html.split('dir="auto">')[1].split("</p>")[0]
        assert set(View(html).tags) <= {"div", "style", "p", "span", "em"}
        shown = unescape(re.sub("<[^>]*>", "", inside))
        assert shown == (text.visible(line.text) or "empty")

    def test_other_formats_have_the_text(self):
        """Marks change nothing but HTML."""
        line = MarkedText([Piece("a", 1), Piece(" "), Piece("b", 0, ("missing",))])
        plain = [Block("x", ["a b"])]
        for write in (
            text.plain,
            lambda blocks: text.for_terminal(blocks, 80, colors=True),
            markup.markdown,
            markup.latex,
        ):
            assert write([Block("x", [line])]) == write(plain)


class TestLook:
    """One style sheet, in the report, too."""

    def test_every_mark_has_a_look(self):
        """Levels and states have rules; and those that the report names have the same ones."""
        ruled = set(re.findall(r"\.tok\.(\w+)", stylesheet()))
        assert {*STATES, *(f"level{level}" for level in range(1, 5))} <= ruled
        script = (PACKAGE / "reporting" / "assets" / "matches.js").read_text("utf-8")
        named = set(re.findall(r'"(?:tok )?(missing|clipped|lit)"', script))
        assert named == {"missing", "clipped", "lit"}
        assert named <= ruled

    def test_the_report_has_no_other(self):
        """The arrangement of the page leaves the look of marks alone."""
        sheet = (PACKAGE / "reporting" / "assets" / "report.css").read_text("utf-8")
        assert not re.findall(r"\.tok\.\w+", sheet)
