"""Test sets and files: what the command lists, prints and reads, and the error that ends it."""

from __future__ import annotations

import io
import sys

from truebleu.compat.sacrebleu import utils
from truebleu.compat.sacrebleu.utils import sacrelogger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

LOGICAL_ERROR, WRONG_FIELDS, CLOSED_PIPE = 1, 17, 141


class FatalError(Exception):
    """An error that sacreBLEU logs, one message per line, before it exits with a code."""

    def __init__(self, *lines: str, code: int = LOGICAL_ERROR) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.code = code


def check_test_sets(test_sets: str, langpair: str | None) -> None:
    """Refuse test sets, separated by commas, and language pairs that do not exist."""
    names = test_sets.split(",")
    for name in names:
        if name not in utils.DATASETS:
            raise FatalError(
                f"Unknown test set {name!r}",
                "Please run with --list to see the available test sets.",
            )
    for name in names:
        pairs = utils.get_langpairs_for_testset(name)
        if langpair is not None and langpair not in pairs:
            raise FatalError(
                f"No such language pair {langpair!r}",
                f"Available language pairs for {name!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def print_list(args: Namespace) -> None:
    """Print all test sets, or the fields of one."""
    if args.test_set:
        if args.langpair:
            check_test_sets(args.test_set, args.langpair)
        pairs = [args.langpair] if args.langpair else utils.get_langpairs_for_testset(args.test_set)
        for pair in pairs:
            print(f"{pair}: {', '.join(utils.DATASETS[args.test_set].fieldnames(pair))}")
        return
    names = utils.get_available_testsets()
    if args.langpair:
        names = utils.get_available_testsets_for_langpair(args.langpair)
    print(f"The available test sets{f' for {args.langpair}' if args.langpair else ''} are:")
    for name in sorted(names):
        print(f"{name:<30}: {str(utils.DATASETS[name].description).strip()}")


def print_citations(args: Namespace) -> None:
    """Print where the papers about test sets are."""
    if not args.test_set:
        raise FatalError("I need a test set (-t).")
    check_test_sets(args.test_set, None)
    for name in args.test_set.split(","):
        citation = utils.DATASETS[name].citation
        if citation is None:
            sacrelogger.error(f"No citation found for {name}")
        else:
            print(citation)


def _reference_files(test_sets: str, langpair: str) -> list[list[str]]:
    groups = []
    for name in test_sets.split(","):
        groups.append(utils.get_reference_files(name, langpair))
        if not groups[-1]:
            found = [
                field
                for field in utils.DATASETS[name].fieldnames(langpair)
                if field.startswith("ref")
            ]
            raise FatalError(
                f"No references found for test set {name}/{langpair}.",
                f"Its file has only {', '.join(found)}, which are not for scoring.",
            )
    return groups


def read_references(args: Namespace) -> list[list[str]]:
    """Read the reference streams; several test sets are concatenated."""
    groups = [args.refs]
    if args.test_set is not None:
        groups = _reference_files(args.test_set, args.langpair)
    if any(len(paths) > len(groups[0]) for paths in groups):
        raise FatalError(f"The test sets {args.test_set} differ in their references.")
    streams: list[list[str]] = [[] for _ in range(max(len(groups[0]), args.num_refs))]
    for paths in groups:
        for path_index, path in enumerate(paths):
            with utils.smart_open(path, encoding=args.encoding) as file:
                lines = [line.rstrip() for line in file]
            if args.num_refs == 1:
                streams[path_index] += lines
                continue
            for line_number, line in enumerate(lines, 1):
                fields = line.split("\t", args.num_refs - 1)
                if len(fields) != args.num_refs:
                    raise FatalError(
                        f"FATAL: line {line_number}: expected {args.num_refs} fields, but found "
                        f"{len(fields)}.",
                        code=WRONG_FIELDS,
                    )
                for stream, text in zip(streams, fields, strict=True):
                    stream.append(text)
    return streams


def read_systems(args: Namespace) -> tuple[list[str], list[list[str]]]:
    """Read the names and outputs of the systems: files, or columns of standard input."""
    if args.input is None:
        return _read_columns(args)
    names: list[str] = []
    systems = []
    for path in args.input:
        if path in names:
            if (args.paired_ar or args.paired_bs) and path == names[0]:
                sacrelogger.info(f"Ignoring {path!r} as it was also given as the baseline.")
                continue
            raise FatalError(
                f"{path!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
        with utils.smart_open(path, encoding=args.encoding) as file:
            systems.append([line.rstrip() for line in file])
        names.append(path)
    return names, systems


def _read_columns(args: Namespace) -> tuple[list[str], list[list[str]]]:
    stream = io.TextIOWrapper(sys.stdin.buffer, encoding=args.encoding)
    first = stream.readline().rstrip().split("\t")
    systems = [[text] for text in first]
    for line in stream:
        fields = line.rstrip().split("\t")
        if len(fields) != len(systems):
            raise FatalError(
                "FATAL: the number of tab-delimited fields in the input stream differ across "
                "lines.",
                code=WRONG_FIELDS,
            )
        for system, text in zip(systems, fields, strict=True):
            system.append(text.rstrip())
    return [f"System {number}" for number in range(1, len(systems) + 1)], systems


def check(args: Namespace, systems: list[list[str]]) -> None:
    """Refuse what sacreBLEU refuses after it has read all files."""
    paired = args.paired_ar or args.paired_bs
    if args.sentence_level and len(systems) > 1:
        raise FatalError("Only one system can be evaluated in sentence-level mode.")
    if args.sentence_level and (args.confidence or paired):
        raise FatalError("Statistical tests are unavailable in sentence-level mode.")
    if paired and len(systems) == 1:
        raise FatalError("Paired tests require multiple input systems given to --input (-i).")
    if args.confidence and len(systems) > 1:
        raise FatalError("Use paired tests (--paired) for multiple systems.")


def select(
    args: Namespace, systems: list[list[str]], references: list[list[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the segments of the documents that were asked for."""
    _refuse_empty(args, systems)
    for system in systems:
        utils.sanity_check_lengths(system, references, args.test_set)
    streams = utils.filter_subset(
        [*systems, *references], args.test_set, args.langpair, args.origlang, args.subset
    )
    kept = list(streams[: len(systems)]), list(streams[len(systems) :])
    _refuse_empty(args, kept[0])
    return kept


def _refuse_empty(args: Namespace, systems: list[list[str]]) -> None:
    if all(systems):
        return
    conditions = [f" origlang={args.origlang}"] if args.origlang else []
    if args.subset:
        # sacreBLEU says it twice.
        conditions.append(f" subset={args.subset}{args.subset}")
    filtered = args.origlang is not None or args.subset is not None
    message = f"Test set {args.test_set!r} contains no sentence{' with' if filtered else ''}"
    raise FatalError(message + "".join(conditions))
