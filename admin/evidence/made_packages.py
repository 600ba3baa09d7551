"""Packages that were handed out, and their signatures, at the desk and in the API.

A package is made for each download, so its signature is of the file that left: the audit log has its hash.
"""

import re
from collections.abc import Callable
from typing import IO, Final

from flask import Response
from werkzeug.exceptions import NotFound

from admin.evidence.dossier import Dossier
from admin.evidence.package import Proofs, name_of, write_case
from admin.evidence.report import reports
from admin.evidence.witness_files import witness_files
from admin.web import reading_slots
from admin.web.db_session import database
from admin.web.downloads import attachment, spooled
from admin.web.services import current_services
from crawler.evidence.key_announcements import signing_key
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.signing_keys import KeyFiles, KeyUnusable, SigningKey
from crawler.package.detached import SUFFIX, detached_signature
from crawler.package.writer import NotPackaged, Written
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.evidence import chain_store, timestamps

ACT: Final = "evidence.package"
PACKAGE_TYPE: Final = "application/octet-stream"
"""Not that of zips: some browsers would unpack it."""
_MOST_REMEMBERED: Final = 1_000
"""Packages of one case, the newest, for which a signature is given."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class NoPackage(Exception):
    """No package can be made or signed here; the message says why."""


def own_key() -> SigningKey:
    """The key of this installation, made on first use. Raises NoPackage."""
    services = current_services()
    if services.home is None:
        raise NoPackage("this desk has no folder for evidence and keys")
    try:
        return signing_key(services.engine, KeyFiles(services.home), EvidenceFolder(services.home))
    except (KeyUnusable, OSError) as error:
        raise NoPackage(str(error)) from error


def package_answer(
    dossier: Dossier, key: SigningKey, note: Callable[[dict[str, str]], None], *, signature_at: Callable[[str], str]
) -> Response:
    """The package of a case as a download. Raises NoPackage.

    `note`: writes to the audit log which file left; `signature_at`: the address of the signature of a file, by its
    SHA-256 in hex.
    """
    services = current_services()
    if services.home is None:
        raise NoPackage("this desk has no folder for evidence and keys")
    reading_slots.take()
    folder, made = EvidenceFolder(services.home), []
    witnesses = witness_files(database(), dossier.case.id)
    proofs = Proofs(
        key, tuple(chain_store.key_entries(database())), tuple(timestamps.all_stamps(database())), witnesses
    )
    pages = reports(dossier, folder)

    def write(file: IO[bytes]) -> None:
        made.append(write_case(file, dossier, pages, folder, proofs))

    try:
        answer = spooled(write, f"{name_of(dossier)}.wacz", PACKAGE_TYPE)
    except (NotPackaged, OSError) as error:
        raise NoPackage(str(error)) from error
    (written,) = made
    note({"file": written.name, "sha256": written.sha256.hex(), "bytes": str(written.size)})
    answer.headers["Link"] = f'<{signature_at(written.sha256.hex())}>; rel="describedby"; type="application/json"'
    return answer


def signature_answer(case_id: int, sha256: str | None) -> Response:
    """The detached signature of a package that left; without a hash, of the newest. Raises NotFound, NoPackage."""
    written = _made(case_id, sha256)
    if written is None:
        raise NotFound("No such package of this case was made here. Download the package first.")
    return attachment(detached_signature(written, own_key()), f"{written.name}{SUFFIX}", "application/json")


def made_packages(case_id: int, *, limit: int) -> list[Written]:
    """The packages of a case that left, newest first."""
    where = AuditFilter(act=ACT, subject=f"#{case_id}")
    found = map(_written, audit_log.list_events(database(), where, limit=limit))
    return [written for written in found if written is not None]


def _made(case_id: int, sha256: str | None) -> Written | None:
    found = made_packages(case_id, limit=_MOST_REMEMBERED)
    return next((one for one in found if sha256 is None or one.sha256.hex() == sha256), None)


def _written(event: audit_log.AuditRecord) -> Written | None:
    name, digest, size = (event.detail.get(key, "") for key in ("file", "sha256", "bytes"))
    if not name or not _HASH.fullmatch(digest) or not size.isdecimal():
        return None
    return Written(name, bytes.fromhex(digest), int(size))
