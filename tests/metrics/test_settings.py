"""Settings: one row of a table each."""

import re
from ast import literal_eval

import numpy as np
import pytest
from truebleu import Bleu, Chrf, Ter
from truebleu.metrics.settings import flag, flag_or_none

METRICS = [Bleu, Chrf, Ter]


@pytest.mark.parametrize("metric", METRICS)
def test_defaults_are_not_checked_and_need_not_be(metric):
    """What is not given is not checked; given, a default passes its check and stays what it is."""
    table = metric._settings_table
    given = {name: value for name, value in table.defaults.items() if value is not None}
    assert table.check(given) == table.check({})
    assert metric(**given) == metric()
    shown = re.findall("<tr><td>(.*?)</td>", metric()._repr_html_())
    assert shown == [*metric().settings()] == [*table.defaults]


@pytest.mark.parametrize("metric", METRICS)
def test_attributes_and_documented_defaults_are_those_of_the_table(metric):
    """People and their editors read what the table has."""
    defaults = metric._settings_table.defaults
    assert defaults.keys() <= metric.__annotations__.keys()
    written = dict(re.findall(r"^    (\w+) : .*default (\S+)$", metric.__doc__, re.MULTILINE))
    assert len(written) > 3
    assert {name: literal_eval(text) for name, text in written.items()} == {
        name: defaults[name] for name in written
    }


@pytest.mark.parametrize("metric", METRICS)
def test_numpy_has_flags_too(metric):
    """Each setting that may be True takes NumPy's, and keeps Python's."""
    table = metric._settings_table
    flags = [each.name for each in table.settings if each.check in (flag, flag_or_none)]
    assert flags
    for name in flags:
        for value in False, True:
            made = metric(**{name: np.bool_(value)})
            assert getattr(made, name) is value
