"""``truebleu audit``: what other tools would report, and why."""

from __future__ import annotations

from functools import partial

from truebleu.analysis.dialects.corpus import AUDITED
from truebleu.cli.given import given_from
from truebleu.cli.output import add_format, write
from truebleu.cli.systems import read_systems
from truebleu.cli.tabular import add_input
from truebleu.errors import SettingsError, SettingsWarning, UnknownNameError
from truebleu.intake.systems import SystemFile, refuse_twice
from truebleu.metrics.bleu.dialects import CALLS
from truebleu.metrics.dialects import DIALECTS
from truebleu.metrics.registry import metric_from_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.intake.given import Given

    Texts = tuple[list[str], list[list[str]]]


def add_options(command: Command) -> None:
    add_input(
        command,
        "Score a system as each tool would, and explain the differences.",
        several=False,
        text=True,
    )
    add_audited_metric(command)
    output = command.add_argument_group("output")
    output.add_argument(
        "--explain",
        nargs=2,
        metavar=("ONE", "OTHER"),
        help="why two scores differ, each of which is a signature, or a tool: "
        f"{', '.join([*DIALECTS, *CALLS])}",
    )
    output.add_argument(
        "--other-system", metavar="FILE", help="the output that OTHER scores (default: SYSTEM)"
    )
    output.add_argument(
        "--other-references",
        nargs="+",
        metavar="FILE",
        help="the references of OTHER (default: those of ONE)",
    )
    add_format(output)


def add_audited_metric(command: Command) -> None:
    """Add the metric, one of those that other tools compute in their own ways."""
    command.add_argument_group("settings").add_argument(
        "-m",
        "--metric",
        "--metrics",
        type=str.lower,
        choices=AUDITED,
        default="bleu",
        help="the metric that the tools compute (default: bleu)",
    )


def run(options: Namespace) -> None:
    """Print a row for each dialect, or the reasons why two scores differ."""
    from truebleu.analysis.audit import audit
    from truebleu.analysis.decompose import decompose

    is_other = options.other_system is not None or options.other_references is not None
    if is_other and options.explain is None:
        raise SettingsError("--other-system and --other-references need --explain ONE OTHER")
    given = given_from(options, several=False)
    other_given = _other(options)
    if other_given is not None and not options.text:
        refuse_twice([*given.files, *other_given.files])
    texts = _read(given)
    if options.explain is None:
        import warnings

        with warnings.catch_warnings():
            # What is odd about the text is the first thing that the result says.
            warnings.simplefilter("ignore", SettingsWarning)
            found = audit(*texts, threads=options.threads, metric=options.metric)
        write(options, lambda _: found.blocks(), found.to_dict, given.test_set)
        return
    corpora = texts, texts if other_given is None else _read(other_given)
    one, other = map(partial(_scored, options), options.explain, corpora)
    difference = decompose(one, other, *corpora)
    write(
        options,
        lambda plain: difference.blocks(plain=plain),
        difference.to_dict,
        given.test_set,
    )


def _other(options: Namespace) -> Given | None:
    """Return what the other score was computed from, if that is something else."""
    system, references = options.other_system, options.other_references
    if system is None and references is None:
        return None
    systems = None if system is None else [SystemFile(system)]
    return given_from(options, several=False, systems=systems, references=references)


def _read(given: Given) -> Texts:
    systems, references = read_systems(given)
    [hypotheses] = systems.values()
    return hypotheses, references


def _scored(options: Namespace, name: str, texts: Texts) -> Any:
    """Return the score of a tool, or under the settings of a signature."""
    from truebleu.analysis.audit import audit

    # Signatures of sacreBLEU 1 have no colons.
    if ":" in name or "+case." in name:
        return metric_from_signature(name).corpus(*texts, threads=options.threads)
    found = audit(*texts, threads=options.threads, metric=options.metric)
    try:
        return found[name]
    except UnknownNameError as error:
        raise UnknownNameError(f"{error} (or give the signature of a score)") from None
