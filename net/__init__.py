"""A net of recorded numbers, under everything that is changed or taken away."""
