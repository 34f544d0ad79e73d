"""Signatures are read in every form in which they are printed or quoted."""

import csv
import json
import re
import warnings
from pathlib import Path

import pytest
from golden import make_signatures
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bleu_settings
from truebleu import Bleu, SettingsError, SettingsWarning, _core, assert_comparable, corpus_bleu
from truebleu.metrics.bleu.grammar import COUNTING, GRAMMAR
from truebleu.metrics.bleu.settings import DEFAULTS

GOLDEN = Path(__file__).parent / "golden" / "signatures.tsv"

NEW = "nrefs:1|case:lc|eff:no|tok:zh|smooth:floor[0.10]|version:2.0.0"
OLD = "case.lc+numrefs.1+smooth.floor[0.10]+tok.zh+version.1.5.1"
SHORT = "#:1|c:lc|e:no|tok:zh|s:floor[0.10]|v:2.0.0"
OLD_SHORT = "c.lc+#.1+s.floor[0.10]+tok.zh+v.1.5.1"
SCORE = " = 27.3 60.1/33.2/20.9/13.7 (BP = 1.000 ratio = 1.012 hyp_len = 63134 ref_len = 64399)"
INTERVAL = SCORE.replace("27.3", "27.3 (μ = 27.2 ± 0.5)")


def goldens():
    """Return what sacreBLEU printed."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = goldens()


def printed_score(text):
    """Return the number in what sacreBLEU printed, as it stands there."""
    if text.startswith("{"):
        return json.dumps(json.loads(text)["score"])
    return re.search(r" = ([\d.]+)", text)[1]


def read(text):
    """Make the Bleu of a signature; return it and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bleu = Bleu.from_signature(text)
    assert all(issubclass(each.category, SettingsWarning) for each in caught)
    return bleu, [str(each.message) for each in caught]


class TestPrinted:
    """What sacreBLEU has printed, from 1.2 to 2.6."""

    def test_there_are_all_ages(self):
        """Long and short ones of each age, and all forms of output."""
        texts = [json.loads(row["printed"]) for row in ROWS]
        assert {row["version"][:3] for row in ROWS} >= {"1.2", "1.4", "1.5", "2.0", "2.6"}
        for beginning in ("BLEU+case.", "BLEU+c.", "BLEU|nrefs:", "BLEU|#:", "{"):
            assert sum(text.startswith(beginning) for text in texts) > 5

    @pytest.mark.parametrize(
        "row", [row for row in ROWS if row["corpus"]], ids=lambda row: "-".join(row.values())[:40]
    )
    def test_the_bleu_gives_that_number(self, row):
        """A Bleu made of a printed line scores the corpus as that version did.

        If the line does not say a value that was chosen, a warning names the option.
        """
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

    @pytest.mark.parametrize("row", [row for row in ROWS if not row["corpus"]], ids=str)
    def test_test_sets_are_told(self, row):
        """A Bleu cannot choose the data, and says which were."""
        chosen = json.loads(row["options"])
        bleu, said = read(json.loads(row["printed"]))
        assert bleu.for_corpora == Bleu().for_corpora
        [data] = [each for each in said if "names the test set" in each]
        assert f"test:{chosen['test_set']}, lang:{chosen['langpair']}" in data
        if row["version"][:3] != "1.2" and "subset" in chosen:
            assert f"origlang:{chosen['origlang']}, subset:{chosen['subset']}" in data


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

    @pytest.mark.parametrize("how", WRAPPED)
    @pytest.mark.parametrize("where", QUOTED)
    @pytest.mark.parametrize("signature", [NEW, OLD, SHORT, OLD_SHORT])
    def test_what_is_around_does_not_matter(self, signature, where, how):
        """Each form in each surrounding gives the same Bleu, and compares as equal."""
        text = WRAPPED[how](QUOTED[where](signature, "+" if "+" in signature else "|"))
        expected = Bleu(lowercase=True, tokenizer="zh", smoothing="floor", smooth_value=0.1)
        assert read(text)[0].for_corpora == expected.for_corpora
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

    @pytest.mark.parametrize("value", ["abc", "-5", "0", "", "1.5", "٣", "vary"])
    def test_a_number_of_references_that_is_none(self, value):
        """It is from 1 up, or ``var``, or unknown."""
        for text in (f"nrefs:{value}|case:lc", f"#:{value}|c:lc"):
            with pytest.raises(SettingsError, match=rf"'nrefs:{value}': a whole number from 1 up"):
                Bleu.from_signature(text)

    @pytest.mark.parametrize(
        ("field", "named"),
        [
            *((field, field) for field in ("bs:1000", "ar:10000", "seed:12345", "nrefs:2")),
            *((field, field) for field in ("nrefs:var", "ci:0.95", "test:wmt17", "subset:US")),
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

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.0.0", "of chrF2, not"),
            ("chrF2++|#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.0.0 = 53.3", r"of chrF2\+\+, not"),
            ("chrF2+numchars.6+space.false+version.1.4.14 = 0.53", "of chrF2, not of BLEU"),
            ("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", "'nc:6': .* of chrF, not of BLEU"),
            ("c.mixed+n.6+s.False+v.1.4.14", r"'n\.6': .* of chrF, not"),
            ("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no", "of TER, not"),
            ("case:lc|tok:tercom|norm:no|punct:yes|asian:no", "'norm:no': .* of TER, not"),
            ("BLEURT|nrefs:1", "of BLEURT, not of BLEU"),
            (f"BLEU{SCORE}", "'BLEU' has a score, but no signature"),
            ("BLEU = 27.3", "'BLEU' has a score, but no signature"),
            ("case:lc|case:mixed", "'case:mixed': case is already lc"),
            ("smooth:floor[x]", r"'smooth:floor\[x\]': could not convert"),
        ],
    )
    def test_what_is_no_signature_of_bleu(self, text, message):
        """It is refused by name, by whatever reads it."""
        with pytest.raises(SettingsError, match=message):
            Bleu.from_signature(text)
        with pytest.raises(SettingsError, match=message):
            assert_comparable(text, Bleu().signature)


class TestGrammar:
    """One table has all fields."""

    def test_every_setting_is_read_from_one_field(self):
        """What can be set can be said, in one place."""
        read = [
            name
            for field in GRAMMAR.fields
            if field.read is not None
            for name in field.settings or field.attributes
        ]
        assert sorted(read) == sorted(DEFAULTS)

    def test_keys_and_places_are_unique(self):
        """No two fields have a name, or a place in counting keys, in common."""
        names = [name for field in GRAMMAR.fields for name in (field.key, *field.short)]
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
            f"{signature.format(unicode=bleu.unicode)}|version:truebleu-{_core.__version__}"
        )
        assert bleu.counting_key == key.format(unicode=bleu.unicode)


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
