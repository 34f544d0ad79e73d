"""What the command writes: results in a format, names of files, messages, and how far work is."""

from __future__ import annotations

import io
import os
import sys
import time

from truebleu.cli.parameters import WrongValueError
from truebleu.cli.parsing import flush, not_written
from truebleu.display.blocks import Cell, kind_of, text_of
from truebleu.display.formats import FORMATS
from truebleu.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any, Self, TextIO

    from truebleu.cli.parsing import Group, Namespace
    from truebleu.display.blocks import Block
    from truebleu.intake.given import Named

# A float has fewer.
_MOST_DECIMALS = 20

# Seconds of work before it is said how far it is, and between two times.
_PATIENCE, _PAUSE = 1.0, 0.1


def add_format(group: Group, names: Collection[str] = FORMATS.keys()) -> None:
    """Add the output format, the first name being the default, to a group."""
    first, *rest = names
    others = "; ".join(f"{name}: {FORMATS[name].help}" for name in rest)
    group.add_argument(
        *("-f", "--format"),
        choices=tuple(names),
        default=first,
        help=f"one of {', '.join(names)}: {first}: {FORMATS[first].help}; {others} "
        f"(default: {first})",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of standard output"
    )


def add_width(group: Group, about: str = "decimals of a score (default: 2)") -> None:
    """Add the number of decimals, which is None if it is not given."""
    group.add_argument(
        *("-w", "--width"),
        type=_decimals,
        metavar="N",
        help=about,
    )


def width_of(options: Namespace) -> int:
    """Return the number of decimals of scores that people read."""
    return 2 if options.width is None else int(options.width)


def _decimals(text: str) -> int:
    # Python reads no number of thousands of digits.
    if not (text.isdecimal() and len(text) < 20 and int(text) <= _MOST_DECIMALS):
        raise WrongValueError(
            f"{text!r} is given; the number of decimals is a whole number from 0 to "
            f"{_MOST_DECIMALS}"
        )
    return int(text)


def write(
    options: Namespace,
    blocks: Callable[[bool], list[Block]],
    values: Callable[[], object],
    test_set: Named | None = None,
    *,
    as_float: bool = False,
) -> None:
    """Write a result in the format of the options: its blocks, for programs or not, or values.

    Signatures name the test set. What `as_float` is one table is a float of LaTeX.
    """
    form = FORMATS[options.format]
    if as_float and options.format == "latex":
        from truebleu.display.markup import latex

        command = options.run.__module__.rpartition(".")[2]
        written = latex([_signed_block(each, test_set) for each in blocks(False)], f"tab:{command}")
    elif form.of_values:
        written = form.write(_noted(signed_values(values(), test_set), options.said))
    else:
        shown = [_signed_block(block, test_set) for block in blocks(form.plain)]
        if form.terminal and options.output is None and sys.stdout.isatty():
            from contextlib import suppress

            plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
            # As shutil does, which is slow to load; a terminal may not know.
            given = os.environ.get("COLUMNS", "")
            columns = int(given) if given.isdecimal() and len(given) < 6 else 0
            with suppress(OSError):
                columns = columns or os.get_terminal_size(sys.stdout.fileno()).columns
            written = form.terminal(shown, columns, colors=not plain)
        else:
            written = form.write(shown)
    with Output(options) as output:
        # Some end a line, some do not.
        output.write(written.removesuffix("\n") + "\n")


def signed(signature: str, test_set: Named) -> str:
    """Return a signature with the fields of the test set behind the version."""
    before, version, after = signature.partition("|version:")
    if not version:  # Its end stands with those of others.
        return signature
    number, bar, rest = after.partition("|")
    return f"{before}{version}{number}|{test_set.signature}{bar}{rest}"


def signed_values(values: Any, test_set: Named | None) -> Any:
    """Let every ``signature`` in plain values name the test set that the references are from."""
    if test_set is not None and isinstance(values, dict):
        return {
            key: signed(value, test_set)
            if key == "signature" and isinstance(value, str)
            else signed_values(value, test_set)
            for key, value in values.items()
        }
    if test_set is not None and isinstance(values, list):
        return [signed_values(value, test_set) for value in values]
    return values


def _noted(values: Any, notes: list[str]) -> Any:
    """Add what is odd about text to the notes of a result, or of each system that it is about."""
    if not notes:
        return values
    from truebleu.inputs.leftovers import PAGE

    notes = [note for note in notes if PAGE in note]
    if isinstance(values, list):
        rows = [row for row in values if isinstance(row, dict)]
        names = {row["system"] for row in rows if "system" in row}
        return [_noted(row, _about(row, names, notes)) for row in values]
    if not notes or not isinstance(values, dict):
        return values
    known = values.get("notes", [])
    return values | {"notes": [*known, *(note for note in notes if note not in known)]}


def _about(row: Any, names: set[str], notes: list[str]) -> list[str]:
    """Return the warnings about a system or a tool that are not about the others."""
    if not isinstance(row, dict) or not {"system", "dialect"} & row.keys():
        return []
    others = tuple(f"{name} " for name in names - {row.get("system")})
    return [note for note in notes if not note.startswith(others)]


def _signed_block(block: Block, test_set: Named | None) -> Block:
    """Let the signatures of a block, lines of code or columns, name the test set."""
    if test_set is None:
        return block
    columns = {number for number, name in enumerate(block.header) if name.endswith("signature")}
    lines = [
        Cell(signed(text_of(each), test_set), "code") if kind_of(each) == "code" else each
        for each in block.lines
    ]
    rows = []
    for style, row in block.rows:
        cells = [
            signed(text_of(cell), test_set) if n in columns else cell for n, cell in enumerate(row)
        ]
        rows.append((style, cells))
    return block.replace(lines=lines, rows=rows)


class Output:
    """A context with what results are written to: standard output, or the file of ``--output``.

    The file is there as a whole at the end, or not at all. If the reader of standard output has
    closed the pipe, the rest goes nowhere, and the command goes on: a gate may not be met.
    """

    __slots__ = ("_contexts", "_options")
    _contexts: Any

    def __init__(self, options: Namespace) -> None:
        self._options, self._contexts = options, None

    def __enter__(self) -> TextIO:
        path = self._options.output
        if path is None:
            return sys.stdout
        # Slow to load.
        from contextlib import ExitStack
        from io import TextIOWrapper

        from truebleu.writing import whole

        self._contexts = ExitStack()
        self._contexts.enter_context(Announced(path, self._options))
        file = self._contexts.enter_context(whole(path))
        stream = TextIOWrapper(file, "utf-8", "backslashreplace", newline="\n")
        self._contexts.callback(stream.detach)
        return stream

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if self._contexts is not None:
            return bool(self._contexts.__exit__(kind, error, trace))
        try:
            if isinstance(error, OSError) and error.filename is None:
                raise error
            if error is None:
                flush()
        except BrokenPipeError:
            sys.stdout = io.StringIO()
            return True
        except OSError as failed:
            raise not_written(failed) from None
        return False


def check_outputs(options: Namespace) -> None:
    """Refuse files that could not be written, or are read, before the work and not after it."""
    given = {"--output": options.output, "--stats-out": getattr(options, "stats_out", None)}
    paths = [path for path in given.values() if path is not None]
    for option, path in given.items():
        if path is None:
            continue
        from truebleu.metrics.stats_files import check_suffix
        from truebleu.writing import refuse_unwritable

        if path == "-":
            raise SettingsError(
                f"{option} - is no file: name one (./- for one that is called -), or leave it out"
            )
        if option == "--stats-out":
            check_suffix(path)
        # Whatever is given may be a file, perhaps with a name.
        others = [part for word in options.arguments for part in {word, word.rpartition("=")[2]}]
        others.remove(path)
        refuse_unwritable(path, [*others, *_stood_for(others, path, options)])
    if len(paths) > len(set(map(os.path.realpath, paths))):
        raise SettingsError(f"--output and --stats-out both write {paths[0]}")


def _stood_for(words: Sequence[str], path: str, options: Namespace) -> Iterator[str]:
    """Yield files that patterns, folders and ``{set}`` stand for, if the output is there at all."""
    if not os.path.isfile(path):  # noqa: PTH113  # pathlib is slow to load.
        return
    from glob import glob

    for word in words:
        for name in getattr(options, "sets", None) or [""]:
            file = word.replace("{set}", name)
            if file != word or set("*?[") & set(file):
                yield from (file, *glob(file, recursive=True))  # noqa: PTH207
    for given in getattr(options, "systems", ()):
        folder = os.path.join(os.path.realpath(given), "")  # noqa: PTH118
        if os.path.isdir(folder) and os.path.realpath(path).startswith(folder):  # noqa: PTH112
            yield path


class Announced:
    """A context in which a file is written: at its end, the file is named on standard error."""

    __slots__ = ("_options", "_path", "_replaced")

    def __init__(self, path: str, options: Namespace) -> None:
        self._path, self._options, self._replaced = path, options, False

    def __enter__(self) -> None:
        self._replaced = os.path.isfile(self._path)  # noqa: PTH113  # pathlib is slow to load.

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            say_written(self._path, self._options, replaced=self._replaced)


def say_written(path: object, options: Namespace, *, replaced: bool) -> None:
    """Say on standard error which file was written, and whether one was there before."""
    if not options.quiet:
        say(f"{'replaced' if replaced else 'wrote'} {path}")


def say(what: object) -> None:
    """Write a message on one line; names of files and answers of servers cannot end the line."""
    if sys.stderr is not None:
        from truebleu.display.text import visible

        print("truebleu:", visible(str(what)), file=sys.stderr)


class Bar:
    """A context with a line on a terminal that says how far work is that takes long."""

    def __init__(self, what: str) -> None:
        self._what = what
        on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._due = time.monotonic() + _PATIENCE if on_terminal else float("inf")
        self._is_drawn = False

    def __enter__(self) -> Self:
        return self

    def update(self, done: int, total: int | None) -> None:
        """Write how much is done, as a share if it is known of how much."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due, self._is_drawn = now + _PAUSE, True
        much = f"{done / total:.0%}" if total else f"{done:,}"
        # The next message begins where this does.
        sys.stderr.write(f"{self._what} {much}\x1b[K\r")
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._is_drawn:
            sys.stderr.write("\x1b[K")
