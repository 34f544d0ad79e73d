"""Test sets by name, whose files are downloaded if necessary, and what the command is made of."""

from __future__ import annotations

import math
import os
import sys
from typing import Any

from truebleu.compat.sacrebleu.cache import SACREBLEU_DIR as SACREBLEU_DIR
from truebleu.compat.sacrebleu.cache import download_file as download_file
from truebleu.compat.sacrebleu.cache import extract_tarball as extract_tarball
from truebleu.compat.sacrebleu.cache import get_md5sum as get_md5sum
from truebleu.compat.sacrebleu.cache import sacrelogger as sacrelogger
from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.compat.sacrebleu.dataset import DATASETS as DATASETS
from truebleu.compat.sacrebleu.dataset import SUBSETS as SUBSETS
from truebleu.compat.sacrebleu.printing import Color as Color
from truebleu.compat.sacrebleu.printing import _format_score_lines as _format_score_lines
from truebleu.compat.sacrebleu.printing import print_results_table as print_results_table
from truebleu.compat.sacrebleu.printing import print_single_results as print_single_results
from truebleu.compat.sacrebleu.subsets import filter_subset as filter_subset
from truebleu.compat.sacrebleu.subsets import get_available_origlangs as get_available_origlangs
from truebleu.compat.sacrebleu.subsets import get_available_subsets as get_available_subsets
from truebleu.compat.sacrebleu.subsets import print_subset_results as print_subset_results
from truebleu.errors import InputError, UnknownNameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from truebleu.compat.sacrebleu.dataset.base import Dataset

USERHOME = os.path.expanduser("~")  # noqa: PTH111  # A str, as there.


def my_log(num: float) -> float:
    """Return the natural logarithm of a number; of 0, a very low number."""
    return -9999999999 if num == 0 else math.log(num)


def sum_of_lists(lists: Any) -> Any:
    """Add up rows of numbers, one row after the other; a single row is returned as it is."""
    if len(lists) == 1:
        return lists[0]
    # Zero of the type of the first number.
    zero = type(lists[0][0])(0.0)
    total = [zero] * len(lists[0])
    for row in lists:
        total = [sum_so_far + row[column] for column, sum_so_far in enumerate(total)]
    return total


def args_to_dict(args: Namespace, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """Return the options whose names begin with a prefix and an underscore."""
    start = f"{prefix}_"
    return {
        name.replace(start, "") if strip_prefix else name: value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def sanity_check_lengths(
    system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None
) -> None:
    """End the process with code 1 if a reference stream is not as long as the system."""
    if all(len(stream) == len(system) for stream in refs):
        return
    sacrelogger.error("System and reference streams have different lengths.")
    if test_set:
        for line in (
            "This could be an issue with your system output or with sacreBLEU's reference database "
            "if -t is given.",
            "For the latter, try cleaning out the cache by typing:\n",
            f"  rm -r {SACREBLEU_DIR}/{test_set}\n",
            "The test sets will be re-downloaded the next time you run sacreBLEU.",
        ):
            sacrelogger.error(line)
    sys.exit(1)


def _dataset(test_set: str) -> Dataset:
    if test_set not in DATASETS:
        raise UnknownNameError(
            f"No such test set {test_set}; get_available_testsets() returns all of them"
        )
    return DATASETS[test_set]


def get_available_testsets() -> list[str]:
    """Return the names of all test sets, in reverse order."""
    return sorted(DATASETS, reverse=True)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """Return the language pairs of a test set; none if there is no such test set."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """Return the names of the test sets that have a language pair, in either direction."""
    source, hyphen, target = langpair.partition("-")
    if not hyphen:
        raise InputError(
            f"language pair {langpair!r} has one language; give source and target, such as en-de"
        )
    target = target.partition("-")[0]
    pairs = {f"{source}-{target}", f"{target}-{source}"}
    return [dataset.name for dataset in DATASETS.values() if pairs & {*dataset.langpairs}]


def get_source_file(test_set: str, langpair: str) -> str:
    """Return the path of the source of a test set, which is downloaded if necessary."""
    return _dataset(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Return the paths of the references that a test set is scored with, if it has any."""
    return _dataset(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """Return the paths of all fields of a test set; see :func:`get_source_file`."""
    return _dataset(test_set).get_files(langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a language pair of a test set, by default all; return the paths of its fields."""
    dataset = _dataset(test_set)
    pairs = dataset.langpairs if langpair is None else [langpair]
    return [path for pair in pairs for path in dataset.get_files(pair)]


def print_test_set(
    test_set: str,
    langpair: str,
    requested_fields: Sequence[str],
    origlang: str | None = None,
    subset: str | None = None,
) -> None:
    """Print fields of a test set side by side, separated by tabs.

    Fields are such as ``src`` and ``ref:A``, or only ``all``. If references have names, ``ref``
    stands for the first. The process ends with code 1 if a field does not exist.
    """
    dataset = _dataset(test_set)
    files = dict(zip(dataset.fieldnames(langpair), dataset.get_files(langpair), strict=True))
    if "all" in requested_fields and len(requested_fields) != 1:
        sacrelogger.error("Cannot use --echo all with other fields")
        sys.exit(1)
    first = min((field for field in files if field.startswith("ref")), default="ref")
    names = list(files) if "all" in requested_fields else list(requested_fields)
    if "ref" not in files:
        names = [first if name == "ref" else name for name in names]
    for name in names:
        if name not in files:
            sacrelogger.error(
                f"No such field {name} in test set {test_set} for language pair {langpair}."
            )
            sacrelogger.error(f"available fields for {test_set}/{langpair}: {', '.join(files)}")
            if "ref" not in files:
                sacrelogger.error(
                    f"'ref' also allowed for backwards compatibility (will return {first})"
                )
            sys.exit(1)
    columns = []
    for name in names:
        with smart_open(files[name]) as file:
            columns.append([line.rstrip() for line in file])
    lengths = {name: len(column) for name, column in zip(names, columns, strict=True)}
    shortest = min(lengths, key=lengths.__getitem__)
    if lengths[shortest] != max(lengths.values()):
        # sacreBLEU stops there without a word.
        sacrelogger.warning(
            f"{files[shortest]} has only {lengths[shortest]:,} lines, another field has "
            f"{max(lengths.values()):,}: lines after that are not printed, and those before it may "
            "not belong together"
        )
        columns = [column[: lengths[shortest]] for column in columns]
    kept = filter_subset(columns, test_set, langpair, origlang, subset)
    for row in zip(*kept, strict=True):
        print("\t".join(row))
