"""Print examples.tsv: what sacreBLEU makes of the systems in examples/.

Run with sacreBLEU 2.6.0 as ``python tests/golden/make_examples.py > tests/golden/examples.tsv``.
"""

import sys
from pathlib import Path

import sacrebleu

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
SYSTEMS = ("strong", "medium", "weak")
REFERENCES = ("a", "b", "a+b")
# Tokenizer, lower case, smoothing.
SETTINGS = [
    *((tokenizer, lowercase, "exp") for tokenizer in ("13a", "none") for lowercase in (0, 1)),
    *(("13a", 0, smoothing) for smoothing in ("none", "floor", "add-k")),
]
COLUMNS = (
    "system segment references tokenizer lowercase smoothing effective_order "
    "score counts totals hyp_len ref_len brevity_penalty"
)


def lines(name):
    """Read a file of examples/."""
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def numbers(score):
    """List all numbers of a score."""
    lists = (" ".join(map(str, each)) for each in (score.counts, score.totals))
    return [repr(score.score), *lists, score.sys_len, score.ref_len, repr(score.bp)]


def rows():
    """Yield a row for each corpus under each settings, and one for each segment."""
    for system in SYSTEMS:
        hypotheses = lines(f"system-{system}.en")
        for references in REFERENCES:
            streams = [lines(f"reference-{name}.en") for name in references.split("+")]
            for tokenizer, lowercase, smoothing in SETTINGS:
                bleu = sacrebleu.BLEU(
                    tokenize=tokenizer, lowercase=bool(lowercase), smooth_method=smoothing
                )
                score = bleu.corpus_score(hypotheses, streams)
                settings = references, tokenizer, lowercase, smoothing, 0
                yield system, "all", *settings, *numbers(score)
        for segment, hypothesis in enumerate(hypotheses):
            score = sacrebleu.sentence_bleu(hypothesis, [stream[segment] for stream in streams])
            yield system, segment, references, "13a", 0, "exp", 1, *numbers(score)


def main():
    """Print the table."""
    if sys.version_info >= (3, 12):
        sys.exit("From Python 3.12 on sum() compensates, which moves sacreBLEU's last bit.")
    print(f"# From sacreBLEU {sacrebleu.__version__}, by tests/golden/make_examples.py.")
    print("# Segments count from 0; add-k shows counts and totals as sacreBLEU does, k added.")
    print(*COLUMNS.split(), sep="\t")
    for row in rows():
        print(*row, sep="\t")


if __name__ == "__main__":
    main()
