"""``truebleu meta``: which metric agrees with people."""

from __future__ import annotations

from truebleu.cli.files import read_lines
from truebleu.cli.options import add_resampling, add_threads
from truebleu.cli.output import add_format, write
from truebleu.errors import SettingsError
from truebleu.inputs.forms import DOCUMENT
from truebleu.significance.design import RESAMPLING
from truebleu.test_sets.score_files import read_segment_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


_RESAMPLING = {
    **{name: RESAMPLING[name] for name in ("alternative", "alpha", "seed")},
    "n_resamples": 1000,
    "n_trials": 1000,
}


def add_options(command: ArgumentParser) -> None:
    command.description = (
        "Measure how well metrics agree with human scores, and test which agrees better. Files "
        "have lines of a system, a tab and a score, as in mt-metrics-eval; None is a missing "
        "score. truebleu mtme writes such files for BLEU, chrF and TER."
    )
    command.add_argument("gold", metavar="GOLD", help="the file of human scores; higher is better")
    command.add_argument(
        "metrics",
        nargs="+",
        metavar="NAME=FILE",
        help="a metric and the file of its scores, such as COMET=comet.seg.score",
    )
    command.add_argument(
        "--lower-is-better",
        action="append",
        metavar="NAME",
        help="a lower score is better under this metric; can be repeated",
    )
    command.add_argument(
        "--measures",
        nargs="+",
        metavar="MEASURE",
        help="pairwise-accuracy, spa and system-pearson for systems; acc-eq, acc, pearson, "
        "kendall, which can be averaged over groups (:none, :item, :system), and "
        "pearson-of-differences for outputs (default: pairwise-accuracy spa acc-eq pearson "
        "kendall:item)",
    )
    add_resampling(command.add_argument_group("resampling"), _RESAMPLING)
    add_threads(command)
    add_format(command.add_argument_group("output"))


def run(options: Namespace) -> None:
    # NumPy is slow to load, and not every command needs it.
    from truebleu.meta_evaluation.evaluate import meta_evaluate

    scores = {}
    for given in options.metrics:
        name, equals, path = given.partition("=")
        if not (name and equals and path):
            raise SettingsError(f"{given}: NAME=FILE is needed, such as COMET={given}")
        if name in scores:
            raise SettingsError(f"{name} is given twice")
        scores[name] = read_segment_scores(path)
    how = {name: getattr(options, name) for name in _RESAMPLING}
    if options.measures is not None:
        how["measures"] = options.measures
    if options.documents is not None:
        how["documents"] = read_lines(options.documents, DOCUMENT)
    found = meta_evaluate(
        read_segment_scores(options.gold),
        scores=scores,
        lower_is_better=options.lower_is_better or (),
        threads=options.threads,
        **how,
    )
    write(options, lambda _: found.blocks(), found.to_dict)
