"""Options for the settings of BLEU, and the settings that they stand for."""

from __future__ import annotations

import argparse

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS
from truebleu.metrics.bleu.dialects import DIALECTS, named
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.registry import METRICS
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.registry import NAMES, from_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from truebleu.cli.options import Group


def add_text_settings(group: Group, *, by_language: str = "") -> None:
    """Add what happens to text before it is counted.

    Parameters
    ----------
    group : Group
    by_language : str, optional
        What the help adds to the default of the tokenizer, where a language can decide.
    """
    group.add_argument(
        *("-tok", "--tokenizer"),
        metavar="NAME",
        help=(
            f"how text is split into tokens: one of {', '.join(NAMES)}, or {OWN_MODEL}PATH for a "
            f"SentencePiece model (default: {DEFAULTS['tokenizer']}{by_language})"
        ),
    )
    group.add_argument(
        "--unicode-form",
        metavar="FORM",
        help=f"normalize the text: one of {', '.join(UNICODE_FORMS)}",
    )
    add_flag(group, "-lc", "--lowercase", about="lowercase the text")


def add_bleu_settings(command: ArgumentParser) -> None:
    """Add the settings of BLEU."""
    parameters = {name: f"{default:g}" for name, default in SMOOTHINGS.items() if default}
    group = command.add_argument_group("settings of BLEU")
    group.add_argument(
        "--dialect",
        metavar="NAME",
        help=f"compute BLEU as another tool does: one of {', '.join(DIALECTS)}",
    )
    add_text_settings(group, by_language="; for a test set, that of its language")
    group.add_argument(
        "--max-order",
        type=int,
        metavar="N",
        help=f"highest n-gram order (default: {METRICS['bleu']().max_order})",
    )
    group.add_argument(
        "--weights",
        type=_weights,
        metavar="W,W,...",
        help="weights of the orders, from 1 up (default: uniform)",
    )
    group.add_argument(
        "--smoothing",
        metavar="NAME",
        help="how to avoid a score of 0 if no n-gram of some order matches: one of "
        f"{', '.join(SMOOTHINGS)} (default: {DEFAULTS['smoothing']})",
    )
    group.add_argument(
        "--smooth-value",
        type=float,
        metavar="X",
        help=f"the parameter of --smoothing {', '.join(parameters)}; others take none (default: "
        f"{', '.join(parameters.values())})",
    )
    group.add_argument(
        "--effective-order",
        action=argparse.BooleanOptionalAction,
        help=(
            "leave out orders for which the hypothesis is too short (default: for single segments, "
            "but not for corpora)"
        ),
    )
    group.add_argument(
        "--reference-length",
        metavar="RULE",
        help=(
            "which reference length the brevity penalty uses: one of "
            f"{', '.join(REFERENCE_LENGTHS)} (default: {DEFAULTS['reference_length']})"
        ),
    )
    add_flag(
        group,
        "--phantom-ngrams",
        about="count at least one n-gram of every order in every segment, as NLTK does",
    )


def given_bleu_options(options: Namespace) -> list[str]:
    """Return the options for settings of BLEU that were given, as they are written."""
    names = ("dialect", *DEFAULTS)
    return [option_name(name) for name in names if getattr(options, name) is not None]


def bleu_settings_from(options: Namespace) -> dict[str, Any]:
    """Return the settings that the options name; those of a dialect come first.

    Raises
    ------
    UnknownNameError
        If there is no such dialect or tokenizer.
    """
    settings = {} if options.dialect is None else dict(named(options.dialect).settings)
    given = {name: getattr(options, name) for name in DEFAULTS}
    settings |= {name: value for name, value in given.items() if value is not None}
    if options.tokenizer is not None:
        settings["tokenizer"] = from_option(options.tokenizer)
    return settings


def option_name(name: str) -> str:
    """Return the option of a setting: ``--smooth-value`` of ``smooth_value``."""
    return f"--{name.replace('_', '-')}"


def add_flag(group: Group, *names: str, about: str) -> None:
    """Add a setting that is on if it is given, and else left to the default or the dialect."""
    group.add_argument(*names, action="store_const", const=True, help=about)


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(weight) for weight in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list like 0.5,0.3,0.2") from None
