"""Certificates of checks: issued once, never changed but by withdrawal, and looked up by their number."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.intake.check_records import CertificateRecord
from storage.models.submissions import CheckCertificate
from storage.postgres.rows import columns_of, record_of, record_or_none, records_of
from storage.postgres.text import storable

SHOWN: Final = 50
_COLUMNS = columns_of(CertificateRecord, CheckCertificate)


@dataclass(frozen=True, slots=True)
class NewCertificate:
    """`pdf`: the document as it is handed out; `facts`: what it states."""

    number: str
    account_id: int
    made_by: str
    made_at: datetime
    title: str
    text_sha256: bytes
    chars: int
    verdict: str
    share: float
    language: str
    facts: Mapping[str, Any]
    pdf: bytes
    pdf_sha256: bytes


def add_certificate(session: Session, new: NewCertificate) -> CertificateRecord:
    """Store a certificate."""
    values = {name: getattr(new, name) for name in NewCertificate.__slots__}
    values |= {"facts": dict(new.facts), "title": storable(new.title), "made_by": storable(new.made_by)}
    row = session.execute(insert(CheckCertificate).values(values).returning(*_COLUMNS)).one()
    return record_of(CertificateRecord, row)


def get_certificate(session: Session, number: str) -> CertificateRecord | None:
    """The certificate with this number, as it is written; None if there is none."""
    return record_or_none(
        CertificateRecord, session.execute(select(*_COLUMNS).where(CheckCertificate.number == number))
    )


def document_of(session: Session, number: str) -> bytes:
    """The PDF as it was handed out. Raises NotKnown."""
    found = session.scalar(select(CheckCertificate.pdf).where(CheckCertificate.number == number))
    if found is None:
        raise NotKnown("certificate", number)
    return bytes(found)


def list_certificates(
    session: Session, *, account_id: int, before_id: int | None = None, limit: int = SHOWN
) -> list[CertificateRecord]:
    """Certificates that a person issued, newest first."""
    wanted = select(*_COLUMNS).where(CheckCertificate.account_id == account_id)
    if before_id is not None:
        wanted = wanted.where(CheckCertificate.id < before_id)
    return records_of(CertificateRecord, session.execute(wanted.order_by(CheckCertificate.id.desc()).limit(limit)))


def withdraw(session: Session, number: str, *, by: str) -> CertificateRecord:
    """Mark a certificate as withdrawn; one that is stays as it is. Raises NotKnown."""
    values = {
        "withdrawn_at": func.coalesce(CheckCertificate.withdrawn_at, func.now()),
        "withdrawn_by": func.coalesce(func.nullif(CheckCertificate.withdrawn_by, ""), storable(by)),
    }
    changed = update(CheckCertificate).where(CheckCertificate.number == number).values(values).returning(*_COLUMNS)
    row = session.execute(changed).one_or_none()
    if row is None:
        raise NotKnown("certificate", number)
    return record_of(CertificateRecord, row)
