"""Compare five systems under three metrics, and say which differences are significant.

Two of the five are variations: an output that has lost its case, which TER does not see, and a
new version of a system. Pairs without a significant difference are listed.

Run it: python examples/five_systems.py
"""

from pathlib import Path

from truebleu import compare, read_lines

FOLDER = Path(__file__).parent


def five_systems():
    """Return the outputs of five systems by name."""
    strong, medium, weak = (
        read_lines(FOLDER / f"system-{name}.en") for name in ("strong", "medium", "weak")
    )
    new = [weak[i] if i % 4 == 0 else strong[i] if i % 4 == 2 else medium[i] for i in range(72)]
    return {
        "strong": strong,
        "lowercased": [text.lower() for text in strong],
        "medium": medium,
        "medium 2": new,
        "weak": weak,
    }


def main():
    """Print under each metric the clusters, and the pairs without a significant difference."""
    streams = [read_lines(FOLDER / f"reference-{letter}.en") for letter in "ab"]
    results = compare(five_systems(), reference_streams=streams, metrics=["bleu", "chrf++", "ter"])
    for name, result in results.items():
        print(name)
        for number, cluster in enumerate(result.clusters, 1):
            scores = (f"{system} {result.systems[system].score.score:.2f}" for system in cluster)
            print(f"  {number}. {', '.join(scores)}")
        for pair in result.pairs:
            if not pair.significant:
                print(f"  not significant: {pair.one} - {pair.other} {pair.delta:+.2f}", end=" ")
                print(f"{pair.interval}, adjusted p = {pair.p_adjusted:.2f}")
    for one, other in results.disagreements:
        print(f"the metrics rank {one} and {other} differently")


if __name__ == "__main__":
    main()
