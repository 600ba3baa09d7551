"""What leaves the house is written to the audit log: who took it along, of what, and as which kind of file."""

from admin.identity.permissions import actor
from admin.web.db_session import database
from storage.accounts import audit_log


def note_handed_out(act: str, subject: str, kind: str, **more: str) -> None:
    """To be called where the file is sure to come; an answer that fails all the same leaves no line. `more`: further
    details, of which the empty ones are left out.
    """
    detail = {"kind": kind, **{name: value for name, value in more.items() if value}}
    audit_log.record(database(), actor=actor(), act=act, subject=subject, detail=detail)


def of_case(case_id: int) -> str:
    return f"#{case_id}"
