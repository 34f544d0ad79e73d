"""Comparisons of systems, and reports on them."""

import warnings
from pathlib import Path
from typing import assert_type

from truebleu import (
    Bleu,
    Comparison,
    Comparisons,
    GivenScores,
    Report,
    SavedStats,
    Score,
    SmallSampleWarning,
    Stats,
    Ter,
    compare,
    compare_runs,
    compare_sets,
    compare_unpaired,
    confidence_interval,
    decompose,
    read_lines,
    read_stats,
    report,
)
from truebleu.analysis.correlation import Correlation
from truebleu.analysis.decompose import Decomposition
from truebleu.meta import (
    JudgedSet,
    MeasuredMetric,
    MetaEvaluation,
    MetaEvaluations,
    MetricPair,
    Ranking,
    meta_evaluate,
    read_esa,
    read_judged_set,
    read_mqm,
    read_segment_scores,
)
from truebleu.metrics.explanation import DifferencePart
from truebleu.metrics.segment_scores import AverageScore, SegmentScores
from truebleu.reporting.results import Reports
from truebleu.significance.means import MeanScore
from truebleu.significance.pair import ComparedSystem, Interval, Pair
from truebleu.significance.paper import PaperTable

warnings.simplefilter("ignore", SmallSampleWarning)
systems = {name: read_lines(f"examples/system-{name}.en") for name in ("strong", "weak")}
references = read_lines("examples/reference-a.en")

comparison = compare(
    systems, references, metrics=Bleu(lowercase=True), n_resamples=100, seed=1, units=8
)
assert_type(comparison, Comparison)
assert_type(comparison.ranked(), list[ComparedSystem])
assert_type(comparison.systems["weak"].score, Score)
assert_type(comparison.systems["weak"].interval, Interval | None)
why = decompose(comparison.systems["strong"].score, comparison.systems["weak"].score)
assert_type(why, Decomposition)
assert_type(why.parts, tuple[DifferencePart, ...])
pair = comparison.pair("strong", "weak")
assert_type(pair, Pair)
assert_type(pair.delta, float)
assert_type(pair.mirrored().significant, bool)
assert_type(comparison.clusters, tuple[tuple[str, ...], ...] | None)
assert_type(comparison.to_markdown(), str)
assert_type(comparison.to_latex("tab:own"), str)
assert_type(comparison.to_csv(), str)
paper = comparison.paper()
assert_type(paper, PaperTable)
assert_type(paper.methods + paper.to_latex(), str)

several = compare(systems, references, metrics=["bleu", Ter()], n_resamples=100)
assert_type(several, Comparisons)
assert_type(several["TER"], Comparison)
assert_type(several.paper(), PaperTable)
assert_type(several.disagreements, tuple[tuple[str, str], ...])
assert_type([name for name, _ in several.items()], list[str])

counted = {name: Bleu().stats(texts, references) for name, texts in systems.items()}
saved = SavedStats(counted, "bleu", batch="day")
assert_type(saved.stats(), dict[str, Stats])
assert_type(saved.select(batches=["day"]).scores("bleu"), dict[str, Score])
assert_type(compare(saved, n_resamples=100), Comparison)
read: SavedStats = read_stats("stats.jsonl") if Path("stats.jsonl").exists() else saved

scores = read_segment_scores("examples/ratings.seg.score")
assert_type(scores, dict[str, list[float | None]])
ratings = {name: scores[f"system-{name}"] for name in systems}
beside = compare(systems, references, scores={"ratings": ratings}, n_resamples=100)
assert_type(beside, Comparisons)
errors = GivenScores(ratings, lower_is_better=True)
assert_type(compare(systems, scores={"errors": errors}, n_resamples=100), Comparisons)
elsewhere = SegmentScores("ratings", lower_is_better=False)
average = elsewhere.score(elsewhere.from_scores(ratings["weak"]))
assert_type(average, AverageScore)
assert_type(average.segments, int)

of_runs = compare_runs(
    {name: [texts, texts] for name, texts in systems.items()}, references, n_resamples=100
)
assert_type(of_runs, Comparison)
assert_type(of_runs.pairs[0].between_runs, float | None)
judged = meta_evaluate(ratings, systems, references, metrics=["ter"], n_trials=20)
assert_type(judged, MetaEvaluation)
assert_type(judged["acc-eq"], Ranking)
assert_type(judged["acc-eq"]["TER"], MeasuredMetric)
assert_type(judged["acc-eq"].pairs, tuple[MetricPair, ...])
assert_type(judged.average_ranks(), dict[str, float])
assert_type(MetaEvaluations(evaluations={"en-de": judged}).average_ranks(), dict[str, float])
if Path("mt-metrics-eval-v2").exists():
    assert_type(read_judged_set("mt-metrics-eval-v2/wmt24", "en-de"), JudgedSet)
    assert_type(read_esa("esa.jsonl", "en-cs", reference="refA"), JudgedSet)
    assert_type(read_mqm("mqm.tsv").evaluate(metrics=["bleu"]), MetaEvaluation)
by_set = compare_sets({"one": (systems, references)}, n_resamples=100)
assert_type(by_set, Comparisons)
assert_type(by_set["one"], Comparison)
assert by_set.average is not None
assert_type(by_set.paper(), PaperTable)
of_average = by_set.average.systems["weak"].score
assert isinstance(of_average, MeanScore)
assert_type(of_average.scores, tuple[Score, ...])

interval = confidence_interval(systems["weak"], references, metrics="chrf", n_resamples=100)
assert_type(interval, Interval)
assert_type((interval.low, interval.high), tuple[float, float])
assert_type(interval.notes, tuple[str, ...])
weeks = compare_unpaired({"this": (systems["weak"], references), "last": counted["strong"]})
assert_type(weeks, Comparison)


def write(folder: Path) -> None:
    """Write reports."""
    made = report(systems, references, n_resamples=100, title="One metric")
    assert_type(made, Report)
    made.write(folder / "report.html")
    made.chart("scores", width="column").save(folder / "scores.svg")
    of_metrics = report(systems, references, n_resamples=100, metrics=["bleu", "ter"])
    assert_type(of_metrics, Reports)
    assert_type(of_metrics["BLEU"].comparison, Comparison | None)
    of_scores = report(systems, references, scores={"ratings": ratings}, n_resamples=100)
    assert_type(of_scores, Reports)
    assert_type(of_scores.correlations, tuple[Correlation, ...])
    assert_type(of_scores.correlations[0].kendall_by_item, float | None)
