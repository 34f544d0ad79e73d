"""Many data in one test: they take one way through the code, so they would fail together."""

import functools
import inspect
import itertools

import pytest


def looped(names, values):
    """Run a test with each of some values, like ``pytest.mark.parametrize``, but as one test.

    Fixtures are made once. A failure names the value, and does not keep others from being tried.
    Decorators that stand together make a loop over all combinations.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    rows = [value if len(names) > 1 else (value,) for value in values]

    def decorate(test):
        loops = [*getattr(test, "loops", []), [dict(zip(names, row, strict=True)) for row in rows]]
        test = inspect.unwrap(test)

        @functools.wraps(test)
        def run_all(*arguments, subtests, **fixtures):
            for combination in itertools.product(*loops):
                given = {name: value for each in combination for name, value in each.items()}
                with subtests.test(**{name: shown(value) for name, value in given.items()}):
                    test(*arguments, **fixtures, **given)

        left = inspect.signature(test).parameters.copy()
        for each in loops:
            for name in each[0]:
                del left[name]
        extra = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        run_all.__signature__ = inspect.Signature([*left.values(), extra])
        run_all.loops = loops
        return run_all

    return decorate


def shown(value):
    """Return what names a value in a message."""
    return getattr(value, "__name__", value)


def sampled(values, now):
    """Return values for ``pytest.mark.parametrize``; `make campaign` has those that are left out.

    `now` has those that every run has, or is how many steps it is from one to the next.
    """
    values = list(values)
    chosen = values[::now] if isinstance(now, int) else now
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [v if v in chosen else later(*row) for v, row in zip(values, rows, strict=True)]


def later(*row):
    """Return a row of ``pytest.mark.parametrize`` that only `make campaign` has."""
    return pytest.param(*row, marks=pytest.mark.campaign)
