"""``--signature`` and ``--explain-signature``: what was printed, once more."""

import json
import re

import pytest
import truebleu
from project import EXAMPLES
from truebleu import Bleu, Chrf, SettingsError, SettingsWarning, Ter, explain_signature
from truebleu.cli import main
from truebleu.metrics.registry import METRICS
from truebleu.metrics.signatures import signatures_in
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
    """A signature has the place of -m and settings."""

    @pytest.mark.parametrize("command", ["score", "segments", "compare"])
    def test_it_gives_what_the_options_give(self, run, command):
        """Of several metrics, in their order."""
        few = ["--n-resamples", "50"] if command == "compare" else []
        given = [command, f"a={SYSTEM}", f"b={REFERENCE}", "-r", REFERENCE, *few, "--format=json"]
        metrics = [Bleu(lowercase=True, smoothing="floor"), Chrf(beta=3), Ter()]
        words = [word for each in metrics for word in ("--signature", each.signature)]
        assert run(*given, *words)[:2] == run(*given, *SETTINGS)[:2]

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
        assert run(*GIVEN, "--signature", signature, "-b")[:2] == (0, expected)

    def test_what_it_cannot_do(self, run):
        """Warnings are those of from_signature, and so are errors."""
        code, _, error = run(*GIVEN, "--signature", OLD)
        assert code == 0
        with pytest.warns(SettingsWarning) as given:
            Bleu.from_signature(OLD)
        assert [line.partition("warning: ")[2] for line in error.splitlines()] == [
            str(each.message) for each in given
        ]
        code, _, error = run(*GIVEN, "--signature", "nrefs:1|tok:unheard-of|smooth:exp")
        assert (code, "unheard-of" in error) == (2, True)

    @pytest.mark.parametrize("more", [["-m", "ter"], ["-lc"], ["-m", "chrf:beta=1"]])
    def test_nothing_else_chooses(self, run, more):
        """Neither metrics nor settings, whatever the metric."""
        code, out, error = run(*GIVEN, "--signature", OLD, *more)
        assert (code, out) == (2, "")
        option = {"-lc": "--lowercase"}.get(more[0], more[0])
        assert f"{option}: a signature has metric and settings; leave one out" in error

    def test_two_of_one_metric(self, run):
        """They must agree."""
        words = ["--signature", Bleu().signature, "--signature", Bleu(lowercase=True).signature]
        assert run(*GIVEN, *words)[0] == 2
        assert run(*GIVEN, *words[:2], *words[:2])[0] == 0

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
        assert "|tok:13a|" in run(*given, "--signature", Bleu().signature)[1]

    def test_thresholds_name_the_metric(self, run):
        """As ``-m`` would call it."""
        words = ["--signature", Chrf(word_order=2).signature, "--signature", Ter().signature]
        code, _, error = run(*GIVEN, *words, "--fail-under", "chrf++=99", "ter=99")
        assert (code, "chrF2++" in error, "TER" in error) == (1, True, False)


class TestSettingsFrom:
    """What was printed, in a file."""

    @pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "markdown", "latex", "html"])
    @pytest.mark.parametrize("command", ["score", "compare", "paper"])
    def test_our_own(self, run, form, command, tmp_path):
        """Every format of a result, for all of its metrics."""
        few = ["--n-resamples", "50"]
        words = {"score": [], "compare": few, "paper": [*few, "--paper"]}[command]
        given = [GIVEN[0] if command == "score" else "compare", SYSTEM, f"b={REFERENCE}", "-r"]
        out = run(*given, REFERENCE, *SETTINGS, *words, "-f", form)[1]
        if form == "html":
            # As a browser pastes it.
            out = re.sub("<[^>]*>", "\n", out)
        (tmp_path / "printed").write_text(out, "utf-8")
        expected = run(*GIVEN, *SETTINGS, "-f", "json")[1]
        found = run(*GIVEN, "--signature", str(tmp_path / "printed"), "-f", "json")
        assert found[:2] == (0, expected)

    @pytest.mark.parametrize(
        "text",
        [
            json.dumps({"name": "chrF3", "score": 1, "signature": "nrefs:1|case:mixed|version:2"}),
            json.dumps([{"name": "chrF3", "signature": "nrefs:1|nc:6|nw:0|version:2.6.0"}]),
            "chrF3|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 60.5",
            " - chrF3      nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
            "We report chrF3|nrefs:1|case:mixed|eff:yes|\nnc:6|nw:0|space:no|version:2.6.0",
        ],
    )
    def test_those_of_sacrebleu(self, text):
        """As it prints them, and as papers break them: the name before the signature has beta."""
        [signature] = signatures_in(text)
        assert Chrf.from_signature(signature) == Chrf(beta=3)

    @pytest.mark.parametrize("text", ["27.3\n", "BLEU = 27.3\n", "[]", '{"score": 27.3}'])
    def test_a_file_without_any(self, run, tmp_path, text):
        """The message names it, or what is wrong."""
        (tmp_path / "printed").write_text(text, "utf-8")
        code, out, error = run(*GIVEN, "--signature", str(tmp_path / "printed"))
        assert (code, out) == (2, "")
        assert "printed has no signature" in error

    def test_a_file_that_cannot_be_read(self, run):
        """A name that is empty, as of a variable that is not set, is not ignored."""
        code, out, error = run(*GIVEN, "--signature", "")
        assert (code, out) == (1, "")
        assert "No such file" in error
        words = [GIVEN[0], "-", "-r", REFERENCE, "--signature", "-"]
        code, out, error = run(*words)
        assert (code, out) == (2, "")
        assert "standard input (-) can be read only once" in error


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
        words = ["score", "--explain-signature", PLAIN]
        assert json.loads(run(*words, "-f", "json")[1]) == said
        rows = [line.split("\t") for line in run(*words, "-f", "tsv")[1].splitlines()]
        assert rows == [["field", "meaning"], *map(list, said.items())]
        assert run(*words)[0] == 0
