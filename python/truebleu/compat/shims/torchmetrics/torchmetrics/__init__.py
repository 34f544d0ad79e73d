"""What a process finds as torchmetrics if the folder above is on its path; see :func:`install`."""

from truebleu.compat import take_over

if __name__ == "torchmetrics":
    take_over(__name__)
