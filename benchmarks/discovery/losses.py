"""The step at which a copy was lost on its way from an article of ours to a hit. Pure."""

from collections.abc import Collection, Sequence
from enum import StrEnum

from benchmarks.discovery.metasearch import Query
from crawler.urls.canonical import identity_of
from storage.records.web_search import FindRecord
from storage.types import FindState


class Step(StrEnum):
    NOT_STORED = "article not stored"
    NOT_PUBLISHED = "article not published"
    """It asks not to be found, or answers nobody: nothing is sent about it."""
    NO_PHRASE = "no phrase"
    NOT_INDEXED = "not indexed"
    NOT_RETURNED = "not returned"
    RANKED_OUT = "ranked out"
    NOT_FETCHED = "not fetched"
    REFUSED = "refused"
    NOT_MATCHED = "not matched"


def lost_at(
    address: str,
    body: str | None,
    *,
    indexed: Collection[str],
    queries: Sequence[Query],
    finds: Sequence[FindRecord],
    is_published: bool = True,
) -> str:
    """Return the step that lost the copy at `address`, with the reason where there is one.

    `body`: the text of the article of ours; None if it was not stored. `indexed`: addresses of the index. `finds`: of
    the article. `is_published`: whether that answered a stranger.
    """
    if body is None:
        return Step.NOT_STORED
    if not is_published:
        return Step.NOT_PUBLISHED
    if address not in indexed:
        return Step.NOT_INDEXED
    key = identity_of(address)
    found = next((one for one in finds if identity_of(one.url) == key), None)
    if found is not None:
        return _after_it_was_found(found)
    is_asked = any(asked.query.strip('"') in body for asked in queries)
    return Step.NOT_RETURNED if is_asked else Step.NO_PHRASE


def _after_it_was_found(found: FindRecord) -> str:
    if found.state is FindState.WAITING:
        return Step.NOT_FETCHED
    step = {FindState.LEFT_OUT: Step.RANKED_OUT, FindState.REFUSED: Step.REFUSED}.get(found.state, Step.NOT_MATCHED)
    return f"{step}: {found.reason}" if found.reason else step
