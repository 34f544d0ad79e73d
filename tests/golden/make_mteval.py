"""Print mteval.tsv: what the Perl scripts of NIST and Moses make of some texts.

The scripts are in the Moses repository, scripts/generic. Run with Perl as
``python tests/golden/make_mteval.py FOLDER_OF_THE_SCRIPTS > tests/golden/mteval.tsv``.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from make_tokens import TEXTS

# The tokenizer's name, the script, the function in it.
FUNCTIONS = [
    ("mteval-v13a", "mteval-v13a.pl", "tokenization"),
    ("mteval-v14", "mteval-v14.pl", "tokenization"),
    ("mteval-v13a-lc", "mteval-v13a.pl", "tokenization"),
    ("mteval-v13a-intl", "mteval-v13a.pl", "tokenization_international"),
    ("mteval-v14-intl", "mteval-v14.pl", "tokenization_international"),
]
# With or without -c, which keeps upper case; the words as score_segment splits them.
HARNESS = """
use utf8;
my $preserve_case = %d;
my $split_non_ASCII = '';
%s
binmode STDIN, ":utf8"; binmode STDOUT, ":utf8";
local $/ = "\\x{1e}";
while (<STDIN>) { chomp; print join("\\x{1d}", split /\\s+/, %s($_)), "\\x{1e}"; }
"""
# multi-bleu.perl reads bytes and splits them with the same call.
MOSES = """
local $/ = "\\x1e";
while (<STDIN>) { chomp; print join("\\x1d", split), "\\x1e"; }
"""


def run(program):
    """Run Perl over all texts; the separators are in none of them."""
    text = "".join(f"{text}\x1e" for text in TEXTS)
    done = subprocess.run(
        ["perl", "-e", program], input=text.encode(), capture_output=True, check=True
    )
    results = done.stdout.decode().split("\x1e")[:-1]
    return [result.split("\x1d") if result else [] for result in results]


def main():
    """Print the table."""
    version = subprocess.run(["perl", "-e", "print $^V"], capture_output=True, check=True)
    print(f"# From the scripts in Moses, with Perl {version.stdout.decode()}, by")
    print("# tests/golden/make_mteval.py. moses is the splitting of multi-bleu.perl.")
    print("tokenizer\ttext\ttokens")
    programs = [("moses", MOSES)]
    for name, script, function in FUNCTIONS:
        source = (Path(sys.argv[1]) / script).read_text("utf-8")
        definition = re.search(rf"^sub {function}\n\{{.*?^\}}\n", source, re.DOTALL | re.MULTILINE)
        programs.append((name, HARNESS % (not name.endswith("-lc"), definition[0], function)))
    for name, program in programs:
        for text, tokens in zip(TEXTS, run(program), strict=True):
            print("\t".join([name, json.dumps(text), json.dumps(tokens)]))


if __name__ == "__main__":
    main()
