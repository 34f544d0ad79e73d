"""Models of tokenizers: downloaded once, unless sacreBLEU has done so."""

from __future__ import annotations

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.downloads.places import cache_folder, requires_checksum, sacrebleu_folder
from truebleu.errors import DownloadError, ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def model_path(name: str, url: str, check: Callable[[Path], object]) -> Path:
    """Return the file of a model; download it first if neither we nor sacreBLEU have it.

    The first download is trusted, because no checksums have been published, and its checksum is
    recorded; TRUEBLEU_REQUIRE_CHECKSUM refuses it.

    Parameters
    ----------
    name : str
        The name of the model; the file is ``models/NAME.model`` in the cache folder.
    url : str
        Where to download it, by HTTPS.
    check : callable
        A function that raises ModelError if a file is not a model.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        If it cannot be downloaded, is not a model, or differs from the first download.
    """
    path = cache_folder() / "models" / f"{name}.model"
    try:
        return _of_sacrebleu(url, path, check) or fetched(
            Download(name=name, urls=(url,)), path, check=check
        )
    except DownloadError as error:
        raise ModelError(str(error)) from error


def _of_sacrebleu(url: str, path: Path, check: Callable[[Path], object]) -> Path | None:
    """Return the file that sacreBLEU has downloaded, if we have none and it is as expected."""
    theirs = sacrebleu_folder() / "models" / url.rpartition("/")[2]
    untrusted = requires_checksum() and not record_of(path).exists()
    if path.exists() or untrusted or not theirs.is_file():
        return None
    try:
        check(theirs)
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            compare_with_first(digests_of(theirs), path, published=False)
    except DownloadError:
        # sacreBLEU keeps broken downloads; one of those is no reason to stop.
        return None
    except OSError:
        # A cache that cannot be written to has no record to compare with.
        pass
    return theirs
