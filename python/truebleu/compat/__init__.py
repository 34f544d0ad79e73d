"""Other packages, counted by the core: see :func:`truebleu.accelerate`.

- :mod:`truebleu.compat.sacrebleu`, :mod:`truebleu.compat.nltk`, :mod:`truebleu.compat.torchmetrics`
  and :mod:`truebleu.compat.evaluation_module` answer for what these count
- :mod:`truebleu.compat.evaluate`: the results of evaluate's ``bleu``, ``sacrebleu``, ``chrf`` and
  ``ter``, without evaluate
"""
