"""Settings: one row of a table each."""

import pytest
from truebleu import Bleu, Chrf, Ter

METRICS = [Bleu, Chrf, Ter]


@pytest.mark.parametrize("metric", METRICS)
def test_defaults_are_not_checked_and_need_not_be(metric):
    """What is not given is not checked; given, a default passes its check and stays what it is."""
    table = metric._settings_table
    given = {name: value for name, value in table.defaults.items() if value is not None}
    assert table.check(given) == table.check({})
    assert metric(**given) == metric()
