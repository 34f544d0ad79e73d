"""``truebleu audit``: what other tools would report, and which settings give a number."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import AUDITED
from truebleu.cli.given import given_from, name_of, read_systems
from truebleu.cli.options import add_input
from truebleu.cli.output import Bar, add_format, write
from truebleu.display.blocks import Block
from truebleu.errors import SettingsError, SettingsWarning, UnknownNameError
from truebleu.metrics.bleu.dialects import CALLS
from truebleu.metrics.dialects import DIALECTS
from truebleu.metrics.registry import explain_signature, metric_from_signature
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.intake.given import Given

    Texts = tuple[list[str], list[list[str]]]


def add_options(command: Command) -> None:
    add_input(
        command,
        "Score a system as each tool would, and explain the differences; or search for the "
        "settings that give a published score.",
        several=True,
    )
    settings = command.add_argument_group("settings")
    settings.add_argument(
        *("-m", "--metric", "--metrics"),
        type=str.lower,
        choices=AUDITED,
        default="bleu",
        help=f"the metric that the tools compute: {' or '.join(AUDITED)} (default: bleu)",
    )
    settings.add_argument(
        "--target",
        nargs="+",
        metavar="X",
        help="search for the settings that give this score, as it was printed, such as 27.3; of "
        "several systems, NAME=X for each",
    )
    settings.add_argument(
        "--max-seconds",
        type=float,
        default=60.0,
        metavar="N",
        help="how long to search; the rarest causes are tried last (default: 60)",
    )
    output = command.add_argument_group("output")
    output.add_argument(
        "--explain",
        nargs=2,
        instead_of_arguments=True,
        metavar=("ONE", "OTHER"),
        help="why two scores differ, each of which is a signature, or a tool: "
        f"{', '.join([*DIALECTS, *CALLS])}; without SYSTEM, how two signatures differ",
    )
    add_format(output)


def run(options: Namespace) -> None:
    """Print a row for each dialect, why two scores differ, or what gives a published score."""
    if options.explain is not None and not options.systems:
        _compare_signatures(options)
    elif options.target is None:
        _audit(options)
    elif options.explain is not None:
        raise SettingsError("--target searches for settings, and --explain compares two: give one")
    else:
        _search(options)


def _compare_signatures(options: Namespace) -> None:
    """Print the fields in which two signatures differ, and what they mean."""
    tools = [*DIALECTS, *CALLS]
    for each in options.explain:
        if not _is_signature(each) and each not in tools:
            raise unknown_name("tool", each, tools, ", or give the signature of a score")
    if options.references or options.test_set or not all(map(_is_signature, options.explain)):
        raise SettingsError("SYSTEM is missing: the output to score; only two signatures need none")
    one, other = (
        {name.partition(":")[0]: text for name, text in explain_signature(each).items()}
        for each in options.explain
    )
    fields = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    found = {name: [one.get(name), other.get(name)] for name in fields}
    rows = [("", [name, *(text or "" for text in texts)]) for name, texts in found.items()]
    same = [] if found else ["the signatures have the same meaning"]
    block = Block(header=("field", "ONE", "OTHER"), rows=rows, lines=same)
    write(options, lambda _: [block], lambda: found)


def _audit(options: Namespace) -> None:
    from truebleu.analysis.audit import audit
    from truebleu.analysis.decompose import decompose

    if len(options.systems) > 1:
        raise SettingsError(
            f"without --target, it takes one SYSTEM at a time; run it again for "
            f"{options.systems[1]}"
        )
    given = given_from(options, several=False)
    systems, references, _ = read_systems(given)
    [hypotheses] = systems.values()
    texts = hypotheses, references
    if options.explain is None:
        import warnings

        with warnings.catch_warnings():
            # What is odd about the text is the first thing that the result says.
            warnings.simplefilter("ignore", SettingsWarning)
            found = audit(*texts, threads=options.threads, metric=options.metric)
        write(options, lambda _: found.blocks(), found.to_dict, given.test_set)
        return
    one, other = (_scored(options, name, texts) for name in options.explain)
    difference = decompose(one, other, texts)
    write(
        options,
        lambda plain: difference.blocks(plain=plain),
        difference.to_dict,
        given.test_set,
    )


def _is_signature(name: str) -> bool:
    # Signatures of sacreBLEU 1 have no colons.
    return ":" in name or "+case." in name


def _scored(options: Namespace, name: str, texts: Texts) -> Any:
    """Return the score of a tool, or under the settings of a signature."""
    from truebleu.analysis.audit import audit

    if _is_signature(name):
        return metric_from_signature(name).corpus(*texts, threads=options.threads)
    found = audit(*texts, threads=options.threads, metric=options.metric)
    try:
        return found[name]
    except UnknownNameError as error:
        raise UnknownNameError(f"{error} (or give the signature of a score)") from None


def _search(options: Namespace) -> None:
    """Print the verdict, and the settings that give the scores, or the nearest."""
    from truebleu.analysis.audit import audit

    given = given_from(options)
    systems, references, _ = read_systems(given)
    with Bar("searching") as bar:
        found = audit(
            systems,
            references,
            target=_targets(options, given, list(systems)),
            threads=options.threads,
            metric=options.metric,
            max_seconds=options.max_seconds,
            progress=bar.update,
        )
    write(
        options,
        lambda _: found.blocks(references=given.references),
        found.to_dict,
        given.test_set,
    )


def _targets(options: Namespace, given: Given, systems: list[str]) -> dict[str, str]:
    if len(systems) == 1 and len(options.target) == 1:
        return {systems[0]: options.target[0].rpartition("=")[2]}
    targets = {}
    for text in options.target:
        named, equals, number = text.rpartition("=")
        name = name_of(named, given) if equals else None
        if name not in systems:
            raise SettingsError(
                f"--target {text}: of several systems, each needs a target such as "
                f"{systems[0]}=27.3; the systems are {', '.join(systems)}"
            )
        targets[name] = number
    missing = [name for name in systems if name not in targets]
    if missing:
        raise SettingsError(f"--target: there is none for {', '.join(missing)}")
    return targets
