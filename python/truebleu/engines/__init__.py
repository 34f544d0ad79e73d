"""Any metric in tables, data frames and clusters.

Each engine has the same four functions: ``stats`` counts every row, ``score_stats`` scores such
statistics and sums of them, ``corpus_score`` scores all rows or groups of them, and
``sentence_score`` scores every row by itself.

Each module needs the library it is named after, and imports it when it is itself imported:
``arrow``, ``pandas``, ``polars``, ``duckdb``, ``spark``, ``ray``; ``tables`` needs DuckDB.
"""
