"""Runs a program with other packages accelerated: ``python -m truebleu.compat program.py ...``."""

import runpy
import sys

from truebleu.compat.accelerate import accelerate

if len(sys.argv) < 2:
    sys.exit("usage: python -m truebleu.compat program.py [argument ...]")
accelerate()
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
