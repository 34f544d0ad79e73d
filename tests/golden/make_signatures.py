"""Print signatures.tsv: what versions of sacreBLEU print of a score, signature included.

Run ``python tests/golden/make_signatures.py FOLDER... > tests/golden/signatures.tsv``. Each version
is in a folder of its own, as ``pip install --no-deps --target FOLDER sacrebleu==1.5.1`` puts it
there; portalocker, regex, tabulate, colorama, numpy and lxml are installed. From 2.0 on sacreBLEU
prints JSON unless it is told otherwise.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"

# In the second no 4-gram matches, so every smoothing gives another number.
CORPORA = {
    "weak": [(EXAMPLES / name).read_text("utf-8") for name in ("system-weak.en", "reference-a.en")],
    "short": ["a b c x e f\n", "a b c d e f\n"],
}

OPTIONS = [
    *("", "--short", "-lc", "-lc --short", "-tok intl", "-tok zh", "-tok none", "-s none"),
    *("-s floor", "-s floor --short", "-s add-n", "-s add-k", "-s floor -sv 0.5", "-f text"),
    "-f text --short -tok intl -s add-k",
]

# The command downloads test sets, so their names go to what writes the signature.
NAMES = [
    {"test_set": "wmt17", "langpair": "en-de"},
    {"test_set": "wmt17/improved", "langpair": "en-de", "short": True},
    {"test_set": "wmt19", "langpair": "en-de", "origlang": "non-en", "subset": "country:US|sports"},
]

RUN = """
import sys
sys.argv[0] = "sacrebleu"
try:
    from sacrebleu.sacrebleu import main
except ImportError:
    from sacrebleu import main
main()
"""

NAME = """
import argparse, json, sys
more = json.loads(sys.argv[1])
short = more.pop("short", False)
known = {"test_set": None, "langpair": None, "origlang": None, "subset": None, "lc": False,
         "lowercase": False, "effective_order": False, "tokenize": "13a", "smooth": "exp",
         "smooth_method": "exp", "smooth_value": None, "num_refs": 1, "tokenizer_signature": "13a",
         "short": short, **more}
try:
    from sacrebleu.metrics.bleu import BLEUSignature
    try:
        written = "BLEU|" + BLEUSignature(known).format(short)
    except AttributeError:
        written = "BLEU+" + str(BLEUSignature(argparse.Namespace(**known)))
except ImportError:
    import sacrebleu
    namespace = argparse.Namespace(**known)
    try:
        written = "BLEU+" + sacrebleu.build_signature(namespace, 1)
    except AttributeError:
        written = "BLEU+" + sacrebleu.bleu_signature(namespace, 1)
print(written)
"""


def run(folder, script, *arguments, given=None):
    """Run a script under one version; return what it prints, None if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        input=given,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(folder).resolve()), "LANG": "C.UTF-8"},
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else None


def main():
    """Print the table; an option that a version does not have is left out."""
    print("# By tests/golden/make_signatures.py, from the versions of sacreBLEU that are named.")
    print("version", "options", "corpus", "printed", sep="\t")
    script = "import sacrebleu; print(getattr(sacrebleu, '__version__', 0) or sacrebleu.VERSION)"
    for folder in sys.argv[1:]:
        version = run(folder, script)
        for more in NAMES:
            options = json.dumps(more)
            print(version, options, "", json.dumps(run(folder, NAME, options)), sep="\t")
        for corpus, (hypotheses, references) in CORPORA.items():
            with tempfile.TemporaryDirectory() as place:
                path = Path(place, "reference")
                path.write_text(references, "utf-8")
                for options in OPTIONS:
                    chosen = [str(path), "--force", *options.split()]
                    # The oldest know no -w.
                    printed = run(folder, RUN, *chosen, "-w", "4", given=hypotheses) or run(
                        folder, RUN, *chosen, given=hypotheses
                    )
                    if printed is not None:
                        print(version, options, corpus, json.dumps(printed), sep="\t")


if __name__ == "__main__":
    main()
