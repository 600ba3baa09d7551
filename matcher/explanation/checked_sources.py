"""The result of a check as it is kept: what page, files and certificate show, without the stored texts. Pure."""

from collections.abc import Sequence

from matcher.comparison.check import CheckResult
from matcher.comparison.compare_pair import Compared
from matcher.judgement.judge import union_share
from matcher.provenance.direction import Direction
from matcher.retellings.check_by_meaning import NOT_ASKED, MeaningResult
from matcher.retellings.retold_match import RetoldMatch
from storage.intake.check_records import (
    CheckedPage,
    CheckedParty,
    CheckedResult,
    CheckedRetelling,
    CheckedSource,
    ComparedScope,
)
from storage.matches.direction_reasons import encoded
from storage.records.pages import PageRecord
from storage.types import SiteRole


def checked_result(result: CheckResult, meaning: MeaningResult = NOT_ASKED, *, unseen: int = 0) -> CheckedResult:
    """Return the result with sources in the order of the share that they alone explain, and after them what is similar
    in meaning, highest score first. `unseen`: similar submissions that a bound left out.
    """
    ordered = sorted(result.matches, key=lambda found: (-found.own_share, -found.judgement.left_share))
    passages = [passage for found in ordered for passage in found.judgement.passages]
    similar = [*((match, False) for match in meaning.retold), *((match, True) for match in meaning.beside.values())]
    against = result.compared_with
    return CheckedResult(
        chars=result.chars,
        verdict=meaning.verdict(result.verdict),
        share=union_share(passages, result.chars),
        scope=ComparedScope(against.texts, against.sites, against.newest, against.waiting, against.is_estimate),
        sources=tuple(_source(number, found) for number, found in enumerate(ordered, start=1)),
        retold=tuple(_retelling(match, beside=beside) for match, beside in similar),
        cut=result.cut,
        unseen=unseen,
        not_by_meaning=meaning.left_out,
        is_partial=meaning.is_partial,
    )


def _source(number: int, found: Compared) -> CheckedSource:
    judgement, page = found.judgement, found.pages[0]
    relation = found.relation_with(page)
    return CheckedSource(
        id=number,
        text_id=found.stored.id,
        pages=_pages(found.pages),
        other_pages=found.other_pages,
        party=_party(page),
        kind=found.kind,
        share=judgement.left_share,
        source_share=judgement.right_share,
        own_share=found.own_share,
        longest=judgement.longest,
        score=judgement.score,
        credit=found.credit.credit,
        relation=relation.relation,
        third=relation.third_url,
        is_earlier=not found.direction.left_is_source,
        why_later=_why_later(found.direction),
        passages=judgement.passages,
    )


def _retelling(found: RetoldMatch, *, beside: bool) -> CheckedRetelling:
    retelling, page = found.retelling, found.pages[0]
    shared, most = retelling.figures
    return CheckedRetelling(
        text_id=found.stored.id,
        pages=_pages(found.pages),
        other_pages=found.other_pages,
        party=_party(page),
        kind=found.kind,
        share=retelling.left_share,
        source_share=retelling.right_share,
        own_share=found.own_share,
        longest=found.longest,
        score=found.score,
        credit=found.credit.credit,
        relation=found.relation,
        third=None if found.third is None else found.third.url,
        is_earlier=not found.direction.left_is_source,
        why_later=_why_later(found.direction),
        beside=beside,
        proof=tuple((reason.kind.value, dict(reason.facts)) for reason in found.proof),
        said=tuple(reason.said for reason in found.proof),
        in_order=retelling.stretch.in_order,
        figures=(shared, most),
        particulars=tuple(retelling.particulars),
        sentences=found.sentences,
    )


def _why_later(direction: Direction) -> str | None:
    """Return what decided; None where a date or the order of sightings did."""
    return None if direction.is_by_time or not direction.reasons else encoded(direction.reasons[0])


def _pages(held: Sequence[PageRecord]) -> tuple[CheckedPage, ...]:
    return tuple(
        CheckedPage(page.url, page.id, page.title, page.site_name, page.declared.at, page.first_seen_at)
        for page in held
    )


def _party(page: PageRecord) -> CheckedParty:
    name = page.owner_name or page.site_name or page.account_name or page.host
    return CheckedParty(page.owner_key, name, page.host, page.role is SiteRole.ORIGINAL, page.author)
