"""``python -m truebleu`` is the command ``truebleu``."""

import sys

from truebleu.cli import main

if __name__ == "__main__":
    sys.exit(main())
