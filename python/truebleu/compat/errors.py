"""Exceptions of the drop-ins, also of the classes that callers of the originals catch."""

from __future__ import annotations

from truebleu.errors import (
    EmptyInputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)


class UnknownTokenizerError(UnknownNameError, KeyError):
    """The tokenizer does not exist. sacreBLEU raises a KeyError with nothing but the name."""

    __str__ = Exception.__str__


class UnknownSmoothingError(UnknownNameError, AssertionError):
    """The smoothing does not exist. sacreBLEU raises an AssertionError with a broken message."""


class NoSegmentsError(EmptyInputError, IndexError):
    """The corpus is empty. sacreBLEU raises an IndexError."""


class NoReferencesError(EmptyInputError, RuntimeError, TypeError, IndexError, ZeroDivisionError):
    """A corpus or segment has no references.

    For a corpus, sacreBLEU raises a RuntimeError. For a segment it depends on the metric: BLEU
    raises a TypeError, chrF an IndexError or a ValueError, and TER a ZeroDivisionError.
    """


class NoReferenceError(EmptyInputError, KeyError):
    """A segment has no reference. NLTK raises a KeyError, or a ValueError if it is empty."""

    __str__ = Exception.__str__


class NotTextError(InputTypeError, AttributeError):
    """A segment is not a str. The originals fail when they call a method of str."""


class SegmentCountError(LengthMismatchError, AssertionError):
    """Hypotheses and references differ in number. NLTK raises an AssertionError."""


class NoCorpusError(EmptyInputError, ZeroDivisionError):
    """The corpus is empty. NLTK divides by zero."""


class NoOrdersError(SettingsError, ZeroDivisionError):
    """There is no order of n-grams to score. NLTK divides by zero."""


class NotAWholeNumberError(SettingsError, TypeError):
    """A setting is not a whole number. The originals fail when they calculate with it."""


class TooManySamplesError(SettingsError, OverflowError):
    """There are too many bootstrap samples. NumPy raises an OverflowError."""


class UnknownMetricError(UnknownNameError, FileNotFoundError):
    """The metric does not exist. evaluate finds no file with its script."""

    __str__ = Exception.__str__


class FormatError(InputTypeError, ValueError):
    """Predictions or references are not texts. evaluate raises a ValueError."""
