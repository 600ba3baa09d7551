"""Packages that nobody made by accident: forged, of others, huge, and broken on purpose."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from crawler.evidence.signing_keys import new_key
from crawler.package.check import check_package
from crawler.package.detached import detached_signature
from crawler.package.layout_check import MOST_PROBLEMS
from crawler.package.members import Member
from crawler.package.writer import NotPackaged, Written, write_package
from tests.support.evidence.packages import a_package, about, members


def problems(data: bytes, folder: Path, *, signature: bytes | None = None) -> list[str]:
    file = folder / "checked.wacz"
    file.write_bytes(data)
    return list(map(str, check_package(file, signature=signature).problems))


def test_a_package_is_sound_and_names_who_signed_it(tmp_path: Path) -> None:
    key = new_key()
    data, signature, written = a_package(tmp_path, key)
    file = tmp_path / "a.wacz"
    file.write_bytes(data)

    alone, signed = check_package(file), check_package(file, signature=signature)

    assert (alone.problems, alone.signed_by, alone.is_whole_signed) == ([], key.public, False)
    assert (signed.problems, signed.signed_by, signed.is_whole_signed) == ([], key.public, True)
    assert (signed.sha256, signed.size) == (written.sha256, written.size) == (written.sha256, len(data))


def test_any_tool_for_zips_opens_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(a_package(tmp_path)[0])) as package:
        assert package.testzip() is None
        assert package.namelist()[:2] == ["datapackage.json", "datapackage-digest.json"]
        assert {one.compress_type for one in package.infolist()} == {zipfile.ZIP_STORED}


def test_the_signature_of_another_file_does_not_hold(tmp_path: Path) -> None:
    key = new_key()
    data, signature, written = a_package(tmp_path, key)
    another = a_package(tmp_path, key)[1]
    renamed = detached_signature(Written("other.wacz", written.sha256, written.size), key)
    stranger = detached_signature(written, new_key())

    assert "it is not the file that was signed" in problems(data, tmp_path, signature=another)[0]
    assert problems(data, tmp_path, signature=renamed) == ["the detached signature names another file: 'other.wacz'"]
    assert problems(data, tmp_path, signature=stranger) == ["the detached signature is by another key than the package"]
    assert problems(data, tmp_path, signature=signature) == []


def test_a_key_that_the_installation_did_not_sign_is_named(tmp_path: Path) -> None:
    other = new_key()
    out = io.BytesIO()
    forged = members(tmp_path)
    write_package(out, forged, about(), other)
    data = out.getvalue()
    # A package is signed by the key in it; only its id says whose that is.
    assert problems(data, tmp_path) == []

    genuine = a_package(tmp_path, new_key())[0]
    with zipfile.ZipFile(io.BytesIO(genuine)) as package:
        pem = package.read("keys/installation.pem")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        own = package.read("keys/installation.pem")
    assert any(one.startswith("keys/installation.pem: ") for one in problems(data.replace(own, pem), tmp_path))


def test_a_record_that_is_not_the_one_in_the_chain_is_named(tmp_path: Path) -> None:
    found = members(tmp_path)
    record = next(one for one in found if one.name.startswith("archive/"))
    changed = [Member(one.name, b"another file") if one is record else one for one in found]
    out = io.BytesIO()
    write_package(out, changed, about(), new_key())

    assert problems(out.getvalue(), tmp_path) == [f"{record.name}: it is not the file whose hash is in the chain"]


def test_an_entry_that_does_not_follow_the_one_before_is_named(tmp_path: Path) -> None:
    found = [one for one in members(tmp_path) if one.name != "case/CHAIN.SHA256"]
    name = "chain/0000000002.entry"
    changed = [Member(name, b"0" * 64 + b"\n{}") if one.name == name else one for one in found]
    out = io.BytesIO()
    write_package(out, changed, about(), new_key())

    assert problems(out.getvalue(), tmp_path) == [
        f"{name}: it does not follow the entry before it",
        "chain/0000000003.entry: it does not follow the entry before it",
    ]


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("datapackage.json", bytes(200_000_000))
    return out.getvalue()


def _nested() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("datapackage.json", "[" * 1_000_000)
    return out.getvalue()


def _of_others() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("archive/data.warc.gz", b"x")
        package.writestr("datapackage.json", "{}")
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"PK\x03\x04",
            b"\x00" * 100,
            b"PK\x05\x06" + bytes(18),
            "\ud800".encode("utf-16", "surrogatepass") * 50,
        ),
        *(_bomb(), _nested(), _of_others()),
    ],
    ids=["empty", "cut", "zeros", "empty zip", "surrogates", "bomb", "nested", "of others"],
)
def test_what_is_no_package_is_refused_in_one_line(data: bytes, tmp_path: Path) -> None:
    (problem,) = problems(data, tmp_path)

    assert problem.startswith("datapackage.json: ")


def manifest(**changes: object) -> bytes:
    known: dict[str, object] = {
        "wacz_version": "1.1.1",
        "name": "a",
        "created": "2026-05-06T07:08:09Z",
        "software": "Zhiwen 0.1.0",
        "resources": [{"path": "a.txt", "hash": f"sha256:{'0' * 64}", "bytes": 1}],
    }
    return json.dumps(known | changes).encode()


def resource(**changes: object) -> list[dict[str, object]]:
    return [{"path": "a.txt", "hash": f"sha256:{'0' * 64}", "bytes": 1} | changes]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"null", b"[]", b"{}", b"\xff\xfe{}", b'{"name": NaN}', manifest(created="yesterday"), manifest(name=7)),
        *(manifest(wacz_version="9"), manifest(resources=[]), manifest(resources=[3]), manifest(resources="all")),
        *(
            manifest(resources=resource(path=path))
            for path in ("../a", "/a", "a/../b", "a\x00", "a\\b", "", "一", ".a")
        ),
        *(manifest(resources=resource(bytes=size)) for size in (-1, True, "1", 10**30, 1.5)),
        *(manifest(resources=resource(hash=digest)) for digest in ("", "md5:00", "sha256:" + "G" * 64, None)),
        manifest(resources=resource() * 2),
        manifest(resources=resource() * 20_001),
        manifest(resources=resource(path="DataPackage.json")),
    ],
)
def test_a_manifest_that_cannot_be_relied_on_is_refused(content: bytes, tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("datapackage.json", content)
    (problem,) = problems(out.getvalue(), tmp_path)

    assert problem.startswith(("datapackage.json: it ", "datapackage.json: its "))
    assert "Traceback" not in problem


def test_a_manifest_that_lists_what_is_not_there_costs_nothing(tmp_path: Path) -> None:
    listed = [resource(path=f"m{number}", bytes=190_000)[0] for number in range(20_000)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("datapackage.json", manifest(resources=listed))
    found = problems(out.getvalue(), tmp_path)

    assert 0 < len(found) <= MOST_PROBLEMS


@pytest.mark.parametrize("text", [b"", b"{}", b"null", b"[" * 9_999, b"\xff", b" " * 20_000, b'{"file": "a"}'])
def test_what_is_no_signature_is_refused(text: bytes, tmp_path: Path) -> None:
    data = a_package(tmp_path)[0]

    (problem,) = problems(data, tmp_path, signature=text)
    assert problem.startswith("the detached signature does not hold: ")


@pytest.mark.parametrize("name", ["../x", "/x", "a b", "一.txt", "", "a" * 201, "SHA256SUMS", "case/CASE.json"])
def test_a_member_of_an_unusable_name_is_not_packaged(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotPackaged):
        write_package(io.BytesIO(), [*members(tmp_path), Member(name, b"")], about(), new_key())


def test_a_file_that_vanished_is_not_packaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_package(io.BytesIO(), [Member("a.txt", tmp_path / "gone")], about(), new_key())
