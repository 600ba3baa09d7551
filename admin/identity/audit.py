"""The audit log as views write to it."""

from collections.abc import Mapping

from admin.identity.permissions import actor
from admin.web.db_session import database
from storage.accounts import audit_log


def note(act: str, subject: str, detail: Mapping[str, str] | None = None) -> None:
    """Write to the audit log what the current user did: `act` as `noun.verb`, `subject` as people name it."""
    audit_log.record(database(), actor=actor(), act=act, subject=subject, detail=detail)


def note_export(act: str, subject: str, kind: str, **more: str) -> None:
    """Write to the audit log that the current user took a file away.

    To be called where the file is certain to follow; an answer that fails after all leaves no line. `kind`: file type;
    `more`: further details, of which empty ones are left out.
    """
    note(act, subject, {"kind": kind, **{name: value for name, value in more.items() if value}})
