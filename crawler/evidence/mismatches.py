"""Pages with wrong evidence: of another address, without their text, or missing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.evidence.verify import verify
from storage.evidence import chain_store

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from crawler.evidence.record_files import EvidenceFolder
    from storage.records.evidence import EvidenceProblem


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`entry`: number of the wrong entry; None if the stored version has no entry."""

    url: str
    entry: int | None
    problem: str


def mismatches(session: "Session", folder: "EvidenceFolder") -> Iterator[Mismatch]:
    """Reads all files. A page is left out once another entry proves the same text."""
    problems: list[EvidenceProblem] = []
    verify(session, folder, on_problem=problems.append)
    wrong = {problem.number for problem in problems if problem.url is not None}
    for problem in problems:
        if problem.url is not None and not _is_proved_otherwise(session, problem, wrong):
            yield Mismatch(problem.url, problem.number, problem.message)
    for url in chain_store.pages_without(session):
        yield Mismatch(url, None, "nothing was kept of what the page answered")


def _is_proved_otherwise(session: "Session", problem: "EvidenceProblem", wrong: set[int | None]) -> bool:
    entries = chain_store.entries_of_url(session, problem.url or "")
    text = next((entry.text for entry in entries if entry.number == problem.number), None)
    kept = (entry for entry in entries if entry.record is not None and entry.removed_by is None)
    return text is not None and any(entry.text == text and entry.number not in wrong for entry in kept)
