"""Where things are: the project, its examples, recorded numbers, and real data if there are any."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"
# Options of Spark for short jobs: what is compiled for long ones takes longer than these do.
SHORT_JOBS = (
    "--conf 'spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' "
    "--conf spark.sql.shuffle.partitions=3"
)
DATA = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))
