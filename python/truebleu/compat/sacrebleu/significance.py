"""sacreBLEU's paired tests, equal to the last bit, but faster and with less memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu.compat.described import Described
from truebleu.compat.sacrebleu.metrics.base import Metric, Score, Signature
from truebleu.compat.sacrebleu.sampling import sampler_of, seed_of_environment
from truebleu.compat.sacrebleu.utils import sacrelogger
from truebleu.significance.sacrebleu import SacrebleuSampler, mean_and_half_width

# The statistics and the result of the baseline, by the name of the score.
Baseline = Mapping[str, tuple[Any, "Result"]]

# With the names that other packages import from here.
__all__ = [
    "IS_WINDOWS",
    "Metric",
    "PairedTest",
    "Result",
    "Score",
    "Signature",
    "estimate_ci",
    "sacrelogger",
]

IS_WINDOWS = os.name == "nt"


class Result:
    """The score of a system, and its test against the baseline.

    `mean` and `ci` are the mean of bootstrap samples, and half the width of their 95% confidence
    interval. What does not apply is None, as the p-value of the baseline.
    """

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{key}={value!s}" for key, value in self.__dict__.items())


def estimate_ci(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of samples, and half the width of their 95% confidence interval."""
    return mean_and_half_width(np.asarray(scores))


def _bootstrap_resample(
    stats: Sequence[Sequence[float]], metric: Metric[Any], n_samples: int = 1000
) -> tuple[str, list[Score]]:
    """Return the seed, and the scores of bootstrap samples."""
    seed = seed_of_environment()
    rows = np.array(stats, np.float32)
    indices = np.random.default_rng(seed).choice(len(rows), (n_samples, len(rows)), replace=True)
    # Along this axis, NumPy adds the rows one after the other.
    sums = (rows[sample].sum(0) for sample in indices)
    # sacreBLEU's protocol: a metric scores sums of statistics by this method.
    return str(seed).lower(), [metric._compute_score_from_stats(each) for each in sums]


def _compute_p_value(stats: NDArray[Any], real_difference: float) -> float:
    """Return the share of differences above the real one, after adding it to them."""
    return float((np.sum(stats > real_difference).item() + 1) / (len(stats) + 1))


def _paired_ar_test(
    baseline_info: Baseline,
    sys_name: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    metrics: Mapping[str, Metric[Any]],
    n_samples: int = 10000,
    n_ar_confidence: int = -1,
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """Test a system against the baseline by approximate randomization.

    The baseline has its statistics and result, and there is a metric, for the name of each score;
    so has what is returned after the name of the system. There is a confidence interval, from
    bootstrap samples, if `n_ar_confidence` is above 0, and a new seed if it is None.
    """
    samples = n_ar_confidence if n_ar_confidence > 0 else None

    def test(sampler: SacrebleuSampler, baseline: Any, system: Any) -> tuple[Any, ...]:
        sacrelogger.info(f" > Performing approximate randomization test (# trials: {n_samples})")
        p_value, scores = sampler.paired_randomization(baseline, system, n_samples, samples)
        if scores is None:
            return (p_value,)
        sacrelogger.info(
            f" > Performing bootstrap resampling for confidence interval (# resamples: {samples})"
        )
        return p_value, *mean_and_half_width(scores)

    return sys_name, _results(baseline_info, sys_name, hypotheses, references, metrics, seed, test)


def _paired_bs_test(
    baseline_info: Baseline,
    sys_name: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    metrics: Mapping[str, Metric[Any]],
    n_samples: int = 1000,
    n_ar_confidence: int = -1,  # As in sacreBLEU, for calls of either function.
    seed: int | None = None,
) -> tuple[str, dict[str, Result]]:
    """Test a system against the baseline by bootstrap; see :func:`_paired_ar_test`."""

    def test(sampler: SacrebleuSampler, baseline: Any, system: Any) -> tuple[Any, ...]:
        sacrelogger.info(
            f" > Performing paired bootstrap resampling test (# resamples: {n_samples})"
        )
        p_value, scores = sampler.paired_bootstrap(baseline, system, n_samples)
        return p_value, *mean_and_half_width(scores)

    return sys_name, _results(baseline_info, sys_name, hypotheses, references, metrics, seed, test)


def _results(
    baseline_info: Baseline,
    sys_name: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    metrics: Mapping[str, Metric[Any]],
    seed: int | None,
    test: Callable[[SacrebleuSampler, Any, Any], tuple[Any, ...]],
) -> dict[str, Result]:
    """Return the result of a system for each metric, from a test of its statistics."""
    # All metrics score the same samples, also if the seed is a new one.
    shared_seed: Any = seed or np.random.SeedSequence().entropy
    results = {}
    for name, metric in metrics.items():
        sacrelogger.info(f"Computing {name} for {sys_name!r} and extracting sufficient statistics")
        stats = _count(metric, hypotheses, references)
        score = _score(metric, stats).score
        sampler, [baseline, system] = sampler_of(metric, shared_seed, baseline_info[name][0], stats)
        p_value, *interval = test(sampler, baseline, system)
        results[name] = Result(score, float(p_value), *interval)
    return results


# sacreBLEU's protocol: statistics of a metric, and their score, come from these methods.


def _count(metric: Metric[Any], hypotheses: Any, references: Any) -> list[list[Any]]:
    return metric._extract_corpus_statistics(hypotheses, references)


def _score(metric: Metric[Any], stats: list[list[Any]]) -> Score:
    # Some smoothings change the statistics that they score.
    score: Score = metric._aggregate_and_compute([list(row) for row in stats])
    return score


class PairedTest(Described):
    """Paired tests of systems against a baseline; prefer :func:`truebleu.compare` for new code.

    Parameters
    ----------
    named_systems : sequence of (str, sequence of str)
        The systems and their outputs; the first is the baseline.
    metrics : mapping of str to Metric
        Metrics by any name; results have the names of scores, such as ``chrF2``.
    references : sequence of sequences of str, or None
        Reference streams; None means the references given when the metric was created.
    test_type : {"ar", "bs"}
        Approximate randomization or bootstrap.
    n_samples : int, default 0
        The number of trials; 0 means 10,000 for ``ar`` and 1,000 for ``bs``.
    n_ar_confidence : int, default -1
        The number of bootstrap samples for confidence intervals beside ``ar``; 0 means 1,000, and
        -1 none.
    n_jobs : int, default 1
        Accepted for compatibility; has no effect.

    Raises
    ------
    AssertionError
        If the type of test is unknown.
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise AssertionError(f"Unknown test type {test_type!r}; choose ar or bs")
        self.test_type = test_type
        self._fn = _paired_ar_test if test_type == "ar" else _paired_bs_test
        self.references = references
        self.named_systems = named_systems
        self.n_jobs = n_jobs
        self._seed = seed_of_environment()
        default = self._DEFAULT_SAMPLES
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else default["bs"]
        self.n_samples = n_samples if n_samples > 0 else default[test_type]
        self.n_systems = len(named_systems) - 1
        self.metrics: dict[str, Metric[Any]] = {}
        self._baseline_info: dict[str, tuple[Any, Result]] = {}
        self._signatures: dict[str, Signature] = {}
        baseline, hypotheses = named_systems[0]
        for given_name, metric in metrics.items():
            sacrelogger.info(f"Pre-computing {given_name} statistics for {baseline!r}")
            stats = _count(metric, hypotheses, references)
            score = _score(metric, stats)
            result = Result(score.score)
            samples = self.n_samples if test_type == "bs" else self.n_ar_confidence
            if samples > 0:
                sampler, [table] = sampler_of(metric, self._seed, stats)
                result.mean, result.ci = mean_and_half_width(sampler.bootstrap(table, samples))
            # From here on, sacreBLEU uses the name of the score.
            self.metrics[score.name] = metric
            self._baseline_info[score.name] = stats, result
            signature = metric.get_signature()
            signature.update("seed", str(self._seed).lower())
            signature.update(test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                signature.update("bs", self.n_ar_confidence)
            self._signatures[score.name] = signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the tests; return the signatures, and the names and results of all systems."""
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric_name, (_, result) in self._baseline_info.items():
            scores[metric_name] = [result]
        for name, hypotheses in self.named_systems[1:]:
            settings = self.n_samples, self.n_ar_confidence, self._seed
            corpus = hypotheses, self.references, self.metrics
            _, results = self._fn(self._baseline_info, name, *corpus, *settings)
            for metric_name, result in results.items():
                scores[metric_name].append(result)
        return self._signatures, scores
