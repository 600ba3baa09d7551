"""Answers to letters, each with its dates: a later one does not overwrite an earlier one."""

from datetime import date, datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.correspondence.letter_answers import NoticeLaw
from storage.records.correspondence.letters import ReplyKind


class LetterAnswer(Base):
    """What came back to a letter."""

    __tablename__ = "letter_answer"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    letter_id: Mapped[int] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"), index=True)
    kind: Mapped[ReplyKind] = mapped_column(word(ReplyKind))
    words: Mapped[str]
    law: Mapped[NoticeLaw] = mapped_column(word(NoticeLaw))
    dated: Mapped[date | None]
    received: Mapped[date]
    provider_received: Mapped[date | None]
    noted_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    noted_by: Mapped[str] = mapped_column(server_default="")
