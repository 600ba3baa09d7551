"""What proves nothing is learned from families, never from counts, and past finds are judged again by it."""

import random
from string import ascii_lowercase

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from matcher.comparison import check
from matcher.worker import backlog as worker
from storage.analytics import row_counts
from storage.engine import transaction
from storage.matches import hits
from storage.records.matches import HitRecord, StoreSummary
from tests.support.factories import a_site, an_article, commit, save, story, text_of
from tests.support.store.store_reads import list_boilerplate
from zhiwen.demo.articles import disclaimer

FOOTER = (
    "县城日报网版权所有，未经书面授权不得转载。新闻热线零二七八八六六，投稿邮箱见联系我们页面。"
    "本站已通过互联网新闻信息服务备案，欢迎读者监督，共同维护清朗的网络空间与良好的阅读环境。"
)

ENGLISH_FOOTER = (
    "The Morning Ledger is published six days a week by Ledger Media. Our newsdesk is staffed round the clock at "
    "16 Riverside Walk. To report an error or to complain about a story, see the corrections page."
)


def work(engine: Engine) -> None:
    done = worker.work_off(engine, should_stop=lambda: False)
    assert done.failed == 0


def hits_of(engine: Engine) -> list[HitRecord]:
    with transaction(engine) as session:
        return hits.list_hits(session)


# Nothing in it says what it is.
PLAIN_NOTICE = (
    "窗台上的小本子欢迎留言，我们会在月底挑三封寄回明信片。山脚下的工作室养了两只猫，一只爱睡在键盘上，一只爱看雨。"
    "这里的灯会亮到晚上十一点，最后离开的人记得把门带上。我们把稿费换成了树苗，去年秋天种在了水库南岸，已经发芽。"
)


def with_plain_notice(number: int) -> str:
    return f"{text_of(number, chars=500)}\n{PLAIN_NOTICE}"


def with_notice(number: int, *, chars: int = 500) -> str:
    return f"{text_of(number, chars=chars)}\n{disclaimer()}"


def learned(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [run.sample for run in list_boilerplate(session)]


def test_a_notice_in_unrelated_articles_of_many_owners_proves_nothing(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", with_notice(number)) for number in range(8)])

    work(engine)

    assert hits_of(engine) == []
    assert learned(engine)
    with transaction(engine) as session:
        asked = check.check(session, an_article("asked", with_notice(99)), against=check.compared_with(session))
    assert (asked.verdict, asked.matches) == ("original", ())


def test_a_copied_article_is_found_in_spite_of_the_notice_below_it(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", with_notice(number)) for number in range(8)])
    commit(engine, [an_article("source", f"{story()}\n{disclaimer()}")])
    commit(engine, [an_article("copy", f"{text_of(50)}\n{story()[200:500]}\n{disclaimer()}", hours=5)])

    work(engine)

    (hit,) = hits_of(engine)
    assert (hit.copy.host, hit.source.host) == ("copy.example", "source.example")
    proving = [passage for passage in hit.passages if not passage.is_boilerplate]
    assert [passage.left_end - passage.left_start for passage in proving] == [300]


def test_a_notice_that_few_owners_have_is_not_boilerplate_yet(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", with_plain_notice(number)) for number in range(4)])

    work(engine)

    assert learned(engine) == []
    assert len(hits_of(engine)) == 4 * 3 / 2


def test_many_pages_of_one_owner_are_one_voice(engine: Engine) -> None:
    with transaction(engine) as session:
        sites = [a_site(session, f"站{number}", owner="集团") for number in range(6)]
        save(
            session,
            *(an_article(site.name, with_notice(number), site_id=site.id) for number, site in enumerate(sites)),
            an_article("stranger", with_notice(50)),
        )

    work(engine)

    assert learned(engine) == []


def test_matches_made_before_a_notice_was_known_go_when_it_is(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", with_plain_notice(number)) for number in range(4)])
    work(engine)
    assert len(hits_of(engine)) > 0

    commit(engine, [an_article(f"late{number}", with_plain_notice(100 + number)) for number in range(4)])
    work(engine)

    assert hits_of(engine) == []


def english_of(number: int) -> str:
    chosen = random.Random(f"english {number}")  # noqa: S311  # repeatable, nothing secret
    words = ["".join(chosen.choices(ascii_lowercase, k=chosen.randint(2, 8))) for _ in range(250)]
    return " ".join(words)


def test_an_english_footer_is_learned_though_no_seed_of_it_stands_on_every_page(engine: Engine) -> None:
    with transaction(engine) as session:
        site = a_site(session, "ledger")
        urls = [f"https://ledger.example/{number}" for number in range(24)]
        pages = [f"{english_of(number)}.\n{ENGLISH_FOOTER}" for number in range(24)]
        save(session, *(an_article(url, text, site_id=site.id) for url, text in zip(urls, pages, strict=True)))
    commit(engine, [an_article("reader", f"{english_of(500)}.\n{ENGLISH_FOOTER}", hours=5)])

    work(engine)

    assert hits_of(engine) == []
    assert any("report an error" in sample for sample in learned(engine))


def test_a_footer_of_one_site_is_boilerplate_there_and_copying_it_is_not(engine: Engine) -> None:
    with transaction(engine) as session:
        site = a_site(session, "县报")
        save(
            session,
            *(
                an_article(f"https://县报.example/{number}", f"{text_of(number)}\n{FOOTER}", site_id=site.id)
                for number in range(60)
            ),
        )
    commit(engine, [an_article("reader", f"{text_of(500)}\n{FOOTER}", hours=5)])

    work(engine)

    with transaction(engine) as session:
        runs = list_boilerplate(session)
        assert runs
        assert {run.site_id for run in runs} == {site.id}
    assert hits_of(engine) == []


def test_a_footer_of_a_small_site_is_learned_though_it_uses_a_phrase_common_elsewhere(engine: Engine) -> None:
    """Review 6.1 (12): a sample of a common phrase holds no page of a small site."""
    told = story()
    commit(engine, [an_article(f"host{n}", f"{text_of(n, chars=120)}\n{told[:500]}") for n in range(64)])
    work(engine)
    with transaction(engine) as session:
        site = a_site(session, "县报")
        small = [an_article(f"https://县报.example/{n}", f"{text_of(500 + n)}\n{told[40:200]}", site_id=site.id)
                 for n in range(12)]  # fmt: skip
        save(session, *small)

    work(engine)

    with transaction(engine) as session:
        assert {run.site_id for run in list_boilerplate(session)} == {site.id}


def test_a_footer_on_pages_of_one_host_without_a_site_is_boilerplate_too(engine: Engine) -> None:
    commit(engine, [an_article(f"https://loose.example/{n}", f"{text_of(n)}\n{FOOTER}") for n in range(60)])
    commit(engine, [an_article("reader", f"{text_of(500)}\n{FOOTER}\n{text_of(501)}", hours=5)])

    work(engine)

    with transaction(engine) as session:
        assert {run.site_id for run in list_boilerplate(session)} == {None}
    assert hits_of(engine) == []


def test_a_story_on_many_pages_of_one_host_without_a_site_is_no_boilerplate(engine: Engine) -> None:
    told = story()[:500]
    commit(engine, [an_article(f"https://loose.example/{n}", f"{text_of(n, chars=200)}\n{told}") for n in range(30)])
    commit(engine, [an_article("copy", f"{text_of(500)}\n{told}", hours=5)])

    work(engine)

    assert learned(engine) == []
    assert {side.host for hit in hits_of(engine) for side in (hit.copy, hit.source)} >= {"copy.example"}


def test_a_story_on_many_hosts_is_no_boilerplate_however_it_is_framed(engine: Engine) -> None:
    told = story()[:500]
    commit(engine, [an_article(f"host{number}", f"{text_of(number, chars=200)}\n{told}") for number in range(12)])

    work(engine)

    assert learned(engine) == []
    assert len({side.host for hit in hits_of(engine) for side in (hit.copy, hit.source)}) == 12


def test_checking_a_text_stores_no_text_and_no_hit(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", with_notice(number)) for number in range(8)])
    before = everything(engine)

    with transaction(engine) as session:
        asked = check.check(session, an_article("asked", with_notice(99)), against=check.compared_with(session))

    assert asked.verdict == "original"
    assert everything(engine) == before


def everything(engine: Engine) -> StoreSummary:
    with transaction(engine) as session:
        return row_counts.summary(session)


def test_an_empty_store_has_nothing_to_compare_with(session: Session) -> None:
    with pytest.raises(check.NothingToCompareWith, match="Import articles or crawl a site first"):
        check.compared_with(session)


@pytest.mark.parametrize("text", ["", "短", "。" * 500, "很短的一句话。"])
def test_a_text_too_short_to_be_found_cannot_be_judged(session: Session, text: str) -> None:
    save(session, an_article("one", story()))

    asked = check.check(session, an_article("asked", text), against=check.compared_with(session))

    assert fingerprint_text(text).too_short
    assert (asked.verdict, asked.matches) == ("cannot_judge", ())


def test_a_check_says_when_its_bound_cuts(session: Session) -> None:
    told = story()[:300]
    save(session, *(an_article(f"host{number}", f"{told}{number}") for number in range(7)))

    asked = check.check(session, an_article("asked", told), against=check.compared_with(session), bound=3)

    assert (len(asked.matches), asked.cut) == (3, 4)
    assert asked.matches[0].judgement.score >= asked.matches[-1].judgement.score


def test_a_check_tells_how_much_is_borrowed(session: Session) -> None:
    save(session, an_article("source", story()))
    against = check.compared_with(session)

    asked = check.check(session, an_article("asked", text_of(1) + story()[300:500]), against=against)

    assert asked.verdict == "borrowed"
    (found,) = asked.matches
    assert found.judgement.left_share == pytest.approx(200 / 800, abs=0.03)
    assert found.pages[0].host == "source.example"
    (passage,) = found.judgement.passages
    assert abs(passage.left_start - 600) <= 3
    assert abs(passage.right_start - 300) <= 3
