"""What was probably meant by an unknown name: of a setting, an argument, an attribute and so on."""

from __future__ import annotations

from truebleu.errors import AttributeNameError, InputTypeError, UnknownNameError, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any, NoReturn

FOREIGN_NAMES = {
    # sacreBLEU
    "tokenize": "tokenizer",
    "smooth_method": "smoothing",
    "max_ngram_order": "max_order",
    "use_effective_order": "effective_order",
    "lc": "lowercase",
    "tok": "tokenizer",
    # NLTK
    "smoothing_function": "smoothing",
    "auto_reweigh": "effective_order",
    "max_len": "char_order",
    # torchmetrics and evaluate
    "n_gram": "max_order",
    "n": "max_order",
    "smooth": "smoothing",
    "n_char_order": "char_order",
    "n_word_order": "word_order",
    "normalize": "normalized",
    "no_punctuation": "no_punct",
    "support_zh_ja_chars": "asian_support",
    "ignore_punct": "no_punct",
}
"""The setting of this package for each name that another package has for it."""

NEEDLESS = {
    "force": "leave it out; it silences a warning of sacreBLEU's and changes no score",
    **dict.fromkeys(
        ("lang", "language", "target_lang", "tgt_lang", "trg_lang"),
        "name the tokenizer of the language: tokenizer='zh' for Chinese, 'ja-mecab' for Japanese, "
        "'ko-mecab' for Korean, 'flores200' for Thai, Lao, Khmer, Burmese and Tibetan, '13a', the "
        "default, for others",
    ),
    "min_len": "the orders counted are all from 1 up; char_order is the highest",
    "ignore_whitespace": "whitespace is left out unless whitespace=True",
    "dialect": "write Bleu.dialect(name).corpus(hypotheses, references), or "
    "metric=Bleu.dialect(name)",
    "return_sentence_level_score": "use segments() for the scores of segments",
}
"""What to do in place of settings of other packages that this one has no setting for."""

FOREIGN_ARGUMENTS = {
    # sacreBLEU
    "hyps": "hypotheses",
    "refs": "references",
    "sys_stream": "hypotheses",
    "ref_streams": "reference_streams",
    # NLTK
    "list_of_references": "references",
    "hypothesis": "hypotheses",
    # torchmetrics, evaluate and others
    "preds": "hypotheses",
    "target": "references",
    "predictions": "hypotheses",
    "candidates": "hypotheses",
    "num_threads": "threads",
    "n_jobs": "threads",
}
"""The argument of this package for each name that another package has for it."""

_CORPUS = "metric.corpus(hypotheses, references)"
_SEGMENTS = "metric.segments(hypotheses, references)"
_PAIR = "comparison.pairs, or comparison.pair(one, other)"

FOREIGN_TOKENIZERS = {
    **dict.fromkeys(("ja", "japanese", "mecab"), "did you mean ja-mecab?"),
    **dict.fromkeys(("ko", "korean"), "did you mean ko-mecab?"),
    "chinese": "did you mean zh?",
    **dict.fromkeys(("en", "de", "fr", "es", "ru", "cs"), "choose 13a, the default"),
    "jieba": "zh splits Chinese into characters; in Python, tokenizer=jieba.lcut splits words",
    "ptb": "choose none for tokens between spaces, which its program writes; in Python, a function "
    "that splits a text is a tokenizer, too",
}
"""What to do in place of tokenizers of other packages that this one has not, or under this name."""

FOREIGN_ATTRIBUTES = {
    "Score": {
        "item": "float(score)",
        "value": "score.score",
        "compute": "score.score",
        "as_dict": "score.to_dict()",
        "json": "score.to_json()",
        "get_signature": "score.signature",
        "confidence_interval": "truebleu.confidence_interval(hypotheses, references)",
        "explain": "truebleu.explain(hypotheses, references, metric=score.metric)",
    },
    "BleuScore": {
        # sacreBLEU
        "bp": "score.brevity_penalty",
        "sys_len": "score.hyp_len",
        # evaluate
        "bleu": "score.fraction",
        "precision": "score.precisions",
        "length_ratio": "score.ratio",
        "translation_length": "score.hyp_len",
        "reference_length": "score.ref_len",
    },
    "TerScore": {"num_edits": "score.edits", "ref_length": "score.ref_len"},
    "Metric": {
        # sacreBLEU
        "corpus_score": "metric.corpus(hypotheses, references), or reference_streams= for "
        "sacreBLEU's layout",
        "sentence_score": "metric.segment(hypothesis, references)",
        "get_signature": "metric.signature",
        # torchmetrics, evaluate
        "compute": f"{_CORPUS}, or Accumulator(metric) for batches",
        "update": "Accumulator(metric).add(hypotheses, references)",
        "forward": _CORPUS,
        "evaluate": _CORPUS,
        "reset": "a new Accumulator(metric)",
        # functions of this package and others
        "corpus_bleu": _CORPUS,
        "segment_scores": _SEGMENTS,
        "sentence_scores": _SEGMENTS,
        "tokenize": "truebleu.tokenize(text)",
    },
    "Comparison": {
        "p_value": f"p_value of one of {_PAIR}",
        "significant": f"significant of one of {_PAIR}",
        "best": "comparison.ranked()[0]",
        "winner": "comparison.ranked()[0]",
        "ranking": "comparison.ranked()",
        "scores": "{name: system.score for name, system in comparison.systems.items()}",
        "summary": "print(comparison)",
        "to_dataframe": "pandas.DataFrame(pair.to_dict() for pair in comparison.pairs)",
        "to_pandas": "pandas.DataFrame(pair.to_dict() for pair in comparison.pairs)",
    },
    "Comparisons": {
        "p_value": "p_value of one of comparisons['BLEU'].pairs, for example",
        "significant": "significant of one of comparisons['BLEU'].pairs, for example",
    },
    "Choice": {"text": "choice.sample", "best": "choice.sample"},
    "Pair": {"p": "pair.p_value", "pvalue": "pair.p_value", "difference": "pair.delta"},
    "Interval": {
        "lower": "interval.low",
        "upper": "interval.high",
        "ci": "(interval.low, interval.high)",
    },
    "Report": {"save": "report.write(path)", "show": "report.write(path), and open that"},
    "Reports": {"save": "reports.write(path)", "show": "reports.write(path), and open that"},
    "CoreMetric": {"count": "metric.stats(hypotheses, references)"},
    "Accumulator": {
        "update": "add(hypotheses, references)",
        "add_batch": "add(hypotheses, references)",
        "compute": "score()",
        "result": "score()",
        "reset": "a new accumulator",
    },
}
"""What to write instead of attributes that people expect, by the class that lacks them."""

_OF_FRAMES = (
    "from truebleu.engines import arrow; arrow.corpus_score(frame, 'mt', 'ref', group_by='lang')"
)

ENGINES = {
    "arrow": _OF_FRAMES,
    "duckdb": "from truebleu.engines import duckdb; duckdb.register(con); con.sql('SELECT lang, "
    "bleu_corpus_score(mt, ref) FROM t GROUP BY lang')",
    "pandas": _OF_FRAMES,
    "polars": "import truebleu.engines.polars; frame.group_by('lang').agg(pl.col('mt').truebleu."
    "corpus_score('ref'))",
    "ray": "from truebleu.engines import ray; ray.corpus_score(dataset, 'mt', 'ref')",
    "spark": "from truebleu.engines import spark; spark.corpus_score(frame, 'mt', 'ref', "
    "group_by='lang')",
}
"""What to write instead of ``truebleu.polars`` and the like."""

FOREIGN_FUNCTIONS = {
    **{
        name: f"{name.capitalize()}().corpus(hypotheses, references), or for batches "
        f"total = Accumulator('{name.lower()}'); total.add(hypotheses, references); "
        "total.merge(other); total.score()"
        for name in ("BLEU", "CHRF", "TER")
    },
    **ENGINES,
    "rewards": "token_rewards, or Bleu().segments",
    "selfbleu": "self_bleu",
    "bleu": "corpus_bleu or sentence_bleu",
    "chrf": "corpus_chrf or sentence_chrf",
    "ter": "corpus_ter or sentence_ter",
    "score": "corpus_bleu",
    "corpus_score": "corpus_bleu",
    "corpus_scores": "corpus_bleu",
    "evaluate": "corpus_bleu",
    "segment_scores": "Bleu().segments",
    "sentence_scores": "Bleu().segments",
    "bootstrap": "confidence_interval, or compare",
    "paired_bootstrap": "compare",
    "significance_test": "compare",
    "load": "load_test_set",
    "correlation": "report(systems, references, metrics=...).correlations",
}
"""What this package calls functions that people expect in it."""

FOREIGN_IN_ENGINES = {
    **{name: f"truebleu.{name}(frame[['a', 'b']], frame['ref'])" for name in ("compare", "report")},
    "corpus_bleu": "corpus_score(frame, 'mt', 'ref')",
    **dict.fromkeys(
        ("sentence_bleu", "sentence_score", "segment_scores"), "segment_score(frame, 'mt', 'ref')"
    ),
}
"""What to write instead of functions that people expect in an engine."""

METRICS_MEANT: dict[str, tuple[str, dict[str, Any]]] = {
    "spbleu": ("bleu", {"tokenizer": "flores200"}),
    **{f"bleu{order}": ("bleu", {"max_order": order}) for order in (1, 2, 3, 4)},
    **{f"chrf{beta}": ("chrf", {"beta": beta}) for beta in (1, 3)},
    "chrf2": ("chrf", {}),
    "chrf2++": ("chrf++", {}),
    "chrfpp": ("chrf++", {}),
    "sacrebleu": ("bleu", {}),
    "sentbleu": ("bleu", {}),
}
"""What other names of metrics stand for: a metric by its name here, and its settings."""

ELSEWHERE = {
    **dict.fromkeys(("rouge", "rouge1", "rouge2", "rougel"), "rouge-score"),
    "wer": "jiwer",
    "cer": "jiwer",
    "comet": "unbabel-comet",
    "cometkiwi": "unbabel-comet",
    "xcomet": "unbabel-comet",
    "metricx": "MetricX",
    "bleurt": "BLEURT",
    "bertscore": "bert-score",
    "meteor": "nltk",
    "cider": "pycocoevalcap",
    "yisi": "YiSi",
}
"""Metrics that are not computed here, and what computes them."""


def meant_metric(name: str) -> str:
    """Return the name of a metric as the tables above have it."""
    return name.lower().replace("-", "").replace("_", "")


def written_metric(name: str) -> str:
    """Return what Python has for a name of the table above."""
    metric, settings = METRICS_MEANT[name]
    given = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    return f"{metric.capitalize()}({given})" if given else repr(metric)


def is_metric(name: str) -> bool:
    """Whether a name is that of a metric, even if the command does not know it."""
    return meant_metric(name) in {*METRICS_MEANT, *ELSEWHERE}


# How similar two names have to be, as difflib measures it; with less, suggestions are guesses.
_CUTOFF = 0.7


def similar_names(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return at most `most` names that are similar but for case and hyphens, the best first."""
    from difflib import get_close_matches

    by_letters: dict[str, str] = {}
    for each in known:
        by_letters.setdefault(_letters(each), each)
    return [
        by_letters[each] for each in get_close_matches(_letters(name), by_letters, most, _CUTOFF)
    ]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of a message, ``; did you mean 13a?``, or nothing if no name is similar."""
    similar = similar_names(name, known) if isinstance(name, str) else []
    return f"; did you mean {similar[0]}?" if similar else ""


def unknown_name(what: str, name: object, known: Iterable[str], more: str = "") -> UnknownNameError:
    """Return the error for a name that is not in a registry; `more` ends the list of choices."""
    known = list(known)
    return UnknownNameError(
        f"{what} {written(name)} is unknown; choose one of {', '.join(known)}{more}"
        f"{did_you_mean(name, known)}"
    )


def unknown_tokenizer(name: str, known: Iterable[str], more: str) -> UnknownNameError:
    """Do the same for a tokenizer, which other packages may have under this name."""
    meant = FOREIGN_TOKENIZERS.get(name.lower())
    if meant is None:
        return unknown_name("tokenizer", name, known, more)
    return UnknownNameError(f"tokenizer {written(name)} is unknown; {meant}")


def meant_argument(name: str, known: Collection[str]) -> str:
    """Return the end of a message about an unknown argument, or nothing if none is like it."""
    ours = FOREIGN_NAMES.get(name, FOREIGN_ARGUMENTS.get(name))
    return f"; did you mean {ours}?" if ours in known else did_you_mean(name, known)


def meant_setting(name: str, known: Collection[str]) -> str:
    """Return the end of a message about an unknown setting, or nothing if none is like it."""
    if name in NEEDLESS:
        return f"; {NEEDLESS[name]}"
    if name in FOREIGN_ARGUMENTS:
        return f"; did you mean the argument {FOREIGN_ARGUMENTS[name]}?"
    return meant_argument(name, known)


# What would tell which segments a sampler has given to two processes.
_COUNTED_TWICE = ("ids", "id", "indices", "keys", "segment_ids")
_REPEATED = (
    "all that is added counts: leave out what a DistributedSampler repeats to fill its last batch, "
    "at the places rank + i * world_size from len(dataset) on, and then merge the processes"
)


def check_arguments(unknown: Mapping[str, object], function: Callable[..., Any]) -> None:
    """Raise InputTypeError for arguments that a function collected as ``**unknown: Never``."""
    for name in unknown:
        code = function.__code__
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        names = [each for each in known if each != "self"]
        if name in _COUNTED_TWICE:
            raise InputTypeError(f"{function.__name__} has no argument {name!r}; {_REPEATED}")
        meant = meant_argument(name, names) or f"; it has {', '.join(names)}"
        raise InputTypeError(f"{function.__name__} has no argument {name!r}{meant}")


class _Missing:
    """An attribute that does not exist, and says what does; faster than a ``__getattr__``."""

    __slots__ = ("_instead", "_name")

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead

    def __get__(self, value: object, cls: type) -> NoReturn:
        """Raise AttributeNameError."""
        raise AttributeNameError(
            f"{cls.__name__} has no attribute {self._name!r}; write {self._instead}"
        )


def add_hints(cls: type) -> None:
    """Let a class say what to write instead of attributes that other packages have."""
    for name, instead in FOREIGN_ATTRIBUTES.get(cls.__name__, {}).items():
        setattr(cls, name, _Missing(name, instead))
        type.__setattr__(cls, "__dir__", _existing)


def _existing(value: object) -> list[str]:
    return [name for name in object.__dir__(value) if hasattr(value, name)]


def _letters(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")
