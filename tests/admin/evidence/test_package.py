"""The evidence package of a case: signed, and checked with the tools of the system alone."""

import hashlib
import io
import json
import re
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder
from sqlalchemy import Engine, text

from admin.evidence.dossier import dossier_of
from admin.evidence.package import Proofs, write_case
from admin.web.services import Services
from crawler.evidence import timestamps as stamping
from crawler.evidence.key_announcements import signing_key
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.signing_keys import KEY_FILE, KeyFiles, new_key, public_pem
from crawler.package.check import check_package
from crawler.package.detached import detached_signature
from crawler.warc.writer import resource_record
from storage.accounts.api_tokens import TokenScope
from storage.cases import listing
from storage.engine import transaction
from storage.evidence import chain_store, timestamps
from storage.evidence.timestamps import StampRecord
from storage.records.evidence import EvidenceKind, NewEvidence
from storage.types import AccountRole
from tests.support.api_tokens import bearer, token_of
from tests.support.cases import StoredCase, keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, app_with, let_in
from tests.support.evidence.evidence import AT, verified
from tests.support.evidence.packages import PICTURE
from tests.support.evidence.timestamp_authority import Authority, served

COMMAND = re.compile(r"^ +\$ (.+)$", re.MULTILINE)
UNPACKING = re.compile(r"^(?:Then unpack|然后解压)", re.MULTILINE)


@dataclass(frozen=True)
class Desk:
    engine: Engine
    home: Path
    case: StoredCase
    client: FlaskClient

    @property
    def path(self) -> str:
        return f"/cases/{self.case.id}/evidence.wacz"


@pytest.fixture
def desk(engine: Engine, tmp_path: Path) -> Desk:
    home = tmp_path / "home"
    home.mkdir()
    case = store_case(engine)
    keep_responses(engine, home, COPY, SOURCE)
    add_person(engine, role=AccountRole.VIEWER)
    client = app_with(Services(engine=engine, secret_key="for tests", home=home)).test_client()
    let_in(client)
    return Desk(engine, home, case, client)


def saved(desk: Desk, folder: Path) -> Path:
    """The package with its signature beside it, as a person saves them."""
    folder.mkdir(exist_ok=True)
    answer = desk.client.get(desk.path)
    assert answer.status_code == 200, answer.text
    name = answer.headers["Content-Disposition"].partition("filename=")[2]
    (folder / name).write_bytes(answer.data)
    link = re.match(r'<([^>]+)>; rel="describedby"', answer.headers["Link"])
    assert link is not None
    signature = desk.client.get(link[1])
    assert signature.headers["Content-Disposition"] == f"attachment; filename={name}.sig.json"
    (folder / f"{name}.sig.json").write_bytes(signature.data)
    return folder / name


def stamp_the_head(desk: Desk) -> None:
    with served(Authority()) as authority, transaction(desk.engine) as session:
        (desk.home / "root.pem").write_bytes(authority.root_pem)
        by = stamping.authority(authority.url, desk.home / "root.pem")
        head = chain_store.head(session)
        assert head is not None
        got = stamping.stamp(head, by)
        timestamps.add(session, StampRecord(head, got.at, by.url, got.request, got.response, by.pem))


def keep_a_capture_record(desk: Desk) -> str:
    """A signed record in the form of captures. Returns the place of its file in a package."""
    key = new_key()
    said, url = b'{"url": "https://copier.example/a"}', COPY.url
    signature = json.dumps({"key": key.id, "public": key.public.hex(), "signature": key.sign(said).hex()}).encode()
    first = resource_record(f"urn:zhiwen:record:{url}", AT, said, "application/json")
    second = resource_record(f"urn:zhiwen:signature:{url}", AT, signature, "application/json")
    data = first.data + second.data + resource_record(f"urn:zhiwen:picture-1:{url}", AT, PICTURE, "image/png").data
    digest = hashlib.sha256(data).digest()
    EvidenceFolder(desk.home).write(data, digest)
    with transaction(desk.engine) as session:
        chain_store.append(session, NewEvidence(EvidenceKind.RECORDED, AT, url, record=digest))
    return f"archive/{digest.hex()}.warc.gz"


def witnessed(desk: Desk, folder: Path, archived: str) -> Path:
    """A package with a stamped list of files and a countersigned head, and its signature beside it."""
    folder.mkdir()
    name = archived.removeprefix("archive/")
    listed, other, head = f"{name[:64]}  {name[:2]}/{name}\n".encode(), new_key(), b"Zhiwen head 1\n"
    with served(Authority()) as authority:
        (desk.home / "list-root.pem").write_bytes(authority.root_pem)
        request = TimestampRequestBuilder().data(listed).hash_algorithm(HashAlgorithm.SHA256).build()
        answer = authority.answer(request.as_bytes())
    witnesses = {
        "list-1.sha256": listed,
        "list-1.stamp-1.tsr": answer,
        "list-1.stamp-1.roots.pem": authority.root_pem,
        "head-3.answer.txt": head,
        "head-3.answer.sig": other.sign(head),
        "head-3.answer.pem": public_pem(other.public).encode(),
    }
    evidence = EvidenceFolder(desk.home)
    key = signing_key(desk.engine, KeyFiles(desk.home), evidence)
    app = desk.client.application
    with app.test_request_context(), transaction(desk.engine) as session:
        case = listing.get_case(session, desk.case.id)
        assert case is not None
        dossier = dossier_of(session, case, made_by="王记者")
        assert dossier is not None
        stamps, entries = timestamps.all_stamps(session), chain_store.key_entries(session)
        proofs = Proofs(key, tuple(entries), tuple(stamps), witnesses)
        out = io.BytesIO()
        written = write_case(out, dossier, {"zh": "<p>报告</p>"}, evidence, proofs)
    (folder / written.name).write_bytes(out.getvalue())
    (folder / f"{written.name}.sig.json").write_bytes(detached_signature(written, key))
    return folder / written.name


def test_a_package_is_checked_by_the_commands_of_its_readme_in_both_languages(desk: Desk, tmp_path: Path) -> None:
    stamp_the_head(desk)
    archived = keep_a_capture_record(desk)
    file = witnessed(desk, tmp_path / "taken", archived)
    with zipfile.ZipFile(file) as package:
        readme = package.read("case/README.txt").decode()
    key = KeyFiles(desk.home).load()
    assert key is not None
    assert readme.count(key.id) == 2
    halves = readme.split("Evidence of case ")
    assert len(halves) == 2

    for number, half in enumerate(halves):
        before, after = UNPACKING.split(half)
        folder = file.parent / f"unpacked{number}"
        with zipfile.ZipFile(file) as package:
            package.extractall(folder)
        commands = COMMAND.findall(before), COMMAND.findall(after)
        assert (len(commands[0]), len(commands[1])) == (5, 16)
        said = run(commands[0], file.parent) + run(commands[1], folder)
        # Of the whole file, of the package's key, of a capture record and of a countersigned head.
        assert said.count("Signature Verified Successfully") == 4
        assert f"{key.id}  -" in said
        assert said.count("Verified OK") == 1
        assert "datapackage.json: OK" in said
        assert "case/report.zh.html: OK" in said
        assert said.count("Verification: OK") == 2
        assert f"{archived}: OK" in said
        assert "Time stamp: " in said
        assert "FAILED" not in said
        assert half.count("zhiwen evidence check-package") == 1


def test_the_commands_of_the_readme_fail_on_a_changed_file(desk: Desk, tmp_path: Path) -> None:
    stamp_the_head(desk)
    file = saved(desk, tmp_path / "taken")
    with zipfile.ZipFile(file) as package:
        readme = package.read("case/README.txt").decode()
    commands = COMMAND.findall(UNPACKING.split(readme.split("Evidence of case ")[1])[1])

    for name in ("archive", "texts", "chain", "keys", "stamps", "datapackage.json"):
        folder = file.parent / f"with-another-{name}"
        with zipfile.ZipFile(file) as package:
            package.extractall(folder)
        changed = folder / name
        changed = changed if changed.is_file() else min(changed.iterdir())
        changed.write_bytes(changed.read_bytes()[:-2] + b"??")
        with pytest.raises(subprocess.CalledProcessError):
            run(commands, folder)


def run(commands: list[str], folder: Path) -> str:
    """What a shell prints that stops at the first failure."""
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-eo", "pipefail", "-c", "\n".join(commands)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_package_has_what_the_bundle_has_and_shows_both_sides(desk: Desk, tmp_path: Path) -> None:
    file = saved(desk, tmp_path / "taken")
    with zipfile.ZipFile(file) as package, zipfile.ZipFile(io.BytesIO(bundle_of(desk))) as bundle:
        names = set(package.namelist())
        told = json.loads(package.read("case/case.json"))
        manifest = json.loads(package.read("datapackage.json"))
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()][1:]
        moved = {re.sub("^warc/", "archive/", name) for name in bundle.namelist() if "/" in name}
        moved |= {f"case/{name}" for name in bundle.namelist() if "/" not in name and name != "SHA256SUMS"}

    assert moved <= names
    assert (told["case"], told["copies"][0]["url"]) == (desk.case.id, COPY.url)
    assert [page["url"] for page in pages] == [COPY.url, SOURCE.url]
    assert (manifest["mainPageUrl"], manifest["zhiwen"]["case"]) == (COPY.url, desk.case.id)
    assert [name for name in names if name.count("/") > 1] == []


def bundle_of(desk: Desk) -> bytes:
    data: bytes = desk.client.get(f"/cases/{desk.case.id}/evidence.zip").data
    return data


def test_a_package_is_sound_and_each_has_a_signature_of_its_own(desk: Desk, tmp_path: Path) -> None:
    first, second = saved(desk, tmp_path / "first"), saved(desk, tmp_path / "second")
    key = KeyFiles(desk.home).load()
    assert key is not None

    for file in (first, second):
        signature = file.with_name(f"{file.name}.sig.json").read_bytes()
        found = check_package(file, signature=signature)
        assert (found.problems, found.signed_by, found.is_whole_signed) == ([], key.public, True)
    newest = json.loads(desk.client.get(f"{desk.path}.sig.json").data)
    assert newest["file"] == second.name
    assert verified(desk.engine, desk.home)[1] == []
    page = desk.client.get(f"/cases/{desk.case.id}").text
    assert page.count(".sig.json</a>") == 2
    assert newest["sha256"] in page


def test_only_what_was_made_here_is_signed(desk: Desk) -> None:
    for query in ("", f"?sha256={'0' * 64}", "?sha256=%00", "?sha256=" + "a" * 5_000):
        assert desk.client.get(f"{desk.path}.sig.json{query}").status_code == 404
    assert desk.client.get("/cases/999999/evidence.wacz").status_code == 404
    assert desk.client.get("/cases/999999/evidence.wacz.sig.json").status_code == 404


def test_a_package_names_what_lacks_and_what_cannot_be_shown(desk: Desk, tmp_path: Path) -> None:
    with transaction(desk.engine) as session:
        first, second = list(chain_store.entries(session))[:2]
    assert first.record is not None
    assert second.record is not None
    folder = EvidenceFolder(desk.home)
    folder.remove(first.record)
    folder.file_of(second.record).write_bytes(b"damaged")

    file = saved(desk, tmp_path / "taken")
    with zipfile.ZipFile(file) as package:
        readme = package.read("case/README.txt").decode()
        pages = package.read("pages/pages.jsonl").splitlines()

    assert f"{first.record.hex()}.warc.gz: not on this machine" in readme
    assert f"archive/{second.record.hex()}.warc.gz: is here and cannot be replayed" in readme
    assert len(pages) == 1
    damaged = f"archive/{second.record.hex()}.warc.gz: it is not the file whose hash is in the chain"
    assert list(map(str, check_package(file).problems)) == [damaged]


def test_hostile_words_stay_on_their_lines(desk: Desk, tmp_path: Path) -> None:
    with desk.engine.begin() as connection:
        connection.execute(text("UPDATE page_version SET title = :title"), {"title": 'a"\n{x}\u202e<script>'})

    file = saved(desk, tmp_path / "taken")

    assert check_package(file).problems == []
    with zipfile.ZipFile(file) as package:
        assert len(package.read("pages/pages.jsonl").splitlines()) == 3


@pytest.mark.parametrize("spoil", ["no home", "bad key"])
def test_without_a_key_there_is_no_package_and_the_desk_says_why(desk: Desk, *, spoil: str) -> None:
    home = None if spoil == "no home" else desk.home
    if home is not None:
        (home / KEY_FILE).write_text("no key")
    client = app_with(Services(engine=desk.engine, secret_key="for tests", home=home)).test_client()
    let_in(client)

    answer = client.get(desk.path)

    assert answer.status_code == 409
    assert "此处无法制作或签署证据包" in answer.text
    assert ("未设置存放证据和密钥的文件夹" if home is None else "evidence-key") in answer.text


def test_programs_take_the_package_and_its_signature(desk: Desk, tmp_path: Path) -> None:
    account = add_person(desk.engine, name="程序", role=AccountRole.VIEWER)
    token = bearer(token_of(desk.engine, account, [TokenScope.READ]))
    path = f"/api/v1/cases/{desk.case.id}/package"
    assert desk.client.get(f"{path}/signature", headers=token).status_code == 404

    answer = desk.client.get(path, headers=token)
    signature = desk.client.get(answer.headers["Link"].partition(">")[0][1:], headers=token)
    (tmp_path / "a.wacz").write_bytes(answer.data)

    assert (answer.status_code, answer.content_type) == (200, "application/octet-stream")
    assert check_package(tmp_path / "a.wacz", signature=signature.data).problems == []
    assert desk.client.get(f"{path}/signature?sha256=x", headers=token).status_code == 422
    assert desk.client.get("/api/v1/cases/999999/package", headers=token).status_code == 404
    assert desk.client.get(path).status_code == 401


def test_programs_are_refused_in_words_where_there_is_no_key(desk: Desk) -> None:
    account = add_person(desk.engine, name="程序", role=AccountRole.VIEWER)
    token = bearer(token_of(desk.engine, account, [TokenScope.READ]))
    client = app_with(Services(engine=desk.engine, secret_key="for tests")).test_client()

    answer = client.get(f"/api/v1/cases/{desk.case.id}/package", headers=token)

    assert (answer.status_code, json.loads(answer.data)["type"]) == (409, "urn:zhiwen:problem:no-package")
