"""The cases of the kit: read from files of JSON lines, and made complete before they are asked."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    Case = dict[str, Any]

FOLDER = Path(__file__).with_name("1")
"""The files of version 1."""

METRICS = ("bleu", "chrf", "ter")
LEVELS = ("core", "edge", "long", "wmt")

# What a program is not told.
_SECRETS = ("expect", "bits", "from", "law", "level", "files", "segments")


def manifest() -> dict[str, Any]:
    """Return what the kit says about itself: versions, defaults, checksums, numbers of cases."""
    found: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    return found


def read_cases(levels: Collection[str] = LEVELS, metrics: Collection[str] = METRICS) -> list[Case]:
    """Return the cases of some levels and metrics, as they are written."""
    return [
        case
        for name in manifest()["files"]
        for case in map(json.loads, (FOLDER / name).read_text("utf-8").splitlines())
        if case["level"] in levels and case["metric"] in metrics
    ]


def file_of(case: Case) -> str:
    """Return the file that a case is in, without its suffix: ``bleu``, ``tokens``."""
    name: str = case["id"]
    return name.partition("/")[0]


class Data:
    """Files of real systems below a folder, which are found by size and checksum."""

    def __init__(self, folder: str | None) -> None:
        """List the files; raises InputError if there is no such folder."""
        self._by_size: dict[int, list[Path]] = {}
        self._found: dict[str, Path | None] = {}
        if folder is None:
            return
        if not Path(folder).is_dir():
            raise InputError(f"{folder} is not a folder; --data needs one with outputs of systems")
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                self._by_size.setdefault(path.stat().st_size, []).append(path)

    def has(self, case: Case) -> bool:
        """Whether all files of a case are there; a case without files needs none."""
        files = case.get("files", {"refs": []})
        needed = [*files["refs"], *([files["hyp"]] if "hyp" in files else [])]
        return all(self._path(each) is not None for each in needed)

    def _path(self, file: dict[str, Any]) -> Path | None:
        """Return the path of a file, whatever it is called; None if it is not there."""
        digest = file["sha256"]
        if digest not in self._found:
            same_size = self._by_size.get(file["bytes"], [])
            self._found[digest] = next(filter(_has_digest(digest), same_size), None)
        return self._found[digest]

    def lines(self, file: dict[str, Any], count: int | None) -> list[str]:
        """Return the first lines of a file, or all."""
        path = self._path(file)
        if path is None:
            raise InputError(f"{file['name']} is not in the folder of --data")
        return path.read_bytes().decode().removesuffix("\n").split("\n")[:count]


def _has_digest(digest: str) -> Any:
    return lambda path: hashlib.sha256(path.read_bytes()).hexdigest() == digest


def question(case: Case, data: Data) -> Case:
    """Return what a program is asked: all settings and texts, and nothing about the answer."""
    asked = {key: value for key, value in expanded(case).items() if key not in _SECRETS}
    asked["settings"] = manifest()["defaults"][case["metric"]] | case["settings"]
    if case["answer"] == "tokens":
        # The other settings of the metric have no part in it.
        asked["settings"] = case["settings"]
    if "files" in case:
        names = [case["files"]["hyp"], *case["files"]["refs"]]
        hyp, *columns = (data.lines(each, case.get("segments")) for each in names)
        asked |= {"hyp": hyp, "refs": [list(own) for own in zip(*columns, strict=True)]}
    return asked


def expanded(case: Case) -> Case:
    """Return a case with the texts that its rules stand for."""
    if case["level"] != "long":
        return case
    return case | {"hyp": list(map(text_of, case["hyp"])), "refs": list(_texts(case["refs"]))}


def _texts(refs: list[list[Any]]) -> Iterator[list[str]]:
    return (list(map(text_of, own)) for own in refs)


def text_of(rule: Any) -> str:
    """Return the text that a rule stands for; a text stands for itself.

    ``{"repeat": "a b ", "times": 3}`` is ``a b a b a b``, with a space at the end. ``{"words": 4,
    "start": 3, "step": 2, "modulo": 7}`` is ``3 5 0 2``: four numbers from 3 on, each greater by 2
    than the one before it, modulo 7; `start` is 0 if it is not there.
    """
    if isinstance(rule, str):
        return rule
    if "repeat" in rule:
        return str(rule["repeat"] * rule["times"])
    start, step, modulo = rule.get("start", 0), rule["step"], rule["modulo"]
    return " ".join(str((start + number * step) % modulo) for number in range(rule["words"]))
