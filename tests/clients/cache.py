"""The programs' code: downloaded from PyPI, once, into a folder outside this repository."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

CACHE = Path(os.environ.get("TRUEBLEU_CLIENTS", Path.home() / ".cache" / "truebleu-clients"))


def folder_of(project):
    """Return the folder with a project's Python files; download its wheel if it is not there."""
    folder = CACHE / f"{project.name}-{project.version}"
    if not folder.exists():
        wheels = CACHE / "wheels" / folder.name
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", str(wheels), *project.platform]
        subprocess.run([*command, f"{project.name}=={project.version}"], check=True)
        [wheel] = wheels.glob("*.whl")
        # Under its name only when it is complete: several processes may need it.
        part = folder.with_name(f"{folder.name}.{os.getpid()}")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(part, [name for name in archive.namelist() if name.endswith(".py")])
        part.replace(folder)
        wheel.unlink()
    return folder
