"""Every tokenizer splits as the tool that it is named after, on any text of Unicode."""

import csv
import functools
import itertools
import json
import re
import sys
import threading
import unicodedata

import pytest
import regex
import strategies
from golden.make_tokens import FIXED, fixed_tokens, sacrebleu_tokens
from hypothesis import given, settings
from hypothesis import strategies as st
from looping import later
from project import ROOT
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers import tokenizer_zh
from truebleu import Bleu, SentencePiece, SettingsError, _core, corpus_bleu, tokenize
from truebleu.tokenizers import registry

# Drawn text is not meant well.
pytestmark = pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")

GOLDEN = ROOT / "tests" / "golden"

# These load a model that cannot be shipped; tests/tokenizers/test_foreign.py trains one.
MODELS = {"flores101", "flores200", "spBLEU-1K", "spm"}
MECAB = {"ja-mecab", "ko-mecab"}


def remembered(split):
    """Keep the last results of a function that several oracles call with the same text."""
    return functools.lru_cache(4)(split)


@remembered
def substituted_13a(line):
    """Apply the substitutions of ``13a``."""
    inner = TOKENIZER_13A._post_tokenizer
    return type(inner).__call__.__wrapped__(inner, line)


@remembered
def substituted_intl(line):
    """Apply the substitutions of ``intl``."""
    return type(TOKENIZER_INTL).__call__.__wrapped__(TOKENIZER_INTL, line)


TOKENIZER_13A, TOKENIZER_INTL = (_get_tokenizer(name)() for name in ("13a", "intl"))


def sacrebleu(name):
    """Return sacreBLEU's tokenizer with what sacreBLEU does before it, and without its caches."""
    tokenizer = _get_tokenizer(name)()
    if hasattr(tokenizer, "_post_tokenizer"):
        assert type(tokenizer._post_tokenizer) is type(TOKENIZER_13A._post_tokenizer)
        tokenizer._post_tokenizer = substituted_13a
    if hasattr(tokenizer, "_is_chinese_char"):
        # It compares a character with 21 ranges, and a text has the same ones many times.
        tokenizer._is_chinese_char = functools.lru_cache(100)(tokenizer._is_chinese_char)
    if name == "intl":
        return lambda text: substituted_intl(text.rstrip()).split()
    call = getattr(type(tokenizer).__call__, "__wrapped__", type(tokenizer).__call__)
    return lambda text: call(tokenizer, text.rstrip()).split()


def zh_fixed():
    """Return sacreBLEU's ``zh`` with corrected ranges."""
    tokenizer = tokenizer_zh.TokenizerZh()
    tokenizer._post_tokenizer = substituted_13a
    chinese = {chr(c) for first, last in FIXED for c in range(ord(first), ord(last) + 1)}
    tokenizer._is_chinese_char = chinese.__contains__
    call = tokenizer_zh.TokenizerZh.__call__.__wrapped__
    return lambda text: call(tokenizer, text.rstrip()).split()


def words(text):
    r"""Split as ``re.findall`` with ``\w+``, on the newest Unicode."""
    return regex.findall(r"[\p{L}\p{N}_]+", text)


# White space to Python and none to Perl.
PYTHON_ONLY = "\x1c\x1d\x1e\x1f"


def like_perl(split):
    """Let a function that splits as Python does split as Perl does."""

    def split_like_perl(text):
        if not any(c in text for c in PYTHON_ONLY):
            return split(text)
        # Private characters stand in that are not in the text.
        first = 0xFF000 if not re.search("[\U000ff000-\U000ff003]", text) else 0xE000
        there = {ord(c): first + index for index, c in enumerate(PYTHON_ONLY)}
        back = {value: key for key, value in there.items()}
        return [token.translate(back) for token in split(text.translate(there))]

    return split_like_perl


@functools.cache
def mteval():
    """Return the segmentation of mteval-v13a: sacreBLEU's, but nothing is stripped before."""
    tokenizer = _get_tokenizer("13a")()
    tokenizer._post_tokenizer = substituted_13a
    call = type(tokenizer).__call__.__wrapped__
    return like_perl(lambda text: call(tokenizer, text).split())


def mteval_intl(join_lines):
    """Return the international segmentation: sacreBLEU's behind the replacements of mteval."""

    def split(text):
        text = text.replace("<skipped>", "")
        if join_lines:
            text = regex.sub(r"\p{Hyphen}\p{Zl}", "", text)
        text = text.replace("\u2028", " ")
        for name, c in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">"), ("apos", "'")):
            text = text.replace(f"&{name};", c)
        return substituted_intl(text).split()

    return like_perl(split)


# Where tensor2tensor's pattern has a backslash, it escapes the bracket that follows.
T2T = [
    (regex.compile(r"([^\p{Nd}])([\p{P}--\\])", regex.V1), r"\1 \2 "),
    (regex.compile(r"([\p{P}--\\])([^\p{Nd}])", regex.V1), r" \1 \2"),
    (regex.compile(r"(\p{S})"), r" \1 "),
]


def tensor2tensor(text):
    """Split as tensor2tensor's ``bleu_tokenize`` does."""
    for pattern, replacement in T2T:
        text = pattern.sub(replacement, text)
    return text.split()


def split_bytes(text):
    """Split at ASCII white space."""
    tokens = text.encode("utf-8", "surrogatepass").split()
    return [token.decode("utf-8", "surrogatepass") for token in tokens]


def keras(text):
    """Split as keras-hub does: the substitutions of 13a, without padding."""
    for old, new in (("<skipped>", ""), ("-\n", ""), ("\n", " ")):
        text = text.replace(old, new)
    for name, c in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
        text = text.replace(f"&{name};", c)
    for pattern, replacement in _get_tokenizer("13a")()._post_tokenizer._re:
        text = pattern.sub(replacement, text)
    return split_bytes(text)


LOWER_ASCII = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lower_ascii(split):
    """Lower-case ASCII letters in tokens."""

    def split_lower(text):
        tokens = split(text)
        if not re.search("[A-Z]", text):
            return tokens
        return [token.translate(LOWER_ASCII) for token in tokens]

    return split_lower


ORACLES = {
    **{name: sacrebleu(name) for name in ("13a", "intl", "zh", "char", "none", *sorted(MECAB))},
    "zh-fixed": zh_fixed(),
    "words": words,
    # multi-bleu.perl splits bytes.
    "moses": split_bytes,
    "spaces": lambda text: [token for token in text.split(" ") if token],
    "tensor2tensor": tensor2tensor,
    "keras": keras,
    "mteval-v13a-lc": lower_ascii(mteval()),
    "mteval-v13a": mteval(),
    "mteval-v14": mteval(),
    "mteval-v13a-intl": mteval_intl(join_lines=True),
    "mteval-v14-intl": mteval_intl(join_lines=False),
}
NATIVE = tuple(_core.TOKENIZERS)
# mteval-v14 is another name of mteval-v13a, of which the goldens are the witness.
DISTINCT = tuple(name for name in NATIVE if name != "mteval-v14")


def goldens():
    """Return the rows of all golden tables: tokenizer, text, tokens."""
    rows = []
    for name in ("tokens.tsv", "mteval.tsv", "tools.tsv"):
        with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
            lines = (line for line in file if not line.startswith("#"))
            rows += [
                (row["tokenizer"], json.loads(row["text"]), json.loads(row["tokens"]))
                for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            ]
    return rows


GOLDENS = goldens()


class TestRegistry:
    """A tokenizer that nobody checks is none."""

    @pytest.mark.parametrize("name", registry.NAMES)
    def test_every_tokenizer_is_checked(self, name):
        """It has a golden, an oracle, and a row in the documentation."""
        page = (ROOT / "docs" / "tokenizers.md").read_text("utf-8")
        assert re.search(rf"^\| `{re.escape(name)}` \|", page, re.MULTILINE)
        if name not in MODELS:
            assert sum(row[0] == name for row in GOLDENS) > 20
            assert name in ORACLES
        else:
            assert name in (ROOT / "tests" / "tokenizers" / "test_foreign.py").read_text("utf-8")

    def test_no_check_is_left_over(self):
        """What is checked exists."""
        known = set(registry.NAMES)
        assert set(ORACLES) | MODELS == known
        assert {row[0] for row in GOLDENS} | MODELS == known


class TestKinds:
    """A setting says what splits the text, and what the input is."""

    @pytest.mark.parametrize(
        ("tokenizer", "kind", "name"),
        [
            *((name, "native", name) for name in NATIVE),
            ("ja-mecab", "library", "ja-mecab-0.996-IPA"),
            (str.split, "function", "builtins.str.split"),
            ("pretokenized", "pretokenized", "pretokenized"),
        ],
        ids=str,
    )
    def test_each(self, tokenizer, kind, name):
        """Only the kinds ``library`` and ``function`` come with an object that splits."""
        found = registry.resolve(tokenizer)
        assert (found.kind, found.name) == (kind, name)
        assert (found.library is not None) == (kind == "library")
        assert found.function == (tokenizer if kind == "function" else None)
        assert found.unicode == (_core.TOKENIZERS[name] if kind == "native" else None)
        assert Bleu(tokenizer=tokenizer).tokenizer_name == name

    def test_of_a_model(self, model):
        """A model by its path is a library."""
        assert registry.resolve(SentencePiece(model)).kind == "library"


class TestGoldens:
    """What the tools made of some texts, once and for all."""

    @pytest.mark.parametrize("name", [name for name in registry.NAMES if name not in MODELS])
    def test_tokens(self, name):
        """The tokens are those of the tool."""
        for tokenizer, text, tokens in GOLDENS:
            if tokenizer == name:
                assert tokenize(text, tokenizer=name) == tokens

    @pytest.mark.parametrize("name", [name for name in registry.NAMES if name not in MODELS])
    def test_the_oracles_are_right(self, name):
        """What the fuzz compares with gives the goldens, too."""
        for tokenizer, text, tokens in GOLDENS:
            # Old tables of Unicode split new characters otherwise.
            if tokenizer == name:
                assert ORACLES[name](text) == tokens

    def test_the_scripts_that_made_them(self):
        """zh-fixed is sacreBLEU's zh where both know the character."""
        assert fixed_tokens("他a好") == sacrebleu_tokens("zh", "他a好") == ["他", "a", "好"]
        assert fixed_tokens("カ𠀀") == ["カ", "𠀀"] != sacrebleu_tokens("zh", "カ𠀀")


def around(code):
    """Put a character between letters, digits, punctuation and spaces, in all pairs."""
    c = chr(code)
    return f"{c}a{c}1{c}.{c}-{c}$ 1{c}1 .{c}1 a{c}. {c}{c}.5{c}你"


def joined(codes):
    """Put thirty characters at a time between others, because a call takes longer than they do."""
    for start in range(0, len(codes), 30):
        yield " ".join(map(around, codes[start : start + 30]))


def at_the_ends(code):
    """Put a character at both ends of a text."""
    return chr(code) + "1", "1." + chr(code)


def check_all(texts, names):
    """Split each text as every oracle does; oracles that share work do it once for a text."""
    pairs = [(name, Bleu(tokenizer=name)._counter.tokens, ORACLES[name]) for name in names]
    for text in texts:
        for name, split, oracle in pairs:
            assert split(text) == oracle(text), name


PLANE = 0x10000
# Letters without case, and what is unassigned, private or a surrogate: of those, a few are enough.
ALIKE = {"Lo", "Cn", "Co", "Cs"}
VARIED = [
    code
    for code in range(2 * PLANE)
    if code % 31 == 0 or unicodedata.category(chr(code)) not in ALIKE
]
PLANES = (0, 1, 2, 3, 4, 14, 15, 16)
CODES = [VARIED, *(later(range(plane * PLANE, (plane + 1) * PLANE)) for plane in PLANES)]
of_codes = pytest.mark.parametrize("codes", CODES, ids=["varied", *map(hex, PLANES)])


class TestAllOfUnicode:
    """Every code point there is, surrogates and unassigned ones included."""

    def test_many(self):
        """Up to U+3400 every one, then every 199th, between others; a quarter of them at ends."""
        codes = [*range(0x3400), *range(0x3400, sys.maxunicode + 1, 199)]
        check_all((text for code in codes[::4] for text in at_the_ends(code)), DISTINCT)
        check_all(joined(codes), DISTINCT)

    @pytest.mark.slow
    @of_codes
    def test_all_alone(self, codes):
        """Every one by itself."""
        check_all(map(chr, codes), DISTINCT)

    @pytest.mark.slow
    @of_codes
    def test_all_between_others(self, codes):
        """Every one between letters, digits, punctuation and spaces."""
        check_all(joined(codes), DISTINCT)

    def test_words_are_those_of_re(self):
        r"""Where Python's tables know a character, ``words`` is ``re.findall`` with ``\w+``."""
        known = [
            code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) != "Cn"
        ]
        text = " ".join(f"a{chr(code)}b" for code in known)
        assert tokenize(text, tokenizer="words") == re.findall(r"\w+", text)

    def test_the_tables_are_as_new_as_the_oracle(self):
        """The comparison above covers every assigned code point only if both know the same ones."""
        newest = [code for code in range(0x20000) if regex.match(r"\p{L}|\p{N}", chr(code))]
        text = " ".join(map(chr, newest))
        assert tokenize(text, tokenizer="words") == text.split()


FRAGMENTS = st.sampled_from(
    [
        *"019aZé .,-'()&;<>_$+!?…—“”、。你カ𠀀²Ⅷ\u0301\u200b\u00a0\u3000\x1c\x85\u2028",
        *"\u2010\ud800\t\r\n",
        *("&lt;", "&amp;", "&apos;", "<skipped>", "-\n", "-\u2028", "quot;"),
    ]
)
dense = st.lists(FRAGMENTS, max_size=12).map("".join)
CJK = "日本語の文章です。東京に10年 住む한국어 문장입니다나는학교abc .,-カタ\u3000é𠀀\n"
KNOWN_TO_MECAB = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
# The tokenizers, as they are and in lower case.
CASES = tuple(itertools.product(NATIVE, (False, True)))


class TestAnyText:
    """Texts of what tokenizers look at, and of anything."""

    @settings(deadline=None, max_examples=1500)
    @given(dense | strategies.dense_text)
    def test_dense(self, text):
        """Digits, punctuation, entities, line ends and white space of every kind."""
        check_all([text], NATIVE)

    @settings(deadline=None, max_examples=300)
    @given(strategies.segments)
    def test_anything(self, text):
        """Any text of Unicode."""
        check_all([text], NATIVE)

    @settings(deadline=None, max_examples=300)
    @given(st.text(st.sampled_from(CJK), max_size=30) | st.text(KNOWN_TO_MECAB, max_size=10))
    def test_mecab(self, text):
        """The libraries do what they do for sacreBLEU."""
        check_all([text], sorted(MECAB))

    @settings(deadline=None, max_examples=200)
    @given(st.lists(dense, min_size=1, max_size=4))
    def test_counting_sees_the_same_tokens(self, texts):
        """What is scored is what ``tokenize`` shows, whatever the strings are made of."""
        for name in NATIVE:
            split = [tokenize(text, tokenizer=name) for text in texts]
            due = Bleu(tokenizer="pretokenized").stats(split, [[tokens] for tokens in split])
            got = Bleu(tokenizer=name).stats(texts, texts)
            assert got.to_numpy().tolist() == due.to_numpy().tolist(), name


class TestOffsets:
    """Tokens know where they come from."""

    @settings(deadline=None, max_examples=500)
    @given(dense)
    def test_of_any_text(self, text):
        """Spans are in order and apart; without replacements they cut the tokens out."""
        for name, lowercase in CASES:
            spans = tokenize(text, tokenizer=name, lowercase=lowercase, offsets=True)
            tokens = tokenize(text, tokenizer=name, lowercase=lowercase)
            assert [token for token, _, _ in spans] == tokens, name
            at = 0
            for token, start, end in spans:
                # In lower case one character may become two tokens.
                assert (at if not lowercase else 0) <= start < end <= len(text), name
                at = end
                piece = text[start:end]
                if not re.search(r"&|<skipped>|\n|\u2028", piece):
                    own = _core.lowercase(piece) if lowercase else piece
                    if name.endswith("-lc"):
                        own = own.translate(LOWER_ASCII)
                    assert own == token, name

    def test_of_replaced_text(self):
        """What was replaced is covered whole."""
        text = "a &amp;lt; b-\nc <skipped>d"
        spans = tokenize(text, tokenizer="13a", offsets=True)
        assert [(token, text[start:end]) for token, start, end in spans] == [
            ("a", "a"),
            ("<", "&amp;lt;"),
            ("bc", "b-\nc"),
            ("d", "d"),
        ]

    @settings(deadline=None, max_examples=20)
    @given(st.lists(dense | strategies.dense_text, min_size=1, max_size=7))
    def test_of_long_text(self, texts):
        """The offsets of many units of text are those of each unit, moved to where it starts."""
        units = [f"a {text} a" for text in texts] * 50
        for name, lowercase in CASES:
            how = {"lowercase": lowercase, "offsets": True}
            split, expected, at = (
                {unit: tokenize(unit, tokenizer=name, **how) for unit in units},
                [],
                0,
            )
            for unit in units:
                expected += [(token, at + start, at + end) for token, start, end in split[unit]]
                at += len(unit) + 1
            assert tokenize(" ".join(units), tokenizer=name, **how) == expected, name

    def test_of_a_function(self):
        """They are found if the tokens are pieces of the text, and else refused."""
        assert tokenize(" a  bc ", tokenizer=str.split, offsets=True) == [("a", 1, 2), ("bc", 4, 6)]
        assert tokenize("İ B", tokenizer=str.split, lowercase=True, offsets=True) == [
            ("i\u0307", 0, 1),
            ("b", 2, 3),
        ]

        def upper(text):
            return text.upper().split()

        assert tokenize("ab c", tokenizer=upper) == ["AB", "C"]
        with pytest.raises(SettingsError, match=r"upper: it made 'AB' of 'ab c'"):
            tokenize("ab c", tokenizer=upper, offsets=True)

    @pytest.mark.parametrize("name", sorted(MECAB))
    def test_of_mecab(self, name):
        """Words are pieces of the text."""
        text = " 日本語の文章です。 한국어 문장입니다 ABC "
        spans = tokenize(text, tokenizer=name, offsets=True)
        assert len(spans) >= 8
        assert [text[start:end] for _, start, end in spans] == [token for token, _, _ in spans]
        assert [token for token, _, _ in spans] == tokenize(text, tokenizer=name)


class TestSignatures:
    """The name of the tokenizer, and the version of Unicode if it matters, are in there."""

    def test_unicode(self):
        """The tokenizer's tables and those of lower case may differ in version."""
        tables = _core.TOKENIZERS["intl"]
        assert f"|unicode:{tables}|" in Bleu(tokenizer="intl").signature
        assert "unicode" not in Bleu(tokenizer="zh").signature
        both = Bleu(tokenizer="words", lowercase=True).signature
        assert f"|unicode:{tables}+{_core.UNICODE_VERSION}|" in both

    @pytest.mark.parametrize("name", [name for name in registry.NAMES if name not in MODELS])
    def test_the_way_back(self, name):
        """A signature gives the tokenizer back, and statistics of different ones do not mix."""
        bleu = Bleu(tokenizer=name)
        assert Bleu.from_signature(bleu.signature) == bleu
        assert bleu.counting_key.startswith(f"tok:{bleu.tokenizer_name}|")

    def test_other_versions_are_told(self):
        """A signature from elsewhere may name a library or tables that are not here."""
        message = r"tok:ja-mecab-0\.1-IPA, but this installation has tok:ja-mecab"
        with pytest.warns(UserWarning, match=message):
            bleu = Bleu.from_signature("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.1-IPA|smooth:exp")
        assert bleu.tokenizer == "ja-mecab"
        message = r"unicode:1\.0\.0, but this installation has unicode:"
        with pytest.warns(UserWarning, match=message):
            Bleu.from_signature("tok:intl|unicode:1.0.0")


@pytest.mark.parametrize("name", [*NATIVE, *sorted(MECAB)])
def test_threads(name):
    """Eight threads share one Bleu, and each gets its own tokens."""
    bleu = Bleu(tokenizer=name)
    texts = [f"{text} {number}" for number in range(8) for _, text, _ in GOLDENS[:24]]
    due = bleu.stats(texts, texts[::-1], threads=1).data
    results = []

    def work():
        results.extend(bleu.stats(texts, texts[::-1], threads=2).data for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [due] * 40


def test_no_text_is_kept():
    """Nothing remembers what was tokenized."""
    text = "".join(["a word. "] * 100)
    before = sys.getrefcount(text)
    for name in (*NATIVE, *MECAB):
        tokenize(text, tokenizer=name)
        corpus_bleu([text], [text], tokenizer=name)
    assert sys.getrefcount(text) == before
