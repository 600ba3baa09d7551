"""Who holds a seed, what was decided about it, and who is compared again because of it."""

from itertools import pairwise

from sqlalchemy import select
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage import backlog, boilerplate, matches, sites
from storage.models.pages import Backlog
from storage.pages import save_pages
from storage.records import BoilerplateRun, FingerprintedArticle, SavedPage, SeedHolder
from tests.factories import a_fingerprint, a_match, a_site, an_article

SEED = 77


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
    return boilerplate.holders(session, SEED, algorithm_version=ALGORITHM_VERSION, bound=bound, site_id=site_id)


def test_a_holder_comes_with_its_text_and_everybody_who_publishes_it(session: Session) -> None:
    site = a_site(session, "甲", owner="集团")
    saved = holding(session, "甲", SEED, 5, site_id=site.id, body="同文")
    holding(session, "乙", SEED, 5, body="同文")
    holding(session, "丙", 5)

    assert holders(session) == [
        SeedHolder(
            text_id=saved.text_id,
            body="同文",
            site_ids=frozenset({site.id}),
            owner_keys=frozenset({f"owner:{site.owner_id}", "host:乙.example"}),
        )
    ]


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
        boilerplate.save_verdict(session, run)

    assert boilerplate.verdicts(session, [SEED, 1], site_ids=[site.id]) == {
        (None, SEED): a_run(texts=20, proves_nothing=False),
        (site.id, SEED): a_run(site_id=site.id, texts=3),
    }
    assert boilerplate.verdicts(session, [SEED], site_ids=[]).keys() == {(None, SEED)}
    assert boilerplate.list_boilerplate(session) == [a_run(site_id=site.id, texts=3)]


def test_a_footer_proves_nothing_on_its_own_site_and_much_on_others(session: Session) -> None:
    one, other = a_site(session, "甲"), a_site(session, "乙")
    boilerplate.save_verdict(session, a_run(site_id=one.id, units=b"footer"))
    boilerplate.save_verdict(session, a_run(seed=1, units=b"notice"))
    boilerplate.save_verdict(session, a_run(seed=2, units=b"story", proves_nothing=False))

    def prove_nothing(*site_ids: int, seeds: tuple[int, ...] = (SEED, 1, 2)) -> list[bytes]:
        return sorted(boilerplate.runs_that_prove_nothing(session, seeds, site_ids=site_ids))

    assert prove_nothing(one.id) == [b"footer", b"notice"]
    assert prove_nothing(other.id) == [b"notice"]
    assert prove_nothing() == [b"notice"]
    assert prove_nothing(one.id, seeds=(SEED,)) == [b"footer"]


def test_a_forgotten_verdict_is_gone_on_every_site_and_goes_with_its_site(session: Session) -> None:
    site = a_site(session, "甲")
    for run in (a_run(), a_run(site_id=site.id), a_run(seed=1, site_id=site.id)):
        boilerplate.save_verdict(session, run)

    assert boilerplate.forget(session, [SEED]) == 2
    assert boilerplate.forget(session, [SEED]) == 0
    sites.remove_site(session, "甲")
    assert boilerplate.verdicts(session, [SEED, 1], site_ids=[site.id]) == {}


def test_only_current_versions_with_matches_are_compared_again(session: Session) -> None:
    a, b, alone = (holding(session, name, SEED) for name in "abc")
    matches.store_match(session, a_match(*sorted([a.text_id, b.text_id])))
    changed = holding(session, "b", 1, body="新文")
    backlog.done(session, [saved.version_id for saved in (a, b, alone, changed)])

    assert boilerplate.requeue_matched(session, [a.text_id, b.text_id, alone.text_id]) == 1
    assert boilerplate.requeue_matched(session, [a.text_id, b.text_id, alone.text_id]) == 0

    assert list(session.scalars(select(Backlog.page_version_id))) == [a.version_id]


def test_everybody_who_holds_a_seed_and_has_a_match_is_compared_again(session: Session) -> None:
    """Be they more than any sample that was looked at."""
    saved = [holding(session, f"host{number}", SEED, number) for number in range(120)]
    other, unmatched = holding(session, "other", 5), holding(session, "unmatched", SEED)
    for one, next_one in pairwise(sorted(item.text_id for item in (*saved, other))):
        matches.store_match(session, a_match(one, next_one))
    backlog.done(session, [item.version_id for item in (*saved, other, unmatched)])

    assert boilerplate.requeue_holders(session, SEED, algorithm_version=ALGORITHM_VERSION) == 120

    assert set(session.scalars(select(Backlog.page_version_id))) == {item.version_id for item in saved}
