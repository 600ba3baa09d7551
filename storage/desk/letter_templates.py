"""Letters that somebody has worded anew. What is not here is the program's own wording."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func
from sqlalchemy.orm import Session

from storage.models.submissions import LetterTemplate
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.postgres.writes import upsert

TEMPLATE_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class LetterWording:
    body: str
    changed_by: str
    changed_at: datetime


def get_wording(session: Session, name: str, language: str) -> LetterWording | None:
    """What somebody made of the letter; None where it is as it came."""
    found = session.get(LetterTemplate, (name, language))
    return None if found is None else record_of(LetterWording, found)


def set_wording(session: Session, name: str, language: str, body: str, *, changed_by: str) -> None:
    """Replaces the letter's text, cut at `TEMPLATE_CHARS` characters."""
    values = {"body": storable(body[:TEMPLATE_CHARS]), "changed_by": changed_by, "changed_at": func.now()}
    upsert(session, LetterTemplate, {"name": name, "language": language}, values)


def forget_wording(session: Session, name: str, language: str) -> None:
    """The letter is as it came again."""
    session.execute(delete(LetterTemplate).where(LetterTemplate.name == name, LetterTemplate.language == language))
