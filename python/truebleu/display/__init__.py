"""What people see: results as text, color, Markdown, HTML, LaTeX, TSV and JSON."""
