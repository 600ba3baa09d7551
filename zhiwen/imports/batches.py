"""Storing of imported records in batches, each with a progress mark, so that no record is stored twice."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from crawler.extraction.metadata.rights import with_rights
from crawler.importers.model import ImportedArticle, ImportOutcome, ImportProblem
from crawler.outcomes.refusals import SAMPLES_PER_REASON, Refusal
from crawler.processes.disk_space import DiskSpace
from fingerprint.compute import fingerprint_texts
from fingerprint.model import Fingerprint
from storage.engine import transaction
from storage.errors import NotKnown
from storage.intake import import_progress
from storage.pages import saving
from storage.postgres import statistics
from storage.records.imports import Mark
from storage.records.pages import FingerprintedArticle
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import sites
from storage.types import Rights, SiteRole

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

Fingerprinted: TypeAlias = tuple[ImportedArticle, Fingerprint]

BATCH: Final = 200
"""Records per transaction: after an interruption, at most this many are read again, and none is stored twice."""


@dataclass(slots=True)
class Tally:
    """Counts of the records so far."""

    new: int = 0
    changed: int = 0
    known: int = 0
    problems: Counter[Refusal] = field(default_factory=Counter)
    """Records that were refused."""
    passed: Counter[Refusal] = field(default_factory=Counter)
    """Pages of archives that are not articles."""

    @property
    def records(self) -> int:
        return self.new + self.changed + self.known + self.problems.total() + self.passed.total()


@dataclass(slots=True)
class Intake:
    """Stores records. `on_problem` is called with each problem, up to a limit for each reason."""

    engine: "Engine"
    site: SiteRecord | None
    options: str
    """Distinguishes this import from others of the same path."""
    on_problem: Callable[[str], None]
    on_batch: Callable[[Tally], None]
    room: DiskSpace = field(default_factory=DiskSpace)
    """Storing waits while there is less free space."""
    should_stop: Callable[[], bool] = lambda: False
    tally: Tally = field(default_factory=Tally)

    def mark_of(self, path: Path) -> Mark | None:
        with transaction(self.engine) as session:
            return import_progress.mark_of(session, _name(path), self.options)

    def take(self, outcomes: Iterable[ImportOutcome], *, path: Path | None = None) -> None:
        """Stores records read from `path`, with progress marks; `path` is None for sources other than files.

        While the database stores one batch, the next is read and fingerprinted, which uses two cores.
        """
        with ThreadPoolExecutor(1) as storing:
            stored: Future[None] | None = None
            for batch in _batches(outcomes):
                taken = [outcome for outcome in batch if isinstance(outcome, ImportedArticle)]
                fingerprints = fingerprint_texts(item.article.text for item in taken)
                reached = None if path is None else (path, _mark(batch[-1]))
                self._finish(stored)
                stored = storing.submit(self._store, batch, list(zip(taken, fingerprints, strict=True)), reached)
            self._finish(stored)
        statistics.refresh(self.engine)

    def finish(self, path: Path, *, remember: bool) -> None:
        """Marks `path` as finished: `remember` keeps the mark, so that it is not imported again; else it is deleted."""
        with transaction(self.engine) as session:
            if remember:
                state = path.stat()
                done = Mark(str(path), state.st_size, state.st_mtime_ns, 0, is_done=True)
                import_progress.set_mark(session, _name(path), self.options, done)
            else:
                import_progress.forget(session, _name(path), self.options)

    def _finish(self, stored: "Future[None] | None") -> None:
        if stored is not None:
            stored.result()
            self.on_batch(self.tally)

    def _store(
        self, batch: Sequence[ImportOutcome], taken: Sequence[Fingerprinted], reached: tuple[Path, Mark | None] | None
    ) -> None:
        self.room.wait(self.should_stop)
        with transaction(self.engine) as session:
            saved = saving.save_pages(session, list(self._placed(session, taken)))
            if reached is not None and reached[1] is not None:
                import_progress.set_mark(session, _name(reached[0]), self.options, reached[1])
        for page in {page.page_id: page for page in saved}.values():
            self.tally.new += page.is_new_page
            self.tally.changed += page.is_new_version and not page.is_new_page
            self.tally.known += not page.is_new_version
        for outcome in batch:
            if isinstance(outcome, ImportProblem):
                self._count(outcome)

    def _placed(self, session: "Session", taken: Sequence[Fingerprinted]) -> Iterator[FingerprintedArticle]:
        """Assigns each article its site: that of the import, else that of the record, else that of its host."""
        known = [] if self.site is not None else sites.list_sites(session)
        by_name = {site.name: site for site in known}
        by_host = {host: site for site in reversed(known) for host in site.settings.hosts}
        for item, fingerprint in taken:
            article = item.article
            host = urlsplit(article.url).netloc
            site = self.site or by_name.get(item.site_name or "") or by_host.get(host)
            placed = with_rights(replace(article, site_id=None if site is None else site.id), site)
            yield FingerprintedArticle(placed, fingerprint)

    def _count(self, problem: ImportProblem) -> None:
        counts = self.tally.passed if problem.is_expected else self.tally.problems
        counts[problem.refusal] += 1
        count = counts[problem.refusal]
        if problem.is_expected:
            return
        if count <= SAMPLES_PER_REASON:
            self.on_problem(str(problem))
        elif count == SAMPLES_PER_REASON + 1:
            self.on_problem(f"Further records refused as {problem.refusal} are only counted.")


def site_for_import(session: "Session", name: str, rights: Rights) -> tuple[SiteRecord, bool]:
    """The site of that name, and True if it was added: with `rights` own as an original site, else as a watched one."""
    try:
        return sites.get_site(session, name), False
    except NotKnown:
        role = SiteRole.ORIGINAL if rights is Rights.OWN else SiteRole.WATCHED
        settings = SiteSettings(name=name, start_urls=(), hosts=(), role=role, rights=rights)
        return sites.add_site(session, settings), True


def summary(counts: Mapping[Refusal, int]) -> str:
    """Refusals with their counts, most frequent first."""
    return ", ".join(f"{count} {refusal}" for refusal, count in Counter(counts).most_common())


def _batches(outcomes: Iterable[ImportOutcome]) -> Iterator[list[ImportOutcome]]:
    batch: list[ImportOutcome] = []
    for outcome in outcomes:
        batch.append(outcome)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _mark(last: ImportOutcome) -> Mark | None:
    """The mark after a batch; None if its last record has no number, or its file was deleted meanwhile."""
    if last.line is None:
        return None
    try:
        state = Path(last.path).stat()
    except OSError:
        return None
    return Mark(last.path, state.st_size, state.st_mtime_ns, last.line)


def _name(path: Path) -> str:
    return str(path.absolute())
