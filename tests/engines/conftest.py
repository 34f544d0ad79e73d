"""What the tests of engines share."""

import contextlib
import logging
import os
import sys
from pathlib import Path

import entries
import pytest

# Ray: tests start processes of their own, and nothing may be sent anywhere. A worker without work
# would end after a second, and starting the next takes several.
os.environ |= {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_idle_worker_killing_time_threshold_ms": "600000",
}


@pytest.fixture(scope="session")
def spark(stop_later):
    """Start Spark on this machine, once for all tests of clusters."""
    import toy_metrics

    os.environ["PYSPARK_PYTHON"] = sys.executable
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    from pyspark import cloudpickle
    from pyspark.sql import SparkSession

    # As if they were defined in a notebook: the executors need not import them.
    cloudpickle.register_pickle_by_value(toy_metrics)

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        # What is compiled for long jobs, or imported by each worker, takes longer than they do.
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.python.daemon.module", "warm")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    stop_later(session.stop)
    return session


@pytest.fixture(scope="session")
def ray(stop_later):
    """Start Ray on this machine, once for all tests of clusters."""
    import toy_metrics

    module = pytest.importorskip("ray")
    # As if they were defined in a notebook: the workers need not import them.
    module.cloudpickle.register_pickle_by_value(toy_metrics)
    options = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    for attempt in range(4):
        # It gives up after 30 seconds, whatever else the machine does, and something is left of it.
        module.shutdown()
        with contextlib.nullcontext() if attempt == 3 else contextlib.suppress(Exception):
            module.init(num_cpus=2, **options)
            break
    context = module.data.DataContext.get_current()
    context.enable_progress_bars = False
    # Else rows come in the order in which blocks are finished.
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    from truebleu.engines import ray as engine

    # Each takes some time to start.
    engine._TASKS = 2
    stop_later(module.shutdown)
    return module


@pytest.fixture(scope="session")
def engine(spark):
    """Return the module for Spark; tests of others have their own."""
    from truebleu.engines import spark as module

    return module


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    """Let entries write their files in the folder of the test."""
    entries.PLACE["folder"] = tmp_path


@pytest.fixture
def start(request):
    """Start the cluster that an entry needs."""

    def start(entry):
        for name in ("spark", "ray"):
            if entry in entries.ENTRIES[name]:
                request.getfixturevalue(name)

    return start
