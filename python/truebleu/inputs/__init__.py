"""Input in any form, checked here and nowhere else."""
