"""A table of the test sets, and a check that their archives are the published ones."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from truebleu.compat.sacrebleu.cache import download_file, get_md5sum
from truebleu.compat.sacrebleu.dataset import DATASETS
from truebleu.errors import DownloadError


def main(arguments: list[str]) -> int:
    """Run the command: the name of the program, and an option; return its exit code."""
    command = arguments[1] if len(arguments) > 1 else None
    if command is None:
        print(f"Usage: {arguments[0]} --check | --dump")
        return 1
    if command == "--check":
        return _check()
    if command == "--dump":
        print(f"| {'Dataset':<30} | {'Description':<115} |")
        print(f"| {'-' * 30} | {'-' * 115} |")
        for name, dataset in DATASETS.items():
            description = re.sub(r"(https?://\S+)", r"[URL](\1)", str(dataset.description))
            print(f"| {name:<30} | {description:<115} |")
    return 0


def _check() -> int:
    """Download every archive, print which differ from the published ones, and return the code."""
    published = {
        url: md5
        for dataset in DATASETS.values()
        for url, md5 in zip(dataset.data or [], dataset.md5 or [], strict=True)
    }
    for url, md5 in published.items():
        print("Downloading ", url)
        with TemporaryDirectory() as folder:
            path = str(Path(folder) / "archive")
            try:
                download_file(url, path)
            except DownloadError as error:
                print(error)
                return 1
            if get_md5sum(path) != md5:
                print("MD5 check failed for", url)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
