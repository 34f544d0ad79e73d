"""How each question of the net is asked of the package as it is today.

The one file here that knows the package's names: whoever renames or removes something edits it,
and nothing else of the net. A question that can no longer be asked has no row in QUESTIONS.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import truebleu
from truebleu.engines import arrow, duckdb

from net import texts
from net.cases import Case
from net.texts import Corpus

Answer = dict[str, str]
# It goes with the process.
FOLDER = tempfile.TemporaryDirectory(prefix="net-")
METRICS: dict[str, Any] = {"BLEU": truebleu.Bleu, "chrF": truebleu.Chrf, "TER": truebleu.Ter}


def metric_of(case: Case) -> Any:
    """Return the metric of a case."""
    settings = dict(case.settings)
    dialect = settings.pop("dialect", None)
    metric = METRICS[case.metric]
    return metric.dialect(dialect) if dialect else metric(**settings)


# How numbers are written.


def exact(value: float | None) -> str:
    """Write every bit of a number."""
    return "none" if value is None else float(value).hex()


def rounded(value: Any) -> str:
    """Write a number to twelve digits: sums by vectors may end otherwise on other processors."""
    if value is None or isinstance(value, bool | str):
        return str(value)
    return f"{value:.12g}" if math.isfinite(value) else str(float(value))


def digest(items: Iterable[Any]) -> str:
    """Return the SHA-256 of what is written one per line."""
    return sha256("\n".join(map(str, items)).encode("utf-8", "surrogatepass")).hexdigest()


def listed(numbers: Iterable[Any]) -> str:
    """Write numbers with commas between them."""
    return ",".join(map(str, numbers))


def signed(signature: str | None) -> str:
    """Return a signature without the version of the package."""
    fields = (signature or "").split("|")
    return "|".join(field for field in fields if not field.startswith("version:"))


def scored(score: Any) -> Answer:
    """Return what is recorded of the score of a corpus."""
    return {
        "score": exact(score.score),
        "row": listed(score.row),
        "signature": signed(score.signature),
        "undefined": str(score.reason is not None),
    }


def several(scores: Any) -> Answer:
    """Return what is recorded of the scores of many segments, each of which may be several."""
    flat = np.array(list(scores), float).ravel().tolist()
    return {"scores": digest(map(exact, flat))}


# Corpora, in every way in.


def _corpus(case: Case) -> Answer:
    return scored(metric_of(case).corpus(*texts.corpus(case.data)))


def _segments(case: Case) -> Answer:
    return several(metric_of(case).segments(*texts.corpus(case.data)))


def _one_a_call(case: Case) -> Answer:
    metric = metric_of(case)
    corpus = texts.corpus(case.data).first(60)
    return several(metric.segment(*pair).score for pair in zip(*corpus, strict=True))


def _statistics(case: Case) -> Answer:
    rows = metric_of(case).stats(*texts.corpus(case.data)).to_numpy()
    return {"rows": digest(map(listed, rows.tolist())), "sums": listed(rows.sum(axis=0).tolist())}


def _signature_read_back(case: Case) -> Answer:
    corpus = texts.corpus(case.data).first(20)
    metric = metric_of(case)
    read = type(metric).from_signature(metric.corpus(*corpus).signature)
    return {"score": exact(read.corpus(*corpus).score), "same": str(read == metric)}


def _columns(corpus: Corpus) -> dict[str, list[Any]]:
    return {
        "group": [i * 7 % 5 for i in range(len(corpus.hypotheses))],
        "mt": corpus.hypotheses,
        "ref": corpus.references,
    }


def _flat(corpus: Corpus) -> tuple[dict[str, list[Any]], list[str]]:
    """Return columns of strings, and the names of those of references."""
    names = [f"ref{i}" for i in range(len(corpus.references[0]))]
    streams = zip(*corpus.references, strict=True)
    columns = {name: list(stream) for name, stream in zip(names, streams, strict=True)}
    return {"mt": corpus.hypotheses, **columns}, names


def _arrow_table(corpus: Corpus) -> Any:
    import pyarrow

    return pyarrow.table(_columns(corpus))


def _write_lines(name: str, lines: Iterable[str], *, packed: bool = False) -> str:
    path = Path(FOLDER.name) / (f"{name}.gz" if packed else name)
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    return str(path)


def _files(corpus: Corpus, *, packed: bool = False) -> tuple[str, list[str]]:
    streams = zip(*corpus.references, strict=True)
    references = [
        _write_lines(f"ref{i}.txt", stream, packed=packed) for i, stream in enumerate(streams)
    ]
    return _write_lines("hyp.txt", corpus.hypotheses, packed=packed), references


def _from_files(case: Case, *, packed: bool = False) -> Answer:
    hypotheses, references = _files(texts.corpus(case.data), packed=packed)
    read = [truebleu.read_lines(path) for path in (hypotheses, *references)]
    return scored(metric_of(case).corpus(read[0], reference_streams=read[1:]))


def _from_arrow(case: Case) -> Answer:
    table = _arrow_table(texts.corpus(case.data))
    return scored(arrow.corpus_score(table, "mt", "ref", metric=metric_of(case)))


def _from_pandas(case: Case) -> Answer:
    frame = _arrow_table(texts.corpus(case.data)).to_pandas()
    return scored(arrow.corpus_score(frame, "mt", "ref", metric=metric_of(case)))


def _polars_frame(case: Case) -> Any:
    import polars as pl
    import truebleu.engines.polars  # noqa: F401  # It gives expressions their namespace.

    return pl.from_arrow(_arrow_table(texts.corpus(case.data)))


def _from_polars(case: Case) -> Answer:
    return scored(arrow.corpus_score(_polars_frame(case), "mt", "ref", metric=metric_of(case)))


def _polars_expression(case: Case) -> Answer:
    import polars as pl

    expression = pl.col("mt").truebleu.corpus_score("ref", metric=metric_of(case))
    return {"score": exact(_polars_frame(case).select(expression).item())}


def _by_sql(case: Case) -> Answer:
    import duckdb as sql

    connection = sql.connect()
    metric = metric_of(case)
    duckdb.register(connection, metric=metric)
    connection.register("corpus", _arrow_table(texts.corpus(case.data)))
    query = f"select {metric.identifier}_corpus_score(mt, ref) from corpus"
    [value] = connection.execute(query).fetchone()
    return {"score": exact(value)}


def _table_file(corpus: Corpus, suffix: str) -> tuple[str, list[str]]:
    import pyarrow
    from pyarrow import csv, parquet

    path = str(Path(FOLDER.name) / f"table{suffix}")
    columns, references = _flat(corpus)
    if suffix == ".tsv":
        columns = {name: [text.replace("\t", " ") for text in columns[name]] for name in columns}
    if suffix == ".jsonl":
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        _write_lines("table.jsonl", (json.dumps(row) for row in rows))
        return path, references
    if suffix == ".tsv":
        lines = ("\t".join(row) for row in zip(*columns.values(), strict=True))
        _write_lines("table.tsv", ["\t".join(columns), *lines])
        return path, references
    write = parquet.write_table if suffix == ".parquet" else csv.write_csv
    write(pyarrow.table(columns), path)
    return path, references


def _from_table(suffix: str) -> Callable[[Case], Answer]:
    def asked(case: Case) -> Answer:
        path, references = _table_file(texts.corpus(case.data), suffix)
        return scored(arrow.corpus_score(path, "mt", references, metric=metric_of(case)))

    return asked


def _groups(case: Case) -> Answer:
    table = _arrow_table(texts.corpus(case.data))
    metric = metric_of(case)
    found = arrow.corpus_score(table, "mt", "ref", group_by="group", metric=metric).to_pylist()
    found.sort(key=lambda row: row["group"])
    return {str(row["group"]): exact(row[metric.identifier]) for row in found}


def _segments_of_table(case: Case) -> Answer:
    table = _arrow_table(texts.corpus(case.data))
    found = arrow.segment_score(table, "mt", "ref", metric=metric_of(case))
    return several(found.to_pylist())


def _from_statistics(case: Case) -> Answer:
    stats = metric_of(case).stats(*texts.corpus(case.data))
    return scored(metric_of(case).score(stats))


def _statistics_read_back(case: Case) -> Answer:
    stats = metric_of(case).stats(*texts.corpus(case.data))
    return scored(metric_of(case).score(type(stats).from_bytes(stats.to_bytes())))


def _statistics_file(case: Case) -> str:
    path = str(Path(FOLDER.name) / "stats.jsonl")
    stats = {"system": metric_of(case).stats(*texts.corpus(case.data))}
    truebleu.SavedStats(stats, metric_of(case)).write(path)
    return path


def _file_of_statistics(case: Case) -> Answer:
    found = truebleu.read_stats(_statistics_file(case)).scores()
    return scored(found["system"])


def _added_up(case: Case) -> Answer:
    hypotheses, references = texts.corpus(case.data)
    adder = truebleu.Accumulator(metric_of(case))
    for start in range(0, len(hypotheses), 37):
        adder.add(hypotheses[start : start + 37], references[start : start + 37])
    return scored(adder.score())


def _from_generator(case: Case) -> Answer:
    hypotheses, references = texts.corpus(case.data)
    return scored(metric_of(case).corpus(iter(hypotheses), (tuple(each) for each in references)))


def command(*arguments: str) -> str:
    """Run the command; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "truebleu", *arguments], capture_output=True, check=True, text=True
    )
    return done.stdout


def _printed(printed: str) -> Answer:
    [found] = json.loads(printed)
    found = found.get("score", found) if isinstance(found.get("score"), dict) else found
    return {"score": exact(found["score"]), "signature": signed(found["signature"])}


def _by_command(case: Case) -> Answer:
    hypotheses, references = _files(texts.corpus(case.data))
    signature = metric_of(case).corpus(*texts.corpus(case.data)).signature
    options = ("-m", signature, "--format", "json", "--as-text", "--quiet")
    return _printed(command("score", hypotheses, "-r", *references, *options))


def _by_command_of_table(case: Case) -> Answer:
    path, references = _table_file(texts.corpus(case.data), ".parquet")
    columns = ["--hypothesis-column", "mt"]
    for name in references:
        columns += ["--reference-column", name]
    signature = metric_of(case).corpus(*texts.corpus(case.data)).signature
    options = ("-m", signature, "--format", "json", "--quiet")
    return _printed(command("score", path, *columns, *options))


def _by_command_of_statistics(case: Case) -> Answer:
    return _printed(command("score", _statistics_file(case), "--format", "json", "--quiet"))


# Many texts against many, and token ids.


def _samples(case: Case) -> tuple[list[list[str]], list[list[str]]]:
    corpus = texts.corpus(case.data)
    several = [corpus.hypotheses[start : start + 8] for start in range(0, 64, 8)]
    return several, corpus.references[:64:8]


def _pairs(case: Case) -> Answer:
    found = truebleu.pairwise(texts.corpus(case.data).hypotheses[:40], metric=metric_of(case))
    return several(np.asarray(found).ravel().tolist())


def _minimum_bayes_risk(case: Case) -> Answer:
    found = truebleu.mbr(_samples(case)[0], metric=metric_of(case))
    chosen = listed(int(each.index) for each in found)
    return {"chosen": chosen, **several(np.concatenate([each.scores for each in found]).tolist())}


def _best_and_worst(case: Case) -> Answer:
    metric, (samples, references) = metric_of(case), _samples(case)
    found = truebleu.best_of(samples, references, metric=metric)
    best = [choice.index for choice in found]
    signed = [choice.scores if metric.higher_is_better else -choice.scores for choice in found]
    worst = [int(scores.argmin()) for scores in signed]

    def corpus(indices: list[int]) -> str:
        texts = [several[index] for several, index in zip(samples, indices, strict=True)]
        return exact(metric.corpus(texts, references).score)

    return {
        "best": listed(best),
        "worst": listed(worst),
        "best corpus": corpus(best),
        "worst corpus": corpus(worst),
    }


def _tokens(case: Case) -> Answer:
    corpus = texts.corpus(case.data)
    how = {"tokenizer": case.settings["tokenizer"]}
    split = (truebleu.tokenize(text, **how) for text in corpus.hypotheses)
    found = ["\x1d".join(tokens) for tokens in split]
    return {"tokens": digest(found), "number": str(sum(map(len, found)))}


class _Ids(dict[str, int]):
    """A number for each word, in the order in which they are met."""

    def __missing__(self, word: str) -> int:
        self[word] = len(self) + 1
        return self[word]


def _as_ids(case: Case) -> tuple[list[list[int]], list[list[list[int]]]]:
    ids = _Ids()
    hypotheses, references = texts.corpus(case.data)
    return (
        [[ids[word] for word in text.split()] for text in hypotheses],
        [[[ids[word] for word in text.split()] for text in each] for each in references],
    )


def _pretokenized(case: Case) -> Any:
    return truebleu.Bleu(tokenizer="pretokenized", **case.settings)


def _corpus_of_tokens(case: Case) -> Answer:
    hypotheses, references = texts.corpus(case.data)
    split = [[text.split() for text in each] for each in references]
    return scored(_pretokenized(case).corpus([text.split() for text in hypotheses], split))


def _corpus_of_ids(case: Case) -> Answer:
    return scored(_pretokenized(case).corpus(*_as_ids(case)))


def _segments_of_ids(case: Case) -> Answer:
    return several(_pretokenized(case).segments(*_as_ids(case)))


def _padded(rows: list[list[int]]) -> Any:
    found = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, ids in zip(found, rows, strict=True):
        row[: len(ids)] = ids
    return found


def _padded_sides(case: Case) -> tuple[Any, Any]:
    hypotheses, references = _as_ids(case)
    return _padded(hypotheses), _padded([each[0] for each in references])


def _corpus_of_padded_ids(case: Case) -> Answer:
    sides = [truebleu.Ragged.from_padded(side, pad=0) for side in _padded_sides(case)]
    return scored(_pretokenized(case).corpus(*sides))


def _rewards(case: Case) -> Answer:
    found = truebleu.token_rewards(*_padded_sides(case), pad=0, **case.settings)
    return several(found.tolist())


# Explanations, and other tools' numbers.


def _explained_segments(case: Case) -> Answer:
    corpus = texts.corpus(case.data).first(40)
    numbers = _numbers_of_segment[case.metric]
    metric = metric_of(case)
    found = [truebleu.explain(*pair, metric=metric) for pair in zip(*corpus, strict=True)]
    return {"scores": digest(exact(each.score) for each in found), **_merged(map(numbers, found))}


def _merged(found: Iterable[dict[str, list[Any]]]) -> Answer:
    merged: dict[str, list[Any]] = {}
    for each in found:
        for name, items in each.items():
            merged.setdefault(name, []).extend(items)
    return {name: digest(items) for name, items in merged.items()}


def _bleu_segment(found: Any) -> dict[str, list[Any]]:
    ngrams = [
        (" ".join(each.tokens), each.count, each.maximum, each.clipped)
        for order in found.ngrams
        for each in order
    ]
    return {"n-grams": ngrams, "reference lengths": list(map(len, found.references))}


def _chrf_segment(found: Any) -> dict[str, list[Any]]:
    ngrams = [
        ("".join(each.tokens), each.count, each.maximum, each.clipped)
        for order in found.ngrams
        for each in order
    ]
    spans = [(each.start, each.end, each.order) for each in found.spans]
    return {"n-grams": ngrams, "spans": spans, "reference": [found.reference]}


def _ter_segment(found: Any) -> dict[str, list[Any]]:
    shifts = [
        (each.start, each.target, each.hypothesis.count(" ") + 1)
        for each in found.steps
        if each.kind == "shift"
    ]
    edits = [(each.kind, each.hypothesis, each.reference) for each in found.steps[len(shifts) :]]
    return {"edits": edits, "shifts": shifts, "reference": [found.reference]}


_numbers_of_segment = {"BLEU": _bleu_segment, "chrF": _chrf_segment, "TER": _ter_segment}


def _explained_corpus(case: Case) -> Answer:
    found = truebleu.explain(*texts.corpus(case.data), metric=metric_of(case))
    answer = {
        "score": exact(found.score),
        "influence": digest(map(rounded, np.asarray(found.influence).tolist())),
    }
    if case.metric == "BLEU":
        costs = [(each.name, rounded(each.points), each.count) for each in found.costs]
        ngrams = [(each.name, rounded(each.points), each.count) for each in found.worst]
        return {**answer, "costs": digest(costs), "n-grams": digest(ngrams)}
    if case.metric == "chrF":
        rows = [(each.name, rounded(each.points)) for each in found.worst]
        return {**answer, "n-grams": digest(rows)}
    kinds = [(each.kind, each.count, rounded(each.points)) for each in found.costs]
    words = [(each.kind, *_edited(each), each.count) for each in found.worst]
    return {**answer, "kinds": listed(kinds), "words": digest(words)}


def _edited(cost: Any) -> tuple[str | None, str | None]:
    """Return the words of an edit: of the hypothesis, and of the reference."""
    if cost.kind == "substitution":
        one, _, other = cost.name.partition(" → ")
        return one, other
    return (None, cost.name) if cost.kind == "insertion" else (cost.name, None)


def _difference(case: Case) -> Answer:
    metric = metric_of(case)
    one, other = (metric.corpus(*texts.example(name, "ab")) for name in ("medium", "strong"))
    found = truebleu.decompose(one, other)
    return {"delta": rounded(found.delta), **{p.name: rounded(p.share) for p in found.parts}}


def _self_bleu(case: Case) -> Answer:
    found = truebleu.self_bleu(texts.corpus(case.data).hypotheses, metric=metric_of(case))
    return {"mean": rounded(found.score), **several(found.scores.tolist())}


@cache
def _audited(metric: Any, data: str) -> Any:
    corpus = texts.corpus(data).first(300)
    return truebleu.audit(*corpus, metric=metric.lower())


def _tool(row: Any) -> str:
    return str(row.dialect.name.removesuffix("-chrf"))


def _other_numbers(case: Case) -> Answer:
    rows = _audited(case.metric, case.data).rows
    return {_tool(row): rounded(row.number) for row in rows}


def _other_parts(case: Case) -> Answer:
    return {
        _tool(row): listed(f"{part.name}:{rounded(part.share)}" for part in row.parts)
        for row in _audited(case.metric, case.data).rows
    }


def _settings_of_number(case: Case) -> Answer:
    corpus = texts.corpus(case.data)
    found = truebleu.audit(*corpus, target=case.settings["target"], tokenizers=["13a", "none"])
    return {
        "tried": str(found.tried),
        "numbers": digest(rounded(match.number) for match in found.matches),
        "found": str(len(found.matches)),
    }


def _program(name: str) -> Callable[..., float]:
    if name == "split on spaces, not smoothed":
        return lambda hypotheses, references: float(
            truebleu.Bleu(tokenizer="none", smoothing="none").corpus(hypotheses, references)
        )
    if name == "mean of segments":
        return lambda hypotheses, references: float(
            truebleu.Bleu(tokenizer="none").segments(hypotheses, references).mean()
        )
    metric = truebleu.Bleu(reference_length="shortest")
    return lambda hypotheses, references: float(metric.corpus(hypotheses, references))


def _verdict(case: Case) -> Answer:
    found = truebleu.check(_program(case.data))
    aspects = [choice.aspect for choice in (*found.mistakes, *found.choices)]
    return {
        "right": str(found.right),
        "of": f"{found.explained}/{found.asked}",
        "aspects": listed(aspects),
    }


# Other packages' own calls.


def _sacrebleu(name: str) -> Callable[[Case], Answer]:
    def asked(case: Case) -> Answer:
        import sacrebleu

        hypotheses, references = texts.corpus(case.data)
        function = getattr(sacrebleu, name)
        truebleu.accelerate("sacrebleu")
        if name.startswith("corpus"):
            streams = [list(stream) for stream in zip(*references, strict=True)]
            return {"score": exact(function(hypotheses, streams).score)}
        pairs = zip(hypotheses[:80], references, strict=False)
        return several(function(*pair).score for pair in pairs)

    return asked


def _nltk(name: str) -> Callable[[Case], Answer]:
    def asked(case: Case) -> Answer:
        from nltk.translate import bleu_score, chrf_score

        truebleu.accelerate("nltk")
        hypotheses, references = texts.corpus(case.data)
        split = [[text.split() for text in each] for each in references]
        words = [text.split() for text in hypotheses]
        if name == "corpus_chrf":
            firsts = [each[0] for each in references]
            return {"score": exact(chrf_score.corpus_chrf(firsts, hypotheses))}
        smoothing = bleu_score.SmoothingFunction()
        answer: Answer = {}
        for number in (0, 1, 2, 3, 4, 7):
            method = getattr(smoothing, f"method{number}")
            if name == "corpus_bleu":
                value = bleu_score.corpus_bleu(split, words, smoothing_function=method)
                answer[f"method{number}"] = exact(value)
            else:
                scores = [
                    bleu_score.sentence_bleu(*pair, smoothing_function=method)
                    for pair in zip(split[:80], words, strict=False)
                    if len(pair[1]) > 1
                ]
                answer[f"method{number}"] = digest(map(exact, scores))
        return answer

    return asked


def _evaluate(name: str) -> Callable[[Case], Answer]:
    def asked(case: Case) -> Answer:
        from truebleu.compat import evaluate

        hypotheses, references = texts.corpus(case.data)
        found = evaluate.load(name).compute(predictions=hypotheses, references=references)
        return {key: listed(np.ravel(value).tolist()) for key, value in found.items()}

    return asked


# Signatures, files and scores of others.


def _signatures(case: Case) -> Answer:
    path = texts.ROOT / "tests" / "golden" / "signatures.tsv"
    rows = [line.split("\t") for line in texts.lines(path) if not line.startswith("#")][1:]
    found = [_settings_of_signature(json.loads(printed)) for *_, printed in rows]
    return {"settings": digest(found), "number": str(len(found))}


def _settings_of_signature(printed: str) -> str:
    try:
        read = truebleu.explain_signature(printed.partition(" = ")[0])
    except truebleu.TruebleuError as error:
        return type(error).__name__
    return digest(f"{key}={value}" for key, value in sorted(read.items()))


def _fields(named: dict[str, list[str]]) -> Answer:
    return {name: digest(field) for name, field in named.items()}


def _example_test_set(case: Case) -> Answer:
    found = truebleu.load_test_set(str(texts.EXAMPLES / "test_set.toml"), "de-en")
    return {
        **_fields({"sources": found.sources, "documents": list(found.documents or ())}),
        "references": digest("\x1d".join(each) for each in found.references),
        "signature": signed(found.signature),
    }


def _raw_files(case: Case) -> Answer:
    from truebleu.test_sets.parsing import read_fields

    source, *references = (texts.made().hypotheses, *zip(*texts.made().references, strict=True))
    spoilt = ("<seg id={}>{}</seg>", '<seg id="{}"> {} &amp; </seg>', "{}{}", "<doc id={}>{}")
    kinds: dict[str, tuple[str, Callable[[int, str], str]]] = {
        "text": ("txt", lambda _, line: line),
        "tsv": ("tsv", lambda i, line: f"{line}\t{i}\t{line[::-1]}"),
        "sgml": ("sgm", lambda i, line: spoilt[i % 4].format(i, line)),
        "iwslt-xml": ("xml", lambda i, line: spoilt[i % 3].format(i, line)),
    }
    answer: Answer = {}
    for kind, (suffix, written) in kinds.items():
        members: list[tuple[Path, int | str | None]] = []
        for number, side in enumerate((source, *references)):
            lines = [written(i, line) for i, line in enumerate(side)]
            members.append((Path(_write_lines(f"raw{number}.{suffix}", lines)), None))
        fields = read_fields("net", kind, members)
        answer |= {f"{kind}, {name}": digest(field) for name, field in fields.items()}
    return answer


def _scores_of(gold: dict[str, list[float | None]]) -> Answer:
    return {name: listed(map(rounded, scores)) for name, scores in gold.items()}


def _mqm(case: Case) -> Answer:
    draws = texts.Draws(5)
    rows = ["system\tdoc\tdoc_id\trater\tcategory\tseverity\ttarget"]
    kinds = ("Fluency/Punctuation Minor", "Accuracy Major", "No-error No-error", "Other Critical")
    for system in "ABC":
        for segment in range(12):
            for rater in range(1 + draws.below(3)):
                category, severity = draws.one_of(list(kinds)).split()
                row = (system, f"d{segment // 4}", str(segment), f"r{rater}", category, severity)
                rows.append("\t".join((*row, f"text {segment}")))
    return _scores_of(truebleu.meta.read_mqm(_write_lines("mqm.tsv", rows)).gold)


def _esa(case: Case) -> Answer:
    draws = texts.Draws(6)
    rows = [
        f"r{rater},{system},{segment},TGT,eng,deu,{draws.below(101)},d{segment // 4},False,[],1,2"
        for system in "ABC"
        for segment in range(12)
        for rater in range(1 + draws.below(2))
    ]
    return _scores_of(truebleu.meta.read_esa(_write_lines("esa.csv", rows)).gold)


def _metrics_eval_folder(case: Case) -> Answer:
    root, pair = Path(FOLDER.name) / "judged", "en-de"
    gold = list(texts.gold_scores(3, 10))
    everyone = [name for name, *_ in gold]
    files = {
        f"sources/{pair}.txt": [f"Satz {i}." for i in range(10)],
        f"documents/{pair}.docs": [f"{'news' if i < 5 else 'talk'}\td{i // 2}" for i in range(10)],
        f"references/{pair}.refA.txt": [f"Sentence {i}." for i in range(10)],
        f"human-scores/{pair}.mqm.seg.score": [
            f"{name}\t{score}" for name, scores, _ in gold for score in scores
        ],
        f"metric-scores/{pair}/M-refA.seg.score": [
            f"{name}\t{score}" for name, _, scores in gold for score in scores
        ],
        **{
            f"system-outputs/{pair}/{name}.txt": [f"Sentence {i} of {name}." for i in range(10)]
            for name in everyone
        },
    }
    for name, lines in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    found = truebleu.meta.read_judged_set(root, pair, gold="mqm", reference="refA")
    return _scores_of(found.gold)


def _gold() -> tuple[dict[str, list[float | None]], dict[str, dict[str, list[int]]]]:
    rows = list(texts.gold_scores(6, 30))
    gold = {name: scores for name, scores, _ in rows}
    ones = {name: scores for name, _, scores in rows}
    other = {name: [score // 3 for score in scores[::-1]] for name, _, scores in rows}
    return gold, {"one": ones, "other": other}


MEASURES = (
    *("pairwise-accuracy", "spa", "system-pearson", "pearson", "pearson:item", "pearson:system"),
    *("kendall", "kendall:item", "kendall:system", "acc", "acc:none", "acc:system"),
    *("acc-eq", "acc-eq:none", "acc-eq:system", "pearson-of-differences"),
)


def _measures(case: Case) -> Answer:
    gold, scores = _gold()
    found = truebleu.meta.meta_evaluate(
        gold, scores=scores, measures=MEASURES, n_resamples=None, n_trials=None
    )
    return {f"{m}, {name}": rounded(found[m][name].value) for m in MEASURES for name in scores}


def _measures_of_metrics(case: Case) -> Answer:
    names = ("weak", "medium", "strong")
    rows = [line.split("\t") for line in texts.lines(texts.EXAMPLES / "ratings.seg.score")]
    gold = {
        f"system-{name}": [float(score) for system, score in rows if name in system]
        for name in names
    }
    systems = {f"system-{name}": texts.example(name, "ab").hypotheses for name in names}
    found = truebleu.meta.meta_evaluate(
        gold,
        systems,
        texts.example("weak", "ab").references,
        metrics=["bleu", "chrf", "ter"],
        measures=MEASURES,
        n_resamples=None,
        n_trials=None,
    )
    return {
        f"{measure}, {name}": rounded(metric.value)
        for measure in MEASURES
        for name, metric in found[measure].metrics.items()
    }


# Significance.


def _systems() -> tuple[dict[str, list[str]], list[list[str]]]:
    corpora = {name: texts.example(name, "ab") for name in ("strong", "medium", "weak")}
    systems = {name: corpus.hypotheses for name, corpus in corpora.items()}
    return systems, corpora["weak"].references


def _pairs_of(comparison: Any) -> Answer:
    answer = {}
    for pair in comparison.pairs:
        name = f"{pair.one} - {pair.other}"
        numbers = (pair.delta, pair.p_value, pair.p_adjusted, pair.significant)
        answer[name] = listed(map(rounded, numbers))
        if pair.interval:
            ends = (pair.interval.low, pair.interval.high)
            answer[f"{name}, interval"] = listed(map(rounded, ends))
        if pair.p_not_worse is not None:
            answer[f"{name}, not worse"] = rounded(pair.p_not_worse)
    for name, system in comparison.systems.items():
        interval = system.interval
        known = (system.score, interval.low, interval.high) if interval else (system.score,)
        answer[name] = listed(map(rounded, known))
    return answer


def _compared(**options: Any) -> Callable[[Case], Answer]:
    def asked(case: Case) -> Answer:
        return _pairs_of(
            truebleu.compare(*_systems(), metrics=metric_of(case), n_resamples=2000, **options)
        )

    return asked


def _compared_anywhere(case: Case) -> Answer:
    if not case.data.startswith("shared"):
        return _compared()(case)
    paths = texts.shared_systems("newstest2017/en-de")[:9]
    systems = {path.name: texts.lines(path) for path in paths}
    references = texts.shared("newstest2017/en-de", 0).references
    return _pairs_of(
        truebleu.compare(systems, references, metrics=metric_of(case), n_resamples=1000)
    )


def _documents() -> list[str]:
    return texts.lines(texts.EXAMPLES / "documents.txt")


def _interval(case: Case) -> Answer:
    systems, references = _systems()
    found = truebleu.confidence_interval(
        systems["medium"], references, metrics=metric_of(case), n_resamples=2000
    )
    return {"interval": listed(map(rounded, (found.low, found.high, found.mean)))}


def _runs(case: Case) -> Answer:
    systems, references = _systems()
    runs = {
        "a": [systems["strong"], systems["medium"], systems["strong"][:36] + systems["weak"][36:]],
        "b": [systems["weak"], systems["medium"], systems["weak"][:36] + systems["strong"][36:]],
    }
    return _pairs_of(truebleu.compare_runs(runs, references, metrics=metric_of(case)))


def _sets(case: Case) -> Answer:
    systems, references = _systems()
    sets = {
        str(start): (
            {name: lines[start : start + 18] for name, lines in systems.items()},
            references[start : start + 18],
        )
        for start in range(0, 72, 18)
    }
    return _pairs_of(truebleu.compare_sets(sets, n_resamples=1000).average)


def _several_metrics(case: Case) -> Answer:
    found = truebleu.compare(*_systems(), metrics=["bleu", "chrf", "ter"], n_resamples=1000)
    return {
        f"{metric}, {name}": value
        for metric, comparison in found.items()
        for name, value in _pairs_of(comparison).items()
    }


def _unpaired(case: Case) -> Answer:
    systems, references = _systems()
    corpora = {
        "first": (systems["strong"][:30], references[:30]),
        "second": (systems["medium"][30:], references[30:]),
    }
    return _pairs_of(truebleu.compare_unpaired(corpora, metrics=metric_of(case)))


def _ranked(case: Case) -> Answer:
    gold, scores = _gold()
    found = truebleu.meta.meta_evaluate(gold, scores=scores, n_resamples=200, n_trials=200)
    return {
        f"{pair.one} - {pair.other}, {name}": rounded(pair.p_value)
        for name, ranking in found.rankings.items()
        for pair in ranking.pairs
    }


QUESTIONS: dict[str, Callable[[Case], Answer]] = {
    "corpus": _corpus,
    "segments": _segments,
    "segments, one a call": _one_a_call,
    "statistics": _statistics,
    "signature read back": _signature_read_back,
    "from files of lines": _from_files,
    "from compressed files": lambda case: _from_files(case, packed=True),
    "from an Arrow table": _from_arrow,
    "from a pandas frame": _from_pandas,
    "from a Polars frame": _from_polars,
    "by a Polars expression": _polars_expression,
    "by SQL of DuckDB": _by_sql,
    "from a Parquet file": _from_table(".parquet"),
    "from a CSV file": _from_table(".csv"),
    "from a TSV file": _from_table(".tsv"),
    "from a JSON Lines file": _from_table(".jsonl"),
    "from statistics of segments": _from_statistics,
    "from statistics read back": _statistics_read_back,
    "from a file of statistics": _file_of_statistics,
    "from parts that are added up": _added_up,
    "from a generator": _from_generator,
    "by the command": _by_command,
    "by the command, of a table": _by_command_of_table,
    "by the command, of statistics": _by_command_of_statistics,
    "scores of groups of a table": _groups,
    "segments of a table": _segments_of_table,
    "all pairs of 40 texts": _pairs,
    "minimum Bayes risk, 8 samples each": _minimum_bayes_risk,
    "best and worst of 8 samples each": _best_and_worst,
    "tokens": _tokens,
    "corpus of tokens": _corpus_of_tokens,
    "corpus of token ids": _corpus_of_ids,
    "segments of token ids": _segments_of_ids,
    "corpus of padded token ids": _corpus_of_padded_ids,
    "rewards of token ids": _rewards,
    "explained segments": _explained_segments,
    "explained corpus": _explained_corpus,
    "difference from the strong system": _difference,
    "Self-BLEU": _self_bleu,
    "other tools' numbers": _other_numbers,
    "other tools' numbers, in parts": _other_parts,
    "settings that give a number": _settings_of_number,
    "verdict on a program": _verdict,
    **{
        f"sacreBLEU, {name}": _sacrebleu(name)
        for metric in ("bleu", "chrf", "ter")
        for name in (f"corpus_{metric}", f"sentence_{metric}")
    },
    **{f"NLTK, {name}": _nltk(name) for name in ("corpus_bleu", "sentence_bleu", "corpus_chrf")},
    **{f"evaluate, {name}": _evaluate(name) for name in ("bleu", "sacrebleu", "chrf", "ter")},
    "settings read": _signatures,
    "the test set of the examples": _example_test_set,
    "raw files of test sets": _raw_files,
    "annotations, MQM": _mqm,
    "annotations, ESA": _esa,
    "a folder of mt-metrics-eval": _metrics_eval_folder,
    "values of measures": _measures,
    "values of measures, all metrics": _measures_of_metrics,
    "compared": _compared_anywhere,
    "compared with a baseline": _compared(baseline="medium"),
    "compared by documents": _compared(units=_documents()),
    "compared with a margin": _compared(margin=1.0),
    "compared in blocks": _compared(units=6),
    "interval of a score": _interval,
    "runs compared": _runs,
    "sets compared": _sets,
    "several metrics compared": _several_metrics,
    "corpora compared that share no segments": _unpaired,
    "metrics ranked": _ranked,
}
"""The questions that can be asked, each with the call that answers it."""


def answers(cases: Iterable[Case]) -> Iterator[tuple[str, str]]:
    """Yield each case's fields with their values; what fails has the class of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in cases:
            if case.question not in QUESTIONS:
                continue
            try:
                answer = QUESTIONS[case.question](case)
            except Exception as error:
                answer = {"error": type(error).__name__}
            for field, value in answer.items():
                yield f"{case.name} | {field}", value
