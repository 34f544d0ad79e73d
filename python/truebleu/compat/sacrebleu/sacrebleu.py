"""sacreBLEU's command under the names of sacreBLEU's module."""

from __future__ import annotations

import sys

from truebleu.compat.sacrebleu import DATASETS, cli
from truebleu.compat.sacrebleu import __version__ as VERSION  # noqa: N812  # As in sacreBLEU.
from truebleu.compat.sacrebleu.cli import arguments
from truebleu.compat.sacrebleu.metrics import METRICS
from truebleu.compat.sacrebleu.utils import (
    Color,
    args_to_dict,
    download_test_set,
    filter_subset,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_langpairs_for_testset,
    get_reference_files,
    print_results_table,
    print_single_results,
    print_subset_results,
    print_test_set,
    sacrelogger,
    sanity_check_lengths,
    smart_open,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

__all__ = [
    "DATASETS",
    "METRICS",
    "VERSION",
    "Color",
    "args_to_dict",
    "download_test_set",
    "filter_subset",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_langpairs_for_testset",
    "get_reference_files",
    "main",
    "parse_args",
    "print_results_table",
    "print_single_results",
    "print_subset_results",
    "print_test_set",
    "sacrelogger",
    "sanity_check_lengths",
    "smart_open",
]


def parse_args() -> Namespace:
    """Parse the arguments of the process."""
    return arguments.parse(None)


def main() -> None:
    """Run the command with the arguments of the process, which ends if it fails."""
    code = cli.main()
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()
