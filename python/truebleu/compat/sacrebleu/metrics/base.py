"""The base classes of sacreBLEU's metrics, scores and signatures."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any

from truebleu._core import __version__
from truebleu.compat.errors import NoSegmentsError

_SHORT = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "ar": "ar",
    "bs": "bs",
    "seed": "rs",
}


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
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """Format the score as text or JSON.

        Parameters
        ----------
        width : int, default 2
            The number of decimal places.
        score_only : bool, default False
            Return only the score, and its interval if there is one.
        signature : str
            The signature to show next to the name.
        is_json : bool, default False
            Return JSON, for which `signature` is required.
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
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
        """Format the score with two decimal places."""
        return self.format()


class Signature:
    """Everything a score depends on, as fields of a string.

    Parameters
    ----------
    args : dict
        The attributes of a metric that has scored something.

    Raises
    ------
    ValueError
        If nothing has been scored, so that the number of references is unknown.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        """Read the fields that all metrics share; see the class."""
        self._abbr = dict(_SHORT)
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": f"truebleu-{__version__}",
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
        """Return the long form."""
        return self.format()

    __repr__ = __str__


class Metric:
    """A metric, which may be given its references before it scores anything."""

    _SIGNATURE_TYPE = Signature

    def __init__(self) -> None:
        """Begin without references."""
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._references: Sequence[Sequence[str | None]] | None = None
        self._counted_references: list[dict[str, Any]] | None = None

    def get_signature(self) -> Signature:
        """Return the signature.

        Raises
        ------
        ValueError
            If nothing has been scored, so that the number of references is unknown.
        """
        return self._SIGNATURE_TYPE(self.__dict__)

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        if not isinstance(hyp, str):
            self._refuse("The argument `hyp` should be a string.")
        if isinstance(refs, str) or not isinstance(refs, Sequence):
            self._refuse("The argument `refs` should be a sequence of strings.")
        if not len(refs):
            raise NoSegmentsError("`refs` is empty: a sentence needs a reference")
        if not isinstance(refs[0], str) and refs[0] is not None:
            self._refuse("Each element of `refs` should be a string.")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        problem = None
        if not isinstance(hyps, Sequence):
            problem = "`hyps` should be a sequence of strings."
        elif not len(hyps):
            raise NoSegmentsError("`hyps` is empty: there is no segment to score")
        elif not isinstance(hyps[0], str):
            problem = "Each element of `hyps` should be a string."
        elif not isinstance(hyps, str) and None in hyps:
            problem = "Undefined line in hypotheses stream!"
        # As in sacreBLEU, an IndexError for empty input precedes all other errors.
        if isinstance(refs, Sequence):
            if not len(refs) or (isinstance(refs[0], Sequence) and not len(refs[0])):
                raise NoSegmentsError("`refs` is empty: there is no reference")
            if not isinstance(refs[0], Sequence):
                problem = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                problem = "`refs` should be a sequence of sequence of strings."
        elif refs is not None:
            problem = "`refs` should be a sequence of sequence of strings."
        if problem is not None:
            self._refuse(problem)

    def _refuse(self, problem: str) -> None:
        raise TypeError(f"{type(self).__name__}: {problem}")

    # sacreBLEU counts references by these methods, which subclasses override.

    def _preprocess_segment(self, sent: str) -> str:
        raise NotImplementedError

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        raise NotImplementedError

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
            self._counted_references = self._cache_references(self._references)
        return self._counted_references

    @_ref_cache.setter
    def _ref_cache(self, cache: list[dict[str, Any]] | None) -> None:
        self._references = None
        self._counted_references = cache
