"""Signatures in place of the names of metrics, and in words: what was printed, once more."""

import json

import pytest
import truebleu
from project import EXAMPLES
from truebleu import Bleu, Chrf, SettingsError, SettingsWarning, Ter, explain_signature
from truebleu.cli import main
from truebleu.metrics.registry import METRICS
from truebleu.metrics.ter.settings import SETTINGS as TER

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore:.*times as long as:truebleu.SettingsWarning"),
]

SYSTEM, REFERENCE = (str(EXAMPLES / name) for name in ("system-strong.en", "reference-a.en"))
GIVEN = ["score", SYSTEM, "-r", REFERENCE]
SETTINGS = ["-m", "bleu:lowercase,smoothing=floor", "chrf:beta=3", "ter"]

OLD = "BLEU+case.lc+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.intl+version.1.5.1"

PLAIN = "BLEU+case.lc+lang.en-zh+numrefs.1+smooth.exp+test.wmt17+tok.zh+version.1.5.1"


@pytest.fixture
def run(capsys):
    """Return what runs the command: it returns the exit code, the output and the messages."""

    def run(*words):
        code = main([*words])
        return code, *capsys.readouterr()

    return run


class TestSignature:
    """A signature has the place of a name and settings."""

    @pytest.mark.parametrize("command", ["score", "segments", "compare"])
    def test_it_gives_what_the_options_give(self, run, command):
        """Of several metrics, in their order."""
        given = [command, f"a={SYSTEM}", f"b={REFERENCE}", "-r", REFERENCE, "--format=json"]
        metrics = [Bleu(lowercase=True, smoothing="floor"), Chrf(beta=3), Ter()]
        assert (
            run(*given, "-m", *(each.signature for each in metrics))[:2]
            == run(*given, *SETTINGS)[:2]
        )

    @pytest.mark.parametrize(
        ("signature", "metric"),
        [
            (OLD, Bleu(lowercase=True, tokenizer="intl")),
            (
                "#:1|c:lc|e:no|tok:13a|s:floor[0.10]|v:2.6.0",
                Bleu(lowercase=True, smoothing="floor"),
            ),
            ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|v:2.0.0", Chrf(word_order=2)),
            ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.0", Ter()),
        ],
    )
    def test_any_form(self, run, signature, metric):
        """Old and new, long and short."""
        expected = f"{metric.corpus(*map(truebleu.read_lines, (SYSTEM, REFERENCE))).score:.2f}\n"
        assert run(*GIVEN, "-m", signature, "-b")[:2] == (0, expected)

    def test_what_it_cannot_do(self, run):
        """Warnings are those of from_signature, and so are errors."""
        code, _, error = run(*GIVEN, "-m", OLD)
        assert code == 0
        with pytest.warns(SettingsWarning) as given:
            Bleu.from_signature(OLD)
        assert [line.partition("warning: ")[2] for line in error.splitlines()] == [
            str(each.message) for each in given
        ]
        code, _, error = run(*GIVEN, "-m", "nrefs:1|tok:unheard-of|smooth:exp")
        assert (code, "unheard-of" in error) == (2, True)

    @pytest.mark.parametrize("more", ["--lowercase", "--dialect=nltk"])
    def test_nothing_else_chooses(self, run, more):
        """Not even a dialect, whose settings are others."""
        code, out, error = run(*GIVEN, "-m", OLD, more)
        assert (code, out) == (2, "")
        option = more.partition("=")[0]
        assert f"{option}: a signature has its settings already; leave one out" in error

    def test_two_of_one_metric(self, run):
        """They are told apart by what differs; one alone is given once."""
        one, other = Bleu().signature, Bleu(lowercase=True).signature
        header = run(*GIVEN, "-m", one, other)[1].splitlines()[0]
        assert header.split() == ["system", "BLEU", "BLEU", "case:lc"]
        assert "BLEU is given twice, with the same settings" in run(*GIVEN, "-m", one, one)[2]

    def test_with_a_test_set(self, run, tmp_path):
        """The tokenizer is that of the signature, not that of the language."""
        (tmp_path / "ref").write_text("a b\tc d e f g\n" * 3, "utf-8")
        (tmp_path / "own.toml").write_text(
            '[sets.o]\nkind = "tsv"\n[sets.o.pairs.de-zh]\nsrc = "0:ref"\nref = "1:ref"\n', "utf-8"
        )
        words = ["-t", str(tmp_path / "own.toml"), "-l", "de-zh", "--format", "tsv"]
        (tmp_path / "mt").write_text("c d e f g\n" * 3, "utf-8")
        given = ["score", str(tmp_path / "mt"), *words]
        assert "|tok:zh|" in run(*given)[1]
        assert "|tok:13a|" in run(*given, "-m", Bleu().signature)[1]

    def test_thresholds_name_the_metric(self, run):
        """As ``-m`` would call it."""
        words = ["-m", Chrf(word_order=2).signature, Ter().signature]
        code, _, error = run(*GIVEN, *words, "--fail-under", "chrf++=99", "ter=99")
        assert (code, "chrF2++" in error, "TER" in error) == (1, True, False)


class TestExplained:
    """A signature in words."""

    @pytest.mark.parametrize("name", METRICS)
    def test_every_field_has_a_sentence(self, name):
        """Of whatever a metric, an interval or a test can write."""
        metric = METRICS[name]()
        texts = ["a b c d e", "f g h i j"] * 40
        found = truebleu.compare(
            {"a": texts, "b": ["a x y"] * 80}, ["a b c d f"] * 80, metrics=metric, n_resamples=39
        )
        for text in (metric.signature, found.signature):
            said = explain_signature(text)
            assert [*said] == [metric.name, *(field for field in said if field in text)]
            assert {*text.split("|")} == {*said} - {metric.name}
            assert all(each[0].isupper() and each.endswith(".") for each in said.values())
        assert all(field.about for field in type(metric)._settings_table.grammar.fields)

    def test_words_are_those_of_the_options(self):
        """What a setting does, or that it does not."""
        said = explain_signature(PLAIN)
        assert said["case:lc"] == "Lowercase the text."
        assert said["tok:zh"] == "How text is split into tokens: zh."
        assert explain_signature(Bleu().signature)["case:mixed"] == "Do not lowercase the text."
        for each in TER.settings:
            if each.default is None:
                continue
            about = each.option[-1].partition(":")[0]
            for on in (False, True):
                sentences = explain_signature(Ter(**{each.name: on}).signature).values()
                expected = about.capitalize() if on else f"Do not {about}"
                assert f"{expected}.".lower() in {each.lower() for each in sentences}

    def test_what_it_leaves_open(self):
        """It is a warning; what cannot be read is an error."""
        with pytest.warns(SettingsWarning, match="does not record beta"):
            explain_signature("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.0.0")
        with pytest.raises(SettingsError, match="unknown key"):
            explain_signature("nrefs:1|x:y")

    def test_the_command_says_the_same(self, run):
        """Without any system, in any format."""
        said = explain_signature(PLAIN)
        words = ["explain", "--signature", PLAIN]
        assert json.loads(run(*words, "-f", "json")[1]) == said
        rows = [line.split("\t") for line in run(*words, "-f", "tsv")[1].splitlines()]
        assert rows == [["field", "meaning"], *map(list, said.items())]
        assert run(*words)[0] == 0
