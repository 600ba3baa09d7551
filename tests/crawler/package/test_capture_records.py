"""Capture records out of WARC files: whole, or not at all."""

import json
from pathlib import Path

import pytest

from crawler.evidence.signing_keys import new_key, verify
from crawler.package.capture_records import record_members
from crawler.warc.writer import resource_record
from tests.support.evidence.evidence import AT
from tests.support.evidence.packages import PICTURE, records

KEY = new_key()
SAID = '{"url": "https://a.example/", "text": "桥"}'.encode()
SIGNED: dict[str, object] = {"key": KEY.id, "public": KEY.public.hex(), "signature": KEY.sign(SAID).hex()}


def kept(folder: Path, *parts: tuple[str, bytes]) -> Path:
    file = folder / "capture.warc.gz"
    file.write_bytes(
        b"".join(
            resource_record(f"urn:zhiwen:{kind}:https://a.example/", AT, data, "text/plain").data
            for kind, data in parts
        )
    )
    return file


def test_record_signature_and_key_are_taken_out(tmp_path: Path) -> None:
    file = kept(tmp_path, ("record", SAID), ("signature", json.dumps(SIGNED).encode()), ("picture-1", PICTURE))

    found = {member.name: member.content for member in record_members(file, "7")}

    assert list(found) == ["records/7.json", "records/7.sig", "records/7.pem"]
    assert found["records/7.json"] == SAID
    signature = found["records/7.sig"]
    assert isinstance(signature, bytes)
    assert verify(KEY.public, signature, SAID)


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        b"null",
        b"{}",
        b"[" * 9_999,
        json.dumps(SIGNED | {"public": "00"}).encode(),
        b'{"signature": 7, "public": []}',
    ],
)
def test_what_is_not_signed_legibly_is_left_in_its_file(signature: bytes, tmp_path: Path) -> None:
    assert record_members(kept(tmp_path, ("record", SAID), ("signature", signature)), "7") == []


def test_other_files_hold_no_record(tmp_path: Path) -> None:
    late = kept(tmp_path, ("picture-1", PICTURE), ("picture-2", PICTURE), ("record", SAID), ("signature", b"{}"))
    assert record_members(late, "7") == []
    for data in (records()[0].data, b"", b"damaged", records()[0].data[:100]):
        (tmp_path / "other").write_bytes(data)
        assert record_members(tmp_path / "other", "7") == []
