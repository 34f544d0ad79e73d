"""The same for the programs that score with NLTK alone: another process tests them."""

import pytest
from looping import sampled
from projects import PROJECTS
from test_clients import check

pytestmark = pytest.mark.slow


NAMES = [name for name in PROJECTS if PROJECTS[name].uses == ("nltk",)]


@pytest.mark.parametrize("name", sampled(NAMES, 3))
def test_client_of_nltk(name):
    """No call differs, and the table of the documentation has as many."""
    check(PROJECTS[name])
