"""What services returned: saved once an article, settled, and what it says about hosts."""

import pytest
from sqlalchemy.orm import Session

from storage.records.web_search import HostFigures, NewFind
from storage.types import FindState, HostDecision
from storage.web_search import finds
from tests.support.factories import a_site, an_article, save, text_of


@pytest.fixture
def page_id(session: Session) -> int:
    return save(session, an_article("https://ours.example/1", text_of(1)))[0].page_id


def found(url: str, score: float = 1.0, state: FindState = FindState.WAITING, **more: str) -> NewFind:
    host = url.split("/")[2]
    return NewFind(url, host, "T", "s", ("a",), score, state, **more)


def test_a_find_is_saved_once_an_article_and_waits_by_its_score(session: Session, page_id: int) -> None:
    some = [found("https://b.example/1", 1.0), found("https://b.example/2", 3.0)]
    out = found("https://c.example/", 9.0, FindState.LEFT_OUT, reason="own-host")

    finds.save_finds(session, page_id, [found("https://b.example/1", 0.5), out])
    finds.save_finds(session, page_id, some)
    finds.save_finds(session, page_id, [])

    assert [one.url[-1] for one in finds.waiting(session, page_id, limit=9)] == ["2", "1"]
    assert len(finds.waiting(session, page_id, limit=1)) == 1
    assert [(one.state, one.reason) for one in finds.finds_of(session, page_id) if one.score == 9] == [
        ("left-out", "own-host")
    ]


def test_texts_of_strangers_are_stored_without_what_postgres_refuses(session: Session, page_id: int) -> None:
    wild = NewFind("https://b.example/", "b.example", "a\x00\ud800", "\x00", ("a",), 1.0, FindState.WAITING)
    finds.save_finds(session, page_id, [wild])
    (kept,) = finds.finds_of(session, page_id)
    assert kept.title.startswith("a")
    assert "\x00" not in kept.title


def test_what_was_fetched_tells_about_its_host(session: Session, page_id: int) -> None:
    finds.save_finds(session, page_id, [found(f"https://b.example/{number}") for number in range(4)])
    states = (FindState.COPY, FindState.NO_COPY, FindState.REFUSED)
    for one, state in zip(finds.waiting(session, page_id, limit=3), states, strict=True):
        finds.settle(session, one.id, state)

    assert finds.host_figures(session, {"b.example", "c.example"}) == {"b.example": HostFigures("b.example", 2, 1)}
    assert len(finds.waiting(session, page_id, limit=9)) == 1
    finds.save_finds(session, page_id, [found(f"https://b.example/{number}") for number in range(4)])
    assert len(finds.waiting(session, page_id, limit=9)) == 1  # what was fetched stays as it is


def test_hosts_with_copies_are_proposed_until_somebody_decides(session: Session, page_id: int) -> None:
    a_site(session, "watched", host="w.example")
    urls = ("https://b.example/1", "https://b.example/2", "https://w.example/1", "https://n.example/1")
    finds.save_finds(session, page_id, [found(url) for url in urls])
    for one in finds.finds_of(session, page_id):
        state = FindState.NO_COPY if one.host == "n.example" else FindState.COPY
        finds.settle(session, one.id, state)

    (proposed,) = finds.proposed_hosts(session, limit=9)
    assert (proposed.host, proposed.articles, proposed.copies) == ("b.example", 1, 2)

    finds.decide_host(session, "b.example", HostDecision.WATCHED, by="li")
    finds.decide_host(session, "b.example", HostDecision.IGNORED, by="wang")
    assert finds.proposed_hosts(session, limit=9) == []
    assert finds.ignored_hosts(session) == {"b.example"}


def test_stored_addresses_are_known(session: Session, page_id: int) -> None:
    assert page_id
    urls = {"https://ours.example/1", "https://ours.example/2", "https://x.example/\x00"}
    assert finds.known_addresses(session, urls) == {"https://ours.example/1"}
