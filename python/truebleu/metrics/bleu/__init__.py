"""BLEU: its settings, statistics, formula and signatures."""
