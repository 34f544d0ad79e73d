"""What the options of a command give: files, texts, test sets or statistics, checked once."""

from __future__ import annotations

import os
from itertools import chain
from types import SimpleNamespace

from truebleu.cli.options import option_name
from truebleu.cli.output import Bar, say
from truebleu.display.text import visible, width
from truebleu.errors import EncodingError, InputError, SettingsError
from truebleu.inputs import forms
from truebleu.inputs.files import STANDARD_INPUT, LinesInMemory
from truebleu.inputs.forms import HYPOTHESIS, REFERENCE, Wording, suffix_of
from truebleu.intake.files import read_blocks, read_columns, read_file
from truebleu.intake.given import Columns, Given, Reading
from truebleu.intake.systems import SystemFile, refuse_same_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.cli.parsing import Namespace
    from truebleu.inputs.files import LineFile
    from truebleu.inputs.readers.base import Reader
    from truebleu.intake.files import Other
    from truebleu.metrics.stats_saved import SavedStats

_OPTIONS = {HYPOTHESIS: "--hypothesis-column", REFERENCE: "--reference-column"}

# What chooses from texts, and so cannot be combined with statistics.
_OF_TEXTS = (
    *("references", "reference_columns", "group_by", "missing"),
    *("text", "sets", "batch", "sources"),
)

# Columns of a terminal that a text takes as the name of a system.
_WIDEST_NAME = 40


def given_from(
    options: Namespace,
    *,
    several: bool = True,
    saved: bool = False,
    systems: Sequence[SystemFile] | None = None,
) -> Given:
    """Return what a command was given; refuse what does not fit together.

    It takes one system, or `several`, and perhaps `saved` statistics. Other `systems` may have the
    place of those of the options.
    """
    # A pair without a set says what the languages of a report are.
    of_set = options.test_set is not None
    of_set |= options.language_pair is not None and "chart" not in options
    given = Given(
        systems=tuple(options.systems if systems is None else systems),
        references=tuple(options.references or ()),
        others=_others(options),
        reading=reading_from(options),
    )
    if of_set:
        given = _with_test_set(given, options)
    if not options.hypotheses and _may_be_saved(given):
        given = _with_saved(given, options, allowed=saved)
        if given.saved is not None:
            return given
    if getattr(options, "text", False):
        return _with_strings(given, options)
    return _with_columns(given, options, several=several)


def reading_from(options: Namespace) -> Reading:
    """Return how the files of a command are read."""

    def refuse(refused: Sequence[tuple[str, Reader]]) -> InputError:
        return _refusal(refused, options)

    def note(text: str) -> None:
        if not options.quiet:
            say(text)

    return Reading(
        as_text=options.as_text,
        skips_empty=getattr(options, "missing", None) == "skip",
        no_header=getattr(options, "no_header", False),
        wording=Wording("--as-text", "--no-header"),
        refuse=refuse,
        note=note,
    )


def _others(options: Namespace) -> dict[str, str]:
    found = {name: getattr(options, name, None) for name in ("sources", "domains")}
    return {name: path for name, path in found.items() if path is not None}


# A test set.


def _with_test_set(given: Given, options: Namespace) -> Given:
    """Let the references, and other files that are not given, be those of the test set."""
    from truebleu.test_sets.loading import load_test_set
    from truebleu.test_sets.registry import find_set
    from truebleu.test_sets.store import some

    if getattr(options, "text", False):
        raise SettingsError("--text takes its references from -r, not from a test set")
    name, pair = options.test_set, options.language_pair
    if name is None:
        raise SettingsError(f"-l {pair} is a language pair of a test set: name the set with -t")
    if pair is None:
        pairs = find_set(name).pairs
        raise SettingsError(f"{name} needs a language pair: give -l with one of {some(pairs)}")
    test_set = load_test_set(name, pair)
    streams = zip(*test_set.references, strict=True)
    several = len(test_set.references[0]) > 1
    references = [
        LinesInMemory(f"{test_set.name} {pair} reference" + f" {number}" * several, list(lines))
        for number, lines in enumerate(streams, 1)
    ]
    others = dict(given.others)
    for column in ("sources", "domains"):
        lines = getattr(test_set, column)
        if column in options and column not in others and lines is not None:
            others[column] = LinesInMemory(f"{test_set.name} {pair} {column}", lines)
    return given.replace(references=tuple(references), others=others, test_set=test_set)


# Statistics.


def _may_be_saved(given: Given) -> bool:
    """Whether a file has the suffix of files of statistics, which are slow to load."""
    return bool(set(map(suffix_of, given.systems)) & set(forms.JSON_SUFFIXES))


def _with_saved(given: Given, options: Namespace, *, allowed: bool) -> Given:
    """Let statistics be the systems, and their documents those of these, if all files are such."""
    from truebleu.metrics.stats_files import is_saved
    from truebleu.metrics.stats_saved import merged, read_stats

    found = [is_saved(path) for path in given.systems]
    if not any(found):
        return given
    path = given.systems[found.index(True)]
    if not allowed:
        raise SettingsError(
            f"{path} is a file of statistics, but this command needs the texts; truebleu compare "
            f"{path} computes scores, intervals and tests from it, with --format html as a page"
        )
    if not all(found):
        other = given.systems[found.index(False)]
        if other != STANDARD_INPUT:
            os.stat(other)  # noqa: PTH116  # A mistyped name is no text.
        raise SettingsError(
            f"{path} is a file of statistics, but {other} is not: "
            "count the texts with truebleu segments --stats-out, and give all files of statistics"
        )
    wrong = ["references"] * bool(given.references)
    wrong += [name for name in _OF_TEXTS if getattr(options, name, None)]
    # What is written has the documents that were read.
    wrong += ["units"] * ("keep" in options and options.units != "auto")
    if wrong:
        raise SettingsError(
            f"{path} is a file of statistics, which needs no texts: leave out "
            f"{option_name(wrong[0])}"
        )
    refuse_repeated(given.systems)
    read = [(each, _named(read_stats(each), each)) for each in given.systems]
    saved = merged(read)
    return given.replace(references=(), saved=saved, test_set=set_of(saved))


def _only_system(path: SystemFile) -> str:
    """Return the name of the only system of a file of statistics, or else of the file."""
    from truebleu.metrics.stats_files import is_saved
    from truebleu.metrics.stats_saved import read_stats

    if not is_saved(path):
        return path.text
    [*names] = _named(read_stats(path), path).systems
    return names[0] if len(names) == 1 else path.text


def set_of(saved: SavedStats) -> SimpleNamespace | None:
    """Return the name, the pair and the signature of the test set that statistics are of."""
    if saved.test_set is None:
        return None
    name, pair = map(visible, saved.test_set)
    return SimpleNamespace(name=name, pair=pair, signature=f"test:{name}|lang:{pair}")


def refuse_repeated(paths: Iterable[str]) -> None:
    """Refuse a file that is given twice, unless it gets two names."""
    seen: dict[object, str] = {}
    for path in paths:
        which = os.path.realpath(path), getattr(path, "name", None)
        if seen.setdefault(which, path) is not path:
            raise SettingsError(f"{path} is given twice, and would count twice")


def _named(saved: SavedStats, path: str) -> SavedStats:
    """Give the only system of a file the name that the command does."""
    name = getattr(path, "name", None)
    if name is None:
        return saved
    if len(saved.systems) > 1:
        raise SettingsError(
            f"{name}={path}: the file has several systems, {', '.join(saved.systems)}; a name can "
            "be given to one"
        )
    return renamed(saved, lambda _: name)


def renamed(saved: SavedStats, name_of: Callable[[str], str]) -> SavedStats:
    """Return statistics whose systems have other names."""
    rows = [each.replace(label={"system": name_of(each.name)}) for each in saved.rows]
    return saved.of_rows(saved.metrics.values(), rows, saved.test_set)


# Strings.


def _with_strings(given: Given, options: Namespace) -> Given:
    """``--text``: let systems and references be the strings that were given, a segment each."""
    for name in ("hypotheses", "reference_columns"):
        if getattr(options, name, None):
            raise SettingsError("--text takes strings: leave out options for tables")
    if not given.references:
        raise SettingsError("--text needs references: give strings with -r")
    references = [
        as_file(text, f"reference {number}") for number, text in enumerate(given.references, 1)
    ]
    systems = [as_file(text, _shown(text)) for text in _texts_of(given)]
    return given.replace(systems=tuple(systems), references=tuple(references))


def as_file(text: str, name: str) -> LinesInMemory:
    """Return a file with one line; raises InputError for a line break and what is not UTF-8."""
    shown = text if len(text) <= _WIDEST_NAME else f"{text[:_WIDEST_NAME]}..."
    if "\n" in text or "\r" in text:
        raise InputError(
            f"{shown!r} has a line break: each string is one segment; for several, give files"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EncodingError(f"{shown!r} is not UTF-8") from None
    return LinesInMemory(name, [text])


def _shown(text: str) -> str:
    """Call a system what it says, as far as that fits."""
    if text in ("", STANDARD_INPUT):
        return repr(text)
    if width(text) <= _WIDEST_NAME:
        return text
    shown = text[:_WIDEST_NAME]
    while width(shown) > _WIDEST_NAME - len("..."):
        shown = shown[:-1]
    return f"{shown.rstrip()}..."


# Columns, or files of lines.


def _with_columns(given: Given, options: Namespace, *, several: bool) -> Given:
    """Let systems and references be columns of files, if any are named; else check the files."""
    hypotheses, references = options.hypotheses or [], options.reference_columns or []
    in_one_file = False
    if hypotheses and references and not given.references:
        in_one_file = _is_read_without_arrow(given, options)
        if not (in_one_file or _are_no_tables(given)):
            return given.replace(columns=_columns(options, several=several))
        given = given.replace(references=tuple(_texts_of(given)))
    if not given.references:
        raise _lack_of_references(given, hypotheses, references)
    groups = getattr(options, "group_by", None) or ["documents"]
    if (hypotheses or references) and groups != ["documents"]:
        raise SettingsError(
            "--group-by needs a table with --hypothesis-column and --reference-column, by name, "
            "and no -r"
        )
    named = in_one_file or len(hypotheses) > 1
    systems = [
        path.of_column(name, name if named else path.name) if name else path
        for path in given.systems
        if isinstance(path, SystemFile)
        for name in hypotheses or [""]
    ]
    if len(systems) > 1 and not several:
        raise SettingsError("this command takes one system, and so one --hypothesis-column")
    refuse_same_names(systems)
    files = [
        path
        if isinstance(path, LinesInMemory) or not name
        else SystemFile(path).of_column(name, None)
        for path in given.references
        for name in references or [""]
    ]
    return given.replace(systems=tuple(systems), references=tuple(files))


def _columns(options: Namespace, *, several: bool) -> Columns:
    """Return the columns of tables that options name."""
    hypotheses = options.hypotheses
    twice = {name for name in hypotheses if hypotheses.count(name) > 1}
    if twice:
        raise SettingsError(f"--hypothesis-column {min(twice)} is given twice")
    if len(hypotheses) > 1 and not several:
        raise SettingsError("this command takes one system, and so one --hypothesis-column")
    if options.missing == "skip" and "group_by" not in options:
        raise SettingsError(
            "--missing skip leaves out rows of a table, which other systems may have: only "
            "truebleu score takes it; choose --missing empty"
        )
    nulls: Any = options.missing or "error"
    references = tuple(options.reference_columns)
    return Columns(hypotheses=tuple(hypotheses), references=references, nulls=nulls)


def _texts_of(given: Given) -> list[str]:
    """Return systems as they were given: names of tables may hold ``key=value``."""
    return [getattr(path, "text", path) for path in given.systems]


def _are_no_tables(given: Given) -> bool:
    """Whether columns are those of SGML, XML or whole JSON, or of files of another name."""
    from truebleu.inputs.readers import FORM_OF_SUFFIX

    return all(
        os.path.isfile(path) and suffix_of(path) not in FORM_OF_SUFFIX  # noqa: PTH113
        for path in _texts_of(given)
    )


def _is_read_without_arrow(given: Given, options: Namespace) -> bool:
    """Whether PyArrow is missing, and not needed: each row of one file of text is a segment."""
    from importlib.util import find_spec

    from truebleu.inputs.readers import FORM_OF_SUFFIX

    others = (getattr(options, name, None) for name in ("group_by", "keep"))
    plain = options.missing is None and not any(others)
    one_file = len(given.systems) == 1 and os.path.isfile(given.systems[0])  # noqa: PTH113
    form = FORM_OF_SUFFIX.get(suffix_of(given.systems[0])) if one_file else None
    is_text = form not in (None, forms.TABLE)
    return plain and is_text and find_spec("pyarrow") is None


def _lack_of_references(
    given: Given, hypotheses: Sequence[str], references: Sequence[str]
) -> SettingsError:
    """Say that there are no references, unless a name is mistyped, or a file is damaged."""
    if hypotheses:
        return SettingsError(
            "with --hypothesis-column, give references with -r, or name their columns with "
            "--reference-column"
        )
    if references:
        return SettingsError("--reference-column needs --hypothesis-column, or -r")
    from truebleu.metrics.stats_files import refuse_damaged

    for path in given.systems:
        refuse_damaged(path)
        # A mistyped name, which does not look like text.
        if set("./") & set(path) and " " not in path:
            os.stat(path)  # noqa: PTH116  # Only its error is wanted.
    return SettingsError(
        "there are no references: give files with -r, or a test set with -t; for tables, "
        "name the columns with --hypothesis-column and --reference-column"
    )


def _refusal(refused: Sequence[tuple[str, Reader]], options: Namespace) -> InputError:
    """Say what the first file is, and write the command that reads a column of each."""
    import shlex

    from truebleu.inputs.readers import described

    words: dict[str, list[str]] = {}
    for role, reader in refused:
        option = "--column" if "column" in options else _OPTIONS.get(role)
        if option is not None and {"column", "hypotheses"} & vars(options).keys():
            suggested = [option, *reader.likely(role)]
            if role == HYPOTHESIS and "baseline" in options and reader.form == forms.MARKUP:
                # All systems of a set.
                suggested = [word for name in reader.columns for word in (option, name)]
            words.setdefault(option, suggested)
    advice = "write the text into a file, one segment per line"
    if words and all(len(each) > 1 for each in words.values()):
        command = shlex.join(["truebleu", *options.arguments, *chain.from_iterable(words.values())])
        advice = f"`{command}` reads one of them"
    _, first = refused[0]
    return InputError(f"{described(first)}: {advice}{first.as_text('it')}")


# What is read of it.


def blocks_of(given: Given, others: Sequence[Other] = ()) -> Iterator[tuple[list[LineFile], int]]:
    """Read files side by side, as :func:`read_blocks` does, and show the progress."""
    with Bar("scoring") as bar:
        yield from read_blocks(given, others, bar.update)


def read_systems(
    given: Given, others: Sequence[Other] = ()
) -> tuple[dict[str, list[str]], list[list[Any]], list[list[str]]]:
    """Read the texts of each system by its name, the references of each segment, and others."""
    if given.columns is not None:
        from truebleu.cli.tabular import read_texts

        columns, references = read_texts(given, given.columns)
        lines = [read_file(path, role, given.reading) for role, path in others]
    else:
        with Bar("reading") as bar:
            columns, streams, lines = read_columns(given, others, bar.update)
        references = [list(several) for several in zip(*streams, strict=True)]
    return dict(zip(given.names, columns, strict=True)), references, lines


def name_of(given_name: str | None, given: Given) -> str | None:
    """Return the name of the system that is given by its name, or as its file is called."""
    names = given.names
    if given_name is None or given_name in names or given.columns:
        return given_name
    if given.saved is not None:
        return _only_system(SystemFile(given_name))
    parts: tuple[Callable[[str], str], ...] = (str, os.path.basename)
    for part in parts:
        found = [
            name
            for name, path in zip(names, given.systems, strict=True)
            if given_name in (part(path), getattr(path, "text", path))
        ]
        if len(found) == 1:
            return found[0]
    return given_name
