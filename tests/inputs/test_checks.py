"""What a corpus that was not meant so is warned of, where, and how often."""

import re
import unicodedata
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import strategies
import truebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import looped
from project import DATA, ROOT
from truebleu import (
    Accumulator,
    Bleu,
    SettingsWarning,
    _core,
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    sentence_bleu,
)
from truebleu.cli import main
from truebleu.metrics.corpora import Corpora

ENGLISH = [f"The {animal} sat on mat number {n}." for n in range(6) for animal in ("cat", "dog")]
CHANGED = [text.replace("sat", "was sitting") for text in ENGLISH]
CHINESE = ["今天天气很好。", "我们去公园散步。"] * 3
GERMAN = [f"Größe und Höhe von Haus Nummer {n} sind schön." for n in range(12)]

KOREAN = [f"고양이 {n}마리가 따뜻한 방석 위에 앉아 있었습니다." for n in range(12)]


def caught(call):
    """Return the messages of the warnings of a call, and from which files they seem to come."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    found = [each for each in found if issubclass(each.category, SettingsWarning)]
    return [str(each.message) for each in found], {(each.filename, each.lineno) for each in found}


def decomposed(texts):
    """Return the same texts in normal form D."""
    return [unicodedata.normalize("NFD", text) for text in texts]


# What is passed, and a part of the message.
CASES = {
    "han under 13a": (CHINESE, CHINESE[::-1], {}, "mostly Han or kana.*'13a'.*'zh'"),
    "han under intl": (CHINESE, CHINESE[::-1], {"tokenizer": "intl"}, "mostly Han or kana.*'intl'"),
    "han under none": (CHINESE, CHINESE[::-1], {"tokenizer": "none"}, "mostly Han or kana.*'none'"),
    "kana": (["ありがとうございます"] * 2, ["ありがとう"] * 2, {}, "'ja-mecab' for Japanese"),
    "Hangul under 13a": (
        KOREAN[1:],
        KOREAN[:-1],
        {},
        "mostly Korean.*'13a'.*'ko-mecab'.*, or 'char'",
    ),
    "tokenized": (
        [text.replace(".", " .") for text in (ENGLISH * 9)[:100]],
        (CHANGED * 9)[:100],
        {},
        r"look tokenized: 100 segments end in ' \.'",
    ),
    "copy": (ENGLISH, ENGLISH, {}, "equal a reference in all 12 segments"),
    "copy of the second": (
        ENGLISH,
        [[other, text] for other, text in zip(CHANGED, ENGLISH, strict=True)],
        {},
        "equal a reference in all 12 segments",
    ),
    "two of five hypotheses decomposed": (
        [*decomposed(GERMAN[:4]), *GERMAN[4:11]],
        GERMAN[:11],
        {},
        "different Unicode normal forms",
    ),
    "hypotheses decomposed": (decomposed(GERMAN), GERMAN, {}, "different Unicode normal forms"),
    "references decomposed": (GERMAN, decomposed(GERMAN), {}, "set unicode_form='NFC'"),
    "both decomposed, for MeCab": (
        decomposed(KOREAN[1:]),
        decomposed(KOREAN[:-1]),
        {"tokenizer": "ko-mecab"},
        "^hypotheses and references are not in Unicode normal form C.*'ko-mecab'.*form='NFC'$",
    ),
    "Thai, for MeCab": (
        ["ฉันรักแมวมาก", "แมวรักฉันมาก"],
        ["แมวรักฉันมาก", "ฉันรักแมวมาก"],
        {"tokenizer": "ko-mecab"},
        "mostly Thai.*'flores200'",
    ),
    "too long": (
        [f"{text} {text}" for text in ENGLISH],
        ENGLISH,
        {},
        r"^hypotheses are 2\.00 times as long as the references \(192 and 96 tokens\)",
    ),
    "too short": ([text[:7] for text in ENGLISH], ENGLISH, {}, r"are 0\.25 times as long"),
    "markup": (
        [f"<seg>{text}</seg>" for text in ENGLISH],
        ENGLISH,
        {},
        "^hypotheses or the references look like markup: in 12 of 12 segments, only one of both",
    ),
    "markup in references": (
        CHANGED,
        [f"<b>{text}</b>" if number < 2 else text for number, text in enumerate(ENGLISH)],
        {},
        "look like markup: in 2 of 12 segments",
    ),
    "empty beside another": (
        CHANGED,
        [[text, "" if number < 3 else text] for number, text in enumerate(ENGLISH)],
        {},
        "^3 empty references count .*; use None for references that are missing$",
    ),
    "empty alone": (
        CHANGED,
        [" " if number < 2 else text for number, text in enumerate(ENGLISH)],
        {},
        "^the only reference is empty in 2 of 12 segments; leave out",
    ),
    "square": (
        ["a b c d e", "f g h i j"],
        [["a b c d x", "f g h i x"], ["a b c q e", "f g h y j"]],
        {},
        r"70\.71 instead of 50\.00\) if references\[i\] is read as .* as reference_streams",
    ),
    "tuples as tokens": (
        [[tuple("abcd"), tuple("abce")]],
        [list("abcd")],
        {"tokenizer": "pretokenized"},
        "references come second here, unlike in NLTK",
    ),
    "weights": (ENGLISH, CHANGED, {"weights": [0.5] * 3}, "add up to 1.5, not 1"),
}


# Words in scripts without spaces, and what to set.
UNSPACED = {
    "Han": ("猫 喜欢 坐在 垫子 上面", "'zh'"),
    "kana": ("ねこ が すき です", "'ja-mecab'"),
    "Thai": ("ฉัน รัก แมว มาก", "'flores200'"),
    "Lao": ("ຂ້ອຍ ຮັກ ແມວ", "'flores200'"),
    "Khmer": ("ខ្ញុំ ស្រឡាញ់ ឆ្មា", "'flores200'"),
    "Burmese": ("ကြောင် ချစ် သည်", "'flores200'"),
    "Tibetan": ("བོད་ ཡིག་ དགའ་", "'flores200'"),
}


class TestEachMistake:
    """One warning each, for every way to score a corpus."""

    @pytest.mark.parametrize("case", CASES)
    def test_once_and_here(self, case):
        """Every way to count a corpus says it once, at the line that made the call."""
        hypotheses, references, chosen, message = CASES[case]
        for call in (
            lambda: corpus_bleu(hypotheses, references, **chosen),
            lambda: Bleu(**chosen).corpus(hypotheses, references, threads=2),
            lambda: Bleu(**chosen).stats(hypotheses, references),
        ):
            messages, places = caught(call)
            assert len(messages) == 1
            assert re.search(message, messages[0])
            assert places == {(__file__, call.__code__.co_firstlineno)}

    @pytest.mark.parametrize("case", ["copy", "hypotheses decomposed"])
    def test_whoever_splits_the_text(self, case):
        """What a function splits is looked at before, not after."""
        hypotheses, references, _, message = CASES[case]
        messages, _ = caught(lambda: corpus_bleu(hypotheses, references, tokenizer=str.split))
        assert len(messages) == 1
        assert re.search(message, messages[0])

    @pytest.mark.parametrize("tokenizer", ["none", "spaces", "char", "ko-mecab"])
    def test_korean_as_it_is_meant(self, tokenizer):
        """Words between spaces may be chosen, and the other tokenizers split them: no warning."""
        corpus = KOREAN[1:], KOREAN[:-1]
        assert caught(lambda: corpus_bleu(*corpus, tokenizer=tokenizer))[0] == []
        assert caught(lambda: corpus_chrf(*corpus))[0] == []

    @looped("tokenizer", _core.TOKENIZERS)
    def test_every_tokenizer_that_leaves_clauses_whole(self, tokenizer):
        """Han that is one token is warned of, Han that is split is not."""
        whole = len(truebleu.tokenize(CHINESE[0][:-1], tokenizer=tokenizer)) == 1
        messages, _ = caught(lambda: corpus_bleu(CHINESE, CHINESE[::-1], tokenizer=tokenizer))
        assert any("mostly Han" in message for message in messages) == whole

    @pytest.mark.parametrize("tokenizer", _core.TOKENIZERS)
    def test_every_script_without_spaces(self, tokenizer, subtests):
        """Text that stays whole is warned of, in segments of any length; its words are not."""
        for script, (text, remedy) in UNSPACED.items():
            with subtests.test(script):
                self.check(script, text.split(), remedy, tokenizer)

    @staticmethod
    def check(script, words, remedy, tokenizer):
        for text in ("".join(words * 3), "".join(words[:2])):
            whole = len(truebleu.tokenize(text, tokenizer=tokenizer)) == 1
            corpus = [text] * 3, [text + words[0]] * 3
            said = caught(lambda corpus=corpus: corpus_bleu(*corpus, tokenizer=tokenizer))[0]
            # Some split at vowel signs, which is no word either; and zh leaves kana whole.
            if whole and (tokenizer, script) != ("zh", "kana"):
                assert len(said) == 1
            if tokenizer == "char":
                assert said == []
            assert all(re.search(f"mostly .*{script}.* set .*{remedy}", each) for each in said)
        split = [" ".join(words * 2)] * 3
        assert caught(lambda: corpus_bleu(split, split, tokenizer=tokenizer))[0] == []

    def test_the_right_cure(self, tmp_path, capsys):
        """Short segments without spaces need a tokenizer, whose option is named."""
        for text in ("今天天气很好", "你好", "ฉันรักแมว"):
            (tmp_path / "x").write_text(f"{text}\n")
            assert main(["score", str(tmp_path / "x"), "-r", str(tmp_path / "x")]) == 0
            out, error = capsys.readouterr()
            assert "effective" not in out + error
            assert "split into words; use --tokenizer " in error

    @pytest.mark.parametrize("script", UNSPACED)
    def test_ter_of_scripts_without_spaces(self, script):
        """TER splits those of East Asia if it is told to, and the others never; chrF needs none."""
        texts = [UNSPACED[script][0].replace(" ", "") * 3] * 3
        for chosen in ({}, {"normalized": True, "asian_support": True}):
            said = caught(lambda chosen=chosen: corpus_ter(texts, texts[::-1], **chosen))[0]
            if chosen and script in ("Han", "kana"):
                assert said == []
            else:
                assert [script in each for each in said] == [True]
        assert caught(lambda: corpus_chrf(texts, texts))[0] == []

    def test_the_remedy_depends_on_how_the_references_came(self):
        """A square layout of streams, and the same as references."""
        hypotheses = ["a b c d e", "f g h i j"]
        streams = [["a b c d x", "a b c q e"], ["f g h i x", "f g h y j"]]
        messages, _ = caught(lambda: corpus_bleu(hypotheses, reference_streams=streams))
        assert len(messages) == 1
        assert "pass it as references" in messages[0]
        references = CASES["square"][1]
        assert caught(lambda: corpus_bleu(hypotheses, reference_streams=references))[0] == []


class TestNothingToSay:
    """Where nothing is wrong, nothing is said."""

    @looped(
        ("hypotheses", "references", "settings"),
        [
            (ENGLISH, CHANGED, {}),
            # Too few segments, or too small a share of them; what is alike on both sides.
            (ENGLISH[:9], [f"{text} {text}" for text in CHANGED[:9]], {}),
            (["<seg>"] * 9, ["a"] * 9, {}),
            (["<a>", *ENGLISH[1:]], CHANGED, {}),
            ([f"<b>{text}</b>" for text in ENGLISH], [f"<b>{text}</b>" for text in CHANGED], {}),
            (ENGLISH, ["", *CHANGED[1:]], {}),
            (ENGLISH, [[text, None] for text in CHANGED], {}),
            (ENGLISH, [["", ""], *CHANGED[1:]], {}),
            (ENGLISH[:9], ENGLISH[:9], {}),
            ([*ENGLISH[:-1], "Another one."], ENGLISH, {}),
            (CHINESE, CHINESE[::-1], {"tokenizer": "zh"}),
            (CHINESE, CHINESE[::-1], {"tokenizer": "char"}),
            (["我 喜欢 吃 苹果 。"] * 5, ["我 喜欢 吃 香蕉 。"] * 5, {"tokenizer": "none"}),
            (["我 喜欢 吃 苹果 。"] * 5, ["我 喜欢 吃 香蕉 。"] * 5, {}),
            (CHANGED * 9 + ["10 \u2126."], ENGLISH * 9 + ["“10 \u03a9.”"], {}),
            (
                [text.replace(".", " .") for text in ENGLISH * 9],
                CHANGED * 9,
                {"tokenizer": str.split},
            ),
            ([text.replace(".", " .") for text in (ENGLISH * 9)[1:100]], (CHANGED * 9)[1:100], {}),
            ([text.replace(".", " .") for text in ENGLISH * 9], CHANGED * 9, {"tokenizer": "none"}),
            (GERMAN[1:], GERMAN[:-1], {}),
            (decomposed(GERMAN)[1:], decomposed(GERMAN)[:-1], {}),
            (decomposed(GERMAN)[1:], GERMAN[:-1], {"unicode_form": "NFC"}),
            (KOREAN[1:], KOREAN[:-1], {"tokenizer": "ko-mecab"}),
            (
                decomposed(KOREAN)[1:],
                decomposed(KOREAN)[:-1],
                {"tokenizer": "ko-mecab", "unicode_form": "NFC"},
            ),
            (["a b c", "d e f"], [["a b c", "a b"], ["d e f", "d e"]], {}),
            ([list("abcd")], [list("abcd")], {"tokenizer": "pretokenized"}),
        ],
    )
    def test_no_warning(self, hypotheses, references, settings):
        """Not too few of something, not under the right setting."""
        assert caught(lambda: corpus_bleu(hypotheses, references, **settings)) == ([], set())

    @pytest.mark.parametrize("kind", [tuple, list, np.array, pd.Series, lambda x: pd.Series(x)[1:]])
    def test_tokens_of_every_kind(self, kind):
        """Whatever holds the tokens, in whatever order its labels are."""
        tokens = kind([1, 2, 3, 4, 5])
        messages, _ = caught(lambda: corpus_bleu([tokens], [[tokens]], tokenizer="pretokenized"))
        assert messages == []

    def test_the_page_names_the_functions(self):
        """Those that check, and only those, are named on the page about errors."""
        texts, others = CHINESE, CHINESE[::-1]
        systems = {"a": texts, "b": others}
        calls = {
            "corpus_bleu": lambda: corpus_bleu(texts, others),
            "Bleu.corpus": lambda: Bleu().corpus(texts, others),
            "Bleu.stats": lambda: Bleu().stats(texts, others),
            "compare": lambda: truebleu.compare(systems, others, n_resamples=None),
            "confidence_interval": lambda: truebleu.confidence_interval(texts, others),
            "explain": lambda: truebleu.explain(texts, others),
            "audit": lambda: truebleu.audit(texts, others),
            "report": lambda: truebleu.report(systems, others, n_resamples=None),
            "sentence_bleu": lambda: sentence_bleu(texts[0], others[0]),
            "sentences": lambda: Bleu().segments(texts, others),
            "audit(target=…)": lambda: truebleu.audit(texts, others, target="0.0"),
        }
        checking = [name for name, call in calls.items() if "Han or kana" in str(caught(call)[0])]
        page = (ROOT / "docs" / "errors.md").read_text("utf-8")
        [sentence] = re.findall(r"(?s)do not prevent scoring\. (.*?) and the commands", page)
        assert re.findall(r"`(.*?)`", sentence) == checking
        [sentence] = re.findall(r"(?s)almost no\s+time\. (.*?), matrices", page)
        assert re.findall(r"`(.*?)`", sentence) == [name for name in calls if name not in checking]

    def test_batches_and_sentences(self):
        """A batch of training, a list of samples and a sentence are no corpora."""
        running = Accumulator(Bleu())
        for call in (
            lambda: running.add(ENGLISH, ENGLISH),
            lambda: sentence_bleu("今天天气很好", "今天天气很好"),
            lambda: Bleu().segments(ENGLISH, ENGLISH),
            lambda: truebleu.best_of([ENGLISH], [ENGLISH[0]]),
            lambda: truebleu.audit(CHINESE, CHINESE[::-1], target="0.0"),
        ):
            assert caught(call)[0] == []

    @pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no {DATA}")
    @pytest.mark.parametrize(
        ("pair", "tokenizer"),
        [
            *(("newstest2021/en-de", "13a"), ("newstest2021/en-is", "intl")),
            *(("biomed2021/en-zh", "zh"), ("biomed2021/en-ru", "13a")),
            ("newstest2021/en-ja", "char"),
        ],
    )
    def test_systems_of_shared_tasks(self, pair, tokenizer):
        """None of the outputs of WMT, scored as they should be, is warned of."""
        reference = (DATA / pair / "ref.refA.txt").read_bytes().decode().split("\n")
        systems = sorted((DATA / pair).glob("sys.*"))
        assert len(systems) > 2
        for path in systems:
            texts = path.read_bytes().decode().split("\n")
            found = caught(lambda t=texts: corpus_bleu(t, reference, tokenizer=tokenizer))
            assert found == ([], set()), path


class TestForms:
    """The setting that is the remedy for different normal forms."""

    @settings(deadline=None, max_examples=40)
    @given(strategies.corpora(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.booleans())
    def test_it_is_as_if_the_text_had_been_normalized(self, corpus, form, lowercase):
        """Under every tokenizer of the core, and under a function."""
        known = [
            [("".join(c for c in text if unicodedata.category(c) != "Cn")) for text in texts]
            for texts in (corpus[0], [text for several in corpus[1] for text in several])
        ]
        hypotheses, references = known[0], [known[1]] * len(known[0])
        normal = [[unicodedata.normalize(form, text) for text in texts] for texts in known]
        for tokenizer in (*_core.TOKENIZERS, str.split):
            plain = Bleu(tokenizer=tokenizer, lowercase=lowercase)
            bleu = Bleu(tokenizer=tokenizer, lowercase=lowercase, unicode_form=form)
            [expected] = plain._count(Corpora(normal[:1], [normal[1]] * len(known[0])), each=True)
            [found] = bleu._count(Corpora([hypotheses], references), each=True)
            assert found.data == expected.data

    def test_signature_and_key(self):
        """The form is in the signature, is read back, and keeps statistics apart."""
        bleu = Bleu(unicode_form="NFKC")
        assert "|form:NFKC|" in bleu.signature
        assert Bleu.from_signature(bleu.signature) == bleu
        assert bleu.counting_key != Bleu().counting_key
        assert "|form:" not in Bleu().signature


class TestNames:
    """With several systems, a warning says which it is about."""

    def test_compare(self):
        """And each is warned of once, though settings travel through several functions."""
        systems = {"mine": CHANGED, "copy": ENGLISH}
        messages, places = caught(
            lambda: truebleu.compare(
                systems, ENGLISH, metrics=Bleu(weights=[0.5] * 3), n_resamples=None
            )
        )
        assert [message.split(" (")[0].split(" in all")[0] for message in messages] == [
            "weights",
            "copy equals a reference",
        ]
        assert {path for path, _ in places} == {__file__}

    def test_report_says_it_on_the_page(self):
        """Of a system that repeats the source, too."""
        systems = {"mine": CHANGED, "copy": ENGLISH, "source": GERMAN}
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            page = truebleu.report(systems, ENGLISH, sources=GERMAN).to_html()
        for message in ("copy equals a reference in all 12", "source equals the source in all 12"):
            assert sum(message in str(each.message) for each in found) == 1
            assert message[1:] in page

    @pytest.mark.parametrize("command", ["score", "segments", "compare"])
    @pytest.mark.parametrize("quiet", [[], ["--quiet"], ["-q"]])
    def test_commands(self, command, quiet, tmp_path, capsys):
        """On standard error, with the name of the system; not at all if that is wished for."""
        systems = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
        for path, texts in zip(systems, (ENGLISH, CHANGED), strict=True):
            Path(path).write_text("\n".join(texts) + "\n")
        systems = systems[: 1 if command == "segments" else 2]
        assert main([command, *systems, "-r", str(tmp_path / "a.txt"), *quiet]) == 0
        error = capsys.readouterr().err
        name = "a.txt" if command == "segments" else "a"
        said = f"warning: {name} equals a reference in all 12 segments"
        assert error.count(said) == error.count(" equals a reference") == (0 if quiet else 1)

    @pytest.mark.parametrize("more", [[], ["--confidence"], ["--group-by", "half"]])
    def test_tables(self, more, tmp_path, capsys):
        """Columns are looked at like lines, and called by their names."""
        halves = [number % 2 for number in range(len(ENGLISH))]
        frame = pd.DataFrame({"mine": CHANGED, "copy": ENGLISH, "ref": ENGLISH, "half": halves})
        frame.to_csv(tmp_path / "table.csv", index=False)
        options = ["--hypothesis-column", "mine", "--hypothesis-column", "copy"]
        options += ["--reference-column", "ref", *more]
        assert main(["score", str(tmp_path / "table.csv"), *options]) == 0
        error = capsys.readouterr().err
        assert error.count("copy equals a reference in all 12 segments") == 1
        assert "mine" not in error
