"""sacreBLEU, counted by the core.

sacreBLEU counts references in `_cache_references` and segments in `_extract_corpus_statistics`, and
adds counts up in `_aggregate_and_compute`. These are answered here. All else, such as checks,
formulas and scores, is its own, and so is a metric whose methods are overridden or replaced.
"""

from __future__ import annotations

import copy
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from types import SimpleNamespace

import sacrebleu.tokenizers.tokenizer_re
from sacrebleu.metrics import base, bleu, chrf, lib_ter, ter

from truebleu._core import add_rows
from truebleu.compat import mistakes
from truebleu.compat.lazy import Lazy
from truebleu.compat.seams import Seam
from truebleu.errors import InputError, InputTypeError, LengthMismatchError, TruebleuError
from truebleu.inputs.checks import check_single
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.core import layout
from truebleu.metrics.ter.metric import Ter
from truebleu.metrics.ter.score import UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from truebleu.metrics.core import CoreMetric

    Segments = list[tuple[str | None, ...]]

# The tokenizers of the core, by sacreBLEU's class.
_TOKENIZERS = {
    f"sacrebleu.tokenizers.{place}": name
    for name, place in bleu._TOKENIZERS.items()
    if name in ("none", "zh", "13a", "intl", "char")
}


class Counterpart:
    """How the core counts for a metric of sacreBLEU.

    If `prepared`, it counts what the metric has made of a text, which it tokenizes by itself.
    """

    def __init__(self, metric: CoreMetric[Any], *, prepared: bool = False) -> None:
        self.metric, self.prepared = metric, prepared
        self.is_ter = isinstance(metric, Ter)
        self._width = 8 * metric._row_width

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counterpart):
            return NotImplemented
        return (self.metric, self.prepared) == (other.metric, other.prepared)

    def __hash__(self) -> int:
        return hash((self.metric, self.prepared))

    def statistics(self, rows: bytes) -> list[list[Any]]:
        """Return sacreBLEU's statistics of segments."""
        shape = len(rows) // self._width, self._width // 8
        counts: Any = memoryview(rows).cast("q", shape).tolist()
        return [[sum(row[:4]), row[4] / UNITS] for row in counts] if self.is_ter else counts


def _bleu(prepare: Any, kind: type, call: Any, *settings: Any) -> Counterpart:
    place = f"{kind.__module__}.{kind.__qualname__}"
    named = getattr(call, "__module__", ""), getattr(call, "__qualname__", "")
    is_own = prepare in _PREPARES and ".".join(named) == f"{place}.__call__"
    prepared = not is_own or place not in _TOKENIZERS
    lowercase, max_order = settings
    tokenizer: Any = "none" if prepared else _TOKENIZERS[place]
    lowercase = lowercase and not prepared
    metric = Bleu(tokenizer=tokenizer, lowercase=lowercase, max_order=max_order, smoothing="none")
    return Counterpart(metric, prepared=prepared)


def _chrf(prepare: Any, lowercase: bool, *settings: Any) -> Counterpart:
    prepared = prepare not in _PREPARES
    names = ("char_order", "word_order", "beta", "whitespace", "eps_smoothing")
    named = dict(zip(names, settings, strict=True))
    return Counterpart(Chrf(lowercase=lowercase and not prepared, **named), prepared=prepared)


def _ter(prepare: Any, kind: type, call: Any, *settings: Any) -> Counterpart | None:
    if prepare not in _PREPARES or (kind, call) != (_TERCOM, _TERCOM_CALL):
        return None  # References are prepared twice.
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    return Counterpart(Ter(**dict(zip(names, settings, strict=True))))


_PREPARES = [kind._preprocess_segment for kind in (bleu.BLEU, chrf.CHRF, ter.TER)]
_TERCOM = ter.TercomTokenizer
_TERCOM_CALL = _TERCOM.__call__


class Kind:
    """A metric of sacreBLEU, and what the core stands for in it.

    These are `methods`, with their parameters, and the `functions` of sacreBLEU that they call;
    `make` returns the counterpart of a metric for its `_preprocess_segment` and `settings`.
    """

    def __init__(
        self,
        original: type,
        make: Callable[..., Counterpart | None],
        methods: dict[str, str],
        functions: str,
        settings: str,
    ) -> None:
        self.methods = methods
        self._make = lru_cache(64, typed=True)(make)
        self._settings = attrgetter("_preprocess_segment.__func__", *settings.split())
        self._methods, self._functions = attrgetter(*methods), attrgetter(*functions.split())
        self._known = self._methods(original), self._functions(sacrebleu)

    def counterpart(self, metric: Any) -> Counterpart | None:
        """Return how the core counts for a metric; None if something has been replaced."""
        found = self._methods(type(metric)), self._functions(sacrebleu)
        if found == self._known and vars(metric).keys().isdisjoint(self.methods):
            return self._make(*self._settings(metric))
        return None


_STEPS = {
    "_extract_reference_info": "self refs",
    "_compute_segment_statistics": "self hypothesis ref_kwargs",
    "_cache_references": "self references",
    "_extract_corpus_statistics": "self hypotheses references",
    "_aggregate_and_compute": "self stats",
    "_check_sentence_score_args": "self hyp refs",
}
_KINDS = {
    bleu.BLEU: Kind(
        bleu.BLEU,
        _bleu,
        _STEPS | {"_get_closest_ref_len": "self hyp_len ref_lens"},
        "metrics.bleu.extract_all_word_ngrams metrics.bleu.sum_of_lists metrics.helpers.Counter "
        "tokenizers.tokenizer_re.TokenizerRegexp.__call__",
        "tokenizer.__class__ tokenizer.__class__.__call__ lowercase max_ngram_order",
    ),
    chrf.CHRF: Kind(
        chrf.CHRF,
        _chrf,
        {
            **_STEPS,
            "_get_match_statistics": "hyp_ngrams ref_ngrams",
            "_remove_punctuation": "self sent",
            "_compute_f_score": "self statistics",
        },
        "metrics.chrf.extract_all_char_ngrams metrics.chrf.extract_word_ngrams "
        "metrics.chrf.sum_of_lists metrics.helpers.Counter",
        "lowercase char_order word_order beta whitespace eps_smoothing",
    ),
    ter.TER: Kind(
        ter.TER,
        _ter,
        _STEPS,
        " ".join(
            f"metrics.{module.__name__.rpartition('.')[2]}.{name}"
            for module in (ter, lib_ter)
            for name in vars(module)
            if not name.startswith("__")
        ),
        "tokenizer.__class__ tokenizer.__class__.__call__ tokenizer._normalized "
        "tokenizer._no_punct tokenizer._asian_support tokenizer._case_sensitive",
    ),
}


def _counterpart(metric: Any) -> Counterpart | None:
    try:
        kind = _KINDS.get(type(metric)) or next(
            _KINDS[each] for each in type(metric).__mro__ if each in _KINDS
        )
        return kind.counterpart(metric)
    except (AttributeError, StopIteration, TypeError, TruebleuError):
        return None  # Something is missing, or the core does not take a setting.


class References(Lazy):
    """sacreBLEU's counts of references, which it makes of the `segments` that the core counts."""

    __slots__ = ("_metric", "counterpart", "segments")

    def __init__(self, metric: Any, counterpart: Counterpart, segments: Segments) -> None:
        # With the settings that it has now.
        self._metric = copy.copy(metric)
        self.counterpart, self.segments = counterpart, segments
        super().__init__(self._counted)

    def _counted(self) -> list[Any]:
        metric = self._metric
        prepare = str if self.counterpart.prepared else metric._preprocess_segment
        known = ([text for text in texts if text is not None] for texts in self.segments)
        return [metric._extract_reference_info([*map(prepare, texts)]) for texts in known]

    def __reduce__(self) -> tuple[object, ...]:
        given = self._metric, self.counterpart, self.segments
        return (References, given) if self.is_untouched else super().__reduce__()


class Rows(Lazy):
    """sacreBLEU's statistics of segments; `data` are the rows of the core."""

    __slots__ = ("counterpart", "data")

    def __init__(self, counterpart: Counterpart, data: bytes) -> None:
        self.counterpart, self.data = counterpart, data
        super().__init__(partial(counterpart.statistics, data))


def _segments(counterpart: Counterpart, metric: Any, streams: Sequence[Any]) -> Segments:
    """Return the references of each segment, as the core takes them."""
    segments = [*zip(*streams, strict=False)]
    if counterpart.prepared:
        prepare = metric._preprocess_segment
        return [
            tuple(text if text is None else prepare(text) for text in texts) for texts in segments
        ]
    return segments


def cache_references(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what answers `Metric._cache_references`."""

    def _cache_references(self: Any, references: Any) -> Any:
        counterpart = _counterpart(self)
        if counterpart is not None and _are_lists(references):
            _check_streams(references)
            texts = chain.from_iterable(references)
            if all(isinstance(text, str | None) for text in texts):
                segments = _segments(counterpart, self, references)
                numbers = {len(texts) - texts.count(None) for texts in segments}
                self.num_refs = numbers.pop() if len(numbers) == 1 else -1
                return References(self, counterpart, segments)
        return original(self, references)

    return _cache_references


def extract_corpus_statistics(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what answers `Metric._extract_corpus_statistics`."""

    def _extract_corpus_statistics(self: Any, hypotheses: Any, references: Any) -> Any:
        counterpart = _counterpart(self)
        if counterpart is not None:
            counted = _counted(counterpart, self, hypotheses, references)
            if counted is not None:
                if not self._force:
                    _warn_of_tokenized(original, hypotheses)
                return counted
        return original(self, hypotheses, references)

    return _extract_corpus_statistics


def sentence_score(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what answers `Metric.sentence_score`."""

    def sentence_score(self: Any, hypothesis: Any, references: Any) -> Any:
        counterpart = _counterpart(self)
        if counterpart is not None and not counterpart.prepared:
            row = _sentence(counterpart, self, hypothesis, references)
            if row is not None:
                return self._compute_score_from_stats(row)
        return original(self, hypothesis, references)

    return sentence_score


def aggregate_and_compute(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what answers `_aggregate_and_compute` of BLEU and of CHRF."""

    def _aggregate_and_compute(self: Any, stats: Any) -> Any:
        # Statistics of TER are floats, whose sum depends on how they are added.
        if type(stats) is Rows and stats.is_untouched and not stats.counterpart.is_ter:
            total = add_rows(stats.data, stats.counterpart.metric.fields)
            return self._compute_score_from_stats(memoryview(total).cast("q").tolist())
        return original(self, stats)

    return _aggregate_and_compute


def _counted(counterpart: Counterpart, metric: Any, hypotheses: Any, references: Any) -> Any:
    """Return the statistics of segments; None where sacreBLEU has to decide."""
    if not isinstance(hypotheses, list | tuple):
        return None
    if references:
        if not _are_lists(references):
            return None
        _check_streams(references, len(hypotheses))
        segments = _segments(counterpart, metric, references)
    else:
        cache = metric._ref_cache
        if type(cache) is not References or cache.counterpart != counterpart:
            return None
        segments = cache.segments
        _check_streams([segments], len(hypotheses))
    texts = [*hypotheses]
    try:
        if counterpart.prepared:
            texts = [*map(metric._preprocess_segment, texts)]
        [(rows, fewest, most)] = counterpart.metric._core.count(
            [texts], segments, thread_count(None), True, []
        )
    except (AttributeError, TypeError, TruebleuError):
        return None
    if fewest == 0 or len(texts) != len(segments):
        return None
    if references:
        metric.num_refs = most if fewest == most else -1
        if most > 1:
            mistakes.check_empty("sacrebleu", segments, _REMEDY)
        if most == len(texts):
            _check_layout(counterpart, texts, segments, rows)
    mistakes.check_text("sacrebleu", texts, segments, counterpart.metric)
    return Rows(counterpart, rows)


def _sentence(
    counterpart: Counterpart, metric: Any, hypothesis: Any, references: Any
) -> list[Any] | None:
    """Return the statistics of one segment; None where sacreBLEU has to decide."""
    core = counterpart.metric
    if type(references) is not list:
        return None
    try:
        score = core._core.sentence(core, hypothesis, references)
    except (TypeError, TruebleuError):
        return None
    if score is None:
        check_single(hypothesis, references)
        return None
    _, row, metric.num_refs, _ = score._parts
    if len(references) > 1:
        mistakes.check_empty("sacrebleu", [references], _REMEDY)
    return counterpart.statistics(row)[0]


def _warn_of_tokenized(original: Callable[..., Any], hypotheses: Iterable[str]) -> None:
    """Let sacreBLEU say what it thinks of text that looks tokenized."""
    suspicious = [text for text in hypotheses if text.endswith(" .")]
    if suspicious:
        counting_nothing = SimpleNamespace(
            _force=False,
            _ref_cache=suspicious,
            _preprocess_segment=str,
            _compute_segment_statistics=max,
        )
        original(counting_nothing, suspicious, None)


# What sacreBLEU does not say.


def _are_lists(streams: Any) -> bool:
    return isinstance(streams, list | tuple) and all(
        isinstance(stream, list | tuple | str) for stream in streams
    )


def _check_streams(streams: Sequence[Any], number: int | None = None) -> None:
    """Look at references, and at the number of hypotheses if it is known."""
    if any(isinstance(stream, str) for stream in streams):
        say(
            "characters",
            "references are a list of str, so each character of these counts as the reference of "
            "one segment; for one reference per segment, pass [references]",
            InputTypeError,
        )
        return
    lengths = {*map(len, streams)} | ({number} if number is not None else set())
    if len(lengths) > 1:
        known = "" if number is None else f"there are {number:,} hypotheses, and "
        remedy = (
            "each of its lists is a reference for every segment, not all references of one: pass "
            "list(zip(*references))"
            if len(streams) == number
            else "leave none out"
        )
        say(
            "lengths",
            f"{known}the lists in references have {_listed(map(len, streams))} items, so only the "
            f"first {min(lengths):,} segments count; {remedy}",
            LengthMismatchError,
        )


def _listed(numbers: Iterable[int]) -> str:
    return " and ".join(f"{number:,}" for number in sorted({*numbers}))


def _check_layout(
    counterpart: Counterpart, texts: list[str], segments: Segments, rows: bytes
) -> None:
    if mistakes.is_said("sacrebleu", "layout"):
        return
    metric = counterpart.metric
    better = metric.higher_is_better
    message = layout(metric._core, texts, segments, rows, "sacrebleu", higher_is_better=better)
    if message:
        say("layout", message, InputError)


say = partial(mistakes.say, "sacrebleu")

_REMEDY = "use None for those that are missing"

SEAMS = [
    Seam(
        *(base.Metric, "_cache_references", "self references"),
        *("_extract_reference_info num_refs", cache_references),
    ),
    Seam(
        *(base.Metric, "_extract_corpus_statistics", "self hypotheses references"),
        "_cache_references _ref_cache _force _preprocess_segment _compute_segment_statistics",
        extract_corpus_statistics,
    ),
    Seam(
        *(base.Metric, "sentence_score", "self hypothesis references"),
        *("_check_sentence_score_args _extract_corpus_statistics", sentence_score),
    ),
    *(
        Seam(
            *(kind, "_aggregate_and_compute", "self stats"),
            *("_compute_score_from_stats sum_of_lists", aggregate_and_compute),
        )
        for kind in (bleu.BLEU, chrf.CHRF)
    ),
    *(Seam(kind, "_preprocess_segment", "self sent") for kind in _KINDS),
    *(Seam(kind, *each) for kind in _KINDS for each in _KINDS[kind].methods.items()),
]
"""What is answered here, and what is only looked at, since the core counts in its place."""
