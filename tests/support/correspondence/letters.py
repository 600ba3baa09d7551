"""Letters for tests: to a copier whose cases are confirmed, by mail or marked as sent."""

import io
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

from PIL import Image
from sqlalchemy.orm import Session

from storage.alerts import channels
from storage.cases import actions
from storage.letters import writing
from storage.records.alerts import NewAddress
from storage.records.cases import Actor
from storage.records.correspondence.letters import ByMail, LetterKind, NamedCase, NewLetter
from storage.types import CaseState, NoticeChannel
from tests.support.case_actions import move, owned_cases

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DEADLINE = datetime(2026, 6, 11, 16, tzinfo=UTC)


def mail_channel(session: Session, address: str = "mailto://smtp.example?from=a@b.example&to=c@d.example") -> int:
    new = NewAddress("mail", address, "c@d.example · smtp.example")
    return channels.add_channel(session, f"信箱{uuid4().hex[:6]}", new, language="zh").id


def confirmed(session: Session, actor: Actor, count: int) -> list[int]:
    """Confirmed cases of one copier."""
    found = owned_cases(session, range(1, count + 1))
    for case_id in found:
        move(session, case_id, CaseState.CONFIRMED, actor)
    return found


def a_letter(
    session: Session, case_ids: Sequence[int], actor: Actor, *, mail_channel_id: int | None = None, **fields: Any
) -> int:
    """A letter about these cases, from the state in which each is; with a channel, a mail that is due at `NOW`."""
    mail = None if mail_channel_id is None else ByMail(mail_channel_id, "a@b.example", NOW)
    known: dict[str, Any] = {
        "key": uuid4().hex,
        "case_id": case_ids[0],
        "other_key": actions.get_case(session, case_ids[0]).other_key,
        "copier": "抄写公司",
        "kind": LetterKind.NOTICE,
        "follows_id": None,
        "language": "zh",
        "subject": "侵权通知书",
        "recipient": "legal@copier.example",
        "channel": NoticeChannel.MAIL if mail else NoticeChannel.LETTER,
        "dated": date(2026, 6, 1),
        "sent_at": NOW,
        "deadline": DEADLINE,
        "body": "侵权通知书\n\n正文",
        "pdf": b"%PDF-1.7 of a test",
        "mail": mail,
    }
    named = [NamedCase(number, actions.get_case(session, number).state, ()) for number in case_ids]
    return writing.add_letter(session, NewLetter(**(known | fields)), named, actor=actor)


def a_picture(form: str = "PNG", size: tuple[int, int] = (60, 40)) -> bytes:
    """A red rectangle, as a file."""
    file = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(file, form)
    return file.getvalue()


def days(count: float) -> timedelta:
    return timedelta(days=count)
