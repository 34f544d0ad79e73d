"""Settings from options."""

from __future__ import annotations

from truebleu.metrics.bleu import Bleu
from truebleu.metrics.dialects import named
from truebleu.metrics.settings import DEFAULTS
from truebleu.metrics.threads import thread_count

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any


def settings_from(options: Namespace) -> dict[str, Any]:
    """Return the settings that the options name; a dialect comes first."""
    settings = {} if options.dialect is None else dict(named(options.dialect).settings)
    for name in DEFAULTS:
        value = getattr(options, name)
        if value is not None:
            settings[name] = value
    return settings


def bleu_from(options: Namespace) -> Bleu:
    """Make a Bleu of the options."""
    return Bleu(**settings_from(options))


def threads_from(options: Namespace) -> int:
    """Return the number of threads that the options ask for."""
    return thread_count(options.threads)
