"""A sentence is a corpus of one: every way to score it gives one number, under every tokenizer."""

import functools
import io
import json
import sys

import duckdb
import nltk.translate.bleu_score as nltk
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sacrebleu
import truebleu
from looping import later
from project import SHORT_JOBS
from truebleu import Bleu, SentencePiece, cli, tokenize
from truebleu.compat import evaluate
from truebleu.engines import arrow
from truebleu.engines import duckdb as sql
from truebleu.engines import polars as expressions
from truebleu.tokenizers import registry

# The one-column table of Polars is called after the hypotheses.
assert expressions

pytestmark = [
    pytest.mark.usefixtures("named_models"),
    # sacreBLEU warns of its tokenizer `spm` with a method that is deprecated.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]

OWN_MODEL = "spm:PATH"
TOKENIZERS = [*registry.NAMES, OWN_MODEL]

# Not perfect, because a perfect score is a little above 100 in sacreBLEU.
SEGMENTS = [
    ("ありがとうございます", ["ありがとう", "どうも"]),
    ("나는 오늘 학교에 갑니다.", ["나는 학교에 갑니다.", "오늘은 학교에 간다."]),
    ("今天 (2011-2012) 我们去公园。", ["今天我们去公园 2011-2012。", "我们今天去了公园"]),
    (
        "The &quot;cat's&quot; 1,000 mats: isn't it so? They cost 3.5 - 4.5 € in 2011-2012. ",
        [
            "The \"cat's\" 1,000 mats: isn't it so? They cost 3.5 – 4.5 € in 2011-2012.\t",
            "Cats have 1,000 mats, and it is so. They cost 4 €",
        ],
    ),
    ("Hello world!", ["Hello there world!", "Hi!"]),
]


def table(hypothesis, references):
    """Return a table of one row."""
    first, second = references
    return pa.table({"mt": [hypothesis], "ref_a": [first], "ref_b": [second]})


NAMES = ["ref_a", "ref_b"]


def files(folder, hypothesis, references):
    """Write a file for each text; return the arguments of a command."""
    paths = []
    for name, text in zip(("mt", *NAMES), (hypothesis, *references), strict=True):
        paths.append(folder / name)
        paths[-1].write_bytes(f"{text}\n".encode())
    return [str(path) for path in paths]


def printed(main, arguments):
    """Run a command in this process; return what it prints."""
    stream, sys.stdout = sys.stdout, io.StringIO()
    try:
        assert main(arguments) == 0
        return sys.stdout.getvalue()
    finally:
        sys.stdout = stream


def command(name, how, folder, hypothesis, references, *more):
    """Run one of truebleu's commands on files."""
    paths = files(folder, hypothesis, references)
    arguments = [name, paths[0], "-r", *paths[1:], "--tokenizer", option_of(how), *more]
    return printed(cli.main, [*arguments, *flags(how)])


def option_of(how):
    """Return what commands call the tokenizer."""
    tokenizer = how["tokenizer"]
    return f"spm:{tokenizer.path}" if isinstance(tokenizer, SentencePiece) else tokenizer


def flags(how):
    """Return the options of a command that say how to treat orders that are too short."""
    names = {
        None: [],
        True: ["-m", "bleu:effective_order"],
        False: ["-m", "bleu:effective_order=no"],
    }
    return names[how["effective_order"]]


# Native


def by_sentence_bleu(how, hypothesis, references, _):
    return truebleu.sentence_bleu(hypothesis, references, **how).score


def by_sentence(how, hypothesis, references, _):
    return Bleu(**how).segment(hypothesis, references).score


def by_sentence_of_a_tuple(how, hypothesis, references, _):
    return Bleu(**how).segment(hypothesis, (*references, None)).score


def by_sentences(how, hypothesis, references, _):
    return Bleu(**how).segments([hypothesis], [references])[0]


def by_streams(how, hypothesis, references, _):
    streams = [[reference] for reference in references]
    return Bleu(**how).segments([hypothesis], reference_streams=streams, threads=1)[0]


def by_columns(how, hypothesis, references, _):
    return Bleu(**how).segments(pa.array([hypothesis]), pa.array([references]))[0]


def by_scores(how, hypothesis, references, _):
    bleu = Bleu(**how)
    return bleu.scores(bleu.stats([hypothesis], [references]))[0]


def by_score(how, hypothesis, references, _):
    bleu = Bleu(**how)
    return bleu.score(bleu.stats([hypothesis], [references])).score


def by_accumulator(how, hypothesis, references, _):
    running = truebleu.Accumulator(Bleu(**how))
    running.add([hypothesis], [references])
    return running.score().score


def by_explanation(how, hypothesis, references, _):
    return truebleu.explain(hypothesis, references, **how).score.score


# Engines


def by_arrow(how, hypothesis, references, _):
    return arrow.segment_score(table(hypothesis, references), "mt", NAMES, **how)[0].as_py()


def by_pandas(how, hypothesis, references, _):
    frame = pd.DataFrame(table(hypothesis, references).to_pydict())
    return arrow.segment_score(frame, "mt", NAMES, **how)[0].as_py()


def by_polars(how, hypothesis, references, _):
    frame = pl.from_arrow(table(hypothesis, references))
    return frame.select(pl.col("mt").truebleu.segment_score(*NAMES, **how)).item()


def by_duckdb(how, hypothesis, references, _):
    connection = connected(**how)
    connection.register("data", table(hypothesis, references))
    query = "SELECT bleu_segment_score(mt, [ref_a, ref_b]) FROM data"
    return connection.sql(query).fetchall()[0][0]


@functools.cache
def connected(**how):
    connection = duckdb.connect()
    sql.register(connection, **how)
    return connection


# Commands


def by_score_command(how, hypothesis, references, folder):
    more = ("--score-only", "--width", "12")
    return float(command("score", how, folder, hypothesis, references, *more))


def by_segments_command(how, hypothesis, references, folder):
    form = ("--format", "jsonl", "--width", "12")
    out = command("segments", how, folder, hypothesis, references, *form)
    return json.loads(out)["score"]


def by_explain_command(how, hypothesis, references, folder):
    out = command(
        "explain", how, folder, hypothesis, references, "--segment", "1", "--format", "json"
    )
    return json.loads(out)["score"]


# Other packages


def by_evaluate(how, hypothesis, references, _):
    return evaluate.load("sacrebleu").compute(
        predictions=[hypothesis],
        references=[references],
        tokenize=how["tokenizer"],
        use_effective_order=how["effective_order"],
    )["score"]


def by_sacrebleu(how, hypothesis, references, _):
    made = sacrebleu.BLEU(tokenize=how["tokenizer"], effective_order=how["effective_order"])
    return made.sentence_score(hypothesis, references).score


def by_sacrebleu_accelerated(*given):
    with truebleu.accelerate("sacrebleu"):
        return by_sacrebleu(*given)


WAYS = [
    *(by_sentence_bleu, by_sentence, by_sentence_of_a_tuple, by_sentences, by_streams, by_columns),
    *(by_scores, by_score, by_accumulator, by_explanation, by_arrow, by_pandas, by_polars),
    *(by_duckdb, by_score_command, by_segments_command, by_explain_command, by_evaluate),
    *(by_sacrebleu, by_sacrebleu_accelerated),
]
# Where only sacreBLEU's tokenizers are known.
SACREBLEUS = {by_evaluate, by_sacrebleu, by_sacrebleu_accelerated}
# What scores a corpus, be it of one segment.
OF_CORPORA = {by_score, by_accumulator, by_score_command}
OURS = WAYS[: WAYS.index(by_evaluate)]


def settings_of(tokenizer, model):
    """Return the two choices of settings."""
    chosen = SentencePiece(model) if tokenizer == OWN_MODEL else tokenizer
    return [{"tokenizer": chosen, "effective_order": effective} for effective in (True, False)]


def corpus_of_tokens(hypothesis, references, tokenizer, **settings):
    """Score a corpus of one segment, split beforehand."""
    own, *others = (tokenize(text, tokenizer=tokenizer) for text in (hypothesis, *references))
    return Bleu(tokenizer="pretokenized", **settings).corpus([own], [others])


def test_the_segments_tell_something(model):
    """Under each tokenizer most scores are neither 0 nor perfect, so that a mistake shows."""
    for tokenizer in TOKENIZERS:
        how = settings_of(tokenizer, model)[0]
        scores = [corpus_of_tokens(*segment, **how).score for segment in SEGMENTS]
        assert max(scores) < 99, tokenizer
        assert sum(score > 1 for score in scores) >= 2, tokenizer


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_sentence_is_a_corpus_of_one(way, model, tmp_path, subtests):
    """With effective order given, whatever scores a sentence gives the score of that corpus."""
    for tokenizer in TOKENIZERS:
        if tokenizer not in sacrebleu.BLEU.TOKENIZERS and way in SACREBLEUS:
            continue
        cases = [(how, how, SEGMENTS) for how in settings_of(tokenizer, model)]
        if way in OURS and tokenizer in ("13a", "ja-mecab"):
            silent = {"tokenizer": tokenizer, "effective_order": None}
            applied = silent | {"effective_order": way not in OF_CORPORA}
            cases.append((silent, applied, [*SEGMENTS, ("cat", ["cat", "dog"])]))
        with subtests.test(tokenizer):
            for how, applied, segments in cases:
                for hypothesis, references in segments:
                    expected = corpus_of_tokens(hypothesis, references, **applied).score
                    found = way(how, hypothesis, references, tmp_path)
                    assert found == pytest.approx(expected, rel=1e-11, abs=1e-11), (how, hypothesis)


def test_what_signatures_say():
    """A Bleu leaves it open, a score does not, and all of them are read back."""
    bleu = Bleu(smoothing="floor")
    sentence = bleu.segment("the cat", "the cat sat")
    corpus = bleu.corpus(["the cat"], ["the cat sat"])
    for signature, applied in (
        (bleu.signature, None),
        (sentence.signature, True),
        (sentence.rescore(Bleu()).signature, True),
        (bleu.score(bleu.stats(["the cat"], ["the cat sat"])).signature, False),
        (corpus.signature, False),
        (corpus.rescore(Bleu()).signature, False),
    ):
        assert f"eff:{ {None: 'auto', True: 'yes', False: 'no'}[applied] }|" in signature
        assert Bleu.from_signature(signature).effective_order is applied
    assert (sentence.score > 0, corpus.score) == (True, 0.0)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_one_against_one(tokenizer, model):
    """So do matrices, choices and Self-BLEU, of single references."""
    for how in settings_of(tokenizer, model):
        for hypothesis, (reference, _) in SEGMENTS:
            expected = corpus_of_tokens(hypothesis, [reference], **how).score
            [found] = truebleu.best_of([[hypothesis]], [reference], **how)
            ways = [
                found.scores[0],
                truebleu.pairwise([hypothesis], [reference], **how)[0, 0],
                truebleu.mbr([hypothesis], pseudo_references=[reference], **how).score,
                truebleu.self_bleu([hypothesis, reference], smoothing="exp", **how).scores[0],
            ]
            assert ways == pytest.approx([expected] * len(ways), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_other_packages(tokenizer, model):
    """Those without effective order give the number that their own settings have of the tokens."""
    name = settings_of(tokenizer, model)[0]["tokenizer"]
    for hypothesis, references in SEGMENTS:
        split = (hypothesis, references, name)
        texts = ([hypothesis], [references])
        for order in (1, 2):
            how = {"max_order": order, "smoothing": "none"}
            shortest = corpus_of_tokens(*split, **how, reference_length="shortest")
            function = lambda text: tokenize(text, tokenizer=name)  # noqa: E731
            found = evaluate.bleu(*texts, tokenizer=function, max_order=order)
            assert found["bleu"] == pytest.approx(shortest.fraction)
            own, *others = (tokenize(text, tokenizer=name) for text in (hypothesis, *references))
            weights, method = (1 / order,) * order, nltk.SmoothingFunction().method2
            alone = nltk.sentence_bleu(others, own, weights, method)
            assert alone == nltk.corpus_bleu([others], [own], weights, method)
            expected = corpus_of_tokens(
                *split, max_order=order, smoothing="method2", phantom_ngrams=True
            )
            assert alone == pytest.approx(expected.fraction)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tokenizer", ["ja-mecab", later("13a"), later(OWN_MODEL)])
def test_spark(tokenizer, model, monkeypatch):
    """So does Spark, with a tokenizer of each kind."""
    pyspark = pytest.importorskip("pyspark.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{SHORT_JOBS} pyspark-shell")
    from truebleu.engines import spark as engine

    builder = pyspark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    for key in ("bindAddress", "host"):
        builder = builder.config(f"spark.driver.{key}", "127.0.0.1")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        for how in settings_of(tokenizer, model):
            for segment in SEGMENTS[::3]:
                frame = session.createDataFrame(table(*segment))
                scored = frame.select(engine.segment_score("mt", *NAMES, **how).alias("score"))
                expected = corpus_of_tokens(*segment, **how).score
                assert scored.collect()[0]["score"] == pytest.approx(expected)
                corpus = engine.corpus_score(frame, "mt", NAMES, **how)
                assert corpus.score == pytest.approx(expected)
    finally:
        session.stop()
