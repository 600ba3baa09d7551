"""What only tests read from the store."""

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from storage.models.matches import Boilerplate
from storage.models.operation import CaseCapture
from storage.models.pages import Backlog
from storage.postgres.rows import columns_of, records_of
from storage.records.candidates import BoilerplateRun
from storage.takedowns.recaptures import Capture


def list_boilerplate(session: Session) -> list[BoilerplateRun]:
    """What was learned to prove nothing, most widespread first."""
    statement = select(*columns_of(BoilerplateRun, Boilerplate)).where(Boilerplate.proves_nothing)
    return records_of(BoilerplateRun, session.execute(statement.order_by(Boilerplate.texts.desc(), Boilerplate.id)))


def backlog_failures(session: Session) -> list[tuple[int, int, str]]:
    """Version id, attempts and last error of the versions that could not be compared."""
    statement = select(Backlog.page_version_id, Backlog.attempts, Backlog.error).where(Backlog.error.is_not(None))
    return [(version, attempts, error or "") for version, attempts, error in session.execute(statement)]


def queue_counts(session: Session) -> dict[str, int]:
    """How many jobs wait, run, or were set aside."""
    rows = session.execute(text("SELECT status::text, count(*) FROM zhiwen_queue.procrastinate_jobs GROUP BY status"))
    found = {str(state): int(number) for state, number in rows}
    words = {"todo": "waiting", "doing": "running", "failed": "set aside"}
    return {word: found.get(state, 0) for state, word in words.items()}


def captures_of_case(session: Session, case_id: int) -> list[Capture]:
    """The last captures of a case's pages, by page."""
    statement = select(*columns_of(Capture, CaseCapture)).where(CaseCapture.case_id == case_id)
    return records_of(Capture, session.execute(statement.order_by(CaseCapture.page_id)))
