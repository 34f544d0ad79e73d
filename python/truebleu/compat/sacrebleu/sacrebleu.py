"""sacreBLEU's command under the names of sacreBLEU's module."""

from __future__ import annotations

import sys
from argparse import Namespace

from truebleu.compat.sacrebleu import DATASETS as DATASETS
from truebleu.compat.sacrebleu import __version__ as VERSION  # noqa: F401, N812
from truebleu.compat.sacrebleu import cli
from truebleu.compat.sacrebleu.cli import arguments
from truebleu.compat.sacrebleu.metrics import METRICS as METRICS
from truebleu.compat.sacrebleu.utils import Color as Color
from truebleu.compat.sacrebleu.utils import args_to_dict as args_to_dict
from truebleu.compat.sacrebleu.utils import download_test_set as download_test_set
from truebleu.compat.sacrebleu.utils import filter_subset as filter_subset
from truebleu.compat.sacrebleu.utils import get_available_testsets as get_available_testsets
from truebleu.compat.sacrebleu.utils import (
    get_available_testsets_for_langpair as get_available_testsets_for_langpair,
)
from truebleu.compat.sacrebleu.utils import get_langpairs_for_testset as get_langpairs_for_testset
from truebleu.compat.sacrebleu.utils import get_reference_files as get_reference_files
from truebleu.compat.sacrebleu.utils import print_results_table as print_results_table
from truebleu.compat.sacrebleu.utils import print_single_results as print_single_results
from truebleu.compat.sacrebleu.utils import print_subset_results as print_subset_results
from truebleu.compat.sacrebleu.utils import print_test_set as print_test_set
from truebleu.compat.sacrebleu.utils import sacrelogger as sacrelogger
from truebleu.compat.sacrebleu.utils import sanity_check_lengths as sanity_check_lengths
from truebleu.compat.sacrebleu.utils import smart_open as smart_open


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
