"""Whatever is public and takes a corpus or settings, and what each is called with.

Laws that hold for all of it go over this registry: tests/laws/test_entry_points.py.
"""

import inspect
from functools import cached_property, partial

import duckdb
import make_meta
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import truebleu
from project import EXAMPLES
from toy_metrics import ExactMatch
from truebleu import Bleu, Chrf, SavedStats, Ter
from truebleu.engines import arrow
from truebleu.engines import duckdb as sql

# These add up parts, for the engines of clusters; this changes other packages for all that follows.
OF_PARTS = {"join_sums", "partial_sums", "score_sums", "accelerate"}

METRICS = (Bleu(), Chrf(), Ter(), ExactMatch())


def functions_of(module, path=""):
    """Return the public functions of a module, each by its path."""
    items = {name: getattr(module, name) for name in module.__all__ if name not in OF_PARTS}
    return {path + name: item for name, item in items.items() if inspect.isroutine(item)}


def judged_folder(corpus):
    """Write human scores and metric scores, and tables of MQM and ESA."""
    folder = corpus.folder / "judged"
    make_meta.write_folder(folder, *make_meta.made(1, 3, 6))
    rows = ["system doc doc_id rater category severity", "A d 1 r Other Minor"]
    (folder / "mqm.tsv").write_text("".join(f"{row}\n" for row in rows).replace(" ", "\t"))
    (folder / "esa.csv").write_text("r,A,1,TGT,eng,deu,80,d,False,[],1,2\n")
    return folder


ENGINES = {"arrow": arrow, "duckdb": sql}
FUNCTIONS = {
    **functions_of(truebleu),
    **functions_of(truebleu.meta),
    **functions_of(truebleu.parts),
    "audit of a target": partial(truebleu.audit, target="50.0", tokenizers=["13a"]),
    **{
        path: function
        for name, module in ENGINES.items()
        for path, function in functions_of(module, f"engines.{name}.").items()
    },
}
METHODS = {
    **{
        f"{metric.identifier}.{name}": getattr(metric, name)
        for metric in METRICS
        for name in ("corpus", "segments", "stats")
    },
    "Accumulator.add": lambda *corpus, **more: truebleu.Accumulator().add(*corpus, **more),
}


class Corpus:
    """Hypotheses, a reference of each, the same in other forms, and a folder for files."""

    def __init__(self, hypotheses, references, folder):
        self.hypotheses, self.references, self.folder = hypotheses, references, folder

    @cached_property
    def systems(self):
        return {"A": self.hypotheses, "B": [self.references[0], *self.hypotheses[1:]]}

    @cached_property
    def stats(self):
        """Return the statistics of both systems."""
        return [Bleu().stats(texts, self.references) for texts in self.systems.values()]

    @cached_property
    def score(self):
        return Bleu().corpus(self.hypotheses, self.references)

    @property
    def table(self):
        return pa.table({"mt": self.hypotheses, "ref": self.references})

    @property
    def stored(self):
        """Return a table of the statistics of the first system."""
        return arrow.stats(self.table, "mt", "ref")

    @property
    def saved(self):
        """Return a file of the statistics of both systems."""
        path = str(self.folder / "stats.jsonl")
        SavedStats(dict(zip("AB", self.stats, strict=True))).write(path)
        return path

    def file(self, table, name):
        """Write a table into a file; return its path."""
        pq.write_table(table, self.folder / name)
        return str(self.folder / name)


def given(*positional, **keyword):
    """Return arguments as they were given."""
    return positional, keyword


# What is called otherwise than with hypotheses and references.
ARGUMENTS = {
    "assert_comparable": lambda c: given(c.score, c.score),
    "explain_signature": lambda c: given(c.score.signature),
    "best_of": lambda c: given([c.hypotheses[:3]] * 2, c.references[:2]),
    "brevity_penalty": lambda _: given(hyp_len=3, ref_len=4),
    "clipped_counts": lambda _: given(hypothesis=["a", "b"], references=[["a", "c"]], n=1),
    "clipped_precision": lambda _: given(hypothesis=["a", "b"], references=[["a", "c"]], n=1),
    "closest_reference_length": lambda _: given(hyp_len=3, ref_lens=[3, 4]),
    "compare": lambda c: given(c.systems, c.references, n_resamples=300),
    "compare_runs": lambda c: given(
        {"A": [c.hypotheses, c.hypotheses], "B": list(c.systems.values())},
        c.references,
        n_resamples=300,
    ),
    "compare_sets": lambda c: given({"one": (c.systems, c.references)}, n_resamples=300),
    "compare_unpaired": lambda c: given(
        {name: (texts, c.references) for name, texts in c.systems.items()}
    ),
    "confidence_interval": lambda c: given(c.hypotheses, c.references, n_resamples=300),
    "decompose": lambda c: given(c.score, c.score),
    "geometric_mean": lambda _: given([0.5, 0.5]),
    "load_test_set": lambda _: given(str(EXAMPLES / "test_set.toml"), "de-en"),
    # For what is no BLEU, the search takes 15 seconds.
    "check": lambda _: given(Bleu(tokenizer="none", smoothing="none").corpus),
    "meta_evaluate": lambda c: given(
        {"A": range(len(c.hypotheses)), "B": [1] * len(c.hypotheses)},
        c.systems,
        c.references,
        metrics=["bleu"],
        n_resamples=39,
        n_trials=20,
    ),
    "mbr": lambda c: given([c.hypotheses[:3]] * 2),
    "ngram_counts": lambda _: given(["a", "b"], 1),
    "pairwise": lambda c: given(c.hypotheses),
    "read_lines": lambda _: given(EXAMPLES / "source.de"),
    "read_texts": lambda _: given(EXAMPLES / "table.csv", "mt"),
    "read_judged_set": lambda c: given(judged_folder(c), "en-de", gold="mqm", reference="refA"),
    "read_esa": lambda c: given(judged_folder(c) / "esa.csv"),
    "read_mqm": lambda c: given(judged_folder(c) / "mqm.tsv"),
    "read_segment_scores": lambda _: given(EXAMPLES / "ratings.seg.score"),
    "read_stats": lambda c: given(c.saved),
    "report": lambda c: given(c.systems, c.references, n_resamples=300),
    "self_bleu": lambda c: given(c.hypotheses),
    "sentence_bleu": lambda c: given(c.hypotheses[0], c.references[0]),
    "sentence_chrf": lambda c: given(c.hypotheses[0], c.references[0]),
    "sentence_ter": lambda c: given(c.hypotheses[0], c.references[0]),
    "token_rewards": lambda _: given([[1, 2, 3, 4]], [[1, 2, 3, 5]]),
    "tokenize": lambda c: given(c.hypotheses[0]),
}


def arguments(path, hypotheses, references, folder):
    """Return the positional and the keyword arguments to call an entry point with."""
    corpus = Corpus(hypotheses, references, folder)
    if path in ARGUMENTS:
        return ARGUMENTS[path](corpus)
    if not path.startswith("engines."):
        return given(hypotheses, references)
    _, engine, name = path.split(".")
    if engine == "duckdb":
        return given(duckdb.connect())
    if name == "score_stats":
        return given(corpus.stored)
    return given(corpus.table, "mt", "ref")


def settled(value):
    """Return what a call has come to: all blocks, and all that a result shows."""
    if inspect.isgenerator(value):
        return list(value)
    for name in ("to_dict", "to_pylist", "collect"):
        if hasattr(value, name) and not isinstance(value, pd.DataFrame):
            return getattr(value, name)()
    return getattr(value, "scores", value)


# Words of a command line that are right, by the command.
SCORED = ["sys", "-r", "ref"]
COMPARED = ["sys", "other", "-r", "ref"]
WORDS_OF = {
    "audit": SCORED,
    "check": ["--level", "core", "--", "true"],
    "compare": COMPARED,
    "data": ["list", str(EXAMPLES / "test_set.toml")],
    "explain": SCORED,
    "mbr": ["samples", "--input-format", "tsv"],
    "merge": ["stats.jsonl"],
    "meta": ["judged", "-l", "en-de", "--human", "mqm", "-r", "refA", "--n-resamples", "20"],
    "report": [*COMPARED, "-o", "page.html"],
    "score": SCORED,
    "segments": SCORED,
    "tokenize": ["sys"],
}


def write_files(corpus):
    """Write the files that these words name into the folder of a corpus."""
    files = {
        "sys": corpus.hypotheses,
        "other": corpus.systems["B"],
        "ref": corpus.references,
        "samples": [f"{number // 2}\t{text}" for number, text in enumerate(corpus.hypotheses)],
    }
    for name, lines in files.items():
        (corpus.folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    if not (corpus.folder / "judged").exists():
        judged_folder(corpus)
    return corpus.saved
