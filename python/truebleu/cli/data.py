"""``truebleu data``: the test sets that there are, and those on disk."""

from __future__ import annotations

from pathlib import Path

from truebleu.cli.arguments import GateError
from truebleu.cli.output import add_format, write
from truebleu.display.blocks import Block
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.test_sets.archives import import_archive
from truebleu.test_sets.disk import (
    archives_on_disk,
    kept_pairs,
    pairs_on_disk,
    place_of,
    verified_archive,
    verified_pair,
)
from truebleu.test_sets.loading import load_test_set
from truebleu.test_sets.registry import (
    add_sets,
    find_set,
    known_sets,
    registered_sets,
)
from truebleu.test_sets.store import check_pair, kept_at, some

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.test_sets.descriptions import Description

    # By column.
    Row = dict[str, object]


def add_options(command: Command) -> None:
    command.description = (
        "List all known test sets, or the language pairs of one; get (download) one or more, so "
        "that no network is needed later; check what is on disk, all or some sets; add "
        "archives that were downloaded by other means, or TOML files that describe test sets."
    )
    command.add_argument(
        "action", choices=_ACTIONS, metavar="ACTION", help=f"one of {', '.join(_ACTIONS)}"
    )
    command.add_argument(
        "names",
        nargs="*",
        default=[],
        metavar="NAME",
        help="a test set, or its TOML file; for add, archives or TOML files",
    )
    command.add_argument_group("input").add_argument(
        *("-l", "--language-pair"),
        dest="pairs",
        action="extend",
        metavar="PAIR",
        help="only this language pair, such as en-de; can be repeated",
    )
    add_format(command.add_argument_group("output"))


def run(options: Namespace) -> None:
    """Do what is asked for, and print a table of it."""
    if options.action == "list" and len(options.names) > 1:
        raise SettingsError("truebleu data list takes at most one name")
    if options.action in ("get", "add") and not options.names:
        raise SettingsError(f"truebleu data {options.action} takes one or more names")
    if options.pairs and options.action in ("add", "check"):
        raise SettingsError(f"truebleu data {options.action} takes no -l")
    rows = list(_ACTIONS[options.action](options))
    write(options, lambda plain: _blocks(rows, plain=plain), lambda: rows)
    wrong = sum("problem" in row and row["problem"] != "" for row in rows)
    if wrong:
        raise GateError(f"{wrong} of {len(rows)} failed verification")


def _blocks(rows: list[Row], *, plain: bool) -> list[Block]:
    """Return a table; what would be the same in every row of it stands above it."""
    if not rows:
        return [] if plain else [Block(lines=["there is no test set on disk"])]
    about = [str(row.get("description", "")) for row in rows]
    lines = []
    header = list(rows[0])
    if not plain and "pair" in header and about[0]:
        lines.append(f"{rows[0]['test set']}: {about[0]}")
        header = [name for name in header if name not in ("test set", "description")]
    number = "{}" if plain else "{:,}"
    cells = [("", [_cell(row[name], number) for name in header]) for row in rows]
    align = "".join("r" if isinstance(rows[0][name], int) else "l" for name in header)
    return [*([Block(lines=lines)] if lines else []), Block(header=header, rows=cells, align=align)]


def _cell(value: object, number: str) -> str:
    return number.format(value) if isinstance(value, int) else str(value)


def _list(options: Namespace) -> Iterable[Row]:
    if options.names:
        yield from _pairs_of(options)
        return
    wanted = options.pairs or []
    known = known_sets()
    found = {
        name: each for name, each in known.items() if all(pair in each.pairs for pair in wanted)
    }
    if not found:
        pairs = sorted({pair for each in registered_sets().values() for pair in each.pairs})
        raise UnknownNameError(
            f"no test set has the language pair {' and '.join(wanted)}; choose from "
            f"{', '.join(pairs)}"
        )
    for name, test_set in found.items():
        yield {
            "test set": name,
            "pairs": len(test_set.pairs),
            "on disk": pairs_on_disk(test_set),
            "description": test_set.about,
        }


def _pairs_of(options: Namespace) -> Iterable[Row]:
    test_set = find_set(options.names[0])
    for pair in _pairs(test_set, options):
        where, size = place_of(test_set, pair)
        yield {
            "test set": test_set.name,
            "pair": pair,
            "references": _references(test_set, pair),
            "bytes": size,
            "where": where,
            "description": "; ".join(filter(None, (test_set.about, test_set.citation))),
        }


def _references(test_set: Description, pair: str) -> int:
    """Return how many references are scored with, as far as that is known without the file."""
    files = test_set.pairs[pair]
    return len(files.scored) or len(files.members) - 1


def _get(options: Namespace) -> Iterable[Row]:
    for name in options.names:
        test_set = find_set(name)
        for pair in _pairs(test_set, options):
            loaded = load_test_set(name, pair)
            yield {
                "test set": test_set.name,
                "pair": pair,
                "segments": len(loaded),
                "references": len(loaded.references[0]),
                "where": place_of(test_set, pair)[0],
            }


def _pairs(test_set: Description, options: Namespace) -> list[str]:
    """Return the pairs that are asked for: all of the set, if none is."""
    for pair in options.pairs or ():
        check_pair(test_set.name, pair, test_set.pairs)
    if not options.pairs and len(test_set.pairs) > 1000:
        raise SettingsError(f"{test_set.name} needs -l with one of {some(test_set.pairs)}")
    return options.pairs or list(test_set.pairs)


def _add(options: Namespace) -> Iterable[Row]:
    for name in options.names:
        add = add_sets if name.endswith(".toml") else import_archive
        yield {"file": name, "test sets": ", ".join(add(Path(name)))}


def _check(options: Namespace) -> Iterable[Row]:
    test_sets = [*map(find_set, options.names)] or [*known_sets().values()]
    for path, archive in archives_on_disk(test_sets).items():
        yield {"what": archive.name, "where": str(path), "problem": verified_archive(archive)}
    for test_set in test_sets:
        for pair in kept_pairs(test_set):
            where = kept_at(test_set, pair) if test_set.is_downloaded else test_set.path
            yield {
                "what": f"{test_set.name} {pair}",
                "where": str(where),
                "problem": verified_pair(test_set, pair),
            }


_ACTIONS = {"list": _list, "get": _get, "add": _add, "check": _check}
