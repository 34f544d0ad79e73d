"""Other packages, counted by the core: see :func:`truebleu.accelerate`.

- :mod:`truebleu.compat.sacrebleu` and :mod:`truebleu.compat.nltk` answer for what these count
- :mod:`truebleu.compat.huggingface`: the results of evaluate's ``bleu``, ``sacrebleu``, ``chrf``
  and ``ter``, without evaluate
- :mod:`truebleu.compat.torchmetrics`: torchmetrics' ``BLEUScore``, ``SacreBLEUScore``,
  ``CHRFScore`` and ``TranslationEditRate``
"""
