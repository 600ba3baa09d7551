"""`evidence check-package`: without a database, and with an answer for people and for programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crawler.evidence.signing_keys import SigningKey, new_key
from tests.support.evidence.packages import a_package
from zhiwen.cli import zhiwen


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return new_key()


@pytest.fixture
def package(tmp_path: Path, key: SigningKey) -> Path:
    data, signature, written = a_package(tmp_path, key)
    (tmp_path / written.name).write_bytes(data)
    (tmp_path / f"{written.name}.sig.json").write_bytes(signature)
    return tmp_path / written.name


def check(*arguments: str | Path) -> Result:
    # An address of a database that is not there: none is needed.
    environment = {"DATABASE_URL": "postgresql://127.0.0.1:1/none"}
    done = CliRunner().invoke(zhiwen, ["evidence", "check-package", *map(str, arguments)], env=environment)
    assert "Traceback" not in done.output
    return done


def test_a_sound_package_is_named_with_its_key(package: Path, key: SigningKey) -> None:
    done = check(package)

    assert done.exit_code == 0
    assert f"key {key.id}\n" in done.stdout
    assert "The file is the one that was signed" in done.stderr


def test_without_its_signature_it_says_what_was_not_checked(package: Path) -> None:
    package.with_name(f"{package.name}.sig.json").unlink()
    done = check(package)

    assert done.exit_code == 0
    assert "No signature of the whole file was given" in done.stderr


def test_the_file_at_fault_is_named(package: Path) -> None:
    data = package.read_bytes()
    package.write_bytes(data.replace("报告".encode(), "报纸".encode(), 1))
    done = check(package)
    told = json.loads(check(package, "--json").stdout)

    assert done.exit_code == 1
    assert "case/report.zh.html: it was changed" in done.stderr
    assert "it is not the file that was signed" in done.stderr
    assert told["problems"][0] == {"member": "case/report.zh.html", "message": "it was changed"}
    assert told["is_whole_signed"] is False


def test_another_key_than_the_expected_is_a_problem(package: Path, key: SigningKey) -> None:
    assert check(package, "--key", key.id.upper()).exit_code == 0

    done = check(package, "--key", "0" * 64)
    assert done.exit_code == 1
    assert f"it is signed by the key {key.id}, and not by {'0' * 64}" in done.stderr


def test_the_answer_for_programs_is_json_alone(package: Path, key: SigningKey) -> None:
    told = json.loads(check(package, "--json").stdout)

    assert (told["key"], told["is_whole_signed"], told["problems"]) == (key.id, True, [])
    assert told["name"] + ".wacz" == package.name


@pytest.mark.parametrize("content", [b"", b"no package", b"PK\x03\x04" + bytes(60)])
def test_what_is_no_package_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other.wacz").write_bytes(content)

    assert check(tmp_path / "other.wacz").exit_code == 1


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    assert check(tmp_path / "none.wacz").exit_code == 2
    assert check(tmp_path).exit_code == 2
