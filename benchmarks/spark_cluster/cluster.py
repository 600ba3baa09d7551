"""A Spark master and its workers as processes on loopback: a cluster without the network between machines."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pyspark

HOST: Final = "127.0.0.1"
LIMIT_S: Final = 180.0
"""Time limit for the start of every process."""
POLL_S: Final = 0.2
_PARTS: Final = "org.apache.spark.deploy"


class ClusterFailed(Exception):
    """A process of the cluster did not start; the message holds the end of its log."""


@contextmanager
def spark_cluster(folder: Path, *, workers: int, memory: str = "1g") -> Iterator[str]:
    """The address of a cluster of so many workers with a core each; `folder` gets their logs. Raises ClusterFailed."""
    port = _free_port()
    address = f"spark://{HOST}:{port}"
    environment = {
        **os.environ,
        "SPARK_LOCAL_IP": HOST,
        "SPARK_WORKER_DIR": str(folder / "work"),
        "PYSPARK_PYTHON": sys.executable,
    }
    with ExitStack() as stack:
        master = folder / "master.log"
        own = ["--host", HOST, "--port", str(port), "--webui-port", "0"]
        stack.enter_context(_process([f"{_PARTS}.master.Master", *own], master, environment))
        _wait(master, "I have been elected leader", 1)
        for number in range(workers):
            own = ["--host", HOST, "--webui-port", "0", "--cores", "1", "--memory", memory, address]
            log = folder / f"worker{number}.log"
            stack.enter_context(_process([f"{_PARTS}.worker.Worker", *own], log, environment))
        _wait(master, "Registering worker", workers)
        yield address


@contextmanager
def _process(arguments: list[str], log: Path, environment: dict[str, str]) -> Iterator[None]:
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    with log.open("wb") as said:
        # The script replaces itself by Java, so what is ended is what was started.
        command = [str(program), *arguments]
        child = subprocess.Popen(command, stdout=said, stderr=said, env=environment)  # noqa: S603  # Spark's own program
        try:
            yield
        finally:
            child.terminate()
            child.wait()


def _wait(log: Path, words: str, times: int) -> None:
    end = time.monotonic() + LIMIT_S
    while log.read_text("utf-8", "replace").count(words) < times:
        if time.monotonic() > end:
            raise ClusterFailed(log.read_text("utf-8", "replace")[-2_000:])
        time.sleep(POLL_S)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port
