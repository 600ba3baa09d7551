"""Lists of evidence files for witnesses: one confirmation covers up to a thousand files, and any tool checks it.

A list has the form of `sha256sum`, so that `sha256sum --check` compares the files with it in the evidence folder. A
file is in one list, the first that was made after it belonged to a case.
"""

import hashlib
from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Select, exists, or_, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.evidence import MADE_AS_EVIDENCE, Evidence, FileListRow, ListedFile
from storage.models.pages import Page
from storage.pages.case_references import page_is_in_case
from storage.postgres.rows import record_of, records_of
from storage.records.witnesses import FileList

MOST_FILES: Final = 1_000
"""In a list: 150 kB of text."""
SUFFIX: Final = ".warc.gz"


def list_body(records: Collection[bytes]) -> str:
    """The list of these files by their SHA-256, in order, with their paths inside the evidence folder.

    >>> print(list_body([bytes(32)])[:72])
    0000000000000000000000000000000000000000000000000000000000000000  00/0000
    """
    names = sorted(record.hex() for record in records)
    return "".join(f"{name}  {name[:2]}/{name}{SUFFIX}\n" for name in names)


def unlisted_files(session: Session, *, limit: int = MOST_FILES) -> list[bytes]:
    """Files of cases, and files that were made as evidence, in no list yet, oldest first.

    With each, the file that holds its body. Removed files are left out.
    """
    found = session.execute(_of_cases(limit).union(_made_as_evidence(limit)).limit(limit))
    numbers = sorted(number for (number,) in found)
    rows = session.execute(
        select(Evidence.record, Evidence.refers).where(Evidence.number.in_(numbers)).order_by(Evidence.number)
    )
    wanted = dict.fromkeys(digest for row in rows for digest in row if digest is not None)
    listed = set(session.scalars(select(ListedFile.record).where(ListedFile.record.in_(list(wanted)))))
    return [digest for digest in wanted if digest not in listed]


def add_list(session: Session, records: Collection[bytes]) -> FileList:
    """Stores a list of these files, one at least, none of which is in another list."""
    body = list_body(records)
    values = {"digest": hashlib.sha256(body.encode()).digest(), "body": body}
    row = session.execute(insert(FileListRow).values(**values).returning(FileListRow)).scalar_one()
    session.execute(insert(ListedFile), [{"record": record, "list_id": row.id} for record in records])
    return record_of(FileList, row)


def get_list(session: Session, list_id: int) -> FileList | None:
    row = session.get(FileListRow, list_id)
    return None if row is None else record_of(FileList, row)


def all_lists(session: Session) -> list[FileList]:
    """In order. One for up to a thousand files: some dozen a day where cases are opened all the time."""
    return records_of(FileList, session.scalars(select(FileListRow).order_by(FileListRow.id)))


def lists_of(session: Session, records: Collection[bytes]) -> dict[bytes, int]:
    """For each of these files that is in a list, the list's id."""
    rows = session.execute(select(ListedFile.record, ListedFile.list_id).where(ListedFile.record.in_(list(records))))
    return {bytes(record): list_id for record, list_id in rows}


def listed_records(session: Session, list_id: int) -> Sequence[bytes]:
    """The files that are stored as belonging to a list: its text has to name the same."""
    found = session.scalars(select(ListedFile.record).where(ListedFile.list_id == list_id))
    return [bytes(record) for record in found]


def _of_cases(limit: int) -> Select[int]:
    return (
        select(Evidence.number)
        .join(Page, Page.url == Evidence.url)
        .where(*_waits(), page_is_in_case())
        .order_by(Evidence.number)
        .limit(limit)
    )


def _made_as_evidence(limit: int) -> Select[int]:
    return select(Evidence.number).where(*_waits(), text(MADE_AS_EVIDENCE)).order_by(Evidence.number).limit(limit)


def _waits() -> tuple[ColumnElement[bool], ...]:
    in_no_list = or_(
        ~exists().where(ListedFile.record == Evidence.record),
        Evidence.refers.is_not(None) & ~exists().where(ListedFile.record == Evidence.refers),
    )
    return Evidence.record.is_not(None), Evidence.removed_by.is_(None), in_no_list
