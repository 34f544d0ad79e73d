"""Many texts against many: matrices, decoding, diversity, rewards."""
