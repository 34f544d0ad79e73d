"""Print characters.tsv: what sacreBLEU's tokenizers make of each character between two letters.

Run with sacreBLEU 2.6.0 as
``python tests/golden/make_characters.py > tests/golden/characters.tsv``; it takes minutes. that
ask for Unicode categories are left out: these change with the version of Unicode.
"""

import itertools
import sys

import sacrebleu
from make_tokens import fixed_tokens, sacrebleu_tokens

# What becomes of a character: part of a word, a token, or a space between tokens.
KINDS = {("x", "c", "x"): "token", ("xcx",): "word", ("x", "x"): "space"}


TOKENIZERS = {
    **{
        name: lambda text, name=name: sacrebleu_tokens(name, text)
        for name in ("13a", "zh", "char", "none")
    },
    "zh-fixed": fixed_tokens,
}


def kind(split, code):
    """Say what becomes of a character, which is no letter x."""
    character = chr(code)
    tokens = split(f"x{character}x")
    shown = ("c" if token == character else token.replace(character, "c") for token in tokens)
    return KINDS[tuple(shown)]


def main():
    """Print the table: ranges of code points, in hexadecimal, without surrogates."""
    print(f"# From sacreBLEU {sacrebleu.__version__}, by tests/golden/make_characters.py.")
    print("# What becomes of a character between two letters x: it is part of the word, a token,")
    print("# or a space. Code points are hexadecimal.")
    print(*["tokenizer", "first", "last", "kind"], sep="\t")
    codes = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    codes.remove(ord("x"))
    for name, split in TOKENIZERS.items():
        for found, group in itertools.groupby(codes, lambda code, split=split: kind(split, code)):
            members = list(group)
            print(name, f"{members[0]:X}", f"{members[-1]:X}", found, sep="\t")


if __name__ == "__main__":
    main()
