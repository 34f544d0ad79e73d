"""Files: plain and compressed, and test sets that are on disk."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import IO, Any

from truebleu.errors import InputError

SACREBLEU_DIR = os.path.expanduser(os.environ.get("SACREBLEU", "~/.sacrebleu"))  # noqa: PTH111  # A str, as there.


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a text file, compressed if its name ends in .gz; only a line feed ends a line."""
    opener: Any = gzip.open if file.endswith(".gz") else open
    opened: IO[Any] = opener(file, mode=mode, encoding=encoding, newline="\n")
    return opened


def _folder() -> Path:
    """Return where sacreBLEU keeps test sets; the variable may have changed."""
    return Path(os.environ.get("SACREBLEU", SACREBLEU_DIR)).expanduser()


def fields_of(test_set: str, langpair: str) -> dict[str, str]:
    """Return the files of a test set on disk by field, such as ``src`` and ``ref``."""
    prefix = f"{test_set.replace('/', '_')}.{langpair}."
    found = sorted((_folder() / test_set).glob(f"{prefix}*"))
    fields = {path.name.removeprefix(prefix).replace("-", ":", 1): str(path) for path in found}
    # The source comes first, then the references.
    return dict(sorted(fields.items(), key=lambda item: (item[0] != "src", item[0])))


def get_available_testsets() -> list[str]:
    """List the test sets that are on disk."""
    folder = _folder()
    names = {
        path.parent.relative_to(folder).as_posix()
        for path in folder.glob("**/*.*-*.*")
        if path.is_file()
    }
    return sorted((name for name in names if get_langpairs_for_testset(name)), reverse=True)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """List the language pairs of a test set on disk."""
    prefix = f"{testset.replace('/', '_')}."
    names = (path.name for path in sorted((_folder() / testset).glob(f"{prefix}*-*.*")))
    return list(dict.fromkeys(name.removeprefix(prefix).split(".")[0] for name in names))


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """List the test sets on disk that have a language pair, or the one the other way round."""
    pairs = {langpair, "-".join(reversed(langpair.split("-")))}
    return [name for name in get_available_testsets() if pairs & {*get_langpairs_for_testset(name)}]


def get_source_file(test_set: str, langpair: str) -> str:
    """Return the file of the source."""
    return _files(test_set, langpair, "src")[0]


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Return the files of the references."""
    return _files(test_set, langpair, "ref")


def _files(test_set: str, langpair: str, start: str) -> list[str]:
    found = [
        path for field, path in fields_of(test_set, langpair).items() if field.startswith(start)
    ]
    if not found:
        download_test_set(test_set, langpair)
    return found


def download_test_set(test_set: str, langpair: str | None = None) -> None:
    """Refuse: truebleu downloads no test sets.

    Raises
    ------
    InputError
        Always; it says what would do it.
    """
    name = test_set if langpair is None else f"{test_set}/{langpair}"
    raise InputError(
        f"test set {name} is not in {_folder()}, and truebleu downloads none: "
        f"`sacrebleu --download {test_set}` does"
    )
