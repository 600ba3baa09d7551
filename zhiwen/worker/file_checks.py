"""Files that were handed in at the desk, read and checked one after the other."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from admin.check.comparison import compare
from admin.check.input import LONGEST_TITLE
from admin.check.labels import NOTHING_THERE
from crawler.importers.document_process import read_in_child
from crawler.importers.documents import Unread
from matcher.comparison.check import NothingToCompareWith
from storage.engine import transaction
from storage.intake import check_files
from storage.intake.check_files import QueuedFile
from storage.intake.check_records import CheckedText
from storage.postgres.text import storable
from zhiwen.config.settings import Settings
from zhiwen.wiring import meaning_of

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from matcher.retellings.check_by_meaning import OpenSearch

log: Final = logging.getLogger(__name__)


def check_files_of_desk(settings: Settings, engine: "Engine", *, should_stop: Callable[[], bool]) -> bool:
    """Check queued files until none waits. Returns False if it was stopped before.

    A file whose worker died is taken again once: results are stored with the end of the file in one transaction.
    """
    open_search = meaning_of(settings)
    with transaction(engine) as session:
        check_files.give_back_unfinished(session)
    while not should_stop():
        with transaction(engine) as session:
            file = check_files.take_file(session)
        if file is None:
            return True
        _check(engine, file, open_search)
    return False


def _check(engine: "Engine", file: QueuedFile, open_search: "OpenSearch") -> None:
    with transaction(engine) as session:
        if check_files.is_worn_out(session, file.id):
            check_files.fail_file(session, file.id, Unread.DIED)
            return
    text = _read(file)
    with transaction(engine) as session:
        if isinstance(text, Unread):
            check_files.fail_file(session, file.id, text)
            return
        try:
            result = compare(session, text, open_search, submitter=file.text.author)
        except NothingToCompareWith:
            check_files.fail_file(session, file.id, NOTHING_THERE)
            return
        check_files.finish_file(session, file.id, text, result)
    log.info("checked a file of %s characters: %s", len(text.body), result.verdict)


def _read(file: QueuedFile) -> CheckedText | Unread:
    found = read_in_child(file.data)
    if isinstance(found, Unread):
        return found
    return replace(
        file.text,
        body=storable(found.text),
        kind=found.kind,
        title=file.text.title or found.title[:LONGEST_TITLE],
        author=file.text.author or found.author[:LONGEST_TITLE],
    )
