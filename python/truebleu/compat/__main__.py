"""Prints the ``PYTHONPATH`` under which Python imports the drop-ins of some packages, or of all.

``PYTHONPATH=$(python -m truebleu.compat sacrebleu) python program.py`` runs any program with them.
"""

import os
import sys

from truebleu.compat import install
from truebleu.errors import TruebleuError

if {"-h", "--help"} & set(sys.argv):
    print(__doc__)
    sys.exit()
try:
    with install(*sys.argv[1:], subprocesses=True):
        print(os.environ["PYTHONPATH"])
except TruebleuError as error:
    sys.exit(f"truebleu.compat: {error}")
