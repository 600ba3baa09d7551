"""Kept results of checks and certificates, to look at."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy.orm import Session

from admin.check.certificate_number import check_letter
from storage.intake import check_certificates, text_checks
from storage.intake.check_certificates import NewCertificate
from storage.intake.check_files import HandedIn, queue_files
from storage.intake.check_records import CheckedResult, CheckedText, ComparedScope

NUMBER: Final = "ZW-7K3F-9Q2M-X0RT-5B8" + check_letter("7K3F9Q2MX0RT5B8")
PDF: Final = b"%PDF-1.7 the document"
PRIVATE: Final = "不能外泄的题目"
MADE: Final = datetime(2026, 3, 1, tzinfo=UTC)

FACTS: Final[dict[str, Any]] = {
    **{"title": PRIVATE, "author": "某人", "url": "", "kind": "text", "file_name": "", "chars": 600},
    **{"sha256": "00" * 32, "checked_at": "2026-03-01T01:30:00+00:00", "verdict": "borrowed"},
    **{"share": 0.4, "counted_share": 0.1, "without": [1], "quotations": False, "shorter_than": 50},
    "scope": {"texts": 8000, "sites": 12, "newest": "2026-02-28T00:00:00+00:00", "waiting": 0, "is_estimate": False},
    **{"collection": "", "by_meaning": False, "is_partial": False, "cut": 0},
    "sources": [
        {
            **{"number": 1, "url": "https://ours.example/story", "title": "老桥修好了", "site": "县报"},
            **{"other_pages": 0, "is_submission": False, "kind": "embedded", "credit": "none"},
            **{"share": 0.4, "own_share": 0.4, "longest": 200},
        }
    ],
    **{"similar": [], "program": "0.1", "algorithm": 1},
}


def a_certificate(session: Session, account_id: int) -> str:
    """A certificate of NUMBER with the file PDF; its number."""
    new = NewCertificate(
        number=NUMBER,
        account_id=account_id,
        made_by="审核员",
        made_at=MADE,
        title=PRIVATE,
        text_sha256=bytes(32),
        chars=600,
        verdict="borrowed",
        share=0.4,
        language="zh",
        facts=FACTS,
        pdf=PDF,
        pdf_sha256=hashlib.sha256(PDF).digest(),
    )
    return check_certificates.add_certificate(session, new).number


def a_check(session: Session, account_id: int, *, title: str = "<b>稿</b>") -> str:
    """A kept result without sources; its key."""
    result = CheckedResult(3, "original", 0.0, ComparedScope(1, 1, MADE), ())
    later = datetime.now(UTC) + timedelta(days=9)
    text = CheckedText("<b>稿", title, "<i>甲</i>")
    return text_checks.keep_check(session, text, result, account_id=account_id, expires_at=later)


def a_batch(session: Session, account_id: int) -> str:
    """Two files that wait; the key of their batch."""
    later = datetime.now(UTC) + timedelta(days=9)
    files = [HandedIn("<b>甲</b>.txt", b"x"), HandedIn("乙.pdf", b"", "empty")]
    return queue_files(session, files, CheckedText(""), account_id=account_id, expires_at=later)
