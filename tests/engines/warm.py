"""What Spark forks its workers from: a process that has imported what they need."""

from pyspark import daemon, worker  # noqa: F401
from truebleu.engines import arrow, spark  # noqa: F401

if __name__ == "__main__":
    daemon.manager()
