"""Licences: kept as said, once, and removed by number."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from storage.cases import licences
from storage.errors import LicenceKnown, NotKnown
from storage.matches import backlog, saving
from storage.records.cases import LicenceTerms
from storage.records.matches import NewPageMatch
from storage.sites.owners import add_owner
from storage.types import Credit, SiteRole
from tests.support.factories import a_match, a_site, an_article, save, text_of

FULL = LicenceTerms(
    owner="县报社",
    copier="转载公司",
    columns=("/news/", "sport"),
    requires=Credit.LINKED,
    delay_days=3,
    valid_from=datetime(2026, 1, 1, tzinfo=UTC),
    valid_until=datetime(2027, 1, 1, tzinfo=UTC),
    notes="合同 7 号",
)


@pytest.fixture(autouse=True)
def owners(session: Session) -> None:
    for name in ("县报社", "转载公司"):
        add_owner(session, name)


def test_a_licence_is_kept_as_it_was_said(session: Session) -> None:
    added = licences.add_licence(session, FULL)
    anyone = licences.add_licence(session, LicenceTerms(author="王记者"))

    assert added.terms == FULL
    assert anyone.terms == LicenceTerms(author="王记者")
    assert licences.list_licences(session) == [added, anyone]


def test_the_very_same_licence_is_refused_and_named(session: Session) -> None:
    added = licences.add_licence(session, LicenceTerms(article_url="https://a.example/1"))

    with pytest.raises(LicenceKnown, match=f"number {added.id}"):
        licences.add_licence(session, LicenceTerms(article_url="https://a.example/1", notes="anders"))
    licences.add_licence(session, LicenceTerms(article_url="https://a.example/1", delay_days=1))


@pytest.mark.parametrize("terms", [LicenceTerms(owner="没有"), LicenceTerms(author="王", copier="没有")])
def test_an_owner_that_is_not_there_is_named(session: Session, terms: LicenceTerms) -> None:
    with pytest.raises(NotKnown, match="没有"):
        licences.add_licence(session, terms)


@pytest.mark.parametrize(
    "terms",
    [
        LicenceTerms(),
        LicenceTerms(author="王", article_url="https://a.example/1"),
        replace(FULL, copier="县报社"),
        replace(FULL, delay_days=-1),
        replace(FULL, valid_until=FULL.valid_from),
    ],
    ids=["nobody's", "two licensors", "to itself", "negative delay", "ends as it begins"],
)
def test_terms_that_contradict_each_other_never_get_in(session: Session, terms: LicenceTerms) -> None:
    with pytest.raises(IntegrityError):
        licences.add_licence(session, terms)


def test_a_licence_is_removed_by_its_number(session: Session) -> None:
    added = licences.add_licence(session, FULL)

    assert licences.remove_licence(session, added.id) == added
    assert licences.list_licences(session) == []
    with pytest.raises(NotKnown, match="zhiwen licence list"):
        licences.remove_licence(session, added.id)


def test_what_a_licence_is_about_is_judged_again_where_it_has_matches(session: Session) -> None:
    site = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL)
    ours, alone, copy = save(
        session,
        an_article("https://县报.example/1", text_of(1), site_id=site.id, author="王记者"),
        an_article("https://县报.example/2", text_of(2), site_id=site.id, author="王记者"),
        an_article("copy", text_of(3)),
    )
    match_id, _ = saving.store_match(session, a_match(*sorted([ours.text_id, copy.text_id])))
    found = NewPageMatch((ours.page_id, copy.page_id), ours.page_id, 0.9, (), Credit.NONE)
    saving.store_page_match(session, match_id, found)
    backlog.done(session, [ours.version_id, alone.version_id, copy.version_id])

    for terms in (
        LicenceTerms(owner="县报社"),
        LicenceTerms(author="王记者"),
        LicenceTerms(article_url="https://县报.example/1"),
    ):
        assert licences.requeue_licensed(session, licences.add_licence(session, terms)) == 1
    assert licences.requeue_licensed(session, licences.add_licence(session, LicenceTerms(author="李"))) == 0
    assert [item.version_id for item in backlog.claim(session, limit=9)] == [ours.version_id]
