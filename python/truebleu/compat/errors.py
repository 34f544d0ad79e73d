"""What the drop-ins refuse: errors of ours that are also those that callers of a peer catch."""

from __future__ import annotations

from truebleu.errors import (
    EmptyInputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)


class UnknownTokenizerError(UnknownNameError, KeyError):
    """There is no such tokenizer. sacreBLEU raises a KeyError with nothing but the name."""

    __str__ = Exception.__str__


class UnknownSmoothingError(UnknownNameError, AssertionError):
    """There is no such smoothing. sacreBLEU raises an AssertionError with a broken message."""


class NoSegmentsError(EmptyInputError, IndexError):
    """The corpus is empty. sacreBLEU raises an IndexError."""


class NoReferencesError(EmptyInputError, RuntimeError, TypeError):
    """There are no references at all, or none for a segment."""


class NoReferenceError(EmptyInputError, KeyError):
    """A segment has no reference. NLTK raises a KeyError, or a ValueError if it is empty."""

    __str__ = Exception.__str__


class NotTextError(InputTypeError, AttributeError):
    """What should be text is not. Peers find out when they call a method of str."""


class SegmentCountError(LengthMismatchError, AssertionError):
    """Hypotheses and references differ in number. NLTK asserts that they do not."""


class NoCorpusError(EmptyInputError, ZeroDivisionError):
    """The corpus is empty. NLTK divides by 0."""


class NoSuchMetricError(SettingsError, NotImplementedError):
    """truebleu computes BLEU, and no other metric."""
