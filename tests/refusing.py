"""What a call refuses."""

import pytest


def refused(error, message, function, *arguments, **settings):
    """Check that a call raises an error of a class, whose text has a match of a pattern."""
    with pytest.raises(error, match=message):
        function(*arguments, **settings)
