"""Imported records into the store: in batches, each with the mark up to where it goes; nothing is done twice."""

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
from crawler.processes.disk_space import Room
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
"""Records a transaction: an interruption repeats at most this many, and stores none twice."""


@dataclass(slots=True)
class Tally:
    """What became of the records so far."""

    new: int = 0
    changed: int = 0
    known: int = 0
    problems: Counter[Refusal] = field(default_factory=Counter)
    """What could not be taken in and should have been."""
    passed: Counter[Refusal] = field(default_factory=Counter)
    """What is in any archive and is no article."""

    @property
    def records(self) -> int:
        return self.new + self.changed + self.known + self.problems.total() + self.passed.total()


@dataclass(slots=True)
class Intake:
    """Takes records in. `tell` is called with each problem, up to a bound for each reason, before it is counted."""

    engine: "Engine"
    site: SiteRecord | None
    options: str
    """What tells this import from another one of the same path."""
    tell: Callable[[str], None]
    on_batch: Callable[[Tally], None]
    room: Room = field(default_factory=Room)
    """Without it, what was read waits."""
    should_stop: Callable[[], bool] = lambda: False
    tally: Tally = field(default_factory=Tally)

    def mark_of(self, path: Path) -> Mark | None:
        with transaction(self.engine) as session:
            return import_progress.mark_of(session, _name(path), self.options)

    def take(self, outcomes: Iterable[ImportOutcome], *, path: Path | None = None) -> None:
        """Stores what is read from `path`, with marks; None: from elsewhere than a file, where no mark helps.

        While the database takes one batch in, the next is read and fingerprinted: on two cores both are at work.
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
        """Nothing is left of `path`: its mark is forgotten, or kept so that it is not taken in again."""
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
        """Each with its site: the one that was asked for, else the one it names, else the one its host belongs to."""
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
        told = counts[problem.refusal]
        if problem.is_expected:
            return
        if told <= SAMPLES_PER_REASON:
            self.tell(str(problem))
        elif told == SAMPLES_PER_REASON + 1:
            self.tell(f"Further records refused as {problem.refusal} are counted, not named.")


def site_for_import(session: "Session", name: str, rights: Rights) -> tuple[SiteRecord, bool]:
    """The site of that name, made where there is none: an original one where the texts are one's own. And whether it
    was made.
    """
    try:
        return sites.get_site(session, name), False
    except NotKnown:
        role = SiteRole.ORIGINAL if rights is Rights.OWN else SiteRole.WATCHED
        settings = SiteSettings(name=name, start_urls=(), hosts=(), role=role, rights=rights)
        return sites.add_site(session, settings), True


def summary(counts: Mapping[Refusal, int]) -> str:
    """Refusals with how often, most frequent first."""
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
    """Up to where a batch goes; None where its last record has no number, or its file is gone meanwhile."""
    if last.line is None:
        return None
    try:
        state = Path(last.path).stat()
    except OSError:
        return None
    return Mark(last.path, state.st_size, state.st_mtime_ns, last.line)


def _name(path: Path) -> str:
    return str(path.absolute())
