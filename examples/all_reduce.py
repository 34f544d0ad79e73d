"""Score a test set that is spread over processes: each counts its part, an all-reduce adds up.

With PyTorch the processes are those of torch.distributed (Gloo, so it runs on any machine); without
it those of multiprocessing, and the sum is made by whoever collects the rows.

Run it: python examples/all_reduce.py
"""

import multiprocessing
import os
import socket
from pathlib import Path

from truebleu import Bleu, Stats, read_lines

BLEU = Bleu()
PROCESSES = 2
FOLDER = Path(__file__).parent


def own_rows(rank):
    """Count the part of one process; return the sum of its rows."""
    hypotheses, references = (
        read_lines(FOLDER / "system-strong.en"),
        read_lines(FOLDER / "reference-a.en"),
    )
    part = slice(rank, None, PROCESSES)
    return BLEU.stats(hypotheses[part], references[part]).sum().to_numpy()


def by_torch(rank, port, queue):
    """Be one of the processes; afterwards all of them know the score."""
    import torch
    from torch import distributed

    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    distributed.init_process_group("gloo", rank=rank, world_size=PROCESSES)
    rows = torch.from_numpy(own_rows(rank))  # int64, which adds exactly
    distributed.all_reduce(rows)
    queue.put(BLEU.score(Stats.from_numpy(rows.numpy(), like=BLEU)).score)
    distributed.destroy_process_group()


def main():
    """Score in several processes, and compare with one."""
    context = multiprocessing.get_context("spawn")
    try:
        import torch.distributed  # noqa: F401

        backend = "gloo"
    except ImportError:
        backend = "multiprocessing"
    if backend == "gloo":
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        queue = context.SimpleQueue()
        processes = [
            context.Process(target=by_torch, args=(rank, port, queue)) for rank in range(PROCESSES)
        ]
        for process in processes:
            process.start()
        scores = [queue.get() for _ in processes]
        for process in processes:
            process.join()
    else:
        with context.Pool(PROCESSES) as pool:
            rows = sum(pool.map(own_rows, range(PROCESSES)))
        scores = [BLEU.score(Stats.from_numpy(rows, like=BLEU)).score] * PROCESSES
    whole = BLEU.corpus(
        read_lines(FOLDER / "system-strong.en"), read_lines(FOLDER / "reference-a.en")
    ).score
    assert scores == [whole] * PROCESSES
    print(f"{PROCESSES} processes, {backend}: {whole:.2f}")


if __name__ == "__main__":
    main()
