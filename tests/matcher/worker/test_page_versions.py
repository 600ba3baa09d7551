"""An update is a new version of the page and no hit; a copy of an old version is found all the same."""

from sqlalchemy import Engine

from matcher.comparison import check
from matcher.worker import backlog as worker
from storage.cases import listing
from storage.engine import transaction
from storage.matches import hits
from storage.pages import pages
from storage.records.matches import HitRecord
from storage.types import Rights, SiteRole
from tests.support.disguises import swap_homophones
from tests.support.factories import a_site, an_article, commit, story

OLD, NEW = story("kelp"), story("glacier")


def work(engine: Engine) -> None:
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0


def disguised(text: str) -> str:
    return swap_homophones(text, share=0.15, seed=1)


def hits_of(engine: Engine) -> list[HitRecord]:
    with transaction(engine) as session:
        return hits.list_hits(session)


def pairs_of(engine: Engine) -> list[tuple[str, str]]:
    return [(hit.copy.host.split(".")[0], hit.source.host.split(".")[0]) for hit in hits_of(engine)]


def test_a_copy_of_a_version_that_was_replaced_since_is_found(engine: Engine) -> None:
    for hours, text in enumerate((OLD, NEW)):
        commit(engine, [an_article("source", text, hours=hours)])
        work(engine)
    commit(engine, [an_article("copy", disguised(OLD), hours=9)])
    work(engine)

    (hit,) = hits_of(engine)
    assert (hit.copy.host, hit.source.host, hit.copy.share > 0.95) == ("copy.example", "source.example", True)
    with transaction(engine) as session:
        assert pages.text_body(session, hit.source.text_id) == OLD


def test_a_version_that_was_replaced_before_it_was_compared_finds_its_copies(engine: Engine) -> None:
    commit(engine, [an_article("copy", disguised(OLD), hours=9)])
    work(engine)
    commit(engine, [an_article("source", OLD)])
    commit(engine, [an_article("source", NEW, hours=1)])
    work(engine)

    assert pairs_of(engine) == [("copy", "source")]


def test_the_first_who_had_a_text_is_named_though_only_its_copy_has_it_today(engine: Engine) -> None:
    commit(engine, [an_article("source", OLD)])
    commit(engine, [an_article("between", OLD, hours=2)])
    commit(engine, [an_article("source", NEW, hours=3)])
    work(engine)
    commit(engine, [an_article("copy", disguised(OLD), hours=9)])
    work(engine)

    assert ("copy", "source") in pairs_of(engine)


def test_check_names_the_page_that_once_held_the_text(engine: Engine) -> None:
    commit(engine, [an_article("source", OLD)])
    commit(engine, [an_article("source", NEW, hours=1)])
    work(engine)

    with transaction(engine) as session:
        found = check.check(session, an_article("asked", OLD, hours=9), against=check.compared_with(session))

    assert (found.verdict, [item.pages[0].host for item in found.matches]) == ("copy", ["source.example"])


def test_a_page_that_took_its_copy_down_is_not_accused_anew(engine: Engine) -> None:
    commit(engine, [an_article("once", OLD, hours=5)])
    commit(engine, [an_article("once", NEW, hours=6)])
    work(engine)
    commit(engine, [an_article("source", OLD)])
    work(engine)

    assert hits_of(engine) == []


def test_a_copy_of_a_page_that_was_corrected_is_one_hit(engine: Engine) -> None:
    commit(engine, [an_article("source", OLD)])
    commit(engine, [an_article("source", f"{OLD}\n更正：上文的日期应为三月。", hours=1)])
    work(engine)
    commit(engine, [an_article("copy", disguised(OLD), hours=9)])
    work(engine)

    assert pairs_of(engine) == [("copy", "source")]


def test_a_copy_of_an_old_version_of_ours_is_a_case(engine: Engine) -> None:
    with transaction(engine) as session:
        paper = a_site(session, "县报", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    for hours, text in enumerate((OLD, NEW)):
        commit(engine, [an_article("https://县报.example/a", text, hours=hours, site_id=paper.id)])
    commit(engine, [an_article("copy", disguised(OLD), hours=9)])
    work(engine)

    with transaction(engine) as session:
        (case,) = listing.list_cases(session)
    assert (case.our_url, case.other_name) == ("https://县报.example/a", "copy.example")
