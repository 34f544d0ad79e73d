"""sacreBLEU's folder of test sets, and the files in it."""

from __future__ import annotations

import gzip
import logging
import os
from pathlib import Path
from typing import IO, Any

from truebleu.downloads.places import sacrebleu_folder
from truebleu.errors import DownloadError

sacrelogger = logging.getLogger("sacrebleu")

# As in sacreBLEU, what the environment says later has no effect.
SACREBLEU_DIR = str(sacrebleu_folder())


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a text file, decompressed if its name ends in ``.gz``; lines end in line feeds only."""
    opener: Any = gzip.open if file.endswith(".gz") else open
    opened: IO[Any] = opener(file, mode=mode, encoding=encoding, newline="\n")
    return opened


def get_md5sum(dest_path: str) -> str:
    """Return the MD5 of a file in hexadecimal digits."""
    from truebleu.downloads.digests import digests_of

    return digests_of(Path(dest_path)).md5


def archive_type(name: str) -> str | None:
    """Return whether a file is unpacked as a ``tar`` or a ``zip``, by its name; None if not."""
    if name.endswith((".tar.gz", ".tgz")):
        return "tar"
    return "zip" if name.endswith(".zip") else None


def download_file(
    source_path: str, dest_path: str, extract_to: str | None = None, expected_md5: str | None = None
) -> None:
    """Download a file, unless it is on disk; check, and unpack it if it is an archive."""
    from truebleu.downloads.fetch import Download, fetched

    path = Path(dest_path)
    if not path.exists():
        sacrelogger.info(f"Downloading {source_path} to {dest_path}")
    elif path.stat().st_size == 0:
        path.unlink()
    fetched(Download(name=path.name, urls=(source_path,), md5=expected_md5), path)
    if extract_to is not None:
        extract_tarball(dest_path, extract_to)


def extract_tarball(filepath: str, destdir: str) -> None:
    """Unpack all files of a ``.tar.gz``, ``.tgz`` or ``.zip``; of others, nothing."""
    import tarfile
    import zipfile

    from truebleu.test_sets.archives import DAMAGED, extract

    sacrelogger.info(f"Extracting {filepath} to {destdir}")
    path = Path(filepath)
    kind = archive_type(filepath)
    if kind is None:
        return
    try:
        if kind == "tar":
            with tarfile.open(path) as tar:
                names = [member.name for member in tar if member.isreg()]
        else:
            with zipfile.ZipFile(path) as archive:
                names = [each.filename for each in archive.infolist() if not each.is_dir()]
    except DAMAGED as error:
        if getattr(error, "errno", None) is not None:
            raise  # The file cannot be read.
        raise DownloadError(f"{filepath} is damaged: {error}; delete it") from error
    targets = {}
    for name in names:
        target = Path(os.path.normpath(name))
        # The name of the folder itself has no parts.
        if target.is_absolute() or target.parts[:1] in ((), ("..",)):
            raise DownloadError(f"{filepath} has a file {name!r}, which would be outside {destdir}")
        targets[name.removeprefix("./")] = Path(destdir) / target
    extract(path, kind, targets, path.name)
