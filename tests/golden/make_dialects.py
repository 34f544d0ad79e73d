"""Print rows of dialects.tsv: what other tools say of some corpora.

Run as ``python tests/golden/make_dialects.py TOOL... [--folder FOLDER]`` with what each tool needs:

- nltk, compare-mt, torchmetrics, keras: the packages (for keras, keras-hub and tensorflow-cpu)
- tensor2tensor: ``pip install --no-deps tensor2tensor six``
- tensorflow-nmt, huggingface: ``bleu.py`` of tensorflow/nmt (which evaluate downloads, too) in
  FOLDER, and sacrebleu for the 13a that evaluate has a copy of
- moses, mteval-v13a: ``multi-bleu.perl`` and ``mteval-v13a.pl`` of Moses in FOLDER, and Perl
- fairseq: ``libbleu.cpp`` of fairseq in FOLDER, and g++
- pycocoevalcap: ``pip install --no-deps pycocoevalcap``
- llama-factory, helm, ragas: the package ``llamafactory``, those of crfm-helm, evalscope and
  lighteval, or ``ragas``, unpacked in FOLDER; of what they import, only NLTK, NumPy and sacrebleu
  are needed, and stand-ins take the place of the rest, so each is made in a run of its own
- codexglue: ``Code-Text/code-to-text/code/bleu.py`` of CodeXGLUE as FOLDER/codexglue.py
- promptfoo: ``bleu.ts`` and ``ngrams.ts`` of ``src/assertions`` in FOLDER, and Node 24
"""

import argparse
import asyncio
import ctypes
import json
import math
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location, spec_from_loader
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from unittest.mock import MagicMock

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
TABLE = Path(__file__).resolve().parent / "dialects.tsv"

# Hypothesis and references of each segment: short ones, none that match, ties.
SMALL = [
    [["the cat", ["the cat sat"]], ["a b c d e f", ["a b c d e f"]]],
    [["the cat sat on a mat today", ["the cat is on the mat today"]]],
    [["The cat is here .", ["the dog was there ."]], ["yes", ["yes"]]],
    [["x y z w v", ["a b c d e"]]],
    [["a b c d e", ["a b c d", "a b c d e f"]], ["g h i j k l", ["g h i j k"]]],
    [["In 2023, it cost $3.5 (or so).", ["In 2023, it cost $3.50 (or more)."]]],
]


def corpora(several):
    """Yield a name, hypotheses, and the references of each; one reference each or several."""
    for system in ("strong", "medium", "weak"):
        for names in ("a", "a+b"):
            texts = [
                (EXAMPLES / name).read_text("utf-8").splitlines()
                for name in (
                    f"system-{system}.en",
                    *(f"reference-{name}.en" for name in names.split("+")),
                )
            ]
            # Some tools take an empty line for an empty word.
            kept = [row for row in zip(*texts, strict=True) if all(row)]
            if several or names == "a":
                yield f"{system} {names}", [row[0] for row in kept], [row[1:] for row in kept]
    for number, pairs in enumerate(SMALL):
        references = [own for _, own in pairs]
        if several or all(len(own) == 1 for own in references):
            yield f"small {number}", [text for text, _ in pairs], references


def nltk(hypotheses, references):
    """Score with NLTK."""
    import warnings

    from nltk.translate.bleu_score import corpus_bleu

    warnings.simplefilter("ignore")
    split = [[text.split() for text in own] for own in references]
    return float(corpus_bleu(split, [text.split() for text in hypotheses]))


def compare_mt(hypotheses, references):
    """Score with compare-mt."""
    from compare_mt.scorers import BleuScorer

    own = [text.split(" ") for text in hypotheses]
    return float(BleuScorer().score_corpus([refs[0].split(" ") for refs in references], own)[0])


def torchmetrics(hypotheses, references):
    """Score with torchmetrics."""
    from torchmetrics.functional.text import bleu_score

    return float(bleu_score(hypotheses, [list(own) for own in references]))


def keras(hypotheses, references):
    """Score with keras-hub."""
    import keras_hub
    import tensorflow as tf

    metric = keras_hub.metrics.Bleu()
    metric.update_state(tf.ragged.constant([list(own) for own in references]), hypotheses)
    return float(metric.result())


def tensor2tensor(hypotheses, references):
    """Score with tensor2tensor as t2t-bleu does, in lower case."""
    from make_tools import tensor2tensor as load

    hook = load()
    lines = [hypotheses, [own[0] for own in references]]
    own, other = ([hook.bleu_tokenize(text.lower()) for text in texts] for texts in lines)
    return float(hook.compute_bleu(other, own))


def nmt(split):
    """Score with the script of tensorflow/nmt."""

    def score(hypotheses, references):
        compute = import_module("bleu").compute_bleu
        split_references = [[split(text) for text in own] for own in references]
        return float(compute(split_references, [split(text) for text in hypotheses])[0])

    return score


def tensorflow_nmt(hypotheses, references):
    """Score with it as its evaluation does."""
    return 100 * nmt(lambda text: text.strip().split(" "))(hypotheses, references)


def huggingface(hypotheses, references):
    """Score with what evaluate downloads: the script above and 13a."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer = Tokenizer13a()
    return nmt(lambda text: tokenizer(text).split())(hypotheses, references)


def moses(hypotheses, references):
    """Score with multi-bleu.perl, which takes equally many references for every line."""
    most = max(map(len, references))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(most):
            lines = [own[min(number, len(own) - 1)] for own in references]
            Path(folder, f"ref{number}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        done = subprocess.run(
            ["perl", Path(sys.path[0], "multi-bleu.perl"), f"{folder}/ref"],
            input="".join(f"{line}\n" for line in hypotheses).encode(),
            capture_output=True,
            check=True,
        )
    return float(re.match(r"BLEU = ([\d.]+),", done.stdout.decode())[1])


MTEVAL = """
use utf8;
our ($max_Ngram, $preserve_case, $detail, $BLEU_BP, %%ngram_info) = (9, '', 0);
$BLEU_BP = \\&brevity_penalty_closest;
%s
binmode STDIN, ":utf8";
local $/ = "\\x{1e}";
my ($len, @match, @total) = (0, (0) x 10, (0) x 10);
@match = (0) x 10; @total = (0) x 10;
while (<STDIN>) {
    chomp;
    my ($l, $m, $t) = score_segment(map { tokenization($_) } split /\\x{1d}/);
    $len += $l;
    for my $j (1 .. 9) { $match[$j] += $m->[$j]; $total[$j] += $t->[$j]; }
}
printf "%%.17g", bleu_score($len, \\@match, \\@total, 'sys', {});
"""


def mteval(hypotheses, references):
    """Score with the functions of mteval-v13a.pl."""
    source = Path(sys.path[0], "mteval-v13a.pl").read_text("utf-8")
    names = "brevity_penalty_closest score_segment bleu_score Words2Ngrams max min tokenization"
    functions = [
        re.search(rf"^sub {name}\n\{{.*?^\}}\n", source, re.DOTALL | re.MULTILINE)[0]
        for name in names.split()
    ]
    # The length ratio is printed only for the person at the terminal.
    text = "".join(
        "\x1d".join([hypothesis, *own]) + "\x1e"
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
    done = subprocess.run(
        ["perl", "-e", MTEVAL % "\n".join(functions)],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    return float(done.stdout)


class BleuStat(ctypes.Structure):
    """What libbleu counts."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("reflen", "predlen", "match1", "count1", "match2", "count2"),
            *("match3", "count3", "match4", "count4"),
        )
    )


def spread(number):
    """Write a number with seven bits a byte: with eight, n-grams collide in fairseq's hash."""
    return number & 127 | (number >> 7 & 127) << 8 | (number >> 14) << 16


def fairseq(hypotheses, references):
    """Score with the library of fairseq, as its Scorer calls it."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/libbleu.so"
        source = Path(sys.path[0], "libbleu.cpp")
        subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source], check=True)
        loaded = ctypes.CDLL(library)
    ids = {}
    stat = BleuStat()
    loaded.bleu_zero_init(ctypes.byref(stat))
    for hypothesis, own in zip(hypotheses, references, strict=True):
        lines = []
        for text in (own[0], hypothesis):
            line = [ids.setdefault(word, spread(len(ids) + 4)) for word in text.split()]
            lines.append((ctypes.c_int * len(line))(*line))
        arguments = [part for line in lines for part in (ctypes.c_size_t(len(line)), line)]
        loaded.bleu_add(ctypes.byref(stat), *arguments, 1, 2)
    logs = [
        math.log(match / count) if match else -math.inf
        for match, count in (
            (getattr(stat, f"match{order}"), getattr(stat, f"count{order}"))
            for order in (1, 2, 3, 4)
        )
    ]
    return min(1, math.exp(1 - stat.reflen / stat.predlen)) * math.exp(sum(logs) / 4) * 100


def pycocoevalcap(hypotheses, references):
    """Score with pycocoevalcap."""
    from pycocoevalcap.bleu.bleu import Bleu

    results = {number: [text] for number, text in enumerate(hypotheses)}
    truth = {number: list(own) for number, own in enumerate(references)}
    return Bleu(4).compute_score(truth, results, verbose=0)[0][3]


class StandIns:
    """Finds a mock of every library but those that BLEU needs."""

    needed = frozenset(
        ("numpy", "nltk", "sacrebleu", "portalocker", "regex", "tabulate", "colorama", "lxml")
    )

    def find_spec(self, name, *_):
        """Return a package."""
        top = name.partition(".")[0]
        real = top in self.needed or top in sys.stdlib_module_names
        return None if real else spec_from_loader(name, self, is_package=True)

    def create_module(self, _):
        """Return a mock that is a package."""
        return MagicMock(__path__=[])

    def exec_module(self, _):
        """Leave it as it is."""


def of_project(name, base=None):
    """Run a module of a project in the folder; `base` stands in for one that has base classes."""
    import nltk

    nltk.download = print
    sys.meta_path.insert(0, StandIns())
    sys.modules.update(base or {})
    spec = spec_from_file_location(
        f"project_{name}", Path(sys.path[0], *name.split(".")).with_suffix(".py")
    )
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def llama_factory(hypotheses, references):
    """Score with LLaMA-Factory; its tokenizer has decoded both texts."""
    metric = of_project("llamafactory.train.sft.metric")
    tokenizer = MagicMock(pad_token_id=0)
    tokenizer.batch_decode.side_effect = [hypotheses, [own[0] for own in references]]
    return metric.ComputeSimilarity(tokenizer)(MagicMock())["bleu-4"]


def codexglue(hypotheses, references):
    """Score with CodeXGLUE, which reads tables."""
    module = import_module("codexglue")
    gold = [f"{number}\t{text}\n" for number, own in enumerate(references) for text in own]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.writelines(gold)
        file.flush()
        rows = [f"{number}\t{text}\n" for number, text in enumerate(hypotheses)]
        return module.bleuFromMaps(*module.computeMaps(rows, file.name))[0]


def helm(hypotheses, references):
    """Score with HELM, evalscope and lighteval, on text whose tokens are between spaces."""
    pairs = [(text, own[0]) for text, own in zip(hypotheses, references, strict=True)]
    first = of_project("helm.benchmark.metrics.evaluate_reference_metrics")
    second = of_project("evalscope.metrics.utils.functions")
    third = of_project("lighteval.metrics.metrics_sample")
    import nltk

    for module in (first, third, nltk):
        module.word_tokenize = str.split
    scores = [
        fmean(first.bleu_4(own, text) for text, own in pairs),
        fmean(second.bleu_ngram_one_sample(text, own)["bleu-4"] for text, own in pairs),
        fmean(third.BLEU(4)._bleu_score([own], text) for text, own in pairs),
    ]
    assert min(scores) == max(scores)
    return scores[0]


def ragas(hypotheses, references):
    """Score with ragas."""
    base = SimpleNamespace(MetricType=MagicMock(), SingleTurnMetric=object)
    module = of_project("ragas.metrics._bleu_score", {"ragas.metrics.base": base})
    metric = module.BleuScore()
    pairs = zip(hypotheses, references, strict=True)
    samples = [SimpleNamespace(response=text, reference=own[0]) for text, own in pairs]
    return fmean(asyncio.run(metric._single_turn_ascore(sample, None)) for sample in samples)


def promptfoo(hypotheses, references):
    """Score with promptfoo's function."""
    sources = [Path(sys.path[0], f"{name}.ts").read_text("utf-8") for name in ("ngrams", "bleu")]
    program = "\n".join(re.sub(r"(?m)^import .*$|^export ", "", each) for each in sources)
    program += "\nfor (const [text, own] of JSON.parse(require('fs').readFileSync(0, 'utf8')))"
    program += " console.log(calculateBleuScore(text, own));"
    pairs = json.dumps(list(zip(hypotheses, references, strict=True)))
    command = ["node", "--input-type=commonjs-typescript", "-e", program]
    done = subprocess.run(command, input=pairs, capture_output=True, check=True, text=True)
    return fmean(map(float, done.stdout.split()))


# The function, and whether the tool takes several references.
TOOLS = {
    "nltk": (nltk, True),
    "compare-mt": (compare_mt, False),
    "torchmetrics": (torchmetrics, True),
    "keras": (keras, True),
    "tensor2tensor": (tensor2tensor, False),
    "tensorflow-nmt": (tensorflow_nmt, True),
    "huggingface": (huggingface, True),
    "moses": (moses, True),
    "mteval-v13a": (mteval, True),
    "fairseq": (fairseq, False),
    "pycocoevalcap": (pycocoevalcap, True),
    "llama-factory": (llama_factory, False),
    "codexglue": (codexglue, True),
    "helm": (helm, False),
    "ragas": (ragas, False),
    "promptfoo": (promptfoo, False),
}


def main():
    """Print the rows of some tools."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="+", choices=TOOLS, metavar="TOOL")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--check", action="store_true", help="compare with the table instead")
    options = parser.parse_args()
    sys.path.insert(0, options.folder)
    known = {}
    for line in TABLE.read_text("utf-8").splitlines():
        name, _, rest = line.partition("\t")
        known[name, rest.partition("\t")[0]] = rest.partition("\t")[2]
    for name in options.tools:
        score, several = TOOLS[name]
        for corpus, hypotheses, references in corpora(several):
            number = score(hypotheses, references)
            if not options.check:
                print("\t".join([name, corpus, json.dumps(number)]))
            elif not math.isclose(number, float(known[name, corpus]), rel_tol=1e-6, abs_tol=1e-60):
                sys.exit(f"{name}, {corpus}: {number}, but the table has {known[name, corpus]}")
        print(f"{name} says what it said", file=sys.stderr)


if __name__ == "__main__":
    main()
