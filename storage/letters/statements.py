"""Statements that the signer of a notice makes each time that it is sent."""

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from storage.errors import NotSigned
from storage.models.correspondence.letters import Letter, LetterStatement
from storage.postgres.rows import records_of
from storage.postgres.text import storable
from storage.records.cases import Actor
from storage.records.correspondence.notices import STATEMENTS, NoticeForm, Signed, StatementRecord

SIGNER_CHARS = 100


def check(form: NoticeForm, signed: Signed | None) -> None:
    """Raises NotSigned unless every statement of the form is made, with a name. Forms without statements take none."""
    wanted = STATEMENTS[form]
    made = () if signed is None else tuple(one for one in signed.wordings if one.strip())
    has_name = signed is not None and any(letter.isalpha() for letter in signed.signer)
    if len(made) != wanted or (wanted and not has_name):
        raise NotSigned(form.value, wanted, len(made) if has_name or not wanted else 0)


def keep(session: Session, letter_id: int, sending: int, signed: Signed, *, actor: Actor) -> None:
    """Stores what was stated when a letter was sent for the `sending`th time."""
    same = {
        "letter_id": letter_id,
        "sending": sending,
        "signer": storable(signed.signer)[:SIGNER_CHARS],
        "ticked_by_id": actor.account_id,
        "ticked_by": actor.name,
        "ticked_at": signed.at,
    }
    rows = [{**same, "position": place, "wording": storable(one)} for place, one in enumerate(signed.wordings, start=1)]
    if rows:
        session.execute(insert(LetterStatement), rows)


def statements_of(session: Session, letter_id: int) -> list[StatementRecord]:
    """All statements about a letter, in the order in which they were made."""
    found = select(LetterStatement).where(LetterStatement.letter_id == letter_id)
    rows = session.scalars(found.order_by(LetterStatement.sending, LetterStatement.position))
    return records_of(StatementRecord, rows)


def is_signed(session: Session, letter_id: int) -> bool:
    """Whether the statements of the form were made for the present sending of a letter."""
    row = session.execute(select(Letter.form, Letter.sendings).where(Letter.id == letter_id)).one()
    of_sending = (LetterStatement.letter_id == letter_id, LetterStatement.sending == row.sendings)
    made = session.scalar(select(func.count()).select_from(LetterStatement).where(*of_sending))
    return made == STATEMENTS[row.form]
