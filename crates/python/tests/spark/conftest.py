"""A cluster of two executors, an S3 interface, and web archives, all on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from places import BUCKET, contents
from warcs import page, write_warc

if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("java is not installed, so Spark cannot run", allow_module_level=True)
pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: pip install absolve[spark]")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install absolve[spark]")

_ENVIRONMENT = {
    # local-cluster starts its workers from there, and pip's pyspark does not set it.
    "SPARK_HOME": os.path.dirname(pyspark.__file__),
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
    # The executors have the environment of the driver.
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
os.environ.update(_ENVIRONMENT)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Yields a session on two executors of one core each."""
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder
    session = (
        builder.master("local-cluster[2,1,1024]")
        .appName("absolve tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def command() -> str:
    """Returns the command ``absolve``, that of this Python first."""
    found = shutil.which("absolve", path=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    if found is None:
        pytest.skip("the command absolve is not installed")
    return found


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with 40 web archives, some of them in a folder below."""
    folder = tmp_path_factory.mktemp("crawl")
    (folder / "more").mkdir()
    for number in range(40):
        path = folder / ("more" if number % 4 == 0 else ".") / f"part-{number:02}.warc.gz"
        write_warc(path, ((f"https://example.org/{number}/{n}/", page(n)) for n in range(10 + number)))
    return folder


@pytest.fixture(scope="session")
def rewritten(crawl: Path, command: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Returns what the command line makes of the web archives."""
    output = tmp_path_factory.mktemp("command") / "out"
    subprocess.run([command, "rewrite", str(crawl), "-o", str(output), "--warc-date", "0", "-q"], check=True)
    return contents(output)


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    """Yields the URL of an S3 interface on loopback, in a process of its own."""
    server = shutil.which("moto_server", path=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    if server is None:
        pytest.skip("moto is not installed: pip install 'moto[server]'")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [server, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait()


@pytest.fixture(scope="session")
def s3(s3_endpoint: str) -> Any:
    """Returns a client of the S3 interface, with an empty bucket."""
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed")
    client = boto3.client("s3", endpoint_url=s3_endpoint)
    client.create_bucket(Bucket=BUCKET)
    return client
