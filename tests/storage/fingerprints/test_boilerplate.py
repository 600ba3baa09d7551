"""Who holds a seed, what was decided about it, and who is compared again because of it."""

from itertools import pairwise

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from matcher.boilerplate.classifier import covered
from matcher.boilerplate.learning import boilerplate_grams
from storage.fingerprints import boilerplate
from storage.matches import backlog, saving
from storage.models.pages import Backlog
from storage.pages import pages
from storage.pages.saving import save_pages
from storage.records.candidates import BoilerplateRun, KnownRun, SeedHolder
from storage.records.pages import FingerprintedArticle, SavedPage
from storage.sites import sites
from tests.support.factories import a_fingerprint, a_match, a_site, an_article
from tests.support.store.store_reads import list_boilerplate

SEED = 77
FOOTER, NOTICE, STORY = (bytes(range(start, start + 12)) for start in (1, 13, 25))
"""Units of runs that share none."""


def a_run(**fields: object) -> BoilerplateRun:
    values: dict[str, object] = {
        "site_id": None, "seed": SEED, "proves_nothing": True, "units": b"\x01\x02\x00\xff", "sample": "免责声明",
        "texts": 9, "families": 8, "owners": 7,
    }  # fmt: skip
    return BoilerplateRun(**(values | fields))  # type: ignore[arg-type]  # the fields are the record's


def holding(session: Session, name: str, *seeds: int, site_id: int | None = None, body: str = "") -> SavedPage:
    article = an_article(name, body or f"{name}的文章", site_id=site_id)
    return save_pages(session, [FingerprintedArticle(article, a_fingerprint(seeds=seeds))])[0]


def holders(session: Session, *, bound: int = 50, site_id: int | None = None) -> list[SeedHolder]:
    return boilerplate.holders(session, [SEED], bound=bound, site_id=site_id).get(SEED, [])


def test_a_holder_comes_with_its_text_and_everybody_who_publishes_it(session: Session) -> None:
    site = a_site(session, "甲", owner="集团")
    saved = holding(session, "甲", SEED, 5, site_id=site.id, body="同文")
    holding(session, "乙", SEED, 5, body="同文")
    holding(session, "丙", 5)

    assert holders(session) == [
        SeedHolder(
            text_id=saved.text_id,
            site_ids=frozenset({site.id}),
            owner_keys=frozenset({f"owner:{site.owner_id}", "host:乙.example"}),
        )
    ]
    assert pages.text_bodies(session, [saved.text_id]) == {saved.text_id: "同文"}


def test_a_sample_is_spread_over_hosts(session: Session) -> None:
    for number in range(30):
        holding(session, f"https://big.example/{number}", SEED)
    for name in ("a", "b", "c"):
        holding(session, name, SEED)

    keys = [key for holder in holders(session, bound=5) for key in holder.owner_keys]

    assert sorted(keys) == [
        "host:a.example",
        "host:b.example",
        "host:big.example",
        "host:big.example",
        "host:c.example",
    ]


def test_a_sample_can_be_of_one_site(session: Session) -> None:
    site = a_site(session, "甲")
    own = holding(session, "甲", SEED, site_id=site.id)
    holding(session, "乙", SEED)

    assert [holder.text_id for holder in holders(session, site_id=site.id)] == [own.text_id]


def test_the_holders_of_a_small_site_are_found_though_thousands_elsewhere_hold_the_seed(session: Session) -> None:
    """Review 6.1 (12): any 2,000 holders were taken before the site was looked at."""
    site = a_site(session, "甲")
    crowd = [
        FingerprintedArticle(an_article(f"https://{n % 90}.example/{n}", f"第{n}篇"), a_fingerprint(seeds=[SEED]))
        for n in range(boilerplate.HOLDER_SCAN + 50)
    ]
    save_pages(session, crowd)
    own = [holding(session, f"https://甲.example/{n}", SEED, 5, site_id=site.id).text_id for n in range(12)]
    holding(session, "https://甲.example/other", 5, site_id=site.id)

    assert sorted(holder.text_id for holder in holders(session, site_id=site.id)) == own
    assert boilerplate.counts_on_site(session, site.id, [SEED, 5, 6]) == {SEED: 12, 5: 13}
    assert boilerplate.counts_on_site(session, site.id, []) == {}


def test_a_text_that_no_page_holds_any_more_is_no_holder(session: Session) -> None:
    holding(session, "甲", SEED, body="旧文")
    holding(session, "甲", 1, body="新文")

    assert holders(session) == []


def test_a_later_verdict_replaces_the_earlier_here_and_everywhere(session: Session) -> None:
    site = a_site(session, "甲")
    for run in (
        a_run(),
        a_run(texts=20, proves_nothing=False),
        a_run(site_id=site.id),
        a_run(site_id=site.id, texts=3),
    ):
        boilerplate.save_verdicts(session, [run])

    assert boilerplate.known_runs(session, [SEED, 1]) == [
        KnownRun(None, SEED, proves_nothing=False, texts=20, units=b""),
        KnownRun(site.id, SEED, proves_nothing=True, texts=3, units=a_run().units),
    ]
    assert boilerplate.known_runs(session, [1]) == boilerplate.known_runs(session, []) == []
    assert list_boilerplate(session) == [a_run(site_id=site.id, texts=3)]


def test_of_other_sites_only_the_verdicts_count_by_which_a_run_proves_nothing(session: Session) -> None:
    """A story on thousands of sites is judged on each of them."""
    one, other = a_site(session, "甲"), a_site(session, "乙")
    boilerplate.save_verdicts(session, [a_run(site_id=one.id, proves_nothing=False), a_run(seed=1, site_id=one.id)])

    def known(*site_ids: int) -> list[tuple[int | None, int]]:
        return [(run.site_id, run.seed) for run in boilerplate.known_runs(session, [SEED, 1], site_ids=site_ids)]

    assert sorted(known()) == sorted(known(other.id)) == [(one.id, 1)]
    assert sorted(known(one.id)) == sorted([(one.id, 1), (one.id, SEED)])


def test_a_footer_proves_nothing_on_its_own_site_and_much_on_others(session: Session) -> None:
    one, other = a_site(session, "甲"), a_site(session, "乙")
    boilerplate.save_verdicts(session, [a_run(site_id=one.id, units=FOOTER)])
    boilerplate.save_verdicts(session, [a_run(seed=1, units=NOTICE)])
    boilerplate.save_verdicts(session, [a_run(seed=2, units=STORY, proves_nothing=False)])

    def proves_nothing(units: bytes, *site_ids: int, seeds: tuple[int, ...] = (SEED, 1, 2)) -> bool:
        grams = boilerplate_grams(boilerplate.known_runs(session, seeds), site_ids)
        return bool(covered(np.frombuffer(units, dtype=np.uint8), grams).all())

    assert proves_nothing(FOOTER, one.id)
    assert proves_nothing(NOTICE, one.id)
    assert not proves_nothing(STORY, one.id)
    assert not proves_nothing(FOOTER, other.id)
    assert proves_nothing(NOTICE, other.id)
    assert not proves_nothing(FOOTER)
    assert proves_nothing(NOTICE)
    assert proves_nothing(FOOTER, one.id, seeds=(SEED,))
    assert not proves_nothing(NOTICE, one.id, seeds=(SEED,))


def test_a_verdict_goes_with_its_site_and_one_that_holds_everywhere_stays(session: Session) -> None:
    site = a_site(session, "甲")
    for run in (a_run(), a_run(site_id=site.id), a_run(seed=1, site_id=site.id)):
        boilerplate.save_verdicts(session, [run])

    sites.remove_site(session, "甲")
    assert [run.site_id for run in boilerplate.known_runs(session, [SEED, 1])] == [None]


def test_only_current_versions_with_matches_are_compared_again(session: Session) -> None:
    a, b, alone = (holding(session, name, SEED) for name in "abc")
    saving.store_match(session, a_match(*sorted([a.text_id, b.text_id])))
    changed = holding(session, "b", 1, body="新文")
    backlog.done(session, [saved.version_id for saved in (a, b, alone, changed)])

    assert boilerplate.requeue(session, text_ids=[a.text_id, b.text_id, alone.text_id]) == 1
    assert boilerplate.requeue(session, text_ids=[a.text_id, b.text_id, alone.text_id]) == 0

    assert list(session.scalars(select(Backlog.page_version_id))) == [a.version_id]


def test_everybody_who_holds_a_seed_and_has_a_match_is_compared_again(session: Session) -> None:
    """Be they more than any sample that was looked at."""
    saved = [holding(session, f"host{number}", SEED, number) for number in range(120)]
    other, unmatched = holding(session, "other", 5), holding(session, "unmatched", SEED)
    for one, next_one in pairwise(sorted(item.text_id for item in (*saved, other))):
        saving.store_match(session, a_match(one, next_one))
    backlog.done(session, [item.version_id for item in (*saved, other, unmatched)])

    assert boilerplate.requeue(session, seeds=[SEED]) == 120

    assert set(session.scalars(select(Backlog.page_version_id))) == {item.version_id for item in saved}
