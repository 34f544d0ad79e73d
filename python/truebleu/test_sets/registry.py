"""Test sets by name: those of sacreBLEU, others of the package, and those that were added."""

from __future__ import annotations

import functools
import json
import os
import re
from contextlib import suppress
from pathlib import Path

from truebleu.downloads.fetch import locked
from truebleu.downloads.places import cache_folder, named_errors
from truebleu.errors import DownloadError, InputError, TruebleuError, UnknownNameError, wrong_type
from truebleu.suggestions import similar_names
from truebleu.test_sets import descriptions
from truebleu.test_sets.descriptions import Description, read_sets, the_set
from truebleu.writing import write_whole


@functools.cache
def registered_sets() -> dict[str, Description]:
    """Return the test sets that sacreBLEU 2.6.0 knows, by name, in its order."""
    return read_sets(descriptions.SACREBLEU)


@functools.cache
def shipped_sets() -> dict[str, Description]:
    """Return the test sets that the package describes besides sacreBLEU's."""
    paths = sorted(Path(__file__).with_name("described").glob("*.toml"))
    return {name: each for path in paths for name, each in read_sets(path).items()}


def known_sets() -> dict[str, Description]:
    """Return all test sets, the last ones those that were added and can be read."""
    found = {**registered_sets(), **shipped_sets()}
    for name, path in added_sets().items():
        with suppress(TruebleuError, KeyError):
            found[name] = read_sets(path)[name]
    return found


def find_set(name: str | os.PathLike[str]) -> Description:
    """Return a test set by its name, or by the path of the TOML file that describes it."""
    if isinstance(name, os.PathLike) or (isinstance(name, str) and name.endswith(".toml")):
        return the_set(Path(name))
    if not isinstance(name, str):
        raise wrong_type("the name of a test set", name, "a str or a pathlib.Path is needed")
    # wmt2014, or newstest2014.
    year = re.fullmatch(r"(?:wmt|newstest)20(\d\d)", name)
    for each in (name, f"wmt{year[1]}" if year else name):
        for sets in (registered_sets, shipped_sets):
            if each in sets():
                return sets()[each]
    added = added_sets()
    if name in added:
        sets_there = read_sets(added[name])
        if name not in sets_there:
            raise InputError(
                f"{added[name]} no longer describes {name}, but {', '.join(sets_there)}"
            )
        return sets_there[name]
    similar = similar_names(name, known_sets(), 3)
    similar += [each for each in known_sets() if each.startswith(f"{name}:")][: 3 - len(similar)]
    hint = f"; did you mean {' or '.join(dict.fromkeys(similar))}?" if similar else "."
    raise UnknownNameError(
        f"test set {name!r} is unknown{hint} `truebleu data list` lists all; for your own, "
        "give the path of its TOML file"
    )


def added_sets() -> dict[str, Path]:
    """Return the TOML files of the test sets that were added, by the names of these."""
    path = _added_path()
    try:
        added = json.loads(path.read_text("utf-8"))
        return {str(name): Path(each) for name, each in added.items()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise DownloadError(
            f"{path} is damaged ({error}); delete it, and add them again"
        ) from error


def add_sets(path: Path) -> list[str]:
    """Let the test sets of a TOML file be known by their names, which are returned."""
    names = list(read_sets(path))
    for name in names:
        if name in registered_sets() or name in shipped_sets():
            owner = "sacreBLEU" if name in registered_sets() else "truebleu"
            raise InputError(f"{path}: {name} is the name of a test set of {owner}'s")
    with named_errors(_added_path()):
        _added_path().parent.mkdir(parents=True, exist_ok=True)
        with locked(_added_path()):
            added = {name: str(each) for name, each in added_sets().items()}
            added |= dict.fromkeys(names, str(path.absolute()))
            write_whole(_added_path(), json.dumps(added, ensure_ascii=False, indent=1).encode())
    return names


def _added_path() -> Path:
    return cache_folder() / "sets" / "added.json"
