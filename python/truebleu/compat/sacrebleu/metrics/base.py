"""What sacreBLEU's metrics have in common: scores, signatures, checks."""

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
    """A number with a name."""

    def __init__(self, name: str, score: float) -> None:
        """Keep them; -1 stands for no interval."""
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
        """Write the score down.

        Parameters
        ----------
        width : int, default 2
            Decimals.
        score_only : bool, default False
            Only the number, and its interval if there is one.
        signature : str
            Is written beside the name.
        is_json : bool, default False
            As JSON; `signature` is needed then.
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            number += f" ({interval})"
            if is_json:
                fields["confidence_mean"] = float(mean)
                fields["confidence_var"] = float(half)
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
        """Keep the mean of bootstrap samples, and half the width of their 95 % interval."""
        numbers = sorted(score.score for score in scores)
        self.set_ci(numbers)

    def set_ci(self, numbers: list[float]) -> None:
        """Do the same with sorted numbers."""
        out = len(numbers) // 40
        self._ci = 0.5 * (numbers[len(numbers) - out - 1] - numbers[out])
        self._mean = statistics.mean(numbers)

    def __repr__(self) -> str:
        """Write the score with two decimals."""
        return self.format()


class Signature:
    """What a number depends on, as fields of a string.

    Parameters
    ----------
    args : dict
        The attributes of a metric that has scored something.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        """Read what all metrics have."""
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
        """Write the fields down, the version last."""
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
        """Write the long form."""
        return self.format()

    __repr__ = __str__


class Metric:
    """A metric that remembers its settings, and the references if they were given first."""

    _SIGNATURE_TYPE = Signature

    def __init__(self) -> None:
        """Nothing has been scored yet."""
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    def get_signature(self) -> Signature:
        """Return the signature.

        Raises
        ------
        ValueError
            If nothing has been scored: the number of references is not known then.
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
        why = None
        if not isinstance(hyps, Sequence):
            why = "`hyps` should be a sequence of strings."
        elif not len(hyps):
            raise NoSegmentsError("`hyps` is empty: there is no segment to score")
        elif not isinstance(hyps[0], str):
            why = "Each element of `hyps` should be a string."
        elif not isinstance(hyps, str) and None in hyps:
            why = "Undefined line in hypotheses stream!"
        # What is empty comes first, because there an index is out of range.
        if isinstance(refs, Sequence):
            if not len(refs) or (isinstance(refs[0], Sequence) and not len(refs[0])):
                raise NoSegmentsError("`refs` is empty: there is no reference")
            if not isinstance(refs[0], Sequence):
                why = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                why = "`refs` should be a sequence of sequence of strings."
        elif refs is not None:
            why = "`refs` should be a sequence of sequence of strings."
        if why is not None:
            self._refuse(why)

    def _refuse(self, why: str) -> None:
        raise TypeError(f"{type(self).__name__}: {why}")
