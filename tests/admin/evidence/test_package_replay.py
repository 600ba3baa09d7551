"""Packages in the tools of others: the validator of WACZ files, and pywb, which replays them offline over HTTP.

Both are in an environment of their own (CONTRIBUTING.md), since the library that they index with is under AGPL-3.0.
"""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine

from admin.web.services import Services
from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from storage.records.evidence import EvidenceKind
from storage.types import AccountRole
from tests.support.cases import keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, app_with, let_in
from tests.support.evidence.evidence import AT
from tests.support.evidence.packages import PICTURE, a_package

FOLDER = os.environ.get("ZHIWEN_TEST_WEB_ARCHIVES")
START_S = 60

pytestmark = pytest.mark.skipif(
    FOLDER is None or not (Path(FOLDER) / "bin" / "wayback").exists(),
    reason="Tools for web archives are optional: make their environment (CONTRIBUTING.md) and name its folder in "
    "ZHIWEN_TEST_WEB_ARCHIVES",
)


@pytest.fixture
def package_of_a_case(engine: Engine, tmp_path: Path) -> Path:
    case = store_case(engine)
    keep_responses(engine, tmp_path, COPY, SOURCE)
    keeper = Keeper(engine, EvidenceFolder(tmp_path))
    keeper.keep_content(PICTURE, "image/png", url=COPY.url, at=AT, kind=EvidenceKind.SCREENSHOT)
    add_person(engine, role=AccountRole.VIEWER)
    client = app_with(Services(engine=engine, secret_key="for tests", home=tmp_path)).test_client()
    let_in(client)
    file = tmp_path / "case.wacz"
    file.write_bytes(client.get(f"/cases/{case.id}/evidence.wacz").data)
    return file


def tool(name: str, *arguments: str | Path, folder: Path) -> str:
    assert FOLDER is not None
    done = subprocess.run(  # of the environment
        [Path(FOLDER) / "bin" / name, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return f"{done.stdout}\n{done.returncode}"


@contextmanager
def player(folder: Path) -> Iterator[str]:
    """Pywb on loopback, with the collections of a folder. Yields its address."""
    assert FOLDER is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(FOLDER) / "bin" / "wayback"), "--bind", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as running:
        try:
            until = time.monotonic() + START_S
            while time.monotonic() < until and running.poll() is None:
                with socket.socket() as asked:
                    if asked.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def replayed(address: str, timestamp: str, url: str) -> bytes:
    asked = f"{address}/{timestamp}id_/{url}"
    with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310  # on loopback
        found: bytes = answer.read()
    return found


def pages_of(file: Path) -> list[dict[str, str]]:
    with zipfile.ZipFile(file) as package:
        return [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()][1:]


def digits(written: str) -> str:
    return "".join(filter(str.isdigit, written))


def test_the_validator_accepts_a_package_and_no_changed_one(package_of_a_case: Path, tmp_path: Path) -> None:
    assert tool("wacz", "validate", "-f", package_of_a_case, folder=tmp_path).endswith("is valid\n\n0")

    whole = package_of_a_case.read_bytes()
    place = whole.index("老桥修好了".encode())
    (tmp_path / "changed.wacz").write_bytes(whole[:place] + "旧".encode() + whole[place + 3 :])
    assert tool("wacz", "validate", "-f", tmp_path / "changed.wacz", folder=tmp_path).endswith("\n1")


def test_each_page_is_replayed_offline_as_it_was_answered(package_of_a_case: Path, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records.wacz").write_bytes(a_package(tmp_path / "records")[0])
    for name, file in (("case", package_of_a_case), ("records", tmp_path / "records.wacz")):
        assert tool("wb-manager", "init", name, folder=tmp_path).endswith("\n0")
        assert tool("wb-manager", "add", "--unpack-wacz", name, file, folder=tmp_path).endswith("\n0")

    with player(tmp_path) as address:
        shown = {
            page["url"]: replayed(f"{address}/case", digits(page["ts"]), page["url"]).decode()
            for page in pages_of(package_of_a_case)
        }
        others = {
            page["url"]: replayed(f"{address}/records", digits(page["ts"]), page["url"])
            for page in pages_of(tmp_path / "records.wacz")
        }
        with pytest.raises(urllib.error.HTTPError):
            replayed(f"{address}/case", digits(AT.isoformat()), "https://copier.example/never-captured")

    assert shown == {COPY.url: COPY.text, SOURCE.url: SOURCE.text}
    assert set(others) == {"https://copier.example/1", "https://www.copier.example/%E6%A1%A5?b=2&a=1"}
    assert len(set(others.values())) == 1
    assert "第1篇".encode() in next(iter(others.values()))
