"""A store in which search services were asked and found something."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Engine, update

from storage.engine import transaction
from storage.models.web_search import SearchFind
from storage.records.web_search import NewFind, NewQuery
from storage.types import FindState, HostDecision
from storage.web_search import articles, finds, queries
from tests.support.cases import StoredCase, store_case

WILD: Final = "<script>alert(1)</script>\u202eevil\x00\ud800"
"""What a service may return as a title."""


@dataclass(frozen=True)
class Searched:
    """`case`: of the page at COPIER that a service found."""

    case: StoredCase
    answered: int
    failed: int


COPIER: Final = "copier.example"
STRANGER: Final = "stranger.example"
IGNORED: Final = "ignored.example"


def fill_searches(engine: Engine) -> Searched:
    """A copy that is a case, a copy on a host that nobody watches, what was left out, and a failed query."""
    case = store_case(engine)
    ours = case.ours.page_id
    with transaction(engine) as session:
        answered = queries.book(session, NewQuery("own", "河边的茶馆也开了门", None, ours, 0.005))
        queries.end_answered(session, answered, results=3, unusable=1, beyond=2)
        failed = queries.book(session, NewQuery("brave", "<b>老桥</b>", None, ours))
        queries.end_failed(session, failed, "captcha")
        queries.book(session, NewQuery("own", "“不识庐山真面目”", None, None))
        finds.save_finds(
            session,
            ours,
            [
                a_find(f"https://{COPIER}/a", FindState.COPY, title=WILD),
                a_find(f"https://{STRANGER}/1", FindState.COPY),
                a_find(f"https://{STRANGER}/2", FindState.NO_COPY),
                a_find("https://ours.example/1", FindState.LEFT_OUT, reason="own-host"),
                a_find("https://new.example/1", FindState.WAITING),
            ],
        )
        found = update(SearchFind).where(SearchFind.url == f"https://{COPIER}/a")
        session.execute(found.values(their_page_id=case.theirs.page_id))
        articles.keep_visit(session, ours, done=1)
        finds.decide_host(session, IGNORED, HostDecision.IGNORED, by="王主任")
    return Searched(case, answered, failed)


def a_find(url: str, state: FindState, *, title: str = "T", **fields: Any) -> NewFind:
    return NewFind(url, url.split("/")[2], title, "s", ("own", "brave"), 1.0, state, **fields)
