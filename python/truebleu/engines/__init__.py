"""Any metric in tables, data frames and clusters.

Each engine has the same four functions: ``stats`` counts every row, ``score_stats`` adds up such
statistics and scores the sum, ``corpus_score`` scores all rows or groups of them, and
``segment_score`` scores every row by itself. In expressions and in SQL, where adding up is the
engine's own, ``score_stats`` scores sums.

``arrow`` takes every table and data frame that speaks Arrow, and files. Each module needs the
library it is named after, and imports it when it is itself imported: ``arrow``, ``polars``,
``duckdb``, ``spark``, ``ray``.
"""
