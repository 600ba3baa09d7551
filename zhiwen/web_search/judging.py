"""Whether a page that a search service returned is a copy of an article of ours: the comparisons that every page gets,
before it is stored.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fingerprint.compute import Analysis, analyse
from matcher.cases.shared_passage import shares_a_passage_only
from matcher.comparison.compare_pair import Compared
from matcher.comparison.compare_with_store import Comparison, compare_with_store
from matcher.comparison.query import Query
from matcher.comparison.relations import relations_in
from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.provenance.page_facts import facts_of_article
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import compare_by_meaning
from storage.cases import account_owners
from storage.records.pages import PageRecord
from storage.types import FindState, RetellingKind, SiteRole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.records.pages import NewArticle
    from storage.records.sites import SiteRecord


@dataclass(frozen=True, slots=True)
class Verdict:
    """`state`: a copy or a passage shares wording with an article of ours, so that it makes a hit. `retelling`: it does
    not, but says the same in other words or in another language.
    """

    state: FindState = FindState.NO_COPY
    retelling: RetellingKind | None = None

    @property
    def is_worth_storing(self) -> bool:
        return self.state is not FindState.NO_COPY or self.retelling is not None


def judge(
    session: "Session", article: "NewArticle", site: "SiteRecord | None", *, open_search: "OpenSearch | None" = None
) -> Verdict:
    """Compare the article of a page with the store, storing nothing. `site`: of its host. `open_search`: opens the
    search by meaning; None: only the wording is compared.
    """
    owner = owner_key_of(session, article, site)
    facts = replace(facts_of_article(article), owner_key=owner)
    asked = analyse(article.text)
    own_sites = () if site is None else (site.id,)
    comparison = compare_with_store(session, Query(asked, facts, not_owner=owner, site_ids=own_sites))
    found = [(one, page) for one in comparison.found for page in one.pages if page.role is SiteRole.ORIGINAL]
    if found:
        is_passage = all(_shares_a_passage_only(one, page) for one, page in found)
        return Verdict(FindState.PASSAGE if is_passage else FindState.COPY)
    if open_search is None:
        return Verdict()
    try:
        return Verdict(retelling=_retelling(session, article, asked, comparison, owner, open_search))
    except EncoderUnavailable:
        return Verdict()


def _shares_a_passage_only(found: Compared, page: PageRecord) -> bool:
    """Whether that is all that the page shares with this one of ours."""
    pair = found.pairs.of(page)
    return shares_a_passage_only(pair.right, pair.left, [item.swapped() for item in found.judgement.passages])


def owner_key_of(session: "Session", article: "NewArticle", site: "SiteRecord | None") -> str:
    """The party behind a page that is not stored yet, as `PageRecord.owner_key` names it once it is."""
    if article.account is not None and (site is None or site.settings.role is not SiteRole.ORIGINAL):
        owner = account_owners.owner_of_account(session, article.account)
        return f"account:{article.account}" if owner is None else f"owner:{owner}"
    return facts_of_article(article).owner_key if site is None else f"owner:{site.owner_id}"


def _retelling(
    session: "Session",
    article: "NewArticle",
    asked: Analysis,
    comparison: Comparison,
    owner: str,
    open_search: "OpenSearch",
) -> RetellingKind | None:
    wording = {one.stored.id: max(one.judgement.left_share, one.judgement.right_share) for one in comparison.found}
    facts = replace(facts_of_article(article), owner_key=owner)
    query = Asked(
        asked.canonical.source, facts, not_owner=owner, literal=wording, relations=relations_in(comparison.found)
    )
    found = compare_by_meaning(session, open_search(session), query).found
    return next((RetellingKind(one.kind) for one in found if _is_any_ours(one.pages)), None)


def _is_any_ours(pages: "Iterable[PageRecord]") -> bool:
    return any(page.role is SiteRole.ORIGINAL for page in pages)
