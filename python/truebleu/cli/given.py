"""What the options of a command give, read and checked once."""

from __future__ import annotations

import os
from itertools import chain

from truebleu.cli.output import Bar, say
from truebleu.display.text import width
from truebleu.errors import EncodingError, InputError, SettingsError
from truebleu.inputs import forms
from truebleu.inputs.files import STANDARD_INPUT, LinesInMemory
from truebleu.inputs.forms import HYPOTHESIS, REFERENCE, suffix_of
from truebleu.intake.files import read_blocks, read_columns
from truebleu.intake.given import Columns, Given, Reading
from truebleu.intake.systems import SystemFile, refuse_same_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.inputs.files import LineFile
    from truebleu.inputs.readers.base import Reader, Wording
    from truebleu.intake.files import Other

_OPTIONS = {HYPOTHESIS: "--hypothesis-column", REFERENCE: "--reference-column"}

# Columns of a terminal that a text takes as the name of a system.
_WIDEST_NAME = 40


def given_from(
    options: Namespace,
    *,
    several: bool = True,
    saved: bool = False,
    systems: Sequence[SystemFile] | None = None,
    references: Sequence[str] | None = None,
) -> Given:
    """Return what a command was given; refuse what does not fit together.

    It takes one system, or `several`, and perhaps `saved` statistics. Other `systems`, and other
    `references`, may have the place of those of the options.
    """
    # A pair without a set says what the languages of a report are.
    of_set = options.test_set is not None
    of_set |= options.language_pair is not None and "chart" not in options
    given = Given(
        systems=tuple(options.systems if systems is None else systems),
        references=tuple((options.references if references is None else references) or ()),
        others=_others(options),
        reading=reading_from(options),
    )
    if of_set and references is None:
        from truebleu.cli.test_set import with_test_set

        given = with_test_set(given, options)
    if _may_be_saved(given, options):
        from truebleu.cli.saved import with_saved

        given = with_saved(given, options, allowed=saved)
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

    def wording() -> Wording:
        from truebleu.inputs.readers.base import Wording

        return Wording("--as-text", "--no-header")

    return Reading(
        as_text=options.as_text,
        skips_empty=getattr(options, "missing", None) == "skip",
        no_header=getattr(options, "no_header", False),
        wording=wording,
        refuse=refuse,
        note=note,
    )


def _others(options: Namespace) -> dict[str, str]:
    found = {name: getattr(options, name, None) for name in ("sources", "domains")}
    return {name: path for name, path in found.items() if path is not None}


def _may_be_saved(given: Given, options: Namespace) -> bool:
    """Whether a file has the suffix of files of statistics, which are slow to load."""
    if getattr(options, "hypotheses", None):
        return False
    return bool(set(map(suffix_of, given.systems)) & {".parquet", *forms.JSON_SUFFIXES})


def _with_strings(given: Given, options: Namespace) -> Given:
    """``--text``: let systems and references be the strings that were given, a segment each."""
    for name in ("hypotheses", "reference_columns"):
        if getattr(options, name, None):
            raise SettingsError("--text takes strings: leave out options for tables")
    if not given.references:
        raise SettingsError("--text needs references: give strings with -r")
    texts = [getattr(path, "text", path) for path in given.systems]
    references = [
        as_file(text, f"reference {number}") for number, text in enumerate(given.references, 1)
    ]
    systems = [as_file(text, _shown(text)) for text in texts]
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


def _with_columns(given: Given, options: Namespace, *, several: bool) -> Given:
    """Let systems and references be columns of files, if there are any; else check the files."""
    hypotheses, references = options.hypotheses, options.reference_columns
    if hypotheses and references and not given.references:
        if _are_no_tables(given):
            given = given.replace(references=tuple(_texts_of(given)))
        elif _is_read_without_arrow(given, options):
            return _in_one_file(given, _parts(hypotheses), _parts(references))
    if given.references and (hypotheses or references):
        given = _in_place_of_files(given, options)
        if len(given.systems) > 1 and not several:
            raise SettingsError("this command takes one system, and so one --hypothesis-column")
        return given
    if hypotheses and not references:
        raise SettingsError(
            "with --hypothesis-column, give references with -r, or name their columns with "
            "--reference-column"
        )
    if not hypotheses:
        return _checked_files(given, options, references)
    return given.replace(columns=_columns(given, options, several=several))


def _columns(given: Given, options: Namespace, *, several: bool) -> Columns:
    """Return the columns of tables that options name."""
    from truebleu.cli.tabular import split_at_commas

    hypotheses, references = split_at_commas(given, options.hypotheses, options.reference_columns)
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
    return Columns(hypotheses=tuple(hypotheses), references=tuple(references), nulls=nulls)


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
    texts = {forms.CSV, forms.TSV, forms.JSON_LINES}
    one_file = len(given.systems) == 1 and os.path.isfile(given.systems[0])  # noqa: PTH113
    is_text = one_file and FORM_OF_SUFFIX.get(suffix_of(given.systems[0])) in texts
    return plain and is_text and find_spec("pyarrow") is None


def _in_one_file(given: Given, hypotheses: list[str], references: list[str]) -> Given:
    """Let each column of a file be read as a file of lines is."""
    [path] = map(SystemFile, _texts_of(given))
    return given.replace(
        systems=tuple(path.of_column(name, name) for name in hypotheses),
        references=tuple(path.of_column(name, None) for name in references),
    )


def _in_place_of_files(given: Given, options: Namespace) -> Given:
    """Let each system, and each file of references, be columns of their files."""
    if getattr(options, "group_by", None) not in (None, "documents"):
        raise SettingsError(
            "--group-by needs a table with --hypothesis-column and --reference-column, by name, "
            "and no -r"
        )
    systems, references = given.systems, given.references
    if options.hypotheses:
        names = _parts(options.hypotheses)
        systems = tuple(
            SystemFile.of_column(path, name, name if len(names) > 1 else path.name)
            for path in systems
            if isinstance(path, SystemFile)
            for name in names
        )
    if options.reference_columns:
        references = tuple(
            path
            if isinstance(path, LinesInMemory)
            else SystemFile.of_column(SystemFile(path), name, None)
            for path in references
            for name in _parts(options.reference_columns)
        )
    return _checked_files(given.replace(systems=systems, references=references), options, None)


def _parts(names: Sequence[str]) -> list[str]:
    return [part for name in names for part in name.split(",")]


def _checked_files(given: Given, options: Namespace, columns: list[str] | None) -> Given:
    refuse_same_names(path for path in given.systems if isinstance(path, SystemFile))
    if columns:
        raise SettingsError("--reference-column needs --hypothesis-column, or -r")
    if not given.references:
        from truebleu.metrics.stats_files import refuse_damaged

        for path in given.systems:
            refuse_damaged(path)
            # A mistyped name, which does not look like text, is no lack of references.
            if set("./") & set(path) and " " not in path:
                os.stat(path)  # noqa: PTH116  # Only its error is wanted.
        raise SettingsError(
            "there are no references: give files with -r, or a test set with -t; for tables, "
            "name the columns with --hypothesis-column and --reference-column"
        )
    return given


def _refusal(refused: Sequence[tuple[str, Reader]], options: Namespace) -> InputError:
    """Say what the first file is, and write the command that reads a column of each."""
    import shlex

    from truebleu.inputs.readers import described

    words: dict[str, list[str]] = {}
    for role, reader in refused:
        option = "--column" if "column" in options else _OPTIONS.get(role)
        if option is not None and {"column", "hypotheses"} & vars(options).keys():
            suggested = reader.likely(role)
            if role == HYPOTHESIS and "baseline" in options and reader.form == forms.MARKUP:
                suggested = [",".join(reader.columns)]  # All systems of a set.
            words.setdefault(option, [option, *suggested])
    advice = "write the text into a file, one segment per line"
    if words and all(len(each) > 1 for each in words.values()):
        given = chain.from_iterable(words.values())
        command = shlex.join(["truebleu", *options.arguments, *given])
        advice = f"`{command}` reads one of them"
    _, first = refused[0]
    return InputError(f"{described(first)}: {advice}{first.as_text('it')}")


def blocks_of(given: Given, others: Sequence[Other] = ()) -> Iterator[tuple[list[LineFile], int]]:
    """Read files side by side, as :func:`read_blocks` does, and show the progress."""
    with Bar("scoring") as bar:
        yield from read_blocks(given, others, bar.update)


def columns_of(
    given: Given, others: Sequence[Other] = ()
) -> tuple[list[list[str]], list[list[Any]], list[list[str]]]:
    """Read files whole, as :func:`read_columns` does, and show the progress."""
    with Bar("reading") as bar:
        return read_columns(given, others, bar.update)


def name_of(given_name: str | None, given: Given) -> str | None:
    """Return the name of the system that is given by its name, or as its file is called."""
    names = given.names
    if given_name is None or given_name in names or given.columns:
        return given_name
    if given.saved is not None:
        from truebleu.cli.saved import only_system

        return only_system(SystemFile(given_name))
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
