"""Onboarding: the steps to the first hit, and those of the first hour, that are done. Each check reads one row."""

from dataclasses import dataclass

from sqlalchemy import delete, exists, func, or_, select
from sqlalchemy.orm import Session

from storage.models.alerts import AlertChannel
from storage.models.correspondence.letters import Letterhead
from storage.models.desk import ImportedFile, OnboardingSkip
from storage.models.matches import PageMatch
from storage.models.pages import Backlog, Page
from storage.models.sites import CrawlRun, Site
from storage.postgres.rows import columns_of, record_of
from storage.postgres.writes import upsert
from storage.types import OnboardingStep, SiteRole


@dataclass(frozen=True, slots=True)
class OnboardingSteps:
    own_site: bool
    own_pages: bool
    watched_site: bool
    watched_pages: bool
    """Pages that are on no site of ours."""
    running: bool
    """Whether a crawl is running."""
    waiting: bool
    """Whether the backlog is not empty."""
    hits: bool
    importing: bool
    """Whether imports are unfinished."""

    @property
    def compared(self) -> bool:
        """Whether both sides have pages and the backlog is empty."""
        return self.own_pages and self.watched_pages and not self.waiting


def onboarding_steps(session: Session) -> OnboardingSteps:
    ours = select(Site.id).where(Site.role == SiteRole.ORIGINAL)
    # One page per site from the index; nothing is counted.
    own_page = select(Page.id).where(Page.site_id.in_(ours)).limit(1).scalar_subquery()
    others = select(Site.id).where(Site.role == SiteRole.WATCHED)
    watched_page = select(Page.id).where(Page.site_id.in_(others)).limit(1).scalar_subquery()
    stray_page = select(Page.id).where(Page.site_id.is_(None)).limit(1).scalar_subquery()
    columns = columns_of(
        OnboardingSteps,
        own_site=exists(ours),
        own_pages=own_page.is_not(None),
        watched_site=exists(others),
        watched_pages=func.coalesce(watched_page, stray_page).is_not(None),
        running=exists().where(CrawlRun.ended_at.is_(None)),
        waiting=exists(select(Backlog.page_version_id)),
        hits=exists(select(PageMatch.low_page_id)),
        importing=exists().where(ImportedFile.ended_at.is_(None)),
    )
    return record_of(OnboardingSteps, session.execute(select(*columns)).one())


def steps_done(session: Session) -> frozenset[OnboardingStep]:
    """The steps of the first hour that are done, by what is stored."""
    progress = onboarding_steps(session)
    has_letterhead = exists().where(or_(Letterhead.organisation != "", Letterhead.contact != "", Letterhead.mail != ""))
    has_channel, has_words = session.execute(select(exists(select(AlertChannel.id)), has_letterhead)).one()
    done = {
        OnboardingStep.OWN_SITE: progress.own_site,
        OnboardingStep.OWN_ARTICLES: progress.own_pages,
        OnboardingStep.WATCHED_SITES: progress.watched_site,
        OnboardingStep.ALERTS: has_channel,
        OnboardingStep.LETTERHEAD: has_words,
    }
    return frozenset(step for step, is_done in done.items() if is_done)


def skipped(session: Session) -> frozenset[OnboardingStep]:
    """The steps that somebody put off."""
    return frozenset(session.scalars(select(OnboardingSkip.step)))


def skip(session: Session, step: OnboardingStep, *, by: str) -> None:
    """Puts a step off for everybody, until somebody resumes it."""
    upsert(session, OnboardingSkip, {"step": step}, {"skipped_by": by, "skipped_at": func.now()})


def resume(session: Session, step: OnboardingStep) -> None:
    session.execute(delete(OnboardingSkip).where(OnboardingSkip.step == step))
