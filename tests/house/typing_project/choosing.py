"""Many texts against many."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray
from truebleu import best_of, mbr, pairwise, read_lines, self_bleu, token_rewards
from truebleu.generation.decoding import Choice
from truebleu.generation.self_bleu import SelfBleu

lines = read_lines("examples/system-strong.en")[:9]
references = read_lines("examples/reference-a.en")[:9]

assert_type(mbr(lines), Choice)
choices: list[Choice] = mbr([lines, references])
assert_type(mbr(lines, metric="chrf").index, int)
assert_type(pairwise(lines, references), NDArray[np.float64])
samples = [[line, "other"] for line in lines]
assert_type(best_of(samples, references), list[Choice])
diversity = self_bleu(lines)
assert_type(diversity, SelfBleu)
assert_type(diversity.score, float)
assert_type(token_rewards([[1, 2]], [[1, 3]], max_order=1), NDArray[np.float64])
