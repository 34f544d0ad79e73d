"""Signatures are read in every form in which they are printed or quoted."""

import contextlib
import json
import re
import warnings

import pytest
import sacrebleu
from golden import make_signatures
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import golden_rows
from strategies import bleu_settings, chrf_settings, ter_settings
from toy_metrics import ExactMatch
from truebleu import (
    Bleu,
    Chrf,
    SettingsError,
    SettingsWarning,
    Ter,
    _core,
    assert_comparable,
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
)
from truebleu.metrics.bleu.settings import COUNTING, DEFAULTS
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.signatures import LONGEST

NEW = "nrefs:1|case:lc|eff:no|tok:zh|smooth:floor[0.10]|version:2.0.0"
OLD = "case.lc+numrefs.1+smooth.floor[0.10]+tok.zh+version.1.5.1"
SHORT = "#:1|c:lc|e:no|tok:zh|s:floor[0.10]|v:2.0.0"
OLD_SHORT = "c.lc+#.1+s.floor[0.10]+tok.zh+v.1.5.1"
SCORE = " = 27.3 60.1/33.2/20.9/13.7 (BP = 1.000 ratio = 1.012 hyp_len = 63134 ref_len = 64399)"
INTERVAL = SCORE.replace("27.3", "27.3 (μ = 27.2 ± 0.5)")


ROWS = golden_rows("signatures.tsv")


def printed_score(text):
    """Return the number in what sacreBLEU printed, as it stands there."""
    if text.startswith("{"):
        return json.dumps(json.loads(text)["score"])
    return re.search(r" = ([\d.]+)", text)[1]


def read(text, kind=Bleu):
    """Make the metric of a signature; return it and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric = kind.from_signature(text)
    assert all(issubclass(each.category, SettingsWarning) for each in caught)
    return metric, [str(each.message) for each in caught]


class TestPrinted:
    """What sacreBLEU has printed, from 1.2 to 2.6."""

    def test_there_are_all_ages(self):
        """Long and short ones of each age, and all forms of output."""
        texts = [json.loads(row["printed"]) for row in ROWS]
        assert {row["version"][:3] for row in ROWS} >= {"1.2", "1.4", "1.5", "2.0", "2.6"}
        for beginning in ("BLEU+case.", "BLEU+c.", "BLEU|nrefs:", "BLEU|#:", "{"):
            assert sum(text.startswith(beginning) for text in texts) > 5

    def test_the_bleu_gives_that_number(self, subtests):
        """A Bleu made of a printed line scores the corpus as that version did."""
        for row in ROWS:
            if row["corpus"]:
                with subtests.test(**row):
                    self.check(row)

    def check(self, row):
        """If the line does not say a value that was chosen, a warning names the option."""
        text = json.loads(row["printed"])
        hypotheses, references = (
            corpus.splitlines() for corpus in make_signatures.CORPORA[row["corpus"]]
        )
        bleu, said = read(text)
        old = row["version"].startswith("1.")
        valued = "-s floor" in row["options"] or "-s add-k" in row["options"]
        unwritten = valued and old and row["version"] < "1.5"
        assert any("--smooth-value" in each for each in said) == unwritten
        is_intl = bleu.tokenizer == "intl"
        assert any("the intl tokenizer" in each for each in said) == (old and is_intl)
        if unwritten and "-sv" in row["options"]:
            return
        number = printed_score(text)
        decimals = len(number.partition(".")[2])
        score = bleu.corpus(hypotheses, references)
        assert abs(score.score - float(number)) <= 0.5000001 * 10**-decimals

    def test_test_sets_are_told(self):
        """A Bleu cannot choose the data, and says which were."""
        for row in ROWS:
            if row["corpus"]:
                continue
            chosen = json.loads(row["options"])
            bleu, said = read(json.loads(row["printed"]))
            assert bleu._scoped(segment=False) == Bleu(effective_order=False), row
            [data] = [each for each in said if "names the test set" in each]
            assert f"test:{chosen['test_set']}, lang:{chosen['langpair']}" in data, row
            if row["version"][:3] != "1.2" and "subset" in chosen:
                assert f"origlang:{chosen['origlang']}, subset:{chosen['subset']}" in data, row


WRAPPED = {
    "as it is": lambda text: text,
    "space around": lambda text: f"  {text}\n",
    "in backticks": lambda text: f"`{text}`",
    "in quotes": lambda text: f"\u201c{text}\u201d.",
    "in parentheses": lambda text: f"({text}),",
    "after a word": lambda text: f"sacreBLEU signature: {text}",
    "after a name": lambda text: f"SacreBLEU ({text})",
    "spread out": lambda text: re.sub("([|+])", r" \1 ", text),
    "broken": lambda text: re.sub("([|+])", "\\1\n  ", text),
    "broken before": lambda text: re.sub("([|+])", "\n\\1", text),
    "broken in values": lambda text: re.sub("([:.])", "\\1\n", text),
    "in LaTeX": lambda text: "\\texttt{" + text.replace("#", "\\#").replace("_", "\\_") + "}",
    "in LaTeX, bars": lambda text: text.replace("|", "\\textbar{}").replace("#", "\\#"),
    "in LaTeX, more bars": lambda text: text.replace("|", "\\textbar ").replace("#", "\\#"),
    "in LaTeX, math": lambda text: re.sub(r"([|+])", r"$\1$", text).replace("#", "\\#"),
    "in LaTeX, breaks": lambda text: re.sub(r"([|+])", r"\1\\allowbreak{}", text),
    "in a footnote": lambda text: "\\footnote{\\small " + text + "}",
}

QUOTED = {
    "": lambda text, separator: text,
    "with the name": lambda text, separator: f"BLEU{separator}{text}",
    "before the score": lambda text, separator: f"BLEU{separator}{text}{SCORE}",
    "before the interval": lambda text, separator: f"BLEU{separator}{text}{INTERVAL}",
    "before the score alone": lambda text, separator: f"BLEU{separator}{text} = 27.3",
    "after the score": lambda text, separator: f"BLEU{SCORE}{separator}{text}",
    "below the score": lambda text, separator: f"BLEU{SCORE}\n{text}",
    "after the score alone": lambda text, separator: f"BLEU = 27.3 {separator} {text}",
    "after a hash": lambda text, separator: f"SacreBLEU hash: BLEU{separator}{text}",
    "after the package": lambda text, separator: f"sacrebleu: BLEU{separator}{text}",
    "after a score with a colon": lambda text, separator: f"BLEU: 27.3 {text}",
    "after a score with a colon, in parentheses": lambda text, separator: f"BLEU: 27.3 ({text})",
    "after a score and the name": lambda text, separator: f"27.3 BLEU{separator}{text}",
    "after a decimal comma": lambda text, separator: f"BLEU = 27,3 {separator} {text}",
    "before a decimal comma": lambda text, separator: f"BLEU{separator}{text} = 27,3",
    "after the score, in parentheses": lambda text, separator: f"BLEU = 27.3 ({text})",
}


class TestQuoted:
    """A signature in a paper, on a page, in a mail."""

    @pytest.mark.parametrize("signature", [NEW, OLD, SHORT, OLD_SHORT])
    def test_what_is_around_does_not_matter(self, signature, subtests):
        """Each form in each surrounding gives the same Bleu, and compares as equal."""
        expected = Bleu(lowercase=True, tokenizer="zh", smoothing="floor", smooth_value=0.1)
        separator = "+" if "+" in signature else "|"
        for where, quote in QUOTED.items():
            for how, wrap in WRAPPED.items():
                text = wrap(quote(signature, separator))
                with subtests.test(where=where, how=how):
                    assert read(text)[0]._scoped(segment=False) == expected._scoped(segment=False)
                    assert_comparable(text, expected.signature)
                    assert_comparable(expected.signature, text)

    @settings(deadline=None, max_examples=60)
    @given(
        bleu_settings(tokenizers=(*_core.TOKENIZERS, "pretokenized")),
        st.sampled_from(list(WRAPPED)),
    )
    def test_our_own(self, chosen, how):
        """All that our signatures can say comes through the same surroundings."""
        bleu = Bleu(**chosen)
        assert Bleu.from_signature(WRAPPED[how](bleu.signature)) == bleu

    def test_libraries_with_versions(self):
        """Dots and dashes are part of a value."""
        fields = "BLEU+case.mixed+numrefs.?+smooth.exp+tok.ja-mecab-0.996-IPA+version.1.4.14"
        score = "nrefs:2|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.0.0"
        assert_comparable(fields, score)

    def test_free_values_may_hold_separators(self):
        """A subset is a regular expression, and a version in development has a plus."""
        old = "BLEU+case.lc+subset.a:b+c.d|e+test.x/y+tok.13a+version.1.5.1.dev3+g12ab"
        bleu, said = read(old.replace("+c.d", "+cd"))
        assert bleu == Bleu(lowercase=True)
        assert "subset:a:b+cd|e" in said[0]
        bleu, said = read("nrefs:1|subset:country:(US|GB)|case:lc|version:2.6.1.dev0+g12ab")
        assert bleu == Bleu(lowercase=True)
        assert "(subset:country:(US|GB))" in said[0]

    @settings(deadline=None, max_examples=300)
    @given(st.data())
    def test_every_field_is_read_or_named(self, data):
        """Wherever a field stands that nobody knows, it is an error; so is a misspelt one."""
        mark, separator = data.draw(st.sampled_from([":|", ".+"]))
        known = {"case": "lc", "tok": "13a", "smooth": "exp", "nrefs": "1", "version": "1.5.1"}
        known |= {"test": "wmt17", "lang": "en-de", "origlang": "en", "subset": "country:US"}
        if mark == ".":
            known["subset"] = "US"
        chosen = data.draw(st.lists(st.sampled_from(list(known)), unique=True, min_size=1))
        fields = [f"{name}{mark}{known[name]}" for name in chosen]
        read(separator.join(fields))
        foreign = data.draw(
            st.sampled_from(["smothing", "lowercase", "Case", "token", "x", "smooth ", "Version"])
        )
        place = data.draw(st.integers(0, len(fields)))
        fields.insert(place, f"{foreign}{mark}{data.draw(st.sampled_from(['yes', '1', 'floor']))}")
        for before in ("", f"BLEU{separator}"):
            with pytest.raises(SettingsError, match=r"signature field|not of BLEU"):
                Bleu.from_signature(before + separator.join(fields))

    @pytest.mark.parametrize(
        ("field", "named"),
        [
            *((field, field) for field in ("bs:1000", "ar:10000", "seed:12345", "nrefs:2")),
            *((field, field) for field in ("nrefs:var", "alpha:0.05", "test:wmt17", "subset:US")),
            ("rs:12345", "seed:12345"),
            ("#:3", "nrefs:3"),
        ],
    )
    def test_what_a_bleu_cannot_do_is_named(self, field, named):
        """Fields about references, resampling and data come through as a warning each."""
        bleu, [said] = read(f"case:lc|{field}|version:2.0.0")
        assert bleu == Bleu(lowercase=True)
        assert named in said
        for field in ("nrefs:1", "nrefs:?"):
            assert read(f"case:lc|{field}|version:2.0.0")[1] == []


class TestGrammar:
    """One table has all fields."""

    @given(how=chrf_settings())
    def test_numbers_of_chrf_are_written(self, how):
        """Its orders and beta are in the signature whatever they are; they may be 0."""
        metric = Chrf(**how)
        fields = dict(field.split(":", 1) for field in metric.signature.split("|"))
        written = [float(fields[name]) for name in ("nc", "nw", "beta")]
        assert written == [metric.char_order, metric.word_order, metric.beta]

    def test_every_setting_is_read_from_one_field(self):
        """What can be set can be said, in one place."""
        read = [
            name
            for field in Bleu._settings_table.grammar.fields
            if field.read is not None
            for name in field.settings or field.attributes
        ]
        assert sorted(read) == sorted(DEFAULTS)

    def test_keys_and_places_are_unique(self):
        """No two fields have a name, or a place in counting keys, in common."""
        for grammar in (kind._settings_table.grammar for kind in (Bleu, Chrf, Ter)):
            names = [name for field in grammar.fields for name in (field.key, *field.short)]
            assert len(names) == len(set(names))
        places = [field.counting for field in COUNTING.fields]
        assert places == list(range(1, len(places) + 1))

    @pytest.mark.parametrize(
        ("chosen", "signature", "key"),
        [
            (
                {},
                "case:mixed|eff:auto|tok:13a|smooth:exp|order:4|weights:uniform|len:closest",
                "tok:13a|case:mixed|orders:4|len:closest",
            ),
            (
                {
                    "tokenizer": "words",
                    "lowercase": True,
                    "unicode_form": "NFC",
                    "smoothing": "method5",
                    "effective_order": True,
                    "max_order": 3,
                    "weights": [[0.5, 0.25, 0.25], [1]],
                    "reference_length": "shortest",
                    "phantom_ngrams": True,
                },
                "case:lc|eff:yes|tok:words|form:NFC|smooth:method5|order:3|weights:0.5,0.25,0.25;1.0"
                "|len:shortest|phantom:yes|unicode:{unicode}",
                "tok:words|case:lc|form:NFC|unicode:{unicode}|orders:4|len:shortest|phantom:yes",
            ),
            (
                {"tokenizer": "pretokenized", "smoothing": "floor", "effective_order": False},
                "case:mixed|eff:no|tok:pretokenized|smooth:floor[0.1]|order:4|weights:uniform"
                "|len:closest",
                "tok:pretokenized|case:mixed|orders:4|len:closest",
            ),
        ],
        ids=["default", "all", "tokens"],
    )
    def test_each_character_stays(self, chosen, signature, key):
        """Stored statistics have a hash of the counting key, and papers have signatures."""
        bleu = Bleu(**chosen)
        assert bleu.signature == (
            f"{signature.format(unicode=bleu._unicode)}|version:truebleu-{_core.__version__}"
        )
        assert bleu.counting_key == key.format(unicode=bleu._unicode)


class TestTestSets:
    """Two scores of different data cannot be compared, however they were computed."""

    @pytest.mark.parametrize("field", ["test", "lang", "origlang", "subset"])
    def test_both_name_them(self, field):
        """Of two that name a test set both must name the same."""
        with pytest.raises(SettingsError, match=f"{field} is a in one and b in the other"):
            assert_comparable(f"tok:13a|smooth:exp|{field}:a", f"smooth.exp+tok.13a+{field}.b")
        assert_comparable(f"tok:13a|smooth:exp|{field}:a", f"smooth.exp+tok.13a+{field}.a")

    def test_one_names_it(self):
        """A score of ours does not know its data."""
        score = corpus_bleu(["a b c d"], ["a b c d"])
        assert_comparable(
            score, f"BLEU+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14{SCORE}"
        )


# What sacreBLEU printed for the second corpus of make_signatures.py, and the metric of that kind.
ONE_X = [
    ("chrF2+case.mixed+numchars.6+numrefs.1+space.False+tok.13a+version.1.2.12 = 0.2806", Chrf()),
    # With -lc, which did not lowercase.
    ("chrF2+case.lc+numchars.6+numrefs.1+space.False+tok.13a+version.1.3.1 = 0.2806", Chrf()),
    ("chrF3+case.lc+numchars.6+numrefs.1+space.False+tok.13a+version.1.3.1 = 0.2806", Chrf(beta=3)),
    ("chrF2+numchars.6+space.false+version.1.4.14 = 0.28056", Chrf()),
    ("chrF2+n.6+s.false+v.1.4.14 = 0.28056", Chrf()),
    ("chrF3+numchars.6+space.false+version.1.5.1 = 0.28056", Chrf(beta=3)),
    ("chrF2+numchars.4+space.false+version.1.5.1 = 0.42083", Chrf(char_order=4)),
    ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.4.14 = 0.1667", Ter()),
    ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1 = 0.1667", Ter()),
    ("TER+t.tercom-nonorm-punct-noasian-uncased+v.1.5.1 = 0.1667", Ter()),
]
TWO = "|version:2.0.0"
TEXT = [
    (f"chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no{TWO} = 38.9583", Chrf(word_order=2)),
    ("TER|#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.0.0 = 16.6667", Ter()),
]
JSON = [
    ("chrF2", 28.0556, f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no{TWO}", Chrf()),
    (
        "chrF2",
        55.469,
        f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:yes{TWO}",
        Chrf(whitespace=True),
    ),
    ("TER", 16.6667, f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no{TWO}", Ter()),
    (
        "TER",
        16.6667,
        f"nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes{TWO}",
        Ter(normalized=True, no_punct=True, asian_support=True, case_sensitive=True),
    ),
]
OTHERS = [
    *ONE_X,
    *TEXT,
    *(
        (json.dumps({"name": name, "score": score, "signature": signature}, indent=1), metric)
        for name, score, signature, metric in JSON
    ),
]


class TestOtherMetrics:
    """chrF and TER, with sacreBLEU's signatures of each age."""

    @looped(("text", "metric"), OTHERS)
    def test_what_was_printed(self, text, metric):
        """The metric of a printed line scores the corpus as that version did; 1.x from 0 to 1."""
        found, said = read(text, type(metric))
        assert found == metric
        assert not said
        printed = printed_score(text)
        expected = metric.corpus(*[[each.strip()] for each in make_signatures.CORPORA["short"]])
        number = expected.fraction if printed.startswith("0.") else expected.score
        assert number == pytest.approx(float(printed), abs=0.6 * 10 ** -len(printed.split(".")[1]))
        assert_comparable(text, expected)

    def test_json_of_several_metrics(self):
        """Each metric reads its own part."""
        parts = [json.loads(text) for text, _ in OTHERS if text.startswith("{")][1:3]
        bleu = {"name": "BLEU", "score": 38.0, "signature": NEW}
        text = json.dumps([bleu, *parts], indent=1)
        assert {part["name"] for part in parts} == {"chrF2", "TER"}
        assert read(text, Chrf)[0] == Chrf(whitespace=True)
        assert read(text, Ter)[0] == Ter()
        assert read(text)[0] == read(NEW)[0]

    @settings(deadline=None, max_examples=60)
    @given(chrf_settings(), st.sampled_from(list(WRAPPED)))
    def test_ours_of_chrf(self, chosen, how):
        """All that our signatures say comes through any surroundings, beta included."""
        chrf = Chrf(**chosen)
        found, said = read(WRAPPED[how](chrf.signature), Chrf)
        assert found == chrf
        assert not said
        assert Chrf.from_signature(WRAPPED[how](f"{chrf.name}|{chrf.signature} = 60.5")) == chrf

    @settings(deadline=None, max_examples=60)
    @given(ter_settings, st.sampled_from(list(WRAPPED)))
    def test_ours_of_ter(self, chosen, how):
        """The same for TER."""
        ter = Ter(**chosen)
        assert read(WRAPPED[how](ter.signature), Ter) == (ter, [])
        assert Ter.from_signature(WRAPPED[how](f"TER|{ter.signature} = 60.5")) == ter

    @settings(deadline=None, max_examples=60)
    @given(
        chrf_settings(),
        st.integers(1, 5),
        st.booleans(),
        st.booleans(),
        st.integers(1, 3),
    )
    def test_those_of_sacrebleu(self, chosen, beta, short, named, streams):
        """Long or short, a signature makes a Chrf of the same settings; beta is in the name."""
        chosen = chosen | {"beta": beta}
        theirs = sacrebleu.CHRF(**chosen)
        score = theirs.corpus_score(["a b"], [["a c"]] * streams)
        text = theirs.get_signature().format(short=short)
        if named:
            text = f"{score.name}|{text}"
        found, said = read(text, Chrf)
        assert found == Chrf(**chosen | {"beta": beta if named else 2})
        assert any("beta" in each for each in said) == (not named)
        assert any("nrefs" in each for each in said) == (streams > 1)

    @settings(deadline=None, max_examples=30)
    @given(ter_settings, st.booleans(), st.booleans())
    def test_those_of_sacrebleu_for_ter(self, chosen, short, named):
        """The same for TER, whose short key of the tokenizer is that of a test set, too."""
        theirs = sacrebleu.TER(**chosen)
        theirs.corpus_score(["a b"], [["a c"]])
        text = theirs.get_signature().format(short=short)
        assert read(f"TER|{text}" if named else text, Ter) == (Ter(**chosen), [])
        found, [said] = read(f"{text}|t:wmt17" if short else f"{text}|test:wmt17", Ter)
        assert found == Ter(**chosen)
        assert "names the test set (test:wmt17), which is not a setting of Ter" in said

    def test_beta_is_assumed(self):
        """Without a name, or a number in it, beta is 2 and a warning says so."""
        fields = "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.0.0"
        for text in (fields, f"chrF++|{fields}", f"sacreBLEU ({fields})"):
            found, [said] = read(text, Chrf)
            assert found == Chrf(word_order=2)
            assert "does not record beta" in said
            assert "2 is assumed" in said
        for name in ("chrF0.5++", "chrF0.5"):
            assert read(f"{name}|{fields}", Chrf) == (Chrf(word_order=2, beta=0.5), [])
        old, [said] = read("chrF2+n.6+s.true+v.1.4.14", Chrf)
        assert old == Chrf(whitespace=True)
        assert "sacreBLEU 1.4.14 also counted the end of each line" in said


KEYS = "nc nw beta s t tok norm n"
OTHER_PARTS = (
    "case:lc eff.yes #:1 v:2.0.0 version.1.4.14 + | ++ ( ) chrF chrF2 chrF2++ TER BLEU sacreBLEU "
    'tercom tercom-nonorm 13a yes 6 x { [{ " name signature : . , \\ $ metric:x'
)
PARTS = [f"{key}{mark}" for key in KEYS.split() for mark in ":."]
PARTS += [*OTHER_PARTS.split(), " = 26.7", "\n", " "]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=12).map("".join),
    st.sampled_from([Bleu, Chrf, Ter]),
)
def test_any_text_is_read_or_refused(text, kind):
    """Nothing else than an error about settings comes of it, whichever metric reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in (
            lambda: kind.from_signature(text),
            lambda: assert_comparable(text, kind().signature),
        ):
            with contextlib.suppress(SettingsError):
                call()


READERS = {
    **{kind.__name__: kind.from_signature for kind in (Bleu, Chrf, Ter, ExactMatch)},
    "SegmentScores": SegmentScores.from_signature,
    "metric_from_signature": metric_from_signature,
    "assert_comparable, first": lambda text: assert_comparable(text, Bleu().signature),
    "assert_comparable, second": lambda text: assert_comparable(Chrf().signature, text),
}


class TestLong:
    """Texts that are longer than any signature."""

    @pytest.mark.parametrize("name", READERS)
    def test_a_limit(self, name):
        """Every reader of signatures says that a text is too long, and how long one may be."""
        with pytest.raises(SettingsError, match=r"has 100,001 characters; at most 100,000 are r"):
            READERS[name](f"case:lc|tok:{'b' * (LONGEST - 11)}")

    def test_the_longest_of_ours(self):
        """1,000 weights of 17 digits are read."""
        bleu = Bleu(weights=[1 / 998.7] * 1000)
        assert len(bleu.signature) < LONGEST / 4
        assert Bleu.from_signature(bleu.signature) == bleu

    @pytest.mark.parametrize("kind", [Bleu, Chrf, Ter])
    def test_numbers_of_more_digits_than_python_reads(self, kind):
        """Of every field they are read, or refused with an error of ours."""
        for field in kind._settings_table.grammar.fields:
            for separator, mark in ("|:", "+."):
                for value in ("9" * 5000, f"1.{'9' * 5000}", f"exp[{'9' * 5000}]"):
                    text = separator.join((f"case{mark}lc", f"{field.key}{mark}{value}"))
                    try:
                        read(text, kind)
                    except SettingsError as error:
                        assert "set_int_max" not in str(error)  # noqa: PT017

    def test_a_subset_of_many_parts(self):
        """Brackets are matched over all of them."""
        subset = f"({'(|' * 20_000}{'|)' * 20_000})"
        bleu, [said] = read(f"subset:{subset}|case:lc")
        assert bleu == Bleu(lowercase=True)
        assert subset in said


class TestComparableMetrics:
    """Scores of any metric, and of no two metrics."""

    TEXTS = ("a b c d", "e f g h")
    SCORES = (
        corpus_bleu(TEXTS, TEXTS[::-1]),
        corpus_chrf(TEXTS, TEXTS[::-1]),
        corpus_ter(TEXTS, TEXTS[::-1]),
        ExactMatch().corpus(TEXTS, TEXTS[::-1]),
    )
    NAMES = ("BLEU", "chrF", "TER", "exact_match")

    @looped("one", range(4))
    @looped("other", range(4))
    def test_pairs(self, one, other):
        """Each with itself, and with no other."""
        scores = self.SCORES[one], self.SCORES[other]
        for pair in (scores, [score.signature for score in scores]):
            if one == other:
                assert_comparable(*pair)
                continue
            expected = f"one is of {self.NAMES[one]} and the other of {self.NAMES[other]}"
            with pytest.raises(SettingsError, match=expected):
                assert_comparable(*pair)

    def test_ages(self):
        """A score of ours, and sacreBLEU's of any age."""
        assert_comparable(corpus_chrf(self.TEXTS, self.TEXTS[::-1], beta=3), OTHERS[2][0])
        assert_comparable(OTHERS[3][0], OTHERS[4][0])
        assert_comparable(OTHERS[7][0], OTHERS[9][0])
        with pytest.raises(SettingsError, match="beta is 2 in one and 3 in the other"):
            assert_comparable(OTHERS[3][0], OTHERS[5][0])

    def test_settings_of_a_metric_in_python(self):
        """They are compared one by one, and versions are not."""
        assert_comparable("metric:x|k:1|version:a", "nrefs:2|metric:x|k:1|version:b")
        with pytest.raises(SettingsError, match=r"k is 1 in one and 2 in the other$"):
            assert_comparable("metric:x|k:1", "metric:x|k:2")
        with pytest.raises(SettingsError, match="nrefs is 1 in one and 2"):
            assert_comparable("nrefs:1|metric:x", "nrefs:2|metric:x")
