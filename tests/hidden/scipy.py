"""On the module path, hides SciPy: NLTK does without it, and is imported in a third of the time."""

raise ImportError
