"""Entry point of ``python -m truebleu.compat.sacrebleu``."""

import sys

from truebleu.compat.sacrebleu.cli import main

sys.exit(main())
