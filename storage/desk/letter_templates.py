"""Letter templates edited by people. All others have the program's default text."""

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
    """The edited text of a letter; None if it is the default."""
    found = session.get(LetterTemplate, (name, language))
    return None if found is None else record_of(LetterWording, found)


def set_wording(session: Session, name: str, language: str, body: str, *, changed_by: str) -> None:
    """Stores the text of a letter, cut at `TEMPLATE_CHARS` characters."""
    values = {"body": storable(body[:TEMPLATE_CHARS]), "changed_by": changed_by, "changed_at": func.now()}
    upsert(session, LetterTemplate, {"name": name, "language": language}, values)


def forget_wording(session: Session, name: str, language: str) -> None:
    """Restores the default text of a letter."""
    session.execute(delete(LetterTemplate).where(LetterTemplate.name == name, LetterTemplate.language == language))
