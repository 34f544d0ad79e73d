"""The same three steps wherever the columns are: rows to statistics, sums, scores.

Each module needs the library it is named after, and imports it when it is itself imported:
``arrow``, ``pandas``, ``polars``, ``duckdb``, ``spark``, ``ray``.
"""
