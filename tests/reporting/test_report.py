"""The report: its numbers are those of truebleu, its charts are drawn, bad input is refused."""

import itertools
import json
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from hashlib import sha256
from html import unescape
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
import truebleu
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from looping import looped
from project import EXAMPLES
from strategies import corpora
from toy_metrics import ExactMatch, Misses
from truebleu import Bleu, Chrf, Ter, compare, confidence_interval, explain, report, sentence_bleu
from truebleu.cli import main
from truebleu.cli.report import command_of
from truebleu.display import forest
from truebleu.display.markup import isolated_in, stylesheet
from truebleu.errors import (
    LengthMismatchError,
    MissingExtraError,
    SettingsError,
    SmallSampleWarning,
)
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import METRICS
from truebleu.reporting import (
    chart_data,
    charts,
    drawing,
    glossary,
    groups,
    ngrams,
    page,
    payload,
    quotes,
    tokens,
)

from campaign.hostile import NAMES_OF_OBJECTS, odd_report

# Small texts of tests repeat, and are odd: tests of the warnings ask for them.
ODD_TEXT = "ignore:.*(truebleu/text.html|same output):truebleu.SettingsWarning"

pytestmark = [
    pytest.mark.filterwarnings(
        "ignore:.* (equals? a reference in all|Unicode normal forms|is higher)"
        ":truebleu.SettingsWarning"
    ),
    pytest.mark.filterwarnings(
        "ignore:.*(few of|whichever of|undecided):truebleu.SmallSampleWarning"
    ),
]

SYSTEMS = ("strong", "medium", "weak")


def lines(name):
    return (EXAMPLES / name).read_text("utf-8").splitlines()


OUTPUTS = {name: lines(f"system-{name}.en") for name in SYSTEMS}
STREAMS = [lines("reference-a.en"), lines("reference-b.en")]
REFERENCES = list(zip(*STREAMS, strict=True))


def example(**how):
    """Report on the examples."""
    return report(OUTPUTS, reference_streams=STREAMS, **{"n_resamples": 100, **how})


def lead_of(data):
    """Return the first sentences of a page."""
    return page.lead(data, page.figure_of(data))


def markup_of(html):
    """Return a page without its scripts and styles."""
    return re.sub(r"(?s)<(script|style)[^>]*>.*?</\1>", "", html)


@pytest.fixture(scope="module")
def made():
    """Report on the examples, with all there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)
        return example(
            sources=lines("source.de"),
            units=lines("documents.txt"),
            domains=[name.rpartition("-")[0] for name in lines("documents.txt")],
        )


@pytest.fixture(scope="module")
def odd():
    """Report on what has such names."""
    return odd_report()


class TestSeveralMetrics:
    """A page under several metrics."""

    METRICS = ("bleu", "chrf++", "ter")

    def test_each_is_the_report_under_the_metric(self):
        """The numbers, but for Holm's family, and charts are those of separate reports."""
        made = example(metrics=self.METRICS, seed=5)
        assert list(made) == ["BLEU", "chrF2++", "TER"]
        assert made.title == "BLEU, chrF2++ and TER report"
        for name in self.METRICS:
            alone = example(metrics=name, seed=5)
            found, expected = made[name].comparison, alone.comparison
            assert (dict(found.systems), found.signature) == (
                *(dict(expected.systems), expected.signature),
            )
            assert [pair.p_value for pair in found.pairs] == [
                pair.p_value for pair in expected.pairs
            ]
            assert (found.n_tests, expected.n_tests) == (9, 3)
            assert made[name].notices == alone.notices
            assert made[name].charts == alone.charts
        same = example(metrics=["ter", "chrf++"], seed=None)
        assert re.findall(r"seed:\d+", same["ter"].comparison.signature) == re.findall(
            r"seed:\d+", same["chrf++"].comparison.signature
        )
        with pytest.raises(KeyError, match="there is no metric 'chrf'; there are BLEU, chrF2"):
            made["chrf"]

    @pytest.mark.filterwarnings("ignore:with only 10 documents:truebleu.SmallSampleWarning")
    def test_data_are_read_once(self):
        """Iterators are not exhausted by the first metric."""
        outputs = {name: iter(lines(f"system-{name}.en")) for name in SYSTEMS}
        made = report(
            outputs,
            map(str, lines("reference-a.en")),
            sources=iter(lines("source.de")),
            units=iter(lines("documents.txt")),
            metrics=iter(self.METRICS),
            n_resamples=50,
        )
        assert [each.data.segments for each in made.values()] == [72] * 3
        assert all(each.data.sources and each.data.documents for each in made.values())

    def test_a_warning_comes_once_and_is_noted_everywhere(self):
        """What is odd about the data is in the notices of each metric, but warned of once."""
        texts = [f"number {number} of many" for number in range(20)]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = report({"a": texts, "b": texts[::-1]}, texts, metrics=self.METRICS)
        said = Counter(str(each.message) for each in caught)
        assert said
        assert max(said.values()) == 1
        for each in made.values():
            assert any("With only 20 segments" in notice for notice in each.notices)

    def test_the_page_has_all_of_them(self):
        """One template for each metric but the first; texts that are split alike are there once."""
        page = example(metrics=self.METRICS).to_html()
        assert re.findall('<template id="view-([0-9]+)">', page) == ["1", "2"]
        assert re.findall('id="data-facts(-?[0-9]*)"', page) == ["", "-1", "-2"]
        assert re.findall('id="data-texts-([0-9]+)-0"', page) == ["0", "1"]
        # Without a runtime, a small report is small.
        assert len(page) < 1.6 * len(example().to_html()) < 1.6 * 300_000


class TestNumbers:
    """What a report says is what truebleu says elsewhere."""

    def test_parameters_of_resampling(self):
        """They are those of ``compare``."""
        how = {"alpha": 0.1, "seed": 3, "n_resamples": 50, "baseline": "strong", "margin": 2}
        expected = compare(OUTPUTS, reference_streams=STREAMS, **how)
        made = example(**how)
        assert made.comparison.to_dict() == expected.to_dict()
        html = made.to_html()
        assert "90% CI" in html
        assert "&lt; 0.1 after" in html
        # Only the baseline has been compared with the others: the best of three has not.
        several = example(baseline="weak", metrics=["bleu", "ter"])
        assert several.to_html().count("<table") > html.count("<table")

    @pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
    def test_units(self):
        """The documents of a test set are those of ``compare``, and of a chart."""
        documents = lines("documents.txt")
        test_set = SimpleNamespace(documents=documents, references=REFERENCES)
        made = report(OUTPUTS, test_set, n_resamples=50)
        assert made.comparison == compare(OUTPUTS, test_set, n_resamples=50)
        assert "|units:documents|" in made.comparison.signature
        assert "documents" in made.charts
        by_segments = report(OUTPUTS, test_set, n_resamples=50, units="segments")
        assert by_segments.comparison.units == "segments"
        with pytest.raises(LengthMismatchError, match="units has 1 item"):
            example(units=["a"])

    @pytest.mark.parametrize("name", METRICS)
    def test_all_speak_of_the_same_two_systems(self, name):
        """Without a baseline these are the best and the second, whichever comes first."""
        for names in (SYSTEMS, SYSTEMS[::-1], SYSTEMS[1:] + SYSTEMS[:1]):
            systems = {each: OUTPUTS[each] for each in names}
            how = {"n_resamples": 50, "metrics": name}
            made = report(systems, reference_streams=STREAMS, **how)
            best, second, _ = (each.name for each in made.comparison.ranked())
            assert (best, second) == ("strong", "medium")
            facts = payload.facts(made.data)
            assert [names[facts[each]] for each in ("one", "other")] == [best, second]
            assert f"It leads {second} by " in lead_of(made.data)
            html = made.to_html()
            assert f"Differences are relative to the best system, {best}." in html
            rows = re.findall(r"<tr.*?</tr>", html[html.index("<tbody>") :])[:3]
            shown = [re.findall(r"<td>([+−][\d.]+)</td>", row) for row in rows]
            deltas = [made.comparison.pair(each, best).delta for each in (second, "weak")]
            assert shown == [[], *([f"{delta:+.2f}".replace("-", "−")] for delta in deltas)]
            assert made.chart("pair") == made.chart("pair", one=best, other=second)

    def test_a_notebook_shows_the_first_figure(self, made):
        """With its sentence and a title, as comparisons do; and nothing that needs the page."""
        shown = made._repr_html_()
        assert lead_of(made.data) in unescape(shown)
        assert "<h4>BLEU report</h4>" in shown
        assert "<h4>BLEU of 3 systems</h4>" in made.comparison.to_html()
        assert shown.count("<circle") == 2 * len(SYSTEMS) - 1
        assert not re.search("<(script|button|link)|popover", shown)
        every = [re.findall(r"<tbody>.*?</tbody>", made.to_html())[0]]
        every += re.findall(r"<tbody>.*?</tbody>", made.comparison.to_html())[:1]
        assert every == 2 * re.findall(r"<tbody>.*?</tbody>", shown)
        several = example(metrics=["bleu", "ter"])
        assert several._repr_html_() == "".join(each._repr_html_() for each in several.values())

    def test_names_from_the_right(self):
        """They do not turn what is around them; others, and what is marked up, stay."""
        from markupsafe import Markup

        isolated = isolated_in(["\u05d0", "\u05d0 b", "c"])
        assert isolated("\u05d0 b (17), c") == "\u2068\u05d0 b\u2069 (17), c"
        assert isinstance(isolated(Markup("<b>\u05d0</b>")), Markup)

    def test_the_baseline(self):
        """One that is given is what all are shown against."""
        for named in ("weak", "strong"):
            made = example(baseline=named)
            html = made.to_html()
            assert f"Differences are relative to the baseline, {named}." in html
            assert made.data.names[made.data.against()] == named

    def test_contributions(self, made):
        """The contribution of a segment is the score minus the score without it."""
        for number, hypotheses in enumerate(OUTPUTS.values()):
            score = Bleu().corpus(hypotheses, REFERENCES).score
            for segment in range(0, len(hypotheses), 5):
                rest = [each for each in range(len(hypotheses)) if each != segment]
                without = Bleu().corpus(
                    [hypotheses[each] for each in rest], [REFERENCES[each] for each in rest]
                )
                contribution = made.data.contributions[number][segment]
                assert contribution == pytest.approx(score - without.score, abs=1e-12)

    def test_segments_are_scored_like_sentences(self, made):
        """The score of a segment is that of ``sentence_bleu``."""
        for number, hypotheses in enumerate(OUTPUTS.values()):
            pairs = zip(hypotheses, REFERENCES, strict=True)
            expected = [sentence_bleu(*pair).score for pair in pairs]
            assert list(made.data.sentences[number]) == expected

    def test_groups_are_scored_as_corpora(self, made):
        """The score of a document is that of its segments as a corpus."""
        groups = made.data.groups["document"]
        names = lines("documents.txt")
        for place, name in enumerate(groups.names):
            kept = [index for index, other in enumerate(names) if other == name]
            assert groups.sizes[place] == len(kept)
            expected = Bleu().corpus(
                [OUTPUTS["weak"][index] for index in kept],
                reference_streams=[[stream[index] for index in kept] for stream in STREAMS],
            )
            assert groups.scores[2][place] == expected.score

    @given(corpus=corpora(), other=st.randoms(use_true_random=False), lowercase=st.booleans())
    def test_n_grams_are_counted_as_in_the_core(self, corpus, other, lowercase):
        """For every n-gram the clipped matches are right, and their sum is that of the core."""
        hypotheses, references = corpus
        systems = [hypotheses, other.sample(hypotheses, len(hypotheses))]
        bleu = Bleu(tokenizer="none", lowercase=lowercase)
        columns = tokens.columns_of(bleu, references)
        split = tokens.split(bleu, [*columns, *systems], 1)
        end = len(columns)
        counted = ngrams.count(split.tokens[end:], split.tokens[:end], split.separator, 4)
        for number, system in enumerate(systems):
            row = bleu.corpus(system, references).row
            expected = [Counter() for _ in range(4)]
            for output, several in zip(system, references, strict=True):
                how = explain(output, several, tokenizer="none", lowercase=lowercase)
                for order, grams in enumerate(how.ngrams):
                    expected[order] += Counter({gram.tokens: gram.clipped for gram in grams})
            for order, grams in enumerate(counted.orders, 1):
                assert grams.matched[number].sum() == row[f"match_{order}"]
                matched = {
                    tuple(counted.text(order, index)): int(count)
                    for index, count in enumerate(grams.matched[number])
                    if count
                }
                assert matched == dict(expected[order - 1])

    def test_words_that_match_add_up(self, made):
        """Over all frequencies the matches are those of order 1."""
        rows = chart_data.frequency(made.data)
        for name, score in zip(SYSTEMS, made.data.scores, strict=True):
            assert sum(row["matches"] for row in rows if row["system"] == name) == score.counts[0]

    def test_gains_are_complete(self, made):
        """Among the n-grams kept are the best of every pair, whichever way round."""
        counted, gains = made.data.grams, chart_data.Gains(made.data)
        every = [
            (gains.weights[order] * int(row[0] - row[1]), counted.text(order + 1, index))
            for order, grams in enumerate(counted.orders)
            for index, row in enumerate(grams.matched[[0, 2]].T)
        ]
        best = sorted((-worth for worth, _ in every))[: chart_data.MOST_WEIGHED]
        kept = [
            -gains.weights[order - 1] * (count[0] - count[2])
            for order, count in zip(gains.orders, gains.counts, strict=True)
        ]
        assert sorted(kept)[: len(best)] == pytest.approx(best)
        lengths = [row["more"] for row in gains.rows(0, 2) if row["side"] == "A"]
        assert lengths == sorted(lengths, reverse=True)


class TestSplitting:
    """Texts and tokens, whatever the tokenizer."""

    TEXTS = ("A  b,c.", "x\ny", "-\nz", "\ud800 q", "", "\ufeffa", "﷽ שלום", "a\u2028b")

    @pytest.mark.parametrize("tokenizer", ["13a", "none", "char", "intl", "zh", str.split])
    def test_tokens_are_those_of_tokenize(self, tokenizer):
        """All at once, texts are split as one by one."""
        bleu = Bleu(tokenizer=tokenizer)
        split = tokens.split(bleu, [list(self.TEXTS), [None, *self.TEXTS[1:]]], 1)
        expected = [list(bleu._counter.tokens(text)) for text in self.TEXTS]
        first, second = ([t and t.split(split.separator) for t in each] for each in split.tokens)
        assert [tokens or [] for tokens in first] == expected
        assert second == [None, *first[1:]]

    def test_tokens_of_any_type_have_names(self):
        """Different tokens have different names, and equal ones the same."""
        column = [[1, "1", (2, 3)], ["1", 1.0, "a b"], [""], ['""']]
        split = tokens.split(Bleu(tokenizer="pretokenized"), [column], 1)
        names = [text.split(split.separator) for text in split.tokens[0]]
        assert names == [["1", "1 (2)", "(2, 3)"], ["1 (2)", "1", "a b"], ['""'], ['"" (2)']]

    FUNCTIONS = (
        str.split,
        list,
        lambda text: text.split(" "),  # Some tokens are empty, or have white space in them.
        lambda text: [len(word) for word in text.split()],
        lambda text: [(word, len(word)) for word in text.split()],
    )

    @pytest.mark.filterwarnings(ODD_TEXT)
    @pytest.mark.parametrize("tokenizer", [*FUNCTIONS, "ja-mecab", "SentencePiece"])
    @looped("how", [{}, {"lowercase": True, "unicode_form": "NFKC"}])
    def test_tokens_are_counted(self, tokenizer, how, model):
        """Tokens are counted as their texts are, also if references are missing."""
        if tokenizer == "SentencePiece":
            tokenizer = truebleu.SentencePiece(model)
        bleu = Bleu(tokenizer=tokenizer, **how)
        texts = [
            *self.TEXTS,
            "a a b  c",
            "吾輩は猫である。名前はまだ無い。",
            "\x1c \x85 a\xa0b \u3000",
        ]
        if not callable(tokenizer):
            texts.remove("\ud800 q")  # Libraries refuse it.
        outputs = {"a": texts, "b": texts[3:] + texts[:3], "c": texts[::-1]}
        references = [[text, None, text[::-1]] for text in texts]
        references[1] = texts[4]
        corpora = Corpora([*outputs.values()], references, names=[*outputs])
        counted = bleu._count(corpora, each=True)
        for found, hypotheses in zip(counted, outputs.values(), strict=True):
            assert found == bleu.stats(hypotheses, references)
            assert found.references == -1

    @pytest.mark.parametrize("references", [TEXTS, [[text, text] for text in TEXTS]])
    def test_a_function_splits_references_once(self, references):
        """However many systems are counted; it splits each text again for the page."""
        calls = Counter()

        def tokenizer(text):
            calls[text] += 1
            return text.split()

        systems = {"a": [f"a {text}" for text in self.TEXTS], "b": ["b"] * len(self.TEXTS)}
        report(systems, references, metrics=Bleu(tokenizer=tokenizer), n_resamples=None)
        shown = Counter(list(self.TEXTS) * (1 if references is self.TEXTS else 2))
        shown += Counter(systems["a"]) + Counter(systems["b"])
        assert calls == shown + Counter({*self.TEXTS, *systems["a"], "b"})


@pytest.mark.filterwarnings(ODD_TEXT)
class TestNotices:
    """What a reader should know is said."""

    REFERENCES = tuple(f"this is the sentence number {number} of a test" for number in range(40))

    def notices(self, systems, references=REFERENCES, **how):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)
            return " ".join(report(systems, references, n_resamples=39, **how).notices)

    @pytest.mark.filterwarnings("ignore:.* times as long as:truebleu.SettingsWarning")
    @looped(
        "systems, how, said",
        [
            ({"a": REFERENCES[:5]}, {"references": REFERENCES[:5]}, "With only 5 segments, inter"),
            ({"a": REFERENCES[:1]}, {"references": REFERENCES[:1]}, "With 1 segment there are"),
            ({"a": ["", "", *REFERENCES[2:]]}, {}, "a has no output in 2 segments."),
            (
                {"a": [text[:20] for text in REFERENCES]},
                {},
                "The output of a is much shorter than the references: 160 tokens (44% of the "
                "reference length).",
            ),
            ({"a": [text * 2 for text in REFERENCES]}, {}, "a is much longer than the ref"),
            ({"a": [""] * 40}, {}, "a has no output in any segment."),
            (
                {"a": ["this text was not translated"] * 2 + list(REFERENCES[2:])},
                {"sources": ["this text was not translated"] * 2 + ["x"] * 38},
                "a equals the source in 2 segments. a equals a reference in 38 segments.",
            ),
            (
                {"a": ["x y z", *REFERENCES[1:]], "b": ["z y x", *REFERENCES[1:]]},
                {},
                "The score of every system is 0 in 1 segment.",
            ),
            ({"a": REFERENCES, "b": REFERENCES}, {}, "a and b have the same output"),
            (
                {"a": REFERENCES},
                {"sources": ["x", *REFERENCES[1:]]},
                "The reference equals the source in 39 segments.",
            ),
            ({"a": ["x"] * 40}, {}, "No word of the hypotheses occurs in their references."),
            (
                {"a": REFERENCES},
                {"references": ["", *REFERENCES[1:]]},
                "The reference is empty in 1 segment.",
            ),
        ],
    )
    def test_what_is_odd_is_noted(self, systems, how, said):
        """Each oddity has a sentence, and the page shows it."""
        assert said in self.notices(systems, **how)

    @pytest.mark.filterwarnings("ignore:.* times as long as:truebleu.SettingsWarning")
    @pytest.mark.filterwarnings(ODD_TEXT)
    def test_empty_output_is_noted_once(self):
        """That it is too short, and scores 0, goes without saying."""
        noted = self.notices(
            {"a": lines("system-weak.en"), "b": [""] * 72}, lines("reference-a.en")
        )
        assert noted.count("b has no output in any segment.") == 1
        assert "shorter" not in noted
        assert "b: " not in noted

    def test_nothing_is_noted_of_good_data(self):
        """There is no warning without a reason."""
        systems = {name: lines(f"system-{name}.en") for name in ("strong", "medium")}
        assert self.notices(systems, lines("reference-a.en")) == ""

    def test_the_warning_is_given_too(self):
        """Whoever calls ``report`` is warned as by ``compare``."""
        with pytest.warns(SmallSampleWarning, match="with only 3 segments"):
            report({"a": ["a b"] * 3}, ["a b"] * 3)


class TestLead:
    """The first sentences say what the tests say, and no more."""

    WORDS = ("the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug", "now")

    def systems(self, rates, segments=60):
        """Draw references, and systems that get so many words wrong."""
        random = Random(7)
        references = [" ".join(random.choices(self.WORDS, k=9)) for _ in range(segments)]
        systems = {
            f"s{number}": [
                " ".join(
                    random.choice(self.WORDS) if random.random() < rate else word
                    for word in text.split()
                )
                for text in references
            ]
            for number, rate in enumerate(rates)
        }
        return systems, references

    def lead(self, systems, references, **how):
        """Return the lead of a report, and the report."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = report(systems, references, **{"n_resamples": 1999, **how})
        return lead_of(made.data), made

    @looped(
        "rates",
        [
            *((0.1, 0.6), (0.3, 0.3), (0.3, 0.32, 0.6), (0.2, 0.3, 0.4, 0.5)),
            *((0.3, 0.3, 0.3, 0.3, 0.3, 0.3), (0.0, 0.5, 0.5, 0.5, 0.5)),
        ],
    )
    @looped("alpha", [0.05, 0.5, 0.001])
    def test_it_says_what_the_tests_say(self, rates, alpha):
        """Those it names, and no others, are those that the best is not significantly above."""
        text, made = self.lead(*self.systems(rates), alpha=alpha)
        comparison = made.comparison
        best, *others = [system.name for system in comparison.ranked()]
        pairs = {name: comparison.pair(best, name) for name in others}
        unsure = [name for name in others if not pairs[name].significant]
        assert text.startswith(f"{best} has the highest score of {len(rates)} systems: ")
        gap, verdict = text.split(" BLEU. ")[1].split("; ")
        pair = pairs[others[0]]
        numbers = re.fullmatch(
            rf"It leads {others[0]} by ([\d.]+) BLEU "
            rf"\({100 * (1 - alpha):g}% CI (-?[\d.]+)(?:–| to )(-?[\d.]+)\)",
            gap,
        )
        shown = [pair.delta, pair.interval.low, pair.interval.high]
        assert list(map(float, numbers.groups())) == [round(each, 2) for each in shown]
        assert ("–" in gap) == ("-" not in gap)
        lead = "this lead" if len(others) == 1 else "its lead over "
        assert verdict.startswith(lead)
        if not unsure:
            bound = float(verdict.split("p ≤ ")[1].split(",")[0].removesuffix("†"))
            assert max(pair.p_adjusted for pair in pairs.values()) <= bound * (1 + 1e-9)
            adjusted = "Holm-adjusted " * (made.comparison.n_tests > 1)
            assert f" is statistically significant ({adjusted}p ≤ " in verdict
            assert f", alpha {alpha:g})." in verdict
        else:
            end = f" is not statistically significant (alpha {alpha:g})."
            assert end in verdict
            verdict, _, more = verdict.partition(end)
            assert bool(more) == pair.only_uncorrected
            if len(unsure) > 3:
                assert verdict.endswith(f" over {len(unsure)} of the {len(others)} other systems")
            elif len(others) > 1:
                assert set(re.findall(r"s\d", verdict)) == set(unsure)

    @looped("count", [2, 3, 16])
    @looped(
        "how",
        [
            *({}, {"baseline": "s0"}, {"baseline": "s1"}, {"metrics": "ter", "baseline": "s0"}),
        ],
    )
    def test_the_sentence_the_card_and_the_figure_are_of_one_pair(self, count, how):
        """These are the best, and the baseline or else the second, with one and the same interval.

        The best is the last, so that neither the order given nor the alphabet chooses.
        """
        rates = [0.6 - 0.5 * place / count for place in range(count)]
        text, made = self.lead(*self.systems(rates), **how)
        data = made.data
        best, second, *_ = (data.names[system] for system in data.ranked())
        other = second if how.get("baseline", best) == best else how["baseline"]
        one, two = map(data.number, (best, other))
        [sentence] = re.findall(r"It leads (\S+) by ([\d.]+) \S+ \(95% CI (.+?)\)[.;]", text)
        assert sentence[0] == other
        facts = payload.facts(data)
        assert (facts["one"], facts["other"]) == (one, two)
        [card] = [each for each in facts["pairs"]["rows"] if {*each["systems"]} == {one, two}]
        [shown] = [name for name in (best, other) if name != data.names[data.against()]]
        pair = made.comparison.pair(shown, data.names[data.against()])
        interval = pair.interval
        delta = abs(data.scores[one].score - data.scores[two].score)
        assert sentence[1] == f"{abs(pair.delta):.2f}" == f"{delta:.2f}"
        ends = {f"{abs(end):.2f}" for end in (interval.low, interval.high) if np.isfinite(end)}
        assert ends == {*re.findall(r"[\d.]+", sentence[2])}
        assert ends == {f"{abs(end):.2f}" for end in card["interval"] if end is not None}
        [drawn] = re.findall(rf"<tr[^>]*><th[^>]*><bdi>{shown}</bdi>.*?</tr>", made._repr_html_())
        [place] = re.findall(r'class="zero" x1="([\d.]+)%"', drawn)
        middle = re.findall(r'<circle cx="([\d.]+)%"', drawn)[-1]
        assert (float(middle) > float(place)) == (pair.delta > 0)
        assert f"<td>{pair.delta:+.2f}</td>".replace("-", "−") in drawn

    def test_without_intervals(self):
        """There is no interval to name, and the verdict is the same."""
        text, made = self.lead(*self.systems((0.1, 0.6)), n_resamples=None)
        assert text.split(" BLEU. ")[1].startswith("Its lead over s1 is statistically significant")
        assert " CI" not in markup_of(made.to_html())

    @pytest.mark.filterwarnings(ODD_TEXT)
    def test_equal_scores(self):
        """Of systems that are alike, none is the best."""
        systems, references = self.systems((0.3, 0.6))
        twins = {"a": systems["s0"], "b": systems["s0"]}
        assert re.fullmatch(
            r"a and b have the same score, [\d.]+ BLEU\.", self.lead(twins, references)[0]
        )
        three = {**twins, "c": ["x y z"] * 60}
        text = self.lead(three, references)[0]
        assert text.startswith("a and b share the highest score of 3 systems: ")
        assert (
            "over c is statistically significant (Holm-adjusted p ≤ 0.0003†, alpha 0.05)." in text
        )
        page_text = report(twins, references, n_resamples=50).to_html()
        assert "after Holm's correction" not in page_text
        assert "a and b have the same score" in page_text

    def test_undecided(self):
        """Where too few units differ, nothing is said of them, and no system is ranked."""
        units = [index // 20 for index in range(60)]
        text, made = self.lead(*self.systems((0.0, 0.4, 0.8)), units=units)
        assert text.endswith("could not be tested: too few units differ.")
        assert "Undecided: 3 pairs." in " ".join(made.notices)
        html = made.to_html()
        assert "Too few units differ to decide about 3 pairs." in html
        assert "thick line" not in html

    def test_p_values_at_the_floor(self):
        """The table marks them."""
        html = self.lead(*self.systems((0.0, 0.8)))[1].to_html()
        assert ">0.0001† *<" in html
        assert "† the smallest p-value that so many trials can give" in html
        assert "bound" not in markup_of(html)


class TestCharts:
    """Every chart can be drawn, and holds the right rows."""

    def test_the_registry_is_complete(self, made):
        """These data have all charts; the documentation names them."""
        assert made.charts == charts.NAMES
        text = (EXAMPLES.parent / "docs" / "report.md").read_text("utf-8")
        assert [name for name in charts.NAMES if f"`{name}`" not in text] == []

    @pytest.mark.parametrize("name", charts.NAMES)
    def test_every_chart_is_drawn(self, made, name, tmp_path):
        """Vega draws each as SVG, with the names of the systems where they matter."""
        path = tmp_path / "figure.svg"
        made.chart(name, one="weak", other="strong").save(path)
        text = path.read_text("utf-8")
        assert text.startswith("<svg")
        assert "weak" in text
        assert "undefined" not in text
        assert "NaN" not in text

    @looped("name", charts.NAMES)
    def test_names_are_nothing_but_names(self, name, odd):
        """What is called as a part of JavaScript is drawn as anything else."""
        made = odd["BLEU"]
        pairs = [NAMES_OF_OBJECTS[:2], NAMES_OF_OBJECTS[2:4], ("others", "A"), ("", "valueOf")]
        of_roles = name in ("scores", "precision", "frequency")
        # The others do not name the two, so one pair is drawn for all.
        if name not in made.charts:
            return  # There are too few segments for groups by length.
        for one, other in pairs if of_roles else pairs[:1]:
            spec = made.chart(name, one=one, other=other).to_dict()
            text = vl_convert.vegalite_to_svg(spec)
            if of_roles:
                assert {row.get("role") for row in spec["datasets"]["rows"]} > {one, other}
                drawn = re.findall('aria-label="([^"]*)"', text)
                for each in (one, other):
                    assert any(f"role: {each};" in f"{label};" for label in drawn)
            if name in ("documents", "domains"):
                shown = re.findall("<text[^>]*>([^<]*)</text>", text)
                assert [each for each in shown if each in NAMES_OF_OBJECTS[:-1]]

    @looped("place", range(4))
    def test_charts_of_a_metric_of_such_a_name(self, place, odd):
        """So is a metric; each has a quarter of the charts."""
        name = NAMES_OF_OBJECTS[place]
        for chart in [*odd[name].charts][place::4]:
            assert name in vl_convert.vegalite_to_svg(odd[name].chart(chart).to_dict())

    def test_png(self, made, tmp_path):
        """PNG is drawn as well."""
        made.chart("scores").save(tmp_path / "figure.png")
        assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")

    def test_rows_are_whole(self, made):
        """A chart holds all its data, so that it can be drawn again elsewhere."""
        spec = made.chart("pair", one="strong", other="weak").to_dict()
        assert len(spec["datasets"]["rows"]) == 72
        assert spec["datasets"]["rows"][0]["one"] == made.data.sentences[0][0]
        json.dumps(spec)

    def test_one_system_is_enough(self, tmp_path):
        """Without a second system, charts show the one, and n-grams that it misses."""
        single = report({"a": lines("system-weak.en")}, lines("reference-a.en"), n_resamples=39)
        assert "pair" not in single.charts
        for name in single.charts:
            single.chart(name).save(tmp_path / "figure.svg")
        assert {row["side"] for row in charts.rows(single.data, "ngrams", 0, None)} <= {"B"}
        assert {row["side"] for row in charts.rows(single.data, "length", 0, None)} == {"A"}
        single.chart("ngrams").save(tmp_path / "figure.svg")
        assert "Reference occurrences that the system missed" in (
            tmp_path / "figure.svg"
        ).read_text("utf-8")

    def test_a_notebook_shows_a_chart(self, made, monkeypatch):
        """As the same SVG as in a file; without vl-convert, as its name."""
        chart = made.chart("precision")
        assert chart._repr_svg_().startswith("<svg")
        assert repr(chart).startswith("<Chart: Precision by order. ")
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        assert chart._repr_svg_() is None

    def test_checkpoints_are_in_the_order_given(self):
        """One after the other, and without a second one, too."""
        for names in (SYSTEMS, SYSTEMS[::-1], SYSTEMS[2:]):
            made = report({name: OUTPUTS[name] for name in names}, REFERENCES, n_resamples=39)
            rows = made.chart("checkpoints").to_dict()["datasets"]["rows"]
            for row, name in zip(rows, names, strict=True):
                system = made.comparison.systems[name]
                ends = (system.interval.low, system.interval.high)
                assert (row["system"], row["score"]) == (name, system.score.score)
                assert (row["low"], row["high"]) == ends

    def test_differences_by_group(self, made):
        """Each is that of two corpora, and a color says that its interval excludes 0."""
        for kind in ("length", "documents", "domains"):
            grouped = made.data.groups[charts.KINDS[kind]]
            for one, other in ((0, 1), (2, 0)):
                rows = charts.rows(made.data, kind, one, other)
                assert len(rows) == len(grouped.names)
                for row, first, second, size in zip(
                    rows, grouped.scores[one], grouped.scores[other], grouped.sizes, strict=True
                ):
                    assert row["value"] == first - second
                    assert (row["low"] is None) == (size < groups.FEWEST)
                    if row["low"] is not None:
                        sure = not row["low"] <= 0 <= row["high"]
                        side = "A" if row["value"] > 0 else "B"
                        assert row["side"] == (side if sure else "others")

    def test_n_grams_in_one_another_are_one_entry(self, made):
        """Of one in longer ones, one is shown; counts are whole, signs those of sides."""
        for one, other in itertools.permutations(range(3), 2):
            rows = charts.rows(made.data, "ngrams", one, other)
            for side, sign in (("A", 1), ("B", -1)):
                shown = [row for row in rows if row["side"] == side]
                assert all(sign * row["more"] > 0 for row in shown)
                assert all(row["more"] == row["one"] - row["other"] for row in shown)
                for first, second in itertools.permutations(shown, 2):
                    if f" {first['ngram']} " in f" {second['ngram']} ":
                        few, many = sorted((abs(first["more"]), abs(second["more"])))
                        assert many > chart_data.NESTED * few

    def test_n_grams_of_equal_weight_do_not_stand_out(self):
        """Where there are too many that are matched as often, none of them is shown."""
        words = [f"word{number} is here" for number in range(200)]
        others = ["not a word", "nothing at all"] * 100
        made = report({"a": words, "b": others}, words, n_resamples=39)
        shown = {row["ngram"] for row in charts.rows(made.data, "ngrams", 0, 1)}
        assert shown <= {"is", "here", "is here"}
        assert shown

    @given(st.floats(1e-9, 1e9), st.integers(2, 40))
    def test_steps_are_round(self, width, most):
        """A range of any width has a step, which divides it into few parts, but not too few."""
        step = forest.round_step(width, most)
        assert most / 2.6 <= width / step <= most * (1 + 1e-6)
        digits = f"{step:.6e}".split("e")[0]
        assert float(digits) in (1, 2, 5)

    @given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.sampled_from([1.0, 100.0]))
    def test_the_axis_of_intervals(self, points, scale):
        """Whatever the range, all points are on it, off its ends, with a few round numbers."""
        place, ticks = forest.axis(points, scale)
        assert all(5 < float(place(point)) < 95 for point in points)
        assert 2 <= len(ticks) <= 7
        assert len({label for _, label in ticks}) == len(ticks)


# Metrics with reports that have no n-grams of BLEU.
OTHERS = [*(kind for name, kind in METRICS.items() if name != "bleu"), ExactMatch, Misses]
NAMES_OF_OTHERS = [kind().identifier for kind in OTHERS]


class Digits(truebleu.Metric):
    """The digits of the output, per digit of the reference: undefined where that has none."""

    name, identifier, fields = "<Digits & co>", "digits", ("output", "reference")
    scale = 1.0

    def count(self, hypotheses, references):
        def digits(text):
            return sum(map(str.isdigit, text))

        pairs = zip(hypotheses, references, strict=True)
        return [[digits(text), digits(several[0])] for text, several in pairs]

    def scores(self, rows):
        with np.errstate(divide="ignore", invalid="ignore"):
            return rows[:, 0] / rows[:, 1]


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
class TestMetrics:
    """Any metric has a report, in its own direction and with its own words."""

    def test_the_first_screen(self):
        """It has the name of the metric, its scores, and the columns of their details."""
        made = example(metrics=ExactMatch())
        assert made.title == "Exact match report"
        html = made.to_html()
        for name in SYSTEMS:
            score = ExactMatch().corpus(OUTPUTS[name], reference_streams=STREAMS)
            first, second = re.findall(rf"<bdi>{name}</bdi>.*?</tr>", html, re.DOTALL)
            assert f"<td>{score.score:.2f}</td>" in first
            cells = re.findall(r"<td[^>]*>([^<]*)</td>", second)
            assert cells[-2:] == list(score.details().values())
        assert re.findall(r'<th scope="col">(\w+)</th>', html)[-2:] == ["matches", "segments"]
        assert "strong has the highest score of 3 systems: 11.11 Exact match. It leads" in html
        assert "The percentage of segments that equal a reference. Higher is better." in html
        markup, _, quoted = markup_of(html).partition('<section id="quote"')
        markup += quoted.partition("</section>")[2]
        assert not re.search("BLEU|n-gram|brevity|tokens of the output", markup)
        assert report({"a": ["b"] * 2}, ["b"] * 2, title="x").title == "x"

    @pytest.mark.parametrize("kind", OTHERS, ids=NAMES_OF_OTHERS)
    def test_rankings_follow_the_metric(self, kind):
        """The best comes first, whether that is the highest or the lowest."""
        metric = kind()
        made = example(metrics=metric)
        data = made.data
        order = [data.names[system] for system in data.ranked()]
        assert order == [system.name for system in made.comparison.ranked()] == list(SYSTEMS)
        rows = charts.rows(data, "scores", 0, 1)
        assert [row["system"] for row in rows] == order
        html = made.to_html()
        assert [*re.findall(r"<bdi>(\w+)</bdi>", html)][:3] == order
        pair = made.comparison.pair("strong", "medium")
        delta = f"by {abs(pair.delta):.2f} {metric.name} (95% CI "
        assert f"It leads medium {delta}" in html
        assert ("Lower scores are better." in html) != metric.higher_is_better
        line = "Above" if metric.higher_is_better else "Below"
        assert f"{line} the line, A is better." in html
        kind_of_best = "highest" if metric.higher_is_better else "best (lowest)"
        assert f"strong has the {kind_of_best} score of 3 systems" in html

    def test_its_numbers(self):
        """Scores of segments and groups, and contributions, are those of the metric."""
        documents = lines("documents.txt")
        made = example(metrics=Misses(), units=documents, n_resamples=None).data
        each = Misses().segments(OUTPUTS["strong"], reference_streams=STREAMS)
        assert made.sentences[0].tolist() == each.tolist()
        assert made.contributions[0] == pytest.approx(each.mean() - (each.sum() - each) / 71)
        group = made.groups["document"]
        for name, score in zip(group.names, group.scores[0], strict=True):
            of_document = [each[n] for n, other in enumerate(documents) if other == name]
            assert score == pytest.approx(np.mean(of_document))

    @pytest.mark.parametrize("name", METRICS)
    def test_a_name(self, name):
        """A registered name is as good as the metric."""
        named, made = (example(metrics=metric) for metric in (name, METRICS[name]()))
        assert named.comparison == made.comparison
        assert named.title == made.title == f"{METRICS[name]().name} report"
        assert named.to_html() == made.to_html()

    @pytest.mark.parametrize("kind", METRICS.values(), ids=METRICS)
    def test_terms_of_the_registry(self, kind):
        """What a metric is, and the columns of its scores, are explained in words of its own."""
        made = example(metrics=kind())
        html = made.to_html()
        terms = glossary.terms_of(made.data.metric)
        about = terms[glossary.METRIC][1]
        assert "with fixed settings" not in about
        if kind is not METRICS["bleu"]:
            better = "Higher" if made.data.metric.higher_is_better else "Lower"
            assert f"{better} is better" in about
            markup, _, quoted = markup_of(html).partition('<section id="quote"')
            markup += quoted.partition("</section>")[2]
            assert not re.search("BLEU|brevity|tokens of the output", markup)
        details = made.data.metric._about.details
        assert details
        assert {*details} <= {*made.data.scores[0].details()}
        assert {*details.values()} <= {*terms}

    @pytest.mark.parametrize("kind", OTHERS, ids=NAMES_OF_OTHERS)
    def test_numbers_of_segments(self, kind):
        """The numbers beside the score of a segment are those that the score itself has."""
        metric = kind()
        made = example(metrics=metric, n_resamples=None).data
        columns = metric._segment_columns(made.tables[1])
        stats = metric.stats(OUTPUTS["medium"], reference_streams=STREAMS)
        for name, column in columns.items():
            for value, row in zip(column.tolist(), stats, strict=True):
                score = metric.score(row)
                expected = score.row[name] if name in score.row else getattr(score, name)
                assert value == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("kind", OTHERS, ids=NAMES_OF_OTHERS)
    @looped("systems", [1, 3])
    def test_its_charts(self, kind, systems, tmp_path):
        """Those that any metric has; the others are refused by name."""
        given = {name: OUTPUTS[name] for name in SYSTEMS[:systems]}
        how = {"units": lines("documents.txt"), "domains": ["a", "b"] * 36}
        with pytest.warns(SmallSampleWarning):
            made = report(given, lines("reference-a.en"), metrics=kind(), n_resamples=39, **how)
        expected = {"scores", "documents", "domains", "segments", "checkpoints"}
        # Depending on the tokens, all segments are of one length.
        assert set(made.charts) - {"length"} == expected | ({"pair"} if systems > 1 else set())
        for name in made.charts:
            made.chart(name).save(tmp_path / "figure.svg")
            text = (tmp_path / "figure.svg").read_text("utf-8")
            assert kind().name in text
            assert "undefined" not in text
        with pytest.raises(SettingsError, match="no chart 'ngrams' in this report"):
            made.chart("ngrams")

    @pytest.mark.filterwarnings(ODD_TEXT)
    def test_a_rounding_error_is_in_the_histogram(self):
        """The last edge is round, and a score may be a little above it."""
        scores = {"cosine": {"one": [1 + 2**-52] * 40, "other": [0.25] * 40}}
        texts = [f"number {number}" for number in range(40)]
        made = report({"one": texts, "other": texts}, texts, scores=scores, n_resamples=39)
        [*_, cosine] = made.values()
        rows = charts.rows(cosine.data, "segments", 0, 1)
        for name in ("one", "other"):
            assert sum(row["segments"] for row in rows if row["system"] == name) == 40

    def test_scores_outside_of_the_scale(self, tmp_path):
        """Histograms, axes and the page take them, and scores that are undefined."""
        references = [*(f"number {number}" for number in range(40)), "none"]
        systems = {"few": references, "many": [f"{text} 1234567890" * 5 for text in references]}
        made = report(systems, references, metrics=Digits(), n_resamples=39)
        rows = charts.rows(made.data, "segments", 0, 1)
        for name in systems:
            bins = [row for row in rows if row["system"] == name]
            assert sum(row["segments"] for row in bins) == 40
            assert bins[0]["from"] == 0
            assert 51 <= bins[-1]["to"] <= 60
            assert len(bins) <= 20
        assert charts.rows(made.data, "pair", 0, 1)[-1] == {
            "segment": 41,
            "one": None,
            "other": None,
        }
        for name in made.charts:
            made.chart(name).save(tmp_path / "figure.svg")
        html = made.to_html()
        assert "many has the highest score of 2 systems" in html
        assert "&lt;Digits &amp; co&gt;" in html
        assert "<Digits" not in html

    def test_outliers(self, tmp_path):
        """One segment of an enormous score leaves room for the others, and is not left out."""
        weak = lines("system-weak.en")
        systems = {"strong": lines("system-strong.en"), "loop": [" ".join(weak[:60]), *weak[1:]]}
        made = report(systems, lines("reference-a.en"), metrics="ter", n_resamples=None)
        assert made.data.sentences.max() > 10_000
        rows = charts.rows(made.data, "segments", 0, 1)
        for name in systems:
            bins = [row for row in rows if row["system"] == name]
            assert sum(row["segments"] for row in bins) == 72
            assert bins[-1]["from"] == 200
            assert bins[-1]["segments"] == (name == "loop")
            assert len(bins) <= 20
        assert max(row["other"] for row in charts.rows(made.data, "pair", 0, 1)) > 10_000
        for name, words in (("segments", "all above 200"), ("pair", "10,000")):
            made.chart(name).save(tmp_path / "figure.svg")
            assert words in (tmp_path / "figure.svg").read_text("utf-8")
        assert "symlog" in str(made.chart("pair").to_dict())
        usual = report({"strong": systems["strong"]}, lines("reference-a.en"), metrics="ter")
        usual.chart("segments").save(tmp_path / "figure.svg")
        assert "above" not in (tmp_path / "figure.svg").read_text("utf-8")


def _without(module):
    return mock.patch.dict(sys.modules, {module: None})


class TestBadInput:
    """Bad input ends in a sentence that helps."""

    TEXTS = ("a b c d", "e f g h")

    def test_what_to_install_is_said(self, made):
        """Without a package, the message names its extra: one of pages, or one of charts."""
        page.templates.cache_clear()
        with _without("jinja2"), pytest.raises(MissingExtraError, match=r"truebleu\[report\]"):
            made.to_html()
        with _without("vl_convert"):
            made.to_html()
            with pytest.raises(MissingExtraError, match=r"truebleu\[charts\]"):
                drawing.draw(made.chart("scores").to_dict(), "svg")


@pytest.fixture
def run(capfd, monkeypatch):
    """Run the command; return its exit code and complaints."""
    monkeypatch.chdir(EXAMPLES)

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        out, error = capfd.readouterr()
        assert out == ""
        return code, error

    return run


class TestQuotes:
    """What a paper quotes."""

    def test_inputs_are_those_of_the_files(self, made):
        """The checksums are those that ``sha256sum`` prints of files whose lines all end."""
        listed = quotes.inputs(made.data).splitlines()
        names = ["reference-a.en", "reference-b.en", *(f"system-{name}.en" for name in SYSTEMS)]
        expected = [sha256((EXAMPLES / name).read_bytes()).hexdigest() for name in names]
        assert [line.split("  ")[0] for line in listed[:-1]] == expected
        assert listed[-1].endswith("  source")
        assert [line.split("  ")[1] for line in listed[2:5]] == list(SYSTEMS)

    @pytest.mark.parametrize("name", METRICS)
    def test_they_name_the_works_behind_the_numbers(self, name):
        """Metric, signature, intervals and tests, each once; all braces are closed."""
        parts = dict(quotes.quotes(example(metrics=name).data, "truebleu report ..."))
        keys = re.findall(r"@\w+\{([\w-]+),", parts["BibTeX"])
        expected = {
            "bleu": ["papineni-etal-2002-bleu"],
            "chrf": ["popovic-2015-chrf"],
            "chrf++": ["popovic-2015-chrf", "popovic-2017-chrf"],
            "ter": ["snover-etal-2006-study"],
        }[name]
        rest = ["post-2018-call", "koehn-2004-statistical", "riezler-maxwell-2005-pitfalls"]
        assert keys == [*expected, *rest, "holm-1979-simple"]
        assert parts["BibTeX"].count("{") == parts["BibTeX"].count("}")
        assert parts["Command"] == "truebleu report ..."

    @pytest.mark.parametrize("alpha", [0.05, 0.4])
    def test_alpha_is_beside_what_is_called_significant(self, alpha):
        """The page, its terms and the sentence for a paper say it, also of several metrics."""
        made = example(alpha=alpha, metrics=["bleu", "ter"])
        for each in made.values():
            assert f"for 6 tests, at a significance level of {alpha}." in quotes.methods(each.data)
            assert f", alpha {alpha})" in lead_of(each.data)
            assert payload.pair_facts(each.data)["alpha"] == str(alpha)
        html = made.to_html()
        assert html.count(f"significantly worse than the best (alpha {alpha}), after Holm") == 2
        for name in ("rank", "cluster", "adjusted p"):
            about = glossary.terms_of(Bleu(), alpha=alpha)[name][1]
            assert f"{alpha}" in about
            assert unescape(html).count(about) >= 1 + (name != "cluster")
        assert f"at least {1 - alpha:.0%}" in glossary.terms_of(Bleu(), alpha=alpha)["rank"][1]
        terms = glossary.terms_of(Bleu(), alpha=alpha).values()
        assert not any("{" in about for _, about in terms)

    def test_the_sentence_says_how_the_numbers_were_computed(self, made):
        """It has the signature, and names intervals and tests."""
        said = quotes.methods(made.data)
        assert made.comparison.signature in said
        assert "The 95% confidence intervals are from bootstrap resampling of documents (" in said
        assert "with Holm's correction for 3 tests, at a significance level of 0.05." in said
        alone = report({"a": ["a b c d"]}, ["a b c d"])
        assert quotes.methods(alone.data).startswith("We report BLEU as computed by truebleu")
        assert "interval" not in quotes.methods(alone.data)

    def test_tables_are_those_of_the_comparison(self, made):
        """As they go into a paper, without the sentence on the methods, which is beside them."""
        parts = dict(quotes.quotes(made.data))
        paper = made.comparison.paper()
        for title, whole in ("Markdown", paper.to_markdown()), ("LaTeX", paper.to_latex()):
            table = parts[f"Table in {title}"]
            assert whole.startswith(table)
            assert paper.methods in whole.removeprefix(table).replace("\\%", "%")

    def test_the_command_is_in_the_page_without_folders(self, tmp_path, monkeypatch):
        """It can be repeated, and does not tell where files are."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "data").mkdir()
        for name in ("a b.txt", "ref.txt"):
            (tmp_path / "data" / name).touch()
        given = ["report", "a=data/a b.txt", "-r", "data/ref.txt", "-o", "out/x.html"]
        expected = "truebleu report 'a=a b.txt' -r ref.txt -o x.html\n"
        assert command_of(given, "out/x.html") == expected


class TestCommand:
    """``truebleu report``: a page, or a chart."""

    FILES = ("system-strong.en", "system-weak.en", "-r", "reference-a.en", "reference-b.en")

    def test_a_page_is_written(self, run, tmp_path):
        """The page has scores, names and signature in it."""
        path = tmp_path / "report.html"
        extra = ["--sources", "source.de", "--units", "documents.txt"]
        code, error = run("report", *self.FILES, *extra, "-o", path)
        assert code == 0
        warning, wrote = error.splitlines()
        assert warning.endswith("intervals are unreliable")
        assert wrote == f"truebleu: wrote {path}"
        text = path.read_text("utf-8")
        assert text.count(">system-weak<") > 1
        expected = Bleu().corpus(OUTPUTS["weak"], reference_streams=STREAMS)
        assert f"<td>{expected.score:.2f}</td>" in text

    def test_a_plot_is_written(self, run, tmp_path):
        """The chart is that of the best two systems."""
        path = tmp_path / "figure.svg"
        wrote = f"truebleu: wrote {path}\n"
        assert run("report", "--chart", "ngrams", *self.FILES, "-o", path) == (0, wrote)
        said = "matches of system-strong minus matches of system-weak"
        assert said in path.read_text("utf-8")

    def test_folders_stay_at_home(self, run, tmp_path):
        """Systems are called as their files; folders tell apart those that would be alike."""
        path = tmp_path / "figure.svg"
        for folder, name in (("one", "a.txt"), ("two", "a.txt"), ("two", "b.txt")):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text("\n".join(lines("system-weak.en")), "utf-8")
        for other, name in (("two/b.txt", "a"), ("two/a.txt", "one")):
            files = [tmp_path / "one/a.txt", tmp_path / other]
            how = ["-r", "reference-a.en", "--baseline", tmp_path / other]
            assert run("report", "--chart", "scores", *files, *how, "-q", "-o", path) == (0, "")
            text = path.read_text("utf-8")
            assert f"system: {name};" in text
            assert "/one" not in text

    def test_a_page_is_written_whole_or_not_at_all(self, made, tmp_path):
        """A page that is there stays until the new one is complete; links and modes stay."""
        target, link = tmp_path / "page.html", tmp_path / "link.html"
        target.write_text("old", "utf-8")
        target.chmod(0o640)
        link.symlink_to(target)
        with (
            mock.patch.object(Path, "replace", side_effect=OSError(28, "No space left")),
            pytest.raises(OSError, match="No space left"),
        ):
            made.write(link)
        assert target.read_text("utf-8") == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "page.html"]
        made.write(link)
        assert link.is_symlink()
        assert target.read_text("utf-8").startswith("<!doctype html>")
        if os.name == "posix":
            assert target.stat().st_mode & 0o777 == 0o640

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_must_not_be_written(self, run, tmp_path):
        """It is refused before the work."""
        tmp_path.chmod(0o500)
        code, error = run("report", *self.FILES, "-o", tmp_path / "x.html")
        assert (code, "Permission denied" in error) == (2, True)

    def test_no_other_command_loads_it(self):
        """Jinja2 and vl-convert are loaded by this command alone."""
        code = "import sys, truebleu.cli; truebleu.cli.main(sys.argv[1:]); print(*sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code, "compare", *self.FILES],
            capture_output=True,
            text=True,
            cwd=EXAMPLES,
            check=True,
            timeout=300,
        )
        assert not {"jinja2", "vl_convert"} & set(done.stdout.split("\n")[-2].split())


class TestPage:
    """What the file says without a browser."""

    def test_the_images_of_the_documentation_are_there(self):
        """What docs/report.md shows is in docs/images, and nothing else is."""
        docs = EXAMPLES.parent / "docs"
        text = (docs / "report.md").read_text("utf-8")
        shown = set(re.findall(r"\]\(images/([\w.]+)\)", text))
        assert shown == {path.name for path in (docs / "images").glob("*.png")}

    def test_nothing_is_loaded_from_anywhere(self, made):
        """No address is in the markup; the policy allows our scripts and style, and no others."""
        html = made.to_html()
        markup = markup_of(html)
        assert not re.search(r"""(src|href)=["']?(?!["'#])""", markup)
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', markup)[1]
        policy = policy.replace("&#39;", "'")
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "connect-src" not in policy

    def test_scripts_have_one_scope(self):
        """Modules are joined, so no two of them declare one name."""
        pattern = r"(?m)^(?:export )?(?:async )?(?:function|const|let) (\w+)"
        scripts = (Path(page.__file__).parent / "assets").glob("*.js")
        names = Counter(name for path in scripts for name in re.findall(pattern, path.read_text()))
        assert len(names) > 50
        assert {name for name, count in names.items() if count > 1} == set()

    def test_terms_are_explained(self, made):
        """Every term that can be clicked has an explanation in the page."""
        html = made.to_html()
        asked = set(re.findall(r'popovertarget="(term-[^"]*)"', html))
        terms = glossary.terms_of(made.data.metric)
        assert "term-rank" in asked
        assert asked <= {f"term-{key.replace(' ', '-')}" for key in terms}
        assert all(html.count(f'id="{name}"') == 1 for name in asked)
        details = made.data.scores[0].details()
        assert {*made.data.metric._about.details} <= {*details}

    @pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
    @pytest.mark.parametrize("how", [{"baseline": "weak"}, {"units": [0] * 36 + [1] * 36}])
    def test_ranks_that_there_are_not(self, how):
        """They are not explained: with a baseline, and where tests decide nothing."""
        html = example(**how).to_html()
        assert 'id="term-adjusted-p"' in html
        assert "term-rank" not in html
        assert "term-cluster" not in html

    def test_the_report_shows_itself(self, made):
        """What it is about is in its repr; it cannot be changed."""
        assert repr(made) == "<Report: 3 systems, 72 segments>"
        with pytest.raises(AttributeError):
            made.title = "x"
        assert truebleu.Report is type(made)

    def test_the_look_is_shared(self, made):
        """Scores, comparisons and explanations bring the style sheet of the page."""
        style = stylesheet()
        shown = [
            Bleu().corpus(["a b"], ["a b"])._repr_html_(),
            made.comparison._repr_html_(),
            explain("a b", "a b")._repr_html_(),
            made.to_html(),
        ]
        assert all(style in html for html in shown)
        assert len(drawing.colors()) == style.count("light-dark(")

    def test_colors_have_contrast(self):
        """Text has a contrast of at least 4.5 on what it is written on, light and dark."""
        style = (Path(truebleu.__file__).parent / "display" / "look.css").read_text("utf-8")
        pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", style)
        for which in (1, 2):
            color = {each[0]: each[which] for each in pairs}
            grounds = {
                "ink": ["paper", "wash", "order1", "order2", "order3", "order4"],
                **dict.fromkeys(["faint", "one", "other"], ("paper", "wash")),
                **dict.fromkeys(["good", "clipped", "bad"], ("paper",)),
            }
            for name, several in grounds.items():
                for other in several:
                    assert contrast(color[name], color[other]) >= 4.5, (name, other, which)


def contrast(one, other):
    """Return the contrast of two colors as WCAG 2 defines it."""

    def luminance(color):
        parts = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning")
@looped("sets", (1, 2))
def test_statistics_tell_all_but_texts(sets, tmp_path):
    """What a report shows of rows is that of a report from texts, read back from a file."""
    texts = {each: lines(f"system-{each}.en") for each in ("strong", "medium", "weak")}
    references = list(zip(*(lines(f"reference-{a}.en") for a in "ab"[:sets]), strict=True))
    metrics, documents = [Bleu(), Chrf(word_order=2), Ter()], lines("documents.txt")
    parts = [
        truebleu.SavedStats(
            {name: metric.stats(each, references) for name, each in texts.items()},
            metric,
            documents=documents,
            references=references,
        )
        for metric in metrics
    ]
    parts[0].merge(*parts[1:]).write(tmp_path / "x.jsonl.gz")
    saved = truebleu.read_stats(tmp_path / "x.jsonl.gz")
    how = {"n_resamples": 50}
    want = report(texts, references, metrics=metrics, units=documents, **how)
    found = report(saved, **how)
    assert [*found] == [*want]
    for name, made in found.items():
        other = want[name]
        assert made.comparison.replace(notes=other.comparison.notes) == other.comparison
        # Of two references, only the first says how long a segment is.
        more = {"length", *["ngrams", "frequency"] * (name == "BLEU")}
        assert {*other.charts} | {"length"} == {*made.charts} | more
        for chart in {*made.charts} - {"length"}:
            assert made.chart(chart).to_dict() == other.chart(chart).to_dict()
        assert quotes.methods(made.data) == quotes.methods(other.data)
        assert "SHA-256" not in str(quotes.quotes(made.data))
    if sets == 1:
        both = (each["BLEU"].data for each in (found, want))
        first, second = (charts.rows(data, "length", 0, 1) for data in both)
        assert first == second
    assert "This report is made from statistics" in found.to_html()
    with pytest.raises(truebleu.InputTypeError, match="have no texts"):
        report(saved, references)
    # Characters alone do not tell how many tokens there are.
    alone = report(truebleu.SavedStats({"a": Chrf().stats(texts["weak"], references)}, Chrf()))
    assert "length" not in alone.charts


def test_intervals_of_groups():
    """They are near those of the segments by themselves; groups of few segments have none."""
    references = STREAMS[0]
    metric = Bleu()
    counted = {name: metric.stats(each, references) for name, each in OUTPUTS.items()}
    half = len(references) - 20
    labels = ["many"] * half + ["few"] * 20
    grouped = groups.by_label(metric, counted, labels, 0.9)
    assert np.isnan(grouped.margins[1]).all()
    part = {name: each[:half] for name, each in OUTPUTS.items()}
    for system, texts in enumerate(part.values()):
        found = confidence_interval(texts, references[:half], alpha=0.1, units="segments")
        margin = grouped.margins[0, system, system]
        assert 2 * margin == pytest.approx(found.high - found.low, rel=0.15)
    found = compare(part, references[:half], alpha=0.1, units="segments")
    for (i, one), (j, other) in itertools.combinations(enumerate(part), 2):
        interval = found.pair(one, other).interval
        assert 2 * grouped.margins[0, i, j] == pytest.approx(interval.high - interval.low, rel=0.15)
        assert grouped.margins[0, i, j] == grouped.margins[0, j, i]


@given(st.lists(st.integers(0, 90), min_size=1, max_size=300))
def test_groups_by_length_have_enough_segments(lengths):
    """Each has at least 30, if there are so many; they are all segments, the shortest first."""
    texts = ["x"] * len(lengths)
    counted = {"a": Bleu().stats(texts, texts)}
    grouped = groups.by_length(Bleu(), counted, np.array(lengths, np.int64), 0.95)
    assert sum(grouped.sizes) == len(lengths)
    assert len(grouped.names) == 1 or min(grouped.sizes) >= groups.FEWEST
    ends = [[int(each) for each in re.findall(r"\d+", name)] for name in grouped.names]
    for length, member in zip(lengths, grouped.members.tolist(), strict=True):
        low, *high = ends[member]
        assert low <= length
        assert not high or length <= high[0]
