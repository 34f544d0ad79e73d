"""The base classes of sacreBLEU's metrics, scores and signatures."""

from __future__ import annotations

import json
import statistics
import struct
from abc import abstractmethod
from typing import Any, Generic, TypeVar

from truebleu._core import __version__ as core_version
from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.compat.errors import NoReferencesError, NotTextError
from truebleu.compat.sacrebleu.metrics import arguments
from truebleu.compat.sacrebleu.utils import sacrelogger as sacrelogger
from truebleu.compat.sacrebleu.version import __version__ as __version__
from truebleu.compat.watched import Hooked, marks
from truebleu.errors import EmptyInputError, InputTypeError, TruebleuError
from truebleu.inputs.checks import is_square
from truebleu.inputs.numbers import thread_count
from truebleu.metrics import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu._core import Engine
    from truebleu.metrics.metric import Counted

    # The engine, and the rows of some systems.
    CoreTables = tuple[Engine, list[NDArray[np.int64]]]
    # A class of scores, and the attributes that all its scores of sentences have in common.
    SentenceContext = tuple[type["Score"], dict[str, Any]]

# The public attributes of metrics that are no settings.
_FOUND = frozenset({"num_refs", "n_bootstrap", "seed", "score_context"})

# The fields of all signatures, as they are called in the short form.
_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Signature:
    """Everything a score depends on, as fields of a string; from the attributes of its metric."""

    def __init__(self, args: dict[str, Any]) -> None:
        self._abbr = dict(_SHORT)
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": f"truebleu-{core_version}",
            "nrefs": "var" if references == -1 else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Join the fields, the version last."""
        fields = []
        for key in [*(key for key in self.info if key != "version"), "version"]:
            value = self.info[key]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                fields.append(f"{self._abbr[key] if short else key}:{value}")
        return "|".join(fields)

    def update(self, key: str, value: Any) -> None:
        """Set a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


def common_attributes(score: Score, *own: str) -> SentenceContext:
    """Return the class of a score, and its attributes except the score and those named `own`."""
    varying = {"score", *own}
    return type(score), {key: each for key, each in vars(score).items() if key not in varying}


class Score:
    """The score of a metric, with or without a confidence interval."""

    def __init__(self, name: str, score: float) -> None:
        """Store name and score; -1 means that there is no interval."""
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Format the score as text or JSON, with `width` decimals.

        With `score_only`, that is the score, and its interval if there is one. The signature is
        shown next to the name; JSON needs one.
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half_width}"
            number += f" ({interval})"
            if is_json:
                fields["confidence_mean"] = float(mean)
                fields["confidence_var"] = float(half_width)
                fields["confidence"] = interval
        if score_only:
            return number
        if not is_json:
            name = f"{self.name}|{signature}" if signature else self.name
            return " ".join(filter(None, (f"{name} = {number}", self._verbose)))
        if self._verbose:
            fields["verbose_score"] = self._verbose
        for field in signature.split("|"):
            key, value = field.split(":")
            fields[key] = value
        return json.dumps(fields, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Set the mean and the 95% confidence interval from the scores of bootstrap samples."""
        self.set_ci(sorted(score.score for score in scores))

    def set_ci(self, ordered: list[float]) -> None:
        """Set the mean and the 95% confidence interval from sorted numbers."""
        excluded = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - excluded - 1] - ordered[excluded])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


ScoreT = TypeVar("ScoreT", bound=Score)
ResultT = TypeVar("ResultT")


class Metric(Described, Hooked, Generic[ScoreT]):
    """A metric, which may be given its references before it scores anything.

    A subclass has sacreBLEU's methods with an underscore. If the core counts its segments, it also
    has :meth:`_core` and :meth:`core_tables`.
    """

    _SIGNATURE_TYPE = Signature
    # What follows from the settings, and is created again when they have changed.
    _DERIVED: tuple[str, ...] = ()
    _settings_changed = True

    _force: bool
    _strict: bool | None
    # Whether streams that are as many as segments are looked at.
    _warns_of_layout = True
    n_bootstrap: int | None
    seed: str | None
    _references: Sequence[Sequence[str | None]] | None = None
    _counted_references: list[dict[str, Any]] | None = None

    def __init__(self, *, strict: bool | None = None) -> None:
        # Faster than one by one, by __setattr__.
        vars(self).update(_force=True, _strict=strict, n_bootstrap=None, seed=None)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; users may change settings at any time."""
        is_setting = name[0] != "_" and name not in _FOUND
        if is_setting and self._references is not None and not self._is_strict:
            # sacreBLEU has counted the references already, under the earlier setting.
            vars(self).update(_counted_references=self._ref_cache, _references=None)
        super().__setattr__(name, value)
        if is_setting:
            vars(self)["_settings_changed"] = True

    def _compare(self) -> None:
        """Let settings be applied again, too."""
        super()._compare()
        vars(self)["_settings_changed"] = True

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy the settings; whatever depends on them is created again when needed."""
        left_out = {"_settings_changed", *self._DERIVED}
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def get_signature(self) -> Signature:
        """Return the signature; before anything is scored, raise ValueError."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> ScoreT:
        """Score a sentence against its references."""
        engine = self._core()
        if not self._steps_unchanged:
            engine = None
        if engine is not None:
            context = self._sentence_context()
            score: ScoreT | None = engine.sacrebleu_sentence(context, hypothesis, references)
            if score is not None:
                # No setting, so __setattr__ need not know of it.
                self.__dict__["num_refs"] = len(references) - references.count(None)
                return score
        self._check_sentence_score_args(hypothesis, references)
        streams = [[reference] for reference in references]
        try:
            return self._score([hypothesis], streams)
        except TruebleuError as error:
            return self._in_python(error, lambda: self._score([hypothesis], streams))

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> ScoreT:
        """Score a corpus.

        References are streams, each a translation of the whole corpus; None means those given when
        the metric was created. If `n_bootstrap` is above 1, it is the number of bootstrap samples
        for a confidence interval.
        """
        self._check_corpus_score_args(hypotheses, references)
        try:
            return self._score_corpus(hypotheses, references, n_bootstrap)
        except TruebleuError as error:
            return self._in_python(
                error, lambda: self._score_corpus(hypotheses, references, n_bootstrap)
            )

    def _score_corpus(self, hypotheses: Any, references: Any, n_bootstrap: int) -> ScoreT:
        if not n_bootstrap > 1:  # Nor if it is NaN.
            return self._score(hypotheses, references)
        from truebleu.compat.sacrebleu.sampling import sample_scores

        stats = self._extract_corpus_statistics(hypotheses, references)
        # Some smoothings change the statistics that they score.
        score = self._aggregate_and_compute([list(row) for row in stats])
        self.n_bootstrap = n_bootstrap
        self.seed, sorted_scores = sample_scores(self, stats, n_bootstrap)
        score.set_ci(sorted_scores)
        return score

    @property
    def _is_strict(self) -> bool:
        return faithful.is_strict() if self._strict is None else self._strict

    def _in_python(self, error: TruebleuError, call: Callable[[], ResultT]) -> ResultT:
        """Let sacreBLEU's steps in Python decide what the core refuses."""
        if self._is_strict or self._counts_in_python:
            raise error
        vars(self)["_counts_in_python"] = True
        self._compare()
        try:
            result = call()
        except Exception as raised:
            if isinstance(error, type(raised)):
                # Both refuse it alike, and the error of the core says more.
                raise error from None
            raise
        finally:
            del vars(self)["_counts_in_python"]
            self._compare()
        self._warn_of(error)
        return result

    def _warn_of(self, error: TruebleuError) -> None:
        """Warn of what sacreBLEU accepts, unless the metric was told to do the same."""
        if self._strict is None:
            faithful.accept("sacreBLEU", error)

    def _score(self, hypotheses: Any, references: Any) -> ScoreT:
        engine = self._engine_for(references)
        if engine is None or not self._steps_unchanged:
            stats = self._extract_corpus_statistics(hypotheses, references)
            return self._aggregate_and_compute(stats)
        return self._score_rows(engine, self._rows(engine, hypotheses, references, each=False))

    # How the core counts, if it does.

    def _core(self) -> Engine | None:
        """Return the engine with these settings; None if the methods in Python count.

        A metric compares its methods first, if they have been marked as replaced.
        """
        return None

    def _sentence_context(self) -> SentenceContext:
        raise NotImplementedError

    def _engine_for(self, references: Any) -> Engine | None:
        """Return the engine, unless counted references have been put in place of text."""
        return self._core() if references or self._references else None

    def _score_rows(self, engine: Engine, rows: bytes) -> ScoreT:
        return self._aggregate_and_compute(self._statistics(engine, rows))

    def _statistics(self, engine: Engine, rows: bytes) -> list[list[Any]]:
        """Return sacreBLEU's statistics of the segments that these are the rows of."""
        return [list(row) for row in struct.iter_unpack(f"<{engine.row_width}q", rows)]

    def core_tables(self, *corpora: list[list[Any]]) -> CoreTables | None:
        """Turn the statistics of some systems into the engine's rows.

        None unless the engine scores samples and swaps of these exactly as sacreBLEU does.
        """
        engine = self._core()
        if engine is None:
            return None
        import numpy as np

        return engine, [np.array(stats, np.int64) for stats in corpora]

    def _rows(
        self, engine: Engine, hypotheses: Any, references: Any, *, each: bool = True
    ) -> bytes:
        """Count streams, by default those given to the metric: a row for each segment, or a sum."""
        streams = references or self._references
        if not streams:
            raise NoReferencesError(
                "there are no references: none are given here, and none were given to the metric"
            )
        try:
            segments = arguments.segments(hypotheses, streams, strict=self._strict is not False)
        except TruebleuError as error:
            if self._is_strict or self._counts_in_python:
                raise
            segments = arguments.segments(hypotheses, streams, strict=False)
            self._warn_of(error)
        number = vars(self).get("num_refs")
        rows = self._counted(engine, *segments, each=each)
        if self._warns_of_layout and any(segments[0]) and is_square(segments[1]):
            [(row, _, _)] = engine.count([segments[0]], segments[1], 1, False, [])
            better = "shifts" not in engine.fields
            core.check_layout(engine, *segments, row, "drop-in", higher_is_better=better)
        if number is not None and not (references or self._is_strict):
            # sacreBLEU does not count again those that were given to the metric.
            vars(self)["num_refs"] = number
        return rows

    def _counted(
        self, engine: Engine, texts: list[Any], references: list[Any], *, each: bool
    ) -> bytes:
        """Count segments with the references of each, and set the number of references."""
        try:
            rows, fewest, most = self._count_text(engine, texts, references, each=each)
        except InputTypeError as error:
            raise NotTextError(str(error)) from error
        except EmptyInputError as error:
            raise NoReferencesError(str(error)) from error
        self.__dict__["num_refs"] = most if fewest == most else -1
        return rows

    def _count_text(
        self, engine: Engine, texts: list[Any], references: list[Any], *, each: bool
    ) -> Counted:
        threads = thread_count(None) if len(texts) > 1 else 1
        return core.count(engine, texts, references, None, threads, each=each)

    def score_segments(self, hypotheses: list[str], references: list[Any]) -> ScoreT | None:
        """Score segments with the references of each in the core; None if it does not count."""
        engine = None if marks else self._engine_for(references)
        if engine is None:
            return None
        return self._score_rows(engine, self._counted(engine, hypotheses, references, each=False))

    def _keep(self, references: Sequence[Sequence[str | None]]) -> None:
        """Keep the references that the metric is created with, after checking them."""
        # An empty list is refused by the core.
        engine = self._engine_for([references])
        if engine is None:
            self._ref_cache = self._cache_references(references)
            return
        self._references = references
        try:
            self._rows(engine, [""] * min(map(len, references), default=0), None)
        except TruebleuError as error:
            self._ref_cache = self._in_python(error, lambda: self._cache_references(references))

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        self._refuse_if(arguments.problem_of_sentence(hyp, refs))

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        self._refuse_if(arguments.problem_of_corpus(hyps, refs))

    def _refuse_if(self, problem: str | None) -> None:
        if problem is not None:
            raise TypeError(f"{type(self).__name__}: {problem}")

    # sacreBLEU counts references by these methods, which subclasses override.

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        raise NotImplementedError

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        raise NotImplementedError

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        raise NotImplementedError

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> ScoreT:
        raise NotImplementedError

    def _aggregate_and_compute(self, stats: Any) -> ScoreT:
        return self._compute_score_from_stats(self._helper("sum_of_lists")(stats))

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[Any]]:
        engine = self._engine_for(references)
        if engine is not None:
            return self._statistics(engine, self._rows(engine, hypotheses, references))
        cache = self._cache_references(references) if references else self._ref_cache
        if not cache:
            raise NoReferencesError("No references provided and the cache is empty.")
        if self._is_strict:
            arguments.segments(hypotheses, references or [cache], strict=True)
        stats = [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), reference_info)
            for hypothesis, reference_info in zip(hypotheses, cache, strict=False)
        ]
        if not self._force:
            arguments.warn_of_tokenized(sum(text.endswith(" .") for text in hypotheses))
        return stats

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        cache = []
        numbers_of_references = set()
        for segment_references in zip(*references, strict=False):
            texts = [text for text in segment_references if text is not None]
            numbers_of_references.add(len(texts))
            cache.append(
                self._extract_reference_info([self._preprocess_segment(text) for text in texts])
            )
        self.num_refs = numbers_of_references.pop() if len(numbers_of_references) == 1 else -1
        return cache

    @property
    def _ref_cache(self) -> list[dict[str, Any]] | None:
        """The references the metric was created with, counted when first needed."""
        if self._counted_references is None and self._references is not None:
            # sacreBLEU counts them at once, so whatever has been replaced since has no effect.
            count = self._original("_cache_references")
            self._counted_references = count(self._references)
        return self._counted_references

    @_ref_cache.setter
    def _ref_cache(self, cache: list[dict[str, Any]] | None) -> None:
        self._references = None
        self._counted_references = cache
